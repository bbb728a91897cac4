/* tiles.c -- see tiles.h.  Lists are short in practice (a block schedule leaves a handful of boxes), so every
   operation is one pass over the list, or, when it is long, over what its index finds near. */
#include "pebble/tile/tiles.h"
#include "base/mem.h"
#include <assert.h>
#include <stdlib.h>

enum { LIST_SHORT = 16 };      /* boxes that need no index */

void pebble_tiles_init(pebble_tiles *s, int rank)
{
  *s = (pebble_tiles){ .rank = rank, .index_due = LIST_SHORT + 1 };
}

void pebble_tiles_clear(pebble_tiles *s)
{
  tiles_index_free(s->index);
  mem_free(s->box);
  mem_free(s->piece);
  mem_free(s->hit);
  *s = (pebble_tiles){ .rank = s->rank, .index_due = LIST_SHORT + 1 };
}

/* An index for the list as it is now, if it is long. */
static void make_index(pebble_tiles *s)
{
  tiles_index_free(s->index);
  s->index = s->n > LIST_SHORT ? tiles_index_new(s->box, s->n, s->rank) : NULL;
  s->index_due = s->n > LIST_SHORT ? 2 * s->n : LIST_SHORT + 1;
}

void pebble_tiles_moved(pebble_tiles *s) { make_index(s); }

void pebble_tiles_copy(pebble_tiles *to, const pebble_tiles *from)
{
  to->n = 0;
  to->rank = from->rank;
  while (to->n < from->n) {
    to->box = mem_room(to->box, to->n, &to->room, sizeof *to->box);
    pebble_box_copy(&to->box[to->n], &from->box[to->n], from->rank);
    to->n++;
  }
  make_index(to);
}

/* ---- questions ---- */

/* The boxes that may meet b, or also those that abut it, one after the other: all of a short list. */
enum { MEETING, ABUTTING };
typedef struct {
  const pebble_tiles *s;
  bool near;
  size_t at;
  tiles_cursor cursor;
} walk;

static inline void walk_start(walk *w, const pebble_tiles *s, const cdag_box *b, int64_t around)
{
  w->s = s;
  w->at = 0;
  w->near = s->index && tiles_cursor_start(&w->cursor, s->index, s->box, s->n, b, around);
}

static inline bool walk_next(walk *w, size_t *i)
{
  if (!w->near) {
    *i = w->at++;
    return *i < w->s->n;
  }
  int32_t found = tiles_cursor_next(&w->cursor);
  *i = (size_t)found;
  return found != TILES_NONE;
}

bool pebble_tiles_meet_many(const pebble_tiles *s, const cdag_box *b)
{
  walk w;
  walk_start(&w, s, b, MEETING);
  for (size_t i; walk_next(&w, &i);)
    if (cdag_box_meets(&s->box[i], b, s->rank))
      return true;
  return false;
}

uint64_t pebble_tiles_common(const pebble_tiles *s, const cdag_box *b)
{
  uint64_t v = 0;
  walk w;
  walk_start(&w, s, b, MEETING);
  for (size_t i; walk_next(&w, &i);)
    v += pebble_box_common(&s->box[i], b, s->rank);
  return v;
}

bool pebble_tiles_cover_many(const pebble_tiles *s, const cdag_box *b)
{
  uint64_t v = 0;
  walk w;
  walk_start(&w, s, b, MEETING);
  for (size_t i; walk_next(&w, &i);) {
    if (pebble_box_inside(b, &s->box[i], s->rank))
      return true;
    v += pebble_box_common(&s->box[i], b, s->rank);
  }
  return v == pebble_box_volume(b, s->rank);
}

bool pebble_tiles_hold(const pebble_tiles *s, const int64_t *x)
{
  cdag_box point;
  for (int r = 0; r < s->rank; r++) {
    point.lo[r] = x[r];
    point.hi[r] = x[r] + 1;
  }
  walk w;
  walk_start(&w, s, &point, MEETING);
  for (size_t i; walk_next(&w, &i);)
    if (pebble_box_inside(&point, &s->box[i], s->rank))
      return true;
  return false;
}

/* ---- changes ---- */

/* Do a and b, which are disjoint, differ in one index only, and abut there?  Then *at is that index. */
static bool joins(const cdag_box *a, const cdag_box *b, int rank, int *at)
{
  *at = -1;
  for (int r = 0; r < rank; r++)
    if (a->lo[r] != b->lo[r] || a->hi[r] != b->hi[r]) {
      if (*at >= 0)
        return false;
      *at = r;
    }
  assert(*at >= 0);
  return a->hi[*at] == b->lo[*at] || b->hi[*at] == a->lo[*at];
}

/* Box i grows by b. */
static bool join(pebble_tiles *s, size_t i, const cdag_box *b)
{
  cdag_box *a = &s->box[i];
  int at;
  if (!joins(a, b, s->rank, &at))
    return false;
  if (s->index)
    tiles_index_unhang(s->index, s->box, i);
  if (a->hi[at] == b->lo[at])
    a->hi[at] = b->hi[at];
  else
    a->lo[at] = b->lo[at];
  if (s->index)
    tiles_index_hang(s->index, s->box, i);
  return true;
}

