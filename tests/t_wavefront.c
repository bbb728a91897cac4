/* The wavefront bound: flows against all convex cuts of small graphs, packings against their theorem, whole bounds
   against the exact optimum and schedules. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/graph/wavefront.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_flow.h"
#include "tests/support_one_shot.h"
#include "tests/support_oracle.h"
#include <stdlib.h>
#include <string.h>

static bound_explicit e;
static cdag_graph whole;
static diag d;

static void open_graph(cdag_graph *g)
{
  whole = *g;
  ck_assert_int_eq(bound_explicit_of(&e, &whole, &d), OK);
}

static void forget(void)
{
  bound_explicit_clear(&e);
  cdag_graph_clear(&whole);
}

static void random_graph(int64_t n, int64_t seed, int64_t degree)
{
  cdag_graph g = { 0 };
  ck_assert_int_eq(cdag_graph_random(&g, n, seed, degree, 0, &d), OK);
  open_graph(&g);
}

/* ---- the graph: without what leads nowhere ---- */

/* Outputs that are read stay outputs. */
START_TEST(what_counts_stays)
{
  support_random r = { (uint64_t)_i };
  cdag_graph g = { 0 };
  oracle_random_graph(&g, &r, (uint32_t)support_between(&r, 2, 20), (int)support_between(&r, 5, 40));
  open_graph(&g);
  ck_assert_uint_eq(e.compulsory, cdag_graph_compulsory(&whole));
  for (uint32_t v = 0; v < e.g.n; v++)
    ck_assert_int_eq(e.g.output[v], whole.output[e.id[v]] && !cdag_graph_is_input(&whole, e.id[v]));
  forget();
}
END_TEST

/* ---- one flow against every convex cut ---- */

typedef struct {
  uint32_t above, below, succ, pred;
} sets;

static void find_sets(const cdag_graph *g, sets *s)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  for (uint32_t v = 0; v < g->n; v++) {
    s[v] = (sets){ 0 };
    for (uint64_t i = g->pred_at[v]; i < g->pred_at[v + 1]; i++) {
      s[v].pred |= 1u << g->pred[i];
      s[v].above |= 1u << g->pred[i] | s[g->pred[i]].above;
    }
    for (uint64_t i = succ->at[v]; i < succ->at[v + 1]; i++)
      s[v].succ |= 1u << succ->to[i];
  }
  for (uint32_t v = g->n; v-- > 0;)
    for (uint64_t i = succ->at[v]; i < succ->at[v + 1]; i++)
      s[v].below |= 1u << succ->to[i] | s[succ->to[i]].below;
}

static uint64_t least_cut(const cdag_graph *g, const sets *s, const uint8_t *weight, uint32_t x, bool after)
{
  uint32_t in = s[x].above | (after ? 1u << x : 0), out = s[x].below | (after ? 0 : 1u << x);
  uint64_t least = UINT64_MAX;
  for (uint32_t set = 0; set < 1u << g->n; set++) {
    uint64_t cut = 0;
    bool closed = (set & in) == in && !(set & out);
    for (uint32_t v = 0; closed && v < g->n; v++)
      if (set >> v & 1) {
        closed = (s[v].pred & ~set) == 0;
        cut += s[v].succ & ~set ? weight[v] : 0;
      }
    if (closed && cut < least)
      least = cut;
  }
  return least;
}

START_TEST(flow_is_least_convex_cut)
{
  sets s[32];
  uint8_t weight[32];
  support_random r = { (uint64_t)_i };
  int64_t n = support_between(&r, 5, 11), degree = support_between(&r, 1, 4);
  random_graph(n, _i + 1, degree);
  find_sets(&e.g, s);
  for (uint32_t v = 0; v < e.g.n; v++)
    weight[v] = (uint8_t)support_between(&r, 0, 2);
  bound_flow *f = bound_flow_new(&e.g, weight);
  for (uint32_t x = 0; x < e.g.n; x++)
    for (int after = 0; after < 2; after++) {
      uint64_t work = UINT64_MAX;
      if (!cdag_graph_is_input(&e.g, x))
        ck_assert_uint_eq(bound_flow_run(f, x, after, 0, &work), least_cut(&e.g, s, weight, x, after));
    }
  bound_flow_free(f);
  forget();
}
END_TEST

