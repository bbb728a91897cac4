#include "schedules/tiler/nests/search.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SEEN = 1 << 8, SEEN = 1 << 16, MOST_TREES = 60000, BASES = 400, FEW_BASES = 8, SHARE = 10 };

/* ---- one nest ---- */

typedef struct {
  double io;
  tiler_plan plan;
  const tiler_nest *nest;
  int choices[TILER_GROUPS];
  int ways[TILER_STATEMENTS];
} base;

typedef struct { uint64_t key; double io; } answer; /* the key of a polynomial; 0: none */

typedef struct {
  tiler_search *x;
  tiler_solved *out;
  answer *seen;                /* by keys; a power of two of places, half of them free */
  int room, filled;
  base *bases;                 /* the best orders of loops, at most so many */
  int n_bases, most_bases;
  tiler_tree *t;
  tiler_cost *c;
} hunt;

/* The slot of a key, new or old. */
static answer *slot_of(const hunt *h, uint64_t key)
{
  int i = (int)(key >> 40 & (uint64_t)(h->room - 1));
  while (h->seen[i].key && h->seen[i].key != key)
    i = (i + 1) & (h->room - 1);
  return &h->seen[i];
}

static void make_room(hunt *h)
{
  answer *old = h->seen;
  int had = h->room;
  h->room = had ? 2 * had : FIRST_SEEN;
  h->seen = MEM_NEW(answer, (size_t)h->room);
  for (int i = 0; i < had; i++)
    if (old[i].key)
      *slot_of(h, old[i].key) = old[i];
  mem_free(old);
}

static int weight_of(const tiler_tree *t) { return 3 * t->nodes + t->ops; }

static bool is_better(const hunt *h, const tiler_lengths *b, int weight, const tiler_candidate *than)
{
  if (b->io != than->b.io)
    return b->io < than->b.io;
  return h->x->lean && b->peak != than->b.peak ? b->peak < than->b.peak : weight < than->weight;
}

static void keep(hunt *h, const tiler_nest *n, const tiler_plan *p, const tiler_lengths *b)
{
  tiler_solved *o = h->out;
  int w = weight_of(h->t), i = o->n < TILER_BEST ? o->n++ : TILER_BEST - 1;
  for (; i > 0 && is_better(h, b, w, &o->best[i - 1]); i--)
    o->best[i] = o->best[i - 1];
  o->best[i] = (tiler_candidate){ .plan = *p, .nest = n, .lengths = h->c->lengths, .b = *b, .weight = w };
  memcpy(o->best[i].cls, h->c->cls, sizeof h->c->cls);
}

/* The least I/O of a plan; INFINITY when it leads to no legal order or does not fit. */
static double try_plan(hunt *h, const tiler_nest *n, const tiler_plan *p)
{
  tiler_lengths b;
  h->out->trees++;
  if (!tiler_tree_build(h->t, n, p) || !tiler_cost_of(h->c, h->t))
    return INFINITY;
  if (2 * h->filled == h->room && h->room < SEEN)
    make_room(h);
  uint64_t key = h->c->key + (h->c->key == 0);
  answer *a = slot_of(h, key);
  if (a->key)
    return a->io;
  if (2 * h->filled < h->room) {
    a->key = key;
    h->filled++;
  }
  h->out->distinct++;
  a->io = tiler_cost_floor(h->c, h->x->m);
  const tiler_candidate *last = h->out->n == TILER_BEST ? &h->out->best[TILER_BEST - 1] : NULL;
  double worst = last ? last->b.io : INFINITY;
  if (a->io > worst || !isfinite(a->io) || !tiler_cost_solve(h->c, h->x->m, &b))
    return a->io;
  a->io = b.io;
  if (!last || is_better(h, &b, weight_of(h->t), last))
    keep(h, n, p, &b);
  return b.io;
}

/* All combinations of places for the operands when they are few; else one operand at a time, from the innermost and the
 * outermost. */
