#include <sqlite3.h>
#include <string.h>

/// `fold_contains(text, wanted)`: whether a text contains another one, without the case of ASCII. For texts of ASCII this is what
/// Copal's `contains` does when it ignores case and diacritics.
static inline void bench_fold_contains(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  const unsigned char *text = sqlite3_value_text(values[0]);
  const unsigned char *wanted = sqlite3_value_text(values[1]);
  if (text == 0 || wanted == 0) return;
  int length = sqlite3_value_bytes(values[0]), wanted_length = sqlite3_value_bytes(values[1]);
  for (int at = 0; at + wanted_length <= length; at++) {
    int same = 0;
    while (same < wanted_length) {
      unsigned char byte = text[at + same];
      if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
      if (byte != wanted[same]) break;
      same++;
    }
    if (same == wanted_length) return sqlite3_result_int(context, 1);
  }
  sqlite3_result_int(context, 0);
}

/// Makes small letters of the capital letters of ASCII.
static inline void bench_fold(unsigned char *text, int count) {
  for (int at = 0; at < count; at++)
    if (text[at] >= 'A' && text[at] <= 'Z') text[at] |= 0x20;
}

static inline int bench_register_fold_contains(sqlite3 *database) {
  return sqlite3_create_function_v2(
      database, "fold_contains", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, bench_fold_contains, 0, 0,
      0);
}
