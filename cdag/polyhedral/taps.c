/* Windows: an element that reads several of the same shape counts as a chain of elements, of which each reads one place
   of each window.  A play of the computation is one of that with one red pebble more (docs/theory-affine.md, section
   1). */
#include "cdag/polyhedral/normal.h"
#include "base/num.h"
#include <string.h>

enum { SIDES = 3, TAPS_MOST = 1 << 20, WINDOWS_MOST = 64 };

/* Reads of one array in a box: listed, or by an index that runs. */
typedef struct {
  int sides;
  int64_t width[SIDES];
  linear least[CDAG_RANK];     /* of what is read, the corner */
  int side[CDAG_RANK];         /* of each index: along which side it lies, or -1 */
  int runs[CDAG_RANK];         /* and the variable that it is, or -1 */
} window;

typedef struct {
  normal_form *f;
  int x, rank;                 /* the array, its rank before */
  window shape;
  int n, room;
  access **access;             /* new ones */
} tapping;

/* By what b's indices lie beyond a's: numbers. */
static bool is_beside(const normal_form *f, const access *a, const access *b, int64_t by[CDAG_RANK])
{
  bool good = a->from == b->from && a->to == b->to && a->single == b->single && a->through == b->through &&
              a->where->vars == b->where->vars;
  for (int r = 0; r < f->array[a->to].rank && good; r++) {
    linear more = b->index[r];
    good = linear_add(&more, &a->index[r], -1) && linear_is_constant(&more);
    by[r] = more.base;
  }
  return good;
}

/* A variable that runs from a form of the loops on: the form. */
static bool begins_at(const polyhedron *p, int rank, int v, linear *least)
{
  for (int i = 0; i < p->n; i++) {
    *least = (linear){ 0 };
    if (p->row[i].equal || p->row[i].form.coef[v] != 1 || !linear_add(least, &p->row[i].form, -1))
      continue;
    least->coef[v] = 0;
    bool loops = true;
    for (int u = rank; u < POLYHEDRON_VARS; u++)
      loops = loops && least->coef[u] == 0;
    if (loops)
      return true;
  }
  return false;
}

/* Index r is the variable v, which runs: from where on, and how far? */
static bool running_side(const access *a, int rank, int r, int v, window *w)
{
  linear runs = linear_variable(v), beyond = runs;
  int64_t least, most;
  if (!linear_equal(&a->index[r], &runs) || !begins_at(a->where, rank, v, &w->least[r]) ||
      !linear_add(&beyond, &w->least[r], -1) || !polyhedron_span(a->where, &beyond, &least, &most) || least < 0 ||
      most >= TAPS_MOST)
    return false;
  w->runs[r] = v;
  w->width[w->sides] = most + 1;
  return true;
}

/* Do the reads beside a each go by a part of their own, if by parts? */
static bool parts_differ(const normal_form *f, const access *a)
{
  int64_t by[CDAG_RANK];
  for (int i = 0; i < f->accesses && a->through; i++)
    for (int k = 0; k < i && is_beside(f, a, f->access[i], by); k++)
      if (f->access[k]->part == f->access[i]->part && is_beside(f, a, f->access[k], by))
        return false;
  return true;
}

/* The box that a and the reads beside it lie in; false when there is none, or it is one place. */
static bool window_at(const normal_form *f, const access *a, window *w)
{
  int rank = f->array[a->from].rank, to = f->array[a->to].rank, running = a->where->vars - rank, found = 0;
  int64_t lo[CDAG_RANK] = { 0 }, hi[CDAG_RANK] = { 0 }, by[CDAG_RANK];
  *w = (window){ 0 };
  if (a->from == a->to || a->where->open || running > SIDES || (a->single && running > 0))
    return false;
  for (int i = 0; i < f->accesses; i++)
    for (int r = 0; is_beside(f, a, f->access[i], by) && r < to; r++) {
      lo[r] = num_min(lo[r], by[r]);
      hi[r] = num_max(hi[r], by[r]);
    }
  for (int r = 0; r < to; r++) {
    int v = rank;
    while (v < rank + running && a->index[r].coef[v] == 0)
      v++;
    w->least[r] = a->index[r];
    w->least[r].base += lo[r];
    w->side[r] = w->runs[r] = -1;
    if (v == rank + running && lo[r] == hi[r])
      continue;
    bool runs = v < rank + running, listed = lo[r] < hi[r];
    if (w->sides == SIDES || (listed && (runs || hi[r] - lo[r] >= WINDOWS_MOST)) ||
        (runs && (a->through == BY_PART || !running_side(a, rank, r, v, w))))
      return false;
    if (!runs)
      w->width[w->sides] = hi[r] - lo[r] + 1;
    found += w->runs[r] >= 0;
    w->side[r] = w->sides++;
  }
  return w->sides > 0 && found == running && parts_differ(f, a);
}

