/* cdag/graph/read_common.c -- what the readers of graph files share: the list of edges with their lines, the cursor,
   the table of names, and the guess which format a file is in. */
#include "base/digest.h"
#include "base/mem.h"
#include "cdag/graph/graph_internal.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- edges ---- */

static void resize(edge_list *l)
{
  l->from = mem_grow(l->from, l->room, sizeof *l->from);
  l->to = mem_grow(l->to, l->room, sizeof *l->to);
  if (l->line)
    l->line = mem_grow(l->line, l->room, sizeof *l->line);
}

void edge_list_number(edge_list *l)
{
  l->line = mem_grow(NULL, l->room, sizeof *l->line);
  for (uint64_t e = 0; e < l->m; e++)
    l->line[e] = l->first_line + (uint32_t)e;
}

void edge_list_reserve(edge_list *l, uint64_t m)
{
  l->room = m;
  resize(l);
}

void edge_list_grow(edge_list *l)
{
  l->room = l->room ? 2 * l->room : 64;
  resize(l);
}

void edge_list_clear(edge_list *l)
{
  mem_free(l->from);
  mem_free(l->to);
  mem_free(l->line);
  *l = (edge_list){ 0 };
}

status edge_list_build(const edge_list *l, uint32_t n, const uint8_t *output, char *const *names, const char *name,
                       cdag_graph *g, diag *d)
{
  uint64_t bad = 0;
  diag inner = { 0 };
  status st = cdag_graph_build(g, n, l->m, l->from, l->to, output, &bad, &inner);
  if (st == OK)
    return OK;
  int line = bad < l->m ? edge_list_line(l, bad) : 0;
  if (names && bad < l->m)
    return diag_at(d, st, inner.kind, name, line, 1, "the edge %.200s -> %.200s closes a cycle", names[l->from[bad]],
                   names[l->to[bad]]);
  return diag_at(d, st, inner.kind, name, line, 1, "%s", inner.message);
}

/* ---- cursor ---- */

void scan_init(scan *s, const graph_source *from, char comment, diag *d)
{
  *s = (scan){ .p = from->bytes, .end = from->bytes + from->n, .line_start = from->bytes, .line = 1, .comment = comment,
               .name = from->name, .bytes = from->n, .d = d };
}

