/* pebble/tile/slant.c -- boxes that a slanted side cuts, and diagonals, counted whole (docs/counting.md, "Counting
   without playing").

   In a domain of constant bounds but one, x[at] < x[along] + by or x[at] >= x[along] + by, a box of A values of
   x[along] and B of x[at] has, below the slanted side, T(h) = sum over u < A of min(max(u + h, 0), B) pairs, h the
   height of its corner.  T is affine in h as long as the side cuts the same two edges of the box, so a loop that moves
   a cut box repeats itself: only its volumes change, by as much in every iteration. */
#include "pebble/tile/internal.h"

typedef struct { int64_t a, b, h; } slant;

static slant slant_of(const tile_rule *rule, const cdag_box *b)
{
  int p = rule->along, r = rule->at;
  return (slant){ b->hi[p] - b->lo[p], b->hi[r] - b->lo[r], b->lo[p] + rule->by - b->lo[r] };
}

static uint64_t pairs_below(const slant *s)
{
  int64_t from = s->h < 0 ? -s->h : 0, to = s->b - s->h < s->a ? s->b - s->h : s->a; /* rows on the ramp */
  __int128 ramp = to > from ? (__int128)(to - from) * (2 * s->h + from + to - 1) / 2 : 0;
  int64_t whole = to < 0 ? s->a : s->a - to;
  return (uint64_t)(ramp + (whole > 0 ? (__int128)whole * s->b : 0));
}

/* Which edges the side cuts, and for how long.  The first that is so; later iterations may come to its end, where two
 * give the same. */
static void log_slant(tile_log *l, const slant *s)
{
  if (s->h <= 1 - s->a) { /* it passes the corner: all above */
    tile_log_equal(l, 0);
    tile_log_sign(l, 2 - s->a - s->h);
  } else if (s->h >= s->b) { /* all below */
    tile_log_equal(l, 1);
    tile_log_sign(l, s->h - s->b + 1);
  } else if (s->h >= 0 && s->a - 1 + s->h <= s->b) { /* every row */
    tile_log_equal(l, 2);
    tile_log_sign(l, s->h + 1);
    tile_log_sign(l, s->b - s->a - s->h + 2);
  } else if (s->h <= 1 && s->a + s->h >= s->b) { /* every column */
    tile_log_equal(l, 3);
    tile_log_sign(l, 2 - s->h);
    tile_log_sign(l, s->a + s->h - s->b + 1);
  } else { /* a corner off: quadratic */
    tile_log_equal(l, 4);
    tile_log_equal(l, s->h);
  }
}

/* Pairs of the two slanted indices in b that exist; TILE_SPLIT when some do and some do not. */
static tile_answer cut(const tile_game *t, const tile_rule *rule, const cdag_box *b, uint64_t *pairs)
{
  slant s = slant_of(rule, b);
  uint64_t all = (uint64_t)s.a * (uint64_t)s.b, below = pairs_below(&s);
  if (t->log)
    log_slant(t->log, &s);
  *pairs = rule->upper ? below : all - below;
  return *pairs == all ? TILE_BOX : *pairs == 0 ? TILE_EMPTY : TILE_SPLIT;
}

/* ---- what a cut compute reads and drops ---- */

/* Wherever the slanted side of a says that an element exists, does it so for what t names there? */
static bool follows_side(const tile_game *t, const tile_rule *from, const tile_term *term, const tile_image *m)
{
  const tile_rule *to = &t->rules.rule[term->array];
  if (to->rectangular)
    return true;
  if (!to->slanted)
    return false;
  const tile_index *p = &m->index[to->along], *r = &m->index[to->at];
  if (p->kind != TILE_SHIFT || r->kind != TILE_SHIFT)
    return false;
  if (p->var == r->var) /* along the side */
    return to->upper ? r->base < p->base + to->by : r->base >= p->base + to->by;
  if (!from->slanted || to->upper != from->upper || p->var != from->along || r->var != from->at)
    return false;
  int64_t slack = to->by + p->base - r->base - from->by; /* x[at] + r.base < x[along] + p.base + by */
  return to->upper ? slack >= 0 : slack <= 0;
}

/* Several indices may read one variable. */
static bool clip_part(cdag_box *part, int var, int64_t lo, int64_t hi)
{
  part->lo[var] = part->lo[var] > lo ? part->lo[var] : lo;
  part->hi[var] = part->hi[var] < hi ? part->hi[var] : hi;
  return part->lo[var] < part->hi[var];
}

