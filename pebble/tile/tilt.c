/* pebble/tile/tilt.c -- sets whose boxes lean by themselves (docs/tile-engine.md, "Rows whose ends lean").

   A box of such a set has, at value x of the index `row`, the values from lo + l x to hi + u x of the index `side`,
   with slopes l and u of its own: a trapezoid.  Its slopes stand behind its indices.  With `along`, rows are called x +
   slope y at value y of it, and their elements z + aside y, so that what moves with time stays where it is.

   What is asked about has one value of `along`.  Every comparison with a box of the list is recorded as a number whose
   sign must stay, or, where it is cut, as one that must not change. */
#include "base/num.h"
#include "pebble/tile/internal.h"
#include <assert.h>

typedef struct {
  tile_log *log;
  const tile_tilt *way;
  const cdag_box *hull;
  pebble_tiles *set;
  tile_window *window;
  int rank;
  int64_t aside;   /* what names add in index `side` */
  cdag_box q, far; /* what is asked about, in the names of the list; with ends nobody reads beyond */
} tilted;

int64_t tile_low_at(const cdag_box *b, int rank, int side, int64_t x) { return b->lo[side] + b->lo[rank] * x; }
int64_t tile_high_at(const cdag_box *b, int rank, int side, int64_t x) { return b->hi[side] + b->hi[rank] * x; }

static bool is_far(int64_t end) { return end <= -TILE_FAR || end >= TILE_FAR; }

/* Ends that are far away are those of the domain. */
static int64_t low_at(const tilted *w, const cdag_box *b, int64_t x)
{
  int side = w->way->side;
  return is_far(b->lo[side]) ? w->hull->lo[side] + w->aside : tile_low_at(b, w->rank, side, x);
}

static int64_t high_at(const tilted *w, const cdag_box *b, int64_t x)
{
  int side = w->way->side;
  return is_far(b->hi[side]) ? w->hull->hi[side] + w->aside : tile_high_at(b, w->rank, side, x);
}

bool tile_above(tile_log *log, int64_t d)
{
  if (log)
    tile_log_sign(log, 2 * d - 1);
  return d > 0;
}

void tile_same(tile_log *log, int64_t value)
{
  if (log)
    tile_log_equal(log, value);
}

/* A lone row does not lean. */
static void upright(cdag_box *b, int rank, int row, int side)
{
  if (b->hi[row] - b->lo[row] != 1)
    return;
  b->lo[side] += b->lo[rank] * b->lo[row]; /* ends that are far away do not lean */
  b->hi[side] += b->hi[rank] * b->lo[row];
  b->lo[rank] = b->hi[rank] = 0;
}

uint64_t tile_tilt_volume(tile_log *log, int rank, int row, int side, const cdag_box *b)
{
  int64_t n = b->hi[row] - b->lo[row], first = b->lo[row];
  int64_t width = tile_high_at(b, rank, side, first) - tile_low_at(b, rank, side, first);
  int64_t each = n * width + (b->hi[rank] - b->lo[rank]) * (n * (n - 1) / 2), plain = 1;
  for (int r = 0; r < rank; r++)
    plain *= r == row || r == side ? 1 : b->hi[r] - b->lo[r];
  tile_same(log, n);
  tile_same(log, width);
  tile_same(log, b->lo[rank]);
  tile_same(log, b->hi[rank]);
  tile_same(log, plain);
  return (uint64_t)(each * plain);
}

/* ---- boxes that are near ---- */

static void swap(cdag_box *a, cdag_box *b)
{
  cdag_box old = *a;
  *a = *b;
  *b = old;
}

/* A box beside the window is not looked at: no question reaches it.  In recorded iterations the window stands still,
   and so do the boxes beside it. */
static void look_around(tilted *w)
{
  enum { FEW = 16, MARGIN = 8, TIMES = 4 };
  tile_window *v = w->window;
  pebble_tiles *s = w->set;
  int row = w->way->row;
  int64_t lo = w->q.lo[row], hi = w->q.hi[row], size = hi - lo + MARGIN;
  bool some = v->near < s->n, all = v->near <= v->most;
  if (some && all) {
    bool begins = tile_above(w->log, lo - v->lo + 1), ends = tile_above(w->log, v->hi - hi + 1);
    some = !begins || !ends;
  }
  if (!some && all)
    return;
  if (w->log)
    w->log->irregular++;
  int64_t from = num_min(v->lo, lo - MARGIN), to = num_max(v->hi, hi + MARGIN);
  all = all && to - from <= TIMES * size; /* or else what was asked about before is elsewhere */
  *v = (tile_window){ all ? from : lo - size, all ? to : hi + size, 0, 0 };
  for (size_t i = 0; i < s->n; i++)
    if (s->box[i].lo[row] <= v->hi && v->lo <= s->box[i].hi[row])
      swap(&s->box[i], &s->box[v->near++]);
  v->most = 2 * v->near + FEW;
}

