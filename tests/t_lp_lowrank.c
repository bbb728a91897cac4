/* The low-rank bound: its inequalities at every amount of work, reruns, and its size. */
#include "base/mem.h"
#include "bounds/program/lowrank.h"
#include "tests/support.h"

START_TEST(pair_inequalities)
{
  int64_t d = _i + 1;
  for (int64_t v = 0; v <= 40; v++) {
    ck_assert_int_ge((d + v) * v, (d + 1) * v);
    ck_assert_int_ge((d + v) * (v + 1), (d + 1) * v + d); /* with the normaliser's W-step */
  }
}
END_TEST

/* r d = 64 M: at least 0.97 of 2 n r d (d + 1) / M, births aside */
static const struct {
  int64_t n, m;
} sizes[] = { { 1 << 18, 16 << 12 }, { 1 << 18, 40 << 12 }, { 1 << 16, 4 << 12 }, { 1 << 20, 100 << 12 } };
START_TEST(leading_order)
{
  int64_t n = sizes[_i].n, m = sizes[_i].m, d = 64, r = 64 * m / d;
  lowrank_case of = { n, n, r, d, d, true, (r + n) * (d + 1), n * d, m };
  lowrank_weights w;
  segment_cut c;
  segment_cut_init(&c);
  ck_assert(bound_lowrank_events(&of, &w, &c));
  double lead = 2. * (double)n * (double)r * (double)(d * (d + 1)) / (double)m, sliced = lead * 1.1;
  ck_assert_msg(mpz_get_d(c.events) > .97 * lead && mpz_get_d(c.events) < sliced, "%g of %g", mpz_get_d(c.events),
                lead);
  segment_cut_clear(&c);
}
END_TEST

/* h never falls, and the exact count of reruns stays below the p/2 of the first proof where that applied. */
START_TEST(reruns)
{
  support_random rnd = { (uint64_t)_i };
  int64_t n = support_between(&rnd, 8, 400), d = support_between(&rnd, 1, 16);
  lowrank_weights w = { { n, n, support_between(&rnd, 1, 100), d, d, true, 0, 0, 100 }, _i % 2 };
  mpz_t before, now, words;
  mpz_inits(before, now, words, NULL);
  for (int64_t x = 0; x < 500; x++) {
    bound_carry k;
    if (x <= n * d / 2 && 8 * x <= n * n && x > 0) {
      ck_assert(bound_lowrank_carry(&w, x, &k));
      ck_assert_int_ge(2 * k.keep_num, k.keep_den);
    }
    mpz_set_si(words, x);
    bound_lowrank_work(&w, words, now);
    ck_assert(mpz_cmp(now, before) >= 0);
    mpz_set(before, now);
  }
  mpz_clears(before, now, words, NULL);
}
END_TEST

/* keys, d, X -> words left of 1 for a carried feature: 1 - (slices + normaliser) / (keys - whole rows) */
static const struct {
  int64_t keys, d, x, num, den;
} left[] = {
  { 100, 4, 99, 1, 1 },
  { 100, 4, 100, 73, 75 },
  { 100, 4, 250, 35, 38 },
  { 1000, 64, 3500, 942, 946 },
};
START_TEST(words_left)
{
  lowrank_weights w = { { left[_i].keys, 50, 10, left[_i].d, left[_i].d, true, 0, 0, 100 }, true };
  bound_carry k;
  ck_assert(bound_lowrank_carry(&w, left[_i].x, &k));
  ck_assert_int_eq(k.keep_num * left[_i].den, k.keep_den * left[_i].num);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lowrank");
  TCase *c = support_case(s, "lowrank");
  tcase_add_loop_test(c, pair_inequalities, 0, 40);
  tcase_add_loop_test(c, leading_order, 0, COUNT(sizes));
  tcase_add_loop_test(c, reruns, 0, 40);
  tcase_add_loop_test(c, words_left, 0, COUNT(left));
  return support_run(s);
}
