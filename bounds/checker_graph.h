/* checker_graph.h -- checkers of the certificates whose theorems hold for any graph (rows of bounds/checker_table.c). */
#ifndef REDBLUE_BOUNDS_CHECKER_GRAPH_H
#define REDBLUE_BOUNDS_CHECKER_GRAPH_H

#include "bounds/checker.h"

/* {"compulsory": C, "waves": [{"x", "after", "flow", "red", "along": [u,v,amount,...], "against": [u,v,amount,...]}, ...], "sum": S}:
   vertices are numbers of the computation; "against" flows backward along the edge u -> v.  "wavefront" is about the placing
   game, "wavefront-sliding" about both.  S = sum over the numbers of the waves, in order, s <- (s * 1000003 + number) mod (2^61 - 1). */
bool bound_check_wavefront(const bound_claim *c, mpz_t value, text *reason);

#endif
