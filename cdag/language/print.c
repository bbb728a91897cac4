/* print.c -- a CDAG as .cdag text.  Parameters stay parameters: a default that gives the value it has is printed as it
   was written, any other value becomes the default, so that the text alone describes the same CDAG again. */
#include "cdag/cdag_internal.h"
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

static void print_range(text *out, const expr *lo, const expr *hi)
{
  if (lo->op != EXPR_CONST || lo->value != 0) {
    expr_print(out, lo);
    text_add(out, "..");
  }
  expr_print(out, hi);
}

/* guarded: it holds the condition of the term too, which is printed behind it. */
static void print_index(text *out, const cdag_index *x, bool guarded)
{
  if (x->kind == CDAG_ALL) {
    text_char(out, '*');
    return;
  }
  expr_print(out, guarded ? x->lo->arg[0] : x->lo);
  if (x->kind == CDAG_RANGE) {
    text_add(out, "..");
    expr_print(out, x->hi);
  }
}

static bool shown(const cdag_view *v, int array, int r) { return !v || !v->dropped || v->dropped[array] != r; }

static bool led(const cdag_view *v, int array) { return v && v->lead && !v->shared[array]; }

static void print_head(text *out, const cdag *g, const cdag_array *a, const cdag_view *v)
{
  int array = cdag_find_array(g, a->name);
  const char *between = "";
  text_printf(out, "%s[", a->name);
  if (led(v, array)) {
    text_printf(out, "%s:%s", v->lead, v->count);
    between = ", ";
  }
  for (int r = 0; r < a->rank; r++) {
    if (!shown(v, array, r))
      continue;
    text_add(out, between);
    between = ", ";
    if (a->var[r][0])
      text_printf(out, "%s:", a->var[r]);
    print_range(out, a->lo[r], a->hi[r]);
  }
  text_char(out, ']');
}

/* The condition as it was written: where there are several rules the place of this one was added to it. */
static void print_condition(text *out, const cdag_term *term)
{
  const expr *condition = cdag_term_condition(term);
  if (!condition || (term->joined && !term->own_condition))
    return;
  text_add(out, " if ");
  expr_print(out, term->joined ? condition->arg[0] : condition);
}

/* Where an index is left out, a term stays if it passes that on. */
static bool stays(const cdag *g, int array, const cdag_term *t, const cdag_view *v)
{
  int at = v && v->dropped ? v->dropped[t->array] : -1;
  return at < 0 || (v->dropped[array] >= 0 && cdag_passes_on(g, t, at, v->dropped[array]));
}

/* Index q of a term of a slice is one of the term's, or a constant. */
static void print_of_whole(text *out, const cdag *g, const cdag_view *v, const cdag_slice *s, const cdag_term *term)
{
  int whole = v->united->slice[0].array;
  text_add(out, g->array[whole].name);
  for (int q = 0; q < g->array[whole].rank; q++) {
    text_char(out, q ? ',' : '[');
    if (s->at[q] >= 0)
      print_index(out, &term->index[s->at[q]], term->guarded == s->at[q] + 1);
    else
      text_printf(out, "%lld", (long long)s->value[q]);
  }
  text_char(out, ']');
}

static void print_term(text *out, const cdag *g, const cdag_term *term, const cdag_view *v)
{
  const cdag_slice *slice = v && v->united ? cdag_slice_of(v->united, term->array) : NULL;
  const char *between = "";
  if (slice) {
    print_of_whole(out, g, v, slice, term);
    print_condition(out, term);
    return;
  }
  bool renamed = v && v->name && v->name[term->array];
  text_printf(out, "%s[", renamed ? v->name[term->array] : g->array[term->array].name);
  if (led(v, term->array)) {
    text_add(out, v->lead);
    between = ",";
  }
  for (int r = 0; r < g->array[term->array].rank; r++) {
    if (!shown(v, term->array, r))
      continue;
    text_add(out, between);
    between = ",";
    print_index(out, &term->index[r], term->guarded == r + 1);
  }
  text_char(out, ']');
  print_condition(out, term);
}

