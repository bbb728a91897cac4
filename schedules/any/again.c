/* schedules/any/again.c -- have a lost item by computing it again, from what is cached and what few loads bring. */
#include "schedules/any/cache.h"

enum { PLAN_DEPTH = 4 };

static bool in_plan(const any_sim *s, uint32_t x)
{
  for (uint32_t i = 0; i < s->planned; i++)
    if (s->plan[i] == x)
      return true;
  return false;
}

/* A cached item the plan reads must not leave: give it the key of what is needed now. */
static bool hold(any_sim *s, uint32_t t, uint32_t x)
{
  uint32_t i = s->where[x];
  if (s->key[i] == t)
    return true;
  if (s->holding == ANY_HELD)
    return false;
  s->held[s->holding] = x;
  s->held_key[s->holding++] = s->key[i];
  s->key[i] = t;
  return true;
}

static bool plan_step(any_sim *s, uint32_t x, bool loads)
{
  if (s->planned == ANY_PLAN)
    return false;
  s->plan[s->planned] = x;
  s->plan_load[s->planned++] = loads;
  return true;
}

static bool plan_compute(any_sim *s, uint32_t t, uint32_t x, int *loads, int depth);

/* Have x there, with at most *loads loads (recursion at most PLAN_DEPTH deep). */
static bool plan_have(any_sim *s, uint32_t t, uint32_t x, int *loads, int depth)
{
  if (s->where[x] != ANY_NONE)
    return hold(s, t, x);
  if (in_plan(s, x))
    return true;
  int none = 0;
  uint32_t mark = s->planned;
  if (plan_compute(s, t, x, s->blue[x] ? &none : loads, depth - 1))
    return true;
  s->planned = mark;
  if (!s->blue[x] || *loads == 0)
    return false;
  --*loads;
  return plan_step(s, x, true);
}

static bool plan_compute(any_sim *s, uint32_t t, uint32_t x, int *loads, int depth)
{
  const any_program *p = s->p;
  uint32_t e = p->event_of[x];
  if (depth == 0 || e == ANY_NONE)
    return false;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    if (!plan_have(s, t, p->read[r], loads, depth))
      return false;
  return plan_step(s, x, false);
}

static uint32_t needed_now(const any_sim *s, uint32_t t)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->size; i++)
    count += s->key[i] == t;
  return count;
}

static void run_plan(any_sim *s, uint32_t t)
{
  for (uint32_t i = 0; i < s->planned; i++) {
    uint32_t x = s->plan[i];
    if (s->plan_load[i]) {
      any_load(s, t, x);
      continue;
    }
    any_make_room(s, t, 1);
    any_put(s, x, t);
    if (s->record)
      any_record_compute(s->record, s->p->event_of[x], x, ANY_NONE);
  }
}

/* What the plan brought in beside its last item stays only if it is used again. */
static void settle_plan(any_sim *s, uint32_t t)
{
  for (uint32_t i = 0; i + 1 < s->planned; i++) {
    uint32_t x = s->plan[i], next = s->after[any_touch_from(s, x, t) - 1];
    if (next == ANY_NONE)
      any_discard(s, x);
    else
      any_set_key(s, x, next);
  }
}

/* Compute x again if that costs less than loading it.  Expects x not cached. */
bool any_computed_again(any_sim *s, uint32_t t, uint32_t x)
{
  int loads = s->blue[x] ? 0 : 1; /* instead of 1, or of 2 */
  s->planned = s->holding = 0;
  bool found = plan_compute(s, t, x, &loads, PLAN_DEPTH) && needed_now(s, t) + s->planned <= s->p->m;
  if (found)
    run_plan(s, t);
  for (uint32_t i = 0; i < s->holding; i++)
    any_set_key(s, s->held[i], s->held_key[i]);
  if (found)
    settle_plan(s, t);
  return found;
}
