/* The least excess of a whole component where words may be computed again (docs/theory-graphs.md, section 6):
   a store pays for the load that follows it, so the next load of a clean word is free. */
#include "bounds/check/graph/ways.h"

/* What leads to an output that is not in blue: nothing else is touched any more. */
static excess_set useful(const excess_piece *p, const excess_set *blue)
{
  excess_set all = { { 0 } }, open;
  for (int i = 0; i < p->words; i++)
    all.w[i] = open.w[i] = p->outputs.w[i] & ~blue->w[i];
  for (int v; (v = ways_next(p, &open, 0)) < EXCESS_MEMBERS;) {
    ways_take(&open, v);
    for (int i = 0; i < p->words; i++) {
      open.w[i] |= p->reads[v].w[i] & ~all.w[i];
      all.w[i] |= p->reads[v].w[i];
    }
  }
  return all;
}

/* Inputs that have to be loaded, and not for nothing: what is computed some time reads them.  Outputs that are not in
   blue are computed, and of what they read whatever is neither held nor in blue. */
static uint32_t loads_to_come(const excess_piece *p, const ways_position *at)
{
  excess_set must = { { 0 } }, open, read = { { 0 } };
  uint32_t loads = 0;
  for (int i = 0; i < p->words; i++)
    must.w[i] = open.w[i] = p->outputs.w[i] & ~at->done.w[i];
  for (int v; (v = ways_next(p, &open, 0)) < EXCESS_MEMBERS;) {
    ways_take(&open, v);
    for (int i = 0; i < p->words; i++) {
      read.w[i] |= p->reads[v].w[i];
      uint64_t w = p->reads[v].w[i] & ~at->held.w[i] & ~at->done.w[i] & ~must.w[i];
      open.w[i] |= w;
      must.w[i] |= w;
    }
  }
  for (int i = 0; i < p->words; i++)
    loads += (uint32_t)__builtin_popcountll(read.w[i] & p->inputs.w[i] & ~at->held.w[i] & ~at->clean.w[i]);
  return loads;
}

/* x is computed; what is of no use goes.  A store whose load never comes was wasted. */
static void finish(ways *k, const ways_position *before, int x, uint32_t excess)
{
  const excess_piece *p = k->p;
  ways_position to = *before;
  ways_put(&to.held, x);
  if (ways_has(&p->outputs, x))
    ways_put(&to.done, x);
  excess_set use = useful(p, &to.done);
  for (int i = 0; i < p->words; i++) {
    to.held.w[i] &= use.w[i];
    to.done.w[i] &= use.w[i] | p->outputs.w[i];
  }
  if (ways_within(p, &to.clean, &use))
    ways_enter(k, &to, excess, loads_to_come(p, &to));
}

/* Give up `count` words from v on, in every way: those x does not read, and at most one that it reads where it may
   take the pebble.  A word that is not in blue is stored first, or has to be computed again. */
static void give_up(ways *k, const ways_position *before, int x, int v, int count, bool slides, uint32_t excess)
{
  const excess_piece *p = k->p;
  if (count <= 0) {
    finish(k, before, x, excess);
    return;
  }
  for (v = ways_next(p, &before->held, v); v < EXCESS_MEMBERS; v = ways_next(p, &before->held, v + 1)) {
    bool read = ways_has(&p->reads[x], v);
    ways_position without = *before;
    if (read && !slides)
      continue;
    ways_take(&without.held, v);
    give_up(k, &without, x, v + 1, count - 1, slides && !read, excess);
    if (ways_has(&without.done, v) || excess + 2 >= k->limit)
      continue;
    ways_put(&without.done, v);
    ways_put(&without.clean, v);
    give_up(k, &without, x, v + 1, count - 1, slides && !read, excess + 2);
  }
}

/* What x reads is loaded where it is not held; false: something is neither held nor in blue. */
static bool load(const excess_piece *p, ways_position *at, int x, uint32_t *excess)
{
  for WAYS_EACH (v, &p->reads[x], p) {
    if (ways_has(&at->held, v))
      continue;
    if (!ways_has(&at->done, v))
      return false;
    *excess += !ways_has(&at->clean, v);
    ways_put(&at->held, v);
    ways_take(&at->clean, v);
  }
  return true;
}

static void step(ways *k, const ways_position *from, int x, uint32_t excess)
{
  ways_position before = *from;
  if (load(k->p, &before, x, &excess) && excess < k->limit)
    give_up(k, &before, x, 0, ways_size(k->p, &before.held) + 1 - k->m, k->sliding, excess);
}

/* What can be computed without a move is: more in memory is never worse. */
static void expand(ways *k, const ways_position *from, uint32_t excess)
{
  const excess_piece *p = k->p;
  excess_set use = useful(p, &from->done);
  bool room = ways_size(p, &from->held) < k->m;
  for (int i = 0; i < p->words; i++)
    use.w[i] &= ~from->held.w[i] & ~p->inputs.w[i];
  for WAYS_EACH (x, &use, p)
    if (room && ways_within(p, &p->reads[x], &from->held)) {
      step(k, from, x, excess);
      return;
    }
  for WAYS_EACH (x, &use, p)
    step(k, from, x, excess);
}

static bool ended(const ways *k, const ways_position *at) { return ways_within(k->p, &k->p->outputs, &at->done); }

excess_answer excess_again(const excess_piece *p, uint64_t m, bool sliding, uint32_t limit, uint64_t *positions,
                           uint32_t *least)
{
  ways k = { .p = p, .m = m < INT32_MAX / 2 ? (int)m : INT32_MAX / 2, .sliding = sliding,
             .expand = expand, .ended = ended };
  return ways_run(&k, &(ways_position){ .done = p->inputs, .clean = p->inputs }, limit, positions, least);
}
