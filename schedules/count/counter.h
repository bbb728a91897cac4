/* counter.h -- counting again and again, for the tuner: what one count needs is kept for the next.  Private to the
 * room. */
#ifndef REDBLUE_SCHEDULES_COUNTER_H
#define REDBLUE_SCHEDULES_COUNTER_H

#include "schedules/play/run.h"

typedef struct schedule_counter schedule_counter;

/* NULL with a reason when schedules for this computation and game are not counted; c is borrowed for the reason. */
schedule_counter *schedule_counter_new(const schedule *s, const pebble_rules *rules, schedule_counts *c);
/* Count s as its parameters stand, into c (made by schedule_counts_init).  Stops at the first move that needs more than
   `limit` pebbles or comes to more than most_io loads and stores: c then exceeds one or the other, and the other
   numbers mean nothing. */
void schedule_counter_run(schedule_counter *k, uint64_t limit, num_count most_io, schedule_counts *c);
/* Such a count of moves alone, to the first that needs more than `limit` pebbles: it is at->box[box], and run shows the
   loops as they stand there. False: none does, or the count means nothing, as pebbles were dropped that were never
   placed.  Either way the run is the caller's to clear. */
typedef struct { schedule_run run; const schedule_node *at; int box; } schedule_stop;
bool schedule_counter_stop(schedule_counter *k, uint64_t limit, schedule_stop *stop);
/* No more than the peak of such a count: that of the first and of the last iteration of each outermost loop, as if
   nothing were on the board when it begins.  Stops likewise. */
uint64_t schedule_counter_floor(schedule_counter *k, uint64_t limit);
/* Loads and stores of such a count, computes and drops left out, and loops that hold nothing else: what is moved does
   not depend on them. NUM_TOO_MANY when the program goes bad on the way, or comes to `least` of them. */
num_count schedule_counter_io(schedule_counter *k, num_count least);
void schedule_counter_free(schedule_counter *k);
void schedule_counts_init(schedule_counts *c, const cdag *g);
/* The game that such counts are made with; NULL with a reason in c. */
pebble_game *schedule_counting_game(const cdag *g, const pebble_rules *rules, schedule_counts *c);
/* What it has come to at the end of a program. */
void schedule_counts_take(schedule_counts *c, const pebble_game *game);

#endif
