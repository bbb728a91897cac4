#include "tests/support_player.h"
#include "base/mem.h"
#include "tests/support.h"
#include <string.h>

/* ---- lists ---- */

void player_list_add(player_list *l, char kind, uint32_t vertex, const uint32_t *drop, uint32_t drops)
{
  l->move = mem_room(l->move, l->n, &l->room, sizeof *l->move);
  player_move *m = &l->move[l->n++];
  *m = (player_move){ .kind = kind, .vertex = vertex, .drops = drops };
  if (drops) {
    m->drop = MEM_NEW(uint32_t, drops);
    memcpy(m->drop, drop, drops * sizeof *drop);
  }
}

void player_list_copy(player_list *to, const player_list *from)
{
  for (size_t i = 0; i < from->n; i++)
    player_list_add(to, from->move[i].kind, from->move[i].vertex, from->move[i].drop, from->move[i].drops);
}

void player_list_remove(player_list *l, size_t i)
{
  mem_free(l->move[i].drop);
  memmove(&l->move[i], &l->move[i + 1], (l->n - i - 1) * sizeof *l->move);
  l->n--;
}

void player_list_clear(player_list *l)
{
  for (size_t i = 0; i < l->n; i++)
    mem_free(l->move[i].drop);
  mem_free(l->move);
  *l = (player_list){ 0 };
}

/* ---- a schedule as a list ---- */

typedef struct { player_list *l; const cdag *g; const cdag_graph *graph; const pebble_move *move; } unfolding;

static bool named(const unfolding *u, uint32_t p)
{
  cdag_element e;
  cdag_at(u->g, p, &e);
  for (int i = 0; i < u->move->drops; i++) {
    const pebble_drop *d = &u->move->drop[i];
    bool in = d->array == e.array;
    for (int r = 0; in && !d->whole && r < u->g->array[e.array].rank; r++)
      in = e.x[r] >= d->box.lo[r] && e.x[r] < d->box.hi[r];
    if (in)
      return true;
  }
  return false;
}

static void unfold_element(unfolding *u, const int64_t *x)
{
  static const char letters[] = "lscde";
  uint32_t v = (uint32_t)cdag_id(u->g, u->move->array, x), drops = 0;
  const uint32_t *at = u->graph->pred_at;
  uint32_t *drop = MEM_NEW(uint32_t, at[v + 1] - at[v]);
  for (uint64_t e = at[v]; e < at[v + 1]; e++)
    if (u->move->kind == PEBBLE_COMPUTE && named(u, u->graph->pred[e]))
      drop[drops++] = u->graph->pred[e];
  player_list_add(u->l, letters[u->move->kind], v, drop, drops);
  mem_free(drop);
}

/* The plainest way through a box: try every element of the hull. */
static void unfold(unfolding *u, int64_t *x, int r)
{
  const cdag_array *a = &u->g->array[u->move->array];
  if (r == a->rank) {
    if (cdag_exists(u->g, u->move->array, x))
      unfold_element(u, x);
    return;
  }
  int64_t lo = u->move->box.lo[r] > a->hull.lo[r] ? u->move->box.lo[r] : a->hull.lo[r];
  int64_t hi = u->move->box.hi[r] < a->hull.hi[r] ? u->move->box.hi[r] : a->hull.hi[r];
  for (x[r] = lo; x[r] < hi; x[r]++)
    unfold(u, x, r + 1);
}

static bool unfold_move(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  unfolding *u = context;
  int64_t x[CDAG_RANK] = { 0 };
  (void)at, (void)box, (void)slot;
  u->move = move;
  unfold(u, x, 0);
  return true;
}

void player_list_of(player_list *l, const schedule *s, const cdag_graph *graph)
{
  unfolding u = { .l = l, .g = s->g, .graph = graph };
  diag d;
  schedule_each_move(s, unfold_move, &u, &d);
}

/* ---- playing ---- */

typedef struct {
  const cdag_graph *g;
  int variant;
  bool one_shot;
  uint64_t m, reds;
  char *red, *blue, *computed; /* computed: partial: complete */
  char *edge;                  /* partial: by position in g->pred */
  player_verdict v;
} board;

static bool input(const board *b, uint32_t v) { return b->g->pred_at[v] == b->g->pred_at[v + 1]; }

static const char *no(board *b, const char *rule, uint64_t needed)
{
  b->v.needed = needed;
  return rule;
}

static void gain(board *b, uint32_t v)
{
  b->red[v] = 1;
  if (++b->reds > b->v.peak)
    b->v.peak = b->reds;
}

static void lose(board *b, uint32_t v)
{
  b->red[v] = 0;
  b->reds--;
}

static bool drops(const player_move *m, uint32_t v)
{
  for (uint32_t i = 0; i < m->drops; i++)
    if (m->drop[i] == v)
      return true;
  return false;
}

