/* pebble/tile/shape.c -- may the elements of a box be computed as one move, and how many pebbles does that take?

   Tests 2, 3 and 4 of docs/tile-engine.md.  With e < e' for "computed earlier":
     2. no term reads, at e, an element e' of the box itself;
     3. no pebble dropped at e is read at e';   no pebble is dropped twice at one element;
     4. net and peak, by recursion over the indices: slices of one kind repeat.
   2 and 3 ask whether a system of equations x = y + c, intervals and one x < y has an integer solution: a weighted
   union-find answers that exactly.  The answer depends on relative positions only, so it is kept under a key. */
#include "pebble/tile/internal.h"
#include "base/mem.h"
#include <string.h>

/* ---- systems of x = y + c and intervals ---- */

enum { NODES = 2 * CDAG_RANK };
typedef struct {
  int8_t parent[NODES];
  int64_t offset[NODES];       /* value = value of parent + offset */
  int64_t lo[NODES], hi[NODES];/* of a root: lo <= value < hi */
} tile_system;

static int root_of(const tile_system *s, int v, int64_t *offset)
{
  *offset = 0;
  while (s->parent[v] != v) {
    *offset += s->offset[v];
    v = s->parent[v];
  }
  return v;
}

static bool within(tile_system *s, int v, int64_t lo, int64_t hi)
{
  int64_t off;
  int r = root_of(s, v, &off);
  if (s->lo[r] < lo - off)
    s->lo[r] = lo - off;
  if (s->hi[r] > hi - off)
    s->hi[r] = hi - off;
  return s->lo[r] < s->hi[r];
}

/* value(u) = value(v) + c */
static bool equate(tile_system *s, int u, int v, int64_t c)
{
  int64_t ou, ov;
  int ru = root_of(s, u, &ou), rv = root_of(s, v, &ov);
  int64_t shift = ov + c - ou; /* value(ru) = value(rv) + shift */
  if (ru == rv)
    return shift == 0;
  s->parent[ru] = (int8_t)rv;
  s->offset[ru] = shift;
  return within(s, rv, s->lo[ru] - shift, s->hi[ru] - shift);
}

static bool less(const tile_system *s, int u, int v)
{
  int64_t ou, ov;
  int ru = root_of(s, u, &ou), rv = root_of(s, v, &ov);
  return ru == rv ? ou < ov : s->lo[ru] + ou < s->hi[rv] - 1 + ov;
}

/* ---- two readings of one array ---- */

/* Everything relative: elements to the corner of the box, predecessors to a point all readings of that array share. */
typedef struct {
  int rank;                    /* of the array read */
  cdag_box part;
  tile_index index[CDAG_RANK];
} reading;

/* Index q of both readings names the same value; x are nodes 0.., y are nodes CDAG_RANK.. */
static bool same_index(tile_system *s, const tile_index *a, const tile_index *b)
{
  bool sa = a->kind == TILE_SHIFT, sb = b->kind == TILE_SHIFT;
  if (sa && sb)
    return equate(s, a->var, CDAG_RANK + b->var, b->base - a->base);
  if (sa)
    return within(s, a->var, b->base - a->base, b->end - a->base);
  if (sb)
    return within(s, CDAG_RANK + b->var, a->base - b->base, a->end - b->base);
  return a->base < b->end && b->base < a->end;
}

/* e in a.part, e' in b.part, both reading one predecessor. */
static bool meeting(tile_system *s, int rank, const reading *a, const reading *b)
{
  for (int r = 0; r < rank; r++) {
    s->parent[r] = (int8_t)r;
    s->parent[CDAG_RANK + r] = (int8_t)(CDAG_RANK + r);
    s->lo[r] = a->part.lo[r];
    s->hi[r] = a->part.hi[r];
    s->lo[CDAG_RANK + r] = b->part.lo[r];
    s->hi[CDAG_RANK + r] = b->part.hi[r];
  }
  for (int q = 0; q < a->rank; q++)
    if (!same_index(s, &a->index[q], &b->index[q]))
      return false;
  return true;
}

