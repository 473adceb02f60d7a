#include <stdbool.h>

/// What a compiler has noted of one name in one file.
typedef struct {
  /// The path of the file.
  const char *file;
  /// What the name stands for: the same in all files.
  const char *symbol;
  /// The name.
  const char *name;
  /// Whether the file declares it; otherwise it uses it.
  bool isDeclaration;
} copal_occurrence;

/// Reads the index that the compiler writes beside the modules in a debug build, with the library
/// of the toolchain that has it. Its functions:
/// https://github.com/swiftlang/llvm-project/blob/next/clang/include/indexstore/indexstore.h
///
/// Returns NULL, or why the index cannot be read.
const char *copal_read_index(
  const char *library, const char *store, void *context,
  void (*body)(void *context, const copal_occurrence *occurrence));
