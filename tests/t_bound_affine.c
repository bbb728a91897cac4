/* Bounds of affine computations: constants known from the theory, one graph in several spellings, near misses against
   the optimum, and claims said of other computations or changed, which may only hold when they are true. */
#include "bounds/checker.h"
#include "bounds/games.h"
#include "bounds/affine/find.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_random_cdag.h"
#include <math.h>
#include <string.h>

static double value_by(const char *theorem, const char *source, const char *assign, uint64_t m, bool one_shot)
{
  cdag *g = bound_text_open(source, assign);
  bound_question q = { .g = g, .m = m, .one_shot = one_shot };
  bound_list list = { 0 };
  diag d = { 0 };
  double value = 0;
  ck_assert_int_eq(bound_theorem_find(theorem)->apply(&q, &list, &d), OK);
  for (size_t i = 0; i < list.n; i++)
    if (bound_holds_in(&list.item[i], &q) && mpz_get_d(list.item[i].value) > value)
      value = mpz_get_d(list.item[i].value);
  bound_list_clear(&list);
  cdag_free(g);
  return value;
}

static double value_of(const char *source, const char *assign, uint64_t m, bool one_shot)
{
  return value_by("affine", source, assign, m, one_shot);
}

/* ---- constants ---- */

#define MATMUL "param n\ninput A[n,n], B[n,n]\nC[i:n,j:n,k:n] = C[i,j,k-1], A[i,k], B[k,j]\noutput C[*,*,n-1]\n"
#define LU                                                                                                             \
  "param n\ninput A[n,n,1]\nU[i:n,j:n,k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"              \
  "output L[i:n,j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n,j:i..n,i-1]\n"
#define FLOYD "param n\ninput P[k:n+1,i:n,j:n] = P[k-1,i,j], P[k-1,i,k-1], P[k-1,k-1,j]\noutput P[n,*,*]\n"
#define CONV                                                                                                           \
  "param n, st\ninput X[n,st*7+3,st*7+3], W[n,n,3,3]\n"                                                                \
  "O[f:n,y:8,x:8,c:n,a:3,b:3] = O[f,y,x,c,a,b-1], O[f,y,x,c,a-1,2+b], O[f,y,x,c-1,2+a,2+b], X[c,st*y+a,st*x+b], "      \
  "W[f,c,a,b]\n"                                                                                                       \
  "output O[*,*,*,n-1,2,2]\n"

