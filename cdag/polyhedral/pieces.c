/* Arrays in pieces: two that have no element in common, once the one is laid beside the other, and whose elements read
   alike, count as one.  Elements get other names, and that is all (docs/theory-affine.md, section 1). */
#include "cdag/polyhedral/normal.h"
#include <string.h>

/* Array y becomes a part of x: loop q of y is index `index[q]` of x, less a constant, or the negative of that. */
typedef struct {
  normal_form *f;
  int x, y;
  bool known[CDAG_RANK];
  linear place[CDAG_RANK];     /* the indices in x, forms in the loops of y */
  linear loop[CDAG_RANK];      /* the loops of y, forms in the indices in x */
} laying;

static bool is_own(const laying *l, const access *a) { return a->to == a->from && (a->to == l->x || a->to == l->y); }

/* The form of x's loops, which one loop that has no place yet is to make the same as `want`, of y's. */
static bool solve(laying *l, const linear *form, const linear *want)
{
  int rank = l->f->array[l->x].rank, free = -1;
  linear rest = *want;
  for (int r = 0; r < rank; r++) {
    if (form->coef[r] == 0)
      continue;
    if (l->known[r] ? !linear_add(&rest, &l->place[r], -form->coef[r]) : free >= 0)
      return true; /* not now */
    free = l->known[r] ? free : r;
  }
  rest.base -= form->base;
  if (free < 0 || (form->coef[free] != 1 && form->coef[free] != -1))
    return true;
  l->place[free] = (linear){ 0 };
  l->known[free] = true;
  return linear_add(&l->place[free], &rest, form->coef[free]);
}

/* On all of b's settings, x at y's place reads by a what b reads. */
static bool reads_same(const laying *l, const access *a, const access *b)
{
  const normal_form *f = l->f;
  int rank = f->array[l->x].rank, to = f->array[a->to].rank;
  if (is_own(l, a) != is_own(l, b) && !(a->to == l->x && b->to == l->x))
    return false;
  for (int k = 0; k < to; k++) {
    linear at, read = b->index[k];
    if (!linear_substitute(&a->index[k], l->place, rank, 0, &at) ||
        (b->to == l->y && !linear_substitute(&l->place[k], b->index, f->array[l->y].rank, 0, &read)) ||
        !linear_add(&at, &read, -1) || !polyhedron_implies(b->where, &at, true))
      return false;
  }
  return true;
}

/* Each loop of y stands alone in some index in x: then elements of y have places of their own. */
static bool invert(laying *l)
{
  int rank = l->f->array[l->x].rank, loops = l->f->array[l->y].rank, found = 0;
  for (int q = 0; q < loops; q++)
    for (int r = 0; r < rank; r++) {
      int64_t c = l->place[r].coef[q];
      linear alone = linear_constant(l->place[r].base);
      alone.coef[q] = c;
      if ((c != 1 && c != -1) || !linear_equal(&alone, &l->place[r]))
        continue;
      l->loop[q] = linear_constant(-c * l->place[r].base);
      l->loop[q].coef[r] = c;
      found++;
      break;
    }
  return found == loops;
}

static polyhedron *laid(const laying *l, const polyhedron *p)
{
  int rank = l->f->array[l->x].rank, loops = l->f->array[l->y].rank;
  polyhedron *q = polyhedron_new(&l->f->memory, rank);
  polyhedron_include(&l->f->memory, q, p, l->loop, loops);
  for (int r = 0; r < rank; r++) {
    linear index = linear_variable(r), at;
    if (linear_substitute(&l->place[r], l->loop, loops, 0, &at))
      polyhedron_same(&l->f->memory, q, &index, &at);
    else
      q->open = true;
  }
  return polyhedron_tidy(&l->f->memory, q);
}

/* Has no element of y the place of one of x? */
static bool is_beside(const laying *l)
{
  const polyhedra *x = &l->f->array[l->x].domain, *y = &l->f->array[l->y].domain;
  for (int i = 0; i < y->n; i++) {
    const polyhedron *p = laid(l, y->item[i]);
    for (int k = 0; k < x->n; k++) {
      polyhedron *both = polyhedron_copy(&l->f->memory, p);
      polyhedron_meet(&l->f->memory, both, x->item[k], l->f->array[l->x].rank);
      if (both->open || !polyhedron_empty(both))
        return false;
    }
  }
  return true;
}

