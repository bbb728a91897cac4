/* compact.h -- elementary moves in bytes: the compact form of a list, beside the text (docs/schedule-language.md).

   A list is the magic bytes, blocks, and an end that says how many moves there are.  A block is its length (4 bytes,
   the lowest first), the digest of what follows (FNV-1a, 8 bytes), and whole moves.  The end is a length of 0 and the
   number of moves in 8 bytes.
   A move is of a kind that holds all but the indices: load, store, ..., the array, the array dropped with a compute.
   Kinds are numbered as they first appear.  The move's indices, and those of the element dropped, differ from those of
   the move of this kind before by a step: a move is the number 2 kind when the step is that of the move before too,
   else 2 kind + 1 and the step.  A loop's moves take a byte each, as their steps repeat.
   Numbers have 7 bits a byte, the lowest first, 128 more in all but the last; steps alternate: 0, -1, 1, -2, ...
   A new kind, its number the next, is described behind its first number: the word (0 load, 1 store, 2 compute, 3 drop,
   4 erase; 5 more: compute with a drop), the array, the dropped array.  An array is its number; a new one, its number
   the next, is followed by its number of indices, the length of its name, and the name. */
#ifndef REDBLUE_SCHEDULES_COMPACT_H
#define REDBLUE_SCHEDULES_COMPACT_H

#include "schedules/play/elementary.h"
#include "schedules/play/reader.h"

/* ---- writing ---- */

typedef struct compact_writer compact_writer;
/* Borrows both; whether `to` took it all is the caller's to ask. */
compact_writer *compact_writer_new(FILE *to, const cdag *g);
void compact_add(compact_writer *w, const schedule_step *step);
/* The end; returns the number of bytes.  NULL is fine. */
uint64_t compact_writer_end(compact_writer *w);

/* ---- reading ---- */

/* A kind of move, with its last move: a box of one element, at most one dropped. */
typedef struct {
  pebble_move move;
  pebble_drop drop;
  int64_t step[2 * CDAG_RANK];
  int rank, drop_rank, column; /* column: where the element stands in the line of text that says the same */
} compact_kind;

typedef struct {
  schedule_reader *r;
  const cdag *g;
  compact_kind **kind;         /* each stays where it is */
  size_t kinds, kind_room;
  int *array;                  /* by number in the list: the computation's */
  size_t arrays, array_room;
  uint64_t moves, offset;      /* offset: of `from` in the file */
  const char *from, *at, *end; /* of the block */
} compact_reader;

bool schedule_is_compact(const char *begins); /* do a list's first bytes, which end in '\0' */
void compact_reader_init(compact_reader *c, schedule_reader *r, const cdag *g);
void compact_reader_clear(compact_reader *c);
/* The next block; *more is false behind the last.  BAD_INPUT "format" with the offset of what is damaged. */
status compact_block(compact_reader *c, bool *more, diag *d);
/* The next move of the block, to be read before the next call.  NULL behind the last, or where the block is wrong: then
   *st says so. */
static inline const compact_kind *compact_next(compact_reader *c, status *st, diag *d);

/* ---- most moves, at once ---- */

/* A move with a step of its own, or of a new kind; NULL at the end. */
const compact_kind *compact_other(compact_reader *c, status *st, diag *d);
const compact_kind *compact_too_large(const compact_reader *c, status *st, diag *d); /* NULL */

/* One index on; false where it would be the largest there is, which no box holds. */
static inline bool compact_advance(cdag_box *box, int r, int64_t step)
{
  uint64_t x = (uint64_t)box->lo[r] + (uint64_t)step;
  box->lo[r] = (int64_t)x;
  box->hi[r] = (int64_t)(x + 1);
  return x != INT64_MAX;
}

static inline bool compact_advance_all(compact_kind *k)
{
  bool good = true;
  for (int r = 0; r < k->rank; r++)
    good &= compact_advance(&k->move.box, r, k->step[r]);
  for (int r = 0; r < k->drop_rank; r++)
    good &= compact_advance(&k->drop.box, r, k->step[k->rank + r]);
  return good;
}

static inline const compact_kind *compact_next(compact_reader *c, status *st, diag *d)
{
  unsigned char code = c->at < c->end ? (unsigned char)*c->at : 255;
  if (code >= 128 || code % 2 || code / 2 >= c->kinds)
    return compact_other(c, st, d);
  compact_kind *k = c->kind[code / 2];
  c->at++;
  c->moves++;
  return compact_advance_all(k) ? k : compact_too_large(c, st, d);
}

#endif