static void append(pebble_tiles *s, const cdag_box *b)
{
  if (s->n == s->room)
    s->box = mem_room(s->box, s->n, &s->room, sizeof *s->box);
  pebble_box_copy(&s->box[s->n++], b, s->rank);
  if (s->n >= s->index_due)
    make_index(s);
  else if (s->index)
    tiles_index_hang(s->index, s->box, s->n - 1);
}

static void forget(pebble_tiles *s, size_t i)
{
  size_t last = s->n - 1;
  if (s->index) {
    tiles_index_unhang(s->index, s->box, i);
    if (i != last)
      tiles_index_unhang(s->index, s->box, last);
  }
  s->n = last;
  if (i == last)
    return;
  pebble_box_copy(&s->box[i], &s->box[last], s->rank);
  if (s->index)
    tiles_index_hang(s->index, s->box, i);
}

/* Grow some box other than `not` by b; which one, or s->n. */
static size_t join_some(pebble_tiles *s, const cdag_box *b, size_t not)
{
  walk w;
  walk_start(&w, s, b, ABUTTING);
  for (size_t i; walk_next(&w, &i);)
    if (i != not && join(s, i, b))
      return i;
  return s->n;
}

void pebble_tiles_add(pebble_tiles *s, const cdag_box *b)
{
  size_t i = s->n ? join_some(s, b, SIZE_MAX) : 0, k;
  if (i == s->n) {
    append(s, b);
    return;
  }
  /* the grown box may now abut another one */
  while (s->n > 1 && (k = join_some(s, &s->box[i], i)) < s->n) {
    forget(s, i);
    i = k < s->n ? k : i; /* the last box moved into the hole */
  }
  if (s->index && s->n <= LIST_SHORT / 2)
    make_index(s);
}

static void keep_piece(pebble_tiles *s, const cdag_box *b)
{
  if (s->pieces == s->piece_room)
    s->piece = mem_room(s->piece, s->pieces, &s->piece_room, sizeof *s->piece);
  pebble_box_copy(&s->piece[s->pieces++], b, s->rank);
}

enum { REST = 2 * CDAG_RANK };  /* the most pieces that one box leaves of another */

/* The parts of a outside b, cut off index by index from the outermost: how many. */
static int rest_of(const cdag_box *a, const cdag_box *b, int rank, cdag_box *piece)
{
  cdag_box rest;
  int n = 0;
  pebble_box_copy(&rest, a, rank);
  for (int r = 0; r < rank; r++) {
    if (rest.lo[r] < b->lo[r]) {
      pebble_box_copy(&piece[n], &rest, rank);
      piece[n++].hi[r] = b->lo[r];
      rest.lo[r] = b->lo[r];
    }
    if (rest.hi[r] > b->hi[r]) {
      pebble_box_copy(&piece[n], &rest, rank);
      piece[n++].lo[r] = b->hi[r];
      rest.hi[r] = b->hi[r];
    }
  }
  return n;
}

/* Box i, which meets b, is given up but for its parts outside. */
static void cut(pebble_tiles *s, size_t i, const cdag_box *b)
{
  cdag_box piece[REST];
  int n = rest_of(&s->box[i], b, s->rank, piece);
  forget(s, i);
  for (int k = 0; k < n; k++)
    keep_piece(s, &piece[k]);
}

/* A list of one box that b shortens at one end: the commonest case, in place. */
static bool shorten(pebble_tiles *s, const cdag_box *b)
{
  cdag_box *a = s->box;
  int at = -1;
  for (int r = 0; r < s->rank; r++) {
    if (b->lo[r] <= a->lo[r] && b->hi[r] >= a->hi[r])
      continue;
    if (at >= 0 || (b->lo[r] > a->lo[r] && b->hi[r] < a->hi[r]) || b->hi[r] <= a->lo[r] || b->lo[r] >= a->hi[r])
      return false;
    at = r;
  }
  if (at < 0)
    s->n = 0;
  else if (b->lo[at] <= a->lo[at])
    a->lo[at] = b->hi[at];
  else
    a->hi[at] = b->lo[at];
  return true;
}

static void take_from(pebble_tiles *s, size_t i, const cdag_box *b)
{
  if (pebble_box_inside(&s->box[i], b, s->rank))
    forget(s, i);
  else if (cdag_box_meets(&s->box[i], b, s->rank))
    cut(s, i, b);
}

static int downwards(const void *a, const void *b)
{
  size_t p = *(const size_t *)a, q = *(const size_t *)b;
  return p < q ? 1 : -1; /* they differ */
}

