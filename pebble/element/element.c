/* element.c -- the element engine: the game played pebble by pebble (docs/game.md).

   Three rows of bits an array at most: red, blue, and computed when the game asks.  This file is the plain path: one
   element at a time, its predecessors asked from the rule, the rules of the game tried in the order of docs/game.md. */
#include "pebble/element/rule.h"
#include "base/mem.h"
#include "base/num.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the rows of bits ---- */

static void lay_out(element_array *a, const cdag_array *of, const int *order)
{
  int64_t stride = 1;
  a->base = 0;
  for (int i = of->rank; i-- > 0;) {
    int r = order ? order[i] : i;
    a->stride[r] = stride;
    a->base = (int64_t)((uint64_t)a->base - (uint64_t)stride * (uint64_t)of->hull.lo[r]);
    stride *= of->hull.hi[r] - of->hull.lo[r];
  }
}

/* Elements of the array's hull; false when they do not fit an address (2^40: half a gigabyte of page table a row). */
static bool hull_size(const cdag_array *of, uint64_t *size)
{
  int64_t n = 1;
  for (int r = 0; r < of->rank && n > 0; r++)
    /* unreachable: that the product overflows; an array whose hull has more than 2^63 elements is refused when it is
     * read */
    if (!num_mul(n, of->hull.hi[r] - of->hull.lo[r], &n) || n > INT64_C(1) << 40)
      return false;
  *size = (uint64_t)n;
  return true;
}

static void array_init(element_game *e, int i)
{
  element_array *a = &e->array[i];
  const cdag_array *of = &e->base.g->array[i];
  uint64_t size = 0;
  hull_size(of, &size);
  lay_out(a, of, NULL);
  pebble_bits_init(&a->red, size);
  pebble_bits_init(&a->blue, size);
  pebble_bits_init(&a->done, e->base.rules.one_shot ? size : 0);
  bool sources = e->base.g->graph != NULL || of->declared_input;
  a->inputs = !sources ? NO_INPUTS : of->terms == 0 && !e->base.g->graph ? ALL_INPUTS : SOME_INPUTS;
}

static bool starts_blue(const element_game *e, int array, const int64_t *x)
{
  const cdag *g = e->base.g;
  if (e->array[array].inputs != SOME_INPUTS)
    return e->array[array].inputs == ALL_INPUTS;
  return g->graph ? cdag_graph_is_input(g->graph, (uint32_t)x[0]) : cdag_is_input(g, array, x);
}

bool element_is_blue(const element_game *e, int array, const int64_t *x, uint64_t address)
{
  return pebble_bits_get(&e->array[array].blue, address) != starts_blue(e, array, x);
}

static void flip(pebble_bits *b, uint64_t address)
{
  if (pebble_bits_get(b, address))
    pebble_bits_unset(b, address);
  else
    pebble_bits_set(b, address);
}

void element_flip_blue(element_game *e, int array, uint64_t address) { flip(&e->array[array].blue, address); }

void element_put_red(element_game *e, int array, uint64_t address)
{
  pebble_bits_set(&e->array[array].red, address);
  e->base.red++;
  element_peak(e, e->base.red);
}

void element_take_red(element_game *e, int array, uint64_t address)
{
  pebble_bits_unset(&e->array[array].red, address);
  e->base.red--;
}

/* ---- predecessors ---- */

static void add_predecessor(element_game *e, const cdag_element *p)
{
  e->pred = mem_room(e->pred, e->preds, &e->pred_room, sizeof *e->pred);
  element_predecessor *q = &e->pred[e->preds++];
  q->at = *p;
  q->address = element_address(&e->array[p->array], p->x, e->base.g->array[p->array].rank);
}

static bool collect(void *context, const cdag_element *p, int term)
{
  (void)term;
  add_predecessor(context, p);
  return true;
}

static void gather_graph(element_game *e, uint32_t v)
{
  const cdag_graph *g = e->base.g->graph;
  cdag_element p = { 0 };
  for (uint64_t i = g->pred_at[v]; i < g->pred_at[v + 1]; i++) {
    p.x[0] = g->pred[i];
    add_predecessor(e, &p);
  }
}

static void gather(element_game *e, int array, const int64_t *x)
{
  e->preds = 0;
  if (e->base.g->graph)
    gather_graph(e, (uint32_t)x[0]);
  else
    cdag_each_predecessor(e->base.g, array, x, collect, e);
}

static bool in_box(const cdag_box *b, const int64_t *x, int rank)
{
  for (int r = 0; r < rank; r++)
    if (x[r] < b->lo[r] || x[r] >= b->hi[r])
      return false;
  return true;
}

bool element_is_dropped(const pebble_move *move, const cdag_element *p, int rank)
{
  for (int i = 0; i < move->drops; i++)
    if (move->drop[i].array == p->array && (move->drop[i].whole || in_box(&move->drop[i].box, p->x, rank)))
      return true;
  return false;
}

