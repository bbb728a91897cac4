/* cdag/domain/patch_family.c -- patches that come again (patch.h).

   The rows of a mask with a stripe every s blocks are, s rows on, the same with one stripe more: each patch has a
   successor, the one that begins as many rows further on as the table's period, in the same place among the pieces of
   its row; of a table of one index, as many entries further on. The period is guessed from the middle of the table.  A
   chain of successors falls into families from its head on, each as long as the differences stay: so they, too, depend
   on the table only, once the period is known.  What has no kin in other rows may have some in its own: the last row of
   such a mask is the same again s blocks further on.  Its successor is the one with the same last row that begins a
   period of that row further on and has no kin in other rows either. */
#include "cdag/domain/patch_internal.h"
#include "base/mem.h"
#include "base/num.h"

enum { PIECES = 16 };            /* rows of more are not looked at */
enum { PERIOD_MOST = 128, WINDOW = 3 * PERIOD_MOST };

/* ---- the period ---- */

typedef struct { patch_piece piece[PIECES]; int64_t corner[PIECES]; int n; } outline; /* of a row */

static int64_t columns(const expr_table *t) { return t->extent[t->rank - 1]; }
static int64_t value(const expr_table *t, int64_t row, int64_t column)
{
  return expr_entry(t, row * columns(t) + column);
}

/* Pieces of the row from the column on.  True: those were all. */
static bool outline_of(const expr_table *t, int64_t row, int64_t column, outline *o)
{
  o->n = 0;
  for (; column < columns(t); column = o->piece[o->n++].to) {
    if (o->n == PIECES)
      return false;
    o->piece[o->n] = patch_piece_at(t, row, column);
    o->corner[o->n] = value(t, row, o->piece[o->n].from);
  }
  return true;
}

/* a, b, c at even distances? */
static bool even(int64_t a, int64_t b, int64_t c)
{
  int64_t first, second;
  return num_sub(b, a, &first) && num_sub(c, b, &second) && first == second;
}

/* Are piece i of a, piece k of b and piece m of c in step? */
static bool pieces_even(const outline *a, int i, const outline *b, int k, const outline *c, int m)
{
  const patch_piece *p = &a->piece[i], *q = &b->piece[k], *r = &c->piece[m];
  return p->slope == q->slope && q->slope == r->slope && even(p->from, q->from, r->from) && even(p->to, q->to, r->to) &&
         even(a->corner[i], b->corner[k], c->corner[m]);
}

static bool outlines_even(const outline *a, const outline *b, const outline *c)
{
  bool all = a->n == b->n && b->n == c->n;
  for (int i = 0; i < a->n && all; i++)
    all = pieces_even(a, i, b, i, c, i);
  return all;
}

static bool comes_again(const outline *row, int64_t rows, int64_t period)
{
  for (int64_t r = 0; r + 2 * period < rows; r++)
    if (!outlines_even(&row[r], &row[r + period], &row[r + 2 * period]))
      return false;
  return true;
}

/* From the middle on, but not to the end, where bands are clipped. */
static int64_t period_of_rows(const expr_table *t)
{
  int64_t first = t->extent[0] / 2, rows = num_min(3 * t->extent[0] / 8, WINDOW), period = 1;
  SCOPED_MEM outline *row = MEM_NEW(outline, (size_t)rows);
  for (int64_t r = 0; r < rows && period; r++)
    if (!outline_of(t, first + r, 0, &row[r]))
      period = 0;
  while (period && 3 * period < rows && !comes_again(row, rows, period))
    period++;
  bool found = period && 3 * period < rows;
  return found ? period : 1;
}

static int64_t period_of_entries(const expr_table *t, int64_t row)
{
  outline o;
  outline_of(t, row, columns(t) / 2, &o);
  for (int d = 1; 3 * d < o.n; d++) {
    bool again = true;
    for (int i = 1; i + 2 * d < o.n && again; i++) /* the first began before the middle */
      again = pieces_even(&o, i, &o, i + d, &o, i + 2 * d);
    if (again)
      return o.piece[d + 1].from - o.piece[1].from;
  }
  return 1;
}

int64_t cdag_table_period(cdag_patches *known, const expr_table *t)
{
  if (!known->period)
    known->period = t->rank == 1 ? period_of_entries(t, 0) : t->rank == 2 ? period_of_rows(t) : 1;
  return known->period;
}

/* ---- families ---- */

enum { NONE = -1 };

/* Which piece of its row it is, or NONE: too far on. */
static int rank_of(const expr_table *t, int64_t row, int64_t column)
{
  int n = 0;
  for (int64_t at = 0; n < PIECES; n++) {
    patch_piece p = patch_piece_at(t, row, at);
    if (column < p.to)
      return n;
    at = p.to;
  }
  return NONE;
}

static int64_t column_of(const expr_table *t, int64_t row, int rank)
{
  int64_t at = 0;
  for (; rank > 0 && at < columns(t); rank--)
    at = patch_piece_at(t, row, at).to;
  return at < columns(t) ? at : NONE;
}

/* The corner of the patch that p's is, `rows` on.  False: there is no such row or column. */
static bool corner_beyond(const expr_table *t, const cdag_patch *p, int64_t rows, int64_t *at)
{
  if (t->rank == 1) {
    at[0] = p->from[1] + rows;
    return at[0] >= 0 && at[0] < columns(t);
  }
  at[0] = p->from[0] + rows;
  if (at[0] < 0 || at[0] >= t->extent[0])
    return false;
  int rank = rank_of(t, p->from[0], p->from[1]);
  at[1] = rank == NONE ? NONE : column_of(t, at[0], rank);
  return at[1] != NONE;
}

