/* tile_sets.c -- red, blue and computed sets in triangles (docs/tile-engine.md, "Boxes around what exists").

   The engine asks of pebbles only where elements are, and keeps the number of red ones by itself.  So boxes may reach over points
   of the array that are no elements: rows [i] x [0, i+1) of a triangle become one box, whatever their number.

   The diagonal L[i,i] of a triangle becomes one box when its points are called (i, 0) instead of (i, i).  Where a schedule moves
   nothing else of an array between the memories, its blue set is kept so. */
#include "pebble/tile_internal.h"
#include <string.h>

typedef struct {
  tile_game *t;
  int array;
} loose;

static bool is_void(void *context, const cdag_box *b)
{
  loose *l = context;
  cdag_box part;
  tile_log *log = l->t->rules.log;
  pebble_box_copy(&part, b, l->t->rules.rule[l->array].rank);
  l->t->rules.log = NULL; /* a turn that does not fill this gap has the same elements */
  tile_answer answer = tile_fit(&l->t->rules, l->array, &part);
  l->t->rules.log = log;
  return answer == TILE_EMPTY;
}

/* Later turns fill a gap like this one: it must be void there too. */
static void filled(void *context, const cdag_box *b)
{
  loose *l = context;
  cdag_box part;
  if (!l->t->log)
    return;
  int rank = l->t->rules.rule[l->array].rank;
  pebble_box_copy(&part, b, rank);
  tile_log_box(l->t->log, l->array, rank, &part);
  tile_log_equal(l->t->log, tile_fit(&l->t->rules, l->array, &part));
}

static void add(tile_game *t, int array, pebble_tiles *s, const cdag_box *b)
{
  loose l = { t, array };
  if (t->rules.rule[array].rectangular || t->tight)
    pebble_tiles_add(s, b);
  else
    pebble_tiles_add_loosely(s, b, &(pebble_voids){ is_void, filled, &l });
}

void tile_add_red(tile_game *t, int array, const cdag_box *b) { add(t, array, &t->array[array].red, b); }

void tile_take_red(tile_game *t, int array, const cdag_box *b)
{
  loose l = { t, array };
  if (t->rules.rule[array].rectangular || t->tight)
    pebble_tiles_subtract(&t->array[array].red, b);
  else
    pebble_tiles_subtract_loosely(&t->array[array].red, b, &(pebble_voids){ is_void, filled, &l });
}

void tile_add_computed(tile_game *t, int array, const cdag_box *b) { add(t, array, &t->array[array].computed, b); }

/* ---- along a diagonal ---- */

void tile_lay_diagonally(pebble_game *game, int array, int along, int across)
{
  tile_game *t = (tile_game *)game;
  tile_array *a = &t->array[array];
  if (t->tight || a->blue.n || cdag_has_output(game->g, array)) /* the end asks for boxes */
    return;
  a->along = along;
  a->across = across;
}

const cdag_box *tile_blue_box(const tile_game *t, int array, const cdag_box *b, cdag_box *room)
{
  const tile_array *a = &t->array[array];
  int rank = t->rules.rule[array].rank;
  if (a->along == a->across)
    return b;
  if (b->hi[a->along] - b->lo[a->along] > 1)
    return NULL;
  pebble_box_copy(room, b, rank);
  room->lo[a->across] -= b->lo[a->along];
  room->hi[a->across] -= b->lo[a->along];
  if (t->log)
    tile_log_box(t->log, tile_blue_group(t, array), rank, room);
  return room;
}

bool tile_is_blue_at(const tile_game *t, int array, const int64_t *x)
{
  const tile_array *a = &t->array[array];
  int64_t at[CDAG_RANK];
  memcpy(at, x, (size_t)t->rules.rule[array].rank * sizeof *at);
  if (a->along != a->across)
    at[a->across] -= at[a->along];
  return pebble_tiles_hold(&a->blue, at);
}

void tile_add_blue(tile_game *t, int array, const cdag_box *b)
{
  tile_array *a = &t->array[array];
  if (a->along == a->across)
    add(t, array, &a->blue, b);
  else
    pebble_tiles_add(&a->blue, b);
}
