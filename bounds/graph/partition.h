/* partition.h -- Hong and Kung's S-partition bound for any graph, recomputation allowed (docs/theory-graphs.md, section
   4).

   What a segment computes for the first time is within reach of the words red when it begins and those it loads: every
   path from the inputs meets them.  So segments are few only if X words can have many vertices within reach. */
#ifndef REDBLUE_BOUNDS_PARTITION_H
#define REDBLUE_BOUNDS_PARTITION_H

#include "bounds/recognise/explicit.h"

/* No `words` vertices of g have more vertices within reach, themselves not counted, than this: a linear relaxation, its
   dual checked in fractions, refined by branching on which vertices the words are, over at most `nodes` linear
   programs.  *exact: it is attained. */
uint64_t bound_partition_reach(const cdag_graph *g, uint64_t words, unsigned nodes, bool *exact);

#endif
