/* bounds/check/reading/stencil.h -- what a point of an array over time and space reads one level earlier. */
#ifndef REDBLUE_BOUNDS_CHECKER_STENCIL_H
#define REDBLUE_BOUNDS_CHECKER_STENCIL_H

#include "cdag/cdag.h"

typedef struct {
  bool straight;               /* the same place */
  bool aside[CDAG_RANK][2];    /* by index of space, the neighbours below and above */
  bool given;                  /* the first level is inputs, or reads inputs of its own, one each */
} checker_stencil;
/* Of an array that is a box, with the index of time. */
void checker_stencil_read(const cdag *g, int array, int time, checker_stencil *s);

#endif
