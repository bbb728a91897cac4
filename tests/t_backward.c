/* The backward bounds: their inequalities at every amount of work, golden values, and the two-pass schedule above them.
 */
#include "base/mem.h"
#include "bounds/program/backward.h"
#include "tests/support.h"

/* ---- the pair inequalities of the proofs, at every (v, q, k) ---- */

static int64_t row_words(int64_t d, int64_t v, int64_t q, int64_t k) { return q + k > 0 ? 2 * d + q : d + v; }
static int64_t column_words(int64_t d, int64_t v, int64_t q, int64_t k) { return q + k > 0 ? 2 * d + k + v : d + v; }

START_TEST(pair_inequalities)
{
  int64_t d = _i + 1;
  for (int64_t v = 0; v <= d; v++)
    for (int64_t q = 0; q <= d; q++)
      for (int64_t k = 0; k <= d; k++) {
        int64_t rc = row_words(d, v, q, k) * column_words(d, v, q, k);
        ck_assert_int_ge(rc, 4 * d * (v + q + k));
        ck_assert_int_ge(rc + q * (k + v), 4 * d * v + 6 * d * q + 4 * d * k);
      }
}
END_TEST

/* What one pair weighs in all, and the heaviest kind. */
START_TEST(weights_of_a_pair)
{
  int64_t d = _i + 1;
  backward_case b = { .d = d, .pairs = 9 };
  bound_carry loads = bound_backward_carry(&b, false), both = bound_backward_carry(&b, true);
  ck_assert_int_eq(loads.each, d * (4 * d + 4 * d + 4 * d));
  ck_assert_int_eq(both.each, d * (4 * d + 6 * d + 4 * d));
  ck_assert_int_eq(loads.sides, 4 * d);
  ck_assert_int_eq(both.sides, 6 * d);
}
END_TEST

/* The charge of step (iv, 2a): the excess of one residency is below d^2. */
START_TEST(excess_of_a_residency)
{
  int64_t d = _i + 1, column = 0, row = 0;
  for (int64_t k = 1; k <= 2 * d; k++)
    column += 2 * d - k; /* d slices, each sum of 1 - k/2d: times 2d/d */
  for (int64_t k = 1; k <= d; k++)
    row += d - k;                      /* 2d slices, each sum of 1 - k/d: times d/2d */
  ck_assert_int_le(column, 2 * d * d); /* d * column / 2d <= d^2 */
  ck_assert_int_le(2 * row, d * d);    /* 2d * row / d <= d^2 */
}
END_TEST

/* ---- numbers ---- */

static backward_case square(int64_t n, int64_t d, int64_t m)
{
  return (backward_case){ d, n * n, 3 * n * d, 3 * n * d, m };
}

typedef struct {
  mpz_t loads, both;
} values;

static void evaluate(const backward_case *b, values *v)
{
  segment_cut c;
  backward_balance r;
  segment_cut_init(&c);
  bound_backward_balance_init(&r);
  bound_backward_loads(b, &c);
  ck_assert(bound_backward_balance_best(b, c.events, &r));
  mpz_set(v->both, r.value);
  mpz_sub_ui(v->loads, c.events, (unsigned long)b->births);
  mpz_add_ui(v->loads, v->loads, (unsigned long)b->outputs);
  segment_cut_clear(&c);
  bound_backward_balance_clear(&r);
}

/* The two-pass schedule: dQ with a rows resident, dK and dV with b columns resident (AttenIO's dataflow twice). */
static double two_pass(int64_t n, int64_t d, int64_t m)
{
  int64_t a = (m - 2 * d - 1) / (3 * d + 4), b = (m - 2 * d - 1) / (4 * d + 2);
  return (double)(8 * n * d + 2 * n) + 2. * (double)(n * d) * (double)((n + a - 1) / a) +
         2. * (double)(n * d + n) * (double)((n + b - 1) / b);
}

/* Paper: schedule over bound 1.10, 1.09, 1.10, 1.13 with M + d^2 charged to every event; here to stores only. */
static const struct {
  int64_t times;
  double within;
} golden[] = { { 20, 1.10 }, { 40, 1.09 }, { 64, 1.10 }, { 100, 1.13 } };
START_TEST(two_pass_over_bound)
{
  values v;
  mpz_inits(v.loads, v.both, NULL);
  backward_case b = square(65536, 64, golden[_i].times * 64 * 64);
  evaluate(&b, &v);
  double ratio = two_pass(65536, 64, b.m) / mpz_get_d(v.both);
  ck_assert_msg(ratio < golden[_i].within && ratio > 1, "%g", ratio);
  ck_assert(mpz_cmp(v.both, v.loads) >= 0);
  mpz_clears(v.loads, v.both, NULL);
}
END_TEST