static bool same_shape(const window *v, const window *w)
{
  return v->sides == w->sides && memcmp(v->width, w->width, (size_t)w->sides * sizeof *w->width) == 0;
}

static int64_t places(const window *w)
{
  int64_t n = 1;
  for (int s = 0; s < w->sides; s++)
    n *= w->width[s];
  return n;
}

/* Of reads beside each other the first stands for all. */
static bool is_first(const normal_form *f, int i)
{
  int64_t by[CDAG_RANK];
  for (int k = 0; k < i; k++)
    if (is_beside(f, f->access[i], f->access[k], by))
      return false;
  return true;
}

/* The largest shape that two windows have. */
static bool find_shape(const normal_form *f, int x, window *shape)
{
  window seen[WINDOWS_MOST], w;
  int n = 0;
  *shape = (window){ 0 };
  for (int i = 0; i < f->accesses && n < WINDOWS_MOST; i++) {
    if (f->access[i]->from != x || !is_first(f, i) || !window_at(f, f->access[i], &w) || places(&w) > TAPS_MOST)
      continue;
    for (int k = 0; k < n; k++)
      if (same_shape(&w, &seen[k]) && places(&w) > (shape->sides ? places(shape) : 1))
        *shape = w;
    seen[n++] = w;
  }
  return shape->sides > 0 && f->array[x].rank + shape->sides <= CDAG_RANK;
}

/* ---- the chain ---- */

/* p over the loops, then those along the sides; what else it has comes after. */
static polyhedron *widened(const tapping *t, const polyhedron *p, int loops)
{
  linear x[CDAG_RANK];
  linear_variables(x, loops, 0);
  polyhedron *q = polyhedron_new(&t->f->memory, t->rank + t->shape.sides);
  polyhedron_include(&t->f->memory, q, p, x, loops);
  for (int s = 0; s < t->shape.sides; s++) {
    linear v = linear_variable(t->rank + s), zero = { 0 }, last = linear_constant(t->shape.width[s] - 1);
    polyhedron_require(&t->f->memory, q, &zero, &v);
    polyhedron_require(&t->f->memory, q, &v, &last);
  }
  return q;
}

static void at_side(const tapping *t, polyhedron *p, int side, int64_t value)
{
  linear v = linear_variable(t->rank + side), at = linear_constant(value);
  polyhedron_same(&t->f->memory, p, &v, &at);
}

static void keep(tapping *t, const access *a, polyhedron *where, const linear *index)
{
  t->access = arena_room(&t->f->memory, t->access, t->n, &t->room, sizeof *t->access);
  access *b = ARENA_NEW(&t->f->memory, access, 1);
  *b = *a;
  b->where = polyhedron_tidy(&t->f->memory, where);
  if (index)
    memcpy(b->index, index, sizeof b->index);
  t->access[t->n++] = b;
}

/* Of the element the last of its chain is read. */
static void read_last(const tapping *t, linear *index)
{
  for (int s = 0; s < t->shape.sides; s++)
    index[t->rank + s] = linear_constant(t->shape.width[s] - 1);
}

/* Does the read tell its reader: is each loop an index, or has it one value?  (Else any of the chain may read it.) */
static bool tells(const tapping *t, const access *a)
{
  for (int r = 0; r < t->rank; r++) {
    linear x = linear_variable(r);
    int64_t lo, hi;
    bool told = polyhedron_span(a->where, &x, &lo, &hi) && lo == hi;
    for (int k = 0; k < t->f->array[a->to].rank && !told; k++) {
      linear alone = linear_constant(a->index[k].base);
      alone.coef[r] = a->index[k].coef[r];
      told = (alone.coef[r] == 1 || alone.coef[r] == -1) && linear_equal(&alone, &a->index[k]);
    }
    if (!told)
      return false;
  }
  return true;
}

