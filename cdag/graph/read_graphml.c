/* cdag/graph/read_graphml.c -- GraphML (Brandes et al. 2002): one directed graph of nodes and edges.  Data are skipped,
   except a boolean for nodes whose attr.name is "output".  Nested graphs, hyperedges, undirected edges and documents
   with a DTD of their own are refused: they describe something else or more. */
#include "base/mem.h"
#include "cdag/graph/graph_internal.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64, ATTRIBUTES = 32 };

typedef struct { const char *s; size_t n; } slice;
typedef struct { slice name, value; } attribute;
typedef enum { OPEN, CLOSE, FINISH } event;

typedef struct {
  scan s;
  status st;
  slice tag;
  bool empty;                /* OPEN: <tag/> */
  int attributes;
  attribute attribute[ATTRIBUTES];
  slice text;                /* before the tag just read */
  bool stray;                /* something of it is no blank and no comment */
  slice stack[DEPTH];        /* open elements */
  int depth;
  text scratch;              /* a value with its entities resolved */
} xml;

/* ---- XML, as much as is needed ---- */

static void fail(xml *x, const char *message)
{
  if (x->st == OK)
    x->st = scan_fail(&x->s, "%s", message);
}

static bool is(slice a, const char *word) { return a.n == strlen(word) && memcmp(a.s, word, a.n) == 0; }

/* A name without its namespace prefix. */
static slice local(slice a)
{
  const char *colon = a.n ? memchr(a.s, ':', a.n) : NULL;
  return colon ? (slice){ colon + 1, a.n - (size_t)(colon + 1 - a.s) } : a;
}

static void step(scan *s)
{
  if (*s->p++ == '\n') {
    s->line++;
    s->line_start = s->p;
  }
}

static void skip_blanks(scan *s)
{
  while (s->p < s->end && isspace((unsigned char)*s->p))
    step(s);
}

static bool looking_at(const scan *s, const char *word)
{
  size_t n = strlen(word);
  return (size_t)(s->end - s->p) >= n && memcmp(s->p, word, n) == 0;
}

/* Past the next `stop`; a sentence if there is none. */
static void skip_past(xml *x, const char *stop, const char *complaint)
{
  scan opened = x->s;
  while (x->s.p < x->s.end && !looking_at(&x->s, stop))
    step(&x->s);
  if (x->s.p == x->s.end) {
    x->s = opened;
    fail(x, complaint);
  } else
    x->s.p += strlen(stop);
}

static void skip_doctype(xml *x)
{
  scan *s = &x->s;
  while (s->p < s->end && *s->p != '>') {
    if (*s->p == '[') {
      fail(x, "a document type of the file's own is not understood");
      return;
    }
    step(s);
  }
  if (s->p == s->end)
    fail(x, "this declaration has no end");
  else
    s->p++;
}

static bool name_char(char c) { return isalnum((unsigned char)c) || strchr("_:.-", c) || (unsigned char)c >= 128; }

static slice read_name(xml *x)
{
  slice name = { x->s.p, 0 };
  while (x->s.p < x->s.end && *x->s.p && name_char(*x->s.p))
    x->s.p++;
  name.n = (size_t)(x->s.p - name.s);
  if (name.n == 0)
    fail(x, "expected a name");
  return name;
}

static void read_attribute(xml *x)
{
  scan *s = &x->s;
  attribute a = { read_name(x), { 0 } };
  skip_blanks(s);
  if (x->st != OK)
    return;
  if (s->p == s->end || *s->p != '=') {
    fail(x, "expected '=' after the name of an attribute");
    return;
  }
  s->p++;
  skip_blanks(s);
  if (s->p == s->end || (*s->p != '"' && *s->p != '\'')) {
    fail(x, "expected a quoted value");
    return;
  }
  char quote[2] = { *s->p++, 0 };
  a.value.s = s->p;
  skip_past(x, quote, "this value has no closing quote");
  a.value.n = (size_t)(s->p - 1 - a.value.s);
  if (x->attributes == ATTRIBUTES)
    fail(x, "an element has too many attributes");
  else if (x->st == OK)
    x->attribute[x->attributes++] = a;
}

