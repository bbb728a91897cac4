/* Statements that read one another in a circle (factorisations, solvers, closures), and what is joined with them: by
   tiles of their results, each in a legal order, and no more is moved than a hand would. */
#include "schedules/tiler/find.h"
#include "tests/support_found.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Circles of statements: each gets a schedule, in a legal order. */
static const char *const circles[] = {
  "param n = 9\ninput A[n,n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
  "output L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n, j:i..n, i-1]\n",
  "param n = 6\ninput P[s:n+1, i:n, j:n] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], P[s-1+(s-1<i),s-1,j]\noutput P[n,*,*]\n",
  "param t = 4, n = 9\ninput B[s:t+1, i:n] = B[s-1,i-1], B[s-1,i], B[s-1,i+1]\noutput B[t,*]\n",
  "param n = 9\ninput L[i:n, j:i+1], b[n,1]\nX[i:n, j:i] = X[i,j-1], b[i,j], L[i,j], x[j]\noutput x[i:n] = X[i,i-1], "
  "b[i,i], L[i,i]\n",
  "param n = 9\ninput A[k:n, i:k], B[n,n]\nS[i:n, j:n, k:i+1..n] = S[i,j,k-1], B[i+n*(k-i-1),j], A[k,i], B[k,j]\n"
  "output X[i:n, j:n] = S[i,j,n-1], B[i+n*(n-1-i),j]\n",
  "param n = 9\ninput a[n]\nf[i:n] = f[i+1], a[i]\noutput g[i:n] = f[i], g[i-1], g[i-2]\n",
  "param n = 4, t = 3\ninput A[n,n], x[n]\nY[s:t, i:n] = sum j:n { A[i,j], Y[s-1,j], x[j] if s == 0 }\n"
  "output Y[t-1,*]\n",
  "param n = 5, t = 3\ninput Z[n,n]\nA[s:t, i:n, j:n] = A[s-1,i-1..i+2,j], Z[i-1..i+2,j] if s == 0, "
  "A[s,i,j-1] if j > 1\noutput A[t-1,*,*]\n",
  "param n = 6\ninput X[n,n], Y[n]\nS[i:n, j:n] = X[i,j] if j <= i, X[j,i] if j > i && i > 0, Y[j] if i == 0 || "
  "i == n-1, S[i,j-1]\noutput T[i:n] = S[i,n-1], X[i,i], X[i,0], T[i-1] if i != 3\n",
};

/* Factorisations and solvers, as texts spell them: by tiles of a x a results an update moves 2/a words, and each word
   of a result or of an input three at most; n^3/2 updates are the most. */
