/* The pyramid's bound: its two counts against the fewest loads and the fewest stored vertices of any play, by trying
   all; graphs that are pyramids and graphs that are nearly so; claims; and optima that it must not exceed. */
#include "bounds/geometry/crossings.h"
#include "base/mem.h"
#include "pebble/optimal.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdlib.h>
#include <string.h>

/* ---- a small pyramid, played in all ways ---- */

enum {
  HIGH = 4,
  VERTICES = (HIGH + 1) * (HIGH + 2) / 2,
  STATES = 1 << (VERTICES + VERTICES - HIGH - 1),
  REACHED = 1 << 20
};
typedef struct {
  int n, inputs, pebbles;
  bool sliding;
  unsigned reads[VERTICES];
} game;

static game make_game(int h, int width, bool sliding)
{
  game g = { .n = h + 1, .inputs = h + 1, .pebbles = width + (sliding ? 1 : 2), .sliding = sliding };
  for (int row = 0, s = h; s > 0; row += s-- + 1)
    for (int j = 0; j < s; j++)
      g.reads[g.n++] = 3u << (row + j);
  return g;
}

/* A state: the red vertices, and above them those of `kept` that were computed.  What was computed and is kept may be
 * loaded: stores are free here. */
enum { UNSEEN, WAITING, TAKEN };
typedef struct {
  const game *g;
  unsigned kept, *now, *later;   /* states with so many loads, and with one more */
  int n, waiting;
  uint8_t *seen;
} search;

static void reach(search *s, unsigned red, unsigned computed, bool loaded)
{
  unsigned state = red | (computed & s->kept) >> s->g->inputs << s->g->n;
  if (__builtin_popcount(red) > s->g->pebbles || s->seen[state] >= (loaded ? WAITING : TAKEN))
    return;
  ck_assert_int_lt(loaded ? s->waiting : s->n, REACHED);
  s->seen[state] = loaded ? WAITING : TAKEN;
  if (loaded)
    s->later[s->waiting++] = state;
  else
    s->now[s->n++] = state;
}

static void move_at(search *s, unsigned red, unsigned computed, int v)
{
  const game *g = s->g;
  unsigned bit = 1u << v;
  if (red & bit) {
    reach(s, red & ~bit, computed, false);
    return;
  }
  if (v < g->inputs || computed & bit)
    reach(s, red | bit, computed, true);
  if (v < g->inputs || (g->reads[v] & ~red))
    return;
  reach(s, red | bit, computed | bit, false);
  for (int u = 0; u < v && g->sliding; u++)
    if (g->reads[v] >> u & 1)
      reach(s, (red | bit) & ~(1u << u), computed | bit, false);
}

/* Goes on with the states that are there: is one among them, or reached without a load, in which all of `wanted` is red
 * or kept? */
static bool go_on(search *s, unsigned wanted)
{
  const game *g = s->g;
  while (s->n > 0) {
    unsigned state = s->now[--s->n], red = state & ((1u << g->n) - 1), computed = state >> g->n << g->inputs;
    if ((wanted & ~(red | computed)) == 0)
      return true;
    for (int v = 0; v < g->n; v++)
      move_at(s, red, computed, v);
  }
  for (; s->waiting > 0; s->waiting--) {
    unsigned state = s->later[s->waiting - 1];
    if (s->seen[state] == WAITING)
      s->now[s->n++] = state;
    s->seen[state] = TAKEN;
  }
  return false;
}

/* The fewest loads with which all of `wanted` are red or kept at one time; -1 if that cannot be. */
static int fewest_loads(const game *g, unsigned wanted, unsigned kept)
{
  search s = { .g = g,
               .kept = kept,
               .seen = MEM_NEW(uint8_t, STATES),
               .now = MEM_NEW(unsigned, REACHED),
               .later = MEM_NEW(unsigned, REACHED) };
  int loads = 0;
  bool found = false;
  reach(&s, 0, 0, false);
  for (; s.n > 0 && !(found = go_on(&s, wanted)); loads++)
    ;
  mem_free(s.seen);
  mem_free(s.now);
  mem_free(s.later);
  return found ? loads : -1;
}

