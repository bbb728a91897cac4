/* The backward pass, claimed of computations that are almost it: with other names for its parts, or with a rule that is
   a little different.  The numbers are those of the true claim, so that what is refused is refused for its shape. */
#include "base/json_read.h"
#include "bounds/bound.h"
#include "bounds/checker.h"
#include "bounds/check/pairs.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kinds[] = "{\"statement\":\"dQ\",\"value\":1,\"term\":2},{\"statement\":\"dK\",\"value\":1,\"term\":"
                            "2},{\"statement\":\"dV\",\"value\":1,\"term\":2}";
static const char numbers[] =
    "\"work\":3072,\"segments\":8,\"first\":31,\"length\":18,\"most_first\":401,\"most\":379,\"events\":158";

typedef struct { const char *from, *to; } change;
static const struct {
  const char *why, *roles;
  change change[3];
  const char *reason;
} rows[] = {
  /* an eighth name: work of a fourth kind */
  { "as it is", "dQ dK dV Q dO K V", { { 0 } }, NULL },
  { "dQ is the column's", "dK dQ dV Q dO K V", { { 0 } }, "the shape" },
  { "dV is the row's", "dV dK dQ Q dO K V", { { 0 } }, "the shape" },
  { "dV has the scores' words only", "dQ dV dK Q dO K V", { { 0 } }, "the shape" },
  { "one array twice", "dQ dQ dV Q dO K V", { { 0 } }, "the shape" },
  { "one array twice", "dQ dV dV Q dO K V", { { 0 } }, "the shape" },
  { "one array twice", "dV dK dV Q dO K V", { { 0 } }, "the shape" },
  { "no such array", "nobody dK dV Q dO K V", { { 0 } }, "the shape" },
  { "no such array", "dQ nobody dV Q dO K V", { { 0 } }, "the shape" },
  { "no such array", "dQ dK nobody Q dO K V", { { 0 } }, "the shape" },
  { "no such word", "dQ dK dV nobody dO K V", { { 0 } }, "the shape" },
  { "no such word", "dQ dK dV Q nobody K V", { { 0 } }, "the shape" },
  { "no such word", "dQ dK dV Q dO nobody V", { { 0 } }, "the shape" },
  { "no such word", "dQ dK dV Q dO K nobody", { { 0 } }, "the shape" },
  { "a word too narrow", "dQ dK dV Lse dO K V", { { 0 } }, "the shape" },
  { "V is the row's",
    "dQ dK dV Q dO K R",
    { { "input Q[n, d]", "input R[n, 2]\ninput Q[n, d]" }, { "= P[i,j], dP", "= P[i,j], R[i,*], dP" } },
    "the shape" },
  { "Q is not among dV's",
    "dQ dK dV R dO K V",
    { { "input Q[n, d]", "input R[n, 2]\ninput Q[n, d]" }, { "= P[i,j], dP", "= P[i,j], R[i,*], dP" } },
    "the shape" },
  { "K is not among dV's",
    "dQ dK dV Q dO C V",
    { { "input Q[n, d]", "input C[n, 2]\ninput Q[n, d]" }, { "= P[i,j], dP", "= P[i,j], C[j,*], dP" } },
    "the shape" },
  { "dQ does not need V",
    "dQ dK dV Q dO K V",
    { { "dS[i,j], K[j,k]", "U[i,j], K[j,k]" }, { "output dQ", "U[i:n, j:nk] = P[i,j], dO[i,*]\noutput dQ" } },
    "the shape" },
  { "dK does not need V",
    "dQ dK dV Q dO K V",
    { { "dS[i,j], Q[i,k]", "U[i,j], Q[i,k]" }, { "output dQ", "U[i:n, j:nk] = P[i,j], dO[i,*]\noutput dQ" } },
    "the shape" },
  { "more than needed",
    "dQ dK dV Q dO K V",
    { { "= S[i,j,d-1], Lse[i]", "= S[i,j,d-1], Lse[i], dO[i,*], V[j,*]" } },
    NULL },
  { "Q is dO",
    "dQ dK dV dO dO K V",
    { { "= S[i,j,d-1], Lse[i]", "= S[i,j,d-1], Lse[i], dO[i,*], V[j,*]" } },
    "the shape" },
  { "K is V",
    "dQ dK dV Q dO V V",
    { { "= S[i,j,d-1], Lse[i]", "= S[i,j,d-1], Lse[i], dO[i,*], V[j,*]" } },
    "the shape" },
  { "dO is not what dV reads",
    "dQ dK dV Q R K V",
    { { "input Q[n, d]", "input R[n, 2]\ninput Q[n, d]" }, { "= P[i,j], dP", "= P[i,j], R[i,*], dP" } },
    "the shape" },
  { "dK reads dO", "dQ dK dV Q dO K V", { { "dS[i,j], Q[i,k]", "dS[i,j], dO[i,k]" } }, "the shape" },
  { "dK reads what it does not need whole",
    "dQ dK dV Q dO K V",
    { { "dS[i,j], Q[i,k]", "dS[i,j], O[i,k]" } },
    "the shape" },
  { "dQ reads what it does not need whole",
    "dQ dK dV Q dO K V",
    { { "input Q[n, d]", "input C[n, 2]\ninput Q[n, d]" }, { "dS[i,j], K[j,k]", "dS[i,j], C[j,k]" } },
    "the shape" },
  { "dQ reads V", "dQ dK dV Q dO K V", { { "dS[i,j], K[j,k]", "dS[i,j], V[j,k]" } }, NULL },
  { "dK is the row's",
    "dQ dK dV Q dO K V",
    { { "dK[j:nk, k:d, i:n] = dK[j,k,i-1], dS[i,j], Q[i,k]", "dK[i:n, k:d, j:nk] = dK[i,k,j-1], dS[i,j], V[j,k]" } },
    "the shape" },
  { "all are the column's",
    "dQ dK dV Q dO K V",
    { { "dQ[i:n, k:d, j:nk] = dQ[i,k,j-1], dS[i,j], K[j,k]", "dQ[j:nk, k:d, i:n] = dQ[j,k,i-1], dS[i,j], Q[i,k]" } },
    "the shape" },
  { "a row less of dK",
    "dQ dK dV Q dO K V",
    { { "dK[j:nk, k:d, i:n] =", "dK[j:nk, k:d, i:n-1] =" }, { "dK[*,*,n-1]", "dK[*,*,n-2]" } },
    "the shape" },
  { "a slice less of dK", "dQ dK dV Q dO K V", { { "dK[j:nk, k:d, i:n] =", "dK[j:nk, k:d-1, i:n] =" } }, "the shape" },
  { "a slice more of dV",
    "dQ dK dV Q dO K V",
    { { "dV[j:nk, l:dv, i:n] =", "dV[j:nk, l:dv+1, i:n] =" }, { "dO[n, dv]", "dO[n, dv+1]" } },
    "the shape" },
  { "ends that are not stored",
    "dQ dK dV Q dO K V",
    { { "dK[*,*,n-1]", "E[*,*]" }, { "output dQ", "E[j:nk, k:d] = dK[j,k,n-1]\noutput dQ" } },
    "the shape" },
  { "work of a fourth kind",
    "dQ dK dV Q dO K V dW",
    { { "input Q[n, d]", "input R[n, 2]\ninput Q[n, d]" },
      { "output dQ", "dW[j:nk, l:2, i:n] = dW[j,l,i-1], P[i,j], R[i,l]\noutput dW[*,*,n-1]\noutput dQ" } },
    "the shape" },
  { "a seed",
    "dQ dK dV Q dO K V",
    { { "dS[i,j], K[j,k]", "dS[i,j], K[j,k], C[i,k,j]" }, { "input Q[n, d]", "input C[n,d,1]\ninput Q[n, d]" } },
    "the shape" },
  { "as many outputs as can be counted with",
    "dQ dK dV Q dO K V",
    { { "output dQ", "output E[i:2305843009213693903] = Q[0,0]\noutput dQ" } },
    "'stores'" },
  { "more outputs than can be counted with",
    "dQ dK dV Q dO K V",
    { { "output dQ", "output E[i:2305843009213693904] = Q[0,0]\noutput dQ" } },
    "too many outputs" },
};

