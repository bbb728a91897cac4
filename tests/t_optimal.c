/* The exact optimum against known values, against brute force, and against itself. */
#include "base/mem.h"
#include "pebble/optimal.h"
#include "pebble/optimal_internal.h"
#include "tests/support_oracle.h"
#include <stdlib.h>
#include <string.h>

/* ---- graphs by name ---- */

static void build_grid(cdag_graph *g, uint32_t rows, uint32_t columns)
{
  uint32_t from[256], to[256];
  uint64_t m = 0;
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t j = 0; j < columns; j++) {
      if (i)
        from[m] = (i - 1) * columns + j, to[m++] = i * columns + j;
      if (j)
        from[m] = i * columns + j - 1, to[m++] = i * columns + j;
    }
  ck_assert_int_eq(cdag_graph_init(g, rows * columns, m, from, to, NULL, NULL), OK);
}

/* C = A B, 2 x 2 x 2: inputs A 0..3, B 4..7; then C(i,j,0), then C(i,j,1). */
static void build_product(cdag_graph *g)
{
  uint32_t from[64], to[64], v = 8;
  uint64_t m = 0;
  for (uint32_t k = 0; k < 2; k++)
    for (uint32_t i = 0; i < 2; i++)
      for (uint32_t j = 0; j < 2; j++, v++) {
        from[m] = 2 * i + k, to[m++] = v;
        from[m] = 4 + 2 * k + j, to[m++] = v;
        if (k)
          from[m] = v - 4, to[m++] = v;
      }
  ck_assert_int_eq(cdag_graph_init(g, v, m, from, to, NULL, NULL), OK);
}

/* "232": layers of 2, 3 and 2 vertices, all edges between neighbours. */
static void build_layers(cdag_graph *g, const char *widths)
{
  uint32_t from[64], to[64], below = 0, n = (uint32_t)(widths[0] - '0');
  uint64_t m = 0;
  for (int i = 1; widths[i]; i++) {
    uint32_t width = (uint32_t)(widths[i] - '0');
    for (uint32_t u = below; u < n; u++)
      for (uint32_t v = 0; v < width; v++)
        from[m] = u, to[m++] = n + v;
    below = n;
    n += width;
  }
  ck_assert_int_eq(cdag_graph_init(g, n, m, from, to, NULL, NULL), OK);
}

static void build(cdag_graph *g, const char *name)
{
  *g = (cdag_graph){ 0 };
  if (strncmp(name, "fft", 3) == 0)
    ck_assert_int_eq(cdag_graph_fft(g, atoi(name + 3), NULL), OK);
  else if (strncmp(name, "tree", 4) == 0)
    ck_assert_int_eq(cdag_graph_tree(g, atoi(name + 4), NULL), OK);
  else if (strncmp(name, "pyramid", 7) == 0)
    ck_assert_int_eq(cdag_graph_pyramid(g, atoi(name + 7), NULL), OK);
  else if (strncmp(name, "cube", 4) == 0)
    ck_assert_int_eq(cdag_graph_hypercube(g, atoi(name + 4), NULL), OK);
  else if (strncmp(name, "grid", 4) == 0)
    build_grid(g, (uint32_t)(name[4] - '0'), (uint32_t)(name[5] - '0'));
  else if (strncmp(name, "layers", 6) == 0)
    build_layers(g, name + 6);
  else
    build_product(g);
}

/* ---- one solved graph ---- */

/* The optimum, its pebbling judged here once more; ORACLE_IMPOSSIBLE if there is none. */
static uint64_t solve(const cdag_graph *g, const pebble_rules *rules)
{
  pebble_optimum o;
  diag d = { 0 };
  ck_assert_msg(pebble_optimal(g, rules, NULL, &o, &d) == OK, "%s", d.message);
  uint64_t cost = o.possible ? o.upper : ORACLE_IMPOSSIBLE;
  if (o.possible) {
    pebble_verdict v = pebble_judge(g, rules, &o.trace);
    ck_assert(o.proved && v.legal && v.peak <= rules->m);
    ck_assert_uint_eq(v.loads + v.stores, o.upper);
    ck_assert_uint_eq(o.lower, o.upper);
  } else
    ck_assert_uint_lt(rules->m, o.needed);
  pebble_optimum_clear(&o);
  return cost;
}

