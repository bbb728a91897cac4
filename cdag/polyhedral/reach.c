#include "cdag/polyhedral/reach.h"
#include <string.h>

enum { LINKS_MOST = 10, TARGET_MOST = 24, PIECES_MOST = 240 };

/* One read, or any number of reads of one kind: elements of `from`, then of `to`. */
typedef struct reach_step {
  int from, to;
  polyhedron *pair;
} reach_step;

static void add_step(reach *r, int from, int to, polyhedron *pair)
{
  if (r->steps == r->room) {
    r->room = r->room ? 2 * r->room : 32;
    r->step = arena_grow(r->memory, r->step, (size_t)r->steps, (size_t)r->room, sizeof *r->step);
  }
  r->step[r->steps++] = (reach_step){ from, to, polyhedron_tidy(r->memory, pair) };
}

/* n variables from v on */
static void variables(linear *value, int n, int v)
{
  for (int i = 0; i < n; i++)
    value[i] = linear_variable(v + i);
}

static void one_read(reach *r, const access *a)
{
  int from = r->f->array[a->from].rank, to = r->f->array[a->to].rank;
  polyhedron *p = polyhedron_new(r->memory, from + to);
  linear at[POLYHEDRON_VARS], y[CDAG_RANK];
  bool exact;
  if (a->where->vars + to > POLYHEDRON_VARS)
    return;
  variables(at, from, 0);
  variables(&at[from], a->where->vars - from, from + to);
  variables(y, to, from);
  polyhedron_include(r->memory, p, a->where, at, from); /* the further ones follow in their order */
  for (int k = 0; k < to; k++) {
    linear index;
    if (!linear_substitute(&a->index[k], at, a->where->vars, 0, &index))
      return;
    polyhedron_same(r->memory, p, &y[k], &index);
  }
  polyhedron *pair = polyhedron_project(r->memory, p, from + to, &exact);
  if (exact && !polyhedron_empty(pair))
    add_step(r, a->from, a->to, pair);
}

/* x, x - m v for all m >= 1 for which x and x - (m - 1) v are in the piece: those between are there too, as it has no quotients. */
static void many_reads(reach *r, const access *a)
{
  int rank = r->f->array[a->from].rank;
  polyhedron *p = polyhedron_new(r->memory, 2 * rank + 1);
  linear last[CDAG_RANK], x[CDAG_RANK], one = linear_constant(1), m = linear_variable(2 * rank);
  bool exact, moves = false;
  if (a->from != a->to || !a->single || a->where->vars != rank || 2 * rank + 1 > POLYHEDRON_VARS)
    return;
  variables(x, rank, 0);
  for (int k = 0; k < rank; k++) {
    linear v = a->index[k], y = linear_variable(rank + k), end = x[k];
    if (!linear_add(&v, &x[k], -1) || !linear_is_constant(&v))
      return;
    moves = moves || v.base != 0;
    end.coef[2 * rank] = v.base; /* y = x + m v */
    polyhedron_same(r->memory, p, &end, &y);
    last[k] = y;
    last[k].base = -v.base;
  }
  polyhedron_require(r->memory, p, &one, &m);
  polyhedron_include(r->memory, p, a->where, x, rank);
  polyhedron_include(r->memory, p, a->where, last, rank);
  polyhedron *pair = polyhedron_project(r->memory, p, 2 * rank, &exact);
  if (moves && exact && !p->open && !polyhedron_empty(pair))
    add_step(r, a->from, a->to, pair);
}

void reach_init(reach *r, const normal_form *f, arena *memory)
{
  *r = (reach){ .f = f, .memory = memory, .from = ARENA_NEW(memory, polyhedra *, (size_t)f->arrays) };
  for (int i = 0; i < f->accesses; i++)
    many_reads(r, f->access[i]);
  for (int i = 0; i < f->accesses; i++)
    one_read(r, f->access[i]);
}

/* (x, y) of p and (y, z) of s: (x, z), or NULL. */
static polyhedron *composed(reach *r, const polyhedron *p, int rank_x, const reach_step *s)
{
  int rank_y = r->f->array[s->from].rank, rank_z = r->f->array[s->to].rank;
  arena scratch = { 0 };
  linear xy[2 * CDAG_RANK], yz[2 * CDAG_RANK];
  polyhedron *q = polyhedron_new(&scratch, rank_x + rank_z + rank_y), *result = NULL;
  bool exact;
  variables(xy, rank_x, 0);
  variables(&xy[rank_x], rank_y, rank_x + rank_z);
  variables(yz, rank_y, rank_x + rank_z);
  variables(&yz[rank_y], rank_z, rank_x);
  polyhedron_include(&scratch, q, p, xy, rank_x + rank_y);
  polyhedron_include(&scratch, q, s->pair, yz, rank_y + rank_z);
  q = polyhedron_project(&scratch, q, rank_x + rank_z, &exact);
  if (exact && !polyhedron_empty(q))
    result = polyhedron_tidy(r->memory, q);
  arena_clear(&scratch);
  return result;
}

/* What is found from one array, and how much of it was followed further. */
typedef struct {
  int n;
  struct { int to; polyhedron *p; } of[PIECES_MOST];
} found;

static void take(found *w, polyhedra *all, reach *r, int rank, int to, polyhedron *p)
{
  int both = rank + r->f->array[to].rank;
  if (!p || p->open || w->n == PIECES_MOST || all[to].n == TARGET_MOST || polyhedra_cover(&all[to], p, both))
    return;
  for (int i = 0; i < all[to].n; i++) { /* what becomes one piece with another is followed as one */
    polyhedron *joined = polyhedron_join(r->memory, all[to].item[i], p);
    if (joined) {
      all[to].item[i] = all[to].item[--all[to].n];
      p = joined;
      i = -1;
    }
  }
  polyhedra_add(r->memory, &all[to], p);
  w->of[w->n].to = to;
  w->of[w->n++].p = p;
}

static polyhedra *relations_of(reach *r, int of)
{
  polyhedra *all = ARENA_NEW(r->memory, polyhedra, (size_t)r->f->arrays);
  found *w = ARENA_NEW(r->memory, found, 1);
  int rank = r->f->array[of].rank, begin = 0;
  for (int i = 0; i < r->steps; i++)
    if (r->step[i].from == of)
      take(w, all, r, rank, r->step[i].to, r->step[i].pair);
  for (int links = 1; links < LINKS_MOST && begin < w->n; links++)
    for (int end = w->n; begin < end; begin++)
      for (int i = 0; i < r->steps; i++)
        if (r->step[i].from == w->of[begin].to)
          take(w, all, r, rank, r->step[i].to, composed(r, w->of[begin].p, rank, &r->step[i]));
  return all;
}

const polyhedra *reach_from(reach *r, int of, int to)
{
  if (!r->from[of])
    r->from[of] = relations_of(r, of);
  return &r->from[of][to];
}

static bool has_point(const polyhedron *p, const int64_t *x, int n, const int64_t *y)
{
  for (int i = 0; i < p->n; i++) {
    __int128 sum = p->row[i].form.base;
    for (int v = 0; v < p->vars; v++)
      sum += (__int128)p->row[i].form.coef[v] * (v < n ? x[v] : y[v - n]);
    if (p->row[i].equal ? sum != 0 : sum < 0)
      return false;
  }
  return true;
}

bool reach_has(reach *r, int of, const int64_t *x, int to, const int64_t *y)
{
  const polyhedra *l = reach_from(r, of, to);
  for (int i = 0; i < l->n; i++)
    if (has_point(l->item[i], x, r->f->array[of].rank, y))
      return true;
  return false;
}
