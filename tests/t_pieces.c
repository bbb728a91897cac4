/* Bounds by pieces: the excess of a piece against the exact search, which shares nothing with it; sums against the
   optimum; the cut itself; certificates. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/check/graph/excess.h"
#include "bounds/graph/pieces.h"
#include "bounds/recognise/explicit.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_oracle.h"
#include <string.h>

static bound_explicit e;
static cdag_graph whole;
static diag d;
static uint32_t piece[64], pieces;

/* A random graph, what matters of it, and pieces of it at random. */
static void open_random(support_random *r, uint32_t most)
{
  oracle_random_graph(&whole, r, (uint32_t)support_between(r, 2, most), (int)support_between(r, 10, 45));
  ck_assert_int_eq(bound_explicit_of(&e, &whole, &d), OK);
  pieces = (uint32_t)support_between(r, 1, 4);
  for (uint32_t v = 0; v < e.g.n; v++)
    piece[v] = (uint32_t)support_between(r, 0, (int)pieces - 1);
}

static void forget(void)
{
  bound_explicit_clear(&e);
  cdag_graph_clear(&whole);
}

static pebble_rules random_rules(support_random *r, bool one_shot)
{
  pebble_rules rules = { support_between(r, 0, 1) ? PEBBLE_SLIDING : PEBBLE_PLACING, one_shot, 0 };
  rules.m = bound_explicit_least_memory(&e, rules.variant == PEBBLE_PLACING) + (uint64_t)support_between(r, 0, 2);
  return rules;
}

/* ---- the excess of a piece ---- */

static void piece_of(uint32_t p, excess_piece *v)
{
  uint8_t *weight = bound_explicit_weights(&e);
  uint32_t vertex[64], number[64] = { 0 }, n = 0;
  for (uint32_t i = 0; i < e.g.n; i++)
    if (piece[i] == p)
      vertex[n++] = i;
  ck_assert(excess_piece_init(v, &e.g, weight, vertex, n, number));
  for (uint32_t i = 0; i < e.g.n; i++)
    ck_assert_uint_eq(number[i], 0);
  mem_free(weight);
}

static uint32_t least_excess(uint32_t p, const pebble_rules *rules, uint32_t limit, excess_answer answer)
{
  excess_piece v;
  uint32_t least;
  uint64_t positions = UINT64_MAX;
  piece_of(p, &v);
  ck_assert_int_eq((rules->one_shot ? excess_least : excess_again)(&v, rules->m, rules->variant == PEBBLE_SLIDING,
                                                                   limit, &positions, &least),
                   answer);
  return least;
}

static uint32_t excess_of(uint32_t p, const pebble_rules *rules)
{
  return least_excess(p, rules, UINT32_MAX, EXCESS_KNOWN);
}

/* ---- the same by the exact search ---- */

static uint64_t optimum(const cdag_graph *g, const pebble_rules *rules)
{
  pebble_optimum o;
  ck_assert_int_eq(pebble_optimal(g, rules, NULL, &o, &d), OK);
  ck_assert(o.possible && o.proved);
  uint64_t cost = o.upper;
  pebble_optimum_clear(&o);
  return cost;
}

static bool reads(uint32_t v, uint32_t p)
{
  for (uint64_t i = e.g.pred_at[v]; i < e.g.pred_at[v + 1]; i++)
    if (piece[e.g.pred[i]] == p)
      return true;
  return false;
}

/* A graph whose every play costs what a way through piece p does, and compulsory moves: what a step reads of other
   pieces becomes an input of its own, and what reads the piece from outside an output.  false: it has no vertex. */
static bool graph_of(uint32_t p, cdag_graph *out)
{
  uint32_t name[64], from[1024], to[1024], n = 0, all;
  uint64_t m = 0;
  uint8_t output[1024] = { 0 };
  for (uint32_t v = 0; v < e.g.n; v++)
    if (piece[v] == p || reads(v, p)) {
      output[n] = piece[v] != p || e.g.output[v];
      name[v] = n++;
    }
  all = n;
  for (uint32_t v = 0; v < e.g.n; v++)
    for (uint64_t i = e.g.pred_at[v]; (piece[v] == p || reads(v, p)) && i < e.g.pred_at[v + 1]; i++) {
      from[m] = piece[e.g.pred[i]] == p ? name[e.g.pred[i]] : all++;
      to[m++] = name[v];
    }
  ck_assert_int_eq(cdag_graph_init(out, all, m, from, to, output, &d), OK);
  return n > 0;
}

