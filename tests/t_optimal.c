/* The exact optimum against known values, against brute force, and against itself. */
#include "base/mem.h"
#include "pebble/optimal.h"
#include "pebble/optimal/internal.h"
#define WORDS 1
#include "pebble/optimal/chain.h"
#include "pebble/optimal/paths.h"
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

/* Known from the literature and from other programs. */
static const struct { const char *graph; pebble_variant variant; int once; uint64_t m, io;
} known[] = {
  { "fft2", PEBBLE_PLACING, 0, 3, 14 },
  { "fft2", PEBBLE_PLACING, 0, 4, 11 },
  { "fft2", PEBBLE_PLACING, 0, 5, 9 },
  { "fft2", PEBBLE_PLACING, 0, 6, 8 },
  { "fft2", PEBBLE_SLIDING, 0, 5, 8 },
  { "fft3", PEBBLE_PLACING, 1, 4, 31 },
  { "fft3", PEBBLE_PLACING, 1, 5, 27 },
  { "fft3", PEBBLE_PLACING, 1, 6, 24 },
  { "product", PEBBLE_PLACING, 0, 4, 17 },
  { "product", PEBBLE_PLACING, 0, 5, 14 },
  { "product", PEBBLE_PLACING, 0, 6, 13 },
  { "product", PEBBLE_PLACING, 0, 7, 12 },
  { "tree3", PEBBLE_PLACING, 0, 3, 15 },
  { "tree3", PEBBLE_PLACING, 0, 4, 11 },
  { "tree3", PEBBLE_PLACING, 0, 5, 9 },
  { "grid33", PEBBLE_PLACING, 0, 3, 5 },
  { "grid33", PEBBLE_PLACING, 1, 3, 6 },
  { "grid33", PEBBLE_PLACING, 0, 2, ORACLE_IMPOSSIBLE },
  /* a pyramid of height h is pebbled without spilling with h + 2 pebbles, h + 1 sliding (Cook 1973) */
  { "pyramid4", PEBBLE_PLACING, 0, 6, 6 },
  { "pyramid4", PEBBLE_SLIDING, 0, 5, 6 },
  { "pyramid5", PEBBLE_PLACING, 0, 7, 7 },
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
static const char *const symmetric[] = { "fft1",  "tree2",     "pyramid2",  "grid24",
                                         "cube3", "layers222", "layers323", "layers33" };

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

/* In no position does the bound say more than what is left to pay; and none that it calls hopeless leads to the end.
   With recomputation that is so because every load owed is to come. */
START_TEST(bound_is_admissible)
{
  static const struct { pebble_rules rules; uint32_t n; } kind[] = {
    { { PEBBLE_PLACING, true, 0 }, 10 }, { { PEBBLE_SLIDING, true, 0 }, 10 }, { { PEBBLE_PARTIAL, true, 0 }, 7 },
    { { PEBBLE_PLACING, false, 0 }, 8 }, { { PEBBLE_SLIDING, false, 0 }, 8 },
  };
  support_random r = { 9000 + (uint64_t)_i };
  pebble_rules rules = kind[_i % COUNT(kind)].rules;
  cdag_graph g = { 0 };
  map *w = MEM_NEW(map, 1);
  one_piece(&g, &r, kind[_i % COUNT(kind)].n);
  rules.m = pebble_least_memory(&g, &rules);
  optimal_game *game = optimal_new(&g, &rules);
  ck_assert_int_eq(game->words, KEY);
  explore(w, game);
  if (w->n < SPOTS) {
    count_back(w, game);
    for (uint32_t i = 0; i < w->n; i++) {
      uint32_t bound = game->bound(game, w->spot[i].key);
      ck_assert(bound == OPTIMAL_HOPELESS ? w->spot[i].left == UINT32_MAX / 2 : bound <= w->spot[i].left);
    }
  }
  game->free(game);
  mem_free(w->move);
  mem_free(w);
  cdag_graph_clear(&g);
}
END_TEST

static void whole_of(const cdag_graph *g, core_whole *w, bits *pred, bits *succ)
{
  *w = (core_whole){ .pred = pred, .succ = succ };
  for (uint32_t v = 0; v < g->n; v++) {
    w->all = bits_with(w->all, (int)v);
    if (cdag_graph_is_input(g, v))
      w->input = bits_with(w->input, (int)v);
    else if (g->output[v])
      w->output = bits_with(w->output, (int)v);
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
      pred[v] = bits_with(pred[v], (int)g->pred[e]);
      succ[g->pred[e]] = bits_with(succ[g->pred[e]], (int)v);
    }
  }
}

/* One-shot keys: computed, red, blue. */
static void check_core(const map *m, const core *c, const core_whole *w, bool exact)
{
  for (uint32_t i = 0; i < m->n; i++) {
    bits done = { { m->spot[i].key[0] } }, red = { { m->spot[i].key[1] } }, blue = { { m->spot[i].key[2] } };
    uint32_t owed = (uint32_t)(bits_count(bits_less(w->output, done)) + bits_count(bits_less(blue, red)));
    uint32_t told = owed + core_beyond(c, done, red, blue);
    ck_assert_uint_le(told, m->spot[i].left);
    ck_assert(!exact || told == m->spot[i].left);
  }
}

