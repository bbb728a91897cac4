#include "schedules/tiler/judge.h"
#include <stdio.h>
#include <string.h>

static bool open_text(const cdag *g, const pebble_rules *rules, const char *source, schedule **s, tiler_verdict *v)
{
  diag d = { 0 };
  *v = (tiler_verdict){ 0 };
  if (schedule_parse(s, g, rules->m, "found.sched", source, "", &d) == OK)
    return true;
  snprintf(v->why, sizeof v->why, "line %d: %.200s", d.line, d.message);
  return false;
}

static void count(const schedule *s, const pebble_rules *rules, tiler_verdict *v)
{
  schedule_counts c = { 0 };
  diag d = { 0 };
  if (schedule_count(s, rules, &c, &d) == OK && c.countable) {
    v->counted = true;
    v->loads = c.loads;
    v->stores = c.stores;
    v->peak = c.peak;
    v->fits = c.peak <= rules->m;
  }
  schedule_counts_clear(&c);
}

static void play(const schedule *s, const pebble_rules *rules, tiler_verdict *v)
{
  bool element = s->g->graph || rules->variant == PEBBLE_PARTIAL;
  schedule_play_options o = { .rules = *rules,
                              .engine = element ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                              .fast_forward = true };
  schedule_verdict played = { 0 };
  diag d = { 0 };
  status st = schedule_play(s, &o, &played, &d);
  v->long_winded = st == GAVE_UP;
  if (st != OK)
    snprintf(v->why, sizeof v->why, "%.250s", d.message);
  else {
    v->legal = played.verdict.legal;
    v->loads = played.verdict.loads;
    v->stores = played.verdict.stores;
    v->peak = played.verdict.peak;
    v->fits = v->peak <= rules->m;
    if (!v->legal)
      snprintf(v->why, sizeof v->why, "line %d, rule %s", played.line, pebble_rule_name(played.verdict.rule));
  }
  schedule_verdict_clear(&played);
}

void tiler_judge(const cdag *g, const pebble_rules *rules, const char *source, const tiler_patience *p,
                 tiler_verdict *v)
{
  schedule *s = NULL;
  if (open_text(g, rules, source, &s, v)) {
    s->most_iterations = p->iterations;
    s->until = p->until;
    count(s, rules, v);
    v->dear = v->counted && p->below && num_plus(v->loads, v->stores) >= p->below;
    v->long_winded = p->count_only;
    if (!v->dear && !p->count_only && (!v->counted || v->fits))
      play(s, rules, v);
  }
  schedule_free(s);
}
