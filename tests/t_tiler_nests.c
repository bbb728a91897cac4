/* Nests for kernels as they are written: bands, windows as ranges and clipped, first values of sums, chains in any
   order.  What is found is legal by both engines and moves no more than a schedule worked out by hand. */
#include "tests/support_found.h"
#include <inttypes.h>

typedef struct { const char *source, *sizes; uint64_t m, io; } kernel;

static void check_kernel(const kernel *k, bool one_shot)
{
  cdag *g;
  diag d = { 0 };
  pebble_rules rules = { .m = k->m, .one_shot = one_shot };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_msg(cdag_parse(&g, "kernel", k->source, k->sizes, &d) == OK, "%s: %s", d.message, k->source);
  ck_assert_msg(schedule_find(g, &rules, &options, &f, &d) == OK, "%s: %s", d.message, k->source);
  support_check_found(g, &rules, &f, k->source);
  ck_assert_msg(f.loads + f.stores <= k->io, "%s moves %s: %s\n%s", k->source, num_digits(f.loads + f.stores).s,
                text_str(&f.record), text_str(&f.source));
  schedule_found_clear(&f);
  cdag_free(g);
}

/* ---- bands ---- */

#define BAND "j:max(0,i-w)..min(n,i+w+1)"
#define BEHIND "j:max(0,i-w)..i+1"
static const kernel bands[] = {
  /* ten rows of A stay (60 words) while a row of B comes by, with ten sums: A once, B (2w + 10) / 10 times at most, and
     each sum with its word of S: 360 + 1.8 * 360 + 2 * 60 * 9 */
  { "param n, w, d\ninput A[n,d], B[n,d], S[n,n]\nP[i:n, " BAND ", k:d] = P[i,j,k-1], A[i,k], B[j,k]\n"
    "output O[i:n, " BAND "] = P[i,j,d-1], S[i,j]\n",
    "n=60,w=4,d=6", 84, 360 + 648 + 1080 },
  /* the same with S in the band, and the band spelled from the other side */
  { "param n, w, d\ninput A[n,d], B[n,d], S[i:n, " BAND "]\n"
    "P[j:n, i:max(0,j-w)..min(n,j+w+1), k:d] = P[j,i,k-1], A[i,k], B[j,k]\n"
    "output O[i:n, " BAND "] = P[j,i,d-1], S[i,j]\n",
    "n=60,w=4,d=6", 84, 360 + 648 + 1080 },
  /* attention to w neighbours on both sides: ten queries and their results stay, a key and a value come by: Q once, the
     result once, K and V (2w + 10) / 10 times */
  { "param n, w, d\ninput Q[n,d], K[n,d], V[n,d]\nS[i:n, " BAND ", k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "P[i:n, " BAND "] = S[i,j,d-1]\nL[i:n, " BAND "] = L[i,j-1], P[i,j]\n"
    "Z[i:n, l:d, " BAND "] = Z[i,l,j-1], P[i,j], V[j,l]\n"
    "output O[i:n, l:d] = Z[i,l,min(n,i+w+1)-1], L[i,min(n,i+w+1)-1]\n",
    "n=60,w=5,d=4", 124, 240 + 240 + 4 * 240 },
  /* and to those before only, with the end as n and i have it: K and V (w + 10) / 10 times */
  { "param n, w, d\ninput Q[n,d], K[n,d], V[n,d]\nS[i:n, " BEHIND ", k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "P[i:n, " BEHIND "] = S[i,j,d-1]\nL[i:n, " BEHIND "] = L[i,j-1], P[i,j]\n"
    "Z[i:n, l:d, " BEHIND "] = Z[i,l,j-1], P[i,j], V[j,l]\noutput O[i:n, l:d] = Z[i,l,i], L[i,i]\n",
    "n=60,w=5,d=4", 124, 240 + 240 + 3 * 240 },
  /* a band by a matrix, added to one: sums begin with a word of C at k = i - w or, where that is below 0, at 0, however
     that is said.  A box of ten rows and 2w + 10 columns stays while a word of B comes by with ten sums: all such boxes
     once, B (2w + 10) / 10 times at most, C in and out */
  { "param n, w\ninput A[n,n], B[n,n], C[n,n]\n"
    "D[i:n, j:n, k:max(0,i-w)..min(n,i+w+1)] = D[i,j,k-1], C[i,j] if k == i-w, C[i,j] if k == 0, A[i,k], B[k,j]\n"
    "output D[i:max(0,n-w),j:n,i+w], D[i:max(0,n-w)..n,j:n,n-1]\n",
    "n=50,w=3", 172, 50 * 16 + 50 * 50 * 16 / 10 + 2 * 50 * 50 },
  /* the band stored row by row */
  { "param n, w\ninput A[n,2*w+1], B[n,n], C[n,n]\n"
    "D[i:n, j:n, k:max(0,i-w)..min(n,i+w+1)] = D[i,j,k-1], C[i,j] if k == 0, C[i,j] if i == k+w, A[i,k-i+w], B[k,j]\n"
    "output D[i:max(0,n-w),j:n,i+w], D[i:max(0,n-w)..n,j:n,n-1]\n",
    "n=50,w=3", 172, 50 * 7 * 5 + 50 * 50 * 16 / 10 + 2 * 50 * 50 },
};

