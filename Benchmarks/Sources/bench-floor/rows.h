#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>
#include <stdint.h>

/// One row of the data: what BenchKit's `Row.make` makes, draw by draw.
struct source {
  int64_t count;
  double ratio;
  double created;
  int32_t flag;
  // A length of -1 is nil.
  int32_t name_length, note_length, price_length, color_length;
  char name[24], note[40], price[12];
  unsigned char color[40];
};

/// SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
uint64_t draw(uint64_t *state);

/// The rows of a benchmark, in one block.
struct source *make_rows(size_t count);

/// The keys of the gets: spread over the table, each once. At most 10,000.
int64_t *make_keys(size_t rows, size_t *count);

/// The names of tags: sixteen letters each, one after the other without an end.
char *make_names(size_t count);

/// The name that the number-th question asks for: each tenth has been there before.
size_t asked_name(size_t number);

#endif