/* Known from the literature and from other programs (theory, section 6). */
static const struct { const char *graph; pebble_variant variant; int once; uint64_t m, io; } known[] = {
  { "fft2", PEBBLE_PLACING, 0, 3, 14 },    { "fft2", PEBBLE_PLACING, 0, 4, 11 },    { "fft2", PEBBLE_PLACING, 0, 5, 9 },
  { "fft2", PEBBLE_PLACING, 0, 6, 8 },     { "fft2", PEBBLE_SLIDING, 0, 5, 8 },     { "fft3", PEBBLE_PLACING, 1, 4, 31 },
  { "fft3", PEBBLE_PLACING, 1, 5, 27 },    { "fft3", PEBBLE_PLACING, 1, 6, 24 },    { "product", PEBBLE_PLACING, 0, 4, 17 },
  { "product", PEBBLE_PLACING, 0, 5, 14 }, { "product", PEBBLE_PLACING, 0, 6, 13 }, { "product", PEBBLE_PLACING, 0, 7, 12 },
  { "tree3", PEBBLE_PLACING, 0, 3, 15 },   { "tree3", PEBBLE_PLACING, 0, 4, 11 },   { "tree3", PEBBLE_PLACING, 0, 5, 9 },
  { "grid33", PEBBLE_PLACING, 0, 3, 5 },    { "grid33", PEBBLE_PLACING, 1, 3, 6 },    { "grid33", PEBBLE_PLACING, 0, 2, ORACLE_IMPOSSIBLE },
  /* a pyramid of height h is pebbled without spilling with h + 2 pebbles, h + 1 sliding (Cook 1973) */
  { "pyramid4", PEBBLE_PLACING, 0, 6, 6 }, { "pyramid4", PEBBLE_SLIDING, 0, 5, 6 }, { "pyramid5", PEBBLE_PLACING, 0, 7, 7 },
};

START_TEST(known_optima)
{
  cdag_graph g;
  pebble_rules rules = { known[_i].variant, known[_i].once, known[_i].m };
  build(&g, known[_i].graph);
  ck_assert_uint_eq(solve(&g, &rules), known[_i].io);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- random graphs ---- */

static const struct { pebble_variant variant; bool once; } model[] = {
  { PEBBLE_PLACING, false }, { PEBBLE_PLACING, true }, { PEBBLE_SLIDING, false }, { PEBBLE_SLIDING, true },
};

/* Brute force says the same, at every M up to where nothing changes. */
static void compare(const cdag_graph *g, pebble_variant variant, bool once)
{
  for (uint64_t m = 1; m <= g->n && m <= 6; m++) {
    pebble_rules rules = { variant, once, m };
    uint64_t truth = oracle_optimum(g, &rules), found = solve(g, &rules);
    ck_assert_msg(found == truth, "n=%u m=%lu variant=%d one-shot=%d: %lu, brute force %lu", g->n, (unsigned long)m,
                  (int)variant, (int)once, (unsigned long)found, (unsigned long)truth);
  }
}

START_TEST(brute_force)
{
  support_random r = { (uint64_t)_i };
  for (int i = 0; i < support_rounds(20); i++) {
    cdag_graph g = { 0 };
    uint32_t most = i % 10 == 0 ? 8 : 7;
    oracle_random_graph(&g, &r, (uint32_t)support_between(&r, 1, most), (int)support_between(&r, 15, 70));
    compare(&g, model[_i % COUNT(model)].variant, model[_i % COUNT(model)].once);
    cdag_graph_clear(&g);
  }
}
END_TEST

/* Graphs with many symmetries, which random ones lack. */
static const char *const symmetric[] = { "fft1", "tree2", "pyramid2", "grid24", "cube3", "layers222", "layers323", "layers33" };

START_TEST(brute_force_symmetric)
{
  cdag_graph g;
  build(&g, symmetric[_i]);
  for (int i = 0; i < COUNT(model); i++)
    compare(&g, model[i].variant, model[i].once);
  if (2 * g.n + g.m <= 24)
    compare(&g, PEBBLE_PARTIAL, true);
  cdag_graph_clear(&g);
}
END_TEST

/* Edge by edge; so few edges that brute force can hold them. */
START_TEST(brute_force_partial)
{
  support_random r = { 5000 + (uint64_t)_i };
  for (int i = 0; i < support_rounds(20); i++) {
    cdag_graph g = { 0 };
    oracle_random_graph(&g, &r, (uint32_t)support_between(&r, 2, 7), (int)support_between(&r, 15, 60));
    if (2 * g.n + g.m <= 21)
      compare(&g, PEBBLE_PARTIAL, _i & 1);
    cdag_graph_clear(&g);
  }
}
END_TEST

/* ---- the bound of the search ---- */

enum { SPOTS = 1 << 16, KEY = 3 };

/* Every position that macro-moves lead to, and the moves. */
typedef struct {
  struct { uint64_t key[KEY]; uint32_t left; } spot[SPOTS];
  uint32_t n, slot[2 * SPOTS], at;
  struct { uint32_t from, to, cost; } *move;
  size_t moves, room;
} map;

static uint32_t spot_of(map *w, const uint64_t *key)
{
  uint64_t hash = 0;
  for (int i = 0; i < KEY; i++)
    hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15u ^ hash >> 29;
  for (uint32_t i = (uint32_t)(hash >> 40) % (2 * SPOTS);; i = (i + 1) % (2 * SPOTS)) {
    if (w->slot[i] && memcmp(w->spot[w->slot[i] - 1].key, key, sizeof w->spot->key) == 0)
      return w->slot[i] - 1;
    if (!w->slot[i] && w->n < SPOTS) {
      memcpy(w->spot[w->n].key, key, sizeof w->spot->key);
      w->slot[i] = ++w->n;
      return w->n - 1;
    }
    if (!w->slot[i])
      return 0; /* full: the caller sees it by n */
  }
}

static void add_move(void *context, const uint64_t *key, uint32_t cost)
{
  map *w = context;
  w->move = mem_room(w->move, w->moves, &w->room, sizeof *w->move);
  w->move[w->moves].from = w->at;
  w->move[w->moves].to = spot_of(w, key);
  w->move[w->moves++].cost = cost;
}

static void explore(map *w, optimal_game *game)
{
  uint64_t key[OPTIMAL_KEY];
  game->start(game, key);
  spot_of(w, key);
  for (w->at = 0; w->at < w->n && w->n < SPOTS; w->at++) {
    game->spare = UINT32_MAX / 4;
    game->expand(game, w->spot[w->at].key, add_move, w);
  }
}

/* What is left to pay in each position: moves compute something, so the last ones found are nearest to the end. */
static void count_back(map *w, const optimal_game *game)
{
  for (uint32_t i = 0; i < w->n; i++)
    w->spot[i].left = game->bound(game, w->spot[i].key) == 0 ? 0 : UINT32_MAX / 2;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = w->moves; i-- > 0;) {
      uint32_t through = w->spot[w->move[i].to].left + w->move[i].cost;
      if (through < w->spot[w->move[i].from].left)
        w->spot[w->move[i].from].left = through, more = true;
    }
  }
}

