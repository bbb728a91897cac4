/* declare.c -- declarations: arrays and their lengths, parameters, words for affine forms. */
#include "cdag/import/c/reader.h"
#include <stdio.h>
#include <string.h>

static bool names_known(const reader *r, const node *e)
{
  bool known = e->kind != N_INDEX && (e->kind != N_NAME || c_is_integer_name(r, e->text));
  for (int i = 0; i < e->n && known; i++)
    known = names_known(r, e->arg[i]);
  return known;
}

/* NULL where the length is no affine form: then what is written tells it. */
static char *extent_text(reader *r, const node *e)
{
  text t = { 0 };
  status before = r->st;
  if (r->st != OK || !names_known(r, e) || c_has_loops(r, e) || !c_integral(r, e))
    return NULL;
  diag *d = r->d, none = { 0 };
  token now = r->in.now;
  r->d = &none;
  bool good = c_affine(r, e, &t);
  r->d = d;
  r->st = before;
  r->in.now = now;
  char *s = c_nest_keep_text(r->n, &t);
  return good ? s : NULL;
}

/* PolyBench's POLYBENCH_2D(A,N,M,n,m): its sizes are the last. */
static bool polybench(reader *r, const node *e, int a)
{
  int rank = e->text[10] - '0';
  c_array *x = &r->n->array[a];
  if (e->n != 1 + 2 * rank || e->arg[0]->kind != N_NAME)
    return c_refuse(r, e->line, e->column, "%s needs %d arguments", e->text, 1 + 2 * rank);
  snprintf(x->name, C_NAME, "%s", e->arg[0]->text);
  x->rank = rank;
  for (int i = 0; i < rank; i++)
    x->extent[i] = extent_text(r, e->arg[1 + rank + i]);
  return true;
}

/* [n][restrict m][] */
static void lengths(reader *r, c_array *x)
{
  while (r->st == OK && c_accept(r, "[")) {
    while (c_is_type(r))
      c_next(r);
    node *e = c_at(r, "]") ? NULL : c_expression(r);
    c_expect(r, "]");
    if (x->rank == C_RANK)
      c_refuse(r, r->in.now.line, r->in.now.column, "%s has more than %d indices", x->name, C_RANK);
    else if (r->st == OK)
      x->extent[x->rank++] = e ? extent_text(r, e) : NULL;
  }
}

int c_pointers(reader *r)
{
  int n = 0;
  for (; c_at(r, "*") || c_is_type(r); c_next(r))
    n += c_at(r, "*");
  return n;
}

static bool is_parameter(const reader *r, const token *t)
{
  bool set = c_at(r, "=") && r->loops == 0 && !r->guards && !r->conditions;
  return r->global || (set && c_assignments(c_text_at(r), r->end, t->text) == 0);
}

/* int x = e; a parameter, a word for an affine form, or data. */
static bool integer_declared(reader *r, const token *t)
{
  bool alone = !c_at(r, "[") && !c_at(r, "(");
  if (!alone || (!r->global && !c_at(r, "=")))
    return false;
  bool once = is_parameter(r, t), changes = !r->global && c_assignments(c_text_at(r), r->end, t->text) > 0;
  if (changes)
    return c_counter_begins(r, t);
  node *value = c_accept(r, "=") ? c_expression(r) : NULL;
  if (value && !c_integral(r, value)) {
    int a = c_add_array(r, t->text, t->line, t->column);
    token name = *t;
    name.kind = T_NAME;
    if (r->global)
      c_refuse(r, t->line, t->column, "the value of '%s' is no number", t->text);
    else if (a >= 0 && r->st == OK)
      c_assignment(r, c_new_node(r, N_NAME, &name), "=", value);
    return true;
  }
  if (value && !(once && value->kind == N_INTEGER))
    c_add_affine_alias(r, t->text, value);
  else
    c_nest_param(r->n, t->text, value != NULL, value ? value->value : 0);
  return true;
}

/* Element `at` of array a is e; numbers are constants, as all of the array is before. */
static void value_at(reader *r, int a, const token *name, const int64_t *at, int depth, const node *e)
{
  node *left = c_new_node(r, N_INDEX, name);
  token t = *name;
  if (e->kind == N_REAL || c_constant(e))
    return;
  if (depth != r->n->array[a].rank) {
    c_refuse(r, e->line, e->column, "data in a list of values stands between as many braces as %s has indices",
             name->text);
    return;
  }
  for (int i = 0; i < depth; i++) {
    t.value = at[i];
    left->arg[left->n++] = c_new_node(r, N_INTEGER, &t);
  }
  c_assignment(r, left, "=", e);
}

