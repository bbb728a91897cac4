/* setting.h -- one row of a table: a computation at a memory, asked about bounds and schedules; and the expressions of
   the columns.  A column is arithmetic on

     n, d, M ...        the variables of the sweep, and columns before it by their titles
     bound              the best proved bound;  bound(NAME): that theorem's;  trust, theorem, leading: of the best
     value(NAME)        the word NAME (of a case) read as an expression; tuned(NAME) and the like take a case's word too
     io(SCHED)          I/O with the schedule's default parameters, or those given: io(attenio:a=7)
     tuned(SCHED)       with its best parameters;  peak(SCHED), param(SCHED,a), formula(SCHED): of the tuned one
     time(SCHED)        seconds of the model (time.h) on the row's machine with all overlap; time(SCHED, none, a100-sm)
   with none, on that one; overlap is none, inside, next or everything;  intensity(SCHED): multiply-adds a word moved
     memory(WORDS)      the least M that the bounds allow a play of so much traffic
     best, best_name    the least tuned I/O of the library's schedules, or where none fits of the one found (`found`);
   gap = best / bound;  ratio(SCHED) = tuned / bound
     + - * / ^ ( )      exact; sqrt ceil floor min max abs log2

   A schedule that does not fit M gives the word overflow, a bound that does not apply the word none; arithmetic on a
   word is that word. */
#ifndef REDBLUE_REPORT_SETTING_H
#define REDBLUE_REPORT_SETTING_H

#include "base/text.h"
#include "bounds/bound.h"
#include "schedules/schedule.h"

typedef struct {
  bool number;
  mpq_t q;                     /* a number that is exact ... */
  bool real;                   /* ... unless real, when r holds it */
  double r;
  char word[200];              /* not a number */
} report_value;
void report_value_init(report_value *v);
void report_value_clear(report_value *v);
/* All digits: an integer, a fraction as a decimal that reads back, or the word. */
void report_value_print(text *out, const report_value *v);

typedef struct report_setting report_setting;
typedef struct {
  int n;
  const char *const *name;     /* variables: of the sweep, then columns already known */
  const report_value *value;
} report_names;

/* spec: a SPEC as of the command line.  m is 0 when the sweep has none: then nothing that needs it may be asked. */
status report_setting_new(report_setting **s, const char *spec, const pebble_rules *rules, diag *d);
void report_setting_free(report_setting *s);

/* BAD_USAGE with a sentence when the expression is wrong. */
status report_evaluate(report_setting *s, const char *expression, const report_names *names, report_value *v, diag *d);

/* How the value of such an expression is come by, in a word: proved (the best bound: proved or certified), counted (a
   schedule's), set (a variable of the sweep or a number), named (a theorem asked for by name: `redblue bounds` says
   what it is worth), model (a time), derived. */
const char *report_trust_of(const char *expression);

#endif
