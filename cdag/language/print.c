/* print.c -- a CDAG as .cdag text.  Parameters stay parameters: a default that gives the value it has is printed as it
   was written, any other value becomes the default, so that the text alone describes the same CDAG again. */
#include "base/mem.h"
#include "cdag/cdag_internal.h"
#include <stdio.h>
#include <string.h>

static void print_params(text *out, const cdag *g)
{
  for (int i = 0; i < g->params; i++) {
    const cdag_param *p = &g->param[i];
    int64_t value;
    expr_env env = { g->param_value, NULL };
    bool keep = p->fallback && expr_eval(p->fallback, &env, &value, NULL) == EXPR_OK && value == p->value;
    text_printf(out, "param %s = ", p->name);
    if (keep)
      expr_print(out, p->fallback);
    else
      text_printf(out, "%lld", (long long)p->value);
    text_char(out, '\n');
  }
}

static void print_listed(text *out, const int64_t *value, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    text_printf(out, "%s%lld", i == 0 ? " " : i % 16 ? ", " : ",\n  ", (long long)value[i]);
}

static int64_t entries_of(const expr_table *t)
{
  int64_t n = 1;
  for (int r = 0; r < t->rank; r++)
    n *= t->extent[r];
  return n;
}

/* GENERATOR(table, table, values): each table and each value may be absent. */
static void print_generated(text *out, const table_text *def)
{
  text_printf(out, "%s(", def->generator);
  size_t begin = out->n;
  for (int i = 0; i < 2; i++)
    if (def->argument_table[i][0])
      text_printf(out, "%s%s", out->n > begin ? ", " : "", def->argument_table[i]);
  for (int i = 0; i < def->values; i++) {
    text_add(out, out->n > begin ? ", " : "");
    expr_print(out, def->value[i]);
  }
  text_add(out, ")\n");
}

static void print_body(text *out, const table_text *def)
{
  text_char(out, ' ');
  if (def->kind == TABLE_GENERATED) {
    print_generated(out, def);
    return;
  }
  for (int i = 0; i < def->values; i++) {
    text_add(out, i == 0 ? "" : i % 16 ? ", " : ",\n  ");
    expr_print(out, def->value[i]);
  }
  text_char(out, '\n');
}

static void print_table(text *out, const cdag *g, int i)
{
  const table_text *def = &g->priv->table[i];
  const expr_table *t = &g->table[i];
  bool from_file = g->priv->table_file && g->priv->table_file[i] && entries_of(t) > 0;
  text_printf(out, "table %s[", t->name);
  for (int r = 0; r < t->rank; r++) {
    text_add(out, r ? ", " : "");
    if (def->var[r][0] && !from_file)
      text_printf(out, "%s:", def->var[r]);
    expr_print(out, def->size[r]);
  }
  text_add(out, "] =");
  if (from_file) {
    print_listed(out, t->wide, entries_of(t));
    text_char(out, '\n');
  } else
    print_body(out, def);
}

/* ---- through a view ---- */

static bool shown(const cdag_view *v, int array, int r) { return !v || !v->dropped || v->dropped[array] != r; }

static bool led(const cdag_view *v, int array) { return v && v->lead && !v->shared[array]; }

static int parts_of(const cdag_view *v, int array)
{
  return v && v->kept && !v->kept[array] ? 0 : v && v->parts ? v->parts(v, array) : 1;
}

static void print_name(text *out, const cdag *g, int array, int part, const cdag_view *v)
{
  if (v && v->name)
    v->name(v, array, part, out);
  else
    text_add(out, g->array[array].name);
}

/* A range that begins at 0 is said by its end alone where `short_of` says so; hi NULL: a value. */
static void print_said(text *out, const expr *lo, const expr *hi, const cdag_spot *at, bool short_of,
                       const cdag_view *v)
{
  expr *from = expr_copy(lo), *to = hi ? expr_copy(hi) : NULL;
  if (v && v->say)
    v->say(v, at, &from, &to);
  if (!short_of || from->op != EXPR_CONST || from->value != 0) {
    expr_print(out, from);
    text_add(out, to ? ".." : "");
  }
  if (to)
    expr_print(out, to);
  expr_free(from);
  expr_free(to);
}

/* guarded: it holds the condition of the term too, which is printed behind it. */
static void print_index(text *out, const cdag_index *x, bool guarded, const cdag_spot *at, const cdag_view *v)
{
  if (x->kind == CDAG_ALL)
    text_char(out, '*');
  else
    print_said(out, guarded ? x->lo->arg[0] : x->lo, x->kind == CDAG_RANGE ? x->hi : NULL, at, false, v);
}

