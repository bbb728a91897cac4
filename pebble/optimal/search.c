/* pebble/optimal/search.c -- A* and beam search over the positions of a game.

   Hart, Nilsson and Raphael (1968), with integer costs: one stack of open positions for each value of cost + bound,
   the lowest value first, the newest position first.  A position reached more cheaply is opened again, and none is
   put below the value being worked on, so an inconsistent bound costs time and not truth; the lowest value still open
   is a proved lower bound at every moment. */
#include "base/crew.h"
#include "base/mem.h"
#include "pebble/optimal/internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 2048, BATCH = 1 << 13 }; /* successors between two looks at the clock, and looked up together at most */

bool optimal_is_over(optimal_watch *watch, const optimal_result *r, uint64_t states)
{
  double now = clock_seconds();
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

typedef struct search search;
typedef struct share share;
struct search {
  optimal_game *game;
  optimal_store store;
  stack *open;                /* by cost + bound, or by depth */
  uint32_t opens;
  uint32_t limit;             /* only positions with cost + bound below this are of interest */
  uint32_t parent, cost;      /* of the position being expanded */
  uint32_t least;             /* A*: the cost + bound all that is still open is known to come to */
  uint32_t goal;              /* OPTIMAL_NONE until met */
  uint64_t *batch;            /* successors of the position being expanded: keys, each followed by its cost */
  size_t batched, batch_room;
  optimal_watch *watch;
  const optimal_result *result;   /* so far, for the watch */
  uint32_t unwatched;         /* successors since the last look at the clock */
  uint32_t (*level)(const struct search *s, const uint64_t *key, uint32_t i); /* the stack to put a position on */
  bool full;                  /* the store took no more */
  bool over;                  /* the time is */
  share *share;               /* of positions expanded beside each other; NULL: none yet */
  crew *crew;
};

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
  game->stop = false;
  optimal_store_init(&s->store, game, bytes);
  s->open = MEM_NEW(stack, opens);
}

static void drop_shares(search *s);

static void search_clear(search *s)
{
  drop_shares(s);
  for (uint32_t i = 0; i < s->opens; i++)
    mem_free(s->open[i].at);
  mem_free(s->open);
  mem_free(s->batch);
  optimal_store_clear(&s->store);
}

/* Does a successor bring something new?  *i: its number, if it was met before. */
static bool promising(const search *s, const uint64_t *key, uint32_t cost, uint32_t *i, uint32_t *bound)
{
  bool dominated;
  if (cost >= s->limit)
    return false;
  *i = optimal_find(&s->store, s->game, key, cost, &dominated);
  if (dominated)
    return false;
  *bound = *i != OPTIMAL_NONE ? optimal_node_of(&s->store, *i)->bound : s->game->bound(s->game, key);
  return *bound != OPTIMAL_HOPELESS && cost + *bound < s->limit;
}

/* The number of what is entered, or OPTIMAL_NONE. */
static uint32_t keep(search *s, const uint64_t *key, uint32_t i, optimal_node node)
{
  if (i == OPTIMAL_NONE)
    i = optimal_add(&s->store, key);
  s->full = i == OPTIMAL_NONE;
  if (!s->full)
    *optimal_node_of(&s->store, i) = node;
  return i;
}

