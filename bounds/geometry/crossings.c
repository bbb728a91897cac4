/* crossings.c -- the pyramid (docs/theory.md, section 12).

   Every vertex that is computed stands where two lines cross, and reads the vertex before it on either.  Follow both
   values back to the loads that brought them: when the later of the two came, a vertex of the other line was red.  So a
   load serves no more vertices than there are words beside it, and there are h (h + 1) / 2 of them.  What is loaded and
   is no input was stored: pyramids that lie in this one, in all places, want so many different vertices (section 11).
 */
#include "bounds/geometry/crossings.h"
#include "base/num.h"
#include "bounds/bound.h"
#include "bounds/leading.h"
#include "bounds/proof.h"

/* ---- the pyramid ---- */

/* Vertices row .. row + width - 1 read two neighbours each of the row that ends before them. */
static bool is_row(const cdag_graph *g, uint32_t row, uint32_t width)
{
  uint32_t below = row - width - 1;
  for (uint32_t j = 0; j < width; j++) {
    const uint32_t *pred = g->pred + g->pred_at[row + j];
    if (g->pred_at[row + j + 1] - g->pred_at[row + j] != 2 || num_min(pred[0], pred[1]) != below + j ||
        num_max(pred[0], pred[1]) != below + j + 1)
      return false;
  }
  return true;
}

bool bound_is_pyramid(const cdag_graph *g, int64_t *h)
{
  uint32_t inputs = 0;
  while (inputs < g->n && cdag_graph_is_input(g, inputs))
    inputs++;
  *h = (int64_t)inputs - 1;
  if (inputs < 2 || (uint64_t)inputs * (inputs + 1) / 2 != g->n || !g->output[g->n - 1])
    return false;
  for (uint32_t row = inputs, width = inputs - 1; width > 0; row += width--)
    if (!is_row(g, row, width))
      return false;
  return true;
}

/* ---- the counts ---- */

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t bound_crossings_loads(int64_t h, int64_t width)
{
  return h <= width ? h + 1 : divide_up(h * (h + 1) / 2 + width * (width + 1) / 2, width);
}

int64_t bound_crossings_stores(int64_t h, int64_t width, int64_t *base)
{
  int64_t most = 0;
  *base = 0;
  for (int64_t b = width + 1; b <= h; b++) {
    int64_t stores = divide_up((h - b + 1) * (h - b + 2) * (b - width), b * (b + 1));
    if (stores > most) {
      most = stores;
      *base = b;
    }
  }
  return most;
}

/* ---- the record ---- */

typedef struct {
  int64_t height, width, loads, base, stores;
  bool sliding;
} found;

static void say_loads(const proof *say, const found *f)
{
  proof_tell(say, "geometry/crossings/loads", "height %ld, passed %s, width %ld, points %ld, loads %ld",
             (long)f->height,
             f->sliding ? "There are at most {M - 1}."
                       : "Until a vertex is computed next no bearer changes, and then a pebble is free: there are at "
                         "most {M - 2}, besides {x}.",
             (long)f->width, (long)(f->height * (f->height + 1) / 2), (long)f->loads);
}

static void say_stores(const proof *say, const found *f)
{
  proof_tell(say, "geometry/crossings/stores", "base %ld, width %ld, may_give %s, pyramids %ld, inside %ld, stores %ld",
             (long)f->base, (long)f->width, f->sliding ? " (one of the two may give its pebble)" : "",
             (long)((f->height - f->base + 1) * (f->height - f->base + 2) / 2), (long)(f->base * (f->base + 1) / 2),
             (long)f->stores);
}

static void say_proof(const found *f, bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  say_loads(&say, f);
  say_stores(&say, f);
  proof_say(&say, "Together {Q >= %ld + %ld + 1 = %Zd}.", (long)f->loads, (long)f->stores, b->value);
  proof_paragraph(&say);
}

static void add_record(const bound_question *q, const found *f, bound_list *out)
{
  bound *b = bound_list_add(out, f->sliding ? "crossings-sliding" : "crossings", BOUND_PROVED,
                            f->sliding ? BOUND_ANY : BOUND_ANY & ~BOUND_SLIDING, "docs/theory.md, section 12");
  mpz_set_si(b->value, f->loads + f->stores + 1);
  text_add(&b->leading, "3 h^2 / (4 M)");
  bound_leading_keep_near(b, 0.75 * (double)f->height * (double)f->height / (double)q->m);
  text_printf(&b->parameters, "{\"height\":%lld,\"loads\":%lld,\"base\":%lld,\"stores\":%lld}", (long long)f->height,
              (long long)f->loads, (long long)f->base, (long long)f->stores);
  if (q->want_proof)
    say_proof(f, b);
}

static status apply_crossings(const bound_question *q, bound_list *out, diag *d)
{
  found f = { .sliding = q->variant == 1 };
  (void)d;
  if (!q->g->graph || q->variant == 2 || !bound_is_pyramid(q->g->graph, &f.height))
    return OK;
  int64_t kept =
      f.sliding ? 1
                : 2; /* with less nothing is computed; with more than so many and the height all is, without spilling */
  if (q->m <= (uint64_t)kept || q->m >= (uint64_t)(f.height + kept))
    return OK;
  f.width = (int64_t)q->m - kept;
  f.loads = bound_crossings_loads(f.height, f.width);
  f.stores = bound_crossings_stores(f.height, f.width, &f.base);
  add_record(q, &f, out);
  return OK;
}

BOUND_THEOREM(130, crossings) = {
  .name = "crossings",
  .summary = "the pyramid: a load serves no more vertices than there are words beside it; stores as in \"pyramids\"",
  .source = "docs/theory.md, section 12",
  .apply = apply_crossings,
};
