/* bound_memory.h -- the inverse question: how much fast memory does a given traffic need? */
#ifndef REDBLUE_CLI_BOUND_MEMORY_H
#define REDBLUE_CLI_BOUND_MEMORY_H

#include "bounds/memory.h"
#include "pebble/game.h"

typedef struct {
  bound_memory needed;
  uint64_t enough;             /* a play of the library, or found, is known with so many; 0: none */
  text play;                   /* which, and its traffic */
} cli_least_memory;

/* `enough` is looked for upwards from what is needed, to within 2 %. */
status cli_least_memory_find(const cdag *g, const pebble_rules *rules, const char *traffic, cli_least_memory *out,
                             diag *d);
void cli_least_memory_clear(cli_least_memory *x);

#endif
