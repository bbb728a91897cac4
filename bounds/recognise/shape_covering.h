/* bounds/recognise/shape_covering.h -- interaction programs among the statements of a CDAG (docs/theory-lp.md, section
 * 3). */
#ifndef REDBLUE_BOUNDS_SHAPE_COVERING_H
#define REDBLUE_BOUNDS_SHAPE_COVERING_H

#include "base/json.h"
#include "bounds/program/covering.h"
#include "bounds/recognise/shape.h"

typedef struct {
  cover_program p;
  int anchor;                 /* the array whose elements are the pairs */
  int array[COVER_ARRAYS];    /* of the CDAG, for each word array of p */
  int statement[COVER_KINDS]; /* array of the CDAG whose steps the kind does */
  uint64_t others;            /* inputs that are none of its words (checker_cover_others) */
  bool seeded; /* some chains start from input words and are not born */
} cover_shape;

/* The program with the most kinds; false when there is none. */
bool bound_cover_find(const cdag *g, const bound_live *known, cover_shape *c);

/* The members of a certificate that say where a kind is found in the computation. */
void bound_cover_write_terms(json *j, const cover_kind *k);

#endif
