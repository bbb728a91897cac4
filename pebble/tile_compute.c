/* tile_compute.c -- computing a box of one array (docs/tile-engine.md, tests 1 to 4).

   Test 1 is here: the image of every term, less what the box itself brings, is red.  The other three depend on the
   shape of the move only (tile_shape.c).  A failed test is no verdict: the caller tries the halves, and a box of one
   element passes exactly when it is legal. */
#include "base/mem.h"
#include "pebble/tile_internal.h"

static bool free_to_compute(const tile_game *t, const tile_array *a, const cdag_box *b)
{
  if (a->input || (a->source.n && pebble_tiles_meet(&a->source, b)))
    return false;
  if (pebble_tiles_meet(&a->red, b))
    return false;
  return !t->base.rules.one_shot || !pebble_tiles_meet(&a->computed, b);
}

/* image less b is red; b itself is not. */
static bool own_red(const tile_array *a, const cdag_box *image, const cdag_box *b, int rank)
{
  cdag_box inner;
  pebble_box_copy(&inner, image, rank);
  if (!pebble_box_clip(&inner, b, rank))
    return pebble_tiles_cover(&a->red, image);
  uint64_t inside = pebble_box_volume(&inner, rank), all = pebble_box_volume(image, rank);
  return inside == all || pebble_tiles_common(&a->red, image) + inside == all;
}

static tile_answer predecessors(tile_game *t, int array, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[array];
  tile_array *a = &t->array[array];
  for (int i = 0; i < rule->terms; i++) {
    const tile_term *term = &rule->term[i];
    tile_image *m = &a->image[i];
    tile_answer answer = tile_image_of(&t->rules, array, term, b, m);
    if (answer == TILE_SPLIT)
      return TILE_SPLIT;
    a->present[i] = answer == TILE_BOX;
    if (!a->present[i] || t->blind)
      continue;
    if (term->array == array ? !own_red(a, &m->image, b, rule->rank) : !pebble_tiles_cover(&t->array[term->array].red, &m->image))
      return TILE_SPLIT;
  }
  return TILE_BOX;
}

static void add_part(tile_game *t, int term, bool drop, const cdag_box *part, int rank, const cdag_box *image, int image_rank)
{
  t->part = mem_room(t->part, t->parts, &t->part_room, sizeof *t->part);
  tile_part *p = &t->part[t->parts++];
  p->term = term;
  p->drop = drop;
  pebble_box_copy(&p->part, part, rank);
  pebble_box_copy(&p->image, image, image_rank);
}

/* The part of the box that drops, through this term, pebbles inside the box named after `dropping`. */
static void add_clipped(tile_game *t, int array, int term, const cdag_box *within)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_image *m = &t->array[array].image[term];
  int rank = rule->term[term].rank;
  cdag_box part, image;
  pebble_box_copy(&image, &m->image, rank);
  if (!pebble_box_clip(&image, within, rank))
    return;
  pebble_box_copy(&part, &m->part, rule->rank);
  for (int q = 0; q < rank; q++)
    if (m->index[q].kind == TILE_SHIFT) {
      part.lo[m->index[q].var] = image.lo[q] - m->index[q].base;
      part.hi[m->index[q].var] = image.hi[q] - m->index[q].base;
    }
  add_part(t, term, true, &part, rule->rank, &image, rank);
}

/* How a term is dropped: not at all, wholly, or in boxes. */
static int drops_of(const pebble_move *move, int array, bool *whole)
{
  int n = 0;
  *whole = false;
  for (int i = 0; i < move->drops; i++)
    if (move->drop[i].array == array) {
      n++;
      *whole |= move->drop[i].whole;
    }
  return n;
}

/* The readings and droppings that tests 2 to 4 look at: own-array terms and those on arrays that lose pebbles. */
static void collect_parts(tile_game *t, const pebble_move *move, int array)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_array *a = &t->array[array];
  t->parts = 0;
  for (int i = 0; i < rule->terms; i++) {
    if (!a->present[i])
      continue;
    bool whole;
    int to = rule->term[i].array, dropped = drops_of(move, to, &whole);
    if (to != array && !dropped)
      continue;
    const tile_image *m = &a->image[i];
    add_part(t, i, whole, &m->part, rule->rank, &m->image, rule->term[i].rank);
    for (int k = 0; dropped && !whole && k < move->drops; k++)
      if (move->drop[k].array == to)
        add_clipped(t, array, i, &move->drop[k].box);
  }
}

static void apply(tile_game *t, int array, const cdag_box *b, const tile_shape *shape)
{
  const tile_rule *rule = &t->rules.rule[array];
  tile_array *a = &t->array[array];
  bool added = false; /* pebbles of other boxes first: a chain then stays one box */
  for (size_t i = 0; i < t->parts; i++) {
    const tile_part *p = &t->part[i];
    if (!p->drop)
      continue;
    const tile_term *term = &rule->term[p->term];
    if (!added && term->array == array && pebble_box_meets(&p->image, b, rule->rank)) {
      pebble_tiles_add(&a->red, b);
      added = true;
    }
    pebble_tiles_subtract(&t->array[term->array].red, &p->image);
  }
  if (!added)
    pebble_tiles_add(&a->red, b);
  if (t->base.rules.one_shot)
    pebble_tiles_add(&a->computed, b);
  t->base.red = (uint64_t)((int64_t)t->base.red + shape->net);
}

/* The counter's view: pebbles come and go, no position is kept. */
static void apply_blind(tile_game *t, const tile_shape *shape)
{
  if ((int64_t)t->base.red + shape->net < 0)
    t->below_zero = true;
  else
    t->base.red = (uint64_t)((int64_t)t->base.red + shape->net);
}

tile_answer tile_compute(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  int array = move->array;
  if ((!t->blind && !free_to_compute(t, &t->array[array], b)) || predecessors(t, array, b) != TILE_BOX)
    return TILE_SPLIT;
  collect_parts(t, move, array);
  const tile_shape *shape = tile_shape_of(t, array, b);
  uint64_t most = t->base.red + (uint64_t)shape->peak;
  if (!shape->sound || most > t->base.rules.m)
    return TILE_SPLIT;
  if (most > t->base.verdict.peak)
    t->base.verdict.peak = most;
  for (size_t i = 0; t->log && i < shape->n; i++)
    tile_log_equal(t->log, shape->key[i]);
  if (t->blind)
    apply_blind(t, shape);
  else
    apply(t, array, b, shape);
  return TILE_BOX;
}
