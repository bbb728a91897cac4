/* points.h -- how many points of a nest satisfy affine inequalities, without looking at each. */
#ifndef REDBLUE_CDAG_POINTS_H
#define REDBLUE_CDAG_POINTS_H

#include "cdag/cdag_internal.h"

/* base + sum coef[r] v[r] + sum sign * rest(v) + bound_sign * bound->rest(element named by term at v) >= 0.
   Variables in `hard` enter through a rest: they are tried one by one. */
typedef struct {
  int64_t base, coef[CDAG_RANK];
  uint32_t hard;
  int rests;
  struct { int sign; const form *f; } rest[CDAG_RANK + 2];
  const form *bound;
  int bound_sign;
  const bound_term *term;
  int depth;                   /* the last variable that matters, -1 when none does */
} inequality;

enum { INEQUALITIES = 256 };
typedef struct {
  const cdag *g;
  const nest *n;
  int count;
  inequality of[INEQUALITIES];
  bool impossible;             /* one of them never holds */
  bool overflow;               /* there were more than fit, or a number has no negative: no answer */
} points;

void points_init(points *p, const cdag *g, const nest *n);
/* Add: term t names an existing element.  False when that is not a conjunction of inequalities (ranges with a domain
   that is not rectangular). */
bool points_require(points *p, const bound_term *t);
/* Add: a and b, both naming at most one element, name the same. */
bool points_require_same(points *p, const bound_term *a, const bound_term *b);
/* Add: e, an expression over the nest's variables, is not 0.  False when it is no conjunction of affine comparisons. */
bool points_require_true(points *p, const expr *e);
bool points_affine_condition(const expr *e);
/* Count; false when that would take more than *budget steps, which is lowered by those taken. */
bool points_count(points *p, uint64_t *budget, uint64_t *count);

/* Lower bound on base + sum coef v over the nest: each variable replaced by the bound of its range, innermost first. */
__int128 nest_least(const nest *n, int64_t base, const int64_t *coef);

#endif
