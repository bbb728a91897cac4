/* gates.c -- gates (docs/theory-affine.md, section 7): candidates are tried on a few sample elements, and what passes
   is derived as the checker does. */
#include "bounds/affine/gates/search.h"
#include "bounds/affine/say.h"
#include "bounds/bound.h"
#include <string.h>

/* Words along which values move from array to array, and those of the other bounds. */
static const word_order orders[] = {
  { false, { 2, 4, 0, 1, 3 }, false },  { false, { 2, 4, 0, 1, 3 }, true },  { false, { 0, 1, 2, 3, 4 }, false },
  { false, { 0, 1, 2, 3, -1 }, false }, { false, { 0, 4, 1, 2, 3 }, false },
  { false, { 3, 2, 4, 0, 1 }, true },   /* where a value is updated in an array of its own, an index more */
};
enum { ORDERS = sizeof orders / sizeof *orders };

bool gates_choose_words(gate_search *s, const word_order *order)
{
  affine_claim like = { 0 };
  text reason = { 0 };
  s->words = (gates_claim){ .reading = s->g->f->reading };
  s->words.owns = like.owns = affine_choose_words(&s->g->f->form, order, 0, s->words.own);
  memcpy(like.own, s->words.own, sizeof like.own);
  bool good = affine_words(s->g->f, &like, &reason);
  text_clear(&reason);
  return good;
}

/* Do the orders before this one choose the same words? */
static bool known_words(const gate_search *s, int order)
{
  for (int k = 0; k < order; k++) {
    int own[WORDS_MOST], n = affine_choose_words(&s->g->f->form, &orders[k], 0, own);
    if (n == s->words.owns && memcmp(own, s->words.own, (size_t)n * sizeof *own) == 0)
      return true;
  }
  return false;
}

static void try_order(gate_search *s, candidates *c, int order, int lag)
{
  s->derived = s->waits.n = s->used.n = 0;
  if (lag == 1)
    s->alone.n = 0;
  if (gates_choose_words(s, &orders[order]) && !known_words(s, order)) {
    gates_find_candidates(s, c);
    if (c->uses + c->waits > 0)
      gates_each_array(s, c, lag);
    if (order == 0 && lag == 1)
      gates_find_forks(s);
    if (lag == 1 && (c->uses + c->waits > 0 || s->waits.n > 0)) {
      gates_join_families(s);
      gates_find_alternating(s, c);
      s->derived = 0;
      gates_wait_instead(s, c);
      gates_find_turns(s, c);
    }
    if (lag == 2)
      gates_join_alone(s);
  }
}

/* Before the family with a lag, one with none: of the same elements those at which index r is at least h, which come
   after the first of its array that gets so far, before the first one time later. */
static bool split_at(gate_search *s, int r, int64_t h, int64_t offset)
{
  gates_claim c = s->best[0].claim;
  gate_family *last = &c.family[c.families - 1], *of = last;
  const gate_use u = last->use[0];
  int time = u.keys.loop[last->time];
  mpz_t value;
  if (c.families == GATE_FAMILIES || time == r)
    return false;
  c.family[c.families++] = *last;
  *of = (gate_family){ .array = u.array, .time = time, .lag = 1, .uses = 1, .partner = -1 };
  /* after the last gate more words count, which others would lose */
  of->cut = (gate_cut){ time, gates_box_of(s, u.array)->lo[time], gates_box_of(s, u.array)->hi[time] - 1 };
  of->role[time] = GATE_KEY;
  of->role[r] = GATE_AT;
  of->at[r] = h;
  of->use[0] = u;
  of->use[0].keys.loop[time] = time;
  of->use[0].keys.offset[time] = offset;
  mpz_init(value);
  bool better = gates_consider(s, &c, value);
  mpz_clear(value);
  return better;
}

enum { SPLITS = 8 };

