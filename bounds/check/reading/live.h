/* How an array chains to itself, and which of its elements lead to outputs: what the files that read for the checker
 * share. */
#ifndef REDBLUE_BOUNDS_CHECKER_LIVE_H
#define REDBLUE_BOUNDS_CHECKER_LIVE_H

#include "bounds/check/reading/form.h"

typedef struct {
  int self;                    /* terms to the own array that can exist */
  unsigned loops;              /* loops stepped along */
  int step[CDAG_RANK];         /* -1: reads the one before */
  int outer, inner;            /* a carry from block to block, or -1: outer one back, inner by */
  int64_t shift;
  bool straight; /* each key's elements form one path (with one link, or a link and its carry) or a grid that ends in
                    one corner */
} checker_chain;
void checker_chain_read(const cdag *g, int array, checker_chain *c);
/* Elements at the beginnings (ends) of chains when those are at the same place for all; false when they are not. */
bool checker_chain_count(const cdag *g, int array, const checker_chain *c, uint64_t *n);

/* Is the bound the hull's, whatever the other loops? */
bool checker_fixed_bound(const cdag *g, int array, int r, bool upper);

/* A term to the own array: which loops it moves and by how much.  False unless every index is its own loop plus a
 * constant. */
bool checker_moves(const cdag *g, int array, const cdag_term *t, int64_t by[CDAG_RANK]);
/* Of a term to the own array that moves this loop and no other: by how much; 0 of any other. */
int64_t checker_moves_along(const cdag *g, int array, const cdag_term *t, int loop);
/* Of an array that is a box: do all its terms read the array itself at smaller values of the loop, one of them at the
   one before with all else the same?  Then its elements at the loop's first value are inputs and no others are. */
bool checker_sources_at(const cdag *g, int array, int loop);

/* Is the end of every chain an output, or does an output of its own finish it: an array not in *taken (bits), all
   outputs, that reads this array in one term and there one end?  That array is then taken. */
bool checker_ends_stored(const cdag *g, int array, uint64_t *taken);

/* Do the chains of `array` end in the steps of the chains of `sum`, each step with one of them, so that a chain of
   `sum` and those that end in it are a tree of partial sums, and each tree in an output of its own (docs/theory.md,
   section 2)?  *along: the loops of the array that change within a tree besides the chain's: settings that differ in
   the others are in different trees.  *trees: how many. */
bool checker_sums_of_chains(const cdag *g, int array, int sum, unsigned *along, uint64_t *trees);

/* Of an array that is a box: are its elements at the loop's last value outputs, by its rule or by one selection? */
bool checker_last_stored(const cdag *g, int array, int loop);

#endif
