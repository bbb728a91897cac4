/* Lists of positions (docs/optimal.md, 14): every list the program writes is accepted, in all games; what is damaged
   proves nothing that is not so. */
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "bounds/graph/positions.h"
#include "pebble/optimal/internal.h"
#include "tests/support_oracle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const pebble_rules games[] = {
  { PEBBLE_PLACING, false, 0 }, { PEBBLE_PLACING, true, 0 }, { PEBBLE_SLIDING, false, 0 },
  { PEBBLE_SLIDING, true, 0 },  { PEBBLE_PARTIAL, true, 0 },
};

/* A game on a graph, solved. */
typedef struct {
  cdag *g;
  pebble_rules rules;
  pebble_optimum o;
  char what[120];
} solved;

static void solve(solved *s, const cdag_graph *e)
{
  pebble_optimal_limits limits = { .list = true };
  diag d = { 0 };
  ck_assert_msg(pebble_optimal(e, &s->rules, &limits, &s->o, &d) == OK, "%s: %s", s->what, d.message);
  ck_assert_msg(s->o.proved && s->o.list, "%s", s->what);
}

static void solved_clear(solved *s)
{
  pebble_optimum_clear(&s->o);
  cdag_free(s->g);
}

/* The certificate of what is in s->o now. */
static void certify(const solved *s, uint64_t value, text *t)
{
  bound_question q = { .g = s->g, .m = s->rules.m, .one_shot = s->rules.one_shot, .variant = (int)s->rules.variant };
  bound b;
  diag d = { 0 };
  text_clear(t);
  bound_positions(&q, &s->o, &b);
  mpz_set_ui(b.value, value);
  ck_assert_int_eq(bound_certificate(&q, &b, t, &d), OK);
  bound_clear(&b);
}

/* Is it accepted?  But for the digest: whoever damages a list can write a new one. */
static bool accepted(const text *t, text *why)
{
  bound_check_result r;
  diag d = { 0 };
  text_clear(why);
  bool read = bound_check(text_str(t), t->n, "list", &r, &d) == OK;
  bool valid = read && (r.valid || strstr(text_str(&r.reason), "digest"));
  text_add(why, r.reason.n ? text_str(&r.reason) : d.message);
  bound_check_clear(&r);
  return valid;
}

/* A few vertices, some outputs within, in one part or several. */
static void random_small(solved *s, support_random *r)
{
  cdag_graph e, copy = { 0 };
  uint32_t name[16];
  s->rules = games[support_between(r, 0, COUNT(games) - 1)];
  do {
    e = (cdag_graph){ 0 };
    oracle_random_graph(&e, r, (uint32_t)support_between(r, 3, s->rules.variant == PEBBLE_PARTIAL ? 9 : 13),
                        (int)support_between(r, 10, 45));
    const cdag_rows *succ = cdag_graph_successors(&e);
    for (uint32_t v = 0; v < e.n; v++)
      e.output[v] |= succ->at[v] == succ->at[v + 1]; /* as lists of edges say */
    s->rules.m = pebble_least_memory(&e, &s->rules); /* 0: nothing is computed */
    if (s->rules.m == 0)
      cdag_graph_clear(&e);
  } while (s->rules.m == 0);
  s->rules.m += (uint64_t)support_between(r, 0, 2);
  for (uint32_t v = 0; v < e.n; v++)
    name[v] = v;
  oracle_relabel(&copy, &e, name);
  ck_assert_int_eq(cdag_from_graph(&s->g, &copy, "random"), OK);
  snprintf(s->what + strlen(s->what), 60, ": variant %d one-shot %d M=%d", (int)s->rules.variant, s->rules.one_shot,
           (int)s->rules.m);
  solve(s, &e);
  cdag_graph_clear(&e);
}

