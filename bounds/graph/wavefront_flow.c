/* Largest flows in the split graph (Dinic 1970), on the adjacency of the graph itself.

   Node 2v is the arrival at v, 2v+1 its departure.  Residual arcs, in the order they are tried:
     from arrival v:    to departure v while through[v] < capacity[v]; to arrivals of predecessors (always);
                        to departures of predecessors u that send flow here; to arrivals of successors whose backward
                        flow comes here
     from departure v:  to arrivals of successors (always); to arrival v while through[v] > 0
   Every augmenting path carries one unit: capacities are 1 or 2.  A flow touches few vertices, so what it changed is
   listed and undone, and the search's marks carry the number of their round: a small flow in a large graph stays cheap.

   A shortest path meets a source only where it starts.  So a source's arrival leads to its departure alone, and a
   source all of whose successors are sources never takes part: it is charged to the work and otherwise left out.
   Paths are looked for among the nodes on shortest ways only, found from the targets back: so they are the same,
   without dead ends. */
#include "bounds/graph/wavefront.h"
#include "base/mem.h"
#include <assert.h>
#include <string.h>

typedef struct {
  uint32_t round; /* the search's: reached; one more: it also leads to a target; marks of other rounds are void */
  uint32_t level;
  uint64_t next; /* the arc to try next */
} node_mark;

/* A position in pred, and the vertex whose predecessor it is. */
typedef struct {
  uint64_t edge;
  uint32_t to;
} touched_arc;

struct bound_flow {
  const cdag_graph *g;
  const cdag_rows *succ;        /* its successors */
  uint8_t *capacity;
  uint8_t *through;             /* n */
  uint32_t *forward, *backward; /* m, by position in pred: flow u -> v, and from arrival v to arrival u */
  uint32_t *drawn, *sunk;       /* n: the forward flow that arrives at v, and the backward flow */
  uint64_t *edge;               /* m: position in pred of the successor list's entry */
  node_mark *mark;              /* 2n */
  uint32_t round;   /* odd */
  uint32_t *queue;  /* 2n: nodes reached, in order */
  uint32_t *useful; /* 2n: nodes on shortest ways to a target */
  uint32_t reached; /* how many the last search reached */
  uint32_t *side;   /* n: the number of the last x of which v is a source (2k) or a target (2k+1) */
  uint32_t iteration;
  uint32_t *sources, source_count; /* those that lead to a vertex that is none */
  uint64_t idle, first;            /* arcs of the sources left out; of the arrivals of the others */
  uint32_t x, longest;
  bool after, only_paths;
  bool whole; /* the last flow is a largest one, and still there */
  uint64_t flow;
  size_t touched, touched_room;
  touched_arc *touched_edge;
  size_t passed, passed_room;
  uint32_t *passed_vertex; /* with through > 0 at some time */
  size_t path, path_room;
  uint64_t *path_arc; /* arc numbers along the path, and its nodes */
  uint32_t *path_node;
};

static uint64_t *match_edges(const cdag_graph *g, const cdag_rows *succ)
{
  uint64_t *edge = MEM_NEW(uint64_t, g->m);
  uint32_t *next = MEM_NEW(uint32_t, g->n);
  memcpy(next, succ->at, g->n * sizeof *next);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
      assert(succ->to[next[g->pred[e]]] == v);
      edge[next[g->pred[e]]++] = e;
    }
  mem_free(next);
  return edge;
}

bound_flow *bound_flow_new(const cdag_graph *g, const uint8_t *capacity)
{
  bound_flow *f = MEM_NEW(bound_flow, 1);
  f->g = g;
  f->succ = cdag_graph_successors(g);
  f->capacity = MEM_NEW(uint8_t, g->n);
  memcpy(f->capacity, capacity, g->n);
  f->through = MEM_NEW(uint8_t, g->n);
  f->forward = MEM_NEW(uint32_t, g->m);
  f->backward = MEM_NEW(uint32_t, g->m);
  f->drawn = MEM_NEW(uint32_t, g->n);
  f->sunk = MEM_NEW(uint32_t, g->n);
  f->edge = match_edges(g, f->succ);
  f->mark = MEM_NEW(node_mark, 2 * (size_t)g->n);
  f->queue = MEM_NEW(uint32_t, 2 * (size_t)g->n);
  f->useful = MEM_NEW(uint32_t, 2 * (size_t)g->n);
  f->side = MEM_NEW(uint32_t, g->n);
  f->sources = MEM_NEW(uint32_t, g->n);
  return f;
}

