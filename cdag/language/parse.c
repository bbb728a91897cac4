/* parse.c -- .cdag text to tree (docs/cdag-language.md).

   One statement a line.  Parameters and tables must come before their use, arrays need not: references to arrays are
   kept aside and resolved at the end.  Variables get slots from VARIABLE while parsing, because the number of
   parameters is not known yet; at the end they move to behind the parameters. */
#include "cdag/cdag_internal.h"
#include "base/mem.h"
#include "cdag/language/hint.h"
#include <stdio.h>
#include <string.h>

enum {
  VARIABLE = CDAG_VARIABLE,
  PARAMS = 200,
  ARRAYS = 1000,
  TERMS = 200,
  SELECTIONS = 1000,
  TABLES = 200,
  VALUES = 1 << 20
};

typedef struct {
  int array, term;             /* term < 0: selection number `array` */
  char name[CDAG_NAME];
} reference;

typedef struct {
  lexer in;
  diag *d;
  cdag *g;
  struct cdag_private *p;
  expr_scope scope;
  int vars;                    /* visible loop variables */
  char (*var)[CDAG_NAME];
  size_t param_room, place_room, table_room, text_room, array_room, var_place_room, selection_room, references,
      reference_room;
  reference *reference;
} parser;

/* ---- names ---- */

static const char *const keywords[] = { "param", "table", "input",    "output",   "M",     "schedule", "for",
                                        "in",    "by",    "if",       "else",     "load",  "store",    "compute",
                                        "drop",  "erase", "dropping", "reversed", "snake", "auto" };

bool cdag_reserved(const char *word)
{
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strcmp(word, keywords[i]) == 0)
      return true;
  return false;
}

int cdag_find_param(const cdag *g, const char *name)
{
  for (int i = 0; i < g->params; i++)
    if (strcmp(g->param[i].name, name) == 0)
      return i;
  return -1;
}

static int find_table(const cdag *g, const char *name)
{
  for (int i = 0; i < g->tables; i++)
    if (strcmp(g->table[i].name, name) == 0)
      return i;
  return -1;
}

int cdag_find_array(const cdag *g, const char *name)
{
  for (int i = 0; i < g->arrays; i++)
    if (strcmp(g->array[i].name, name) == 0)
      return i;
  return -1;
}

static const char *what_is(const cdag *g, const char *name)
{
  if (cdag_find_param(g, name) >= 0)
    return "a parameter";
  if (find_table(g, name) >= 0)
    return "a table";
  return cdag_find_array(g, name) >= 0 ? "an array" : NULL;
}

static status wrong_name(parser *p, const lex_token *at, const char *sentence, const char *name)
{
  return diag_at(p->d, BAD_INPUT, "name", p->p->file, at->line, at->column, sentence, name);
}

static status too_long(parser *p)
{
  return lex_error(&p->in, p->d, "name", "this name is longer than %d characters", CDAG_NAME - 1);
}

/* Take a name that will mean something new, into out. */
static status new_name(parser *p, char out[CDAG_NAME])
{
  lex_token at = p->in.now;
  if (at.kind != LEX_NAME)
    return lex_unexpected(&p->in, "a name", p->d);
  if (at.length >= CDAG_NAME)
    return too_long(p);
  snprintf(out, CDAG_NAME, "%.*s", (int)at.length, at.start);
  lex_next(&p->in);
  if (cdag_reserved(out))
    return wrong_name(p, &at, "'%s' is reserved and names nothing else", out);
  const char *meaning = what_is(p->g, out);
  if (meaning)
    return diag_at(p->d, BAD_INPUT, "name", p->p->file, at.line, at.column, "'%s' is already %s", out, meaning);
  for (int r = 0; r < p->vars; r++)
    if (strcmp(p->var[r], out) == 0)
      return wrong_name(p, &at, "'%s' is already a loop variable here", out);
  return OK;
}

/* ---- what names mean inside expressions ---- */

static void suggest(const parser *p, const char *name, char *out, size_t size)
{
  const char *names[PARAMS + TABLES + CDAG_RANK];
  int n = 0;
  for (int i = 0; i < p->vars; i++)
    names[n++] = p->var[i];
  for (int i = 0; i < p->g->params; i++)
    names[n++] = p->g->param[i].name;
  for (int i = 0; i < p->g->tables; i++)
    names[n++] = p->g->table[i].name;
  const char *near = diag_nearest(name, names, n);
  out[0] = '\0';
  if (near)
    snprintf(out, size, "; did you mean '%s'?", near);
}

