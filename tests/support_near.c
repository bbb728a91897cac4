#include "tests/support_near.h"
#include "base/mem.h"
#include "cdag/import/import.h"
#include "tests/support_one_shot.h"
#include "tests/support_random_cdag.h"
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int pick(support_random *r, int lo, int hi) { return (int)support_between(r, lo, hi); }
static bool chance(support_random *r, int percent) { return pick(r, 1, 100) <= percent; }
static const char *one_of(support_random *r, const char *const *list, int n) { return list[pick(r, 0, n - 1)]; }
#define ONE_OF(r, list) one_of(r, list, COUNT(list))

/* ---- texts of others ---- */

static void read_file(const char *name, text *out)
{
  FILE *f = fopen(name, "r");
  char block[4096];
  ck_assert_msg(f != NULL, "%s cannot be read", name);
  for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;)
    text_printf(out, "%.*s", (int)n, block);
  fclose(f);
}

static void one_file(support_random *r, text *out)
{
  static const char *const where[] = { "examples/polybench/*.cdag", "examples/polybench/*.c", "examples/ml/*.cdag",
                                       "tests/nests/*.cdag",        "tests/nests/*.c",        "cdag/families/*.cdag" };
  glob_t found;
  diag d = { 0 };
  ck_assert_int_eq(glob(ONE_OF(r, where), 0, NULL, &found), 0);
  const char *name = found.gl_pathv[pick(r, 0, (int)found.gl_pathc - 1)];
  text source = { 0 };
  read_file(name, &source);
  size_t n = strlen(name);
  if (strcmp(name + n - 2, ".c") == 0) {
    static const char *const words[] = { "i", "j", "k", "n", "0", "1", "2", "n-1", "i+1", "j-1" };
    if (chance(r, 30))
      support_change_word(r, words, COUNT(words), &source);
    if (cdag_import_c(name, text_str(&source), NULL, out, &d) != OK)
      out->n = 0;
    text_clear(&source);
  } else {
    text_clear(out);
    *out = source;
  }
  globfree(&found);
}

/* ---- sums ---- */

static const char loop_name[] = "ijkl";

/* Ranges of a rule's loop v: boxes, triangles, bands, ranges that lean, conditions' own ends. */
static void put_range(support_random *r, text *t, int v)
{
  static const char *const box[] = { "n", "p", "q", "3", "1..n", "0..p" };
  static const char *const leans[] = { "%c+1", "%c..n", "%c+1..n", "max(0,%c-1)..min(n,%c+2)", "%c..%c+3", "n-%c",
                                       "min(%c+1,p)", "%c", "%c/2..n" };
  text_printf(t, "%c:", loop_name[v]);
  if (v == 0 || chance(r, 60)) {
    text_add(t, ONE_OF(r, box));
    return;
  }
  for (const char *s = ONE_OF(r, leans), c = loop_name[pick(r, 0, v - 1)]; *s; s++)
    if (*s == '%') {
      text_char(t, c);
      s++;
    } else
      text_char(t, *s);
}

/* An index of some loops. */
static void put_form(support_random *r, text *t, int loops)
{
  char a = loop_name[pick(r, 0, loops - 1)], b = loop_name[pick(r, 0, loops - 1)];
  switch (pick(r, 0, 15)) {
  case 0: text_printf(t, "%c+%c", a, b); break;
  case 1: text_printf(t, "%c+%d", a, pick(r, 1, 2)); break;
  case 2: text_printf(t, "2*%c+%c", a, b); break;
  case 3: text_printf(t, "n-1-%c", a); break;
  case 4: text_printf(t, "%c..%c+%d", a, a, pick(r, 2, 3)); break;
  case 5: text_printf(t, "%d", pick(r, 0, 1)); break;
  case 6: text_printf(t, "%c-%c+3", a, b); break;
  case 7: text_printf(t, "w[%c]", a); break;
  case 8: text_printf(t, "min(%c,%c)", a, b); break;
  default: text_char(t, a);
  }
}

static void put_condition(support_random *r, text *t, int loops)
{
  char a = loop_name[pick(r, 0, loops - 1)], b = loop_name[pick(r, 0, loops - 1)];
  switch (pick(r, 0, 5)) {
  case 0: text_printf(t, " if %c > 0", a); break;
  case 1: text_printf(t, " if %c <= %c", a, b); break;
  case 2: text_printf(t, " if %c == 0", a); break;
  case 3: text_printf(t, " if %c + %c < n", a, b); break;
  case 4: text_printf(t, " if %c %% 2", a); break;
  default: text_printf(t, " if %c != %c", a, b);
  }
}

