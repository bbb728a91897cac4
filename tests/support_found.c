#include "tests/support_found.h"

bool support_plays(const cdag *g, const pebble_rules *rules, const char *source, pebble_engine engine,
                   pebble_verdict *v, text *why)
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

void support_check_found(const cdag *g, const pebble_rules *rules, const schedule_found *f, const char *what)
{
  pebble_verdict one, two;
  text why = { 0 };
  const char *source = text_str(&f->source);
  ck_assert_msg(support_plays(g, rules, source, PEBBLE_BY_ELEMENT, &one, &why), "%s: by element, %s\n%s", what,
                text_str(&why), source);
  ck_assert_msg(support_plays(g, rules, source, PEBBLE_BY_TILE, &two, &why), "%s: by tile, %s\n%s", what,
                text_str(&why), source);
  ck_assert_msg(one.loads == two.loads && one.stores == two.stores && one.loads == f->loads &&
                    one.stores == f->stores && one.peak == f->peak,
                "%s", what);
  text_clear(&why);
}
