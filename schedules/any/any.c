/* any.c -- a schedule for any graph: several orders to start from, local search from the best, the referee at the end. */
#include "schedules/any.h"
#include "base/mem.h"
#include "pebble/optimal.h"
#include "schedules/any/internal.h"
#include <string.h>

/* Work the search does at most: a few seconds' worth, the same on every machine, and less for small programs. */
static uint64_t work_for(const any_program *p)
{
  enum { MOST = 200000000, EACH = 800000 };
  return p->events < MOST / EACH ? (uint64_t)EACH * p->events : MOST;
}

typedef struct {
  any_program *p;
  any_sim s;
  uint32_t *order, *best;
  uint64_t cost;
  const char *name;
  uint64_t share;           /* the search does one part in so many of its work */
} choice;

static void offer(choice *c, const char *name)
{
  uint64_t cost = any_sim_set(&c->s, c->order);
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

static void first_orders(choice *c, uint64_t seed, uint64_t target, double deadline)
{
  uint64_t variants = several(c->p, 6);
  any_order_natural(c->p, c->order);
  offer(c, "natural");
  for (uint64_t i = 0; i < variants && c->cost > target && time_left(deadline); i++) {
    uint64_t shuffled = i ? seed * variants + i : 0;
    any_order_depth_first(c->p, shuffled, c->order);
    offer(c, "depth-first");
    if (c->cost > target && time_left(deadline)) {
      any_order_greedy(c->p, shuffled, c->order);
      offer(c, "greedy by live set");
    }
  }
}

/* What to prefer differs from graph to graph: small cones for grids and FFTs, whole sums for sparse matrices, and so on. */
static void cone_orders(choice *c, uint64_t seed, uint64_t target, double deadline)
{
  static const any_taste tastes[] = {
    { .back = 2, .fresh = 2, .live = 2, .there = 2, .largest = 4, .depth = 0 },
    { .back = 2, .fresh = 2, .live = 8, .there = 2, .largest = 64, .depth = 1 },
    { .back = 4, .fresh = 2, .live = 2, .there = 1, .largest = 16, .depth = 1 },
    { .back = 2, .fresh = 1, .crowded = 16, .there = 1, .room = 6, .largest = 4, .depth = 0 },
    { .back = 2, .fresh = 2, .live = 4, .there = 1, .largest = 16, .depth = 0 },
    { .back = 2, .fresh = 2, .live = 16, .there = 1, .largest = 64, .depth = 1 },
    { .back = 2, .fresh = 1, .live = 1, .crowded = 8, .there = 1, .room = 6, .largest = 16, .depth = 1 },
    { .back = 2, .fresh = 2, .live = 1, .crowded = 16, .there = 2, .room = 5, .largest = 16, .depth = 0 },
  };
  for (size_t i = 0; i < sizeof tastes / sizeof *tastes && c->cost > target && time_left(deadline); i++) {
    any_order_cones(c->p, seed, &tastes[i], c->order);
    offer(c, "cones");
  }
}

/* Where every order is soon tried a hot start finds more; where few can be, it undoes what the first orders are worth. */
static double heat_for(const any_program *p) { return p->events < 64 ? 1.5 : 0.6; }

/* A part of the work and of the time left, with or without computing again; c holds what it comes to. */
static void search(choice *c, random_source *random, bool recompute, unsigned parts, double deadline, schedule_any_info *info)
{
  any_budget budget = { .work = work_for(c->p) / c->share / parts, .target = info->compulsory, .hot = heat_for(c->p), .cold = 0.1 };
  double now = clock_seconds();
  budget.deadline = now + (deadline - now) / parts;
  c->s.recompute = recompute;
  uint64_t before = any_sim_set(&c->s, c->best);
  any_search(&c->s, c->p, random, &budget);
  info->evaluations += budget.evaluations;
  info->stopped |= budget.hurried;
  memcpy(c->best, c->s.order, c->p->length * sizeof *c->best);
  if (c->s.total < before)
    c->name = "local search";
  c->cost = c->s.total;
}

/* Start again with a fresh program, which computes nothing twice, and an order for it. */
static void go_back(choice *c, const pebble_rules *rules, const uint32_t *order)
{
  const cdag_graph *g = c->p->g;
  any_sim_clear(&c->s);
  any_program_clear(c->p);
  any_program_init(c->p, g, rules);
  any_sim_init(&c->s, c->p);
  c->s.recompute = false;
  memcpy(c->best, order, c->p->events * sizeof *order);
  c->cost = any_sim_set(&c->s, order);
}

/* First without computing again, which is searched faster; then with it, from there.  The better of the two. */
static void search_all(choice *c, const pebble_rules *rules, uint64_t seed, double deadline, schedule_any_info *info)
{
  random_source random = { seed };
  if (!c->p->recompute) {
    search(c, &random, false, 1, deadline, info);
    return;
  }
  uint32_t *once = MEM_NEW(uint32_t, c->p->room_events);
  search(c, &random, false, 2, deadline, info);
  uint64_t cost = c->cost;
  memcpy(once, c->best, c->p->events * sizeof *once);
  if (cost > info->compulsory && time_left(deadline))
    search(c, &random, true, 1, deadline, info);
  if (c->cost > cost)
    go_back(c, rules, once);
  mem_free(once);
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

static status find(const cdag_graph *g, const pebble_rules *rules, uint64_t seed, double seconds, uint64_t share, pebble_trace *out,
                   schedule_any_info *info, diag *d)
{
  any_program p;
  double deadline = clock_seconds() + (seconds > 0 ? seconds : CLOCK_NEVER);
  *info = (schedule_any_info){ .compulsory = cdag_graph_compulsory(g), .needed = pebble_least_memory(g, rules) };
  if (rules->m < info->needed)
    return OK;
  any_program_init(&p, g, rules);
  choice c = { .p = &p, .cost = UINT64_MAX, .order = MEM_NEW(uint32_t, p.room_events), .best = MEM_NEW(uint32_t, p.room_events), .share = share };
  any_sim_init(&c.s, &p);
  first_orders(&c, seed, info->compulsory, deadline);
  cone_orders(&c, seed, info->compulsory, deadline);
  if (c.cost > info->compulsory && time_left(deadline))
    search_all(&c, rules, seed, deadline, info);
  info->stopped |= !time_left(deadline);
  choose_eviction(&c, info->compulsory, deadline);
  any_sim_record(&c.s, out);
  judge(g, rules, out, info);
  info->order = c.name;
  info->eviction = c.s.recompute ? "weighted next use, computing again where that is cheaper" : "weighted next use";
  any_sim_clear(&c.s);
  mem_free(c.order);
  mem_free(c.best);
  any_program_clear(&p);
  if (!info->legal)
    return diag_set(d, SOLVER, "solver", "internal error: the referee rejects the schedule found");
  return OK;
}

status schedule_any(const cdag_graph *g, const pebble_rules *rules, uint64_t seed, double seconds, pebble_trace *out,
                    schedule_any_info *info, diag *d)
{
  return find(g, rules, seed, seconds, 1, out, info, d);
}

status schedule_any_quick(const cdag_graph *g, const pebble_rules *rules, pebble_trace *out, schedule_any_info *info, diag *d)
{
  enum { SHARE = 16 };
  return find(g, rules, 1, 0, SHARE, out, info, d);
}
