/* support_random_cdag.h -- random .cdag texts that are valid, for tests that compare two ways to the same answer. */
#ifndef REDBLUE_TESTS_RANDOM_CDAG_H
#define REDBLUE_TESTS_RANDOM_CDAG_H
#include "base/text.h"
#include "cdag/cdag.h"
#include "tests/support.h"

typedef struct {
  uint64_t least, most;  /* vertices; most 0: 120 */
  bool conditions;       /* terms with `if`, affine or not */
  bool plain;            /* shifts and constants on rectangles only: what schedules of ours mostly look like */
} random_cdag_options;

/* A CDAG and its text (out may be NULL).  Chains, triangles, tables, strides, `*` and ranges, absence on every side,
   rules whose sources are inputs, arrays that name each other, selections; parameters have defaults. */
cdag *support_random_cdag(support_random *r, const random_cdag_options *o, text *out);

/* A word of the text of one or two letters and digits, so not a keyword, becomes one of n pieces. */
void support_change_word(support_random *r, const char *const *piece, int n, text *t);
#endif
