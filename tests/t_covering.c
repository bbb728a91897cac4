/* The covering LP against brute force over every pass, its golden values, and h(X) against a dense search. */
#include "base/mem.h"
#include "bounds/program/covering.h"
#include "tests/support.h"
#include <math.h>
#include <string.h>

/* ---- programs ---- */

enum { Q, K, V, G, ACC_Q, ACC_K, ACC_V }; /* G: the gradient of the output */

static cover_program forward(int64_t n, int64_t dk, int64_t dv)
{
  cover_program p = { .arrays = 4, .kinds = 1, .pairs = n * n };
  p.array[0] = (cover_array){ "Q", false, dk };
  p.array[1] = (cover_array){ "K", true, dk };
  p.array[2] = (cover_array){ "V", true, dv };
  p.array[3] = (cover_array){ "Z", false, dv };
  p.kind[0] = (cover_kind){ "Z", dv, (uint64_t)(n * n * dv), 2, 3, 1u << 0 | 1u << 1, 0, 0 };
  return p;
}

static cover_program latent(int64_t n, int64_t dk, int64_t dv)
{
  cover_program p = forward(n, dk, dv);
  p.kind[0].operand = 1;
  return p;
}

static cover_program backward(int64_t n, int64_t d)
{
  cover_program p = { .arrays = 7, .kinds = 3, .pairs = n * n };
  static const bool column[] = { false, true, true, false, false, true, true };
  for (int a = 0; a < 7; a++)
    p.array[a] = (cover_array){ "", column[a], d };
  uint64_t steps = (uint64_t)(n * n * d);
  p.kind[0] = (cover_kind){ "dV", d, steps, G, ACC_V, 1u << Q | 1u << K, 0, 0 };
  p.kind[1] = (cover_kind){ "dQ", d, steps, K, ACC_Q, 1u << Q | 1u << K | 1u << V | 1u << G, 0, 0 };
  p.kind[2] = (cover_kind){ "dK", d, steps, Q, ACC_K, 1u << Q | 1u << K | 1u << V | 1u << G, 0, 0 };
  return p;
}

static void assert_constant(const cover_program *p, bool level, long num, unsigned long den)
{
  cover_answer a;
  bound_carry k;
  diag d;
  int64_t at[COVER_KINDS];
  mpz_t total;
  mpz_init(total);
  ck_assert_int_eq(bound_cover_solve(p, level, &a, &d), OK);
  ck_assert(bound_cover_certify(p, a.weight, a.scale, at));
  ck_assert(bound_cover_carry(p, &a, &k, total));
  mpq_t got, expected;
  mpq_inits(got, expected, NULL);
  mpq_set_num(got, total);
  mpz_set_si(mpq_denref(got), a.scale * p->pairs);
  mpq_canonicalize(got);
  mpq_set_si(expected, num, den);
  mpq_canonicalize(expected);
  ck_assert_msg(mpq_equal(got, expected), "%g words^2 a pair, not %ld/%lu", mpq_get_d(got), num, den);
  mpq_clears(got, expected, NULL);
  mpz_clear(total);
}

START_TEST(golden_constants)
{
  int64_t d = _i + 1;
  cover_program p = forward(100, d, d);
  assert_constant(&p, _i % 2, 4 * d * d, 1);
  p = forward(100, d, 3 * d); /* slices of V: 4 dk dv, not (dk + dv)^2 = 16 d^2 */
  assert_constant(&p, _i % 2, 12 * d * d, 1);
  p = forward(100, 3 * d, d);
  assert_constant(&p, _i % 2, 16 * d * d, 1);
  p = latent(100, 2 * d, d);
  assert_constant(&p, _i % 2, 6 * d * d, 1);
  p = backward(100, d);
  assert_constant(&p, _i % 2, 12 * d * d, 1);
}
END_TEST

START_TEST(the_plan_of_the_backward_pass)
{
  cover_program p = backward(1000, 64);
  cover_answer a;
  diag d;
  ck_assert_int_eq(bound_cover_solve(&p, false, &a, &d), OK);
  double cost = 0, done[COVER_KINDS] = { 0 };
  for (int s = 0; s < a.passes; s++) {
    cost += a.pass[s].times_estimate * (double)a.pass[s].cost;
    for (int w = 0; w < p.kinds; w++)
      done[w] += a.pass[s].times_estimate * (double)a.pass[s].slice[w];
  }
  ck_assert(fabs(cost - 12 * 64 * 64) < 1e-3);
  for (int w = 0; w < p.kinds; w++)
    ck_assert(done[w] > 64 - 1e-6);
}
END_TEST

