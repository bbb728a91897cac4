/* Gates: all families of a claim, and what they say together. */
#include "base/scoped.h"
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"
#include <string.h>

void gates_facts_init(gates_facts *g, affine_facts *f)
{
  *g = (gates_facts){ .f = f };
  reach_init(&g->reach, &f->form, &f->memory);
  for (int k = 0; k < GATE_FAMILIES; k++)
    mpz_inits(g->set[k].steps, g->set[k].births, NULL);
}

void gates_facts_clear(gates_facts *g)
{
  for (int k = 0; k < GATE_FAMILIES; k++)
    mpz_clears(g->set[k].steps, g->set[k].births, NULL);
}

int gating_rank(const gating *s, int family) { return s->f->form.array[s->claim->family[family].array].rank; }

bool gating_keys_counted(gating *s)
{
  gate_sets *t = s->sets;
  polyhedra all = { 0 };
  for (int k = 0; k < t->sets; k++)
    for (int i = 0; i < t->set[k].of.n; i++) {
      bool exact;
      polyhedron *p = polyhedron_project(s->memory, t->set[k].of.item[i], t->keys, &exact);
      if (p->open)
        return bound_refuse(s->reason, "the gates are not counted");
      polyhedra_add(s->memory, &all, p);
    }
  return polyhedra_disjoint(s->memory, &all, t->keys, &t->gates) ||
         bound_refuse(s->reason, "the gates are not counted");
}

void gating_begin(gating *s, int k)
{
  s->family = s->first = s->last = k;
  s->of = &s->claim->family[k];
  s->sets = &s->g->set[k];
  s->rank = gating_rank(s, k);
  while (s->claim->family[s->first].alternates)
    s->first--;
  while (s->last + 1 < s->claim->families && s->claim->family[s->last + 1].alternates)
    s->last++;
}

static bool family_gates(gating *s, int k)
{
  gate_sets *t = &s->g->set[k];
  gating_begin(s, k);
  t->sets = t->keys = t->lost = t->lost_waiting = 0;
  t->gate = t->gates = t->words = t->chains = (polyhedra){ 0 };
  memset(t->set, 0, sizeof t->set);
  t->width = 0;
  mpz_set_ui(t->births, 0);
  t->beside = true;
  return gating_find_gate(s);
}

/* What was derived of a family: as many as it has of each. */
typedef struct {
  used *use;
  path *wait, (*fork)[FORK_PATHS];
} derived;

static derived derived_room(arena *a, const gate_family *of)
{
  return (derived){ ARENA_NEW(a, used, (size_t)of->uses + 1), ARENA_NEW(a, path, (size_t)of->waits),
                    of->fork.paths > 0 ? arena_new(a, 2, sizeof(path[FORK_PATHS])) : NULL };
}

static bool family_sets(gating *s, int k, derived *d)
{
  gating_begin(s, k);
  const gate_family *of = s->of;
  if (of->fork.paths > 0)
    return gating_fork(s, d[k].fork) && gating_keys_counted(s);
  for (int i = 0; i < of->uses; i++) {
    if (!gating_use(s, &of->use[i], &d[k].use[i]))
      return false;
    s->sets->user[i] = d[k].use[i].b;
  }
  for (int i = 0; i < of->waits; i++)
    if (gating_wait(s, &of->wait[i], &d[k].wait[i]) && (!of->chained || gating_chain(s, &d[k].wait[i])))
      s->sets->user[of->uses + i] = d[k].wait[i].z;
    else
      return false;
  for (int i = 0; i < of->uses; i++)
    for (int e = s->first; e <= k; e++)
      for (int j = 0; j < (e < k ? s->claim->family[e].uses : i + 1); j++)
        if (d[k].use[i].component == d[e].use[j].component &&
            !gating_classes_apart(s, &of->use[i], &d[k].use[i], e, &s->claim->family[e].use[j], &d[e].use[j]))
          return false;
  return gating_keys_counted(s) && (of->partner < 0 || gating_hourglass(s, &d[k].use[0]));
}