static expr *resolve(void *context, const char *name, const char *call, const lex_token *at, diag *d)
{
  parser *p = context;
  char near[CDAG_NAME + 32];
  (void)d;
  if (call)
    diag_at(p->d, BAD_INPUT, "name", p->p->file, at->line, at->column, "%s(%s) means something in a schedule only",
            call, name);
  else {
    for (int r = 0; r < p->vars; r++)
      if (strcmp(p->var[r], name) == 0)
        return expr_slot(VARIABLE + r, name);
    int i = cdag_find_param(p->g, name);
    if (i >= 0)
      return expr_slot(i, name);
    suggest(p, name, near, sizeof near);
    if (cdag_find_array(p->g, name) >= 0)
      wrong_name(p, at, "'%s' is an array; a number is needed here", name);
    else
      diag_at(p->d, BAD_INPUT, "name", p->p->file, at->line, at->column, "nothing is called '%s' here%s", name, near);
  }
  return NULL;
}

static int scope_table(void *context, const char *name) { return find_table(((parser *)context)->g, name); }
static const expr_table *scope_table_at(void *context, int i) { return &((parser *)context)->g->table[i]; }

static status expression(parser *p, expr **e)
{
  *e = expr_parse(&p->in, &p->scope, p->d);
  return *e ? OK : BAD_INPUT;
}

/* ---- lists in brackets ---- */

static bool at_line_end(const parser *p) { return p->in.now.kind == LEX_LINE || p->in.now.kind == LEX_END; }

/* Is a name followed by ':' next?  Then it is a loop variable. */
static bool at_variable(const parser *p)
{
  lexer ahead = p->in;
  if (ahead.now.kind != LEX_NAME)
    return false;
  lex_next(&ahead);
  return lex_is(&ahead, ':');
}

static status one_more_index(parser *p, int rank)
{
  return rank < CDAG_RANK ? OK : lex_error(&p->in, p->d, "index", "there are more than %d indices here", CDAG_RANK);
}

/* range := a..b | b, giving 0..b */
static status range(parser *p, expr **lo, expr **hi)
{
  int line = p->in.now.line, column = p->in.now.column;
  status st = expression(p, hi);
  if (st == OK && lex_accept(&p->in, LEX2('.', '.'))) {
    *lo = *hi;
    *hi = NULL;
    return expression(p, hi);
  }
  if (st == OK) {
    *lo = expr_const(0);
    (*lo)->line = line;
    (*lo)->column = column;
  }
  return st;
}

/* One dimension of a declaration: v:range or range. */
static status dimension(parser *p, cdag_array *a, place *at)
{
  int r = a->rank;
  status st = one_more_index(p, r);
  if (st != OK)
    return st;
  at[r] = (place){ p->in.now.line, p->in.now.column };
  bool named = at_variable(p);
  if (named)
    st = new_name(p, a->var[r]);
  if (st == OK && named)
    st = lex_expect(&p->in, ':', p->d);
  if (st != OK)
    return st;
  a->rank++;
  st = range(p, &a->lo[r], &a->hi[r]);
  p->vars = a->rank;
  return st;
}

static status dimensions(parser *p, cdag_array *a, place *at)
{
  p->var = a->var;
  p->vars = 0;
  status st = lex_expect(&p->in, '[', p->d);
  if (st == OK)
    do
      st = dimension(p, a, at);
    while (st == OK && lex_accept(&p->in, ','));
  return st == OK ? lex_expect(&p->in, ']', p->d) : st;
}

/* index := * | expr | a..b */
static status term_index(parser *p, cdag_index *x)
{
  if (lex_accept(&p->in, '*')) {
    x->kind = CDAG_ALL;
    return OK;
  }
  status st = expression(p, &x->lo);
  if (st == OK && lex_accept(&p->in, LEX2('.', '.'))) {
    x->kind = CDAG_RANGE;
    st = expression(p, &x->hi);
  }
  return st;
}

static status term_indices(parser *p, cdag_index *x, int *rank)
{
  status st = lex_expect(&p->in, '[', p->d);
  if (st == OK)
    do {
      st = one_more_index(p, *rank);
      if (st == OK)
        st = term_index(p, &x[(*rank)++]);
    } while (st == OK && lex_accept(&p->in, ','));
  return st == OK ? lex_expect(&p->in, ']', p->d) : st;
}

