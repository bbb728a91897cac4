/* pointer.c -- pointers to places of arrays, and memory that is had and given back. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>

const alias *c_find_pointer(const reader *r, const char *name)
{
  for (int i = r->aliases - 1; i >= 0; i--)
    if (strcmp(r->alias[i].name, name) == 0)
      return r->alias[i].value || r->alias[i].count ? NULL : &r->alias[i];
  return NULL;
}

static node *integer_at(reader *r, const node *e, int64_t value)
{
  token t = { .line = e->line, .column = e->column, .value = value };
  return c_new_node(r, N_INTEGER, &t);
}

node *c_binary(reader *r, node *a, const char *sign, node *b)
{
  token t = { .line = b->line, .column = b->column };
  bool product = *sign == '*', sum = *sign == '+' || *sign == '-';
  if (b->kind == N_INTEGER && (product || sum) && b->value == product)
    return a;
  if (a->kind == N_INTEGER && (product || *sign == '+') && a->value == product)
    return b;
  node *e = c_new_node(r, N_BINARY, &t);
  snprintf(e->text, C_NAME, "%s", sign);
  e->n = 2;
  e->arg[0] = a;
  e->arg[1] = b;
  return e;
}

static node *copy_of(reader *r, const node *e)
{
  token t = { .line = e->line, .column = e->column, .value = e->value };
  memcpy(t.text, e->text, C_NAME);
  node *copy = c_new_node(r, e->kind, &t);
  copy->n = e->n;
  memcpy(copy->arg, e->arg, sizeof e->arg);
  copy->side = e->side;
  return copy;
}

/* An element or a row of an array whose indices, so far, are those of e and one that counts on from 0. */
static node *first_of(reader *r, const node *e)
{
  int a = c_find_array(r->n, e->text);
  if (a < 0 || r->n->array[a].rank <= e->n)
    return NULL;
  node *place = copy_of(r, e);
  place->kind = N_INDEX;
  place->arg[place->n++] = integer_at(r, e, 0);
  return place;
}

node *c_pointed_at(reader *r, const node *e)
{
  const alias *p = e->kind == N_NAME ? c_find_pointer(r, e->text) : NULL;
  if (p)
    return p->of;
  if (e->kind == N_NAME || e->kind == N_INDEX)
    return first_of(r, e);
  if (e->kind == N_UNARY && strcmp(e->text, "&") == 0 && e->arg[0]->kind == N_INDEX)
    return e->arg[0];
  bool plus = e->kind == N_BINARY && strcmp(e->text, "+") == 0;
  if (!plus && !(e->kind == N_BINARY && strcmp(e->text, "-") == 0))
    return NULL;
  node *left = c_pointed_at(r, e->arg[0]), *right = left || !plus ? NULL : c_pointed_at(r, e->arg[1]);
  if (!left && !right)
    return NULL;
  node *place = copy_of(r, left ? left : right);
  node **last = &place->arg[place->n - 1];
  *last = c_binary(r, *last, e->text, e->arg[left != NULL]);
  return place;
}

/* Has a name in e got another meaning since p was made? */
static bool rebound(const reader *r, const alias *p, const node *e)
{
  bool is = false;
  for (int i = (int)(p - r->alias) + 1; e->kind == N_NAME && i < r->aliases; i++)
    is = is || strcmp(r->alias[i].name, e->text) == 0;
  for (int i = p->loops; e->kind == N_NAME && i < r->loops; i++)
    is = is || strcmp(r->loop[i].name, e->text) == 0;
  for (int i = 0; i < e->n; i++)
    is = is || rebound(r, p, e->arg[i]);
  return is;
}

bool c_rebound(const reader *r, const alias *p) { return rebound(r, p, p->of); }

node *c_through_pointer(reader *r, node *e)
{
  const alias *p = e->kind == N_INDEX ? c_find_pointer(r, e->text) : NULL;
  if (!p || r->st != OK)
    return e;
  node *place = copy_of(r, p->of);
  if (c_rebound(r, p))
    c_refuse(r, e->line, e->column, "a name in the place that '%s' points at means another here", e->text);
  place->line = e->line;
  place->column = e->column;
  node **last = &place->arg[place->n - 1];
  *last = c_binary(r, *last, "+", e->arg[0]);
  for (int i = 1; i < e->n; i++) {
    if (place->n == C_RANK) {
      c_refuse(r, e->line, e->column, "%s has more than %d indices", e->text, C_RANK);
      return e;
    }
    place->arg[place->n++] = e->arg[i];
  }
  return place;
}

static bool is_call(const node *e, const char *const *names)
{
  for (int i = 0; names[i] && e->kind == N_CALL; i++)
    if (strcmp(e->text, names[i]) == 0)
      return true;
  return false;
}

void c_pointer_declared(reader *r, const token *name, const c_array *x)
{
  static const char *const zeros[] = { "calloc", NULL };
  static const char *const any[] = { "malloc", "alloca", "aligned_alloc", "calloc", NULL };
  node *e = c_accept(r, "=") ? c_expression(r) : NULL;
  if (r->st != OK)
    return;
  if (!e || is_call(e, any)) {
    int a = c_add_array(r, name->text, name->line, name->column);
    r->n->array[a] = (c_array){ .integer = x->integer, .rank = x->rank, .line = name->line, .column = name->column };
    memcpy(r->n->array[a].name, x->name, C_NAME);
    memcpy(r->n->array[a].extent, x->extent, sizeof x->extent);
    r->n->array[a].extent[0] = NULL;
    if (e && is_call(e, zeros))
      c_fill(r, a, name);
    return;
  }
  node *place = c_pointed_at(r, e);
  if (!place)
    c_refuse(r, e->line, e->column, "'%s' is read where it points at a place of an array", name->text);
  else if (c_assignments(c_text_at(r), r->end, name->text) > c_swaps_of(r, name->text))
    c_refuse(r, name->line, name->column, "the pointer '%s' is read where it points at one place alone", name->text);
  else
    c_add_alias(r, name->text, place, NULL);
}

bool c_passed_over(reader *r)
{
  static const char *const nothing[] = { "free", "printf", "fprintf", "assert", NULL };
  static const char *const sets[] = { "memset", NULL };
  bool call = r->in.now.kind == T_NAME && *c_lex_ahead(&r->in) == '(';
  token t = r->in.now;
  node name = { .kind = N_CALL };
  memcpy(name.text, t.text, C_NAME);
  if (!call || (!is_call(&name, nothing) && !is_call(&name, sets)))
    return false;
  if (is_call(&name, nothing)) {
    c_next(r);
    c_skip_brackets(r);
  } else {
    node *e = c_expression(r);
    int a = r->st == OK && e->n == 3 && e->arg[0]->kind == N_NAME ? c_find_array(r->n, e->arg[0]->text) : -1;
    if (r->st == OK && (a < 0 || r->guards > 0))
      c_refuse(r, t.line, t.column, "memset is read where it fills a whole array");
    else if (r->st == OK)
      c_fill(r, a, &t);
  }
  c_expect(r, ";");
  return true;
}