/* ---- and against igraph on graphs too large for that ---- */

/* The least convex cut as most paths, from x and what leads to it to what x leads to: the arcs back keep on the one
 * side, with a vertex, what it reads. */
static uint64_t most_paths(const uint8_t *weight, uint32_t x, bool after)
{
  const cdag_rows *succ = cdag_graph_successors(&e.g);
  const uint32_t n = e.g.n;
  support_flow f = support_flow_new(n);
  uint8_t *above = MEM_NEW(uint8_t, n), *below = MEM_NEW(uint8_t, n);
  above[x] = below[x] = 1;
  for (uint32_t i = 0; i < n; i++) {
    for (uint64_t k = e.g.pred_at[i]; k < e.g.pred_at[i + 1]; k++)
      below[i] |= below[e.g.pred[k]];
    for (uint64_t k = succ->at[n - 1 - i]; k < succ->at[n - i]; k++)
      above[n - 1 - i] |= above[succ->to[k]];
  }
  *(after ? &below[x] : &above[x]) = 0;
  for (uint32_t v = 0; v < n; v++) {
    support_flow_through(&f, v, weight[v]);
    if (above[v])
      support_flow_arc(&f, f.source, support_flow_in(v));
    if (below[v])
      support_flow_arc(&f, support_flow_in(v), f.target);
    for (uint64_t k = e.g.pred_at[v]; k < e.g.pred_at[v + 1]; k++) {
      support_flow_arc(&f, support_flow_out(e.g.pred[k]), support_flow_in(v));
      support_flow_arc(&f, support_flow_in(v), support_flow_in(e.g.pred[k]));
    }
  }
  mem_free(above);
  mem_free(below);
  return support_flow_most(&f);
}

START_TEST(flow_is_igraphs)
{
  uint64_t work;
  support_random r = { (uint64_t)_i };
  random_graph(support_between(&r, 60, 200), _i + 1, 2 + _i % 3);
  uint8_t *weight = MEM_NEW(uint8_t, e.g.n);
  for (uint32_t v = 0; v < e.g.n; v++)
    weight[v] = (uint8_t)support_between(&r, 1, 2);
  bound_flow *f = bound_flow_new(&e.g, weight);
  for (int i = 0; i < 20; i++) {
    uint32_t x = (uint32_t)support_between(&r, 0, e.g.n - 1);
    if (cdag_graph_is_input(&e.g, x))
      continue;
    work = UINT64_MAX;
    ck_assert_uint_eq(bound_flow_run(f, x, i % 2, 0, &work), most_paths(weight, x, i % 2));
  }
  bound_flow_free(f);
  mem_free(weight);
  forget();
}
END_TEST

/* ---- the bound ---- */

static cdag_graph graph;

static cdag as_cdag(void) { return (cdag){ .graph = &graph, .vertices = graph.n }; }

static void ask_in(bool one_shot, uint64_t m, int variant, double seconds, bound_list *l)
{
  cdag c = as_cdag();
  bound_question q = { .g = &c, .m = m, .one_shot = one_shot, .variant = variant, .seconds = seconds };
  ck_assert_int_eq(bound_theorem_find(one_shot ? "wavefront" : "dominators")->apply(&q, l, &d), OK);
}

static void ask(uint64_t m, int variant, double seconds, bound_list *l) { ask_in(true, m, variant, seconds, l); }

static uint64_t optimum(bool one_shot, uint64_t m, int variant)
{
  pebble_rules rules = { .variant = (pebble_variant)variant, .one_shot = one_shot, .m = m };
  pebble_optimum o = { 0 };
  ck_assert_int_eq(pebble_optimal(&graph, &rules, NULL, &o, &d), OK);
  ck_assert(o.possible && o.proved);
  uint64_t io = o.upper;
  pebble_optimum_clear(&o);
  return io;
}