/* Enter a successor: its number, or OPTIMAL_NONE when it brings nothing new. */
static uint32_t enter(search *s, const uint64_t *key, uint32_t cost)
{
  uint32_t i, bound;
  if (s->full || !promising(s, key, cost, &i, &bound))
    return OPTIMAL_NONE;
  return keep(s, key, i, (optimal_node){ s->parent, (uint16_t)cost, (uint16_t)bound });
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

static uint64_t *batch_at(const search *s, size_t i) { return s->batch + i * (size_t)(s->game->words + 1); }

static void enter_all(search *s)
{
  for (size_t j = 0; j < s->batched; j++)
    optimal_expect_key(&s->store, batch_at(s, j));
  for (size_t j = 0; j < s->batched; j++) {
    const uint64_t *key = batch_at(s, j);
    uint32_t i = enter(s, key, s->cost + (uint32_t)key[s->game->words]);
    if (i != OPTIMAL_NONE)
      open_at(s, s->level(s, key, i), i);
  }
  s->batched = 0;
}

/* Now and then, also in the midst of an expansion: there may be millions of successors. */
static void look(search *s, uint32_t successors)
{
  s->unwatched += successors;
  if (s->unwatched >= LOOK) {
    s->unwatched = 0;
    s->over = optimal_is_over(s->watch, s->result, s->store.n);
  }
  s->game->stop = s->full || s->over;
}

/* Successors are first gathered, then looked up together. */
static void gather(void *context, const uint64_t *key, uint32_t cost)
{
  search *s = context;
  size_t words = (size_t)s->game->words;
  if (s->batched == BATCH)
    enter_all(s);
  look(s, 1);
  if (s->cost + cost >= s->limit || s->game->stop)
    return;
  s->batch = mem_room(s->batch, s->batched, &s->batch_room, (words + 1) * sizeof *key);
  uint64_t *entry = batch_at(s, s->batched++);
  memcpy(entry, key, words * sizeof *key);
  entry[words] = cost;
  if (s->game->canonical)
    s->game->canonical(s->game, entry, NULL);
  optimal_expect_slot(&s->store, entry);
}

static void begin(search *s)
{
  uint64_t key[OPTIMAL_KEY];
  s->game->start(s->game, key);
  gather(s, key, 0);
  enter_all(s);
}

/* False when a limit stopped the search. */
static bool expand(search *s, uint32_t i)
{
  optimal_node *node = optimal_node_of(&s->store, i);
  s->parent = i;
  s->cost = node->cost & OPTIMAL_COST;
  node->cost |= OPTIMAL_EXPANDED;
  s->game->spare = s->limit - 1 - s->cost - node->bound;
  s->game->expand(s->game, optimal_key(&s->store, i), gather, s);
  enter_all(s);
  look(s, 1);
  return !s->game->stop;
}

/* ---- both cores ---- */

/* Positions that are expanded beside others, while nothing is entered: their successors are looked up and bounded where
   they are found, and entered when all shares are done, in the same order always. */
enum { SHARES = 16, POSITIONS = 16, SIFTED = 64, ENTRIES = 8 * SIFTED, SIFTS = 256, ALONE = 1 << 10 };
struct share {
  const search *s;
  optimal_game *game;         /* a copy: what it is told to spare, and to stop, is this share's */
  uint32_t position[POSITIONS], positions;
  uint32_t done;              /* so many are expanded; one with too many successors is left */
  optimal_node from;          /* the position being expanded */
  uint64_t *entry;            /* keys, each followed by its node */
  size_t entries, kept;       /* those kept are looked up */
  int sifted;                 /* how often: none looks at the clock meanwhile */
};

static uint64_t *entry_at(const share *h, size_t i) { return h->entry + i * (size_t)(h->game->words + 1); }

/* Those that bring something new are kept. */
static void sift(share *h)
{
  size_t words = (size_t)h->game->words, i = h->kept;
  for (size_t j = i; j < h->entries; j++)
    optimal_expect_key(&h->s->store, entry_at(h, j));
  for (; i < h->entries; i++) {
    uint64_t *entry = entry_at(h, i);
    optimal_node *node = (optimal_node *)(entry + words);
    uint32_t number, bound;
    if (!promising(h->s, entry, node->cost, &number, &bound))
      continue;
    node->bound = (uint16_t)bound;
    memmove(entry_at(h, h->kept++), entry, (words + 1) * sizeof *entry);
  }
  h->entries = h->kept;
}

static void gather_beside(void *context, const uint64_t *key, uint32_t cost)
{
  share *h = context;
  size_t words = (size_t)h->game->words;
  if (h->from.cost + cost >= h->s->limit || h->game->stop)
    return;
  uint64_t *entry = entry_at(h, h->entries++);
  memcpy(entry, key, words * sizeof *key);
  *(optimal_node *)(entry + words) = (optimal_node){ h->from.parent, (uint16_t)(h->from.cost + cost), 0 };
  if (h->game->canonical)
    h->game->canonical(h->game, entry, NULL);
  optimal_expect_slot(&h->s->store, entry);
  if (h->entries - h->kept == SIFTED) {
    sift(h);
    h->game->stop = h->kept + SIFTED > ENTRIES || ++h->sifted == SIFTS;
  }
}

static void expand_share(void *context, size_t i)
{
  share *h = (share *)context + i;
  for (h->done = 0; h->done < h->positions && !h->game->stop; h->done += !h->game->stop) {
    const optimal_node *node = optimal_node_of(&h->s->store, h->position[h->done]);
    h->from = (optimal_node){ h->position[h->done], node->cost & OPTIMAL_COST, 0 };
    h->game->spare = h->s->limit - 1 - h->from.cost - node->bound;
    h->game->expand(h->game, optimal_key(&h->s->store, h->position[h->done]), gather_beside, h);
  }
  sift(h);
}

static void share_out(search *s)
{
  s->crew = crew_new();
  s->share = MEM_NEW(share, SHARES);
  for (int i = 0; i < SHARES; i++) {
    share *h = &s->share[i];
    *h = (share){ .s = s, .game = mem_new(1, s->game->size) };
    memcpy(h->game, s->game, s->game->size);
    h->entry = MEM_NEW(uint64_t, ENTRIES * (size_t)(s->game->words + 1));
  }
}

static void drop_shares(search *s)
{
  crew_free(s->crew);
  for (int i = 0; s->share && i < SHARES; i++) {
    mem_free(s->share[i].game);
    mem_free(s->share[i].entry);
  }
  mem_free(s->share);
}

/* The next positions of a stack, at most so many. */
static void fill(search *s, stack *k, share *h, size_t most)
{
  h->positions = 0;
  h->entries = h->kept = 0;
  h->sifted = 0;
  h->game->stop = false;
  while (k->n && h->positions < most) {
    uint32_t i = k->at[--k->n];
    optimal_node *node = optimal_node_of(&s->store, i);
    if (!(node->cost & OPTIMAL_EXPANDED))
      h->position[h->positions++] = i;
    node->cost |= OPTIMAL_EXPANDED;
  }
}

static void enter_kept(search *s, const share *h)
{
  for (size_t j = 0; j < h->kept && !s->full; j++) {
    const uint64_t *key = entry_at(h, j);
    optimal_node node = *(const optimal_node *)(key + s->game->words);
    bool dominated;
    uint32_t i = optimal_find(&s->store, s->game, key, node.cost, &dominated);
    if (dominated || (uint32_t)node.cost + node.bound >= s->limit)
      continue;
    i = keep(s, key, i, node);
    if (i != OPTIMAL_NONE)
      open_at(s, s->level(s, key, i), i);
  }
}

/* Expand the next positions of a stack beside each other.  False when a limit stopped it. */
static bool expand_many(search *s, stack *k)
{
  if (!s->share)
    share_out(s);
  size_t each = k->n / SHARES < POSITIONS ? k->n / SHARES + 1 : POSITIONS;
  for (int i = 0; i < SHARES; i++)
    fill(s, k, &s->share[i], each);
  crew_each(s->crew, expand_share, s->share, SHARES);
  for (int i = 0; i < SHARES; i++) {
    const share *h = &s->share[i];
    enter_kept(s, h);
    look(s, (uint32_t)h->kept + h->done);
    for (uint32_t j = h->done; j < h->positions && !s->game->stop; j++)
      expand(s, h->position[j]);
  }
  return !s->game->stop;
}

/* ---- the pebbling that leads to a position ---- */

typedef struct {
  const optimal_game *game;
  const uint64_t *key;        /* the successor looked for */
  uint32_t cost;              /* of the cheapest way met so far */
  const pebble_trace *moves;
  pebble_trace *trace;
  size_t from;                /* its moves begin here in trace */
  uint16_t *vertex;           /* which vertex goes by a name in the position expanded, */
  uint16_t *name;             /* the name it has in the successor, */
  uint16_t *scratch;
} step;

static uint32_t named(const step *k, uint32_t v) { return v == PEBBLE_NO_SLIDE ? v : k->vertex[v]; }

static void match(void *context, const uint64_t *raw, uint32_t cost)
{
  step *k = context;
  uint64_t key[OPTIMAL_KEY];
  size_t size = (size_t)k->game->words * sizeof *key;
  if (cost >= k->cost)
    return;
  memcpy(key, raw, size);
  for (uint32_t v = 0; v < k->game->vertices; v++)
    k->scratch[v] = (uint16_t)v;
  if (k->game->canonical)
    k->game->canonical(k->game, key, k->scratch);
  if (memcmp(key, k->key, size) != 0)
    return;
  k->cost = cost;
  memcpy(k->name, k->scratch, k->game->vertices * sizeof *k->name);
  k->trace->n = k->from;
  for (size_t i = 0; i < k->moves->n; i++) {
    pebble_trace_add(k->trace, k->moves->step[i].kind, named(k, k->moves->step[i].vertex));
    k->trace->step[k->trace->n - 1].slide = named(k, k->moves->step[i].slide);
  }
}

/* Expand `from` again, its moves written down, and append those that lead to k->key. */
static void write_step(optimal_game *game, const uint64_t *from, step *k)
{
  k->cost = UINT32_MAX;
  k->from = k->trace->n;
  game->expand(game, from, match, k);
  assert(k->cost != UINT32_MAX);
  for (uint32_t v = 0; v < game->vertices; v++)
    k->scratch[k->name[v]] = k->vertex[v];
  memcpy(k->vertex, k->scratch, game->vertices * sizeof *k->vertex);
}

void optimal_write(optimal_game *game, const uint64_t *const *key, size_t count, pebble_trace *trace)
{
  pebble_trace moves = { 0 };
  uint32_t n = game->vertices;
  uint16_t *names = MEM_NEW(uint16_t, 3 * (size_t)n);
  step k = {
    .game = game, .moves = &moves, .trace = trace, .vertex = names, .name = names + n, .scratch = names + 2 * n
  };
  for (uint32_t v = 0; v < n; v++)
    k.vertex[v] = (uint16_t)v;
  trace->n = 0;
  game->record = &moves;
  game->stop = false;
  game->spare = UINT32_MAX;
  for (size_t j = 1; j < count; j++) {
    k.key = key[j];
    write_step(game, key[j - 1], &k);
  }
  game->record = NULL;
  pebble_trace_clear(&moves);
  mem_free(names);
}

static void write_path(search *s, uint32_t goal, pebble_trace *trace)
{
  size_t count = 0;
  for (uint32_t i = goal; i != OPTIMAL_NONE; i = optimal_node_of(&s->store, i)->parent)
    count++;
  const uint64_t **key = mem_new(count, sizeof *key);
  for (uint32_t i = goal, at = (uint32_t)count; i != OPTIMAL_NONE; i = optimal_node_of(&s->store, i)->parent)
    key[--at] = optimal_key(&s->store, i);
  optimal_write(s->game, key, count, trace);
  mem_free(key);
}

static void found(search *s, uint32_t goal, optimal_result *r)
{
  r->upper = optimal_node_of(&s->store, goal)->cost & OPTIMAL_COST;
  write_path(s, goal, &r->trace);
}

/* ---- A* ---- */

/* A bound that falls along a way would put the position below, where nothing looks any more: it stays with the one it
 * was reached from. */
static uint32_t by_total(const search *s, const uint64_t *key, uint32_t i)
{
  const optimal_node *node = optimal_node_of(&s->store, i);
  uint32_t total = (uint32_t)node->cost + node->bound;
  (void)key;
  return total > s->least ? total : s->least;
}

/* Expand all of level f.  False when a limit stopped it. */
static bool astar_level(search *s, uint32_t f)
{
  stack *k = &s->open[f];
  s->least = f;
  while (k->n && f < s->limit) {
    if (s->store.n >= ALONE && k->n >= SHARES) {
      if (!expand_many(s, k))
        return false;
      continue;
    }
    uint32_t i = k->at[--k->n];
    if (optimal_node_of(&s->store, i)->cost & OPTIMAL_EXPANDED)
      continue;
    if (!expand(s, i))
      return false;
  }
  drop_stack(s, f);
  return true;
}

/* The positions of costs below the optimum; where it was found on the way, also those that it was too dear to go on
   from: others were left out because of them. */
static void list_positions(const search *s, pebble_optimal_list *list)
{
  size_t words = (size_t)s->game->words;
  list->words = s->game->words / 3;
  list->key = MEM_NEW(uint64_t, s->store.n * words);
  list->cost = MEM_NEW(uint32_t, s->store.n);
  for (uint32_t i = 0; i < s->store.n; i++) {
    const optimal_node *node = optimal_node_of(&s->store, i);
    uint32_t cost = node->cost & OPTIMAL_COST;
    if (s->goal == OPTIMAL_NONE && cost + node->bound >= s->limit)
      continue;
    memcpy(list->key + list->positions * words, optimal_key(&s->store, i), words * sizeof *list->key);
    list->cost[list->positions++] = cost;
  }
  s->game->explain(s->game, list);
  list->complete = true;
}

void optimal_astar(optimal_game *game, uint64_t bytes, optimal_watch *watch, optimal_result *r)
{
  search s;
  search_init(&s, game, r->upper + 1, r->upper, bytes);
  s.watch = watch, s.result = r, s.level = by_total;
  begin(&s);
  r->gave_up = s.full; /* not even the start */
  for (uint32_t f = 0; f < s.limit && !r->gave_up; f++) {
    if (f > r->lower)
      r->lower = f;
    r->gave_up = !astar_level(&s, f);
  }
  if (s.goal != OPTIMAL_NONE)
    found(&s, s.goal, r);
  if (!r->gave_up)
    r->lower = r->upper;
  if (!r->gave_up && r->list)
    list_positions(&s, r->list);
  r->full = s.full;
  r->states += s.store.n;
  search_clear(&s);
}

/* ---- beam ---- */

static uint32_t by_depth(const search *s, const uint64_t *key, uint32_t i)
{
  (void)i;
  return s->game->depth(s->game, key);
}

static uint32_t total(const search *s, uint32_t i)
{
  const optimal_node *node = optimal_node_of(&s->store, i);
  return (uint32_t)(node->cost & OPTIMAL_COST) + node->bound;
}

/* The cost + bound up to which positions of this depth are kept: at least `width` of them, if there are. */
static uint32_t threshold(const search *s, const stack *k, uint32_t width)
{
  uint32_t *count = MEM_NEW(uint32_t, s->limit), at = 0, kept = 0;
  for (size_t j = 0; j < k->n; j++)
    if (total(s, k->at[j]) < s->limit)
      count[total(s, k->at[j])]++;
  while (at + 1 < s->limit && (kept += count[at]) < width)
    at++;
  mem_free(count);
  return at;
}

static bool beam_layer(search *s, uint32_t d, uint32_t width)
{
  stack *k = &s->open[d];
  uint32_t most = threshold(s, k, width), kept = 0;
  for (uint32_t f = 0; f <= most && f < s->limit; f++)
    for (size_t j = k->n; j-- > 0 && kept < width && f < s->limit;) {
      uint32_t i = k->at[j];
      if (total(s, i) != f || optimal_node_of(&s->store, i)->cost & OPTIMAL_EXPANDED)
        continue;
      kept++;
      if (!expand(s, i))
        return false;
    }
  return true;
}

void optimal_beam(optimal_game *game, uint32_t width, uint64_t bytes, optimal_watch *watch, optimal_result *r)
{
  search s;
  search_init(&s, game, game->depths, r->upper, bytes);
  s.watch = watch, s.result = r, s.level = by_depth;
  begin(&s);
  for (uint32_t d = 0; d < s.opens && beam_layer(&s, d, width); d++)
    drop_stack(&s, d);
  if (s.goal != OPTIMAL_NONE)
    found(&s, s.goal, r);
  r->states += s.store.n;
  search_clear(&s);
}