/* The leading constant of n^3 / sqrt(M), and how much of it lower-order terms may take. */
static const struct { const char *what, *text; uint64_t m; bool one_shot; double constant;
} known[] = {
  { "product", MATMUL, 100, false, 2 },
  { "lu", LU, 100, true, 2. / 3 },
  { "floyd-warshall", FLOYD, 16, true, 2 },
  { "lu, made again", LU, 100, false, .53 },
  { "floyd-warshall, made again", FLOYD, 16, false, 1.5 },
  { "lu in two arrays",
    "param n\ninput A[n,n]\n"
    "L[i:n,j:i,k:j+1] = L[i,j,k-1], A[i,j] if k==0, L[i,k,k] if k<j, U[k,j,k] if k<j, U[j,j,j] if k==j\n"
    "U[i:n,j:i..n,k:i+1] = U[i,j,k-1], A[i,j] if k==0, L[i,k,k] if k<i, U[k,j,k] if k<i\n"
    "output L[i:n,j:i,j], U[i:n,j:i..n,i]\n",
    100, true, 2. / 3 },
  { "product, unrolled",
    "param n\ninput A[n,n], B[n,n]\n"
    "C[i:n,j:n,k:n/2] = C[i,j,k-1], A[i,2*k], B[2*k,j], A[i,2*k+1], B[2*k+1,j]\noutput C[*,*,n/2-1]\n",
    100, false, 2 },
  { "experts by a remainder of a sum",
    "param n\ninput X[n,n], W[8,n,n]\n"
    "Y[i:n,s:2,j:n,k:n] = Y[i,s,j,k-1], X[i,k], W[(i+s)%8,k,j]\noutput Y[*,*,*,n-1]\n",
    100, false, 4 },
  { "floyd-warshall in place",
    "param n\ninput P[k:n+1,i:n,j:n] = P[k-1,i,j], P[k-(k>j),i,k-1], P[k-(k>i),k-1,j]\n"
    "output P[n,*,*]\n",
    16, true, 2 },
  { "floyd-warshall in place, made again",
    "param n\ninput P[k:n+1,i:n,j:n] = P[k-1,i,j], P[k-1+(k-1<j),i,k-1], P[k-1+(k-1<i),k-1,j]\n"
    "output P[n,*,*]\n",
    16, false, 1.5 },
  { "syrk", "param n\ninput A[n,n]\nC[i:n,j:i+1,k:n] = C[i,j,k-1], A[i,k], A[j,k]\noutput C[*,*,n-1]\n", 100, false,
    .7071 },
  { "syr2k",
    "param n\ninput A[n,n], B[n,n]\nC[i:n,j:i+1,k:n] = C[i,j,k-1], A[i,k], B[j,k], B[i,k], A[j,k]\noutput C[*,*,n-1]\n",
    100, false, 1.4142 },
  { "covariance",
    "param n\ninput X[n,n]\nS[i:n,k:n] = S[i,k-1], X[k,i]\nD[k:n,i:n] = X[k,i], S[i,n-1]\nC[i:n,j:i+1..n,k:n] = "
    "C[i,j,k-1], D[k,i], D[k,j]\noutput C[*,*,n-1]\n",
    100, false, .7071 },
  { "symm",
    "param n\ninput A[n,n], B[n,n], C0[n,n]\nT[i:n,j:n,k:i] = T[i,j,k-1], B[k,j], A[i,k]\nD[i:n,j:n] = C0[i,j], "
    "T[i,j,i-1], B[i,j], A[i,i]\n"
    "C[k:n,j:n,i:k+1..n] = C[k,j,i-1], D[k+n*(i-k-1),j], B[i,j], A[i,k]\noutput C[k:n-1,*,n-1]\noutput D[n-1,*]\n",
    100, false, 1.8371 },
  { "a symmetric matrix, its upper half stored",
    "param n\ninput A[n,n], B[n,n]\nU[i:n,j:n,k:i+1..n] = U[i,j,k-1], B[k,j], A[i,k]\n"
    "T[i:n,j:n,k:i] = T[i,j,k-1], A[k,i], B[k,j]\nC[i:n,j:n] = T[i,j,i-1], U[i,j,n-1]\noutput C[*,*]\n",
    100, false, 1.8371 },
  { "a symmetric matrix by halves, the diagonal in the first, on one word",
    "param n\ninput A[i:n,k:i+1], B[n,n]\nL[i:n,j:n,k:i+1] = L[i,j,k-1], A[i,k], B[k,j]\n"
    "R[i:n,j:n,k:i+1..n] = R[i,j,k-1], L[i,j,i] if k == i+1, A[k,i], B[k,j]\noutput R[*,*,n-1], L[n-1,*,n-1]\n",
    100, false, 1.8371 },
  { "syr2k, one product after the other",
    "param n\ninput A[n,n], B[n,n]\nS[i:n,j:i+1,k:n] = S[i,j,k-1], A[i,k], B[j,k]\n"
    "R[i:n,j:i+1,k:n] = R[i,j,k-1], S[i,j,n-1] if k == 0, B[i,k], A[j,k]\noutput R[*,*,n-1]\n",
    100, false, 1.4142 },
  { "a symmetric matrix, its lower half stored, one sum over whole rows",
    "param n\ninput A[i:n,k:i+1], B[n,n]\nS[i:n,j:n,k:n] = S[i,j,k-1], A[i,k] if k <= i, A[k,i] if k > i, B[k,j]\n"
    "output S[*,*,n-1]\n",
    100, false, 1.8371 },
  { "the same, one read for both halves",
    "param n\ninput A[i:n,k:i+1], B[n,n]\nS[i:n,j:n,k:n] = S[i,j,k-1], A[max(i,k),min(i,k)], B[k,j]\n"
    "output S[*,*,n-1]\n",
    100, false, 1.8371 },
  { "a lower triangle, both times by rows",
    "param n\ninput A[n,n], B[n,n]\nT[i:n,j:n,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "U[i:n,j:n,k:i] = U[i,j,k-1], B[k,j], A[i,k]\noutput T[i:n,*,i-1], U[i:n,*,i-1]\n",
    100, false, 1.4142 },
  { "a whole matrix and its transpose",
    "param n\ninput A[n,n], B[n,n]\nT[i:n,j:n,k:n] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "U[k:n,j:n,i:n] = U[k,j,i-1], B[i,j], A[i,k]\noutput T[*,*,n-1], U[*,*,n-1]\n",
    100, false, 2.8284 },
  { "a lower triangle, its transpose by rows from the end",
    "param n\ninput A[n,n], B[n,n]\nT[i:n,j:n,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "U[k:n,j:n,i:k+1..n] = U[k,j,i-1], B[n-1-i,j], A[i,k]\noutput T[i:n,*,i-1], U[*,*,n-1]\n",
    100, false, 1.4142 },
  { "a lower triangle, mirrored at both diagonals",
    "param n\ninput A[n,n], B[n,n]\nT[i:n,j:n,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "U[k:n,j:n,i:k+1..n] = U[k,j,i-1], B[i,j], A[n-1-k,n-1-i]\noutput T[i:n,*,i-1], U[*,*,n-1]\n",
    100, false, 1.4142 },
  { "a lower triangle, its transpose multiplied by other columns",
    "param n\ninput A[n,n], B[n,2*n]\nT[i:n,j:n,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "U[k:n,j:n,i:k+1..n] = U[k,j,i-1], B[i,n+j], A[i,k]\noutput T[i:n,*,i-1], U[*,*,n-1]\n",
    100, false, 2 },
  { "a lower triangle, and a whole matrix transposed",
    "param n\ninput A[n,n], B[n,n]\nT[i:n,j:n,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "U[k:n,j:n,i:n] = U[k,j,i-1], B[i,j], A[i,k]\noutput T[i:n,*,i-1], U[*,*,n-1]\n",
    100, false, 2 },
  { "a lower triangle, its transpose multiplied by sums of rows",
    "param n\ninput A[n,n], B[2*n,2*n]\nT[i:n,j:n,k:i] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "U[k:n,j:n,i:k+1..n] = U[k,j,i-1], B[i+k,n+j], A[i,k]\noutput T[i:n,*,i-1], U[*,*,n-1]\n",
    100, false, 2 },
  { "a lower triangle and its transpose, rows and columns summed",
    "param n\ninput A[n,n], B[n,n]\nT[i:n,k:i,j:n] = T[i,k,j-1], T[i,k-1,n-1] if j==0, B[k,j], A[i,k]\n"
    "U[k:n,i:k+1..n,j:n] = U[k,i,j-1], U[k,i-1,n-1] if j==0, B[i,j], A[i,k]\noutput T[i:n,i-1,n-1]\n"
    "output U[*,n-1,n-1]\n",
    100, false, .1414 },
  { "sums whose ends are minima and maxima",
    "param n\ninput A[n,n], B[n,n]\nC[i:n,j:n,k:max(0,i-j)..min(n,i+j)] = C[i,j,k-1], A[i,k], B[k,j]\n"
    "output C[i:n,j:n,min(n,i+j)-1]\n",
    100, false, 4. / 3 },
  { "three products",
    "param n\ninput A[n,n], B[n,n], C[n,n], D[n,n]\nE[i:n,j:n,k:n] = E[i,j,k-1], A[i,k], B[k,j]\nF[i:n,j:n,k:n] = "
    "F[i,j,k-1], C[i,k], D[k,j]\n"
    "G[i:n,j:n,k:n] = G[i,j,k-1], E[i,k,n-1], F[k,j,n-1]\noutput G[*,*,n-1]\n",
    100, true, 6 },
  { "three products, made again",
    "param n\ninput A[n,n], B[n,n], C[n,n], D[n,n]\nE[i:n,j:n,k:n] = E[i,j,k-1], A[i,k], B[k,j]\nF[i:n,j:n,k:n] = "
    "F[i,j,k-1], C[i,k], D[k,j]\n"
    "G[i:n,j:n,k:n] = G[i,j,k-1], E[i,k,n-1], F[k,j,n-1]\noutput G[*,*,n-1]\n",
    16, false, 5.7 },
  { "a matrix on both sides, made again",
    "param n\ninput X[n,n], C[n,n]\nT[i:n,j:n,k:n] = T[i,j,k-1], C[i,k], X[k,j]\n"
    "Y[i:n,j:n,k:n] = Y[i,j,k-1], T[i,k,n-1], C[j,k]\noutput Y[*,*,n-1]\n",
    16, false, 3.8 },
  { "the same with sums in other orders",
    "param n\ninput X[n,n], C[n,n]\nT[j:n,k:n,i:n] = T[j,k-1,i], X[k,j], C[i,k]\n"
    "Y[k:n,i:n,j:n] = C[j,n-1-k], Y[k-1,i,j], T[n-1-k,n-1,i]\noutput Y[n-1,*,*]\n",
    16, false, 3.8 },
  { "three layers, made again",
    "param n\ninput X[n,n], A[n,n], B[n,n], C[n,n]\nE[i:n,j:n,k:n] = E[i,j,k-1], X[i,k], A[k,j]\n"
    "P[i:n,j:n] = E[i,j,n-1]\nF[i:n,j:n,k:n] = F[i,j,k-1], P[i,k], B[k,j]\nR[i:n,j:n] = F[i,j,n-1]\n"
    "G[i:n,j:n,k:n] = G[i,j,k-1], R[i,k], C[k,j]\noutput G[*,*,n-1]\n",
    16, false, 5.6 },
  { "two products of one matrix, multiplied into a third, made again",
    "param n\ninput X[n,n], W[n,n], V[n,n], Z[n,n]\nG[i:n,j:n,k:n] = G[i,j,k-1], X[i,k], W[k,j]\n"
    "U[i:n,j:n,k:n] = U[i,j,k-1], X[i,k], V[k,j]\nA[i:n,j:n] = G[i,j,n-1], U[i,j,n-1]\n"
    "Y[i:n,j:n,k:n] = Y[i,j,k-1], A[i,k], Z[k,j]\noutput Y[*,*,n-1]\n",
    16, false, 5.7 },
  { "a product with its own ends, twenty times, made again",
    "param n, t=20\ninput X[t,n,n], W[n,n], H0[n,n]\n"
    "Z[s:t,i:n,j:n,k:n] = Z[s,i,j,k-1], X[s,i,j] if k==0, W[j,k], H[s-1,i,k], H0[i,k] if s==0\n"
    "H[s:t,i:n,j:n] = Z[s,i,j,n-1]\noutput H[t-1,*,*]\n",
    16, false, 37.5 },
};

