/* bounds/check/reading/features.h -- attention by dense features (docs/theory-lp.md, section 6). */
#ifndef REDBLUE_BOUNDS_CHECKER_FEATURES_H
#define REDBLUE_BOUNDS_CHECKER_FEATURES_H

#include "bounds/check/reading/statement.h"

typedef struct {
  int64_t keys, queries, features, d, dv;   /* d: words of a row of K, and of Q, that a feature needs */
  uint64_t births;
  int key_feature, query_feature;           /* arrays FK, FQ */
  int k, q, v;                              /* input arrays */
  int query_loop, feature_loop, slice_loop; /* of N */
} checker_features;
/* W and N, and with a normaliser U and S; without one these two are NULL. */
bool checker_features_read(const cdag *g, const bound_statement *const statement[4], checker_features *f);

#endif
