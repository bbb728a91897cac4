/* pebble/tile/tiles_index.c -- see pebble/tile/tiles_index.h. */
#include "pebble/tile/tiles_index.h"
#include "base/mem.h"
#include "base/num.h"
#include <string.h>

/* Where a value of the one index meets more boxes, cells are divided by another index too. */
enum { CROWDED = 16 };

/* The cells of a level that a box, or a question, comes by. */
typedef struct { int64_t first[2], last[2]; } touched;

static touched touched_at(const tiles_index *x, int level, const cdag_box *b, int64_t around)
{
  touched t = { 0 };
  for (int k = 0; k < 2 && x->dim[k] != TILES_NONE; k++) {
    int shift = num_min(x->shift[k] + 2 * level, 63);
    t.first[k] = (b->lo[x->dim[k]] - around) >> shift;
    t.last[k] = (b->hi[x->dim[k]] - 1 + around) >> shift;
  }
  return t;
}

/* The least level where it touches few cells; at 2^63 there are two along an index. */
static int level_of(const tiles_index *x, const cdag_box *b, touched *t)
{
  for (int level = 0;; level++) {
    *t = touched_at(x, level, b, 0);
    int64_t rows = t->last[0] - t->first[0] + 1, columns = t->last[1] - t->first[1] + 1;
    if (rows <= TILES_CELLS && columns <= TILES_CELLS && rows * columns <= TILES_CELLS)
      return level;
  }
}

static size_t chain_number(const tiles_index *x, int level, int64_t row, int64_t column)
{
  uint64_t mixed = (uint64_t)row * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)column * UINT64_C(0xc2b2ae3d27d4eb4f) +
                   (uint64_t)level * UINT64_C(0x165667b19e3779f9);
  return (mixed ^ mixed >> 32) & x->mask;
}

/* ---- making ---- */

/* Boxes that a value of index r meets on the average, in 1/256; the extent of a cell: the mean of the boxes', and no
   less than what leaves every second cell empty where `along` boxes lie along the index. */
static uint64_t crowd(const cdag_box *box, size_t n, int r, uint64_t along, uint64_t *cell)
{
  int64_t lo = box[0].lo[r], hi = box[0].hi[r];
  unsigned __int128 sum = 0;
  for (size_t i = 0; i < n; i++) {
    lo = box[i].lo[r] < lo ? box[i].lo[r] : lo;
    hi = box[i].hi[r] > hi ? box[i].hi[r] : hi;
    sum += (uint64_t)(box[i].hi[r] - box[i].lo[r]);
  }
  *cell = (uint64_t)(sum / n);
  uint64_t sparse = (uint64_t)(hi - lo) / (2 * along);
  *cell = *cell > sparse ? *cell : sparse;
  return (uint64_t)(256 * sum / (uint64_t)(hi - lo));
}

/* No extent is larger than 2^62. */
static int shift_for(uint64_t extent)
{
  int shift = 0;
  while ((UINT64_C(1) << shift) < extent)
    shift++;
  return shift;
}

static void make_room(tiles_index *x, size_t boxes)
{
  if (boxes <= x->room)
    return;
  x->room = 2 * boxes;
  x->next = mem_grow(x->next, x->room, TILES_CELLS * sizeof *x->next);
  x->level = mem_grow(x->level, x->room, sizeof *x->level);
}

/* The index but `but` of which a value meets the fewest boxes, as x's k-th; how many it meets. */
static uint64_t divide(tiles_index *x, int k, const cdag_box *box, size_t n, int rank, int but, uint64_t along)
{
  uint64_t least = UINT64_MAX;
  x->dim[k] = TILES_NONE;
  for (int r = 0; r < rank; r++) {
    uint64_t cell = 1, c = r == but ? UINT64_MAX : crowd(box, n, r, along, &cell);
    if (c < least) {
      least = c;
      x->dim[k] = r;
      x->shift[k] = shift_for(cell);
    }
  }
  return least / 256;
}

tiles_index *tiles_index_new(const cdag_box *box, size_t n, int rank)
{
  tiles_index way;
  uint64_t met = divide(&way, 0, box, n, rank, TILES_NONE, n);
  if (met > n / 4)
    return NULL;
  /* unreachable: a test has no room for 10^8 boxes */
  if (n > (size_t)INT32_MAX / TILES_CELLS / 4)
    return NULL;
  if (met <= CROWDED || divide(&way, 1, box, n, rank, way.dim[0], met) > n / 4)
    way.dim[1] = TILES_NONE;
  tiles_index *x = MEM_NEW(tiles_index, 1);
  memcpy(x->dim, way.dim, sizeof x->dim);
  memcpy(x->shift, way.shift, sizeof x->shift);
  for (x->mask = 64; x->mask < 4 * n; x->mask *= 2)
    ;
  x->head = MEM_NEW(int32_t, x->mask);
  for (size_t k = 0; k < x->mask; k++)
    x->head[k] = TILES_NONE;
  x->mask--;
  for (size_t i = 0; i < n; i++)
    tiles_index_hang(x, box, i);
  return x;
}

