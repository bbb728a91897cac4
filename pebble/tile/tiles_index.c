/* pebble/tile/tiles_index.c -- see pebble/tile/tiles_index.h. */
#include "pebble/tile/tiles_index.h"
#include "base/mem.h"

static int64_t cell_of(const tiles_index *x, int64_t value) { return value >> x->shift; }
static int64_t first_cell(const tiles_index *x, const cdag_box *b) { return cell_of(x, b->lo[x->dim]); }
static int64_t last_cell(const tiles_index *x, const cdag_box *b) { return cell_of(x, b->hi[x->dim] - 1); }
static bool is_wide(const tiles_index *x, const cdag_box *b)
{
  return last_cell(x, b) - first_cell(x, b) >= TILES_CELLS;
}

static size_t chain_number(const tiles_index *x, int64_t cell)
{
  return (uint64_t)cell * UINT64_C(0x9e3779b97f4a7c15) >> 20 & x->mask;
}

/* ---- making ---- */

/* Boxes that a value of index r meets on the average, in 1/256; the mean extent. */
static uint64_t crowd(const cdag_box *box, size_t n, int r, uint64_t *mean)
{
  int64_t lo = box[0].lo[r], hi = box[0].hi[r];
  unsigned __int128 sum = 0;
  for (size_t i = 0; i < n; i++) {
    lo = box[i].lo[r] < lo ? box[i].lo[r] : lo;
    hi = box[i].hi[r] > hi ? box[i].hi[r] : hi;
    sum += (uint64_t)(box[i].hi[r] - box[i].lo[r]);
  }
  *mean = (uint64_t)(sum / n);
  uint64_t sparse = (uint64_t)(hi - lo) / (2 * n); /* empty cells are no use */
  *mean = *mean > sparse ? *mean : sparse;
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
}

tiles_index *tiles_index_new(const cdag_box *box, size_t n, int rank)
{
  uint64_t least = UINT64_MAX, mean = 1;
  int dim = 0;
  for (int r = 0; r < rank; r++) {
    uint64_t extent, c = crowd(box, n, r, &extent);
    if (c < least) {
      least = c;
      dim = r;
      mean = extent;
    }
  }
  if (least / 256 > n / 4)
    return NULL;
  /* unreachable: a test has no room for 10^8 boxes */
  if (n > (size_t)INT32_MAX / TILES_CELLS / 4)
    return NULL;
  tiles_index *x = MEM_NEW(tiles_index, 1);
  x->dim = dim;
  x->shift = shift_for(mean);
  x->made_for = n;
  for (x->mask = 64; x->mask < 4 * n; x->mask *= 2)
    ;
  x->head = MEM_NEW(int32_t, x->mask);
  for (size_t k = 0; k < x->mask; k++)
    x->head[k] = TILES_NONE;
  x->mask--;
  x->wide = TILES_NONE;
  for (size_t i = 0; i < n; i++)
    tiles_index_hang(x, box, i);
  x->wides_made = x->wides;
  return x;
}

void tiles_index_free(tiles_index *x)
{
  if (!x)
    return;
  mem_free(x->head);
  mem_free(x->next);
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
  if (is_wide(x, b)) {
    act(x, &x->wide, entry);
    return;
  }
  for (int64_t c = first_cell(x, b), last = last_cell(x, b); c <= last; c++)
    act(x, &x->head[chain_number(x, c)], entry++);
}

void tiles_index_hang(tiles_index *x, const cdag_box *box, size_t i)
{
  make_room(x, i + 1);
  x->wides += is_wide(x, &box[i]);
  each_chain(x, &box[i], i, push);
}

void tiles_index_unhang(tiles_index *x, const cdag_box *box, size_t i)
{
  x->wides -= is_wide(x, &box[i]);
  each_chain(x, &box[i], i, pull);
}

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
    if (is_wide(x, &box[i]) && !hangs(x, x->wide, entry))
      return "a wide box is not in the index";
    for (int64_t c = first_cell(x, &box[i]); !is_wide(x, &box[i]) && c <= last_cell(x, &box[i]); c++)
      if (!hangs(x, x->head[chain_number(x, c)], entry++))
        return "a box is not in the index";
  }
  return NULL;
}

/* ---- questions ---- */

bool tiles_cursor_start(tiles_cursor *c, const tiles_index *x, const cdag_box *box, size_t n, const cdag_box *b)
{
  *c = (tiles_cursor){ .x = x, .box = box, .entry = x->wide };
  c->from = cell_of(x, b->lo[x->dim] - 1);
  c->last = cell_of(x, b->hi[x->dim]);
  c->cell = c->from - 1; /* the wide ones come first */
  return (uint64_t)(c->last - c->from) < n / 2;
}

/* Is this the entry of that box for the cell at hand, and the first of its entries that the question comes by? */
static bool met_here(const tiles_cursor *c, int32_t entry)
{
  int64_t first = first_cell(c->x, &c->box[entry / TILES_CELLS]);
  return first + entry % TILES_CELLS == c->cell && (entry % TILES_CELLS == 0 || c->cell == c->from);
}

int32_t tiles_cursor_next(tiles_cursor *c)
{
  for (;;) {
    while (c->entry == TILES_NONE) {
      if (++c->cell > c->last)
        return TILES_NONE;
      c->entry = c->x->head[chain_number(c->x, c->cell)];
    }
    int32_t entry = c->entry;
    c->entry = c->x->next[entry];
    if (c->cell < c->from || met_here(c, entry))
      return entry / TILES_CELLS;
  }
}
