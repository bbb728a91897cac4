/* schedules/any/search.c -- simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) over orders.

   Moves (schedules/any/moves.h) change a window of the order.  Where recomputation is allowed, some compute an item
   again that would have to be loaded, or take such an event out; they change the program and play it afresh.

   A long order is searched in two pieces at once, the front and the back, by a thread each: a trial has to meet the
   order again before its piece ends.  Then both pieces are put together and played, and cut elsewhere.  What comes out
   does not depend on how many threads there are. */
#include "base/mem.h"
#include "schedules/any/moves.h"
#include <math.h>
#include <string.h>

/* The largest cost that is accepted this time: Metropolis's rule with the random number drawn first. */
static uint64_t accept_up_to(random_source *r, uint64_t old, double heat)
{
  return old + (uint64_t)(-log(1 - any_uniform(r)) * heat);
}

/* ---- computing again ---- */

/* Where in the order the item was last touched before place t. */
static uint32_t last_touch(const any_sim *s, uint32_t x, uint32_t t)
{
  uint32_t last = 0;
  for (uint32_t i = s->use_at[x]; s->use[i] < t; i++)
    last = s->use[i];
  return last;
}

/* A missed item that can be computed, its place in *t; or ANY_NONE. */
static uint32_t choose_missed(any_mover *v, uint32_t *t)
{
  const any_sim *s = v->s;
  for (int tries = 0; tries < 16; tries++) {
    uint32_t e = (uint32_t)random_below(v->random, s->p->events), x = s->missed[e];
    *t = s->place[e];
    if (x != ANY_NONE && s->p->event_of[x] != ANY_NONE)
      return x;
  }
  return ANY_NONE;
}

/* x, after some of what it reads: those not touched for longest, a few levels deep.  Fills list in order, false if it
 * is full. */
enum { CHAIN = 12 };
static void list_chain(any_mover *v, uint32_t x, uint32_t t, int depth, uint32_t near, uint32_t *list, uint32_t *n)
{
  const any_program *p = v->p;
  uint32_t e = p->event_of[x];
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1] && depth > 0; r++) {
    uint32_t y = p->read[r];
    if (p->event_of[y] != ANY_NONE && last_touch(v->s, y, t) + near < t)
      list_chain(v, y, t, depth - 1, near, list, n);
  }
  for (uint32_t i = 0; i < *n; i++)
    if (list[i] == x)
      return;
  if (*n < CHAIN)
    list[(*n)++] = x;
}

/* The changed program in v->other_p, its order in v->order; false if nothing came of it. */
static bool add_again(any_mover *v)
{
  uint32_t t, list[CHAIN], n = 0, x = choose_missed(v, &t), *order = v->s->order, filled = 0;
  if (x == ANY_NONE)
    return false;
  uint32_t near = 1 + (uint32_t)random_below(v->random, 2 * v->p->m);
  list_chain(v, x, t, (int)random_below(v->random, 4), near, list, &n);
  any_program_copy(v->other_p, v->p);
  memcpy(v->order, order, t * sizeof *order);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t e = any_program_again(v->other_p, list[i]);
    if (e == ANY_NONE)
      return false;
    v->order[t + filled++] = e;
  }
  memcpy(v->order + t + filled, order + t, (v->p->length - t) * sizeof *order);
  return true;
}

/* Any computation but an item's first, with the others of the stretch it stands in, sometimes. */
static bool remove_again(any_mover *v)
{
  const any_program *p = v->p;
  const any_sim *s = v->s;
  uint32_t spare = p->length, kept = 0;
  uint32_t from = (uint32_t)random_below(v->random, spare), most = 1 + (uint32_t)random_below(v->random, 3), gone = 0;
  any_program_copy(v->other_p, p);
  for (uint32_t t = 0; t < p->length; t++) {
    uint32_t e = s->order[t], w = p->write[e];
    if (t >= from && gone < most && s->use[s->use_at[w]] != t) {
      any_program_forget(v->other_p, e);
      gone++;
    } else
      v->order[kept++] = e;
  }
  return gone > 0;
}

static bool copies_exist(const any_mover *v) { return v->p->length > v->base; }

/* ---- annealing ---- */

typedef struct {
  any_program p;            /* only where recomputation is allowed */
  uint32_t *order;
  uint64_t cost;
} champion;

static void crown(const any_mover *v, champion *best)
{
  best->cost = v->s->total;
  memcpy(best->order, v->s->order, v->p->length * sizeof *best->order);
  if (v->other)
    any_program_copy(&best->p, v->p);
}

