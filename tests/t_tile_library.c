/* Every schedule of the library, on small computations: both engines, with and without fast-forward, and the count. */
#include "base/mem.h"
#include "schedules/schedule.h"
#include "tests/support_library.h"
#include "tests/support_tile.h"
#include <string.h>

static status play(const schedule *s, pebble_engine engine, bool forward, const pebble_rules *rules, schedule_verdict *v)
{
  diag d = { 0 };
  schedule_play_options o = { .rules = *rules, .engine = engine, .fast_forward = forward, .want_smallest = true };
  return schedule_play(s, &o, v, &d);
}

static void same(const schedule *s, const schedule_verdict *a, const schedule_verdict *b, const char *what)
{
  const char *difference = tile_difference(s->g, &a->verdict, &b->verdict);
  size_t bytes = (size_t)s->g->arrays * sizeof(uint64_t);
  ck_assert_msg(!difference, "%s.%s: %s: %s differs (rules %s, %s)", s->family, s->name, what, difference,
                pebble_rule_name(a->verdict.rule), pebble_rule_name(b->verdict.rule));
  ck_assert(!memcmp(a->loads_by_array, b->loads_by_array, bytes) && !memcmp(a->stores_by_array, b->stores_by_array, bytes));
  ck_assert_int_eq(a->line, b->line);
  ck_assert_int_eq(a->column, b->column);
  ck_assert_str_eq(text_str(&a->loops), text_str(&b->loops));
  ck_assert_int_eq(a->has_smallest, b->has_smallest);
  ck_assert_uint_eq(a->smallest_memory, b->smallest_memory);
}

static void same_count(const schedule *s, const pebble_rules *rules, const schedule_verdict *v)
{
  schedule_counts c;
  diag d = { 0 };
  size_t bytes = (size_t)s->g->arrays * sizeof(uint64_t);
  ck_assert_int_eq(schedule_count(s, rules, &c, &d), OK);
  ck_assert_msg(c.countable || !v->verdict.legal, "%s.%s: %s", s->family, s->name, c.reason);
  if (v->verdict.legal) {
    ck_assert_uint_eq(c.loads, v->verdict.loads);
    ck_assert_uint_eq(c.stores, v->verdict.stores);
    ck_assert_uint_eq(c.computes, v->verdict.computes);
    ck_assert_uint_eq(c.peak, v->verdict.peak);
    ck_assert(!memcmp(c.loads_by_array, v->loads_by_array, bytes) && !memcmp(c.stores_by_array, v->stores_by_array, bytes));
  } else if (v->has_smallest && c.countable) {
    ck_assert_uint_eq(c.peak, v->smallest_memory);
  }
  schedule_counts_clear(&c);
}

START_TEST(three_ways)
{
  const schedule_listing *l = library_at(_i);
  support_random r = { (uint64_t)_i };
  cdag *g = library_cdag(l->family, &r);
  schedule *s = NULL;
  diag d = { 0 };
  pebble_rules rules = { .variant = support_between(&r, 0, 3) ? PEBBLE_PLACING : PEBBLE_SLIDING,
                         .one_shot = !support_between(&r, 0, 3), .m = (uint64_t)support_between(&r, 3, 90) };
  if (g && schedule_parse(&s, g, rules.m, l->path, l->text, "", &d) == OK && schedule_unset(s) < 0) {
    schedule_verdict by_element, by_tile, forward;
    ck_assert_int_eq(play(s, PEBBLE_BY_ELEMENT, false, &rules, &by_element), OK);
    ck_assert_int_eq(play(s, PEBBLE_BY_TILE, false, &rules, &by_tile), OK);
    ck_assert_int_eq(play(s, PEBBLE_BY_TILE, true, &rules, &forward), OK);
    same(s, &by_element, &by_tile, "tiles");
    same(s, &by_element, &forward, "fast-forward");
    if (by_element.verdict.rule != PEBBLE_VALUE)
      same_count(s, &rules, &by_element);
    schedule_verdict_clear(&by_element);
    schedule_verdict_clear(&by_tile);
    schedule_verdict_clear(&forward);
  }
  schedule_free(s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tile_library");
  TCase *c = support_case(s, "agreement");
  tcase_add_loop_test(c, three_ways, 0, support_rounds(800));
  return support_run(s);
}
