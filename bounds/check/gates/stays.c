/* Stays: how long words are red, weighed against how often they are loaded (docs/theory-affine.md, Theorem 17). */
#include "base/scoped.h"
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"
#include <string.h>

/* ---- numbers: all are four times what the theorem says, as halves are squared ---- */

static int64_t stays_last(const gate_stays *p) { return p->step / p->word + 1; }

bool gates_stays_hold(const gate_stays *p)
{
  if (p->word < 1 || p->step < 1 || p->scale < 1 || p->scale > STAYS_SCALE_MOST || p->step > 4 * p->scale ||
      p->word > 4 * p->scale || stays_last(p) > STAYS_MOST || p->stores < 0 || p->stores > 1)
    return false;
  int64_t one = 4 * p->scale, last = stays_last(p); /* further out the sides only grow apart */
  for (int64_t w = 0; w <= last; w++) {              /* v = w / 2 */
    if (p->step * (4 + 2 * w) > (1 + p->stores) * one + p->word * (w * w + 2 * w))
      return false;
    for (int64_t h = 0; h <= last; h++)
      if (p->step * (4 * h + 2 * w) > one + p->word * (4 * h * h + 2 * h * w + w * w + 2 * w) ||
          p->step * (2 * h + 2 * w) > one + p->word * (4 * h * h - 4 * h + w * w + 2 * w))
        return false;
  }
  return true;
}

int64_t gates_stays_shared(const gate_stays *p)
{
  int64_t most = 0, last = stays_last(p);
  for (int64_t w = 0; w <= last; w++) {
    int64_t stay = 2 * p->step * w - p->word * (w * w + 2 * w);
    most = stay > most ? stay : most;
  }
  int64_t also = 4 * p->step - 4 * p->stores * p->scale;
  return also > 0 ? most + also : most;
}

bool gates_stays_value(const gates_facts *g, const gates_claim *c, int64_t m, mpz_t value, text *reason)
{
  const gate_stays *p = &c->stays;
  const gate_sets *t = &g->set[0];
  SCOPED_MPZ part;
  mpz_init(part);
  if (!gates_stays_hold(p))
    return bound_refuse(reason, "the prices of steps and of words are not shown");
  if (!polyhedra_count(&t->gates, part))
    return bound_refuse(reason, "the gates are not counted");
  mpz_mul_si(part, part, m - t->beside);
  mpz_mul_si(part, part, 4 * p->word);
  mpz_mul_si(value, t->steps, 4 * p->step);
  mpz_sub(value, value, part);
  if (!polyhedra_count(&t->words, part))
    return bound_refuse(reason, "the words are not counted");
  mpz_mul_si(part, part, gates_stays_shared(p));
  mpz_sub(value, value, part);
  mpz_set_si(part, 4 * p->scale);
  mpz_cdiv_q(value, value, part);
  mpz_add(value, value, g->f->outputs);
  return true;
}

/* ---- who reads what ---- */

/* Forms in the variables from `first` on, of what the access reads there; the polyhedron holds where it does. */
static bool read_forms(gating *s, polyhedron *p, const access *a, int first, linear *forms)
{
  const array_form *from = &s->f->form.array[a->from];
  linear x[CDAG_RANK];
  linear_variables(x, from->rank, first);
  polyhedron_include(s->memory, p, a->where, x, from->rank);
  for (int r = 0; r < s->f->form.array[a->to].rank; r++)
    if (!linear_substitute(&a->index[r], x, from->rank, 0, &forms[r]))
      p->open = true;
  return !p->open;
}

/* An access with an index that the loops of its reader tell. */
static bool plain(const gating *s, const access *a)
{
  for (int r = 0; r < s->f->form.array[a->to].rank; r++)
    for (int v = s->f->form.array[a->from].rank; v < POLYHEDRON_VARS; v++)
      if (a->index[r].coef[v])
        return false;
  return a->single;
}

/* b stays when its own predecessor is computed and no output: then a load of it follows a store. */
static bool own_computed(gating *s, const access *own, used *w)
{
  const array_form *x = &s->f->form.array[own->to];
  polyhedra in = { 0 }, away = { 0 };
  for (int side = 0; side < 2; side++) {
    const polyhedra *l = side ? &x->outputs : &x->computed;
    for (int i = 0; i < l->n; i++) {
      polyhedron *p = polyhedron_new(s->memory, w->rank);
      linear index[CDAG_RANK];
      if (!read_forms(s, p, own, 0, index))
        return false;
      polyhedron_include(s->memory, p, l->item[i], index, x->rank);
      polyhedra_add(s->memory, side ? &away : &in, p);
    }
  }
  return gating_keep_in(s, &w->b, &in, w->rank) && gating_drop_under(s, &w->b, &away, w->rank);
}

