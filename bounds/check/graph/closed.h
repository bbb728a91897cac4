/* bounds/check/graph/closed.h -- the checker of lists of positions: the games step by step, and looking up.

   A step computes a vertex x, or sums an edge u -> x (partial): pebbles are given up until what is needed fits, what is
   missing is loaded, x takes its pebble, an output is stored.  What the steps leave out, docs/optimal.md, 2 to 11, says
   and proves; here it is done in the plainest way.  Included with WORDS defined. */
#include "base/patience.h"
#include "bounds/check/graph/positions.h"
#include "bounds/checker.h"
#include "pebble/optimal/core.h"
#include "pebble/optimal/paths.h"

enum { MOST_ENTRIES = 1 << 24 };      /* of a core's list */
#define NEVER UINT32_MAX              /* no play of the least I/O comes this way */

/* done: computed; with recomputation: stored for a load that is still to come; partial: edges that are summed. */
typedef struct {
  bits red, blue, done;
} spot;

typedef struct {
  const positions_claim *c;
  bool once;                          /* vertices computed whole, each once */
  int n, m;
  uint32_t least;
  bits *pred, *succ, *reach;          /* reach: the outputs it leads to */
  bits input, output, all;
  int edges, *tail;                   /* partial: by head, then by tail */
  bits *into, *out_of;
  bits_permutation *turn, *turn_edges;
  core *core;
  spot *at;                           /* the list */
  uint32_t *cost, *slot;              /* slot: number + 1 */
  size_t count, room, cost_room, slots;
} closed;

/* ---- vertices computed whole ---- */

static bits readers(const closed *k, bits set)
{
  bits next = { { 0 } };
  for (int u; bits_take(&set, &u);)
    next = bits_or(next, k->succ[u]);
  return next;
}

/* Of these vertices, those read by nothing but what is done. */
static bits dead(const closed *k, bits of, bits done)
{
  bits set = { { 0 } };
  for (int v; bits_take(&of, &v);)
    if (bits_within(k->succ[v], done))
      set = bits_with(set, v);
  return set;
}

/* Recomputation: those that lead to an output that is not blue. */
static bits useful(const closed *k, bits of, bits blue)
{
  bits wanted = bits_less(k->output, blue), set = { { 0 } };
  for (int v; bits_take(&of, &v);)
    if (bits_meet(k->reach[v], wanted))
      set = bits_with(set, v);
  return set;
}

/* x takes a pebble, or that of slide; what is of no use any more goes.  Returns the I/O. */
static uint32_t put(const closed *k, spot *p, int x, int slide)
{
  uint32_t cost = bits_has(k->output, x) && !bits_has(p->blue, x);
  if (slide >= 0)
    p->red = bits_without(p->red, slide);
  p->red = bits_with(p->red, x);
  if (cost)
    p->blue = bits_with(p->blue, x);
  if (k->once) {
    p->done = bits_with(p->done, x);
    bits gone = dead(k, bits_with(k->pred[x], x), p->done);
    p->red = bits_less(p->red, gone);
    p->blue = bits_less(p->blue, gone);
  } else {
    bits use = useful(k, bits_or(p->red, p->blue), p->blue);
    p->red = bits_and(p->red, use);
    p->blue = bits_and(p->blue, bits_or(use, k->output));
  }
  return cost;
}

/* Is nothing lost by computing x now, whose predecessors are red?  *slide: whose pebble it takes, or -1. */
static bool loses_nothing(const closed *k, const spot *p, int x, int *slide)
{
  bool room = bits_count(p->red) < k->m;
  *slide = -1;
  if (!k->once)
    return room;
  bits dies = dead(k, k->pred[x], bits_with(p->done, x)), t = dies;
  bool frees = bits_count(dies) >= 2 || !bits_within(dies, p->blue) || (bits_has(k->output, x) && !bits_empty(dies));
  if (k->c->sliding && bits_take(&t, slide))
    return frees;
  return room && (frees || bits_empty(k->succ[x]));
}

