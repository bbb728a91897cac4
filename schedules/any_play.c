/* any_play.c -- play an order of events: what is read must be there, what leaves is chosen by next use.

   For a fixed order an item is worth keeping between two touches exactly if the space it takes is not needed more: the
   classical choice is the farthest next use (Belady 1966), optimal when leaving always costs the same.  Here leaving costs
   a load, or a store and a load when the item was never saved; so the distance to the next use is weighted.
   Where recomputation is allowed, whether a store is paid is decided late: an unsaved item that left is *lost*; when it is
   wanted again it is either computed again, if that is cheaper, or loaded, and then the store is put back to where it left.

   For the local search the position is kept at every so many events.  A changed order is played on from the checkpoint
   before the change until it meets the old play again: equal positions have equal futures. */
#include "base/mem.h"
#include "schedules/any_internal.h"
#include <string.h>

enum { PLAN = 8, PLAN_DEPTH = 4, HELD = 64 }; /* what recomputing one item may involve */
enum { SCAN = 192 };                           /* a cache up to here is searched entry by entry */

/* ---- the cache ---- */

/* When x is touched next.  A large cache has its items in a queue as well. */
static void set_key(any_sim *s, uint32_t x, uint32_t key)
{
  s->key[s->where[x]] = key;
  if (s->queue)
    any_queue_push(s, x);
}

static void put(any_sim *s, uint32_t x, uint32_t key)
{
  uint32_t i = s->size++;
  s->item[i] = x;
  s->key[i] = key;
  s->heavy[i] = !s->blue[x];
  s->where[x] = i;
  s->hash ^= s->code[x];
  if (s->queue)
    any_queue_push(s, x);
}

static void take(any_sim *s, uint32_t x)
{
  uint32_t i = s->where[x], last = --s->size;
  s->where[x] = ANY_NONE;
  s->hash ^= s->code[x];
  if (i != last) {
    s->item[i] = s->item[last];
    s->key[i] = s->key[last];
    s->heavy[i] = s->heavy[last];
    s->where[s->item[i]] = i;
  }
}

/* Blue pebbles are part of the position: code is rotated for them. */
static void set_blue(any_sim *s, uint32_t x, bool blue)
{
  if (s->blue[x] != blue) {
    s->blue[x] = blue;
    s->hash ^= s->code[x] << 1 | s->code[x] >> 63;
  }
}

/* The entry to evict; those with the key t are needed now.  Of equals the larger item, so that equal positions are played
   alike whatever their history. */
static uint32_t victim(any_sim *s, uint32_t t)
{
  uint64_t best = 0;
  uint32_t found = ANY_NONE;
  if (s->queue)
    return s->where[any_queue_best(s, t)];
  for (uint32_t i = 0; i < s->size; i++) {
    uint64_t score = (uint64_t)(s->key[i] - t) * (s->heavy[i] ? s->dirty_weight : 256);
    if (score > best || (score == best && score > 0 && s->item[i] > s->item[found])) {
      best = score;
      found = i;
    }
  }
  return found;
}

static void leave(any_sim *s, uint32_t x)
{
  take(s, x);
  if (s->record)
    any_record_drop(s->record, x);
}

static void save(any_sim *s, uint32_t x)
{
  set_blue(s, x, true);
  s->cost++;
  if (s->record)
    any_record_save(s->record, x);
}

/* x leaves and is wanted again.  Without recomputation it has to be saved, now or before. */
static void evicted(any_sim *s, uint32_t x)
{
  if (!s->recompute && !s->blue[x])
    save(s, x);
}

static void evict(any_sim *s, uint32_t x)
{
  leave(s, x);
  evicted(s, x);
}

/* x leaves and is not wanted again.  Whether it was saved is forgotten, so that plays that differ in it alone are equal; it
   is then not loaded to compute something again, which would rarely pay. */
static void discard(any_sim *s, uint32_t x)
{
  leave(s, x);
  if (s->p->writes[x] && !s->p->store[x])
    set_blue(s, x, false);
}