START_TEST(constants)
{
  double n = 400, value = value_of(known[_i].text, "n=400", known[_i].m, known[_i].one_shot),
         leading = known[_i].constant * n * n * n / sqrt((double)known[_i].m);
  ck_assert_msg(value > .9 * leading, "%s: %.0f of %.0f", known[_i].what, value, leading);
  ck_assert_msg(value < 1.2 * leading, "%s: %.0f above %.0f", known[_i].what, value, leading);
}
END_TEST

/* ---- mirrored siblings, by volumes alone ---- */

enum { ROWS = 12 };
/* The rows in each set, words beside and own words of either statement; the pairs that steps use, and how many
   steps. */
typedef struct { bool beside[ROWS], own[2][ROWS]; long pairs, steps; } rows_of;

static long words_in(const bool *set)
{
  long n = 0;
  for (int i = 0; i < ROWS; i++)
    n += set[i];
  return n;
}

static void count_steps(rows_of *r)
{
  r->pairs = r->steps = 0;
  for (int high = 0; high < ROWS; high++)
    for (int low = 0; low < high; low++) {
      int uses = (r->beside[low] && r->own[0][high]) + (r->beside[high] && r->own[1][low]);
      r->pairs += uses > 0;
      r->steps += uses;
    }
}

/* 27 steps^2 / (pairs beside own), 32 at most. */
static double filling(rows_of *r)
{
  count_steps(r);
  double full = (double)r->pairs * (double)words_in(r->beside) * (double)(words_in(r->own[0]) + words_in(r->own[1]));
  return full > 0 ? 27. * (double)r->steps * (double)r->steps / full : 0;
}

/* One sum over whole rows: a pair of rows does a step for each of the two that has a sum when the other is beside. */
START_TEST(viewed)
{
  support_random s = { (uint64_t)_i + 3 };
  bool beside[ROWS], own[ROWS], stored[ROWS][ROWS] = { { false } };
  long pairs = 0, steps = 0;
  for (int i = 0; i < ROWS; i++)
    beside[i] = own[i] = support_between(&s, 0, 2) > 0;
  own[0] = beside[0] = true;
  for (int high = 0; high < ROWS; high++)
    for (int low = 0; low < high; low++)
      pairs += stored[high][low] = _i == 0 || support_between(&s, 0, 4) > 0;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < ROWS; k++)
      steps += own[i] && beside[k] && stored[i > k ? i : k][i > k ? k : i];
  ck_assert_msg(steps * steps <= 2 * pairs * words_in(own) * words_in(beside), "seed %d: %ld steps by %ld pairs", _i,
                steps, pairs);
}
END_TEST

/* Halves a row apart, of which no two sums are made.  The claim without its views is none, or one of less. */
START_TEST(views_are_counted)
{
  cdag *g = bound_text_open("param n = 30\ninput A[i:n+1,k:i+1], B[n,n]\nS[i:n,j:n,k:n] = S[i,j,k-1], "
                            "A[i+1,k] if k <= i, A[k,i] if k > i, B[k,j]\noutput S[*,*,n-1]\n", "");
  text claim = bound_claim_of("affine", g, 12), without = { 0 };
  const char *at = strstr(text_str(&claim), "\"views\": true, ");
  ck_assert_msg(at != NULL, "%s", text_str(&claim));
  text_printf(&without, "%.*s%s", (int)(at - text_str(&claim)), text_str(&claim), at + strlen("\"views\": true, "));
  ck_assert(bound_claim_holds("affine", g, 12, text_str(&claim)));
  bound_claim_refused("affine", g, 12, text_str(&without), "");
  text_clear(&claim);
  text_clear(&without);
  cdag_free(g);
}
END_TEST

/* Sets that become fuller and fuller. */
START_TEST(mirrored)
{
  support_random s = { (uint64_t)_i + 3 };
  rows_of r = { 0 };
  for (int i = 0; i < ROWS; i++)
    r.beside[i] = r.own[0][i] = r.own[1][i] = support_between(&s, 0, 1);
  double best = filling(&r);
  for (int k = 0; k < 400; k++) {
    bool *set = (bool *[]){ r.beside, r.own[0], r.own[1] }[support_between(&s, 0, 2)];
    int64_t i = support_between(&s, 0, ROWS - 1);
    set[i] = !set[i];
    double now = filling(&r);
    ck_assert_msg(now <= 32, "seed %d: %ld steps by %ld pairs", _i, r.steps, r.pairs);
    set[i] = now < best ? !set[i] : set[i];
    best = now < best ? best : now;
  }
  ck_assert_msg(best > 24, "seed %d: %f is little", _i, best);
}
END_TEST

START_TEST(windows)
{
  double steps = 64. * 64 * 64 * 9, m = 256;
  /* ceil(3 / stride); of nine places four have 2 x 2 with their rests, four 2 and one 1, at stride 2 */
  static const double share[] = { 0, 3, 9 / (4 / 2. + 4 / M_SQRT2 + 1), 1 };
  for (int st = 1; st <= 3; st++) {
    text assign = { 0 };
    text_printf(&assign, "n=64,st=%d", st);
    double value = value_of(CONV, text_str(&assign), 256, false), leading = 2 * steps / (share[st] * sqrt(m));
    ck_assert_msg(value > .95 * leading && value < 1.1 * leading, "stride %d: %.0f of %.0f", st, value, leading);
    text_clear(&assign);
  }
}
END_TEST

/* Elements that read windows of one shape have the bound of the chains that read place by place, with a red pebble
   more; parts of elements without windows (bit k of `parts`: text k) need none more. */
static const struct { const char *places, *assign; const char *text[4]; uint64_t m; unsigned parts;
} window_texts[] = {
  { CONV,
    "n=16,st=1",
    { "param n, st\ninput X[n,st*7+3,st*7+3], W[n,n,3,3]\n"
      "O[f:n,y:8,x:8,c:n] = O[f,y,x,c-1], X[c,st*y..st*y+3,st*x..st*x+3], W[f,c,0..3,*]\noutput O[*,*,*,n-1]\n",
      "param n, st\ninput X[n,st*7+3,st*7+3], W[n,n,3,3]\n"
      "O[f:n,y:8,x:8,c:n] = X[c,st*y,st*x], X[c,st*y,st*x+1], X[c,st*y,st*x+2], X[c,st*y+1,st*x], X[c,st*y+1,st*x+1], "
      "X[c,st*y+1,st*x+2], X[c,st*y+2,st*x], X[c,st*y+2,st*x+1], X[c,st*y+2,st*x+2], W[f,c,0,0..3], W[f,c,1,0], "
      "W[f,c,1..3,2], W[f,c,1,1], W[f,c,2,1], W[f,c,2,0], O[f,y,x,c-1]\noutput O[*,*,*,n-1]\n",
      "param n, st\ninput X[n,st*7+3,st*7+3], W[n,n,3,3]\n"
      "output O[f:n,y:8,x:8] = X[*,st*y..st*y+3,st*x..st*x+3], W[f,*,*,*]\n",
      NULL },
    300, 0 },
  { "param n\ninput A[n,n], B[n,n], S[n,n,1]\nC[i:n,j:n,k:n] = C[i,j,k-1], A[i,k], B[k,j], S[i,j,k]\n"
    "output C[*,*,n-1]\n",
    "n=30",
    { "param n\ninput A[n,n], B[n,n], S[n,n]\noutput C[i:n,j:n] = A[i,*], B[0..n,j], S[i,j]\n",
      "param n\ninput A[n,n], B[n,n], S[n,n]\nP[i:n,j:n,k:n] = A[i,k], B[k,j]\n"
      "C[i:n,j:n,k:n] = C[i,j,k-1], P[i,j,k], S[i,j] if k == 0\noutput C[*,*,n-1]\n",
      "param n\ninput A[n,n], B[n,n], S[n,n]\nR[i:n,j:n,k:n] = B[k,j]\nP[k:n,i:n,j:n] = A[i,k], R[i,j,k]\n"
      "output C[i:n,j:n] = P[*,i,j], S[i,j]\n",
      NULL },
    70, 1 << 1 },
};

