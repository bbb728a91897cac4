/* tile.c -- the tile engine: the game of game.h played box by box (docs/tile-engine.md).

   A box is judged as a whole where that is exact; else its two halves in order are, down to single elements.  So a
   legal move costs a few comparisons however large its box, and an illegal one is pinned to its first bad element by
   bisection, with everything before it played. */
#include "base/mem.h"
#include "pebble/tile/internal.h"
#include <string.h>

static tile_game *tile_of(pebble_game *game) { return (tile_game *)game; }
static const tile_game *tile_in(const pebble_game *game) { return (const tile_game *)game; }

/* ---- halves ---- */

/* Cut b in two in lexicographic order; false for a single element. */
static bool halve(const cdag_box *b, int rank, cdag_box *first, cdag_box *second)
{
  for (int r = 0; r < rank; r++)
    if (b->hi[r] - b->lo[r] > 1) {
      int64_t middle = b->lo[r] + (b->hi[r] - b->lo[r]) / 2;
      pebble_box_copy(first, b, rank);
      pebble_box_copy(second, b, rank);
      first->hi[r] = middle;
      second->lo[r] = middle;
      return true;
    }
  return false;
}

/* ---- the verdict on one element ---- */

typedef struct {
  const tile_game *t;
  cdag_element *missing;
} missing_search;

static bool is_red_element(void *context, const cdag_element *e, int term)
{
  missing_search *s = context;
  (void)term;
  if (tile_is_red_at(s->t, e->array, e->x))
    return true;
  *s->missing = *e;
  return false;
}

static pebble_rule compute_rule(tile_game *t, int array, const int64_t *x)
{
  tile_array *a = &t->array[array];
  pebble_verdict *v = &t->base.verdict;
  if (a->input || pebble_tiles_hold(&a->source, x))
    return PEBBLE_INPUT;
  if (tile_is_red_at(t, array, x))
    return PEBBLE_ALREADY_RED;
  if (t->base.rules.one_shot && pebble_tiles_hold(&a->computed, x))
    return PEBBLE_RECOMPUTE;
  missing_search s = { t, &v->missing };
  v->has_missing = !cdag_each_predecessor(t->base.g, array, x, is_red_element, &s);
  return v->has_missing ? PEBBLE_PREDECESSOR : PEBBLE_MEMORY; /* what is left */
}

static pebble_rule rule_broken(tile_game *t, pebble_kind kind, int array, const int64_t *x)
{
  bool red = tile_is_red_at(t, array, x), blue = tile_is_blue_at(t, array, x);
  switch (kind) {
  case PEBBLE_LOAD: return red ? PEBBLE_ALREADY_RED : !blue ? PEBBLE_NOT_BLUE : PEBBLE_MEMORY;
  case PEBBLE_STORE: return !red ? PEBBLE_NOT_RED : PEBBLE_ALREADY_BLUE;
  case PEBBLE_DROP: return PEBBLE_NOT_RED;
  case PEBBLE_ERASE: return PEBBLE_NOT_BLUE;
  default: return compute_rule(t, array, x);
  }
}

/* One element that fails the tests for boxes: is it legal all the same? */
static bool play_element(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  pebble_verdict *v = &t->base.verdict;
  if (move->kind != PEBBLE_COMPUTE || (!t->blind && compute_rule(t, move->array, b->lo) != PEBBLE_MEMORY) ||
      !tile_compute_element(t, move, b))
    return false;
  v->moves = num_plus(v->moves, 1);
  v->computes = num_plus(v->computes, 1);
  return true;
}

static void illegal(tile_game *t, pebble_kind kind, int array, const int64_t *x)
{
  pebble_verdict *v = &t->base.verdict;
  v->legal = false;
  v->rule = rule_broken(t, kind, array, x);
  v->element.array = array;
  memcpy(v->element.x, x, (size_t)t->rules.rule[array].rank * sizeof *x);
  if (v->rule == PEBBLE_MEMORY)
    v->needed = t->base.red + 1;
}

/* ---- moves ---- */

static tile_answer load(tile_game *t, int array, const cdag_box *b, uint64_t volume)
{
  if (tile_red_meets(t, array, b) || !tile_blue_covers(t, array, b))
    return TILE_SPLIT;
  uint64_t most = t->base.red + volume;
  if (most > t->base.rules.m)
    return TILE_SPLIT;
  t->base.red = most;
  if (most > t->base.verdict.peak)
    t->base.verdict.peak = most;
  tile_add_red(t, array, b);
  return TILE_BOX;
}

