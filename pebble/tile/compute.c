/* pebble/tile/compute.c -- computing a box of one array (docs/tile-engine.md, tests 1 to 4).

   Test 1 is here: the image of every term, less what the box itself brings, is red.  The other three depend on the
   shape of the move only (pebble/tile/shape.c).  A failed test is no verdict: the caller tries the halves, and a box of
   one element passes exactly when it is legal. */
#include "base/mem.h"
#include "pebble/tile/internal.h"

static bool free_to_compute(const tile_game *t, int array, const cdag_box *b)
{
  const tile_array *a = &t->array[array];
  if (a->input || (a->source.n && pebble_tiles_meet(&a->source, b)))
    return false;
  if (tile_red_meets(t, array, b))
    return false;
  return !t->base.rules.one_shot || !pebble_tiles_meet(&a->computed, b);
}

/* image less b is red; b itself is not. */
static bool own_red(const tile_game *t, int array, const cdag_box *image, const cdag_box *b)
{
  int rank = t->rules.rule[array].rank;
  uint64_t inside = pebble_box_common(image, b, rank);
  if (!inside)
    return tile_red_covers(t, array, image);
  uint64_t all = pebble_box_volume(image, rank);
  return inside == all || tile_red_common(t, array, image) + inside == all;
}

/* How a term is dropped: not at all, wholly, or in boxes. */
static int drops_of(const pebble_move *move, int array, bool *whole)
{
  int n = 0;
  *whole = false;
  for (int i = 0; i < move->drops; i++)
    if (move->drop[i].array == array) {
      n++;
      *whole |= move->drop[i].whole;
    }
  return n;
}

/* A term that only reads, apart from the box and from what is dropped: what lies around its image may be red, too.  So
   a window X[y+a,x+b] needs no halves. */
static tile_answer image_around(tile_game *t, const pebble_move *move, const tile_term *term, const cdag_box *b,
                                tile_image *m)
{
  bool whole, own = term->array == move->array;
  if (drops_of(move, term->array, &whole))
    return TILE_SPLIT;
  tile_answer answer = tile_image_around(&t->rules, move->array, term, b, m);
  return answer == TILE_BOX && own && cdag_box_meets(&m->image, b, term->rank) ? TILE_SPLIT : answer;
}

/* On this box, do both terms name the same element, or the same range, for each element of the same part?  That images
   are alike is told by their bounds, which the log has. */
static bool names_same(const tile_game *t, int array, const tile_term *term, const tile_image *a, const tile_image *b)
{
  bool same = !a->around && !b->around && pebble_box_equal(&a->image, &b->image, term->rank);
  for (int q = 0; q < term->rank && same; q++) {
    const tile_index *x = &a->index[q], *y = &b->index[q];
    bool one = a->image.lo[q] + 1 == a->image.hi[q],
         alike = x->kind == y->kind && x->kind != TILE_FIXED && (x->kind == TILE_FREE || x->var == y->var);
    same = one || alike; /* a shift by the same variable, to the same image of the same part, is by as much */
  }
  for (int r = 0; r < t->rules.rule[array].rank && same; r++) {
    int64_t lower = a->part.lo[r] - b->part.lo[r], upper = a->part.hi[r] - b->part.hi[r];
    if (t->log) {
      tile_log_equal(t->log, lower);
      tile_log_equal(t->log, upper);
    }
    same = !lower && !upper;
  }
  return same;
}

/* Named twice counts once: `D[k-1,i,j], D[k-1,k-1,j]` in the row i = k - 1. */
static bool is_named_before(const tile_game *t, int array, int i)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_array *a = &t->array[array];
  bool found = false;
  for (int k = 0; k < i && !found; k++)
    found = a->present[k] && rule->term[k].array == rule->term[i].array &&
            names_same(t, array, &rule->term[i], &a->image[k], &a->image[i]);
  return found;
}

