/* graph.c -- explicit CDAGs: compressed adjacency in both directions, built once from a list of edges. */
#include "cdag/graph/graph_internal.h"
#include "base/mem.h"
#include <string.h>

/* Rows are filled from offsets one place further on: v's row begins at at[v+1], which each entry of it moves on, so
   that in the end it is where v+1's begins.  Before, at[v+2] is how many entries v's row has. */
static void add_up(uint32_t *at, uint32_t n)
{
  for (uint32_t v = 0; v < n; v++)
    at[v + 1] += at[v];
}

static void fill_predecessors(cdag_graph *g, uint64_t m, const uint32_t *from, const uint32_t *to)
{
  for (uint64_t e = 0; e < m; e++)
    g->pred_at[(uint64_t)to[e] + 2]++;
  add_up(g->pred_at, g->n);
  g->pred = MEM_NEW(uint32_t, m);
  for (uint64_t e = 0; e < m; e++)
    g->pred[g->pred_at[(uint64_t)to[e] + 1]++] = from[e];
}

static bool among(const uint32_t *row, uint64_t n, uint32_t u)
{
  for (uint64_t i = 0; i < n; i++)
    if (row[i] == u)
      return true;
  return false;
}

/* Keep the first of equal predecessors.  Short rows are compared with themselves, which is faster than the marks long
   ones need: seen[u] = v + 1 marks u as already named by v. */
static void remove_double_edges(cdag_graph *g)
{
  enum { SHORT = 16 };
  uint32_t *seen = NULL;
  uint64_t kept = 0, begin = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    uint64_t end = g->pred_at[v + 1], row = kept;
    bool is_short = end - begin <= SHORT;
    if (!is_short && !seen)
      seen = MEM_NEW(uint32_t, g->n);
    for (uint64_t e = begin; e < end; e++) {
      uint32_t u = g->pred[e];
      if (is_short ? among(g->pred + row, kept - row, u) : seen[u] == v + 1)
        continue;
      if (!is_short)
        seen[u] = v + 1;
      g->pred[kept++] = u;
    }
    g->pred_at[v + 1] = kept;
    begin = end;
  }
  g->m = kept;
  mem_free(seen);
}

/* Walking the vertices upwards leaves every row of successors ascending. */
const cdag_rows *cdag_graph_find_successors(const cdag_graph *g)
{
  cdag_rows *s = g->successors;
  s->at = MEM_NEW(uint32_t, (size_t)g->n + 2);
  s->to = MEM_NEW(uint32_t, g->m);
  mem_fill_soon(s->at, (size_t)g->n * sizeof *s->at);
  mem_fill_soon(s->to, g->m * sizeof *s->to);
  for (uint64_t e = 0; e < g->m; e++)
    s->at[(uint64_t)g->pred[e] + 2]++;
  add_up(s->at, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      s->to[s->at[(uint64_t)g->pred[e] + 1]++] = v;
  return s;
}

/* From its rows of predecessors on: the sinks are outputs, and what else is said to be (or NULL). */
static void finish(cdag_graph *g, const uint8_t *output)
{
  g->successors = MEM_NEW(cdag_rows, 1);
  g->output = MEM_NEW(uint8_t, g->n);
  mem_fill_soon(g->output, g->n);
  memset(g->output, 1, g->n);
  for (uint64_t e = 0; e < g->m; e++)
    g->output[g->pred[e]] = 0;
  for (uint32_t v = 0; output && v < g->n; v++)
    g->output[v] |= output[v] != 0;
}

/* Do all edges go from smaller to larger numbers?  Then there is no cycle: the common case, and much cheaper to see. */
static bool ascends(const cdag_graph *g)
{
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      if (g->pred[e] >= v)
        return false;
  return true;
}

/* Remove sources again and again (Kahn 1962): what is left has predecessors that are left.  open[v] ends as the number
   of v's predecessors that are left; returns how many vertices went. */
static uint32_t peel(const cdag_graph *g, uint32_t *open)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  uint32_t *queue = MEM_NEW(uint32_t, g->n), done = 0, filled = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    open[v] = (uint32_t)(g->pred_at[v + 1] - g->pred_at[v]);
    if (open[v] == 0)
      queue[filled++] = v;
  }
  for (; done < filled; done++)
    for (uint64_t e = succ->at[queue[done]]; e < succ->at[queue[done] + 1]; e++)
      if (--open[succ->to[e]] == 0)
        queue[filled++] = succ->to[e];
  mem_free(queue);
  return done;
}

/* A vertex of a cycle: from any vertex left, step back to a predecessor that is left, n times. */
static uint32_t step_back(const cdag_graph *g, const uint32_t *open, uint32_t v)
{
  uint64_t e = g->pred_at[v];
  while (open[g->pred[e]] == 0)
    e++;
  return g->pred[e];
}

