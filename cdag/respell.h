/* respell.h -- the same computation as most people would spell it.

   One array may have several rules (a first step, a border, the inside), a sum may count downwards, an index may begin
   at 1 where what it reads begins at 0, or be a distance from another index (A[i+d,i], B[i+d,j]).  Here each rule is an
   array of its own, sums count upwards, indices begin where those of the inputs do that they pass on, and a distance is
   the index it leads to.  Elements are the same but for their names, so a schedule for the one is one for the other;
   those that lead to no output are left out (cdag/trim.h). */
#ifndef REDBLUE_CDAG_RESPELL_H
#define REDBLUE_CDAG_RESPELL_H

#include "cdag/trim.h"

/* An index x of the array given is by - x', or x' + by, or, beside > 0, x' less index beside - 1, which is as given;
   or, times > 0 (stride.h), times x' and each number below times, or (apart) the index behind x', which is one more. */
typedef struct { bool turned; int64_t by; int beside; int64_t times; bool apart; } cdag_relabel;

typedef struct {
  cdag *g;                     /* NULL: it is spelled so */
  const cdag *given;
  int *of;                     /* by array: whose rule it is */
  uint32_t *part;              /* by array: indices whose ranges tell it from other rules of the same array */
  cdag_relabel (*index)[CDAG_RANK]; /* by array */
  cdag_trims trims;            /* of the arrays given */
  bool strides;                /* indices count in steps (stride.h): a box of g may be several moves */
  bool folded;                 /* parts meet (fold.h): a box that reaches beyond one is always cut */
} cdag_respelled;

bool cdag_respell(const cdag *g, cdag_respelled *out);
void cdag_respelled_clear(cdag_respelled *r);
/* What the trim says where the indices before its own are value[v]; to be freed. */
expr *cdag_trim_end(const cdag_trim *t, const expr *const *value);
/* In the given spelling: what x' = e is; a range ends before `end` = 1 more.  To be freed. */
expr *cdag_respelled_value(const cdag_relabel *m, const expr *e, int64_t end);

#endif
