/* bounds_internal.h -- what the files of this room share: one function for each row of the table of theorems.
   A new bound is a .c file named after its theorem, a line here and a row in bounds/table.c. */
#ifndef REDBLUE_BOUNDS_INTERNAL_H
#define REDBLUE_BOUNDS_INTERNAL_H

#include "bounds/bound.h"

status bound_apply_compulsory(const bound_question *q, bound_list *out, diag *d);
status bound_apply_product(const bound_question *q, bound_list *out, diag *d);
status bound_apply_attention(const bound_question *q, bound_list *out, diag *d);
status bound_apply_two_products(const bound_question *q, bound_list *out, diag *d);
status bound_apply_three_ways(const bound_question *q, bound_list *out, diag *d);
status bound_apply_wavefront(const bound_question *q, bound_list *out, diag *d);
status bound_apply_spectral(const bound_question *q, bound_list *out, diag *d);
status bound_apply_covering(const bound_question *q, bound_list *out, diag *d);
status bound_apply_backward(const bound_question *q, bound_list *out, diag *d);
status bound_apply_lowrank(const bound_question *q, bound_list *out, diag *d);
status bound_apply_projective(const bound_question *q, bound_list *out, diag *d);
status bound_apply_literature(const bound_question *q, bound_list *out, diag *d);
status bound_apply_lines(const bound_question *q, bound_list *out, diag *d);
status bound_apply_elimination(const bound_question *q, bound_list *out, diag *d);
status bound_apply_pyramids(const bound_question *q, bound_list *out, diag *d);
status bound_apply_crossings(const bound_question *q, bound_list *out, diag *d);
status bound_apply_crossings_once(const bound_question *q, bound_list *out, diag *d);
status bound_apply_fft(const bound_question *q, bound_list *out, diag *d);
status bound_apply_partition(const bound_question *q, bound_list *out, diag *d);

#endif
