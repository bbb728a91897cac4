/* triangle.h -- pairs of rows of one operand, as in A A^T, by triangular blocks.

   A square block of results b x b wants 2 b words of the operand for b^2 results: half of what fits on chip serves each
   side.  All pairs out of b sqrt(2) rows are as many results and want these rows only.  Blocks of whole triangles do
   not tile the pairs, but blocks of r bundles, one out of each of r groups of bundles, tile the pairs between groups
   (Beaumont and others, arXiv 2202.10217; the rule which bundles meet is in tiler_print_triangles).  Pairs inside a
   group, and those with rows that are left over, go by squares.  Of few large bundles those of a cyclic plane: each two
   of the r (r - 1) + 1 bundles meet in one of as many blocks of r, and each is whole in one.

   Where all pairs are results, A A^T without its symmetry, (i,j) and (j,i) are made together: two results for the same
   two rows. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_TRIANGLE_H
#define REDBLUE_SCHEDULES_TILER_NESTS_TRIANGLE_H

#include "schedules/tiler/nests/search.h"

/* Blocks (x,y) of bundles of groups; or blocks y of a plane, with bundles of as many rows and rows that are left over,
   or with bundles of about as many. */
typedef enum { DESIGN_GROUPS, DESIGN_PLANE, DESIGN_EVEN } tiler_design;

/* So many digits are in the first number where there are two. */
enum { TILER_DIGITS = 7 };

typedef struct tiler_triangle {
  tiler_candidate pair;        /* one pair of bundles: blocks of rows, of rows before them, single steps; no lengths */
  tiler_candidate squares;     /* what is left */
  int rows, before;            /* classes: before's row is the earlier one of a pair */
  bool mirror;                 /* all pairs are asked for: each goes with the one the other way round */
  int64_t groups, bundle, cycle; /* groups of `cycle` bundles of `bundle` rows; of mirrored pairs 0: squares only */
  tiler_design design;         /* of a plane: blocks of `groups` out of `cycle` bundles */
  int64_t digits[2];           /* block y has the bundles y + digit u of these, in base `cycle` */
  bool rest;                   /* some pairs go by squares */
  double io;
} tiler_triangle;

/* The best such blocks for m words, of planes too or not; false when the nest has no such pairs, or squares move no
   more. */
bool tiler_triangle_of(const tiler_solved *s, double m, bool planes_too, tiler_triangle *out);

#endif
