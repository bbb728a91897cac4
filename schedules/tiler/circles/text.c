/* text.c -- the plan's loops as a schedule's text. */
#include "base/num.h"
#include "schedules/tiler/circles/print.h"
#include <inttypes.h>
#include <string.h>

/* The steps of these points in a tile. */
static void step_range(const circle_printer *w, int p, const polyhedron *on, int64_t *lo, int64_t *hi, int64_t *by_lo,
                       int64_t *by_hi)
{
  const circle *c = w->c;
  int s = c->step.dim[p];
  linear k = circle_step_of(c, p);
  const cdag_box *h = &circle_array(c, p)->hull;
  int64_t b;
  *lo = num_min(*lo, (s == CIRCLE_STANDS ? 0 : polyhedron_least(on, &k, &b) ? b : h->lo[s]) + c->step.shift[p]);
  *hi = num_max(*hi, (s == CIRCLE_STANDS ? 1 : polyhedron_most(on, &k, &b) ? b + 1 : h->hi[s]) + c->step.shift[p]);
  for (int t = 0; t < c->tiles; t++) {
    linear x = linear_variable(c->tile[t].dim[p]), f = k;
    linear_add(&f, &x, -1);
    int64_t by = c->step.shift[p] - c->tile[t].shift[p];
    by_lo[t] = polyhedron_least(on, &f, &b) && by_lo[t] > INT64_MIN ? num_min(by_lo[t], b + by) : INT64_MIN;
    by_hi[t] = polyhedron_most(on, &f, &b) && by_hi[t] < INT64_MAX ? num_max(by_hi[t], b + by) : INT64_MAX;
  }
}

static int64_t least_until(const circle_printer *w)
{
  int64_t least = INT64_MAX;
  for (int t = 0; t < w->c->tiles; t++)
    least = num_min(least, w->until[t]);
  return least;
}

/* Does a tile's lower end say as much as this number? */
static bool fits_early(const circle_printer *w, int64_t hi)
{
  for (int t = 0; t < w->c->tiles; t++)
    if (w->until[t] < INT64_MAX && circle_end(w->c, &w->c->tile[t], true) - 1 + w->until[t] <= hi)
      return true;
  return false;
}

/* Do steps begin, or end, where tiles do? */
static bool begins_with(const circle_printer *w, int t)
{
  return w->by_lo[t] > INT64_MIN && circle_end(w->c, &w->c->tile[t], true) - 1 + w->by_lo[t] > w->lo;
}

static bool ends_with(const circle_printer *w, int t)
{
  return w->by_hi[t] < INT64_MAX && circle_end(w->c, &w->c->tile[t], false) + w->by_hi[t] + 1 < w->hi;
}

/* Of the steps all, the plain ones, those behind them and those before. */
typedef enum { ALL_STEPS, PLAIN_STEPS, STEPS_BEHIND, STEPS_BEFORE } step_part;

/* Plain steps begin behind some tiles. */
static void add_since(const circle_printer *w, step_part part, circle_ends *e)
{
  const circle *c = w->c;
  circle_ends late = { .plain = false };
  for (int t = 0; t < c->tiles; t++)
    if (w->since[t] > INT64_MIN)
      circle_add_tile(w, part == STEPS_BEFORE ? &late : e, part == STEPS_BEFORE, t, true, w->since[t]);
  if (late.his) {
    text_add(&e->hi, e->his++ ? ", " : "");
    text_printf(&e->hi, late.his > 1 ? "max(%s)" : "%s", text_str(&late.hi));
  }
  circle_clear_ends(&late);
}

