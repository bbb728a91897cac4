#include "tests/support_tile.h"
#include "tests/support.h"
#include <string.h>

const tile_example tile_examples[] = {
  { "matmul", "param m n k\ninput A[m,k], B[k,n]\nC[i:m, j:n, l:k] = C[i,j,l-1], A[i,l], B[l,j]\noutput C[*,*,k-1]\n",
    "m=3,n=4,k=3" },
  { "attention",
    "param n d\nparam nk = n, dv = d\ninput  Q[n,d], K[nk,d], V[nk,dv]\nS[i:n, j:nk, k:d]  = S[i,j,k-1], Q[i,k], "
    "K[j,k]\n"
    "P[i:n, j:nk]       = S[i,j,d-1]\nL[i:n, j:nk]       = L[i,j-1], P[i,j]\nZ[i:n, l:dv, j:nk] = Z[i,l,j-1], P[i,j], "
    "V[j,l]\n"
    "output O[i:n, l:dv] = Z[i,l,nk-1], L[i,nk-1]\n",
    "n=4,d=2" },
  { "causal",
    "param n d\ninput Q[n,d], K[n,d]\nS[i:n, j:i+1, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:i+1] = S[i,j,d-1]\n"
    "L[i:n, j:i+1] = L[i,j-1], P[i,j]\noutput O[i:n] = L[i,i]\n",
    "n=5,d=2" },
  { "blocks",
    "param n b\nparam nb = ceil(n, b)\ntable w[J:nb] = min(b, n - J*b)\ninput K[n]\n"
    "X[J:nb, j:w[J]] = X[J,j-1], X[J-1,b-1+j], K[J*b+j]\noutput Y[J:nb] = X[J,w[J]-1], X[nb-1,w[nb-1]-1]\n",
    "n=8,b=3" },
  { "stencil", "param w t\ninput A[s:t+1, i:w] = A[s-1,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n", "w=6,t=3" },
  { "rows",
    "param n\ninput X[n,n]\nY[i:n, j:n] = X[i,*], X[j,i], Y[i,j-1]\nT[i:n] = Y[i,0..i+1], Y[*,i]\noutput T[*], "
    "Y[i:n,i]\n",
    "n=4" },
  { "diagonal", "param n\ninput X[n,n]\nY[i:n, j:n] = X[i,j], X[i,i], Y[i-1,j]\noutput Z[i:n] = Y[i,i], Y[n-1,*]\n",
    "n=4" },
  { "strided", "param n\ninput X[2*n]\nY[i:n] = X[2*i], X[2*i+1], Y[i-1]\noutput Z[i:n] = Y[n-1-i], Y[i]\n", "n=6" },
  { "twice",
    "param n\ninput X[n]\nY[i:n, j:3] = X[i], X[i], Y[i,j-1], Y[i,j-1], Y[i,0..j]\noutput Z[i:n] = Y[i,2], Y[i,*]\n",
    "n=4" },
  { "monomials",
    "param n d g\nparam m = binomial(d + g, g)\ntable p[m] = monomial_parent(d,g)\ntable v[m] = "
    "monomial_variable(d,g)\n"
    "input Q[n,d]\nF[i:n, a:1..m] = F[i,p[a]], Q[i,v[a]]\noutput S[i:n, a:1..m] = S[i,a-1], F[i,a]\n",
    "n=3,d=2,g=2" },
  { "shifted",
    "param n\ninput X[i:3..n]\nY[i:3..n, j:-1..2] = Y[i,j-1], X[i], Y[i-1,1]\noutput Y[n-1,*], Y[i:3..n,1]\n", "n=7" },
};
const int tile_example_count = COUNT(tile_examples);

cdag *tile_open_example(int i)
{
  const tile_example *e = &tile_examples[i];
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, e->name, e->text, e->assign, &d) == OK, "%s: line %d: %s", e->name, d.line, d.message);
  return g;
}

static bool same_element(const cdag *g, const cdag_element *a, const cdag_element *b)
{
  return a->array == b->array && !memcmp(a->x, b->x, (size_t)g->array[a->array].rank * sizeof *a->x);
}

const char *tile_difference(const cdag *g, const pebble_verdict *a, const pebble_verdict *b)
{
  if (a->legal != b->legal || a->rule != b->rule)
    return "rule";
  if (a->loads != b->loads || a->stores != b->stores || a->computes != b->computes)
    return "counts";
  if (a->peak != b->peak)
    return "peak";
  if (a->moves != b->moves)
    return "moves";
  if (a->rule != PEBBLE_LEGAL && a->rule != PEBBLE_VALUE && !same_element(g, &a->element, &b->element))
    return "element";
  if (a->rule == PEBBLE_PREDECESSOR && !same_element(g, &a->missing, &b->missing))
    return "missing";
  return a->rule == PEBBLE_MEMORY && a->needed != b->needed ? "needed" : NULL;
}
