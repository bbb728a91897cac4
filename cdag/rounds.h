/* rounds.h -- a computation in rounds: an index t that runs over the same range in some arrays, and an array, the
   *head* of a round, each of whose elements reads all of another, the *tail*, of the round before: Q[t,k] = ...,
   O[t-1,*].  So no round begins before the one before it has ended.  Read off the description alone. */
#ifndef REDBLUE_CDAG_ROUNDS_H
#define REDBLUE_CDAG_ROUNDS_H

#include "cdag/cdag.h"

enum { CDAG_ROUNDS = 256 };    /* more rounds that differ are not looked at: the last so many are */

typedef struct {
  int head, tail;              /* arrays */
  int64_t first, end;          /* rounds first .. end-1 are looked at */
  bool alike;                  /* they are copies of one another, but for what they read of other rounds */
  int *index;                  /* array: which index says the round; -1: none does, as in what all rounds read */
} cdag_rounds;

bool cdag_rounds_find(const cdag *g, cdag_rounds *r);   /* r is to be cleared in any case */
void cdag_rounds_clear(cdag_rounds *r);
/* Round t by itself: the same arrays, in the same order, without the index; what is read of other rounds is left out,
   and who then reads nothing is an input; the outputs are the tail.  Its vertices and edges are vertices and edges of
   g. */
status cdag_round_open(cdag **out, const cdag *g, const cdag_rounds *r, int64_t t, diag *d);
/* Of a round by itself: input arrays of g, of no round, all whose readers have, in every element, an ancestor in the
 * head. */
void cdag_round_fresh(const cdag *g, const cdag_rounds *r, const cdag *round, bool *fresh);
/* Is the tail of the last round put out, element by element? */
bool cdag_rounds_put_out(const cdag *g, const cdag_rounds *r);

#endif
