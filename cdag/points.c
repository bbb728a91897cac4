/* points.c -- counting the points of a nest that satisfy inequalities.

   Variables in order.  An inequality whose last variable is r, affine in it, cuts the range of r once the earlier ones are
   known.  A variable that no later bound or inequality mentions multiplies; below the last inequality the nest knows its
   own count.  So only variables that are really coupled are tried one by one: a triangle costs one step a row. */
#include "cdag/points.h"
#include "base/num.h"
#include <string.h>

__int128 nest_least(const nest *n, int64_t base, const int64_t *coef)
{
  __int128 c[CDAG_RANK], sum = base, plain = base;
  for (int r = 0; r < n->rank; r++) {
    c[r] = coef[r];
    plain += c[r] * (c[r] > 0 ? n->hull.lo[r] : n->hull.hi[r] - 1);
  }
  for (int r = n->rank - 1; r >= 0; r--) {
    const form *f = c[r] > 0 ? &n->lo[r] : &n->hi[r];
    if (c[r] == 0)
      continue;
    if (c[r] > FORM_LIMIT || c[r] < -FORM_LIMIT)
      return plain;
    if (f->rest) {
      sum += c[r] * (c[r] > 0 ? n->hull.lo[r] : n->hull.hi[r] - 1);
      continue;
    }
    sum += c[r] * (f->base - (c[r] < 0));
    for (int q = 0; q < r; q++)
      c[q] += c[r] * f->coef[q];
  }
  return sum > plain ? sum : plain;
}

/* ---- collecting ---- */

void points_init(points *p, const cdag *g, const nest *n)
{
  p->g = g;
  p->n = n;
  p->count = 0;
  p->impossible = p->overflow = false;
}

static bool add_scaled(inequality *i, const form *f, int64_t scale, int vars)
{
  int64_t part;
  bool good = num_mul(scale, f->base, &part) && num_add(i->base, part, &i->base);
  for (int r = 0; r < vars && good; r++)
    good = num_mul(scale, f->coef[r], &part) && num_add(i->coef[r], part, &i->coef[r]);
  if (f->rest && scale != 0) {
    good = good && (scale == 1 || scale == -1);
    i->rest[i->rests].sign = (int)scale;
    i->rest[i->rests++].f = f;
    i->hard |= f->rest_vars;
  }
  return good;
}

static void set_depth(inequality *i, int vars)
{
  i->depth = -1;
  for (int r = 0; r < vars; r++)
    if (i->coef[r] != 0 || i->hard >> r & 1)
      i->depth = r;
}

/* Keep it unless it always holds.  Nothing hard: decided by bounds on its value over the nest. */
static void keep(points *p, inequality *i)
{
  bool soft = i->rests == 0 && !i->bound;
  int64_t negative[CDAG_RANK];
  set_depth(i, p->n->rank);
  if (soft && nest_least(p->n, i->base, i->coef) >= 0)
    return;
  for (int r = 0; r < CDAG_RANK; r++)
    negative[r] = -i->coef[r];
  if (soft && nest_least(p->n, -i->base, negative) > 0)
    p->impossible = true;
  if (p->count == INEQUALITIES)
    p->overflow = true;
  else
    p->of[p->count++] = *i;
}

/* value - bound(element) >= margin (sign > 0), or bound(element) - value >= margin (sign < 0); value is an index of the
   term, bound a form over the indices of its array */
static bool add_bound(points *p, const bound_term *t, const form *value, const form *bound, int sign, int64_t margin)
{
  inequality i = { .base = -margin };
  int vars = p->n->rank;
  bool good = add_scaled(&i, value, sign, vars) && num_sub(i.base, sign * bound->base, &i.base);
  for (int q = 0; q < t->rank && good; q++)
    if (bound->coef[q] != 0)
      good = add_scaled(&i, &t->index[q].lo, -sign * bound->coef[q], vars);
  if (bound->rest) {
    i.bound = bound;
    i.bound_sign = -sign;
    i.term = t;
    for (int q = 0; q < t->rank; q++)
      if (bound->rest_vars >> q & 1)
        i.hard |= form_vars(&t->index[q].lo);
  }
  if (good)
    keep(p, &i);
  return good;
}

static bool require_at(points *p, const bound_term *t, const nest *target, int s)
{
  const form *value = &t->index[s].lo;
  return add_bound(p, t, value, &target->lo[s], 1, 0) && add_bound(p, t, value, &target->hi[s], -1, 1);
}

/* A range or `*` meets a rectangular domain */
static bool require_some(points *p, const bound_term *t, const nest *target, int s)
{
  const bound_index *x = &t->index[s];
  inequality some = { .base = -1 };
  if (!target->rectangular)
    return false;
  if (x->kind == CDAG_ALL)
    return true; /* an array without elements is met before */
  bool good = add_scaled(&some, &x->hi, 1, p->n->rank) && add_scaled(&some, &x->lo, -1, p->n->rank);
  if (good)
    keep(p, &some);
  return good && add_bound(p, t, &x->hi, &target->lo[s], 1, 1) && add_bound(p, t, &x->lo, &target->hi[s], -1, 1);
}

