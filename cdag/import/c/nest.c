/* nest.c -- reading a loop nest: tokens, expressions, statements.  Depth: that of the text, which is limited. */
#include "cdag/import/c/nest.h"
#include "cdag/import/c/lex.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200, ARGS = 16, LOOPS = C_RANK, LEVELS = 64 };

typedef enum { N_INTEGER, N_REAL, N_NAME, N_INDEX, N_CALL, N_UNARY, N_BINARY, N_CHOICE } node_kind;
typedef struct node {
  node_kind kind;
  char text[C_NAME]; /* name, or sign */
  int64_t value;
  int n;
  struct node *arg[ARGS];
  int line, column;
} node;

typedef struct {
  char name[C_NAME];
  char *value; /* of the variable, affine */
  char *top;   /* of one that counts down: where it begins, if no other loop says so; or NULL */
} loop;
typedef struct {
  char name[C_NAME];
  char *value;
  node *of;
} alias; /* an integer that stands for an affine form */

typedef struct {
  const char *file;
  c_lexer in;
  int depth;
  diag *d;
  status st;
  c_nest *n;
  const cdag *like;       /* or NULL: its parameters have values */
  const char *body, *end; /* of the function */
  bool rows;              /* a[i*n + j] is read as a[i][j] */
  bool global, whole;     /* declarations outside of functions; no scop is marked */
  int loops;
  loop loop[LOOPS];
  int conditions;
  char *condition[LEVELS];
  int places;
  char *place[2 * LEVELS];
  int aliases;
  alias *alias;
  int whens, guards; /* conditions inside of the expression at hand; on data, around the statement */
  char *when[LEVELS];
  node *guard[LEVELS];
  bool loop_body; /* the statement that comes is a loop's */
  char *skipped;  /* or NULL: where a `continue` was just read */
} reader;

static void *keep(c_nest *n, void *block)
{
  n->block = mem_room(n->block, n->blocks, &n->room, sizeof *n->block);
  return n->block[n->blocks++] = block;
}

char *c_nest_keep_text(c_nest *n, text *t)
{
  char *s = mem_text(text_str(t));
  text_clear(t);
  return keep(n, s);
}

__attribute__((format(printf, 4, 5))) static bool refuse(reader *r, int line, int column, const char *format, ...)
{
  char message[300];
  va_list ap;
  va_start(ap, format);
  vsnprintf(message, sizeof message, format, ap);
  va_end(ap);
  if (r->st == OK)
    r->st = diag_at(r->d, BAD_INPUT, "import", r->file, line, column, "%s", message);
  r->in.now.kind = T_END;
  return false;
}

static c_param *find_param(const c_nest *n, const char *name)
{
  for (int i = 0; i < n->params; i++)
    if (strcmp(n->param[i].name, name) == 0)
      return &n->param[i];
  return NULL;
}

c_param *c_nest_param(c_nest *n, const char *name, bool given, int64_t value)
{
  c_param *old = find_param(n, name);
  if (!old) {
    n->param = mem_grow(n->param, (size_t)n->params + 1, sizeof *n->param);
    old = &n->param[n->params++];
    *old = (c_param){ .given = false };
    snprintf(old->name, C_NAME, "%s", name);
  }
  old->given = given;
  old->value = value;
  return old;
}

static void next(reader *r)
{
  if (r->st != OK)
    return;
  c_lex_next(&r->in);
  if (r->in.trouble)
    refuse(r, r->in.now.line, r->in.now.column, "%s", r->in.trouble);
}

static bool at(const reader *r, const char *s)
{
  return (r->in.now.kind == T_NAME || r->in.now.kind == T_SIGN) && strcmp(r->in.now.text, s) == 0;
}

static bool accept(reader *r, const char *s)
{
  bool there = at(r, s);
  if (there)
    next(r);
  return there;
}

static const char *found(const reader *r)
{
  return r->in.now.kind == T_END                                   ? "the end of the text"
         : r->in.now.kind == T_PRAGMA                              ? "a pragma"
         : r->in.now.kind == T_INTEGER || r->in.now.kind == T_REAL ? "a number"
                                                                   : r->in.now.text;
}

static bool expect(reader *r, const char *s)
{
  return r->st == OK &&
         (accept(r, s) || refuse(r, r->in.now.line, r->in.now.column, "expected '%s', found %s", s, found(r)));
}

/* ---- expressions ---- */

static node *new_node(reader *r, node_kind kind, const token *t)
{
  node *e = keep(r->n, MEM_NEW(node, 1));
  e->kind = kind;
  e->line = t->line;
  e->column = t->column;
  e->value = t->value;
  memcpy(e->text, t->text, C_NAME);
  return e;
}

static node *expression(reader *r);

static void arguments(reader *r, node *e, const char *close)
{
  while (r->st == OK && !at(r, close)) {
    if (e->n == ARGS) {
      refuse(r, r->in.now.line, r->in.now.column, "there are more than %d arguments here", ARGS);
      return;
    }
    e->arg[e->n++] = expression(r);
    if (!accept(r, ","))
      break;
  }
  expect(r, close);
}

static node *named(reader *r)
{
  token t = r->in.now;
  next(r);
  if (accept(r, "(")) {
    node *e = new_node(r, N_CALL, &t);
    arguments(r, e, ")");
    return e;
  }
  node *e = new_node(r, at(r, "[") ? N_INDEX : N_NAME, &t);
  while (r->st == OK && accept(r, "[")) {
    if (e->n == C_RANK)
      refuse(r, t.line, t.column, "%s has more than %d indices", t.text, C_RANK);
    else {
      e->arg[e->n++] = expression(r);
      expect(r, "]");
    }
  }
  token sign = r->in.now;
  if (accept(r, "++") || accept(r, "--")) {
    node *whole = new_node(r, N_UNARY, &sign);
    whole->arg[whole->n++] = e;
    return whole;
  }
  return e;
}

static bool is_one_of(const reader *r, const char *const *words)
{
  for (int i = 0; words[i]; i++)
    if (at(r, words[i]))
      return true;
  return false;
}

static bool is_integer_type(const reader *r)
{
  static const char *const types[] = { "int",      "long",     "size_t",    "int64_t", "int32_t", "unsigned",
                                       "uint32_t", "uint64_t", "ptrdiff_t", "ssize_t", NULL };
  return is_one_of(r, types);
}

static bool is_type(const reader *r)
{
  static const char *const types[] = { "void",       "short",        "char",     "float",   "double", "signed",
                                       "const",      "static",       "restrict", "inline",  "extern", "volatile",
                                       "struct",     "bool",         "register", "complex", "half",   "DATA_TYPE",
                                       "__restrict", "__restrict__", NULL };
  return is_integer_type(r) || is_one_of(r, types);
}

static bool begins_name(const char *s) { return isalpha((unsigned char)*s) || *s == '_'; }

/* Two names beside one another: the first is a type. */
static bool is_some_type(const reader *r)
{
  return is_type(r) || (r->in.now.kind == T_NAME && begins_name(c_lex_ahead(&r->in)));
}

static node *unary(reader *r);

static node *primary(reader *r)
{
  token t = r->in.now;
  if (t.kind == T_INTEGER || t.kind == T_REAL) {
    next(r);
    return new_node(r, t.kind == T_INTEGER ? N_INTEGER : N_REAL, &t);
  }
  if (t.kind == T_NAME)
    return named(r);
  if (!accept(r, "(")) {
    refuse(r, t.line, t.column, "expected an expression, found %s", found(r));
    return new_node(r, N_INTEGER, &t);
  }
  if (is_type(r)) { /* a cast */
    while (is_type(r) || at(r, "*"))
      next(r);
    expect(r, ")");
    return unary(r);
  }
  node *e = expression(r);
  expect(r, ")");
  bool cast = e->kind == N_NAME && (r->in.now.kind == T_NAME || r->in.now.kind == T_INTEGER || at(r, "("));
  return cast ? unary(r) : e;
}

/* *p is p[0] */
static node *pointed_at(reader *r, const token *t)
{
  node *e = primary(r), *whole = new_node(r, N_INTEGER, t);
  whole->value = 0;
  if (r->st == OK && e->kind != N_NAME)
    refuse(r, t->line, t->column, "of pointers only *name is read");
  e->kind = N_INDEX;
  e->arg[0] = whole;
  e->n = 1;
  return e;
}

static node *unary(reader *r)
{
  token t = r->in.now;
  if (++r->depth > DEPTH)
    refuse(r, t.line, t.column, "this is nested too deeply");
  node *e;
  if (accept(r, "-") || accept(r, "!") || accept(r, "+") || accept(r, "~")) {
    e = new_node(r, N_UNARY, &t);
    e->arg[e->n++] = unary(r);
  } else if (accept(r, "*"))
    e = pointed_at(r, &t);
  else
    e = primary(r);
  r->depth--;
  return e;
}