static double try_places(hunt *h, const tiler_nest *n, tiler_plan *p, const int *choices)
{
  double best = INFINITY;
  int all = 1;
  for (int g = 0; g < n->groups && all <= 16; g++)
    all *= choices[g];
  memset(p->home, 0, sizeof p->home);
  if (all <= 16) {
    for (int k = 0; k < all; k++) {
      for (int g = 0, rest = k; g < n->groups; rest /= choices[g++])
        p->home[g] = (uint8_t)(rest % choices[g]);
      best = fmin(best, try_plan(h, n, p));
    }
    return best;
  }
  for (int start = 0; start < 2; start++) {
    for (int g = 0; g < n->groups; g++)
      p->home[g] = (uint8_t)(start ? choices[g] - 1 : 0);
    double now = try_plan(h, n, p);
    bool moved = true;
    for (int round = 0; round < 3 && moved; round++) {
      moved = false;
      for (int g = 0; g < n->groups; g++)
        for (int k = 0; k < choices[g]; k++) {
          uint8_t old = p->home[g];
          if (k == old)
            continue;
          p->home[g] = (uint8_t)k;
          double v = try_plan(h, n, p);
          if (v < now) {
            now = v;
            moved = true;
          } else
            p->home[g] = old;
        }
    }
    best = fmin(best, now);
  }
  return best;
}

static void note_base(hunt *h, double io, const tiler_plan *p, const tiler_nest *n, const int *choices, const int *ways)
{
  bool full = h->n_bases == h->most_bases;
  if (full && h->bases[h->n_bases - 1].io <= io)
    return;
  int i = full ? h->n_bases - 1 : h->n_bases++;
  for (; i > 0 && h->bases[i - 1].io > io; i--)
    h->bases[i] = h->bases[i - 1];
  h->bases[i] = (base){ .io = io, .plan = *p, .nest = n };
  memcpy(h->bases[i].choices, choices, sizeof h->bases[i].choices);
  memcpy(h->bases[i].ways, ways, sizeof h->bases[i].ways);
}

static bool enough(const hunt *h)
{
  uint64_t all = h->x->most_trees, most = all ? all / SHARE : MOST_TREES;
  return h->out->trees > most || (all && h->x->trees + h->out->trees > all) ||
         (h->x->late && h->x->late(h->x->context));
}

/* One order of loops: with statements beside or inside, partial sums kept or not, operands here or there. */
static void try_loops(hunt *h, const tiler_nest *n, tiler_plan *p)
{
  uint32_t may = tiler_may_stand_beside(n, p), accumulated = 0;
  for (int x = 0; x < n->n; x++)
    if ((n->stored >> x & 1) && tiler_at(n, x)->chains == 1 && !tiler_at(n, x)->stays)
      accumulated |= 1u << x;
  for (uint32_t set = 0;; set = (set - may) & may) {
    bool plain = set == 0 || set == may || (set & (set - 1)) == 0;
    if (plain && !((h->x->one_shot || h->x->apart) && set != may))
      for (int spill = 0; spill < (accumulated ? 3 : 1); spill++) {
        p->beside = set;
        p->spilled = spill ? accumulated : 0;
        p->spill_deep = spill == 1;
        memset(p->home, 0, sizeof p->home);
        memset(p->single, 0, sizeof p->single);
        h->t->ops = 0;
        bool good = tiler_tree_build(h->t, n, p);
        if (!good) { /* leaves as boxes may do */
          memset(p->single, UINT8_MAX, sizeof p->single);
          good = tiler_tree_build(h->t, n, p);
        }
        if (!good) {
          h->out->trees++;
          continue;
        }
        int choices[TILER_GROUPS], ways[TILER_STATEMENTS];
        memcpy(choices, h->t->choices, sizeof choices);
        memcpy(ways, h->t->ways, sizeof ways);
        note_base(h, try_places(h, n, p, choices), p, n, choices, ways);
      }
    if (set == may)
      break;
  }
}

typedef struct { int block[TILER_CLASSES], blocks, single[TILER_CLASSES], singles, most_blocks; } menu;

static bool walks(const tiler_plan *p, int cls)
{
  for (int d = 0; d < p->loops; d++)
    if (p->loop[d].cls == cls && !p->loop[d].block)
      return true;
  return false;
}

