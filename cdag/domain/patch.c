/* patch.c -- see patch.h.

   A sequence falls into runs of one step, each sharing its last element with the next.  The shared one goes to the
   longer run, or to the first; what is left of a run is a piece, and runs of two elements, which any two make, are
   single elements.  A row is the sequence of its entries; rows are a sequence for a piece: those with a piece between
   the same ends are linked.  So the parts depend on the table only, not on what is asked first. */
#include "cdag/domain/patch_internal.h"
#include "base/mem.h"
#include "base/num.h"
#include <string.h>

typedef patch_piece piece;

/* Has a row a piece?  Of the row in which that was looked for last, the entries that decided it. */
typedef struct { int64_t row, from, to; bool has; } seen_row;
typedef struct { int64_t row; bool has; } known_row;

typedef struct sequence {
  const expr_table *t;
  int64_t rows, columns;
  int64_t row;                 /* of entries: theirs.  Of rows: ROWS */
  piece of;                    /* of rows: theirs */
  seen_row *seen;              /* of rows; of entries, or NULL: how far they were looked at */
  known_row *known;            /* of rows: the even and the odd one asked about last */
} sequence;

enum { ROWS = -1 };

static piece single(int64_t x) { return (piece){ x, x + 1, 0 }; }
static int64_t length(piece p) { return p.to - p.from; }
static int64_t value(const sequence *s, int64_t row, int64_t column)
{
  return expr_entry(s->t, row * s->columns + column);
}
static bool step_of(int64_t earlier, int64_t later, int64_t *step)
{
  return !__builtin_sub_overflow(later, earlier, step);
}

static bool link_rows(const sequence *s, int64_t x, int64_t *step);

/* Are elements x and x + 1 there and linked, and by what step? */
static inline bool is_linked(const sequence *s, int64_t x, int64_t *step)
{
  if (s->row == ROWS)
    return link_rows(s, x, step);
  return x >= 0 && x + 1 < s->columns && step_of(value(s, s->row, x), value(s, s->row, x + 1), step);
}

static inline bool goes_on(const sequence *s, int64_t x, int64_t step)
{
  int64_t other;
  return is_linked(s, x, &other) && other == step;
}

/* Elements from..to were asked about. */
static void look(const sequence *s, int64_t from, int64_t to)
{
  if (s->row == ROWS || !s->seen)
    return;
  s->seen->from = num_min(s->seen->from, num_max(from, 0));
  s->seen->to = num_max(s->seen->to, num_min(to, s->columns));
}

static void extend(const sequence *s, piece *p, int64_t most)
{
  while (length(*p) <= most && goes_on(s, p->to - 1, p->slope))
    p->to++;
  while (length(*p) <= most && goes_on(s, p->from - 1, p->slope))
    p->from--;
}

/* The same where steps do not overflow. */
static void extend_narrow(const sequence *s, piece *p, int64_t most)
{
  const int16_t *v = s->t->narrow + s->row * s->columns;
  while (length(*p) <= most && p->to < s->columns && v[p->to] - v[p->to - 1] == p->slope)
    p->to++;
  while (length(*p) <= most && p->from > 0 && v[p->from] - v[p->from - 1] == p->slope)
    p->from--;
}

/* The run of x and x + 1; when it is longer than `most`, a part of it that is longer, too. */
static piece run_of(const sequence *s, int64_t x, int64_t most)
{
  piece p = { x, x + 2, 0 };
  if (!is_linked(s, x, &p.slope))
    p = single(x);
  else if (s->row != ROWS && s->t->narrow)
    extend_narrow(s, &p, most);
  else
    extend(s, &p, most);
  look(s, num_min(p.from, x) - 1, num_max(p.to, x + 2) + 1);
  return p;
}

static piece piece_at(const sequence *s, int64_t x)
{
  piece before = run_of(s, x - 1, INT64_MAX), after = before.to > x + 1 ? before : run_of(s, x, INT64_MAX),
        p = length(after) > length(before) ? after : before;
  int64_t n = length(p);
  if (n < 3)
    return single(x);
  p.from += p.from != x && length(run_of(s, p.from - 1, n)) >= n;
  p.to -= p.to != x + 1 && length(run_of(s, p.to - 1, n)) > n;
  p.slope = length(p) > 1 ? p.slope : 0;
  return p;
}

