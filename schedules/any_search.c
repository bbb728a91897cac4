/* any_search.c -- simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) over orders.

   A move takes an event to another place and with it whatever must come along: to an earlier place everything in between it
   depends on, to a later place everything in between that depends on it.  So every order met is legal.  Half of the moves
   start from an item that had to be loaded again and bring two of its touches together. */
#include "base/mem.h"
#include "schedules/any_internal.h"
#include <math.h>
#include <string.h>
#include <time.h>

double any_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
  any_sim *s;
  random_source *random;
  uint32_t *before;         /* the window as it was */
  uint32_t *moved;          /* events that come along */
  uint32_t *mark, stamp;    /* items */
  uint32_t a, b;            /* the window */
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

enum { LONG = 2000 }; /* windows beyond cost more than they bring */

/* Bring together two touches of an item that was missed; false if none was found. */
static bool mend(mover *v)
{
  any_sim *s = v->s;
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
    if (hi - lo < 2 || hi - lo > LONG)
      continue;
    if (random_below(v->random, 2))
      move_back(v, lo + 1, hi, 1);
    else
      move_on(v, lo, hi - 1, 1);
    return true;
  }
  return false;
}

/* One event or a block of them, a short way or a long one. */
static void wander(mover *v)
{
  enum { FAR = 600, BLOCK = 16 };
  uint32_t events = v->s->p->events, far = events / 4 < FAR ? events / 4 + 1 : FAR;
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

typedef struct {
  uint32_t *order;
  uint64_t cost;
} champion;

/* The trial went by decisions taken before the change; the record counts what a fresh play costs. */
static void consider(any_sim *s, champion *best)
{
  any_sim_set(s, s->order);
  if (s->total < best->cost) {
    best->cost = s->total;
    memcpy(best->order, s->order, s->p->events * sizeof *best->order);
  }
}

/* Playing afresh is worth it when as much was played since the last time, or at the end. */
static void anneal(mover *v, any_budget *budget, champion *best)
{
  any_sim *s = v->s;
  uint64_t begin = s->work, considered = 0;
  double heat = budget->hot;
  for (uint64_t i = 0; s->work - begin < budget->work && best->cost > budget->target; i++) {
    if (i % 64 == 0) {
      heat = budget->hot * pow(budget->cold / budget->hot, (double)(s->work - begin) / (double)budget->work);
      if (budget->deadline > 0 && any_clock() > budget->deadline)
        break;
    }
    if (random_below(v->random, 2) || !mend(v))
      wander(v);
    uint64_t limit = accept_up_to(v->random, s->total, heat), cost = any_sim_try(s, v->a, v->b, limit);
    s->work += (v->b - v->a) / 4 + 1;
    budget->evaluations++;
    if (cost <= limit) {
      any_sim_keep(s, cost);
      if (cost < best->cost && s->work - considered > s->p->events) {
        consider(s, best);
        considered = s->work;
      }
    } else
      any_sim_undo(s, v->a, v->b, v->before);
  }
  consider(s, best);
}

void any_search(any_sim *s, random_source *random, any_budget *budget)
{
  const any_program *p = s->p;
  if (p->events < 2)
    return;
  mover v = { .s = s, .random = random };
  champion best = { MEM_NEW(uint32_t, p->events), s->total };
  memcpy(best.order, s->order, p->events * sizeof *best.order);
  v.before = MEM_NEW(uint32_t, p->events);
  v.moved = MEM_NEW(uint32_t, p->events);
  v.mark = MEM_NEW(uint32_t, p->items);
  anneal(&v, budget, &best);
  any_sim_set(s, best.order);
  mem_free(best.order);
  mem_free(v.before);
  mem_free(v.moved);
  mem_free(v.mark);
}
