/* pebble/optimal/deepen.c -- the search for an optimum in bounded memory: depth first, up to one cost + bound after
   another (Korf 1985), with a table of positions that forgets (Reinefeld and Marsland 1994).

   A position met again at no lower cost is left out as long as the table knows it, and whenever it lies on the way at
   hand.  What is forgotten is gone through again: that costs time and not truth.  docs/optimal.md, 15. */
#include "base/mem.h"
#include "pebble/optimal/internal.h"
#include <assert.h>
#include <string.h>

enum { BUCKET = 4, LOOK = 256, OPEN = UINT32_MAX }; /* positions in one place; expansions between two looks */

/* After each key of the table: what it was met for, and the work that knowing it saves, as a power of two. */
typedef struct {
  uint32_t cost;        /* + 1; 0: no position */
  uint32_t work;        /* OPEN while it is gone through */
} memo;

/* After each key of the stack. */
typedef struct {
  uint16_t cost, bound;
  uint32_t begun;       /* the number of expansions when it was expanded, made odd; 0: it still waits */
} waiting;

typedef struct {
  optimal_game *game;
  size_t words;         /* of a key, with what comes after it */
  uint64_t *table, buckets;
  uint64_t *stack;      /* those that wait, and the way at hand between them */
  size_t n, most;
  size_t *way, length, way_room;
  uint32_t limit;       /* positions of cost + bound below it are gone through */
  uint32_t cost;        /* of the position being expanded */
  uint64_t expanded;
  bool full;
  optimal_watch *watch;
  optimal_result *r;
} deepening;

static uint64_t *stacked(const deepening *s, size_t i) { return s->stack + i * s->words; }
static waiting *waiting_at(const deepening *s, size_t i) { return (waiting *)(stacked(s, i) + s->words - 1); }
static memo *memo_of(const deepening *s, uint64_t *entry) { return (memo *)(entry + s->words - 1); }

static uint64_t *bucket(const deepening *s, const uint64_t *key)
{
  return s->table + optimal_hash(key, s->game->group) % s->buckets * BUCKET * s->words;
}

/* Is a position at hand or in the table as good as this one at this cost? */
static bool is_met(const deepening *s, const uint64_t *key, uint32_t cost)
{
  size_t group = (size_t)s->game->group * sizeof *key;
  uint64_t *entry = bucket(s, key);
  for (int i = 0; i < BUCKET; i++, entry += s->words)
    if (memo_of(s, entry)->cost && memcmp(entry, key, group) == 0 &&
        memo_of(s, entry)->cost - 1 + s->game->surplus(s->game, entry, key) <= cost)
      return true;
  return false;
}

/* Ways with recomputation could go round and round, if all they meet is forgotten. */
static bool lies_on_way(const deepening *s, const uint64_t *key, uint32_t cost)
{
  for (size_t i = 0; i < s->length; i++)
    if (memcmp(stacked(s, s->way[i]), key, (s->words - 1) * sizeof *key) == 0 && waiting_at(s, s->way[i])->cost <= cost)
      return true;
  return false;
}

/* In the place of what saves least. */
static void remember(deepening *s, const uint64_t *key, uint32_t cost)
{
  uint64_t *entry = bucket(s, key), *least = entry;
  for (int i = 0; i < BUCKET; i++, entry += s->words)
    if (memo_of(s, least)->cost && (!memo_of(s, entry)->cost || memo_of(s, entry)->work < memo_of(s, least)->work))
      least = entry;
  memcpy(least, key, (s->words - 1) * sizeof *key);
  *memo_of(s, least) = (memo){ cost + 1, OPEN };
}

/* All that follows it was gone through: so much work it was. */
static void weigh(deepening *s, size_t i)
{
  uint64_t *entry = bucket(s, stacked(s, i));
  uint32_t work = (uint32_t)s->expanded + 1 - waiting_at(s, i)->begun;
  for (int j = 0; j < BUCKET; j++, entry += s->words)
    if (memo_of(s, entry)->cost == waiting_at(s, i)->cost + 1u &&
        memcmp(entry, stacked(s, i), (s->words - 1) * sizeof *entry) == 0)
      memo_of(s, entry)->work = work ? (uint32_t)(32 - __builtin_clz(work)) : 0;
}

