/* The covering LP of an interaction program (docs/theory-lp.md, section 2).

   A pass does slice[w] slices of each kind w at every pair; a pair whose value is made from its words takes part with
   at least R row and C column words.  Primal: passes of least cost R C that cover all slices.  Dual: weights u with
   u.slice <= R C for every pass.  The passes are far too many to list, so they are generated: bound_cover_certify
   finds, exactly, the pass that breaks a given weighting most.

   Why its search is exact.  Fix the set of kinds that work; then R and C are constants plus sums of slices.  A kind
   that adds a word to one side only enters scale R C - weight.slice linearly: the least value is at 1 or at its width.
   Kinds that add a word to both sides enter through their sum s and their weights: for a given s the heaviest come
   first, and along each of them the difference is a convex parabola in s, least at the integers beside its vertex or at
   an end. */
#include "base/scoped.h"
#include "bounds/program/covering.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/program/lp.h"
#include <assert.h>
#include <math.h>
#include <string.h>

typedef __int128 wide;

/* ---- words of a pass ---- */

/* What the working kinds need for certain, and which kinds add a word to the row or the column with each slice.  An
   array that two kinds use counts for the first alone: less than is needed, never more. */
typedef struct {
  int64_t row, column;
  bool adds_row[COVER_KINDS], adds_column[COVER_KINDS];
} needs;

static void add_word(const cover_program *p, int array, int kind, unsigned *taken, needs *n)
{
  if (array < 0 || *taken >> array & 1)
    return;
  *taken |= 1u << array;
  if (p->array[array].column)
    n->adds_column[kind] = true;
  else
    n->adds_row[kind] = true;
}

static needs needs_of(const cover_program *p, unsigned working)
{
  needs n = { 0 };
  unsigned taken = 0;
  for (int w = 0; w < p->kinds; w++)
    if (working >> w & 1)
      taken |= p->kind[w].whole;
  for (int a = 0; a < p->arrays; a++)
    if (taken >> a & 1)
      *(p->array[a].column ? &n.column : &n.row) += p->array[a].width;
  for (int w = 0; w < p->kinds; w++)
    if (working >> w & 1) {
      add_word(p, p->kind[w].operand, w, &taken, &n);
      add_word(p, p->kind[w].chain, w, &taken, &n);
    }
  return n;
}

void bound_cover_words(const cover_program *p, const int64_t *slice, int64_t *row, int64_t *column)
{
  unsigned working = 0;
  for (int w = 0; w < p->kinds; w++)
    working |= (unsigned)(slice[w] > 0) << w;
  needs n = needs_of(p, working);
  *row = n.row;
  *column = n.column;
  for (int w = 0; w < p->kinds; w++) {
    *row += n.adds_row[w] ? slice[w] : 0;
    *column += n.adds_column[w] ? slice[w] : 0;
  }
}

/* ---- the worst pass for given weights ---- */

typedef struct {
  const cover_program *p;
  const int64_t *weight;
  int64_t scale;
  wide least; /* of scale R C - weight.slice, so far */
  int64_t slice[COVER_KINDS];
} worst;

static void look_at(worst *o, const int64_t *slice)
{
  int64_t row, column;
  bound_cover_words(o->p, slice, &row, &column);
  wide slack = (wide)o->scale * row * column;
  for (int w = 0; w < o->p->kinds; w++)
    slack -= (wide)o->weight[w] * slice[w];
  if (slack >= o->least)
    return;
  o->least = slack;
  memcpy(o->slice, slice, sizeof o->slice);
}

/* Along kind w, both-sided, from slice[w] = 1 to its width with the others as they are. */
static void look_along(worst *o, int64_t *slice, int w)
{
  int64_t row, column, width = o->p->kind[w].width;
  slice[w] = 1;
  bound_cover_words(o->p, slice, &row, &column);
  /* least of scale (row + t)(column + t) - weight t: t = (weight / scale - row - column) / 2 */
  int64_t vertex = num_floor_div(num_floor_div(o->weight[w], o->scale) - row - column, 2);
  for (int64_t t = vertex - 1; t <= vertex + 2; t++) {
    slice[w] = 1 + num_max(0, num_min(t, width - 1));
    look_at(o, slice);
  }
  slice[w] = width;
  look_at(o, slice);
}

/* The both-sided kinds of `working`, heaviest first, each from 1 to its width in turn; slice holds the others. */
static void look_through_both_sided(worst *o, unsigned both, int64_t *slice)
{
  for (int w = 0; w < o->p->kinds; w++)
    if (both >> w & 1)
      slice[w] = 1;
  look_at(o, slice);
  while (both) {
    int heaviest = -1;
    for (int w = 0; w < o->p->kinds; w++)
      if (both >> w & 1 && (heaviest < 0 || o->weight[w] > o->weight[heaviest]))
        heaviest = w;
    look_along(o, slice, heaviest);
    both &= ~(1u << heaviest);
  }
}

