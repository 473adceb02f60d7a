// The floor: the work of the other programs in C, with every trick that a C program may use without
// promising less. PROGRAM WORKLOAD ROWS FILE, one line of JSON; PROGRAM sqlite tells SQLite's version.
//
// The tricks: 25 rows a statement, `sqlite3_column_value`, values bound in place, one block of memory a
// row, nothing decoded, statements that write in the order of the keys. Not among them: less durability,
// a mapped file, a SQLite of its own.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "store.h"

enum { rows_a_statement = 25, columns_bound = 8 };

// MARK: Writing

static void bind_row(sqlite3_stmt *statement, int place, const struct source *row) {
  sqlite3_bind_text(statement, place + 1, row->name, row->name_length, SQLITE_STATIC);
  // Bindings of the row before are still there.
  if (row->note_length < 0) {
    sqlite3_bind_null(statement, place + 2);
  } else {
    sqlite3_bind_text(statement, place + 2, row->note, row->note_length, SQLITE_STATIC);
  }
  sqlite3_bind_int64(statement, place + 3, row->count);
  sqlite3_bind_double(statement, place + 4, row->ratio);
  sqlite3_bind_text(statement, place + 5, row->price, row->price_length, SQLITE_STATIC);
  sqlite3_bind_double(statement, place + 6, row->created);
  sqlite3_bind_int64(statement, place + 7, row->flag);
  sqlite3_bind_blob(statement, place + 8, row->color, row->color_length, SQLITE_STATIC);
}

// OR FAIL: undoing half a statement needs a journal that costs more than it saves.
static sqlite3_stmt *prepare_insert(sqlite3 *database, int rows) {
  char sql[1024] =
      "INSERT OR FAIL INTO Item (copal_version, name, note, count, ratio, price, created, flag, "
      "color) VALUES ";
  for (int row = 0; row < rows; row++) strcat(sql, row ? ",(1,?,?,?,?,?,?,?,?)" : "(1,?,?,?,?,?,?,?,?)");
  return prepare(database, sql);
}

static uint64_t insert(const struct source *rows, size_t count, const char *file) {
  sqlite3 *database = open_store(file, purpose_once);
  run(database, "PRAGMA journal_mode=WAL");
  run(database,
      "CREATE TABLE Item (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, "
      "note TEXT, count INTEGER, ratio REAL, price TEXT, created REAL, flag INTEGER, color BLOB)");
  run(database, "CREATE INDEX copal_index_Item_count ON Item (count)");
  sqlite3_stmt *many = prepare_insert(database, rows_a_statement);
  sqlite3_stmt *one = prepare_insert(database, 1);
  run(database, "BEGIN IMMEDIATE");
  size_t done = 0;
  for (; done + rows_a_statement <= count; done += rows_a_statement) {
    for (int row = 0; row < rows_a_statement; row++) {
      bind_row(many, row * columns_bound, &rows[done + (size_t)row]);
    }
    finish(database, many);
  }
  for (; done < count; done++) {
    bind_row(one, 0, &rows[done]);
    finish(database, one);
  }
  run(database, "COMMIT");
  sqlite3_finalize(many);
  sqlite3_finalize(one);
  sqlite3_close(database);
  return count;
}

/// The tenth of the rows that are changed or deleted, in the order of their keys: writing in the order of
/// the index would jump around in the table.
static void fetch_changed(sqlite3 *database, struct rows *rows) {
  char sql[256];
  snprintf(sql, sizeof sql, "SELECT %s FROM Item NOT INDEXED WHERE count < 100", row_columns);
  sqlite3_stmt *statement = prepare(database, sql);
  fetch(database, statement, rows);
  sqlite3_finalize(statement);
}

static void write_row(sqlite3 *database, sqlite3_stmt *statement) {
  finish(database, statement);
  if (sqlite3_changes(database) != 1) fail("conflict");
}

static uint64_t update(sqlite3 *database) {
  struct rows rows = {0};
  fetch_changed(database, &rows);
  sqlite3_stmt *statement = prepare(
      database,
      "UPDATE Item SET copal_version = ?, ratio = ?, name = ? WHERE copal_id = ? AND copal_version = ?");
  sqlite3_bind_text(statement, 3, "changed name", 12, SQLITE_STATIC);
  run(database, "BEGIN IMMEDIATE");
  for (size_t index = 0; index < rows.count; index++) {
    const struct row *row = rows.items[index];
    sqlite3_bind_int64(statement, 1, row->version + 1);
    sqlite3_bind_double(statement, 2, row->ratio + 1);
    sqlite3_bind_int64(statement, 4, row->key);
    sqlite3_bind_int64(statement, 5, row->version);
    write_row(database, statement);
  }
  run(database, "COMMIT");
  sqlite3_finalize(statement);
  uint64_t count = rows.count;
  release(&rows);
  return count;
}

