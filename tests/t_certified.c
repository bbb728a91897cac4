/* The checker accepts every certificate that bound writes, and hardly any bound lacks one for that: of kernels written
   as a user would (tests/kernels), of texts near the shapes that theorems know, and of random ones, in every game. */
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/checker.h"
#include "tests/support.h"
#include "tests/support_random_cdag.h"
#include <glob.h>
#include <stdio.h>
#include <string.h>

static const struct {
  int variant;
  bool one_shot;
} games[] = { { 0, false }, { 0, true }, { 1, false }, { 1, true }, { 2, true } };

static int certificates, unfollowed;

/* What is written is valid; what the checker does not follow is not written, and is rare. */
static void check_record(const bound_question *q, const bound *b, const char *what)
{
  text t = { 0 };
  diag d = { 0 };
  bound_check_result r;
  status written = bound_certify(q, b, &t, &d);
  ck_assert_msg(written == OK || (written == GAVE_UP && ++unfollowed * 100 <= certificates + 400),
                "%s of %s, M = %lu, game %d: %s", b->name, what, (unsigned long)q->m, q->variant, d.message);
  if (written != OK)
    return;
  status st = bound_check(t.s, t.n, "certificate", &r, &d);
  ck_assert_msg(st == OK && r.valid, "%s of %s, M = %lu, game %d%s: %s", b->name, what, (unsigned long)q->m, q->variant,
                q->one_shot ? " one-shot" : "", st == OK ? text_str(&r.reason) : d.message);
  ck_assert_msg(mpz_cmp(r.value, b->value) == 0 && r.models == b->models && r.digest == cdag_digest(q->g),
                "%s of %s is of another claim", b->name, what);
  certificates++;
  bound_check_clear(&r);
  text_clear(&t);
}

/* All theorems that apply in this game; quick: not those of any graph. */
static void check_all(const cdag *g, const char *what, uint64_t m, int game, bool quick)
{
  bound_list list = { 0 };
  diag d = { 0 };
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = m, .variant = games[game].variant,
                       .one_shot = games[game].one_shot };
  for (const bound_theorem *const *t = bound_theorems; *t; t++)
    if (!(*t)->slow && !(quick && strstr((*t)->source, "theory-graphs")))
      ck_assert_msg((*t)->apply(&q, &list, &d) == OK, "%s: %s", what, d.message);
  for (size_t i = 0; i < list.n; i++)
    if (bound_has_certificate(&list.item[i]))
      check_record(&q, &list.item[i], what);
  bound_list_clear(&list);
}

/* ---- kernels ---- */

static const uint64_t memories[] = { 3, 5, 20, 64 };

START_TEST(kernels)
{
  glob_t found;
  ck_assert_int_eq(glob("tests/kernels/*.cdag", 0, NULL, &found), 0);
  ck_assert_uint_gt(found.gl_pathc, 25);
  for (size_t i = (size_t)_i; i < found.gl_pathc; i += 5)
    for (int size = 0; size < 1 + !strstr(found.gl_pathv[i], "near_"); size++) { /* those have their sizes */
      cdag *g = NULL;
      diag d = { 0 };
      char spec[256];
      snprintf(spec, sizeof spec, "%s%s", found.gl_pathv[i], size ? ":n=40" : "");
      ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
      for (int k = size; k < COUNT(memories); k += 1 + size)
        if (support_sampled(4 * (int)i + k))
          check_all(g, spec, memories[k], (k + _i) % COUNT(games), size);
      cdag_free(g);
    }
  ck_assert_int_gt(certificates, support_sample(100));
  globfree(&found);
}
END_TEST

/* ---- near the shapes that theorems know ---- */

static const char *const shapes[] = {
  "param m = 3, n = 2, k = 2\ninput A[5,5], B[5,5]\nC[i:m, j:n, l:k] = A[i,l], C[i,j,l-1], B[l,j]\noutput F[i:m, j:n] "
  "= C[i,j,k-1]\n",
  "param m = 3, n = 3, k = 2\ninput A[5,5]\nC[i:m, j:i+1, l:k] = A[i,l], C[i,j,l-1], A[j,l]\noutput C[*,*,k-1]\n",
  "param n = 3, d = 2\ninput Q[5,5], K[5,5], V[5,5]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\nP[i:n, j:n] = "
  "S[i,j,d-1]\nL[i:n, j:n] = L[i,j-1], P[i,j]\n"
  "Z[i:n, l:d, j:n] = Z[i,l,j-1], P[i,j], V[j,l]\noutput O[i:n, l:d] = Z[i,l,n-1], L[i,n-1]\n",
  "param m = 3, n = 3, k = 2\ninput A[5,5], B[5,5], D[5,5]\nT[i:m, j:n, l:k] = T[i,j,l-1], A[i,l], B[l,j]\nC[i:m, j:n, "
  "l:n] = C[i,j,l-1], T[i,l,k-1], D[l,j]\noutput C[*,*,n-1]\n",
  "param n = 4\ninput A[5,5]\nS[i:n, j:i+1, k:j] = S[i,j,k-1], L[i,k], L[j,k], A[i,j]\noutput L[i:n, j:i+1] = "
  "S[i,j,j-1], A[i,j], L[j,j]\n",
  "param n = 5, t = 4\ninput A[s:t+1, i:n] = A[s-1,i-1], A[s-1,i], A[s-1,i+1]\noutput A[t,*]\n",
  "param n = 4\ninput D0[n,n]\nD[k:n, i:n, j:n] = D[k-1,i,j], D[k-1,i,k], D[k-1,k,j], D0[i,j]\noutput D[n-1,*,*]\n",
  "param n = 3, d = 2, r = 2\ninput F[5,5], G[5,5], V[5,5]\nW[a:r, l:d, j:n] = W[a,l,j-1], G[j,a], V[j,l]\nY[i:n, l:d, "
  "a:r] = Y[i,l,a-1], F[i,a], W[a,l,n-1]\noutput Y[*,*,r-1]\n",
};

static const char *const pieces[] = { "i",         "j",        "k",    "l",    "0",    "1",       "2",   "n",
                                      "d",         "i+1",      "j-1",  "j+1",  "n-1",  "d-1",     "l%2", "i/2",
                                      "1+(i*j)%2", "min(i,j)", "i+j",  "*",    "0..2", "A",       "B",   "S",
                                      "C",         "L",        "1..n", "i..n", "2*j",  "max(i,1)" };

START_TEST(near_shapes)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  text t = { 0 };
  diag d = { 0 };
  text_add(&t, shapes[support_between(&r, 0, COUNT(shapes) - 1)]);
  for (int64_t times = support_between(&r, 0, 3); times > 0; times--)
    support_change_word(&r, pieces, COUNT(pieces), &t);
  if (cdag_parse(&g, "near", t.s, "", &d) == OK && g->vertices < 3000)
    check_all(g, t.s, (uint64_t)support_between(&r, 2, 12), (int)support_between(&r, 0, COUNT(games) - 1), false);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

START_TEST(random_texts)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .least = 20, .most = 300, .plain = _i % 2 == 0 };
  text t = { 0 };
  cdag *g = support_random_cdag(&r, &o, &t);
  check_all(g, t.s, (uint64_t)support_between(&r, 2, 12), (int)support_between(&r, 0, COUNT(games) - 1), false);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("certified");
  tcase_add_loop_test(support_case(s, "kernels"), kernels, 0, 5);
  tcase_add_loop_test(support_case(s, "near"), near_shapes, 0, support_rounds(60));
  tcase_add_loop_test(support_case(s, "random"), random_texts, 0, support_rounds(40));
  return support_run(s);
}
