/* points.c -- counting the points of a nest that satisfy inequalities.

   Variables in order.  An inequality whose last variable is r, affine in it, cuts the range of r once the earlier ones
   are known.  A variable that no later bound or inequality mentions multiplies; below the last inequality the nest
   knows its own count.  So only variables that are really coupled are tried one by one: a triangle costs one step a
   row. */
#include "cdag/domain/points.h"
#include "base/mem.h"
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
  if (f->rest && scale != 0 && !f->plain_guard) {
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

static bool is_soft(const inequality *i) { return i->rests == 0 && !i->bound; }

/* All its numbers have a negative. */
static bool is_balanced(const inequality *i)
{
  bool all = i->base != INT64_MIN;
  for (int r = 0; r < CDAG_RANK; r++)
    all = all && i->coef[r] != INT64_MIN;
  return all;
}

/* A bound from below on what the forms in it add; false: they may have no value, or it is not known. */
static bool rests_least(const inequality *i, int64_t *least)
{
  bool good = !i->bound;
  *least = 0;
  for (int k = 0; k < i->rests && good; k++) {
    const form *f = i->rest[k].f;
    good = f->everywhere && num_add(*least, i->rest[k].sign > 0 ? f->rest_least : -f->rest_most, least);
  }
  return good;
}

/* Keep it unless it always holds.  Nothing hard: decided by bounds on its value over the nest. */
static void keep(points *p, inequality *i)
{
  bool soft = is_soft(i);
  int64_t negative[CDAG_RANK], rests;
  set_depth(i, p->n->rank);
  if (!is_balanced(i)) {
    p->overflow = true;
    return;
  }
  if (rests_least(i, &rests) && nest_least(p->n, i->base, i->coef) + rests >= 0)
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

static bool same_form(const form *a, const form *b)
{
  bool rest = a->rest && b->rest ? expr_equal(a->rest, b->rest) : a->rest == b->rest;
  return rest && a->base == b->base && !memcmp(a->coef, b->coef, sizeof a->coef);
}

/* Does the term name x[q] itself in every index q that this bound reads? */
static bool reads_own(const bound_term *t, const form *bound)
{
  bool own = true;
  for (uint32_t m = bound->affine_vars | bound->rest_vars; m; m &= m - 1) {
    const bound_index *x = &t->index[__builtin_ctz(m)];
    own = own && x->kind == CDAG_AT && x->lo.var == __builtin_ctz(m) && x->lo.base == 0;
  }
  return own;
}

/* Is index s of the term x[s] plus something, and bounded there as x[s] itself is?  Then what is added tells on which
 * side it can leave its range. */
static bool is_shift(const points *p, const bound_term *t, int s, const form *own, const form *bound)
{
  return s < p->n->rank && t->index[s].lo.var == s && same_form(own, bound) && reads_own(t, bound);
}

static bool require_at(points *p, const bound_term *t, const nest *target, int s)
{
  const form *value = &t->index[s].lo;
  bool above = value->base >= 0 && is_shift(p, t, s, &p->n->lo[s], &target->lo[s]),
       below = value->base <= 0 && is_shift(p, t, s, &p->n->hi[s], &target->hi[s]);
  return (above || add_bound(p, t, value, &target->lo[s], 1, 0)) &&
         (below || add_bound(p, t, value, &target->hi[s], -1, 1));
}

/* A range or `*` meets the domain of an index that stands alone */
static bool require_some(points *p, const bound_term *t, const nest *target, int s)
{
  const bound_index *x = &t->index[s];
  inequality some = { .base = -1 };
  if (!nest_stands_alone(target, s))
    return false;
  if (x->kind == CDAG_ALL)
    return true; /* an array without elements is met before */
  bool good = add_scaled(&some, &x->hi, 1, p->n->rank) && add_scaled(&some, &x->lo, -1, p->n->rank);
  if (good)
    keep(p, &some);
  return good && add_bound(p, t, &x->hi, &target->lo[s], 1, 1) && add_bound(p, t, &x->lo, &target->hi[s], -1, 1);
}

/* value + margin >= 0, value = a - b times sign */
static bool require_difference(points *p, const inequality *a, const inequality *b, int sign, int64_t margin)
{
  inequality i = { .base = margin };
  int64_t part;
  bool good = num_sub(a->base, b->base, &part) && num_mul(part, sign, &part) && num_add(i.base, part, &i.base);
  for (int r = 0; r < p->n->rank && good; r++)
    good = num_sub(a->coef[r], b->coef[r], &part) && num_mul(part, sign, &i.coef[r]);
  if (good)
    keep(p, &i);
  return good;
}

bool points_require_true(points *p, const expr *e)
{
  inequality a = { 0 }, b = { 0 };
  int64_t none[1] = { 0 };
  expr_env env = { none, NULL };
  if (e->op == EXPR_MIN && expr_is_truth(e))
    return points_require_true(p, e->arg[0]) && points_require_true(p, e->arg[1]);
  if (!expr_is_comparison(e) || e->op == EXPR_NE || expr_uses_table(e) ||
      !expr_affine(e->arg[0], &env, 0, CDAG_RANK, &a.base, a.coef) ||
      !expr_affine(e->arg[1], &env, 0, CDAG_RANK, &b.base, b.coef))
    return false;
  bool less = e->op == EXPR_LT || e->op == EXPR_LE || e->op == EXPR_EQ,
       more = e->op == EXPR_GT || e->op == EXPR_GE || e->op == EXPR_EQ;
  return (!less || require_difference(p, &b, &a, 1, -(e->op == EXPR_LT))) &&
         (!more || require_difference(p, &a, &b, 1, -(e->op == EXPR_GT)));
}

bool points_affine_condition(const expr *e)
{
  SCOPED_MEM points *p = MEM_NEW(points, 1);
  nest n = { .rank = 0 };
  points_init(p, NULL, &n);
  return points_require_true(p, e);
}

/* The conditions whose truth gives a form of guards its value 0. */
static bool require_guards(points *p, const expr *rest)
{
  if (rest->op == EXPR_ADD)
    return require_guards(p, rest->arg[0]) && require_guards(p, rest->arg[1]);
  return points_require_true(p, rest->arg[0]->arg[0]);
}

static bool require_conditions(points *p, const bound_term *t)
{
  bool good = true;
  for (int s = 0; s < t->rank && good; s++)
    good = !t->index[s].lo.plain_guard || require_guards(p, t->index[s].lo.rest);
  return good;
}

bool points_require(points *p, const bound_term *t)
{
  const nest *target = &p->g->priv->dom[t->array];
  bool good = require_conditions(p, t);
  if (target->count == 0)
    p->impossible = true;
  for (int s = 0; s < t->rank && good; s++)
    good = t->index[s].kind == CDAG_AT ? require_at(p, t, target, s) : require_some(p, t, target, s);
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

/* ---- folding: inequalities into bounds ---- */

/* a - b */
static bool difference(const form *a, const form *b, form *d)
{
  *d = (form){ .base = 0 };
  bool good = !a->rest && !b->rest && num_sub(a->base, b->base, &d->base);
  for (int q = 0; q < CDAG_RANK && good; q++)
    good = num_sub(a->coef[q], b->coef[q], &d->coef[q]);
  return good;
}

/* The greater (sign > 0) or smaller of two bounds, when one is so on the whole nest. */
static bool dominant(const nest *n, const form *old, const form *new, int sign, form *chosen)
{
  form up, down;
  if (!difference(new, old, &up) || !difference(old, new, &down))
    return false;
  bool new_is_greater = nest_least(n, up.base, up.coef) >= 0, old_is_greater = nest_least(n, down.base, down.coef) >= 0;
  if (!new_is_greater && !old_is_greater)
    return false;
  *chosen = (sign > 0) == new_is_greater ? *new : *old;
  return true;
}

/* What the inequality, coefficient 1 or -1 at its last variable, says about that variable: v >= f, or v < f. */
static form bound_of(const inequality *i)
{
  form f = { .var = -2 };
  int sign = i->coef[i->depth] > 0 ? -1 : 1;
  f.base = sign * i->base + (sign > 0);
  for (int q = 0; q < i->depth; q++) {
    f.coef[q] = sign * i->coef[q];
    f.affine_vars |= f.coef[q] != 0 ? 1u << q : 0;
  }
  if (f.affine_vars == 0)
    f.var = -1;
  return f;
}

/* A point that exists has lower bounds below upper ones, which says something about the variables before. */
static void require_room(points *p, const form *lo, const form *hi)
{
  inequality i = { .base = -1 };
  if (!lo->rest && !hi->rest && add_scaled(&i, hi, 1, p->n->rank) && add_scaled(&i, lo, -1, p->n->rank))
    keep(p, &i);
}

static void require_rooms(points *p)
{
  for (int r = p->n->rank - 1; r > 0; r--)
    for (int a = -1, n = p->count; a < n && p->count < INEQUALITIES / 2; a++)
      for (int b = -1; b < n && p->count < INEQUALITIES / 2; b++) {
        const inequality *low = a < 0 ? NULL : &p->of[a], *high = b < 0 ? NULL : &p->of[b];
        if ((low && (low->depth != r || low->coef[r] != 1)) || (high && (high->depth != r || high->coef[r] != -1)))
          continue;
        if ((low && !is_soft(low)) || (high && !is_soft(high)))
          continue;
        form lo = low ? bound_of(low) : p->n->lo[r], hi = high ? bound_of(high) : p->n->hi[r];
        require_room(p, &lo, &hi);
      }
}

static bool fold_into(const points *p, const nest *before, int r, form *lo, form *hi)
{
  for (int k = 0; k < p->count; k++) {
    const inequality *i = &p->of[k];
    if (i->depth != r)
      continue;
    int64_t c = i->coef[r];
    form f = bound_of(i);
    form *bound = c > 0 ? lo : hi;
    if (!is_soft(i) || (c != 1 && c != -1) || !dominant(before, bound, &f, c > 0 ? 1 : -1, bound))
      return false;
  }
  return true;
}

/* The nest with every inequality made a bound of its last variable, if that can be done; it shares its forms. */
static bool fold(const points *p, nest *folded)
{
  bool good = true;
  folded->table = p->g->table;
  for (int k = 0; k < p->count && good; k++)
    good = p->of[k].depth >= 0;
  for (int r = 0; r < p->n->rank && good; r++) {
    form lo = p->n->lo[r], hi = p->n->hi[r];
    good = fold_into(p, folded, r, &lo, &hi) && nest_add_forms(folded, &lo, &hi, p->g->table) == OK;
  }
  return good && nest_finish(folded, p->g, "", 0, 0, NULL) == OK;
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
  if (p->count == 0) { /* nothing is asked */
    *count = p->n->count;
    return true;
  }
  nest folded = { .rank = 0 };
  require_rooms(p);
  if (p->impossible)
    return true;
  bool whole = fold(p, &folded);
  *count = folded.count;
  nest_clear_sums(&folded);
  if (whole)
    return true;
  *count = 0;
  find_later(&c);
  if (holds(&c, -1))
    *count = count_from(&c, 0);
  *budget = c.spent ? 0 : c.budget;
  return !c.spent;
}
