/* peel.h -- the ragged end of the outermost blocks as a nest of its own, with block lengths of its own.

   Legal as the class is in every statement of the nest and no chain: the two nests compute different elements of each.
 */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_PEEL_H
#define REDBLUE_SCHEDULES_TILER_NESTS_PEEL_H

#include "schedules/tiler/nests/search.h"

typedef struct {
  tiler_candidate part[2];     /* before and from the cut on */
  tiler_nest *nest[2];         /* owned */
} tiler_peeled;

/* False when no cut makes it better. */
bool tiler_peel(const tiler_candidate *c, double m, tiler_peeled *out);
void tiler_peeled_clear(tiler_peeled *p);

#endif