void bound_flow_free(bound_flow *f)
{
  void *const blocks[] = { f->capacity, f->through, f->forward, f->backward,     f->drawn,         f->sunk,
                           f->edge,     f->mark,    f->queue,   f->side,         f->sources,       f->touched_edge,
                           f->path_arc, f->path_node, f->passed_vertex, f->useful, f };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
}

const uint8_t *bound_flow_capacity(const bound_flow *f) { return f->capacity; }
void bound_flow_only_paths(bound_flow *f) { f->only_paths = true; }

/* ---- sources and targets ---- */

static bool is_target(const bound_flow *f, uint32_t v) { return f->side[v] == 2 * f->iteration + 1; }

/* Mark x and everything above it (or below it); what is reached is left in f->queue. */
static uint32_t spread(bound_flow *f, bool up, uint32_t mark, uint64_t *work)
{
  const cdag_graph *g = f->g;
  cdag_rows rows = up ? *f->succ : (cdag_rows){ g->pred_at, g->pred };
  uint32_t n = 1;
  f->queue[0] = f->x;
  f->side[f->x] = mark;
  for (uint32_t i = 0; i < n; i++)
    for (uint64_t e = rows.at[f->queue[i]]; e < rows.at[f->queue[i] + 1]; e++)
      if (f->side[rows.to[e]] != mark) {
        f->side[rows.to[e]] = mark;
        f->queue[n++] = rows.to[e];
      }
  *work -= *work < n ? *work : n;
  return n;
}

static uint64_t in_degree(const cdag_graph *g, uint32_t v) { return g->pred_at[v + 1] - g->pred_at[v]; }
static uint64_t out_degree(const bound_flow *f, uint32_t v) { return f->succ->at[v + 1] - f->succ->at[v]; }

static uint64_t arcs_of(const bound_flow *f, uint32_t node)
{
  uint32_t v = node / 2;
  return 1 + out_degree(f, v) + (node % 2 ? 0 : 2 * in_degree(f->g, v));
}

/* Is a source, or would be one if flows were not only paths. */
static bool is_before(const bound_flow *f, uint32_t v) { return f->side[v] == 2 * f->iteration; }

static bool leads_on(const bound_flow *f, uint32_t v)
{
  for (uint64_t s = f->succ->at[v]; s < f->succ->at[v + 1]; s++)
    if (!is_before(f, f->succ->to[s]))
      return true;
  return false;
}

/* Of what lies before x: inputs where flows are paths, else what leads on. */
static void keep_sources(bound_flow *f)
{
  uint32_t n = 0;
  f->idle = f->first = 0;
  for (uint32_t i = 0; i < f->source_count; i++) {
    uint32_t v = f->sources[i];
    if (f->only_paths && !cdag_graph_is_input(f->g, v))
      continue;
    if (f->only_paths || leads_on(f, v)) {
      f->first += arcs_of(f, 2 * v);
      f->sources[n++] = v;
    } else
      f->idle += arcs_of(f, 2 * v) + (f->capacity[v] > 0 ? arcs_of(f, 2 * v + 1) : 0);
  }
  f->source_count = n;
}

static void mark_sides(bound_flow *f, uint64_t *work)
{
  if (++f->iteration == UINT32_MAX / 2) {
    memset(f->side, 0, f->g->n * sizeof *f->side);
    f->iteration = 1;
  }
  spread(f, true, 2 * f->iteration + 1, work);
  f->source_count = spread(f, false, 2 * f->iteration, work);
  memcpy(f->sources, f->queue, f->source_count * sizeof *f->sources);
  if (!f->after) { /* x came first in the queue */
    f->side[f->x] = 2 * f->iteration + 1;
    f->sources[0] = f->sources[--f->source_count];
  }
  keep_sources(f);
}

