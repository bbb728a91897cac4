#include "schedules/tiler/judge.h"
#include "base/clock.h"
#include "base/mem.h"
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

struct tiler_judged {
  char *source;
  bool counted, played;        /* to the end */
  double given;                /* seconds of the processor in which no end was seen */
  uint64_t iterations;         /* so many were played one by one, and no end was seen */
  tiler_verdict count, play;
};

static struct tiler_judged *look_up(tiler_docket *d, const char *source)
{
  for (size_t i = 0; i < d->n; i++)
    if (strcmp(d->of[i].source, source) == 0)
      return &d->of[i];
  d->of = mem_room(d->of, d->n, &d->room, sizeof *d->of);
  d->of[d->n] = (struct tiler_judged){ .source = mem_text(source) };
  return &d->of[d->n++];
}

void tiler_docket_clear(tiler_docket *d)
{
  for (size_t i = 0; i < d->n; i++)
    mem_free(d->of[i].source);
  mem_free(d->of);
  *d = (tiler_docket){ 0 };
}

/* What the play says, of a text that was counted or cannot be. */
static void judge_played(const schedule *s, const pebble_rules *rules, struct tiler_judged *known, tiler_verdict *v)
{
  double from = clock_processor();
  if (known->played) {
    *v = known->play;
    return;
  }
  if (s->until > 0 && s->until - from <= known->given) {
    v->long_winded = true;
    snprintf(v->why, sizeof v->why, "its time was over before its end was seen");
    return;
  }
  if (s->most_iterations && s->most_iterations <= known->iterations) {
    *v = known->play;
    return;
  }
  play(s, rules, v);
  known->played = !v->long_winded;
  known->play = *v;
  if (s->most_iterations && v->long_winded && (s->until <= 0 || clock_processor() < s->until))
    known->iterations = s->most_iterations;
  else
    known->given = clock_processor() - from;
}

void tiler_judge(const cdag *g, const pebble_rules *rules, const char *source, const tiler_patience *p,
                 tiler_docket *before, tiler_verdict *v)
{
  schedule *s = NULL;
  struct tiler_judged *known = look_up(before, source);
  if (open_text(g, rules, source, &s, v)) {
    s->most_iterations = p->iterations;
    s->until = p->until;
    if (known->counted)
      *v = known->count;
    else
      count(s, rules, v);
    known->counted = v->counted;
    known->count = *v;
    v->dear = v->counted && p->below && num_plus(v->loads, v->stores) >= p->below;
    v->long_winded = p->count_only;
    if (!v->dear && !p->count_only && (!v->counted || v->fits))
      judge_played(s, rules, known, v);
  }
  schedule_free(s);
}