static uint64_t delete(sqlite3 *database) {
  struct rows rows = {0};
  fetch_changed(database, &rows);
  sqlite3_stmt *statement =
      prepare(database, "DELETE FROM Item WHERE copal_id = ? AND copal_version = ?");
  run(database, "BEGIN IMMEDIATE");
  for (size_t index = 0; index < rows.count; index++) {
    sqlite3_bind_int64(statement, 1, rows.items[index]->key);
    sqlite3_bind_int64(statement, 2, rows.items[index]->version);
    write_row(database, statement);
  }
  run(database, "COMMIT");
  sqlite3_finalize(statement);
  uint64_t count = rows.count;
  release(&rows);
  return count;
}

// MARK: Reading

static sqlite3_stmt *prepare_select(sqlite3 *database, const char *rest) {
  char sql[256];
  snprintf(sql, sizeof sql, "SELECT %s FROM Item %s", row_columns, rest);
  return prepare(database, sql);
}

static uint64_t fetch_all(sqlite3 *database, int touches_all) {
  sqlite3_stmt *statement = prepare_select(database, "ORDER BY copal_id");
  struct rows rows = {0};
  fetch(database, statement, &rows);
  uint64_t sum = 0;
  for (size_t index = 0; index < rows.count; index++) {
    if (touches_all) {
      add_row(&sum, rows.items[index]);
    } else {
      add_bits(&sum, (uint64_t)rows.items[index]->count);
    }
  }
  release(&rows);
  sqlite3_finalize(statement);
  return sum;
}

static uint64_t ids(sqlite3 *database) {
  sqlite3_stmt *statement = prepare(database, "SELECT copal_id FROM Item ORDER BY copal_id");
  int64_t *keys = NULL;
  size_t count = 0, capacity = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      keys = realloc(keys, capacity * sizeof *keys);
      if (!keys) abort();
    }
    keys[count++] = sqlite3_value_int64(sqlite3_column_value(statement, 0));
  }
  sqlite3_finalize(statement);
  free(keys);
  return count;
}

static uint64_t get(sqlite3 *database, const int64_t *keys, size_t count) {
  sqlite3_stmt *statement = prepare_select(database, "WHERE copal_id = ?");
  uint64_t sum = 0;
  for (size_t index = 0; index < count; index++) {
    sqlite3_bind_int64(statement, 1, keys[index]);
    struct rows rows = {0};
    fetch(database, statement, &rows);
    for (size_t row = 0; row < rows.count; row++) add_row(&sum, rows.items[row]);
    release(&rows);
  }
  sqlite3_finalize(statement);
  return sum;
}

static uint64_t filter(sqlite3 *database) {
  sqlite3_stmt *statement =
      prepare_select(database, "WHERE count = ? AND ratio >= ? ORDER BY name LIMIT 50");
  uint64_t sum = 0;
  struct rows rows = {0};
  for (int number = 0; number < 1000; number++) {
    sqlite3_bind_int64(statement, 1, number);
    sqlite3_bind_double(statement, 2, 0.1);
    fetch(database, statement, &rows);
    for (size_t row = 0; row < rows.count; row++) add_row(&sum, rows.items[row]);
    release(&rows);
  }
  sqlite3_finalize(statement);
  return sum;
}

static uint64_t reopen(const char *file) {
  uint64_t sum = 0;
  for (int number = 0; number < 200; number++) {
    sqlite3 *database = open_store(file, purpose_glance);
    sqlite3_stmt *statement = prepare_select(database, "LIMIT 1");
    struct rows rows = {0};
    fetch(database, statement, &rows);
    for (size_t row = 0; row < rows.count; row++) add_row(&sum, rows.items[row]);
    release(&rows);
    sqlite3_finalize(statement);
    sqlite3_close(database);
  }
  return sum;
}

// MARK: Growth

// The same SELECTs and INSERTs as a loop that looks for a tag by its name and makes it when it is absent.
static uint64_t find_or_create(sqlite3 *database, const char *names, size_t count) {
  sqlite3_stmt *find = prepare(
      database, "SELECT copal_id, copal_version, name, rank FROM Tag WHERE name = ? LIMIT 1");
  sqlite3_stmt *insert =
      prepare(database, "INSERT INTO Tag (copal_version, name, rank) VALUES (1, ?, ?)");
  uint64_t sum = 0;
  run(database, "BEGIN IMMEDIATE");
  for (size_t number = 0; number < count; number++) {
    const char *name = names + asked_name(number) * 16;
    sqlite3_bind_text(find, 1, name, 16, SQLITE_STATIC);
    int code = sqlite3_step(find);
    check(database, code);
    if (code == SQLITE_ROW) {
      add_bits(&sum, (uint64_t)sqlite3_value_int64(sqlite3_column_value(find, 3)));
    } else {
      sqlite3_bind_text(insert, 1, name, 16, SQLITE_STATIC);
      sqlite3_bind_int64(insert, 2, (int64_t)number);
      finish(database, insert);
    }
    sqlite3_reset(find);
  }
  run(database, "COMMIT");
  sqlite3_finalize(find);
  sqlite3_finalize(insert);
  return sum;
}

