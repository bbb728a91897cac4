/* pebble/optimal/greedy.c -- a legal pebbling of any graph in a moment: the solver's first upper bound.

   Vertices in depth-first order from the outputs; when a pebble is short, the red vertex used farthest ahead is given
   up (Belady 1966), stored first if it is used again or owed and not yet blue. */
#include "base/mem.h"
#include "pebble/optimal/internal.h"
#include <assert.h>

#define NEVER UINT64_MAX

typedef struct {
  const cdag_graph *g;
  const pebble_rules *rules;
  pebble_trace *trace;
  uint32_t *order;            /* vertices to compute */
  uint32_t count;
  uint64_t *users;            /* n: how many of its successors are in order */
  uint64_t *used;             /* n: successors already computed */
  uint64_t **uses;            /* n: places of its successors, ascending */
  uint8_t *red, *blue, *kept; /* kept: may not be given up now */
  uint8_t *summed;            /* partial: this predecessor is in the vertex at hand */
  uint32_t *reds;             /* the red vertices */
  uint64_t n;
} greedy;

/* Depth-first from each output, without recursion: a vertex is ordered after its predecessors. */
static void find_order(greedy *y)
{
  const cdag_graph *g = y->g;
  SCOPED_MEM uint8_t *seen = MEM_NEW(uint8_t, g->n);
  uint32_t *path = MEM_NEW(uint32_t, g->n), depth = 0;
  SCOPED_MEM uint64_t *edge = MEM_NEW(uint64_t, g->n);
  for (uint32_t root = 0; root < g->n; root++) {
    if (!g->output[root] || seen[root])
      continue;
    seen[path[0] = root] = 1;
    edge[0] = g->pred_at[root];
    for (depth = 1; depth;) {
      uint32_t v = path[depth - 1];
      if (edge[depth - 1] == g->pred_at[v + 1]) {
        depth--;
        if (!cdag_graph_is_input(g, v))
          y->order[y->count++] = v;
        continue;
      }
      uint32_t u = g->pred[edge[depth - 1]++];
      if (seen[u])
        continue;
      seen[path[depth] = u] = 1;
      edge[depth++] = g->pred_at[u];
    }
  }
  mem_free(path);
}