/* What it costs to come to each position. */
static void count_there(const map *m, uint32_t *come)
{
  for (uint32_t i = 0; i < m->n; i++)
    come[i] = i ? UINT32_MAX / 4 : 0;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < m->moves; i++)
      if (come[m->move[i].from] + m->move[i].cost < come[m->move[i].to])
        come[m->move[i].to] = come[m->move[i].from] + m->move[i].cost, more = true;
  }
}

/* The chain, of all vertices or some, excludes no play there is; on the best plays its last core says no more than is
   left, and with all vertices just that. */
static void check_chain(const map *m, const core_whole *w, int n, int memory, uint64_t most, support_random *r)
{
  static const optimal_watch watch = { .deadline = CLOCK_NEVER };
  SCOPED_MEM uint32_t *come = MEM_NEW(uint32_t, m->n);
  core_chain *h = chain_new(w, n, memory, &watch);
  int all = h->length;
  uint32_t every = (uint32_t)bits_count(bits_or(w->input, w->output));
  h->length = (int)support_between(r, 0, (uint64_t)all);
  count_there(m, come);
  while (every + h->limit < m->spot[0].left && chain_excludes(h, most))
    h->limit++;
  bool full = every + h->limit < m->spot[0].left && h->at->back.full;
  ck_assert(full || h->length < all || every + h->limit == m->spot[0].left);
  h->limit = m->spot[0].left - every;
  ck_assert(!chain_excludes(h, most));
  for (uint32_t i = 0; i < m->n && !h->at->back.full; i++) {
    bits done = { { m->spot[i].key[0] } }, red = { { m->spot[i].key[1] } }, blue = { { m->spot[i].key[2] } };
    uint32_t told = (uint32_t)(bits_count(bits_less(w->output, done)) + bits_count(bits_less(blue, red)));
    told += core_beyond(h->at, done, red, blue);
    if (come[i] + m->spot[i].left > m->spot[0].left)
      continue;
    ck_assert_uint_le(told, m->spot[i].left);
    ck_assert(h->length < all || told == m->spot[i].left);
  }
  chain_free(h);
}

/* Whatever core and limit: no position is said to cost more than it does; and a core of all vertices without a limit
   tells the truth. */
START_TEST(cores_are_admissible)
{
  support_random r = { 9500 + (uint64_t)_i };
  pebble_rules rules = { PEBBLE_PLACING, true, 0 };
  optimal_watch watch = { .deadline = CLOCK_NEVER };
  cdag_graph g = { 0 };
  core_whole w;
  bits pred[64] = { { { 0 } } }, succ[64] = { { { 0 } } };
  map *m = MEM_NEW(map, 1);
  one_piece(&g, &r, 10);
  whole_of(&g, &w, pred, succ);
  rules.m = pebble_least_memory(&g, &rules) + (uint64_t)support_between(&r, 0, 1);
  optimal_game *game = optimal_new(&g, &rules);
  explore(m, game);
  if (m->n < SPOTS) {
    count_back(m, game);
    core *c = core_new(&w, (int)g.n, (int)rules.m, &watch);
    for (uint32_t trial = 0; trial < 12; trial++) {
      bits within = { { trial < 6 ? w.all.w[0] : w.all.w[0] & (uint64_t)support_between(&r, 1, 1023) } };
      core_take(c, within);
      core_build(c, trial == 0 ? 60 : trial % 6, 1 << 20);
      ck_assert(!c->back.full);
      check_core(m, c, &w, trial == 0);
    }
    core_free(c);
    core_chain *h = chain_new(&w, (int)g.n, (int)rules.m, &watch);
    c = chain_plain(h, (uint32_t)support_between(&r, 0, 12), (uint64_t)support_between(&r, 10, 200));
    if (c)
      check_core(m, c, &w, false);
    core_free(c);
    chain_free(h);
    for (int i = 0; i < 3; i++)
      check_chain(m, &w, (int)g.n, (int)rules.m, i < 2 ? 1 << 20 : (uint64_t)support_between(&r, 1, 50), &r);
  }
  game->free(game);
  mem_free(m->move);
  mem_free(m);
  cdag_graph_clear(&g);
}
END_TEST

/* With nothing to find, and no position that stands for others, A* meets all positions below the optimum, whoever
   expands them; so does a beam without an end, which expands them one by one. */
START_TEST(all_positions_are_met)
{
  support_random r = { 9900 + (uint64_t)_i };
  pebble_rules rules = { PEBBLE_PARTIAL, true, 0 };
  optimal_watch watch = { .deadline = CLOCK_NEVER };
  cdag_graph g = { 0 };
  one_piece(&g, &r, 14);
  rules.m = pebble_least_memory(&g, &rules) + (uint64_t)support_between(&r, 0, 1);
  uint32_t least = (uint32_t)solve(&g, &rules);
  optimal_result proof = { .upper = least }, plain = { .upper = least };
  optimal_game *game = optimal_new(&g, &rules);
  optimal_astar(game, 1 << 28, &watch, &proof);
  optimal_beam(game, UINT32_MAX, 1 << 28, &watch, &plain);
  ck_assert(!proof.gave_up && proof.lower == least);
  ck_assert_uint_eq(proof.states, plain.states);
  game->free(game);
  cdag_graph_clear(&g);
}
END_TEST

