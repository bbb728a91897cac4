/* The gates of a family, and which elements come before, between and after them. */
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"
#include <string.h>

/* ---- sets of pairs ---- */

bool gating_keep_in(gating *s, polyhedra *l, const polyhedra *set, int n)
{
  polyhedra rest = { 0 }, kept = { 0 };
  if (!polyhedra_minus(s->memory, l, set, n, &rest) || !polyhedra_minus(s->memory, l, &rest, n, &kept))
    return false;
  *l = kept;
  return true;
}

bool gating_drop_under(gating *s, polyhedra *l, const polyhedra *bad, int n)
{
  polyhedra away = { 0 }, rest = { 0 };
  for (int i = 0; i < bad->n; i++) {
    bool exact;
    polyhedron *p = polyhedron_project(s->memory, bad->item[i], n, &exact);
    if (p->open)
      return false;
    polyhedra_add(s->memory, &away, p);
  }
  if (!polyhedra_minus(s->memory, l, &away, n, &rest))
    return false;
  *l = rest;
  return true;
}

gate_keys gating_keys(const gating *s, int from, const gate_keys *k, int to)
{
  return gates_keys_for(&s->claim->family[from], k, &s->claim->family[to]);
}

polyhedron *gating_with_gate(gating *s, const polyhedron *b, int rank, int between, int family, const polyhedron *gate,
                             const gate_keys *k, int later)
{
  const gate_family *of = &s->claim->family[family];
  int gate_rank = gating_rank(s, family);
  polyhedron *p = polyhedron_new(s->memory, rank + between + gate_rank);
  linear x[CDAG_RANK], g[CDAG_RANK];
  linear_variables(x, rank, 0);
  linear_variables(g, gate_rank, rank + between);
  polyhedron_include(s->memory, p, b, x, rank);
  polyhedron_include(s->memory, p, gate, g, gate_rank);
  for (int r = 0; r < gate_rank; r++) {
    if (of->role[r] != GATE_KEY)
      continue;
    linear key = x[k->loop[r]];
    key.base += k->offset[r] + (r == of->time ? of->back ? -later : later : 0);
    polyhedron_same(s->memory, p, &g[r], &key);
  }
  return p;
}

void gating_pairs(gating *s, const polyhedra *b, int rank, int family, const gate_keys *k, int later,
                  polyhedra *pairs)
{
  const polyhedra *gate = &s->g->set[family].gate;
  for (int i = 0; i < b->n; i++)
    for (int j = 0; j < gate->n; j++) {
      polyhedron *p = gating_with_gate(s, b->item[i], rank, 0, family, gate->item[j], k, later);
      if (p->open || !polyhedron_empty(p))
        polyhedra_add(s->memory, pairs, p);
    }
}

void gating_below(gating *s, int family, int array, const linear *y, int before, polyhedra *tuples)
{
  const polyhedra *l = reach_from(&s->g->reach, s->claim->family[family].array, array);
  int rank = gating_rank(s, family);
  linear value[2 * CDAG_RANK];
  linear_variables(value, rank, before);
  memcpy(&value[rank], y, (size_t)s->f->form.array[array].rank * sizeof *y);
  for (int i = 0; i < l->n; i++) {
    polyhedron *p = polyhedron_new(s->memory, before + rank);
    polyhedron_include(s->memory, p, l->item[i], value, rank + s->f->form.array[array].rank);
    if (!p->open)
      polyhedra_add(s->memory, tuples, p);
  }
}

/* ---- the gate ---- */

bool gating_find_gate(gating *s)
{
  const array_form *x = &s->f->form.array[s->of->array];
  for (int i = 0; i < x->domain.n; i++)
    for (int k = 0; k < x->computed.n; k++) {
      polyhedron *p = polyhedron_copy(s->memory, x->domain.item[i]);
      polyhedron_meet(s->memory, p, x->computed.item[k], x->rank);
      for (int r = 0; r < x->rank; r++) {
        linear index = linear_variable(r), at = gates_fixed(s->of, r);
        if (s->of->role[r] == GATE_AT)
          polyhedron_same(s->memory, p, &index, &at);
      }
      if (p->open)
        return bound_refuse(s->reason, "the gates are not found");
      if (!polyhedron_empty(p))
        polyhedra_add(s->memory, &s->sets->gate, p);
    }
  for (int r = 0; r < x->rank; r++)
    if (s->of->role[r] == GATE_KEY)
      s->sets->index[s->sets->keys++] = r;
  return s->sets->gate.n > 0 || bound_refuse(s->reason, "there is no gate");
}

bool gating_is_gate(const gating *s, int family, int array, const gate_keys *k)
{
  const gate_family *of = &s->claim->family[family];
  bool itself = array == of->array;
  for (int r = 0; r < gating_rank(s, family) && itself; r++)
    itself = of->role[r] != GATE_KEY || (k->loop[r] == r && k->offset[r] == 0);
  return itself;
}

