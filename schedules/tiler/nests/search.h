/* search.h -- the best trees of a nest, and the best way to cut a computation into nests. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_SEARCH_H
#define REDBLUE_SCHEDULES_TILER_NESTS_SEARCH_H

#include "schedules/tiler/nests/cost.h"

enum { TILER_BEST = 10, TILER_NESTS = 24, TILER_PLANS = 8 };

typedef struct {
  tiler_plan plan;
  const tiler_nest *nest;
  int lengths, cls[TILER_LOOPS];
  tiler_lengths b;
  int weight;                  /* how much text */
} tiler_candidate;

typedef struct {
  uint64_t statements;         /* of the shape's order */
  uint64_t stored;
  tiler_nest *nest[2];         /* classes along computed arrays; along inputs too */
  int n;
  tiler_candidate best[TILER_BEST]; /* ascending by I/O */
  uint64_t trees, distinct;
} tiler_solved;

typedef struct {
  double io;
  int nests;
  const tiler_solved *nest[TILER_NESTS]; /* in the order in which they run */
} tiler_division;

typedef struct tiler_search {
  const tiler_shape *s;
  double m;
  bool one_shot;               /* nothing is computed again */
  bool apart;                  /* nothing in the same nest, and no sum */
  bool (*late)(void *context); /* time is up: what is known then is the answer; or NULL */
  void *context;
  int n;
  size_t room;
  tiler_solved **solved;       /* nests, each looked at once */
  int best;
  tiler_division division[TILER_PLANS]; /* ascending by I/O */
  uint64_t divisions, trees, distinct;
  bool all;                    /* nothing was left out for being too much */
  uint64_t most_trees;         /* not 0: of all nests together, a tenth of it for one */
  bool lean;                   /* of plans that move the same, those that take less room come first, not short texts */
  double below;                /* not 0: divisions that move more are of no use */
} tiler_search;

/* Words of an array, the steps of its sums apart. */
double tiler_words_of(const tiler_shape *shape, int array);
void tiler_search_run(tiler_search *x); /* s, m, one_shot, late, context are set */
/* The same nests by the same plans, with lengths of their own, for another shape of the same statements: out's s, m are
   set.  False: nothing fits. */
bool tiler_search_again(const tiler_division *v, tiler_search *out);
void tiler_search_clear(tiler_search *x);
/* The same plan with lengths that fit so many words; false when none do. */
bool tiler_candidate_fit(tiler_candidate *c, double m);

#endif