/* ---- residual arcs ---- */

/* The end of arc k of the arrival at v; false when it is closed now. */
static bool arrival_arc(const bound_flow *f, uint32_t v, uint64_t k, uint32_t *to)
{
  const cdag_graph *g = f->g;
  uint64_t degree = in_degree(g, v);
  if (k == 0) {
    *to = 2 * v + 1;
    return f->through[v] < f->capacity[v];
  }
  if (k <= 2 * degree) {
    bool cancel = k > degree;
    uint64_t e = g->pred_at[v] + k - 1 - (cancel ? degree : 0);
    *to = 2 * g->pred[e] + cancel;
    return cancel ? f->forward[e] > 0 : !f->only_paths;
  }
  uint64_t s = f->succ->at[v] + (k - 1 - 2 * degree);
  *to = 2 * f->succ->to[s];
  return f->backward[f->edge[s]] > 0;
}

static bool departure_arc(const bound_flow *f, uint32_t v, uint64_t k, uint32_t *to)
{
  uint64_t degree = out_degree(f, v);
  *to = k < degree ? 2 * f->succ->to[f->succ->at[v] + k] : 2 * v;
  return k < degree || f->through[v] > 0;
}

static bool open_arc(const bound_flow *f, uint32_t node, uint64_t k, uint32_t *to)
{
  return node % 2 ? departure_arc(f, node / 2, k, to) : arrival_arc(f, node / 2, k, to);
}

/* The first arc from k on that may lead to the next level: its kind is not closed as a whole. */
static uint64_t skip_closed(const bound_flow *f, uint32_t node, uint64_t k)
{
  uint32_t v = node / 2;
  uint64_t degree = in_degree(f->g, v);
  if (node % 2 || k == 0)
    return k;
  if (f->mark[node].level == 0)
    return arcs_of(f, node);
  if (k <= degree && f->only_paths)
    k = degree + 1;
  if (k > degree && k <= 2 * degree && f->drawn[v] == 0)
    k = 2 * degree + 1;
  return k > 2 * degree && f->sunk[v] == 0 ? arcs_of(f, node) : k;
}

static void touch(bound_flow *f, uint64_t e, uint32_t to)
{
  if (f->forward[e] || f->backward[e])
    return;
  f->touched_edge = mem_room(f->touched_edge, f->touched, &f->touched_room, sizeof *f->touched_edge);
  f->touched_edge[f->touched++] = (touched_arc){ e, to };
}

static void pass(bound_flow *f, uint32_t v)
{
  if (f->through[v] == 0) {
    f->passed_vertex = mem_room(f->passed_vertex, f->passed, &f->passed_room, sizeof *f->passed_vertex);
    f->passed_vertex[f->passed++] = v;
  }
  f->through[v]++;
}

/* One unit along arc k of departure v. */
static void push_departure(bound_flow *f, uint32_t v, uint64_t k)
{
  if (k == out_degree(f, v)) {
    f->through[v]--;
    return;
  }
  uint64_t s = f->succ->at[v] + k;
  touch(f, f->edge[s], f->succ->to[s]);
  f->forward[f->edge[s]]++;
  f->drawn[f->succ->to[s]]++;
}

/* One unit along arc k of arrival v. */
static void push_arrival(bound_flow *f, uint32_t v, uint64_t k)
{
  const cdag_graph *g = f->g;
  uint64_t degree = in_degree(g, v), first = g->pred_at[v];
  if (k == 0)
    pass(f, v);
  else if (k <= degree) {
    touch(f, first + k - 1, v);
    f->backward[first + k - 1]++;
    f->sunk[g->pred[first + k - 1]]++;
  } else if (k <= 2 * degree) {
    f->forward[first + k - 1 - degree]--;
    f->drawn[v]--;
  } else {
    f->backward[f->edge[f->succ->at[v] + k - 1 - 2 * degree]]--;
    f->sunk[v]--;
  }
}

/* ---- Dinic's rounds ---- */

