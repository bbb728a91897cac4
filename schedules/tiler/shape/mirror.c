/* mirror.c -- x becomes a + b - x in every form that names it. */
#include "schedules/tiler/shape/mirror.h"
#include <string.h>

int64_t tiler_mirror_sum(const cdag *g, int array, int q)
{
  const cdag_box *h = &g->array[array].hull;
  return h->lo[q] + h->hi[q] - 1;
}

/* In the variables of an element. */
static void turn_variables(const mirror_turns *by, linear *f)
{
  for (int v = 0; v < CDAG_RANK; v++)
    if (by->turned >> v & 1) {
      f->base += f->coef[v] * by->sum[v];
      f->coef[v] = -f->coef[v];
    }
}

static void turn_value(const mirror_turns *by, int q, linear *f)
{
  linear g = linear_constant(by->sum[q]);
  if (by->turned >> q & 1 && linear_add(&g, f, -1))
    *f = g;
}

static polyhedron *turn_points(arena *a, const mirror_turns *by, const polyhedron *p)
{
  polyhedron *own = polyhedron_copy(a, p);
  for (int i = 0; i < own->n; i++)
    turn_variables(by, &own->row[i].form);
  return own;
}

static polyhedra turn_all(arena *a, const mirror_turns *by, const polyhedra *l)
{
  polyhedra own = { 0 };
  for (int i = 0; i < l->n; i++)
    polyhedra_add(a, &own, turn_points(a, by, l->item[i]));
  return own;
}

static void turn_array(tiler_mirror *m, int array, const mirror_turns *by)
{
  array_form *a = &m->form.array[array];
  cdag_box *h = &m->g.array[array].hull;
  polyhedra *part[] = { &a->domain, &a->inputs, &a->computed, &a->outputs, &a->live };
  for (size_t k = 0; k < sizeof part / sizeof *part; k++)
    *part[k] = turn_all(&m->form.memory, by, part[k]);
  for (int q = 0; q < a->rank; q++)
    if (by->turned >> q & 1) {
      int64_t lo = by->sum[q] - h->hi[q] + 1;
      h->hi[q] = by->sum[q] - h->lo[q] + 1;
      h->lo[q] = lo;
    }
}

static access *turn_access(tiler_mirror *m, const access *a, const mirror_turns *by)
{
  access *own = ARENA_NEW(&m->form.memory, access, 1);
  *own = *a;
  own->where = turn_points(&m->form.memory, &by[a->from], a->where);
  for (int q = 0; q < m->form.array[a->to].rank; q++) {
    turn_variables(&by[a->from], &own->index[q]);
    turn_value(&by[a->to], q, &own->index[q]);
  }
  return own;
}

void tiler_mirror_init(tiler_mirror *m, const normal_form *f, const mirror_turns *by)
{
  *m = (tiler_mirror){ .g = *f->g, .form = *f };
  arena *own = &m->form.memory;
  *own = (arena){ 0 };
  m->form.g = &m->g;
  m->g.array = ARENA_NEW(own, cdag_array, (size_t)f->arrays);
  memcpy(m->g.array, f->g->array, (size_t)f->arrays * sizeof *m->g.array);
  m->form.array = ARENA_NEW(own, array_form, (size_t)f->arrays);
  memcpy(m->form.array, f->array, (size_t)f->arrays * sizeof *f->array);
  m->form.access = ARENA_NEW(own, access *, (size_t)f->accesses + 1);
  for (int a = 0; a < f->arrays; a++)
    if (by[a].turned)
      turn_array(m, a, &by[a]);
  for (int i = 0; i < f->accesses; i++) {
    access *a = f->access[i];
    m->form.access[i] = by[a->from].turned || by[a->to].turned ? turn_access(m, a, by) : a;
  }
}

void tiler_mirror_clear(tiler_mirror *m) { arena_clear(&m->form.memory); }
