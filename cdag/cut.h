/* cut.h -- arrays cut in two along an axis that they share.

   An *axis* is an index of each of some arrays, joined where one array's rule passes it on to another: j in A[i,j], in
   x[j] and in T[i,j] = T[i,j-1], A[i,j], x[j].  At one place of it every such array becomes two, one below the place
   and one from it on.  They are arrays of their own to whoever looks for a schedule: of a row that does not fit, one
   part may stay on chip where the other comes by twice. */
#ifndef REDBLUE_CDAG_CUT_H
#define REDBLUE_CDAG_CUT_H

#include "cdag/cdag.h"

enum { CDAG_AXIS_ARRAYS = 32 };
typedef struct {
  int8_t index[CDAG_AXIS_ARRAYS]; /* by array: which of its indices; -1: none */
  int64_t lo, hi;                 /* its values: lo <= x < hi */
} cdag_axis;

typedef struct {
  cdag *g;                     /* the same computation, the place a parameter of its own */
  char place[CDAG_NAME];       /* its name */
  const cdag *given;
  int arrays, *of, *index;     /* of each array of g: which it is part of, the index that is cut or -1 */
  bool *above;                 /* and whether it is from the place on */
  int64_t later;               /* delay.h: that index is so much more than its array's; or, above, it is left out, as */
  int beside;                  /* its array's is this one */
  int64_t by;                  /* and so much; and there is no place.  0: cut */
} cdag_cut;

/* The axes along which arrays may be cut, at most `room`: their ranges are the same whatever the other indices are. */
int cdag_axes(const cdag *g, cdag_axis *out, int room);
/* False: it is not cut there. */
bool cdag_cut_at(const cdag *g, const cdag_axis *axis, int64_t place, cdag_cut *out);
void cdag_cut_clear(cdag_cut *c);

#endif
