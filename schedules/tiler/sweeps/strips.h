/* strips.h -- programmes over intervals, and whatever else reads whole rows and whole columns of what it computes.

   A *cell* is all elements that two axes, u and v, put in one place; an axis gives each array a form in its indices
   such that no read goes forward in it.  What is read of other cells is of the same row (u), of the same column (v), or
   one word a constant way off.  A strip of rows stays on chip while its columns come by, each once: no sum is divided,
   so the sums of a cell may begin where those of its neighbours end. */
#ifndef REDBLUE_SCHEDULES_TILER_SWEEPS_STRIPS_H
#define REDBLUE_SCHEDULES_TILER_SWEEPS_STRIPS_H

#include "schedules/tiler/shape/shape.h"

/* A text that is expected to fit m words; false when the computation is not of this shape, nothing fits, or it is
   expected to move twice what is known, or more.  loops: the words of a column are no boxes. */
bool tiler_strips(const tiler_shape *s, double m, bool loops, double known, text *out);

#endif
