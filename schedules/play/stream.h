/* stream.h -- a list of moves played as it is read, on a game of the caller's.  Private to the room. */
#ifndef REDBLUE_SCHEDULES_STREAM_H
#define REDBLUE_SCHEDULES_STREAM_H

#include "schedules/schedule.h"

/* counting: the game takes every move for legal, and is not asked about the end.  v is made. */
status schedule_stream(schedule_reader *r, const cdag *g, const schedule_play_options *o, pebble_game *game,
                       bool counting, schedule_verdict *v, diag *d);

/* Its moves, in order, with their lines, legal or not; visit returns false to stop (the rest is only read).  BAD_INPUT
   "value" where an expression has none. */
typedef bool (*schedule_visit_move)(void *context, const pebble_move *move, int line);
status schedule_tell_list(schedule_reader *r, const cdag *g, uint64_t m, schedule_visit_move visit, void *context,
                          diag *d);

#endif
