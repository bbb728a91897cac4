/* Gates: numbers known from the theory, near misses against plays, and random texts near the shapes that have gates,
   whose bounds and changed claims are held against the least cost of a play in every game. */
#include "base/mem.h"
#include "bounds/check/gates/gates.h"
#include "bounds/checker.h"
#include "bounds/games.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_one_shot.h"
#include "tests/support_random_cdag.h"
#include "tests/support_bound.h"
#include "tests/support_found.h"
#include <string.h>

#define ATAX                                                                                                           \
  "param m = 3, n = 4\ninput A[m,n], x[n]\nT[i:m, j:n] = T[i,j-1], A[i,j], x[j]\nY[j:n, i:m] = Y[j,i-1], A[i,j], "     \
  "T[i,n-1]\noutput Y[*,m-1]\n"
#define DERICHE                                                                                                        \
  "param w = 2, h = 3\ninput I[w,h]\ny1[i:w, j:h] = y1[i,j-2], y1[i,j-1], I[i,j-1], I[i,j]\ny2[i:w, j:h-1] = "         \
  "y2[i,j+2], y2[i,j+1], I[i,j+1], I[i,j+2]\n"                                                                         \
  "G[i:w, j:h] = y1[i,j], y2[i,j]\nz1[i:w, j:h] = z1[i-2,j], z1[i-1,j], G[i-1,j], G[i,j]\n"                            \
  "z2[i:w-1, j:h] = z2[i+2,j], z2[i+1,j], G[i+1,j], G[i+2,j]\noutput O[i:w, j:h] = z1[i,j], z2[i,j]\n"
#define DURBIN                                                                                                         \
  "param n = 5\ninput r[n]\ny0[k:1, z:1] = r[0]\nS[k:1..n, i:k] = S[k,i-1], r[k-i-1], Z[k-1,i], a[k-1,i-k+1], "        \
  "y0[k-1,i-k+1]\n"                                                                                                    \
  "a[k:1..n, z:1] = r[k], S[k,k-1]\nZ[k:1..n, i:k] = a[k,0], Z[k-1,i], a[k-1,i-k+1], y0[k-1,i-k+1], Z[k-1,k-1-i], "    \
  "a[k-1,-i], y0[k-1,-i]\n"                                                                                            \
  "output Z[n-1,*], a[n-1,0]\n"
/* the same with the last coefficient of a step in Z alone */
#define DIAGONAL                                                                                                       \
  "param n = 5\ninput r[n]\nS[k:1..n, i:k] = S[k,i-1], r[k-i-1], Z[k-1,i]\nZ[k:n, i:k..k+1] = r[k], S[k,k-1]\n"        \
  "Z[k:1..n, i:k] = Z[k,k], Z[k-1,i], Z[k-1,k-1-i]\noutput Z[n-1,*]\n"
/* Gram-Schmidt, and with sums that read one column alone */
#define GRAM_OF(READ)                                                                                                  \
  "param m = 4, n = 2\ninput A[m,n,1]\nN[k:n, i:m] = N[k,i-1], V[i,k,k-1], A[i,k,k]\noutput D[k:n] = N[k,m-1]\n"       \
  "output Q[i:m, k:n] = V[i,k,k-1], A[i,k,k], D[k]\nR[k:n, j:k+1..n, i:m] = R[k,j,i-1], " READ "V[i,j,k-1], "          \
  "A[i,j,k]\n"                                                                                                         \
  "V[i:m, j:n, k:j] = V[i,j,k-1], A[i,j,k], Q[i,k], R[k,j,m-1]\noutput R[*,*,m-1]\n"
#define GRAM GRAM_OF("Q[i,k], ")
#define GLASS GRAM_OF("")
/* columns against those before them: their last values, or their first, which go on */
#define COLUMN(SUM, READ)                                                                                              \
  "param m = 4, n = 2\ninput A[m,n,1]\nR[k:n, j:k+1..n, i:m] = R[k,j,i-1], V[i,j,k-1], A[i,j,k]" SUM "\n"           \
  "V[i:m, j:n, k:j] = V[i,j,k-1], A[i,j,k], " READ ", R[k,j,m-1]\noutput V[*,n-1,n-2]\n"
#define LAST "V[i,k,k-1], A[i,k,k]"
#define EARLY "V[i,k,0] if k > 1, A[i,k,k]"
#define ADI                                                                                                            \
  "param t = 2, n = 3\ninput U[i:n, j:n, z:1]\nq[s:t, i:n, j:n] = q[s,i,j-1], u[s-1,j,i], u[s-1,j,i-1], U[j,i,s], "    \
  "U[j,i-1,s]\n"                                                                                                       \
  "v[s:t, j:n, i:n] = v[s,j+1,i], q[s,i,j]\nr[s:t, i:n, j:n] = r[s,i,j-1], v[s,i,j], v[s,i-1,j]\nu[s:t, i:n, j:n] = "  \
  "u[s,i,j+1], r[s,i,j]\n"                                                                                             \
  "output u[t-1,*,*]\n"
#define SOFTMAX                                                                                                        \
  "param b = 2, n = 4\ninput X[b,n]\nL[i:b, j:n] = L[i,j-1], X[i,j]\noutput Y[i:b, j:n] = X[i,j], L[i,n-1]\n"
/* rows summed up from both ends */
#define BOTH                                                                                                           \
  "param b = 2, n = 4\ninput X[b,n]\nf[i:b, j:n] = f[i,j-1], X[i,j]\ng[i:b, j:n] = g[i,j+1], X[i,j]\n"               \
  "output Y[i:b, j:n] = f[i,j], g[i,j]\n"
#define PASSES "param t = 3, n = 4\ninput X[n]\nL[s:t, j:n] = L[s,j-1], X[j], L[s-1,n-1]\noutput L[t-1,n-1]\n"
/* three passes over each row, as in a layer's norm; and two a step, alternating */
#define NORM                                                                                                           \
  "param b = 2, n = 4\ninput X[b,n]\nL[i:b, j:n] = L[i,j-1], X[i,j]\nS[i:b, j:n] = S[i,j-1], X[i,j], L[i,n-1]\n"      \
  "output Y[i:b, j:n] = X[i,j], S[i,n-1]\n"
#define ALTERNATING                                                                                                    \
  "param t = 2, n = 3\ninput X[n]\nL[s:t, j:n] = L[s,j-1], X[j], S[s-1,n-1]\nS[s:t, j:n] = S[s,j-1], X[j], "        \
  "L[s,n-1]\noutput S[t-1,n-1]\n"
/* the best split of each interval, in the order of the splits */
#define SPLITS                                                                                                         \
  "param n = 5\ninput T[i:n, j:i..n]\nP[i:n, j:i..n] = T[i,j], D[i,j-1,j-2], P[i,j-1] if j == i+1\n"                  \
  "Q[i:n, j:i+1..n] = P[i,j], D[i+1,j,j-1], P[i+1,j] if j == i+1\nD[i:n, j:i+1..n, k:i..j] = D[i,j,k-1], "            \
  "Q[i,j] if k == i, D[i,k,k-1], D[k+1,j,j-1]\noutput D[i:n, j:i+1..n, j-1]\n"
/* the same by lengths and beginnings */
#define LENGTHS                                                                                                        \
  "param n = 5\ninput T[l:n, i:n-l]\nP[l:n, i:n-l] = T[l,i], D[l-1,i,l-2], P[l-1,i] if l == 1\n"                      \
  "Q[l:1..n, i:n-l] = P[l,i], D[l-1,i+1,l-2], P[l-1,i+1] if l == 1\nD[l:1..n, i:n-l, k:l] = D[l,i,k-1], "             \
  "Q[l,i] if k == 0, D[k,i,k-1], D[l-k-1,i+k+1,l-k-2]\noutput D[l:1..n, i:n-l, l-1]\n"
/* half-open intervals, each sum begun by the one below alone; the same by what is left out before and behind */
#define HALF_OPEN                                                                                                      \
  "param n = 5\ninput w[i:n, j:i+1..n+1]\nC[i:n, j:i+2..n+1, k:i+1..j] = C[i,j,k-1], B[i,k], B[k,j]\n"                 \
  "B[i:n, j:i+1..n+1] = w[i,j], C[i,j,j-1]\noutput B[0,n]\n"
#define BEGUN                                                                                                          \
  "param n = 5\ninput q[n]\nT[i:n, j:i+1..n] = T[i,j-1] if j > i+1, T[i+1,j] if j > i+1, "                            \
  "T[i+1,j-1] if j > i+2, q[i], q[j], sum k:i+1..j { T[i,k], T[k,j] }\noutput T[0,n-1]\n"
/* intervals without inputs of their own: the least cost of a chain of products */
#define PRODUCTS                                                                                                       \
  "param n = 4\ninput p[n+1]\nC[i:n, j:i+1..n, k:i..j] = C[i,j,k-1], B[i,k], B[k+1,j], p[i], p[k+1], p[j+1]\n"         \
  "B[i:n, j:i..n] = C[i,j,j-1], p[i] if i == j\noutput B[0,n-1]\n"
