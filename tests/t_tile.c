/* The tile engine gives the verdict of the element engine, to the unit. */
#include "base/mem.h"
#include "pebble/game.h"
#include "tests/support_boxes.h"
#include "tests/support_tile.h"
#include <stdio.h>

static const struct { pebble_variant variant; bool one_shot; } games[] = {
  { PEBBLE_PLACING, false }, { PEBBLE_SLIDING, false }, { PEBBLE_PLACING, true }, { PEBBLE_SLIDING, true }
};

/* Hints, true or not, change nothing. */
static void lay(pebble_game *game, const cdag *g, uint64_t seed)
{
  support_random r = { seed };
  for (int a = 0; a < g->arrays; a++) {
    if (g->array[a].rank < 2)
      continue;
    int q = (int)support_between(&r, 1, g->array[a].rank - 1), p = (int)support_between(&r, 0, q - 1);
    if (support_between(&r, 0, 1))
      pebble_lay_diagonally(game, a, p, q);
    int64_t way = support_between(&r, 0, 5); /* 4, 5: none */
    if (way < 4)
      pebble_lay_sheared(game, a, way & 1 ? p : q, way & 1 ? q : p, way & 2 ? 1 : -1);
    if (way < 4 && support_between(&r, 0, 1))
      pebble_lay_leaning(game, a, (int)support_between(&r, 0, g->array[a].rank - 1), (int)support_between(&r, -1, 1), (int)support_between(&r, -1, 1));
  }
}

static const pebble_verdict *play(pebble_game **game, const cdag *g, pebble_engine engine, const pebble_rules *rules, boxes_list *l)
{
  diag d;
  ck_assert_int_eq(pebble_new(game, g, engine, rules, &d), OK);
  lay(*game, g, rules->m);
  size_t i = 0;
  while (i < l->n && pebble_play(*game, boxes_at(l, i)))
    i++;
  if (i == l->n)
    pebble_end(*game);
  return pebble_verdict_of(*game);
}

static void same_position(const cdag *g, pebble_game *a, pebble_game *b)
{
  for (uint64_t id = 0; id < g->vertices; id++) {
    cdag_element e;
    cdag_at(g, id, &e);
    ck_assert_int_eq(pebble_is_red(a, e.array, e.x), pebble_is_red(b, e.array, e.x));
    ck_assert_int_eq(pebble_is_blue(a, e.array, e.x), pebble_is_blue(b, e.array, e.x));
  }
  for (int i = 0; i < g->arrays; i++) {
    ck_assert_uint_eq(pebble_loads_by_array(a)[i], pebble_loads_by_array(b)[i]);
    ck_assert_uint_eq(pebble_stores_by_array(a)[i], pebble_stores_by_array(b)[i]);
  }
}

START_TEST(random_boxes)
{
  support_random r = { (uint64_t)_i };
  cdag *g = tile_open_example(_i % tile_example_count);
  int kind = (int)support_between(&r, 0, COUNT(games) - 1);
  pebble_rules rules = { games[kind].variant, games[kind].one_shot, (uint64_t)support_between(&r, 4, 60) };
  boxes_list l = { 0 };
  pebble_game *by_element, *by_tile;
  boxes_random(&l, g, &rules, 60, support_next(&r));
  const pebble_verdict *a = play(&by_element, g, PEBBLE_BY_ELEMENT, &rules, &l);
  const pebble_verdict *b = play(&by_tile, g, PEBBLE_BY_TILE, &rules, &l);
  const char *difference = tile_difference(g, a, b);
  if (difference)
    boxes_print(&l, g);
  ck_assert_msg(!difference, "%s: %s differs (rule %s, %s)", tile_examples[_i % tile_example_count].name, difference,
                pebble_rule_name(a->rule), pebble_rule_name(b->rule));
  same_position(g, by_element, by_tile);
  pebble_free(by_element);
  pebble_free(by_tile);
  boxes_clear(&l);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, random_boxes, 0, support_rounds(1500));
  return support_run(s);
}