/* The name of an array that may be declared later. */
static status array_name(parser *p, int array, int term, int *line, int *column)
{
  lex_token at = p->in.now;
  *line = at.line;
  *column = at.column;
  if (at.kind != LEX_NAME)
    return lex_unexpected(&p->in, "the name of an array", p->d);
  if (at.length >= CDAG_NAME)
    return too_long(p);
  p->reference = mem_room(p->reference, p->references, &p->reference_room, sizeof *p->reference);
  reference *r = &p->reference[p->references++];
  *r = (reference){ array, term, "" };
  snprintf(r->name, sizeof r->name, "%.*s", (int)at.length, at.start);
  lex_next(&p->in);
  return OK;
}

/* ---- arrays ---- */

/* A new name, or that of an array with another rule. */
static status array_own_name(parser *p, char out[CDAG_NAME])
{
  lex_token at = p->in.now;
  if (at.kind == LEX_NAME && at.length < CDAG_NAME) {
    snprintf(out, CDAG_NAME, "%.*s", (int)at.length, at.start);
    if (cdag_find_array(p->g, out) >= 0) {
      lex_next(&p->in);
      return OK;
    }
  }
  return new_name(p, out);
}

static status new_array(parser *p, bool input, bool output, int *which)
{
  cdag *g = p->g;
  if (g->arrays == ARRAYS)
    return lex_error(&p->in, p->d, "syntax", "there are more than %d arrays", ARRAYS);
  g->array = mem_room(g->array, (size_t)g->arrays, &p->array_room, sizeof *g->array);
  p->p->var_place = mem_room(p->p->var_place, (size_t)g->arrays, &p->var_place_room, sizeof *p->p->var_place);
  cdag_array a = {
    .declared_input = input, .declared_output = output, .line = p->in.now.line, .column = p->in.now.column
  };
  place at[CDAG_RANK] = { { 0 } };
  status st = array_own_name(p, a.name);
  if (st == OK)
    st = dimensions(p, &a, at);
  *which = g->arrays;
  memcpy(p->p->var_place[g->arrays], at, sizeof at);
  g->array[g->arrays++] = a; /* also when it failed: then it is cleared with the rest */
  return st;
}

static status term(parser *p, int array, size_t *room)
{
  cdag_array *a = &p->g->array[array];
  if (a->terms == TERMS)
    return lex_error(&p->in, p->d, "syntax", "there are more than %d terms in this rule", TERMS);
  a->term = mem_room(a->term, (size_t)a->terms, room, sizeof *a->term);
  cdag_term *t = &a->term[a->terms++];
  *t = (cdag_term){ .array = -1 };
  int rank = 0;
  status st = array_name(p, array, a->terms - 1, &t->line, &t->column);
  if (st == OK)
    st = term_indices(p, t->index, &rank);
  if (st == OK && lex_accept_word(&p->in, "if"))
    st = expression(p, &t->guard);
  t->array = -1 - rank; /* until the array is known */
  return st;
}

/* Is it `sum v:range`, and no array of that name? */
static bool at_sum(const parser *p)
{
  lexer ahead = p->in;
  if (!lex_accept_word(&ahead, "sum") || ahead.now.kind != LEX_NAME)
    return false;
  lex_next(&ahead);
  return lex_is(&ahead, ':');
}

/* sum v:range, ... { terms }, after which the array has the indices v too. */
static status sum(parser *p, int array, size_t *room)
{
  cdag_array *a = &p->g->array[array];
  int first = a->terms, rank = a->rank;
  lex_next(&p->in);
  status st;
  do
    st = dimension(p, a, p->p->var_place[array]);
  while (st == OK && lex_accept(&p->in, ','));
  a->sums = a->rank - rank;
  if (st == OK)
    st = lex_expect(&p->in, '{', p->d);
  if (st == OK)
    do
      st = term(p, array, room);
    while (st == OK && lex_accept(&p->in, ','));
  if (st == OK)
    st = lex_expect(&p->in, '}', p->d);
  if (st != OK)
    return st;
  for (size_t i = p->references; i > 0 && p->reference[i - 1].array == array && p->reference[i - 1].term >= 0; i--)
    p->reference[i - 1].term += a->sums;
  cdag_chain_sum(p->g, array, first);
  return OK;
}