/* What a step reads: inputs X, Y of two indices, or ends of sums before. */
static void put_needs(support_random *r, text *t, int loops, int sums)
{
  int needs = pick(r, 1, 3);
  bool same = chance(r, 40);
  for (int k = 0; k < needs; k++) {
    if (sums > 0 && chance(r, 40)) {
      text_printf(t, "%sE%d[", k ? ", " : "", pick(r, 0, sums - 1));
      put_form(r, t, loops);
      text_add(t, ",");
    } else {
      text_printf(t, "%s%c[", k ? ", " : "", same ? 'X' : (char)('X' + k));
      put_form(r, t, loops);
      text_add(t, ",");
    }
    put_form(r, t, loops);
    text_char(t, ']');
    if (chance(r, 12))
      put_condition(r, t, loops);
  }
}

/* One or two sums after one another, their ends E0, E1. */
static void put_sums(support_random *r, text *t)
{
  int sums = pick(r, 1, 3);
  text_add(t, "param n, p, q\ntable w[J:20] = J/2\ninput X[20,20], Y[20,20], Z[20,20], F[20,20,1]\n");
  for (int s = 0; s < sums; s++) {
    int loops = pick(r, 3, 4), way = pick(r, 0, 5);
    text_printf(t, s == sums - 1 || chance(r, 20) ? "output E%d[" : "E%d[", s);
    if (way < 3) { /* as a sum */
      put_range(r, t, 0);
      text_add(t, ", ");
      put_range(r, t, 1);
      text_printf(t, "] = %s sum ", chance(r, 50) ? "F[i,j,0]," : chance(r, 30) ? "F[i,j,0], X[j,i]," : "");
      for (int v = 2; v < loops; v++) {
        text_add(t, v > 2 ? ", " : "");
        put_range(r, t, v);
      }
      text_add(t, " { ");
      put_needs(r, t, loops, s);
      text_add(t, " }\n");
    } else { /* as a chain, up or down, its first step perhaps a rule of its own */
      text at = { 0 };
      bool up = chance(r, 60), cut = chance(r, 40);
      t->n -= strlen("E0[");
      if (t->n >= 7 && strncmp(t->s + t->n - 7, "output ", 7) == 0)
        t->n -= 7;
      put_range(r, &at, 0);
      text_add(&at, ", ");
      put_range(r, &at, 1);
      if (cut && up)
        text_printf(t, "S%d[%s, k:0..1] = %s\n", s, text_str(&at), chance(r, 50) ? "X[i,0], Y[0,j]" : "F[i,j,0]");
      text_printf(t, "S%d[%s, k:%s] = S%d[i,j,k%c1], F[i,j,%s], ", s, text_str(&at), cut && up ? "1..q" : "q", s,
                  up ? '-' : '+', up ? "k" : "q-1-k");
      put_needs(r, t, 3, s);
      text_printf(t, "\noutput E%d[%s] = S%d[i,j,%s]\n", s, text_str(&at), s, up ? "q-1" : "0");
      text_clear(&at);
    }
  }
}

/* ---- stencils ---- */

/* Terms of array b around a place of array a: an offset in time for what is before it, and after it in the order of
 * the places. */
static void put_around(support_random *r, text *t, const char *array, int d, int back, bool in_place, bool corners)
{
  for (int a = -1; a <= 1; a++)
    for (int b = d > 1 ? -1 : 0; b <= (d > 1); b++) {
      if ((a && b && !corners) || chance(r, 6))
        continue;
      bool before = in_place && (a < 0 || (a == 0 && b < 0));
      text_printf(t, d > 1 ? ", %s[t-%d,i%+d,j%+d]" : ", %s[t-%d,i%+d]", array, before ? 0 : back, a, b);
    }
  if (!in_place && chance(r, 20))
    text_printf(t, d > 1 ? ", %s[t-%d,i-2..i+3,j], %s[t-%d,i,j-2..j+3]" : ", %s[t-%d,i-2..i+3], %s[t-%d,i+2]", array,
                back, array, back);
}

