/* any.c -- a schedule for any graph: several orders to start from, local search from the best, the referee at the end.
 */
#include "schedules/any.h"
#include "base/mem.h"
#include "pebble/optimal.h"
#include "schedules/any/internal.h"
#include <math.h>
#include <string.h>

static const double CONES_WORK = 2e9; /* of orders by cones: twenty seconds', and all of them up to 100,000 events */

/* Work the search does at most: a few seconds' worth, the same on every machine, and less for small programs. */
static uint64_t work_for(const any_program *p)
{
  enum { MOST = 160000000, EACH = 800000 };
  return p->events < MOST / EACH ? (uint64_t)EACH * p->events : MOST;
}

typedef struct {
  any_program *p;
  any_sim s;
  uint32_t *order, *best;
  uint64_t cost;
  const char *name;
  double effort;            /* how much work the search does, beside what it does by default */
  any_taste taste;          /* the best so far, and what its order costs */
  uint64_t tasted;
  double cones;             /* work left for orders by cones */
  double play;              /* seconds that one order and its play took */
  double patience;          /* clock_seconds() until which both depth-first orders are tried in any case */
  crew *crew;
  uint32_t *ahead;          /* of long orders by cones two are made at once, and this is the second; NULL: one by one */
  bool ready;               /* it is there, made to this taste: */
  any_taste ahead_taste;
} choice;

/* c->order costs so much. */
static void offer(choice *c, const char *name, uint64_t cost)
{
  if (cost < c->cost) {
    c->cost = cost;
    c->name = name;
    memcpy(c->best, c->order, c->p->events * sizeof *c->best);
  }
}

/* How often something that plays the whole order is tried: fewer times when the order is long. */
static uint64_t several(const any_program *p, uint64_t most)
{
  uint64_t times = 2000000 / (p->events + 1ull);
  return times < 1 ? 1 : times < most ? times : most;
}

static bool time_left(double deadline) { return clock_seconds() < deadline; }

/* What to prefer differs from graph to graph: small cones for grids and FFTs, whole sums for sparse matrices, and so
 * on. */
static const any_taste tastes[] = {
  { .back = 2, .fresh = 2, .live = 2, .there = 2, .largest = 4, .depth = 0 },
  { .back = 1, .fresh = 0, .live = 8, .crowded = 2, .there = 8, .room = 4, .largest = 32, .depth = 1 },
  { .back = 2, .fresh = 2, .live = 4, .there = 1, .largest = 16, .depth = 0 },
  { .back = 4, .fresh = 2, .live = 2, .there = 1, .largest = 16, .depth = 1 },
  { .back = 1, .fresh = 2, .live = 16, .crowded = 8, .there = 16, .room = 6, .largest = 8, .depth = 1 },
  { .back = 2, .fresh = 2, .live = 1, .crowded = 16, .there = 2, .room = 5, .largest = 16, .depth = 0 },
  { .back = 2, .fresh = 1, .live = 1, .crowded = 1, .there = 16, .room = 6, .largest = 32, .depth = 1 },
  { .back = 4, .fresh = 1, .live = 2, .crowded = 1, .there = 4, .room = 6, .largest = 128, .depth = 1 },
  { .back = 2, .fresh = 1, .crowded = 16, .there = 1, .room = 6, .largest = 4, .depth = 0 },
  { .back = 2, .fresh = 1, .live = 1, .crowded = 8, .there = 1, .room = 6, .largest = 16, .depth = 1 },
  { .back = 2, .fresh = 4, .live = 16, .crowded = 16, .there = 8, .room = 2, .largest = 16, .depth = 1 },
  { .back = 2, .fresh = 2, .live = 8, .there = 2, .largest = 64, .depth = 1 },
  { .back = 2, .fresh = 2, .live = 16, .there = 1, .largest = 64, .depth = 1 },
};
enum { TASTES = sizeof tastes / sizeof *tastes, LIVES = 5 };

/* Blocks leave room for what streams past them: as many words as a square block has sides, or shares of the memory. */
static uint32_t live_words(uint32_t m, uint64_t round)
{
  uint32_t side = 1;
  while ((side + 1) * (side + 1) <= m)
    side++;
  const uint32_t lives[LIVES] = { (side - 1) * (side - 1), m / 2, m - m / 4, m / 4, m };
  return lives[round] > 0 ? lives[round] : 1;
}

/* An order woven where that saves: from the eager depth-first order, where what belongs together stands
   together; from the plain one; from the best so far. */