static piece columns_at(const sequence *s, int64_t row, int64_t column, seen_row *seen)
{
  return piece_at(&(sequence){ .t = s->t, .columns = s->columns, .row = row, .seen = seen }, column);
}

piece patch_piece_at(const expr_table *t, int64_t row, int64_t column)
{
  return columns_at(&(sequence){ .t = t, .columns = t->extent[t->rank - 1] }, row, column, NULL);
}

/* Do n entries go up from one to the next as n others do? */
static bool same_steps(const sequence *s, int64_t a, int64_t b, int64_t n)
{
  int64_t first, other;
  bool same = step_of(expr_entry(s->t, a), expr_entry(s->t, b), &first);
  if (s->t->narrow && first == 0)
    return !memcmp(s->t->narrow + a, s->t->narrow + b, (size_t)n * sizeof *s->t->narrow);
  for (int64_t k = 1; k < n && same; k++)
    same = step_of(expr_entry(s->t, a + k), expr_entry(s->t, b + k), &other) && other == first;
  return same;
}

/* Only steps between entries are asked for, and whether there are such columns: where they are those of the row looked
 * at last, so is the answer. */
static bool has_piece(const sequence *s, int64_t row)
{
  seen_row *seen = s->seen;
  if (seen->row >= 0 &&
      same_steps(s, seen->row * s->columns + seen->from, row * s->columns + seen->from, seen->to - seen->from))
    return seen->has;
  *seen = (seen_row){ .row = row, .from = INT64_MAX, .to = INT64_MIN };
  piece p = columns_at(s, row, s->of.from, seen);
  seen->has = p.from == s->of.from && p.to == s->of.to && p.slope == s->of.slope;
  return seen->has;
}

/* Most rows are asked about twice, for each of their neighbors. */
static bool has_piece_again(const sequence *s, int64_t row)
{
  if (s->known[row % 2].row != row)
    s->known[row % 2] = (known_row){ row, has_piece(s, row) };
  return s->known[row % 2].has;
}

static bool link_rows(const sequence *s, int64_t x, int64_t *step)
{
  return x >= 0 && x + 1 < s->rows && has_piece_again(s, x) && has_piece_again(s, x + 1) &&
         step_of(value(s, x, s->of.from), value(s, x + 1, s->of.from), step);
}

/* ---- which patch an entry is in ----
   The table is cut into squares.  Of each the patches known that meet it are listed; where they are many, as in a mask
   made by dice, its entries are given theirs. */

enum { SQUARE_BITS = 6, FEW = 24 };

struct patch_square {
  int32_t few[FEW], n;
  int32_t *of;                 /* or NULL.  By entry of the square: its patch, from 1; 0: none yet */
};

/* A table of few rows, or columns, has lower squares, or narrower ones. */
static int bits_of(int64_t n)
{
  int bits = 0;
  while (bits < SQUARE_BITS && (int64_t)1 << bits < n)
    bits++;
  return bits;
}

static int64_t squares(int64_t n, int bits) { return ((n - 1) >> bits) + 1; }

static void make_squares(cdag_patches *known, const sequence *s)
{
  known->bits[0] = bits_of(s->rows);
  known->bits[1] = bits_of(s->columns);
  known->across_squares = squares(s->columns, known->bits[1]);
  known->squares = (size_t)(squares(s->rows, known->bits[0]) * known->across_squares);
  known->square = MEM_NEW(patch_square, known->squares);
}

static int32_t *entry_of(const cdag_patches *known, const patch_square *q, int64_t row, int64_t column)
{
  int64_t high = ((int64_t)1 << known->bits[0]) - 1, wide = ((int64_t)1 << known->bits[1]) - 1;
  return &q->of[((row & high) << known->bits[1]) + (column & wide)];
}

