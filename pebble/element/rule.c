/* pebble/element/rule.c -- rules in numbers.

   Everything stays far inside 64 bits: coefficients up to 2^18, constants up to 2^60, variables up to 2^40 (an array
   that the element engine can hold is no longer than that, and one that lies further out is left to the plain path). */
#include "pebble/element/rule.h"
#include "base/mem.h"
#include "base/num.h"

#define LARGEST_COEF (INT64_C(1) << 18)
#define LARGEST_BASE (INT64_C(1) << 60)
#define LARGEST_INDEX (INT64_C(1) << 40)

static bool within(int64_t v, int64_t limit) { return v >= -limit && v <= limit; }

static bool small_form(const element_form *f)
{
  bool good = within(f->base, LARGEST_BASE);
  for (int r = 0; r < CDAG_RANK; r++)
    good = good && within(f->coef[r], LARGEST_COEF);
  return good;
}

static bool small_hull(const cdag_array *a)
{
  bool good = true;
  for (int r = 0; r < a->rank; r++)
    good = good && within(a->hull.lo[r], LARGEST_INDEX) && within(a->hull.hi[r], LARGEST_INDEX);
  return good;
}

static element_form constant(int64_t value) { return (element_form){ .affine = true, .var = -1, .base = value }; }

/* base + x[var], base, or neither */
static int single_variable(const element_form *f)
{
  int var = -1;
  for (int r = 0; r < CDAG_RANK; r++)
    if (f->coef[r] != 0) {
      if (var >= 0 || f->coef[r] != 1)
        return -2;
      var = r;
    }
  return f->affine ? var : -2;
}

/* e, whose slots are the parameters and then `rank` variables. */
static element_form form_of(const cdag *g, const expr *e, int rank)
{
  element_form f = { .e = e };
  int64_t coef[CDAG_RANK] = { 0 };
  SCOPED_MEM int64_t *slot = MEM_NEW(int64_t, (size_t)g->params + CDAG_RANK);
  for (int i = 0; i < g->params; i++)
    slot[i] = g->param[i].value;
  expr_env env = { slot, g->table };
  f.affine = expr_affine(e, &env, g->params, rank, &f.base, coef);
  for (int r = 0; r < rank; r++)
    f.coef[r] = f.affine ? coef[r] : 0;
  f.uses = expr_slots(e, g->params, rank);
  if (!f.affine)
    f.base = 0;
  f.var = single_variable(&f);
  return f;
}

static void domain_init(element_domain *d, const cdag *g, const cdag_array *a)
{
  bool good = small_hull(a), affine = true;
  d->rectangular = a->rectangular;
  d->hull = a->hull;
  for (int r = 0; r < a->rank && !a->rectangular; r++) {
    d->lo[r] = form_of(g, a->lo[r], r);
    d->hi[r] = form_of(g, a->hi[r], r);
    good = good && small_form(&d->lo[r]) && small_form(&d->hi[r]);
    affine = affine && d->lo[r].affine && d->hi[r].affine;
  }
  d->usable = good;
  d->affine = good && affine;
}

static bool term_init(element_term *t, const cdag *g, const cdag_term *of, int rank)
{
  const cdag_array *a = &g->array[of->array];
  bool good = true;
  t->array = of->array;
  t->rank = a->rank;
  t->all = -1;
  for (int q = 0; q < a->rank; q++) {
    const cdag_index *x = &of->index[q];
    if (x->kind == CDAG_AT) {
      t->index[q] = form_of(g, x->lo, rank);
      good = good && small_form(&t->index[q]);
      continue;
    }
    good = good && t->all < 0 && a->rectangular; /* one such dimension, of a plain array */
    t->all = q;
    t->index[q] = constant(a->hull.lo[q]);
    t->all_lo = x->kind == CDAG_ALL ? constant(a->hull.lo[q]) : form_of(g, x->lo, rank);
    t->all_hi = x->kind == CDAG_ALL ? constant(a->hull.hi[q]) : form_of(g, x->hi, rank);
    good = good && small_form(&t->all_lo) && small_form(&t->all_hi);
  }
  return good;
}

