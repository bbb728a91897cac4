/* cdag/graph/graph_internal.h -- what the readers and writers of graph files share. */
#ifndef REDBLUE_GRAPH_INTERNAL_H
#define REDBLUE_GRAPH_INTERNAL_H

#include "cdag/graph/graph.h"
#include <stdint.h>

/* As cdag_graph_init; *bad_edge is the index of the edge an error is about, or m. */
status cdag_graph_build(cdag_graph *g, uint32_t n, uint64_t m, const uint32_t *from, const uint32_t *to,
                        const uint8_t *output, uint64_t *bad_edge, diag *d);

/* From rows of predecessors, all smaller than the vertex, which become the graph's: v's are pred[pred_at[v]] ..
   pred[pred_at[v+1]-1], where there may be doubles, which count once, or are none.  All sinks are outputs, and nothing
   else. */
void cdag_graph_take_rows(cdag_graph *g, uint32_t n, uint32_t *pred_at, uint32_t *pred, bool doubles);

/* ---- edges as they are read, with the line of each ---- */

typedef struct {
  uint64_t m;
  size_t room;
  uint32_t *from, *to;
  uint32_t first_line;         /* of edge 0 */
  uint32_t *line;              /* by edge; NULL as long as edge e is on line first_line + e */
} edge_list;
void edge_list_reserve(edge_list *l, uint64_t m);
void edge_list_grow(edge_list *l);
void edge_list_number(edge_list *l);   /* give every edge so far its own line */
static inline void edge_list_add(edge_list *l, uint32_t from, uint32_t to, int line)
{
  if (l->m == l->room)
    edge_list_grow(l);
  if (l->m == 0)
    l->first_line = (uint32_t)line;
  if (!l->line && l->first_line + l->m != (uint32_t)line)
    edge_list_number(l);
  if (l->line)
    l->line[l->m] = (uint32_t)line;
  l->from[l->m] = from;
  l->to[l->m++] = to;
}
static inline int edge_list_line(const edge_list *l, uint64_t e)
{
  return (int)(l->line ? l->line[e] : l->first_line + e);
}
void edge_list_clear(edge_list *l);
/* The graph; an error gets the file's name and the line of the edge it is about.  names: of the vertices, or NULL. */
status edge_list_build(const edge_list *l, uint32_t n, const uint8_t *output, char *const *names, const char *name,
                       cdag_graph *g, diag *d);

/* ---- a file's bytes ---- */

/* owner: holds the bytes and is emptied when they have been read, so that they and the graph never take room at once;
 * or NULL. */
typedef struct {
  const char *bytes;
  size_t n;
  const char *name;
  text *owner;
} graph_source;
static inline void graph_source_done(const graph_source *s)
{
  if (s->owner)
    text_clear(s->owner);
}

/* The readers of the formats. */
status graph_from_edges(cdag_graph *g, const graph_source *from, diag *d);
status graph_from_dot(cdag_graph *g, const graph_source *from, diag *d);
status graph_from_graphml(cdag_graph *g, const graph_source *from, diag *d);
status graph_from_hyperdag(cdag_graph *g, const graph_source *from, diag *d);
status graph_from_matrixmarket(cdag_graph *g, const graph_source *from, diag *d);

/* ---- a cursor over the bytes of a file ---- */

typedef struct {
  const char *p, *end, *line_start;
  int line;
  char comment;        /* from here to the end of the line is no data; 0: none */
  const char *name;    /* of the file */
  size_t bytes;
  diag *d;
} scan;
void scan_init(scan *s, const graph_source *from, char comment, diag *d);
status scan_fail(const scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For formats of lines of numbers. */
bool scan_next_line(scan *s);    /* to the first data of the next line that has any, or false at the end of the file */
bool scan_more(scan *s);         /* is there more data on this line */
status scan_end_line(scan *s);   /* nothing but blanks and a comment up to the end of the line */
/* A number of 0..limit without sign or leading zero.  The file must not end where a further digit would be possible: a
   file cut off inside its last number is an error and not another graph. */
status scan_number(scan *s, uint64_t limit, const char *what, uint64_t *value);

/* A header's n vertices and m lines are believed only as far as the file's size allows: a short file that announces
   2 billion vertices is an error, not 2 billion vertices. */
status scan_plausible(const scan *s, uint64_t n, uint64_t m);

/* ---- vertices known by names ---- */

typedef struct {
  char **name;
  uint32_t n;
  size_t room;
  uint32_t *slot;      /* open addressing: id + 1, 0 empty */
  uint64_t slots;
  uint32_t hashed;     /* names in slot */
  uint32_t *number;    /* names that are numbers below 2^24 are found here, without hashing: id + 1 */
  uint64_t numbers;
} name_table;
/* The id; a new one when not seen before.  The name has no zero byte among its `length` ones: the readers refuse it
 * before. */
uint32_t name_add(name_table *t, const char *name, size_t length);
/* Names that are exactly the numbers 0..n-1 are the ids themselves: renumber edges and outputs and forget the names. */
void name_settle(name_table *t, edge_list *l, uint8_t *output);
void name_clear(name_table *t);

#endif
