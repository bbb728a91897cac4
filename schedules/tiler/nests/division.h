/* The text of a division: which nests compute the statements, each with its lengths. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_DIVISION_H
#define REDBLUE_SCHEDULES_TILER_NESTS_DIVISION_H

#include "schedules/tiler/nests/search.h"
#include "schedules/tiler/nests/triangle.h"

void division_write(const cdag *g, const tiler_candidate *const *c, int n, text *out);
/* The loops alone; names: those in use, to which their lengths' are added. */
void division_write_nests(const cdag *g, const tiler_candidate *const *c, int n, text *names, text *params, text *body);
/* The candidate in place `at` by triangular blocks and squares, the others as they are. */
void division_write_triangles(const cdag *g, const tiler_candidate *const *c, int n, int at, const tiler_triangle *o,
                              text *out);

#endif
