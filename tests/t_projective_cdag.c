/* Bounds of computations written for the occasion: none exceeds the exact optimum; the right shapes are found, the
 * wrong ones are not. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "bounds/recognise/shape_backward.h"
#include "bounds/recognise/shape_lowrank.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

/* Parameters n, d, e take 1 .. most. */
static const struct { const char *name, *text; int most[3];
} computations[] = {
  { "two products",
    "param n d e\ninput A[n,e], B[e,n], C[n,d]\nT[i:n, j:n, k:e] = T[i,j,k-1], A[i,k], B[k,j]\n"
    "D[i:n, l:d, j:n] = D[i,l,j-1], T[i,j,e-1], C[j,l]\noutput D[*,*,n-1]\n",
    { 2, 2, 2 } },
  { "contraction",
    "param n d e\ninput X[n,d,e], Y[e,n]\nZ[i:n, j:d, k:n, m:e] = Z[i,j,k,m-1], X[i,j,m], Y[m,k]\noutput "
    "Z[*,*,*,e-1]\n",
    { 2, 2, 3 } },
  { "mttkrp",
    "param n d e\ninput X[n,d,e], B[d,n], C[e,n]\n"
    "A[i:n, r:n, j:d, k:e] = A[i,r,j,k-1], A[i,r,j-1,e-1+k], X[i,j,k], B[j,r], C[k,r]\noutput A[*,*,d-1,e-1]\n",
    { 2, 2, 2 } },
  { "a pair and its mirror",
    "param n d e\ninput A[n,e], B[n,e], V[n,d]\nS[i:n, j:n, k:e] = S[i,j,k-1], A[i,k], B[j,k]\nP[i:n, j:n] = "
    "S[i,j,e-1]\n"
    "B2[i:n, j:n] = P[i,j], P[j,i]\nZ[i:n, l:d, j:n] = Z[i,l,j-1], B2[i,j], V[j,l]\noutput Z[*,*,n-1]\n",
    { 2, 2, 1 } },
  { "values inside keys",
    "param n d e\ninput Q[n,d], K[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "Z[i:n, l:min(d,e), j:n] = Z[i,l,j-1], S[i,j,d-1], K[j,l]\noutput Z[*,*,n-1]\n",
    { 3, 2, 2 } },
  { "one matrix for rows and columns",
    "param n d e\ninput X[n,d], V[n,e]\nS[i:n, j:n, k:d] = S[i,j,k-1], X[i,k], X[j,k]\n"
    "Z[i:n, l:e, j:n] = Z[i,l,j-1], S[i,j,d-1], V[j,l]\noutput Z[*,*,n-1]\n",
    { 3, 2, 2 } },
  { "grouped queries",
    "param n d e\ninput Q[e,n,d], K[n,d], V[n,d]\nS[h:e, i:n, j:n, k:d] = S[h,i,j,k-1], Q[h,i,k], K[j,k]\n"
    "Z[h:e, i:n, l:d, j:n] = Z[h,i,l,j-1], S[h,i,j,d-1], V[j,l]\noutput Z[*,*,*,n-1]\n",
    { 2, 2, 2 } },
  { "backward without statistics",
    "param n d e\ninput Q[n,d], K[e,d], V[e,d], G[n,d]\nS[i:n, j:e, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "T[i:n, j:e, l:d] = T[i,j,l-1], G[i,l], V[j,l]\nE[i:n, j:e] = S[i,j,d-1], T[i,j,d-1]\n"
    "dQ[i:n, k:d, j:e] = dQ[i,k,j-1], E[i,j], K[j,k]\ndK[j:e, k:d, i:n] = dK[j,k,i-1], E[i,j], Q[i,k]\n"
    "dV[j:e, l:d, i:n] = dV[j,l,i-1], S[i,j,d-1], G[i,l]\noutput dQ[*,*,e-1], dK[*,*,n-1], dV[*,*,n-1]\n",
    { 2, 1, 2 } },
  { "causal backward",
    "param n d e\ninput Q[n,d], K[n,d], V[n,d], G[n,d]\nS[i:n, j:i+1, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "T[i:n, j:i+1, l:d] = T[i,j,l-1], G[i,l], V[j,l]\nE[i:n, j:i+1] = S[i,j,d-1], T[i,j,d-1]\n"
    "dQ[i:n, k:d, j:i+1] = dQ[i,k,j-1], E[i,j], K[j,k]\ndK[j:n, k:d, i:j..n] = dK[j,k,i-1], E[i,j], Q[i,k]\n"
    "dV[j:n, l:d, i:j..n] = dV[j,l,i-1], S[i,j,d-1], G[i,l]\noutput dQ[i:n,*,i], dK[*,*,n-1], dV[*,*,n-1]\n",
    { 2, 1, 1 } },
  { "backward with heads and a last scaling",
    "param n d e\ninput Q[e,n,d], K[e,n,d], V[e,n,d], G[e,n,d]\nS[h:e, i:n, j:n, k:d] = S[h,i,j,k-1], Q[h,i,k], "
    "K[h,j,k]\n"
    "T[h:e, i:n, j:n, l:d] = T[h,i,j,l-1], G[h,i,l], V[h,j,l]\nE[h:e, i:n, j:n] = S[h,i,j,d-1], T[h,i,j,d-1]\n"
    "dQ[h:e, i:n, k:d, j:n] = dQ[h,i,k,j-1], E[h,i,j], K[h,j,k]\noutput Y[h:e, i:n, k:d] = dQ[h,i,k,n-1]\n"
    "dK[h:e, j:n, k:d, i:n] = dK[h,j,k,i-1], E[h,i,j], Q[h,i,k]\ndV[h:e, j:n, l:d, i:n] = dV[h,j,l,i-1], S[h,i,j,d-1], "
    "G[h,i,l]\n"
    "output dK[*,*,*,n-1], dV[*,*,*,n-1]\n",
    { 2, 1, 1 } },
  { "features without normaliser",
    "param n d e\ninput Q[n,d], K[n,d], V[n,d]\nF[j:n, a:e] = K[j,*]\nH[i:n, a:e] = Q[i,*]\n"
    "W[a:e, l:d, j:n] = W[a,l,j-1], F[j,a], V[j,l]\nN[i:n, l:d, a:e] = N[i,l,a-1], H[i,a], W[a,l,n-1]\n"
    "output N[*,*,e-1]\n",
    { 2, 2, 2 } },
  { "outer product in between",
    "param n d e\ninput A[n], B[e], C[e,d]\nT[i:n, j:e] = A[i], B[j]\nD[i:n, l:d, j:e] = D[i,l,j-1], T[i,j], C[j,l]\n"
    "output D[*,*,e-1]\n",
    { 3, 2, 3 } },
  { "symmetric update",
    "param n d e\ninput A[n,d]\nC[i:n, j:i+1, l:d] = C[i,j,l-1], A[i,l], A[j,l]\noutput C[*,*,d-1]\n",
    { 4, 3, 1 } },
  { "two sums of one tree",
    "param n d e\ninput A[n,e], B[n,e], V[n,d], U[n,d]\nS[i:n, j:n, k:e] = S[i,j,k-1], A[i,k], B[j,k]\n"
    "Y[i:n, l:d, j:n] = Y[i,l,j-1], S[i,j,e-1], V[j,l]\nZ[j:n, l:d, i:n] = Z[j,l,i-1], S[i,j,e-1], U[i,l]\n"
    "output Y[*,*,n-1], Z[*,*,n-1]\n",
    { 2, 2, 1 } },
  { "chains from inputs",
    "param n d e\ninput A[n,e], B[e,d], C0[n,d,1]\nC[i:n, j:d, l:e] = C[i,j,l-1], C0[i,j,l], A[i,l], B[l,j]\noutput "
    "C[*,*,e-1]\n",
    { 3, 2, 3 } },
};

