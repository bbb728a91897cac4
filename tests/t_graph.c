#include "base/mem.h"
#include "base/random.h"
#include "cdag/graph/graph.h"
#include "tests/support.h"
#include <string.h>

static cdag_graph g;

static void make(uint32_t n, uint64_t m, const uint32_t *from, const uint32_t *to)
{
  diag d;
  ck_assert_int_eq(cdag_graph_init(&g, n, m, from, to, NULL, &d), OK);
  ck_assert_ptr_null(cdag_graph_check(&g));
}

/* sizes known by hand */
static const struct {
  char family;
  int64_t size;
  uint32_t n;
  uint64_t m, inputs, sinks, compulsory;
} known[] = {
  { 't', 0, 1, 0, 1, 1, 0 },      { 't', 1, 3, 2, 2, 1, 3 },         { 't', 3, 15, 14, 8, 1, 9 },
  { 'p', 0, 1, 0, 1, 1, 0 },      { 'p', 3, 10, 12, 4, 1, 5 },       { 'f', 0, 1, 0, 1, 1, 0 },
  { 'f', 2, 12, 16, 4, 4, 8 },    { 'f', 3, 32, 48, 8, 8, 16 },      { 'h', 0, 1, 0, 1, 1, 0 },
  { 'h', 4, 16, 32, 1, 1, 2 },    { 's', 0, 3, 2, 2, 1, 3 },         { 's', 1, 33, 50, 8, 4, 12 },
  /* 2 levels: 32 inputs, 49 products, 18 * (4 + 7) additions */
  { 's', 2, 279, 494, 32, 16, 48 },
};

static status generate(cdag_graph *out, char family, int64_t size, diag *d)
{
  switch (family) {
  case 't': return cdag_graph_tree(out, size, d);
  case 'p': return cdag_graph_pyramid(out, size, d);
  case 'f': return cdag_graph_fft(out, size, d);
  case 'h': return cdag_graph_hypercube(out, size, d);
  default: return cdag_graph_strassen(out, size, d);
  }
}

START_TEST(families_have_known_sizes)
{
  diag d;
  uint64_t inputs = 0, sinks = 0;
  ck_assert_int_eq(generate(&g, known[_i].family, known[_i].size, &d), OK);
  ck_assert_ptr_null(cdag_graph_check(&g));
  for (uint32_t v = 0; v < g.n; v++) {
    inputs += cdag_graph_is_input(&g, v);
    sinks += cdag_graph_is_sink(&g, v);
    ck_assert_uint_eq(g.output[v], cdag_graph_is_sink(&g, v));
  }
  ck_assert_uint_eq(g.n, known[_i].n);
  ck_assert_uint_eq(g.m, known[_i].m);
  ck_assert_uint_eq(inputs, known[_i].inputs);
  ck_assert_uint_eq(sinks, known[_i].sinks);
  ck_assert_uint_eq(cdag_graph_compulsory(&g), known[_i].compulsory);
  cdag_graph_clear(&g);
}
END_TEST

/* Strassen computes the product: give every vertex an integer and compare with the schoolbook sum.  The sign of each
   addition is not in the graph, so work modulo 2 where there is none. */
START_TEST(strassen_multiplies_modulo_two)
{
  enum { SIZE = 4, COUNT2 = SIZE * SIZE };
  random_source r = { (uint64_t)_i };
  uint32_t sinks = 0;
  ck_assert_int_eq(cdag_graph_strassen(&g, 2, NULL), OK);
  uint8_t *value = MEM_NEW(uint8_t, g.n);
  uint32_t *use = MEM_NEW(uint32_t, g.n);
  for (uint32_t v = 0; v < g.n; v++) {
    uint32_t a = g.pred[g.pred_at[v]], b = g.pred[g.pred_at[v] + 1 < g.m ? g.pred_at[v] + 1 : 0];
    /* a product joins something made of A with something made of B; use: 1 from A, 2 from B, 3 from products */
    if (v < 2 * COUNT2) {
      value[v] = random_next(&r) & 1;
      use[v] = v < COUNT2 ? 1 : 2;
    } else {
      value[v] = use[a] == use[b] ? value[a] ^ value[b] : value[a] & value[b];
      use[v] = use[a] == use[b] ? use[a] : 3;
    }
  }
  uint8_t expected[COUNT2] = { 0 }, got[COUNT2 + 1] = { 0 };
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      for (int k = 0; k < SIZE; k++)
        expected[i * SIZE + j] ^= value[i * SIZE + k] & value[COUNT2 + k * SIZE + j];
  for (uint32_t v = 0; v < g.n; v++)
    if (cdag_graph_is_sink(&g, v))
      got[sinks++] = value[v];
  /* sinks come quarter by quarter */
  for (int q = 0; q < 4; q++)
    for (int e = 0; e < 4; e++)
      ck_assert_uint_eq(got[4 * q + e], expected[(q / 2 * 2 + e / 2) * SIZE + q % 2 * 2 + e % 2]);
  mem_free(value);
  mem_free(use);
  cdag_graph_clear(&g);
}
END_TEST

