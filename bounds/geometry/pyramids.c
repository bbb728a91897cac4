/* pyramids.c -- grids, such as the tables of dynamic programmes (docs/theory.md, section 11).

   A pyramid with a base of b vertices needs b pebbles (Cook 1974), however often values are made again and whatever is
   known outside of it.  A play with M red pebbles has the others in slow memory: it loads b - M of the pyramid's
   vertices, which were stored before (Bilardi, Pietracaprina and D'Alberto 2000).  In a grid the vertices from which a
   corner is b - 1 steps away or nearer hold a pyramid.  In a wide grid they are put in all places: no vertex is in more
   than b (b + 1) / 2 of them; else side by side, so that they fill two thirds. */
#include "bounds/geometry/pyramids.h"
#include "base/json.h"
#include "base/num.h"
#include "bounds/bound.h"
#include "bounds/recognise/grid.h"
#include "bounds/proof.h"
#include "bounds/recognise/shape.h"

/* ---- how many fit ---- */

/* Values of 0 .. last that leave this rest by 3. */
static uint64_t with_rest(int64_t last, int rest) { return last < rest ? 0 : (uint64_t)(last - rest) / 3 + 1; }

uint64_t bound_pyramids_in(int64_t half, const int64_t width[2], int first)
{
  uint64_t all = 0;
  int64_t last[2];
  for (int i = 0; i < 2; i++) {
    last[i] = width[i] / half - 2;
    if (last[i] < 0)
      return 0;
  }
  for (int rest = 0; rest < 3; rest++)
    all += with_rest(last[0], (rest + first) % 3) * with_rest(last[1], rest);
  return all;
}

/* ---- grids ---- */

typedef struct {
  int64_t base;
  bool everywhere;             /* else side by side, base even */
  int first;
  uint64_t pyramids;           /* in one slice */
  unsigned __int128 stores;    /* and as many loads */
} pyramids_found;

static void keep_better(const pyramids_found *f, pyramids_found *best)
{
  if (f->stores > best->stores)
    *best = *f;
}

static void try_half(const bound_grid *g, int64_t m, int64_t half, pyramids_found *best)
{
  for (int first = 0; first < 3 && half > m / 2 && half <= INT64_MAX / 4; first++) {
    pyramids_found f = { .base = 2 * half, .first = first, .pyramids = bound_pyramids_in(half, g->width, first) };
    f.stores = (unsigned __int128)(f.base - m) * f.pyramids * (uint64_t)g->slices;
    keep_better(&f, best);
  }
}

/* In all places: their number times that of the slices is at most that of the points, which has 63 bits. */
static void try_everywhere(const bound_grid *g, int64_t m, int64_t base, pyramids_found *best)
{
  int64_t places[2] = { g->width[0] - base + 1, g->width[1] - base + 1 };
  if (base <= m || places[0] < 1 || places[1] < 1)
    return;
  pyramids_found f = { .base = base, .everywhere = true, .pyramids = (uint64_t)places[0] * (uint64_t)places[1] };
  unsigned __int128 all = (unsigned __int128)f.pyramids * (uint64_t)g->slices * 2 * (uint64_t)(base - m),
                    each = (unsigned __int128)base * (uint64_t)(base + 1);
  f.stores = (all + each - 1) / each;
  keep_better(&f, best);
}

/* 2 M is best in a wide grid; else what fits its sides. */
static void search(const bound_grid *g, int64_t m, pyramids_found *best)
{
  *best = (pyramids_found){ 0 };
  for (int eighths = 5; eighths <= 16; eighths++)
    try_half(g, m, m / 8 * eighths + m % 8 * eighths / 8, best);
  for (int i = 0; i < 2; i++)
    for (int64_t k = 2; k < 64; k++) {
      try_half(g, m, g->width[i] / k, best);
      try_half(g, m, g->width[i] / num_max(g->width[i] / num_max(m, 1) + k - 32, 1), best);
    }
  for (int k = 1; k <= 64; k++) {
    try_everywhere(g, m, m + k, best);
    try_everywhere(g, m, m + m / 64 * k + m % 64 * k / 64, best);
  }
}