/* Loads 3 and 6, 7 reads both: the second of the two paths to them, 5 2 3, turns the first, 0 1 2 3, back past 1 to 0
 * 4 6. */
START_TEST(paths_give_way)
{
  cdag_graph g;
  uint32_t from[] = { 0, 1, 2, 5, 0, 4, 3, 6 }, to[] = { 1, 2, 3, 2, 4, 6, 7, 7 };
  uint64_t key[KEY] = { 0, 1 << 0 | 1 << 3 | 1 << 5 | 1 << 6, 0 };       /* red, blue, owed */
  ck_assert_int_eq(cdag_graph_init(&g, 8, COUNT(from), from, to, NULL, NULL), OK);
  optimal_game *game = optimal_new(&g, &(pebble_rules){ .m = 3 });
  ck_assert_uint_eq(game->bound(game, key), 3);
  game->free(game);
  cdag_graph_clear(&g);
}
END_TEST

/* A search that has learned, little or all, once or twice, and from a pebbling better or worse, finds the same. */
START_TEST(learning_changes_no_answer)
{
  support_random r = { 9700 + (uint64_t)_i };
  pebble_rules rules = { PEBBLE_PLACING, true, 0 };
  optimal_watch watch = { .deadline = CLOCK_NEVER };
  cdag_graph g = { 0 };
  one_piece(&g, &r, 16);
  rules.m = pebble_least_memory(&g, &rules) + (uint64_t)support_between(&r, 0, 1);
  uint32_t least = (uint32_t)solve(&g, &rules);
  for (uint32_t above = 0; above < 4; above++) {
    optimal_result result = { .upper = least + above };
    optimal_game *game = optimal_new(&g, &rules);
    if (least + above > cdag_graph_compulsory(&g))
      for (uint64_t i = 0; i <= above % 2; i++)
        game->learn(game, &result, (uint64_t)support_between(&r, 0, 3000) << 30 * i,
                    (uint64_t)1 << support_between(&r, 10, 20), &watch);
    ck_assert_uint_le(result.lower, least);
    if (result.lower == result.upper)
      result.gave_up = false;
    else
      optimal_astar(game, 1 << 24, &watch, &result);
    ck_assert(!result.gave_up);
    ck_assert_msg(result.lower == least && result.upper == least, "seed %d, %u above: %u to %u for %u", 9700 + _i,
                  above, result.lower, result.upper, least);
    pebble_trace_clear(&result.trace);
    game->free(game);
  }
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
  pebble_optimal_limits l = { .seconds = _i & 2 ? 0.05 : 0, .bytes = _i & 2 ? 0 : 1 << 18 };
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

/* ---- larger graphs, some too large ---- */

/* A grid of 3 x 3 and a chain of `tail` vertices from its last one: the chain costs nothing, the optimum stays. */
static void build_tailed(cdag_graph *g, uint32_t tail)
{
  cdag_graph grid;
  uint32_t from[1024], to[1024];
  uint64_t m = 0;
  build_grid(&grid, 3, 3);
  for (uint32_t v = 0; v < 9; v++)
    for (uint64_t e = grid.pred_at[v]; e < grid.pred_at[v + 1]; e++)
      from[m] = grid.pred[e], to[m++] = v;
  for (uint32_t v = 9; v < 9 + tail; v++)
    from[m] = v - 1, to[m++] = v;
  ck_assert_int_eq(cdag_graph_init(g, 9 + tail, m, from, to, NULL, NULL), OK);
  cdag_graph_clear(&grid);
}

/* Around each size of the keys: 64, 128 and 512 vertices; partial, 64 and 256 edges (12 of the grid).  Beyond: an
 * interval. */
static const struct { pebble_variant variant; uint64_t m; uint32_t tail; bool held;
} size[] = {
  { PEBBLE_PLACING, 3, 55, true },  { PEBBLE_PLACING, 3, 56, true },   { PEBBLE_PLACING, 3, 119, true },
  { PEBBLE_PLACING, 3, 120, true }, { PEBBLE_PLACING, 3, 503, true },  { PEBBLE_PLACING, 3, 504, false },
  { PEBBLE_SLIDING, 2, 60, true },  { PEBBLE_PARTIAL, 2, 51, true },   { PEBBLE_PARTIAL, 2, 52, true },
  { PEBBLE_PARTIAL, 2, 243, true }, { PEBBLE_PARTIAL, 2, 244, false },
};

START_TEST(sizes)
{
  cdag_graph g, grid;
  pebble_rules rules = { size[_i].variant, true, size[_i].m };
  pebble_optimum o;
  diag d = { 0 };
  build_grid(&grid, 3, 3);
  build_tailed(&g, size[_i].tail);
  uint64_t least = solve(&grid, &rules);
  if (size[_i].held)
    ck_assert_uint_eq(solve(&g, &rules), least);
  else {
    ck_assert_int_eq(pebble_optimal(&g, &rules, NULL, &o, &d), GAVE_UP);
    ck_assert(o.lower < o.upper && o.lower <= least && least <= o.upper && !o.proved);
    pebble_optimum_clear(&o);
  }
  cdag_graph_clear(&g);
  cdag_graph_clear(&grid);
}
END_TEST

/* 512 vertices, and more I/O than a position counts: two sets of 128 inputs, read in turn, and one vertex that reads of
 * both. */
START_TEST(costs_too_much)
{
  enum { HALF = 128, COMPUTED = 255, LAST = 2 * HALF + COMPUTED };
  cdag_graph g;
  pebble_optimum o;
  diag d = { 0 };
  uint32_t *from = MEM_NEW(uint32_t, HALF * (COMPUTED + 1)), *to = MEM_NEW(uint32_t, HALF * (COMPUTED + 1));
  uint64_t m = 0;
  for (uint32_t i = 0; i < COMPUTED; i++)
    for (uint32_t j = 0; j < HALF; j++)
      from[m] = i % 2 * HALF + j, to[m++] = 2 * HALF + i;
  from[m] = 0, to[m++] = LAST;
  from[m] = HALF, to[m++] = LAST;
  ck_assert_int_eq(cdag_graph_init(&g, LAST + 1, m, from, to, NULL, NULL), OK);
  ck_assert_int_eq(pebble_optimal(&g, &(pebble_rules){ .m = HALF + 1 }, NULL, &o, &d), GAVE_UP);
  ck_assert(o.upper >= 1 << 15 && o.lower == 2 * HALF + COMPUTED + 1);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&g);
  mem_free(from);
  mem_free(to);
}
END_TEST

