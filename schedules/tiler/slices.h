/* slices.h -- a computation whose arrays are whole spaces (cdag/unite.h), or parts (cdag/cut.h), and its schedules
   under the names given. */
#ifndef REDBLUE_SCHEDULES_TILER_SLICES_H
#define REDBLUE_SCHEDULES_TILER_SLICES_H

#include "cdag/cut.h"
#include "cdag/unite.h"
#include "schedules/tiler/walk.h"

enum { TILER_UNITED = 16 };
typedef struct {
  const cdag *given;
  int n;                       /* steps: each of the computation that the one before left */
  cdag_united step[TILER_UNITED];
  const cdag_cut *cut;         /* last of all its arrays were cut; or NULL */
} tiler_slices;

/* False: there is nothing to unite.  To be cleared in any case. */
bool tiler_slices_init(tiler_slices *s, const cdag *g);
void tiler_slices_clear(tiler_slices *s);
const cdag *tiler_slices_whole(const tiler_slices *s);
/* A schedule of the whole, for m words, becomes one of what was given: each box of a whole is a box of each slice, and
   each of a part one of its array.  False: it was not read. */
bool tiler_slices_text(const tiler_slices *s, uint64_t m, text *source);
/* Boxes are cut to the rule that they are of, as elements of another one would not fall away: none, as most texts
   name no such elements; those with an index that is more than a loop's variable; or all, as a loop may walk several
   rules. */
typedef enum { CLIPS_NONE, CLIPS_LOOSE, CLIPS_ALL } respelled_clips;
/* One of the respelled computation becomes one of what was given. */
bool tiler_respelled_text(tiler_walks *walks, uint64_t m, respelled_clips clips, text *source);

#endif
