/* bound_schedules.h -- the library's schedules for a computation, at their best: what a bound is compared with. */
#ifndef REDBLUE_CLI_BOUND_SCHEDULES_H
#define REDBLUE_CLI_BOUND_SCHEDULES_H

#include "cli/common.h"

typedef struct {
  const char *name;            /* of the library, "found" (as redblue tune does), or "search" */
  bool fits;                   /* within M, and counted in time: then io and parameters are set */
  bool played;                 /* and legal: the referee saw it to its end; else time was over */
  num_count io;                /* until it fits: what it has to stay below, 0: nothing */
  text params;                 /* a JSON object */
  text shown;                  /* "a=12, b=3" */
} cli_upper;

typedef struct {
  cli_upper *item;
  size_t n, room;
  bool stopped;                /* by --limit-time: some are not counted or tuned to the end */
} cli_uppers;

/* Every schedule of the library for this family, at the parameters it sets itself and tuned, each for two seconds of a
   processor, or, under --limit-time, for its share of what is left; those that do not fit, are not legal in this game
   or cannot be counted in that time are kept, not fitting.  What redblue tune finds is added where it is better, after
   at most five seconds.  If none fits and the graph is small, what a short local search finds, under the name
   "search". */
void cli_uppers_find(const cdag *g, const pebble_rules *rules, cli_uppers *u);
void cli_uppers_clear(cli_uppers *u);
const cli_upper *cli_uppers_best(const cli_uppers *u);   /* NULL when none fits */

#endif
