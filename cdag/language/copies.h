/* copies.h -- the words `x8 x4/K,V` behind a SPEC, and the collection they name.  Private to the room. */
#ifndef REDBLUE_CDAG_COPIES_H
#define REDBLUE_CDAG_COPIES_H

#include "cdag/cdag.h"

typedef struct {
  int64_t count;
  const char *shared;          /* "K,V", or "" */
} copies_level;
typedef struct {
  int n;                       /* outermost first */
  copies_level level[CDAG_COPIES];
} copies;

/* Cut such words off the end of s, and add them to c, whose texts are then parts of s. */
status copies_cut(copies *c, char *s, diag *d);
/* *g becomes so many copies of it; NULL on failure, or what it was. */
status copies_make(cdag **g, const copies *c, diag *d);

#endif
