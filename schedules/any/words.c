/* schedules/any/words.c -- an order that loads the word that lets most be computed.

   A vertex is *open* when all it depends on was computed.  Of an open vertex some words may be missing in memory.  The
   word that is the only one missing of most open vertices is loaded next, and what lacks nothing is computed; so blocks
   grow evenly in all their directions: squares in a product of matrices, whatever its vertices are called.  A limit on
   the computed words that are still of use ends the growth of a block: beyond it only what lets a word go is computed,
   which takes the block on along its sums. What is in memory is guessed: the words touched last, inputs leaving first.
 */
#include "base/mem.h"
#include "schedules/any/internal.h"

typedef struct {
  uint32_t *newer, *older, n; /* a ring through `items` by when they were touched */
} ring;

typedef struct {
  const any_program *p;
  const cdag_graph *g;
  const cdag_rows *succ;
  uint32_t live, limit;         /* computed words still of use; as many as there should be */
  uint8_t *done, *cached;       /* items */
  uint32_t *left;               /* items: uncomputed vertices that read them */
  uint32_t *waits;              /* vertices: predecessors not computed */
  uint32_t *missing;            /* open vertices: predecessors not in memory */
  uint32_t *only;               /* items: open vertices that lack nothing else */
  ring inputs, words, ready;    /* in memory; open vertices that lack nothing */
  struct { uint32_t count, item; } *heap; /* items by `only`, with entries that no longer hold */
  size_t heaped, room;
  uint32_t next;                /* vertices before it are not open, or done */
  uint32_t *order, filled;
} grower;

/* ---- rings ---- */

static void ring_init(ring *r, uint32_t items)
{
  r->newer = MEM_NEW(uint32_t, (size_t)items + 1);
  r->older = MEM_NEW(uint32_t, (size_t)items + 1);
  r->newer[items] = r->older[items] = items;
}

static void ring_add(ring *r, uint32_t head, uint32_t x)
{
  r->older[x] = r->older[head];
  r->newer[x] = head;
  r->newer[r->older[x]] = x;
  r->older[head] = x;
  r->n++;
}

static void ring_remove(ring *r, uint32_t x)
{
  r->newer[r->older[x]] = r->newer[x];
  r->older[r->newer[x]] = r->older[x];
  r->n--;
}

static void ring_clear(ring *r)
{
  mem_free(r->newer);
  mem_free(r->older);
}

/* ---- the words that most is waiting for ---- */

static bool before(const grower *w, size_t a, size_t b)
{
  return w->heap[a].count != w->heap[b].count ? w->heap[a].count > w->heap[b].count : w->heap[a].item < w->heap[b].item;
}

static void swap(grower *w, size_t a, size_t b)
{
  __typeof__(*w->heap) kept = w->heap[a];
  w->heap[a] = w->heap[b];
  w->heap[b] = kept;
}

static void heap_add(grower *w, uint32_t x)
{
  size_t i = w->heaped++;
  w->heap = mem_room(w->heap, i, &w->room, sizeof *w->heap);
  w->heap[i].count = w->only[x];
  w->heap[i].item = x;
  for (; i > 0 && before(w, i, (i - 1) / 2); i = (i - 1) / 2)
    swap(w, i, (i - 1) / 2);
}

static void heap_drop(grower *w)
{
  swap(w, 0, --w->heaped);
  for (size_t i = 0, child; (child = 2 * i + 1) < w->heaped; i = child) {
    child += child + 1 < w->heaped && before(w, child + 1, child);
    if (!before(w, child, i))
      break;
    swap(w, i, child);
  }
}

/* ---- what is missing of whom ---- */

static uint32_t the_missing(const grower *w, uint32_t v)
{
  uint64_t e = w->g->pred_at[v];
  while (w->cached[w->g->pred[e]])
    e++;
  return w->g->pred[e];
}

/* v is open and lacks as many words as it says. */
static void enlist(grower *w, uint32_t v)
{
  if (w->missing[v] == 0)
    ring_add(&w->ready, w->p->items, v);
  else if (w->missing[v] == 1) {
    uint32_t x = the_missing(w, v);
    w->only[x]++;
    heap_add(w, x);
  }
}

