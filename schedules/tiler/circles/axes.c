/* axes.c -- axes along which nothing that is read lies ahead of its reader. */
#include "base/num.h"
#include "schedules/tiler/circles/internal.h"
#include <string.h>

enum { FARTHEST = 8 };

linear circle_along(const circle_axis *x, int p)
{
  return x->dim[p] == CIRCLE_STANDS ? linear_constant(0) : linear_variable(x->dim[p]);
}

linear circle_step_of(const circle *c, int p) { return circle_along(&c->step, p); }

/* How far before its reader is what is read: index[from] - x[to], with both shifts. */
linear circle_ahead(const circle_read *r, const circle_axis *x)
{
  linear f = x->dim[r->from] == CIRCLE_STANDS ? linear_constant(0) : r->a->index[x->dim[r->from]];
  linear reader = circle_along(x, r->reader);
  linear_add(&f, &reader, -1);
  f.base += x->shift[r->from] - x->shift[r->reader];
  return f;
}

int64_t circle_lateness(const circle *c, const circle_read *r, const polyhedron *where)
{
  linear f = circle_ahead(r, &c->step);
  int64_t least;
  return polyhedron_least(where, &f, &least) && -least < CIRCLE_LATE ? num_max(0, -least) : CIRCLE_LATE;
}

int64_t circle_end(const circle *c, const circle_axis *x, bool hi)
{
  int64_t end = hi ? INT64_MIN : INT64_MAX;
  for (int p = 0; p < c->n; p++) {
    const cdag_box *h = &circle_array(c, p)->hull;
    int64_t at = (hi ? h->hi[x->dim[p]] : h->lo[x->dim[p]]) + x->shift[p];
    end = hi ? num_max(end, at) : num_min(end, at);
  }
  return end;
}

/* How far ahead each read lies at most, by the axes of what is read and of the reader, which stand or are an index. */
typedef struct {
  struct { bool asked, bounded; int64_t most; } of[CIRCLE_READS][CDAG_RANK + 1][CDAG_RANK + 1];
} aheads;

/* Each two axes are asked once, without their shifts. */
static bool most_ahead(const circle *c, aheads *known, int read, const circle_axis *x, int64_t *most)
{
  const circle_read *r = &c->read[read];
  int from = x->dim[r->from] - CIRCLE_STANDS, reader = x->dim[r->reader] - CIRCLE_STANDS;
  if (!known->of[read][from][reader].asked) {
    circle_axis unshifted = *x;
    memset(unshifted.shift, 0, sizeof unshifted.shift);
    linear f = circle_ahead(r, &unshifted);
    known->of[read][from][reader].bounded = polyhedron_most(r->a->where, &f, &known->of[read][from][reader].most);
    known->of[read][from][reader].asked = true;
  }
  *most = known->of[read][from][reader].most + x->shift[r->from] - x->shift[r->reader];
  return known->of[read][from][reader].bounded;
}

/* The least shifts with which nothing read lies ahead; false: none do. */
static bool find_shifts(const circle *c, aheads *known, circle_axis *x)
{
  memset(x->shift, 0, sizeof x->shift);
  for (int round = 0; round <= c->n; round++) {
    bool moved = false;
    for (int i = 0; i < c->reads; i++) {
      const circle_read *r = &c->read[i];
      int64_t most;
      if (r->from < 0)
        continue;
      if (!most_ahead(c, known, i, x, &most) || (most > FARTHEST && x->dim[r->reader] != CIRCLE_STANDS))
        return false;
      if (most > 0) {
        x->shift[r->reader] += most;
        moved = true;
      }
    }
    if (!moved)
      return true;
  }
  return false;
}

/* A statement beside the circle has all of its elements at one step, if it likes. */
static bool may_stand(const circle *c, int p)
{
  bool may = c->joined && !circle_in_parts(c);
  for (int i = 0; i < c->reads && may; i++)
    may = c->read[i].reader != p || c->read[i].from != p;
  return may;
}

/* How far ahead of each other's elements two members read at most, without shifts; INT64_MIN: neither reads the other.
   False: that has no end, or one of them goes ahead of itself by any shifts. */