static status rule(parser *p, int array)
{
  size_t room = 0;
  p->var = p->g->array[array].var; /* it moved there */
  status st = lex_expect(&p->in, '=', p->d);
  if (st == OK)
    do {
      if (at_sum(p))
        return sum(p, array, &room);
      st = term(p, array, &room);
    } while (st == OK && lex_accept(&p->in, ','));
  return st;
}

/* [input] [output] X[...] = terms, or input X[...], Y[...] */
static status declarations(parser *p, bool input, bool output)
{
  int array;
  status st = new_array(p, input, output, &array);
  if (st == OK && (!input || lex_is(&p->in, '=')))
    st = rule(p, array);
  else
    while (st == OK && lex_accept(&p->in, ',')) {
      p->vars = 0;
      st = new_array(p, input, output, &array);
    }
  p->vars = 0;
  return st;
}

/* ---- selections ---- */

static status selection_index(parser *p, cdag_selection *s, cdag_index *x)
{
  if (!at_variable(p))
    return term_index(p, x);
  int v = s->vars;
  lex_token at = p->in.now;
  status st = new_name(p, s->var[v]);
  if (st == OK)
    st = lex_expect(&p->in, ':', p->d);
  if (st != OK)
    return st;
  s->vars++;
  st = range(p, &s->var_lo[v], &s->var_hi[v]);
  p->vars = s->vars;
  x->lo = expr_slot(VARIABLE + v, s->var[v]);
  x->lo->line = at.line;
  x->lo->column = at.column;
  return st;
}

static status selection(parser *p)
{
  cdag *g = p->g;
  if (g->selections == SELECTIONS)
    return lex_error(&p->in, p->d, "syntax", "there are more than %d selections", SELECTIONS);
  g->selection = mem_room(g->selection, (size_t)g->selections, &p->selection_room, sizeof *g->selection);
  cdag_selection *s = &g->selection[g->selections++];
  *s = (cdag_selection){ .array = -1 };
  int rank = 0;
  p->var = s->var;
  p->vars = 0;
  status st = array_name(p, g->selections - 1, -1, &s->line, &s->column);
  if (st == OK)
    st = lex_expect(&p->in, '[', p->d);
  if (st == OK)
    do {
      st = one_more_index(p, rank);
      if (st == OK)
        st = selection_index(p, s, &s->index[rank++]);
    } while (st == OK && lex_accept(&p->in, ','));
  if (st == OK)
    st = lex_expect(&p->in, ']', p->d);
  s->array = -1 - rank;
  p->vars = 0;
  return st;
}

/* After `output`: is it a rule, X[...] = ..., or a selection? */
static bool at_rule(const parser *p)
{
  lexer ahead = p->in;
  int depth = 0;
  for (; ahead.now.kind != LEX_END && ahead.now.kind != LEX_LINE; lex_next(&ahead)) {
    depth += lex_is(&ahead, '[') - lex_is(&ahead, ']');
    if (depth == 0 && lex_is(&ahead, '='))
      return true;
    if (depth == 0 && lex_is(&ahead, ','))
      return false;
  }
  return false;
}

static status output(parser *p)
{
  if (lex_accept_word(&p->in, "input"))
    return declarations(p, true, true);
  if (at_rule(p))
    return declarations(p, false, true);
  status st;
  do
    st = selection(p);
  while (st == OK && lex_accept(&p->in, ','));
  return st;
}

/* ---- parameters and tables ---- */

static status param(parser *p)
{
  cdag *g = p->g;
  do {
    if (g->params == PARAMS)
      return lex_error(&p->in, p->d, "syntax", "there are more than %d parameters", PARAMS);
    g->param = mem_room(g->param, (size_t)g->params, &p->param_room, sizeof *g->param);
    p->p->param_place = mem_room(p->p->param_place, (size_t)g->params, &p->place_room, sizeof *p->p->param_place);
    cdag_param one = { .fallback = NULL };
    place at = { p->in.now.line, p->in.now.column };
    status st = new_name(p, one.name);
    if (st == OK && lex_accept(&p->in, '='))
      st = expression(p, &one.fallback);
    if (st != OK)
      return st;
    p->p->param_place[g->params] = at;
    g->param[g->params++] = one;
    lex_accept(&p->in, ',');
  } while (!at_line_end(p));
  return OK;
}