enum { PATHS = GATE_WAITS + 2 * FORK_PATHS };

/* All paths of family k. */
static int paths_of(const gates_claim *c, const derived *d, int k, const path **all)
{
  int n = 0;
  for (int i = 0; i < c->family[k].waits; i++)
    all[n++] = &d[k].wait[i];
  for (int i = 0; i < 2 * c->family[k].fork.paths; i++)
    all[n++] = &d[k].fork[i % 2][i / 2];
  return n;
}

/* The component of words that are used holds nothing that waits; what waits waits once.  (A word that is used counts in
   one family, drop_counted.  The paths of a fork are apart among themselves, gating_fork.) */
static bool families_apart(const gates_facts *g, const gates_claim *c, const derived *d, text *reason)
{
  const path *x[PATHS], *y[PATHS];
  for (int a = 0; a < c->families; a++)
    for (int b = 0; b < c->families; b++) {
      int n = paths_of(c, d, a, x), m = paths_of(c, d, b, y);
      for (int i = 0; i < c->family[a].uses; i++)
        for (int k = 0; k < m; k++)
          for (int l = 0; l < y[k]->links; l++)
            if (d[a].use[i].component == g->f->words.component[y[k]->array[l]])
              return bound_refuse(reason, "what waits may be on a word that is used");
      for (int i = 0; i < n && !(a == b && c->family[a].fork.paths > 0); i++)
        for (int k = 0; k < m; k++)
          if (!gates_paths_apart(&g->f->form, x[i], y[k], reason))
            return false;
    }
  return true;
}

/* Do elements of this array count in another way: as a gate, on a path, on words that are used, or for other words? */
static bool counts_otherwise(const gates_facts *g, const gates_claim *c, const derived *d, int array, int via)
{
  const path *x[PATHS];
  bool any = false;
  for (int k = 0; k < c->families; k++) {
    any = any || c->family[k].array == array;
    for (int i = 0; i < c->family[k].uses; i++) {
      const gate_use *u = &c->family[k].use[i];
      any = any || d[k].use[i].component == g->f->words.component[array] ||
            (u->via && u->via != via && g->f->form.access[u->access]->to == array);
    }
    for (int i = 0, n = paths_of(c, d, k, x); i < n; i++)
      for (int l = 0; l < x[i]->links; l++)
        any = any || x[i]->array[l] == array;
  }
  return any;
}

/* An element by way of which a word is read counts as one more of that word, and for nothing else. */
static bool ways_apart(const gates_facts *g, const gates_claim *c, const derived *d, text *reason)
{
  for (int k = 0; k < c->families; k++)
    for (int i = 0; i < c->family[k].uses; i++) {
      const gate_use *u = &c->family[k].use[i];
      if (u->via && counts_otherwise(g, c, d, g->f->form.access[u->access]->to, u->via))
        return bound_refuse(reason, "what a word is read by way of counts in another way");
    }
  return true;
}

bool gates_derive(gates_facts *g, const gates_claim *c, text *reason)
{
  affine_claim like = { .owns = c->owns };
  memcpy(like.own, c->own, sizeof like.own);
  if (!affine_derive(g->f, &like, reason)) /* inputs and outputs */
    return false;
  if (!gates_in_range(&g->f->form, c))
    return bound_refuse(reason, "the claim names what there is not");
  derived d[GATE_FAMILIES];
  gating s = { .g = g, .f = g->f, .claim = c, .memory = &g->f->scratch, .reason = reason };
  for (int k = 0; k < c->families; k++)
    if (!family_gates(&s, k))
      return false;
  if (c->cells.least > 0)
    return c->families == 1 + c->cells.ordered ? gating_cells(&s) : bound_refuse(reason, "cells stand alone");
  if (c->stays.scale > 0)
    return c->families == 1 ? gating_stays(&s) : bound_refuse(reason, "stays stand alone");
  for (int k = 0; k < c->families; k++) {
    d[k] = derived_room(&g->f->scratch, &c->family[k]);
    if (!family_sets(&s, k, d))
      return false;
  }
  return families_apart(g, c, d, reason) && ways_apart(g, c, d, reason);
}

