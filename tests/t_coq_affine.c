/* Claims on affine texts as Coq is told of them: which texts have their bound proved, for neither more nor less than it
   says, and that a claim with any one number made better is refused.  `make proofs` asks Coq itself. */
#include "bounds/coq/affine.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { M = 12 };

static bool proves(const cdag *g, const bound *b, const char *parameters)
{
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = M };
  json_value v;
  diag d = { 0 };
  ck_assert_int_eq(json_read(&v, parameters, strlen(parameters), "parameters", &d), OK);
  bool yes = coq_affine_proves(&q, b, &v, NULL) || coq_tails_proves(&q, b, &v, NULL);
  json_value_clear(&v);
  return yes;
}

static bool proves_more(const cdag *g, const bound *b, int more)
{
  bound asked = *b;
  mpz_init(asked.value);
  mpz_set_si(asked.value, more);
  mpz_add(asked.value, asked.value, b->value);
  bool yes = proves(g, &asked, text_str(&b->parameters));
  mpz_clear(asked.value);
  return yes;
}

/* The number behind the name, so much more; is the claim proved then? */
static bool proves_changed(const cdag *g, const bound *b, const char *name, int more)
{
  text changed = { 0 };
  const char *all = text_str(&b->parameters), *at = strstr(all, name);
  char *end;
  ck_assert_msg(at != NULL, "%s is not in %s", name, all);
  at += strlen(name);
  int64_t number = strtoll(at, &end, 10);
  text_add_n(&changed, all, (size_t)(at - all));
  text_printf(&changed, "%" PRId64 "%s", number + more, end);
  bool yes = proves(g, b, text_str(&changed));
  text_clear(&changed);
  return yes;
}

#define PRODUCT "R[i:n, j:n, k:m] = R[i,j,k-1], C[i,j] if k == 0, A[i,k], B[k,j]\noutput R[*,*,m-1]\n"
#define TWO                                                                                                            \
  "param n = 16, m = 16\ninput A[n,m], B[m,n], D[n,m], E[m,n]\nR[i:n, j:n, k:m] = R[i,j,k-1], A[i,k], B[k,j]\n"        \
  "S[i:n, j:n, k:m] = S[i,j,k-1], "
