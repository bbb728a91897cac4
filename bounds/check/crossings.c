/* The pyramid's bound, re-derived (docs/theory.md, section 12), and when nothing is computed twice that of grids, too.

   crossings: {"height": h, "loads", "base": b, "stores"}.

   With w = M - 2 (sliding: M - 1) the k-th load serves at most min(k - 1, w) of the h (h + 1) / 2 vertices that are
   computed: `loads` is how many serve all.  Pyramids over b > w vertices of a row that are no inputs want b - w
   vertices each that are loaded, hence stored; there are (h - b + 1) (h - b + 2) / 2 places for them, and no vertex is
   in more than b (b + 1) / 2: `stores`, 0 for b = 0.  The output is stored besides.

   crossings-one-shot: {"height" (or "statement", "along", "across"), "loads", "stores"}.  In a grid lines begin at the
   first points of rows and columns as well as with loads, and each beginning serves at most w of the points that read
   both neighbours.  A stored vertex serves at most M of the points that are computed and read by both; the last point
   of a line at most M - 1, and not more than the line has. */
#include "base/scoped.h"
#include "base/num.h"
#include "bounds/check/cut.h"
#include "bounds/check/reading/graph.h"
#include "bounds/check/reading/grid.h"
#include "bounds/checker.h"
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
  if (!json_get_int(c->parameters, "base", &base) || !json_get_int(c->parameters, "stores", stores) || *stores < 0 ||
      *stores >= (int64_t)1 << 32)
    return bound_refuse(reason, "'base' and 'stores' are not two numbers in range");
  if (base == 0)
    return *stores == 0 || bound_refuse(reason, "without pyramids nothing is known to be stored");
  if (base <= width || base > h)
    return bound_refuse(reason, "pyramids of this base are too large, or need no more than there is");
  unsigned __int128 wanted = (unsigned __int128)((h - base + 1) * (h - base + 2)) * (uint64_t)(base - width),
                    each = (uint64_t)(base * (base + 1));
  uint64_t s = (uint64_t)*stores;
  return (s * each >= wanted && s * each < wanted + each) ||
         bound_refuse(reason, "'stores' is not what these pyramids want");
}

/* w, which is 0 or less where nothing can be computed. */
static int64_t width_of(const bound_claim *c)
{
  bool sliding = strcmp(c->theorem, "crossings-sliding") == 0 || strcmp(c->theorem, "crossings-one-shot-sliding") == 0;
  return c->m - (sliding ? 1 : 2);
}

static bool check_crossings(const bound_claim *c, mpz_t value, text *reason)
{
  int64_t h, stores, width = width_of(c);
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

/* ---- when nothing is computed twice ---- */

static void divide_up(mpz_t points, int64_t each)
{
  SCOPED_MPZ by;
  mpz_init_set_si(by, each);
  mpz_cdiv_q(points, points, by);
  if (mpz_sgn(points) < 0)
    mpz_set_ui(points, 0);
}

static void serve_grid(const bound_claim *c, const checker_grid *g, mpz_t loads, mpz_t stores)
{
  int64_t a = checker_grid_width(c->g, g, 0) - 1, b = checker_grid_width(c->g, g, 1) - 1, width = width_of(c);
  SCOPED_MPZ ends;
  mpz_init_set_si(ends, a);
  mpz_mul_si(ends, ends, num_min(c->m - 1, b));
  mpz_set_si(stores, b);
  mpz_mul_si(stores, stores, num_min(c->m - 1, a));
  mpz_add(ends, ends, stores);
  mpz_set_si(loads, a);
  mpz_mul_si(loads, loads, b);
  mpz_sub_ui(stores, loads, 1); /* the corner may be an input */
  mpz_sub(stores, stores, ends);
  mpz_set_si(ends, a + b);
  mpz_mul_si(ends, ends, width);
  mpz_sub(loads, loads, ends); /* less what first points may serve */
  checker_grid_times_slices(c->g, g, loads);
  checker_grid_times_slices(c->g, g, stores);
  divide_up(loads, width);
  divide_up(stores, c->m);
}

static void serve_pyramid(const bound_claim *c, int64_t h, mpz_t loads, mpz_t stores)
{
  int64_t points = 0;
  for (int64_t line = 1; line <= h - 2; line++) /* of so many points, in a row and in a column */
    points += line - 2 * num_min(line, c->m - 1);
  mpz_set_si(loads, loads_that_serve(h * (h + 1) / 2, width_of(c)));
  mpz_set_si(stores, points);
  divide_up(stores, c->m);
}

static bool serve(const bound_claim *c, mpz_t loads, mpz_t stores, text *reason)
{
  checker_grid grid;
  int64_t h;
  if (width_of(c) < 1)
    return bound_refuse(reason, "with this memory nothing is computed");
  if (json_get_int(c->parameters, "height", &h)) {
    if (!check_graph(c, h, reason))
      return false;
    serve_pyramid(c, h, loads, stores);
    return true;
  }
  if (!checker_grid_read(c, &grid, reason))
    return false;
  serve_grid(c, &grid, loads, stores);
  return true;
}

static bool check_crossings_once(const bound_claim *c, mpz_t value, text *reason)
{
  SCOPED_MPZ stores;
  mpz_init(stores);
  bool good = serve(c, value, stores, reason) &&
              checker_equal(c->parameters, "loads", mpz_get_ui(value), reason) && /* no more than there are points */
              checker_equal(c->parameters, "stores", mpz_get_ui(stores), reason);
  mpz_add(value, value, stores);
  if (json_get(c->parameters, "height")) /* the pyramid's output is stored besides */
    mpz_add_ui(value, value, 1);
  return good;
}

BOUND_CHECKER(crossings) = { "crossings", BOUND_ANY & ~BOUND_SLIDING, check_crossings };
BOUND_CHECKER(crossings_sliding) = { "crossings-sliding", BOUND_ANY, check_crossings };
BOUND_CHECKER(crossings_one_shot) = { "crossings-one-shot", BOUND_ONE_SHOT | BOUND_PLACING, check_crossings_once };
BOUND_CHECKER(crossings_one_shot_sliding) = { "crossings-one-shot-sliding",
                                              BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_crossings_once };