static void look_at_kinds(worst *o, unsigned working)
{
  needs n = needs_of(o->p, working);
  unsigned both = 0;
  for (int w = 0; w < o->p->kinds; w++)
    both |= (unsigned)(n.adds_row[w] && n.adds_column[w]) << w;
  unsigned single = working & ~both;
  /* every choice of 1 or full width for the one-sided kinds: the subsets of `single` */
  unsigned full = single;
  for (;;) {
    int64_t slice[COVER_KINDS] = { 0 };
    for (int w = 0; w < o->p->kinds; w++)
      if (single >> w & 1)
        slice[w] = full >> w & 1 ? o->p->kind[w].width : 1;
    look_through_both_sided(o, both & working, slice);
    if (!full)
      break;
    full = (full - 1) & single;
  }
}

bool bound_cover_certify(const cover_program *p, const int64_t *weight, int64_t scale, int64_t *at)
{
  assert(scale > 0 && p->kinds <= COVER_KINDS && p->arrays <= COVER_ARRAYS);
  worst o = { .p = p, .weight = weight, .scale = scale };
  for (unsigned working = 1; working < 1u << p->kinds; working++)
    look_at_kinds(&o, working);
  if (o.least >= 0)
    return true;
  memcpy(at, o.slice, sizeof o.slice);
  return false;
}

/* ---- the linear program ---- */

static void add_pass(const cover_program *p, const int64_t *slice, cover_answer *out, lp_problem *lp)
{
  cover_pass *s = &out->pass[out->passes++];
  int64_t row, column;
  memcpy(s->slice, slice, sizeof s->slice);
  bound_cover_words(p, slice, &row, &column);
  s->cost = row * column;
  s->times_estimate = 0;
  int col = lp_add_col(lp);
  mpq_set_si(lp->c[col], s->cost, 1);
  for (int w = 0; w < p->kinds; w++)
    lp_set(lp, w, col, slice[w]);
}

/* Whole kinds, alone and in every company: a start that covers. */
static void first_passes(const cover_program *p, cover_answer *out, lp_problem *lp)
{
  for (unsigned working = 1; working < 1u << p->kinds && out->passes < COVER_PASSES / 2; working++) {
    int64_t slice[COVER_KINDS] = { 0 };
    for (int w = 0; w < p->kinds; w++)
      if (working >> w & 1)
        slice[w] = p->kind[w].width;
    add_pass(p, slice, out, lp);
  }
}

enum { FINE = 1 << 20 };

/* Weights over FINE near the LP's dual, a hair below, so that rounding alone breaks nothing. */
static void fine_weights(const cover_program *p, const double *dual, double shrink, cover_answer *out)
{
  out->scale = FINE;
  for (int w = 0; w < p->kinds; w++)
    out->weight[w] = dual[w] > 0 ? (int64_t)(dual[w] * FINE * shrink) : 0;
}

/* Weights over a small common denominator: what a person would write. */
static bool round_weights(const cover_program *p, const double *dual, cover_answer *out)
{
  mpq_t q[COVER_KINDS];
  SCOPED_MPZ common;
  mpz_init_set_ui(common, 1);
  for (int w = 0; w < p->kinds; w++) {
    mpq_init(q[w]);
    lp_fraction_near(dual[w] > 0 ? dual[w] : 0, 1000, q[w]);
    mpz_lcm(common, common, mpq_denref(q[w]));
  }
  bool good = mpz_cmp_ui(common, 1000) <= 0;
  out->scale = good ? mpz_get_si(common) : 1;
  for (int w = 0; w < p->kinds; w++) {
    mpz_mul_si(mpq_numref(q[w]), mpq_numref(q[w]), out->scale);
    mpz_fdiv_q(mpq_numref(q[w]), mpq_numref(q[w]), mpq_denref(q[w]));
    good = good && mpz_sizeinbase(mpq_numref(q[w]), 2) < 50;
    out->weight[w] = good ? mpz_get_si(mpq_numref(q[w])) : 0;
    mpq_clear(q[w]);
  }
  return good;
}

static void certify_weights(const cover_program *p, const double *dual, cover_answer *out)
{
  int64_t at[COVER_KINDS];
  if (round_weights(p, dual, out) && bound_cover_certify(p, out->weight, out->scale, at))
    return;
  double shrink = 1 - 1e-9;
  for (fine_weights(p, dual, shrink, out); !bound_cover_certify(p, out->weight, out->scale, at);
       fine_weights(p, dual, shrink, out))
    shrink *= 1 - 1e-7;
}

/* first: the column of the first pass */
static void keep_plan(const lp_answer *a, int first, cover_answer *out)
{
  int kept = 0;
  for (int s = 0; s < out->passes; s++)
    if (a->x_estimate[first + s] > 1e-9) {
      out->pass[kept] = out->pass[s];
      out->pass[kept++].times_estimate = a->x_estimate[first + s];
    }
  out->passes = kept;
}

