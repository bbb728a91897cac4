/* optimal.c -- the exact optimum: split the graph into its components, bound each from above, search, have it judged.

   Vertices that lead to no output are left out.  Components: a pebbling of the whole, restricted to the moves on one
   component, is a pebbling of that component with no more red pebbles; and pebblings of the components can be played
   one after the other.  So the optimum is the sum. */
#include "base/forest.h"
#include "base/mem.h"
#include "pebble/optimal/internal.h"
#include <assert.h>
#include <string.h>

enum {
  NARROW = 32, WIDE = 1024,           /* positions kept by the two beams */
  EASY = 1 << 25, HARD = 1 << 27,     /* bytes of positions that a search may store before the game learns, and more, */
  LEARNING = 30000000                 /* and how much work that is at first: some seconds */
};

/* live[v]: v leads to an output.  Nothing else need ever be touched. */
static uint8_t *find_live(const cdag_graph *g)
{
  uint8_t *live = MEM_NEW(uint8_t, g->n);
  memcpy(live, g->output, g->n);
  cdag_graph_mark_leading(g, NULL, live);
  return live;
}

uint64_t pebble_least_memory(const cdag_graph *g, const pebble_rules *rules)
{
  uint8_t *live = find_live(g);
  uint64_t most = 0;
  for (uint32_t v = 0; v < g->n; v++)
    if (live[v] && g->pred_at[v + 1] - g->pred_at[v] > most)
      most = g->pred_at[v + 1] - g->pred_at[v];
  mem_free(live);
  if (most == 0)
    return 0;
  switch (rules->variant) {
  case PEBBLE_PARTIAL: return 2;
  case PEBBLE_SLIDING: return most;
  default: return most + 1;
  }
}

static bool counts_bits(void)
{
#ifdef __x86_64__
  return __builtin_cpu_supports("popcnt");
#else
  return false;
#endif
}

optimal_game *optimal_new(const cdag_graph *g, const pebble_rules *rules)
{
  if (rules->variant == PEBBLE_PARTIAL) /* a connected graph has n - 1 edges or more */
    return g->m < 64 ? optimal_partial_1(g, rules) : g->m < 256 ? optimal_partial_4(g, rules) : NULL;
  if (g->n <= 64)
    return counts_bits() ? optimal_whole_1_popcount(g, rules) : optimal_whole_1(g, rules);
  return g->n <= 128 ? optimal_whole_2(g, rules) : g->n <= 512 ? optimal_whole_8(g, rules) : NULL;
}

/* ---- components ---- */

typedef struct {
  cdag_graph g;
  uint32_t n, *vertex;        /* its vertices in the whole graph */
  uint64_t lower, upper;
  pebble_trace trace;         /* costs upper; vertices of g */
  pebble_optimal_list *list;  /* NULL: not asked for */
} part;

typedef struct {
  const cdag_graph *g;
  const pebble_rules *rules;
  uint32_t *part_of, *local;  /* of each vertex; OPTIMAL_NONE: in no part */
  part *part;
  uint32_t parts;
} split;

/* Number the components of the live vertices by their smallest vertex; vertices without edges belong to none. */
static void number_parts(split *s)
{
  const cdag_graph *g = s->g;
  uint8_t *live = find_live(g);
  uint32_t *up = MEM_NEW(uint32_t, g->n), *edges = MEM_NEW(uint32_t, g->n);
  forest_plant(up, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; live[v] && e < g->pred_at[v + 1]; e++) {
      forest_unite(up, v, g->pred[e]);
      edges[v] = edges[g->pred[e]] = 1;
    }
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t r = forest_root(up, v);
    s->part_of[v] = !edges[v] ? OPTIMAL_NONE : r == v ? s->parts++ : s->part_of[r];
  }
  mem_free(live);
  mem_free(up);
  mem_free(edges);
}

static void gather_vertices(split *s)
{
  uint32_t n = s->g->n;
  for (uint32_t v = 0; v < n; v++)
    if (s->part_of[v] != OPTIMAL_NONE)
      s->local[v] = s->part[s->part_of[v]].n++;
  for (uint32_t p = 0; p < s->parts; p++)
    s->part[p].vertex = MEM_NEW(uint32_t, s->part[p].n);
  for (uint32_t v = 0; v < n; v++)
    if (s->part_of[v] != OPTIMAL_NONE)
      s->part[s->part_of[v]].vertex[s->local[v]] = v;
}

