/* The language: what is refused, with its kind and place; what is read; parameters, tables, names on the command line.
 */
#include "base/mem.h"
#include "cdag/cdag.h"
#include "tests/support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- refused ---- */

#define LONGEST "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk" /* 63 characters */

static const struct { const char *source, *assign, *kind; status st; int line, column; } wrong[] = {
  /* syntax */
  { "input x[3]\noutput x[*] y", "", "syntax", BAD_INPUT, 2, 13 },
  { "input x[3\noutput x[*]", "", "syntax", BAD_INPUT, 1, 10 },
  { "input x\noutput x[*]", "", "syntax", BAD_INPUT, 1, 8 },
  { "input x[3]\ny[i:3] =\noutput y[*]", "", "syntax", BAD_INPUT, 2, 9 },
  { "input x[3]\ny[i:3] = x[i],", "", "syntax", BAD_INPUT, 2, 15 },
  { "input x[3]\ny[i:3]\noutput y[*]", "", "syntax", BAD_INPUT, 2, 7 },
  { "input x[i 3]\noutput x[*]", "", "name", BAD_INPUT, 1, 9 },
  { "input " LONGEST "l[3]\noutput x[*]", "", "name", BAD_INPUT, 1, 7 },
  { "input " LONGEST "[3]\noutput y[i:3] = " LONGEST "l[i]", "", "name", BAD_INPUT, 2, 17 },
  { "input " LONGEST "[3]\noutput " LONGEST "l[*]", "", "name", BAD_INPUT, 2, 8 },
  { "input x[i:3 4]\noutput x[*]", "", "syntax", BAD_INPUT, 1, 13 },
  { "input x[]\noutput x[*]", "", "syntax", BAD_INPUT, 1, 9 },
  { "input x[3]\noutput x[1..]", "", "syntax", BAD_INPUT, 2, 13 },
  { "input x[3]\n= x[1]", "", "syntax", BAD_INPUT, 2, 1 },
  { "input x[3], y[3] = x[1]\noutput y[*]", "", "syntax", BAD_INPUT, 1, 18 },
  { "param\ninput x[3]\noutput x[*]", "", "syntax", BAD_INPUT, 1, 6 },
  { "param 3\n", "", "syntax", BAD_INPUT, 1, 7 },
  { "param n = \ninput x[n]\noutput x[*]", "", "syntax", BAD_INPUT, 1, 11 },
  { "table t[0..3] = 1,2,3\ninput x[3]\noutput x[*]", "", "syntax", BAD_INPUT, 1, 10 },
  { "table t[3] 1,2,3\n", "", "syntax", BAD_INPUT, 1, 12 },
  { "input x[3];\noutput x[*]", "", "syntax", BAD_INPUT, 1, 11 },
  { "input x[3]\noutput x[99999999999999999999]", "", "syntax", BAD_INPUT, 2, 10 },
  { "input x[((((3)]\n", "", "syntax", BAD_INPUT, 1, 15 },
  { "input [3]\n", "", "syntax", BAD_INPUT, 1, 7 },
  /* names */
  { "input x[3]\noutput y[*]", "", "name", BAD_INPUT, 2, 8 },
  { "input x[3]\noutput y[i:3] = z[i]", "", "name", BAD_INPUT, 2, 17 },
  { "input x[3]\noutput y[i:3] = x[k]", "", "name", BAD_INPUT, 2, 19 },
  { "input x[n]\noutput x[*]", "", "name", BAD_INPUT, 1, 9 },
  { "input x[3], x[4]\noutput x[*]", "", "name", BAD_INPUT, 1, 13 },
  { "param n = 3\ninput n[3]\noutput n[*]", "", "name", BAD_INPUT, 2, 7 },
  { "input x[3]\nparam x = 3\noutput x[*]", "", "name", BAD_INPUT, 2, 7 },
  { "input M[3]\noutput M[*]", "", "name", BAD_INPUT, 1, 7 },
  { "param M = 3\n", "", "name", BAD_INPUT, 1, 7 },
  { "input x[3]\noutput y[M:3] = x[M]", "", "name", BAD_INPUT, 2, 10 },
  { "input param[3]\n", "", "name", BAD_INPUT, 1, 7 },
  { "load[i:3] = x[i]\n", "", "name", BAD_INPUT, 1, 1 },
  { "input x[3]\noutput y[x:3] = x[1]", "", "name", BAD_INPUT, 2, 10 },
  { "input x[3]\noutput y[i:3,i:3] = x[i]", "", "name", BAD_INPUT, 2, 14 },
  { "input x[3]\noutput y[z:3] = x[z]\nz[i:3] = x[i]", "", "name", BAD_INPUT, 2, 10 },
  { "input x[3]\noutput y[y:3] = x[y]", "", "name", BAD_INPUT, 2, 10 },
  { "param n = 3\ninput x[3]\noutput y[i:3] = n[i]", "", "name", BAD_INPUT, 3, 17 },
  { "table t[2] = 1,2\ninput x[3]\noutput y[i:3] = t[i]", "", "name", BAD_INPUT, 3, 17 },
  { "input x[3]\noutput y[i:3] = x[x]", "", "name", BAD_INPUT, 2, 19 },
  { "input x[3]\noutput y[i:3] = x[lo(i)]", "", "name", BAD_INPUT, 2, 22 },
  { "input x[3]\noutput y[i:3] = x[f(i)]", "", "name", BAD_INPUT, 2, 19 },
  { "input x[3]\noutput y[i:3] = x[i[2]]", "", "name", BAD_INPUT, 2, 19 },
  { "input x[3]\noutput y[j:i,i:3] = x[i]", "", "name", BAD_INPUT, 2, 12 },
  { "param n = m, m = 3\ninput x[n]\noutput x[*]", "", "name", BAD_INPUT, 1, 11 },
  { "table t[2] = 1, 1\nparam n = t[0]\ninput x[n]\noutput x[*]", "", "name", BAD_INPUT, 2, 7 },
  /* numbers of indices */
  { "input x[3]\noutput y[i:3] = x[i,i]", "", "index", BAD_INPUT, 2, 17 },
  { "input x[3,3]\noutput y[i:3] = x[i]", "", "index", BAD_INPUT, 2, 17 },
  { "input x[3]\noutput x[*,*]", "", "index", BAD_INPUT, 2, 8 },
  { "table t[2,2] = 1,2,3,4\ninput x[3]\noutput y[i:3] = x[t[i]]", "", "index", BAD_INPUT, 3, 19 },
  { "input x[3]\noutput y[i:3] = x[min(i)]", "", "index", BAD_INPUT, 2, 19 },
  { "input x[1,1,1,1,1,1,1,1,1]\n", "", "index", BAD_INPUT, 1, 25 },
  /* the CDAG */
  { "input x[3]\ny[i:3] = x[i]", "", "cdag", BAD_INPUT, 2, 14 },
  { "input x[3]\noutput x[5]", "", "cdag", BAD_INPUT, 2, 8 },
  { "input x[-1]\noutput x[*]", "", "cdag", BAD_INPUT, 1, 9 },
  { "param n\ninput x[n]\noutput x[*]", "n=-4", "cdag", BAD_INPUT, 2, 9 },
  { "param n\ninput x[n,n]\noutput x[*,*]", "n=4G", "cdag", BAD_INPUT, 2, 7 },
  { "param n\ninput x[n,n,n]\noutput x[*,*,*]", "n=3000000", "cdag", BAD_INPUT, 2, 7 },
  { "param n\ninput x[n], y[n], z[n]\noutput x[*]", "n=4611686018427387903", "cdag", BAD_INPUT, 2, 9 },
  { "table t[-1] = 1\ninput x[3]\noutput x[*]", "", "cdag", BAD_INPUT, 1, 7 },
  { "table t[3] = 1, 2\ninput x[3]\noutput x[*]", "", "cdag", BAD_INPUT, 1, 7 },
  { "table t[2000000000] = 1\ninput x[3]\noutput x[*]", "", "cdag", BAD_INPUT, 1, 7 },
  { "table t[i:2000000000] = i\ninput x[3]\noutput x[*]", "", "cdag", BAD_INPUT, 1, 7 },
  { "table t[3] = monomial_parent(2,2)\ninput x[3]\noutput x[*]", "", "cdag", BAD_INPUT, 1, 7 },
  { "input x[3]\noutput y[i:3] = x[i+1]", "", "cdag", BAD_INPUT, 2, 8 },
  { "input x[3]\noutput y[i:3] = y[i-1]", "", "cdag", BAD_INPUT, 2, 8 },
  { "output y[i:3] = y[i]", "", "cdag", BAD_INPUT, 1, 8 },
  { "input x[1]\noutput y[i:3] = y[2-i], x[*]", "", "cdag", BAD_INPUT, 2, 8 },
  { "input x[1]\noutput y[i:3] = z[i], x[*]\nz[i:3] = y[i]", "", "cdag", BAD_INPUT, 3, 1 },
  { "input x[1]\noutput y[i:9] = y[(5*i+1)%9], x[*]", "", "cdag", BAD_INPUT, 2, 8 },
  /* values */
  { "input x[3/0]\noutput x[*]", "", "value", BAD_INPUT, 1, 10 },
  { "param n = 1/0\ninput x[n]\noutput x[*]", "", "value", BAD_INPUT, 1, 12 },
  { "table t[i:3] = 1/i\ninput x[3]\noutput x[*]", "", "value", BAD_INPUT, 1, 17 },
  { "table s[2] = 1,2\ntable t[i:3] = s[i]\ninput x[3]\noutput x[*]", "", "value", BAD_INPUT, 2, 16 },
  { "input x[3]\noutput y[i:3] = x[2/i]", "", "value", BAD_INPUT, 2, 20 },
  { "input x[3]\noutput y[i:3] = x[i*4611686018427387904]", "", "cdag", BAD_INPUT, 2, 20 },
  { "param n = 2000\ninput x[3]\noutput y[i:n,j:n] = x[i%(j-7)], x[0]", "", "value", BAD_INPUT, 3, 24 },
  { "param n = 2000\ninput x[3]\noutput y[i:n,j:n] = x[isqrt(i-j)], x[0]", "", "value", BAD_INPUT, 3, 23 },
  /* parameters */
  { "param n\ninput x[n]\noutput x[*]", "", "parameter", BAD_USAGE, 0, 0 },
  { "param n\ninput x[n]\noutput x[*]", "m=3", "parameter", BAD_USAGE, 0, 0 },
  { "param n\ninput x[n]\noutput x[*]", "n", "parameter", BAD_USAGE, 0, 0 },
  { "param n\ninput x[n]\noutput x[*]", "n=", "parameter", BAD_USAGE, 0, 0 },
  { "param n\ninput x[n]\noutput x[*]", "n=x", "parameter", BAD_USAGE, 0, 0 },
  { "param n\ninput x[n]\noutput x[*]", "n=3,n=4", "parameter", BAD_USAGE, 0, 0 },
  { "param n\ninput x[n]\noutput x[*]", "n=3,", "parameter", BAD_USAGE, 0, 0 },
  { "param n\ninput x[n]\noutput x[*]", "n=9223372036854775808", "parameter", BAD_USAGE, 0, 0 },
  { "table t[2] = 1,2\ninput x[3]\noutput x[*]", "t=3", "parameter", BAD_USAGE, 0, 0 },
};

