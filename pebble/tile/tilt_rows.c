/* pebble/tile/tilt_rows.c -- rows at once: a loop over single values whose body is one move (docs/tile-engine.md, "Rows
   whose ends lean").

   The rows are parted where another of the forms that bound them is the greatest, or the least, or where they end.  In
   a part both ends lean by one slope, and its rows are played as one when each of them is legal.  That it is a part is
   recorded as signs in its first and its last row: what is affine has them in all rows between. */
#include "pebble/tile/internal.h"

enum { LINES = PEBBLE_LINES + 1, CUTS = 2 * PEBBLE_ROW_DROPS + 2 };

/* Rows lo..hi, played upwards or down, and the forms around them; rows on both sides of a cut are never one part. */
typedef struct {
  int64_t lo, hi, cut[CUTS];
  bool down;
  int lows, highs, cuts;
  pebble_line low[LINES], high[LINES];
} outline;

typedef struct {
  int64_t lo, hi;
  pebble_line low, high;
  bool some;
} part;

static int64_t at(const pebble_line *l, int64_t x) { return l->base + l->slope * x; }

/* In how many rows, the first included, has d, which changes by `step`, the sign that it has there? */
static int64_t keeps_sign(int64_t d, int64_t step, int64_t most)
{
  int64_t n = most;
  if (d > 0 && step < 0)
    n = (d - 1) / -step + 1;
  else if (d <= 0 && step > 0)
    n = -d / step + 1;
  return n < most ? n : most;
}

/* The line that is the greatest (sign 1) or the least (-1) in row x, and for longest. */
static int pick(const pebble_line *l, int n, int sign, int64_t x, int dir)
{
  int best = 0;
  for (int i = 1; i < n; i++) {
    int64_t d = sign * (at(&l[i], x) - at(&l[best], x));
    best = d > 0 || (d == 0 && sign * dir * (l[i].slope - l[best].slope) > 0) ? i : best;
  }
  return best;
}

static int64_t keeps_pick(const pebble_line *l, int n, int best, int sign, int64_t x, int dir, int64_t most)
{
  for (int i = 0; i < n; i++) {
    int64_t d = sign * (at(&l[best], x) - at(&l[i], x));
    bool ends = i == n - 1 && d > 0; /* the domain's end has the row where both are the same */
    most = keeps_sign(d + !ends, sign * dir * (l[best].slope - l[i].slope), most);
  }
  return most;
}

static void log_row(tile_log *log, const outline *o, const part *p, int64_t x)
{
  for (int i = 0; i < o->lows; i++)
    tile_above(log, at(&p->low, x) - at(&o->low[i], x) + 1);
  for (int i = 0; i < o->highs; i++)
    tile_above(log, at(&o->high[i], x) - at(&p->high, x) + 1);
  tile_above(log, at(&p->high, x) - at(&p->low, x));
  for (int i = 0; i < o->cuts; i++)
    tile_above(log, o->cut[i] - x);
}

/* The next part, after `done` rows, and how many rows it has. */
static int64_t next_part(tile_log *log, const outline *o, int64_t done, part *p)
{
  int dir = o->down ? -1 : 1;
  int64_t x = o->down ? o->hi - 1 - done : o->lo + done, n = o->hi - o->lo - done;
  int low = pick(o->low, o->lows, 1, x, dir), high = pick(o->high, o->highs, -1, x, dir);
  p->low = o->low[low];
  p->high = o->high[high];
  int64_t width = at(&p->high, x) - at(&p->low, x);
  n = keeps_pick(o->low, o->lows, low, 1, x, dir, n);
  n = keeps_pick(o->high, o->highs, high, -1, x, dir, n);
  n = keeps_sign(width, dir * (p->high.slope - p->low.slope), n);
  for (int i = 0; i < o->cuts; i++)
    n = keeps_sign(o->cut[i] - x, -dir, n);
  p->some = width > 0;
  p->lo = o->down ? x - n + 1 : x;
  p->hi = p->lo + n;
  if (log) {
    tile_log_equal(log, (low * LINES + high) * 2 + p->some);
    log_row(log, o, p, p->lo);
    log_row(log, o, p, p->hi - 1);
  }
  return n;
}

/* ---- parts as boxes ---- */

