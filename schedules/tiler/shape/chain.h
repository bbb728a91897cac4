/* chain.h -- is what an element reads of its own array the step before it in a sum?

   A sum over several loops reads the element before it in the order of its loops: one step back in one dimension,
   or, at the first step of the loops inside, their last one.  Texts say so in many ways, so elements are asked and not
   the text: some are drawn, and what they read is looked at.  Should others read otherwise, the referee says so. */
#ifndef REDBLUE_SCHEDULES_TILER_SHAPE_CHAIN_H
#define REDBLUE_SCHEDULES_TILER_SHAPE_CHAIN_H

#include "schedules/tiler/shape/shape.h"

/* The statement's chains, from its reads of itself. */
void tiler_find_chains(const cdag *g, tiler_statement *s);

/* Does an element read the word of `array` at those indices at the first step of its chains, and at no other? */
bool tiler_begins_with(const cdag *g, const tiler_statement *s, int array, const tiler_index *said);

/* A sum whose last step stands elsewhere at a border (`S[i,1], S[i,0] if i+1 == n`) is read at its end all the same: of
   such reads the one that says so is left. */
void tiler_join_ends(const tiler_shape *sh, tiler_statement *s);

/* A statement that reads itself otherwise too: where one read is a chain's step and all others are of chains' ends,
   those are reads like others. */
void tiler_find_own_chain(const tiler_shape *sh, tiler_statement *s);
/* v[t,i,j], summed over t and j, whose sums up to each t are read: what its first step at j reads is a read like
   others. */
void tiler_leave_outer_chains(const tiler_shape *sh, tiler_statement *s);

#endif
