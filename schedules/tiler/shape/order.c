#include "schedules/tiler/shape/order.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/polyhedral/normal.h"
#include <string.h>

/* Shifts between statements are small; a read that is never there lies farther behind than any. */
enum { FARTHEST = 64, NOWHERE = 1 << 30 };
typedef struct { bool asked; int64_t most; } distance;
/* statements by place in shape.order */
typedef struct {
  int from, to;
  const tiler_access *a;
  bool kept;
  distance far[CDAG_RANK][CDAG_RANK][2]; /* by the reader's dimension, the array's, the direction */
} edge;
typedef struct {
  const tiler_shape *s;
  normal_form form;
  int n;
  edge *e;
  int edges;
  uint32_t used[ORDER_STATEMENTS];     /* dimensions that have a loop */
  const order_node *open;              /* circles right below this node may stay without an order */
  order_fusion fusion;
  const order_node *root;
} orderer;

static const tiler_statement *at(const orderer *o, int k) { return &o->s->s[o->s->order[k]]; }

/* ---- reads ---- */

static void add_edge(orderer *o, size_t *room, int to, const tiler_access *a)
{
  for (int k = 0; k < o->n; k++)
    if (o->s->order[k] == a->array) {
      o->e = mem_room(o->e, (size_t)o->edges, room, sizeof *o->e);
      o->e[o->edges++] = (edge){ .from = k, .to = to, .a = a };
    }
}

static void list_edges(orderer *o)
{
  size_t room = 0;
  for (int k = 0; k < o->n; k++) {
    for (int i = 0; i < at(o, k)->accesses; i++)
      add_edge(o, &room, k, &at(o, k)->access[i]);
    for (int i = 0; i < at(o, k)->selves; i++)
      add_edge(o, &room, k, &at(o, k)->self[i]);
  }
}

/* The greatest value of a form on the statement's domain, or more: each variable, the last first, gives way to its
   bound, `which` of several. */
static int64_t greatest_by(const tiler_statement *s, tiler_form f, int which)
{
  for (int r = s->rank - 1; r >= 0; r--) {
    int64_t c = f.coef[r];
    const tiler_bound *b = c > 0 ? &s->hi[r] : &s->lo[r];
    if (c == 0)
      continue;
    f.coef[r] = 0;
    if (!b->affine) {
      f.base += c * (c > 0 ? s->most[r] - 1 : s->least[r]);
      continue;
    }
    const tiler_form *by = &b->f[which < b->n ? which : b->n - 1];
    f.base += c * (by->base - (c > 0));
    for (int q = 0; q < r; q++)
      f.coef[q] += c * by->coef[q];
  }
  return f.base;
}

int64_t tiler_form_most(const tiler_statement *s, const tiler_form *f)
{
  int64_t most = greatest_by(s, *f, 0);
  for (int k = 1; k < TILER_BOUNDS; k++)
    most = num_min(most, greatest_by(s, *f, k));
  return most;
}

/* How far ahead of its reader's value of dimension `dim` may what is read be, in dimension `theirs`: at most this, on
   the elements whose reader has such a read.  False where the relation is not told. */
static bool ahead_told(const orderer *o, const edge *e, int dim, int theirs, bool reversed, int64_t *most)
{
  int reader = o->s->order[e->to];
  if (!o->form.array[reader].known || !o->form.array[reader].whole)
    return false;
  *most = -NOWHERE; /* never there */
  for (int i = 0; i < o->form.accesses; i++) {
    const access *a = o->form.access[i];
    linear f = linear_variable(dim), back = linear_constant(0);
    int64_t one;
    if (a->from != reader || a->to != e->a->array || a->term != e->a->term)
      continue;
    if (!linear_add(&back, &f, -1) || !linear_add(&f, &a->index[theirs], -1) ||
        !linear_add(&back, &a->index[theirs], 1) || !polyhedron_most(a->where, reversed ? &f : &back, &one))
      return false;
    *most = num_max(*most, one);
  }
  return true;
}