static bool reached(const bound_flow *f, uint32_t node) { return f->mark[node].round >= f->round; }
static bool is_useful(const bound_flow *f, uint32_t node) { return f->mark[node].round == f->round + 1; }

static void reach(bound_flow *f, uint32_t node, uint32_t level, uint32_t *n)
{
  f->mark[node] = (node_mark){ f->round, level, 0 };
  f->queue[(*n)++] = node;
}

static void charge(uint64_t *work, uint64_t arcs) { *work -= *work < arcs ? *work : arcs; }

/* The nodes that one leads to and that were not reached before. */
typedef struct {
  uint32_t n, level; /* of the queue; of what is reached now */
  bool met;          /* a target */
} expansion;

static void visit(bound_flow *f, uint32_t node, expansion *x)
{
  if (reached(f, node))
    return;
  reach(f, node, x->level, &x->n);
  x->met |= node % 2 == 0 && is_target(f, node / 2);
}

static void leave_arrival(bound_flow *f, uint32_t v, expansion *x)
{
  const cdag_graph *g = f->g;
  if (f->through[v] < f->capacity[v])
    visit(f, 2 * v + 1, x);
  for (uint64_t e = g->pred_at[v]; !f->only_paths && e < g->pred_at[v + 1]; e++)
    visit(f, 2 * g->pred[e], x);
  for (uint64_t e = g->pred_at[v]; f->drawn[v] && e < g->pred_at[v + 1]; e++)
    if (f->forward[e])
      visit(f, 2 * g->pred[e] + 1, x);
  for (uint64_t s = f->succ->at[v]; f->sunk[v] && s < f->succ->at[v + 1]; s++)
    if (f->backward[f->edge[s]])
      visit(f, 2 * f->succ->to[s], x);
}

static void leave_departure(bound_flow *f, uint32_t v, expansion *x)
{
  bool source = !f->only_paths && is_before(f, v);
  for (uint64_t s = f->succ->at[v]; s < f->succ->at[v + 1]; s++)
    if (!source || !is_before(f, f->succ->to[s]))
      visit(f, 2 * f->succ->to[s], x);
  if (f->through[v])
    visit(f, 2 * v, x);
}

static void start_levels(bound_flow *f, expansion *x)
{
  if (f->round > UINT32_MAX - 4) {
    memset(f->mark, 0, 2 * (size_t)f->g->n * sizeof *f->mark);
    f->round = 0;
  }
  f->round += f->round ? 2 : 1;
  for (uint32_t i = 0; i < f->source_count; i++)
    f->mark[2 * f->sources[i]] = (node_mark){ f->round, 0, 0 };
  for (uint32_t i = 0; i < f->source_count; i++)
    if (f->through[f->sources[i]] < f->capacity[f->sources[i]])
      reach(f, 2 * f->sources[i] + 1, 1, &x->n);
}

/* Ways back to the level before. */
typedef struct {
  uint32_t n, level; /* of f->useful; of what is looked for */
} retreat;

static void use(bound_flow *f, uint32_t node, retreat *r)
{
  if (f->mark[node].round != f->round || f->mark[node].level != r->level)
    return;
  f->mark[node].round++;
  f->useful[r->n++] = node;
}

static void enter_arrival(bound_flow *f, uint32_t v, retreat *r)
{
  const cdag_graph *g = f->g;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
    use(f, 2 * g->pred[e] + 1, r);
    if (f->backward[e])
      use(f, 2 * g->pred[e], r);
  }
  for (uint64_t s = f->succ->at[v]; !f->only_paths && s < f->succ->at[v + 1]; s++)
    use(f, 2 * f->succ->to[s], r);
  if (f->through[v])
    use(f, 2 * v + 1, r);
}

static void enter_departure(bound_flow *f, uint32_t v, retreat *r)
{
  if (f->through[v] < f->capacity[v])
    use(f, 2 * v, r);
  for (uint64_t s = f->succ->at[v]; f->through[v] && s < f->succ->at[v + 1]; s++)
    if (f->forward[f->edge[s]])
      use(f, 2 * f->succ->to[s], r);
}

