/* schedules/symbolic/graph.h -- formulas of schedules for explicit graphs.  Private to the room. */
#ifndef REDBLUE_SCHEDULES_FORMULA_GRAPH_H
#define REDBLUE_SCHEDULES_FORMULA_GRAPH_H

#include "schedules/symbolic/walk.h"

/* What the program loads and stores, at the values at hand; false: not found. */
bool formula_graph_io(formula *f, num_count *io);

#endif