static uint32_t settle_whole(const closed *k, spot *p)
{
  uint32_t cost = 0;
  for (bool more = true; more;) {
    bits next = bits_less(readers(k, p->red), k->once ? p->done : p->red);
    int x, slide;
    more = false;
    if (!k->once)
      next = useful(k, next, p->blue);
    while (!more && bits_take(&next, &x))
      more = bits_within(k->pred[x], p->red) && loses_nothing(k, p, x, &slide);
    if (more)
      cost += put(k, p, x, slide);
  }
  return cost;
}

/* ---- partial: edge by edge ---- */

static bool complete(const closed *k, const spot *p, int v) { return bits_within(k->into[v], p->done); }

/* Edges into x from red complete vertices that are not summed yet. */
static bits ready(const closed *k, const spot *p, int x)
{
  bits set = { { 0 } };
  int e;
  for (bits t = bits_less(k->into[x], p->done); bits_take(&t, &e);)
    if (bits_has(p->red, k->tail[e]) && complete(k, p, k->tail[e]))
      set = bits_with(set, e);
  return set;
}

/* All that is ready is summed into x: it is red, in blue no more; an output that is complete is stored. */
static uint32_t sum(const closed *k, spot *p, int x)
{
  p->done = bits_or(p->done, ready(k, p, x));
  p->red = bits_with(p->red, x);
  p->blue = bits_without(p->blue, x);
  if (!bits_has(k->output, x) || !complete(k, p, x))
    return 0;
  p->blue = bits_with(p->blue, x);
  return 1;
}

static uint32_t settle_partial(const closed *k, spot *p)
{
  uint32_t cost = 0;
  int v;
  for (bool more = true; more;) {
    more = false;
    for (bits t = p->red; !more && bits_take(&t, &v);)
      if (!bits_empty(ready(k, p, v))) {
        cost += sum(k, p, v);
        more = true;
      }
  }
  for (bits t = p->red; bits_take(&t, &v);)
    if (bits_within(k->out_of[v], p->done) && complete(k, p, v)) {
      p->red = bits_without(p->red, v);
      p->blue = bits_without(p->blue, v);
    }
  return cost;
}

/* ---- what is still to pay ---- */

/* As many of the paths as are such: of edges, inside, sharing no vertex, from an input. */
static uint32_t count_paths(const closed *k, const paths *r)
{
  bits met = { { 0 } };
  uint32_t count = 0;
  int v, u;
  for (bits t = bits_and(r->to, r->used); bits_take(&t, &v); count++)
    for (u = v;; u = r->before[u]) {
      if (!bits_has(r->inside, u) || bits_has(met, u))
        return count; /* unreachable: the paths that are found are such */
      met = bits_with(met, u);
      if (r->before[u] < 0 && bits_has(k->input, u))
        break;
      if (r->before[u] < 0 || !bits_has(k->succ[r->before[u]], u))
        return count; /* unreachable: the paths that are found are such */
    }
  return count;
}

/* Recomputation: stores, loads owed, and disjoint ways from inputs to what has to be read (docs/optimal.md, 8). */
static uint32_t owed_again(const closed *k, const spot *p)
{
  if (!bits_within(p->done, p->blue))
    return NEVER;
  bits must = bits_less(k->output, p->blue), todo = must, reads = { { 0 } };
  uint32_t count = (uint32_t)(bits_count(must) + bits_count(p->done));
  for (int x; bits_take(&todo, &x);) {
    bits need = bits_less(k->pred[x], p->red), more = bits_less(bits_less(need, p->blue), must);
    reads = bits_or(reads, need);
    must = bits_or(must, more);
    todo = bits_or(todo, more);
  }
  bits off = bits_or(bits_or(p->red, p->done), must);
  paths r = { .succ = k->succ, .inside = bits_less(k->all, off), .to = bits_less(reads, off) };
  r.from = bits_and(r.inside, k->input);
  r.used = bits_and(r.to, k->input);
  int v;
  for (bits t = r.used; bits_take(&t, &v);)
    r.before[v] = PATHS_START;
  while (!bits_within(r.to, r.used) && paths_add(&r))
    ;
  return count + count_paths(k, &r);
}

