/* schedules/sign/sign.c -- is a polynomial nowhere negative while the loops around it run?

   Atoms are counts and lengths, none of them negative, so a polynomial without negative terms is not.  Iterations are
   related: the iteration t of a loop with T of them, when it is neither the first nor the last, has 1 <= t <= T - 2,
   and T may hold the iteration of a loop around it, as in `for J in hi(I) by a`.  A relation g >= 0 in which an atom x
   stands alone with coefficient 1 lets x be written as x - g and something that is not negative, which gets a name;
   what has no negative terms after that is proved. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/symbolic/internal.h"

/* The number of iterations of a loop that is walked: it has some. */
static bool counts_iterations(const formula *f, int atom)
{
  bool counts = false;
  int iterations;
  for (int l = 0; l < f->s->loops && !counts; l++) {
    const iteration_kind *k = &f->kind[l];
    counts = (k->open || k->running || k->only) && poly_is_atom(&k->iterations, &iterations) && iterations == atom;
  }
  return counts;
}

/* Is p a number more than what was said to be a condition? */
static bool is_granted(formula *f, const poly *p)
{
  bool is = false;
  for (size_t i = 0; i < f->granted.n && !is; i++) {
    poly more = { 0 };
    int64_t by;
    poly_copy(&more, p);
    poly_add(&f->world, &more, &f->granted.p[i], -1, 1);
    is = poly_constant(&more, &by) && by >= 0;
    poly_clear(&more);
  }
  return is;
}

static bool ceiling_not_negative(formula *f, int atom)
{
  poly x = { 0 };
  poly_set_atom(&x, atom);
  bool not = formula_plain(f, &f->world.atom[atom].p) || counts_iterations(f, atom) || is_granted(f, &x) ||
             is_granted(f, &f->world.atom[atom].p);
  poly_clear(&x);
  return not;
}

/* Depth: of atoms in atoms. */
bool formula_atom_not_negative(formula *f, int atom)
{
  const poly_atom *a = &f->world.atom[atom];
  span_env env = { f->span, f->s->g->table, false };
  span s;
  switch (a->kind) {
  case ATOM_SLOT: return f->span[a->slot].least >= 0;
  case ATOM_EXPR: return span_of(a->e, &env, &s) && s.least >= 0;
  case ATOM_CEIL: return ceiling_not_negative(f, atom);
  case ATOM_MIN: return formula_plain(f, &a->p) && formula_plain(f, &a->q);
  default: return true;
  }
}

bool formula_plain(formula *f, const poly *e)
{
  for (size_t i = 0; i < e->n; i++) {
    if (e->term[i].num < 0)
      return false;
    for (int k = 0; k < e->term[i].n; k++)
      if (!formula_atom_not_negative(f, e->term[i].f[k].atom))
        return false;
  }
  return true;
}

static bool prove(formula *f, const poly *e, int loop);

/* e with `by` in the place of atom; then the loops from `next` on. */
static bool prove_with(formula *f, const poly *e, int atom, const poly *by, int next)
{
  poly with = { 0 };
  poly_copy(&with, e);
  poly_substitute(&f->world, &with, atom, by);
  bool proved = prove(f, &with, next);
  poly_clear(&with);
  return proved;
}

int formula_iteration_atom(formula *f, int loop) { return poly_iteration(&f->world, loop, f->s->loop[loop].name); }

bool formula_reads_iterations(const formula *f, const poly *p, int but)
{
  for (int i = 0; i < f->world.n; i++)
    if (f->world.atom[i].kind == ATOM_ITERATION && i != but && poly_uses(&f->world, p, i))
      return true;
  return false;
}

/* What a loop's relation leaves over. */
static void slack(formula *f, int loop, poly *out)
{
  poly_set_atom(out, poly_iteration(&f->world, f->s->loops + loop, f->s->loop[loop].name));
}

void formula_iterations_beyond(formula *f, int loop, poly *g)
{
  poly part = { 0 };
  poly_copy(g, &f->kind[loop].iterations);
  poly_set(&part, f->kind[loop].late ? 3 : 2);
  poly_add(&f->world, g, &part, -1, 1);
  if (f->kind[loop].middle) {
    poly_set_atom(&part, formula_iteration_atom(f, loop));
    poly_add(&f->world, g, &part, -1, 1);
  }
  poly_clear(&part);
}

/* Does the atom stand in g alone, with coefficient 1 or -1? */
static bool stands_alone(const formula *f, const poly *g, size_t term)
{
  const poly_term *t = &g->term[term];
  if (t->n != 1 || t->f[0].power != 1 || t->den != 1 || (t->num != 1 && t->num != -1))
    return false;
  for (size_t i = 0; i < g->n; i++) {
    poly other = { .term = &g->term[i], .n = 1 };
    if (i != term && poly_uses(&f->world, &other, t->f[0].atom))
      return false;
  }
  return true;
}