static cdag *opened(int row)
{
  cdag *g = NULL, *changed = NULL;
  diag d = { 0 };
  text t = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention-backward:n=8,d=2", &d), OK);
  cdag_print(&t, g);
  for (const change *c = rows[row].change; c->from; c++) {
    char *at = strstr(t.s, c->from);
    text made = { 0 };
    ck_assert_msg(at, "no '%s' in\n%s", c->from, t.s);
    text_add_n(&made, t.s, (size_t)(at - t.s));
    text_printf(&made, "%s%s", c->to, at + strlen(c->from));
    text_clear(&t);
    t = made;
  }
  ck_assert_msg(cdag_parse(&changed, g->name, t.s, "", &d) == OK, "%s: line %d: %s", rows[row].why, d.line, d.message);
  text_clear(&t);
  cdag_free(g);
  return changed;
}

START_TEST(almost_the_backward_pass)
{
  static const char *const role[] = { "dQ", "dK", "dV", "Q", "dO", "K", "V" };
  cdag *g = opened(_i);
  json_value parameters;
  diag d = { 0 };
  text claim = { 0 }, reason = { 0 };
  mpz_t value;
  mpz_init(value);
  const char *name = rows[_i].roles;
  text_printf(&claim, "{\"d\":2,\"pairs\":64,\"pairs_of\":\"S\",%s", numbers);
  for (int i = 0; i < COUNT(role); i++, name += strcspn(name, " "), name += *name == ' ')
    text_printf(&claim, ",\"%s\":\"%.*s\"", role[i], (int)strcspn(name, " "), name);
  text_printf(&claim, ",\"births\":%d,\"stores\":%d,\"kinds\":[%s", *name ? 64 : 48, *name ? 64 : 48, kinds);
  if (*name)
    text_printf(&claim, ",{\"statement\":\"%s\",\"value\":1,\"term\":2}", name);
  text_printf(&claim, "]}");
  ck_assert_msg(json_read(&parameters, claim.s, claim.n, "claim", &d) == OK, "%s", d.message);
  bound_claim c = { "backward-12", g, 12, &parameters, 0 };
  bool good = bound_checker_find(c.theorem)->check(&c, value, &reason);
  ck_assert_msg(good == !rows[_i].reason && (good || strstr(text_str(&reason), rows[_i].reason)), "row %d, %s: %s", _i,
                rows[_i].why, text_str(&reason));
  ck_assert(!good || mpz_cmp_ui(value, 158) == 0);
  json_value_clear(&parameters);
  text_clear(&claim);
  text_clear(&reason);
  mpz_clear(value);
  cdag_free(g);
}
END_TEST

