/* The least M that the bounds allow a play of so much traffic: a bound above it forbids an M, and every smaller one. */
#include "bounds/memory.h"
#include <stdio.h>

typedef struct {
  bound_question q;            /* its memory is the one looked at */
  mpz_srcptr traffic;
} asked;

/* Does the best bound forbid this traffic with m pebbles?  Then out->theorem is its name. */
static status forbids(asked *x, uint64_t m, bool *yes, bound_memory *out, diag *d)
{
  bound_list list = { 0 };
  int best = -1;
  x->q.m = m;
  status st = bound_all(&x->q, &list, &best, d);
  *yes = st == OK && best >= 0 && mpz_cmp(list.item[best].value, x->traffic) > 0;
  if (*yes)
    snprintf(out->theorem, sizeof out->theorem, "%s", list.item[best].name);
  bound_list_clear(&list);
  return st;
}

/* The largest M forbidden lies in [lo, hi); lo is forbidden (or 0), hi is not. */
static status halve(asked *x, uint64_t lo, uint64_t hi, bound_memory *out, diag *d)
{
  status st = OK;
  while (st == OK && hi - lo > 1) {
    uint64_t middle = lo + (hi - lo) / 2;
    bool yes;
    st = forbids(x, middle, &yes, out, d);
    *(yes ? &lo : &hi) = middle;
  }
  out->words = lo + 1;
  return st;
}

status bound_memory_needed(const bound_question *q, const mpz_t traffic, bound_memory *out, diag *d)
{
  asked x = { .q = *q, .traffic = traffic };
  uint64_t lo = 0, hi = 1;
  bool yes = false;
  *out = (bound_memory){ 0 };
  x.q.no_search = true;
  status st = forbids(&x, q->g->vertices > 1 ? q->g->vertices : 1, &yes, out, d);
  if (st != OK || yes)
    return st; /* whatever M is */
  for (st = forbids(&x, hi, &yes, out, d); st == OK && yes; st = forbids(&x, hi, &yes, out, d)) {
    lo = hi;
    hi = hi <= UINT64_MAX / 2 ? 2 * hi : UINT64_MAX;
  }
  return st == OK ? halve(&x, lo, hi, out, d) : st;
}
