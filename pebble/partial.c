/* partial.c -- the partial game (Papp, Sobczyk, Yzelman, arXiv 2506.10854, v2) on the element engine.

   What is kept of a vertex: red; blue (an up-to-date copy: dark red is red without blue, light red is both); complete;
   and of a vertex that is begun but not complete, one bit for each edge already aggregated, in a table that holds only
   such vertices.  Inputs are complete.  A begun vertex advances only while it is red; that makes a blue copy stale, so
   it goes. */
#include "base/mem.h"
#include "pebble/element/element.h"
#include <string.h>

typedef struct begun {
  struct begun *next;          /* of this bucket */
  uint64_t address;
  int array;
  uint64_t edges[];            /* bit i: the i-th predecessor in the order of the rule is in */
} begun;

struct element_partial {
  begun **bucket;
  size_t buckets, held;        /* buckets: a power of two */
};

void element_partial_init(element_game *e)
{
  e->partial = MEM_NEW(element_partial, 1);
  e->partial->buckets = 64;
  e->partial->bucket = MEM_NEW(begun *, e->partial->buckets);
}

void element_partial_clear(element_game *e)
{
  element_partial *p = e->partial;
  if (!p)
    return;
  for (size_t i = 0; i < p->buckets; i++)
    for (begun *b = p->bucket[i], *next; b; b = next) {
      next = b->next;
      mem_free(b);
    }
  mem_free(p->bucket);
  mem_free(p);
  e->partial = NULL;
}

/* ---- the table of begun vertices ---- */

static size_t hash(const element_partial *p, int array, uint64_t address)
{
  uint64_t h = (address + (uint64_t)array * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
  return (h ^ h >> 31) & (p->buckets - 1);
}

/* The link that points at this vertex's entry, or at the NULL that ends its bucket. */
static begun **find(element_partial *p, int array, uint64_t address)
{
  begun **b = &p->bucket[hash(p, array, address)];
  while (*b && ((*b)->address != address || (*b)->array != array))
    b = &(*b)->next;
  return b;
}

static void grow(element_partial *p)
{
  element_partial wide = { .buckets = p->buckets * 2, .held = p->held };
  wide.bucket = MEM_NEW(begun *, wide.buckets);
  for (size_t i = 0; i < p->buckets; i++)
    for (begun *b = p->bucket[i], *next; b; b = next) {
      next = b->next;
      begun **at = &wide.bucket[hash(&wide, b->array, b->address)];
      b->next = *at;
      *at = b;
    }
  mem_free(p->bucket);
  *p = wide;
}

static begun *begin(element_partial *p, int array, uint64_t address, size_t edges)
{
  if (p->held >= p->buckets)
    grow(p);
  begun *b = mem_new(1, sizeof *b + (edges + 63) / 64 * sizeof(uint64_t));
  b->address = address;
  b->array = array;
  *find(p, array, address) = b;
  p->held++;
  return b;
}

static void forget(element_partial *p, int array, uint64_t address)
{
  begun **at = find(p, array, address), *b = *at;
  *at = b->next;
  mem_free(b);
  p->held--;
}

/* ---- aggregating ---- */

static bool is_in(const begun *b, size_t i) { return b && b->edges[i / 64] >> i % 64 & 1; }

static bool is_complete(const element_game *e, const element_predecessor *p)
{
  return pebble_bits_get(&e->array[p->at.array].done, p->address) ||
         (e->array[p->at.array].inputs != NO_INPUTS && cdag_is_input(e->base.g, p->at.array, p->at.x));
}

static bool ready(const element_game *e, const begun *b, size_t i)
{
  const element_predecessor *p = &e->pred[i];
  return !is_in(b, i) && pebble_bits_get(&e->array[p->at.array].red, p->address) && is_complete(e, p);
}

/* Rules that hold before any edge is looked at. */
static pebble_rule refused(const element_game *e, int array, uint64_t address, const begun *b)
{
  bool red = pebble_bits_get(&e->array[array].red, address);
  if (e->preds == 0)
    return PEBBLE_INPUT;
  if (pebble_bits_get(&e->array[array].done, address))
    return red ? PEBBLE_ALREADY_RED : PEBBLE_RECOMPUTE;
  return b && !red ? PEBBLE_RECOMPUTE : PEBBLE_LEGAL;
}

/* Some edge is ready, or the first that is open is missing. */
static pebble_rule something_ready(element_game *e, const begun *b)
{
  pebble_verdict *v = &e->base.verdict;
  for (size_t i = 0; i < e->preds; i++)
    if (ready(e, b, i))
      return PEBBLE_LEGAL;
  size_t open = 0;
  while (is_in(b, open))
    open++;
  v->has_missing = true;
  v->missing = e->pred[open].at;
  return PEBBLE_PREDECESSOR;
}

/* Take in every ready edge; true when none is open any more. */
static bool take_in(element_game *e, begun *b)
{
  size_t in = 0;
  for (size_t i = 0; i < e->preds; i++) {
    if (ready(e, b, i))
      b->edges[i / 64] |= UINT64_C(1) << i % 64;
    in += is_in(b, i);
  }
  return in == e->preds;
}

static void drop_predecessors(element_game *e, const pebble_move *move)
{
  for (size_t i = 0; i < e->preds; i++) {
    const element_predecessor *p = &e->pred[i];
    if (element_is_dropped(move, &p->at, e->base.g->array[p->at.array].rank) &&
        pebble_bits_get(&e->array[p->at.array].red, p->address))
      element_take_red(e, p->at.array, p->address);
  }
}

pebble_rule element_aggregate(element_game *e, const pebble_move *move, const int64_t *x, uint64_t address)
{
  element_array *a = &e->array[move->array];
  begun *b = *find(e->partial, move->array, address);
  pebble_rule rule = refused(e, move->array, address, b);
  if (rule == PEBBLE_LEGAL)
    rule = something_ready(e, b);
  if (rule != PEBBLE_LEGAL)
    return rule;
  bool red = pebble_bits_get(&a->red, address);
  if (!red && !element_room(e, 1))
    return PEBBLE_MEMORY;
  if (!b)
    b = begin(e->partial, move->array, address, e->preds);
  if (take_in(e, b)) {
    pebble_bits_set(&a->done, address);
    forget(e->partial, move->array, address);
  }
  if (!red)
    element_put_red(e, move->array, address);
  if (element_is_blue(e, move->array, x, address))
    element_flip_blue(e, move->array, address);
  drop_predecessors(e, move);
  e->base.verdict.computes++;
  return PEBBLE_LEGAL;
}
