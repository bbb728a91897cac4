/* Words that are used between a gate and the next, each kept or loaded again. */
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"
#include <string.h>

bool gates_read_by_way(arena *memory, const normal_form *f, const access *a, const access *by, access *word)
{
  int rank = f->array[a->to].rank;
  *word = (access){ .from = a->from, .to = by->to, .single = true };
  bool good = by->from == a->to && by->single && by->where->vars == rank && a->where->vars == f->array[a->from].rank;
  for (int k = 0; k < f->array[by->to].rank && good; k++)
    good = linear_substitute(&by->index[k], a->index, rank, 0, &word->index[k]);
  if (!good)
    return false;
  word->where = polyhedron_copy(memory, a->where);
  polyhedron_include(memory, word->where, by->where, a->index, rank);
  return true;
}

bool gating_users(gating *s, const gate_use *u, used *w)
{
  const normal_form *f = &s->f->form;
  const access *a = u->access < 0 ? NULL : f->access[u->access];
  const array_form *x = &f->array[u->array];
  access word;
  *w = (used){ .array = u->array, .rank = x->rank };
  if (a && (a->from != u->array || !a->single))
    return bound_refuse(s->reason, "access %d is not one of the array's", u->access);
  if (u->via) {
    if (!gates_read_by_way(s->memory, f, a, f->access[u->via - 1], &word))
      return bound_refuse(s->reason, "what is read does not read a word by that access");
    a = &word;
  }
  w->component = s->f->words.component[a ? a->to : u->array];
  if (s->f->words.unrooted[w->component] && !(s->claim->cells.least > 0 && s->claim->cells.once))
    return bound_refuse(s->reason, "words that are used may begin with a computed element");
  linear x_[CDAG_RANK];
  linear_variables(x_, x->rank, 0);
  w->labels = words_label_of(&s->f->words, a ? a->to : u->array, a ? a->index : x_, w->label);
  for (int i = 0; i < w->labels; i++)
    for (int v = x->rank; v < POLYHEDRON_VARS; v++)
      if (w->label[i].coef[v])
        return bound_refuse(s->reason, "the word that access %d reads is not told by the loops", u->access);
  for (int i = 0; i < x->live.n; i++) {
    polyhedron *p = polyhedron_copy(s->memory, x->live.item[i]);
    if (a)
      polyhedron_meet(s->memory, p, a->where, x->rank);
    if (!p->open && !polyhedron_empty(p))
      polyhedra_add(s->memory, &w->b, p);
  }
  if (w->labels < 0 || (!a && !gating_keep_in(s, &w->b, &x->computed, x->rank)))
    return bound_refuse(s->reason, "the elements that use words are not found");
  return true;
}

/* b stays when the input that its word begins with is an ancestor of every gate with b's keys: it was loaded before. */
static bool loaded_before(gating *s, const gate_use *u, used *w)
{
  for (int y = 0; y < s->f->form.arrays; y++) {
    const array_form *x = &s->f->form.array[y];
    int rank = w->rank + x->rank;
    polyhedra tuples = { 0 }, below = { 0 }, bad = { 0 };
    linear index[CDAG_RANK];
    if (s->f->words.component[y] != w->component || x->inputs.n == 0)
      continue;
    linear_variables(index, x->rank, w->rank);
    for (int i = 0; i < w->b.n; i++)
      for (int k = 0; k < x->inputs.n; k++)
        for (int j = 0; j < s->sets->gate.n; j++) {
          const polyhedron *gate = s->sets->gate.item[j];
          polyhedron *p = gating_with_gate(s, w->b.item[i], w->rank, x->rank, s->family, gate, &u->keys, 0);
          polyhedron_include(s->memory, p, x->inputs.item[k], index, x->rank);
          for (int l = 0; l < w->labels; l++) {
            linear of;
            if (linear_substitute(&s->f->words.label[y][l], index, x->rank, 0, &of))
              polyhedron_same(s->memory, p, &of, &w->label[l]);
            else
              p->open = true;
          }
          if (p->open || !polyhedron_empty(p))
            polyhedra_add(s->memory, &tuples, p);
        }
    gating_below(s, s->family, y, index, rank, &below);
    if (!polyhedra_minus(s->memory, &tuples, &below, rank + s->rank, &bad) ||
        !gating_drop_under(s, &w->b, &bad, w->rank))
      return bound_refuse(s->reason, "the inputs of words are not shown to be loaded before the gate");
  }
  return true;
}

/* Is a gate with b's keys on the word that b uses? */
static bool gate_used(gating *s, const gate_use *u, const used *w)
{
  linear g[CDAG_RANK];
  if (s->f->words.component[s->of->array] != w->component)
    return false;
  linear_variables(g, s->rank, w->rank);
  for (int i = 0; i < w->b.n; i++)
    for (int j = 0; j < s->sets->gate.n; j++) {
      polyhedron *p = gating_with_gate(s, w->b.item[i], w->rank, 0, s->family, s->sets->gate.item[j], &u->keys, 0);
      for (int l = 0; l < w->labels; l++) {
        linear of;
        if (linear_substitute(&s->f->words.label[s->of->array][l], g, s->rank, 0, &of))
          polyhedron_same(s->memory, p, &of, &w->label[l]);
      }
      if (!polyhedron_empty(p))
        return true;
    }
  return false;
}

