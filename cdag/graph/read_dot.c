/* cdag/graph/read_dot.c -- Graphviz's DOT language, as far as it describes a directed graph: digraph, vertices and
   chains of edges, attributes (only `output=true` of a vertex means something here), subgraphs also as ends of edges,
   quoted, HTML and joined ("a" + "b") names, ports, all three kinds of comments. */
#include "base/mem.h"
#include "cdag/graph/graph_internal.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { DEPTH = 64 };                          /* subgraphs inside subgraphs */
static const uint64_t most_edges = 1u << 28;  /* { ... } -> { ... } multiplies: a small file must not fill the memory */

typedef enum { WORD, QUOTED, ARROW, LINE_EDGE, PUNCTUATION, FINISH } token_kind;

typedef struct {
  scan s;
  status st;
  token_kind kind;       /* of the token just read */
  text word;             /* WORD, QUOTED: its text */
  char mark;             /* PUNCTUATION */
  bool escaped;          /* QUOTED: joined or with escapes */
  name_table names;
  edge_list edges;
  uint8_t *output;
  size_t output_room;
  uint32_t *member;      /* vertices of the subgraphs of this statement, in order of mention */
  size_t members, member_room;
} reader;

/* ---- tokens ---- */

static void fail(reader *r, const char *message)
{
  if (r->st == OK)
    r->st = scan_fail(&r->s, "%s", message);
}

static void newline(scan *s)
{
  s->line++;
  s->line_start = s->p + 1;
}

static void skip_to_line_end(scan *s)
{
  while (s->p < s->end && *s->p != '\n')
    s->p++;
}

static bool skip_block_comment(reader *r)
{
  scan *s = &r->s, opened = *s;
  for (s->p += 2; s->end - s->p >= 2; s->p++) {
    if (s->p[0] == '*' && s->p[1] == '/') {
      s->p += 2;
      return true;
    }
    if (*s->p == '\n')
      newline(s);
  }
  *s = opened;
  fail(r, "this comment has no end");
  return false;
}

/* Blanks and comments; a line that begins with # is one too. */
static void skip_blanks(reader *r)
{
  scan *s = &r->s;
  while (r->st == OK && s->p < s->end) {
    if (*s->p == '\n') {
      newline(s);
      s->p++;
    } else if (isspace((unsigned char)*s->p))
      s->p++;
    else if (*s->p == '#' && s->p == s->line_start)
      skip_to_line_end(s);
    else if (*s->p == '/' && s->end - s->p >= 2 && s->p[1] == '/')
      skip_to_line_end(s);
    else if (!(*s->p == '/' && s->end - s->p >= 2 && s->p[1] == '*' && skip_block_comment(r)))
      return;
  }
}

static int peek(reader *r)
{
  skip_blanks(r);
  return r->st == OK && r->s.p < r->s.end ? (unsigned char)*r->s.p : -1;
}

static bool names_char(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128; }

/* One quoted string into word: \" is a quote, backslash-newline nothing, any other backslash stays. */
static void read_quoted(reader *r)
{
  scan *s = &r->s, opened = *s;
  for (s->p++; s->p < s->end && *s->p != '"'; s->p++) {
    if (*s->p == '\\' && s->end - s->p >= 2) {
      char next = *++s->p;
      if (next == '\n')
        newline(s);
      else if (next == '"')
        text_char(&r->word, '"');
      else
        text_add_n(&r->word, s->p - 1, 2);
      continue;
    }
    if (*s->p == '\n')
      newline(s);
    text_char(&r->word, *s->p);
  }
  if (s->p == s->end) {
    *s = opened;
    fail(r, "this string has no end");
  } else
    s->p++;
  if (memchr(r->word.s, '\0', r->word.n))
    fail(r, "a name contains a zero byte");
}

static void read_html(reader *r)
{
  scan *s = &r->s, opened = *s;
  const char *start = s->p;
  long depth = 0;
  do {
    depth += (*s->p == '<') - (*s->p == '>');
    if (*s->p == '\n')
      newline(s);
    s->p++;
  } while (s->p < s->end && depth > 0);
  if (depth > 0) {
    *s = opened;
    fail(r, "this <...> has no end");
  } else if (memchr(start, '\0', (size_t)(s->p - start)))
    fail(r, "a name contains a zero byte");
  else
    text_add_n(&r->word, start, (size_t)(s->p - start));
}

