/* Covering claims with other weights than the prover's, all their numbers made to fit: what the weights are worth is
   decided by the inequality at a pair alone, and by what the checker finds the kinds and their words to be. */
#include "base/json_read.h"
#include "bounds/check/pairs.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <string.h>

enum { KINDS = 3 };
static const int64_t NONE = INT64_MIN; /* no weight is given; it counts as 0 */

static const struct {
  const char *why, *spec;
  int64_t m, weight[KINDS], scale;
  const char *member, *instead, *reason;
} rows[] = {
  { "as it is", "attention:n=12,d=3", 14, { 12 }, 1, NULL, NULL, NULL },
  { "less", "attention:n=12,d=3", 14, { 11 }, 1, NULL, NULL, NULL },
  { "more at all slices", "attention:n=12,d=3", 14, { 13 }, 1, NULL, NULL, "the weights exceed" },
  { "more at all slices, by half", "attention:n=12,d=3", 14, { 25 }, 2, NULL, NULL, "the weights exceed" },
  { "of a row narrower than it is", "attention:n=12,d=3", 14, { 10 }, 1, "\"width\": 3", "\"width\": 2", NULL },
  { "too much for the row as claimed",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"width\": 3",
    "\"width\": 2",
    "the weights exceed" },
  { "a row wider than it is",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"width\": 3",
    "\"width\": 4",
    "not those of the computation" },
  { "a column wider than it is",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "true, \"width\": 3",
    "true, \"width\": 4",
    "not those of the computation" },
  { "no width", "attention:n=12,d=3", 14, { 4 }, 1, "\"width\": 3", "\"wide\": 3", "not those of the computation" },
  { "the other side",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"column\": false",
    "\"column\": true",
    "not those of the computation" },
  { "the other side",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"column\": true",
    "\"column\": false",
    "not those of the computation" },
  { "no side",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"column\": false",
    "\"columns\": false",
    "not those of the computation" },
  { "another array",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"array\": \"Q\"",
    "\"array\": \"K\"",
    "not those of the computation" },
  { "more slices",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"slices\": 3",
    "\"slices\": 4",
    "not those of the computation" },
  { "no slices", "attention:n=12,d=3", 14, { 12 }, 1, "\"slices\": 3", "\"slice\": 3", "not those of the computation" },
  { "more steps",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"steps\": 432",
    "\"steps\": 433",
    "not those of the computation" },
  { "no steps",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"steps\": 432",
    "\"step\": 432",
    "not those of the computation" },
  { "another operand",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"operand\": \"V\"",
    "\"operand\": \"K\"",
    "not those of the computation" },
  { "another word whole",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"whole\": [\"Q\", \"K\"]",
    "\"whole\": [\"Q\", \"V\"]",
    "not those of the computation" },
  { "in another order",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"whole\": [\"Q\", \"K\"]",
    "\"whole\": [\"K\", \"Q\"]",
    "not those of the computation" },
  { "one word more whole",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"whole\": [\"Q\", \"K\"]",
    "\"whole\": [\"Q\", \"K\", \"V\"]",
    "not those of the computation" },
  { "one word less whole",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"whole\": [\"Q\", \"K\"]",
    "\"whole\": [\"Q\"]",
    "not those of the computation" },
  { "a number among the words",
    "attention:n=12,d=3",
    14,
    { 12 },
    1,
    "\"whole\": [\"Q\", \"K\"]",
    "\"whole\": [\"Q\", 3]",
    "not those of the computation" },
  { "more at one slice", "attention:n=12,d=1", 14, { 5 }, 1, NULL, NULL, "the weights exceed" },
  { "three kinds", "attention-backward:n=8,d=2", 12, { 28, 28, 28 }, 3, NULL, NULL, NULL },
  { "one counts for nothing", "attention-backward:n=8,d=2", 12, { 0, 28, 28 }, 3, NULL, NULL, NULL },
  { "one has no weight",
    "attention-backward:n=8,d=2",
    12,
    { NONE, 28, 28 },
    3,
    NULL,
    NULL,
    "not those of the computation" },
  { "one weighs less than nothing",
    "attention-backward:n=8,d=2",
    12,
    { -1, 28, 28 },
    3,
    NULL,
    NULL,
    "not those of the computation" },
  { "one weighs too much",
    "attention-backward:n=8,d=2",
    12,
    { 140737488355328, 28, 28 },
    3,
    NULL,
    NULL,
    "not those of the computation" },
  { "a width below nothing",
    "attention-backward:n=8,d=2",
    12,
    { 1, 1, 1 },
    1,
    "\"width\": 1}",
    "\"width\": -1}",
    "not those of the computation" },
  { "dV as much as it may", "attention-backward:n=8,d=2", 12, { 1, 1, 10 }, 1, NULL, NULL, NULL },
  { "dV a little more", "attention-backward:n=8,d=2", 12, { 1, 1, 11 }, 1, NULL, NULL, "the weights exceed" },
  { "dQ as much as it may", "attention-backward:n=8,d=2", 12, { 14, 0, 0 }, 1, NULL, NULL, NULL },
  { "dQ a little more", "attention-backward:n=8,d=2", 12, { 15, 0, 0 }, 1, NULL, NULL, "the weights exceed" },
  { "dQ and dK as much as they may", "attention-backward:n=8,d=2", 12, { 10, 11, 0 }, 1, NULL, NULL, NULL },
  { "dQ and dK a little more", "attention-backward:n=8,d=2", 12, { 11, 11, 0 }, 1, NULL, NULL, "the weights exceed" },
};

/* ---- the numbers of a claim ---- */