/* Place by place what is read in a window. */
static void keep_tap(tapping *t, const access *a, const window *w)
{
  int first = t->rank + t->shape.sides;
  polyhedron *where = widened(t, a->where, t->rank);
  linear index[CDAG_RANK] = { 0 };
  bool exact;
  for (int r = 0; r < t->f->array[a->to].rank; r++) {
    index[r] = w->least[r];
    if (w->side[r] < 0)
      continue;
    linear read = a->index[r];
    if (w->runs[r] >= 0) /* such variables come after the sides */
      read = linear_variable(first + w->runs[r] - t->rank);
    index[r].coef[t->rank + w->side[r]] = 1;
    polyhedron_same(&t->f->memory, where, &index[r], &read);
  }
  where = polyhedron_project(&t->f->memory, where, first, &exact);
  access tap = *a;
  tap.single = true;
  if (exact && !where->open && !polyhedron_empty(where))
    keep(t, &tap, where, index);
}

static void keep_read(tapping *t, const access *a)
{
  window w;
  if (window_at(t->f, a, &w) && same_shape(&w, &t->shape)) {
    keep_tap(t, a, &w);
    return;
  }
  if (a->where->vars != t->rank) /* not needed: fewer predecessors make no bound larger */
    return;
  linear index[CDAG_RANK];
  polyhedron *where = widened(t, a->where, t->rank);
  memcpy(index, a->index, sizeof index);
  for (int s = 0; s < t->shape.sides && (a->to == t->x || a->through || tells(t, a)); s++)
    at_side(t, where, s, 0);
  if (a->to == t->x)
    read_last(t, index);
  keep(t, a, where, index);
}

/* Each element of a chain reads the one before it. */
static void keep_chain(tapping *t)
{
  array_form *x = &t->f->array[t->x];
  for (int s = t->shape.sides - 1; s >= 0; s--)
    for (int i = 0; i < x->domain.n; i++) {
      access a = { .from = t->x, .to = t->x, .term = -1, .single = true };
      polyhedron *where = widened(t, x->domain.item[i], t->rank);
      linear one = linear_constant(1), v = linear_variable(t->rank + s), index[CDAG_RANK] = { 0 };
      polyhedron_require(&t->f->memory, where, &one, &v);
      linear_variables(index, t->rank + t->shape.sides, 0);
      index[t->rank + s].base = -1;
      for (int q = s + 1; q < t->shape.sides; q++) {
        at_side(t, where, q, 0);
        index[t->rank + q] = linear_constant(t->shape.width[q] - 1);
      }
      keep(t, &a, where, index);
    }
}

static void make_chains(tapping *t)
{
  normal_form *f = t->f;
  array_form *x = &f->array[t->x];
  keep_chain(t);
  for (int i = 0; i < f->accesses; i++) {
    access *a = f->access[i];
    linear index[CDAG_RANK];
    memcpy(index, a->index, sizeof index);
    if (a->from == t->x) {
      keep_read(t, a);
      continue;
    }
    if (a->to == t->x)
      read_last(t, index);
    keep(t, a, a->where, index);
  }
  polyhedra *const sets[] = { &x->domain, &x->computed, &x->outputs };
  for (int k = 0; k < 3; k++) {
    polyhedra wide = { 0 };
    for (int i = 0; i < sets[k]->n; i++) {
      polyhedron *p = widened(t, sets[k]->item[i], t->rank);
      for (int s = 0; s < t->shape.sides && k == 2; s++)
        at_side(t, p, s, t->shape.width[s] - 1);
      polyhedra_add(&f->memory, &wide, p);
    }
    *sets[k] = wide;
  }
  x->rank += t->shape.sides;
  x->chain = t->shape.sides;
  f->access = t->access;
  f->accesses = t->n;
  f->room = t->room;
}

bool normal_form_tap(normal_form *f)
{
  bool some = false;
  for (int x = 0; x < f->arrays; x++) {
    tapping t = { .f = f, .x = x, .rank = f->array[x].rank };
    if (!f->array[x].known || f->array[x].computed.n == 0 || f->array[x].inputs.n ||
        normal_form_text(f, x)->declared_input || !find_shape(f, x, &t.shape))
      continue;
    make_chains(&t);
    some = true;
  }
  if (some)
    normal_form_join(f);
  return some;
}
