/* c_nest.c -- reading a loop nest: tokens, expressions, statements.  Depth: that of the text, which is limited. */
#include "cdag/import/c_nest.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200, ARGS = 16, LOOPS = C_RANK, LEVELS = 64 };

/* ---- tokens ---- */

typedef enum { T_END, T_NAME, T_INTEGER, T_REAL, T_SIGN, T_PRAGMA } token_kind;
typedef struct { token_kind kind; char text[C_NAME]; int64_t value; int line, column; const char *rest; } token;

typedef enum { N_INTEGER, N_REAL, N_NAME, N_INDEX, N_CALL, N_UNARY, N_BINARY, N_CHOICE } node_kind;
typedef struct node {
  node_kind kind;
  char text[C_NAME];           /* name, or sign */
  int64_t value;
  int n;
  struct node *arg[ARGS];
  int line, column;
} node;

typedef struct { char name[C_NAME]; char *value; } loop;  /* value: of the variable, affine */

typedef struct {
  const char *file, *at;
  int line, column, depth;
  token now;
  diag *d;
  status st;
  c_nest *n;
  bool global, whole;          /* declarations outside of functions; no scop is marked */
  int loops;
  loop loop[LOOPS];
  int conditions;
  char *condition[LEVELS];
  int places;
  char *place[2 * LEVELS];
} reader;

static void *keep(c_nest *n, void *block)
{
  n->block = mem_room(n->block, n->blocks, &n->room, sizeof *n->block);
  return n->block[n->blocks++] = block;
}

static char *keep_text(c_nest *n, text *t)
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
  r->now.kind = T_END;
  return false;
}

static void step(reader *r)
{
  if (*r->at == '\n')
    r->line++, r->column = 0;
  r->column++;
  r->at++;
}

static void skip_line(reader *r)
{
  while (*r->at && *r->at != '\n') {
    if (*r->at == '\\' && r->at[1] == '\n')
      step(r);
    step(r);
  }
}

static void skip_comment(reader *r)
{
  for (step(r), step(r); *r->at && !(r->at[0] == '*' && r->at[1] == '/');)
    step(r);
  if (*r->at)
    step(r), step(r);
}

static void next(reader *r);

static c_param *find_param(const c_nest *n, const char *name)
{
  for (int i = 0; i < n->params; i++)
    if (strcmp(n->param[i].name, name) == 0)
      return &n->param[i];
  return NULL;
}

static void add_param(c_nest *n, const char *name, bool given, int64_t value)
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
}

/* #define N 100 makes a parameter; every other directive but a pragma is passed over. */
static void directive(reader *r)
{
  char line[200], name[C_NAME], value[C_NAME], end[2];
  snprintf(line, sizeof line, "%.*s", (int)strcspn(r->at, "\r\n"), r->at);
  if (sscanf(line, "# define %63[A-Za-z0-9_] %63[0-9] %1s", name, value, end) == 2)
    add_param(r->n, name, true, strtoll(value, NULL, 10));
  skip_line(r);
}

static bool is_pragma(const char *s)
{
  s += strspn(s + 1, " \t") + 1;
  return strncmp(s, "pragma", 6) == 0;
}

static void skip_blanks(reader *r)
{
  for (;;) {
    if (isspace((unsigned char)*r->at))
      step(r);
    else if (r->at[0] == '/' && r->at[1] == '*')
      skip_comment(r);
    else if (r->at[0] == '/' && r->at[1] == '/')
      skip_line(r);
    else if (*r->at == '#' && !is_pragma(r->at))
      directive(r);
    else
      return;
  }
}

static void take_number(reader *r)
{
  char *end, *real_end;
  r->now.value = strtoll(r->at, &end, 0);
  strtod(r->at, &real_end);
  r->now.kind = real_end > end ? T_REAL : T_INTEGER;
  end = real_end > end ? real_end : end;
  while (r->at < end || isalnum((unsigned char)*r->at))
    step(r);
}