/* A loop over single values of a class, inside those over the chains that it is nested in: false when there are too
   many. */
static bool push_single(const tiler_nest *n, int cls, tiler_plan *p)
{
  uint32_t outside = 0;
  for (int x = 0; x < n->n; x++)
    for (int k = 1, r = 0; k < tiler_at(n, x)->chains; k++)
      for (r = 0; n->of[x][tiler_at(n, x)->chain[k]] == cls && r < k; r++)
        outside |= 1u << n->of[x][tiler_at(n, x)->chain[r]];
  for (int x = 0; x < n->n; x++)
    for (int k = 0; k < tiler_at(n, x)->chains; k++) {
      int c = n->of[x][tiler_at(n, x)->chain[k]];
      if (!(outside >> c & 1) || walks(p, c) || n->cls[c].extent <= 1)
        continue;
      if (p->loops == TILER_LOOPS)
        return false;
      p->loop[p->loops].cls = c;
      p->loop[p->loops++].block = false;
    }
  if (p->loops == TILER_LOOPS)
    return false;
  p->loop[p->loops].cls = cls;
  p->loop[p->loops++].block = false;
  return true;
}

static void choose_singles(hunt *h, const tiler_nest *n, const menu *m, tiler_plan *p, int left)
{
  if (enough(h))
    return;
  try_loops(h, n, p);
  for (int i = 0; i < m->singles && left > 0; i++) {
    int loops = p->loops;
    if (walks(p, m->single[i]))
      continue;
    if (push_single(n, m->single[i], p))
      choose_singles(h, n, m, p, left - 1);
    p->loops = loops;
  }
}

/* Exactly so many blocks, so that the simplest come first. */
static void choose_blocks(hunt *h, const tiler_nest *n, const menu *m, tiler_plan *p, int left)
{
  if (left == 0) {
    choose_singles(h, n, m, p, 2);
    return;
  }
  for (int i = 0; i < m->blocks; i++) {
    bool used = false;
    for (int d = 0; d < p->loops; d++)
      used |= p->loop[d].cls == m->block[i];
    if (used)
      continue;
    p->loop[p->loops].cls = m->block[i];
    p->loop[p->loops++].block = true;
    choose_blocks(h, n, m, p, left - 1);
    p->loops--;
  }
}

static int users(const tiler_nest *n, int c)
{
  int k = 0;
  for (int x = 0; x < n->n; x++)
    k += n->has[x] >> c & 1;
  return k;
}

static bool sums_along(const tiler_nest *n, int c)
{
  bool any = false;
  for (int x = 0; x < n->n; x++)
    any = any || (n->chain[x] >> c & 1);
  return any;
}

static void make_menu(const tiler_nest *n, menu *m)
{
  int many = 0;
  *m = (menu){ 0 };
  for (int c = 0; c < n->classes; c++)
    many += n->cls[c].extent > 1 && !(n->fixed >> c & 1);
  for (int c = 0; c < n->classes; c++) {
    int64_t e = n->cls[c].extent;
    bool shared = n->n == 1 || users(n, c) > 1 || e > 4096;
    if (e <= 1 || (n->fixed >> c & 1))
      continue;
    if (many <= 4 || (shared && e > 4))
      m->block[m->blocks++] = c;
    if (many <= 4 || ((n->n == 1 || shared || sums_along(n, c)) && (many == 5 || e > 4)))
      m->single[m->singles++] = c;
  }
  m->most_blocks = m->blocks <= 4 || n->n == 1 ? 3 : 2;
}

static bool same_classes(const tiler_nest *a, const tiler_nest *b) { return memcmp(a->of, b->of, sizeof a->of) == 0; }

static void vary_singles(hunt *h)
{
  for (int i = 0; i < h->n_bases; i++) {
    base b = h->bases[i];
    for (int x = 0; x < b.nest->n && isfinite(b.io); x++)
      for (int k = 1; k < b.ways[x] && (b.nest->n == 1 || k < 3); k++) {
        memset(b.plan.single, 0, sizeof b.plan.single);
        b.plan.single[x] = (uint8_t)k;
        try_places(h, b.nest, &b.plan, b.choices);
      }
  }
}

