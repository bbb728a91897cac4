/* Sums of few steps as their ends: who is read by a step is read by the end, and steps that are no ends are gone.  That
   is no computation with fewer moves; but paths that have no element in common stay so, and are read back step by step
   (docs/theory-affine.md, section 6). */
#include "cdag/polyhedral/normal.h"

enum { CONTRACTED_MOST = 512 };

/* The last loops of an array, few settings, in the order of nested loops. */
typedef struct {
  normal_form *f;
  int x, rank, first, steps, most; /* most: so many steps */
  int64_t lo[CDAG_RANK], hi[CDAG_RANK];
} chain;

/* The loops, with the last of them at step k. */
static void at_step(const chain *c, int k, linear value[CDAG_RANK])
{
  linear_variables(value, c->first, 0);
  for (int r = c->rank - 1; r >= c->first; r--) {
    int64_t wide = c->hi[r] - c->lo[r] + 1;
    value[r] = linear_constant(c->lo[r] + k % wide);
    k = (int)(k / wide);
  }
}

/* What p says of step k, said of the end. */
static polyhedron *of_end(const chain *c, const polyhedron *p, int k)
{
  linear value[CDAG_RANK];
  polyhedron *q = polyhedron_new(&c->f->memory, c->rank);
  at_step(c, k, value);
  polyhedron_include(&c->f->memory, q, p, value, c->rank);
  for (int r = c->first; r < c->rank; r++) {
    linear loop = linear_variable(r), last = linear_constant(c->hi[r]);
    polyhedron_same(&c->f->memory, q, &loop, &last);
  }
  return q;
}

/* By this access, does step k read the step before it? */
static bool reads_last(const chain *c, const access *a, int k)
{
  linear now[CDAG_RANK], before[CDAG_RANK], index;
  if (a->from != c->x || a->to != c->x || !a->single)
    return false;
  at_step(c, k, now);
  at_step(c, k - 1, before);
  for (int r = 0; r < c->rank; r++)
    if (!linear_substitute(&a->index[r], now, c->rank, 0, &index) || !linear_equal(&index, &before[r]))
      return false;
  return true;
}

/* Wherever there is step k - 1 there is step k, which reads it. */
static bool is_linked(const chain *c, int k)
{
  const array_form *form = &c->f->array[c->x];
  polyhedra readers = { 0 };
  for (int i = 0; i < c->f->accesses; i++)
    if (reads_last(c, c->f->access[i], k))
      polyhedra_add(&c->f->memory, &readers, of_end(c, c->f->access[i]->where, k));
  bool good = readers.n > 0;
  for (int i = 0; i < form->domain.n && good; i++)
    good = polyhedra_cover(&readers, of_end(c, form->domain.item[i], k - 1), c->rank);
  return good;
}

/* Is what a reads an end? */
static bool reads_end(const chain *c, const access *a)
{
  for (int r = c->first; r < c->rank; r++) {
    linear off = a->index[r];
    off.base -= c->hi[r];
    if (!polyhedron_implies(a->where, &off, true))
      return false;
  }
  return true;
}

/* Does the array read itself, but for its own steps, or through others?  Only then is there a stencil to be seen. */
static bool returns(const chain *c)
{
  const normal_form *f = c->f;
  bool *from = ARENA_NEW(&c->f->memory, bool, (size_t)f->arrays), more = true;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    if (a->from == c->x && a->to == c->x && reads_end(c, a))
      return true;
    from[a->to] = from[a->to] || (a->from == c->x && a->to != c->x);
  }
  while (more) {
    more = false;
    for (int i = 0; i < f->accesses; i++)
      if (from[f->access[i]->from] && !from[f->access[i]->to])
        more = from[f->access[i]->to] = true;
  }
  return from[c->x];
}

/* The most loops, from the last on, that are a chain. */
static bool find_chain(chain *c)
{
  const array_form *form = &c->f->array[c->x];
  bool found = false;
  c->rank = form->rank;
  c->steps = 1;
  if (!form->known || form->computed.n == 0 || form->inputs.n || normal_form_text(c->f, c->x)->declared_input)
    return false;
  for (int first = form->rank - 1; first > 0; first--) {
    linear loop = linear_variable(first);
    if (!polyhedra_span(&form->domain, &loop, &c->lo[first], &c->hi[first]) ||
        c->hi[first] - c->lo[first] >= c->most / c->steps)
      break;
    int before = c->first, steps = c->steps;
    c->first = first;
    c->steps = steps * (int)(c->hi[first] - c->lo[first] + 1);
    bool linked = first < form->rank - 1 || returns(c);
    for (int k = 1; k < c->steps && linked; k++)
      linked = is_linked(c, k);
    if (!linked) {
      c->first = before;
      c->steps = steps;
      break;
    }
    found = found || c->steps > 1;
  }
  return found;
}

static bool contract(const chain *c)
{
  normal_form *f = c->f;
  array_form *form = &f->array[c->x];
  access **all = ARENA_NEW(&f->memory, access *, CONTRACTED_MOST);
  polyhedra *const sets[] = { &form->domain, &form->computed, &form->outputs };
  int n = 0;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    if (a->to == c->x && !reads_end(c, a))
      continue;
    for (int k = 0; k < (a->from == c->x ? c->steps : 1); k++) {
      access *b = ARENA_NEW(&f->memory, access, 1);
      linear value[CDAG_RANK];
      *b = *a;
      at_step(c, k, value);
      if (a->from == c->x)
        b->where = of_end(c, a->where, k);
      if (a->from == c->x && k + 1 < c->steps)
        b->through = BY_PART;
      for (int r = 0; r < f->array[a->to].rank && a->from == c->x; r++)
        if (!linear_substitute(&a->index[r], value, c->rank, 0, &b->index[r]))
          return false;
      if (b->where->open || n == CONTRACTED_MOST)
        return false;
      if (a->from == c->x && polyhedron_empty(b->where))
        continue;
      b->where = polyhedron_tidy(&f->memory, b->where);
      all[n++] = b;
    }
  }
  for (int s = 0; s < 3; s++) {
    polyhedra ends = { 0 };
    for (int i = 0; i < sets[s]->n; i++) {
      polyhedron *p = of_end(c, sets[s]->item[i], c->steps - 1);
      if (!polyhedron_empty(p))
        polyhedra_add(&f->memory, &ends, polyhedron_tidy(&f->memory, p));
    }
    *sets[s] = ends;
  }
  f->access = all;
  f->accesses = n;
  f->room = CONTRACTED_MOST;
  return true;
}

bool normal_form_contract(normal_form *f, int most)
{
  bool some = false;
  for (int x = 0; x < f->arrays; x++) {
    chain c = { .f = f, .x = x, .most = most };
    some = (find_chain(&c) && contract(&c)) || some;
  }
  if (some)
    normal_form_join(f);
  return some;
}
