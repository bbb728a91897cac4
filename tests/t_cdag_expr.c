/* Expressions: values, errors with their place, printing, affine forms, and random trees printed and parsed again. */
#include "base/latex.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/language/expr_run.h"
#include "tests/support.h"
#include <string.h>

/* a scope of the variables a..e (slots 0..4) and a table t[2,3] */
static int64_t table_values[] = { 10, 11, 12, 20, 21, 22 };
static const expr_table tables[] = { { .name = "t", .rank = 2, .extent = { 2, 3 }, .wide = table_values } };
static const int64_t slots[] = { 7, -3, 2, 0, 1000000 };

static expr *resolve(void *context, const char *name, const char *call, const lex_token *at, diag *d)
{
  (void)context;
  if (name[0] >= 'a' && name[0] <= 'e' && !name[1] && !call)
    return expr_slot(name[0] - 'a', name);
  diag_at(d, BAD_INPUT, "name", "test", at->line, at->column, "unknown '%s'", name);
  return NULL;
}
static int find_table(void *context, const char *name) { (void)context; return strcmp(name, "t") == 0 ? 0 : -1; }
static const expr_table *table_at(void *context, int i) { (void)context; return &tables[i]; }
static const expr_scope scope = { NULL, resolve, find_table, table_at };
static const expr_env env = { slots, tables };

static expr *parse(const char *source, diag *d)
{
  lexer in;
  lex_init(&in, "test", source, true);
  expr *e = expr_parse(&in, &scope, d);
  if (e && in.now.kind != LEX_END) {
    lex_unexpected(&in, "the end", d);
    expr_free(e);
    return NULL;
  }
  return e;
}

static const struct { const char *source; int64_t value;
} values[] = {
  { "1+2*3", 7 },         { "(1+2)*3", 9 },
  { "7-2-1", 4 },         { "a/2", 3 },
  { "-a/2", -4 },         { "a/-2", -4 },
  { "-7%3", 2 },          { "7%-3", -2 },
  { "b*b", 9 },           { "-b", 3 },
  { "--3", 3 },           { "2K", 2048 },
  { "1M+1", 1048577 },    { "1G", 1073741824 },
  { "a<b", 0 },           { "b<a", 1 },
  { "a<=7==1", 1 },       { "a!=7", 0 },
  { "3>2>1", 0 },         { "min(a,b,c)", -3 },
  { "max(a,b)", 7 },      { "isqrt(99)", 9 },
  { "isqrt(0)", 0 },      { "ceil(7,2)", 4 },
  { "ceil(-7,2)", -3 },   { "ceil(8,2)", 4 },
  { "pow(2,10)", 1024 },  { "pow(a,0)", 1 },
  { "pow(-1,3)", -1 },    { "binomial(5,2)", 10 },
  { "binomial(3,5)", 0 }, { "t[1,2]", 22 },
  { "t[c-1,0]+1", 21 },   { "1 - 2 # rest", -1 },
  { "min(a,\n b)", -3 },  { "9223372036854775807", INT64_MAX },
  { "ceil(7,-2)", -3 },   { "isqrt(9223372036854775807)", 3037000499 },
};
START_TEST(has_value)
{
  diag d = { 0 };
  int64_t v = 0;
  expr *e = parse(values[_i].source, &d);
  ck_assert_msg(e != NULL, "%s: %s", values[_i].source, d.message);
  ck_assert_int_eq(expr_eval(e, &env, &v, NULL), EXPR_OK);
  ck_assert_msg(v == values[_i].value, "%s gave %lld", values[_i].source, (long long)v);
  expr_free(e);
}
END_TEST

static const struct { const char *source; expr_result result;
} without[] = {
  { "1/d", EXPR_BAD },
  { "1%d", EXPR_BAD },
  { "ceil(1,0)", EXPR_BAD },
  { "isqrt(b)", EXPR_BAD },
  { "pow(2,b)", EXPR_BAD },
  { "pow(2,63)", EXPR_BAD },
  { "binomial(b,1)", EXPR_BAD },
  { "binomial(100,50)", EXPR_BAD },
  { "t[2,0]", EXPR_ABSENT },
  { "t[0,-1]", EXPR_ABSENT },
  { "1+t[0,3]", EXPR_ABSENT },
  { "9223372036854775807+1", EXPR_BAD },
  { "e*e*e*e", EXPR_BAD },
  { "(-9223372036854775807-1)/-1", EXPR_BAD },
  { "-(-9223372036854775807-1)", EXPR_BAD },
};
START_TEST(has_no_value)
{
  diag d = { 0 };
  int64_t v = 0;
  const char *why = NULL;
  expr *e = parse(without[_i].source, &d);
  ck_assert_msg(e != NULL, "%s: %s", without[_i].source, d.message);
  ck_assert_int_eq(expr_eval(e, &env, &v, &why), without[_i].result);
  ck_assert(without[_i].result == EXPR_ABSENT || why != NULL);
  expr_free(e);
}
END_TEST