static void solve_nest(tiler_search *x, tiler_solved *o)
{
  hunt h = { .x = x,
             .out = o,
             .most_bases = o->nest[0] && o->nest[0]->n > 1 ? FEW_BASES : BASES,
             .t = MEM_NEW(tiler_tree, 1),
             .c = MEM_NEW(tiler_cost, 1) };
  h.bases = MEM_NEW(base, (size_t)h.most_bases);
  make_room(&h);
  for (int k = 0; k < 2; k++) {
    const tiler_nest *n = o->nest[k];
    menu m;
    if (!n || (k == 1 && o->nest[0] && same_classes(n, o->nest[0])))
      continue;
    make_menu(n, &m);
    for (int blocks = 0; blocks <= m.most_blocks && blocks <= m.blocks; blocks++) {
      tiler_plan p = { 0 };
      choose_blocks(&h, n, &m, &p, blocks);
    }
  }
  if (o->nest[0])
    vary_singles(&h);
  x->all = x->all && o->trees <= MOST_TREES;
  x->trees += o->trees;
  x->distinct += o->distinct;
  mem_free(h.seen);
  mem_free(h.bases);
  mem_free(h.t);
  mem_free(h.c);
}

bool tiler_candidate_fit(tiler_candidate *c, double m)
{
  tiler_tree *t = MEM_NEW(tiler_tree, 1);
  tiler_cost *cost = MEM_NEW(tiler_cost, 1);
  bool good = tiler_tree_build(t, c->nest, &c->plan) && tiler_cost_of(cost, t) && tiler_cost_solve(cost, m, &c->b);
  mem_free(t);
  mem_free(cost);
  return good;
}

/* ---- nests, each once ---- */

static tiler_nest *make_nest(const tiler_search *x, uint64_t statements, uint64_t stored, bool along)
{
  int list[64], n = 0;
  uint32_t places = 0;
  for (int k = 0; k < x->s->n; k++)
    if (statements >> k & 1) {
      if (n < 32 && (stored >> k & 1))
        places |= 1u << n;
      list[n++] = x->s->order[k];
    }
  return tiler_nest_new(x->s, list, n, places, along);
}

/* Do reads of computed arrays leave the statements in one piece? */
static bool in_pieces(const tiler_nest *n)
{
  uint32_t piece = 1, before = 0;
  while (piece != before) {
    before = piece;
    for (int i = 0; i < n->edges; i++)
      if ((piece >> n->edge[i].from & 1) || (piece >> n->edge[i].to & 1))
        piece |= 1u << n->edge[i].from | 1u << n->edge[i].to;
  }
  return piece != (n->n == 32 ? UINT32_MAX : (1u << n->n) - 1);
}

static tiler_solved *add_solved(tiler_search *x, uint64_t statements, uint64_t stored)
{
  tiler_solved *o = MEM_NEW(tiler_solved, 1);
  x->solved = mem_room(x->solved, (size_t)x->n, &x->room, sizeof *x->solved);
  x->solved[x->n++] = o;
  o->statements = statements;
  o->stored = stored;
  return o;
}

static const tiler_solved *solve(tiler_search *x, uint64_t statements, uint64_t stored)
{
  for (int i = 0; i < x->n; i++)
    if (x->solved[i]->statements == statements && x->solved[i]->stored == stored)
      return x->solved[i];
  tiler_solved *o = add_solved(x, statements, stored);
  o->nest[0] = make_nest(x, statements, stored, false);
  if (o->nest[0] && (in_pieces(o->nest[0]) || o->nest[0]->n <= 3))
    o->nest[1] = make_nest(x, statements, stored, true);
  solve_nest(x, o);
  return o;
}

/* ---- divisions: what is stored, and which stored arrays share a nest ---- */

typedef struct {
  tiler_search *x;
  int n;                       /* statements */
  uint64_t reads[64], outputs, stored;
  int list[64], many;          /* stored or output, in order */
  int group[64], groups;
  double words;                /* stored and loaded once each */
  bool wide;                   /* divisions count that are none of the best */
  double least;                /* the I/O of the best of one set */
} divider;