/* Two searches that share nothing find the same excess of each piece; with a limit, what is asked and no more. */
START_TEST(excess_by_the_exact_search)
{
  support_random r = { (uint64_t)_i };
  open_random(&r, 14);
  pebble_rules rules = random_rules(&r, true);
  for (uint32_t p = 0; p < pieces; p++) {
    cdag_graph g;
    if (graph_of(p, &g)) {
      uint32_t excess = excess_of(p, &rules);
      ck_assert_uint_eq(cdag_graph_compulsory(&g) + excess, optimum(&g, &rules));
      if (excess > 0)
        ck_assert_uint_eq(least_excess(p, &rules, excess, EXCESS_LIMIT), excess);
    }
    cdag_graph_clear(&g);
  }
  forget();
}
END_TEST

/* The same of larger graphs in one piece, where many positions are met again. */
START_TEST(excess_of_larger_graphs)
{
  support_random r = { (uint64_t)_i };
  ck_assert_int_eq(cdag_graph_random(&whole, support_between(&r, 14, 22), _i, support_between(&r, 3, 6), 0, &d), OK);
  ck_assert_int_eq(bound_explicit_of(&e, &whole, &d), OK);
  memset(piece, 0, sizeof piece);
  pebble_rules rules = random_rules(&r, true);
  if (e.g.n > 0)
    ck_assert_uint_eq(e.compulsory + excess_of(0, &rules), optimum(&e.g, &rules));
  forget();
}
END_TEST

static uint64_t sum_of_pieces(const pebble_rules *rules)
{
  uint64_t sum = e.compulsory;
  for (uint32_t p = 0; p < pieces; p++)
    sum += excess_of(p, rules);
  return sum;
}

/* At most the optimum; the optimum itself when all is one piece. */
START_TEST(sums_below_the_optimum)
{
  support_random r = { 3000 + (uint64_t)_i };
  open_random(&r, 15);
  pebble_rules rules = random_rules(&r, true);
  uint64_t sum = sum_of_pieces(&rules), most = optimum(&e.g, &rules);
  ck_assert_uint_le(sum, most);
  if (pieces == 1)
    ck_assert_uint_eq(sum, most);
  forget();
}
END_TEST

/* Where words may be computed again, too: of all there is, what the exact search says. */
START_TEST(excess_with_recomputation)
{
  support_random r = { (uint64_t)_i };
  ck_assert_int_eq(cdag_graph_random(&whole, support_between(&r, 4, 17), _i, support_between(&r, 2, 5), 0, &d), OK);
  ck_assert_int_eq(bound_explicit_of(&e, &whole, &d), OK);
  memset(piece, 0, sizeof piece);
  pebble_rules rules = random_rules(&r, false);
  if (e.g.n > 0)
    ck_assert_uint_eq(e.compulsory + excess_of(0, &rules), optimum(&e.g, &rules));
  forget();
}
END_TEST

/* Tens of thousands of positions: the exact solver expands them beside each other, the checker's search does not. */
static const int64_t seeds[] = { 302, 305, 314, 315 };
START_TEST(searches_agree)
{
  ck_assert_int_eq(cdag_graph_random(&whole, 21, seeds[_i], 3, 0, &d), OK);
  ck_assert_int_eq(bound_explicit_of(&e, &whole, &d), OK);
  memset(piece, 0, sizeof piece);
  pebble_rules rules = { seeds[_i] % 2 ? PEBBLE_SLIDING : PEBBLE_PLACING, false, 0 };
  rules.m = bound_explicit_least_memory(&e, rules.variant == PEBBLE_PLACING);
  ck_assert_uint_eq(e.compulsory + excess_of(0, &rules), optimum(&e.g, &rules));
  forget();
}
END_TEST

/* A search that is stopped has proved no more than is true, and says so. */
START_TEST(stopped_searches)
{
  support_random r = { 6000 + (uint64_t)_i };
  open_random(&r, _i % 2 ? 14 : 20);
  pebble_rules rules = random_rules(&r, _i % 2 == 0);
  excess_piece v;
  uint32_t least = 0;
  memset(piece, 0, sizeof piece);
  uint32_t most = excess_of(0, &rules);
  piece_of(0, &v);
  for (uint64_t some = 1; some < 2000; some = some * 3 / 2 + 1) {
    uint64_t left = some;
    uint32_t before = least;
    excess_answer a = (rules.one_shot ? excess_least : excess_again)(&v, rules.m, rules.variant == PEBBLE_SLIDING,
                                                                     UINT32_MAX, &left, &least);
    ck_assert_uint_le(left, some);
    ck_assert_uint_le(before, least);
    ck_assert(a == EXCESS_KNOWN ? least == most : a == EXCESS_GAVE_UP && least <= most && left == 0);
  }
  forget();
}
END_TEST