/* The same by the index's form, wherever it leads. */
static int64_t ahead_by_form(const orderer *o, const edge *e, int dim, int theirs, bool reversed)
{
  const tiler_statement *s = at(o, e->to);
  const tiler_index *i = &e->a->at[theirs];
  const tiler_statement *t = at(o, e->from);
  tiler_form f;
  if (!i->affine)
    f = (tiler_form){ .base = reversed ? t->least[theirs] : t->most[theirs] - 1 };
  else if (i->kind == CDAG_AT)
    f = i->lo;
  else if (i->kind == CDAG_RANGE && !reversed) {
    f = i->hi;
    f.base--;
  } else if (i->kind == CDAG_RANGE)
    f = i->lo;
  else
    f = (tiler_form){ .base = reversed ? t->least[theirs] : t->most[theirs] - 1 };
  f.coef[dim]--;
  for (int r = 0; reversed && r < CDAG_RANK; r++)
    f.coef[r] = -f.coef[r];
  f.base = reversed ? -f.base : f.base;
  return tiler_form_most(s, &f);
}

static int64_t ahead(const orderer *o, edge *e, int dim, int theirs, bool reversed)
{
  distance *d = &e->far[dim][theirs][reversed];
  if (!d->asked && !ahead_told(o, e, dim, theirs, reversed, &d->most))
    d->most = ahead_by_form(o, e, dim, theirs, reversed);
  d->asked = true;
  return d->most;
}

/* ---- circles of reads ---- */

typedef struct { uint64_t reach[ORDER_STATEMENTS]; } closure;

static void close_reads(const orderer *o, uint64_t set, closure *c)
{
  memset(c, 0, sizeof *c);
  for (int i = 0; i < o->edges; i++)
    if (!o->e[i].kept && (set >> o->e[i].from & 1) && (set >> o->e[i].to & 1))
      c->reach[o->e[i].from] |= 1ull << o->e[i].to;
  for (int k = 0; k < o->n; k++)
    for (int i = 0; i < o->n; i++)
      if (c->reach[i] >> k & 1)
        c->reach[i] |= c->reach[k];
}

static uint64_t circle_of(const orderer *o, const closure *c, int k)
{
  uint64_t set = 1ull << k;
  for (int i = 0; i < o->n; i++)
    if ((c->reach[k] >> i & 1) && (c->reach[i] >> k & 1))
      set |= 1ull << i;
  return set;
}

/* ---- one loop for a circle ---- */

typedef struct { int dim[ORDER_STATEMENTS]; int64_t shift[ORDER_STATEMENTS]; bool reversed; int strict; } level;

/* Shifts such that no read goes ahead: the longest ways in the graph of reads; false when there is a circle that gains.
 */
static bool find_shifts(const orderer *o, uint64_t set, level *l)
{
  memset(l->shift, 0, sizeof l->shift);
  for (int round = 0; round <= o->n; round++) {
    bool moved = false;
    for (int i = 0; i < o->edges; i++) {
      edge *e = &o->e[i];
      if (e->kept || !(set >> e->from & 1) || !(set >> e->to & 1))
        continue;
      int64_t far = ahead(o, e, l->dim[e->to], l->dim[e->from], l->reversed);
      if (far > FARTHEST)
        return false;
      if (l->shift[e->to] < l->shift[e->from] + far) {
        l->shift[e->to] = l->shift[e->from] + far;
        moved = true;
      }
    }
    if (!moved)
      return true;
  }
  return false;
}

static int count_strict(orderer *o, uint64_t set, const level *l, bool keep)
{
  int n = 0;
  for (int i = 0; i < o->edges; i++) {
    edge *e = &o->e[i];
    if (e->kept || !(set >> e->from & 1) || !(set >> e->to & 1))
      continue;
    int64_t far = ahead(o, e, l->dim[e->to], l->dim[e->from], l->reversed);
    if (l->shift[e->from] + far < l->shift[e->to]) {
      n++;
      e->kept = e->kept || keep;
    }
  }
  return n;
}