static const char *const factorisations[] = {
  "param n\ninput A[n,n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
  "output L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n, j:i..n, i-1]\n",
  "param n\ninput A[n,n]\nS[i:n, j:n, k:min(i,j)] = S[i,j,k-1], L[i,k], U[k,j]\n"
  "output U[i:n, j:i..n] = A[i,j], S[i,j,i-1]\n"
  "output L[i:n, j:i] = A[i,j], S[i,j,j-1], U[j,j]\n",
  "param n\ninput A[n,n]\nV[k:n, i:k..n, j:k..n] = A[i+n*k,j], V[k-1,i,j], L[i,k-1], V[k-1,k-1,j]\n"
  "output L[i:n, k:i] = V[k,i,k], V[k,k,k]\noutput V[k:n,k,k..n]\n",
  "param n\ninput A[n,n+1]\nV[i:n, j:n+1, k:min(i,j)+1] = A[i,j] if k == 0, V[i,j,k-1], F[i,k-1], V[k-1,j,k-1]\n"
  "F[i:n, k:i] = V[i,k,k], V[k,k,k]\noutput V[i:n, j:i..n+1, i]\n",
  "param n\ninput A[i:n, j:i+1]\nS[i:n, j:i+1, k:j] = S[i,j,k-1], L[i,k], L[j,k]\noutput D[i:n] = A[i,i], S[i,i,i-1]\n"
  "output L[i:n, j:i] = A[i,j], S[i,j,j-1], D[j]\n",
  "param n\ninput A[i:n, j:i+1]\nS[i:n, j:i+1, k:j] = S[i,j,k-1], L[i,k], W[j,k]\n"
  "output W[i:n, j:i] = A[i,j], S[i,j,j-1]\n"
  "output D[i:n] = A[i,i], S[i,i,i-1]\noutput L[i:n, j:i] = W[i,j], D[j]\n",
  "param n\ninput L[i:n, j:i+1], B[n,n]\nS[i:n, c:n, j:i] = S[i,c,j-1], L[i,j], X[j,c]\n"
  "output X[i:n, c:n] = B[i,c], S[i,c,i-1], L[i,i]\n",
  /* half of an input is read */
  "param n\ninput A[1..n+1,1..n+1]\nC[k:1..n+1, j:k..n+1, i:j..n+1] = A[i,j] if k == 1, C[k-1,j,i] if k > 1, "
  "L[i,k-1] if k > 1, L[j,k-1] if k > 1\noutput L[i:1..n+1, k:1..i+1] = C[k,k,i], L[k,k] if i > k\n",
  /* a diagonal begins the sums of a solve */
  "param n\ninput A[n,n+1]\nW[k:n-1, i:k+1..n, j:k+1..n+1] = A[i,j] if k == 0, W[k-1,i,j] if k > 0, L[i,k], "
  "W[k-1,k,j] if k > 0, A[k,j] if k == 0\n"
  "L[i:1..n, k:i] = A[i,k] if k == 0, W[k-1,i,k] if k > 0, W[k-1,k,k] if k > 0, A[0,0] if k == 0\n"
  "S[i:n-1, j:i+1..n] = W[i-1,i,n] if j == n-1 && i > 0, A[i,n] if j == n-1 && i == 0, S[i,j+1] if j < n-1, "
  "W[i-1,i,j] if i > 0, A[i,j] if i == 0, x[j]\n"
  "output x[i:n] = S[i,i+1] if i < n-1, W[i-1,i,n] if i == n-1, W[i-1,i,i] if i > 0, A[0,0] if i == 0\n",
  /* from the last row and column upwards */
  "param n\ninput U[i:n, j:i..n], B[n,n]\nS[k:1..n, c:n, i:k] = S[k+1,c,i], B[i,c] if k == n-1, U[i,k], X[k,c]\n"
  "output X[k:n, c:n] = S[k+1,c,k], B[k,c] if k == n-1, U[k,k]\n",
  "param n\ninput A[n,n]\nV[k:1..n, i:k, j:k] = V[k+1,i,j], A[i,j] if k == n-1, L[k,i], V[k+1,k,j], "
  "A[k,j] if k == n-1\n"
  "output L[k:1..n, i:k] = V[k+1,i,k], A[i,k] if k == n-1, V[k+1,k,k], A[k,k] if k == n-1\n"
  "output V[k:1..n, k-1, 0..k]\n",
  /* an inverse: its diagonal is read where the sum begins */
  "param n\ninput U[i:n, j:i..n]\nS[j:1..n, i:j, k:i+1..j+1] = S[j,i,k+1], U[i,k], D[j] if k == j, X[j,k]\n"
  "output X[j:1..n, i:j] = S[j,i,i+1], U[i,i]\noutput D[j:n] = U[j,j]\n",
  /* a product in place: rows of an input begin sums and are read by others, at another step */
  "param n\ninput A[n,n], B[n,n]\nC[k:n, i:n, j:n] = C[k-1,i,j], B[i,j] if k == 0, A[k,i] if k > i, B[k,j] if k > i\n"
  "output C[n-1,*,*]\n",
  "param n\ninput A[n,n], B[n,n]\nC[i:n, j:n, k:n+1] = B[i,j] if k == 0, C[i,j,k-1] if k > 0, A[k-1,i] if k-1 > i, "
  "B[k-1,j] if k-1 > i\noutput C[*,*,n]\n",
  /* and the two solvers behind it, one of which goes by no tiles */
  "param n\ninput A[n,n,1], b[n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
  "L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\nY[i:n, j:i] = Y[i,j-1], b[i,j], L[i,j], Y[j,j-1], b[j,j]\n"
  "W[i:n, d:n-1-i] = W[i,d-1], Y[i,i-1+n*d], b[i,i+n*d], U[i,i+1+d,i-1], A[i,i+1+d,i], X[i+1+d]\n"
  "output X[i:n] = W[i,n-2-i], Y[i,i-1+n*(n-1-i)], b[i,i+n*(n-1-i)], U[i,i,i-1], A[i,i,i]\n",
};

