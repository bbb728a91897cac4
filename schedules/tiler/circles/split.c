#include "schedules/tiler/circles/split.h"
#include "base/num.h"
#include "schedules/tiler/circles/circle.h"
#include <string.h>

enum { PLANES = 3 };

typedef struct {
  tiler_split *s;
  const normal_form *f;
  int n;
  const int *array;
  int of[SPLIT_PARTS]; /* of each part: the array it is of */
  struct {
    int n;
    linear of[PLANES];
  } plane[SPLIT_PARTS]; /* of each array */
} splitter;

/* Which one it is of those in parts, or -1. */
static int split_of(const splitter *w, int array)
{
  for (int k = 0; k < w->n; k++)
    if (w->array[k] == array)
      return k;
  return -1;
}

static bool is_split(const splitter *w, int array) { return split_of(w, array) >= 0; }

/* ---- where it is cut ---- */

/* index = x[v] + constant with v another variable than q?  Then x[q] and index are compared. */
static bool is_pivot(const linear *index, int q, int rank)
{
  int vars = 0;
  for (int v = 0; v < rank; v++)
    vars += index->coef[v] != 0 ? index->coef[v] == 1 && v != q ? 1 : 2 : 0;
  for (int v = rank; v < POLYHEDRON_VARS; v++)
    vars += index->coef[v] ? 2 : 0;
  return vars == 1;
}

static bool add_plane(splitter *w, int k, const linear *p)
{
  for (int i = 0; i < w->plane[k].n; i++)
    if (linear_equal(&w->plane[k].of[i], p))
      return false;
  if (w->plane[k].n == PLANES)
    return false;
  w->plane[k].of[w->plane[k].n++] = *p;
  return true;
}

/* Of reads of arrays that are in parts with this one, by indices that are counted alike. */
static void find_planes(splitter *w, int k)
{
  int rank = w->f->array[w->array[k]].rank;
  for (int i = 0; i < w->f->accesses; i++) {
    const access *a = w->f->access[i];
    for (int q = 0; q < rank && a->from == w->array[k] && is_split(w, a->to) && w->f->array[a->to].rank == rank; q++)
      if (is_pivot(&a->index[q], q, rank)) {
        linear f = linear_variable(q);
        linear_add(&f, &a->index[q], -1);
        add_plane(w, k, &f);
      }
  }
}

/* What reads an element at its own place is cut as that is, and the other way round. */
static void share_planes(splitter *w)
{
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < w->f->accesses; i++) {
      const access *a = w->f->access[i];
      int from = split_of(w, a->from), to = split_of(w, a->to), rank = w->f->array[a->to].rank;
      bool own = from >= 0 && to >= 0 && from != to && rank == w->f->array[a->from].rank;
      for (int q = 0; q < rank && own; q++) {
        linear x = linear_variable(q);
        own = linear_equal(&a->index[q], &x);
      }
      for (int k = 0; own && k < w->plane[to].n; k++)
        moved = add_plane(w, from, &w->plane[to].of[k]) || moved;
      for (int k = 0; own && k < w->plane[from].n; k++)
        moved = add_plane(w, to, &w->plane[from].of[k]) || moved;
    }
  }
}

/* ---- parts ---- */

/* Points of p below, on or above the plane. */
static polyhedron *side_of(arena *m, const polyhedron *p, const linear *plane, int side)
{
  polyhedron *cut = polyhedron_copy(m, p);
  linear f = linear_constant(side ? -1 : 0);
  linear_add(&f, plane, side < 0 ? -1 : 1);
  polyhedron_add(m, cut, &f, side == 0);
  return cut;
}

static void cut_hull(const polyhedron *p, int rank, cdag_box *hull)
{
  for (int r = 0; r < rank; r++) {
    linear x = linear_variable(r);
    int64_t b;
    if (polyhedron_least(p, &x, &b))
      hull->lo[r] = num_max(hull->lo[r], b);
    if (polyhedron_most(p, &x, &b))
      hull->hi[r] = num_min(hull->hi[r], b + 1);
  }
}