static void read_open_tag(xml *x)
{
  scan *s = &x->s;
  x->tag = read_name(x);
  x->attributes = 0;
  skip_blanks(s);
  while (x->st == OK && s->p < s->end && *s->p != '>' && *s->p != '/') {
    read_attribute(x);
    skip_blanks(s);
  }
  x->empty = s->p < s->end && *s->p == '/';
  if (x->empty)
    s->p++;
  if (x->st == OK && (s->p == s->end || *s->p != '>'))
    fail(x, "expected '>'");
  else if (x->st == OK)
    s->p++;
  if (x->st == OK && !x->empty) {
    if (x->depth == DEPTH)
      fail(x, "elements are nested too deeply");
    else
      x->stack[x->depth++] = x->tag;
  }
}

static void read_close_tag(xml *x)
{
  scan *s = &x->s;
  x->tag = read_name(x);
  skip_blanks(s);
  if (x->st == OK && (s->p == s->end || *s->p != '>'))
    fail(x, "expected '>'");
  if (x->st != OK)
    return;
  slice open = x->depth ? x->stack[x->depth - 1] : (slice){ "", 0 };
  if (open.n != x->tag.n || memcmp(open.s, x->tag.s, open.n) != 0)
    fail(x, "this tag closes an element that is not open");
  else
    x->depth--;
  s->p++;
}

/* The next tag; comments, processing instructions, declarations and text in between are passed over. */
static event next(xml *x)
{
  scan *s = &x->s;
  x->text.s = s->p;
  x->stray = false;
  while (x->st == OK && s->p < s->end) {
    if (*s->p != '<') {
      x->stray |= !isspace((unsigned char)*s->p);
      step(s);
    }
    else if (looking_at(s, "<!--"))
      skip_past(x, "-->", "this comment has no end");
    else if (looking_at(s, "<![CDATA["))
      skip_past(x, "]]>", "this section has no end");
    else if (looking_at(s, "<?"))
      skip_past(x, "?>", "this instruction has no end");
    else if (looking_at(s, "<!"))
      skip_doctype(x);
    else
      break;
  }
  x->text.n = (size_t)(s->p - x->text.s);
  if (x->st != OK || s->p == s->end)
    return FINISH;
  s->p++;
  bool closing = s->p < s->end && *s->p == '/';
  if (closing)
    s->p++;
  (closing ? read_close_tag : read_open_tag)(x);
  return closing ? CLOSE : OPEN;
}

static void add_utf8(xml *x, unsigned long c)
{
  char b[4];
  size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  if (c == 0 || c > 0x10ffff) {
    fail(x, "this number names no character");
    return;
  }
  static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
  for (size_t i = n; i-- > 1; c >>= 6)
    b[i] = (char)(0x80 | (c & 0x3f));
  b[0] = (char)(lead[n] | c);
  text_add_n(&x->scratch, b, n);
}

/* p stands after an ampersand; returns after the semicolon. */
static const char *entity(xml *x, const char *p, const char *end)
{
  static const struct {
    const char *name;
    char c;
  } known[] = { { "amp;", '&' }, { "lt;", '<' }, { "gt;", '>' }, { "quot;", '"' }, { "apos;", '\'' } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t n = strlen(known[i].name);
    if ((size_t)(end - p) >= n && memcmp(p, known[i].name, n) == 0) {
      text_char(&x->scratch, known[i].c);
      return p + n;
    }
  }
  const char *semicolon = memchr(p, ';', (size_t)(end - p));
  bool hexadecimal = end - p >= 2 && p[1] == 'x';
  char digits[12] = { 0 }, *stop = digits;
  const char *start = p + (hexadecimal ? 2 : 1);
  if (*p == '#' && semicolon && semicolon > start && semicolon - start < 10) {
    memcpy(digits, start, (size_t)(semicolon - start));
    unsigned long c = strtoul(digits, &stop, hexadecimal ? 16 : 10);
    if (*stop == '\0' && isxdigit((unsigned char)*digits)) {
      add_utf8(x, c);
      return semicolon + 1;
    }
  }
  fail(x, "this entity is not understood");
  return end;
}

/* The value with its entities resolved; without any, the slice itself. */
static slice resolved(xml *x, slice a)
{
  if (memchr(a.s, '\0', a.n))
    fail(x, "a name contains a zero byte");
  if (!memchr(a.s, '&', a.n))
    return a;
  x->scratch.n = 0;
  for (const char *p = a.s, *end = a.s + a.n; p < end;)
    if (*p == '&')
      p = entity(x, p + 1, end);
    else
      text_char(&x->scratch, *p++);
  return (slice){ x->scratch.s, x->scratch.n };
}

