/* draw_wave.c -- a wave is read from what the bound writes for its certificate; the cut is found from the flow, as the
   checker does: the vertices whose arrival more flow could still reach and whose departure it could not. */
#include "report/draw_wave.h"
#include "base/json_read.h"
#include "base/mem.h"
#include "bounds/recognise/explicit.h"
#include <stdint.h>
#include <string.h>

enum { LARGEST = 4000 };       /* vertices: no more are drawn */

typedef struct {
  bound_explicit e;
  json_value said;             /* the parameters of the bound */
  const json_value *wave;
  int64_t *along, *against;    /* on each edge, as they stand in e.g.pred */
  int64_t *through;            /* each vertex */
} reading;

/* ---- the flow ---- */

static int64_t edge_of(const cdag_graph *g, int64_t u, int64_t v)
{
  if (u < 0 || v < 0 || u >= (int64_t)g->n || v >= (int64_t)g->n)
    return -1;
  for (uint32_t k = g->pred_at[v]; k < g->pred_at[v + 1]; k++)
    if (g->pred[k] == u)
      return k;
  return -1;
}

static void take_arcs(reading *r, const char *key, int64_t *amount, report_wave *w)
{
  const json_value *list = json_get(r->wave, key);
  for (size_t i = 0; list && i + 2 < list->n; i += 3) {
    int64_t u = -1, v = -1, flow = 0, edge;
    if (!json_integer64(&list->item[i], &u) || !json_integer64(&list->item[i + 1], &v) ||
        !json_integer64(&list->item[i + 2], &flow) || (edge = edge_of(&r->e.g, u, v)) < 0)
      continue;
    amount[edge] += flow;
    r->through[u] += amount == r->along ? flow : 0;
    w->arc[w->arcs++] = (report_arc){ r->e.id[u], r->e.id[v], amount == r->against };
  }
}

/* ---- the cut ---- */

/* Marks what `x` is reached from, or reaches. */
static void spread(const cdag_graph *g, uint32_t x, bool up, uint8_t *mark)
{
  const cdag_rows *to = cdag_graph_successors(g);
  SCOPED_MEM uint32_t *stack = MEM_NEW(uint32_t, g->n);
  size_t n = 1;
  for (stack[0] = x; n > 0;) {
    uint32_t v = stack[--n];
    uint64_t from = up ? to->at[v] : g->pred_at[v], end = up ? to->at[v + 1] : g->pred_at[v + 1];
    for (uint64_t k = from; k < end; k++) {
      uint32_t u = up ? to->to[k] : g->pred[k];
      if (!mark[u])
        mark[u] = 1, stack[n++] = u;
    }
  }
}

typedef struct {
  uint8_t *seen;               /* 2 v: the arrival of v, 2 v + 1: its departure */
  uint32_t *stack;
  size_t n;
} search;

static void go(search *s, uint32_t node)
{
  if (!s->seen[node])
    s->seen[node] = 1, s->stack[s->n++] = node;
}

static void go_on(const reading *r, const uint8_t *capacity, search *s, uint32_t node)
{
  const cdag_graph *g = &r->e.g;
  const cdag_rows *to = cdag_graph_successors(g);
  uint32_t v = node / 2;
  if (node % 2) {
    for (uint64_t k = to->at[v]; k < to->at[v + 1]; k++)
      go(s, 2 * to->to[k]);
    if (r->through[v] > 0)
      go(s, 2 * v);
    return;
  }
  if (r->through[v] < capacity[v])
    go(s, 2 * v + 1);
  for (uint32_t k = g->pred_at[v]; k < g->pred_at[v + 1]; k++) {
    go(s, 2 * g->pred[k]);
    if (r->along[k] > 0)
      go(s, 2 * g->pred[k] + 1);
  }
  for (uint64_t k = to->at[v]; k < to->at[v + 1]; k++)
    if (r->against[edge_of(g, v, to->to[k])] > 0)
      go(s, 2 * to->to[k]);
}

