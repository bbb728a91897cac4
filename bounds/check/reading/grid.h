/* bounds/check/reading/grid.h -- grids, as the checker reads them: what the checkers of such bounds share. */
#ifndef REDBLUE_BOUNDS_CHECKER_GRID_H
#define REDBLUE_BOUNDS_CHECKER_GRID_H

#include "bounds/checker.h"

typedef struct { int array, along[2]; } checker_grid;

/* Does a point read its neighbour along this index? */
bool checker_grid_reads_along(const cdag *g, int array, int along);
/* {"statement", "along", "across"}: the array is a whole box, its points read their neighbours along these two indices,
 * and every point matters. */
bool checker_grid_read(const bound_claim *c, checker_grid *grid, text *reason);
/* How many points there are along the first of the two, or the second. */
int64_t checker_grid_width(const cdag *g, const checker_grid *grid, int which);
/* value times the number of settings of the other indices. */
void checker_grid_times_slices(const cdag *g, const checker_grid *grid, mpz_t value);

#endif
