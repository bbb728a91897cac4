/* schedules/sign/follow.c -- does an inequality follow from what is known of the blocks and iterations at hand?

   Facts are polynomials g that are not negative: a parameter or the number of an iteration less 1, the length of a
   block less 1, what comes after one that is not the last, q ceil(p/q) - p and p + q - 1 - q ceil(p/q), what was said
   to be a condition.  Products m of atoms are not negative.  A polynomial without negative terms is not negative; a
   negative term of another is made up for by m g times a number, for a g with a negative term that divides it, and what
   is left is asked for in the same way. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/sign/memo.h"
#include "schedules/symbolic/internal.h"

enum { DEPTH = 5, STEPS = 250, CASES = 6, TRIES = 40 };
typedef struct {
  int64_t *slot, *iteration;
} chosen; /* values of parameters, and of iterations, in which all that is known is so */
typedef struct {
  formula *f;
  poly_list fact;
  chosen at[CASES];
  int cases, steps;
  bool strict; /* what is x >= 1, which could be multiplied with anything, only takes from e what is there */
} question;

static void add_fact(question *q, poly p, int64_t less)
{
  poly g = poly_shift(&q->f->world, p, -less);
  int64_t value;
  if (!poly_constant(g, &value))
    poly_list_add(&q->fact, g);
}

/* ---- what is known ---- */

/* A sum of what is not negative, with a product of parameters among it that are 1 at least. */
static bool is_positive(formula *f, poly p)
{
  bool one = false;
  for (uint32_t i = 0; i < p.n; i++) {
    bool whole = p.term[i].den == 1;
    for (int k = 0; k < p.term[i].n; k++) {
      const poly_atom *a = &f->world.atom[p.term[i].f[k].atom];
      whole = whole && a->kind == ATOM_SLOT && f->span[a->slot].least >= 1;
    }
    one = one || whole;
  }
  return one && formula_plain(f, p);
}

static void add_atom(question *q, int atom)
{
  poly_world *w = &q->f->world;
  const poly_atom a = w->atom[atom];
  poly x = poly_variable(w, atom);
  if (a.kind == ATOM_SLOT && q->f->span[a.slot].least >= 1)
    add_fact(q, x, 1);
  if (a.kind == ATOM_CEIL) { /* q ceil(p/q) is p, or up to q - 1 more; it is 1 at least where p is */
    poly over = poly_sub(w, poly_mul(w, x, a.q), a.p);
    add_fact(q, over, 0);
    add_fact(q, poly_sub(w, a.q, over), 1);
    if (is_positive(q->f, a.p))
      add_fact(q, x, 1);
  }
  if (a.kind == ATOM_MIN) { /* min(p, q) is p or less, and q or less */
    add_fact(q, poly_sub(w, a.p, x), 0);
    add_fact(q, poly_sub(w, a.q, x), 0);
  }
}

static void add_loop(question *q, int loop)
{
  formula *f = q->f;
  const iteration_kind *k = &f->kind[loop];
  if (k->open && k->len.n > 0)
    add_fact(q, k->len, 1);
  if (k->open && k->after.n > 0)
    add_fact(q, k->after, 1);
  if (k->open && k->next.n > 0)
    add_fact(q, k->next, 1);
  if (k->running)
    add_fact(q, formula_iterations_beyond(f, loop), 0);
  if (k->only) { /* one iteration */
    add_fact(q, k->iterations, 1);
    add_fact(q, poly_scale(&f->world, k->iterations, -1, 1), -1);
  }
  if (k->running && k->middle)
    add_fact(q, poly_variable(&f->world, formula_iteration_atom(f, loop)), 1);
}

static void add_facts(question *q)
{
  formula *f = q->f;
  for (int l = 0; l < f->s->loops; l++)
    add_loop(q, l);
  for (size_t i = 0; i < f->granted.n; i++)
    add_fact(q, f->granted.p[i], 0);
  for (int i = 0, n = f->world.n; i < n; i++)
    add_atom(q, i);
}

/* ---- most of what is asked is false, or leads nowhere: a look at some cases tells ---- */

static uint64_t roll(uint64_t *state)
{
  *state = *state * 6364136223846793005 + 1442695040888963407;
  return *state >> 33;
}

