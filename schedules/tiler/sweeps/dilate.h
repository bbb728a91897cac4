/* dilate.h -- levels that read the level before at distances of their own: prefix sums by doubling, dilated
   convolutions.

   Levels go by blocks.  With g the greatest common divisor of all distances in a block, elements g apart read one
   another and no others: so the classes modulo g are taken c at a time, and in each the steps are walked once, level
   behind level.  Of a level what its readers still want stays; a block moves its first and its last level, no more. */
#ifndef REDBLUE_SCHEDULES_TILER_SWEEPS_DILATE_H
#define REDBLUE_SCHEDULES_TILER_SWEEPS_DILATE_H

#include "schedules/tiler/shape/shape.h"

/* A text that is expected to fit m words; false when the computation is not of this shape, or nothing fits. */
bool tiler_dilate(const tiler_shape *s, double m, text *out);

#endif
