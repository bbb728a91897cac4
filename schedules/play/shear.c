/* shear.c -- which arrays a schedule sweeps along a slant (docs/tile-engine.md, "Sheared sets").

   In `for s in b { compute A[s+1,x-s-1] dropping A[s,x-s-2] }` the pebbles of A are on the board where s + i is x or x
   - 1: thousands of boxes, but one in the coordinates (s, s + i).  The hint is read off the text: a loop over single
   values that moves two indices of a computed box by as much, where every box of that array, and every term that reads
   it, has one value of the first.  Where a range of the box moves its ends, too, so do those of the front ("Leaning
   ends").  Of a least or greatest number the one argument that moves is looked at.  The engine is right whatever it is
   told. */
#include "base/mem.h"
#include "schedules/language/parse.h"
#include <string.h>

static bool is_single(const schedule_box *b, int r) { return b->index[r].kind == CDAG_AT && b->index[r].loop < 0; }

/* How much does e change when the slot grows by one?  0 when that is not plain; of a least or greatest number, the
 * change of the one argument that has one. */
static int64_t step_of(const expr *e, int slot);

static int64_t step_of_extreme(const expr *e, int slot)
{
  int64_t step = 0;
  for (int i = 0; i < e->nargs; i++) {
    int64_t one = step_of(e->arg[i], slot);
    if (one && step)
      return 0;
    step += one;
  }
  return step;
}

/* Of a number times what moves. */
static int64_t product_step(const expr *e, int slot)
{
  for (int i = 0; i < 2; i++) {
    const expr *times = e->arg[i];
    if (times->op == EXPR_CONST && pebble_is_slope(times->value))
      return times->value * step_of(e->arg[1 - i], slot);
  }
  return 0;
}

/* The slope of a front on which one index moves by `along` and another by `across`; 0: none, or too steep a one. */
static int slope_of(int64_t along, int64_t across)
{
  if (along == 0 || across % along != 0 || !pebble_is_slope(across / along))
    return 0;
  return (int)(-across / along);
}

static int64_t step_of(const expr *e, int slot)
{
  switch (e->op) {
  case EXPR_SLOT: return e->slot == slot;
  case EXPR_NEG: return -step_of(e->arg[0], slot);
  case EXPR_ADD: return step_of(e->arg[0], slot) + step_of(e->arg[1], slot);
  case EXPR_SUB: return step_of(e->arg[0], slot) - step_of(e->arg[1], slot);
  case EXPR_MUL: return product_step(e, slot);
  case EXPR_MIN: case EXPR_MAX: return step_of_extreme(e, slot);
  default: return 0;
  }
}

/* ---- indices that are single in every box ---- */

/* Bits of the indices that are so. */
static unsigned singles_of(const schedule_box *b)
{
  unsigned bits = 0;
  for (int r = 0; r < b->indices; r++)
    bits |= (unsigned)is_single(b, r) << r;
  return b->whole ? ~0u : bits;
}

static void note_boxes(const schedule_box *b, int n, unsigned *of)
{
  for (int i = 0; i < n; i++)
    of[b[i].array] &= singles_of(&b[i]);
}

/* Depth: SCHEDULE_DEPTH. */
static void note_singles(const schedule_node *n, unsigned *of)
{
  note_boxes(n->box, n->boxes, of);
  note_boxes(n->drop, n->drops, of);
  for (int i = 0; i < n->children; i++)
    note_singles(n->child[i], of);
}

/* The indices that a term leaves single where its reader's box has these single: one of those, shifted. */
static unsigned kept_by(const cdag_term *t, unsigned readers, int rank)
{
  unsigned bits = 0;
  for (int r = 0; r < rank; r++) {
    const cdag_index *x = &t->index[r];
    bits |= (unsigned)(x->kind == CDAG_AT && x->var >= 0 && (readers >> x->var & 1)) << r;
  }
  return bits;
}

static void note_terms(const cdag *g, const unsigned *boxes, unsigned *of)
{
  for (int a = 0; a < g->arrays; a++)
    for (int i = 0; i < g->array[a].terms; i++) {
      const cdag_term *t = &g->array[a].term[i];
      of[t->array] &= kept_by(t, boxes[a], g->array[t->array].rank);
    }
}

/* ---- loops that sweep ---- */

typedef struct {
  const schedule *s;
  pebble_game *game;
  const unsigned *single;      /* by array: indices that are single in every box of the text, and in terms, too */
  const unsigned *boxes;       /* the former */
  const int *stores;           /* by array: how many boxes of the text store it */
  unsigned told;               /* arrays, a bit each */
} slants;

/* The first index whose ends move, too, by as much as that or not at all. */
static void tell_lean(slants *w, const schedule_box *b, int slot, int64_t along)
{
  for (int k = 0; k < b->indices; k++) {
    if (b->index[k].kind != CDAG_RANGE)
      continue;
    int64_t lower = step_of(b->index[k].lo, slot), upper = step_of(b->index[k].hi, slot);
    if ((lower == 0 && upper == 0) || lower % along || upper % along || !pebble_is_slope(lower / along) ||
        !pebble_is_slope(upper / along))
      continue;
    pebble_lay_leaning(w->game, b->array, k, (int)(lower / along), (int)(upper / along));
    return;
  }
}

