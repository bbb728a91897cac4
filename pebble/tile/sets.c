/* pebble/tile/sets.c -- red, blue and computed sets in triangles (docs/tile-engine.md, "Boxes around what exists").

   The engine asks of pebbles only where elements are, and keeps the number of red ones by itself.  So boxes may reach
   over points of the array that are no elements: rows [i] x [0, i+1) of a triangle become one box, whatever their
   number.

   The diagonal L[i,i] of a triangle becomes one box when its points are called (i, 0) instead of (i, i).  Where a
   schedule moves nothing else of an array between the memories, its blue set is kept so; and the red set of a skewed
   sweep, whose front is one slant in time and space, is kept with their sum in the place of space ("Sheared sets"). */
#include "pebble/tile/internal.h"
#include <assert.h>
#include <string.h>

typedef struct {
  tile_game *t;
  int array, group;
  const tile_shear *shear;
} loose;

/* Sums of two coordinates do not overflow (pebble/tile/value.h), nor do those of steeper slopes (may_shear). */
static int64_t slid(const tile_shear *s, int64_t along, int64_t across) { return across + s->slope * along; }

/* A box in the array's own names around one of the set, which has no end that is far away. */
static bool unsheared(const loose *l, const cdag_box *b, cdag_box *part)
{
  const tile_shear *s = l->shear;
  pebble_box_copy(part, b, l->t->rules.rule[l->array].rank);
  if (!s->slope)
    return true;
  int64_t first = b->lo[s->along], last = b->hi[s->along] - 1;
  part->lo[s->across] = slid(s, s->slope > 0 ? -last : -first, b->lo[s->across]);
  part->hi[s->across] = slid(s, s->slope > 0 ? -first : -last, b->hi[s->across]);
  return b->lo[s->across] > -TILE_FAR && b->hi[s->across] < TILE_FAR;
}

static bool is_void(void *context, const cdag_box *b)
{
  loose *l = context;
  cdag_box part;
  tile_log *log = l->t->rules.log;
  if (!unsheared(l, b, &part))
    return false;
  l->t->rules.log = NULL; /* an iteration that does not fill this gap has the same elements */
  bool none = tile_is_void(&l->t->rules, l->array, &part);
  l->t->rules.log = log;
  return none;
}

/* Later iterations fill a gap like this one: it must be void there too. */
static void filled(void *context, const cdag_box *b)
{
  loose *l = context;
  cdag_box part;
  if (!l->t->log)
    return;
  int rank = l->t->rules.rule[l->array].rank;
  tile_log_box(l->t->log, l->group, rank, b);
  unsheared(l, b, &part);
  tile_log_box(l->t->log, l->array, rank, &part);
  tile_log_equal(l->t->log, tile_is_void(&l->t->rules, l->array, &part));
}

static bool is_loose(const tile_game *t, int array) { return !t->rules.rule[array].rectangular && !t->tight; }

/* ---- along a slant ---- */

/* What b is in the list, *room perhaps; NULL: no box. */
static const cdag_box *sheared(const tile_game *t, int array, const tile_shear *s, int group, const cdag_box *b,
                               cdag_box *room)
{
  int rank = t->rules.rule[array].rank;
  if (!s->slope)
    return b;
  if (b->hi[s->along] - b->lo[s->along] > 1)
    return NULL;
  pebble_box_copy(room, b, rank);
  room->lo[s->across] = slid(s, b->lo[s->along], b->lo[s->across]);
  room->hi[s->across] = slid(s, b->lo[s->along], b->hi[s->across]);
  if (t->log)
    tile_log_box(t->log, group, rank, room);
  return room;
}

bool tile_has_room(const cdag_box *hull, int r)
{
  static const int64_t near = TILE_FAR / (4 * PEBBLE_STEEPEST);
  return hull->lo[r] >= -near && hull->hi[r] <= near;
}

/* May rows of these coordinates be kept with ends that are far away? */
static bool sums_have_room(const tile_game *t, int array, int p, int q)
{
  const cdag_box *hull = &t->rules.rule[array].hull;
  return tile_has_room(hull, p) && tile_has_room(hull, q);
}

/* What goes into the list, or out of it, for b, which is a box there.  Where a row begins or ends with the domain its
   end is as far away as can be: nobody reads beyond, and rows that lie one above the other are a box again. */
static const cdag_box *reaching(const tile_game *t, int array, const tile_shear *s, int group, const cdag_box *b,
                                cdag_box *room)
{
  const cdag_box *at = sheared(t, array, s, group, b, room);
  assert(at);
  const cdag_box *hull = &t->rules.rule[array].hull;
  bool low = s->rows && b->lo[s->across] == hull->lo[s->across];
  bool high = s->rows && b->hi[s->across] == hull->hi[s->across];
  if (s->rows && t->log)
    tile_log_equal(t->log, low + 2 * high);
  if (!low && !high)
    return at;
  if (low)
    room->lo[s->across] = -TILE_FAR;
  if (high)
    room->hi[s->across] = TILE_FAR;
  return room;
}

