#!/bin/sh
# Loop nests in C: what is refused, with its place; spellings of one nest that give one text; what a text says again.
# Random nests are in t_import.c; that the kernels of PolyBench are imported vertex for vertex is in t_gallery.sh.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
# refused NAME PLACE WORDS: the text on standard input
refused() {
  cat > "$t/$1.c"; out=$("$REDBLUE" cdag "$t/$1.c:n=4" 2>&1); ok "$1: exit" $? 3
  case $out in "redblue: $t/$1.c:$2: "*"$3"*) passed=$((passed + 1)) ;; *) failed=$((failed + 1)); echo "FAILED $1: expected $2 ... $3, got $out" ;; esac
}
refused indirect 3:7 "p[...] is data" <<'C'
void f(int n, int p[n], double x[n]) {
  for (int i = 0; i < n; i++)
    x[p[i]] = 0.5 * x[i];
}
C
refused while 2:3 "'while' is not read" <<'C'
void f(int n, double x[n]) {
  while (n > 0) x[0] = x[1];
}
C
refused product 3:8 "a product of variables is not affine" <<'C'
void f(int n, double x[n]) {
  for (int i = 0; i < n; i++)
    x[i*i] = x[0] + 1;
}
C
refused undeclared 3:12 "'y' is not declared as data" <<'C'
void f(int n, double x[n]) {
  for (int i = 0; i < n; i++)
    x[i] = y[i];
}
C
refused indices 3:12 "x has 1 indices, not 2" <<'C'
void f(int n, double x[n]) {
  for (int i = 0; i < n; i++)
    x[i] = x[i][0];
}
C
refused steers 3:5 "'n' steers loops or indices" <<'C'
void f(int n, double x[n]) {
  for (int i = 0; i < n; i++)
    n = n - 1;
}
C
refused away 2:12 "runs away from its end" <<'C'
void f(int n, double x[n]) {
  for (int i = 0; i < n; i--)
    x[i] = x[i] + 1;
}
C
refused open 4:1 "there is no #pragma endscop" <<'C'
void f(int n, double x[n]) {
#pragma scop
  for (int i = 0; i < n; i++) x[i] = 2 * x[i];
C
refused skips 3:14 "a condition that leaves iterations out is affine" <<'C'
void f(int n, double x[n]) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 0) continue;
    x[i] = 2 * x[i];
  }
}
C
refused early 3:24 "'return' is read at the end alone" <<'C'
double f(int n, double x[n]) {
  for (int i = 0; i < n; i++)
    if (i == 3) return x[i];
}
C
refused walks 4:15 "'p' is read where it points at one place alone" <<'C'
void f(int n, double *a, double *b) {
  for (int s = 0; s < n; s++) {
    for (int i = 0; i < n; i++) {
      double *p = a + i;
      p = p + 1;
      b[i] = p[0];
    }
  }
}
C
refused seldom 5:18 "'a' and 'b' are read where each iteration of an outermost loop swaps them" <<'C'
void f(int n, int t, double *a, double *b) {
  double *c;
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i-1] + a[i+1];
    if (s > 2) { c = a; a = b; b = c; }
  }
}
C
refused rebound 5:27 "a name in the place that 'p' points at means another here" <<'C'
void f(int n, double *a, double *b) {
  int o = n;
  double *p = a + o;
  for (int i = 0; i < n; i++) {
    int o = 2 * i; b[o] = p[i];
  }
}
C
refused packed 5:34 "q is named by a counter of loops of several lengths, which is read where nothing else names it" <<'C'
void f(int n, double *x, double *y) {
  double q[n*n];
  int top = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) q[top++] = x[i] * 2;
  for (int i = 0; i < n; i++) y[i] = q[i];
}
C
refused ahead 6:17 "'top' is read where it counts iterations of loops that are all of one length" <<'C'
void f(int n, double q[n*n], double *y) {
  int top = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      top++;
      y[i] += q[top];
    }
}
C
refused beside 5:17 "'top' is read where it counts iterations of loops that are all of one length" <<'C'
void f(int n, double q[n*n], double *y) {
  int top = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i] += q[top++ + 1];
}
C
refused behind 6:46 "is read by accesses in the loop of its step" <<'C'
void f(int n, double *x, double *y) {
  double q[8*n];
  int top = 0;
  for (int i = 0; i < n; i++) {
    q[top] = x[i];
    for (int j = 0; j < 8; j++) y[i*8+j] = q[top++];
  }
}
C
refused part 3:3 "memset is read where it fills a whole array" <<'C'
void f(int n, double *x, double *y) {
  double q[8*n];
  memset(q + n, 0, n * sizeof *q);
  for (int i = 0; i < n; i++) y[i] = q[i] + x[i];
}
C
refused endless 4:9 "macros stand for one another without end" <<'C'
#define A(i) B(i)
#define B(i) A(i)
void f(int n, double x[n]) { for (int i = 0; i < n; i++)
    A(i) = 2 * x[i];
}
C
refused nothing 2:1 "no function with a loop nest" <<'C'
int n;
C
# spellings: the graph is the same
edges() { "$REDBLUE" cdag "$1" --format edges 2>&1; }
cat > "$t/a.c" <<'C'
void f(int n, double a[n], double b[n]) {
  for (int i = 1; i < n; i += 2) { if (i > 2) b[i] = a[i] + a[i-1]; else b[i] = a[i] * 2; }
}
C
cat > "$t/b.c" <<'C'
#define DATA_TYPE double
/* the same, spelled otherwise */
static void f(int n, DATA_TYPE POLYBENCH_1D(a,N,n), DATA_TYPE POLYBENCH_1D(b,N,n))
{
  int i;
#pragma scop
  for (i = 1; i <= _PB_N - 1; i = i + 2)
    if (!(i <= 2))
      b[i] = a[i] + a[i-1];
    else
      b[i] = (DATA_TYPE)2.0 * a[i]; // twice
#pragma endscop
}
C
ok "spellings" "$(edges "$t/a.c:n=9")" "$(edges "$t/b.c:n=9")"
ok "spellings: edges" "$(edges "$t/a.c:n=9" | grep -vc '^[#%]')" "$(edges "$t/b.c:n=9" | grep -vc '^[#%]')"
# one computation said by pairs of nests: SAME NAME PARAMS, the two on standard input with a line == between
same() {
  sed '/^==$/,$d' > "$t/$1.1.c" < "$t/in"; sed '1,/^==$/d' > "$t/$1.2.c" < "$t/in"
  for k in 1 2; do "$REDBLUE" cdag "$t/$1.$k.c:$2" --json | sed 's/.*"vertices"/vertices/; s/, "useless".*//; s/"//g' > "$t/$k"; done
  ok "$1: read" "$(grep -c outputs "$t/1")" 1
  ok "$1" "$(cat "$t/2")" "$(cat "$t/1")"
}
cat > "$t/in" <<'C'
void f(int m, int n, double a[m][n], double b[m][n]) {
  for (int i = 0; i < m; i++) for (int j = 1; j < n; j++) b[i][j] = a[i][j] + a[i][j-1];
}
==
void f(int m, int n, const double *restrict a, double *b) {
  for (int i = 0; i < m; i++) for (int j = 1; j < n; j++) b[n * i + j] = a[i * n + j] + a[i * n + j - 1];
}
C
same rows m=4,n=5
cat > "$t/in" <<'C'
void f(int n, double a[n], double b[n]) {
  for (int i = 0; i < n; i++) if (i > 0) b[i] = a[i] + b[i-1]; else b[i] = a[i] * 2;
}
==
#define AT(x, i) x[i]
typedef float real;
real twice(real x) { return 2 * x; }
void f(int n, real *a, real *b) {
  for (int i = 0; i != n; ++i) { int last = i - 1; AT(b, i) = AT(a, i) + (i > 0 ? AT(b, last) : 0); }
}
C
same choice n=6
cat > "$t/in" <<'C'
double f(int n, double a[n]) {
  double best = a[0];
  for (int i = 1; i < n; i++) best = max(best, a[i]);
  return best;
}
==
double f(int n, double *a) {
  double best = *a;
  for (int i = 1; i < n; i++) { if (i == 0) continue; if (a[i] > best) best = a[i]; }
  return best;
}
C
same largest n=7
cat > "$t/in" <<'C'
double f(int n, double a[n]) {
  double best = 0;
  for (int i = 0; i < n; i++) best = fmax(best, a[i] * 2.0);
  return best;
}
==
double f(int n, double *a) {
  double best = -INFINITY;
  for (int i = 0; i < n; i++) best = fmax(best, a[i] * M_PI / DBL_MAX);
  return best;
}
C
same numbers n=7
cat > "$t/in" <<'C'
void f(int n, double x[n], double y[n]) {
  for (int i = 0; i < n; i++) { double m = x[i] * 3, r = m * 2, s = r - m; y[i] = s + 1; }
}
==
void f(int n, double x[n], double y[n]) {
  for (int i = 0; i < n; i++) { double m = x[i] * 3; double r = m * 2; double s = r - m; y[i] = s + 1; }
}
C
same declared n=4
cat > "$t/in" <<'C'
void f(int n, int s, double x[2*n+1], double y[n]) {
  for (int k = 0; k < s; k++)
  for (int i = 0; i < n; i++) y[i] = x[2*i] + x[2*i+1] + x[2*i+2];
}
==
void f(int n, int s, double *x, double *y) {
  for (int k = 0; k < s; k++)
  for (int i = n; i-- > 0;) y[i] = x[i*s] + x[i*s+1] + x[s*i+2];
}
C
same strides n=5,s=2
# assignments in one statement, several variables in a header: those that go along are affine in the loop's own
cat > "$t/in" <<'C'
void f(int n, double a[n], double y[n], double z[n], double w[n]) {
  double s, p;
  for (int i = 0; i < n - 1 - i; i++) { s = a[i] + a[n-1-i]; p = s * a[i]; y[i] = s; z[i] = p; z[i] += s * 2; }
  s = 0;
  for (int i = 0; i < n / 2; i++) { s += a[2*i]; w[n-1-i] = s; w[n-1-i] *= 2; }
}
==
void f(int n, double a[n], double y[n], double z[n], double w[n]) {
  double s, p;
  int i, j, m;
  for (i = 0, j = n - 1; i < j; i++, --j) s = a[i] + a[j], p = s * a[i], y[i] = s, z[i] = p, z[i] += s * 2;
  for (m = n / 2, i = 0, s = 0, j = n - 1; i < 2 * m; j--, i += 2)
    s += a[i], w[j] = s, w[j] *= 2;
}
C
same commas n=8
cat > "$t/in" <<'C'
void f(int n, double a[n], double b[n], double y[n]) {
  for (int i = 0; i < n; i++) if (a[i] > b[i]) { y[i] = f(a[i], b[i]); y[i] *= 2; }
}
==
void f(int n, double a[n], double b[n], double y[n]) {
  for (int i = 0; i < n; i++) if (a[i] > b[i]) y[i] = f(a[i], b[i]), y[i] *= 2;
}
C
same "commas under a condition on data" n=5
# blocks whose length is a parameter, and blocks that end where they end: read for the values at hand
cat > "$t/in" <<'C'
void f(int n, int b, double A[n][n], double x[n], double y[n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i] += A[i][j] * x[j];
}
==
void f(int n, int b, double A[n][n], double x[n], double y[n]) {
  for (int ii = 0; ii < n; ii += b) for (int i = ii; i < ii + b; i++)
    for (int jj = 0; jj < n; jj += b) for (int j = jj; j < jj + b; j++) y[i] += A[i][j] * x[j];
}
==
void f(int n, int b, double A[n][n], double x[n], double y[n]) {
  int m = n / b;
  for (int ii = 0; ii < m; ii++) for (int i = 0; i < b; i++)
    for (int j = 0; j < n; j++) y[ii*b+i] += A[ii*b+i][j] * x[j];
}
C
same blocks n=12,b=4
# a condition on data that several assignments read is a vertex, as what it reads may change
cat > "$t/in" <<'C'
void f(int n, double a[n], double best[1], double at[1]) {
  for (int i = 0; i < n; i++) if (a[i] > best[0]) { best[0] = a[i]; at[0] = i; }
}
==
void f(int n, double a[n], double best[1], double at[1]) {
  double c;
  for (int i = 0; i < n; i++) { c = a[i] > best[0]; best[0] = c ? a[i] : best[0]; at[0] = c ? i : at[0]; }
}
C
same argmax n=5
# so is the place of the largest, an integer that is assigned once
cat > "$t/in" <<'C'
void f(int n, double a[n], double best[1], double at[1]) {
  for (int i = 0; i < n; i++) if (a[i] > best[0]) { best[0] = a[i]; at[0] = i; }
}
==
void f(int n, double a[n], double best[1], double at[1]) {
  int where;
  where = at[0];
  for (int i = 0; i < n; i++) if (a[i] > best[0]) { best[0] = a[i]; where = i; }
  at[0] = where;
}
C
same place n=5
# memory that is had, filled, given back; lists of values are assigned each time; names of other blocks are others
cat > "$t/in" <<'C'
double f(int n, double A[n][n], double x[n], double y[n]) {
  double t[4], s = 0, all = 0, u[n];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++) t[k] = 0;
    t[1] = x[i];
    for (int j = 0; j < n; j++) t[j % 4] += A[i][j];
    s = t[0] + t[1] + t[2] + t[3];
    y[i] = s;
    all += s;
    u[i] = s * 2;
  }
  for (int i = 0; i < n; i++) y[i] += u[i];
  return all;
}
==
double f(int n, double A[n][n], double x[n], double y[n]) {
  double s = 0, *u = malloc(n * sizeof(*u)), *z = (double *)calloc(n, sizeof(double)), w[2][2] = { { 1 } };
  memset(u, 0, n * sizeof(double));
  for (int i = 0; i < n; i++) {
    double t[4] = { 0, x[i] };
    for (int j = 0; j < n; j++) t[j % 4] += A[i][j];
    y[i] = t[0] + t[1] + t[2] + t[3] + z[0];
    s += y[i];
    { double s = y[i] * 2; u[i] = s; }
  }
  for (int i = 0; i < n; i++) { z[i] = w[0][1]; y[i] += u[i] + z[n-1]; }
  free(u);
  return s;
}
C
same memory n=5
# pointers are places of arrays; integers that go along with loops are affine in them
cat > "$t/in" <<'C'
void f(int n, int m, double A[n][m], double B[n][m][n], double y[n][m]) {
  for (int i = 1; i < n; i++) for (int j = 0; j < m; j++)
    y[i][j] = A[i][j] * A[i-1][j] + B[i][j][0] + B[i][j][i] + A[0][m-1];
}
==
void f(int n, int m, double A[n][m], double B[n][m][n], double *y) {
  double (*rows)[m] = A;
  for (int i = 1; i < n; i++) {
    double *a = A[i], *before = rows[i - 1], *out = y + i * m;
    for (int j = 0; j < m; j++) {
      const double *b = &B[i][j][1], *c = b - 1;
      out[j] = a[j] * *(before + j) + *c + b[i - 1] + rows[0][m - 1];
    }
  }
}
C
same pointers n=5,m=4
cat > "$t/in" <<'C'
void f(int n, int m, double A[n][m], double B[n][m], double y[n][m]) {
  double p[n][m];
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) p[i][m-1-j] = A[i][j] * 2;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { y[i][j] = p[i][j] + B[i][j]; y[i][j] += p[n-1][m-1]; }
}
==
void f(int n, int m, double *A, double *B, double *y) {
  double p[n*m];
  int at, last = 0;
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--) p[last++] = A[i*m + j] * 2;
  at = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) { y[at] = p[at] + B[at]; at += 1; y[at - 1] = y[at - 1] + p[last - 1]; }
}
C
same counted n=4,m=3
# rows within integers that stand for their places, and rows whose lengths are numbers for the values given
cat > "$t/rows.c" <<'C'
void f(int N, int C, int H, int W, float *x, float *s, float *y) {
  for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) {
    int base = (n * C + c) * H * W;
    for (int i = 0; i < H; i++) for (int j = 0; j < W; j++) { int at = base + i * W + j; y[at] = x[at] * s[c]; }
  }
}
C
ok "rows in words" "$("$REDBLUE" cdag "$t/rows.c:N=2,C=3,H=4,W=5" --format cdag | tail -1)" \
  'output y_1[n:N, c:C, i:H, j:W] = x[n,c,i,j], s[c]'
