/* Gates: which words are used between one gate and the next, which paths wait at a gate, and how many. */
#include "bounds/check/affine/gates.h"
#include "base/num.h"
#include "bounds/checker.h"
#include <string.h>

typedef struct {
  gates_facts *g;
  affine_facts *f;
  const gates_claim *claim;
  const gate_family *of;
  gate_sets *sets;
  int family, rank; /* its number; of the gate's array */
  int first, last;  /* families that take turns with it */
  arena *memory;
  text *reason;
} gating;

void gates_facts_init(gates_facts *g, affine_facts *f)
{
  *g = (gates_facts){ .f = f };
  reach_init(&g->reach, &f->form, &f->memory);
  for (int k = 0; k < GATE_FAMILIES; k++)
    mpz_init(g->set[k].steps);
}

void gates_facts_clear(gates_facts *g)
{
  for (int k = 0; k < GATE_FAMILIES; k++)
    mpz_clear(g->set[k].steps);
}

/* ---- sets of pairs ---- */

static void variables(linear *value, int n, int v)
{
  for (int i = 0; i < n; i++)
    value[i] = linear_variable(v + i);
}

/* Of l's points those in `set`. */
static bool keep_in(gating *s, polyhedra *l, const polyhedra *set, int n)
{
  polyhedra rest = { 0 }, kept = { 0 };
  if (!polyhedra_minus(s->memory, l, set, n, &rest) || !polyhedra_minus(s->memory, l, &rest, n, &kept))
    return false;
  *l = kept;
  return true;
}

/* Take away the points of l over which there is one of `bad`, whose first n variables are l's. */
static bool drop_under(gating *s, polyhedra *l, const polyhedra *bad, int n)
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

static int rank_of(const gating *s, int family) { return s->f->form.array[s->claim->family[family].array].rank; }

gate_keys gates_keys_for(const gate_family *from, const gate_keys *k, const gate_family *to)
{
  gate_keys moved = *k;
  for (int r = 0, q = -1; r < CDAG_RANK; r++) {
    int same = from->time;
    if (to->role[r] != GATE_KEY)
      continue;
    if (r != to->time) {
      do
        q++;
      while (from->role[q] != GATE_KEY || q == from->time);
      same = q;
    }
    moved.loop[r] = k->loop[same];
    moved.offset[r] = k->offset[same];
  }
  return moved;
}

static gate_keys keys_for(const gating *s, int from, const gate_keys *k, int to)
{
  return gates_keys_for(&s->claim->family[from], k, &s->claim->family[to]);
}

