/* pebble/tile/lean.c -- red sets whose rows begin and end farther on with every step (docs/tile-engine.md, "Leaning
   ends").

   In a strip of a stencil in the plane the row of step s holds columns lo + s <= j < hi - s: a box for each s, though
   all are one shape.  Of a set that is kept sheared (pebble/tile/sets.c) the ends of one more index may lean: a box
   then has, at value s of `along`, the columns from lo + lower s to hi + upper s, cut to the domain.  Where a row
   begins or ends with the domain nobody can tell how it would lean beyond: the end is kept TILE_FAR.

   A question has one value of `along`, and is compared with each box as it is there.  The list is gone through from end
   to end: it is short, or the ends do not lean so. */
#include "pebble/tile/internal.h"
#include <assert.h>

typedef struct {
  tile_game *t;
  int array, rank, along, side;
  int64_t lower, upper;        /* by how much the ends lie farther at the level of the question */
  const cdag_box *hull;
  pebble_tiles *set;
  cdag_box b;                  /* the question, in the names of the list but for its ends */
} leaning;

void tile_lay_leaning(pebble_game *game, int array, int side, int lower, int upper)
{
  tile_game *t = (tile_game *)game;
  tile_array *a = &t->array[array];
  const cdag_box *hull = &t->rules.rule[array].hull;
  int along = a->red_shear.along;
  if (!a->red_shear.slope || side == along || side == a->red_shear.across)
    return;
  for (int r = 0; r < t->rules.rule[array].rank; r++)
    if ((r == side || r == along) && !tile_has_room(hull, r))
      return;
  a->red_lean = (tile_lean){ true, lower == upper, side, lower, upper };
}

/* Where the ends of the box lie, had it been at level 0: they are compared with low ends, or with high ends, of the
 * list. */
static void log_ends(const leaning *l)
{
  tile_log *log = l->t->log;
  int low = tile_red_group(l->t, l->array), high = tile_high_group(l->t, l->array), q = l->side;
  tile_log_bound(log, l->array, q, TILE_LOW, l->b.lo[q]);
  tile_log_bound(log, l->array, q, TILE_HIGH, l->b.hi[q]);
  tile_log_bound(log, low, q, TILE_LOW, l->b.lo[q] - l->lower);
  tile_log_bound(log, low, q, TILE_HIGH, l->b.hi[q] - l->lower);
  if (high == low)
    return;
  tile_log_bound(log, high, q, TILE_LOW, l->b.lo[q] - l->upper);
  tile_log_bound(log, high, q, TILE_HIGH, l->b.hi[q] - l->upper);
}

static void log_question(const leaning *l)
{
  int group = tile_red_group(l->t, l->array);
  for (int r = 0; r < l->rank; r++) {
    if (r == l->side)
      continue;
    tile_log_bound(l->t->log, group, r, TILE_LOW, l->b.lo[r]);
    tile_log_bound(l->t->log, group, r, TILE_HIGH, l->b.hi[r]);
  }
  log_ends(l);
}

/* False: b has several levels. */
static bool start(leaning *l, tile_game *t, int array, const cdag_box *b)
{
  tile_array *a = &t->array[array];
  const tile_shear *s = &a->red_shear;
  int64_t level = b->lo[s->along];
  if (b->hi[s->along] - level > 1)
    return false;
  *l = (leaning){ .t = t,
                  .array = array,
                  .rank = t->rules.rule[array].rank,
                  .along = s->along,
                  .side = a->red_lean.side,
                  .lower = a->red_lean.lower * level,
                  .upper = a->red_lean.upper * level,
                  .hull = &t->rules.rule[array].hull,
                  .set = &a->red };
  pebble_box_copy(&l->b, b, l->rank);
  l->b.lo[s->across] += s->slope * level;
  l->b.hi[s->across] += s->slope * level;
  if (t->log)
    log_question(l);
  return true;
}

/* ---- a box at the level of the question ---- */

