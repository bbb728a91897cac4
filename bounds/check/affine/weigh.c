#include "bounds/check/affine/weigh.h"
#include "base/big.h"
#include "base/num.h"
#include "base/scoped.h"
#include <string.h>

enum { WINDOWS = 3, PLACES_MOST = 400, DEN_MOST = 64 };

/* A split loop whose quotient the powers of the items leave uncovered, by `missing`. */
typedef struct {
  int loop;
  int64_t by, lo, hi, most, missing;
} window;
typedef struct {
  const statement_facts *t;
  int n;
  window of[WINDOWS];
  int64_t den;                 /* of the powers */
} windows;

void coordinates_covered(const statement_facts *t, const coordinates *c, int64_t covered[CLAIM_LOOPS])
{
  int place[CLAIM_LOOPS], rank_of[CLAIM_LOOPS];
  for (int p = 0; p < c->n; p++) {
    covered[p] = rank_of[p] = 0;
    place[p] = p;
    for (int k = 0; k < t->s->loops; k++)
      if (t->s->order[k] == c->name[p])
        place[p] = CLAIM_LOOPS + k;
  }
  for (int p = 0; p < c->n; p++)
    for (int q = 0; q < c->n; q++)
      rank_of[p] += place[q] < place[p];
  for (int i = 0; i < t->s->items; i++) {
    uint32_t pivots = coordinates_pivots(c, i, rank_of);
    for (int p = 0; p < c->n; p++)
      covered[p] += pivots >> p & 1 ? t->s->item[i].power : 0;
  }
}

/* Quotients of a loop with that rest. */
static int64_t quotients(const window *w, int64_t rest)
{
  return num_floor_div(w->hi - rest, w->by) + num_floor_div(rest - w->lo, w->by) + 1;
}

static bool differs(const window *w)
{
  bool any = false;
  for (int64_t rest = 0; rest < w->by; rest++)
    any = any || quotients(w, rest) < w->most;
  return any;
}

static bool find_windows(windows *w, const coordinates *c)
{
  int64_t covered[CLAIM_LOOPS], places = 1;
  coordinates_covered(w->t, c, covered);
  for (int p = 0; p < c->n; p++) {
    int r = c->name[p];
    linear loop = linear_variable(r);
    window one = { .loop = r };
    if (r >= CDAG_RANK || w->t->s->split[r] < 2 || covered[p] >= w->den)
      continue;
    one.by = w->t->s->split[r];
    one.most = c->extent[p];
    one.missing = w->den - covered[p];
    if (!polyhedra_span(&w->t->steps, &loop, &one.lo, &one.hi) || one.hi < one.lo || one.hi - one.lo >= PLACES_MOST)
      return false;
    if (!differs(&one))
      continue;
    places *= one.hi - one.lo + 1;
    if (w->n == WINDOWS || places > PLACES_MOST)
      return false;
    w->of[w->n++] = one;
  }
  return w->n > 0;
}

/* Does item i tell the rests of all windows, whatever the other loops are, alone in its column? */
static bool tells_rests(const windows *w, const coordinates *c, int i)
{
  const claim_statement *s = w->t->s;
  bool tells = !s->item[i].views;
  for (int k = 0; k < s->items; k++)
    tells = tells && (k == i || s->item[k].column != s->item[i].column);
  for (int v = 0; v < w->n && tells; v++) {
    int place[CLAIM_LOOPS], rest = 0;
    while (rest < c->n && c->name[rest] != CDAG_RANK + w->of[v].loop)
      rest++;
    for (int p = 0; p < c->n; p++)
      place[p] = p < rest ? p + 1 : p == rest ? 0 : p;
    tells = rest < c->n && (coordinates_pivots(c, i, place) >> rest & 1);
  }
  return tells;
}

/* (product of most / quotients, each to its missing power) to 1 / den, in units, rounded down. */
static void weight_at(const windows *w, const int64_t *value, mpz_t weight)
{
  SCOPED_MPZ few;
  mpz_init_set_ui(few, 1);
  mpz_set_ui(weight, 1);
  big_times_power64(weight, WEIGHT_UNIT, w->den);
  for (int v = 0; v < w->n; v++) {
    const window *of = &w->of[v];
    int64_t rest = value[v] - num_floor_div(value[v], of->by) * of->by;
    big_times_power64(weight, of->most, of->missing);
    big_times_power64(few, quotients(of, rest), of->missing);
  }
  mpz_fdiv_q(weight, weight, few);
  mpz_root(weight, weight, (unsigned long)w->den);
}

/* Steps at which the windows are at these places. */
static bool count_at(arena *a, const windows *w, const int64_t *value, mpz_t steps)
{
  polyhedra at = { 0 };
  for (int i = 0; i < w->t->steps.n; i++) {
    polyhedron *p = polyhedron_copy(a, w->t->steps.item[i]);
    for (int v = 0; v < w->n; v++) {
      linear loop = linear_variable(w->of[v].loop), is = linear_constant(value[v]);
      polyhedron_same(a, p, &loop, &is);
    }
    if (!polyhedron_empty(p))
      polyhedra_add(a, &at, p);
  }
  mpz_set_ui(steps, 0);
  return at.n == 0 || polyhedra_count(&at, steps);
}

static bool add_places(arena *a, const windows *w, int v, int64_t *value, mpz_t sum)
{
  bool good = true;
  if (v == w->n) {
    SCOPED_MPZ steps, weight;
    mpz_inits(steps, weight, NULL);
    good = count_at(a, w, value, steps);
    weight_at(w, value, weight);
    mpz_addmul(sum, steps, weight);
    return good;
  }
  for (value[v] = w->of[v].lo; value[v] <= w->of[v].hi && good; value[v]++)
    good = add_places(a, w, v + 1, value, sum);
  return good;
}

bool steps_weigh(arena *a, const statement_facts *t, int64_t den, mpz_t work)
{
  coordinates c;
  windows w = { .t = t, .den = den };
  int64_t value[WINDOWS], telling = 0;
  if (den > DEN_MOST || !coordinates_of(t, &c) || !find_windows(&w, &c))
    return false;
  for (int i = 0; i < t->s->items; i++)
    telling += tells_rests(&w, &c, i) ? t->s->item[i].power : 0;
  SCOPED_MPZ sum;
  mpz_init_set_ui(sum, 0);
  bool more = telling >= den && add_places(a, &w, 0, value, sum);
  if (more)
    mpz_set(work, sum);
  return more;
}
