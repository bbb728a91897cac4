/* records.h -- what earlier theorems found, for those that build on it. */
#ifndef REDBLUE_BOUNDS_AFFINE_RECORDS_H
#define REDBLUE_BOUNDS_AFFINE_RECORDS_H

#include "bounds/bound.h"
#include "bounds/check/affine/claim.h"

/* The larger one of these two theorems' records, NULL: there is none. */
const bound *affine_larger_record(const bound_list *l, const char *name, const char *other);
bool affine_record_claim(const bound *b, affine_claim *c);

#endif
