/* any.h -- a good schedule for any explicit graph, by heuristics (docs/any-graph.md).

   An order of computation, chosen by local search from depth-first, greedy and natural orders, and for each order the
   choice of what leaves fast memory: the farthest next use, weighted by whether leaving costs a store as well.  Nothing
   here is trusted: pebble_judge plays the moves before they are returned, and the numbers are the judge's. */
#ifndef REDBLUE_SCHEDULES_ANY_H
#define REDBLUE_SCHEDULES_ANY_H

#include "pebble/game.h"

typedef struct {
  bool legal;            /* false: no play exists with so few red pebbles; then `needed` says how many it takes */
  uint64_t needed;
  uint64_t io, loads, stores, peak, computes, moves;
  uint64_t compulsory;   /* no play costs less */
  const char *order;     /* static: how the order was found */
  const char *eviction;  /* static: how what leaves was chosen */
  uint64_t evaluations;  /* orders tried */
  bool stopped;          /* by the clock: another run may find something else */
} schedule_any_info;

/* Find moves for g under the rules; out must be empty and then owns them.  How much is searched is counted in work: the
   same seed gives the same moves, unless `seconds` (0: no limit) ran out; more than 8 seconds buy that much more.
   Where vertices may be computed again the answer without a limit is no worse than with rules->one_shot: the search
   without is the same.  Under a limit it ends at seven eighths in every game, and two runs may differ.  OK also
   when no play exists: that is info->legal. */
status schedule_any(const cdag_graph *g, const pebble_rules *rules, uint64_t seed, double seconds, pebble_trace *out,
                    schedule_any_info *info, diag *d);

/* The same with a sixteenth of the search, for a first idea: below a second for some thousands of vertices, and no
 * clock. */
status schedule_any_quick(const cdag_graph *g, const pebble_rules *rules, pebble_trace *out, schedule_any_info *info,
                          diag *d);

#endif
