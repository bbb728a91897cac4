/* text.h -- a tree as a schedule's text. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_TEXT_H
#define REDBLUE_SCHEDULES_TILER_NESTS_TEXT_H

#include "schedules/tiler/nests/tree.h"

/* The loops of one nest, after a comment that says what stays and what comes by; length: the parameter for the blocks
 * of a class. */
void tiler_print(const tiler_tree *t, const char length[][CDAG_NAME], text *out);

/* Names of the parameters and loops of triangular blocks (triangle.h): `groups` groups u, v of `cycle` bundles of
 * `bundle` rows. */
typedef struct {
  int rows, before;            /* classes */
  bool mirror;                 /* with each pair goes the pair the other way round, from the same rows */
  bool plane;                  /* block y has `groups` of all `cycle` bundles, y behind the digits of a number */
  bool even;                   /* bundle k has the rows rows k / cycle .. rows (k + 1) / cycle */
  int first_digits;            /* of two numbers; 0: there is one */
  char digits[CDAG_NAME], more[CDAG_NAME];
  char groups[CDAG_NAME], bundle[CDAG_NAME], cycle[CDAG_NAME], x[CDAG_NAME], y[CDAG_NAME], u[CDAG_NAME], v[CDAG_NAME];
} tiler_bundles;

/* A tree of pairs of rows, for the pairs between groups; and a tree of squares for the others. */
void tiler_print_triangles(const tiler_tree *t, const tiler_bundles *b, text *out);
void tiler_print_rest(const tiler_tree *t, const char length[][CDAG_NAME], const tiler_bundles *b, text *out);
/* A tree of squares for all pairs, each with the one the other way round. */
void tiler_print_mirrored(const tiler_tree *t, const char length[][CDAG_NAME], const tiler_bundles *b, text *out);

#endif
