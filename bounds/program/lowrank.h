/* lowrank.h -- attention by dense features, O = phi(Q) (phi(K)^T [V | 1]): docs/theory-lp.md, section 6.

   W(a,l) = sum_j phi(k_j)_a V(j,l) and N(i,l) = sum_a phi(q_i)_a W(a,l), each feature depending on a whole row of width
   d; with a normaliser, one more slice on which V is 1.  Pure functions; bounds/recognise/shape_lowrank.c finds the
   numbers in a CDAG. */
#ifndef REDBLUE_BOUNDS_LOWRANK_H
#define REDBLUE_BOUNDS_LOWRANK_H

#include "bounds/program/covering.h"

typedef struct {
  int64_t keys, queries;   /* tokens on either side; keys >= 2 */
  int64_t features, d, dv; /* dv: width of V, without the normaliser's slice */
  bool normaliser;
  int64_t births, outputs, m;
} lowrank_case;

typedef struct {
  lowrank_case of;
  bool weigh_normaliser; /* give the normaliser's W-steps their weight d: they need no V word */
} lowrank_weights;

/* Weight of all steps: d + 1 a step (d for the normaliser's W-steps, if weighed). */
void bound_lowrank_total(const lowrank_weights *w, mpz_t total);
/* The words a carried feature leaves: X - p (1 - reruns), where `reruns` bounds the W chains made anew in a segment of
   X words a carried feature.  False when X is so large against keys d and keys^2 that nothing is proved. */
bool bound_lowrank_carry(const lowrank_weights *w, int64_t words, bound_carry *k);
/* For segment_problem, from a lowrank_weights: h, at most the total (which it is where nothing is proved). */
void bound_lowrank_work(const void *weights, const mpz_t words, mpz_t most);
double bound_lowrank_guess(const void *weights, double words);
/* loads + births >= c->events for the better weighting, which *w becomes.  False when nothing is claimed. */
bool bound_lowrank_events(const lowrank_case *of, lowrank_weights *w, segment_cut *c);

#endif