START_TEST(whole_windows)
{
  for (int shot = 0; shot < 2; shot++) {
    for (int k = 0; window_texts[_i].text[k]; k++) {
      uint64_t more = !(window_texts[_i].parts >> k & 1);
      double value = value_of(window_texts[_i].text[k], window_texts[_i].assign, window_texts[_i].m, shot);
      double places = value_of(window_texts[_i].places, window_texts[_i].assign, window_texts[_i].m + more, shot);
      ck_assert_msg(value == places, "spelling %d, one-shot %d: %.0f, not %.0f", k, shot, value, places);
    }
  }
}
END_TEST

/* One need of a power over 2, of elements with parts. */
#define ONE_NEED(ARRAY, ACCESS, POWER, FIRST)                                                                       \
  "{\"statements\": [{\"array\": " ARRAY ", \"needs\": [{\"is\": \"read\", \"access\": " ACCESS ", \"column\": 0, "    \
  "\"power\": " POWER "}], \"split\": [0, 0, 0, 0, 0, 0, 0, 0], \"order\": []}], \"den\": 2, \"pairs\": 0, "           \
  "\"segments\": 1, \"first\": " FIRST ", \"length\": 0}"
#define CLAIM(GROUPS) "\"own\": [0], \"groups\": [" GROUPS "]}"
#define FUSED(GROUPS) "{\"fused\": true, " CLAIM(GROUPS)

/* Work is to grow with words as a power of 1 at least; parts may be what words go on through, and stand besides then.
 */
START_TEST(words_of_parts)
{
  cdag *g = bound_text_open("input A[4,3], B[3,4]\nP[i:4,j:4,k:3] = A[i,k], B[k,j]\n"
                            "C[i:4,j:4,k:3] = C[i,j,k-1], P[i,j,k]\noutput C[*,*,2]\n",
                            "");
  ck_assert(bound_claim_holds("affine", g, 4, FUSED(ONE_NEED("3", "1", "2", "11"))));
  bound_claim_refused("affine", g, 4, FUSED(ONE_NEED("3", "1", "2", "12")), "can do all its work");
  bound_claim_refused("affine", g, 4, FUSED(ONE_NEED("3", "1", "1", "0")), "do less and less");
  bound_claim_refused("affine", g, 4, FUSED(ONE_NEED("3", "1", "2", "0") ", " ONE_NEED("3", "1", "2", "0")),
                      "an array counts twice, and has parts");
  cdag_free(g);
  g = bound_text_open("input A[4,3], B[3,4], D[4,3]\nC[i:4,j:4,k:3] = E[i,j,k-1], A[i,k], B[k,j]\n"
                      "E[i:4,j:4,k:3] = C[i,j,k], D[i,k], B[k,j]\noutput E[*,*,2]\n", "");
  ck_assert(bound_claim_holds("affine", g, 4, FUSED(ONE_NEED("4", "3", "2", "9"))));
  ck_assert(bound_claim_holds("affine", g, 4, FUSED(ONE_NEED("4", "3", "1", "0"))));
  bound_claim_refused("affine", g, 4, FUSED(ONE_NEED("4", "3", "2", "10")), "can do all its work");
  bound_claim_refused("affine", g, 4, FUSED(ONE_NEED("4", "3", "2", "0") ", " ONE_NEED("4", "4", "2", "0")),
                      "several groups where words go on through parts");
  ck_assert(bound_claim_holds("affine", g, 4, "{" CLAIM(ONE_NEED("3", "1", "1", "0")))); /* there are none */
  cdag_free(g);
}
END_TEST

/* A convolution whose windows are copied side by side first: the rows of a product are not all different words. */
START_TEST(copied_windows)
{
  static const char lowered[] =
      "param n\ninput X[n,n+2,n+2], W[n,9*n]\nL[p:n*n,q:9*n] = X[q/9,p/n+q%9/3,p%n+q%3]\n"
      "O[f:n,p:n*n,q:9*n] = O[f,p,q-1], L[p,q], W[f,q]\noutput O[*,*,9*n-1]\n";
  double leading = 2 * 9. * 40 * 40 * 40 * 40 / sqrt(64), again = value_of(lowered, "n=40", 64, false),
         once = value_of(lowered, "n=40", 64, true);
  ck_assert_msg(again > .9 * leading / 3 && again < 1.2 * leading / 3, "%.0f of %.0f", again, leading / 3);
  ck_assert_msg(once > .9 * leading && once < 1.2 * leading, "%.0f of %.0f", once, leading);
}
END_TEST