/* Does some element of x read one of y? */
static bool reads(const normal_form *f, int x, int y)
{
  bool found = false;
  for (int i = 0; i < f->accesses && !found; i++)
    found = f->access[i]->from == x && f->access[i]->to == y;
  return found;
}

/* Whatever y reads, x at that place would; but one step, before which there is none, may begin with an input that x
 * does not read at all. */
static bool is_alike(const laying *l)
{
  const normal_form *f = l->f;
  bool begins = !reads(f, l->y, l->y) && !reads(f, l->y, l->x);
  for (int i = 0; i < f->accesses; i++) {
    const access *b = f->access[i];
    bool found = b->from != l->y || (begins && f->array[b->to].computed.n == 0 && !reads(f, l->x, b->to));
    for (int k = 0; k < f->accesses && !found; k++) {
      const access *a = f->access[k];
      found = a->from == l->x && a->single && b->single && (a->to == b->to || (is_own(l, a) && is_own(l, b))) &&
              reads_same(l, a, b);
    }
    if (!found)
      return false;
  }
  return true;
}

/* y is a chain, or one step of x's under a name of its own, the first or the last: it reads all that every step of x
 * does.  (The end of a sum that is divided by another, as in a factorisation, is none.) */
static bool is_step(const laying *l)
{
  const normal_form *f = l->f;
  bool step = reads(f, l->y, l->y);
  for (int i = 0; i < f->accesses && !reads(f, l->y, l->y); i++) {
    const access *a = f->access[i];
    bool found = false;
    if (a->from != l->x || a->to == l->x || polyhedron_is_flat(a->where))
      continue;
    for (int k = 0; k < f->accesses && !found; k++) {
      const access *b = f->access[k];
      found = b->from == l->y && b->to == a->to && a->single && b->single && reads_same(l, a, b);
    }
    if (!found)
      return false;
    step = true;
  }
  return step;
}

enum { TRIES_MOST = 300 };

static int loops_known(const laying *l)
{
  int n = 0;
  for (int r = 0; r < l->f->array[l->x].rank; r++)
    n += l->known[r];
  return n;
}

/* Places by which what y reads is what x reads, one read after the other, each of which tells one of them at least. */
static bool find_places(laying *l, int *tries)
{
  const normal_form *f = l->f;
  if (loops_known(l) == f->array[l->x].rank)
    return invert(l) && is_alike(l) && is_step(l) && is_beside(l);
  for (int i = 0; i < f->accesses; i++) {
    const access *b = f->access[i];
    if (b->from != l->y || !b->single || is_own(l, b))
      continue;
    for (int k = 0; k < f->accesses; k++) {
      const access *a = f->access[k];
      laying next = *l;
      bool good = a->from == l->x && a->to == b->to && a->single && --*tries > 0;
      for (int r = 0; r < f->array[b->to].rank && good; r++)
        good = solve(&next, &a->index[r], &b->index[r]);
      if (good && loops_known(&next) > loops_known(l) && find_places(&next, tries)) {
        *l = next;
        return true;
      }
    }
  }
  return false;
}

static bool same_places(laying *l, int *tries)
{
  for (int r = 0; r < l->f->array[l->x].rank; r++) {
    l->known[r] = true;
    l->place[r] = linear_variable(r);
  }
  return find_places(l, tries);
}