START_TEST(bands_by_blocks)
{
  check_kernel(&bands[_i / 2], _i % 2);
}
END_TEST

/* ---- indices in steps ---- */

#define SYR2K "param n, m\ninput A[n,m], B[n,m], C[n,n]\n"
static const kernel strides[] = {
  /* C + A A^T in one triangle of a square: seven bundles of five rows at most in blocks of three, so each row comes
     three times a step, and a word of C in and out for each pair */
  { "param n, m\ninput A[n,m], C[n,n]\nS[i:n, j:i+1, k:m] = S[i,j,k-1], C[i,j] if k == 0, A[i,k], A[j,k]\n"
    "output S[*,*,m-1]\n",
    "n=30,m=20", 100, 3 * 30 * 20 + 2 * 465 },
  /* C + A B^T + B A^T, by turns in one sum: 13 bundles in blocks of four, two words for each row */
  { SYR2K "S[i:n, j:i+1, k:2*m] = S[i,j,k-1], C[i,j] if k == 0, A[i,k/2] if k % 2 == 0, B[j,k/2] if k % 2 == 0,\n"
    "  B[i,k/2] if k % 2 == 1, A[j,k/2] if k % 2 == 1\noutput S[*,*,2*m-1]\n",
    "n=30,m=20", 100, 4 * 30 * 20 * 2 + 2 * 465 },
  /* the same where an index says which of the two is added */
  { SYR2K "S[i:n, j:i+1, k:m, h:2] = S[i,j,k,h-1], S[i,j,k-1,1] if h == 0, C[i,j] if k+h == 0, A[i,k] if h == 0,\n"
    "  B[j,k] if h == 0, B[i,k] if h == 1, A[j,k] if h == 1\noutput S[*,*,m-1,1]\n",
    "n=30,m=20", 100, 4 * 30 * 20 * 2 + 2 * 465 },
  /* channels in groups: all four sums of a group at ten places, 12 words of a channel for them, and a filter's words
     one by one: X 12/10 times, W twice */
  { "param g, c, n\ninput X[g*c,n+2], W[g*c,c,3]\n"
    "output Y[o:g*c, y:n] = sum s:c, a:3 { X[(o/c)*c+s,y+a], W[o,s,a] }\n",
    "g=3,c=4,n=20", 60, 12 * 24 + 2 * 144 + 240 },
  /* four heads that share their keys: each word once */
  { "param h, n, d\ninput Q[h,d], K[h/4,n,d]\noutput S[a:h, j:n] = sum k:d { Q[a,k], K[a/4,j,k] }\n",
    "h=8,n=12,d=6", 40, 48 + 144 + 96 },
  /* a convolution as a product of flat indices: tiles of 6 x 3 places of all six filters, each by 8 x 5 words of a
     channel and all its weights */
  { "param c, f, n\ninput X[c,n+2,n+2], W[f,c*9]\n"
    "output Y[o:f, p:n*n] = sum q:c*9 { W[o,q], X[q/9,p/n+q%9/3,p%n+q%3] }\n",
    "c=4,f=6,n=12", 150, 8 * (4 * 40 + 216) + 864 },
  /* weights in groups of eight with a scale each: 7 x 5 results, all by words of a step, a scale for eight steps */
  { "param n, k, m\ninput X[n,k], W[m,k], s[m,k/8]\n"
    "output Y[i:n, j:m] = sum l:k { X[i,l], W[j,l], s[j,l/8] }\n",
    "n=20,k=32,m=20", 60, 3 * 20 * 32 + 4 * 20 * 32 + 3 * 20 * 4 + 400 },
};

START_TEST(indices_in_steps)
{
  check_kernel(&strides[_i / 2], _i % 2);
}
END_TEST

/* ---- windows ---- */

