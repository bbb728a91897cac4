/* alternating.c -- families of gates together. */
#include "bounds/affine/gates/search.h"
#include <string.h>

/* The gates alternate: words between each and the next. */
static bool try_alternating(gate_search *s, const candidates *c, const gate_family *const *gate, int n)
{
  gate_trial t = { .s = s, .c = c, .claim = s->words };
  mpz_t before;
  mpz_init_set(before, s->best[0].value);
  mpz_init(t.value);
  mpz_add(t.value, s->g->f->inputs, s->g->f->outputs);
  for (t.claim.families = 0; t.claim.families < n; t.claim.families++) {
    gate_family *f = &t.claim.family[t.claim.families];
    *f = *gate[t.claim.families];
    f->alternates = t.claim.families > 0;
    f->cut.key = -1;
    f->uses = 0;
  }
  s->derived = 0;
  for (; t.at < n; t.at++) {
    t.has = 0;
    gates_try_uses(&t);
  }
  bool better = mpz_cmp(s->best[0].value, before) > 0;
  mpz_clears(t.value, before, NULL);
  return better;
}

void gates_find_alternating(gate_search *s, const candidates *c)
{
  const gate_family *gate[GATE_FAMILIES], *best[2];
  int kept = s->alone.n, n = 0;
  for (int i = 0; i < kept * kept; i++) {
    gate[0] = &s->alone.item[i / kept].family;
    gate[1] = &s->alone.item[i % kept].family;
    if (i / kept != i % kept && gates_same_keys(gate[0], gate[1]) && try_alternating(s, c, gate, 2)) {
      memcpy(best, gate, sizeof best);
      n = 2;
    }
  }
  memcpy(gate, best, n ? sizeof best : 0);
  for (bool better = n > 0; better && n < GATE_FAMILIES; n += better) {
    const gate_family *joins = NULL;
    for (int i = 0; i < kept; i++) {
      gate[n] = &s->alone.item[i].family;
      if (gates_same_keys(gate[0], gate[n]) && try_alternating(s, c, gate, n + 1))
        joins = gate[n];
    }
    better = joins;
    gate[n] = joins;
  }
}
