/* The least excess of a piece (excess.h): positions in the order of the excess they are reached by, plain loops over
   sets. */
#include "bounds/check/graph/excess.h"
#include "base/mem.h"
#include <string.h>

typedef excess_set set;
typedef excess_piece piece;

typedef struct {
  set done, held, clean; /* clean: of those held, the ones that are given up for 1 */
} position;

typedef struct {
  uint32_t *at;
  size_t n, room;
} stack;

typedef struct {
  const piece *p;
  int m;
  bool sliding, full;
  uint32_t limit;         /* only ways of less are followed */
  uint64_t most;          /* positions that may be met */
  size_t each;            /* words in use of a set */
  uint64_t *key;          /* of each position: its three sets */
  uint32_t *least, *slot; /* the least excess it was reached by; slot: number + 1 */
  size_t n, key_room, least_room, slots;
  stack *open;            /* by excess; what was reached by less since is there, too */
  size_t opens, open_room;
} search;

/* ---- sets ---- */

static bool has(const set *s, int v) { return s->w[v / 64] >> v % 64 & 1; }
static void put(set *s, int v) { s->w[v / 64] |= UINT64_C(1) << v % 64; }
static void take(set *s, int v) { s->w[v / 64] &= ~(UINT64_C(1) << v % 64); }

static bool within(const piece *p, const set *a, const set *b)
{
  uint64_t beyond = 0;
  for (int i = 0; i < p->words; i++)
    beyond |= a->w[i] & ~b->w[i];
  return !beyond;
}

/* The least element from v on, or MEMBERS. */
static int next_of(const piece *p, const set *s, int v)
{
  for (int i = v / 64; i < p->words; i++) {
    uint64_t w = i == v / 64 ? s->w[i] >> v % 64 << v % 64 : s->w[i];
    if (w)
      return 64 * i + __builtin_ctzll(w);
  }
  return EXCESS_MEMBERS;
}

#define EACH(v, s, p) (int v = next_of(p, s, 0); v < EXCESS_MEMBERS; v = next_of(p, s, v + 1))

static int size(const piece *p, const set *s)
{
  int n = 0;
  for EACH (v, s, p)
    n++;
  return n;
}

/* ---- positions ---- */

static void pack(const search *k, const position *p, uint64_t *key)
{
  size_t bytes = k->each * sizeof *key;
  memcpy(key, p->done.w, bytes);
  memcpy(key + k->each, p->held.w, bytes);
  memcpy(key + 2 * k->each, p->clean.w, bytes);
}

static const uint64_t *key_of(const search *k, size_t i) { return k->key + i * 3 * k->each; }

static position unpack(const search *k, const uint64_t *key)
{
  size_t bytes = k->each * sizeof *key;
  position p = { 0 };
  memcpy(p.done.w, key, bytes);
  memcpy(p.held.w, key + k->each, bytes);
  memcpy(p.clean.w, key + 2 * k->each, bytes);
  return p;
}

