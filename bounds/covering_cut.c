/* The segment lemma's inequality, and the search for the segment length (docs/theory-lp.md, section 1).  Each t gives a true
   bound, so the search may be as crude as it likes; the value is computed exactly. */
#include "bounds/covering.h"
#include <math.h>

void bound_cut_init(bound_cut *c)
{
  c->t = 0;
  mpz_inits(c->first, c->later, c->events, NULL);
}

void bound_cut_clear(bound_cut *c) { mpz_clears(c->first, c->later, c->events, NULL); }

void bound_cut_at(const mpz_t total, int64_t m, int64_t t, bound_work h, const void *context, bound_cut *c)
{
  c->t = t;
  h(context, t, c->first);
  h(context, m + t, c->later);
  mpz_sub(c->events, total, c->first);
  if (mpz_sgn(c->events) <= 0 || mpz_sgn(c->later) <= 0) {
    mpz_set_ui(c->events, 0);
    return;
  }
  mpz_cdiv_q(c->events, c->events, c->later);
  mpz_mul_si(c->events, c->events, t);
  mpz_add_ui(c->events, c->events, 1);
}

static void keep_better(bound_cut *best, const bound_cut *c)
{
  if (mpz_cmp(c->events, best->events) <= 0)
    return;
  best->t = c->t;
  mpz_set(best->first, c->first);
  mpz_set(best->later, c->later);
  mpz_set(best->events, c->events);
}

typedef struct {
  const mpz_t *total;
  int64_t m, most;
  bound_work h;
  const void *context;
} search;

static void try_around(const search *s, double center, double ratio, int each_side, bound_cut *best)
{
  bound_cut c;
  bound_cut_init(&c);
  double t = center * pow(ratio, -each_side);
  int64_t last = 0;
  for (int i = -each_side; i <= each_side; i++, t *= ratio) {
    int64_t whole = t >= (double)s->most ? s->most : t < 1 ? 1 : (int64_t)t;
    if (whole == last)
      continue;
    bound_cut_at(*s->total, s->m, whole, s->h, s->context, &c);
    keep_better(best, &c);
    last = whole;
  }
  bound_cut_clear(&c);
}

bool bound_cut_best(const mpz_t total, int64_t m, int64_t t_most, bound_work h, const void *context, bound_cut *c)
{
  static const struct { double ratio; int each_side; } round[] = { { 2, 7 }, { 1.2, 4 }, { 1.04, 5 }, { 1.008, 5 }, { 1.0016, 5 } };
  search s = { (const mpz_t *)total, m, t_most, h, context };
  mpz_set_ui(c->events, 0);
  if (t_most < 1)
    return false;
  for (size_t i = 0; i < sizeof round / sizeof *round; i++)
    try_around(&s, mpz_sgn(c->events) > 0 ? (double)c->t : (double)m, round[i].ratio, round[i].each_side, c);
  return mpz_sgn(c->events) > 0;
}
