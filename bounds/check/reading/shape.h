/* bounds/check/reading/shape.h -- what a segment certificate claims about the computation, read off the description by
   the checker's own reader (bounds/check/reading/read.h).  A claim may be weaker than what is read (more pairs, longer
   fibers, narrower scores): the most work only grows. */
#ifndef REDBLUE_BOUNDS_CHECKER_SHAPE_H
#define REDBLUE_BOUNDS_CHECKER_SHAPE_H

#include "bounds/checker.h"
#include "bounds/check/reading/read.h"

/* Two input operands of every step, each loop known to two of them and the chain. */
typedef struct {
  int64_t fiber[3];            /* steps served by a word of each, and by a chain: ascending */
  bool shared;                 /* they may share words */
  int64_t diagonal; /* they are A[p,l] and A[q,l], each pair of rows in one order: steps with p = q; else -1 */
} checker_operands;
bool checker_product(const cdag *g, const bound_statement *s, const bound_operand *x, const bound_operand *y,
                     checker_operands *p, text *reason);

/* The value of a pair p and the column's operand v, each loop known to two of them and the chain; NULL: no such
   operand.  What p needs of its row and of its column: of the ways to take one leaf as the row's and one as the
   column's the one with the largest least number of words; none: 0. */
typedef struct {
  int64_t words[2];            /* of a row, of a column */
  unsigned loops[2];           /* that say which row, which column */
  int64_t fiber[3];            /* steps served by a pair, a word of v, a chain: ascending */
} checker_sides;
bool checker_pair_sides(const cdag *g, const bound_statement *s, const bound_operand *p, const bound_operand *v,
                        checker_sides *sides, text *reason);
/* Is the statement a chain of dk steps for each pair, inside the tree of p, each step with a word of the row and one of
   the column, these neither v's? */
bool checker_are_scores(const cdag *g, const bool *live, const bound_statement *scores, const bound_operand *p,
                        const bound_operand *v, uint64_t pairs, int64_t dk);

typedef struct {
  bound_statement s;
  uint64_t steps, chains, outputs;
  bool seeded;
} checker_statement;
/* The statement the parameters name; false with a reason when it is none. */
bool checker_statement_read(const bound_claim *c, checker_statement *s, text *reason);
/* The same; where they name a `sum`, with its trees for chains. */
bool checker_trees_read(const bound_claim *c, checker_statement *s, text *reason);

/* The two operands the parameters name. */
bool checker_product_shape(const bound_claim *c, const checker_statement *s, checker_operands *p, text *reason);

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
