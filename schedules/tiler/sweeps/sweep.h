/* sweep.h -- sweeps in time: arrays of one shape that read one another at constant distances, forwards in time.

   Blocks T of time levels; in each, strips of all axes but the first; in each strip the first axis is walked once, and
   at step x level t of an array stands at row x - slope (t - lo(T)) - lag.  Slopes and lags are the least such that
   every read is of a row that is there already.  An array's last rows stay on chip until their last reader has passed.
   What crosses the end of a block of levels or of a strip is stored and comes again: nothing is computed twice. */
#ifndef REDBLUE_SCHEDULES_TILER_SWEEPS_SWEEP_H
#define REDBLUE_SCHEDULES_TILER_SWEEPS_SWEEP_H

#include "schedules/tiler/shape/shape.h"

/* All of a level stays on chip until the next one takes its place; strips that lean along two axes and time; blocks of
   lengths with which the text is judged in about a second; or those that move least; such strips whose text is judged
   in some ten seconds. */
typedef enum { SWEEP_RESIDENT, SWEEP_TILTED, SWEEP_HURRIED, SWEEP_BEST, SWEEP_LENGTHY, SWEEP_WAYS } sweep_way;
/* A text that is expected to fit m words; false when the computation is no such sweep, or nothing fits. */
bool tiler_sweep(const tiler_shape *s, double m, sweep_way way, text *out);
/* All outputs of an array are in its last so many levels, those below `past`: values of that index. */
int64_t tiler_output_levels(const cdag *g, int array, int level, int64_t past);
/* The same for arrays without levels, each made of windows of those before: a picture that is filtered several times, a
   table whose entries read their neighbours.  Strips are walked once, array behind array. */
bool tiler_pipeline(const tiler_shape *s, double m, text *out);

#endif
