/* invert.c -- which points of a nest have a term name a given element?

   Variables in order, each cut to what the indices allow: an index c v[r] + (terms of the variables before, known) +
   (those after, within their hull) must equal y.  An affine index whose other variables are known leaves one value. */
#include "cdag/cdag_internal.h"
#include "base/num.h"

typedef struct {
  const cdag *g;
  const nest *n;
  const bound_term *t;
  const int64_t *y;
  int64_t v[CDAG_RANK];
  invert_visit visit;
  void *context;
} inversion;

/* What f is without its variable r: known, or an interval.  False when f has no value whatever comes. */
static bool others(const inversion *s, const form *f, int r, int64_t *least, int64_t *most)
{
  *least = *most = f->base;
  for (int q = 0; q < s->n->rank; q++) {
    int64_t c = f->coef[q];
    if (c == 0 || q == r)
      continue;
    int64_t lo = q < r ? s->v[q] : s->n->hull.lo[q], hi = q < r ? s->v[q] : s->n->hull.hi[q] - 1;
    *least += c * (c > 0 ? lo : hi);
    *most += c * (c > 0 ? hi : lo);
  }
  if (!f->rest)
    return true;
  int64_t rest;
  if (f->rest_vars >> r) { /* not known yet */
    *least += f->rest_least;
    *most += f->rest_most;
    return f->rest_least <= f->rest_most;
  }
  if (!form_rest(f, s->v, s->g->table, &rest))
    return false;
  *least += rest;
  *most += rest;
  return true;
}

/* Cut [*lo, *hi) to the values of variable r that allow f <= y (sign > 0) or f >= y (sign < 0). */
static bool cut(const inversion *s, const form *f, int r, int64_t y, int sign, int64_t *lo, int64_t *hi)
{
  int64_t least, most, c = f->coef[r];
  if (!others(s, f, r, &least, &most))
    return false;
  int64_t room = sign > 0 ? y - least : most - y; /* sign * c * v <= room */
  if (sign < 0)
    c = -c;
  if (c == 0)
    return room >= 0;
  if (c > 0)
    *hi = num_min(*hi, num_floor_div(room, c) + 1);
  else
    *lo = num_max(*lo, -num_floor_div(room, -c));
  return *lo < *hi;
}

static bool cut_all(const inversion *s, int r, int64_t *lo, int64_t *hi)
{
  for (int i = 0; i < s->t->rank; i++) {
    const bound_index *x = &s->t->index[i];
    if (x->kind == CDAG_ALL)
      continue;
    if (!cut(s, &x->lo, r, s->y[i], 1, lo, hi))
      return false;
    bool at = x->kind == CDAG_AT;
    if (!cut(s, at ? &x->lo : &x->hi, r, s->y[i] + !at, -1, lo, hi))
      return false;
  }
  return true;
}

static bool names(const inversion *s)
{
  cdag_box box;
  if (!bound_term_box(s->g, s->t, s->v, s->n->rank, &box))
    return false;
  for (int i = 0; i < s->t->rank; i++)
    if (s->y[i] < box.lo[i] || s->y[i] >= box.hi[i])
      return false;
  return true;
}

static bool invert_from(inversion *s, int r)
{
  int64_t lo, hi;
  if (r == s->n->rank)
    return !names(s) || s->visit(s->context, s->v);
  nest_range(s->n, r, s->v, &lo, &hi);
  if (lo >= hi || !cut_all(s, r, &lo, &hi))
    return true;
  for (s->v[r] = lo; s->v[r] < hi; s->v[r]++)
    if (!invert_from(s, r + 1))
      return false;
  return true;
}

bool cdag_invert(const cdag *g, const nest *n, const bound_term *t, const int64_t *y, invert_visit visit, void *context)
{
  inversion s = { .g = g, .n = n, .t = t, .y = y, .visit = visit, .context = context };
  return n->count == 0 || invert_from(&s, 0);
}
