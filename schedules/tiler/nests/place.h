/* place.h -- loads, stores and drops of a tree: each operand before the first statement below its place that reads it,
   dropped after the last; results where they are made, dropped by their last reader where that can be. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_PLACE_H
#define REDBLUE_SCHEDULES_TILER_NESTS_PLACE_H

#include "schedules/tiler/nests/tree.h"

/* Is index q of that access everything there is, in the loops around that node? */
bool tiler_index_whole(const tiler_nest *n, const tiler_group *g, int q, const tiler_node *at);

#endif
