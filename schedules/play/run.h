/* run.h -- running a schedule's program: loops and conditions unfold into box moves, in order.

   Private to the room: schedule_each_move is the public face.  The player and fast-forward need more: which loops are
   running, and a say before each iteration. */
#ifndef REDBLUE_SCHEDULES_RUN_H
#define REDBLUE_SCHEDULES_RUN_H

#include "schedules/schedule.h"

enum { SCHEDULE_DEPTH = 100 };   /* deepest nesting of blocks the parser reads: bounds every recursion over a tree */

/* ENDLESS: so many iterations are left, and none of them was left out for so long, that the end will not be seen; or
   the schedule's time is over. */
typedef enum { SCHEDULE_ON, SCHEDULE_STOPPED, SCHEDULE_BAD, SCHEDULE_ENDLESS } schedule_flow;

struct schedule_code;

typedef struct schedule_run {
  const schedule *s;
  int64_t *slot;               /* s->slots values */
  uint64_t *entered;           /* by loop: how often it was entered so far (snake) */
  const schedule_node *open[SCHEDULE_DEPTH]; /* FOR nodes now running, outermost first */
  uint64_t iteration[SCHEDULE_DEPTH], iterations[SCHEDULE_DEPTH]; /* of those */
  uint64_t first[SCHEDULE_DEPTH]; /* of those, the iteration before which rows were played at once */
  int depth;                   /* how many */
  uint64_t ran, ask;           /* iterations run so far, of all loops; when to ask whether there is an end */
  uint64_t asked;              /* how often it was asked whether time is over */
  uint64_t since[SCHEDULE_DEPTH]; /* ran, when that open loop began or iterations of it were left out last */
  bool *skipped;               /* by loop: iterations of it were left out */
  schedule_visit visit;
  void *context;
  /* Asked before every iteration of every loop, with the iteration's slots set (iteration[depth-1] of
     iterations[depth-1]): how many iterations, counted from this one, the hook has dealt with itself; 0: run this one.
     NULL: run all. */
  uint64_t (*skip)(void *context, struct schedule_run *run);
  void (*progress)(void *context, double share); /* after each iteration of the two outermost loops, or NULL */
  void *progress_context;
  double share_from, share_size;                 /* of the statement now running */
  struct schedule_code *code;  /* boxes, compiled: by number */
  /* Many single moves on an explicit graph at once; how many were played (n: all).  NULL: all moves are visited.  See
   * schedule_run_by_rows. */
  size_t (*steps)(void *context, const pebble_step *step, size_t n);
  struct schedule_rows *rows;
  /* Rows that lean, of a loop over this move: as pebble_play_rows.  NULL: they are run one by one.  See
   * schedule_run_tilted. */
  uint64_t (*play_rows)(void *context, const pebble_move *move, const pebble_rows *rows, const schedule_node *of);
  struct schedule_tilted **tilted; /* by loop */
  const schedule_node *at;     /* SCHEDULE_STOPPED by steps: the move that was not played, and its box */
  int box;
  /* SCHEDULE_BAD, SCHEDULE_ENDLESS: where and why */
  int line, column;
  char why[256];
} schedule_run;

/* Ready to run s, whose parameters all have values; borrows s. */
void schedule_run_init(schedule_run *r, const schedule *s, schedule_visit visit, void *context);
void schedule_run_clear(schedule_run *r);
/* From now on innermost loops over single vertices go to `steps`; the rest is visited as before. */
void schedule_run_by_rows(schedule_run *r, size_t (*steps)(void *context, const pebble_step *step, size_t n));
/* From now on loops over single values with one move, whose boxes lean, go to `play_rows` first. */
typedef uint64_t (*schedule_play_rows)(void *context, const pebble_move *move, const pebble_rows *rows,
                                       const schedule_node *of);
void schedule_run_tilted(schedule_run *r, schedule_play_rows play_rows);
/* Run one node of the tree; the whole program is s->body. */
schedule_flow schedule_run_node(schedule_run *r, const schedule_node *n);
/* GAVE_UP with the sentence when the flow is ENDLESS, else OK. */
status schedule_run_ends(const schedule_run *r, schedule_flow flow, diag *d);
/* The loops now running and where they stand: "I=0..4, j=7". */
void schedule_run_loops(const schedule_run *r, text *out);

#endif
