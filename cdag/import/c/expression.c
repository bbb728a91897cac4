/* expression.c -- tokens and expressions.  Depth: that of the text, which is limited. */
#include "cdag/import/c/reader.h"
#include "base/mem.h"
#include <ctype.h>
#include <string.h>

void c_next(reader *r)
{
  if (r->st != OK)
    return;
  c_lex_next(&r->in);
  if (r->in.trouble)
    c_refuse(r, r->in.now.line, r->in.now.column, "%s", r->in.trouble);
}

bool c_at(const reader *r, const char *s)
{
  return (r->in.now.kind == T_NAME || r->in.now.kind == T_SIGN) && strcmp(r->in.now.text, s) == 0;
}

bool c_accept(reader *r, const char *s)
{
  bool there = c_at(r, s);
  if (there)
    c_next(r);
  return there;
}

const char *c_found(const reader *r)
{
  return r->in.now.kind == T_END                                   ? "the end of the text"
         : r->in.now.kind == T_PRAGMA                              ? "a pragma"
         : r->in.now.kind == T_INTEGER || r->in.now.kind == T_REAL ? "a number"
                                                                   : r->in.now.text;
}

bool c_expect(reader *r, const char *s)
{
  return r->st == OK &&
         (c_accept(r, s) || c_refuse(r, r->in.now.line, r->in.now.column, "expected '%s', found %s", s, c_found(r)));
}

/* ---- expressions ---- */

node *c_new_node(reader *r, node_kind kind, const token *t)
{
  node *e = c_keep(r->n, MEM_NEW(node, 1));
  e->kind = kind;
  e->line = t->line;
  e->column = t->column;
  e->value = t->value;
  memcpy(e->text, t->text, C_NAME);
  return e;
}

void c_arguments(reader *r, node *e, const char *close)
{
  while (r->st == OK && !c_at(r, close)) {
    if (e->n == ARGS) {
      c_refuse(r, r->in.now.line, r->in.now.column, "there are more than %d arguments here", ARGS);
      return;
    }
    e->arg[e->n++] = c_expression(r);
    if (!c_accept(r, ","))
      break;
  }
  c_expect(r, close);
}

void c_skip_brackets(reader *r)
{
  int depth = 0;
  if (r->in.inside == 0) {
    c_lex_skip(&r->in, c_lex_behind(r->in.now.rest));
    c_next(r);
    return;
  }
  do { /* of a macro */
    depth += c_at(r, "(") ? 1 : c_at(r, ")") ? -1 : 0;
    c_next(r);
  } while (r->st == OK && depth > 0 && r->in.now.kind != T_END);
}

/* sizeof(double), sizeof *p: a number. */
static node *size_of(reader *r, const token *t)
{
  if (c_at(r, "("))
    c_skip_brackets(r);
  else
    c_unary(r);
  return c_new_node(r, N_REAL, t);
}

static node *named(reader *r)
{
  token t = r->in.now;
  c_next(r);
  if (strcmp(t.text, "sizeof") == 0)
    return size_of(r, &t);
  if (c_accept(r, "(")) {
    node *e = c_new_node(r, N_CALL, &t);
    c_arguments(r, e, ")");
    return e;
  }
  node *e = c_new_node(r, c_at(r, "[") ? N_INDEX : N_NAME, &t);
  while (r->st == OK && c_accept(r, "[")) {
    if (e->n == C_RANK)
      c_refuse(r, t.line, t.column, "%s has more than %d indices", t.text, C_RANK);
    else {
      e->arg[e->n++] = c_expression(r);
      c_expect(r, "]");
    }
  }
  e = c_counted(r, c_through_pointer(r, e));
  token sign = r->in.now;
  if (c_accept(r, "++") || c_accept(r, "--")) {
    node *whole = c_new_node(r, N_UNARY, &sign);
    whole->arg[whole->n++] = e;
    return whole;
  }
  return e;
}

static bool is_one_of(const reader *r, const char *const *words)
{
  for (int i = 0; words[i]; i++)
    if (c_at(r, words[i]))
      return true;
  return false;
}

bool c_is_integer_type(const reader *r)
{
  static const char *const types[] = { "int",      "long",     "size_t",    "int64_t", "int32_t", "unsigned",
                                       "uint32_t", "uint64_t", "ptrdiff_t", "ssize_t", NULL };
  return is_one_of(r, types);
}

