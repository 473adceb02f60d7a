#include "CErrorPage.h"

// In C, because neither way of SwiftPM is good for this: its `.embedInCode` writes an array of
// numbers that takes the Swift compiler 43 s, and a build-tool plugin of one target, with its tool,
// is compiled by every program that depends on this package, also if it does not use the target.

// `#embed` is of C23. Clang has it as an extension in the other standards, since version 19.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char page[] = {
#embed "../../Docs/Errors.md"
};

const char *copal_error_page(void) { return page; }

size_t copal_error_page_count(void) { return sizeof page; }
