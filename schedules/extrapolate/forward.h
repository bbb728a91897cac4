/* forward.h -- fast-forward: which iterations of which loops may be left out of a play by tiles.

   Reads the program for what pebble/extrapolate/forward.h asks its caller to vouch for: that the boxes, ranges and
   conditions of a loop's body are affine functions of the iteration, and that nothing else in the body depends on it.
 */
#ifndef REDBLUE_SCHEDULES_FORWARD_H
#define REDBLUE_SCHEDULES_FORWARD_H

#include "schedules/play/run.h"

typedef struct schedule_forward schedule_forward;
schedule_forward *schedule_forward_new(const schedule *s, pebble_game *by_tile);
/* Loops entered from now on: their first and their last iterations, so many, are not left out.  At first none are kept.
 */
void schedule_forward_keep(schedule_forward *f, uint64_t first, uint64_t last);
/* For schedule_run.skip: the iterations, from this one on, that are done already. */
uint64_t schedule_forward_iteration(schedule_forward *f, const schedule_run *run);
/* After the last move, before the verdict is read.  Gives the number of iterations left out; then the program may be
 * run again. */
num_count schedule_forward_finish(schedule_forward *f);
void schedule_forward_free(schedule_forward *f);

#endif
