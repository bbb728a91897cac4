/* import.h -- a loop nest in C as a computation: value-based dataflow, exactly (docs/import.md). */
#ifndef REDBLUE_CDAG_IMPORT_H
#define REDBLUE_CDAG_IMPORT_H

#include "base/diag.h"
#include "base/text.h"

/* The .cdag text of the nest in `source`, for all parameters of at least 1.  BAD_INPUT (kind "import") with the place
   of what it cannot read. */
status cdag_import_c(const char *file, const char *source, text *out, diag *d);

#endif