/* One stencil in the plane, spelt in three ways, and others: c W / M^(1/d). */
static const struct { const char *what, *text; double w, c; int d;
} columns[] = {
  { "five points",
    "param n, t\ninput A[s:t+1,i:n,j:n] = A[s-1,i,j], A[s-1,i-1,j], A[s-1,i+1,j], A[s-1,i,j-1], A[s-1,i,j+1]\noutput "
    "A[t,*,*]\n",
    1, .770, 2 },
  { "five points in two arrays",
    "param n, t\ninput Z[n,n,1]\n"
    "B[s:t/2,i:n,j:n] = A[s-1,i,j], A[s-1,i-1..i+2,j], A[s-1,i,j-1..j+2], Z[i,j,s], Z[i-1..i+2,j,s], Z[i,j-1..j+2,s]\n"
    "A[s:t/2,i:n,j:n] = B[s,i,j], B[s,i-1..i+2,j], B[s,i,j-1..j+2]\noutput A[t/2-1,*,*]\n",
    1, .770, 2 },
  { "five points, windows cut at the border",
    "param n, t\ninput A[s:t+1,i:n,j:n] = A[s-1,max(0,i-1)..min(n,i+2),j], A[s-1,i,max(0,j-1)..min(n,j+2)]\n"
    "output A[t,*,*]\n",
    1, .770, 2 },
  { "five points, rows that shift",
    "param n, t\ninput A[s:t+1,i:s..n+s,j:n] = A[s-1,i-2,j], A[s-1,i-1,j], A[s-1,i,j], A[s-1,i-1,j-1], A[s-1,i-1,j+1]\n"
    "output A[t,*,*]\n",
    1, .770, 2 },
  { "five points on a torus",
    "param n, t\ninput A[s:t+1,i:n,j:n] = A[s-1,i,j], A[s-1,(i+1)%n,j], A[s-1,(i+n-1)%n,j], A[s-1,i,(j+1)%n], "
    "A[s-1,i,(j+n-1)%n]\noutput A[t,*,*]\n",
    1, .770, 2 },
  { "five points, copied back",
    "param n, t\ninput Z[n,n]\nB[s:t,i:1..n-1,j:1..n-1] = A[s-1,i,j], A[s-1,i-1..i+2,j], A[s-1,i,j-1..j+2], "
    "Z[i-1..i+2,j] if s==0, Z[i,j-1..j+2] if s==0\nA[s:t,i:1..n-1,j:1..n-1] = B[s,i,j]\noutput A[t-1,*,*]\n",
    1, .770, 2 },
  { "five points, copied back into one array",
    "param n, t\ninput A[s:t+1,i:n,j:n] = B[s,i,j]\n"
    "B[s:1..t+1,i:1..n-1,j:1..n-1] = A[s-1,i-1..i+2,j], A[s-1,i,j-1..j+2]\noutput A[t,*,*]\n",
    1, .770, 2 },
  { "red and black points",
    "param n, t\ninput R0[n,n],B0[n,n]\nR[s:t,i:n,j:n] = R[s-1,i,j], B[s-1,i,j-1..j+1], B[s-1,i-1,j], B[s-1,i+1,j], "
    "R0[i,j] if s==0, B0[i,j-1..j+1] if s==0\nB[s:t,i:n,j:n] = B[s-1,i,j], R[s,i,j..j+2], R[s,i-1,j], R[s,i+1,j], "
    "B0[i,j] if s==0\noutput R[t-1,*,*], B[t-1,*,*]\n",
    1, .770, 2 },
  { "red and black points that read the other colour alone",
    "param n, t\ninput B0[n,n]\nR[s:t,i:n,j:n] = B[s-1,i,j-1..j+1], B[s-1,i-1,j], B[s-1,i+1,j], "
    "B0[i,j-1..j+1] if s==0, B0[i-1,j] if s==0, B0[i+1,j] if s==0\n"
    "B[s:t,i:n,j:n] = R[s,i,j..j+2], R[s,i-1,j], R[s,i+1,j]\n"
    "output R[t-1,*,*], B[t-1,*,*]\n",
    1, .770, 2 },
  { "a wave, with the two levels before in one array",
    "param n, t\ninput Z[n,n,2]\nU[s:t,i:n,j:n] = U[s-2..s,i,j], U[s-1,i-1,j], U[s-1,i+1,j], U[s-1,i,j-1], "
    "U[s-1,i,j+1], Z[i,j,s], Z[i,j,s+1]\noutput U[t-2..t,*,*]\n",
    1, .770, 2 },
  { "nine points in place, an element of its own level read first, the border with the inputs",
    "param n, t\ninput Z[n,n]\nA[s:t,i:1..n-1,j:1..n-1] = A[s,i-1,j-1..j+2], A[s,i,j-1], Z[i-1,j-1..j+2] if i==1, "
    "Z[i-1..i+2,j-1] if j==1, Z[i-1..i+2,j+1] if j+2==n, Z[i+1,j-1..j+2] if i+2==n, A[s-1,i,j], Z[i,j..j+2] if s==0, "
    "Z[i+1,j-1..j+2] if s==0, A[s-1,i,j+1], A[s-1,i+1,j-1..j+2]\noutput A[t-1,*,*]\n",
    1, .770, 2 },
  { "nine points in place",
    "param n, t\ninput Z[1,n,n]\nA[s:t,i:n,j:n] = Z[s,i,j], A[s-1,i,j], A[s,i-1,j-1..j+2], A[s,i,j-1], A[s-1,i,j+1], "
    "A[s-1,i+1,j-1..j+2]\noutput A[t-1,*,*]\n",
    1, .770, 2 },
};

START_TEST(stencils)
{
  double n = 200, t = 60, m = 100, value = value_by("columns", columns[_i].text, "n=200,t=60", 100, true),
         again = value_by("columns", columns[_i].text, "n=200,t=60", 100, false);
  double leading = columns[_i].c * n * n * t / sqrt(m);
  ck_assert_msg(value > .9 * leading && value < 4 * leading, "%s: %.0f of %.0f", columns[_i].what, value, leading);
  ck_assert_msg(again > .9 * n * n * t / sqrt(2 * m) && again <= value, "%s: %.0f", columns[_i].what, again);
}
END_TEST

/* Nothing computed twice: 3, 4.320 and, in place, 4.619 W / M^(1/d) and less, what is near the border. */
START_TEST(stars)
{
  static const char line[] = "param n, t\ninput A[s:t+1,i:n] = A[s-1,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n";
  double one = value_by("columns", line, "n=20000,t=300", 100, true) / (20000. * 300 / 100),
         two = value_by("columns", columns[0].text, "n=20000,t=200", 4096, true) / (20000. * 20000 * 200 / 64),
         place = value_by("columns", columns[COUNT(columns) - 1].text, "n=20000,t=200", 4096, true) /
                 (20000. * 20000 * 200 / 64);
  ck_assert_msg(one > 2.7 && one < 3 && two > 3.8 && two < 4.321 && place > 3.9 && place < 4.619,
                "%.3f, %.3f and %.3f", one, two, place);
}
END_TEST

/* More levels than columns: slabs of levels, each of which is over before the next begins.  Where a level and a row
   fit, nothing but inputs and outputs moves. */
START_TEST(tall_columns)
{
  const char *five = columns[0].text;
  double few = value_by("columns", five, "n=40,t=100", 100, false),
         many = value_by("columns", five, "n=40,t=1000", 100, false);
  ck_assert_msg(many > 5 * few && many < 10 * few, "%.0f of 100 levels, %.0f of 1000", few, many);
  for (uint64_t m = 112; m < 122; m++)
    ck_assert(value_by("columns", five, "n=10,t=500", m, false) <= 200);
}
END_TEST

/* Neighbours through the fields between: in one dimension c W / M. */
START_TEST(through_others)
{
  static const char fields[] = "param n, t\ninput E0[i:1..n,1], H0[n,1]\nE[s:t,i:1..n] = E[s-1,i], E0[i,s], H[s-1,i], "
                               "H[s-1,i-1], H0[i,s], H0[i-1,s]\n"
                               "H[s:t,i:n] = H[s-1,i], H0[i,s], E[s,i], E[s,i+1]\noutput H[t-1,*]\n";
  double value = value_by("columns", fields, "n=2000,t=400", 20, true),
         again = value_by("columns", fields, "n=2000,t=400", 20, false), whole = 2000. * 400 / 20;
  ck_assert_msg(value > 2.2 * whole && value < 3.1 * whole && again > .4 * whole && again <= value,
                "%.0f and %.0f of %.0f", value, again, whole);
}
END_TEST

/* Near the border more than half of the constants: what walls are worth, once for all segments; with recomputation,
   columns higher than the room beside them. */
START_TEST(near_the_border)
{
  static const char line[] = "param n, t\ninput A[s:t+1,i:n] = A[s-1,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n";
  double one = value_by("columns", line, "n=4000,t=3000", 1024, true) / (4000. * 3000 / 1024),
         two = value_by("columns", columns[0].text, "n=400,t=200", 1024, true) / (400. * 400 * 200 / 32),
         once = value_by("columns", columns[COUNT(columns) - 1].text, "n=400,t=200", 1024, true) /
                (400. * 400 * 200 / 32),
         again = value_by("columns", columns[0].text, "n=400,t=200", 64, false) / (400. * 400 * 200 / 8);
  ck_assert_msg(one > 1.8 && one < 2 && two > 3.1 && two < 3.3 && once > 2.7 && once < 2.9 && again > .82 &&
                    again < .83,
                "%.3f, %.3f, %.3f, %.3f", one, two, once, again);
}
END_TEST

/* What no line passes is loaded and stored besides: inputs of other arrays; and outputs of arrays between, when they
   may be computed again. */
