/* place.c -- loads, stores and drops of a tree, with their sizes. */
#include "schedules/tiler/nests/place.h"
#include <string.h>

/* ---- sizes ---- */

/* How wide the band is in which classes c and d go together (d within so many values of c); 0: in none. */
static double band(const tiler_nest *n, int c, int d) { return (double)n->band[c][d]; }

/* A factor base + sum of the lengths of these classes. */
static bool times_sum(tiler_amount *a, double base, uint32_t lengths)
{
  int k = a->windows, m = 0;
  if (k == 2 || __builtin_popcount(lengths) > 3)
    return false;
  for (uint32_t s = lengths; s; s &= s - 1) {
    a->window[k].cls[m] = __builtin_ctz(s);
    a->window[k].w[m++] = 1;
  }
  a->window[k].n = m;
  a->window[k].base = base;
  a->windows += m > 0;
  if (m == 0)
    a->coef *= base;
  return true;
}

/* The values that a class in a band has beside those of a class that is a loop around, or in the same box (rel): the
   band's width, and more beside a block.  False: it is in no such band. */
static bool times_band(const tiler_nest *n, const tiler_node *at, int c, uint32_t rel, tiler_amount *a)
{
  uint32_t in_bands = 0;
  for (int d = 0; d < n->classes; d++)
    in_bands |= band(n, c, d) > 0 ? 1u << d : 0;
  uint32_t value = in_bands & at->single, block = in_bands & at->blocked;
  if (!(value | block))
    return false;
  int d = __builtin_ctz(value ? value : block);
  bool own = value || (rel >> d & 1);
  double most = (double)n->cls[c].extent, width = band(n, c, d);
  if (own)
    return times_sum(a, width < most ? width : most, 0);
  return width < most && times_sum(a, width - 1, 1u << d);
}

static void times_length(const tiler_nest *n, const tiler_node *at, int c, uint32_t rel, tiler_amount *a)
{
  if (at->single >> c & 1)
    return;
  if ((at->blocked >> c & 1) && !(a->blocks >> c & 1))
    a->blocks |= 1u << c;
  else if (!times_band(n, at, c, rel, a))
    a->coef *= (double)n->cls[c].extent;
}

/* span + sum |w| (length - 1): what a window of several variables, or a stride, or a range that moves, spans. */
static void times_window(const tiler_nest *n, const tiler_node *at, const tiler_sum *s, double span, tiler_amount *a)
{
  double base = span;
  int k = a->windows, m = 0;
  for (int i = 0; i < s->n; i++) {
    int c = s->cls[i];
    double w = (double)(s->coef[i] < 0 ? -s->coef[i] : s->coef[i]);
    if (at->single >> c & 1)
      continue;
    if (!(at->blocked >> c & 1) || m == 3 || k == 2)
      base += w * (double)(n->cls[c].extent - 1);
    else {
      a->window[k].cls[m] = c;
      a->window[k].w[m++] = w;
      base -= w;
    }
  }
  if (m == 0)
    a->coef *= base;
  else {
    a->window[k].n = m;
    a->window[k].base = base;
    a->windows++;
  }
}

/* Does a range go along as it is, lo + some number of words?  Then so many. */
static double range_span(const tiler_group *g, int q)
{
  if (g->kind[q] == CDAG_AT)
    return 1;
  tiler_group ends = *g;
  ends.kind[q] = CDAG_AT;
  ends.lo[q] = g->hi[q];
  ends.lo[q].base = g->lo[q].base;
  tiler_group starts = ends;
  starts.lo[q] = g->lo[q];
  return g->kind[q] == CDAG_RANGE && tiler_same_index(&starts, &ends, q) ? (double)(g->hi[q].base - g->lo[q].base) : 0;
}

/* Are two indices of the array itself a band, so that a box around a block of one has no more than the band in it? */
static bool is_banded(const tiler_statement *s)
{
  bool banded = false;
  for (int r = 0; r < s->rank; r++)
    for (int q = 0; q < r; q++)
      banded = banded || tiler_band_width(s, r, q) > 0;
  return banded;
}