/* n vertices, the first few of them sources, the others reading one to three before them; in one piece. */
static void one_piece(cdag_graph *g, support_random *r, uint32_t n)
{
  uint32_t from[64], to[64], piece[16], pieces = 2;
  uint64_t m = 0;
  while (pieces > 1) {
    uint32_t sources = (uint32_t)support_between(r, 2, 4);
    m = 0;
    for (uint32_t v = 0; v < n; v++)
      piece[v] = v;
    for (uint32_t v = sources; v < n; v++)
      for (uint32_t u = 0, left = (uint32_t)support_between(r, 1, 3); u < v; u++)
        if (support_between(r, 1, v - u) <= left) {
          from[m] = u, to[m++] = v;
          left--;
          for (uint32_t old = piece[u], i = 0; i < n; i++)
            piece[i] = piece[i] == old ? piece[v] : piece[i];
        }
    pieces = 0;
    for (uint32_t v = 0; v < n; v++)
      pieces += v == 0 || piece[v] != piece[0];
  }
  ck_assert_int_eq(cdag_graph_init(g, n, m, from, to, NULL, NULL), OK);
}

/* One-shot and partial: in no position does the bound say more than what is left to pay. */
START_TEST(bound_is_admissible)
{
  static const pebble_variant variant[] = { PEBBLE_PLACING, PEBBLE_SLIDING, PEBBLE_PARTIAL };
  support_random r = { 9000 + (uint64_t)_i };
  pebble_rules rules = { variant[_i % COUNT(variant)], true, 0 };
  cdag_graph g = { 0 };
  map *w = MEM_NEW(map, 1);
  one_piece(&g, &r, rules.variant == PEBBLE_PARTIAL ? 7 : 10);
  rules.m = pebble_least_memory(&g, &rules);
  optimal_game *game = optimal_new(&g, &rules);
  ck_assert_int_eq(game->words, KEY);
  explore(w, game);
  if (w->n < SPOTS) {
    count_back(w, game);
    for (uint32_t i = 0; i < w->n; i++)
      ck_assert_uint_le(game->bound(game, w->spot[i].key), w->spot[i].left);
  }
  game->free(game);
  mem_free(w->move);
  mem_free(w);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(own_properties)
{
  support_random r = { 1000 + (uint64_t)_i };
  cdag_graph g = { 0 }, h = { 0 };
  uint32_t name[16], n = (uint32_t)support_between(&r, 8, 13);
  uint64_t cost[COUNT(model)], before[COUNT(model)] = { 0 };
  oracle_random_graph(&g, &r, n, (int)support_between(&r, 15, 35));
  oracle_shuffle(&r, name, n);
  oracle_relabel(&h, &g, name);
  for (uint64_t m = pebble_least_memory(&g, &(pebble_rules){ .m = 1 }), first = m; m < first + 3; m++) {
    for (int i = 0; i < COUNT(model); i++) {
      pebble_rules rules = { model[i].variant, model[i].once, m };
      cost[i] = solve(&g, &rules);
      ck_assert_uint_eq(solve(&h, &rules), cost[i]);
      ck_assert(m == first || cost[i] <= before[i]);
      before[i] = cost[i];
    }
    ck_assert(cost[0] <= cost[1] && cost[2] <= cost[3] && cost[2] <= cost[0] && cost[3] <= cost[1]);
    ck_assert_uint_ge(cost[2], cdag_graph_compulsory(&g));
  }
  cdag_graph_clear(&g);
  cdag_graph_clear(&h);
}
END_TEST

/* ---- limits ---- */

START_TEST(limits)
{
  cdag_graph g = { 0 };
  diag d = { 0 };
  pebble_optimum o;
  pebble_rules rules = { PEBBLE_PLACING, _i & 1, 4 };
  pebble_optimal_limits l = { .seconds = _i & 2 ? 0.05 : 0, .bytes = _i & 2 ? 0 : 1 << 20 };
  ck_assert_int_eq(cdag_graph_fft(&g, 4, &d), OK);
  ck_assert_int_eq(pebble_optimal(&g, &rules, &l, &o, &d), GAVE_UP);
  ck_assert(!o.proved && o.lower < o.upper && o.lower >= 32);
  pebble_verdict v = pebble_judge(&g, &rules, &o.trace);
  ck_assert(v.legal && v.loads + v.stores == o.upper);
  l.start = &o.trace;          /* a pebbling that is given is never forgotten */
  pebble_optimum again;
  ck_assert_int_eq(pebble_optimal(&g, &rules, &l, &again, &d), GAVE_UP);
  ck_assert_uint_le(again.upper, o.upper);
  pebble_optimum_clear(&again);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&g);
}
END_TEST

