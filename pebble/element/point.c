/* pebble/element/point.c -- a legal move of one element, straight to its bits: lists of moves are mostly such.

   What is asked are the rules of element.c, of an array whose indices and domain are affine, so that addresses are
   numbers.  Only what is legal is played here; anything else changes nothing and is left to the other paths, which say
   what is wrong. */
#include "pebble/element/rule.h"

enum { TERMS = 16 };

static inline int64_t value(const element_form *f, const int64_t *x, int rank)
{
  int64_t v = f->base; /* far inside 64 bits: see pebble/element/rule.c */
  if (f->var >= 0)
    return v + x[f->var];
  for (int r = 0; r < rank && f->var == -2; r++)
    v += f->coef[r] * x[r];
  return v;
}

/* One element: where its bits are. */
typedef struct { int array; uint64_t address; } point;

/* False where the array has no such element. */
static inline __attribute__((always_inline)) bool locate(const element_game *e, int array, const int64_t *x, point *p)
{
  const element_array *a = &e->array[array];
  const element_rule *rule = &e->rules[array];
  const element_domain *d = &rule->domain;
  uint64_t address = (uint64_t)a->base;
  for (int r = 0; r < rule->rank; r++) {
    if (x[r] < d->hull.lo[r] || x[r] >= d->hull.hi[r])
      return false;
    address += (uint64_t)a->stride[r] * (uint64_t)x[r];
  }
  for (int r = 0; r < rule->rank && !d->rectangular; r++)
    if (x[r] < value(&d->lo[r], x, r) || x[r] >= value(&d->hi[r], x, r))
      return false;
  *p = (point){ array, address };
  return true;
}

static inline bool is_red(const element_game *e, point p) { return pebble_bits_get(&e->array[p.array].red, p.address); }

/* The red predecessors of x, TERMS at most; their number, or -1 where one of them is not red. */
static int red_predecessors(const element_game *e, const element_rule *rule, const int64_t *x, point *pred)
{
  int n = 0;
  for (int t = 0; t < rule->terms; t++) {
    const element_term *from = &rule->term[t];
    int64_t y[CDAG_RANK];
    for (int q = 0; q < from->rank; q++)
      y[q] = value(&from->index[q], x, rule->rank);
    if (locate(e, from->array, y, &pred[n]) && !is_red(e, pred[n++]))
      return -1;
  }
  return n;
}

static inline bool is_one(const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (b->hi[r] - b->lo[r] != 1)
      return false;
  return rank > 0;
}

/* Does the move drop this predecessor: any of its array, or the one element there is in the box? */
static bool is_dropped(const element_game *e, const pebble_move *move, point p)
{
  point q;
  for (int i = 0; i < move->drops; i++) {
    const pebble_drop *d = &move->drop[i];
    if (d->array == p.array && (d->whole || (locate(e, d->array, d->box.lo, &q) && q.address == p.address)))
      return true;
  }
  return false;
}

static bool compute(element_game *e, const pebble_move *move, point p)
{
  element_array *a = &e->array[p.array];
  point pred[TERMS];
  int n = red_predecessors(e, &e->rules[p.array], move->box.lo, pred);
  if (n <= 0 || is_red(e, p) || (e->base.rules.one_shot && pebble_bits_get(&a->done, p.address)))
    return false;
  int gone = 0;
  for (int i = 0; i < n && move->drops; i++)
    if (is_dropped(e, move, pred[i]))
      pred[gone++] = pred[i];
  bool slides = gone > 0 && e->base.rules.variant == PEBBLE_SLIDING;
  if (e->base.red + !slides > e->base.rules.m)
    return false;
  element_peak(e, e->base.red + !slides);
  for (int i = 0; i < gone; i++)
    if (is_red(e, pred[i])) /* read through two terms, it goes once */
      element_take_red(e, pred[i].array, pred[i].address);
  pebble_bits_set(&a->red, p.address);
  e->base.red++;
  if (e->base.rules.one_shot)
    pebble_bits_set(&a->done, p.address);
  e->base.verdict.computes++;
  return true;
}

static bool load(element_game *e, point p)
{
  element_array *a = &e->array[p.array];
  if (is_red(e, p) || pebble_bits_get(&a->blue, p.address) == (a->inputs == ALL_INPUTS) ||
      e->base.red >= e->base.rules.m)
    return false;
  element_put_red(e, p.array, p.address);
  e->base.loads[p.array]++;
  e->base.verdict.loads++;
  return true;
}

static bool store(element_game *e, point p)
{
  element_array *a = &e->array[p.array];
  if (!is_red(e, p) || pebble_bits_get(&a->blue, p.address) != (a->inputs == ALL_INPUTS))
    return false;
  element_flip_blue(e, p.array, p.address);
  e->base.stores[p.array]++;
  e->base.verdict.stores++;
  return true;
}

static bool drop(element_game *e, point p)
{
  if (!is_red(e, p))
    return false;
  element_take_red(e, p.array, p.address);
  return true;
}

static bool play(element_game *e, const pebble_move *move, point p)
{
  switch (move->kind) {
  case PEBBLE_LOAD: return load(e, p);
  case PEBBLE_STORE: return store(e, p);
  case PEBBLE_DROP: return drop(e, p);
  case PEBBLE_COMPUTE: return compute(e, move, p);
  default: return false; /* an erased pebble: rare */
  }
}

/* Do its drops name arrays, or single elements whose bits are found here? */
static bool drops_points(const element_game *e, const pebble_move *move)
{
  for (int i = 0; i < move->drops; i++) {
    const pebble_drop *d = &move->drop[i];
    if (!d->whole && (!is_one(&d->box, e->rules[d->array].rank) || !e->rules[d->array].domain.affine))
      return false;
  }
  return true;
}

/* Is the move, an erasure apart, of one element whose bits are found here, and so is what it drops? */
static bool is_point(const element_game *e, const pebble_move *move)
{
  const element_rule *rule = &e->rules[move->array];
  if (!is_one(&move->box, rule->rank))
    return false;
  if (move->kind != PEBBLE_COMPUTE)
    return rule->domain.affine && e->array[move->array].inputs != SOME_INPUTS;
  return rule->points && rule->terms <= TERMS && !e->partial && drops_points(e, move);
}

bool element_play_point(element_game *e, const pebble_move *move)
{
  point p;
  if (e->plain || e->base.g->graph || !is_point(e, move) || !locate(e, move->array, move->box.lo, &p) ||
      !play(e, move, p))
    return false;
  e->begun++;
  e->base.verdict.moves++;
  return true;
}