static const struct {
  const char *what, *text;
  bool proved;
} texts[] = {
  { "a product that begins with an input", "param n = 12, m = 9\ninput A[n,m], B[m,n], C[n,n]\n" PRODUCT, true },
  { "a product", "param n = 12, m = 20\ninput A[n,m], B[m,n]\nR[i:n, j:n, k:m] = R[i,j,k-1], A[i,k], B[k,j]\n"
                 "output R[*,*,m-1]\n",
    true },
  { "a triangle of rows", "param n = 12, m = 9, t = 11\ninput A[n,m], B[m,t], P[i:n, j:i+1, s:t]\n"
                          "R[i:n, j:i+1, s:t, k:m] = R[i,j,s,k-1], P[i,j,s] if k == 0, A[i,k], B[k,s]\n"
                          "output R[*,*,*,m-1]\n",
    true },
  { "words that go on in another array",
    "param n = 12, m = 30, t = 9\ninput A[n,m,t], B[m,n]\nT[i:n, j:i+1, s:t, k:m] = T[i,j,s,k-1], A[i,k,s], B[k,j]\n"
    "U[i:n, j:i+1, s:t] = T[i,j,s,m-1], U[i,j,s-1]\noutput U[*,*,t-1]\n",
    true },
  { "a convolution that begins with an input",
    "param n = 30, f = 8, c = 6, k = 4\ninput X[c,n+k], W[f,c,k], Z[f,n]\n"
    "O[i:f, x:n, a:k, s:c] = O[i,x,a,s-1], O[i,x,a-1,s-1+c], Z[i,x] if a + s == 0, W[i,s,a], X[s,x+a]\n"
    "output O[*,*,k-1,c-1]\n",
    true },
  { "a matrix times its transpose", "param n = 14, m = 12\ninput A[n,m], C[i:n, j:i+1]\n"
                                    "R[i:n, j:i+1, k:m] = R[i,j,k-1], C[i,j] if k == 0, A[i,k], A[j,k]\n"
                                    "output R[*,*,m-1]\n",
    true },
  { "pairs of two matrices", "param n = 14, m = 12\ninput A[n,m], B[n,m]\n"
                             "R[i:n, j:i+1, k:m] = R[i,j,k-1], A[j,k], B[i,k], B[j,k], A[i,k]\noutput R[*,*,m-1]\n",
    true },
  { "pairs, and sums that go on in another array",
    "param n = 14, m = 12\ninput A[m,n]\nR[i:n, j:i..n, k:m] = R[i,j,k-1], A[k,i], A[k,j]\n"
    "C[i:n, j:i..n] = R[i,j,m-1]\noutput C[i:n, j:i..n]\n",
    true },
  { "inputs that are no words of steps", "param n = 200, m = 1\ninput A[n,m], B[m,n], C[n,n]\n" PRODUCT, true },
  { "a product of which two parts are read", "param n = 12, m = 9\ninput A[n,m], B[m,n], C[n,n]\n"
                                            "P[i:n, j:n, k:m] = A[i,k], B[k,j]\n"
                                            "R[i:n, j:n, k:m] = R[i,j,k-1], C[i,j] if k == 0, P[i,j,k]\n"
                                            "output R[*,*,m-1]\n",
    false },
  { "an index that says where it is",
    "param n = 12, m = 9\ninput A[n,m], B[m,n], C[n,n]\nR[i:n, j:n, k:m] = R[i,j,k-1], C[i+n*k,j], A[i,k], B[k,j]\n"
    "output R[*,*,m-1]\n",
    true },
  { "a convolution counted from the middle",
    "param n = 30, f = 8, c = 6\ninput X[c,n], W[i:f,s:c,a:-1..2], Z[f,n]\n"
    "O[i:f, x:1..n-1, s:c, a:-1..2] = O[i,x,s,a-1], O[i,x,s-1,2+a], Z[i,x] if s == 0 && a == -1, W[i,s,a], X[s,x+a]\n"
    "output O[*,*,c-1,1]\n",
    true },
  { "two products of the same matrices", TWO "A[i,k], B[k,j]\noutput R[*,*,m-1], S[*,*,m-1]\n", true },
  { "two products with a matrix in common", TWO "A[i,k], E[k,j]\noutput R[*,*,m-1], S[*,*,m-1]\n", true },
  { "two products with nothing in common", TWO "D[i,k], E[k,j]\noutput R[*,*,m-1], S[*,*,m-1]\n", true },
  { "words that may stand in two columns",
    TWO "E[k,j], A[i,k]\nT[i:n, j:n, k:m] = T[i,j,k-1], A[j,k], E[k,i]\noutput R[*,*,m-1], S[*,*,m-1], T[*,*,m-1]\n",
    true },
  { "a product of two products", "param n = 40, m = 60\ninput A[n,m], B[m,n], C[n,m], D[m,n]\n"
                                 "R[i:n, j:n, k:m] = R[i,j,k-1], A[i,k], B[k,j]\n"
                                 "T[i:n, j:n, k:m] = T[i,j,k-1], C[i,k], D[k,j]\n"
                                 "S[i:n, j:n, k:n] = S[i,j,k-1], R[i,k,m-1], T[k,j,m-1]\noutput S[*,*,n-1]\n",
    true },
  { "a product of chains' ends", "param n = 14, m = 14\ninput A[n,m], B[m,n], C[n,n]\n"
                                 "R[i:n, j:n, k:m] = R[i,j,k-1], A[i,k], B[k,j]\n"
                                 "S[i:n, j:n, k:n] = S[i,j,k-1], R[i,k,m-1], C[k,j]\noutput S[*,*,n-1]\n",
    true },
  { "a product of what is made of what is made", "param n = 40, m = 60\ninput A[n,m], B[m,n], C[n,n], D[n,n]\n"
                                                 "R[i:n, j:n, k:m] = R[i,j,k-1], A[i,k], B[k,j]\n"
                                                 "T[i:n, j:n, k:n] = T[i,j,k-1], R[i,k,m-1], C[k,j]\n"
                                                 "S[i:n, j:n, k:n] = S[i,j,k-1], T[i,k,n-1], D[k,j]\n"
                                                 "output S[*,*,n-1]\n",
    false },
};

/* Words that are read and continued, with recomputation: they have tails. */
#define LU                                                                                                             \
  "input A[n,n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"                     \
  "output L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n, j:i..n, i-1]\n"
static const struct {
  const char *what, *text;
  bool proved;
} tails[] = {
  { "lu", "param n = 150\n" LU, true },
  { "lu, larger", "param n = 170\n" LU, true },
  { "lu of a rectangle",
    "param n = 180, m = 130\ninput A[n,m,1]\nU[i:n, j:m, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], "
    "A[k,j,k]\noutput L[i:n, j:min(i,m)] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..m, j:i..m, i-1]\n",
    true },
  { "shortest paths in place", "param n = 60\ninput P[s:n+1, i:n, j:n] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], "
                               "P[s-1+(s-1<i),s-1,j]\noutput P[n,*,*]\n",
    false },
};