/* x = x - g + slack where g has +x, x = x + g - slack where it has -x. */
static bool solve(formula *f, const poly *e, int loop, const poly *g, size_t term)
{
  poly by = { 0 }, rest = { 0 };
  int atom = g->term[term].f[0].atom, sign = g->term[term].num > 0 ? 1 : -1;
  poly_set_atom(&by, atom);
  poly_add(&f->world, &by, g, -sign, 1);
  slack(f, loop, &rest);
  poly_add(&f->world, &by, &rest, sign, 1);
  bool proved = prove_with(f, e, atom, &by, loop + 1);
  poly_clear(&by);
  poly_clear(&rest);
  return proved;
}

static bool holds_atom(const poly *e, int atom)
{
  for (size_t i = 0; i < e->n; i++)
    for (int k = 0; k < e->term[i].n; k++)
      if (e->term[i].f[k].atom == atom)
        return true;
  return false;
}

/* The atom is at least 1. */
static void raise_one(formula *f, poly *e, int atom)
{
  poly by = { 0 }, one = { 0 };
  if (!holds_atom(e, atom))
    return;
  poly_set_atom(&by, atom);
  poly_set(&one, 1);
  poly_add(&f->world, &by, &one, 1, 1);
  poly_substitute(&f->world, e, atom, &by);
  poly_clear(&by);
  poly_clear(&one);
}

/* All loops have been asked: iterations that are left are at least 1, and so are parameters. */
static bool prove_last(formula *f, const poly *e)
{
  poly with = { 0 };
  poly_copy(&with, e);
  for (int loop = 0; loop < f->s->loops; loop++)
    if (f->kind[loop].running && f->kind[loop].middle)
      raise_one(f, &with, formula_iteration_atom(f, loop));
  for (int i = 0; i < f->world.n; i++)
    if (f->world.atom[i].kind == ATOM_SLOT && f->span[f->world.atom[i].slot].least >= 1)
      raise_one(f, &with, i);
  bool proved = formula_plain(f, &with);
  poly_clear(&with);
  return proved;
}

/* A factor in common: else a relation says nothing about the polynomial. */
static bool share(const poly *e, const poly *g)
{
  for (size_t i = 0; i < g->n; i++)
    for (int k = 0; k < g->term[i].n; k++)
      if (holds_atom(e, g->term[i].f[k].atom))
        return true;
  return false;
}

/* e = g + something that is not negative? */
static bool prove_beyond(formula *f, const poly *e, int loop, const poly *g)
{
  poly rest = { 0 };
  poly_copy(&rest, e);
  poly_add(&f->world, &rest, g, -1, 1);
  bool proved = prove(f, &rest, loop + 1);
  poly_clear(&rest);
  return proved;
}

/* Loops stand in the order of the text, those around others first.  Depth: the loops of the text that run, at most
   SCHEDULE_DEPTH, and those that do not are passed over. */
static bool prove(formula *f, const poly *e, int loop)
{
  if (formula_plain(f, e))
    return true;
  while (loop < f->s->loops && !f->kind[loop].running)
    loop++;
  if (loop == f->s->loops)
    return prove_last(f, e);
  poly g = { 0 };
  formula_iterations_beyond(f, loop, &g);
  bool shared = share(e, &g), proved = prove(f, e, loop + 1) || (shared && prove_beyond(f, e, loop, &g));
  for (size_t i = 0; i < g.n && shared && !proved; i++)
    proved = stands_alone(f, &g, i) && holds_atom(e, g.term[i].f[0].atom) && solve(f, e, loop, &g, i);
  poly_clear(&g);
  return proved;
}

/* ---- most of what is asked is false: a look at one case tells ---- */

/* Parameters of middling size, iterations in the middle or (late) next to the last.  False: loops have too few
 * iterations there. */
static bool choose_case(formula *f, bool late, int64_t *slot, int64_t *iteration)
{
  const schedule *s = f->s;
  expr_env env = { slot, s->g->table };
  for (int i = 0; i < s->slot_param + s->params; i++)
    slot[i] = f->number[i] || f->span[i].most < 1 || f->span[i].least == f->span[i].most
                  ? f->slot[i]
                  : num_max(f->span[i].least, num_isqrt(f->span[i].most));
  for (int l = 0; l < s->loops; l++) {
    const iteration_kind *k = &f->kind[l];
    int64_t iterations;
    if (!k->running)
      continue;
    if (!poly_value(&f->world, &k->iterations, &env, &iterations) || iterations < 3)
      return false;
    iteration[l] = late ? iterations - 2 : iterations / 2;
  }
  return true;
}

bool formula_fails_once(formula *f, const poly *e)
{
  int64_t *slot = MEM_NEW(int64_t, (size_t)f->s->slots), *iteration = MEM_NEW(int64_t, 2 * (size_t)f->s->loops), v;
  expr_env env = { slot, f->s->g->table };
  bool negative = false;
  f->world.iteration = iteration;
  for (int late = 0; late < 2 && !negative; late++) {
    negative = choose_case(f, late, slot, iteration) && poly_value(&f->world, e, &env, &v) && v < 0;
  }
  f->world.iteration = NULL;
  mem_free(slot);
  mem_free(iteration);
  return negative;
}

bool formula_related(formula *f, const poly *e)
{
  bool failed = f->world.failed;
  bool proved = formula_plain(f, e) || (!formula_fails_once(f, e) && prove(f, e, 0) && !f->world.failed);
  f->world.failed = failed;
  return proved;
}
