/* The search for a schedule: what it finds is legal by both engines, the model's I/O is the played one, and families under another name
   reach what the library has. */
#include "base/mem.h"
#include "schedules/tiler/find.h"
#include "tests/support_random_cdag.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool plays(const cdag *g, const pebble_rules *rules, const char *source, pebble_engine engine, pebble_verdict *v, text *why)
{
  schedule *s = NULL;
  schedule_play_options o = { .rules = *rules, .engine = engine };
  schedule_verdict played = { 0 };
  diag d = { 0 };
  bool good = schedule_parse(&s, g, rules->m, "found", source, "", &d) == OK && schedule_play(s, &o, &played, &d) == OK;
  if (!good)
    text_printf(why, "%s", d.message);
  else if (!played.verdict.legal)
    text_printf(why, "line %d: %s", played.line, pebble_rule_name(played.verdict.rule));
  *v = played.verdict;
  schedule_verdict_clear(&played);
  schedule_free(s);
  return good && v->legal;
}

static void check_found(const cdag *g, const pebble_rules *rules, const schedule_found *f, const char *what)
{
  pebble_verdict one, two;
  text why = { 0 };
  ck_assert_msg(plays(g, rules, text_str(&f->source), PEBBLE_BY_ELEMENT, &one, &why), "%s: by element, %s\n%s", what, text_str(&why), text_str(&f->source));
  ck_assert_msg(plays(g, rules, text_str(&f->source), PEBBLE_BY_TILE, &two, &why), "%s: by tile, %s\n%s", what, text_str(&why), text_str(&f->source));
  ck_assert_msg(one.loads == two.loads && one.stores == two.stores && one.loads == f->loads && one.stores == f->stores && one.peak == f->peak, "%s", what);
  text_clear(&why);
}

START_TEST(random_computations)
{
  support_random r = { (uint64_t)_i };
  random_cdag_options o = { .plain = _i % 2 };
  text source = { 0 };
  cdag *g = support_random_cdag(&r, &o, &source);
  cdag_counts c;
  diag d = { 0 };
  ck_assert_int_eq(cdag_count(g, &c, &d), OK);
  pebble_rules rules = { .m = c.max_in_degree + 1 + (uint64_t)support_between(&r, 0, 20) };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  status st = schedule_find(g, &rules, &options, &f, &d);
  if (st == OK)
    check_found(g, &rules, &f, text_str(&source));
  else if (getenv("TILER_SHARE"))
    printf("SEED %d M=%d: %s\n%s\n", _i, (int)rules.m, d.message, text_str(&source));
  schedule_found_clear(&f);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler");
  TCase *t = support_case(s, "random");
  tcase_add_loop_test(t, random_computations, 0, support_rounds(200));
  return support_run(s);
}