START_TEST(is_wrong)
{
  cdag *g = NULL;
  diag d = { 0 };
  status st = cdag_parse(&g, "wrong.cdag", wrong[_i].source, wrong[_i].assign, &d);
  ck_assert_msg(st == wrong[_i].st, "%s\ngave %d", wrong[_i].source, st);
  ck_assert_ptr_null(g);
  ck_assert_msg(strcmp(d.kind, wrong[_i].kind) == 0 && d.line == wrong[_i].line && d.column == wrong[_i].column,
                "%s\n%s %d:%d %s", wrong[_i].source, d.kind, d.line, d.column, d.message);
  ck_assert_uint_gt(strlen(d.message), 10);
  ck_assert_str_eq(d.file, d.line ? "wrong.cdag" : "");
}
END_TEST

/* ---- suggestions ---- */

static const struct { const char *spec, *part; } suggestions[] = {
  { "atention:n=3,d=2", "'attention'" }, { "attention:nq=3,d=2", "'nk'" },     { "mathmul:m=1", "'matmul'" },
  { "pyramidd:h=3", "'pyramid'" },       { "attention-casual:n=1", "'attention-causal'" }, { "matmul:m=2,n=3", "k" },
  { "random:n=3,sed=4", "'seed'" },      { "zzzzzzz", "redblue families" },
};
START_TEST(suggests)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, suggestions[_i].spec, &d), BAD_USAGE);
  ck_assert_str_eq(d.kind, "parameter");
  ck_assert_msg(strstr(d.message, suggestions[_i].part) != NULL, "%s", d.message);
}
END_TEST

