/* shape.h -- what the lower bounds need to know of a computation, read off its description (arrays, rules, affine
   indices, domains), never off its name: which vertices matter, which arrays are reductions, which words a step needs.

   Everything here is one-sided: what is reported is proved from the description; what cannot be proved is not reported,
   so a CDAG that breaks a hypothesis of a theorem loses the theorem, not the truth.  Explicit graphs have no
   statements. */
#ifndef REDBLUE_BOUNDS_SHAPE_H
#define REDBLUE_BOUNDS_SHAPE_H

#include "cdag/cdag.h"

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
void bound_live_find(const cdag *g, bound_live *l);
void bound_live_clear(bound_live *l);
/* known, if somebody found it already; else it is found, in own.  Either way own is the caller's to clear. */
const bound_live *bound_live_of(const cdag *g, const bound_live *known, bound_live *own);
/* Is the end of every chain of the array (every element, when it does not read itself) proved to be an output? */
bool bound_ends_are_outputs(const cdag *g, int array);

/* ---- reduction statements ---- */

enum { BOUND_OPERANDS = 8, BOUND_LEAVES = 8 };

/* Words of one input array that making an operand anew needs: for each setting of the loops in `loops` (bits, loops of
   the statement) `width` words; settings that agree in `given` and differ elsewhere need other words (given is 0 unless
   an index is read from a table). */
typedef struct {
  int array;
  unsigned loops, given;
  int64_t width;
  const expr *width_text;      /* the width as the description writes it, or NULL; borrowed */
  cdag_box box;                /* holds every such word: leaves and operands in boxes that do not meet share no word */
} bound_leaf;

/* What a step reads beside its own chain. */
typedef struct {
  int term, array;
  unsigned loops; /* the loops that say which element: settings that agree in `given` and differ elsewhere */
  unsigned given;              /*   among these loops name different elements; 0 unless an index is read from a table */
  bool input;                  /* its elements are inputs */
  bool always;                 /* exists at every step (the others bind no proof) */
  uint64_t words;              /* at most so many different elements are read */
  cdag_box box;                /* holds them */
  /* Computed operands: the element has a tree of vertices of its own (those of other settings are others), and if no
     vertex of that tree is red or loaded, making it needs all these words.  0 leaves: nothing is known. */
  int leaves;
  bound_leaf leaf[BOUND_LEAVES];
  uint64_t tree;               /* bits: the arrays the tree's vertices are in */
  uint64_t partial; /* of these: those of which it does not need a whole chain, from the first element to the last */
} bound_operand;

/* An array whose elements form chains, each link a step of a reduction: every element has at most one predecessor in
   its own array and is predecessor of at most one, and both have the same setting of the loops outside `chain`.  All
   live. */
typedef struct {
  int array;
  int rank;                    /* loops 0 .. rank-1 are the array's indices */
  unsigned chain;              /* the loops that change along a chain */
  int64_t extent[CDAG_RANK];   /* most values a loop takes while the others are fixed */
  uint64_t steps;              /* elements */
  uint64_t chains;             /* elements without a predecessor in their array */
  int seed; /* the term, to an input array, that every chain starts from (each from its own word); or -1 */
  int operands;
  bound_operand operand[BOUND_OPERANDS];
} bound_statement;

/* Is the array a reduction statement?  l is what bound_live_find found; it keeps the answer. */
bool bound_statement_find(const cdag *g, const bound_live *l, int array, bound_statement *s);

/* The same of a rule under other names (cdag/relist.h), whose chain is told by that term: `listed` is what was found of
   it under its own. */
bool bound_statement_relisted(const cdag *g, int chain_term, const bound_statement *listed, bound_statement *s);

/* How the description writes the number of values of a loop: "n", or the number when it depends on other loops. */
void bound_loop_text(const cdag *g, int array, int loop, int64_t extent, text *out);

/* Can a word be counted for both boxes? */
bool bound_boxes_meet(int array_a, const cdag_box *a, int array_b, const cdag_box *b, int rank);

/* ---- forward attention: one computed operand for each pair, one input operand ---- */

/* A statement whose step (row, column, slice) reads the value of the pair (row, column), a computed operand with a tree
   whose leaves are words of the row and words of the column, and one input word of (column, slice); its chain is (row,
   slice). rows, columns and slices are sets of loops; a loop may be in rows and columns (heads, batches). */
typedef struct {
  bound_statement z;
  int p, v;                    /* which operands */
  unsigned rows, columns, slices;
  int64_t dk_row, dk_column;   /* words of a row, of a column, that the value of a pair needs */
  int64_t dv;                  /* most steps one pair takes part in */
  uint64_t pairs;              /* at most so many pairs */
} bound_attention;
bool bound_attention_find(const cdag *g, const bound_live *l, int array, bound_attention *a);
/* The scores: the reduction in the pair's tree, one chain of dk steps for each pair, whose operands are the row's and
   the column's words.  False unless dk is the same for rows and columns, and nothing else makes a pair's value from
   them. */
bool bound_scores_find(const cdag *g, const bound_live *l, const bound_attention *a, bound_statement *s);

#endif
