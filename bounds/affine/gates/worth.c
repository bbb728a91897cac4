/* worth.c -- what a claim is worth, derived as the checker does, with the gates that are worth it. */
#include "bounds/affine/gates/search.h"

/* What the part of family k adds with its cut at one value of the key. */
static bool slice(gate_search *s, gates_claim *c, int k, bool twice, gate_cut cut, mpz_t value)
{
  *(twice ? &c->family[k].twice : &c->family[k].cut) = cut;
  return gates_part_value(s->g, c, k, twice, s->m, value);
}

/* Only gates at which more counts than is kept, where that changes once along a key; none, when it never does. */
static void cut_part(gate_search *s, gates_claim *c, int k, bool twice)
{
  const gate_sets *t = &s->g->set[k];
  mpz_t value, best;
  gate_cut least = { -1, 0, 0 };
  mpz_inits(value, best, NULL);
  slice(s, c, k, twice, least, best);
  for (int q = 0; q < t->keys; q++) {
    int64_t lo, hi;
    int of = t->index[q];
    linear key = linear_variable(q);
    if (!polyhedra_span(&t->gates, &key, &lo, &hi) || lo > hi || lo < -(1 << 28) || hi > (1 << 28) ||
        !slice(s, c, k, twice, (gate_cut){ of, lo, lo }, value))
      continue;
    bool falls = mpz_sgn(value) > 0;
    int64_t from = lo, to = hi; /* the sign changes between */
    while (from < to) {
      int64_t mid = from + (to - from) / 2;
      if (!slice(s, c, k, twice, (gate_cut){ of, mid, mid }, value))
        break;
      if ((mpz_sgn(value) > 0) == falls)
        from = mid + 1;
      else
        to = mid;
    }
    gate_cut cut = { of, falls ? lo : from, falls ? from : hi };
    if (slice(s, c, k, twice, cut, value) && mpz_cmp(value, best) > 0) {
      mpz_set(best, value);
      least = cut;
    }
  }
  if (mpz_sgn(best) < 0)
    least = (gate_cut){ -1, 0, -1 };
  *(twice ? &c->family[k].twice : &c->family[k].cut) = least;
  mpz_clears(value, best, NULL);
}

static void cut_family(gate_search *s, gates_claim *c, int k)
{
  cut_part(s, c, k, false);
  if (gates_waits(&c->family[k]))
    cut_part(s, c, k, true);
}

bool gates_worth(gate_search *s, gates_claim *c, mpz_t value)
{
  text reason = { 0 };
  bool good = ++s->derived <= DERIVED_MOST && gates_derive(s->g, c, &reason), last = good;
  for (int k = c->families - 1; k >= 0 && good; k--) {
    if (last || c->family[k].uses == 0)
      cut_family(s, c, k);
    last = last && c->family[k].alternates;
  }
  good = good && gates_value(s->g, c, s->m, value, &reason);
  text_clear(&reason);
  return good;
}

bool gates_keep_best(gate_search *s, const gates_claim *c, const mpz_t value)
{
  gates_best *best = &s->best[gates_once(c)];
  if (mpz_cmp(value, best->value) <= 0)
    return false;
  mpz_set(best->value, value);
  best->claim = *c;
  return true;
}

bool gates_consider(gate_search *s, gates_claim *c, mpz_t value)
{
  return gates_worth(s, c, value) && gates_keep_best(s, c, value);
}