/* Of b and its gate: an element below the gate, or the gate, reads both b's own predecessor and what b reads of its
 * partner. */
static bool read_before(gating *s, const access *own, const access *partner, used *w)
{
  const gate_stays *p = &s->claim->stays;
  const access *a[2] = { s->f->form.access[p->read[0]], s->f->form.access[p->read[1]] };
  const gate_keys *k = &s->of->use[0].keys;
  int both = w->rank + s->rank, sum = s->f->form.array[a[0]->from].rank;
  const polyhedra *below = reach_from(&s->g->reach, s->of->array, a[0]->from);
  polyhedra pairs = { 0 }, good = { 0 }, bad = { 0 };
  if (a[0]->from != a[1]->from || a[0]->to != own->to || a[1]->to != partner->to || !plain(s, a[0]) || !plain(s, a[1]))
    return false;
  gating_pairs(s, &w->b, w->rank, s->family, k, 0, &pairs);
  for (int i = 0; i < pairs.n; i++)
    for (int j = a[0]->from == s->of->array ? -1 : 0; j < below->n; j++) { /* -1: the gate itself */
      polyhedron *q = polyhedron_new(s->memory, both + sum);
      linear x[2 * CDAG_RANK], mine[CDAG_RANK], its[CDAG_RANK], read[CDAG_RANK], other[CDAG_RANK];
      bool exact;
      linear_variables(x, both, 0);
      polyhedron_include(s->memory, q, pairs.item[i], x, both);
      linear_variables(x, s->rank, w->rank);
      linear_variables(x + s->rank, sum, both);
      if (j >= 0)
        polyhedron_include(s->memory, q, below->item[j], x, s->rank + sum);
      for (int r = 0; r < sum && j < 0; r++)
        polyhedron_same(s->memory, q, &x[r], &x[s->rank + r]);
      if (!read_forms(s, q, own, 0, mine) || !read_forms(s, q, partner, 0, its) ||
          !read_forms(s, q, a[0], both, read) || !read_forms(s, q, a[1], both, other))
        continue;
      for (int r = 0; r < s->f->form.array[own->to].rank; r++)
        polyhedron_same(s->memory, q, &mine[r], &read[r]);
      for (int r = 0; r < s->f->form.array[partner->to].rank; r++)
        polyhedron_same(s->memory, q, &its[r], &other[r]);
      if (q->open || polyhedron_empty(q))
        continue;
      q = polyhedron_project(s->memory, q, both, &exact);
      if (exact && !q->open)
        polyhedra_add(s->memory, &good, q);
    }
  return polyhedra_minus(s->memory, &pairs, &good, both, &bad) && gating_drop_under(s, &w->b, &bad, w->rank);
}

/* Pairs (b, other): the other continues the word that the access reads at b; of b's own word, at an earlier gate. */
static bool with_others(gating *s, const access *a, const used *w, polyhedra *pairs)
{
  int rank = w->rank, time = s->of->use[0].keys.loop[s->of->time];
  linear x[CDAG_RANK], y[CDAG_RANK], read[CDAG_RANK], of[LABELS_MOST], here = linear_variable(time),
         there = linear_variable(rank + time);
  linear_variables(x, rank, 0);
  linear_variables(y, rank, rank);
  (s->of->back ? &here : &there)->base++;
  for (int i = 0; i < w->b.n; i++)
    for (int k = 0; k < w->b.n; k++) {
      polyhedron *p = polyhedron_new(s->memory, 2 * rank);
      polyhedron_include(s->memory, p, w->b.item[i], x, rank);
      polyhedron_include(s->memory, p, w->b.item[k], y, rank);
      if (!read_forms(s, p, a, 0, read) || words_label_of(&s->f->words, a->to, read, of) != w->labels)
        return false;
      for (int l = 0; l < w->labels; l++) {
        linear moved;
        if (!linear_substitute(&w->label[l], y, rank, 0, &moved))
          return false;
        polyhedron_same(s->memory, p, &of[l], &moved);
      }
      if (a == s->f->form.access[s->claim->stays.own])
        polyhedron_require(s->memory, p, s->of->back ? &here : &there, s->of->back ? &there : &here);
      if (p->open || !polyhedron_empty(p))
        polyhedra_add(s->memory, pairs, p);
    }
  return true;
}