static const struct { int h, width; } played[] = { { 2, 1 }, { 3, 1 }, { 3, 2 }, { 4, 1 }, { 4, 2 }, { 4, 3 } };

/* With stores that are free the bound is what the best play needs. */
START_TEST(fewest_loads_of_all_plays)
{
  int h = played[_i / 2].h, width = played[_i / 2].width;
  game g = make_game(h, width, _i % 2);
  unsigned inner = (1u << g.n) - (1u << g.inputs);
  ck_assert_int_eq(fewest_loads(&g, inner, inner), bound_crossings_loads(h, width));
}
END_TEST

START_TEST(fewest_stores_of_all_plays)
{
  int h = played[_i / 2].h, width = played[_i / 2].width, fewest = VERTICES;
  game g = make_game(h, width, _i % 2);
  unsigned top = 1u << (g.n - 1);
  int64_t base, stores = bound_crossings_stores(h, width, &base);
  for (unsigned kept = 0; kept < top >> g.inputs; kept++)
    if (__builtin_popcount(kept) < fewest && fewest_loads(&g, top, kept << g.inputs) >= 0)
      fewest = __builtin_popcount(kept);
  ck_assert_msg(stores >= 1 && stores <= fewest && base > width && base <= h,
                "height %d, width %d: at least %d, not %ld", h, width, fewest, (long)stores);
}
END_TEST

/* ---- graphs ---- */

typedef struct { uint32_t n, m, source[2 * VERTICES], target[2 * VERTICES]; uint8_t output[VERTICES]; } edges;

static edges edges_of(int h, bool right_first)
{
  game p = make_game(h, 1, false);
  edges e = { .n = (uint32_t)p.n };
  for (int v = p.inputs; v < p.n; v++)
    for (int u = 0; u < v; u++)
      if (p.reads[v] >> u & 1) {
        e.source[e.m ^ right_first] = (uint32_t)u;
        e.target[e.m++] = (uint32_t)v;
      }
  return e;
}

static cdag *graph_of(const edges *e)
{
  cdag_graph g = { 0 };
  cdag *c = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_graph_init(&g, e->n, e->m, e->source, e->target, e->output, &d), OK);
  ck_assert_int_eq(cdag_from_graph(&c, &g, "graph"), OK);
  return c;
}

#define CLAIM(height, loads, base, stores)                                                                             \
  "{\"height\": " height ", \"loads\": " loads ", \"base\": " base ", \"stores\": " stores "}"
#define THREE CLAIM("3", "5", "3", "1") /* of height 3 with M = 4 */

static void expect(const edges *e, bool pyramid, const char *what, unsigned k)
{
  cdag *c = graph_of(e);
  int64_t h;
  ck_assert_msg(bound_is_pyramid(c->graph, &h) == pyramid && (!pyramid || h == 3), "%s %u", what, k);
  ck_assert_msg(bound_claim_holds("crossings", c, 4, THREE) == pyramid, "%s %u", what, k);
  cdag_free(c);
}

/* One edge elsewhere, missing or too many, and it is no pyramid; prover and checker know it. */
START_TEST(nearly_pyramids)
{
  edges whole = edges_of(3, _i), e;
  expect(&whole, true, "whole", 0);
  for (uint32_t k = 0; k < whole.m; k++) {
    for (uint32_t from = 0; from < whole.target[k]; from++) {
      e = whole;
      e.source[k] = from;
      expect(&e, from == whole.source[k], "an edge elsewhere:", k);
    }
    e = whole;
    e.source[k] = whole.source[--e.m];
    e.target[k] = whole.target[e.m];
    expect(&e, false, "without edge", k);
  }
  for (uint32_t from = 0; from < 9; from++) {
    e = whole;
    e.source[e.m] = from;
    e.target[e.m++] = 9;
    expect(&e, from >= 7, "one more to the top, from", from); /* the two that it has anyway */
  }
  e = whole;
  e.source[e.m] = 0;
  e.target[e.m++] = 1;
  expect(&e, false, "an input that reads another", 0);
  e = whole;
  e.n++;
  e.output[e.n - 1] = 1;
  expect(&e, false, "one vertex more", 0);
  e = whole;
  e.output[5] = 1;
  expect(&e, true, "another output", 5);
}
END_TEST

