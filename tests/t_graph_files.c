/* Graph files: what was written reads back, and whatever is damaged is refused with its line. */
#include "base/mem.h"
#include "base/random.h"
#include "cdag/graph/graph.h"
#include "tests/support.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef status (*reader)(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
static const struct { const char *ending; cdag_graph_format format; reader read; } formats[] = {
  { "g.edges", CDAG_EDGES, cdag_graph_read_edges },
  { "g.dot", CDAG_DOT, cdag_graph_read_dot },
  { "g.graphml", CDAG_GRAPHML, cdag_graph_read_graphml },
  { "g.hdag", CDAG_HYPERDAG, cdag_graph_read_hyperdag },
};

static char *written(const cdag_graph *g, cdag_graph_format format, size_t *size)
{
  char *bytes = NULL;
  diag d = { 0 };
  FILE *out = open_memstream(&bytes, size);
  ck_assert_msg(cdag_graph_write(g, format, out, &d) == OK, "%s", d.message);
  fclose(out);
  return bytes;
}

static void ck_same(const cdag_graph *a, const cdag_graph *b)
{
  ck_assert_uint_eq(a->n, b->n);
  ck_assert_uint_eq(a->m, b->m);
  ck_assert_mem_eq(a->pred_at, b->pred_at, (a->n + 1) * sizeof *a->pred_at);
  ck_assert_mem_eq(a->pred, b->pred, a->m * sizeof *a->pred);
  ck_assert_mem_eq(cdag_graph_successors(a)->to, cdag_graph_successors(b)->to, a->m * sizeof(uint32_t));
  ck_assert_mem_eq(a->output, b->output, a->n);
  for (uint32_t v = 0; a->name && v < a->n; v++)
    ck_assert_str_eq(a->name[v], b->name[v]);
}

/* Random labels so that edges do not simply ascend; predecessors ascending, the order HyperDAG keeps. */
static void random_graph(cdag_graph *g, uint64_t seed, bool inner_outputs)
{
  enum { MOST = 60 };
  random_source r = { seed };
  uint32_t n = (uint32_t)random_below(&r, MOST), from[3 * MOST], to[3 * MOST], m = 0, label[MOST];
  uint8_t edge[MOST][MOST] = { { 0 } }, output[MOST] = { 0 };
  for (uint32_t v = 0; v < n; v++) {
    uint32_t j = (uint32_t)random_below(&r, v + 1);
    label[v] = label[j];
    label[j] = v;
    output[v] = inner_outputs && random_below(&r, 5) == 0;
  }
  for (uint32_t e = 0; n > 1 && e < 2 * n; e++) {
    uint32_t b = 1 + (uint32_t)random_below(&r, n - 1), a = (uint32_t)random_below(&r, b);
    edge[label[a]][label[b]] = 1;
  }
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = 0; v < n; v++)
      if (edge[u][v]) {
        from[m] = u;
        to[m++] = v;
      }
  ck_assert_int_eq(cdag_graph_init(g, n, m, from, to, output, NULL), OK);
}

START_TEST(written_graphs_read_back)
{
  for (int f = 0; f < COUNT(formats); f++) {
    cdag_graph g, back;
    diag d = { 0 };
    size_t size;
    random_graph(&g, (uint64_t)_i, formats[f].format != CDAG_HYPERDAG);
    char *bytes = written(&g, formats[f].format, &size);
    ck_assert_msg(formats[f].read(&back, bytes, size, "x", &d) == OK, "%s", d.message);
    ck_same(&g, &back);
    cdag_graph_clear(&back);
    /* the guess, with and without the ending */
    ck_assert_int_eq(cdag_graph_read(&back, bytes, size, formats[f].ending, &d), OK);
    cdag_graph_clear(&back);
    ck_assert_msg(cdag_graph_read(&back, bytes, size, "graph", &d) == OK, "%s", d.message);
    ck_same(&g, &back);
    cdag_graph_clear(&back);
    cdag_graph_clear(&g);
    free(bytes);
  }
}
END_TEST

