/* tune.c -- the best values of a schedule's parameters under a memory of M words (docs/counting.md, "The tuner"). */
#include "base/mem.h"
#include "schedules/language/parse.h"
#include "schedules/tune/follow.h"
#include <inttypes.h>
#include <string.h>

enum { FEW = 2048 };             /* settings that are simply all counted */
enum {
  LATE = 4
}; /* memories filled by loads: where M is exceeded sooner, counting is as quick as looking at the last iterations */

/* ---- looking at one setting ---- */

bool tune_put(tuner *t, const bool *set, const int64_t *value)
{
  for (int i = 0; i < t->n; i++) {
    schedule_param *p = &t->s->param[t->param[i]];
    p->given = set[i];
    p->automatic = !set[i] && !p->fallback;
    if (set[i])
      p->value = value[i];
  }
  return schedule_assign(t->s, NULL, NULL) == OK && schedule_unset(t->s) < 0;
}

/* Legal within M?  That is to be legal within any memory, with a peak of M at most.  Where boxes are counted that is
   asked: fast-forward leaves out more iterations far from the end of memory, and last iterations have told already most
   of what does not fit. */
static bool play_within(tuner *t, schedule_verdict *v)
{
  bool element = t->s->g->graph || t->rules.variant == PEBBLE_PARTIAL;
  schedule_play_options o = { .rules = t->rules,
                              .engine = element ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                              .fast_forward = true };
  diag d;
  if (t->counter)
    o.rules.m = UINT64_MAX;
  return schedule_play(t->s, &o, v, &d) == OK && v->verdict.legal && v->verdict.peak <= t->rules.m;
}

static bool count_by_play(tuner *t)
{
  schedule_verdict v = { 0 };
  bool legal = play_within(t, &v);
  t->counts.loads = v.verdict.loads;
  t->counts.stores = v.verdict.stores;
  t->counts.peak = v.verdict.peak;
  schedule_verdict_clear(&v);
  return legal;
}

bool tune_may_fit(tuner *t, const bool *set, const int64_t *value)
{
  t->searched++;
  return !tune_barred(t, value) && tune_put(t, set, value) &&
         (!t->counter || schedule_counter_floor(t->counter, t->rules.m) <= t->rules.m);
}

/* Did the setting counted or played last break a rule, or exceed M, late? */
static bool late(const tuner *t) { return t->counts.loads / LATE > t->rules.m; }

/* As the parameters stand. */
static bool count(tuner *t)
{
  schedule_counter_run(t->counter, t->rules.m, tune_best_io(t), &t->counts);
  t->outside |= t->part && !t->counts.countable;
  return t->counts.countable && t->counts.peak <= t->rules.m;
}

/* The program with these values fits M: its counts are in t->counts, or more than the best I/O. */
static bool count_setting(tuner *t, const bool *set, const int64_t *value)
{
  t->searched++;
  if (!tune_put(t, set, value))
    return false;
  if (!t->counter)
    return count_by_play(t);
  if (t->tight && schedule_counter_floor(t->counter, t->rules.m) > t->rules.m)
    return false;
  bool fits = count(t);
  t->tight = t->counts.peak > t->rules.m && late(t);
  return fits;
}

/* A count says nothing about legality. */
static bool is_legal(tuner *t)
{
  schedule_verdict v = { 0 };
  bool legal = !t->counter || t->part || play_within(t, &v);
  schedule_verdict_clear(&v);
  return legal;
}

/* Is the best so far, taken for legal, legal? */
static bool best_is_legal(tuner *t) { return t->played || (tune_put(t, t->set, t->best) && is_legal(t)); }

static bool is_better(const tuner *t)
{
  num_count io = schedule_counts_io(&t->counts);
  return !t->found || io < t->io || (io == t->io && t->counts.peak < t->peak);
}

static void take(tuner *t, const bool *set, const int64_t *value, bool played)
{
  t->found = true;
  t->played = played;
  t->io = schedule_counts_io(&t->counts);
  t->peak = t->counts.peak;
  memcpy(t->set, set, sizeof t->set);
  memcpy(t->best, value, sizeof t->best);
}

