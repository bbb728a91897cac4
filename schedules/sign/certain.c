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

bool formula_at_hand(const formula *f) { return f->holds; }

bool formula_value_here(const formula *f, poly p, int64_t *value)
{
  expr_env env = { f->slot, f->s->g->table };
  return poly_value(&f->world, p, &env, value);
}

static bool reads_slot(const formula *f, poly p, int slot)
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
    if (f->kind[l].running && reads_slot(f, f->kind[l].iterations, slot))
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
    if ((k->running || k->only) && formula_value_here(f, k->iterations, &iterations))
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
            (reads_slot(f, f->kind[l].lo, slot) || reads_slot(f, f->kind[l].hi, slot));
  }
  return reads;
}

void formula_grant_equal(formula *f, poly p, int64_t value)
{
  poly more = poly_shift(&f->world, p, -value);
  poly_list_add(&f->granted, more);
  poly_list_add(&f->granted, poly_scale(&f->world, more, -1, 1));
}

bool formula_grant_values(formula *f, poly p, const expr *e)
{
  const schedule *s = f->s;
  bool tables = e && expr_uses_table(e);
  if (is_missing(f))
    return false;
  for (int i = 0; i < s->slot_param + s->params; i++) {
    bool reads = iterations_read(f, i) || reads_slot(f, p, i) || (e && expression_reads(f, e, i));
    if (reads && !(tables && i < s->g->params && cdag_table_reads(s->g, i)))
      formula_grant_equal(f, poly_variable(&f->world, poly_slot(&f->world, i, i == s->slot_m ? "M" : "")),
                          f->slot[i]); /* others are named already */
  }
  return true;
}

bool formula_require(formula *f, poly e)
{
  int64_t value;
  bool failed = f->world.failed;
  for (int loop = f->s->loops - 1; loop >= 0; loop--)
    e = formula_least_iteration(f, e, loop);
  bool here = !f->world.failed && formula_value_here(f, e, &value) && value >= 0;
  if (here && !formula_not_negative(f, e))
    poly_list_add(&f->granted, e);
  f->world.failed = failed;
  return here;
}

bool formula_certain(formula *f, poly e)
{
  if (!formula_at_hand(f) || formula_not_negative(f, e) || (f->s->g->graph && formula_follows(f, e)))
    return true;
  return !is_missing(f) && (formula_require(f, e) || formula_grant_values(f, e, NULL));
}

bool formula_is_most(formula *f, poly a, poly b) { return formula_certain(f, poly_sub(&f->world, b, a)); }

/* ---- saying it ---- */

static bool is_number(poly p) { return p.n == 0 || (p.n == 1 && p.term[0].n == 0); }

/* Terms of g of one sign, as they are without it. */
static poly take_side(formula *f, poly g, int sign)
{
  poly out = { 0 };
  for (uint32_t i = 0; i < g.n; i++)
    if ((g.term[i].num > 0) == (sign > 0))
      out = poly_with_term(&f->world, out, &g.term[i]);
  return poly_scale(&f->world, out, sign, 1);
}

/* Without fractions, and factors in common. */
static poly make_whole(formula *f, poly g)
{
  int64_t times = 1, by = 0;
  for (uint32_t i = 0; i < g.n && times <= INT32_MAX; i++)
    times *= g.term[i].den / num_gcd(times, g.term[i].den);
  g = poly_scale(&f->world, g, times, 1);
  for (uint32_t i = 0; i < g.n; i++)
    by = num_gcd(by, g.term[i].num < 0 ? -g.term[i].num : g.term[i].num);
  return poly_scale(&f->world, g, 1, by > 0 ? by : 1);
}

/* g >= 0 as d >= c + 3, or g = 0. */
static void say(formula *f, poly g, bool equal)
{
  g = make_whole(f, g);
  poly more = take_side(f, g, 1), less = take_side(f, g, -1);
  SCOPED_TEXT t = { 0 };
  bool turned = is_number(more) && !is_number(less);
  poly_print(&f->world, turned ? less : more, &t);
  text_add(&t, equal ? " = " : turned ? " <= " : " >= ");
  poly_print(&f->world, turned ? more : less, &t);
  formula_grant(f, text_str(&t));
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

static bool of_tables(const formula *f, poly p)
{
  bool only = true;
  for (int i = 0; i < f->s->slot_param + f->s->params && only; i++)
    only = !reads_slot(f, p, i) || makes_tables(f, i);
  return only;
}

/* Where the formula is for these tables only, and it reads nothing else, there is nothing to say. */
static bool is_said(formula *f, poly p)
{
  for (int i = 0; i < f->world.n; i++)
    if (f->world.atom[i].kind == ATOM_EXPR && poly_uses(&f->world, p, i))
      formula_grant_tables(f, f->world.atom[i].e);
  return strstr(text_str(f->holds), "the table ") && of_tables(f, p);
}

/* Of g = 0, what is not negative besides g; or i. */
static size_t opposite(formula *f, size_t i)
{
  for (size_t k = f->known; k < f->granted.n; k++)
    if (poly_add(&f->world, f->granted.p[i], f->granted.p[k]).n == 0)
      return k;
  return i;
}

static bool is_known(formula *f, poly p) { return is_said(f, p) || formula_not_negative(f, p); }

/* Are both known by the others? */
static bool are_idle(formula *f, size_t i, size_t k)
{
  poly p = f->granted.p[i], q = f->granted.p[k];
  f->granted.p[i] = f->granted.p[k] = (poly){ 0 };
  bool idle = is_known(f, p) && is_known(f, q);
  f->granted.p[i] = p;
  f->granted.p[k] = q;
  return idle;
}

void formula_say_granted(formula *f)
{
  poly_list *l = &f->granted;
  for (size_t i = f->known; i < l->n; i++) {
    size_t other = opposite(f, i);
    if (l->p[i].n > 0 && are_idle(f, i, other))
      l->p[i] = l->p[other] = (poly){ 0 };
  }
  for (size_t i = f->known; i < l->n; i++) {
    size_t other = opposite(f, i);
    if (l->p[i].n > 0 && other >= i)
      say(f, l->p[i], other > i);
  }
}
