/* schedules/any/sim.c -- orders and their cost.

   For the local search the position is kept at every so many events.  A changed order is played on from the checkpoint
   before the change until it meets the old play again: equal positions have equal futures. */
#include "schedules/any/cache.h"
#include "base/mem.h"
#include <string.h>

enum { SCAN = 192 }; /* a cache up to here is searched entry by entry */

/* ---- checkpoints ---- */

static void init_checkpoints(any_sim *s)
{
  size_t m = s->p->m, blue = s->lean ? m : s->p->items;
  s->check = MEM_NEW(any_checkpoint, s->checkpoints);
  uint32_t *words = MEM_NEW(uint32_t, 2 * m * s->checkpoints);
  uint8_t *bytes = MEM_NEW(uint8_t, blue * s->checkpoints);
  for (uint32_t k = 0; k < s->checkpoints; k++, words += 2 * m, bytes += blue)
    s->check[k] = (any_checkpoint){ .item = words, .next = words + m, .blue = bytes };
}

static void clear_checkpoints(any_sim *s)
{
  if (s->check) {
    mem_free(s->check->item);
    mem_free(s->check->blue);
  }
  mem_free(s->check);
}

static void keep_position(any_sim *s, uint32_t t, any_checkpoint *c)
{
  s->work += s->size / 2;
  c->cost = s->cost;
  c->hash = s->hash;
  c->size = s->size;
  for (uint32_t i = 0; i < s->size; i++) {
    c->item[i] = s->item[i];
    c->next[i] = any_touch_from(s, s->item[i], t);
    c->blue[i] = s->blue[s->item[i]];
  }
  if (!s->lean)
    memcpy(c->blue, s->blue, s->p->items);
}

static void restore(any_sim *s, const any_checkpoint *c)
{
  for (uint32_t i = 0; i < s->size; i++)
    s->where[s->item[i]] = ANY_NONE;
  if (!s->lean)
    memcpy(s->blue, c->blue, s->p->items);
  s->size = 0;
  s->hash = c->hash;
  for (uint32_t i = 0; i < c->size; i++) {
    uint32_t x = c->item[i], key = s->after[c->next[i] - 1];
    if (s->lean)
      s->blue[x] = c->blue[i];
    if (key == ANY_NONE) { /* in the changed order it is computed again first */
      s->hash ^= s->code[x];
      continue;
    }
    s->item[s->size] = x;
    s->key[s->size] = key;
    s->heavy[s->size] = !s->blue[x];
    s->where[x] = s->size++;
  }
  s->cost = c->cost;
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
  for (uint32_t t = from; t < s->p->length; t++) {
    if (keep && t % s->spacing == 0)
      keep_position(s, t, &keep[t / s->spacing]);
    any_play_event(s, t);
  }
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
      s->use[first[x]] = t;
      s->after[first[x]++ - 1] = k == n && !p->partial ? ANY_NONE : t;
    }
  }
  for (uint32_t t = a; t <= b; t++) {
    uint32_t e = s->order[t];
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      first[p->read[r]] = ANY_NONE;
    first[p->write[e]] = ANY_NONE;
  }
}

/* Lay out use for the events in play; every touch is its item's first, so that relink begins there. */
static void lay_out(any_sim *s)
{
  const any_program *p = s->p;
  memset(s->use_at, 0, ((size_t)p->items + 1) * sizeof *s->use_at);
  for (uint32_t t = 0; t < p->length; t++) {
    uint32_t e = s->order[t];
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      s->use_at[p->read[r] + 1]++;
    s->use_at[p->write[e] + 1]++;
  }
  s->use_at[0] = 1; /* after[0] stands before the first touch of item 0 */
  for (uint32_t x = 0; x < p->items; x++) {
    s->use_at[x + 1] += s->use_at[x] + 1;
    s->use[s->use_at[x + 1] - 1] = ANY_NONE;
    s->after[s->use_at[x + 1] - 2] = ANY_NONE;
  }
  for (uint32_t t = 0; t < p->length; t++) {
    uint32_t e = s->order[t], slot = any_slot(p, e);
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      s->touch[slot++] = s->use_at[p->read[r]];
    s->touch[slot] = s->use_at[p->write[e]];
  }
}

