/* time.h -- a model of time (docs/time-model.md): operations and words of a schedule, over the rates of a machine.  It is a
   model, not a simulation: it says what a machine that keeps its units and its memory busy would take, at four levels of overlap. */
#ifndef REDBLUE_REPORT_TIME_H
#define REDBLUE_REPORT_TIME_H

#include "base/json.h"
#include "schedules/schedule.h"

typedef struct {
  char name[256];
  double multiply_adds, special;   /* a cycle */
  double clock, bandwidth;         /* Hz; bytes a second */
  double word;                     /* bytes */
  double memory;                   /* words of fast memory */
} report_machine;
/* A preset's name or a file: lines NAME NUMBER, # begins a comment; every name of report_machine is given once. */
status report_machine_open(report_machine *m, const char *name, diag *d);

/* Which words may move while something is computed; each level has those of the levels before it too. */
typedef enum {
  REPORT_OVERLAP_NONE,
  REPORT_OVERLAP_INSIDE,       /* arrays loaded after a computation of the same turn of a loop */
  REPORT_OVERLAP_TURNS,        /* the others of inner loops: the next turn's loads under this turn's computation */
  REPORT_OVERLAP_ALL,          /* every word: those of outer loops too */
  REPORT_OVERLAPS
} report_overlap;

typedef struct {
  uint64_t multiply_adds, special, recomputed;
  uint64_t words[REPORT_OVERLAPS]; /* words that may move under a computation from this level on; [NONE]: 0 */
  uint64_t io, peak;
  bool fits;
  double seconds[REPORT_OVERLAPS], computing, moving;
} report_time;

/* s can be played and counted; GAVE_UP when it cannot be counted, BAD_USAGE for a graph, whose vertices do not say what they are. */
status report_time_of(const schedule *s, const pebble_rules *rules, const report_machine *m, report_time *t, diag *d);
void report_time_print(const report_time *t, const report_machine *m, text *out);
void report_time_json(const report_time *t, const report_machine *m, json *j);

#endif
