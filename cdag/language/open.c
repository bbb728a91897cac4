/* open.c -- SPEC of the command line: a family, a .cdag file or a graph file, each with its parameters after a colon.
 */
#include "cdag/cdag_internal.h"
#include "cdag/import/import.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/language/copies.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FAMILIES = 128, GIVEN = 4, TEXT_LIMIT = 1 << 26 };

/* ---- generated families ---- */

typedef status (*generate)(cdag_graph *g, const int64_t *p, diag *d);
static status make_tree(cdag_graph *g, const int64_t *p, diag *d) { return cdag_graph_tree(g, p[0], d); }
static status make_pyramid(cdag_graph *g, const int64_t *p, diag *d) { return cdag_graph_pyramid(g, p[0], d); }
static status make_fft(cdag_graph *g, const int64_t *p, diag *d) { return cdag_graph_fft(g, p[0], d); }
static status make_hypercube(cdag_graph *g, const int64_t *p, diag *d) { return cdag_graph_hypercube(g, p[0], d); }
static status make_strassen(cdag_graph *g, const int64_t *p, diag *d) { return cdag_graph_strassen(g, p[0], d); }
static status make_random(cdag_graph *g, const int64_t *p, diag *d)
{
  return cdag_graph_random(g, p[0], p[1], p[2], p[3], d);
}

typedef struct {
  const char *name, *params;   /* a .cdag line: names and defaults */
  generate make;
  const char *summary, *source, *parameters;
} generated;

static const generated generators[] = {
  { "tree", "param h\n", make_tree, "Complete binary tree of 2^h leaves: a reduction in pairs",
    "the textbook; Hong and Kung 1981", "h height" },
  { "pyramid", "param h\n", make_pyramid, "Pyramid: each vertex from two neighbours in the row below",
    "Cook 1974; Ranjan, Savage, Zubair 2012", "h height; h + 1 inputs" },
  { "fft", "param l\n", make_fft, "Butterfly of 2^l lanes and l + 1 ranks", "Hong and Kung 1981, section 4",
    "l logarithm of the lanes" },
  { "hypercube", "param l\n", make_hypercube, "Subsets of l elements: dynamic programming over sets",
    "Jain and Zaharia 2020", "l dimensions; 2^l vertices" },
  { "strassen", "param l\n", make_strassen, "Strassen's product of two 2^l x 2^l matrices, recursive to scalars",
    "Strassen 1969", "l logarithm of the size" },
  { "random", "param n\nparam seed = 1, degree = 2, layered = 0\n", make_random, "Random graph: same seed, same graph",
    "redblue", "n vertices, seed, degree most predecessors of a vertex, layered = number of layers (0: no layers)" },
};
enum { GENERATED = sizeof generators / sizeof *generators };

/* The parameters go through the language, so that defaults, suggestions and errors are those of every family. */
static status open_generated(cdag **out, const generated *f, const char *assign, diag *d)
{
  SCOPED_TEXT source = { 0 };
  cdag *params = NULL;
  cdag_graph graph = { 0 };
  text_printf(&source, "%sinput x[1]\noutput x[*]\n", f->params);
  status st = cdag_parse(&params, f->name, source.s, assign, d);
  if (st == OK)
    st = f->make(&graph, params->param_value, d);
  if (st == OK)
    st = cdag_from_graph(out, &graph, f->name);
  if (st == OK) { /* the parameters stay with the graph */
    cdag *g = *out;
    g->params = params->params;
    g->param = params->param;
    g->param_value = params->param_value;
    params->params = 0;
    params->param = NULL;
    params->param_value = NULL;
  }
  cdag_free(params);
  return st;
}

/* ---- families that are texts ---- */

static const char *const folder = "cdag/families/";

static const embedded_file *find_text(const char *name)
{
  char path[CDAG_NAME + 32];
  snprintf(path, sizeof path, "%s%.63s.cdag", folder, name);
  for (const embedded_file *f = embedded_files; f->path; f++)
    if (strcmp(f->path, path) == 0)
      return f;
  return NULL;
}

