/* pyramids.h -- grids: disjoint pyramids, each of which needs as many pebbles as its base has vertices (docs/theory.md,
 * section 11). */
#ifndef REDBLUE_BOUNDS_PYRAMIDS_H
#define REDBLUE_BOUNDS_PYRAMIDS_H

#include <stdint.h>

/* A pyramid of base b = 2 half stands with its corner at (a half, d half), 0 <= a, d, and a - d = first (mod 3): how
   many are there in a grid of width[0] x width[1]?  0 <= first <= 2. */
uint64_t bound_pyramids_in(int64_t half, const int64_t width[2], int first);

#endif
