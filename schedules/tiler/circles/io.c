/* io.c -- what a plan is expected to move. */
#include "schedules/tiler/circles/internal.h"
#include <math.h>

/* What the reader's dimensions that name nothing of what is read come to, in one step of a tile or altogether. */
static double unnamed(const circle *c, const circle_read *r, bool tile)
{
  double z = 1;
  for (int v = 0; v < circle_rank(c, r->reader); v++) {
    bool named = false;
    for (int q = 0; q < c->f->array[r->a->to].rank; q++)
      named |= r->a->index[q].coef[v] != 0;
    z *= named ? 1 : tile ? circle_values(c, r->reader, v, false) : circle_extent(c, r->reader, v);
  }
  return z;
}

/* Are there no elements of both readers at one step and one place of all tiles? */
static bool never_meet(circle *c, const circle_read *r, const circle_read *b)
{
  int shift;
  polyhedron *both = polyhedron_beside(&c->memory, r->a->where, b->a->where, &shift);
  for (int t = 0; t <= c->tiles; t++) {
    const circle_axis *x = t < c->tiles ? &c->tile[t] : &c->step;
    linear f = circle_along(x, r->reader), g = linear_constant(x->shift[b->reader]);
    f.base += x->shift[r->reader];
    if (x->dim[b->reader] != CIRCLE_STANDS)
      g.coef[x->dim[b->reader] + shift] = 1;
    polyhedron_same(&c->memory, both, &f, &g);
  }
  return polyhedron_empty(both);
}

/* Does it name what another member reads too, at the same step of the same tile? */
static bool comes_with(circle *c, const circle_read *r, const circle_read *b)
{
  bool more = b->times > r->times || (b->times == r->times && b < r);
  if (!more || b->a->to != r->a->to || b->reader == r->reader || c->step.dim[b->reader] != c->step.dim[r->reader] ||
      c->step.shift[b->reader] != c->step.shift[r->reader])
    return false;
  for (int t = 0; t < c->tiles; t++)
    if (c->tile[t].dim[b->reader] != c->tile[t].dim[r->reader])
      return false;
  for (int q = 0; q < c->f->array[r->a->to].rank; q++)
    if (!linear_equal(&b->a->index[q], &r->a->index[q]))
      return false;
  return !never_meet(c, r, b);
}

static bool is_taken(const circle *c, int p)
{
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p && c->read[i].takes)
      return true;
  return false;
}

double circle_io_of(circle *c)
{
  double sum = 0, stored[CIRCLE_MEMBERS] = { 0 };
  for (int i = 0; i < c->reads; i++) {
    const circle_read *r = &c->read[i];
    bool with = false;
    for (int k = 0; k < c->reads; k++)
      with = with || comes_with(c, r, &c->read[k]);
    if (!r->inside && !with)
      sum += r->times / unnamed(c, r, true);
    if (!r->inside && r->from >= 0)
      stored[r->from] = fmax(stored[r->from], r->times / unnamed(c, r, false));
  }
  for (int p = 0; p < c->n; p++)
    sum += stored[p] > 0 && !is_taken(c, p) ? c->elements[p] : fmax(stored[p], c->outputs[p]);
  return sum;
}
