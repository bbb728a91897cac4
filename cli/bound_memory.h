/* bound_memory.h -- the inverse question: how much fast memory does a given traffic need? */
#ifndef REDBLUE_CLI_BOUND_MEMORY_H
#define REDBLUE_CLI_BOUND_MEMORY_H

#include "bounds/bound.h"
#include "pebble/game.h"

typedef struct {
  uint64_t needed;             /* every play of at most so much traffic needs so many red pebbles; 0: there is none */
  char theorem[64];            /* that says so, or "" when nothing forbids one pebble */
  uint64_t enough;             /* a play of the library, or found, is known with so many; 0: none */
  text play;                   /* which, and its traffic */
} cli_least_memory;

/* Bounds fall when M grows, so the largest M whose best bound is above `traffic` is looked for by halving; where the
   printed bounds do not fall, the answer is still true, and may be weaker.  `enough` is looked for
   upwards from `needed`, to within 2 %. */
status cli_least_memory_find(const cdag *g, const pebble_rules *rules, const char *traffic, cli_least_memory *out,
                             diag *d);
void cli_least_memory_clear(cli_least_memory *x);

#endif
