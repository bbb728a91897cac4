#include "tests/support_boxes.h"
#include "base/mem.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the simulation: one byte a vertex ---- */

typedef struct {
  uint8_t *red, *blue, *done;
  uint64_t *in;                /* partial: predecessors aggregated so far, a bit each in the order of the rule */
  uint64_t reds;
} table;

typedef struct {
  const cdag *g;
  const pebble_rules *rules;
  support_random r;
  table now, trial;
  const pebble_move *move;
  bool legal;
} simulation;

static void copy(const cdag *g, table *to, const table *from)
{
  memcpy(to->red, from->red, g->vertices);
  memcpy(to->blue, from->blue, g->vertices);
  memcpy(to->done, from->done, g->vertices);
  memcpy(to->in, from->in, g->vertices * sizeof *to->in);
  to->reds = from->reds;
}

static bool in_box(const cdag_box *b, const int64_t *x, int rank)
{
  for (int r = 0; r < rank; r++)
    if (x[r] < b->lo[r] || x[r] >= b->hi[r])
      return false;
  return true;
}

static bool is_dropped(const pebble_move *m, const cdag_element *e, int rank)
{
  for (int i = 0; i < m->drops; i++)
    if (m->drop[i].array == e->array && (m->drop[i].whole || in_box(&m->drop[i].box, e->x, rank)))
      return true;
  return false;
}

typedef struct {
  simulation *s;
  uint64_t drop[256], all[256];
  int drops, n;
  bool red;
} neighbours;

static bool see(void *context, const cdag_element *e, int term)
{
  neighbours *n = context;
  uint64_t id = cdag_id(n->s->g, e->array, e->x);
  (void)term;
  n->red &= n->s->trial.red[id];
  if (n->n < 256)
    n->all[n->n++] = id;
  if (is_dropped(n->s->move, e, n->s->g->array[e->array].rank) && n->drops < 256)
    n->drop[n->drops++] = id;
  return true;
}

static bool is_source(const simulation *s, uint64_t id)
{
  cdag_element e;
  cdag_at(s->g, id, &e);
  return cdag_is_input(s->g, e.array, e.x);
}

/* The edges of red, complete predecessors come in; what is red by then may be dropped. */
static bool aggregate(simulation *s, uint64_t id, const neighbours *n)
{
  table *t = &s->trial;
  uint64_t before = t->in[id];
  if (n->n == 0 || n->n > 64 || t->done[id] || (before && !t->red[id]))
    return false;
  for (int i = 0; i < n->n; i++)
    if (t->red[n->all[i]] && (t->done[n->all[i]] || is_source(s, n->all[i])))
      t->in[id] |= UINT64_C(1) << i;
  if (t->in[id] == before || (!t->red[id] && t->reds == s->rules->m))
    return false;
  t->done[id] = t->in[id] == UINT64_MAX >> (64 - n->n);
  t->reds += !t->red[id];
  t->red[id] = 1;
  t->blue[id] = 0;
  for (int i = 0; i < n->drops; i++) {
    t->reds -= t->red[n->drop[i]];
    t->red[n->drop[i]] = 0;
  }
  return true;
}

static bool compute(simulation *s, uint64_t id, const int64_t *x)
{
  table *t = &s->trial;
  neighbours n = { .s = s, .red = true };
  cdag_each_predecessor(s->g, s->move->array, x, see, &n);
  if (s->rules->variant == PEBBLE_PARTIAL)
    return aggregate(s, id, &n);
  bool slides = s->rules->variant == PEBBLE_SLIDING && n.drops;
  if (cdag_is_input(s->g, s->move->array, x) || t->red[id] || !n.red || (s->rules->one_shot && t->done[id]) ||
      t->reds + !slides > s->rules->m)
    return false;
  for (int i = 0; i < n.drops; i++)
    t->red[n.drop[i]] = 0;
  t->reds = t->reds + 1 - (uint64_t)n.drops;
  t->red[id] = t->done[id] = 1;
  return true;
}

static bool play(simulation *s, const int64_t *x)
{
  table *t = &s->trial;
  uint64_t id = cdag_id(s->g, s->move->array, x);
  bool red = t->red[id], blue = t->blue[id];
  switch (s->move->kind) {
  case PEBBLE_LOAD:
    if (red || !blue || t->reds == s->rules->m)
      return false;
    t->reds += t->red[id] = 1;
    return true;
  case PEBBLE_STORE: return red && !blue && (t->blue[id] = 1);
  case PEBBLE_DROP:
    t->reds -= red;
    t->red[id] = 0;
    return red;
  case PEBBLE_ERASE:
    t->blue[id] = 0;
    return blue;
  default: return compute(s, id, x);
  }
}

static bool play_run(void *context, const int64_t *from, int64_t hi)
{
  simulation *s = context;
  int64_t x[CDAG_RANK] = { 0 };
  int rank = s->g->array[s->move->array].rank;
  memcpy(x, from, sizeof *x * (size_t)rank);
  for (; x[rank - 1] < hi; x[rank - 1]++)
    if (!play(s, x))
      return s->legal = false;
  return true;
}

/* ---- random moves ---- */

static int64_t any(simulation *s, int64_t lo, int64_t hi) { return support_between(&s->r, lo, hi); }