/* ---- loads and stores together ---- */

static const struct { const char *spec; int64_t d, pairs, outputs, m;
} balanced[] = {
  { "attention-backward:n=8,d=2", 2, 64, 48, 12 }, { "attention-backward:n=8,d=2", 2, 64, 48, 3 },
  { "attention-backward:n=8,d=2", 2, 64, 48, 40 }, { "attention-backward:n=7,d=1", 1, 49, 21, 4 },
  { "attention-backward:n=7,d=1", 1, 49, 21, 6 },  { "attention-backward:n=40,d=1", 1, 1600, 120, 30 },
};
static const int64_t lengths[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 31, 50, 100 };

/* The most work of which the words are capable. */
static int64_t most_work(const checker_carried *k, int64_t words)
{
  mpz_t x, most;
  mpz_init_set_si(x, words);
  mpz_init_set_si(most, 0);
  for (int bit = 30; bit >= 0; bit--) {
    mpz_setbit(most, (mp_bitcnt_t)bit);
    if (!checker_carried_can(k, most, x))
      mpz_clrbit(most, (mp_bitcnt_t)bit);
  }
  int64_t found = mpz_get_si(most);
  mpz_clears(x, most, NULL);
  return found;
}

/* The least of events + stores that obey: events >= floor, stores >= outputs, length (need - charge stores) <= later
 * (events - unasked).  One by one. */
static int64_t least_sum(int64_t floor, int64_t outputs, int64_t need, int64_t charge, int64_t length, int64_t later,
                         int64_t unasked)
{
  int64_t least = INT64_MAX;
  for (int64_t stores = outputs; stores <= outputs + 4000; stores++) {
    int64_t missing = length * (need - charge * stores), events = missing <= 0 ? 1
                                                                  : later > 0  ? unasked + (missing + later - 1) / later
                                                                               : INT64_MAX / 2;
    events = events > floor ? events : floor;
    least = events + stores < least ? events + stores : least;
  }
  return least;
}

