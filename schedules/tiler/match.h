/* match.h -- the library's schedules for a computation of the same shape, whatever its arrays and parameters are
 * called. */
#ifndef REDBLUE_SCHEDULES_TILER_MATCH_H
#define REDBLUE_SCHEDULES_TILER_MATCH_H

#include "schedules/tiler/shape/shape.h"

typedef struct {
  cdag *family;                /* the library's computation, with the same sizes */
  int *array;                  /* by array of the family: that of g which is the same */
} tiler_match;

/* Is g this family under other names?  The answer is checked bound by bound and index by index.  False: not seen to be.
 */
bool tiler_match_family(const tiler_shape *g, const char *family, tiler_match *out);
void tiler_match_clear(tiler_match *m);
/* A schedule for the family as a text for g: its arrays, tables and parameters under their names there, `params` in the
   place of its lines of parameters. */
void tiler_match_text(const tiler_match *m, const cdag *g, const char *source, const char *params, text *out);

#endif