static int by_key(const void *a, const void *b) {
  int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
  return (first > second) - (first < second);
}

// The last ten to twenty rows of the index, in the order of their keys.
static uint64_t range(sqlite3 *database, size_t count, long calls) {
  sqlite3_stmt *statement = prepare(
      database,
      "SELECT copal_id, copal_version, name, rank FROM Tag WHERE rank >= ?");
  uint64_t sum = 0;
  for (long call = 0; call < calls; call++) {
    sqlite3_bind_int64(statement, 1, (int64_t)count - 20 + call % 11);
    struct tag { int64_t key, version, rank; char name[16]; } tags[20];
    size_t found = 0;
    while (sqlite3_step(statement) == SQLITE_ROW && found < 20) {
      struct tag *tag = &tags[found++];
      tag->key = sqlite3_value_int64(sqlite3_column_value(statement, 0));
      tag->version = sqlite3_value_int64(sqlite3_column_value(statement, 1));
      sqlite3_value *name = sqlite3_column_value(statement, 2);
      const void *bytes = sqlite3_value_text(name);
      size_t length = (size_t)sqlite3_value_bytes(name);
      memcpy(tag->name, bytes, length < 16 ? length : 16);
      tag->rank = sqlite3_value_int64(sqlite3_column_value(statement, 3));
    }
    sqlite3_reset(statement);
    qsort(tags, found, sizeof tags[0], by_key);
    for (size_t tag = 0; tag < found; tag++) add_bits(&sum, (uint64_t)tags[tag].rank);
  }
  sqlite3_finalize(statement);
  return sum;
}

static const char *const tag_table =
    "PRAGMA journal_mode=WAL;"
    "CREATE TABLE Tag (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, "
    "rank INTEGER);"
    "CREATE INDEX copal_index_Tag_name ON Tag (name);"
    "CREATE INDEX copal_index_Tag_rank ON Tag (rank);";

// MARK: The program

/// Runs one workload and prints what it took; false for an unknown name.
static int measure(const char *workload, size_t rows, const char *file) {
  struct measurement measurement;
  uint64_t sum;
  long units = 0;
#define IS(name) (strcmp(workload, name) == 0)
// The work alone is measured, and what it must do to be done: closing is not, as in the other programs.
#define MEASURE(work) \
  do { \
    measurement_start(&measurement); \
    sum = (work); \
    measurement_print(&measurement, sum, units); \
  } while (0)
  if (IS("insert")) {
    struct source *data = make_rows(rows);
    MEASURE(insert(data, rows, file));
    free(data);
  } else if (IS("reopen")) {
    MEASURE(reopen(file));
  } else if (IS("findOrCreate")) {
    sqlite3 *database = open_store(file, purpose_again);
    run(database, tag_table);
    char *names = make_names(rows);
    units = (long)rows;
    MEASURE(find_or_create(database, names, rows));
    free(names);
    sqlite3_close(database);
  } else {
    int again = IS("get") || IS("getReading") || IS("filter") || IS("range");
    sqlite3 *database = open_store(file, again ? purpose_again : purpose_once);
    size_t count = 0;
    int64_t *keys = NULL;
    if (IS("fetchAll") || IS("fetchOne")) {
      MEASURE(fetch_all(database, IS("fetchAll")));
    } else if (IS("ids")) {
      MEASURE(ids(database));
    } else if (IS("get") || IS("getReading")) {
      // As Copal does to get its ids.
      run(database, "SELECT copal_id FROM Item");
      keys = make_keys(rows, &count);
      measurement_start(&measurement);
      if (IS("getReading")) run(database, "BEGIN");
      sum = get(database, keys, count);
      if (IS("getReading")) run(database, "COMMIT");
      measurement_print(&measurement, sum, units);
    } else if (IS("filter")) {
      MEASURE(filter(database));
    } else if (IS("update")) {
      MEASURE(update(database));
    } else if (IS("delete")) {
      MEASURE(delete(database));
    } else if (IS("range")) {
      units = 1000;
      MEASURE(range(database, rows, units));
    } else {
      sqlite3_close(database);
      return 0;
    }
    free(keys);
    sqlite3_close(database);
  }
  return 1;
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "sqlite") == 0) {
    puts(sqlite3_libversion());
    return 0;
  }
  if (count != 4 || atol(words[2]) <= 0 || !measure(words[1], (size_t)atol(words[2]), words[3])) {
    fputs("usage: bench-floor WORKLOAD ROWS FILE\n", stderr);
    return 64;
  }
  return 0;
}