/* Evict until `more` further items fit. */
static void make_room(any_sim *s, uint32_t t, uint32_t more)
{
  while (s->size + more > s->p->m)
    evict(s, s->item[victim(s, t)]);
}

static void load(any_sim *s, uint32_t t, uint32_t x)
{
  make_room(s, t, 1);
  if (!s->blue[x]) /* lost: it should have been saved when it left */
    save(s, x);
  s->cost++;
  put(s, x, t);
  if (s->record)
    any_record_load(s->record, x);
}

/* The touch of x at t or later, or the sentinel after its last. */
static uint32_t touch_from(const any_sim *s, uint32_t x, uint32_t t)
{
  uint32_t lo = s->use_at[x], hi = s->use_at[x + 1] - 1;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (s->use[middle] < t)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* ---- computing again ---- */

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
  if (s->holding == HELD)
    return false;
  s->held[s->holding] = x;
  s->held_key[s->holding++] = s->key[i];
  s->key[i] = t;
  return true;
}

static bool plan_step(any_sim *s, uint32_t x, bool loads)
{
  if (s->planned == PLAN)
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
      load(s, t, x);
      continue;
    }
    make_room(s, t, 1);
    put(s, x, t);
    if (s->record)
      any_record_compute(s->record, s->p->event_of[x], x, ANY_NONE);
  }
}

/* What the plan brought in beside its last item stays only if it is used again. */
static void settle_plan(any_sim *s, uint32_t t)
{
  for (uint32_t i = 0; i + 1 < s->planned; i++) {
    uint32_t x = s->plan[i], next = s->use[touch_from(s, x, t)];
    if (next == ANY_NONE)
      discard(s, x);
    else
      set_key(s, x, next);
  }
}

/* Compute x again if that costs less than loading it.  Expects x not cached. */
static bool computed_again(any_sim *s, uint32_t t, uint32_t x)
{
  int loads = s->blue[x] ? 0 : 1; /* instead of 1, or of 2 */
  s->planned = s->holding = 0;
  bool found = plan_compute(s, t, x, &loads, PLAN_DEPTH) && needed_now(s, t) + s->planned <= s->p->m;
  if (found)
    run_plan(s, t);
  for (uint32_t i = 0; i < s->holding; i++)
    set_key(s, s->held[i], s->held_key[i]);
  if (found)
    settle_plan(s, t);
  return found;
}

/* ---- one event ---- */

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
  if (!again || !computed_again(s, t, x))
    load(s, t, x);
}

/* Everything the event touches is needed now; bring what is missing.  Inputs first: from them something may be computed. */
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
    uint32_t x = p->read[r], next = s->use[s->touch[slot] + 1];
    set_key(s, x, next);
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
      discard(s, p->read[r]);
  }
}

/* Sliding: the pebble that moves to the new vertex, or ANY_NONE if there is a free one. */
static uint32_t choose_slide(any_sim *s, uint32_t t, uint32_t e, uint32_t done)
{
  const any_program *p = s->p;
  if (done != ANY_NONE || s->size < p->m)
    return done;
  uint32_t x = s->item[victim(s, t)];
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    if (p->read[r] == x)
      return x;
  evict(s, x);
  return ANY_NONE;
}

/* The pebble of x went to the vertex just computed. */
static void slide_from(any_sim *s, uint32_t x)
{
  bool wanted = s->key[s->where[x]] != ANY_NONE;
  take(s, x);
  if (wanted)
    evicted(s, x);
  else if (s->p->writes[x] && !s->p->store[x])
    set_blue(s, x, false);
}

static void write_item(any_sim *s, uint32_t t, uint32_t e, bool fresh, uint32_t slide)
{
  const any_program *p = s->p;
  uint32_t w = p->write[e], touch = s->touch[any_slot(p, e) + p->read_at[e + 1] - p->read_at[e]];
  bool stored = p->store[w] && touch + 1 == s->use_at[w] + p->writes[w];
  if (s->record)
    any_record_compute(s->record, e, w, slide);
  if (slide != ANY_NONE)
    slide_from(s, slide);
  set_blue(s, w, stored);
  if (fresh)
    put(s, w, t);
  s->cost += stored;
  if (stored && s->record)
    any_record_store(s->record, w);
  uint32_t i = s->where[w], next = s->use[touch + 1];
  s->heavy[i] = !stored;
  set_key(s, w, next);
  if (next == ANY_NONE)
    discard(s, w);
}

