/* Words of a row: what waits for it at each gate was computed beside a read of each (docs/theory-affine.md, Rows). */
#include "bounds/check/gates/gating.h"
#include "bounds/checker.h"
#include <string.h>

/* The reader of the row's word beside the path that ends in z, in z's loops. */
static void reader_of(const gating *s, const gate_use *u, linear *at)
{
  for (int q = 0; q < s->f->form.array[u->array].rank; q++) {
    at[q] = u->keys.loop[q] < 0 ? linear_constant(0) : linear_variable(u->keys.loop[q]);
    at[q].base = u->keys.offset[q];
  }
}

/* z stays where the reader is the path's first element or has it among its ancestors. */
static bool begins_before(gating *s, const gate_use *u, const linear *at, int rank, path *t)
{
  const int last = t->links - 1;
  int reader = s->f->form.array[u->array].rank, first = s->f->form.array[t->array[last]].rank;
  const polyhedra *above = reach_from(&s->g->reach, u->array, t->array[last]);
  linear value[2 * CDAG_RANK];
  polyhedra good = { 0 };
  bool same = u->array == t->array[last];
  for (int q = 0; q < reader && same; q++)
    same = linear_equal(&at[q], &t->at[last][q]);
  if (same)
    return true;
  memcpy(value, at, (size_t)reader * sizeof *at);
  memcpy(&value[reader], t->at[last], (size_t)first * sizeof *at);
  for (int i = 0; i < above->n; i++) {
    polyhedron *p = polyhedron_new(s->memory, rank);
    polyhedron_include(s->memory, p, above->item[i], value, reader + first);
    if (!p->open)
      polyhedra_add(s->memory, &good, p);
  }
  return gating_keep_in(s, &t->z, &good, rank);
}

/* z stays where the reader is there and every gate with z's keys is computed after it. */
static bool read_before(gating *s, const gate_use *u, const gate_keys *keys, const linear *at, int rank, path *t)
{
  const access *a = s->f->form.access[u->access];
  const polyhedra *inputs = &s->f->form.array[a->to].inputs;
  polyhedra in = { 0 }, pairs = { 0 }, below = { 0 }, bad = { 0 };
  linear index[CDAG_RANK];
  for (int r = 0; r < s->f->form.array[a->to].rank; r++)
    if (!linear_substitute(&a->index[r], at, s->f->form.array[u->array].rank, 0, &index[r]))
      return false;
  for (int k = 0; k < inputs->n; k++) {
    polyhedron *p = polyhedron_new(s->memory, rank);
    polyhedron_include(s->memory, p, a->where, at, s->f->form.array[u->array].rank);
    polyhedron_include(s->memory, p, inputs->item[k], index, s->f->form.array[a->to].rank);
    if (!p->open)
      polyhedra_add(s->memory, &in, p);
  }
  if (!gating_keep_in(s, &t->z, &in, rank))
    return false;
  gating_pairs(s, &t->z, rank, s->family, keys, 0, &pairs);
  gating_below(s, s->family, u->array, at, rank, &below);
  return polyhedra_minus(s->memory, &pairs, &below, rank + s->rank, &bad) &&
         gating_drop_under(s, &t->z, &bad, rank);
}

/* The word is that of z's row, whatever the place along the chain, and of no other row. */
static bool told_by_row(gating *s, const gate_use *u, const linear *at, int rank, int along, const path *t)
{
  const access *a = s->f->form.access[u->access];
  int indices = s->f->form.array[a->to].rank;
  linear index[CDAG_RANK];
  for (int r = 0; r < indices; r++) {
    for (int v = s->f->form.array[u->array].rank; v < POLYHEDRON_VARS; v++)
      if (a->index[r].coef[v])
        return false;
    if (!linear_substitute(&a->index[r], at, s->f->form.array[u->array].rank, 0, &index[r]) || index[r].coef[along])
      return false;
  }
  for (int loop = 0; loop < rank; loop++)
    for (int p = 0; p < t->z.n && loop != along; p++)
      for (int q = 0; q < t->z.n; q++) {
        SCOPED_ARENA memory = { 0 };
        int shift;
        polyhedron *both = polyhedron_beside(&memory, t->z.item[p], t->z.item[q], &shift);
        linear x = linear_variable(loop), y = linear_variable(shift + loop);
        y.base = 1;
        polyhedron_require(&memory, both, &y, &x);
        for (int r = 0; r < indices; r++) {
          linear moved;
          if (linear_substitute(&index[r], NULL, 0, shift, &moved))
            polyhedron_same(&memory, both, &index[r], &moved);
        }
        bool apart = polyhedron_empty(both);
        if (!apart)
          return false;
      }
  return true;
}

/* Words of two kinds, beside any two paths, are different. */
static bool kinds_apart(gating *s, const gate_use *u, const gate_use *v, const path *t)
{
  const access *a = s->f->form.access[u->access], *b = s->f->form.access[v->access];
  linear at[CDAG_RANK], other[CDAG_RANK];
  reader_of(s, u, at);
  reader_of(s, v, other);
  for (int p = 0; p < t->z.n && a->to == b->to; p++)
    for (int q = 0; q < t->z.n; q++) {
      SCOPED_ARENA memory = { 0 };
      int shift;
      polyhedron *both = polyhedron_beside(&memory, t->z.item[p], t->z.item[q], &shift);
      for (int r = 0; r < s->f->form.array[a->to].rank; r++) {
        linear x, y, moved;
        if (linear_substitute(&a->index[r], at, s->f->form.array[u->array].rank, 0, &x) &&
            linear_substitute(&b->index[r], other, s->f->form.array[v->array].rank, 0, &y) &&
            linear_substitute(&y, NULL, 0, shift, &moved))
          polyhedron_same(&memory, both, &x, &moved);
      }
      bool apart = polyhedron_empty(both);
      if (!apart)
        return false;
    }
  return true;
}

bool gating_row_words(gating *s, const gate_wait *w, int along, path *t)
{
  int rank = s->f->form.array[w->array].rank;
  for (int i = 0; i < s->of->rows; i++) {
    const gate_use *u = &s->of->row[i];
    linear at[CDAG_RANK];
    const access *a = s->f->form.access[u->access];
    bool good = along >= 0 && a->single && a->from == u->array && s->f->form.array[a->to].computed.n == 0;
    if (!good)
      return bound_refuse(s->reason, "words of rows are inputs");
    reader_of(s, u, at);
    if (!read_before(s, u, &w->keys, at, rank, t) || !begins_before(s, u, at, rank, t) ||
        !told_by_row(s, u, at, rank, along, t))
      return bound_refuse(s->reason, "what waits is not shown to come with a word of its row");
    for (int k = 0; k < i; k++)
      if (!kinds_apart(s, &s->of->row[k], u, t))
        return bound_refuse(s->reason, "a row's words may be one word");
  }
  return true;
}