/* ---- a question ---- */

static void name_rows(const tilted *w, cdag_box *q)
{
  const tile_tilt *way = w->way;
  int64_t by = way->along >= 0 ? way->slope * q->lo[way->along] : 0;
  q->lo[way->row] += by;
  q->hi[way->row] += by;
  q->lo[way->side] += w->aside - q->lo[w->rank] * by;
  q->hi[way->side] += w->aside - q->hi[w->rank] * by;
}

/* Where a row begins or ends with the domain, and where rows do, nobody reads beyond. */
static void stretch(tilted *w, const cdag_box *b)
{
  const cdag_box *hull = w->hull;
  int row = w->way->row, side = w->way->side, rank = w->rank;
  bool first = b->lo[row] == hull->lo[row], last = b->hi[row] == hull->hi[row],
       left = b->lo[rank] == 0 && b->lo[side] == hull->lo[side],
       right = b->hi[rank] == 0 && b->hi[side] == hull->hi[side];
  tile_same(w->log, first + 2 * last + 4 * left + 8 * right);
  pebble_box_copy(&w->far, &w->q, rank + 1);
  w->far.lo[row] = first ? -TILE_FAR : w->far.lo[row];
  w->far.hi[row] = last ? TILE_FAR : w->far.hi[row];
  w->far.lo[side] = left ? -TILE_FAR : w->far.lo[side];
  w->far.hi[side] = right ? TILE_FAR : w->far.hi[side];
}

/* False: b has several values of `along`. */
static bool ask(tilted *w, const tile_game *t, int array, bool red, const cdag_box *b)
{
  tile_array *a = &t->array[array];
  cdag_box own;
  *w = (tilted){ .log = t->log,
                 .way = &a->tilt,
                 .hull = &t->rules.rule[array].hull,
                 .set = red ? &a->red : &a->blue,
                 .window = &a->window[red],
                 .rank = t->rules.rule[array].rank };
  if (w->way->along >= 0 && b->hi[w->way->along] - b->lo[w->way->along] > 1)
    return false;
  w->aside = w->way->along >= 0 ? w->way->aside * b->lo[w->way->along] : 0;
  pebble_box_copy(&own, b, w->rank + 1);
  upright(&own, w->rank, w->way->row, w->way->side);
  pebble_box_copy(&w->q, &own, w->rank + 1);
  name_rows(w, &w->q);
  stretch(w, &own);
  look_around(w);
  return true;
}

/* ---- what it has in common with a box ---- */

static bool is_plain(const tilted *w, int r) { return r != w->way->row && r != w->way->side; }

/* Index r of both, which meet there. */
static void overlap(const tilted *w, const cdag_box *b, int r, int64_t *lo, int64_t *hi)
{
  const cdag_box *q = &w->q;
  tile_above(w->log, b->hi[r] - q->lo[r]);
  tile_above(w->log, q->hi[r] - b->lo[r]);
  bool later = tile_above(w->log, b->lo[r] - q->lo[r]), sooner = tile_above(w->log, q->hi[r] - b->hi[r]);
  *lo = later ? b->lo[r] : q->lo[r];
  *hi = sooner ? b->hi[r] : q->hi[r];
  if (later || sooner) {
    tile_same(w->log, *hi - *lo);
    tile_same(w->log, *lo - q->lo[r]);
  }
}

/* Which of the two begins, and ends, first, and whether they meet, in a row. */
enum { CUT_LEFT = 1, CUT_RIGHT = 2, MEET = 4 };
static int relation(const tilted *w, const cdag_box *b, int64_t x)
{
  int64_t ql = low_at(w, &w->q, x), qh = high_at(w, &w->q, x), bl = low_at(w, b, x), bh = high_at(w, b, x);
  return (ql > bl ? CUT_LEFT : 0) + (qh < bh ? CUT_RIGHT : 0) + (ql < bh && bl < qh ? MEET : 0);
}