static void add(tile_game *t, int array, const tile_shear *s, int group, pebble_tiles *set, const cdag_box *b)
{
  cdag_box room;
  loose l = { t, array, group, s };
  const cdag_box *at = reaching(t, array, s, group, b, &room);
  if (is_loose(t, array))
    pebble_tiles_add_loosely(set, at, &(pebble_voids){ is_void, filled, &l });
  else
    pebble_tiles_add(set, at);
}

static bool may_shear(const tile_game *t, int array, int along, int across, int slope)
{
  return slope == 1 || slope == -1 || sums_have_room(t, array, along, across);
}

static bool holds_at(const tile_game *t, int array, const tile_shear *s, const pebble_tiles *set, const int64_t *x)
{
  int64_t at[CDAG_RANK];
  memcpy(at, x, (size_t)t->rules.rule[array].rank * sizeof *at);
  if (s->slope)
    at[s->across] = slid(s, at[s->along], at[s->across]);
  return pebble_tiles_hold(set, at);
}

/* ---- red sets ---- */

void tile_lay_sheared(pebble_game *game, int array, int along, int across, int slope)
{
  tile_game *t = (tile_game *)game;
  bool rows = t->array[array].blue_shear.rows; /* rows that are stored in rows lie on chip in rows */
  if (!t->tight && may_shear(t, array, along, across, slope))
    t->array[array].red_shear = (tile_shear){ along, across, slope, rows && sums_have_room(t, array, along, across) };
  t->array[array].red_lean = (tile_lean){ 0 };
}

const cdag_box *tile_red_box(const tile_game *t, int array, const cdag_box *b, cdag_box *room)
{
  return sheared(t, array, &t->array[array].red_shear, tile_red_group(t, array), b, room);
}

uint64_t tile_red_common(const tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  if (t->array[array].red_lean.leans)
    return 0;
  const cdag_box *red = tile_red_box(t, array, b, &room);
  return red ? pebble_tiles_common(&t->array[array].red, red) : 0;
}

static void point(const tile_game *t, int array, const int64_t *x, cdag_box *b)
{
  for (int r = 0; r < t->rules.rule[array].rank; r++) {
    b->lo[r] = x[r];
    b->hi[r] = x[r] + 1;
  }
}

bool tile_is_red_at(const tile_game *t, int array, const int64_t *x)
{
  cdag_box b;
  point(t, array, x, &b);
  if (t->array[array].red_lean.leans)
    return tile_lean_covers(t, array, &b);
  return holds_at(t, array, &t->array[array].red_shear, &t->array[array].red, x);
}

void tile_add_red(tile_game *t, int array, const cdag_box *b)
{
  tile_array *a = &t->array[array];
  if (a->red_lean.leans)
    tile_lean_add(t, array, b);
  else
    add(t, array, &a->red_shear, tile_red_group(t, array), &a->red, b);
}

void tile_take_red(tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  tile_array *a = &t->array[array];
  if (a->red_lean.leans) {
    tile_lean_take(t, array, b);
    return;
  }
  loose l = { t, array, tile_red_group(t, array), &a->red_shear };
  const cdag_box *red = reaching(t, array, l.shear, l.group, b, &room);
  if (is_loose(t, array))
    pebble_tiles_subtract_loosely(&a->red, red, &(pebble_voids){ is_void, filled, &l });
  else
    pebble_tiles_subtract(&a->red, red);
}

void tile_add_computed(tile_game *t, int array, const cdag_box *b)
{
  add(t, array, &(tile_shear){ 0 }, array, &t->array[array].computed, b);
}

/* ---- blue sets ---- */

void tile_lay_blue(pebble_game *game, int array, int along, int across, int slope, bool rows)
{
  tile_game *t = (tile_game *)game;
  tile_array *a = &t->array[array];
  if (t->tight || a->blue.n || !may_shear(t, array, along, across, slope))
    return;
  a->blue_shear = (tile_shear){ along, across, slope, rows && sums_have_room(t, array, along, across) };
}

const cdag_box *tile_blue_box(const tile_game *t, int array, const cdag_box *b, cdag_box *room)
{
  return sheared(t, array, &t->array[array].blue_shear, tile_blue_group(t, array), b, room);
}

bool tile_is_blue_at(const tile_game *t, int array, const int64_t *x)
{
  if (t->array[array].tilt.on) {
    cdag_box b;
    point(t, array, x, &b);
    return tile_blue_covers(t, array, &b);
  }
  return holds_at(t, array, &t->array[array].blue_shear, &t->array[array].blue, x);
}

void tile_add_blue(tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  tile_array *a = &t->array[array];
  if (a->tilt.on) {
    tile_plain_rows(t, array, b, &room);
    tile_tilt_add(t, array, false, &room);
  } else
    add(t, array, &a->blue_shear, tile_blue_group(t, array), &a->blue, b);
}

void tile_take_blue(tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  tile_array *a = &t->array[array];
  if (a->tilt.on) {
    tile_plain_rows(t, array, b, &room);
    tile_tilt_take(t, array, false, &room);
  } else
    pebble_tiles_subtract(&a->blue, reaching(t, array, &a->blue_shear, tile_blue_group(t, array), b, &room));
}