/* By what is done and held: positions that agree in it may be compared. */
static size_t slot_of(const search *k, const uint64_t *key)
{
  uint64_t h = 0;
  for (size_t i = 0; i < 2 * k->each; i++) {
    h = (h ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return h & (k->slots - 1);
}

static void widen(search *k)
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
static bool find(const search *k, const uint64_t *key, uint32_t excess, size_t *at)
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

static uint32_t add(search *k, const uint64_t *key, size_t at)
{
  size_t bytes = 3 * k->each * sizeof *key;
  k->key = mem_room(k->key, k->n, &k->key_room, bytes);
  k->least = mem_room(k->least, k->n, &k->least_room, sizeof *k->least);
  memcpy(k->key + k->n * 3 * k->each, key, bytes);
  k->slot[at] = (uint32_t)++k->n;
  return (uint32_t)k->n - 1;
}

static void open_at(search *k, uint32_t excess, uint32_t i)
{
  for (; k->opens <= excess; k->opens++) {
    k->open = mem_room(k->open, k->opens, &k->open_room, sizeof *k->open);
    k->open[k->opens] = (stack){ 0 };
  }
  stack *s = &k->open[excess];
  s->at = mem_room(s->at, s->n, &s->room, sizeof *s->at);
  s->at[s->n++] = i;
}

static void enter(search *k, const position *p, uint32_t excess)
{
  uint64_t key[3 * EXCESS_WORDS];
  size_t at;
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
  open_at(k, excess, i);
}

/* ---- steps ---- */

static uint32_t cost(const set *clean, int v) { return has(clean, v) ? 1 : 2; }

static void let_go(position *at, int v)
{
  take(&at->held, v);
  take(&at->clean, v);
}

/* What no step reads after x, which is done: x among them, if it is not of the piece. */
static set last_read(const piece *p, const set *done, int x)
{
  set last = { { 0 } };
  for EACH (v, &p->reads[x], p)
    if (within(p, &p->readers[v], done))
      put(&last, v);
  if (within(p, &p->readers[x], done))
    put(&last, x);
  return last;
}

/* Step x, what it reads held and enough given up. */
static void finish(search *k, const position *before, int x, uint32_t excess)
{
  position to = *before;
  put(&to.done, x);
  put(&to.held, x);
  if (has(&k->p->outputs, x))
    put(&to.clean, x);
  set last = last_read(k->p, &to.done, x);
  for EACH (v, &last, k->p)
    let_go(&to, v);
  enter(k, &to, excess);
}

/* Give up `count` more of the words from v on that x does not read, in every way. */
static void give_up(search *k, const position *before, int x, int v, int count, uint32_t excess)
{
  if (count <= 0) {
    finish(k, before, x, excess);
    return;
  }
  for (v = next_of(k->p, &before->held, v); v < EXCESS_MEMBERS; v = next_of(k->p, &before->held, v + 1)) {
    uint32_t then = excess + cost(&before->clean, v);
    if (has(&k->p->reads[x], v) || then + (uint32_t)count - 1 >= k->limit)
      continue;
    position without = *before;
    let_go(&without, v);
    give_up(k, &without, x, v + 1, count - 1, then);
  }
}

/* What x reads is held: it was given up before, or is an input, or is held already. */
static position reading(const piece *p, const position *from, int x)
{
  position to = *from;
  for EACH (v, &p->reads[x], p)
    if (!has(&to.held, v)) {
      put(&to.held, v);
      put(&to.clean, v);
    }
  return to;
}

/* How many words are to be given up for step x; *takes: it takes the pebble of a word that nothing of V needs. */
static int too_many(const search *k, const position *before, int x, bool *takes)
{
  const piece *p = k->p;
  set done = before->done;
  put(&done, x);
  set last = last_read(p, &done, x);
  take(&last, x);
  *takes = k->sliding && (p->beside[x] > 1 || next_of(p, &last, 0) < EXCESS_MEMBERS);
  return size(p, &before->held) + p->beside[x] - *takes - k->m;
}

static void step(search *k, const position *from, int x, uint32_t excess)
{
  const piece *p = k->p;
  bool takes;
  position before = reading(p, from, x);
  int count = too_many(k, &before, x, &takes);
  give_up(k, &before, x, 0, count, excess);
  if (!k->sliding || takes || count <= 0)
    return;
  for EACH (u, &p->reads[x], p) {     /* on the pebble of a word that is read again */
    uint32_t then = excess + cost(&before.clean, u);
    position without = before;
    let_go(&without, u);
    if (then < k->limit)
      give_up(k, &without, x, 0, count - 1, then);
  }
}

static bool ready(const piece *p, const position *from, int x)
{
  return !has(&from->done, x) && within(p, &p->reads[x], &from->done);
}

/* Is nothing lost by step x now, whatever comes later?  Nothing is given up for it, what it loads it reads last, and
   its word either is not kept or costs no more than those it stands for, which it reads last. */
static bool loses_nothing(const search *k, const position *from, int x)
{
  const piece *p = k->p;
  bool takes;
  uint32_t lets = 0;
  position before = reading(p, from, x);
  put(&before.done, x);
  set last = last_read(p, &before.done, x);
  for EACH (v, &p->reads[x], p)
    if (!has(&from->held, v) && !has(&last, v))
      return false;
    else if (has(&from->held, v) && has(&last, v))
      lets += cost(&from->clean, v);
  return too_many(k, &before, x, &takes) <= 0 && (has(&last, x) || cost(&p->outputs, x) <= lets);
}

static void expand(search *k, const position *from, uint32_t excess)
{
  for (int x = 0; x < k->p->n; x++)
    if (ready(k->p, from, x) && loses_nothing(k, from, x)) {
      step(k, from, x, excess);
      return;
    }
  for (int x = 0; x < k->p->n; x++)
    if (ready(k->p, from, x))
      step(k, from, x, excess);
}

/* Take out the next position of this excess. */
static bool take_open(search *k, uint32_t excess, position *p)
{
  stack *s = &k->open[excess];
  while (s->n > 0) {
    uint32_t i = s->at[--s->n];
    if (k->least[i] != excess)
      continue;
    *p = unpack(k, key_of(k, i));
    return true;
  }
  return false;
}

static excess_answer run(search *k, uint32_t *least)
{
  position at = { .done = k->p->inputs };
  int steps = k->p->n;
  enter(k, &at, 0);
  for (*least = 0; *least < k->opens; ++*least)
    while (take_open(k, *least, &at)) {
      if (size(k->p, &at.done) == steps)
        return EXCESS_KNOWN;
      expand(k, &at, *least);
      if (k->full)
        return EXCESS_GAVE_UP;
    }
  *least = k->limit;
  return EXCESS_LIMIT;
}

excess_answer excess_least(const excess_piece *p, uint64_t m, bool sliding, uint32_t limit, uint64_t *positions,
                           uint32_t *least)
{
  search k = { .p = p, .m = m < INT32_MAX / 2 ? (int)m : INT32_MAX / 2, .sliding = sliding, .limit = limit,
               .most = *positions < UINT32_MAX - 1 ? *positions : UINT32_MAX - 1, .each = (size_t)p->words };
  excess_answer a = run(&k, least);
  *positions -= k.n;
  for (size_t i = 0; i < k.opens; i++)
    mem_free(k.open[i].at);
  mem_free(k.open);
  mem_free(k.key);
  mem_free(k.least);
  mem_free(k.slot);
  return a;
}

/* ---- the piece ---- */

static bool add_member(piece *p, uint32_t v, uint32_t *number)
{
  if (number[v])
    return true;
  if (p->n == EXCESS_MEMBERS)
    return false;
  p->vertex[p->n] = v;
  number[v] = (uint32_t)++p->n;
  return true;
}

static bool add_members(piece *p, const cdag_graph *g, const uint8_t *weight, const uint32_t *vertex, size_t n,
                        uint32_t *number)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  bool room = true;
  for (size_t i = 0; i < n && room; i++)
    room = add_member(p, vertex[i], number);
  p->own = p->n;
  for (int i = 0; i < p->own; i++)
    for (uint64_t e = succ->at[p->vertex[i]]; e < succ->at[p->vertex[i] + 1] && room; e++)
      room = !weight[succ->to[e]] || add_member(p, succ->to[e], number);
  return room;
}

static void connect(piece *p, const cdag_graph *g, const uint8_t *weight, const uint32_t *number, int x)
{
  uint32_t v = p->vertex[x];
  p->beside[x] = 1;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
    int u = (int)number[g->pred[e]] - 1;
    if (u >= 0 && u < p->own) {
      put(&p->reads[x], u);
      put(&p->readers[u], x);
    } else
      p->beside[x]++;
  }
  if (x < p->own && cdag_graph_is_input(g, v))
    put(&p->inputs, x);
  else if (x < p->own && weight[v] == 1)
    put(&p->outputs, x);
}

bool excess_piece_init(excess_piece *p, const cdag_graph *g, const uint8_t *weight, const uint32_t *vertex, size_t n,
                       uint32_t *number)
{
  memset(p, 0, sizeof *p);
  bool room = add_members(p, g, weight, vertex, n, number);
  for (int x = 0; x < p->n && room; x++)
    connect(p, g, weight, number, x);
  for (int x = 0; x < p->n; x++)
    number[p->vertex[x]] = 0;
  p->words = (p->n + 63) / 64;
  return room;
}