/* Mark the nodes on shortest ways from a source to a target: the others cannot be on a path of this round.
   Their arcs were charged, both ways, when they were reached. */
static void find_useful(bound_flow *f, uint32_t goal)
{
  retreat r = { 0, goal };
  for (uint32_t i = f->reached; i-- > 0 && f->mark[f->queue[i]].level == goal;)
    if (f->queue[i] % 2 == 0 && is_target(f, f->queue[i] / 2))
      use(f, f->queue[i], &r);
  for (uint32_t i = 0; i < r.n; i++) {
    uint32_t node = f->useful[i], level = f->mark[node].level;
    if (level == 0)
      break;
    r.level = level - 1;
    if (node % 2)
      enter_departure(f, node / 2, &r);
    else
      enter_arrival(f, node / 2, &r);
  }
}

/* Levels by breadth first from all sources; true when a target is reached within `longest`. */
static bool find_levels(bound_flow *f, uint64_t *work)
{
  expansion x = { 0 };
  uint32_t goal = UINT32_MAX;
  start_levels(f, &x);
  charge(work, f->idle + f->first);
  for (uint32_t i = 0; i < x.n; i++) {
    uint32_t node = f->queue[i], level = f->mark[node].level;
    charge(work, arcs_of(f, node));
    if (level >= goal || *work == 0 || (f->longest && level >= f->longest))
      break;
    x.level = level + 1;
    if (node % 2)
      leave_departure(f, node / 2, &x);
    else
      leave_arrival(f, node / 2, &x);
    goal = x.met ? (goal < x.level ? goal : x.level) : goal;
  }
  f->reached = x.n;
  if (x.met)
    find_useful(f, goal);
  return x.met;
}

static void path_add(bound_flow *f, uint32_t node)
{
  if (f->path == f->path_room) {
    size_t room = f->path_room;
    f->path_arc = mem_room(f->path_arc, f->path, &room, sizeof *f->path_arc);
    f->path_node = mem_grow(f->path_node, room, sizeof *f->path_node);
    f->path_room = room;
  }
  f->path_node[f->path++] = node;
}

/* Step from the end of the path to the next level.  False when every arc was tried. */
static bool step(bound_flow *f, uint64_t *work)
{
  uint32_t node = f->path_node[f->path - 1], to;
  node_mark *m = &f->mark[node];
  for (uint64_t arcs = arcs_of(f, node); m->next < arcs; m->next++) {
    uint64_t next = skip_closed(f, node, m->next);
    charge(work, next - m->next + (next < arcs));
    m->next = next;
    if (next == arcs)
      return false;
    if (open_arc(f, node, m->next, &to) && is_useful(f, to) && f->mark[to].level == m->level + 1) {
      f->path_arc[f->path - 1] = m->next;
      path_add(f, to);
      return true;
    }
  }
  return false;
}

static void augment(bound_flow *f)
{
  for (size_t i = 0; i + 1 < f->path; i++)
    if (f->path_node[i] % 2)
      push_departure(f, f->path_node[i] / 2, f->path_arc[i]);
    else
      push_arrival(f, f->path_node[i] / 2, f->path_arc[i]);
}

/* As many units as the levels allow from source v. */
static uint64_t send_from(bound_flow *f, uint32_t v, uint64_t *work)
{
  uint64_t sent = 0;
  f->path = 0;
  path_add(f, 2 * v);
  while (f->path > 0 && *work > 0) {
    uint32_t node = f->path_node[f->path - 1];
    if (node % 2 == 0 && is_target(f, node / 2)) {
      augment(f);
      sent++;
      f->path = 1;
    } else if (!step(f, work)) {
      if (--f->path > 0)
        f->mark[f->path_node[f->path - 1]].next++;
    }
  }
  return sent;
}

static void undo(bound_flow *f)
{
  for (size_t i = 0; i < f->touched; i++) {
    touched_arc a = f->touched_edge[i];
    f->forward[a.edge] = f->backward[a.edge] = 0;
    f->drawn[a.to] = f->sunk[f->g->pred[a.edge]] = 0;
  }
  for (size_t i = 0; i < f->passed; i++)
    f->through[f->passed_vertex[i]] = 0;
  f->touched = f->passed = 0;
  f->whole = false;
}