static void find_cut(const reading *r, uint32_t x, report_wave *w)
{
  const cdag_graph *g = &r->e.g;
  SCOPED_MEM uint8_t *seen = MEM_NEW(uint8_t, 2 * (size_t)g->n), *sources = MEM_NEW(uint8_t, g->n);
  SCOPED_MEM uint8_t *capacity = bound_explicit_weights(&r->e);
  SCOPED_MEM uint32_t *stack = MEM_NEW(uint32_t, 2 * (size_t)g->n);
  search s = { seen, stack, 0 };
  int64_t weight = 0;
  spread(g, x, false, sources);
  sources[x] = w->after;
  for (uint32_t v = 0; v < g->n; v++)
    if (sources[v])
      go(&s, 2 * v);
  while (s.n > 0)
    go_on(r, capacity, &s, s.stack[--s.n]);
  for (uint32_t v = 0; v < g->n; v++)
    if (seen[2 * v] && !seen[2 * v + 1])
      w->cut[w->cuts++] = r->e.id[v], weight += capacity[v];
  if (weight != w->flow) /* other moments of the bound take what is left: no cut of this one alone */
    w->cuts = 0;
}

/* ---- the bound ---- */

static int64_t gain_of(const json_value *wave)
{
  int64_t flow = 0, red = 0;
  return json_get_int(wave, "flow", &flow) && json_get_int(wave, "red", &red) ? flow - red : 0;
}

static const json_value *best_wave(const json_value *said, report_wave *w)
{
  const json_value *list = json_get(said, "waves"), *best = NULL;
  for (size_t i = 0; list && i < list->n; i++) {
    w->gain += gain_of(&list->item[i]);
    if (!best || gain_of(&list->item[i]) > gain_of(best))
      best = &list->item[i];
  }
  return best;
}

static bool read_wave(reading *r, report_wave *w)
{
  int64_t x, after;
  if (!(r->wave = best_wave(&r->said, w)) || !json_get_int(r->wave, "x", &x) || x < 0 || x >= (int64_t)r->e.g.n ||
      !json_get_int(r->wave, "after", &after) || !json_get_int(r->wave, "flow", &w->flow) ||
      !json_get_int(r->wave, "red", &w->red) || !json_get_int(&r->said, "compulsory", &w->compulsory))
    return false;
  w->x = r->e.id[x];
  w->after = after != 0;
  w->arc = MEM_NEW(report_arc, 2 * (size_t)r->e.g.m + 1);
  w->cut = MEM_NEW(uint32_t, r->e.g.n);
  r->along = MEM_NEW(int64_t, r->e.g.m + 1);
  r->against = MEM_NEW(int64_t, r->e.g.m + 1);
  r->through = MEM_NEW(int64_t, r->e.g.n);
  take_arcs(r, "along", r->along, w);
  take_arcs(r, "against", r->against, w);
  find_cut(r, (uint32_t)x, w);
  return true;
}

static const bound *wavefront_of(const bound_question *q, const bound_list *list)
{
  const bound *best = NULL;
  for (size_t i = 0; i < list->n; i++) {
    const bound *b = &list->item[i];
    if (b->trust <= BOUND_CERTIFIED && strncmp(b->name, "wavefront", 9) == 0 && bound_holds_in(b, q) &&
        (!best || mpz_cmp(b->value, best->value) > 0))
      best = b;
  }
  return best;
}

status report_wave_find(const bound_question *asked, report_wave *w, diag *d)
{
  bound_question q = *asked;
  bound_list list = { 0 };
  reading r = { 0 };
  int best;
  q.theorem = "wavefront";
  q.one_shot = q.want_proof = true;
  *w = (report_wave){ 0 };
  status st = bound_all(&q, &list, &best, d);
  const bound *b = st == OK ? wavefront_of(&q, &list) : NULL;
  if (b)
    st = json_read(&r.said, text_str(&b->parameters), b->parameters.n, b->name, d);
  if (b && st == OK)
    st = bound_explicit_init(&r.e, q.g, LARGEST, d);
  if (st == OK && !(b && read_wave(&r, w)))
    st = diag_set(d, BAD_INPUT, "none", "no moment is known at which more is needed than %llu red pebbles hold",
                  (unsigned long long)q.m);
  mem_free(r.through), mem_free(r.against), mem_free(r.along);
  bound_explicit_clear(&r.e);
  json_value_clear(&r.said);
  bound_list_clear(&list);
  return st;
}

void report_wave_clear(report_wave *w)
{
  mem_free(w->arc);
  mem_free(w->cut);
  *w = (report_wave){ 0 };
}