static int64_t total_shift(const orderer *o, uint64_t set, const level *l)
{
  int64_t sum = 0;
  for (int k = 0; k < o->n; k++)
    if (set >> k & 1)
      sum += l->shift[k];
  return sum;
}

/* May a loop over dimension d come next?  Where a bound is not affine, what it depends on must have its loops. */
static bool may_come(const orderer *o, int k, int d)
{
  const cdag *g = o->s->g;
  const tiler_statement *s = at(o, k);
  const cdag_array *a = &g->array[s->array];
  if (o->used[k] >> d & 1)
    return false;
  for (int q = 0; q < d && !(s->lo[d].affine && s->hi[d].affine); q++)
    if (!(o->used[k] >> q & 1) && ((a->lo[d] && expr_uses(a->lo[d], g->params + q, g->params + q + 1)) ||
                                   expr_uses(a->hi[d], g->params + q, g->params + q + 1)))
      return false;
  return true;
}

/* Every choice of a dimension for each statement, as long as they are few; the one that keeps most reads, then with the
   least shifts.  One that keeps none is taken where there is no better: its loop may be what another needs outside it.
   idle: only the first that keeps none.  most: shifts come to no more in all. */
static bool choose_level(orderer *o, uint64_t set, bool idle, int64_t most, level *best)
{
  enum { TRIES = 20000 };
  int member[ORDER_STATEMENTS], n = 0, tries = 0;
  level l = { .strict = 0 };
  best->strict = -1;
  for (int k = 0; k < o->n; k++)
    if (set >> k & 1) {
      member[n++] = k;
      l.dim[k] = -1;
    }
  for (int at_member = 0; at_member >= 0 && tries < TRIES;) { /* an odometer over free dimensions */
    int k = member[at_member], d = l.dim[k] + 1;
    while (d < at(o, k)->rank && !may_come(o, k, d))
      d++;
    if (d >= at(o, k)->rank) {
      l.dim[k] = -1;
      at_member--;
      continue;
    }
    l.dim[k] = d;
    if (at_member < n - 1) {
      at_member++;
      continue;
    }
    tries++;
    for (int way = 0; way < 2; way++) {
      l.reversed = way;
      if (!find_shifts(o, set, &l) || total_shift(o, set, &l) > most)
        continue;
      l.strict = count_strict(o, set, &l, false);
      bool lagged = total_shift(o, set, &l) != 0;
      if (idle && (way || l.strict || (lagged && o->fusion != ORDER_LAGGED)))
        continue;
      if ((idle && !lagged) || l.strict > best->strict ||
          (l.strict == best->strict && total_shift(o, set, &l) < total_shift(o, set, best)))
        *best = l;
      if (idle && !lagged)
        return true;
    }
  }
  return best->strict >= 0;
}

/* ---- the tree ---- */

static void add_kid(order_node *n, order_node *kid)
{
  if (n->kids == n->room) {
    n->room = n->room ? 2 * n->room : 4;
    n->kid = mem_grow(n->kid, (size_t)n->room, sizeof *n->kid);
  }
  n->kid[n->kids++] = kid;
}

void tiler_order_free(order_node *n)
{
  for (int i = 0; n && i < n->kids; i++)
    tiler_order_free(n->kid[i]);
  if (n)
    mem_free(n->kid);
  mem_free(n);
}

static bool order_set(orderer *o, uint64_t set, order_node *into);

