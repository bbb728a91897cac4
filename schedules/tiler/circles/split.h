/* split.h -- arrays that read a pivot, in parts: before it, at it and after it.

   In P[k,i,j] = P[k-1,i,j], P[k-1,i,k], P[k-1,k,j] (Floyd and Warshall's closure) every axis has reads that go forward,
   towards row k and column k.  On the parts where i and j are below, at or above k none do, or they lead to another
   part.  Parts that read one another in a circle make a group, and groups have an order: for the closure, that is a
   factorisation, two inversions of triangles and a product. */
#ifndef REDBLUE_SCHEDULES_TILER_CIRCLES_SPLIT_H
#define REDBLUE_SCHEDULES_TILER_CIRCLES_SPLIT_H

#include "cdag/polyhedral/normal.h"

enum { SPLIT_PARTS = 32 };

typedef struct {
  cdag g;           /* like that of the form, with an array of the same name for each part */
  normal_form form; /* of g */
  int n, part[SPLIT_PARTS];
  int group[SPLIT_PARTS]; /* of part, ascending: none reads a later one */
  int groups;
} tiler_split;

/* The n arrays in parts; false when no read of theirs leads to a pivot, or there are too many parts.  Borrows f. */
bool tiler_split_init(tiler_split *s, const normal_form *f, const int *array, int n);
/* Group h, which reads group g, becomes one with it; groups are numbered anew.  False: another one is between them. */
bool tiler_split_join(tiler_split *s, int g, int h);
void tiler_split_clear(tiler_split *s);

#endif
