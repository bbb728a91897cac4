/* grid.h -- arrays whose points read their neighbours along two indices (docs/theory.md, sections 11 and 12). */
#ifndef REDBLUE_BOUNDS_GRID_H
#define REDBLUE_BOUNDS_GRID_H

#include "base/json.h"
#include "cdag/cdag.h"

typedef struct {
  int array, along[2];         /* a point reads its neighbours along two of the indices */
  int64_t width[2], slices;    /* points along each; settings of the other indices */
} bound_grid;

/* Is the array such a box?  The first two indices along which it is are taken. */
bool bound_grid_find(const cdag *g, int array, bound_grid *grid);
/* "r c ": how many points there are along each index. */
void bound_grid_extents(const cdag *g, const bound_grid *grid, text *out);
/* "statement", "along" and "across", as the checker reads them (bounds/check/reading/grid.h). */
void bound_grid_put(const cdag *g, const bound_grid *grid, json *j);

#endif
