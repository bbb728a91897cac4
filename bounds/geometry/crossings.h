/* crossings.h -- the pyramid: vertices are crossings of two lines, of which a load serves so many as there are other
 * words (docs/theory.md, section 12). */
#ifndef REDBLUE_BOUNDS_CROSSINGS_H
#define REDBLUE_BOUNDS_CROSSINGS_H

#include "cdag/graph/graph.h"

/* Is it the pyramid: h + 1 inputs, then row by row up to one output, vertex j of a row reading j and j + 1 of the row
 * below?  1 <= h. */
bool bound_is_pyramid(const cdag_graph *g, int64_t *h);
/* The fewest loads with which h (h + 1) / 2 vertices can be crossings, if the k-th load serves at most min(k - 1,
 * width).  1 <= width, h < 2^17. */
int64_t bound_crossings_loads(int64_t h, int64_t width);
/* At least so many vertices that are neither inputs nor the output are loaded: pyramids of a certain base, in all
   places, each want base - width. 0 if none is that large. */
int64_t bound_crossings_stores(int64_t h, int64_t width, int64_t *base);

#endif
