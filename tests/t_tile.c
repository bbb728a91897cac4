/* The tile engine gives the verdict of the element engine, to the unit. */
#include "base/mem.h"
#include "pebble/game.h"
#include "tests/support_boxes.h"
#include "tests/support_terms.h"
#include "tests/support_tile.h"
#include <stdio.h>
#include <inttypes.h>
#include <string.h>

static const struct { pebble_variant variant; bool one_shot; } games[] = {
  { PEBBLE_PLACING, false }, { PEBBLE_SLIDING, false }, { PEBBLE_PLACING, true }, { PEBBLE_SLIDING, true }
};

static int steepness(support_random *r)
{
  int steep = support_between(r, 0, 3) ? 1 : PEBBLE_STEEPEST;
  return (support_between(r, 0, 1) ? 1 : -1) * (int)support_between(r, 1, steep);
}

/* Hints, true or not, change nothing. */
static void lay(pebble_game *game, const cdag *g, uint64_t seed)
{
  support_random r = { seed };
  for (int a = 0; a < g->arrays; a++) {
    if (g->array[a].rank < 2)
      continue;
    int q = (int)support_between(&r, 1, g->array[a].rank - 1), p = (int)support_between(&r, 0, q - 1);
    if (support_between(&r, 0, 1))
      pebble_lay_blue(game, a, p, q, steepness(&r), support_between(&r, 0, 1));
    int64_t way = support_between(&r, 0, 5); /* 4, 5: none */
    if (way < 4)
      pebble_lay_sheared(game, a, way & 1 ? p : q, way & 1 ? q : p, steepness(&r));
    if (way < 4 && support_between(&r, 0, 1))
      pebble_lay_leaning(game, a, (int)support_between(&r, 0, g->array[a].rank - 1), (int)support_between(&r, -1, 1),
                         (int)support_between(&r, -1, 1));
  }
}

static const pebble_verdict *play(pebble_game **game, const cdag *g, pebble_engine engine, const pebble_rules *rules,
                                  boxes_list *l)
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

static void compare(cdag *g, const char *name, uint64_t seed)
{
  support_random r = { seed };
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
  ck_assert_msg(!difference, "%s: %s differs (rule %s, %s)", name, difference, pebble_rule_name(a->rule),
                pebble_rule_name(b->rule));
  same_position(g, by_element, by_tile);
  pebble_free(by_element);
  pebble_free(by_tile);
  boxes_clear(&l);
}

START_TEST(random_boxes)
{
  cdag *g = tile_open_example(_i % tile_example_count);
  compare(g, tile_examples[_i % tile_example_count].name, (uint64_t)_i);
  cdag_free(g);
}
END_TEST

START_TEST(random_terms)
{
  support_random r = { (uint64_t)_i };
  terms_term term[TERMS_MOST];
  text words = { 0 };
  diag d = { 0 };
  cdag *g = NULL;
  support_terms(&words, &r, _i & 1, term);
  if (cdag_parse(&g, "terms", text_str(&words), "", &d) == OK)
    for (int k = 0; k < 3; k++)
      compare(g, text_str(&words), support_next(&r));
  cdag_free(g);
  text_clear(&words);
}
END_TEST

/* ---- by hand ---- */

static pebble_move move_of(const cdag *g, pebble_kind kind, const char *array, int64_t lo0, int64_t hi0, int64_t lo1,
                           int64_t hi1)
{
  pebble_move m = { .kind = kind };
  while (strcmp(g->array[m.array].name, array))
    m.array++;
  m.box = (cdag_box){ { lo0, lo1 }, { hi0, hi1 } };
  return m;
}

static pebble_game *open_by_hand(cdag **g, const char *words, uint64_t memory)
{
  pebble_game *game = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(g, "by hand", words, "", &d) == OK, "%s", d.message);
  ck_assert_int_eq(pebble_new(&game, *g, PEBBLE_BY_TILE, &(pebble_rules){ .m = memory }, &d), OK);
  return game;
}

static bool play_one(pebble_game *game, const cdag *g, pebble_kind kind, const char *array, int64_t lo0, int64_t hi0,
                     int64_t lo1, int64_t hi1)
{
  pebble_move m = move_of(g, kind, array, lo0, hi0, lo1, hi1);
  return pebble_play(game, &m);
}

/* Whoever says that only the diagonal goes between the memories, and erases more, is told what is not blue. */
START_TEST(untrue_diagonal)
{
  cdag *g;
  pebble_game *game = open_by_hand(&g, "input B[9]\nT[i:9, j:9] = B[i]\noutput R[1] = B[0]\n", 100);
  pebble_lay_blue(game, 1, 0, 1, -1, false);
  ck_assert(play_one(game, g, PEBBLE_LOAD, "B", 0, 9, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_COMPUTE, "T", 0, 9, 0, 9));
  ck_assert(play_one(game, g, PEBBLE_STORE, "T", 2, 4, 3, 5));
  ck_assert(play_one(game, g, PEBBLE_ERASE, "T", 2, 4, 3, 5));
  ck_assert(play_one(game, g, PEBBLE_STORE, "T", 2, 4, 3, 5));
  ck_assert(!play_one(game, g, PEBBLE_ERASE, "T", 2, 4, 3, 6));
  const pebble_verdict *v = pebble_verdict_of(game);
  ck_assert_int_eq(v->rule, PEBBLE_NOT_BLUE);
  ck_assert_int_eq(v->element.x[0], 2);
  ck_assert_int_eq(v->element.x[1], 5);
  pebble_free(game);
  cdag_free(g);
}
END_TEST