static const char *compute(board *b, const player_move *m)
{
  uint32_t v = m->vertex, slid = UINT32_MAX;
  const cdag_graph *g = b->g;
  if (input(b, v)) return "input";
  if (b->red[v]) return "already red";
  if (b->one_shot && b->computed[v]) return "recompute";
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    if (!b->red[g->pred[e]]) {
      b->v.missing = g->pred[e];
      return "predecessor";
    }
  for (uint64_t e = g->pred_at[v + 1]; b->variant == PLAYER_SLIDING && e-- > g->pred_at[v];)
    if (drops(m, g->pred[e]))
      slid = g->pred[e];
  if (b->reds + (slid == UINT32_MAX) > b->m) return no(b, "memory", b->reds + (slid == UINT32_MAX));
  if (slid != UINT32_MAX)
    lose(b, slid);
  gain(b, v);
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    if (drops(m, g->pred[e]) && b->red[g->pred[e]])
      lose(b, g->pred[e]);
  b->computed[v] = 1;
  b->v.computes++;
  return NULL;
}

static bool open_edge(const board *b, uint64_t e)
{
  uint32_t p = b->g->pred[e];
  return !b->edge[e] && b->red[p] && (b->computed[p] || input(b, p));
}

static const char *aggregate(board *b, const player_move *m)
{
  const cdag_graph *g = b->g;
  uint32_t v = m->vertex;
  uint64_t from = g->pred_at[v], to = g->pred_at[v + 1], in = 0, ready = 0;
  if (input(b, v)) return "input";
  for (uint64_t e = from; e < to; e++)
    in += b->edge[e] != 0, ready += open_edge(b, e);
  if (in == to - from) return b->red[v] ? "already red" : "recompute";
  if (in > 0 && !b->red[v]) return "recompute";
  for (uint64_t e = from; e < to && ready == 0; e++)
    if (!b->edge[e]) {
      b->v.missing = g->pred[e];
      return "predecessor";
    }
  if (!b->red[v] && b->reds + 1 > b->m) return no(b, "memory", b->reds + 1);
  for (uint64_t e = from; e < to; e++)
    b->edge[e] |= open_edge(b, e);
  if (!b->red[v])
    gain(b, v);
  b->blue[v] = 0;
  b->computed[v] = in + ready == to - from;
  for (uint64_t e = from; e < to; e++)
    if (drops(m, g->pred[e]) && b->red[g->pred[e]])
      lose(b, g->pred[e]);
  b->v.computes++;
  return NULL;
}

static const char *step(board *b, const player_move *m)
{
  uint32_t v = m->vertex;
  switch (m->kind) {
  case 'l':
    if (b->red[v]) return "already red";
    if (!b->blue[v]) return "not blue";
    if (b->reds + 1 > b->m) return no(b, "memory", b->reds + 1);
    gain(b, v);
    b->v.loads++;
    return NULL;
  case 's':
    if (!b->red[v]) return "not red";
    if (b->blue[v]) return "already blue";
    b->blue[v] = 1;
    b->v.stores++;
    return NULL;
  case 'd':
    if (!b->red[v]) return "not red";
    lose(b, v);
    return NULL;
  case 'e':
    if (!b->blue[v]) return "not blue";
    b->blue[v] = 0;
    return NULL;
  default: return b->variant == PLAYER_PARTIAL ? aggregate(b, m) : compute(b, m);
  }
}

static void finish(board *b, const uint32_t *order)
{
  for (uint32_t i = 0; i < b->g->n && !b->v.rule; i++) {
    uint32_t v = order ? order[i] : i;
    bool complete = b->variant != PLAYER_PARTIAL || input(b, v) || b->computed[v];
    if (b->g->output[v] && !(b->blue[v] && complete)) {
      b->v.rule = "output";
      b->v.vertex = v;
    }
  }
}

player_verdict player_play(const cdag_graph *g, int variant, bool one_shot, uint64_t m, const player_list *l,
                           const uint32_t *order, char *pebbles)
{
  board b = {
    .g = g, .variant = variant, .one_shot = one_shot, .m = m, .v = { .vertex = UINT32_MAX, .missing = UINT32_MAX }
  };
  b.red = MEM_NEW(char, g->n);
  b.blue = MEM_NEW(char, g->n);
  b.computed = MEM_NEW(char, g->n);
  b.edge = MEM_NEW(char, g->m);
  for (uint32_t v = 0; v < g->n; v++)
    b.blue[v] = input(&b, v);
  for (b.v.at = 0; b.v.at < l->n && !b.v.rule; b.v.at++) {
    b.v.rule = step(&b, &l->move[b.v.at]);
    if (b.v.rule) {
      b.v.vertex = l->move[b.v.at].vertex;
      break;
    }
  }
  finish(&b, order);
  b.v.legal = !b.v.rule;
  for (uint32_t v = 0; pebbles && v < g->n; v++)
    pebbles[v] = (char)(b.red[v] + 2 * b.blue[v]);
  mem_free(b.red);
  mem_free(b.blue);
  mem_free(b.computed);
  mem_free(b.edge);
  return b.v;
}