/* ---- numbers ---- */

bool gates_waits(const gate_family *k) { return k->waits > 0 || k->fork.paths > 0; }

bool gates_by_way(const gates_claim *c)
{
  bool any = false;
  for (int k = 0; k < c->families; k++)
    for (int i = 0; i < c->family[k].uses; i++)
      any = any || c->family[k].use[i].via > 0;
  return any;
}

bool gates_once(const gates_claim *c)
{
  for (int k = 0; k < c->families; k++)
    if (gates_waits(&c->family[k]))
      return true;
  return (c->stays.scale > 0 && c->stays.stores) || (c->cells.least > 0 && c->cells.once);
}

/* How many points of l have the key that is cut in its range. */
static bool count_cut(const gate_sets *t, const gate_cut *cut, const polyhedra *l, mpz_t sum)
{
  bool good = true;
  SCOPED_MPZ part;
  mpz_init(part);
  mpz_set_ui(sum, 0);
  for (int i = 0; i < l->n && cut->lo <= cut->hi && good; i++) {
    SCOPED_ARENA memory = { 0 };
    polyhedron *p = polyhedron_copy(&memory, l->item[i]);
    gates_require_cut(&memory, t, cut, p, 0);
    good = polyhedron_count(p, part);
    mpz_add(sum, sum, part);
  }
  return good;
}

bool gates_part_value(const gates_facts *g, const gates_claim *c, int k, bool twice, int64_t m, mpz_t value)
{
  const gate_sets *t = &g->set[k];
  const gate_cut *cut = twice ? &c->family[k].twice : &c->family[k].cut;
  SCOPED_MPZ part;
  mpz_init(part);
  bool good = count_cut(t, cut, &t->gates, part);
  mpz_mul_si(value, part, t->beside - m - (twice ? t->lost_waiting : t->lost));
  if (!twice && c->family[k].rows) { /* a row's words share what a red one saves */
    mpz_mul_2exp(value, value, 1);
    mpz_fdiv_q_ui(value, value, (unsigned long)c->family[k].rows + 2);
  }
  for (int i = 0; i < t->sets && good; i++)
    if (!twice || t->set[i].component == GATE_WAITING) {
      good = count_cut(t, cut, &t->set[i].of, part);
      mpz_addmul_ui(value, part, !twice && c->family[k].chained ? 2 : 1);
    }
  return good;
}

bool gates_family_value(const gates_facts *g, const gates_claim *c, int k, int64_t m, mpz_t value)
{
  const gate_family *of = &c->family[k];
  SCOPED_MPZ part;
  mpz_init(part);
  bool good = gates_part_value(g, c, k, false, m, value);
  if (good && of->chained) {
    good = polyhedra_count(&g->set[k].chains, part);
    mpz_submul_ui(value, part, 1 + (unsigned long)of->rows);
  } else if (good && gates_waits(of)) {
    good = gates_part_value(g, c, k, true, m, part);
    mpz_add(value, value, part);
  }
  return good;
}

/* What families of this lag add together, or how many stores of it: of their gates those of one rest count, the best.
 */
static bool lag_value(const gates_facts *g, const gates_claim *c, int lag, int64_t m, bool stores, mpz_t value)
{
  bool good = true;
  SCOPED_MPZ part;
  mpz_init(part);
  mpz_set_ui(value, 0);
  for (int k = 0; k < c->families && good; k++) {
    bool counts = c->family[k].lag == lag && (!stores || gates_waits(&c->family[k]));
    if (counts)
      good = stores ? gates_part_value(g, c, k, true, m, part) : gates_family_value(g, c, k, m, part);
    if (counts && mpz_sgn(part) > 0)
      mpz_add(value, value, part);
  }
  mpz_cdiv_q_ui(value, value, (unsigned long)lag);
  return good;
}

