/* fft.h -- lower bounds for the FFT graph on 2^levels lanes, in integers (docs/theory-graphs.md, section 3). */
#ifndef REDBLUE_BOUNDS_FFT_H
#define REDBLUE_BOUNDS_FFT_H

#include <stdbool.h>
#include <stdint.h>

/* The most edges among x vertices of a hypercube: ones in the binary numerals of 0 .. x-1. */
uint64_t bound_fft_edges(uint64_t x);
typedef struct {
  uint64_t t;            /* moves of a segment */
  uint64_t first, later; /* vertices the first segment can compute, and another */
  uint64_t value;        /* Q >= value; 0: no claim */
  bool moves;            /* of loads and stores, else of loads */
} bound_fft_cut;
/* The best segment bound.  one_shot: nothing is computed twice, loads and stores are counted together (not for the
 * partial game). */
bound_fft_cut bound_fft_segments(int levels, uint64_t m, bool one_shot, bool partial);
/* n (log2 n + 1) / (2 log2(4 M)) - M, rounded up (the logarithm rounded up first). */
uint64_t bound_fft_hong_kung(int levels, uint64_t m);

#endif