/* ---- a random legal list ---- */

typedef struct {
  const cdag_graph *g;
  player_list *l;
  support_random r;
  uint64_t m, reds;
  char *red, *blue;
  uint64_t *uses;              /* successors not yet computed */
} walk;

static bool keeps(const walk *w, uint32_t v, const char *pinned) { return pinned[v] || !w->red[v]; }

/* Make room for one more: drop some red vertex that is not pinned, storing it first when it is still wanted. */
static void make_room(walk *w, const char *pinned)
{
  while (w->reds >= w->m) {
    uint32_t v = (uint32_t)support_between(&w->r, 0, w->g->n - 1);
    if (keeps(w, v, pinned))
      continue;
    if (!w->blue[v] && (w->uses[v] > 0 || w->g->output[v])) {
      player_list_add(w->l, 's', v, NULL, 0);
      w->blue[v] = 1;
    }
    player_list_add(w->l, 'd', v, NULL, 0);
    w->red[v] = 0;
    w->reds--;
  }
}

static void fetch(walk *w, uint32_t v, const char *pinned)
{
  if (w->red[v])
    return;
  make_room(w, pinned);
  player_list_add(w->l, 'l', v, NULL, 0);
  w->red[v] = 1;
  w->reds++;
}

/* A predecessor of v that nothing else wants, its use by v counted already, or UINT32_MAX. */
static uint32_t spent(walk *w, uint32_t v)
{
  const cdag_graph *g = w->g;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++) {
    uint32_t p = g->pred[e];
    if (w->uses[p] == 0 && (w->blue[p] || !g->output[p]) && support_between(&w->r, 0, 2))
      return p;
  }
  return UINT32_MAX;
}

static void make(walk *w, uint32_t v, char *pinned, bool slides)
{
  const cdag_graph *g = w->g;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    pinned[g->pred[e]] = 1;
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    fetch(w, g->pred[e], pinned);
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    w->uses[g->pred[e]]--;
  uint32_t slid = slides ? spent(w, v) : UINT32_MAX;
  if (slid == UINT32_MAX)
    make_room(w, pinned);
  for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
    pinned[g->pred[e]] = 0;
  player_list_add(w->l, 'c', v, &slid, slid != UINT32_MAX);
  w->red[v] = 1;
  w->reds++;
  if (slid != UINT32_MAX) {
    w->red[slid] = 0;
    w->reds--;
  }
}

void player_random_legal(player_list *l, const cdag_graph *g, uint64_t m, bool slides, uint64_t seed)
{
  const cdag_rows *succ = cdag_graph_successors(g);
  walk w = { .g = g, .l = l, .r = { seed }, .m = m };
  uint32_t *order = MEM_NEW(uint32_t, g->n);
  char *pinned = MEM_NEW(char, g->n);
  w.red = MEM_NEW(char, g->n);
  w.blue = MEM_NEW(char, g->n);
  w.uses = MEM_NEW(uint64_t, g->n);
  cdag_graph_topological(g, order);
  for (uint32_t v = 0; v < g->n; v++) {
    w.blue[v] = g->pred_at[v] == g->pred_at[v + 1];
    w.uses[v] = succ->at[v + 1] - succ->at[v];
  }
  for (uint32_t i = 0; i < g->n; i++)
    if (g->pred_at[order[i]] < g->pred_at[order[i] + 1])
      make(&w, order[i], pinned, slides);
  for (uint32_t v = 0; v < g->n; v++)
    if (g->output[v] && !w.blue[v])
      player_list_add(l, 's', v, NULL, 0); /* still red: whatever left unstored was not wanted */
  mem_free(order);
  mem_free(pinned);
  mem_free(w.red);
  mem_free(w.blue);
  mem_free(w.uses);
}

void player_random_walk(player_list *l, const cdag_graph *g, int variant, bool one_shot, uint64_t m, int moves,
                        uint64_t seed)
{
  static const char kinds[] = "llccccsdde";
  support_random r = { seed };
  for (int i = 0; i < 20 * moves && l->n < (size_t)moves; i++) {
    uint32_t v =
        l->n && support_between(&r, 0, 3) == 0 ? l->move[l->n - 1].vertex : (uint32_t)support_between(&r, 0, g->n - 1);
    uint64_t preds = g->pred_at[v + 1] - g->pred_at[v];
    uint32_t drop = preds ? g->pred[g->pred_at[v] + support_next(&r) % preds] : 0;
    char kind = kinds[support_between(&r, 0, 9)];
    player_list_add(l, kind, v, &drop, kind == 'c' && preds && support_between(&r, 0, 1));
    player_verdict w = player_play(g, variant, one_shot, m, l, NULL, NULL);
    if (w.at < l->n && support_between(&r, 0, 400))
      player_list_remove(l, l->n - 1);
  }
}