/* Elements of b, then `between` free variables, then gates of the family with these keys, so many times later. */
static polyhedron *with_gate(gating *s, const polyhedron *b, int rank, int between, int family, const polyhedron *gate,
                             const gate_keys *k, int later)
{
  const gate_family *of = &s->claim->family[family];
  int gate_rank = rank_of(s, family);
  polyhedron *p = polyhedron_new(s->memory, rank + between + gate_rank);
  linear x[CDAG_RANK], g[CDAG_RANK];
  variables(x, rank, 0);
  variables(g, gate_rank, rank + between);
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

/* Pairs (b, gate) with these keys of all pieces. */
static void pairs_of(gating *s, const polyhedra *b, int rank, int family, const gate_keys *k, int later,
                     polyhedra *pairs)
{
  const polyhedra *gate = &s->g->set[family].gate;
  for (int i = 0; i < b->n; i++)
    for (int j = 0; j < gate->n; j++) {
      polyhedron *p = with_gate(s, b->item[i], rank, 0, family, gate->item[j], k, later);
      if (p->open || !polyhedron_empty(p))
        polyhedra_add(s->memory, pairs, p);
    }
}

/* The tuples (b, y, gate) in which y, an element of the array, is an ancestor of the gate: its indices are forms in the
 * variables before the gate's. */
static void gate_below(gating *s, int family, int array, const linear *y, int before, polyhedra *tuples)
{
  const polyhedra *l = reach_from(&s->g->reach, s->claim->family[family].array, array);
  int rank = rank_of(s, family);
  linear value[2 * CDAG_RANK];
  variables(value, rank, before);
  memcpy(&value[rank], y, (size_t)s->f->form.array[array].rank * sizeof *y);
  for (int i = 0; i < l->n; i++) {
    polyhedron *p = polyhedron_new(s->memory, before + rank);
    polyhedron_include(s->memory, p, l->item[i], value, rank + s->f->form.array[array].rank);
    if (!p->open)
      polyhedra_add(s->memory, tuples, p);
  }
}

/* ---- the gate ---- */

static bool find_gate(gating *s)
{
  const array_form *x = &s->f->form.array[s->of->array];
  for (int i = 0; i < x->domain.n; i++)
    for (int k = 0; k < x->computed.n; k++) {
      polyhedron *p = polyhedron_copy(s->memory, x->domain.item[i]);
      polyhedron_meet(s->memory, p, x->computed.item[k], x->rank);
      for (int r = 0; r < x->rank; r++) {
        linear index = linear_variable(r), at = linear_constant(s->of->at[r]);
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

/* May an element with these keys be in its gate? */
static bool is_gate(const gating *s, int family, int array, const gate_keys *k)
{
  const gate_family *of = &s->claim->family[family];
  bool itself = array == of->array;
  for (int r = 0; r < rank_of(s, family) && itself; r++)
    itself = of->role[r] != GATE_KEY || (k->loop[r] == r && k->offset[r] == 0);
  return itself;
}

/* b stays when a gate with its keys is an ancestor of it, or is it. */
static bool after_gate(gating *s, int family, polyhedra *b, int array, const gate_keys *k)
{
  const polyhedra *above = reach_from(&s->g->reach, array, s->claim->family[family].array),
                  *gate = &s->g->set[family].gate;
  int rank = s->f->form.array[array].rank;
  polyhedra pairs = { 0 }, good = { 0 };
  pairs_of(s, b, rank, family, k, 0, &pairs);
  for (int i = 0; i < pairs.n; i++)
    for (int j = 0; j < above->n; j++) {
      bool exact;
      polyhedron *p = polyhedron_copy(s->memory, pairs.item[i]);
      polyhedron_meet(s->memory, p, above->item[j], rank + rank_of(s, family));
      if (p->open || polyhedron_empty(p))
        continue;
      p = polyhedron_project(s->memory, p, rank, &exact);
      if (exact)
        polyhedra_add(s->memory, &good, p);
    }
  for (int i = 0; i < gate->n && is_gate(s, family, array, k); i++)
    polyhedra_add(s->memory, &good, gate->item[i]);
  return keep_in(s, b, &good, rank);
}

/* b stays when it is an ancestor of every gate of its class that comes next; the last one of all has none. */
static bool before_next(gating *s, polyhedra *b, int array, const gate_keys *k)
{
  int rank = s->f->form.array[array].rank, next = s->family < s->last ? s->family + 1 : s->first;
  polyhedra pairs = { 0 }, below = { 0 }, bad = { 0 };
  gate_keys keys = keys_for(s, s->family, k, next);
  linear x[CDAG_RANK];
  if (s->of->time < 0 && s->family == s->last)
    return true;
  variables(x, rank, 0);
  pairs_of(s, b, rank, next, &keys, next == s->first ? s->of->lag : 0, &pairs);
  gate_below(s, next, array, x, rank, &below);
  return polyhedra_minus(s->memory, &pairs, &below, rank + rank_of(s, next), &bad) && drop_under(s, b, &bad, rank);
}

/* The gates of a family over which there is none of the turn before. */
static bool early_gates(gating *s, int family, polyhedra *early)
{
  const gate_family *of = &s->claim->family[family];
  int before = family > s->first ? family - 1 : s->last;
  polyhedra gate = s->g->set[family].gate, has = gate;
  gate_keys same = { 0 };
  for (int r = 0; r < rank_of(s, family); r++) {
    same.loop[r] = r;
    same.offset[r] = family == s->first && r == of->time ? of->back ? 1 : -1 : 0;
  }
  same = keys_for(s, family, &same, before);
  gate.room = has.room = gate.n; /* grow apart */
  return after_gate(s, before, &has, of->array, &same) &&
         polyhedra_minus(s->memory, &gate, &has, rank_of(s, family), early);
}

/* Gates come in the order of their turns: b stays when each later gate of its class has one of the turn before among
 * its ancestors. */
static bool gates_ordered(gating *s, polyhedra *b, int array, const gate_keys *k)
{
  int rank = s->f->form.array[array].rank;
  polyhedra pairs = { 0 };
  for (int q = s->first; q <= s->last; q++) {
    const gate_family *of = &s->claim->family[q];
    gate_keys keys = keys_for(s, s->family, k, q);
    polyhedra early = { 0 };
    if (of->time < 0 && q <= s->family)
      continue;
    if (!early_gates(s, q, &early))
      return false;
    for (int i = 0; i < b->n; i++)
      for (int j = 0; j < early.n; j++) {
        polyhedron *p = polyhedron_new(s->memory, rank + rank_of(s, q));
        linear x[CDAG_RANK], g[CDAG_RANK];
        variables(x, rank, 0);
        variables(g, rank_of(s, q), rank);
        polyhedron_include(s->memory, p, b->item[i], x, rank);
        polyhedron_include(s->memory, p, early.item[j], g, rank_of(s, q));
        for (int r = 0; r < rank_of(s, q); r++) {
          linear key = x[keys.loop[r]];
          if (of->role[r] != GATE_KEY)
            continue;
          key.base += keys.offset[r] + (r == of->time && q <= s->family ? of->back ? -1 : 1 : 0);
          if (r == of->time)
            polyhedron_require(s->memory, p, of->back ? &g[r] : &key, of->back ? &key : &g[r]);
          else
            polyhedron_same(s->memory, p, &g[r], &key);
        }
        if (p->open || !polyhedron_empty(p))
          polyhedra_add(s->memory, &pairs, p);
      }
  }
  return drop_under(s, b, &pairs, rank);
}

/* ---- words that are used ---- */

typedef struct {
  int array, rank, component, labels;
  linear label[LABELS_MOST];
  polyhedra b;
} used;

static bool begin_use(gating *s, const gate_use *u, used *w)
{
  const normal_form *f = &s->f->form;
  const access *a = u->access < 0 ? NULL : f->access[u->access];
  const array_form *x = &f->array[u->array];
  *w = (used){ .array = u->array, .rank = x->rank };
  if (a && (a->from != u->array || !a->single))
    return bound_refuse(s->reason, "access %d is not one of the array's", u->access);
  w->component = s->f->words.component[a ? a->to : u->array];
  if (s->f->words.unrooted[w->component])
    return bound_refuse(s->reason, "words that are used may begin with a computed element");
  linear x_[CDAG_RANK];
  variables(x_, x->rank, 0);
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
  if (w->labels < 0 || (!a && !keep_in(s, &w->b, &x->computed, x->rank)))
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
    variables(index, x->rank, w->rank);
    for (int i = 0; i < w->b.n; i++)
      for (int k = 0; k < x->inputs.n; k++)
        for (int j = 0; j < s->sets->gate.n; j++) {
          polyhedron *p = with_gate(s, w->b.item[i], w->rank, x->rank, s->family, s->sets->gate.item[j], &u->keys, 0);
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
    gate_below(s, s->family, y, index, rank, &below);
    if (!polyhedra_minus(s->memory, &tuples, &below, rank + s->rank, &bad) || !drop_under(s, &w->b, &bad, w->rank))
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
  variables(g, s->rank, w->rank);
  for (int i = 0; i < w->b.n; i++)
    for (int j = 0; j < s->sets->gate.n; j++) {
      polyhedron *p = with_gate(s, w->b.item[i], w->rank, 0, s->family, s->sets->gate.item[j], &u->keys, 0);
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

/* Words of two uses, the second of another family perhaps, at gates of different classes are different. */
static bool classes_apart(gating *s, const gate_use *u, const used *w, int family, const gate_use *v, const used *z)
{
  gate_keys other = keys_for(s, family, &v->keys, s->family);
  for (int r = 0; r < s->rank; r++)
    for (int i = 0; i < w->b.n; i++)
      for (int k = 0; k < z->b.n; k++)
        for (int side = 0; side < 2 && s->of->role[r] == GATE_KEY && r != s->of->time; side++) {
          arena memory = { 0 };
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
          arena_clear(&memory);
          if (!apart)
            return bound_refuse(s->reason, "gates of two classes may use one word");
        }
  return true;
}

/* Points of l as keys and these forms: exactly. */
static bool image(gating *s, const polyhedra *l, const gate_keys *k, const linear *form, int forms, polyhedra *to)
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

/* One more set, or more of the one there. */
static bool add_set(gating *s, int component, polyhedra *more, int vars)
{
  gate_sets *t = s->sets;
  int k = 0;
  while (k < t->sets && (component < 0 || t->set[k].component != component))
    k++;
  if (k == t->sets)
    t->set[t->sets++].component = component;
  polyhedra all = t->set[k].of;
  all.room = all.n;
  for (int i = 0; i < more->n; i++)
    polyhedra_add(s->memory, &all, more->item[i]);
  return polyhedra_disjoint(s->memory, &all, vars, &t->set[k].of) ||
         bound_refuse(s->reason, "what is used at a gate is not counted");
}

/* Points, keys first, whose key that is cut is in its range. */
static void require_cut(arena *a, const gate_sets *t, const gate_family *of, polyhedron *p, int first)
{
  for (int q = 0; q < t->keys; q++) {
    linear key = linear_variable(first + q), lo = linear_constant(of->lo), hi = linear_constant(of->hi);
    if (t->index[q] != of->cut)
      continue;
    polyhedron_require(a, p, &lo, &key);
    polyhedron_require(a, p, &key, &hi);
  }
}

/* b stays when its word counts in no earlier family, but for those it takes turns with. */
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
          variables(value, w->rank, 0);
          polyhedron_include(s->memory, p, w->b.item[a], value, w->rank);
          variables(value, t->keys, w->rank);
          memcpy(&value[t->keys], w->label, (size_t)w->labels * sizeof *value);
          polyhedron_include(s->memory, p, t->set[i].of.item[j], value, t->keys + w->labels);
          require_cut(s->memory, t, s->of - s->family + k, p, w->rank);
          if (p->open)
            return false;
          if (!polyhedron_empty(p))
            polyhedra_add(s->memory, &bad, p);
        }
  }
  return drop_under(s, &w->b, &bad, w->rank);
}

/* The elements that use words between a gate and the next. */
static bool between_gates(gating *s, const gate_use *u, used *w)
{
  return begin_use(s, u, w) &&
         ((after_gate(s, s->family, &w->b, w->array, &u->keys) && before_next(s, &w->b, w->array, &u->keys) &&
           gates_ordered(s, &w->b, w->array, &u->keys)) ||
          bound_refuse(s->reason, "what lies between two gates is not found"));
}

static bool use_set(gating *s, const gate_use *u, used *w)
{
  polyhedra of = { 0 };
  if (!between_gates(s, u, w))
    return false;
  if (!loaded_before(s, u, w))
    return false;
  if (!drop_counted(s, w))
    return bound_refuse(s->reason, "words of two families are not told apart");
  s->sets->beside = s->sets->beside && !is_gate(s, s->family, w->array, &u->keys) && !gate_used(s, u, w);
  return image(s, &w->b, &u->keys, w->label, w->labels, &of) &&
         add_set(s, w->component, &of, s->sets->keys + w->labels);
}

/* ---- paths that wait ---- */

/* The elements of a path, but for the last: forms in the loops of the last. */
typedef struct {
  int array[GATE_LINKS];
  linear at[GATE_LINKS][CDAG_RANK];
  polyhedra z;
} path;

static bool begin_wait(gating *s, const gate_wait *w, path *t)
{
  const normal_form *f = &s->f->form;
  int array = w->array, rank = f->array[array].rank;
  linear here[CDAG_RANK];
  variables(here, rank, 0);
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
    if (!keep_in(s, &t->z, &in, rank))
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
  return drop_under(s, &t->z, &away, rank);
}

/* The path begins before every gate with its keys. */
static bool before_gate(gating *s, const gate_wait *w, path *t)
{
  int rank = s->f->form.array[w->array].rank, last = w->links - 1;
  polyhedra pairs = { 0 }, below = { 0 }, bad = { 0 };
  pairs_of(s, &t->z, rank, s->family, &w->keys, 0, &pairs);
  gate_below(s, s->family, t->array[last], t->at[last], rank, &below);
  return polyhedra_minus(s->memory, &pairs, &below, rank + s->rank, &bad) && drop_under(s, &t->z, &bad, rank);
}

/* Is a gate with the path's keys on it? */
static bool gate_waits(gating *s, const gate_wait *w, const path *t)
{
  int rank = s->f->form.array[w->array].rank;
  for (int i = 0; i < t->z.n; i++)
    for (int j = 0; j < s->sets->gate.n; j++)
      for (int l = 0; l < w->links; l++) {
        polyhedron *p = with_gate(s, t->z.item[i], rank, 0, s->family, s->sets->gate.item[j], &w->keys, 0);
        for (int r = 0; r < s->rank && t->array[l] == s->of->array; r++) {
          linear g = linear_variable(rank + r);
          polyhedron_same(s->memory, p, &g, &t->at[l][r]);
        }
        if (t->array[l] == s->of->array && !polyhedron_empty(p))
          return true;
      }
  return false;
}

/* Elements of two paths, those of one place of one path left out, are different: they are told by the last element. */
static bool paths_apart(const normal_form *f, const gate_wait *w, const path *t, const gate_wait *v, const path *u,
                        text *reason)
{
  for (int i = 0; i < w->links; i++)
    for (int k = 0; k < v->links; k++)
      for (int p = 0; p < t->z.n && t->array[i] == u->array[k] && !(w == v && i == k); p++)
        for (int q = 0; q < u->z.n; q++) {
          arena memory = { 0 };
          int shift;
          polyhedron *both = polyhedron_beside(&memory, t->z.item[p], u->z.item[q], &shift);
          for (int r = 0; r < f->array[t->array[i]].rank; r++) {
            linear moved;
            if (linear_substitute(&u->at[k][r], NULL, 0, shift, &moved))
              polyhedron_same(&memory, both, &t->at[i][r], &moved);
          }
          bool apart = polyhedron_empty(both);
          arena_clear(&memory);
          if (!apart)
            return bound_refuse(reason, "two paths that wait may meet");
        }
  return true;
}

static bool wait_set(gating *s, const gate_wait *w, path *t)
{
  polyhedra of = { 0 };
  int rank = s->f->form.array[w->array].rank;
  linear z[CDAG_RANK];
  if (!begin_wait(s, w, t))
    return false;
  if (!no_outputs(s, w, t) || !before_gate(s, w, t) || !after_gate(s, s->family, &t->z, w->array, &w->keys))
    return bound_refuse(s->reason, "what waits at a gate is not found");
  s->sets->beside = s->sets->beside && !is_gate(s, s->family, w->array, &w->keys) && !gate_waits(s, w, t);
  variables(z, rank, 0);
  return image(s, &t->z, &w->keys, z, rank, &of) && add_set(s, -1, &of, s->sets->keys + rank);
}

/* ---- all families ---- */

typedef struct {
  used use[GATE_FAMILIES][GATE_USES];
  path wait[GATE_FAMILIES][GATE_WAITS];
} derived;

/* The keys of the gates at which anything counts. */
static bool find_keys(gating *s)
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

/* ---- hourglasses ---- */

/* Which key is the class, and which label is it? */
static bool find_class(gating *s, const used *w, int *key, int *label)
{
  const gate_keys *k = &s->of->use[0].keys;
  *key = *label = -1;
  for (int q = 0; q < s->sets->keys; q++)
    if (s->sets->index[q] != s->of->time)
      *key = q;
  if (s->sets->keys != 2 || *key < 0)
    return false;
  linear of = linear_variable(k->loop[s->sets->index[*key]]);
  of.base = k->offset[s->sets->index[*key]];
  for (int l = 0; l < w->labels; l++)
    if (linear_equal(&w->label[l], &of))
      *label = l;
  return *label >= 0;
}

/* Each gate has all words after it: the set is a product of the gates and of the labels that are not the class.  Their
 * number. */
static bool find_width(gating *s, const used *w, int key, int label)
{
  const polyhedra *of = &s->sets->set[0].of;
  polyhedra rests = { 0 }, pieces = { 0 }, all = { 0 }, missing = { 0 };
  int vars = 2 + w->labels;
  mpz_t n;
  for (int i = 0; i < of->n; i++) { /* labels but the class, in the first variables */
    polyhedron *p = polyhedron_new(s->memory, w->labels - 1);
    bool exact;
    polyhedron_include(s->memory, p, of->item[i], NULL, 0);
    for (int l = 0, at = 0; l < w->labels; l++) {
      linear to = linear_variable(at), from = linear_variable(w->labels - 1 + 2 + l);
      if (l == label)
        continue;
      polyhedron_same(s->memory, p, &to, &from);
      at++;
    }
    p = polyhedron_project(s->memory, p, w->labels - 1, &exact);
    if (!exact || p->open)
      return false;
    polyhedra_add(s->memory, &rests, p);
  }
  if (!polyhedra_disjoint(s->memory, &rests, w->labels - 1, &pieces))
    return false;
  for (int i = 0; i < pieces.n; i++)
    for (int k = 0; k < s->sets->gates.n; k++) {
      polyhedron *p = polyhedron_new(s->memory, vars);
      linear keys[2] = { linear_variable(0), linear_variable(1) }, rest[LABELS_MOST], is = linear_variable(2 + label);
      for (int l = 0, at = 0; l < w->labels; l++)
        if (l != label)
          rest[at++] = linear_variable(2 + l);
      polyhedron_include(s->memory, p, s->sets->gates.item[k], keys, 2);
      polyhedron_include(s->memory, p, pieces.item[i], rest, w->labels - 1);
      polyhedron_same(s->memory, p, &is, &keys[key]);
      if (p->open)
        return false;
      polyhedra_add(s->memory, &all, p);
    }
  if (!polyhedra_minus(s->memory, &all, of, vars, &missing) || missing.n > 0)
    return false;
  mpz_init(n);
  bool good = polyhedra_count(&pieces, n) && mpz_sgn(n) > 0 && mpz_fits_slong_p(n);
  s->sets->width = good ? mpz_get_si(n) : 0;
  mpz_clear(n);
  return good && polyhedra_count(of, s->sets->steps);
}

/* What b reads lies on the word with b's other labels of the class that the time says, plus a constant. */
static bool find_partner(gating *s, const used *w, int label, linear *partner)
{
  const access *a = s->f->form.access[s->of->partner];
  const gate_keys *k = &s->of->use[0].keys;
  linear read[LABELS_MOST], time = linear_variable(k->loop[s->of->time]);
  polyhedra where = { 0 }, rest = { 0 };
  polyhedra_add(s->memory, &where, a->where);
  if (a->from != w->array || !a->single || s->f->words.component[a->to] != w->component ||
      words_label_of(&s->f->words, a->to, a->index, read) != w->labels ||
      !polyhedra_minus(s->memory, &w->b, &where, w->rank, &rest) || rest.n > 0)
    return false;
  for (int l = 0; l < w->labels; l++)
    if (l != label && !linear_equal(&read[l], &w->label[l]))
      return false;
  *partner = read[label];
  return linear_add(&read[label], &time, -1) && linear_is_constant(&read[label]);
}

/* No two classes are partners of each other, nor one of itself. */
static bool one_way(gating *s, const used *w, int label, const linear *partner)
{
  for (int i = 0; i < w->b.n; i++)
    for (int k = 0; k < w->b.n; k++) {
      int shift;
      linear class, other;
      polyhedron *both = polyhedron_beside(s->memory, w->b.item[i], w->b.item[k], &shift);
      if (!linear_substitute(&w->label[label], NULL, 0, shift, &class) ||
          !linear_substitute(partner, NULL, 0, shift, &other))
        return false;
      polyhedron_same(s->memory, both, &class, partner);
      polyhedron_same(s->memory, both, &other, &w->label[label]);
      if (!polyhedron_empty(both))
        return false;
    }
  return true;
}

static bool find_hourglass(gating *s, const used *w)
{
  int key, label;
  linear partner;
  mpz_set_ui(s->sets->steps, 0);
  return (s->of->uses == 1 && s->of->waits == 0 && s->of->use[0].access < 0 && s->of->time >= 0 && s->of->lag == 1 &&
          w->labels >= 1 && find_class(s, w, &key, &label) && find_partner(s, w, label, &partner) &&
          one_way(s, w, label, &partner) && find_width(s, w, key, label)) ||
         bound_refuse(s->reason, "the gates are not shown to be an hourglass");
}

void hourglass_most(int64_t width, const mpz_t x, mpz_t most)
{
  mpz_t f, pairs;
  mpz_inits(f, pairs, NULL);
  mpz_fdiv_q_ui(f, x, (unsigned long)width);
  mpz_sub_ui(pairs, f, 1);
  mpz_mul(pairs, pairs, f);
  mpz_fdiv_q_2exp(pairs, pairs, 1);
  mpz_mul_si(pairs, pairs, width);
  mpz_mul_2exp(most, x, 1);
  if (mpz_sgn(f) > 0)
    mpz_add(most, most, pairs);
  mpz_clears(f, pairs, NULL);
}

static void begin_family(gating *s, int k)
{
  s->family = s->first = s->last = k;
  s->of = &s->claim->family[k];
  s->sets = &s->g->set[k];
  s->rank = rank_of(s, k);
  while (s->claim->family[s->first].joins)
    s->first--;
  while (s->last + 1 < s->claim->families && s->claim->family[s->last + 1].joins)
    s->last++;
}

/* ---- cells ---- */

/* lo or hi of a cell: a form in the keys of the rows' gates, class and time. */
static linear cell_end(const int64_t end[3], int class, int time)
{
  linear f = linear_constant(end[2]);
  f.coef[class] += end[0];
  f.coef[time] += end[1];
  return f;
}

/* Of b's points (class, time, third) with lo <= third <= hi those whose cell has `least` of these, all of them there.
 */
static bool whole_cells(gating *s, polyhedra *b, int class, int time)
{
  int third = 3 - class - time;
  linear lo = cell_end(s->claim->cells.lo, class, time), hi = cell_end(s->claim->cells.hi, class, time);
  linear least = lo, k = linear_variable(third), other = linear_variable(3), place[CDAG_RANK];
  polyhedra in = { 0 }, asked = { 0 }, there = { 0 }, missing = { 0 };
  least.base += s->claim->cells.least - 1;
  for (int i = 0; i < b->n; i++) {
    polyhedron *p = polyhedron_copy(s->memory, b->item[i]);
    polyhedron_require(s->memory, p, &lo, &k);
    polyhedron_require(s->memory, p, &k, &hi);
    polyhedron_require(s->memory, p, &least, &hi);
    if (p->open || !polyhedron_empty(p))
      polyhedra_add(s->memory, &in, p);
  }
  for (int i = 0; i < in.n; i++) { /* another third index of the same cell */
    polyhedron *p = polyhedron_new(s->memory, 4), *q = polyhedron_new(s->memory, 4);
    variables(place, 3, 0);
    polyhedron_include(s->memory, p, in.item[i], place, 3);
    polyhedron_require(s->memory, p, &lo, &other);
    polyhedron_require(s->memory, p, &other, &hi);
    polyhedra_add(s->memory, &asked, p);
    place[third] = other;
    polyhedron_include(s->memory, q, in.item[i], place, 3);
    polyhedra_add(s->memory, &there, q);
  }
  return (polyhedra_minus(s->memory, &asked, &there, 4, &missing) && missing.n == 0 &&
          polyhedra_disjoint(s->memory, &in, 3, b)) ||
         bound_refuse(s->reason, "the cells are not whole");
}

/* Rows and columns: a cell's elements lie between gates of its row and of its column; the words they read are told by
 * the row and the third loop, and by the column and the third loop, and one word at most is of a row and of a column.
 */
static bool cells_sets(gating *s, derived *d)
{
  int key, label[2], loop[2][2];
  for (int k = 0; k < 2; k++) {
    const gate_use *u = &s->claim->family[k].use[0];
    used *w = &d->use[k][0];
    begin_family(s, k);
    if (s->of->uses != 1 || s->of->waits || s->of->time < 0 || s->of->lag > 1 || s->of->joins || s->of->partner >= 0 ||
        !between_gates(s, u, w))
      return false;
    if (w->labels != 2 || w->rank != 3 || !find_class(s, w, &key, &label[k]))
      return bound_refuse(s->reason, "the words of a row or column are not told by it");
    loop[k][0] = u->keys.loop[s->sets->index[key]];
    loop[k][1] = u->keys.loop[s->of->time];
  }
  const used *row = &d->use[0][0], *column = &d->use[1][0];
  int class = loop[0][0], time = loop[0][1], third = 3 - class - time;
  if (row->array != column->array || row->component != column->component || class == time || class > 2 || time > 2 ||
      loop[1][0] != time || loop[1][1] != class || label[0] == label[1] || row->label[label[1]].coef[third] == 0 ||
      column->label[label[0]].coef[third] == 0)
    return bound_refuse(s->reason, "rows and columns are not told apart");
  polyhedra b = row->b;
  b.room = b.n;
  return keep_in(s, &b, &column->b, 3) && whole_cells(s, &b, class, time) &&
         (polyhedra_count(&b, s->g->set[0].steps) || bound_refuse(s->reason, "the steps are not counted"));
}

void cells_most(int64_t least, const mpz_t x, mpz_t most)
{
  mpz_t f, all;
  mpz_inits(f, all, NULL);
  mpz_fdiv_q_ui(f, x, (unsigned long)least);
  mpz_mul(all, f, f);
  mpz_add(all, all, x);
  mpz_mul(all, all, all);
  mpz_fdiv_q_2exp(all, all, 2);
  mpz_fdiv_q_ui(all, all, (unsigned long)least);
  mpz_mul(f, f, x);
  mpz_mul_2exp(most, x, 1);
  mpz_add(most, most, mpz_cmp(f, all) < 0 ? f : all);
  mpz_clears(f, all, NULL);
}

static bool family_gates(gating *s, int k)
{
  gate_sets *t = &s->g->set[k];
  begin_family(s, k);
  t->sets = t->keys = 0;
  t->gate = t->gates = (polyhedra){ 0 };
  memset(t->set, 0, sizeof t->set);
  t->width = 0;
  t->beside = true;
  return find_gate(s);
}

static bool family_sets(gating *s, int k, derived *d)
{
  begin_family(s, k);
  const gate_family *of = s->of;
  for (int i = 0; i < of->uses; i++)
    if (!use_set(s, &of->use[i], &d->use[k][i]))
      return false;
  for (int i = 0; i < of->waits; i++)
    if (!wait_set(s, &of->wait[i], &d->wait[k][i]))
      return false;
  for (int i = 0; i < of->uses; i++)
    for (int e = s->first; e <= k; e++)
      for (int j = 0; j < (e < k ? s->claim->family[e].uses : i + 1); j++)
        if (d->use[k][i].component == d->use[e][j].component &&
            !classes_apart(s, &of->use[i], &d->use[k][i], e, &s->claim->family[e].use[j], &d->use[e][j]))
          return false;
  return find_keys(s) && (of->partner < 0 || find_hourglass(s, &d->use[k][0]));
}

/* The component of words that are used holds nothing that waits; what waits waits once.  (A word that is used counts in
   one family, drop_counted.) */
static bool families_apart(const gates_facts *g, const gates_claim *c, const derived *d, text *reason)
{
  const normal_form *f = &g->f->form;
  for (int a = 0; a < c->families; a++)
    for (int b = 0; b < c->families; b++) {
      const gate_family *x = &c->family[a], *y = &c->family[b];
      for (int i = 0; i < x->uses; i++) {
        for (int k = 0; k < y->waits; k++)
          for (int l = 0; l < y->wait[k].links; l++)
            if (d->use[a][i].component == g->f->words.component[d->wait[b][k].array[l]])
              return bound_refuse(reason, "what waits may be on a word that is used");
      }
      for (int i = 0; i < x->waits; i++)
        for (int k = 0; k < y->waits; k++)
          if (!paths_apart(f, &x->wait[i], &d->wait[a][i], &y->wait[k], &d->wait[b][k], reason))
            return false;
    }
  return true;
}

static bool keys_good(const normal_form *f, const gate_family *k, int array, const gate_keys *keys)
{
  for (int r = 0; r < f->array[k->array].rank; r++)
    if (k->role[r] == GATE_KEY && keys->loop[r] >= f->array[array].rank)
      return false;
  return true;
}

static int keys_of(const gate_family *k)
{
  int n = 0;
  for (int r = 0; r < CDAG_RANK; r++)
    n += k->role[r] == GATE_KEY;
  return n;
}

bool gates_same_keys(const gate_family *x, const gate_family *y)
{
  return keys_of(x) == keys_of(y) && (x->time < 0) == (y->time < 0) && x->back == y->back;
}

/* Families that take turns have the same keys, and no lag. */
static bool turns_good(const gates_claim *c)
{
  for (int k = 0; k < c->families; k++) {
    const gate_family *x = &c->family[k], *y = &c->family[k > 0 ? k - 1 : 0];
    if (x->joins && (x == y || x->lag > 1 || y->lag > 1 || !gates_same_keys(x, y)))
      return false;
  }
  return true;
}

static bool in_range(const normal_form *f, const gates_claim *c)
{
  for (int k = 0; k < c->families; k++) {
    const gate_family *x = &c->family[k];
    if (x->array >= f->arrays)
      return false;
    int rank = f->array[x->array].rank;
    for (int r = rank; r < CDAG_RANK; r++)
      if (x->role[r] == GATE_KEY)
        return false;
    if (x->partner >= f->accesses || x->time >= rank || (x->time >= 0 && x->role[x->time] != GATE_KEY) ||
        x->cut >= rank || (x->cut >= 0 && x->role[x->cut] != GATE_KEY))
      return false;
    for (int i = 0; i < x->uses; i++)
      if (x->use[i].array >= f->arrays || x->use[i].access >= f->accesses ||
          !keys_good(f, x, x->use[i].array, &x->use[i].keys))
        return false;
    for (int i = 0; i < x->waits; i++) {
      if (x->wait[i].array >= f->arrays || !keys_good(f, x, x->wait[i].array, &x->wait[i].keys))
        return false;
      for (int l = 0; l < x->wait[i].links; l++)
        if (x->wait[i].link[l] >= f->accesses)
          return false;
    }
  }
  return turns_good(c);
}

bool gates_derive(gates_facts *g, const gates_claim *c, text *reason)
{
  affine_claim like = { .owns = c->owns };
  memcpy(like.own, c->own, sizeof like.own);
  if (!affine_derive(g->f, &like, reason)) /* inputs and outputs */
    return false;
  if (!in_range(&g->f->form, c))
    return bound_refuse(reason, "the claim names what there is not");
  derived *d = ARENA_NEW(&g->f->scratch, derived, 1);
  gating s = { .g = g, .f = g->f, .claim = c, .memory = &g->f->scratch, .reason = reason };
  for (int k = 0; k < c->families; k++)
    if (!family_gates(&s, k))
      return false;
  if (c->cells.least > 0)
    return c->families == 2 ? cells_sets(&s, d) : bound_refuse(reason, "cells have rows and columns");
  for (int k = 0; k < c->families; k++)
    if (!family_sets(&s, k, d))
      return false;
  return families_apart(g, c, d, reason);
}

/* ---- numbers ---- */

bool gates_wait(const gates_claim *c)
{
  for (int k = 0; k < c->families; k++)
    if (c->family[k].waits)
      return true;
  return false;
}

/* How many points of l have the key that is cut in its range. */
static bool count_cut(const gate_sets *t, const gate_family *of, const polyhedra *l, mpz_t sum)
{
  bool good = true;
  mpz_t part;
  mpz_init(part);
  mpz_set_ui(sum, 0);
  for (int i = 0; i < l->n && good; i++) {
    arena memory = { 0 };
    polyhedron *p = polyhedron_copy(&memory, l->item[i]);
    require_cut(&memory, t, of, p, 0);
    good = polyhedron_count(p, part);
    mpz_add(sum, sum, part);
    arena_clear(&memory);
  }
  mpz_clear(part);
  return good;
}

bool gates_family_value(const gates_facts *g, const gates_claim *c, int k, int64_t m, mpz_t value)
{
  const gate_sets *t = &g->set[k];
  const gate_family *of = &c->family[k];
  mpz_t part;
  int64_t kept = m - t->beside;
  mpz_init(part);
  bool good = count_cut(t, of, &t->gates, part);
  mpz_mul_si(value, part, -kept);
  mpz_mul_si(value, value, of->waits ? 2 : 1);
  for (int i = 0; i < t->sets && good; i++) {
    good = count_cut(t, of, &t->set[i].of, part);
    mpz_mul_si(part, part, t->set[i].component < 0 ? 2 : 1);
    mpz_add(value, value, part);
  }
  mpz_cdiv_q_ui(value, value, (unsigned long)of->lag); /* of the gates whose times have one rest, the best */
  mpz_clear(part);
  return good;
}

/* A segment of T loads has M + T words, T in the first: one more event than they can do without. */
static bool segments_value(const gates_facts *g, const gate_family *of, int64_t m,
                           void (*steps)(int64_t, const mpz_t, mpz_t), int64_t size, mpz_t value, text *reason)
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
  mpz_clears(x, most, sum, NULL);
  return good;
}

bool gates_value(const gates_facts *g, const gates_claim *c, int64_t m, mpz_t value, text *reason)
{
  if (c->cells.least > 0)
    return segments_value(g, &c->family[0], m, cells_most, c->cells.least, value, reason);
  for (int k = 0; k < c->families; k++)
    if (c->family[k].partner >= 0)
      return c->families == 1 ? segments_value(g, &c->family[0], m, hourglass_most, g->set[0].width, value, reason)
                              : bound_refuse(reason, "an hourglass stands alone");
  mpz_t part;
  bool good = true;
  mpz_init(part);
  mpz_add(value, g->f->inputs, g->f->outputs);
  for (int k = 0; k < c->families && good; k++) {
    good = gates_family_value(g, c, k, m, part) || bound_refuse(reason, "what waits at gates is not counted");
    if (mpz_sgn(part) > 0)
      mpz_add(value, value, part);
  }
  mpz_clear(part);
  return good;
}

/* ---- as JSON ---- */

static void put_keys(const gate_keys *k, json *j)
{
  json_put_ints(j, "loops", k->loop, CDAG_RANK);
  json_put_int64s(j, "offsets", k->offset, CDAG_RANK);
}

static void put_family(const gate_family *k, json *j)
{
  int role[CDAG_RANK];
  for (int r = 0; r < CDAG_RANK; r++)
    role[r] = (int)k->role[r];
  json_open(j, '{');
  json_put_int(j, "array", k->array);
  json_put_ints(j, "roles", role, CDAG_RANK);
  json_put_int64s(j, "at", k->at, CDAG_RANK);
  json_put_int(j, "time", k->time);
  json_put_int(j, "lag", k->lag);
  if (k->joins)
    json_put_bool(j, "turns", true);
  if (k->back)
    json_put_bool(j, "back", true);
  json_key(j, "uses");
  json_open(j, '[');
  for (int i = 0; i < k->uses; i++) {
    json_open(j, '{');
    json_put_int(j, "array", k->use[i].array);
    json_put_int(j, "access", k->use[i].access);
    put_keys(&k->use[i].keys, j);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_key(j, "waits");
  json_open(j, '[');
  for (int i = 0; i < k->waits; i++) {
    json_open(j, '{');
    json_put_int(j, "array", k->wait[i].array);
    json_put_ints(j, "links", k->wait[i].link, k->wait[i].links);
    put_keys(&k->wait[i].keys, j);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_put_int(j, "partner", k->partner);
  json_put_int64s(j, "segments", (const int64_t[]){ k->segments, k->first, k->length }, 3);
  json_put_int(j, "cut", k->cut);
  json_put_int(j, "from", k->lo);
  json_put_int(j, "to", k->hi);
  json_close(j, '}');
}

void gates_claim_write(const gates_claim *c, json *j)
{
  affine_put_words(c->merged, c->own, c->owns, j);
  json_key(j, "gates");
  json_open(j, '[');
  for (int k = 0; k < c->families; k++)
    put_family(&c->family[k], j);
  json_close(j, ']');
  if (c->cells.least > 0) {
    json_put_int64s(j, "from", c->cells.lo, 3);
    json_put_int64s(j, "to", c->cells.hi, 3);
    json_put_int(j, "least", c->cells.least);
  }
}

enum { FAR = 1 << 30, MANY = 1 << 20 };

static bool get_keys(const json_value *v, gate_keys *k)
{
  return json_get_ints(v, "loops", CDAG_RANK, 0, CDAG_RANK - 1, k->loop) == CDAG_RANK &&
         json_get_int64s(v, "offsets", CDAG_RANK, -FAR, FAR, k->offset) == CDAG_RANK;
}

static bool get_wait(const json_value *v, gate_wait *w)
{
  w->links = json_get_ints(v, "links", GATE_LINKS, 0, MANY, w->link);
  return w->links >= 1 && json_get_int_in(v, "array", 0, MANY, &w->array) && get_keys(v, &w->keys);
}

static bool get_family(const json_value *v, gate_family *k)
{
  int role[CDAG_RANK];
  const json_value *turns = json_get(v, "turns"), *back = json_get(v, "back");
  const json_value *use = json_get_items(v, "uses", GATE_USES, &k->uses),
                   *wait = json_get_items(v, "waits", GATE_WAITS, &k->waits);
  k->lag = 1;
  bool good = k->uses >= 0 && k->waits >= 0 && json_get_int_in(v, "array", 0, MANY, &k->array) &&
              json_get_ints(v, "roles", CDAG_RANK, 0, 2, role) == CDAG_RANK &&
              json_get_int64s(v, "at", CDAG_RANK, -FAR, FAR, k->at) == CDAG_RANK &&
              json_get_int_in(v, "time", -1, CDAG_RANK - 1, &k->time) &&
              (!json_get(v, "lag") || json_get_int_in(v, "lag", 1, GATE_LAG, &k->lag)) &&
              (k->lag == 1 || k->time >= 0) && json_get_int_in(v, "cut", -1, CDAG_RANK - 1, &k->cut) &&
              json_get_int(v, "from", &k->lo) && json_get_int(v, "to", &k->hi) && k->lo > -FAR && k->hi < FAR;
  int64_t cut[3];
  k->joins = turns && turns->type == JSON_TRUE;
  k->back = back && back->type == JSON_TRUE;
  good = good && json_get_int_in(v, "partner", -1, MANY, &k->partner) &&
         json_get_int64s(v, "segments", 3, 0, INT64_MAX / 4, cut) == 3;
  for (int i = 0; i < 3 && good; i++)
    *(i == 0 ? &k->segments : i == 1 ? &k->first : &k->length) = cut[i];
  for (int r = 0; r < CDAG_RANK && good; r++)
    k->role[r] = (gate_role)role[r];
  for (int i = 0; i < k->uses && good; i++)
    good = json_get_int_in(&use[i], "array", 0, MANY, &k->use[i].array) &&
           json_get_int_in(&use[i], "access", -1, MANY, &k->use[i].access) && get_keys(&use[i], &k->use[i].keys);
  for (int i = 0; i < k->waits && good; i++)
    good = get_wait(&wait[i], &k->wait[i]);
  return good;
}

bool gates_claim_read(const json_value *v, gates_claim *c, text *reason)
{
  memset(c, 0, sizeof *c);
  bool good = affine_get_words(v, &c->merged, c->own, &c->owns);
  const json_value *list = json_get_items(v, "gates", GATE_FAMILIES, &c->families);
  good = good && c->families >= 1;
  for (int k = 0; k < c->families && good; k++)
    good = get_family(&list[k], &c->family[k]);
  if (good && json_get(v, "least"))
    good = json_get_int(v, "least", &c->cells.least) && c->cells.least > 0 && c->cells.least < FAR &&
           json_get_int64s(v, "from", 3, -FAR, FAR, c->cells.lo) == 3 &&
           json_get_int64s(v, "to", 3, -FAR, FAR, c->cells.hi) == 3;
  return good || bound_refuse(reason, "the claim is not written as one");
}
