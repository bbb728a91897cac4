/* pebble/optimal/store.c -- the positions a search has met: an arena of keys with an open-addressed index. */
#include "base/mem.h"
#include "pebble/optimal/internal.h"
#include <assert.h>
#include <string.h>

enum { CHUNK = 1 << 12, FIRST_SLOTS = 1 << 12 };

void optimal_store_init(optimal_store *s, const optimal_game *game, uint64_t limit)
{
  assert(game->words <= OPTIMAL_KEY && game->group <= game->words);
  *s = (optimal_store){ .words = game->words, .group = game->group, .limit = limit, .slots = FIRST_SLOTS };
  s->slot = MEM_NEW(uint64_t, s->slots);
  s->bytes = s->slots * sizeof *s->slot;
}

void optimal_store_clear(optimal_store *s)
{
  for (size_t i = 0; i < s->slabs; i++)
    mem_free(s->slab[i]);
  mem_free(s->slab);
  mem_free(s->chunk);
  mem_free(s->slot);
  *s = (optimal_store){ 0 };
}

static uint64_t *place(const optimal_store *s, uint32_t i)
{
  return s->chunk[i / CHUNK] + (size_t)(i % CHUNK) * (size_t)(s->words + 1);
}

const uint64_t *optimal_key(const optimal_store *s, uint32_t i) { return place(s, i); }
optimal_node *optimal_node_of(const optimal_store *s, uint32_t i) { return (optimal_node *)(place(s, i) + s->words); }

uint64_t optimal_hash(const uint64_t *key, int words)
{
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < words; i++) {
    h = (h ^ key[i]) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h * 0xc4ceb9fe1a85ec53u;
}

/* Twice as many slots; the 32 bits of hash kept in each are enough to place it. */
static bool widen(optimal_store *s)
{
  uint64_t slots = 2 * s->slots, more = slots * sizeof *s->slot;
  if (s->bytes + more > s->limit || slots > (uint64_t)1 << 32)
    return false;
  uint64_t *slot = MEM_NEW(uint64_t, slots);
  mem_fill_soon(slot, more);
  for (uint64_t i = 0; i < s->slots; i++) {
    if (!s->slot[i])
      continue;
    uint64_t at = (s->slot[i] >> 32) & (slots - 1);
    while (slot[at])
      at = (at + 1) & (slots - 1);
    slot[at] = s->slot[i];
  }
  mem_free(s->slot);
  s->bytes += more - s->slots * sizeof *s->slot;
  s->slot = slot;
  s->slots = slots;
  return true;
}

/* Chunks come in slabs that grow with what there is: positions are looked for all over, and large pages find them
   sooner. */
static bool more_chunks(optimal_store *s)
{
  size_t each = (size_t)CHUNK * (size_t)(s->words + 1) * sizeof(uint64_t), n = s->chunks / 8 + 1;
  while (n > 1 && s->bytes + n * each > s->limit)
    n /= 2;
  if (s->bytes + n * each > s->limit)
    return false;
  uint64_t *slab = mem_new(n, each);
  mem_fill_soon(slab, n * each);
  s->slab = mem_room(s->slab, s->slabs, &s->slab_room, sizeof *s->slab);
  s->slab[s->slabs++] = slab;
  for (size_t i = 0; i < n; i++) {
    s->chunk = mem_room(s->chunk, s->chunks, &s->chunk_room, sizeof *s->chunk);
    s->chunk[s->chunks++] = slab + i * (each / sizeof *slab);
  }
  s->bytes += n * each;
  return true;
}

static bool room(optimal_store *s)
{
  if ((uint64_t)s->n * 10 >= s->slots * 7 && !widen(s)) /* 2^32 slots at most: numbers stay below OPTIMAL_NONE */
    return false;
  return s->n < s->chunks * CHUNK || more_chunks(s);
}

static bool same(const uint64_t *a, const uint64_t *b, int words)
{
  for (int i = 0; i < words; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

static uint64_t tag_of(const optimal_store *s, const uint64_t *key) { return optimal_hash(key, s->group) >> 32; }

void optimal_expect_slot(const optimal_store *s, const uint64_t *key)
{
  __builtin_prefetch(&s->slot[tag_of(s, key) & (s->slots - 1)]);
}

void optimal_expect_key(const optimal_store *s, const uint64_t *key)
{
  uint64_t tag = tag_of(s, key), found = s->slot[tag & (s->slots - 1)];
  if (found && found >> 32 == tag)
    __builtin_prefetch(place(s, (uint32_t)found - 1));
}

uint32_t optimal_find(const optimal_store *s, const optimal_game *game, const uint64_t *key, uint32_t cost,
                      bool *dominated)
{
  uint64_t tag = tag_of(s, key), at = tag & (s->slots - 1);
  for (*dominated = false; s->slot[at]; at = (at + 1) & (s->slots - 1)) {
    uint32_t i = (uint32_t)s->slot[at] - 1;
    if (s->slot[at] >> 32 != tag || !same(place(s, i), key, s->group))
      continue;
    uint32_t more = game->surplus(game, place(s, i), key);
    *dominated = (optimal_node_of(s, i)->cost & OPTIMAL_COST) + more <= cost;
    if (*dominated || same(place(s, i), key, s->words))
      return i;
  }
  return OPTIMAL_NONE;
}

uint32_t optimal_add(optimal_store *s, const uint64_t *key)
{
  uint64_t tag = tag_of(s, key);
  if (!room(s))
    return OPTIMAL_NONE;
  uint64_t at = tag & (s->slots - 1);
  while (s->slot[at])
    at = (at + 1) & (s->slots - 1);
  s->slot[at] = tag << 32 | (uint64_t)(s->n + 1);
  memcpy(place(s, s->n), key, (size_t)s->words * sizeof *key);
  return s->n++;
}