#define LEFT_OUT                                                                                                       \
  "param n = 5\ninput w[n,n]\nS[a:n, b:n-a, k:n-1-a-b] = S[a,b,k-1], B[a,b+k+1], B[n-1-b-k,b]\n"                      \
  "B[a:n, b:n-a] = S[a,b,n-2-a-b], w[a,b]\noutput B[0,0]\n"
#define POWERS                                                                                                         \
  "param n = 2, t = 4\ninput A[n,n], x[n]\nX[s:t, i:n, k:n] = X[s,i,k-1], A[i,k], X[s-1,k,n-1], x[k+n*s]\n"            \
  "output X[t-1,*,n-1]\n"
/* the same, products first */
#define POWERS_APART                                                                                                   \
  "param n = 2, t = 4\ninput A[n,n], x[n]\nP[s:t, i:n, k:n] = A[i,k], X[s-1,k,n-1], x[k+n*s]\n"                        \
  "X[s:t, i:n, k:n] = X[s,i,k-1], P[s,i,k]\noutput X[t-1,*,n-1]\n"
/* B by its columns, then by its rows: of two readers the later one's elements wait */
#define COLUMNS                                                                                                        \
  "param n = 3\ninput A[n,n], u[n]\nB[i:n, j:n] = A[i,j], u[i]\nX[i:n, j:n] = X[i,j-1], B[j,i]\nW[i:n, j:n] = "        \
  "W[i,j-1], B[i,j], X[j,n-1]\noutput W[*,n-1]\n"

/* Columns summed up, then rows of them, each sum going on with the next column. */
#define CHAINS_ALONG(BEFORE, LAST)                                                                                     \
  "param n = 3, m = 2\ninput B[n,m,1]\nC[i:n, j:m] = B[i,j,0]\nX[j:m, i:n] = X[j,i-1], C[i,j]\nW[i:n, j:m] = "         \
  "W[" BEFORE "], C[i,j], X[j,n-1]\noutput W[" LAST "]\n"
#define CHAINS CHAINS_ALONG("i,j-1", "*,m-1")

static const bound *best_of(const bound_list *l, bool one_shot)
{
  const bound *best = NULL;
  for (size_t i = 0; i < l->n; i++)
    if ((one_shot || l->item[i].models & BOUND_RECOMPUTE) && (!best || mpz_cmp(l->item[i].value, best->value) > 0))
      best = &l->item[i];
  return best;
}

static void gates_of(const cdag *g, uint64_t m, bound_list *list)
{
  bound_question q = { .g = g, .m = m, .one_shot = true };
  diag d = { 0 };
  ck_assert_int_eq(bound_theorem_find("gates")->apply(&q, list, &d), OK);
}

/* ---- known ---- */

static const struct { const char *what, *text, *assign; uint64_t m; bool one_shot; long value;
} known[] = {
  { "A twice", ATAX, "m=200,n=200", 50, false, 200 * 200 + 2 * 200 + 200 * (200 - 49) },
  { "every image point before every result", DERICHE, "w=30,h=40", 50, false, 3 * 30 * 40 - 50 },
  { "a longer row each time", DURBIN, "n=200", 50, false, 2 * 200 + (199 - 49) * (199 - 48) / 2 },
  { "values that wait, and words, fewer than M each", DURBIN, "n=200", 201, true, 2 * 200 + 98 * 99 - 2 },
  { "more of either than M, or fewer", DURBIN, "n=200", 100, true,
    2 * 200 + 149 * 149 + 98 * 99 / 2 + 99 },
  { "gates along a diagonal", DIAGONAL, "n=200", 100, true, 2 * 200 + 149 * 149 + 98 * 99 / 2 },
  { "an hourglass", GLASS, "m=200,n=200", 1000, false, 356104 + 40000 + 19900 + 200 },
  /* 3,940,200 steps at 19,701 gates, 39,600 words, 60,100 outputs; the prices by a search of its own */
  { "stays", GRAM, "m=200,n=200", 1000, false, 612195 + 60100 },
  { "stays, and stores", GRAM, "m=200,n=200", 1000, true, 630902 + 60100 },
  { "stays, columns longer than memory", GRAM, "m=200,n=200", 100, true, 5240190 + 60100 },
  { "stays, two columns and a quarter", GRAM, "m=200,n=200", 450, true, 1606016 + 60100 },
  { "columns below the diagonal", GRAM, "m=200,n=50", 50, false,
    200 * 50 + (200 * 50 + 50 * 49 / 2 + 50) + (200 - 49) * 50 * 49 / 2 },
  { "sweeps by turns", ADI, "t=6,n=14", 50, false, 2 * 196 + 21 * (196 - 50) / 3 },
  { "a sweep waits", ADI, "t=1,n=14", 50, true, 2 * 196 + 2 * (195 - 49) },
  /* three of four sweeps, at every third step: of six steps 6 + 5 + 5 + 5 gates */
  { "sweeps wait by turns", ADI, "t=6,n=14", 50, true, 2 * 196 + 21 * 2 * (196 - 50) / 3 },
  { "rows", SOFTMAX, "b=10,n=100", 50, false, 2 * 1000 + 10 * (100 - 49) },
  /* of a row all but one wait, and as many of its inputs */
  { "from both ends", BOTH, "b=10,n=100", 50, true, 2 * 1000 + 10 * (3 * 99 - 2 * 49) },
  /* 38 of a row, and their inputs; of a column 28 twice */
  { "image points wait in rows and columns", DERICHE, "w=30,h=40", 20, true,
    2 * 1200 + 30 * (3 * 38 - 2 * 19) + 40 * 2 * (2 * 28 - 19) },
  { "all image points wait", DERICHE, "w=30,h=40", 200, true, 2 * 1200 + 2 * (29 * 39 - 200) },
  { "columns, then rows", COLUMNS, "n=100", 50, true, 10200 + 2 * 100 * 100 - (2 * 49 * 100 + 2) / 3 - 2 * 100 },
  /* at each of 40 gates 40 paths of two moves, less 59; each of 40 chains begins once */
  { "chains", CHAINS, "n=40,m=40", 60, true, 40 * 40 + 40 + 40 * (2 * 40 - 59) - 40 },
  { "passes", PASSES, "t=10,n=100", 50, false, 101 + 9 * (99 - 49) }, /* the last element is the next gate */
  { "passes, downwards",
    "param t = 3, n = 4\ninput X[n]\nL[s:t, j:n] = L[s,j-1], X[j], L[s+1,n-1]\noutput L[0,n-1]\n", "t=10,n=100", 50,
    false, 101 + 9 * (99 - 49) },
  { "three passes", NORM, "b=10,n=100", 50, false, 2 * 1000 + 10 * (99 - 49) + 10 * (100 - 49) },
  { "two passes a step", ALTERNATING, "t=10,n=100", 50, false, 101 + 19 * (99 - 49) },
  /* cells of 132 splits and more, worth 330 a split at most, 1,197 loads a segment; 79,800 outputs */
  { "rows and columns", SPLITS, "n=400", 1000, false, 2300 + 1039 * 1197 + 1 + 79800 },
  { "rows and columns, by lengths", LENGTHS, "n=400", 1000, false, 2300 + 1039 * 1197 + 1 + 79800 },
  /* cells of 99 splits and more, worth 299 a split at most, 1,425 loads a segment; one output */
  { "columns in order, rows in none", HALF_OPEN, "n=400", 1000, false, 2332 + 697 * 1425 + 1 + 1 },
  /* the same cells, 1,425 events a segment, of which 79,800 are computes of first elements */
  { "words that begin with computed elements", PRODUCTS, "n=400", 1000, true, 2332 + 697 * 1425 + 1 - 79800 + 1 },
  /* an interval of three is begun by an input that no other has: words along sums alone tell rows and columns */
  { "words along sums alone", BEGUN, "n=400", 1000, true, 1153518 },
  { "columns downwards", LEFT_OUT, "n=400", 1000, false, 903107 },
  { "powers of a matrix", POWERS, "n=100,t=10", 50, false, 10200 + 8 * (4461 - 7 * 50) + 8 * (10000 - 4461 - 49) / 2 },
  { "powers of a matrix, products first", POWERS_APART, "n=100,t=10", 50, false,
    10200 + 8 * (4461 - 7 * 50) + 8 * (10000 - 4461 - 49) / 2 },
};