/* One array with its time, in place or not, or arrays that take turns; borders in the rule, or none; leaning rows. */
static void put_stencil(support_random *r, text *t)
{
  int d = pick(r, 1, 2), arrays = pick(r, 1, 3);
  bool corners = chance(r, 30), place = arrays == 1 && chance(r, 50), lean = chance(r, 15), weights = chance(r, 25);
  const char *row = lean ? "i:t..t+n" : chance(r, 50) ? "i:1..n+1" : "i:n", *second = d > 1 ? ", j:p" : "";
  text_printf(t, "param n, p, q\ninput %s\n", d > 1 ? "I[i:-20..30, j:-20..30, z:1], W[20,20], V[q,30]" :
                                                     "I[i:-20..30, z:1], W[20], V[q,30]");
  for (int a = 0; a < arrays; a++) {
    char before[16];
    int other = (a + arrays - 1) % arrays;
    snprintf(before, sizeof before, "U%d", other);
    text_printf(t, "%sU%d[t:q, %s%s] = I[i%s%s]", chance(r, 15) ? "output " : "", a, row, second, d > 1 ? ",j" : "",
                a == 0 ? ",t" : ",0");
    put_around(r, t, before, d, a == 0, place, corners);
    if (arrays > 1 && chance(r, 40))
      text_printf(t, d > 1 ? ", U%d[t-1,i,j]" : ", U%d[t-1,i]", a);
    if (chance(r, 60)) /* the first level's neighbours */
      text_printf(t, d > 1 ? ", I[i-1..i+2,j,t], I[i,j-1..j+2,t]" : ", I[i-1..i+2,t]");
    if (weights)
      text_printf(t, d > 1 ? ", W[i,j]" : ", W[i]");
    if (chance(r, 10))
      text_add(t, ", V[t,i]");
    text_char(t, '\n');
  }
  text_printf(t, "output U%d[q-1,%s]\n", arrays - 1, d > 1 ? "*,*" : "*");
}

/* A stencil as loops over its window, with weights or without; borders that lack a term, or that are read of inputs. */
static void put_window(support_random *r, text *t)
{
  int d = pick(r, 1, 2), reach = d > 1 ? 1 : pick(r, 1, 2);
  bool place = chance(r, 25), copied = chance(r, 40);
  const char *row = chance(r, 50) ? "i:1..n+1" : "i:n";
  char end[16];
  snprintf(end, sizeof end, d > 1 ? "%d,%d" : "%d", reach, reach);
  text_printf(t, "param n, p, q\ninput %s, W[q,9]\n", d > 1 ? "I[i:-20..30, j:-20..30]" : "I[i:-20..30]");
  text_printf(t, d > 1 ? "S[t:q, %s, j:p, a:-%d..2, b:-1..2] = S[t,i,j,a,b-1], S[t,i,j,a-1,1] if b == -1" :
                         "S[t:q, %s, a:-%d..%d] = S[t,i,a-1]", row, reach, reach + 1);
  const char *from = copied ? "A" : "S", *close = d > 1 ? ",j+b" : "";
  text_printf(t, ", %s[t-1,i+a%s%s%s]", from, close, copied ? "" : ",", copied ? "" : end);
  if (place)
    text_printf(t, ", %s[t,i+a%s%s%s] if a < 0", from, close, copied ? "" : ",", copied ? "" : end);
  text_printf(t, ", I[i+a%s] if t == 0 || a < 0", close);
  if (chance(r, 30))
    text_add(t, ", W[t,a+2]");
  text_char(t, '\n');
  if (copied)
    text_printf(t, d > 1 ? "A[t:q, %s, j:p] = S[t,i,j,%s]\n" : "A[t:q, %s] = S[t,i,%s]\n", row, end);
  text_printf(t, "output %s[q-1,%s%s%s]\n", from, d > 1 ? "*,*" : "*", copied ? "" : ",", copied ? "" : end);
}

/* ---- columns, intervals, passes: what gates bound ---- */

