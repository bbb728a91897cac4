/* Every schedule of the library, on small computations: both engines, with and without fast-forward, and the count. */
#include "tests/support_library.h"
#include "tests/support_ways.h"

START_TEST(every_way)
{
  const schedule_listing *l = library_at(_i);
  support_random r = { (uint64_t)_i };
  cdag *g = library_cdag(l->family, &r);
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .variant = support_between(&r, 0, 3) ? PEBBLE_PLACING : PEBBLE_SLIDING,
                         .one_shot = !support_between(&r, 0, 3), .m = (uint64_t)support_between(&r, 3, 90) };
  if (g && schedule_parse(&s, g, rules.m, l->path, l->text, "", &d) == OK && schedule_unset(s) < 0)
    ways_compare(s, &rules, true, l->path, NULL);
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_library");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, every_way, 0, support_rounds(800));
  return support_run(s);
}