/* The first two indices of a computed box that the loop moves by as much. */
static bool tell(slants *w, const schedule_box *b, int slot)
{
  for (int r = 0; r < b->indices; r++)
    for (int q = 0; q < b->indices; q++) {
      if (q == r || !(w->single[b->array] >> r & 1) || !is_single(b, q))
        continue;
      int64_t along = step_of(b->index[r].lo, slot);
      int slope = slope_of(along, step_of(b->index[q].lo, slot));
      if (slope == 0)
        continue;
      pebble_lay_sheared(w->game, b->array, r, q, slope);
      tell_lean(w, b, slot, along);
      return true;
    }
  return false;
}

static void tell_of(slants *w, const schedule_node *n, int slot)
{
  for (int i = 0; n->kind == SCHEDULE_MOVE && n->move == PEBBLE_COMPUTE && i < n->boxes; i++) {
    unsigned bit = n->box[i].array < 32 ? 1u << n->box[i].array : 0;
    if (bit && !(w->told & bit) && tell(w, &n->box[i], slot))
      w->told |= bit;
  }
}

/* With the innermost loop around each move.  Depth: SCHEDULE_DEPTH. */
static void find_slants(slants *w, const schedule_node *n, int slot)
{
  if (n->kind == SCHEDULE_FOR)
    slot = w->s->loop[n->loop].blocked ? -1 : w->s->loop[n->loop].slot + SCHEDULE_LO;
  if (slot >= 0)
    tell_of(w, n, slot);
  for (int i = 0; i < n->children; i++)
    find_slants(w, n->child[i], slot);
}

/* ---- blue sets ---- */

/* How much the loop moves index r of a box, both of its ends; 0 when that is not plain. */
static int64_t moved_by(const schedule_box *b, int r, int slot)
{
  const cdag_index_kind kind = b->index[r].kind;
  if (kind == CDAG_ALL || b->index[r].loop >= 0)
    return 0;
  int64_t lower = step_of(b->index[r].lo, slot), upper = kind == CDAG_RANGE ? step_of(b->index[r].hi, slot) : lower;
  return lower == upper ? lower : 0;
}

static bool has_extremes(const schedule_box *b)
{
  for (int r = 0; r < b->indices; r++)
    if (b->index[r].kind == CDAG_RANGE && (expr_is_extreme(b->index[r].lo) || expr_is_extreme(b->index[r].hi)))
      return true;
  return false;
}

/* The two indices of a box that goes between the memories which the loop moves by as much, the first one single.  Ends
 * that are least or greatest numbers say so of one box only, and others may lie along another slant. */
static void tell_blue(slants *w, const schedule_box *b, int slot)
{
  if (w->stores[b->array] > 1 && has_extremes(b))
    return;
  for (int p = 0; p < b->indices; p++)
    for (int q = 0; q < b->indices; q++) {
      int slope = slope_of(moved_by(b, p, slot), moved_by(b, q, slot));
      if (p != q && (w->boxes[b->array] >> p & 1) && b->index[q].kind == CDAG_RANGE && slope) {
        pebble_lay_blue(w->game, b->array, p, q, slope, true);
        if (w->single[b->array] >> p & 1)
          pebble_lay_sheared(w->game, b->array, p, q, slope);
        return;
      }
    }
}

/* Each array once, with the outermost loop over single values around what is stored.  Depth: SCHEDULE_DEPTH. */
static void find_blue(slants *w, const schedule_node *n, int slot)
{
  if (n->kind == SCHEDULE_FOR && slot < 0 && !w->s->loop[n->loop].blocked)
    slot = w->s->loop[n->loop].slot + SCHEDULE_LO;
  for (int i = 0; n->kind == SCHEDULE_MOVE && n->move == PEBBLE_STORE && i < n->boxes; i++) {
    unsigned bit = n->box[i].array < 32 ? 1u << n->box[i].array : 0;
    if (bit && !(w->told & bit) && slot >= 0)
      tell_blue(w, &n->box[i], slot);
    w->told |= bit;
  }
  for (int i = 0; i < n->children; i++)
    find_blue(w, n->child[i], slot);
}

static void count_stores(const schedule_node *n, int *of)
{
  for (int i = 0; n->kind == SCHEDULE_MOVE && n->move == PEBBLE_STORE && i < n->boxes; i++)
    of[n->box[i].array]++;
  for (int i = 0; i < n->children; i++)
    count_stores(n->child[i], of);
}

void schedule_lay_sheared(const schedule *s, pebble_game *game)
{
  unsigned *single = MEM_NEW(unsigned, (size_t)s->g->arrays), *boxes = MEM_NEW(unsigned, (size_t)s->g->arrays);
  int *stores = MEM_NEW(int, (size_t)s->g->arrays);
  for (int a = 0; a < s->g->arrays; a++)
    boxes[a] = ~0u;
  note_singles(s->body, boxes);
  memcpy(single, boxes, (size_t)s->g->arrays * sizeof *single);
  note_terms(s->g, boxes, single);
  count_stores(s->body, stores);
  find_slants(&(slants){ .s = s, .game = game, .single = single }, s->body, -1);
  find_blue(&(slants){ .s = s, .game = game, .single = single, .boxes = boxes, .stores = stores }, s->body, -1);
  mem_free(stores);
  mem_free(single);
  mem_free(boxes);
}