static uint32_t owed(const closed *k, const spot *p)
{
  uint32_t count = (uint32_t)bits_count(bits_less(p->blue, p->red));
  int v;
  if (k->once)
    return count + (uint32_t)bits_count(bits_less(k->output, p->done));
  if (!k->c->partial)
    return owed_again(k, p);
  for (bits t = k->output; bits_take(&t, &v);)
    count += !complete(k, p, v);
  return count;
}

/* ---- the list ---- */

static void fields(const closed *k, spot *p, bits *field[3])
{
  bits *const once[] = { &p->done, &p->red, &p->blue }, *const other[] = { &p->red, &p->blue, &p->done };
  memcpy(field, k->once ? once : other, sizeof once);
}

/* A smaller image under the automorphisms, as long as there is one. */
static spot turned(const closed *k, spot p)
{
  bits *field[3], image[3];
  fields(k, &p, field);
  for (int i = 0, since = 0; since < k->c->turns; i = (i + 1) % k->c->turns, since++) {
    int order = 0;
    for (int j = 0; j < 3; j++) {
      image[j] = bits_image(j == 2 && k->turn_edges ? &k->turn_edges[i] : &k->turn[i], *field[j]);
      order = order ? order : bits_compare(image[j], *field[j]);
    }
    for (int j = 0; j < 3 && order < 0; j++)
      *field[j] = image[j];
    since = order < 0 ? -1 : since;
  }
  return p;
}

