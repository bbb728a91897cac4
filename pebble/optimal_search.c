/* optimal_search.c -- A* and beam search over the positions of a game.

   Hart, Nilsson and Raphael (1968), with integer costs: one stack of open positions for each value of cost + bound,
   the lowest value first, the newest position first.  A position reached more cheaply is opened again, so an
   inconsistent bound costs time and not truth; the lowest value still open is a proved lower bound at every moment. */
#include "base/mem.h"
#include "pebble/optimal_internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOK = 256 };

double optimal_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* True when the time is over.  Speaks about once a second. */
static bool watch_over(optimal_watch *watch, const optimal_result *r, uint64_t states)
{
  double now = optimal_clock();
  const pebble_optimal_limits *l = watch->limits;
  if (l && l->progress && now >= watch->next_word) {
    watch->next_word = now + 1;
    l->progress(l->context, watch->lower + r->lower, watch->upper + r->upper, states);
  }
  return watch->deadline > 0 && now >= watch->deadline;
}

/* ---- stacks of open positions ---- */

typedef struct {
  uint32_t *at;
  size_t n, room;
} stack;

typedef struct {
  optimal_game *game;
  optimal_store store;
  stack *open;                /* by cost + bound, or by depth */
  uint32_t opens;
  uint32_t limit;             /* only positions with cost + bound below this are of interest */
  uint32_t parent, cost;      /* of the position being expanded */
  uint32_t goal;              /* OPTIMAL_NONE until met */
  bool full;                  /* the store took no more */
} search;

static void push(search *s, uint32_t level, uint32_t i)
{
  stack *k = &s->open[level];
  size_t before = k->room;
  if (k->n == before && s->store.bytes + (before + 8) * sizeof *k->at > s->store.limit) {
    s->full = true;
    return;
  }
  k->at = mem_room(k->at, k->n, &k->room, sizeof *k->at);
  s->store.bytes += (k->room - before) * sizeof *k->at;
  k->at[k->n++] = i;
}

static void drop_stack(search *s, uint32_t level)
{
  s->store.bytes -= s->open[level].room * sizeof *s->open[level].at;
  mem_free(s->open[level].at);
  s->open[level] = (stack){ 0 };
}

static void search_init(search *s, optimal_game *game, uint32_t opens, uint32_t limit, uint64_t bytes)
{
  *s = (search){ .game = game, .opens = opens, .limit = limit, .parent = OPTIMAL_NONE, .goal = OPTIMAL_NONE };
  optimal_store_init(&s->store, game, bytes);
  s->open = MEM_NEW(stack, opens);
}

static void search_clear(search *s)
{
  for (uint32_t i = 0; i < s->opens; i++)
    mem_free(s->open[i].at);
  mem_free(s->open);
  optimal_store_clear(&s->store);
}

/* Enter a successor: its number, or OPTIMAL_NONE when it brings nothing new. */
static uint32_t enter(search *s, const uint64_t *key, uint32_t cost)
{
  bool dominated;
  if (cost >= s->limit || s->full)
    return OPTIMAL_NONE;
  uint32_t i = optimal_find(&s->store, s->game, key, cost, &dominated), bound;
  if (dominated)
    return OPTIMAL_NONE;
  if (i != OPTIMAL_NONE) {
    bound = optimal_node_of(&s->store, i)->bound;
    if (cost + bound >= s->limit)
      return OPTIMAL_NONE;
  } else {
    bound = s->game->bound(s->game, key);
    if (bound == OPTIMAL_HOPELESS || cost + bound >= s->limit)
      return OPTIMAL_NONE;
    i = optimal_add(&s->store, key);
    s->full = i == OPTIMAL_NONE;
    if (s->full)
      return OPTIMAL_NONE;
  }
  *optimal_node_of(&s->store, i) = (optimal_node){ s->parent, (uint16_t)cost, (uint16_t)bound };
  return i;
}

/* Put a newly entered position on its stack; the goal lowers the limit. */
static void open_at(search *s, uint32_t level, uint32_t i)
{
  const optimal_node *node = optimal_node_of(&s->store, i);
  push(s, level, i);
  if (node->bound == 0) {
    s->goal = i;
    s->limit = node->cost;
  }
}

static void expand(search *s, uint32_t i, optimal_emit emit)
{
  optimal_node *node = optimal_node_of(&s->store, i);
  s->parent = i;
  s->cost = node->cost & OPTIMAL_COST;
  node->cost |= OPTIMAL_EXPANDED;
  s->game->spare = s->limit - 1 - s->cost - node->bound;
  s->game->expand(s->game, optimal_key(&s->store, i), emit, s);
}

/* ---- the pebbling that leads to a position ---- */

typedef struct {
  const uint64_t *key;        /* the successor looked for */
  uint32_t cost;              /* of the cheapest way met so far */
  int words;
  const pebble_trace *moves;
  pebble_trace *trace;
  size_t from;                /* its moves begin here in trace */
} step;

static void match(void *context, const uint64_t *key, uint32_t cost)
{
  step *k = context;
  if (cost >= k->cost || memcmp(key, k->key, (size_t)k->words * sizeof *key) != 0)
    return;
  k->cost = cost;
  k->trace->n = k->from;
  for (size_t i = 0; i < k->moves->n; i++) {
    pebble_trace_add(k->trace, k->moves->step[i].kind, k->moves->step[i].vertex);
    k->trace->step[k->trace->n - 1] = k->moves->step[i];
  }
}