/* elements: not the box around them, T[k,J,k-1] is as large as T[k,J,0]. */
static tiler_amount group_size(const tiler_nest *n, const tiler_group *g, const tiler_node *at, bool elements)
{
  tiler_amount a = { .coef = 1 };
  const tiler_statement *s = &n->s->s[g->array];
  uint32_t seen = 0;
  for (int q = 0; q < g->rank; q++) {
    double extent = (double)(s->most[q] - s->least[q]);
    double span = range_span(g, q);
    if (g->value[q] && !(g->vars[q] & ~at->single))
      continue;
    if (g->kind[q] != CDAG_AT && (span < 1 || span >= extent))
      a.coef *= extent > 1 ? extent : 1;
    else if (s->unit[q])
      continue;
    else if (g->kind[q] == CDAG_AT && g->lo[q].n == 1 && (g->lo[q].coef[0] == 1 || g->lo[q].coef[0] == -1)) {
      if (!(elements && (seen >> g->lo[q].cls[0] & 1)))
        times_length(n, at, g->lo[q].cls[0], is_banded(s) ? g->rel : 0, &a);
      seen |= 1u << g->lo[q].cls[0];
    }
    else
      times_window(n, at, &g->lo[q], span, &a);
  }
  return a;
}

/* Of all iterations of the loops around the nest, in so many at most is what the group names there: an index with so
   large a coefficient lies inside of the array at one value only. */
static double share_of_iterations(const tiler_nest *n, const tiler_group *g)
{
  const tiler_statement *to = &n->s->s[g->array];
  double share = 1;
  for (int q = 0; q < g->rank; q++)
    for (int k = 0; k < g->lo[q].n && g->kind[q] != CDAG_ALL; k++) {
      int64_t c = g->lo[q].coef[k] < 0 ? -g->lo[q].coef[k] : g->lo[q].coef[k];
      if ((n->fixed >> g->lo[q].cls[k] & 1) && c >= to->most[q] - to->least[q])
        share /= (double)n->cls[g->lo[q].cls[k]].extent;
    }
  return share;
}

static uint32_t own_classes(const tiler_nest *n, int x) { return n->has[x] & ~n->chain[x]; }

/* Elements of its own for each setting of its classes. */
static double own_scale(const tiler_nest *n, int x)
{
  double scale = 1;
  for (int r = 0; r < tiler_at(n, x)->rank; r++)
    scale *= (double)n->scale[x][r];
  return scale;
}

static tiler_amount own_size(const tiler_nest *n, int x, const tiler_node *at)
{
  tiler_amount a = { .coef = own_scale(n, x) };
  for (int c = 0; c < n->classes; c++)
    if (own_classes(n, x) >> c & 1)
      times_length(n, at, c, own_classes(n, x), &a);
  return a;
}

/* Of the pairs of values of c and d, as far as loops around walk both, those in their band: beside a block there are
   more, up to its length. */
static void times_pairs(const tiler_nest *n, int c, int d, tiler_amount *a)
{
  uint32_t both = 1u << c | 1u << d;
  double width = band(n, c, d), most = (double)n->cls[d].extent;
  if (width < most && times_sum(a, width - __builtin_popcount(a->iterations & both), a->iterations & both))
    a->coef /= most;
}

/* So many words each time this place is passed, with indices of these classes: over all iterations of the loops around
 * it.  A triangle is half. */
static tiler_amount every_time(const tiler_nest *n, const tiler_node *at, uint32_t rel, tiler_amount a)
{
  uint32_t around = at->single | at->blocked, all = around | rel;
  for (int c = 0; c < n->classes; c++) {
    if (at->single & ~n->fixed & 1u << c)
      a.coef *= (double)n->cls[c].extent;
    else if ((at->blocked & a.blocks) >> c & 1) {
      a.coef *= (double)n->cls[c].extent;
      a.blocks &= ~(1u << c);
    } else if (at->blocked >> c & 1)
      a.iterations |= 1u << c;
    for (int d = c + 1; d < n->classes; d++)
      if ((all >> c & 1) && (all >> d & 1) && (n->slanted[c] >> d & 1) && !n->band[c][d])
        a.coef /= 2;
  }
  for (int c = 0; c < n->classes; c++)
    for (int d = c + 1; d < n->classes; d++)
      if (n->band[c][d] && (around >> c & around >> d & 1))
        times_pairs(n, c, d, &a);
      else if (n->band[c][d] && !(around & (1u << c | 1u << d)) && (rel >> c & rel >> d & 1) &&
               n->band[c][d] < n->cls[d].extent)
        a.coef *= band(n, c, d) / (double)n->cls[d].extent;
  return a;
}

