/* known.h -- searches that were made: plans of several kinds ask for the best nests of the same statements, and each is
   looked for once. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_KNOWN_H
#define REDBLUE_SCHEDULES_TILER_NESTS_KNOWN_H

#include "schedules/tiler/nests/search.h"

typedef struct {
  int n;
  size_t room;
  struct tiler_known_search *search;
} tiler_known;

/* The search for this shape and this memory, made before or now: what x has set is used where it is made.  Kept in k
   until it is cleared; its nests may be printed as long as the shape lives.  One that was made before has its best
   division only. */
const tiler_search *tiler_known_search(tiler_known *k, const tiler_search *x);
void tiler_known_clear(tiler_known *k);

#endif