/* ---- a pebbling to begin from ---- */

/* Two edges, 0 -> 1 and 2 -> 3, and a pebbling that is taken or not: by the parts, and never worse than the optimum. */
static const struct { pebble_variant variant; pebble_step step[10]; size_t n;
} start[] = {
  { PEBBLE_PLACING,
    { { PEBBLE_LOAD, 0, PEBBLE_NO_SLIDE },
      { PEBBLE_COMPUTE, 1, PEBBLE_NO_SLIDE },
      { PEBBLE_STORE, 1, PEBBLE_NO_SLIDE } },
    3 },
  { PEBBLE_SLIDING,
    { { PEBBLE_LOAD, 0, PEBBLE_NO_SLIDE }, { PEBBLE_COMPUTE, 1, 0 }, { PEBBLE_STORE, 1, PEBBLE_NO_SLIDE } },
    3 },
  { PEBBLE_SLIDING,
    { { PEBBLE_LOAD, 0, PEBBLE_NO_SLIDE }, { PEBBLE_COMPUTE, 1, 77 }, { PEBBLE_STORE, 1, PEBBLE_NO_SLIDE } },
    3 },
  { PEBBLE_PLACING, { { PEBBLE_LOAD, 99, PEBBLE_NO_SLIDE }, { PEBBLE_STORE, 3, PEBBLE_NO_SLIDE } }, 2 },
};

START_TEST(starts)
{
  cdag_graph g;
  pebble_optimum o;
  diag d = { 0 };
  pebble_step step[10];
  memcpy(step, start[_i].step, sizeof step);
  pebble_trace t = { step, start[_i].n, start[_i].n };
  pebble_optimal_limits l = { .start = &t };
  ck_assert_int_eq(cdag_graph_init(&g, 4, 2, (uint32_t[]){ 0, 2 }, (uint32_t[]){ 1, 3 }, NULL, NULL), OK);
  ck_assert_int_eq(pebble_optimal(&g, &(pebble_rules){ start[_i].variant, true, 2 }, &l, &o, &d), OK);
  ck_assert(o.proved && o.upper == 4);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&g);
}
END_TEST

/* The optimum is given, and erases the copy of an input that is not needed any more: it is what comes back, erasing. */
START_TEST(start_that_erases)
{
  cdag_graph g;
  pebble_optimum best, o;
  diag d = { 0 };
  pebble_rules rules = { .m = 3 };
  pebble_trace t = { 0 };
  build(&g, "grid33");
  ck_assert_int_eq(pebble_optimal(&g, &rules, NULL, &best, &d), OK);
  for (size_t i = 0; i < best.trace.n; i++)
    pebble_trace_add(&t, best.trace.step[i].kind, best.trace.step[i].vertex);
  pebble_trace_add(&t, PEBBLE_ERASE, 0);
  pebble_optimal_limits l = { .start = &t, .bytes = 1 };
  ck_assert_int_eq(pebble_optimal(&g, &rules, &l, &o, &d), GAVE_UP);
  ck_assert_uint_eq(o.upper, best.upper);
  size_t erased = 0;
  for (size_t i = 0; i < o.trace.n; i++)
    erased += o.trace.step[i].kind == PEBBLE_ERASE;
  ck_assert_uint_eq(erased, 1);
  pebble_trace_clear(&t);
  pebble_optimum_clear(&o);
  pebble_optimum_clear(&best);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- automorphisms ---- */

/* Cycles of 2 * half[i] edges, inputs and outputs in turn, the vertices numbered at random; every vertex has two
 * neighbours. */
static void build_cycles(cdag_graph *g, support_random *r, const uint32_t *half, uint32_t count, uint32_t *cycle)
{
  uint32_t from[512], to[512], name[512], n = 0, k = 0;
  uint64_t m = 0;
  for (uint32_t i = 0; i < count; i++)
    n += 2 * half[i];
  oracle_shuffle(r, name, n);
  for (uint32_t i = 0; i < count; k += 2 * half[i++])
    for (uint32_t j = 0; j < 2 * half[i]; j++) {
      uint32_t odd = k + (j | 1), even = k + (j % 2 ? (j + 1) % (2 * half[i]) : j);
      cycle[name[k + j]] = 2 * half[i] + j % 2;
      from[m] = name[even], to[m++] = name[odd];
    }
  ck_assert_int_eq(cdag_graph_init(g, n, m, from, to, NULL, NULL), OK);
}

static bool joined(const cdag_graph *g, uint32_t u, uint32_t v)
{
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    if (g->pred[e] == u)
      return true;
  return false;
}

static void check_automorphism(const cdag_graph *g, const uint16_t *to)
{
  uint8_t hit[512] = { 0 };
  for (uint32_t v = 0; v < g->n; v++) {
    ck_assert(to[v] < g->n && !hit[to[v]] && g->output[v] == g->output[to[v]]);
    hit[to[v]] = 1;
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      ck_assert(joined(g, to[g->pred[e]], to[v]));
  }
}

/* Which vertices the permutations take into each other: the smallest one each can become. */
static void find_orbits(const uint16_t *perm, int count, uint32_t n, uint32_t *orbit)
{
  for (uint32_t v = 0; v < n; v++)
    orbit[v] = v;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < count; i++)
      for (uint32_t v = 0; v < n; v++) {
        uint32_t *a = &orbit[v], *b = &orbit[perm[(size_t)i * n + v]], least = *a < *b ? *a : *b;
        more |= *a != *b;
        *a = *b = least;
      }
  }
}