static const generated *find_generated(const char *name)
{
  for (int i = 0; i < GENERATED; i++)
    if (strcmp(generators[i].name, name) == 0)
      return &generators[i];
  return NULL;
}

/* ---- the list of families, read off the comments that open the texts ---- */

typedef struct { char name[CDAG_NAME], summary[300], source[300], parameters[500]; } listing;

/* What follows "# key: " in the comment that opens a text; without a key, its first line. */
static void comment_line(const char *source, const char *key, char *out, size_t size)
{
  size_t n = strlen(key);
  for (const char *line = source; *line == '#'; line = strchr(line, '\n') + 1) {
    const char *start = line + 1 + strspn(line + 1, " ");
    if (n && (strncmp(start, key, n) != 0 || start[n] != ':'))
      continue;
    start += n ? n + 1 + strspn(start + n + 1, " ") : 0;
    snprintf(out, size, "%.*s", (int)strcspn(start, "\n"), start);
    return;
  }
}

static cdag_family list_text(const embedded_file *e, listing *l)
{
  snprintf(l->name, CDAG_NAME, "%.*s", (int)(strlen(e->path) - strlen(folder) - strlen(".cdag")),
           e->path + strlen(folder));
  comment_line(e->text, "", l->summary, sizeof l->summary);
  comment_line(e->text, "source", l->source, sizeof l->source);
  comment_line(e->text, "parameters", l->parameters, sizeof l->parameters);
  return (cdag_family){ l->name, l->summary, l->source, l->parameters };
}

int cdag_families(const cdag_family **list)
{
  static cdag_family families[FAMILIES]; /* made once: the texts never change */
  static listing texts[FAMILIES];
  static int n;
  if (n == 0) {
    for (const embedded_file *e = embedded_files; e->path; e++)
      if (strncmp(e->path, folder, strlen(folder)) == 0 && n < FAMILIES - GENERATED) {
        families[n] = list_text(e, &texts[n]);
        n++;
      }
    for (int i = 0; i < GENERATED; i++)
      families[n++] =
          (cdag_family){ generators[i].name, generators[i].summary, generators[i].source, generators[i].parameters };
  }
  *list = families;
  return n;
}

status cdag_family_known(const char *name, diag *d)
{
  const cdag_family *list;
  const char *names[FAMILIES];
  int n = cdag_families(&list);
  for (int i = 0; i < n; i++)
    if (strcmp(names[i] = list[i].name, name) == 0)
      return OK;
  const char *near = diag_nearest(name, names, n);
  return near ? diag_set(d, BAD_USAGE, "parameter", "there is no family '%.100s'; did you mean '%s'?", name, near)
              : diag_set(d, BAD_USAGE, "parameter",
                         "there is no family and no file '%.100s'; redblue families lists the families", name);
}

/* ---- files ---- */

static bool ends_in(const char *s, const char *end)
{
  size_t n = strlen(s), m = strlen(end);
  return n >= m && strcmp(s + n - m, end) == 0;
}

/* Does standard input hold a .cdag text?  It does when its first word, after comments, is a name followed by '[' or one
   of the language's words. */
static bool looks_like_cdag(const char *s)
{
  lexer in;
  lex_init(&in, "-", s, false);
  if (lex_is_word(&in, "param") || lex_is_word(&in, "input") || lex_is_word(&in, "output") || lex_is_word(&in, "table"))
    return true;
  if (in.now.kind != LEX_NAME)
    return false;
  lex_next(&in);
  return lex_is(&in, '[');
}

static status open_text(cdag **g, const char *path, const text *source, const char *assign, diag *d)
{
  status st = text_plain(source, path, d);
  return st == OK ? cdag_parse(g, path, text_str(source), assign, d) : st;
}

