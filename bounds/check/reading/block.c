#include "bounds/check/reading/block.h"
#include "base/num.h"
#include <string.h>

enum { WIDEST = 1 << 14, UNLIMITED = 1 << 30 };

static int64_t parameter(const cdag *g, const char *name)
{
  int at = cdag_find_param(g, name);
  return at < 0 ? 0 : g->param_value[at];
}

/* Sums over a block of so many keys that are made anew are no more than the words of its keys that this takes: s slices
   of t features take keys (s + min(d, t)) words; s t over s + min(d, t) grows in s and in t. */
static bool words_pay(const checker_block *b, int64_t keys)
{
  return b->dv * b->most <= keys * (b->dv + num_min(b->d, b->most));
}

/* The fewest features of a key block that has any, and the most; 0 when none has. */
static void read_ranks(const cdag *g, checker_block *b)
{
  for (int i = 0; i < g->tables; i++) {
    const expr_table *t = &g->table[i];
    for (int64_t j = 0; strcmp(t->name, "rank") == 0 && !t->unstored && j < t->extent[0]; j++) {
      int64_t features = expr_entry(t, j);
      if (features > 0 && (b->features == 0 || features < b->features))
        b->features = features;
      b->most = num_max(b->most, features);
    }
  }
}

static const char *const given[][2] = { { "table rank[J:nb] = ", "table rank[nb] = " },
                                        { "table mask[I:nb, J:nb] = ", "table mask[nb, nb] = " },
                                        { NULL, NULL } };

bool checker_block_read(const cdag *g, checker_block *b)
{
  int z = cdag_find_array(g, "Z"), n = cdag_find_array(g, "N"), o = cdag_find_array(g, "O");
  if (g->graph || g->copies > 0 || z < 0 || n < 0 || o < 0 || !cdag_is_family_but(g, "attention-block", given))
    return false;
  int64_t tokens = parameter(g, "n"), keys = parameter(g, "b"), blocks = parameter(g, "nb");
  *b = (checker_block){ .d = parameter(g, "d"),
                        .dv = parameter(g, "dv"),
                        .exact = g->array[z].count,
                        .far = g->array[n].count,
                        .outputs = g->array[o].count };
  read_ranks(g, b);
  if (b->d < 1 || b->dv < 1 || b->features < 1 || num_max(b->d, num_max(b->dv, b->most)) > WIDEST || b->far == 0 ||
      tokens > INT64_MAX / WIDEST)
    return false;
  int64_t less = num_min(b->d, b->features) + 1;
  b->weight_exact = 4 * b->d;
  b->weight_far = less;
  b->alone = (less * less + 15) / 16;
  b->fiber[0] = num_min(b->dv, 2 * b->d);
  b->fiber[1] = b->fiber[2] = UNLIMITED;
  return words_pay(b, tokens - (blocks - 1) * keys); /* the last block has the fewest keys */
}