static bool order_level(orderer *o, uint64_t set, const level *l, order_node *into)
{
  order_node *loop = MEM_NEW(order_node, 1);
  bool *kept = MEM_NEW(bool, (size_t)o->edges + 1);
  add_kid(into, loop);
  loop->reversed = l->reversed;
  for (int i = 0; i < o->edges; i++)
    kept[i] = o->e[i].kept;
  count_strict(o, set, l, true);
  for (int k = 0; k < o->n; k++)
    if (set >> k & 1) {
      o->used[k] |= 1u << l->dim[k];
      loop->member[loop->members].array = o->s->order[k];
      loop->member[loop->members].dim = l->dim[k];
      loop->member[loop->members++].shift = l->reversed ? -l->shift[k] : l->shift[k];
    }
  bool good = order_set(o, set, loop);
  for (int i = 0; i < o->edges; i++)
    o->e[i].kept = kept[i];
  for (int k = 0; k < o->n; k++)
    if (set >> k & 1)
      o->used[k] &= ~(1u << l->dim[k]);
  mem_free(kept);
  if (!good)
    tiler_order_free(into->kid[--into->kids]);
  return good;
}

static bool order_loop(orderer *o, uint64_t set, bool idle, order_node *into)
{
  level l;
  return choose_level(o, set, idle, INT64_MAX, &l) && order_level(o, set, &l, into);
}

static void add_leaf(const orderer *o, int k, order_node *into)
{
  order_node *leaf = MEM_NEW(order_node, 1);
  leaf->leaf = true;
  leaf->array = o->s->order[k];
  add_kid(into, leaf);
}

/* A circle without an order: its members alone. */
static void add_open(const orderer *o, uint64_t circle, order_node *into)
{
  order_node *n = MEM_NEW(order_node, 1);
  for (int k = 0; k < o->n; k++)
    if (circle >> k & 1)
      n->member[n->members++].array = o->s->order[k];
  add_kid(into, n);
}

/* The circles of a set, each after those it reads: how many. */
static int list_circles(const orderer *o, const closure *c, uint64_t set, uint64_t *circle)
{
  int n = 0;
  for (uint64_t left = set; left; left &= ~circle[n++]) {
    bool first = false;
    for (int k = 0; k < o->n && !first; k++) {
      first = left >> k & 1;
      circle[n] = first ? circle_of(o, c, k) : 0;
      for (int i = 0; i < o->n && first; i++)
        first = !(left >> i & 1) || (circle[n] >> i & 1) || !(c->reach[i] >> k & 1);
    }
    if (!first)
      return 0;
  }
  return n;
}

static bool add_circle(orderer *o, const closure *c, uint64_t circle, order_node *into)
{
  int k = 0;
  while (!(circle >> k & 1))
    k++;
  /* where its reads of itself are not understood: in the order of its indices, if the referee agrees */
  if (circle == 1ull << k && (!(c->reach[k] >> k & 1) || !order_loop(o, circle, false, into)))
    add_leaf(o, k, into);
  else if (circle != 1ull << k && !order_loop(o, circle, false, into)) {
    if (into != o->open)
      return false;
    add_open(o, circle, into);
  }
  return true;
}

/* Is each of these circles read by another, or does it read one? */
static bool connected(const orderer *o, const uint64_t *circle, int n, uint64_t set)
{
  for (int k = 0; k < n; k++) {
    bool any = false;
    for (int i = 0; i < o->edges && !any; i++) {
      uint64_t from = 1ull << o->e[i].from, to = 1ull << o->e[i].to;
      any = !o->e[i].kept && (set & from) && (set & to) && !(circle[k] & from) != !(circle[k] & to);
    }
    if (!any)
      return false;
  }
  return true;
}

/* As many of the first circles as can share a loop that keeps none of their reads: what one hands to another need not
   leave the chip, nor the rows that one alone reads again.  How many; 0: none do. */
