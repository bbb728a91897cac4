/* referee.c -- see referee.h. */
#include "cli/referee.h"
#include "base/mem.h"
#include "schedules/play/elementary.h"

enum { VERTICES = 1 << 24, MOVES = 1 << 26 };

typedef struct {
  const cdag *g;
  pebble_trace trace;
  bool full;
} gathering;

static uint32_t id_of(const cdag *g, const cdag_element *e) { return (uint32_t)cdag_id(g, e->array, e->x); }

static bool gather(void *context, const schedule_step *step)
{
  gathering *k = context;
  uint32_t at = id_of(k->g, &step->element);
  k->full = k->trace.n >= MOVES;
  if (step->kind == PEBBLE_COMPUTE)
    pebble_trace_slide(&k->trace, at, step->slides ? id_of(k->g, &step->slide) : PEBBLE_NO_SLIDE);
  else
    pebble_trace_add(&k->trace, step->kind, at);
  return !k->full;
}

/* Where the description has arrays, its order of predecessors and of outputs is not the graph's. */
static bool same_place(const cdag *g, const pebble_verdict *v, const pebble_verdict *w)
{
  bool ordered = g->graph != NULL;
  if (v->rule != w->rule || v->needed != w->needed || v->has_missing != w->has_missing)
    return false;
  if ((ordered || v->rule != PEBBLE_OUTPUT) && id_of(g, &v->element) != (uint32_t)w->element.x[0])
    return false;
  return !ordered || !v->has_missing || id_of(g, &v->missing) == (uint32_t)w->missing.x[0];
}

/* A value that is missing ends the text, not the game: the moves before it are compared. */
static bool same(const cdag *g, const pebble_verdict *v, const pebble_verdict *w)
{
  bool counts = v->loads == w->loads && v->stores == w->stores && v->computes == w->computes && v->peak == w->peak;
  return counts && (v->rule == PEBBLE_VALUE || (v->legal == w->legal && (v->legal || same_place(g, v, w))));
}

static status judge(const schedule *s, const pebble_rules *rules, const cdag_graph *graph, const pebble_verdict *v,
                    bool *agree, diag *d)
{
  gathering k = { .g = s->g };
  status st = schedule_each_step(s, rules, gather, &k, d);
  if (st == BAD_INPUT && v->rule == PEBBLE_VALUE)
    st = OK;
  if (st == OK && k.full)
    st = diag_set(d, GAVE_UP, "limit",
                  "more than %d moves are too many for the plain referee to hold: give --engine element", MOVES);
  if (st == OK) {
    pebble_verdict w = pebble_judge(graph, rules, &k.trace);
    *agree = same(s->g, v, &w);
  }
  pebble_trace_clear(&k.trace);
  return st;
}

status cli_referee(const schedule *s, const pebble_rules *rules, const pebble_verdict *v, bool *agree, diag *d)
{
  cdag_graph graph = { 0 };
  if (s->g->graph)
    return judge(s, rules, s->g->graph, v, agree, d);
  status st = cdag_materialise(s->g, VERTICES, &graph, d);
  if (st == OK)
    st = judge(s, rules, &graph, v, agree, d);
  cdag_graph_clear(&graph);
  return st;
}
