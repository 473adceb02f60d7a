#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t draw(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void letters(char *text, int count, uint64_t *random) {
  for (int index = 0; index < count; index++) text[index] = (char)(97 + draw(random) % 26);
}

struct source *make_rows(size_t count) {
  struct source *rows = calloc(count, sizeof *rows);
  if (!rows) abort();
  for (size_t index = 0; index < count; index++) {
    struct source *row = &rows[index];
    uint64_t random = index + 0x5eed;
    row->name_length = (int32_t)(12 + draw(&random) % 9);
    letters(row->name, row->name_length, &random);
    row->note_length = draw(&random) % 2 == 0 ? 40 : -1;
    if (row->note_length > 0) letters(row->note, row->note_length, &random);
    unsigned cents = (unsigned)(draw(&random) % 1000000);
    row->price_length =
        (int32_t)snprintf(row->price, sizeof row->price, "%u.%02u", cents / 100, cents % 100);
    row->count = (int64_t)(draw(&random) % 1000);
    row->ratio = (double)(draw(&random) % 1000000) / 1000003;
    row->created = (double)(draw(&random) % 800000000) + 0.25;
    row->flag = draw(&random) % 3 == 0;
    row->color_length = (int32_t)(21 + draw(&random) % 16);
    for (int byte = 0; byte < row->color_length; byte++) {
      row->color[byte] = (unsigned char)draw(&random);
    }
  }
  return rows;
}

int64_t *make_keys(size_t rows, size_t *count) {
  *count = rows < 10000 ? rows : 10000;
  int64_t *keys = malloc(*count * sizeof *keys);
  if (!keys) abort();
  for (size_t index = 0; index < *count; index++) {
    keys[index] = (int64_t)(index * 7919 % rows) + 1;
  }
  return keys;
}

char *make_names(size_t count) {
  char *names = malloc(count * 16);
  if (!names) abort();
  for (size_t index = 0; index < count; index++) {
    uint64_t random = index + 0x7a6;
    letters(names + index * 16, 16, &random);
  }
  return names;
}

size_t asked_name(size_t number) { return number % 10 == 9 ? number / 20 * 10 : number; }
