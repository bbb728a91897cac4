/* bounds/check/reading/graph.h -- what the checkers of theorems about any graph share. */
#ifndef REDBLUE_BOUNDS_CHECKER_GRAPH_H
#define REDBLUE_BOUNDS_CHECKER_GRAPH_H

#include "bounds/checker.h"

/* The graph itself, or written out into *made (to be cleared). */
status checker_graph_of(const cdag *g, cdag_graph *made, const cdag_graph **out, diag *d);
/* What pushing a vertex out costs beyond the compulsory moves: weight[v] = 1 for inputs and outputs, 2 for other
   vertices, 0 for those that lead to no output (and are no computed output).  Returns the compulsory moves. */
uint64_t checker_weigh(const cdag *c, const cdag_graph *g, uint8_t *weight);
/* Is it the FFT graph on 2^levels lanes, numbered rank by rank? */
bool checker_is_fft(const cdag_graph *g, int64_t levels);
bool checker_last_rank_is_output(const cdag *g, const cdag_graph *e, int64_t levels);

#endif