START_TEST(values)
{
  cdag *g = bound_text_open(known[_i].text, known[_i].assign);
  bound_list list = { 0 };
  gates_of(g, known[_i].m, &list);
  const bound *b = best_of(&list, known[_i].one_shot);
  ck_assert_ptr_nonnull(b);
  long value = mpz_get_si(b->value);
  ck_assert_msg(value >= known[_i].value && (double)value <= 1.02 * (double)known[_i].value + 2, "%s: %ld, not %ld",
                known[_i].what, value, known[_i].value);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* ---- near misses: what gates would give if they were there ---- */

static const struct { const char *what, *text, *assign; uint64_t m; bool one_shot; long most;
} misses[] = {
  /* g and h may be computed in either order: between them nothing must lie */
  { "gates that nothing orders",
    "param n\ninput A[n], c[1]\ny[i:n] = y[i-1], A[i]\ng[z:1] = y[n-1]\nh[z:1] = c[z]\noutput Z[j:n] = A[j], "
    "h[0]\noutput g[0]\n",
    "n=12", 5, false, 26 },
  /* v[j] is a word for all gates, and waits once */
  { "a path that waits at every gate",
    "param n, q\ninput a[n], b[q]\nv[j:n] = a[j]\nw[k:q, j:n] = w[k,j-1], v[j], w[k-1,n-1]\noutput x[j:n] = v[j], "
    "w[q-1,n-1]\n",
    "n=8,q=1", 4, true, 32 },
  { "the second pass before the first ends", "param n\ninput X[n]\nL[j:n] = L[j-1], X[j]\noutput Y[j:n] = X[j], L[j]\n",
    "n=30", 5, false, 60 },
  { "a pass without the last element", "param n\ninput X[n]\nL[j:n] = L[j-1], X[j]\noutput Y[j:n] = X[j], L[0]\n",
    "n=30", 5, false, 60 },
  { "two sums of one pass", "param n\ninput X[n]\nL[j:n] = L[j-1], X[j]\nS[j:n] = S[j-1], X[j]\noutput Y[j:n] = X[j], "
    "L[n-1], S[n-1]\n", "n=30", 5, false, 90 },
  /* of the second sum what stands before the middle is one pass with the first */
  { "a second pass that begins at the middle",
    "param n\ninput X[n]\nL[j:n] = L[j-1], X[j]\nS[j:n] = S[j-1], X[j], L[n/2] if j >= n/2\noutput Y[j:n] = X[j], "
    "L[n-1], S[n-1]\n", "n=30", 6, false, 90 },
  { "every class reads the same row",
    "param b, n\ninput X[n]\nL[i:b, j:n] = L[i,j-1], X[j]\noutput Y[i:b, j:n] = X[j], L[i,n-1]\n", "b=1,n=8", 10, false,
    16 },
  /* by rows, each for all steps */
  { "powers of a triangle",
    "param n, t\ninput A[n,n], x[n]\nX[s:t, i:n, k:i+1] = X[s,i,k-1], A[i,k], X[s-1,k,k], x[k+n*s]\noutput "
    "X[t-1,i:n,i]\n",
    "n=6,t=4", 32, false, 33 },
  /* of the products of two matrices each is stored and loaded, and not both matrices */
  { "two words by way of one element",
    "param n, t\ninput A[n,n], B[n,n], x[n]\nC[i:n, k:n] = A[i,k], B[i,k]\nY[s:t, i:n, k:n] = Y[s,i,k-1], C[i,k], "
    "v[s-1,k], x[k] if s == 0\nL[s:t, i:n] = L[s,i-1], Y[s,i,n-1]\noutput v[s:t, i:n] = Y[s,i,n-1], L[s,n-1]\n",
    "n=6,t=10", 12, false, 588 },
  /* the next step begins with what is ready: 3/4 n^2 words a step, as a play shows */
  { "powers, two steps in one pass", POWERS, "n=40,t=10", 130, false, 12200 },
};

START_TEST(near_misses)
{
  cdag *g = bound_text_open(misses[_i].text, misses[_i].assign);
  bound_list list = { 0 };
  gates_of(g, misses[_i].m, &list);
  const bound *b = best_of(&list, misses[_i].one_shot);
  ck_assert_msg(!b || mpz_cmp_si(b->value, misses[_i].most) <= 0, "%s: %ld, and %ld are enough", misses[_i].what,
                mpz_get_si(b->value), misses[_i].most);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* What the checker makes of a claim; 0: nothing. */
static long value_in(const char *theorem, const cdag *g, const gates_claim *c, int64_t m)
{
  json j = { 0 };
  json_value v;
  diag d = { 0 };
  text reason = { 0 };
  mpz_t value;
  json_open(&j, '{');
  gates_claim_write(c, &j);
  json_close(&j, '}');
  mpz_init(value);
  ck_assert_int_eq(json_read(&v, text_str(&j.out), j.out.n, "claim", &d), OK);
  bool holds = bound_checker_find(theorem)->check(&(bound_claim){ theorem, g, m, &v, 0 }, value, &reason);
  long worth = holds ? mpz_get_si(value) : 0;
  mpz_clear(value);
  json_value_clear(&v);
  json_clear(&j);
  text_clear(&reason);
  return worth;
}

static long value_of(const cdag *g, const gates_claim *c, int64_t m) { return value_in("gates", g, c, m); }

/* The best claim that is found; it holds. */
static void find_claim(const cdag *g, uint64_t m, bool one_shot, gates_claim *c)
{
  bound_list list = { 0 };
  json_value v;
  diag d = { 0 };
  text reason = { 0 };
  gates_of(g, m, &list);
  const bound *b = best_of(&list, one_shot);
  ck_assert_ptr_nonnull(b);
  ck_assert_int_eq(json_read(&v, text_str(&b->parameters), b->parameters.n, "claim", &d), OK);
  ck_assert_msg(gates_claim_read(&v, c, &reason), "%s", text_str(&reason));
  ck_assert_int_eq(value_in(b->name, g, c, (int64_t)m), mpz_get_si(b->value));
  text_clear(&reason);
  json_value_clear(&v);
  bound_list_clear(&list);
}

/* The claim for alternating sweeps, the same for all seeds: it is looked for once. */
static void find_sweeps(bool one_shot, gates_claim *c)
{
  static gates_claim claim[2];
  static bool found[2];
  if (!found[one_shot]) {
    cdag *g = bound_text_open(ADI, "t=6,n=14");
    find_claim(g, 50, one_shot, &claim[one_shot]);
    cdag_free(g);
    found[one_shot] = true;
  }
  *c = claim[one_shot];
}

/* ---- claims of gates that alternate ---- */

/* Gates L[i,n-1], V[i,n-1], ..., one an array, of classes i; after gate g array use[g] reads X, or nothing does (NULL).
 * Such a claim holds for the first text; of the second `most` words are enough. */
enum { GATES_MOST = 3 };
#define FIRST "\ninput X[b,n]\nL[i:b, j:n] = L[i,j-1], X[i,j]\n"
#define SECOND "V[i:b, j:n] = V[i,j-1], X[i,j], L[i,n-1]\noutput V[*,n-1]\n"
static const struct { const char *what, *good, *bad, *gate[GATES_MOST], *use[GATES_MOST]; int64_t m; long most;
} alternating[] = {
  /* S but for the last may be computed with Y */
  { "the next gate",
    "param b = 1, n = 30" FIRST "output S[i:b, j:n] = S[i,j-1], X[i,j], L[i,n-1]\n"
    "output Y[i:b, j:n] = X[i,j], S[i,n-1]\n",
    "param b = 1, n = 30" FIRST "output S[i:b, j:n] = S[i,j-1] if j == n-1, X[i,j], L[i,n-1]\n"
    "output Y[i:b, j:n] = X[i,j], S[i,n-1]\n",
    { "L", "S" }, { "S", "Y" }, 4, 123 },
  /* both sums of L at once, and a row of X for the S of its class and the Y of the other */
  { "classes",
    "param b = 2, n = 30" FIRST "S[i:b, j:n] = S[i,j-1], X[i,j], L[i,n-1]\noutput Y[i:b, j:n] = X[i,j], S[i,n-1]\n",
    "param b = 2, n = 30\ninput X[b,n]\nL[i:b, j:n] = L[i,j-1], X[i,j], X[1-i,j]\n"
    "S[i:b, j:n] = S[i,j-1], X[i,j], L[i,n-1]\noutput Y[i:b, j:n] = X[1-i,j], S[i,n-1]\n",
    { "L", "S" }, { "S", "Y" }, 6, 210 },
  /* L with S, V with Y */
  { "the order of families",
    "param b = 1, n = 30" FIRST SECOND "S[i:b, j:n] = S[i,j-1], X[i,j], V[i,n-1]\n"
    "output Y[i:b, j:n] = X[i,j], S[i,n-1]\n",
    "param b = 1, n = 30" FIRST SECOND "S[i:b, j:n] = S[i,j-1], X[i,j]\noutput Y[i:b, j:n] = X[i,j], S[i,n-1]\n",
    { "L", "V", "S" }, { "V", NULL, "Y" }, 5, 91 },
};

static int array_named(const cdag *g, const char *name)
{
  for (int x = 0; x < g->arrays; x++)
    if (strcmp(g->array[x].name, name) == 0)
      return x;
  ck_abort_msg("no array %s", name);
}

/* The most that the claim gives, whichever accesses are those of X; 0 when it never holds. */
static long alternating_value(int row, const cdag *g, int64_t m)
{
  long most = 0;
  int n = (int)g->array[array_named(g, "X")].hull.hi[1];
  for (int reads = 0; reads < 12 * 12; reads++) {
    gates_claim c = { .families = 0 };
    for (int k = 0; k < GATES_MOST && alternating[row].gate[k]; k++) {
      const char *use = alternating[row].use[k];
      gate_family *f = &c.family[c.families++];
      *f = (gate_family){ .array = array_named(g, alternating[row].gate[k]), .role = { GATE_KEY, GATE_AT },
                          .at = { 0, n - 1 }, .time = -1, .lag = 1, .alternates = k > 0, .partner = -1,
                          .cut = { -1, 0, 0 } };
      if (use)
        f->use[f->uses++] = (gate_use){ .array = array_named(g, use), .access = k ? reads / 12 : reads % 12 };
    }
    long value = value_of(g, &c, m);
    most = value > most ? value : most;
  }
  return most;
}

/* Gates whose times go two ways do not alternate. */
START_TEST(times_go_one_way)
{
  cdag *g = bound_text_open(ALTERNATING, "t=10,n=100");
  gates_claim c;
  find_claim(g, 50, false, &c);
  ck_assert(c.families == 2 && c.family[1].alternates);
  c.family[1].back = true;
  ck_assert_int_eq(value_of(g, &c, 50), 0);
  cdag_free(g);
}
END_TEST

START_TEST(alternating_hold)
{
  cdag *good = bound_text_open(alternating[_i].good, ""), *bad = bound_text_open(alternating[_i].bad, "");
  long value = alternating_value(_i, good, alternating[_i].m), wrong = alternating_value(_i, bad, alternating[_i].m);
  ck_assert_msg(value > alternating[_i].most && wrong <= alternating[_i].most,
                "%s: %ld where it holds; %ld, and %ld are enough", alternating[_i].what, value, wrong,
                alternating[_i].most);
  cdag_free(good);
  cdag_free(bad);
}
END_TEST

/* ---- claims of gates that take turns: what they say, vertex by vertex ---- */

enum { VERTICES = 400 };
typedef struct {
  const cdag *g;
  const gates_facts *facts;
  const gates_claim *c;
  bool before[VERTICES][VERTICES]; /* the second is an ancestor of the first */
} graph_claim;

typedef struct { graph_claim *x; uint64_t of; } ancestors;

static bool note_ancestor(void *context, const cdag_element *e, int term)
{
  ancestors *a = context;
  uint64_t id = cdag_id(a->x->g, e->array, e->x);
  (void)term;
  if (!a->x->before[a->of][id]) {
    a->x->before[a->of][id] = true;
    cdag_each_predecessor(a->x->g, e->array, e->x, note_ancestor, a);
  }
  return true;
}

static bool in_set(const polyhedra *l, const int64_t *x, int n)
{
  bool in = false;
  for (int i = 0; i < l->n && !in; i++) {
    in = true;
    for (int r = 0; r < l->item[i]->n && in; r++) {
      const constraint *row = &l->item[i]->row[r];
      int64_t sum = row->form.base;
      for (int v = 0; v < n; v++)
        sum += row->form.coef[v] * x[v];
      in = row->equal ? sum == 0 : sum >= 0;
    }
  }
  return in;
}

/* Is z counted, of which gate? */
static bool is_counted(const graph_claim *x, int k, const cdag_element *z, int64_t *key, int *keys)
{
  const gate_family *of = &x->c->family[k];
  int64_t point[2 * CDAG_RANK];
  *keys = 0;
  for (int r = 0; r < x->g->array[of->array].rank; r++)
    if (of->role[r] == GATE_KEY)
      key[(*keys)++] = z->x[of->wait[0].keys.loop[r]] + of->wait[0].keys.offset[r];
  memcpy(point, key, (size_t)*keys * sizeof *key);
  memcpy(&point[*keys], z->x, (size_t)x->g->array[z->array].rank * sizeof *point);
  return z->array == of->wait[0].array &&
         in_set(&x->facts->set[k].set[0].of, point, *keys + x->g->array[z->array].rank);
}

/* Is e an element of the gate with these keys? */
static bool is_of_gate(const graph_claim *x, int k, const cdag_element *e, const int64_t *key)
{
  const gate_family *of = &x->c->family[k];
  bool is = e->array == of->array && !cdag_is_input(x->g, e->array, e->x);
  for (int r = 0, q = 0; r < x->g->array[of->array].rank && is; r++)
    if (of->role[r] == GATE_KEY)
      is = e->x[r] == key[q++];
    else if (of->role[r] == GATE_AT)
      is = e->x[r] == of->at[r] + (of->along[r] < 0   ? -e->x[-of->along[r] - 1]
                                   : of->along[r] > 0 ? e->x[of->along[r] - 1]
                                                      : 0);
  return is;
}

/* The path of z: it begins before all of its gate and ends after one of it, and no element of it was seen. */
static void follow_path(const graph_claim *x, int k, cdag_element e, const int64_t *key, bool *seen)
{
  const gate_wait *w = x->c->family[k].wait;
  uint64_t z = cdag_id(x->g, e.array, e.x), y = z;
  bool after = false;
  for (int l = 0; l < w->links; l++) {
    const access *a = x->facts->f->form.access[w->link[l]];
    cdag_element to = { .array = a->to };
    ck_assert_int_eq(a->from, e.array);
    for (int r = 0; r < x->g->array[a->to].rank; r++) {
      to.x[r] = a->index[r].base;
      for (int v = 0; v < x->g->array[a->from].rank; v++)
        to.x[r] += a->index[r].coef[v] * e.x[v];
    }
    e = to;
    uint64_t next = cdag_id(x->g, e.array, e.x);
    ck_assert(x->before[y][next] && !seen[next] && !cdag_is_input(x->g, e.array, e.x));
    seen[y = next] = true;
  }
  for (uint64_t v = 0; v < x->g->vertices; v++) {
    cdag_element gate;
    cdag_at(x->g, v, &gate);
    if (!is_of_gate(x, k, &gate, key))
      continue;
    ck_assert(x->before[v][y]);
    after = after || x->before[z][v] || z == v;
  }
  ck_assert(after);
}

/* What the gates of one rest give, as the theorem says. */
static int64_t rest_value(graph_claim *x, int rest, int lag, int64_t m)
{
  enum { TIMES = 64 };
  bool seen[VERTICES] = { false };
  int64_t value = 0;
  for (int k = 0; k < x->c->families; k++) {
    const gate_family *of = &x->c->family[k];
    int64_t paths[TIMES] = { 0 };
    for (uint64_t v = 0; v < x->g->vertices; v++) {
      cdag_element z;
      int64_t key[CDAG_RANK];
      int keys;
      cdag_at(x->g, v, &z);
      if (!is_counted(x, k, &z, key, &keys))
        continue;
      int64_t time = z.x[of->wait[0].keys.loop[of->time]] + of->wait[0].keys.offset[of->time];
      ck_assert(keys == 1 && time >= 0 && time < TIMES);
      if (((time - of->phase) % lag + lag) % lag != rest)
        continue;
      follow_path(x, k, z, key, seen);
      paths[time]++;
    }
    for (int time = 0; time < TIMES; time++) {
      int64_t more = 2 * (paths[time] + x->facts->set[k].beside - m);
      value += more > 0 ? more : 0;
    }
  }
  return value;
}

/* Whatever phases, lags and paths a claim says: if it holds, no vertex is on two paths that count together, and the
   gates of the best rest give as much as it is worth. */
START_TEST(turns_in_graphs)
{
  enum { M = 9 };
  support_random r = { (uint64_t)_i + 1 };
  cdag *g = bound_text_open(ADI, "t=5,n=4");
  graph_claim *x = MEM_NEW(graph_claim, 1);
  gates_claim c;
  text reason = { 0 };
  affine_facts f;
  gates_facts facts;
  mpz_t value;
  find_sweeps(true, &c);
  ck_assert(c.families == 4 && c.reading == READ_AS_IT_IS && g->vertices <= VERTICES);
  ck_assert(affine_facts_init(&f, g, c.reading));
  gates_facts_init(&facts, &f);
  mpz_init(value);
  int held = 0, lag = c.family[0].lag;
  *x = (graph_claim){ .g = g, .facts = &facts, .c = &c };
  for (uint64_t v = 0; v < g->vertices; v++) {
    cdag_element e;
    ancestors a = { x, v };
    cdag_at(g, v, &e);
    cdag_each_predecessor(g, e.array, e.x, note_ancestor, &a);
  }
  const gates_claim found = c;
  for (int change = 0; change < 24; change++) {
    if (change > 0) {
      c = found;
      lag = (int)support_between(&r, 1, 4);
      c.families = (int)support_between(&r, 1, 4);
      for (int k = 0; k < c.families; k++) {
        gate_family *of = &c.family[k];
        *of = found.family[support_between(&r, 0, 3)];
        if (support_between(&r, 0, 5) == 0)
          of->wait[0].links = (int)support_between(&r, 1, 3);
        if (support_between(&r, 0, 5) == 0)
          of->wait[0].keys.offset[of->time] += support_between(&r, -1, 1);
      }
    }
    for (int k = 0; k < c.families; k++) {
      gate_family *of = &c.family[k];
      of->lag = lag;
      of->phase = change > 0 ? (int)support_between(&r, 0, lag - 1) : of->phase;
      of->cut = of->twice = (gate_cut){ -1, 0, 0 };
      for (int i = 0; i < 3; i++) /* ends of the smaller computation */
        of->at[i] = of->role[i] == GATE_AT && of->at[i] == 13 ? 3 : of->at[i];
    }
    if (!gates_derive(&facts, &c, &reason) || !gates_value(&facts, &c, M, value, &reason))
      continue;
    int64_t most = 0;
    held++;
    for (int rest = 0; rest < lag; rest++) {
      int64_t is = rest_value(x, rest, lag, M);
      most = is > most ? is : most;
    }
    mpz_sub(value, value, f.inputs);
    mpz_sub(value, value, f.outputs);
    ck_assert_msg(mpz_cmp_si(value, most) <= 0, "seed %d, change %d: %ld, not %ld", _i + 1, change, (long)most,
                  mpz_get_si(value));
    ck_assert(change > 0 || mpz_sgn(value) > 0);
  }
  ck_assert_int_gt(held, 1);
  mpz_clear(value);
  text_clear(&reason);
  gates_facts_clear(&facts);
  affine_facts_clear(&f);
  mem_free(x);
  cdag_free(g);
}
END_TEST

/* The same of words that are used from gate to gate, in orders by chance. */
enum { TURNS_MOST = 64 };
typedef struct {
  const graph_claim *x;
  uint32_t at[VERTICES];       /* of each vertex: its place in the order */
  int64_t first[GATE_FAMILIES][TURNS_MOST]; /* the gate's first element there; -1: there is no such gate */
  int64_t words[GATE_FAMILIES][TURNS_MOST]; /* that count */
} ordered_claim;

static void find_firsts(ordered_claim *o)
{
  const graph_claim *x = o->x;
  for (int k = 0; k < x->c->families; k++)
    for (int64_t time = 0; time < TURNS_MOST; time++) {
      o->first[k][time] = -1;
      o->words[k][time] = 0;
      for (uint64_t v = 0; v < x->g->vertices; v++) {
        cdag_element e;
        cdag_at(x->g, v, &e);
        if (is_of_gate(x, k, &e, &time) && (o->first[k][time] < 0 || o->at[v] < o->first[k][time]))
          o->first[k][time] = o->at[v];
      }
    }
}

/* Where the next gate of those that count with this one stands; the end, when there is none. */
static int64_t next_first(const ordered_claim *o, int k, int64_t time)
{
  const gate_family *of = o->x->c->family;
  int families = o->x->c->families, lag = of[0].lag;
  for (int n = 1; n <= 2 * families * TURNS_MOST; n++) {
    int q = (k + n) % families;
    int64_t then = time - of[k].phase + of[q].phase + (int64_t)((k + n) / families) * lag;
    if (then >= 0 && then < TURNS_MOST && o->first[q][then] >= 0)
      return o->first[q][then];
  }
  return INT64_MAX;
}

/* Each word that counts at a gate is used before the next one. */
static void see_words(ordered_claim *o)
{
  const graph_claim *x = o->x;
  const words *w = &x->facts->f->words;
  find_firsts(o);
  for (int k = 0; k < x->c->families; k++) {
    const gate_family *of = &x->c->family[k];
    for (uint64_t v = 0; v < x->g->vertices; v++) {
      cdag_element b;
      linear own[CDAG_RANK], label[LABELS_MOST];
      int64_t point[1 + LABELS_MOST];
      cdag_at(x->g, v, &b);
      if (b.array != of->use[0].array || cdag_is_input(x->g, b.array, b.x))
        continue;
      int rank = x->g->array[b.array].rank;
      linear_variables(own, rank, 0);
      int labels = words_label_of(w, b.array, own, label);
      point[0] = b.x[of->use[0].keys.loop[of->time]] + of->use[0].keys.offset[of->time];
      for (int l = 0; l < labels; l++) {
        point[1 + l] = label[l].base;
        for (int r = 0; r < rank; r++)
          point[1 + l] += label[l].coef[r] * b.x[r];
      }
      if (!in_set(&x->facts->set[k].set[0].of, point, 1 + labels))
        continue;
      ck_assert(point[0] >= 0 && point[0] < TURNS_MOST && o->first[k][point[0]] >= 0);
      ck_assert(o->at[v] >= o->first[k][point[0]] && o->at[v] < next_first(o, k, point[0]));
      o->words[k][point[0]]++;
    }
  }
}

static int64_t best_rest(const ordered_claim *o, int64_t m)
{
  int64_t best = 0;
  int lag = o->x->c->family[0].lag;
  for (int rest = 0; rest < lag; rest++) {
    int64_t sum = 0;
    for (int k = 0; k < o->x->c->families; k++)
      for (int64_t time = 0; time < TURNS_MOST; time++) {
        int64_t more = o->words[k][time] + o->x->facts->set[k].beside - m;
        if (more > 0 && ((time - o->x->c->family[k].phase) % lag + lag) % lag == rest)
          sum += more;
      }
    best = sum > best ? sum : best;
  }
  return best;
}

START_TEST(turns_in_orders)
{
  enum { M = 9, ORDERS = 6 };
  support_random r = { (uint64_t)_i + 1 };
  cdag *g = bound_text_open(ADI, "t=5,n=4");
  cdag_graph e = { 0 };
  diag d = { 0 };
  ordered_claim *o = MEM_NEW(ordered_claim, 1);
  gates_claim c;
  text reason = { 0 };
  affine_facts f;
  gates_facts facts;
  mpz_t value;
  uint32_t order[VERTICES];
  find_sweeps(false, &c);
  ck_assert(c.families == 4 && c.family[3].alternates && c.reading == READ_AS_IT_IS && g->vertices <= VERTICES);
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  ck_assert(affine_facts_init(&f, g, c.reading));
  gates_facts_init(&facts, &f);
  mpz_init(value);
  graph_claim x = { .g = g, .facts = &facts, .c = &c };
  o->x = &x;
  const gates_claim found = c;
  int held = 0;
  for (int change = 0; change < 24; change++) {
    c = found;
    for (int k = 0; k < c.families; k++) {
      gate_family *of = &c.family[k];
      of->cut = (gate_cut){ -1, 0, 0 };
      for (int i = 0; i < 3; i++) /* ends of the smaller computation */
        of->at[i] = of->role[i] == GATE_AT && of->at[i] == 13 ? 3 : of->at[i];
      if (change == 0)
        continue;
      if (support_between(&r, 0, 3) == 0)
        *of = c.family[support_between(&r, 0, k)];
      if (support_between(&r, 0, 3) == 0)
        of->phase += (int)support_between(&r, of->phase > 0 ? -1 : 0, 1);
      of->alternates = k > 0;
    }
    if (change > 0) {
      c.families = (int)support_between(&r, 1, 4);
      for (int k = 0, lag = (int)support_between(&r, 1, 4); k < c.families; k++)
        c.family[k].lag = lag;
    }
    if (!gates_derive(&facts, &c, &reason) || !gates_value(&facts, &c, M, value, &reason))
      continue;
    mpz_sub(value, value, f.inputs);
    mpz_sub(value, value, f.outputs);
    ck_assert(change > 0 || mpz_sgn(value) > 0);
    held += mpz_sgn(value) > 0;
    for (uint64_t seed = 0; seed < ORDERS; seed++) {
      support_one_shot_order(&e, seed + (uint64_t)_i, order);
      for (uint32_t n = 0; n < e.n; n++)
        o->at[order[n]] = n;
      see_words(o);
      ck_assert_msg(mpz_cmp_si(value, best_rest(o, M)) <= 0, "seed %d, change %d: %ld, not %ld", _i + 1, change,
                    (long)best_rest(o, M), mpz_get_si(value));
    }
  }
  ck_assert_int_gt(held, 1);
  mpz_clear(value);
  text_clear(&reason);
  gates_facts_clear(&facts);
  affine_facts_clear(&f);
  mem_free(o);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

/* ---- claims of paths that end in chains ---- */

/* Keeping `rows` rows from column to column; what is put out is the last element of each chain. */
#define PLAY(PARAMS, KEPT, ELSE, BEHIND)                                                                               \
  "param r = " PARAMS "\nfor j in m {\n  for i in n {\n    load B[i,j,0]\n    compute C[i,j]\n    drop B[i,j,0]\n"    \
  "    compute X[j,i]\n    drop X[j,i-1]\n    if (i >= r) {\n      store C[i,j]\n      drop C[i,j]\n    }\n"      \
  "  }\n  for i in r {\n    compute W[i,j] dropping C, W\n" KEPT "  }\n" ELSE "}\n" BEHIND
/* A claim of the good text, and one like it of a text in which it is false: the sums go down the columns. */
static const struct { const char *text, *play; uint64_t m; bool holds;
} chain_text[] = {
  { CHAINS,
    PLAY("(M - 4) / 2", "    if (j == m - 1) {\n      store W[i,j]\n      drop W[i,j]\n    }\n",
         "  store X[j,n-1]\n  drop X[j,n-1]\n",
         "load X[*,n-1]\nfor i in r..n {\n  for j in m {\n    load C[i,j]\n    compute W[i,j] dropping C, W\n  }\n"
         "  store W[i,m-1]\n  drop W[i,m-1]\n}\n"),
    60, true },
  { CHAINS_ALONG("i-1,j", "n-1,*"),
    PLAY("M - 3", "",
         "  for i in r..n {\n    load C[i,j]\n    compute W[i,j] dropping C, W\n  }\n  store W[n-1,j]\n"
         "  drop W[n-1,j], X[j,n-1]\n",
         ""),
    38, false },
};

START_TEST(chains_end)
{
  enum { ACCESSES = 8 };
  cdag *good = bound_text_open(CHAINS, "n=40,m=40"), *g = bound_text_open(chain_text[_i].text, "n=40,m=40");
  uint64_t m = chain_text[_i].m;
  pebble_rules rules = { .m = m, .one_shot = true };
  pebble_verdict v;
  gates_claim c;
  text why = { 0 };
  find_claim(good, 60, true, &c);
  ck_assert(c.families == 1 && c.family[0].chained > 0);
  ck_assert_msg(support_plays(g, &rules, chain_text[_i].play, PEBBLE_BY_ELEMENT, &v, &why), "%s", text_str(&why));
  long most = 0;
  for (int by = 0; by <= ACCESSES; by++)
    for (int link = 0; link < ACCESSES; link++) {
      gates_claim x = c;
      x.family[0].chained = by;
      x.family[0].wait[0].link[0] = link;
      x.family[0].cut = x.family[0].twice = (gate_cut){ -1, 0, 0 };
      long value = value_in("gates-one-shot", g, &x, (int64_t)m);
      ck_assert_msg(value <= (long)v.loads + (long)v.stores, "access %d: %ld, and %ld are enough", by - 1, value,
                    (long)v.loads + (long)v.stores);
      most = by > 0 && value > most ? value : most;
    }
  ck_assert(chain_text[_i].holds == (most > 40 * 40 + 40));
  ck_assert(!chain_text[_i].holds || (double)most > .9 * (double)(v.loads + v.stores));
  text_clear(&why);
  cdag_free(good);
  cdag_free(g);
}
END_TEST

/* Gates Z[k,k]: one place on or back, elsewhere, or beside an index that is no key the claim
   does not hold, or is worth inputs and outputs alone. */
START_TEST(diagonals_hold)
{
  enum { DIAGONAL_M = 100 };
  cdag *g = bound_text_open(DIAGONAL, "n=200");
  gates_claim c, x;
  find_claim(g, DIAGONAL_M, true, &c);
  int time = c.family[0].time, other = 1 - time;
  ck_assert(c.families >= 1 && time >= 0 && c.family[0].along[other] == time + 1 && c.family[0].at[other] == 0);
  long value = value_in("gates-one-shot", g, &c, DIAGONAL_M);
  ck_assert_int_gt(value, 0);
  for (int change = 0; change < 6; change++) {
    x = c;
    gate_family *of = &x.family[0];
    of->at[other] += change == 0 ? -1 : change == 1;
    const int along[] = { time + 1, time + 1, -time - 1, 0, other + 1, 3 };
    of->along[other] = along[change];
    long changed = value_in("gates-one-shot", g, &x, DIAGONAL_M);
    ck_assert_msg(changed <= 2 * 200, "change %d: %ld of %ld", change, changed, value);
  }
  cdag_free(g);
}
END_TEST

/* ---- claims of rows and columns ---- */

/* The claim that is found holds; with an end of the cells further out, the direction turned, rows read as columns, one
 * word for both, or one segment more it does not.  Nor does it of a product, whose cells wait for nothing: there blocks
 * move less. */
START_TEST(cells_hold)
{
  enum { SPLIT_M = 300 };
  cdag *g = bound_text_open(SPLITS, "n=100");
  cdag *product = bound_text_open("param n\ninput A[n,n]\nD[i:n, j:n, k:n] = D[i,j,k-1], A[i,k], A[k,j]\noutput "
                                  "D[*,*,n-1]\n", "n=100");
  gates_claim c, x;
  find_claim(g, SPLIT_M, false, &c);
  ck_assert(c.cells.least > 0);
  gate_family *of = &x.family[0];
  cdag *begun = bound_text_open(PRODUCTS, "n=100"); /* whose words begin with computed elements */
  find_claim(begun, SPLIT_M, true, &x);
  ck_assert(x.cells.least > 0 && x.cells.once);
  ck_assert(value_in("gates", begun, &x, SPLIT_M) == 0);
  x.cells.once = false;
  ck_assert(value_in("gates-one-shot", begun, &x, SPLIT_M) == 0);
  cdag_free(begun);
  for (int change = 0; change < 9; change++) {
    x = c;
    if (change == 0)
      x.cells.lo[2]--;
    else if (change == 1)
      x.cells.hi[2]++;
    else if (change == 2)
      of->back = !of->back;
    else if (change == 3) {
      of->use[0].access = c.family[0].use[1].access;
      of->use[1].access = c.family[0].use[0].access;
    } else if (change < 6)
      of->use[change - 4].access = of->use[5 - change].access;
    else if (change == 6)
      of->uses = 1;
    else if (change == 7)
      of->segments *= 2;
    else
      x.cells.cap = 2 * c.cells.cap + 100; /* each step costs more at the ends of segments */
    ck_assert_msg(value_of(g, &x, SPLIT_M) == 0, "change %d", change);
  }
  for (int way = 0; way < 2 * 64; way++) {
    x = c;
    x.owns = 1;
    x.own[0] = 0;
    x.cells.lo[0] = x.cells.lo[1] = x.cells.hi[0] = x.cells.hi[1] = x.cells.lo[2] = 0;
    x.cells.hi[2] = 149;
    x.cells.least = x.cells.cap = 150;
    of->array = array_named(product, "D");
    of->back = way & 1;
    for (int k = 0; k < 2; k++)
      of->use[k] = (gate_use){ .array = of->array, .access = way / 2 / (k ? 8 : 1) % 8, .keys = of->use[k].keys };
    ck_assert_msg(value_of(product, &x, SPLIT_M) == 0, "product, way %d", way);
  }
  cdag_free(g);
  cdag_free(product);
}
END_TEST

/* Are two cells of one column under way at once, when the elements are computed in this order? */
static bool two_at_once(const cdag *g, const cdag_graph *e, const gates_claim *c, const uint32_t *order)
{
  enum { SIDE = 64 };
  const gate_family *of = &c->family[0];
  int row = of->time, column = of->role[0] == GATE_KEY && row != 0 ? 0 : of->role[1] == GATE_KEY && row != 1 ? 1 : 2,
      third = 3 - row - column;
  int64_t left[SIDE] = { 0 }, at[SIDE] = { 0 };
  for (uint32_t n = 0; n < e->n; n++) {
    cdag_element x;
    cdag_at(g, order[n], &x);
    if (x.array != of->array)
      continue;
    int64_t r = x.x[row], k = x.x[column], lo = c->cells.lo[0] * r + c->cells.lo[1] * k + c->cells.lo[2],
            hi = c->cells.hi[0] * r + c->cells.hi[1] * k + c->cells.hi[2];
    if (hi - lo + 1 < c->cells.least || x.x[third] < lo || x.x[third] > hi)
      continue;
    ck_assert(k >= 0 && k < SIDE);
    if (left[k] > 0 && at[k] != r)
      return true;
    if (left[k] == 0)
      left[k] = hi - lo + 1;
    at[k] = r;
    left[k]--;
  }
  return false;
}

/* In any stretch of an order of HALF_OPEN by chance: what its steps are worth, against the words that they read. */
enum { SIDE = 14, SPLITS_OF_ALL = (SIDE + 1) * SIDE * (SIDE - 1) / 6 };
typedef struct { int i, k, j; } split;

/* A few steps of one column, then of another; when rows are ordered, too, a cell waits for the one before it in its
 * row. */
static void order_splits(uint64_t seed, bool rows, split *order)
{
  support_random r = { seed };
  int done[SIDE + 1][SIDE + 1] = { { 0 } }, at[SIDE + 1];
  for (int j = 0; j <= SIDE; j++)
    at[j] = j - 2;               /* the cell of column j that is under way */
  for (int n = 0; n < SPLITS_OF_ALL;) {
    int j = 2 + (int)(support_next(&r) % (SIDE - 1)), more = 1 + (int)(support_next(&r) % (1 + seed % 3 * SIDE));
    for (int k; more > 0 && at[j] >= 0; more--) {
      int i = at[j];
      k = i + 1 + done[i][j];
      if (done[i][k] < k - i - 1 || done[k][j] < j - k - 1 || (rows && done[i][j - 1] < j - i - 2))
        break;
      order[n++] = (split){ i, k, j };
      at[j] -= ++done[i][j] == j - i - 1;
    }
  }
}

START_TEST(stretches)
{
  gate_cells p = { .least = 1 + _i % 5, .cap = 1 + _i % 5 + _i % 7, .chained = _i % 3 > 0, .ordered = _i % 3 == 2 };
  split order[SPLITS_OF_ALL];
  mpz_t x, most;
  mpz_inits(x, most, NULL);
  order_splits((uint64_t)_i + 1, p.ordered, order);
  for (int from = 0; from < SPLITS_OF_ALL; from++) {
    bool word[SIDE + 1][SIDE + 1] = { { false } };
    int64_t seen = 0, worth = 0;
    for (int to = from; to < SPLITS_OF_ALL; to++) {
      split at = order[to];
      int64_t length = at.j - at.i - 1;
      if (length < p.least)
        continue;
      seen += !word[at.i][at.k];
      word[at.i][at.k] = true;
      seen += !word[at.k][at.j];
      word[at.k][at.j] = true;
      worth += length - p.ordered < p.cap ? length - p.ordered : p.cap;
      mpz_set_si(x, seen);
      cells_most(&p, x, most);
      ck_assert_msg(mpz_cmp_si(most, worth) >= 0, "seed %d, from %d to %d", _i + 1, from, to);
    }
  }
  mpz_clears(x, most, NULL);
}
END_TEST

/* What Theorem 16 asks of a claim, seen in orders by chance: one cell of a column is under way.  Where rows have no
 * order, a claim with rows for columns does not hold, and there are two. */
static const struct { const char *text; bool both_ways, once; } ordered[] = {
  { SPLITS, true, false }, { HALF_OPEN, false, false }, { LEFT_OUT, false, false }, { PRODUCTS, false, true },
};

START_TEST(one_cell_at_a_time)
{
  /* steps of the last column, which nothing comes after, are 780 at most, those of all cells 9,000 and more; between
     these is what 40 words can do, 880 */
  enum { SIZE_M = 32, ORDERS = 5, WORDS = 40 };
  cdag *g = bound_text_open(ordered[_i].text, "n=40");
  cdag_graph e = { 0 };
  diag d = { 0 };
  gates_claim c;
  find_claim(g, SIZE_M, ordered[_i].once, &c);
  ck_assert(c.cells.least > 0 && c.cells.once == ordered[_i].once);
  const char *theorem = c.cells.once ? "gates-one-shot" : "gates";
  ck_assert_int_eq(cdag_materialise(g, 0, &e, &d), OK);
  uint32_t *order = MEM_NEW(uint32_t, e.n);
  uint64_t value = (uint64_t)value_in(theorem, g, &c, SIZE_M);
  gate_family *of = &c.family[0];
  c.families = 1;
  c.cells.ordered = false;
  of->segments = 1;
  of->first = WORDS;
  of->length = 0;
  c.cells.least = c.cells.cap = 2;
  for (int turned = 0; turned < 2; turned++) {
    if (turned) { /* the row is the class, the column the time */
      gate_use use = of->use[0];
      int row = of->time, column = 0;
      int64_t lo = c.cells.lo[0], hi = c.cells.hi[0];
      while (of->role[column] != GATE_KEY || column == row)
        column++;
      of->use[0] = of->use[1];
      of->use[1] = use;
      of->time = column;
      c.cells.lo[0] = c.cells.lo[1];
      c.cells.lo[1] = lo;
      c.cells.hi[0] = c.cells.hi[1];
      c.cells.hi[1] = hi;
    }
    bool holds = false, two = false;
    for (int back = 0; back < 2; back++) {
      of->back = back;
      holds = holds || value_in(theorem, g, &c, SIZE_M) != 0; /* births are taken off */
    }
    for (uint64_t seed = 0; seed < ORDERS; seed++) {
      support_one_shot_order(&e, seed, order);
      ck_assert_uint_ge(support_one_shot_io(&e, SIZE_M, order), value);
      two = two || two_at_once(g, &e, &c, order);
    }
    ck_assert_msg(holds == !two && holds == (!turned || ordered[_i].both_ways), "%s, turned %d: holds %d, two %d",
                  ordered[_i].text, turned, holds, two);
  }
  mem_free(order);
  cdag_graph_clear(&e);
  cdag_free(g);
}
END_TEST

/* Where splits are counted in every other cell only, a cell may have two splits more than the one before it. */
START_TEST(cells_lie_together)
{
  enum { SIZE_M = 32 };
  static const char *const apart[] = { "(i+j) % 2 == 0", "(i+2*j) % 3 == 0", "(i+j) % 3 == 1" };
  cdag *g = bound_text_open(SPLITS, "n=40");
  gates_claim c;
  find_claim(g, SIZE_M, false, &c);
  ck_assert(c.cells.ordered && c.families == 2);
  char source[800];
  snprintf(source, sizeof source,
           "param n = 5\ninput T[i:n, j:i..n]\nP[i:n, j:i..n] = T[i,j], D[i,j-1,j-2], P[i,j-1] if j == i+1\n"
           "Q[i:n, j:i+1..n] = P[i,j], D[i+1,j,j-1], P[i+1,j] if j == i+1\nD[i:n, j:i+1..n, k:i..j] = D[i,j,k-1], "
           "Q[i,j] if k == i, D[i,k,k-1] if %s, D[k+1,j,j-1] if %s\noutput D[i:n, j:i+1..n, j-1]\n",
           apart[_i], apart[_i]);
  cdag *other = bound_text_open(source, "n=40");
  c.family[0].segments = 1;
  c.family[0].first = 40;
  c.family[0].length = 0;
  ck_assert_int_gt(value_in("gates", g, &c, SIZE_M), 0);
  ck_assert_int_eq(value_in("gates", other, &c, SIZE_M), 0);
  c.cells.ordered = false; /* columns in order alone need no neighbours */
  c.families = 1;
  ck_assert_int_gt(value_in("gates", other, &c, SIZE_M), 0);
  cdag_free(other);
  cdag_free(g);
}
END_TEST

/* ---- claims of stays ---- */

/* The claim that is found holds; with a step worth more, a word that costs less, other reads, another partner, or
 * stores counted where they may not be, it does not. */
START_TEST(stays_hold)
{
  enum { STAYS_M = 300, ACCESSES = 12 };
  cdag *g = bound_text_open(GRAM, "m=100,n=60");
  gates_claim c, x;
  find_claim(g, STAYS_M, false, &c);
  ck_assert(c.stays.scale > 0 && !c.stays.stores);
  for (int change = 0; change < 4 + 4 * ACCESSES; change++) {
    x = c;
    if (change == 0)
      x.stays.step += x.stays.step / 20;
    else if (change == 1)
      x.stays.word -= x.stays.word / 10;
    else if (change == 2)
      x.stays.scale -= x.stays.scale / 20;
    else if (change == 3)
      x.stays.stores = 1;
    else {
      int k = (change - 4) / ACCESSES, to = (change - 4) % ACCESSES,
          *of = k == 0 ? &x.stays.own : k == 3 ? &x.family[0].partner : &x.stays.read[k - 1];
      if (*of == to || !support_sampled(change))
        continue;
      *of = to;
    }
    ck_assert_msg(value_of(g, &x, STAYS_M) == 0, "change %d", change);
  }
  cdag_free(g);
}
END_TEST

/* Texts with no such claim, whatever it names: sums that read nothing of the other column; a column that is read as it
 * was and goes on, but for the level at which none of it counts. */
static const char *const no_stays[] = { COLUMN("", LAST), COLUMN(", " EARLY, EARLY) };

START_TEST(stays_fail)
{
  enum { STAYS_M = 100, ACCESSES = 10, ONE_LEVEL = 40 * 17 + 40 }; /* steps, outputs */
  cdag *good = bound_text_open(COLUMN(", " LAST, LAST), "m=40,n=20"), *bad = bound_text_open(no_stays[_i], "m=40,n=20");
  gates_claim c;
  find_claim(good, STAYS_M, false, &c);
  ck_assert(c.stays.scale > 0);
  for (int n = 0; n < ACCESSES * ACCESSES; n++) {
    gates_claim x = c;
    x.stays.read[1] = n / ACCESSES;
    x.family[0].partner = n % ACCESSES;
    if (x.stays.read[1] != c.stays.read[1] && x.family[0].partner != c.family[0].partner && !support_sampled(n))
      continue;
    ck_assert_int_le(value_of(bad, &x, STAYS_M), ONE_LEVEL);
  }
  ck_assert_int_gt(value_of(good, &c, STAYS_M), ONE_LEVEL);
  cdag_free(good);
  cdag_free(bad);
}
END_TEST

/* ---- texts near these, against plays ---- */

static const char *const texts[] = { ATAX,   DERICHE, DURBIN, GRAM,        ADI,   SOFTMAX, BOTH,
                                     PASSES, POWERS,  NORM,   ALTERNATING, SPLITS, COLUMNS,
                                     HALF_OPEN, LEFT_OUT, CHAINS, PRODUCTS, DIAGONAL };
static const char *const pieces[] = { "i",     "j",   "k",   "0",   "1",   "2",   "n",        "m", "i+1",
                                      "j-1",   "j+1", "n-1", "m-1", "j/2", "j%2", "min(i,j)", "*", "0..2",
                                      "n-1-j", "s",   "T",   "A",   "L",   "X",   "S", "i..n", "D", "k-1" };

static bool least_cost(const cdag_graph *e, pebble_rules rules, uint64_t *cost)
{
  diag d = { 0 };
  pebble_optimal_limits limits = { .seconds = .005, .bytes = 50 << 20 };
  pebble_optimum o = { 0 };
  bool found =
      rules.m >= pebble_least_memory(e, &rules) && pebble_optimal(e, &rules, &limits, &o, &d) <= GAVE_UP && o.possible;
  *cost = found ? o.upper : 0;
  pebble_optimum_clear(&o);
  return found;
}

/* What plays cost in the four games: placing and sliding, with recomputation, then without. */
typedef struct {
  bool played[4];
  uint64_t cost[4];
} costs;

static void costs_of(const cdag_graph *e, uint64_t m, costs *c)
{
  for (int game = 0; game < 4; game++)
    c->played[game] =
        least_cost(e, (pebble_rules){ game & 1 ? PEBBLE_SLIDING : PEBBLE_PLACING, game & 2, m }, &c->cost[game]);
}

/* The claim, if it holds, is no more than what a play costs in each of its games. */
static void check_claim(const char *theorem, const cdag *g, const costs *plays, uint64_t m, const char *parameters,
                        bool must, const char *what)
{
  json_value v;
  diag d = { 0 };
  text reason = { 0 };
  mpz_t value;
  mpz_init(value);
  ck_assert_int_eq(json_read(&v, parameters, strlen(parameters), "claim", &d), OK);
  bound_claim c = { theorem, g, (int64_t)m, &v, 0 };
  bool once = strcmp(theorem, "gates") != 0, holds = bound_checker_find(theorem)->check(&c, value, &reason);
  ck_assert_msg(holds || (!must && reason.n > 0), "%s: %s\n%s", theorem, text_str(&reason), what);
  for (int game = 0; game < 4 && holds; game++)
    if (plays->played[game] && (game & 2 || !once))
      ck_assert_msg(mpz_cmp_ui(value, plays->cost[game]) <= 0, "M=%lu, game %d: %s gives %ld, a play costs %lu: %s\n%s",
                    (unsigned long)m, game, theorem, mpz_get_si(value), (unsigned long)plays->cost[game], parameters,
                    what);
  mpz_clear(value);
  text_clear(&reason);
  json_value_clear(&v);
}

START_TEST(against_plays)
{
  support_random r = { (uint64_t)_i + 5 };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  text t = { 0 };
  diag d = { 0 };
  bound_list list = { 0 };
  text_add(&t, texts[_i % COUNT(texts)]);
  for (int64_t times = support_between(&r, _i < COUNT(texts) ? 0 : 1, 3); times > 0; times--)
    support_change_word(&r, pieces, COUNT(pieces), &t);
  uint64_t m = (uint64_t)support_between(&r, 3, 5);
  if (cdag_parse(&g, "near", t.s, _i % 2 && texts[_i % COUNT(texts)] == texts[3] ? "m=2,n=4" : "", &d) == OK &&
      g->vertices < 70 && cdag_materialise(g, 100, &e, &d) == OK) {
    costs plays = { 0 };
    gates_of(g, m, &list);
    if (list.n)
      costs_of(&e, m, &plays);
    for (size_t i = 0; i < list.n; i++) {
      const char *parameters = text_str(&list.item[i].parameters);
      check_claim(list.item[i].name, g, &plays, m, parameters, true, t.s);
      for (int k = (int)support_between(&r, 0, 3); k < 200; k += 4) {
        text changed = { 0 };
        if (bound_claim_alter(parameters, k, &changed))
          check_claim(list.item[i].name, g, &plays, m, text_str(&changed), false, t.s);
        text_clear(&changed);
      }
    }
  }
  bound_list_clear(&list);
  cdag_graph_clear(&e);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

/* ---- rows from both ends ---- */

#define ENDS(X, I, G, F)                                                                                               \
  "param b = 2, n = 30\ninput X[" X "]\n" F "f[i:b, j:n] = f[i,j-1], X[" I "]\ng[i:b, j:n] = g[i,j" G "], X[" I "]\n" \
  "output Y[i:b, j:n] = f[i,j], g[i,j]\n"
/* A claim of two rows from both ends, and texts like them for which it is false; so many words are enough there. */
static const struct { const char *what, *text; long most;
} no_forks[] = {
  { "both upwards", ENDS("b,n", "i,j", "-1", ""), 120 },
  { "what waits is put out", ENDS("b,n", "i,j", "+1", "output "), 2 * (30 + 30 + 30 + 30 + 30) },
  { "rows of one input", ENDS("n", "j", "+1", ""), 30 + 60 + 30 + 60 + 60 },
};

START_TEST(forks_fail)
{
  enum { M = 5 };
  cdag *good = bound_text_open(ENDS("b,n", "i,j", "+1", ""), ""), *bad = bound_text_open(no_forks[_i].text, "");
  gates_claim c;
  find_claim(good, M, true, &c);
  ck_assert_int_eq(value_in("gates-one-shot", good, &c, M), 120 + 2 * (3 * 29 - 2 * (M - 1)));
  ck_assert_int_le(value_in("gates-one-shot", bad, &c, M), no_forks[_i].most);
  cdag_free(good);
  cdag_free(bad);
}
END_TEST

/* In many ways, against plays. */

/* A sum along the row, upwards or downwards, now and then not whole. */
static void add_sum(support_random *r, const char *name, bool down, text *t)
{
  int64_t step = support_between(r, 0, 5) ? 1 : 2;
  text_printf(t, "%s[i:b, j:n] = %s[i,j%c%ld]", name, name, down ? '+' : '-', (long)step);
  if (support_between(r, 0, 3) == 0)
    text_printf(t, " if j != %ld", (long)support_between(r, 0, 3));
  text_printf(t, ", X[%s,j%+ld]", support_between(r, 0, 5) ? "i" : "0", (long)support_between(r, 0, 2));
  if (support_between(r, 0, 5) == 0)
    text_add(t, strcmp(name, "f") ? ", f[i,j]" : ", X[i,0]");
  text_add(t, "\n");
}

static void add_rows(support_random *r, text *t)
{
  text_printf(t, "param b = %ld, n = %ld\ninput X[b,n+2]\n", (long)support_between(r, 1, 2),
              (long)support_between(r, 3, 5));
  add_sum(r, "f", support_between(r, 0, 7) == 0, t);
  add_sum(r, "g", support_between(r, 0, 7) != 0, t);
  text_printf(t, "output Y[i:b, j:n] = f[i,j%+ld], g[i,j%+ld]", (long)support_between(r, -1, 1) / 2,
              (long)support_between(r, -1, 1));
  if (support_between(r, 0, 3) == 0)
    text_printf(t, ", Y[i,j-1]%s", support_between(r, 0, 1) ? " if j != 2" : "");
  text_add(t, "\n");
}

START_TEST(both_ends)
{
  support_random r = { (uint64_t)_i + 11 };
  cdag *g = NULL;
  cdag_graph e = { 0 };
  text t = { 0 };
  diag d = { 0 };
  bound_list list = { 0 };
  add_rows(&r, &t);
  uint64_t m = (uint64_t)support_between(&r, 3, 4);
  ck_assert_msg(cdag_parse(&g, "rows", t.s, "", &d) == OK, "seed %d: %s\n%s", _i, d.message, t.s);
  if (cdag_materialise(g, 100, &e, &d) == OK) {
    costs plays = { 0 };
    gates_of(g, m, &list);
    if (list.n)
      costs_of(&e, m, &plays);
    for (size_t i = 0; i < list.n; i++)
      check_claim(list.item[i].name, g, &plays, m, text_str(&list.item[i].parameters), true, t.s);
  }
  bound_list_clear(&list);
  cdag_graph_clear(&e);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("gates");
  TCase *t = support_case(s, "gates");
  tcase_add_loop_test(t, values, 0, COUNT(known));
  tcase_add_loop_test(t, near_misses, 0, COUNT(misses));
  tcase_add_test(t, times_go_one_way);
  tcase_add_loop_test(t, alternating_hold, 0, COUNT(alternating));
  tcase_add_loop_test(t, chains_end, 0, COUNT(chain_text));
  tcase_add_loop_test(t, turns_in_graphs, 0, support_rounds(4));
  tcase_add_loop_test(t, turns_in_orders, 0, support_rounds(4));
  tcase_add_test(t, diagonals_hold);
  tcase_add_test(t, cells_hold);
  tcase_add_loop_test(t, cells_lie_together, 0, 3);
  tcase_add_loop_test(t, stretches, 0, support_rounds(40));
  tcase_add_loop_test(t, one_cell_at_a_time, 0, COUNT(ordered));
  tcase_add_test(t, stays_hold);
  tcase_add_loop_test(t, stays_fail, 0, COUNT(no_stays));
  tcase_add_loop_test(t, forks_fail, 0, COUNT(no_forks));
  tcase_add_loop_test(t, both_ends, 0, support_rounds(60));
  tcase_add_loop_test(t, against_plays, 0, support_rounds(2 * COUNT(texts)));
  return support_run(s);
}
