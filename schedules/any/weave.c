/* schedules/any/weave.c -- run side by side what stands one after the other and reads the same words.

   An item that is missed has touches t1 < t2 < ... in the order.  The stretches from each to the next are the blocks
   of a *weave*: the first events of all blocks, then their second events, and so on, each preceded by what it needs.
   Rows of attention that are woven share their keys; chains of a product that are woven share a row, and bundles of
   them, woven again, a column: what tiles a loop nest, done to an order. A sweep tries at each place a few items and
   numbers of blocks, by playing, and keeps what saves most for its length. */
#include "base/mem.h"
#include "schedules/any/cache.h"
#include <string.h>

static uint32_t longest_stretch(const any_program *p)
{
  return p->room_events < ANY_STRETCH ? p->room_events : ANY_STRETCH;
}

void any_weaver_init(any_weaver *w, const any_program *p)
{
  uint32_t most = longest_stretch(p);
  *w = (any_weaver){ .p = p };
  w->before = MEM_NEW(uint32_t, most);
  w->writer = MEM_NEW(uint32_t, p->items);
  w->need_at = MEM_NEW(uint32_t, (size_t)most + 1);
  w->end = MEM_NEW(uint32_t, most);
  w->stack = MEM_NEW(uint32_t, most);
  w->done = MEM_NEW(uint8_t, most);
  for (uint32_t x = 0; x < p->items; x++)
    w->writer[x] = ANY_NONE;
}

void any_weaver_clear(any_weaver *w)
{
  void *blocks[] = { w->before, w->writer, w->need_at, w->need, w->end, w->stack, w->done };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
  *w = (any_weaver){ 0 };
}

static bool add_need(any_weaver *w, uint32_t filled, uint32_t place)
{
  if (place == ANY_NONE)
    return false;
  w->need = mem_room(w->need, filled, &w->room, sizeof *w->need);
  w->need[filled] = place;
  return true;
}

/* need[need_at[i]..need_at[i + 1]]: the events of the stretch that event i comes after, by their places in it. */
static void find_needs(any_weaver *w, uint32_t n)
{
  const any_program *p = w->p;
  uint32_t filled = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t e = w->before[i], x = p->write[e];
    w->need_at[i] = filled;
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      filled += add_need(w, filled, w->writer[p->read[r]]);
    filled += add_need(w, filled, w->writer[x]);
    w->writer[x] = i;
  }
  w->need_at[n] = filled;
  for (uint32_t i = 0; i < n; i++)
    w->writer[p->write[w->before[i]]] = ANY_NONE;
}

/* Event i, after what it needs; need_at of an event that is looked at moves on.  An event is on the stack once: needs
   go back in the order. */
static uint32_t emit(any_weaver *w, uint32_t i, uint32_t *order, uint32_t filled)
{
  uint32_t depth = 0;
  w->stack[depth++] = i;
  while (depth) {
    uint32_t k = w->stack[depth - 1];
    if (!w->done[k] && w->need_at[k] < w->end[k]) {
      uint32_t u = w->need[w->need_at[k]++];
      if (!w->done[u])
        w->stack[depth++] = u;
      continue;
    }
    if (!w->done[k])
      order[filled++] = w->before[k];
    w->done[k] = 1;
    depth--;
  }
  return filled;
}

/* How far the leading block, order[from..to - 1], has to be when event e comes, at least `now`: to where it next
   touches what e reads. */
static uint32_t meeting(const any_sim *s, uint32_t e, uint32_t from, uint32_t to, uint32_t now)
{
  const any_program *p = s->p;
  uint32_t best = to;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++) {
    uint32_t t = s->use[any_touch_from(s, p->read[r], now)];
    best = t < best ? t : best;
  }
  return best < to && best >= from ? best : now;
}

static uint32_t longest_block(const uint32_t *start, uint32_t blocks)
{
  uint32_t lead = 0;
  for (uint32_t b = 1; b < blocks; b++)
    if (start[b + 1] - start[b] > start[lead + 1] - start[lead])
      lead = b;
  return lead;
}

void any_weave(any_weaver *w, const any_sim *s, uint32_t a, const uint32_t *start, uint32_t blocks, uint32_t *order)
{
  uint32_t n = start[blocks], filled = 0, next[ANY_BLOCKS + 1], due[ANY_BLOCKS + 1];
  uint32_t lead = longest_block(start, blocks), from = a + start[lead], to = a + start[lead + 1];
  memcpy(w->before, s->order + a, n * sizeof *order);
  find_needs(w, n);
  memset(w->done, 0, n);
  /* an event's needs end where the next one's begin: kept apart, since the beginnings move */
  memcpy(w->end, w->need_at + 1, n * sizeof *w->end);
  for (uint32_t b = 0; b < blocks; b++) {
    next[b] = start[b];
    due[b] = meeting(s, w->before[start[b]], from, to, from);
  }
  for (uint32_t t = from; t < to; t++) {
    filled = emit(w, t - a, order, filled);
    for (uint32_t b = 0; b < blocks; b++)
      while (b != lead && next[b] < start[b + 1] && due[b] <= t) {
        filled = emit(w, next[b]++, order, filled);
        if (next[b] < start[b + 1])
          due[b] = meeting(s, w->before[next[b]], from, to, due[b]);
      }
  }
  for (uint32_t b = 0; b < blocks; b++)
    for (; b != lead && next[b] < start[b + 1]; next[b]++)
      filled = emit(w, next[b], order, filled);
}

/* ---- sweeps ---- */