/* -?(.digits | digits[.digits]) */
static void read_numeral(reader *r)
{
  scan *s = &r->s;
  const char *start = s->p;
  int digits = 0, dots = 0;
  if (*s->p == '-')
    s->p++;
  for (; s->p < s->end && (isdigit((unsigned char)*s->p) || (*s->p == '.' && dots == 0)); s->p++) {
    digits += *s->p != '.';
    dots += *s->p == '.';
  }
  if (digits == 0 || (s->p < s->end && names_char(*s->p)))
    fail(r, "a name that begins like a number must be one, or be quoted");
  text_add_n(&r->word, start, (size_t)(s->p - start));
}

static void read_word(reader *r)
{
  scan *s = &r->s;
  const char *start = s->p;
  while (s->p < s->end && names_char(*s->p))
    s->p++;
  text_add_n(&r->word, start, (size_t)(s->p - start));
}

static void read_name(reader *r)
{
  char c = *r->s.p;
  r->kind = c == '"' || c == '<' ? QUOTED : WORD;
  if (c == '<')
    read_html(r);
  else if (c == '"') {
    read_quoted(r);
    while (peek(r) == '+') { /* "a" + "b" */
      r->s.p++;
      if (peek(r) != '"')
        fail(r, "expected a string after +");
      else
        read_quoted(r);
    }
  } else if (isdigit((unsigned char)c) || c == '-' || c == '.')
    read_numeral(r);
  else
    read_word(r);
}

static void next(reader *r)
{
  int c = peek(r);
  scan *s = &r->s;
  r->word.n = 0;
  text_add(&r->word, "");
  if (c < 0)
    r->kind = FINISH;
  else if (c == '-' && s->end - s->p >= 2 && (s->p[1] == '>' || s->p[1] == '-')) {
    r->kind = s->p[1] == '>' ? ARROW : LINE_EDGE;
    s->p += 2;
  } else if (c == 0)
    fail(r, "a zero byte does not belong to DOT");
  else if (names_char((char)c) || strchr("\"<-.", c))
    read_name(r);
  else if (strchr("{}[]=;,:", c)) {
    r->kind = PUNCTUATION;
    r->mark = *s->p++;
  } else
    fail(r, "this character does not belong to DOT");
}

static bool is_keyword(const reader *r, const char *word)
{
  return r->kind == WORD && strcasecmp(r->word.s, word) == 0;
}

static void expect_name(reader *r)
{
  next(r);
  if (r->st == OK && r->kind != WORD && r->kind != QUOTED)
    fail(r, "expected a name");
}

static bool take(reader *r, char mark)
{
  if (peek(r) != mark)
    return false;
  r->s.p++;
  return true;
}

static void expect(reader *r, char mark)
{
  char message[] = "expected ' '";
  message[10] = mark;
  if (!take(r, mark))
    fail(r, message);
}

/* ---- statements ---- */

typedef struct { size_t from, to; } members; /* a range of r->member */

static void add_member(reader *r, uint32_t v)
{
  r->member = mem_room(r->member, r->members, &r->member_room, sizeof *r->member);
  r->member[r->members++] = v;
}

static uint32_t vertex(reader *r)
{
  uint32_t before = r->names.n, v = name_add(&r->names, r->word.s, r->word.n);
  if (r->names.n > before) {
    r->output = mem_room(r->output, v, &r->output_room, 1);
    r->output[v] = 0;
  }
  return v;
}

static void mark_output(reader *r, members all, bool alone)
{
  bool yes = strcasecmp(r->word.s, "true") == 0 || strcmp(r->word.s, "1") == 0;
  if (!yes && strcasecmp(r->word.s, "false") != 0 && strcmp(r->word.s, "0") != 0)
    fail(r, "output is true or false");
  else if (!alone)
    fail(r, "output belongs to a single vertex: v [output=true]");
  else
    r->output[r->member[all.from]] = yes;
}

/* [name=value, ...] any number of times; alone: they belong to one vertex. */
static void attributes(reader *r, members all, bool alone)
{
  while (r->st == OK && take(r, '['))
    while (r->st == OK && !take(r, ']')) {
      expect_name(r);
      bool output = r->st == OK && strcmp(r->word.s, "output") == 0;
      if (take(r, '='))
        expect_name(r);
      else if (output)
        fail(r, "output is true or false");
      if (output && r->st == OK)
        mark_output(r, all, alone);
      if (!take(r, ','))
        take(r, ';');
    }
}