static const struct { const char *source, *kind; int line, column;
} wrong[] = {
  { "1+", "syntax", 1, 3 },
  { "(1", "syntax", 1, 3 },
  { "1 2", "syntax", 1, 3 },
  { "x", "name", 1, 1 },
  { "a+f(1)", "name", 1, 3 },
  { "a[1]", "name", 1, 1 },
  { "t", "syntax", 1, 2 },
  { "t[1]", "index", 1, 1 },
  { "min(a)", "index", 1, 1 },
  { "isqrt(1,2)", "index", 1, 1 },
  { "pow(1,\n@)", "syntax", 2, 1 },
  { "2x", "syntax", 1, 1 },
  { "2k", "syntax", 1, 1 },
  { "99999999999999999999", "syntax", 1, 1 },
  { "9G+8589934592G", "syntax", 1, 4 },
  { "lo(a)", "name", 1, 4 },
  { "t[1,2,3,4,5,6,7,8,9]", "syntax", 1, 19 },
  { "é", "syntax", 1, 1 },
  { "a ! b", "syntax", 1, 3 },
  { "", "syntax", 1, 1 },
  { "a=b", "syntax", 1, 2 },
};
START_TEST(is_wrong)
{
  diag d = { 0 };
  ck_assert_ptr_null(parse(wrong[_i].source, &d));
  ck_assert_msg(d.kind && strcmp(d.kind, wrong[_i].kind) == 0 && d.line == wrong[_i].line &&
                    d.column == wrong[_i].column,
                "%s: %s %d:%d %s", wrong[_i].source, d.kind, d.line, d.column, d.message);
}
END_TEST

START_TEST(depth_is_capped)
{
  text deep = { 0 };
  diag d = { 0 };
  for (int i = 0; i < 100000; i++)
    text_add(&deep, _i == 0 ? "(" : _i == 1 ? "-" : _i == 2 ? "1+" : "min(1,");
  ck_assert_ptr_null(parse(deep.s, &d));
  ck_assert_str_eq(d.kind, "syntax");
  text_clear(&deep);
}
END_TEST

/* ---- random trees ---- */

static expr *random_tree(support_random *r, int depth)
{
  int kind = (int)support_between(r, 0, depth ? 20 : 1);
  char name[2] = { (char)('a' + support_between(r, 0, 4)), 0 };
  if (kind == 0)
    return expr_const(support_between(r, -9, 9));
  if (kind <= 3)
    return expr_slot(name[0] - 'a', name);
  expr_op op = (expr_op)support_between(r, EXPR_NEG, EXPR_BINOMIAL);
  expr *a = random_tree(r, depth - 1), *e;
  if (op != EXPR_NEG && op != EXPR_ISQRT)
    return expr_binary(op, a, random_tree(r, depth - 1));
  if (op == EXPR_NEG && a->op == EXPR_CONST)
    return a; /* the parser makes a minus before a number part of it */
  e = expr_binary(op, a, expr_const(0));
  expr_free(e->arg[1]);
  e->nargs = 1;
  return e;
}

START_TEST(print_then_parse)
{
  support_random r = { (uint64_t)_i };
  expr *e = random_tree(&r, 5);
  text once = { 0 }, latex = { 0 };
  diag d = { 0 };
  expr_print(&once, e);
  expr_print_formula(&latex, e);
  latex_rewrite(&latex);
  expr *again = parse(once.s, &d);
  ck_assert_msg(again != NULL, "%s: %s", once.s, d.message);
  ck_assert_msg(expr_equal(e, again), "%s", once.s);
  expr *copy = expr_copy(e);
  ck_assert(expr_equal(e, copy));
  int open = 0;
  for (const char *c = latex.s; *c && open >= 0; c++)
    open += (*c == '{') - (*c == '}');
  ck_assert_msg(open == 0, "%s", latex.s);
  expr_free(e), expr_free(again), expr_free(copy);
  text_clear(&once), text_clear(&latex);
}
END_TEST