/* A chain of 3000 and one of 3, a lone vertex: too large to search, and need no search. */
START_TEST(parts_and_sizes)
{
  cdag_graph g = { 0 };
  uint32_t from[3100], to[3100];
  uint64_t m = 0;
  for (uint32_t v = 0; v < 3005; v++)
    if (v != 2999 && v != 3003 && v != 3004)
      from[m] = v, to[m++] = v + 1;
  ck_assert_int_eq(cdag_graph_init(&g, 3005, m, from, to, NULL, NULL), OK);
  ck_assert_uint_eq(solve(&g, &(pebble_rules){ .m = 2 }), 4);
  ck_assert_uint_eq(solve(&g, &(pebble_rules){ .variant = PEBBLE_SLIDING, .m = 1 }), 4);
  ck_assert_uint_eq(solve(&g, &(pebble_rules){ .m = 1 }), ORACLE_IMPOSSIBLE);
  cdag_graph_clear(&g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("optimal");
  TCase *c = support_case(s, "optimal");
  tcase_add_loop_test(c, known_optima, 0, COUNT(known));
  tcase_add_loop_test(c, brute_force, 0, support_rounds(16));
  tcase_add_loop_test(c, brute_force_symmetric, 0, COUNT(symmetric));
  tcase_add_loop_test(c, brute_force_partial, 0, support_rounds(8));
  tcase_add_loop_test(c, bound_is_admissible, 0, support_rounds(30));
  tcase_add_loop_test(c, own_properties, 0, support_rounds(10));
  tcase_add_loop_test(c, limits, 0, 4);
  tcase_add_test(c, parts_and_sizes);
  return support_run(s);
}
