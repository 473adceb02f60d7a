#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *message) {
  fprintf(stderr, "bench-floor: %s\n", message);
  exit(1);
}

void check(sqlite3 *database, int code) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
    fail(sqlite3_errmsg(database));
  }
}

sqlite3 *open_store(const char *file, enum purpose purpose) {
  sqlite3 *database;
  int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (sqlite3_open_v2(file, &database, flags, NULL) != SQLITE_OK) fail("cannot open the file");
  sqlite3_busy_timeout(database, 5000);
  // Who writes nothing need not say how durably.
  if (purpose != purpose_glance) run(database, "PRAGMA synchronous=NORMAL");
  if (purpose == purpose_again) run(database, "PRAGMA cache_size=-4096");
  return database;
}

void run(sqlite3 *database, const char *sql) {
  check(database, sqlite3_exec(database, sql, NULL, NULL, NULL));
}

sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  check(database, sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

void finish(sqlite3 *database, sqlite3_stmt *statement) {
  check(database, sqlite3_step(statement));
  sqlite3_reset(statement);
}

const char *const row_columns =
    "copal_id, copal_version, name, note, count, ratio, price, created, flag, color";

static inline char *append(char *place, const void *bytes, int32_t length) {
  if (length <= 0) return place;
  memcpy(place, bytes, (size_t)length);
  return place + length;
}

// A value that `sqlite3_column_value` gives tells its content without the checks that each
// `sqlite3_column_…` repeats. It is for one thread only, which the connection is.
static struct row *read_row(sqlite3_stmt *statement) {
  sqlite3_value *name = sqlite3_column_value(statement, 2);
  sqlite3_value *note = sqlite3_column_value(statement, 3);
  sqlite3_value *price = sqlite3_column_value(statement, 6);
  sqlite3_value *color = sqlite3_column_value(statement, 9);
  const void *name_bytes = sqlite3_value_text(name), *note_bytes = sqlite3_value_text(note);
  const void *price_bytes = sqlite3_value_text(price), *color_bytes = sqlite3_value_blob(color);
  int32_t name_length = sqlite3_value_bytes(name), price_length = sqlite3_value_bytes(price);
  int32_t note_length = note_bytes ? sqlite3_value_bytes(note) : -1;
  int32_t color_length =
      sqlite3_value_type(color) == SQLITE_NULL ? -1 : sqlite3_value_bytes(color);
  size_t size = sizeof(struct row) + (size_t)name_length + (size_t)price_length;
  if (note_length > 0) size += (size_t)note_length;
  if (color_length > 0) size += (size_t)color_length;
  struct row *row = malloc(size);
  if (!row) abort();
  row->key = sqlite3_value_int64(sqlite3_column_value(statement, 0));
  row->version = sqlite3_value_int64(sqlite3_column_value(statement, 1));
  row->count = sqlite3_value_int64(sqlite3_column_value(statement, 4));
  row->ratio = sqlite3_value_double(sqlite3_column_value(statement, 5));
  row->created = sqlite3_value_double(sqlite3_column_value(statement, 7));
  row->flag = (int32_t)sqlite3_value_int64(sqlite3_column_value(statement, 8));
  row->name_length = name_length;
  row->note_length = note_length;
  row->price_length = price_length;
  row->color_length = color_length;
  char *place = append(row->bytes, name_bytes, name_length);
  place = append(place, note_bytes, note_length);
  place = append(place, price_bytes, price_length);
  append(place, color_bytes, color_length);
  return row;
}

void fetch(sqlite3 *database, sqlite3_stmt *statement, struct rows *rows) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    if (rows->count == rows->capacity) {
      rows->capacity = rows->capacity ? rows->capacity * 2 : 64;
      rows->items = realloc(rows->items, rows->capacity * sizeof *rows->items);
      if (!rows->items) abort();
    }
    rows->items[rows->count++] = read_row(statement);
  }
  check(database, code);
  sqlite3_reset(statement);
}

void release(struct rows *rows) {
  for (size_t index = 0; index < rows->count; index++) free(rows->items[index]);
  free(rows->items);
  *rows = (struct rows){0};
}

static inline void add_bytes(uint64_t *sum, const char *bytes, int32_t length) {
  add_bits(sum, (uint64_t)length + ((length > 0 ? (uint64_t)(unsigned char)*bytes : 0) << 8));
}

static inline void add_double(uint64_t *sum, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  add_bits(sum, bits);
}

void add_row(uint64_t *sum, const struct row *row) {
  const char *place = row->bytes;
  add_bytes(sum, place, row->name_length);
  place += row->name_length;
  if (row->note_length < 0) {
    add_bits(sum, 7);
  } else {
    add_bytes(sum, place, row->note_length);
    place += row->note_length;
  }
  add_bits(sum, (uint64_t)row->count);
  add_double(sum, row->ratio);
  add_bytes(sum, place, row->price_length);
  place += row->price_length;
  add_double(sum, row->created);
  add_bits(sum, row->flag ? 1 : 0);
  if (row->color_length >= 0) add_bytes(sum, place, row->color_length);
}
