#pragma once

#include <stddef.h>

/// The bytes of Docs/Errors.md, in UTF-8 and without a zero at the end, for `copal check --explain`.
const char *copal_error_page(void);

/// The number of these bytes.
size_t copal_error_page_count(void);
