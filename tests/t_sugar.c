/* Conditions, sums and several rules for one array: the graph of a random text is the one its lines say, read here by
 * hand. */
#include "base/mem.h"
#include "cdag/cdag.h"
#include "cdag/language/expr.h"
#include "tests/support.h"
#include <stdlib.h>
#include <string.h>

enum { N = 5, TERMS = 6 };

/* ---- conditions, with what they mean ---- */

typedef struct { int kind; int64_t a, b; } condition;

static condition some_condition(support_random *r)
{
  return (condition){ (int)support_between(r, 0, 8), support_between(r, 0, N), support_between(r, 0, N) };
}

static void put_condition(text *out, condition c)
{
  static const char *const said[] = { "",
                                      " if i == %lld",
                                      " if j < %lld",
                                      " if i <= j",
                                      " if i + j == %lld",
                                      " if i > %lld && j != %lld",
                                      " if i == %lld || j == %lld",
                                      " if (i + %lld) %% 2",
                                      " if i >= j + %lld && i < n - 1" };
  text_printf(out, said[c.kind], (long long)c.a, (long long)c.b);
}

static bool holds(condition c, int64_t i, int64_t j)
{
  switch (c.kind) {
  case 0: return true;
  case 1: return i == c.a;
  case 2: return j < c.a;
  case 3: return i <= j;
  case 4: return i + j == c.a;
  case 5: return i > c.a && j != c.b;
  case 6: return i == c.a || j == c.b;
  case 7: return (i + c.a) % 2 != 0;
  default: return i >= j + c.a && i < N - 1;
  }
}

/* ---- rules over parts of the square ---- */

typedef struct { int64_t di, dj; bool own; condition when; } simple_term; /* X[i+di,j+dj], or Y of the row before */
typedef struct { int64_t i0, i1, j0, j1; bool input; int terms; simple_term term[TERMS]; } part;

static part some_part(support_random *r, int64_t i0, int64_t i1, int64_t j0, int64_t j1)
{
  part p = { i0, i1, j0, j1, false, (int)support_between(r, 1, TERMS), { { 0 } } };
  for (int t = 0; t < p.terms; t++)
    p.term[t] = (simple_term){ support_between(r, -1, 1), support_between(r, -1, 1), support_between(r, 0, 1),
                               some_condition(r) };
  p.term[0] = (simple_term){ 0, 0, false, { 0 } }; /* so that there is a predecessor */
  return p;
}

static void put_part(text *out, const part *p)
{
  text_printf(out, "%sY[i:%lld..%lld, j:%lld..%lld]", p->input ? "input " : "", (long long)p->i0, (long long)p->i1,
              (long long)p->j0, (long long)p->j1);
  for (int t = 0; t < p->terms; t++) {
    const simple_term *x = &p->term[t];
    text_printf(out, "%s%s[i+%lld,j+%lld]", t ? ", " : " = ", x->own ? "Y" : "X", (long long)(x->own ? -1 : x->di),
                (long long)x->dj);
    put_condition(out, x->when);
  }
  text_char(out, '\n');
}

/* The square in up to four parts: whole, two bands, or a band and two beside each other. */
static int divide(support_random *r, part *p)
{
  int64_t row = support_between(r, 1, N - 1), column = support_between(r, 1, N - 1);
  int n = (int)support_between(r, 1, 3);
  p[0] = some_part(r, 0, n == 1 ? N : row, 0, N);
  p[1] = some_part(r, row, N, 0, n == 2 ? N : column);
  p[2] = some_part(r, row, N, column, N);
  if (n > 1 && support_between(r, 0, 2) == 0)
    p[0].input = true, p[0].terms = 0;
  return n;
}

static const part *part_at(const part *p, int n, int64_t i, int64_t j)
{
  for (int k = 0; k < n; k++)
    if (i >= p[k].i0 && i < p[k].i1 && j >= p[k].j0 && j < p[k].j1)
      return &p[k];
  return NULL;
}

static bool in_square(int64_t i, int64_t j) { return i >= 0 && i < N && j >= 0 && j < N; }

/* Does Y[i,j] read vertex v?  X are the first N*N vertices, then Y. */
static bool reads(const part *p, int n, int64_t i, int64_t j, uint32_t v)
{
  const part *here = part_at(p, n, i, j);
  for (int t = 0; t < here->terms; t++) {
    const simple_term *x = &here->term[t];
    int64_t a = i + (x->own ? -1 : x->di), b = j + x->dj;
    if (holds(x->when, i, j) && in_square(a, b) && v == (uint32_t)((x->own ? N * N : 0) + a * N + b))
      return true;
  }
  return false;
}

