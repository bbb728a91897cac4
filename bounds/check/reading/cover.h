/* bounds/check/reading/cover.h -- work at pairs (docs/theory-lp.md, sections 2 and 3): which words a step of each kind
   of work needs, and on which side of the pair.  The checker reads the kinds that a certificate names, the prover
   those that it tries. */
#ifndef REDBLUE_BOUNDS_CHECKER_COVER_H
#define REDBLUE_BOUNDS_CHECKER_COVER_H

#include "bounds/checker.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"
#include "cdag/relist.h"

enum { CHECKER_KINDS = 6, CHECKER_WORDS = 14 };

/* Words of an array, `width` of them at one row or column when a pair's value needs them whole. */
typedef struct {
  int array;
  bool column;
  int64_t width;
  form place[CDAG_RANK];       /* the indices that say which row or column, in coordinates of the pair */
} checker_word;
typedef struct {
  int array;                   /* whose elements are the steps */
  int value_term, operand_term; /* of its rule: the pair's value, the operand */
  int64_t slices;              /* steps at one pair, at most */
  uint64_t steps;
  int operand, chain;          /* words: one for each slice */
  unsigned whole;              /* words the pair's value needs whole */
} checker_kind;
typedef struct {
  int kinds, words;
  checker_kind kind[CHECKER_KINDS];
  checker_word word[CHECKER_WORDS];
  bool seeded;
  bool apart;                  /* no column is looked up in a table, or those of one row are known to differ */
  uint64_t pairs, births, outputs;
  uint64_t tree;               /* arrays that a pair's value is computed through, as bits */
} checker_cover;

/* One kind: the statement's steps, with the terms (as the description numbers them) that read the pair's value and the
   operand; NULL when it is no work at pairs.  Where the rules have new names, s is the statement under them. */
typedef struct checker_work checker_work;
checker_work *checker_work_read(const cdag *g, const cdag_relisted *names, const bound_statement *s, int value,
                                int operand); /* to be freed */
/* The statement under the names: `listed` where its rule keeps its own. */
bool checker_cover_statement(const cdag_relisted *names, const bound_statement *listed, bound_statement *s);
/* Do these kinds work at the pairs of one array, the anchor, each word on one side and told in one way?  c->apart must
   hold as well.  The number of pairs is an upper bound; outputs are not counted. */
bool checker_cover_build(const cdag *g, const cdag_relisted *names, checker_work *const *k, int n, int anchor,
                         checker_cover *c);

/* Inputs of arrays that are neither words nor in a pair's tree, which live elements name: their loads are no events of
   the program's.  None where chains start from inputs. */
uint64_t checker_cover_others(const cdag *g, const bool *live, const checker_cover *c);

/* From "pairs_of" and "kinds", an array of {"statement", "value", "term"}: the rule's terms that read the pair's value
   and the operand. */
bool checker_cover_read(const bound_claim *c, checker_cover *k, text *reason);

#endif