/* Is there an e in a.part and a later e' in b.part that read one predecessor?  Later: behind it in the order of
   indices; before it in index `down`, if that is one. */
static bool again_later(int rank, int down, const reading *a, const reading *b)
{
  tile_system s;
  if (!meeting(&s, rank, a, b))
    return false;
  for (int r = 0; r < rank; r++) {
    if (r == down ? less(&s, CDAG_RANK + r, r) : less(&s, r, CDAG_RANK + r))
      return true;
    if (!equate(&s, r, CDAG_RANK + r, 0))
      return false;
  }
  return false;
}

/* Is there one element that reads one predecessor through both?  No two elements do. */
static bool at_once(int rank, const reading *a, const reading *b)
{
  tile_system s;
  return meeting(&s, rank, a, b);
}

/* ---- readings out of the parts ---- */

static void reference(const tile_game *t, int array, const cdag_box *b, int term, int64_t *point)
{
  const tile_rule *rule = &t->rules.rule[array];
  int to = rule->term[term].array, first = 0;
  if (to == array) {
    memcpy(point, b->lo, (size_t)rule->rank * sizeof *point);
    return;
  }
  while (rule->term[t->part[first].term].array != to)
    first++;
  const tile_image *m = &t->array[array].image[t->part[first].term];
  for (int q = 0; q < rule->term[term].rank; q++)
    point[q] = m->index[q].base + (m->index[q].kind == TILE_SHIFT ? b->lo[m->index[q].var] : 0);
}

static void reading_of(const tile_game *t, int array, const cdag_box *b, const tile_part *p, reading *out)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_image *m = &t->array[array].image[p->term];
  int64_t point[CDAG_RANK];
  reference(t, array, b, p->term, point);
  out->rank = rule->term[p->term].rank;
  for (int r = 0; r < rule->rank; r++) {
    out->part.lo[r] = p->part.lo[r] - b->lo[r];
    out->part.hi[r] = p->part.hi[r] - b->lo[r];
  }
  for (int q = 0; q < out->rank; q++) {
    tile_index *x = &out->index[q];
    *x = m->index[q];
    if (x->kind == TILE_SHIFT) {
      x->base += b->lo[x->var] - point[q];
    } else {
      x->base = p->image.lo[q] - point[q];
      x->end = p->image.hi[q] - point[q];
    }
  }
}

static bool sound(const tile_game *t, int array, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[array];
  reading at[TILE_PARTS], self = { .rank = rule->rank };
  for (int r = 0; r < rule->rank; r++) {
    self.part.hi[r] = b->hi[r] - b->lo[r];
    self.index[r] = (tile_index){ TILE_SHIFT, r, 0, 0 };
  }
  for (size_t i = 0; i < t->parts; i++) {
    reading_of(t, array, b, &t->part[i], &at[i]);
    if (rule->term[t->part[i].term].array == array &&
        again_later(rule->rank, t->down, &at[i], &self))
      return false;
  }
  for (size_t i = 0; i < t->parts; i++)
    for (size_t k = 0; t->part[i].drop && k < t->parts; k++) {
      if (rule->term[t->part[i].term].array != rule->term[t->part[k].term].array)
        continue;
      if (again_later(rule->rank, t->down, &at[i], &at[k]) ||
          (k < i && t->part[k].drop && at_once(rule->rank, &at[i], &at[k])))
        return false;
    }
  return true;
}

/* ---- net and peak ---- */

typedef struct {
  const tile_game *t;
  const cdag_box *box;
  int rank;
  bool sliding;
  int64_t weight[TILE_PARTS];  /* pebbles an element drops through this part */
} tile_count;

typedef struct { int64_t net, peak; } tile_gain;