/* One dimension of a table: v:size or size. */
static status table_dimension(parser *p, expr_table *t, table_text *def)
{
  status st = one_more_index(p, t->rank);
  bool named = at_variable(p);
  if (st == OK && named)
    st = new_name(p, def->var[t->rank]);
  if (st == OK && named)
    st = lex_expect(&p->in, ':', p->d);
  if (st != OK)
    return st;
  int visible = p->vars;
  p->vars = 0; /* a size is made of parameters only */
  st = expression(p, &def->size[t->rank]);
  p->vars = visible;
  if (st == OK && lex_is(&p->in, LEX2('.', '.')))
    return lex_error(&p->in, p->d, "syntax", "a table is numbered from 0: give each size, not a range");
  t->rank++;
  p->vars = t->rank;
  return st;
}

static bool is_rule(const expr_table *t, const table_text *def)
{
  for (int r = 0; r < t->rank; r++)
    if (def->var[r][0])
      return true;
  return false;
}

static status table_values(parser *p, table_text *def, size_t *room, int close)
{
  status st = OK;
  do {
    if (def->values == VALUES)
      return lex_error(&p->in, p->d, "syntax", "there are more than %d values here", VALUES);
    def->value = mem_room(def->value, (size_t)def->values, room, sizeof *def->value);
    st = expression(p, &def->value[def->values]);
    def->values += st == OK;
  } while (st == OK && lex_accept(&p->in, ','));
  return st == OK && close ? lex_expect(&p->in, close, p->d) : st;
}

static bool at_generator(const parser *p, char *name)
{
  lexer ahead = p->in;
  if (ahead.now.kind != LEX_NAME || ahead.now.length >= CDAG_NAME)
    return false;
  snprintf(name, CDAG_NAME, "%.*s", (int)ahead.now.length, ahead.now.start);
  lex_next(&ahead);
  return lex_is(&ahead, '(') && cdag_is_generator(name);
}

/* nonzero_count(mask): tables come before numbers */
static void argument_tables(parser *p, table_text *def, int n)
{
  char name[CDAG_NAME] = "";
  if (p->in.now.kind == LEX_NAME && p->in.now.length < CDAG_NAME)
    snprintf(name, sizeof name, "%.*s", (int)p->in.now.length, p->in.now.start);
  if (n == TABLE_ARGUMENTS || find_table(p->g, name) < 0)
    return;
  memcpy(def->argument_table[n], name, sizeof name);
  lex_next(&p->in);
  if (lex_accept(&p->in, ','))
    argument_tables(p, def, n + 1);
}

static status generator(parser *p, table_text *def, size_t *room)
{
  lex_next(&p->in);
  lex_next(&p->in);
  argument_tables(p, def, 0);
  return lex_accept(&p->in, ')') ? OK : table_values(p, def, room, ')');
}

static status table_body(parser *p, const expr_table *t, table_text *def)
{
  size_t room = 0;
  if (is_rule(t, def)) {
    def->kind = TABLE_RULE;
    def->value = MEM_NEW(expr *, 1);
    def->values = 1;
    return expression(p, &def->value[0]);
  }
  def->kind = at_generator(p, def->generator) ? TABLE_GENERATED : TABLE_LIST;
  if (def->kind == TABLE_GENERATED)
    return generator(p, def, &room);
  def->generator[0] = '\0';
  return table_values(p, def, &room, 0);
}

static void clear_table_text(table_text *t)
{
  for (int r = 0; r < CDAG_RANK; r++)
    expr_free(t->size[r]);
  for (int i = 0; i < t->values; i++)
    expr_free(t->value[i]);
  mem_free(t->value);
}

/* A table becomes visible after its own definition. */
static status table(parser *p)
{
  cdag *g = p->g;
  if (g->tables == TABLES)
    return lex_error(&p->in, p->d, "syntax", "there are more than %d tables", TABLES);
  table_text def = { .line = p->in.now.line, .column = p->in.now.column };
  expr_table t = { .rank = 0 };
  char name[CDAG_NAME];
  status st = new_name(p, name);
  p->var = def.var;
  if (st == OK)
    st = lex_expect(&p->in, '[', p->d);
  if (st == OK)
    do
      st = table_dimension(p, &t, &def);
    while (st == OK && lex_accept(&p->in, ','));
  if (st == OK)
    st = lex_expect(&p->in, ']', p->d);
  if (st == OK)
    st = lex_expect(&p->in, '=', p->d);
  if (st == OK)
    st = table_body(p, &t, &def);
  p->vars = 0;
  if (st != OK) {
    clear_table_text(&def);
    return st;
  }
  g->table = mem_room(g->table, (size_t)g->tables, &p->table_room, sizeof *g->table);
  p->p->table = mem_room(p->p->table, (size_t)g->tables, &p->text_room, sizeof *p->p->table);
  t.name = mem_text(name);
  p->p->table[g->tables] = def;
  g->table[g->tables++] = t;
  return OK;
}