START_TEST(beside_the_lines)
{
  static const char fields[] = "param n, t\ninput E0[i:1..n,1], H0[n,1]\nE[s:t,i:1..n] = E[s-1,i], E0[i,s], H[s-1,i], "
                               "H[s-1,i-1], H0[i,s], H0[i-1,s]\n"
                               "H[s:t,i:n] = H[s-1,i], H0[i,s], E[s,i], E[s,i+1]\noutput H[t-1,*]%s\n";
  double value[2][2];
  for (int k = 0; k < 2; k++) {
    text t = { 0 };
    text_printf(&t, fields, k ? ", E[t-1,*]" : "");
    for (int once = 0; once < 2; once++)
      value[k][once] = value_by("columns", text_str(&t), "n=2000,t=400", 20, once);
    text_clear(&t);
  }
  /* lines through E leave out the inputs E0 and the outputs E; those of E itself, which are better, H0 and H, with a
     column less; with E put out its words count beside those of H */
  ck_assert_msg(value[1][0] - value[0][0] == 4000 - 1999 && value[1][1] > 1.2 * value[0][1], "%.0f %.0f %.0f %.0f",
                value[0][0], value[0][1], value[1][0], value[1][1]);
  /* a border of inputs, in their array or in others */
  static const char *const borders[] = {
    "param n, t\ninput Z[n]\nA[s:t,i:1..n-1] = A[s-1,i-1..i+2], Z[i-1..i+2] if s==0, Z[i-1] if i==1, "
    "Z[i+1] if i+2==n\noutput A[t-1,*]\n",
    "param n, t\ninput Z[i:1..n-1], L[1], R[1]\nA[s:t,i:1..n-1] = A[s-1,i-1..i+2], Z[i-1..i+2] if s==0, L[0] if i==1, "
    "R[0] if i+2==n\noutput A[t-1,*]\n",
  };
  for (int once = 0; once < 2; once++)
    ck_assert_double_eq(value_by("columns", borders[0], "n=200,t=60", 10, once),
                        value_by("columns", borders[1], "n=200,t=60", 10, once));
}
END_TEST

/* A neighbour that is missing somewhere, or another one: no box is left. */
START_TEST(no_stencils)
{
  static const char *const texts[] = {
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], A[s-1,i-1]\noutput A[t,*]\n",
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], A[s-1,i-1], A[s-1,i+1+n*(s==3)]\noutput A[t,*]\n",
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], A[s-1,i-1], A[s-1,i+2]\noutput A[t,*]\n",
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], A[s-1,i-1], A[s-1,i+1]\noutput A[t,0]\n",
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], A[s-1,i-1], A[s-2,i+1]\noutput A[t,*]\n",
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], B[s,i/2], B[s,(i+1)/2]\nB[s:1..t+1,k:n/2+1] = A[s-1,2*k-1], "
    "A[s-1,2*k]\noutput A[t,*]\n", /* one element for two readers */
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], A[s-1,i+1], B[s,i] if i<n/2, B[s,i-n/2] if i>=n/2\n"
    "B[s:1..t+1,k:n/2] = A[s-1,k-1], A[s-1,k-1+n/2]\noutput A[t,*]\n", /* likewise, by two ways */
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i], B[s,0]\nB[s:1..t+1,k:1] = A[s-1,*]\noutput A[t,*]\n",
    "param n, t\ninput B0[n]\nR[s:t,i:n] = B[s-1,i-1..i+1], B0[i-1..i+1] if s==0\nB[s:t,i:n] = R[s,i-1..i+1]\n"
    "output R[t-1,*]\n", /* from one side alone */
    "param n, t\ninput B0[n]\nR[s:t,i:n] = B[s-1,i-1..i+1], B0[i-1..i+1] if s==0\nB[s:t,i:n] = R[s,i..i+2]\n"
    "output R[t-1,0]\n",
    "param n, t\ninput B0[n]\nR[s:t,i:n] = B[s-1,i], B[s-1,i+2..i+4], B0[i] if s==0, B0[i+2..i+4] if s==0\n"
    "B[s:t,i:n] = R[s,i], R[s,i-3..i-1]\noutput R[t-1,*], B[t-1,*]\n", /* what is between lies in a third column */
  };
  for (int k = 0; k < COUNT(texts); k++)
    ck_assert_msg(value_by("columns", texts[k], "n=60,t=20", 5, true) == 0, "%s", texts[k]);
}
END_TEST

/* ---- words of one kind that are continued and read ---- */

/* With recomputation, c n^3 / sqrt(M) more than the outputs, which are so much of n^2; tails would need a larger n. */
static const struct { const char *what; double c, outputs; const char *text[4];
} kin[] = {
  { "triangles",
    .1361, .5,
    { "param n\ninput A[i:n,j:i+1]\nS[i:n,j:i+1,k:j+1] = A[i,j] if k==0, S[i,j,k-1], S[i,k-1,k-1], S[j,k-1,k-1]\n"
      "output S[i:n,j:i+1,j]\n",
      "param n\ninput A[i:n,j:i+1]\nS[i:n,j:i+1,k:j] = S[i,j,k-1], A[i,j] if k==0, L[i,k], L[j,k]\n"
      "D[j:n] = S[j,j,j-1], A[j,j] if j==0\nL[i:n,j:i] = S[i,j,j-1], A[i,j] if j==0, D[j]\noutput L[*,*], D[*]\n",
      "param n\ninput A[i:n,j:i..n]\nS[k:n,i:k..n,j:i..n] = A[i,j] if k==0, S[k-1,i,j], S[k-1,k-1,i], S[k-1,k-1,j]\n"
      "output S[k:n,k,j:k..n]\n",
      "param n\ninput A[b:2,i:n,j:i+1]\nS[b:2,j:n,i:j..n,k:j+1] = A[b,i,j] if k==0, S[b,j,i,k-1], "
      "S[b,k-1,i,k-1], S[b,k-1,j,k-1]\noutput S[*,j:n,i:j..n,j]\n" } },
  { "the own word one of a pair",
    .7071, 1,
    { "param n\ninput L[i:n,j:i+1], B[n,n]\nX[i:n,j:n,k:i+1] = X[i,j,k-1], B[i,j] if k==0, L[i,k], X[k,j,k] if k<i\n"
      "output X[i:n,*,i]\n",
      "param n\ninput U[i:n,j:i..n], B[n,n]\nX[j:n,i:n,k:n-i] = X[j,i,k-1], B[i,j] if k==0, U[i,n-1-k], "
      "X[j,n-1-k,k] if n-1-k>i\noutput X[*,i:n,n-1-i]\n" } },
};

START_TEST(own_words_read)
{
  double n = 400, m = 4000;
  for (int k = 0; k < COUNT(kin[_i].text) && kin[_i].text[k]; k++) {
    const char *source = kin[_i].text[k];
    double many = strstr(source, "b:2") ? 2 : 1, outputs = many * kin[_i].outputs * n * n,
           leading = many * kin[_i].c * n * n * n / sqrt(m),
           value = value_of(source, "n=400", (uint64_t)m, false) - outputs;
    ck_assert_msg(value > .9 * leading && value < 1.1 * leading, "%s, spelling %d: %.0f of %.0f", kin[_i].what, k,
                  value, leading);
  }
}
END_TEST

/* ---- one graph, several spellings ---- */