static cdag *make(int which, const int v[3], char *spec, size_t size)
{
  cdag *g = NULL;
  diag d = { 0 };
  char assign[64];
  snprintf(assign, sizeof assign, "n=%d,d=%d,e=%d", v[0], v[1], v[2]);
  snprintf(spec, size, "%s with %s", computations[which].name, assign);
  ck_assert_msg(cdag_parse(&g, "mine", computations[which].text, assign, &d) == OK, "%s: line %d: %s", spec, d.line,
                d.message);
  return g;
}

static void check_bounds(const cdag *g, const pebble_rules *rules, uint64_t cost, const char *spec)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = rules->m, .one_shot = rules->one_shot,
                       .variant = (int)rules->variant };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_msg(bound_all(&q, &list, &best, &d) == OK, "%s: %s", spec, d.message);
  for (size_t i = 0; i < list.n; i++) {
    const bound *b = &list.item[i];
    bool counts = (b->trust == BOUND_PROVED || b->trust == BOUND_CERTIFIED) && bound_holds_in(b, &q);
    ck_assert_msg(!counts || mpz_cmp_ui(b->value, cost) <= 0,
                  "%s, M=%lu variant %d one-shot %d: %s gives %ld, the optimum is %lu", spec, (unsigned long)rules->m,
                  (int)rules->variant, rules->one_shot, b->name, mpz_get_si(b->value), (unsigned long)cost);
  }
  bound_list_clear(&list);
}

