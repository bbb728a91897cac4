/* pieces.h -- a bound without recomputation: the vertices are cut into pieces, and each has an exact search of its own
   (docs/theory-graphs.md, section 6). */
#ifndef REDBLUE_BOUNDS_PIECES_H
#define REDBLUE_BOUNDS_PIECES_H

#include "bounds/recognise/explicit.h"

/* Pieces of at most about `size` vertices with few edges between them: piece[v] for each v.  Returns how many.  A piece
   does not fall apart into what shares neither an edge nor a reader. */
uint32_t bound_pieces_cut(const cdag_graph *g, uint32_t size, uint32_t *piece);

/* What bounds/check/pieces.c reads: the pieces that have an excess. */
void bound_pieces_parameters(text *out, const bound_explicit *e, uint32_t pieces, const uint32_t *piece,
                             const uint32_t *excess);

#endif
