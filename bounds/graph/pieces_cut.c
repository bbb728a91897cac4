/* Pieces with few edges between them: grown vertex by vertex along the most edges, then improved by moving single
   vertices across, by simulated annealing.  Any pieces prove something; these prove more. */
#include "bounds/graph/pieces.h"
#include "base/forest.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/random.h"
#include <math.h>

enum { MOVES = 120 };                 /* tried for each vertex */

typedef struct {
  const cdag_graph *g;
  const cdag_rows *succ;
  uint32_t *piece, pieces;            /* UINT32_MAX: in none yet */
  uint32_t *size;                     /* of each piece */
  uint32_t *near, *edges, n;          /* vertices next to the piece being grown, with their edges to it */
} cutter;

static void come_near(cutter *k, uint32_t v)
{
  if (k->piece[v] != UINT32_MAX)
    return;
  if (k->edges[v]++ == 0)
    k->near[k->n++] = v;
}

static void take(cutter *k, uint32_t v)
{
  const cdag_graph *g = k->g;
  k->piece[v] = k->pieces;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    come_near(k, g->pred[e]);
  for (uint64_t e = k->succ->at[v]; e < k->succ->at[v + 1]; e++)
    come_near(k, k->succ->to[e]);
}

static uint64_t degree(const cutter *k, uint32_t v)
{
  return k->g->pred_at[v + 1] - k->g->pred_at[v] + k->succ->at[v + 1] - k->succ->at[v];
}

/* The largest part of its edges leads into the piece. */
static uint32_t nearest(cutter *k)
{
  uint32_t best = 0;
  for (uint32_t i = 1; i < k->n; i++) {
    uint32_t v = k->near[i], b = k->near[best];
    if ((uint64_t)k->edges[v] * degree(k, b) > (uint64_t)k->edges[b] * degree(k, v))
      best = i;
  }
  uint32_t v = k->near[best];
  k->near[best] = k->near[--k->n];
  k->edges[v] = 0;
  return v;
}

static void grow(cutter *k, uint32_t first, uint32_t most)
{
  uint32_t n = 1;
  take(k, first);
  for (; n < most && k->n > 0; n++)
    take(k, nearest(k));
  while (k->n > 0)
    k->edges[k->near[--k->n]] = 0;
  k->size[k->pieces++] = n;
}

/* Edges between v and piece p. */
static int edges_to(const cutter *k, uint32_t v, uint32_t p)
{
  const cdag_graph *g = k->g;
  int n = 0;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    n += k->piece[g->pred[e]] == p;
  for (uint64_t e = k->succ->at[v]; e < k->succ->at[v + 1]; e++)
    n += k->piece[k->succ->to[e]] == p;
  return n;
}

static void improve(cutter *k, uint32_t most)
{
  const cdag_graph *g = k->g;
  random_source r = { 1 };
  uint64_t moves = (uint64_t)MOVES * g->n;
  for (uint64_t i = 0; i < moves; i++) {
    uint32_t v = (uint32_t)random_below(&r, g->n);
    uint64_t all = degree(k, v), e = random_below(&r, all ? all : 1), below = g->pred_at[v + 1] - g->pred_at[v];
    if (all == 0)
      continue;
    uint32_t u = e < below ? g->pred[g->pred_at[v] + e] : k->succ->to[k->succ->at[v] + e - below];
    uint32_t from = k->piece[v], to = k->piece[u];
    if (from == to || k->size[to] >= most)
      continue;
    int gain = edges_to(k, v, to) - edges_to(k, v, from);
    double heat = 1.2 * (1 - (double)i / (double)moves);
    if (gain < 0 && (double)random_below(&r, 1 << 20) >= exp(gain / fmax(heat, 1e-3)) * (1 << 20))
      continue;
    k->piece[v] = to;
    k->size[from]--;
    k->size[to]++;
  }
}

static void unite(uint32_t *up, uint32_t a, uint32_t b) { up[forest_root(up, a)] = forest_root(up, b); }

/* What was moved may have left a piece in several: each becomes one.  Vertices of a piece that one vertex reads stay
   together, with it if it is of the piece. */
static void separate(cutter *k)
{
  const cdag_graph *g = k->g;
  uint32_t *up = MEM_NEW(uint32_t, g->n), *read = MEM_NEW(uint32_t, k->pieces), *by = MEM_NEW(uint32_t, k->pieces);
  forest_plant(up, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
      uint32_t u = g->pred[e], p = k->piece[u];
      if (k->piece[v] == p)
        unite(up, u, v);
      if (by[p] == v + 1)
        unite(up, u, read[p]);
      by[p] = v + 1;
      read[p] = u;
    }
  k->pieces = 0;
  for (uint32_t v = 0; v < g->n; v++)
    k->near[v] = forest_root(up, v) == v ? k->pieces++ : 0;
  for (uint32_t v = 0; v < g->n; v++)
    k->piece[v] = k->near[forest_root(up, v)];
  mem_free(up);
  mem_free(read);
  mem_free(by);
}

uint32_t bound_pieces_cut(const cdag_graph *g, uint32_t size, uint32_t *piece)
{
  cutter k = { .g = g, .succ = cdag_graph_successors(g), .piece = piece };
  k.size = MEM_NEW(uint32_t, g->n);
  k.near = MEM_NEW(uint32_t, g->n);
  k.edges = MEM_NEW(uint32_t, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    piece[v] = UINT32_MAX;
  for (uint32_t v = 0; v < g->n; v++)
    if (piece[v] == UINT32_MAX)
      grow(&k, v, size);
  improve(&k, size + size / 4);
  separate(&k);
  mem_free(k.size);
  mem_free(k.near);
  mem_free(k.edges);
  return k.pieces;
}

void bound_pieces_parameters(text *out, const bound_explicit *e, uint32_t pieces, const uint32_t *piece,
                             const uint32_t *excess)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_uint(&j, "compulsory", e->compulsory);
  json_put_open(&j, "pieces", '[');
  for (uint32_t p = 0; p < pieces; p++)
    if (excess[p]) {
      json_open(&j, '{');
      json_put_uint(&j, "excess", excess[p]);
      json_put_open(&j, "vertices", '[');
      for (uint32_t v = 0; v < e->g.n; v++)
        if (piece[v] == p)
          json_int(&j, e->id[v]);
      json_close(&j, ']');
      json_close(&j, '}');
    }
  json_close(&j, ']');
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}