static bool find(const xml *x, const char *name, slice *value)
{
  for (int i = 0; i < x->attributes; i++)
    if (is(x->attribute[i].name, name)) {
      *value = x->attribute[i].value;
      return true;
    }
  return false;
}

/* ---- GraphML ---- */

typedef struct {
  xml x;
  slice output_key;          /* id of the key whose attr.name is output */
  bool in_output_key;        /* the last key opened was that one */
  bool graph_seen;
  int64_t nodes, edges;      /* parse.nodes, parse.edges, or -1 */
  name_table names;          /* of everything named, also by edges before their nodes */
  uint8_t *declared, *output;
  size_t declared_room, output_room;
  uint32_t declared_nodes;
  edge_list list;
  uint32_t node;             /* the open node */
  bool in_node;
} reader;

/* The vertex of this name; false when there can be none. */
static bool vertex(reader *r, slice name, uint32_t *v)
{
  slice s = resolved(&r->x, name);
  if (r->x.st != OK)
    return false;
  uint32_t before = r->names.n;
  *v = name_add(&r->names, s.s ? s.s : "", s.n);
  if (r->names.n > before) {
    r->declared = mem_room(r->declared, *v, &r->declared_room, 1);
    r->output = mem_room(r->output, *v, &r->output_room, 1);
    r->declared[*v] = r->output[*v] = 0;
  }
  return true;
}

static void open_key(reader *r)
{
  slice name, domain, id;
  r->in_output_key = find(&r->x, "attr.name", &name) && is(name, "output") && find(&r->x, "for", &domain) &&
                     is(domain, "node") && find(&r->x, "id", &id);
  if (r->in_output_key)
    r->output_key = id;
}

static int64_t announced(reader *r, const char *key)
{
  slice s;
  char digits[20] = { 0 }, *stop;
  if (!find(&r->x, key, &s))
    return -1;
  if (s.n == 0 || s.n > 18 || !isdigit((unsigned char)*s.s)) {
    fail(&r->x, "parse.nodes and parse.edges are numbers");
    return -1;
  }
  memcpy(digits, s.s, s.n);
  int64_t value = strtoll(digits, &stop, 10);
  if (stop != digits + s.n)
    fail(&r->x, "parse.nodes and parse.edges are numbers");
  return value;
}

static void open_graph(reader *r)
{
  slice direction;
  if (r->graph_seen)
    fail(&r->x, "there is more than one graph, or one inside another");
  else if (!find(&r->x, "edgedefault", &direction))
    fail(&r->x, "the graph does not say edgedefault=\"directed\"");
  else if (!is(direction, "directed"))
    fail(&r->x, "a computation has directed edges: edgedefault=\"directed\"");
  r->graph_seen = true;
  r->nodes = announced(r, "parse.nodes");
  r->edges = announced(r, "parse.edges");
}

static void open_node(reader *r)
{
  slice id;
  if (r->in_node)
    fail(&r->x, "a node stands inside another");
  else if (!find(&r->x, "id", &id))
    fail(&r->x, "a node without an id");
  if (r->x.st != OK || !vertex(r, id, &r->node))
    return;
  if (r->declared[r->node])
    fail(&r->x, "two nodes have this id");
  r->declared[r->node] = 1;
  r->declared_nodes++;
  r->in_node = !r->x.empty;
}

static void open_edge(reader *r)
{
  slice from, to, directed;
  if (!find(&r->x, "source", &from) || !find(&r->x, "target", &to))
    fail(&r->x, "an edge needs a source and a target");
  else if (find(&r->x, "directed", &directed) && !is(directed, "true"))
    fail(&r->x, "a computation has directed edges");
  uint32_t u, v;
  if (r->x.st == OK && vertex(r, from, &u) && vertex(r, to, &v))
    edge_list_add(&r->list, u, v, r->x.s.line);
}

/* The text of <data key="output"> says whether the open node is an output. */
static void close_output(reader *r)
{
  slice t = r->x.text;
  while (t.n && isspace((unsigned char)*t.s))
    t.s++, t.n--;
  while (t.n && isspace((unsigned char)t.s[t.n - 1]))
    t.n--;
  bool yes = is(t, "true") || is(t, "1") || is(t, "True");
  if (!yes && !is(t, "false") && !is(t, "0") && !is(t, "False"))
    fail(&r->x, "output is true or false");
  r->output[r->node] = yes;
}