START_TEST(names_survive)
{
  static const char *const names[] = {
    "a b", "x\"y", "<&>'", "back\\slash", "7", "line\nend", "", "\xc3\xa9t\xc3\xa9"
  };
  cdag_graph g, back;
  diag d = { 0 };
  uint32_t from[COUNT(names) - 1], to[COUNT(names) - 1];
  for (uint32_t e = 0; e < COUNT(names) - 1; e++) {
    from[e] = e + 1;
    to[e] = e;
  }
  ck_assert_int_eq(cdag_graph_init(&g, COUNT(names), COUNT(names) - 1, from, to, NULL, &d), OK);
  g.name = MEM_NEW(char *, COUNT(names));
  for (int v = 0; v < COUNT(names); v++)
    g.name[v] = mem_text(names[v]);
  for (int f = 1; f <= 2; f++) {
    size_t size;
    char *bytes = written(&g, formats[f].format, &size);
    ck_assert_msg(formats[f].read(&back, bytes, size, "x", &d) == OK, "%s in %s", d.message, bytes);
    ck_same(&g, &back);
    cdag_graph_clear(&back);
    free(bytes);
  }
  cdag_graph_clear(&g);
}
END_TEST

/* What a format has no words for is refused, not left out. */
START_TEST(unwritable_is_refused)
{
  cdag_graph g;
  diag d = { 0 };
  uint32_t from[] = { 0, 1 }, to[] = { 1, 2 };
  uint8_t output[] = { 0, 1, 0 };
  FILE *nowhere = fopen("/dev/null", "w");
  ck_assert_int_eq(cdag_graph_init(&g, 3, 2, from, to, output, &d), OK);
  ck_assert_int_eq(cdag_graph_write(&g, CDAG_HYPERDAG, nowhere, &d), BAD_INPUT);
  g.name = MEM_NEW(char *, 3);
  g.name[0] = mem_text("a");
  g.name[1] = mem_text("ends in \\");
  g.name[2] = mem_text("c");
  ck_assert_int_eq(cdag_graph_write(&g, CDAG_DOT, nowhere, &d), BAD_INPUT);
  fclose(nowhere);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(a_full_disk_is_said)
{
  cdag_graph g;
  diag d = { 0 };
  FILE *full = fopen("/dev/full", "w");
  if (!full)
    return;
  setvbuf(full, NULL, _IONBF, 0);
  ck_assert_int_eq(cdag_graph_fft(&g, 3, &d), OK);
  ck_assert_int_eq(cdag_graph_write(&g, CDAG_EDGES, full, &d), IO_ERROR);
  fclose(full);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- good files, by hand ---- */

static const struct {
  const char *name, *text;
  uint32_t n;
  uint64_t m;
  const char *edges;
  const char *outputs;
} good[] = {
  { "a.edges", "# a square\n4 4\n0 1\n0 2 # one more\n\n1 3\n2 3\n", 4, 4, "0>1 0>2 1>3 2>3", "3" },
  { "a", "3 1\r\n2 0\r\n", 3, 1, "2>0", "0 1" },
  { "a", "3 2\n0 1\n1 2\noutputs 2 1 2\n", 3, 2, "0>1 1>2", "1 2" },
  { "a", "3 2\n0 1\n1 2", 3, 2, "0>1 1>2", "2" }, /* 2 could not go on: no vertex 20 */
  { "a", "3 2\n0 1\n0 1\n", 3, 1, "0>1", "1 2" }, /* named twice counts once */
  { "a", "0 0\n", 0, 0, "", "" },
  { "a", "5 0\n", 5, 0, "", "0 1 2 3 4" },
  { "a.dot", "digraph { a -> b -> c; a -> c }", 3, 3, "0>1 1>2 0>2", "2" },
  { "a",
    "strict digraph G {\n  // comment\n  rankdir=LR; node [shape=box]\n  \"x y\" [label=\"a\\\"b\", output=true];\n"
    "  /* more */ \"x y\" -> { p; q } -> z [color=red][style=dashed]\n# preprocessor\n  subgraph cluster_1 { label=c; "
    "z -> w }\n}\n",
    5, 5, "0>1 0>2 1>3 2>3 3>4", "0 4" },
  { "a.gv", "DIGRAPH{2->0 1->0:n:sw;}", 3, 2, "2>0 1>0", "0" }, /* names 0..n-1 are the ids */
  { "a.dot", "digraph { 5 -> 3 }", 2, 1, "0>1", "1" },
  { "a.dot", "digraph { \"a\"+\"b\" -> <i <b>x</b>>; ab -> -.5 }", 3, 2, "0>1 0>2", "1 2" },
  { "a.graphml",
    "<?xml version='1.0'?>\n<!DOCTYPE graphml>\n<graphml xmlns:y=\"http://y\">\n<key id=\"k\" for=\"node\" "
    "attr.name=\"output\""
    "/><key id='c' for='edge'><default>3</default></key>\n<graph id=\"G\" edgedefault=\"directed\">\n<edge "
    "source=\"b\" target='a&amp;'/>"
    "<node id=\"a&#38;\"/>\n<!-- x --><node id=\"b\"><data key=\"k\"> true </data><data "
    "key=\"q\"><y:N><y:M/></y:N></data></node>"
    "</graph></graphml>\n<!-- end -->\n",
    2, 1, "0>1", "0 1" },
  { "a.txt", "% c\n1 2 2\n0 1 7 % in a line\n0 4 2\n1\n0 0\n0 1\n", 2, 1, "0>1", "1" },
  { "a", "2 2 3\n0\n1\n1\n0\n0 1\n0 0\n1 0\n", 2, 1, "1>0", "0" }, /* a hyperedge with one pin gives no edge */
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n% L\n3 3 5\n1 1 2.5\n2 1 -1e3\n2 2 1\n3 2 4\n3 3 1\n", 3,
    2, "0>1 1>2", "0 1 2" },
  { "a", "%%matrixmarket MATRIX coordinate pattern symmetric\n3 3 2\n3 1\n2 2\n", 3, 1, "0>2", "0 1 2" },
};

static void ck_edges(const cdag_graph *g, const char *edges)
{
  uint64_t count = 0;
  for (const char *s = edges; *s; s += strcspn(s, " "), s += *s == ' ') {
    uint32_t u, v;
    bool found = false;
    ck_assert_int_eq(sscanf(s, "%u>%u", &u, &v), 2);
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      found |= g->pred[e] == u;
    ck_assert_msg(found, "no edge %u -> %u", u, v);
    count++;
  }
  ck_assert_uint_eq(count, g->m);
}

static void ck_outputs(const cdag_graph *g, const char *outputs)
{
  char list[64] = "";
  for (uint32_t v = 0; v < g->n; v++)
    if (g->output[v])
      sprintf(list + strlen(list), "%s%u", *list ? " " : "", v);
  ck_assert_str_eq(list, outputs);
}

START_TEST(good_files)
{
  cdag_graph g;
  diag d = { 0 };
  status st = cdag_graph_read(&g, good[_i].text, strlen(good[_i].text), good[_i].name, &d);
  ck_assert_msg(st == OK, "%d: %s", d.line, d.message);
  ck_assert_ptr_null(cdag_graph_check(&g));
  ck_assert_uint_eq(g.n, good[_i].n);
  ck_assert_uint_eq(g.m, good[_i].m);
  ck_edges(&g, good[_i].edges);
  ck_outputs(&g, good[_i].outputs);
  cdag_graph_clear(&g);
}
END_TEST

/* ---- damaged files ---- */

#define GRAPHML "<graphml><graph edgedefault=\"directed\">"
#define END "</graph></graphml>"
static const struct { const char *name, *text; int line; const char *word; } bad[] = {
  { "a.edges", "", 1, "no data" },
  { "a.edges", "# only\n", 2, "no data" },
  { "a.edges", "3\n", 1, "number of edges" },
  { "a.edges", "3 2 1\n0 1\n1 2\n", 1, "end of the line" },
  { "a.edges", "-3 2\n", 1, "number of vertices" },
  { "a.edges", "3 2\n0 1\n", 3, "after 1 of 2 edges" },
  { "a.edges", "3 2\n0 1\n1 3\n", 3, "larger than 2" },
  { "a.edges", "3 2\n0 1\n1\n", 3, "a vertex" },
  { "a.edges", "3 2\n0 1\n1 x\n", 3, "not 'x'" },
  { "a.edges", "3 2\n0 1\n1 2x\n", 3, "not 'x'" },
  { "a.edges", "3 2\n0 1\n1 -2\n", 3, "not '-'" },
  { "a.edges", "3 2\n0 1\n1 2.0\n", 3, "not '.'" },
  { "a.edges", "3 2\n0 1\n1 02\n", 3, "leading zero" },
  { "a.edges", "3 2\n0 1\n1 2 7\n", 3, "end of the line" },
  { "a.edges", "3 2\n0 1\n1 2\n2 0\n", 4, "more lines" },
  { "a.edges", "3 2\n0 1\n1 2\nhello\n", 4, "more lines" },
  { "a.edges", "3 2\n0 1\n1 1\n", 3, "edge to itself" },
  { "a.edges", "3 3\n0 1\n1 2\n2 0\n", 4, "closes a cycle" },
  { "a.edges", "3 2\n0 1\n1 2\noutputs 2 1\n", 4, "an output" },
  { "a.edges", "3 2\n0 1\n1 2\noutputs 1 1 2\n", 4, "end of the line" },
  { "a.edges", "3 2\n0 1\n1 2\noutputs 1 3\n", 4, "larger than 2" },
  { "a.edges", "3 2\n0 1\n1 2\noutputs 2 1 1\n", 4, "twice" },
  { "a.edges", "3 2\n0 1\n1 2\noutputs 1 1\nmore\n", 5, "after the outputs" },
  { "a.edges", "2000000000 3\n0 1\n1 2\n2 3\n", 1, "vertices are announced" },
  { "a.edges", "99999999999999999999 3\n", 1, "larger than" },
  { "a.edges", "4 2000000000\n0 1\n", 1, "lines are announced" },
  { "a.edges", "4 18446744073709551615\n0 1\n", 1, "lines are announced" },
  { "a.edges", "0 1\n0 0\n", 1, "without vertices" },
  /* Without a header: what to write above. */
  { "a.edges", "0 1\n0 2\n1 2\n", 1, "vertices and edges above it: '3 3'" },
  { "a.edges", "1 2\n2 4\n# c\n0 4\n0 1\n", 2, "vertices and edges above it: '5 4'" },
  { "a.edges", "5 1\n0 2\n2 4\n", 3, "vertices and edges above it: '6 3'" },
  { "a.edges", "3 4\n0 1\n7 8\n", 3, "vertices and edges above it: '9 3'" },
  { "a.edges", "20 2\n0 1\n1 1", 3, "cut off" }, /* perhaps 1 12 */
  { "a.edges", "3 2\n0 1\n1 2\n\x01", 4, "more lines" },
  { "a.dot", "", 1, "digraph" },
  { "a.dot", "graph { a -- b }", 1, "not a graph" },
  { "a.dot", "digraph { a -- b }", 1, "directed edges" },
  { "a.dot", "digraph { a -> b", 1, "closing brace" },
  { "a.dot", "digraph {\n a -> b\n a -> }", 3, "expected a name" },
  { "a.dot", "digraph { a -> b } x", 1, "after the closing brace" },
  { "a.dot", "digraph { a -> b }\ndigraph { a -> c }", 2, "after the closing brace" },
  { "a.dot", "digraph {\n\"a -> b }", 2, "no end" },
  { "a.dot", "digraph {\n/* a -> b }", 2, "no end" },
  { "a.dot", "digraph {\n<a - b }", 2, "no end" },
  { "a.dot", "digraph {\na -> b\nb -> c\nc -> a\n}", 4, "the edge c -> a closes a cycle" },
  { "a.dot", "digraph { a [label=] }", 1, "expected a name" },
  { "a.dot", "digraph { a [output=maybe] }", 1, "true or false" },
  { "a.dot", "digraph { a -> b [output=true] }", 1, "single vertex" },
  { "a.dot", "digraph { 2x -> b }", 1, "begins like a number" },
  { "a.dot", "digraph { a -> b ? }", 1, "does not belong" },
  { "a.dot", "digraph { subgraph x -> b }", 1, "expected '{'" },
  { "a.dot", "graph", 1, "not a graph" },
  { "a.graphml", "", 1, "graphml" },
  { "a.graphml", "<html></html>", 1, "graphml" },
  { "a.graphml", "<graphml></graphml>", 1, "no graph" },
  { "a.graphml", GRAPHML "\n<node id='a'/>", 2, "before </graphml>" },
  { "a.graphml", GRAPHML "\n<node id='a'/>" END "\nx", 3, "after </graphml>" },
  { "a.graphml", GRAPHML "<node id='a'/>" END "<!-- x --> y", 1, "after </graphml>" },
  { "a.graphml", GRAPHML "<node id='a'/>" END "<graphml/>", 1, "after </graphml>" },
  { "a.graphml", GRAPHML "<node id='a'/><node id='a'/>" END, 1, "this id" },
  { "a.graphml", GRAPHML "<node/>" END, 1, "without an id" },
  { "a.graphml", GRAPHML "<node id='a'/>\n<edge source='a' target='b'/>" END, 2, "not in the graph" },
  { "a.graphml", GRAPHML "<node id='a'/>\n<edge source='a'/>" END, 2, "source and a target" },
  { "a.graphml", GRAPHML "<node id='a'/>\n<edge source='a' target='a'/>" END, 2, "closes a cycle" },
  { "a.graphml", GRAPHML "<node id='a'/><edge directed='false' source='a' target='a'/>" END, 1, "directed" },
  { "a.graphml", "<graphml><graph edgedefault='undirected'>" END, 1, "directed" },
  { "a.graphml", "<graphml><graph>" END, 1, "edgedefault" },
  { "a.graphml", "<graphml><graph edgedefault='directed' parse.nodes='2'><node id='a'/>" END, 1, "parse.nodes" },
  { "a.graphml", "<graphml><graph edgedefault='directed' parse.edges='1'><node id='a'/>" END, 1, "parse.edges" },
  { "a.graphml", "<graphml><graph edgedefault='directed' parse.nodes='1x'><node id='a'/>" END, 1, "numbers" },
  { "a.graphml", GRAPHML "<node id='a'></edge>" END, 1, "not open" },
  { "a.graphml", GRAPHML "<node id='a>" END, 1, "closing quote" },
  { "a.graphml", GRAPHML "<node id='&what;'/>" END, 1, "entity" },
  { "a.graphml", GRAPHML "<node id='&#0;'/>" END, 1, "character" },
  { "a.graphml", GRAPHML "<node id='a'/> lost " END, 1, "text between" },
  { "a.graphml", GRAPHML "<hyperedge/>" END, 1, "hyperedges" },
  { "a.graphml", GRAPHML "<node id='a'>" GRAPHML END, 1, "belongs before" },
  { "a.graphml", "<!DOCTYPE x [ <!ENTITY a 'b'> ]>" GRAPHML END, 1, "document type" },
  { "a.graphml", "<graphml><node id='a'/>" GRAPHML END, 1, "inside the graph" },
  { "a.hdag", "", 1, "no data" },
  { "a.hdag", "1 2\n0\n0\n1\n0 0\n0 1\n", 1, "number of pins" },
  { "a.hdag", "1 2 2\n0\n0\n1\n0 0\n", 6, "after 1 of 2 pins" },
  { "a.hdag", "1 2 2\n0\n0\n1\n0 0\n0 2\n", 6, "larger than 1" },
  { "a.hdag", "1 2 2\n0\n0\n1\n0 0\n1 1\n", 6, "larger than 0" },
  { "a.hdag", "1 2 2\n0\n0\n0\n0 0\n0 1\n", 4, "described twice" },
  { "a.hdag", "1 2 2\n0\n0\n1\n0 0\n0 1\n0 1\n", 7, "more lines" },
  { "a.hdag", "1 2 2\n0\n0\n1 2 3 4 5\n0 0\n0 1\n", 4, "end of the line" },
  { "a.hdag", "1 2 3\n0\n0\n1\n0 0\n0 1\n0 0\n", 7, "edge to itself" },
  { "a.hdag", "2 2 2\n0\n1\n0\n1\n0 0\n0 1\n", 8, "has no pin" },
  { "a.hdag", "2 2 4\n0\n1\n0\n1\n0 0\n0 1\n1 1\n1 0\n", 9, "closes a cycle" },
  { "a.hdag", "1 2000000000 2\n0\n0\n1\n0 0\n0 1\n", 1, "announced" },
  { "a.hdag", "1 2 2\n0 x\n0\n1\n0 0\n0 1\n", 2, "a weight" },
  { "a.mtx", "%%MatrixMarket matrix array real general\n2 2\n", 1, "coordinate" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real\n2 2 1\n1 1 1\n", 1, "general" },
  { "a.mtx", "%%MatrixMarket matrix coordinate words general\n", 1, "pattern" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n", 2, "ends before" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n", 2, "square" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", 4, "after 1 of 2" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n", 3, "above the diagonal" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n", 3, "from 1" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", 3, "larger than 2" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1\n", 3, "value" },
  { "a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1.5z\n", 3, "value" },
  { "a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1 1.5\n", 3, "end of the line" },
  { "a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n2 2\n", 4, "more lines" },
  { "a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2000000000 2000000000 1\n2 1\n", 2, "announced" },
};

START_TEST(bad_files)
{
  cdag_graph g = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_graph_read(&g, bad[_i].text, strlen(bad[_i].text), bad[_i].name, &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, bad[_i].word) != NULL, "%s", d.message);
  ck_assert_msg(d.line == bad[_i].line, "line %d: %s", d.line, d.message);
  ck_assert_str_eq(d.file, bad[_i].name);
  ck_assert_int_gt(d.column, 0);
}
END_TEST

/* A name with a zero byte would be compared past its end: however it is spelled it is refused before it is a name.  The
   second name comes in many lengths, so that some stand where the first one does. */
static const struct { const char *name, *before, *zero, *between, *after; } zero[] = {
  { "a.dot", "digraph { \"", "", "\" -> \"", "\" }" },
  { "a.dot", "digraph { \"", "\\", "\" -> \"", "\" }" }, /* after a backslash */
  { "a.dot", "digraph { <", "", "> -> <", "> }" },
  { "a.dot", "digraph { ", "", " -> ", " }" },
  { "a.graphml", GRAPHML "<node id='", "", "'/><node id='", "'/>" END },
  { "a.graphml", GRAPHML "<edge source='", "", "' target='", "'/>" END },
};

/* Nor does it end a number. */
static const struct { const char *name; const char *bytes; size_t n; const char *says;
} zero_in_number[] = {
#define BYTES(s) s, sizeof s - 1
  { "a.mtx", BYTES("%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 5\0x\n"), "the value of the entry" },
  { "a.mtx", BYTES("%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 \0\n"), "the value of the entry" },
  { "a.mtx", BYTES("%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1\0 5\n"), "and then a blank" },
  { "a.graphml", BYTES("<graphml><graph edgedefault='directed' parse.nodes='1\0'><node id='a'/></graph></graphml>"),
    "are numbers" },
  { "a.graphml", BYTES("<graphml><graph edgedefault='directed'><node id='a&#65\0;'/></graph></graphml>"), "zero byte" },
  { "a.edges", BYTES("2 1\n0 1\0\n"), "and then a blank" },
  { "a.hdag", BYTES("1 2 2\n0\n0\n1\n0 0\n0 1\0\n"), "and then a blank" },
};

START_TEST(zero_bytes_end_no_number)
{
  cdag_graph g = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_graph_read(&g, zero_in_number[_i].bytes, zero_in_number[_i].n, zero_in_number[_i].name, &d),
                   BAD_INPUT);
  ck_assert_msg(strstr(d.message, zero_in_number[_i].says) != NULL, "%s", d.message);
}
END_TEST

START_TEST(names_with_a_zero_byte_are_refused)
{
  static const char tail[] =
      "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm";
  for (size_t length = 0; length < sizeof tail; length++) {
    cdag_graph g = { 0 };
    diag d = { 0 };
    text t = { 0 };
    for (int i = 0; i < 2; i++) {
      text_add(&t, i ? zero[_i].between : zero[_i].before);
      text_add(&t, zero[_i].zero);
      text_add_n(&t, "", 1);
      text_add_n(&t, tail, i ? length : 0);
    }
    text_add(&t, zero[_i].after);
    ck_assert_int_eq(cdag_graph_read(&g, t.s, t.n, zero[_i].name, &d), BAD_INPUT);
    ck_assert_msg(strstr(d.message, "zero byte") != NULL, "%s", d.message);
    text_clear(&t);
  }
}
END_TEST

/* Deep nesting ends in a sentence. */
START_TEST(deep_nesting_is_refused)
{
  text t = { 0 };
  cdag_graph g;
  diag d = { 0 };
  text_add(&t, "digraph ");
  for (int i = 0; i < 100000; i++)
    text_add(&t, "{");
  ck_assert_int_eq(cdag_graph_read_dot(&g, t.s, t.n, "x", &d), BAD_INPUT);
  ck_assert(strstr(d.message, "too deeply"));
  t.n = 0;
  text_add(&t, GRAPHML);
  for (int i = 0; i < 100000; i++)
    text_add(&t, "<desc>");
  ck_assert_int_eq(cdag_graph_read_graphml(&g, t.s, t.n, "x", &d), BAD_INPUT);
  ck_assert(strstr(d.message, "too deeply"));
  text_clear(&t);
}
END_TEST

/* { many } -> { many } from a small file. */
START_TEST(products_of_subgraphs_are_capped)
{
  text t = { 0 };
  cdag_graph g;
  diag d = { 0 };
  text_add(&t, "digraph { {");
  for (int i = 0; i < 20000; i++)
    text_printf(&t, " a%d", i);
  text_add(&t, "} -> {");
  for (int i = 0; i < 20000; i++)
    text_printf(&t, " b%d", i);
  text_add(&t, "} }");
  ck_assert_int_eq(cdag_graph_read_dot(&g, t.s, t.n, "x", &d), BAD_INPUT);
  ck_assert(strstr(d.message, "2^28"));
  text_clear(&t);
}
END_TEST

/* ---- every cut and every flipped byte of small files ---- */

static char *sample(int which, size_t *size, cdag_graph *g)
{
  diag d = { 0 };
  if (which == COUNT(formats)) {
    static const char mtx[] =
        "%%MatrixMarket matrix coordinate pattern general\n14 14 6\n2 1\n12 11\n13 1\n14 2\n14 12\n14 13\n";
    *size = sizeof mtx - 1;
    ck_assert_int_eq(cdag_graph_read_matrixmarket(g, mtx, *size, "x", &d), OK);
    char *copy = malloc(*size);
    memcpy(copy, mtx, *size);
    return copy;
  }
  cdag_graph random;
  ck_assert_int_eq(cdag_graph_random(&random, 14, 3, 3, 0, &d), OK);
  char *bytes = written(&random, formats[which].format, size);
  ck_assert_int_eq(formats[which].read(g, bytes, *size, "x", &d), OK); /* HyperDAG keeps edges by their beginning */
  ck_assert_uint_eq(g->m, random.m);
  cdag_graph_clear(&random);
  return bytes;
}

static reader sample_reader(int which)
{
  return which == COUNT(formats) ? cdag_graph_read_matrixmarket : formats[which].read;
}

START_TEST(no_cut_is_accepted_as_another_graph)
{
  cdag_graph g, back;
  size_t size, accepted = 0;
  char *bytes = sample(_i, &size, &g);
  for (size_t cut = 0; cut < size; cut++) {
    char *part = malloc(cut + 1); /* of its own, so that reading past the end is seen by the sanitizer */
    memcpy(part, bytes, cut);
    if (sample_reader(_i)(&back, part, cut, "x", NULL) == OK) {
      ck_same(&g, &back);
      cdag_graph_clear(&back);
      accepted++;
    }
    free(part);
  }
  ck_assert_uint_le(accepted, 1); /* only the last newline may go */
  free(bytes);
  cdag_graph_clear(&g);
}
END_TEST

START_TEST(changed_bytes_never_crash)
{
  random_source r = { (uint64_t)_i };
  for (int which = 0; which <= COUNT(formats); which++) {
    cdag_graph g, back;
    size_t size;
    char *bytes = sample(which, &size, &g);
    for (int change = 0; change < 60; change++) {
      static const char likely[] = "0123456789 \n#%<>\"{}[];-/\\&=";
      char *copy = malloc(size);
      memcpy(copy, bytes, size);
      for (uint64_t k = 1 + random_below(&r, 3); k; k--)
        copy[random_below(&r, size)] =
            random_below(&r, 4) ? likely[random_below(&r, sizeof likely)] : (char)random_next(&r);
      if (sample_reader(which)(&back, copy, size, "x", NULL) == OK) {
        ck_assert_ptr_null(cdag_graph_check(&back));
        cdag_graph_clear(&back);
      }
      free(copy);
    }
    free(bytes);
    cdag_graph_clear(&g);
  }
}
END_TEST

/* ---- memory ---- */

/* v reads v - 1 and v - 2; the other way round, when numbers descend, the search for cycles runs too. */
static void ladder(text *out, uint32_t n, bool descending)
{
  text t = { 0 };
  text_printf(&t, "%u %u\n", n, 2 * (n - 2));
  for (uint32_t v = 2; v < n; v++)
    for (uint32_t back = 1; back <= 2; back++)
      text_printf(&t, "%u %u\n", descending ? n - 1 - (v - back) : v - back, descending ? n - 1 - v : v);
  *out = (text){ .s = mem_text(t.s), .n = t.n }; /* no room to spare */
  text_clear(&t);
}

/* File, edges and graph together: at most 64 bytes a vertex where every vertex has two predecessors. */
START_TEST(memory_is_bounded)
{
  enum { VERTICES = 200000 };
  text t;
  cdag_graph g;
  diag d = { 0 };
  ladder(&t, VERTICES, _i);
  uint64_t before = mem_live();
  mem_limit(64 * VERTICES); /* running out ends the program */
  ck_assert_msg(cdag_graph_take(&g, &t, "ladder.edges", &d) == OK, "%s", d.message);
  mem_limit(0);
  ck_assert_ptr_null(t.s);
  ck_assert_uint_eq(g.n, VERTICES);
  ck_assert_uint_eq(g.m, 2 * (VERTICES - 2));
  ck_assert_ptr_null(cdag_graph_check(&g));
  cdag_graph_clear(&g);
  ck_assert_uint_lt(mem_live(), before);
}
END_TEST

/* Lines between the edges: each edge still knows its own. */
START_TEST(lines_of_edges)
{
  cdag_graph g;
  diag d = { 0 };
  const char *cyclic = "4 4\n0 1\n1 2\n\n# a remark\n2 3\n3 1\n";
  ck_assert_int_eq(cdag_graph_read(&g, cyclic, strlen(cyclic), "cyclic.edges", &d), BAD_INPUT);
  ck_assert_int_eq(d.line, 7);
  const char *plain = "3 3\n0 1\n1 2\n2 1\n";
  ck_assert_int_eq(cdag_graph_read(&g, plain, strlen(plain), "plain.edges", &d), BAD_INPUT);
  ck_assert_int_eq(d.line, 4);
}
END_TEST

/* ---- real files ---- */

START_TEST(hyperdag_files_read)
{
  const char *folder = getenv("REDBLUE_DAGS");
  DIR *dir = folder ? opendir(folder) : NULL;
  int files = 0;
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (!strstr(e->d_name, ".txt"))
      continue;
    char path[600], line[400];
    text t = { 0 };
    cdag_graph g;
    diag d = { 0 };
    unsigned long hyperedges = 0, nodes = 0, pins = 0;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    ck_assert_int_eq(text_read(&t, path, 0, &d), OK);
    ck_assert_msg(cdag_graph_read(&g, t.s, t.n, e->d_name, &d) == OK, "%s:%d: %s", d.file, d.line, d.message);
    FILE *in = fopen(path, "r");
    while (fgets(line, sizeof line, in) && *line == '%')
      ;
    fclose(in);
    ck_assert_int_eq(sscanf(line, "%lu %lu %lu", &hyperedges, &nodes, &pins), 3);
    ck_assert_uint_eq(g.n, nodes);
    ck_assert_uint_eq(g.m, pins - hyperedges);
    cdag_graph_clear(&g);
    text_clear(&t);
    files++;
  }
  if (dir)
    closedir(dir);
  ck_assert(!folder || files > 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("graph files");
  TCase *c = support_case(s, "files");
  tcase_add_loop_test(c, written_graphs_read_back, 0, support_rounds(40));
  tcase_add_test(c, names_survive);
  tcase_add_test(c, unwritable_is_refused);
  tcase_add_test(c, a_full_disk_is_said);
  tcase_add_loop_test(c, good_files, 0, COUNT(good));
  tcase_add_loop_test(c, bad_files, 0, COUNT(bad));
  tcase_add_loop_test(c, names_with_a_zero_byte_are_refused, 0, COUNT(zero));
  tcase_add_loop_test(c, zero_bytes_end_no_number, 0, COUNT(zero_in_number));
  tcase_add_test(c, deep_nesting_is_refused);
  tcase_add_test(c, products_of_subgraphs_are_capped);
  tcase_add_loop_test(c, no_cut_is_accepted_as_another_graph, 0, COUNT(formats) + 1);
  tcase_add_loop_test(c, changed_bytes_never_crash, 0, support_rounds(20));
  tcase_add_loop_test(c, memory_is_bounded, 0, 2);
  tcase_add_test(c, lines_of_edges);
  tcase_add_test(c, hyperdag_files_read);
  return support_run(s);
}
