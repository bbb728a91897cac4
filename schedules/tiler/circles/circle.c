/* circle.c -- the plan: which axes are cut into tiles, and which is the step. */
#include "schedules/tiler/circles/internal.h"
#include <math.h>
#include <string.h>

bool circle_tiled(const circle *c, int p, int v)
{
  for (int t = 0; t < c->tiles; t++)
    if (c->tile[t].dim[p] == v)
      return true;
  return false;
}

bool circle_is_single(const polyhedron *where, const linear *f, int64_t *value)
{
  int64_t most;
  return polyhedron_span(where, f, value, &most) && *value == most;
}

bool circle_is_variable(const polyhedron *where, const linear *f, int v, linear *plain)
{
  linear rest = *f;
  int64_t value;
  if (v >= 0)
    rest.coef[v]--;
  if (!circle_is_single(where, &rest, &value))
    return false;
  *plain = v < 0 ? linear_constant(0) : linear_variable(v);
  plain->base = value;
  return true;
}

int circle_member(const circle *c, int array)
{
  for (int p = 0; p < c->n; p++)
    if (c->member[p] == array)
      return p;
  return -1;
}

bool circle_begin(circle *c, const normal_form *f, const int *array, int n, bool joined)
{
  *c = (circle){ .f = f, .n = n, .joined = joined };
  if (n > CIRCLE_MEMBERS)
    return false;
  memcpy(c->member, array, (size_t)n * sizeof *array);
  if (!circle_list_reads(c))
    return false;
  circle_list_axes(c);
  return true;
}

static bool plan_fits(circle *c, double m)
{
  if (!circle_find_order(c) || !circle_find_places(c))
    return false;
  circle_find_takers(c);
  for (int i = 0; i < c->reads; i++)
    c->read[i].begins = circle_begins(c, &c->read[i]);
  if (!circle_fit_length(c, m) || (circle_leave_first_words(c) && !circle_fit_length(c, m)))
    return false;
  c->io = circle_io_of(c);
  return !c->streams || circle_fit_rows(c, m);
}

typedef struct {
  int step, tile[CIRCLE_TILES];
  double io;
} plan; /* axes; the same one twice: tiles along it alone; -1: none, all is one tile */

/* Does no bound of any member name that axis and another index? */
static bool is_free(const circle *c, const circle_axis *x)
{
  for (int p = 0; p < c->n; p++) {
    const polyhedron *on = circle_computed(c, p);
    for (int i = 0; i < on->n; i++)
      for (int v = 0; v < on->vars; v++)
        if (v != x->dim[p] && on->row[i].form.coef[v] && on->row[i].form.coef[x->dim[p]])
          return false;
  }
  return true;
}

/* Tiles along a free axis are alike, and soon judged where they follow one another. */
static void put_free_axis_last(circle *c)
{
  if (c->tiles < 2 || !is_free(c, &c->tile[0]) || is_free(c, &c->tile[1]))
    return;
  circle_axis x = c->tile[0];
  c->tile[0] = c->tile[1];
  c->tile[1] = x;
}

static bool any_stands(const circle *c, const circle_axis *x)
{
  bool any = false;
  for (int p = 0; p < c->n; p++)
    any = any || x->dim[p] == CIRCLE_STANDS;
  return any;
}

static bool go_together(const circle *c, int p, int u, int v)
{
  linear f = linear_variable(u), plain;
  return v >= 0 && (u == v || circle_is_variable(circle_computed(c, p), &f, v, &plain));
}

/* Has a part two indices that go together, and no step says them?  A box would hold more, which other parts have. */
static bool is_aslant(const circle *c)
{
  bool any = false;
  for (int p = 0; p < c->n && circle_in_parts(c); p++)
    for (int u = 0; u < circle_rank(c, p); u++)
      for (int v = 0; v < u && !any; v++)
        any = go_together(c, p, u, v) && !go_together(c, p, u, c->step.dim[p]);
  return any;
}

static bool take_plan(circle *c, const plan *p, double m)
{
  if (c->seen != p->step + 1) {
    c->seen = p->step + 1;
    c->step = c->axis[p->step];
    circle_find_steps(c);
  }
  c->tiles = p->tile[0] < 0 ? 0 : p->tile[0] == p->tile[1] ? 1 : 2;
  for (int t = 0; t < CIRCLE_TILES && c->tiles; t++)
    c->tile[t] = c->axis[p->tile[t]];
  for (int t = 0; t < c->tiles; t++)
    if (circle_same_axis(c, &c->tile[t], &c->step) || any_stands(c, &c->tile[t]))
      return false;
  if (is_aslant(c))
    return false;
  put_free_axis_last(c);
  return plan_fits(c, m);
}

/* The best ones, ascending by what they are expected to move. */
static int list_plans(circle *c, double m, plan *best)
{
  int n = 0;
  for (int s = 0; s < c->axes; s++)
    for (int i = 0; i < c->axes; i++)
      for (int k = i; k < c->axes; k++) {
        plan p = { s, { i, k }, 0 };
        if (!take_plan(c, &p, m))
          continue;
        p.io = c->io;
        int at = n < CIRCLE_PLANS ? n++ : CIRCLE_PLANS;
        for (; at > 0 && best[at - 1].io > p.io; at--)
          if (at < CIRCLE_PLANS)
            best[at] = best[at - 1];
        if (at < CIRCLE_PLANS)
          best[at] = p;
      }
  return n;
}

static bool take_best(circle *c, double m, int which)
{
  plan best[CIRCLE_PLANS];
  if (which >= list_plans(c, m, best) || !take_plan(c, &best[which], m))
    return false;
  circle_place_short_tile(c);
  return true;
}

bool circle_init(circle *c, const normal_form *f, const int *array, int n, double m, bool split, int which)
{
  return circle_begin(c, f, array, n, false) && (!split || circle_split_reads(c)) && take_best(c, m, which);
}

bool circle_join(circle *c, const normal_form *f, const int *array, int n, double m)
{
  return circle_begin(c, f, array, n, true) && take_best(c, m, 0);
}

bool circle_whole(circle *c, const normal_form *f, const int *array, int n, double m)
{
  plan best = { .io = INFINITY };
  bool good = circle_begin(c, f, array, n, false);
  for (int s = 0; good && s < c->axes; s++) {
    plan p = { s, { -1, -1 }, 0 };
    if (take_plan(c, &p, m) && c->io < best.io) {
      best = p;
      best.io = c->io;
    }
  }
  return isfinite(best.io) && take_plan(c, &best, m);
}

bool circle_stream(circle *c, const normal_form *f, const int *array, int n, double m)
{
  bool good = circle_begin(c, f, array, n, false);
  c->streams = true;
  return good && take_best(c, m, 0);
}

void circle_clear(circle *c) { arena_clear(&c->memory); }
