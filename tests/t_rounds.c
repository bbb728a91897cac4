/* Rounds one after another: where the theorem applies and where it must not, its value, its certificate, and the exact
 * optimum of small ones. */
#include "bounds/bound.h"
#include "pebble/optimal.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdio.h>
#include <string.h>

static const bound *rounds_of(const cdag *g, uint64_t m, bound_list *list)
{
  diag d = { 0 };
  int best;
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = m };
  ck_assert_int_eq(bound_all(&q, list, &best, &d), OK);
  return bound_named(list, "rounds");
}

/* value: of the theorem, 0 when it must not apply. */
static const struct { const char *source; uint64_t m; int value;
} texts[] = {
  /* T = 4 rounds read six words each behind the head: and the first its query: 7 + 3 (6 - 4) loads, and 4 stores */
  { "input K[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\noutput Y[t:4,i:1] = U[t,5]\n",
    4, 7 + 3 * 2 + 4 },
  { "input K[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\noutput Y[t:4,i:1] = U[t,5]\n",
    7, 7 + 4 },
  /* each round reads a word more than the one before */
  { "input K[9], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:5+t] = U[t,j-1], A[t,0], K[j]\noutput Y[t:4,i:1] = "
    "U[t,4+t]\n",
    3, 0 },
  /* K[5..7] are not read in every round: not whole, so not counted */
  { "input K[5], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:5+t] = U[t,j-1], A[t,0], K[j]\noutput Y[t:4,i:1] = "
    "U[t,4+t]\n",
    3, 6 + 3 * 2 + 4 },
  /* the tail is a step further */
  { "input K[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\nW[t:4,s:1] = U[t,5]\noutput "
    "Y[t:4,i:1] = W[t,0]\n",
    4, 7 + 3 * 2 + 4 },
  /* the sum of the cache is made beside the head: all rounds can share one sweep */
  { "input X[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:6] = U[t,j-1], X[j]\noutput Y[t:4,i:1] = A[t,0], U[t,5]\n",
    4, 0 },
  /* two decodes that share a sweep: the round before the one before */
  { "input K[6], q[2]\nA[t:4,s:1] = q[t], Y[t-2,*]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\noutput Y[t:4,i:1] = U[t,5]\n",
    4, 0 },
  /* not all of the tail */
  { "input K[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,0]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\noutput Y[t:4,i:2] = U[t,5]\n",
    4, 0 },
  /* the last tail is dead */
  { "input K[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\nY[t:4,i:1] = U[t,5]\noutput "
    "Y[1,*]\n",
    4, 0 },
  { "input K[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\nY[t:4,i:1] = U[t,5]\noutput "
    "Y[3,*]\n",
    4, 7 + 3 * 2 + 1 },
  /* read by others too, in no round: then perhaps not behind the head */
  { "input K[6], q[1]\nA[t:4,s:1] = q[t], Y[t-1,*]\nU[t:4,j:6] = U[t,j-1], A[t,0], K[j]\noutput Y[t:4,i:1] = "
    "U[t,5]\noutput C[j:6] = C[j-1], K[j]\n",
    4, 0 },
};

START_TEST(where_it_applies)
{
  cdag *g = bound_text_open(texts[_i].source, "");
  bound_list list = { 0 };
  const bound *b = rounds_of(g, texts[_i].m, &list);
  if (texts[_i].value == 0)
    ck_assert_msg(!b, "row %d: rounds are counted that are none:\n%s", _i, texts[_i].source);
  else {
    ck_assert_msg(b && mpz_cmp_ui(b->value, (unsigned)texts[_i].value) == 0, "row %d: %d is not the value of\n%s", _i,
                  texts[_i].value, texts[_i].source);
    static const char *const number[] = { "\"rounds\": ", "\"outputs\": " };
    bound_question q = { .work = SEARCH_WORK, .g = g, .m = texts[_i].m };
    bound_certificate_stands(&q, b, texts[_i].source, number, 2);
  }
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* Small decoders of every kind; where the theorem applies, never above what a search finds. */
START_TEST(never_above_the_optimum)
{
  support_random r = { (uint64_t)_i };
  text source = { 0 };
  int keys = (int)support_between(&r, 1, 5), rounds = (int)support_between(&r, 2, 3),
      tail = (int)support_between(&r, 1, 2);
  const char *behind = support_between(&r, 0, 3) ? ", A[t,0]" : "", *lag = support_between(&r, 0, 5) ? "1" : "2";
  const char *also = support_between(&r, 0, 4) ? "" : ", K[0]";
  text_printf(&source,
              "input K[%d], q[2]\nA[t:%d,s:1] = q[t], Y[t-%s,*]%s\nU[t:%d,j:%d] = U[t,j-1]%s, K[j]\noutput "
              "Y[t:%d,i:%d] = U[t,%d]%s\n",
              keys, rounds, lag, also, rounds, keys, behind, rounds, tail, keys - 1,
              support_between(&r, 0, 1) ? ", A[t,0]" : "");
  cdag *g = bound_text_open(text_str(&source), "");
  cdag_graph e = { 0 };
  diag d = { 0 };
  ck_assert_int_eq(cdag_materialise(g, 64, &e, &d), OK);
  pebble_rules rules = { .variant = support_between(&r, 0, 1) ? PEBBLE_PLACING : PEBBLE_SLIDING };
  rules.m = pebble_least_memory(&e, &rules) + (uint64_t)support_between(&r, 0, 2);
  pebble_optimal_limits limits = { .seconds = .1, .bytes = 50 << 20 };
  pebble_optimum o = { 0 };
  bound_list list = { 0 };
  const bound *b = rounds_of(g, rules.m, &list);
  status st = pebble_optimal(&e, &rules, &limits, &o, &d);
  ck_assert(st == OK || st == GAVE_UP);
  ck_assert_msg(!b || !o.possible || mpz_cmp_ui(b->value, o.upper) <= 0,
                "seed %d, M = %d: a play moves %d, less than the bound, of\n%s", _i, (int)rules.m, (int)o.upper,
                text_str(&source));
  pebble_optimum_clear(&o);
  cdag_graph_clear(&e);
  bound_list_clear(&list);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* The cache of n keys is read in every round but for M words of it; growth is not counted. */
START_TEST(decoding_reads_the_cache)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention-decode:n=4096,d=64,T=64", &d), OK);
  bound_list list = { 0 };
  const bound *b = rounds_of(g, 32768, &list);
  ck_assert(b && mpz_cmp_ui(b->value, 64u * (2 * 4096 * 64 - 32768) + 32768 + 64 * 64) == 0);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("rounds");
  TCase *t = support_case(s, "rounds");
  tcase_add_loop_test(t, where_it_applies, 0, COUNT(texts));
  tcase_add_loop_test(t, never_above_the_optimum, 0, support_rounds(60));
  tcase_add_test(t, decoding_reads_the_cache);
  return support_run(s);
}