START_TEST(others)
{
  static const char *const spec[] = { "pyramid:h=0",   "tree:h=2",     "fft:l=1", "fft:l=2",
                                      "hypercube:l=3", "strassen:l=1", "tree:h=1" };
  for (int i = 0; i < COUNT(spec); i++) {
    cdag *c = NULL;
    diag d = { 0 };
    int64_t h;
    ck_assert_int_eq(cdag_open(&c, spec[i], &d), OK);
    ck_assert_msg(bound_is_pyramid(c->graph, &h) == (i == COUNT(spec) - 1), "%s",
                  spec[i]); /* two leaves and a root: a pyramid of height 1 */
    cdag_free(c);
  }
}
END_TEST

/* ---- claims ---- */

START_TEST(claims)
{
  static const struct { const char *claim, *why; int64_t m; } wrong[] = {
    { "{}", "'height' is missing", 4 },
    { CLAIM("2", "5", "3", "1"), "no pyramid of that height", 4 },
    { CLAIM("4", "5", "3", "1"), "no pyramid of that height", 4 },
    { CLAIM("0", "5", "3", "1"), "no pyramid of that height", 4 },
    { CLAIM("-6", "5", "3", "1"), "no pyramid of that height", 4 }, /* (h + 1)(h + 2) = 20, too */
    { CLAIM("4294967299", "5", "3", "1"), "no pyramid of that height", 4 },
    { THREE, "nothing is computed", 2 },
    { THREE, "nothing is computed", 1 },
    { CLAIM("3", "5", "\"3\"", "1"), "not two numbers in range", 4 },
    { CLAIM("3", "5", "3", "\"1\""), "not two numbers in range", 4 },
    { CLAIM("3", "5", "3", "-1"), "not two numbers in range", 4 },
    { CLAIM("3", "5", "3", "4294967296"), "not two numbers in range", 4 },
    { CLAIM("3", "5", "0", "1"), "nothing is known to be stored", 4 },
    { CLAIM("3", "5", "2", "1"), "need no more than there is", 4 },
    { CLAIM("3", "5", "4", "1"), "too large", 4 },
    { CLAIM("3", "5", "3", "0"), "not what these pyramids want", 4 },
    { CLAIM("3", "5", "3", "2"), "not what these pyramids want", 4 },
    { CLAIM("3", "7", "2", "2"), "not what these pyramids want", 3 },
    { CLAIM("3", "4", "3", "1"), "'loads'", 4 },
    { CLAIM("3", "6", "3", "1"), "'loads'", 4 },
  };
  edges e = edges_of(3, false);
  cdag *c = graph_of(&e);
  mpz_t value;
  for (int i = 0; i < COUNT(wrong); i++)
    bound_claim_refused("crossings", c, wrong[i].m, wrong[i].claim, wrong[i].why);
  bound_claim_refused("crossings-sliding", c, 1, THREE, "nothing is computed");
  mpz_init_set_si(value, 5 + 1 + 1);
  ck_assert(bound_claim_gives("crossings", c, 4, THREE, value));
  ck_assert(bound_claim_gives("crossings-sliding", c, 3, THREE, value));
  mpz_set_si(value, 5 + 0 + 1);
  ck_assert(bound_claim_gives("crossings", c, 4, CLAIM("3", "5", "0", "0"), value));
  mpz_set_si(value, 7 + 1 + 1);
  ck_assert(bound_claim_gives("crossings", c, 3, CLAIM("3", "7", "2", "1"),
                              value)); /* one in each of three places, no vertex in more than three */
  mpz_set_si(value, 4 + 0 + 1);
  ck_assert(bound_claim_gives("crossings", c, INT64_MAX, CLAIM("3", "4", "0", "0"), value));
  cdag_free(c);
  e = edges_of(1, false);
  c = graph_of(&e);
  mpz_set_si(value, 2 + 0 + 1);
  ck_assert(bound_claim_gives("crossings", c, 4, CLAIM("1", "2", "0", "0"), value));
  cdag_free(c);
  mpz_clear(value);
}
END_TEST

