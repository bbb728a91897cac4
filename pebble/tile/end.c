/* pebble/tile/end.c -- the end of a play by tiles: the first output, in order of name and index, that is not blue.

   An array that is an output as a whole leaves the boxes of its hull outside blue; a selection such as C[*,*,k-1] is a
   box, or one box for each value of the variables that bend it (dQ[i:n,*,i]). */
#include "pebble/tile/internal.h"
#include <string.h>

typedef struct {
  tile_game *t;
  int array;
  bool found;
  int64_t x[CDAG_RANK];        /* the first output of the array that is not blue, so far */
} end_search;

static bool before(const int64_t *a, const int64_t *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (a[r] != b[r])
      return a[r] < b[r];
  return false;
}

static bool first_of_run(void *context, const int64_t *x, int64_t hi)
{
  end_search *s = context;
  int rank = s->t->rules.rule[s->array].rank;
  (void)hi;
  if (!s->found || before(x, s->x, rank))
    memcpy(s->x, x, (size_t)rank * sizeof *x);
  s->found = true;
  return false;
}

/* What is in the list of blue boxes, as it is. */
static void slide_back(const tile_shear *shear, cdag_box *b)
{
  int64_t by = shear->slope ? shear->slope * b->lo[shear->along] : 0;
  b->lo[shear->across] -= by;
  b->hi[shear->across] -= by;
}

/* Look for elements of the domain in b that are not blue: b is a box in the list's coordinates, too. */
static void search_piece(end_search *s, const cdag_box *b)
{
  const tile_array *a = &s->t->array[s->array];
  pebble_tiles left;
  cdag_box room;
  const cdag_box *at = tile_blue_box(s->t, s->array, b, &room);
  if (pebble_tiles_cover(&a->blue, at))
    return;
  pebble_tiles_init(&left, s->t->rules.rule[s->array].rank);
  pebble_tiles_add(&left, at);
  for (size_t i = 0; i < a->blue.n; i++)
    pebble_tiles_subtract(&left, &a->blue.box[i]);
  for (size_t i = 0; i < left.n; i++) {
    slide_back(&a->blue_shear, &left.box[i]);
    cdag_each_run(s->t->base.g, s->array, &left.box[i], first_of_run, s);
  }
  pebble_tiles_clear(&left);
}

/* Of a tilted set, with one value of its `along`: by halves, the first one first. */
static void search_halves(end_search *s, const cdag_box *b)
{
  int rank = s->t->rules.rule[s->array].rank, r = 0;
  cdag_box half;
  if (s->found || tile_blue_covers(s->t, s->array, b))
    return;
  while (r < rank && b->hi[r] - b->lo[r] == 1)
    r++;
  if (r == rank) {
    first_of_run(s, b->lo, 0);
    return;
  }
  int64_t middle = b->lo[r] + (b->hi[r] - b->lo[r]) / 2;
  pebble_box_copy(&half, b, rank);
  half.hi[r] = middle;
  search_halves(s, &half);
  half.hi[r] = b->hi[r];
  half.lo[r] = middle;
  search_halves(s, &half);
}

static void search_tilted(end_search *s, const cdag_box *b)
{
  end_search piece = { .t = s->t, .array = s->array };
  search_halves(&piece, b);
  if (piece.found)
    first_of_run(s, piece.x, 0);
}

/* The index of which pieces have one value each, or -1. */
static int along_of(const tile_array *a)
{
  return a->tilt.on ? a->tilt.along : a->blue_shear.slope ? a->blue_shear.along : -1;
}

static void search_box(end_search *s, const cdag_box *b)
{
  const tile_array *a = &s->t->array[s->array];
  void (*search)(end_search *s, const cdag_box *b) = a->tilt.on ? search_tilted : search_piece;
  int along = along_of(a);
  int rank = s->t->rules.rule[s->array].rank;
  cdag_box inside;
  pebble_box_copy(&inside, b, rank);
  if (!pebble_box_clip(&inside, &s->t->rules.rule[s->array].hull, rank))
    return;
  if (along < 0) {
    search(s, &inside);
    return;
  }
  for (int64_t x = inside.lo[along], end = inside.hi[along]; x < end; x++) {
    inside.lo[along] = x;
    inside.hi[along] = x + 1;
    search(s, &inside);
  }
}

/* ---- selections ---- */

typedef struct {
  end_search *search;
  const cdag_selection *from;
  const cdag *g;
  int64_t *slot;               /* parameters, then the variables of the selection */
} selection_walk;