/* The slip of an earlier draft: weights that hold at whole kinds and fail between. */
START_TEST(corners_are_not_enough)
{
  cover_program p = forward(10, 4, 8);
  int64_t weight[COVER_KINDS] = { 18 }, at[COVER_KINDS], row, column; /* 9 dk^2 for 8 slices */
  int64_t whole[COVER_KINDS] = { 8 };
  bound_cover_words(&p, whole, &row, &column);
  ck_assert_int_ge(row * column, 18 * 8);
  ck_assert(!bound_cover_certify(&p, weight, 1, at));
  bound_cover_words(&p, at, &row, &column);
  ck_assert_int_lt(row * column, 18 * at[0]);
}
END_TEST

/* ---- random programs: the certifier against every pass ---- */

static cover_program random_program(uint64_t seed)
{
  support_random r = { seed };
  cover_program p = { .arrays = 7, .kinds = (int)support_between(&r, 1, 3), .pairs = 50 };
  for (int a = 0; a < p.arrays; a++)
    p.array[a] = (cover_array){ "", a % 2, support_between(&r, 1, 5) };
  for (int w = 0; w < p.kinds; w++) {
    int side = (int)support_between(&r, 0, 1);
    p.kind[w] =
        (cover_kind){ .width = support_between(&r, 1, 6), .operand = (int)support_between(&r, 0, 1) * 2 + side, 0, 0 };
    p.kind[w].chain = side ? (w == 0 ? 4 : w == 1 ? 6 : 2) : 5; /* a chain may be shared: then its words count once */
    p.kind[w].whole = (unsigned)support_between(&r, 0, 15);
    p.kind[w].steps = (uint64_t)(50 * p.kind[w].width);
  }
  return p;
}

static bool holds_everywhere(const cover_program *p, const int64_t *weight, int64_t scale)
{
  int64_t s[COVER_KINDS] = { 0 }, row, column;
  for (;;) {
    int64_t sum = 0;
    bound_cover_words(p, s, &row, &column);
    for (int w = 0; w < p->kinds; w++)
      sum += weight[w] * s[w];
    if (sum > scale * row * column)
      return false;
    int w = 0;
    while (w < p->kinds && s[w] == p->kind[w].width)
      s[w++] = 0;
    if (w == p->kinds)
      return true;
    s[w]++;
  }
}

START_TEST(certifier_against_every_pass)
{
  cover_program p = random_program((uint64_t)_i);
  support_random r = { (uint64_t)_i * 31 + 7 };
  cover_answer a;
  diag d;
  int64_t at[COVER_KINDS];
  for (int k = 0; k < support_rounds(40); k++) {
    int64_t weight[COVER_KINDS] = { 0 }, scale = support_between(&r, 1, 4);
    for (int w = 0; w < p.kinds; w++)
      weight[w] = support_between(&r, 0, 40);
    ck_assert_int_eq(bound_cover_certify(&p, weight, scale, at), holds_everywhere(&p, weight, scale));
  }
  for (int level = 0; level < 2; level++) {
    ck_assert_int_eq(bound_cover_solve(&p, level, &a, &d), OK);
    ck_assert(holds_everywhere(&p, a.weight, a.scale));
  }
}
END_TEST

/* ---- h(X) ---- */

static void dense(const bound_carry *k, int64_t x, mpz_t most)
{
  mpz_t v;
  mpz_init(v);
  mpz_set_si(most, -1);
  for (int64_t p = 0; p <= x && p <= k->pairs && p * k->keep_num <= x * k->keep_den; p++) {
    bound_carry_at(k, x, p, v);
    if (mpz_cmp(v, most) > 0)
      mpz_set(most, v);
  }
  mpz_clear(v);
}

