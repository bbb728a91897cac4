#include "base/mem.h"
#include "schedules/any/internal.h"
#include <string.h>

/* wanted[v]: v leads to an output that has to be computed, or is one. */
static uint8_t *find_wanted(const cdag_graph *g, const uint32_t *topological)
{
  uint8_t *wanted = MEM_NEW(uint8_t, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    wanted[v] = g->output[v] && !cdag_graph_is_input(g, v);
  cdag_graph_mark_leading(g, topological, wanted);
  return wanted;
}

static void add_event(any_program *p, uint32_t v, const uint32_t *read, uint64_t n)
{
  uint32_t e = p->events++, at = p->read_at[e];
  for (uint64_t i = 0; i < n; i++)
    p->read[at++] = read[i];
  p->read_at[e + 1] = at;
  p->write[e] = v;
  p->active[e] = 1;
  p->length++;
  p->writes[v]++;
  if (p->event_of[v] == ANY_NONE)
    p->event_of[v] = e;
}

static void add_vertex(any_program *p, uint32_t v)
{
  const uint32_t *pred = p->g->pred + p->g->pred_at[v];
  uint64_t n = p->g->pred_at[v + 1] - p->g->pred_at[v];
  p->store[v] = p->g->output[v];
  if (!p->partial)
    add_event(p, v, pred, n);
  for (uint64_t i = 0; p->partial && i < n; i++)
    add_event(p, v, pred + i, 1);
}

void any_program_init(any_program *p, const cdag_graph *g, const pebble_rules *rules)
{
  *p = (any_program){ .g = g, .items = g->n };
  p->partial = rules->variant == PEBBLE_PARTIAL;
  p->sliding = rules->variant == PEBBLE_SLIDING;
  p->recompute = !rules->one_shot && !p->partial;
  p->m = rules->m > g->n ? g->n + 1 : (uint32_t)rules->m;
  p->room_events = p->partial ? (uint32_t)g->m : g->n;
  p->room_reads = (uint32_t)g->m;
  if (p->recompute) { /* computing again at most about everything once */
    p->room_events += g->n;
    p->room_reads += (uint32_t)g->m;
  }
  p->read_at = MEM_NEW(uint32_t, (size_t)p->room_events + 1);
  p->read = MEM_NEW(uint32_t, p->room_reads);
  p->write = MEM_NEW(uint32_t, p->room_events);
  p->active = MEM_NEW(uint8_t, p->room_events);
  p->writes = MEM_NEW(uint32_t, g->n);
  p->event_of = MEM_NEW(uint32_t, g->n);
  p->store = MEM_NEW(uint8_t, g->n);
  uint32_t *topological = MEM_NEW(uint32_t, g->n);
  cdag_graph_topological(g, topological);
  uint8_t *wanted = find_wanted(g, topological);
  for (uint32_t v = 0; v < g->n; v++)
    p->event_of[v] = ANY_NONE;
  for (uint32_t i = 0; i < g->n; i++)
    if (wanted[topological[i]] && !cdag_graph_is_input(g, topological[i]))
      add_vertex(p, topological[i]);
  mem_free(topological);
  mem_free(wanted);
}

void any_program_clear(any_program *p)
{
  mem_free(p->read_at);
  mem_free(p->read);
  mem_free(p->write);
  mem_free(p->active);
  mem_free(p->writes);
  mem_free(p->event_of);
  mem_free(p->store);
  *p = (any_program){ 0 };
}

void any_program_copy(any_program *into, const any_program *p)
{
  into->events = p->events;
  into->length = p->length;
  memcpy(into->read_at, p->read_at, ((size_t)p->events + 1) * sizeof *p->read_at);
  memcpy(into->read, p->read, p->read_at[p->events] * sizeof *p->read);
  memcpy(into->write, p->write, p->events * sizeof *p->write);
  memcpy(into->active, p->active, p->events);
  memcpy(into->writes, p->writes, p->items * sizeof *p->writes);
}

/* Events out of play stay where they are: one of x's is used again before a new one is made. */
uint32_t any_program_again(any_program *p, uint32_t x)
{
  uint32_t first = p->event_of[x], n = p->read_at[first + 1] - p->read_at[first];
  for (uint32_t e = first; e < p->events; e++)
    if (p->write[e] == x && !p->active[e]) {
      p->active[e] = 1;
      p->length++;
      p->writes[x]++;
      return e;
    }
  if (p->events == p->room_events || p->read_at[p->events] + n > p->room_reads)
    return ANY_NONE;
  add_event(p, x, p->read + p->read_at[first], n);
  return p->events - 1;
}

void any_program_forget(any_program *p, uint32_t event)
{
  p->active[event] = 0;
  p->length--;
  p->writes[p->write[event]]--;
}
