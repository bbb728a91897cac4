/* schedules/tune/prefix.h -- the moves that a program begins with in many settings of a parameter alike.  Private to
 * the tuner. */
#ifndef REDBLUE_SCHEDULES_TUNE_PREFIX_H
#define REDBLUE_SCHEDULES_TUNE_PREFIX_H

#include "schedules/tune/internal.h"

/* Do all settings of the only free parameter from v to its most begin with the same moves, in which M is exceeded? Then
   none of them fits.  False: that is not known. */
bool tune_prefix_bars(tuner *t, int64_t v);

#endif
