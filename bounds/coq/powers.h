/* bounds/coq/powers.h -- loops as coordinates, some of them split, in the order in which forms tell them: what the
   certificates of exponents have in common (proofs/certify/StatementCertificate.v, AffineForms.v). */
#ifndef REDBLUE_BOUNDS_COQ_POWERS_H
#define REDBLUE_BOUNDS_COQ_POWERS_H

#include "base/text.h"
#include "cdag/cdag.h"

enum { COQ_COORDINATES = 2 * CDAG_RANK, COQ_FINEST = 1 << 10 };

typedef struct {
  int loop;
  int64_t by; /* the rest of the loop by this number, or the quotient */
  bool rest;
} coq_coordinate;

typedef struct {
  int loops;
  int64_t size[CDAG_RANK], split[CDAG_RANK];
  int n;
  coq_coordinate at[COQ_COORDINATES]; /* the last is told first */
} coq_order;

/* Loops are named r, the rests of split ones CDAG_RANK + r; one that is there is not added again. */
void coq_order_add(coq_order *o, int name);
/* Of a claim: the pivot is the last, so all before it are known; loops that are not named come before the others. */
void coq_order_claimed(coq_order *o, const int *named, int n);
int64_t coq_order_extent(const coq_order *o, int i);
/* Does a form with these coefficients tell coordinate i, those behind it being known? */
bool coq_order_told(const coq_order *o, const int64_t *coef, int i);
/* The splits, and the coordinates. */
void coq_order_put(const coq_order *o, text *out);
void coq_put_numbers(const int64_t *v, int n, text *out);

#endif