static status import_nest(cdag **g, const char *path, const text *source, const char *assign, const cdag *like,
                          diag *d)
{
  SCOPED_TEXT language = { 0 };
  status st = cdag_import_c(path, text_str(source), like, &language, d);
  if (st == OK)
    st = cdag_parse(g, path, text_str(&language), assign, d);
  if (st == OK)
    (*g)->priv->imported = true;
  return st;
}

/* A computation that has the parameters of `assign` with their values. */
static status only_values(cdag **g, const char *path, const char *assign, diag *d)
{
  SCOPED_TEXT text_of = { 0 };
  for (const char *s = assign; *s; s += strcspn(s, ",") + (s[strcspn(s, ",")] == ',')) {
    s += strspn(s, " \t");
    int n = (int)strcspn(s, "= \t,");
    SCOPED_TEXT name = { 0 };
    text_printf(&name, "%.*s", n, s);
    text_printf(&text_of, "param %s%s\n", text_str(&name), cdag_reserved(text_str(&name)) ? "_" : "");
  }
  text_add(&text_of, "input x[1]\noutput y[i:1] = x[i]\n");
  return cdag_parse(g, path, text_str(&text_of), assign, d);
}

/* A nest that cannot be read for all values of its parameters: for these. */
static status open_nest_as_given(cdag **g, const char *path, const text *source, const char *assign, diag *d)
{
  cdag *like = NULL;
  diag none = { 0 };
  status st = only_values(&like, path, assign, &none);
  st = st == OK ? import_nest(g, path, source, assign, like, d) : BAD_INPUT;
  cdag_free(like);
  return st;
}

/* A loop nest in C: the text that its flow of values makes.  Once the parameters have values, the one without the
   conditions that they settle, if there is such a one. */
static status open_nest(cdag **g, const char *path, const text *source, const char *assign, diag *d)
{
  cdag *any = NULL;
  status st = text_plain(source, path, d);
  if (st == OK)
    st = import_nest(&any, path, source, assign, NULL, d);
  if (st == BAD_INPUT || st == GAVE_UP)
    return open_nest_as_given(g, path, source, assign, d);
  if (st != OK)
    return st;
  if (import_nest(g, path, source, assign, any, d) == OK)
    cdag_free(any);
  else
    *g = any;
  return OK;
}

static status open_graph(cdag **g, const char *path, text *bytes, const char *assign, diag *d)
{
  char name[CDAG_NAME];
  cdag_graph graph = { 0 };
  if (*assign)
    return diag_set(d, BAD_USAGE, "parameter", "%s is a graph file and has no parameters", path);
  status st = cdag_graph_take(&graph, bytes, path, d);
  const char *slash = strrchr(path, '/');
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
  return st == OK ? cdag_from_graph(g, &graph, name) : st;
}

static status open_file(cdag **g, const char *path, const char *assign, diag *d)
{
  SCOPED_TEXT bytes = { 0 };
  bool loops = ends_in(path, ".c"), language = loops || ends_in(path, ".cdag");
  if (ends_in(path, ".sched"))
    return diag_set(d, BAD_USAGE, "usage", "%s is a schedule: the computation comes first, then the schedule", path);
  status st = text_read(&bytes, path, language ? TEXT_LIMIT : 0, d);
  if (st == OK && strcmp(path, "-") == 0)
    language = looks_like_cdag(text_str(&bytes));
  if (st == OK)
    st = loops      ? open_nest(g, path, &bytes, assign, d)
         : language ? open_text(g, path, &bytes, assign, d)
                    : open_graph(g, path, &bytes, assign, d);
  return st;
}

/* ---- SPEC ---- */

/* A family's name: letters, digits, '-' and '_' only. */
static bool could_be_family(const char *name)
{
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
      return false;
  return *name && strcmp(name, "-") != 0;
}