static tiler_amount once(const tiler_nest *n, int x, uint32_t rel)
{
  tiler_node root = { .single = n->fixed };
  tiler_amount a = { .coef = own_scale(n, x) };
  for (int c = 0; c < n->classes; c++)
    if (rel >> c & 1)
      times_length(n, &root, c, rel, &a);
  return every_time(n, &root, rel, a);
}

/* ---- boxes ---- */

bool tiler_index_whole(const tiler_nest *n, const tiler_group *g, int q, const tiler_node *at)
{
  const tiler_statement *s = &n->s->s[g->array];
  int64_t lo = g->lo[q].base, hi = lo;
  if (g->kind[q] == CDAG_ALL)
    return true;
  if (g->kind[q] == CDAG_RANGE || g->lo[q].n == 0)
    return false;
  for (int k = 0; k < g->lo[q].n; k++) {
    int c = g->lo[q].cls[k];
    const tiler_class *cls = &n->cls[c];
    uint32_t around = at->blocked | at->single;
    if (around >> c & 1)
      return false;
    if (n->slanted[c] & around)
      return false;
    lo += g->lo[q].coef[k] * (g->lo[q].coef[k] > 0 ? cls->lo : cls->lo + cls->extent - 1);
    hi += g->lo[q].coef[k] * (g->lo[q].coef[k] > 0 ? cls->lo + cls->extent - 1 : cls->lo);
  }
  return s->unit[q] || (lo <= s->least[q] && hi >= s->most[q] - 1);
}

/* ---- operands ---- */

typedef struct { int group, node, from, to; uint32_t readers; } load;
typedef struct { load l[2 * TILER_GROUPS]; int n; } loads;

static void kid_range(const tiler_tree *t, load *l)
{
  l->from = TILER_KIDS;
  l->to = -1;
  for (int x = 0; x < t->n->n; x++)
    if (l->readers >> x & 1) {
      int k = tiler_kid_with(t, l->node, x);
      l->from = k < l->from ? k : l->from;
      l->to = k > l->to ? k : l->to;
    }
}

static bool list_loads(const tiler_tree *t, loads *all)
{
  all->n = 0;
  for (int g = 0; g < t->n->groups; g++)
    for (int x = 0; x < t->n->n; x++) {
      if (!(t->n->group[g].readers >> x & 1))
        continue;
      int k = all->n - 1;
      while (k >= 0 && !(all->l[k].group == g && all->l[k].node == t->home[g][x]))
        k--;
      if (k >= 0)
        all->l[k].readers |= 1u << x;
      else if (all->n == 2 * TILER_GROUPS)
        return false;
      else
        all->l[all->n++] = (load){ .group = g, .node = t->home[g][x], .readers = 1u << x };
    }
  return true;
}

/* Classes whose loops are around stand alike in both indices, and those that are walked inside say no more values of h
   than of g: 4*i + c of one statement and 4*i + d of another, at one value of i. */
static bool spans(const tiler_nest *n, const tiler_group *g, const tiler_group *h, int q, const tiler_node *at)
{
  int64_t coef[TILER_CLASSES] = { 0 }, least[2], most[2];
  if (g->kind[q] != CDAG_AT || h->kind[q] != CDAG_AT || g->value[q] || h->value[q])
    return false;
  for (int side = 0; side < 2; side++) {
    const tiler_sum *f = side ? &h->lo[q] : &g->lo[q];
    least[side] = most[side] = f->base;
    for (int k = 0; k < f->n; k++) {
      int c = f->cls[k];
      int64_t first = f->coef[k] * n->cls[c].lo, last = first + f->coef[k] * (n->cls[c].extent - 1);
      if ((at->blocked | at->single) >> c & 1)
        coef[c] += side ? -f->coef[k] : f->coef[k];
      else if (n->slanted[c] || n->cls[c].cut)
        return false;
      else {
        least[side] += first < last ? first : last;
        most[side] += first < last ? last : first;
      }
    }
  }
  for (int c = 0; c < n->classes; c++)
    if (coef[c])
      return false;
  return least[1] >= least[0] && most[1] <= most[0];
}

/* Does what a loads hold what b reads?  Index by index: everything, the same, or a block of the class over its value.
 */
