/* cdag/graph/read_hyperdag.c -- HyperDAG files, version 1 (Algebraic-Programming/HyperDAG_DB): `%` begins a comment; a
   line `M N P` (hyperedges, nodes, pins); M lines `hyperedge [communication [memory]]`; N lines `node [work [type]]`,
   with one number more in files written by ALP/GraphBLAS; P lines `hyperedge node`.  A hyperedge's first pin is its
   source, each further pin v is an edge from the source to v. */
#include "base/mem.h"
#include "cdag/graph/graph_internal.h"

#define NO_SOURCE UINT32_MAX

typedef struct {
  uint64_t hyperedges, nodes, pins;
} sizes;

static status read_header(scan *s, sizes *z)
{
  if (!scan_next_line(s))
    return scan_fail(
        s, "the file has no data; a HyperDAG file begins with a line of three numbers: hyperedges, nodes, pins");
  status st = scan_number(s, UINT32_MAX - 1, "the number of hyperedges", &z->hyperedges);
  if (st == OK)
    st = scan_number(s, UINT32_MAX - 1, "the number of nodes", &z->nodes);
  if (st == OK)
    st = scan_number(s, UINT64_MAX, "the number of pins", &z->pins);
  if (st == OK)
    st = scan_end_line(s);
  /* every hyperedge and node has a line of at least two bytes */
  if (st == OK && (z->hyperedges > s->bytes / 2 || z->nodes > s->bytes / 2))
    return scan_fail(s, "%llu hyperedges and %llu nodes are announced, but the file has only %zu bytes",
                     (unsigned long long)z->hyperedges, (unsigned long long)z->nodes, s->bytes);
  return st == OK ? scan_plausible(s, 0, z->pins) : st;
}

/* count lines of an id and at most `weights` numbers, each id of 0..count-1 once. */
static status read_ids(scan *s, uint64_t count, const char *what, int weights)
{
  SCOPED_MEM uint8_t *seen = MEM_NEW(uint8_t, count);
  uint64_t id = 0, weight;
  status st = OK;
  for (uint64_t i = 0; st == OK && i < count; i++) {
    if (!scan_next_line(s))
      st = scan_fail(s, "the file ends after %llu of %llu lines that describe a %s", (unsigned long long)i,
                     (unsigned long long)count, what);
    else
      st = scan_number(s, count - 1, what, &id);
    if (st == OK && seen[id]++)
      st = scan_fail(s, "%s %llu is described twice", what, (unsigned long long)id);
    for (int w = 0; st == OK && w < weights && scan_more(s); w++)
      st = scan_number(s, INT64_MAX, "a weight", &weight);
    if (st == OK)
      st = scan_end_line(s);
  }
  return st;
}

static status read_pin(scan *s, const sizes *z, uint32_t *source, edge_list *l)
{
  uint64_t hyperedge = 0, node = 0;
  status st = scan_number(s, z->hyperedges - 1, "a hyperedge", &hyperedge);
  if (st == OK)
    st = scan_number(s, z->nodes - 1, "a node", &node);
  if (st == OK)
    st = scan_end_line(s);
  if (st != OK)
    return st;
  if (source[hyperedge] == NO_SOURCE)
    source[hyperedge] = (uint32_t)node;
  else
    edge_list_add(l, source[hyperedge], (uint32_t)node, s->line);
  return OK;
}

static status read_pins(scan *s, const sizes *z, uint32_t *source, edge_list *l)
{
  status st = OK;
  if (z->pins > 0 && (z->hyperedges == 0 || z->nodes == 0))
    return scan_fail(s, "pins need hyperedges and nodes");
  edge_list_reserve(l, z->pins);
  for (uint64_t h = 0; h < z->hyperedges; h++)
    source[h] = NO_SOURCE;
  for (uint64_t i = 0; st == OK && i < z->pins; i++) {
    if (!scan_next_line(s))
      return scan_fail(s, "the file ends after %llu of %llu pins", (unsigned long long)i, (unsigned long long)z->pins);
    st = read_pin(s, z, source, l);
  }
  if (st == OK && scan_next_line(s))
    st = scan_fail(s, "there are more lines than the header announces pins");
  for (uint64_t h = 0; st == OK && h < z->hyperedges; h++)
    if (source[h] == NO_SOURCE)
      st = scan_fail(s, "hyperedge %llu has no pin", (unsigned long long)h);
  return st;
}

status graph_from_hyperdag(cdag_graph *g, const graph_source *from, diag *d)
{
  scan s;
  sizes z = { 0 };
  edge_list l = { 0 };
  uint32_t *source = NULL;
  scan_init(&s, from, '%', d);
  status st = read_header(&s, &z);
  if (st == OK)
    st = read_ids(&s, z.hyperedges, "hyperedge", 2);
  if (st == OK)
    st = read_ids(&s, z.nodes, "node", 3);
  if (st == OK) {
    source = MEM_NEW(uint32_t, z.hyperedges);
    st = read_pins(&s, &z, source, &l);
  }
  if (st == OK) {
    graph_source_done(from);
    st = edge_list_build(&l, (uint32_t)z.nodes, NULL, NULL, from->name, g, d);
  }
  mem_free(source);
  edge_list_clear(&l);
  return st;
}