static void ask_theorem(const char *theorem, const char *spec, uint64_t m, int variant, bound_list *l,
                        bound_question *q, cdag **g)
{
  diag d = { 0 };
  int best;
  ck_assert_int_eq(cdag_open(g, spec, &d), OK);
  *q = (bound_question){ .work = SEARCH_WORK, .g = *g, .m = m, .variant = variant, .theorem = theorem };
  ck_assert_int_eq(bound_all(q, l, &best, &d), OK);
}

static const bound *ask(const char *spec, uint64_t m, int variant, bound_list *l, bound_question *q, cdag **g)
{
  ask_theorem("crossings", spec, m, variant, l, q, g);
  return bound_named(l, variant == 1 ? "crossings-sliding" : "crossings");
}

START_TEST(certificates)
{
  static const char *const numbers[] = { "\"height\":", "\"loads\":", "\"stores\":" };
  static const struct { const char *spec; uint64_t m; int variant; bool found;
  } asked[] = {
    { "pyramid:h=20", 4, 0, true },   { "pyramid:h=20", 4, 1, true },   { "pyramid:h=20", 3, 0, true },
    { "pyramid:h=20", 2, 0, false },  { "pyramid:h=20", 2, 1, true },   { "pyramid:h=20", 1, 1, false },
    { "pyramid:h=20", 21, 0, true },  { "pyramid:h=20", 22, 0, false }, { "pyramid:h=20", 20, 1, true },
    { "pyramid:h=20", 21, 1, false }, { "pyramid:h=20", 4, 2, false },
  };
  bound_list l = { 0 };
  bound_question q;
  cdag *g = NULL;
  const bound *b = ask(asked[_i].spec, asked[_i].m, asked[_i].variant, &l, &q, &g);
  ck_assert((b != NULL) == asked[_i].found);
  if (b)
    bound_certificate_stands(&q, b, asked[_i].spec, numbers, COUNT(numbers));
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

/* ---- when nothing is computed twice ---- */

#define GRID "param n m\ninput A[i:n, j:m] = A[i-1,j], A[i,j-1]\noutput A[n-1,m-1]\n"
#define SLICES "param n m\ninput A[i:n, k:3, j:m] = A[i-1,k,j], A[i,k,j-1]\noutput A[n-1,*,m-1]\n"
#define PLACE "\"statement\": \"A\", \"along\": 0, \"across\": 1, "
#define COUNTS(place, loads, stores) "{" place "\"loads\": " loads ", \"stores\": " stores "}"

START_TEST(claims_once)
{
  static const struct { const char *claim, *why; int64_t m; } wrong[] = {
    { "{}", "no array", 16 },
    { COUNTS("\"height\": 300, ", "3753", "3252"), "no pyramid", 16 },
    { COUNTS(PLACE, "3753", "3252"), "nothing is computed", 2 },
    { COUNTS(PLACE, "3752", "3252"), "'loads'", 16 },
    { COUNTS(PLACE, "3754", "3252"), "'loads'", 16 },
    { COUNTS(PLACE, "3753", "3251"), "'stores'", 16 },
    { COUNTS(PLACE, "3753", "3253"), "'stores'", 16 },
    { COUNTS("\"statement\": \"A\", \"along\": 0, \"across\": 0, ", "3753", "3252"), "two of its indices", 16 },
  };
  static const struct { const char *theorem, *spec, *assign, *claim; int64_t m, value;
  } right[] = {
    /* 299 * 199 = 59501 points read both; 498 lines begin without a load, 14 points each; 59500 are kept, but for 15 at
       the end of each line */
    { "crossings-one-shot", GRID, "n=300,m=200", COUNTS(PLACE, "3753", "3252"), 16, 3753 + 3252 },
    { "crossings-one-shot-sliding", GRID, "n=300,m=200", COUNTS(PLACE, "3469", "3252"), 16, 3469 + 3252 },
    { "crossings-one-shot", SLICES, "n=300,m=200",
      COUNTS("\"statement\": \"A\", \"along\": 0, \"across\": 2, ", "11257", "9756"), 16, 11257 + 9756 },
    { "crossings-one-shot", GRID, "n=9,m=7", COUNTS(PLACE, "34", "7"), 3,
      34 + 7 }, /* 48 - 14; 47 - 6 * 2 - 8 * 2 = 19, by 3 */
    { "crossings-one-shot", GRID, "n=9,m=7", COUNTS(PLACE, "0", "0"), 30, 0 },
    { "crossings-one-shot-sliding", GRID, "n=9,m=2", COUNTS(PLACE, "0", "0"), 2, 0 }, /* 8 - 9 */
    { "crossings-one-shot-sliding", GRID, "n=1,m=7", COUNTS(PLACE, "0", "0"), 2, 0 },
    { "crossings-one-shot", "pyramid:h=20", "", COUNTS("\"height\": 20, ", "107", "18"), 4,
      107 + 18 + 1 }, /* 171 are kept, but for 2 (1 + 2 + 16 * 3) */
    { "crossings-one-shot-sliding", "pyramid:h=20", "", COUNTS("\"height\": 20, ", "72", "18"), 4, 72 + 18 + 1 },
    { "crossings-one-shot", "pyramid:h=2", "", COUNTS("\"height\": 2, ", "3", "0"), 4, 3 + 1 },
    { "crossings-one-shot", "pyramid:h=5", "", COUNTS("\"height\": 5, ", "16", "0"), 3,
      16 + 1 }, /* 6 - 2 (1 + 2 + 2) */
  };
  cdag *g = bound_text_open(GRID, "n=300,m=200");
  mpz_t value;
  mpz_init(value);
  for (int i = 0; i < COUNT(wrong); i++)
    bound_claim_refused("crossings-one-shot", g, wrong[i].m, wrong[i].claim, wrong[i].why);
  bound_claim_refused("crossings-one-shot-sliding", g, 1, COUNTS(PLACE, "0", "0"), "nothing is computed");
  cdag_free(g);
  for (int i = 0; i < COUNT(right); i++) {
    diag d = { 0 };
    if (right[i].assign[0])
      g = bound_text_open(right[i].spec, right[i].assign);
    else
      ck_assert_int_eq(cdag_open(&g, right[i].spec, &d), OK);
    mpz_set_si(value, right[i].value);
    ck_assert_msg(bound_claim_gives(right[i].theorem, g, right[i].m, right[i].claim, value), "%s of %s", right[i].claim,
                  right[i].spec);
    cdag_free(g);
  }
  mpz_clear(value);
}
END_TEST

static const bound *ask_once(const char *spec, uint64_t m, int variant, bound_list *l, bound_question *q, cdag **g)
{
  ask_theorem("crossings-one-shot", spec, m, variant, l, q, g);
  return bound_named(l, variant == 1 ? "crossings-one-shot-sliding" : "crossings-one-shot");
}

START_TEST(certificates_once)
{
  static const char *const numbers[] = { "\"loads\": ", "\"stores\": " };
  static const struct { const char *spec; uint64_t m; int variant; bool found;
  } asked[] = {
    { "pyramid:h=30", 4, 0, true },    { "pyramid:h=30", 4, 1, true },     { "pyramid:h=30", 4, 2, false },
    { "pyramid:h=30", 2, 0, false },   { "pyramid:h=5", 4, 0, false },     { "fft:l=3", 4, 0, false },
    { "grid:r=40,c=50", 4, 0, true },  { "grid:r=40,c=50", 4, 1, true },   { "grid:r=40,c=50", 4, 2, false },
    { "grid:r=40,c=50", 1, 1, false }, { "grid:r=40,c=50", 60, 0, false }, { "stencil:w=40,t=50", 4, 0, false },
  };
  bound_list l = { 0 };
  bound_question q;
  cdag *g = NULL;
  const bound *b = ask_once(asked[_i].spec, asked[_i].m, asked[_i].variant, &l, &q, &g);
  ck_assert_msg((b != NULL) == asked[_i].found, "%s, M = %lu", asked[_i].spec, (unsigned long)asked[_i].m);
  if (b)
    bound_certificate_stands(&q, b, asked[_i].spec, numbers, COUNT(numbers));
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

static uint64_t number(const bound *b, const char *key)
{
  const char *at = strstr(text_str(&b->parameters), key);
  ck_assert_msg(at != NULL, "no %s in %s", key, text_str(&b->parameters));
  return strtoull(at + strlen(key), NULL, 10);
}

/* Loads and stores, each by itself, of a play that computes nothing twice; of large ones the bound has three quarters.
 */
START_TEST(no_more_than_strips)
{
  support_random r = { (uint64_t)_i };
  bool large = _i % 2, pyramid = _i / 2 % 2;
  int variant = _i / 4 % 2, a = (int)support_between(&r, large ? 150 : 2, 200),
      c = (int)support_between(&r, large ? 150 : 2, 200);
  uint64_t m = (uint64_t)support_between(&r, large ? 6 : 3, large ? 12 : 60);
  bound_list l = { 0 };
  bound_question q;
  cdag *g = NULL;
  schedule *s = NULL;
  schedule_verdict v;
  diag d = { 0 };
  char spec[40];
  snprintf(spec, sizeof spec, pyramid ? "pyramid:h=%d" : "grid:r=%d,c=%d", a, c);
  const bound *b = ask_once(spec, m, variant, &l, &q, &g);
  schedule_play_options o = { .rules = {
                                  .variant = variant ? PEBBLE_SLIDING : PEBBLE_PLACING, .m = m, .one_shot = true } };
  ck_assert_int_eq(schedule_open(&s, g, m, "strips", &d), OK);
  ck_assert_int_eq(schedule_play(s, &o, &v, &d), OK);
  uint64_t loads = v.verdict.loads, stores = v.verdict.stores;
  ck_assert_msg(v.verdict.legal, "%s, M = %lu", spec, (unsigned long)m);
  ck_assert_msg(!b || (number(b, "\"loads\": ") <= loads && number(b, "\"stores\": ") <= stores), "%s, M = %lu: %s",
                spec, (unsigned long)m, b ? text_str(&b->parameters) : "");
  ck_assert_msg(!large || (b && 4 * mpz_get_ui(b->value) >= 3 * (loads + stores) / (variant ? 2 : 1)),
                "%s, M = %lu: too little", spec, (unsigned long)m);
  schedule_verdict_clear(&v);
  schedule_free(s);
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

/* ---- below the optimum ---- */

START_TEST(no_more_than_the_optimum)
{
  int h = 2 + _i % 5, width = 1 + _i / 10 % 3, variant = _i / 5 % 2;
  pebble_rules rules = { .variant = variant ? PEBBLE_SLIDING : PEBBLE_PLACING, .m = (uint64_t)(width + 2 - variant) };
  pebble_optimal_limits limits = { .seconds = 2, .bytes = 200 << 20 };
  pebble_optimum o = { 0 };
  bound_list l = { 0 };
  bound_question q;
  cdag *g = NULL;
  char spec[40];
  diag d = { 0 };
  snprintf(spec, sizeof spec, "pyramid:h=%d", h);
  const bound *b = ask(spec, rules.m, variant, &l, &q, &g);
  ck_assert((b != NULL) == (h > width));
  status st = pebble_optimal(g->graph, &rules, &limits, &o, &d);
  ck_assert((st == OK || st == GAVE_UP) && o.possible);
  ck_assert_msg(!b || mpz_cmp_ui(b->value, o.upper) <= 0, "%s", spec);
  pebble_optimum_clear(&o);
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_crossings");
  TCase *c = support_case(s, "counts");
  tcase_add_loop_test(c, fewest_loads_of_all_plays, 0, 2 * COUNT(played));
  tcase_add_loop_test(c, fewest_stores_of_all_plays, 0, 2 * COUNT(played));
  c = support_case(s, "claims");
  tcase_add_loop_test(c, nearly_pyramids, 0, 2);
  tcase_add_test(c, others);
  tcase_add_test(c, claims);
  tcase_add_loop_test(c, certificates, 0, 11);
  tcase_add_test(c, claims_once);
  tcase_add_loop_test(c, certificates_once, 0, 12);
  c = support_case(s, "optima");
  tcase_add_loop_test(c, no_more_than_strips, 0, support_rounds(80));
  tcase_add_loop_test(c, no_more_than_the_optimum, 0, 30);
  return support_run(s);
}
