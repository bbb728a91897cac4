/* schedules/any/play.c -- play an order of events: what is read must be there, what leaves is chosen by next use.

   For a fixed order an item is worth keeping between two touches exactly if the space it takes is not needed more: the
   classical choice is the farthest next use (Belady 1966), optimal when leaving always costs the same.  Here leaving
   costs a load, or a store and a load when the item was never saved; so the distance to the next use is weighted. Where
   recomputation is allowed, whether a store is paid is decided late: an unsaved item that left is *lost*; when it is
   wanted again it is either computed again, if that is cheaper, or loaded, and then the store is put back to where it
   left. */
#include "schedules/any/cache.h"

static void log_miss(any_sim *s, uint32_t e, uint32_t x)
{
  s->log_event[s->logged] = e;
  s->log_item[s->logged++] = x;
}

static void need_now(any_sim *s, uint32_t t, uint32_t x)
{
  if (s->where[x] != ANY_NONE)
    s->key[s->where[x]] = t;
}

static void fetch_one(any_sim *s, uint32_t t, uint32_t e, uint32_t slot, uint32_t x, bool again)
{
  if (s->touch[slot] > s->use_at[x])
    log_miss(s, e, x);
  if (!again || !any_computed_again(s, t, x))
    any_load(s, t, x);
}

/* Everything the event touches is needed now; bring what is missing.  Inputs first: from them something may be
 * computed. */
static void fetch(any_sim *s, uint32_t t, uint32_t e, bool fresh)
{
  const any_program *p = s->p;
  uint32_t from = p->read_at[e], to = p->read_at[e + 1], slot = any_slot(p, e), w = p->write[e];
  for (uint32_t r = from; r < to; r++)
    need_now(s, t, p->read[r]);
  if (!fresh)
    need_now(s, t, w);
  for (int again = 0; again <= s->recompute; again++)
    for (uint32_t r = from; r < to; r++) {
      uint32_t x = p->read[r];
      bool computable = s->recompute && p->event_of[x] != ANY_NONE;
      if (s->where[x] == ANY_NONE && computable == again)
        fetch_one(s, t, e, slot + r - from, x, again);
    }
  if (!fresh && s->where[w] == ANY_NONE)
    fetch_one(s, t, e, slot + to - from, w, false);
}

/* The reads are done: give each the place of its next touch.  Returns the first that has none, or ANY_NONE. */
static uint32_t read_on(any_sim *s, uint32_t e)
{
  const any_program *p = s->p;
  uint32_t slot = any_slot(p, e), done = ANY_NONE;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++, slot++) {
    uint32_t x = p->read[r], next = s->after[s->touch[slot]];
    any_set_key(s, x, next);
    if (next == ANY_NONE && done == ANY_NONE)
      done = x;
  }
  return done;
}

static void drop_done(any_sim *s, uint32_t e)
{
  const any_program *p = s->p;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++) {
    uint32_t i = s->where[p->read[r]];
    if (i != ANY_NONE && s->key[i] == ANY_NONE)
      any_discard(s, p->read[r]);
  }
}

/* Sliding: the pebble that moves to the new vertex, or ANY_NONE if there is a free one. */
static uint32_t choose_slide(any_sim *s, uint32_t t, uint32_t e, uint32_t done)
{
  const any_program *p = s->p;
  if (done != ANY_NONE || s->size < p->m)
    return done;
  uint32_t x = s->item[any_victim(s, t)];
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    if (p->read[r] == x)
      return x;
  any_evict(s, x);
  return ANY_NONE;
}

/* The pebble of x went to the vertex just computed. */
static void slide_from(any_sim *s, uint32_t x)
{
  bool wanted = s->key[s->where[x]] != ANY_NONE;
  any_take(s, x);
  if (wanted)
    any_evicted(s, x);
  else
    any_forgotten(s, x);
}

/* The touch with which event e writes its item. */
static uint32_t write_touch(const any_sim *s, uint32_t e)
{
  return s->touch[any_slot(s->p, e) + s->p->read_at[e + 1] - s->p->read_at[e]];
}

/* Outputs are stored when complete: in the partial game with the last edge, else when first computed. */
static bool stores(const any_sim *s, uint32_t w, uint32_t touch)
{
  return s->p->store[w] && touch == s->use_at[w] + (s->p->partial ? s->p->writes[w] - 1 : 0);
}

static void write_item(any_sim *s, uint32_t t, uint32_t e, bool fresh, uint32_t slide)
{
  const any_program *p = s->p;
  uint32_t w = p->write[e], touch = write_touch(s, e), next = s->after[touch];
  bool stored = stores(s, w, touch);
  if (s->record)
    any_record_compute(s->record, e, w, slide);
  if (slide != ANY_NONE)
    slide_from(s, slide);
  if (stored || p->partial || s->lean) /* what was saved and is computed again stays saved; a half-done value changes */
    any_set_blue(s, w, stored);
  s->cost += stored;
  if (fresh)
    any_put(s, w, t);
  if (stored && s->record)
    any_record_store(s->record, w);
  s->heavy[s->where[w]] = !s->blue[w];
  any_set_key(s, w, next);
  if (next == ANY_NONE)
    any_discard(s, w);
}

/* Nothing reads what the event would compute again: leave it out. */
static bool is_idle(const any_sim *s, uint32_t e)
{
  uint32_t touch = write_touch(s, e);
  return s->after[touch] == ANY_NONE && !s->p->partial && !stores(s, s->p->write[e], touch);
}

static void pass_over(any_sim *s, uint32_t e)
{
  const any_program *p = s->p;
  uint32_t slot = any_slot(p, e);
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++, slot++)
    if (s->where[p->read[r]] != ANY_NONE)
      any_set_key(s, p->read[r], s->after[s->touch[slot]]);
  drop_done(s, e);
}

void any_play_event(any_sim *s, uint32_t t)
{
  const any_program *p = s->p;
  uint32_t e = s->order[t], slide = ANY_NONE;
  s->work += 2 + p->read_at[e + 1] - p->read_at[e];
  if (s->recompute && is_idle(s, e)) {
    pass_over(s, e);
    return;
  }
  bool fresh = !p->partial || s->touch[any_slot(p, e) + 1] == s->use_at[p->write[e]];
  fetch(s, t, e, fresh);
  if (fresh && !p->sliding)
    any_make_room(s, t, 1);
  uint32_t done = read_on(s, e);
  if (p->sliding)
    slide = choose_slide(s, t, e, done);
  write_item(s, t, e, fresh, slide);
  drop_done(s, e);
}