static tile_gain element_gain(const tile_count *c, uint64_t active)
{
  tile_gain gain = { 1, 1 };
  for (uint64_t m = active; m; m &= m - 1)
    gain.net -= c->weight[__builtin_ctzll(m)];
  if (c->sliding && gain.net < 1)
    gain.peak = 0; /* it takes over a dropped pebble */
  return gain;
}

/* The next place after `at` in index r where some active part begins or ends. */
static int64_t next_cut(const tile_count *c, int r, uint64_t active, int64_t at)
{
  int64_t cut = c->box->hi[r];
  for (uint64_t m = active; m; m &= m - 1) {
    const cdag_box *p = &c->t->part[__builtin_ctzll(m)].part;
    if (p->lo[r] > at && p->lo[r] < cut)
      cut = p->lo[r];
    if (p->hi[r] > at && p->hi[r] < cut)
      cut = p->hi[r];
  }
  return cut;
}

static uint64_t active_at(const tile_count *c, int r, uint64_t active, int64_t at)
{
  uint64_t on = 0;
  for (uint64_t m = active; m; m &= m - 1) {
    const cdag_box *p = &c->t->part[__builtin_ctzll(m)].part;
    if (p->lo[r] <= at && at < p->hi[r])
      on |= m & -m;
  }
  return on;
}

/* `times` such slices, behind the others or, in an index that goes down, before them. */
static void add_slices(tile_gain *sum, const tile_gain *one, int64_t times, bool before)
{
  int64_t own = one->peak + (one->net > 0 ? (times - 1) * one->net : 0), all = times * one->net,
          first = before ? own : sum->peak, second = before ? all + sum->peak : sum->net + own;
  sum->peak = first > second ? first : second;
  sum->net += all;
}

static tile_gain slice_gain(const tile_count *c, int r, uint64_t active)
{
  if (r == c->rank)
    return element_gain(c, active);
  tile_gain sum = { 0, 0 };
  for (int64_t at = c->box->lo[r], end; at < c->box->hi[r]; at = end) {
    end = next_cut(c, r, active, at);
    tile_gain one = slice_gain(c, r + 1, active_at(c, r, active, at));
    add_slices(&sum, &one, end - at, r == c->t->down);
  }
  return sum;
}

/* How many pebbles one element drops through p. */
static int64_t weight(const tile_game *t, int array, const tile_part *p)
{
  const tile_image *m = &t->array[array].image[p->term];
  int rank = t->rules.rule[array].term[p->term].rank;
  int64_t w = 1;
  for (int q = 0; q < rank; q++)
    if (m->index[q].kind == TILE_FREE)
      w *= p->image.hi[q] - p->image.lo[q];
  return w;
}

static void gain(const tile_game *t, int array, const cdag_box *b, tile_shape *shape)
{
  tile_count c = {
    .t = t, .box = b, .rank = t->rules.rule[array].rank, .sliding = t->base.rules.variant == PEBBLE_SLIDING
  };
  uint64_t drops = 0;
  for (size_t i = 0; i < t->parts; i++)
    if (t->part[i].drop) {
      drops |= 1ull << i;
      c.weight[i] = weight(t, array, &t->part[i]);
    }
  tile_gain all = slice_gain(&c, 0, drops);
  shape->net = all.net;
  shape->peak = all.peak;
}

/* Part i of a box of one element, where parts may overlap: the pebbles dropped by all parts on that array, counted at
   the first of them. */
static int64_t dropped_by_one(const tile_game *t, int array, size_t i)
{
  const tile_rule *rule = &t->rules.rule[array];
  int to = rule->term[t->part[i].term].array;
  pebble_tiles all;
  pebble_tiles_init(&all, rule->term[t->part[i].term].rank);
  for (size_t k = 0; k < t->parts; k++) {
    if (!t->part[k].drop || rule->term[t->part[k].term].array != to)
      continue;
    if (k < i)
      break; /* counted there */
    pebble_tiles_unite(&all, &t->part[k].image);
  }
  int64_t w = (int64_t)pebble_tiles_volume(&all);
  pebble_tiles_clear(&all);
  return w;
}

