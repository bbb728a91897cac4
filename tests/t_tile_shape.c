/* May the elements of a box be computed as one move, and what does that do to the number of pebbles?  The tile engine's
   answer, which is exact (tests 2 to 4 of docs/tile-engine.md), against its definition, element by element. */
#include "pebble/extrapolate/forward.h"
#include "pebble/tile/internal.h"
#include "tests/support_terms.h"
#include <string.h>

enum { PEBBLES = TERMS_SIDE * TERMS_SIDE * TERMS_SIDE, BOXES = 12 };

typedef struct {
  support_random r;
  text words;
  terms_term term[TERMS_MOST];
  int terms;
  pebble_drop drop[3];
  int drops;
  bool sliding;
} maker;

static int pick(maker *m, int lo, int hi) { return (int)support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

/* ---- drops ---- */

/* Drops that name a pebble twice are no mistake, but taken for one until the box is a single element. */
static bool overlap(const pebble_drop *a, const pebble_drop *b)
{
  return a->array == b->array && (a->whole || b->whole || cdag_box_meets(&a->box, &b->box, terms_rank[a->array]));
}

static void put_drop(maker *m)
{
  pebble_drop *d = &m->drop[m->drops++];
  *d = (pebble_drop){ .array = pick(m, 0, TERMS_X), .whole = chance(m, 2) };
  for (int r = 0; r < terms_rank[d->array]; r++) {
    d->box.lo[r] = pick(m, -1, 3);
    d->box.hi[r] = pick(m, 2, TERMS_SIDE + 1);
  }
  for (int i = 0; i + 1 < m->drops; i++)
    if (overlap(&m->drop[i], d)) {
      m->drops--;
      return;
    }
}

static void make(maker *m, uint64_t seed)
{
  *m = (maker){ .r = { seed ^ 0x54a9e } };
  m->sliding = chance(m, 3);
  m->terms = support_terms(&m->words, &m->r, false, m->term);
  for (int n = pick(m, 0, 3); n > 0; n--)
    put_drop(m);
}

/* ---- by definition ---- */

typedef struct {
  const maker *m;
  const cdag_box *box;
  int64_t now;                 /* elements of the box so far */
  int64_t last_read[TERMS_ARRAYS][PEBBLES], dropped[TERMS_ARRAYS][PEBBLES];
  bool sound;
  int64_t net, peak;
} judge;

static int place(const int64_t *p, int rank)
{
  int at = 0;
  for (int r = 0; r < rank; r++)
    at = at * TERMS_SIDE + (int)p[r];
  return at;
}

static bool inside(const cdag_box *b, const int64_t *p, int rank)
{
  for (int r = 0; r < rank; r++)
    if (p[r] < b->lo[r] || p[r] >= b->hi[r])
      return false;
  return true;
}

static bool drops(const maker *m, int array, const int64_t *p)
{
  for (int i = 0; i < m->drops; i++)
    if (m->drop[i].array == array && (m->drop[i].whole || inside(&m->drop[i].box, p, terms_rank[array])))
      return true;
  return false;
}

/* -1, 0, 1: p before, at or after x. */
static int compare(const int64_t *p, const int64_t *x)
{
  for (int r = 0; r < 3; r++)
    if (p[r] != x[r])
      return p[r] < x[r] ? -1 : 1;
  return 0;
}

/* x reads p; how many pebbles go? */
static int read_one(judge *j, int array, const int64_t *p, const int64_t *x)
{
  int at = place(p, terms_rank[array]);
  j->last_read[array][at] = j->now;
  if (array == TERMS_X && inside(j->box, p, 3) && compare(p, x) > 0)
    j->sound = false;
  if (!drops(j->m, array, p))
    return 0;
  if (j->dropped[array][at] == j->now) {
    j->sound = j->sound && pebble_box_volume(j->box, 3) == 1; /* of one element, pebbles are told apart */
    return 0;
  }
  if (!j->dropped[array][at])
    j->dropped[array][at] = j->now;
  return 1;
}

static int read_term(judge *j, const terms_term *t, const int64_t *x)
{
  int rank = terms_rank[t->array], gone = 0;
  int64_t lo[3] = { 0 }, hi[3] = { 1, 1, 1 }, p[3];
  for (int r = 0; r < rank; r++)
    terms_read(t, r, x, &lo[r], &hi[r]);
  for (p[0] = lo[0]; p[0] < hi[0]; p[0]++)
    for (p[1] = lo[1]; p[1] < hi[1]; p[1]++)
      for (p[2] = lo[2]; p[2] < hi[2]; p[2]++)
        gone += read_one(j, t->array, p, x);
  return gone;
}

static void play_one(judge *j, const int64_t *x)
{
  int gone = 0;
  j->now++;
  for (int t = 0; t < j->m->terms; t++)
    gone += read_term(j, &j->m->term[t], x);
  int64_t most = j->net + !(gone && j->m->sliding);
  j->peak = most > j->peak ? most : j->peak;
  j->net += 1 - gone;
}

static void play_box(judge *j)
{
  int64_t x[3];
  for (x[0] = j->box->lo[0]; x[0] < j->box->hi[0]; x[0]++)
    for (x[1] = j->box->lo[1]; x[1] < j->box->hi[1]; x[1]++)
      for (x[2] = j->box->lo[2]; x[2] < j->box->hi[2]; x[2]++)
        play_one(j, x);
  for (int a = 0; a < TERMS_ARRAYS; a++)
    for (int p = 0; p < PEBBLES; p++)
      if (j->dropped[a][p] && j->dropped[a][p] < j->last_read[a][p])
        j->sound = false;
}

/* ---- the engine ---- */

static cdag_box any_box(maker *m)
{
  cdag_box b = { { 0 }, { 0 } };
  for (int r = 0; r < 3; r++) {
    int n = terms_extent(TERMS_X, r);
    b.lo[r] = pick(m, 0, n - 1);
    b.hi[r] = chance(m, 2) ? b.lo[r] + 1 : pick(m, (int)b.lo[r] + 1, n);
  }
  return b;
}

static bool images_are_boxes(tile_game *t, int array, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[array];
  tile_image image;
  for (int i = 0; i < rule->terms; i++)
    if (tile_image_of(&t->rules, array, &rule->term[i], b, &image) == TILE_SPLIT)
      return false;
  return true;
}

typedef struct { uint64_t asked, sound; } tally;

static void check_box(maker *m, tile_game *t, const cdag_box *b, tally *of)
{
  enum { HELD = 100000 };
  static const int array[TERMS_ARRAYS] = { 0, 1, 3 }; /* in the computation */
  pebble_drop drop[3];
  judge *j = MEM_NEW(judge, 1);
  *j = (judge){ .m = m, .box = b, .sound = true };
  play_box(j);
  for (int i = 0; i < m->drops; i++) {
    drop[i] = m->drop[i];
    drop[i].array = array[drop[i].array];
  }
  t->base.red = t->base.verdict.peak = HELD;
  tile_answer answer = tile_compute(t, &(pebble_move){ PEBBLE_COMPUTE, array[TERMS_X], *b, m->drops, drop }, b);
  bool right =
      (answer == TILE_BOX) == j->sound &&
      (!j->sound || ((int64_t)t->base.red - HELD == j->net && (int64_t)t->base.verdict.peak - HELD == j->peak));
  ck_assert_msg(
      right,
      "box %d..%d, %d..%d, %d..%d, sliding %d: %s, net %ld, peak %ld; by definition %s, net %ld, peak %ld in\n%s",
      (int)b->lo[0], (int)b->hi[0], (int)b->lo[1], (int)b->hi[1], (int)b->lo[2], (int)b->hi[2], m->sliding,
      answer == TILE_BOX ? "sound" : "not sound", (long)t->base.red - HELD, (long)t->base.verdict.peak - HELD,
      j->sound ? "sound" : "not sound", (long)j->net, (long)j->peak, text_str(&m->words));
  of->asked++;
  of->sound += j->sound;
  mem_free(j);
}

static void check_all(uint64_t seed, tally *of)
{
  maker m;
  cdag *g = NULL;
  pebble_game *game;
  diag d = { 0 };
  make(&m, seed);
  if (cdag_parse(&g, "shape.cdag", text_str(&m.words), "", &d) == OK) {
    ck_assert_int_eq(
        pebble_blind_new(&game, g, &(pebble_rules){ .variant = m.sliding ? PEBBLE_SLIDING : PEBBLE_PLACING }, &d), OK);
    tile_game *t = (tile_game *)game;
    pebble_forward *f = pebble_forward_new(game);
    for (int k = 0; k < 2 * BOXES; k++) {
      cdag_box b = any_box(&m);
      if (k == BOXES)
        pebble_forward_record(f); /* lines are asked for in another way */
      if (images_are_boxes(t, 3, &b))
        check_box(&m, t, &b, of);
    }
    pebble_forward_rest(f);
    pebble_forward_free(f);
    pebble_free(game);
  }
  cdag_free(g);
  text_clear(&m.words);
}

START_TEST(shapes)
{
  tally of = { 0 };
  check_all((uint64_t)_i, &of);
}
END_TEST

/* Worth something only if many are, and many are not. */
START_TEST(of_both_kinds)
{
  tally of = { 0 };
  for (uint64_t seed = 0; seed < 300; seed++)
    check_all(seed, &of);
  ck_assert_uint_gt(of.sound, 1000);
  ck_assert_uint_gt(of.asked - of.sound, 500);
}
END_TEST

/* In row i = k of step k two terms name one element, and the first is dropped: that row is one box still; in other rows
   they name two, of which one is needed again. */
START_TEST(named_twice)
{
  diag d = { 0 };
  cdag *g;
  pebble_game *game;
  ck_assert_int_eq(cdag_parse(&g, "pivots",
                              "input A[k:0..1, i:4, j:9]\nA[k:1..4, i:4, j:9] = A[k-1,i,j], A[k-1,k,j]\n"
                              "output A[3,*,*]",
                              "", &d),
                   OK);
  ck_assert_int_eq(pebble_new(&game, g, PEBBLE_BY_TILE, &(pebble_rules){ .m = 100 }, &d), OK);
  pebble_move load = { .kind = PEBBLE_LOAD, .box = { { 0, 0, 0 }, { 1, 4, 9 } } };
  pebble_drop drop = { .array = 0, .box = { { 0, 0, 0 }, { 1, 4, 9 } } };
  pebble_move compute = { .kind = PEBBLE_COMPUTE, .drop = &drop, .drops = 1 };
  ck_assert(pebble_play(game, &load));
  tile_game *t = (tile_game *)game;
  ck_assert_int_eq(tile_compute(t, &compute, &(cdag_box){ { 1, 0, 0 }, { 2, 2, 9 } }), TILE_SPLIT);
  ck_assert_int_eq(tile_compute(t, &compute, &(cdag_box){ { 1, 1, 0 }, { 2, 2, 9 } }), TILE_BOX);
  ck_assert_uint_eq(t->base.red, 36);
  pebble_free(game);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_shape");
  TCase *c = support_case(s, "definition");
  tcase_add_loop_test(c, shapes, 300, 300 + support_rounds(1000));
  tcase_add_test(c, of_both_kinds);
  tcase_add_test(c, named_twice);
  return support_run(s);
}