static bool covers(const tiler_tree *t, const load *a, const load *b)
{
  const tiler_nest *n = t->n;
  const tiler_group *g = &n->group[a->group], *h = &n->group[b->group];
  const tiler_node *at = &t->node[a->node], *in = &t->node[b->node];
  for (int q = 0; q < g->rank; q++) {
    if (tiler_index_whole(n, g, q, at))
      continue;
    if (spans(n, g, h, q, at))
      continue;
    if (!tiler_same_index(g, h, q) || tiler_index_whole(n, h, q, in))
      return false;
    for (int k = 0; g->kind[q] == CDAG_AT && k < g->lo[q].n; k++) {
      int c = g->lo[q].cls[k];
      if (!((at->single | at->blocked) >> c & 1) && ((in->single | in->blocked) >> c & 1) && n->slanted[c])
        return false;
    }
  }
  return true;
}

static void merge(const tiler_tree *t, loads *all)
{
  for (int i = 0; i < all->n; i++)
    for (int j = 0; j < all->n; j++) {
      load *a = &all->l[i], *b = &all->l[j];
      if (i == j || !a->readers || !b->readers || a->group == b->group ||
          t->n->group[a->group].array != t->n->group[b->group].array || !tiler_above(t, a->node, b->node) ||
          !covers(t, a, b))
        continue;
      a->readers |= b->readers;
      b->readers = 0;
    }
}

/* Do two boxes of one array never meet?  At some index both are single values with different distances. */
static bool apart(const tiler_tree *t, const load *a, const load *b)
{
  const tiler_group *g = &t->n->group[a->group], *h = &t->n->group[b->group];
  uint32_t single = t->node[a->node].single & t->node[b->node].single;
  for (int q = 0; q < g->rank; q++) {
    tiler_group shifted = *h;
    if (g->kind[q] != CDAG_AT || h->kind[q] != CDAG_AT || g->lo[q].base == h->lo[q].base)
      continue;
    shifted.lo[q].base = g->lo[q].base;
    bool fixed = tiler_same_index(g, &shifted, q);
    for (int k = 0; k < g->lo[q].n; k++)
      fixed = fixed && (single >> g->lo[q].cls[k] & 1);
    if (fixed)
      return true;
  }
  return false;
}

static bool meets(const tiler_tree *t, const load *a, const load *b)
{
  if (t->n->group[a->group].array != t->n->group[b->group].array || !tiler_above(t, a->node, b->node))
    return false;
  if (a->node == b->node)
    return a->from <= b->to && b->from <= a->to && !apart(t, a, b);
  int k = b->node;
  while (t->node[k].parent != a->node)
    k = t->node[k].parent;
  for (int i = a->from; i <= a->to; i++)
    if (!t->node[a->node].kid[i].leaf && t->node[a->node].kid[i].what == k)
      return !apart(t, a, b);
  return false;
}

/* ---- diagonals ---- */

/* Is h what g is with the inner class in the place of the outer one? */
static bool swapped(const tiler_group *g, const tiler_group *h, int outer, int inner)
{
  if (g->array != h->array || (g->rel >> inner & 1) || !(g->rel >> outer & 1))
    return false;
  for (int q = 0; q < g->rank; q++) {
    tiler_group s = *g;
    for (int k = 0; k < s.lo[q].n; k++)
      if (s.lo[q].cls[k] == outer)
        s.lo[q].cls[k] = inner;
    if (g->kind[q] == CDAG_RANGE || (!tiler_same_index(&s, h, q) && (s.lo[q].n > 1 || !tiler_same_index(g, h, q))))
      return false;
  }
  return true;
}

/* Does the domain hold inner <= outer, up to a constant, or outer <= inner, or do both run freely over one range? */
static tiler_side side(const tiler_nest *n, int outer, int inner)
{
  const tiler_class *a = &n->cls[outer], *b = &n->cls[inner];
  if (!n->slanted[outer] && !n->slanted[inner] && !a->cut && !b->cut && a->lo == b->lo && a->extent == b->extent)
    return SIDE_BOTH;
  for (int x = 0; x < n->n; x++) {
    const tiler_statement *s = tiler_at(n, x);
    int o = -1, i = -1;
    for (int r = 0; r < s->rank; r++) {
      o = n->of[x][r] == outer ? r : o;
      i = n->of[x][r] == inner ? r : i;
    }
    if (o < 0 || i < 0)
      continue;
    int late = o > i ? o : i, early = o > i ? i : o;
    for (int k = 0; k < s->hi[late].n; k++)
      if (s->hi[late].f[k].coef[early] == 1)
        return late == i ? SIDE_BELOW : SIDE_ABOVE;
    for (int k = 0; k < s->lo[late].n; k++)
      if (s->lo[late].f[k].coef[early] == 1)
        return late == i ? SIDE_ABOVE : SIDE_BELOW;
  }
  return SIDE_NONE;
}

