/* bounds/geometry/crossings_once.c -- grids and the pyramid when nothing is computed twice (docs/theory.md, section
   12).

   A load serves at most w = M - 2 points (sliding: M - 1), as in crossings.c, and so does the compute of a row's first
   point, where a line may begin without a load.  Forward, the value of a point is carried on along its row, and along
   its column, until it is lost before it is used, and then it was stored, or until the line ends.  A stored vertex
   serves at most M points, the end of a line M - 1. */
#include "base/json.h"
#include "base/num.h"
#include "bounds/bound.h"
#include "bounds/geometry/crossings.h"
#include "bounds/leading.h"
#include "bounds/recognise/grid.h"
#include "bounds/proof.h"
#include "bounds/recognise/shape.h"

typedef struct {
  __int128 read, births;       /* points that read both neighbours; lines that begin without a load */
  __int128 kept, deaths;       /* computed points that both neighbours read; those that ends of lines may serve */
  int64_t m, width, outputs;
  int64_t loads, stores;       /* outputs not among them */
} counts;

static int64_t divide_up(__int128 a, int64_t b) { return a <= 0 ? 0 : (int64_t)((a + b - 1) / b); }

static counts of_grid(const bound_grid *g, int64_t m, int64_t width)
{
  __int128 a = g->width[0] - 1, b = g->width[1] - 1, slices = g->slices;
  counts c = { .read = slices * a * b, .births = slices * (a + b), .m = m, .width = width };
  c.kept = c.read - slices; /* the first corner may be an input */
  c.deaths = slices * (b * num_min(m - 1, (int64_t)a) + a * num_min(m - 1, (int64_t)b));
  c.loads = divide_up(c.read - c.births * width, width);
  c.stores = divide_up(c.kept - c.deaths, m);
  return c;
}

/* Lines of 1 .. h - 2 such points, both ways. */
static counts of_pyramid(int64_t h, int64_t m, int64_t width)
{
  int64_t full = num_max(0, h - 1 - m), rest = h - 2 - full;
  counts c = { .read = h * (h + 1) / 2, .kept = (h - 1) * (h - 2) / 2, .m = m, .width = width, .outputs = 1 };
  c.deaths = rest * (rest + 1) + 2 * full * (m - 1);
  c.loads = bound_crossings_loads(h, width);
  c.stores = divide_up(c.kept - c.deaths, m);
  return c;
}

/* ---- the proof ---- */

static void say_loads(const proof *say, const counts *c, const char *name, bool sliding)
{
  proof_tell(say, "geometry/crossings_once/loads", "name %s, passed %s, width %ld", name,
             sliding ? "There are at most {M - 1}."
                    : "Until a vertex is computed next no bearer changes, and then a pebble is free: there are at most "
                      "{M - 2}, besides {x}.",
             (long)c->width);
  if (c->births > 0)
    proof_tell(say, "geometry/crossings_once/births", "read %ld, births %ld, loads %ld", (long)c->read,
               (long)c->births, (long)c->loads);
  else
    proof_tell(say, "geometry/crossings_once/no-births", "read %ld, loads %ld", (long)c->read, (long)c->loads);
  proof_paragraph(say);
}

static void say_stores(const proof *say, const counts *c)
{
  proof_tell(say, "geometry/crossings_once/stores", "kept %ld, deaths %ld, stores %ld, output %s", (long)c->kept,
             (long)c->deaths, (long)c->stores, c->outputs ? ", and the output besides" : "");
}

/* ---- the records ---- */

static bound *add_record(const bound_question *q, const counts *c, const char *name, bound_list *out)
{
  bool sliding = q->variant == 1;
  bound *b =
      bound_list_add(out, sliding ? "crossings-one-shot-sliding" : "crossings-one-shot", BOUND_PROVED,
                     BOUND_ONE_SHOT | BOUND_PLACING | (sliding ? BOUND_SLIDING : 0), "docs/theory.md, section 12");
  proof say = { &b->proof, &b->proof_latex };
  mpz_set_si(b->value, c->loads);
  mpz_add_ui(b->value, b->value, (unsigned long)(c->stores + c->outputs));
  if (q->want_proof) {
    say_loads(&say, c, name, sliding);
    say_stores(&say, c);
    proof_say(&say, "Together {Q >= %Zd}.", b->value);
    proof_paragraph(&say);
  }
  return b;
}

static void put_counts(json *j, const counts *c, text *out)
{
  json_put_int(j, "loads", c->loads);
  json_put_int(j, "stores", c->stores);
  json_close(j, '}');
  text_add(out, text_str(&j->out));
  json_clear(j);
}

static void add_grid(const bound_question *q, const bound_grid *g, const counts *c, bound_list *out)
{
  json j = { 0 };
  bound *b = add_record(q, c, q->g->array[g->array].name, out);
  text_add(&b->leading, "2 ");
  bound_grid_extents(q->g, g, &b->leading);
  text_add(&b->leading, "/ M");
  json_open(&j, '{');
  bound_grid_put(q->g, g, &j);
  put_counts(&j, c, &b->parameters);
}

static void add_pyramid(const bound_question *q, int64_t h, const counts *c, bound_list *out)
{
  json j = { 0 };
  bound *b = add_record(q, c, "v", out);
  text_add(&b->leading, "h^2 / M");
  bound_leading_keep_near(b, (double)h * (double)h / (double)q->m);
  json_open(&j, '{');
  json_put_int(&j, "height", h);
  put_counts(&j, c, &b->parameters);
}

static void in_grids(const bound_question *q, int64_t width, bound_list *out)
{
  bound_live own;
  bound_grid g;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int a = 0; a < q->g->arrays; a++)
    if (l->whole[a] && bound_grid_find(q->g, a, &g)) {
      counts c = of_grid(&g, (int64_t)q->m, width);
      if (c.loads + c.stores > 0)
        add_grid(q, &g, &c, out);
    }
  bound_live_clear(&own);
}

static status apply_crossings_once(const bound_question *q, bound_list *out, diag *d)
{
  uint64_t kept = q->variant == 1 ? 1 : 2; /* with less nothing is computed */
  int64_t h;
  (void)d;
  if (q->variant == 2 || q->m <= kept || q->m > INT64_MAX / 128)
    return OK;
  int64_t width = (int64_t)(q->m - kept);
  if (!q->g->graph) {
    in_grids(q, width, out);
  } else if (bound_is_pyramid(q->g->graph, &h)) {
    counts c = of_pyramid(h, (int64_t)q->m, width);
    if (c.stores > 0)
      add_pyramid(q, h, &c, out);
  }
  return OK;
}

BOUND_THEOREM(140, crossings_once) = {
  .name = "crossings-one-shot",
  .summary = "grids and the pyramid: what loads and stores can serve; no recomputation",
  .source = "docs/theory.md, section 12",
  .apply = apply_crossings_once,
};
