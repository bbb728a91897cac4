/* Random programs on random computations: both engines, with and without fast-forward, and the count. */
#include "base/mem.h"
#include "tests/support_program.h"
#include "tests/support_random_cdag.h"
#include "tests/support_ways.h"
#include "tests/support_tile.h"

static void compare(const cdag *g, support_random *r, const char *name)
{
  text program = { 0 };
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .variant = support_between(r, 0, 3) ? PEBBLE_PLACING : PEBBLE_SLIDING,
                         .one_shot = !support_between(r, 0, 3),
                         .m = (uint64_t)support_between(r, 0, 2) ? 1000 : (uint64_t)support_between(r, 5, 100) };
  support_random_program(&program, g, support_next(r));
  if (schedule_parse(&s, g, rules.m, "random", text_str(&program), "", &d) == OK && schedule_unset(s) < 0) {
    text what = { 0 };
    text_printf(&what, "%s, M = %ld:\n", name, (long)rules.m);
    cdag_print(&what, g);
    text_add(&what, text_str(&program));
    ways_compare(s, &rules, true, text_str(&what), NULL);
    text_clear(&what);
  }
  schedule_free(s);
  text_clear(&program);
}

START_TEST(random_computations)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .most = 200, .conditions = _i % 3 == 0, .plain = support_between(&r, 0, 1) };
  cdag *g = support_random_cdag(&r, &o, NULL);
  for (int k = 0; k < 4; k++)
    compare(g, &r, "random");
  cdag_free(g);
}
END_TEST

START_TEST(examples)
{
  support_random r = { (uint64_t)_i };
  cdag *g = tile_open_example(_i % tile_example_count);
  compare(g, &r, tile_examples[_i % tile_example_count].name);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_programs");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, random_computations, 0, support_rounds(400));
  tcase_add_loop_test(c, examples, 0, support_rounds(600));
  return support_run(s);
}