/* The part of b on which the term names points of the box around its array. */
static tile_answer cut_image(tile_game *t, const tile_rule *rule, const tile_term *term, const cdag_box *b,
                             tile_image *m)
{
  const tile_rule *to = &t->rules.rule[term->array];
  if (!term->simple)
    return TILE_SPLIT;
  m->index = term->index;
  m->around = false;
  pebble_box_copy(&m->part, b, rule->rank);
  for (int q = 0; q < term->rank; q++) {
    const tile_index *x = &term->index[q];
    bool shift = x->kind == TILE_SHIFT;
    m->image.lo[q] = x->base + (shift ? b->lo[x->var] : 0);
    m->image.hi[q] = shift ? b->hi[x->var] + x->base : x->end;
  }
  if (t->log)
    tile_log_box(t->log, term->array, term->rank, &m->image);
  if (!pebble_box_clip(&m->image, &to->hull, term->rank))
    return TILE_EMPTY;
  for (int q = 0; q < term->rank; q++)
    if (term->index[q].kind == TILE_SHIFT &&
        !clip_part(&m->part, term->index[q].var, m->image.lo[q] - term->index[q].base,
                   m->image.hi[q] - term->index[q].base))
      return TILE_EMPTY;
  return follows_side(t, rule, term, m) ? TILE_BOX : TILE_SPLIT;
}

static bool cut_images(tile_game *t, int array, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[array];
  tile_array *a = &t->array[array];
  for (int i = 0; i < rule->terms; i++) {
    tile_answer answer = cut_image(t, rule, &rule->term[i], b, &a->image[i]);
    if (t->log)
      tile_log_equal(t->log, answer);
    if (answer == TILE_SPLIT)
      return false;
    a->present[i] = answer == TILE_BOX;
  }
  return true;
}

/* Do all drops reach over all of b in the indices up to the slanted one?  Then the box is so many equal fibers in the
 * indices after. */
static bool equal_fibers(const tile_game *t, const tile_rule *rule, const cdag_box *b)
{
  for (size_t i = 0; i < t->parts; i++)
    for (int r = 0; t->part[i].drop && r <= rule->at; r++)
      if (t->part[i].part.lo[r] != b->lo[r] || t->part[i].part.hi[r] != b->hi[r])
        return false;
  return true;
}

static uint64_t extents(const cdag_box *b, int from, int to)
{
  uint64_t v = 1;
  for (int r = from; r < to; r++)
    v *= (uint64_t)(b->hi[r] - b->lo[r]);
  return v;
}

/* What b would do if all of it existed; NULL when its elements may not be taken together. */
static const tile_shape *whole_shape(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  if (!cut_images(t, move->array, b))
    return NULL;
  tile_collect_parts(t, move, move->array, b);
  const tile_shape *shape = tile_shape_of(t, move->array, b);
  for (size_t i = 0; t->log && i < shape->n; i++)
    tile_log_equal(t->log, shape->key[i]);
  return shape->sound ? shape : NULL;
}

static bool compute(tile_game *t, const pebble_move *move, const cdag_box *b, uint64_t fibers)
{
  const tile_rule *rule = &t->rules.rule[move->array];
  const tile_shape *shape = whole_shape(t, move, b);
  if (!shape || !equal_fibers(t, rule, b))
    return false;
  int64_t boxed = (int64_t)extents(b, 0, rule->at + 1), net = shape->net / boxed;
  int64_t peak = shape->peak - (net > 0 ? (boxed - 1) * net : 0); /* of one fiber */
  tile_count_compute(t, net * (int64_t)fibers, peak + (net > 0 ? ((int64_t)fibers - 1) * net : 0));
  if (t->log)
    tile_log_volume(t->log, (int64_t)fibers, net);
  return true;
}

/* ---- a recorded iteration of a play ---- */

/* The part of b that the side leaves, when that is a box: b has one row or one column. */
static bool cut_box(const tile_rule *rule, const cdag_box *b, cdag_box *out)
{
  slant s = slant_of(rule, b);
  int p = rule->along, r = rule->at;
  pebble_box_copy(out, b, rule->rank);
  if (s.a == 1 && rule->upper)
    out->hi[r] = b->lo[r] + s.h;
  else if (s.a == 1)
    out->lo[r] = b->lo[r] + s.h;
  else if (s.b == 1 && rule->upper)
    out->lo[p] = b->lo[p] + 1 - s.h;
  else if (s.b == 1)
    out->hi[p] = b->lo[p] + 1 - s.h;
  return s.a == 1 || s.b == 1;
}

