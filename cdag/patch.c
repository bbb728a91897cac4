/* patch.c -- see patch.h.

   A sequence falls into runs of one step, each sharing its last element with the next.  The shared one goes to the longer run,
   or to the first; what is left of a run is a piece, and runs of two elements, which any two make, are single elements.  A row
   is the sequence of its entries; rows are a sequence for a piece: those with a piece between the same ends are linked.  So
   the parts depend on the table only, not on what is asked first. */
#include "cdag/patch_internal.h"
#include "base/mem.h"

typedef patch_piece piece;

typedef struct { int64_t row; bool has; } seen_row;

typedef struct sequence {
  /* Are elements x and x + 1 there and linked, and by what step? */
  bool (*link)(const struct sequence *s, int64_t x, int64_t *step);
  const expr_table *t;
  int64_t rows, columns;
  int64_t row;                 /* of entries: theirs */
  piece of;                    /* of rows: theirs */
  seen_row *seen;              /* of rows: the even and the odd one looked at last */
} sequence;

static piece single(int64_t x) { return (piece){ x, x + 1, 0 }; }
static int64_t length(piece p) { return p.to - p.from; }

static bool goes_on(const sequence *s, int64_t x, int64_t step)
{
  int64_t other;
  return s->link(s, x, &other) && other == step;
}

/* The run of x and x + 1; when it is longer than `most`, a part of it that is longer, too. */
static piece run_of(const sequence *s, int64_t x, int64_t most)
{
  piece p = { x, x + 2, 0 };
  if (!s->link(s, x, &p.slope))
    return single(x);
  while (length(p) <= most && goes_on(s, p.to - 1, p.slope))
    p.to++;
  while (length(p) <= most && goes_on(s, p.from - 1, p.slope))
    p.from--;
  return p;
}

static piece piece_at(const sequence *s, int64_t x)
{
  piece before = run_of(s, x - 1, INT64_MAX), after = before.to > x + 1 ? before : run_of(s, x, INT64_MAX), p = length(after) > length(before) ? after : before;
  int64_t n = length(p);
  if (n < 3)
    return single(x);
  p.from += p.from != x && length(run_of(s, p.from - 1, n)) >= n;
  p.to -= p.to != x + 1 && length(run_of(s, p.to - 1, n)) > n;
  p.slope = length(p) > 1 ? p.slope : 0;
  return p;
}

static int64_t value(const sequence *s, int64_t row, int64_t column) { return expr_entry(s->t, row * s->columns + column); }

static bool step_of(int64_t earlier, int64_t later, int64_t *step) { return !__builtin_sub_overflow(later, earlier, step); }

static bool link_entries(const sequence *s, int64_t x, int64_t *step)
{
  return x >= 0 && x + 1 < s->columns && step_of(value(s, s->row, x), value(s, s->row, x + 1), step);
}

static piece columns_at(const sequence *s, int64_t row, int64_t column)
{
  sequence entries = *s;
  entries.link = link_entries;
  entries.row = row;
  return piece_at(&entries, column);
}

piece patch_piece_at(const expr_table *t, int64_t row, int64_t column)
{
  return columns_at(&(sequence){ .t = t, .columns = t->extent[t->rank - 1] }, row, column);
}

static bool has_piece(const sequence *s, int64_t row)
{
  piece p = columns_at(s, row, s->of.from);
  return p.from == s->of.from && p.to == s->of.to && p.slope == s->of.slope;
}

/* Most rows are asked about twice, for each of their neighbors. */
static bool has_piece_again(const sequence *s, int64_t row)
{
  if (s->seen[row % 2].row != row) {
    s->seen[row % 2].has = has_piece(s, row);
    s->seen[row % 2].row = row;
  }
  return s->seen[row % 2].has;
}

static bool link_rows(const sequence *s, int64_t x, int64_t *step)
{
  return x >= 0 && x + 1 < s->rows && has_piece_again(s, x) && has_piece_again(s, x + 1) &&
         step_of(value(s, x, s->of.from), value(s, x + 1, s->of.from), step);
}

/* ---- which patch an entry is in ----
   Entries of a square of the table stand together: of what is never asked for, as what lies beyond the kept blocks of a mask's rows, no memory is touched. */

enum { SQUARE_BITS = 6 };

/* A table of few rows, or columns, has lower squares, or narrower ones. */
static int bits_of(int64_t n)
{
  int bits = 0;
  while (bits < SQUARE_BITS && (int64_t)1 << bits < n)
    bits++;
  return bits;
}

static int64_t squares(int64_t n, int bits) { return ((n - 1) >> bits) + 1; }

static void make_places(cdag_patches *known, const sequence *s)
{
  known->bits[0] = bits_of(s->rows);
  known->bits[1] = bits_of(s->columns);
  known->of = MEM_NEW(int32_t, (size_t)(squares(s->rows, known->bits[0]) * squares(s->columns, known->bits[1])) << (known->bits[0] + known->bits[1]));
}

static int64_t place_of(const cdag_patches *known, const sequence *s, int64_t row, int64_t column)
{
  int high = known->bits[0], wide = known->bits[1];
  int64_t square = (row >> high) * squares(s->columns, wide) + (column >> wide);
  return (((square << high) + (row & (((int64_t)1 << high) - 1))) << wide) + (column & (((int64_t)1 << wide) - 1));
}

static void find(cdag_patches *known, sequence *s, int64_t row, int64_t column)
{
  seen_row seen[2] = { { -1, false }, { -1, false } };
  s->of = columns_at(s, row, column);
  s->seen = seen;
  s->link = link_rows;
  piece rows = piece_at(s, row);
  known->patch = mem_room(known->patch, known->n, &known->room, sizeof *known->patch);
  known->patch[known->n++] = (cdag_patch){ { rows.from, s->of.from }, { rows.to, s->of.to }, { rows.slope, s->of.slope } };
  for (int64_t r = rows.from; r < rows.to; r++)
    for (int64_t c = s->of.from; c < s->of.to; c++)
      known->of[place_of(known, s, r, c)] = (int32_t)known->n;
}

const cdag_patch *cdag_patch_at(cdag_patches *known, const expr_table *t, const int64_t *at)
{
  if (t->rank > 2)
    return NULL;
  sequence s = { .t = t, .rows = t->rank == 2 ? t->extent[0] : 1, .columns = t->extent[t->rank - 1] };
  int64_t row = t->rank == 2 ? at[0] : 0, column = at[t->rank - 1];
  if (row < 0 || row >= s.rows || column < 0 || column >= s.columns)
    return NULL;
  if (!known->of)
    make_places(known, &s);
  const int32_t *of = &known->of[place_of(known, &s, row, column)];
  if (!*of)
    find(known, &s, row, column);
  return &known->patch[*of - 1];
}

void cdag_patches_clear(cdag_patches *known)
{
  mem_free(known->of);
  mem_free(known->patch);
  mem_free(known->kin);
  *known = (cdag_patches){ 0 };
}