static const kernel windows[] = {
  /* a tile of 4 x 10 sums, 12 words of X for it, and a filter's three words: X 12/10 times, W four times */
  { "param n, f, c\ninput X[c,n+2], W[f,c,3]\nO[m:f, x:n, s:c] = O[m,x,s-1], W[m,s,*], X[s,x..x+3]\n"
    "output O[*,*,c-1]\n",
    "n=40,f=4,c=4", 56, 4 * 4 * 12 + 4 * 48 + 160 },
  /* the same where the window is clipped: two words less of each channel */
  { "param n, f, c\ninput X[c,n], W[f,c,3]\nO[m:f, x:n, s:c] = O[m,x,s-1], W[m,s,*], X[s,max(0,x-1)..min(n,x+2)]\n"
    "output O[*,*,c-1]\n",
    "n=40,f=4,c=4", 56, 4 * (4 * 12 - 2) + 4 * 48 + 160 },
  /* the sum over the window as well, with what is outside absent */
  { "param n, f, c\ninput X[c,n], W[f,c,3]\noutput O[m:f, x:n] = sum s:c, a:3 { W[m,s,a], X[s,x+a-1] }\n",
    "n=40,f=4,c=4", 56, 4 * (4 * 12 - 2) + 4 * 48 + 160 },
  /* the same, and what reads a sum finds its last step elsewhere in the last column */
  { "param n, f, c\ninput X[c,n], W[f,c,3]\n"
    "S[m:f, x:n, s:c, a:max(-x,-1)..min(2,n-x)] = S[m,x,s,a-1], S[m,x,s-1,min(2,n-x)-1+(a-max(-x,-1))], "
    "X[s,x+a], W[m,s,a+1]\n"
    "output Y[m:f, x:n] = S[m,x,c-1,1], S[m,x,c-1,0] if x+1 == n\n",
    "n=40,f=4,c=4", 58, 4 * (4 * 12 - 2) + 4 * 48 + 160 },
  /* taps outside of channels: 4 x 10 sums stay, and each tap takes 10 words of X and 4 of W */
  { "param n, f, c\ninput X[c,n+2], W[f,c,3]\noutput O[m:f, x:n] = sum a:3, s:c { W[m,s,a], X[s,x+a] }\n",
    "n=40,f=4,c=4", 56, 4 * 12 * (10 + 4) + 160 },
  /* least of each pair, of what a filter makes of the input: what is made stays until it is read */
  { "param n, f, c\ninput X[c,n+2], W[f,c,3]\nO[m:f, x:n, s:c] = O[m,x,s-1], W[m,s,*], X[s,x..x+3]\n"
    "output P[m:f, x:n/2] = O[m,2*x..2*x+2,c-1]\n",
    "n=40,f=4,c=4", 120, 4 * 42 + 48 + 2 * 160 + 80 },
  /* clipped on all sides, in nine tiles of 4 x 4 sums for each of three filters */
  { "param n, f, c\ninput X[c,n,n], W[f,c,3,3]\n"
    "O[m:f, y:n, x:n, s:c] = O[m,y,x,s-1], W[m,s,*,*], X[s,max(0,y-1)..min(n,y+2),max(0,x-1)..min(x+2,n)]\n"
    "output O[*,*,*,c-1]\n",
    "n=12,f=3,c=5", 3 * 16 + 36 + 9 + 1, 9 * 5 * (36 + 27) + 3 * 144 },
  /* two dimensions: 3 filters x 4 x 4 sums, 6 x 6 words of X and a filter's nine: 9 tiles */
  { "param n, f, c\ninput X[c,n+2,n+2], W[f,c,3,3]\n"
    "output O[m:f, y:n, x:n] = sum s:c, a:3, b:3 { W[m,s,a,b], X[s,y+a,x+b] }\n",
    "n=12,f=3,c=5", 3 * 16 + 36 + 9 + 1, 9 * 5 * (36 + 27) + 3 * 144 },
};

START_TEST(windows_by_blocks)
{
  check_kernel(&windows[_i / 2], _i % 2);
}
END_TEST

/* ---- first values ---- */

static const kernel first_values[] = {
  /* all sums at once, in blocks of the steps as well: every word moves once */
  { "param n\ninput A[n,n], B[n,n], C0[n,n]\n"
    "C[i:n, j:n, k:n] = C[i,j,k-1], A[i,k], B[k,j], C0[i,j] if k <= 0 && i >= 0\n"
    "output C[*,*,n-1]\n",
    "n=8", 200, 4 * 64 },
  /* C0 comes once, A and B by tiles of 4 x 4 */
  { "param n\ninput A[n,n], B[n,n], C0[n,n]\noutput C[i:n, j:n] = C0[i,j], sum k:n { A[i,k], B[k,j] }\n", "n=8", 40,
    64 + 128 + 128 + 64 },
  { "param n\ninput A[n,n], B[n,n], C0[n,n]\nC[i:n, j:n, k:n] = C[i,j,k-1], A[i,k], B[k,j], C0[i,j] if k == 0\n"
    "output C[*,*,n-1]\n",
    "n=8", 40, 64 + 128 + 128 + 64 },
  /* a column's sums begin with one word: it comes once and stays for all of them */
  { "param n\ninput A[n,n], B[n,n], c[n]\noutput C[i:n, j:n] = c[j], sum k:n { A[i,k], B[k,j] }\n", "n=8", 30,
    8 + 128 + 128 + 64 },
};

START_TEST(first_values_by_blocks)
{
  check_kernel(&first_values[_i / 2], _i % 2);
}
END_TEST

/* ---- one array by rows and by columns ---- */