static uint64_t others(const tile_rule *rule, const cdag_box *b)
{
  return extents(b, 0, rule->at + 1) /
         ((uint64_t)(b->hi[rule->along] - b->lo[rule->along]) * (uint64_t)(b->hi[rule->at] - b->lo[rule->at]));
}

/* Fibers' net and peak as in the counter's compute, everything else as for any box. */
static tile_answer compute_part(tile_game *t, const pebble_move *move, const cdag_box *b, const cdag_box *part,
                                uint64_t fibers, int64_t *net)
{
  const tile_rule *rule = &t->rules.rule[move->array];
  const tile_shape *shape = whole_shape(t, move, b);
  if (!shape || !equal_fibers(t, rule, b))
    return TILE_SPLIT;
  int64_t boxed = (int64_t)extents(b, 0, rule->at + 1);
  *net = shape->net / boxed;
  int64_t peak = shape->peak - (*net > 0 ? (boxed - (int64_t)fibers) * *net : 0);
  return tile_compute_part(t, move, part, *net * (int64_t)fibers, peak);
}

tile_answer tile_play_cut(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[move->array];
  uint64_t pairs;
  cdag_box part;
  if (cut(t, rule, b, &pairs) != TILE_SPLIT || !cut_box(rule, b, &part))
    return TILE_SPLIT;
  uint64_t fibers = pairs * others(rule, b), volume = fibers * extents(b, rule->at + 1, rule->rank);
  int64_t net = move->kind == PEBBLE_LOAD ? 1 : move->kind == PEBBLE_DROP ? -1 : 0;
  bool computes = move->kind == PEBBLE_COMPUTE;
  tile_log_box(t->log, move->array, rule->rank, &part);
  tile_answer answer =
      computes ? compute_part(t, move, b, &part, fibers, &net) : tile_move_part(t, move, &part, volume);
  tile_log_equal(t->log, answer);
  if (answer != TILE_BOX)
    return TILE_SPLIT;
  tile_log_volume(t->log, (int64_t)(computes ? fibers : volume), net);
  tile_count_move(t, move, b, volume);
  return TILE_BOX;
}

/* ---- the counter's move ---- */

static bool count(tile_game *t, const pebble_move *move, const cdag_box *b, uint64_t fibers)
{
  const tile_rule *rule = &t->rules.rule[move->array];
  uint64_t volume = fibers * extents(b, rule->at + 1, rule->rank);
  if (move->kind == PEBBLE_COMPUTE) {
    if (!compute(t, move, b, fibers))
      return false;
  } else {
    tile_count_blind(t, move->kind, volume);
    if (t->log)
      tile_log_volume(t->log, (int64_t)volume, move->kind == PEBBLE_LOAD ? 1 : move->kind == PEBBLE_DROP ? -1 : 0);
  }
  tile_count_move(t, move, b, volume);
  return true;
}

static tile_answer count_cut(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[move->array];
  uint64_t pairs;
  tile_answer answer = cut(t, rule, b, &pairs);
  if (answer != TILE_SPLIT)
    return answer == TILE_EMPTY ? TILE_EMPTY : TILE_SPLIT; /* what is whole goes the usual way */
  return count(t, move, b, pairs * others(rule, b)) ? TILE_BOX : TILE_SPLIT;
}

/* O[I,*] reads Z[i,*,i]: no box, but counted like one. */
static tile_answer count_folded(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  for (int i = 0; i < move->drops; i++)
    if (!move->drop[i].whole) /* parts are cut to boxes index by index */
      return TILE_SPLIT;
  const tile_shape *shape = whole_shape(t, move, b);
  if (!shape)
    return TILE_SPLIT;
  tile_count_compute(t, shape->net, shape->peak);
  tile_count_move(t, move, b, pebble_box_volume(b, t->rules.rule[move->array].rank));
  return TILE_BOX;
}

tile_answer tile_count_whole(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[move->array];
  tile_answer answer = TILE_SPLIT;
  if (rule->slanted)
    answer = count_cut(t, move, b);
  else if (rule->rectangular && rule->folded && move->kind == PEBBLE_COMPUTE)
    answer = count_folded(t, move, b);
  if (t->log)
    tile_log_equal(t->log, answer);
  return answer;
}
