/* bounds/check/reading/cover.h -- the checker's own reading of work at pairs (docs/theory-lp.md, sections 2 and 3): the
   statements a certificate names as kinds of work, which words a step of each needs, and on which side of the pair. */
#ifndef REDBLUE_BOUNDS_CHECKER_COVER_H
#define REDBLUE_BOUNDS_CHECKER_COVER_H

#include "bounds/checker.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"

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
  uint64_t pairs, births, outputs;
} checker_cover;

/* From "pairs_of" and "kinds", an array of {"statement", "value", "term"}: the rule's terms that read the pair's value
   and the operand.  The number of pairs is an upper bound. */
bool checker_cover_read(const bound_claim *c, checker_cover *k, text *reason);

#endif