START_TEST(factorisations_by_tiles)
{
  for (int n = 9; n <= 16; n += 7) {
    cdag *g;
    diag d = { 0 };
    char size[16];
    snprintf(size, sizeof size, "n=%d", n);
    ck_assert_int_eq(cdag_parse(&g, "circle", factorisations[_i], size, &d), OK);
    for (int a = 3; a <= 5; a += 2) {
      pebble_rules rules = { .m = (uint64_t)(a * a + 2 * a + 1) };
      schedule_find_options options = { .no_library = true };
      schedule_found f;
      ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", factorisations[_i], d.message);
      support_check_found(g, &rules, &f, factorisations[_i]);
      num_count io = f.loads + f.stores, most = (num_count)(n * n * n / a + 3 * n * n);
      ck_assert_msg(io <= most, "n=%d, tiles of %d: %s words for %s", n, a, num_digits(io).s, factorisations[_i]);
      schedule_found_clear(&f);
    }
    cdag_free(g);
  }
}
END_TEST

/* One row more than whole tiles: the short tile comes first, where few steps go through its elements.  With the short
   tile last it would be 2211 words. */
START_TEST(short_tile_first)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "circle", factorisations[0], "n=21", &d), OK);
  pebble_rules rules = { .m = 5 * 5 + 2 * 5 + 1, .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s", d.message);
  support_check_found(g, &rules, &f, factorisations[0]);
  num_count io = f.loads + f.stores;
  ck_assert_msg(io <= 1900, "%s words", num_digits(io).s);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* Statements before and behind a circle, and sums that hand over to one another, are of its tiles: what is handed over
   is not moved.  A row that one step multiplies, and with which a result begins in the next, does not come twice.  A
   step of a tile of a x a brings 2a words at most: in all so many sixths of n^2 for each row of tiles, beside tenths of
   n^2. */
static const struct { const char *text; int sixths, tenths; } joined[] = {
  { "param n\ninput A[k:n, i:k], B[n,n]\nS[i:n, j:n, k:i+1..n] = S[i,j,k-1], B[i+n*(k-i-1),j], A[k,i], B[k,j]\n"
    "output X[i:n, j:n] = S[i,j,n-1], B[i+n*(n-1-i),j]\n", 6, 15 },
  { "param n\ninput A[k:n, i:k], B[n,n]\nS[i:n-1, j:n, k:i+1..n] = B[j,i] if k == i+1, S[i,j,k-1], A[k,i], B[j,k]\n"
    "output X[i:n-1, j:n] = S[i,j,n-1]\n", 6, 15 },
  { "param n\ninput L[i:n, j:i+1], B[n,n], w[n]\nS[i:n, c:n, j:i] = S[i,c,j-1], L[i,j], X[j,c]\n"
    "X[i:n, c:n] = B[i,c], S[i,c,i-1], L[i,i]\noutput Y[i:n, c:n] = X[i,c], w[i]\n", 6, 33 },
  { "param n\ninput A[n,n], d[n]\nW[i:n, j:n] = A[i,j], d[i]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], "
    "W[i,j] if k == 0, L[i,k], U[k,j,k-1], W[k,j] if k == 0\noutput L[i:n, j:i] = U[i,j,j-1], W[i,j] if j == 0, "
    "U[j,j,j-1], W[j,j] if j == 0\noutput U[i:1..n, j:i..n, i-1]\noutput W[0,*]\n", 4, 20 },
  { "param n\ninput A[i:n, k:i+1], B[n,n], C[n,n]\nT[i:n, j:n, k:i] = T[i,j,k-1], B[k,j], A[i,k]\n"
    "D[k:n, j:n, i:k..k+1] = C[k,j], B[k,j], A[k,k], T[k,j,k-1]\n"
    "U[k:n, j:n, i:k+1..n] = U[k,j,i-1], D[k,j,i-1], B[i,j], A[i,k]\noutput U[*,*,n-1], D[n-1,*,n-1]\n", 12, 20 },
};

START_TEST(circles_joined)
{
  for (int n = 15; n <= 20; n += 5) {
    cdag *g;
    diag d = { 0 };
    char size[16];
    snprintf(size, sizeof size, "n=%d", n);
    ck_assert_int_eq(cdag_parse(&g, "joined", joined[_i].text, size, &d), OK);
    for (int a = 3; a <= 5; a += 2) {
      pebble_rules rules = { .m = (uint64_t)(a * a + (2 + (joined[_i].sixths > 6)) * a + 1), .one_shot = a == 3 };
      schedule_find_options options = { .no_library = true };
      schedule_found f;
      int tiles = (n + a - 1) / a;
      ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", joined[_i].text, d.message);
      support_check_found(g, &rules, &f, joined[_i].text);
      num_count io = f.loads + f.stores,
                most = (num_count)(n * n * (5 * tiles * joined[_i].sixths + 3 * joined[_i].tenths) / 30);
      ck_assert_msg(io <= most, "n=%d, tiles of %d: %s words, not %s, for %s", n, a, num_digits(io).s,
                    num_digits(most).s, joined[_i].text);
      schedule_found_clear(&f);
    }
    cdag_free(g);
  }
}
END_TEST

/* Column k of what step k - 1 left is read by step k, both as a row and as a column, and by no step behind it. */
START_TEST(columns_of_the_step_before)
{
  cdag *g;
  diag d = { 0 };
  char size[16];
  int n = 13 + 8 * _i;
  snprintf(size, sizeof size, "n=%d", n);
  ck_assert_int_eq(cdag_parse(&g, "right-looking",
                              "param n\ninput A[i:n, j:i+1]\n"
                              "output L[k:n-1, i:k+1..n] = A[i,k] if k == 0, V[k-1,i,k], A[k,k] if k == 0, V[k-1,k,k]\n"
                              "V[k:n-1, i:k+1..n, j:k+1..i+1] = V[k-1,i,j], A[i,j] if k == 0, L[k,i], V[k-1,j,k], "
                              "A[j,k] if k == 0\noutput V[k:n-1, i:k+1..n, k+1]\n",
                              size, &d),
                   OK);
  for (int a = 3; a <= 5; a++) {
    pebble_rules rules = { .m = (uint64_t)(a * a + 4 * a + 2), .one_shot = true };
    schedule_find_options options = { .no_library = true };
    schedule_found f;
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", size, d.message);
    support_check_found(g, &rules, &f, size);
    num_count io = f.loads + f.stores, most = (num_count)(n * n * n / (3 * (a - 1)) + 2 * n * n);
    ck_assert_msg(io <= most, "%s, tiles of %d: %s words", size, a, num_digits(io).s);
    schedule_found_clear(&f);
  }
  cdag_free(g);
}
END_TEST

/* Householder's reflections: tiles of `a` columns stay, and of those before them each comes by once.  Row k is what
   step k reads last, so it leaves there. */
static const char *const reflections[] = {
  "param m, n\ninput A[i:m, j:n, k:1]\nN[k:n, i:k..m] = N[k,i-1], V[k-1,k,i], A[i,k,k]\n"
  "D[k:n] = N[k,m-1], V[k-1,k,k], A[k,k,k]\noutput Y[k:n, i:k+1..m] = V[k-1,k,i], A[i,k,k], D[k]\n"
  "W[k:n-1, j:k+1..n, i:k..m] = W[k,j,i-1], V[k-1,j,i], A[i,j,k], Y[k,i]\n"
  "V[k:n-1, j:k+1..n, i:k+1..m] = V[k-1,j,i], A[i,j,k], Y[k,i], W[k,j,m-1], D[k]\n"
  "output R[k:n-1, j:k+1..n] = V[k-1,j,k], A[k,j,k], W[k,j,m-1], D[k]\n",
  /* column k is read by the others and, where it is reflected itself, in place: that read goes in two */
  "param m, n\ninput A[i:m, j:1..n], B[i:m, z:1]\nN[k:n, i:k..m] = N[k,i-1], V[k-1,k,i], B[i,k]\n"
  "output D[k:n] = N[k,m-1]\n"
  "W[k:n, j:k..n, i:k..m] = W[k,j,i-1], V[k-1,j,i], A[i,j] if k == 0, B[i,j], V[k-1,k,i], B[i,0] if k == 0\n"
  "V[k:n, j:k..n, i:k..m] = V[k-1,j,i], A[i,j] if k == 0, B[i,j], V[k-1,k,i], B[i,0] if k == 0, W[k,j,m-1], D[k]\n"
  "output V[k:n, j:k+1..n, k]\noutput V[k:n, k, k..m]\n",
};

START_TEST(reflections_by_columns)
{
  enum { ROWS = 17, COLUMNS = 12 };
  cdag *g;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "reflections", reflections[_i], "m=17,n=12", &d), OK);
  for (int a = 1; a <= 3; a++) {
    pebble_rules rules = { .m = (uint64_t)((a + 1 + 2 * _i) * ROWS + 3 * a), .one_shot = true };
    schedule_find_options options = { .no_library = true };
    schedule_found f;
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%d columns: %s", a, d.message);
    support_check_found(g, &rules, &f, reflections[_i]);
    num_count io = f.loads + f.stores,
              most = COLUMNS * COLUMNS * ROWS / (2 * (a + _i)) + (16 - 7 * _i) * ROWS * COLUMNS / 4;
    ck_assert_msg(io <= most, "%d columns: %s words for %s", a, num_digits(io).s, reflections[_i]);
    schedule_found_clear(&f);
  }
  cdag_free(g);
}
END_TEST