/* First those at hand; what a computation gives by other parameters follows them. */
static void choose_slots(const formula *f, bool here, uint64_t *dice, int64_t *slot)
{
  const cdag *g = f->s->g;
  expr_env env = { slot, g->table };
  for (int i = 0; i < f->s->slot_param + f->s->params; i++) {
    uint64_t most = (uint64_t)1 << roll(dice) % 7;
    slot[i] = here || f->slot[i] < 1 ? f->slot[i] : 1 + (int64_t)(roll(dice) % most);
  }
  for (int i = 0; i < g->params && f->known > 0; i++)
    if (g->param[i].fallback && g->param[i].fallback->op != EXPR_CONST)
      expr_eval(g->param[i].fallback, &env, &slot[i], NULL);
}

/* An iteration of the loop as it is walked; false: it has none there. */
static bool choose_iteration(const formula *f, int loop, uint64_t *dice, chosen *c)
{
  const iteration_kind *k = &f->kind[loop];
  expr_env env = { c->slot, f->s->g->table };
  int64_t iterations;
  if (!k->running && !k->only)
    return true;
  if (!poly_value(&f->world, k->iterations, &env, &iterations) || !formula_has_iteration(k, iterations))
    return false;
  if (k->middle)
    c->iteration[loop] = 1 + (int64_t)(roll(dice) % (uint64_t)(iterations - 2));
  return true;
}

static bool is_negative(formula *f, const chosen *c, poly e)
{
  expr_env env = { c->slot, f->s->g->table };
  int64_t v;
  f->world.iteration = c->iteration;
  bool negative = poly_value(&f->world, e, &env, &v) && v < 0;
  f->world.iteration = NULL;
  return negative;
}

static bool choose(formula *f, bool here, uint64_t *dice, chosen *c)
{
  bool ok = true;
  choose_slots(f, here, dice, c->slot);
  f->world.iteration = c->iteration;
  for (int l = 0; l < f->s->loops && ok; l++)
    ok = choose_iteration(f, l, dice, c);
  f->world.iteration = NULL;
  for (size_t i = 0; i < f->granted.n && ok; i++)
    ok = !is_negative(f, c, f->granted.p[i]);
  return ok;
}

static void add_cases(question *q)
{
  const schedule *s = q->f->s;
  uint64_t dice = 1;
  for (int tries = 0; tries < TRIES && q->cases < CASES; tries++) {
    chosen *c = &q->at[q->cases];
    if (!c->slot)
      *c = (chosen){ MEM_NEW(int64_t, (size_t)s->slots), MEM_NEW(int64_t, 2 * (size_t)s->loops) };
    q->cases += choose(q->f, tries == 0, &dice, c);
  }
}

static bool is_refuted(const question *q, poly e)
{
  for (int i = 0; i < q->cases; i++)
    if (is_negative(q->f, &q->at[i], e))
      return true;
  return false;
}

static void question_clear(question *q)
{
  poly_list_clear(&q->fact);
  for (int i = 0; i < CASES; i++) {
    mem_free(q->at[i].slot);
    mem_free(q->at[i].iteration);
  }
}

/* ---- making up for what is negative ---- */

/* The negative term with most factors, or NULL. */
static const poly_term *negative_term(poly e)
{
  const poly_term *found = NULL;
  for (uint32_t i = 0; i < e.n; i++)
    if (e.term[i].num < 0 && (!found || e.term[i].n > found->n))
      found = &e.term[i];
  return found;
}

static int power_of(const poly_term *t, int atom)
{
  for (int k = 0; k < t->n; k++)
    if (t->f[k].atom == atom)
      return t->f[k].power;
  return 0;
}

/* -a/b for terms a and b with negative numbers, where b's factors are among those of a and the others are not negative.
 */
static bool divided(formula *f, const poly_term *a, const poly_term *b, poly_term *out)
{
  poly_term left = { .num = -a->num, .den = a->den }, by = { .num = b->den, .den = -b->num };
  for (int k = 0; k < b->n; k++)
    if (power_of(a, b->f[k].atom) < b->f[k].power || b->f[k].power < 0)
      return false;
  for (int k = 0; k < a->n; k++) {
    int power = a->f[k].power - power_of(b, a->f[k].atom);
    if (power > 0 && !formula_atom_not_negative(f, a->f[k].atom))
      return false;
    if (power > 0)
      left.f[left.n++] = (poly_factor){ a->f[k].atom, (int16_t)power };
  }
  return poly_term_times(&left, &by, out);
}

