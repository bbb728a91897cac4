/* materialise.c -- the explicit graph of a CDAG, vertex ids as documented. */
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include <string.h>

static const uint64_t MOST_EDGES = (uint64_t)1 << 28;

typedef struct {
  const cdag *g;
  uint32_t *from, *to;
  size_t edges, room;
  uint32_t here;
} edge_list;

static bool add_edge(void *context, const cdag_element *e, int term)
{
  edge_list *l = context;
  (void)term;
  if (l->edges == MOST_EDGES)
    return false;
  if (l->edges == l->room) {
    l->room = l->room ? 2 * l->room : 1024;
    l->from = mem_grow(l->from, l->room, sizeof *l->from);
    l->to = mem_grow(l->to, l->room, sizeof *l->to);
  }
  l->from[l->edges] = (uint32_t)(l->g->array[e->array].first + nest_position(&l->g->priv->dom[e->array], e->x));
  l->to[l->edges++] = l->here;
  return true;
}

typedef struct { edge_list *edges; uint8_t *output; int array; } filling;

static bool add_run(void *context, const int64_t *x, int64_t hi_last)
{
  filling *f = context;
  const cdag *g = f->edges->g;
  int last = g->array[f->array].rank - 1;
  int64_t y[CDAG_RANK];
  memcpy(y, x, sizeof y);
  for (; y[last] < hi_last; y[last]++, f->edges->here++) {
    f->output[f->edges->here] = cdag_is_output(g, f->array, y);
    if (!cdag_each_predecessor(g, f->array, y, add_edge, f->edges))
      return false;
  }
  return true;
}

static void copy_names(const cdag_graph *from, cdag_graph *out)
{
  out->name = MEM_NEW(char *, from->n);
  for (uint32_t v = 0; v < from->n; v++)
    out->name[v] = from->name[v] ? mem_text(from->name[v]) : NULL;
}

static status copy_graph(const cdag_graph *from, cdag_graph *out, diag *d)
{
  uint32_t *tail = MEM_NEW(uint32_t, from->m), *head = MEM_NEW(uint32_t, from->m);
  for (uint32_t v = 0; v < from->n; v++)
    for (uint64_t i = from->pred_at[v]; i < from->pred_at[v + 1]; i++) {
      tail[i] = from->pred[i];
      head[i] = v;
    }
  status st = cdag_graph_init(out, from->n, from->m, tail, head, from->output, d);
  if (st == OK && from->name)
    copy_names(from, out);
  mem_free(tail);
  mem_free(head);
  return st;
}

status cdag_materialise(const cdag *g, uint64_t max_vertices, cdag_graph *out, diag *d)
{
  uint64_t most = max_vertices ? max_vertices : (uint64_t)1 << 26;
  if (g->vertices > most)
    return diag_set(d, GAVE_UP, "limit", "%s has %llu vertices, more than the %llu that are written out one by one",
                    g->name, (unsigned long long)g->vertices, (unsigned long long)most);
  if (g->graph)
    return copy_graph(g->graph, out, d);
  edge_list edges = { .g = g };
  filling f = { &edges, MEM_NEW(uint8_t, g->vertices), 0 };
  bool good = true;
  for (; f.array < g->arrays && good; f.array++)
    good = nest_each_run(&g->priv->dom[f.array], &g->priv->dom[f.array].hull, add_run, &f);
  status st = good ? cdag_graph_init(out, (uint32_t)g->vertices, edges.edges, edges.from, edges.to, f.output, d)
                   : diag_set(d, GAVE_UP, "limit", "%s has more than 2^28 edges", g->name);
  if (st == OK) /* a sink that is not declared an output stays none */
    memcpy(out->output, f.output, g->vertices);
  mem_free(edges.from);
  mem_free(edges.to);
  mem_free(f.output);
  return st;
}

status cdag_name_vertices(const cdag *g, cdag_graph *out, diag *d)
{
  if (out->n > 1 << 22)
    return diag_set(d, GAVE_UP, "limit", "%s has %u vertices, too many to be named one by one", g->name, out->n);
  out->name = MEM_NEW(char *, out->n);
  for (uint32_t v = 0; v < out->n; v++) {
    cdag_element e;
    text name = { 0 };
    cdag_at(g, v, &e);
    cdag_element_print(&name, g, &e);
    out->name[v] = name.s;
  }
  return OK;
}