void cdag_print_terms(text *out, const cdag *g, int array, const cdag_term *term, int terms, const char *first,
                      const cdag_view *v)
{
  SCOPED_TEXT before = { 0 }; /* two slices read at one place are one term */
  for (int t = 0; t < terms; t++, term++) {
    SCOPED_TEXT one = { 0 };
    if (stays(g, array, term, v))
      print_term(&one, g, term, v);
    text_char(&one, '\n');
    if (one.n > 1 && !(v && v->united && before.n && strstr(text_str(&before), text_str(&one)))) {
      text_add(out, first);
      text_add_n(out, text_str(&one), one.n - 1);
      first = ", ";
      text_add(&before, text_str(&one));
    }
  }
}

static void print_rule(text *out, const cdag *g, const cdag_array *a, bool input, bool output, const cdag_view *v)
{
  int array = cdag_find_array(g, a->name);
  bool round = v && v->round;
  text_add(out, (round ? array == v->tail : output) ? "output " : "");
  text_add(out, round || input ? "input " : "");
  print_head(out, g, a, v);
  cdag_print_terms(out, g, array, a->term, a->terms, " = ", v);
  text_char(out, '\n');
}

static void print_rules(text *out, const cdag *g, const cdag_array *a, const pieces *p, const cdag_view *v)
{
  const cdag_term *term = a->term;
  for (int k = 0; k < p->n; term += p->of[k++].terms) {
    cdag_array one = *a;
    memcpy(one.lo, p->of[k].lo, sizeof one.lo);
    memcpy(one.hi, p->of[k].hi, sizeof one.hi);
    one.term = (cdag_term *)term;
    one.terms = p->of[k].terms;
    print_rule(out, g, &one, p->of[k].input, p->of[k].output, v);
  }
}

/* The index that introduced variable v is that variable alone: the first such. */
static int variable_of(const cdag *g, const cdag_selection *s, int r, int next)
{
  const cdag_index *x = &s->index[r];
  bool alone = x->kind == CDAG_AT && x->lo->op == EXPR_SLOT && x->lo->slot == g->params + next;
  return next < s->vars && alone ? next : -1;
}

static void print_selection(text *out, const cdag *g, const cdag_selection *s, const cdag_view *view)
{
  int next = 0;
  const char *between = "";
  text_printf(out, "output %s[", g->array[s->array].name);
  if (led(view, s->array)) {
    text_char(out, '*');
    between = ",";
  }
  for (int r = 0; r < g->array[s->array].rank; r++) {
    int v = variable_of(g, s, r, next);
    if (!shown(view, s->array, r)) {
      next += v >= 0;
      continue;
    }
    text_add(out, between);
    between = ",";
    if (v < 0)
      print_index(out, &s->index[r], false);
    else {
      text_printf(out, "%s:", s->var[v]);
      print_range(out, s->var_lo[v], s->var_hi[v]);
      next++;
    }
  }
  text_add(out, "]\n");
}

void cdag_print_selection(text *out, const cdag *g, const cdag_selection *s) { print_selection(out, g, s, NULL); }

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
  print_params(out, g);
  for (int i = 0; i < g->tables; i++)
    if (i + 1 != g->priv->guard_table)
      print_table(out, g, i);
  for (int i = 0; i < g->arrays; i++) {
    const cdag_array *a = &g->array[i];
    if (v && v->kept && !v->kept[i])
      continue;
    if (v && v->in_place && v->in_place[i])
      text_add(out, v->in_place[i]);
    else if (g->priv->piece[i].n > 0)
      print_rules(out, g, a, &g->priv->piece[i], v);
    else
      print_rule(out, g, a, a->declared_input, a->declared_output, v);
  }
  for (int i = 0; i < g->selections; i++)
    if (!g->selection[i].of_rule && (!v || !v->round) && (!v || !v->kept || v->kept[g->selection[i].array]) &&
        (!v || !v->in_place || !v->in_place[g->selection[i].array]))
      print_selection(out, g, &g->selection[i], v);
}

void cdag_print(text *out, const cdag *g) { cdag_print_view(out, g, NULL); }