bool points_require(points *p, const bound_term *t)
{
  const nest *target = &p->g->priv->dom[t->array];
  bool good = true;
  if (target->count == 0)
    p->impossible = true;
  for (int s = 0; s < t->rank && good; s++)
    good = t->index[s].kind == CDAG_AT && (target->rectangular || t->single) ? require_at(p, t, target, s)
                                                                               : require_some(p, t, target, s);
  return good;
}

bool points_require_same(points *p, const bound_term *a, const bound_term *b)
{
  bool good = true;
  for (int s = 0; s < a->rank; s++)
    for (int sign = -1; sign <= 1 && good; sign += 2) {
      inequality i = { .base = 0 };
      good = add_scaled(&i, &a->index[s].lo, sign, p->n->rank) && add_scaled(&i, &b->index[s].lo, -sign, p->n->rank);
      if (good)
        keep(p, &i);
    }
  return good;
}

/* ---- counting ---- */

typedef struct {
  points *p;
  uint32_t later[CDAG_RANK];   /* variables that inequalities of a greater depth, or bounds after r, mention */
  int last;                    /* no inequality is deeper */
  uint64_t budget;
  bool spent;
  int64_t v[CDAG_RANK];
} counting;

/* The value at v without variable r; false when it has none. */
static bool known_part(const counting *c, const inequality *i, int r, int64_t *value)
{
  const points *p = c->p;
  int64_t sum = i->base, rest, y[CDAG_RANK];
  for (int q = 0; q < p->n->rank; q++)
    if (q != r)
      sum += i->coef[q] * c->v[q];
  for (int k = 0; k < i->rests; k++) {
    if (!form_rest(i->rest[k].f, c->v, p->g->table, &rest))
      return false;
    sum += i->rest[k].sign * rest;
  }
  if (i->bound) {
    for (int s = 0; s < i->term->rank; s++) {
      y[s] = 0;
      if (i->bound->rest_vars >> s & 1 && !form_at(&i->term->index[s].lo, c->v, p->n->rank, p->g->table, &y[s]))
        return false;
    }
    if (!form_rest(i->bound, y, p->g->table, &rest))
      return false;
    sum += i->bound_sign * rest;
  }
  *value = sum;
  return true;
}

/* Cut [*lo, *hi) by the inequalities whose last variable is r and that are affine in it. */
static bool cut(const counting *c, int r, int64_t *lo, int64_t *hi)
{
  for (int k = 0; k < c->p->count; k++) {
    const inequality *i = &c->p->of[k];
    int64_t value;
    if (i->depth != r || i->hard >> r & 1)
      continue;
    if (!known_part(c, i, r, &value))
      return false;
    if (i->coef[r] > 0) /* coef v >= -value */
      *lo = num_max(*lo, -num_floor_div(value, i->coef[r]));
    else
      *hi = num_min(*hi, num_floor_div(value, -i->coef[r]) + 1);
  }
  return *lo < *hi;
}

/* The hard inequalities whose last variable is r, at v[r]. */
static bool holds(const counting *c, int r)
{
  for (int k = 0; k < c->p->count; k++) {
    const inequality *i = &c->p->of[k];
    int64_t value;
    if (i->depth == r && (r < 0 || i->hard >> r & 1) && (!known_part(c, i, -1, &value) || value < 0))
      return false;
  }
  return true;
}

static bool is_hard(const counting *c, int r)
{
  for (int k = 0; k < c->p->count; k++)
    if (c->p->of[k].depth == r && c->p->of[k].hard >> r & 1)
      return true;
  return false;
}

static uint64_t count_from(counting *c, int r)
{
  int64_t lo, hi;
  uint64_t sum = 0;
  if (r == c->p->n->rank)
    return 1;
  if (r > c->last)
    return nest_weight(c->p->n, r, c->v);
  nest_range(c->p->n, r, c->v, &lo, &hi);
  if (c->spent || !cut(c, r, &lo, &hi))
    return 0;
  c->v[r] = lo;
  if (!(c->later[r] >> r & 1) && !is_hard(c, r))
    return (uint64_t)(hi - lo) * count_from(c, r + 1);
  for (; c->v[r] < hi && !c->spent; c->v[r]++) {
    c->spent = c->budget-- == 0;
    if (!c->spent && holds(c, r))
      sum += count_from(c, r + 1);
  }
  return sum;
}

static void find_later(counting *c)
{
  const points *p = c->p;
  c->last = -1;
  for (int r = 0; r < p->n->rank; r++)
    c->later[r] = p->n->later_vars[r];
  for (int k = 0; k < p->count; k++) {
    const inequality *i = &p->of[k];
    c->last = i->depth > c->last ? i->depth : c->last;
    for (int r = 0; r < i->depth; r++)
      if (i->coef[r] != 0 || i->hard >> r & 1)
        c->later[r] |= 1u << r;
  }
}

bool points_count(points *p, uint64_t *budget, uint64_t *count)
{
  counting c = { .p = p, .budget = *budget };
  *count = 0;
  if (p->overflow)
    return false;
  if (p->impossible || p->n->count == 0)
    return true;
  find_later(&c);
  if (holds(&c, -1))
    *count = count_from(&c, 0);
  *budget = c.spent ? 0 : c.budget;
  return !c.spent;
}
