/* Counts beyond 64 bits: what loops without end in sight move is known, and every way to count it says the same, or
 * that it is beyond every count. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/bound.h"
#include "schedules/count/counter.h"
#include "schedules/count/words.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include <gmp.h>
#include <inttypes.h>
#include <string.h>

/* ---- the numbers themselves ---- */

static void set(mpz_t z, num_count c)
{
  mpz_set_ui(z, (unsigned long)(c >> 64));
  mpz_mul_2exp(z, z, 64);
  mpz_add_ui(z, z, (unsigned long)c);
}

static void check_number(num_count c, const mpz_t z)
{
  mpz_t end;
  mpz_init_set_ui(end, 1);
  mpz_mul_2exp(end, end, 128);
  mpz_sub_ui(end, end, 1);
  bool fits = mpz_cmp(z, end) < 0;
  char digits[200];
  mpz_get_str(digits, 10, z);
  ck_assert_msg(num_known(c) == fits && (!fits || strcmp(num_digits(c).s, digits) == 0), "%s, not %s", num_digits(c).s,
                digits);
  const char *rest;
  num_count again;
  ck_assert(num_read_count(digits, &rest, &again) == fits && *rest == '\0' && (!fits || again == c));
  mpz_clear(end);
}

static num_count random_count(support_random *r)
{
  num_count c = (num_count)support_next(r) << 64 | support_next(r);
  c >>= support_between(r, 0, 127);
  return support_between(r, 0, 9) ? c : NUM_TOO_MANY - 1 - (num_count)support_between(r, 0, 3);
}

START_TEST(numbers)
{
  support_random r = { (uint64_t)_i };
  num_count a = random_count(&r), b = random_count(&r);
  mpz_t x, y, z;
  mpz_inits(x, y, z, NULL);
  set(x, a);
  set(y, b);
  mpz_add(z, x, y);
  check_number(num_plus(a, b), z);
  mpz_mul(z, x, y);
  check_number(num_times(a, b), z);
  mpz_clears(x, y, z, NULL);
}
END_TEST

START_TEST(too_many_stays)
{
  const char *end;
  num_count c;
  ck_assert(!num_known(num_plus(NUM_TOO_MANY, 0)) && !num_known(num_plus(1, NUM_TOO_MANY)) &&
            !num_known(num_plus(NUM_TOO_MANY, NUM_TOO_MANY)));
  ck_assert(!num_known(num_times(NUM_TOO_MANY, 1)) && !num_known(num_times(2, NUM_TOO_MANY)) &&
            num_times(NUM_TOO_MANY, 0) == 0);
  ck_assert_uint_eq(num_plus64(UINT64_MAX, 1), UINT64_MAX);
  ck_assert_uint_eq(num_plus64(UINT64_MAX - 3, 2), UINT64_MAX - 1);
  ck_assert(!num_read_count("x", &end, &c) && !num_read_count("", &end, &c));
  ck_assert_str_eq(num_digits(0).s, "0");
}
END_TEST

/* ---- loops in loops ---- */

/* One load is made in the innermost loop; how often that is, is a product of iterations and of triangles. */
static int64_t iterations_of(support_random *r)
{
  int64_t most = INT64_C(1) << support_between(r, 1, 60);
  return support_between(r, 1, most);
}

static void multiply(mpz_t product, int64_t factor) { mpz_mul_si(product, product, (long)factor); }

static void random_nest(text *t, support_random *r, mpz_t loads)
{
  int depth = (int)support_between(r, 1, 5), open = 0;
  mpz_set_ui(loads, 1);
  for (int i = 0; i < depth; i++) {
    int64_t n = iterations_of(r), by = support_between(r, 0, 2) ? 1 : support_between(r, 1, 1000);
    if (support_between(r, 0, 3) == 0) { /* 0 + 1 + ... + n-1 */
      text_printf(t, "for i%d in %" PRId64 " { for j%d in i%d { ", i, n, i, i);
      multiply(loads, n);
      multiply(loads, n - 1);
      mpz_divexact_ui(loads, loads, 2);
      open += 2;
      continue;
    }
    text_printf(t, "for i%d in %" PRId64 " by %" PRId64 "%s { ", i, n, by, support_between(r, 0, 2) ? "" : " reversed");
    multiply(loads, (n - 1) / by + 1);
    open++;
  }
  text_add(t, "load x[0] drop x[0] ");
  for (; open > 0; open--)
    text_add(t, "} ");
  text_add(t, "load x[0] compute y[0] store y[0]");
  mpz_add_ui(loads, loads, 1);
}