/* ---- read ---- */

/* counts by hand */
static const struct { const char *source; uint64_t vertices, edges, inputs, outputs;
} readable[] = {
  { "table w[3] = 1, 3, 2\ntable v[3] = 2, 1, 2\ninput X[3]\nA[i:3, j:w[i]] = X[i]\noutput B[i:3, j:v[i]] = A[i,j], "
    "X[i]\n",
    14, 15, 3, 5 },
  { "input " LONGEST "[3]\noutput y[i:3] = " LONGEST "[i]", 6, 3, 3, 3 },
  { "input x[3]\noutput y[i:3] = x[i], x[i], x[i+0]", 6, 3, 3, 3 },
  { "input x[3]\noutput y[i:3] = x[*]", 6, 9, 3, 3 },
  { "input x[3]\noutput y[i:3] = x[0..i+1], x[i]", 6, 6, 3, 3 },
  { "output y[i:3] = x[i],   # a comment\n\n  # and another\n  x[2-i]\ninput x[3]", 6, 5, 3, 3 },
  { "input x[\n  3]\noutput x[*]", 3, 0, 3, 3 },
  { "\xef\xbb\xbfinput x[3]\r\noutput x[1..3]\r\n", 3, 0, 3, 2 },
  { "input x[3]\noutput x[0], x[0..2]", 3, 0, 3, 2 },
  { "input x[3,3]\noutput x[i:3,i], x[0,*]", 9, 0, 9, 5 },
  { "output input x[3]", 3, 0, 3, 3 },
  { "input output x[3]", 3, 0, 3, 3 },
  { "param n = 2 k = 3\ninput x[n*k]\noutput x[*]", 6, 0, 6, 6 },
  { "param n = 2, k = n+1,\n  q = k\ninput x[n*q]\noutput x[*]", 6, 0, 6, 6 },
  { "input x[0]\noutput x[*]", 0, 0, 0, 0 },
  { "input x[5..3]\noutput x[*]", 0, 0, 0, 0 },
  { "input x[-2..3]\noutput x[*]", 5, 0, 5, 5 },
  { "input x[i:4,j:i]\noutput x[*,*]", 6, 0, 6, 6 },
  { "table t[2,2] = 0,1,\n 2, 0\ninput x[3]\noutput y[i:2,j:2] = x[t[i,j]]", 7, 4, 3, 4 },
  { "table t[2] = 0,1\ninput x[3], z[1]\noutput y[i:3] = x[t[i]], z[0]", 7, 5, 4, 3 },
  { "table w[J:3] = min(2, 5-J*2)\ninput x[J:3,j:w[J]]\noutput x[*,*]", 5, 0, 5, 5 },
  { "table p[6] = monomial_parent(2,2)\ntable v[6] = monomial_variable(2,2)\ninput x[2]\noutput f[a:1..6] = f[p[a]], "
    "x[v[a]]",
    7, 8, 2, 5 },
  { "table m[2,3] = 1,0,1, 0,0,1\ntable c[2] = nonzero_count(m)\ntable q[2,3] = nonzero_column(m)\ninput x[3]\noutput "
    "y[i:2,k:c[i]] = x[q[i,k]]",
    6, 3, 3, 3 },
  { "table t[1] = 0\ninput x[3]\noutput y[i:3] = x[0*t[i]], x[i]", 6, 3, 3,
    3 }, /* t[1], t[2]: absent, times 0 or not */
  { "input x[2,1]\noutput y[i:2,t:3] = y[i,t-1], x[i,t]", 8, 6, 2, 6 },
  { "input A[s:3,i:2] = A[s-1,i]\noutput A[2,*]", 6, 4, 2, 2 },
  { "input x[1]\noutput y[i:8] = y[i/2], x[0]\n"
    "",
    0, 0, 0, 0 }, /* y[0] reads itself: refused, see below */
};
START_TEST(is_read)
{
  cdag *g = NULL;
  diag d = { 0 };
  cdag_counts c;
  status st = cdag_parse(&g, "text", readable[_i].source, "", &d);
  if (_i == COUNT(readable) - 1) {
    ck_assert_int_eq(st, BAD_INPUT);
    ck_assert_msg(strstr(d.message, "y[0] needs y[0]") != NULL, "%s", d.message);
    return;
  }
  ck_assert_msg(st == OK, "%s\n%d:%d %s", readable[_i].source, d.line, d.column, d.message);
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  ck_assert_msg(c.vertices == readable[_i].vertices && c.edges == readable[_i].edges &&
                    c.inputs == readable[_i].inputs && c.outputs == readable[_i].outputs,
                "%s\n%d %d %d %d", readable[_i].source, (int)c.vertices, (int)c.edges, (int)c.inputs, (int)c.outputs);
  cdag_free(g);
}
END_TEST

