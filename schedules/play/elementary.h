/* elementary.h -- a schedule as elementary moves, one vertex each: what `redblue moves` prints and the lesson shows. */
#ifndef REDBLUE_SCHEDULES_ELEMENTARY_H
#define REDBLUE_SCHEDULES_ELEMENTARY_H

#include "base/text.h"
#include "schedules/schedule.h"

/* A compute with several dropped predecessors is the compute, sliding the first, and a drop for each further one. */
typedef struct {
  pebble_kind kind;
  cdag_element element;
  bool slides;                 /* COMPUTE: a predecessor is dropped with it */
  cdag_element slide;          /* the first dropped one, in the order of the rule */
  bool with_compute;           /* DROP: a further one, of the compute before it */
  int line;                    /* of the schedule's text */
} schedule_step;

/* Its line of a list, without the line's end: "compute C[0,1] dropping C[0,0]". */
void schedule_step_text(text *out, const cdag *g, const schedule_step *step);

typedef bool (*schedule_visit_step)(void *context, const schedule_step *step);

/* Every elementary move in order, legal or not.  A predecessor named by `dropping` counts as red, as it is whenever its
   compute is legal; in the partial game, where it need not be, the moves before say whether it is.  Stops when visit
   says false. Status as schedule_each_move, or, partial, what pebble_new says. */
status schedule_each_step(const schedule *s, const pebble_rules *rules, schedule_visit_step visit, void *context,
                          diag *d);

/* The same of a list, told as it is read: nothing of it is held. */
status schedule_each_list_step(schedule_reader *list, const cdag *g, const pebble_rules *rules,
                               schedule_visit_step visit, void *context, diag *d);

#endif
