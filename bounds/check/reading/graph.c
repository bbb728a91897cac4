/* The graph of a certificate, and which of its vertices matter. */
#include "bounds/check/reading/graph.h"
#include "base/mem.h"

status checker_graph_of(const cdag *g, cdag_graph *made, const cdag_graph **out, diag *d)
{
  *out = g->graph ? g->graph : made;
  return g->graph ? OK : cdag_materialise(g, 0, made, d);
}

static bool is_output(const cdag *c, const cdag_graph *g, uint32_t v)
{
  if (c->graph)
    return g->output[v];
  cdag_element x;
  cdag_at(c, v, &x);
  return cdag_is_output(c, x.array, x.x);
}

static bool leads_on(const cdag_graph *g, const uint8_t *weight, uint32_t v)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
    if (weight[succ->to[e]])
      return true;
  return false;
}

uint64_t checker_weigh(const cdag *c, const cdag_graph *g, uint8_t *weight)
{
  SCOPED_MEM uint32_t *order = MEM_NEW(uint32_t, g->n);
  uint64_t compulsory = 0;
  cdag_graph_topological(g, order);
  for (uint32_t i = g->n; i-- > 0;) {
    uint32_t v = order[i];
    bool input = cdag_graph_is_input(g, v), output = !input && is_output(c, g, v);
    weight[v] = 0;
    if (output || leads_on(g, weight, v))
      weight[v] = input || output ? 1 : 2;
    compulsory += weight[v] == 1;
  }
  return compulsory;
}
