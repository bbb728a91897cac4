/* schedules/sign/memo.h -- which polynomials were proved not to be negative, and which were not: a walk asks the same
   in the same iterations of the same loops again and again.  Private to the formula. */
#ifndef REDBLUE_SCHEDULES_FORMULA_MEMO_H
#define REDBLUE_SCHEDULES_FORMULA_MEMO_H

#include "schedules/symbolic/walk.h"

/* Where the answer for e is, or is to be kept, in the iterations that f->kind describes; `granted`: with what was said
   to be a condition for known.  Good until the next call. */
bool *formula_memo_at(formula *f, poly e, bool granted, bool *known);
void formula_memo_free(struct formula_memo *m);

#endif