static void check_reads(const cdag *g, const part *p, int n, const char *source)
{
  cdag_graph e = { 0 };
  ck_assert_int_eq(cdag_materialise(g, 0, &e, NULL), OK);
  ck_assert_uint_eq(e.n, 2 * N * N);
  for (int64_t y = 0; y < N * N; y++) {
    uint64_t degree = e.pred_at[N * N + y + 1] - e.pred_at[N * N + y], expected = 0;
    for (uint32_t v = 0; v < e.n; v++)
      expected += reads(p, n, y / N, y % N, v);
    ck_assert_msg(degree == expected, "Y[%d,%d] has %d predecessors, not %d, in\n%s", (int)(y / N), (int)(y % N),
                  (int)degree, (int)expected, source);
    for (uint64_t k = e.pred_at[N * N + y]; k < e.pred_at[N * N + y + 1]; k++)
      ck_assert_msg(reads(p, n, y / N, y % N, e.pred[k]), "Y[%d,%d] reads %u in\n%s", (int)(y / N), (int)(y % N),
                    e.pred[k], source);
  }
  cdag_counts c;
  ck_assert_int_eq(cdag_count(g, &c, NULL), OK);
  ck_assert_uint_eq(c.edges, e.m);
  ck_assert_uint_eq(c.inputs, N * N + (p[0].input ? (uint64_t)((p[0].i1 - p[0].i0) * N) : 0));
  cdag_graph_clear(&e);
}

START_TEST(rules_and_conditions)
{
  support_random r = { (uint64_t)_i };
  part p[3];
  int n = divide(&r, p), first = (int)support_between(&r, 0, n - 1);
  text source = { 0 }, again = { 0 };
  diag d = { 0 };
  cdag *g = NULL;
  text_printf(&source, "param n = %d\ninput X[n,n]\n", N);
  for (int k = 0; k < n; k++) /* in any order */
    put_part(&source, &p[(first + k) % n]);
  text_add(&source, "output Y[*,*]\n");
  ck_assert_msg(cdag_parse(&g, "sugar.cdag", source.s, "", &d) == OK, "%d:%d: %s\n%s", d.line, d.column, d.message,
                source.s);
  ck_assert_ptr_null(cdag_check(g));
  check_reads(g, p, n, source.s);
  cdag_print(&again, g);
  cdag_free(g);
  ck_assert_msg(cdag_parse(&g, "again.cdag", again.s, "", &d) == OK, "%d:%d: %s\n%s", d.line, d.column, d.message,
                again.s);
  check_reads(g, p, n, again.s);
  cdag_free(g);
  text_clear(&source);
  text_clear(&again);
}
END_TEST

/* ---- sums ---- */

/* Two texts of one graph, numbered alike. */
static void check_same(const char *const *source)
{
  cdag *of[2] = { 0 };
  cdag_graph e[2] = { { 0 } };
  for (int k = 0; k < 2; k++) {
    diag d = { 0 };
    ck_assert_msg(cdag_parse(&of[k], "sum.cdag", source[k], "", &d) == OK, "%d:%d: %s\n%s", d.line, d.column, d.message,
                  source[k]);
    ck_assert_int_eq(cdag_materialise(of[k], 0, &e[k], NULL), OK);
  }
  ck_assert_uint_eq(e[0].n, e[1].n);
  ck_assert_msg(e[0].m == e[1].m, "%s%s", source[0], source[1]);
  ck_assert_mem_eq(e[0].output, e[1].output, e[0].n);
  for (uint32_t v = 0; v < e[0].n; v++) {
    ck_assert_uint_eq(e[0].pred_at[v], e[1].pred_at[v]);
    for (uint64_t k = e[0].pred_at[v]; k < e[0].pred_at[v + 1]; k++)
      ck_assert_uint_eq(e[0].pred[k], e[1].pred[k]);
  }
  for (int k = 0; k < 2; k++) {
    cdag_free(of[k]);
    cdag_graph_clear(&e[k]);
  }
}

