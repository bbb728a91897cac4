/* What strips.c finds and strips_text.c prints.  Private to these two. */
#ifndef REDBLUE_TILER_STRIPS_PLAN_H
#define REDBLUE_TILER_STRIPS_PLAN_H

#include "base/mem.h"
#include "cdag/polyhedral/normal.h"
#include "schedules/tiler/sweeps/strips.h"

#define UNBOUNDED (INT64_MAX / 4)

enum { MEMBERS = 8, READS = 64, PIECES = 16, FORMS = 20, FAR_OFF = 8, U = 0, V = 1, SPARE = 24 };
enum { BLOCK = 4, OF_WORDS, MOST_WORDS, WIDTH, ROWS, NAMES };

/* One array; in the coordinates of its cell: u, v, then the indices that these two do not tell. */
typedef struct {
  int array, rank;
  linear axis[2];              /* in its indices, ascending: no read goes forward */
  int form;                    /* while axes are listed: which one the first is */
  linear at[CDAG_RANK];        /* its indices, in those coordinates */
  int dim[CDAG_RANK];          /* which index is coordinate 2, 3, ... */
} member;

/* Where what is read lies: in the reader's cell, its row, its column, a constant way off; or an input: once for all,
 * with a cell, or with each step of a sum. */
typedef enum { OWN, ROW, COLUMN, NEAR, WHOLE, OF_CELL, OF_STEP } read_kind;

typedef struct {
  const access *a;
  int reader, from;            /* members; from -1: an input */
  read_kind kind;
  bool takes;                  /* its reader takes its place */
  polyhedron *where;
  linear index[CDAG_RANK], to[2];
  int64_t ahead[FORMS][FORMS]; /* by the forms of what is read and of the reader, where it was asked */
  bool asked[FORMS][FORMS];
} strip_read;

/* What a member leaves: one word a cell, where z is in a range. */
typedef struct {
  int member;
  bool always;                 /* wherever the member is */
  int64_t least, most;         /* of z */
  linear index[CDAG_RANK];
} piece;

typedef struct {
  normal_form f;
  arena memory;
  int n, reads, pieces, tries, order[MEMBERS];
  member of[MEMBERS];
  strip_read read[READS];
  piece piece[PIECES];
  int64_t sign[2], lo[2], hi[2]; /* an axis ascends by sign times u or v; their ranges */
  int64_t z, farthest;         /* the sum of both axes, at least and at most */
  double m, whole, known;      /* words; of inputs that stay; moved by what is known */
  int64_t most, width, rows;   /* the plan: words of a strip, columns of a chunk, rows whose strips are of one height */
  char name[NAMES][CDAG_NAME]; /* of the loops J, U, u, v, B, over words of a row or column; of the lengths */
  char step[CDAG_RANK][CDAG_NAME];
  text *out;
  int depth;
} strips;

/* p, of elements of x, in the coordinates of its cells. */
polyhedron *strips_in_cells(strips *s, const member *x, const polyhedron *p);
/* Further coordinates that u or v tell there, replaced. */
void strips_tell(const polyhedron *where, linear *index, int n);
/* z, which says when a cell is computed. */
linear strips_sum_of_axes(const strips *s);
/* An input that is loaded once for all. */
bool strips_stay_whole(const strips *s, int array);
/* The text of the plan, to s->out; false: the steps of a sum are in no loops. */
bool strips_print(strips *s);

#endif