static void delist(grower *w, uint32_t v)
{
  if (w->missing[v] == 0)
    ring_remove(&w->ready, v);
  else if (w->missing[v] == 1)
    w->only[the_missing(w, v)]--;
}

static bool is_open(const grower *w, uint32_t v) { return w->waits[v] == 0 && !w->done[v] && w->p->writes[v] > 0; }

static void set_cached(grower *w, uint32_t x, bool in)
{
  ring *r = w->p->event_of[x] == ANY_NONE ? &w->inputs : &w->words;
  for (uint64_t e = w->succ->at[x]; e < w->succ->at[x + 1]; e++)
    if (is_open(w, w->succ->to[e]))
      delist(w, w->succ->to[e]);
  w->cached[x] = in;
  if (in)
    ring_add(r, w->p->items, x);
  else
    ring_remove(r, x);
  for (uint64_t e = w->succ->at[x]; e < w->succ->at[x + 1]; e++) {
    uint32_t v = w->succ->to[e];
    if (is_open(w, v)) {
      w->missing[v] += in ? -1 : 1;
      enlist(w, v);
    }
  }
}

static void touch(grower *w, uint32_t x)
{
  ring *r = w->p->event_of[x] == ANY_NONE ? &w->inputs : &w->words;
  if (w->cached[x]) {
    ring_remove(r, x);
    ring_add(r, w->p->items, x);
    return;
  }
  if (w->inputs.n + w->words.n >= w->p->m)
    set_cached(w, w->inputs.n > 0 ? w->inputs.newer[w->p->items] : w->words.newer[w->p->items], false);
  set_cached(w, x, true);
}

/* ---- computing ---- */

/* By how much more words are of use once v is computed. */
static int growth(const grower *w, uint32_t v)
{
  int more = w->left[v] > 0;
  for (uint64_t e = w->g->pred_at[v]; e < w->g->pred_at[v + 1]; e++)
    more -= w->left[w->g->pred[e]] == 1 && w->p->event_of[w->g->pred[e]] != ANY_NONE;
  return more;
}

static bool may(const grower *w, uint32_t v)
{
  int more = growth(w, v);
  return more <= 0 || w->live + (uint32_t)more <= w->limit;
}

static void open_readers(grower *w, uint32_t x)
{
  for (uint64_t e = w->succ->at[x]; e < w->succ->at[x + 1]; e++) {
    uint32_t v = w->succ->to[e];
    if (w->p->writes[v] == 0 || --w->waits[v] > 0)
      continue;
    w->missing[v] = 0;
    for (uint64_t k = w->g->pred_at[v]; k < w->g->pred_at[v + 1]; k++)
      w->missing[v] += !w->cached[w->g->pred[k]];
    enlist(w, v);
  }
}

static void compute(grower *w, uint32_t v)
{
  const cdag_graph *g = w->g;
  for (uint32_t i = 0; i < w->p->writes[v]; i++)
    w->order[w->filled++] = w->p->event_of[v] + i;
  w->live = (uint32_t)((int)w->live + growth(w, v));
  delist(w, v);
  w->done[v] = 1;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
    uint32_t u = g->pred[e];
    if (--w->left[u] == 0 && w->cached[u])
      set_cached(w, u, false);
    else if (w->cached[u])
      touch(w, u);
  }
  if (w->left[v] > 0)
    touch(w, v);
  open_readers(w, v);
}

/* What v lacks, and then v. */
static void fetch_and_compute(grower *w, uint32_t v)
{
  for (uint64_t e = w->g->pred_at[v]; e < w->g->pred_at[v + 1]; e++)
    touch(w, w->g->pred[e]);
  compute(w, v);
}

/* ---- choosing ---- */

enum { LOOKED_AT = 24 };

/* The first of those that lack nothing, oldest first, that may be computed. */
static uint32_t ready_vertex(const grower *w)
{
  uint32_t head = w->p->items, tried = 0;
  for (uint32_t v = w->ready.newer[head]; v != head && tried < LOOKED_AT * 4; v = w->ready.newer[v], tried++)
    if (may(w, v))
      return v;
  return ANY_NONE;
}