static void play_event(any_sim *s, uint32_t t)
{
  const any_program *p = s->p;
  uint32_t e = s->order[t], slide = ANY_NONE;
  bool fresh = !p->partial || s->touch[any_slot(p, e) + 1] == s->use_at[p->write[e]];
  fetch(s, t, e, fresh);
  if (fresh && !p->sliding)
    make_room(s, t, 1);
  uint32_t done = read_on(s, e);
  if (p->sliding)
    slide = choose_slide(s, t, e, done);
  write_item(s, t, e, fresh, slide);
  drop_done(s, e);
}

/* ---- checkpoints ---- */

static void checkpoint_init(const any_program *p, any_checkpoint *c)
{
  c->item = MEM_NEW(uint32_t, p->m);
  c->next = MEM_NEW(uint32_t, p->m);
  c->blue = MEM_NEW(uint8_t, p->items);
}

static void checkpoint_clear(any_checkpoint *c)
{
  mem_free(c->item);
  mem_free(c->next);
  mem_free(c->blue);
}

static void keep_position(const any_sim *s, uint32_t t, any_checkpoint *c)
{
  if (!c->item)
    checkpoint_init(s->p, c);
  c->cost = s->cost;
  c->hash = s->hash;
  c->size = s->size;
  for (uint32_t i = 0; i < s->size; i++) {
    c->item[i] = s->item[i];
    c->next[i] = touch_from(s, s->item[i], t);
  }
  memcpy(c->blue, s->blue, s->p->items);
}

static void restore(any_sim *s, const any_checkpoint *c)
{
  for (uint32_t i = 0; i < s->size; i++)
    s->where[s->item[i]] = ANY_NONE;
  memcpy(s->blue, c->blue, s->p->items);
  s->size = c->size;
  for (uint32_t i = 0; i < c->size; i++) {
    uint32_t x = c->item[i];
    s->item[i] = x;
    s->key[i] = s->use[c->next[i]];
    s->heavy[i] = !s->blue[x];
    s->where[x] = i;
  }
  s->cost = c->cost;
  s->hash = c->hash;
  if (s->queue)
    any_queue_rebuild(s);
}

static void start(any_sim *s)
{
  for (uint32_t i = 0; i < s->size; i++)
    s->where[s->item[i]] = ANY_NONE;
  s->size = 0;
  s->cost = s->hash = 0;
  if (s->queue)
    any_queue_rebuild(s);
  for (uint32_t x = 0; x < s->p->items; x++)
    s->blue[x] = cdag_graph_is_input(s->p->g, x);
}

/* Play events [from, to), keeping a checkpoint at every multiple of the spacing after `from`. */
static void play(any_sim *s, uint32_t from, any_checkpoint *keep)
{
  for (uint32_t t = from; t < s->p->events; t++) {
    if (keep && t % s->spacing == 0)
      keep_position(s, t, &keep[t / s->spacing]);
    play_event(s, t);
  }
  s->work += s->p->events - from;
}

/* ---- orders ---- */

/* The events of [a, b] were permuted: set their places, and the touches of what they touch. */
static void relink(any_sim *s, uint32_t a, uint32_t b)
{
  const any_program *p = s->p;
  uint32_t *first = s->cursor;
  for (uint32_t t = a; t <= b; t++) {
    uint32_t e = s->order[t], slot = any_slot(p, e), n = p->read_at[e + 1] - p->read_at[e];
    for (uint32_t k = 0; k <= n; k++) {
      uint32_t x = k < n ? p->read[p->read_at[e] + k] : p->write[e];
      if (s->touch[slot + k] < first[x])
        first[x] = s->touch[slot + k];
    }
  }
  for (uint32_t t = a; t <= b; t++) {
    uint32_t e = s->order[t], slot = any_slot(p, e), n = p->read_at[e + 1] - p->read_at[e];
    s->place[e] = t;
    for (uint32_t k = 0; k <= n; k++) {
      uint32_t x = k < n ? p->read[p->read_at[e] + k] : p->write[e];
      s->touch[slot + k] = first[x];
      s->use[first[x]++] = t;
    }
  }
  for (uint32_t t = a; t <= b; t++) {
    uint32_t e = s->order[t];
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      first[p->read[r]] = ANY_NONE;
    first[p->write[e]] = ANY_NONE;
  }
}