/* head: the claim up to its "first", the events of the first segment. */
static void check_balance_at(int row, int64_t start, int64_t length, const cdag *g, const char *head, int64_t floor)
{
  int64_t d = balanced[row].d, m = balanced[row].m;
  checker_carried k = {
    .scale = 1, .each = 14 * d * d, .sides = 6 * d, .keep_num = 1, .keep_den = 1, .pairs = (uint64_t)balanced[row].pairs
  };
  int64_t first = most_work(&k, start), later = most_work(&k, length + m);
  int64_t least = least_sum(floor, balanced[row].outputs, 14 * d * d * balanced[row].pairs - first, m + d * d, length,
                            later, start - length + 1);
  static const struct { int first, later, sum; const char *reason;
  } off[] = {
    { 0, 0, 0, NULL },
    { 0, 0, -1, NULL },
    { 0, 0, 1, "could be fewer" },
    { 1, 0, -9, "'most_first'" },
    { -1, 0, -9, "'most_first'" },
    { 0, 1, -9, "'most'" },
    { 0, -1, -9, "'most'" },
  };
  for (int i = 0; i < COUNT(off); i++) {
    text claim = { 0 };
    text_printf(&claim,
                "%s\"first\": %ld, \"length\": %ld, \"most_first\": %ld, \"most\": %ld, \"events_and_stores\": %ld}",
                head, (long)start, (long)length, (long)(first + off[i].first), (long)(later + off[i].later),
                (long)(least + off[i].sum));
    if (off[i].reason)
      bound_claim_refused("backward-14", g, m, claim.s, first + off[i].first < 0 ? "missing" : off[i].reason);
    else
      ck_assert_msg(bound_claim_holds("backward-14", g, m, claim.s), "%s", claim.s);
    text_clear(&claim);
  }
}

/* With the cut of loads that the prover found, and with one that says nothing: of one segment, without words. */
START_TEST(loads_and_stores_together)
{
  static const struct {
    const char *length, *reason;
  } bad[] = { { "5, \"first\": 6", "'first'" },
              { "5, \"first\": 4", "'first'" },
              { "5, \"first\": \"5\"", "'first'" },
              { "0", "'length'" },
              { "-3", "'length'" },
              { "true", "'length'" },
              { "2305843009213693951", "'length'" } };
  cdag *g = NULL;
  diag d = { 0 };
  text any = { 0 }, claim = { 0 };
  ck_assert_int_eq(cdag_open(&g, balanced[_i].spec, &d), OK);
  text prover = bound_claim_of("backward-14", g, (uint64_t)balanced[_i].m);
  int64_t floor = strtoll(strstr(prover.s, "\"events\": ") + strlen("\"events\": "), NULL, 10);
  char *loads = strstr(prover.s, "\"loads\""), *length = strstr(loads, "}, \"first\"") + 3;
  text_printf(&any,
              "%.*s\"loads\": {\"work\": %ld, \"segments\": 1, \"first\": 0, \"length\": 0, \"most_first\": 0, "
              "\"most\": 0, \"events\": 1, \"births\": %ld, \"stores\": %ld}, ",
              (int)(loads - prover.s), prover.s, (long)(12 * balanced[_i].d * balanced[_i].d * balanced[_i].pairs),
              (long)balanced[_i].outputs, (long)balanced[_i].outputs);
  for (int i = 0; i < COUNT(bad); i++) {
    text_printf(&claim, "%s\"length\": %s, \"most_first\": 0, \"most\": 0, \"events_and_stores\": 1}", any.s,
                bad[i].length);
    bound_claim_refused("backward-14", g, balanced[_i].m, claim.s, bad[i].reason);
    text_clear(&claim);
  }
  *length = 0;
  for (int i = 0; i < COUNT(lengths); i++) {
    int64_t longer = balanced[_i].m + lengths[i];
    check_balance_at(_i, lengths[i], lengths[i], g, prover.s, floor);
    check_balance_at(_i, lengths[i], lengths[i], g, any.s, 1);
    if (longer <= floor)
      check_balance_at(_i, longer, lengths[i], g, prover.s, floor);
  }
  text_clear(&any);
  text_clear(&prover);
  cdag_free(g);
}
END_TEST

