/* support_terms.h -- computations of one rule over boxes, whose terms read along, across, at, up to and from its
 * variables. */
#ifndef REDBLUE_TESTS_SUPPORT_TERMS_H
#define REDBLUE_TESTS_SUPPORT_TERMS_H
#include "base/text.h"
#include "tests/support.h"
#include <stdbool.h>

/* A[8,8] and B[8] are inputs, and X[3,5,6] reads them and itself. */
enum { TERMS_A, TERMS_B, TERMS_X, TERMS_ARRAYS, TERMS_SIDE = 8, TERMS_RANK = 3, TERMS_MOST = 5 };
extern const int terms_rank[TERMS_ARRAYS];
int terms_extent(int array, int r);

typedef enum {
  TERMS_AT,
  TERMS_ALONG,
  TERMS_RANGE,
  TERMS_UPTO,
  TERMS_FROM,
  TERMS_BACK,
  TERMS_BACK_FROM
} terms_kind; /* 3; j-1; 0..4; 0..j+1; j-1..4; 5-j; 2-j..4 */
typedef struct { terms_kind kind; int var, lo, hi; } terms_index;
typedef struct { int array; terms_index index[TERMS_RANK]; } terms_term;

/* sources: an element of X for which no term names anything is an input; else all read C[0], too.  Writes the
 * computation, which may turn out to be none (it reads itself in circles); gives the number of terms, C[0] aside, no
 * two the same. */
int support_terms(text *out, support_random *r, bool sources, terms_term *term);
/* What the index reads where the variables are x, as far as the array goes: lo..hi. */
void terms_read(const terms_term *t, int r, const int64_t *x, int64_t *lo, int64_t *hi);
#endif