static void lay(laying *l)
{
  normal_form *f = l->f;
  array_form *x = &f->array[l->x], *y = &f->array[l->y];
  polyhedra *const to[] = { &x->domain, &x->computed, &x->outputs };
  polyhedra *const of[] = { &y->domain, &y->computed, &y->outputs };
  for (int k = 0; k < 3; k++) {
    polyhedra both = { 0 }; /* domain and computed may be one list */
    for (int i = 0; i < to[k]->n; i++)
      polyhedra_add(&f->memory, &both, to[k]->item[i]);
    for (int i = 0; i < of[k]->n; i++)
      polyhedra_add(&f->memory, &both, laid(l, of[k]->item[i]));
    polyhedra_join(&f->memory, &both);
    *to[k] = both;
    *of[k] = (polyhedra){ 0 };
  }
  x->whole = x->whole && y->whole;
  x->outputs_missing = x->outputs_missing || y->outputs_missing;
  y->piece_of = l->x + 1;
  memcpy(y->place, l->place, sizeof y->place);
  for (int i = 0; i < f->accesses; i++) {
    access *a = f->access[i];
    linear index[CDAG_RANK] = { 0 };
    if (a->to == l->y) {
      for (int r = 0; r < x->rank; r++)
        if (!linear_substitute(&l->place[r], a->index, y->rank, 0, &index[r]))
          a->where->open = true;
      memcpy(a->index, index, sizeof index);
      a->to = l->x;
    }
    if (a->from == l->y) {
      a->where = laid(l, a->where);
      for (int r = 0; r < f->array[a->to].rank; r++)
        if (!linear_substitute(&a->index[r], l->loop, y->rank, x->rank - y->rank, &a->index[r]))
          a->where->open = true;
      a->from = l->x;
    }
  }
  normal_form_join(f);
}

/* All its elements are computed, and all that they read is known. */
static bool is_computed(const normal_form *f, int x)
{
  const array_form *form = &f->array[x];
  return form->known && form->whole && form->inputs.n == 0 && form->computed.n > 0 &&
         !normal_form_text(f, x)->declared_input;
}

void normal_form_lay_together(normal_form *f)
{
  for (int x = 0; x < f->arrays; x++)
    for (int y = 0; y < f->arrays; y++) {
      laying l = { .f = f, .x = x, .y = y }, same = l;
      int tries = TRIES_MOST;
      if (x == y || f->array[x].rank < f->array[y].rank || !is_computed(f, x) || !is_computed(f, y) ||
          !reads(f, x, x))
        continue;
      if (f->array[x].rank == f->array[y].rank && same_places(&same, &tries))
        lay(&same);
      else if (find_places(&l, &tries))
        lay(&l);
    }
}

/* Places of y where one step more of x would be: y reads the step before that. */
static bool place_ends(laying *l, const access *end)
{
  const normal_form *f = l->f;
  int rank = f->array[l->x].rank;
  for (int i = 0; i < f->accesses; i++) {
    const access *own = f->access[i];
    bool step = own->from == l->x && own->to == l->x && own->single;
    for (int r = 0; r < rank && step; r++) {
      linear v = linear_variable(r);
      step = linear_add(&v, &own->index[r], -1) && linear_is_constant(&v);
      l->place[r] = end->index[r];
      l->place[r].base += v.base;
      for (int q = f->array[l->y].rank; q < POLYHEDRON_VARS; q++)
        step = step && end->index[r].coef[q] == 0;
    }
    if (step && invert(l) && is_beside(l))
      return true;
  }
  return false;
}

/* Do sums of x read, but for their first steps, ends that are elements of y, and nothing else? */
static bool sums_read_ends(const normal_form *f, int x, int y)
{
  int ends = 0;
  for (int i = 0; i < f->accesses; i++) {
    const access *a = f->access[i];
    if (a->from != x || a->to == x || polyhedron_is_flat(a->where))
      continue;
    if (a->to != y || !a->single)
      return false;
    ends++;
  }
  return ends > 1;
}

bool normal_form_lay_ends(normal_form *f)
{
  bool some = false;
  for (int i = 0; i < f->accesses; i++) {
    const access *end = f->access[i];
    laying l = { .f = f, .x = end->to, .y = end->from };
    if (l.x != l.y && end->single && f->array[l.x].rank > f->array[l.y].rank && is_computed(f, l.x) &&
        is_computed(f, l.y) && !reads(f, l.y, l.y) && sums_read_ends(f, l.x, l.y) && place_ends(&l, end)) {
      lay(&l);
      some = true;
      i = -1;
    }
  }
  return some;
}