/* Every bound at most the exact optimum, for a few memories; *chains and *gains: how many had a chain, and exceeded the
 * compulsory moves. */
static void below_optimum(bool one_shot, int variant, uint32_t *chains, uint32_t *gains)
{
  pebble_rules rules = { .variant = (pebble_variant)variant, .one_shot = one_shot };
  uint64_t least = pebble_least_memory(&graph, &rules);
  for (uint64_t m = least; m < least + 3; m++) {
    bound_list l = { 0 };
    ask_in(one_shot, m, variant, 0, &l);
    ck_assert_uint_eq(l.n, graph.m > 0);
    if (l.n) {
      ck_assert(l.item[0].trust == BOUND_CERTIFIED);
      ck_assert_int_le(mpz_cmp_ui(l.item[0].value, optimum(one_shot, m, variant)), 0);
      *chains += strstr(text_str(&l.item[0].parameters), "\"chain\":[]") == NULL;
      *gains += mpz_cmp_ui(l.item[0].value, cdag_graph_compulsory(&graph)) > 0;
    }
    bound_list_clear(&l);
  }
}

START_TEST(at_most_the_optimum)
{
  support_random r = { (uint64_t)_i + 77 };
  int64_t n = support_between(&r, 6, 14), degree = support_between(&r, 1, 3);
  uint32_t chains = 0, gains = 0;
  ck_assert_int_eq(cdag_graph_random(&graph, n, _i + 1, degree, 0, &d), OK);
  below_optimum(true, _i % 2, &chains, &gains);
  cdag_graph_clear(&graph);
}
END_TEST

/* Where the search is done the bound is the optimum, in every game; where it is not, it is below. */
START_TEST(optimum_is_a_bound)
{
  support_random r = { (uint64_t)_i };
  ck_assert_int_eq(cdag_graph_random(&graph, support_between(&r, 3, 14), _i + 1, support_between(&r, 1, 3), 0, &d), OK);
  for (int game = 0; game < 4; game++) {
    pebble_rules rules = { .variant = (pebble_variant)(game / 2), .one_shot = game % 2 };
    cdag c = as_cdag();
    bound_list l = { 0 };
    bound_question q = { .g = &c, .m = pebble_least_memory(&graph, &rules), .one_shot = game % 2, .variant = game / 2 };
    ck_assert_int_eq(bound_theorem_find("optimum")->apply(&q, &l, &d), OK);
    ck_assert_uint_eq(l.n, graph.m > 0);
    if (l.n)
      ck_assert_int_eq(mpz_cmp_ui(l.item[0].value, optimum(game % 2, q.m, game / 2)), 0);
    for (size_t i = 0; i < l.n; i++)
      ck_assert(bound_holds_in(&l.item[i], &q));
    bound_list_clear(&l);
  }
  cdag_graph_clear(&graph);
}
END_TEST

/* `times` applications of a random matrix with as many inputs as entries, each used every time: what a chain is for. */
static void iterate_random(support_random *r, uint32_t rows, uint32_t times)
{
  uint32_t entries[4][4], n = rows, m = 0, from[256], to[256], vector[4], next[4];
  for (uint32_t i = 0; i < rows; i++) {
    vector[i] = i;
    for (uint32_t j = 0; j < rows; j++)
      entries[i][j] = j == (i + 1) % rows || support_between(r, 0, 3) == 0 ? n++ : 0;
  }
  for (uint32_t t = 0; t < times; t++) {
    for (uint32_t i = 0; i < rows; i++) {
      next[i] = n++;
      for (uint32_t j = 0; j < rows; j++)
        if (entries[i][j]) {
          from[m] = entries[i][j], to[m++] = next[i];
          from[m] = vector[j], to[m++] = next[i];
        }
    }
    memcpy(vector, next, sizeof vector);
  }
  ck_assert_int_eq(cdag_graph_init(&graph, n, m, from, to, NULL, &d), OK);
}

