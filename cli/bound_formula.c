/* Parameters that are given are numbers, and so are small defaults; the others stay letters. */
#include "cli/bound_formula.h"
#include "base/json.h"
#include "base/latex.h"
#include "base/mem.h"
#include "bounds/affine/formula.h"
#include "cdag/import/import.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where claims are looked for; defaults below FEW, as the side of a filter, stay. */
enum { BASE = 120, STEP = 3, FEW = 32 };

typedef struct {
  const char *spec;
  const cdag *g;
  int n, param[FIT_VARS];      /* those that are letters */
  const char *name[FIT_VARS];
  int64_t base[FIT_VARS];
  const char *text;            /* what g was made into, for all values from IMPORT_NEAR on */
} letters;

static void point_spec(const letters *x, const int64_t *value, text *out)
{
  bool assigned = access(x->spec, F_OK) != 0 && strrchr(x->spec, ':');
  text_add(out, x->spec);
  for (int i = 0; i < x->n; i++)
    text_printf(out, "%s%s=%" PRId64, assigned || i ? "," : ":", x->name[i], value[i]);
}

static cdag *open_at(void *context, const int64_t *value)
{
  SCOPED_TEXT spec = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  const letters *x = context;
  bool near = false;
  for (int i = 0; i < x->n; i++)
    near = near || value[i] < IMPORT_NEAR;
  point_spec(x, value, &spec);
  /* a loop nest takes longer to read than the text that was made of it */
  status st = near ? cdag_open(&g, text_str(&spec), &d)
                   : cdag_parse(&g, x->g->name, x->text, strrchr(text_str(&spec), ':') + 1, &d);
  return st == OK ? g : NULL;
}

static status open_base(const char *spec, cdag **g, diag *d)
{
  SCOPED_TEXT base = { 0 };
  bool assigned = access(spec, F_OK) != 0 && strrchr(spec, ':');
  text_printf(&base, "%s%s*=%d", spec, assigned ? "," : ":", (int)BASE);
  status st = cdag_open(g, text_str(&base), d);
  if (st != OK && !assigned) /* what has no parameters takes no assignment */
    st = cdag_open(g, spec, d);
  return st;
}

static bool is_letter(const cdag *g, int p)
{
  const expr *fallback = g->param[p].fallback;
  return !cdag_param_given(g, p) &&
         (!fallback || (!expr_uses(fallback, 0, g->params) && g->param[p].value >= FEW));
}

static status find_letters(const char *spec, const cdag *g, letters *x, diag *d)
{
  *x = (letters){ .spec = spec, .g = g };
  if (g->graph || g->copies)
    return diag_set(d, BAD_USAGE, "usage", "--formula is for texts with parameters, not for graphs or collections");
  for (int p = 0; p < g->params; p++) {
    if (!is_letter(g, p))
      continue;
    if (x->n == FIT_VARS)
      return diag_set(d, BAD_USAGE, "usage", "--formula has room for %d parameters; give some a value", FIT_VARS);
    x->base[x->n] = BASE + STEP * x->n;
    x->name[x->n] = g->param[p].name;
    x->param[x->n++] = p;
  }
  if (x->n == 0)
    return diag_set(d, BAD_USAGE, "usage", "--formula leaves parameters open, and %s has none left", g->name);
  return OK;
}

/* "n >= 2, kh = 3" */
static void put_range(const letters *x, const bound_formula *f, text *out)
{
  for (int i = 0; i < x->n; i++)
    text_printf(out, "%s%s", i ? ", " : "", x->name[i]);
  text_printf(out, " >= %" PRId64, f->from);
  for (int p = 0; p < x->g->params; p++) {
    bool letter = false;
    for (int i = 0; i < x->n; i++)
      letter = letter || x->param[i] == p;
    const expr *fallback = x->g->param[p].fallback;
    bool follows = fallback && expr_uses(fallback, 0, x->g->params) && !cdag_param_given(x->g, p);
    if (letter)
      continue;
    text_printf(out, ", %s = ", x->g->param[p].name);
    if (follows)
      expr_print(out, fallback);
    else
      text_printf(out, "%" PRId64, x->g->param[p].value);
  }
}

static const char *game_of(const bound_formula *f)
{
  return f->one_shot ? "nothing computed twice" : "also with recomputation";
}

static void print_text(const letters *x, const bound_formula *f, int n, bool latex)
{
  for (int i = 0; i < n; i++) {
    SCOPED_TEXT right = { 0 }, range = { 0 };
    bound_formula_print(&f[i], x->name, &right);
    put_range(x, &f[i], &range);
    if (latex) {
      latex_rewrite(&right);
      latex_rewrite(&range);
    }
    if (latex)
      printf("Q \\ge %s \\qquad (%s)\n", text_str(&right), text_str(&range));
    else
      printf("Q >= %s\n  %s; for all M and %s; tried at %d settings to %" PRId64 ", made from %d others\n",
             text_str(&right), game_of(&f[i]), text_str(&range), f[i].tried, f[i].to, f[i].made);
  }
}

static void print_json(const cli_args *a, const letters *x, const bound_formula *f, int n)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "cdag", a->argument[0]);
  json_put_open(&j, "formulas", '[');
  for (int i = 0; i < n; i++) {
    SCOPED_TEXT right = { 0 }, latex = { 0 }, range = { 0 };
    bound_formula_print(&f[i], x->name, &right);
    bound_formula_print(&f[i], x->name, &latex);
    latex_rewrite(&latex);
    put_range(x, &f[i], &range);
    json_open(&j, '{');
    json_put_string(&j, "formula", text_str(&right));
    json_put_string(&j, "latex", text_str(&latex));
    json_put_bool(&j, "one_shot", f[i].one_shot);
    json_put_string(&j, "holds", text_str(&range));
    json_put_int(&j, "made", f[i].made);
    json_put_int(&j, "tried", f[i].tried);
    json_put_int(&j, "largest", f[i].to);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  cli_json_asked(&j, a, NULL);
  cli_json_end(&j, NULL);
}

cli_exit cli_bound_formula(const cli_args *a)
{
  cdag *g = NULL;
  diag d = { 0 };
  letters x;
  bound_formula f[FORMULAS_MOST];
  status st = open_base(a->argument[0], &g, &d);
  if (st == OK)
    st = find_letters(a->argument[0], g, &x, &d);
  if (st != OK) {
    cdag_free(g);
    return cli_fail(a, st, &d);
  }
  SCOPED_TEXT made = { 0 };
  cdag_print(&made, g);
  x.text = text_str(&made);
  formula_question q = { x.n, x.name, x.base, open_at, &x };
  int n = bound_formulas(&q, f);
  if (a->json)
    print_json(a, &x, f, n);
  else
    print_text(&x, f, n, a->value[CLI_LATEX] != NULL);
  if (n == 0)
    fprintf(stderr, "redblue: no formula: what the bounds count was not seen to be a polynomial in the parameters\n");
  for (int i = 0; i < n; i++)
    bound_formula_clear(&f[i]);
  cdag_free(g);
  return n > 0 ? EXIT_YES : EXIT_NO;
}