enum { VERTICES = 34 };

static void try_one(support_random *r, const cdag *g, const char *spec)
{
  cdag_graph e = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_materialise(g, VERTICES, &e, &d), OK);
  pebble_rules rules = { (pebble_variant)support_between(r, 0, 1), support_between(r, 0, 1), 0 };
  rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(r, 0, 4);
  pebble_optimal_limits limits = { .seconds = 0.1, .bytes = 100 << 20 };
  pebble_optimum o = { 0 };
  status st = pebble_optimal(&e, &rules, &limits, &o, &d);
  ck_assert(st == OK || st == GAVE_UP);
  if (o.possible)
    check_bounds(g, &rules, o.upper, spec);
  pebble_optimum_clear(&o);
  cdag_graph_clear(&e);
}

START_TEST(below_the_optimum)
{
  support_random r = { (uint64_t)_i };
  char spec[256];
  int which = (int)support_between(&r, 0, COUNT(computations) - 1), v[3];
  for (int p = 0; p < 3; p++)
    v[p] = (int)support_between(&r, 1, computations[which].most[p]);
  cdag *g = make(which, v, spec, sizeof spec);
  if (g->vertices <= VERTICES)
    try_one(&r, g, spec);
  cdag_free(g);
}
END_TEST

/* ---- what is found ---- */

static int by_name(const char *name)
{
  for (int i = 0; i < COUNT(computations); i++)
    if (!strcmp(computations[i].name, name))
      return i;
  ck_abort_msg("no computation '%s'", name);
  return -1;
}

static void value_of(const cdag *g, uint64_t m, const char *name, mpz_t value)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = m };
  bound_list l = { 0 };
  diag d;
  mpz_set_si(value, -1);
  for (const bound_theorem *const *t = bound_theorems; *t; t++)
    if (strncmp((*t)->name, name, strlen((*t)->name)) == 0) /* "backward" gives "backward-14" */
      ck_assert_int_eq((*t)->apply(&q, &l, &d), OK);
  for (size_t i = 0; i < l.n; i++)
    if (!strcmp(l.item[i].name, name))
      mpz_set(value, l.item[i].value);
  bound_list_clear(&l);
}