bool gating_after(gating *s, int family, polyhedra *b, int array, const gate_keys *k)
{
  const polyhedra *above = reach_from(&s->g->reach, array, s->claim->family[family].array),
                  *gate = &s->g->set[family].gate;
  int rank = s->f->form.array[array].rank;
  polyhedra pairs = { 0 }, good = { 0 };
  gating_pairs(s, b, rank, family, k, 0, &pairs);
  for (int i = 0; i < pairs.n; i++)
    for (int j = 0; j < above->n; j++) {
      bool exact;
      polyhedron *p = polyhedron_copy(s->memory, pairs.item[i]);
      polyhedron_meet(s->memory, p, above->item[j], rank + gating_rank(s, family));
      if (p->open || polyhedron_empty(p))
        continue;
      p = polyhedron_project(s->memory, p, rank, &exact);
      if (exact)
        polyhedra_add(s->memory, &good, p);
    }
  for (int i = 0; i < gate->n && gating_is_gate(s, family, array, k); i++)
    polyhedra_add(s->memory, &good, gate->item[i]);
  return gating_keep_in(s, b, &good, rank);
}

/* Families that alternate come one after the other at the times that their phases say, and again a lag later: so much
 * later than a gate of family k stands the gate of family q that comes behind it. */
static int times_later(const gating *s, int k, int q)
{
  const gate_family *of = s->claim->family;
  return of[q].phase - of[k].phase + (q <= k ? of[k].lag : 0);
}

/* b stays when it is an ancestor of every gate of its class that comes next; the last one of all has none. */
static bool ancestor_of_next(gating *s, polyhedra *b, int array, const gate_keys *k)
{
  int rank = s->f->form.array[array].rank, next = s->family < s->last ? s->family + 1 : s->first;
  polyhedra pairs = { 0 }, below = { 0 }, bad = { 0 };
  gate_keys keys = gating_keys(s, s->family, k, next);
  linear x[CDAG_RANK];
  if (s->of->time < 0 && s->family == s->last)
    return true;
  linear_variables(x, rank, 0);
  gating_pairs(s, b, rank, next, &keys, s->of->time < 0 ? 0 : times_later(s, s->family, next), &pairs);
  gating_below(s, next, array, x, rank, &below);
  return polyhedra_minus(s->memory, &pairs, &below, rank + gating_rank(s, next), &bad) &&
         gating_drop_under(s, b, &bad, rank);
}

/* The gates of a family over which there is none of the family before. */
static bool early_gates(gating *s, int family, polyhedra *early)
{
  const gate_family *of = &s->claim->family[family];
  int before = family > s->first ? family - 1 : s->last;
  polyhedra gate = s->g->set[family].gate, has = gate;
  int later = of->time < 0 ? 0 : times_later(s, before, family);
  gate_keys same = { 0 };
  for (int r = 0; r < gating_rank(s, family); r++) {
    same.loop[r] = r;
    same.offset[r] = r != of->time ? 0 : of->back ? later : -later;
  }
  same = gating_keys(s, family, &same, before);
  gate.room = has.room = gate.n; /* grow apart */
  return gating_after(s, before, &has, of->array, &same) &&
         polyhedra_minus(s->memory, &gate, &has, gating_rank(s, family), early);
}

/* Gates come in the order of their families: b stays when each later gate of its class has one of the family before
 * among its ancestors. */
static bool gates_ordered(gating *s, polyhedra *b, int array, const gate_keys *k)
{
  int rank = s->f->form.array[array].rank;
  polyhedra pairs = { 0 };
  for (int q = s->first; q <= s->last; q++) {
    const gate_family *of = &s->claim->family[q];
    gate_keys keys = gating_keys(s, s->family, k, q);
    int later = of->time < 0 ? 0 : times_later(s, s->family, q);
    polyhedra early = { 0 };
    if (of->time < 0 && q <= s->family)
      continue;
    if (!early_gates(s, q, &early))
      return false;
    for (int i = 0; i < b->n; i++)
      for (int j = 0; j < early.n; j++) {
        polyhedron *p = polyhedron_new(s->memory, rank + gating_rank(s, q));
        linear x[CDAG_RANK], g[CDAG_RANK];
        linear_variables(x, rank, 0);
        linear_variables(g, gating_rank(s, q), rank);
        polyhedron_include(s->memory, p, b->item[i], x, rank);
        polyhedron_include(s->memory, p, early.item[j], g, gating_rank(s, q));
        for (int r = 0; r < gating_rank(s, q); r++) {
          linear key = x[keys.loop[r]];
          if (of->role[r] != GATE_KEY)
            continue;
          key.base += keys.offset[r] + (r != of->time ? 0 : of->back ? -later : later);
          if (r == of->time)
            polyhedron_require(s->memory, p, of->back ? &g[r] : &key, of->back ? &key : &g[r]);
          else
            polyhedron_same(s->memory, p, &g[r], &key);
        }
        if (p->open || !polyhedron_empty(p))
          polyhedra_add(s->memory, &pairs, p);
      }
  }
  return gating_drop_under(s, b, &pairs, rank);
}

bool gating_before_next(gating *s, polyhedra *b, int array, const gate_keys *k)
{
  return ancestor_of_next(s, b, array, k) && gates_ordered(s, b, array, k);
}
