/* The loads of one bound and the stores of another: the number, the certificate, and no more than plays move. */
#include "bounds/checker.h"
#include "schedules/tiler/find.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include "tests/support_random_cdag.h"
#include <string.h>

/* PolyBench's solver: the factorisation, forward and backward substitution. */
#define SOLVER                                                                                                         \
  "param n = 4\ninput A[n,n,1], b[n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], "          \
  "A[k,j,k]\nL[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\nY[i:n, j:i] = Y[i,j-1], b[i,j], L[i,j], "       \
  "Y[j,j-1], b[j,j]\nW[i:n, d:n-1-i] = W[i,d-1], Y[i,i-1+n*d], b[i,i+n*d], U[i,i+1+d,i-1], A[i,i+1+d,i], X[i+1+d]\n"   \
  "output X[i:n] = W[i,n-2-i], Y[i,i-1+n*(n-1-i)], b[i,i+n*(n-1-i)], U[i,i,i-1], A[i,i,i]\n"
/* A product, the sum of all of it, and what is made of each element and the sum. */
#define PRODUCT_OF(LAST)                                                                                               \
  "param n = 3, m = 2\ninput A[n,m], B[m,n]\nP[i:n, j:n, k:m] = P[i,j,k-1], A[i,k], B[k,j]\nR[i:n, j:n] = R[i,j-1], " \
  "P[i,j,m-1]\nS[i:n, z:1] = S[i-1,z], R[i,n-1]\noutput O[i:n, j:n] = P[i,j,m-1], " LAST "\n"
#define PRODUCT PRODUCT_OF("S[n-1,0]")

/* The solver with L and U beside the sums: its gate is the last step of the factorisation, which counts. */
#define BESIDE                                                                                                         \
  "param n\ninput A[i:n, j:n], b[n]\nS[i:n, j:n, k:min(i,j)] = A[i,j] if k == 0, S[i,j,k-1], L[i,k], U[k,j]\n"         \
  "U[i:n, j:i..n] = S[i,j,i-1], A[i,j] if i == 0\nL[i:n, j:i] = S[i,j,j-1], A[i,j] if j == 0, U[j,j]\n"               \
  "f[i:1..n, j:i] = b[i] if j == 0, f[i,j-1], L[i,j], y[j]\ny[i:n] = f[i,i-1], b[i] if i == 0\n"                      \
  "g[i:n-1, j:i+1..n] = y[i] if j == n-1, g[i,j+1], U[i,j], x[j]\n"                                                   \
  "output x[i:n] = g[i,i+1], y[i] if i == n-1, U[i,i]\n"

static const bound *record_of(const cdag *g, uint64_t m, bound_list *l, const bound **affine)
{
  bound_question q = { .g = g, .m = m, .one_shot = true };
  diag d = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, l, &best, &d), OK);
  const bound *once = bound_named(l, "affine-one-shot"), *again = bound_named(l, "affine");
  *affine = once ? once : again;
  return bound_named(l, "affine-and-gates");
}

/* Another product behind the sum: not all that is loaded for products comes before the gate. */
#define TWICE                                                                                                          \
  "param n = 3, m = 2\ninput A[n,m], B[m,n], C[n,n]\nP[i:n, j:n, k:m] = P[i,j,k-1], A[i,k], B[k,j]\nR[i:n, j:n] = "    \
  "R[i,j-1], P[i,j,m-1]\nS[i:n, z:1] = S[i-1,z], R[i,n-1]\nO[i:n, j:n] = P[i,j,m-1], S[n-1,0]\nZ[i:n, j:n, k:n] = "   \
  "Z[i,j,k-1], O[i,k], C[k,j]\noutput Z[*,*,n-1]\n"

/* Windows that move by two, whose steps weigh different numbers, and a filter that does not wait: its steps come late,
   and are not taken off. */
#define WINDOWS                                                                                                        \
  "param n = 3, m = 2\ninput x[m,2*n+3], w[n,m,3]\nP[o:n, i:n, s:m, a:3] = P[o,i,s,a-1], P[o,i,s-1,2] if a == 0, "     \
  "x[s,2*i+a], w[o,s,a]\nR[o:n-1, i:n] = R[o,i-1], P[o,i,m-1,2]\nS[o:n-1, z:1] = S[o-1,z], R[o,n-1]\n"               \
  "output O[o:n-1, i:n] = P[o,i,m-1,2], S[n-2,0]\noutput P[n-1..n,*,m-1,2]\n"

/* So many paths wait that cannot be red: their stores are moves besides, and their loads where all steps come before.
 */
static const struct { const char *text, *assign; uint64_t m; long waiting, times;
} known[] = {
  { SOLVER, "n=200", 500, 199 * 198 / 2 - 500, 2 },
  { PRODUCT, "n=100,m=100", 600, 100 * 100 - 600, 2 },
  { TWICE, "n=100,m=100", 600, 100 * 100 - 600, 1 },
  { BESIDE, "n=200", 500, 200 * 199 / 2 - 500, 2 },
  { WINDOWS, "n=100,m=20", 300, 99 * 100 - 300, 1 },
};