/* The trial went by decisions taken before the change; the record counts what a fresh play costs. */
static void consider(any_mover *v, champion *best)
{
  any_sim_set(v->s, v->s->order);
  if (v->s->total < best->cost)
    crown(v, best);
}

static uint64_t try_permutation(any_mover *v, uint64_t limit)
{
  uint64_t from = v->s->work, before = v->s->total;
  any_move(v);
  uint64_t cost = any_sim_try(v->s, v->a, v->b, limit);
  v->s->work += v->b - v->a + 1;
  if (cost <= limit)
    any_sim_keep(v->s, cost);
  else
    any_sim_undo(v->s, v->a, v->b, v->before);
  any_move_was_worth(v, cost < before ? before - cost : 0, v->s->work - from);
  return cost;
}

static uint64_t try_program(any_mover *v, uint64_t limit)
{
  bool changed = copies_exist(v) && random_below(v->random, 2) ? remove_again(v) : add_again(v);
  uint64_t cost = UINT64_MAX;
  v->s->work += v->p->length;
  if (changed) {
    uint64_t work = v->other->work;
    cost = any_sim_set(v->other, v->order);
    v->s->work += v->other->work - work;
  }
  if (cost <= limit) {
    any_sim *s = v->s;
    any_program *p = v->p;
    v->other->work = s->work;
    v->s = v->other;
    v->p = v->other_p;
    v->other = s;
    v->other_p = p;
  }
  return cost;
}

/* A part of a search: it cools as far as its share of the work, or of the time, goes. */
typedef struct {
  any_mover v;
  any_budget budget;        /* of the whole search */
  double begins, share;     /* of the work */
  double began;             /* clock_seconds() */
} part;

/* How far the search is, by the work done; or by the clock when that runs out sooner: so it always cools down. */
static double progress(part *k, uint64_t from)
{
  enum { SLOW_START = 4 }; /* the clock is not asked in the first quarter: caches are cold, and the numbers small */
  any_budget *budget = &k->budget;
  double done = k->begins + (double)(k->v.s->work - from) / (double)budget->work;
  if (budget->deadline > 0) {
    double now = clock_seconds();
    double passed = now < budget->deadline ? (now - k->began) / (budget->deadline - k->began) : 1;
    if (passed > done && passed * SLOW_START > 1) {
      budget->hurried = true;
      return passed;
    }
  }
  return done;
}

/* Playing afresh is worth it when as much was played since the last time.  best: NULL in a piece, which is not played
   afresh by itself. */
static void anneal(part *k, champion *best)
{
  enum { PROGRAM = 16 }; /* one move in so many changes the program */
  any_mover *v = &k->v;
  any_budget *budget = &k->budget;
  uint64_t begin = v->s->work, considered = 0, end = (uint64_t)((double)budget->work * k->share);
  double heat = budget->hot, done = 0;
  for (uint64_t i = 0; (best ? best->cost : v->s->total) > budget->target; i++) {
    if (i % 64 == 0) {
      done = progress(k, begin);
      heat = budget->hot * pow(budget->cold / budget->hot, fmin(done, 1));
    }
    if (done >= 1 || v->s->work - begin >= end)
      break;
    uint64_t limit = accept_up_to(v->random, v->s->total, heat);
    bool program = v->other && random_below(v->random, PROGRAM) == 0;
    uint64_t cost = program ? try_program(v, limit) : try_permutation(v, limit);
    budget->evaluations++;
    if (best && cost <= limit && cost < best->cost && v->s->work - considered > 4 * (uint64_t)v->p->length) {
      consider(v, best);
      considered = v->s->work;
    }
  }
}

/* ---- two pieces ---- */

enum { PIECES = 2, LONGEST = 2000000 }; /* longer ones would take much memory for little search */

typedef struct {
  part part[PIECES];
  any_sim second;
  random_source random[PIECES];
  const uint32_t *order;
  uint32_t border;
} pieces;

static void play_piece(void *context, size_t i)
{
  pieces *k = context;
  any_sim_set(k->part[i].v.s, k->order);
}

static void search_piece(void *context, size_t i)
{
  pieces *k = context;
  any_sim *s = k->part[i].v.s;
  s->from = i == 0 ? 0 : k->border;
  s->to = i == 0 ? k->border : s->p->length;
  anneal(&k->part[i], NULL);
}

/* Where the two pieces meet: near the middle, at another place in each round. */
static uint32_t choose_border(const any_sim *s, uint32_t round)
{
  uint32_t sixteenth = s->p->length / 16, border = sixteenth * (6 + round * 3 % 5);
  return border - border % s->spacing;
}

