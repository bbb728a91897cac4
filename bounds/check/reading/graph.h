/* bounds/check/reading/graph.h -- checkers of the certificates whose theorems hold for any graph (rows of bounds/check/table.c). */
#ifndef REDBLUE_BOUNDS_CHECKER_GRAPH_H
#define REDBLUE_BOUNDS_CHECKER_GRAPH_H

#include "bounds/checker.h"

/* {"compulsory": C, "waves": [{"x", "after", "flow", "red", "along": [u,v,amount,...], "against": [u,v,amount,...]}, ...], "sum": S}:
   vertices are numbers of the computation; "against" flows backward along the edge u -> v.  "wavefront" is about the placing
   game, "wavefront-sliding" about both.  S = sum over the numbers of the waves, in order, s <- (s * 1000003 + number) mod (2^61 - 1). */
bool checker_wavefront(const bound_claim *c, mpz_t value, text *reason);

/* "fft-segments", "fft-segments-partial", "fft-segments-one-shot": {"levels", "T", "first", "later"}. */
bool checker_fft(const bound_claim *c, mpz_t value, text *reason);

/* "spectral", "spectral-boundaries", "spectral-boundaries-sliding": {"runs": k, "halved": 0 or 1, "steps": [below, value, ...], and "levels":
   l for an FFT graph or "order": [the vertices that matter, in an order of elimination]}.  A step says that at most `below` eigenvalues
   of the Laplacian are smaller than value / 2^40. */
bool checker_spectral(const bound_claim *c, mpz_t value, text *reason);

/* ---- what these checkers share ---- */

/* The graph itself, or written out into *made (to be cleared). */
status checker_graph_of(const cdag *g, cdag_graph *made, const cdag_graph **out, diag *d);
/* What pushing a vertex out costs beyond the compulsory moves: weight[v] = 1 for inputs and outputs, 2 for other vertices, 0 for those that
   lead to no output (and are no computed output).  Returns the compulsory moves. */
uint64_t checker_weigh(const cdag *c, const cdag_graph *g, uint8_t *weight);
/* Is it the FFT graph on 2^levels lanes, numbered rank by rank? */
bool checker_is_fft(const cdag_graph *g, int64_t levels);
bool checker_last_rank_is_output(const cdag *g, const cdag_graph *e, int64_t levels);

#endif
