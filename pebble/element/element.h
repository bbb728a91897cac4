/* element.h -- the element engine's state, shared by its files.  Private to the room. */
#ifndef REDBLUE_PEBBLE_ELEMENT_H
#define REDBLUE_PEBBLE_ELEMENT_H

#include "pebble/element/bits.h"
#include "pebble/engine.h"

/* Where an array's elements have their bits: address = base + sum stride[r] * x[r], row by row over the array's hull,
   in an order of dimensions of our choice. */
typedef struct {
  int64_t base, stride[CDAG_RANK];
  pebble_bits red;
  pebble_bits blue;            /* differs from the start: inputs start blue, so their bit means "erased" */
  pebble_bits done;            /* one-shot: computed; partial: complete */
  enum { NO_INPUTS, ALL_INPUTS, SOME_INPUTS } inputs;
} element_array;

typedef struct {
  cdag_element at;
  uint64_t address;
} element_predecessor;

typedef struct element_partial element_partial;
typedef struct element_rule element_rule;

typedef struct {
  pebble_game base;            /* first: a pebble_game points here */
  element_array *array;
  element_predecessor *pred;   /* of the element now looked at, in the order of its rule */
  size_t preds, pred_room;
  uint64_t begun;              /* elements of the move now played that are done */
  uint64_t skip;               /* resuming: elements of this move that were played before */
  element_partial *partial;    /* partial game only */
  element_rule *rules;         /* by array: for the run-by-run path */
  bool plain;                  /* never take that path */
} element_game;

static inline uint64_t element_address(const element_array *a, const int64_t *x, int rank)
{
  uint64_t at = (uint64_t)a->base; /* far from the origin the products wrap, as the base does */
  for (int r = 0; r < rank; r++)
    at += (uint64_t)a->stride[r] * (uint64_t)x[r];
  return at;
}

bool element_is_blue(const element_game *e, int array, const int64_t *x, uint64_t address);
void element_flip_blue(element_game *e, int array, uint64_t address);
bool element_is_dropped(const pebble_move *move, const cdag_element *p, int rank);

/* Is there room for `more` red pebbles?  Notes how many would be needed. */
static inline bool element_room(element_game *e, uint64_t more)
{
  e->base.verdict.needed = e->base.red + more;
  return e->base.verdict.needed <= e->base.rules.m;
}

static inline void element_peak(element_game *e, uint64_t red)
{
  if (red > e->base.verdict.peak)
    e->base.verdict.peak = red;
}

void element_put_red(element_game *e, int array, uint64_t address);
void element_take_red(element_game *e, int array, uint64_t address);

/* The partial game (pebble/partial.c): aggregates into x; its predecessors are gathered. */
void element_partial_init(element_game *e);
void element_partial_clear(element_game *e);
pebble_rule element_aggregate(element_game *e, const pebble_move *move, const int64_t *x, uint64_t address);

/* The plain path: element by element in order.  The quick one (pebble/element/run.c): rows of elements at a time, for
   the moves that element_can_row says; the same verdict. */
bool element_play_plain(element_game *e, const pebble_move *move);
bool element_can_row(const element_game *e, const pebble_move *move);
bool element_play_rows(element_game *e, const pebble_move *move);
/* A legal move of one element (pebble/element/point.c); false: not played, for whatever reason. */
bool element_play_point(element_game *e, const pebble_move *move);
/* Elementary moves on an explicit graph (pebble/element/steps.c). */
size_t element_play_steps(pebble_game *game, const pebble_step *step, size_t n);
void element_broken(element_game *e, pebble_rule rule, int array, const int64_t *x); /* fills the verdict */
void element_set_plain(pebble_game *game, bool plain);   /* for tests: the cross-check */

/* The first output, by name then index, that is not blue (partial: or not complete); false when there is none. */
bool element_missing_output(const element_game *e, cdag_element *first);

#endif