static uint64_t common_rows(const tilted *w, const cdag_box *b, int64_t lo, int64_t hi)
{
  int64_t sum = 0;
  tile_same(w->log, low_at(w, &w->q, lo) - low_at(w, b, lo));
  tile_same(w->log, high_at(w, &w->q, lo) - high_at(w, b, lo));
  tile_same(w->log, high_at(w, b, lo) - low_at(w, &w->q, lo));
  tile_same(w->log, b->lo[w->rank]);
  tile_same(w->log, b->hi[w->rank]);
  for (int64_t x = lo; x < hi; x++) {
    int64_t ql = low_at(w, &w->q, x), qh = high_at(w, &w->q, x), bl = low_at(w, b, x), bh = high_at(w, b, x);
    int64_t n = (qh < bh ? qh : bh) - (ql > bl ? ql : bl);
    sum += n > 0 ? n : 0;
  }
  return (uint64_t)sum;
}

/* In index r; which of the two lies behind is recorded. */
static bool apart_in(const tilted *w, const cdag_box *b, int r)
{
  const cdag_box *q = &w->q;
  bool after = b->hi[r] <= q->lo[r], apart = after || q->hi[r] <= b->lo[r];
  if (w->log && apart) {
    tile_log_equal(w->log, 2 * r + after);
    tile_above(w->log, (after ? q->lo[r] - b->hi[r] : b->lo[r] - q->hi[r]) + 1);
  }
  return apart;
}

/* On one side of one another in the first and the last row that is asked about, hence in all. */
static bool apart_in_rows(const tilted *w, const cdag_box *b)
{
  const cdag_box *q = &w->q;
  int row = w->way->row, side = w->way->side;
  int64_t x = q->lo[row], y = q->hi[row] - 1;
  int64_t right = low_at(w, q, x) - high_at(w, b, x), right_end = low_at(w, q, y) - high_at(w, b, y),
          left = low_at(w, b, x) - high_at(w, q, x), left_end = low_at(w, b, y) - high_at(w, q, y);
  bool to_right = right >= 0 && right_end >= 0, to_left = left >= 0 && left_end >= 0;
  if (w->log && (to_right || to_left)) {
    tile_log_equal(w->log, 2 * side + to_right);
    tile_above(w->log, (to_right ? right : left) + 1);
    tile_above(w->log, (to_right ? right_end : left_end) + 1);
  }
  return to_right || to_left;
}

/* What is recorded first are rows and their ends: what moves with time stays apart there. */
static bool lies_apart(const tilted *w, const cdag_box *b)
{
  for (int r = 0; r < w->rank && !w->log; r++) /* as most boxes do */
    if (r != w->way->side && (b->hi[r] <= w->q.lo[r] || w->q.hi[r] <= b->lo[r]))
      return true;
  bool apart = apart_in(w, b, w->way->row) || apart_in_rows(w, b);
  for (int r = 0; r < w->rank && !apart; r++)
    apart = is_plain(w, r) && apart_in(w, b, r);
  if (!apart)
    tile_same(w->log, -1);
  return apart;
}

/* Does it lie between the box's ends in both rows, hence in all between? */
static bool lies_between(const tilted *w, const cdag_box *b, int64_t first, int64_t last)
{
  bool between = true;
  for (int64_t x = first;; x = last) {
    between &= !tile_above(w->log, low_at(w, b, x) - low_at(w, &w->q, x));
    between &= !tile_above(w->log, high_at(w, &w->q, x) - high_at(w, b, x));
    if (x == last)
      return between;
  }
}

/* So many elements of what is asked about are in b. */
static uint64_t common(const tilted *w, const cdag_box *b)
{
  int64_t lo, hi;
  uint64_t plain = 1;
  cdag_box part;
  if (lies_apart(w, b))
    return 0;
  pebble_box_copy(&part, &w->q, w->rank + 1);
  for (int r = 0; r < w->rank; r++) {
    if (!is_plain(w, r))
      continue;
    overlap(w, b, r, &lo, &hi);
    plain *= (uint64_t)(hi - lo);
    part.lo[r] = 0;
    part.hi[r] = 1;
  }
  overlap(w, b, w->way->row, &lo, &hi);
  if (!lies_between(w, b, lo, hi - 1))
    return plain * common_rows(w, b, lo, hi);
  part.lo[w->way->row] = lo;
  part.hi[w->way->row] = hi;
  return plain * tile_tilt_volume(w->log, w->rank, w->way->row, w->way->side, &part);
}

