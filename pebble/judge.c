/* judge.c -- play a plain trace on an explicit graph, one vertex at a time.

   The rules are Hong and Kung's (1981), with the order in which broken ones are named from docs/schedule-language.md;
   the partial game is Papp, Sobczyk and Yzelman's (2025).  Every number a solver reports rests on this file, so it is
   kept plain: one byte array for each kind of pebble, no shortcut. */
#include "base/mem.h"
#include "pebble/game.h"
#include <string.h>

const char *pebble_rule_name(pebble_rule r)
{
  static const char *const name[] = { NULL,    "already red", "not blue",    "memory", "not red", "already blue",
                                      "input", "recompute",   "predecessor", "output", "value" };
  return name[r];
}

const char *pebble_kind_name(pebble_kind k)
{
  static const char *const name[] = { "load", "store", "compute", "drop", "erase" };
  return name[k];
}

void pebble_trace_add(pebble_trace *t, pebble_kind kind, uint32_t vertex)
{
  t->step = mem_room(t->step, t->n, &t->room, sizeof *t->step);
  t->step[t->n++] = (pebble_step){ kind, vertex, PEBBLE_NO_SLIDE };
}

void pebble_trace_slide(pebble_trace *t, uint32_t vertex, uint32_t from)
{
  pebble_trace_add(t, PEBBLE_COMPUTE, vertex);
  t->step[t->n - 1].slide = from;
}

void pebble_trace_clear(pebble_trace *t)
{
  mem_free(t->step);
  *t = (pebble_trace){ 0 };
}

typedef struct {
  const cdag_graph *g;
  const pebble_rules *rules;
  uint8_t *red, *blue;
  uint8_t *computed;    /* was computed at least once; partial: all edges are aggregated */
  uint8_t *aggregated;  /* partial only: by edge, in the order of g->pred */
  uint64_t reds;
  pebble_verdict v;
} position;

static void position_init(position *p, const cdag_graph *g, const pebble_rules *rules)
{
  *p = (position){ .g = g, .rules = rules };
  p->red = MEM_NEW(uint8_t, g->n);
  p->blue = MEM_NEW(uint8_t, g->n);
  p->computed = MEM_NEW(uint8_t, g->n);
  p->aggregated = MEM_NEW(uint8_t, rules->variant == PEBBLE_PARTIAL ? g->m : 0);
  for (uint32_t v = 0; v < g->n; v++)
    p->blue[v] = cdag_graph_is_input(g, v);
  p->v.legal = true;
}

static void position_clear(position *p)
{
  mem_free(p->red);
  mem_free(p->blue);
  mem_free(p->computed);
  mem_free(p->aggregated);
}

/* The red count if the move needs `more` pebbles; true when they fit. */
static bool room_for(position *p, uint64_t more)
{
  p->v.needed = p->reds + more;
  return p->v.needed <= p->rules->m;
}

static void put_red(position *p, uint32_t x)
{
  p->red[x] = 1;
  p->reds++;
  if (p->reds > p->v.peak)
    p->v.peak = p->reds;
}

static void take_red(position *p, uint32_t x)
{
  p->red[x] = 0;
  p->reds--;
}

static pebble_rule load(position *p, uint32_t x)
{
  if (p->red[x])
    return PEBBLE_ALREADY_RED;
  if (!p->blue[x])
    return PEBBLE_NOT_BLUE;
  if (!room_for(p, 1))
    return PEBBLE_MEMORY;
  put_red(p, x);
  p->v.loads++;
  return PEBBLE_LEGAL;
}

static pebble_rule store(position *p, uint32_t x)
{
  if (!p->red[x])
    return PEBBLE_NOT_RED;
  if (p->blue[x])
    return PEBBLE_ALREADY_BLUE;
  p->blue[x] = 1;
  p->v.stores++;
  return PEBBLE_LEGAL;
}

static pebble_rule drop(position *p, uint32_t x)
{
  if (!p->red[x])
    return PEBBLE_NOT_RED;
  take_red(p, x);
  return PEBBLE_LEGAL;
}

static pebble_rule erase(position *p, uint32_t x)
{
  if (!p->blue[x])
    return PEBBLE_NOT_BLUE;
  p->blue[x] = 0;
  return PEBBLE_LEGAL;
}

static bool is_predecessor(const cdag_graph *g, uint32_t u, uint32_t x)
{
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    if (g->pred[e] == u)
      return true;
  return false;
}

static pebble_rule missing(position *p, uint32_t u)
{
  p->v.has_missing = true;
  p->v.missing.x[0] = u;
  return PEBBLE_PREDECESSOR;
}

