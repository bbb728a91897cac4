/* Descriptions as somebody writes them for a computation of their own: the bound that is found, and that it says more
   than compulsory traffic where the theory can; where it cannot, why.  Certificates of all check. */
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "tests/support.h"
#include <string.h>

static const struct {
  const char *what, *text, *assign;
  uint64_t m;
  const char *best; /* name of the best bound; "compulsory": nothing better is proved, for the reason in `what` */
} own[] = {
  { "batched product",
    "param b, m, n, k\ninput A[b,m,k], B[b,k,n]\nC[p:b, i:m, j:n, l:k] = C[p,i,j,l-1], A[p,i,l], B[p,l,j]\noutput "
    "C[*,*,*,k-1]\n",
    "b=8,m=64,n=64,k=64", 300, "components" },
  { "three matrices",
    "param n\ninput A[n,n], B[n,n], C[n,n]\nT[i:n, j:n, k:n] = T[i,j,k-1], A[i,k], B[k,j]\n"
    "D[i:n, j:n, k:n] = D[i,j,k-1], T[i,k,n-1], C[k,j]\noutput D[*,*,n-1]\n",
    "n=128", 500, "affine" },
  { "an einsum of four indices, summed block after block",
    "param n, q\ninput A[n,q,q], B[q,q,n]\nC[a:n, b:n, k:q, l:q] = C[a,b,k,l-1], C[a,b,k-1,l+q-1], A[a,k,l], "
    "B[k,l,b]\noutput C[*,*,q-1,q-1]\n",
    "n=64,q=8", 200, "projective" }, /* as much as product-segment, and machine-checked */
  { "MTTKRP",
    "param n, r\ninput T[n,n,n], B[n,r], C[n,r]\nX[i:n, l:r, j:n, k:n] = X[i,l,j,k-1], X[i,l,j-1,k+n-1], T[i,j,k], "
    "B[j,l], C[k,l]\noutput X[*,*,n-1,n-1]\n",
    "n=64,r=32", 1000, "projective" },
  { "a matrix times its transpose",
    "param n, k\ninput A[n,k]\nC[i:n, j:i+1, l:k] = C[i,j,l-1], A[i,l], A[j,l]\noutput C[*,*,k-1]\n", "n=100,k=60", 200,
    "product-segment" },
  { "distances of all points",
    "param n, d\ninput X[n,d], Y[n,d]\nS[i:n, j:n, k:d] = S[i,j,k-1], X[i,k], Y[j,k]\noutput S[*,*,d-1]\n", "n=80,d=40",
    100, "projective" },
  { "a linear layer with bias",
    "param b, m, n\ninput X[b,m], W[m,n], c[n]\nY[i:b, j:n, k:m] = Y[i,j,k-1], X[i,k], W[k,j]\noutput Z[i:b, j:n] = "
    "Y[i,j,m-1], c[j]\n",
    "b=64,m=64,n=64", 200, "affine" },
  { "two heads sharing keys",
    "param h, n, d\ninput Q[h,n,d], K[n,d], V[n,d]\nS[g:h, i:n, j:n, k:d] = S[g,i,j,k-1], Q[g,i,k], K[j,k]\n"
    "Z[g:h, i:n, l:d, j:n] = Z[g,i,l,j-1], S[g,i,j,d-1], V[j,l]\noutput Z[*,*,*,n-1]\n",
    "h=2,n=128,d=16", 1024, "attention-segment" },
  { "attention to what came before, whose scores are read as they are: as many as they have chains",
    "param n, d\ninput Q[n,d], K[n,d], V[n,d]\nS[i:n, j:i+1] = sum k:d { Q[i,k], K[j,k] }\n"
    "L[i:n] = sum j:i+1 { S[i,j] }\nZ[i:n, l:d] = sum j:i+1 { S[i,j], V[j,l] }\noutput Y[i:n, l:d] = Z[i,l], L[i]\n",
    "n=512,d=16", 256, "attention-three-way" },
  { "attention with a bias for each pair",
    "param n, d\ninput Q[n,d], K[n,d], V[n,d], B[n,n]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
    "P[i:n, j:n] = S[i,j,d-1], B[i,j]\nZ[i:n, l:d, j:n] = Z[i,l,j-1], P[i,j], V[j,l]\noutput Z[*,*,n-1]\n",
    "n=256,d=16", 1024, "pairs-and-inputs" },
  { "a sum: each word is used once", "param n\ninput x[n]\ns[i:n] = s[i-1], x[i]\noutput s[n-1]\n", "n=5000", 100,
    "compulsory" },
  { "softmax alone: rows longer than the memory are read twice, and one row has nothing to do with another",
    "param m, n\ninput X[m,n]\nE[i:m, j:n] = X[i,j]\nS[i:m, j:n] = S[i,j-1], E[i,j]\noutput P[i:m, j:n] = E[i,j], "
    "S[i,n-1]\n",
    "m=64,n=256", 100, "components" },
  { "a convolution: x[i+t] does not tell i and t apart",
    "param n, k\ninput x[n+k-1], w[k]\ny[i:n, t:k] = y[i,t-1], x[i+t], w[t]\noutput y[*,k-1]\n", "n=2000,k=100", 100,
    "compulsory" },
  { "Jacobi in a small plane: the lines say less than inputs and outputs",
    "param n, t\ninput A[s:t+1, i:n, j:n] = A[s-1,i,j], A[s-1,i-1,j], A[s-1,i+1,j], A[s-1,i,j-1], A[s-1,i,j+1]\noutput "
    "A[t,*,*]\n",
    "n=20,t=10", 60, "dominators" },
  { "elimination: the chain's loop comes before loops that depend on it",
    "param n\ninput A[n,n]\nU[k:n, i:k..n, j:k..n] = U[k-1,i,j], L[k-1,i], U[k-1,k-1,j], A[i,j+n*k]\nL[k:n, i:k+1..n] "
    "= U[k,i,k], U[k,k,k]\n"
    "output U[a:n,a,a..n]\noutput L[*,*]\n",
    "n=20", 60, "dominators" },
};

START_TEST(own_descriptions)
{
  cdag *g = NULL;
  diag d = { 0 };
  bound_list list = { 0 };
  int best;
  ck_assert_msg(cdag_parse(&g, "own", own[_i].text, own[_i].assign, &d) == OK, "%s: line %d: %s", own[_i].what, d.line,
                d.message);
  bound_question q = { .g = g, .m = own[_i].m };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  ck_assert_msg(strcmp(list.item[best].name, own[_i].best) == 0, "%s: best is %s", own[_i].what, list.item[best].name);
  ck_assert_msg(best == 0 || mpz_cmp(list.item[best].value, list.item[0].value) > 0, "%s: no more than compulsory",
                own[_i].what);
  for (size_t i = 0; i < list.n; i++)
    if (bound_has_certificate(&list.item[i])) {
      text t = { 0 };
      bound_check_result r;
      ck_assert_int_eq(bound_certificate(&q, &list.item[i], &t, &d), OK);
      ck_assert_int_eq(bound_check(text_str(&t), t.n, "certificate", &r, &d), OK);
      ck_assert_msg(r.valid, "%s, %s: %s", own[_i].what, list.item[i].name, text_str(&r.reason));
      bound_check_clear(&r);
      text_clear(&t);
    }
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_own");
  TCase *c = support_case(s, "own");
  tcase_add_loop_test(c, own_descriptions, 0, COUNT(own));
  return support_run(s);
}
