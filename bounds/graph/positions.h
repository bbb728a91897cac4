/* positions.h -- the optimum of a small graph as a bound, with the list of positions that its checker looks up
   (docs/optimal.md, 14). */
#ifndef REDBLUE_BOUNDS_POSITIONS_H
#define REDBLUE_BOUNDS_POSITIONS_H

#include "bounds/bound.h"
#include "pebble/optimal.h"

/* o: what pebble_optimal found in the graph of q->g under the rules of q, with its lists.  b: to be cleared. */
void bound_positions(const bound_question *q, const pebble_optimum *o, bound *b);

#endif