START_TEST(sums)
{
  support_random r = { (uint64_t)_i };
  int64_t a0 = support_between(&r, 0, 2), a1 = a0 + support_between(&r, 1, 3), b0 = support_between(&r, 0, 1),
          b1 = b0 + support_between(&r, 1, 3);
  bool two = support_between(&r, 0, 1), init = support_between(&r, 0, 1);
  text short_text = { 0 }, long_text = { 0 };
  text_add(&short_text, "param n = 3\ninput X[n,9], W[9], F[n]\n");
  text_add(&long_text, short_text.s);
  text_printf(&short_text, "output S[i:n] = %ssum a:%lld..%lld", init ? "F[i], " : "", (long long)a0, (long long)a1);
  if (two)
    text_printf(&short_text, ", b:%lld..%lld", (long long)b0, (long long)b1);
  text_add(&short_text, " { X[i,a], W[a] }\noutput T[i:n] = S[i] if i < 2, S[i-1]\n");
  text_printf(&long_text, "S[i:n, a:%lld..%lld", (long long)a0, (long long)a1);
  if (two)
    text_printf(&long_text, ", b:%lld..%lld] = S[i,a,b-1], S[i,a-1,%lld] if b == %lld", (long long)b0, (long long)b1,
                (long long)b1 - 1, (long long)b0);
  else
    text_add(&long_text, "] = S[i,a-1]");
  if (init)
    text_printf(&long_text, ", F[i] if a == %lld%s", (long long)a0, two ? b0 ? " && b == 1" : " && b == 0" : "");
  text_add(&long_text, ", X[i,a], W[a]\n");
  char last[40];
  snprintf(last, sizeof last, two ? "%lld,%lld" : "%lld", (long long)a1 - 1, (long long)b1 - 1);
  text_printf(&long_text, "output T[i:n] = S[i,%s] if i < 2, S[i-1,%s]\noutput S[*,%s]\n", last, last, last);
  check_same((const char *const[]){ short_text.s, long_text.s });
  text_clear(&short_text);
  text_clear(&long_text);
}
END_TEST

/* Where a sum has no steps its reader reads what it begins with. */
static const char *const without_steps[][2] = {
  { "param n = 5\ninput A[n,n]\ns[i:n, j:i+1] = A[i,j], sum k:0..j { L[i,k], L[j,k] }\n"
    "L[i:n, j:i+1] = s[i,j], L[j,j] if j < i\noutput L[*,*]",
    "param n = 5\ninput A[n,n]\ns[i:n, j:i+1, k:j] = s[i,j,k-1], A[i,j] if k == 0, L[i,k], L[j,k]\n"
    "L[i:n, j:i+1] = s[i,j,j-1], L[j,j] if j < i, A[i,j] if j == 0\noutput L[*,*]" },
  { "param n = 6\ninput A[n,n], b[n]\nu[i:n] = b[i], sum k:0..i { A[i,k] }\nw[i:n] = u[i], sum k:2..i { A[k,i] }\n"
    "output x[i:n] = w[i] if i != 1, A[i,i]",
    "param n = 6\ninput A[n,n], b[n]\nu[i:n, k:i] = u[i,k-1], b[i] if k == 0, A[i,k]\n"
    "w[i:n, k:2..i] = w[i,k-1], u[i,i-1] if k == 2, A[k,i]\n"
    "output x[i:n] = w[i,i-1], A[i,i], u[i,i-1] if i == 2, b[i] if i == 0" },
  { "param n = 5\ninput A[n,n], c[n]\ns[i:n] = c[i..i+2], sum a:0..2, b:i..3 { A[a,b] }\n"
    "output y[i:n] = s[n-1-i], A[0,i]",
    "param n = 5\ninput A[n,n], c[n]\n"
    "s[i:n, a:0..2, b:i..3] = s[i,a,b-1], s[i,a-1,2] if b == i, c[i..i+2] if a == 0 && b == i, A[a,b]\n"
    "output y[i:n] = s[n-1-i,1,2], A[0,i], c[n-1-i..n+1-i] if i <= 1" },
#define BY_LENGTHS                                                                                                     \
  "param n = 6\ninput q[n]\nT[l:1..n, i:n-l] = T[l-1,i] if l > 1, T[l-1,i+1] if l > 1, T[l-2,i+1] if l > 2, q[i], "    \
  "q[i+l], sum k:1..l { T[k,i], T[l-k,i+k] }\noutput T[n-1,0]"
  { BY_LENGTHS,
    "param n = 6\ninput q[n]\nT[l:1..n, i:n-l, k:1..l] = T[l,i,k-1], T[l-1,i,l-2] if k == 1, T[l-1,i+1,l-2] if k == 1, "
    "T[l-2,i+1,l-3] if k == 1, q[i] if k == 1, q[i+l] if k == 1, T[k,i,k-1], T[l-k,i+k,l-k-1], q[i..i+3] if l == 2, "
    "q[i+1..i+3] if l == 3 && k == 1, q[i..i+2] if k == 1, q[l-1+i..l+1+i] if k == l-1\noutput T[n-1,0,n-2]" },
};

START_TEST(sums_without_steps) { check_same(without_steps[_i]); }
END_TEST

