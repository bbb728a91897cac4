/* The sides of all boxes cut space into cells, each wholly inside a box or outside of it: every box paints its own, and
   a cell counts when it is painted first. */
#include "bounds/check/reading/boxes.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/patience.h"
#include <stdlib.h>
#include <string.h>

enum { BOXES = PATIENCE(1 << 17), CELLS = PATIENCE(1 << 22), STEPS = PATIENCE(1 << 24) };

static int by_sides(const void *x, const void *y) { return memcmp(x, y, sizeof(cdag_box)); }

static void drop_equal(checker_boxes *u)
{
  size_t n = 0;
  qsort(u->box, u->n, sizeof *u->box, by_sides);
  for (size_t i = 0; i < u->n; i++)
    if (n == 0 || by_sides(&u->box[n - 1], &u->box[i]) != 0)
      u->box[n++] = u->box[i];
  u->n = n;
}

bool checker_boxes_add(checker_boxes *u, const cdag_box *b)
{
  cdag_box own = { { 0 }, { 0 } }; /* equal boxes are equal bytes */
  memcpy(own.lo, b->lo, (size_t)u->rank * sizeof *own.lo);
  memcpy(own.hi, b->hi, (size_t)u->rank * sizeof *own.hi);
  if (cdag_box_empty(b, u->rank) || (u->n > 0 && by_sides(&u->box[u->n - 1], &own) == 0))
    return true;
  if (u->n == BOXES)
    return false;
  u->box = mem_room(u->box, u->n, &u->room, sizeof *u->box);
  u->box[u->n++] = own;
  return u->n < BOXES || (drop_equal(u), u->n <= BOXES / 2);
}

void checker_boxes_clear(checker_boxes *u)
{
  mem_free(u->box);
  *u = (checker_boxes){ .rank = u->rank };
}

typedef struct {
  int rank;
  int64_t *at[CDAG_RANK];      /* where boxes begin and end along an index, ascending */
  size_t n[CDAG_RANK];
  uint8_t *painted;            /* cells, the last index running fastest */
  int64_t left;
  uint64_t points;
} canvas;

static void cut(canvas *c, const checker_boxes *u, int r)
{
  int64_t *at = c->at[r] = MEM_NEW(int64_t, 2 * u->n);
  for (size_t i = 0; i < u->n; i++) {
    at[2 * i] = u->box[i].lo[r];
    at[2 * i + 1] = u->box[i].hi[r];
  }
  qsort(at, 2 * u->n, sizeof *at, num_by_value);
  for (size_t i = 0; i < 2 * u->n; i++)
    if (c->n[r] == 0 || at[c->n[r] - 1] != at[i])
      at[c->n[r]++] = at[i];
}

/* Depth: one level an index. */
static void paint(canvas *c, const cdag_box *b, int r, size_t cell, uint64_t points)
{
  if (r == c->rank) {
    c->points += c->painted[cell] ? 0 : points;
    c->painted[cell] = 1;
    return;
  }
  const int64_t *side = bsearch(&b->lo[r], c->at[r], c->n[r], sizeof *side, num_by_value);
  for (; *side < b->hi[r] && c->left-- > 0; side++)
    paint(c, b, r + 1, cell * (c->n[r] - 1) + (size_t)(side - c->at[r]), points * (uint64_t)(side[1] - side[0]));
}

uint64_t checker_boxes_count(const checker_boxes *u)
{
  canvas c = { .rank = u->rank, .left = STEPS };
  size_t cells = 1;
  for (int r = 0; r < u->rank && u->n > 0; r++) {
    cut(&c, u, r);
    cells = cells <= CELLS ? cells * (c.n[r] - 1) : cells;
  }
  if (cells <= CELLS) {
    c.painted = MEM_NEW(uint8_t, cells);
    for (size_t i = 0; i < u->n; i++)
      paint(&c, &u->box[i], 0, 0, 1);
  }
  mem_free(c.painted);
  for (int r = 0; r < u->rank; r++)
    mem_free(c.at[r]);
  return c.points;
}
