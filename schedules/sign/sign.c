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
    counts = (k->open || k->running || k->only) && poly_is_atom(k->iterations, &iterations) && iterations == atom;
  }
  return counts;
}

/* Is p a number more than what was said to be a condition? */
static bool is_granted(formula *f, poly p)
{
  int64_t by;
  for (size_t i = 0; i < f->granted.n; i++)
    if (poly_constant(poly_sub(&f->world, p, f->granted.p[i]), &by) && by >= 0)
      return true;
  return false;
}

static bool ceiling_not_negative(formula *f, int atom)
{
  return formula_plain(f, f->world.atom[atom].p) || counts_iterations(f, atom) ||
         is_granted(f, poly_variable(&f->world, atom)) || is_granted(f, f->world.atom[atom].p);
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
  case ATOM_MIN: return formula_plain(f, a->p) && formula_plain(f, a->q);
  default: return true;
  }
}

bool formula_plain(formula *f, poly e)
{
  for (uint32_t i = 0; i < e.n; i++) {
    if (e.term[i].num < 0)
      return false;
    for (int k = 0; k < e.term[i].n; k++)
      if (!formula_atom_not_negative(f, e.term[i].f[k].atom))
        return false;
  }
  return true;
}

static bool prove(formula *f, poly e, int loop);

int formula_iteration_atom(formula *f, int loop) { return poly_iteration(&f->world, loop, f->s->loop[loop].name); }

bool formula_reads_iterations(const formula *f, poly p, int but)
{
  for (int i = 0; i < f->world.n; i++)
    if (f->world.atom[i].kind == ATOM_ITERATION && i != but && poly_uses(&f->world, p, i))
      return true;
  return false;
}

poly formula_iterations_beyond(formula *f, int loop)
{
  const iteration_kind *k = &f->kind[loop];
  poly g = poly_shift(&f->world, k->iterations, k->late ? -3 : -2);
  return k->middle ? poly_sub(&f->world, g, poly_variable(&f->world, formula_iteration_atom(f, loop))) : g;
}

/* Does the atom stand in g alone, with coefficient 1 or -1? */
static bool stands_alone(const formula *f, poly g, uint32_t term)
{
  const poly_term *t = &g.term[term];
  if (t->n != 1 || t->f[0].power != 1 || t->den != 1 || (t->num != 1 && t->num != -1))
    return false;
  for (uint32_t i = 0; i < g.n; i++)
    if (i != term && poly_uses(&f->world, (poly){ &g.term[i], 1, 1 }, t->f[0].atom))
      return false;
  return true;
}

/* x = x - g + slack where g has +x, x = x + g - slack where it has -x: what the loop's relation leaves over. */
static bool solve(formula *f, poly e, int loop, poly g, uint32_t term)
{
  poly_world *w = &f->world;
  int atom = g.term[term].f[0].atom, sign = g.term[term].num > 0 ? 1 : -1,
      slack = poly_iteration(w, f->s->loops + loop, f->s->loop[loop].name);
  poly more = poly_sub(w, poly_variable(w, slack), g);
  return prove(f, poly_substitute(w, e, atom, poly_add_times(w, poly_variable(w, atom), more, sign, 1)), loop + 1);
}

static bool holds_atom(poly e, int atom)
{
  for (uint32_t i = 0; i < e.n; i++)
    for (int k = 0; k < e.term[i].n; k++)
      if (e.term[i].f[k].atom == atom)
        return true;
  return false;
}

/* The atom is at least 1. */
static poly raise_one(formula *f, poly e, int atom)
{
  poly_world *w = &f->world;
  return holds_atom(e, atom) ? poly_substitute(w, e, atom, poly_shift(w, poly_variable(w, atom), 1)) : e;
}

/* All loops have been asked: iterations that are left are at least 1, and so are parameters. */
static bool prove_last(formula *f, poly e)
{
  for (int loop = 0; loop < f->s->loops; loop++)
    if (f->kind[loop].running && f->kind[loop].middle)
      e = raise_one(f, e, formula_iteration_atom(f, loop));
  for (int i = 0; i < f->world.n; i++)
    if (f->world.atom[i].kind == ATOM_SLOT && f->span[f->world.atom[i].slot].least >= 1)
      e = raise_one(f, e, i);
  return formula_plain(f, e);
}

/* A factor in common: else a relation says nothing about the polynomial. */
static bool share(poly e, poly g)
{
  for (uint32_t i = 0; i < g.n; i++)
    for (int k = 0; k < g.term[i].n; k++)
      if (holds_atom(e, g.term[i].f[k].atom))
        return true;
  return false;
}

/* Loops stand in the order of the text, those around others first.  Depth: the loops of the text that run, at most
   SCHEDULE_DEPTH, and those that do not are passed over. */
static bool prove(formula *f, poly e, int loop)
{
  if (formula_plain(f, e))
    return true;
  while (loop < f->s->loops && !f->kind[loop].running)
    loop++;
  if (loop == f->s->loops)
    return prove_last(f, e);
  poly g = formula_iterations_beyond(f, loop);
  bool shared = share(e, g), proved = prove(f, e, loop + 1);
  proved = proved || (shared && prove(f, poly_sub(&f->world, e, g), loop + 1)); /* g, and what is not negative? */
  for (uint32_t i = 0; i < g.n && shared && !proved; i++)
    proved = stands_alone(f, g, i) && holds_atom(e, g.term[i].f[0].atom) && solve(f, e, loop, g, i);
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
    if (!poly_value(&f->world, k->iterations, &env, &iterations) || iterations < 3)
      return false;
    iteration[l] = late ? iterations - 2 : iterations / 2;
  }
  return true;
}

/* Negative in a case that may well be one of those at hand? */
static bool fails_once(formula *f, poly e)
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

bool formula_related(formula *f, poly e)
{
  bool failed = f->world.failed;
  bool proved = formula_plain(f, e) || (!fails_once(f, e) && prove(f, e, 0) && !f->world.failed);
  f->world.failed = failed;
  return proved;
}
