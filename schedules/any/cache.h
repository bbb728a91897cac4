/* schedules/any/cache.h -- the cache of a play and what enters and leaves it: inline, because local search lives in
 * these. */
#ifndef REDBLUE_SCHEDULES_ANY_CACHE_H
#define REDBLUE_SCHEDULES_ANY_CACHE_H

#include "schedules/any/internal.h"

/* When x is touched next.  A large cache has its items in a queue as well. */
static inline void any_set_key(any_sim *s, uint32_t x, uint32_t key)
{
  s->key[s->where[x]] = key;
  if (s->queue)
    any_queue_push(s, x);
}

/* What the blue pebble of a cached item adds to the hash, in a lean play. */
static inline uint64_t any_blue_code(const any_sim *s, uint32_t x)
{
  return s->code[x] << 1 | s->code[x] >> 63;
}

static inline uint64_t any_cached_code(const any_sim *s, uint32_t x)
{
  return s->code[x] ^ (s->lean && s->blue[x] ? any_blue_code(s, x) : 0);
}

static inline void any_put(any_sim *s, uint32_t x, uint32_t key)
{
  uint32_t i = s->size++;
  s->item[i] = x;
  s->key[i] = key;
  s->heavy[i] = !s->blue[x];
  s->where[x] = i;
  s->hash ^= any_cached_code(s, x);
  if (s->queue)
    any_queue_push(s, x);
}

static inline void any_take(any_sim *s, uint32_t x)
{
  uint32_t i = s->where[x], last = --s->size;
  s->where[x] = ANY_NONE;
  s->hash ^= any_cached_code(s, x);
  if (i != last) {
    s->item[i] = s->item[last];
    s->key[i] = s->key[last];
    s->heavy[i] = s->heavy[last];
    s->where[s->item[i]] = i;
  }
}

/* Blue pebbles are part of the position: code is rotated for them.  In a lean play only those of cached items are: what
   is of use and not cached is saved. */
static inline void any_set_blue(any_sim *s, uint32_t x, bool blue)
{
  if (s->blue[x] != blue) {
    s->blue[x] = blue;
    if (!s->lean || s->where[x] != ANY_NONE)
      s->hash ^= any_blue_code(s, x);
  }
}

/* Of the farthest item that is saved and the farthest that is not, each as distance << 32 | item, the one to evict; 0
   where none may.  Of equals the larger item, so that equal positions are played alike whatever their history. */
static inline uint64_t any_farther(uint64_t saved, uint64_t unsaved, uint32_t weight)
{
  uint64_t a = (saved >> 32) * 256, b = (unsaved >> 32) * weight;
  return b > a || (a == b && (uint32_t)unsaved > (uint32_t)saved) ? unsaved : saved;
}

/* The entry to evict; those with the key t are needed now.  No branches: which item is farthest cannot be foreseen. */
static inline uint32_t any_victim(any_sim *s, uint32_t t)
{
  uint64_t best[2] = { 0, 0 };
  if (s->queue)
    return s->where[any_queue_best(s, t)];
  s->work += s->size / 8;
  for (uint32_t i = 0; i < s->size; i++) {
    uint64_t far = s->key[i] - t, entry = far << 32 | s->item[i], unsaved = -(uint64_t)s->heavy[i];
    entry &= -(uint64_t)(far != 0);
    best[0] = (entry & ~unsaved) > best[0] ? entry : best[0];
    best[1] = (entry & unsaved) > best[1] ? entry : best[1];
  }
  return s->where[(uint32_t)any_farther(best[0], best[1], s->dirty_weight)];
}

static inline void any_leave(any_sim *s, uint32_t x)
{
  any_take(s, x);
  if (s->record)
    any_record_drop(s->record, x);
}

static inline void any_save(any_sim *s, uint32_t x)
{
  any_set_blue(s, x, true);
  s->cost++;
  if (s->record)
    any_record_save(s->record, x);
}

/* x leaves and is wanted again.  Without recomputation it has to be saved, now or before. */
static inline void any_evicted(any_sim *s, uint32_t x)
{
  if (!s->recompute && !s->blue[x])
    any_save(s, x);
}

static inline void any_evict(any_sim *s, uint32_t x)
{
  any_leave(s, x);
  any_evicted(s, x);
}

/* x left and is not wanted again, or not before it is computed again.  In the first case whether it was saved is
   forgotten, so that plays that differ in it alone are equal; it is then not loaded to compute something else, which
   would rarely pay. */
static inline void any_forgotten(any_sim *s, uint32_t x)
{
  if (s->p->writes[x] == 1 && !s->p->store[x])
    any_set_blue(s, x, false);
}

static inline void any_discard(any_sim *s, uint32_t x)
{
  any_leave(s, x);
  any_forgotten(s, x);
}

/* Evict until `more` further items fit. */
static inline void any_make_room(any_sim *s, uint32_t t, uint32_t more)
{
  while (s->size + more > s->p->m)
    any_evict(s, s->item[any_victim(s, t)]);
}

static inline void any_load(any_sim *s, uint32_t t, uint32_t x)
{
  any_make_room(s, t, 1);
  if (s->lean)
    s->blue[x] = 1;
  else if (!s->blue[x]) /* lost: it should have been saved when it left */
    any_save(s, x);
  s->cost++;
  any_put(s, x, t);
  if (s->record)
    any_record_load(s->record, x);
}

/* The touch of x at t or later, or the sentinel after its last. */
static inline uint32_t any_touch_from(const any_sim *s, uint32_t x, uint32_t t)
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

#endif
