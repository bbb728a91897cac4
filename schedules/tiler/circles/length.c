/* length.c -- how long a tile may be. */
#include "base/num.h"
#include "schedules/tiler/circles/internal.h"
#include <math.h>
#include <string.h>

double circle_extent(const circle *c, int p, int d)
{
  const cdag_box *h = &circle_array(c, p)->hull;
  return (double)(h->hi[d] - h->lo[d]);
}

double circle_values(const circle *c, int p, int d, bool all_steps)
{
  if (c->step.dim[p] == d && !all_steps)
    return 1;
  return circle_tiled(c, p, d) ? fmin((double)c->length, circle_extent(c, p, d)) : circle_extent(c, p, d);
}

/* Words of a read's box in one step. */
static double box_words(const circle *c, const circle_read *r)
{
  double z = 1;
  for (int v = 0; v < circle_rank(c, r->reader); v++)
    for (int q = 0; q < c->f->array[r->a->to].rank; q++)
      if (r->a->index[q].coef[v]) {
        z *= r->told >> v & 1 ? 1 : circle_values(c, r->reader, v, false);
        break;
      }
  return z;
}

/* Does one step's part of member p take the place of the step's before? */
static bool is_in_place(const circle *c, int p)
{
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p && c->read[i].reader == p && c->read[i].takes && !c->read[i].same_step)
      return true;
  return false;
}

/* How many steps later is any of it read? */
static int64_t lateness(const circle *c, int p)
{
  int64_t late = 0;
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p)
      late = num_max(late, c->read[i].late);
  return late;
}

/* What is taken along a dimension of the reader's own box is there at its last value only. */
static bool passes_along(const circle *c, int p, int d)
{
  linear own = linear_variable(d);
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p && c->read[i].reader == p && c->read[i].takes && c->read[i].same_step &&
        !linear_equal(&c->read[i].a->index[d], &own))
      return true;
  return false;
}

/* Words that member p leaves on chip at the end of a tile. */
static double kept_words(const circle *c, int p)
{
  int64_t late = lateness(c, p);
  bool fresh = late && !is_in_place(c, p), all = fresh && late == CIRCLE_LATE, passing = false;
  double z = 1;
  for (int d = 0; d < circle_rank(c, p); d++)
    if (passes_along(c, p, d))
      passing = true;
    else if (circle_tiled(c, p, d) || all || c->step.dim[p] != d)
      z *= circle_values(c, p, d, true);
    else if (fresh)
      z *= fmin((double)late + 1, circle_extent(c, p, d));
  return passing && !late ? 0 : z;
}

/* Is it what another member's elements take the place of?  Those are not there yet. */
static bool comes_for(const circle *c, const circle_read *r)
{
  bool found = false;
  for (int i = 0; i < c->reads && c->streams && r->once; i++)
    found = found || (c->read[i].begins && c->read[i].once && c->read[i].a->to == r->a->to &&
                      c->read[i].reader != r->reader && box_words(c, &c->read[i]) >= box_words(c, r));
  return found;
}

/* Rows that stay in any case: one; there is another one that is on its way. */
enum { CIRCLE_HELD = 1 };

static bool same_array(const circle *c, int p, int q)
{
  return strcmp(circle_array(c, p)->name, circle_array(c, q)->name) == 0;
}

/* Do the elements of a read take the place of what it reads, while nothing of their own array is there? */
static bool takes_alone(const circle *c, const circle_read *r)
{
  bool alone = r->from >= 0 && r->takes;
  for (int i = 0; i < c->reads && alone && !r->once; i++)
    alone = c->read[i].from < 0 || !same_array(c, c->read[i].reader, r->reader) ||
            !same_array(c, c->read[i].from, r->reader);
  return alone;
}

/* Have elements of two members the same places on chip? */
static bool share_places(const circle *c, int p, int q)
{
  bool share = same_array(c, p, q);
  for (int i = 0; i < c->reads && !share; i++) {
    const circle_read *r = &c->read[i];
    share = takes_alone(c, r) && ((r->from == p && r->reader == q) || (r->from == q && r->reader == p));
  }
  return share;
}