START_TEST(intervals_at_most_the_optimum)
{
  uint32_t chains = 0, gains = 0;
  for (int i = 0; i < 12; i++) {
    support_random r = { (uint64_t)(_i * 12 + i) };
    iterate_random(&r, (uint32_t)support_between(&r, 1, 3), (uint32_t)support_between(&r, 2, 4));
    for (int game = 0; game < 4; game++)
      below_optimum(game % 2, game / 2, &chains, &gains);
    cdag_graph_clear(&graph);
  }
  ck_assert_uint_gt(chains, 5);
  ck_assert_uint_gt(gains, 5);
}
END_TEST

/* The bound is worth something: it meets the optimum where the compulsory moves do not. */
START_TEST(pyramid_and_fft_gain)
{
  bound_list l = { 0 };
  ck_assert_int_eq(cdag_graph_fft(&graph, 4, &d), OK);
  ask(3, 0, 0, &l);
  ck_assert_int_gt(mpz_cmp_ui(l.item[0].value, 32), 0);
  bound_list_clear(&l);
  cdag_graph_clear(&graph);
  ck_assert_int_eq(cdag_graph_pyramid(&graph, 12, &d), OK);
  ask(4, 0, 0, &l);
  ck_assert_int_gt(mpz_cmp_ui(l.item[0].value, 14), 0);
  bound_list_clear(&l);
  cdag_graph_clear(&graph);
}
END_TEST

/* 2^8 lanes: a middle vertex is crossed by 2^4 words, so 2 (2^4 - M) and much more. */
START_TEST(fft_middle)
{
  bound_list l = { 0 };
  ck_assert_int_eq(cdag_graph_fft(&graph, 8, &d), OK);
  ask(6, 0, 0.5, &l);
  ck_assert_int_ge(mpz_cmp_ui(l.item[0].value, 512 + 2 * (16 - 6)), 0);
  bound_list_clear(&l);
  cdag_graph_clear(&graph);
}
END_TEST

/* Graphs too large to solve: never above a legal play, whatever its order. */
static const struct {
  const char *family;
  int64_t size;
} large[] = { { "fft", 5 },       { "fft", 6 },      { "pyramid", 14 }, { "pyramid", 20 },
              { "hypercube", 6 }, { "strassen", 2 }, { "random", 200 }, { "random", 300 } };

static void open_large(int i)
{
  const char *f = large[i].family;
  status st = !strcmp(f, "fft")         ? cdag_graph_fft(&graph, large[i].size, &d)
              : !strcmp(f, "pyramid")   ? cdag_graph_pyramid(&graph, large[i].size, &d)
              : !strcmp(f, "hypercube") ? cdag_graph_hypercube(&graph, large[i].size, &d)
              : !strcmp(f, "strassen")  ? cdag_graph_strassen(&graph, large[i].size, &d)
                                        : cdag_graph_random(&graph, large[i].size, i, 3, 0, &d);
  ck_assert_int_eq(st, OK);
}

START_TEST(below_any_play)
{
  open_large(_i);
  pebble_rules rules = { .one_shot = true };
  uint64_t least = pebble_least_memory(&graph, &rules), gains = 0;
  uint32_t *order = MEM_NEW(uint32_t, graph.n);
  for (uint64_t m = least; m < least + 8; m += 1 + m / 3) {
    bound_list l = { 0 };
    cdag c = as_cdag();
    bound_question q = { .g = &c, .m = m, .one_shot = true };
    ask(m, 0, 0, &l);
    ck_assert_int_eq(bound_theorem_find("spectral")->apply(&q, &l, &d), OK);
    ck_assert_int_eq(bound_theorem_find("fft-segments")->apply(&q, &l, &d), OK);
    for (uint64_t seed = 0; seed < 6; seed++) {
      support_one_shot_order(&graph, seed, order);
      uint64_t io = support_one_shot_io(&graph, m, order);
      for (size_t i = 0; i < l.n; i++)
        ck_assert_msg(mpz_cmp_ui(l.item[i].value, io) <= 0, "%s above a play of %lu", l.item[i].name,
                      (unsigned long)io);
    }
    gains += mpz_cmp_ui(l.item[0].value, cdag_graph_compulsory(&graph)) > 0;
    bound_list_clear(&l);
  }
  ck_assert_uint_gt(gains, 0);
  mem_free(order);
  cdag_graph_clear(&graph);
}
END_TEST

