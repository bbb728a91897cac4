/* The projective bound (docs/theory-lp.md, section 7; Christ et al. 2013, Dinh and Demmel 2020 for small loops).

   For exponents (s, z) that cover every loop, H <= prod extent^z prod_t (factor_t prod_parts (a_p / words)^power)^s_t,
   where a_p are the words of purse p.  With S_p the exponent of a_p and S their sum, prod a_p^S_p <= (X/S)^S prod
   S_p^S_p whenever the a_p sum to X. The logarithm of the bound is convex and homogeneous in (s, z); its least value is
   found by cutting planes: a tile (a_p) bounds it from below by a linear form, a linear program picks the exponents for
   the tiles so far, and their best tile is the next. */
#include "base/scoped.h"
#include "bounds/program/projective.h"
#include "base/big.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/program/lp.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- exact ---- */

bool bound_proj_covers(const proj_way *w, const proj_exponents *e)
{
  for (int t = 0; t < w->items; t++)
    if (e->item[t] < 0)
      return false;
  for (int i = 0; i < w->loops; i++) {
    int64_t sum = e->loop[i];
    for (int t = 0; t < w->items; t++)
      sum += w->item[t].loops >> i & 1 ? e->item[t] : 0;
    if (e->loop[i] < 0 || sum < e->den)
      return false;
  }
  return e->den > 0;
}

static int64_t common_power_den(const proj_way *w)
{
  int64_t den = 1;
  for (int t = 0; t < w->items; t++)
    den = den / num_gcd(den, w->item[t].power_den) * w->item[t].power_den;
  return den;
}

/* over e->den * fine: the exponent of each purse; the constants go into num / den */
static int64_t gather(const proj_way *w, const proj_exponents *e, int64_t fine, int64_t *purse, mpz_t num, mpz_t den)
{
  int64_t sum = 0;
  memset(purse, 0, PROJ_PURSES * sizeof *purse);
  for (int i = 0; i < w->loops; i++)
    big_times_power64(num, w->extent[i], e->loop[i] * fine);
  for (int t = 0; t < w->items; t++) {
    const proj_item *item = &w->item[t];
    big_times_power64(num, item->factor, e->item[t] * fine);
    for (int k = 0; k < item->parts; k++) {
      int64_t power = e->item[t] * item->part[k].power * (fine / item->power_den);
      purse[item->part[k].purse] += power;
      sum += power;
      big_times_power64(den, item->part[k].words, power);
    }
  }
  return sum;
}

void bound_proj_steps(const proj_way *w, const proj_exponents *e, const mpz_t words, mpz_t steps)
{
  int64_t purse[PROJ_PURSES], fine = common_power_den(w);
  SCOPED_MPZ den;
  mpz_init_set_ui(den, 1);
  mpz_set_ui(steps, 1);
  int64_t sum = gather(w, e, fine, purse, steps, den);
  big_times_power(steps, words, sum);
  for (int p = 0; p < PROJ_PURSES; p++)
    big_times_power64(steps, purse[p], purse[p]);
  big_times_power64(den, sum, sum);
  mpz_fdiv_q(steps, steps, den);
  mpz_root(steps, steps, (unsigned long)(e->den * fine));
}

/* ---- estimates ---- */

/* ln of the words of each purse in the best tile for real exponents s */
static void best_tile(const proj_way *w, const double *s, double words, double *ln_purse)
{
  double power[PROJ_PURSES] = { 0 }, sum = 0;
  for (int t = 0; t < w->items; t++)
    for (int k = 0; k < w->item[t].parts; k++) {
      double p = s[t] * (double)w->item[t].part[k].power / (double)w->item[t].power_den;
      power[w->item[t].part[k].purse] += p;
      sum += p;
    }
  for (int p = 0; p < PROJ_PURSES; p++)
    ln_purse[p] = log(words) + log(fmax(power[p] / fmax(sum, 1e-300), 1e-7));
}

/* ln of the settings of an item that a tile holds */
static double ln_settings(const proj_item *item, const double *ln_purse)
{
  double v = log((double)item->factor);
  for (int k = 0; k < item->parts; k++)
    v += (double)item->part[k].power / (double)item->power_den *
         (ln_purse[item->part[k].purse] - log((double)item->part[k].words));
  return v;
}