/* Loops of the plan between which reads meet on a diagonal; in that part of the inner loop what b loads is held by a's
 * box already. */
static bool on_diagonal(tiler_tree *t, const load *a, const load *b)
{
  const tiler_nest *n = t->n;
  const tiler_plan *p = t->plan;
  uint32_t blocked = 0;
  for (int d = 0; d < p->loops; d++) {
    int inner = p->loop[d].cls;
    for (int e = 0; e < d && !(blocked >> inner & 1); e++) {
      int outer = p->loop[e].cls;
      tiler_side where = side(n, outer, inner);
      const tiler_node *at = &t->node[a->node];
      if (!p->loop[e].block || !where || !swapped(&n->group[a->group], &n->group[b->group], outer, inner) ||
          !(at->blocked >> outer & 1) || (at->single >> outer & 1) ||
          (t->diagonal[inner].outer >= 0 && t->diagonal[inner].outer != outer))
        continue;
      t->diagonal[inner].outer = outer;
      t->diagonal[inner].side = where;
      t->diagonal[inner].spared |= 1ull << b->group;
      return true;
    }
    blocked |= p->loop[d].block ? 1u << inner : 0;
  }
  return false;
}

/* The class of which an index has the value or the block as they are; or -1. */
static int plain_class(const tiler_group *g, int q)
{
  const tiler_sum *s = &g->lo[q];
  return g->kind[q] == CDAG_AT && s->n == 1 && s->coef[0] == 1 && s->base == 0 ? s->cls[0] : -1;
}

/* A[I,k] and A[k,J] at one value of k share the word A[k,k], where k is in the block I: then b is loaded without it. */
static bool crosses(tiler_tree *t, const load *a, const load *b)
{
  const tiler_group *g = &t->n->group[a->group], *h = &t->n->group[b->group];
  const tiler_node *at = &t->node[a->node];
  int wide = -1, trim = -1;
  if (a->node != b->node)
    return false;
  for (int q = 0; q < g->rank; q++) {
    int c = plain_class(g, q), d = plain_class(h, q);
    if (tiler_same_index(g, h, q))
      continue;
    if (c < 0 || d < 0 || (at->single >> c & 1) == (at->single >> d & 1))
      return false;
    int *place = at->single >> d & 1 ? &wide : &trim;
    if (*place >= 0)
      return false;
    *place = q;
  }
  if (wide < 0 || trim < 0)
    return false;
  int outer = plain_class(g, wide), value = plain_class(h, wide);
  if (plain_class(g, trim) != value || !(at->blocked >> outer & 1) || (at->blocked >> value & 1) ||
      side(t->n, outer, value) != SIDE_BOTH ||
      (t->diagonal[value].outer >= 0 &&
       (t->diagonal[value].outer != outer || t->diagonal[value].side != SIDE_BOTH)))
    return false;
  if (t->diagonal[value].trimmed >> a->group & 1)
    return true; /* a lacks it already */
  t->diagonal[value].outer = outer;
  t->diagonal[value].side = SIDE_BOTH;
  t->diagonal[value].trimmed |= 1ull << b->group;
  t->trim[b->group] = trim;
  return true;
}

static tiler_op *add(tiler_tree *t, int node, int kid, bool before, tiler_op_kind kind, int what)
{
  static const tiler_amount none = { 0 };
  int i = t->ops++;
  tiler_op *o = &t->op[i];
  int *head = before ? &t->node[node].kid[kid].before : &t->node[node].kid[kid].after;
  o->kind = kind;
  o->what = what;
  o->size = o->moved = none;
  o->next = -1;
  while (*head >= 0)
    head = &t->op[*head].next;
  *head = i;
  return o;
}

enum { SPARE_OPS = 12 };      /* more than one load or one result takes */