/* Are so many in the set? */
static bool has_common(const tilted *w, uint64_t many)
{
  uint64_t sum = 0;
  for (size_t i = 0; sum < many && i < w->window->near; i++)
    sum += common(w, &w->set->box[i]);
  return sum >= many;
}

bool tile_tilt_meets(const tile_game *t, int array, bool red, const cdag_box *b)
{
  tilted w;
  return !ask(&w, t, array, red, b) || has_common(&w, 1);
}

bool tile_tilt_covers(const tile_game *t, int array, bool red, const cdag_box *b)
{
  tilted w;
  return ask(&w, t, array, red, b) &&
         has_common(&w, tile_tilt_volume(w.log, w.rank, w.way->row, w.way->side, &w.q));
}

/* `part` is of the same value of `along`, or lies apart. */
bool tile_tilt_covers_with(const tile_game *t, int array, const cdag_box *b, const cdag_box *part)
{
  tilted w;
  cdag_box own;
  int along = t->array[array].tilt.along;
  if (!ask(&w, t, array, true, b) || (along >= 0 && b->lo[along] != part->lo[along]))
    return false;
  pebble_box_copy(&own, part, w.rank + 1);
  upright(&own, w.rank, w.way->row, w.way->side);
  name_rows(&w, &own);
  uint64_t all = tile_tilt_volume(w.log, w.rank, w.way->row, w.way->side, &w.q), have = common(&w, &own);
  return have >= all || has_common(&w, all - have);
}

/* ---- boxes come ---- */

/* The last that is near comes in its place, and the last of all in that one's. */
static void forget(const tilted *w, size_t i)
{
  pebble_tiles *s = w->set;
  pebble_box_copy(&s->box[i], &s->box[--w->window->near], s->rank);
  pebble_box_copy(&s->box[w->window->near], &s->box[--s->n], s->rank);
}

static void append(pebble_tiles *s, const cdag_box *b)
{
  s->box = mem_room(s->box, s->n, &s->room, sizeof *s->box);
  pebble_box_copy(&s->box[s->n++], b, s->rank);
}

/* A lone row leans as another box does. */
static bool lean_as(const tilted *w, cdag_box *one, const cdag_box *as)
{
  int side = w->way->side, rank = w->rank;
  int64_t x = one->lo[w->way->row];
  if (one->hi[w->way->row] - x != 1 || as->hi[w->way->row] - as->lo[w->way->row] == 1)
    return false;
  if (!is_far(one->lo[side])) {
    one->lo[rank] = as->lo[rank];
    one->lo[side] -= as->lo[rank] * x;
  }
  if (!is_far(one->hi[side])) {
    one->hi[rank] = as->hi[rank];
    one->hi[side] -= as->hi[rank] * x;
  }
  return true;
}

static bool same_end(const cdag_box *a, const cdag_box *b, int r, bool high)
{
  return high ? a->hi[r] == b->hi[r] : a->lo[r] == b->lo[r];
}

/* The ends of rows, with their slopes. */
static bool same_side(const tilted *w, const cdag_box *a, const cdag_box *b, bool high)
{
  return same_end(a, b, w->way->side, high) && same_end(a, b, w->rank, high);
}

/* b goes on where a ends, or the other way round: in one index, or side by side. */
static bool join_in(const tilted *w, cdag_box *a, const cdag_box *b)
{
  int at = -1, side = w->way->side;
  for (int r = 0; r < w->rank; r++)
    if (r != side && (!same_end(a, b, r, false) || !same_end(a, b, r, true))) {
      if (at >= 0)
        return false;
      at = r;
    }
  bool sides = same_side(w, a, b, false) && same_side(w, a, b, true);
  if (at >= 0) {
    if (!sides || (a->hi[at] != b->lo[at] && b->hi[at] != a->lo[at]))
      return false;
    a->lo[at] = num_min(a->lo[at], b->lo[at]);
    a->hi[at] = num_max(a->hi[at], b->hi[at]);
    return true;
  }
  bool behind = a->hi[side] == b->lo[side] && a->hi[w->rank] == b->lo[w->rank],
       before = b->hi[side] == a->lo[side] && b->hi[w->rank] == a->lo[w->rank];
  if (behind) {
    a->hi[side] = b->hi[side];
    a->hi[w->rank] = b->hi[w->rank];
  } else if (before) {
    a->lo[side] = b->lo[side];
    a->lo[w->rank] = b->lo[w->rank];
  }
  return behind || before;
}