bool c_is_type(const reader *r)
{
  static const char *const types[] = { "void",       "short",        "char",     "float",   "double", "signed",
                                       "const",      "static",       "restrict", "inline",  "extern", "volatile",
                                       "struct",     "bool",         "register", "complex", "half",   "DATA_TYPE",
                                       "__restrict", "__restrict__", NULL };
  return c_is_integer_type(r) || is_one_of(r, types);
}

static bool begins_name(const char *s) { return isalpha((unsigned char)*s) || *s == '_'; }

bool c_is_some_type(const reader *r)
{
  return c_is_type(r) || (r->in.now.kind == T_NAME && begins_name(c_lex_ahead(&r->in)));
}

static node *primary(reader *r)
{
  token t = r->in.now;
  if (t.kind == T_INTEGER || t.kind == T_REAL) {
    c_next(r);
    return c_new_node(r, t.kind == T_INTEGER ? N_INTEGER : N_REAL, &t);
  }
  if (t.kind == T_NAME)
    return named(r);
  if (!c_accept(r, "(")) {
    c_refuse(r, t.line, t.column, "expected an expression, found %s", c_found(r));
    return c_new_node(r, N_INTEGER, &t);
  }
  if (c_is_type(r)) { /* a cast */
    while (c_is_type(r) || c_at(r, "*"))
      c_next(r);
    c_expect(r, ")");
    return c_unary(r);
  }
  node *e = c_expression(r);
  c_expect(r, ")");
  bool cast = e->kind == N_NAME && (r->in.now.kind == T_NAME || r->in.now.kind == T_INTEGER || c_at(r, "("));
  return cast ? c_unary(r) : e;
}

/* *p is p[0] */
static node *pointed_at(reader *r, const token *t)
{
  node *e = primary(r), *place = r->st == OK ? c_pointed_at(r, e) : NULL;
  if (r->st == OK && !place)
    c_refuse(r, t->line, t->column, "of pointers those to places of arrays are read");
  return place ? place : e;
}

node *c_unary(reader *r)
{
  token t = r->in.now;
  if (++r->depth > DEPTH)
    c_refuse(r, t.line, t.column, "this is nested too deeply");
  node *e;
  if (c_accept(r, "-") || c_accept(r, "!") || c_accept(r, "+") || c_accept(r, "~") || c_accept(r, "&")) {
    e = c_new_node(r, N_UNARY, &t);
    e->arg[e->n++] = c_unary(r);
  } else if (c_accept(r, "*"))
    e = pointed_at(r, &t);
  else
    e = primary(r);
  r->depth--;
  return e;
}

int c_level(const char *sign)
{
  static const char *const levels[][5] = {
    { "||" },       { "&&" },     { "|" },          { "^" }, { "&" }, { "==", "!=" }, { "<", "<=", ">", ">=" },
    { "<<", ">>" }, { "+", "-" }, { "*", "/", "%" }
  };
  for (int l = 0; l < L_ALL; l++)
    for (int i = 0; i < 5 && levels[l][i]; i++)
      if (strcmp(levels[l][i], sign) == 0)
        return l;
  return -1;
}

static node *binary(reader *r, int l)
{
  node *e = l == L_ALL ? c_unary(r) : binary(r, l + 1);
  while (l < L_ALL && r->st == OK && r->in.now.kind == T_SIGN && c_level(r->in.now.text) == l) {
    token t = r->in.now;
    c_next(r);
    node *whole = c_new_node(r, N_BINARY, &t);
    whole->n = 2;
    whole->arg[0] = e;
    whole->arg[1] = binary(r, l + 1);
    e = whole;
  }
  return e;
}

node *c_expression(reader *r)
{
  if (++r->depth > DEPTH)
    c_refuse(r, r->in.now.line, r->in.now.column, "this is nested too deeply");
  node *e = binary(r, 0);
  token t = r->in.now;
  if (r->st == OK && c_accept(r, "?")) {
    node *whole = c_new_node(r, N_CHOICE, &t);
    whole->n = 3;
    whole->arg[0] = e;
    whole->arg[1] = c_expression(r);
    c_expect(r, ":");
    whole->arg[2] = c_expression(r);
    e = whole;
  }
  r->depth--;
  return e;
}
