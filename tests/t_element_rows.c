/* Boxes of a random rule computed again and again where all that they read is red: row by row, element by element and
   as boxes, with drops of every kind, in plenty of memory and in just enough, and where something is missing. */
#include "pebble/element/element.h"
#include "pebble/tile/look.h"
#include "tests/support_terms.h"
#include "tests/support_tile.h"
#include <string.h>

typedef enum { PLAIN, QUICK, TILE, PLAYERS } player;
enum { INPUTS = 3, OWN = 3, DROPS = 3, TIMES = 12 };

typedef struct {
  support_random r;
  text words;
  cdag *g;
  pebble_rules rules;
  pebble_game *game[PLAYERS];  /* they play the same */
  int computed, legal;         /* of the boxes */
} maker;

static int pick(maker *m, int lo, int hi) { return (int)support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

/* ---- one move by all ---- */

static const char *difference(const maker *m, player by)
{
  const pebble_game *a = m->game[PLAIN], *b = m->game[by];
  cdag_element e;
  for (uint64_t id = 0; id < m->g->vertices; id++) {
    cdag_at(m->g, id, &e);
    if (pebble_is_red(a, e.array, e.x) != pebble_is_red(b, e.array, e.x))
      return "position";
  }
  return tile_difference(m->g, pebble_verdict_of(a), pebble_verdict_of(b));
}

static bool play(maker *m, const pebble_move *move)
{
  bool legal = pebble_verdict_of(m->game[PLAIN])->legal;
  for (player by = PLAIN; legal && by < PLAYERS; by++)
    pebble_play(m->game[by], move);
  return legal && pebble_verdict_of(m->game[PLAIN])->legal;
}

static void compare(const maker *m, const cdag_box *b)
{
  for (player by = QUICK; by < PLAYERS; by++) {
    const char *what = difference(m, by);
    ck_assert_msg(!what, "%s: %s differs, box %d..%d, %d..%d, %d..%d, M %d in\n%s", by == TILE ? "by tile" : "by rows",
                  what, (int)b->lo[0], (int)b->hi[0], (int)b->lo[1], (int)b->hi[1], (int)b->lo[2], (int)b->hi[2],
                  (int)m->rules.m, text_str(&m->words));
  }
}

/* ---- all red, X in an order in which it can be computed ---- */

static bool is_red(void *context, const cdag_element *e, int term)
{
  (void)term;
  return pebble_is_red(context, e->array, e->x);
}

static bool place_one(maker *m, const cdag_element *e)
{
  pebble_move move = { .kind = cdag_is_input(m->g, e->array, e->x) ? PEBBLE_LOAD : PEBBLE_COMPUTE, .array = e->array };
  if (pebble_is_red(m->game[PLAIN], e->array, e->x) ||
      !cdag_each_predecessor(m->g, e->array, e->x, is_red, m->game[PLAIN]))
    return false;
  for (int r = 0; r < m->g->array[e->array].rank; r++) {
    move.box.lo[r] = e->x[r];
    move.box.hi[r] = e->x[r] + 1;
  }
  return play(m, &move);
}

static void place_all(maker *m)
{
  cdag_element e;
  for (bool more = true; more;) {
    more = false;
    for (uint64_t id = 0; id < m->g->vertices; id++) {
      cdag_at(m->g, id, &e);
      more |= place_one(m, &e);
    }
  }
}

/* ---- the box ---- */

static cdag_box any_box(maker *m)
{
  cdag_box b = { { 0 }, { 0 } };
  for (int r = 0; r < TERMS_RANK; r++) {
    int n = terms_extent(TERMS_X, r), along = r == TERMS_RANK - 1 || chance(m, 2);
    b.lo[r] = along && chance(m, 2) ? 0 : pick(m, 0, n - 1);
    b.hi[r] = !along ? b.lo[r] + 1 : chance(m, 2) ? n : pick(m, (int)b.lo[r] + 1, n);
  }
  return b;
}

/* The same array again: beside, or over, the box before. */
static void put_drop(maker *m, pebble_drop *drop, int i)
{
  static const int array[TERMS_ARRAYS] = { 0, 1, OWN };
  bool again = i > 0 && chance(m, 2);
  drop[i] =
      (pebble_drop){ .array = again ? drop[i - 1].array : array[pick(m, 0, TERMS_X)], .whole = !again && chance(m, 2) };
  for (int r = 0; r < m->g->array[drop[i].array].rank; r++) {
    drop[i].box.lo[r] = pick(m, -1, 4);
    drop[i].box.hi[r] = chance(m, 2) ? 9 : pick(m, (int)drop[i].box.lo[r], 8);
  }
}

static void take_away(maker *m, int array, const cdag_box *b)
{
  play(m, &(pebble_move){ .kind = PEBBLE_DROP, .array = array, .box = *b });
}

/* Nothing: beyond the array, or with no extent. */
static cdag_box no_box(maker *m)
{
  cdag_box b = any_box(m);
  int r = pick(m, 0, TERMS_RANK - 1);
  if (chance(m, 2))
    b.lo[r] = pick(m, (int)b.hi[r], 9);
  else
    b.lo[r] = (b.hi[r] = terms_extent(TERMS_X, r) + pick(m, 1, 3)) - 1;
  return b;
}

static bool compute_again(maker *m)
{
  pebble_drop drop[DROPS];
  cdag_box b = any_box(m), hole = { { pick(m, 0, 7), pick(m, 0, 7) }, { 0 } };
  cdag_box nothing = no_box(m);
  take_away(m, OWN, &nothing);
  take_away(m, OWN, &b);
  hole.hi[0] = hole.lo[0] + 1;
  hole.hi[1] = hole.lo[1] + 1;
  if (chance(m, 12)) /* something is missing */
    take_away(m, pick(m, 0, 1), &hole);
  if (chance(m, 12))
    b = any_box(m);
  pebble_move move = { .kind = PEBBLE_COMPUTE, .array = OWN, .box = b, .drops = pick(m, 0, DROPS), .drop = drop };
  for (int i = 0; i < move.drops; i++)
    put_drop(m, drop, i);
  bool legal = play(m, &move);
  ck_assert_ptr_null(pebble_tiles_check(pebble_red_tiles(m->game[TILE], OWN)));
  compare(m, &b);
  m->computed++;
  m->legal += legal;
  return legal;
}

static void compute_boxes(maker *m)
{
  static const uint64_t memory[] = { 1000, 1000, 1000, 163, 163, 160 }; /* all there is: 163 */
  diag d = { 0 };
  m->rules = (pebble_rules){ .variant = chance(m, 3) ? PEBBLE_SLIDING : PEBBLE_PLACING,
                             .m = memory[pick(m, 0, COUNT(memory) - 1)] };
  for (player by = PLAIN; by < PLAYERS; by++) {
    ck_assert_int_eq(pebble_new(&m->game[by], m->g, by == TILE ? PEBBLE_BY_TILE : PEBBLE_BY_ELEMENT, &m->rules, &d),
                     OK);
    if (by != TILE)
      element_set_plain(m->game[by], by == PLAIN);
  }
  for (int k = 0; k < TIMES; k++) {
    place_all(m);
    if (!pebble_verdict_of(m->game[PLAIN])->legal || !compute_again(m))
      break;
  }
  for (player by = PLAIN; by < PLAYERS; by++)
    pebble_free(m->game[by]);
}

static void check(uint64_t seed, int *computed, int *legal)
{
  maker m = { .r = { seed ^ 0x70115 } };
  terms_term term[TERMS_MOST];
  diag d = { 0 };
  support_terms(&m.words, &m.r, chance(&m, 3), term);
  if (cdag_parse(&m.g, "rows", text_str(&m.words), "", &d) == OK)
    compute_boxes(&m);
  *computed += m.computed;
  *legal += m.legal;
  cdag_free(m.g);
  text_clear(&m.words);
}

START_TEST(agree)
{
  int computed = 0, legal = 0;
  for (int k = 0; k < 10; k++)
    check(10 * (uint64_t)_i + (uint64_t)k, &computed, &legal);
}
END_TEST

START_TEST(many_are_legal)
{
  int computed = 0, legal = 0;
  for (uint64_t seed = 0; seed < 300; seed++)
    check(seed, &computed, &legal);
  ck_assert_int_gt(legal, 300);
  ck_assert_int_gt(computed - legal, 50);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("element_rows");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 30, 30 + support_rounds(170));
  tcase_add_test(c, many_are_legal);
  return support_run(s);
}