status scan_fail(const scan *s, const char *format, ...)
{
  char message[512];
  va_list ap;
  va_start(ap, format);
  vsnprintf(message, sizeof message, format, ap);
  va_end(ap);
  return diag_at(s->d, BAD_INPUT, "format", s->name, s->line, (int)(s->p - s->line_start) + 1, "%s", message);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool scan_more(scan *s)
{
  while (s->p < s->end && is_blank(*s->p))
    s->p++;
  if (s->p < s->end && s->comment && *s->p == s->comment) {
    const char *stop = memchr(s->p, '\n', (size_t)(s->end - s->p));
    s->p = stop ? stop : s->end;
  }
  return s->p < s->end && *s->p != '\n';
}

bool scan_next_line(scan *s)
{
  while (!scan_more(s)) {
    if (s->p == s->end)
      return false;
    s->line_start = ++s->p;
    s->line++;
  }
  return true;
}

/* Bytes of a file in a message: printable ones as they are. */
static const char *shown(const scan *s, char buffer[8])
{
  if (s->p == s->end)
    return "the end of the file";
  if (*s->p == '\n')
    return "the end of the line";
  snprintf(buffer, 8, isprint((unsigned char)*s->p) ? "'%c'" : "'\\x%02x'", (unsigned char)*s->p);
  return buffer;
}

status scan_end_line(scan *s)
{
  char buffer[8];
  return scan_more(s) ? scan_fail(s, "expected the end of the line, not %s", shown(s, buffer)) : OK;
}

static bool ends_number(const scan *s)
{
  return s->p == s->end || is_blank(*s->p) || *s->p == '\n' || (s->comment && *s->p == s->comment);
}

status scan_number(scan *s, uint64_t limit, const char *what, uint64_t *value)
{
  char buffer[8];
  uint64_t v = 0;
  if (!scan_more(s) || !isdigit((unsigned char)*s->p))
    return scan_fail(s, "expected %s, a number, not %s", what, shown(s, buffer));
  const char *start = s->p;
  for (; s->p < s->end && isdigit((unsigned char)*s->p); s->p++) {
    unsigned digit = (unsigned)(*s->p - '0');
    if (digit > limit || v > (limit - digit) / 10) {
      s->p = start;
      return scan_fail(s, "%s is larger than %llu", what, (unsigned long long)limit);
    }
    v = 10 * v + digit;
  }
  if (*start == '0' && s->p - start > 1) {
    s->p = start;
    return scan_fail(s, "%s has a leading zero", what);
  }
  if (!ends_number(s))
    return scan_fail(s, "expected %s, a number, and then a blank, not %s", what, shown(s, buffer));
  if (s->p == s->end && v > 0 && v <= limit / 10)
    return scan_fail(s, "the file ends inside or right after a number: without the end of the line it may be cut off");
  *value = v;
  return OK;
}

status scan_plausible(const scan *s, uint64_t n, uint64_t m)
{
  enum { FREE = 1 << 20, LINE = 4 }; /* vertices that cost no bytes; bytes of the shortest line, "0 1\n" */
  if (n > FREE && n > s->bytes)
    return scan_fail(s, "%llu vertices are announced, but the file has only %zu bytes", (unsigned long long)n,
                     s->bytes);
  if (m > s->bytes / LINE + 1)
    return scan_fail(s, "%llu lines are announced, but the file has only %zu bytes", (unsigned long long)m, s->bytes);
  return OK;
}

/* ---- names ---- */

static uint64_t hash(const char *s, size_t n)
{
  uint64_t h = digest_bytes(DIGEST_BEGIN, s, n);
  return h ^ h >> 29; /* linear probing wants all bits good */
}

/* Where the name is or would go. */
static uint64_t place(const name_table *t, const char *name, size_t length)
{
  uint64_t i = hash(name, length) & (t->slots - 1);
  for (; t->slot[i]; i = (i + 1) & (t->slots - 1)) {
    const char *known = t->name[t->slot[i] - 1];
    if (strncmp(known, name, length) == 0 && known[length] == '\0')
      break;
  }
  return i;
}

static void rehash(name_table *t)
{
  uint32_t *old = t->slot;
  uint64_t slots = t->slots;
  t->slots = slots ? 2 * slots : 64;
  t->slot = MEM_NEW(uint32_t, t->slots);
  for (uint64_t i = 0; i < slots; i++)
    if (old[i]) {
      const char *name = t->name[old[i] - 1];
      t->slot[place(t, name, strlen(name))] = old[i];
    }
  mem_free(old);
}

/* The number below `below` that a name spells in its only spelling; or false. */
static bool canonical(const char *name, size_t length, uint64_t below, uint64_t *value)
{
  uint64_t v = 0;
  if (length == 0 || length > 10 || (name[0] == '0' && length > 1))
    return false;
  for (size_t i = 0; i < length; i++) {
    if (name[i] < '0' || name[i] > '9')
      return false;
    v = 10 * v + (uint64_t)(name[i] - '0');
  }
  *value = v;
  return v < below;
}

enum { NUMBERS = 1 << 24 };

static void make_room_for_number(name_table *t, uint64_t v)
{
  uint64_t old = t->numbers;
  while (t->numbers <= v)
    t->numbers = t->numbers ? 2 * t->numbers : 1024;
  if (t->numbers > old) {
    t->number = mem_grow(t->number, t->numbers, sizeof *t->number);
    memset(t->number + old, 0, (t->numbers - old) * sizeof *t->number);
  }
}

static uint32_t new_name(name_table *t, const char *name, size_t length)
{
  t->name = mem_room(t->name, t->n, &t->room, sizeof *t->name);
  t->name[t->n] = mem_text_n(name, length);
  return t->n++;
}

uint32_t name_add(name_table *t, const char *name, size_t length)
{
  uint64_t v;
  if (canonical(name, length, NUMBERS, &v)) {
    make_room_for_number(t, v);
    if (!t->number[v])
      t->number[v] = new_name(t, name, length) + 1;
    return t->number[v] - 1;
  }
  if (2 * ((uint64_t)t->hashed + 1) > t->slots)
    rehash(t);
  uint64_t at = place(t, name, length);
  if (!t->slot[at]) {
    t->slot[at] = new_name(t, name, length) + 1;
    t->hashed++;
  }
  return t->slot[at] - 1;
}

void name_settle(name_table *t, edge_list *l, uint8_t *output)
{
  SCOPED_MEM uint64_t *number = MEM_NEW(uint64_t, t->n);
  bool all = t->n > 0;
  for (uint32_t i = 0; i < t->n && all; i++)
    all = canonical(t->name[i], strlen(t->name[i]), t->n, &number[i]);
  if (all) { /* n different names below n: all of 0..n-1 */
    SCOPED_MEM uint8_t *moved = MEM_NEW(uint8_t, t->n);
    for (uint64_t e = 0; e < l->m; e++) {
      l->from[e] = (uint32_t)number[l->from[e]];
      l->to[e] = (uint32_t)number[l->to[e]];
    }
    for (uint32_t i = 0; i < t->n; i++)
      moved[number[i]] = output[i];
    memcpy(output, moved, t->n);
    for (uint32_t i = 0; i < t->n; i++)
      mem_free(t->name[i]);
    mem_free(t->name);
    t->name = NULL;
  }
}

void name_clear(name_table *t)
{
  for (uint32_t i = 0; t->name && i < t->n; i++)
    mem_free(t->name[i]);
  mem_free(t->name);
  mem_free(t->slot);
  mem_free(t->number);
  *t = (name_table){ 0 };
}

/* ---- which format ---- */

typedef status (*graph_reader)(cdag_graph *g, const graph_source *from, diag *d);

static bool ends_with(const char *name, const char *ending)
{
  size_t a = strlen(name), b = strlen(ending);
  return a > b && strcasecmp(name + a - b, ending) == 0;
}

static graph_reader by_ending(const char *name)
{
  static const struct { const char *ending; graph_reader read; } table[] = {
    { ".dot", graph_from_dot },         { ".gv", graph_from_dot },
    { ".graphml", graph_from_graphml }, { ".hdag", graph_from_hyperdag },
    { ".hyperdag", graph_from_hyperdag }, { ".edges", graph_from_edges },
    { ".el", graph_from_edges },
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (ends_with(name, table[i].ending))
      return table[i].read;
  return NULL;
}

/* How many blank-separated words the line has, before a comment. */
static int words_on_line(scan *s)
{
  int words = 0;
  for (; scan_more(s); words++)
    while (s->p < s->end && !ends_number(s))
      s->p++;
  return words;
}

static bool begins(const scan *s, const char *word)
{
  size_t n = strlen(word);
  return (size_t)(s->end - s->p) >= n && strncasecmp(s->p, word, n) == 0;
}

/* HyperDAG files may carry a MatrixMarket-like banner ("%%MatrixMarket weighted-matrix ..."), so only the real one
 * counts. */
static graph_reader by_content(const graph_source *from)
{
  scan s;
  scan_init(&s, from, 0, NULL);
  if (begins(&s, "%%MatrixMarket matrix "))
    return graph_from_matrixmarket;
  if (from->n && *from->bytes == '%')
    return graph_from_hyperdag;
  s.comment = '#';
  if (!scan_next_line(&s))
    return graph_from_edges;
  if (*s.p == '<' || begins(&s, "\xef\xbb\xbf<"))
    return graph_from_graphml;
  if (isdigit((unsigned char)*s.p)) {
    s.comment = '%';
    return words_on_line(&s) == 3 ? graph_from_hyperdag : graph_from_edges;
  }
  return begins(&s, "digraph") || begins(&s, "strict") || begins(&s, "graph") || *s.p == '/' ? graph_from_dot
                                                                                             : graph_from_edges;
}

static status read_any(cdag_graph *g, const graph_source *from, diag *d)
{
  graph_reader read = by_ending(from->name);
  return (read ? read : by_content(from))(g, from, d);
}

status cdag_graph_read(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d)
{
  return read_any(g, &(graph_source){ bytes, n, name, NULL }, d);
}

status cdag_graph_take(cdag_graph *g, text *bytes, const char *name, diag *d)
{
  status st = read_any(g, &(graph_source){ text_str(bytes), bytes->n, name, bytes }, d);
  text_clear(bytes);
  return st;
}

status cdag_graph_read_edges(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d)
{
  return graph_from_edges(g, &(graph_source){ bytes, n, name, NULL }, d);
}

status cdag_graph_read_dot(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d)
{
  return graph_from_dot(g, &(graph_source){ bytes, n, name, NULL }, d);
}

status cdag_graph_read_graphml(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d)
{
  return graph_from_graphml(g, &(graph_source){ bytes, n, name, NULL }, d);
}

status cdag_graph_read_hyperdag(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d)
{
  return graph_from_hyperdag(g, &(graph_source){ bytes, n, name, NULL }, d);
}

status cdag_graph_read_matrixmarket(cdag_graph *g, const char *bytes, size_t n, const char *name, diag *d)
{
  return graph_from_matrixmarket(g, &(graph_source){ bytes, n, name, NULL }, d);
}
