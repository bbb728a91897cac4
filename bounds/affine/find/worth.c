/* worth.c -- what a claim is worth, derived as the checker does. */
#include "bounds/affine/find/search.h"
#include "bounds/segment/segment.h"
#include <math.h>
#include <string.h>

static void facts_most(const void *context, const mpz_t x, mpz_t work) { group_most(context, x, work); }

static double facts_guess(const void *context, double x)
{
  const group_facts *g = context;
  return g->guess_c * pow(x, g->guess_s);
}

/* The best cut of each group. */
static void cut(const search *s, affine_claim *c)
{
  for (int g = 0; g < c->groups; g++) {
    segment_problem p = { .most = facts_most, .guess = facts_guess, .context = &s->f->group[g], .m = s->m };
    segment_cut best;
    segment_cut_init(&best);
    mpz_init_set(p.work, s->f->group[g].work);
    c->group[g].segments = 1;
    c->group[g].first = c->group[g].length = 0;
    if (segment_search(&p, &best)) {
      c->group[g].segments = best.n;
      c->group[g].first = best.first;
      c->group[g].length = best.length;
    }
    mpz_clear(p.work);
    segment_cut_clear(&best);
  }
}

bool find_worth(search *s, affine_claim *c, mpz_t value)
{
  text reason = { 0 };
  bool good = ++s->derived <= DERIVED_MOST && affine_derive(s->f, c, &reason);
  if (good) {
    cut(s, c);
    good = affine_value(s->f, c, s->m, value, &reason);
  }
  text_clear(&reason);
  return good;
}

void find_begin(const search *s, affine_claim *c)
{
  memset(c, 0, sizeof *c);
  c->reading = s->f->reading;
  c->owns = s->owns;
  memcpy(c->own, s->own, sizeof s->own);
}
