/* verb_cdag.c -- redblue cdag SPEC: describe a computation, or write it out in a format. */
#include "base/json.h"
#include "cdag/cdag.h"
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* ---- describing ---- */

static void shape_text(text *out, const cdag_array *a)
{
  text_printf(out, "%s", a->name);
  for (int r = 0; r < a->rank; r++) {
    text_add(out, r ? ", " : "[");
    if (a->var[r][0])
      text_printf(out, "%s:", a->var[r]);
    if (a->rules > 1) { /* their bounds together may be long to say */
      text_printf(out, "%lld..%lld", (long long)a->hull.lo[r], (long long)a->hull.hi[r]);
      continue;
    }
    if (a->lo[r]->op != EXPR_CONST || a->lo[r]->value != 0) {
      expr_print(out, a->lo[r]);
      text_add(out, "..");
    }
    expr_print(out, a->hi[r]);
  }
  text_char(out, ']');
}

static void json_array_of(json *j, const cdag *g, int i)
{
  const cdag_array *a = &g->array[i];
  SCOPED_TEXT shape = { 0 };
  shape_text(&shape, a);
  json_open(j, '{');
  json_put_string(j, "name", a->name);
  json_put_int(j, "rank", a->rank);
  json_put_uint(j, "count", a->count);
  json_put_bool(j, "input", g->graph ? false : a->declared_input);
  json_put_bool(j, "output", cdag_has_output(g, i));
  json_put_string(j, "shape", text_str(&shape));
  json_put_open(j, "low", '[');
  for (int r = 0; r < a->rank; r++)
    json_int(j, a->hull.lo[r]);
  json_close(j, ']');
  json_put_open(j, "high", '[');
  for (int r = 0; r < a->rank; r++)
    json_int(j, a->hull.hi[r]);
  json_close(j, ']');
  json_close(j, '}');
}

/* A line each, of what a text says in vain. */
static void json_lines(json *j, const char *lines)
{
  json_open(j, '[');
  for (; *lines; lines += strcspn(lines, "\n") + 1) {
    SCOPED_TEXT line = { 0 };
    text_printf(&line, "%.*s", (int)strcspn(lines, "\n"), lines);
    json_string(j, text_str(&line));
  }
  json_close(j, ']');
}

static void print_json(const cli_args *a, const cdag *g, const cdag_counts *c, const char *useless_why,
                       uint64_t useless, const char *warnings)
{
  json j = { 0 };
  char digits[17];
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)cdag_digest(g));
  json_open(&j, '{');
  json_put_string(&j, "name", g->name);
  json_put_uint(&j, "vertices", c->vertices);
  json_put_uint(&j, "edges", c->edges);
  json_put_uint(&j, "inputs", c->inputs);
  json_put_uint(&j, "outputs", c->outputs);
  json_put_uint(&j, "max_in_degree", c->max_in_degree);
  json_key(&j, "useless");
  if (useless_why)
    json_string(&j, NULL);
  else
    json_uint(&j, useless);
  json_put_string(&j, "digest", digits);
  json_put_open(&j, "params", '{');
  for (int i = 0; i < g->params; i++)
    json_put_int(&j, g->param[i].name, g->param[i].value);
  json_close(&j, '}');
  json_put_open(&j, "arrays", '[');
  for (int i = 0; i < g->arrays; i++)
    json_array_of(&j, g, i);
  json_close(&j, ']');
  if (*warnings) {
    json_key(&j, "warnings");
    json_lines(&j, warnings);
  }
  cli_json_asked(&j, a, NULL);
  cli_json_end(&j, "counted");
}

static const char *role(const cdag *g, int i)
{
  const cdag_array *a = &g->array[i];
  bool output = cdag_has_output(g, i);
  if (g->graph)
    return "";
  if (a->declared_input)
    return output ? "input and output" : a->terms ? "inputs where nothing is read" : "input";
  return output ? "output" : "";
}

static void print_arrays(const cdag *g)
{
  size_t width = 24;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < g->arrays; i++) {
      SCOPED_TEXT shape = { 0 };
      const char *what = role(g, i);
      shape_text(&shape, &g->array[i]);
      if (pass == 0)
        width = shape.n > width ? shape.n : width;
      else
        printf("  %-*s %15llu%s%s\n", (int)width, text_str(&shape), (unsigned long long)g->array[i].count,
               *what ? "  " : "", what);
    }
}

static void print_text(const cdag *g, const cdag_counts *c, const char *useless_why, uint64_t useless,
                       const char *warnings)
{
  printf("%s", g->name);
  for (int i = 0; i < g->params; i++)
    printf("%c%s=%lld", i ? ',' : ':', g->param[i].name, (long long)g->param[i].value);
  printf("\nvertices       %llu\nedges          %llu\ninputs         %llu\noutputs        %llu\nmax in-degree  "
         "%llu\ndigest         %016llx\n",
         (unsigned long long)c->vertices, (unsigned long long)c->edges, (unsigned long long)c->inputs,
         (unsigned long long)c->outputs, (unsigned long long)c->max_in_degree, (unsigned long long)cdag_digest(g));
  if (useless_why == NULL && useless > 0)
    printf("useless        %llu vertices lead to no output\n", (unsigned long long)useless);
  print_arrays(g);
  if (*warnings)
    fprintf(stderr, "redblue: warning: %s", warnings);
}

