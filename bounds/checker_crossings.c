/* The pyramid's bound, re-derived (docs/theory.md, section 12).  {"height": h, "loads", "base": b, "stores"}.

   With w = M - 2 (sliding: M - 1) the k-th load serves at most min(k - 1, w) of the h (h + 1) / 2 vertices that are computed: `loads` is how many serve all.  Pyramids over b > w
   vertices of a row that are no inputs want b - w vertices each that are loaded, hence stored; there are (h - b + 1) (h - b + 2) / 2 places for them, and no vertex is in more than b (b + 1) / 2: `stores`,
   0 for b = 0.  The output is stored besides. */
#include "base/num.h"
#include "bounds/checker_cut.h"
#include "bounds/checker_internal.h"
#include "bounds/checker_graph.h"
#include <inttypes.h>
#include <string.h>

/* Of a pyramid the uppermost s rows are its last vertices, of which this is the first. */
static uint32_t row_of(const cdag_graph *g, uint32_t s) { return (uint32_t)(g->n - (uint64_t)s * (s + 1) / 2); }

static bool reads_two(const cdag_graph *g, uint32_t v, uint32_t a, uint32_t b)
{
  const uint32_t *pred = g->pred + g->pred_at[v];
  return g->pred_at[v + 1] - g->pred_at[v] == 2 && ((pred[0] == a && pred[1] == b) || (pred[0] == b && pred[1] == a));
}

static bool is_pyramid(const cdag_graph *g, int64_t height)
{
  uint32_t inputs = 0;
  while (inputs < g->n && cdag_graph_is_input(g, inputs))
    inputs++;
  if (height < 1 || height != (int64_t)inputs - 1 || (uint64_t)inputs * ((uint64_t)inputs + 1) / 2 != g->n)
    return false;
  for (uint32_t s = inputs - 1; s > 0; s--)
    for (uint32_t j = 0, below = row_of(g, s + 1); j < s; j++)
      if (!reads_two(g, row_of(g, s) + j, below + j, below + j + 1))
        return false;
  return g->output[g->n - 1];
}

static bool check_graph(const bound_claim *c, int64_t h, text *reason)
{
  cdag_graph made = { 0 };
  const cdag_graph *g;
  diag d;
  if (checker_graph_of(c->g, &made, &g, &d) != OK)
    return bound_refuse(reason, "%s", d.message);
  bool good = is_pyramid(g, h);
  cdag_graph_clear(&made);
  return good || bound_refuse(reason, "this is no pyramid of that height");
}

/* One load after the other, until all are served. */
static int64_t loads_that_serve(int64_t vertices, int64_t width)
{
  int64_t loads = 0;
  for (int64_t served = 0; served < vertices; loads++)
    served += num_min(loads, width);
  return loads;
}

/* The least number of vertices that are enough for pyramids of this base. */
static bool read_stores(const bound_claim *c, int64_t h, int64_t width, int64_t *stores, text *reason)
{
  int64_t base;
  if (!json_get_int(c->parameters, "base", &base) || !json_get_int(c->parameters, "stores", stores) || *stores < 0 || *stores >= (int64_t)1 << 32)
    return bound_refuse(reason, "'base' and 'stores' are not two numbers in range");
  if (base == 0)
    return *stores == 0 || bound_refuse(reason, "without pyramids nothing is known to be stored");
  if (base <= width || base > h)
    return bound_refuse(reason, "pyramids of this base are too large, or need no more than there is");
  unsigned __int128 wanted = (unsigned __int128)((h - base + 1) * (h - base + 2)) * (uint64_t)(base - width), each = (uint64_t)(base * (base + 1));
  uint64_t s = (uint64_t)*stores;
  return (s * each >= wanted && s * each < wanted + each) || bound_refuse(reason, "'stores' is not what these pyramids want");
}

bool checker_crossings(const bound_claim *c, mpz_t value, text *reason)
{
  int64_t h, stores, width = c->m - (strcmp(c->theorem, "crossings-sliding") == 0 ? 1 : 2);
  if (!json_get_int(c->parameters, "height", &h))
    return bound_refuse(reason, "'height' is missing");
  if (width < 1)
    return bound_refuse(reason, "with this memory nothing is computed");
  if (!check_graph(c, h, reason) || !read_stores(c, h, width, &stores, reason))
    return false;
  int64_t loads = loads_that_serve(h * (h + 1) / 2, width);
  mpz_set_si(value, loads + stores + 1);
  return checker_equal(c->parameters, "loads", (uint64_t)loads, reason);
}