static tile_answer predecessors(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  int array = move->array;
  const tile_rule *rule = &t->rules.rule[array];
  tile_array *a = &t->array[array];
  for (int i = 0; i < rule->terms; i++) {
    const tile_term *term = &rule->term[i];
    tile_image *m = &a->image[i];
    tile_answer answer = tile_image_of(&t->rules, array, term, b, m);
    if (answer == TILE_SPLIT)
      answer = image_around(t, move, term, b, m);
    if (answer == TILE_SPLIT)
      return TILE_SPLIT;
    a->present[i] = answer == TILE_BOX && (rule->rigid || !is_named_before(t, array, i));
    if (!a->present[i] || t->blind)
      continue;
    if (term->array == array ? !own_red(t, array, &m->image, b) : !tile_red_covers(t, term->array, &m->image))
      return TILE_SPLIT;
  }
  return TILE_BOX;
}

static void add_part(tile_game *t, int term, bool drop, const cdag_box *part, int rank, const cdag_box *image,
                     int image_rank)
{
  t->part = mem_room(t->part, t->parts, &t->part_room, sizeof *t->part);
  tile_part *p = &t->part[t->parts++];
  p->term = term;
  p->drop = drop;
  pebble_box_copy(&p->part, part, rank);
  pebble_box_copy(&p->image, image, image_rank);
}

/* The part of the box that drops, through this term, pebbles inside the box named after `dropping`. */
static void add_clipped(tile_game *t, int array, int term, const cdag_box *within)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_image *m = &t->array[array].image[term];
  int rank = rule->term[term].rank;
  cdag_box part, image;
  pebble_box_copy(&image, &m->image, rank);
  if (!pebble_box_clip(&image, within, rank))
    return;
  pebble_box_copy(&part, &m->part, rule->rank);
  for (int q = 0; q < rank; q++)
    if (m->index[q].kind == TILE_SHIFT) {
      part.lo[m->index[q].var] = image.lo[q] - m->index[q].base;
      part.hi[m->index[q].var] = image.hi[q] - m->index[q].base;
    }
  add_part(t, term, true, &part, rule->rank, &image, rank);
}

/* Does part i only read, and nothing that the box b itself or a dropped box has?  Then tests 2 to 4 need not look at
   it. So it is in the iterations like this one, too: the log has the bounds of every image, and boxes that are disjoint
   stay so while no two bounds change places. */
static bool stands_apart(const tile_game *t, int array, const cdag_box *b, size_t i)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_part *p = &t->part[i];
  int to = rule->term[p->term].array, rank = rule->term[p->term].rank;
  bool apart = !p->drop && (to != array || !cdag_box_meets(&p->image, b, rank));
  for (size_t k = 0; k < t->parts && apart; k++)
    apart = !t->part[k].drop || rule->term[t->part[k].term].array != to ||
            !cdag_box_meets(&p->image, &t->part[k].image, rank);
  return apart;
}

static void leave_out_apart(tile_game *t, int array, const cdag_box *b)
{
  size_t kept = 0;
  bool apart[TILE_PARTS];
  if (t->parts > TILE_PARTS)
    return;
  for (size_t i = 0; i < t->parts; i++)
    apart[i] = stands_apart(t, array, b, i);
  for (size_t i = 0; i < t->parts; i++)
    if (!apart[i])
      t->part[kept++] = t->part[i];
  t->parts = kept;
}

/* The readings and droppings that tests 2 to 4 look at: own-array terms and those on arrays that lose pebbles. */
void tile_collect_parts(tile_game *t, const pebble_move *move, int array, const cdag_box *b)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_array *a = &t->array[array];
  t->parts = 0;
  for (int i = 0; i < rule->terms; i++) {
    if (!a->present[i] || a->image[i].around)
      continue;
    bool whole;
    int to = rule->term[i].array, dropped = drops_of(move, to, &whole);
    if (to != array && !dropped)
      continue;
    const tile_image *m = &a->image[i];
    add_part(t, i, whole, &m->part, rule->rank, &m->image, rule->term[i].rank);
    for (int k = 0; dropped && !whole && k < move->drops; k++)
      if (move->drop[k].array == to)
        add_clipped(t, array, i, &move->drop[k].box);
  }
  leave_out_apart(t, array, b);
}

