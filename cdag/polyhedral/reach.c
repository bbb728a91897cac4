#include "cdag/polyhedral/reach.h"
#include <string.h>

enum {
  TARGET_MOST = REACH_PIECES,
  PIECES_MOST = 200,
  COMPOSED_MOST = 350,
  CIRCLE_LINKS = 4,
  CIRCLES_MOST = 4,
  CIRCLE_ARRAYS = 64
};

/* One read, or any number of reads of one kind: elements of `from`, then of `to`. */
typedef struct reach_step {
  int from, to;
  polyhedron *pair;
} reach_step;

static void add_step(reach *r, int from, int to, polyhedron *pair)
{
  r->step = arena_room(r->memory, r->step, r->steps, &r->room, sizeof *r->step);
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

/* x, x - m v for all m >= 1 for which x and x - (m - 1) v are in the piece: those between are there too, as it has no
 * quotients. */
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

/* Reads through other arrays that come back to the first a constant way off: a circle is one read, and may be gone
 * round many times. */
typedef struct {
  int n, links;
  bool through[CIRCLE_ARRAYS];
  access at_hand, circle[CIRCLES_MOST];
} circles;

/* The read a after the reads of c: the same forms, in the loops of the first. */
static bool extend(reach *r, const circles *c, const access *a, access *to)
{
  const access *so_far = &c->at_hand;
  int rank = r->f->array[a->from].rank, first = r->f->array[so_far->from].rank;
  polyhedron *p = polyhedron_copy(r->memory, so_far->where);
  if (!a->single || a->where->vars != rank)
    return false;
  *to = (access){ .from = so_far->from, .to = a->to, .single = true, .where = p };
  polyhedron_include(r->memory, p, a->where, so_far->index, rank);
  for (int k = 0; k < r->f->array[a->to].rank; k++)
    if (!linear_substitute(&a->index[k], so_far->index, rank, 0, &to->index[k]))
      return false;
  return p->vars == first && !p->open && !polyhedron_empty(p);
}

static void keep_circle(reach *r, circles *c, const access *a)
{
  for (int k = 0; k < r->f->array[a->from].rank; k++) {
    linear step = a->index[k], x = linear_variable(k);
    if (!linear_add(&step, &x, -1) || !linear_is_constant(&step))
      return;
  }
  for (int i = 0; i < c->n; i++)
    if (memcmp(c->circle[i].index, a->index, sizeof a->index) == 0)
      return;
  if (c->n == CIRCLES_MOST)
    return;
  c->circle[c->n] = *a;
  c->circle[c->n++].where = polyhedron_tidy(r->memory, a->where);
}

static void find_circles(reach *r, circles *c)
{
  access before = c->at_hand;
  for (int i = 0; i < r->f->accesses && c->links < CIRCLE_LINKS; i++) {
    const access *a = r->f->access[i];
    access next;
    if (a->from != before.to || c->through[a->to] || !extend(r, c, a, &next))
      continue;
    if (a->to == before.from) {
      if (c->links > 0)
        keep_circle(r, c, &next);
      continue;
    }
    c->at_hand = next;
    c->through[a->to] = true;
    c->links++;
    find_circles(r, c);
    c->links--;
    c->through[a->to] = false;
    c->at_hand = before;
  }
}

static void circles_of(reach *r, int x)
{
  circles *c = ARENA_NEW(r->memory, circles, 1);
  int rank = r->f->array[x].rank;
  c->at_hand = (access){ .from = x, .to = x, .single = true, .where = polyhedron_new(r->memory, rank) };
  variables(c->at_hand.index, rank, 0);
  find_circles(r, c);
  for (int i = 0; i < c->n; i++)
    many_reads(r, &c->circle[i]);
}

/* (x, y) of p and (y, z) of s: (x, z), or NULL. */
static polyhedron *composed(reach *r, const polyhedron *p, int rank_x, const reach_step *s)
{
  int rank_y = r->f->array[s->from].rank, rank_z = r->f->array[s->to].rank;
  SCOPED_ARENA scratch = { 0 };
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
  return result;
}

/* A read and, after it, any number of one kind, as one step where that is one piece: the first steps are such. */
static void go_on(reach *r, reach_step *read, int chains)
{
  for (int i = 0; i < chains; i++) {
    if (r->step[i].from != read->to)
      continue;
    polyhedron *on = composed(r, read->pair, r->f->array[read->from].rank, &r->step[i]);
    on = on ? polyhedron_join(r->memory, read->pair, on) : NULL;
    read->pair = on ? on : read->pair;
  }
}

void reach_init(reach *r, const normal_form *f, arena *memory)
{
  *r = (reach){ .f = f,
                .memory = memory,
                .from = ARENA_NEW(memory, polyhedra *, (size_t)f->arrays),
                .failed = ARENA_NEW(memory, piece_rows *, (size_t)f->arrays) };
  for (int x = 0; x < f->arrays && f->arrays <= CIRCLE_ARRAYS; x++)
    circles_of(r, x);
  for (int i = 0; i < f->accesses; i++)
    many_reads(r, f->access[i]);
  int chains = r->steps;
  for (int i = 0; i < f->accesses; i++)
    one_read(r, f->access[i]);
  for (int i = chains; i < r->steps; i++)
    go_on(r, &r->step[i], chains);
}

/* What is found from one array.  Of what was not followed yet the largest goes first, which has the fewest equalities;
   but what took many reads waits, as a piece may grow by each. */
typedef struct {
  int n;
  struct { int to, equalities, reads; bool followed, gone; polyhedron *p; } of[PIECES_MOST];
} found;

static bool inside(const polyhedron *p, const polyhedron *q)
{
  for (int i = 0; i < q->n; i++)
    if (!polyhedron_implies(p, &q->row[i].form, q->row[i].equal))
      return false;
  return true;
}

static int equalities_of(const polyhedron *p)
{
  int n = 0;
  for (int i = 0; i < p->n; i++)
    n += p->row[i].equal;
  return n;
}

/* What lies inside another goes; what becomes one piece with another is followed as one. */
static void take(found *w, reach *r, int to, polyhedron *p, int reads)
{
  int there = 0;
  if (!p || p->open)
    return;
  for (int i = 0; i < w->n; i++)
    if (w->of[i].to == to && !w->of[i].gone) {
      there++;
      if (w->of[i].equalities <= equalities_of(p) && inside(p, w->of[i].p))
        return;
    }
  for (int i = 0; i < w->n; i++) {
    if (w->of[i].to != to || w->of[i].gone)
      continue;
    polyhedron *joined = inside(w->of[i].p, p) ? p : polyhedron_join(r->memory, w->of[i].p, p);
    if (!joined)
      continue;
    w->of[i].gone = true;
    there--;
    i = joined == p ? i : -1;
    p = joined;
  }
  if (there >= TARGET_MOST || w->n == PIECES_MOST)
    return;
  w->of[w->n].equalities = equalities_of(p);
  w->of[w->n].to = to;
  w->of[w->n].reads = reads;
  w->of[w->n++].p = p;
}

static int waits(const found *w, int i) { return w->of[i].equalities + w->of[i].reads; }

static int next_of(const found *w)
{
  int best = -1;
  for (int i = 0; i < w->n; i++)
    if (!w->of[i].gone && !w->of[i].followed && (best < 0 || waits(w, i) < waits(w, best)))
      best = i;
  return best;
}

static polyhedra *relations_of(reach *r, int of)
{
  polyhedra *all = ARENA_NEW(r->memory, polyhedra, (size_t)r->f->arrays);
  found *w = ARENA_NEW(r->memory, found, 1);
  int rank = r->f->array[of].rank,
      left = rank <= 3 ? COMPOSED_MOST : COMPOSED_MOST / 4; /* these are slower, and say less */
  for (int i = 0; i < r->steps; i++)
    if (r->step[i].from == of)
      take(w, r, r->step[i].to, r->step[i].pair, 1);
  for (int k; left > 0 && (k = next_of(w)) >= 0;) {
    w->of[k].followed = true;
    for (int i = 0; i < r->steps; i++)
      if (r->step[i].from == w->of[k].to) {
        take(w, r, r->step[i].to, composed(r, w->of[k].p, rank, &r->step[i]), w->of[k].reads + 1);
        left--;
      }
  }
  for (int i = 0; i < w->n; i++)
    if (!w->of[i].gone)
      polyhedra_add(r->memory, &all[w->of[i].to], w->of[i].p);
  return all;
}

const polyhedra *reach_from(reach *r, int of, int to)
{
  if (!r->from[of]) {
    r->from[of] = relations_of(r, of);
    r->failed[of] = ARENA_NEW(r->memory, piece_rows, (size_t)r->f->arrays);
  }
  return &r->from[of][to];
}

static bool has_row(const constraint *c, int vars, const int64_t *z)
{
  __int128 sum = c->form.base;
  for (int v = 0; v < vars; v++)
    sum += (__int128)c->form.coef[v] * z[v];
  return c->equal ? sum == 0 : sum >= 0;
}

/* *failed: the row that refused the last point, which often refuses the next one, too. */
static bool has_point(const polyhedron *p, const int64_t *z, int *failed)
{
  if (*failed < p->n && !has_row(&p->row[*failed], p->vars, z))
    return false;
  for (int i = 0; i < p->n; i++)
    if (!has_row(&p->row[i], p->vars, z)) {
      *failed = i;
      return false;
    }
  return true;
}

bool reach_has(reach *r, int of, const int64_t *x, int to, const int64_t *y)
{
  const polyhedra *l = reach_from(r, of, to);
  int rank = r->f->array[of].rank;
  int64_t z[2 * CDAG_RANK];
  memcpy(z, x, (size_t)rank * sizeof *z);
  memcpy(&z[rank], y, (size_t)r->f->array[to].rank * sizeof *z);
  for (int i = 0; i < l->n; i++)
    if (has_point(l->item[i], z, &r->failed[of][to][i]))
      return true;
  return false;
}
