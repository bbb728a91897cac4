/* memory.h -- the inverse question: how many red pebbles does a play of so much traffic need? */
#ifndef REDBLUE_BOUNDS_MEMORY_H
#define REDBLUE_BOUNDS_MEMORY_H

#include "bounds/bound.h"

typedef struct {
  uint64_t words;              /* every play of at most so much traffic needs so many red pebbles; 0: there is none */
  char theorem[64];            /* that says so, or "" when nothing forbids one pebble */
} bound_memory;

/* q as for bound_all, but for its memory.  Bounds fall when M grows, so the largest M whose best bound is above
   `traffic` is looked for by halving; where the printed bounds do not fall, the answer is still true, and may be
   weaker. */
status bound_memory_needed(const bound_question *q, const mpz_t traffic, bound_memory *out, diag *d);

#endif
