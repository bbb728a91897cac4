/* expr.c -- integer expressions: parse, evaluate, print (docs/cdag-language.md, section "Expressions").

   From loosest to tightest: ||;  &&;  == !=;  < <= > >=;  + -;  * / %;  unary minus.  All group to the left.
   A minus before a number is part of the number. */
#include "cdag/language/expr.h"
#include "base/mem.h"
#include "base/num.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Deepest nesting read, so that neither the parser nor a walk over the tree can exhaust the stack. */
enum { DEPTH = 200, NODES = 1000, ARGS = 8 };

typedef struct {
  lexer *in;
  const expr_scope *scope;
  diag *d;
  int depth, nodes;
} parser;

static const struct { const char *name; expr_op op; int least, most; } functions[] = {
  { "min", EXPR_MIN, 2, ARGS },  { "max", EXPR_MAX, 2, ARGS },           { "isqrt", EXPR_ISQRT, 1, 1 },
  { "ceil", EXPR_CEIL, 2, 2 },   { "pow", EXPR_POW, 2, 2 },              { "binomial", EXPR_BINOMIAL, 2, 2 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const char *const of_loops[] = { "lo", "hi", "len", "first", "last", NULL };

static const struct { expr_op op; int sign; const char *text; int level;
} operators[] = {
  { EXPR_EQ, LEX2('=', '='), " == ", 3 },
  { EXPR_NE, LEX2('!', '='), " != ", 3 },
  { EXPR_LE, LEX2('<', '='), " <= ", 4 },
  { EXPR_GE, LEX2('>', '='), " >= ", 4 },
  { EXPR_LT, '<', " < ", 4 },
  { EXPR_GT, '>', " > ", 4 },
  { EXPR_ADD, '+', "+", 5 },
  { EXPR_SUB, '-', "-", 5 },
  { EXPR_MUL, '*', "*", 6 },
  { EXPR_DIV, '/', "/", 6 },
  { EXPR_MOD, '%', "%", 6 },
  { EXPR_MAX, LEX2('|', '|'), " || ", 1 },
  { EXPR_MIN, LEX2('&', '&'), " && ", 2 }, /* of truth values */
};
enum { OPERATORS = sizeof operators / sizeof *operators, LEVEL_TRUTH = 5, LEVEL_UNARY = 7, LEVEL_ATOM = 8 };

/* ---- making ---- */

static expr *node(expr_op op, int nargs)
{
  expr *e = MEM_NEW(expr, 1);
  e->op = op;
  e->slot = -1;
  e->nargs = nargs;
  if (nargs)
    e->arg = MEM_NEW(expr *, (size_t)nargs);
  return e;
}

expr *expr_const(int64_t value)
{
  expr *e = node(EXPR_CONST, 0);
  e->value = value;
  return e;
}

expr *expr_slot(int slot, const char *name)
{
  expr *e = node(EXPR_SLOT, 0);
  e->slot = slot;
  e->name = mem_text(name);
  return e;
}

expr *expr_binary(expr_op op, expr *a, expr *b)
{
  expr *e = node(op, 2);
  e->arg[0] = a;
  e->arg[1] = b;
  e->line = a->line;
  e->column = a->column;
  return e;
}

void expr_free(expr *e)
{
  if (!e)
    return;
  for (int i = 0; i < e->nargs; i++)
    expr_free(e->arg[i]);
  mem_free(e->arg);
  mem_free(e->name);
  mem_free(e);
}

expr *expr_copy(const expr *e)
{
  if (!e)
    return NULL;
  expr *c = node(e->op, e->nargs);
  c->value = e->value;
  c->slot = e->slot;
  c->name = e->name ? mem_text(e->name) : NULL;
  c->line = e->line;
  c->column = e->column;
  for (int i = 0; i < e->nargs; i++)
    c->arg[i] = expr_copy(e->arg[i]);
  return c;
}

/* ---- parsing ---- */

static expr *parse_level(parser *p, int level);

static expr *fail(parser *p, const char *sentence)
{
  lex_error(p->in, p->d, "syntax", "%s", sentence);
  return NULL;
}

static expr *parse_whole(parser *p)
{
  if (++p->depth > DEPTH)
    return fail(p, "this expression is nested too deeply");
  expr *e = parse_level(p, 1);
  p->depth--;
  return e;
}

/* Arguments up to the closing sign, into e; false on error. */
static bool parse_arguments(parser *p, expr *e, int close)
{
  expr *found[ARGS];
  int n = 0;
  bool good = true;
  do {
    if (n == ARGS)
      good = fail(p, "there are more than 8 arguments here") != NULL;
    else
      good = (found[n] = parse_whole(p)) != NULL;
    n += good;
  } while (good && lex_accept(p->in, ','));
  good = good && lex_expect(p->in, close, p->d) == OK;
  e->arg = MEM_NEW(expr *, (size_t)n + 1);
  e->nargs = n;
  memcpy(e->arg, found, (size_t)n * sizeof *found);
  return good;
}

static expr *wrong_count(parser *p, const lex_token *at, const char *what, int wanted, int found)
{
  diag_at(p->d, BAD_INPUT, "index", p->in->file, at->line, at->column, "%s needs %d argument%s, not %d", what, wanted,
          wanted == 1 ? "" : "s", found);
  return NULL;
}

static expr *finish(expr *e, const lex_token *at)
{
  if (e) {
    e->line = at->line;
    e->column = at->column;
  }
  return e;
}

static expr *parse_call(parser *p, int f, const lex_token *at)
{
  expr *e = node(functions[f].op, 0);
  bool good = lex_expect(p->in, '(', p->d) == OK && parse_arguments(p, e, ')');
  if (good && e->nargs < functions[f].least)
    good = wrong_count(p, at, functions[f].name, functions[f].least, e->nargs) != NULL;
  else if (good && e->nargs > functions[f].most)
    good = wrong_count(p, at, functions[f].name, functions[f].most, e->nargs) != NULL;
  if (good)
    return e;
  expr_free(e);
  return NULL;
}

static expr *parse_table(parser *p, int table, const char *name, const lex_token *at)
{
  expr *e = node(EXPR_TABLE, 0);
  e->slot = table;
  e->name = mem_text(name);
  bool good = lex_expect(p->in, '[', p->d) == OK && parse_arguments(p, e, ']');
  const expr_table *t = p->scope->table_at(p->scope->context, table);
  if (good && t->rank != e->nargs) {
    diag_at(p->d, BAD_INPUT, "index", p->in->file, at->line, at->column, "table %s has %d %s, not %d", name, t->rank,
            t->rank == 1 ? "index" : "indices", e->nargs);
    good = false;
  }
  if (good)
    return e;
  expr_free(e);
  return NULL;
}

/* lo(I) and its like: the scope knows what they mean; the node remembers how it was written. */
static expr *parse_loop_call(parser *p, const char *call)
{
  char *name = NULL;
  lex_token at;
  expr *e = NULL;
  lex_next(p->in);
  at = p->in->now;
  if (lex_name(p->in, &name, p->d) == OK && lex_expect(p->in, ')', p->d) == OK)
    e = p->scope->resolve(p->scope->context, name, call, &at, p->d);
  if (e && e->op == EXPR_SLOT && (!e->name || !strchr(e->name, '('))) {
    text written = { 0 };
    text_printf(&written, "%s(%s)", call, name);
    mem_free(e->name);
    e->name = written.s;
  }
  mem_free(name);
  return e;
}

static int word_among(const char *word, const char *const *words)
{
  for (int i = 0; words[i]; i++)
    if (strcmp(word, words[i]) == 0)
      return i;
  return -1;
}

static expr *parse_named(parser *p, const char *name, const lex_token *at)
{
  if (lex_is(p->in, '(')) {
    for (int f = 0; f < FUNCTIONS; f++)
      if (strcmp(functions[f].name, name) == 0)
        return parse_call(p, f, at);
    if (word_among(name, of_loops) >= 0)
      return parse_loop_call(p, name);
    diag_at(p->d, BAD_INPUT, "name", p->in->file, at->line, at->column, "there is no function '%s'", name);
    return NULL;
  }
  int table = p->scope->find_table ? p->scope->find_table(p->scope->context, name) : -1;
  if (table >= 0)
    return parse_table(p, table, name, at);
  if (lex_is(p->in, '[')) {
    diag_at(p->d, BAD_INPUT, "name", p->in->file, at->line, at->column, "'%s' is not a table", name);
    return NULL;
  }
  return p->scope->resolve(p->scope->context, name, NULL, at, p->d);
}

static expr *parse_atom(parser *p)
{
  lex_token at = p->in->now;
  expr *e = NULL;
  if (++p->nodes > NODES)
    return fail(p, "this expression is too long");
  if (at.kind == LEX_NUMBER) {
    lex_next(p->in);
    return finish(expr_const(at.number), &at);
  }
  if (at.kind == LEX_NAME) {
    char *name = mem_text_n(at.start, at.length);
    lex_next(p->in);
    e = parse_named(p, name, &at);
    mem_free(name);
    return finish(e, &at);
  }
  if (!lex_accept(p->in, '(')) {
    lex_unexpected(p->in, "a number, a name or '('", p->d);
    return NULL;
  }
  e = parse_whole(p);
  if (e && lex_expect(p->in, ')', p->d) == OK)
    return e;
  expr_free(e);
  return NULL;
}

static expr *parse_unary(parser *p)
{
  lex_token at = p->in->now;
  if (!lex_accept(p->in, '-'))
    return parse_atom(p);
  if (++p->depth > DEPTH)
    return fail(p, "this expression is nested too deeply");
  expr *inner = parse_unary(p);
  p->depth--;
  if (!inner)
    return NULL;
  if (inner->op == EXPR_CONST && inner->value != INT64_MIN) {
    inner->value = -inner->value;
    return finish(inner, &at);
  }
  expr *e = node(EXPR_NEG, 1);
  e->arg[0] = inner;
  return finish(e, &at);
}

static int operator_here(const parser *p, int level)
{
  for (int i = 0; i < OPERATORS; i++)
    if (operators[i].level == level && lex_is(p->in, operators[i].sign))
      return i;
  return -1;
}

/* e as a truth value. */
static expr *truth(expr *e) { return expr_is_truth(e) ? e : expr_binary(EXPR_NE, e, expr_const(0)); }

static expr *operation(expr_op op, expr *a, expr *b)
{
  bool logical = op == EXPR_MIN || op == EXPR_MAX;
  return logical ? expr_binary(op, truth(a), truth(b)) : expr_binary(op, a, b);
}

static expr *parse_level(parser *p, int level)
{
  if (level == LEVEL_UNARY)
    return parse_unary(p);
  expr *left = parse_level(p, level + 1);
  int o;
  while (left && (o = operator_here(p, level)) >= 0) {
    lex_token at = p->in->now;
    lex_next(p->in);
    expr *right = parse_level(p, level + 1);
    if (right)
      left = finish(operation(operators[o].op, left, right), &at);
    else {
      expr_free(left);
      left = NULL;
    }
  }
  return left;
}

expr *expr_parse(lexer *in, const expr_scope *scope, diag *d)
{
  parser p = { .in = in, .scope = scope, .d = d };
  return parse_whole(&p);
}

/* ---- evaluating ---- */

static expr_result bad(const char **why, const char *sentence)
{
  if (why)
    *why = sentence;
  return EXPR_BAD;
}

static expr_result look_up(const expr_table *t, const int64_t *x, int64_t *value)
{
  int64_t at = 0;
  for (int r = 0; r < t->rank; r++) {
    if (x[r] < 0 || x[r] >= t->extent[r])
      return EXPR_ABSENT;
    at = at * t->extent[r] + x[r];
  }
  *value = expr_entry(t, at);
  return EXPR_OK;
}

/* Of 16 bits, a few side by side. */
static void span_narrow(const int16_t *v, int64_t n, int64_t *least, int64_t *most)
{
  enum { SIDE = 16 };
  int16_t lo[SIDE], hi[SIDE];
  int64_t i = 0;
  for (int k = 0; k < SIDE; k++)
    lo[k] = hi[k] = v[0];
  for (; i + SIDE <= n; i += SIDE)
    for (int k = 0; k < SIDE; k++) {
      lo[k] = v[i + k] < lo[k] ? v[i + k] : lo[k];
      hi[k] = v[i + k] > hi[k] ? v[i + k] : hi[k];
    }
  for (; i < n; i++) {
    lo[0] = v[i] < lo[0] ? v[i] : lo[0];
    hi[0] = v[i] > hi[0] ? v[i] : hi[0];
  }
  *least = *most = v[0];
  for (int k = 0; k < SIDE; k++) {
    *least = num_min(*least, lo[k]);
    *most = num_max(*most, hi[k]);
  }
}

void expr_table_span(const expr_table *t, int64_t n, int64_t *least, int64_t *most)
{
  if (t->narrow) {
    span_narrow(t->narrow, n, least, most);
    return;
  }
  *least = *most = t->wide[0];
  for (int64_t i = 1; i < n; i++) {
    *least = num_min(*least, t->wide[i]);
    *most = num_max(*most, t->wide[i]);
  }
}

static expr_result divide(expr_op op, int64_t a, int64_t b, int64_t *value, const char **why)
{
  if (b == 0)
    return bad(why, "division by zero");
  if (a == INT64_MIN && b == -1) {
    *value = 0;
    return op == EXPR_MOD ? EXPR_OK : bad(why, "the value does not fit 64 bits");
  }
  if (op == EXPR_MOD)
    *value = num_floor_mod(a, b);
  else
    *value = num_floor_div(a, b) + (op == EXPR_CEIL && num_floor_mod(a, b) != 0);
  return EXPR_OK;
}

static expr_result apply(const expr *e, const int64_t *a, int64_t *v, const char **why)
{
  bool fits = true;
  switch (e->op) {
  case EXPR_NEG: fits = num_sub(0, a[0], v); break;
  case EXPR_ADD: fits = num_add(a[0], a[1], v); break;
  case EXPR_SUB: fits = num_sub(a[0], a[1], v); break;
  case EXPR_MUL: fits = num_mul(a[0], a[1], v); break;
  case EXPR_DIV: case EXPR_MOD: case EXPR_CEIL: return divide(e->op, a[0], a[1], v, why);
  case EXPR_EQ: *v = a[0] == a[1]; break;
  case EXPR_NE: *v = a[0] != a[1]; break;
  case EXPR_LT: *v = a[0] < a[1]; break;
  case EXPR_LE: *v = a[0] <= a[1]; break;
  case EXPR_GT: *v = a[0] > a[1]; break;
  case EXPR_GE: *v = a[0] >= a[1]; break;
  case EXPR_ISQRT:
    if (a[0] < 0)
      return bad(why, "isqrt of a negative number");
    *v = num_isqrt(a[0]);
    break;
  case EXPR_POW:
    if (a[1] < 0)
      return bad(why, "pow with a negative exponent");
    fits = num_pow(a[0], a[1], v);
    break;
  case EXPR_BINOMIAL:
    if (a[0] < 0)
      return bad(why, "binomial of a negative number");
    fits = num_binomial(a[0], a[1], v);
    break;
  default:
    *v = a[0];
    for (int i = 1; i < e->nargs; i++)
      *v = e->op == EXPR_MIN ? num_min(*v, a[i]) : num_max(*v, a[i]);
  }
  return fits ? EXPR_OK : bad(why, "the value does not fit 64 bits");
}

/* A number or a name has its value at once: half of all expressions are these. */
static inline bool is_leaf(const expr *e, const expr_env *env, int64_t *value)
{
  if (e->op == EXPR_CONST)
    *value = e->value;
  else if (e->op == EXPR_SLOT)
    *value = env->slot[e->slot];
  else
    return false;
  return true;
}

expr_result expr_eval(const expr *e, const expr_env *env, int64_t *value, const char **why)
{
  int64_t a[ARGS];
  if (is_leaf(e, env, value))
    return EXPR_OK;
  for (int i = 0; i < e->nargs; i++) {
    expr_result r = is_leaf(e->arg[i], env, &a[i]) ? EXPR_OK : expr_eval(e->arg[i], env, &a[i], why);
    if (r != EXPR_OK)
      return r;
  }
  if (e->op == EXPR_TABLE && env->table[e->slot].unstored)
    return bad(why, "it reads a table of more than 2^24 entries, which only generators may");
  return e->op == EXPR_TABLE ? look_up(&env->table[e->slot], a, value) : apply(e, a, value, why);
}

/* ---- printing ---- */

static const char *function_name(expr_op op)
{
  for (int f = 0; f < FUNCTIONS; f++)
    if (functions[f].op == op)
      return functions[f].name;
  return NULL;
}

/* The sign it is written with, or -1: min and max are signs between truth values only. */
static int operator_of(const expr *e)
{
  for (int i = 0; i < OPERATORS; i++)
    if (operators[i].op == e->op)
      return e->op >= EXPR_MIN && !expr_is_truth(e) ? -1 : i;
  return -1;
}

static int level_of(const expr *e)
{
  if (e->op == EXPR_NEG || (e->op == EXPR_CONST && e->value < 0))
    return LEVEL_UNARY;
  int o = operator_of(e);
  return o >= 0 ? operators[o].level : LEVEL_ATOM;
}

static void print(text *out, const expr *e, bool formula);

static void print_at(text *out, const expr *e, int level, bool formula)
{
  bool call = formula && (e->op == EXPR_DIV || e->op == EXPR_CEIL), brackets = !call && level_of(e) < level;
  if (brackets)
    text_char(out, '(');
  print(out, e, formula);
  if (brackets)
    text_char(out, ')');
}

static void print_list(text *out, const expr *e, char open, char close, bool formula)
{
  text_char(out, open);
  for (int i = 0; i < e->nargs; i++) {
    if (i)
      text_add(out, ",");
    print(out, e->arg[i], formula);
  }
  text_char(out, close);
}

/* A quotient that is rounded down: in a formula that is said. */
static void print_operator(text *out, const expr *e, int o, bool formula)
{
  bool floor = formula && e->op == EXPR_DIV;
  text_add(out, floor ? "floor(" : "");
  print_at(out, e->arg[0], operators[o].level, formula);
  text_add(out, formula && e->op == EXPR_MOD ? " mod " : operators[o].text);
  print_at(out, e->arg[1], operators[o].level + 1, formula);
  text_add(out, floor ? ")" : "");
}

static void print(text *out, const expr *e, bool formula)
{
  int o = operator_of(e);
  if (o >= 0)
    print_operator(out, e, o, formula);
  else if (e->op == EXPR_CONST)
    text_printf(out, "%lld", (long long)e->value);
  else if (e->op == EXPR_SLOT)
    text_add(out, e->name);
  else if (e->op == EXPR_TABLE) {
    text_add(out, e->name);
    print_list(out, e, '[', ']', formula);
  } else if (e->op == EXPR_NEG) {
    text_char(out, '-');
    print_at(out, e->arg[0], LEVEL_UNARY, formula);
  } else if (e->op == EXPR_POW && formula) {
    print_at(out, e->arg[0], LEVEL_ATOM, true);
    text_add(out, "^(");
    print(out, e->arg[1], true);
    text_char(out, ')');
  } else if (e->op == EXPR_ISQRT && formula) {
    text_add(out, "floor(sqrt");
    print_list(out, e, '(', ')', formula);
    text_char(out, ')');
  } else {
    text_add(out, function_name(e->op));
    print_list(out, e, '(', ')', formula);
  }
}

void expr_print(text *out, const expr *e) { print(out, e, false); }

void expr_print_formula(text *out, const expr *e) { print_at(out, e, LEVEL_ATOM, true); }

/* ---- asking ---- */

bool expr_is_truth(const expr *e)
{
  bool both = expr_is_extreme(e) && e->nargs == 2;
  return expr_is_comparison(e) || (both && expr_is_truth(e->arg[0]) && expr_is_truth(e->arg[1]));
}

bool expr_uses(const expr *e, int slot_from, int slot_to)
{
  if (e->op == EXPR_SLOT)
    return e->slot >= slot_from && e->slot < slot_to;
  for (int i = 0; i < e->nargs; i++)
    if (expr_uses(e->arg[i], slot_from, slot_to))
      return true;
  return false;
}

unsigned expr_slots(const expr *e, int from, int n)
{
  if (e->op == EXPR_SLOT)
    return e->slot >= from && e->slot < from + n ? 1u << (e->slot - from) : 0;
  unsigned slots = 0;
  for (int i = 0; i < e->nargs; i++)
    slots |= expr_slots(e->arg[i], from, n);
  return slots;
}

bool expr_is_slot(const expr *e, int slot) { return e->op == EXPR_SLOT && e->slot == slot; }

bool expr_some(const expr *e, bool (*is)(const expr *part))
{
  bool found = is(e);
  for (int i = 0; i < e->nargs && !found; i++)
    found = expr_some(e->arg[i], is);
  return found;
}

bool expr_compares_numbers(const expr *e)
{
  return expr_is_comparison(e) && !expr_some(e->arg[0], expr_is_comparison) &&
         !expr_some(e->arg[1], expr_is_comparison);
}

bool expr_equal(const expr *a, const expr *b)
{
  if (!a || !b)
    return a == b;
  if (a->op != b->op || a->nargs != b->nargs || a->value != b->value || a->slot != b->slot)
    return false;
  for (int i = 0; i < a->nargs; i++)
    if (!expr_equal(a->arg[i], b->arg[i]))
      return false;
  return true;
}

/* ---- affine forms ---- */

enum { AFFINE = 32 };
typedef struct { int64_t constant, coefficient[AFFINE]; } form;

static bool form_of(const expr *e, const expr_env *env, int from, int n, form *f);

static bool form_sum(const form *a, const form *b, int sign, int n, form *f)
{
  bool good =
      sign > 0 ? num_add(a->constant, b->constant, &f->constant) : num_sub(a->constant, b->constant, &f->constant);
  for (int i = 0; i < n && good; i++)
    good = sign > 0 ? num_add(a->coefficient[i], b->coefficient[i], &f->coefficient[i])
                    : num_sub(a->coefficient[i], b->coefficient[i], &f->coefficient[i]);
  return good;
}

static bool form_scaled(const form *a, int64_t by, int n, form *f)
{
  bool good = num_mul(a->constant, by, &f->constant);
  for (int i = 0; i < n && good; i++)
    good = num_mul(a->coefficient[i], by, &f->coefficient[i]);
  return good;
}

static bool is_constant(const form *f, int n)
{
  for (int i = 0; i < n; i++)
    if (f->coefficient[i] != 0)
      return false;
  return true;
}

static bool form_of_operation(const expr *e, const expr_env *env, int from, int n, form *f)
{
  form a, b = { 0 };
  if (e->op != EXPR_NEG && e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL)
    return false;
  if (!form_of(e->arg[0], env, from, n, &a) || (e->nargs > 1 && !form_of(e->arg[1], env, from, n, &b)))
    return false;
  if (e->op == EXPR_NEG)
    return form_scaled(&a, -1, n, f);
  if (e->op != EXPR_MUL)
    return form_sum(&a, &b, e->op == EXPR_ADD ? 1 : -1, n, f);
  if (is_constant(&a, n))
    return form_scaled(&b, a.constant, n, f);
  return is_constant(&b, n) && form_scaled(&a, b.constant, n, f);
}

static bool form_of(const expr *e, const expr_env *env, int from, int n, form *f)
{
  *f = (form){ 0 };
  if (!expr_uses(e, from, from + n))
    return expr_eval(e, env, &f->constant, NULL) == EXPR_OK;
  if (e->op != EXPR_SLOT)
    return form_of_operation(e, env, from, n, f);
  f->coefficient[e->slot - from] = 1;
  return true;
}

bool expr_affine(const expr *e, const expr_env *env, int from, int n, int64_t *constant, int64_t *coefficient)
{
  form f;
  assert(n <= AFFINE);
  if (!form_of(e, env, from, n, &f))
    return false;
  *constant = f.constant;
  for (int i = 0; i < n; i++)
    coefficient[i] = f.coefficient[i];
  return true;
}
