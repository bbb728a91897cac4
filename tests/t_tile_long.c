/* Long random programs: both engines, with and without fast-forward, and the count. */
#include "base/mem.h"
#include "tests/support_long.h"
#include "tests/support_ways.h"

static void compare(uint64_t seed, ways_tally *of)
{
  text computation = { 0 }, program = { 0 };
  support_random r = { seed ^ 0x5eed };
  pebble_rules rules = { .variant = support_between(&r, 0, 3) ? PEBBLE_PLACING : PEBBLE_SLIDING,
                         .one_shot = !support_between(&r, 0, 3),
                         .m = (uint64_t)support_between(&r, 0, 2) ? 1000 : (uint64_t)support_between(&r, 5, 60) };
  support_long(&computation, &program, seed);
  ways_try_texts(seed, &computation, &program, &rules, true, "LONG_SAY", of);
  text_clear(&computation);
  text_clear(&program);
}

START_TEST(agree)
{
  ways_tally of = { 0 };
  for (int k = 0; k < 4; k++)
    compare(4 * (uint64_t)_i + (uint64_t)k, &of);
}
END_TEST

/* Worth something only if most of these programs can be read, many are legal, and iterations are left out. */
START_TEST(leave_iterations_out)
{
  ways_tally of = { 0 };
  for (uint64_t seed = 0; seed < 400; seed++)
    compare(seed, &of);
  ways_say("LONG_SAY", &of);
  ck_assert_uint_gt(of.plays, 300);
  ck_assert_uint_gt(of.legal, 50);
  ck_assert_uint_gt(of.jumping, 150);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_long");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, agree, 100, 100 + support_rounds(300));
  if (!support_sanitized())
    tcase_add_test(c, leave_iterations_out);
  return support_run(s);
}
