/* schedules/tune/follow.h -- parameters whose defaults follow those that are tuned.  Private to the tuner. */
#ifndef REDBLUE_SCHEDULES_TUNE_FOLLOW_H
#define REDBLUE_SCHEDULES_TUNE_FOLLOW_H

#include "schedules/sign/span.h"
#include "schedules/tune/internal.h"

typedef struct {
  const tuner *t;
  int n;
  int param[TUNE_MOST];        /* indices of s->param, in the order of the text */
  bool block[TUNE_MOST];       /* the length of blocks of a loop that always runs: below 1 there is no play */
  span *span;                  /* by slot: room to work in */
} followers;

/* All whose defaults read a free parameter, directly or through others.  False: too many. */
bool follow_find(followers *f, const tuner *t);
void follow_clear(followers *f);
/* What the i-th can be while every free parameter is 1 .. its most: into out[i].  Where nothing is known, 1 ..
 * `unknown`. */
void follow_spans(followers *f, int64_t unknown, span *out);
/* slot[] holds the other parameters: set these.  False: one has no value, or there is no play. */
bool follow_values(const followers *f, int64_t *slot);
/* Of one free parameter, the last value such that from v to it they provably stay the same, or there is provably no
 * play: *dead. */
int64_t follow_end(followers *f, int64_t v, bool *dead);
/* Of one free parameter that others follow, list all values that play different moves in t->value; not if there are
 * more than `most`. */
void follow_list(tuner *t, size_t most);
/* The best of those listed, when the I/O never grows with the parameter nor with those that follow it, without counting
 * most of them; false: it may. */
bool follow_search(tuner *t);

#endif