static void check_words(const schedule *s, num_count io)
{
  num_count words;
  if (schedule_words(s, &words))
    ck_assert_msg(words == io, "words %s, not %s", num_digits(words).s, num_digits(io).s);
  schedule_counts c;
  schedule_counts_init(&c, s->g);
  schedule_counter *k = schedule_counter_new(s, &(pebble_rules){ .m = 3 }, &c);
  ck_assert_msg(schedule_counter_io(k, NUM_TOO_MANY) == io, "loads and stores alone");
  schedule_counter_free(k);
  schedule_counts_clear(&c);
}

START_TEST(nests)
{
  support_random r = { (uint64_t)_i };
  text t = { 0 };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_verdict v = { 0 };
  schedule_counts c = { 0 };
  mpz_t loads;
  mpz_init(loads);
  random_nest(&t, &r, loads);
  ck_assert(cdag_parse(&g, "text", "input x[1]\noutput y[i:1] = x[0]\n", "", &d) == OK);
  ck_assert_msg(schedule_parse(&s, g, 3, "text", text_str(&t), "", &d) == OK, "%s", d.message);
  schedule_play_options o = { .rules = { .m = 3 }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  bool fits = mpz_sizeinbase(loads, 2) <= 127; /* room for the stores */
  status played = schedule_play(s, &o, &v, &d), counted = schedule_count(s, &o.rules, &c, &d);
  if (fits) {
    ck_assert_msg(played == OK && counted == OK && v.verdict.legal, "%s:\n%s", d.message, text_str(&t));
    check_number(v.verdict.loads, loads);
    check_number(c.loads, loads);
    check_number(v.loads_by_array[0], loads);
    check_number(c.loads_by_array[0], loads);
    ck_assert(v.verdict.stores == 1 && c.stores == 1 && v.verdict.peak == 2 && c.peak == 2);
    check_words(s, num_plus(v.verdict.loads, 1));
  } else if (mpz_sizeinbase(loads, 2) > 128) {
    ck_assert_msg(played == GAVE_UP && counted == GAVE_UP && strcmp(d.kind, "limit") == 0, "%s:\n%s",
                  num_digits(v.verdict.loads).s, text_str(&t));
    check_words(s, NUM_TOO_MANY);
  }
  mpz_clear(loads);
  schedule_verdict_clear(&v);
  schedule_counts_clear(&c);
  schedule_free(s);
  cdag_free(g);
  text_clear(&t);
}
END_TEST

/* ---- computations whose I/O has more than 64 bits ---- */

START_TEST(above_the_bound)
{
  static const struct { const char *spec, *schedule; uint64_t m; const char *io; } known[] = {
    { "matmul:m=1000000000,n=1000000000,k=8", "naive", 1000, "17000000000000000000" },  /* 2 m n k + m n */
    { "matmul:m=1000000000,n=1000000000,k=9", "naive", 1000, "19000000000000000000" },
  };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  bound_list l = { 0 };
  schedule_verdict v = { 0 };
  int best;
  ck_assert_msg(cdag_open(&g, known[_i].spec, &d) == OK &&
                    schedule_open(&s, g, known[_i].m, known[_i].schedule, &d) == OK,
                "%s", d.message);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = known[_i].m };
  schedule_play_options o = { .rules = { .m = known[_i].m }, .engine = PEBBLE_BY_TILE, .fast_forward = true };
  ck_assert(bound_all(&q, &l, &best, &d) == OK && best >= 0 && schedule_play(s, &o, &v, &d) == OK && v.verdict.legal);
  ck_assert_str_eq(num_digits(pebble_io(&v.verdict)).s, known[_i].io);
  mpz_t io;
  mpz_init(io);
  set(io, pebble_io(&v.verdict));
  ck_assert(mpz_cmp(io, l.item[best].value) >= 0);
  mpz_clear(io);
  schedule_verdict_clear(&v);
  bound_list_clear(&l);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

START_TEST(tuned)
{
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  pebble_rules rules = { .m = 1000 };
  ck_assert(cdag_open(&g, "matmul:m=1000000000,n=1000000000,k=9", &d) == OK &&
            schedule_open(&s, g, rules.m, "tiled", &d) == OK);
  ck_assert(schedule_tune(s, &rules, &t, &d) == OK);
  ck_assert_str_eq(num_digits(t.io).s,
                   "1782608698000000000"); /* 2 m n k / 23, a few blocks more, and m n: the side is not 1 */
  schedule_tuning_clear(&t);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("counts");
  TCase *c = support_case(s, "counts");
  tcase_add_loop_test(c, numbers, 0, support_rounds(300));
  tcase_add_test(c, too_many_stays);
  tcase_add_loop_test(c, nests, 0, support_rounds(200));
  tcase_add_loop_test(c, above_the_bound, 0, 2);
  tcase_add_test(c, tuned);
  return support_run(s);
}
