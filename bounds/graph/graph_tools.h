/* bounds/graph/graph_tools.h -- what the bounds take from igraph and SuiteSparse, behind plain arrays: no header of
   theirs leaks.

   Eigenvalues come back as estimates: a bound that uses them counts eigenvalues itself (bounds/graph/inertia.h).
   igraph's error handler is replaced on entry and restored on return, so its errors are statuses here and never end the
   program. */
#ifndef REDBLUE_BOUNDS_GRAPH_TOOLS_H
#define REDBLUE_BOUNDS_GRAPH_TOOLS_H

#include "base/diag.h"
#include <stdbool.h>
#include <stdint.h>

/* An elimination order with little fill (approximate minimum degree, Amestoy, Davis and Duff 1996; SuiteSparse) of a
   symmetric pattern without diagonal: order[i] is the vertex eliminated i-th.  The identity when AMD declines. */
void bound_tools_order(uint32_t n, const uint64_t *at, const uint32_t *column, uint32_t *order);

/* All eigenvalues of the symmetric n x n matrix a (row by row), ascending, by LAPACK. */
status bound_tools_eigenvalues_estimate(uint32_t n, const double *a, double *values, diag *d);

/* Some of the largest eigenvalues of the operator apply (y <- B x on vectors of length n), descending, by ARPACK from a
 *fixed start: found <= wanted of them; repeated eigenvalues may come only once. */
typedef void (*bound_operator)(void *context, uint32_t n, const double *x, double *y);
status bound_tools_largest_estimate(uint32_t n, bound_operator apply, void *context, uint32_t wanted, double *values,
                                    uint32_t *found, diag *d);

#endif
