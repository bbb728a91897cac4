/* schedules/any/queue.c -- which item of a large cache is wanted last: two heaps, of saved and of unsaved items, in
   which entries go stale instead of being removed (an entry counts only while it agrees with the cache). */
#include "base/mem.h"
#include "schedules/any/cache.h"

typedef struct {
  uint64_t *entry;          /* key << 32 | item, the largest first */
  size_t n;
} heap;

struct any_queue {
  heap heap[2];             /* saved, unsaved */
};

enum { STALE = 4 };         /* entries for each place in the cache, when all are listed afresh */

any_queue *any_queue_new(uint32_t m)
{
  any_queue *q = MEM_NEW(any_queue, 1);
  for (int k = 0; k < 2; k++)
    q->heap[k].entry = MEM_NEW(uint64_t, STALE * (size_t)m + 1);
  return q;
}

void any_queue_free(any_queue *q)
{
  if (q) {
    mem_free(q->heap[0].entry);
    mem_free(q->heap[1].entry);
  }
  mem_free(q);
}

static void sift_down(heap *h, size_t i)
{
  uint64_t x = h->entry[i];
  for (;;) {
    size_t child = 2 * i + 1;
    if (child + 1 < h->n && h->entry[child + 1] > h->entry[child])
      child++;
    if (child >= h->n || h->entry[child] <= x)
      break;
    h->entry[i] = h->entry[child];
    i = child;
  }
  h->entry[i] = x;
}

static void sift_up(heap *h, size_t i)
{
  uint64_t x = h->entry[i];
  for (; i > 0 && h->entry[(i - 1) / 2] < x; i = (i - 1) / 2)
    h->entry[i] = h->entry[(i - 1) / 2];
  h->entry[i] = x;
}

static void append(heap *h, uint64_t x) { h->entry[h->n++] = x; }

static uint64_t entry_of(const any_sim *s, uint32_t i) { return (uint64_t)s->key[i] << 32 | s->item[i]; }

void any_queue_rebuild(any_sim *s)
{
  heap *both = s->queue->heap;
  both[0].n = both[1].n = 0;
  for (uint32_t i = 0; i < s->size; i++)
    append(&both[s->heavy[i]], entry_of(s, i));
  for (int k = 0; k < 2; k++)
    for (size_t i = both[k].n / 2; i-- > 0;)
      sift_down(&both[k], i);
}

void any_queue_push(any_sim *s, uint32_t x)
{
  uint32_t i = s->where[x];
  heap *h = &s->queue->heap[s->heavy[i]];
  if (h->n == STALE * (size_t)s->p->m + 1)
    any_queue_rebuild(s);
  else {
    append(h, entry_of(s, i));
    sift_up(h, h->n - 1);
  }
}

static bool fresh(const any_sim *s, uint64_t entry, bool heavy)
{
  uint32_t i = s->where[(uint32_t)entry];
  return i != ANY_NONE && entry_of(s, i) == entry && s->heavy[i] == heavy;
}

/* The first entry that agrees with the cache, or 0 (no item has key 0 while another event is to come). */
static uint64_t top(const any_sim *s, bool heavy)
{
  heap *h = &s->queue->heap[heavy];
  while (h->n && !fresh(s, h->entry[0], heavy)) {
    h->entry[0] = h->entry[--h->n];
    if (h->n)
      sift_down(h, 0);
  }
  return h->n ? h->entry[0] : 0;
}

/* The entry as any_farther reads it. */
static uint64_t far(uint64_t entry, uint32_t t)
{
  uint64_t key = entry >> 32;
  return key > t ? entry - ((uint64_t)t << 32) : 0;
}

uint32_t any_queue_best(any_sim *s, uint32_t t)
{
  return (uint32_t)any_farther(far(top(s, false), t), far(top(s, true), t), s->dirty_weight);
}