/* The same but for their ends, or abutting in one index: most boxes of a list are not. */
static bool touches(const tilted *w, const cdag_box *a, const cdag_box *b)
{
  int differ = 0;
  for (int r = 0; r < w->rank; r++)
    if (r != w->way->side && (a->lo[r] != b->lo[r] || a->hi[r] != b->hi[r])) {
      if (differ++ || (a->hi[r] != b->lo[r] && b->hi[r] != a->lo[r]))
        return false;
    }
  return true;
}

static bool join(const tilted *w, cdag_box *a, const cdag_box *b)
{
  cdag_box one, other;
  if (!touches(w, a, b))
    return false;
  pebble_box_copy(&one, a, w->rank + 1);
  pebble_box_copy(&other, b, w->rank + 1);
  if (!lean_as(w, &one, &other))
    lean_as(w, &other, &one);
  if (!join_in(w, &one, &other))
    return false;
  pebble_box_copy(a, &one, w->rank + 1);
  return true;
}

/* Boxes that join are the same ones in each iteration recorded; that others might, too, is no matter. */
static void put(const tilted *w, const cdag_box *b)
{
  cdag_box grown;
  pebble_box_copy(&grown, b, w->rank + 1);
  for (size_t i = 0; i < w->window->near;) {
    if (!join(w, &grown, &w->set->box[i])) {
      i++;
      continue;
    }
    tile_same(w->log, (int64_t)i);
    forget(w, i);
    i = 0;
  }
  append(w->set, &grown);
  swap(&w->set->box[w->set->n - 1], &w->set->box[w->window->near++]);
}

void tile_tilt_add(tile_game *t, int array, bool red, const cdag_box *b)
{
  tilted w;
  bool one = ask(&w, t, array, red, b);
  assert(one);
  (void)one;
  put(&w, &w.far);
}

/* ---- boxes go ---- */

static void keep(const tilted *w, const cdag_box *b, pebble_tiles *left)
{
  cdag_box piece;
  pebble_box_copy(&piece, b, w->rank + 1);
  upright(&piece, w->rank, w->way->row, w->way->side);
  append(left, &piece);
}

/* The part of b before, or behind, `of` in index r, whose ends lean if it is `side`. */
static void keep_beside(const tilted *w, const cdag_box *b, const cdag_box *of, int r, bool behind, pebble_tiles *left)
{
  cdag_box piece;
  int slope = r == w->way->side ? w->rank : r;
  pebble_box_copy(&piece, b, w->rank + 1);
  (behind ? piece.lo : piece.hi)[r] = behind ? of->hi[r] : of->lo[r];
  (behind ? piece.lo : piece.hi)[slope] = behind ? of->hi[slope] : of->lo[slope];
  keep(w, &piece, left);
}

/* Parts before and behind what is asked about in index r; *b is what is between. */
static void cut(const tilted *w, cdag_box *b, int r, pebble_tiles *left)
{
  if (b->lo[r] < w->far.lo[r])
    keep_beside(w, b, &w->far, r, false, left);
  if (b->hi[r] > w->far.hi[r])
    keep_beside(w, b, &w->far, r, true, left);
  b->lo[r] = num_max(b->lo[r], w->q.lo[r]);
  b->hi[r] = num_min(b->hi[r], w->q.hi[r]);
}

/* Rows that lie alike to what is asked about. */
static void cut_sides(const tilted *w, const cdag_box *b, int how, pebble_tiles *left)
{
  if (!(how & MEET))
    keep(w, b, left);
  for (int behind = 0; behind < 2 && how & MEET; behind++)
    if (how & (behind ? CUT_RIGHT : CUT_LEFT))
      keep_beside(w, b, &w->q, w->way->side, behind, left);
}

/* How the rows lie was recorded by `common`: all numbers of it stay, or it lies between the ends; of these that it lies
 * at them is recorded here. */
