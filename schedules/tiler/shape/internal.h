/* internal.h -- what the files that read a shape share: domains (domain.c), accesses (access.c), indices that are not
   affine (widen.c), first steps of chains (begin.c), and all of it together (shape.c). */
#ifndef REDBLUE_SCHEDULES_TILER_SHAPE_INTERNAL_H
#define REDBLUE_SCHEDULES_TILER_SHAPE_INTERNAL_H

#include "schedules/tiler/shape/shape.h"

/* ---- domain.c ---- */

/* Is the expression a number, whatever the first `rank` variables are? */
bool tiler_is_number(const cdag *g, const expr *e, int rank, int64_t *out);
/* e + more goes to the forms of b: e is affine, or the least or the greatest (of) of such; else b is not affine. */
void tiler_read_bound(const cdag *g, const expr *e, int rank, expr_op of, int64_t more, tiler_bound *b);
/* The least or the greatest value of a form on the hull of the statement. */
int64_t tiler_form_extreme(const tiler_statement *s, const tiler_form *f, bool most);
/* True when its bounds are affine. */
bool tiler_read_domain(const cdag *g, tiler_statement *s);

/* ---- access.c ---- */

/* A term as an access; true when it is affine. */
bool tiler_read_access(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number,
                       tiler_access *out);
/* A[max(i,k), min(i,k)], a symmetric matrix of which one triangle is given, is A[i,k] or A[k,i]: both are listed. */
bool tiler_read_both_ways(const tiler_shape *sh, const tiler_statement *s, const cdag_term *t, int number,
                          tiler_access *a, tiler_access *b);

/* ---- widen.c ---- */

/* An index that is not affine as a range around it, the whole of the array at most. */
void tiler_widen_index(const cdag *g, const cdag_index *i, const tiler_statement *s, bool guarded, tiler_index *out);
/* Reads through tables of one array get one box, as theirs may meet. */
void tiler_join_widened(tiler_statement *s);

/* ---- begin.c ---- */

/* Reads as they are at the first step of a chain, and of what kind. */
void tiler_begin_accesses(tiler_shape *sh, tiler_statement *s);

#endif