/* A graph of which most plays cost more than the compulsory moves. */
static void random_hard(solved *s, support_random *r)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  s->rules = games[support_between(r, 0, COUNT(games) - 1)];
  snprintf(s->what + strlen(s->what), 60, " random:n=%d,seed=%d,degree=3", s->rules.one_shot ? 17 : 12,
           (int)support_between(r, 1, 100000));
  ck_assert_int_eq(cdag_open(&s->g, strstr(s->what, "random:"), &d), OK);
  ck_assert_int_eq(cdag_materialise(s->g, 64, &e, &d), OK);
  s->rules.m = pebble_least_memory(&e, &s->rules) + (uint64_t)support_between(r, 0, 1);
  solve(s, &e);
  cdag_graph_clear(&e);
}

START_TEST(lists_are_accepted)
{
  support_random r = { 100 + (uint64_t)_i };
  SCOPED_TEXT t = { 0 }, why = { 0 };
  for (int i = 0; i < 16; i++) {
    solved s = { .g = NULL };
    snprintf(s.what, 40, "seed %d, %d", _i, i);
    (i % 4 ? random_small : random_hard)(&s, &r);
    certify(&s, s.o.lower, &t);
    ck_assert_msg(accepted(&t, &why), "%s: %s\n%s", s.what, text_str(&why), text_str(&t));
    solved_clear(&s);
  }
}
END_TEST

/* ---- damage ---- */

/* A part that has a list, or any. */
static pebble_optimal_list *some_list(solved *s, support_random *r)
{
  for (uint32_t p = 0; p < s->o.parts; p++)
    if (s->o.list[p].positions)
      return &s->o.list[p];
  return &s->o.list[support_between(r, 0, s->o.parts - 1)];
}

static void drop_position(pebble_optimal_list *l, size_t i)
{
  size_t words = 3 * (size_t)l->words, last = --l->positions;
  memcpy(l->key + i * words, l->key + last * words, words * sizeof *l->key);
  l->cost[i] = l->cost[last];
}

/* What hides what is true: costs that are too low, pebbles nobody has, loads paid for that never were. */
static void damage(pebble_optimal_list *l, support_random *r)
{
  for (int64_t times = support_between(r, 0, 3); times > 0 && l->positions; times--) {
    size_t i = (size_t)support_between(r, 0, (int64_t)l->positions - 1), all = 3 * (size_t)l->words;
    uint64_t *key = l->key + i * all;
    switch (support_between(r, 0, 3)) {
    case 0: drop_position(l, i); break;
    case 1: l->cost[i] -= l->cost[i] > 0; break;
    case 2: key[support_between(r, 0, 2) * l->words] ^= 1ull << support_between(r, 0, l->n - 1); break;
    default: /* the same with one more, in the third set, for less */
      key[2 * l->words] |= 1ull << support_between(r, 0, l->n - 1);
      l->cost[i] -= l->cost[i] > 0;
    }
  }
}

/* Nothing proves more than the optimum, however the list is damaged. */
START_TEST(nothing_false_is_proved)
{
  support_random r = { 7000 + (uint64_t)_i };
  SCOPED_TEXT t = { 0 }, why = { 0 };
  for (int i = 0; i < 12; i++) {
    solved s = { .g = NULL };
    snprintf(s.what, 40, "seed %d, %d", _i, i);
    (i % 2 ? random_small : random_hard)(&s, &r);
    pebble_optimal_list *l = some_list(&s, &r);
    uint64_t more = (uint64_t)support_between(&r, 1, 2);
    l->least += more;
    for (int j = 0; j < 8; j++) {
      certify(&s, s.o.lower + more, &t);
      ck_assert_msg(!accepted(&t, &why), "%s: %lu is proved of %lu\n%s", s.what, (unsigned long)(s.o.lower + more),
                    (unsigned long)s.o.lower, text_str(&t));
      damage(l, &r);
    }
    solved_clear(&s);
  }
}
END_TEST