/* Live vertices and all their edges: a graph as the whole is.  Edge by edge, they are in order, so that others number
   them alike. */
static void build_part(split *s, part *q)
{
  const cdag_graph *g = s->g;
  uint64_t m = 0, edge = 0;
  for (uint32_t i = 0; i < q->n; i++)
    m += g->pred_at[q->vertex[i] + 1] - g->pred_at[q->vertex[i]];
  uint32_t *from = MEM_NEW(uint32_t, m), *to = MEM_NEW(uint32_t, m);
  SCOPED_MEM uint8_t *output = MEM_NEW(uint8_t, q->n);
  for (uint32_t i = 0; i < q->n; i++) {
    uint32_t v = q->vertex[i];
    output[i] = g->output[v];
    for (uint64_t e = g->pred_at[v], begin = edge; e < g->pred_at[v + 1]; e++) {
      uint64_t at = edge;
      for (; s->rules->variant == PEBBLE_PARTIAL && at > begin && from[at - 1] > s->local[g->pred[e]]; at--)
        from[at] = from[at - 1];
      from[at] = s->local[g->pred[e]];
      to[edge++] = i;
    }
  }
  status st = cdag_graph_init(&q->g, q->n, m, from, to, output, NULL);
  assert(st == OK);
  (void)st;
  mem_free(from);
  mem_free(to);
}

static void split_init(split *s, const cdag_graph *g, const pebble_rules *rules)
{
  *s = (split){ .g = g, .rules = rules };
  s->part_of = MEM_NEW(uint32_t, g->n);
  s->local = MEM_NEW(uint32_t, g->n);
  number_parts(s);
  s->part = MEM_NEW(part, s->parts);
  gather_vertices(s);
  for (uint32_t p = 0; p < s->parts; p++)
    build_part(s, &s->part[p]);
}

static void split_clear(split *s)
{
  for (uint32_t p = 0; p < s->parts; p++) {
    cdag_graph_clear(&s->part[p].g);
    mem_free(s->part[p].vertex);
    pebble_trace_clear(&s->part[p].trace);
  }
  mem_free(s->part);
  mem_free(s->part_of);
  mem_free(s->local);
}

/* ---- bounds from above ---- */

/* Take trace (and free it) as the pebbling of q if the judge finds it legal and cheaper. */
static void offer(part *q, const pebble_rules *rules, pebble_trace *trace)
{
  pebble_verdict v = pebble_judge(&q->g, rules, trace);
  if (v.legal && pebble_io(&v) < q->upper) {
    pebble_trace_clear(&q->trace);
    q->trace = *trace;
    q->upper = (uint64_t)pebble_io(&v); /* of steps in memory */
  } else
    pebble_trace_clear(trace);
}

/* The moves of a pebbling of the whole on one component. */
static void offer_restriction(split *s, uint32_t p, const pebble_trace *whole)
{
  pebble_trace t = { 0 };
  for (size_t i = 0; i < whole->n; i++) {
    pebble_step m = whole->step[i];
    if (m.vertex >= s->g->n || s->part_of[m.vertex] != p)
      continue;
    pebble_trace_add(&t, m.kind, s->local[m.vertex]);
    if (m.slide != PEBBLE_NO_SLIDE && m.slide < s->g->n)
      t.step[t.n - 1].slide = s->local[m.slide];
  }
  offer(&s->part[p], s->rules, &t);
}

static void bound_part(split *s, uint32_t p, const pebble_trace *start)
{
  part *q = &s->part[p];
  pebble_trace t = { 0 };
  q->lower = cdag_graph_compulsory(&q->g);
  q->upper = UINT64_MAX;
  optimal_greedy(&q->g, s->rules, &t);
  offer(q, s->rules, &t);
  if (start)
    offer_restriction(s, p, start);
}

/* ---- searching ---- */

static void beam(part *q, const pebble_rules *rules, optimal_game *once, uint32_t width, uint64_t bytes,
                 optimal_watch *watch, uint64_t *states)
{
  optimal_result r = { .lower = (uint32_t)q->lower, .upper = (uint32_t)q->upper };
  if (q->lower >= q->upper)
    return;
  optimal_beam(once, width, bytes, watch, &r);
  *states += r.states;
  offer(q, rules, &r.trace);
}