static void part_box(const part *p, int rank, int row, int side, cdag_box *b)
{
  b->lo[row] = p->lo;
  b->hi[row] = p->hi;
  b->lo[side] = p->low.base;
  b->hi[side] = p->high.base;
  b->lo[rank] = p->low.slope;
  b->hi[rank] = p->high.slope;
}

/* Index r of b inside the hull; false: nothing. */
static bool clip(tile_log *log, const cdag_box *hull, int r, cdag_box *b)
{
  if (tile_above(log, hull->lo[r] - b->lo[r]))
    b->lo[r] = hull->lo[r];
  if (tile_above(log, b->hi[r] - hull->hi[r]))
    b->hi[r] = hull->hi[r];
  return tile_above(log, b->hi[r] - b->lo[r]);
}

/* ---- what a part reads ---- */

typedef struct {
  tile_game *t;
  const pebble_move *move;
  const pebble_rows *rows;
  int rank, row, side; /* of the move's array */
  cdag_box q;          /* the part */
  bool *present;       /* by term: its guard holds on all of the part; or else on nothing of it */
} reading;

/* The image of the part under a term, without regard to the domain: in which index it has rows, and their ends; -1: in
   none, it is the same for all. */
typedef struct {
  cdag_box b;
  int row, side;
} tilted_image;

static void image_of(const reading *r, const tile_term *term, tilted_image *m)
{
  int64_t by = 0;
  m->row = m->side = -1;
  for (int k = 0; k < term->rank; k++) {
    const tile_index *x = &term->index[k];
    bool shift = x->kind == TILE_SHIFT;
    m->b.lo[k] = x->base + (shift ? r->q.lo[x->var] : 0);
    m->b.hi[k] = shift ? x->base + r->q.hi[x->var] : x->end;
    if (shift && x->var == r->row) {
      m->row = k;
      by = x->base;
    } else if (shift && x->var == r->side)
      m->side = k;
  }
  m->b.lo[term->rank] = r->q.lo[r->rank];
  m->b.hi[term->rank] = r->q.hi[r->rank];
  if (m->side >= 0) { /* row y of the image is row y - by */
    m->b.lo[m->side] -= r->q.lo[r->rank] * by;
    m->b.hi[m->side] -= r->q.hi[r->rank] * by;
  }
}

/* A box around some rows is red. */
static bool around_is_red(tile_game *t, int array, const tilted_image *m, const cdag_box *b)
{
  cdag_box box;
  int rank = t->rules.rule[array].rank;
  pebble_box_copy(&box, b, rank);
  if (m->row >= 0 && m->side >= 0) {
    int64_t first = b->lo[m->row], last = b->hi[m->row] - 1;
    box.lo[m->side] = tile_low_at(b, rank, m->side, b->lo[rank] < 0 ? last : first);
    box.hi[m->side] = tile_high_at(b, rank, m->side, b->hi[rank] > 0 ? last : first);
  }
  if (t->log)
    tile_log_box(t->log, array, rank, &box);
  return tile_red_covers(t, array, &box);
}

/* Where the image leans: part by part, inside the domain of its array; what lies in `own`, unless that is NULL, need
   not be red. */
static bool rows_are_red(tile_game *t, int array, const tilted_image *m, const cdag_box *b, const cdag_box *own)
{
  const cdag_box *hull = &t->rules.rule[array].hull;
  const tile_tilt *way = &t->array[array].tilt;
  int rank = t->rules.rule[array].rank, side = m->side;
  outline o = { .lo = b->lo[m->row], .hi = b->hi[m->row], .lows = 2, .highs = 2 };
  o.low[0] = (pebble_line){ b->lo[side], b->lo[rank] };
  o.low[1] = (pebble_line){ hull->lo[side], 0 };
  o.high[0] = (pebble_line){ b->hi[side], b->hi[rank] };
  o.high[1] = (pebble_line){ hull->hi[side], 0 };
  for (int64_t done = 0; done < o.hi - o.lo;) {
    part p;
    cdag_box piece;
    done += next_part(t->log, &o, done, &p);
    if (!p.some)
      continue;
    pebble_box_copy(&piece, b, rank);
    part_box(&p, rank, m->row, side, &piece);
    bool tilted = way->on && way->row == m->row && way->side == side;
    if (!(own      ? tilted && tile_tilt_covers_with(t, array, &piece, own)
          : tilted ? tile_tilt_covers(t, array, true, &piece)
                   : around_is_red(t, array, m, &piece)))
      return false;
  }
  return true;
}

