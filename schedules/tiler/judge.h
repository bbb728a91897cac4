/* judge.h -- the referee's word on a text: it is parsed, counted and played like any other. */
#ifndef REDBLUE_SCHEDULES_TILER_JUDGE_H
#define REDBLUE_SCHEDULES_TILER_JUDGE_H

#include "schedules/schedule.h"

typedef struct {
  bool counted, fits, legal;
  num_count loads, stores;
  uint64_t peak;
  bool long_winded;            /* it would take too long to see */
  char why[256];               /* not legal, or not read: a sentence */
} tiler_verdict;

/* Counted (or not even that: then neither counted nor fits), and played where it fits. */
void tiler_judge(const cdag *g, const pebble_rules *rules, const char *source, tiler_verdict *v);
/* The same, but given up after so many iterations that were played one by one; 0: never. */
void tiler_judge_within(const cdag *g, const pebble_rules *rules, const char *source, uint64_t most_iterations,
                        tiler_verdict *v);

#endif