static const kernel crossings[] = {
  /* A A by tiles of 4 x 4: 16 sums and 8 words a step, of which one may be in both operands */
  { "param n\ninput A[n,n]\nC[i:n, j:n, k:n] = C[i,j,k-1], A[i,k], A[k,j]\noutput C[*,*,n-1]\n", "n=12", 25,
    2 * 12 * 12 * 3 + 144 },
  /* its square again: what was stored is read in the same way */
  { "param n\ninput A[n,n]\noutput B[i:n, j:n] = sum k:n { A[i,k], A[k,j] }\n"
    "output C[i:n, j:n] = sum k:n { B[k,j], B[i,k] }\n",
    "n=12", 25, 2 * (2 * 12 * 12 * 3 + 144) },
  /* a symmetric matrix of which one triangle is given: A comes by once for each three columns of B, B once for each
     four rows of C */
  { "param n\ninput A[i:n, k:i+1], B[n,n]\nC[i:n, j:n, k:n] = C[i,j,k-1], A[i,k], A[k,i], B[k,j]\n"
    "output C[*,*,n-1]\n",
    "n=12", 26, 4 * 144 + 3 * 144 + 144 },
  { "param n\ninput A[i:n, k:i+1], B[n,n]\nC[i:n, j:n, k:n] = C[i,j,k-1], A[max(i,k),min(k,i)], B[k,j]\n"
    "output C[*,*,n-1]\n",
    "n=12", 26, 4 * 144 + 3 * 144 + 144 },
  { "param n\ninput A[i:n, k:i..n], B[n,n]\noutput C[i:n, j:n] = sum k:n { A[min(i,k),max(i,k)], B[k,j] }\n", "n=12",
    26, 4 * 144 + 3 * 144 + 144 },
};

START_TEST(crossings_by_blocks)
{
  check_kernel(&crossings[_i / 2], _i % 2);
}
END_TEST

/* ---- sums to one side of a diagonal, of words that are on both ---- */

static const kernel sides[] = {
  /* ten sums stay while a word of x comes by, with those words of A that they need: A's below the diagonal once, x six
     times at most, and the results */
  { "param n\ninput A[n,n], x[n]\nS[i:1..n, j:i] = S[i,j-1], A[i,j], x[j]\noutput T[i:1..n] = S[i,i-1]\n", "n=60", 13,
    1770 + 10 * (1 + 2 + 3 + 4 + 5 + 6) + 59 },
  /* above it */
  { "param n\ninput A[n,n], x[n]\nS[i:n-1, j:i+1..n] = S[i,j-1], A[i,j], x[j]\noutput T[i:n-1] = S[i,n-1]\n", "n=60",
    13, 1770 + 10 * (1 + 2 + 3 + 4 + 5 + 6) + 59 },
  /* scores of more keys than are read, as few of them as are not left out (their tokens see those before them alone):
     scores go out and come again, and the others' words come once, but for one part in twenty */
  { "param m, n, d\ninput Q[m,d], K[n+m,d], V[n+m,d]\nS[i:m, j:n+m, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "X[i:m, j:n+i+1] = X[i,j-1], S[i,j,d-1]\nP[i:m, j:n+i+1] = S[i,j,d-1], X[i,n+i]\n"
    "Z[i:m, l:d, j:n+i+1] = Z[i,l,j-1], P[i,j], V[j,l]\noutput Y[i:m, l:d] = Z[i,l,n+i]\n",
    "m=8,n=40,d=6", 90, (48 + 288 + 288 + 384 + 356 + 48) * 21 / 20 + 8 },
};

START_TEST(sides_by_values)
{
  check_kernel(&sides[_i / 2], _i % 2);
}
END_TEST

/* ---- borders that a stride names ---- */

/* Red and black points in turn: the border u[2 i], i = 0, is a word of every level, the others of the first.  All
   levels in one block: inputs and outputs once, and the borders a few times. */
static const kernel borders[] = {
  { "param n, T\ninput u[2*n+2]\n"
    "p[t:T, i:n] = q[t-1,i-1], u[2*i] if i == 0, u[2*i] if t == 0, q[t-1,i], u[2*i+2] if t == 0\n"
    "q[t:T, i:n] = p[t,i], p[t,i+1], u[2*n+1] if i+1 == n\noutput p[T-1,*], q[T-1,*]\n",
    "n=200,T=10", 60, 402 + 400 + 3 * 2 * 10 + 210 },
};

START_TEST(borders_by_strides)
{
  check_kernel(&borders[_i / 2], _i % 2);
}
END_TEST

/* ---- rows that a table or a division names ---- */