enum { TRIED = 64, SHORTEST = 3 };
typedef struct {
  any_sim *s;
  any_weaver *w;
  uint64_t saved;           /* by the best weave here, of `length` events */
  uint32_t length, blocks, *start;
  uint32_t most;            /* events to a weave */
  uint32_t *order;          /* scratch */
  uint64_t best;            /* what other orders come to */
  bool kept;                /* a weave, since the order was last played from its beginning */
  bool whole;               /* what saves most, not what saves most for its length */
  uint32_t tried, first[TRIED], second[TRIED];
} sweeper;

/* Blocks that begin at a and at the next touches of x after the given one; how many there are, at most `wanted`. */
static uint32_t find_blocks(const sweeper *k, uint32_t a, uint32_t x, uint32_t touch, uint32_t wanted, uint32_t *start)
{
  const any_sim *s = k->s;
  uint32_t n = 0;
  start[0] = 0;
  while (n < wanted && s->use[touch + 1] != ANY_NONE && touch + 1 < s->use_at[x + 1])
    start[++n] = s->use[++touch] - a;
  if (n + 1 == wanted && n > 0) { /* the last block is as long as the one before */
    start[n + 1] = 2 * start[n] - start[n - 1];
    n++;
  }
  while (n > 0 && (start[n] > k->most || start[n] > s->p->length - a))
    n--;
  return n;
}

static void try_weave(sweeper *k, uint32_t a, uint32_t x, uint32_t touch, uint32_t wanted)
{
  uint32_t start[ANY_BLOCKS + 2], n = find_blocks(k, a, x, touch, wanted, start);
  if (n < 2 || n < wanted)
    return;
  any_sim *s = k->s;
  uint64_t total = s->total;
  any_weave(k->w, s, a, start, n, k->order);
  memcpy(s->order + a, k->order, start[n] * sizeof *s->order);
  s->work += start[n] * 4ull;
  uint64_t cost = any_sim_try(s, a, a + start[n] - 1, total);
  any_sim_undo(s, a, a + start[n] - 1, k->w->before);
  if (cost >= total)
    return;
  uint64_t saved = total - cost;
  bool better = k->whole ? saved > k->saved : saved * k->length > k->saved * start[n]; /* both below 2^32 */
  if (better || k->length == 0) {
    k->saved = saved;
    k->length = start[n];
    k->blocks = n;
    memcpy(k->start, start, (n + 1) * sizeof *start);
  }
}

/* The first two blocks are those of an earlier trial from the same place. */
static bool tried_before(sweeper *k, uint32_t first, uint32_t second)
{
  for (uint32_t i = 0; i < k->tried; i++)
    if (k->first[i] == first && k->second[i] == second)
      return true;
  if (k->tried < TRIED) {
    k->first[k->tried] = first;
    k->second[k->tried++] = second;
  }
  return false;
}

/* Every item that the event at a touches, with several numbers of blocks. */
static void try_items(sweeper *k, uint32_t a)
{
  static const uint32_t numbers[] = { 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32 };
  const any_sim *s = k->s;
  const any_program *p = s->p;
  uint32_t e = s->order[a], slot = any_slot(p, e), n = p->read_at[e + 1] - p->read_at[e];
  for (uint32_t r = 0; r <= n; r++) {
    uint32_t x = r < n ? p->read[p->read_at[e] + r] : p->write[e], touch = s->touch[slot + r], next = s->use[touch + 1];
    bool near = next != ANY_NONE && next - a >= SHORTEST && next - a <= k->most / 2;
    if (!near || tried_before(k, next - a, s->use[touch + 2] - a))
      continue;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      try_weave(k, a, x, touch, numbers[i]);
  }
}

static void keep_best(sweeper *k, uint32_t a)
{
  any_sim *s = k->s;
  any_weave(k->w, s, a, k->start, k->blocks, k->order);
  memcpy(s->order + a, k->order, k->length * sizeof *s->order);
  any_sim_keep(s, any_sim_try(s, a, a + k->length - 1, s->total));
  k->kept = true;
}

/* A sixteenth of the order or more was swept, and at this rate it stays worse than what there is by a quarter or more.
   */
static bool is_hopeless(const sweeper *k, uint64_t a, uint64_t before)
{
  const any_sim *s = k->s;
  double swept = (double)a / s->p->length, saved = (double)(before - s->total) / swept;
  return swept > 1.0 / 16 && (double)before - saved > 1.25 * (double)k->best;
}

/* From the beginning to the end, behind each weave that is kept; where trials found nothing, on by what they took.
   Returns what was saved. */
static uint64_t sweep(sweeper *k, uint64_t work, double deadline)
{
  enum { TAKEN = 128 };
  any_sim *s = k->s;
  uint64_t before = s->total, end = s->work + work;
  for (uint64_t a = 0; a + 2 < s->p->length && s->work < end && clock_seconds() < deadline;) {
    uint64_t from = s->work;
    k->saved = k->length = k->tried = 0;
    try_items(k, (uint32_t)a);
    if (k->saved > 0)
      keep_best(k, (uint32_t)a);
    if (is_hopeless(k, a, before))
      return 0;
    a += k->saved > 0 ? k->length : 1 + (s->work - from) / TAKEN;
  }
  return before - s->total;
}

uint64_t any_weave_sweeps(any_sim *s, bool whole, uint64_t best, uint64_t work, double deadline)
{
  any_weaver w;
  uint32_t start[ANY_BLOCKS + 2];
  sweeper k = { .s = s, .w = &w, .start = start, .most = longest_stretch(s->p), .best = best, .whole = whole };
  k.order = MEM_NEW(uint32_t, k.most);
  any_weaver_init(&w, s->p);
  uint64_t end = s->work + work, saved = 1;
  while (saved > 0 && s->work < end && clock_seconds() < deadline) {
    saved = sweep(&k, end - s->work, deadline);
    if (k.kept)
      any_sim_set(s, s->order);
    k.kept = false;
  }
  any_weaver_clear(&w);
  mem_free(k.order);
  return s->total;
}