/* Of parts that are joined each array has a tile, unless it takes another's places. */
static double joined_words(const circle *c)
{
  int place[CIRCLE_MEMBERS];
  double most[CIRCLE_MEMBERS] = { 0 }, sum = 0;
  for (int p = 0; p < c->n; p++) {
    place[p] = p;
    for (int q = 0; q < p; q++)
      for (int o = place[q], k = 0; k <= p && place[p] != o && share_places(c, p, q); k++)
        place[k] = place[k] == o ? place[p] : place[k];
  }
  for (int p = 0; p < c->n; p++)
    most[place[p]] = fmax(most[place[p]], kept_words(c, p));
  for (int p = 0; p < c->n; p++)
    sum += most[p];
  return sum;
}

static double peak_of(const circle *c)
{
  double kept = 0, most = 0;
  for (int p = 0; p < c->n; p++) {
    double once = 1, often = 1;
    kept = fmax(kept, kept_words(c, p));
    for (int i = 0; i < c->reads; i++)
      if (c->read[i].reader == p && !c->read[i].inside && !(c->read[i].takes && c->read[i].once) &&
          !c->read[i].begins && !comes_for(c, &c->read[i])) {
        int64_t end;
        double rows = circle_rows_of(c, &c->read[i], &end);
        *(c->read[i].once ? &once : &often) += box_words(c, &c->read[i]) * (rows > 1 ? (CIRCLE_HELD + 1) / rows : 1);
      }
    most = fmax(most, fmax(once, often));
  }
  return (c->joined && circle_in_parts(c) ? joined_words(c) : kept) + most;
}

/* Elements whose place along the axis is one of so many last ones, or first ones. */
static double elements_beside(circle *c, const circle_axis *x, bool last, int64_t many)
{
  double sum = 0;
  for (int p = 0; p < c->n; p++) {
    polyhedron *on = polyhedron_copy(&c->memory, circle_computed(c, p));
    linear f = linear_constant(0), place = circle_along(x, p);
    place.base += x->shift[p];
    linear_add(&f, &place, last ? 1 : -1);
    f.base += last ? many - circle_end(c, x, true) : circle_end(c, x, false) + many - 1;
    polyhedron_add(&c->memory, on, &f, false);
    sum += circle_points(on, 0);
  }
  return sum;
}

void circle_place_short_tile(circle *c)
{
  int64_t lo = INT64_MAX, hi = circle_end(c, &c->tile[0], true);
  double fewer = 0;
  for (int t = 0; t < c->tiles; t++)
    lo = num_min(lo, circle_end(c, &c->tile[t], false));
  int64_t rest = (hi - lo) % c->length;
  c->early = 0;
  for (int t = 0; t < c->tiles && rest; t++) {
    if (circle_end(c, &c->tile[t], true) != hi)
      return;
    fewer += elements_beside(c, &c->tile[t], true, rest) - elements_beside(c, &c->tile[t], false, rest);
  }
  c->early = fewer > 0 ? c->length - rest : 0;
}

bool circle_fit_length(circle *c, double m)
{
  int64_t least = 0, most = 1;
  for (int p = 0; p < c->n; p++)
    for (int d = 0; d < circle_rank(c, p); d++)
      most = num_max(most, (int64_t)circle_extent(c, p, d));
  while (least < most) {
    c->length = most - (most - least) / 2;
    if (peak_of(c) <= m)
      least = c->length;
    else
      most = c->length - 1;
  }
  c->length = least;
  return least > 0;
}

bool circle_leave_first_words(circle *c)
{
  enum { MANY = 16, LARGE = 64 };
  bool few = false, any = false;
  for (int t = 0; t < c->tiles && c->length > LARGE; t++)
    for (int p = 0; p < c->n; p++)
      few = few || circle_extent(c, p, c->tile[t].dim[p]) < (double)(MANY * c->length);
  for (int i = 0; i < c->reads && few; i++) {
    circle_read *r = &c->read[i];
    if (r->begins && !r->once) {
      r->takes = r->begins = false;
      any = true;
    }
  }
  return any;
}

bool circle_fit_rows(circle *c, double m)
{
  double words = 0, most = 0;
  c->hold = 0;
  for (int i = 0; i < c->reads; i++) {
    int64_t end;
    double rows = circle_rows_of(c, &c->read[i], &end);
    if (rows > 1) {
      words = fmax(words, box_words(c, &c->read[i]) / rows);
      most = fmax(most, rows);
      c->hold = end;
    }
  }
  double room = words > 0 ? CIRCLE_HELD + floor((m - peak_of(c)) / words) : most;
  c->hold -= (int64_t)fmin(room, most);
  return room < most;
}