static const kernel tables[] = {
  /* rows of E by number: eight columns of W stay (32 words) while E[id[i],*] comes by, a row at a time: W once, E twice
     for each i, and the results */
  { "param n, m, d\ntable id[i:n] = i*7 % 20\ninput E[20,d], W[d,m]\n"
    "output Y[i:n, j:m] = sum k:d { E[id[i],k], W[k,j] }\n",
    "n=30,m=16,d=4", 32 + 4 + 8 + 1, 64 + 2 * 30 * 4 + 480 },
  /* heads in groups of two that share keys and values: for each head six queries and results stay, and keys and values
     come by as often as there are blocks of queries */
  { "param h, g, n, d\ninput Q[h*g,n,d], K[h,n,d], V[h,n,d]\n"
    "S[u:h*g, i:n, j:n, k:d] = S[u,i,j,k-1], Q[u,i,k], K[u/g,j,k]\n"
    "P[u:h*g, i:n, j:n] = S[u,i,j,d-1]\nL[u:h*g, i:n, j:n] = L[u,i,j-1], P[u,i,j]\n"
    "Z[u:h*g, i:n, l:d, j:n] = Z[u,i,l,j-1], P[u,i,j], V[u/g,j,l]\n"
    "output O[u:h*g, i:n, l:d] = Z[u,i,l,n-1], L[u,i,n-1]\n",
    "h=2,g=2,n=18,d=3", 6 * 3 * 2 + 6 + 6 + 3 + 3, 4 * (2 * 54 + 3 * 2 * 54) },
};

START_TEST(tables_by_values)
{
  check_kernel(&tables[_i / 2], _i % 2);
}
END_TEST

/* ---- recurrences whose steps are products ---- */

#define CELL(more) "param T, n, b\ninput X[T,b,n], W[n,n], H0[b,n]\n" more "output H[T-1,*,*]\n"
static const kernel recurrences[] = {
  /* each step: sums of six rows and four columns stay (24 words), four words of W and one of H come by for each k: W
     once, the rows before three times, X once; and H is stored */
  { CELL("Z[t:T, i:b, j:n, k:n] = Z[t,i,j,k-1], X[t,i,j] if k == 0, W[j,k], H[t-1,i,k], H0[i,k] if t == 0\n"
         "H[t:T, i:b, j:n] = Z[t,i,j,n-1]\n"),
    "T=3,n=12,b=6", 24 + 4 + 2 + 2, 3 * (144 + 3 * 72 + 72 + 72) },
  /* the same, a row behind */
  { CELL("Z[s:1..T+1, i:b, j:n, k:n] = Z[s,i,j,k-1], X[s-1,i,j] if k == 0, W[j,k], H[s-2,i,k], H0[i,k] if s == 1\n"
         "H[t:T, i:b, j:n] = Z[t+1,i,j,n-1]\n"),
    "T=3,n=12,b=6", 24 + 4 + 2 + 2, 3 * (144 + 3 * 72 + 72 + 72) },
  /* and backwards in time */
  { "param T, n, b\ninput X[T,b,n], W[n,n], H0[b,n]\n"
    "Z[t:T, i:b, j:n, k:n] = Z[t,i,j,k-1], X[t,i,j] if k == 0, W[j,k], H[t+1,i,k], H0[i,k] if t == T-1\n"
    "H[t:T, i:b, j:n] = Z[t,i,j,n-1]\noutput H[0,*,*]\n",
    "T=3,n=12,b=6", 24 + 4 + 2 + 2, 3 * (144 + 3 * 72 + 72 + 72) },
  /* two gates and a cell: sums of six rows, three columns and two gates stay; the cell moves in and out */
  { CELL("input C0[b,n], V[2,n,n]\n"
         "G[t:T, i:b, g:2, j:n, k:n] = G[t,i,g,j,k-1], X[t,i,k], V[g,j,k], H[t-1,i,k], H0[i,k] if t == 0, W[j,k]\n"
         "C[t:T, i:b, j:n] = C[t-1,i,j], C0[i,j] if t == 0, G[t,i,0..2,j,n-1]\n"
         "H[t:T, i:b, j:n] = C[t,i,j], G[t,i,1,j,n-1]\n"),
    "T=3,n=12,b=6", 36 + 9 + 3 + 4, 3 * (3 * 144 + 2 * 4 * 72 + 3 * 72) },
  /* columns made orthogonal one after another, longer than memory: for each the column comes twice and goes once, then
     its products with the c columns behind it and what is left of them, one row at a time; c is 15 in all */
  { "param m, n\ninput A[m,n,1]\nN[k:n, i:m] = N[k,i-1], V[i,k,k-1], A[i,k,k]\noutput D[k:n] = N[k,m-1]\n"
    "output Q[i:m, k:n] = V[i,k,k-1], A[i,k,k], D[k]\n"
    "R[k:n, j:k+1..n, i:m] = R[k,j,i-1], Q[i,k], V[i,j,k-1], A[i,j,k]\n"
    "V[i:m, j:n, k:j] = V[i,j,k-1], A[i,j,k], Q[i,k], R[k,j,m-1]\noutput R[*,*,m-1]\n",
    "m=30,n=6", 20, 6 * 3 * 30 + 2 * 5 * 30 + 15 * (3 * 30 + 2) + 6 * 5 },
};

