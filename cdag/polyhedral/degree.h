/* degree.h -- how many elements the elements of an array read, counted as points of polyhedra. */
#ifndef REDBLUE_CDAG_POLYHEDRAL_DEGREE_H
#define REDBLUE_CDAG_POLYHEDRAL_DEGREE_H

#include "cdag/polyhedral/normal.h"

typedef struct { uint64_t edges, sources, most; } polyhedral_degrees;
/* Of an array that is read: pairs of an element and one that it reads, elements that read none, the most that one
   reads.  False when that is not found out. */
bool polyhedral_degrees_of(normal_form *f, int array, polyhedral_degrees *d);
/* How many elements of an array without inputs are outputs, when that is found out; f has its ends. */
bool polyhedral_outputs_of(normal_form *f, int array, uint64_t *outputs);

#endif
