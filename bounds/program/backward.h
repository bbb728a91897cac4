/* backward.h -- the backward pass of attention: loads (12) and loads with stores (14); docs/theory-lp.md, sections 4
   and 5.

   Pure functions of the numbers; bounds/recognise/shape_backward.c finds them in a CDAG. */
#ifndef REDBLUE_BOUNDS_BACKWARD_H
#define REDBLUE_BOUNDS_BACKWARD_H

#include "bounds/program/covering.h"

typedef struct {
  int64_t d;       /* width of Q, K, V, dO */
  int64_t pairs;   /* scored pairs: each has d steps of dQ, dK and dV */
  int64_t births;  /* chains of dQ, dK, dV */
  int64_t outputs; /* outputs that are no inputs: stores at least */
  int64_t m;
} backward_case;

/* 4d a step, 12 d^2 a pair: loads + births >= c->events.  False when nothing is claimed or d is too large (d > 2^28).
 */
bool bound_backward_loads(const backward_case *b, segment_cut *c);

/* Weights 4d, 6d, 4d for a step of dV, dQ, dK, 14 d^2 a pair:
     14 d^2 pairs <= H(f) + (N - 1) H(M + t) + (M + d^2) stores,   loads + births >= f + t (N - 2) + 1 for N >= 2.
   The first segment begins with nothing red: f = M + t, and it does as much as the others, when floor_events says that
   there are so many events; else f = t. Together with loads + births >= floor_events (from bound_backward_loads, or
   what else is known) and stores >= outputs the least loads + stores is at `stores` stores, and value is it, rounded
   up. */
typedef struct {
  int64_t f, t;
  mpz_t first, later; /* H(f), H(M + t) */
  mpq_t stores;
  mpz_t value; /* Q >= value */
} backward_balance;
void bound_backward_balance_init(backward_balance *r);
void bound_backward_balance_clear(backward_balance *r);
/* For one t >= 1; d as above. */
void bound_backward_balance_at(const backward_case *b, const mpz_t floor_events, int64_t t, backward_balance *r);
/* The best t found; false when d is too large. */
bool bound_backward_balance_best(const backward_case *b, const mpz_t floor_events, backward_balance *r);

/* What carried pairs may do under either weighting: for h(X). */
bound_carry bound_backward_carry(const backward_case *b, bool with_stores);

#endif