START_TEST(values)
{
  cdag *g = bound_text_open(known[_i].text, known[_i].assign);
  bound_list list = { 0 };
  const bound *affine, *b = record_of(g, known[_i].m, &list, &affine);
  ck_assert(b && affine);
  long more = mpz_get_si(b->value) - mpz_get_si(affine->value) - known[_i].times * known[_i].waiting;
  ck_assert_msg(more >= 0 && more <= known[_i].times, "%ld, not %ld and %ld times %ld", mpz_get_si(b->value),
                mpz_get_si(affine->value), known[_i].times, known[_i].waiting);
  ck_assert(bound_claim_gives("affine-and-gates", g, (int64_t)known[_i].m, text_str(&b->parameters), b->value));
  ck_assert(!bound_claim_holds("affine-and-gates", g, (int64_t)known[_i].m, text_str(&affine->parameters)));
  bound_list_clear(&list);
  bound_own_certificate_stands("affine-and-gates", g, known[_i].m, "stores", (const char *const[]){ "\"first\": " }, 0);
  cdag_free(g);
}
END_TEST

/* Nothing waits: an element is put out, or has its reader at once. */
static const char *const nothing[] = {
  "param n = 60, m = 60\ninput A[n,m], B[m,n]\nP[i:n, j:n, k:m] = P[i,j,k-1], A[i,k], B[k,j]\nR[i:n, j:n] = R[i,j-1], "
  "P[i,j,m-1]\nS[i:n, z:1] = S[i-1,z], R[i,n-1]\noutput O[i:n, j:n] = P[i,j,m-1], S[n-1,0]\noutput P[*,*,m-1]\n",
  PRODUCT_OF("R[i,j]"),
};