static void take_sign(reader *r)
{
  static const char *const signs[] = { "++", "--", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=",
                                       ">=", "&&", "||", "<<", ">>", "->", "&=", "|=", NULL };
  int n = 1;
  for (int i = 0; signs[i]; i++)
    if (strncmp(r->at, signs[i], 2) == 0)
      n = 2;
  r->now.kind = T_SIGN;
  snprintf(r->now.text, C_NAME, "%.*s", n, r->at);
  while (n-- > 0)
    step(r);
}

static void next(reader *r)
{
  if (r->st != OK)
    return;
  skip_blanks(r);
  r->now = (token){ .kind = T_END, .line = r->line, .column = r->column, .rest = r->at };
  if (*r->at == '#') {
    r->now.kind = T_PRAGMA;
    skip_line(r);
  } else if (isalpha((unsigned char)*r->at) || *r->at == '_') {
    int n = (int)strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    r->now.kind = T_NAME;
    snprintf(r->now.text, C_NAME, "%.*s", n, r->at);
    while (n-- > 0)
      step(r);
  } else if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1])))
    take_number(r);
  else if (*r->at)
    take_sign(r);
}

static bool at(const reader *r, const char *s)
{
  return (r->now.kind == T_NAME || r->now.kind == T_SIGN) && strcmp(r->now.text, s) == 0;
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
  return r->now.kind == T_END                                ? "the end of the text"
         : r->now.kind == T_PRAGMA                           ? "a pragma"
         : r->now.kind == T_INTEGER || r->now.kind == T_REAL ? "a number"
                                                             : r->now.text;
}

static bool expect(reader *r, const char *s)
{
  return r->st == OK && (accept(r, s) || refuse(r, r->now.line, r->now.column, "expected '%s', found %s", s, found(r)));
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
      refuse(r, r->now.line, r->now.column, "there are more than %d arguments here", ARGS);
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
  token t = r->now;
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
  return e;
}

static bool is_type(const reader *r)
{
  static const char *const types[] = { "void",      "int",      "long",     "short",   "char",    "float",
                                       "double",    "unsigned", "signed",   "const",   "static",  "size_t",
                                       "DATA_TYPE", "restrict", "register", "int64_t", "int32_t", NULL };
  for (int i = 0; types[i]; i++)
    if (at(r, types[i]))
      return true;
  return false;
}

static node *primary(reader *r)
{
  token t = r->now;
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
    while (is_type(r))
      next(r);
    expect(r, ")");
    return primary(r);
  }
  node *e = expression(r);
  expect(r, ")");
  return e;
}

static node *unary(reader *r)
{
  token t = r->now;
  if (++r->depth > DEPTH)
    refuse(r, t.line, t.column, "this is nested too deeply");
  node *e;
  if (accept(r, "-") || accept(r, "!") || accept(r, "+")) {
    e = new_node(r, N_UNARY, &t);
    e->arg[e->n++] = unary(r);
  } else
    e = primary(r);
  r->depth--;
  return e;
}

static int level(const char *sign)
{
  static const char *const levels[][5] = { { "||" },     { "&&" },         { "==", "!=" }, { "<", "<=", ">", ">=" },
                                           { "+", "-" }, { "*", "/", "%" } };
  for (int l = 0; l < 6; l++)
    for (int i = 0; i < 5 && levels[l][i]; i++)
      if (strcmp(levels[l][i], sign) == 0)
        return l;
  return -1;
}