/* Every touch is its item's first: so relink begins there. */
static void forget_touches(any_sim *s)
{
  const any_program *p = s->p;
  for (uint32_t e = 0; e < p->events; e++) {
    uint32_t slot = any_slot(p, e);
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      s->touch[slot++] = s->use_at[p->read[r]];
    s->touch[slot] = s->use_at[p->write[e]];
  }
}

uint64_t any_sim_set(any_sim *s, const uint32_t *order)
{
  const any_program *p = s->p;
  if (p->events == 0)
    return 0;
  memmove(s->order, order, p->events * sizeof *order);
  forget_touches(s);
  relink(s, 0, p->events - 1);
  start(s);
  s->logged = 0;
  play(s, 0, s->check);
  s->total = s->cost;
  for (uint32_t e = 0; e < p->events; e++)
    s->missed[e] = ANY_NONE;
  for (uint32_t i = 0; i < s->logged; i++)
    s->missed[s->log_event[i]] = s->log_item[i];
  return s->total;
}

/* What the new position may still save against the old one at the same place: it holds items the old one would have to
   load, each for at most a store and a load. */
static uint64_t advantage(const any_sim *s, const any_checkpoint *old)
{
  uint32_t shared = 0;
  for (uint32_t i = 0; i < old->size; i++)
    shared += s->where[old->item[i]] != ANY_NONE;
  return 2 * (uint64_t)(s->size - shared);
}

/* At a checkpoint after the change: is the outcome known?  Then *cost is it, or UINT64_MAX when it is above the limit. */
static bool decided(const any_sim *s, uint32_t t, uint64_t limit, uint64_t *cost)
{
  const any_checkpoint *old = &s->check[t / s->spacing];
  uint64_t expected = s->total - old->cost + s->cost;
  if (s->hash == old->hash && s->size == old->size) {
    *cost = expected;
    return true;
  }
  *cost = UINT64_MAX;
  return expected > limit && expected - limit > advantage(s, old);
}

uint64_t any_sim_try(any_sim *s, uint32_t a, uint32_t b, uint64_t limit)
{
  uint32_t from = a / s->spacing, events = s->p->events, t = from * s->spacing;
  uint64_t cost;
  relink(s, a, b);
  restore(s, &s->check[from]);
  s->logged = 0;
  s->trial_from = s->trial_to = from + 1;
  for (uint32_t begin = t; t < events; t++) {
    s->work++;
    if (t % s->spacing == 0 && t > begin) {
      if (t > b && decided(s, t, limit, &cost))
        return cost;
      keep_position(s, t, &s->trial[s->trial_to++]);
    }
    play_event(s, t);
  }
  return s->cost;
}

void any_sim_keep(any_sim *s, uint64_t cost)
{
  const any_program *p = s->p;
  for (uint32_t k = s->trial_from; k < s->trial_to; k++) {
    any_checkpoint swap = s->check[k];
    s->check[k] = s->trial[k];
    s->trial[k] = swap;
  }
  for (uint32_t k = s->trial_to; k < s->checkpoints; k++)
    s->check[k].cost += cost - s->total; /* modulo 2^64 */
  uint32_t end = s->trial_to < s->checkpoints ? s->trial_to * s->spacing : p->events;
  for (uint32_t t = (s->trial_from - 1) * s->spacing; t < end; t++)
    s->missed[s->order[t]] = ANY_NONE;
  for (uint32_t i = 0; i < s->logged; i++)
    s->missed[s->log_event[i]] = s->log_item[i];
  s->total = cost;
}