static const char *const shapes[] = {
  /* Gram-Schmidt, and sums that read one column alone */
  "param m = q, n\ninput A[m,n,1]\nN[k:n, i:m] = N[k,i-1], V[i,k,k-1], A[i,k,k]\noutput D[k:n] = N[k,m-1]\n"
  "output Q[i:m, k:n] = V[i,k,k-1], A[i,k,k], D[k]\nR[k:n, j:k+1..n, i:m] = R[k,j,i-1], Q[i,k], V[i,j,k-1], A[i,j,k]\n"
  "V[i:m, j:n, k:j] = V[i,j,k-1], A[i,j,k], Q[i,k], R[k,j,m-1]\noutput R[*,*,m-1]\n",
  "param m = q, n\ninput A[m,n,1]\nR[k:n, j:k+1..n, i:m] = R[k,j,i-1], V[i,j,k-1], A[i,j,k], V[i,k,k-1], A[i,k,k]\n"
  "V[i:m, j:n, k:j] = V[i,j,k-1], A[i,j,k], V[i,k,k-1], A[i,k,k], R[k,j,m-1]\noutput V[*,n-1,n-2]\n",
  /* the same, each column against all before it */
  "param m = q, n\ninput A[m,n,1]\nR[j:n, k:j, i:m] = R[j,k,i-1], W[i,j,k-1], A[i,j,k], Q[i,k]\n"
  "W[i:m, j:n, k:j] = W[i,j,k-1], A[i,j,k], Q[i,k], R[j,k,m-1]\nN[j:n, i:m] = N[j,i-1], W[i,j,j-1], A[i,j,j]\n"
  "output Q[i:m, j:n] = W[i,j,j-1], A[i,j,j], N[j,m-1]\n",
  /* all coefficients of a column from the column as it was */
  "param m = q, n\ninput A[m,n]\nR[j:n, k:j, i:m] = R[j,k,i-1], A[i,j], Q[i,k]\n"
  "W[i:m, j:n, k:j] = W[i,j,k-1], A[i,j] if k == 0, Q[i,k], R[j,k,m-1]\n"
  "output Q[i:m, j:n] = W[i,j,j-1], A[i,j] if j == 0\n",
  /* intervals */
  "param n\ninput T[i:n, j:i..n]\nP[i:n, j:i..n] = T[i,j], D[i,j-1,j-2], P[i,j-1] if j == i+1\n"
  "Q[i:n, j:i+1..n] = P[i,j], D[i+1,j,j-1], P[i+1,j] if j == i+1\nD[i:n, j:i+1..n, k:i..j] = D[i,j,k-1], "
  "Q[i,j] if k == i, D[i,k,k-1], D[k+1,j,j-1]\noutput D[i:n, j:i+1..n, j-1]\n",
  "param n\ninput w[i:n, j:i+1..n+1]\nC[i:n, j:i+2..n+1, k:i+1..j] = C[i,j,k-1], B[i,k], B[k,j]\n"
  "B[i:n, j:i+1..n+1] = w[i,j], C[i,j,j-1]\noutput B[0,n]\n",
  "param n\ninput w[n,n]\nS[a:n, b:n-a, k:n-1-a-b] = S[a,b,k-1], B[a,b+k+1], B[n-1-b-k,b]\n"
  "B[a:n, b:n-a] = S[a,b,n-2-a-b], w[a,b]\noutput B[0,0]\n",
  "param n\ninput x[n], c[i:n, j:i+1..n]\nM[L:1..n, i:n-L, k:L] = M[L,i,k-1], E[k,i], E[L-1-k,i+k+1], c[i,i+L]\n"
  "E[L:n, i:n-L] = M[L,i,L-1], x[i] if L == 0\noutput E[n-1,0]\n",
  /* passes */
  "param m = p, n = q\ninput A[m,n], x[n]\nT[i:m, j:n] = T[i,j-1], A[i,j], x[j]\nY[j:n, i:m] = Y[j,i-1], A[i,j], "
  "T[i,n-1]\noutput Y[*,m-1]\n",
  "param b = p, n = q\ninput X[b,n]\nL[i:b, j:n] = L[i,j-1], X[i,j]\nS[i:b, j:n] = S[i,j-1], X[i,j], L[i,n-1]\n"
  "output Y[i:b, j:n] = X[i,j], S[i,n-1]\n",
  "param t = p, n = q\ninput X[n]\nL[s:t, j:n] = L[s,j-1], X[j], S[s-1,n-1]\nS[s:t, j:n] = S[s,j-1], X[j], "
  "L[s,n-1]\noutput S[t-1,n-1]\n",
  "param n, t = p\ninput A[n,n], x[n]\nX[s:t, i:n, k:n] = X[s,i,k-1], A[i,k], X[s-1,k,n-1], x[k] if s == 0\n"
  "output X[t-1,*,n-1]\n",
  "param n\ninput A[n,n], u[n]\nB[i:n, j:n] = A[i,j], u[i]\nX[i:n, j:n] = X[i,j-1], B[j,i]\nW[i:n, j:n] = "
  "W[i,j-1], B[i,j], X[j,n-1]\noutput W[*,n-1]\n",
  /* products of products, factors, solves */
  "param n, p, q\ninput A[n,p], B[p,q], C[q,n]\nE[i:n, j:q, k:p] = E[i,j,k-1], A[i,k], B[k,j]\n"
  "G[i:n, j:n, k:q] = G[i,j,k-1], E[i,k,p-1], C[k,j]\noutput G[*,*,q-1]\n",
  "param n, t = p\ninput W[n,n], z[n,n]\n"
  "Z[s:t, i:n, j:n, k:n] = Z[s,i,j,k-1], W[i,k], Z[s-1,k,j,n-1], z[k,j] if s == 0\n"
  "output Z[t-1,*,*,n-1]\n",
  "param n\ninput A[n,n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
  "output L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n, j:i..n, i-1]\n",
  "param n, m = p\ninput L[n,n], B[n,m,1]\nX[i:n, j:m, k:i] = X[i,j,k-1], B[i,j,k], L[i,k], X[k,j,k-1], B[k,j,k]\n"
  "output X[i:n,*,i-1], Y[*,*]\nY[i:n, j:m] = B[i,j,i], X[i,j,i-1], L[i,i]\n",
  "param n\ninput A[n,n]\nS[i:n, j:i+1, k:j] = S[i,j,k-1], A[i,j] if k == 0, D[i,k], D[j,k]\n"
  "output D[i:n, j:i+1] = S[i,j,j-1], A[i,j] if j == 0, D[j,j] if i > j\n",
};