static tile_answer store(tile_game *t, int array, const cdag_box *b)
{
  if (!tile_red_covers(t, array, b) || tile_blue_meets(t, array, b))
    return TILE_SPLIT;
  tile_add_blue(t, array, b);
  return TILE_BOX;
}

static tile_answer drop(tile_game *t, int array, const cdag_box *b, uint64_t volume)
{
  if (!tile_red_covers(t, array, b))
    return TILE_SPLIT;
  tile_take_red(t, array, b);
  t->base.red -= volume;
  return TILE_BOX;
}

static tile_answer erase(tile_game *t, int array, const cdag_box *b)
{
  if (!tile_blue_covers(t, array, b))
    return TILE_SPLIT;
  tile_take_blue(t, array, b);
  return TILE_BOX;
}

/* The counter's view of a load, a compute that drops nothing, or a drop: a number of pebbles. */
void tile_count_blind(tile_game *t, pebble_kind kind, uint64_t volume)
{
  if (t->words)
    return;
  if (kind == PEBBLE_LOAD || kind == PEBBLE_COMPUTE) {
    t->base.red = num_plus64(t->base.red, volume);
    if (t->base.red > t->base.verdict.peak)
      t->base.verdict.peak = t->base.red;
  } else if (kind == PEBBLE_DROP) {
    if (t->base.red < volume)
      t->below_zero = true;
    t->base.red -= t->base.red < volume ? t->base.red : volume;
  }
}

tile_answer tile_move_part(tile_game *t, const pebble_move *move, const cdag_box *b, uint64_t volume)
{
  switch (move->kind) {
  case PEBBLE_LOAD: return load(t, move->array, b, volume);
  case PEBBLE_STORE: return store(t, move->array, b);
  case PEBBLE_DROP: return drop(t, move->array, b, volume);
  default: return erase(t, move->array, b);
  }
}

/* To the counter a compute that drops nothing is the pebbles it brings, whatever it reads. */
static bool reads_position(const tile_game *t, const pebble_move *move)
{
  return move->kind == PEBBLE_COMPUTE && (!t->blind || move->drops > 0);
}

static tile_answer judge_box(tile_game *t, const pebble_move *move, const cdag_box *b, uint64_t volume)
{
  if (reads_position(t, move))
    return tile_compute(t, move, b);
  if (!t->blind)
    return tile_move_part(t, move, b, volume);
  tile_count_blind(t, move->kind, volume);
  return TILE_BOX;
}

void tile_add_counts(tile_game *t, const pebble_move *move, uint64_t volume)
{
  pebble_verdict *v = &t->base.verdict;
  v->moves = num_plus(v->moves, volume);
  if (move->kind == PEBBLE_COMPUTE)
    v->computes = num_plus(v->computes, volume);
  else if (move->kind == PEBBLE_LOAD) {
    v->loads = num_plus(v->loads, volume);
    t->base.loads[move->array] = num_plus(t->base.loads[move->array], volume);
  } else if (move->kind == PEBBLE_STORE) {
    v->stores = num_plus(v->stores, volume);
    t->base.stores[move->array] = num_plus(t->base.stores[move->array], volume);
  }
}

void tile_count_move(tile_game *t, const pebble_move *move, const cdag_box *b, uint64_t volume)
{
  for (int r = 0; t->log && r < t->rules.rule[move->array].rank; r++)
    tile_log_equal(t->log, b->hi[r] - b->lo[r]);
  tile_add_counts(t, move, volume);
}

/* A box inside the domain, all or nothing. */
static tile_answer try_box(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  uint64_t volume = pebble_box_volume(b, t->rules.rule[move->array].rank);
  tile_answer answer = judge_box(t, move, b, volume);
  if (answer != TILE_BOX)
    return answer;
  if (t->log && !reads_position(t, move)) /* else it is recorded with its shape */
    tile_log_extents(t, move, b);
  tile_add_counts(t, move, volume);
  return TILE_BOX;
}

/* With the same extents the cut is at the same place. */
static void log_halves(tile_game *t, int array, const cdag_box *b, const cdag_box *first, const cdag_box *second)
{
  int rank = t->rules.rule[array].rank;
  for (int r = 0; r < rank; r++)
    tile_log_equal(t->log, b->hi[r] - b->lo[r]);
  tile_log_box(t->log, array, rank, first);
  tile_log_box(t->log, array, rank, second);
}