static node *binary(reader *r, int l)
{
  node *e = l == 6 ? unary(r) : binary(r, l + 1);
  while (l < 6 && r->st == OK && r->now.kind == T_SIGN && level(r->now.text) == l) {
    token t = r->now;
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
    refuse(r, r->now.line, r->now.column, "this is nested too deeply");
  node *e = binary(r, 0);
  token t = r->now;
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

/* PolyBench's _PB_N is the parameter n. */
static const char *plain_name(const reader *r, const char *name, char *lower)
{
  if (strncmp(name, "_PB_", 4) != 0 || find_param(r->n, name))
    return name;
  for (int i = 0; i < C_NAME; i++)
    lower[i] = (char)tolower((unsigned char)name[4 < C_NAME - i ? i + 4 : i]);
  return lower;
}

static bool affine_name(reader *r, const node *e, text *out)
{
  char lower[C_NAME];
  const char *name = plain_name(r, e->text, lower);
  for (int i = 0; i < r->loops; i++)
    if (strcmp(r->loop[i].name, name) == 0) {
      text_printf(out, "(%s)", r->loop[i].value);
      return true;
    }
  if (!find_param(r->n, name))
    return refuse(r, e->line, e->column, "'%s' is no loop variable and no integer parameter, so this is not affine",
                  e->text);
  text_printf(out, "p_%s", name);
  return true;
}

static bool constant(const node *e)
{
  return e->kind == N_INTEGER || (e->kind == N_UNARY && e->text[0] != '!' && constant(e->arg[0]));
}

static int64_t constant_value(const node *e)
{
  return e->kind == N_INTEGER ? e->value : e->text[0] == '-' ? -constant_value(e->arg[0]) : constant_value(e->arg[0]);
}

/* isl wants the number first, and bare. */
static bool affine_product(reader *r, const node *e, text *out)
{
  bool first = constant(e->arg[0]);
  if (!first && !constant(e->arg[1]))
    return refuse(r, e->line, e->column, "a product of variables is not affine");
  text_printf(out, "(%lld*(", (long long)constant_value(e->arg[!first]));
  bool good = affine(r, e->arg[first], out);
  text_add(out, "))");
  return good;
}

static char *joined(reader *r, char **part, int n, const char *by);

/* e / 2 or e % 2.  isl rounds down and C towards zero, so e must not be negative where it is read: that is checked when
   all is known. */
static bool affine_quotient(reader *r, const node *e, text *out)
{
  text left = { 0 }, vars = { 0 };
  bool good = (constant(e->arg[1]) && constant_value(e->arg[1]) > 0) ||
              refuse(r, e->line, e->column, "'%s' by what is no positive number is not affine", e->text);
  good = good && affine(r, e->arg[0], &left);
  if (good) {
    c_nest *n = r->n;
    for (int i = 0; i < r->loops; i++)
      text_printf(&vars, "%sv_%s", i ? "," : "", r->loop[i].name);
    c_quotient q = { keep_text(n, &vars), joined(r, r->condition, r->conditions, " and "), "", e->line, e->column };
    long long by = (long long)constant_value(e->arg[1]);
    if (e->text[0] == '/')
      text_printf(out, "floor((%s)/%lld)", text_str(&left), by);
    else
      text_printf(out, "((%s) mod %lld)", text_str(&left), by);
    q.left = keep_text(n, &left);
    n->quotient = mem_grow(n->quotient, (size_t)n->quotients + 1, sizeof *n->quotient);
    n->quotient[n->quotients++] = q;
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
  if (extreme_of(e, &min, &a, &b))
    return affine_pair(r, min ? "min" : "max", a, b, out);
  if (e->kind == N_CALL)
    return refuse(r, e->line, e->column, "%s(...) is not read in a bound or an index; min and max of two are", e->text);
  return refuse(r, e->line, e->column,
                "of choices in a bound or an index only those that make a min or max are read");
}

static bool affine(reader *r, const node *e, text *out)
{
  switch (e->kind) {
  case N_INTEGER: text_printf(out, "%lld", (long long)e->value); return true;
  case N_NAME: return affine_name(r, e, out);
  case N_BINARY: return affine_binary(r, e, out);
  case N_CHOICE: case N_CALL: return affine_extreme(r, e, out);
  case N_UNARY:
    if (e->text[0] == '!')
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
  if (l < 0 || l > 3)
    return refuse(r, e->line, e->column,
                  "a condition on control is made of comparisons of affine expressions, && || and !");
  if (l >= 2)
    return comparison(r, e->arg[0], strcmp(e->text, "==") == 0 ? "=" : e->text, e->arg[1], out);
  text_char(out, '(');
  good = condition(r, e->arg[0], out);
  text_add(out, l == 0 ? " or " : " and ");
  good = good && condition(r, e->arg[1], out);
  text_char(out, ')');
  return good;
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

static bool access_of(reader *r, const node *e, c_access *a)
{
  text index = { 0 };
  a->array = find_array(r->n, e->text);
  bool good = a->array >= 0 || refuse(r, e->line, e->column, "'%s' is not declared as data here", e->text);
  if (good && r->n->array[a->array].rank != e->n)
    good = refuse(r, e->line, e->column, "%s has %d indices, not %d", e->text, r->n->array[a->array].rank, e->n);
  for (int i = 0; i < e->n && good; i++) {
    text_add(&index, i ? "," : "");
    good = affine(r, e->arg[i], &index);
  }
  a->index = keep_text(r->n, &index);
  return good;
}

static bool is_integer_name(const reader *r, const char *name)
{
  char lower[C_NAME];
  for (int i = 0; i < r->loops; i++)
    if (strcmp(r->loop[i].name, name) == 0)
      return true;
  return find_param(r->n, plain_name(r, name, lower)) != NULL;
}

/* All data that e reads. */
static bool reads_of(reader *r, const node *e, c_statement *s)
{
  bool good = true;
  if (e->kind == N_INDEX || (e->kind == N_NAME && !is_integer_name(r, e->text))) {
    s->read = mem_grow(s->read, (size_t)s->reads + 1, sizeof *s->read);
    good = access_of(r, e, &s->read[s->reads]);
    s->reads += good;
    return good;
  }
  for (int i = 0; i < e->n && good; i++)
    good = reads_of(r, e->arg[i], s);
  return good;
}

/* ---- statements ---- */

static char *joined(reader *r, char **part, int n, const char *by)
{
  text t = { 0 };
  for (int i = 0; i < n; i++)
    text_printf(&t, "%s%s", i ? by : "", part[i]);
  return keep_text(r->n, &t);
}

static void assignment(reader *r, const node *left, const char *sign, const node *right)
{
  c_statement s = { .depth = r->loops, .line = left->line, .column = left->column, .places = r->places };
  for (int i = 0; i < r->loops; i++)
    memcpy(s.var[i], r->loop[i].name, C_NAME);
  s.domain = joined(r, r->condition, r->conditions, " and ");
  s.schedule = joined(r, r->place, r->places, ",");
  bool good = access_of(r, left, &s.write);
  if (good && strcmp(sign, "=") != 0)
    good = reads_of(r, left, &s);
  good = good && reads_of(r, right, &s);
  if (!good) {
    mem_free(s.read);
    return;
  }
  s.copy = strcmp(sign, "=") == 0 && (right->kind == N_INDEX || right->kind == N_NAME);
  r->n->array[s.write.array].written = true;
  r->n->statement = mem_grow(r->n->statement, (size_t)r->n->statements + 1, sizeof *r->n->statement);
  r->n->statement[r->n->statements++] = s;
}

static bool push_condition(reader *r, char *c, int line, int column)
{
  if (r->conditions == LEVELS)
    return refuse(r, line, column, "this is nested too deeply");
  r->condition[r->conditions++] = c;
  return true;
}

static void statement(reader *r);

/* Statement number k of the body at hand. */
static void placed_statement(reader *r, int k)
{
  text t = { 0 };
  text_printf(&t, "%d", k);
  if (r->places >= 2 * LEVELS - 2) {
    refuse(r, r->now.line, r->now.column, "this is nested too deeply");
    return;
  }
  r->place[r->places++] = keep_text(r->n, &t);
  statement(r);
  r->places--;
}

static char *affine_text(reader *r, const node *e)
{
  text t = { 0 };
  affine(r, e, &t);
  return keep_text(r->n, &t);
}

typedef struct { char name[C_NAME]; int line, column; node *from, *end; int64_t by; } header;

/* i++, i += 2, i = i - 1 ... */
static bool increment(reader *r, header *h)
{
  token t = r->now;
  if (accept(r, "++") || accept(r, "--")) {
    h->by = t.text[0] == '+' ? 1 : -1;
    return expect(r, h->name);
  }
  if (!expect(r, h->name))
    return false;
  t = r->now;
  if (accept(r, "++") || accept(r, "--")) {
    h->by = t.text[0] == '+' ? 1 : -1;
    return true;
  }
  bool long_way = accept(r, "=");
  if (long_way && !expect(r, h->name))
    return false;
  char sign = r->now.text[0];
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
static bool ends_loop(reader *r, const header *h, const node *e, bool *ended)
{
  int64_t a, b;
  if (e->kind == N_BINARY && strcmp(e->text, "&&") == 0)
    return ends_loop(r, h, e->arg[0], ended) && ends_loop(r, h, e->arg[1], ended);
  if (e->kind != N_BINARY || level(e->text) != 3)
    return refuse(r, e->line, e->column, "a loop ends by < <= > or >=, not %s", e->text);
  if (!growth(e->arg[0], h->name, &a) || !growth(e->arg[1], h->name, &b))
    return refuse(r, e->line, e->column, "this is not affine in %s", h->name);
  int64_t apart = e->text[0] == '<' ? a - b : b - a;
  if (apart && (apart > 0) != (h->by > 0))
    return refuse(r, h->line, h->column, "the loop over %s runs away from its end", h->name);
  *ended |= apart != 0;
  return true;
}

static bool read_header(reader *r, header *h)
{
  bool ended = false;
  if (!expect(r, "("))
    return false;
  while (is_type(r))
    next(r);
  h->line = r->now.line;
  h->column = r->now.column;
  snprintf(h->name, C_NAME, "%s", r->now.text);
  if (r->now.kind != T_NAME)
    return refuse(r, h->line, h->column, "expected the variable of the loop, found %s", found(r));
  next(r);
  if (!expect(r, "="))
    return false;
  h->from = expression(r);
  if (!expect(r, ";"))
    return false;
  h->end = expression(r);
  if (!expect(r, ";") || !increment(r, h) || !expect(r, ")") || !ends_loop(r, h, h->end, &ended))
    return false;
  return ended || refuse(r, h->line, h->column, "nothing ends the loop over %s", h->name);
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
  memcpy(r->loop[r->loops].name, h->name, C_NAME);
  r->loop[r->loops++].value = keep_text(r->n, &value);
  if (unit)
    comparison(r, &variable, h->by > 0 ? ">=" : "<=", h->from, &inside);
  else
    text_printf(&inside, "v_%s >= 0", h->name);
  text_add(&inside, " and ");
  condition(r, h->end, &inside);
  text_printf(&place, "%sv_%s", unit && h->by < 0 ? "-" : "", h->name);
  push_condition(r, keep_text(r->n, &inside), h->line, h->column);
  r->place[r->places++] = keep_text(r->n, &place);
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
  placed_statement(r, 0);
  r->places--;
  r->loops--;
  r->conditions--;
}

static void if_statement(reader *r)
{
  text is = { 0 }, is_not = { 0 };
  int line = r->now.line, column = r->now.column;
  expect(r, "(");
  node *e = expression(r);
  expect(r, ")");
  if (r->st == OK)
    condition(r, e, &is);
  text_printf(&is_not, "(not %s)", text_str(&is));
  char *when[2] = { keep_text(r->n, &is), keep_text(r->n, &is_not) };
  for (int k = 0; k < 2 && r->st == OK; k++) {
    if (k == 1 && !accept(r, "else"))
      break;
    if (push_condition(r, when[k], line, column))
      placed_statement(r, k);
    r->conditions--;
  }
}

static void block(reader *r)
{
  for (int k = 0; r->st == OK && !at(r, "}"); k++) {
    if (r->now.kind == T_END)
      refuse(r, r->now.line, r->now.column, "expected '}', found %s", found(r));
    else
      placed_statement(r, k);
  }
  expect(r, "}");
}

static void declaration(reader *r);

static void simple_statement(reader *r)
{
  token t = r->now;
  node *left = primary(r);
  token sign = r->now;
  if (r->st == OK && left->kind != N_NAME && left->kind != N_INDEX)
    refuse(r, t.line, t.column, "this is no assignment to data");
  else if (r->st == OK && is_integer_name(r, left->text))
    refuse(r, t.line, t.column, "'%s' steers loops or indices and cannot be assigned in the nest", left->text);
  else if (accept(r, "=") || accept(r, "+=") || accept(r, "-=") || accept(r, "*=") || accept(r, "/=")) {
    node *right = expression(r);
    expect(r, ";");
    if (r->st == OK)
      assignment(r, left, sign.text, right);
  } else
    refuse(r, sign.line, sign.column, "expected an assignment, found %s", found(r));
}

static void statement(reader *r)
{
  if (++r->depth > DEPTH)
    refuse(r, r->now.line, r->now.column, "this is nested too deeply");
  static const char *const control[] = { "while", "do", "switch", "goto", "return", "break", "continue", NULL };
  for (int i = 0; control[i]; i++)
    if (at(r, control[i]))
      refuse(r, r->now.line, r->now.column, "'%s' is not read: control is 'for' and 'if' alone", control[i]);
  while (r->now.kind == T_PRAGMA && !r->whole && !strstr(r->now.text, "scop"))
    next(r);
  if (r->st == OK && accept(r, "{"))
    block(r);
  else if (r->st == OK && accept(r, "for"))
    for_loop(r);
  else if (r->st == OK && accept(r, "if"))
    if_statement(r);
  else if (r->st == OK && is_type(r))
    declaration(r);
  else if (r->st == OK && !accept(r, ";"))
    simple_statement(r);
  r->depth--;
}

/* ---- declarations ---- */

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
    r->n->array[a].extent[i] = affine_text(r, e->arg[1 + rank + i]);
  return true;
}

static void declarator(reader *r, bool integer)
{
  token t = r->now;
  if (t.kind != T_NAME) {
    refuse(r, t.line, t.column,
           at(r, "*") ? "a pointer is not read: give the array its sizes, as in A[n][n]" : "expected a name, found %s",
           found(r));
    return;
  }
  node *e = named(r);
  if (r->st != OK)
    return;
  if (e->kind == N_NAME && integer && (r->global || at(r, "="))) {
    node *value = accept(r, "=") ? expression(r) : NULL;
    if (value && value->kind != N_INTEGER)
      refuse(r, t.line, t.column, "the value of '%s' is no number", t.text);
    else
      add_param(r->n, t.text, value != NULL, value ? value->value : 0);
    return;
  }
  int a = add_array(r, t.text, t.line, t.column);
  if (e->kind == N_CALL && strncmp(e->text, "POLYBENCH_", 10) == 0 && e->text[10] >= '1' && e->text[10] <= '5')
    polybench(r, e, a);
  else if (e->kind == N_CALL)
    refuse(r, t.line, t.column, "expected a declaration, found a call of %s", t.text);
  else {
    for (int i = 0; i < e->n; i++)
      r->n->array[a].extent[i] = affine_text(r, e->arg[i]);
    r->n->array[a].rank = e->n;
  }
  if (r->st == OK && accept(r, "=")) {
    node left = { .kind = N_NAME, .line = t.line, .column = t.column };
    memcpy(left.text, t.text, C_NAME);
    assignment(r, &left, "=", expression(r));
  }
}

/* Types, then names; an int without indices is a parameter. */
static bool types(reader *r)
{
  bool integer = false;
  while (is_type(r)) {
    integer = integer || at(r, "int") || at(r, "long") || at(r, "size_t") || at(r, "int64_t") || at(r, "int32_t");
    next(r);
  }
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
  if (at(r, "void"))
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
  const char *s = r->now.rest + 1;
  s += strspn(s, " \t");
  s += 6;
  s += strspn(s, " \t");
  return r->now.kind == T_PRAGMA && strncmp(s, words, strlen(words)) == 0;
}

/* #pragma redblue output A, B */
static void output_pragma(reader *r)
{
  const char *s = strstr(r->now.rest, "output") + 6, *end = r->now.rest + strcspn(r->now.rest, "\n");
  while (s < end) {
    char name[C_NAME];
    s += strspn(s, " \t,\r");
    int n = (int)strcspn(s, " \t,\r\n");
    snprintf(name, sizeof name, "%.*s", n, s);
    int a = n > 0 ? find_array(r->n, name) : -1;
    if (n > 0 && a < 0)
      refuse(r, r->now.line, r->now.column, "'%s' is not declared as data before this line", name);
    else if (n > 0)
      r->n->array[a].output = true;
    s += n > 0 ? n : 1;
  }
}

static void skip_to_scop(reader *r)
{
  while (r->st == OK && !pragma_is(r, "scop") && r->now.kind != T_END && !at(r, "}")) {
    if (pragma_is(r, "redblue output")) {
      output_pragma(r);
      next(r);
    } else if (is_type(r))
      declaration(r);
    else
      next(r);
  }
  if (pragma_is(r, "scop"))
    next(r);
}

static void body(reader *r, bool marked)
{
  r->global = false;
  r->whole = !marked;
  if (marked)
    skip_to_scop(r);
  for (int k = 0; r->st == OK; k++) {
    if (pragma_is(r, "endscop") || (!marked && at(r, "}")))
      return;
    if (pragma_is(r, "redblue output")) {
      output_pragma(r);
      next(r);
    } else if (r->now.kind == T_PRAGMA)
      next(r);
    else if (r->now.kind == T_END)
      refuse(r, r->now.line, r->now.column, marked ? "there is no #pragma endscop" : "expected '}', found %s",
             found(r));
    else
      placed_statement(r, k);
  }
}

/* Global declarations, then the function with the nest. */
static void unit(reader *r, const char *source)
{
  bool marked = strstr(source, "#pragma scop") != NULL;
  while (r->st == OK) {
    if (r->now.kind == T_END) {
      refuse(r, r->now.line, r->now.column, "there is no function with a loop nest in this text");
      return;
    }
    if (r->now.kind == T_PRAGMA) {
      next(r);
      continue;
    }
    bool integer = types(r);
    token name = r->now;
    next(r);
    if (!accept(r, "(")) {
      r->at = name.rest; /* a variable: read it again as one */
      r->line = name.line;
      r->column = name.column;
      next(r);
      do
        declarator(r, integer);
      while (r->st == OK && accept(r, ","));
      expect(r, ";");
      continue;
    }
    snprintf(r->n->name, C_NAME, "%s", name.text);
    parameters(r);
    if (accept(r, ";")) /* a prototype */
      continue;
    expect(r, "{");
    body(r, marked);
    return;
  }
}

/* Scalars that nothing writes stay in registers; outputs are what is seen outside, unless a pragma says which. */
static void settle(c_nest *n)
{
  bool named_outputs = false;
  for (int i = 0; i < n->arrays; i++)
    named_outputs = named_outputs || n->array[i].output;
  for (int i = 0; i < n->arrays && !named_outputs; i++)
    n->array[i].output = n->array[i].outside && n->array[i].written && n->array[i].rank > 0;
  for (int k = 0; k < n->statements; k++) {
    c_statement *s = &n->statement[k];
    int kept = 0;
    for (int i = 0; i < s->reads; i++)
      if (n->array[s->read[i].array].rank > 0 || n->array[s->read[i].array].written)
        s->read[kept++] = s->read[i];
    s->reads = kept;
  }
}

status c_nest_read(c_nest *n, const char *file, const char *source, diag *d)
{
  *n = (c_nest){ .params = 0 };
  SCOPED_MEM reader *r = MEM_NEW(reader, 1);
  *r = (reader){ .file = file, .at = source, .line = 1, .column = 1, .d = d, .st = OK, .n = n, .global = true };
  next(r);
  unit(r, source);
  settle(n);
  if (r->st == OK && n->statements == 0)
    r->st = diag_at(d, BAD_INPUT, "import", file, r->now.line, r->now.column, "the nest computes nothing");
  status st = r->st;
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
  mem_free(n->quotient);
  mem_free(n->array);
  mem_free(n->statement);
  *n = (c_nest){ .params = 0 };
}