/* ---- changes ---- */

/* Where a term of a rule ends: its last bracket; or 0. */
static size_t some_term_end(support_random *r, const text *t)
{
  size_t at[200];
  int n = 0;
  for (size_t i = 0; i + 1 < t->n && n < COUNT(at); i++)
    if (t->s[i] == ']' && strchr(",\n }", t->s[i + 1]))
      at[n++] = i + 1;
  return n ? at[pick(r, 0, n - 1)] : 0;
}

static void insert(text *t, size_t at, const char *what)
{
  text made = { 0 };
  text_printf(&made, "%.*s%s%s", (int)at, t->s, what, t->s + at);
  text_clear(t);
  *t = made;
}

void near_change(support_random *r, text *t)
{
  static const char *const words[] = { "i",   "j",   "k",   "0",        "1",       "2",    "n",    "m",     "i+1",
                                       "j-1", "j+1", "n-1", "k-1",      "k+1",     "j/2",  "*",    "0..2",  "i..n",
                                       "j%2", "p",   "q",   "min(i,j)", "j..j+2",  "2*i",  "i+j",  "n-1-j", "t",
                                       "t-1", "s",   "X",   "A",        "B",       "W" };
  size_t end = some_term_end(r, t);
  text what = { 0 };
  switch (end ? pick(r, 0, 9) : 9) {
  case 0: case 1: /* a condition */
    put_condition(r, &what, 3);
    insert(t, end, text_str(&what));
    break;
  case 2: { /* a term less */
    size_t from = end;
    while (from > 0 && t->s[from] != '[')
      from--;
    while (from > 0 && t->s[from] != ',' && t->s[from] != '=' && t->s[from] != '\n')
      from--;
    if (t->s[from] == ',') {
      memmove(t->s + from, t->s + end, t->n - end + 1);
      t->n -= end - from;
    }
    break;
  }
  case 3: { /* a term twice, the second changed later perhaps */
    size_t from = end;
    while (from > 0 && t->s[from - 1] != '[')
      from--;
    while (from > 1 && isalnum((unsigned char)t->s[from - 2]))
      from--;
    text_printf(&what, ", %.*s", (int)(end - from + 1), t->s + from - 1);
    insert(t, end, text_str(&what));
    break;
  }
  case 4: { /* another output */
    const char *line = strchr(t->s, '\n');
    for (int k = pick(r, 0, 4); line && k > 0; k--)
      line = strchr(line + 1, '\n');
    if (line && line[1] && isupper((unsigned char)line[1]))
      insert(t, (size_t)(line + 1 - t->s), chance(r, 50) ? "output " : "input ");
    break;
  }
  default: support_change_word(r, words, COUNT(words), t);
  }
  text_clear(&what);
}