bool tune_try(tuner *t, const bool *set, const int64_t *value)
{
  if (!count_setting(t, set, value) || !is_better(t) || !(t->unplayed || is_legal(t)))
    return false;
  take(t, set, value, !t->unplayed);
  return true;
}

bool tune_play(tuner *t, const bool *set, const int64_t *value)
{
  if (!tune_put(t, set, value) || ((t->doubtful || t->part) && t->counter && !count(t)))
    return false;
  bool legal = t->part || count_by_play(t);
  t->doubtful |= !legal && late(t);
  if (!legal || !is_better(t))
    return false;
  take(t, set, value, true);
  return true;
}

/* ---- which parameters, and how far ---- */

/* Does its default say how it goes with the schedule's other parameters?  Then it follows them. */
static bool follows(const schedule *s, const schedule_param *p)
{
  return p->fallback && !p->automatic && expr_uses(p->fallback, s->slot_param, s->slot_param + s->params);
}

static bool is_free(const schedule *s, const schedule_param *p, bool all)
{
  return all ? !p->given && !follows(s, p) : p->automatic || (!p->given && !p->fallback);
}

static status find_free(tuner *t, diag *d)
{
  bool all = schedule_unset(t->s) < 0;
  for (int i = 0; i < t->s->params; i++) {
    if (!is_free(t->s, &t->s->param[i], all))
      continue;
    if (t->n == TUNE_MOST)
      return diag_set(d, BAD_USAGE, "parameter", "more than %d parameters are to be tuned", TUNE_MOST);
    t->param[t->n++] = i;
  }
  tune_reach(t);
  return OK;
}

static bool few(const tuner *t)
{
  uint64_t settings = 1;
  if (t->value)
    return true;
  for (int i = 0; i < t->n; i++) {
    if ((uint64_t)t->most[i] > FEW / settings)
      return false;
    settings *= (uint64_t)t->most[i];
  }
  return true;
}

/* ---- the whole ---- */

static void look(tuner *t, bool unplayed)
{
  t->unplayed = unplayed;
  if (few(t))
    tune_all(t);
  else
    tune_by_iterations(t);
}

/* A text that is legal at all is legal with most settings: only the best is played; where that one is not, all that
 * come to be best. */
void tune_one(tuner *t)
{
  if (tune_by_formula(t) || tune_by_blocks(t))
    return;
  if (t->counter)
    follow_list(t, FEW);
  if (few(t))
    tune_set_bars(t);
  look(t, true);
  if (!t->found || best_is_legal(t))
    return;
  t->found = false;
  t->searched = 0;
  text_clear(t->record);
  look(t, false);
}

static status finish(tuner *t, schedule_tuning *out, diag *d)
{
  out->searched = t->searched;
  out->none = !t->found && t->exact;
  if (!t->found)
    return diag_set(d, GAVE_UP, "limit", "no setting of the parameters is legal with M = %" PRIu64 "%s", t->rules.m,
                    t->exact ? "" : " among those looked at");
  tune_put(t, t->set, t->best);
  for (int i = 0; i < t->n; i++)
    schedule_set(t->s, t->param[i], t->s->param[t->param[i]].value);
  out->io = t->io;
  out->peak = t->peak;
  out->exact = t->exact;
  return OK;
}

status schedule_tune(schedule *s, const pebble_rules *rules, schedule_tuning *out, diag *d)
{
  tuner t = { .s = s, .rules = *rules, .record = &out->record };
  *out = (schedule_tuning){ 0 };
  status st = find_free(&t, d);
  if (st != OK)
    return st;
  schedule_counts_init(&t.counts, s->g);
  t.counter = schedule_counter_new(s, rules, &t.counts);
  if (!tune_by_nests(&t))
    tune_one(&t);
  st = finish(&t, out, d);
  mem_free(t.value);
  tune_clear_bars(&t);
  schedule_counter_free(t.counter);
  schedule_counts_clear(&t.counts);
  return st;
}

void schedule_tuning_clear(schedule_tuning *t) { text_clear(&t->record); }
