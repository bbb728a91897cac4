/* bounds/recognise/projective_shape.h -- reduction statements of a CDAG as ways to meet a step's needs
 * (docs/theory-lp.md, section 7).
 */
#ifndef REDBLUE_BOUNDS_PROJECTIVE_SHAPE_H
#define REDBLUE_BOUNDS_PROJECTIVE_SHAPE_H

#include "bounds/program/projective.h"
#include "bounds/recognise/shape.h"

/* Words that are counted together.  Objects that may share a word end in one purse; everything is decided on arrays and
 * boxes. */
enum { PROJ_OBJECTS = 96 };
typedef struct {
  bool input;
  int array;       /* input: of this array, */
  cdag_box box;    /*   inside this box */
  uint64_t arrays; /* else: vertices of these arrays */
  int parent;
} proj_object;
typedef struct {
  const cdag *g;
  int n;
  proj_object object[PROJ_OBJECTS];
} proj_objects;

/* The ways of a statement; purses are objects until bound_proj_number.  False when the statement has too many needs. */
bool bound_proj_of_statement(proj_objects *o, const bound_statement *s, proj_statement *p);
/* Unite objects that may share words and number the purses from 0 in every statement; false when there are more than
   PROJ_PURSES. Then decide best_way_alone for each. */
bool bound_proj_number(proj_objects *o, proj_statement **p, int n);

#endif