/* b stays when all these others come before what the access reads at b, or are that. */
static bool others_first(gating *s, const access *a, used *w)
{
  const polyhedra *below = reach_from(&s->g->reach, a->to, w->array);
  int rank = w->rank, to = s->f->form.array[a->to].rank;
  polyhedra pairs = { 0 }, first = { 0 }, bad = { 0 };
  linear read[2 * CDAG_RANK], y[CDAG_RANK];
  linear_variables(y, rank, rank);
  if (!with_others(s, a, w, &pairs))
    return false;
  for (int i = a->to == w->array ? -1 : 0; i < below->n; i++) {
    polyhedron *p = polyhedron_new(s->memory, 2 * rank);
    if (!read_forms(s, p, a, 0, read))
      continue;
    memcpy(read + to, y, (size_t)rank * sizeof *y);
    for (int r = 0; r < rank && i < 0; r++)
      polyhedron_same(s->memory, p, &read[r], &y[r]);
    if (i >= 0)
      polyhedron_include(s->memory, p, below->item[i], read, to + rank);
    if (!p->open)
      polyhedra_add(s->memory, &first, p);
  }
  return polyhedra_minus(s->memory, &pairs, &first, 2 * rank, &bad) && gating_drop_under(s, &w->b, &bad, rank);
}

/* Words that b continue: their labels. */
static bool find_words(gating *s, const used *w)
{
  const gate_sets *t = s->sets;
  polyhedra all = { 0 };
  for (int i = 0; i < t->set[0].of.n; i++) {
    polyhedron *p = polyhedron_new(s->memory, w->labels);
    bool exact;
    polyhedron_include(s->memory, p, t->set[0].of.item[i], NULL, 0);
    for (int l = 0; l < w->labels; l++) {
      linear here = linear_variable(l), there = linear_variable(w->labels + t->keys + l);
      polyhedron_same(s->memory, p, &here, &there);
    }
    p = polyhedron_project(s->memory, p, w->labels, &exact); /* no fewer */
    if (p->open)
      return false;
    polyhedra_add(s->memory, &all, p);
  }
  return polyhedra_disjoint(s->memory, &all, w->labels, &s->sets->words);
}

bool gating_stays(gating *s)
{
  gating_begin(s, 0);
  const gate_family *of = s->of;
  const gate_stays *p = &s->claim->stays;
  const access *own = s->f->form.access[p->own], *partner = s->f->form.access[of->partner];
  used w;
  int key, label;
  linear told;
  polyhedra where = { 0 };
  if (of->uses != 1 || of->waits || of->use[0].access >= 0 || of->time < 0 || of->lag != 1)
    return bound_refuse(s->reason, "the gates have not one kind of words after them");
  if (!gating_between(s, &of->use[0], &w))
    return false;
  polyhedra_add(s->memory, &where, partner->where);
  if (partner->from != w.array || !gating_keep_in(s, &w.b, &where, w.rank))
    return bound_refuse(s->reason, "the words are not told by class and time");
  if (gating_is_gate(s, 0, w.array, &of->use[0].keys) || own->from != w.array || !plain(s, own) || !plain(s, partner) ||
      !words_is_own(&s->f->words, p->own) || !gating_class(s, &w, &key, &label) ||
      !gating_partner(s, &w, label, &told))
    return bound_refuse(s->reason, "the words are not told by class and time");
  if (!own_computed(s, own, &w) || !read_before(s, own, partner, &w) || !others_first(s, own, &w) ||
      !others_first(s, partner, &w))
    return bound_refuse(s->reason, "what is read before a gate and after it is not found");
  s->sets->beside = s->f->words.component[of->array] != w.component;
  return gating_add_set(s, w.component, &w.b, &of->use[0].keys, w.label, w.labels) && gating_keys_counted(s) &&
         ((find_words(s, &w) && polyhedra_count(&s->sets->set[0].of, s->sets->steps)) ||
          bound_refuse(s->reason, "the steps are not counted"));
}