/* Expand each position of the path again, with its moves written down. */
static void write_path(search *s, uint32_t goal, pebble_trace *trace)
{
  pebble_trace moves = { 0 };
  stack path = { 0 };
  for (uint32_t i = goal; i != OPTIMAL_NONE; i = optimal_node_of(&s->store, i)->parent) {
    path.at = mem_room(path.at, path.n, &path.room, sizeof *path.at);
    path.at[path.n++] = i;
  }
  trace->n = 0;
  s->game->record = &moves;
  s->game->spare = UINT32_MAX;
  for (size_t j = path.n - 1; j-- > 0;) {
    step k = { optimal_key(&s->store, path.at[j]), UINT32_MAX, s->game->words, &moves, trace, trace->n };
    moves.n = 0;
    s->game->expand(s->game, optimal_key(&s->store, path.at[j + 1]), match, &k);
    assert(k.cost != UINT32_MAX);
  }
  s->game->record = NULL;
  pebble_trace_clear(&moves);
  mem_free(path.at);
}

static void found(search *s, uint32_t goal, optimal_result *r)
{
  r->upper = optimal_node_of(&s->store, goal)->cost & OPTIMAL_COST;
  write_path(s, goal, &r->trace);
}

static void begin(search *s, optimal_emit emit)
{
  uint64_t key[OPTIMAL_KEY];
  s->game->start(s->game, key);
  emit(s, key, 0);
}

/* ---- A* ---- */

static void astar_emit(void *context, const uint64_t *key, uint32_t cost)
{
  search *s = context;
  uint32_t i = enter(s, key, s->cost + cost);
  if (i != OPTIMAL_NONE)
    open_at(s, s->cost + cost + optimal_node_of(&s->store, i)->bound, i);
}

/* Expand all of level f.  False when a limit stopped it. */
static bool astar_level(search *s, uint32_t f, optimal_watch *watch, const optimal_result *r)
{
  stack *k = &s->open[f];
  for (uint32_t count = 0; k->n && f < s->limit; count++) {
    uint32_t i = k->at[--k->n];
    const optimal_node *node = optimal_node_of(&s->store, i);
    if (node->cost & OPTIMAL_EXPANDED || (uint32_t)node->cost + node->bound < f)
      continue;
    expand(s, i, astar_emit);
    if (s->full || (count % LOOK == 0 && watch_over(watch, r, s->store.n)))
      return false;
  }
  drop_stack(s, f);
  return true;
}

void optimal_astar(optimal_game *game, uint64_t bytes, optimal_watch *watch, optimal_result *r)
{
  search s;
  search_init(&s, game, r->upper + 1, r->upper, bytes);
  begin(&s, astar_emit);
  for (uint32_t f = 0; f < s.limit && !r->gave_up; f++) {
    if (f > r->lower)
      r->lower = f;
    r->gave_up = !astar_level(&s, f, watch, r);
  }
  if (s.goal != OPTIMAL_NONE)
    found(&s, s.goal, r);
  if (!r->gave_up)
    r->lower = r->upper;
  r->states += s.store.n;
  search_clear(&s);
}

/* ---- beam ---- */

static void beam_emit(void *context, const uint64_t *key, uint32_t cost)
{
  search *s = context;
  uint32_t i = enter(s, key, s->cost + cost);
  if (i != OPTIMAL_NONE)
    open_at(s, s->game->depth(s->game, key), i);
}

static uint32_t total(const search *s, uint32_t i)
{
  const optimal_node *node = optimal_node_of(&s->store, i);
  return (uint32_t)(node->cost & OPTIMAL_COST) + node->bound;
}

/* The cost + bound up to which positions of this depth are kept: at least `width` of them, if there are. */
static uint32_t threshold(const search *s, const stack *k, uint32_t width)
{
  uint32_t *count = MEM_NEW(uint32_t, OPTIMAL_COST + 1), at = 0, kept = 0;
  for (size_t j = 0; j < k->n; j++)
    count[total(s, k->at[j])]++;
  while (at < OPTIMAL_COST && (kept += count[at]) < width)
    at++;
  mem_free(count);
  return at;
}

static bool beam_layer(search *s, uint32_t d, uint32_t width, optimal_watch *watch, const optimal_result *r)
{
  stack *k = &s->open[d];
  uint32_t most = threshold(s, k, width), kept = 0;
  for (uint32_t f = 0; f <= most && kept < width; f++)
    for (size_t j = k->n; j-- > 0 && kept < width;) {
      uint32_t i = k->at[j];
      if (total(s, i) != f || f >= s->limit || optimal_node_of(&s->store, i)->cost & OPTIMAL_EXPANDED)
        continue;
      expand(s, i, beam_emit);
      if (s->full || (++kept % LOOK == 0 && watch_over(watch, r, s->store.n)))
        return false;
    }
  return true;
}

void optimal_beam(optimal_game *game, uint32_t width, uint64_t bytes, optimal_watch *watch, optimal_result *r)
{
  search s;
  search_init(&s, game, game->depths, r->upper, bytes);
  begin(&s, beam_emit);
  for (uint32_t d = 0; d < s.opens && beam_layer(&s, d, width, watch, r); d++)
    drop_stack(&s, d);
  if (s.goal != OPTIMAL_NONE)
    found(&s, s.goal, r);
  r->states += s.store.n;
  search_clear(&s);
}