/* The same game with more memory, or one with more moves; false: it is left alone. */
static bool make_easier(pebble_rules *rules, support_random *r)
{
  switch (support_between(r, 0, 2)) {
  case 0: rules->m++; return true;
  case 1: rules->one_shot = false; return rules->variant != PEBBLE_PARTIAL;
  default:
    rules->variant = rules->variant == PEBBLE_PLACING ? PEBBLE_SLIDING : rules->variant;
    return rules->variant != PEBBLE_PARTIAL;
  }
}

/* Numbers of the part, two of them or more exchanged; a core of some. */
static void add_structure(pebble_optimal_list *l, const pebble_rules *rules, support_random *r)
{
  uint32_t n = l->n;
  if (support_between(r, 0, 1)) {
    mem_free(l->turn);
    l->turns = 1;
    l->turn = MEM_NEW(uint16_t, n);
    for (uint32_t v = 0; v < n; v++)
      l->turn[v] = (uint16_t)v;
    for (int64_t times = support_between(r, 1, 2); times > 0; times--) {
      int64_t a = support_between(r, 0, n - 1), b = support_between(r, 0, n - 1);
      uint16_t was = l->turn[a];
      l->turn[a] = l->turn[b];
      l->turn[b] = was;
    }
  }
  if (rules->variant == PEBBLE_PLACING && rules->one_shot && support_between(r, 0, 1)) {
    mem_free(l->core);
    l->core = MEM_NEW(uint32_t, n);
    l->cores = (uint32_t)support_between(r, 1, n);
    l->limit = (uint32_t)support_between(r, 0, 6);
    for (uint32_t v = 0; v < l->cores; v++)
      l->core[v] = v;
  }
}

/* What is true of a game, said of one that is easier and costs less; and more than is true, with symmetries that are
   none and cores that nobody asked. */
START_TEST(other_games_prove_nothing)
{
  support_random r = { 9000 + (uint64_t)_i };
  SCOPED_TEXT t = { 0 }, why = { 0 };
  for (int i = 0; i < 12; i++) {
    solved s = { .g = NULL };
    snprintf(s.what, 40, "seed %d, %d", _i, i);
    random_small(&s, &r);
    cdag_graph e = { 0 };
    diag d = { 0 };
    pebble_optimum easy = { 0 };
    pebble_rules rules = s.rules;
    ck_assert_int_eq(cdag_materialise(s.g, 64, &e, &d), OK);
    if (make_easier(&rules, &r)) {
      pebble_optimal_limits limits = { 0 };
      ck_assert_int_eq(pebble_optimal(&e, &rules, &limits, &easy, &d), OK);
      pebble_rules hard = s.rules;
      s.rules = rules;
      certify(&s, s.o.lower, &t);
      bool valid = accepted(&t, &why);
      ck_assert_msg(!easy.proved || easy.lower >= s.o.lower || !valid, "%s: %lu is proved of %lu\n%s", s.what,
                    (unsigned long)s.o.lower, (unsigned long)easy.lower, text_str(&t));
      s.rules = hard;
      pebble_optimum_clear(&easy);
    }
    pebble_optimal_list *l = some_list(&s, &r);
    l->least++;
    for (int j = 0; j < 6; j++) {
      add_structure(l, &s.rules, &r);
      certify(&s, s.o.lower + 1, &t);
      ck_assert_msg(!accepted(&t, &why), "%s: more than %lu is proved\n%s", s.what, (unsigned long)s.o.lower,
                    text_str(&t));
    }
    cdag_graph_clear(&e);
    solved_clear(&s);
  }
}
END_TEST

/* Where a cheaper play would go on from what is listed, each position is needed. */
START_TEST(what_is_left_out_is_missed)
{
  support_random r = { 8000 + (uint64_t)_i };
  SCOPED_TEXT t = { 0 }, why = { 0 };
  int refused = 0, tried = 0;
  for (int i = 0; i < 12; i++) {
    solved s = { .g = NULL };
    snprintf(s.what, 40, "seed %d, %d", _i, i);
    random_hard(&s, &r);
    pebble_optimal_list *l = some_list(&s, &r);
    if (l->positions) {
      drop_position(l, (size_t)support_between(&r, 0, (int64_t)l->positions - 1));
      certify(&s, s.o.lower, &t);
      refused += !accepted(&t, &why);
      tried++;
    }
    solved_clear(&s);
  }
  ck_assert_msg(tried == 0 || refused > 0, "seed %d: %d lists lack a position, and all are accepted", _i, tried);
}
END_TEST