/* The boxes of a long list that meet b, last first: giving one up moves only the last into its place. */
static void subtract_near(pebble_tiles *s, const cdag_box *b)
{
  size_t n = 0;
  walk w;
  walk_start(&w, s, b, MEETING);
  for (size_t i; walk_next(&w, &i);)
    if (cdag_box_meets(&s->box[i], b, s->rank)) {
      s->hit = mem_room(s->hit, n, &s->hit_room, sizeof *s->hit);
      s->hit[n++] = i;
    }
  if (n > 1)
    qsort(s->hit, n, sizeof *s->hit, downwards);
  for (size_t k = 0; k < n; k++)
    take_from(s, s->hit[k], b);
}

/* The boxes that meet b are given up; what is left of them are the pieces. */
static void take(pebble_tiles *s, const cdag_box *b)
{
  s->pieces = 0;
  if (s->index) /* the quick way */
    subtract_near(s, b);
  else
    for (size_t i = s->n; i-- > 0;) /* the box that moves into a hole was seen */
      take_from(s, i, b);
}

void pebble_tiles_subtract(pebble_tiles *s, const cdag_box *b)
{
  if (s->n == 1 && !s->index && shorten(s, b))
    return;
  take(s, b);
  for (size_t i = 0; i < s->pieces; i++)
    pebble_tiles_add(s, &s->piece[i]); /* elements taken one by one leave a few boxes, not a heap of crumbs */
}

/* ---- boxes around boxes ---- */

/* Tell f of every part of the box around a and b, which are disjoint, that is in neither; false when f says so. */
static bool each_gap(const cdag_box *around, const cdag_box *a, const cdag_box *b, int rank, const pebble_voids *v,
                     bool told)
{
  cdag_box piece[REST], part[REST];
  for (int i = rest_of(around, a, rank, piece); i-- > 0;) {
    bool met = cdag_box_meets(&piece[i], b, rank);
    int n = met ? rest_of(&piece[i], b, rank, part) : 1;
    for (int k = 0; k < n; k++) {
      const cdag_box *gap = met ? &part[k] : &piece[i];
      if (told)
        v->filled(v->context, gap);
      else if (!v->is_void(v->context, gap))
        return false;
    }
  }
  return true;
}

/* b becomes the box around itself and box i, which leaves the list. */
static bool surround(pebble_tiles *s, size_t i, cdag_box *b, const pebble_voids *v)
{
  const cdag_box *a = &s->box[i];
  cdag_box around;
  for (int r = 0; r < s->rank; r++) {
    around.lo[r] = a->lo[r] < b->lo[r] ? a->lo[r] : b->lo[r];
    around.hi[r] = a->hi[r] > b->hi[r] ? a->hi[r] : b->hi[r];
  }
  if (!each_gap(&around, a, b, s->rank, v, false) || pebble_tiles_common(s, &around) != pebble_box_volume(a, s->rank))
    return false;
  each_gap(&around, a, b, s->rank, v, true);
  pebble_box_copy(b, &around, s->rank);
  forget(s, i);
  return true;
}

/* Not even a corner between them. */
static bool touches(const cdag_box *a, const cdag_box *b, int rank)
{
  for (int r = 0; r < rank; r++)
    if (a->lo[r] > b->hi[r] || b->lo[r] > a->hi[r])
      return false;
  return true;
}

/* In a long list only boxes that touch are looked at. */
static bool surround_some(pebble_tiles *s, cdag_box *b, const pebble_voids *v)
{
  walk w;
  walk_start(&w, s, b, ABUTTING);
  for (size_t i; walk_next(&w, &i);)
    if ((s->n <= LIST_SHORT || touches(&s->box[i], b, s->rank)) && surround(s, i, b, v))
      return true;
  return false;
}

void pebble_tiles_add_loosely(pebble_tiles *s, const cdag_box *b, const pebble_voids *voids)
{
  cdag_box grown;
  pebble_box_copy(&grown, b, s->rank);
  while (surround_some(s, &grown, voids))
    ;
  pebble_tiles_add(s, &grown);
}

void pebble_tiles_subtract_loosely(pebble_tiles *s, const cdag_box *b, const pebble_voids *voids)
{
  take(s, b);
  for (size_t i = 0; i < s->pieces; i++)
    if (voids->is_void(voids->context, &s->piece[i]))
      voids->filled(voids->context, &s->piece[i]);
    else
      pebble_tiles_add(s, &s->piece[i]);
}

void pebble_tiles_unite(pebble_tiles *s, const cdag_box *b)
{
  pebble_tiles_subtract(s, b);
  pebble_tiles_add(s, b);
}

uint64_t pebble_tiles_volume(const pebble_tiles *s)
{
  uint64_t v = 0;
  for (size_t i = 0; i < s->n; i++)
    v += pebble_box_volume(&s->box[i], s->rank);
  return v;
}

const char *pebble_tiles_check(const pebble_tiles *s)
{
  for (size_t i = 0; i < s->n; i++) {
    if (pebble_box_empty(&s->box[i], s->rank))
      return "an empty box";
    for (size_t k = 0; k < i; k++)
      if (cdag_box_meets(&s->box[i], &s->box[k], s->rank))
        return "two boxes meet";
  }
  return s->index ? tiles_index_check(s->index, s->box, s->n) : NULL;
}
