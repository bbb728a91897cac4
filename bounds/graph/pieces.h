/* pieces.h -- a bound without recomputation: the vertices are cut into pieces, and each has a graph and an exact search
   of its own (docs/theory-graphs.md, section 6). */
#ifndef REDBLUE_BOUNDS_PIECES_H
#define REDBLUE_BOUNDS_PIECES_H

#include "cdag/cdag.h"

/* The graph of piece p, where piece[v] is that of v: its vertices, whatever reads one of them, and for every other word
   that one of these reads an input of its own.  Every play of g without recomputation gives one of *out that moves what
   it moved of the piece's vertices, and *known words besides: these inputs, and readers from other pieces. */
void bound_piece_graph(const cdag_graph *g, const uint32_t *piece, uint32_t p, cdag_graph *out, uint64_t *known);

/* Pieces of about `size` vertices with few edges between them: piece[v] for each v.  Returns how many. */
uint32_t bound_pieces_cut(const cdag_graph *g, uint32_t size, uint32_t *piece);

#endif
