/* schedules/any/search.c -- simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) over orders.

   A move takes an event to another place and with it whatever must come along: to an earlier place everything in
   between it depends on, to a later place everything in between that depends on it.  So every order met is legal.  Half
   of the moves start from an item that had to be loaded again and bring two of its touches together.  Where
   recomputation is allowed, some moves compute such an item again instead, or take such an event out; they change the
   program and play it afresh. */
#include "base/mem.h"
#include "schedules/any/internal.h"
#include <math.h>
#include <string.h>

typedef struct {
  any_sim *s, *other;       /* the current order, and one for changed programs (NULL without recomputation) */
  any_program *p, *other_p; /* their programs */
  uint32_t *order;          /* scratch */
  random_source *random;
  uint32_t *before;         /* the window as it was */
  uint32_t *moved;          /* events that come along */
  uint32_t *mark, stamp;    /* items */
  uint32_t a, b;            /* the window */
  uint32_t base;            /* events without computing anything again */
  bool scarce;              /* little work for so many events: most of it goes into mending, and that reaches farther */
} mover;

static bool reads_marked(const mover *v, uint32_t e)
{
  const any_program *p = v->s->p;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    if (v->mark[p->read[r]] == v->stamp)
      return true;
  return false;
}

static void mark_reads(mover *v, uint32_t e)
{
  const any_program *p = v->s->p;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
    v->mark[p->read[r]] = v->stamp;
}

static void open_window(mover *v, uint32_t a, uint32_t b)
{
  v->a = a;
  v->b = b;
  v->stamp++;
  memcpy(v->before, v->s->order + a, (b - a + 1) * sizeof *v->before);
}

/* The last `block` events of [a, b], with all they depend on there, to a. */
static void move_back(mover *v, uint32_t a, uint32_t b, uint32_t block)
{
  uint32_t *order = v->s->order, n = 0, free = b;
  open_window(v, a, b);
  for (uint32_t t = b + 1; t-- > a;) {
    uint32_t e = order[t];
    if (t + block > b || v->mark[v->s->p->write[e]] == v->stamp) {
      v->moved[n++] = e;
      mark_reads(v, e);
    } else
      order[free--] = e;
  }
  for (uint32_t i = 0; i < n; i++)
    order[a + i] = v->moved[n - 1 - i];
}

/* The first `block` events of [a, b], with all that depends on them there, to b. */
static void move_on(mover *v, uint32_t a, uint32_t b, uint32_t block)
{
  uint32_t *order = v->s->order, n = 0, free = a;
  open_window(v, a, b);
  for (uint32_t t = a; t <= b; t++) {
    uint32_t e = order[t];
    if (t < a + block || reads_marked(v, e)) {
      v->moved[n++] = e;
      v->mark[v->s->p->write[e]] = v->stamp;
    } else
      order[free++] = e;
  }
  memcpy(order + free, v->moved, n * sizeof *order);
}

/* Long windows take long to play and seldom bring more. */
static uint32_t window(const mover *v, uint32_t common, uint32_t rare)
{
  return random_below(v->random, 8) ? common : rare;
}

/* The place of the event at t, or of one that reads what it writes, or of one that reads that: so a whole sum moves and
 * not a term. */
static uint32_t climb(const mover *v, uint32_t t)
{
  const any_sim *s = v->s;
  for (int steps = 0; steps < 3 && random_below(v->random, 2); steps++) {
    uint32_t w = s->p->write[s->order[t]], i = s->use_at[w];
    while (s->use[i] <= t)
      i++;
    if (s->use[i] == ANY_NONE)
      break;
    t = s->use[i];
  }
  return t;
}

/* Bring together two touches of an item that was missed; false if none was found. */
static bool mend(mover *v)
{
  any_sim *s = v->s;
  uint32_t longest = v->scarce ? window(v, 600, 3000) : window(v, 300, 2000);
  for (int tries = 0; tries < 12; tries++) {
    uint32_t e = (uint32_t)random_below(v->random, s->p->events), x = s->missed[e], t = s->place[e];
    if (x == ANY_NONE)
      continue;
    uint32_t from = s->use_at[x], n = s->use_at[x + 1] - 1 - from;
    uint32_t u = s->use[from + random_below(v->random, n)]; /* some other touch, often the one before */
    if (random_below(v->random, 2))
      for (uint32_t i = 0; i < n && s->use[from + i] < t; i++)
        u = s->use[from + i];
    uint32_t lo = u < t ? u : t, hi = u < t ? t : u;
    if (hi - lo < 2 || hi - lo > longest)
      continue;
    if (random_below(v->random, 2)) {
      hi = climb(v, hi);
      if (hi - lo > longest)
        continue;
      move_back(v, lo + 1, hi, 1);
    }
    else
      move_on(v, lo, hi - 1, 1);
    return true;
  }
  return false;
}

/* One event or a block of them, a short way or a long one. */
static void wander(mover *v)
{
  enum { BLOCK = 16 };
  uint32_t events = v->s->p->length, most = v->scarce ? window(v, 30, 100) : window(v, 100, 600);
  uint32_t far = events / 4 < most ? events / 4 + 1 : most;
  uint32_t reach = random_below(v->random, 2) ? far : 20;
  uint32_t block = random_below(v->random, 2) ? 1 : 2 + (uint32_t)random_below(v->random, BLOCK - 2);
  uint32_t t = (uint32_t)random_below(v->random, events), span = (uint32_t)random_below(v->random, reach) + block;
  bool back = random_below(v->random, 2);
  if (t == 0 || (t + 1 < events && !back))
    move_on(v, t, t + span < events ? t + span : events - 1, block);
  else
    move_back(v, t > span ? t - span : 0, t, block);
}

