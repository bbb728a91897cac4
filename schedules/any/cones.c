/* schedules/any/cones.c -- an order that grows from what is cached.

   Each step looks at vertices near what was touched last, each with its *cone*: itself and everything not yet computed
   that it depends on.  The cone whose computation reads most of what is there and least of what would have to come back
   is computed next. Sums over rows of a matrix are taken so that rows with the same columns follow each other; products
   of matrices come out in blocks. What is cached is guessed: the M items touched last that are still of use. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/any/internal.h"
#include <string.h>

enum { CANDIDATES = 32, ITEMS = 48, READERS = 6, EACH = 1000 };

typedef struct any_cones {
  const any_program *p;
  const cdag_graph *g;
  random_source random;
  any_taste taste;
  uint8_t *done, *seen;           /* items: computed; input that was read before */
  uint32_t *left;                 /* items: uncomputed vertices that read them */
  uint32_t *newer, *older;        /* cached items, a ring through `items` by when they were touched */
  uint8_t *cached;
  uint32_t size;
  uint32_t unsaved;               /* computed and still of use */
  uint32_t *mark, stamp;          /* items: in the cone at hand, or read by it */
  uint32_t *inside;               /* items: how many of the cone read them */
  uint32_t *met, step;            /* items: looked at in this step */
  uint32_t *cone, cones;          /* the cone at hand, in a legal order */
  uint32_t *border, borders;      /* what it reads from outside */
  uint32_t *stack, *next;         /* depth-first */
  uint32_t *best, bests;          /* the best cone so far */
  uint32_t *root, roots;          /* outputs */
  int64_t price;
  uint32_t *order, filled;
  uint64_t work;                  /* left; when it is used up, whatever comes first is taken */
  double deadline;
  bool late;                      /* it has passed: as if the work were used up */
} grower;

/* ---- the guessed cache ---- */

static void unlink_item(grower *w, uint32_t x)
{
  w->newer[w->older[x]] = w->newer[x];
  w->older[w->newer[x]] = w->older[x];
  w->cached[x] = 0;
  w->size--;
}

static void touch(grower *w, uint32_t x)
{
  uint32_t ring = w->p->items;
  if (w->cached[x])
    unlink_item(w, x);
  if (w->size == w->p->m)
    unlink_item(w, w->newer[ring]); /* the ring's newer end is the item touched longest ago */
  w->older[x] = w->older[ring];
  w->newer[x] = ring;
  w->newer[w->older[x]] = x;
  w->older[ring] = x;
  w->cached[x] = 1;
  w->size++;
}

/* ---- cones ---- */

static bool waits(const grower *w, uint32_t x) { return w->p->writes[x] > 0 && !w->done[x]; }

static void note_border(grower *w, uint32_t x)
{
  if (w->mark[x] != w->stamp) {
    w->mark[x] = w->stamp;
    w->inside[x] = 0;
    w->border[w->borders++] = x;
  }
  w->inside[x]++;
}

static void enter(grower *w, uint32_t x, uint32_t *depth)
{
  w->mark[x] = w->stamp;
  w->inside[x] = 0;
  w->next[*depth] = 0;
  w->stack[(*depth)++] = x;
}

/* Collect the cone of x; false when it has more than `largest` vertices. */
static bool collect(grower *w, uint32_t x)
{
  const cdag_graph *g = w->g;
  uint32_t depth = 0;
  w->stamp++;
  w->cones = w->borders = 0;
  enter(w, x, &depth);
  while (depth) {
    uint32_t v = w->stack[depth - 1];
    w->work -= w->work > 0;
    uint64_t e = g->pred_at[v] + w->next[depth - 1]++;
    if (e == g->pred_at[v + 1]) {
      w->cone[w->cones++] = v;
      depth--;
    } else if (!waits(w, g->pred[e]))
      note_border(w, g->pred[e]);
    else {
      uint32_t u = g->pred[e];
      if (w->mark[u] != w->stamp) {
        if (w->cones + depth >= w->taste.largest)
          return false;
        enter(w, u, &depth);
      }
      w->inside[u]++;
    }
  }
  return true;
}

/* Smaller is better: what comes back, what becomes live less what dies; less what was there. */
static int64_t price(const grower *w)
{
  int64_t back = 0, fresh = 0, live = 0, there = 0;
  for (uint32_t i = 0; i < w->borders; i++) {
    uint32_t x = w->border[i];
    bool dies = w->inside[x] == w->left[x], known = w->done[x] || w->seen[x];
    there += w->cached[x];
    back += known && !w->cached[x];
    live -= w->done[x] && dies;
    fresh += !known && !dies;
  }
  for (uint32_t i = 0; i < w->cones; i++)
    live += w->left[w->cone[i]] > w->inside[w->cone[i]];
  int64_t room = (int64_t)w->p->m * w->taste.room / 8 - w->unsaved;
  int64_t crowd = num_max(0, live - room) - num_max(0, -room);
  return back * w->taste.back + fresh * w->taste.fresh + live * w->taste.live + crowd * w->taste.crowded -
         there * w->taste.there;
}