/* Cycles of different lengths look alike to colours; an automorphism takes a vertex to those on its side of cycles as
 * long, and to no others. */
START_TEST(symmetries_of_cycles)
{
  support_random r = { 700 + (uint64_t)_i };
  uint32_t half[4], cycle[512], orbit[512], count = (uint32_t)support_between(&r, 1, 4);
  uint16_t *perm;
  cdag_graph g;
  for (uint32_t i = 0; i < count; i++)
    half[i] = (uint32_t)support_between(&r, 3, 4);
  build_cycles(&g, &r, half, count, cycle);
  int found = optimal_symmetries(&g, 200, &perm);
  for (int i = 0; i < found; i++)
    check_automorphism(&g, perm + (size_t)i * g.n);
  find_orbits(perm, found, g.n, orbit);
  for (uint32_t v = 0; v < g.n; v++)
    for (uint32_t u = 0; u < g.n; u++)
      ck_assert_int_eq(orbit[u] == orbit[v], cycle[u] == cycle[v]);
  mem_free(perm);
  ck_assert_int_eq(optimal_symmetries(&g, 1, &perm), 1);   /* no more than asked for */
  check_automorphism(&g, perm);
  mem_free(perm);
  cdag_graph_clear(&g);
}
END_TEST

/* So many squares that the search is left before it is done; what it has found holds. */
START_TEST(symmetries_left)
{
  support_random r = { 5 };
  uint32_t half[40], cycle[512];
  uint16_t *perm;
  cdag_graph g;
  for (int i = 0; i < COUNT(half); i++)
    half[i] = 2;
  build_cycles(&g, &r, half, COUNT(half), cycle);
  int found = optimal_symmetries(&g, 1000, &perm);
  ck_assert(found > 0 && found < 119);                     /* 3 squares by themselves take 8 */
  for (int i = 0; i < found; i++)
    check_automorphism(&g, perm + (size_t)i * g.n);
  mem_free(perm);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- the store and the search by themselves ---- */

static uint32_t no_surplus(const optimal_game *game, const uint64_t *a, const uint64_t *b)
{
  (void)game, (void)a, (void)b;
  return 0;
}

/* So many keys that some agree in the 32 bits of hash that are kept: each is found as itself, and none that was not put
 * in. */
START_TEST(store)
{
  enum { KEYS = 200000 };
  optimal_game game = { .words = 1, .group = 1, .surplus = no_surplus };
  optimal_store s;
  bool dominated;
  optimal_store_init(&s, &game, 1 << 30);
  for (uint64_t key = 0; key < KEYS; key++) {
    ck_assert_uint_eq(optimal_find(&s, &game, &key, 0, &dominated), OPTIMAL_NONE);
    ck_assert_uint_eq(optimal_add(&s, &key), key);
    *optimal_node_of(&s, (uint32_t)key) = (optimal_node){ .cost = 1 };
  }
  for (uint64_t key = 0; key < KEYS; key++) {
    ck_assert_uint_eq(optimal_find(&s, &game, &key, key % 2, &dominated), key);
    ck_assert_int_eq(dominated, key % 2);
  }
  uint64_t slots = s.slots, key = KEYS;
  uint32_t n = s.n;
  s.slots = (uint64_t)1 << 32, s.n = 3100000000u, s.limit = UINT64_MAX; /* numbers have 32 bits: it widens no more, */
  ck_assert_uint_eq(optimal_add(&s, &key), OPTIMAL_NONE);                  /* looks at no slot and takes no key */
  s.slots = slots, s.n = n;
  optimal_store_clear(&s);
}
END_TEST

/* Whatever runs out first, positions, slots or stacks: the interval holds the optimum, 27 (known_optima). */
START_TEST(memory_limits)
{
  cdag_graph g;
  pebble_rules rules = { PEBBLE_PLACING, true, 5 };
  build(&g, "fft3");
  for (uint64_t bytes = 1 << 15; bytes < 1 << 20; bytes += bytes < 1 << 18 ? 1 << 12 : 1 << 15) {
    pebble_optimum o;
    diag d = { 0 };
    status st = pebble_optimal(&g, &rules, &(pebble_optimal_limits){ .bytes = bytes }, &o, &d);
    ck_assert(o.lower <= 27 && o.upper >= 27);
    ck_assert_int_eq(st, o.proved ? OK : GAVE_UP);
    pebble_optimum_clear(&o);
  }
  cdag_graph_clear(&g);
}
END_TEST

/* Depth first in next to no memory: the same optimum in every game, and a play of it from whatever was known. */
START_TEST(goes_on)
{
  static const struct { pebble_rules rules; uint32_t n; } kind[] = {
    { { PEBBLE_PLACING, true, 0 }, 14 }, { { PEBBLE_SLIDING, true, 0 }, 14 }, { { PEBBLE_PARTIAL, true, 0 }, 10 },
    { { PEBBLE_PLACING, false, 0 }, 11 }, { { PEBBLE_SLIDING, false, 0 }, 11 },
  };
  support_random r = { 9700 + (uint64_t)_i };
  pebble_rules rules = kind[_i % COUNT(kind)].rules;
  optimal_watch watch = { .deadline = CLOCK_NEVER };
  cdag_graph g = { 0 };
  if (_i < COUNT(kind))
    build(&g, rules.variant == PEBBLE_PARTIAL ? "layers222" : "fft2");
  else
    one_piece(&g, &r, kind[_i % COUNT(kind)].n);
  rules.m = pebble_least_memory(&g, &rules) + (uint64_t)support_between(&r, 0, 1);
  uint32_t least = (uint32_t)solve(&g, &rules);
  optimal_game *game = optimal_new(&g, &rules);
  for (uint64_t bytes = 1 << 15; bytes <= 1 << 20; bytes *= 32) {
    optimal_result d = { .upper = least + (uint32_t)support_between(&r, 0, 3) };
    optimal_deepen(game, bytes, &watch, &d);
    ck_assert_msg(!d.gave_up && d.lower == least && d.upper == least, "seed %d, %lu bytes: %u to %u, not %u", _i,
                  (unsigned long)bytes, d.lower, d.upper, least);
    pebble_verdict v = pebble_judge(&g, &rules, &d.trace);
    ck_assert(d.trace.n == 0 || (v.legal && pebble_io(&v) == least));
    pebble_trace_clear(&d.trace);
  }
  optimal_result none = { .upper = least }, over = { .upper = least };
  optimal_deepen(game, 1 << 6, &watch, &none);
  ck_assert(none.gave_up && none.lower == 0);
  none = (optimal_result){ .upper = 40 };
  optimal_deepen(game, 1 << 9, &watch, &none); /* hardly a stack */
  ck_assert(none.gave_up ? none.lower <= least : none.lower == least);
  pebble_trace_clear(&none.trace);
  game->free(game);
  cdag_graph_clear(&g);
  build(&g, "fft3"); /* the time is over: what is proved stays */
  rules = (pebble_rules){ PEBBLE_PLACING, true, 4 };
  game = optimal_new(&g, &rules);
  watch.deadline = 1;
  over.upper = 40;
  optimal_deepen(game, 1 << 20, &watch, &over);
  ck_assert(over.gave_up && over.lower <= 31);
  game->free(game);
  cdag_graph_clear(&g);
}
END_TEST

/* With little memory the same is solved as with much. */
START_TEST(memory_that_is_little)
{
  static const pebble_rules rules[] = { { PEBBLE_PLACING, true, 5 }, { PEBBLE_SLIDING, true, 4 } };
  static const uint64_t least[] = { 27, 28 };
  cdag_graph g;
  pebble_optimum o;
  diag d = { 0 };
  build(&g, "fft3");
  pebble_optimal_limits little = { .bytes = 1 << 18, .go_on = true };
  ck_assert_int_eq(pebble_optimal(&g, &rules[_i], &little, &o, &d), OK);
  ck_assert(o.proved && o.upper == least[_i]);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&g);
}
END_TEST

