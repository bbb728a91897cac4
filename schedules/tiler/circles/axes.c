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
  bool may = c->joined;
  for (int i = 0; i < c->reads && may; i++)
    may = c->read[i].reader != p || c->read[i].from != p;
  return may;
}

void circle_list_axes(circle *c)
{
  enum { TRIES = 2000 };
  circle_axis x = { .dim = { 0 } };
  aheads *known = ARENA_NEW(&c->memory, aheads, 1);
  for (int tries = 0; tries < TRIES && c->axes < CIRCLE_AXES; tries++) {
    if (find_shifts(c, known, &x))
      c->axis[c->axes++] = x;
    int p = 0;
    while (p < c->n && (x.dim[p] == CIRCLE_STANDS || ++x.dim[p] == circle_rank(c, p))) {
      bool standing = x.dim[p] != CIRCLE_STANDS && may_stand(c, p);
      x.dim[p] = standing ? CIRCLE_STANDS : 0;
      if (standing)
        break;
      p++;
    }
    if (p == c->n)
      return;
  }
}

bool circle_same_axis(const circle *c, const circle_axis *a, const circle_axis *b)
{
  for (int p = 0; p < c->n; p++)
    if (a->dim[p] != b->dim[p])
      return false;
  return true;
}
