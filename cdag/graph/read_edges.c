/* cdag/graph/read_edges.c -- the edge list: a line `N E`, then E lines `u v`, then perhaps a line `outputs K id ...`.
 */
#include "base/mem.h"
#include "cdag/graph/graph_internal.h"
#include <stdio.h>
#include <string.h>

static status read_header(scan *s, uint64_t *n, uint64_t *m)
{
  if (!scan_next_line(s))
    return scan_fail(s, "the file has no data; an edge list begins with a line 'N E': vertices and edges");
  status st = scan_number(s, UINT32_MAX - 1, "the number of vertices", n);
  if (st == OK)
    st = scan_number(s, UINT64_MAX, "the number of edges", m);
  if (st == OK)
    st = scan_end_line(s);
  return st == OK ? scan_plausible(s, *n, *m) : st;
}

static status read_edge(scan *s, uint64_t n, edge_list *l)
{
  uint64_t from = 0, to = 0;
  status st = scan_number(s, n - 1, "a vertex", &from);
  if (st == OK)
    st = scan_number(s, n - 1, "a vertex", &to);
  if (st == OK)
    st = scan_end_line(s);
  edge_list_add(l, (uint32_t)from, (uint32_t)to, s->line);
  return st;
}

static status read_edges(scan *s, uint64_t n, uint64_t m, edge_list *l)
{
  status st = OK;
  if (n == 0 && m > 0)
    return scan_fail(s, "a graph without vertices has no edges");
  edge_list_reserve(l, m);
  while (st == OK && l->m < m) {
    if (!scan_next_line(s))
      return scan_fail(s, "the file ends after %llu of %llu edges", (unsigned long long)l->m, (unsigned long long)m);
    st = read_edge(s, n, l);
  }
  return st;
}

/* `outputs K id ...`, K different vertices. */
static status read_outputs(scan *s, uint64_t n, uint8_t *output)
{
  static const char word[] = "outputs";
  uint64_t count = 0, id = 0;
  if ((size_t)(s->end - s->p) < sizeof word || memcmp(s->p, word, sizeof word - 1) != 0)
    return scan_fail(s, "there are more lines than the header announces edges");
  s->p += sizeof word - 1;
  status st = scan_number(s, n, "the number of outputs", &count);
  for (uint64_t i = 0; st == OK && i < count; i++) {
    st = scan_number(s, n - 1, "an output", &id);
    if (st == OK && output[id])
      st = scan_fail(s, "%llu is named twice as an output", (unsigned long long)id);
    output[id] = 1;
  }
  if (st == OK)
    st = scan_end_line(s);
  if (st == OK && scan_next_line(s))
    st = scan_fail(s, "there is something after the outputs");
  return st;
}

/* Two numbers on every line: how many lines there are, and the largest number below the first line. */
static bool pairs(const graph_source *from, uint64_t *lines, uint64_t *largest)
{
  scan s;
  diag ignored;
  uint64_t u = 0, v = 0;
  scan_init(&s, from, '#', &ignored);
  for (*lines = *largest = 0; scan_next_line(&s); ++*lines) {
    if (scan_number(&s, UINT32_MAX - 1, "a vertex", &u) != OK ||
        scan_number(&s, UINT32_MAX - 1, "a vertex", &v) != OK || scan_end_line(&s) != OK)
      return false;
    u = u > v ? u : v;
    if (*lines > 0)
      *largest = *largest > u ? *largest : u;
  }
  return true;
}

/* What a refused file probably lacks, behind what is wrong with it: its lines are all edges, and the first, read as
   'N E', fits neither their number nor their vertices.  A list that was cut off keeps below its N. */
static void suggest_header(const graph_source *from, uint64_t n, uint64_t m, diag *d)
{
  uint64_t lines, largest;
  if (!d || !pairs(from, &lines, &largest) || (lines == m + 1 && n > 0) || (lines <= m && largest < n))
    return;
  size_t used = strlen(d->message);
  largest = largest > n ? largest : n;
  largest = largest > m ? largest : m;
  snprintf(d->message + used, sizeof d->message - used,
           "; if the first line is an edge, put a line with the numbers of vertices and edges above it: '%llu %llu'",
           (unsigned long long)largest + 1, (unsigned long long)lines);
}

status graph_from_edges(cdag_graph *g, const graph_source *from, diag *d)
{
  scan s;
  edge_list l = { 0 };
  uint64_t n = 0, m = 0;
  uint8_t *output = NULL;
  scan_init(&s, from, '#', d);
  status st = read_header(&s, &n, &m);
  if (st == OK)
    st = read_edges(&s, n, m, &l);
  if (st == OK) {
    output = MEM_NEW(uint8_t, n);
    if (scan_next_line(&s))
      st = read_outputs(&s, n, output);
  }
  if (st != OK)
    suggest_header(from, n, m, d);
  if (st == OK) {
    graph_source_done(from);
    st = edge_list_build(&l, (uint32_t)n, output, NULL, from->name, g, d);
  }
  mem_free(output);
  edge_list_clear(&l);
  return st;
}