static void find_uses(greedy *y)
{
  const cdag_graph *g = y->g;
  const cdag_rows *succ = cdag_graph_successors(g);
  SCOPED_MEM uint64_t *filled = MEM_NEW(uint64_t, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    y->uses[v] = MEM_NEW(uint64_t, succ->at[v + 1] - succ->at[v]);
  for (uint32_t i = 0; i < y->count; i++)
    for (uint64_t e = g->pred_at[y->order[i]]; e < g->pred_at[y->order[i] + 1]; e++)
      y->uses[g->pred[e]][filled[g->pred[e]]++] = i;
  for (uint32_t v = 0; v < g->n; v++)
    y->users[v] = filled[v];
}

static uint64_t next_use(const greedy *y, uint32_t v)
{
  return y->used[v] < y->users[v] ? y->uses[v][y->used[v]] : NEVER;
}

static void put(greedy *y, uint32_t v)
{
  y->red[v] = 1;
  y->reds[y->n++] = v;
}

/* v is red. */
static void take(greedy *y, uint32_t v)
{
  uint64_t i = 0;
  while (y->reds[i] != v)
    i++;
  y->reds[i] = y->reds[--y->n];
  y->red[v] = 0;
}

static void save(greedy *y, uint32_t v)
{
  if (y->blue[v])
    return;
  pebble_trace_add(y->trace, PEBBLE_STORE, v);
  y->blue[v] = 1;
}

/* The red vertex not kept whose next use is farthest; a blue one among equals.  OPTIMAL_NONE: all are kept. */
static uint32_t farthest(const greedy *y, bool of_kept)
{
  uint32_t best = OPTIMAL_NONE;
  for (uint64_t i = 0; i < y->n; i++) {
    uint32_t v = y->reds[i];
    if (y->kept[v] != of_kept)
      continue;
    uint64_t use = next_use(y, v), most = best == OPTIMAL_NONE ? 0 : next_use(y, best);
    if (best == OPTIMAL_NONE || use > most || (use == most && y->blue[v] > y->blue[best]))
      best = v;
  }
  return best;
}

/* One pebble is to be free. */
static void make_room(greedy *y)
{
  if (y->n < y->rules->m)
    return;
  uint32_t v = farthest(y, false);
  assert(v != OPTIMAL_NONE);
  if (next_use(y, v) != NEVER)
    save(y, v);
  pebble_trace_add(y->trace, PEBBLE_DROP, v);
  take(y, v);
}

static void fetch(greedy *y, uint32_t v)
{
  if (!y->red[v]) {
    make_room(y);
    pebble_trace_add(y->trace, PEBBLE_LOAD, v);
    put(y, v);
  }
  y->kept[v] = 1;
}

/* All predecessors are red: compute x, on a predecessor's pebble if there is no other. */
static void compute_whole(greedy *y, uint32_t x)
{
  const cdag_graph *g = y->g;
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    y->kept[g->pred[e]] = y->red[g->pred[e]];
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    fetch(y, g->pred[e]);
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    y->used[g->pred[e]]++;
  if (y->n == y->rules->m && y->rules->variant == PEBBLE_SLIDING && farthest(y, false) == OPTIMAL_NONE) {
    uint32_t u = farthest(y, true);
    if (next_use(y, u) != NEVER)
      save(y, u);
    pebble_trace_slide(y->trace, x, u);
    take(y, u);
    y->kept[u] = 0;
  } else {
    make_room(y);
    pebble_trace_add(y->trace, PEBBLE_COMPUTE, x);
  }
  put(y, x);
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    y->kept[g->pred[e]] = 0;
}

static void aggregate(greedy *y, uint32_t x)
{
  const cdag_graph *g = y->g;
  pebble_trace_add(y->trace, PEBBLE_COMPUTE, x);
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    if (y->red[g->pred[e]] && !y->summed[g->pred[e]]) {
      y->summed[g->pred[e]] = 1;
      y->used[g->pred[e]]++;
    }
}

/* Edge by edge: the red predecessors first, then the others one by one, x keeping its pebble. */
static void compute_partial(greedy *y, uint32_t x)
{
  const cdag_graph *g = y->g;
  for (int pass = 0; pass < 2; pass++)
    for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++) {
      uint32_t u = g->pred[e];
      if (y->summed[u] || (pass == 0 && !y->red[u]))
        continue;
      fetch(y, u);
      if (!y->red[x]) {
        make_room(y);
        put(y, x);
        y->kept[x] = 1;
      }
      aggregate(y, x);
      y->kept[u] = 0;
    }
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    y->summed[g->pred[e]] = 0;
  y->kept[x] = 0;
}

static void greedy_init(greedy *y, const cdag_graph *g, const pebble_rules *rules, pebble_trace *trace)
{
  *y = (greedy){ .g = g, .rules = rules, .trace = trace };
  y->order = MEM_NEW(uint32_t, g->n);
  y->users = MEM_NEW(uint64_t, g->n);
  y->used = MEM_NEW(uint64_t, g->n);
  y->uses = MEM_NEW(uint64_t *, g->n);
  y->red = MEM_NEW(uint8_t, g->n);
  y->blue = MEM_NEW(uint8_t, g->n);
  y->kept = MEM_NEW(uint8_t, g->n);
  y->summed = MEM_NEW(uint8_t, g->n);
  y->reds = MEM_NEW(uint32_t, g->n + 1);
  for (uint32_t v = 0; v < g->n; v++)
    y->blue[v] = cdag_graph_is_input(g, v);
  find_order(y);
  find_uses(y);
}

static void greedy_clear(greedy *y)
{
  for (uint32_t v = 0; v < y->g->n; v++)
    mem_free(y->uses[v]);
  mem_free(y->order);
  mem_free(y->users);
  mem_free(y->used);
  mem_free(y->uses);
  mem_free(y->red);
  mem_free(y->blue);
  mem_free(y->kept);
  mem_free(y->summed);
  mem_free(y->reds);
}

void optimal_greedy(const cdag_graph *g, const pebble_rules *rules, pebble_trace *trace)
{
  greedy y;
  greedy_init(&y, g, rules, trace);
  for (uint32_t i = 0; i < y.count; i++) {
    uint32_t x = y.order[i];
    if (rules->variant == PEBBLE_PARTIAL)
      compute_partial(&y, x);
    else
      compute_whole(&y, x);
    if (g->output[x])
      save(&y, x);
  }
  greedy_clear(&y);
}