static const struct { uint32_t n, m, from[4], to[4]; const char *word; } bad[] = {
  { 2, 1, { 0 }, { 2 }, "leaves the vertices" },     { 2, 1, { 7 }, { 1 }, "leaves the vertices" },
  { 2, 1, { 1 }, { 1 }, "edge to itself" },          { 3, 2, { 0, 1 }, { 1, 0 }, "closes a cycle" },
  { 5, 4, { 4, 0, 1, 2 }, { 0, 1, 2, 1 }, "closes a cycle" },
};
START_TEST(bad_edges_are_refused)
{
  diag d = { 0 };
  ck_assert_int_eq(cdag_graph_init(&g, bad[_i].n, bad[_i].m, bad[_i].from, bad[_i].to, NULL, &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, bad[_i].word) != NULL, "%s", d.message);
  ck_assert_str_eq(d.kind, "cdag");
}
END_TEST

/* Told before any edge is read. */
START_TEST(too_many_are_refused)
{
  diag d = { 0 };
  ck_assert_int_eq(cdag_graph_init(&g, UINT32_MAX, 0, NULL, NULL, NULL, &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, "at most 4294967294 vertices") != NULL, "%s", d.message);
  ck_assert_int_eq(cdag_graph_init(&g, 2, UINT64_C(1) << 32, NULL, NULL, NULL, &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, "at most 4294967295 edges") != NULL, "%s", d.message);
}
END_TEST

START_TEST(cycles_name_an_edge_of_theirs)
{
  /* 0 -> 1 -> 2 -> 3 -> 1, and 3 -> 4: 4 depends on the cycle without lying on it */
  uint32_t from[] = { 0, 1, 2, 3, 3 }, to[] = { 1, 2, 3, 1, 4 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_graph_init(&g, 5, 5, from, to, NULL, &d), BAD_INPUT);
  ck_assert(strstr(d.message, "1 -> 2") || strstr(d.message, "2 -> 3") || strstr(d.message, "3 -> 1"));
}
END_TEST

START_TEST(double_edges_count_once)
{
  uint32_t from[] = { 1, 0, 1, 0, 1 }, to[] = { 2, 2, 2, 1, 2 };
  make(3, 5, from, to);
  ck_assert_uint_eq(g.m, 3);
  ck_assert_uint_eq(g.pred[g.pred_at[2]], 1); /* the order of the file stays */
  ck_assert_uint_eq(g.pred[g.pred_at[2] + 1], 0);
  cdag_graph_clear(&g);
}
END_TEST