/* Leading order: events about constant * n^2 d^2 / M (or as said), within a tenth. */
static const struct { const char *computation; int n, d, e; uint64_t m; const char *bound;
                      double expected;
} sizes[] = {
  { "two products", 1024, 1024, 1024, 4096, "projective", 2 * 1073741824. / 64 },
  { "two products", 1024, 1024, 1024, 4096, "projective-sum", 4 * 1073741824. / 64 },
  { "contraction", 512, 512, 512, 4096, "projective", 2 * 512. * 512 * 512 * 512 / 64 },
  { "values inside keys", 8192, 64, 64, 65536, "covering", 2 * 8192. * 8192 * 64 * 64 / 65536 },
  { "values inside keys", 8192, 64, 32, 65536, "covering", 8192. * 8192 * 64 * 96 / 65536 },
  { "grouped queries", 4096, 64, 8, 65536, "covering", 4 * 8 * 4096. * 4096 * 64 * 64 / 65536 },
  { "two sums of one tree", 4096, 32, 32, 65536, "covering", 8 * 4096. * 4096 * 32 * 32 / 65536 },
  { "backward without statistics", 8192, 32, 8192, 65536, "backward-12", 12 * 8192. * 8192 * 32 * 32 / 65536 },
  { "backward without statistics", 8192, 32, 8192, 65536, "backward-14", 14 * 8192. * 8192 * 32 * 32 / 65536 },
  { "causal backward", 16384, 32, 1, 65536, "backward-14", 7 * 16384. * 16385 * 32 * 32 / 65536 },
  { "backward with heads and a last scaling", 4096, 32, 8, 65536, "backward-14",
    14 * 8. * 4096 * 4096 * 32 * 32 / 65536 },
  { "features without normaliser", 65536, 32, 8192, 16384, "lowrank", 2 * 65536. * 8192 * 32 * 33 / 16384 },
};
START_TEST(leading_order)
{
  int v[3] = { sizes[_i].n, sizes[_i].d, sizes[_i].e };
  char spec[256];
  mpz_t value;
  mpz_init(value);
  cdag *g = make(by_name(sizes[_i].computation), v, spec, sizeof spec);
  value_of(g, sizes[_i].m, sizes[_i].bound, value);
  double ratio = mpz_get_d(value) / sizes[_i].expected;
  ck_assert_msg(ratio > .89 && ratio < 1.05, "%s: %s is %g of what was expected", spec, sizes[_i].bound, ratio);
  cdag_free(g);
  mpz_clear(value);
}
END_TEST