static uint32_t vertex_on_cycle(const cdag_graph *g, const uint32_t *open)
{
  uint32_t v = 0;
  while (open[v] == 0)
    v++;
  for (uint32_t step = 0; step < g->n; step++)
    v = step_back(g, open, v);
  return v;
}

/* The edge of a cycle that comes last in the list: without it the cycle would not be there. */
static uint64_t closing_edge(const cdag_graph *g, const uint32_t *open, uint64_t m, const uint32_t *from,
                             const uint32_t *to)
{
  uint32_t *next = MEM_NEW(uint32_t, g->n), start = vertex_on_cycle(g, open), v = start;
  uint64_t last = 0;
  memset(next, 0xff, g->n * sizeof *next);
  do {
    uint32_t u = step_back(g, open, v);
    next[u] = v;
    v = u;
  } while (v != start);
  for (uint64_t e = 0; e < m; e++)
    if (next[from[e]] == to[e])
      last = e;
  mem_free(next);
  return last;
}

static status check_ends(uint32_t n, uint64_t m, const uint32_t *from, const uint32_t *to, uint64_t *bad_edge, diag *d)
{
  *bad_edge = m;
  if (n == UINT32_MAX)
    return diag_set(d, BAD_INPUT, "cdag", "a graph has at most 4294967294 vertices");
  if (m > UINT32_MAX)
    return diag_set(d, BAD_INPUT, "cdag", "a graph has at most 4294967295 edges, not %llu", (unsigned long long)m);
  for (uint64_t e = 0; e < m; e++) {
    *bad_edge = e;
    if (from[e] >= n || to[e] >= n)
      return diag_set(d, BAD_INPUT, "cdag", "the edge %lu -> %lu leaves the vertices 0..%ld", (unsigned long)from[e],
                      (unsigned long)to[e], (long)n - 1);
    if (from[e] == to[e])
      return diag_set(d, BAD_INPUT, "cdag", "vertex %lu has an edge to itself", (unsigned long)from[e]);
  }
  return OK;
}

void cdag_graph_take_rows(cdag_graph *g, uint32_t n, uint32_t *pred_at, uint32_t *pred, bool doubles)
{
  *g = (cdag_graph){ .n = n, .m = pred_at[n], .pred_at = pred_at, .pred = pred };
  if (doubles)
    remove_double_edges(g);
  finish(g, NULL);
}

status cdag_graph_build(cdag_graph *g, uint32_t n, uint64_t m, const uint32_t *from, const uint32_t *to,
                        const uint8_t *output, uint64_t *bad_edge, diag *d)
{
  *g = (cdag_graph){ .n = n };
  status st = check_ends(n, m, from, to, bad_edge, d);
  if (st != OK)
    return st;
  g->pred_at = MEM_NEW(uint32_t, (size_t)n + 2);
  fill_predecessors(g, m, from, to);
  remove_double_edges(g);
  finish(g, output);
  if (ascends(g))
    return OK;
  SCOPED_MEM uint32_t *open = MEM_NEW(uint32_t, n);
  if (peel(g, open) < n) {
    *bad_edge = closing_edge(g, open, m, from, to);
    st = diag_set(d, BAD_INPUT, "cdag", "the edge %lu -> %lu closes a cycle", (unsigned long)from[*bad_edge],
                  (unsigned long)to[*bad_edge]);
    cdag_graph_clear(g);
  }
  return st;
}

status cdag_graph_init(cdag_graph *g, uint32_t n, uint64_t m, const uint32_t *from, const uint32_t *to,
                       const uint8_t *output, diag *d)
{
  uint64_t bad_edge;
  return cdag_graph_build(g, n, m, from, to, output, &bad_edge, d);
}

void cdag_graph_clear(cdag_graph *g)
{
  for (uint32_t v = 0; g->name && v < g->n; v++)
    mem_free(g->name[v]);
  mem_free(g->name);
  mem_free(g->pred_at);
  mem_free(g->pred);
  if (g->successors) {
    mem_free(g->successors->at);
    mem_free(g->successors->to);
  }
  mem_free(g->successors);
  mem_free(g->output);
  *g = (cdag_graph){ 0 };
}

/* ---- check ---- */

static const char *check_rows(uint32_t n, uint64_t m, const uint32_t *at, const uint32_t *end)
{
  if (at[0] != 0 || at[n] != m)
    return "the offsets do not span the edges";
  for (uint32_t v = 0; v < n; v++)
    if (at[v] > at[v + 1])
      return "the offsets descend";
  for (uint64_t e = 0; e < m; e++)
    if (end[e] >= n)
      return "an edge leaves the vertices";
  return NULL;
}

