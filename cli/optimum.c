/* optimum.c -- pebble_optimal on a leash. */
#include "cli/optimum.h"
#include "pebble/optimal.h"

enum { OPTIMUM_VERTICES = 40 };

status cli_optimum(const cdag *g, const pebble_rules *rules, bool *known, uint64_t *io, diag *d)
{
  cdag_graph graph = { 0 };
  pebble_optimum o = { 0 };
  pebble_optimal_limits limits = { .seconds = 1, .bytes = (uint64_t)256 << 20 };
  *known = false;
  if (g->vertices > OPTIMUM_VERTICES)
    return OK;
  status st = cdag_materialise(g, OPTIMUM_VERTICES, &graph, d);
  if (st != OK)
    return st;
  st = pebble_optimal(&graph, rules, &limits, &o, d);
  *known = st == OK && o.possible && o.proved;
  *io = o.upper;
  pebble_optimum_clear(&o);
  cdag_graph_clear(&graph);
  return st == GAVE_UP ? OK : st;
}
