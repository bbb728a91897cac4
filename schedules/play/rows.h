/* rows.h -- innermost loops over single vertices of an explicit graph, unfolded many iterations at a time.  Private to
 * the room. */
#ifndef REDBLUE_SCHEDULES_ROWS_H
#define REDBLUE_SCHEDULES_ROWS_H

#include "schedules/play/run.h"

enum { SCHEDULE_ROW = 512 };     /* iterations at most */

typedef struct schedule_rows schedule_rows;
schedule_rows *schedule_rows_new(const schedule *s);
void schedule_rows_free(schedule_rows *w);
/* Do all moves in this loop name single vertices, and its variable by its value only? */
bool schedule_rows_can(const schedule_rows *w, const schedule_node *n);

/* Iterations of loop n whose variable takes the values from, from + 1, ..., or backwards from - 1, ...: their moves in
   their order.  False: do them one by one, as some index has no value, or none that is found here. */
bool schedule_rows_unfold(schedule_rows *w, const schedule_node *n, const int64_t *slot, int64_t from, bool backwards,
                          int64_t iterations);
const pebble_step *schedule_rows_steps(const schedule_rows *w, size_t *n);
/* Which iteration and box the k-th of these steps is. */
void schedule_rows_place(const schedule_rows *w, size_t k, int64_t *iteration, const schedule_node **at, int *box);

#endif