static bool place_loads(tiler_tree *t)
{
  loads all;
  if (!list_loads(t, &all))
    return false;
  merge(t, &all);
  for (int i = 0; i < all.n; i++)
    if (all.l[i].readers)
      kid_range(t, &all.l[i]);
  for (int i = 0; i < all.n; i++)
    for (int j = 0; j < all.n; j++)
      if (i != j && all.l[i].readers && all.l[j].readers && meets(t, &all.l[i], &all.l[j]) &&
          !on_diagonal(t, &all.l[i], &all.l[j]) &&
          !(all.l[i].node == all.l[j].node && on_diagonal(t, &all.l[j], &all.l[i])) &&
          !crosses(t, &all.l[i], &all.l[j]) && !crosses(t, &all.l[j], &all.l[i])) {
        t->why = "two copies of one array";
        return false;
      }
  for (int i = 0; i < all.n; i++) {
    const load *l = &all.l[i];
    if (!l->readers)
      continue;
    if (t->ops > TILER_OPS - SPARE_OPS)
      return false;
    const tiler_node *at = &t->node[l->node];
    tiler_amount size = group_size(t->n, &t->n->group[l->group], at, false);
    tiler_op *o = add(t, l->node, l->from, true, OP_LOAD, l->group);
    o->size = size;
    o->moved = every_time(t->n, at, t->n->group[l->group].rel, size);
    o->moved.coef *= share_of_iterations(t->n, &t->n->group[l->group]);
    add(t, l->node, l->to, false, OP_DROP, l->group)->size = size;
  }
  return true;
}

/* ---- results ---- */

/* The reader computed last of those that read the chain's step before theirs, or -1. */
static int last_behind(const tiler_tree *t, int x)
{
  int y = -1;
  for (int i = 0; i < t->n->edges; i++) {
    const tiler_edge *e = &t->n->edge[i];
    if (e->from == x && e->behind && !e->access->in_step && (y < 0 || t->rank[e->to] > t->rank[y]))
      y = e->to;
  }
  return y;
}

/* Does each element of y read one of x, in loops that x has as well? */
static bool reads_once(const tiler_tree *t, int x, int y)
{
  uint32_t own = t->n->has[x];
  if (t->n->has[y] & ~t->node[t->leaf[y]].single & ~own)
    return false;
  for (int k = t->leaf[y]; k != t->place[x]; k = t->node[k].parent)
    if (!(own >> t->node[k].cls & 1))
      return false;
  return true;
}

/* Do several statements read the sum's end, which is the least of several forms?  Then each may name it by one of them,
   where that one is it: none reads all ends. */
static bool ends_apart(const tiler_tree *t, int x)
{
  const tiler_statement *s = tiler_at(t->n, x);
  int readers = 0;
  bool several = false;
  for (int i = 0; i < t->n->edges; i++)
    readers += t->n->edge[i].from == x;
  for (int c = 0; c < s->chains; c++)
    several = several || s->hi[s->chain[c]].n > 1;
  return several && readers > 1;
}

/* May the last reader drop what it reads, element by element? */
static bool dropped_by(const tiler_tree *t, int x, int y)
{
  const tiler_nest *n = t->n;
  const tiler_edge *read = NULL;
  if (last_behind(t, x) >= 0 || ends_apart(t, x))
    return false;
  for (int i = 0; i < n->edges; i++)
    if (n->edge[i].from == x && n->edge[i].to == y) {
      if (read)
        return false;
      read = &n->edge[i];
    }
  if (!read->all)
    return false;
  uint32_t rel = read->box.rel;
  if (rel & n->chain[x] || n->has[y] & ~t->node[t->leaf[y]].single & ~rel)
    return false;
  for (int q = 0; q < read->box.rank; q++) {
    int c = n->of[x][q]; /* one value of a class that is no chain and no loop around: it leaves the others */
    bool one = read->box.lo[q].n == 0 && ((n->has[x] & ~n->chain[x]) >> c & 1) && n->cls[c].extent > 1;
    if (read->access->at[q].kind != CDAG_AT || one)
      return false;
  }
  for (int k = t->leaf[y]; k != t->place[x]; k = t->node[k].parent) {
    if (!(rel >> t->node[k].cls & 1))
      return false;
    for (int i = 0; i < n->edges; i++) /* another reader in that loop must go with it */
      if (n->edge[i].from == x && tiler_above(t, k, t->leaf[n->edge[i].to]) &&
          !(n->edge[i].box.rel >> t->node[k].cls & 1))
        return false;
  }
  return true;
}

