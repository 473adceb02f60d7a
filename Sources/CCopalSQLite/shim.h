#ifndef COPAL_SQLITE_SHIM_H
#define COPAL_SQLITE_SHIM_H

#include <sqlite3.h>

// Swift cannot call C functions with variable arguments.
static inline int copal_sqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// Swift does not import macros that compute.
static const int copal_sqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int copal_sqlite_ioerr_nomem = SQLITE_IOERR_NOMEM;
static const int copal_sqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;
static const int copal_sqlite_readonly_dbmoved = SQLITE_READONLY_DBMOVED;

#endif