/* The pebbles of one term's images go; those of the box come before the first that lies in it, so that it can go again,
   and after all others, so that a chain stays one box. */
static void drop_images(tile_game *t, int array, const cdag_box *b, int to, const cdag_box *image, bool *added)
{
  if (!*added && to == array && cdag_box_meets(image, b, t->rules.rule[array].rank)) {
    tile_add_red(t, array, b);
    *added = true;
  }
  tile_take_red(t, to, image);
}

static void add_computed(tile_game *t, int array, const cdag_box *b, bool added, int64_t net)
{
  if (!added)
    tile_add_red(t, array, b);
  if (t->base.rules.one_shot)
    tile_add_computed(t, array, b);
  t->base.red = (uint64_t)((int64_t)t->base.red + net);
}

static void apply(tile_game *t, int array, const cdag_box *b, int64_t net)
{
  const tile_rule *rule = &t->rules.rule[array];
  bool added = false;
  for (size_t i = 0; i < t->parts; i++)
    if (t->part[i].drop)
      drop_images(t, array, b, rule->term[t->part[i].term].array, &t->part[i].image, &added);
  add_computed(t, array, b, added, net);
}

/* The counter's view: pebbles come and go, no position is kept. */
static void apply_blind(tile_game *t, int64_t net)
{
  uint64_t less = net < 0 ? -(uint64_t)net : 0;
  t->below_zero |= t->base.red < less;
  if (net > 0)
    t->base.red = num_plus64(t->base.red, (uint64_t)net);
  else if (t->base.red >= less)
    t->base.red -= less;
}

/* ---- a compute like the one before ---- */

/* Of a rigid rule, in a computation of at most 64 arrays: extents, arrays dropped and clipped parts decide the shape.
   Most computes of a schedule repeat the one before of that array in these, and then need no key. */
struct tile_repeat {
  uint64_t dropped;            /* arrays, a bit each */
  int64_t net, peak;
  int64_t extent[CDAG_RANK];
  struct { bool present; int64_t lo[CDAG_RANK], hi[CDAG_RANK]; } term[];
};

static bool whole_drops(const pebble_move *move, uint64_t *dropped)
{
  *dropped = 0;
  for (int i = 0; i < move->drops; i++) {
    if (!move->drop[i].whole)
      return false;
    *dropped |= 1ull << move->drop[i].array;
  }
  return true;
}

static bool matters(const tile_term *t, int array, uint64_t dropped)
{
  return t->array == array || dropped >> t->array & 1;
}

static bool repeats(const tile_game *t, int array, const cdag_box *b, uint64_t dropped)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_array *a = &t->array[array];
  const struct tile_repeat *last = a->repeat;
  if (!last || last->dropped != dropped)
    return false;
  for (int r = 0; r < rule->rank; r++)
    if (b->hi[r] - b->lo[r] != last->extent[r])
      return false;
  for (int i = 0; i < rule->terms; i++) {
    if (!matters(&rule->term[i], array, dropped))
      continue;
    if (a->present[i] != last->term[i].present)
      return false;
    for (int r = 0; a->present[i] && r < rule->rank; r++)
      if (a->image[i].part.lo[r] - b->lo[r] != last->term[i].lo[r] ||
          a->image[i].part.hi[r] - b->lo[r] != last->term[i].hi[r])
        return false;
  }
  return true;
}