cat > "$t/numbers.c" <<'C'
void f(int T, int C, int h, float *qk, float *y) {
  int d = C / h;
  for (int t = 0; t < T; t++) for (int u = 0; u < h; u++) for (int i = 0; i < d; i++) {
    float *q = qk + t*2*C + u*d, *k = qk + t*2*C + C + u*d;
    y[t*C + u*d + i] = q[i] * k[i];
  }
}
C
ok "rows of numbers" "$("$REDBLUE" cdag "$t/numbers.c:T=3,C=8,h=2" --format cdag | tail -1)" \
  'output y_1[t:T, u:1+1, i:3+1] = qk[t,u,i], qk[t,u+2,i]'
# of arrays that are written, PolyBench's print_array says which are wanted
cat > "$t/in" <<'C'
#define DATA_TYPE double
static void print_array(int n, DATA_TYPE POLYBENCH_1D(y,N,n))
{
  int i;
  for (i = 0; i < n; i++) fprintf(stderr, "%0.2lf (", y[i]);
}
static void kernel(int n, DATA_TYPE POLYBENCH_1D(x,N,n), DATA_TYPE POLYBENCH_1D(y,N,n), DATA_TYPE POLYBENCH_1D(z,N,n))
{
  int i;
#pragma scop
  for (i = 0; i < _PB_N; i++) { z[i] = x[i] * SCALAR_VAL(2.0); y[i] = z[i] + 1; }
#pragma endscop
}
==
void f(int n, double x[n], double y[n], double z[n]) {
#pragma redblue output y
  for (int i = 0; i < n; i++) { z[i] = x[i] * 2; y[i] = z[i] + 1; }
}
C
same printed n=5
# a border, read at every step, and the inside, read at the first, are inputs of their own, said as in C
cat > "$t/points.c" <<'C'
void f(int t, int n, double A[n]) {
  for (int s = 0; s < t; s++)
    for (int i = 1; i < n - 1; i++)
      A[i] = A[i-1] + A[i] + A[i+1];
}
C
ok "border" "$("$REDBLUE" cdag "$t/points.c:t=9,n=9" --format cdag | sed '1,2d')" 'input A[x0:1..n-1]
input A_1[x0:1]
input A_2[x0:n-1..n]
A_3[s:t, i:1..n-1] = A_3[s,i-1], A_1[i-1], A_3[s-1,i], A[i] if s == 0, A_3[s-1,i+1], A[i+1] if s == 0, A_2[i+1]
output A_3[t-1,*]'
# windows side by side in a matrix are a copy: what is read past it is said as the copy says it, in one piece
ok "windows" "$("$REDBLUE" cdag tests/nests/conv-im2col.flat.c:C=2,F=2,H=4,W=4 --format cdag | tail -2 | head -1)" \
  'y_1[f:F, p:15+1, k:9*C] = y_1[f,p,k-1], w[f,k], x[k/9,p/4+k/3-3*(k/9),p+k-4*(p/4)-3*(k/3)]'
# what is read where a quotient is a number, w[(i - 1) / 2] of odd i, is said as in C
ok "quotients of odd numbers" "$("$REDBLUE" cdag tests/nests/multigrid.plain.c:n=14 | head -1)" "multigrid.plain:n=14"
# a default; a text printed is read again
cat > "$t/c.c" <<'C'
#define N 6
double A[N][N];
void f(void) { for (int k = 0; k < N; k++) for (int i = k < 3 ? k : 3; i < N; i++) A[i][k] = A[i][k] + A[k][i]; }
C
ok "default" "$("$REDBLUE" cdag "$t/c.c" | head -1)" "c:N=6"
"$REDBLUE" cdag "$t/c.c" --format cdag > "$t/again.cdag"; ok "read again" "$(edges "$t/again.cdag")" "$(edges "$t/c.c")"
rm -rf "$t"; echo "$passed passed, $failed failed"; [ $failed = 0 ]