/* Its part in the domain; false: nothing. */
static bool inside(const reading *r, int array, tilted_image *m)
{
  const tile_rule *rule = &r->t->rules.rule[array];
  for (int k = 0; k < rule->rank; k++)
    if ((k != m->side || m->row < 0) && !clip(r->t->log, &rule->hull, k, &m->b))
      return false;
  return true;
}

/* A box around the part. */
static void around_part(const reading *r, cdag_box *b)
{
  int64_t first = r->q.lo[r->row], last = r->q.hi[r->row] - 1;
  pebble_box_copy(b, &r->q, r->rank);
  b->lo[r->side] = tile_low_at(&r->q, r->rank, r->side, r->q.lo[r->rank] < 0 ? last : first);
  b->hi[r->side] = tile_high_at(&r->q, r->rank, r->side, r->q.hi[r->rank] > 0 ? last : first);
}

/* Does the term surely name nothing of the part?  It is of another array, or apart from the part in an index that is
   neither the row nor the one with the rows' ends. */
static bool reads_apart(const reading *r, const tile_term *term, const tilted_image *m)
{
  bool apart = term->array != r->move->array;
  for (int k = 0; k < term->rank && !apart; k++)
    apart = k != r->row && k != r->side &&
            (!tile_above(r->t->log, m->b.hi[k] - r->q.lo[k]) || !tile_above(r->t->log, r->q.hi[k] - m->b.lo[k]));
  return apart;
}

static bool single_but_rows(const reading *r)
{
  for (int k = 0; k < r->rank; k++)
    if (k != r->row && k != r->side && r->q.hi[k] - r->q.lo[k] != 1)
      return false;
  return true;
}

/* An element of the part's own plane, computed before its reader: in a row that is passed, or before it in its row. */
static bool reads_back(const reading *r, const tile_term *term, const tilted_image *m)
{
  if (m->row != r->row || m->side != r->side || !single_but_rows(r))
    return false;
  int64_t rows = (r->rows->down ? -1 : 1) * term->index[m->row].base;
  return rows < 0 || (rows == 0 && term->index[m->side].base < 0);
}

/* Is all that the term names red, or of the part and computed before its reader? */
static bool reads_red(const reading *r, const tile_term *term)
{
  tilted_image m;
  image_of(r, term, &m);
  bool apart = reads_apart(r, term, &m);
  if (!apart && !reads_back(r, term, &m))
    return false;
  if (m.row < 0 && m.side >= 0) { /* the same for every row: around all of them */
    cdag_box around;
    around_part(r, &around);
    m.b.lo[m.side] = around.lo[r->side] + term->index[m.side].base;
    m.b.hi[m.side] = around.hi[r->side] + term->index[m.side].base;
  }
  if (!inside(r, term->array, &m) || r->t->blind)
    return true;
  return m.row >= 0 && m.side >= 0 ? rows_are_red(r->t, term->array, &m, &m.b, apart ? NULL : &r->q)
                                   : around_is_red(r->t, term->array, &m, &m.b);
}

/* ---- what it drops ---- */

/* Is all of what lies in one index of the image between these two? */
static bool lies_in(const reading *r, const tilted_image *m, int rank, int k, int64_t lo, int64_t hi)
{
  tile_log *log = r->t->log;
  if (k != m->side)
    return !tile_above(log, lo - m->b.lo[k]) && !tile_above(log, m->b.hi[k] - hi);
  bool in = true;
  for (int64_t x = m->b.lo[m->row];; x = m->b.hi[m->row] - 1) {
    in &= !tile_above(log, lo - tile_low_at(&m->b, rank, k, x));
    in &= !tile_above(log, tile_high_at(&m->b, rank, k, x) - hi);
    if (x == m->b.hi[m->row] - 1)
      return in;
  }
}

static bool lies_out(const reading *r, const tilted_image *m, int k, int64_t lo, int64_t hi)
{
  return k != m->side && (!tile_above(r->t->log, m->b.hi[k] - lo) || !tile_above(r->t->log, hi - m->b.lo[k]));
}