START_TEST(nothing_waits)
{
  cdag *g = bound_text_open(nothing[_i], "n=60,m=60");
  bound_list list = { 0 };
  const bound *affine;
  ck_assert_ptr_null(record_of(g, 200, &list, &affine));
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* Of a good play the loads alone, and the stores alone, are no fewer. */
START_TEST(each_part)
{
  cdag *g = bound_text_open(known[_i].text, strstr(known[_i].assign, "m=") ? "n=24,m=24" : "n=40");
  uint64_t m = 50 + 20 * (uint64_t)(strstr(known[_i].assign, "m=") != NULL);
  bound_list list = { 0 };
  pebble_rules rules = { .m = m, .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  cdag_counts count;
  diag d = { 0 };
  const bound *affine, *b = record_of(g, m, &list, &affine);
  ck_assert(b && affine);
  ck_assert_int_eq(cdag_count(g, &count, &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  num_count more = (num_count)(mpz_get_si(b->value) - mpz_get_si(affine->value)),
            half = more / (num_count)known[_i].times;
  ck_assert((num_count)mpz_get_si(affine->value) + more - half <= f.loads + count.outputs);
  ck_assert(half + count.outputs <= f.stores);
  schedule_found_clear(&f);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* Texts near these, and changed claims, against plays. */
static const char *const pieces[] = { "i",   "j",   "k",   "0", "1", "n", "m", "i+1",
                                      "j-1", "n-1", "m-1", "P", "R", "S", "*" };

START_TEST(against_plays)
{
  enum { TRIES = 60, VERTICES = 90 };
  support_random r = { (uint64_t)_i + 3 };
  cdag *g = NULL;
  text t = { 0 };
  diag d = { 0 };
  text_add(&t, PRODUCT);
  for (int64_t times = support_between(&r, 0, 2); times > 0 && _i > 1; times--)
    support_change_word(&r, pieces, sizeof pieces / sizeof *pieces, &t);
  uint64_t m = (uint64_t)support_between(&r, 6, 8) / 2, cost; /* of fewer words these sizes know nothing */
  if (cdag_parse(&g, "near", t.s, _i % 2 ? "n=3,m=3" : "n=4,m=2", &d) == OK && g->vertices < VERTICES) {
    bound_list list = { 0 };
    const bound *affine, *b = record_of(g, m, &list, &affine);
    bool played = b && bound_least_cost(g, m, true, &cost);
    ck_assert_msg(!played || mpz_cmp_ui(b->value, cost) <= 0, "seed %d, M=%d: %ld, a play costs %ld\n%s", _i, (int)m,
                  mpz_get_si(b->value), (long)cost, t.s);
    for (int k = 0; k < TRIES && played; k++) {
      text changed = { 0 };
      json_value v;
      mpz_t value;
      text reason = { 0 };
      mpz_init(value);
      if (bound_claim_alter(text_str(&b->parameters), k, &changed)) {
        ck_assert_int_eq(json_read(&v, text_str(&changed), changed.n, "claim", &d), OK);
        bound_claim c = { "affine-and-gates", g, (int64_t)m, &v, 0 };
        if (bound_checker_find("affine-and-gates")->check(&c, value, &reason))
          ck_assert_msg(mpz_cmp_ui(value, cost) <= 0, "seed %d, M=%d: %ld, a play costs %ld\n%s\n%s", _i, (int)m,
                        mpz_get_si(value), (long)cost, t.s, text_str(&changed));
        json_value_clear(&v);
      }
      mpz_clear(value);
      text_clear(&reason);
      text_clear(&changed);
    }
    bound_list_clear(&list);
  }
  cdag_free(g);
  text_clear(&t);
}
END_TEST

/* ---- operands that are stored, or read in one stay ---- */

#define CLOSURE(LAST)                                                                                                  \
  "param n\ninput P[s:n+1,i:n,j:n] = P[s-1,i,j], P[s-1+(s-1<j),i,s-1], " LAST "\noutput P[n,*,*]\n"
#define PLAIN CLOSURE("P[s-1+(s-1<i),s-1,j]")

START_TEST(operands)
{
  static const char *const numbers[] = { "\"ends\": ", "\"starts\": ", "\"degree\": " };
  cdag *g = bound_text_open(PLAIN, "n=100"), *other = bound_text_open(CLOSURE("P[s-1+(s-1<i),s-1,i]"), "n=100");
  bound_question q = { .g = g, .m = 40, .one_shot = true };
  bound_list list = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, "affine-stored"), *once = bound_named(&list, "affine-one-shot");
  ck_assert(b && once);
  /* most of 4 n^2 births come back */
  double more = mpz_get_d(b->value) - mpz_get_d(once->value);
  ck_assert_msg(more > 1.5e4 && more < 4e4, "%.0f more", more);
  bound_claim_refused("affine-stored", g, 40, text_str(&once->parameters), "it needs a claim");
  /* its own word and the word of the one need do not tell the step of another word */
  bound_claim_refused("affine-stored", other, 40, text_str(&b->parameters), "do not tell their steps");
  bound_own_certificate_stands("affine-stored", g, 40, "operands", numbers, 3);
  bound_list_clear(&list);
  cdag_free(g);
  cdag_free(other);
}
END_TEST

/* Texts near a closure, and changed claims, against plays. */
START_TEST(operands_against_plays)
{
  static const char *const words[] = { "i", "j", "s", "s-1", "s-1+(s-1<j)", "s-1+(s-1<i)", "s-2", "0" };
  enum { TRIES = 60 };
  support_random r = { (uint64_t)_i + 1 };
  cdag *g = NULL;
  text t = { 0 };
  diag d = { 0 };
  uint64_t m = (uint64_t)support_between(&r, 6, 30);
  text_add(&t, PLAIN);
  for (int64_t times = support_between(&r, 0, 2); times > 0 && _i > 1; times--)
    support_change_word(&r, words, sizeof words / sizeof *words, &t);
  if (cdag_parse(&g, "closure", t.s, support_between(&r, 0, 1) ? "n=20" : "n=26", &d) != OK) {
    text_clear(&t);
    return;
  }
  bound_question q = { .g = g, .m = m, .one_shot = true, .theorem = "affine-stored" };
  bound_list list = { 0 };
  pebble_rules rules = { .m = m, .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_int_eq(bound_theorem_find("affine-stored")->apply(&q, &list, &d), OK);
  const bound *b = bound_named(&list, "affine-stored");
  bool played = b && schedule_find(g, &rules, &options, &f, &d) == OK;
  uint64_t cost = played ? (uint64_t)(f.loads + f.stores) : 0;
  if (played)
    schedule_found_clear(&f);
  ck_assert_msg(!played || mpz_cmp_ui(b->value, cost) <= 0, "seed %d, M=%d: %ld, a play costs %ld\n%s", _i, (int)m,
                mpz_get_si(b->value), (long)cost, t.s);
  for (int k = 0; k < TRIES && played; k++) {
    text changed = { 0 }, reason = { 0 };
    json_value v;
    mpz_t value;
    mpz_init(value);
    if (bound_claim_alter(text_str(&b->parameters), k, &changed)) {
      ck_assert_int_eq(json_read(&v, text_str(&changed), changed.n, "claim", &d), OK);
      bound_claim c = { "affine-stored", g, (int64_t)m, &v, 0 };
      if (bound_checker_find("affine-stored")->check(&c, value, &reason))
        ck_assert_msg(mpz_cmp_ui(value, cost) <= 0, "seed %d, M=%d: %ld, a play costs %ld\n%s\n%s", _i, (int)m,
                      mpz_get_si(value), (long)cost, t.s, text_str(&changed));
      json_value_clear(&v);
    }
    mpz_clear(value);
    text_clear(&reason);
    text_clear(&changed);
  }
  bound_list_clear(&list);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("stores");
  TCase *t = support_case(s, "stores");
  tcase_add_loop_test(t, values, 0, (int)(sizeof known / sizeof *known));
  tcase_add_loop_test(t, nothing_waits, 0, (int)(sizeof nothing / sizeof *nothing));
  tcase_add_loop_test(t, each_part, 0, (int)(sizeof known / sizeof *known));
  tcase_add_loop_test(t, against_plays, 0, support_rounds(40));
  t = support_case(s, "operands");
  tcase_add_test(t, operands);
  t = support_case(s, "plays");
  tcase_add_loop_test(t, operands_against_plays, 0, support_rounds(3));
  return support_run(s);
}