START_TEST(recurrences_by_steps)
{
  check_kernel(&recurrences[_i / 2], _i % 2);
}
END_TEST

/* ---- sums whose ends are their own array's ---- */

#define SOLVED(rest) "param n, m\ninput L[i:n,j:i+1], B[n,m]\n" rest
static const kernel solvers[] = {
  /* columns of X by tiles of 5 x 5: for each step five words of L and five of X come by, as if the last step of each
     sum were an array of its own: 2 n^2 m / (2 * 5) words, and what each tile starts and ends with */
  { SOLVED("S[i:n, j:m, k:i] = S[i,j,k-1], B[i,j] if k == 0, L[i,k], X[k,j]\n"
           "output X[i:n, j:m] = S[i,j,i-1], B[i,j] if i == 0, L[i,i]\n"),
    "n=20,m=20", 40, 1600 + 400 + 400 },
  { SOLVED("X[i:n, j:m, k:i+1] = X[i,j,k-1], B[i,j] if k == 0, L[i,k], X[k,j,k] if k < i\noutput X[i:n,*,i]\n"),
    "n=20,m=20", 40, 1600 + 400 + 400 },
};

START_TEST(solvers_by_tiles)
{
  check_kernel(&solvers[_i / 2], _i % 2);
}
END_TEST

/* ---- one window after another ---- */

static const kernel pipelines[] = {
  /* three rows of I and three of D stay: every word of I comes once, every word of E goes once */
  { "param h, w\ninput I[h+4,w+4]\nD[y:h+2, x:w+2] = I[y..y+3, x..x+3]\noutput E[y:h, x:w] = D[y..y+3, x..x+3]\n",
    "h=12,w=8", 3 * 12 + 3 * 10 + 17, 16 * 12 + 12 * 8 },
  /* with taps listed, and the picture itself once more, two rows behind */
  { "param h, w\ninput I[h+4,w+4]\nB[y:h+4, x:w] = I[y,x..x+5]\n"
    "output O[y:h, x:w] = B[y,x], B[y+1,x], B[y+2,x], B[y+3,x], B[y+4,x], I[y+2,x+2]\n",
    "h=12,w=8", 5 * 12 + 5 * 8 + 17, 16 * 12 + 12 * 8 },
  /* three stages, and one that goes along columns */
  { "param h, w\ninput I[h,w+6]\nA[y:h, x:w+4] = I[y,x..x+3]\nB[y:h, x:w+2] = A[y,x..x+3]\n"
    "output C[x:w, y:h] = B[y,x..x+3]\n",
    "h=9,w=8", 14 + 12 + 10 + 1, 9 * 14 + 9 * 8 },
  /* two convolutions: both filters stay, three rows of X and three of Y, and a row of sums: each word once */
  { "param c, h, w\ninput X[c,h+4,w+4], W1[c,c,3,3], W2[c,c,3,3]\n"
    "Y[o:c, y:h+2, x:w+2] = sum s:c, a:3, b:3 { X[s,y+a,x+b], W1[o,s,a,b] }\n"
    "output Z[o:c, y:h, x:w] = sum s:c, a:3, b:3 { Y[s,y+a,x+b], W2[o,s,a,b] }\n",
    "c=4,h=7,w=6", 288 + 3 * 40 + 3 * 32 + 24 + 20, 4 * 11 * 10 + 288 + 4 * 7 * 6 },
};

START_TEST(windows_in_a_row)
{
  check_kernel(&pipelines[_i / 2], _i % 2);
}
END_TEST

/* ---- fronts ---- */

static const kernel fronts[] = {
  /* alignments with gaps: three tables that read one another in a row and at one place; all rows in one block: a and b
     once, and what a next block would read of F and H */
  { "param n, m\ninput a[n], b[m]\nE[i:n,j:m] = E[i,j-1], H[i,j-1], a[i], b[j]\n"
    "F[i:n,j:m] = F[i-1,j], H[i-1,j], a[i], b[j]\n"
    "H[i:n,j:m] = H[i-1,j-1], E[i,j], F[i,j], a[i], b[j]\noutput H[n-1,m-1]\n",
    "n=12,m=12", 4 * 12 + 10, 24 + 24 },
  /* the ends of a rod read themselves: all levels in one block */
  { "param T, n\ninput u0[n]\nu[t:T, i:n] = u0[max(i-1,0)] if t == 0, u0[i] if t == 0, u0[min(i+1,n-1)] if t == 0,\n"
    "  u[t-1,max(i-1,0)], u[t-1,i], u[t-1,min(i+1,n-1)]\noutput u[T-1,*]\n",
    "T=6,n=20", 50, 40 },
};

START_TEST(fronts_by_blocks)
{
  check_kernel(&fronts[_i / 2], _i % 2);
}
END_TEST

/* ---- programmes over intervals ---- */

