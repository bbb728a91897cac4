/* schedules/extrapolate/alike.h -- iterations of an outermost loop that do what the iteration before did, under other
   names (docs/tile-engine.md, "Iterations under other names").  Private to fast-forward.

   Rows of a block mask with as many kept blocks: the same moves, on other rows of the queries and other blocks of keys.
 */
#ifndef REDBLUE_SCHEDULES_FORWARD_ALIKE_H
#define REDBLUE_SCHEDULES_FORWARD_ALIKE_H

#include "schedules/schedule.h"

typedef struct {
  bool able; /* every iteration pebbles elements [value, ...] of arrays with a rule, and inputs; on a board where no
                pebble is red, all inputs are blue and no such element is, an iteration that is `same` is the one before
                under other names */
  int64_t first;               /* value of the first iteration */
  uint64_t iterations;
  bool *same;                  /* by iteration: as the one before.  Not the first */
  bool *copied;                /* by iteration, the caller's */
  bool *slices;                /* by array with a rule that the body names or reads */
} forward_alike;

/* The loop of node n, outermost, from its first value on. */
void schedule_forward_alike(const schedule *s, const schedule_node *n, int64_t first, uint64_t iterations,
                            forward_alike *out);
void schedule_forward_alike_clear(forward_alike *a);

#endif