/* A segment of T events has M + T words, T in the first: one more event than they can do without.  What is no load is a
   birth. */
static bool segments_value(const gates_facts *g, const gate_family *of, int64_t m,
                           void (*steps)(const void *, const mpz_t, mpz_t), const void *size, mpz_t value, text *reason)
{
  mpz_t x, most, sum;
  if (of->segments < 1 || of->first < 0 || of->length < 0 || (of->segments > 1 && of->length == 0))
    return bound_refuse(reason, "the cut is none");
  mpz_inits(x, most, sum, NULL);
  mpz_set_si(x, of->first);
  steps(size, x, sum);
  mpz_set_si(x, m);
  mpz_add_ui(x, x, (unsigned long)of->length);
  steps(size, x, most);
  mpz_mul_si(most, most, of->segments - 1);
  mpz_add(sum, sum, most);
  bool good = mpz_cmp(sum, g->set[0].steps) < 0 || bound_refuse(reason, "the segments can do all steps");
  mpz_set_si(value, of->length);
  mpz_mul_si(value, value, of->segments - 1);
  mpz_add_ui(value, value, (unsigned long)of->first + 1);
  mpz_add(value, value, g->f->outputs);
  mpz_sub(value, value, g->set[0].births);
  mpz_clears(x, most, sum, NULL);
  return good;
}

static void cells_steps(const void *cells, const mpz_t x, mpz_t most) { cells_most(cells, x, most); }

static void glass_steps(const void *width, const mpz_t x, mpz_t most)
{
  hourglass_most(*(const int64_t *)width, x, most);
}

bool gates_value(const gates_facts *g, const gates_claim *c, int64_t m, mpz_t value, text *reason)
{
  if (c->cells.least > 0)
    return segments_value(g, &c->family[0], m, cells_steps, &c->cells, value, reason);
  if (c->stays.scale > 0)
    return gates_stays_value(g, c, m, value, reason);
  for (int k = 0; k < c->families; k++)
    if (c->family[k].partner >= 0)
      return c->families == 1 ? segments_value(g, &c->family[0], m, glass_steps, &g->set[0].width, value, reason)
                              : bound_refuse(reason, "an hourglass stands alone");
  mpz_t part;
  bool good = true;
  mpz_init(part);
  mpz_add(value, g->f->inputs, g->f->outputs);
  for (int lag = 1; lag <= GATE_LAG && good; lag++) {
    good = lag_value(g, c, lag, m, false, part) || bound_refuse(reason, "what waits at gates is not counted");
    mpz_add(value, value, part);
  }
  mpz_clear(part);
  return good;
}

/* Of the moves of the bound, the stores of what waits, which are no outputs. */
static bool stores_value(const gates_facts *g, const gates_claim *c, int64_t m, mpz_t value, text *reason)
{
  bool good = c->cells.least == 0 && c->stays.scale == 0;
  SCOPED_MPZ part;
  mpz_init(part);
  for (int k = 0; k < c->families && good; k++)
    good = c->family[k].partner < 0;
  mpz_set_ui(value, 0);
  for (int lag = 1; lag <= GATE_LAG && good; lag++) {
    good = lag_value(g, c, lag, m, true, part);
    mpz_add(value, value, part);
  }
  return good || bound_refuse(reason, "what is stored at gates is not counted");
}

/* Take the steps of these pairs of a step and a gate off the work of their group; steps that weigh different numbers
   are not told apart. */
static bool leave_out(gating *s, group_facts *group, const polyhedra *pairs, int rank)
{
  polyhedra late = { 0 }, pieces = { 0 };
  bool exact, good = group->unit == 1;
  SCOPED_MPZ n;
  mpz_init(n);
  for (int i = 0; i < pairs->n && good; i++) {
    polyhedron *p = polyhedron_project(s->memory, pairs->item[i], rank, &exact);
    good = !p->open;
    polyhedra_add(s->memory, &late, p);
  }
  good = good && polyhedra_disjoint(s->memory, &late, rank, &pieces) && polyhedra_count(&pieces, n);
  mpz_sub(group->work, group->work, n);
  return good && mpz_sgn(group->work) > 0;
}