/* The number of the patch that begins `rows` after patch i and goes like it, or NONE. */
static int64_t next_of(cdag_patches *known, const expr_table *t, int64_t i, int64_t rows)
{
  cdag_patch p = known->patch[i];
  int64_t at[2];
  if (!corner_beyond(t, &p, rows, at))
    return NONE;
  const cdag_patch *q = cdag_patch_at(known, t, at);
  bool alike = q->from[t->rank == 1] == at[0] && q->slope[0] == p.slope[0] && q->slope[1] == p.slope[1];
  return alike ? q - known->patch : NONE;
}

typedef struct { int64_t by[5]; } stride;

/* From patch i to patch k.  False: beyond 64 bits. */
static bool stride_of(const cdag_patches *known, const expr_table *t, int64_t i, int64_t k, stride *out)
{
  const cdag_patch *p = &known->patch[i], *q = &known->patch[k];
  for (int r = 0; r < 2; r++) {
    out->by[2 * r] = q->from[r] - p->from[r];
    out->by[2 * r + 1] = q->to[r] - p->to[r];
  }
  return num_sub(value(t, q->from[0], q->from[1]), value(t, p->from[0], p->from[1]), &out->by[4]);
}

static bool same_stride(const stride *a, const stride *b)
{
  bool same = true;
  for (int i = 0; i < 5; i++)
    same &= a->by[i] == b->by[i];
  return same;
}

/* How many of a chain, from its first patch on, are a family. */
static size_t family_from(const cdag_patches *known, const expr_table *t, const int64_t *chain, size_t n)
{
  stride first, other;
  size_t members;
  if (n < 2 || !stride_of(known, t, chain[0], chain[1], &first))
    return 1;
  for (members = 2;
       members < n && stride_of(known, t, chain[members - 1], chain[members], &other) && same_stride(&first, &other);)
    members++;
  return members;
}

static void part_chain(cdag_patches *known, const expr_table *t, const int64_t *chain, size_t n)
{
  if (known->kin_room < known->room) {
    known->kin = mem_grow(known->kin, known->room, sizeof *known->kin);
    for (; known->kin_room < known->room; known->kin_room++)
      known->kin[known->kin_room] = (cdag_kin){ 0 };
  }
  for (size_t from = 0, members; from < n; from += members) {
    members = family_from(known, t, chain + from, n - from);
    for (size_t k = 0; k < members; k++)
      known->kin[chain[from + k]] = (cdag_kin){ chain[from], (int64_t)k, (int64_t)members };
  }
}

typedef int64_t next_patch(cdag_patches *known, const expr_table *t, int64_t i, int64_t by);

/* All of the chain that patch i is in. */
static void find_chain(cdag_patches *known, const expr_table *t, int64_t i, next_patch *next, int64_t by)
{
  int64_t head = i, *chain = NULL;
  size_t n = 0, room = 0;
  for (int64_t k = i; k != NONE; k = next(known, t, k, -by))
    head = k;
  for (int64_t k = head; k != NONE; k = next(known, t, k, by)) {
    chain = mem_room(chain, n, &room, sizeof *chain);
    chain[n++] = k;
  }
  part_chain(known, t, chain, n);
  mem_free(chain);
}

static bool is_known(const cdag_patches *known, int64_t i)
{
  return (size_t)i < known->kin_room && known->kin[i].members;
}

/* Has it kin in other rows, or other entries of a table of one index? */
static bool has_kin(cdag_patches *known, const expr_table *t, int64_t i)
{
  int64_t period = cdag_table_period(known, t);
  if (!is_known(known, i) && period > 1)
    find_chain(known, t, i, next_of, period);
  else if (!is_known(known, i))
    part_chain(known, t, &i, 1);
  return known->kin[i].members > 1;
}

/* The patch with the same last row that begins so many columns after patch i, goes like it and has no kin in other
 * rows, or NONE. */
static int64_t next_in_row(cdag_patches *known, const expr_table *t, int64_t i, int64_t by)
{
  cdag_patch p = known->patch[i];
  int64_t at[2] = { p.to[0] - 1, p.from[1] + by };
  if (at[1] < 0 || at[1] >= columns(t))
    return NONE;
  const cdag_patch *q = cdag_patch_at(known, t, at);
  bool alike = q->to[0] == p.to[0] && q->from[1] == at[1] && q->slope[0] == p.slope[0] && q->slope[1] == p.slope[1];
  int64_t k = q - known->patch;
  return alike && !has_kin(known, t, k) ? k : NONE;
}

/* Of rows the one asked about last is remembered. */
static int64_t period_across(cdag_patches *known, const expr_table *t, int64_t row)
{
  if (!known->across || known->across_row != row) {
    known->across = period_of_entries(t, row);
    known->across_row = row;
  }
  return known->across;
}

static void find_kin(cdag_patches *known, const expr_table *t, int64_t i)
{
  if (has_kin(known, t, i) || t->rank != 2)
    return;
  int64_t period = period_across(known, t, known->patch[i].to[0] - 1);
  if (period > 1)
    find_chain(known, t, i, next_in_row, period);
}

cdag_kin cdag_patch_kin(cdag_patches *known, const expr_table *t, const cdag_patch *p)
{
  int64_t i = p - known->patch;
  if (!is_known(known, i))
    find_kin(known, t, i);
  return known->kin[i];
}
