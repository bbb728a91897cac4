#include "bounds/check/reading/block.h"
#include "base/num.h"

enum { WIDEST = 1 << 14, UNLIMITED = 1 << 30 };

static int64_t parameter(const cdag *g, const char *name)
{
  int at = cdag_find_param(g, name);
  return at < 0 ? 0 : g->param_value[at];
}

/* Sums over a block of so many keys that are made anew are no more than the words of its keys that this takes: s slices
   of t features take keys (s + min(d, t)) words; the left side over the right grows in s and in t. */
static bool words_pay(const checker_block *b, int64_t keys)
{
  int64_t whole = num_min(b->d, b->features);
  return b->dv * b->features <= keys * (b->dv + whole) && b->dv * whole <= keys * (b->dv + whole);
}

bool checker_block_read(const cdag *g, checker_block *b)
{
  int z = cdag_find_array(g, "Z"), n = cdag_find_array(g, "N"), o = cdag_find_array(g, "O");
  if (g->graph || g->copies > 0 || z < 0 || n < 0 || o < 0 || !cdag_is_family(g, "attention-block"))
    return false;
  int64_t tokens = parameter(g, "n"), keys = parameter(g, "b"), blocks = parameter(g, "nb");
  *b = (checker_block){ .d = parameter(g, "d"),
                        .dv = parameter(g, "dv"),
                        .features = parameter(g, "r"),
                        .exact = g->array[z].count,
                        .far = g->array[n].count,
                        .outputs = g->array[o].count };
  if (b->d < 1 || b->dv < 1 || b->features < 1 || num_max(b->d, num_max(b->dv, b->features)) > WIDEST ||
      parameter(g, "spread") != 0 || b->far == 0 || tokens > INT64_MAX / WIDEST)
    return false;
  int64_t less = num_min(b->d, b->features) + 1;
  b->weight_exact = 4 * b->d;
  b->weight_far = less;
  b->alone = (less * less + 15) / 16;
  b->fiber[0] = num_min(b->dv, 2 * b->d);
  b->fiber[1] = b->fiber[2] = UNLIMITED;
  return words_pay(b, tokens - (blocks - 1) * keys); /* the last block has the fewest keys */
}
