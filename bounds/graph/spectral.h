/* spectral.h -- the spectral bound of one-shot pebbling (Jain and Zaharia 2020; docs/theory-graphs.md, section 2).

   Cut the order of computation into k equal runs: words cross the cuts, and the edges they cross weigh at least sum w_i
   lambda_i, lambda the eigenvalues of a weighted Laplacian, ascending. */
#ifndef REDBLUE_BOUNDS_SPECTRAL_H
#define REDBLUE_BOUNDS_SPECTRAL_H

#include "bounds/recognise/explicit.h"
#include "bounds/graph/inertia.h"
#include <gmp.h>

/* Lower bounds of the eigenvalues, ascending steps: lambda_i >= step[j].value / 2^SPECTRAL_BITS for i > step[j].below
 * (i from 1). */
enum { SPECTRAL_BITS = 40 };
typedef struct {
  uint64_t below;
  int64_t value;
} bound_spectral_step;
typedef struct {
  size_t n, room;
  bound_spectral_step *step;
} bound_spectrum;
void bound_spectrum_add(bound_spectrum *s, uint64_t below,
                        int64_t value); /* in any order; what another step implies is dropped */
void bound_spectrum_clear(bound_spectrum *s);

/* max over k <= n of ceil( sum_{i<=k} w_i lambda_i ) - 2 (k - free) words, at least 0; w_i = floor(n/k), + 1 for i <= n
 * mod k. */
uint64_t bound_spectrum_best(const bound_spectrum *s, uint64_t n, uint64_t words, int free, uint64_t *k);

/* The Laplacian with weight 1/outdegree(u) on the edges of u; halved: half of that where u is an input or an output. */
void bound_spectral_matrix(const cdag_graph *g, bool halved, bound_matrix *a);

/* Certified steps for it, by at most `work` multiplications.  False: none, it is too large for that. */
bool bound_spectral_count(const cdag_graph *g, bool halved, uint64_t words, uint64_t work, bound_spectrum *s);

/* Is e the FFT graph, numbered rank by rank (any pairing of bits with ranks)?  Then *l, 2^l lanes. */
bool bound_spectral_is_fft(const bound_explicit *e, int *l);
bool bound_spectral_has_fft_size(uint64_t vertices, int *l); /* worth looking? */
/* All its eigenvalues, lower bounds within 2^-39, proved in integers; halved: when the outputs are the last rank. */
void bound_spectral_fft(int l, bool halved, bound_spectrum *s);

#endif
