/* Paths that wait at a gate: when nothing is computed twice, each is kept, or stored and loaded again. */
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"
#include <string.h>

/* `in`: elements z of the array whose predecessor through this access, from `here`, is one of `set`. */
static void step_along(gating *s, const access *a, const linear *here, int rank, const polyhedra *set, linear *at,
                       polyhedra *in)
{
  const normal_form *f = &s->f->form;
  for (int k = 0; k < set->n; k++) {
    polyhedron *p = polyhedron_new(s->memory, rank);
    linear index[CDAG_RANK];
    polyhedron_include(s->memory, p, a->where, here, f->array[a->from].rank);
    for (int r = 0; r < f->array[a->to].rank; r++) {
      if (!linear_substitute(&a->index[r], here, f->array[a->from].rank, 0, &index[r]))
        p->open = true;
      for (int v = f->array[a->from].rank; v < POLYHEDRON_VARS; v++)
        p->open = p->open || a->index[r].coef[v];
      at[r] = index[r];
    }
    polyhedron_include(s->memory, p, set->item[k], index, f->array[a->to].rank);
    if (!p->open)
      polyhedra_add(s->memory, in, p);
  }
}

bool gating_trace(gating *s, int array, const int *link, int links, bool input, polyhedra *z, path *t)
{
  const normal_form *f = &s->f->form;
  int rank = f->array[array].rank;
  linear here[CDAG_RANK];
  linear_variables(here, rank, 0);
  t->links = links;
  for (int i = 0; i < links; i++) {
    const access *a = f->access[link[i]];
    polyhedra in = { 0 };
    if (a->from != array || !a->single)
      return bound_refuse(s->reason, "access %d does not lead along a path", link[i]);
    step_along(s, a, here, rank, input && i + 1 == links ? &f->array[a->to].inputs : &f->array[a->to].computed,
               t->at[i], &in);
    if (!gating_keep_in(s, z, &in, rank))
      return bound_refuse(s->reason, "a path is not found");
    t->array[i] = array = a->to;
    memcpy(here, t->at[i], sizeof here);
  }
  return true;
}

static bool begin_wait(gating *s, const gate_wait *w, path *t)
{
  t->z = s->f->form.array[w->array].live;
  t->z.room = t->z.n;
  for (int i = 0; i < w->links; i++)
    if (!words_is_own(&s->f->words, w->link[i]))
      return bound_refuse(s->reason, "access %d does not lead along a word", w->link[i]);
  return gating_trace(s, w->array, w->link, w->links, false, &t->z, t);
}

bool gating_no_outputs(gating *s, const path *t, int rank, polyhedra *z)
{
  polyhedra away = { 0 };
  for (int i = 0; i < t->links; i++) {
    const array_form *x = &s->f->form.array[t->array[i]];
    for (int k = 0; k < x->outputs.n; k++) {
      polyhedron *p = polyhedron_new(s->memory, rank);
      polyhedron_include(s->memory, p, x->outputs.item[k], t->at[i], x->rank);
      polyhedra_add(s->memory, &away, p);
    }
  }
  return gating_drop_under(s, z, &away, rank);
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

bool gates_paths_apart(const normal_form *f, const path *t, const path *u, text *reason)
{
  for (int i = 0; i < t->links; i++)
    for (int k = 0; k < u->links; k++)
      for (int p = 0; p < t->z.n && t->array[i] == u->array[k] && !(t == u && i == k); p++)
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
  if (!gating_no_outputs(s, t, rank, &t->z) || !before_gate(s, w, t) ||
      !gating_after(s, s->family, &t->z, w->array, &w->keys))
    return bound_refuse(s->reason, "what waits at a gate is not found");
  s->sets->beside = s->sets->beside && !gating_is_gate(s, s->family, w->array, &w->keys) && !gate_waits(s, w, t);
  linear_variables(z, rank, 0);
  return gating_add_set(s, -1, &t->z, &w->keys, z, rank);
}