static void step_ends(const circle_printer *w, step_part part, int64_t lo, int64_t hi, const int64_t *by_lo,
                      const int64_t *by_hi, circle_ends *e)
{
  const circle *c = w->c;
  bool plain = part == PLAIN_STEPS;
  circle_ends early = { .plain = false };
  for (int t = 0; t < c->tiles && (plain || part == STEPS_BEHIND); t++)
    if (w->until[t] < INT64_MAX)
      circle_add_tile(w, plain ? e : &early, true, t, false, w->until[t]);
  if (early.his) {
    text_add(&e->lo, early.his > 1 ? "min(" : "");
    text_printf(&e->lo, "%s%s", text_str(&early.hi), early.his > 1 ? ")" : "");
    e->los++;
  }
  if (early.his == 0 || circle_origin(c) + least_until(w) < lo)
    circle_add_end(e, false, "", lo);
  if (!plain || !fits_early(w, hi))
    circle_add_end(e, true, "", hi);
  if (part != ALL_STEPS)
    add_since(w, part, e);
  for (int t = 0; t < c->tiles; t++) {
    if (by_lo[t] > INT64_MIN && circle_end(c, &c->tile[t], true) - 1 + by_lo[t] > lo &&
        !(plain && w->since[t] >= by_lo[t]))
      circle_add_tile_end(w, e, false, t, by_lo[t]);
    if (by_hi[t] < INT64_MAX && circle_end(c, &c->tile[t], false) + by_hi[t] + 1 < hi &&
        !(plain && by_hi[t] + 1 >= w->until[t]))
      circle_add_tile_end(w, e, true, t, by_hi[t]);
  }
  circle_clear_ends(&early);
}

static void print_step_loop(const circle_printer *w, step_part part, int64_t lo, int64_t hi, const int64_t *by_lo,
                            const int64_t *by_hi, text *out)
{
  circle_ends e = { .plain = false };
  step_ends(w, part, lo, hi, by_lo, by_hi, &e);
  text_printf(out, "for %s in ", w->name->step);
  circle_print_end(out, &e, false, "");
  text_add(out, "..");
  circle_print_end(out, &e, true, "");
  text_add(out, " {\n");
  circle_clear_ends(&e);
}

static void find_steps(circle_printer *w)
{
  w->lo = INT64_MAX;
  w->hi = INT64_MIN;
  for (int t = 0; t < CIRCLE_TILES; t++) {
    w->by_lo[t] = INT64_MAX;
    w->by_hi[t] = -INT64_MAX;
  }
  for (int p = 0; p < w->c->n; p++)
    step_range(w, p, circle_computed(w->c, p), &w->lo, &w->hi, w->by_lo, w->by_hi);
}

/* Which steps need not ask?  The conditions that are printed there say. */
static void find_plain(circle_printer *w)
{
  text *out = w->out, scratch = { 0 };
  int64_t until[CIRCLE_TILES], since[CIRCLE_TILES];
  w->out = &scratch;
  do {
    memcpy(until, w->until, sizeof until);
    memcpy(since, w->since, sizeof since);
    w->plain = true;
    circle_list_ops(w);
    circle_put_step(w, 0);
  } while (memcmp(until, w->until, sizeof until) != 0 || memcmp(since, w->since, sizeof since) != 0);
  text_clear(&scratch);
  w->out = out;
}

static void put_part(circle_printer *w, step_part part, int depth)
{
  w->plain = part == PLAIN_STEPS;
  circle_list_ops(w);
  text_printf(w->out, "%*s", 2 * depth, "");
  print_step_loop(w, part, w->lo, w->hi, w->by_lo, w->by_hi, w->out);
  circle_put_step(w, depth + 1);
  text_printf(w->out, "%*s}\n", 2 * depth, "");
}

static void put_steps(circle_printer *w, int depth)
{
  bool before = false, behind = false;
  for (int t = 0; t < w->c->tiles; t++) {
    behind = behind || w->until[t] < INT64_MAX;
    before = before || w->since[t] > INT64_MIN;
  }
  if (before)
    put_part(w, STEPS_BEFORE, depth);
  if (before || behind)
    put_part(w, PLAIN_STEPS, depth);
  if (behind || !before)
    put_part(w, STEPS_BEHIND, depth);
  w->plain = false;
}

/* What the last steps have left for those behind them. */
static void put_late(circle_printer *w, int depth, const circle_piece *x)
{
  circle_ends e = { .plain = false };
  step_ends(w, STEPS_BEHIND, w->lo, w->hi, w->by_lo, w->by_hi, &e);
  text_printf(w->out, "%*sfor %s in ", 2 * depth, "", w->name->step);
  circle_print_end(w->out, &e, true, "");
  text_add(w->out, "..");
  circle_print_end(w->out, &e, true, "");
  text_printf(w->out, " + %" PRId64 " {\n", x->late);
  circle_drop_piece(w, depth + 1, x);
  text_printf(w->out, "%*s}\n", 2 * depth, "");
  circle_clear_ends(&e);
}

