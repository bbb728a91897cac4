/* shape.h -- what the search for a schedule reads off a computation: statements, reductions, accesses, domains.

   A statement is an array with a rule.  Where every bound is a least or greatest of affine forms and every index is
   affine the search (search.h) is for it; else the plain schedule (plain.h) may be.  A *chain* is a reduction: its rule
   reads itself one step back along one dimension, or, at the first step of an inner chain dimension, at the last step
   of the one before: X[i,l,j-1], or X[i,J,j-1] with X[i,J-1,b-1+j]. */
#ifndef REDBLUE_SCHEDULES_TILER_SHAPE_SHAPE_H
#define REDBLUE_SCHEDULES_TILER_SHAPE_SHAPE_H

#include "cdag/cdag.h"

typedef struct {
  int64_t base, coef[CDAG_RANK];
} tiler_form; /* base + sum coef[r] x[r] over the variables of a statement */

typedef struct {
  cdag_index_kind kind;
  bool affine;                 /* else lo and hi say nothing, and the term's expressions do */
  tiler_form lo, hi;           /* AT: lo; RANGE: lo..hi */
  const expr *value;           /* RANGE: around this one, which is not affine; or NULL */
} tiler_index;

enum { TILER_BOUNDS = 3 };
typedef struct {
  bool affine;
  int n;
  tiler_form f[TILER_BOUNDS];
} tiler_bound; /* the greatest of these from below, the least from above */

typedef enum { TILER_BLUE, TILER_END, TILER_ALIGNED, TILER_OTHER } tiler_read_kind;
typedef struct {
  int array, rank, term;
  tiler_index at[CDAG_RANK];
  bool widened;                /* an index was not affine: what is read lies in the box */
  bool first;                  /* there at the first step of the reader's chain only; so `at` is for that step */
  bool shared;                 /* first, and others like it may be there where chains begin by other bounds */
  bool in_step;                /* the step before of a sum that reads its reader at its own step: `d < best[k-1]`, which
                                  best[k] reads.  They go step by step, the reader first */
  bool earlier;                /* what it reads an earlier iteration of the loops around has stored (part.h) */
  int64_t from[CDAG_RANK], to[CDAG_RANK]; /* its condition says so of the reader's variables: from <= x < to */
  int held;                    /* the index that holds the condition, or -1; without it: */
  tiler_index unheld;
  tiler_read_kind kind; /* of an input; of a computed array: its chains' last steps (or it has none), the reader's own
                           step, or neither */
} tiler_access;

/* Index q of an access without the condition that it may hold. */
static inline const tiler_index *tiler_said_index(const tiler_access *a, int q)
{
  return q == a->held ? &a->unheld : &a->at[q];
}

typedef struct {
  int array, rank;
  bool computed;               /* it has a rule */
  bool affine;                 /* its bounds and indices are */
  bool output;
  bool all_output;             /* every element, not the last steps of its chains only */
  bool unit[CDAG_RANK];        /* the dimension has the one index 0: an access there exists at that step only */
  const char *value[CDAG_RANK]; /* the dimension has this value, which a loop around says (part.h); or NULL */
  tiler_bound lo[CDAG_RANK], hi[CDAG_RANK];
  int64_t least[CDAG_RANK], most[CDAG_RANK]; /* the hull: least <= x < most */
  int chains, chain[CDAG_RANK]; /* dimensions, the outermost chain first */
  bool started;                /* its first step is an input of its own: lo[chain[0]] is one more than the array's */
  bool joined;                 /* its first step reads two of what others read one of: at the least index of its chain
                                  it has no element, and the chain goes by blocks */
  bool stays, unstored;        /* its elements stay on chip, and go nowhere else (part.h) */
  bool bare; /* some of its elements may have no predecessor and be inputs, and no range leaves them out */
  bool reads_itself;           /* in another way than along a chain */
  int accesses;                /* without reads of itself but of its chains' ends, and without terms never there */
  tiler_access *access;
  tiler_access *begun;         /* the same; S[i,j,r-1+k], there at the first step of a chain only, as S[i,j,r-1] */
  int selves;                  /* the other reads of itself */
  tiler_access *self;
} tiler_statement;

typedef struct {
  const cdag *g;
  tiler_statement *s;          /* by array */
  int n, order[64];            /* computed ones, each after those it reads, so far as there is such an order */
  bool widened;
  bool affine;                 /* all bounds and indices are */
  bool cyclic;                 /* statements read one another in a circle, */
  bool stepped;                /* or do so in step */
  bool entered;                /* a part inside loops, with reads of its own (part.h) */
} tiler_shape;

/* widened: an index that is not affine (a table's entry, as a rule) is an affine range around it, and a condition that
   is not understood always holds.  Boxes hold more than is read then, and nothing less. */
void tiler_shape_init(tiler_shape *s, const cdag *g, bool widened);
void tiler_shape_clear(tiler_shape *s);
/* For nests: a sum that begins with the first of what it sums gets a step for it (tiler_statement.joined). */
void tiler_shape_join(tiler_shape *s);
/* Chains, and kinds of access, from the reads of a statement: once more where reads were taken away. */
void tiler_shape_settle(tiler_shape *s, int array);
/* f of the array read, at the indices of the access: a form of the reader's variables; false where an index is a range.
 */
bool tiler_compose(const tiler_form *f, const tiler_access *a, tiler_form *out);
/* The access where alternative k of its condition (`A || B`) holds, with what that says of the reader's variables;
   false: there are no more than k. */
bool tiler_alternative(const tiler_shape *s, const tiler_statement *reader, const tiler_access *a, int k,
                       tiler_access *out);
/* Index q of a term without the condition that it holds; false when it holds none, or is not affine. */
bool tiler_index_unguarded(const cdag *g, int rank, const cdag_term *t, int q, tiler_index *out);
/* Variable r with coefficient 1 and nothing else: r, or -1. */
int tiler_form_plain(const tiler_form *f, int rank);
void tiler_form_add(tiler_form *f, const tiler_form *g, int64_t times); /* f += times g */
bool tiler_form_constant(const tiler_form *f, int rank);
/* The values that a selection of outputs has at index q, `n - 1` or `n-2..n`; false: they are not told. */
bool tiler_selected_range(const cdag *g, const cdag_selection *x, int q, int64_t *lo, int64_t *hi);
bool tiler_bound_constant(const tiler_bound *b, int rank);
static inline bool tiler_is_chain(const tiler_statement *s, int r)
{
  for (int c = 0; c < s->chains; c++)
    if (s->chain[c] == r)
      return true;
  return false;
}
/* Does an access name a whole chain's end along dimension q of the array it reads? */
bool tiler_reads_end(const tiler_shape *s, const tiler_statement *reader, const tiler_access *a, int q);

#endif
