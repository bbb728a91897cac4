/* Paths that wait at a gate: when nothing is computed twice, each is kept, or stored and loaded again. */
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"
#include <string.h>

static bool begin_wait(gating *s, const gate_wait *w, path *t)
{
  const normal_form *f = &s->f->form;
  int array = w->array, rank = f->array[array].rank;
  linear here[CDAG_RANK];
  linear_variables(here, rank, 0);
  *t = (path){ .z = f->array[array].live };
  t->z.room = t->z.n;
  for (int i = 0; i < w->links; i++) {
    const access *a = f->access[w->link[i]];
    polyhedra in = { 0 };
    if (a->from != array || !words_is_own(&s->f->words, w->link[i]))
      return bound_refuse(s->reason, "access %d does not lead along a word", w->link[i]);
    for (int k = 0; k < f->array[a->to].computed.n; k++) { /* the reader has this predecessor, and that is computed */
      polyhedron *p = polyhedron_new(s->memory, rank);
      linear index[CDAG_RANK];
      polyhedron_include(s->memory, p, a->where, here, f->array[array].rank);
      for (int r = 0; r < f->array[a->to].rank; r++) {
        if (!linear_substitute(&a->index[r], here, f->array[array].rank, 0, &index[r]))
          p->open = true;
        for (int v = f->array[array].rank; v < POLYHEDRON_VARS; v++)
          p->open = p->open || a->index[r].coef[v];
        t->at[i][r] = index[r];
      }
      polyhedron_include(s->memory, p, f->array[a->to].computed.item[k], index, f->array[a->to].rank);
      if (!p->open)
        polyhedra_add(s->memory, &in, p);
    }
    if (!gating_keep_in(s, &t->z, &in, rank))
      return bound_refuse(s->reason, "a path is not found");
    t->array[i] = array = a->to;
    memcpy(here, t->at[i], sizeof here);
  }
  return true;
}

/* No element of the path is an output, whose store is counted. */
static bool no_outputs(gating *s, const gate_wait *w, path *t)
{
  int rank = s->f->form.array[w->array].rank;
  polyhedra away = { 0 };
  for (int i = 0; i < w->links; i++) {
    const array_form *x = &s->f->form.array[t->array[i]];
    for (int k = 0; k < x->outputs.n; k++) {
      polyhedron *p = polyhedron_new(s->memory, rank);
      polyhedron_include(s->memory, p, x->outputs.item[k], t->at[i], x->rank);
      polyhedra_add(s->memory, &away, p);
    }
  }
  return gating_drop_under(s, &t->z, &away, rank);
}

/* The path begins before every gate with its keys. */
static bool before_gate(gating *s, const gate_wait *w, path *t)
{
  int rank = s->f->form.array[w->array].rank, last = w->links - 1;
  polyhedra pairs = { 0 }, below = { 0 }, bad = { 0 };
  gating_pairs(s, &t->z, rank, s->family, &w->keys, 0, &pairs);
  gating_below(s, s->family, t->array[last], t->at[last], rank, &below);
  return polyhedra_minus(s->memory, &pairs, &below, rank + s->rank, &bad) && gating_drop_under(s, &t->z, &bad, rank);
}

/* Is a gate with the path's keys on it? */
static bool gate_waits(gating *s, const gate_wait *w, const path *t)
{
  int rank = s->f->form.array[w->array].rank;
  for (int i = 0; i < t->z.n; i++)
    for (int j = 0; j < s->sets->gate.n; j++)
      for (int l = 0; l < w->links; l++) {
        polyhedron *p = gating_with_gate(s, t->z.item[i], rank, 0, s->family, s->sets->gate.item[j], &w->keys, 0);
        for (int r = 0; r < s->rank && t->array[l] == s->of->array; r++) {
          linear g = linear_variable(rank + r);
          polyhedron_same(s->memory, p, &g, &t->at[l][r]);
        }
        if (t->array[l] == s->of->array && !polyhedron_empty(p))
          return true;
      }
  return false;
}

bool gates_paths_apart(const normal_form *f, const gate_wait *w, const path *t, const gate_wait *v, const path *u,
                       text *reason)
{
  for (int i = 0; i < w->links; i++)
    for (int k = 0; k < v->links; k++)
      for (int p = 0; p < t->z.n && t->array[i] == u->array[k] && !(w == v && i == k); p++)
        for (int q = 0; q < u->z.n; q++) {
          SCOPED_ARENA memory = { 0 };
          int shift;
          polyhedron *both = polyhedron_beside(&memory, t->z.item[p], u->z.item[q], &shift);
          for (int r = 0; r < f->array[t->array[i]].rank; r++) {
            linear moved;
            if (linear_substitute(&u->at[k][r], NULL, 0, shift, &moved))
              polyhedron_same(&memory, both, &t->at[i][r], &moved);
          }
          bool apart = polyhedron_empty(both);
          if (!apart)
            return bound_refuse(reason, "two paths that wait may meet");
        }
  return true;
}

bool gating_wait(gating *s, const gate_wait *w, path *t)
{
  int rank = s->f->form.array[w->array].rank;
  linear z[CDAG_RANK];
  if (!begin_wait(s, w, t))
    return false;
  if (!no_outputs(s, w, t) || !before_gate(s, w, t) || !gating_after(s, s->family, &t->z, w->array, &w->keys))
    return bound_refuse(s->reason, "what waits at a gate is not found");
  s->sets->beside = s->sets->beside && !gating_is_gate(s, s->family, w->array, &w->keys) && !gate_waits(s, w, t);
  linear_variables(z, rank, 0);
  return gating_add_set(s, -1, &t->z, &w->keys, z, rank);
}
