/* diag.h -- a diagnostic: where something is wrong, and a sentence saying what.

   Readers fill one when they return a status other than OK.  A diag needs no
   clearing: its text lives in it. */
#ifndef REDBLUE_DIAG_H
#define REDBLUE_DIAG_H

#include "base/status.h"

typedef struct {
  const char *kind;  /* static: "syntax", "name", "index", "value", "cdag", "parameter",
                        "usage", "file", "format", "limit", "solver", "internal" */
  char file[256];    /* "" when there is none; "stdin" where it was called "-" */
  int line, column;  /* 1-based; 0 when there is none */
  char message[768]; /* a sentence, no newline, no final stop needed */
} diag;

/* Fill d (which may be NULL) and return st, so that a reader can
   `return diag_at(d, BAD_INPUT, "syntax", file, line, col, "expected ...")`. */
status diag_at(diag *d, status st, const char *kind, const char *file, int line, int column,
               const char *format, ...) __attribute__((format(printf, 7, 8)));
/* The same without a place. */
status diag_set(diag *d, status st, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The name among the n in names that is nearest to word (edit distance at most
   a third of its length, at least 2; the same in other capitals first of all), or NULL. */
const char *diag_nearest(const char *word, const char *const *names, int n);

#endif
