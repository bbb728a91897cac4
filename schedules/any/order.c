/* schedules/any/order.c -- orders of the events to start from. */
#include "base/mem.h"
#include "schedules/any/internal.h"
#include <string.h>

/* The program lists its events in the natural order: vertices smallest first among the ready ones. */
void any_order_natural(const any_program *p, uint32_t *order)
{
  for (uint32_t e = 0; e < p->events; e++)
    order[e] = e;
}

static void shuffle(uint32_t *list, uint32_t n, random_source *random)
{
  for (uint32_t i = n; i > 1; i--) {
    uint32_t j = (uint32_t)random_below(random, i), x = list[j];
    list[j] = list[i - 1];
    list[i - 1] = x;
  }
}

/* ---- depth first ---- */

typedef struct {
  const any_program *p;
  random_source random;
  bool shuffled;
  const cdag_rows *succ;    /* not NULL: a vertex is computed as soon as what it reads was */
  uint32_t *waits;          /* then: how many of its reads, by items, were not computed */
  uint8_t *done;            /* items whose events are all in the order */
  uint32_t *at;             /* items: how many of its reads have been seen to */
  uint32_t *read;           /* the reads of each vertex, shuffled */
  uint32_t *stack;
  uint32_t *order, filled;
} walk;

/* All reads of item x, over its events, stand together: events of one vertex are consecutive. */
static uint32_t *reads_of(const walk *w, uint32_t x, uint32_t *n)
{
  uint32_t e = w->p->event_of[x], from = w->p->read_at[e];
  *n = w->p->read_at[e + w->p->writes[x]] - from;
  return w->read + from;
}

static void finish(walk *w, uint32_t x)
{
  for (uint32_t i = 0; i < w->p->writes[x]; i++)
    w->order[w->filled++] = w->p->event_of[x] + i;
  w->done[x] = 1;
}

/* What waited for x alone is to come next. */
static uint32_t add_ready(walk *w, uint32_t x, uint32_t depth)
{
  for (uint64_t e = w->succ->at[x + 1]; e-- > w->succ->at[x];) {
    uint32_t y = w->succ->to[e];
    if (w->p->writes[y] && --w->waits[y] == 0 && !w->done[y])
      w->stack[depth++] = y;
  }
  return depth;
}

/* Everything root needs, then root. */
static void visit(walk *w, uint32_t root)
{
  uint32_t depth = 0, n;
  w->stack[depth++] = root;
  while (depth) {
    uint32_t x = w->stack[depth - 1], *read = reads_of(w, x, &n);
    if (w->done[x])
      depth--;
    else if (w->at[x] < n) {
      uint32_t y = read[w->at[x]++];
      if (w->p->writes[y] && !w->done[y])
        w->stack[depth++] = y;
    } else {
      finish(w, x);
      depth--;
      if (w->succ)
        depth = add_ready(w, x, depth);
    }
  }
}

static void count_waits(walk *w)
{
  const cdag_graph *g = w->p->g;
  w->succ = cdag_graph_successors(g);
  w->waits = MEM_NEW(uint32_t, w->p->items);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      w->waits[v] += w->p->writes[g->pred[e]] > 0;
}

void any_order_depth_first(const any_program *p, uint64_t seed, bool eager, uint32_t *order)
{
  walk w = { .p = p, .random = { seed }, .shuffled = seed != 0, .order = order };
  uint32_t reads = p->read_at[p->events], roots = 0, n;
  w.done = MEM_NEW(uint8_t, p->items);
  w.at = MEM_NEW(uint32_t, p->items);
  w.stack = MEM_NEW(uint32_t, 2 * (size_t)p->items);
  if (eager)
    count_waits(&w);
  w.read = MEM_NEW(uint32_t, reads);
  uint32_t *root = MEM_NEW(uint32_t, p->items);
  memcpy(w.read, p->read, reads * sizeof *w.read);
  for (uint32_t x = 0; x < p->items; x++)
    if (p->store[x]) {
      root[roots++] = x;
    }
  for (uint32_t x = 0; w.shuffled && x < p->items; x++)
    if (p->writes[x]) {
      uint32_t *read = reads_of(&w, x, &n);
      shuffle(read, n, &w.random);
    }
  if (w.shuffled)
    shuffle(root, roots, &w.random);
  for (uint32_t i = 0; i < roots; i++)
    visit(&w, root[i]);
  mem_free(w.done);
  mem_free(w.at);
  mem_free(w.waits);
  mem_free(w.stack);
  mem_free(w.read);
  mem_free(root);
}

