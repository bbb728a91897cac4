/* pebble/optimal/chain.h -- how much a graph costs at least, by cores with one vertex more again and again.

   What plays of a core of at most some cost come by is listed from the end back; of that, what lies on the way from the
   start, forwards; and that list keeps out of the next core's most of what leads nowhere.  So a core of nearly all
   vertices has a list of few entries, and where no play of the cost is left the graph has none either: docs/optimal.md,
   13.  Included with WORDS defined. */
#include "pebble/optimal/core.h"

/* A chain begins with so little of the vertices.  The next is chosen among all for a limit below WIDE, while no more
   than MUCH was tried; then among a few, in the order in which they were taken the last time. */
enum { CHAIN_FIRST = 5, CHAIN_WIDE = 15, CHAIN_MUCH = 200000000, CHAIN_FEW = 2 };

typedef struct {
  core *at, *next, *trial;      /* where the chain is; the best core with one vertex more so far; another */
  int *order, length;   /* vertices as they were taken the last time, then those that were not needed */
  int taken;            /* so many are in `at`, beyond those begun with */
  bits first;           /* the core begun with */
  uint32_t limit;       /* no play costs less beyond what every play does */
  bool stuck;           /* some play costs that, or its lists are too long */
  uint64_t work;        /* entries tried */
} core_chain;

/* One vertex of the fewest edges after another is taken out: the last ones are the core begun with, those before come
   next. */
static inline void chain_peel(core_chain *h)
{
  const core_whole *w = &h->at->w;
  h->length = bits_count(h->first) - bits_count(h->first) / CHAIN_FIRST;
  for (int left = h->length; left > 0; left--) {
    int v, worst = -1, fewest = 0;
    for (bits t = h->first; bits_take(&t, &v);) {
      int edges = bits_count(bits_and(bits_or(w->pred[v], w->succ[v]), h->first));
      if (worst < 0 || edges < fewest)
        worst = v, fewest = edges;
    }
    h->order[left - 1] = worst;
    h->first = bits_without(h->first, worst);
  }
}

static inline core_chain *chain_new(const core_whole *w, int n, int m, const optimal_watch *watch)
{
  core_chain *h = MEM_NEW(core_chain, 1);
  *h = (core_chain){ .first = w->all, .order = MEM_NEW(int, (size_t)n) };
  h->at = core_new(w, n, m, watch);
  h->next = core_new(w, n, m, watch);
  h->trial = core_new(w, n, m, watch);
  chain_peel(h);
  return h;
}

static inline void chain_free(core_chain *h)
{
  if (!h)
    return;
  core_free(h->at);
  core_free(h->next);
  core_free(h->trial);
  mem_free(h->order);
  mem_free(h);
}

/* The core with the first `taken` vertices of the order. */
static inline bits chain_prefix(const core_chain *h, int taken)
{
  bits within = h->first;
  for (int i = 0; i < taken; i++)
    within = bits_with(within, h->order[i]);
  return within;
}

static inline void chain_swap(core **a, core **b)
{
  core *t = *a;
  *a = *b;
  *b = t;
}

/* The core with one vertex more that has the fewest entries.  False: none looked at has at most so many. */
static inline bool chain_extend(core_chain *h, uint64_t most)
{
  int best = -1, tries = h->limit < CHAIN_WIDE && h->work < CHAIN_MUCH ? h->length : CHAIN_FEW;
  uint64_t few = most + 1;
  for (int i = h->taken; i < h->length && i < h->taken + tries; i++) {
    core_take(h->trial, bits_with(h->at->within, h->order[i]));
    core_build_beyond(h->trial, h->at, h->at->limit, few - 1);
    h->work += h->trial->back.tried;
    if (h->trial->back.full)
      continue;
    best = i;
    few = h->trial->back.entries;
    chain_swap(&h->trial, &h->next);
  }
  if (best < 0)
    return false;
  int v = h->order[best];
  memmove(h->order + h->taken + 1, h->order + h->taken, (size_t)(best - h->taken) * sizeof v);
  h->order[h->taken++] = v;
  chain_swap(&h->at, &h->next);
  return true;
}

/* No play costs only h->limit beyond what every play does: true.  False: `at` holds all vertices, and what plays of
   that cost come by; or a list has more than `most` entries, or the time is over, and `at` is full. */
static inline bool chain_excludes(core_chain *h, uint64_t most)
{
  core_take(h->at, h->first);
  core_build(h->at, h->limit, most);
  h->taken = 0;
  while (!h->at->back.full && core_least(h->at) <= h->limit && h->taken < h->length) {
    core_build_there(h->at, most);
    h->work += h->at->there.tried;
    h->at->back.full = h->at->there.full || !chain_extend(h, most);
  }
  return !h->at->back.full && core_least(h->at) > h->limit;
}

/* The largest core along the chain whose entries up to `limit` are at most so many, whatever leads to them.  NULL:
   there is none, whatever the limit, or the time is over. */
static inline core *chain_plain(const core_chain *h, uint32_t limit, uint64_t most)
{
  core *c = core_new(&h->at->w, h->at->n, h->at->m, h->at->watch);
  int low = 0, high = h->length;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    core_take(c, chain_prefix(h, middle));
    core_build(c, limit, most);
    if (c->back.full)
      high = middle - 1;
    else
      low = middle;
  }
  core_take(c, chain_prefix(h, low));
  if (core_raise(c, limit, most))
    return c;
  core_free(c);
  return NULL;
}
