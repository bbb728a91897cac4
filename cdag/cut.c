#include "cdag/cut.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/cdag_internal.h"
#include <stdio.h>
#include <string.h>

/* ---- axes ---- */

typedef struct { int id[CDAG_AXIS_ARRAYS][CDAG_RANK]; } joined;

static void join(const cdag *g, joined *j, int from, int to)
{
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      if (j->id[a][r] == from)
        j->id[a][r] = to;
}

static void join_reads(const cdag *g, joined *j)
{
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank; r++)
      j->id[a][r] = a * CDAG_RANK + r;
  for (int a = 0; a < g->arrays; a++)
    for (int t = 0; t < g->array[a].terms; t++) {
      const cdag_term *term = &g->array[a].term[t];
      for (int q = 0; q < g->array[term->array].rank; q++)
        for (int r = 0; r < g->array[a].rank; r++)
          if (cdag_passes_on(g, term, q, r))
            join(g, j, j->id[a][r], j->id[term->array][q]);
    }
}

static bool is_constant_range(const cdag *g, int array, int r)
{
  const cdag_array *a = &g->array[array];
  int from = g->params, to = g->params + CDAG_RANK;
  return !expr_uses(a->lo[r], from, to) && !expr_uses(a->hi[r], from, to);
}

static bool has_one_rule(const cdag *g, int array) { return g->priv->piece[array].n == 0; }

/* Does any array read, at an axis's index, one that is cut and has several rules itself, or is its output told in a way
   that the parts do not have? */
static bool may_cut(const cdag *g, const cdag_axis *x)
{
  for (int a = 0; a < g->arrays; a++)
    for (int t = 0; t < g->array[a].terms; t++)
      if (x->index[g->array[a].term[t].array] >= 0 && !has_one_rule(g, a))
        return false;
  for (int i = 0; i < g->selections; i++) {
    const cdag_selection *s = &g->selection[i];
    int r = x->index[s->array];
    if (r >= 0 && (s->vars > 0 || (s->index[r].kind != CDAG_ALL && !s->index[r].affine)))
      return false;
  }
  return true;
}

static bool axis_of(const cdag *g, const joined *j, int id, cdag_axis *x)
{
  bool any = false;
  x->lo = INT64_MAX;
  x->hi = INT64_MIN;
  for (int a = 0; a < g->arrays; a++) {
    x->index[a] = -1;
    for (int r = 0; r < g->array[a].rank; r++) {
      if (j->id[a][r] != id)
        continue;
      if (x->index[a] >= 0 || !is_constant_range(g, a, r) || !has_one_rule(g, a))
        return false;
      x->index[a] = (int8_t)r;
      x->lo = num_min(x->lo, g->array[a].hull.lo[r]);
      x->hi = num_max(x->hi, g->array[a].hull.hi[r]);
      any = true;
    }
  }
  return any && may_cut(g, x);
}

int cdag_axes(const cdag *g, cdag_axis *out, int room)
{
  joined j;
  int n = 0;
  if (g->graph || g->copies || g->arrays > CDAG_AXIS_ARRAYS)
    return 0;
  join_reads(g, &j);
  for (int a = 0; a < g->arrays; a++)
    for (int r = 0; r < g->array[a].rank && n < room; r++)
      n += j.id[a][r] == a * CDAG_RANK + r && axis_of(g, &j, j.id[a][r], &out[n]);
  return n;
}

/* ---- the view ---- */

typedef struct {
  const cdag *g;
  const cdag_axis *axis;
  int64_t at;
  char place[CDAG_NAME], (*name)[2][CDAG_NAME];
} cutter;

static int parts_of(const cdag_view *v, int array) { return ((const cutter *)v->own)->axis->index[array] < 0 ? 1 : 2; }

static void name_part(const cdag_view *v, int array, int part, text *out)
{
  const cutter *w = v->own;
  text_add(out, parts_of(v, array) == 1 ? w->g->array[array].name : w->name[array][part]);
}

/* Has this part values from lo on, before hi? */
static bool meets(const cutter *w, int part, int64_t lo, int64_t hi)
{
  return part ? hi > w->at : lo < w->at;
}