uint64_t any_sim_set(any_sim *s, const uint32_t *order)
{
  const any_program *p = s->p;
  if (p->length == 0)
    return 0;
  memmove(s->order, order, p->length * sizeof *order);
  s->from = 0;
  s->to = p->length;
  lay_out(s);
  relink(s, 0, p->length - 1);
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
   load; but it lacks as many, and most such differences cost either play about the same. */
static uint64_t advantage(const any_sim *s, const any_checkpoint *old)
{
  uint32_t shared = 0;
  for (uint32_t i = 0; i < old->size; i++)
    shared += s->where[old->item[i]] != ANY_NONE;
  return (s->size - shared) / 2;
}

/* At a checkpoint after the change: is the outcome known?  Then *cost is it, or UINT64_MAX when it is above the limit.
 */
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
  uint32_t from = a / s->spacing, length = s->p->length, begin = from * s->spacing;
  uint64_t cost;
  relink(s, a, b);
  restore(s, &s->check[from]);
  s->logged = 0;
  s->trial_from = from;
  s->trial_to = (length - 1) / s->spacing + 1;
  for (uint32_t t = begin; t < length; t++) {
    if (t % s->spacing == 0 && t > b && t > begin && decided(s, t, limit, &cost)) {
      s->trial_to = t / s->spacing;
      return cost;
    }
    if (t == s->to)
      return UINT64_MAX;
    any_play_event(s, t);
  }
  return s->cost;
}

/* The trial is played once more, and its positions are kept: few trials come so far. */
void any_sim_keep(any_sim *s, uint64_t cost)
{
  const any_program *p = s->p;
  uint32_t begin = s->trial_from * s->spacing, end = s->trial_to * s->spacing;
  restore(s, &s->check[s->trial_from]);
  s->logged = 0;
  end = end < p->length ? end : p->length;
  for (uint32_t t = begin; t < end; t++) {
    if (t % s->spacing == 0 && t > begin)
      keep_position(s, t, &s->check[t / s->spacing]);
    any_play_event(s, t);
  }
  for (uint32_t k = s->trial_to; k * s->spacing < p->length; k++)
    s->check[k].cost += cost - s->total; /* modulo 2^64 */
  for (uint32_t t = begin; t < end; t++)
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

/* Checkpoints close enough to be worth it, far enough apart to fit: a position takes as long to keep as some events to
   play. */
static uint32_t choose_spacing(const any_program *p, bool lean)
{
  const uint64_t bytes = 48u << 20, each = 8 * (uint64_t)p->m + (lean ? p->m : p->items) + 64;
  uint64_t most = bytes / each, spacing = 8;
  while (p->room_events / spacing > most || spacing * (lean ? 16 : 256) < (lean ? p->m : p->items))
    spacing *= 2;
  return (uint32_t)spacing;
}

static void init_cache(any_sim *s, const any_program *p)
{
  random_source random = { 0x5eed };
  s->item = MEM_NEW(uint32_t, p->m);
  s->key = MEM_NEW(uint32_t, p->m);
  s->heavy = MEM_NEW(uint8_t, p->m);
  s->where = MEM_NEW(uint32_t, p->items);
  s->blue = MEM_NEW(uint8_t, p->items);
  s->code = MEM_NEW(uint64_t, p->items);
  s->plan = MEM_NEW(uint32_t, ANY_PLAN);
  s->plan_load = MEM_NEW(uint8_t, ANY_PLAN);
  s->held = MEM_NEW(uint32_t, ANY_HELD);
  s->held_key = MEM_NEW(uint32_t, ANY_HELD);
  s->queue = p->m > SCAN ? any_queue_new(p->m) : NULL;
  for (uint32_t x = 0; x < p->items; x++) {
    s->where[x] = ANY_NONE;
    s->code[x] = random_next(&random);
  }
}

void any_sim_init(any_sim *s, const any_program *p)
{
  size_t slots = (size_t)p->room_reads + p->room_events, uses = slots + p->items + 1;
  *s = (any_sim){ .p = p, .dirty_weight = 128, .recompute = p->recompute, .lean = !p->recompute };
  s->spacing = choose_spacing(p, s->lean);
  s->checkpoints = p->room_events / s->spacing + 1;
  s->order = MEM_NEW(uint32_t, p->room_events);
  s->place = MEM_NEW(uint32_t, p->room_events);
  s->use_at = MEM_NEW(uint32_t, (size_t)p->items + 1);
  s->use = MEM_NEW(uint32_t, uses);
  s->after = MEM_NEW(uint32_t, uses);
  s->touch = MEM_NEW(uint32_t, slots);
  s->cursor = MEM_NEW(uint32_t, p->items);
  init_checkpoints(s);
  s->missed = MEM_NEW(uint32_t, p->room_events);
  s->log_event = MEM_NEW(uint32_t, slots);
  s->log_item = MEM_NEW(uint32_t, slots);
  for (uint32_t x = 0; x < p->items; x++)
    s->cursor[x] = ANY_NONE;
  init_cache(s, p);
}

void any_sim_clear(any_sim *s)
{
  clear_checkpoints(s);
  any_queue_free(s->queue);
  void *blocks[] = { s->order,    s->place, s->use_at, s->use,    s->after,     s->touch,   s->item,      s->key,
                     s->heavy,    s->where, s->cursor, s->blue,   s->code,      s->plan,    s->plan_load, s->held,
                     s->held_key, s->missed, s->log_event, s->log_item };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
  *s = (any_sim){ 0 };
}