/* A vertex that lacks only the word which most others lack as well, and may be computed. */
static uint32_t vertex_by_word(grower *w)
{
  uint32_t aside[LOOKED_AT], n = 0, found = ANY_NONE;
  while (w->heaped > 0 && n < LOOKED_AT && found == ANY_NONE) {
    uint32_t x = w->heap[0].item, count = w->heap[0].count;
    heap_drop(w);
    if (w->only[x] != count || count == 0)
      continue;
    aside[n++] = x;
    for (uint64_t e = w->succ->at[x]; e < w->succ->at[x + 1] && found == ANY_NONE; e++)
      if (is_open(w, w->succ->to[e]) && w->missing[w->succ->to[e]] == 1 && may(w, w->succ->to[e]))
        found = w->succ->to[e];
  }
  for (uint32_t i = 0; i < n; i++)
    heap_add(w, aside[i]);
  return found;
}

/* Of the readers of the words touched longest ago (a block goes on where it began) the one that lacks least. */
static uint32_t vertex_nearby(const grower *w, bool any)
{
  uint32_t head = w->p->items, best = ANY_NONE, tried = 0;
  for (uint32_t x = w->words.newer[head]; x != head && tried < LOOKED_AT; x = w->words.newer[x], tried++) {
    uint32_t seen = 0;
    for (uint64_t e = w->succ->at[x]; e < w->succ->at[x + 1] && seen < LOOKED_AT; e++) {
      uint32_t v = w->succ->to[e];
      seen += !w->done[v];
      if (is_open(w, v) && (best == ANY_NONE || w->missing[v] < w->missing[best]) && (any || may(w, v)))
        best = v;
    }
  }
  return best;
}

/* The first open vertex as they are numbered: there is one, since they are in a legal order. */
static uint32_t first_vertex(grower *w)
{
  while (!is_open(w, w->p->write[w->next]))
    w->next++;
  return w->p->write[w->next];
}

static uint32_t choose(grower *w)
{
  uint32_t v = ready_vertex(w);
  if (v == ANY_NONE)
    v = vertex_by_word(w);
  if (v == ANY_NONE)
    v = vertex_nearby(w, false);
  if (v == ANY_NONE && w->live < w->limit)
    v = first_vertex(w);
  if (v == ANY_NONE)
    v = vertex_nearby(w, true);
  return v == ANY_NONE ? first_vertex(w) : v;
}

static void count(grower *w)
{
  const cdag_graph *g = w->g;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; w->p->writes[v] && e < g->pred_at[v + 1]; e++) {
      w->left[g->pred[e]]++;
      w->waits[v] += w->p->event_of[g->pred[e]] != ANY_NONE;
    }
  for (uint32_t v = 0; v < g->n; v++) {
    w->missing[v] = (uint32_t)(g->pred_at[v + 1] - g->pred_at[v]);
    if (is_open(w, v))
      enlist(w, v);
  }
}

void any_order_words(const any_program *p, uint32_t live, double deadline, uint32_t *order)
{
  grower w = { .p = p, .g = p->g, .succ = cdag_graph_successors(p->g), .limit = live, .order = order };
  uint32_t **array[] = { &w.left, &w.waits, &w.missing, &w.only };
  ring *rings[] = { &w.inputs, &w.words, &w.ready };
  for (size_t i = 0; i < sizeof array / sizeof *array; i++)
    *array[i] = MEM_NEW(uint32_t, p->items);
  for (size_t i = 0; i < sizeof rings / sizeof *rings; i++)
    ring_init(rings[i], p->items);
  w.done = MEM_NEW(uint8_t, p->items);
  w.cached = MEM_NEW(uint8_t, p->items);
  count(&w);
  bool late = false;
  for (uint32_t step = 0; w.filled < p->events; step++) {
    late |= step % 1024 == 0 && clock_seconds() > deadline;
    fetch_and_compute(&w, late ? first_vertex(&w) : choose(&w));
  }
  for (size_t i = 0; i < sizeof array / sizeof *array; i++)
    mem_free(*array[i]);
  for (size_t i = 0; i < sizeof rings / sizeof *rings; i++)
    ring_clear(rings[i]);
  mem_free(w.done);
  mem_free(w.cached);
  mem_free(w.heap);
}
