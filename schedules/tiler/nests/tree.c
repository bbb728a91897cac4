#include "schedules/tiler/nests/tree.h"
#include "schedules/tiler/nests/words.h"
#include <string.h>

static bool refuse(tiler_tree *t, const char *why)
{
  t->why = why;
  return false;
}

/* ---- the loops ---- */

static int add_node(tiler_tree *t, int parent, int cls, bool block)
{
  if (t->nodes == TILER_NODES)
    return -1;
  tiler_node *n = &t->node[t->nodes], *p = parent >= 0 ? &t->node[parent] : NULL;
  n->parent = parent;
  n->depth = p ? p->depth + 1 : 0;
  n->cls = cls;
  n->block = block;
  n->blocked = (p ? p->blocked : 0) | (cls >= 0 && block ? 1u << cls : 0);
  n->single = (p ? p->single : t->n->fixed) | (cls >= 0 && !block ? 1u << cls : 0);
  n->kids = 0;
  return t->nodes++;
}

static bool add_kid(tiler_tree *t, int node, bool leaf, int what)
{
  tiler_node *n = &t->node[node];
  if (n->kids == TILER_KIDS)
    return false;
  n->kid[n->kids++] = (tiler_kid){ leaf, what, -1, -1 };
  if (leaf)
    t->leaf[what] = node;
  return true;
}

static bool add_leaves(tiler_tree *t, int node, uint32_t f)
{
  for (int x = 0; x < t->n->n; x++)
    if ((f >> x & 1) && !add_kid(t, node, true, x))
      return false;
  return true;
}

/* Which of f the loop at this depth takes: those with its class, and those that only a deeper loop has. */
static uint32_t taken_in(const tiler_nest *n, const tiler_plan *p, uint32_t f, int depth, uint32_t *direct)
{
  uint32_t in = 0, older = 0, deeper = 0;
  for (int d = 0; d < p->loops; d++) {
    *(d < depth ? &older : &deeper) |= 1u << p->loop[d].cls;
  }
  deeper &= ~older;
  *direct = 0;
  for (int x = 0; x < n->n; x++) {
    if (!(f >> x & 1))
      continue;
    if (n->has[x] >> p->loop[depth].cls & 1)
      *direct |= 1u << x;
    if (n->has[x] & (deeper | 1u << p->loop[depth].cls))
      in |= 1u << x;
  }
  return in;
}

uint32_t tiler_may_stand_beside(const tiler_nest *n, const tiler_plan *p)
{
  uint32_t can = 0, direct, all = n->n == 32 ? UINT32_MAX : (1u << n->n) - 1;
  for (int d = 0; d < p->loops; d++) {
    uint32_t in = taken_in(n, p, all, d, &direct);
    if (in & ~direct)
      can |= 1u << d;
  }
  return can;
}

/* Stage numbers in the order of reads: odd in the loop, even beside it.  A reader in the loop shares the iteration with
   what it reads there at its own value, and comes in a later loop otherwise. */
static int stages(const tiler_nest *n, uint32_t f, uint32_t in, int cls, int *stage)
{
  int most = 0;
  for (int x = 0; x < n->n; x++) {
    if (!(f >> x & 1))
      continue;
    int v = in >> x & 1;
    for (int i = 0; i < n->edges; i++) {
      const tiler_edge *e = &n->edge[i];
      if (e->to != x || e->access->in_step || !(f >> e->from & 1))
        continue;
      int s = stage[e->from];
      if ((in >> e->from & 1) && (in >> x & 1))
        s += (n->has[e->from] >> cls & 1) && !(e->aligned >> cls & 1) ? 2 : 0;
      else
        s += (in >> e->from & 1) != (in >> x & 1);
      v = s > v ? s : v;
    }
    if ((v & 1) != (int)(in >> x & 1))
      v++;
    stage[x] = v;
    most = v > most ? v : most;
  }
  return most;
}

static bool build(tiler_tree *t, int node, uint32_t f, int depth)
{
  const tiler_plan *p = t->plan;
  int stage[TILER_STATEMENTS] = { 0 };
  uint32_t direct = 0, in = depth < p->loops ? taken_in(t->n, p, f, depth, &direct) : 0;
  bool beside = depth < p->loops && (p->beside >> depth & 1);
  if (beside) {
    if (!direct)
      return build(t, node, f, depth + 1);
    in = direct;
  }
  if (!in)
    return add_leaves(t, node, f);
  int most = stages(t->n, f, in, p->loop[depth].cls, stage);
  for (int v = 0; v <= most; v++) {
    uint32_t g = 0;
    for (int x = 0; x < t->n->n; x++)
      if ((f >> x & 1) && stage[x] == v)
        g |= 1u << x;
    if (!g)
      continue;
    if (v & 1) {
      int inner = add_node(t, node, p->loop[depth].cls, p->loop[depth].block);
      if (inner < 0 || !add_kid(t, node, false, inner) || !build(t, inner, g, depth + 1))
        return false;
    } else if (!(beside ? build(t, node, g, depth + 1) : add_leaves(t, node, g)))
      return false;
  }
  return true;
}

