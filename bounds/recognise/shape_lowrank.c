/* Attention by features among the statements: which of them are W and N, and U and S of a normaliser.  Whether
   they are is for the reader to say (bounds/check/reading/features.h). */
#include "bounds/recognise/shape_lowrank.h"
#include "base/mem.h"

enum { MOST = 12 };

typedef struct {
  const cdag *g;
  bound_statement s[MOST];
  int n;
} statements;

/* Two more statements, after those that are there, with which the reader agrees. */
static bool add_two(const statements *all, const bound_statement *chosen[4], int at, checker_features *f)
{
  for (int w = 0; w < all->n; w++)
    for (int n = 0; n < all->n; n++) {
      chosen[at] = &all->s[w];
      chosen[at + 1] = &all->s[n];
      if (w != n && checker_features_read(all->g, chosen, f))
        return true;
    }
  chosen[at] = chosen[at + 1] = NULL;
  return false;
}

static int array_of(const bound_statement *s) { return s ? s->array : -1; }

static bool find(const statements *all, lowrank_shape *l)
{
  const bound_statement *chosen[4] = { NULL };
  checker_features f;
  if (!add_two(all, chosen, 0, &f))
    return false;
  add_two(all, chosen, 2, &f);
  *l = (lowrank_shape){ .read = f,
                        .w = array_of(chosen[0]),
                        .n = array_of(chosen[1]),
                        .u = array_of(chosen[2]),
                        .s = array_of(chosen[3]) };
  l->of = (lowrank_case){ .keys = f.keys,
                          .queries = f.queries,
                          .features = f.features,
                          .d = f.d,
                          .dv = f.dv,
                          .normaliser = chosen[2],
                          .births = (int64_t)f.births };
  return true;
}

bool bound_lowrank_find(const cdag *g, const bound_live *known, lowrank_shape *l)
{
  if (g->graph)
    return false;
  bound_live own;
  const bound_live *live = bound_live_of(g, known, &own);
  SCOPED_MEM statements *all = MEM_NEW(statements, 1);
  all->g = g;
  for (int a = 0; a < g->arrays && all->n < MOST; a++)
    all->n += bound_statement_find(g, live, a, &all->s[all->n]);
  bool found = find(all, l);
  if (found)
    l->of.outputs = (int64_t)live->outputs;
  bound_live_clear(&own);
  return found;
}
