#ifndef COPAL_SQLITE_SHIM_H
#define COPAL_SQLITE_SHIM_H

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Swift cannot call C functions with variable arguments.
static inline int copal_sqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// The last error that the system gave for the database file, or for its log; 0 for none. SQLite
// keeps it with the
// file, and tells the error of a connection only of some statements.
static inline int copal_sqlite_last_errno(sqlite3 *database, int of_log) {
  int found = 0;
  sqlite3_file *file = 0;
  sqlite3_file_control(
      database, "main", of_log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER, &file);
  if (file != 0 && file->pMethods != 0) {
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &found);
  }
  return found;
}

// Where in its text a statement has an error, in bytes; -1 where this is not known. SQLite has it
// since 3.38.
static inline int copal_sqlite_error_offset(sqlite3 *database) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(database);
#else
  return -1;
#endif
}

// Gives a file another name, unless there is a file of that name; -1 with an error otherwise. It is
// the call of the
// kernel, because not every C library of Linux has the function.
static inline int copal_rename_exclusively(const char *path, const char *new_path) {
#if defined(__linux__) && defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, new_path, 1 /* RENAME_NOREPLACE */);
#elif defined(__APPLE__)
  return renamex_np(path, new_path, RENAME_EXCL);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Swift does not import macros that compute.
static const int copal_sqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
static const int copal_sqlite_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int copal_sqlite_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int copal_sqlite_constraint_rowid = SQLITE_CONSTRAINT_ROWID;
static const int copal_sqlite_ioerr_nomem = SQLITE_IOERR_NOMEM;
static const int copal_sqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;
static const int copal_sqlite_readonly_dbmoved = SQLITE_READONLY_DBMOVED;
static const int copal_sqlite_corrupt_vtab = SQLITE_CORRUPT_VTAB;

#endif