/* The sum of an interval begins with what ends a shorter one, so no sum is divided: four rows and a column stay (200
   words), and each strip's columns come by once, n^3 / 24 words in all; every interval is stored, and has a word of its
   own input where there is one. */
#define MANY (40 * 40 * 40 / 24 + 820)
static const kernel intervals[] = {
  { "param n\ninput p[n+1]\nC[i:n, j:i+1..n, k:i..j] = C[i,j,k-1], B[i,k], B[k+1,j], p[i], p[k+1], p[j+1]\n"
    "B[i:n, j:i..n] = C[i,j,j-1], p[i] if i == j\noutput B[0,n-1]\n",
    "n=40", 265, MANY + 41 },
  /* by lengths */
  { "param n\ninput p[n+1]\nC[l:1..n, i:n-l, k:l] = C[l,i,k-1], B[k,i], B[l-1-k,i+k+1], p[i], p[i+k], p[i+l]\n"
    "B[l:n, i:n-l] = C[l,i,l-1], p[i] if l == 0\noutput B[n-1,0]\n",
    "n=40", 265, MANY + 41 },
  /* what a split costs is computed at its step, not before all steps */
  { "param n\ninput p[n+1]\nQ[i:n, j:i+1..n, k:i..j] = B[i,k], B[k+1,j], p[i], p[k+1], p[j+1]\n"
    "C[i:n, j:i+1..n, k:i..j] = C[i,j,k-1], Q[i,j,k]\nB[i:n, j:i..n] = C[i,j,j-1], p[i] if i == j\noutput B[0,n-1]\n",
    "n=40", 265, MANY + 41 },
  /* ends left out */
  { "param n\ninput w[n,n]\nC[i:n, j:i+2..n+1, k:i+1..j] = C[i,j,k-1], B[i,k], B[k,j]\n"
    "B[i:n, j:i+1..n+1] = C[i,j,j-1], w[i,j-1]\noutput B[0,n]\n",
    "n=40", 265, MANY + 820 },
  /* what is left out before and behind */
  { "param n\ninput w[n,n]\nS[a:n, b:n-a, k:n-1-a-b] = S[a,b,k-1], B[a,b+k+1], B[n-1-b-k,b]\n"
    "B[a:n, b:n-a] = S[a,b,n-2-a-b], w[a,b]\noutput B[0,0]\n",
    "n=40", 265, MANY + 820 },
  /* one array, whose sums read its ends */
  { "param n\ninput w[n,n]\nD[i:n, j:i..n, k:i..j+1] = D[i,j,k-1], D[i,k-1,k-1], D[k+1,j,j], w[i,j] if k == j\n"
    "output D[0,n-1,n-1]\n",
    "n=40", 265, MANY + 820 },
  /* sums that begin with the three intervals next to theirs */
  { "param n\ninput w[n,n]\nC[i:n, j:i+1..n, k:i..j] = C[i,j,k-1], B[i,j-1] if k == i, B[i+1,j] if k == i, "
    "B[i+1,j-1] if k == i, B[i,k], B[k+1,j]\nB[i:n, j:i..n] = C[i,j,j-1], w[i,j]\noutput B[0,n-1]\n",
    "n=40", 265, MANY + 2 * 820 },
  /* two rows: gaps of any length in an alignment, n^3 / 4 words of columns, and each cell's own */
  { "param n\ninput s[n,n]\nE[i:n, j:n, k:j] = E[i,j,k-1], D[i,k]\nF[i:n, j:n, k:i] = F[i,j,k-1], D[k,j]\n"
    "D[i:n, j:n] = E[i,j,j-1], F[i,j,i-1], D[i-1,j-1], s[i,j]\noutput D[n-1,n-1]\n",
    "n=40", 265, 40 * 40 * 40 / 4 + 3 * 40 * 40 },
  /* no row fits: 32 of its words stay, and the others come with each split, as those of the column do */
  { "param n\ninput w[n,n]\nC[i:n, j:i+2..n+1, k:i+1..j] = C[i,j,k-1], B[i,k], B[k,j]\n"
    "B[i:n, j:i+1..n+1] = C[i,j,j-1], w[i,j-1]\noutput B[0,n]\n",
    "n=40", 56, 40 * 40 * 40 / 6 + 2 * 820 },
  { "param n\ninput w[n,n]\nS[a:n, b:n-a, k:n-1-a-b] = S[a,b,k-1], B[a,b+k+1], B[n-1-b-k,b]\n"
    "B[a:n, b:n-a] = S[a,b,n-2-a-b], w[a,b]\noutput B[0,0]\n",
    "n=40", 56, 40 * 40 * 40 / 6 + 2 * 820 },
  { "param n\ninput s[n,n]\nE[i:n, j:n, k:j] = E[i,j,k-1], D[i,k]\nF[i:n, j:n, k:i] = F[i,j,k-1], D[k,j]\n"
    "D[i:n, j:n] = E[i,j,j-1], F[i,j,i-1], D[i-1,j-1], s[i,j]\noutput D[n-1,n-1]\n",
    "n=40", 56, 40 * 40 * 40 / 2 + 3 * 40 * 40 },
  /* two rows fit, and a part of the column: half as many words and those of the other part */
  { "param n\ninput w[n,n]\nD[i:n, j:i..n, k:i..j+1] = D[i,j,k-1], D[i,k-1,k-1], D[k+1,j,j], w[i,j] if k == j\n"
    "output D[0,n-1,n-1]\n",
    "n=40", 110, 40 * 40 * 40 / 12 + 2 * 820 },
};

