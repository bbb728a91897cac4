/* schedules/tune/follow.c -- parameters whose defaults follow the one that is tuned (docs/counting.md, "The tuner").

   `param a = (M - d - 1) / (d + s + 2)` takes few values while s runs through many.  Interval arithmetic over the
   default says how far a stays the same, by galloping and halving: an interval of one value proves it. */
#include "schedules/tune/follow.h"
#include "base/mem.h"
#include "base/num.h"

/* ---- which ---- */

static bool reads_any(const schedule *s, const expr *e, const int *param, int n)
{
  for (int i = 0; i < n; i++)
    if (expr_uses(e, s->slot_param + param[i], s->slot_param + param[i] + 1))
      return true;
  return false;
}

/* Over a parameter of the computation that is not 0. */
static bool has_iterations(const schedule *s, const schedule_loop *l)
{
  return !l->lo && l->hi && l->hi->op == EXPR_SLOT && l->hi->slot < s->slot_param && s->g->param_value[l->hi->slot] > 0;
}

/* Is the slot the length of blocks of a loop that is reached, whatever the parameters?  Depth: SCHEDULE_DEPTH. */
static bool always_cuts(const schedule *s, const schedule_node *n, int slot)
{
  const schedule_loop *l = n->kind == SCHEDULE_FOR ? &s->loop[n->loop] : NULL;
  bool any = l && l->by && l->by->op == EXPR_SLOT && l->by->slot == slot,
       into = n->kind == SCHEDULE_BLOCK || (l && has_iterations(s, l));
  for (int i = 0; into && i < n->children; i++)
    any |= always_cuts(s, n->child[i], slot);
  return any;
}

bool follow_find(followers *f, const tuner *t)
{
  const schedule *s = t->s;
  *f = (followers){ .t = t, .span = MEM_NEW(span, (size_t)s->slots) };
  for (int i = 0, k = 0; i < s->params; i++) {
    const schedule_param *p = &s->param[i];
    bool free = k < t->n && t->param[k] == i;
    k += free;
    if (free || p->given || !p->fallback ||
        (!reads_any(s, p->fallback, t->param, t->n) && !reads_any(s, p->fallback, f->param, f->n)))
      continue;
    if (f->n == TUNE_MOST)
      return false;
    f->block[f->n] = always_cuts(s, s->body, s->slot_param + i);
    f->param[f->n++] = i;
  }
  return true;
}

void follow_clear(followers *f) { mem_free(f->span); }

/* ---- their values ---- */

bool follow_values(const followers *f, int64_t *slot)
{
  const schedule *s = f->t->s;
  expr_env env = { slot, s->g->table };
  for (int i = 0; i < f->n; i++) {
    int64_t *v = &slot[s->slot_param + f->param[i]];
    if (expr_eval(s->param[f->param[i]].fallback, &env, v, NULL) != EXPR_OK || (f->block[i] && *v < 1))
      return false;
  }
  return true;
}

static void span_others(followers *f)
{
  const schedule *s = f->t->s;
  SCOPED_MEM int64_t *value = MEM_NEW(int64_t, (size_t)s->slots);
  schedule_fixed_slots(s, value);
  for (int i = 0; i < s->slot_param + s->params; i++)
    f->span[i] = (span){ value[i], value[i] };
}

void follow_spans(followers *f, int64_t unknown, span *out)
{
  const schedule *s = f->t->s;
  span_env env = { f->span, s->g->table, false };
  span_others(f);
  for (int i = 0; i < f->t->n; i++)
    f->span[s->slot_param + f->t->param[i]] = (span){ 1, f->t->most[i] };
  for (int i = 0; i < f->n; i++) {
    span *at = &f->span[s->slot_param + f->param[i]];
    if (!span_of(s->param[f->param[i]].fallback, &env, at))
      *at = (span){ 1, unknown };
    if (f->block[i])
      at->least = num_max(at->least, 1);
    at->most = num_max(at->most, at->least);
    out[i] = *at;
  }
}

/* ---- how far they stay the same ---- */

/* No value, whatever the slots are within their spans?  Depth: an expression's. */
static bool never_has(const expr *e, const span_env *env)
{
  span s;
  bool never = e->op == EXPR_ISQRT && span_of(e->arg[0], env, &s) && s.most < 0;
  for (int i = 0; i < e->nargs; i++)
    never = never || never_has(e->arg[i], env);
  return never;
}

typedef enum { CHANGES, SAME, DEAD } course;

static course course_between(followers *f, int64_t v, int64_t end)
{
  const schedule *s = f->t->s;
  span_env env = { f->span, s->g->table, false };
  course all = SAME;
  f->span[s->slot_param + f->t->param[0]] = (span){ v, end };
  for (int i = 0; i < f->n; i++) {
    const expr *e = s->param[f->param[i]].fallback;
    span *at = &f->span[s->slot_param + f->param[i]];
    if (never_has(e, &env))
      return DEAD;
    if (!span_of(e, &env, at))
      return CHANGES;
    if (f->block[i] && at->most < 1)
      return DEAD;
    all = at->least == at->most ? all : CHANGES;
  }
  return all;
}

static bool steady(followers *f, int64_t v, int64_t end) { return course_between(f, v, end) != CHANGES; }