static void rule_init(element_rule *rule, const cdag *g, const cdag_array *a)
{
  rule->rank = a->rank;
  rule->terms = a->terms;
  rule->term = MEM_NEW(element_term, (size_t)a->terms);
  domain_init(&rule->domain, g, a);
  rule->usable = rule->domain.usable;
  for (int t = 0; t < a->terms; t++)
    rule->usable &= term_init(&rule->term[t], g, &a->term[t], a->rank);
}

static bool is_point(const element_term *t)
{
  bool affine = t->all < 0;
  for (int q = 0; q < t->rank; q++)
    affine = affine && t->index[q].affine;
  return affine;
}

/* A term is as good as the domain of what it reads. */
static void settle(element_rule *rule, const element_rule *all)
{
  for (int t = 0; t < rule->terms; t++)
    rule->usable &= all[rule->term[t].array].domain.usable;
  rule->points = rule->usable && rule->domain.affine;
  for (int t = 0; t < rule->terms; t++)
    rule->points &= all[rule->term[t].array].domain.affine && is_point(&rule->term[t]);
}

element_rule *element_rules_new(const cdag *g)
{
  element_rule *rule = MEM_NEW(element_rule, (size_t)g->arrays);
  if (g->graph) /* adjacency instead of rules */
    return rule;
  for (int i = 0; i < g->arrays; i++)
    rule_init(&rule[i], g, &g->array[i]);
  for (int i = 0; i < g->arrays; i++)
    settle(&rule[i], rule);
  return rule;
}

void element_rules_free(element_rule *rule, int arrays)
{
  for (int i = 0; i < arrays; i++)
    mem_free(rule[i].term);
  mem_free(rule);
}

/* Not affine: a constant along the run, when all it reads is. */
static bool evaluate(const cdag *g, const element_form *f, const element_line *y, int rank, element_line *out,
                     bool *absent)
{
  int64_t slot[64 + CDAG_RANK];
  expr_env env = { slot, g->table };
  if (g->params > 64)
    return false;
  for (int r = 0; r < rank; r++)
    if ((f->uses >> r & 1) && y[r].slope != 0)
      return false;
  for (int i = 0; i < g->params; i++)
    slot[i] = g->param[i].value;
  for (int r = 0; r < rank; r++)
    slot[g->params + r] = y[r].base;
  out->slope = 0;
  expr_result result = expr_eval(f->e, &env, &out->base, NULL);
  *absent = result == EXPR_ABSENT;
  return result == EXPR_OK && within(out->base, LARGEST_BASE);
}

bool element_form_general(const cdag *g, const element_form *f, const element_line *y, int rank, element_line *out,
                          bool *absent)
{
  *absent = false;
  if (!f->affine)
    return evaluate(g, f, y, rank, out, absent);
  bool good = true;
  int64_t part;
  out->base = f->base;
  out->slope = 0;
  for (int r = 0; r < rank && good; r++) {
    good = num_mul(f->coef[r], y[r].base, &part) &&
           num_add(out->base, part, &out->base); /* unreachable: that the sum overflows and no product */
    out->slope += f->coef[r] * y[r].slope; /* an index's slope is a coefficient: 8 products of 2^18 by 2^18 */
  }
  return good && within(out->base, LARGEST_BASE);
}

void element_clip_slope(element_line l, int64_t *lo, int64_t *hi)
{
  if (l.slope > 0)
    *lo = num_max(*lo, l.slope == 1 ? -l.base : -num_floor_div(l.base, l.slope)); /* x >= -base/slope */
  else
    *hi = num_min(*hi, (l.slope == -1 ? l.base : num_floor_div(l.base, -l.slope)) + 1);
  if (*hi < *lo)
    *hi = *lo;
}
