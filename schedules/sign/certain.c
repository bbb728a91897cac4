/* schedules/sign/certain.c -- what decisions rest on that are made for the values at hand, so that a formula says of
   which other values it speaks.

   A decision is an inequality e >= 0.  Where it is not proved for all parameters, the iterations in it are put where it
   is least; what is left reads parameters only, and is said to be a condition.  Where that is not known, or says too
   much to be true here, the parameters on which it rests are said to have the values they have.  In iterations that
   there are not at hand there is nothing to see: what is not proved of these is not known. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/symbolic/internal.h"
#include <string.h>

bool formula_at_hand(const formula *f) { return f->holds && !f->iterations; }

bool formula_value_here(const formula *f, const poly *p, int64_t *value)
{
  expr_env env = { f->slot, f->s->g->table };
  return poly_value(&f->world, p, &env, value);
}

static bool reads_slot(const formula *f, const poly *p, int slot)
{
  const poly_world *w = &f->world;
  for (int i = 0; i < w->n; i++) {
    const poly_atom *a = &w->atom[i];
    bool reads = a->kind == ATOM_SLOT ? a->slot == slot : a->kind == ATOM_EXPR && expr_uses(a->e, slot, slot + 1);
    if (reads && poly_uses(w, p, i))
      return true;
  }
  return false;
}

/* Do the iterations at hand read it: how many they are? */
static bool iterations_read(const formula *f, int slot)
{
  for (int l = 0; l < f->s->loops; l++)
    if (f->kind[l].running && reads_slot(f, &f->kind[l].iterations, slot))
      return true;
  return false;
}

/* ---- is it known? ---- */

/* Is one of the loops in iterations that it has not? */
static bool is_missing(const formula *f)
{
  bool missing = false;
  for (int l = 0; l < f->s->loops; l++) {
    const iteration_kind *k = &f->kind[l];
    int64_t iterations;
    if ((k->running || k->only) && formula_value_here(f, &k->iterations, &iterations))
      missing |= !formula_has_iteration(k, iterations);
  }
  return missing;
}

/* By itself, or through a loop's variable. */
static bool expression_reads(const formula *f, const expr *e, int slot)
{
  bool reads = expr_uses(e, slot, slot + 1);
  for (int l = 0; l < f->s->loops && !reads; l++) {
    int of = f->s->loop[l].slot;
    reads = expr_uses(e, of, of + SCHEDULE_LOOP_SLOTS) &&
            (reads_slot(f, &f->kind[l].lo, slot) || reads_slot(f, &f->kind[l].hi, slot));
  }
  return reads;
}

void formula_grant_equal(formula *f, const poly *p, int64_t value)
{
  poly more = { 0 }, less = { 0 };
  poly_set(&less, value);
  poly_copy(&more, p);
  poly_add(&f->world, &more, &less, -1, 1);
  poly_set(&less, 0);
  poly_add(&f->world, &less, &more, -1, 1);
  poly_list_add(&f->granted, &more);
  poly_list_add(&f->granted, &less);
  poly_clear(&more);
  poly_clear(&less);
}

static void grant_value(formula *f, int slot)
{
  poly x = { 0 };
  poly_set_atom(&x, poly_slot(&f->world, slot, slot == f->s->slot_m ? "M" : "")); /* others are named already */
  formula_grant_equal(f, &x, f->slot[slot]);
  poly_clear(&x);
}

bool formula_grant_values(formula *f, const poly *p, const expr *e)
{
  const schedule *s = f->s;
  bool tables = e && expr_uses_table(e);
  if (is_missing(f))
    return false;
  for (int i = 0; i < s->slot_param + s->params; i++) {
    bool reads = iterations_read(f, i) || (p && reads_slot(f, p, i)) || (e && expression_reads(f, e, i));
    if (reads && !(tables && i < s->g->params && cdag_table_reads(s->g, i)))
      grant_value(f, i);
  }
  return true;
}

bool formula_require(formula *f, const poly *e)
{
  poly least = { 0 };
  int64_t value;
  bool failed = f->world.failed;
  poly_copy(&least, e);
  for (int loop = f->s->loops - 1; loop >= 0; loop--)
    formula_least_iteration(f, &least, loop);
  bool here = !f->world.failed && formula_value_here(f, &least, &value) && value >= 0;
  if (here && !formula_not_negative(f, &least))
    poly_list_add(&f->granted, &least);
  f->world.failed = failed;
  poly_clear(&least);
  return here;
}

bool formula_certain(formula *f, const poly *e)
{
  if (!formula_at_hand(f) || formula_not_negative(f, e) || (f->s->g->graph && formula_follows(f, e)))
    return true;
  return !is_missing(f) && (formula_require(f, e) || formula_grant_values(f, e, NULL));
}

