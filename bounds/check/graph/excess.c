/* The least excess of a piece without recomputation (excess.h). */
#include "bounds/check/graph/ways.h"
#include <string.h>

typedef excess_set set;
typedef excess_piece piece;

/* ---- steps ---- */

static uint32_t cost(const set *clean, int v) { return ways_has(clean, v) ? 1 : 2; }

static void let_go(ways_position *at, int v)
{
  ways_take(&at->held, v);
  ways_take(&at->clean, v);
}

/* What no step reads after x, which is done: x among them, if it is not of the piece. */
static set last_read(const piece *p, const set *done, int x)
{
  set last = { { 0 } };
  for WAYS_EACH (v, &p->reads[x], p)
    if (ways_within(p, &p->readers[v], done))
      ways_put(&last, v);
  if (ways_within(p, &p->readers[x], done))
    ways_put(&last, x);
  return last;
}

/* Step x, what it reads held and enough given up. */
static void finish(ways *k, const ways_position *before, int x, uint32_t excess)
{
  ways_position to = *before;
  ways_put(&to.done, x);
  ways_put(&to.held, x);
  if (ways_has(&k->p->outputs, x))
    ways_put(&to.clean, x);
  set last = last_read(k->p, &to.done, x);
  for WAYS_EACH (v, &last, k->p)
    let_go(&to, v);
  ways_enter(k, &to, excess, 0);
}

/* Give up `count` more of the words from v on that x does not read, in every way. */
static void give_up(ways *k, const ways_position *before, int x, int v, int count, uint32_t excess)
{
  if (count <= 0) {
    finish(k, before, x, excess);
    return;
  }
  for (v = ways_next(k->p, &before->held, v); v < EXCESS_MEMBERS; v = ways_next(k->p, &before->held, v + 1)) {
    uint32_t then = excess + cost(&before->clean, v);
    if (ways_has(&k->p->reads[x], v) || then + (uint32_t)count - 1 >= k->limit)
      continue;
    ways_position without = *before;
    let_go(&without, v);
    give_up(k, &without, x, v + 1, count - 1, then);
  }
}

/* What x reads is held: it was given up before, or is an input, or is held already. */
static ways_position reading(const piece *p, const ways_position *from, int x)
{
  ways_position to = *from;
  for WAYS_EACH (v, &p->reads[x], p)
    if (!ways_has(&to.held, v)) {
      ways_put(&to.held, v);
      ways_put(&to.clean, v);
    }
  return to;
}

/* How many words are to be given up for step x; *takes: it takes the pebble of a word that nothing of V needs. */
static int too_many(const ways *k, const ways_position *before, int x, bool *takes)
{
  const piece *p = k->p;
  set done = before->done;
  ways_put(&done, x);
  set last = last_read(p, &done, x);
  ways_take(&last, x);
  *takes = k->sliding && (p->beside[x] > 1 || ways_next(p, &last, 0) < EXCESS_MEMBERS);
  return ways_size(p, &before->held) + p->beside[x] - *takes - k->m;
}

static void step(ways *k, const ways_position *from, int x, uint32_t excess)
{
  const piece *p = k->p;
  bool takes;
  ways_position before = reading(p, from, x);
  int count = too_many(k, &before, x, &takes);
  give_up(k, &before, x, 0, count, excess);
  if (!k->sliding || takes || count <= 0)
    return;
  for WAYS_EACH (u, &p->reads[x], p) {     /* on the pebble of a word that is read again */
    uint32_t then = excess + cost(&before.clean, u);
    ways_position without = before;
    let_go(&without, u);
    if (then < k->limit)
      give_up(k, &without, x, 0, count - 1, then);
  }
}

static bool ready(const piece *p, const ways_position *from, int x)
{
  return !ways_has(&from->done, x) && ways_within(p, &p->reads[x], &from->done);
}

/* Is nothing lost by step x now, whatever comes later?  Nothing is given up for it, what it loads it reads last, and
   its word either is not kept or costs no more than those it stands for, which it reads last. */