int64_t follow_end(followers *f, int64_t v, bool *dead)
{
  int64_t good = v, step = 1, most = f->t->most[0];
  span_others(f);
  while (good < most && steady(f, v, num_min(v + step, most))) {
    good = num_min(v + step, most);
    step *= 2;
  }
  for (int64_t bad = num_min(v + step, most + 1); bad - good > 1;) {
    int64_t half = good + (bad - good) / 2;
    if (steady(f, v, half))
      good = half;
    else
      bad = half;
  }
  *dead = course_between(f, v, good) == DEAD;
  return good;
}

/* ---- all values that play different moves ---- */

static void list(tuner *t, followers *f, size_t most)
{
  size_t room = 0;
  for (int64_t v = 1; v <= t->most[0] && t->values <= most;) {
    bool dead;
    int64_t end = follow_end(f, v, &dead);
    if (!dead) {
      t->value = mem_room(t->value, t->values, &room, sizeof *t->value);
      t->value[t->values++] = v;
    }
    v = (!dead && v < t->cut[0] ? v : end) + 1;
  }
}

void follow_list(tuner *t, size_t most)
{
  followers f = { 0 };
  if (t->n != 1)
    return;
  if (follow_find(&f, t) && f.n > 0)
    list(t, &f, most);
  follow_clear(&f);
  if (t->values > most) {
    mem_free(t->value);
    t->value = NULL;
    t->values = 0;
  }
}

/* ---- the best of them where longer blocks never move more ---- */

typedef struct {
  tuner *t;
  followers f;
  int64_t *value;              /* of the i-th listed, at i * f.n those that follow it */
  enum { UNASKED, MAY_FIT, TOO_LARGE } *fit; /* of each listed */
} descent;

static bool never_grows(const descent *d)
{
  const schedule *s = d->t->s;
  bool never = tune_never_grows(s, s->slot_param + d->t->param[0]);
  for (int i = 0; i < d->f.n; i++)
    never = never && tune_never_grows(s, s->slot_param + d->f.param[i]);
  return never;
}

static bool set_values(descent *d)
{
  const schedule *s = d->t->s;
  SCOPED_MEM int64_t *slot = MEM_NEW(int64_t, (size_t)s->slots);
  bool ok = true;
  d->value = MEM_NEW(int64_t, d->t->values * (size_t)d->f.n);
  schedule_fixed_slots(s, slot);
  for (size_t i = 0; i < d->t->values && ok; i++) {
    slot[s->slot_param + d->t->param[0]] = d->t->value[i];
    ok = follow_values(&d->f, slot);
    for (int k = 0; k < d->f.n; k++)
      d->value[i * (size_t)d->f.n + (size_t)k] = slot[s->slot_param + d->f.param[k]];
  }
  return ok;
}

/* The longest blocks of any of those listed from `from` to `to`, all at once: none of them moves fewer words. */
static num_count least_io(descent *d, size_t from, size_t to)
{
  tuner *t = d->t;
  bool set[TUNE_MOST] = { true };
  int64_t value[TUNE_MOST] = { t->value[to] };
  for (int k = 0; k < d->f.n; k++) {
    schedule_param *p = &t->s->param[d->f.param[k]];
    p->given = true;
    p->value = INT64_MIN;
    for (size_t i = from; i <= to; i++)
      p->value = num_max(p->value, d->value[i * (size_t)d->f.n + (size_t)k]);
  }
  t->searched++;
  num_count io = tune_put(t, set, value) ? schedule_counter_io(t->counter, t->io) : NUM_TOO_MANY;
  for (int k = 0; k < d->f.n; k++)
    t->s->param[d->f.param[k]].given = false;
  return io;
}

static bool may_fit(descent *d, size_t i)
{
  if (d->fit[i] == UNASKED)
    d->fit[i] =
        tune_may_fit(d->t, (bool[TUNE_MOST]){ true }, (int64_t[TUNE_MOST]){ d->t->value[i] }) ? MAY_FIT : TOO_LARGE;
  return d->fit[i] == MAY_FIT;
}

/* Long blocks first: from `from` to before `end`.  What is too large is not asked about further: a bound on the peak
   takes less than to count loads and stores.  Depth: the logarithm of how many are listed. */
static void descend(descent *d, size_t from, size_t end)
{
  tuner *t = d->t;
  if (t->found && least_io(d, from, end - 1) >= t->io)
    return;
  while ((t->found || end - from == 1) && from < end && !may_fit(d, end - 1))
    end--;
  while (t->found && from < end && !may_fit(d, from))
    from++;
  size_t n = end - from;
  if (n > 1) {
    descend(d, from + (n + 1) / 2, end);
    descend(d, from, from + (n + 1) / 2);
  } else if (n == 1) {
    tune_play(t, (bool[TUNE_MOST]){ true }, (int64_t[TUNE_MOST]){ t->value[from] });
  }
}

/* Values that cut nothing more are looked at last. */
static void descend_all(descent *d)
{
  const tuner *t = d->t;
  size_t cutting = 0;
  while (cutting < t->values && t->value[cutting] <= t->cut[0])
    cutting++;
  if (cutting > 0)
    descend(d, 0, cutting);
  if (cutting < t->values)
    descend(d, cutting, t->values);
}

bool follow_search(tuner *t)
{
  descent d = { .t = t };
  bool ok = follow_find(&d.f, t) && never_grows(&d) && set_values(&d);
  d.fit = mem_new(t->values, sizeof *d.fit);
  if (ok)
    descend_all(&d);
  mem_free(d.value);
  mem_free(d.fit);
  follow_clear(&d.f);
  return ok;
}
