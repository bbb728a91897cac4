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
  proof_say(say,
            "The pyramid is the points {(i, j)}, {i, j <= h = %ld}, with {i + j >= h}; those with {i + j = h} are the "
            "inputs, each other vertex reads {(i - 1, j)}, before it in its row {j}, and {(i, j - 1)}, before it in "
            "its column {i}. "
            "Fix one compute of each vertex {v} that is no input. The value of {(i - 1, j)} is red then; follow it "
            "back: it came by a load, or was computed from the value before it in the row, and so on until a load is "
            "met. From that load until {v} is computed some vertex of the row before {v}, the bearer, is red, and "
            "the bearer changes only when the next of the row is computed. Likewise for the column. Let the later of "
            "the two loads be that of {x}; say that it serves {v}.",
            (long)f->height);
  proof_paragraph(say);
  proof_say(say,
            "What a load of {x} serves in the row of {x} has bearers in its columns, a column each, which are to the "
            "right of {x}, and below its row; what it serves in the column of {x} has bearers to the left. When {x} is "
            "loaded all these bearers are different, and none is {x}. %s "
            "So a load serves at most {%ld} vertices. An earlier load can be the other one for one vertex at most that "
            "this load serves: the {k}-th serves at most {k - 1}.",
            f->sliding ? "There are at most {M - 1}."
                       : "Until a vertex is computed next no bearer changes, and then a pebble is free: there are at "
                         "most {M - 2}, besides {x}.",
            (long)f->width);
  proof_say(say, " There are {h (h + 1) / 2 = %ld} vertices to be served: at least {%ld} loads.",
            (long)(f->height * (f->height + 1) / 2), (long)f->loads);
  proof_paragraph(say);
}

static void say_stores(const proof *say, const found *f)
{
  proof_say(say,
            "Consider a pyramid over {b = %ld} neighbours in a row, which are no inputs. Call marked those of its "
            "vertices that are red, and those that were computed before and are loaded at some time of the play. At "
            "the first move after which every path from the base to its top meets a mark, a "
            "vertex of the base is computed; from the {b - 1} others disjoint ways lead to the path that was free "
            "until then, and each has a mark. So {b} vertices are marked, and the top is not yet computed. At most "
            "{%ld} of them are red, as what that vertex of the base reads%s is red, too: {b - %ld} "
            "or more are loaded at some time, so they were stored. There are {%ld} places for such a pyramid, and a "
            "vertex is in at most {b (b + 1) / 2 = %ld} of them: {%ld} vertices or more are stored, none of them the "
            "output, which is stored besides.",
            (long)f->base, (long)f->width, f->sliding ? " (one of the two may give its pebble)" : "", (long)f->width,
            (long)((f->height - f->base + 1) * (f->height - f->base + 2) / 2), (long)(f->base * (f->base + 1) / 2),
            (long)f->stores);
  proof_paragraph(say);
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
