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
  bool go_on;                   /* when memory is full: search on in what there is, slower */
  bool list;                    /* keep why nothing costs less: fill in lists */
  /* Called about once a second with what is proved so far; may be NULL. */
  void (*progress)(void *context, uint64_t lower, uint64_t upper, uint64_t states);
  void *context;
} pebble_optimal_limits;

#define PEBBLE_OPTIMAL_BYTES ((uint64_t)2 << 30)

/* Why no play of a part costs less than it does: positions that every play of less would come by, with what they are
   reached for (docs/optimal.md, 14). */
typedef struct {
  uint32_t n, *vertex;          /* its vertices; number i is vertex[i] */
  uint64_t least;               /* what it costs */
  bool complete;                /* false: the positions did not fit */
  int words;                    /* of a set; a position is three of them, as the search keeps them */
  uint64_t *key;
  uint32_t *cost;
  size_t positions;
  uint32_t cores, *core, limit; /* vertices whose list of costs was asked, and the limit of that list; 0: none */
  uint32_t turns;               /* symmetries under which positions were taken for one another, n numbers each */
  uint16_t *turn;
} pebble_optimal_list;

typedef struct {
  bool possible;                /* false: no pebbling exists with so few red pebbles; needed says how many it takes */
  uint64_t needed;
  bool proved;                  /* lower == upper */
  uint64_t lower, upper;        /* lower <= optimum <= upper, whenever the search stopped */
  uint64_t states;              /* positions stored */
  pebble_trace trace;           /* a legal pebbling that costs upper */
  uint32_t parts, *part;        /* what hangs together, with the part of each vertex; one that needs no move: parts */
  uint64_t *part_lower;         /* of each part; their sum is lower */
  pebble_optimal_list *list;    /* of each part, if lists were asked for and all parts are solved; else NULL */
} pebble_optimum;

/* OK: solved, or shown impossible.  GAVE_UP: a limit was reached; the interval and its pebbling are filled in.
   limits may be NULL.  Time and memory grow exponentially with the graph. */
status pebble_optimal(const cdag_graph *g, const pebble_rules *rules, const pebble_optimal_limits *limits,
                      pebble_optimum *out, diag *d);
void pebble_optimum_clear(pebble_optimum *o);

/* The least M with any pebbling at all under these rules. */
uint64_t pebble_least_memory(const cdag_graph *g, const pebble_rules *rules);

#endif
