#ifndef STORE_H
#define STORE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"

/// What a connection is for: to read one row and close, to read or write once, or to read again and again,
/// with as much page cache as Copal then takes.
enum purpose { purpose_glance, purpose_once, purpose_again };

sqlite3 *open_store(const char *file, enum purpose purpose);
void run(sqlite3 *database, const char *sql);
sqlite3_stmt *prepare(sqlite3 *database, const char *sql);
void check(sqlite3 *database, int code);
/// Steps a statement that gives no row, and makes it ready for the next.
void finish(sqlite3 *database, sqlite3_stmt *statement);
_Noreturn void fail(const char *message);

/// One row in one block: eight bytes a column, texts and bytes behind them. Nothing is decoded.
struct row {
  int64_t key, version, count;
  double ratio, created;
  int32_t flag;
  // A length of -1 is nil. The bytes come in this order.
  int32_t name_length, note_length, price_length, color_length;
  char bytes[];
};

struct rows {
  struct row **items;
  size_t count, capacity;
};

extern const char *const row_columns;

/// All rows of a statement, added to the list.
void fetch(sqlite3 *database, sqlite3_stmt *statement, struct rows *rows);
void release(struct rows *rows);
/// Adds every property of a row to the sum.
void add_row(uint64_t *sum, const struct row *row);

#endif