/* Rules that are free of cycles for reasons a ranking must find; far too large to look at. */
static const char *const acyclic[] = {
  "param n = 3000\ntable t[i:n] = i%7\ninput x[100]\noutput y[i:n,j:n] = x[(i*j)%5+t[j]], x[isqrt(i*j)/30], "
  "x[i/(j+1)-pow(i%2,j)], x[0], y[i-1-t[i]*t[j],j]",
  "param n = 1G\ninput x[1]\noutput y[i:n,j:n] = y[i-1,n-1-j], y[i,j-1], x[0]",
  "param n = 1G\ninput x[1]\noutput y[i:n] = y[i+1], y[i+2], x[0]",
  "param n = 1G\ninput x[1]\noutput y[i:1..n] = x[0], z[i-1]\nz[i:n] = y[i], x[0]",
  "param n = 1M\ninput x[1]\noutput y[i:n,j:n] = z[i-1,j], z[i,j-1], x[0]\nz[i:n,j:n] = y[i,j]",
  "param n = 1M\ninput x[1]\na[i:n,j:i+1] = b[j], x[0]\noutput b[j:n] = a[j,j-1], c[j-1,*], x[0]\nc[i:n,j:i] = a[i,j], "
  "b[i-1]",
  "param n = 1000000\ninput x[1]\noutput y[i:n] = y[i-1], z[i,*], x[0]\nz[i:n,j:5] = y[i-1-j], x[0]",
  "param n = 100000\ninput x[n]\na[d:1..n,i:n-d] = c[i+d-1,i], c[i+d,i+1], x[i]\noutput c[j:1..n,i:j] = a[j-i,i]",
  /* sweeps along columns and back along rows begin at borders of what they make */
  "param n = 120\ninput u[t:0..1,i:n,j:n], x[1]\nv[t:1..n,i:0..1,j:1..n-1] = x[0]\n"
  "v[t:1..n,i:n-1..n,j:1..n-1] = x[0]\nq[t:1..n,i:1..n-1,j:0..1] = v[t,0,i]\n"
  "q[t:1..n,i:1..n-1,j:1..n-1] = q[t,i,j-1], u[t-1,j,i]\nv[t:1..n,i:1..n-1,j:1..n-1] = v[t,i+1,j], q[t,j,i]\n"
  "u[t:1..n,i:1..n-1,j:0..1] = x[0]\nu[t:1..n,i:1..n-1,j:n-1..n] = x[0]\n"
  "output u[t:1..n,i:1..n-1,j:1..n-1] = u[t,i,j+1], v[t,i,j]",
};
START_TEST(is_acyclic)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "text", acyclic[_i], "", &d) == OK, "%s\n%s", acyclic[_i], d.message);
  cdag_free(g);
}
END_TEST