START_TEST(intervals_by_strips)
{
  check_kernel(&intervals[_i / 2], _i % 2);
}
END_TEST

/* ---- pairs of few large bundles ---- */

/* Bundles of a plane, r of which meet in a block; all: no rows are left over. */
static const struct { int n, m, r; bool all; } planes[] = {
  { 62, 320, 3, true }, { 70, 408, 3, true }, { 50, 125, 4, true }, { 28, 39, 4, false }, { 104, 360, 5, true },
  { 44, 64, 5, false }, { 34, 38, 6, true }, { 55, 25, 6, false }, { 112, 139, 8, true }, { 59, 38, 8, false },
  { 66, 48, 9, true }, { 82, 56, 9, false }, { 84, 58, 10, true }, { 94, 73, 10, false }, { 247, 305, 12, true },
  { 141, 99, 12, false }, { 151, 114, 14, true },
};

START_TEST(pairs_of_planes)
{
  static const char *const spelt[] = {
    "param n, m\ninput A[n,m]\nR[i:n, j:i+1, k:m] = R[i,j,k-1], A[i,k], A[j,k]\noutput R[*,*,m-1]\n",
    "param n, m\ninput A[m,n]\nR[i:n, j:i..n, k:m] = A[k,j], A[k,i], R[i,j,k-1]\noutput R[*,*,m-1]\n",
    "param n, m\ninput A[m,3..n+3], w[m]\nR[i:3..n+3, j:3..i+1, k:m] = R[i,j,k-1], A[k,i], A[k,j]\n"
    "output R[*,*,m-1]\n",
  };
  const char *source = spelt[_i % (int)COUNT(spelt)];
  int n = planes[_i].n, steps = 40;
  cdag *g;
  diag d = { 0 };
  text assign = { 0 }, groups = { 0 };
  pebble_rules rules = { .m = (uint64_t)planes[_i].m };
  schedule_find_options options = { 0 };
  schedule_found f;
  text_printf(&assign, "n=%d,m=%d", n, steps);
  text_printf(&groups, "param r = %d, ", planes[_i].r);
  ck_assert_int_eq(cdag_parse(&g, "planes", source, text_str(&assign), &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  support_check_found(g, &rules, &f, source);
  ck_assert_msg(strstr(text_str(&f.source), "of a plane") && strstr(text_str(&f.source), text_str(&groups)),
                "%d: %s", _i, text_str(&f.source));
  if (planes[_i].all)
    ck_assert_uint_eq((uint64_t)f.loads, (uint64_t)(planes[_i].r * n * steps));
  else
    ck_assert_msg(strstr(text_str(&f.source), "rows left over") != NULL, "%d: %s", _i, text_str(&f.source));
  schedule_found_clear(&f);
  text_clear(&assign);
  text_clear(&groups);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_nests");
  TCase *t = support_case(s, "kernels");
  tcase_add_loop_test(t, bands_by_blocks, 0, 2 * COUNT(bands));
  tcase_add_loop_test(t, indices_in_steps, 0, 2 * COUNT(strides));
  tcase_add_loop_test(t, windows_by_blocks, 0, 2 * COUNT(windows));
  tcase_add_loop_test(t, first_values_by_blocks, 0, 2 * COUNT(first_values));
  tcase_add_loop_test(t, crossings_by_blocks, 0, 2 * COUNT(crossings));
  tcase_add_loop_test(t, sides_by_values, 0, 2 * COUNT(sides));
  tcase_add_loop_test(t, borders_by_strides, 0, 2 * COUNT(borders));
  tcase_add_loop_test(t, tables_by_values, 0, 2 * COUNT(tables));
  tcase_add_loop_test(t, recurrences_by_steps, 0, 2 * COUNT(recurrences));
  tcase_add_loop_test(t, solvers_by_tiles, 0, 2 * COUNT(solvers));
  tcase_add_loop_test(t, windows_in_a_row, 0, 2 * COUNT(pipelines));
  tcase_add_loop_test(t, fronts_by_blocks, 0, 2 * COUNT(fronts));
  tcase_add_loop_test(t, intervals_by_strips, 0, 2 * COUNT(intervals));
  tcase_add_loop_test(t, pairs_of_planes, 0, COUNT(planes));
  return support_run(s);
}
