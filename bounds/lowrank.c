/* Lower bound for attention by dense features (docs/theory-lp.md, section 6): with weight d + 1 a step the local work of a segment is at most
   (words of tokens)(W chains), at leading order 2 n r dv (d + 1) / M.

   W chains may be made anew inside a segment without a counted birth.  Feature a's chain then needs, for every key, a carried feature (j, a) or the
   d words of row j, and for an ordinary slice all `keys` words of V's column.  With X words at most X/d rows are whole, so each such
   feature has keys - X/d carried words of its own, and at most X/keys ordinary slices and the normaliser come in question:
   at most p (X/keys + 1) / (keys - X/d) chains, none while X < keys. */
#include "bounds/lowrank.h"

static int64_t slices(const lowrank_case *c) { return c->dv + c->normaliser; }

void bound_lowrank_total(const lowrank_weights *w, mpz_t total)
{
  const lowrank_case *c = &w->of;
  mpz_t t;
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
  mpz_clear(t);
}

bool bound_lowrank_carry(const lowrank_weights *w, int64_t words, bound_carry *k)
{
  const lowrank_case *c = &w->of;
  int64_t rows = words / c->d, apart = c->keys - rows, reruns = words < c->keys ? 0 : words / c->keys + 1;
  if (reruns == 0)
    apart = 1;
  if (apart < 1 || 2 * reruns > apart)
    return false;
  *k = (bound_carry){ .scale = 1, .each = slices(c) * (c->d + 1), .sides = c->d + 1, .keep_num = apart - reruns, .keep_den = apart,
                      .pairs = words };
  return true;
}

void bound_lowrank_work(const void *weights, int64_t words, mpz_t most)
{
  const lowrank_weights *w = weights;
  bound_carry k;
  mpz_t t;
  mpz_init(t);
  bound_lowrank_total(w, most);
  if (bound_lowrank_carry(w, words, &k)) {
    bound_carry_work(&k, words, t);
    if (w->of.normaliser && w->weigh_normaliser) { /* at carried features they use no word of V: at most d each */
      mpz_t plain;
      mpz_init_set_si(plain, words);
      mpz_mul_si(plain, plain, w->of.d);
      mpz_add(t, t, plain);
      mpz_clear(plain);
    }
    if (mpz_cmp(t, most) < 0)
      mpz_set(most, t);
  }
  mpz_clear(t);
}

static bool fits(const lowrank_case *c)
{
  return c->keys >= 2 && c->queries >= 0 && c->features >= 1 && c->d >= 1 && c->dv >= 1 && c->m >= 1 &&
         c->m < INT64_MAX / 256 && c->d < 1 << 28 && c->dv < 1 << 28;
}

bool bound_lowrank_events(const lowrank_case *of, lowrank_weights *w, bound_cut *c)
{
  if (!fits(of))
    return false;
  lowrank_weights with = { *of, true }, without = { *of, false };
  bound_cut one;
  mpz_t total;
  mpz_init(total);
  bound_cut_init(&one);
  *w = without;
  bound_lowrank_total(&without, total);
  bool found = bound_cut_best(total, of->m, 64 * of->m, bound_lowrank_work, &without, c);
  bound_lowrank_total(&with, total);
  if (of->normaliser && bound_cut_best(total, of->m, 64 * of->m, bound_lowrank_work, &with, &one) &&
      (!found || mpz_cmp(one.events, c->events) > 0)) {
    *w = with;
    bound_cut_at(total, of->m, one.t, bound_lowrank_work, w, c);
    found = true;
  }
  bound_cut_clear(&one);
  mpz_clear(total);
  return found;
}
