/* Copies: an element that reads one other, and nothing else, counts as that other.  What a play of the one computation
   does is a play of the other: red or blue is who has such a copy (docs/theory-affine.md, section 1). */
#include "cdag/polyhedral/normal.h"
#include <string.h>

enum { MERGES_MOST = 32, ACCESSES_MOST = 512 };

/* Elements of copy->from that are in copy->where become what they read. */
typedef struct {
  normal_form *f;
  const access *copy;
  int rank;                    /* of the copy's array */
  int n, room;
  access **access;             /* those that stay, and new ones */
  bool lost;                   /* something was not seen exactly */
} merging;

static bool is_copy(const normal_form *f, const access *a)
{
  if (!a->single || a->from == a->to || !f->array[a->from].whole || a->where->open)
    return false;
  for (int i = 0; i < f->accesses; i++) {
    const access *b = f->access[i];
    if (b == a || b->from != a->from)
      continue;
    SCOPED_ARENA memory = { 0 };
    polyhedron *both = polyhedron_copy(&memory, a->where);
    polyhedron_meet(&memory, both, b->where, f->array[a->from].rank);
    bool apart = !both->open && polyhedron_empty(both);
    if (!apart)
      return false;
  }
  return true;
}

static void keep(merging *m, const access *a, polyhedron *where)
{
  if (m->n == ACCESSES_MOST || where->open) {
    m->lost = true;
    return;
  }
  m->access = arena_room(&m->f->memory, m->access, m->n, &m->room, sizeof *m->access);
  access *b = ARENA_NEW(&m->f->memory, access, 1);
  *b = *a;
  b->where = where;
  m->access[m->n++] = b;
}

/* Where a reads a copy it reads what that is a copy of; elsewhere what it did. */
static void read_through(merging *m, const access *a)
{
  arena *memory = &m->f->memory;
  int vars = a->where->vars;
  polyhedron *hit = polyhedron_copy(memory, a->where);
  polyhedra rest = { 0 };
  access through = *a;
  polyhedron_include(memory, hit, m->copy->where, a->index, m->rank);
  m->lost = m->lost || hit->open;
  if (m->lost || polyhedron_empty(hit)) {
    keep(m, a, a->where);
    return;
  }
  through.to = m->copy->to;
  memset(through.index, 0, sizeof through.index);
  for (int k = 0; k < m->f->array[through.to].rank && !m->lost; k++)
    m->lost = !linear_substitute(&m->copy->index[k], a->index, m->rank, vars - m->rank, &through.index[k]);
  m->lost = m->lost || !polyhedron_minus(memory, a->where, hit, vars, &rest);
  if (m->lost)
    return;
  keep(m, &through, polyhedron_tidy(memory, polyhedron_sharpen(memory, hit)));
  for (int i = 0; i < rest.n; i++)
    keep(m, a, polyhedron_tidy(memory, rest.item[i]));
}

/* A copy that is put out makes what it is a copy of an output, when that is computed. */
static void move_outputs(merging *m)
{
  normal_form *f = m->f;
  const polyhedra *l = &f->array[m->copy->from].outputs;
  for (int i = 0; i < l->n; i++) {
    bool exact = false;
    polyhedron *p = access_image(&f->memory, m->copy, l->item[i], f->array[m->copy->to].rank, &exact);
    if (exact && !p->open && !polyhedron_empty(p))
      normal_form_put_output(f, m->copy->to, p);
  }
}

static bool merge(normal_form *f, const access *copy)
{
  merging m = { .f = f, .copy = copy, .rank = f->array[copy->from].rank };
  array_form *form = &f->array[copy->from];
  polyhedra away = { 0 }, left[3] = { 0 };
  polyhedra *const sets[] = { &form->domain, &form->computed, &form->outputs };
  for (int i = 0; i < f->accesses && !m.lost; i++)
    if (f->access[i]->to == copy->from)
      read_through(&m, f->access[i]);
    else if (f->access[i] != copy)
      keep(&m, f->access[i], f->access[i]->where);
  polyhedra_add(&f->memory, &away, copy->where);
  for (int k = 0; k < 3 && !m.lost; k++)
    m.lost = !polyhedra_minus(&f->memory, sets[k], &away, m.rank, &left[k]);
  if (m.lost)
    return false;
  move_outputs(&m);
  for (int k = 0; k < 3; k++)
    *sets[k] = left[k];
  f->access = m.access;
  f->accesses = m.n;
  f->room = m.room;
  return true;
}

bool normal_form_merge(normal_form *f)
{
  int merged = 0;
  for (int i = 0; i < f->accesses && merged < MERGES_MOST; i++)
    if (is_copy(f, f->access[i]) && merge(f, f->access[i])) {
      merged++;
      i = -1;
    }
  if (merged)
    normal_form_join(f);
  return merged > 0;
}
