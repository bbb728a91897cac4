/* The table of theorems: a row each.  docs/theory.md and its companions hold the proofs. */
#include "bounds/bounds_internal.h"

static const bound_theorem table[] = {
  { "compulsory", "every input that matters is loaded, every computed output stored", "docs/theory.md, section 1",
    bound_apply_compulsory, false },
  { "product-segment", "segments of a reduction over two operands, such as a matrix product", "docs/theory.md, section 2",
    bound_apply_product, false },
  { "attention-segment", "segments of forward attention, pairs carried or made", "docs/theory.md, section 3",
    bound_apply_attention, false },
  { "attention-two-products", "forward attention, scores and accumulators counted by halves", "docs/theory.md, section 3",
    bound_apply_two_products, false },
  { "attention-three-way", "forward attention for M about d^2: loads, births and stores", "docs/theory.md, section 3",
    bound_apply_three_ways, false },
  { "covering", "work at pairs: the weights of a linear program over passes", "docs/theory-lp.md, section 2", bound_apply_covering,
    false },
  { "backward", "backward pass of attention: loads (12 d^2 a pair), loads and stores (14)", "docs/theory-lp.md, sections 4 and 5",
    bound_apply_backward, false },
  { "lowrank", "attention by dense features, made anew or carried", "docs/theory-lp.md, section 6", bound_apply_lowrank, false },
  { "projective", "any reduction statement: exponents of its projections", "docs/theory-lp.md, section 7", bound_apply_projective,
    false },
  { "lines", "stencils: disjoint straight and slanted lines into what a segment computes", "docs/theory.md, section 9", bound_apply_lines,
    false },
  { "elimination", "Cholesky's factorisation: steps are triangles in a graph of words", "docs/theory.md, section 10", bound_apply_elimination, false },
  { "pyramids", "grids and dynamic programmes: pyramids need as many pebbles as their bases have vertices", "docs/theory.md, section 11", bound_apply_pyramids, false },
  { "crossings", "the pyramid: a load serves no more vertices than there are words beside it; stores as in \"pyramids\"", "docs/theory.md, section 12", bound_apply_crossings, false },
  { "crossings-one-shot", "grids and the pyramid: what loads and stores can serve; no recomputation", "docs/theory.md, section 12", bound_apply_crossings_once, false },
  { "literature", "what others have published, asymptotic or refuted: never the best", "docs/literature.md", bound_apply_literature,
    false },
  { "wavefront", "words still needed when a vertex is computed, by flows; no recomputation",
    "Elango et al. 2014 (arXiv 1404.4767); docs/theory-graphs.md, section 1", bound_apply_wavefront, false },
  { "spectral", "words that cross between runs of the order of computation, by eigenvalues; no recomputation",
    "Jain and Zaharia 2020 (arXiv 1909.09791); docs/theory-graphs.md, section 2", bound_apply_spectral, false },
  { "s-partition", "how many vertices X words have within reach, by linear programming; small graphs",
    "Hong and Kung 1981 (theorem 3.1, corrected); docs/theory-graphs.md, section 4", bound_apply_partition, true },
  { "fft-segments", "the FFT graph: what X words allow, exactly; and Hong and Kung's form",
    "Hong and Kung 1981; docs/theory-graphs.md, section 3", bound_apply_fft, false },
};

int bound_theorems(const bound_theorem **rows)
{
  *rows = table;
  return (int)(sizeof table / sizeof *table);
}