/* ---- sizes ---- */

/* name=value,... for the parameters of the text, none more than `most`. */
void near_sizes(support_random *r, const text *t, int most, text *out)
{
  text_clear(out);
  for (const char *line = text_str(t); line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    if (strncmp(line, "param", 5) != 0)
      continue;
    for (const char *s = line + 5; *s && *s != '\n' && *s != '#';) {
      while (*s == ' ' || *s == ',')
        s++;
      size_t n = 0;
      while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
      if (n == 0)
        break;
      const char *value = s + n + strspn(s + n, " ");
      bool leave = *value == '=' && !isdigit((unsigned char)value[1 + strspn(value + 1, " ")]) && chance(r, 70);
      if (!leave)
        text_printf(out, "%s%.*s=%d", out->n ? "," : "", (int)n, s, pick(r, most / 3, most));
      s += n + strcspn(s + n, ",\n#");
    }
  }
}

cdag *near_read(const text *t, const char *assign, uint64_t least, uint64_t most)
{
  cdag *g = NULL;
  diag d = { 0 };
  if (cdag_parse(&g, "near", text_str(t), assign, &d) != OK || (g->vertices >= least && g->vertices <= most))
    return g;
  cdag_free(g);
  return NULL;
}

void near_text(support_random *r, int most, text *t, text *assign)
{
  int kind = pick(r, 0, 20);
  text_clear(t);
  text_clear(assign);
  if (kind < 6)
    put_sums(r, t);
  else if (kind < 9)
    put_stencil(r, t);
  else if (kind < 14)
    text_add(t, ONE_OF(r, shapes));
  else if (kind == 20)
    put_window(r, t);
  else
    while (t->n == 0)
      one_file(r, t);
  near_sizes(r, t, most, assign);
}

cdag *near_computation(support_random *r, bool small, uint64_t most, text *source)
{
  cdag *g = NULL;
  text assign = { 0 };
  for (int times = 0; times < 50 && !g; times++) {
    near_text(r, small ? 4 : pick(r, 6, 20), source, &assign);
    for (int more = pick(r, 0, 3); more > 0; more--)
      near_change(r, source);
    g = near_read(source, text_str(&assign), small ? 6 : 40, most);
  }
  text_printf(source, "# %s\n", text_str(&assign));
  text_clear(&assign);
  return g;
}

/* ---- plays ---- */

typedef struct { int64_t key[2 * CDAG_RANK + 1]; uint32_t v; } placed;

static int by_key(const void *a, const void *b)
{
  const placed *x = a, *y = b;
  for (int i = 0; i <= 2 * CDAG_RANK; i++)
    if (x->key[i] != y->key[i])
      return x->key[i] < y->key[i] ? -1 : 1;
  return x->v < y->v ? -1 : x->v > y->v;
}

typedef struct { int order[CDAG_RANK], block[CDAG_RANK], lean[CDAG_RANK], sign[CDAG_RANK], array; } way;

enum { FAR = 10000 };              /* no index goes as far */

static int64_t along(const way *w, const cdag_element *e, int rank, int r)
{
  int64_t x = r < rank ? e->x[r] : 0;
  return w->sign[r] * x + (r > 0 && r < rank ? w->lean[r] * e->x[0] : 0);
}

static void key_of(const cdag *g, const way *w, uint32_t v, placed *p)
{
  cdag_element e;
  cdag_at(g, v, &e);
  int rank = g->array[e.array].rank, n = 0;
  *p = (placed){ .v = v };
  for (int i = 0; i < CDAG_RANK; i++) {
    int64_t x = along(w, &e, rank, w->order[i]) + FAR;
    p->key[n++] = x / w->block[w->order[i]];
  }
  p->key[n++] = w->array ? e.array : 0;
  for (int i = 0; i < CDAG_RANK; i++)
    p->key[n++] = along(w, &e, rank, i);
}