/* Where it serves, at halves, quarters and eighths. */
static void split_lag(gate_search *s)
{
  const gates_claim *c = &s->best[0].claim;
  if (c->families != 1 || c->family[0].lag < 2 || c->family[0].uses != 1 || c->family[0].back)
    return;
  int array = c->family[0].use[0].array;
  const struct box *b = gates_box_of(s, array);
  s->derived = 0;
  for (int r = 0; r < s->g->f->form.array[array].rank; r++)
    for (int64_t part = 2; part <= SPLITS; part *= 2) {
      int families = c->families;
      for (int64_t k = 1; k < part && b->lo[r] < b->hi[r]; k += 2)
        split_at(s, r, b->lo[r] + (b->hi[r] - b->lo[r]) * k / part, 0);
      if (c->families == families)
        break;
    }
}

static void find_gates(gates_facts *g, int64_t m, gates_best *best)
{
  gate_search *s = ARENA_NEW(&g->f->memory, gate_search, 1);
  candidates *c = ARENA_NEW(&g->f->memory, candidates, 1);
  text reason = { 0 };
  s->g = g;
  s->m = m;
  s->best = best;
  s->box = ARENA_NEW(&g->f->memory, struct box, (size_t)g->f->form.arrays);
  s->element = ARENA_NEW(&g->f->memory, samples, (size_t)g->f->form.arrays);
  bool good = gates_derive(g, &s->words, &reason);
  text_clear(&reason);
  if (!good)
    return;
  for (int k = 0; k < 2; k++) /* inputs and outputs: a gate must say more */
    if (best[k].claim.families == 0)
      mpz_add(best[k].value, g->f->inputs, g->f->outputs);
  for (int k = 0; k < ORDERS; k++)
    for (int lag = 1; lag <= 2; lag++) /* 2: steps of a chain that each depend on all of the step before */
      try_order(s, c, k, lag);
  gates_find_cells(s);
  if (best[0].claim.reading == g->f->reading)
    split_lag(s);
}

/* ---- the theorem ---- */

static void add_gates(const bound_question *q, gates_facts *g, const gates_best *best, bool once, bound_list *out)
{
  bound *b = bound_list_add(out, once ? "gates-one-shot" : "gates", BOUND_PROVED,
                            once ? BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING : BOUND_ANY,
                            "docs/theory-affine.md, section 7");
  json j = { 0 };
  mpz_set(b->value, best->value);
  json_open(&j, '{');
  gates_claim_write(&best->claim, &j);
  json_close(&j, '}');
  text_add(&b->parameters, text_str(&j.out));
  json_clear(&j);
  text reason = { 0 };
  if (q->want_proof && gates_derive(g, &best->claim, &reason))
    gates_say_proof(g, &best->claim, (int64_t)q->m, b);
  text_clear(&reason);
}

static status apply(const bound_question *q, bound_list *out, diag *d)
{
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 4)
    return OK;
  affine_facts f[READINGS];
  gates_facts g[READINGS];
  unsigned there = bound_readings(q->g, READ_TAPPED, f);
  gates_best *best = ARENA_NEW(&f[0].memory, gates_best, 2);
  for (int k = 0; k < 2; k++)
    mpz_init(best[k].value);
  for (int r = 0; r < READINGS; r++) {
    if (!(there >> r & 1))
      continue;
    gates_facts_init(&g[r], &f[r]);
    find_gates(&g[r], (int64_t)q->m, best);
  }
  for (int k = 0; k < 2; k++)
    if (best[k].claim.families && (k == 0 || mpz_cmp(best[1].value, best[0].value) > 0))
      add_gates(q, &g[best[k].claim.reading], &best[k], k, out);
  for (int k = 0; k < 2; k++)
    mpz_clear(best[k].value);
  for (int r = 0; r < READINGS; r++)
    if (there >> r & 1)
      gates_facts_clear(&g[r]);
  bound_readings_clear(f, there);
  return OK;
}

BOUND_THEOREM(96, gates) = {
  .name = "gates",
  .summary =
      "two passes over more than M words, and values that wait: what lies between a computed element and the next",
  .source = "docs/theory-affine.md, section 7",
  .apply = apply,
};