static void cut_rows(const tilted *w, const cdag_box *b, pebble_tiles *left)
{
  int row = w->way->row;
  cdag_box piece;
  pebble_box_copy(&piece, b, w->rank + 1);
  for (int64_t x = b->lo[row]; x < b->hi[row]; x = piece.hi[row]) {
    int how = relation(w, b, x);
    piece.lo[row] = x;
    piece.hi[row] = x + 1;
    while (piece.hi[row] < b->hi[row] && relation(w, b, piece.hi[row]) == how)
      piece.hi[row]++;
    tile_same(w->log, how);
    tile_same(w->log, piece.hi[row] - x);
    for (int64_t at = x; w->log; at = piece.hi[row] - 1) {
      tile_above(w->log, low_at(w, &w->q, at) - low_at(w, b, at));
      tile_above(w->log, high_at(w, b, at) - high_at(w, &w->q, at));
      if (at == piece.hi[row] - 1)
        break;
    }
    cut_sides(w, &piece, how, left);
  }
}

void tile_tilt_take(tile_game *t, int array, bool red, const cdag_box *b)
{
  tilted w;
  pebble_tiles left;
  bool one = ask(&w, t, array, red, b);
  assert(one);
  (void)one;
  pebble_tiles_init(&left, w.rank + 1);
  for (size_t i = 0; i < w.window->near;) {
    cdag_box of;
    if (common(&w, &w.set->box[i]) == 0) {
      i++;
      continue;
    }
    pebble_box_copy(&of, &w.set->box[i], w.rank + 1);
    forget(&w, i);
    for (int r = 0; r < w.rank; r++)
      if (is_plain(&w, r))
        cut(&w, &of, r, &left);
    cut(&w, &of, w.way->row, &left); /* at one value of `along`, where no rows are but those of the domain */
    cut_rows(&w, &of, &left);
  }
  for (size_t i = 0; i < left.n; i++)
    put(&w, &left.box[i]);
  pebble_tiles_clear(&left);
}

/* ---- sets as a whole ---- */

/* Slopes of lone rows, of FAR ends, ... are no matter to whether boxes are the same: all numbers are compared. */
static bool before(const cdag_box *a, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++) {
    if (a->lo[r] != b->lo[r])
      return a->lo[r] < b->lo[r];
    if (a->hi[r] != b->hi[r])
      return a->hi[r] < b->hi[r];
  }
  return false;
}

void tile_tilt_sort(tile_game *t, int array, bool red)
{
  pebble_tiles *s = red ? &t->array[array].red : &t->array[array].blue;
  for (size_t i = 1; i < t->array[array].window[red].near; i++) {
    cdag_box b;
    size_t k = i;
    pebble_box_copy(&b, &s->box[i], s->rank);
    for (; k > 0 && before(&b, &s->box[k - 1], s->rank); k--)
      pebble_box_copy(&s->box[k], &s->box[k - 1], s->rank);
    pebble_box_copy(&s->box[k], &b, s->rank);
    if (k < i)
      tile_same(t->log, (int64_t)(i * s->n + k));
  }
}

static void start_set(pebble_tiles *s, int rank)
{
  pebble_tiles_clear(s);
  pebble_tiles_init(s, rank + 1);
}

void tile_lay_tilted(pebble_game *game, int array, int row, int side, int along, int slope, int aside)
{
  tile_game *t = (tile_game *)game;
  tile_array *a = &t->array[array];
  const tile_rule *rule = &t->rules.rule[array];
  if (t->tight || t->blind || !rule->rectangular || rule->rank + 1 > CDAG_RANK || (!a->input && a->blue.n))
    return;
  for (int r = 0; r < rule->rank; r++)
    if (!tile_has_room(&rule->hull, r))
      return;
  bool blue = a->blue.n > 0;
  a->tilt = (tile_tilt){ true, along, row, side, slope, aside };
  a->red_shear = a->blue_shear = (tile_shear){ 0 };
  a->red_lean = (tile_lean){ .leans = true, .side = side };
  start_set(&a->red, rule->rank);
  start_set(&a->blue, rule->rank);
  if (!blue)
    return;
  cdag_box all;
  pebble_box_copy(&all, &rule->hull, rule->rank); /* in every row, and beyond */
  all.lo[row] = all.lo[side] = -TILE_FAR;
  all.hi[row] = all.hi[side] = TILE_FAR;
  all.lo[rule->rank] = all.hi[rule->rank] = 0;
  append(&a->blue, &all);
  a->window[false].near = 1;
}
