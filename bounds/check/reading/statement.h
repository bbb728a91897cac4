/* bounds/check/reading/statement.h -- what is read of a reduction statement. */
#ifndef REDBLUE_BOUNDS_CHECKER_STATEMENT_H
#define REDBLUE_BOUNDS_CHECKER_STATEMENT_H

#include "cdag/cdag.h"

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
  unsigned chain;              /* the loops that change along a chain (in a tree: within it) */
  int64_t extent[CDAG_RANK];   /* most values a loop takes while the others are fixed */
  uint64_t steps;              /* elements */
  uint64_t chains;             /* elements without a predecessor in their array (of trees: how many) */
  int sum; /* >= 0: the chains are trees of partial sums, with the chains of this array at the root; or -1 */
  int seed; /* the term, to an input array, that every chain starts from (each from its own word); or -1 */
  int operands;
  bound_operand operand[BOUND_OPERANDS];
} bound_statement;

#endif