/* One pair more than there is, all else fitting. */
START_TEST(pairs_and_width)
{
  static const struct { const char *d, *pairs, *work, *reason;
  } said[] = {
    { "\"d\":2,", "\"pairs\":64,", "3072", NULL },
    { "\"d\":2,", "\"pairs\":65,", "3120", "'pairs'" },
    { "\"d\":2,", "", "3072", "'pairs'" },
    { "", "\"pairs\":64,", "3072", "'d' or" },
    { "\"d\":2,", "\"pairs\":-64,", "3072", "'pairs'" },
    { "\"d\":3,", "\"pairs\":64,", "6912", "the shape" },
    { "\"d\":1,", "\"pairs\":64,", "768", "the shape" },
    { "\"d\":0,", "\"pairs\":64,", "0", "the shape" },
  };
  cdag *g = NULL;
  diag d = { 0 };
  text claim = { 0 };
  ck_assert_int_eq(cdag_open(&g, "attention-backward:n=8,d=2", &d), OK);
  text_printf(&claim,
              "{%s%s\"pairs_of\":\"S\",\"kinds\":[%s],\"dQ\":\"dQ\",\"dK\":\"dK\",\"dV\":\"dV\",\"Q\":\"Q\",\"dO\":"
              "\"dO\",\"K\":\"K\",\"V\":\"V\",\"births\":48,\"stores\":48,%s%s",
              said[_i].d, said[_i].pairs, kinds, "\"work\":", said[_i].work);
  text_printf(&claim, "%s}", strchr(numbers, ','));
  if (said[_i].reason)
    bound_claim_refused("backward-12", g, 12, claim.s, said[_i].reason);
  else
    ck_assert(bound_claim_holds("backward-12", g, 12, claim.s));
  text_clear(&claim);
  cdag_free(g);
}
END_TEST

/* Inputs besides: no more than are there, and only beside work at pairs; where chains begin with inputs these are words
   of theirs, and none are left. */
START_TEST(inputs_besides)
{
  static const char bias[] =
      "param n = 48, d = 4\ninput Q[n,d], K[n,d], V[n,d], B[n,n]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
      "P[i:n, j:n] = S[i,j,d-1], B[i,j]\nO[i:n, l:d, j:n] = O[i,l,j-1], P[i,j], V[j,l]\noutput O[*,*,n-1]\n";
  static const char seeded[] =
      "param n = 48, d = 4\ninput Q[n,d], K[n,d], V[n,d], C[n,d,1]\nS[i:n, j:n, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
      "O[i:n, l:d, j:n] = O[i,l,j-1], C[i,l,j], S[i,j,d-1], V[j,l]\noutput O[*,*,n-1]\n";
  const char *number[] = { "\"inputs\": ", "\"events\": ", "\"work\": " };
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_int_eq(cdag_parse(&g, "bias", bias, "", &d), OK);
  bound_own_certificate_stands("pairs-and-inputs", g, 60, "a number for each pair", number, COUNT(number));
  text claim = bound_claim_of("pairs-and-inputs", g, 60), other = { 0 };
  ck_assert_ptr_nonnull(strstr(claim.s, "\"inputs\": 2304,"));
  text_printf(&other, "{\"inputs\": 1, \"theorem\": \"compulsory\", \"parameters\": {}}");
  bound_claim_refused("pairs-and-inputs", g, 60, other.s, "'theorem'");
  text_clear(&claim);
  text_clear(&other);
  cdag_free(g);
  ck_assert_int_eq(cdag_parse(&g, "seeded", seeded, "", &d), OK);
  bound_question q = { .g = g, .m = 60, .theorem = "pairs-and-inputs" };
  bound_list list = { 0 };
  int best;
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  ck_assert_ptr_null(bound_named(&list, "pairs-and-inputs"));
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("claims_backward");
  tcase_add_test(support_case(s, "inputs"), inputs_besides);
  tcase_add_loop_test(support_case(s, "shapes"), almost_the_backward_pass, 0, COUNT(rows));
  tcase_add_loop_test(support_case(s, "sizes"), pairs_and_width, 0, 8);
  tcase_add_loop_test(support_case(s, "balance"), loads_and_stores_together, 0, COUNT(balanced));
  return support_run(s);
}