static uint64_t closure(const divider *d, uint64_t goals)
{
  uint64_t f = 0, todo = goals;
  while (todo) {
    int k = __builtin_ctzll(todo);
    todo &= todo - 1;
    if (f >> k & 1)
      continue;
    f |= 1ull << k;
    todo |= d->reads[k] & (~d->stored | goals) & ~f;
  }
  return f;
}

/* The nests in an order in which each finds stored what it reads; false when there is none, or a stored array stays
 * unread. */
static bool order_nests(const divider *d, const uint64_t *goal, const uint64_t *f, int *order)
{
  uint64_t done = 0, read = 0;
  bool used[64] = { 0 };
  for (int i = 0; i < d->groups; i++) {
    uint64_t reads = 0;
    for (int k = 0; k < d->n; k++)
      if (f[i] >> k & 1)
        reads |= d->reads[k];
    read |= reads & ~f[i];
  }
  if (d->stored & ~d->outputs & ~read)
    return false;
  for (int at = 0; at < d->groups; at++) {
    int pick = -1;
    for (int i = 0; i < d->groups && pick < 0; i++) {
      uint64_t need = 0;
      for (int k = 0; k < d->n; k++)
        if (f[i] >> k & 1)
          need |= d->reads[k];
      if (!used[i] && !(need & ~f[i] & ~done))
        pick = i;
    }
    if (pick < 0)
      return false;
    used[pick] = true;
    done |= goal[pick];
    order[at] = pick;
  }
  return true;
}

static void take_division(tiler_search *x, const tiler_division *v)
{
  int i = x->best < TILER_PLANS ? x->best++ : TILER_PLANS - 1;
  if (i == TILER_PLANS - 1 && x->best == TILER_PLANS && x->division[i].nests && x->division[i].io <= v->io)
    return;
  for (; i > 0 && x->division[i - 1].io > v->io; i--)
    x->division[i] = x->division[i - 1];
  x->division[i] = *v;
}

double tiler_words_of(const tiler_shape *shape, int array)
{
  const tiler_statement *s = &shape->s[array];
  double z = 1;
  uint32_t chains = 0;
  for (int c = 0; c < s->chains; c++)
    chains |= 1u << s->chain[c];
  for (int r = 0; r < s->rank; r++) {
    double own = (double)(s->most[r] - s->least[r]);
    for (int q = 0; q < r; q++) {
      int64_t width = chains >> q & 1 ? 0 : tiler_band_width(s, r, q);
      own = width ? fmin(own, (double)width) : own;
    }
    if (!(chains >> r & 1) && !s->value[r])
      z *= own;
  }
  return z;
}

static double words_of(const tiler_search *x, int k) { return tiler_words_of(x->s, x->s->order[k]); }

/* What a nest reads and stores once: it moves no less, unless it reads part of an array. */
static double words_once(const tiler_search *x, uint64_t statements, uint64_t stored)
{
  bool *seen = MEM_NEW(bool, (size_t)x->s->g->arrays);
  double words = 0;
  for (int k = 0; k < x->s->n; k++) {
    seen[x->s->order[k]] = statements >> k & 1;
    words += stored >> k & 1 ? words_of(x, k) : 0;
  }
  for (int k = 0; k < x->s->n; k++)
    for (int i = 0; (statements >> k & 1) && i < x->s->s[x->s->order[k]].accesses; i++) {
      int a = x->s->s[x->s->order[k]].access[i].array;
      words += seen[a] ? 0 : tiler_words_of(x->s, a);
      seen[a] = true;
    }
  mem_free(seen);
  return words;
}

/* Does a division move at least so much that there is nothing to look for? */
static bool is_too_much(const divider *d, const uint64_t *f, const uint64_t *goal)
{
  double words = 0;
  for (int i = 0; i < d->groups && d->x->below; i++)
    words += words_once(d->x, f[i], goal[i]);
  return words > d->x->below;
}

