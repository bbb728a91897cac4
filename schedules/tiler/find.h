/* find.h -- a good schedule, with its tile sizes, for any computation given by rules (docs/tiling.md).

   The library's texts whose computation has the same shape come first, then the search over nests of tiled loops, then
   the plain schedule, which every computation with an affine order has.  What is returned was parsed, counted and
   played like any other text; where time is over before any end was seen, it says so (played). */
#ifndef REDBLUE_SCHEDULES_TILER_FIND_H
#define REDBLUE_SCHEDULES_TILER_FIND_H

#include "schedules/schedule.h"

#define SCHEDULE_FIND_SECONDS 30 /* for programs that were not told how long */

typedef struct {
  double seconds;              /* of the processor; 0: until everything was looked at */
  double longest;              /* so many, if more, until something was played to its end */
  bool no_library;
  num_count known;             /* not 0: the I/O of the library's best, which the caller has; only less is of use */
} schedule_find_options;

typedef enum { FOUND_NOTHING, FOUND_LIBRARY, FOUND_TILED, FOUND_PLAIN } schedule_origin;
typedef struct {
  schedule_origin origin;
  char name[CDAG_NAME];        /* of the library's text */
  text source;                 /* the schedule: every parameter has a default */
  num_count loads, stores;
  uint64_t peak;
  uint64_t searched;           /* orders of loops and places that were looked at */
  bool played;                 /* to its end; else it was counted, and is legal as far as it was played */
  text record;                 /* what was searched, and what was left out */
  text refused;                /* the last text that the referee did not take, after its reason; for tests */
} schedule_found;

/* GAVE_UP when nothing legal was found, or no less than what is known. */
status schedule_find(const cdag *g, const pebble_rules *rules, const schedule_find_options *o, schedule_found *out,
                     diag *d);
/* schedule_open, to which the name "found" (with :a=3,... after it) is the schedule that is found. */
status schedule_open_or_find(schedule **s, const cdag *g, const pebble_rules *rules, const char *spec, diag *d);
bool schedule_is_found(const cdag *g, const char *spec); /* is that the name? */
void schedule_found_clear(schedule_found *f);

#endif
