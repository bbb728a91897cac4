/* read.h -- expressions as affine forms on pieces of a domain. */
#ifndef REDBLUE_CDAG_POLYHEDRAL_READ_H
#define REDBLUE_CDAG_POLYHEDRAL_READ_H

#include "cdag/cdag.h"
#include "cdag/polyhedral/polyhedron.h"

/* On the points of `where` the expressions have these values. */
typedef struct {
  const polyhedron *where;
  linear value;
} choice;
typedef struct {
  int n, room;
  choice *item;
  bool unread;                 /* somewhere it has a value that is no affine form; those points are left out */
} choices;

typedef struct {
  int params;                  /* slots of parameters, before those of the loops */
  const int64_t *param_value;
  const expr_table *table;
  arena *memory;
} affine_reader;

/* The values of e, whose loops are the first variables, on disjoint parts of `where`; where a table has no entry there
 * is none. */
void affine_read(const affine_reader *r, const expr *e, const polyhedron *where, choices *out);

#endif
