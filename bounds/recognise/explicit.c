/* The live part of a computation as an explicit graph in topological order (bounds/recognise/explicit.h). */
#include "bounds/recognise/explicit.h"
#include "base/mem.h"

bool bound_explicit_fits(const cdag *g, uint64_t max_vertices) { return g->vertices <= max_vertices; }

static bool is_output(const cdag *g, const cdag_graph *whole, uint32_t v)
{
  if (!g)
    return whole->output[v];
  cdag_element x;
  cdag_at(g, v, &x);
  return cdag_is_output(g, x.array, x.x);
}

/* live[v]: 0 no, 1 leads to an output that is no input, 2 is one. */
static uint8_t *find_live(const cdag *g, const cdag_graph *whole, const uint32_t *order)
{
  uint8_t *live = MEM_NEW(uint8_t, whole->n);
  for (uint32_t v = 0; v < whole->n; v++)
    live[v] = !cdag_graph_is_input(whole, v) && is_output(g, whole, v) ? 2 : 0;
  cdag_graph_mark_leading(whole, order, live);
  return live;
}

/* Is the graph what would be built of it, vertex by vertex? */
static bool is_built(const cdag_graph *whole, const uint32_t *order, const uint8_t *live)
{
  for (uint32_t v = 0; v < whole->n; v++)
    if (order[v] != v || !live[v] || whole->output[v] != (live[v] == 2))
      return false;
  return true;
}

/* Number the live vertices in order; what remains is a graph of its own. */
static status build(bound_explicit *e, const cdag_graph *whole, const uint32_t *order, const uint8_t *live, diag *d)
{
  uint32_t n = 0;
  uint64_t m = 0;
  uint32_t *number = MEM_NEW(uint32_t, whole->n), *from = MEM_NEW(uint32_t, whole->m),
           *to = MEM_NEW(uint32_t, whole->m);
  SCOPED_MEM uint8_t *output = MEM_NEW(uint8_t, whole->n);
  e->id = MEM_NEW(uint32_t, whole->n);
  for (uint32_t i = 0; i < whole->n; i++) {
    uint32_t v = order[i];
    if (!live[v])
      continue;
    e->id[n] = v;
    number[v] = n;
    output[n] = live[v] == 2;
    for (uint64_t p = whole->pred_at[v]; p < whole->pred_at[v + 1]; p++) {
      from[m] = number[whole->pred[p]];
      to[m++] = n;
    }
    n++;
  }
  status st = cdag_graph_init(&e->g, n, m, from, to, output, d);
  mem_free(number);
  mem_free(from);
  mem_free(to);
  return st;
}

static void borrow(bound_explicit *e, const cdag_graph *whole, uint32_t *order)
{
  e->g = *whole;
  e->borrowed = true;
  e->id = order;
}

/* g: where the outputs are described, or NULL: in the graph itself.  whole is kept where e borrows it. */
static status init(bound_explicit *e, const cdag *g, const cdag_graph *whole, diag *d)
{
  status st = OK;
  uint32_t *order = MEM_NEW(uint32_t, whole->n);
  cdag_graph_topological(whole, order);
  uint8_t *live = find_live(g, whole, order);
  if (is_built(whole, order, live)) {
    borrow(e, whole, order);
  } else {
    st = build(e, whole, order, live, d);
    mem_free(order);
  }
  for (uint32_t v = 0; v < e->g.n; v++)
    e->compulsory += cdag_graph_is_input(&e->g, v) + e->g.output[v];
  mem_free(live);
  return st;
}

status bound_explicit_of(bound_explicit *e, const cdag_graph *g, diag *d)
{
  *e = (bound_explicit){ 0 };
  return init(e, NULL, g, d);
}

status bound_explicit_init(bound_explicit *e, const cdag *g, uint64_t max_vertices, diag *d)
{
  cdag_graph whole = { 0 };
  *e = (bound_explicit){ 0 };
  if (!bound_explicit_fits(g, max_vertices))
    return diag_set(d, GAVE_UP, "limit", "more than %llu vertices", (unsigned long long)max_vertices);
  if (g->graph)
    return bound_explicit_of(e, g->graph, d);
  status st = cdag_materialise(g, max_vertices, &whole, d);
  if (st == OK)
    st = init(e, g, &whole, d);
  if (!e->borrowed)
    cdag_graph_clear(&whole);
  e->borrowed = false; /* now it is its own */
  return st;
}

uint8_t *bound_explicit_weights(const bound_explicit *e)
{
  uint8_t *weight = MEM_NEW(uint8_t, e->g.n);
  for (uint32_t v = 0; v < e->g.n; v++)
    weight[v] = cdag_graph_is_input(&e->g, v) || e->g.output[v] ? 1 : 2;
  return weight;
}

void bound_explicit_clear(bound_explicit *e)
{
  if (!e->borrowed)
    cdag_graph_clear(&e->g);
  mem_free(e->id);
  *e = (bound_explicit){ 0 };
}

uint64_t bound_explicit_least_memory(const bound_explicit *e, bool placing)
{
  uint64_t most = 0;
  for (uint32_t v = 0; v < e->g.n; v++) {
    uint64_t degree = e->g.pred_at[v + 1] - e->g.pred_at[v];
    most = degree > most ? degree : most;
  }
  return most + placing;
}