static int word_named(const json_value *words, const char *name)
{
  for (size_t i = 0; i < words->n; i++)
    if (!strcmp(json_get_string(&words->item[i], "array"), name))
      return (int)i;
  ck_abort_msg("%s is no word", name);
  return -1;
}

static int64_t integer(const json_value *v, const char *key)
{
  int64_t n;
  ck_assert(json_get_int(v, key, &n));
  return n;
}

static int64_t weighs(int row, size_t kind) { return rows[row].weight[kind] == NONE ? 0 : rows[row].weight[kind]; }

/* The least s with s^2 >= (most weight on a row's word) (most on a column's). */
static int64_t sides(int row, const json_value *words, const json_value *kinds)
{
  int64_t sum[16] = { 0 }, most[2] = { 0 }, s = 0;
  for (size_t k = 0; k < kinds->n; k++) {
    sum[word_named(words, json_get_string(&kinds->item[k], "operand"))] += weighs(row, k);
    sum[word_named(words, json_get_string(&kinds->item[k], "statement"))] += weighs(row, k);
  }
  for (size_t i = 0; i < words->n; i++) {
    int column = json_get(&words->item[i], "column")->type == JSON_TRUE;
    most[column] = sum[i] > most[column] ? sum[i] : most[column];
  }
  while ((__int128)s * s < (__int128)most[0] * most[1] && s < 1 << 20)
    s++;
  return s;
}

/* A cut of one segment, as long as it may be. */
static void one_segment(text *t, const checker_carried *k, int64_t work)
{
  mpz_t x, all, most;
  mpz_init_set_si(x, 0);
  mpz_init_set_si(all, work);
  mpz_init_set_si(most, 0);
  while (mpz_cmp_si(x, 200) < 0 && !checker_carried_can(k, all, x))
    mpz_add_ui(x, x, 1);
  mpz_sub_ui(x, x, 1);
  for (int bit = 30; bit >= 0; bit--) {
    mpz_setbit(most, (mp_bitcnt_t)bit);
    if (!checker_carried_can(k, most, x))
      mpz_clrbit(most, (mp_bitcnt_t)bit);
  }
  text_printf(t,
              "\"work\": %ld, \"segments\": 1, \"first\": %ld, \"length\": 0, \"most_first\": %ld, \"most\": 0, "
              "\"events\": %ld",
              (long)work, mpz_get_si(x), mpz_get_si(most), mpz_get_si(x) + 1);
  mpz_clears(x, all, most, NULL);
}

/* ---- a claim ---- */

/* From the prover's, up to its weights; they and all that follows from them are the row's. */
static void make_claim(text *t, int row, const text *prover)
{
  const char *at = prover->s, *next;
  json_value v;
  diag d = { 0 };
  ck_assert_int_eq(json_read(&v, at, prover->n, "prover", &d), OK);
  const json_value *words = json_get(&v, "words"), *kinds = json_get(&v, "kinds");
  checker_carried k = { .scale = rows[row].scale,
                        .sides = sides(row, words, kinds),
                        .keep_num = 1,
                        .keep_den = 1,
                        .pairs = (uint64_t)integer(&v, "pairs") };
  int64_t work = 0;
  for (size_t i = 0; i < kinds->n; i++) {
    next = strstr(at, ", \"weight\"");
    text_add_n(t, at, (size_t)(next - at));
    if (rows[row].weight[i] != NONE)
      text_printf(t, ", \"weight\": %ld", (long)rows[row].weight[i]);
    at = strchr(next, '}');
    k.each += weighs(row, i) * integer(&kinds->item[i], "slices");
    work += weighs(row, i) * integer(&kinds->item[i], "steps");
  }
  next = strstr(at, ", \"scale\"");
  text_add_n(t, at, (size_t)(next - at));
  text_printf(t, ", \"scale\": %ld, \"sides\": %ld, ", (long)k.scale, (long)k.sides);
  one_segment(t, &k, work);
  text_printf(t, ", \"births\": %ld, \"stores\": %ld}", (long)integer(&v, "births"), (long)integer(&v, "stores"));
  json_value_clear(&v);
}

static void replace(text *t, const char *from, const char *to)
{
  text made = { 0 };
  char *at = strstr(t->s, from);
  ck_assert_msg(at, "no %s in %s", from, t->s);
  text_add_n(&made, t->s, (size_t)(at - t->s));
  text_printf(&made, "%s%s", to, at + strlen(from));
  text_clear(t);
  *t = made;
}

static void check_row(int row, const cdag *g, const text *prover)
{
  text claim = { 0 };
  make_claim(&claim, row, prover);
  if (rows[row].member)
    replace(&claim, rows[row].member, rows[row].instead);
  if (rows[row].reason)
    bound_claim_refused("covering", g, rows[row].m, claim.s, rows[row].reason);
  else
    ck_assert_msg(bound_claim_holds("covering", g, rows[row].m, claim.s), "row %d, %s", row, rows[row].why);
  text_clear(&claim);
}

/* The rows of one computation, which stand together. */
START_TEST(other_weights)
{
  cdag *g = NULL;
  diag d = { 0 };
  if (_i > 0 && !strcmp(rows[_i].spec, rows[_i - 1].spec))
    return;
  ck_assert_int_eq(cdag_open(&g, rows[_i].spec, &d), OK);
  text prover = bound_claim_of("covering", g, (uint64_t)rows[_i].m);
  for (int row = _i; row < COUNT(rows) && !strcmp(rows[row].spec, rows[_i].spec); row++)
    check_row(row, g, &prover);
  text_clear(&prover);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("claims_covering");
  tcase_add_loop_test(support_case(s, "weights"), other_weights, 0, COUNT(rows));
  return support_run(s);
}
