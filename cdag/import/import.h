/* import.h -- a loop nest in C as a computation: value-based dataflow, exactly (docs/import.md). */
#ifndef REDBLUE_CDAG_IMPORT_H
#define REDBLUE_CDAG_IMPORT_H

#include "base/diag.h"
#include "base/text.h"
#include "cdag/cdag.h"

/* The .cdag text of the nest in `source`, for all parameters of at least 1; with `like`, where parameters of these
   names have values, for all that are no less than theirs or than IMPORT_NEAR: conditions such as 3 <= n are not
   asked then.  BAD_INPUT (kind "import") with the place of what it cannot read. */
enum { IMPORT_NEAR = 8 };
status cdag_import_c(const char *file, const char *source, const cdag *like, text *out, diag *d);

#endif