/* Two indices are added far out, too; a box of several rows that reads itself and others is no box there. */
START_TEST(untrue_slant)
{
  static const char *const computation[] = {
    "input B[9]\nT[i:1152921504606846970..1152921504606846980, j:9] = T[i,j-1], B[j]\noutput R[1] = B[0]\n",
    "input B[9]\nT[i:-1152921504606846980..-1152921504606846970, j:9] = T[i,j-1], B[j]\noutput R[1] = B[0]\n",
    "input B[9]\nT[i:10, j:9] = T[i,j-1], B[j]\noutput R[1] = B[0]\n",
  };
  static const int64_t from[] = { 1152921504606846970, -1152921504606846980, 0 };
  for (int along = 0; along < 2; along++) {
    cdag *g;
    pebble_game *game = open_by_hand(&g, computation[_i], 200);
    int64_t i = from[_i];
    pebble_lay_sheared(game, 1, along, 1 - along, -1);
    ck_assert(play_one(game, g, PEBBLE_LOAD, "B", 0, 9, 0, 0));
    ck_assert(play_one(game, g, PEBBLE_COMPUTE, "T", i, i + 10, 0, 3));
    ck_assert(play_one(game, g, PEBBLE_COMPUTE, "T", i, i + 10, 3, 9));
    ck_assert(play_one(game, g, PEBBLE_DROP, "T", i + 1, i + 3, 2, 4));
    ck_assert(!play_one(game, g, PEBBLE_DROP, "T", i, i + 3, 3, 4));
    ck_assert_int_eq(pebble_verdict_of(game)->element.x[0], i + 1);
    ck_assert_uint_eq(pebble_verdict_of(game)->peak, 99);
    pebble_free(game);
    cdag_free(g);
  }
}
END_TEST

/* As far out as there are coordinates. */
START_TEST(far_slant)
{
  static const int64_t from[] = { INT64_C(2305843009213693900), -INT64_C(2305843009213693900) };
  int64_t i = from[_i & 1], j = from[_i >> 1 & 1];
  for (int slope = -1; slope < 2; slope += 2) {
    cdag *g;
    text words = { 0 };
    text_printf(&words,
                "input B[1]\nT[i:%" PRId64 "..%" PRId64 ", j:%" PRId64 "..%" PRId64
                "] = T[i,j-1], B[0]\noutput R[1] = B[0]\n",
                i, i + 10, j, j + 9);
    pebble_game *game = open_by_hand(&g, text_str(&words), 200);
    pebble_lay_sheared(game, 1, 0, 1, slope);
    ck_assert(play_one(game, g, PEBBLE_LOAD, "B", 0, 1, 0, 0));
    for (int64_t row = i; row < i + 10; row++)
      ck_assert(play_one(game, g, PEBBLE_COMPUTE, "T", row, row + 1, j, j + 9));
    ck_assert(play_one(game, g, PEBBLE_DROP, "T", i + 1, i + 3, j + 2, j + 4));
    ck_assert(!play_one(game, g, PEBBLE_DROP, "T", i, i + 3, j + 3, j + 4));
    ck_assert_int_eq(pebble_verdict_of(game)->element.x[0], i + 1);
    ck_assert_uint_eq(pebble_verdict_of(game)->peak, 91);
    pebble_free(game);
    cdag_free(g);
    text_clear(&words);
  }
}
END_TEST

/* Of an array that is an input where its rule names nothing, the elements are told one by one where that is no box. */
START_TEST(sources)
{
  cdag *g;
  pebble_game *game =
      open_by_hand(&g, "param n = 9\ninput B[i:n, j:i+1]\ninput T[i:n] = B[2*i-5,*]\noutput R[1] = T[0]\n", 200);
  int64_t x[] = { 2 };
  ck_assert(pebble_is_blue(game, 1, x));
  x[0] = 3;
  ck_assert(!pebble_is_blue(game, 1, x));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "T", 0, 3, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "B", 0, 9, 0, 9));
  ck_assert(play_one(game, g, PEBBLE_COMPUTE, "T", 3, 7, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "T", 7, 9, 0, 0));
  pebble_free(game);
  cdag_free(g);
}
END_TEST

/* The same where what an element reads is no box, and may be nothing; and where no box around what it reads is empty,
 * and yet there may be nothing in it. */