static bool has_sum(const tiler_search *x, uint64_t statements)
{
  bool any = false;
  for (int k = 0; k < x->s->n; k++)
    any = any || ((statements >> k & 1) && x->s->s[x->s->order[k]].chains);
  return any;
}

static void try_division(divider *d)
{
  uint64_t goal[64] = { 0 }, f[64];
  int order[64];
  tiler_division v = { .nests = d->groups };
  if (d->groups > TILER_NESTS)
    return;
  for (int i = 0; i < d->many; i++)
    goal[d->group[i]] |= 1ull << d->list[i];
  for (int i = 0; i < d->groups; i++)
    f[i] = closure(d, goal[i]);
  if (!order_nests(d, goal, f, order))
    return;
  uint64_t all = 0, again = 0;
  for (int i = 0; i < d->groups; i++) {
    again |= all & f[i];
    all |= f[i];
  }
  if ((d->x->one_shot && again) || (d->x->apart && has_sum(d->x, again)) || is_too_much(d, f, goal))
    return;
  d->x->divisions++;
  for (int i = 0; i < d->groups; i++) {
    v.nest[i] = solve(d->x, f[order[i]], goal[order[i]]);
    if (v.nest[i]->n == 0)
      return;
    v.io += v.nest[i]->best[0].b.io;
    if ((!d->wide && d->x->best == TILER_PLANS && v.io >= d->x->division[TILER_PLANS - 1].io) ||
        (d->x->below && v.io > d->x->below))
      return;
  }
  d->least = fmin(d->least, v.io);
  take_division(d->x, &v);
}

static bool late(const divider *d) { return d->x->late && d->x->late(d->x->context) && d->x->best > 0; }

/* All ways to put the goals from i on into nests. */
static void partition_goals(divider *d, int i)
{
  if (late(d))
    return;
  if (i == d->many) {
    try_division(d);
    return;
  }
  int groups = d->groups;
  for (int k = 0; k <= groups; k++) {
    d->group[i] = k;
    d->groups = groups + (k == groups);
    partition_goals(d, i + 1);
  }
  d->groups = groups;
}

static void try_stored(divider *d, uint64_t stored)
{
  enum { SMALL = 5 };
  d->stored = stored | d->outputs;
  d->many = d->groups = 0;
  for (int k = 0; k < d->n; k++)
    if (d->stored >> k & 1)
      d->list[d->many++] = k;
  if (d->many <= SMALL) {
    partition_goals(d, 0);
    return;
  }
  d->x->all = false;
  for (int i = 0; i < d->many; i++)
    d->group[i] = i;
  d->groups = d->many;
  try_division(d);
  for (int i = 0; i < d->many; i++) /* outputs that share a producer on chip, or all of them, together */
    d->group[i] = 0;
  d->groups = 1;
  try_division(d);
}

typedef struct { uint64_t set; double words; } option;

static int by_words(const void *a, const void *b)
{
  const option *x = a, *y = b;
  return x->words != y->words ? (x->words < y->words ? -1 : 1) : x->set < y->set ? -1 : 1;
}

/* Sets of at most three intermediates, and all of them, by how many words storing and loading them takes. */
static int list_options(const divider *d, option *out, int room)
{
  int inter[64], k = 0, n = 0;
  uint64_t everything = 0;
  for (int i = 0; i < d->n; i++)
    if (!(d->outputs >> i & 1)) {
      inter[k++] = i;
      everything |= 1ull << i;
    }
  out[n++] = (option){ 0, 0 };
  for (int a = 0; a < k; a++) {
    double wa = 2 * words_of(d->x, inter[a]);
    if (n < room - 1)
      out[n++] = (option){ 1ull << inter[a], wa };
    for (int b = 0; b < a; b++) {
      double wb = 2 * words_of(d->x, inter[b]);
      if (n < room - 1)
        out[n++] = (option){ 1ull << inter[a] | 1ull << inter[b], wa + wb };
      for (int c = 0; c < b && n < room - 1; c++)
        out[n++] =
            (option){ 1ull << inter[a] | 1ull << inter[b] | 1ull << inter[c], wa + wb + 2 * words_of(d->x, inter[c]) };
    }
  }
  qsort(out, (size_t)n, sizeof *out, by_words);
  if (k > 3)
    out[n++] = (option){ everything, INFINITY };
  return n;
}

