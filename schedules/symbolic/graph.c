/* schedules/symbolic/graph.c -- the I/O of a schedule for an explicit graph as a formula.

   There every element is moved by itself, and what a program loads and stores is the number of such statements that are
   reached with a vertex that exists (words.c).  A box v[e] is one element or none, v[a..b] as many as there are from a
   to b, if all of them exist.  Where that is not proved for all parameters it is taken for granted: a sum that takes it
   so is the count only if it is so, as the sum is compared with the count. */
#include "schedules/symbolic/graph.h"
#include "base/num.h"
#include "schedules/symbolic/internal.h"
#include "schedules/count/words.h"
#include <string.h>

/* ---- how many vertices there are ---- */

/* Of a family with one parameter x (docs/graph-formats.md). */
static bool family_vertices(formula *f, const char *family, poly x, poly *n)
{
  poly_world *w = &f->world;
  bool fft = !strcmp(family, "fft"), tree = !strcmp(family, "tree");
  poly next = poly_shift(w, x, 1);
  if (!strcmp(family, "pyramid")) {
    *n = poly_scale(w, poly_mul(w, next, poly_shift(w, x, 2)), 1, 2);
    return true;
  }
  if ((!fft && !tree && strcmp(family, "hypercube") != 0) || !poly_power(w, 2, x, n))
    return false;
  if (fft)
    *n = poly_mul(w, *n, next);
  if (tree)
    *n = poly_shift(w, poly_scale(w, *n, 2, 1), -1);
  return true;
}

static bool vertices(formula *f, poly *n)
{
  const cdag *g = f->s->g;
  expr_env env = { f->slot, g->table };
  expr first = { .op = EXPR_SLOT, .name = g->params ? g->param[0].name : "" };
  poly x;
  span s;
  int64_t value;
  *n = poly_number(&f->world, (int64_t)g->vertices);
  return g->params == 0 || (g->params == 1 && formula_bound(f, &first, &x, &s) && family_vertices(f, g->name, x, n) &&
                            poly_value(&f->world, *n, &env, &value) && value == (int64_t)g->vertices);
}

/* ---- sums of powers ---- */

/* Terms with the same powers of numbers: these, and the sum of what they are multiplied with. */
enum { GROUPS = 16 };
typedef struct {
  poly_term powers;
  poly sum;
} group;

typedef struct { group at[GROUPS]; int n; } groups;

static void split_powers(const formula *f, const poly_term *t, poly_term *powers, poly_term *rest)
{
  *powers = (poly_term){ .num = 1, .den = 1 };
  *rest = (poly_term){ .num = t->num, .den = t->den };
  for (int k = 0; k < t->n; k++) {
    poly_term *to = f->world.atom[t->f[k].atom].kind == ATOM_POWER ? powers : rest;
    to->f[to->n++] = t->f[k];
  }
}

static bool same_factors(const poly_term *a, const poly_term *b)
{
  bool same = a->n == b->n;
  for (int k = 0; k < a->n && same; k++)
    same = a->f[k].atom == b->f[k].atom && a->f[k].power == b->f[k].power;
  return same;
}

static bool find_groups(formula *f, poly p, groups *g)
{
  g->n = 0;
  for (uint32_t i = 0; i < p.n; i++) {
    poly_term powers, rest;
    int k = 0;
    split_powers(f, &p.term[i], &powers, &rest);
    while (k < g->n && !same_factors(&g->at[k].powers, &powers))
      k++;
    if (k == GROUPS)
      return false;
    if (k == g->n)
      g->at[g->n++] = (group){ .powers = powers };
    g->at[k].sum = poly_with_term(&f->world, g->at[k].sum, &rest);
  }
  return true;
}


/* Exponents of a less those of b, where both are powers of one number. */
static bool exponents(formula *f, const group *a, const group *b, int64_t *base, poly *e)
{
  const poly_term *t[2] = { &a->powers, &b->powers };
  bool same = true;
  *base = 0;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < t[i]->n; k++) {
      const poly_atom *x = &f->world.atom[t[i]->f[k].atom];
      same &= *base == 0 || *base == x->base;
      *base = x->base;
      *e = poly_add_times(&f->world, *e, x->p, i ? -t[i]->f[k].power : t[i]->f[k].power, 1);
    }
  return same && *base > 0;
}

/* a's powers are no less than `times` those of b: can a make up for all of b, which is nowhere positive?  Then what is
 * left of both is in a. */
static bool makes_up_at(formula *f, group *a, group *b, int64_t times)
{
  poly left = poly_add_times(&f->world, a->sum, b->sum, 1, times);
  bool enough = formula_not_negative(f, left);
  if (enough) {
    a->sum = left;
    b->sum = (poly){ 0 };
  }
  return enough;
}

static bool makes_up(formula *f, group *a, group *b)
{
  poly e = { 0 };
  int64_t base, times = 1;
  bool enough = false, may = a != b && formula_not_negative(f, poly_scale(&f->world, b->sum, -1, 1)) &&
                             exponents(f, a, b, &base, &e);
  while (may && !enough && formula_not_negative(f, e)) {
    enough = makes_up_at(f, a, b, times);
    e = poly_shift(&f->world, e, -1);
    may = num_mul(times, base, &times);
  }
  return enough;
}

/* A sum of powers times what is not negative, or as much as others make up for? */
static bool by_powers(formula *f, poly p)
{
  groups g;
  bool good = find_groups(f, p, &g);
  for (int k = 0; k < g.n && good; k++) {
    int by = 0;
    good = formula_not_negative(f, g.at[k].sum);
    for (; by < g.n && !good; by++)
      good = makes_up(f, &g.at[by], &g.at[k]);
  }
  return good;
}