/* What breaks a hypothesis loses the theorem. */
static const struct { const char *what, *text;
} broken[] = {
  { "a gradient that is no output", "param n d\ninput Q[n,d], K[n,d], V[n,d], G[n,d], R[d]\nS[i:n, j:n, k:d] = "
                                    "S[i,j,k-1], Q[i,k], K[j,k]\nT[i:n, j:n, l:d] = T[i,j,l-1], G[i,l], V[j,l]\n"
                                    "E[i:n, j:n] = S[i,j,d-1], T[i,j,d-1]\ndQ[i:n, k:d, j:n] = dQ[i,k,j-1], E[i,j], "
                                    "K[j,k]\ndK[j:n, k:d, i:n] = dK[j,k,i-1], E[i,j], Q[i,k]\n"
                                    "dV[j:n, l:d, i:n] = dV[j,l,i-1], S[i,j,d-1], G[i,l]\noutput X[i:n] = X[i-1], "
                                    "dQ[i,*,n-1]\noutput dK[*,*,n-1], dV[*,*,n-1]\n" },
  { "another width",
    "param n d\ninput Q[n,d], K[n,d], V[n,d+1], G[n,d+1]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "T[i:n, j:n, l:d+1] = T[i,j,l-1], G[i,l], V[j,l]\nE[i:n, j:n] = S[i,j,d-1], T[i,j,d]\n"
    "dQ[i:n, k:d, j:n] = dQ[i,k,j-1], E[i,j], K[j,k]\ndK[j:n, k:d, i:n] = dK[j,k,i-1], E[i,j], Q[i,k]\n"
    "dV[j:n, l:d+1, i:n] = dV[j,l,i-1], S[i,j,d-1], G[i,l]\noutput dQ[*,*,n-1], dK[*,*,n-1], dV[*,*,n-1]\n" },
  { "dK fed by dO",
    "param n d\ninput Q[n,d], K[n,d], V[n,d], G[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nT[i:n, j:n, l:d] "
    "= T[i,j,l-1], G[i,l], V[j,l]\n"
    "E[i:n, j:n] = S[i,j,d-1], T[i,j,d-1]\ndQ[i:n, k:d, j:n] = dQ[i,k,j-1], E[i,j], K[j,k]\ndK[j:n, k:d, i:n] = "
    "dK[j,k,i-1], E[i,j], G[i,k]\n"
    "dV[j:n, l:d, i:n] = dV[j,l,i-1], S[i,j,d-1], G[i,l]\noutput dQ[*,*,n-1], dK[*,*,n-1], dV[*,*,n-1]\n" },
  { "one output that finishes two gradients",
    "param n d\ninput Q[n,d], K[n,d], V[n,d], G[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nT[i:n, j:n, l:d] "
    "= T[i,j,l-1], G[i,l], V[j,l]\n"
    "E[i:n, j:n] = S[i,j,d-1], T[i,j,d-1]\ndQ[i:n, k:d, j:n] = dQ[i,k,j-1], E[i,j], K[j,k]\ndK[j:n, k:d, i:n] = "
    "dK[j,k,i-1], E[i,j], Q[i,k]\n"
    "dV[j:n, l:d, i:n] = dV[j,l,i-1], S[i,j,d-1], G[i,l]\noutput Y[i:n, k:d] = dQ[i,k,n-1], dK[i,k,n-1]\noutput "
    "dV[*,*,n-1]\n" },
  { "keys summed from the last, read at the first sum",
    "param n d\ninput Q[n,d], K[n,d], V[n,d]\nF[j:n, a:n] = K[j,*]\nH[i:n, a:n] = Q[i,*]\nW[a:n, l:d, j:n] = "
    "W[a,l,j+1], F[j,a], V[j,l]\n"
    "N[i:n, l:d, a:n] = N[i,l,a-1], H[i,a], W[a,l,n-1]\noutput N[*,*,n-1]\noutput W[*,*,0]\n" },
  { "queries and keys from one matrix", "param n d\ninput X[n,d], V[n,d]\nF[j:n, a:n] = X[j,*]\nH[i:n, a:n] = X[i,*]\n"
                                        "W[a:n, l:d, j:n] = W[a,l,j-1], F[j,a], V[j,l]\nN[i:n, l:d, a:n] = N[i,l,a-1], "
                                        "H[i,a], W[a,l,n-1]\noutput N[*,*,n-1]\n" },
  { "features in the middle of the sum",
    "param n d\ninput Q[n,d], K[n,d], V[n,d]\nF[j:n, a:n] = K[j,*]\nH[i:n, a:n] = Q[i,*]\n"
    "W[a:n, l:d, j:n] = W[a,l,j-1], F[j,a], V[j,l]\nN[i:n, l:d, a:n] = N[i,l,a-1], H[i,a], W[a,l,0]\n"
    "output N[*,*,n-1]\noutput W[*,*,n-1]\n" },
};
START_TEST(broken_hypotheses)
{
  cdag *g = NULL;
  diag d = { 0 };
  backward_shape b;
  lowrank_shape l;
  ck_assert_msg(cdag_parse(&g, "mine", broken[_i].text, "n=40,d=4", &d) == OK, "%s: line %d: %s", broken[_i].what,
                d.line, d.message);
  ck_assert_msg(!bound_backward_find(g, NULL, &b), "%s is taken for the backward pass", broken[_i].what);
  ck_assert_msg(!bound_lowrank_find(g, NULL, &l), "%s is taken for attention by features", broken[_i].what);
  cdag_free(g);
}
END_TEST

