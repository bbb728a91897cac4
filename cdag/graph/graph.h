/* graph.h -- an explicit CDAG: vertices 0..n-1 with their predecessors and successors.

   Compressed rows, 4 bytes an edge and 4 a vertex; the successors take as much again, and are found when first asked
   for: a play never asks.  Inputs are exactly the sources that have a successor or are no output; a vertex without any
   edge is legal, holds a blue pebble and costs nothing.  A built graph never changes. */
#ifndef REDBLUE_GRAPH_H
#define REDBLUE_GRAPH_H

#include "base/diag.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  uint32_t *at;        /* n+1: v's row is to[at[v] .. at[v+1]) */
  uint32_t *to;
} cdag_rows;

typedef struct {
  uint32_t n;          /* vertices */
  uint64_t m;          /* edges, at most 2^32 - 1 */
  uint32_t *pred_at; /* n+1: predecessors of v are pred[pred_at[v] .. pred_at[v+1]), in the order of the file or rule */
  uint32_t *pred;
  cdag_rows *successors; /* read through cdag_graph_successors */
  uint8_t *output;     /* n: 1 if v is an output; every sink is, but in the graph of a CDAG text, which keeps to what is
                          declared */
  char **name;         /* n names as in the file, or NULL when vertices are just numbers */
} cdag_graph;

static inline bool cdag_graph_is_input(const cdag_graph *g, uint32_t v) { return g->pred_at[v] == g->pred_at[v + 1]; }

/* Every row ascends.  The first call finds them, and must not be made from two threads at once. */
const cdag_rows *cdag_graph_find_successors(const cdag_graph *g);
static inline const cdag_rows *cdag_graph_successors(const cdag_graph *g)
{
  return g->successors->at ? g->successors : cdag_graph_find_successors(g);
}
static inline bool cdag_graph_is_sink(const cdag_graph *g, uint32_t v)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  return succ->at[v] == succ->at[v + 1];
}

/* Build from an edge list (from[i] -> to[i]); a double edge counts once.  output may be NULL (sinks only); sinks are
   always outputs.  Errors (kind "cdag"): an end out of range, a loop, a cycle (the message names a vertex on it). */
status cdag_graph_init(cdag_graph *g, uint32_t n, uint64_t m, const uint32_t *from, const uint32_t *to,
                       const uint8_t *output, diag *d);
void cdag_graph_clear(cdag_graph *g);
const char *cdag_graph_check(const cdag_graph *g);      /* NULL, or the invariant that fails: for tests and asserts */

/* A topological order: order[0..n-1], smallest vertex first among the ready ones. */
void cdag_graph_topological(const cdag_graph *g, uint32_t *order);
/* Of the vertices that lead to a marked one, those without a mark get 1.  order: a topological one, or NULL. */
void cdag_graph_mark_leading(const cdag_graph *g, const uint32_t *order, uint8_t *mark);

/* #inputs with a path of length >= 1 to a non-input output, plus #outputs that are not inputs (docs/theory.md, section
   1): no pebbling costs less. */
uint64_t cdag_graph_compulsory(const cdag_graph *g);
uint64_t cdag_graph_useless(const cdag_graph *g);       /* vertices with no path to an output */

/* Formats.  name is how messages call the file.  Strict (docs/graph-formats.md): a file that is cut off, inconsistent
   or cyclic is BAD_INPUT with its line, never a smaller graph. */
status cdag_graph_read_edges(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
status cdag_graph_read_dot(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
status cdag_graph_read_graphml(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
status cdag_graph_read_hyperdag(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
status cdag_graph_read_matrixmarket(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
/* Guess the format from the ending and the first bytes, then read. */
status cdag_graph_read(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d);
/* The same; bytes is emptied, before the graph is built if it can be: a large file and its graph need not both find
 * room. */
status cdag_graph_take(cdag_graph *g, text *bytes, const char *name, diag *d);

typedef enum { CDAG_EDGES, CDAG_DOT, CDAG_GRAPHML, CDAG_HYPERDAG } cdag_graph_format;
/* Reading what was written gives the same graph, but a sink that is no output comes back as one, and names of vertices
   survive in DOT and GraphML only.  BAD_INPUT when the format has no words for this graph: an inner output in HyperDAG,
   a name DOT cannot quote. */
status cdag_graph_write(const cdag_graph *g, cdag_graph_format format, FILE *out, diag *d);

/* Generators (cdag/graph/generate.c); the numbering of their vertices is in docs/graph-formats.md.  Sizes too large are
   BAD_INPUT kind "value". */
status cdag_graph_tree(cdag_graph *g, int64_t h, diag *d);       /* complete binary, 2^h leaves, leaves first */
status cdag_graph_pyramid(cdag_graph *g, int64_t h, diag *d);    /* h+1 inputs in the bottom row */
status cdag_graph_fft(cdag_graph *g, int64_t l, diag *d);        /* 2^l lanes, l+1 ranks, rank by rank */
status cdag_graph_hypercube(cdag_graph *g, int64_t l, diag *d);  /* edges from v to v with one more bit set */
status cdag_graph_strassen(cdag_graph *g, int64_t l, diag *d);   /* 2^l x 2^l, recursive to scalars */
/* n vertices, same seed same graph.  layered = 0: every vertex draws 0..degree predecessors among the earlier ones;
   layered = k: k layers of about n/k, every vertex after the first layer draws 1..degree in the layer before its own.
   Equal draws make one edge. */
status cdag_graph_random(cdag_graph *g, int64_t n, int64_t seed, int64_t degree, int64_t layered, diag *d);

#endif