/* Nested chains are walked in their order: a loop over an inner one never outside an outer one. */
static bool chains_in_order(tiler_tree *t, int x)
{
  const tiler_statement *s = tiler_at(t->n, x);
  int at = 0;
  for (int d = 0; d < t->plan->loops && s->chains > 1; d++) {
    int c = t->plan->loop[d].cls, k = 0;
    if (!(t->n->chain[x] >> c & 1))
      continue;
    while (t->n->of[x][s->chain[k]] != c)
      k++;
    if (k != at)
      return false;
    at += !t->plan->loop[d].block;
  }
  return true;
}

/* A stored array is under loops of its own classes only: else an element would be stored twice. */
static bool stored_once(const tiler_tree *t, int x)
{
  for (int k = t->leaf[x]; t->node[k].cls >= 0; k = t->node[k].parent)
    if (!(t->n->has[x] >> t->node[k].cls & 1))
      return false;
  return true;
}

int tiler_kid_with(const tiler_tree *t, int node, int place)
{
  int k = t->leaf[place], under = -1;
  while (k != node) {
    under = k;
    k = t->node[k].parent;
  }
  const tiler_node *n = &t->node[node];
  for (int i = 0; i < n->kids; i++)
    if (under < 0 ? n->kid[i].leaf && n->kid[i].what == place : !n->kid[i].leaf && n->kid[i].what == under)
      return i;
  return -1;
}

/* ---- where operands are loaded ---- */

/* Classes along which the boxes of an operand overlap or are the same, those of windows and tables: going in past such
   a loop costs something. */
static uint32_t overlaps(const tiler_group *g)
{
  uint32_t set = 0;
  for (int q = 0; q < g->rank; q++)
    set |= g->vars[q];
  for (int q = 0; q < g->rank; q++)
    for (int k = 0; k < g->lo[q].n && (g->kind[q] == CDAG_RANGE || (g->kind[q] == CDAG_AT && g->lo[q].n > 1)); k++)
      set |= 1u << g->lo[q].cls[k];
  return set;
}

/* Places on the way to a leaf that no other beats: going in past a loop the operand depends on costs nothing and needs
   less room, unless its boxes overlap; going out past one it does not depend on costs less and needs no more.
   Innermost first. */
static int candidates(const tiler_tree *t, int leaf, uint32_t rel, uint32_t overlap, int8_t *out)
{
  int n = 0, below = -1;
  for (int k = leaf; k >= 0; below = k, k = t->node[k].parent) {
    bool into = t->node[k].cls < 0 || (rel >> t->node[k].cls & 1);
    bool outof = below < 0 || !((rel & ~overlap) >> t->node[below].cls & 1);
    if (into && outof)
      out[n++] = (int8_t)k;
  }
  return n;
}

static void choose_homes(tiler_tree *t)
{
  for (int g = 0; g < t->n->groups; g++) {
    const tiler_group *group = &t->n->group[g];
    int8_t found[TILER_DEPTH + TILER_LOOPS];
    t->choices[g] = 1;
    for (int x = 0; x < t->n->n; x++) {
      if (!(group->readers >> x & 1))
        continue;
      int n = candidates(t, t->leaf[x], group->rel, overlaps(group), found), k = t->plan->home[g];
      t->choices[g] = n > t->choices[g] ? n : t->choices[g];
      t->home[g][x] = found[k < n ? k : n - 1];
    }
    for (int x = 0; x < t->n->n; x++) /* one copy serves a reader below it */
      for (int y = 0; y < t->n->n; y++)
        if ((group->readers >> x & 1) && (group->readers >> y & 1) && tiler_above(t, t->home[g][y], t->leaf[x]) &&
            t->node[t->home[g][y]].depth < t->node[t->home[g][x]].depth)
          t->home[g][x] = t->home[g][y];
  }
}

/* ---- a leaf taken by single values, so that an operand comes word by word ---- */

static bool wholly_own(const tiler_tree *t, int g, int x, int node)
{
  if (!(t->n->group[g].readers >> x & 1) || t->home[g][x] != node)
    return false;
  for (int y = 0; y < t->n->n; y++)
    if (y != x && (t->n->group[g].readers >> y & 1) && t->home[g][y] == node)
      return false;
  return true;
}