static void random_box(simulation *s, int array, cdag_box *b)
{
  const cdag_array *a = &s->g->array[array];
  int style = (int)any(s, 0, 3);
  for (int r = 0; r < a->rank; r++) {
    int64_t lo = a->hull.lo[r], hi = a->hull.hi[r];
    if (lo >= hi || any(s, 0, 3) == style) { /* all of it, and a little more now and then */
      b->lo[r] = lo - (any(s, 0, 5) == 0);
      b->hi[r] = hi + (any(s, 0, 5) == 0);
      continue;
    }
    b->lo[r] = any(s, lo, hi - 1);
    b->hi[r] = b->lo[r] + (any(s, 0, 2) ? 1 : any(s, 1, hi - b->lo[r]));
  }
}

static void random_drops(simulation *s, boxes_move *m)
{
  const cdag_array *a = &s->g->array[m->move.array];
  for (int t = 0; t < a->terms && m->move.drops < BOXES_DROPS; t++) {
    if (any(s, 0, a->term[t].array == m->move.array ? 1 : 3))
      continue;
    pebble_drop *d = &m->drop[m->move.drops++];
    *d = (pebble_drop){ .array = a->term[t].array, .whole = any(s, 0, 3) > 0 };
    random_box(s, d->array, &d->box);
  }
}

static void random_move(simulation *s, boxes_move *m)
{
  static const pebble_kind kinds[] = { PEBBLE_LOAD,    PEBBLE_LOAD,  PEBBLE_COMPUTE, PEBBLE_COMPUTE, PEBBLE_COMPUTE,
                                       PEBBLE_COMPUTE, PEBBLE_STORE, PEBBLE_DROP,    PEBBLE_ERASE };
  memset(m, 0, sizeof *m);
  m->move.kind = kinds[any(s, 0, 8)];
  if (m->move.kind == PEBBLE_ERASE && any(s, 0, 3))
    m->move.kind = PEBBLE_COMPUTE;
  m->move.array = (int)any(s, 0, s->g->arrays - 1);
  random_box(s, m->move.array, &m->move.box);
  if (m->move.kind == PEBBLE_COMPUTE)
    random_drops(s, m);
  m->move.drop = m->drop;
}

static bool try_move(simulation *s, const pebble_move *m)
{
  copy(s->g, &s->trial, &s->now);
  s->move = m;
  s->legal = true;
  cdag_each_run(s->g, m->array, &m->box, play_run, s);
  return s->legal;
}

static void table_init(table *t, const cdag *g)
{
  t->red = MEM_NEW(uint8_t, g->vertices);
  t->blue = MEM_NEW(uint8_t, g->vertices);
  t->done = MEM_NEW(uint8_t, g->vertices);
  t->in = MEM_NEW(uint64_t, g->vertices);
}

static void table_clear(table *t)
{
  mem_free(t->red);
  mem_free(t->blue);
  mem_free(t->done);
  mem_free(t->in);
}

static void inputs_blue(const cdag *g, table *t)
{
  for (uint64_t id = 0; id < g->vertices; id++) {
    cdag_element e;
    cdag_at(g, id, &e);
    t->blue[id] = cdag_is_input(g, e.array, e.x);
  }
}

void boxes_random(boxes_list *l, const cdag *g, const pebble_rules *rules, size_t most, uint64_t seed)
{
  simulation s = { .g = g, .rules = rules, .r = { seed } };
  table_init(&s.now, g);
  table_init(&s.trial, g);
  inputs_blue(g, &s.now);
  bool ended = false;
  for (size_t tries = 0; l->n < most && tries < 12 * most && !ended; tries++) {
    boxes_move m;
    random_move(&s, &m);
    bool legal = try_move(&s, &m.move);
    if (!legal && any(&s, 0, 6 * (int64_t)most))
      continue;
    l->at = mem_room(l->at, l->n, &l->room, sizeof *l->at);
    l->at[l->n++] = m;
    copy(g, &s.now, &s.trial);
    ended = !legal;
  }
  l->illegal = ended;
  table_clear(&s.now);
  table_clear(&s.trial);
}

void boxes_clear(boxes_list *l)
{
  mem_free(l->at);
  *l = (boxes_list){ 0 };
}

const pebble_move *boxes_at(boxes_list *l, size_t i)
{
  l->at[i].move.drop = l->at[i].drop;
  return &l->at[i].move;
}

static void put_box(text *out, const cdag *g, int array, const cdag_box *b)
{
  text_printf(out, "%s[", g->array[array].name);
  for (int r = 0; r < g->array[array].rank; r++)
    text_printf(out, "%s%" PRId64 "..%" PRId64, r ? "," : "", b->lo[r], b->hi[r]);
  text_char(out, ']');
}

void boxes_text(text *out, const boxes_list *l, const cdag *g)
{
  for (size_t i = 0; i < l->n; i++) {
    const boxes_move *m = &l->at[i];
    text_printf(out, "%s ", pebble_kind_name(m->move.kind));
    put_box(out, g, m->move.array, &m->move.box);
    for (int k = 0; k < m->move.drops; k++) {
      text_add(out, k ? ", " : " dropping ");
      if (m->drop[k].whole)
        text_add(out, g->array[m->drop[k].array].name);
      else
        put_box(out, g, m->drop[k].array, &m->drop[k].box);
    }
    text_char(out, '\n');
  }
}

void boxes_print(const boxes_list *l, const cdag *g)
{
  text t = { 0 };
  boxes_text(&t, l, g);
  fputs(text_str(&t), stdout);
  text_clear(&t);
}
