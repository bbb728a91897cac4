/* What reading an array's rule, its domain and its images share: values of bounds and indices on a box, and parts of
   boxes.  Private to rule.c, value.c, fit.c and image.c. */
#ifndef REDBLUE_TILE_VALUE_H
#define REDBLUE_TILE_VALUE_H

#include "base/num.h"
#include "pebble/tile/rule.h"

/* cdag/domain/form.c sees to it that coordinates and affine values stay below TILE_FAR, and others below twice that:
 * sums of two do not overflow. */
#define TILE_FAR (INT64_C(1) << 61)

/* What a later iteration must decide alike, should this one be recorded.  It follows from the numbers recorded; but so
 * it need not be proved for each. */
static inline void tile_note(const tile_rules *all, int64_t decision)
{
  if (all->log) /* for safety */
    tile_log_equal(all->log, decision);
}

/* When variable r goes on by so much, e changes by the same number wherever it has a value, and has none where it had
   none; 0: that is not known (period.c). */
int64_t tile_period(const tile_rules *all, const expr *e, int rank, int r);
/* A variable of v that is held: the very same in every iteration, or whole periods of v further on. */
static inline void tile_note_held(const tile_rules *all, const tile_value *v, int r, int64_t x)
{
  tile_note(all, v->period[r] ? num_floor_mod(x, v->period[r]) : x);
}

/* The variables, of those in mask, that have more than one value in b. */
static inline unsigned tile_wide(const cdag_box *b, unsigned mask)
{
  unsigned w = 0;
  for (unsigned m = mask; m; m &= m - 1) {
    int r = __builtin_ctz(m);
    w |= (unsigned)(b->hi[r] - b->lo[r] > 1) << r;
  }
  return w;
}

static inline int64_t tile_affine_at(const tile_value *v, const cdag_box *b)
{
  int64_t s = v->base;
  for (unsigned m = v->vars; m; m &= m - 1)
    s += v->coef[__builtin_ctz(m)] * b->lo[__builtin_ctz(m)];
  return s;
}

static inline bool tile_clip_lo(cdag_box *b, int r, int64_t lo)
{
  b->lo[r] = num_max(b->lo[r], lo);
  return b->lo[r] < b->hi[r];
}

static inline bool tile_clip_hi(cdag_box *b, int r, int64_t hi)
{
  b->hi[r] = num_min(b->hi[r], hi);
  return b->lo[r] < b->hi[r];
}

/* The parameters' slots are followed by the variables: those that v reads get their least value in b. */
void tile_put_variables(const tile_rules *all, const tile_value *v, const cdag_box *b);
/* The value where every variable it reads is single in b; false when there is none. */
bool tile_value_at(const tile_rules *all, const tile_value *v, const cdag_box *b, int64_t *out);
/* Least and greatest value of an affine v over b. */
void tile_value_span(const tile_value *v, const cdag_box *b, int64_t *least, int64_t *most);
/* A form that reads these variables. */
tile_value tile_form_value(const tile_form *f, unsigned vars);
/* a += times b; false where numbers grow too large. */
bool tile_add_form(tile_form *a, const tile_form *b, int64_t times);
/* Least and greatest value of f on the box; false where they are too far. */
bool tile_form_span(const tile_form *f, const cdag_box *b, int rank, int64_t *least, int64_t *most);
/* Is c affine on all of b, as each of its comparisons has one outcome there?  Then it is `out`. */
bool tile_settle(const tile_rules *all, const tile_choice *c, const cdag_box *b, int rank, tile_form *out);
/* v, or what it comes to on b where its comparisons are settled there: put to `own`. */
const tile_value *tile_on_box(const tile_rules *all, const tile_value *v, const cdag_box *b, int rank,
                              tile_value *own);

#endif
