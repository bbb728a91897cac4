/* Elements that one other reads, and nobody else, as parts of that one: it reads what they read.  That is no
   computation with fewer moves; what it says of segments is said in docs/theory-affine.md, section 4.3. */
#include "cdag/polyhedral/normal.h"
#include <string.h>

enum { FUSED_ACCESSES = 512 };

/* Do a and b never read one element, but for the same reader by the same access? */
static bool never_one(const normal_form *f, const access *a, const access *b)
{
  SCOPED_ARENA memory = { 0 };
  int shift;
  bool apart = true;
  polyhedron *both = polyhedron_beside(&memory, a->where, b->where, &shift);
  for (int k = 0; k < f->array[a->to].rank && apart; k++) {
    linear moved;
    apart = linear_substitute(&b->index[k], NULL, 0, shift, &moved);
    polyhedron_same(&memory, both, &a->index[k], &moved);
  }
  if (a != b)
    apart = apart && polyhedron_empty(both);
  for (int v = 0; a == b && v < a->where->vars && apart; v++) {
    polyhedron *less = polyhedron_copy(&memory, both);
    linear x = linear_variable(v), y = linear_variable(shift + v);
    x.base = 1;
    polyhedron_require(&memory, less, &x, &y);
    apart = polyhedron_empty(less);
  }
  return apart;
}

/* All that is computed there is read by one element at most, and is neither an output nor read by its own array. */
static bool is_part(const normal_form *f, int p)
{
  const array_form *form = &f->array[p];
  int reader = -1;
  if (!form->known || !form->whole || form->computed.n == 0 || form->inputs.n || form->outputs.n ||
      form->outputs_missing || normal_form_text(f, p)->declared_input)
    return false;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    if (a->to != p)
      continue;
    if (a->from == p || a->where->open || (reader >= 0 && reader != a->from) || !f->array[a->from].whole)
      return false;
    reader = a->from;
    for (int k = 0; k <= i; k++)
      if (f->access[k]->to == p && !never_one(f, a, f->access[k]))
        return false;
  }
  return reader >= 0;
}

/* What a's reader reads by b of what a reads; NULL when there is nothing, *lost when it is not seen. */
static access *read_through(normal_form *f, const access *a, const access *b, bool *lost)
{
  int rank = f->array[a->to].rank, vars = a->where->vars;
  access *c = ARENA_NEW(&f->memory, access, 1);
  *c = (access){ .from = a->from, .to = b->to, .term = b->term, .single = a->single && b->single };
  c->part = a->part;
  c->through = !a->single && b->single && a->through != BY_PART ? BY_PLACE : BY_PART;
  c->where = polyhedron_copy(&f->memory, a->where);
  polyhedron_include(&f->memory, c->where, b->where, a->index, rank);
  *lost = *lost || c->where->open;
  if (*lost || polyhedron_empty(c->where))
    return NULL;
  for (int k = 0; k < f->array[b->to].rank && !*lost; k++)
    *lost = !linear_substitute(&b->index[k], a->index, rank, vars - rank, &c->index[k]);
  c->where = polyhedron_tidy(&f->memory, polyhedron_sharpen(&f->memory, c->where));
  return c;
}

static bool fuse(normal_form *f, int p)
{
  access **all = ARENA_NEW(&f->memory, access *, FUSED_ACCESSES);
  int n = 0;
  bool lost = false;
  for (int i = 0; i < f->accesses; i++) {
    access *a = f->access[i];
    if (a->from == p)
      continue;
    if (a->to == p && !a->part)
      a->part = ++f->parts;
    for (int k = 0; a->to == p && k < f->accesses; k++) {
      access *c = f->access[k]->from == p ? read_through(f, a, f->access[k], &lost) : NULL;
      lost = lost || n == FUSED_ACCESSES;
      if (c && !lost)
        all[n++] = c;
    }
    lost = lost || n == FUSED_ACCESSES;
    if (a->to != p && !lost)
      all[n++] = a;
  }
  if (lost)
    return false;
  f->access = all;
  f->accesses = n;
  f->room = FUSED_ACCESSES;
  f->array[p].domain = f->array[p].computed = (polyhedra){ 0 };
  return true;
}

/* A part is one of the steps of its element; of as many places of a chain as there are reads by it. */
static void count_steps(normal_form *f)
{
  f->part_steps = 1;
  for (int i = 0; i < f->accesses; i++) {
    int same = 0;
    for (int k = 0; k < f->accesses; k++)
      same += f->access[i]->through && f->access[k]->through && f->access[k]->part == f->access[i]->part;
    f->part_steps = same > f->part_steps ? same : f->part_steps;
  }
}

bool normal_form_fuse(normal_form *f)
{
  bool some = false;
  for (int p = 0; p < f->arrays; p++)
    if (is_part(f, p) && fuse(f, p)) {
      some = true;
      p = -1;
    }
  count_steps(f);
  return some;
}