static bool loses_nothing(const ways *k, const ways_position *from, int x)
{
  const piece *p = k->p;
  bool takes;
  uint32_t lets = 0;
  ways_position before = reading(p, from, x);
  ways_put(&before.done, x);
  set last = last_read(p, &before.done, x);
  for WAYS_EACH (v, &p->reads[x], p)
    if (!ways_has(&from->held, v) && !ways_has(&last, v))
      return false;
    else if (ways_has(&from->held, v) && ways_has(&last, v))
      lets += cost(&from->clean, v);
  return too_many(k, &before, x, &takes) <= 0 && (ways_has(&last, x) || cost(&p->outputs, x) <= lets);
}

static void expand(ways *k, const ways_position *from, uint32_t excess)
{
  for (int x = 0; x < k->p->n; x++)
    if (ready(k->p, from, x) && loses_nothing(k, from, x)) {
      step(k, from, x, excess);
      return;
    }
  for (int x = 0; x < k->p->n; x++)
    if (ready(k->p, from, x))
      step(k, from, x, excess);
}

static bool ended(const ways *k, const ways_position *at) { return ways_size(k->p, &at->done) == k->p->n; }

excess_answer excess_least(const excess_piece *p, uint64_t m, bool sliding, uint32_t limit, uint64_t *positions,
                           uint32_t *least)
{
  ways k = { .p = p, .m = m < INT32_MAX / 2 ? (int)m : INT32_MAX / 2, .sliding = sliding,
             .expand = expand, .ended = ended };
  return ways_run(&k, &(ways_position){ .done = p->inputs }, limit, positions, least);
}

/* ---- the piece ---- */

static bool add_member(piece *p, uint32_t v, uint32_t *number)
{
  if (number[v])
    return true;
  if (p->n == EXCESS_MEMBERS)
    return false;
  p->vertex[p->n] = v;
  number[v] = (uint32_t)++p->n;
  return true;
}

static bool add_members(piece *p, const cdag_graph *g, const uint8_t *weight, const uint32_t *vertex, size_t n,
                        uint32_t *number)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  bool room = true;
  for (size_t i = 0; i < n && room; i++)
    room = add_member(p, vertex[i], number);
  p->own = p->n;
  for (int i = 0; i < p->own; i++)
    for (uint64_t e = succ->at[p->vertex[i]]; e < succ->at[p->vertex[i] + 1] && room; e++)
      room = !weight[succ->to[e]] || add_member(p, succ->to[e], number);
  return room;
}

static void connect(piece *p, const cdag_graph *g, const uint8_t *weight, const uint32_t *number, int x)
{
  uint32_t v = p->vertex[x];
  p->beside[x] = 1;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
    int u = (int)number[g->pred[e]] - 1;
    if (u >= 0 && u < p->own) {
      ways_put(&p->reads[x], u);
      ways_put(&p->readers[u], x);
    } else
      p->beside[x]++;
  }
  if (x < p->own && cdag_graph_is_input(g, v))
    ways_put(&p->inputs, x);
  else if (x < p->own && weight[v] == 1)
    ways_put(&p->outputs, x);
}

bool excess_piece_init(excess_piece *p, const cdag_graph *g, const uint8_t *weight, const uint32_t *vertex, size_t n,
                       uint32_t *number)
{
  memset(p, 0, sizeof *p);
  bool room = add_members(p, g, weight, vertex, n, number);
  for (int x = 0; x < p->n && room; x++)
    connect(p, g, weight, number, x);
  for (int x = 0; x < p->n; x++)
    number[p->vertex[x]] = 0;
  p->words = (p->n + 63) / 64;
  return room;
}

bool excess_is_component(const excess_piece *p)
{
  bool whole = p->own == p->n;
  for (int x = 0; x < p->n; x++)
    whole = whole && p->beside[x] == 1;
  return whole;
}
