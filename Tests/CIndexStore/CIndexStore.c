#include "CIndexStore.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *data;
  size_t length;
} string_ref;

typedef bool (*string_body)(void *context, string_ref name);
typedef bool (*pointer_body)(void *context, void *pointer);

// The functions of the library that are used here, by the ends of their names.
static struct {
  void *(*store_create)(const char *path, void **error);
  bool (*store_units_apply_f)(void *store, unsigned sorted, void *context, string_body body);
  void *(*unit_reader_create)(void *store, const char *name, void **error);
  string_ref (*unit_reader_get_main_file)(void *unit);
  bool (*unit_reader_dependencies_apply_f)(void *unit, void *context, pointer_body body);
  void (*unit_reader_dispose)(void *unit);
  int (*unit_dependency_get_kind)(void *dependency);
  string_ref (*unit_dependency_get_name)(void *dependency);
  void *(*record_reader_create)(void *store, const char *name, void **error);
  bool (*record_reader_occurrences_apply_f)(void *record, void *context, pointer_body body);
  void (*record_reader_dispose)(void *record);
  void *(*occurrence_get_symbol)(void *occurrence);
  uint64_t (*occurrence_get_roles)(void *occurrence);
  string_ref (*symbol_get_usr)(void *symbol);
  string_ref (*symbol_get_name)(void *symbol);
} functions;

typedef struct {
  void *store;
  void *context;
  void (*body)(void *context, const copal_occurrence *occurrence);
  char *file;
} reader;

static char *copy(string_ref text) {
  char *made = calloc(text.length + 1, 1);
  if (made && text.length) memcpy(made, text.data, text.length);
  return made;
}

static bool read_occurrence(void *context, void *occurrence) {
  reader *self = context;
  uint64_t roles = functions.occurrence_get_roles(occurrence);
  bool declares = roles & 2, uses = roles & 4;
  if (!declares && !uses) return true;
  void *symbol = functions.occurrence_get_symbol(occurrence);
  char *usr = copy(functions.symbol_get_usr(symbol)), *name = copy(functions.symbol_get_name(symbol));
  self->body(self->context, &(copal_occurrence){self->file, usr, name, declares});
  free(usr);
  free(name);
  return true;
}

static bool read_record(void *context, void *dependency) {
  reader *self = context;
  // A record has the names of a file.
  if (functions.unit_dependency_get_kind(dependency) != 2) return true;
  char *name = copy(functions.unit_dependency_get_name(dependency));
  void *error = NULL, *record = functions.record_reader_create(self->store, name, &error);
  free(name);
  if (!record) return true;
  functions.record_reader_occurrences_apply_f(record, self, read_occurrence);
  functions.record_reader_dispose(record);
  return true;
}

static bool read_unit(void *context, string_ref name) {
  reader *self = context;
  char *copied = copy(name);
  void *error = NULL, *unit = functions.unit_reader_create(self->store, copied, &error);
  free(copied);
  if (!unit) return true;
  self->file = copy(functions.unit_reader_get_main_file(unit));
  functions.unit_reader_dependencies_apply_f(unit, self, read_record);
  free(self->file);
  functions.unit_reader_dispose(unit);
  return true;
}

const char *copal_read_index(
  const char *library, const char *store, void *context,
  void (*body)(void *context, const copal_occurrence *occurrence)) {
  void *handle = dlopen(library, RTLD_NOW);
  if (!handle) return "the library cannot be opened";
#define LOOK_UP(name) \
  if (!(*(void **)&functions.name = dlsym(handle, "indexstore_" #name))) return "no " #name;
  LOOK_UP(store_create)
  LOOK_UP(store_units_apply_f)
  LOOK_UP(unit_reader_create)
  LOOK_UP(unit_reader_get_main_file)
  LOOK_UP(unit_reader_dependencies_apply_f)
  LOOK_UP(unit_reader_dispose)
  LOOK_UP(unit_dependency_get_kind)
  LOOK_UP(unit_dependency_get_name)
  LOOK_UP(record_reader_create)
  LOOK_UP(record_reader_occurrences_apply_f)
  LOOK_UP(record_reader_dispose)
  LOOK_UP(occurrence_get_symbol)
  LOOK_UP(occurrence_get_roles)
  LOOK_UP(symbol_get_usr)
  LOOK_UP(symbol_get_name)
#undef LOOK_UP
  void *error = NULL, *opened = functions.store_create(store, &error);
  if (!opened) return "there is no index";
  reader self = {opened, context, body, NULL};
  functions.store_units_apply_f(opened, 0, &self, read_unit);
  return NULL;
}
