/* schedules/any/trace.c -- the moves of a play, written down while it is played.

   Stores decided late are put back to the step at which the item left.  In the partial game a compute aggregates every
   edge it can, so later events may find their edge done: their compute is left out, and so are loads and stores that
   iteration out to serve nothing. */
#include "base/mem.h"
#include "schedules/any/internal.h"

struct any_record {
  const any_program *p;
  pebble_trace trace;
  uint8_t *save_first;      /* steps: store the vertex that leaves here before it does */
  size_t room;
  size_t *left;             /* items: the step at which it last left */
  uint8_t *left_blue, *blue, *red;
  uint8_t *aggregated;      /* partial: events */
};

any_record *any_record_new(const any_program *p)
{
  any_record *r = MEM_NEW(any_record, 1);
  r->p = p;
  r->left = MEM_NEW(size_t, p->items);
  r->left_blue = MEM_NEW(uint8_t, p->items);
  r->blue = MEM_NEW(uint8_t, p->items);
  r->red = MEM_NEW(uint8_t, p->items);
  r->aggregated = MEM_NEW(uint8_t, p->events);
  for (uint32_t x = 0; x < p->items; x++)
    r->blue[x] = cdag_graph_is_input(p->g, x);
  return r;
}

static void step(any_record *r, pebble_kind kind, uint32_t x, uint32_t slide)
{
  r->save_first = mem_room(r->save_first, r->trace.n, &r->room, 1);
  r->save_first[r->trace.n] = 0;
  if (slide == ANY_NONE)
    pebble_trace_add(&r->trace, kind, x);
  else
    pebble_trace_slide(&r->trace, x, slide);
}

static void leaves(any_record *r, uint32_t x)
{
  r->left[x] = r->trace.n - 1;
  r->left_blue[x] = r->blue[x];
  r->red[x] = 0;
}

void any_record_load(any_record *r, uint32_t x)
{
  step(r, PEBBLE_LOAD, x, ANY_NONE);
  r->red[x] = 1;
}

void any_record_save(any_record *r, uint32_t x)
{
  r->save_first[r->left[x]] = !r->left_blue[x];
  r->blue[x] = 1;
}

void any_record_drop(any_record *r, uint32_t x)
{
  step(r, PEBBLE_DROP, x, ANY_NONE);
  leaves(r, x);
}

void any_record_store(any_record *r, uint32_t x)
{
  if (!r->blue[x])
    step(r, PEBBLE_STORE, x, ANY_NONE);
  r->blue[x] = 1;
}

static bool complete(const any_record *r, uint32_t x)
{
  const any_program *p = r->p;
  for (uint32_t i = 0; i < p->writes[x]; i++)
    if (!r->aggregated[p->event_of[x] + i])
      return false;
  return true;
}

/* False if there is nothing left to do for this event. */
static bool aggregate(any_record *r, uint32_t event, uint32_t x)
{
  const any_program *p = r->p;
  if (r->aggregated[event])
    return false;
  for (uint32_t e = p->event_of[x]; e < p->event_of[x] + p->writes[x]; e++) {
    uint32_t u = p->read[p->read_at[e]];
    if (r->red[u] && complete(r, u))
      r->aggregated[e] = 1;
  }
  r->blue[x] = 0;
  return true;
}

void any_record_compute(any_record *r, uint32_t event, uint32_t x, uint32_t slide)
{
  if (r->p->partial && !aggregate(r, event, x))
    return;
  step(r, PEBBLE_COMPUTE, x, slide);
  r->red[x] = 1;
  if (slide != ANY_NONE)
    leaves(r, slide);
}

/* ---- tidying ---- */

/* The trace with the late stores in their places. */
static void insert_saves(const any_record *r, pebble_trace *out)
{
  for (size_t i = 0; i < r->trace.n; i++) {
    pebble_step s = r->trace.step[i];
    if (r->save_first[i])
      pebble_trace_add(out, PEBBLE_STORE, s.kind == PEBBLE_COMPUTE ? s.slide : s.vertex);
    pebble_trace_add(out, s.kind, s.vertex);
    out->step[out->n - 1].slide = s.slide;
  }
}

/* A computed vertex uses its predecessors, and in the partial game what it held itself. */
static void mark_used(const cdag_graph *g, uint32_t v, uint8_t *used)
{
  used[v] = 1;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    used[g->pred[e]] = 1;
}

/* Mark loads that nothing uses before the item leaves again, and that departure. */
static void find_idle_loads(const any_program *p, const pebble_trace *t, uint8_t *idle)
{
  uint8_t *used = MEM_NEW(uint8_t, p->items), *loaded = MEM_NEW(uint8_t, p->items);
  size_t *at = MEM_NEW(size_t, p->items);
  for (size_t i = 0; i < t->n; i++) {
    uint32_t x = t->step[i].vertex;
    if (t->step[i].kind == PEBBLE_LOAD) {
      used[x] = 0;
      loaded[x] = 1;
      at[x] = i;
    } else if (t->step[i].kind == PEBBLE_COMPUTE)
      mark_used(p->g, x, used);
    else if (t->step[i].kind == PEBBLE_STORE)
      used[x] = 1;
    else if (t->step[i].kind == PEBBLE_DROP) {
      if (loaded[x] && !used[x])
        idle[i] = idle[at[x]] = 1;
      loaded[x] = 0;
    }
  }
  mem_free(used);
  mem_free(loaded);
  mem_free(at);
}

/* Mark stores of what is no output and never loaded afterwards. */
static void find_idle_stores(const any_program *p, const pebble_trace *t, uint8_t *idle)
{
  uint8_t *loaded_later = MEM_NEW(uint8_t, p->items);
  for (size_t i = t->n; i-- > 0;) {
    uint32_t x = t->step[i].vertex;
    if (t->step[i].kind == PEBBLE_LOAD && !idle[i])
      loaded_later[x] = 1;
    if (t->step[i].kind == PEBBLE_STORE && !p->g->output[x] && !loaded_later[x])
      idle[i] = 1;
  }
  mem_free(loaded_later);
}

void any_record_finish(any_record *r, pebble_trace *out)
{
  size_t kept = 0;
  insert_saves(r, out);
  uint8_t *idle = MEM_NEW(uint8_t, out->n);
  find_idle_loads(r->p, out, idle);
  find_idle_stores(r->p, out, idle);
  for (size_t i = 0; i < out->n; i++)
    if (!idle[i])
      out->step[kept++] = out->step[i];
  out->n = kept;
  mem_free(idle);
  mem_free(r->left);
  mem_free(r->left_blue);
  mem_free(r->blue);
  mem_free(r->red);
  mem_free(r->aggregated);
  mem_free(r->save_first);
  pebble_trace_clear(&r->trace);
  mem_free(r);
}