/* How many vertices lead to no output, when that is cheap to find; else why not. */
static const char *count_useless(const cdag *g, uint64_t *useless)
{
  cdag_graph e = { 0 };
  *useless = 0;
  if (cdag_materialise(g, 1 << 18, &e, NULL) != OK)
    return "too large";
  *useless = cdag_graph_useless(&e);
  cdag_graph_clear(&e);
  return NULL;
}

static cli_exit describe(const cli_args *a, const cdag *g)
{
  cdag_counts c;
  diag d = { 0 };
  uint64_t useless;
  status st = cdag_count(g, &c, &d);
  if (st != OK)
    return cli_fail(a, st, &d);
  const char *why = count_useless(g, &useless);
  SCOPED_TEXT warnings = { 0 };
  cdag_warnings(g, &warnings);
  if (a->json)
    print_json(a, g, &c, why, useless, text_str(&warnings));
  else
    print_text(g, &c, why, useless, text_str(&warnings));
  return EXIT_YES;
}

/* ---- writing ---- */

static const struct { const char *name; int format;
} formats[] = {
  { "edges", CDAG_EDGES },       { "dot", CDAG_DOT }, { "graphml", CDAG_GRAPHML },
  { "hyperdag", CDAG_HYPERDAG }, { "cdag", -1 },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static int find_format(const char *name, diag *d)
{
  const char *names[FORMATS];
  for (int i = 0; i < FORMATS; i++) {
    names[i] = formats[i].name;
    if (strcmp(name, names[i]) == 0)
      return i;
  }
  const char *near = diag_nearest(name, names, FORMATS);
  diag_set(d, BAD_USAGE, "usage", "--format is edges, dot, graphml, hyperdag or cdag, not '%.60s'%s%s%s", name,
           near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  return -1;
}

static cli_exit write_language(const cli_args *a, const cdag *g)
{
  diag d = { 0 };
  SCOPED_TEXT out = { 0 };
  if (g->graph)
    return cli_fail(
        a, diag_set(&d, BAD_USAGE, "usage", "%s is a graph without rules and cannot be written as .cdag text", g->name),
        &d);
  cdag_print(&out, g);
  fputs(text_str(&out), stdout);
  return EXIT_YES;
}

/* In a file of a graph every sink is an output, in a text those declared: what is written is then another problem, and
 * that is said. */
static void say_new_outputs(const cdag_graph *e)
{
  uint32_t n = 0;
  for (uint32_t v = 0; v < e->n; v++)
    n += !e->output[v] && cdag_graph_is_sink(e, v);
  if (n > 0)
    fprintf(stderr,
            "redblue: a file of a graph has every sink as an output; %u vertices that are none in the text become "
            "outputs in it\n",
            n);
}

static cli_exit write_graph(const cli_args *a, const cdag *g, int format)
{
  diag d = { 0 };
  cdag_graph e = { 0 };
  status st = cdag_materialise(g, 0, &e, &d);
  if (st == OK && !g->graph && (format == CDAG_DOT || format == CDAG_GRAPHML))
    st = cdag_name_vertices(g, &e, &d);
  if (st == OK && !g->graph)
    say_new_outputs(&e);
  if (st == OK)
    st = cdag_graph_write(&e, (cdag_graph_format)format, stdout, &d);
  cdag_graph_clear(&e);
  return st == OK ? EXIT_YES : cli_fail(a, st, &d);
}

static cli_exit run(const cli_args *a)
{
  cdag *g = NULL;
  diag d = { 0 };
  const char *name = a->value[CLI_FORMAT];
  int format = name ? find_format(name, &d) : 0;
  if (format < 0)
    return cli_fail(a, BAD_USAGE, &d);
  status st = cdag_open(&g, a->argument[0], &d);
  if (st != OK)
    return cli_fail(a, st, &d);
  cli_exit code = !name                        ? describe(a, g)
                  : formats[format].format < 0 ? write_language(a, g)
                                               : write_graph(a, g, formats[format].format);
  cdag_free(g);
  return code;
}

static const cli_option_id options[] = { CLI_FORMAT, CLI_OPTIONS };
const cli_verb cli_verb_cdag = {
  .name = "cdag",
  .arguments = "SPEC",
  .least = 1,
  .most = 1,
  .summary = "describe a computation, or write it out",
  .description =
      "SPEC is FAMILY:name=value,... or FILE.cdag:name=value,... or a graph file (edge list, DOT, GraphML, HyperDAG, "
      "MatrixMarket); "
      "'-' reads standard input. Prints how many vertices, edges, inputs and outputs there are, and the arrays.\n\n"
      "--format edges, dot, graphml or hyperdag writes the explicit graph, vertices numbered array by array in the "
      "order of the text, "
      "inside an array in the order of the indices; --format cdag writes the text again, its parameters with these "
      "values.",
  .examples = "$ redblue cdag attention:n=1000000,d=128\n$ redblue cdag matmul:m=2,n=2,k=2 --format dot\n",
  .options = options,
  .run = run,
};