/* Two kinds of work at different halves of the pairs: there are as many pairs as both have. */
START_TEST(pairs_of_both_kinds)
{
  cdag *g = NULL;
  diag d = { 0 };
  cover_shape c;
  ck_assert_msg(
      cdag_parse(&g, "halves",
                 "param n d\ninput Q[n,d], K[n,d], V[n,d], U[n,d]\nP[i:n, j:n] = Q[i,*], K[j,*]\n"
                 "Z[i:n, l:d, j:i+1] = Z[i,l,j-1], P[i,j], V[j,l]\nY[i:n, l:d, j:i..n] = Y[i,l,j-1], P[i,j], U[j,l]\n"
                 "output Z[a:n,*,a]\noutput Y[*,*,n-1]\n",
                 "n=20,d=3", &d) == OK,
      "%s", d.message);
  ck_assert(bound_cover_find(g, NULL, &c));
  ck_assert_int_eq(c.p.kinds, 2);
  ck_assert_int_eq(c.p.pairs, 400);
  cdag_free(g);
}
END_TEST

/* Every certificate of these computations, at a size where the bounds say something, is found valid. */
START_TEST(certificates_hold)
{
  char spec[256];
  int v[3] = { 16, 5, 3 };
  cdag *g = make(_i, v, spec, sizeof spec);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 40 };
  bound_list l = { 0 };
  diag d = { 0 };
  int best, checked = 0;
  ck_assert_int_eq(bound_all(&q, &l, &best, &d), OK);
  for (size_t i = 0; i < l.n; i++) {
    text t = { 0 };
    bound_check_result r;
    if (!bound_has_certificate(&l.item[i]))
      continue;
    ck_assert_int_eq(bound_certificate(&q, &l.item[i], &t, &d), OK);
    ck_assert_int_eq(bound_check(text_str(&t), t.n, "certificate", &r, &d), OK);
    ck_assert_msg(r.valid, "%s, %s: %s", spec, l.item[i].name, text_str(&r.reason));
    ck_assert(mpz_cmp(r.value, l.item[i].value) == 0);
    bound_check_clear(&r);
    text_clear(&t);
    checked++;
  }
  ck_assert_int_ge(checked, 1);
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

/* The mirror shares vertices between pairs: only one of its two places may be in the tree. */
START_TEST(mirror_is_left_out)
{
  char spec[256];
  int v[3] = { 12, 3, 4 };
  bound_live live;
  bound_statement s;
  cdag *g = make(by_name("a pair and its mirror"), v, spec, sizeof spec);
  bound_live_find(g, &live);
  ck_assert(bound_statement_find(g, &live, cdag_find_array(g, "Z"), &s));
  for (int i = 0; i < s.operands; i++)
    if (!s.operand[i].input)
      ck_assert_int_eq(s.operand[i].leaves, 2);
  bound_live_clear(&live);
  cdag_free(g);
}
END_TEST

