/* fft.h -- lower bounds for the FFT graph on 2^levels lanes, in integers (docs/theory-graphs.md, section 3). */
#ifndef REDBLUE_BOUNDS_FFT_H
#define REDBLUE_BOUNDS_FFT_H

#include <stdbool.h>
#include <stdint.h>

/* The most edges among x vertices of a hypercube: ones in the binary numerals of 0 .. x-1. */
uint64_t bound_fft_edges(uint64_t x);
/* The best segment bound on Q and its segment length; 0 when there is no claim.  one_shot: nothing is computed twice, loads and
   stores are counted together (not for the partial game). */
uint64_t bound_fft_segments(int levels, uint64_t m, bool one_shot, bool partial, uint64_t *t);
/* n (log2 n + 1) / (2 log2(4 M)) - M, rounded up (the logarithm rounded up first). */
uint64_t bound_fft_hong_kung(int levels, uint64_t m);

#endif
