/* optimal.h -- the least I/O of any pebbling of a small graph, with a pebbling that attains it.

   A shortest path over positions of the game, in the normal forms proved in docs/optimal.md.  Nothing here is trusted:
   the pebbling found is played by pebble_judge before the function returns, and `upper` is what the judge counted. */
#ifndef REDBLUE_OPTIMAL_H
#define REDBLUE_OPTIMAL_H

#include "pebble/game.h"

typedef struct {
  double seconds;               /* stop after this long; 0: never */
  uint64_t bytes;               /* of stored positions; 0: PEBBLE_OPTIMAL_BYTES */
  const pebble_trace *start;    /* a pebbling to begin from, judged before use; may be NULL */
  /* Called about once a second with what is proved so far; may be NULL. */
  void (*progress)(void *context, uint64_t lower, uint64_t upper, uint64_t states);
  void *context;
} pebble_optimal_limits;

#define PEBBLE_OPTIMAL_BYTES ((uint64_t)2 << 30)

typedef struct {
  bool possible;                /* false: no pebbling exists with so few red pebbles; needed says how many it takes */
  uint64_t needed;
  bool proved;                  /* lower == upper */
  uint64_t lower, upper;        /* lower <= optimum <= upper, whenever the search stopped */
  uint64_t states;              /* positions stored */
  pebble_trace trace;           /* a legal pebbling that costs upper */
  uint32_t parts, *part;        /* what hangs together, with the part of each vertex; one that needs no move: parts */
  uint64_t *part_lower;         /* of each part; their sum is lower */
} pebble_optimum;

/* OK: solved, or shown impossible.  GAVE_UP: a limit was reached; the interval and its pebbling are filled in.
   limits may be NULL.  Time and memory grow exponentially with the graph. */
status pebble_optimal(const cdag_graph *g, const pebble_rules *rules, const pebble_optimal_limits *limits,
                      pebble_optimum *out, diag *d);
void pebble_optimum_clear(pebble_optimum *o);

/* The least M with any pebbling at all under these rules. */
uint64_t pebble_least_memory(const cdag_graph *g, const pebble_rules *rules);

#endif
