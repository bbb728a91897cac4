/* The checker of attention by features, asked directly: one claim about a description, and the same claim about
   descriptions that differ from it in one place; its inequalities against the sums they stand for; claims that differ
   in one member. */
#include "bounds/program/lowrank.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <string.h>

#define SIZES "n=5,m=7,e=2,d=9,v=8,r=6"
static const char base[] =
    "param n m e d v r\ninput K[n,e], Q[m,d], V[n,v]\n"
    "FK[j:n, a:r] = K[j,*]\nFQ[i:m, a:r] = Q[i,*]\n"
    "W[a:r, l:v, j:n] = W[a,l,j-1], FK[j,a], V[j,l]\nU[a:r, j:n] = U[a,j-1], FK[j,a]\n"
    "N[i:m, l:v, a:r] = N[i,l,a-1], FQ[i,a], W[a,l,n-1]\nS[i:m, a:r] = S[i,a-1], FQ[i,a], U[a,n-1]\n"
    "output O[i:m, l:v] = N[i,l,r-1], S[i,r-1]\n";

/* No words do no work, so there is one event; 6 8 + 7 8 chains are born, and 6 + 7 of the normaliser. */
#define CUT ", \"segments\": 1, \"first\": 0, \"length\": 0, \"most_first\": 0, \"most\": 0, \"events\": 1}"
#define NUMBERS "\"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 2, \"dv\": 8, "
#define WHOLE                                                                                                          \
  "{\"W\": \"W\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\", \"normaliser\": true, \"weigh_normaliser\": "              \
  "true, " NUMBERS
#define HALF "{\"W\": \"W\", \"N\": \"N\", \"normaliser\": false, \"weigh_normaliser\": false, " NUMBERS
static const char whole[] = WHOLE "\"births\": 117, \"stores\": 56, \"work\": 1914" CUT,
                  half[] = HALF "\"births\": 104, \"stores\": 56, \"work\": 1728" CUT;

/* ---- descriptions ---- */