/* ln of the bound for real exponents; loops take what the items leave */
static double ln_steps(const proj_way *w, const double *s, double words)
{
  double ln_purse[PROJ_PURSES], v = 0;
  best_tile(w, s, words, ln_purse);
  for (int t = 0; t < w->items; t++)
    v += s[t] > 0 ? s[t] * ln_settings(&w->item[t], ln_purse) : 0;
  for (int i = 0; i < w->loops; i++) {
    double left = 1;
    for (int t = 0; t < w->items; t++)
      left -= w->item[t].loops >> i & 1 ? s[t] : 0;
    v += left > 0 ? left * log((double)w->extent[i]) : 0;
  }
  return v;
}

/* ---- cutting planes ---- */

enum { ROUNDS = 24, DEN = 96 };

/* Columns: items, loops, then the level.  Rows: a cover for each loop. */
static void cover_rows(const proj_way *w, lp_problem *lp)
{
  lp_init(lp, w->loops, w->items + w->loops + 1);
  for (int i = 0; i < w->loops; i++) {
    mpq_set_ui(lp->b[i], 1, 1);
    lp_set(lp, i, w->items + i, 1);
    for (int t = 0; t < w->items; t++)
      if (w->item[t].loops >> i & 1)
        lp_set(lp, i, t, 1);
  }
  mpq_set_ui(lp->c[w->items + w->loops], 1, 1);
}

/* level >= sum_t s_t ln(settings of t in the tile) + sum_i z_i ln(extent_i) */
static void add_cut(const proj_way *w, const double *ln_purse, lp_problem *lp)
{
  int row = lp_add_row(lp, LP_GE);
  lp_set(lp, row, w->items + w->loops, 1);
  for (int t = 0; t < w->items; t++)
    mpq_set_d(lp_at(lp, row, t), -ln_settings(&w->item[t], ln_purse));
  for (int i = 0; i < w->loops; i++)
    mpq_set_d(lp_at(lp, row, w->items + i), -log((double)w->extent[i]));
}

/* Real exponents near the best.  The multipliers of the cover rows are the logarithms of the loops of the best tile. */
static status solve_real(const proj_way *w, double words, double *best, double *ln_loop, diag *d)
{
  double s[PROJ_ITEMS], ln_purse[PROJ_PURSES], least = INFINITY;
  lp_problem lp;
  lp_answer a = { 0 };
  status st = OK;
  for (int t = 0; t < w->items; t++)
    s[t] = 1;
  cover_rows(w, &lp);
  for (int round = 0; round < ROUNDS && st == OK; round++) {
    best_tile(w, s, words, ln_purse);
    add_cut(w, ln_purse, &lp);
    st = lp_solve(&lp, &a, d);
    if (st == OK && a.verdict == LP_OPTIMAL) {
      memcpy(s, a.x_estimate, (size_t)w->items * sizeof *s);
      double v = ln_steps(w, s, words);
      if (v < least) {
        least = v;
        memcpy(best, s, (size_t)w->items * sizeof *s);
        memcpy(ln_loop, a.dual_estimate, (size_t)w->loops * sizeof *ln_loop);
      }
      if (least - a.value_estimate < 1e-6)
        round = ROUNDS;
    } else if (st == OK)
      st = diag_set(d, SOLVER, "solver", "the projective LP has no optimum");
    lp_answer_clear(&a);
  }
  lp_clear(&lp);
  return st;
}

/* ---- from reals to fractions over DEN ---- */

static double ln_at(const proj_way *w, const int64_t *item, double words)
{
  double s[PROJ_ITEMS];
  for (int t = 0; t < w->items; t++)
    s[t] = (double)item[t] / DEN;
  return ln_steps(w, s, words);
}

/* Move one exponent, or two against each other, by 1/DEN while that helps. */
static bool improve(const proj_way *w, int64_t *item, double words, double *value)
{
  for (int t = 0; t < w->items; t++)
    for (int u = 0; u < w->items; u++)
      for (int sign = -1; sign <= 1; sign += 2) {
        int64_t to_t = item[t] + sign, to_u = t == u ? to_t : item[u] - sign;
        if (to_t < 0 || to_u < 0 || to_t > 2 * DEN || to_u > 2 * DEN)
          continue;
        int64_t old_t = item[t], old_u = item[u];
        item[t] = to_t, item[u] = to_u;
        double v = ln_at(w, item, words);
        if (v < *value - 1e-9) {
          *value = v;
          return true;
        }
        item[t] = old_t, item[u] = old_u;
      }
  return false;
}