static void gain_of_one(const tile_game *t, int array, tile_shape *shape)
{
  shape->net = 1;
  for (size_t i = 0; i < t->parts; i++)
    if (t->part[i].drop)
      shape->net -= dropped_by_one(t, array, i);
  shape->peak = t->base.rules.variant == PEBBLE_SLIDING && shape->net < 1 ? 0 : 1;
}

/* ---- the key ---- */

static void push(tile_shape *s, int64_t v)
{
  if (s->n == s->room)
    s->key = mem_room(s->key, s->n, &s->room, sizeof *s->key);
  s->key[s->n++] = v;
}

static void key_part(tile_game *t, int array, const cdag_box *b, const tile_part *p)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_image *m = &t->array[array].image[p->term];
  int64_t point[CDAG_RANK];
  reference(t, array, b, p->term, point);
  push(&t->scratch, p->term * 2 + p->drop);
  for (int r = 0; r < rule->rank; r++) {
    push(&t->scratch, p->part.lo[r] - b->lo[r]);
    push(&t->scratch, p->part.hi[r] - b->lo[r]);
  }
  for (int q = 0; q < rule->term[p->term].rank; q++) {
    const tile_index *x = &m->index[q];
    push(&t->scratch, x->kind * CDAG_RANK + (x->kind == TILE_SHIFT ? x->var : 0));
    if (x->kind == TILE_SHIFT) {
      push(&t->scratch, x->base + b->lo[x->var] - point[q]);
    } else {
      push(&t->scratch, p->image.lo[q] - point[q]);
      push(&t->scratch, p->image.hi[q] - point[q]);
    }
  }
}

/* Part i of a box of one element: nothing is computed before or after it, so what it reads may lie anywhere.  How many
   pebbles it drops is told by how the images dropped lie to the first of them on the same array. */
static void key_of_one(tile_game *t, int array, size_t i)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_part *p = &t->part[i], *first = p->drop ? t->part : p;
  while (!first->drop != !p->drop || rule->term[first->term].array != rule->term[p->term].array)
    first++;
  push(&t->scratch, p->term * 2 + p->drop);
  for (int q = 0; q < rule->term[p->term].rank; q++) {
    push(&t->scratch, p->image.lo[q] - first->image.lo[q]);
    push(&t->scratch, p->image.hi[q] - first->image.lo[q]);
  }
}

static void build_key(tile_game *t, int array, const cdag_box *b, bool one)
{
  t->scratch.n = 0;
  push(&t->scratch, t->down);
  for (int r = 0; r < t->rules.rule[array].rank; r++)
    push(&t->scratch, b->hi[r] - b->lo[r]);
  for (size_t i = 0; i < t->parts; i++)
    if (one)
      key_of_one(t, array, i);
    else
      key_part(t, array, b, &t->part[i]);
}

const tile_shape *tile_shape_of(tile_game *t, int array, const cdag_box *b)
{
  tile_array *a = &t->array[array];
  bool one = pebble_box_volume(b, t->rules.rule[array].rank) == 1;
  build_key(t, array, b, one);
  for (int i = 0; i < TILE_SHAPES; i++) {
    const tile_shape *s = &a->shape[i];
    if (s->n == t->scratch.n && !memcmp(s->key, t->scratch.key, s->n * sizeof *s->key))
      return s;
  }
  tile_shape *fresh = &a->shape[a->next_shape], old = *fresh;
  a->next_shape = (a->next_shape + 1) % TILE_SHAPES;
  *fresh = t->scratch;
  t->scratch = old;
  fresh->sound = one || (t->parts <= TILE_PARTS && sound(t, array, b));
  if (one)
    gain_of_one(t, array, fresh);
  else if (fresh->sound)
    gain(t, array, b, fresh);
  return fresh;
}
