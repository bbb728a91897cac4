/* pebble/element/steps.c -- elementary moves on an explicit graph, straight through its adjacency: for lists of any
   length.

   The rules are those of element.c; here they are asked about one vertex, whose address is its number.  The partial
   game goes the general way. */
#include "pebble/element/element.h"

static bool is_blue(const element_array *a, const cdag_graph *g, uint32_t v)
{
  return pebble_bits_get(&a->blue, v) != cdag_graph_is_input(g, v);
}

static void flip_blue(element_array *a, uint32_t v)
{
  if (pebble_bits_get(&a->blue, v))
    pebble_bits_unset(&a->blue, v);
  else
    pebble_bits_set(&a->blue, v);
}

static pebble_rule load(element_game *e, element_array *a, uint32_t v)
{
  if (pebble_bits_get(&a->red, v))
    return PEBBLE_ALREADY_RED;
  if (!is_blue(a, e->base.g->graph, v))
    return PEBBLE_NOT_BLUE;
  if (!element_room(e, 1))
    return PEBBLE_MEMORY;
  pebble_bits_set(&a->red, v);
  e->base.red++;
  element_peak(e, e->base.red);
  e->base.loads[0]++;
  e->base.verdict.loads++;
  return PEBBLE_LEGAL;
}

static pebble_rule store(element_game *e, element_array *a, uint32_t v)
{
  if (!pebble_bits_get(&a->red, v))
    return PEBBLE_NOT_RED;
  if (is_blue(a, e->base.g->graph, v))
    return PEBBLE_ALREADY_BLUE;
  flip_blue(a, v);
  e->base.stores[0]++;
  e->base.verdict.stores++;
  return PEBBLE_LEGAL;
}

static pebble_rule drop(element_game *e, element_array *a, uint32_t v)
{
  if (!pebble_bits_get(&a->red, v))
    return PEBBLE_NOT_RED;
  pebble_bits_unset(&a->red, v);
  e->base.red--;
  return PEBBLE_LEGAL;
}

static pebble_rule erase(element_game *e, element_array *a, uint32_t v)
{
  if (!is_blue(a, e->base.g->graph, v))
    return PEBBLE_NOT_BLUE;
  flip_blue(a, v);
  return PEBBLE_LEGAL;
}

static pebble_rule missing(element_game *e, uint32_t p)
{
  e->base.verdict.has_missing = true;
  e->base.verdict.missing = (cdag_element){ .x = { p } };
  return PEBBLE_PREDECESSOR;
}

/* The pebbles that go as the vertex is computed: those of all predecessors p .. end, or of one of them. */
static void take(element_game *e, element_array *a, const uint32_t *p, const uint32_t *end, uint32_t slide)
{
  if (slide != PEBBLE_SLIDE_ALL) {
    pebble_bits_unset(&a->red, slide);
    e->base.red--;
    return;
  }
  e->base.red -= (uint64_t)(end - p);
  for (; p < end; p++)
    pebble_bits_unset(&a->red, *p);
}

static pebble_rule compute(element_game *e, element_array *a, uint32_t v, uint32_t slide)
{
  const cdag_graph *g = e->base.g->graph;
  const uint32_t *p = g->pred + g->pred_at[v], *end = g->pred + g->pred_at[v + 1], *first = p;
  bool dropped = slide == PEBBLE_SLIDE_ALL, sliding = e->base.rules.variant == PEBBLE_SLIDING;
  if (p == end)
    return PEBBLE_INPUT;
  if (pebble_bits_get(&a->red, v))
    return PEBBLE_ALREADY_RED;
  if (e->base.rules.one_shot && pebble_bits_get(&a->done, v))
    return PEBBLE_RECOMPUTE;
  for (; p < end; p++) {
    if (!pebble_bits_get(&a->red, *p))
      return missing(e, *p);
    dropped |= *p == slide;
  }
  if (!element_room(e, !(dropped && sliding)))
    return PEBBLE_MEMORY;
  element_peak(e, e->base.red + !(dropped && sliding));
  if (dropped)
    take(e, a, first, end, slide);
  pebble_bits_set(&a->red, v);
  e->base.red++;
  if (e->base.rules.one_shot)
    pebble_bits_set(&a->done, v);
  e->base.verdict.computes++;
  return PEBBLE_LEGAL;
}

static pebble_rule play(element_game *e, element_array *a, const pebble_step *s)
{
  switch (s->kind) { /* unreachable: a kind beyond these */
  case PEBBLE_LOAD: return load(e, a, s->vertex);
  case PEBBLE_STORE: return store(e, a, s->vertex);
  case PEBBLE_DROP: return drop(e, a, s->vertex);
  case PEBBLE_ERASE: return erase(e, a, s->vertex);
  case PEBBLE_COMPUTE: break;
  }
  return compute(e, a, s->vertex, s->slide);
}

static bool play_as_box(element_game *e, const pebble_step *s)
{
  pebble_drop drop = { .whole = s->slide == PEBBLE_SLIDE_ALL,
                       .box = { .lo = { s->slide }, .hi = { (int64_t)s->slide + 1 } } };
  pebble_move move = { .kind = s->kind, .box = { .lo = { s->vertex }, .hi = { (int64_t)s->vertex + 1 } },
                       .drops = s->slide != PEBBLE_NO_SLIDE, .drop = &drop };
  return pebble_play(&e->base, &move);
}

enum { AHEAD = 64 };

/* Up to AHEAD steps; returns how many were legal.  A list goes through the graph in strides and waited for its rows of
   predecessors most of the time: here they are asked for at once.  (In a function of their own gcc takes the requests
   for no effect and drops them.) */
static size_t play_some(element_game *e, const pebble_step *step, size_t n)
{
  const cdag_graph *g = e->base.g->graph;
  for (size_t i = 0; i < n; i++)
    __builtin_prefetch(&g->pred_at[step[i].vertex]);
  for (size_t i = 0; i < n; i++)
    __builtin_prefetch(&g->pred[g->pred_at[step[i].vertex]]);
  for (size_t i = 0; i < n; i++) {
    pebble_rule rule = play(e, &e->array[0], &step[i]);
    if (rule != PEBBLE_LEGAL) {
      element_broken(e, rule, 0, (int64_t[]){ step[i].vertex });
      return i;
    }
    e->base.verdict.moves++;
  }
  return n;
}

size_t element_play_steps(pebble_game *game, const pebble_step *step, size_t n)
{
  element_game *e = (element_game *)game;
  size_t i = 0;
  e->begun = 0;
  for (; i < n && e->partial; i++)
    if (!play_as_box(e, &step[i]))
      return i;
  while (i < n) {
    size_t some = n - i < AHEAD ? n - i : AHEAD, legal = play_some(e, step + i, some);
    i += legal;
    if (legal < some)
      return i;
  }
  game->verdict.needed = 0;
  return n;
}