/* Play the elements of the domain inside b; depth is at most the sum of the logarithms of its extents. */
static bool play_box(tile_game *t, const pebble_move *move, cdag_box *b)
{
  cdag_box first, second;
  tile_answer answer = tile_fit(&t->rules, move->array, b);
  if (t->log)
    tile_log_equal(t->log, answer);
  if (answer == TILE_EMPTY)
    return true;
  if (answer == TILE_BOX && try_box(t, move, b) == TILE_BOX)
    return true;
  if (!halve(b, t->rules.rule[move->array].rank, &first, &second)) {
    if (t->log)
      t->log->irregular++;
    if (play_element(t, move, b))
      return true;
    illegal(t, move->kind, move->array, b->lo);
    return false;
  }
  if (t->log)
    log_halves(t, move->array, b, &first, &second);
  return play_box(t, move, &first) && play_box(t, move, &second);
}

static void log_move(tile_game *t, const pebble_move *move)
{
  tile_log_equal(t->log, move->kind);
  tile_log_equal(t->log, move->array);
  tile_log_box(t->log, move->array, t->rules.rule[move->array].rank, &move->box);
  for (int i = 0; i < move->drops; i++)
    if (!move->drop[i].whole)
      tile_log_box(t->log, move->drop[i].array, t->rules.rule[move->drop[i].array].rank, &move->drop[i].box);
}

static bool tile_play(pebble_game *game, const pebble_move *move)
{
  tile_game *t = tile_of(game);
  cdag_box b;
  t->played++;
  if (t->log)
    log_move(t, move);
  bool some = tile_clip(&t->rules, move->array, &move->box, &b);
  if (t->log)
    tile_log_equal(t->log, some);
  else if (some && t->rules.rule[move->array].rectangular && try_box(t, move, &b) == TILE_BOX)
    return true; /* what play_box would find out, sooner */
  if (some && t->log && !t->blind && t->rules.rule[move->array].slanted && tile_play_cut(t, move, &b) == TILE_BOX)
    return true;
  if (some && t->blind && tile_count_whole(t, move, &b) != TILE_SPLIT)
    return true;
  return !some || play_box(t, move, &b);
}

/* Has each index before the row one value?  Then the rows one after the other are the order of the indices. */
static bool is_first(const cdag_box *b, int row)
{
  for (int r = 0; r < row; r++)
    if (b->hi[r] - b->lo[r] != 1)
      return false;
  return true;
}

uint64_t tile_play_down(pebble_game *game, const pebble_move *move, int row)
{
  tile_game *t = tile_of(game);
  cdag_box b;
  uint64_t rows = (uint64_t)(move->box.hi[row] - move->box.lo[row]);
  if (t->log) {
    log_move(t, move);
    tile_log_equal(t->log, row);
  }
  bool some = tile_clip(&t->rules, move->array, &move->box, &b), good = !some;
  if (t->log)
    tile_log_equal(t->log, some);
  if (some && is_first(&b, row)) {
    tile_answer answer = tile_fit(&t->rules, move->array, &b);
    t->down = row;
    good = answer == TILE_EMPTY || (answer == TILE_BOX && try_box(t, move, &b) == TILE_BOX);
    t->down = -1;
  }
  t->played += good;
  if (t->log)
    tile_log_equal(t->log, good);
  return good ? rows : 0;
}

/* What is left of the move from the offending element on, in order: at most one box for each index. */
static bool tile_resume(pebble_game *game, const pebble_move *move)
{
  tile_game *t = tile_of(game);
  int rank = t->rules.rule[move->array].rank;
  cdag_element from = game->verdict.element;
  cdag_box b;
  for (int r = rank - 1; r >= 0; r--) {
    pebble_box_copy(&b, &move->box, rank);
    for (int q = 0; q < r; q++) {
      b.lo[q] = from.x[q];
      b.hi[q] = from.x[q] + 1;
    }
    b.lo[r] = from.x[r] + (r < rank - 1);
    if (!pebble_box_empty(&b, rank) && !play_box(t, move, &b))
      return false;
  }
  return true;
}

static bool tile_is_red(const pebble_game *game, int array, const int64_t *x)
{
  return tile_is_red_at(tile_in(game), array, x);
}

static bool tile_is_blue(const pebble_game *game, int array, const int64_t *x)
{
  return tile_is_blue_at(tile_in(game), array, x);
}

/* ---- beginning and end ---- */