static status open_named(cdag **g, const char *name, const char *assign, diag *d)
{
  const embedded_file *f = could_be_family(name) ? find_text(name) : NULL;
  const generated *made = f ? NULL : find_generated(name);
  if (f)
    return cdag_parse(g, name, f->text, assign, d);
  if (made)
    return open_generated(g, made, assign, d);
  if (could_be_family(name) && access(name, F_OK) != 0)
    return cdag_family_known(name, d);
  return open_file(g, name, assign, d);
}

static status open_collection(cdag **g, char *name, char *assign, diag *d)
{
  copies c = { 0 };
  status st = copies_cut(&c, name, d);
  if (st == OK)
    st = copies_cut(&c, assign, d);
  if (st == OK)
    st = open_named(g, name, assign, d);
  if (st == OK && c.n > 0)
    st = copies_make(g, &c, d);
  if (st != OK) {
    cdag_free(*g);
    *g = NULL;
  }
  return st;
}

status cdag_open(cdag **g, const char *spec, diag *d)
{
  *g = NULL;
  const char *colon = strrchr(spec, ':');
  if (access(spec, F_OK) == 0) /* a file may have a colon in its name */
    return open_named(g, spec, "", d);
  char *name = colon ? mem_text_n(spec, (size_t)(colon - spec)) : mem_text(spec),
       *assign = mem_text(colon ? colon + 1 : "");
  status st = open_collection(g, name, assign, d);
  mem_free(name);
  mem_free(assign);
  return st;
}

static bool starts(const char *line, const char *with) { return strncmp(line, with, strlen(with)) == 0; }

static const char *next_line(const char *line)
{
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

static bool same_line(const char *a, const char *b)
{
  size_t n = strcspn(a, "\n");
  return n == strcspn(b, "\n") && strncmp(a, b, n) == 0;
}

/* Line by line; a line of numbers in the place of a table that may be given goes on in lines that are set in. */
static bool same_lines(const char *ours, const char *theirs, const char *const (*given)[2])
{
  while (*ours && *theirs) {
    int k = 0;
    bool same = same_line(ours, theirs);
    while (!same && given[k][0] && !(starts(theirs, given[k][0]) && starts(ours, given[k][1])))
      k++;
    if (!same && !given[k][0])
      return false;
    ours = next_line(ours);
    theirs = next_line(theirs);
    while (!same && starts(ours, "  "))
      ours = next_line(ours);
  }
  return !*ours && !*theirs;
}

static const char *const nothing_given[][2] = { { NULL, NULL } };

/* Both as texts, without their names; other is freed. */
static bool same_text(const cdag *g, cdag *other, const char *const (*given)[2])
{
  SCOPED_TEXT ours = { 0 }, theirs = { 0 };
  cdag_print(&ours, g);
  cdag_print(&theirs, other);
  bool same = same_lines(text_str(&ours), text_str(&theirs), given);
  cdag_free(other);
  return same;
}

static void add_values(text *out, const cdag *g)
{
  for (int i = 0; i < g->params; i++)
    text_printf(out, "%s%s=%" PRId64, i ? "," : "", g->param[i].name, g->param[i].value);
}

bool cdag_is_family(const cdag *g, const char *family) { return cdag_is_family_but(g, family, nothing_given); }

bool cdag_is_family_but(const cdag *g, const char *family, const char *const (*given)[2])
{
  SCOPED_TEXT spec = { 0 };
  cdag *other = NULL;
  diag d = { 0 };
  text_printf(&spec, "%s:", family);
  add_values(&spec, g);
  bool is = !g->graph && cdag_open(&other, text_str(&spec), &d) == OK;
  return is && same_text(g, other, given);
}

bool cdag_is_text(const cdag *g, const char *source)
{
  SCOPED_TEXT values = { 0 };
  cdag *other = NULL;
  diag d = { 0 };
  add_values(&values, g);
  bool is = !g->graph && cdag_parse(&other, "text", source, text_str(&values), &d) == OK;
  return is && same_text(g, other, nothing_given);
}