static void remember(tile_game *t, int array, const cdag_box *b, uint64_t dropped, int64_t net, int64_t peak)
{
  const tile_rule *rule = &t->rules.rule[array];
  tile_array *a = &t->array[array];
  if (!a->repeat)
    a->repeat = mem_new(1, sizeof *a->repeat + (size_t)rule->terms * sizeof a->repeat->term[0]);
  a->repeat->dropped = dropped;
  a->repeat->net = net;
  a->repeat->peak = peak;
  for (int r = 0; r < rule->rank; r++)
    a->repeat->extent[r] = b->hi[r] - b->lo[r];
  for (int i = 0; i < rule->terms; i++) {
    a->repeat->term[i].present = a->present[i];
    for (int r = 0; a->present[i] && r < rule->rank; r++) {
      a->repeat->term[i].lo[r] = a->image[i].part.lo[r] - b->lo[r];
      a->repeat->term[i].hi[r] = a->image[i].part.hi[r] - b->lo[r];
    }
  }
}

bool tile_has_memory(tile_game *t, int64_t peak)
{
  uint64_t most = num_plus64(t->base.red, (uint64_t)peak);
  if (most > t->base.rules.m)
    return false;
  if (most > t->base.verdict.peak)
    t->base.verdict.peak = most;
  return true;
}

void tile_count_compute(tile_game *t, int64_t net, int64_t peak)
{
  tile_has_memory(t, peak); /* always: the counter's memory has no end */
  apply_blind(t, net);
}

static tile_answer compute_again(tile_game *t, int array, const cdag_box *b, uint64_t dropped)
{
  const tile_rule *rule = &t->rules.rule[array];
  const tile_array *a = &t->array[array];
  bool added = false;
  if (!tile_has_memory(t, a->repeat->peak))
    return TILE_SPLIT;
  for (int i = 0; i < rule->terms; i++)
    if (a->present[i] && dropped >> rule->term[i].array & 1)
      drop_images(t, array, b, rule->term[i].array, &a->image[i].image, &added);
  add_computed(t, array, b, added, a->repeat->net);
  return TILE_BOX;
}

tile_answer tile_compute_part(tile_game *t, const pebble_move *move, const cdag_box *b, int64_t net, int64_t peak)
{
  if (!free_to_compute(t, move->array, b) || predecessors(t, move, b) != TILE_BOX || !tile_has_memory(t, peak))
    return TILE_SPLIT;
  tile_collect_parts(t, move, move->array, b);
  apply(t, move->array, b, net);
  return TILE_BOX;
}

/* ---- the move ---- */

static bool box_gain(tile_game *t, int array, const cdag_box *b, int64_t *net, int64_t *peak)
{
  const tile_shape *shape = tile_shape_of(t, array, b);
  for (size_t i = 0; t->log && i < shape->n; i++)
    tile_log_equal(t->log, shape->key[i]);
  *net = shape->net;
  *peak = shape->peak;
  return shape->sound;
}

tile_answer tile_compute(tile_game *t, const pebble_move *move, const cdag_box *b)
{
  int array = move->array;
  uint64_t dropped;
  if ((!t->blind && !free_to_compute(t, array, b)) || predecessors(t, move, b) != TILE_BOX)
    return TILE_SPLIT;
  bool rigid = t->rules.rule[array].rigid && t->down < 0 && !t->log && !t->blind && t->base.g->arrays <= 64 &&
               whole_drops(move, &dropped);
  if (rigid && repeats(t, array, b, dropped))
    return compute_again(t, array, b, dropped);
  tile_collect_parts(t, move, array, b);
  int64_t net, peak;
  if (!(t->log && tile_line_gain(t, array, b, &net, &peak)) && !box_gain(t, array, b, &net, &peak))
    return TILE_SPLIT;
  if (!tile_has_memory(t, peak))
    return TILE_SPLIT;
  if (rigid)
    remember(t, array, b, dropped, net, peak);
  if (t->blind)
    apply_blind(t, net);
  else
    apply(t, array, b, net);
  return TILE_BOX;
}