/* What contradicts itself, or names what does not exist, is not passed on: each of five reads of ends would pass on the
 * five of those, and so on. */
static const struct { const char *text; int most; } passed[] = {
  { BY_LENGTHS, 8 + 2 * 5 },
  { "param n = 6\ninput q[n]\nT[a:n, j:n-a..n] = q[a], T[a,j-1], T[a-1,j], T[a-1,j-1], "
    "sum k:n-a..j { T[a,k], T[n-2-k,j] }\noutput T[n-1,n-1]",
    7 + 5 },
};

START_TEST(few_are_passed_on)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "passed.cdag", passed[_i].text, "", &d) == OK, "%s", d.message);
  ck_assert_int_le(g->array[1].terms, passed[_i].most);
  cdag_free(g);
}
END_TEST

/* Of several rules, one makes outputs: its elements alone are. */
START_TEST(one_rule_of_outputs)
{
  cdag *g = NULL;
  cdag_counts c;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "x", "input X[1]\nY[i:0..2] = X[0]\noutput Y[i:2..7] = Y[i-2]", "", &d) == OK, "%s",
                d.message);
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  ck_assert_uint_eq(c.vertices, 8);
  ck_assert_uint_eq(c.outputs, 5);
  cdag_free(g);
}
END_TEST

/* An array of inputs may be given in parts. */
START_TEST(inputs_in_parts)
{
  cdag *g = NULL;
  cdag_counts c;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "x", "input X[t:0..1, i:5]\ninput X[t:1..4, i:0..1]\ninput X[t:1..4, i:4..5]\n"
                                    "X[t:1..4, i:1..4] = X[t-1,i-1..i+2]\noutput X[3,1..4]", "", &d) == OK,
                "%s", d.message);
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  ck_assert_uint_eq(c.vertices, 20);
  ck_assert_uint_eq(c.inputs, 11);
  ck_assert_uint_eq(c.edges, 27);
  cdag_free(g);
}
END_TEST

/* ---- refused, and warned of ---- */

static const struct { const char *source, *kind, *words; int line;
} wrong[] = {
  { "input X[3]\ninput X[3]\nY[i:3] = X[i]\noutput Y[*]", "cdag", "3 elements of X belong to this rule", 2 },
  { "input X[3]\nY[i:0..2] = X[i]\nY[i:1..3] = X[i]\noutput Y[*]", "cdag",
    "1 elements of Y belong to this rule and to that of line 2 too", 3 },
  { "input X[3]\ninput Y[i:3]\noutput Y[i:3] = X[i]", "cdag",
    "3 elements of Y belong to this rule and to that of line 2 too", 3 },
  { "input X[3]\nY[i:0..1] = X[i]\nY[i:2..3] = X[i]\noutput Y[*]", "cdag", "leave holes", 2 },
  { "input X[3]\nY[i:0..1] = X[i]\nY[i:1..3,j:2] = X[i]\noutput Y[*]", "index", "Y has 1 index, not 2", 3 },
  { "input X[3]\ninput Y[i:0..1]\nY[i:1..3] = X[i] if i > 1\noutput Y[*]", "cdag",
    "1 elements of Y have no predecessor and stand under no 'input'", 2 },
  { "input X[3]\nY[i:3] = X[i] if i > 0\noutput Y[*]", "cdag", "have no predecessor", 2 },
  { "input X[3]\nY[i:3] = sum k:3 { X[k] }\nY[i:3..4] = X[0]\noutput Y[*]", "name", "a sum is an array's only rule",
    3 },
  { "input X[3]\nY[i:3] = sum k:i+1 { X[k] }\noutput Z[i:3] = Y[*]", "index",
    "where the sum of Y ends depends on an index", 3 },
  { "input X[3]\nY[i:3] = X[i] if\noutput Y[*]", "syntax", "expected", 2 },
  { "input X[3]\nY[i:3] = sum k:3 { X[k]\noutput Y[*]", "syntax", "expected '}'", 2 },
  { "input X[3]\nY[i:0..1, j:3] = X[i]\nY[i:1..3, j:i] = X[i]\noutput Y[2,1..2]", "", "", 0 },
};

START_TEST(refused)
{
  cdag *g = NULL;
  diag d = { 0 };
  status st = cdag_parse(&g, "wrong.cdag", wrong[_i].source, "", &d);
  if (!wrong[_i].kind[0]) {
    ck_assert_msg(st == OK, "%s", d.message);
    ck_assert_uint_eq(g->array[1].count, 3 + 1 + 2);
    cdag_free(g);
    return;
  }
  ck_assert_int_ne(st, OK);
  ck_assert_msg(!strcmp(d.kind, wrong[_i].kind) && d.line == wrong[_i].line && strstr(d.message, wrong[_i].words),
                "%d: %s: %s", d.line, d.kind, d.message);
}
END_TEST