static void print_head(text *out, const cdag *g, const cdag_array *a, int array, int part, const cdag_view *v)
{
  const char *between = "[";
  print_name(out, g, array, part, v);
  if (led(v, array)) {
    text_printf(out, "[%s:%s", v->lead, v->count);
    between = ", ";
  }
  for (int r = 0; r < a->rank; r++) {
    if (!shown(v, array, r))
      continue;
    text_printf(out, "%s%s%s", between, a->var[r], a->var[r][0] ? ":" : "");
    between = ", ";
    print_said(out, a->lo[r], a->hi[r], &(cdag_spot){ array, r, array, part, true, NULL, NULL }, true, v);
  }
  text_char(out, ']');
}

/* The condition as it was written: where there are several rules the place of this one was added to it. */
static void print_condition(text *out, int array, int part, const cdag_term *term, const cdag_view *v)
{
  const expr *condition = cdag_term_condition(term);
  if (!condition || (term->joined && !term->own_condition))
    return;
  text_add(out, " if ");
  print_said(out, term->joined ? condition->arg[0] : condition, NULL,
             &(cdag_spot){ -1, -1, array, part, false, NULL, NULL }, false, v);
}

void cdag_print_index(text *out, const cdag_term *t, int index)
{
  print_index(out, &t->index[index], t->guarded == index + 1, NULL, NULL);
}

void cdag_print_condition(text *out, const cdag_term *t) { print_condition(out, -1, 0, t, NULL); }

/* Where an index is left out, a term stays if it passes that on. */
static bool stays(const cdag *g, int array, const cdag_term *t, const cdag_view *v)
{
  int at = v && v->dropped ? v->dropped[t->array] : -1;
  return at < 0 || (v->dropped[array] >= 0 && cdag_passes_on(g, t, at, v->dropped[array]));
}

/* What that part reads of part `of`. */
static void print_term(text *out, const cdag *g, int array, int part, const cdag_term *term, int of,
                       const cdag_view *v)
{
  const char *between = "[";
  print_name(out, g, term->array, of, v);
  if (led(v, term->array)) {
    text_printf(out, "[%s", v->lead);
    between = ",";
  }
  for (int r = 0; r < g->array[term->array].rank; r++) {
    if (!shown(v, term->array, r))
      continue;
    text_add(out, between);
    between = ",";
    print_index(out, &term->index[r], term->guarded == r + 1,
                &(cdag_spot){ term->array, r, array, part, false, NULL, term }, v);
  }
  text_char(out, ']');
  print_condition(out, array, part, term, v);
}

void cdag_print_terms(text *out, const cdag *g, int array, int part, const cdag_term *term, int terms,
                      const char *first, const cdag_view *v)
{
  SCOPED_TEXT before = { 0 }; /* two slices read at one place are one term */
  for (int t = 0; t < terms; t++, term++)
    for (int of = 0; (of == 0 || of < parts_of(v, term->array)) && stays(g, array, term, v); of++) {
      SCOPED_TEXT one = { 0 };
      if (v && v->reads && !v->reads(v, array, part, term, of))
        continue;
      text_char(&one, '\n');
      if (!v || !v->term || !v->term(v, array, term, &one))
        print_term(&one, g, array, part, term, of, v);
      text_char(&one, '\n');
      if (v && v->term && strstr(text_str(&before), text_str(&one)))
        continue;
      text_add(out, first);
      text_add_n(out, text_str(&one) + 1, one.n - 2);
      first = ", ";
      text_add(&before, text_str(&one));
    }
}

static void print_rule(text *out, const cdag *g, const cdag_array *a, int array, int part, bool input, bool output,
                       const cdag_view *v)
{
  bool round = v && v->round;
  text_add(out, (round ? array == v->tail : output) ? "output " : "");
  text_add(out, round || input ? "input " : "");
  print_head(out, g, a, array, part, v);
  cdag_print_terms(out, g, array, part, a->term, a->terms, " = ", v);
  text_char(out, '\n');
}

static void print_part(text *out, const cdag *g, int array, int part, const cdag_view *v)
{
  const cdag_array *a = &g->array[array];
  const pieces *p = &g->priv->piece[array];
  const cdag_term *term = a->term;
  if (v && v->rule && v->rule(v, array, part, out))
    return;
  if (p->n == 0)
    print_rule(out, g, a, array, part, a->declared_input, a->declared_output, v);
  for (int k = 0; k < p->n; term += p->of[k++].terms) {
    cdag_array one = *a;
    memcpy(one.lo, p->of[k].lo, sizeof one.lo);
    memcpy(one.hi, p->of[k].hi, sizeof one.hi);
    one.term = (cdag_term *)term;
    one.terms = p->of[k].terms;
    if (!v || !v->rules_apart || k == part)
      print_rule(out, g, &one, array, part, p->of[k].input, p->of[k].output, v);
  }
}