/* ---- the certificate ---- */

static bool accepts(const char *parameters, const char *theorem, int64_t m, const char *value)
{
  cdag c = as_cdag();
  mpz_t claimed;
  mpz_init_set_str(claimed, value, 10);
  bool valid = bound_claim_gives(theorem, &c, m, parameters, claimed);
  mpz_clear(claimed);
  return valid;
}

START_TEST(altered_certificates_fail)
{
  static const char *const names[] = { "wavefront", "wavefront-sliding" };
  bound_list l = { 0 };
  ck_assert_int_eq(cdag_graph_pyramid(&graph, 10, &d), OK);
  ask(4, _i, 0, &l);
  const char *p = text_str(&l.item[0].parameters);
  char *value = mpz_get_str(NULL, 10, l.item[0].value);
  ck_assert_str_eq(l.item[0].name, names[_i]);
  ck_assert(accepts(p, names[_i], 4, value));
  ck_assert(!accepts(p, names[_i], 5, value));
  ck_assert(!accepts(p, names[_i], 3, value));
  int k = 0;
  for (text altered = { 0 }; bound_claim_alter(p, k, &altered); k++) {
    ck_assert_msg(!accepts(text_str(&altered), names[_i], 4, value), "number %d of %s", k, p);
    text_clear(&altered);
  }
  ck_assert_int_gt(k, 30);
  free(value);
  bound_list_clear(&l);
  cdag_graph_clear(&graph);
}
END_TEST

/* Certificates made up: each breaks one condition (chain 0 -> 1 -> 2 beside 0 -> 3 -> 2, sum left out of account by
 * being right). */
static uint64_t sum_of(const char *p)
{
  uint64_t sum = 0;
  const char *end = strstr(p, "\"sum\"");
  for (const char *c = strstr(p, "chain"); c < end; c++)
    if (*c >= '0' && *c <= '9') {
      char *after;
      unsigned long long v = strtoull(c, &after, 10);
      sum = (uint64_t)(((unsigned __int128)sum * 1000003 + v) % ((UINT64_C(1) << 61) - 1));
      c = after - 1;
    }
  return sum;
}

