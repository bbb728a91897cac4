/* formula_internal.h -- what formula_box.c and formula_walk.c share. */
#ifndef REDBLUE_SCHEDULES_FORMULA_INTERNAL_H
#define REDBLUE_SCHEDULES_FORMULA_INTERNAL_H

#include "schedules/formula_walk.h"

/* Bounds of an index: as polynomials, and all values they take. */
typedef struct { poly lo, hi, least; span lo_span, hi_span; } interval; /* least <= lo */
void interval_clear(interval *x);
bool formula_interval(formula *f, const schedule_index *x, interval *out);  /* as written, not clipped; not `*` */
void formula_grant_tables(formula *f, const expr *e);   /* the formula rests on the entries that e reads. Depth: an expression's */
bool formula_bound(formula *f, const expr *e, poly *p, span *s);

#endif
