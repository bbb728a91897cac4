#include "schedules/tiler/nests/peel.h"
#include "base/mem.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

typedef struct {
  const tiler_candidate *c;
  double m;
  int cls;                     /* the class that is cut */
  int64_t extent;
  tiler_nest *nest;            /* a copy, with the class as long as is asked */
  tiler_tree *t;
  tiler_cost *cost;
} peeler;

static bool cut_class(const tiler_candidate *c, int *cls)
{
  const tiler_nest *n = c->nest;
  *cls = c->plan.loops ? c->plan.loop[0].cls : -1;
  if (*cls < 0 || !c->plan.loop[0].block || n->slanted[*cls])
    return false;
  for (int x = 0; x < n->n; x++)
    if (!(n->has[x] >> *cls & 1) || (n->chain[x] >> *cls & 1))
      return false;
  return true;
}

static bool cost_of(peeler *p, int64_t extent)
{
  p->nest->cls[p->cls].extent = extent;
  return tiler_tree_build(p->t, p->nest, &p->c->plan) && tiler_cost_of(p->cost, p->t);
}

/* Is anything with that class loaded outside its loop? */
static bool all_inside(const peeler *p)
{
  const tiler_node *root = &p->t->node[0];
  for (int i = 0; i < root->kids; i++)
    for (int o = root->kid[i].before; o >= 0; o = p->t->op[o].next)
      if (p->t->op[o].kind == OP_LOAD && (p->nest->group[p->t->op[o].what].rel >> p->cls & 1))
        return false;
  return true;
}

/* Many blocks of this length: the other lengths as large as fits. */
static bool solve_fixed(const peeler *p, double length, tiler_lengths *out)
{
  const tiler_cost *c = p->cost;
  double b[TILER_CLASSES];
  for (int k = 0; k < c->lengths; k++)
    b[c->cls[k]] = c->cls[k] == p->cls ? length : 1;
  for (int k = 0; k < c->lengths; k++)
    if (c->cls[k] != p->cls)
      b[c->cls[k]] = fmax(1, tiler_cost_largest(c, b, c->cls[k], p->m));
  *out = (tiler_lengths){ .io = tiler_cost_io(c, b), .peak = tiler_cost_peak(c, b) };
  for (int k = 0; k < c->lengths; k++)
    out->b[k] = (int64_t)b[c->cls[k]];
  return out->peak <= p->m;
}

typedef struct { double io; int64_t at; tiler_lengths b[2]; } cut;

static void try_cut(peeler *p, int64_t length, int64_t at, cut *best)
{
  tiler_lengths first, rest;
  if (at <= 0 || at >= p->extent || !cost_of(p, at) || !solve_fixed(p, (double)length, &first) || first.io >= best->io)
    return;
  if (!cost_of(p, p->extent - at) || !tiler_cost_solve(p->cost, p->m, &rest) || first.io + rest.io >= best->io)
    return;
  *best = (cut){ .io = first.io + rest.io, .at = at, .b = { first, rest } };
}

static tiler_nest *half(const tiler_nest *n, int cls, int64_t at, bool second)
{
  tiler_nest *h = MEM_NEW(tiler_nest, 1);
  memcpy(h, n, sizeof *h);
  tiler_class *c = &h->cls[cls];
  c->extent = second ? c->extent - at : at;
  c->lo += second ? at : 0;
  c->cut = second ? 2 : 1;
  c->cut_at = n->cls[cls].lo + at;
  return h;
}

bool tiler_peel(const tiler_candidate *c, double m, tiler_peeled *out)
{
  peeler p = { .c = c, .m = m };
  cut best = { .io = c->b.io };
  *out = (tiler_peeled){ 0 };
  if (!cut_class(c, &p.cls))
    return false;
  p.extent = c->nest->cls[p.cls].extent;
  p.nest = MEM_NEW(tiler_nest, 1);
  p.t = MEM_NEW(tiler_tree, 1);
  p.cost = MEM_NEW(tiler_cost, 1);
  memcpy(p.nest, c->nest, sizeof *p.nest);
  int64_t length = 0;
  for (int k = 0; k < c->lengths; k++)
    length = c->cls[k] == p.cls ? c->b.b[k] : length;
  if (cost_of(&p, p.extent) && all_inside(&p))
    for (int64_t a = num_max(1, length * 4 / 5); a < num_min(p.extent, length * 27 / 20 + 2);
         a += num_max(1, length / 200))
      for (int64_t q = p.extent / a; q >= p.extent / a - 1; q--)
        try_cut(&p, a, q * a, &best);
  for (int k = 0; k < 2 && best.at; k++) {
    out->part[k] = *c;
    out->part[k].b = best.b[k];
    out->part[k].nest = out->nest[k] = half(c->nest, p.cls, best.at, k);
  }
  mem_free(p.nest);
  mem_free(p.t);
  mem_free(p.cost);
  return best.at > 0;
}

void tiler_peeled_clear(tiler_peeled *p)
{
  mem_free(p->nest[0]);
  mem_free(p->nest[1]);
}