/* Anything inside is passed over, up to the matching close tag. */
static void skip_element(reader *r)
{
  for (int depth = r->x.depth; r->x.st == OK && r->x.depth >= depth;)
    if (next(&r->x) == FINISH)
      fail(&r->x, "the file ends inside an element");
}

static void open_data(reader *r)
{
  slice key;
  bool output = r->in_node && r->output_key.s && find(&r->x, "key", &key) && key.n == r->output_key.n &&
                memcmp(key.s, r->output_key.s, key.n) == 0;
  if (r->x.empty)
    return;
  if (!output)
    skip_element(r);
  else if (next(&r->x) != CLOSE)
    fail(&r->x, "output is true or false");
  else
    close_output(r);
}

static void opened(reader *r)
{
  slice tag = local(r->x.tag);
  bool outside = is(tag, "graphml") || is(tag, "key"), inside = is(tag, "node") || is(tag, "edge");
  if (outside == r->graph_seen && (outside || inside))
    fail(&r->x, outside ? "this element belongs before the graph" : "this element belongs inside the graph");
  else if (is(tag, "key"))
    open_key(r);
  else if (is(tag, "graph"))
    open_graph(r);
  else if (is(tag, "node"))
    open_node(r);
  else if (is(tag, "edge"))
    open_edge(r);
  else if (is(tag, "data"))
    open_data(r);
  else if (is(tag, "hyperedge"))
    fail(&r->x, "hyperedges are not understood");
  else if (is(tag, "default") && !r->graph_seen && r->in_output_key)
    fail(&r->x, "defaults are not understood: give output to each node");
  else if (is(tag, "locator"))
    fail(&r->x, "a graph in another file is not understood");
  else if (!is(tag, "graphml") && !r->x.empty)
    skip_element(r); /* desc, default, port, extensions */
}

static void document(reader *r)
{
  event e = next(&r->x);
  if (r->x.st == OK && (e != OPEN || !is(local(r->x.tag), "graphml")))
    fail(&r->x, "expected the element graphml");
  while (r->x.st == OK && r->x.depth > 0) {
    e = next(&r->x);
    if (e == FINISH)
      fail(&r->x, "the file ends before </graphml>");
    else if (r->x.stray)
      fail(&r->x, "there is text between the elements");
    else if (e == OPEN)
      opened(r);
    else if (is(local(r->x.tag), "node"))
      r->in_node = false;
  }
  if (r->x.st != OK)
    return;
  e = next(&r->x);
  if (e != FINISH || r->x.stray)
    fail(&r->x, "there is something after </graphml>");
}

static void check_counts(reader *r)
{
  if (!r->graph_seen)
    fail(&r->x, "there is no graph in this file");
  if (r->nodes >= 0 && r->nodes != r->declared_nodes)
    fail(&r->x, "the number of nodes is not the parse.nodes announced");
  if (r->edges >= 0 && (uint64_t)r->edges != r->list.m)
    fail(&r->x, "the number of edges is not the parse.edges announced");
  for (uint64_t e = 0; r->x.st == OK && e < r->list.m; e++)
    if (!r->declared[r->list.from[e]] || !r->declared[r->list.to[e]]) {
      r->x.s.line = edge_list_line(&r->list, e);
      r->x.s.line_start = r->x.s.p;
      fail(&r->x, "an edge names a node that is not in the graph");
    }
}

status graph_from_graphml(cdag_graph *g, const graph_source *from, diag *d)
{
  reader r = { .nodes = -1, .edges = -1 };
  scan_init(&r.x.s, from, 0, d);
  if (looking_at(&r.x.s, "\xef\xbb\xbf"))
    r.x.s.p += 3;
  document(&r);
  if (r.x.st == OK)
    check_counts(&r);
  if (r.x.st == OK) {
    name_settle(&r.names, &r.list, r.output);
    graph_source_done(from);
    r.x.st = edge_list_build(&r.list, r.names.n, r.output, r.names.name, from->name, g, d);
  }
  if (r.x.st == OK) {
    g->name = r.names.name; /* moves into the graph */
    r.names.name = NULL;
  }
  text_clear(&r.x.scratch);
  name_clear(&r.names);
  edge_list_clear(&r.list);
  mem_free(r.declared);
  mem_free(r.output);
  return r.x.st;
}
