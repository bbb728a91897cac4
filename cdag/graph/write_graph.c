/* cdag/graph/write_graph.c -- graphs as edge lists, DOT, GraphML and HyperDAG files (docs/graph-formats.md). */
#include "base/mem.h"
#include "cdag/graph/graph_internal.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Bytes on their way out: numbers are put together here, and written in large pieces. */
typedef struct {
  FILE *out;
  size_t n;
  char bytes[1 << 16];
} pen;

static void flush(pen *p)
{
  fwrite(p->bytes, 1, p->n, p->out);
  p->n = 0;
}

static void put_bytes(pen *p, const char *s, size_t n)
{
  if (p->n + n > sizeof p->bytes)
    flush(p);
  if (n > sizeof p->bytes)
    fwrite(s, 1, n, p->out);
  else {
    memcpy(p->bytes + p->n, s, n);
    p->n += n;
  }
}

static void put(pen *p, const char *s) { put_bytes(p, s, strlen(s)); }

static void put_number(pen *p, uint64_t v)
{
  char digits[20];
  int at = 20;
  do
    digits[--at] = (char)('0' + v % 10);
  while (v /= 10);
  put_bytes(p, digits + at, (size_t)(20 - at));
}

static void put_pair(pen *p, uint64_t a, uint64_t b)
{
  put_number(p, a);
  put(p, " ");
  put_number(p, b);
  put(p, "\n");
}

/* An output the reader would not know from the edges alone. */
static bool is_inner_output(const cdag_graph *g, uint32_t v) { return g->output[v] && !cdag_graph_is_sink(g, v); }

static bool has_inner_output(const cdag_graph *g)
{
  for (uint32_t v = 0; v < g->n; v++)
    if (is_inner_output(g, v))
      return true;
  return false;
}

/* ---- edge list ---- */

static void write_outputs(pen *p, const cdag_graph *g)
{
  uint64_t count = 0;
  for (uint32_t v = 0; v < g->n; v++)
    count += g->output[v];
  put(p, "outputs ");
  put_number(p, count);
  for (uint32_t v = 0; v < g->n; v++)
    if (g->output[v]) {
      put(p, " ");
      put_number(p, v);
    }
  put(p, "\n");
}

/* Edges in the order of their ends, so that every vertex reads back its predecessors in the same order. */
static void write_edges(pen *p, const cdag_graph *g)
{
  put_pair(p, g->n, g->m);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      put_pair(p, g->pred[e], v);
  if (has_inner_output(g))
    write_outputs(p, g);
}

/* ---- HyperDAG ---- */

static void write_hyperdag(pen *p, const cdag_graph *g)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  uint64_t hyperedges = 0;
  for (uint32_t v = 0; v < g->n; v++)
    hyperedges += !cdag_graph_is_sink(g, v);
  put_number(p, hyperedges);
  put(p, " ");
  put_pair(p, g->n, hyperedges + g->m);
  for (uint64_t h = 0; h < hyperedges; h++)
    put_pair(p, h, 1);
  for (uint32_t v = 0; v < g->n; v++)
    put_pair(p, v, 1);
  uint64_t h = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    if (cdag_graph_is_sink(g, v))
      continue;
    put_pair(p, h, v);
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      put_pair(p, h, succ->to[e]);
    h++;
  }
}

/* ---- DOT ---- */

/* In a quoted string only \" is special; a backslash right before a quote or the end has no spelling. */
static bool dot_can_quote(const char *name)
{
  for (size_t run = 0; ; name++) {
    run = *name == '\\' ? run + 1 : run;
    if (*name == '\\')
      continue;
    if ((*name == '"' || *name == '\0') && run % 2)
      return false;
    if (!*name)
      return true;
    run = 0;
  }
}

static void put_dot_name(pen *p, const cdag_graph *g, uint32_t v)
{
  if (!g->name) {
    put_number(p, v);
    return;
  }
  put(p, "\"");
  for (const char *s = g->name[v]; *s; s++) {
    if (*s == '"')
      put(p, "\\");
    put_bytes(p, s, 1);
  }
  put(p, "\"");
}

/* All vertices first, in order: numbering survives. */
static void write_dot(pen *p, const cdag_graph *g)
{
  put(p, "digraph {\n");
  for (uint32_t v = 0; v < g->n; v++) {
    put_dot_name(p, g, v);
    put(p, is_inner_output(g, v) ? " [output=true];\n" : ";\n");
  }
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
      put_dot_name(p, g, g->pred[e]);
      put(p, " -> ");
      put_dot_name(p, g, v);
      put(p, ";\n");
    }
  put(p, "}\n");
}

/* ---- GraphML ---- */

static void put_xml_name(pen *p, const cdag_graph *g, uint32_t v)
{
  if (!g->name) {
    put_number(p, v);
    return;
  }
  for (const char *s = g->name[v]; *s; s++)
    if (strchr("&<>\"'", *s) || (unsigned char)*s < ' ') {
      put(p, "&#");
      put_number(p, (unsigned char)*s);
      put(p, ";");
    } else
      put_bytes(p, s, 1);
}

static void write_graphml_node(pen *p, const cdag_graph *g, uint32_t v)
{
  put(p, "    <node id=\"");
  put_xml_name(p, g, v);
  put(p, is_inner_output(g, v) ? "\"><data key=\"output\">true</data></node>\n" : "\"/>\n");
}

static void write_graphml(pen *p, const cdag_graph *g)
{
  put(p, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  if (has_inner_output(g))
    put(p, "  <key id=\"output\" for=\"node\" attr.name=\"output\" attr.type=\"boolean\"/>\n");
  put(p, "  <graph edgedefault=\"directed\" parse.nodes=\"");
  put_number(p, g->n);
  put(p, "\" parse.edges=\"");
  put_number(p, g->m);
  put(p, "\">\n");
  for (uint32_t v = 0; v < g->n; v++)
    write_graphml_node(p, g, v);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
      put(p, "    <edge source=\"");
      put_xml_name(p, g, g->pred[e]);
      put(p, "\" target=\"");
      put_xml_name(p, g, v);
      put(p, "\"/>\n");
    }
  put(p, "  </graph>\n</graphml>\n");
}

/* ---- */

static status can_write(const cdag_graph *g, cdag_graph_format format, diag *d)
{
  if (format == CDAG_HYPERDAG && has_inner_output(g))
    return diag_set(d, BAD_INPUT, "format",
                    "HyperDAG files have no way to mark an output that has successors; use another format");
  for (uint32_t v = 0; format == CDAG_DOT && g->name && v < g->n; v++)
    if (!dot_can_quote(g->name[v]))
      return diag_set(d, BAD_INPUT, "format", "DOT has no way to write the name %s", g->name[v]);
  return OK;
}

status cdag_graph_write(const cdag_graph *g, cdag_graph_format format, FILE *out, diag *d)
{
  static void (*const writer[])(pen *, const cdag_graph *) = { write_edges, write_dot, write_graphml, write_hyperdag };
  status st = can_write(g, format, d);
  if (st != OK)
    return st;
  SCOPED_MEM pen *p = MEM_NEW(pen, 1);
  p->out = out;
  errno = 0;
  writer[format](p, g);
  flush(p);
  if (ferror(out))
    return diag_set(d, IO_ERROR, "file", "cannot write the graph: %s", errno ? strerror(errno) : "write error");
  return OK;
}