void any_sim_undo(any_sim *s, uint32_t a, uint32_t b, const uint32_t *before)
{
  memcpy(s->order + a, before, (b - a + 1) * sizeof *before);
  relink(s, a, b);
}

void any_sim_record(any_sim *s, pebble_trace *out)
{
  s->record = any_record_new(s->p);
  start(s);
  s->logged = 0;
  play(s, 0, NULL);
  any_record_finish(s->record, out);
  s->record = NULL;
}

/* ---- room ---- */

/* Checkpoints close enough to be worth it, far enough apart to fit. */
static uint32_t choose_spacing(const any_program *p)
{
  const uint64_t bytes = 48u << 20, each = 2 * (8 * (uint64_t)p->m + p->items + 64);
  uint64_t most = bytes / each, spacing = 8;
  while (p->events / spacing > most || spacing * 256 < p->items)
    spacing *= 2;
  return (uint32_t)spacing;
}

void any_sim_init(any_sim *s, const any_program *p)
{
  random_source random = { 0x5eed };
  uint32_t slots = any_slot(p, p->events);
  *s = (any_sim){ .p = p, .dirty_weight = 128, .recompute = p->recompute, .spacing = choose_spacing(p) };
  s->checkpoints = (p->events + s->spacing - 1) / s->spacing;
  s->order = MEM_NEW(uint32_t, p->events);
  s->place = MEM_NEW(uint32_t, p->events);
  s->use_at = MEM_NEW(uint32_t, (size_t)p->items + 1);
  s->use = MEM_NEW(uint32_t, (size_t)slots + p->items);
  s->touch = MEM_NEW(uint32_t, slots);
  s->item = MEM_NEW(uint32_t, p->m);
  s->key = MEM_NEW(uint32_t, p->m);
  s->heavy = MEM_NEW(uint8_t, p->m);
  s->where = MEM_NEW(uint32_t, p->items);
  s->cursor = MEM_NEW(uint32_t, p->items);
  s->blue = MEM_NEW(uint8_t, p->items);
  s->code = MEM_NEW(uint64_t, p->items);
  s->plan = MEM_NEW(uint32_t, PLAN);
  s->plan_load = MEM_NEW(uint8_t, PLAN);
  s->held = MEM_NEW(uint32_t, HELD);
  s->held_key = MEM_NEW(uint32_t, HELD);
  s->queue = p->m > SCAN ? any_queue_new() : NULL;
  s->check = MEM_NEW(any_checkpoint, s->checkpoints);
  s->trial = MEM_NEW(any_checkpoint, s->checkpoints);
  s->missed = MEM_NEW(uint32_t, p->events);
  s->log_event = MEM_NEW(uint32_t, slots);
  s->log_item = MEM_NEW(uint32_t, slots);
  for (uint32_t i = 0; i < slots - p->events; i++)
    s->use_at[p->read[i] + 1]++;
  for (uint32_t e = 0; e < p->events; e++)
    s->use_at[p->write[e] + 1]++;
  for (uint32_t x = 0; x < p->items; x++) {
    s->use_at[x + 1] += s->use_at[x] + 1;
    s->use[s->use_at[x + 1] - 1] = ANY_NONE;
    s->where[x] = s->cursor[x] = ANY_NONE;
    s->code[x] = random_next(&random);
  }
}

void any_sim_clear(any_sim *s)
{
  for (uint32_t k = 0; k < s->checkpoints; k++) {
    checkpoint_clear(&s->check[k]);
    checkpoint_clear(&s->trial[k]);
  }
  any_queue_free(s->queue);
  void *blocks[] = { s->order, s->place, s->use_at, s->use, s->touch, s->item, s->key, s->heavy, s->where, s->cursor, s->blue, s->code,
                     s->plan, s->plan_load, s->held, s->held_key, s->check, s->trial, s->missed, s->log_event, s->log_item };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
  *s = (any_sim){ 0 };
}