typedef struct { const char *from, *to; } change;
/* both: with the normaliser and without it. */
typedef enum { NONE, PLAIN, BOTH } holds;
static const struct { holds holds; change change[4];
} other[] = {
  { BOTH, { { "param n", "param n" } } },
  /* more operands, other orders of them and of the loops, rows further apart */
  { BOTH, { { "FK[j,a], V[j,l]", "V[j,l], FK[j,a]" } } },
  { BOTH, { { "FK[j,a], V[j,l]", "FK[j,a], V[j,l], V[0,0], V[n-1,v-1]" } } },
  { BOTH, { { "FQ[i,a], W[a,l,n-1]", "W[a,l,0], W[a,l,n-1], FQ[i,a]" } } },
  { BOTH, { { "W[a,l,n-1]", "W[a,l,n-1-0*i]" } } },
  { BOTH, { { "K[j,*]", "K[j,*], K[0,0]" } } },
  { BOTH, { { "K[j,*]", "X[a], K[j,*]" }, { "V[n,v]", "V[n,v], X[9]" } } },
  { BOTH, { { "K[j,*]", "X[j], K[j,*]" }, { "V[n,v]", "V[n,v], X[9]" } } },
  { BOTH, { { "K[j,*]", "K[j,*], X[j]" }, { "V[n,v]", "V[n,v], X[9]" } } },
  { BOTH, { { "= K[j,*]", "= X[j,*]" }, { "= Q[i,*]", "= X[n+i,0..e]" }, { "V[n,v]", "V[n,v], X[n+m,e]" } } },
  { BOTH, { { "N[i,l,a-1], FQ", "N[i,l,a+1], FQ" }, { "N[i,l,r-1]", "N[i,l,0]" } } },
  { BOTH, { { "S[i,a-1], FQ", "S[i,a+1], FQ" }, { "S[i,r-1]", "S[i,0]" } } },
  { BOTH,
    { { "W[a:r, l:v, j:n] = W[a,l,j-1], FK[j,a], V[j,l]", "W[l:v, j:n, a:r] = W[l,j-1,a], FK[j,a], V[j,l]" },
      { "W[a,l,n-1]", "W[l,n-1,a]" } } },
  { BOTH,
    { { "W[a:r, l:v, j:n] = W[a,l,j-1], FK[j,a], V[j,l]", "W[j:n, a:r, l:v] = W[j-1,a,l], FK[j,a], V[j,l]" },
      { "W[a,l,n-1]", "W[n-1,a,l]" } } },
  { BOTH, { { "N[i:m, l:v, a:r] = N[i,l,a-1]", "N[l:v, a:r, i:m] = N[l,a-1,i]" }, { "N[i,l,r-1]", "N[l,r-1,i]" } } },
  { BOTH, { { "N[i:m, l:v, a:r] = N[i,l,a-1]", "N[a:r, i:m, l:v] = N[a-1,i,l]" }, { "N[i,l,r-1]", "N[r-1,i,l]" } } },
  { BOTH, { { "U[a:r, j:n] = U[a,j-1]", "U[j:n, a:r] = U[j-1,a]" }, { "U[a,n-1]", "U[n-1,a]" } } },
  { BOTH, { { "S[i:m, a:r] = S[i,a-1]", "S[a:r, i:m] = S[a-1,i]" }, { "S[i,r-1]", "S[r-1,i]" } } },
  { BOTH, { { "= K[j,*]", "= K[j,*], V[j,0..e]" } } },
  /* statements whose chains are not all alike, or begin with words */
  { NONE, { { "W[a:r, l:v, j:n]", "W[a:r, l:v, j:(a==0)..n]" } } },
  { NONE, { { "N[i:m, l:v, a:r]", "N[i:m, l:v, a:(i==0)..r]" } } },
  { NONE, { { "N[i:m, l:v, a:r]", "N[i:m, l:v-(i==6), a:r]" } } },
  { PLAIN, { { "U[a:r, j:n]", "U[a:r, j:(a==0)..n]" } } },
  { PLAIN, { { "S[i:m, a:r]", "S[i:m, a:(i==0)..r]" } } },
  { NONE, { { "W[a,l,j-1]", "W[a,l,j-1], C[a,l,j]" }, { "V[n,v]", "V[n,v], C[r,v,1]" } } },
  { NONE, { { "N[i,l,a-1]", "N[i,l,a-1], C[i,l,a]" }, { "V[n,v]", "V[n,v], C[m,v,1]" } } },
  { PLAIN, { { "U[a,j-1]", "U[a,j-1], C[a,j]" }, { "V[n,v]", "V[n,v], C[r,1]" } } },
  { PLAIN, { { "S[i,a-1]", "S[i,a-1], C[i,a]" }, { "V[n,v]", "V[n,v], C[m,1]" } } },
  { NONE, { { "N[i,l,r-1], S", "N[i,0,r-1], S" } } },
  { NONE, { { "W[a,l,j-1]", "C[a,l,j], W[a,l,j-1]" }, { "V[n,v]", "V[n,v], C[r,v,1]" } } },
  { PLAIN, { { "U[a,j-1]", "C[a,j], U[a,j-1]" }, { "V[n,v]", "V[n,v], C[r,1]" } } },
  { NONE, { { "N[i,l,a-1]", "N[i,l-1,a]" }, { "N[i,l,r-1]", "N[i,v-1,*]" } } },
  { PLAIN, { { "S[i,a-1]", "S[i-1,a]" }, { "S[i,r-1]", "S[m-1,*]" } } },
  /* features of no row, of one that a table tells, of one for each index, of a wider one for each index; that are
     inputs; that are not always there; told by a table; of a token or an index alone; of three loops; and loops that
     are neither */
  { NONE, { { "FK[j:n, a:r] = K[j,*]", "FK[j:n, a:r] = X[j,a]" }, { "V[n,v]", "V[n,v], X[n,r]" } } },
  { NONE, { { "K[j,*]", "K[w[j],*]" }, { "FK[j:n", "table w[j:n] = n-1-j\ntable y[a:r] = r-1-a\nFK[j:n" } } },
  { NONE, { { "K[j,*]", "K[j,*], X[a,*]" }, { "V[n,v]", "V[n,v], X[r,9]" } } },
  { NONE, { { "FK[j,a], V", "X[j,a], V" }, { "V[n,v]", "V[n,v], X[n,r]" } } },
  { NONE, { { "FK[j:n, a:r]", "FK[j:n, a:r-(j==0)]" }, { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j,a], K[j,0]" } } },
  { NONE, { { "FQ[i:m, a:r]", "FQ[i:m, a:r-(i==0)]" } } },
  { NONE, { { "FK[j,a], V", "FK[w[j],a], V" }, { "FK[j:n", "table w[j:n] = n-1-j\ntable y[a:r] = r-1-a\nFK[j:n" } } },
  { NONE, { { "FK[j,a], V", "FK[j,y[a]], V" }, { "FK[j:n", "table w[j:n] = n-1-j\ntable y[a:r] = r-1-a\nFK[j:n" } } },
  { NONE, { { "FK[j,a], V", "FK[j,0], V" } } },
  { NONE, { { "FK[j,a], V", "FK[0,a], V" } } },
  { NONE,
    { { "FK[j,a], V", "FK[j,a,l], V" },
      { "FK[j:n, a:r]", "FK[j:n, a:r, l:v]" },
      { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j,a,0]" } } },
  { NONE,
    { { "W[a,l,j-1], FK[j,a]", "W[a,l,h,j-1], FK[j,a]" },
      { "W[a:r, l:v, j:n]", "W[a:r, l:v, h:2, j:n]" },
      { "W[a,l,n-1]", "W[a,l,*,n-1]" } } },
  /* sums that do not run over tokens, over features; that run backwards and are read before their end */
  { NONE, { { "W[a,l,j-1]", "W[a,l-1,j]" } } },
  { NONE, { { "W[a,l,j-1]", "W[a,l,j+1]" }, { "output O", "output W[*,*,0]\noutput O" } } },
  { PLAIN, { { "U[a,j-1]", "U[a,j+1]" }, { "S[i,r-1]", "S[i,r-1], U[*,0]" } } },
  { NONE, { { "N[i,l,a-1]", "N[i,l-1,a]" } } },
  { PLAIN, { { "S[i,a-1]", "S[i-1,a]" } } },
  { PLAIN,
    { { "U[a:r, j:n] = U[a,j-1]", "U[a:r, l:v, j:n] = U[a,l,j-1]" },
      { "U[a,n-1]", "U[a,0,n-1]" },
      { "S[i,r-1]", "S[i,r-1], U[*,*,n-1]" } } },
  { NONE,
    { { "W[a:r, l:v, j:n] = W[a,l,j-1], FK[j,a], V[j,l]", "W[a:r, j:n] = W[a,j-1], FK[j,a], V[j,0]" },
      { "W[a,l,n-1]", "W[a,n-1]" } } },
  /* words of V that are computed, not always there, told by other loops */
  { NONE, { { "FK[j,a], V[j,l]", "FK[j,a], VV[j,l]" }, { "output O", "VV[j:n, l:v] = V[j,l]\noutput O" } } },
  { NONE, { { "FK[j,a], V[j,l]", "FK[j,a], X[j,l]" }, { "V[n,v]", "V[n,v], X[j:n, l:v-(j==0)]" } } },
  { NONE,
    { { "FK[j,a], V[j,l]", "FK[j,a], X[z[j],l]" },
      { "V[n,v]", "V[n,v], X[2*n,v]" },
      { "FK[j:n", "table z[j:n] = j/2\nFK[j:n" } } },
  { NONE, { { "FK[j,a], V[j,l]", "FK[j,a], V[j,0]" } } },
  { NONE, { { "FK[j,a], V[j,l]", "FK[j,a], V[0,l]" } } },
  { NONE, { { "FK[j,a], V[j,l]", "FK[j,a], X[a,l]" }, { "V[n,v]", "V[n,v], X[r,v]" } } },
  { NONE, { { "FK[j,a], V[j,l]", "FK[j,a], X[a,j,l]" }, { "V[n,v]", "V[n,v], X[r,n,v]" } } },
  /* other ends of the sums, or not of all of them */
  { NONE, { { "W[a,l,n-1]", "W[a,l,n-2]" } } },
  { NONE, { { "W[a,l,n-1]", "W[a,l,n-2]" }, { "output O", "output W[*,*,n-1]\noutput O" } } },
  { NONE, { { "W[a,l,n-1]", "W[a,l,*]" } } },
  { NONE, { { "W[a,l,n-1]", "W[a,l,n-1..n]" } } },
  { NONE, { { "W[a,l,n-1]", "W[a,0,n-1]" }, { "output O", "output W[*,*,n-1]\noutput O" } } },
  { NONE, { { "W[a,l,n-1]", "W[r-1-a,l,n-1]" } } },
  { NONE, { { "W[a,l,n-1]", "W[a,v-1-l,n-1]" } } },
  { NONE, { { "W[a,l,n-1]", "W[y[a],l,n-1]" }, { "FK[j:n", "table w[j:n] = n-1-j\ntable y[a:r] = r-1-a\nFK[j:n" } } },
  { NONE, { { "W[a,l,n-1]", "W[a,l,n-1-i/m]" } } },
  { NONE,
    { { "N[i:m, l:v, a:r]", "N[i:m, l:v, a:r-1]" },
      { "N[i,l,r-1]", "N[i,l,r-2]" },
      { "output O", "output W[*,*,n-1]\noutput O" } } },
  { NONE, { { "N[i:m, l:v, a:r]", "N[i:m, l:v-1, a:r]" }, { "output O", "output W[*,*,n-1]\noutput O" } } },
  { NONE, { { "N[i:m, l:v, a:r]", "N[i:m, l:v, a:r+1]" }, { "FQ[i:m, a:r]", "FQ[i:m, a:r+1]" } } },
  { PLAIN, { { "U[a,n-1]", "U[a,n-2]" }, { "S[i,r-1]", "S[i,r-1], U[*,n-1]" } } },
  { PLAIN, { { "U[a,n-1]", "U[0,n-1]" }, { "S[i,r-1]", "S[i,r-1], U[*,n-1]" } } },
  { PLAIN, { { "FQ[i,a], U[a,n-1]", "FQ[i,a]" }, { "S[i,r-1]", "S[i,r-1], U[*,n-1]" } } },
  { NONE,
    { { "W[a:r, l:v, j:n] = W[a,l,j-1], FK[j,a], V[j,l]", "W[l:v, j:n, a:r] = W[l,j-1,a], FK[j,a], V[j,l]" },
      { "W[a,l,n-1]", "W[l,n-1,a]" },
      { "N[i:m, l:v, a:r]", "N[i:m, l:v-1, a:r]" },
      { "S[i,r-1]", "S[i,r-1], W[*,n-1,*]" } } },
  /* features that share vertices; rows that share words; features of the sums themselves */
  { NONE,
    { { "= K[j,*]", "= G[j,a]" },
      { "= Q[i,*]", "= G[n+i,a]" },
      { "FK[j:n", "G[x:n+m, a:r] = X[x,*]\nFK[j:n" },
      { "V[n,v]", "V[n,v], X[n+m,e]" } } },
  { NONE, { { "K[n,e], Q[m,d]", "K[m,e]" }, { "= Q[i,*]", "= K[i,*]" } } },
  { NONE, { { "= K[j,*]", "= V[j,*]" } } },
  { NONE, { { "= Q[i,*]", "= X[i,*]" }, { "V[n,v]", "X[m,v]" }, { "V[j,l]", "X[j,l]" } } },
  { BOTH, { { "= K[j,*]", "= K[j,*], W[a-1,0,j-1], U[a-1,j-1]" } } },
  { NONE, { { "= Q[i,*]", "= Q[i,*], W[a,i,n-1]" } } },
  /* a normaliser of other features, in another order, of fewer */
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j,r-1-a]" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[n-1-j,a]" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j,a/1]" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j,a..a+1]" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], F2[j,a]" }, { "U[a:r", "F2[j:n, a:r] = K[j,*]\nU[a:r" } } },
  { PLAIN, { { "S[i,a-1], FQ[i,a]", "S[i,a-1], F2[i,a]" }, { "U[a:r", "F2[i:m, a:r] = Q[i,*]\nU[a:r" } } },
  { PLAIN, { { "S[i,a-1], FQ[i,a]", "S[i,a-1], FQ[m-1-i,a]" } } },
  { PLAIN, { { "S[i,a-1], FQ[i,a]", "S[i,a-1], FQ[i,r-1-a]" } } },
  { PLAIN, { { "U[a:r, j:n]", "U[a:r-1, j:n]" }, { "S[i:m, a:r]", "S[i:m, a:r-1]" }, { "S[i,r-1]", "S[i,r-2]" } } },
  { PLAIN, { { "U[a:r, j:n]", "U[a:r, j:n-1]" }, { "U[a,n-1]", "U[a,n-2]" } } },
  /* the same, told by tables or by other than linear indices, where the loops are right */
  { NONE,
    { { "FQ[i,a], W", "FQ[i,a], X[u[i]], W" },
      { "= Q[i,*]", "= Q[u[i],*]" },
      { "V[n,v]", "V[n,v], X[m]" },
      { "FK[j:n", "table w[j:n] = n-1-j\ntable u[i:m] = m-1-i\ntable x[l:v] = v-1-l\nFK[j:n" } } },
  { NONE,
    { { "FK[j,a], V[j,l]", "FK[j,a], V[j,x[l]]" },
      { "FK[j:n", "table w[j:n] = n-1-j\ntable u[i:m] = m-1-i\ntable x[l:v] = v-1-l\nFK[j:n" } } },
  { NONE, { { "W[a,l,n-1]", "W[a/1,l,n-1]" }, { "S[i,r-1]", "S[i,r-1], W[*,*,n-1]" } } },
  { NONE, { { "W[a,l,n-1]", "W[a-1,l,n-1]" }, { "S[i,r-1]", "S[i,r-1], W[*,*,n-1]" } } },
  { NONE,
    { { "W[a,l,n-1]", "W[a,x[l],n-1]" },
      { "S[i,r-1]", "S[i,r-1], W[*,*,n-1]" },
      { "FK[j:n", "table w[j:n] = n-1-j\ntable u[i:m] = m-1-i\ntable x[l:v] = v-1-l\nFK[j:n" } } },
  { NONE, { { "FK[j,a], V", "FK[j/1,a], V" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j/1,a]" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j+1,a]" }, { "FK[j:n", "FK[j:n+1" }, { "K[n,e]", "K[n+1,e]" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[2*j,a]" }, { "FK[j:n", "FK[j:2*n" }, { "K[n,e]", "K[2*n,e]" } } },
  { PLAIN, { { "U[a,j-1], FK[j,a]", "U[a,j-1], FK[j,2*a]" }, { "FK[j:n, a:r]", "FK[j:n, a:2*r]" } } },
};

static cdag *changed(const change *c, const char *sizes)
{
  text t = { 0 };
  text_add(&t, base);
  for (int i = 0; i < 4 && c[i].from; i++) {
    char *at = strstr(t.s, c[i].from);
    ck_assert_msg(at, "no '%s' in\n%s", c[i].from, t.s);
    text made = { 0 };
    text_add_n(&made, t.s, (size_t)(at - t.s));
    text_printf(&made, "%s%s", c[i].to, at + strlen(c[i].from));
    text_clear(&t);
    t = made;
  }
  cdag *g = bound_text_open(text_str(&t), sizes);
  text_clear(&t);
  return g;
}

START_TEST(other_descriptions)
{
  cdag *g = changed(other[_i].change, SIZES);
  const char *claim[] = { whole, half };
  for (int k = 0; k < 2; k++)
    if (other[_i].holds >= (k == 0 ? BOTH : PLAIN))
      ck_assert_msg(bound_claim_holds("lowrank", g, 9, claim[k]), "with '%s', %s", other[_i].change[0].to, claim[k]);
    else
      bound_claim_refused("lowrank", g, 9, claim[k], "has not the shape");
  cdag_free(g);
}
END_TEST

/* ---- claims ---- */

START_TEST(wrong_claims)
{
#define SHAPE "{\"W\": \"W\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\""
#define FLAGS ", \"normaliser\": true, \"weigh_normaliser\": true"
  static const char shape[] = "has not the shape";
  static const struct { const char *claim, *why;
  } wrong[] = {
    { SHAPE "}", "'normaliser' is missing" },
    { SHAPE ", \"normaliser\": 1, \"weigh_normaliser\": true}", "'normaliser' is missing" },
    { SHAPE ", \"normaliser\": true}", "'weigh_normaliser' is missing" },
    { SHAPE ", \"normaliser\": true, \"weigh_normaliser\": \"true\"}", "'weigh_normaliser' is missing" },
    { "{\"N\": \"N\", \"U\": \"U\", \"S\": \"S\"" FLAGS "}", shape },
    { "{\"W\": \"\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\"" FLAGS "}", shape },
    { "{\"W\": \"X\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\"" FLAGS "}", shape },
    { "{\"W\": \"K\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\"" FLAGS "}", shape },
    { "{\"W\": \"W\", \"N\": \"W\", \"U\": \"U\", \"S\": \"S\"" FLAGS "}", shape },
    { "{\"W\": \"N\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\"" FLAGS "}", shape },
    { "{\"W\": \"U\", \"N\": \"S\", \"U\": \"U\", \"S\": \"S\"" FLAGS "}", shape },
    { "{\"W\": \"W\", \"N\": \"N\", \"U\": \"W\", \"S\": \"N\"" FLAGS "}", shape },
    { "{\"W\": \"W\", \"N\": \"N\", \"U\": \"U\", \"S\": \"N\"" FLAGS "}", shape },
    { SHAPE FLAGS "}", "'keys'" },
    { SHAPE FLAGS ", \"keys\": 6}", "'keys'" },
    { SHAPE FLAGS ", \"keys\": 5, \"queries\": 5}", "'queries'" },
    { SHAPE FLAGS ", \"keys\": 5, \"queries\": 7, \"features\": 8}", "'features'" },
    { SHAPE FLAGS ", \"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 3}", "'d'" },
    { SHAPE FLAGS ", \"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 2, \"dv\": 9}", "'dv'" },
    { WHOLE "\"births\": 116, \"stores\": 56, \"work\": 1914" CUT, "'births'" },
    { WHOLE "\"births\": 117, \"stores\": 55, \"work\": 1914" CUT, "'stores'" },
    { WHOLE "\"births\": 117, \"stores\": 56, \"work\": 1915" CUT, "the weight of all steps" },
    { WHOLE "\"births\": 117, \"stores\": 56}", "'work'" },
    { WHOLE "\"births\": 117, \"stores\": 56, \"work\": 1914, \"segments\": 1, \"first\": 18446744073709551616, "
            "\"length\": 0, \"most_first\": 9, \"most\": 0, \"events\": 1}",
      "more is possible" },
    { "{\"W\": \"W\", \"N\": \"N\", \"normaliser\": false, \"weigh_normaliser\": true, " NUMBERS
      "\"births\": 104, \"stores\": 56, \"work\": 1728" CUT,
      "no such normaliser" },
  };
  cdag *g = changed(other[0].change, SIZES);
  for (size_t i = 0; i < COUNT(wrong); i++)
    bound_claim_refused("lowrank", g, 9, wrong[i].claim, wrong[i].why);
  /* the normaliser's sums over tokens need not be counted */
  ck_assert(bound_claim_holds("lowrank", g, 9,
                              "{\"W\": \"W\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\", \"normaliser\": true, "
                              "\"weigh_normaliser\": false, " NUMBERS
                              "\"births\": 117, \"stores\": 56, \"work\": 1854" CUT));
  cdag_free(g);
}
END_TEST

/* Rows without words, or with very many. */
START_TEST(sizes)
{
  static const struct { const char *sizes, *numbers, *why;
  } widths[] = {
    { "n=5,m=7,e=0,d=3,v=8,r=6", "\"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 0, \"dv\": 8",
      "has not the shape" },
    { "n=5,m=7,e=268435456,d=268435457,v=8,r=6",
      "\"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 268435456, \"dv\": 8", "'births'" },
    { "n=5,m=7,e=268435457,d=268435458,v=8,r=6",
      "\"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 268435457, \"dv\": 8", "too many" },
    { "n=5,m=7,e=2,d=3,v=268435456,r=6", "\"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 2, \"dv\": 268435456",
      "'births'" },
    { "n=5,m=7,e=2,d=3,v=268435457,r=6", "\"keys\": 5, \"queries\": 7, \"features\": 6, \"d\": 2, \"dv\": 268435457",
      "too many" },
  };
  for (size_t i = 0; i < COUNT(widths); i++) {
    cdag *g = changed((change[4]){ { "K[j,*]", "K[j,*], X[0]" }, { "V[n,v]", "V[n,v], X[1]" } }, widths[i].sizes);
    text claim = { 0 };
    text_printf(&claim, "{\"W\": \"W\", \"N\": \"N\", \"normaliser\": false, \"weigh_normaliser\": false, %s}",
                widths[i].numbers);
    bound_claim_refused("lowrank", g, 9, text_str(&claim), widths[i].why);
    text_clear(&claim);
    cdag_free(g);
  }
}
END_TEST

/* What x words allow, as the search for bounds has it: no more is claimed, and no less. */
START_TEST(words_allow)
{
  cdag *g = bound_text_open(base, "n=20,m=9,e=3,d=4,v=2,r=30");
  bool normaliser = _i > 0, weighed = _i > 1;
  lowrank_weights w = { { 20, 9, 30, 3, 2, normaliser, 0, 0, 9 }, weighed };
  mpz_t x, most, all;
  mpz_inits(x, most, all, NULL);
  bound_lowrank_total(&w, all);
  for (int words = 0; words < 80; words++) {
    mpz_set_si(x, words);
    bound_lowrank_work(&w, x, most);
    bool any = mpz_cmp(most, all) >= 0; /* nothing is proved of so many */
    ck_assert(any == (words > 44));
    for (int more = -1; more <= !any; more++) {
      text claim = { 0 };
      long work = mpz_get_si(most) + more;
      text_printf(&claim,
                  "{\"W\": \"W\", \"N\": \"N\", \"U\": \"U\", \"S\": \"S\", \"normaliser\": %s, \"weigh_normaliser\": "
                  "%s, \"keys\": 20, \"queries\": 9, \"features\": 30,"
                  " \"d\": 3, \"dv\": 2, \"births\": %d, \"stores\": 18, \"work\": %ld, \"segments\": 1, \"first\": "
                  "%d, \"length\": 0, \"most_first\": %ld, \"most\": 0, \"events\": %d}",
                  normaliser ? "true" : "false", weighed ? "true" : "false", normaliser ? 117 : 78, mpz_get_si(all),
                  words, work, words + 1);
      if (more == 0 && !any)
        ck_assert_msg(bound_claim_holds("lowrank", g, 9, text_str(&claim)), "%s", text_str(&claim));
      else
        bound_claim_refused("lowrank", g, 9, text_str(&claim),
                            work < 0    ? "no natural number"
                            : more <= 0 ? "more is possible"
                                        : "it is too much");
      text_clear(&claim);
    }
  }
  mpz_clears(x, most, all, NULL);
  cdag_free(g);
}
END_TEST

/* The statement as the first array. */
START_TEST(first_array)
{
  static const char rule[] = "W[a:r, l:v, j:n] = W[a,l,j-1], FK[j,a], V[j,l]\n";
  text first = { 0 };
  text_printf(&first, "%sinput K", rule);
  cdag *g = changed((change[4]){ { rule, "" }, { "input K", text_str(&first) } }, SIZES);
  ck_assert(bound_claim_holds("lowrank", g, 9, whole));
  text_clear(&first);
  cdag_free(g);
}
END_TEST

/* Sixty-four arrays before them: trees are told by bits. */
START_TEST(many_arrays)
{
  text inputs = { 0 };
  text_add(&inputs, "K[n,e]");
  for (int i = 0; i < 64 - _i; i++)
    text_printf(&inputs, ", E%d[1]", i);
  cdag *g = changed((change[4]){ { "K[n,e]", text_str(&inputs) } }, SIZES);
  if (_i < 8)
    bound_claim_refused("lowrank", g, 9, half, "has not the shape");
  else
    ck_assert(bound_claim_holds("lowrank", g, 9, half));
  cdag_free(g);
  text_clear(&inputs);
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "fft:l=2", &d), OK);
  bound_claim_refused("lowrank", g, 9, half, "has not the shape");
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("claims_lowrank");
  TCase *c = support_case(s, "lowrank");
  tcase_add_loop_test(c, other_descriptions, 0, COUNT(other));
  tcase_add_test(c, wrong_claims);
  tcase_add_test(c, sizes);
  tcase_add_loop_test(c, words_allow, 0, 3);
  tcase_add_test(c, first_array);
  tcase_add_loop_test(c, many_arrays, 4, 10);
  return support_run(s);
}
