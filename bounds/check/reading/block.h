/* bounds/check/reading/block.h -- block-approximate attention (docs/theory-lp.md, section 9), known by its whole text:
   that a column is a key or a feature is told by tables, which no reader of single statements follows. */
#ifndef REDBLUE_BOUNDS_CHECKER_BLOCK_H
#define REDBLUE_BOUNDS_CHECKER_BLOCK_H

#include "cdag/cdag.h"

typedef struct {
  int64_t d, dv;               /* widths of Q and K, of V */
  int64_t features, most;      /* of a key block that has any: the fewest and the most */
  uint64_t exact, far;         /* steps of the sums over keys and over features */
  uint64_t outputs;            /* each ends both of its sums */
  int64_t weight_exact, weight_far; /* of a step: 4 d, min(d, features) + 1 */
  int64_t alone;               /* work that a word of a row does besides: its own features are carried */
  int64_t fiber[3];            /* steps of Z that a pair serves, at most (2 d of them count), a word of V, a sum */
} checker_block;
/* False also where no feature is used, and where a block has too few keys for its features.  Ranks and exact blocks may
   be given as numbers. */
bool checker_block_read(const cdag *g, checker_block *b);

#endif