static void fill_loops(const proj_way *w, proj_exponents *e)
{
  for (int i = 0; i < w->loops; i++) {
    e->loop[i] = e->den;
    for (int t = 0; t < w->items; t++)
      e->loop[i] -= w->item[t].loops >> i & 1 ? e->item[t] : 0;
    if (e->loop[i] < 0)
      e->loop[i] = 0;
  }
}

/* 48/96 is 1/2: the same bound with smaller numbers. */
static void shorten(const proj_way *w, proj_exponents *e)
{
  int64_t common = e->den;
  for (int t = 0; t < w->items + w->loops; t++)
    common = num_gcd(common, t < w->items ? e->item[t] : e->loop[t - w->items]);
  e->den /= common;
  for (int t = 0; t < w->items; t++)
    e->item[t] /= common;
  for (int i = 0; i < w->loops; i++)
    e->loop[i] /= common;
}

status bound_proj_solve(const proj_way *w, int64_t words, proj_exponents *e, diag *d)
{
  double s[PROJ_ITEMS] = { 0 }, ln_loop[PROJ_LOOPS];
  *e = (proj_exponents){ .den = DEN };
  status st = solve_real(w, (double)words, s, ln_loop, d);
  if (st != OK)
    return st;
  for (int t = 0; t < w->items; t++)
    e->item[t] = s[t] < 2 ? llround(s[t] * DEN) : 2 * DEN;
  double value = ln_at(w, e->item, (double)words);
  for (int step = 0; step < 200 && improve(w, e->item, (double)words, &value); step++)
    ;
  fill_loops(w, e);
  shorten(w, e);
  assert(bound_proj_covers(w, e));
  return OK;
}

/* ---- several terms over one pool of words ---- */

/* Exponents of the purses over den * fine. */
static void purse_powers(const proj_way *w, const proj_exponents *e, int64_t fine, int64_t *purse)
{
  memset(purse, 0, PROJ_PURSES * sizeof *purse);
  for (int t = 0; t < w->items; t++)
    for (int k = 0; k < w->item[t].parts; k++)
      purse[w->item[t].part[k].purse] += e->item[t] * w->item[t].part[k].power * (fine / w->item[t].power_den);
}

bool bound_proj_largest_rules(const proj_term *term, int n)
{
  int users[PROJ_PURSES] = { 0 };
  int64_t power[PROJ_PURSES];
  for (int i = 0; i < n; i++) {
    purse_powers(term[i].way, term[i].exponents, common_power_den(term[i].way), power);
    for (int p = 0; p < PROJ_PURSES; p++)
      users[p] += power[p] > 0;
  }
  for (int i = 0; i < n; i++) {
    int64_t own = 0, fine = common_power_den(term[i].way);
    purse_powers(term[i].way, term[i].exponents, fine, power);
    for (int p = 0; p < PROJ_PURSES; p++)
      own += users[p] == 1 ? power[p] : 0;
    if (own < term[i].exponents->den * fine)
      return false;
  }
  return true;
}

/* ---- a statement ---- */

void bound_proj_work(const void *statement, const mpz_t words, mpz_t steps)
{
  const proj_statement *s = statement;
  SCOPED_MPZ least, one;
  mpz_inits(least, one, NULL);
  mpz_set_ui(steps, 0);
  for (int b = 0; b < s->ways; b++) {
    for (int k = 0; k < s->known[b]; k++) {
      bound_proj_steps(&s->way[b], &s->exponents[b][k], words, one);
      if (k == 0 || mpz_cmp(one, least) < 0)
        mpz_set(least, one);
    }
    if (!s->best_way_alone)
      mpz_add(steps, steps, least);
    else if (mpz_cmp(least, steps) > 0)
      mpz_set(steps, least);
  }
}

static double ln_steps_at(const proj_way *w, const proj_exponents *e, double words)
{
  double ln_purse[PROJ_PURSES], s[PROJ_ITEMS] = { 0 }, v = 0;
  for (int t = 0; t < w->items; t++)
    s[t] = (double)e->item[t] / (double)e->den;
  best_tile(w, s, words, ln_purse);
  for (int t = 0; t < w->items; t++)
    v += s[t] > 0 ? s[t] * ln_settings(&w->item[t], ln_purse) : 0;
  for (int i = 0; i < w->loops; i++)
    v += (double)e->loop[i] / (double)e->den * log((double)w->extent[i]);
  return v;
}