/* May term t of the array's part read that part of its own array? */
static bool may_read(const cdag_view *v, int array, int part, const cdag_term *t, int of)
{
  const cutter *w = v->own;
  int q = w->axis->index[t->array], own = w->axis->index[array];
  const cdag_index *x = &t->index[q < 0 ? 0 : q];
  if (q < 0)
    return true;
  if (x->kind != CDAG_AT || t->guarded == q + 1)
    return own < 0 || !cdag_passes_on(w->g, t, q, own) || of == part;
  if (x->var == -1)
    return meets(w, of, x->base, x->base + 1);
  if (x->var < 0 || x->var != own)
    return true;
  const cdag_box *hull = &w->g->array[array].hull;
  int64_t lo = part ? w->at : hull->lo[own], hi = part ? hull->hi[own] : w->at;
  return meets(w, of, lo + x->base, hi + x->base);
}

/* Of a selection whose index is a number, or a range of numbers. */
static bool puts_out(const cdag_view *v, const cdag_selection *s, int part)
{
  const cutter *w = v->own;
  const cdag_index *x = &s->index[num_max(w->axis->index[s->array], 0)];
  return w->axis->index[s->array] < 0 || x->kind == CDAG_ALL ||
         meets(w, part, x->base, x->kind == CDAG_RANGE ? x->hi_base : x->base + 1);
}

static void become(expr **e, expr *other)
{
  expr_free(*e);
  *e = other;
}

/* The part's range, and what is put out of it. */
static void say(const cdag_view *v, const cdag_spot *at, expr **lo, expr **hi)
{
  const cutter *w = v->own;
  if (at->array < 0 || w->axis->index[at->array] != at->index || !*hi)
    return;
  if (at->head)
    become(at->part ? lo : hi, expr_slot(0, w->place));
  if (at->selection && at->part)
    become(lo, expr_const(num_max(at->selection->index[at->index].base, w->at)));
  else if (at->selection)
    become(hi, expr_const(num_min(at->selection->index[at->index].hi_base, w->at)));
}

/* ---- the cut ---- */

static void note_parts(const cutter *w, const int *part, cdag_cut *c)
{
  c->arrays = c->g->arrays;
  c->index = MEM_NEW(int, (size_t)c->arrays);
  c->above = MEM_NEW(bool, (size_t)c->arrays);
  snprintf(c->place, sizeof c->place, "%s", w->place);
  for (int b = 0; b < c->arrays; b++) {
    c->index[b] = w->axis->index[c->of[b]];
    c->above[b] = part[b];
  }
}

bool cdag_cut_at(const cdag *g, const cdag_axis *axis, int64_t at, cdag_cut *out)
{
  cdag_axis reached = *axis;
  cutter w = { .g = g, .axis = &reached, .at = at };
  SCOPED_TEXT param = { 0 };
  int *part = NULL;
  bool any = false;
  *out = (cdag_cut){ .given = g };
  for (int a = 0; a < g->arrays; a++) {
    int r = axis->index[a];
    if (r >= 0 && (g->array[a].hull.lo[r] >= at || g->array[a].hull.hi[r] <= at))
      reached.index[a] = -1;
    any = any || reached.index[a] >= 0;
  }
  if (!any)
    return false;
  w.name = mem_new((size_t)g->arrays, sizeof *w.name);
  cdag_fresh_name(g, "cut", "", w.place);
  for (int a = 0; a < g->arrays; a++) {
    cdag_fresh_name(g, g->array[a].name, "_below", w.name[a][0]);
    cdag_fresh_name(g, g->array[a].name, "_above", w.name[a][1]);
  }
  text_printf(&param, "param %s = %lld\n", w.place, (long long)at);
  cdag_view view = { .params = text_str(&param), .own = &w, .parts = parts_of, .name = name_part, .reads = may_read,
                     .puts_out = puts_out, .say = say };
  out->g = cdag_view_open(g, &view, &out->of, &part);
  if (out->g)
    note_parts(&w, part, out);
  mem_free(part);
  mem_free(w.name);
  return out->g != NULL;
}

void cdag_cut_clear(cdag_cut *c)
{
  cdag_free(c->g);
  mem_free(c->of);
  mem_free(c->index);
  mem_free(c->above);
  *c = (cdag_cut){ 0 };
}
