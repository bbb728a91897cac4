/* pebble/tile/line.c -- boxes of one row of elements, which may be longer or shorter in each iteration
 * (docs/tile-engine.md, "Lines"). */
#include "pebble/tile/internal.h"

/* The only index of which b has several values, or -1. */
static int line_of(const cdag_box *b, int rank)
{
  int line = -1, several = 0;
  for (int r = 0; r < rank; r++)
    if (b->hi[r] - b->lo[r] > 1) {
      several++;
      line = r;
    }
  return several == 1 ? line : -1;
}

void tile_log_extents(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  int rank = t->rules.rule[move->array].rank, line = line_of(b, rank);
  int64_t net = move->kind == PEBBLE_LOAD || move->kind == PEBBLE_COMPUTE ? 1 : move->kind == PEBBLE_DROP ? -1 : 0;
  tile_log_equal(t->log, line);
  if (line >= 0)
    tile_log_volume(t->log, b->hi[line] - b->lo[line], net);
  for (int r = 0; line < 0 && r < rank; r++)
    tile_log_equal(t->log, b->hi[r] - b->lo[r]);
}

/* Every drop reaches along all of the line: then the elements are alike. */
static bool all_along(const tile_game *t, const cdag_box *b, int line)
{
  for (size_t i = 0; i < t->parts; i++)
    if (t->part[i].drop && (t->part[i].part.lo[line] != b->lo[line] || t->part[i].part.hi[line] != b->hi[line]))
      return false;
  return true;
}

/* What is only read may reach along a part of it: to be read by more does no harm to what is found sound. */
static void stretch_to(tile_game *t, cdag_box *b, int line, int64_t end)
{
  b->hi[line] = end;
  for (size_t i = 0; i < t->parts; i++) {
    t->part[i].part.lo[line] = b->lo[line];
    t->part[i].part.hi[line] = end;
  }
}

/* The shape of a line as long as the array: what may be computed as one move may so in part. */
static const tile_shape *longest(tile_game *t, int array, const cdag_box *b, int line, int64_t length)
{
  cdag_box whole;
  pebble_box_copy(&whole, b, t->rules.rule[array].rank);
  stretch_to(t, &whole, line, b->lo[line] + length);
  const tile_shape *shape = tile_shape_of(t, array, &whole);
  stretch_to(t, &whole, line, b->hi[line]);
  return shape;
}

bool tile_line_gain(tile_game *t, int array, const cdag_box *b, int64_t *net, int64_t *peak)
{
  const tile_rule *rule = &t->rules.rule[array];
  int line = line_of(b, rule->rank);
  bool alike = line >= 0 && all_along(t, b, line);
  tile_log_equal(t->log, alike ? line : -1);
  if (!alike)
    return false;
  int64_t most = rule->hull.hi[line] - rule->hull.lo[line], n = b->hi[line] - b->lo[line];
  const tile_shape *shape = longest(t, array, b, line, most);
  for (size_t i = 0; i < shape->n; i++)
    tile_log_equal(t->log, shape->key[i]);
  if (!shape->sound)
    return false;
  int64_t one = shape->net / most;
  tile_log_volume(t->log, n, one);
  *net = n * one;
  *peak = shape->peak - (one > 0 ? (most - n) * one : 0);
  return true;
}