static uint64_t cut_at(const bound_flow *f, uint32_t v) { return reached(f, 2 * v + 1) ? 0 : f->capacity[v]; }

/* The last search reached no target: what it reached is a cut, as heavy as the flow. */
static uint64_t cut_weight(const bound_flow *f)
{
  uint64_t weight = 0;
  for (uint32_t i = 0; i < f->source_count; i++)
    weight += cut_at(f, f->sources[i]);
  for (uint32_t i = 0; i < f->reached; i++)
    weight += f->queue[i] % 2 == 0 ? cut_at(f, f->queue[i] / 2) : 0;
  return weight;
}

uint64_t bound_flow_run(bound_flow *f, uint32_t x, bool after, uint32_t longest, uint64_t *work)
{
  if (f->whole && f->x == x && f->after == after && f->longest == longest)
    return f->flow;
  undo(f);
  f->x = x;
  f->after = after;
  f->longest = longest;
  f->flow = 0;
  mark_sides(f, work);
  while (find_levels(f, work))
    for (uint32_t i = 0; i < f->source_count && *work > 0; i++)
      if (is_useful(f, 2 * f->sources[i]))
        f->flow += send_from(f, f->sources[i], work);
  f->whole = *work > 0;
  if (!longest && f->whole)
    assert(cut_weight(f) == f->flow);
  return f->flow;
}

/* ---- what a flow uses ---- */

/* Each vertex with flow once: a vertex that lost its flow and got some again is listed twice. */
static void list_once(bound_flow *f)
{
  enum { LISTED = 128 };
  size_t n = 0;
  for (size_t i = 0; i < f->passed; i++) {
    uint32_t v = f->passed_vertex[i];
    if (f->through[v] > 0 && f->through[v] < LISTED) {
      f->through[v] |= LISTED;
      f->passed_vertex[n++] = v;
    }
  }
  f->passed = n;
  for (size_t i = 0; i < n; i++)
    f->through[f->passed_vertex[i]] &= (uint8_t)~LISTED;
}

uint64_t bound_flow_red(bound_flow *f, uint64_t words)
{
  const cdag_graph *g = f->g;
  uint64_t count[3] = { 0 }, red = 0, forced = f->after ? 1 : in_degree(g, f->x);
  const uint32_t *first = f->after ? &f->x : &g->pred[g->pred_at[f->x]];
  assert(words >= forced);
  list_once(f);
  for (size_t i = 0; i < f->passed; i++)
    count[f->through[f->passed_vertex[i]]]++;
  for (uint64_t i = 0; i < forced; i++) {
    red += f->through[first[i]];
    count[f->through[first[i]]]--; /* count[0] is not read */
  }
  uint64_t left = words - forced, twos = left < count[2] ? left : count[2], ones = left - twos;
  return red + 2 * twos + (ones < count[1] ? ones : count[1]);
}

static void add_arc(bound_wave *w, uint32_t from, uint32_t to, uint32_t amount, bool backward)
{
  w->arc = mem_room(w->arc, w->n, &w->room, sizeof *w->arc);
  w->arc[w->n++] = (bound_wave_arc){ from, to, amount, backward };
}

void bound_flow_commit(bound_flow *f, bound_wave *w)
{
  list_once(f);
  for (size_t i = 0; i < f->passed; i++)
    f->capacity[f->passed_vertex[i]] -= f->through[f->passed_vertex[i]];
  w->x = f->x;
  w->after = f->after;
  for (size_t i = 0; i < f->touched; i++) {
    uint64_t e = f->touched_edge[i].edge;
    uint32_t to = f->touched_edge[i].to;
    if (f->forward[e])
      add_arc(w, f->g->pred[e], to, f->forward[e], false);
    if (f->backward[e])
      add_arc(w, f->g->pred[e], to, f->backward[e], true);
    f->forward[e] = f->backward[e] = 0; /* listed twice: written once */
  }
  undo(f);
}