static bool place_inits(tiler_tree *t, int x, int kid)
{
  const tiler_node *at = &t->node[t->place[x]];
  for (int i = 0; i < t->n->inits; i++) {
    const tiler_group *g = &t->n->init[i];
    if (g->first != x)
      continue;
    for (int k = 0; k < t->n->groups; k++) /* the same array as an operand: not in this space */
      if (t->n->group[k].array == g->array)
        return false;
    tiler_amount size = group_size(t->n, g, at, true);
    tiler_op *o = add(t, t->place[x], kid, true, OP_INIT, i);
    o->moved = t->spill[x] ? once(t->n, x, g->rel & own_classes(t->n, x))
                           : every_time(t->n, at, g->rel & ~t->n->chain[x], size);
    if (t->drops_init[x]) { /* the sum takes the place of one */
      o->size = size;
      add(t, t->place[x], kid, false, OP_SHRINK, x)->size = size;
    }
    t->drops_init[x] |= 1u << i;
  }
  return true;
}

static void place_partial(tiler_tree *t, int x, int kid, const tiler_amount *size)
{
  const tiler_node *at = &t->node[t->place[x]];
  tiler_amount each = every_time(t->n, at, own_classes(t->n, x), *size);
  tiler_op *o = add(t, t->place[x], kid, true, OP_PARTIAL_IN, x);
  o->moved = each;
  o = add(t, t->place[x], kid, false, OP_PARTIAL_OUT, x);
  o->moved = each;
  o = add(t, t->place[x], kid, false, OP_SHRINK, x);
  o->size = *size;
  o->moved = once(t->n, x, own_classes(t->n, x)); /* the first iteration has nothing to fetch */
  o->moved.coef = -o->moved.coef;
}

static bool place_result(tiler_tree *t, int x)
{
  int node = t->place[x], kid = tiler_kid_with(t, node, x), y = t->last[x];
  const tiler_node *at = &t->node[node];
  const tiler_statement *s = tiler_at(t->n, x);
  tiler_amount size = own_size(t->n, x, at), each = every_time(t->n, at, own_classes(t->n, x), size);
  int behind = last_behind(t, x);
  if (behind >= 0) { /* two steps of each chain are there at once */
    if (s->stays || t->spill[x] || !reads_once(t, x, behind))
      return false;
    t->drops_behind[behind] |= 1u << x;
    size.coef *= 2;
  }
  if (!s->stays) /* else there is room for it already */
    add(t, node, kid, true, OP_GROW, x)->size = size;
  if (s->chains && behind < 0)
    t->drops[x] |= 1u << x;
  if (!place_inits(t, x, kid))
    return false;
  if (s->started)
    add(t, node, kid, true, OP_START, x)->moved = t->spill[x] ? once(t->n, x, own_classes(t->n, x)) : each;
  if (t->spill[x]) {
    place_partial(t, x, kid, &size);
    return true;
  }
  if ((t->n->stored >> x & 1) && !s->unstored)
    add(t, node, kid, false, OP_STORE, x)->moved = each;
  if (s->stays)
    return true;
  int gone = y < 0 ? kid : tiler_kid_with(t, node, y);
  if (y >= 0 && dropped_by(t, x, y))
    t->drops[y] |= 1u << x;
  else
    add(t, node, gone, false, OP_DROP_END, x);
  add(t, node, gone, false, OP_SHRINK, x)->size = size;
  return true;
}

bool tiler_place(tiler_tree *t)
{
  memset(t->drops, 0, sizeof t->drops);
  for (int c = 0; c < t->n->classes; c++) {
    t->diagonal[c].outer = -1;
    t->diagonal[c].spared = t->diagonal[c].trimmed = 0;
  }
  memset(t->drops_init, 0, sizeof t->drops_init);
  memset(t->drops_behind, 0, sizeof t->drops_behind);
  if (!place_loads(t))
    return false;
  for (int x = 0; x < t->n->n; x++)
    if (t->ops > TILER_OPS - SPARE_OPS - TILER_STATEMENTS || !place_result(t, x))
      return false;
  return true;
}