static double try_set(divider *d, uint64_t stored)
{
  d->least = INFINITY;
  try_stored(d, stored);
  return d->least;
}

/* From there on: one intermediate more or less is stored, as long as less is moved. */
static void walk_sets(divider *d, uint64_t set)
{
  double now = try_set(d, set);
  bool better = true;
  while (better && !late(d)) {
    uint64_t best = set;
    for (int k = 0; k < d->n; k++) {
      uint64_t next = set ^ 1ull << k;
      if (d->outputs >> k & 1)
        continue;
      double io = try_set(d, next);
      if (io < now) {
        now = io;
        best = next;
      }
    }
    better = best != set;
    set = best;
  }
}

/* More than three: from the best set that is known, and from all of them. */
static void try_larger_sets(divider *d)
{
  enum { INTERMEDIATES = 4 };
  uint64_t all = ((d->n < 64 ? 1ull << d->n : 0) - 1) & ~d->outputs, best = 0;
  const tiler_division *v = &d->x->division[0];
  for (int i = 0; d->x->best > 0 && i < v->nests; i++)
    best |= v->nest[i]->stored;
  d->wide = true;
  if (__builtin_popcountll(all) < INTERMEDIATES)
    return;
  walk_sets(d, all);
  walk_sets(d, best & ~d->outputs);
}

void tiler_search_run(tiler_search *x)
{
  enum { OPTIONS = 400 };
  divider d = { .x = x, .n = x->s->n };
  option *o = MEM_NEW(option, OPTIONS);
  x->all = true;
  for (int k = 0; k < d.n; k++) {
    const tiler_statement *s = &x->s->s[x->s->order[k]];
    d.outputs |= (uint64_t)s->output << k;
    for (int i = 0; i < s->accesses; i++)
      for (int j = 0; j < (s->access[i].in_step ? d.n : k); j++)
        if (x->s->order[j] == s->access[i].array && !s->access[i].earlier)
          d.reads[k] |= 1ull << j;
  }
  int n = list_options(&d, o, OPTIONS);
  for (int i = 0; i < n && !late(&d); i++)
    if (x->best == 0 || (o[i].words < x->division[0].io))
      try_stored(&d, o[i].set);
  try_larger_sets(&d);
  mem_free(o);
}

static void keep_again(tiler_solved *o, const tiler_candidate *c)
{
  int i = o->n++;
  for (; i > 0 && o->best[i - 1].b.io > c->b.io; i--)
    o->best[i] = o->best[i - 1];
  o->best[i] = *c;
}

static const tiler_solved *solve_again(tiler_search *x, const tiler_solved *old)
{
  tiler_solved *o = add_solved(x, old->statements, old->stored);
  for (int along = 0; along < 2; along++)
    o->nest[along] = old->nest[along] ? make_nest(x, o->statements, o->stored, along) : NULL;
  for (int k = 0; k < old->n; k++) {
    tiler_candidate c = old->best[k];
    c.nest = o->nest[c.nest == old->nest[1]];
    if (c.nest && tiler_candidate_fit(&c, x->m))
      keep_again(o, &c);
  }
  return o;
}

bool tiler_search_again(const tiler_division *v, tiler_search *out)
{
  tiler_division *d = &out->division[0];
  *d = (tiler_division){ .nests = v->nests };
  for (int i = 0; i < v->nests; i++) {
    d->nest[i] = solve_again(out, v->nest[i]);
    if (d->nest[i]->n == 0)
      return false;
    d->io += d->nest[i]->best[0].b.io;
  }
  out->best = 1;
  return true;
}

void tiler_search_clear(tiler_search *x)
{
  for (int i = 0; i < x->n; i++) {
    tiler_nest_free(x->solved[i]->nest[0]);
    tiler_nest_free(x->solved[i]->nest[1]);
    mem_free(x->solved[i]);
  }
  mem_free(x->solved);
}