static bool weave_order(choice *c, uint64_t round, double deadline)
{
  enum { EACH = 2000, MOST = 100000000 };
  uint64_t work = c->p->events < MOST / EACH ? (uint64_t)EACH * c->p->events : MOST;
  bool eager = round < 2, plain = round == 2 || round == 3;
  if (round >= several(c->p, 6))
    return false;
  if (eager || plain)
    any_order_depth_first(c->p, 0, eager, c->order);
  any_sim_set(&c->s, eager || plain ? c->order : c->best);
  any_weave_sweeps(&c->s, round % 2 == 0, c->cost, (uint64_t)((double)work * fmax(0.25, c->effort)), deadline);
  memcpy(c->order, c->s.order, c->p->events * sizeof *c->order);
  return true;
}

static void change_taste(any_taste *t, uint64_t which, random_source *random)
{
  static const int weights[] = { 0, 1, 2, 4, 8, 16, 32 };
  int *weight[] = { &t->back, &t->fresh, &t->live, &t->crowded, &t->there };
  if (which < 5)
    *weight[which] = weights[random_below(random, 7)];
  else if (which == 5)
    t->room = (int)random_below(random, 9);
  else if (which == 6)
    t->largest = 4u << random_below(random, 6);
  else
    t->depth = (int)random_below(random, 2);
}

/* Behind the tastes that did well elsewhere: any taste, and the best so far with two changes, by turns. */
static any_taste some_taste(const choice *c, uint64_t seed, uint64_t round)
{
  enum { PARTS = 8 };
  random_source random = { seed * 1000003 + round };
  any_taste t = c->taste;
  if (round < TASTES)
    return tastes[round];
  for (uint64_t i = 0; i < (round % 2 ? PARTS : 2); i++)
    change_taste(&t, round % 2 ? i : random_below(&random, PARTS), &random);
  return t;
}

/* More tastes where an order is quickly made, and where more time was given. */
static uint64_t taste_rounds(const choice *c)
{
  enum { MORE = 64, EVENTS = 100000 };
  double more = (double)EVENTS / (c->p->events + 1.0);
  return TASTES + (uint64_t)(fmin(more, MORE) * c->effort);
}

static void grow_cones(void *context, size_t i) { any_cones_grow(((any_cones **)context)[i]); }

/* Of an even round, and of the next if there is one. */
static void grow_by_taste(choice *c, const any_taste *taste, uint64_t seed, uint64_t round, double deadline)
{
  any_cones *cones[2];
  size_t n = 1;
  cones[0] = any_cones_new(c->p, seed, taste, deadline, c->order);
  c->ready = c->ahead && round % 2 == 0 && round + 1 < taste_rounds(c);
  if (c->ready) {
    c->ahead_taste = some_taste(c, seed, round + 1);
    cones[n++] = any_cones_new(c->p, seed, &c->ahead_taste, deadline, c->ahead);
  }
  crew_each(c->crew, grow_cones, cones, n);
  while (n > 0)
    c->cones -= (double)any_cones_free(cones[--n]);
}

static void order_by_cones(choice *c, uint64_t seed, uint64_t round, double deadline)
{
  any_taste taste = c->ready ? c->ahead_taste : some_taste(c, seed, round);
  if (c->ready) {
    memcpy(c->order, c->ahead, c->p->events * sizeof *c->order);
    c->ready = false;
  } else
    grow_by_taste(c, &taste, seed, round, deadline);
  uint64_t cost = any_sim_set(&c->s, c->order);
  if (cost < c->tasted) {
    c->tasted = cost;
    c->taste = taste;
  }
}

/* The order of this kind for this round; its name, or NULL when there is none. */
typedef enum { DEPTH_FIRST, EAGER, CONES, WORDS, GREEDY, KINDS } kind;
static const char *make_order(choice *c, kind which, uint64_t round, uint64_t seed, double deadline)
{
  uint64_t variants = several(c->p, 6), shuffled = round ? seed * variants + round : 0;
  if (which == DEPTH_FIRST && round < variants)
    return any_order_depth_first(c->p, shuffled, false, c->order), "depth-first";
  if (which == EAGER && round < variants)
    return any_order_depth_first(c->p, shuffled, true, c->order), "depth-first, eager";
  if (which == CONES && (c->ready || c->cones > 0))
    return order_by_cones(c, seed, round, deadline), "cones";
  if (which == WORDS && round < several(c->p, LIVES) && !c->p->partial)
    return any_order_words(c->p, live_words(c->p->m, round), deadline, c->order), "words";
  if (which == GREEDY && round < variants)
    return any_order_greedy(c->p, shuffled, c->order), "greedy by live set";
  return NULL;
}

