/* schedules/symbolic/cut.c -- the volume of a box that a slanted side cuts.

   A values of x[along] and B of x[across]; below the side x[across] < x[along] + by lie sum over u < A of min(max(u +
   h, 0), B) pairs, h the height of its corner.  The rows whose end the side is are those from u0, which is 0 when h >=
   0 and -h when h <= 1, up to u1: A when A + h <= B + 1, else B - h where h <= B + 1.  With g = A + h the sum is g (g -
   1)/2 in the first case, B (B - 1)/2 + (g - B) B in the second, less h (h - 1)/2 when u0 = 0. Which it is must be
   known for all values. */
#include "base/num.h"
#include "schedules/symbolic/internal.h"


bool region_cut(region *b, int along, int across, int64_t by, bool upper)
{
  if (b->cut) { /* the stricter of two parallel sides */
    b->by = upper ? num_min(b->by, by) : num_max(b->by, by);
    return b->along == along && b->across == across && b->upper == upper;
  }
  b->cut = true;
  b->along = along;
  b->across = across;
  b->by = by;
  b->upper = upper;
  return true;
}

/* ---- which edges the side meets ---- */

typedef struct { bool first, last; } edges;  /* h >= 0: it ends the first row; A + h <= B + 1: and the last */

/* x + by <= y: for the polynomials, or also as the values are here. */
static bool low_at_most(formula *f, const interval *x, int64_t by, const interval *y, bool here)
{
  return formula_at_most(f, x->lo, here ? &x->lo_span : NULL, by, y->lo, &y->lo_span);
}

static bool high_at_most(formula *f, const interval *x, int64_t by, const interval *y, bool here)
{
  return formula_at_most(f, x->hi, here ? &x->hi_span : NULL, by, y->hi, &y->hi_span);
}

/* What holds for the polynomials goes before what only the values here say. */
static bool edges_of(formula *f, const region *b, bool or_here, edges *e)
{
  const interval *p = &b->at[b->along], *r = &b->at[b->across];
  int64_t by = b->by;
  bool first = false, last = false;
  for (int here = 0; here <= or_here && !first; here++) {
    e->first = low_at_most(f, r, -by, p, here);
    first = e->first || low_at_most(f, p, by - 1, r, here);
  }
  for (int here = 0; here <= or_here && !last; here++) {
    e->last = high_at_most(f, p, by - 1, r, here);
    last = e->last || high_at_most(f, r, -by, p, here);
  }
  const span *low = or_here ? &p->lo_span : NULL, *low_r = or_here ? &r->lo_span : NULL;
  bool opposite = e->first == e->last || /* else h <= B + 1, or g >= 0 */
                  (e->first ? formula_at_most(f, p->lo, low, by - 1, r->hi, &r->hi_span)
                            : formula_at_most(f, r->lo, low_r, -by, p->hi, &p->hi_span));
  return first && last && opposite;
}

bool region_can_be_cut(formula *f, const region *b, int along, int across, int64_t by, bool upper)
{
  region with = *b;
  edges e;
  return region_cut(&with, along, across, by, upper) && edges_of(f, &with, false, &e);
}

/* x (x - 1)/2 */
static poly triangle(formula *f, poly x)
{
  return poly_scale(&f->world, poly_mul(&f->world, x, poly_shift(&f->world, x, -1)), 1, 2);
}

/* end - lo(x[across]) + by */
static poly height(formula *f, const region *b, poly end)
{
  return poly_shift(&f->world, poly_sub(&f->world, end, b->at[b->across].lo), b->by);
}

/* Pairs below the side. */
static bool pairs_below(formula *f, const region *b, poly *out)
{
  poly_world *w = &f->world;
  edges e;
  if (!edges_of(f, b, true, &e))
    return false;
  poly g = height(f, b, b->at[b->along].hi), extent = interval_extent(f, &b->at[b->across]);
  poly below = e.last ? triangle(f, g)
                      : poly_add(w, triangle(f, extent), poly_mul(w, poly_sub(w, g, extent), extent));
  *out = e.first ? poly_sub(w, below, triangle(f, height(f, b, b->at[b->along].lo))) : below;
  return true;
}

bool region_volume(formula *f, const region *b, int rank, poly *volume)
{
  poly_world *w = &f->world;
  *volume = poly_number(w, 1);
  if (b->cut && !pairs_below(f, b, volume))
    return false;
  if (b->cut && !b->upper)
    *volume = poly_sub(w, poly_mul(w, interval_extent(f, &b->at[b->along]), interval_extent(f, &b->at[b->across])),
                       *volume);
  for (int r = 0; r < rank; r++)
    if (!b->cut || (r != b->along && r != b->across))
      *volume = poly_mul(w, *volume, interval_extent(f, &b->at[r]));
  return true;
}
