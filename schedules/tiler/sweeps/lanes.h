/* lanes.h -- levels of lanes that read the level before through any index (butterflies of a Fourier transform), by
   blocks of lanes that are closed over several levels.

   An element X[s,i] may read X[s-1,j] at any lanes j, as a table says.  Over levels s0..s1 lanes fall into closed
   blocks, which union and find tells, lane by lane.  Where all blocks have so many lanes at one distance, each is
   loaded at level s0-1, goes through the levels on chip, and is stored at s1: one pass.  A pass takes as many levels
   as fit. */
#ifndef REDBLUE_SCHEDULES_TILER_SWEEPS_LANES_H
#define REDBLUE_SCHEDULES_TILER_SWEEPS_LANES_H

#include "base/text.h"
#include "schedules/tiler/shape/shape.h"

typedef struct {
  char block[CDAG_NAME], high[CDAG_NAME], low[CDAG_NAME], lane[CDAG_NAME], level[CDAG_NAME];
} lanes_names;
/* The passes of that array over dimension `level`; false where there are none, and nothing was written. */
bool tiler_lanes(const tiler_shape *s, int array, int level, double m, const lanes_names *names, text *out);

#endif