/* The index that introduced variable v is that variable alone: the first such. */
static int variable_of(const cdag *g, const cdag_selection *s, int r, int next)
{
  const cdag_index *x = &s->index[r];
  bool alone = x->kind == CDAG_AT && expr_is_slot(x->lo, g->params + next);
  return next < s->vars && alone ? next : -1;
}

static void print_selection(text *out, const cdag *g, const cdag_selection *s, int part, const cdag_view *view)
{
  int next = 0;
  const char *between = "[";
  text_add(out, "output ");
  print_name(out, g, s->array, part, view);
  if (led(view, s->array)) {
    text_add(out, "[*");
    between = ",";
  }
  for (int r = 0; r < g->array[s->array].rank; r++) {
    int v = variable_of(g, s, r, next);
    cdag_spot at = { s->array, r, -1, part, false, s, NULL };
    next += v >= 0;
    if (!shown(view, s->array, r))
      continue;
    text_add(out, between);
    between = ",";
    if (v < 0)
      print_index(out, &s->index[r], false, &at, view);
    else {
      text_printf(out, "%s:", s->var[v]);
      print_said(out, s->var_lo[v], s->var_hi[v], &at, true, view);
    }
  }
  text_add(out, "]\n");
}

static void print_graph(text *out, const cdag *g)
{
  text_printf(out, "# %s is an explicit graph of %llu vertices and %llu edges: .cdag texts describe rules, not edges\n",
              g->name, (unsigned long long)g->graph->n, (unsigned long long)g->graph->m);
}

void cdag_print_view(text *out, const cdag *g, const cdag_view *v)
{
  if (g->graph) {
    print_graph(out, g);
    return;
  }
  text_add(out, v && v->params ? v->params : "");
  print_params(out, g);
  for (int i = 0; i < g->tables; i++)
    if (i + 1 != g->priv->guard_table)
      print_table(out, g, i);
  for (int i = 0; i < g->arrays; i++)
    for (int part = 0; part < parts_of(v, i); part++)
      print_part(out, g, i, part, v);
  for (int i = 0; i < g->selections && !(v && v->round); i++) {
    const cdag_selection *s = &g->selection[i];
    for (int part = 0; part < parts_of(v, s->array); part++)
      if (!s->of_rule && (!v || !v->puts_out || v->puts_out(v, s, part)))
        print_selection(out, g, s, part, v);
  }
}

void cdag_print(text *out, const cdag *g) { cdag_print_view(out, g, NULL); }

/* ---- opened ---- */

static int arrays_of(const cdag *g, const cdag_view *v)
{
  int n = 0;
  for (int a = 0; a < g->arrays; a++)
    n += parts_of(v, a);
  return n;
}

cdag *cdag_view_open(const cdag *g, const cdag_view *v, int **of, int **part)
{
  SCOPED_TEXT source = { 0 };
  diag d = { 0 };
  cdag *out = NULL;
  cdag_print_view(&source, g, v);
  if (cdag_parse_unchecked(&out, g->name, text_str(&source), "", &d) != OK)
    return NULL;
  if ((v->fewer ? out->vertices > g->vertices : out->vertices != g->vertices) || out->arrays != arrays_of(g, v)) {
    cdag_free(out);
    return NULL;
  }
  if (!of)
    return out;
  *of = MEM_NEW(int, (size_t)out->arrays);
  *part = MEM_NEW(int, (size_t)out->arrays);
  for (int a = 0, n = 0; a < g->arrays; a++)
    for (int k = 0; k < parts_of(v, a); k++, n++) {
      (*of)[n] = a;
      (*part)[n] = k;
    }
  return out;
}

/* ---- names ---- */

static bool is_used(const cdag *g, const char *word)
{
  bool used = cdag_reserved(word) || cdag_find_array(g, word) >= 0 || cdag_find_param(g, word) >= 0;
  for (int t = 0; t < g->tables; t++)
    used = used || strcmp(g->table[t].name, word) == 0;
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      used = used || strcmp(g->array[a].var[r], word) == 0;
  for (int i = 0; i < g->selections; i++)
    for (int v = 0; v < g->selection[i].vars; v++)
      used = used || strcmp(g->selection[i].var[v], word) == 0;
  return used;
}

void cdag_fresh_name(const cdag *g, const char *base, const char *more, char *out)
{
  snprintf(out, CDAG_NAME, "%.40s%s", base, more);
  for (int k = 2; is_used(g, out); k++)
    snprintf(out, CDAG_NAME, "%.40s%s%d", base, more, k);
}