/* A border that reads on may close a circle: z[5] needs y[5], which comes after y[0], which needs z[5]. */
START_TEST(circle_by_a_border)
{
  cdag *g = NULL;
  diag d = { 0 };
  const char *source = "param n = 10M\ninput x[1]\ny[i:0..1] = z[5]\ny[i:1..n] = y[i-1], x[0]\noutput z[i:n] = y[i]";
  ck_assert_int_eq(cdag_parse(&g, "text", source, "", &d), GAVE_UP);
  ck_assert_int_eq(cdag_parse(&g, "text", source, "n=100", &d), BAD_INPUT);
  ck_assert_msg(strstr(d.message, "there is a cycle"), "%s", d.message);
  cdag_free(g);
}
END_TEST

/* ---- large: described by arithmetic alone ---- */

static const struct { const char *spec; uint64_t vertices, edges, inputs, outputs; int in_degree;
} large[] = {
  /* attention: 2 n d + n d' inputs ...; S n^2 d, P n^2, L n^2, Z n^2 d, O n d */
  { "attention:n=1000000,d=128", 3 * 128000000ull + 256 * 1000000000000ull + 2 * 1000000000000ull + 128000000,
    (3 * 128ull - 1) * 1000000000000ull + 1000000000000ull + 2 * 1000000000000ull - 1000000 +
        128 * (3 * 1000000000000ull - 1000000) + 2 * 128000000ull,
    384000000, 128000000, 3 },
  { "matmul:m=100000,n=100000,k=100000", 1000000000000000ull + 20000000000ull, 3000000000000000ull - 10000000000ull,
    20000000000ull, 10000000000ull, 3 },
  { "cholesky:n=1000000", 166667666667500000ull, 500000500000000000ull, 500000500000ull, 500000500000ull, 3 },
  { "grid:r=1000000,c=1000000", 1000000000000ull, 1999998000000ull, 1, 1, 2 },
};
START_TEST(is_large)
{
  cdag *g = NULL;
  diag d = { 0 };
  cdag_counts c;
  ck_assert_msg(cdag_open(&g, large[_i].spec, &d) == OK, "%s", d.message);
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  ck_assert_uint_eq(c.vertices, large[_i].vertices);
  ck_assert_uint_eq(c.edges, large[_i].edges);
  ck_assert_uint_eq(c.inputs, large[_i].inputs);
  ck_assert_uint_eq(c.outputs, large[_i].outputs);
  ck_assert_uint_eq(c.max_in_degree, (uint64_t)large[_i].in_degree);
  cdag_graph e = { 0 };
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), GAVE_UP);
  cdag_free(g);
}
END_TEST