/* At the end of a tile what stayed goes: at once where its step is of the tile, else step by step. */
static void put_end(circle_printer *w, int depth)
{
  for (int i = 0; i < w->pieces; i++) {
    const circle_piece *x = &w->piece[i];
    int64_t lo = INT64_MAX, hi = INT64_MIN, by_lo[CIRCLE_TILES] = { INT64_MAX, INT64_MAX },
            by_hi[CIRCLE_TILES] = { -INT64_MAX, -INT64_MAX };
    if (x->late > 0 && x->late < CIRCLE_LATE)
      put_late(w, depth, x);
    if (x->late < CIRCLE_LATE || x->taken)
      continue;
    if (circle_tiled(w->c, x->member, w->c->step.dim[x->member])) {
      text box = { 0 };
      circle_print_own(w, x->member, x->p, false, &box);
      circle_put_move(w, depth, "", "drop", text_str(&box));
      text_clear(&box);
      continue;
    }
    step_range(w, x->member, x->p, &lo, &hi, by_lo, by_hi);
    text_printf(w->out, "%*s", 2 * depth, "");
    print_step_loop(w, ALL_STEPS, lo, hi, by_lo, by_hi, w->out);
    circle_put_piece(w, depth + 1, x, "drop");
    text_printf(w->out, "%*s}\n", 2 * depth, "");
  }
}

/* The tiles along the second axis that have anything in them go with those along the first. */
static void put_tile_loop(const circle_printer *w, int t)
{
  const circle *c = w->c;
  bool below = t > 0, above = t > 0;
  circle_ends e = { .plain = false };
  for (int p = 0; p < c->n && t > 0; p++) {
    linear f = linear_variable(c->tile[0].dim[p]), x = linear_variable(c->tile[1].dim[p]), back = linear_constant(0);
    linear_add(&f, &x, -1);
    f.base = c->tile[0].shift[p] - c->tile[1].shift[p];
    linear_add(&back, &f, -1);
    below = below && polyhedron_implies(circle_computed(c, p), &f, false);
    above = above && polyhedron_implies(circle_computed(c, p), &back, false);
  }
  text_printf(w->out, "%*sfor %s in ", 2 * t, "", w->name->tile[t]);
  if (above)
    circle_add_tile_end(w, &e, false, 0, 0);
  else
    circle_add_end(&e, false, "", circle_origin(c));
  if (below)
    circle_add_tile_end(w, &e, true, 0, 0);
  else
    circle_add_end(&e, true, "", circle_end(c, &c->tile[t], true));
  text_printf(w->out, "%s..%s by %s {\n", text_str(&e.lo), text_str(&e.hi), w->name->length);
  circle_clear_ends(&e);
}

bool circle_print(circle *c, const circle_names *names, text *out)
{
  circle_printer w = { .c = c, .name = names, .out = out, .told = true, .walked = -1 };
  find_steps(&w);
  for (int t = 0; t < CIRCLE_TILES; t++) {
    w.past[t] = t < c->tiles && begins_with(&w, t) && !ends_with(&w, t);
    w.until[t] = INT64_MAX;
    w.since[t] = INT64_MIN;
  }
  circle_list_pieces(&w);
  circle_list_ops(&w); /* and what they want of plain steps */
  for (int i = 0; i < w.pieces; i++)
    circle_comes_later(&w, &w.piece[i]);
  find_plain(&w);
  for (int t = 0; t < c->tiles; t++)
    put_tile_loop(&w, t);
  put_steps(&w, c->tiles);
  put_end(&w, c->tiles);
  for (int t = c->tiles - 1; t >= 0; t--)
    text_printf(out, "%*s}\n", 2 * t, "");
  for (int i = 0; i < w.ops; i++)
    circle_clear_op(&w.op[i]);
  return w.told && (w.streamed || !c->hold);
}
