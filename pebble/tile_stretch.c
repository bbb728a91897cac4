/* tile_stretch.c -- boxes of a rectangular array that are longer or shorter in each turn, counted as amounts (docs/tile-engine.md, "Stretched boxes").

   In a recorded turn the counter notes how many elements such a box had, instead of its extent.  Its elements are alike when every drop reaches over the
   whole box: net and peak are those of one of them, as often as there are elements.  That they may be computed as one move (tests 2 and 3) is asked of the
   box stretched over all of its array: what holds for a box holds for every part of it. */
#include "pebble/tile_internal.h"

/* b, over all of the array in index r. */
static cdag_box stretched(const tile_rule *rule, const cdag_box *b, int r)
{
  cdag_box whole;
  pebble_box_copy(&whole, b, rule->rank);
  whole.lo[r] = rule->hull.lo[r];
  whole.hi[r] = rule->hull.hi[r];
  return whole;
}

static bool images(tile_game *t, int array, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[array];
  tile_array *a = &t->array[array];
  for (int i = 0; i < rule->terms; i++) {
    tile_answer answer = rule->term[i].plain ? tile_image_of(&t->rules, array, &rule->term[i], b, &a->image[i]) : TILE_SPLIT;
    if (t->log)
      tile_log_equal(t->log, answer);
    if (answer == TILE_SPLIT)
      return false;
    a->present[i] = answer == TILE_BOX;
  }
  return true;
}

/* All drops reach over all of b; which terms drop is noted. */
static bool drops_alike(tile_game *t, const cdag_box *b, int rank)
{
  for (size_t i = 0; i < t->parts; i++) {
    if (!t->part[i].drop)
      continue;
    if (!pebble_box_equal(&t->part[i].part, b, rank))
      return false;
    tile_log_equal(t->log, t->part[i].term);
  }
  return true;
}

/* The stretched box is like those of other turns in everything. */
static bool sound_at_any_length(tile_game *t, const pebble_move *move, const cdag_box *whole)
{
  tile_log *log = t->log;
  t->log = t->rules.log = NULL; /* its bounds in the other indices are those of the box */
  bool simple = images(t, move->array, whole);
  t->log = t->rules.log = log;
  if (!simple)
    return false;
  tile_collect_parts(t, move, move->array);
  const tile_shape *shape = tile_shape_of(t, move->array, whole);
  for (size_t i = 0; i < shape->n; i++)
    tile_log_equal(log, shape->key[i]);
  return shape->sound;
}

/* Of one element; false when they are not alike. */
static bool gain_of_each(tile_game *t, const pebble_move *move, const cdag_box *b, int64_t volume, int64_t *net, int64_t *peak)
{
  if (!images(t, move->array, b))
    return false;
  tile_collect_parts(t, move, move->array);
  if (!drops_alike(t, b, t->rules.rule[move->array].rank))
    return false;
  const tile_shape *shape = tile_shape_of(t, move->array, b);
  *net = shape->net / volume;
  *peak = shape->peak - (*net > 0 ? (volume - 1) * *net : 0);
  return shape->sound;
}

static bool compute(tile_game *t, const pebble_move *move, const cdag_box *b, const cdag_box *whole, int64_t volume, int64_t *net)
{
  int64_t peak;
  if (!gain_of_each(t, move, b, volume, net, &peak) || !sound_at_any_length(t, move, whole))
    return false;
  tile_log_equal(t->log, peak);
  tile_count_compute(t, *net * volume, peak + (*net > 0 ? (volume - 1) * *net : 0));
  return true;
}

tile_answer tile_count_stretched(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[move->array];
  cdag_box whole = stretched(rule, b, t->array[move->array].stretch - 1);
  uint64_t volume = pebble_box_volume(b, rule->rank);
  int64_t net = move->kind == PEBBLE_LOAD ? 1 : move->kind == PEBBLE_DROP ? -1 : 0;
  if (move->kind != PEBBLE_COMPUTE)
    tile_count_blind(t, move->kind, volume);
  else if (volume > INT64_MAX || !compute(t, move, b, &whole, (int64_t)volume, &net))
    return TILE_SPLIT;
  tile_log_volume(t->log, (int64_t)volume, net);
  tile_count_move(t, move, &whole, volume);
  return TILE_BOX;
}

void tile_lay_stretched(pebble_game *game, int array, int r)
{
  tile_game *t = (tile_game *)game;
  if (t->rules.rule[array].rectangular)
    t->array[array].stretch = r + 1;
}
