#include "schedules/tiler/cut.h"
#include "base/mem.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

/* ---- which axes ---- */

enum { CUT_STATEMENTS = 10, CUT_TREES = 100000, DIVISIONS = 3 };

/* Does a sum along the axis end where this is read?  What reads it begins when all of the axis has passed. */
static bool is_barrier(const tiler_shape *s, const cdag_axis *x, const tiler_access *a)
{
  int r = x->index[a->array];
  return r >= 0 && a->kind == TILER_END && tiler_is_chain(&s->s[a->array], r);
}

/* How many such ends lie before each array, one after the other. */
static void stages_of(const tiler_shape *s, const cdag_axis *x, int *stage)
{
  for (int k = 0; k < s->n; k++) {
    int t = s->order[k];
    for (int i = 0; i < s->s[t].accesses; i++) {
      const tiler_access *a = &s->s[t].access[i];
      if (a->array != t)
        stage[t] = num_max(stage[t], stage[a->array] + is_barrier(s, x, a));
    }
  }
}

/* At how many different stages an array comes by: at one stage all that read it may do so at once. */
static int passes_over(const tiler_shape *s, const int *stage, int array)
{
  uint64_t at = s->s[array].computed ? 1ull << (stage[array] & 63) : 0;
  for (int k = 0; k < s->n; k++) {
    const tiler_statement *t = &s->s[s->order[k]];
    for (int i = 0; i < t->accesses; i++)
      if (t->access[i].array == array && s->order[k] != array)
        at |= 1ull << (stage[s->order[k]] & 63);
  }
  return __builtin_popcountll(at);
}

/* Words that come by more than once, of arrays that have another index beside this one. */
static double worth(const tiler_shape *s, const cdag_axis *x)
{
  double words = 0;
  int *stage = MEM_NEW(int, (size_t)s->g->arrays);
  stages_of(s, x, stage);
  for (int a = 0; a < s->g->arrays; a++) {
    int again = passes_over(s, stage, a) - 1;
    if (x->index[a] >= 0 && !tiler_is_chain(&s->s[a], x->index[a]) && s->s[a].rank - s->s[a].chains > 1 && again > 0)
      words += again * tiler_words_of(s, a);
  }
  mem_free(stage);
  return words;
}

static int statements_after(const tiler_shape *s, const cdag_axis *x)
{
  int n = s->n;
  for (int k = 0; k < s->n; k++)
    n += x->index[s->order[k]] >= 0;
  return n;
}

int tiler_cut_axes(const tiler_shape *s, double io, cdag_axis axis[TILER_AXES])
{
  enum { ALL = 16, LONG = 64 };
  const double PART = 0.04;
  cdag_axis all[ALL];
  double value[TILER_AXES];
  int n = 0, many = cdag_axes(s->g, all, ALL);
  for (int i = 0; i < many; i++) {
    double v = worth(s, &all[i]);
    if (v < PART * io || all[i].hi - all[i].lo < LONG || statements_after(s, &all[i]) > CUT_STATEMENTS)
      continue;
    int k = n < TILER_AXES ? n++ : TILER_AXES - 1;
    if (k == TILER_AXES - 1 && n == TILER_AXES && k > 0 && i >= TILER_AXES && value[k] >= v)
      continue;
    for (; k > 0 && value[k - 1] < v; k--) {
      axis[k] = axis[k - 1];
      value[k] = value[k - 1];
    }
    axis[k] = all[i];
    value[k] = v;
  }
  return n;
}

/* ---- where ---- */

void tiler_cut_free(tiler_cut *c)
{
  if (!c)
    return;
  tiler_search_clear(&c->x);
  tiler_shape_clear(&c->shape);
  cdag_cut_clear(&c->cut);
  mem_free(c);
}

/* Cut there, and nothing looked for yet; NULL where the parts are not for nests. */
static tiler_cut *cut_there(const cdag *g, const cdag_axis *axis, int64_t place, const tiler_search *x)
{
  tiler_cut *c = MEM_NEW(tiler_cut, 1);
  if (!cdag_cut_at(g, axis, place, &c->cut)) {
    mem_free(c);
    return NULL;
  }
  tiler_shape_init(&c->shape, c->cut.g, false);
  tiler_shape_join(&c->shape);
  c->x = (tiler_search){ .s = &c->shape, .m = x->m, .one_shot = x->one_shot, .late = x->late, .context = x->context };
  if (c->shape.affine && !c->shape.cyclic)
    return c;
  tiler_cut_free(c);
  return NULL;
}

typedef struct {
  const cdag *g;
  const cdag_axis *axis;
  const tiler_search *x;
  const tiler_search *found;   /* at the first place */
  tiler_cut *best;
  int64_t place;               /* of the best */
} cutter;

/* The best divisions that were found first, there.  True: one is better than all before. */
static bool try_place(cutter *w, int64_t place)
{
  bool better = false;
  for (int k = 0; k < w->found->best && k < DIVISIONS; k++) {
    tiler_cut *c = cut_there(w->g, w->axis, place, w->x);
    if (c && tiler_search_again(&w->found->division[k], &c->x) &&
        (!w->best || c->x.division[0].io < w->best->x.division[0].io)) {
      tiler_cut_free(w->best);
      w->best = c;
      w->place = place;
      better = true;
    } else
      tiler_cut_free(c);
  }
  return better;
}

/* The part that stays is the one behind the place: sums go upwards, and end there. */
static void try_places(cutter *w, int64_t part)
{
  int64_t lo = w->axis->lo, hi = w->axis->hi;
  for (double p = (double)part; p < (double)(hi - lo); p = fmax(p + 1, p * 1.2))
    try_place(w, hi - (int64_t)p);
  for (int64_t step = num_max(1, (hi - w->place) / 8); step > 0 && w->best; step = step / 2)
    while (try_place(w, w->place - step) || try_place(w, w->place + step))
      ;
}

/* All divisions and plans where the part behind the place is so long.  True: one of them, there or at another place, is
   better than all before. */
static bool search_there(cutter *w, int64_t part, uint64_t *trees)
{
  tiler_cut *c = cut_there(w->g, w->axis, w->axis->hi - part, w->x);
  tiler_cut *before = w->best;
  if (!c)
    return false;
  c->x.apart = true;
  c->x.most_trees = CUT_TREES;
  c->x.below = w->best ? w->best->x.division[0].io : w->x->below;
  c->x.lean = true; /* so that more may stay than does there */
  tiler_search_run(&c->x);
  w->found = &c->x;
  if (c->x.best)
    try_places(w, part);
  *trees += c->x.trees;
  tiler_cut_free(c);
  return w->best != before;
}

tiler_cut *tiler_cut_best(const cdag *g, const cdag_axis *axis, const tiler_search *x)
{
  enum { ROUNDS = 3 };
  cutter w = { .g = g, .axis = axis, .x = x };
  int64_t most = axis->hi - axis->lo - 1, part = num_min(most / 2, (int64_t)(x->m / 6)); /* if there are five beside */
  uint64_t trees = 0;
  for (int round = 0; round < ROUNDS && part > 0 && search_there(&w, part, &trees); round++)
    part = num_min(most, (axis->hi - w.place) * 5 / 4 + 1);
  if (w.best)
    w.best->x.trees = trees;
  return w.best;
}