bool formula_powers(formula *f, poly e)
{
  bool any = false;
  for (uint32_t i = 0; i < e.n && !any; i++)
    for (int k = 0; k < e.term[i].n; k++)
      any |= f->world.atom[e.term[i].f[k].atom].kind == ATOM_POWER;
  return any && by_powers(f, e);
}

/* ---- quotients ---- */

/* 1/by, where it is a product of powers. */
static bool inverted(const formula *f, poly by, poly_term *out)
{
  poly_term powers, rest;
  if (by.n != 1 || by.term[0].num <= 0)
    return false;
  split_powers(f, &by.term[0], &powers, &rest);
  *out = (poly_term){ .num = rest.den, .den = rest.num, .n = powers.n };
  for (int k = 0; k < powers.n; k++)
    out->f[k] = (poly_factor){ powers.f[k].atom, (int16_t)-powers.f[k].power };
  return rest.n == 0 && powers.n > 0;
}

/* Is a term an integer?  Other atoms are. */
static bool is_whole(formula *f, const poly_term *t)
{
  group a = { 0 }, one = { 0 };
  poly_term rest;
  poly e = { 0 };
  int64_t base;
  split_powers(f, t, &a.powers, &rest);
  return t->den == 1 && (a.powers.n == 0 || (exponents(f, &a, &one, &base, &e) && formula_not_negative(f, e)));
}

bool formula_quotient(formula *f, poly p, poly by, poly *q)
{
  poly_term inverse, t;
  if (!inverted(f, by, &inverse))
    return false;
  *q = (poly){ 0 };
  for (uint32_t i = 0; i < p.n; i++) {
    if (!poly_term_times(&p.term[i], &inverse, &t) || !is_whole(f, &t))
      return false;
    *q = poly_with_term(&f->world, *q, &t);
  }
  return true;
}

/* ---- least values ---- */

bool formula_is_linear(formula *f, poly p, int atom, poly *coefficient)
{
  poly_world *w = &f->world;
  poly rest = poly_substitute(w, p, atom, (poly){ 0 });
  return !poly_uses(w, rest, atom) && poly_divide(w, poly_sub(w, p, rest), poly_variable(w, atom), coefficient) &&
         !poly_uses(w, *coefficient, atom);
}

/* It is 1, or the last but one. */
poly formula_least_iteration(formula *f, poly p, int loop)
{
  poly_world *w = &f->world;
  const iteration_kind *k = &f->kind[loop];
  int iteration = formula_iteration_atom(f, loop);
  poly c;
  if (!k->running || !k->middle || !formula_is_linear(f, p, iteration, &c))
    return p;
  if (by_powers(f, c))
    return poly_substitute(w, p, iteration, poly_number(w, 1));
  return by_powers(f, poly_scale(w, c, -1, 1)) ? poly_substitute(w, p, iteration, poly_shift(w, k->iterations, -2)) : p;
}

/* Not negative, whatever the parameters?  Iterations of inner loops go first: how many there are may depend on outer
 * ones. */
static bool proved(formula *f, poly p)
{
  bool failed = f->world.failed, good = by_powers(f, p);
  for (int loop = f->s->loops - 1; loop >= 0 && !good; loop--) {
    p = formula_least_iteration(f, p, loop);
    good = by_powers(f, p);
  }
  good = good && !f->world.failed;
  f->world.failed = failed;
  return good;
}

/* ---- do the vertices of a box exist ---- */

/* a >= b? */
static bool beyond(formula *f, poly a, poly b) { return proved(f, poly_sub(&f->world, a, b)); }

typedef enum { ALL, NONE, UNCLEAR } existing;

/* Vertices from lo on, before hi. */
static existing exist(formula *f, poly lo, poly hi)
{
  poly n, zero = { 0 };
  bool known = vertices(f, &n);
  if (beyond(f, zero, hi) || (known && beyond(f, lo, n)))
    return NONE;
  return known && beyond(f, lo, zero) && beyond(f, n, hi) ? ALL : UNCLEAR;
}

/* v[e]: one, where it is not known to be none.  An expression that is no polynomial is not understood, which is no
 * reason to give up. */
static existing single(formula *f, const expr *e)
{
  poly lo;
  span s;
  formula_said so_far = formula_so_far(f);
  existing which = formula_bound(f, e, &lo, &s) ? exist(f, lo, poly_shift(&f->world, lo, 1)) : UNCLEAR;
  if (which == UNCLEAR)
    formula_unsay(f, so_far);
  else
    formula_forget(f->reason, so_far.reason);
  return which;
}

static bool several(formula *f, const schedule_index *x, poly *volume, existing *which)
{
  interval at = { 0 };
  bool ok = formula_interval(f, x, &at);
  if (ok) {
    *volume = interval_extent(f, &at);
    *which = exist(f, at.lo, at.hi);
  }
  return ok;
}

bool formula_vertices(formula *f, const schedule_box *b, poly *volume)
{
  const schedule_index *x = &b->index[0];
  existing which = ALL;
  bool ok = true;
  if (x->kind == CDAG_ALL)
    ok = vertices(f, volume) ||
         formula_fail(f, b->line, "v[*] is as many as the graph has vertices, and there is no formula for that");
  else if (x->kind == CDAG_RANGE || x->loop >= 0)
    ok = several(f, x, volume, &which);
  else {
    *volume = poly_number(&f->world, 1);
    which = single(f, x->lo);
  }
  if (which == NONE)
    *volume = (poly){ 0 };
  else if (which == UNCLEAR)
    formula_grant(f, "every vertex that is named exists");
  return ok;
}

bool formula_graph_io(formula *f, num_count *io)
{
  return schedule_words(f->s, io) ||
         formula_fail(f, 0, "what it moves cannot be counted without playing it, to be compared with a formula");
}