/* ---- the record ---- */

static void write_parameters(const cdag *g, const bound_grid *grid, const pyramids_found *f, text *out)
{
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  bound_grid_put(g, grid, &j);
  if (f->everywhere) {
    json_put_int(&j, "base", f->base);
  } else {
    json_put_int(&j, "half", f->base / 2);
    json_put_int(&j, "first", f->first);
  }
  json_put_uint(&j, "pyramids", f->pyramids);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void say_need(const proof *say, const char *name, int64_t base)
{
  proof_tell(say, "geometry/pyramids/need", "name %s, base %ld", name, (long)base);
}

static void say_slices(const proof *say, const bound_grid *grid)
{
  if (grid->slices > 1)
    proof_say(say, ", %ld times that for the other indices", (long)grid->slices);
}

static void say_everywhere(const proof *say, const bound_grid *grid, const pyramids_found *f, const mpz_t value)
{
  proof_say(say, "Such a square has {%lu} places in {%ld} by {%ld} points", (unsigned long)f->pyramids,
            (long)grid->width[0], (long)grid->width[1]);
  say_slices(say, grid);
  proof_tell(say, "geometry/pyramids/everywhere", "value %Zd", value);
}

static void say_side_by_side(const proof *say, const bound_grid *grid, const pyramids_found *f, int64_t more,
                             const mpz_t value)
{
  proof_tell(say, "geometry/pyramids/side-by-side", "first %d, pyramids %lu, width %ld, height %ld", f->first,
             (unsigned long)f->pyramids, (long)grid->width[0], (long)grid->width[1]);
  say_slices(say, grid);
  proof_say(say, ". Each costs {b - M = %ld} loads of its own vertices, and as many stores: {Q >= %Zd}.", (long)more,
            value);
}

static void say_proof(const bound_question *q, const bound_grid *grid, const pyramids_found *f, bound *b)
{
  proof say = { &b->proof, &b->proof_latex };
  say_need(&say, q->g->array[grid->array].name, f->base);
  if (f->everywhere)
    say_everywhere(&say, grid, f, b->value);
  else
    say_side_by_side(&say, grid, f, f->base - (int64_t)q->m, b->value);
  proof_paragraph(&say);
}

static void add_record(const bound_question *q, const bound_grid *grid, const pyramids_found *f, bound_list *out)
{
  bound *b = bound_list_add(out, "pyramids", BOUND_PROVED, BOUND_ANY,
                            "Cook 1974; Bilardi, Pietracaprina and D'Alberto 2000; docs/theory.md, section 11");
  mpz_import(b->value, 1, 1, sizeof f->stores, 0, 0, &f->stores);
  mpz_mul_ui(b->value, b->value, 2);
  text_add(&b->leading, f->everywhere ? "" : "2 ");
  bound_grid_extents(q->g, grid, &b->leading);
  text_add(&b->leading, f->everywhere ? "/ M" : "/ (3 M)");
  write_parameters(q->g, grid, f, &b->parameters);
  if (q->want_proof)
    say_proof(q, grid, f, b);
}

static status apply_pyramids(const bound_question *q, bound_list *out, diag *d)
{
  bound_live own;
  bound_grid grid;
  pyramids_found f;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 128)
    return OK;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int a = 0; a < q->g->arrays; a++)
    if (l->whole[a] && bound_grid_find(q->g, a, &grid)) {
      search(&grid, (int64_t)q->m, &f);
      if (f.stores > 0)
        add_record(q, &grid, &f, out);
    }
  bound_live_clear(&own);
  return OK;
}

BOUND_THEOREM(120, pyramids) = {
  .name = "pyramids",
  .summary = "grids and dynamic programmes: pyramids need as many pebbles as their bases have vertices",
  .source = "docs/theory.md, section 11",
  .apply = apply_pyramids,
};