/* The 3 x 3 grid at M = 3 costs 5 when vertices may be computed again, and 6 when not: the sum is no bound there. */
START_TEST(not_with_recomputation)
{
  static const uint32_t from[] = { 0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 7 }, to[] = { 1, 3, 2, 4, 5, 4, 6, 5, 7, 8, 7, 8 };
  ck_assert_int_eq(cdag_graph_init(&whole, 9, COUNT(from), from, to, NULL, &d), OK);
  ck_assert_int_eq(bound_explicit_of(&e, &whole, &d), OK);
  memset(piece, 0, sizeof piece);
  pieces = 1;
  pebble_rules rules = { PEBBLE_PLACING, true, 3 };
  ck_assert_uint_eq(sum_of_pieces(&rules), 6);
  rules.one_shot = false;
  ck_assert_uint_eq(optimum(&e.g, &rules), 5);
  forget();
}
END_TEST

/* ---- the record ---- */

static const bound *record_of(const char *spec, bool one_shot, int variant, bound_list *list, cdag **g)
{
  int best;
  ck_assert_int_eq(cdag_open(g, spec, &d), OK);
  bound_question q = { .g = *g, .m = 4, .one_shot = one_shot, .variant = variant, .want_proof = true };
  ck_assert_int_eq(bound_all(&q, list, &best, &d), OK);
  return bound_named(list, variant == PEBBLE_SLIDING ? "pieces-sliding" : "pieces");
}

/* The checker accepts it: it is written only then. */
static void certify(const cdag *g, const bound *b, int variant)
{
  bound_question q = { .g = g, .m = 4, .one_shot = true, .variant = variant };
  text t = { 0 };
  ck_assert_msg(bound_has_certificate(b) && bound_certify(&q, b, &t, &d) == OK, "%s", d.message);
  text_clear(&t);
}

/* Listed in the games it holds in, and only there; what is claimed is more than the compulsory moves. */
START_TEST(games_of_the_record)
{
  static const struct { bool one_shot; int variant; unsigned models; } game[] = {
    { true, PEBBLE_PLACING, BOUND_ONE_SHOT | BOUND_PLACING },
    { true, PEBBLE_SLIDING, BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING },
    { false, PEBBLE_PLACING, 0 },
    { true, PEBBLE_PARTIAL, 0 },
  };
  bound_list list = { 0 };
  cdag *g;
  const bound *b = record_of("random:n=40,degree=3,seed=2", game[_i].one_shot, game[_i].variant, &list, &g);
  ck_assert_int_eq(b != NULL, game[_i].models != 0);
  if (b) {
    ck_assert_uint_eq(b->models, game[_i].models);
    ck_assert(b->trust == BOUND_PROVED && strstr(text_str(&b->proof), "pieces"));
    ck_assert_int_gt(mpz_cmp_ui(b->value, cdag_graph_compulsory(g->graph)), 0);
    certify(g, b, game[_i].variant);
  }
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* Random graphs beside each other. */
static void beside(uint32_t parts, int seed)
{
  enum { EDGES = 400 };
  uint32_t from[EDGES], to[EDGES], n = 0;
  uint64_t m = 0;
  for (uint32_t p = 0; p < parts; p++) {
    cdag_graph g;
    ck_assert_int_eq(cdag_graph_random(&g, 13, seed + 1000 * (int)p, 3, 0, &d), OK);
    for (uint32_t v = 0; v < g.n; v++)
      for (uint64_t i = g.pred_at[v]; i < g.pred_at[v + 1]; i++)
        from[m] = n + g.pred[i], to[m++] = n + v;
    n += g.n;
    cdag_graph_clear(&g);
  }
  ck_assert_int_eq(cdag_graph_init(&whole, n, m, from, to, NULL, &d), OK);
}

/* The optimum of several components is certified in every game, part by part. */
START_TEST(certified_optimum)
{
  pebble_rules rules = { _i & 1 ? PEBBLE_SLIDING : PEBBLE_PLACING, _i & 2, 4 };
  bound_list list = { 0 };
  int best;
  beside(1 + (uint32_t)_i / 4 % 3, _i);
  cdag g = { .graph = &whole, .vertices = whole.n };
  bound_question q = { .g = &g, .m = rules.m, .one_shot = rules.one_shot, .variant = (int)rules.variant, .seconds = 60,
                       .theorem = "optimum" };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, "optimum");
  text t = { 0 };
  ck_assert_uint_eq(mpz_get_ui(b->value), optimum(&whole, &rules));
  ck_assert_uint_eq(b->models & BOUND_RECOMPUTE, rules.one_shot ? 0 : BOUND_RECOMPUTE);
  ck_assert_msg(bound_has_certificate(b) && bound_certify(&q, b, &t, &d) == OK, "seed %d: %s", _i, d.message);
  text_clear(&t);
  bound_list_clear(&list);
  cdag_graph_clear(&whole);
}
END_TEST

