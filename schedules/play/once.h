/* once.h -- how often every legal play computes.  Private to the room. */
#ifndef REDBLUE_SCHEDULES_ONCE_H
#define REDBLUE_SCHEDULES_ONCE_H

#include "base/num.h"
#include "cdag/cdag.h"

/* The vertices that are known to be computed in every legal play: computed ones that lead to an output.  Less than
   there are where that is not seen; 0 for an explicit graph. */
num_count schedule_least_computes(const cdag *g);

#endif