/* Merging: walking v upwards, each row of successors must be met exactly in its order. */
static bool directions_agree(const cdag_graph *g)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  SCOPED_MEM uint32_t *next = MEM_NEW(uint32_t, g->n);
  bool agree = true;
  memcpy(next, succ->at, g->n * sizeof *next);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1] && agree; e++) {
      uint32_t u = g->pred[e];
      agree = next[u] < succ->at[u + 1] && succ->to[next[u]++] == v;
    }
  return agree;
}

const char *cdag_graph_check(const cdag_graph *g)
{
  const char *broken = check_rows(g->n, g->m, g->pred_at, g->pred);
  if (broken)
    return broken;
  const cdag_rows *succ = cdag_graph_successors(g);
  broken = check_rows(g->n, g->m, succ->at, succ->to);
  if (broken)
    return broken;
  for (uint32_t u = 0; u < g->n; u++) {
    for (uint64_t e = succ->at[u]; e + 1 < succ->at[u + 1]; e++)
      if (succ->to[e] >= succ->to[e + 1])
        return "successors are not ascending";
  }
  if (!directions_agree(g))
    return "predecessors and successors disagree";
  SCOPED_MEM uint32_t *open = MEM_NEW(uint32_t, g->n);
  if (peel(g, open) < g->n)
    broken = "there is a cycle";
  return broken;
}

/* ---- order and counts ---- */

/* A binary heap of vertices, the smallest on top. */
static void heap_up(uint32_t *heap, uint32_t i)
{
  uint32_t v = heap[i];
  for (; i > 0 && heap[(i - 1) / 2] > v; i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = v;
}

static uint32_t heap_pop(uint32_t *heap, uint32_t *size)
{
  uint32_t top = heap[0], v = heap[--*size], i = 0, n = *size;
  for (;;) {
    uint64_t child = 2 * (uint64_t)i + 1;
    if (child + 1 < n && heap[child + 1] < heap[child])
      child++;
    if (child >= n || heap[child] >= v)
      break;
    heap[i] = heap[child];
    i = (uint32_t)child;
  }
  heap[i] = v;
  return top;
}

static void smallest_first(const cdag_graph *g, uint32_t *order)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  uint32_t *open = MEM_NEW(uint32_t, g->n), *heap = MEM_NEW(uint32_t, g->n), size = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    open[v] = (uint32_t)(g->pred_at[v + 1] - g->pred_at[v]);
    if (open[v] == 0)
      heap[size++] = v; /* ascending, so a heap */
  }
  for (uint32_t i = 0; i < g->n; i++) {
    order[i] = heap_pop(heap, &size);
    for (uint64_t e = succ->at[order[i]]; e < succ->at[order[i] + 1]; e++)
      if (--open[succ->to[e]] == 0) {
        heap[size] = succ->to[e];
        heap_up(heap, size++);
      }
  }
  mem_free(open);
  mem_free(heap);
}

/* Where all edges ascend, the smallest vertex left is always ready. */
void cdag_graph_topological(const cdag_graph *g, uint32_t *order)
{
  if (!ascends(g)) {
    smallest_first(g, order);
    return;
  }
  for (uint32_t v = 0; v < g->n; v++)
    order[v] = v;
}

static void mark_predecessors(const cdag_graph *g, uint32_t v, uint8_t *mark)
{
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    mark[g->pred[e]] |= !mark[g->pred[e]];
}

void cdag_graph_mark_leading(const cdag_graph *g, const uint32_t *order, uint8_t *mark)
{
  uint32_t *own = NULL;
  if (!order) {
    own = MEM_NEW(uint32_t, g->n);
    cdag_graph_topological(g, own);
    order = own;
  }
  for (uint32_t i = g->n; i-- > 0;)
    if (mark[order[i]])
      mark_predecessors(g, order[i], mark);
  mem_free(own);
}

uint64_t cdag_graph_compulsory(const cdag_graph *g)
{
  SCOPED_MEM uint8_t *wanted = MEM_NEW(uint8_t, g->n);
  uint64_t count = 0;
  for (uint32_t v = 0; v < g->n; v++)
    count += wanted[v] = g->output[v] && !cdag_graph_is_input(g, v);
  cdag_graph_mark_leading(g, NULL, wanted);
  for (uint32_t v = 0; v < g->n; v++)
    count += cdag_graph_is_input(g, v) && wanted[v];
  return count;
}

uint64_t cdag_graph_useless(const cdag_graph *g)
{
  SCOPED_MEM uint8_t *useful = MEM_NEW(uint8_t, g->n);
  uint64_t count = 0;
  memcpy(useful, g->output, g->n);
  cdag_graph_mark_leading(g, NULL, useful);
  for (uint32_t v = 0; v < g->n; v++)
    count += !useful[v];
  return count;
}