double bound_proj_guess(const void *statement, double words)
{
  const proj_statement *s = statement;
  double steps = 0;
  for (int b = 0; b < s->ways && words > 0; b++) {
    double least = INFINITY;
    for (int k = 0; k < s->known[b]; k++)
      least = fmin(least, exp(ln_steps_at(&s->way[b], &s->exponents[b][k], words)));
    steps = s->best_way_alone ? fmax(steps, least) : steps + least;
  }
  return steps;
}

int bound_proj_widest(const proj_statement *s, double words, proj_term *term)
{
  int widest = 0;
  double most = -INFINITY;
  for (int b = 0; b < s->ways; b++) {
    double least = INFINITY;
    for (int k = 0; k < s->known[b]; k++) {
      double v = ln_steps_at(&s->way[b], &s->exponents[b][k], words);
      if (v < least) {
        least = v;
        if (term)
          term[b] = (proj_term){ &s->way[b], &s->exponents[b][k] };
      }
    }
    if (least > most) {
      most = least;
      widest = b;
    }
  }
  return widest;
}

static bool same_exponents(const proj_exponents *a, const proj_exponents *b) { return !memcmp(a, b, sizeof *a); }

static status learn(proj_statement *s, int64_t words, diag *d)
{
  status st = OK;
  for (int b = 0; b < s->ways && st == OK; b++) {
    proj_exponents e;
    bool new = s->known[b] < PROJ_KNOWN;
    st = bound_proj_solve(&s->way[b], words, &e, d);
    for (int k = 0; k < s->known[b]; k++)
      new = new && !same_exponents(&e, &s->exponents[b][k]);
    if (st == OK && new)
      s->exponents[b][s->known[b]++] = e;
  }
  return st;
}

/* With the exponents that are best for so many words: if their sum stays below the largest, keep these alone. */
static void settle(proj_statement *s, double words)
{
  proj_term term[PROJ_WAYS];
  bound_proj_widest(s, words, term);
  if (!bound_proj_largest_rules(term, s->ways))
    return;
  for (int b = 0; b < s->ways; b++) {
    s->exponents[b][0] = *term[b].exponents;
    s->known[b] = 1;
  }
  s->best_way_alone = s->settled = true;
}

status bound_proj_learn(proj_statement *s, int64_t m, const mpz_t steps, double *rate, diag *d)
{
  segment_problem p = { bound_proj_work, bound_proj_guess, s, { { 0 } }, m };
  memset(s->known, 0, sizeof s->known);
  memset(s->exponents, 0, sizeof s->exponents);
  s->best_way_alone = s->best_way_alone && !s->settled;
  s->settled = false;
  mpz_init_set(p.work, steps);
  status st = learn(s, 3 * m, d);
  double words = st == OK ? segment_best_words(&p) : 0;
  if (st == OK && fabs(words - 3. * (double)m) > .2 * (double)m)
    st = learn(s, (int64_t)fmin(words, 1e17) + 1, d);
  if (st == OK && !s->best_way_alone) {
    settle(s, words);
    words = segment_best_words(&p);
  }
  *rate = st == OK ? (words - (double)m) / bound_proj_guess(s, words) : 0;
  mpz_clear(p.work);
  return st;
}

status bound_proj_events(proj_statement *s, const mpz_t steps, int64_t m, segment_cut *c, diag *d)
{
  segment_problem p = { bound_proj_work, bound_proj_guess, s, { { 0 } }, m };
  status st = OK;
  mpz_init_set(p.work, steps);
  segment_search(&p, c);
  if (c->n > 0 && c->first > 0 && c->n < 64 && !s->settled) { /* few segments: the first matters */
    st = learn(s, c->first, d);
    if (st == OK) {
      segment_search(&p, c);
      segment_refresh(&p, c);
    }
  }
  mpz_clear(p.work);
  return st;
}

status bound_proj_tile_estimate(const proj_way *w, int64_t words, double *loop, diag *d)
{
  double s[PROJ_ITEMS];
  status st = solve_real(w, (double)words, s, loop, d);
  for (int i = 0; i < w->loops && st == OK; i++)
    loop[i] = exp(loop[i]);
  return st;
}