/* ---- files ---- */

START_TEST(tables_from_files)
{
  char path[] = "/tmp/redblue-table-XXXXXX", spec[128];
  int fd = mkstemp(path);
  FILE *f = fdopen(fd, "w");
  fputs("1, 0, -1 # the first row keeps two blocks\n0 1 0\n0,0,1\n", f);
  fclose(f);
  cdag *g = NULL;
  diag d = { 0 };
  cdag_counts c;
  snprintf(spec, sizeof spec, "attention-sparse:n=3,d=1,b=1,mask=@%s", path);
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s", d.message);
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  ck_assert_uint_eq(c.vertices, 9 + 4 * 4 + 3); /* S, P, L, Z for four pairs */
  text printed = { 0 };
  cdag_print(&printed, g);
  ck_assert_ptr_nonnull(strstr(printed.s, "table mask[nb, kb] = 1, 0, -1, 0, 1, 0, 0, 0, 1\n"));
  text_clear(&printed);
  cdag_free(g);
  snprintf(spec, sizeof spec, "attention-sparse:n=4,d=1,b=1,mask=@%s", path);
  ck_assert_int_eq(cdag_open(&g, spec, &d), BAD_INPUT);
  ck_assert_str_eq(d.kind, "cdag");
  unlink(path);
}
END_TEST

/* ---- damaged texts: refused with a place, or read; never a crash, a leak or an abort ---- */