/* Played move by move on paper: I/O of the two-pass schedule at (n, d, M). */
static const struct {
  int64_t n, d, m, io;
} played[] = {
  { 12, 1, 30, 324 }, { 24, 2, 60, 1344 }, { 40, 2, 120, 2080 }, { 60, 1, 60, 2460 }, { 64, 2, 160, 3584 },
};
START_TEST(never_above_a_play)
{
  values v;
  mpz_inits(v.loads, v.both, NULL);
  backward_case b = square(played[_i].n, played[_i].d, played[_i].m);
  evaluate(&b, &v);
  ck_assert_int_le(mpz_get_si(v.loads), played[_i].io);
  ck_assert_int_le(mpz_get_si(v.both), played[_i].io);
  mpz_clears(v.loads, v.both, NULL);
}
END_TEST

START_TEST(grid_below_the_schedule)
{
  values v;
  mpz_inits(v.loads, v.both, NULL);
  support_random r = { (uint64_t)_i };
  int64_t d = (int64_t)1 << support_between(&r, 0, 7), n = d << support_between(&r, 0, 8);
  int64_t m = 6 * d + 8 + support_between(&r, 0, 1 << support_between(&r, 2, 20));
  backward_case b = square(n, d, m);
  evaluate(&b, &v);
  ck_assert_msg(mpz_get_d(v.loads) <= two_pass(n, d, m), "n %ld d %ld M %ld", (long)n, (long)d, (long)m);
  ck_assert_msg(mpz_get_d(v.both) <= two_pass(n, d, m), "n %ld d %ld M %ld", (long)n, (long)d, (long)m);
  mpz_clears(v.loads, v.both, NULL);
}
END_TEST

/* The least of events + stores over all integers that obey the two inequalities, by trying every number of stores. */
START_TEST(balance_against_every_number_of_stores)
{
  support_random r = { (uint64_t)_i };
  int64_t d = support_between(&r, 1, 3), n = support_between(&r, 10, 60), m = support_between(&r, 10, 200);
  backward_case b = square(n, d, m);
  mpz_t floor_events;
  mpz_init_set_si(floor_events, support_between(&r, 1, 14 * n * n * d * d / m + 10));
  backward_balance x;
  bound_backward_balance_init(&x);
  int64_t t = support_between(&r, 1, 3 * m);
  bound_backward_balance_at(&b, floor_events, t, &x);
  int64_t least = INT64_MAX, need = 14 * d * d * b.pairs - mpz_get_si(x.first), later = mpz_get_si(x.later);
  for (int64_t s = b.outputs; s < 14 * d * d * b.pairs; s++) {
    int64_t rest = need - (m + d * d) * s, iterations = rest > 0 ? (rest + later - 1) / later : 0;
    int64_t asked = iterations ? x.f + t * (iterations - 1) + 1 : 0;
    int64_t events = asked > mpz_get_si(floor_events) ? asked : mpz_get_si(floor_events);
    if (events + s - b.births < least)
      least = events + s - b.births;
  }
  ck_assert_msg(mpz_cmp_si(x.value, least) <= 0, "%ld > %ld", mpz_get_si(x.value), (long)least);
  ck_assert_msg(mpz_get_si(x.value) >= least - t - 1, "%ld far below %ld", mpz_get_si(x.value), (long)least);
  mpz_clear(floor_events);
  bound_backward_balance_clear(&x);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("backward");
  TCase *c = support_case(s, "inequalities");
  tcase_add_loop_test(c, pair_inequalities, 0, 24);
  tcase_add_loop_test(c, weights_of_a_pair, 0, 10);
  tcase_add_loop_test(c, excess_of_a_residency, 0, 70);
  c = support_case(s, "numbers");
  tcase_add_loop_test(c, two_pass_over_bound, 0, COUNT(golden));
  tcase_add_loop_test(c, never_above_a_play, 0, COUNT(played));
  tcase_add_loop_test(c, grid_below_the_schedule, 0, 300);
  tcase_add_loop_test(c, balance_against_every_number_of_stores, 0, 100);
  return support_run(s);
}