typedef struct { int calls; uint64_t lower, upper, states; } told;

static void tell(void *context, uint64_t lower, uint64_t upper, uint64_t states)
{
  told *t = context;
  ck_assert(lower >= t->lower && upper == t->upper && states >= t->states);
  *t = (told){ t->calls + 1, lower, upper, states };
}

/* Once at the first look at the clock, and not again in the same second (or two); the other parts are counted in. */
START_TEST(progress)
{
  cdag_graph g;
  pebble_rules rules = { PEBBLE_PLACING, true, 4 };
  build(&g, "fft4");
  told t = { .upper = 300 + 20 };
  pebble_optimal_limits l = { .progress = tell, .context = &t };
  optimal_watch watch = { .limits = &l, .deadline = clock_seconds() + 3600, .lower = 10, .upper = 20 };
  optimal_result r = { .lower = 32, .upper = 300 };
  optimal_game *game = optimal_new(&g, &rules);
  optimal_astar(game, 1 << 20, &watch, &r);
  ck_assert(r.gave_up && t.calls >= 1 && t.lower >= 32 + 10 && t.states > 0 && t.states <= r.states);
  ck_assert(watch.next_word > 0);
  game->free(game);
  cdag_graph_clear(&g);
}
END_TEST

/* The time is over before it begins: seen at the first look at the clock, in the midst of an expansion, and nothing
 * false is said. */
