/* output.h -- a file that takes its name when it is whole: it is written beside, and renamed.

   What stood under the name stays until then, whatever happens: a full disk, an interrupt, a mistake.  Standard output
   (NULL or "-"), devices and pipes are written directly; so is a file in a folder where nothing can be made.  A link
   keeps pointing where it points; a file keeps its permissions.  Standard output is never closed here: the program
   looks at it when it ends. */
#ifndef REDBLUE_OUTPUT_H
#define REDBLUE_OUTPUT_H

#include "base/diag.h"
#include <stdbool.h>
#include <stdio.h>

typedef struct {
  FILE *to;
  char *path, *beside;     /* beside: NULL when it is written directly, or already has its name */
  const char *shown;       /* for diagnostics; the caller's */
} output;

/* Could it be written?  Leaves nothing behind; IO_ERROR with a sentence if not. */
status output_try(const char *path, diag *d);
status output_open(output *o, const char *path, diag *d);
/* It may have its name now, though more is to come: what comes later is written to the file of that name. */
status output_commit(output *o, diag *d);
/* Whole: it gets its name.  On failure the file that had the name is left, nothing is left beside. */
status output_close(output *o, diag *d);
/* Not to be: nothing is left of it, unless it was committed. */
void output_drop(output *o);

#endif
