/* cut.h -- nests of a computation whose arrays are cut in two (cdag/cut.h), at the place that is best.

   Where a row is read by two passes and is longer than the memory, part of it may stay from one to the next: the parts
   are statements of their own, each with its own plan, and the place is a length like those of blocks. */
#ifndef REDBLUE_SCHEDULES_TILER_CUT_H
#define REDBLUE_SCHEDULES_TILER_CUT_H

#include "cdag/cut.h"
#include "schedules/tiler/nests/search.h"

typedef struct {
  cdag_cut cut;
  tiler_shape shape;
  tiler_search x;              /* division[0] is what was found */
} tiler_cut;

enum { TILER_AXES = 3 };
/* Axes along which a cut may save part of `io` words, those that may save most first. */
int tiler_cut_axes(const tiler_shape *s, double io, cdag_axis axis[TILER_AXES]);
/* NULL: nothing fits.  x: m, one_shot, late and context are set. */
tiler_cut *tiler_cut_best(const cdag *g, const cdag_axis *axis, const tiler_search *x);
void tiler_cut_free(tiler_cut *c); /* NULL is fine */

#endif
