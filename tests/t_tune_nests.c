/* Statements that share no parameter are tuned alone: the answer is that of all settings together, counted one by one.
 */
#include "schedules/schedule.h"
#include "tests/support.h"
#include <stdio.h>
#include <string.h>

static const char computation[] =
    "param n\ninput A[n,n], B[n,n], C[n,n], E[n,n]\n"
    "X[i:n, j:n, k:n] = X[i,j,k-1], A[i,k], B[k,j]\nY[i:n, j:n, k:n] = Y[i,j,k-1], C[i,k], E[k,j]\n"
    "output X[*,*,n-1], Y[*,*,n-1]\n";
#define PRODUCT(S, L, R, a, b)                                                                                         \
  "for I in n by " a " { for J in n by " b " { for k in n { load " R "[k,J] for i in I { load " L "[i,k] compute " S   \
  "[i,J,k] dropping " S " drop " L "[i,k] } drop " R "[k,J] } store " S "[I,J,n-1] drop " S "[I,J,n-1] } }\n"

static const char *const texts[] = {
  "param a = auto, b = auto, c = auto, e = auto\n" PRODUCT("X", "A", "B", "a", "b") PRODUCT("Y", "C", "E", "c", "e"),
  /* a default that follows ties two statements */
  "param a = auto, b = a, c = auto\n" PRODUCT("X", "A", "B", "a", "a") PRODUCT("Y", "C", "E", "b", "c"),
};

/* The least over all settings up to n, played; NUM_TOO_MANY: none is legal. */
static num_count least_of_all(schedule *s, const pebble_rules *rules, int64_t n, const int *param, int params)
{
  num_count least = NUM_TOO_MANY;
  int64_t v[8];
  for (int k = 0; k < params; k++)
    v[k] = 1;
  for (int k = 0; k < params;) {
    schedule_counts c = { 0 };
    diag d = { 0 };
    for (int i = 0; i < params; i++)
      ck_assert_int_eq(schedule_set(s, param[i], v[i]), OK);
    ck_assert_int_eq(schedule_count(s, rules, &c, &d), OK);
    if (c.countable && c.peak <= rules->m && schedule_counts_io(&c) < least)
      least = schedule_counts_io(&c);
    schedule_counts_clear(&c);
    for (k = 0; k < params && ++v[k] > n; k++)
      v[k] = 1;
  }
  return least;
}

START_TEST(alone_is_together)
{
  cdag *g;
  schedule *s, *all;
  schedule_tuning t = { 0 };
  diag d = { 0 };
  int n = 4 + _i % 2, which = _i / 8, param[8], params = 0;
  char assign[16];
  pebble_rules rules = { .m = 4 + (uint64_t)(_i % 8) * 3 };
  snprintf(assign, sizeof assign, "n=%d", n);
  ck_assert_int_eq(cdag_parse(&g, "two", computation, assign, &d), OK);
  ck_assert_int_eq(schedule_parse(&s, g, rules.m, "text", texts[which], "", &d), OK);
  ck_assert_int_eq(schedule_parse(&all, g, rules.m, "text", texts[which], "", &d), OK);
  for (int i = 0; i < all->params; i++)
    if (all->param[i].automatic)
      param[params++] = i;
  num_count least = least_of_all(all, &rules, n, param, params);
  status st = schedule_tune(s, &rules, &t, &d);
  ck_assert_msg((st == OK) == num_known(least), "M=%d: %s", (int)rules.m, d.message);
  if (st == OK) {
    ck_assert_msg(t.io == least && t.exact, "M=%d n=%d: %s, all settings %s", (int)rules.m, n, num_digits(t.io).s,
                  num_digits(least).s);
    ck_assert((which == 0) == (strstr(text_str(&t.record), "share no parameter") != NULL));
  }
  schedule_tuning_clear(&t);
  schedule_free(s);
  schedule_free(all);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tune-nests");
  TCase *t = support_case(s, "parts");
  tcase_add_loop_test(t, alone_is_together, 0, 16);
  return support_run(s);
}