/* What patch i and square (down, across) share. */
static void fill(cdag_patches *known, patch_square *q, int64_t down, int64_t across, int32_t i)
{
  const cdag_patch *p = &known->patch[i];
  int64_t top = num_max(down << known->bits[0], p->from[0]), end = num_min((down + 1) << known->bits[0], p->to[0]);
  int64_t left = num_max(across << known->bits[1], p->from[1]),
          right = num_min((across + 1) << known->bits[1], p->to[1]);
  for (int64_t row = top; row < end; row++)
    for (int64_t column = left; column < right; column++)
      *entry_of(known, q, row, column) = i + 1;
}

static void add_to_square(cdag_patches *known, int64_t down, int64_t across, int32_t i)
{
  patch_square *q = &known->square[down * known->across_squares + across];
  if (!q->of && q->n < FEW) {
    q->few[q->n++] = i;
    return;
  }
  if (!q->of) {
    q->of = MEM_NEW(int32_t, (size_t)1 << (known->bits[0] + known->bits[1]));
    for (int k = 0; k < FEW; k++)
      fill(known, q, down, across, q->few[k]);
  }
  fill(known, q, down, across, i);
}

static inline bool has_entry(const cdag_patch *p, const expr_table *t, const int64_t *at)
{
  int64_t row = t->rank == 2 ? at[0] : 0, column = at[t->rank - 1];
  return row >= p->from[0] && row < p->to[0] && column >= p->from[1] && column < p->to[1];
}

/* The number of the patch, if it is known, or -1. */
static int64_t known_at(const cdag_patches *known, const expr_table *t, const int64_t *at, int64_t row, int64_t column)
{
  const patch_square *q = &known->square[(row >> known->bits[0]) * known->across_squares + (column >> known->bits[1])];
  if (q->of)
    return *entry_of(known, q, row, column) - 1;
  for (int k = 0; k < q->n; k++)
    if (has_entry(&known->patch[q->few[k]], t, at))
      return q->few[k];
  return -1;
}

static int64_t find(cdag_patches *known, sequence *s, int64_t row, int64_t column)
{
  seen_row seen = { .row = -1 };
  known_row asked[2] = { { -1, false }, { -1, false } };
  s->of = columns_at(s, row, column, NULL);
  s->row = ROWS;
  s->seen = &seen;
  s->known = asked;
  piece rows = piece_at(s, row);
  known->patch = mem_room(known->patch, known->n, &known->room, sizeof *known->patch);
  known->patch[known->n++] =
      (cdag_patch){ { rows.from, s->of.from }, { rows.to, s->of.to }, { rows.slope, s->of.slope } };
  for (int64_t down = rows.from >> known->bits[0]; down <= (rows.to - 1) >> known->bits[0]; down++)
    for (int64_t across = s->of.from >> known->bits[1]; across <= (s->of.to - 1) >> known->bits[1]; across++)
      add_to_square(known, down, across, (int32_t)known->n - 1);
  return (int64_t)known->n - 1;
}

const cdag_patch *cdag_patch_at(cdag_patches *known, const expr_table *t, const int64_t *at)
{
  if (t->rank > 2)
    return NULL;
  if (known->n > 0 && has_entry(&known->patch[known->last], t, at))
    return &known->patch[known->last];
  sequence s = { .t = t, .rows = t->rank == 2 ? t->extent[0] : 1, .columns = t->extent[t->rank - 1] };
  int64_t row = t->rank == 2 ? at[0] : 0, column = at[t->rank - 1];
  if (row < 0 || row >= s.rows || column < 0 || column >= s.columns)
    return NULL;
  if (!known->square)
    make_squares(known, &s);
  int64_t i = known_at(known, t, at, row, column);
  known->last = (size_t)(i >= 0 ? i : find(known, &s, row, column));
  return &known->patch[known->last];
}

void cdag_patches_clear(cdag_patches *known)
{
  for (size_t i = 0; i < known->squares; i++)
    mem_free(known->square[i].of);
  mem_free(known->square);
  mem_free(known->patch);
  mem_free(known->kin);
  *known = (cdag_patches){ 0 };
}
