/* Lower bound for attention by dense features (docs/theory-lp.md, section 6): with weight d + 1 a step the local work
   of a segment is at most (words of tokens)(W chains), at leading order 2 n r dv (d + 1) / M.

   W chains may be made anew inside a segment without a counted birth.  Feature a's chain then needs, for every key, a
   carried feature (j, a) or the d words of row j, and for an ordinary slice all `keys` words of V's column.  With X
   words at most X/d rows are whole, so each such feature has keys - X/d carried words of its own, and at most X/keys
   ordinary slices and the normaliser come in question: at most p (X/keys + 1) / (keys - X/d) chains, none while X <
   keys. */
#include "base/scoped.h"
#include "bounds/program/lowrank.h"
#include <math.h>

static int64_t slices(const lowrank_case *c) { return c->dv + c->normaliser; }

void bound_lowrank_total(const lowrank_weights *w, mpz_t total)
{
  const lowrank_case *c = &w->of;
  SCOPED_MPZ t;
  mpz_init_set_si(t, c->queries);
  mpz_mul_si(t, t, slices(c));
  mpz_mul_si(t, t, c->d + 1);
  mpz_set_si(total, c->dv);
  mpz_mul_si(total, total, c->d + 1);
  if (c->normaliser && w->weigh_normaliser)
    mpz_add_ui(total, total, (unsigned long)c->d);
  mpz_mul_si(total, total, c->keys);
  mpz_add(total, total, t);
  mpz_mul_si(total, total, c->features);
}

bool bound_lowrank_carry(const lowrank_weights *w, int64_t words, bound_carry *k)
{
  const lowrank_case *c = &w->of;
  int64_t rows = words / c->d, apart = c->keys - rows, reruns = words < c->keys ? 0 : words / c->keys + 1;
  if (reruns == 0)
    apart = 1;
  if (apart < 1 || 2 * reruns > apart)
    return false;
  *k = (bound_carry){ .scale = 1,
                      .each = slices(c) * (c->d + 1),
                      .sides = c->d + 1,
                      .keep_num = apart - reruns,
                      .keep_den = apart,
                      .pairs = words };
  return true;
}

void bound_lowrank_work(const void *weights, const mpz_t words, mpz_t most)
{
  const lowrank_weights *w = weights;
  bound_carry k;
  SCOPED_MPZ t;
  mpz_init(t);
  bound_lowrank_total(w, most);
  if (mpz_cmp_ui(words, 1ul << 60) < 0 && bound_lowrank_carry(w, mpz_get_si(words), &k)) {
    bound_carry_work(&k, words, t);
    if (w->of.normaliser && w->weigh_normaliser) /* at carried features they use no word of V: at most d each */
      mpz_addmul_ui(t, words, (unsigned long)w->of.d);
    if (mpz_cmp(t, most) < 0)
      mpz_set(most, t);
  }
}

double bound_lowrank_guess(const void *weights, double words)
{
  const lowrank_weights *w = weights;
  bound_carry k;
  SCOPED_MPZ total;
  mpz_init(total);
  bound_lowrank_total(w, total);
  double most = mpz_get_d(total);
  if (words < 1e18 && bound_lowrank_carry(w, (int64_t)words, &k))
    most = fmin(most, bound_carry_guess(&k, words) + (w->weigh_normaliser ? words * (double)w->of.d : 0));
  return most;
}

static bool fits(const lowrank_case *c)
{
  return c->keys >= 2 && c->queries >= 0 && c->features >= 1 && c->d >= 1 && c->dv >= 1 && c->m >= 1 &&
         c->m < INT64_MAX / 256 && c->d < 1 << 28 && c->dv < 1 << 28;
}

static bool search(const lowrank_weights *w, segment_cut *c)
{
  segment_problem p = { bound_lowrank_work, bound_lowrank_guess, w, { { 0 } }, w->of.m };
  mpz_init(p.work);
  bound_lowrank_total(w, p.work);
  bool found = segment_search(&p, c);
  mpz_clear(p.work);
  return found;
}

bool bound_lowrank_events(const lowrank_case *of, lowrank_weights *w, segment_cut *c)
{
  lowrank_weights with = { *of, true };
  segment_cut other;
  *w = (lowrank_weights){ *of, false };
  if (!fits(of))
    return false;
  bool found = search(w, c);
  segment_cut_init(&other);
  if (of->normaliser && search(&with, &other) && (!found || mpz_cmp(other.events, c->events) > 0)) {
    *w = with;
    segment_cut t = *c;
    *c = other;
    other = t;
    found = true;
  }
  segment_cut_clear(&other);
  return found;
}