/* Kinds of one program: never one statement twice, never trees that meet an array at different places. */
static const struct { const char *text; int kinds;
} programs[] = {
  { "param n d\ninput A[n,d], B[n,d], V[n,d], U[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], A[i,k], B[j,k]\n"
    "Z[i:n, l:d, j:n] = Z[i,l,j-1], S[i,j,d-1], V[j,l], U[j,l]\noutput Z[*,*,n-1]\n",
    1 },
  { "param n d\ninput A[n,d], B[n,d], C[n,d], D[n,d], V[n,d], U[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], A[i,k], B[j,k]\n"
    "R[i:n, j:n, k:d] = R[i,j,k-1], C[i,k], D[j,k]\nX[i:n, j:n] = S[i,j,d-1], R[i,j,d-1]\nY[i:n, j:n] = S[j,i,d-1], "
    "R[i,j,d-1]\n"
    "Z[i:n, l:d, j:n] = Z[i,l,j-1], X[i,j], V[j,l]\nW[i:n, l:d, j:n] = W[i,l,j-1], Y[i,j], U[j,l]\noutput Z[*,*,n-1], "
    "W[*,*,n-1]\n",
    1 },
  { "param n d\ninput A[n,d], B[n,d], C[n,d], D[n,d], V[n,d], U[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], A[i,k], B[j,k]\n"
    "R[i:n, j:n, k:d] = R[i,j,k-1], C[i,k], D[j,k]\nX[i:n, j:n] = S[i,j,d-1], R[i,j,d-1]\nY[i:n, j:n] = S[i,j,d-1]\n"
    "Z[i:n, l:d, j:n] = Z[i,l,j-1], X[i,j], V[j,l]\nW[i:n, l:d, j:n] = W[i,l,j-1], Y[i,j], U[j,l]\noutput Z[*,*,n-1], "
    "W[*,*,n-1]\n",
    2 },
  { "param n d\ninput A[n,d], B[n,d], V[n,d], Z0[n,d,1]\nS[i:n, j:n, k:d] = S[i,j,k-1], A[i,k], B[j,k]\n"
    "Z[i:n, l:d, j:n] = Z[i,l,j-1], Z0[i,l,j], S[i,j,d-1], V[j,l]\noutput Z[*,*,n-1]\n",
    1 },
  { "param n d\ninput A[n,d], B[n,d], V[n,d], Z0[n,d,1]\nS[i:n, j:n, k:d] = S[i,j,k-1], A[i,k], B[j,k]\n"
    "Z[i:n, l:d, j:n] = Z[i,l,j-1], Z0[i,l,j], S[i,j,d-1], V[j,l]\nY[j:n, l:d, i:n] = Y[j,l,i-1], S[i,j,d-1], "
    "Z0[i,l,0]\n"
    "output Z[*,*,n-1], Y[*,*,n-1]\n",
    1 }, /* Z starts from words that Y reads */
  { "param n d\ninput A[n,d], B[n,d], V[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], A[i,k], B[j,k]\n" /* the operand comes with
                                                                                                  the row: no pair */
    "Z[i:n, l:d, j:n] = Z[i,l,j-1], S[i,j,d-1], V[i,l]\noutput Z[*,*,n-1]\n",
    0 },
  { "param n d\ninput X[n,d], V[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], X[i,k], X[j,k]\n" /* X is of rows and of columns */
    "Z[i:n, l:d, j:n] = Z[i,l,j-1], S[i,j,d-1], V[j,l]\noutput Z[*,*,n-1]\n",
    0 },
};
START_TEST(kinds_of_a_program)
{
  cdag *g = NULL;
  diag d = { 0 };
  cover_shape c = { 0 };
  ck_assert_msg(cdag_parse(&g, "mine", programs[_i].text, "n=9,d=3", &d) == OK, "line %d: %s", d.line, d.message);
  bound_cover_find(g, NULL, &c);
  ck_assert_int_eq(c.p.kinds, programs[_i].kinds);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("projective_cdag");
  TCase *c = support_case(s, "optimum");
  tcase_add_loop_test(c, below_the_optimum, 0, support_rounds(60));
  c = support_case(s, "found");
  tcase_add_loop_test(c, leading_order, 0, COUNT(sizes));
  tcase_add_loop_test(c, broken_hypotheses, 0, COUNT(broken));
  tcase_add_test(c, pairs_of_both_kinds);
  tcase_add_loop_test(c, certificates_hold, 0, COUNT(computations));
  tcase_add_test(c, mirror_is_left_out);
  tcase_add_loop_test(c, kinds_of_a_program, 0, COUNT(programs));
  return support_run(s);
}