void tiles_index_free(tiles_index *x)
{
  if (!x)
    return;
  mem_free(x->head);
  mem_free(x->next);
  mem_free(x->level);
  mem_free(x);
}

/* ---- boxes come and go ---- */

static void push(tiles_index *x, int32_t *chain, int32_t entry)
{
  x->next[entry] = *chain;
  *chain = entry;
}

static void pull(tiles_index *x, int32_t *chain, int32_t entry)
{
  while (*chain != entry)
    chain = &x->next[*chain];
  *chain = x->next[entry];
}

static void each_chain(tiles_index *x, const cdag_box *b, size_t i, void (*act)(tiles_index *, int32_t *, int32_t))
{
  int32_t entry = (int32_t)(i * TILES_CELLS);
  touched t;
  int level = level_of(x, b, &t);
  x->levels |= UINT32_C(1) << level;
  x->level[i] = (uint8_t)level;
  for (int64_t row = t.first[0]; row <= t.last[0]; row++)
    for (int64_t column = t.first[1]; column <= t.last[1]; column++)
      act(x, &x->head[chain_number(x, level, row, column)], entry++);
}

void tiles_index_hang(tiles_index *x, const cdag_box *box, size_t i)
{
  make_room(x, i + 1);
  each_chain(x, &box[i], i, push);
}

void tiles_index_unhang(tiles_index *x, const cdag_box *box, size_t i) { each_chain(x, &box[i], i, pull); }

static bool hangs(const tiles_index *x, int32_t chain, int32_t entry)
{
  while (chain != TILES_NONE && chain != entry)
    chain = x->next[chain];
  return chain == entry;
}

const char *tiles_index_check(const tiles_index *x, const cdag_box *box, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    int32_t entry = (int32_t)(i * TILES_CELLS);
    touched t;
    int level = level_of(x, &box[i], &t);
    for (int64_t row = t.first[0]; row <= t.last[0]; row++)
      for (int64_t column = t.first[1]; column <= t.last[1]; column++)
        if (!hangs(x, x->head[chain_number(x, level, row, column)], entry++))
          return "a box is not in the index";
  }
  return NULL;
}

/* ---- questions ---- */

/* The next level that has boxes; false: there is none. */
static bool next_level(tiles_cursor *c)
{
  uint32_t left = c->level < 31 ? c->x->levels >> (c->level + 1) : 0;
  if (!left)
    return false;
  c->level += 1 + __builtin_ctz(left);
  touched t = touched_at(c->x, c->level, &c->question, c->around);
  for (int k = 0; k < 2; k++) {
    c->from[k] = c->cell[k] = t.first[k];
    c->last[k] = t.last[k];
  }
  return true;
}

bool tiles_cursor_start(tiles_cursor *c, const tiles_index *x, const cdag_box *box, size_t n, const cdag_box *b,
                        int64_t around)
{
  c->x = x;
  c->box = box;
  c->around = around;
  for (int k = 0; k < 2 && x->dim[k] != TILES_NONE; k++) {
    c->question.lo[x->dim[k]] = b->lo[x->dim[k]];
    c->question.hi[x->dim[k]] = b->hi[x->dim[k]];
  }
  c->entry = TILES_NONE;
  c->level = -1; /* before the first */
  for (int k = 0; k < 2; k++)
    c->from[k] = c->cell[k] = c->last[k] = 0;
  touched t = touched_at(x, x->levels ? __builtin_ctz(x->levels) : 0, b, around);
  uint64_t rows = (uint64_t)(t.last[0] - t.first[0]), columns = (uint64_t)(t.last[1] - t.first[1]);
  return rows < n / 2 && columns < n / 2 && (rows + 1) * (columns + 1) < n / 2;
}

/* Is this the entry of that box for the cell at hand, and the first of its entries that the question comes by? */
static bool met_here(const tiles_cursor *c, int32_t entry)
{
  touched t;
  if (c->x->level[entry / TILES_CELLS] != c->level)
    return false;
  t = touched_at(c->x, c->level, &c->box[entry / TILES_CELLS], 0);
  int64_t columns = t.last[1] - t.first[1] + 1, number = entry % TILES_CELLS;
  int64_t at[2] = { t.first[0] + number / columns, t.first[1] + number % columns };
  for (int k = 0; k < 2; k++)
    if (at[k] != c->cell[k] || (at[k] != t.first[k] && at[k] != c->from[k]))
      return false;
  return true;
}

static bool next_cell(tiles_cursor *c)
{
  if (c->cell[1] < c->last[1]) {
    c->cell[1]++;
    return true;
  }
  c->cell[1] = c->from[1];
  return c->cell[0]++ < c->last[0] || next_level(c);
}

int32_t tiles_cursor_next(tiles_cursor *c)
{
  for (;;) {
    while (c->entry == TILES_NONE) {
      if (!next_cell(c))
        return TILES_NONE;
      c->entry = c->x->head[chain_number(c->x, c->level, c->cell[0], c->cell[1])];
    }
    int32_t entry = c->entry;
    c->entry = c->x->next[entry];
    if (met_here(c, entry))
      return entry / TILES_CELLS;
  }
}