START_TEST(time_is_over)
{
  static const pebble_rules rules[] = {
    { PEBBLE_PLACING, true, 6 }, { PEBBLE_PLACING, false, 6 }, { PEBBLE_SLIDING, false, 5 }, { PEBBLE_PARTIAL, true, 5 }
  };
  cdag_graph g;
  optimal_watch watch = { .deadline = 1e-9 };
  optimal_result r = { .lower = 32, .upper = 300 };
  build(&g, "fft4");
  optimal_game *game = optimal_new(&g, &rules[_i]);
  optimal_astar(game, 1 << 28, &watch, &r);
  ck_assert(r.gave_up && r.lower >= 32 && r.lower < r.upper && r.states <= 2 * 2048);
  pebble_trace_clear(&r.trace);
  game->free(game);
  cdag_graph_clear(&g);
}
END_TEST

/* A game of a few positions: edge[a][b] is what it costs to go from a to b, bound[] what is said to be left, truth[]
 * what is. */
enum { MOST_PLACES = 12, NO_EDGE = 99, CROWD = 10000 };
typedef struct {
  optimal_game base;          /* first */
  uint32_t n, edge[MOST_PLACES][MOST_PLACES], bound[MOST_PLACES], truth[MOST_PLACES];
  uint32_t crowd;             /* positions beyond the n, one step from 0, that lead nowhere */
} toy;

static void toy_start(optimal_game *game, uint64_t *key) { (void)game, *key = 0; }

static void toy_expand(optimal_game *game, const uint64_t *key, optimal_emit emit, void *context)
{
  const toy *t = (const toy *)game;
  for (uint64_t b = t->n; *key == 0 && !game->record && b < t->n + t->crowd && !game->stop; b++)
    emit(context, &b, 1);
  for (uint64_t b = 0; *key < t->n && b < t->n && !game->stop; b++) {
    if (t->edge[*key][b] == NO_EDGE)
      continue;
    if (game->record) {
      game->record->n = 0;
      pebble_trace_add(game->record, PEBBLE_COMPUTE, (uint32_t)b);
    }
    emit(context, &b, t->edge[*key][b]);
  }
}

static uint32_t toy_bound(const optimal_game *game, const uint64_t *key)
{
  const toy *t = (const toy *)game;
  return *key < t->n ? t->bound[*key] : 1;
}

/* The last place is the goal; bounds are true, and need not agree with each other. */
static void toy_init(toy *t, support_random *r)
{
  uint32_t goal;
  *t = (toy){ .base = { .size = sizeof *t,
                        .words = 1,
                        .group = 1,
                        .surplus = no_surplus,
                        .start = toy_start,
                        .expand = toy_expand,
                        .bound = toy_bound } };
  t->base.vertices = t->n = (uint32_t)support_between(r, 2, MOST_PLACES);
  t->crowd = support_between(r, 0, 7) ? 0 : CROWD;
  goal = t->n - 1;
  for (uint32_t a = 0; a < t->n; a++)
    for (uint32_t b = 0; b < t->n; b++)
      t->edge[a][b] =
          a == b || support_between(r, 0, 2) ? NO_EDGE : (uint32_t)support_between(r, b == goal, b == goal ? 12 : 4);
  for (uint32_t a = 0; a < t->n; a++)
    t->truth[a] = a == goal ? 0 : 1000;
  for (uint32_t round = 0; round < t->n; round++)
    for (uint32_t a = 0; a < t->n; a++)
      for (uint32_t b = 0; b < t->n; b++)
        if (t->edge[a][b] != NO_EDGE && t->edge[a][b] + t->truth[b] < t->truth[a])
          t->truth[a] = t->edge[a][b] + t->truth[b];
  for (uint32_t a = 0; a < t->n; a++)
    t->bound[a] = a == goal ? 0 : t->truth[a] >= 1000 && support_between(r, 0, 1) ? OPTIMAL_HOPELESS :
                  (uint32_t)support_between(r, 1, t->truth[a] < 12 ? (int64_t)t->truth[a] : 12);
}

/* A* finds the cheapest way, and the way it writes down costs what it says, whether or not the bounds agree with each
 * other. */
START_TEST(search_alone)
{
  support_random r = { 40 + (uint64_t)_i };
  for (int i = 0; i < 100; i++) {
    toy t;
    toy_init(&t, &r);
    optimal_watch watch = { 0 };
    optimal_result result = { .lower = 0, .upper = 40 };
    optimal_astar(&t.base, 1 << 24, &watch, &result);
    uint32_t truth = t.truth[0] < 40 ? t.truth[0] : 40, at = 0, cost = 0;
    ck_assert_msg(!result.gave_up && result.lower == truth && result.upper == truth,
                  "round %d: %u..%u, the cheapest way costs %u", i, result.lower, result.upper, truth);
    for (size_t j = 0; j < result.trace.n; at = result.trace.step[j++].vertex)
      cost += t.edge[at][result.trace.step[j].vertex];
    ck_assert(truth == 40 || (at == t.n - 1 && cost == truth));
    pebble_trace_clear(&result.trace);
  }
}
END_TEST

