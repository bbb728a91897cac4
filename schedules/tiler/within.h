/* within.h -- what the text of a schedule says of its expressions, whatever the loops are at. */
#ifndef REDBLUE_SCHEDULES_TILER_WITHIN_H
#define REDBLUE_SCHEDULES_TILER_WITHIN_H

#include "schedules/schedule.h"

/* Is a seen to be at most b?  Names are compared as they are written, and those of loops replaced by their ends. */
bool tiler_at_most(const schedule *s, const expr *a, const expr *b);

#endif
