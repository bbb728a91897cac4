/* Bounds by pieces: every play of the whole restricted to a piece is a play of the piece's graph, as the theorem says;
   sums against the exact optimum; the cut itself. */
#include "base/mem.h"
#include "bounds/bound.h"
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

static pebble_rules random_rules(support_random *r)
{
  pebble_rules rules = { support_between(r, 0, 1) ? PEBBLE_SLIDING : PEBBLE_PLACING, true, 0 };
  rules.m = bound_explicit_least_memory(&e, rules.variant == PEBBLE_PLACING) + (uint64_t)support_between(r, 0, 2);
  return rules;
}

/* ---- the restricted play ---- */

/* The vertices of a piece's graph: those of the whole that take part, by number, then the inputs that were added. */
typedef struct {
  uint32_t p, name[64], input[1024]; /* input: of each edge of the whole */
  bool part[64];
} names;

static bool reads(uint32_t v, uint32_t p)
{
  for (uint64_t i = e.g.pred_at[v]; i < e.g.pred_at[v + 1]; i++)
    if (piece[e.g.pred[i]] == p)
      return true;
  return false;
}

static void name_all(names *k, uint32_t p)
{
  uint32_t n = 0;
  k->p = p;
  for (uint32_t v = 0; v < e.g.n; v++) {
    k->part[v] = piece[v] == p || reads(v, p);
    k->name[v] = n;
    n += k->part[v];
  }
  for (uint32_t v = 0; v < e.g.n; v++)
    for (uint64_t i = e.g.pred_at[v]; i < e.g.pred_at[v + 1]; i++)
      if (k->part[v] && piece[e.g.pred[i]] != p)
        k->input[i] = n++;
}

static void play_inputs(const names *k, uint32_t v, pebble_kind kind, uint32_t slide, pebble_trace *t)
{
  for (uint64_t i = e.g.pred_at[v]; i < e.g.pred_at[v + 1]; i++)
    if (piece[e.g.pred[i]] != k->p && (kind == PEBBLE_LOAD || e.g.pred[i] != slide))
      pebble_trace_add(t, kind, k->input[i]);
}

static void play_compute(const names *k, pebble_step s, pebble_trace *t)
{
  uint32_t from = 0;
  for (uint64_t i = e.g.pred_at[s.vertex]; i < e.g.pred_at[s.vertex + 1]; i++)
    if (e.g.pred[i] == s.slide)
      from = piece[s.slide] == k->p ? k->name[s.slide] : k->input[i];
  play_inputs(k, s.vertex, PEBBLE_LOAD, s.slide, t);
  if (s.slide == PEBBLE_NO_SLIDE)
    pebble_trace_add(t, PEBBLE_COMPUTE, k->name[s.vertex]);
  else
    pebble_trace_slide(t, k->name[s.vertex], from);
  play_inputs(k, s.vertex, PEBBLE_DROP, s.slide, t);
  if (piece[s.vertex] != k->p) {
    pebble_trace_add(t, PEBBLE_STORE, k->name[s.vertex]);
    pebble_trace_add(t, PEBBLE_DROP, k->name[s.vertex]);
  }
}

static void restrict_play(const names *k, const pebble_trace *play, pebble_trace *t)
{
  for (size_t i = 0; i < play->n; i++) {
    pebble_step s = play->step[i];
    if (s.kind == PEBBLE_COMPUTE && k->part[s.vertex])
      play_compute(k, s, t);
    else if (s.kind != PEBBLE_COMPUTE && piece[s.vertex] == k->p)
      pebble_trace_add(t, s.kind, k->name[s.vertex]);
  }
}

/* The theorem's proof, played: legal in each piece, and the moves beyond the known ones are those of the whole. */
START_TEST(plays_restrict)
{
  support_random r = { (uint64_t)_i };
  open_random(&r, 22);
  pebble_rules rules = random_rules(&r);
  pebble_optimal_limits limits = { .bytes = 1 << 20 };
  pebble_optimum o;
  status st = pebble_optimal(&e.g, &rules, &limits, &o, &d);
  ck_assert(st == OK || st == GAVE_UP);
  uint64_t sum = 0;
  for (uint32_t p = 0; p < pieces; p++) {
    cdag_graph g;
    uint64_t known;
    names k;
    pebble_trace t = { 0 };
    bound_piece_graph(&e.g, piece, p, &g, &known);
    name_all(&k, p);
    restrict_play(&k, &o.trace, &t);
    pebble_verdict v = pebble_judge(&g, &rules, &t);
    ck_assert_msg(v.legal, "piece %u: %s", p, pebble_rule_name(v.rule));
    ck_assert_uint_le(v.peak, rules.m);
    ck_assert_uint_ge(v.loads + v.stores, known);
    sum += v.loads + v.stores - known;
    pebble_trace_clear(&t);
    cdag_graph_clear(&g);
  }
  ck_assert_uint_eq(sum, o.upper);
  pebble_optimum_clear(&o);
  forget();
}
END_TEST

/* ---- sums ---- */

static uint64_t optimum(const cdag_graph *g, const pebble_rules *rules)
{
  pebble_optimum o;
  ck_assert_int_eq(pebble_optimal(g, rules, NULL, &o, &d), OK);
  ck_assert(o.possible && o.proved);
  uint64_t cost = o.upper;
  pebble_optimum_clear(&o);
  return cost;
}

static uint64_t sum_of_optima(const pebble_rules *rules)
{
  uint64_t sum = 0;
  for (uint32_t p = 0; p < pieces; p++) {
    cdag_graph g;
    uint64_t known;
    bound_piece_graph(&e.g, piece, p, &g, &known);
    sum += optimum(&g, rules) - known;
    cdag_graph_clear(&g);
  }
  return sum;
}

/* Between the compulsory moves and the optimum; the optimum itself when all is one piece. */
START_TEST(sums_below_the_optimum)
{
  support_random r = { 3000 + (uint64_t)_i };
  open_random(&r, 13);
  pebble_rules rules = random_rules(&r);
  uint64_t sum = sum_of_optima(&rules), most = optimum(&e.g, &rules);
  ck_assert_uint_le(sum, most);
  ck_assert_uint_ge(sum, e.compulsory);
  if (pieces == 1)
    ck_assert_uint_eq(sum, most);
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
  ck_assert_uint_eq(sum_of_optima(&rules), 6);
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
  return bound_named(list, "pieces");
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
  }
  bound_list_clear(&list);
  cdag_free(g);
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

int main(void)
{
  Suite *s = suite_create("pieces");
  TCase *c = support_case(s, "theorem");
  tcase_add_loop_test(c, plays_restrict, 0, support_rounds(150));
  tcase_add_loop_test(c, sums_below_the_optimum, 0, support_rounds(150));
  tcase_add_test(c, not_with_recomputation);
  tcase_add_loop_test(c, games_of_the_record, 0, 4);
  tcase_add_test(c, cut_follows_edges);
  return support_run(s);
}