/* The only index that reads variable v, as v + c, or -1. */
static int alone_in(const selection_walk *w, int v, int64_t *shift)
{
  const cdag *g = w->g;
  int at = -1, rank = g->array[w->from->array].rank;
  expr_env env = { w->slot, g->table };
  for (int q = 0; q < rank; q++) {
    const cdag_index *x = &w->from->index[q];
    int64_t coef[1];
    if (x->kind == CDAG_ALL)
      continue;
    bool used = expr_uses(x->lo, g->params + v, g->params + v + 1) ||
                (x->kind == CDAG_RANGE && expr_uses(x->hi, g->params + v, g->params + v + 1));
    if (!used)
      continue;
    /* unreachable: the first index that reads it is where it is declared, the variable itself */
    if (at >= 0 || x->kind != CDAG_AT || expr_uses(x->lo, g->params + v + 1, g->params + w->from->vars) ||
        !expr_affine(x->lo, &env, g->params + v, 1, shift, coef) || coef[0] != 1) /* unreachable: likewise */
      return -1;
    at = q;
  }
  for (int u = v + 1; u < w->from->vars; u++)
    if (expr_uses(w->from->var_lo[u], g->params + v, g->params + v + 1) ||
        expr_uses(w->from->var_hi[u], g->params + v, g->params + v + 1))
      return -1;
  return at;
}

/* Every variable has its value, or its range is in b: search the box. */
static void walk_box(selection_walk *w, const cdag_box *range, unsigned ranged)
{
  const cdag *g = w->g;
  const tile_rule *rule = &w->search->t->rules.rule[w->from->array];
  expr_env env = { w->slot, g->table };
  cdag_box b = rule->hull;
  for (int q = 0; q < rule->rank; q++) {
    const cdag_index *x = &w->from->index[q];
    if (ranged & 1u << q) {
      b.lo[q] = range->lo[q];
      b.hi[q] = range->hi[q];
    } else if (x->kind != CDAG_ALL) {
      if (expr_eval(x->lo, &env, &b.lo[q], NULL) != EXPR_OK)
        return;
      b.hi[q] = b.lo[q] + 1;
      if (x->kind == CDAG_RANGE && expr_eval(x->hi, &env, &b.hi[q], NULL) != EXPR_OK)
        return;
    }
  }
  if (!pebble_box_empty(&b, rule->rank))
    search_box(w->search, &b);
}

/* Depth: the number of variables, at most CDAG_RANK. */
static void walk(selection_walk *w, int v, cdag_box *range, unsigned ranged)
{
  const cdag *g = w->g;
  expr_env env = { w->slot, g->table };
  int64_t lo, hi, shift;
  if (v == w->from->vars) {
    walk_box(w, range, ranged);
    return;
  }
  if (expr_eval(w->from->var_lo[v], &env, &lo, NULL) != EXPR_OK ||
      expr_eval(w->from->var_hi[v], &env, &hi, NULL) != EXPR_OK)
    return;
  int q = alone_in(w, v, &shift);
  if (q >= 0) {
    range->lo[q] = lo + shift;
    range->hi[q] = hi + shift;
    walk(w, v + 1, range, ranged | 1u << q);
    return;
  }
  for (int64_t x = lo; x < hi; x++) {
    w->slot[g->params + v] = x;
    walk(w, v + 1, range, ranged);
  }
}

/* ---- all outputs ---- */

static void search_array(end_search *s)
{
  const cdag *g = s->t->base.g;
  if (g->array[s->array].declared_output)
    search_box(s, &g->array[s->array].hull);
  for (int i = 0; i < g->selections; i++) {
    if (g->selection[i].array != s->array)
      continue;
    selection_walk w = { s, &g->selection[i], g, s->t->rules.slot };
    cdag_box range;
    walk(&w, 0, &range, 0);
  }
}

bool tile_end(pebble_game *game)
{
  tile_game *t = (tile_game *)game;
  const cdag *g = game->g;
  end_search first = { .t = t };
  for (int a = 0; a < g->arrays; a++) {
    end_search s = { .t = t, .array = a };
    if (first.found && strcmp(g->array[a].name, g->array[first.array].name) > 0)
      continue;
    search_array(&s);
    if (s.found)
      first = s;
  }
  if (first.found) {
    game->verdict.legal = false;
    game->verdict.rule = PEBBLE_OUTPUT;
    game->verdict.element.array = first.array;
    memcpy(game->verdict.element.x, first.x, sizeof first.x);
  }
  return !first.found;
}