/* A pebbling without recomputation, by beams; it is one with recomputation too. */
static void beams(part *q, const pebble_rules *rules, uint64_t bytes, optimal_watch *watch, uint64_t *states)
{
  pebble_rules once = *rules;
  once.one_shot = true;
  optimal_game *game = optimal_new(&q->g, &once);
  beam(q, rules, game, NARROW, bytes, watch, states);
  beam(q, rules, game, WIDE, bytes, watch, states);
  game->free(game);
}

/* Search with so many bytes; with no more, when they are full, only if it is the last search.  False when a limit
   stopped it. */
static bool astar(part *q, const pebble_rules *rules, optimal_game *game, uint64_t bytes, bool last,
                  optimal_watch *watch, uint64_t *states)
{
  optimal_result r = { .lower = (uint32_t)q->lower, .upper = (uint32_t)q->upper, .list = q->list };
  if (q->lower >= q->upper && !q->list)
    return true;
  optimal_astar(game, bytes, watch, &r);
  if (r.full && last && watch->limits && watch->limits->go_on && !q->list)
    optimal_deepen(game, bytes, watch, &r);
  *states += r.states;
  if (r.trace.n)
    offer(q, rules, &r.trace);
  q->lower = r.lower;
  return !r.gave_up;
}

/* The bytes it took. */
static uint64_t learn(part *q, const pebble_rules *rules, optimal_game *game, uint64_t work, uint64_t bytes,
                      optimal_watch *watch, uint64_t *states)
{
  optimal_result r = { .lower = (uint32_t)q->lower, .upper = (uint32_t)q->upper, .list = q->list };
  uint64_t taken = game->learn(game, &r, work, bytes / 2, watch);
  q->lower = r.lower;
  beam(q, rules, game, WIDE, bytes, watch, states);
  return taken;
}

static status search_part(split *s, uint32_t p, uint64_t bytes, optimal_watch *watch, uint64_t *states)
{
  part *q = &s->part[p];
  optimal_game *game = q->upper < 1 << 15 ? optimal_new(&q->g, s->rules) : NULL;
  if (!game)
    return q->lower < q->upper ? GAVE_UP : OK;
  game->lists = q->list;
  beams(q, s->rules, bytes, watch, states);
  bool done = false;
  uint64_t taken = 0;
  if (game->learn && EASY < bytes / 2) {
    done = astar(q, s->rules, game, EASY, false, watch, states);
    taken = done ? 0 : learn(q, s->rules, game, LEARNING, bytes, watch, states);
    done = done || (!q->list && HARD < bytes / 2 && astar(q, s->rules, game, HARD, false, watch, states));
    if (!done && !q->list && q->lower < q->upper)
      taken = learn(q, s->rules, game, UINT64_MAX / 2, bytes, watch, states);
  }
  done = done || astar(q, s->rules, game, bytes - taken, true, watch, states);
  game->free(game);
  return done || q->lower == q->upper ? OK : GAVE_UP;
}

static status search_all(split *s, const pebble_optimal_limits *limits, optimal_watch *watch, pebble_optimum *out)
{
  status st = OK;
  uint64_t bytes = limits && limits->bytes ? limits->bytes : PEBBLE_OPTIMAL_BYTES;
  for (uint32_t p = 0; p < s->parts; p++)
    watch->lower += s->part[p].lower, watch->upper += s->part[p].upper;
  for (uint32_t p = 0; p < s->parts; p++) {
    part *q = &s->part[p];
    watch->lower -= q->lower, watch->upper -= q->upper;
    if ((q->lower < q->upper || q->list) && search_part(s, p, bytes, watch, &out->states) != OK)
      st = GAVE_UP;
    watch->lower += q->lower, watch->upper += q->upper;
  }
  out->lower = watch->lower;
  return st;
}

/* ---- the whole ---- */

/* Append the pebbling of a part, then drop what it leaves red. */
static void append(const part *q, pebble_trace *out)
{
  SCOPED_MEM uint8_t *red = MEM_NEW(uint8_t, q->g.n);
  for (size_t i = 0; i < q->trace.n; i++) {
    pebble_step m = q->trace.step[i];
    if (m.slide != PEBBLE_NO_SLIDE)
      red[m.slide] = 0;
    red[m.vertex] = m.kind == PEBBLE_DROP ? 0 : m.kind == PEBBLE_ERASE ? red[m.vertex] : 1;
    pebble_trace_add(out, m.kind, q->vertex[m.vertex]);
    if (m.slide != PEBBLE_NO_SLIDE)
      out->step[out->n - 1].slide = q->vertex[m.slide];
  }
  for (uint32_t v = 0; v < q->g.n; v++)
    if (red[v])
      pebble_trace_add(out, PEBBLE_DROP, q->vertex[v]);
}