static bool may_go_together(const circle *c, aheads *known, circle_axis *x, int p, int q)
{
  int64_t least[2] = { INT64_MIN, INT64_MIN };
  x->shift[p] = x->shift[q] = 0;
  for (int i = 0; i < c->reads; i++) {
    const circle_read *r = &c->read[i];
    bool back = r->reader == q && r->from == p;
    int64_t most;
    if (!back && !(r->reader == p && r->from == q))
      continue;
    if (!most_ahead(c, known, i, x, &most))
      return false;
    least[back] = num_max(least[back], most);
  }
  if (p == q)
    return least[1] <= 0;
  return least[0] == INT64_MIN || least[1] == INT64_MIN || least[0] + least[1] <= 0;
}

/* Do both give all elements the same places, and some by the same dimension?  Indices of a part may go together. */
static bool are_alike(const circle *c, const circle_axis *a, const circle_axis *b)
{
  bool alike = false;
  for (int p = 0; p < c->n; p++)
    alike = alike || a->dim[p] == b->dim[p];
  for (int p = 0; p < c->n && alike; p++) {
    linear f = circle_along(a, p), g = circle_along(b, p);
    f.base += a->shift[p] - b->shift[p];
    alike = linear_equal(&f, &g) || (linear_add(&f, &g, -1) && polyhedron_implies(circle_computed(c, p), &f, true));
  }
  return alike;
}

/* Members that have the dimension of another part of their array. */
static int count_agreeing(const circle *c, const circle_axis *x)
{
  int n = 0;
  for (int p = 0; p < c->n; p++)
    for (int q = 0; q < p; q++)
      n += x->dim[p] == x->dim[q] && strcmp(circle_array(c, p)->name, circle_array(c, q)->name) == 0;
  return n;
}

/* Of axes that are alike the one is kept whose dimensions agree most. */
static void keep_axis(circle *c, const circle_axis *x)
{
  for (int k = 0; k < c->axes; k++)
    if (are_alike(c, x, &c->axis[k])) {
      if (count_agreeing(c, x) > count_agreeing(c, &c->axis[k]))
        c->axis[k] = *x;
      return;
    }
  c->axis[c->axes++] = *x;
}

/* Of dimensions of member p that go together one will do: the first that a member behind it has there. */
static bool is_spare(const circle *c, const circle_axis *x, int p, int d)
{
  for (int q = c->n - 1; q > p; q--) {
    linear f = linear_variable(d), plain;
    int e = x->dim[q];
    if (e == d)
      return false;
    if (e != CIRCLE_STANDS && e < circle_rank(c, p) && circle_rank(c, q) == circle_rank(c, p) &&
        circle_is_variable(circle_computed(c, p), &f, e, &plain))
      return true;
  }
  return false;
}

/* Dimensions of members p, p - 1, .. 0, with those behind them given. */
static void list_axes_from(circle *c, aheads *known, circle_axis *x, int p, int *tries)
{
  if (p < 0) {
    circle_axis all = *x;
    if (find_shifts(c, known, &all))
      keep_axis(c, &all);
    --*tries;
    return;
  }
  int dims = circle_rank(c, p);
  for (int k = 0; k < dims + may_stand(c, p) && *tries > 0 && c->axes < CIRCLE_AXES; k++) {
    bool good = k == dims || !circle_in_parts(c) || !is_spare(c, x, p, k);
    x->dim[p] = k < dims ? k : CIRCLE_STANDS;
    for (int q = p; q < c->n && good; q++)
      good = may_go_together(c, known, x, p, q);
    if (good)
      list_axes_from(c, known, x, p - 1, tries);
  }
}

void circle_list_axes(circle *c)
{
  int tries = 2000;
  circle_axis x = { .dim = { 0 } };
  aheads *known = ARENA_NEW(&c->memory, aheads, 1);
  list_axes_from(c, known, &x, c->n - 1, &tries);
}

bool circle_same_axis(const circle *c, const circle_axis *a, const circle_axis *b)
{
  for (int p = 0; p < c->n; p++)
    if (a->dim[p] != b->dim[p])
      return false;
  return true;
}
