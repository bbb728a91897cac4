/* alternating.h -- levels made of sweeps along two axes, there and back, each through all of the one before
   (alternating directions).

   A pass walks along one axis, line by line, and makes several arrays one after the other: all those whose values go
   along its lines, or along the walk, and not against it.  It loads the array before the first one and stores the last
   one, no more.  Where lines do not fit they are cut into blocks, which only what goes through all of them one way
   allows.  The longest pass there is comes first, then the longest from what that leaves, and so on; where a pass
   begins as one did before, levels earlier, a loop takes over. */
#ifndef REDBLUE_SCHEDULES_TILER_SWEEPS_ALTERNATING_H
#define REDBLUE_SCHEDULES_TILER_SWEEPS_ALTERNATING_H

#include "schedules/tiler/shape/shape.h"

/* A text that is expected to fit m words; false when the computation is not of this shape, or nothing fits. */
bool tiler_alternating(const tiler_shape *s, double m, text *out);

#endif