/* How long before the deadline an order should be begun: the plain ones take little more than a play each. */
static bool in_time(const choice *c, kind which, uint64_t round, double deadline)
{
  enum { PLAYS = 3 };
  bool plain = round == 0 && (which == DEPTH_FIRST || which == EAGER);
  return time_left(plain ? c->patience : deadline - PLAYS * c->play);
}

/* One of each kind and a woven one, then another of each, so that time is well spent whenever it ends.  What is begun
   should end in time. */
static void first_orders(choice *c, uint64_t seed, uint64_t target, double deadline)
{
  enum { PLAYS = 5 };
  for (uint64_t round = 0, rounds = taste_rounds(c); round < rounds; round++) {
    for (kind k = DEPTH_FIRST; k < KINDS && c->cost > target; k++) {
      const char *name = in_time(c, k, round, deadline) ? make_order(c, k, round, seed, deadline - c->play) : NULL;
      if (name)
        offer(c, name, k == CONES ? c->s.total : any_sim_set(&c->s, c->order));
    }
    if (c->cost > target && time_left(deadline - PLAYS * c->play) && weave_order(c, round, deadline - 2 * c->play))
      offer(c, "woven", c->s.total);
  }
}

/* Where there is much work for each event a hot start finds more; where there is little, it undoes what the first
   orders are worth. */
static double heat_for(const any_program *p, uint64_t work)
{
  enum { PLENTY = 30000 };
  return work / PLENTY > p->events ? 1.5 : 0.12;
}

/* From the best order; c holds what it comes to. */
static void search(choice *c, random_source *random, double deadline, schedule_any_info *info)
{
  uint64_t work = (uint64_t)((double)work_for(c->p) * c->effort);
  any_budget budget = { .work = work, .target = info->compulsory, .hot = heat_for(c->p, work), .cold = 0.1 };
  budget.deadline = deadline;
  budget.crew = c->crew;
  uint64_t before = any_sim_set(&c->s, c->best);
  any_search(&c->s, c->p, random, &budget);
  info->evaluations += budget.evaluations;
  info->stopped |= budget.hurried;
  memcpy(c->best, c->s.order, c->p->length * sizeof *c->best);
  if (c->s.total < before)
    c->name = "local search";
  c->cost = c->s.total;
}

/* The last word on eviction: other weights for unsaved items, on the order found. */
static void choose_eviction(choice *c, uint64_t target, double deadline)
{
  static const uint32_t weights[] = { 192, 96, 256, 160, 64, 32, 1 };
  uint32_t kept = c->s.dirty_weight;
  uint64_t least = c->cost, tries = several(c->p, sizeof weights / sizeof *weights);
  for (uint64_t i = 0; i < tries && least > target && time_left(deadline); i++) {
    c->s.dirty_weight = weights[i];
    if (any_sim_set(&c->s, c->best) < least) {
      least = c->s.total;
      kept = weights[i];
    }
  }
  c->s.dirty_weight = kept;
  c->cost = any_sim_set(&c->s, c->best);
}

static void judge(const cdag_graph *g, const pebble_rules *rules, const pebble_trace *t, schedule_any_info *info)
{
  pebble_verdict v = pebble_judge(g, rules, t);
  info->legal = v.legal; /* all counts are of steps in memory: far below 2^64 */
  info->loads = (uint64_t)v.loads;
  info->stores = (uint64_t)v.stores;
  info->io = (uint64_t)pebble_io(&v);
  info->peak = v.peak;
  info->computes = (uint64_t)v.computes;
  info->moves = (uint64_t)v.moves;
}

static void choice_init(choice *c, any_program *p, const cdag_graph *g, const pebble_rules *rules, double effort)
{
  any_program_init(p, g, rules);
  *c = (choice){ .p = p, .cost = UINT64_MAX, .tasted = UINT64_MAX, .effort = effort, .cones = CONES_WORK * effort };
  c->order = MEM_NEW(uint32_t, p->room_events);
  c->best = MEM_NEW(uint32_t, p->room_events);
  any_sim_init(&c->s, p);
  if (p->events >= ANY_SHARED) {
    c->crew = crew_new();
    c->ahead = MEM_NEW(uint32_t, p->events);
  }
}

static void choice_clear(choice *c)
{
  any_sim_clear(&c->s);
  mem_free(c->order);
  mem_free(c->best);
  mem_free(c->ahead);
  any_program_clear(c->p);
  crew_free(c->crew);
}