/* Words that stand on chip at once for the operands of the leaf alone, if these classes are taken singly. */
static double transient(const tiler_tree *t, int x, int node, uint32_t single)
{
  double sum = 0;
  for (int g = 0; g < t->n->groups; g++) {
    if (!wholly_own(t, g, x, node))
      continue;
    double z = 1;
    for (int c = 0; c < t->n->classes; c++)
      if ((t->n->group[g].rel >> c & 1) && !((t->node[node].single | single) >> c & 1))
        z *= t->node[node].blocked >> c & 1 ? 64 : (double)t->n->cls[c].extent;
    sum += z;
  }
  return sum;
}

typedef struct {
  uint32_t set[TILER_CLASSES + 2];
  int order[TILER_CLASSES + 2][2];
  double words[TILER_CLASSES + 2];
  int n;
} ways;

static bool in_chain_order(const tiler_nest *n, int x, uint32_t set, uint32_t free)
{
  const tiler_statement *s = tiler_at(n, x);
  bool gap = false;
  for (int c = 0; c < s->chains; c++) {
    uint32_t bit = 1u << n->of[x][s->chain[c]];
    if (!(free & bit))
      continue;
    if ((set & bit) && gap)
      return false;
    gap |= !(set & bit);
  }
  return true;
}

static void add_way(const tiler_tree *t, ways *w, int x, int node, uint32_t set, uint32_t free)
{
  if (!in_chain_order(t->n, x, set, free))
    return;
  double words = transient(t, x, node, set);
  int i = w->n++;
  for (; i > 0 && w->words[i - 1] > words; i--) {
    w->set[i] = w->set[i - 1];
    w->words[i] = w->words[i - 1];
  }
  w->set[i] = set;
  w->words[i] = words;
}

static void find_ways(const tiler_tree *t, int x, ways *w)
{
  int node = t->leaf[x], any = 0;
  uint32_t free = t->n->has[x] & ~t->node[node].single, common = free;
  w->n = 0;
  for (int g = 0; g < t->n->groups; g++)
    if (wholly_own(t, g, x, node)) {
      any++;
      common &= t->n->group[g].rel;
    }
  if (!any || !free)
    return;
  add_way(t, w, x, node, 0, free);
  for (int c = 0; c < t->n->classes; c++)
    if ((free >> c & 1) && t->n->cls[c].extent > 1)
      add_way(t, w, x, node, 1u << c, free);
  if (__builtin_popcount(common) == 2)
    add_way(t, w, x, node, common, free);
}

static bool take_singly(tiler_tree *t, int x)
{
  ways w;
  find_ways(t, x, &w);
  t->ways[x] = w.n;
  if (w.n == 0)
    return true;
  int k = t->plan->single[x] < w.n ? t->plan->single[x] : w.n - 1, node = t->leaf[x], at = tiler_kid_with(t, node, x),
      in = node;
  uint32_t set = w.set[k];
  for (int c = 0; c < t->n->classes; c++) {
    if (!(set >> c & 1))
      continue;
    int inner = add_node(t, in, c, false);
    if (inner < 0)
      return false;
    if (in == node)
      t->node[in].kid[at] = (tiler_kid){ false, inner, -1, -1 };
    else
      add_kid(t, in, false, inner);
    in = inner;
  }
  if (in == node)
    return true;
  for (int g = 0; g < t->n->groups; g++) {
    if (!wholly_own(t, g, x, node))
      continue;
    int8_t found[TILER_DEPTH + TILER_LOOPS];
    int n = candidates(t, in, t->n->group[g].rel, 0, found);
    t->home[g][x] = (int8_t)node;
    for (int i = n - 1; i >= 0; i--)
      if (t->node[found[i]].depth >= t->node[node].depth)
        t->home[g][x] = found[i];
  }
  return add_kid(t, in, true, x);
}

/* ---- where computed elements live ---- */

static int common_node(const tiler_tree *t, int a, int b)
{
  while (a != b)
    if (t->node[a].depth >= t->node[b].depth)
      a = t->node[a].parent;
    else
      b = t->node[b].parent;
  return a;
}

static void number_leaves(tiler_tree *t, int node)
{
  for (int i = 0; i < t->node[node].kids; i++) {
    const tiler_kid *k = &t->node[node].kid[i];
    if (!k->leaf)
      number_leaves(t, k->what);
    else {
      t->rank[k->what] = t->ordered;
      t->order[t->ordered++] = k->what;
    }
  }
}

