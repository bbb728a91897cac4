/* bounds/check/reading/shape.h -- what a segment certificate claims about the computation, read off the description by
   the checker's own reader (bounds/check/reading/read.h).  A claim may be weaker than what is read (more pairs, longer
   fibers, narrower scores): the most work only grows. */
#ifndef REDBLUE_BOUNDS_CHECKER_SHAPE_H
#define REDBLUE_BOUNDS_CHECKER_SHAPE_H

#include "bounds/checker.h"
#include "bounds/check/reading/read.h"

typedef struct {
  bound_statement s;
  uint64_t steps, chains, outputs;
  bool seeded;
} checker_statement;
/* The statement the parameters name; false with a reason when it is none. */
bool checker_statement_read(const bound_claim *c, checker_statement *s, text *reason);

/* The two operands the parameters name: steps served by a word of each kind, ascending, and whether they may share
   words.  *diagonal: when the parameters have it and they are A[p,l] and A[q,l], each pair of rows in one order: steps
   with p = q; else -1. */
bool checker_product_shape(const bound_claim *c, const checker_statement *s, int64_t fiber[3], bool *shared,
                           int64_t *diagonal, text *reason);

/* Words of the pair's row and column, both at least dk; steps of a pair, at most dv; at most so many pairs: as claimed.
 */
typedef struct {
  int64_t fiber[3];
  int64_t dk, dv;
  uint64_t pairs;
} checker_pairs;
bool checker_attention_shape(const bound_claim *c, const checker_statement *s, checker_pairs *k, text *reason);
/* Of a claim with that shape, the scores the parameters name: a chain of dk steps for each pair, each step with a word
 * of the row and of the column of its own. */
bool checker_scores_shape(const bound_claim *c, const checker_statement *s, const checker_pairs *k, uint64_t *chains,
                          uint64_t *steps, text *reason);

#endif