/* More pebbles than vertices, and than an int holds. */
START_TEST(memory_for_all)
{
  cdag_graph g;
  pebble_rules rules = { _i ? PEBBLE_PARTIAL : PEBBLE_PLACING, true, (uint64_t)1 << 40 };
  optimal_watch watch = { 0 };
  optimal_result r = { .upper = 40 };
  build(&g, "grid33");
  optimal_game *game = optimal_new(&g, &rules);
  optimal_astar(game, 1 << 24, &watch, &r);
  ck_assert(!r.gave_up && r.lower == 2 && r.upper == 2);
  pebble_trace_clear(&r.trace);
  game->free(game);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- disjoint paths ---- */

/* Does a path lead from one of `from` to one of `to`, all within inside?  Edges go upwards. */
static bool leads(const bits *succ, uint32_t n, uint64_t inside, uint64_t from, uint64_t to)
{
  uint64_t seen = from & inside;
  for (uint32_t v = 0; v < n; v++)
    if (seen >> v & 1)
      for (uint32_t u = v + 1; u < n; u++)
        if (bits_has(succ[v], (int)u))
          seen |= (uint64_t)1 << u & inside;
  return (seen & to) != 0;
}

static bits bits_of(uint64_t set)
{
  bits b = { { 0 } };
  for (int v = 0; v < 64; v++)
    if (set >> v & 1)
      b = bits_with(b, v);
  return b;
}

/* As many disjoint paths as vertices it takes to cut them all (Menger 1927); those of one vertex may be there from the
 * start. */
START_TEST(disjoint_paths)
{
  support_random r = { 60 + (uint64_t)_i };
  for (int i = 0; i < 40; i++) {
    bits succ[12] = { { { 0 } } };
    uint32_t n = (uint32_t)support_between(&r, 2, 11), least = n, count = 0;
    uint64_t all = ((uint64_t)1 << n) - 1,
             inside = all & ~(uint64_t)(support_between(&r, 0, 3) ? 0 : support_between(&r, 0, (int64_t)all));
    uint64_t from = (uint64_t)support_between(&r, 0, (int64_t)all) & inside,
             to = (uint64_t)support_between(&r, 0, (int64_t)all) & inside;
    from &= (uint64_t)support_between(&r, 0, (int64_t)all),
        to &= ~(from & (uint64_t)support_between(&r, 0, (int64_t)all));
    if (i % 4 && n >= 8) /* long paths, which give way to each other */
      from = 7 & inside, to = (all ^ all >> 3) & inside;
    for (uint32_t v = 0; v < n; v++)
      for (uint32_t u = v + 1; u < n; u++)
        if (support_between(&r, 0, 3) == 0)
          succ[v] = bits_with(succ[v], (int)u);
    for (uint64_t cut = 0; cut <= all; cut++)
      if ((uint32_t)__builtin_popcountll(cut) < least && !leads(succ, n, inside & ~cut, from, to))
        least = (uint32_t)__builtin_popcountll(cut);
    uint64_t trivial = i % 2 ? from & to : 0;
    paths p = {
      .succ = succ, .inside = bits_of(inside), .from = bits_of(from), .to = bits_of(to), .used = bits_of(trivial)
    };
    for (uint32_t v = 0; v < n; v++)
      if (trivial >> v & 1)
        p.before[v] = PATHS_START, count++;
    while (count <= n && paths_add(&p))
      count++;
    ck_assert_uint_eq(count, least);
  }
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
  tcase_add_loop_test(c, bound_is_admissible, 0, support_rounds(50));
  tcase_add_loop_test(c, cores_are_admissible, 0, support_rounds(50));
  tcase_add_loop_test(c, learning_changes_no_answer, 0, support_rounds(60));
  tcase_add_loop_test(c, all_positions_are_met, 0, support_rounds(30));
  tcase_add_test(c, paths_give_way);
  tcase_add_loop_test(c, own_properties, 0, support_rounds(10));
  tcase_add_loop_test(c, limits, 0, 4);
  tcase_add_test(c, parts_and_sizes);
  tcase_add_loop_test(c, sizes, 0, COUNT(size));
  tcase_add_test(c, costs_too_much);
  tcase_add_loop_test(c, starts, 0, COUNT(start));
  tcase_add_test(c, start_that_erases);
  tcase_add_loop_test(c, symmetries_of_cycles, 0, support_rounds(20));
  tcase_add_test(c, symmetries_left);
  tcase_add_test(c, store);
  tcase_add_test(c, memory_limits);
  tcase_add_loop_test(c, goes_on, 0, support_rounds(40));
  tcase_add_loop_test(c, memory_that_is_little, 0, 2);
  tcase_add_test(c, progress);
  tcase_add_loop_test(c, time_is_over, 0, 4);
  tcase_add_loop_test(c, memory_for_all, 0, 2);
  tcase_add_loop_test(c, disjoint_paths, 0, support_rounds(10));
  tcase_add_loop_test(c, search_alone, 0, support_rounds(10));
  return support_run(s);
}