static bool add_part(splitter *w, int array, const polyhedron *p)
{
  tiler_split *s = w->s;
  arena *m = &s->form.memory;
  const array_form *from = &w->f->array[array];
  if (s->n == SPLIT_PARTS)
    return false;
  int x = w->f->arrays + s->n;
  array_form *to = &s->form.array[x];
  s->g.array[x] = w->f->g->array[array];
  cut_hull(p, from->rank, &s->g.array[x].hull);
  *to = (array_form){ .rank = from->rank, .known = true, .whole = from->whole };
  memcpy(to->part, from->part, sizeof to->part);
  polyhedra_add(m, &to->domain, polyhedron_tidy(m, p));
  to->computed = to->live = to->domain;
  for (int i = 0; i < from->outputs.n; i++) {
    polyhedron *o = polyhedron_copy(m, from->outputs.item[i]);
    polyhedron_meet(m, o, p, from->rank);
    if (!polyhedron_empty(o))
      polyhedra_add(m, &to->outputs, polyhedron_tidy(m, o));
  }
  w->of[s->n] = array;
  s->part[s->n++] = x;
  return true;
}

static bool cut(splitter *w, int k, const polyhedron *p, int plane)
{
  if (polyhedron_empty(p))
    return true;
  if (plane == w->plane[k].n)
    return add_part(w, w->array[k], p);
  bool good = true;
  for (int side = -1; side <= 1 && good; side++)
    good = cut(w, k, side_of(&w->s->form.memory, p, &w->plane[k].of[plane], side), plane + 1);
  return good;
}

/* What is computed, as disjoint pieces. */
static bool computed_pieces(splitter *w, const array_form *a, bool declared_input, polyhedra *out)
{
  arena *m = &w->s->form.memory;
  if (!a->known || !a->whole || (declared_input && a->inputs.n == 0) ||
      !polyhedra_minus(m, &a->domain, &a->inputs, a->rank, out))
    return false;
  polyhedra_join(m, out);
  return true;
}

static bool cut_arrays(splitter *w)
{
  bool good = w->n <= SPLIT_PARTS, any = false;
  for (int k = 0; k < w->n && good; k++)
    find_planes(w, k);
  if (good)
    share_planes(w);
  for (int k = 0; k < w->n && good; k++) {
    const array_form *a = &w->f->array[w->array[k]];
    polyhedra computed = { 0 };
    any = any || w->plane[k].n > 0 || a->inputs.n > 0;
    good = computed_pieces(w, a, w->f->g->array[w->array[k]].declared_input, &computed);
    for (int i = 0; i < computed.n && good; i++)
      good = cut(w, k, computed.item[i], 0);
  }
  return good && any;
}

/* ---- reads of parts by parts ---- */

/* Of forms that are one on these points always the same: a constant, the variable of that index, so that a tile of it
   says how far it goes, or the first variable that will do. */
static linear plainest(const polyhedron *where, const linear *f, int q, int rank)
{
  linear plain;
  if (circle_is_variable(where, f, -1, &plain) || (q < rank && circle_is_variable(where, f, q, &plain)))
    return plain;
  for (int v = 0; v < rank; v++)
    if (circle_is_variable(where, f, v, &plain))
      return plain;
  return *f;
}

static void keep(splitter *w, const access *a, int from, int to, polyhedron *where)
{
  normal_form *f = &w->s->form;
  if (polyhedron_empty(where))
    return;
  f->access = arena_room(&f->memory, f->access, f->accesses, &f->room, sizeof *f->access);
  access *own = ARENA_NEW(&f->memory, access, 1);
  *own = *a;
  own->from = from;
  own->to = to;
  own->where = polyhedron_tidy(&f->memory, where);
  for (int q = 0; q < f->array[to].rank; q++)
    own->index[q] = plainest(where, &a->index[q], q, f->array[from].rank);
  f->access[f->accesses++] = own;
}

/* Where what is read is on this piece, array `to` of the new form. */
static void keep_target(splitter *w, const access *a, int from, const polyhedron *where, int to, const polyhedron *on)
{
  polyhedron *p = polyhedron_copy(&w->s->form.memory, where);
  polyhedron_include(&w->s->form.memory, p, on, a->index, w->s->form.array[to].rank);
  keep(w, a, from, to, p);
}

/* Inputs of an array in parts keep its number. */
static void cut_target(splitter *w, const access *a, int from, const polyhedron *where)
{
  const array_form *to = &w->f->array[a->to];
  if (!is_split(w, a->to)) {
    keep(w, a, from, a->to, polyhedron_copy(&w->s->form.memory, where));
    return;
  }
  for (int i = 0; i < to->inputs.n; i++)
    keep_target(w, a, from, where, a->to, to->inputs.item[i]);
  for (int k = 0; k < w->s->n; k++)
    if (w->of[k] == a->to)
      keep_target(w, a, from, where, w->s->part[k], w->s->form.array[w->s->part[k]].computed.item[0]);
}