bool formula_is_most(formula *f, const poly *a, const poly *b)
{
  poly e = { 0 };
  poly_copy(&e, b);
  poly_add(&f->world, &e, a, -1, 1);
  bool certain = formula_certain(f, &e);
  poly_clear(&e);
  return certain;
}

/* ---- saying it ---- */

static bool is_number(const poly *p) { return p->n == 0 || (p->n == 1 && p->term[0].n == 0); }

/* Terms of g of one sign, as they are without it. */
static void take_side(formula *f, const poly *g, int sign, poly *out)
{
  poly_set(out, 0);
  for (size_t i = 0; i < g->n; i++)
    if ((g->term[i].num > 0) == (sign > 0))
      poly_add(&f->world, out, &(poly){ .term = &g->term[i], .n = 1 }, sign, 1);
}

/* Without fractions, and factors in common. */
static void make_whole(formula *f, poly *g)
{
  int64_t times = 1, by = 0;
  poly whole = { 0 };
  for (size_t i = 0; i < g->n && times <= INT32_MAX; i++)
    times *= g->term[i].den / num_gcd(times, g->term[i].den);
  poly_add(&f->world, &whole, g, times, 1);
  for (size_t i = 0; i < whole.n; i++)
    by = num_gcd(by, whole.term[i].num < 0 ? -whole.term[i].num : whole.term[i].num);
  poly_set(g, 0);
  poly_add(&f->world, g, &whole, 1, by > 0 ? by : 1);
  poly_clear(&whole);
}

/* g >= 0 as d >= c + 3, or g = 0. */
static void say(formula *f, const poly *g, bool equal)
{
  poly whole = { 0 }, more = { 0 }, less = { 0 };
  text t = { 0 };
  poly_copy(&whole, g);
  make_whole(f, &whole);
  take_side(f, &whole, 1, &more);
  take_side(f, &whole, -1, &less);
  bool turned = is_number(&more) && !is_number(&less);
  poly_print(&f->world, turned ? &less : &more, false, &t);
  text_add(&t, equal ? " = " : turned ? " <= " : " >= ");
  poly_print(&f->world, turned ? &more : &less, false, &t);
  formula_grant(f, text_str(&t));
  text_clear(&t);
  poly_clear(&whole);
  poly_clear(&more);
  poly_clear(&less);
}

/* Is the parameter in the slot one that tables are made from, or that such a one is? */
static bool makes_tables(const formula *f, int slot)
{
  const cdag *g = f->s->g;
  bool makes = false;
  for (int i = 0; i < g->params && !makes; i++)
    makes = cdag_table_reads(g, i) && (i == slot || (f->alias[i] && expr_uses(f->alias[i], slot, slot + 1)));
  return makes;
}

static bool of_tables(const formula *f, const poly *p)
{
  bool only = true;
  for (int i = 0; i < f->s->slot_param + f->s->params && only; i++)
    only = !reads_slot(f, p, i) || makes_tables(f, i);
  return only;
}

/* Where the formula is for these tables only, and it reads nothing else, there is nothing to say. */
static bool is_said(formula *f, const poly *p)
{
  for (int i = 0; i < f->world.n; i++)
    if (f->world.atom[i].kind == ATOM_EXPR && poly_uses(&f->world, p, i))
      formula_grant_tables(f, f->world.atom[i].e);
  return strstr(text_str(f->holds), "the table ") && of_tables(f, p);
}

/* Of g = 0, what is not negative besides g; or i. */
static size_t opposite(formula *f, size_t i)
{
  size_t other = i;
  for (size_t k = f->known; k < f->granted.n && other == i; k++) {
    poly sum = { 0 };
    poly_copy(&sum, &f->granted.p[i]);
    poly_add(&f->world, &sum, &f->granted.p[k], 1, 1);
    other = sum.n == 0 ? k : i;
    poly_clear(&sum);
  }
  return other;
}

static bool is_known(formula *f, const poly *p) { return is_said(f, p) || formula_not_negative(f, p); }

/* Are both known by the others? */
static bool are_idle(formula *f, size_t i, size_t k)
{
  poly p = f->granted.p[i], q = f->granted.p[k];
  f->granted.p[i] = f->granted.p[k] = (poly){ 0 };
  bool idle = is_known(f, &p) && is_known(f, &q);
  f->granted.p[i] = p;
  f->granted.p[k] = q;
  return idle;
}

void formula_say_granted(formula *f)
{
  poly_list *l = &f->granted;
  for (size_t i = f->known; i < l->n; i++) {
    size_t other = opposite(f, i);
    if (l->p[i].n > 0 && are_idle(f, i, other)) {
      poly_set(&l->p[i], 0);
      poly_set(&l->p[other], 0);
    }
  }
  for (size_t i = f->known; i < l->n; i++) {
    size_t other = opposite(f, i);
    if (l->p[i].n > 0 && other >= i)
      say(f, &l->p[i], other > i);
  }
}