static void consider(grower *w, uint32_t x)
{
  if (w->met[x] == w->step || !waits(w, x))
    return;
  w->met[x] = w->step;
  if (!collect(w, x))
    return;
  int64_t here = price(w);
  if (w->bests && here >= w->price)
    return;
  w->price = here;
  w->bests = w->cones;
  memcpy(w->best, w->cone, w->cones * sizeof *w->best);
}

/* A few readers of x and of these, from anywhere in the list. */
static uint32_t consider_readers(grower *w, uint32_t x, int depth)
{
  const cdag_graph *g = w->g;
  const cdag_rows *succ = cdag_graph_successors(g);
  uint64_t n = succ->at[x + 1] - succ->at[x], from = n > READERS ? random_below(&w->random, n) : 0;
  uint32_t count = 0;
  for (uint64_t k = 0; k < n && count < READERS; k++) {
    uint32_t y = succ->to[succ->at[x] + (from + k) % n];
    if (!waits(w, y))
      continue;
    count++;
    consider(w, y);
    if (depth > 0)
      consider_readers(w, y, depth - 1);
  }
  return count;
}

/* From an uncomputed output towards the inputs, until the cone is small enough. */
static void start_anywhere(grower *w, uint32_t x)
{
  const cdag_graph *g = w->g;
  for (;;) {
    consider(w, x);
    uint64_t e = g->pred_at[x];
    while (e < g->pred_at[x + 1] && !waits(w, g->pred[e]))
      e++;
    if (w->bests || e == g->pred_at[x + 1])
      return;
    x = g->pred[e];
  }
}

/* ---- growing ---- */

static void compute(grower *w, uint32_t x)
{
  const cdag_graph *g = w->g;
  for (uint32_t i = 0; i < w->p->writes[x]; i++)
    w->order[w->filled++] = w->p->event_of[x] + i;
  w->done[x] = 1;
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++) {
    uint32_t u = g->pred[e];
    w->seen[u] = 1;
    if (--w->left[u] > 0)
      touch(w, u);
    else {
      w->unsaved -= w->done[u];
      if (w->cached[u])
        unlink_item(w, u);
    }
  }
  if (w->left[x] > 0) {
    w->unsaved++;
    touch(w, x);
  }
}

static void grow(grower *w, const uint32_t *roots, uint32_t n)
{
  uint32_t ring = w->p->items;
  for (uint32_t r = 0; r < n;) {
    w->bests = 0;
    if (w->step++ % 1024 == 0 && clock_seconds() > w->deadline)
      w->late = true;
    uint32_t tried = 0, items = 0;
    for (uint32_t x = w->older[ring]; x != ring && items < ITEMS && tried < CANDIDATES && w->work > 0 && !w->late;
         x = w->older[x], items++)
      tried += consider_readers(w, x, w->taste.depth);
    if (w->bests == 0 && waits(w, roots[r]))
      start_anywhere(w, roots[r]);
    for (uint32_t i = 0; i < w->bests; i++)
      compute(w, w->best[i]);
    while (r < n && !waits(w, roots[r]))
      r++;
  }
}

static void count_readers(grower *w)
{
  const cdag_graph *g = w->g;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; w->p->writes[v] && e < g->pred_at[v + 1]; e++)
      w->left[g->pred[e]]++;
}

static uint32_t **list_array(grower *w, int i)
{
  uint32_t **array[] = { &w->left, &w->mark, &w->inside, &w->met,   &w->cone,  &w->border,
                         &w->stack, &w->next, &w->best,  &w->newer, &w->older, &w->root };
  return i < (int)(sizeof array / sizeof *array) ? array[i] : NULL;
}

any_cones *any_cones_new(const any_program *p, uint64_t seed, const any_taste *taste, double deadline, uint32_t *order)
{
  grower *w = MEM_NEW(grower, 1);
  *w = (grower){ .p = p, .g = p->g, .random = { seed }, .taste = *taste, .order = order, .deadline = deadline };
  w->work = (uint64_t)p->events * EACH;
  for (int i = 0; list_array(w, i); i++)
    *list_array(w, i) = MEM_NEW(uint32_t, (size_t)p->items + 1);
  w->done = MEM_NEW(uint8_t, p->items);
  w->seen = MEM_NEW(uint8_t, p->items);
  w->cached = MEM_NEW(uint8_t, p->items);
  w->newer[p->items] = w->older[p->items] = p->items;
  cdag_graph_successors(p->g); /* listed when first asked for, which the thread that allocates has to do */
  return w;
}

void any_cones_grow(any_cones *w)
{
  count_readers(w);
  for (uint32_t x = 0; x < w->p->items; x++)
    if (w->p->store[x])
      w->root[w->roots++] = x;
  grow(w, w->root, w->roots);
}

uint64_t any_cones_free(any_cones *w)
{
  uint64_t work = (uint64_t)w->p->events * EACH - w->work;
  for (int i = 0; list_array(w, i); i++)
    mem_free(*list_array(w, i));
  mem_free(w->done);
  mem_free(w->seen);
  mem_free(w->cached);
  mem_free(w);
  return work;
}

uint64_t any_order_cones(const any_program *p, uint64_t seed, const any_taste *taste, double deadline, uint32_t *order)
{
  any_cones *w = any_cones_new(p, seed, taste, deadline, order);
  any_cones_grow(w);
  return any_cones_free(w);
}