/* The elements without predecessor in a box of an array that has a rule. */
static void sources(tile_game *t, int array, cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[array];
  pebble_tiles left;
  cdag_box half[2];
  tile_answer answer = tile_fit(&t->rules, array, b);
  if (answer == TILE_EMPTY)
    return;
  pebble_tiles_init(&left, rule->rank);
  pebble_tiles_add(&left, b);
  for (int i = 0; answer == TILE_BOX && i < rule->terms; i++) {
    tile_image m;
    tile_answer part = tile_image_of(&t->rules, array, &rule->term[i], b, &m);
    if (part == TILE_BOX)
      pebble_tiles_subtract(&left, &m.part);
    else if (part == TILE_SPLIT)
      answer = TILE_SPLIT;
  }
  if (left.n && answer == TILE_SPLIT && halve(b, rule->rank, &half[0], &half[1])) {
    sources(t, array, &half[0]);
    sources(t, array, &half[1]);
  } else if (left.n && answer == TILE_SPLIT) { /* one element, whose terms are no boxes: ask the rule */
    if (cdag_is_input(t->base.g, array, b->lo))
      pebble_tiles_add(&t->array[array].source, b);
  } else {
    for (size_t i = 0; i < left.n; i++)
      pebble_tiles_add(&t->array[array].source, &left.box[i]);
  }
  pebble_tiles_clear(&left);
}

static void array_init(tile_game *t, int array)
{
  const cdag_array *from = &t->base.g->array[array];
  tile_array *a = &t->array[array];
  cdag_box b = from->hull;
  pebble_tiles_init(&a->red, from->rank);
  pebble_tiles_init(&a->blue, from->rank);
  pebble_tiles_init(&a->computed, from->rank);
  pebble_tiles_init(&a->source, from->rank);
  a->image = MEM_NEW(tile_image, (size_t)from->terms);
  a->present = MEM_NEW(bool, (size_t)from->terms);
  a->input = !from->terms;
  if (a->input && !pebble_box_empty(&b, from->rank)) {
    pebble_tiles_add(&a->blue, &b); /* what lies outside the domain is never asked for */
  } else if (!a->input && from->declared_input) {
    cdag_sources_hull(t->base.g, array, &b);
    sources(t, array, &b);
    pebble_tiles_copy(&a->blue, &a->source);
  }
}

static void array_clear(tile_array *a)
{
  pebble_tiles_clear(&a->red);
  pebble_tiles_clear(&a->blue);
  pebble_tiles_clear(&a->computed);
  pebble_tiles_clear(&a->source);
  mem_free(a->image);
  mem_free(a->present);
  mem_free(a->repeat);
  for (int i = 0; i < TILE_SHAPES; i++)
    mem_free(a->shape[i].key);
}

static void tile_free(pebble_game *game)
{
  tile_game *t = tile_of(game);
  for (int a = 0; a < game->g->arrays; a++)
    array_clear(&t->array[a]);
  mem_free(t->array);
  mem_free(t->scratch.key);
  mem_free(t->part);
  tile_rules_clear(&t->rules);
  pebble_game_clear(game);
  mem_free(t);
}

static const pebble_engine_calls tile_calls = { .play = tile_play,
                                                .end = tile_end,
                                                .is_red = tile_is_red,
                                                .is_blue = tile_is_blue,
                                                .free = tile_free,
                                                .lay_blue = tile_lay_blue,
                                                .lay_sheared = tile_lay_sheared,
                                                .lay_leaning = tile_lay_leaning,
                                                .lay_tilted = tile_lay_tilted,
                                                .play_rows = tile_play_rows,
                                                .resume = tile_resume };

status pebble_tile_new(pebble_game **game, const cdag *g, const pebble_rules *rules, diag *d)
{
  *game = NULL;
  if (g->graph)
    return diag_set(d, BAD_INPUT, "value",
                    "the tile engine plays arrays; this computation is an explicit graph: use --engine element");
  if (rules->variant == PEBBLE_PARTIAL)
    return diag_set(d, BAD_INPUT, "value", "the tile engine does not play the partial game: use --engine element");
  tile_game *t = MEM_NEW(tile_game, 1);
  t->down = -1;
  pebble_game_init(&t->base, &tile_calls, g, rules);
  tile_rules_init(&t->rules, g);
  t->array = MEM_NEW(tile_array, (size_t)g->arrays);
  for (int a = 0; a < g->arrays; a++)
    array_init(t, a);
  *game = &t->base;
  return OK;
}
