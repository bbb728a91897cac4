/* tiles.c -- see tiles.h.  Lists are short in practice (a block schedule leaves a handful of boxes), so every
   operation is one pass over the list. */
#include "pebble/tiles.h"
#include "base/mem.h"
#include <string.h>

void pebble_tiles_init(pebble_tiles *s, int rank)
{
  *s = (pebble_tiles){ .rank = rank };
}

void pebble_tiles_clear(pebble_tiles *s)
{
  mem_free(s->box);
  mem_free(s->piece);
  *s = (pebble_tiles){ .rank = s->rank };
}

void pebble_tiles_copy(pebble_tiles *to, const pebble_tiles *from)
{
  to->n = 0;
  to->rank = from->rank;
  while (to->n < from->n) {
    to->box = mem_room(to->box, to->n, &to->room, sizeof *to->box);
    pebble_box_copy(&to->box[to->n], &from->box[to->n], from->rank);
    to->n++;
  }
}

bool pebble_tiles_meet(const pebble_tiles *s, const cdag_box *b)
{
  for (size_t i = 0; i < s->n; i++)
    if (pebble_box_meets(&s->box[i], b, s->rank))
      return true;
  return false;
}

uint64_t pebble_tiles_common(const pebble_tiles *s, const cdag_box *b)
{
  uint64_t v = 0;
  for (size_t i = 0; i < s->n; i++)
    v += pebble_box_common(&s->box[i], b, s->rank);
  return v;
}

bool pebble_tiles_cover(const pebble_tiles *s, const cdag_box *b)
{
  for (size_t i = 0; i < s->n; i++)
    if (pebble_box_inside(b, &s->box[i], s->rank))
      return true;
  return s->n > 1 && pebble_tiles_common(s, b) == pebble_box_volume(b, s->rank);
}

bool pebble_tiles_hold(const pebble_tiles *s, const int64_t *x)
{
  for (size_t i = 0; i < s->n; i++) {
    int r = 0;
    while (r < s->rank && x[r] >= s->box[i].lo[r] && x[r] < s->box[i].hi[r])
      r++;
    if (r == s->rank)
      return true;
  }
  return false;
}

/* Do a and b differ in one index only, and abut there?  Then a grows by b. */
static bool join(cdag_box *a, const cdag_box *b, int rank)
{
  int at = -1;
  for (int r = 0; r < rank; r++)
    if (a->lo[r] != b->lo[r] || a->hi[r] != b->hi[r]) {
      if (at >= 0)
        return false;
      at = r;
    }
  if (at < 0)
    return false;
  if (a->hi[at] == b->lo[at])
    a->hi[at] = b->hi[at];
  else if (b->hi[at] == a->lo[at])
    a->lo[at] = b->lo[at];
  else
    return false;
  return true;
}

static void append(pebble_tiles *s, const cdag_box *b)
{
  if (s->n == s->room)
    s->box = mem_room(s->box, s->n, &s->room, sizeof *s->box);
  pebble_box_copy(&s->box[s->n++], b, s->rank);
}

static void forget(pebble_tiles *s, size_t i)
{
  if (i != --s->n)
    pebble_box_copy(&s->box[i], &s->box[s->n], s->rank);
}

void pebble_tiles_add(pebble_tiles *s, const cdag_box *b)
{
  size_t i = 0;
  while (i < s->n && !join(&s->box[i], b, s->rank))
    i++;
  if (i == s->n) {
    append(s, b);
    return;
  }
  /* the grown box may now abut another one */
  for (size_t k = 0; s->n > 1 && k < s->n; k++)
    if (k != i && join(&s->box[k], &s->box[i], s->rank)) {
      forget(s, i);
      i = k < s->n ? k : i; /* the last box moved into the hole */
      k = (size_t)-1;
    }
}

static void keep_piece(pebble_tiles *s, const cdag_box *b)
{
  if (s->pieces == s->piece_room)
    s->piece = mem_room(s->piece, s->pieces, &s->piece_room, sizeof *s->piece);
  pebble_box_copy(&s->piece[s->pieces++], b, s->rank);
}

/* The parts of box i outside b, cut off index by index from the outermost; box i is given up. */
static void cut(pebble_tiles *s, size_t i, const cdag_box *b)
{
  cdag_box rest, piece;
  pebble_box_copy(&rest, &s->box[i], s->rank);
  forget(s, i);
  for (int r = 0; r < s->rank; r++) {
    if (rest.lo[r] < b->lo[r]) {
      pebble_box_copy(&piece, &rest, s->rank);
      piece.hi[r] = b->lo[r];
      keep_piece(s, &piece);
      rest.lo[r] = b->lo[r];
    }
    if (rest.hi[r] > b->hi[r]) {
      pebble_box_copy(&piece, &rest, s->rank);
      piece.lo[r] = b->hi[r];
      keep_piece(s, &piece);
      rest.hi[r] = b->hi[r];
    }
  }
}

void pebble_tiles_subtract(pebble_tiles *s, const cdag_box *b)
{
  s->pieces = 0;
  for (size_t i = s->n; i-- > 0;) { /* the box that moves into a hole was seen */
    if (pebble_box_inside(&s->box[i], b, s->rank))
      forget(s, i);
    else if (pebble_box_meets(&s->box[i], b, s->rank))
      cut(s, i, b);
  }
  for (size_t i = 0; i < s->pieces; i++)
    pebble_tiles_add(s, &s->piece[i]); /* elements taken one by one leave a few boxes, not a heap of crumbs */
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
      if (pebble_box_meets(&s->box[i], &s->box[k], s->rank))
        return "two boxes meet";
  }
  return NULL;
}