/* As if it went on to there. */
static void at_level(const leaning *l, const cdag_box *a, cdag_box *out)
{
  int q = l->side;
  pebble_box_copy(out, a, l->rank);
  out->lo[l->along] = l->b.lo[l->along];
  out->hi[l->along] = l->b.hi[l->along];
  out->lo[q] = a->lo[q] + l->lower > l->hull->lo[q] ? a->lo[q] + l->lower : l->hull->lo[q];
  out->hi[q] = a->hi[q] + l->upper < l->hull->hi[q] ? a->hi[q] + l->upper : l->hull->hi[q];
}

static bool has_level(const leaning *l, const cdag_box *a)
{
  return a->lo[l->along] <= l->b.lo[l->along] && l->b.lo[l->along] < a->hi[l->along];
}

static bool meets(const leaning *l, const cdag_box *a)
{
  cdag_box here;
  if (!has_level(l, a))
    return false;
  at_level(l, a, &here);
  return cdag_box_meets(&here, &l->b, l->rank);
}

/* ---- questions ---- */

/* Sets that are tilted have slopes of their own (pebble/tile/tilt.c). */
static bool ask_tilted(const tile_game *t, int array, const cdag_box *b,
                       bool (*ask)(const tile_game *t, int array, bool red, const cdag_box *b))
{
  cdag_box rows;
  tile_plain_rows(t, array, b, &rows);
  return ask(t, array, true, &rows);
}

static bool change_tilted(tile_game *t, int array, const cdag_box *b,
                          void (*change)(tile_game *t, int array, bool red, const cdag_box *b))
{
  cdag_box rows;
  if (!t->array[array].tilt.on)
    return false;
  tile_plain_rows(t, array, b, &rows);
  change(t, array, true, &rows);
  return true;
}

bool tile_lean_meets(const tile_game *t, int array, const cdag_box *b)
{
  leaning l;
  if (t->array[array].tilt.on)
    return ask_tilted(t, array, b, tile_tilt_meets);
  bool any = !start(&l, (tile_game *)t, array, b);
  for (size_t i = 0; !any && i < l.set->n; i++)
    any = meets(&l, &l.set->box[i]);
  return any;
}

/* Only what lies in one box is known to: how those of a level lie to each other is not recorded. */
static bool in_one_box(const leaning *l)
{
  cdag_box here;
  bool in = false;
  for (size_t i = 0; !in && i < l->set->n; i++) {
    at_level(l, &l->set->box[i], &here);
    in = has_level(l, &l->set->box[i]) && pebble_box_inside(&l->b, &here, l->rank);
  }
  return in;
}

/* The rows of a window may lie in a box each. */
bool tile_lean_covers(const tile_game *t, int array, const cdag_box *b)
{
  enum { ROWS = 16 };
  leaning l;
  if (t->array[array].tilt.on)
    return ask_tilted(t, array, b, tile_tilt_covers);
  int q = t->array[array].red_shear.across;
  cdag_box row = *b;
  if (!start(&l, (tile_game *)t, array, b))
    return false;
  bool in = in_one_box(&l);
  if (in || b->hi[q] - b->lo[q] < 2 || b->hi[q] - b->lo[q] > ROWS)
    return in;
  in = true;
  for (int64_t x = b->lo[q]; in && x < b->hi[q]; x++) {
    row.lo[q] = x;
    row.hi[q] = x + 1;
    in = start(&l, (tile_game *)t, array, &row) && in_one_box(&l);
  }
  return in;
}

/* ---- boxes come ---- */

static int64_t low_end(const leaning *l, int64_t lo) { return lo == l->hull->lo[l->side] ? -TILE_FAR : lo - l->lower; }
static int64_t high_end(const leaning *l, int64_t hi) { return hi == l->hull->hi[l->side] ? TILE_FAR : hi - l->upper; }

/* The only index in which they differ, where they abut; -1: none, or several. */
static int abuts(const cdag_box *a, const cdag_box *b, int rank)
{
  int at = -1;
  for (int r = 0; r < rank; r++)
    if (a->lo[r] != b->lo[r] || a->hi[r] != b->hi[r]) {
      if (at >= 0 || (a->hi[r] != b->lo[r] && b->hi[r] != a->lo[r]))
        return -1;
      at = r;
    }
  return at;
}

static void extend(cdag_box *a, const cdag_box *b, int r)
{
  if (b->lo[r] < a->lo[r])
    a->lo[r] = b->lo[r];
  else
    a->hi[r] = b->hi[r];
}