enum { SPELLINGS = 6 };
static const struct { const char *what, *assign; const char *text[SPELLINGS];
} spelt[] = {
  { "product",
    "n=24",
    { MATMUL, "param n\ninput Bt[n,n], Q[n,n]\nC[k:n,j:n,i:n] = Q[i,k], C[k-1,j,i], Bt[j,k]\noutput C[n-1,*,*]\n",
      "param n\ninput A[n,n], B[n,n]\nC[i:n,j:n,k:n] = C[i,j,k-1..k], A[i,k..k+1], B[k,j]\noutput C[*,*,n-1]\n",
      "param n\ninput A[n,n], B[n,n]\nC[i:1..n+1,j:n,k:min(n,i+n)] = C[i,j,k-1], A[i-1,k], B[n-1-k,j]\noutput "
      "C[i:1..n+1,*,n-1]\n",
      "param n\ninput A[n,n], B[n,n]\nC[i:n,j:n,k:n,z:max(0,i-i)..1] = C[i,j,k-1,z], A[i,k], B[k,j], "
      "B[k+n*(j<0),j]\noutput C[*,*,n-1,*]\n",
      "param n\ninput A[n,n], B[n,n]\nC[i:n,j:n,a:n/4,b:4] = C[i,j,a,b-1], C[i,j,a-1,3+b], A[i,4*a+b], "
      "B[4*a+b,j]\noutput C[*,*,n/4-1,3]\n" } },
  { "lu",
    "n=24",
    { LU,
      "param n\ninput A[n,1,n]\nL[j:n,i:j+1..n] = A[i,j,j], U[j-1,j,j], U[j-1,j,i], A[j,j,j]\n"
      "U[k:n,j:k+1..n,i:k+1..n] = A[i,k,j], L[k,i], U[k-1,j,k], A[k,k,j], U[k-1,j,i]\noutput L[*,*]\noutput "
      "U[i:n-1,i+1..n,i+1]\n",
      "param n\ninput A[n,n]\n"
      "S[i:2..n,j:1..i,k:j] = S[i,j,k-1], A[i,j] if k == 0, L[i,k], U[k,j,k-1], A[0,j] if k == 0\n"
      "output L[i:1..n,j:i] = S[i,j,j-1], A[i,0] if j == 0, U[j,j,j-1], A[0,0] if j == 0\n"
      "U[i:1..n,j:i..n,k:i] = U[i,j,k-1], A[i,j] if k == 0, L[i,k], U[k,j,k-1], A[0,j] if k == 0\n"
      "output U[i:1..n,j:i..n,i-1]\n",
      NULL } },
  { "lu by steps, of what is left or of the whole matrix",
    "n=60",
    { "param n\ninput A[k:0..1,i:n,j:n]\nA[k:1..n,i:k..n,j:k..n] = A[k-1,i,j], A[k-1,k-1,j], L[i,k-1]\n"
      "L[i:1..n,j:i] = A[j,i,j], A[j,j,j]\noutput A[i:1..n,i,i..n], L[*,*]\n",
      "param n\ninput A[k:0..1,i:n,j:n]\nA[k:1..n,i:n,j:n] = A[k-1,i,j], A[k-1,k-1,j] if i >= k && j >= k, "
      "L[i,k-1] if i >= k && j >= k\nL[i:1..n,j:i] = A[j,i,j], A[j,j,j]\noutput A[n-1,i:1..n,i..n], L[*,*]\n",
      NULL } },
  { "rows in pairs",
    "n=24",
    { "param n\ninput A[n,n]\nC[i:n,j:i+1,k:n] = C[i,j,k-1], A[i,k], A[j,k]\noutput C[*,*,n-1]\n",
      "param n\ninput A[n,n]\nC[j:n,i:j..n,k:n] = A[i,k], A[j,k], C[j,i,k-1]\noutput C[*,*,n-1]\n",
      "param n\ninput A[n,n]\nC[i:n,j:min(i+1,n),k:n] = C[i,j,k-1], A[n-1-i,k], A[n-1-j,k]\noutput C[*,*,n-1]\n",
      NULL } },
};

START_TEST(spellings)
{
  for (int shot = 0; shot < 2; shot++) {
    double first = value_of(spelt[_i].text[0], spelt[_i].assign, 20, shot);
    ck_assert_msg(first > 0, "%s: nothing", spelt[_i].what);
    for (int k = 1; k < SPELLINGS && spelt[_i].text[k]; k++) {
      double other = value_of(spelt[_i].text[k], spelt[_i].assign, 20, shot);
      ck_assert_msg(fabs(other - first) <= 0, "%s, spelling %d, one-shot %d: %.0f, not %.0f", spelt[_i].what, k, shot,
                    other, first);
    }
  }
}
END_TEST

/* ---- near misses ---- */

static const struct { const char *what, *text, *assign; uint64_t m; int64_t most;
} misses[] = {
  /* the chain begins in the word that is both operands: 32 moves are enough */
  { "an input that is a root and an operand",
    "param n\ninput A[n,n]\nC[i:n,j:n,k:n] = C[i,j,k-1], A[i,j+n*k], A[i,k], A[k,j]\noutput C[*,*,n-1]\n", "n=4", 40,
    32 },
  { "the same at 20",
    "param n\ninput A[n,n]\nC[i:n,j:n,k:n] = C[i,j,k-1], A[i,j+n*k], A[i,k], A[k,j]\noutput C[*,*,n-1]\n", "n=20", 900,
    800 },
  { "one operand on both sides",
    "param n\ninput A[n,n]\nC[i:n,j:n,k:n] = C[i,j,k-1], A[i,k], A[k,j]\noutput C[*,*,n-1]\n", "n=6", 80, 72 },
  { "a window that does not move", "param n\ninput X[n], W[n]\nO[y:n,a:n] = O[y,a-1], X[a], W[a]\noutput O[*,n-1]\n",
    "n=12", 30, 36 },
  { "a product of length 1",
    "param n\ninput A[n,1], B[1,n], D[n,n]\nE[i:n,j:n,k:1] = E[i,j,k-1], A[i,k], B[k,j]\nG[i:n,j:n,k:n] = G[i,j,k-1], "
    "E[i,k,0], D[k,j]\noutput G[*,*,n-1]\n",
    "n=4", 60, 40 },
};

START_TEST(near_misses)
{
  for (int shot = 0; shot < 2; shot++) {
    double value = value_of(misses[_i].text, misses[_i].assign, misses[_i].m, shot);
    ck_assert_msg(value <= (double)misses[_i].most, "%s: %.0f, and %ld are enough", misses[_i].what, value,
                  (long)misses[_i].most);
  }
}
END_TEST

/* ---- claims that are changed or said of another computation ---- */

static int check_claim(const char *theorem, const cdag *g, uint64_t m, bool one_shot, const char *parameters,
                       const char *what)
{
  json_value v;
  diag d = { 0 };
  text reason = { 0 };
  uint64_t cost;
  mpz_t value;
  mpz_init(value);
  ck_assert_int_eq(json_read(&v, parameters, strlen(parameters), "claim", &d), OK);
  bound_claim c = { theorem, g, (int64_t)m, &v, 0 };
  bool holds = bound_checker_find(theorem)->check(&c, value, &reason);
  ck_assert(holds || reason.n > 0);
  if (holds && bound_least_cost(g, m, one_shot, &cost))
    ck_assert_msg(mpz_cmp_ui(value, cost) <= 0, "%s, M=%lu: %s gives %ld, a play costs %lu: %s", what, (unsigned long)m,
                  theorem, mpz_get_si(value), (unsigned long)cost, parameters);
  mpz_clear(value);
  text_clear(&reason);
  json_value_clear(&v);
  return holds;
}