START_TEST(carried_pairs_against_dense_search)
{
  support_random r = { (uint64_t)_i };
  mpz_t slow, fast, before;
  mpz_inits(slow, fast, before, NULL);
  bound_carry k = { .scale = support_between(&r, 1, 9),
                    .each = support_between(&r, 0, 2000),
                    .sides = support_between(&r, 0, 300),
                    .keep_den = support_between(&r, 1, 12),
                    .pairs = support_between(&r, 1, 400) };
  k.keep_num = support_between(&r, (k.keep_den + 1) / 2, k.keep_den);
  for (int64_t x = 0; x < 300; x++) {
    int64_t p;
    dense(&k, x, slow);
    bound_carry_most(&k, x, fast, &p);
    ck_assert_msg(mpz_cmp(slow, fast) == 0, "X = %ld: dense %s, fast %s", (long)x, mpz_get_str(NULL, 10, slow),
                  mpz_get_str(NULL, 10, fast));
    ck_assert_msg(mpz_cmp(fast, before) >= 0, "h falls at %ld", (long)x);
    mpz_set(before, fast);
  }
  mpz_clears(slow, fast, before, NULL);
}
END_TEST

/* The value itself, against doubles. */
START_TEST(carried_value)
{
  support_random r = { (uint64_t)_i };
  mpz_t v;
  mpz_init(v);
  for (int i = 0; i < 200; i++) {
    bound_carry k = { .scale = support_between(&r, 1, 9),
                      .each = support_between(&r, 0, 2000),
                      .sides = support_between(&r, 0, 300),
                      .keep_num = support_between(&r, 1, 4),
                      .keep_den = 4,
                      .pairs = 1000 };
    int64_t x = support_between(&r, 0, 1000), p = support_between(&r, 0, x);
    double y = (double)x - (double)(p * k.keep_num) / 4;
    double f = (double)k.scale * y * y / 4 + fmin((double)(k.each * p), (double)k.sides / 2 * sqrt((double)p) * y);
    bound_carry_at(&k, x, p, v);
    ck_assert_msg(fabs(mpz_get_d(v) - f) <= 1 + 1e-9 * f, "%g %g", mpz_get_d(v), f);
  }
  mpz_clear(v);
}
END_TEST

/* From here on carrying pairs gains nothing: 29.1 d^2 for the loads, 36.7 d^2 for loads and stores. */
START_TEST(where_local_rules)
{
  int64_t d = 64 + _i, p;
  mpz_t most;
  mpz_init(most);
  bound_carry loads = { 1, 12 * d * d, 4 * d, 1, 1, INT64_MAX / 16 },
              both = { 1, 14 * d * d, 6 * d, 1, 1, INT64_MAX / 16 };
  bound_carry_most(&loads, 292 * d * d / 10, most, &p);
  ck_assert_int_eq(p, 0);
  bound_carry_most(&loads, 290 * d * d / 10, most, &p);
  ck_assert_int_gt(p, 0);
  bound_carry_most(&both, 368 * d * d / 10, most, &p);
  ck_assert_int_eq(p, 0);
  bound_carry_most(&both, 366 * d * d / 10, most, &p);
  ck_assert_int_gt(p, 0);
  mpz_clear(most);
}
END_TEST

/* The doubles that steer the search are close to the integers that decide. */
START_TEST(guess_is_near)
{
  support_random r = { (uint64_t)_i };
  mpz_t most;
  mpz_init(most);
  for (int i = 0; i < 100; i++) {
    bound_carry k = { .scale = support_between(&r, 1, 9),
                      .each = support_between(&r, 1, 200000),
                      .sides = support_between(&r, 1, 3000),
                      .keep_num = 1,
                      .keep_den = 1,
                      .pairs = support_between(&r, 1000, 1000000) };
    int64_t x = support_between(&r, 1000, 1000000), p;
    bound_carry_most(&k, x, most, &p);
    double guess = bound_carry_guess(&k, (double)x);
    ck_assert_msg(fabs(guess - mpz_get_d(most)) < 1e-4 * guess + 2, "%g %g", guess, mpz_get_d(most));
  }
  mpz_clear(most);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("covering");
  TCase *c = support_case(s, "lp");
  tcase_add_loop_test(c, golden_constants, 0, 40);
  tcase_add_test(c, the_plan_of_the_backward_pass);
  tcase_add_test(c, corners_are_not_enough);
  tcase_add_loop_test(c, certifier_against_every_pass, 0, 60);
  c = support_case(s, "segments");
  tcase_add_loop_test(c, carried_pairs_against_dense_search, 0, 60);
  tcase_add_loop_test(c, carried_value, 0, 4);
  tcase_add_loop_test(c, where_local_rules, 0, 3);
  tcase_add_loop_test(c, guess_is_near, 0, 4);
  return support_run(s);
}