START_TEST(warnings)
{
  static const char *const source =
      "param n = 5\ninput X[n], Z[n]\nY[i:n] = X[i], Z[i+n], Z[i] if i > n,\n  Y[i-4]\noutput Y[*]\n";
  cdag *g = NULL;
  text out = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "w.cdag", source, "", NULL), OK);
  cdag_warnings(g, &out);
  ck_assert_str_eq(out.s, "w.cdag:3:16: Z of this rule is absent from every element of Y here\nw.cdag:3:24: Z of this "
                          "rule is absent from every element of Y here\n");
  cdag_free(g);
  text_clear(&out);
}
END_TEST

/* A first rule of inputs and the versions computed from them: the upper bound of both is that of the versions where
   none ends sooner, and the inputs are told by the box of their rule. */
static const char *const versions[] = {
  "param n = 7\ninput A[i:n, j:i+1, 0..1]\nA[i:n, j:i+1, k:1..j+1] = A[i,j,k-1], L[i,k-1]\n"
  "L[i:n, j:i+1] = A[i,j,j]\noutput L[*,*]\n",
  "param n = 7\ninput A[i:n, j:n, 0..1]\nA[i:n, j:n, k:1..min(i,j)+1] = A[i,j,k-1], A[i,k-1,k-1]\n"
  "output E[i:n, j:n] = A[i,j,min(i,j)]\n",
  "param n = 7\ninput A[i:n, j:n, 0..1]\nA[i:n, j:n, k:1..n-i+j-n/2] = A[i,j,k-1]\n" /* no version where i is large */
  "output E[i:n, j:n] = A[i,j,*]\n",
};

START_TEST(first_versions)
{
  cdag *g = NULL;
  cdag_box b;
  cdag_element e;
  diag d = { 0 };
  text hi = { 0 };
  uint64_t inputs = 0;
  ck_assert_msg(cdag_parse(&g, "versions.cdag", versions[_i], "", &d) == OK, "%s", d.message);
  int a = cdag_find_array(g, "A");
  cdag_sources_hull(g, a, &b);
  ck_assert_int_eq(b.lo[2], 0);
  ck_assert_int_eq(b.hi[2], 1);
  for (uint64_t id = 0; id < g->vertices; id++) {
    cdag_at(g, id, &e);
    bool in = e.array == a, inside = true;
    for (int r = 0; r < g->array[a].rank && in; r++)
      inside = inside && e.x[r] >= b.lo[r] && e.x[r] < b.hi[r];
    inputs += in && inside;
    ck_assert_msg(!in || cdag_is_input(g, a, e.x) == inside, "vertex %llu", (unsigned long long)id);
  }
  ck_assert_uint_gt(inputs, 0);
  expr_print(&hi, g->array[a].hi[2]);
  ck_assert_msg((_i == 2) == (strstr(text_str(&hi), "max") != NULL), "%s", text_str(&hi));
  text_clear(&hi);
  cdag_free(g);
}
END_TEST

/* A size at which nothing can be looked at one by one. */
START_TEST(large)
{
  static const char *const source =
    "param n = 1000000\ninput A[n], C[n,n]\noutput S[i:n,j:n] = C[i,j] if i <= j, A[i] if i > j, A[j] if i == j\n";
  cdag *g = NULL;
  cdag_counts c;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "large.cdag", source, "", &d) == OK, "%s", d.message);
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  ck_assert_uint_eq(c.edges, UINT64_C(1000000) * 1000000 + 1000000);
  ck_assert_uint_eq(c.max_in_degree, 2);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("sugar");
  TCase *c = support_case(s, "core");
  tcase_add_loop_test(c, rules_and_conditions, 0, support_rounds(400));
  tcase_add_loop_test(c, sums, 0, support_rounds(60));
  tcase_add_loop_test(c, sums_without_steps, 0, COUNT(without_steps));
  tcase_add_loop_test(c, few_are_passed_on, 0, COUNT(passed));
  tcase_add_test(c, one_rule_of_outputs);
  tcase_add_test(c, inputs_in_parts);
  tcase_add_loop_test(c, refused, 0, COUNT(wrong));
  tcase_add_test(c, warnings);
  tcase_add_loop_test(c, first_versions, 0, COUNT(versions));
  tcase_add_test(c, large);
  return support_run(s);
}