enum { L_OR, L_AND, L_EQUAL = 5, L_ORDER, L_SHIFT, L_SUM, L_PRODUCT, L_ALL };

static int level(const char *sign)
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
  node *e = l == L_ALL ? unary(r) : binary(r, l + 1);
  while (l < L_ALL && r->st == OK && r->in.now.kind == T_SIGN && level(r->in.now.text) == l) {
    token t = r->in.now;
    next(r);
    node *whole = new_node(r, N_BINARY, &t);
    whole->n = 2;
    whole->arg[0] = e;
    whole->arg[1] = binary(r, l + 1);
    e = whole;
  }
  return e;
}

static node *expression(reader *r)
{
  if (++r->depth > DEPTH)
    refuse(r, r->in.now.line, r->in.now.column, "this is nested too deeply");
  node *e = binary(r, 0);
  token t = r->in.now;
  if (r->st == OK && accept(r, "?")) {
    node *whole = new_node(r, N_CHOICE, &t);
    whole->n = 3;
    whole->arg[0] = e;
    whole->arg[1] = expression(r);
    expect(r, ":");
    whole->arg[2] = expression(r);
    e = whole;
  }
  r->depth--;
  return e;
}

/* ---- what is affine ---- */

static bool affine(reader *r, const node *e, text *out);

