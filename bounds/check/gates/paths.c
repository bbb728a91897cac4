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

/* How much later the turn of the first is than that of the second, whose variables are moved by `shift`. */
static bool turns_between(const path *t, const path *u, int shift, linear *later)
{
  linear moved;
  *later = t->turn;
  return linear_substitute(&u->turn, NULL, 0, shift, &moved) && linear_add(later, &moved, -1);
}

/* Of these points those at which both paths count. */
static void require_one_turn(arena *a, polyhedron *both, const path *t, const path *u, int shift)
{
  linear later;
  if (t->lag == 1 || t->lag != u->lag || !turns_between(t, u, shift, &later))
    return;
  int times = polyhedron_variable(both);
  if (times < 0)
    return;
  later.coef[times] = -t->lag;
  polyhedron_add(a, both, &later, true);
}

/* Pairs of last elements, of these pieces, for which link i of the one is link k of the other; *shift: where the
 * second's variables begin. */
static polyhedron *meeting(arena *a, const normal_form *f, const path *t, int i, int p, const path *u, int k, int q,
                           int *shift)
{
  polyhedron *both = polyhedron_beside(a, t->z.item[p], u->z.item[q], shift);
  for (int r = 0; r < f->array[t->array[i]].rank; r++) {
    linear moved;
    if (linear_substitute(&u->at[k][r], NULL, 0, *shift, &moved))
      polyhedron_same(a, both, &t->at[i][r], &moved);
  }
  return both;
}

bool gates_paths_apart(const normal_form *f, const path *t, const path *u, text *reason)
{
  for (int i = 0; i < t->links; i++)
    for (int k = 0; k < u->links; k++)
      for (int p = 0; p < t->z.n && t->array[i] == u->array[k] && !(t == u && i == k); p++)
        for (int q = 0; q < u->z.n; q++) {
          SCOPED_ARENA memory = { 0 };
          int shift;
          polyhedron *both = meeting(&memory, f, t, i, p, u, k, q, &shift);
          require_one_turn(&memory, both, t, u, shift);
          bool apart = polyhedron_empty(both);
          if (!apart)
            return bound_refuse(reason, "two paths that wait may meet");
        }
  return true;
}

static void take_turn(const gate_family *of, const gate_wait *w, path *t)
{
  t->lag = of->lag;
  if (of->time >= 0) {
    t->turn = linear_variable(w->keys.loop[of->time]);
    t->turn.base = w->keys.offset[of->time] - of->phase;
  }
}

bool gates_wait_meets(gates_facts *g, const gate_family *a, const gate_family *b, turn_set *set)
{
  const normal_form *f = &g->f->form;
  const gate_family *of[2] = { a, b };
  SCOPED_ARENA memory = { 0 };
  path *t = ARENA_NEW(&memory, path, 2);
  bool good = true;
  text reason = { 0 };
  gating s = { .g = g, .f = g->f, .memory = &memory, .reason = &reason };
  for (int side = 0; side < 2 && good; side++) {
    take_turn(of[side], of[side]->wait, &t[side]);
    good = begin_wait(&s, of[side]->wait, &t[side]);
  }
  *set = 0;
  for (int i = 0; i < t[0].links && good; i++)
    for (int k = 0; k < t[1].links; k++)
      for (int p = 0; p < t[0].z.n && t[0].array[i] == t[1].array[k] && !(a == b && i == k); p++)
        for (int q = 0; q < t[1].z.n && good; q++) {
          int shift;
          int64_t lo = 0, hi = -1;
          linear later;
          polyhedron *both = meeting(&memory, f, &t[0], i, p, &t[1], k, q, &shift);
          if (polyhedron_empty(both))
            continue;
          good = turns_between(&t[0], &t[1], shift, &later) && polyhedron_span(both, &later, &lo, &hi) &&
                 lo > -GATE_LAG && hi < GATE_LAG;
          for (int64_t d = lo; d <= hi && good; d++)
            *set |= (turn_set)1 << (d + GATE_LAG);
        }
  text_clear(&reason);
  return good;
}

/* Along which index of its array the access that the family names leads from an end to the next one; -1: none. */
static int chain_index(const gating *s)
{
  const access *a = s->of->chained ? s->f->form.access[s->of->chained - 1] : NULL;
  int along = -1;
  for (int r = 0; a && r < s->f->form.array[a->from].rank; r++) {
    linear same = linear_variable(r);
    same.base = a->index[r].base;
    if (!linear_equal(&same, &a->index[r]) || (same.base && (along >= 0 || same.base * same.base != 1)))
      return -1;
    along = same.base ? r : along;
  }
  return along;
}

bool gating_wait(gating *s, const gate_wait *w, path *t)
{
  int rank = s->f->form.array[w->array].rank;
  linear z[CDAG_RANK];
  if (!begin_wait(s, w, t))
    return false;
  take_turn(s->of, w, t);
  if (!gating_no_outputs(s, t, rank, &t->z) || !before_gate(s, w, t) ||
      !gating_after(s, s->family, &t->z, w->array, &w->keys))
    return bound_refuse(s->reason, "what waits at a gate is not found");
  if (s->of->rows > 0 && !gating_row_words(s, w, chain_index(s), t))
    return false;
  s->sets->beside = s->sets->beside && !gating_is_gate(s, s->family, w->array, &w->keys) && !gate_waits(s, w, t);
  linear_variables(z, rank, 0);
  return gating_add_set(s, -1, &t->z, &w->keys, z, rank);
}

bool gating_chain(gating *s, const path *t)
{
  const gate_family *of = s->of;
  const access *a = s->f->form.access[of->chained - 1];
  const array_form *x = &s->f->form.array[of->wait[0].array];
  bool good = s->claim->families == 1 && of->waits == 1 && of->uses == 0 && of->lag == 1 && a->single &&
              a->from == of->wait[0].array && a->to == a->from && of->array != a->from,
       told = false;
  int along = good ? chain_index(s) : -1;
  polyhedra linked = { 0 }, put_out = { 0 };
  for (int r = 0; r < s->rank; r++)
    told = told || (of->role[r] == GATE_KEY && of->wait[0].keys.loop[r] == along);
  for (int l = 0; l < t->links; l++)
    good = good && t->array[l] != a->from;
  if (!good || along < 0 || !told)
    return bound_refuse(s->reason, "what waits does not end in chains, one end a gate");
  for (int p = 0; p < t->z.n; p++)
    for (int q = 0; q < t->z.n; q++) {
      polyhedron *both = polyhedron_copy(s->memory, t->z.item[p]);
      polyhedron_meet(s->memory, both, a->where, x->rank);
      polyhedron_include(s->memory, both, t->z.item[q], a->index, x->rank);
      if (!both->open && !polyhedron_empty(both))
        polyhedra_add(s->memory, &linked, both);
    }
  for (int k = 0; k < x->outputs.n; k++) {
    polyhedron *p = polyhedron_new(s->memory, x->rank);
    polyhedron_include(s->memory, p, x->outputs.item[k], a->index, x->rank);
    polyhedra_add(s->memory, &put_out, p);
  }
  polyhedra joined = { 0 };
  return (polyhedra_minus(s->memory, &linked, &put_out, x->rank, &joined) &&
          polyhedra_minus(s->memory, &t->z, &joined, x->rank, &s->sets->chains)) ||
         bound_refuse(s->reason, "the chains are not found");
}