/* ---- elementary moves ---- */

static pebble_rule load(element_game *e, int array, const int64_t *x, uint64_t address)
{
  if (pebble_bits_get(&e->array[array].red, address))
    return PEBBLE_ALREADY_RED;
  if (!element_is_blue(e, array, x, address))
    return PEBBLE_NOT_BLUE;
  if (!element_room(e, 1))
    return PEBBLE_MEMORY;
  element_put_red(e, array, address);
  e->base.loads[array]++;
  e->base.verdict.loads++;
  return PEBBLE_LEGAL;
}

static pebble_rule store(element_game *e, int array, const int64_t *x, uint64_t address)
{
  if (!pebble_bits_get(&e->array[array].red, address))
    return PEBBLE_NOT_RED;
  if (element_is_blue(e, array, x, address))
    return PEBBLE_ALREADY_BLUE;
  element_flip_blue(e, array, address);
  e->base.stores[array]++;
  e->base.verdict.stores++;
  return PEBBLE_LEGAL;
}

static pebble_rule drop(element_game *e, int array, uint64_t address)
{
  if (!pebble_bits_get(&e->array[array].red, address))
    return PEBBLE_NOT_RED;
  element_take_red(e, array, address);
  return PEBBLE_LEGAL;
}

static pebble_rule erase(element_game *e, int array, const int64_t *x, uint64_t address)
{
  if (!element_is_blue(e, array, x, address))
    return PEBBLE_NOT_BLUE;
  element_flip_blue(e, array, address);
  return PEBBLE_LEGAL;
}

static int rank_of(const element_game *e, const cdag_element *p) { return e->base.g->array[p->array].rank; }

/* The first predecessor that is not red, or preds. */
static size_t first_missing(const element_game *e)
{
  size_t i = 0;
  while (i < e->preds && pebble_bits_get(&e->array[e->pred[i].at.array].red, e->pred[i].address))
    i++;
  return i;
}

/* The first predecessor that `dropping` removes, or preds. */
static size_t first_dropped(const element_game *e, const pebble_move *move)
{
  size_t i = 0;
  while (i < e->preds && !element_is_dropped(move, &e->pred[i].at, rank_of(e, &e->pred[i].at)))
    i++;
  return i;
}

/* All is well: the pebble appears, then the dropped ones go; sliding, the first of those makes room for it. */
static void place(element_game *e, const pebble_move *move, uint64_t address, size_t dropped)
{
  bool slides = dropped < e->preds && e->base.rules.variant == PEBBLE_SLIDING;
  if (slides)
    element_take_red(e, e->pred[dropped].at.array, e->pred[dropped].address);
  element_put_red(e, move->array, address);
  for (size_t i = dropped + slides; i < e->preds; i++)
    if (element_is_dropped(move, &e->pred[i].at, rank_of(e, &e->pred[i].at)))
      element_take_red(e, e->pred[i].at.array, e->pred[i].address);
}

static pebble_rule compute(element_game *e, const pebble_move *move, uint64_t address)
{
  element_array *a = &e->array[move->array];
  pebble_verdict *v = &e->base.verdict;
  if (e->preds == 0)
    return PEBBLE_INPUT;
  if (pebble_bits_get(&a->red, address))
    return PEBBLE_ALREADY_RED;
  if (e->base.rules.one_shot && pebble_bits_get(&a->done, address))
    return PEBBLE_RECOMPUTE;
  size_t missing = first_missing(e);
  if (missing < e->preds) {
    v->has_missing = true;
    v->missing = e->pred[missing].at;
    return PEBBLE_PREDECESSOR;
  }
  size_t dropped = first_dropped(e, move);
  if (!element_room(e, dropped < e->preds && e->base.rules.variant == PEBBLE_SLIDING ? 0 : 1))
    return PEBBLE_MEMORY;
  place(e, move, address, dropped);
  if (e->base.rules.one_shot)
    pebble_bits_set(&a->done, address);
  v->computes++;
  return PEBBLE_LEGAL;
}

static pebble_rule play_element(element_game *e, const pebble_move *move, const int64_t *x)
{
  uint64_t address = element_address(&e->array[move->array], x, e->base.g->array[move->array].rank);
  switch (move->kind) { /* unreachable: a kind beyond these */
  case PEBBLE_LOAD: return load(e, move->array, x, address);
  case PEBBLE_STORE: return store(e, move->array, x, address);
  case PEBBLE_DROP: return drop(e, move->array, address);
  case PEBBLE_ERASE: return erase(e, move->array, x, address);
  case PEBBLE_COMPUTE: break;
  }
  gather(e, move->array, x);
  return e->partial ? element_aggregate(e, move, x, address) : compute(e, move, address);
}