/* Nothing computed twice: operands are words. */
static const struct {
  const char *what, *text;
} once[] = {
  { "lu", "param n = 20\ninput A[n,n,1]\n"
          "U[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
          "output L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n, j:i..n, i-1]\n" },
  { "lu and a triangular solve",
    "param n = 24\ninput A[n,n,1], b[n,1]\n"
    "U[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
    "L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\n"
    "Y[i:n, j:i] = Y[i,j-1], b[i,j], L[i,j], Y[j,j-1], b[j,j]\n"
    "W[i:n, d:n-1-i] = W[i,d-1], Y[i,i-1+n*d], b[i,i+n*d], U[i,i+1+d,i-1], A[i,i+1+d,i], X[i+1+d]\n"
    "output X[i:n] = W[i,n-2-i], Y[i,i-1+n*(n-1-i)], b[i,i+n*(n-1-i)], U[i,i,i-1], A[i,i,i]\n" },
  { "Cholesky's factorisation", "param n = 30\ninput A[i:n, j:i+1, z:1]\n"
                                "C[i:n, j:i+1, k:j] = C[i,j,k-1], A[i,j,k], L[i,k], L[j,k]\n"
                                "output L[i:n, j:i] = C[i,j,j-1], A[i,j,j], D[j]\n"
                                "output D[i:n] = C[i,i,i-1], A[i,i,i]\n" },
  { "shortest paths in place", "param n = 18\ninput P[s:n+1, i:n, j:n] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], "
                               "P[s-1+(s-1<i),s-1,j]\noutput P[n,*,*]\n" },
  { "a triangular solve of many right sides", "param n = 18, m = 16\ninput L[n,n], B[n,m,1]\n"
                                              "S[i:n, j:m, k:i] = S[i,j,k-1], B[i,j,k], L[i,k], X[k,j]\n"
                                              "output X[i:n, j:m] = S[i,j,i-1], B[i,j,i], L[i,i]\n" },
};

/* The bound is proved, or not, and never with a number made better. */
static void hold_claim(const char *what, const char *rules, const char *name, bool proved)
{
  cdag *g = bound_text_open(rules, "");
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = M, .theorem = "affine", .one_shot = true };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, name);
  ck_assert_msg(b != NULL && strstr(text_str(&b->parameters), "\"first\"") != NULL, "%s: no claim", what);
  ck_assert_msg(proves_more(g, b, 0) == proved, "%s", what);
  ck_assert_msg(!proves_more(g, b, 1), "%s: one more", what);
  bool more = proves_changed(g, b, "\"segments\": ", 1), fewer = proves_changed(g, b, "\"segments\": ", -1);
  ck_assert_msg(!more && !fewer, "%s: segments", what);
  ck_assert_msg(!proves_changed(g, b, "\"first\": ", -1), "%s: first", what);
  ck_assert_msg(!proves_changed(g, b, "\"length\": ", -1), "%s: length", what);
  const char *claim = text_str(&b->parameters);
  bool pairs = strstr(claim, "\"pairs\": 1") || strstr(claim, "\"pairs\": 2");
  ck_assert_msg(pairs || !proves_changed(g, b, "\"power\": ", 6), "%s: a power", what);
  ck_assert_msg(!proves_changed(g, b, "\"pairs\": ", 1), "%s: pairs", what);
  ck_assert_msg(!proves_changed(g, b, "\"array\": ", -1), "%s: the steps", what);
  bound_list_clear(&list);
  cdag_free(g);
}

START_TEST(proved_texts) { hold_claim(texts[_i].what, texts[_i].text, "affine", texts[_i].proved); }
END_TEST
START_TEST(nothing_twice) { hold_claim(once[_i].what, once[_i].text, "affine-one-shot", true); }
END_TEST

START_TEST(with_tails) { hold_claim(tails[_i].what, tails[_i].text, "affine", tails[_i].proved); }
END_TEST

START_TEST(no_graphs)
{
  diag d = { 0 };
  cdag *g, *product = bound_text_open(texts[0].text, "");
  bound_question q = { .work = SEARCH_WORK, .g = product, .m = M, .theorem = "affine" };
  bound_list list = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  ck_assert_int_eq(cdag_open(&g, "pyramid:h=4", &d), OK);
  ck_assert(!proves_more(g, bound_named(&list, "affine"), 0));
  bound_list_clear(&list);
  cdag_free(g);
  cdag_free(product);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("coq_affine");
  TCase *claims = support_case(s, "claims");
  tcase_add_loop_test(claims, proved_texts, 0, COUNT(texts));
  tcase_add_loop_test(claims, nothing_twice, 0, COUNT(once));
  tcase_add_loop_test(claims, with_tails, 0, COUNT(tails));
  tcase_add_test(claims, no_graphs);
  return support_run(s);
}
