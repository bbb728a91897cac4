/* schedules/tune/internal.h -- what the parts of the tuner share. */
#ifndef REDBLUE_SCHEDULES_TUNE_INTERNAL_H
#define REDBLUE_SCHEDULES_TUNE_INTERNAL_H

#include "schedules/count/counter.h"

enum { TUNE_MOST = 16 };         /* free parameters */

typedef struct {
  schedule *s;
  pebble_rules rules;
  int n;
  int param[TUNE_MOST];        /* the free ones, as indices of s->param */
  int64_t most[TUNE_MOST];     /* each runs from 1 to this */
  int64_t cut[TUNE_MOST];      /* beyond this only what follows it changes */
  int64_t *value;              /* of a single parameter that others follow, all that play different moves; or NULL */
  size_t values;
  struct tune_bars *bars;      /* or NULL */
  schedule_counter *counter;   /* NULL: every setting is played */
  schedule_counts counts;      /* of the setting looked at last */
  uint64_t searched;
  bool tight; /* the setting before did not fit, and that came out late: perhaps the last iterations of this one say so
                 at once */
  bool part;                   /* s is a part of a program: it is counted, never played */
  bool outside;                /* a part drops what another part placed: its count means nothing */
  bool unplayed;               /* what fits is taken for legal for now */
  bool doubtful; /* one that might fit was played and is not legal, which came out late: others are counted before they
                    are played */
  bool found, played;          /* the best so far; and was it played? */
  num_count io;                /* of the best so far */
  uint64_t peak;
  bool set[TUNE_MOST];         /* its parameters: given a value, or following their defaults */
  int64_t best[TUNE_MOST];
  bool exact;
  text *record;
} tuner;

/* What moves as many words or more is no use. */
static inline num_count tune_best_io(const tuner *t) { return t->found ? t->io : NUM_TOO_MANY; }

/* Give the free parameters these values (where set; the others follow their defaults); false when one has none. */
bool tune_put(tuner *t, const bool *set, const int64_t *value);
/* The same, and it is legal (unless unplayed) and better than the best so far, which it becomes. */
bool tune_try(tuner *t, const bool *set, const int64_t *value);
/* Does no bound from below on its peak exceed M? */
bool tune_may_fit(tuner *t, const bool *set, const int64_t *value);
/* As tune_try of a setting that may fit, but played, and so known to be legal: for what will be the best if it is. */
bool tune_play(tuner *t, const bool *set, const int64_t *value);

/* Does the node read the slot, in boxes, conditions or loops? */
bool tune_node_reads(const schedule *s, const schedule_node *n, int slot);
/* Parameters of which no top-level statement reads two: each group alone; false, with t as it was, when there is one
   group only or what is found is not legal. */
bool tune_by_nests(tuner *t);
void tune_one(tuner *t);         /* the parameters together, in the first way that decides */

/* Is the parameter read as the length of blocks only?  tune_cuts: but for defaults that follow it. */
bool tune_only_cuts(const schedule *s, int slot);
bool tune_cuts(const schedule *s, int slot);
/* So, and the I/O never grows with it while the other parameters stay. */
bool tune_never_grows(const schedule *s, int slot);
/* How far each free parameter is varied: t->most. */
void tune_reach(tuner *t);

/* Ways to search; each leaves the best in t.  tune_all: every setting; exact. */
void tune_all(tuner *t);
void tune_by_iterations(tuner *t);    /* one parameter at a time, the others held */
/* One or two parameters, by a formula that holds for all their values and a bound from below on the peak; false, with t
   as it was, when there is no such formula or it does not decide. */
bool tune_by_formula(tuner *t);
/* Bounds on the peak without a formula of the I/O, of one or two parameters: t->bars, or none.  Does one exclude a
 * setting? */
void tune_set_bars(tuner *t);
void tune_clear_bars(tuner *t);
bool tune_barred(tuner *t, const int64_t *value);
/* One parameter that cuts ranges into blocks, with which the I/O provably does not grow; false, with nothing found,
   when it is not such a one or the best is not legal. */
bool tune_by_blocks(tuner *t);

#endif
