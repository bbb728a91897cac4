/* Which arrays matter is argued twice, by the prover and by the checker; statements are read by one reader.  What the
   prover finds with its liveness the checker must find with its own, or it would refuse the certificate. */
#include "base/mem.h"
#include "bounds/check/reading/read.h"
#include "bounds/recognise/shape.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

/* How many statements both find.  all: the checker must find all that the prover finds. */
static int compare(const cdag *g, const char *spec, bool all)
{
  bound_live l;
  int found = 0;
  bound_live_find(g, &l);
  bool *live = checker_live(g);
  ck_assert_msg(l.outputs <= checker_outputs(g), "%s: %lu and %lu outputs", spec, (unsigned long)l.outputs,
                (unsigned long)checker_outputs(g));
  for (int a = 0; a < g->arrays; a++) {
    bound_statement s, t;
    bool one = bound_statement_find(g, &l, a, &s), two = checker_statement_find(g, live, a, &t);
    ck_assert_msg(two || !one || !all, "%s: %s is found by the prover only", spec, g->array[a].name);
    found += two;
  }
  mem_free(live);
  bound_live_clear(&l);
  return found;
}

static const struct { const char *family, *names; int64_t most[6]; } families[] = {
  { "matmul", "m,n,k", { 9, 9, 9 } },
  { "matmul:acc=1", "m,n,k", { 9, 9, 9 } },
  { "attention", "n,nk,d,dv", { 9, 9, 5, 5 } },
  { "attention-causal", "n,d,dv", { 9, 5, 5 } },
  { "attention-online", "n,nk,d,b", { 9, 12, 4, 5 } },
  { "attention-sparse", "n,nk,d,b,w,s", { 20, 20, 3, 5, 2, 3 } },
  { "attention-backward", "n,d,nk,dv", { 7, 4, 7, 4 } },
  { "attention-lowrank", "n,d,r", { 7, 4, 6 } },
  { "attention-lowrank", "n,d,g", { 5, 3, 2 } },
  { "mlp", "m,k,h,n", { 7, 5, 6, 4 } },
  { "cholesky", "n", { 8 } },
  { "syrk", "n,k", { 8, 5 } },
  { "grid", "r,c", { 6, 6 } },
  { "stencil", "w,t", { 8, 6 } },
  { "chain", "n", { 9 } },
  { "dot", "k", { 9 } },
  { "matvec", "m,n", { 7, 7 } },
};

START_TEST(families_read_twice)
{
  support_random r = { (uint64_t)_i };
  int which = _i % COUNT(families);
  const char *names = families[which].names;
  char spec[256];
  size_t n = (size_t)snprintf(spec, sizeof spec, "%s%s", families[which].family,
                              strchr(families[which].family, ':') ? "," : ":");
  for (int i = 0; *names; i++) {
    size_t length = strcspn(names, ",");
    n += (size_t)snprintf(spec + n, sizeof spec - n, "%s%.*s=%d", i ? "," : "", (int)length, names,
                          (int)support_between(&r, 1, families[which].most[i]));
    names += length + (names[length] == ',');
  }
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  compare(g, spec, true);
  cdag_free(g);
}
END_TEST

/* ---- descriptions put together at random ---- */

static const char *const domains[] = { "i:n, j:m",    "i:n, j:i+1", "i:n, j:i..n", "i:n, j:max(0,i-1)..i+1",
                                       "i:n, j:w[i]", "i:2..n, j:m" };
static const char *const reads[] = { "A[i,j]",   "A[j,i]",      "A[i+j,0]",  "B[i,j,0]", "B[i,0,k]",
                                     "B[j,i,k]", "B[j,*,0]",    "A[w[i],j]", "A[i,j-1]", "U[i,j]",
                                     "U[j,i]",   "B[i,0..2,j]", "A[2*i+j,0]" };
static const char *const chains[] = { "X[i,j,k-1]", "X[i,j,k+1]", "X[i,j-1,k]", "X[i-1,j,k]",
                                      "X[i,j,k-1], X[i,j-1,k]" };
static const char *const ends[] = { "output O[i:n, j:m] = X[i,j,q-1]\n",
                                    "output X[*,*,q-1]\n",
                                    "output O[i:n, j:n+m] = X[i,j,q-1], A[0,0]\n",
                                    "output X[*,m-1,*]\n",
                                    "output O[i:n] = X[i,0,q-1]\n",
                                    "output X[*,*,0]\n",
                                    "output X[a:n,*,q-1]\n" };

START_TEST(descriptions_read_twice)
{
  support_random r = { (uint64_t)_i };
#define PICK(list) list[support_between(&r, 0, COUNT(list) - 1)]
  char source[1200], assign[64];
  snprintf(source, sizeof source,
           "param n m q\ntable w[i:n] = 1 + i %% 2\ninput A[3*(n+m),n+m], B[n+m,n+m,n+m+q]\nU[i:n+m, j:n+m] = A[i,0], "
           "B[0,j,0]\n"
           "X[%s, k:q] = %s, %s, %s\n%s",
           PICK(domains), PICK(chains), PICK(reads), PICK(reads), PICK(ends));
#undef PICK
  snprintf(assign, sizeof assign, "n=%d,m=%d,q=%d", (int)support_between(&r, 1, 4), (int)support_between(&r, 1, 4),
           (int)support_between(&r, 1, 4));
  cdag *g = NULL;
  diag d = { 0 };
  if (cdag_parse(&g, "random", source, assign, &d) == OK)
    compare(g, source, false);
  cdag_free(g);
}
END_TEST

START_TEST(there_are_statements)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention-sparse:n=64,d=4,b=8,s=2", &d), OK);
  ck_assert_int_eq(compare(g, "sparse", true), 3);
  cdag_free(g);
}
END_TEST

/* Triangles with more rows than are ever walked one by one. */
static const char *const triangles[] = { "syrk:n=1000000,k=3", "attention-causal:n=1000000,d=4" };

START_TEST(triangles_of_any_size)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, triangles[_i], &d), OK);
  ck_assert_int_ge(compare(g, triangles[_i], true), 1);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_reading");
  TCase *c = support_case(s, "reading");
  tcase_add_loop_test(c, families_read_twice, 0, support_rounds(200));
  tcase_add_loop_test(c, descriptions_read_twice, 0, support_rounds(400));
  tcase_add_test(c, there_are_statements);
  tcase_add_loop_test(c, triangles_of_any_size, 0, COUNT(triangles));
  return support_run(s);
}
