/* time.h -- a model of time (docs/time-model.md): operations and words of a schedule, over the rates of a machine.  It
   is a model, not a simulation: it says what a machine that keeps its units and its memory busy would take, at four
   levels of overlap. */
#ifndef REDBLUE_REPORT_TIME_H
#define REDBLUE_REPORT_TIME_H

#include "base/json.h"
#include "report/machine.h"
#include "schedules/schedule.h"

/* Which words may move while something is computed; each level has those of the levels before it too. */
typedef enum {
  REPORT_OVERLAP_NONE,
  REPORT_OVERLAP_INSIDE, /* arrays loaded after a computation of the same iteration of a loop */
  REPORT_OVERLAP_TURNS,  /* the others of inner loops: the next iteration's loads under this iteration's computation */
  REPORT_OVERLAP_ALL,    /* every word: those of outer loops too */
  REPORT_OVERLAPS,
  REPORT_OVERLAP_QUEUES = REPORT_OVERLAPS /* not summed but turn by turn, in the room that is left: queues */
} report_overlap;

typedef struct {
  num_count multiply_adds, special, recomputed; /* the first two with what is computed again */
  bool exact; /* false: what is computed again is charged as multiply-adds, and the array's shape is left out */
  num_count words[REPORT_OVERLAPS]; /* words that may move under a computation from this level on; [NONE]: 0 */
  num_count io;
  uint64_t peak;
  bool fits;
  double array_filled; /* share of the array's units that work when it does; 1 without an array or when not exact */
  double seconds[REPORT_OVERLAPS + 1], computing, moving;
  double multiplying;          /* of the computing, that of multiply-adds */
  /* Parts of the fast memory: the machine's buffers, and last what they leave: words that the schedule has there at a
     time, and words it leaves free. */
  int parts;
  uint64_t held[REPORT_BUFFERS + 1], room[REPORT_BUFFERS + 1];
} report_time;

/* s can be played and counted; GAVE_UP when it cannot be counted, BAD_USAGE for a graph, whose vertices do not say what
   they are, and for a machine without rates. */
status report_time_of(const schedule *s, const pebble_rules *rules, const report_machine *m, report_time *t, diag *d);
/* none, inside, next, everything, queues: in one word. */
const char *report_overlap_word(report_overlap o);
void report_time_print(const report_time *t, const report_machine *m, text *out);
/* Its fields, into an object the caller has opened. */
void report_time_json(const report_time *t, const report_machine *m, json *j);

/* Do its vertices read one of their own array? */
bool report_time_is_chain(const cdag *g, int array);
/* A chain of products: its vertices read the one before and at least two operands. */
bool report_time_on_array(const cdag *g, int array);
/* The length of a move's box along index r, as far as the array goes. */
double report_time_extent(const cdag_array *a, const pebble_move *move, int r);
/* Cycles of an array of units for one compute move of such a chain. */
double report_time_cycles(const cdag *g, const pebble_move *move, double rows, double columns);
/* Seconds turn by turn (report/time_queues.c), with t->room for words out of their turn; of a schedule whose iterations
   can be summed.  False when it cannot be run. */
bool report_time_queues(const schedule *s, const report_machine *m, const report_time *t, double *seconds);
/* Fills parts, held and room (report/time_parts.c).  held is counted after each move, by the referee; without buffers
   it is the peak.  fits: as told, and every part is large enough. */
status report_time_parts(const schedule *s, const pebble_rules *rules, const report_machine *m, report_time *t,
                         diag *d);
/* What the schedule computes: vertices of each array (g->arrays entries, zeroed), and how many cycles an array of rows
   x columns units needs for those of chains of products, one compute move after the other.  False when iterations of a
   loop differ so much that they were not summed: then the total is not `computes`. */
bool report_time_operations(const schedule *s, num_count computes, double rows, double columns, num_count *vertices,
                            double *cycles);

#endif
