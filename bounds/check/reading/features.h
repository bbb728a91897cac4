/* bounds/check/reading/features.h -- attention by features, dense or monomials (docs/theory-lp.md, section 6). */
#ifndef REDBLUE_BOUNDS_CHECKER_FEATURES_H
#define REDBLUE_BOUNDS_CHECKER_FEATURES_H

#include "bounds/check/reading/statement.h"
#include <gmp.h>

enum { CHECKER_RUN_MOST = 256 };
/* What steps weigh: one of W `key`, one of N or S `query` times l for a feature in a run of l (monomials.h), but no
   less than `low` times and no more than `high` times.  Where these are equal all steps of N and S weigh the same. */
typedef struct { int64_t key, query, low, high; } checker_features_weights;
typedef struct {
  int64_t keys, queries, features, d, dv;   /* d: words of a row of K, and of Q, that a dense feature needs */
  /* Monomials: every feature but `free` of them (which are no vertices) is another product of at most `degree`
     variables of its row.  0: dense. */
  int64_t degree, free;
  bool normaliser;
  uint64_t births, steps, key_steps;        /* steps: of W, N and S; of W */
  uint64_t longer[CHECKER_RUN_MOST + 1];    /* steps of N and S whose features are in runs of more than so many */
  checker_features_weights weigh;           /* all 1, and may be changed */
  int key_feature, query_feature;           /* arrays FK, FQ */
  int k, q, v;                              /* input arrays */
  int query_loop, feature_loop, slice_loop; /* of N */
} checker_features;
/* W and N, and with a normaliser U and S; without one these two are NULL. */
bool checker_features_read(const cdag *g, const bound_statement *const statement[4], checker_features *f);
/* Different features of one token that can be had with so many words of its own: of its row, and features that are
   there. */
int64_t checker_features_had(const checker_features *f, int64_t words);
/* Chains of W and U that x words allow to be made anew in a segment. */
int64_t checker_features_reruns(const checker_features *f, int64_t x);
/* What all steps weigh. */
void checker_features_work(const checker_features *f, mpz_t work);
/* What steps of W, N and S weigh in a segment of x words, at most, and where they are most: a row with q words for
   features and v others, c columns. */
typedef struct { int64_t q, v, c; } checker_features_where;
void checker_features_most(const checker_features *f, const mpz_t x, mpz_t most, checker_features_where *where);

#endif
