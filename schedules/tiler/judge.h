/* judge.h -- the referee's word on a text: it is parsed, counted and played like any other. */
#ifndef REDBLUE_SCHEDULES_TILER_JUDGE_H
#define REDBLUE_SCHEDULES_TILER_JUDGE_H

#include "schedules/schedule.h"

typedef struct {
  uint64_t iterations;         /* given up after so many that were played one by one; 0: never */
  double until;                /* and at this second of the processor (base/clock.h); 0: never */
  bool count_only;             /* not played at all */
  num_count below;             /* not played where the count says that no less is moved; 0: played always */
} tiler_patience;

typedef struct {
  bool counted, fits, legal;
  num_count loads, stores;
  uint64_t peak;
  bool long_winded;            /* given up: it is legal as far as it was played */
  bool dear;                   /* not played, as it moves no less */
  char why[256];               /* not legal, or not read: a sentence */
} tiler_verdict;

/* Texts that were judged before, for one computation and one set of rules: several plans may come to one text, which
 * is counted once, and played once, or longer than before. */
typedef struct {
  struct tiler_judged *of;
  size_t n, room;
} tiler_docket;
void tiler_docket_clear(tiler_docket *d);

/* Counted (or not even that: then neither counted nor fits), and played where it fits. */
void tiler_judge(const cdag *g, const pebble_rules *rules, const char *source, const tiler_patience *p,
                 tiler_docket *before, tiler_verdict *v);

#endif
