/* The theorems the checker can re-derive. */
#include "bounds/bound.h"
#include "bounds/check/reading/graph.h"
#include "bounds/check/internal.h"
#include <string.h>

static const bound_checker table[] = {
  { "compulsory", BOUND_ANY | BOUND_PARTIAL, checker_compulsory },
  { "product-segment", BOUND_ANY, checker_product },
  { "attention-segment", BOUND_ANY, checker_attention },
  { "attention-two-products", BOUND_ANY, checker_two_products },
  { "attention-three-way", BOUND_ANY, checker_three_ways },
  { "lines", BOUND_ANY, checker_lines },
  { "lines-one-shot", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, checker_lines },
  { "elimination", BOUND_ANY, checker_elimination },
  { "pyramids", BOUND_ANY, checker_pyramids },
  { "crossings", BOUND_ANY & ~BOUND_SLIDING, checker_crossings },
  { "crossings-sliding", BOUND_ANY, checker_crossings },
  { "crossings-one-shot", BOUND_ONE_SHOT | BOUND_PLACING, checker_crossings_once },
  { "crossings-one-shot-sliding", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, checker_crossings_once },
  { "wavefront", BOUND_ONE_SHOT | BOUND_PLACING, checker_wavefront },
  { "wavefront-sliding", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, checker_wavefront },
  { "spectral", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, checker_spectral },
  { "spectral-boundaries", BOUND_ONE_SHOT | BOUND_PLACING, checker_spectral },
  { "spectral-boundaries-sliding", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, checker_spectral },
  { "fft-segments", BOUND_ANY, checker_fft },
  { "fft-segments-partial", BOUND_PARTIAL | BOUND_ONE_SHOT, checker_fft },
  { "fft-segments-one-shot", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, checker_fft },
  { "covering", BOUND_ANY, checker_covering },
  { "backward-12", BOUND_ANY, checker_backward_12 },
  { "backward-14", BOUND_ANY, checker_backward_14 },
  { "lowrank", BOUND_ANY, checker_lowrank },
  { "projective", BOUND_ANY, checker_projective },
  { "projective-sum", BOUND_ANY, checker_projective_sum },
};

const bound_checker *bound_checker_find(const char *theorem)
{
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].theorem, theorem) == 0)
      return &table[i];
  return NULL;
}