/* ---- greedy ---- */

/* Ready events, the most recently enabled last; each step takes the one that shrinks the live set most among the last
   LOOK, preferring recent ones: what it reads was touched a short while ago. */
enum { LOOK = 96 };

typedef struct {
  const any_program *p;
  uint32_t *open;           /* items: events that must still come before it is complete */
  uint32_t *uses;           /* items: events that still read it */
  uint32_t *waiting;        /* events: reads not complete */
  uint64_t *reader_at;      /* items: the events that read it */
  uint32_t *reader;
  uint32_t *ready, count;
  uint32_t *touched;        /* items: when last touched, 0 never */
} greed;

static void list_readers(greed *q)
{
  const any_program *p = q->p;
  uint32_t reads = p->read_at[p->events];
  q->reader_at = MEM_NEW(uint64_t, (size_t)p->items + 1);
  q->reader = MEM_NEW(uint32_t, reads);
  for (uint32_t i = 0; i < reads; i++)
    q->reader_at[p->read[i] + 1]++;
  for (uint32_t x = 0; x < p->items; x++) {
    q->uses[x] = (uint32_t)q->reader_at[x + 1];
    q->reader_at[x + 1] += q->reader_at[x];
  }
  uint64_t *next = MEM_NEW(uint64_t, p->items);
  memcpy(next, q->reader_at, p->items * sizeof *next);
  for (uint32_t e = 0; e < p->events; e++)
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      q->reader[next[p->read[r]]++] = e;
  mem_free(next);
}

/* Smaller is better: what becomes live less what dies, then what was not touched lately. */
static int64_t price(const greed *q, uint32_t e, uint32_t now)
{
  const any_program *p = q->p;
  uint32_t w = p->write[e];
  int64_t grows = q->open[w] == p->writes[w] && q->uses[w] > 0, age = 0;
  for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++) {
    uint32_t x = p->read[r];
    grows -= q->uses[x] == 1 && q->touched[x];
    grows += q->uses[x] > 1 && !q->touched[x];
    age += q->touched[x] ? now - q->touched[x] : 0;
  }
  return grows * ((int64_t)1 << 32) + age;
}

static uint32_t take_best(greed *q, uint32_t now)
{
  uint32_t from = q->count > LOOK ? q->count - LOOK : 0, best = q->count - 1;
  int64_t least = price(q, q->ready[best], now);
  for (uint32_t i = best; i-- > from;) {
    int64_t here = price(q, q->ready[i], now);
    if (here < least) {
      least = here;
      best = i;
    }
  }
  uint32_t e = q->ready[best];
  memmove(q->ready + best, q->ready + best + 1, (q->count - best - 1) * sizeof *q->ready);
  q->count--;
  return e;
}

static void completed(greed *q, uint32_t x)
{
  for (uint64_t i = q->reader_at[x]; i < q->reader_at[x + 1]; i++)
    if (--q->waiting[q->reader[i]] == 0)
      q->ready[q->count++] = q->reader[i];
}

static void play_greedily(greed *q, uint32_t *order)
{
  const any_program *p = q->p;
  for (uint32_t t = 0; t < p->events; t++) {
    uint32_t e = take_best(q, t + 1);
    order[t] = e;
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++) {
      q->touched[p->read[r]] = t + 1;
      q->uses[p->read[r]]--;
    }
    q->touched[p->write[e]] = t + 1;
    if (--q->open[p->write[e]] == 0)
      completed(q, p->write[e]);
  }
}

void any_order_greedy(const any_program *p, uint64_t seed, uint32_t *order)
{
  greed q = { .p = p };
  random_source random = { seed };
  q.open = MEM_NEW(uint32_t, p->items);
  q.uses = MEM_NEW(uint32_t, p->items);
  q.touched = MEM_NEW(uint32_t, p->items);
  q.waiting = MEM_NEW(uint32_t, p->events);
  q.ready = MEM_NEW(uint32_t, p->events);
  memcpy(q.open, p->writes, p->items * sizeof *q.open);
  list_readers(&q);
  for (uint32_t e = 0; e < p->events; e++) {
    for (uint32_t r = p->read_at[e]; r < p->read_at[e + 1]; r++)
      q.waiting[e] += p->writes[p->read[r]] > 0;
    if (q.waiting[e] == 0)
      q.ready[q.count++] = e;
  }
  if (seed)
    shuffle(q.ready, q.count, &random);
  play_greedily(&q, order);
  void *blocks[] = { q.open, q.uses, q.touched, q.waiting, q.ready, q.reader_at, q.reader };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
}
