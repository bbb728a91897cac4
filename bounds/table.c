/* The table of theorems: a row each.  docs/theory.md and its companions hold the proofs. */
#include "bounds/bounds_internal.h"

static const bound_theorem table[] = {
  { "compulsory", "every input that matters is loaded, every computed output stored", "docs/theory.md, section 1",
    bound_apply_compulsory, false },
  { "product-segment", "segments of a reduction over two operands, such as a matrix product", "docs/theory.md, section 2",
    bound_apply_product, false },
  { "attention-segment", "segments of forward attention, pairs carried or made", "docs/theory.md, section 3",
    bound_apply_attention, false },
};

int bound_theorems(const bound_theorem **rows)
{
  *rows = table;
  return (int)(sizeof table / sizeof *table);
}
