/* parts.h -- a computation that falls into parts with nothing in common: arrays that no rule joins, and an index that
   every array of a part has and every rule passes on as it is (copies, heads, requests of a batch).  Read off the
   description alone. */
#ifndef REDBLUE_CDAG_PARTS_H
#define REDBLUE_CDAG_PARTS_H

#include "cdag/cdag.h"

enum { CDAG_PARTS = 64 };      /* more different ones are not told apart */

typedef struct {
  bool *kept;                  /* array: is it in this part? */
  int *dropped;                /* array: the index that says which part; -1: none */
  int64_t value;               /* its value here, unless all values give the same */
  bool alike;                  /* they do */
  uint64_t copies;             /* so many parts are as this one */
} cdag_part;

typedef struct {
  int n;
  cdag_part *part;
  bool whole;                  /* no arrays were left out because they have no output, so need not be played at all */
} cdag_parts;

/* The vertices of the parts, copies and all, are those of g, each once, but those of arrays that were left out; and so
   are the edges, inputs and outputs.  Only one part, of one copy: nothing falls apart, as far as the description shows.
 */
void cdag_parts_find(const cdag *g, cdag_parts *p);
void cdag_parts_clear(cdag_parts *p);
static inline bool cdag_parts_several(const cdag_parts *p) { return p->n > 1 || (p->n == 1 && p->part[0].copies > 1); }
/* One copy of a part, as a computation of its own.  It may fail when names clash. */
status cdag_part_open(cdag **out, const cdag *g, const cdag_part *part, diag *d);

#endif