/* a is of the question's level alone, which abuts it there. */
static bool widen(const leaning *l, cdag_box *a)
{
  cdag_box here;
  at_level(l, a, &here);
  int r = a->hi[l->along] - a->lo[l->along] == 1 ? abuts(&here, &l->b, l->rank) : -1;
  if (r < 0)
    return false;
  if (r != l->side)
    extend(a, &l->b, r);
  else if (l->b.lo[r] < here.lo[r])
    a->lo[r] = low_end(l, l->b.lo[r]);
  else
    a->hi[r] = high_end(l, l->b.hi[r]);
  return true;
}

static void forget(pebble_tiles *s, size_t i) { pebble_box_copy(&s->box[i], &s->box[--s->n], s->rank); }

static void append(pebble_tiles *s, const cdag_box *a)
{
  s->box = mem_room(s->box, s->n, &s->room, sizeof *s->box);
  pebble_box_copy(&s->box[s->n++], a, s->rank);
}

/* Box i grows by others that it abuts now; low ends that lean are compared with high ones where both lean alike. */
static void unite(const leaning *l, size_t i)
{
  pebble_tiles *s = l->set;
  for (size_t k = 0; k < s->n; k++) {
    int r = k == i ? -1 : abuts(&s->box[i], &s->box[k], l->rank);
    if (r < 0 || (r == l->side && !l->t->array[l->array].red_lean.parallel))
      continue;
    extend(&s->box[i], &s->box[k], r);
    i = i == s->n - 1 ? k : i; /* the last moves into the hole */
    forget(s, k);
    k = SIZE_MAX;
  }
}

void tile_lean_add(tile_game *t, int array, const cdag_box *b)
{
  leaning l;
  if (change_tilted(t, array, b, tile_tilt_add))
    return;
  bool one = start(&l, t, array, b);
  assert(one);
  (void)one;
  size_t i = 0;
  while (i < l.set->n && !(has_level(&l, &l.set->box[i]) && widen(&l, &l.set->box[i])))
    i++;
  if (i == l.set->n) {
    cdag_box a;
    pebble_box_copy(&a, &l.b, l.rank);
    a.lo[l.side] = low_end(&l, l.b.lo[l.side]);
    a.hi[l.side] = high_end(&l, l.b.hi[l.side]);
    append(l.set, &a);
  }
  unite(&l, i);
}

/* ---- boxes go ---- */

static void keep(const leaning *l, const cdag_box *a)
{
  append(l->set, a);
  unite(l, l->set->n - 1);
}

/* What lies before and behind the question in index r is kept; the rest goes on in *a, which is as `here` at this
 * level. */
static void cut(const leaning *l, cdag_box *a, const cdag_box *here, int r)
{
  int64_t lo = l->b.lo[r], hi = l->b.hi[r];
  bool ends = r == l->side;
  cdag_box piece;
  if (here->lo[r] < lo) {
    pebble_box_copy(&piece, a, l->rank);
    piece.hi[r] = ends ? lo - l->upper : lo;
    a->lo[r] = ends ? lo - l->lower : lo;
    keep(l, &piece);
  }
  if (here->hi[r] > hi) {
    pebble_box_copy(&piece, a, l->rank);
    piece.lo[r] = ends ? hi - l->lower : hi;
    a->hi[r] = ends ? hi - l->upper : hi;
    keep(l, &piece);
  }
}

static void take_from(const leaning *l, size_t i)
{
  cdag_box a, here;
  pebble_box_copy(&a, &l->set->box[i], l->rank);
  at_level(l, &a, &here);
  forget(l->set, i);
  cut(l, &a, &a, l->along);
  for (int r = 0; r < l->rank; r++)
    if (r != l->along)
      cut(l, &a, &here, r);
}

void tile_lean_take(tile_game *t, int array, const cdag_box *b)
{
  leaning l;
  if (change_tilted(t, array, b, tile_tilt_take))
    return;
  bool one = start(&l, t, array, b);
  assert(one);
  (void)one;
  for (size_t i = 0; i < l.set->n;)
    if (meets(&l, &l.set->box[i])) {
      take_from(&l, i);
      i = 0; /* pieces have joined others */
    } else
      i++;
}
