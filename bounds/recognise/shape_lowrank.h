/* bounds/recognise/shape_lowrank.h -- attention by dense features among the statements of a CDAG (docs/theory-lp.md,
 * section 6). */
#ifndef REDBLUE_BOUNDS_SHAPE_LOWRANK_H
#define REDBLUE_BOUNDS_SHAPE_LOWRANK_H

#include "bounds/check/reading/features.h"
#include "bounds/program/lowrank.h"
#include "bounds/recognise/shape.h"

typedef struct {
  lowrank_case of; /* m is left 0 */
  int w, n, u, s;  /* arrays: W, N, and with a normaliser U (its W) and S (its N); else -1 */
  checker_features read;
} lowrank_shape;
bool bound_lowrank_find(const cdag *g, const bound_live *known, lowrank_shape *l);

#endif
