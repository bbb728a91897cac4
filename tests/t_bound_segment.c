/* The most work in a stretch, against dense search; the cut, against trying them all. */
#include "bounds/segment/segment.h"
#include "tests/support.h"
#include <math.h>

static int64_t value(void (*most)(const void *, const mpz_t, mpz_t), const void *context, int64_t x)
{
  mpz_t at, work;
  mpz_init_set_si(at, x);
  mpz_init(work);
  most(context, at, work);
  int64_t w = mpz_get_si(work);
  mpz_clears(at, work, NULL);
  return w;
}

static void three(const void *fiber, const mpz_t x, mpz_t most) { segment_three(fiber, x, most); }
static double three_guess(const void *fiber, double x) { return segment_three_guess(fiber, x); }
static void twice(const void *none, const mpz_t x, mpz_t most) { (void)none, segment_twice(x, most); }

/* The most H for which real a, b, t exist, by a fine search over a and b. */
static double dense_three(const int64_t f[3], double x)
{
  double best = 0;
  const int steps = 400;
  for (int i = 0; i <= steps; i++)
    for (int j = 0; i + j <= steps; j++) {
      double a = x * i / steps, b = x * j / steps, t = x - a - b;
      double h = fmin(fmin(sqrt(a * b * t), a * (double)f[0]), fmin(b * (double)f[1], t * (double)f[2]));
      best = fmax(best, h);
    }
  return best;
}

START_TEST(three_kinds_of_words)
{
  support_random r = { (uint64_t)_i };
  int64_t f[3] = { support_between(&r, 1, 12), 0, 0 };
  f[1] = f[0] + support_between(&r, 0, 12);
  f[2] = f[1] + support_between(&r, 0, 40);
  int64_t x = support_between(&r, 1, 900);
  double dense = dense_three(f, (double)x);
  int64_t most = value(three, f, x);
  if ((double)most <= (double)f[0] * (double)f[1] * (double)f[2]) { /* beyond, all the work fits */
    ck_assert_msg((double)most >= floor(dense), "%ld < %g", (long)most, dense);
    ck_assert_msg((double)most <= dense * 1.03 + 2, "%ld > %g", (long)most, dense);
  }
  ck_assert(fabs(three_guess(f, (double)x) - (double)most) <= 1.001);
  ck_assert(value(three, f, x + 1) >= most);
}
END_TEST

START_TEST(words_that_serve_twice)
{
  support_random r = { (uint64_t)_i };
  int64_t x = support_between(&r, 1, 2000);
  double best = 0;
  for (int i = 0; i <= 2000; i++) {
    double t = (double)x * i / 2000, u = (double)x - t;
    best = fmax(best, u * sqrt(t));
  }
  ck_assert(value(twice, NULL, x) >= (int64_t)floor(best) && (double)value(twice, NULL, x) <= best * 1.01 + 1);
}
END_TEST

/* min over carried and made pairs of the words that E pairs cost. */
static double pair_cost(const segment_pairs *a, double e) { return fmin(e, 2 * (double)a->dk * sqrt(e)); }

static double dense_pairs(const segment_pairs *a, double x)
{
  double best = 0, most = fmin((double)a->pairs, x * x);
  for (int i = 1; i <= 20000; i++) {
    double e = most * i / 20000 * i / 20000, left = x - pair_cost(a, e);
    if (left > 0)
      best = fmax(best, fmin(e * (double)a->dv, sqrt(e) * left / 2));
  }
  return best;
}

START_TEST(pairs_carried_or_made)
{
  support_random r = { (uint64_t)_i };
  segment_pairs a = { .dk = support_between(&r, 1, 12), .dv = support_between(&r, 1, 40), .pairs = 1u << 20 };
  a.fiber[0] = a.dv, a.fiber[1] = a.fiber[2] = 1 << 20;
  int64_t x = support_between(&r, 1, 3000), most = value(segment_pairs_most, &a, x);
  double dense = dense_pairs(&a, (double)x);
  ck_assert_msg((double)most >= floor(dense), "%ld < %g", (long)most, dense);
  ck_assert_msg((double)most <= dense * 1.01 + 1, "dk %ld dv %ld x %ld: %ld > %g", (long)a.dk, (long)a.dv, (long)x,
                (long)most, dense);
  ck_assert(value(segment_pairs_most, &a, x + 1) >= most);
}
END_TEST

START_TEST(few_pairs)
{
  support_random r = { (uint64_t)_i };
  segment_pairs a = { .dk = support_between(&r, 1, 6), .pairs = (uint64_t)support_between(&r, 1, 200) };
  a.dv = a.dk + support_between(&r, 0, 20);
  a.fiber[0] = a.dv, a.fiber[1] = a.fiber[2] = 1 << 20;
  int64_t x = support_between(&r, 1, 400), most = value(segment_pairs_most, &a, x);
  double dense = dense_pairs(&a, (double)x);
  ck_assert_msg((double)most >= floor(dense), "%ld < %g", (long)most, dense);
}
END_TEST

/* The case of docs/theory.md where one branch alone is wrong. */
START_TEST(one_branch_is_not_enough)
{
  segment_pairs a = { { 2, 1 << 20, 1 << 20 }, 1, 2, 1 << 20 };
  ck_assert_int_eq(value(segment_pairs_most, &a, 85), (int64_t)floor(85 * 85 / 16.0));
  ck_assert_int_eq(value(segment_pairs_most, &a, 9), 5); /* carried 5.19, made 5.06 */
}
END_TEST

static int64_t events_by_trying(const int64_t f[3], int64_t work, int64_t m)
{
  int64_t best = 0;
  for (int64_t first = 0; value(three, f, first) < work; first++)
    for (int64_t length = 0; length < 400; length++) {
      int64_t left = work - 1 - value(three, f, first), one = value(three, f, m + length);
      int64_t n = length == 0 ? 0 : one > 0 ? left / one : 0;
      if (first + n * length + 1 > best)
        best = first + n * length + 1;
      if (one > left)
        break;
    }
  return best;
}

START_TEST(the_best_cut)
{
  support_random r = { (uint64_t)_i };
  int64_t f[3] = { support_between(&r, 2, 6), 0, 0 }, m = support_between(&r, 3, 12);
  f[1] = f[0] + support_between(&r, 0, 4);
  f[2] = f[1] + support_between(&r, 0, 4);
  segment_problem p = { three, three_guess, f, { { 0 } }, m };
  segment_cut c;
  segment_cut_init(&c);
  mpz_init_set_si(p.work, f[0] * f[1] * f[2]);
  ck_assert(segment_search(&p, &c));
  int64_t best = events_by_trying(f, mpz_get_si(p.work), m), found = mpz_get_si(c.events);
  ck_assert_int_le(found, best);
  ck_assert_msg(found >= best - 1 - best / 10, "%ld of %ld", (long)found, (long)best);
  ck_assert_int_lt(value(three, f, c.first) + (c.n - 1) * value(three, f, m + c.length), mpz_get_si(p.work));
  mpz_clear(p.work);
  segment_cut_clear(&c);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_segment");
  TCase *c = support_case(s, "most");
  tcase_add_loop_test(c, three_kinds_of_words, 0, support_rounds(60));
  tcase_add_loop_test(c, words_that_serve_twice, 0, support_rounds(20));
  tcase_add_loop_test(c, pairs_carried_or_made, 0, support_rounds(200));
  tcase_add_loop_test(c, few_pairs, 0, support_rounds(100));
  tcase_add_test(c, one_branch_is_not_enough);
  tcase_add_loop_test(c, the_best_cut, 0, support_rounds(40));
  return support_run(s);
}