/* Where positions that may be compared with p begin. */
static size_t slot_of(const closed *k, const spot *p)
{
  const bits *second = k->once ? &p->done : &p->blue;
  uint64_t h = 0;
  EACH_WORD(i) {
    h = (h ^ p->red.w[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 29 ^ second->w[i]) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 32;
  }
  return h & (k->slots - 1);
}

/* Can a position do all that p can, for so much more at most? */
static bool covers(const closed *k, const spot *e, uint32_t cost, const spot *p, uint32_t most)
{
  if (cost > most || bits_compare(e->red, p->red) != 0)
    return false;
  if (k->once) /* what is red is stored; the rest of blue is what cannot be had otherwise */
    return bits_compare(e->done, p->done) == 0 &&
           bits_compare(bits_less(e->blue, e->red), bits_less(p->blue, p->red)) == 0 &&
           cost + (uint32_t)bits_count(bits_less(p->blue, e->blue)) <= most;
  bool same = bits_compare(e->blue, p->blue) == 0;
  return same && (k->c->partial ? bits_compare(e->done, p->done) == 0 : bits_within(e->done, p->done));
}

static bool is_covered(const closed *k, spot p, uint32_t cost)
{
  p = turned(k, p);
  for (size_t i = slot_of(k, &p); k->slot[i]; i = (i + 1) & (k->slots - 1))
    if (covers(k, &k->at[k->slot[i] - 1], k->cost[k->slot[i] - 1], &p, cost))
      return true;
  return false;
}

/* ---- steps ---- */

typedef struct {
  const closed *k;
  const spot *from;
  int x, slide;
  bits missing, given, stored;
  uint32_t cost;
  int64_t spare;                      /* by which cost and what is owed may still grow */
  bool deep;                          /* false: nothing may follow at all */
} step;

static bool is_bounded(const closed *k, const spot *p, uint32_t cost, bool deep);

static bool finish(const step *s)
{
  const closed *k = s->k;
  spot p = *s->from;
  uint32_t cost = s->cost + (uint32_t)bits_count(s->missing);
  if (!s->deep)
    return false;
  p.red = bits_or(bits_less(p.red, s->given), s->missing);
  p.blue = bits_or(p.blue, s->stored);
  if (k->c->again)
    p.done = bits_or(bits_less(p.done, s->missing), s->stored);
  if (k->c->partial)
    cost += sum(k, &p, s->x) + settle_partial(k, &p);
  else {
    cost += put(k, &p, s->x, s->slide);
    cost += settle_whole(k, &p);
  }
  return is_covered(k, p, cost) || is_bounded(k, &p, cost, false);
}

/* Give up v, then `then` more of the pool: a word that is not in blue is stored, or with recomputation may be lost.
   Where nothing is computed twice it is to be loaded again; what is stored with recomputation, too (9). */
static bool give_up(step s, int v, bits pool, int then)
{
  bool again = s.k->c->again;
  int u;
  s.given = bits_with(s.given, v);
  if (!bits_has(s.from->blue, v)) {
    step stored = s;
    stored.stored = bits_with(s.stored, v);
    stored.cost++;
    stored.spare -= 2;
    if (stored.spare >= 0) {
      if (then == 0 && !finish(&stored))
        return false;
      for (bits t = pool; then > 0 && bits_take(&t, &u);)
        if (!give_up(stored, u, t, then - 1))
          return false;
    }
    if (!again)
      return true;
  }
  s.spare -= !again;
  if (s.spare < 0)
    return true;
  if (then == 0)
    return finish(&s);
  while (bits_take(&pool, &u))
    if (!give_up(s, u, pool, then - 1))
      return false;
  return true;
}

static bool give_up_all(const step *s, bits pool, int count)
{
  int v;
  if (count <= 0)
    return finish(s);
  while (bits_take(&pool, &v))
    if (!give_up(*s, v, pool, count - 1))
      return false;
  return true;
}

/* All ways to compute x. */
static bool compute(step *s)
{
  const closed *k = s->k;
  bits pred = k->pred[s->x], with = bits_or(s->from->red, pred), pool = bits_less(s->from->red, pred), t = { { 0 } };
  int count = bits_count(with) + 1 - k->m, u;
  s->missing = bits_less(pred, s->from->red);
  s->slide = -1;
  if (k->c->sliding && k->once)
    t = dead(k, pred, bits_with(s->from->done, s->x));
  if (bits_take(&t, &s->slide))       /* on the pebble of a word that nobody reads again */
    return give_up_all(s, pool, count - 1);
  if (!give_up_all(s, pool, count))
    return false;
  for (t = pred; k->c->sliding && count > 0 && bits_take(&t, &u);) {
    s->slide = u;
    if (!give_up(*s, u, pool, count - 1))
      return false;
  }
  return true;
}

static bool compute_any(step *s)
{
  const closed *k = s->k;
  bits at_hand = bits_or(s->from->red, s->from->blue);
  bits next = bits_less(readers(k, at_hand), k->once ? s->from->done : s->from->red);
  if (!k->once)
    next = useful(k, next, s->from->blue);
  while (bits_take(&next, &s->x))
    if (bits_within(k->pred[s->x], at_hand) && !compute(s))
      return false;
  return true;
}

static bool sum_any(step *s)
{
  const closed *k = s->k;
  const spot *p = s->from;
  for (s->x = 0; s->x < k->n; s->x++) {
    int e;
    for (bits t = bits_less(k->into[s->x], p->done); bits_take(&t, &e);) {
      int u = k->tail[e];
      bits both = bits_with(bits_one(u), s->x);
      if (!bits_has(bits_or(p->red, p->blue), u) || !complete(k, p, u))
        continue;
      s->missing = bits_less(bits_meet(k->into[s->x], p->done) ? both : bits_one(u), p->red);
      if (!give_up_all(s, bits_less(p->red, both), bits_count(bits_or(p->red, both)) - k->m))
        return false;
    }
  }
  return true;
}

/* Is it seen that every way from here to the end, for which so much was paid, comes to `least`: at once, or because of
   what follows? */
static bool is_bounded(const closed *k, const spot *p, uint32_t cost, bool deep)
{
  uint32_t more = owed(k, p);
  if (more == NEVER || cost + more >= k->least)
    return true;
  if (more == 0) /* the end */
    return false;
  if (k->core && cost + more + core_beyond(k->core, p->done, p->red, p->blue) >= k->least)
    return true;
  step s = { .k = k, .from = p, .slide = -1, .cost = cost, .spare = (int64_t)k->least - 1 - cost - more, .deep = deep };
  return k->c->partial ? sum_any(&s) : compute_any(&s);
}

/* ---- reading ---- */

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

/* The set is changed by what is written; nothing written is no change. */
static bool read_set(const char **s, bits *set, int most)
{
  const char *end = *s;
  while (digit(*end) >= 0)
    end++;
  for (int i = 0; end - i > *s; i++) {
    int value = digit(end[-1 - i]);
    if (4 * i >= most || value >> (most - 4 * i < 4 ? most - 4 * i : 4))
      return false;
    set->w[i / 16] ^= (uint64_t)value << i % 16 * 4;
  }
  *s = end;
  return true;
}

static bool read_char(const char **s, char c) { return **s == c && (*s)++; }

static bool read_cost(const char **s, uint32_t *cost)
{
  const char *begin = *s;
  for (*cost = 0; **s >= '0' && **s <= '9' && *cost < 1 << 20; (*s)++)
    *cost = 10 * *cost + (uint32_t)(**s - '0');
  return *s > begin;
}

static bool read_list(closed *k)
{
  const char *s = k->c->list;
  spot p = { .red = { { 0 } } };
  bits *field[3];
  fields(k, &p, field);
  for (int edges = k->c->partial ? k->edges : k->n; *s;) {
    uint32_t cost;
    if (!read_set(&s, field[0], k->n) || !read_char(&s, ',') || !read_set(&s, field[1], k->n) || !read_char(&s, ',') ||
        !read_set(&s, field[2], edges) || !read_char(&s, ':') || !read_cost(&s, &cost) || !read_char(&s, ';'))
      return false;
    k->at = mem_room(k->at, k->count, &k->room, sizeof *k->at);
    k->cost = mem_room(k->cost, k->count, &k->cost_room, sizeof *k->cost);
    k->at[k->count] = p;
    k->cost[k->count++] = cost;
  }
  for (k->slots = 64; k->slots < 2 * k->count; k->slots *= 2)
    ;
  k->slot = MEM_NEW(uint32_t, k->slots);
  for (size_t i = 0; i < k->count; i++) {
    size_t at = slot_of(k, &k->at[i]);
    while (k->slot[at])
      at = (at + 1) & (k->slots - 1);
    k->slot[at] = (uint32_t)i + 1;
  }
  return true;
}

/* ---- the part ---- */

static bits_permutation turn_of_edges(const closed *k, const bits_permutation *turn)
{
  uint16_t to[64 * WORDS];
  int e, f;
  for (int v = 0; v < k->n; v++)
    for (bits t = k->into[v]; bits_take(&t, &e);)
      for (bits s = k->into[turn->to[v]]; bits_take(&s, &f);)
        if (k->tail[f] == turn->to[k->tail[e]])
          to[e] = (uint16_t)f;
  return bits_permutation_of(to, (uint32_t)k->edges);
}

/* An automorphism keeps what each vertex reads, and outputs. */
static bool read_turn(closed *k, int i)
{
  uint16_t to[64 * WORDS];
  bits met = { { 0 } };
  bits_permutation *turn = &k->turn[i];
  for (int v = 0; v < k->n; v++) {
    to[v] = (uint16_t)k->c->turn[i * k->n + v];
    met = bits_with(met, to[v]);
  }
  *turn = bits_permutation_of(to, (uint32_t)k->n);
  bool good = bits_compare(met, k->all) == 0 && bits_compare(bits_image(turn, k->output), k->output) == 0;
  for (int v = 0; v < k->n && good; v++)
    good = bits_compare(bits_image(turn, k->pred[v]), k->pred[to[v]]) == 0;
  if (good && k->turn_edges)
    k->turn_edges[i] = turn_of_edges(k, turn);
  return good;
}

static bool read_turns(closed *k)
{
  bool good = true;
  k->turn = MEM_NEW(bits_permutation, (size_t)k->c->turns);
  k->turn_edges = k->c->partial ? MEM_NEW(bits_permutation, (size_t)k->c->turns) : NULL;
  for (int i = 0; i < k->c->turns && good; i++)
    good = read_turn(k, i);
  return good;
}

/* What it reads; false: more edges than a set holds. */
static bool read_vertex(closed *k, int v)
{
  const cdag_graph *g = k->c->g;
  uint32_t x = k->c->vertex[v];
  int u;
  for (uint64_t e = g->pred_at[x]; e < g->pred_at[x + 1]; e++) {
    u = (int)k->c->number[g->pred[e]] - 1;
    k->pred[v] = bits_with(k->pred[v], u);
    k->succ[u] = bits_with(k->succ[u], v);
  }
  k->all = bits_with(k->all, v);
  if (bits_empty(k->pred[v]))
    k->input = bits_with(k->input, v);
  else if (k->c->weight[x] == 1)
    k->output = bits_with(k->output, v);
  for (bits t = k->pred[v]; k->c->partial && bits_take(&t, &u);) {
    if (k->edges == 64 * WORDS)
      return false;
    k->into[v] = bits_with(k->into[v], k->edges);
    k->out_of[u] = bits_with(k->out_of[u], k->edges);
    k->tail[k->edges++] = u;
  }
  return true;
}

/* Which outputs each vertex leads to: until nothing changes. */
static void reach(closed *k)
{
  int u;
  for (int v = 0; v < k->n; v++)
    if (bits_has(k->output, v))
      k->reach[v] = bits_one(v);
  for (bool more = true; more;) {
    more = false;
    for (int v = 0; v < k->n; v++)
      for (bits t = k->pred[v]; bits_take(&t, &u);)
        if (!bits_within(k->reach[v], k->reach[u])) {
          k->reach[u] = bits_or(k->reach[u], k->reach[v]);
          more = true;
        }
  }
}

/* The list of a core is made anew, by the code that the search asks. */
static bool list_core(closed *k)
{
  static const optimal_watch watch = { .deadline = CLOCK_NEVER };
  core_whole all = { k->pred, k->succ, k->input, k->output, k->all };
  bits within = { { 0 } };
  for (int i = 0; i < k->c->cores; i++)
    within = bits_with(within, k->c->core[i]);
  k->core = core_new(&all, k->n, k->m, &watch);
  core_take(k->core, within);
  core_build(k->core, (uint32_t)k->c->limit, PATIENCE(MOST_ENTRIES));
  return !k->core->back.full;
}

static void closed_init(closed *k, const positions_claim *c)
{
  size_t n = c->n;
  *k = (closed){ .c = c, .once = !c->again && !c->partial, .n = (int)n, .least = c->least };
  k->m = c->m < n + 1 ? (int)c->m : (int)n + 1;
  k->pred = MEM_NEW(bits, n), k->succ = MEM_NEW(bits, n), k->reach = MEM_NEW(bits, n);
  k->into = MEM_NEW(bits, n), k->out_of = MEM_NEW(bits, n), k->tail = MEM_NEW(int, 64 * WORDS);
}

static void closed_clear(closed *k)
{
  core_free(k->core);
  mem_free(k->pred), mem_free(k->succ), mem_free(k->reach);
  mem_free(k->into), mem_free(k->out_of), mem_free(k->tail);
  mem_free(k->turn), mem_free(k->turn_edges);
  mem_free(k->at), mem_free(k->cost), mem_free(k->slot);
}

/* ---- the claim ---- */

static bool read_all(closed *k, text *reason)
{
  for (int v = 0; v < k->n; v++)
    if (!read_vertex(k, v))
      return bound_refuse(reason, "a part has more than %d edges", 64 * WORDS);
  reach(k);
  if (!read_turns(k))
    return bound_refuse(reason, "what is said to be a symmetry of a part is none");
  if (k->c->cores && !list_core(k))
    return bound_refuse(reason, "the list of a core has more than %d entries", MOST_ENTRIES);
  return read_list(k) || bound_refuse(reason, "the list of positions breaks off behind %zu of them", k->count);
}

static bool is_closed(const positions_claim *c, text *reason)
{
  closed k;
  spot start = { .red = { { 0 } } };
  closed_init(&k, c);
  bool good = read_all(&k, reason);
  start.blue = k.input;
  if (good && !is_covered(&k, start, 0) && !is_bounded(&k, &start, 0, true))
    good = bound_refuse(reason, "the start of a part is not listed, and a play of less than %u may begin there",
                        c->least);
  for (size_t i = 0; i < k.count && good; i++)
    if (!is_bounded(&k, &k.at[i], k.cost[i], true))
      good = bound_refuse(reason, "position %zu leads to one not listed, where a play of less than %u may go on", i + 1,
                          c->least);
  closed_clear(&k);
  return good;
}
