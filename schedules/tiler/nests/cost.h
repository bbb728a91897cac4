/* cost.h -- what a tree moves and how much it holds at once, as polynomials in its block lengths; and the best lengths.

   On rectangles whose classes start and end together the I/O is the played one and the peak is never below it. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_COST_H
#define REDBLUE_SCHEDULES_TILER_NESTS_COST_H

#include "schedules/tiler/nests/tree.h"

enum { TILER_TERMS = 24, TILER_PEAKS = 40 };

typedef struct { int n; tiler_amount a[TILER_TERMS]; } tiler_polynomial;
typedef struct {
  int lengths, cls[TILER_LOOPS];       /* classes that go by blocks */
  double extent[TILER_CLASSES];        /* by class */
  tiler_polynomial io;
  int peaks;
  tiler_polynomial peak[TILER_PEAKS];
  uint64_t key;                        /* of equal polynomials, and hardly of others */
} tiler_cost;

typedef struct { double io, peak; int64_t b[TILER_LOOPS]; } tiler_lengths; /* b: in the order of cls */

/* False: too large to be told. */
bool tiler_cost_of(tiler_cost *c, const tiler_tree *t);
double tiler_cost_io(const tiler_cost *c, const double *b);    /* b by class */
double tiler_cost_peak(const tiler_cost *c, const double *b);
/* The largest length of class k that fits m words while the others stay; 0: none. */
double tiler_cost_largest(const tiler_cost *c, double *b, int k, double m);
/* No lengths that fit m words move less than this; INFINITY when none fit. */
double tiler_cost_floor(const tiler_cost *c, double m);
/* The best lengths found, ceilings taken into account; false when none fit. */
bool tiler_cost_solve(const tiler_cost *c, double m, tiler_lengths *out);

#endif