/* A reader at every step of a chain shares its single loop. */
static bool steps_shared(const tiler_tree *t, const tiler_edge *e)
{
  uint32_t steps = e->aligned & t->n->chain[e->from];
  if (e->access->kind != TILER_ALIGNED && !e->behind)
    return true;
  for (int k = t->leaf[e->from]; t->node[k].cls >= 0; k = t->node[k].parent)
    if ((steps >> t->node[k].cls & 1) && !t->node[k].block && tiler_above(t, k, t->leaf[e->to]))
      return true;
  return false;
}

static int chain_loop(const tiler_tree *t, int x) /* the outermost, or -1 */
{
  int found = -1;
  for (int k = t->leaf[x]; t->node[k].cls >= 0; k = t->node[k].parent)
    if (t->n->chain[x] >> t->node[k].cls & 1)
      found = k;
  return found;
}

/* A partial sum leaves and comes back at a place inside the chain's loop. */
static int spill_node(const tiler_tree *t, int x, int loop)
{
  int8_t found[TILER_DEPTH + TILER_LOOPS];
  int n = candidates(t, t->leaf[x], t->n->has[x] & ~t->n->chain[x], 0, found), first = -1, lastk = -1;
  for (int i = 0; i < n; i++)
    if (t->node[found[i]].depth >= t->node[loop].depth) {
      first = first < 0 ? found[i] : first;
      lastk = found[i];
    }
  return t->plan->spill_deep ? first : lastk;
}

/* Have all its sums there the first step in one block, or no first value?  (And likewise the last step, which is
   stored.) */
static bool starts_together(const tiler_nest *n, int x, const tiler_node *at)
{
  bool begun = false, shared = false;
  for (int i = 0; i < n->inits; i++) {
    begun = begun || n->init[i].first == x;
    shared = shared || (n->init[i].first == x && n->init[i].access->shared);
  }
  return !shared && (!begun || tiler_start_needs(n, x, at) < 0);
}

static bool live_place(tiler_tree *t, int x)
{
  const tiler_nest *n = t->n;
  int node = t->leaf[x], loop = chain_loop(t, x);
  bool steps = false;
  t->last[x] = -1;
  for (int i = 0; i < n->edges; i++) {
    const tiler_edge *e = &n->edge[i];
    if (e->from != x)
      continue;
    if (!steps_shared(t, e))
      return refuse(t, "a reader wants every step of a chain");
    node = common_node(t, node, t->leaf[e->to]);
    if (e->access->in_step) /* the sum itself reads that element next, and takes the step's place */
      steps = true;
    else if (t->last[x] < 0 || t->rank[e->to] > t->rank[t->last[x]])
      t->last[x] = e->to;
  }
  t->spill[x] = false;
  if ((t->plan->spilled >> x & 1) && loop >= 0 && t->last[x] < 0 && !steps && tiler_at(n, x)->chains == 1) {
    int k = spill_node(t, x, loop);
    if (k >= 0 && tiler_end_needs(n, x, &t->node[k]) < 0 && starts_together(n, x, &t->node[k])) {
      node = k;
      t->spill[x] = true;
    }
  }
  if (!t->spill[x] && loop >= 0 && t->node[loop].depth <= t->node[node].depth)
    node = t->node[loop].parent;
  for (int k = t->leaf[x]; k != node; k = t->node[k].parent)
    if (!(n->has[x] >> t->node[k].cls & 1))
      return refuse(t, "computed again while it is red");
  if (t->last[x] < 0 && !steps && !(n->stored >> x & 1))
    return refuse(t, "nothing reads it");
  t->place[x] = node;
  return true;
}

bool tiler_tree_build(tiler_tree *t, const tiler_nest *n, const tiler_plan *plan)
{
  t->n = n;
  t->plan = plan;
  t->nodes = t->ops = t->ordered = 0;
  t->why = NULL;
  add_node(t, -1, -1, false);
  for (int x = 0; x < n->n; x++)
    if (!chains_in_order(t, x))
      return refuse(t, "nested chains are walked in their order");
  if (!build(t, 0, n->n == 32 ? UINT32_MAX : (1u << n->n) - 1, 0))
    return refuse(t, "too many loops");
  for (int x = 0; x < n->n; x++)
    if ((n->stored >> x & 1) && !stored_once(t, x))
      return refuse(t, "stored under a loop of another class");
  choose_homes(t);
  for (int x = 0; x < n->n; x++)
    if (!take_singly(t, x))
      return refuse(t, "too many loops");
  number_leaves(t, 0);
  for (int x = 0; x < n->n; x++)
    if (tiler_at(n, x)->joined && (n->chain[x] & t->node[t->leaf[x]].single))
      return refuse(t, "the first step reads two of what the others read one of");
  for (int x = 0; x < n->n; x++)
    if (!live_place(t, x))
      return false;
  return tiler_place(t);
}
