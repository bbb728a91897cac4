/* tile_loose.c -- blue and computed sets in triangles (docs/tile-engine.md, "Boxes around what exists").

   Of blue and of computed pebbles the engine asks only where elements are.  So their boxes may reach over points of the array
   that are none: rows [i] x [0, i+1) of a triangle become one box, whatever their number. */
#include "pebble/tile_internal.h"

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

void tile_add_loosely(tile_game *t, int array, pebble_tiles *s, const cdag_box *b)
{
  loose l = { t, array };
  if (t->rules.rule[array].rectangular || t->tight)
    pebble_tiles_add(s, b);
  else
    pebble_tiles_add_loosely(s, b, &(pebble_voids){ is_void, filled, &l });
}