/* Both play what there is; then each searches its piece, and what there is changes. */
static void search_round(pieces *k, crew *c, uint32_t *order, champion *best, uint32_t round)
{
  any_sim *s = k->part[0].v.s;
  k->border = choose_border(s, round);
  crew_each(c, play_piece, k, PIECES);
  if (s->total < best->cost)
    crown(&k->part[0].v, best);
  crew_each(c, search_piece, k, PIECES);
  memcpy(order, s->order, k->border * sizeof *order);
  memcpy(order + k->border, k->second.order + k->border, (s->p->length - k->border) * sizeof *order);
}

/* As many as leave most of the work to the search. */
static uint32_t how_many_rounds(const any_program *p, uint64_t work)
{
  enum { MOST = 24, LEAST = 2, EACH = 400 };
  uint64_t rounds = work / EACH / (p->length + 1ull);
  return rounds < LEAST ? LEAST : rounds < MOST ? (uint32_t)rounds : MOST;
}

static void begin_pieces(pieces *k, const part *whole)
{
  any_sim_init(&k->second, whole->v.p);
  k->second.dirty_weight = whole->v.s->dirty_weight;
  for (int i = 0; i < PIECES; i++) {
    k->part[i] = *whole;
    k->random[i].state = random_next(whole->v.random);
    k->part[i].v.random = &k->random[i];
    k->part[i].v.s = i ? &k->second : whole->v.s;
    any_mover_init(&k->part[i].v);
  }
}

static void search_pieces(const part *whole, any_budget *budget, champion *best)
{
  const any_program *p = whole->v.p;
  uint32_t *order = MEM_NEW(uint32_t, p->length), rounds = how_many_rounds(p, budget->work);
  pieces k = { .order = order };
  bool over = false;
  memcpy(order, best->order, p->length * sizeof *order);
  begin_pieces(&k, whole);
  for (uint32_t r = 0; r < rounds && best->cost > budget->target && !over; r++) {
    for (int i = 0; i < PIECES; i++) {
      k.part[i].begins = (double)r / rounds;
      k.part[i].share = 1.0 / rounds;
    }
    search_round(&k, budget->crew, order, best, r);
    over = budget->deadline > 0 && clock_seconds() >= budget->deadline;
  }
  if (any_sim_set(whole->v.s, order) < best->cost)
    crown(&k.part[0].v, best);
  for (int i = 0; i < PIECES; i++) {
    budget->evaluations += k.part[i].budget.evaluations;
    budget->hurried |= k.part[i].budget.hurried;
    any_mover_clear(&k.part[i].v);
  }
  any_sim_clear(&k.second);
  mem_free(order);
}

/* ---- one piece ---- */

static void search_whole(part *k, any_budget *budget, champion *best)
{
  any_sim *s = k->v.s, other = { 0 };
  any_program *p = k->v.p, other_p = { 0 };
  pebble_rules rules = { p->sliding ? PEBBLE_SLIDING : PEBBLE_PLACING, false, p->m };
  any_mover_init(&k->v);
  if (s->recompute) {
    any_program_init(&other_p, p->g, &rules);
    any_program_init(&best->p, p->g, &rules);
    any_sim_init(&other, &other_p);
    k->v.other = &other;
    k->v.other_p = &other_p;
  }
  crown(&k->v, best);
  anneal(k, best);
  consider(&k->v, best);
  budget->evaluations += k->budget.evaluations;
  budget->hurried |= k->budget.hurried;
  any_mover_clear(&k->v);
  if (!s->recompute)
    return;
  any_program_copy(p, &best->p);
  any_sim_clear(&other);
  any_program_clear(&other_p);
  any_program_clear(&best->p);
}

void any_search(any_sim *s, any_program *p, random_source *random, any_budget *budget)
{
  enum { PLENTY = 100000 };
  bool in_pieces = !s->recompute && p->length >= ANY_SHARED && p->length <= LONGEST;
  part whole = { .budget = *budget, .share = 1, .began = clock_seconds() };
  whole.v = (any_mover){ .s = s, .p = p, .random = random, .scarce = budget->work / PLENTY < p->length };
  whole.budget.evaluations = 0;
  if (p->length < 2)
    return;
  champion best = { .order = MEM_NEW(uint32_t, p->room_events), .cost = s->total };
  memcpy(best.order, s->order, p->length * sizeof *best.order);
  if (in_pieces)
    search_pieces(&whole, budget, &best);
  else
    search_whole(&whole, budget, &best);
  any_sim_set(s, best.order);
  mem_free(best.order);
}