/* Put the parts together and let the judge have the last word. */
static status judge(const split *s, pebble_optimum *out, diag *d)
{
  uint64_t sum = 0;
  for (uint32_t p = 0; p < s->parts; p++) {
    append(&s->part[p], &out->trace);
    sum += s->part[p].upper;
  }
  pebble_verdict v = pebble_judge(s->g, s->rules, &out->trace);
  out->upper = (uint64_t)pebble_io(&v);
  out->proved = out->lower == out->upper;
  /* unreachable: each part was judged, its bound proved; but the judge has the last word, whatever the search has done
   */
  if (!v.legal || out->upper != sum || out->lower > out->upper)
    return diag_set(d, SOLVER, "solver", "the referee refused the pebbling the exact solver found: please report this");
  return OK;
}

static void clear_lists(pebble_optimal_list *list, uint32_t n)
{
  for (uint32_t p = 0; list && p < n; p++) {
    mem_free(list[p].vertex);
    mem_free(list[p].key);
    mem_free(list[p].cost);
    mem_free(list[p].core);
    mem_free(list[p].turn);
  }
  mem_free(list);
}

/* Hand over the lists if all are there. */
static void tell_lists(split *s, pebble_optimal_list *list, pebble_optimum *out)
{
  bool complete = list;
  for (uint32_t p = 0; list && p < s->parts; p++) {
    list[p].least = s->part[p].lower;
    list[p].n = s->part[p].n;
    list[p].vertex = s->part[p].vertex;
    s->part[p].vertex = NULL;
    complete = complete && list[p].complete;
  }
  if (complete)
    out->list = list;
  else
    clear_lists(list, s->parts);
}

static void tell_parts(const split *s, pebble_optimum *out)
{
  out->parts = s->parts;
  out->part = MEM_NEW(uint32_t, s->g->n);
  out->part_lower = MEM_NEW(uint64_t, s->parts);
  for (uint32_t v = 0; v < s->g->n; v++)
    out->part[v] = s->part_of[v] == OPTIMAL_NONE ? s->parts : s->part_of[v];
  for (uint32_t p = 0; p < s->parts; p++)
    out->part_lower[p] = s->part[p].lower;
}

static status solve(split *s, const pebble_optimal_limits *limits, pebble_optimum *out, diag *d)
{
  optimal_watch watch = { .limits = limits, .next_word = clock_seconds() + 1 };
  watch.deadline = limits && limits->seconds > 0 ? clock_seconds() + limits->seconds : CLOCK_NEVER;
  pebble_optimal_list *list = limits && limits->list ? MEM_NEW(pebble_optimal_list, s->parts) : NULL;
  for (uint32_t p = 0; p < s->parts; p++) {
    s->part[p].list = list ? &list[p] : NULL;
    bound_part(s, p, limits ? limits->start : NULL);
  }
  status st = search_all(s, limits, &watch, out);
  tell_parts(s, out);
  status judged = judge(s, out, d);
  tell_lists(s, list, out);
  if (judged != OK) /* unreachable: see judge */
    return judged;
  return st == OK ? OK
                  : diag_set(d, GAVE_UP, "limit",
                             "the optimum is between %llu and %llu: a limit of time, memory or size was reached",
                             (unsigned long long)out->lower, (unsigned long long)out->upper);
}

status pebble_optimal(const cdag_graph *g, const pebble_rules *rules, const pebble_optimal_limits *limits,
                      pebble_optimum *out, diag *d)
{
  split s;
  *out = (pebble_optimum){ .needed = pebble_least_memory(g, rules) };
  out->possible = rules->m >= out->needed;
  if (!out->possible)
    return OK;
  split_init(&s, g, rules);
  status st = solve(&s, limits, out, d);
  split_clear(&s);
  return st;
}

void pebble_optimum_clear(pebble_optimum *o)
{
  pebble_trace_clear(&o->trace);
  mem_free(o->part);
  mem_free(o->part_lower);
  clear_lists(o->list, o->parts);
  *o = (pebble_optimum){ 0 };
}
