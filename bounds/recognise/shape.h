/* shape.h -- what the lower bounds need to know of a computation, read off its description (arrays, rules, affine
   indices, domains), never off its name: which vertices matter, which arrays are reductions, which words a step needs.

   Everything here is one-sided: what is reported is proved from the description; what cannot be proved is not reported,
   so a CDAG that breaks a hypothesis of a theorem loses the theorem, not the truth.  Explicit graphs have no
   statements. */
#ifndef REDBLUE_BOUNDS_SHAPE_H
#define REDBLUE_BOUNDS_SHAPE_H

#include "bounds/check/reading/shape.h"

/* ---- which vertices matter ---- */

/* A vertex is live when it is an output that is no input, or has a path to one: then every play computes (an input:
   loads) it.  An under-estimate: whole[a] is set only when every element of array a is proved live. */
typedef struct bound_live {
  bool *whole;                 /* g->arrays entries */
  struct bound_seen *seen;     /* g->arrays entries: statements looked for before */
  int arrays;
  uint64_t inputs;             /* at least so many inputs are live: each costs a load */
  uint64_t outputs;            /* at least so many outputs are no inputs: each costs a store */
} bound_live;
struct bound_seen *bound_seen_new(int arrays);
void bound_seen_free(struct bound_seen *seen, int arrays);
void bound_live_find(const cdag *g, bound_live *l);
void bound_live_clear(bound_live *l);
/* known, if somebody found it already; else it is found, in own.  Either way own is the caller's to clear. */
const bound_live *bound_live_of(const cdag *g, const bound_live *known, bound_live *own);

/* ---- reduction statements (bounds/check/reading/statement.h) ---- */

/* Is the array a reduction statement?  The checker's reader says (bounds/check/reading/read.h), of the arrays that the
   prover knows to be live; l is what bound_live_find found, and keeps the answer. */
bool bound_statement_find(const cdag *g, const bound_live *l, int array, bound_statement *s);

/* The statement with trees of partial sums for chains, if some array's chains add its own up. */
bool bound_statement_gather(const cdag *g, const bound_live *l, bound_statement *s);

/* How the description writes the number of values of a loop: "n", or the number when it depends on other loops. */
void bound_loop_text(const cdag *g, int array, int loop, int64_t extent, text *out);

/* ---- forward attention: one computed operand for each pair, one input operand ---- */

/* A statement whose step (row, column, slice) reads the value of the pair (row, column), a computed operand with a tree
   whose leaves are words of the row and words of the column, and one input word of (column, slice); its chain is (row,
   slice). */
typedef struct {
  bound_statement z;
  int p, v;                    /* which operands */
  checker_sides sides;         /* what the value of a pair needs of its row and of its column */
  int64_t dv;                  /* most steps one pair takes part in */
  uint64_t pairs;              /* at most so many pairs */
} bound_attention;
bool bound_attention_find(const cdag *g, const bound_live *l, int array, bound_attention *a);
/* Of a statement already found. */
bool bound_attention_of(const cdag *g, const bound_statement *s, bound_attention *a);
/* The scores: the reduction in the pair's tree, one chain of dk steps for each pair, whose operands are the row's and
   the column's words.  False unless dk is the same for rows and columns, and nothing else makes a pair's value from
   them. */
bool bound_scores_find(const cdag *g, const bound_live *l, const bound_attention *a, bound_statement *s);

#endif