/* Every position that a play of at most `top` comes by, at its least cost, but for the end. */
enum { SPOTS = 4000 };
typedef struct {
  optimal_game *game;
  uint32_t top, at, n, cost[SPOTS];
  bool ends[SPOTS], more;       /* does the end follow, at most `top`?  more: something has become cheaper */
  uint64_t key[SPOTS][3];
} map;

static void relax(void *context, const uint64_t *key, uint32_t more)
{
  map *w = context;
  uint32_t cost = w->cost[w->at] + more, left = w->game->bound(w->game, key), i = 0;
  if (left == OPTIMAL_HOPELESS || cost + left > w->top)
    return;
  w->ends[w->at] |= left == 0;
  while (i < w->n && memcmp(w->key[i], key, sizeof *w->key) != 0)
    i++;
  if (left == 0 || i == SPOTS || (i < w->n && w->cost[i] <= cost))
    return;
  memcpy(w->key[i], key, sizeof *w->key);
  w->cost[i] = cost;
  w->n += i == w->n;
  w->more = true;
}

static void explore(map *w, optimal_game *game, uint32_t top)
{
  *w = (map){ .game = game, .top = top, .n = 1, .more = true };
  game->start(game, w->key[0]);
  while (w->more && w->n < SPOTS) {
    w->more = false;
    memset(w->ends, 0, sizeof w->ends);
    for (w->at = 0; w->at < w->n; w->at++) {
      game->spare = top - w->cost[w->at] - game->bound(game, w->key[w->at]);
      game->expand(game, w->key[w->at], relax, w);
    }
  }
}

/* Put these in the place of the list; of those before the end, if `owing`, with an input as a load that was paid for
   and is never made, so that what leads on from them looks hopeless. */
static void list_all(pebble_optimal_list *l, const map *w, bool owing, uint64_t input)
{
  mem_free(l->key), mem_free(l->cost), mem_free(l->turn);
  l->key = MEM_NEW(uint64_t, 3 * (size_t)w->n), l->cost = MEM_NEW(uint32_t, w->n), l->turn = NULL;
  l->words = 1, l->positions = w->n, l->turns = 0;
  memcpy(l->key, w->key, 3 * (size_t)w->n * sizeof *l->key);
  memcpy(l->cost, w->cost, w->n * sizeof *l->cost);
  for (uint32_t i = 0; i < w->n; i++)
    if (owing && w->ends[i])
      l->key[3 * (size_t)i + 2] |= input;
}

/* With recomputation a position that owes more than another cannot stand for it.  All positions of plays of the optimum
   are listed but for the end, and more than that is claimed: the end is missed, whatever those before it owe. */
START_TEST(owing_more_covers_nothing)
{
  SCOPED_TEXT t = { 0 }, why = { 0 };
  map *w = MEM_NEW(map, 1);
  for (int i = 0; i < 8; i++) {
    cdag_graph e = { 0 };
    diag d = { 0 };
    solved s = { .rules = games[2 * (_i % 2)] };
    snprintf(s.what, sizeof s.what, "random:n=9,seed=%d,degree=2", 100 * _i + i);
    ck_assert_int_eq(cdag_open(&s.g, s.what, &d), OK);
    ck_assert_int_eq(cdag_materialise(s.g, 64, &e, &d), OK);
    s.rules.m = pebble_least_memory(&e, &s.rules);
    solve(&s, &e);
    pebble_optimal_list *l = s.o.list;
    if (s.o.parts == 1 && l->n == e.n) {
      optimal_game *game = optimal_new(&e, &s.rules);
      uint64_t input = 0;
      explore(w, game, (uint32_t)s.o.lower);
      for (uint32_t v = 0; v < e.n; v++)
        input = cdag_graph_is_input(&e, v) ? 1ull << v : input;
      for (int owing = 0; owing < 2 && w->n < SPOTS; owing++) {
        list_all(l, w, owing, input);
        l->least = s.o.lower;
        certify(&s, s.o.lower, &t);
        ck_assert_msg(owing || accepted(&t, &why), "%s: %s", s.what, text_str(&why));
        l->least++;
        certify(&s, s.o.lower + 1, &t);
        ck_assert_msg(!accepted(&t, &why), "%s: more than %lu is proved", s.what, (unsigned long)s.o.lower);
      }
      game->free(game);
    }
    cdag_graph_clear(&e);
    solved_clear(&s);
  }
  mem_free(w);
}
END_TEST