static const char *const seeds[] = {
  "param n = 3, d = 2\ninput Q[n,d], K[n,d]\nS[i:n, j:i+1, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\noutput S[i:n,*,d-1]\n",
  "param n = 5, b = 2\nparam nb = ceil(n, b)\ntable w[J:nb] = min(b, n - J*b)\ninput x[n]\noutput L[J:nb, j:w[J]] = "
  "L[J,j-1], L[J-1,b-1+j], x[J*b+j]\n",
  "table p[6] = monomial_parent(2,2)\ntable v[6] = monomial_variable(2,2)\ninput x[2]\noutput f[a:1..6] = f[p[a]], "
  "x[v[a]], x[0..2]\n",
  "param n = 4\ninput A[i:n, j:i+1, o:1]\nU[i:n, j:i+1, k:j] = U[i,j,k-1], A[i,j,k], T[i,k], T[j,k]\noutput D[j:n] = "
  "U[j,j,j-1], A[j,j,j]\noutput T[i:n, j:i] = U[i,j,j-1], A[i,j,j], D[j]\n",
  "table m[2,3] = 1,0,1, 0,0,1\ntable c[2] = nonzero_count(m)\ninput x[3,3]\noutput y[i:2,k:c[i]] = x[i,*], x[*,k/2], "
  "x[pow(i,2)%3,max(k,1)-1]\n",
};
static const char *const pieces[] = { "[",      "]",
                                      ",",      "*",
                                      "..",     ":",
                                      "=",      "i",
                                      "j",      "n",
                                      "0",      "1",
                                      "9",      "-1",
                                      "1G",     "999999999999",
                                      "/",      "%",
                                      "\n",     "(",
                                      ")",      "min(",
                                      "input ", "output ",
                                      "param ", "table ",
                                      "x",      "S",
                                      "M",      "#",
                                      "*i",     "+j",
                                      "/0",     "pow(9,99)",
                                      "\x01",   "\xff",
                                      "[*]",    "binomial(4,2)" };

static void damage(support_random *r, char *out, const char *seed)
{
  strcpy(out, seed);
  for (int64_t hits = support_between(r, 1, 3); hits > 0; hits--) {
    size_t n = strlen(out), at = (size_t)support_between(r, 0, (int64_t)n - 1), cut = (size_t)support_between(r, 0, 3);
    const char *piece = support_between(r, 0, 3) ? pieces[support_between(r, 0, COUNT(pieces) - 1)] : "";
    cut = at + cut > n ? n - at : cut;
    memmove(out + at + strlen(piece), out + at + cut, n - at - cut + 1);
    memcpy(out + at, piece, strlen(piece));
  }
}

START_TEST(damaged)
{
  support_random r = { (uint64_t)_i };
  char source[2048];
  for (int round = 0; round < 40; round++) {
    cdag *g = NULL;
    diag d = { 0 };
    cdag_counts c;
    damage(&r, source, seeds[support_between(&r, 0, COUNT(seeds) - 1)]);
    status st = cdag_parse(&g, "damaged", source, "", &d);
    if (st == OK) {
      ck_assert_ptr_null(cdag_check(g));
      cdag_count(g, &c, &d);
      text again = { 0 };
      cdag_print(&again, g);
      text_clear(&again);
    } else
      ck_assert_msg(d.kind && d.message[0] && (d.line > 0 || st == BAD_USAGE || st == GAVE_UP), "%s\n%s", source,
                    d.message);
    cdag_free(g);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("text");
  TCase *c = support_case(s, "text");
  tcase_add_loop_test(c, is_wrong, 0, COUNT(wrong));
  tcase_add_loop_test(c, suggests, 0, COUNT(suggestions));
  tcase_add_loop_test(c, is_read, 0, COUNT(readable));
  tcase_add_loop_test(c, is_acyclic, 0, COUNT(acyclic));
  tcase_add_test(c, circle_by_a_border);
  tcase_add_loop_test(c, is_large, 0, COUNT(large));
  tcase_add_test(c, tables_from_files);
  tcase_add_loop_test(c, damaged, 0, support_rounds(50));
  return support_run(s);
}
