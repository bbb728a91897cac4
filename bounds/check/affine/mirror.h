/* mirror.h -- two statements that read one symmetric matrix, one as its rows and one as its columns
   (docs/theory-affine.md, section 3). */
#ifndef REDBLUE_BOUNDS_CHECK_MIRROR_H
#define REDBLUE_BOUNDS_CHECK_MIRROR_H

#include "bounds/check/affine/claim.h"

/* Is the one form less than the other on all steps? */
bool always_less(const statement_facts *t, const linear *less, const linear *more);

/* The items of two statements, three each, in the same three columns: one column's words tell the statements, and the
   others are in it a centre {x,y} and words (x,z) beside own ones (y,z), x below y in one statement and above it in the
   other.  Then steps^2 <= 32/27 times the product of the numbers of words.  Steps where x is y are taken away. */
bool mirrored(affine_facts *f, statement_facts *t, statement_facts *u, int telling);

#endif