/* ---- by hand ---- */

/* Two chains of one load and one store, the one of vertices 0 and 1, the other of 2 and 3. */
#define CHAINS "\"cdag\":{\"edges\":\"4 2\\n0 1\\n2 3\\n\"},\"digest\":\"0\"}"
#define CLAIM(models, value, parts)                                                                                    \
  "{\"redblue\":\"certificate\",\"version\":1,\"theorem\":\"positions\",\"models\":[" models "],\"M\":2,"              \
  "\"value\":" value ",\"parameters\":{\"parts\":[" parts "]}," CHAINS
#define PLACING "\"placing\",\"one-shot\""
#define PART(least, vertices, list) "{\"least\":" least ",\"vertices\":[" vertices "],\"positions\":\"" list "\"}"
#define MORE(member) "{\"least\":2,\"vertices\":[0,1],\"positions\":\"\"," member "}"
static const struct { const char *claim, *reason; } by_hand[] = {
  { CLAIM(PLACING, "4", PART("2", "0,1", "") "," PART("2", "2,3", "")), NULL },
  { CLAIM(PLACING, "4", PART("4", "0,1,2,3", "")), NULL },
  { CLAIM(PLACING, "2", PART("2", "3,2", "")), NULL },
  { CLAIM("\"partial\",\"one-shot\",\"recompute\"", "4", PART("4", "0,1,2,3", "")), NULL },
  { CLAIM("\"partial\",\"one-shot\",\"placing\"", "4", PART("4", "0,1,2,3", "")), "another one" },
  { CLAIM(PLACING, "4", PART("2", "0,1", "") "," PART("2", "2,2", "")), "in two" },
  { CLAIM(PLACING, "4", PART("2", "0,1", "") "," PART("2", "2,1", "")), "in two" },
  { CLAIM(PLACING, "4", PART("2", "0,1", "") "," PART("2", "2,4", "")), "does not matter" },
  { CLAIM(PLACING, "2", PART("2", "0,-1", "")), "does not matter" },
  { CLAIM(PLACING, "2", PART("2", "", "")), "has no list" },
  { CLAIM(PLACING, "2", "{\"least\":2,\"positions\":\"\"}"), "has no list" },
  { CLAIM(PLACING, "2", "{\"least\":2,\"vertices\":[0,1]}"), "lacks its least" },
  { CLAIM(PLACING, "0", PART("0", "0,1", "")), "lacks its least" },
  { CLAIM(PLACING, "2", PART("2", "0,2", "")), "from one part into another" },
  { CLAIM(PLACING, "2", PART("2", "1", "")), "from one part into another" },
  { CLAIM(PLACING, "3", PART("3", "0,1", "")), "not listed" },
  { CLAIM(PLACING, "3", PART("3", "0,1", "2,,:2;")), "not listed" },
  { CLAIM(PLACING, "3", PART("3", "0,1", ",,1:0;2,,1:2;")), "position 2" },
  { CLAIM(PLACING, "3", PART("3", "0,1", ",,1:0;2,,1:3;")), "position 1" },
  { CLAIM(PLACING, "2", PART("2", "0,1", ",,1:0")), "breaks off" },
  { CLAIM(PLACING, "2", PART("2", "0,1", ",,1;")), "breaks off" },
  { CLAIM(PLACING, "2", PART("2", "0,1", ",,1:;")), "breaks off" },
  { CLAIM(PLACING, "2", PART("2", "0,1", ",1:0;")), "breaks off" },
  { CLAIM(PLACING, "2", PART("2", "0,1", ",,4:0;")), "breaks off" },
  { CLAIM(PLACING, "2", PART("2", "0,1", ",,10:0;")), "breaks off" },
  { CLAIM(PLACING, "2", PART("2", "0,1", "4,,:0;")), "breaks off" },
  { CLAIM(PLACING, "2", PART("2", "0,1", ",g,:0;")), "breaks off" },
  { CLAIM(PLACING, "2", MORE("\"symmetries\":[0,1]")), NULL },
  { CLAIM(PLACING, "2", MORE("\"symmetries\":[1,0]")), "is none" },
  { CLAIM(PLACING, "2", MORE("\"symmetries\":[0,0]")), "is none" },
  { CLAIM(PLACING, "2", MORE("\"symmetries\":[0,1,0]")), "2 numbers each" },
  { CLAIM(PLACING, "2", MORE("\"symmetries\":[0,2]")), "2 numbers each" },
  { CLAIM(PLACING, "2", MORE("\"symmetries\":[]")), "2 numbers each" },
  { CLAIM(PLACING, "4", PART("4", "0,1,2,3", "") ",7"), "has no list" },
  { CLAIM(PLACING, "2", MORE("\"core\":{\"vertices\":[0,1],\"limit\":1}")), NULL },
  { CLAIM(PLACING, "2", MORE("\"core\":{\"vertices\":[0,2],\"limit\":1}")), "core is wrong" },
  { CLAIM(PLACING, "2", MORE("\"core\":{\"vertices\":[],\"limit\":1}")), "core is wrong" },
  { CLAIM(PLACING, "2", MORE("\"core\":{\"vertices\":[0,1],\"limit\":-1}")), "core is wrong" },
  { CLAIM(PLACING, "2", MORE("\"core\":{\"vertices\":[0,1],\"limit\":1,\"more\":1}")), "core is wrong" },
  { CLAIM("\"placing\",\"recompute\"", "2", MORE("\"core\":{\"vertices\":[0,1],\"limit\":1}")), "core is wrong" },
  { CLAIM("\"sliding\",\"one-shot\"", "2", MORE("\"core\":{\"vertices\":[0,1],\"limit\":1}")), "core is wrong" },
  { CLAIM(PLACING, "2", MORE("\"more\":1")), "something stands beside" },
};

START_TEST(claims_by_hand)
{
  SCOPED_TEXT t = { 0 }, why = { 0 };
  text_add(&t, by_hand[_i].claim);
  bool valid = accepted(&t, &why);
  ck_assert_msg(valid == !by_hand[_i].reason, "%s: %s", by_hand[_i].claim, text_str(&why));
  if (by_hand[_i].reason)
    ck_assert_msg(strstr(text_str(&why), by_hand[_i].reason), "%s: %s", by_hand[_i].claim, text_str(&why));
}
END_TEST

int main(void)
{
  Suite *s = suite_create("positions");
  TCase *c = support_case(s, "positions");
  tcase_add_loop_test(c, lists_are_accepted, 0, support_rounds(24));
  tcase_add_loop_test(c, nothing_false_is_proved, 0, support_rounds(24));
  tcase_add_loop_test(c, what_is_left_out_is_missed, 0, support_rounds(6));
  tcase_add_loop_test(c, owing_more_covers_nothing, 0, support_rounds(8));
  tcase_add_loop_test(c, claims_by_hand, 0, COUNT(by_hand));
  c = support_case(s, "others");
  tcase_add_loop_test(c, other_games_prove_nothing, 0, support_rounds(48));
  return support_run(s);
}
