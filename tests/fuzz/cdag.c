/* The .cdag language: a text is refused with its place, or it is a CDAG that keeps its invariants, prints as itself and
   agrees with its own explicit graph. */
#include "base/mem.h"
#include "cdag/cdag.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

enum { SMALL = 3000 };

static void print_again(const cdag *g)
{
  text once = { 0 }, twice = { 0 };
  cdag *h = NULL;
  diag d = { 0 };
  cdag_print(&once, g);
  if (cdag_parse(&h, "again", text_str(&once), "", &d) != OK)
    fuzz_fault("printed, it is refused: %d:%d: %s\n%s", d.line, d.column, d.message, text_str(&once));
  cdag_print(&twice, h);
  if (strcmp(text_str(&once), text_str(&twice)) != 0 || h->vertices != g->vertices)
    fuzz_fault("printed twice, it differs\n%s----\n%s", text_str(&once), text_str(&twice));
  cdag_free(h);
  text_clear(&once);
  text_clear(&twice);
}

static void agree(const cdag *g)
{
  cdag_counts c;
  cdag_graph graph = { 0 };
  diag d = { 0 };
  if (g->vertices > SMALL || cdag_materialise(g, SMALL, &graph, &d) != OK)
    return;
  if (cdag_count(g, &c, &d) != OK)
    fuzz_fault("%s", d.message);
  uint64_t inputs = 0, degree = 0;
  for (uint32_t v = 0; v < graph.n; v++) {
    uint64_t in = graph.pred_at[v + 1] - graph.pred_at[v];
    inputs += in == 0;
    degree = in > degree ? in : degree;
  }
  if (c.vertices != graph.n || c.edges != graph.m || c.inputs != inputs || c.max_in_degree != degree)
    fuzz_fault("counted: %ld vertices, %ld edges, %ld inputs, in-degree %ld; there are %ld, %ld, %ld, %ld",
               (long)c.vertices, (long)c.edges, (long)c.inputs, (long)c.max_in_degree, (long)graph.n, (long)graph.m,
               (long)inputs, (long)degree);
  const char *broken = cdag_graph_check(&graph);
  if (broken)
    fuzz_fault("its graph is broken: %s", broken);
  cdag_graph_clear(&graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  cdag *g = NULL;
  diag d = { 0 };
  char *source = fuzz_text(data, size);
  if (!source)
    return 0;
  status st = cdag_parse(&g, "input", source, "", &d);
  if (st != OK) {
    fuzz_refused(st, &d);
  } else {
    const char *broken = cdag_check(g);
    if (broken)
      fuzz_fault("%s", broken);
    print_again(g);
    agree(g);
  }
  cdag_free(g);
  mem_free(source);
  fuzz_no_leak();
  return 0;
}
