#include "tests/support_one_shot.h"
#include "base/mem.h"
#include "tests/support.h"
#include <check.h>
#include <string.h>

typedef struct {
  const cdag_graph *g;
  uint64_t m, now;
  uint32_t *place;             /* n: when v is computed */
  uint64_t *used;              /* n: when it is needed next, as long as that is to come */
  bool *red, *blue, *held;     /* held: needed by the vertex at hand */
  uint8_t *leads;              /* to an output: others are not computed */
  uint32_t *in, n;             /* what is red */
  pebble_trace trace;
} player;

static uint64_t next_use(const player *p, uint32_t v)
{
  const cdag_rows *succ = cdag_graph_successors(p->g);
  uint64_t next = UINT64_MAX;
  if (p->used[v] >= p->now && p->now > 0)
    return p->used[v];
  for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++) {
    uint64_t use = p->place[succ->to[e]];
    if (p->leads[succ->to[e]] && use >= p->now && use < next)
      next = use;
  }
  return p->used[v] = next;
}

static void drop_at(player *p, uint32_t i)
{
  uint32_t v = p->in[i];
  if (next_use(p, v) != UINT64_MAX && !p->blue[v]) {
    pebble_trace_add(&p->trace, PEBBLE_STORE, v);
    p->blue[v] = true;
  }
  pebble_trace_add(&p->trace, PEBBLE_DROP, v);
  p->red[v] = false;
  p->in[i] = p->in[--p->n];
}

static void make_room(player *p)
{
  while (p->n >= p->m) {
    uint32_t far = UINT32_MAX;
    for (uint32_t i = 0; i < p->n; i++)
      if (!p->held[p->in[i]] && (far == UINT32_MAX || next_use(p, p->in[i]) > next_use(p, p->in[far])))
        far = i;
    ck_assert(far != UINT32_MAX);
    drop_at(p, far);
  }
}

static void put(player *p, pebble_kind kind, uint32_t v)
{
  make_room(p);
  pebble_trace_add(&p->trace, kind, v);
  p->red[v] = true;
  p->in[p->n++] = v;
}

static void compute(player *p, uint32_t v)
{
  const cdag_graph *g = p->g;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    p->held[g->pred[e]] = true;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    if (!p->red[g->pred[e]])
      put(p, PEBBLE_LOAD, g->pred[e]);
  put(p, PEBBLE_COMPUTE, v);
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    p->held[g->pred[e]] = false;
  if (g->output[v]) {
    pebble_trace_add(&p->trace, PEBBLE_STORE, v);
    p->blue[v] = true;
  }
}

/* To be freed. */
static uint8_t *find_leading(const cdag_graph *g)
{
  uint8_t *leads = MEM_NEW(uint8_t, g->n);
  memcpy(leads, g->output, g->n);
  cdag_graph_mark_leading(g, NULL, leads);
  return leads;
}

uint64_t support_one_shot_trace(const cdag_graph *g, uint64_t m, const uint32_t *order, pebble_trace *trace)
{
  player p = { .g = g,
               .m = m,
               .place = MEM_NEW(uint32_t, g->n),
               .used = MEM_NEW(uint64_t, g->n),
               .red = MEM_NEW(bool, g->n),
               .blue = MEM_NEW(bool, g->n),
               .held = MEM_NEW(bool, g->n),
               .leads = find_leading(g),
               .in = MEM_NEW(uint32_t, m + 1) };
  for (uint32_t i = 0; i < g->n; i++) {
    p.place[order[i]] = i;
    p.blue[i] = cdag_graph_is_input(g, i);
  }
  for (p.now = 0; p.now < g->n; p.now++)
    if (p.leads[order[p.now]] && !cdag_graph_is_input(g, order[p.now]))
      compute(&p, order[p.now]);
  pebble_rules rules = { .variant = PEBBLE_PLACING, .one_shot = true, .m = m };
  pebble_verdict v = pebble_judge(g, &rules, &p.trace);
  ck_assert_msg(v.legal, "the test's player breaks the rule '%s'", pebble_rule_name(v.rule));
  *trace = p.trace;
  void *const blocks[] = { p.place, p.used, p.red, p.blue, p.held, p.leads, p.in };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    mem_free(blocks[i]);
  return v.loads + v.stores;
}

uint64_t support_one_shot_io(const cdag_graph *g, uint64_t m, const uint32_t *order)
{
  pebble_trace trace;
  uint64_t io = support_one_shot_trace(g, m, order, &trace);
  pebble_trace_clear(&trace);
  return io;
}

void support_one_shot_order(const cdag_graph *g, uint64_t seed, uint32_t *order)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  support_random r = { seed };
  uint32_t *open = MEM_NEW(uint32_t, g->n), *ready = MEM_NEW(uint32_t, g->n), n = 0, next = 0;
  if (seed == 0)
    cdag_graph_topological(g, order);
  for (uint32_t v = 0; v < g->n; v++)
    if ((open[v] = (uint32_t)(g->pred_at[v + 1] - g->pred_at[v])) == 0)
      ready[n++] = v;
  while (n > 0 && seed > 0) {
    /* mostly the vertex that became ready last: deep rather than wide */
    uint32_t i = support_between(&r, 0, 7) ? n - 1 : (uint32_t)support_between(&r, 0, n - 1), v = ready[i];
    memmove(&ready[i], &ready[i + 1], (n - i - 1) * sizeof *ready);
    n--;
    order[next++] = v;
    for (uint64_t e = succ->at[v]; e < succ->at[v + 1]; e++)
      if (--open[succ->to[e]] == 0)
        ready[n++] = succ->to[e];
  }
  mem_free(open);
  mem_free(ready);
}