/* One round: solve, look for a broken pass; *done when there is none beyond rounding. */
static status solve_round(const cover_program *p, lp_problem *lp, cover_answer *out, bool *done, diag *d)
{
  lp_answer a;
  int64_t at[COVER_KINDS];
  status st = lp_solve(lp, &a, d);
  if (st == OK && a.verdict != LP_OPTIMAL)
    st = diag_set(d, SOLVER, "solver", "the covering LP has no optimum");
  if (st == OK) {
    fine_weights(p, a.dual_estimate, 1 - 1e-6, out);
    *done = bound_cover_certify(p, out->weight, out->scale, at) || out->passes == COVER_PASSES;
    if (*done) {
      certify_weights(p, a.dual_estimate, out);
      keep_plan(&a, lp->cols - out->passes, out);
    } else
      add_pass(p, at, out, lp);
  }
  lp_answer_clear(&a);
  return st;
}

/* Each slice may also be bought at this price: the dual's weights then stay below it. */
static void add_prices(const cover_program *p, double price, lp_problem *lp)
{
  for (int w = 0; w < p->kinds; w++) {
    int col = lp_add_col(lp);
    mpq_set_d(lp->c[col], price);
    lp_set(lp, w, col, 1);
  }
}

/* Columns of lp: the passes of out, or, with prices, these first. */
static status solve_program(const cover_program *p, double price, cover_answer *out, diag *d)
{
  *out = (cover_answer){ 0 };
  lp_problem lp;
  lp_init(&lp, p->kinds, 0);
  for (int w = 0; w < p->kinds; w++) /* slices a pair has on average */
    if (p->pairs > 0) {
      mpq_set_ui(lp.b[w], p->kind[w].steps, (unsigned long)p->pairs);
      mpq_canonicalize(lp.b[w]);
    }
  if (price > 0)
    add_prices(p, price, &lp);
  first_passes(p, out, &lp);
  bool done = false;
  status st = OK;
  while (st == OK && !done)
    st = solve_round(p, &lp, out, &done, d);
  lp_clear(&lp);
  return st;
}

static double average_weight(const cover_program *p, const cover_answer *a)
{
  double sum = 0, steps = 0;
  for (int w = 0; w < p->kinds; w++) {
    sum += (double)a->weight[w] / (double)a->scale * (double)p->kind[w].steps;
    steps += (double)p->kind[w].steps;
  }
  return sum / steps;
}

status bound_cover_solve(const cover_program *p, bool level, cover_answer *out, diag *d)
{
  status st = solve_program(p, 0, out, d);
  if (st != OK || !level)
    return st;
  cover_answer even;
  st = solve_program(p, average_weight(p, out), &even, d);
  memcpy(out->weight, even.weight, sizeof out->weight);
  out->scale = even.scale; /* the plan stays that of the true program */
  return st;
}

/* ---- what follows for a segment ---- */

/* The largest sum over kinds of weight sqrt(r c), r and c words of its row and column arrays, all arrays together Y
   words, is Y/2 times the norm of the matrix of weights, at most the root of (largest row sum)(largest column sum). */
static bool sides_of(const cover_program *p, const int64_t *weight, int64_t *sides)
{
  int64_t sum[COVER_ARRAYS] = { 0 }, most[2] = { 0 };
  for (int w = 0; w < p->kinds; w++) {
    const cover_kind *k = &p->kind[w];
    if (k->operand < 0 || !num_add(sum[k->operand], weight[w], &sum[k->operand]) ||
        !num_add(sum[k->chain], weight[w], &sum[k->chain]))
      return false;
  }
  for (int a = 0; a < p->arrays; a++)
    most[p->array[a].column] = num_max(most[p->array[a].column], sum[a]);
  SCOPED_MPZ n;
  mpz_init_set_si(n, most[0]);
  mpz_mul_si(n, n, most[1]);
  bool whole = mpz_perfect_square_p(n);
  mpz_sqrt(n, n);
  *sides = mpz_get_si(n) + !whole;
  return *sides < INT64_MAX / 8;
}

bool bound_cover_carry(const cover_program *p, const cover_answer *a, bound_carry *k, mpz_t total)
{
  *k = (bound_carry){ .scale = a->scale, .keep_num = 1, .keep_den = 1, .pairs = p->pairs };
  mpz_set_ui(total, 0);
  SCOPED_MPZ t;
  mpz_init(t);
  bool good = sides_of(p, a->weight, &k->sides);
  for (int w = 0; w < p->kinds && good; w++) {
    int64_t one = 0;
    good = num_mul(a->weight[w], p->kind[w].width, &one) && num_add(k->each, one, &k->each);
    mpz_set_ui(t, p->kind[w].steps);
    mpz_mul_si(t, t, a->weight[w]);
    mpz_add(total, total, t);
  }
  return good && k->each < INT64_MAX / 8;
}