/* All of e's vertices by their keys. */
static placed *sorted(const cdag *g, const cdag_graph *e, const way *w)
{
  placed *p = MEM_NEW(placed, e->n);
  for (uint32_t v = 0; v < e->n; v++)
    key_of(g, w, v, &p[v]);
  qsort(p, e->n, sizeof *p, by_key);
  return p;
}

/* One after the other, each behind what it needs and is not there. */
static void order_lazily(const cdag_graph *e, const placed *p, uint32_t *order)
{
  uint32_t *stack = MEM_NEW(uint32_t, e->n + 1), n = 0;
  uint64_t *next = MEM_NEW(uint64_t, e->n);
  char *seen = MEM_NEW(char, e->n);
  for (uint32_t v = 0; v < e->n; v++)
    next[v] = e->pred_at[v];
  for (uint32_t i = 0; i < e->n; i++) {
    uint32_t depth = 0;
    if (seen[p[i].v])
      continue;
    stack[depth++] = p[i].v;
    seen[p[i].v] = 1;
    while (depth > 0) {
      uint32_t v = stack[depth - 1], u = next[v] < e->pred_at[v + 1] ? e->pred[next[v]++] : v;
      if (u == v) {
        order[n++] = v;
        depth--;
      } else if (!seen[u]) {
        seen[u] = 1;
        stack[depth++] = u;
      }
    }
  }
  mem_free(stack);
  mem_free(next);
  mem_free(seen);
}

/* Always the first of those whose predecessors are there. */
static void order_eagerly(const cdag_graph *e, const placed *p, uint32_t *order)
{
  const cdag_rows *succ = cdag_graph_successors(e);
  uint32_t *open = MEM_NEW(uint32_t, e->n), *rank = MEM_NEW(uint32_t, e->n), n = 0;
  char *ready = MEM_NEW(char, e->n);
  for (uint32_t i = 0; i < e->n; i++) {
    uint32_t v = p[i].v;
    rank[v] = i;
    open[v] = (uint32_t)(e->pred_at[v + 1] - e->pred_at[v]);
    ready[i] = open[v] == 0;
  }
  for (uint32_t i = 0; n < e->n;) {
    if (!ready[i]) {
      i++;
      continue;
    }
    uint32_t v = order[n++] = p[i].v;
    ready[i] = 0;
    for (uint64_t q = succ->at[v]; q < succ->at[v + 1]; q++) {
      uint32_t u = succ->to[q];
      if (--open[u] == 0) {
        ready[rank[u]] = 1;
        i = rank[u] < i ? rank[u] : i;
      }
    }
  }
  mem_free(open);
  mem_free(rank);
  mem_free(ready);
}

static way some_way(support_random *r, int k, uint64_t m)
{
  way w = { .array = pick(r, 0, 1) };
  int side = 1;
  while (k > 1 && (uint64_t)(side + 1) * (uint64_t)(side + 1) <= m)
    side++;
  for (int i = 0; i < CDAG_RANK; i++) {
    w.order[i] = i;
    w.sign[i] = k > 0 && chance(r, 15) ? -1 : 1;
    w.lean[i] = k > 1 && chance(r, 20) ? pick(r, -1, 2) : 0;
    w.block[i] = k < 2 || chance(r, 18) ? FAR : chance(r, 40) ? 1 : pick(r, 1, side + 1);
  }
  for (int i = 0; i < 3 && k > 0; i++) { /* the first four change their places */
    int a = pick(r, 0, 3), b = pick(r, 0, 3), x = w.order[a];
    w.order[a] = w.order[b];
    w.order[b] = x;
  }
  return w;
}

uint64_t near_play(const cdag *g, const cdag_graph *e, uint64_t m, support_random *r, int orders)
{
  uint32_t *order = MEM_NEW(uint32_t, e->n);
  uint64_t best = UINT64_MAX;
  for (int k = 0; k < orders; k++) {
    way w = some_way(r, k, m);
    if (k == 0)
      cdag_graph_topological(e, order);
    else {
      placed *p = sorted(g, e, &w);
      (k % 2 ? order_lazily : order_eagerly)(e, p, order);
      mem_free(p);
    }
    uint64_t cost = support_one_shot_io(e, m, order);
    best = cost < best ? cost : best;
  }
  mem_free(order);
  return best;
}