/* { 1, 2, x } or { { 1, 2 }, { x, y } } */
static void list_of_values(reader *r, int a, const token *name, int64_t *at, int depth)
{
  token t = r->in.now;
  if (depth == C_RANK) {
    c_refuse(r, t.line, t.column, "%s has more than %d indices", name->text, C_RANK);
    return;
  }
  c_expect(r, "{");
  for (at[depth] = 0; r->st == OK && !c_at(r, "}"); at[depth]++) {
    if (c_at(r, "{"))
      list_of_values(r, a, name, at, depth + 1);
    else
      value_at(r, a, name, at, depth + 1, c_expression(r));
    if (!c_accept(r, ","))
      break;
  }
  c_expect(r, "}");
}

/* = { 1, 2, 3 }.  What is global may have got other values before the nest. */
static void values(reader *r, int a, const token *name)
{
  int64_t at[C_RANK];
  bool list = c_at(r, "{");
  if (!list || r->global) {
    if (list)
      c_lex_skip(&r->in, c_lex_behind(r->in.now.rest));
    c_next(r);
    return;
  }
  c_fill(r, a, name);
  if (c_push_place(r, "1")) {
    list_of_values(r, a, name, at, 0);
    r->places--;
  }
}

void c_declarator(reader *r, bool integer)
{
  int stars = c_pointers(r);
  bool brackets = c_accept(r, "(");
  stars += brackets ? c_pointers(r) : 0;
  token t = r->in.now;
  if (t.kind != T_NAME) {
    c_refuse(r, t.line, t.column, "expected a name, found %s", c_found(r));
    return;
  }
  c_next(r);
  if (brackets)
    c_expect(r, ")");
  if (r->st != OK || (integer && stars == 0 && integer_declared(r, &t)))
    return;
  if (stars > 0 && !r->global) {
    c_array x = { .integer = integer, .rank = stars };
    snprintf(x.name, C_NAME, "%s", t.text);
    lengths(r, &x);
    c_pointer_declared(r, &t, &x);
    return;
  }
  int a = c_add_array(r, t.text, t.line, t.column);
  r->n->array[a].integer = integer;
  if (c_at(r, "(")) {
    c_next(r);
    node *e = c_new_node(r, N_CALL, &t);
    c_arguments(r, e, ")");
    if (strncmp(e->text, "POLYBENCH_", 10) == 0 && e->text[10] >= '1' && e->text[10] <= '5')
      polybench(r, e, a);
    else
      c_refuse(r, t.line, t.column, "expected a declaration, found a call of %s", t.text);
    return;
  }
  r->n->array[a].rank = stars;
  lengths(r, &r->n->array[a]);
  if (r->st == OK && r->n->array[a].rank == 0 && c_accept(r, "=")) {
    node *left = c_new_node(r, N_NAME, &t);
    c_assignment(r, left, "=", c_expression(r));
  } else if (c_accept(r, "="))
    values(r, a, &t);
}

bool c_types(reader *r)
{
  bool integer = false;
  while (c_is_some_type(r)) {
    integer = integer || c_is_integer_type(r);
    c_next(r);
  }
  if (r->in.now.kind == T_NAME && *c_lex_ahead(&r->in) == '*') /* real *x: a type of the caller's */
    c_next(r);
  return integer;
}

void c_declaration(reader *r)
{
  bool integer = c_types(r);
  int k = 0;
  do { /* float m = x, r = 2 * m; one after the other */
    char place[16];
    snprintf(place, sizeof place, "%d", k++);
    bool room = !r->global && c_push_place(r, place);
    c_declarator(r, integer);
    r->places -= room;
  } while (r->st == OK && c_accept(r, ","));
  c_expect(r, ";");
}

void c_parameters(reader *r)
{
  bool before = r->global;
  r->global = true;
  if (c_at(r, "void") && *c_lex_ahead(&r->in) == ')')
    c_next(r);
  while (r->st == OK && !c_at(r, ")")) {
    c_declarator(r, c_types(r));
    if (!c_accept(r, ","))
      break;
  }
  r->global = before;
  c_expect(r, ")");
}