/* TILE_BOX: all of the image lies in b; TILE_EMPTY: nothing does; TILE_SPLIT: some of it, or that is not known.  Index
 * `but` is not asked about. */
static tile_answer lies(const reading *r, const tilted_image *m, int rank, const cdag_box *b, int but)
{
  tile_answer answer = TILE_BOX;
  for (int k = 0; k < rank; k++) {
    if (k == but)
      continue;
    if (lies_out(r, m, k, b->lo[k], b->hi[k]))
      return TILE_EMPTY;
    answer = lies_in(r, m, rank, k, b->lo[k], b->hi[k]) ? answer : TILE_SPLIT;
  }
  return answer;
}

/* Does drop d take the pebbles that this term names, of all elements? */
static tile_answer is_dropped(const reading *r, int d, const tile_term *term, const tilted_image *m)
{
  const pebble_drop *drop = &r->move->drop[d];
  int at = r->rows->drop_row[d];
  if (term->array != drop->array)
    return TILE_EMPTY;
  if (m->row < 0 || m->side < 0)
    return TILE_SPLIT;
  if (!drop->whole && at >= 0 && at != m->row)
    return TILE_SPLIT;
  if (!drop->whole && at >= 0 && term->index[at].base != drop->box.lo[at])
    return TILE_EMPTY;
  tile_answer named = drop->whole ? TILE_BOX : lies(r, m, term->rank, &drop->box, at);
  return named == TILE_BOX ? lies(r, m, term->rank, &r->t->rules.rule[term->array].hull, -1) : named;
}

/* May a later element read what this one drops, or drop it again?  Elements follow one another row by row. */
static bool read_later(const reading *r, const tile_term *dropped, const tilted_image *m, const tile_term *term)
{
  tilted_image other;
  int dir = r->rows->down ? -1 : 1;
  if (term == dropped || term->array != dropped->array)
    return false;
  image_of(r, term, &other);
  for (int k = 0; k < term->rank; k++)
    if (k != m->row && k != m->side && k != other.row && k != other.side &&
        (!tile_above(r->t->log, m->b.hi[k] - other.b.lo[k]) || !tile_above(r->t->log, other.b.hi[k] - m->b.lo[k])))
      return false;
  if (other.row != m->row || other.side != m->side)
    return true;
  int64_t rows = dir * (dropped->index[m->row].base - term->index[m->row].base);
  return rows > 0 || (rows == 0 && dropped->index[m->side].base > term->index[m->side].base);
}

/* The image that drop d takes; *some: there is one. */
static bool find_dropped(const reading *r, int d, tilted_image *out, bool *some)
{
  const tile_rule *rule = &r->t->rules.rule[r->move->array];
  const tile_term *dropped = NULL;
  *some = false;
  for (int i = 0; i < rule->terms; i++) {
    tilted_image m;
    if (!r->present[i])
      continue;
    image_of(r, &rule->term[i], &m);
    tile_answer answer = is_dropped(r, d, &rule->term[i], &m);
    tile_same(r->t->log, answer);
    if (answer == TILE_SPLIT || (answer == TILE_BOX && dropped))
      return false;
    if (answer == TILE_BOX) {
      if (!reads_apart(r, &rule->term[i], &m))
        return false; /* what is computed on the way */
      dropped = &rule->term[i];
      *out = m;
    }
  }
  *some = dropped != NULL;
  for (int i = 0; *some && i < rule->terms; i++)
    if (r->present[i] && read_later(r, dropped, out, &rule->term[i]))
      return false;
  for (int e = 0; *some && e < d; e++) /* by another drop of the array */
    if (r->move->drop[e].array == dropped->array)
      return false;
  return true;
}

static bool take_dropped(const reading *r, int array, const tilted_image *m)
{
  const tile_tilt *way = &r->t->array[array].tilt;
  if (r->t->blind)
    return true;
  if (!way->on || way->row != m->row || way->side != m->side)
    return false;
  return true;
}

/* ---- moves ---- */