START_TEST(sources_one_by_one)
{
  static const char *const reads[] = { "input B[i:n, j:i, k:i-3+j]", "input B[i:n, j:3, k:i*j/5]" };
  cdag *g;
  char computation[200];
  snprintf(computation, sizeof computation, "param n = 9\n%s\ninput T[i:n] = B[i,*,*]\noutput R[1] = T[0]\n",
           reads[_i]);
  pebble_game *game = open_by_hand(&g, computation, 200);
  int64_t x[] = { 2 };
  ck_assert(pebble_is_blue(game, 1, x));
  x[0] = 3;
  ck_assert(!pebble_is_blue(game, 1, x));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "T", 0, 3, 0, 0));
  ck_assert(!play_one(game, g, PEBBLE_LOAD, "T", 3, 4, 0, 0));
  pebble_free(game);
  cdag_free(g);
}
END_TEST

/* An element that reads several rows of a slant, its own among them. */
START_TEST(rows_of_a_slant)
{
  cdag *g;
  pebble_game *game = open_by_hand(&g, "input B[9]\nT[i:10, j:9] = T[i-1..i+1,j-1], B[j]\noutput R[1] = B[0]\n", 200);
  pebble_lay_sheared(game, 1, 0, 1, -1);
  ck_assert(play_one(game, g, PEBBLE_LOAD, "B", 0, 9, 0, 0));
  for (int64_t i = 0; i < 4; i++)
    ck_assert(play_one(game, g, PEBBLE_COMPUTE, "T", i, i + 1, 0, 9));
  ck_assert(play_one(game, g, PEBBLE_DROP, "T", 3, 4, 5, 6));
  ck_assert(!play_one(game, g, PEBBLE_COMPUTE, "T", 4, 5, 0, 9));
  const pebble_verdict *v = pebble_verdict_of(game);
  ck_assert_int_eq(v->rule, PEBBLE_PREDECESSOR);
  ck_assert_int_eq(v->element.x[1], 6);
  ck_assert_int_eq(v->missing.x[0], 3);
  ck_assert_int_eq(v->missing.x[1], 5);
  ck_assert_uint_eq(v->computes, 42);
  pebble_free(game);
  cdag_free(g);
}
END_TEST

/* What lies around an image need not be red; and what the box itself brings later is not there yet. */
START_TEST(windows)
{
  cdag *g;
  pebble_game *game = open_by_hand(&g,
                                   "input X[13]\nC[i:4] = X[3*i]\nA[i:9, j:9] = A[i+1,j..j+3], X[j+1..j+3]\n"
                                   "W[i:5, j:3] = X[2*i+j]\noutput R[1] = X[0]\n",
                                   200);
  for (int64_t x = 0; x < 10; x += 3)
    ck_assert(play_one(game, g, PEBBLE_LOAD, "X", x, x + 1, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_COMPUTE, "C", 0, 4, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "X", 1, 3, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "X", 4, 6, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "X", 7, 9, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_LOAD, "X", 10, 13, 0, 0));
  ck_assert(play_one(game, g, PEBBLE_COMPUTE, "W", 0, 5, 0, 3));
  ck_assert(play_one(game, g, PEBBLE_COMPUTE, "A", 8, 9, 0, 9));
  ck_assert(play_one(game, g, PEBBLE_COMPUTE, "A", 7, 8, 0, 9));
  ck_assert(!play_one(game, g, PEBBLE_COMPUTE, "A", 5, 7, 0, 9));
  const pebble_verdict *v = pebble_verdict_of(game);
  ck_assert_int_eq(v->rule, PEBBLE_PREDECESSOR);
  ck_assert_int_eq(v->element.x[0], 5);
  ck_assert_int_eq(v->element.x[1], 0);
  ck_assert_int_eq(v->missing.x[0], 6);
  pebble_free(game);
  cdag_free(g);
}
END_TEST

/* Edges that are computed one by one are no moves of boxes. */
START_TEST(no_partial_game)
{
  cdag *g = NULL;
  pebble_game *game;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "by hand", "input B[9]\noutput R[1] = B[*]\n", "", &d), OK);
  ck_assert_int_eq(pebble_new(&game, g, PEBBLE_BY_TILE, &(pebble_rules){ .m = 9, .variant = PEBBLE_PARTIAL }, &d),
                   BAD_INPUT);
  ck_assert_ptr_null(game);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, random_boxes, 0, support_rounds(1500));
  tcase_add_loop_test(c, random_terms, 0, support_rounds(600));
  tcase_add_test(c, untrue_diagonal);
  tcase_add_loop_test(c, untrue_slant, 0, 3);
  tcase_add_loop_test(c, far_slant, 0, 4);
  tcase_add_test(c, sources);
  tcase_add_loop_test(c, sources_one_by_one, 0, 2);
  tcase_add_test(c, rows_of_a_slant);
  tcase_add_test(c, windows);
  tcase_add_test(c, no_partial_game);
  return support_run(s);
}