bool gating_classes_apart(gating *s, const gate_use *u, const used *w, int family, const gate_use *v, const used *z)
{
  gate_keys other = gating_keys(s, family, &v->keys, s->family);
  for (int r = 0; r < s->rank; r++)
    for (int i = 0; i < w->b.n; i++)
      for (int k = 0; k < z->b.n; k++)
        for (int side = 0; side < 2 && s->of->role[r] == GATE_KEY && r != s->of->time; side++) {
          SCOPED_ARENA memory = { 0 };
          int shift;
          polyhedron *both = polyhedron_beside(&memory, w->b.item[i], z->b.item[k], &shift);
          linear x = linear_variable(u->keys.loop[r]), y = linear_variable(shift + other.loop[r]);
          for (int l = 0; l < w->labels; l++) {
            linear moved;
            if (linear_substitute(&z->label[l], NULL, 0, shift, &moved))
              polyhedron_same(&memory, both, &w->label[l], &moved);
          }
          x.base = u->keys.offset[r] + !side;
          y.base = other.offset[r] + side;
          polyhedron_require(&memory, both, side ? &y : &x, side ? &x : &y);
          bool apart = polyhedron_empty(both);
          if (!apart)
            return bound_refuse(s->reason, "gates of two classes may use one word");
        }
  return true;
}

/* Points of l as keys and these forms: exactly. */
static bool add_image(gating *s, const polyhedra *l, const gate_keys *k, const linear *form, int forms, polyhedra *to)
{
  int keys = s->sets->keys;
  for (int i = 0; i < l->n; i++) {
    polyhedron *p = polyhedron_new(s->memory, keys + forms);
    bool exact;
    polyhedron_include(s->memory, p, l->item[i], NULL, 0);
    for (int q = 0; q < keys + forms; q++) {
      int r = q < keys ? s->sets->index[q] : 0;
      linear here = linear_variable(q), of = q < keys ? linear_variable(k->loop[r]) : form[q - keys], moved;
      of.base += q < keys ? k->offset[r] : 0;
      if (linear_substitute(&of, NULL, 0, keys + forms, &moved))
        polyhedron_same(s->memory, p, &here, &moved);
      else
        p->open = true;
    }
    p = polyhedron_project(s->memory, p, keys + forms, &exact);
    if (!exact || p->open)
      return bound_refuse(s->reason, "what is used at a gate is not found");
    polyhedra_add(s->memory, to, p);
  }
  return true;
}

bool gating_add_set(gating *s, int component, const polyhedra *l, const gate_keys *keys, const linear *form, int forms)
{
  gate_sets *t = s->sets;
  int k = 0;
  while (k < t->sets && (component < 0 || t->set[k].component != component))
    k++;
  if (k == t->sets)
    t->set[t->sets++].component = component;
  polyhedra all = t->set[k].of;
  all.room = all.n;
  if (!add_image(s, l, keys, form, forms, &all))
    return false;
  return polyhedra_disjoint(s->memory, &all, t->keys + forms, &t->set[k].of) ||
         bound_refuse(s->reason, "what is used at a gate is not counted");
}

void gates_require_cut(arena *a, const gate_sets *t, const gate_cut *cut, polyhedron *p, int first)
{
  for (int q = 0; q < t->keys; q++) {
    linear key = linear_variable(first + q), lo = linear_constant(cut->lo), hi = linear_constant(cut->hi);
    if (t->index[q] != cut->key)
      continue;
    polyhedron_require(a, p, &lo, &key);
    polyhedron_require(a, p, &key, &hi);
  }
}

/* b stays when its word counts in no earlier family, but for those that alternate with it. */
static bool drop_counted(gating *s, used *w)
{
  polyhedra bad = { 0 };
  for (int k = 0; k < s->first; k++) {
    const gate_sets *t = &s->g->set[k];
    for (int i = 0; i < t->sets; i++)
      for (int a = 0; a < w->b.n && t->set[i].component == w->component; a++)
        for (int j = 0; j < t->set[i].of.n; j++) {
          polyhedron *p = polyhedron_new(s->memory, w->rank + t->keys);
          linear value[CDAG_RANK + LABELS_MOST];
          linear_variables(value, w->rank, 0);
          polyhedron_include(s->memory, p, w->b.item[a], value, w->rank);
          linear_variables(value, t->keys, w->rank);
          memcpy(&value[t->keys], w->label, (size_t)w->labels * sizeof *value);
          polyhedron_include(s->memory, p, t->set[i].of.item[j], value, t->keys + w->labels);
          gates_require_cut(s->memory, t, &s->claim->family[k].cut, p, w->rank);
          if (p->open)
            return false;
          if (!polyhedron_empty(p))
            polyhedra_add(s->memory, &bad, p);
        }
  }
  return gating_drop_under(s, &w->b, &bad, w->rank);
}

bool gating_between(gating *s, const gate_use *u, used *w)
{
  return gating_users(s, u, w) &&
         ((gating_after(s, s->family, &w->b, w->array, &u->keys) &&
           gating_before_next(s, &w->b, w->array, &u->keys)) ||
          bound_refuse(s->reason, "what lies between two gates is not found"));
}

bool gating_use(gating *s, const gate_use *u, used *w)
{
  if (!gating_between(s, u, w))
    return false;
  if (!loaded_before(s, u, w))
    return false;
  if (!drop_counted(s, w))
    return bound_refuse(s->reason, "words of two families are not told apart");
  s->sets->beside = s->sets->beside && !gating_is_gate(s, s->family, w->array, &u->keys) && !gate_used(s, u, w);
  return gating_add_set(s, w->component, &w->b, &u->keys, w->label, w->labels);
}