/* ---- statements ---- */

static status statement(parser *p)
{
  if (lex_accept_word(&p->in, "param"))
    return param(p);
  if (lex_accept_word(&p->in, "table"))
    return table(p);
  if (lex_accept_word(&p->in, "output"))
    return output(p);
  if (lex_accept_word(&p->in, "input"))
    return declarations(p, true, lex_accept_word(&p->in, "output"));
  if (p->in.now.kind != LEX_NAME)
    return lex_unexpected(&p->in, "param, table, input, output or the name of an array", p->d);
  return declarations(p, false, false);
}

static status statements(parser *p)
{
  status st = OK;
  while (st == OK && p->in.now.kind != LEX_END) {
    if (p->in.now.kind == LEX_LINE) {
      lex_next(&p->in);
      continue;
    }
    st = statement(p);
    if (st == OK && !at_line_end(p))
      st = lex_unexpected(&p->in, "the end of the line", p->d);
  }
  return st;
}

/* ---- at the end ---- */

static status wrong_rank(parser *p, int line, int column, const cdag_array *a, int found)
{
  return diag_at(p->d, BAD_INPUT, "index", p->p->file, line, column, "%s has %d %s, not %d", a->name, a->rank,
                 a->rank == 1 ? "index" : "indices", found);
}

static status unknown_array(parser *p, const reference *r, int line, int column)
{
  const char *names[ARRAYS];
  const char *meaning = what_is(p->g, r->name);
  for (int i = 0; i < p->g->arrays; i++)
    names[i] = p->g->array[i].name;
  if (meaning)
    return diag_at(p->d, BAD_INPUT, "name", p->p->file, line, column, "'%s' is %s, not an array", r->name, meaning);
  const char *near = diag_nearest(r->name, names, p->g->arrays);
  return diag_at(p->d, BAD_INPUT, "name", p->p->file, line, column, "there is no array '%s'%s%s%s", r->name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static status resolve_references(parser *p)
{
  for (size_t i = 0; i < p->references; i++) {
    const reference *r = &p->reference[i];
    cdag_term *t = r->term >= 0 ? &p->g->array[r->array].term[r->term] : NULL;
    cdag_selection *s = t ? NULL : &p->g->selection[r->array];
    int *array = t ? &t->array : &s->array, line = t ? t->line : s->line, column = t ? t->column : s->column;
    int rank = -1 - *array;
    *array = cdag_find_array(p->g, r->name);
    if (*array < 0)
      return unknown_array(p, r, line, column);
    const cdag_array *a = &p->g->array[*array];
    bool end = a->sums && rank == a->rank - a->sums;
    status st = end ? cdag_end_of_sum(p->g, a, t ? t->index : s->index, &rank, line, column, p->d) : OK;
    if (t)
      t->end_of_sum = end;
    if (st != OK)
      return st;
    if (a->rank != rank)
      return wrong_rank(p, line, column, a, rank);
  }
  return OK;
}

/* Several rules for one array: as many indices, and no sum. */
static status check_rules(parser *p)
{
  for (int i = 0; i < p->g->arrays; i++) {
    const cdag_array *a = &p->g->array[i], *first = &p->g->array[cdag_find_array(p->g, a->name)];
    if (a != first && (a->sums || first->sums))
      return diag_at(p->d, BAD_INPUT, "name", p->p->file, a->line, a->column,
                     "'%s' is already an array, and a sum is an array's only rule", a->name);
    if (a != first && a->terms == 0 && first->terms == 0 && a->line == first->line) /* twice in one list */
      return diag_at(p->d, BAD_INPUT, "name", p->p->file, a->line, a->column, "'%s' is already an array", a->name);
    if (a->rank != first->rank)
      return wrong_rank(p, a->line, a->column, first, a->rank);
    if (a != first)
      cdag_guard_table(p->g);
  }
  return OK;
}

/* Conditions and outputs of sums, in terms of the rest. */
static status desugar(parser *p)
{
  cdag *g = p->g;
  status st = OK;
  for (int i = 0; i < g->arrays; i++)
    for (int t = 0; t < g->array[i].terms; t++) {
      cdag_term *term = &g->array[i].term[t];
      if (term->guard)
        cdag_guard_term(g, term, &g->array[term->array], term->guard);
      term->guard = NULL;
    }
  for (int i = 0; i < g->arrays && st == OK; i++)
    if (g->array[i].sums && g->array[i].declared_output)
      st = cdag_output_of_sum(g, i, p->d);
  return st;
}

/* A loop variable may not be called like an array, table or parameter that came later in the text. */
static status check_variable(parser *p, const char *name, int line, int column)
{
  const char *meaning = name[0] ? what_is(p->g, name) : NULL;
  if (!meaning)
    return OK;
  return diag_at(p->d, BAD_INPUT, "name", p->p->file, line, column, "loop variable '%s' is also %s", name, meaning);
}

static status check_variables(parser *p)
{
  status st = OK;
  const cdag *g = p->g;
  for (int i = 0; i < g->arrays && st == OK; i++)
    for (int r = 0; r < g->array[i].rank && st == OK; r++)
      st = check_variable(p, g->array[i].var[r], p->p->var_place[i][r].line, p->p->var_place[i][r].column);
  for (int i = 0; i < g->tables && st == OK; i++)
    for (int r = 0; r < g->table[i].rank && st == OK; r++)
      st = check_variable(p, p->p->table[i].var[r], p->p->table[i].line, p->p->table[i].column);
  for (int i = 0; i < g->selections && st == OK; i++)
    for (int r = 0; r < g->selection[i].vars && st == OK; r++)
      st = check_variable(p, g->selection[i].var[r], g->selection[i].line, g->selection[i].column);
  return st;
}

static void move_variables(expr *e, int params)
{
  if (!e)
    return;
  if (e->op == EXPR_SLOT && e->slot >= VARIABLE)
    e->slot += params - VARIABLE;
  for (int i = 0; i < e->nargs; i++)
    move_variables(e->arg[i], params);
}

static void move_index(cdag_index *x, int params)
{
  for (int r = 0; r < CDAG_RANK; r++) {
    move_variables(x[r].lo, params);
    move_variables(x[r].hi, params);
  }
}

static void move_all_variables(cdag *g)
{
  for (int i = 0; i < g->arrays; i++) {
    for (int r = 0; r < CDAG_RANK; r++) {
      move_variables(g->array[i].lo[r], g->params);
      move_variables(g->array[i].hi[r], g->params);
    }
    for (int t = 0; t < g->array[i].terms; t++)
      move_index(g->array[i].term[t].index, g->params);
  }
  for (int i = 0; i < g->selections; i++) {
    move_index(g->selection[i].index, g->params);
    for (int r = 0; r < CDAG_RANK; r++) {
      move_variables(g->selection[i].var_lo[r], g->params);
      move_variables(g->selection[i].var_hi[r], g->params);
    }
  }
  for (int i = 0; i < g->tables; i++)
    if (g->priv->table[i].kind == TABLE_RULE)
      move_variables(g->priv->table[i].value[0], g->params);
}

static bool has_output(const cdag *g)
{
  for (int i = 0; i < g->arrays; i++)
    if (g->array[i].declared_output)
      return true;
  return g->selections > 0;
}

status cdag_parse_text(cdag *g, const char *source, diag *d)
{
  parser p = { .d = d, .g = g, .p = g->priv };
  p.scope = (expr_scope){ &p, resolve, scope_table, scope_table_at };
  lex_init(&p.in, g->priv->file, source, true);
  status st = statements(&p);
  if (st != OK)
    cdag_hint(&p.in, d);
  if (st == OK)
    st = resolve_references(&p);
  if (st == OK)
    st = check_variables(&p);
  if (st == OK)
    st = check_rules(&p);
  if (st == OK)
    cdag_pass_on_sums(g);
  if (st == OK)
    st = desugar(&p);
  if (st == OK && !has_output(g))
    st = diag_at(d, BAD_INPUT, "cdag", g->priv->file, p.in.now.line, p.in.now.column,
                 "nothing is an output: write 'output' before a rule, or 'output X[...]' on a line of its own");
  move_all_variables(g);
  mem_free(p.reference);
  return st;
}