/* Elements that lose none of their predecessors, or k each: what they gain together, and at most on the way. */
static void gain(const reading *r, int drops, uint64_t volume, int64_t *net, int64_t *peak)
{
  *net = (int64_t)volume * (1 - drops);
  *peak = drops == 0 ? (int64_t)volume : r->t->base.rules.variant == PEBBLE_SLIDING ? 0 : 1;
}

/* A term that is no shift, of an array that loses and gains nothing: what it names lies in a box that is red, or it
   names nothing. */
static bool window_is_red(const reading *r, const tile_term *term, const cdag_box *around)
{
  tile_game *t = r->t;
  tile_image image;
  if (term->array == r->move->array)
    return false;
  for (int d = 0; d < r->move->drops; d++)
    if (r->move->drop[d].array == term->array)
      return false;
  tile_answer answer = tile_image_around(&t->rules, r->move->array, term, around, &image);
  if (answer == TILE_BOX && t->log)
    tile_log_box(t->log, term->array, term->rank, &image.image);
  return answer == TILE_EMPTY || (answer == TILE_BOX && (t->blind || tile_red_covers(t, term->array, &image.image)));
}

static bool may_compute(const reading *r)
{
  const tile_game *t = r->t;
  const tile_array *a = &t->array[r->move->array];
  const tile_rule *rule = &t->rules.rule[r->move->array];
  cdag_box around;
  around_part(r, &around);
  for (int i = 0; i < rule->terms; i++) {
    const tile_term *term = &rule->term[i];
    int holds = term->straight ? tile_guard_on(&t->rules, r->move->array, term, &around) : -1;
    r->present[i] = holds == 1;
    if (holds < 0 && (term->straight || !window_is_red(r, term, &around)))
      return false;
  }
  return t->blind ||
         (!a->input && a->source.n == 0 && !t->base.rules.one_shot && !tile_tilt_meets(t, r->move->array, true, &r->q));
}

static bool compute(const reading *r, uint64_t volume)
{
  tile_game *t = r->t;
  const tile_rule *rule = &t->rules.rule[r->move->array];
  tilted_image dropped[PEBBLE_ROW_DROPS];
  bool some[PEBBLE_ROW_DROPS];
  int drops = 0;
  int64_t net, peak;
  bool blind = t->blind && r->move->drops == 0; /* pebbles come, whatever it reads */
  if (!blind && (!may_compute(r) || (r->move->drops && !single_but_rows(r))))
    return false;
  for (int i = 0; !blind && i < rule->terms; i++)
    if (r->present[i] && !reads_red(r, &rule->term[i]))
      return false;
  for (int d = 0; d < r->move->drops; d++) {
    if (!find_dropped(r, d, &dropped[d], &some[d]) ||
        (some[d] && !take_dropped(r, r->move->drop[d].array, &dropped[d])))
      return false;
    drops += some[d];
  }
  gain(r, drops, volume, &net, &peak);
  if (t->blind) {
    tile_count_compute(t, net, peak);
    return true;
  }
  if (!tile_has_memory(t, peak))
    return false;
  for (int d = 0; d < r->move->drops; d++)
    if (some[d])
      tile_tilt_take(t, r->move->drop[d].array, true, &dropped[d].b);
  tile_tilt_add(t, r->move->array, true, &r->q);
  t->base.red = (uint64_t)((int64_t)t->base.red + net);
  return true;
}

static bool load(const reading *r, uint64_t volume)
{
  tile_game *t = r->t;
  if (tile_tilt_meets(t, r->move->array, true, &r->q) || !tile_tilt_covers(t, r->move->array, false, &r->q) ||
      !tile_has_memory(t, (int64_t)volume))
    return false;
  t->base.red += volume;
  tile_tilt_add(t, r->move->array, true, &r->q);
  return true;
}

/* A store, a drop, an erasure. */
static bool change(const reading *r, uint64_t volume)
{
  tile_game *t = r->t;
  int array = r->move->array;
  bool store = r->move->kind == PEBBLE_STORE, drop = r->move->kind == PEBBLE_DROP;
  if (!tile_tilt_covers(t, array, store || drop, &r->q) || (store && tile_tilt_meets(t, array, false, &r->q)))
    return false;
  if (store)
    tile_tilt_add(t, array, false, &r->q);
  else
    tile_tilt_take(t, array, drop, &r->q);
  t->base.red -= drop ? volume : 0;
  return true;
}

