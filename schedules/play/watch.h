/* watch.h -- a schedule watched: played by tiles to its end, and shown in the iterations one cares to see.

   Of every loop whose enclosing iterations are all seen, the first and the last iterations are seen, statement by
   statement; the iterations between are played (or follow by fast-forward) unseen, and appear as one leap.  Counts and
   position are the engine's at every sight. */
#ifndef REDBLUE_SCHEDULES_WATCH_H
#define REDBLUE_SCHEDULES_WATCH_H

#include "schedules/schedule.h"

typedef struct {
  const pebble_game *game;     /* after it: by tiles (pebble/tile/look.h) */
  uint64_t peak;               /* so far */
  const schedule_node *at;     /* the move; of a leap: the loop; NULL: the beginning, before any move */
  const pebble_move *move;     /* NULL: a leap, or the beginning */
  int box;                     /* the move is at->box[box] */
  uint64_t from, to,
      inferred; /* a leap: iterations from..to-1 of that loop, counted from 0, and how many of them were not played */
  const char *loops;           /* the loops running: "I=0..4, j=7"; in a leap: those around it */
} schedule_sight;

/* Returns false to stop. */
typedef bool (*schedule_visit_sight)(void *context, const schedule_sight *sight);

typedef struct {
  pebble_rules rules;
  uint64_t first, last;        /* iterations seen at both ends of a loop; last at least 1 */
  schedule_visit_sight visit;
  void *context;
} schedule_watching;

/* OK also when the play is illegal: v says so, as schedule_play does; then what it breaks on was not seen.  GAVE_UP
   when visit stopped it. */
status schedule_watch(const schedule *s, const schedule_watching *o, schedule_verdict *v, diag *d);
/* The moves that would be seen, without playing, empty boxes included. */
status schedule_watch_moves(const schedule *s, uint64_t first, uint64_t last, schedule_visit visit, void *context,
                            diag *d);

#endif