static int fuse_circles(orderer *o, const uint64_t *circle, int n, int least, order_node *into)
{
  enum { TOGETHER = 8 };
  for (int many = n < TOGETHER ? n : TOGETHER; many >= least; many--) {
    uint64_t set = 0;
    for (int k = 0; k < many; k++)
      set |= circle[k];
    if ((many == 1 || connected(o, circle, many, set)) && order_loop(o, set, true, into))
      return many;
  }
  return 0;
}

/* One statement that reads nothing of itself, but along its chain? */
static bool is_lone(const orderer *o, const closure *c, uint64_t circle)
{
  int k = __builtin_ctzll(circle);
  return circle == 1ull << k && (!(c->reach[k] >> k & 1) || (at(o, k)->chains && !at(o, k)->reads_itself));
}

/* Does each statement of the set take several iterations of the loop?  One at its beginning alone stands better before
 * it. */
static bool takes_iterations(const orderer *o, uint64_t set, const level *l)
{
  for (int k = 0; k < o->n; k++)
    if ((set >> k & 1) && at(o, k)->most[l->dim[k]] - at(o, k)->least[l->dim[k]] <= 1)
      return false;
  return true;
}

/* Single statements before and behind a circle go along in its loop, in its direction, where all they read of it is
   there, and it of them: what one makes need not wait for a loop of the other's.  The loop keeps of the circle's reads
   what it kept without them, and nothing is shifted for their sake.  How many circles; 0: none does. */
static int join_circle(orderer *o, const closure *c, const uint64_t *circle, int n, order_node *into)
{
  level alone, all, best;
  int core = 0, joined = 0;
  while (core < n && is_lone(o, c, circle[core]))
    core++;
  if (core == n || !choose_level(o, circle[core], false, INT64_MAX, &alone) || alone.strict == 0)
    return 0;
  uint64_t set = 0, good = 0;
  int64_t shift = total_shift(o, circle[core], &alone);
  for (int k = 0; k < n; k++) {
    if (k > core && (circle[k] & (circle[k] - 1)))
      break;
    set |= circle[k];
    if (k < core || k == 0)
      continue;
    if (!connected(o, circle, k + 1, set) || !choose_level(o, set, false, shift, &all) ||
        count_strict(o, circle[core], &all, false) != alone.strict || !takes_iterations(o, set, &all))
      break;
    joined = k + 1;
    good = set;
    best = all;
  }
  return joined > 1 && order_level(o, good, &best, into) ? joined : 0;
}

static bool order_set(orderer *o, uint64_t set, order_node *into)
{
  closure c;
  uint64_t circle[ORDER_STATEMENTS];
  close_reads(o, set, &c);
  int n = list_circles(o, &c, set, circle);
  bool good = n > 0;
  for (int k = 0; k < n && good;) {
    bool fuse = o->fusion == ORDER_TOGETHER || (o->fusion == ORDER_LAGGED && into == o->root);
    bool joins = o->fusion == ORDER_TOGETHER;
    int many = fuse ? fuse_circles(o, circle + k, n - k, joins ? 2 : 1, into) : 0;
    if (!many && joins)
      many = join_circle(o, &c, circle + k, n - k, into);
    if (!many && joins)
      many = fuse_circles(o, circle + k, 1, 1, into);
    good = many || add_circle(o, &c, circle[k], into);
    k += many ? many : 1;
  }
  return good;
}

order_node *tiler_order(const tiler_shape *s, bool open, order_fusion fusion)
{
  orderer o = { .s = s, .n = s->n, .fusion = fusion };
  order_node *root = MEM_NEW(order_node, 1);
  o.root = root;
  o.open = open ? root : NULL;
  bool good = s->n > 0 && s->n <= ORDER_STATEMENTS;
  normal_form_relation(&o.form, s->g);
  if (good) {
    list_edges(&o);
    good = order_set(&o, s->n == 64 ? UINT64_MAX : (1ull << s->n) - 1, root);
  }
  mem_free(o.e);
  normal_form_clear(&o.form);
  if (good)
    return root;
  tiler_order_free(root);
  return NULL;
}
