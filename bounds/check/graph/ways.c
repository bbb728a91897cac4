/* Positions in the order of the excess they are reached by (ways.h): plain loops over sets. */
#include "bounds/check/graph/ways.h"
#include "base/mem.h"
#include <string.h>

/* ---- sets ---- */

bool ways_within(const excess_piece *p, const excess_set *a, const excess_set *b)
{
  uint64_t beyond = 0;
  for (int i = 0; i < p->words; i++)
    beyond |= a->w[i] & ~b->w[i];
  return !beyond;
}

int ways_next(const excess_piece *p, const excess_set *s, int v)
{
  for (int i = v / 64; i < p->words; i++) {
    uint64_t w = i == v / 64 ? s->w[i] >> v % 64 << v % 64 : s->w[i];
    if (w)
      return 64 * i + __builtin_ctzll(w);
  }
  return EXCESS_MEMBERS;
}

int ways_size(const excess_piece *p, const excess_set *s)
{
  int n = 0;
  for (int i = 0; i < p->words; i++)
    n += __builtin_popcountll(s->w[i]);
  return n;
}

/* ---- positions ---- */

static void pack(const ways *k, const ways_position *p, uint64_t *key)
{
  size_t bytes = k->each * sizeof *key;
  memcpy(key, p->done.w, bytes);
  memcpy(key + k->each, p->held.w, bytes);
  memcpy(key + 2 * k->each, p->clean.w, bytes);
}

static const uint64_t *key_of(const ways *k, size_t i) { return k->key + i * 3 * k->each; }

static ways_position unpack(const ways *k, const uint64_t *key)
{
  size_t bytes = k->each * sizeof *key;
  ways_position p = { 0 };
  memcpy(p.done.w, key, bytes);
  memcpy(p.held.w, key + k->each, bytes);
  memcpy(p.clean.w, key + 2 * k->each, bytes);
  return p;
}

/* By what is done and held: positions that agree in it may be compared. */
static size_t slot_of(const ways *k, const uint64_t *key)
{
  uint64_t h = 0;
  for (size_t i = 0; i < 2 * k->each; i++) {
    h = (h ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return h & (k->slots - 1);
}

static void widen(ways *k)
{
  mem_free(k->slot);
  k->slots = k->slots ? 2 * k->slots : 1024;
  k->slot = MEM_NEW(uint32_t, k->slots);
  for (size_t i = 0; i < k->n; i++) {
    size_t at = slot_of(k, key_of(k, i));
    while (k->slot[at])
      at = (at + 1) & (k->slots - 1);
    k->slot[at] = (uint32_t)i + 1;
  }
}

/* The slot of key, or one for it; false when a position met before is as good: one with the same words done and held
   costs at most 1 more for each word that is clean here and not there. */
static bool find(const ways *k, const uint64_t *key, uint32_t excess, size_t *at)
{
  for (*at = slot_of(k, key); k->slot[*at]; *at = (*at + 1) & (k->slots - 1)) {
    uint32_t i = k->slot[*at] - 1, more = 0;
    const uint64_t *met = key_of(k, i);
    if (memcmp(met, key, 2 * k->each * sizeof *key) != 0)
      continue;
    for (size_t j = 2 * k->each; j < 3 * k->each; j++)
      more += (uint32_t)__builtin_popcountll(key[j] & ~met[j]);
    if (k->least[i] + more <= excess)
      return false;
    if (memcmp(met, key, 3 * k->each * sizeof *key) == 0)
      return true;
  }
  return true;
}

static uint32_t add(ways *k, const uint64_t *key, size_t at)
{
  size_t bytes = 3 * k->each * sizeof *key;
  k->key = mem_room(k->key, k->n, &k->key_room, bytes);
  k->least = mem_room(k->least, k->n, &k->least_room, sizeof *k->least);
  k->gone = mem_room(k->gone, k->n, &k->gone_room, sizeof *k->gone);
  memcpy(k->key + k->n * 3 * k->each, key, bytes);
  k->slot[at] = (uint32_t)++k->n;
  return (uint32_t)k->n - 1;
}

static void open_at(ways *k, uint32_t sure, uint32_t i)
{
  for (; k->opens <= sure; k->opens++) {
    k->open = mem_room(k->open, k->opens, &k->open_room, sizeof *k->open);
    memset(&k->open[k->opens], 0, sizeof *k->open);
  }
  __typeof__(k->open) s = &k->open[sure];
  s->at = mem_room(s->at, s->n, &s->room, sizeof *s->at);
  s->at[s->n++] = i;
}

void ways_enter(ways *k, const ways_position *p, uint32_t excess, uint32_t more)
{
  uint64_t key[3 * EXCESS_WORDS];
  uint32_t sure = excess + more > k->sure ? excess + more : k->sure;
  size_t at;
  if (sure >= k->limit)
    return;
  if (2 * k->n >= k->slots)
    widen(k);
  pack(k, p, key);
  if (!find(k, key, excess, &at))
    return;
  k->full = k->full || (!k->slot[at] && k->n >= k->most);
  if (k->full)
    return;
  uint32_t i = k->slot[at] ? k->slot[at] - 1 : add(k, key, at);
  k->least[i] = excess;
  k->gone[i] = false;
  open_at(k, sure, i);
}

/* ---- the search ---- */

/* Take out the next position, from the least that is sure of any. */
static bool take_open(ways *k, ways_position *p, uint32_t *excess)
{
  for (; k->sure < k->opens; k->sure++)
    for (__typeof__(k->open) s = &k->open[k->sure]; s->n > 0;) {
      uint32_t i = s->at[--s->n];
      if (k->gone[i])
        continue;
      k->gone[i] = true;
      *p = unpack(k, key_of(k, i));
      *excess = k->least[i];
      return true;
    }
  return false;
}

static excess_answer go_on(ways *k)
{
  ways_position at;
  uint32_t excess;
  while (take_open(k, &at, &excess)) {
    if (k->ended(k, &at))
      return EXCESS_KNOWN;
    k->expand(k, &at, excess);
    if (k->full)
      return EXCESS_GAVE_UP;
  }
  k->sure = k->limit;
  return EXCESS_LIMIT;
}

excess_answer ways_run(ways *k, const ways_position *start, uint32_t limit, uint64_t *positions, uint32_t *least)
{
  k->limit = limit;
  k->most = *positions < UINT32_MAX - 1 ? *positions : UINT32_MAX - 1;
  k->each = (size_t)k->p->words;
  ways_enter(k, start, 0, 0);
  excess_answer a = go_on(k);
  *least = k->sure;
  *positions -= k->n;
  for (size_t i = 0; i < k->opens; i++)
    mem_free(k->open[i].at);
  mem_free(k->open);
  mem_free(k->key);
  mem_free(k->least);
  mem_free(k->gone);
  mem_free(k->slot);
  return a;
}