static bool has_term(poly e, const poly_term *t)
{
  for (uint32_t i = 0; i < e.n; i++) {
    bool same = e.term[i].num > 0 && e.term[i].n == t->n;
    for (int k = 0; k < t->n && same; k++)
      same = e.term[i].f[k].atom == t->f[k].atom && e.term[i].f[k].power == t->f[k].power;
    if (same)
      return true;
  }
  return false;
}

/* Has e all that the fact would take from it? */
static bool has_terms(poly e, poly fact, const poly_term *by)
{
  bool all = true;
  for (uint32_t i = 0; i < fact.n && all; i++) {
    poly_term t;
    all = fact.term[i].num < 0 || (poly_term_times(&fact.term[i], by, &t) && has_term(e, &t));
  }
  return all;
}

static bool follows(question *q, poly e, int more);

/* e less as much of the fact, by its term t, as rids it of the negative one. */
static bool follows_without(question *q, poly e, const poly_term *negative, poly fact, const poly_term *t, int more)
{
  poly_world *w = &q->f->world;
  poly_term by;
  if (!divided(q->f, negative, t, &by) || (q->strict && t->n == 0 && negative->n > 0 && !has_terms(e, fact, &by)))
    return false;
  poly rest = poly_sub(w, e, poly_mul(w, fact, (poly){ &by, 1, 1 }));
  return !w->failed && follows(q, rest, more - 1);
}

/* By so many facts, or fewer.  Depth: DEPTH. */
static bool follows(question *q, poly e, int more)
{
  const poly_term *negative = negative_term(e);
  if (!negative)
    return formula_plain(q->f, e);
  bool proved = false;
  if (q->steps++ >= STEPS || is_refuted(q, e))
    return false;
  for (size_t i = 0; i < q->fact.n && !proved && more > 0 && q->steps < STEPS; i++)
    for (uint32_t k = 0; k < q->fact.p[i].n && !proved; k++)
      if (q->fact.p[i].term[k].num < 0)
        proved = follows_without(q, e, negative, q->fact.p[i], &q->fact.p[i].term[k], more);
  return proved;
}

/* As n >= b, where ceil(n/b) is 2 at least: then there is more than there seems to be in n + b - 1 - b ceil(n/b). */
static bool follows_ceiling(question *q, poly e, int more)
{
  poly_world *w = &q->f->world;
  bool proved = false;
  for (int i = 0; i < w->n && !proved; i++) {
    const poly_atom a = w->atom[i];
    if (a.kind != ATOM_CEIL)
      continue;
    poly rest = poly_add(w, e, poly_mul(w, poly_variable(w, i), a.q));
    proved = follows(q, poly_shift(w, poly_sub(w, poly_sub(w, rest, a.p), a.q), 1), more);
  }
  return proved;
}

void formula_add_default(formula *f, int slot, const expr *e)
{
  formula_said so_far = formula_so_far(f);
  poly p;
  span s;
  bool read = formula_bound(f, e, &p, &s);
  formula_unsay(f, so_far);
  poly x = poly_variable(&f->world, poly_slot(&f->world, slot, ""));
  if (read) {
    poly_list_add(&f->granted, poly_sub(&f->world, p, x));
    poly_list_add(&f->granted, poly_sub(&f->world, x, p));
  }
}

static bool prove_with(question *q, poly e)
{
  bool proved = false;
  add_facts(q);
  for (int loose = 0; loose < 2 && !proved; loose++) {
    q->strict = !loose;
    q->steps = 0;
    for (int facts = 1; facts <= DEPTH && !proved && q->steps < STEPS; facts++)
      proved = follows(q, e, facts) || follows_ceiling(q, e, facts - 1);
  }
  return proved;
}

static bool prove(formula *f, poly e)
{
  question q = { .f = f };
  bool proved = false;
  add_cases(&q);
  if (!is_refuted(&q, e))
    proved = prove_with(&q, e);
  question_clear(&q);
  f->world.failed = false;
  return proved;
}

bool formula_follows(formula *f, poly e)
{
  bool known, *good;
  if (f->world.failed)
    return false;
  good = formula_memo_at(f, e, true, &known);
  if (!known)
    *good = prove(f, e);
  return *good;
}