static bool play_part(const reading *r)
{
  uint64_t volume = tile_tilt_volume(r->t->log, r->rank, r->row, r->side, &r->q);
  bool good = true;
  r->t->played++;
  if (r->move->kind == PEBBLE_COMPUTE)
    good = compute(r, volume);
  else if (r->t->blind)
    tile_count_blind(r->t, r->move->kind, volume);
  else
    good = r->move->kind == PEBBLE_LOAD ? load(r, volume) : change(r, volume);
  if (good)
    tile_add_counts(r->t, r->move, volume);
  return good;
}

/* Does the rule name windows?  Those of borders are named by the domain's first and last row alone. */
static bool has_windows(const tile_rule *rule)
{
  for (int i = 0; i < rule->terms; i++)
    if (!rule->term[i].straight)
      return true;
  return false;
}

/* The rows of the domain, with its ends among the others; false: there are none. */
static bool find_outline(reading *r, outline *o)
{
  const cdag_box *hull = &r->t->rules.rule[r->move->array].hull;
  const pebble_rows *rows = r->rows;
  pebble_box_copy(&r->q, &r->move->box, r->rank);
  for (int k = 0; k < r->rank; k++)
    if (k != r->side && !clip(r->t->log, hull, k, &r->q))
      return false;
  *o = (outline){ .lo = r->q.lo[r->row], .hi = r->q.hi[r->row], .down = rows->down };
  for (; o->lows < rows->lows; o->lows++)
    o->low[o->lows] = rows->low[o->lows];
  for (; o->highs < rows->highs; o->highs++)
    o->high[o->highs] = rows->high[o->highs];
  o->low[o->lows++] = (pebble_line){ hull->lo[r->side], 0 };
  o->high[o->highs++] = (pebble_line){ hull->hi[r->side], 0 };
  if (r->move->kind == PEBBLE_COMPUTE && has_windows(&r->t->rules.rule[r->move->array])) {
    o->cut[o->cuts++] = hull->lo[r->row] + 1;
    o->cut[o->cuts++] = hull->hi[r->row] - 1;
  }
  for (int d = 0; d < r->move->drops; d++) { /* what it drops begins and ends with a domain, too */
    int at = rows->drop_row[d];
    const cdag_box *of = &r->t->rules.rule[r->move->drop[d].array].hull;
    if (at >= 0) {
      o->cut[o->cuts++] = of->lo[at] - r->move->drop[d].box.lo[at];
      o->cut[o->cuts++] = of->hi[at] - r->move->drop[d].box.lo[at];
    }
  }
  return true;
}

static bool can_play(const tile_game *t, const pebble_move *move, const pebble_rows *rows)
{
  const tile_tilt *way = &t->array[move->array].tilt;
  return t->rules.rule[move->array].rectangular && move->drops <= PEBBLE_ROW_DROPS &&
         (t->blind || (way->on && way->row == rows->row && way->side == rows->side));
}

uint64_t tile_play_rows(pebble_game *game, const pebble_move *move, const pebble_rows *rows)
{
  tile_game *t = (tile_game *)game;
  reading r = { .t = t,
                .move = move,
                .rows = rows,
                .rank = t->rules.rule[move->array].rank,
                .row = rows->row,
                .side = rows->side,
                .present = t->array[move->array].present };
  outline o;
  if (rows->side < 0)
    return rows->down && move->kind == PEBBLE_COMPUTE ? tile_play_down(game, move, rows->row) : 0;
  int64_t from = move->box.lo[rows->row], to = move->box.hi[rows->row], done = 0;
  if (!can_play(t, move, rows))
    return 0;
  tile_same(t->log, move->kind);
  tile_same(t->log, move->array);
  if (!find_outline(&r, &o))
    return (uint64_t)(to - from);
  while (done < o.hi - o.lo) {
    part p;
    int64_t n = next_part(t->log, &o, done, &p);
    part_box(&p, r.rank, r.row, r.side, &r.q);
    bool good = !p.some || play_part(&r);
    tile_same(t->log, good);
    if (!good) {
      done += o.down ? to - o.hi : o.lo - from;
      tile_same(t->log, done);
      return (uint64_t)done;
    }
    done += n;
  }
  return (uint64_t)(to - from);
}