START_TEST(claims_changed)
{
  support_random r = { (uint64_t)_i + 77 };
  random_cdag_options o = { .least = 4, .most = 24 };
  text source = { 0 }, other = { 0 };
  cdag *g = support_random_cdag(&r, &o, &source), *h = support_random_cdag(&r, &o, &other);
  uint64_t m = (uint64_t)support_between(&r, 3, 7);
  bound_question q = { .g = g, .m = m, .one_shot = true };
  bound_list list = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(bound_theorem_find("affine")->apply(&q, &list, &d), OK);
  for (size_t i = 0; i < list.n; i++) {
    bool one_shot = strcmp(list.item[i].name, "affine") != 0;
    const char *parameters = text_str(&list.item[i].parameters);
    ck_assert(check_claim(list.item[i].name, g, m, one_shot, parameters, text_str(&source)));
    check_claim(list.item[i].name, h, m, one_shot, parameters, text_str(&other));
    static const char *const readings[] = { "merged", "windows", "fused" }; /* the same said of both, read otherwise */
    for (int k = 0; k < COUNT(readings); k++) {
      text read = { 0 };
      text_printf(&read, "{\"%s\": true, %s", readings[k], parameters + 1);
      if (!strstr(parameters, "merged") && !strstr(parameters, "windows") && !strstr(parameters, "fused")) {
        check_claim(list.item[i].name, g, m, one_shot, text_str(&read), text_str(&source));
        check_claim(list.item[i].name, h, m, one_shot, text_str(&read), text_str(&other));
      }
      text_clear(&read);
    }
    for (int k = 0; k < 60; k++) {
      text changed = { 0 };
      if (bound_claim_alter(parameters, k, &changed))
        check_claim(list.item[i].name, g, m, one_shot, text_str(&changed), text_str(&source));
      text_clear(&changed);
    }
  }
  bound_list_clear(&list);
  text_clear(&source);
  text_clear(&other);
  cdag_free(g);
  cdag_free(h);
}
END_TEST

/* Small stencils: claims on columns, changed, and with heights that are not said to be limited, against plays. */
START_TEST(columns_changed)
{
  static const char *const texts[] = {
    "param n, t\ninput A[s:t+1,i:n] = A[s-1,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n",
    "param n, t\ninput A[s:t+1,i:n] = A[s,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n",
    "param n, t\ninput E0[i:1..n,1], H0[n,1]\nE[s:t,i:1..n] = E[s-1,i], E0[i,s], H[s-1,i], H[s-1,i-1], H0[i,s], "
    "H0[i-1,s]\nH[s:t,i:n] = H[s-1,i], H0[i,s], E[s,i], E[s,i+1]\noutput H[t-1,*], E[t-1,*]\n",
    "param n, t\ninput B0[n]\nR[s:t,i:n] = B[s-1,i-1..i+1], B0[i-1..i+1] if s==0\nB[s:t,i:n] = R[s,i..i+2]\n"
    "output R[t-1,*], B[t-1,*]\n",
  };
  support_random r = { (uint64_t)_i + 7 };
  text assign = { 0 };
  text_printf(&assign, "n=%ld,t=%ld", (long)support_between(&r, 4, 9), (long)support_between(&r, 1, 4));
  const char *source = texts[_i % COUNT(texts)];
  cdag *g = bound_text_open(source, text_str(&assign));
  bound_list list = { 0 };
  diag d = { 0 };
  bound_question q = { .g = g, .m = (uint64_t)support_between(&r, 1, 3), .one_shot = true };
  ck_assert_int_eq(bound_theorem_find("columns")->apply(&q, &list, &d), OK);
  for (size_t i = 0; i < list.n && g->vertices < 100; i++) {
    bool one_shot = strcmp(list.item[i].name, "columns") != 0;
    text tall = { 0 };
    const char *parameters = text_str(&list.item[i].parameters);
    ck_assert(check_claim(list.item[i].name, g, q.m, one_shot, parameters, source));
    text_printf(&tall, "{\"tall\": true, %s", parameters + 1);
    for (int k = 0; k < 40; k++) {
      text changed = { 0 };
      if (bound_claim_alter(strstr(parameters, "tall") ? parameters : text_str(&tall), k, &changed))
        check_claim(list.item[i].name, g, (uint64_t)support_between(&r, 3, 5), one_shot, text_str(&changed), source);
      text_clear(&changed);
    }
    text_clear(&tall);
  }
  bound_list_clear(&list);
  text_clear(&assign);
  cdag_free(g);
}
END_TEST

/* A claim on columns higher than the room is refused without room, and in more dimensions than it is proved for. */
START_TEST(tall_claims)
{
  static const char five[] = "param n, t\ninput A[s:t+1,i:n,j:n%s] = A[s-1,i,j%s], A[s-1,i-1,j%s], A[s-1,i+1,j%s], "
                             "A[s-1,i,j-1%s], A[s-1,i,j+1%s]%s\noutput A[t,*,*%s]\n";
  for (int d = 2; d < 4; d++) {
    const char *k = d > 2 ? ",k" : "";
    text t = { 0 }, reason = { 0 };
    text_printf(&t, five, d > 2 ? ",k:n" : "", k, k, k, k, k, d > 2 ? ", A[s-1,i,j,k-1], A[s-1,i,j,k+1]" : "",
                d > 2 ? ",*" : "");
    cdag *g = bound_text_open(text_str(&t), "n=40,t=20");
    affine_facts f;
    stencil_best best[2] = { 0 };
    int64_t levels;
    mpz_t value;
    mpz_inits(value, best[0].value, best[1].value, NULL);
    affine_facts_init(&f, g, false);
    affine_find_stencil(&f, 10, best);
    for (int once = 0; once < 2; once++) {
      stencil_claim c = best[once].claim;
      ck_assert(stencil_value(&f, &c, 10, value, &reason));
      ck_assert(mpz_cmp(value, best[once].value) == 0);
      c.sections = c.corners = c.open = false;
      c.cube = 0;
      c.tall = true;
      c.room = 4;
      ck_assert(stencil_value(&f, &c, 10, value, &reason) == (d == 2));
      c.room = 0;
      ck_assert(!stencil_value(&f, &c, 10, value, &reason));
      c.room = 20;
      ck_assert(!stencil_value(&f, &c, 10, value, &reason));
      c.room = 4; /* so many lines may fill rows */
      c.length = 1500;
      ck_assert(d > 2 || stencil_value(&f, &c, 10, value, &reason) == !once);
      ck_assert(d > 2 || once || stencil_slabs(&c, 10, &levels) > 0);
      ck_assert(d > 2 || once || levels == 4);
    }
    affine_facts_clear(&f);
    mpz_clears(value, best[0].value, best[1].value, NULL);
    text_clear(&reason);
    text_clear(&t);
    cdag_free(g);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("affine");
  TCase *t = support_case(s, "constants");
  tcase_add_loop_test(t, constants, 0, COUNT(known));
  t = support_case(s, "affine");
  tcase_add_loop_test(t, mirrored, 0, support_rounds(40));
  tcase_add_loop_test(t, viewed, 0, support_rounds(40));
  tcase_add_test(t, views_are_counted);
  tcase_add_test(t, windows);
  tcase_add_loop_test(t, whole_windows, 0, COUNT(window_texts));
  tcase_add_test(t, words_of_parts);
  tcase_add_test(t, copied_windows);
  tcase_add_loop_test(t, stencils, 0, COUNT(columns));
  tcase_add_test(t, stars);
  tcase_add_test(t, tall_columns);
  tcase_add_test(t, through_others);
  tcase_add_test(t, near_the_border);
  tcase_add_test(t, beside_the_lines);
  tcase_add_test(t, no_stencils);
  tcase_add_test(t, tall_claims);
  tcase_add_loop_test(t, columns_changed, 0, support_rounds(12));
  tcase_add_loop_test(t, own_words_read, 0, COUNT(kin));
  tcase_add_loop_test(t, spellings, 0, COUNT(spelt));
  tcase_add_loop_test(t, near_misses, 0, COUNT(misses));
  tcase_add_loop_test(t, claims_changed, 0, support_rounds(30));
  return support_run(s);
}
