#include "base/crew.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "tests/support.h"
#include <string.h>

static const struct { const char *s; int64_t value; bool good; } numbers[] = {
  { "0", 0, true }, { "64", 64, true }, { "64K", 65536, true }, { "2m", 2097152, true }, { "-3", -3, true },
  { "", 0, false }, { "K", 0, false }, { "12x", 0, false }, { "9223372036854775807", INT64_MAX, true },
  { "9223372036854775808", 0, false }, { "9007199254740992K", 0, false }, { "1KK", 0, false },
};
START_TEST(numbers_parse)
{
  int64_t v = -77;
  ck_assert_int_eq(num_parse(numbers[_i].s, &v), numbers[_i].good);
  ck_assert_int_eq(v, numbers[_i].good ? numbers[_i].value : -77);
}
END_TEST

START_TEST(division_floors)
{
  for (int64_t a = -20; a <= 20; a++)
    for (int64_t b = -5; b <= 5; b++)
      if (b) {
        int64_t q = num_floor_div(a, b), r = num_floor_mod(a, b);
        ck_assert_int_eq(q * b + r, a);
        ck_assert(b > 0 ? r >= 0 && r < b : r <= 0 && r > b);
      }
}
END_TEST

START_TEST(greatest_common_divisors)
{
  for (int64_t a = 0; a < 60; a++)
    for (int64_t b = a == 0; b < 60; b++) {
      int64_t most = 0;
      for (int64_t by = 1; by < 60; by++)
        most = a % by == 0 && b % by == 0 ? by : most;
      ck_assert_int_eq(num_gcd(a, b), most);
    }
  ck_assert_int_eq(num_gcd(INT64_MAX, 49), 49);
}
END_TEST

START_TEST(roots_and_binomials)
{
  int64_t v;
  for (int64_t a = 0; a < 2000; a++)
    ck_assert(num_isqrt(a) * num_isqrt(a) <= a && (num_isqrt(a) + 1) * (num_isqrt(a) + 1) > a);
  ck_assert_int_eq(num_isqrt(INT64_MAX), 3037000499);
  ck_assert(num_binomial(66, 33, &v));
  ck_assert_int_eq(v, 7219428434016265740);
  ck_assert(!num_binomial(68, 34, &v));
  ck_assert(num_pow(-2, 63, &v));
  ck_assert_int_eq(v, INT64_MIN);
  ck_assert(!num_pow(2, 63, &v));
}
END_TEST

/* What is hinted at is as it was, at any size, and no more of it than was said. */
START_TEST(hints_change_nothing)
{
  for (size_t n = 1; n < (size_t)3 << 22; n *= 3) {
    unsigned char *block = MEM_NEW(unsigned char, n + 2);
    memset(block, 7, n / 2);
    mem_fill_soon(block + 1, n);
    for (size_t i = 0; i < n + 2; i++)
      ck_assert_int_eq(block[i] = (unsigned char)(block[i] + 1), i < n / 2 ? 8 : 1);
    mem_free(block);
  }
}
END_TEST

START_TEST(nearest_names)
{
  const char *names[] = { "matmul", "attention", "attention-causal", "dot" };
  ck_assert_str_eq(diag_nearest("matmull", names, 4), "matmul");
  ck_assert_str_eq(diag_nearest("atention", names, 4), "attention");
  ck_assert_ptr_null(diag_nearest("zzzzzz", names, 4));
}
END_TEST

START_TEST(json_nests)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "a", "x\"\n</script>");
  json_key(&j, "b");
  json_open(&j, '[');
  json_uint(&j, UINT64_MAX);
  json_real(&j, 0.1);
  json_close(&j, ']');
  json_close(&j, '}');
  ck_assert_str_eq(text_str(&j.out), "{\"a\": \"x\\\"\\u000a</script>\", \"b\": [18446744073709551615, 0.1]}");
  json_clear(&j);
}
END_TEST

static void count(void *context, size_t i) { ((int *)context)[i]++; }

/* Each iteration once, however many there are, with a second thread or without. */
START_TEST(crews_take_each_once)
{
  enum { MOST = 300 };
  crew *c = _i ? crew_new() : NULL;
  for (size_t n = 0; n < MOST; n++) {
    int times[MOST] = { 0 };
    crew_each(c, count, times, n);
    for (size_t i = 0; i < MOST; i++)
      ck_assert_int_eq(times[i], i < n);
  }
  crew_free(c);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("base");
  TCase *c = support_case(s, "base");
  tcase_add_loop_test(c, numbers_parse, 0, COUNT(numbers));
  tcase_add_test(c, division_floors);
  tcase_add_test(c, greatest_common_divisors);
  tcase_add_test(c, roots_and_binomials);
  tcase_add_test(c, hints_change_nothing);
  tcase_add_loop_test(c, crews_take_each_once, 0, 2);
  tcase_add_test(c, nearest_names);
  tcase_add_test(c, json_nests);
  return support_run(s);
}