/* Every step that counts, whose element it computes, is to be an ancestor of all gates of this family; others, as a
   gate itself, are not counted. */
static bool steps_before(gating *s, const affine_claim *loads)
{
  for (int k = 0; k < loads->groups; k++)
    for (int i = 0; i < loads->group[k].statements; i++) {
      int array = loads->group[k].statement[i].array, rank = s->f->form.array[array].rank;
      const polyhedra *steps = &s->f->group[k].steps[i];
      polyhedra pairs = { 0 }, below = { 0 }, bad = { 0 };
      linear x[CDAG_RANK], gate[CDAG_RANK];
      linear_variables(x, rank, 0);
      linear_variables(gate, s->rank, rank);
      for (int a = 0; a < steps->n; a++)
        for (int b = 0; b < s->sets->gate.n; b++) {
          polyhedron *p = polyhedron_new(s->memory, rank + s->rank);
          polyhedron_include(s->memory, p, steps->item[a], x, rank);
          polyhedron_include(s->memory, p, s->sets->gate.item[b], gate, s->rank);
          polyhedra_add(s->memory, &pairs, p);
        }
      gating_below(s, s->family, array, x, rank, &below);
      if (pairs.n == 0 || !polyhedra_minus(s->memory, &pairs, &below, rank + s->rank, &bad) ||
          (bad.n > 0 && !leave_out(s, &s->f->group[k], &bad, rank)))
        return false;
    }
  return true;
}

/* Of a claim with steps that was derived: do all gates come after them?  *value: its loads by those that they come
   after, if that is so and the loads behind gates are worth more than what is lost. */
static bool gates_behind(gates_facts *g, const gates_claim *c, const affine_claim *loads, int64_t m, const mpz_t worth,
                         mpz_t value)
{
  text reason = { 0 };
  SCOPED_MPZ less;
  mpz_init(less);
  gating s = { .g = g, .f = g->f, .claim = c, .memory = &g->f->scratch, .reason = &reason };
  bool good = true;
  for (int k = 0; k < c->families && good; k++) /* loads of words of rows come before gates, too */
    good = c->family[k].rows == 0 && family_gates(&s, k) && steps_before(&s, loads);
  good = good && affine_value(g->f, loads, affine_pebbles(g->f, m), less, &reason);
  if (good) {
    SCOPED_MPZ with;
    mpz_init(with);
    mpz_add(with, less, worth);
    good = mpz_cmp(with, value) > 0;
    if (good)
      mpz_set(value, less);
  }
  text_clear(&reason);
  return good;
}

bool gates_with_affine(affine_facts *f, const affine_claim *loads, const gates_claim *waits, int64_t m, mpz_t value,
                       bool *behind, text *reason)
{
  gates_facts g;
  SCOPED_MPZ stores, moves;
  mpz_inits(stores, moves, NULL);
  gates_facts_init(&g, f);
  bool good = (f->reading == READ_AS_IT_IS && loads->reading == f->reading && waits->reading == f->reading) ||
              bound_refuse(reason, "the claims read the computation otherwise than it is");
  good = good && (!gates_by_way(waits) || bound_refuse(reason, "words are read by way of others")) &&
         gates_derive(&g, waits, reason) && stores_value(&g, waits, m, stores, reason) &&
         gates_value(&g, waits, m, moves, reason);
  mpz_sub(moves, moves, f->inputs);
  mpz_sub(moves, moves, f->outputs);
  good = good && affine_derive(f, loads, reason) && affine_value(f, loads, affine_pebbles(f, m), value, reason);
  mpz_sub(moves, moves, stores);
  *behind = good && gates_behind(&g, waits, loads, m, moves, value);
  if (good)
    mpz_add(value, value, stores);
  if (*behind)
    mpz_add(value, value, moves);
  gates_facts_clear(&g);
  return good;
}