static double uniform(random_source *r) { return (double)(random_next(r) >> 11) * 0x1p-53; }

/* The largest cost that is accepted this time: Metropolis's rule with the random number drawn first. */
static uint64_t accept_up_to(random_source *r, uint64_t old, double heat)
{
  return old + (uint64_t)(-log(1 - uniform(r)) * heat);
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
static uint32_t choose_missed(mover *v, uint32_t *t)
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
static void list_chain(mover *v, uint32_t x, uint32_t t, int depth, uint32_t near, uint32_t *list, uint32_t *n)
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
static bool add_again(mover *v)
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
static bool remove_again(mover *v)
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

static bool copies_exist(const mover *v) { return v->p->length > v->base; }

/* ---- annealing ---- */

typedef struct {
  any_program p;            /* only where recomputation is allowed */
  uint32_t *order;
  uint64_t cost;
} champion;

static void crown(const mover *v, champion *best)
{
  best->cost = v->s->total;
  memcpy(best->order, v->s->order, v->p->length * sizeof *best->order);
  if (v->other)
    any_program_copy(&best->p, v->p);
}

/* The trial went by decisions taken before the change; the record counts what a fresh play costs. */
static void consider(mover *v, champion *best)
{
  any_sim_set(v->s, v->s->order);
  if (v->s->total < best->cost)
    crown(v, best);
}

static uint64_t try_permutation(mover *v, uint64_t limit)
{
  if (random_below(v->random, v->scarce ? 8 : 2) == 0 || !mend(v))
    wander(v);
  uint64_t cost = any_sim_try(v->s, v->a, v->b, limit);
  v->s->work += v->b - v->a + 1;
  if (cost <= limit)
    any_sim_keep(v->s, cost);
  else
    any_sim_undo(v->s, v->a, v->b, v->before);
  return cost;
}

static uint64_t try_program(mover *v, uint64_t limit)
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

/* How far the search is, by the work done; or by the clock when that runs out sooner: so it always cools down. */
static double progress(const mover *v, any_budget *budget, uint64_t from, double began)
{
  enum { SLOW_START = 4 }; /* the clock is not asked in the first quarter: caches are cold, and the numbers small */
  double done = (double)(v->s->work - from) / (double)budget->work;
  if (budget->deadline > 0) {
    double now = clock_seconds(), passed = now < budget->deadline ? (now - began) / (budget->deadline - began) : 1;
    if (passed > done && passed * SLOW_START > 1) {
      budget->hurried = true;
      return passed;
    }
  }
  return done;
}

/* Playing afresh is worth it when as much was played since the last time, or at the end. */
static void anneal(mover *v, any_budget *budget, champion *best)
{
  enum { PROGRAM = 16 }; /* one move in so many changes the program */
  uint64_t begin = v->s->work, considered = 0;
  double heat = budget->hot, began = clock_seconds(), done = 0;
  for (uint64_t i = 0; best->cost > budget->target; i++) {
    if (i % 64 == 0) {
      done = progress(v, budget, begin, began);
      heat = budget->hot * pow(budget->cold / budget->hot, done);
    }
    if (done >= 1 || v->s->work - begin >= budget->work)
      break;
    uint64_t limit = accept_up_to(v->random, v->s->total, heat);
    bool program = v->other && random_below(v->random, PROGRAM) == 0;
    uint64_t cost = program ? try_program(v, limit) : try_permutation(v, limit);
    budget->evaluations++;
    if (cost <= limit && cost < best->cost && v->s->work - considered > 4 * (uint64_t)v->p->length) {
      consider(v, best);
      considered = v->s->work;
    }
  }
  consider(v, best);
}

static void prepare(mover *v, champion *best, any_sim *other, any_program *other_p)
{
  const any_program *p = v->p;
  pebble_rules rules = { p->sliding ? PEBBLE_SLIDING : PEBBLE_PLACING, false, p->m };
  best->order = MEM_NEW(uint32_t, p->room_events);
  v->order = MEM_NEW(uint32_t, p->room_events);
  v->before = MEM_NEW(uint32_t, p->room_events);
  v->moved = MEM_NEW(uint32_t, p->room_events);
  v->mark = MEM_NEW(uint32_t, p->items);
  v->base = p->length;
  if (v->s->recompute) {
    any_program_init(other_p, p->g, &rules);
    any_program_init(&best->p, p->g, &rules);
    any_sim_init(other, other_p);
    v->other = other;
    v->other_p = other_p;
  }
  crown(v, best);
}

void any_search(any_sim *s, any_program *p, random_source *random, any_budget *budget)
{
  any_sim other = { 0 };
  any_program other_p = { 0 };
  champion best = { 0 };
  enum { PLENTY = 100000 };
  mover v = { .s = s, .p = p, .random = random, .scarce = budget->work / PLENTY < p->length };
  if (p->length < 2)
    return;
  prepare(&v, &best, &other, &other_p);
  anneal(&v, budget, &best);
  if (s->recompute)
    any_program_copy(p, &best.p);
  any_sim_set(s, best.order);
  if (s->recompute) {
    any_sim_clear(&other);
    any_program_clear(&other_p);
    any_program_clear(&best.p);
  }
  mem_free(best.order);
  mem_free(v.order);
  mem_free(v.before);
  mem_free(v.moved);
  mem_free(v.mark);
}