void element_broken(element_game *e, pebble_rule rule, int array, const int64_t *x)
{
  pebble_verdict *v = &e->base.verdict;
  v->legal = false;
  v->rule = rule;
  v->element.array = array;
  memcpy(v->element.x, x, sizeof *x * (size_t)e->base.g->array[array].rank);
  if (rule != PEBBLE_MEMORY)
    v->needed = 0;
}

/* ---- boxes ---- */

typedef struct { element_game *e; const pebble_move *move; } playing;

static bool play_run(void *context, const int64_t *from, int64_t hi_last)
{
  playing *p = context;
  element_game *e = p->e;
  int64_t x[CDAG_RANK] = { 0 };
  int rank = e->base.g->array[p->move->array].rank, last = rank - 1;
  memcpy(x, from, sizeof *x * (size_t)rank);
  do {
    if (e->skip > 0) {
      e->skip--;
      continue;
    }
    pebble_rule rule = play_element(e, p->move, x);
    if (rule != PEBBLE_LEGAL) {
      element_broken(e, rule, p->move->array, x);
      return false;
    }
    e->begun++;
    e->base.verdict.moves++;
  } while (++x[last] < hi_last);
  return true;
}

bool element_play_plain(element_game *e, const pebble_move *move)
{
  playing p = { e, move };
  cdag_each_run(e->base.g, move->array, &move->box, play_run, &p);
  return e->base.verdict.legal;
}

static bool element_play(pebble_game *game, const pebble_move *move)
{
  element_game *e = (element_game *)game;
  e->begun = 0;
  bool legal = element_play_point(e, move) ||
               (element_can_row(e, move) ? element_play_rows(e, move) : element_play_plain(e, move));
  if (legal)
    game->verdict.needed = 0;
  return legal;
}

static bool element_resume(pebble_game *game, const pebble_move *move)
{
  element_game *e = (element_game *)game;
  e->skip = e->begun;
  return element_play_plain(e, move);
}

void element_set_plain(pebble_game *game, bool plain) { ((element_game *)game)->plain = plain; }

static bool element_end(pebble_game *game)
{
  element_game *e = (element_game *)game;
  cdag_element first;
  if (element_missing_output(e, &first))
    element_broken(e, PEBBLE_OUTPUT, first.array, first.x);
  return game->verdict.legal;
}

/* ---- the frame ---- */

static bool element_is_red_at(const pebble_game *game, int array, const int64_t *x)
{
  const element_game *e = (const element_game *)game;
  return pebble_bits_get(&e->array[array].red, element_address(&e->array[array], x, game->g->array[array].rank));
}

static bool element_is_blue_at(const pebble_game *game, int array, const int64_t *x)
{
  const element_game *e = (const element_game *)game;
  return element_is_blue(e, array, x, element_address(&e->array[array], x, game->g->array[array].rank));
}

static void element_lay_out(pebble_game *game, int array, const int *order)
{
  lay_out(&((element_game *)game)->array[array], &game->g->array[array], order);
}

static void element_free(pebble_game *game)
{
  element_game *e = (element_game *)game;
  for (int i = 0; i < game->g->arrays; i++) {
    pebble_bits_clear(&e->array[i].red);
    pebble_bits_clear(&e->array[i].blue);
    pebble_bits_clear(&e->array[i].done);
  }
  element_partial_clear(e);
  element_rules_free(e->rules, game->g->arrays);
  mem_free(e->array);
  mem_free(e->pred);
  pebble_game_clear(game);
  mem_free(e);
}

static const pebble_engine_calls element_calls = { .play = element_play,
                                                   .end = element_end,
                                                   .is_red = element_is_red_at,
                                                   .is_blue = element_is_blue_at,
                                                   .free = element_free,
                                                   .lay_out = element_lay_out,
                                                   .resume = element_resume,
                                                   .play_steps = element_play_steps };

static status refuse(const cdag *g, int array, diag *d)
{
  return diag_set(d, GAVE_UP, "limit",
                  "array %s of %s has too many elements to be played one by one: use --engine tile",
                  g->array[array].name, g->name);
}

status pebble_element_new(pebble_game **game, const cdag *g, const pebble_rules *rules, diag *d)
{
  uint64_t size;
  for (int i = 0; i < g->arrays; i++)
    if (!hull_size(&g->array[i], &size))
      return refuse(g, i, d);
  element_game *e = MEM_NEW(element_game, 1);
  pebble_game_init(&e->base, &element_calls, g, rules);
  e->rules = element_rules_new(g);
  e->array = MEM_NEW(element_array, (size_t)g->arrays);
  for (int i = 0; i < g->arrays; i++)
    array_init(e, i);
  if (rules->variant == PEBBLE_PARTIAL)
    element_partial_init(e);
  *game = &e->base;
  return OK;
}