/* PolyBench's _PB_N is the parameter n, and so is N where nothing is called so. */
static const char *plain_name(const reader *r, const char *name, char *lower)
{
  const char *from = strncmp(name, "_PB_", 4) == 0 ? name + 4 : name;
  for (size_t i = 0; i <= strlen(from); i++)
    lower[i] = (char)tolower((unsigned char)from[i]);
  bool capitals = strspn(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(from);
  bool other = capitals && !find_param(r->n, name) && find_param(r->n, lower);
  return from > name && !find_param(r->n, name) ? lower : other ? lower : name;
}

static const alias *find_alias(const reader *r, const char *name)
{
  for (int i = r->aliases - 1; i >= 0; i--)
    if (strcmp(r->alias[i].name, name) == 0)
      return &r->alias[i];
  return NULL;
}

static const loop *find_loop(const reader *r, const char *name)
{
  for (int i = 0; i < r->loops; i++)
    if (strcmp(r->loop[i].name, name) == 0)
      return &r->loop[i];
  return NULL;
}

static bool affine_name(reader *r, const node *e, text *out)
{
  char lower[C_NAME];
  const char *name = plain_name(r, e->text, lower);
  const loop *l = find_loop(r, e->text);
  const alias *a = find_alias(r, e->text);
  c_param *p = find_param(r->n, name);
  if (l || a) {
    text_printf(out, "(%s)", l ? l->value : a->value);
    return true;
  }
  if (!p)
    return refuse(r, e->line, e->column, "'%s' is no loop variable and no integer parameter, so this is not affine",
                  e->text);
  text_printf(out, "p_%s", name);
  p->used = true;
  return true;
}

static bool constant(const node *e)
{
  bool sign = e->kind == N_UNARY && (!strcmp(e->text, "-") || !strcmp(e->text, "+"));
  return e->kind == N_INTEGER || (sign && constant(e->arg[0]));
}

static int64_t constant_value(const node *e)
{
  return e->kind == N_INTEGER ? e->value : e->text[0] == '-' ? -constant_value(e->arg[0]) : constant_value(e->arg[0]);
}

/* The value of e where it is made of numbers and of parameters that have values. */
static bool fixed_value(reader *r, const node *e, int64_t *value)
{
  char lower[C_NAME];
  int64_t a = 0, b = 0;
  if (constant(e)) {
    *value = constant_value(e);
    return true;
  }
  if (e->kind == N_NAME && !find_loop(r, e->text)) {
    const alias *of = find_alias(r, e->text);
    c_param *p = find_param(r->n, plain_name(r, e->text, lower));
    int known = p && r->like ? cdag_find_param(r->like, p->name) : -1;
    bool has = p && r->like && (known >= 0 || p->given);
    if (of || !has)
      return of && fixed_value(r, of->of, value);
    *value = known >= 0 ? r->like->param[known].value : p->value;
    p->used = p->fixed = true;
    p->value = *value;
    return true;
  }
  if (e->kind != N_BINARY || !strchr("+-*", e->text[0]) || e->text[1] || !fixed_value(r, e->arg[0], &a) ||
      !fixed_value(r, e->arg[1], &b))
    return false;
  return e->text[0] == '+' ? num_add(a, b, value) : e->text[0] == '-' ? num_sub(a, b, value) : num_mul(a, b, value);
}

/* isl wants the number first, and bare. */
static bool affine_product(reader *r, const node *e, text *out)
{
  int64_t by;
  bool first = constant(e->arg[0]) || (!constant(e->arg[1]) && fixed_value(r, e->arg[0], &by));
  if (!fixed_value(r, e->arg[!first], &by))
    return refuse(r, e->line, e->column,
                  "a product of variables is not affine; by a parameter it is read once that has a value");
  text_printf(out, "(%lld*(", (long long)by);
  bool good = affine(r, e->arg[first], out);
  text_add(out, "))");
  return good;
}

static char *joined(reader *r, char **part, int n, const char *by);

/* `wrong` must hold nowhere in the loops and under the conditions at hand: that is checked when all is known. */
static void claim(reader *r, const node *e, text *wrong, const char *message, bool rows)
{
  c_nest *n = r->n;
  text vars = { 0 };
  for (int i = 0; i < r->loops; i++)
    text_printf(&vars, "%sv_%s", i ? "," : "", r->loop[i].name);
  c_claim c = { c_nest_keep_text(n, &vars),
                joined(r, r->condition, r->conditions, " and "),
                c_nest_keep_text(n, wrong),
                message,
                rows,
                e->line,
                e->column };
  n->claim = mem_grow(n->claim, (size_t)n->claims + 1, sizeof *n->claim);
  n->claim[n->claims++] = c;
}

/* e / 2 or e % 2.  isl rounds down and C towards zero, so e must not be negative where it is read. */
static bool affine_quotient(reader *r, const node *e, text *out)
{
  SCOPED_TEXT left = { 0 };
  int64_t by = 0;
  bool good = (fixed_value(r, e->arg[1], &by) && by > 0) ||
              refuse(r, e->line, e->column, "'%s' by what is no positive number is not affine", e->text);
  good = good && affine(r, e->arg[0], &left);
  if (good) {
    text wrong = { 0 };
    text_printf(&wrong, "(%s) < 0", text_str(&left));
    if (e->text[0] == '/')
      text_printf(out, "floor((%s)/%lld)", text_str(&left), (long long)by);
    else
      text_printf(out, "((%s) mod %lld)", text_str(&left), (long long)by);
    claim(r, e, &wrong, "what is divided here may be negative; only of others a quotient or a remainder is read",
          false);
  }
  return good;
}

static bool affine_binary(reader *r, const node *e, text *out)
{
  char sign = e->text[0];
  if (!strcmp(e->text, "/") || !strcmp(e->text, "%"))
    return affine_quotient(r, e, out);
  if (strcmp(e->text, "+") && strcmp(e->text, "-") && strcmp(e->text, "*"))
    return refuse(r, e->line, e->column, "'%s' is not read in a bound or an index", e->text);
  if (sign == '*')
    return affine_product(r, e, out);
  text_char(out, '(');
  bool good = affine(r, e->arg[0], out);
  text_printf(out, " %c ", sign);
  good = good && affine(r, e->arg[1], out);
  text_char(out, ')');
  return good;
}

static bool same(const node *a, const node *b)
{
  bool equal = a->kind == b->kind && a->n == b->n && a->value == b->value && strcmp(a->text, b->text) == 0;
  for (int i = 0; i < a->n && equal; i++)
    equal = same(a->arg[i], b->arg[i]);
  return equal;
}

static bool affine_pair(reader *r, const char *what, const node *a, const node *b, text *out)
{
  text_printf(out, "%s(", what);
  bool good = affine(r, a, out);
  text_char(out, ',');
  good = good && affine(r, b, out);
  text_char(out, ')');
  return good;
}

/* min or max of two, and of which: as a call or as a choice, a < b ? a : b. */
static bool extreme_of(const node *e, bool *min, const node **a, const node **b)
{
  *min = !strcmp(e->text, "min") || !strcmp(e->text, "MIN");
  *a = e->arg[0];
  *b = e->arg[1];
  if (e->kind == N_CALL)
    return e->n == 2 && (*min || !strcmp(e->text, "max") || !strcmp(e->text, "MAX"));
  const node *c = e->arg[0];
  if (e->kind != N_CHOICE || c->kind != N_BINARY || (c->text[0] != '<' && c->text[0] != '>'))
    return false;
  bool straight = same(c->arg[0], e->arg[1]) && same(c->arg[1], e->arg[2]);
  bool crossed = same(c->arg[0], e->arg[2]) && same(c->arg[1], e->arg[1]);
  *min = (c->text[0] == '<') == straight;
  *a = e->arg[1];
  *b = e->arg[2];
  return straight || crossed;
}

static bool affine_extreme(reader *r, const node *e, text *out)
{
  const node *a, *b;
  bool min;
  if (e->kind == N_CALL && e->n == 2 && strcmp(e->text, "POLYBENCH_LOOP_BOUND") == 0)
    return affine(r, e->arg[1], out);
  if (extreme_of(e, &min, &a, &b))
    return affine_pair(r, min ? "min" : "max", a, b, out);
  if (e->kind == N_CALL)
    return refuse(r, e->line, e->column, "%s(...) is not read in a bound or an index; min and max of two are", e->text);
  return refuse(r, e->line, e->column, "of choices in a bound or an index only those that make a min or max are read");
}

static bool affine(reader *r, const node *e, text *out)
{
  switch (e->kind) {
  case N_INTEGER: text_printf(out, "%lld", (long long)e->value); return true;
  case N_NAME: return affine_name(r, e, out);
  case N_BINARY: return affine_binary(r, e, out);
  case N_CHOICE:
  case N_CALL: return affine_extreme(r, e, out);
  case N_UNARY:
    if (strcmp(e->text, "-") && strcmp(e->text, "+"))
      break;
    text_printf(out, "(%s", e->text[0] == '-' ? "-" : "");
    bool good = affine(r, e->arg[0], out);
    text_char(out, ')');
    return good;
  case N_INDEX:
    return refuse(r, e->line, e->column, "%s[...] is data: a bound or an index that reads it is not affine", e->text);
  default: break;
  }
  return refuse(r, e->line, e->column, "this is not affine in loop variables and integer parameters");
}

static bool comparison(reader *r, const node *a, const char *sign, const node *b, text *out);

/* One side is the min or max of x and y: both comparisons hold, or one of them.  A bound of its own for each is what
   isl keeps in one piece. */
static bool compare_both(reader *r, const node *x, const node *y, const node *other, bool left, bool both,
                         const char *sign, text *out)
{
  text_char(out, '(');
  bool good = comparison(r, left ? x : other, sign, left ? other : x, out);
  text_add(out, both ? " and " : " or ");
  good = good && comparison(r, left ? y : other, sign, left ? other : y, out);
  text_char(out, ')');
  return good;
}

static bool comparison(reader *r, const node *a, const char *sign, const node *b, text *out)
{
  const node *x, *y;
  bool min, less = sign[0] == '<', ordered = less || sign[0] == '>';
  if (ordered && extreme_of(a, &min, &x, &y))
    return compare_both(r, x, y, b, true, min != less, sign, out);
  if (ordered && extreme_of(b, &min, &x, &y))
    return compare_both(r, x, y, a, false, min == less, sign, out);
  text_char(out, '(');
  bool good = affine(r, a, out);
  text_printf(out, " %s ", sign);
  good = good && affine(r, b, out);
  text_char(out, ')');
  return good;
}

static bool is_integer_name(const reader *r, const char *name)
{
  char lower[C_NAME];
  return find_loop(r, name) || find_alias(r, name) || find_param(r->n, plain_name(r, name, lower));
}

/* Is e made of numbers, loop variables and parameters alone? */
static bool integral(const reader *r, const node *e)
{
  static const char *const calls[] = { "min", "max", "MIN", "MAX", "POLYBENCH_LOOP_BOUND", NULL };
  bool is = e->kind == N_INTEGER || e->kind == N_UNARY || e->kind == N_BINARY || e->kind == N_CHOICE;
  is = is || (e->kind == N_NAME && is_integer_name(r, e->text));
  for (int i = 0; calls[i] && e->kind == N_CALL; i++)
    is = is || strcmp(calls[i], e->text) == 0;
  for (int i = 0; i < e->n && is; i++)
    is = integral(r, e->arg[i]);
  return is;
}

/* A condition, in isl's words. */
static bool condition(reader *r, const node *e, text *out)
{
  bool good;
  if (e->kind == N_UNARY && e->text[0] == '!') {
    text_add(out, "(not (");
    good = condition(r, e->arg[0], out);
    text_add(out, "))");
    return good;
  }
  int l = e->kind == N_BINARY ? level(e->text) : -1;
  if (l == L_EQUAL || l == L_ORDER)
    return comparison(r, e->arg[0], strcmp(e->text, "==") == 0 ? "=" : e->text, e->arg[1], out);
  if (l != L_AND && l != L_OR) {
    node zero = { .kind = N_INTEGER };
    return comparison(r, e, "!=", &zero, out);
  }
  text_char(out, '(');
  good = condition(r, e->arg[0], out);
  text_add(out, l == L_OR ? " or " : " and ");
  good = good && condition(r, e->arg[1], out);
  text_char(out, ')');
  return good;
}

static bool push_condition(reader *r, char *c, int line, int column)
{
  if (r->conditions == LEVELS)
    return refuse(r, line, column, "this is nested too deeply");
  r->condition[r->conditions++] = c;
  return true;
}

/* The condition e, or that it does not hold. */
static char *condition_text(reader *r, const node *e, bool holds)
{
  text t = { 0 };
  text_add(&t, holds ? "(" : "(not ");
  condition(r, e, &t);
  text_char(&t, ')');
  return c_nest_keep_text(r->n, &t);
}

/* ---- data ---- */

static int find_array(const c_nest *n, const char *name)
{
  for (int i = 0; i < n->arrays; i++)
    if (strcmp(n->array[i].name, name) == 0)
      return i;
  return -1;
}

static int add_array(reader *r, const char *name, int line, int column)
{
  c_nest *n = r->n;
  n->array = mem_grow(n->array, (size_t)n->arrays + 1, sizeof *n->array);
  n->array[n->arrays] = (c_array){ .outside = r->global, .line = line, .column = column };
  snprintf(n->array[n->arrays].name, C_NAME, "%s", name);
  return n->arrays++;
}

/* ---- arrays of rows one after the other: a[i*n + j] is a[i][j] ---- */

enum { TERMS = 32, FACTORS = 8 };
/* by * of * factor[0] * ...: the factors are parameters; of NULL: 1 */
typedef struct {
  int64_t by;
  const node *of;
  int factors;
  const node *factor[FACTORS];
} flat_term;
typedef struct {
  int n;
  flat_term term[TERMS];
} flat_sum;

static bool has_loops(const reader *r, const node *e)
{
  const alias *a = e->kind == N_NAME && !find_loop(r, e->text) ? find_alias(r, e->text) : NULL;
  bool some = (e->kind == N_NAME && find_loop(r, e->text)) || (a && has_loops(r, a->of));
  for (int i = 0; i < e->n; i++)
    some = some || has_loops(r, e->arg[i]);
  return some;
}

/* t, with e as a factor: numbers apart. */
static bool multiplied(flat_term *t, const node *e)
{
  if (constant(e))
    return num_mul(t->by, constant_value(e), &t->by);
  if (e->kind == N_BINARY && strcmp(e->text, "*") == 0)
    return multiplied(t, e->arg[0]) && multiplied(t, e->arg[1]);
  if (t->factors < FACTORS)
    t->factor[t->factors++] = e;
  return t->factors < FACTORS;
}

static bool add_terms(const reader *r, const node *e, flat_term t, flat_sum *s)
{
  bool sum = e->kind == N_BINARY && (!strcmp(e->text, "+") || !strcmp(e->text, "-"));
  bool product = e->kind == N_BINARY && strcmp(e->text, "*") == 0;
  if (sum || (e->kind == N_UNARY && strcmp(e->text, "-") == 0)) {
    if (sum && !add_terms(r, e->arg[0], t, s))
      return false;
    t.by = e->text[0] == '-' ? -t.by : t.by;
    return add_terms(r, e->arg[sum], t, s);
  }
  if (product && (!has_loops(r, e->arg[0]) || !has_loops(r, e->arg[1]))) {
    bool left = has_loops(r, e->arg[0]);
    return multiplied(&t, e->arg[left]) && add_terms(r, e->arg[!left], t, s);
  }
  bool number = constant(e);
  if (product || s->n == TERMS || (number && !multiplied(&t, e)))
    return false;
  t.of = number ? NULL : e;
  s->term[s->n++] = t;
  return true;
}

/* Are all of a's factors among b's?  Those of b that are left, in `rest`. */
static bool divides(const flat_term *a, const flat_term *b, flat_term *rest)
{
  *rest = *b;
  for (int i = 0; i < a->factors; i++) {
    int k = 0;
    while (k < rest->factors && !same(a->factor[i], rest->factor[k]))
      k++;
    if (k == rest->factors)
      return false;
    rest->factor[k] = rest->factor[--rest->factors];
  }
  return true;
}

/* A product of loop variables and parameters is in it. */
static bool is_flat(const reader *r, const node *e, const c_array *x)
{
  flat_sum s = { 0 };
  bool some = false, one = x->rank == 1 || x->strides > 0;
  bool good = r->rows && one && add_terms(r, e, (flat_term){ .by = 1 }, &s);
  for (int i = 0; i < s.n; i++)
    some = some || (s.term[i].factors > 0 && s.term[i].of);
  return good && (some || x->strides > 0);
}

/* The factors of one term as one expression. */
static node *product_of(reader *r, const flat_term *t, const node *at_node)
{
  token at_token = { .line = at_node->line, .column = at_node->column };
  node *e = new_node(r, N_INTEGER, &at_token);
  e->value = 1;
  for (int i = 0; i < t->factors; i++) {
    node *whole = new_node(r, N_BINARY, &at_token);
    snprintf(whole->text, C_NAME, "*");
    whole->n = 2;
    whole->arg[0] = e;
    whole->arg[1] = (node *)t->factor[i];
    e = i ? whole : whole->arg[1];
  }
  return e;
}

/* How long rows are, rows of rows, ...: the distinct products of factors of the sum, shortest first, each a multiple of
   the one before.  Their quotients go to x->stride. */
static bool find_strides(reader *r, const node *e, const flat_sum *s, c_array *x)
{
  flat_term before = { .by = 1 };
  int strides = 0;
  for (;;) {
    const flat_term *nearest = NULL;
    for (int i = 0; i < s->n; i++)
      if (s->term[i].factors > before.factors && (!nearest || s->term[i].factors < nearest->factors))
        nearest = &s->term[i];
    flat_term rest;
    if (!nearest)
      break;
    if (strides == C_RANK - 1 || !divides(&before, nearest, &rest))
      return refuse(r, e->line, e->column, "this index is not that of rows one after the other");
    node *by = product_of(r, &rest, e);
    if (strides == x->strides)
      x->stride[x->strides++] = by;
    else if (!same(x->stride[strides], by))
      return refuse(r, e->line, e->column, "rows of %s have another length elsewhere", x->name);
    strides++;
    before = *nearest;
  }
  x->rank = x->strides + 1;
  return true;
}

/* The sum of the terms with these factors, as isl's text. */
static bool put_place(reader *r, const flat_sum *s, const flat_term *factors, int *placed, text *out)
{
  flat_term rest;
  bool good = true;
  text_add(out, "(0");
  for (int i = 0; i < s->n && good; i++) {
    const flat_term *t = &s->term[i];
    if (t->factors != factors->factors || !divides(factors, t, &rest))
      continue;
    ++*placed;
    text_printf(out, " + %lld*", (long long)t->by);
    if (t->of) {
      text_char(out, '(');
      good = affine(r, t->of, out);
      text_char(out, ')');
    } else
      text_add(out, "1");
  }
  text_char(out, ')');
  return good;
}

/* An index by rows, rows of rows, ..., outermost first; each but the first is claimed to stay within its row. */
static bool flat_index(reader *r, const node *e, c_array *x, text *out, int *rank)
{
  flat_sum s = { 0 };
  bool good = add_terms(r, e, (flat_term){ .by = 1 }, &s) && find_strides(r, e, &s, x);
  char *place[C_RANK];
  int placed = 0;
  flat_term factors = { .by = 1 };
  for (int k = 0; k < x->rank && good; k++) {
    SCOPED_TEXT length = { 0 };
    text here = { 0 }, wrong = { 0 };
    good = put_place(r, &s, &factors, &placed, &here);
    place[k] = c_nest_keep_text(r->n, &here);
    if (k == x->strides)
      break;
    good = good && affine(r, x->stride[k], &length);
    text_printf(&wrong, "(%s < 0 or %s >= %s)", place[k], place[k], text_str(&length));
    claim(r, e, &wrong, "this index may leave its row", true);
    good = good && multiplied(&factors, x->stride[k]);
  }
  if (good && placed < s.n)
    good = refuse(r, e->line, e->column, "this index is not that of rows one after the other");
  for (int k = x->rank - 1; k >= 0 && good; k--)
    text_printf(out, "%s%s", place[k], k ? "," : "");
  *rank = x->rank;
  return good;
}

static char *joined(reader *r, char **part, int n, const char *by)
{
  text t = { 0 };
  for (int i = 0; i < n; i++)
    text_printf(&t, "%s%s", i ? by : "", part[i]);
  return c_nest_keep_text(r->n, &t);
}

static bool access_of(reader *r, const node *e, c_access *a)
{
  text index = { 0 };
  a->array = find_array(r->n, e->text);
  bool good = a->array >= 0 || refuse(r, e->line, e->column, "'%s' is not declared as data here", e->text);
  bool flat = good && e->n == 1 && is_flat(r, e->arg[0], &r->n->array[a->array]);
  int rank = good ? flat ? 1 : r->n->array[a->array].rank : 0;
  if (good && rank != e->n)
    good = refuse(r, e->line, e->column, "%s has %d indices, not %d", e->text, rank, e->n);
  if (flat)
    good = good && flat_index(r, e->arg[0], &r->n->array[a->array], &index, &a->rank);
  for (int i = 0; i < e->n && good && !flat; i++) {
    text_add(&index, i ? "," : "");
    good = affine(r, e->arg[i], &index);
    a->rank = e->n;
  }
  a->index = c_nest_keep_text(r->n, &index);
  a->when = joined(r, r->when, r->whens, " and ");
  return good;
}

/* Is a one of the reads already?  Then that is one where either is. */
static bool joined_read(reader *r, const c_access *a, c_statement *s)
{
  for (int i = 0; i < s->reads; i++) {
    c_access *b = &s->read[i];
    if (a->array != b->array || strcmp(a->index, b->index))
      continue;
    text when = { 0 };
    if (*a->when && *b->when)
      text_printf(&when, "((%s) or (%s))", a->when, b->when);
    b->when = c_nest_keep_text(r->n, &when);
    return true;
  }
  return false;
}

static bool reads_of(reader *r, const node *e, c_statement *s);

/* What e reads where `c` holds, or does not: a[i-1] of `i > 0 ? a[i-1] : 0`. */
static bool reads_when(reader *r, const node *c, bool holds, const node *e, c_statement *s)
{
  char *when = condition_text(r, c, holds);
  if (r->st != OK || !push_condition(r, when, e->line, e->column))
    return false;
  r->when[r->whens++] = when;
  bool good = reads_of(r, e, s);
  r->whens--;
  r->conditions--;
  return good;
}

/* All data that e reads. */
static bool reads_of(reader *r, const node *e, c_statement *s)
{
  bool good = true;
  if (e->kind == N_INDEX || (e->kind == N_NAME && !is_integer_name(r, e->text))) {
    c_access a = { .rank = 0 };
    good = access_of(r, e, &a);
    if (good && joined_read(r, &a, s))
      return true;
    s->read = mem_grow(s->read, (size_t)s->reads + 1, sizeof *s->read);
    s->read[s->reads] = a;
    s->reads += good;
    return good;
  }
  bool choice = e->kind == N_CHOICE && integral(r, e->arg[0]);
  int l = e->kind == N_BINARY ? level(e->text) : -1;
  if (choice)
    return reads_when(r, e->arg[0], true, e->arg[1], s) && reads_when(r, e->arg[0], false, e->arg[2], s);
  if ((l == L_AND || l == L_OR) && integral(r, e->arg[0]))
    return integral(r, e->arg[1]) || reads_when(r, e->arg[0], l == L_AND, e->arg[1], s);
  for (int i = 0; i < e->n && good; i++)
    good = reads_of(r, e->arg[i], s);
  return good;
}

/* ---- statements ---- */

/* Under conditions on data an element is written all the same: it may keep its value. */
static bool reads_of_assignment(reader *r, const node *left, const char *sign, const node *right, c_statement *s)
{
  bool keeps = r->guards > 0 || strcmp(sign, "=") != 0;
  bool good = (!keeps || reads_of(r, left, s)) && reads_of(r, right, s);
  for (int i = 0; i < r->guards && good; i++)
    good = reads_of(r, r->guard[i], s);
  return good;
}

static bool is_data(const reader *r, const node *e)
{
  return e->kind == N_INDEX || (e->kind == N_NAME && !is_integer_name(r, e->text));
}

static void assignment(reader *r, const node *left, const char *sign, const node *right);

static bool push_place(reader *r, const char *place)
{
  text t = { 0 };
  if (r->places >= 2 * LEVELS - 2)
    return refuse(r, r->in.now.line, r->in.now.column, "this is nested too deeply");
  text_add(&t, place);
  r->place[r->places++] = c_nest_keep_text(r->n, &t);
  return true;
}

/* x = c ? a : b, one of them a copy: as with an `if`. */
static void assign_choice(reader *r, const node *left, const node *right)
{
  for (int k = 0; k < 2 && r->st == OK; k++) {
    char *when = condition_text(r, right->arg[0], k == 0);
    if (same(left, right->arg[1 + k]) || r->st != OK || !push_condition(r, when, left->line, left->column))
      continue;
    if (push_place(r, k ? "1" : "0")) {
      assignment(r, left, "=", right->arg[1 + k]);
      r->places--;
    }
    r->conditions--;
  }
}

static void assignment(reader *r, const node *left, const char *sign, const node *right)
{
  bool plain = strcmp(sign, "=") == 0;
  if (plain && right->kind == N_CHOICE && r->guards == 0 && integral(r, right->arg[0]) &&
      (is_data(r, right->arg[1]) || is_data(r, right->arg[2]))) {
    assign_choice(r, left, right);
    return;
  }
  c_statement s = { .depth = r->loops, .line = left->line, .column = left->column, .places = r->places };
  for (int i = 0; i < r->loops; i++)
    memcpy(s.var[i], r->loop[i].name, C_NAME), s.top[i] = r->loop[i].top;
  s.domain = joined(r, r->condition, r->conditions, " and ");
  s.schedule = joined(r, r->place, r->places, ",");
  if (!access_of(r, left, &s.write) || !reads_of_assignment(r, left, sign, right, &s)) {
    mem_free(s.read);
    return;
  }
  s.copy = plain && r->guards == 0 && is_data(r, right);
  r->n->array[s.write.array].written = true;
  r->n->statement = mem_grow(r->n->statement, (size_t)r->n->statements + 1, sizeof *r->n->statement);
  r->n->statement[r->n->statements++] = s;
}

/* ---- integers that stand for affine forms ---- */

static const char *text_at(const reader *r) { return r->in.inside ? r->in.after[0] : r->in.at; }

/* How often the name is assigned to in s..end; declarations do not count. */
static int assignments(const char *s, const char *end, const char *name)
{
  int n = 0;
  const char *begin = s;
  while ((s = c_lex_find(s, end, name)) != NULL) {
    const char *before = s, *after = s + strlen(name);
    while (before > begin && strchr(" \t\r\n", before[-1]))
      before--;
    bool word = before > begin && (isalnum((unsigned char)before[-1]) || strchr("_,*", before[-1]));
    bool stepped = before > begin + 1 && before[-1] == before[-2] && strchr("+-", before[-1]);
    after += strspn(after, " \t\r\n");
    bool plain = after[0] == '=' && after[1] != '=', by = strchr("+-*/%|&", *after) && *after && after[1] == '=';
    bool steps = strchr("+-", *after) && *after && after[1] == *after;
    n += (!word && plain) || by || steps || stepped;
    s += strlen(name);
  }
  return n;
}

static bool add_alias(reader *r, const char *name, node *of)
{
  text value = { 0 };
  bool good = affine(r, of, &value);
  alias a = { .of = of };
  snprintf(a.name, C_NAME, "%s", name);
  a.value = c_nest_keep_text(r->n, &value);
  r->alias = mem_grow(r->alias, (size_t)r->aliases + 1, sizeof *r->alias);
  r->alias[r->aliases++] = a;
  return good;
}

static void statement(reader *r);

/* Statement number k of the body at hand. */
static void placed_statement(reader *r, int k)
{
  char place[16];
  snprintf(place, sizeof place, "%d", k);
  if (push_place(r, place)) {
    statement(r);
    r->places--;
  }
}

typedef struct {
  char name[C_NAME];
  int line, column;
  node *from, *end;
  int64_t by;
} header;

/* i++, i += 2, i = i - 1 ... */
static bool increment(reader *r, header *h)
{
  token t = r->in.now;
  if (accept(r, "++") || accept(r, "--")) {
    h->by = t.text[0] == '+' ? 1 : -1;
    return expect(r, h->name);
  }
  if (!expect(r, h->name))
    return false;
  t = r->in.now;
  if (accept(r, "++") || accept(r, "--")) {
    h->by = t.text[0] == '+' ? 1 : -1;
    return true;
  }
  bool long_way = accept(r, "=");
  if (long_way && !expect(r, h->name))
    return false;
  char sign = r->in.now.text[0];
  bool known = long_way ? accept(r, "+") || accept(r, "-") : accept(r, "+=") || accept(r, "-=");
  node *e = known ? expression(r) : NULL;
  if (r->st == OK && (!known || e->kind != N_INTEGER || e->value < 1))
    return refuse(r, t.line, t.column, "a loop's step is a positive number, added or taken away");
  h->by = known && r->st == OK ? (sign == '+' ? e->value : -e->value) : 1;
  return r->st == OK;
}

/* How much e grows when the variable does by one; false: it is not said. */
static bool growth(const node *e, const char *name, int64_t *by)
{
  int64_t a = 0, b = 0;
  *by = e->kind == N_NAME && strcmp(e->text, name) == 0;
  for (int i = 0; i < e->n; i++)
    if (!growth(e->arg[i], name, i ? &b : &a))
      return false;
  char sign = e->text[0];
  if (a == 0 && b == 0)
    return true;
  if (e->kind == N_UNARY && sign != '!')
    *by = sign == '-' ? -a : a;
  else if (e->kind == N_BINARY && (!strcmp(e->text, "+") || !strcmp(e->text, "-")))
    *by = sign == '-' ? a - b : a + b;
  else if (e->kind == N_BINARY && sign == '*' && (constant(e->arg[0]) || constant(e->arg[1])))
    *by = constant(e->arg[0]) ? constant_value(e->arg[0]) * b : a * constant_value(e->arg[1]);
  else
    return false;
  return true;
}

/* A loop goes on while all its comparisons hold: each is one that more iterations end, or says nothing of the
   variable. */
static bool ends_loop(reader *r, const header *h, node *e, bool *ended)
{
  int64_t a, b;
  if (e->kind == N_BINARY && strcmp(e->text, "&&") == 0)
    return ends_loop(r, h, e->arg[0], ended) && ends_loop(r, h, e->arg[1], ended);
  if (e->kind == N_BINARY && strcmp(e->text, "!=") == 0) /* or it would run away */
    snprintf(e->text, C_NAME, h->by > 0 ? "<" : ">");
  if (e->kind != N_BINARY || level(e->text) != L_ORDER)
    return refuse(r, e->line, e->column, "a loop ends by < <= > or >=, not %s", e->text);
  if (!growth(e->arg[0], h->name, &a) || !growth(e->arg[1], h->name, &b))
    return refuse(r, e->line, e->column, "this is not affine in %s", h->name);
  int64_t apart = e->text[0] == '<' ? a - b : b - a;
  if (apart && (apart > 0) != (h->by > 0))
    return refuse(r, h->line, h->column, "the loop over %s runs away from its end", h->name);
  *ended |= apart != 0;
  return true;
}

/* for (i = n; i-- > 0;) */
static bool ends_in_passing(reader *r, header *h)
{
  node *e = h->end;
  bool is = r->st == OK && at(r, ")") && e->kind == N_BINARY && strcmp(e->text, ">") == 0;
  node *by = is ? e->arg[0] : NULL;
  if (!by || by->kind != N_UNARY || strcmp(by->text, "--") || strcmp(by->arg[0]->text, h->name))
    return false;
  token t = { .line = e->line, .column = e->column };
  node *one = new_node(r, N_INTEGER, &t), *less = new_node(r, N_BINARY, &t);
  one->value = 1;
  less->text[0] = '-';
  less->n = 2;
  less->arg[0] = h->from;
  less->arg[1] = one;
  h->from = less;
  snprintf(e->text, C_NAME, ">=");
  e->arg[0] = by->arg[0];
  h->by = -1;
  return true;
}

static bool read_header(reader *r, header *h)
{
  bool ended = false;
  if (!expect(r, "("))
    return false;
  while (is_some_type(r))
    next(r);
  h->line = r->in.now.line;
  h->column = r->in.now.column;
  snprintf(h->name, C_NAME, "%s", r->in.now.text);
  if (r->in.now.kind != T_NAME)
    return refuse(r, h->line, h->column, "expected the variable of the loop, found %s", found(r));
  next(r);
  if (!expect(r, "="))
    return false;
  h->from = expression(r);
  if (!expect(r, ";"))
    return false;
  h->end = expression(r);
  if (!expect(r, ";") || !(ends_in_passing(r, h) || increment(r, h)) || !expect(r, ")") ||
      !ends_loop(r, h, h->end, &ended))
    return false;
  return ended || refuse(r, h->line, h->column, "nothing ends the loop over %s", h->name);
}

static char *affine_text(reader *r, const node *e)
{
  text t = { 0 };
  affine(r, e, &t);
  return c_nest_keep_text(r->n, &t);
}

/* A step of 1 or -1 keeps the variable; another counts the iterations. */
static void enter_loop(reader *r, const header *h)
{
  text value = { 0 }, inside = { 0 }, place = { 0 };
  bool unit = h->by == 1 || h->by == -1;
  node variable = { .kind = N_NAME, .line = h->line, .column = h->column };
  memcpy(variable.text, h->name, C_NAME);
  if (!unit) {
    text_add(&value, "(");
    affine(r, h->from, &value);
    text_printf(&value, ") + %lld*", (long long)h->by);
  }
  text_printf(&value, "v_%s", h->name);
  loop l = { .top = h->by == -1 && !has_loops(r, h->from) ? affine_text(r, h->from) : NULL };
  memcpy(l.name, h->name, C_NAME);
  l.value = c_nest_keep_text(r->n, &value);
  r->loop[r->loops++] = l;
  if (unit)
    comparison(r, &variable, h->by > 0 ? ">=" : "<=", h->from, &inside);
  else
    text_printf(&inside, "v_%s >= 0", h->name);
  text_add(&inside, " and ");
  condition(r, h->end, &inside);
  text_printf(&place, "%sv_%s", unit && h->by < 0 ? "-" : "", h->name);
  push_condition(r, c_nest_keep_text(r->n, &inside), h->line, h->column);
  r->place[r->places++] = c_nest_keep_text(r->n, &place);
}

static void for_loop(reader *r)
{
  header h = { .by = 1 };
  if (!read_header(r, &h))
    return;
  for (int i = 0; i < r->loops; i++)
    if (strcmp(r->loop[i].name, h.name) == 0)
      refuse(r, h.line, h.column, "'%s' is the variable of a loop around this one already", h.name);
  if (r->loops == LOOPS)
    refuse(r, h.line, h.column, "there are more than %d loops inside each other", LOOPS);
  if (r->places >= 2 * LEVELS - 2)
    refuse(r, h.line, h.column, "this is nested too deeply");
  if (r->st != OK)
    return;
  enter_loop(r, &h);
  r->loop_body = true;
  placed_statement(r, 0);
  r->places--;
  r->loops--;
  r->conditions--;
}

static void simple_statement(reader *r);

/* if (e) continue;  What follows in the loop's body is where e does not hold. */
static bool skips(reader *r, const node *e)
{
  const char *ahead = c_lex_ahead(&r->in);
  bool braces = at(r, "{") && strncmp(ahead, "continue", 8) == 0;
  if (!braces && !at(r, "continue"))
    return false;
  if (!integral(r, e))
    return refuse(r, e->line, e->column, "a condition that leaves iterations out is affine");
  if (braces)
    next(r);
  next(r);
  expect(r, ";");
  if (braces)
    expect(r, "}");
  r->skipped = condition_text(r, e, false);
  return true;
}

typedef struct {
  node *left, *right;
  char sign[4];
} one_assignment;

/* Is what comes an assignment, in brackets or not? */
static bool is_one_assignment(const reader *r)
{
  static const char *const control[] = { "for", "if", "while", "continue", "break", NULL };
  bool braces = at(r, "{");
  const char *s = braces ? c_lex_ahead(&r->in) : r->in.now.rest, *end = s + strcspn(s, ";{}=");
  for (int i = 0; control[i]; i++)
    if (c_lex_find(s, end, control[i]) == s)
      return false;
  bool is = r->in.inside == 0 && *end == '=';
  end += strcspn(end, ";{}");
  c_lexer behind = { .at = *end ? end + 1 : end };
  return is && *end == ';' && (!braces || *c_lex_ahead(&behind) == '}');
}

static void read_one_assignment(reader *r, one_assignment *a)
{
  bool braces = accept(r, "{");
  a->left = unary(r);
  snprintf(a->sign, sizeof a->sign, "%.3s", r->in.now.text);
  if (r->st == OK && !is_data(r, a->left))
    refuse(r, r->in.now.line, r->in.now.column, "this is no assignment to data");
  if (r->st == OK && !(accept(r, "=") || accept(r, "+=") || accept(r, "-=") || accept(r, "*=") || accept(r, "/=")))
    refuse(r, r->in.now.line, r->in.now.column, "expected an assignment, found %s", found(r));
  a->right = expression(r);
  expect(r, ";");
  if (braces)
    expect(r, "}");
}

/* Statement k, or the assignment a, under a condition on data. */
static void statement_under(reader *r, node *guard, const one_assignment *a, int k)
{
  if (r->guards == LEVELS) {
    refuse(r, guard->line, guard->column, "this is nested too deeply");
    return;
  }
  r->guard[r->guards++] = guard;
  if (!a)
    placed_statement(r, k);
  else if (r->st == OK && push_place(r, k == 1 ? "1" : "2")) {
    assignment(r, a->left, a->sign, a->right);
    r->places--;
  }
  r->guards--;
}

/* A word that holds what e says, for several assignments read it and some may change what e reads. */
static node *held(reader *r, const node *e)
{
  char name[C_NAME];
  token t = { .kind = T_NAME, .line = e->line, .column = e->column };
  snprintf(name, sizeof name, "if_%d", r->n->arrays);
  memcpy(t.text, name, C_NAME);
  bool before = r->global;
  r->global = false;
  int a = add_array(r, name, e->line, e->column);
  r->global = before;
  r->n->array[a].rank = 0;
  node *word = new_node(r, N_NAME, &t);
  int guards = r->guards;
  if (push_place(r, "0")) {
    r->guards = 0;
    assignment(r, word, "=", e);
    r->guards = guards;
    r->places--;
  }
  return word;
}

/* if (c) x = a; else x = b; */
static void assign_either(reader *r, node *e, const one_assignment *a, const one_assignment *b)
{
  token t = { .line = e->line, .column = e->column };
  node *choice = new_node(r, N_CHOICE, &t);
  choice->n = 3;
  choice->arg[0] = e;
  choice->arg[1] = a->right;
  choice->arg[2] = b->right;
  assignment(r, a->left, "=", choice);
}

/* An `if` on data: what it assigns reads the condition, and the old value. */
static void if_data(reader *r, node *e)
{
  one_assignment first, second;
  bool one = is_one_assignment(r), other, two;
  if (one)
    read_one_assignment(r, &first);
  other = one && accept(r, "else");
  two = other && is_one_assignment(r);
  if (two)
    read_one_assignment(r, &second);
  if (r->st != OK)
    return;
  if (two && same(first.left, second.left) && !strcmp(first.sign, "=") && !strcmp(second.sign, "=")) {
    assign_either(r, e, &first, &second);
    return;
  }
  node *guard = one && !other ? e : held(r, e);
  statement_under(r, guard, one ? &first : NULL, 1);
  if (other || (!one && accept(r, "else")))
    statement_under(r, guard, two ? &second : NULL, 2);
}

static void if_statement(reader *r)
{
  int line = r->in.now.line, column = r->in.now.column;
  expect(r, "(");
  node *e = expression(r);
  expect(r, ")");
  if (r->st != OK || skips(r, e) || r->st != OK)
    return;
  if (!integral(r, e)) {
    if_data(r, e);
    return;
  }
  char *when[2] = { condition_text(r, e, true), condition_text(r, e, false) };
  for (int k = 0; k < 2 && r->st == OK; k++) {
    if (k == 1 && !accept(r, "else"))
      break;
    int aliases = r->aliases;
    if (push_condition(r, when[k], line, column))
      placed_statement(r, k);
    r->aliases = aliases;
    r->conditions--;
  }
}

/* After `if (e) continue;` in the block of a loop. */
static void leave_out(reader *r, bool of_loop)
{
  if (!of_loop)
    refuse(r, r->in.now.line, r->in.now.column, "'continue' is read in the body of its loop alone");
  else
    push_condition(r, r->skipped, r->in.now.line, r->in.now.column);
  r->skipped = NULL;
}

static void block(reader *r, bool of_loop)
{
  int conditions = r->conditions, aliases = r->aliases;
  const char *end = r->end;
  r->end = text_at(r);
  for (int depth = 1; *r->end && depth > 0; r->end++)
    depth += *r->end == '{' ? 1 : *r->end == '}' ? -1 : 0;
  if (at(r, "}"))
    r->end = text_at(r);
  for (int k = 0; r->st == OK && !at(r, "}"); k++) {
    if (r->in.now.kind == T_END)
      refuse(r, r->in.now.line, r->in.now.column, "expected '}', found %s", found(r));
    else
      placed_statement(r, k);
    if (r->skipped)
      leave_out(r, of_loop);
  }
  r->conditions = conditions;
  r->aliases = aliases;
  r->end = end;
  expect(r, "}");
}

static void declaration(reader *r);

/* An integer that is assigned once in all, and affine, is none of the data. */
static bool is_alias(reader *r, const node *left, const node *right)
{
  int a = left->kind == N_NAME ? find_array(r->n, left->text) : -1;
  return a >= 0 && r->n->array[a].integer && r->loops > 0 && r->guards == 0 && integral(r, right) &&
         assignments(r->body, r->end, left->text) == 1;
}

/* a = b = e: from right to left. */
static void assign(reader *r, node *left, const char *sign)
{
  node *right = expression(r);
  token t = r->in.now;
  if (r->st == OK && accept(r, "=")) {
    bool room = push_place(r, "0");
    if (room && (right->kind == N_NAME || right->kind == N_INDEX))
      assign(r, right, "=");
    else if (room)
      refuse(r, t.line, t.column, "this is no assignment to data");
    if (r->st == OK) {
      r->places--;
      push_place(r, "1");
      assignment(r, left, sign, right);
    }
    r->places -= room;
  } else if (r->st == OK && strcmp(sign, "=") == 0 && is_alias(r, left, right))
    add_alias(r, left->text, right);
  else if (r->st == OK)
    assignment(r, left, sign, right);
}

static void simple_statement(reader *r)
{
  token t = r->in.now;
  node *left = unary(r);
  token sign = r->in.now;
  bool steps = left->kind == N_UNARY && (left->text[0] == left->text[1]);
  left = steps ? left->arg[0] : left;
  if (r->st == OK && left->kind != N_NAME && left->kind != N_INDEX)
    refuse(r, t.line, t.column, "this is no assignment to data");
  else if (r->st == OK && left->kind == N_NAME && is_integer_name(r, left->text))
    refuse(r, t.line, t.column, "'%s' steers loops or indices and cannot be assigned in the nest", left->text);
  else if (steps)
    assignment(r, left, "+=", new_node(r, N_INTEGER, &t));
  else if (accept(r, "=") || accept(r, "+=") || accept(r, "-=") || accept(r, "*=") || accept(r, "/="))
    assign(r, left, sign.text);
  else
    refuse(r, sign.line, sign.column, "expected an assignment, found %s", found(r));
  expect(r, ";");
}

/* return e;  The result is an output. */
static void result(reader *r)
{
  token t = r->in.now;
  if (r->loops > 0 || r->conditions > 0)
    refuse(r, t.line, t.column, "'return' is read at the end alone");
  node *e = r->st == OK ? expression(r) : NULL;
  snprintf(t.text, C_NAME, "result");
  for (int i = 1; find_array(r->n, t.text) >= 0 || is_integer_name(r, t.text); i++)
    snprintf(t.text, C_NAME, "result_%d", i);
  if (e && r->st == OK && !integral(r, e)) {
    int a = add_array(r, t.text, t.line, t.column);
    r->n->array[a].returned = true;
    t.kind = T_NAME;
    assignment(r, new_node(r, N_NAME, &t), "=", e);
  }
  expect(r, ";");
}

static void statement(reader *r)
{
  if (++r->depth > DEPTH)
    refuse(r, r->in.now.line, r->in.now.column, "this is nested too deeply");
  static const char *const control[] = { "while", "do", "switch", "goto", "break", "continue", NULL };
  for (int i = 0; control[i]; i++)
    if (at(r, control[i]))
      refuse(r, r->in.now.line, r->in.now.column, "'%s' is not read: control is 'for' and 'if' alone", control[i]);
  while (r->in.now.kind == T_PRAGMA && !r->whole && !strstr(r->in.now.text, "scop"))
    next(r);
  bool of_loop = r->loop_body;
  r->loop_body = false;
  if (r->st == OK && accept(r, "{"))
    block(r, of_loop);
  else if (r->st == OK && accept(r, "for"))
    for_loop(r);
  else if (r->st == OK && accept(r, "if"))
    if_statement(r);
  else if (r->st == OK && accept(r, "return"))
    result(r);
  else if (r->st == OK && is_some_type(r))
    declaration(r);
  else if (r->st == OK && !accept(r, ";"))
    simple_statement(r);
  r->depth--;
}

/* ---- declarations ---- */

static bool names_known(const reader *r, const node *e)
{
  bool known = e->kind != N_INDEX && (e->kind != N_NAME || is_integer_name(r, e->text));
  for (int i = 0; i < e->n && known; i++)
    known = names_known(r, e->arg[i]);
  return known;
}

/* NULL where the length is no affine form: then what is written tells it. */
static char *extent_text(reader *r, const node *e)
{
  text t = { 0 };
  status before = r->st;
  if (r->st != OK || !names_known(r, e) || has_loops(r, e) || !integral(r, e))
    return NULL;
  diag *d = r->d, none = { 0 };
  token now = r->in.now;
  r->d = &none;
  bool good = affine(r, e, &t);
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
    return refuse(r, e->line, e->column, "%s needs %d arguments", e->text, 1 + 2 * rank);
  snprintf(x->name, C_NAME, "%s", e->arg[0]->text);
  x->rank = rank;
  for (int i = 0; i < rank; i++)
    x->extent[i] = extent_text(r, e->arg[1 + rank + i]);
  return true;
}

/* [n][restrict m][] */
static void lengths(reader *r, c_array *x)
{
  while (r->st == OK && accept(r, "[")) {
    while (is_type(r))
      next(r);
    node *e = at(r, "]") ? NULL : expression(r);
    expect(r, "]");
    if (x->rank == C_RANK)
      refuse(r, r->in.now.line, r->in.now.column, "%s has more than %d indices", x->name, C_RANK);
    else if (r->st == OK)
      x->extent[x->rank++] = e ? extent_text(r, e) : NULL;
  }
}

/* A pointer is an index more. */
static int pointers(reader *r)
{
  int n = 0;
  for (; at(r, "*") || is_type(r); next(r))
    n += at(r, "*");
  return n;
}

static bool is_parameter(const reader *r, const token *t)
{
  bool set = at(r, "=") && r->loops == 0 && !r->guards && !r->conditions;
  return r->global || (set && assignments(text_at(r), r->end, t->text) == 0);
}

/* int x = e; a parameter, a word for an affine form, or data. */
static bool integer_declared(reader *r, const token *t)
{
  bool alone = !at(r, "[") && !at(r, "(");
  if (!alone || (!r->global && !at(r, "=")))
    return false;
  bool once = is_parameter(r, t), changes = !r->global && assignments(text_at(r), r->end, t->text) > 0;
  if (changes)
    return false;
  node *value = accept(r, "=") ? expression(r) : NULL;
  if (value && !integral(r, value)) {
    int a = add_array(r, t->text, t->line, t->column);
    token name = *t;
    name.kind = T_NAME;
    if (r->global)
      refuse(r, t->line, t->column, "the value of '%s' is no number", t->text);
    else if (a >= 0 && r->st == OK)
      assignment(r, new_node(r, N_NAME, &name), "=", value);
    return true;
  }
  if (value && !(once && value->kind == N_INTEGER))
    add_alias(r, t->text, value);
  else
    c_nest_param(r->n, t->text, value != NULL, value ? value->value : 0);
  return true;
}

/* = { 1, 2, 3 }: constants. */
static void skip_values(reader *r)
{
  if (at(r, "{"))
    c_lex_skip(&r->in, c_lex_behind(r->in.now.rest));
  next(r);
}

static void declarator(reader *r, bool integer)
{
  int stars = pointers(r);
  bool brackets = accept(r, "(");
  stars += brackets ? pointers(r) : 0;
  token t = r->in.now;
  if (t.kind != T_NAME) {
    refuse(r, t.line, t.column, "expected a name, found %s", found(r));
    return;
  }
  next(r);
  if (brackets)
    expect(r, ")");
  if (r->st != OK || (integer && stars == 0 && integer_declared(r, &t)))
    return;
  int a = add_array(r, t.text, t.line, t.column);
  r->n->array[a].integer = integer;
  if (at(r, "(")) {
    next(r);
    node *e = new_node(r, N_CALL, &t);
    arguments(r, e, ")");
    if (strncmp(e->text, "POLYBENCH_", 10) == 0 && e->text[10] >= '1' && e->text[10] <= '5')
      polybench(r, e, a);
    else
      refuse(r, t.line, t.column, "expected a declaration, found a call of %s", t.text);
    return;
  }
  r->n->array[a].rank = stars;
  lengths(r, &r->n->array[a]);
  if (r->st == OK && r->n->array[a].rank == 0 && accept(r, "=")) {
    node *left = new_node(r, N_NAME, &t);
    assignment(r, left, "=", expression(r));
  } else if (accept(r, "="))
    skip_values(r);
}

/* Types, then names; an int without indices is a parameter. */
static bool types(reader *r)
{
  bool integer = false;
  while (is_some_type(r)) {
    integer = integer || is_integer_type(r);
    next(r);
  }
  if (r->in.now.kind == T_NAME && *c_lex_ahead(&r->in) == '*') /* real *x: a type of the caller's */
    next(r);
  return integer;
}

static void declaration(reader *r)
{
  bool integer = types(r);
  do
    declarator(r, integer);
  while (r->st == OK && accept(r, ","));
  expect(r, ";");
}

static void parameters(reader *r)
{
  bool before = r->global;
  r->global = true;
  if (at(r, "void") && *c_lex_ahead(&r->in) == ')')
    next(r);
  while (r->st == OK && !at(r, ")")) {
    declarator(r, types(r));
    if (!accept(r, ","))
      break;
  }
  r->global = before;
  expect(r, ")");
}

/* ---- the text ---- */

static bool pragma_is(const reader *r, const char *words)
{
  if (r->in.now.kind != T_PRAGMA)
    return false;
  const char *s = r->in.now.rest + 1;
  s += strspn(s, " \t") + strlen("pragma");
  s += strspn(s, " \t");
  return strncmp(s, words, strlen(words)) == 0;
}

/* #pragma redblue output A, B */
static void output_pragma(reader *r)
{
  const char *s = strstr(r->in.now.rest, "output") + 6, *end = r->in.now.rest + strcspn(r->in.now.rest, "\n");
  while (s < end) {
    char name[C_NAME];
    s += strspn(s, " \t,\r");
    int n = (int)strcspn(s, " \t,\r\n");
    snprintf(name, sizeof name, "%.*s", n, s);
    int a = n > 0 ? find_array(r->n, name) : -1;
    if (n > 0 && a < 0)
      refuse(r, r->in.now.line, r->in.now.column, "'%s' is not declared as data before this line", name);
    else if (n > 0)
      r->n->array[a].output = true;
    s += n > 0 ? n : 1;
  }
}

/* How many declarations came before. */
static int skip_to_scop(reader *r)
{
  int k = 0;
  while (r->st == OK && !pragma_is(r, "scop") && r->in.now.kind != T_END && !at(r, "}")) {
    if (pragma_is(r, "redblue output")) {
      output_pragma(r);
      next(r);
    } else if (is_some_type(r))
      placed_statement(r, k++);
    else
      next(r);
  }
  if (pragma_is(r, "scop"))
    next(r);
  return k;
}

static void body(reader *r, bool marked)
{
  r->global = false;
  r->whole = !marked;
  for (int k = marked ? skip_to_scop(r) : 0; r->st == OK; k++) {
    if (pragma_is(r, "endscop") || (!marked && at(r, "}")))
      return;
    if (pragma_is(r, "redblue output")) {
      output_pragma(r);
      next(r);
    } else if (r->in.now.kind == T_PRAGMA)
      next(r);
    else if (r->in.now.kind == T_END)
      refuse(r, r->in.now.line, r->in.now.column, marked ? "there is no #pragma endscop" : "expected '}', found %s",
             found(r));
    else
      placed_statement(r, k);
  }
}

/* typedef int index; is read as a word for int. */
static void type_definition(reader *r)
{
  const char *s = r->in.now.rest + strlen("typedef");
  const char *end = s;
  while (*end && *end != ';')
    end = *end == '{' ? c_lex_behind(end) : end + 1;
  c_lex_type(&r->in, s, end);
  c_lex_skip(&r->in, *end ? end + 1 : end);
  next(r);
}

static bool has_loop(const char *s, const char *end)
{
  return c_lex_find(s, end, "for") || c_lex_find(s, end, "while") || c_lex_find(s, end, "do");
}

/* A function: read where it has the nest, passed over where a later one has.  True: it was read. */
static bool function(reader *r, const token *name, bool marked)
{
  const char *open = r->in.now.rest, *end = c_lex_behind(open);
  c_lexer behind = { .at = end };
  const char *begin = c_lex_ahead(&behind);
  bool has_body = *begin == '{';
  const char *last = has_body ? c_lex_behind(begin) : end + strcspn(end, ";");
  bool there = has_body && (marked ? strstr(begin, "#pragma scop") && strstr(begin, "#pragma scop") < last
                                   : has_loop(begin, last) || !has_loop(last, last + strlen(last)));
  if (!there) {
    c_lex_skip(&r->in, last);
    next(r);
    accept(r, ";");
    return false;
  }
  snprintf(r->n->name, C_NAME, "%s", name->text);
  r->body = begin;
  r->end = last;
  next(r);
  parameters(r);
  expect(r, "{");
  body(r, marked);
  return true;
}

/* Global declarations, then the function with the nest. */
static void unit(reader *r, const char *source)
{
  bool marked = strstr(source, "#pragma scop") != NULL, read = false;
  while (r->st == OK && !read) {
    bool typedefs = at(r, "typedef"), integer = false;
    if (r->in.now.kind == T_END)
      refuse(r, r->in.now.line, r->in.now.column, "there is no function with a loop nest in this text");
    else if (typedefs)
      type_definition(r);
    else if (r->in.now.kind == T_PRAGMA || at(r, ";"))
      next(r);
    else {
      integer = types(r);
      token name = r->in.now;
      int stars = at(r, "*") ? pointers(r) : 0;
      name = stars ? r->in.now : name;
      if (name.kind == T_NAME && *c_lex_ahead(&r->in) == '(' && strncmp(name.text, "POLYBENCH_", 10)) {
        next(r);
        read = function(r, &name, marked);
        continue;
      }
      do
        declarator(r, integer);
      while (r->st == OK && accept(r, ","));
      expect(r, ";");
    }
  }
}

/* An element of a flat array that was named before the length of its rows was known lies in the first of them. */
static void lift(c_nest *n, c_access *a)
{
  int more = n->array[a->array].rank - a->rank;
  text t = { 0 };
  for (int i = 0; i < more && n->array[a->array].strides > 0; i++)
    text_add(&t, "0,");
  text_add(&t, a->index);
  a->index = c_nest_keep_text(n, &t);
  a->rank = n->array[a->array].rank;
}

static void settle_params(c_nest *n)
{
  int kept = 0;
  for (int i = 0; i < n->params; i++)
    if (n->param[i].used || !n->param[i].defined)
      n->param[kept++] = n->param[i];
  n->params = kept;
}

static void settle_arrays(c_nest *n)
{
  bool named_outputs = false;
  for (int i = 0; i < n->arrays; i++)
    named_outputs = named_outputs || n->array[i].output;
  for (int i = 0; i < n->arrays; i++) {
    c_array *x = &n->array[i];
    bool seen = x->returned || (x->outside && x->rank > 0);
    x->output = named_outputs ? x->output : x->written && seen;
    x->extent[0] = x->strides ? NULL : x->extent[0];
  }
}

/* Scalars that nothing writes stay in registers; outputs are what is seen outside, unless a pragma says which. */
static void settle(c_nest *n)
{
  settle_params(n);
  settle_arrays(n);
  for (int k = 0; k < n->statements; k++) {
    c_statement *s = &n->statement[k];
    int kept = 0;
    for (int i = 0; i < s->reads; i++)
      if (n->array[s->read[i].array].rank > 0 || n->array[s->read[i].array].written)
        s->read[kept++] = s->read[i];
    s->reads = kept;
    lift(n, &s->write);
    for (int i = 0; i < kept; i++)
      lift(n, &s->read[i]);
  }
}

status c_nest_read(c_nest *n, const char *file, const char *source, const cdag *like, bool rows, diag *d)
{
  *n = (c_nest){ .params = 0 };
  SCOPED_MEM reader *r = MEM_NEW(reader, 1);
  *r = (reader){ .file = file, .like = like, .rows = rows, .d = d, .st = OK, .n = n, .global = true };
  c_lex_init(&r->in, n, source);
  next(r);
  unit(r, source);
  settle(n);
  if (r->st == OK && n->statements == 0)
    r->st = diag_at(d, BAD_INPUT, "import", file, r->in.now.line, r->in.now.column, "the nest computes nothing");
  status st = r->st;
  c_lex_clear(&r->in);
  mem_free(r->alias);
  if (st != OK)
    c_nest_clear(n);
  return st;
}

void c_nest_clear(c_nest *n)
{
  for (int k = 0; k < n->statements; k++)
    mem_free(n->statement[k].read);
  for (size_t i = 0; i < n->blocks; i++)
    mem_free(n->block[i]);
  mem_free(n->block);
  mem_free(n->param);
  mem_free(n->claim);
  mem_free(n->array);
  mem_free(n->statement);
  *n = (c_nest){ .params = 0 };
}