static void cut_access(splitter *w, const access *a)
{
  arena *m = &w->s->form.memory;
  if (!is_split(w, a->from)) {
    cut_target(w, a, a->from, a->where);
    return;
  }
  for (int k = 0; k < w->s->n; k++)
    if (w->of[k] == a->from) {
      const array_form *from = &w->s->form.array[w->s->part[k]];
      polyhedron *p = polyhedron_copy(m, a->where);
      polyhedron_meet(m, p, from->computed.item[0], from->rank);
      if (!polyhedron_empty(p))
        cut_target(w, a, w->s->part[k], p);
    }
}

/* ---- groups ---- */

static void find_reach(const tiler_split *s, bool reach[SPLIT_PARTS][SPLIT_PARTS])
{
  int base = s->form.arrays - SPLIT_PARTS;
  memset(reach, 0, SPLIT_PARTS * sizeof *reach);
  for (int i = 0; i < s->form.accesses; i++)
    if (s->form.access[i]->from >= base && s->form.access[i]->to >= base)
      reach[s->form.access[i]->from - base][s->form.access[i]->to - base] = true;
  for (int k = 0; k < s->n; k++)
    for (int i = 0; i < s->n; i++)
      for (int j = 0; j < s->n && reach[i][k]; j++)
        reach[i][j] |= reach[k][j];
}

/* Groups are numbered when all that they read are. */
static void find_groups(tiler_split *s)
{
  bool reach[SPLIT_PARTS][SPLIT_PARTS];
  find_reach(s, reach);
  for (int i = 0; i < s->n; i++)
    s->group[i] = -1;
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < s->n && !moved; i++) {
      bool ready = s->group[i] < 0;
      for (int j = 0; j < s->n && ready; j++)
        ready = !reach[i][j] || reach[j][i] || s->group[j] >= 0;
      if (!ready)
        continue;
      for (int j = 0; j < s->n; j++)
        if (j == i || (reach[i][j] && reach[j][i]))
          s->group[j] = s->groups;
      s->groups++;
      moved = true;
    }
  }
}

/* Does a part of group g read one of group h, by way of others or not? */
static bool group_reads(const tiler_split *s, bool reach[SPLIT_PARTS][SPLIT_PARTS], int g, int h)
{
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++)
      if (s->group[i] == g && s->group[j] == h && reach[i][j])
        return true;
  return false;
}

bool tiler_split_join(tiler_split *s, int g, int h)
{
  bool reach[SPLIT_PARTS][SPLIT_PARTS], before[SPLIT_PARTS] = { false };
  int to[SPLIT_PARTS], next = g;
  find_reach(s, reach);
  for (int x = g + 1; x < h; x++) {
    before[x] = group_reads(s, reach, h, x);
    if (before[x] && group_reads(s, reach, x, g))
      return false;
  }
  for (int x = 0; x < s->groups; x++)
    to[x] = x < g ? x : x - (x > h);
  for (int x = g + 1; x < h; x++)
    if (before[x])
      to[x] = next++;
  to[g] = to[h] = next++;
  for (int x = g + 1; x < h; x++)
    if (!before[x])
      to[x] = next++;
  for (int i = 0; i < s->n; i++)
    s->group[i] = to[s->group[i]];
  s->groups--;
  return true;
}

bool tiler_split_init(tiler_split *s, const normal_form *f, const int *array, int n)
{
  splitter w = { .s = s, .f = f, .n = n, .array = array };
  *s = (tiler_split){ .g = *f->g };
  arena *m = &s->form.memory;
  s->form.arrays = f->arrays + SPLIT_PARTS;
  s->form.g = &s->g;
  s->form.array = ARENA_NEW(m, array_form, (size_t)s->form.arrays);
  memcpy(s->form.array, f->array, (size_t)f->arrays * sizeof *f->array);
  s->g.array = ARENA_NEW(m, cdag_array, (size_t)s->form.arrays);
  memcpy(s->g.array, f->g->array, (size_t)f->arrays * sizeof *s->g.array);
  if (!cut_arrays(&w))
    return false;
  for (int i = 0; i < f->accesses; i++)
    cut_access(&w, f->access[i]);
  normal_form_join(&s->form);
  find_groups(s);
  return true;
}

void tiler_split_clear(tiler_split *s) { arena_clear(&s->form.memory); }