/* Blocks of columns have all of the memory, however little a column divides it.  Of the columns before a block each
   comes once where it fits beside the block; else what does not fit of it comes twice. */
START_TEST(blocks_fill_memory)
{
  enum { ROWS = 200, COLUMNS = 40 };
  const num_count once = 2 * ROWS * COLUMNS + COLUMNS * (COLUMNS + 1) / 2; /* A, Q, D and R */
  cdag *g;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "gram-schmidt",
                              "param m, n\ninput A[m,n,1]\nN[k:n, i:m] = N[k,i-1], V[i,k,k-1], A[i,k,k]\n"
                              "output D[k:n] = N[k,m-1]\noutput Q[i:m, k:n] = V[i,k,k-1], A[i,k,k], D[k]\n"
                              "R[k:n, j:k+1..n, i:m] = R[k,j,i-1], Q[i,k], V[i,j,k-1], A[i,j,k]\n"
                              "V[i:m, j:n, k:j] = V[i,j,k-1], A[i,j,k], Q[i,k], R[k,j,m-1]\noutput R[*,*,m-1]\n",
                              "m=200,n=40", &d),
                   OK);
  int halves = 3 + _i, columns = (halves - 1) / 2; /* that fit, in halves; those that fit beside one */
  double each = halves % 2 ? fmin(1.5 / columns, 1.0 / (columns - 1)) : 1.0 / columns;
  pebble_rules rules = { .m = (uint64_t)(halves * ROWS / 2), .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%d half columns: %s", halves, d.message);
  support_check_found(g, &rules, &f, "gram-schmidt");
  num_count io = f.loads + f.stores, most = once + (num_count)(each * ROWS * COLUMNS * COLUMNS / 2);
  ck_assert_msg(io <= most, "%d half columns: %s words, more than %s", halves, num_digits(io).s,
                num_digits(most).s);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* Back substitution, sums beginning with the newest unknown: all unknowns of as many right sides as fit stay, and the
   triangle comes once for these, whatever its rows and columns are called. */
static const char *const back_substitutions[] = {
  "param n, m\ninput U[i:n, j:i..n], B[n,m]\nS[i:n, j:m, k:i+1..n] = S[i,j,k-1], B[i,j] if k == i+1, U[i,k], X[k,j]\n"
  "output X[i:n, j:m] = S[i,j,n-1], B[i,j] if i == n-1, U[i,i]\n",
  "param n, m\ninput U[n,n], B[n,m]\noutput X[i:n, j:m] = B[i,j], U[i,i], sum k:i+1..n { U[i,k], X[k,j] }\n",
  "param n, m\ninput L[n,n], B[m,n]\nS[j:m, i:n, k:i+1..n] = S[j,i,k-1], B[j,i] if k == i+1, L[k,i], X[j,k]\n"
  "output X[j:m, i:n] = S[j,i,n-1], B[j,i] if i == n-1, L[i,i]\n",
};

START_TEST(right_sides_beside)
{
  enum { N = 20, SIDES = 12, BESIDE = 4 };
  cdag *g;
  diag d = { 0 };
  pebble_rules rules = { .m = BESIDE * (N + 3) + 2 * N, .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  const char *source = back_substitutions[_i];
  ck_assert_int_eq(cdag_parse(&g, "back", source, "n=20,m=12", &d), OK);
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", source, d.message);
  support_check_found(g, &rules, &f, source);
  num_count io = f.loads + f.stores, most = N * (N + 5) / 2 * (SIDES / BESIDE) + 3 * N * SIDES;
  ck_assert_msg(io <= most, "%s words for %s", num_digits(io).s, source);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* Closures: in parts before, at and after the pivot, by tiles. */
static const char *const closures[] = {
  "param n\ninput P[s:n+1, i:n, j:n] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], P[s-1+(s-1<i),s-1,j]\noutput P[n,*,*]\n",
  "param n\ninput P[s:n+1, i:n, j:n] = P[s-1,i,j], P[s-1,i,s-1], P[s-1,s-1,j]\noutput P[n,*,*]\n",
  "param n\ninput A[n,n]\nP[k:n, i:n, j:n] = A[i,j] if k == 0, P[k-1,i,j], A[i,k] if k == 0, P[k-1,i,k], "
  "A[k,j] if k == 0, P[k-1,k,j]\noutput P[n-1,*,*]\n",
  /* the version before the last is put out, too */
  "param n\ninput A[n,n]\nP[k:n, i:n, j:n] = A[i,j] if k == 0, P[k-1,i,j], A[i,k] if k == 0, P[k-1,i,k], "
  "A[k,j] if k == 0, P[k-1,k,j]\noutput P[n-2..n,*,*]\n",
};

START_TEST(closures_by_tiles)
{
  enum { N = 14, LENGTH = 4 };
  cdag *g;
  diag d = { 0 };
  pebble_rules rules = { .m = LENGTH * LENGTH + 4 * LENGTH, .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_int_eq(cdag_parse(&g, "closure", closures[_i], "n=14", &d), OK);
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", closures[_i], d.message);
  support_check_found(g, &rules, &f, closures[_i]);
  num_count io = f.loads + f.stores, most = 2 * N * N * N / (LENGTH - 1) + 9 * N * N;
  ck_assert_msg(io <= most, "%s words for %s", num_digits(io).s, closures[_i]);
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

START_TEST(circles_of_statements)
{
  cdag *g;
  diag d = { 0 };
  if (support_left_out(_i))
    return;
  ck_assert_int_eq(cdag_parse(&g, "circle", circles[_i], "", &d), OK);
  for (uint64_t m = 6; m <= 30; m *= 5) {
    pebble_rules rules = { .m = m };
    schedule_find_options options = { .no_library = true };
    schedule_found f;
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", circles[_i], d.message);
    support_check_found(g, &rules, &f, circles[_i]);
    schedule_found_clear(&f);
  }
  cdag_free(g);
}
END_TEST

/* A first word and a later one that one name covers are dropped by that name: dropped by both, the elements of a tile's
   first step would be played one by one. */
START_TEST(nothing_dropped_twice)
{
  cdag *g;
  diag d = { 0 };
  const char *closure = "param n = 40\noutput P[n,*,*]\n"
                        "input P[k:n+1, i:n, j:n] = P[k-1,i,j], P[k-1+(k-1<j),i,k-1], P[k-1+(k-1<i),k-1,j]\n";
  ck_assert_int_eq(cdag_parse(&g, "closure", closure, "", &d), OK);
  pebble_rules rules = { .m = 100, .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s", d.message);
  ck_assert_msg(strstr(text_str(&f.source), "dropping P[k - 1,"), "%.500s", text_str(&f.source));
  ck_assert_msg(!strstr(text_str(&f.source), "dropping P[0,"), "%.500s", text_str(&f.source));
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

/* Tiles that are not played in the time there is are kept by their count: the plain order, which is soon played, moves
   fifty times as much.  How much time that takes is the machine's: in the least that counts them they are taken. */
START_TEST(tiles_not_played)
{
  cdag *g;
  diag d = { 0 };
  const char *closure = "param n = 2000\noutput P[n,*,*]\n"
                        "input P[k:n+1, i:n, j:n] = P[k-1,i,j], P[k-1+(k-1<j),i,k-1], P[k-1+(k-1<i),k-1,j]\n";
  ck_assert_int_eq(cdag_parse(&g, "closure", closure, "", &d), OK);
  pebble_rules rules = { .m = 1024, .one_shot = true };
  bool counted = false;
  for (double seconds = 1.5; !counted && seconds < 100; seconds *= 2) {
    schedule_find_options options = { .no_library = true, .seconds = seconds / 3, .longest = seconds };
    schedule_found f;
    ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s", d.message);
    counted = num_plus(f.loads, f.stores) < 600000000;
    ck_assert_msg(counted || !strstr(text_str(&f.record), "was not played"), "%s", text_str(&f.record));
    schedule_found_clear(&f);
  }
  ck_assert(counted);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_circles");
  TCase *t = support_case(s, "circles");
  tcase_add_loop_test(t, factorisations_by_tiles, 0, COUNT(factorisations));
  tcase_add_loop_test(t, right_sides_beside, 0, COUNT(back_substitutions));
  tcase_add_loop_test(t, closures_by_tiles, 0, COUNT(closures));
  tcase_add_loop_test(t, columns_of_the_step_before, 0, 3);
  tcase_add_loop_test(t, reflections_by_columns, 0, COUNT(reflections));
  tcase_add_loop_test(t, circles_of_statements, 0, COUNT(circles));
  tcase_add_test(t, short_tile_first);
  tcase_add_test(t, nothing_dropped_twice);
  tcase_add_test(t, tiles_not_played);
  tcase_add_loop_test(t, blocks_fill_memory, 0, 12);
  tcase_add_loop_test(t, circles_joined, 0, COUNT(joined));
  return support_run(s);
}