static pebble_rule compute(position *p, uint32_t x, uint32_t slide)
{
  const cdag_graph *g = p->g;
  bool dropped = slide != PEBBLE_NO_SLIDE && is_predecessor(g, slide, x);
  bool slides = dropped && p->rules->variant == PEBBLE_SLIDING;
  if (cdag_graph_is_input(g, x))
    return PEBBLE_INPUT;
  if (p->red[x])
    return PEBBLE_ALREADY_RED;
  if (p->rules->one_shot && p->computed[x])
    return PEBBLE_RECOMPUTE;
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++)
    if (!p->red[g->pred[e]])
      return missing(p, g->pred[e]);
  if (!room_for(p, slides ? 0 : 1))
    return PEBBLE_MEMORY;
  if (slides)
    take_red(p, slide);
  put_red(p, x);
  if (dropped && !slides)
    take_red(p, slide);
  p->computed[x] = 1;
  p->v.computes++;
  return PEBBLE_LEGAL;
}

/* ---- the partial game ---- */

static bool complete(const position *p, uint32_t x) { return p->computed[x] || cdag_graph_is_input(p->g, x); }

static bool begun(const position *p, uint32_t x)
{
  for (uint64_t e = p->g->pred_at[x]; e < p->g->pred_at[x + 1]; e++)
    if (p->aggregated[e])
      return true;
  return false;
}

static bool can_aggregate(const position *p, uint64_t e)
{
  return !p->aggregated[e] && p->red[p->g->pred[e]] && complete(p, p->g->pred[e]);
}

/* Rules that hold before any edge is looked at. */
static pebble_rule aggregate_refused(const position *p, uint32_t x)
{
  if (cdag_graph_is_input(p->g, x))
    return PEBBLE_INPUT;
  if (p->computed[x])
    return p->red[x] ? PEBBLE_ALREADY_RED : PEBBLE_RECOMPUTE;
  return !p->red[x] && begun(p, x) ? PEBBLE_RECOMPUTE : PEBBLE_LEGAL;
}

static pebble_rule aggregate(position *p, uint32_t x, uint32_t slide)
{
  const cdag_graph *g = p->g;
  uint64_t from = g->pred_at[x], to = g->pred_at[x + 1], ready = 0, open = 0;
  pebble_rule refused = aggregate_refused(p, x);
  if (refused)
    return refused;
  for (uint64_t e = from; e < to; e++) {
    ready += can_aggregate(p, e);
    open += !p->aggregated[e];
  }
  for (uint64_t e = from; ready == 0; e++)
    if (!p->aggregated[e])
      return missing(p, g->pred[e]);
  if (!p->red[x] && !room_for(p, 1))
    return PEBBLE_MEMORY;
  for (uint64_t e = from; e < to; e++)
    if (can_aggregate(p, e))
      p->aggregated[e] = 1;
  if (!p->red[x])
    put_red(p, x);
  p->blue[x] = 0;
  p->computed[x] = ready == open;
  if (slide != PEBBLE_NO_SLIDE && is_predecessor(g, slide, x) && p->red[slide])
    take_red(p, slide);
  p->v.computes++;
  return PEBBLE_LEGAL;
}

/* ---- the loop ---- */

static pebble_rule play(position *p, const pebble_step *s)
{
  switch (s->kind) { /* unreachable: a kind beyond these */
  case PEBBLE_LOAD: return load(p, s->vertex);
  case PEBBLE_STORE: return store(p, s->vertex);
  case PEBBLE_DROP: return drop(p, s->vertex);
  case PEBBLE_ERASE: return erase(p, s->vertex);
  case PEBBLE_COMPUTE: break;
  }
  return p->rules->variant == PEBBLE_PARTIAL ? aggregate(p, s->vertex, s->slide) : compute(p, s->vertex, s->slide);
}

static void broken(position *p, pebble_rule rule, uint32_t x)
{
  p->v.legal = false;
  p->v.rule = rule;
  p->v.element.x[0] = x;
}

static void check_outputs(position *p)
{
  bool partial = p->rules->variant == PEBBLE_PARTIAL;
  for (uint32_t v = 0; v < p->g->n && p->v.legal; v++)
    if (p->g->output[v] && (!p->blue[v] || (partial && !complete(p, v))))
      broken(p, PEBBLE_OUTPUT, v);
}

pebble_verdict pebble_judge(const cdag_graph *g, const pebble_rules *rules, const pebble_trace *t)
{
  position p;
  position_init(&p, g, rules);
  for (size_t i = 0; i < t->n && p.v.legal; i++) {
    pebble_rule rule = play(&p, &t->step[i]);
    if (rule != PEBBLE_LEGAL)
      broken(&p, rule, t->step[i].vertex);
    else
      p.v.moves++;
  }
  if (p.v.legal)
    check_outputs(&p);
  if (p.v.rule != PEBBLE_MEMORY)
    p.v.needed = 0;
  position_clear(&p);
  return p.v;
}