static void port(reader *r)
{
  for (int i = 0; i < 2 && take(r, ':'); i++)
    expect_name(r);
}

static void statements(reader *r, int depth);

static members subgraph(reader *r, int depth)
{
  members range = { r->members, r->members };
  if (peek(r) != '{')
    expect_name(r);
  if (!take(r, '{'))
    fail(r, "expected '{': a subgraph is described where it is named");
  else if (depth == DEPTH)
    fail(r, "subgraphs are nested too deeply");
  else
    statements(r, depth + 1);
  range.to = r->members;
  return range;
}

/* One end of an edge: a vertex or a subgraph.  The word of a vertex is the current token when named is true. */
static members endpoint(reader *r, int depth, bool named)
{
  if (!named && peek(r) == '{')
    return subgraph(r, depth);
  if (!named)
    expect_name(r);
  if (is_keyword(r, "subgraph"))
    return subgraph(r, depth);
  members one = { r->members, r->members + 1 };
  if (r->st == OK) {
    add_member(r, vertex(r));
    port(r);
  }
  return one;
}

static void connect(reader *r, members a, members b, int line)
{
  uint64_t count = (uint64_t)(a.to - a.from) * (b.to - b.from);
  if (count > most_edges - r->edges.m) {
    fail(r, "there are more than 2^28 edges");
    return;
  }
  for (size_t i = a.from; i < a.to; i++)
    for (size_t j = b.from; j < b.to; j++)
      edge_list_add(&r->edges, r->member[i], r->member[j], line);
}

static void edges_of(reader *r, members left, int depth, bool alone)
{
  members first = left;
  while (r->st == OK && peek(r) == '-') {
    next(r);
    if (r->kind != ARROW) {
      fail(r, "a computation has directed edges: ->");
      return;
    }
    int line = r->s.line;
    members right = endpoint(r, depth, false);
    if (r->st == OK)
      connect(r, left, right, line);
    left = right;
    alone = false;
  }
  attributes(r, first, alone);
}

static bool starts_defaults(const reader *r)
{
  return is_keyword(r, "graph") || is_keyword(r, "node") || is_keyword(r, "edge");
}

static void statement(reader *r, int depth)
{
  if (peek(r) == '{') {
    edges_of(r, subgraph(r, depth), depth, false);
    return;
  }
  expect_name(r);
  if (r->st != OK)
    return;
  if (starts_defaults(r))
    attributes(r, (members){ 0, 0 }, false);
  else if (!is_keyword(r, "subgraph") && take(r, '='))
    expect_name(r);
  else {
    bool alone = !is_keyword(r, "subgraph");
    edges_of(r, endpoint(r, depth, true), depth, alone);
  }
}

/* Up to and with the closing brace. */
static void statements(reader *r, int depth)
{
  while (r->st == OK && !take(r, '}')) {
    if (peek(r) < 0)
      fail(r, "the file ends before the closing brace");
    else if (!take(r, ';'))
      statement(r, depth);
    if (depth == 0)
      r->members = 0;
  }
}

static void digraph(reader *r)
{
  next(r);
  if (is_keyword(r, "strict"))
    next(r);
  if (r->st == OK && is_keyword(r, "graph"))
    fail(r, "a computation is a digraph, not a graph");
  if (r->st == OK && !is_keyword(r, "digraph"))
    fail(r, "expected the word digraph");
  if (r->st == OK && peek(r) != '{')
    expect_name(r);
  if (r->st == OK)
    expect(r, '{');
  statements(r, 0);
  if (r->st == OK && peek(r) >= 0)
    fail(r, "there is something after the closing brace");
}

status graph_from_dot(cdag_graph *g, const graph_source *from, diag *d)
{
  reader r = { 0 };
  scan_init(&r.s, from, 0, d);
  digraph(&r);
  if (r.st == OK) {
    name_settle(&r.names, &r.edges, r.output);
    graph_source_done(from);
    r.st = edge_list_build(&r.edges, r.names.n, r.output, r.names.name, from->name, g, d);
  }
  if (r.st == OK) {
    g->name = r.names.name; /* moves into the graph */
    r.names.name = NULL;
  }
  text_clear(&r.word);
  name_clear(&r.names);
  edge_list_clear(&r.edges);
  mem_free(r.output);
  mem_free(r.member);
  return r.st;
}