/* Random edges between random labels, against an adjacency matrix. */
START_TEST(adjacency_agrees_with_a_matrix)
{
  enum { N = 12 };
  random_source r = { (uint64_t)_i };
  uint8_t edge[N][N] = { { 0 } };
  uint32_t label[N], from[40], to[40], order[N], place[N];
  for (uint32_t v = 0; v < N; v++) {
    uint32_t j = (uint32_t)random_below(&r, v + 1);
    label[v] = label[j];
    label[j] = v;
  }
  for (int e = 0; e < 40; e++) {
    uint32_t b = 1 + (uint32_t)random_below(&r, N - 1), a = (uint32_t)random_below(&r, b);
    from[e] = label[a];
    to[e] = label[b];
    edge[from[e]][to[e]] = 1;
  }
  make(N, 40, from, to);
  cdag_graph_topological(&g, order);
  for (uint32_t i = 0; i < N; i++)
    place[order[i]] = i;
  uint64_t count = 0;
  for (uint32_t u = 0; u < N; u++)
    for (uint32_t v = 0; v < N; v++) {
      count += edge[u][v];
      ck_assert(!edge[u][v] || place[u] < place[v]);
    }
  ck_assert_uint_eq(count, g.m);
  for (uint32_t v = 0; v < N; v++)
    for (uint64_t e = g.pred_at[v]; e < g.pred_at[v + 1]; e++)
      ck_assert(edge[g.pred[e]][v]);
  /* smallest first among the ready ones */
  for (uint32_t i = 0; i + 1 < N; i++)
    ck_assert(order[i] < order[i + 1] || edge[order[i]][order[i + 1]]);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(compulsory_by_hand)
{
  /* 0 -> 1 -> 2; 3 alone; 4 -> 5 */
  uint32_t from[] = { 0, 1, 4 }, to[] = { 1, 2, 5 };
  uint8_t output[6] = { 1, 1, 0, 0, 0, 0 };
  diag d;
  ck_assert_int_eq(cdag_graph_init(&g, 6, 3, from, to, output, &d), OK);
  ck_assert_uint_eq(cdag_graph_compulsory(&g), 2 + 3); /* inputs 0, 4; outputs 1, 2, 5; the isolated 3 costs nothing */
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(random_graphs_have_their_shape)
{
  diag d;
  int64_t layers = _i % 2 ? 1 + _i % 7 : 0, n = 40 + _i;
  cdag_graph again;
  ck_assert_int_eq(cdag_graph_random(&g, n, _i, 3, layers, &d), OK);
  ck_assert_int_eq(cdag_graph_random(&again, n, _i, 3, layers, &d), OK);
  ck_assert_ptr_null(cdag_graph_check(&g));
  ck_assert_uint_eq(g.m, again.m);
  ck_assert_mem_eq(g.pred, again.pred, g.m * sizeof *g.pred);
  for (uint32_t v = 0; v < g.n; v++) {
    uint64_t in = g.pred_at[v + 1] - g.pred_at[v];
    ck_assert_uint_le(in, 3);
    if (layers)
      ck_assert_int_eq(in > 0, v * layers / n > 0);
    for (uint64_t e = g.pred_at[v]; e < g.pred_at[v + 1]; e++)
      if (layers)
        ck_assert_int_eq(g.pred[e] * layers / n + 1, v * layers / n);
  }
  cdag_graph_clear(&g);
  cdag_graph_clear(&again);
}
END_TEST

START_TEST(sizes_too_large_are_refused)
{
  diag d;
  ck_assert_int_eq(cdag_graph_tree(&g, 60, &d), BAD_INPUT);
  ck_assert_str_eq(d.kind, "value");
  ck_assert_int_eq(cdag_graph_pyramid(&g, -1, &d), BAD_INPUT);
  ck_assert_int_eq(cdag_graph_fft(&g, 64, &d), BAD_INPUT);
  ck_assert_int_eq(cdag_graph_hypercube(&g, INT64_MAX, &d), BAD_INPUT);
  ck_assert_int_eq(cdag_graph_strassen(&g, 8, &d), BAD_INPUT);
  ck_assert_int_eq(cdag_graph_random(&g, 1 << 26, 1, 1000, 0, &d), BAD_INPUT);
  ck_assert_int_eq(cdag_graph_random(&g, 10, 1, 0, 0, &d), BAD_INPUT);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("graph");
  TCase *c = support_case(s, "graph");
  tcase_add_loop_test(c, families_have_known_sizes, 0, COUNT(known));
  tcase_add_loop_test(c, strassen_multiplies_modulo_two, 0, 5);
  tcase_add_loop_test(c, bad_edges_are_refused, 0, COUNT(bad));
  tcase_add_test(c, too_many_are_refused);
  tcase_add_test(c, cycles_name_an_edge_of_theirs);
  tcase_add_test(c, double_edges_count_once);
  tcase_add_loop_test(c, adjacency_agrees_with_a_matrix, 0, support_rounds(50));
  tcase_add_test(c, compulsory_by_hand);
  tcase_add_loop_test(c, random_graphs_have_their_shape, 0, support_rounds(30));
  tcase_add_test(c, sizes_too_large_are_refused);
  return support_run(s);
}
