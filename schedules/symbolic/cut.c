/* schedules/symbolic/cut.c -- the volume of a box that a slanted side cuts.

   A values of x[along] and B of x[across]; below the side x[across] < x[along] + by lie sum over u < A of min(max(u +
   h, 0), B) pairs, h the height of its corner.  The rows whose end the side is are those from u0, which is 0 when h >=
   0 and -h when h <= 1, up to u1: A when A + h <= B + 1, else B - h where h <= B + 1.  With g = A + h the sum is g (g -
   1)/2 in the first case, B (B - 1)/2 + (g - B) B in the second, less h (h - 1)/2 when u0 = 0. Which it is must be
   known for all values. */
#include "base/num.h"
#include "schedules/symbolic/internal.h"

void region_clear(region *b)
{
  for (int r = 0; r < CDAG_RANK; r++)
    interval_clear(&b->at[r]);
}

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
  return formula_at_most(f, &x->lo, here ? &x->lo_span : NULL, by, &y->lo, &y->lo_span);
}

static bool high_at_most(formula *f, const interval *x, int64_t by, const interval *y, bool here)
{
  return formula_at_most(f, &x->hi, here ? &x->hi_span : NULL, by, &y->hi, &y->hi_span);
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
                  (e->first ? formula_at_most(f, &p->lo, low, by - 1, &r->hi, &r->hi_span)
                            : formula_at_most(f, &r->lo, low_r, -by, &p->hi, &p->hi_span));
  return first && last && opposite;
}

bool region_can_be_cut(formula *f, const region *b, int along, int across, int64_t by, bool upper)
{
  region with = *b; /* borrows its polynomials */
  edges e;
  return region_cut(&with, along, across, by, upper) && edges_of(f, &with, false, &e);
}

/* to += x (x - 1)/2 num */
static void add_triangle(formula *f, poly *to, const poly *x, int64_t num)
{
  poly square = { 0 };
  poly_copy(&square, x);
  poly_multiply(&f->world, &square, x);
  poly_add(&f->world, &square, x, -1, 1);
  poly_add(&f->world, to, &square, num, 2);
  poly_clear(&square);
}

/* end - lo(x[across]) + by */
static void height(formula *f, const region *b, const poly *end, poly *out)
{
  poly by = { 0 };
  poly_set(&by, b->by);
  poly_copy(out, end);
  poly_add(&f->world, out, &b->at[b->across].lo, -1, 1);
  poly_add(&f->world, out, &by, 1, 1);
  poly_clear(&by);
}

/* Pairs below the side. */
static bool pairs_below(formula *f, const region *b, poly *out)
{
  edges e;
  poly g = { 0 }, h = { 0 }, extent = { 0 };
  if (!edges_of(f, b, true, &e))
    return false;
  height(f, b, &b->at[b->along].lo, &h);
  height(f, b, &b->at[b->along].hi, &g);
  interval_extent(f, &b->at[b->across], &extent);
  poly_set(out, 0);
  add_triangle(f, out, e.last ? &g : &extent, 1);
  if (!e.last) {
    poly_add(&f->world, &g, &extent, -1, 1);
    poly_multiply(&f->world, &g, &extent);
    poly_add(&f->world, out, &g, 1, 1);
  }
  if (e.first)
    add_triangle(f, out, &h, -1);
  poly_clear(&g);
  poly_clear(&h);
  poly_clear(&extent);
  return true;
}

static void multiply_extents(formula *f, const region *b, int rank, poly *volume)
{
  poly e = { 0 };
  for (int r = 0; r < rank; r++)
    if (!b->cut || (r != b->along && r != b->across)) {
      interval_extent(f, &b->at[r], &e);
      poly_multiply(&f->world, volume, &e);
    }
  poly_clear(&e);
}

bool region_volume(formula *f, const region *b, int rank, poly *volume)
{
  poly below = { 0 }, all = { 0 };
  poly_set(volume, 1);
  if (b->cut && !pairs_below(f, b, volume))
    return false;
  if (b->cut && !b->upper) {
    poly_copy(&below, volume);
    interval_extent(f, &b->at[b->along], volume);
    interval_extent(f, &b->at[b->across], &all);
    poly_multiply(&f->world, volume, &all);
    poly_add(&f->world, volume, &below, -1, 1);
  }
  multiply_extents(f, b, rank, volume);
  poly_clear(&below);
  poly_clear(&all);
  return true;
}