/* ---- the cut ---- */

/* Chains whose vertices are numbered in turn: no piece needs more than one of them, and each vertex is in a piece. */
START_TEST(cut_follows_edges)
{
  enum { CHAINS = 4, LONG = 12 };
  uint32_t from[CHAINS * LONG], to[CHAINS * LONG], in[CHAINS * LONG] = { 0 }, crossing = 0;
  uint64_t m = 0;
  for (uint32_t v = CHAINS; v < CHAINS * LONG; v++)
    from[m] = v - CHAINS, to[m++] = v;
  ck_assert_int_eq(cdag_graph_init(&whole, CHAINS * LONG, m, from, to, NULL, &d), OK);
  pieces = bound_pieces_cut(&whole, LONG, piece);
  ck_assert_uint_eq(pieces, CHAINS);
  for (uint32_t v = 0; v < whole.n; v++) {
    ck_assert_uint_lt(piece[v], pieces);
    in[piece[v]]++;
  }
  for (uint64_t i = 0; i < m; i++)
    crossing += piece[from[i]] != piece[to[i]];
  ck_assert_uint_eq(crossing, 0);
  for (uint32_t p = 0; p < pieces; p++)
    ck_assert_uint_eq(in[p], LONG);
  cdag_graph_clear(&whole);
}
END_TEST

/* All of a graph in one piece, as long as it is connected: else a piece for each of its parts. */
START_TEST(cut_of_everything)
{
  enum { N = 40 };
  support_random r = { (uint64_t)_i };
  uint32_t from[N], to[N], part[N], parts = N;
  uint64_t m = 0;
  for (uint32_t v = 0; v < N; v++)
    part[v] = v;
  for (int i = 0; i < 25; i++) {
    uint32_t v = (uint32_t)support_between(&r, 1, N - 1), u = (uint32_t)support_between(&r, 0, v - 1);
    from[m] = u, to[m++] = v;
    uint32_t a = part[u], b = part[v];
    parts -= a != b;
    for (uint32_t w = 0; w < N; w++)
      part[w] = part[w] == b ? a : part[w];
  }
  ck_assert_int_eq(cdag_graph_init(&whole, N, m, from, to, NULL, &d), OK);
  ck_assert_uint_eq(bound_pieces_cut(&whole, N, piece), parts);
  for (uint32_t v = 0; v < N; v++)
    for (uint32_t w = 0; w < v; w++)
      ck_assert((piece[v] == piece[w]) == (part[v] == part[w]));
  cdag_graph_clear(&whole);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("pieces");
  TCase *c = support_case(s, "theorem");
  tcase_add_loop_test(c, excess_by_the_exact_search, 150, 150 + support_rounds(150));
  tcase_add_loop_test(c, excess_of_larger_graphs, 1000, 1000 + support_rounds(60));
  tcase_add_loop_test(c, sums_below_the_optimum, 0, support_rounds(150));
  tcase_add_loop_test(c, excess_with_recomputation, 0, support_rounds(100));
  tcase_add_loop_test(c, searches_agree, 0, COUNT(seeds));
  tcase_add_loop_test(c, stopped_searches, 0, support_rounds(20));
  tcase_add_test(c, not_with_recomputation);
  tcase_add_loop_test(c, games_of_the_record, 0, 4);
  tcase_add_loop_test(c, certified_optimum, 0, support_rounds(24));
  tcase_add_test(c, cut_follows_edges);
  tcase_add_loop_test(c, cut_of_everything, 0, support_rounds(10));
  return support_run(s);
}
