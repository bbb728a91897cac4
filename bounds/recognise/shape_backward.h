/* bounds/recognise/shape_backward.h -- the backward pass of attention among interaction programs (docs/theory-lp.md,
 * section 5). */
#ifndef REDBLUE_BOUNDS_SHAPE_BACKWARD_H
#define REDBLUE_BOUNDS_SHAPE_BACKWARD_H

#include "bounds/program/backward.h"
#include "bounds/recognise/shape_covering.h"

typedef struct {
  backward_case of;          /* m is left 0 */
  cover_shape shape;
  int dv, dq, dk;            /* kinds: two chains on one side ("columns"), dv reads the value that needs fewer words */
  int q, g, k, v;            /* word arrays: Q and dO of a row, K and V of a column */
} backward_shape;
/* Every hypothesis of sections 4 and 5: three kinds of one width, their operands and trees, ends of chains that are
 * outputs. */
bool bound_backward_find(const cdag *g, const bound_live *known, backward_shape *b);

#endif