static const struct {
  const char *wave;
  bool valid;
  const char *value, *chain, *theorem;
} made_up[] = {
  { "", true, "2", "", "wavefront" },
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],\"against\":[]}", true, "2", "",
    "wavefront" },
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":2,\"red\":2,\"along\":[1,2,2],\"against\":[]}", true, "2", "",
    "wavefront" },
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":4,\"red\":4,\"along\":[1,2,2,3,2,2],\"against\":[]}", true, "2", "",
    "wavefront" },
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":3,\"red\":3,\"along\":[1,2,3],\"against\":[]}", false, "2", "",
    "wavefront" }, /* more than it weighs */
  { "{\"x\":3,\"after\":0,\"interval\":0,\"flow\":2,\"red\":0,\"along\":[1,2,2],\"against\":[]}", false, "4", "",
    "wavefront" }, /* 1 is no ancestor of 3 */
  { "{\"x\":1,\"after\":0,\"interval\":0,\"flow\":1,\"red\":1,\"along\":[0,3,1],\"against\":[]}", false, "2", "",
    "wavefront" }, /* 3 is no descendant of 1 */
  { "{\"x\":2,\"after\":1,\"interval\":0,\"flow\":2,\"red\":2,\"along\":[1,2,2],\"against\":[]}", false, "2", "",
    "wavefront" }, /* after, in the placing game */
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":2,\"red\":2,\"along\":[0,2,2],\"against\":[]}", false, "2", "",
    "wavefront" }, /* no edge */
  { "{\"x\":0,\"after\":0,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],\"against\":[]}", false, "2", "",
    "wavefront" }, /* an input */
  { "", true, "2", "1,2", "wavefront" },
  { "", false, "2", "1,3", "wavefront" }, /* 3 does not need 1 */
  { "", false, "2", "0,1", "wavefront" }, /* an input */
  { "{\"x\":2,\"after\":0,\"interval\":1,\"flow\":2,\"red\":2,\"along\":[1,2,2],\"against\":[]}", true, "2", "1",
    "wavefront" },
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],\"against\":[]}", false, "2", "1",
    "wavefront" }, /* 2 is later */
  { "{\"x\":3,\"after\":0,\"interval\":1,\"flow\":0,\"red\":0,\"along\":[],\"against\":[]}", false, "2", "1",
    "wavefront" }, /* 3 may be earlier */
  { "{\"x\":2,\"after\":0,\"interval\":2,\"flow\":0,\"red\":0,\"along\":[],\"against\":[]}", false, "2", "1",
    "wavefront" }, /* there are two */
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":1,\"red\":1,\"along\":[0,1,1,1,2,1],\"against\":[]}", true, "2", "",
    "dominators" },
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":2,\"red\":2,\"along\":[0,1,1,1,2,1,0,3,1,3,2,1],\"against\":[]}",
    false, "2", "", "dominators" }, /* 0 carries 2 */
  { "{\"x\":2,\"after\":0,\"interval\":0,\"flow\":1,\"red\":1,\"along\":[1,2,1],\"against\":[]}", false, "2", "",
    "dominators" }, /* 1 is no input */
  { "{\"x\":1,\"after\":0,\"interval\":0,\"flow\":0,\"red\":0,\"along\":[],\"against\":[0,1,1]}", false, "2", "",
    "dominators" }, /* backward */
};

START_TEST(made_up_certificates)
{
  static const uint32_t from[] = { 0, 1, 0, 3 }, to[] = { 1, 2, 3, 2 };
  text p = { 0 };
  ck_assert_int_eq(cdag_graph_init(&graph, 4, 4, from, to, NULL, &d), OK);
  text_printf(&p, "{\"compulsory\":2,\"chain\":[%s],\"waves\":[%s],\"sum\":0}", made_up[_i].chain, made_up[_i].wave);
  uint64_t sum = sum_of(text_str(&p));
  p.n -= 2;
  text_printf(&p, "%llu}", (unsigned long long)sum);
  ck_assert_int_eq(accepts(text_str(&p), made_up[_i].theorem, 3, made_up[_i].value), made_up[_i].valid);
  text_clear(&p);
  cdag_graph_clear(&graph);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("wavefront");
  TCase *c = support_case(s, "graph");
  tcase_add_loop_test(c, what_counts_stays, 0, support_rounds(60));
  c = support_case(s, "flow");
  tcase_add_loop_test(c, flow_is_least_convex_cut, 0, support_rounds(150));
  tcase_add_loop_test(c, flow_is_igraphs, 0, support_rounds(8));
  c = support_case(s, "bound");
  tcase_add_loop_test(c, at_most_the_optimum, 0, support_rounds(120));
  tcase_add_loop_test(c, optimum_is_a_bound, 0, support_rounds(30));
  tcase_add_loop_test(c, intervals_at_most_the_optimum, 0, support_rounds(6));
  tcase_add_loop_test(c, below_any_play, 0, COUNT(large));
  tcase_add_test(c, pyramid_and_fft_gain);
  tcase_add_test(c, fft_middle);
  c = support_case(s, "certificate");
  tcase_add_loop_test(c, altered_certificates_fail, 0, 2);
  tcase_add_loop_test(c, made_up_certificates, 0, COUNT(made_up));
  return support_run(s);
}