/* The moves of what c holds, judged. */
static void finish(choice *c, const cdag_graph *g, const pebble_rules *rules, double deadline, pebble_trace *out,
                   schedule_any_info *info)
{
  info->stopped |= !time_left(deadline);
  choose_eviction(c, info->compulsory, deadline);
  any_sim_record(&c->s, out);
  judge(g, rules, out, info);
  info->order = c->name;
  info->eviction = c->s.recompute ? "weighted next use, computing again where that is cheaper" : "weighted next use";
}

enum { SECONDS = 8 }; /* asked for more, a search does that much more than by itself */

/* The part of a limit of time that the search without computing again may take, in every game: so where another follows
   it, it finds what it would find alone, and the answer is no worse.  Most searches end long before. */
static const double FIRST_SHARE = 0.875;

/* Nothing is computed twice; c is left with the order found. */
static void find_once(choice *c, const cdag_graph *g, const pebble_rules *rules, uint64_t seed, double deadline,
                      pebble_trace *out, schedule_any_info *info)
{
  random_source random = { seed };
  double began = clock_seconds();
  any_order_natural(c->p, c->order);
  offer(c, "natural", any_sim_set(&c->s, c->order));
  c->play = clock_seconds() - began;
  deadline = began + (deadline - began) * FIRST_SHARE - 4 * c->play; /* to choose evictions, to write and judge moves */
  first_orders(c, seed, info->compulsory, deadline);
  if (c->cost > info->compulsory && time_left(deadline))
    search(c, &random, deadline, info);
  finish(c, g, rules, deadline, out, info);
}

/* On from what was found without: with as much search again, computing again where it is cheaper.  The better one
 * stays. */
static void find_again(const choice *once, const cdag_graph *g, const pebble_rules *rules, uint64_t seed,
                       double deadline, pebble_trace *out, schedule_any_info *info)
{
  any_program p;
  choice c;
  random_source random = { seed };
  pebble_trace moves = { 0 };
  schedule_any_info again = *info;
  choice_init(&c, &p, g, rules, once->effort);
  memcpy(c.best, once->best, once->p->events * sizeof *c.best);
  c.name = once->name;
  c.s.recompute = true;
  search(&c, &random, deadline, &again);
  finish(&c, g, rules, deadline, &moves, &again);
  if (again.legal && again.io < info->io) {
    pebble_trace kept = *out;
    *out = moves;
    moves = kept;
    *info = again;
  }
  info->evaluations = again.evaluations;
  info->stopped |= again.stopped;
  pebble_trace_clear(&moves);
  choice_clear(&c);
}

static bool may_compute_again(const pebble_rules *rules)
{
  return !rules->one_shot && rules->variant != PEBBLE_PARTIAL;
}

static status find(const cdag_graph *g, const pebble_rules *rules, uint64_t seed, double seconds, double effort,
                   pebble_trace *out, schedule_any_info *info, diag *d)
{
  any_program p;
  choice c;
  double deadline = clock_seconds() + (seconds > 0 ? seconds : CLOCK_NEVER);
  pebble_rules once = *rules;
  bool again = may_compute_again(rules);
  *info = (schedule_any_info){ .compulsory = cdag_graph_compulsory(g), .needed = pebble_least_memory(g, rules) };
  if (rules->m < info->needed)
    return OK;
  once.one_shot |= again;
  choice_init(&c, &p, g, &once, effort);
  c.patience = seconds > 0 && seconds < SECONDS ? deadline : CLOCK_NEVER;
  find_once(&c, g, &once, seed, deadline, out, info);
  if (again && info->legal && info->io > info->compulsory && time_left(deadline))
    find_again(&c, g, rules, seed, deadline, out, info);
  choice_clear(&c);
  if (!info->legal)
    return diag_set(d, SOLVER, "solver", "internal error: the referee rejects the schedule found");
  return OK;
}

status schedule_any(const cdag_graph *g, const pebble_rules *rules, uint64_t seed, double seconds, pebble_trace *out,
                    schedule_any_info *info, diag *d)
{
  return find(g, rules, seed, seconds, seconds > SECONDS ? fmin(seconds / SECONDS, 1e6) : 1, out, info, d);
}

status schedule_any_quick(const cdag_graph *g, const pebble_rules *rules, pebble_trace *out, schedule_any_info *info,
                          diag *d)
{
  return find(g, rules, 1, 0, 1.0 / 16, out, info, d);
}