static void push(void *context, const uint64_t *raw, uint32_t more)
{
  deepening *s = context;
  uint64_t key[OPTIMAL_KEY];
  uint32_t cost = s->cost + more, bound;
  memcpy(key, raw, (s->words - 1) * sizeof *key);
  if (s->game->canonical)
    s->game->canonical(s->game, key, NULL);
  if (cost >= s->limit || is_met(s, key, cost))
    return;
  bound = s->game->bound(s->game, key);
  if (bound == OPTIMAL_HOPELESS || cost + bound >= s->limit)
    return;
  s->full = s->n >= s->most;
  s->game->stop = s->full;
  if (s->full)
    return;
  memcpy(stacked(s, s->n), key, (s->words - 1) * sizeof *key);
  *waiting_at(s, s->n++) = (waiting){ (uint16_t)cost, (uint16_t)bound, 0 };
}

/* The goal is on top: the way to it. */
static void found(deepening *s)
{
  const uint64_t **key = mem_new(s->length + 1, sizeof *key);
  for (size_t i = 0; i < s->length; i++)
    key[i] = stacked(s, s->way[i]);
  key[s->length] = stacked(s, s->n - 1);
  s->r->upper = waiting_at(s, s->n - 1)->cost;
  optimal_write(s->game, key, s->length + 1, &s->r->trace);
  mem_free(key);
}

/* The top of the stack is gone on from.  False: the time is over, or the stack is full. */
static bool go_on(deepening *s)
{
  size_t i = s->n - 1;
  waiting *w = waiting_at(s, i);
  remember(s, stacked(s, i), w->cost);
  w->begun = (uint32_t)++s->expanded | 1;
  s->way = mem_room(s->way, s->length, &s->way_room, sizeof *s->way);
  s->way[s->length++] = i;
  s->cost = w->cost;
  s->game->spare = s->limit - 1 - w->cost - w->bound;
  s->game->expand(s->game, stacked(s, i), push, s);
  return !s->full && (s->expanded % LOOK != 0 || !optimal_is_over(s->watch, s->r, s->r->states + s->expanded));
}

/* Go through all below the limit.  False: a limit of time or memory stopped it.  True and s->r->upper below the limit:
   the end was met. */
static bool deepen_once(deepening *s)
{
  uint64_t start[OPTIMAL_KEY];
  memset(s->table, 0, s->buckets * BUCKET * s->words * sizeof *s->table);
  s->game->start(s->game, start);
  s->n = s->length = 0;
  s->cost = 0;
  push(s, start, 0);
  while (s->n > 0) {
    waiting *w = waiting_at(s, s->n - 1);
    if (w->begun) {
      weigh(s, --s->n);
      s->length--;
    } else if (w->bound == 0) {
      found(s);
      return true;
    } else if (is_met(s, stacked(s, s->n - 1), w->cost) || lies_on_way(s, stacked(s, s->n - 1), w->cost))
      s->n--;
    else if (!go_on(s))
      return false;
  }
  return !s->full; /* not even the start */
}

void optimal_deepen(optimal_game *game, uint64_t bytes, optimal_watch *watch, optimal_result *r)
{
  deepening s = { .game = game, .words = (size_t)game->words + 1, .watch = watch, .r = r };
  size_t each = s.words * sizeof *s.table;
  s.buckets = bytes / 8 * 7 / (BUCKET * each);
  s.most = bytes / 8 / each;
  r->gave_up = s.buckets == 0;
  if (r->gave_up)
    return;
  s.table = mem_new(s.buckets, BUCKET * each);
  s.stack = mem_new(s.most, each);
  mem_fill_soon(s.table, s.buckets * BUCKET * each);
  game->stop = false;
  while (r->lower < r->upper && !r->gave_up) {
    s.limit = r->lower + 1;
    r->gave_up = !deepen_once(&s);
    if (!r->gave_up && r->upper > r->lower)
      r->lower++;
  }
  r->states += s.expanded;
  mem_free(s.table);
  mem_free(s.stack);
  mem_free(s.way);
}