/* Where a form is found, it agrees with the tree; it is found for every tree of sums, differences and scalings. */
START_TEST(affine_agrees)
{
  support_random r = { (uint64_t)_i };
  expr *e = random_tree(&r, 3);
  int64_t base, coefficient[3], x[5] = { 3, 4, 5, 6, 7 };
  expr_env at = { x, tables };
  if (expr_affine(e, &at, 1, 3, &base, coefficient))
    for (int round = 0; round < 20; round++) {
      int64_t v, sum = base;
      const char *why;
      for (int i = 0; i < 3; i++) {
        x[1 + i] = support_between(&r, -20, 20);
        sum += coefficient[i] * x[1 + i];
      }
      ck_assert_int_eq(expr_eval(e, &at, &v, &why), EXPR_OK);
      ck_assert_int_eq(v, sum);
    }
  expr_free(e);
}
END_TEST

START_TEST(affine_found)
{
  diag d = { 0 };
  int64_t base, coefficient[3];
  expr *e = parse("2*(b-a*c)+(e/7)*d-t[0,1]", &d);
  ck_assert(expr_affine(e, &env, 1, 3, &base, coefficient));
  ck_assert_int_eq(base, -11);
  ck_assert_int_eq(coefficient[0], 2);
  ck_assert_int_eq(coefficient[1], -14);
  ck_assert_int_eq(coefficient[2], 142857);
  expr_free(e);
  e = parse("b*c", &d);
  ck_assert(!expr_affine(e, &env, 1, 3, &base, coefficient));
  expr_free(e);
  e = parse("b/2", &d);
  ck_assert(!expr_affine(e, &env, 1, 3, &base, coefficient));
  expr_free(e);
}
END_TEST

/* ---- all values of a slot at once ---- */

enum { RUN = 5 };

/* Either the values one by one, or not at all: the latter only where one is missing, unless `may_refuse`. */
static void check_row(const expr *e, const expr_table *t, int64_t *x, int slot, expr_kept *kept, bool may_refuse,
                      uint64_t seed)
{
  int64_t out[RUN], v, before = x[slot], from = (int64_t)(seed % 3);
  expr_env at = { x, t };
  bool done = expr_run(e, &at, slot, from, RUN, kept, out), all = true;
  for (x[slot] = from; x[slot] < from + RUN; x[slot]++) {
    bool has = expr_eval(e, &at, &v, NULL) == EXPR_OK;
    all &= has;
    ck_assert_msg(!done || (has && v == out[x[slot] - from]), "at %ld of seed %lu", (long)x[slot], (unsigned long)seed);
  }
  ck_assert_msg(done || !all || may_refuse, "refused, seed %lu", (unsigned long)seed);
  x[slot] = before;
}

/* Rows by a second slot; what does not read it is evaluated once. */
static void check_run(const expr *e, const expr_table *t, int64_t *x, int slot, bool may_refuse, uint64_t seed)
{
  int row = (slot + 1) % 5;
  expr_kept kept = { .from = row, .to = row + 1 };
  for (int k = 0; k < 3; k++) {
    check_row(e, t, x, slot, &kept, may_refuse, seed);
    x[row] = x[row] < 9 ? x[row] + 1 : 0;
  }
  expr_kept_clear(&kept);
}

/* Now and then two trees are the indices of a table. */
START_TEST(runs_agree)
{
  support_random r = { (uint64_t)_i };
  static int16_t line[] = { 5, -1, 4, 0, 2, 3 };
  const expr_table both[] = { tables[0], { .name = "u", .rank = 1, .extent = { 6 }, .narrow = line } };
  expr *e = random_tree(&r, (int)support_between(&r, 0, 4));
  if (support_between(&r, 0, 1)) {
    e = expr_binary(EXPR_ADD, e, random_tree(&r, 2));
    e->op = EXPR_TABLE;
    e->slot = (int)support_between(&r, 0, 1);
    e->name = mem_text(both[e->slot].name);
    if (e->slot == 1) {
      expr_free(e->arg[1]);
      e->nargs = 1;
    }
    e = expr_binary(EXPR_MAX, e, random_tree(&r, 1));
  }
  int64_t x[5];
  for (int i = 0; i < 5; i++)
    x[i] = support_between(&r, 0, 9) ? support_between(&r, -3, 6) : INT64_MAX;
  check_run(e, both, x, (int)support_between(&r, 0, 4), true, r.s);
  expr_free(e);
}
END_TEST

