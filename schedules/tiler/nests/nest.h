/* nest.h -- statements that share one nest of loops, and the classes of their dimensions.

   Dimensions of several statements that one loop can walk are one *class*: along each read of a computed array with a
   plain index (P[i,j] in the rule of Z: Z.i = P.i, Z.j = P.j), as long as no statement gets one class twice; on request
   also along reads of the same input.  Where windows lie side by side (Z[y] reads Y[2*y..2*y+2], or Y[2*y+a] with a
   below 2) Y's dimension has two values for each of the class: its *scale*.  A read of what is not computed in the nest
   is a *group*: same array, same indices in classes. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_NEST_H
#define REDBLUE_SCHEDULES_TILER_NESTS_NEST_H

#include "schedules/tiler/shape/shape.h"

enum { TILER_STATEMENTS = 24, TILER_CLASSES = 32, TILER_GROUPS = 48, TILER_EDGES = 96 };

/* base + sum coef[k] * class cls[k], ascending by class. */
typedef struct {
  int64_t base;
  int n;
  int cls[CDAG_RANK];
  int64_t coef[CDAG_RANK];
} tiler_sum;

typedef struct {
  int array, rank;
  cdag_index_kind kind[CDAG_RANK];
  tiler_sum lo[CDAG_RANK], hi[CDAG_RANK];
  const expr *value[CDAG_RANK]; /* an index that is a range around this, in the first reader's variables; or NULL */
  uint32_t vars[CDAG_RANK];    /* and the classes it reads */
  uint32_t rel;                /* classes it reads */
  uint32_t readers;            /* statements of the nest, by place */
  int first;                   /* one of them */
  const tiler_access *access;  /* of that one */
} tiler_group;

typedef struct {
  int from, to;                /* producer, reader: places in the nest */
  const tiler_access *access;
  uint32_t aligned;            /* classes of the producer that are read at the reader's own value */
  bool all;                    /* the reader has every value of its classes that the producer has */
  bool behind;                 /* it reads the chain's step before its own, which stays so long */
  tiler_group box;
} tiler_edge;

typedef struct {
  int64_t extent, lo;
  int place, dim;              /* a statement that has it, and where */
  char name[CDAG_NAME], block[CDAG_NAME];
  int cut;                     /* the outermost loop goes 1: up to, 2: from cut_at only */
  int64_t cut_at;
} tiler_class;

typedef struct {
  const tiler_shape *s;
  int n, stmt[TILER_STATEMENTS];            /* arrays, each after those it reads */
  uint32_t stored;                          /* places: outputs, and what other nests read */
  int classes;
  tiler_class cls[TILER_CLASSES];
  int of[TILER_STATEMENTS][CDAG_RANK];      /* class of a dimension */
  int64_t scale[TILER_STATEMENTS][CDAG_RANK]; /* at value c of the class it has those from scale*c to scale*(c+1) - 1 */
  uint32_t has[TILER_STATEMENTS], chain[TILER_STATEMENTS]; /* classes */
  uint32_t fixed;              /* classes whose value loops around the nest say: no statement has them */
  uint32_t slanted[TILER_CLASSES];          /* classes whose ranges go together */
  int64_t band[TILER_CLASSES][TILER_CLASSES]; /* of two slanted ones: j from i + a to i + a + so many; 0: no band */
  int groups, inits, edges;    /* their lists are lent to copies */
  tiler_group *group;
  tiler_group *init;           /* initial values: there at the first step of a chain only; first is the statement */
  tiler_edge *edge;
} tiler_nest;

/* array: in topological order; stored: by place.  NULL: too large, or out of the space. */
tiler_nest *tiler_nest_new(const tiler_shape *s, const int *array, int count, uint32_t stored, bool along_inputs);
void tiler_nest_free(tiler_nest *n);
static inline const tiler_statement *tiler_at(const tiler_nest *n, int place) { return &n->s->s[n->stmt[place]]; }
/* One statement alone, each dimension a class named after its variable: for its boxes and ranges; no reads are listed.
 */
void tiler_nest_alone(tiler_nest *n, const tiler_shape *s, int array);
/* The least number by which one of the upper bounds of dimension r is above one of the lower ones, both x[q] and a
   number; 0 where there are none. */
int64_t tiler_band_width(const tiler_statement *s, int r, int q);
void tiler_group_of(const tiler_nest *n, int place, const tiler_access *a, tiler_group *out);
bool tiler_same_index(const tiler_group *a, const tiler_group *b, int q);

#endif
