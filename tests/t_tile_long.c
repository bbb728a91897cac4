/* Long random programs: both engines, with and without fast-forward, and the count. */
#include "base/mem.h"
#include "tests/support_long.h"
#include "tests/support_ways.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct { uint64_t plays, legal, inferred, jumping; } tally;

static void compare(uint64_t seed, tally *of)
{
  text computation = { 0 }, program = { 0 };
  support_random r = { seed ^ 0x5eed };
  pebble_rules rules = { .variant = support_between(&r, 0, 3) ? PEBBLE_PLACING : PEBBLE_SLIDING, .one_shot = !support_between(&r, 0, 3),
                         .m = (uint64_t)support_between(&r, 0, 2) ? 1000 : (uint64_t)support_between(&r, 5, 60) };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  support_long(&computation, &program, seed);
  if (cdag_parse(&g, "long.cdag", text_str(&computation), "", &d) == OK &&
      schedule_parse(&s, g, rules.m, "long.sched", text_str(&program), "", &d) == OK) {
    text what = { 0 };
    bool legal = false;
    text_printf(&what, "seed %lu, M = %lu, variant %d, one-shot %d\n%s\n%s", (unsigned long)seed, (unsigned long)rules.m, rules.variant, rules.one_shot,
                text_str(&computation), text_str(&program));
    uint64_t inferred = ways_compare(s, &rules, true, text_str(&what), &legal);
    of->plays++;
    of->legal += legal;
    of->inferred += inferred;
    of->jumping += inferred > 0;
    text_clear(&what);
  } else if (getenv("LONG_SAY"))
    fprintf(stderr, "%d:%d: %s\n%s\n%s\n", d.line, d.column, d.message, text_str(&computation), text_str(&program));
  schedule_free(s);
  cdag_free(g);
  text_clear(&computation);
  text_clear(&program);
}

START_TEST(agree)
{
  tally of = { 0 };
  for (int k = 0; k < 4; k++)
    compare(4 * (uint64_t)_i + (uint64_t)k, &of);
}
END_TEST

/* Worth something only if most of these programs can be read, many are legal, and turns are left out. */
START_TEST(leave_turns_out)
{
  tally of = { 0 };
  for (uint64_t seed = 0; seed < 400; seed++)
    compare(seed, &of);
  if (getenv("LONG_SAY"))
    fprintf(stderr, "%lu plays, %lu legal, %lu jumping, %lu turns\n", (unsigned long)of.plays, (unsigned long)of.legal, (unsigned long)of.jumping, (unsigned long)of.inferred);
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
  tcase_add_test(c, leave_turns_out);
  return support_run(s);
}