/* What is left has a value where the whole has, and that one. */
START_TEST(known_slots)
{
  support_random r = { (uint64_t)_i };
  int64_t x[5], v, w;
  expr_env at = { x, tables };
  int fixed = (int)support_between(&r, 0, 5);
  for (int i = 0; i < 5; i++)
    x[i] = support_between(&r, -1, 2);
  expr *e = random_tree(&r, (int)support_between(&r, 1, 4)), *rest = expr_with(e, &at, fixed);
  for (int round = 0; round < 10; round++) {
    for (int i = fixed; i < 5; i++)
      x[i] = support_between(&r, -3, 6);
    bool has = expr_eval(e, &at, &v, NULL) == EXPR_OK, kept = expr_eval(rest, &at, &w, NULL) == EXPR_OK;
    ck_assert_msg(has == kept && (!has || v == w), "seed %d", _i);
  }
  ck_assert(!expr_uses(rest, 0, fixed));
  expr_free(e);
  expr_free(rest);
}
END_TEST

/* What the tables of masks are made of is done, not refused, but where an entry is missing. */
static const char *const runs[] = { "a",
                                    "7",
                                    "b*2",
                                    "max(a >= b, a*3 - c, a%4 == 1, 0)",
                                    "min(a, b, 5)",
                                    "t[b+4,a%3]",
                                    "t[a%2,2]",
                                    "t[a/4+1,0]",
                                    "t[0,a]",
                                    "a/2 - pow(a, 2)",
                                    "(a < b)*(a <= c) + (a > b) + (a != 2)" };
START_TEST(runs_are_done)
{
  diag d = { 0 };
  int64_t x[] = { 7, -3, 2, 0, 1000000 };
  expr *e = parse(runs[_i], &d);
  check_run(e, tables, x, 0, false, (uint64_t)_i);
  expr_free(e);
}
END_TEST

static const struct { const char *source, *formula, *latex;
} as_formula[] = {
  { "2*a/3", "floor(2*a/3)", "\\lfloor 2\\,a/3\\rfloor " },
  { "a*(b/2)", "(a*floor(b/2))", "(a\\,\\lfloor b/2\\rfloor )" },
  { "ceil(a,b+1)", "ceil(a,b+1)", "\\lceil \\frac{a}{b+1}\\rceil " },
  { "a*(b+c)", "(a*(b+c))", "(a\\,(b+c))" },
  { "2*3", "(2*3)", "(2\\cdot 3)" },
  { "a<=b", "(a <= b)", "(a \\le  b)" },
  { "isqrt(a) % pow(2,b)", "(floor(sqrt(a)) mod 2^(b))", "(\\lfloor \\sqrt{a}\\rfloor  \\mathrm{mod} 2^{b})" },
};
START_TEST(formula)
{
  diag d = { 0 };
  text out = { 0 };
  expr *e = parse(as_formula[_i].source, &d);
  expr_print_formula(&out, e);
  ck_assert_str_eq(out.s, as_formula[_i].formula);
  latex_rewrite(&out);
  ck_assert_str_eq(out.s, as_formula[_i].latex);
  expr_free(e);
  text_clear(&out);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("expr");
  TCase *c = support_case(s, "expr");
  tcase_add_loop_test(c, has_value, 0, COUNT(values));
  tcase_add_loop_test(c, has_no_value, 0, COUNT(without));
  tcase_add_loop_test(c, is_wrong, 0, COUNT(wrong));
  tcase_add_loop_test(c, depth_is_capped, 0, 4);
  tcase_add_loop_test(c, print_then_parse, 0, support_rounds(300));
  tcase_add_loop_test(c, affine_agrees, 0, support_rounds(300));
  tcase_add_loop_test(c, runs_agree, 0, support_rounds(2000));
  tcase_add_loop_test(c, known_slots, 0, support_rounds(1000));
  tcase_add_loop_test(c, runs_are_done, 0, COUNT(runs));
  tcase_add_test(c, affine_found);
  tcase_add_loop_test(c, formula, 0, COUNT(as_formula));
  return support_run(s);
}
