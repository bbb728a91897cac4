/* pebble/element/run.c -- boxes played run by run: the quick path of the element engine
   (docs/game.md, section "The element engine").

   A box is cut into rows along its last dimension that is longer than 1, so rows in order are elements in order.  Along
   a row each term of the rule names elements whose addresses form a line, and each rule of the game is a question about
   a run of bits.  What one element does to the next inside a row is allowed for in two cases only: a chain that
   advances along the row (X[i] reads X[i-1]), left standing or dropped behind itself; and reads that nothing in the row
   drops. A row that is anything else, or that fails any question, is played by the plain path, from the position it
   began in: so the verdict is the plain path's. */
#include "base/mem.h"
#include "base/num.h"
#include "pebble/element/rule.h"
#include <string.h>

enum { TERMS = 16 };

/* A term along the row: the elements with lo <= x < hi read what lies at address + stride * x (and, under '*', at
   `span` places step apart from there on). */
typedef struct {
  int array;
  int64_t lo, hi;
  uint64_t address;            /* modulo 2^64: true wherever the element exists */
  int64_t stride;
  uint64_t span;
  int64_t step;
  int64_t drop_lo, drop_hi;    /* the x whose predecessor is dropped */
  int64_t lag;                 /* > 0: own array, reads x - lag of this very row */
} row_term;

typedef struct {
  element_game *e;
  const pebble_move *move;
  const element_rule *rules, *rule;
  element_array *a;
  int along;                   /* dimension of the row */
  element_line y[CDAG_RANK];   /* the variables along the row */
  int64_t lo, hi;              /* of the row */
  uint64_t address;
  int64_t stride;
  row_term term[TERMS];
  int terms;                   /* those that exist somewhere on the row */
  int64_t net;                 /* red pebbles gained */
  uint64_t most;               /* most red at once on the way */
} row;

/* ---- lines of bits ---- */

static bool line_is(const pebble_bits *b, uint64_t address, int64_t stride, uint64_t n, bool value)
{
  if (n == 1)
    return pebble_bits_get(b, address) == value;
  if (stride == 1)
    return value ? pebble_bits_all(b, address, n) : pebble_bits_none(b, address, n);
  if (stride == 0)
    return pebble_bits_get(b, address) == value;
  for (; n > 0; n--, address += (uint64_t)stride)
    if (pebble_bits_get(b, address) != value)
      return false;
  return true;
}

/* Turn a line that is all !value into value. */
static void line_iteration(pebble_bits *b, uint64_t address, int64_t stride, uint64_t n, bool value)
{
  if (stride == 1 && n > 1) {
    if (value)
      pebble_bits_set_run(b, address, n);
    else
      pebble_bits_unset_run(b, address, n);
    return;
  }
  for (; n > 0; n--, address += (uint64_t)stride)
    if (value)
      pebble_bits_set(b, address);
    else
      pebble_bits_unset(b, address);
}

static uint64_t at(const row *w, int64_t x) { return w->address + (uint64_t)w->stride * (uint64_t)x; }
static uint64_t term_at(const row_term *t, int64_t x) { return t->address + (uint64_t)t->stride * (uint64_t)x; }
static uint64_t length(const row *w) { return (uint64_t)(w->hi - w->lo); }

static bool row_is(const row *w, const pebble_bits *b, bool value)
{
  return line_is(b, at(w, w->lo), w->stride, length(w), value);
}
static void row_iteration(const row *w, pebble_bits *b, bool value)
{
  line_iteration(b, at(w, w->lo), w->stride, length(w), value);
}

/* ---- load, store, drop, erase ---- */

static void count_moves(row *w)
{
  w->e->begun += length(w);
  w->e->base.verdict.moves += length(w);
}

static bool load_row(row *w)
{
  element_game *e = w->e;
  uint64_t red = e->base.red + length(w);
  if (!row_is(w, &w->a->red, false) || !row_is(w, &w->a->blue, w->a->inputs == NO_INPUTS) || red > e->base.rules.m)
    return false;
  row_iteration(w, &w->a->red, true);
  e->base.red = red;
  element_peak(e, red);
  e->base.loads[w->move->array] += length(w);
  e->base.verdict.loads += length(w);
  return true;
}

static bool store_row(row *w)
{
  bool blue = w->a->inputs == NO_INPUTS; /* the bit that says blue */
  if (!row_is(w, &w->a->red, true) || !row_is(w, &w->a->blue, !blue))
    return false;
  row_iteration(w, &w->a->blue, blue);
  w->e->base.stores[w->move->array] += length(w);
  w->e->base.verdict.stores += length(w);
  return true;
}

static bool drop_row(row *w)
{
  if (!row_is(w, &w->a->red, true))
    return false;
  row_iteration(w, &w->a->red, false);
  w->e->base.red -= length(w);
  return true;
}

static bool erase_row(row *w)
{
  bool blue = w->a->inputs == NO_INPUTS;
  if (!row_is(w, &w->a->blue, blue))
    return false;
  row_iteration(w, &w->a->blue, !blue);
  return true;
}

/* ---- the terms along a row ---- */

/* Where a line stays inside [lo, hi). */
static void clip_between(element_line l, int64_t lo, int64_t hi, int64_t *from, int64_t *to)
{
  element_clip((element_line){ l.base - lo, l.slope }, from, to);
  element_clip((element_line){ hi - 1 - l.base, -l.slope }, from, to);
}

static element_line minus(element_line a, element_line b)
{
  return (element_line){ a.base - b.base, a.slope - b.slope };
}

/* Narrow [*from, *to) to the x whose indices lie in the domain; false: cannot say. */
static bool clip_to_domain(const cdag *g, const element_domain *d, const element_line *index, int rank, int64_t *from,
                           int64_t *to)
{
  for (int q = 0; q < rank; q++)
    clip_between(index[q], d->hull.lo[q], d->hull.hi[q], from, to);
  for (int q = 0; q < rank && !d->rectangular && *from < *to; q++) {
    element_line lo, hi;
    bool absent = false;
    if (!element_form_at(g, &d->lo[q], index, q, &lo, &absent) ||
        !element_form_at(g, &d->hi[q], index, q, &hi, &absent))
      return false;
    element_clip(minus(index[q], lo), from, to);
    hi.base--;
    element_clip(minus(hi, index[q]), from, to);
  }
  return true;
}

/* The dimension under '*' or a range: how many, and the first.  False: cannot say. */
static bool find_span(const row *w, const element_term *from, row_term *t, element_line *index)
{
  const element_domain *d = &w->rules[from->array].domain;
  element_line lo, hi;
  bool absent = false;
  int q = from->all;
  t->span = 1;
  t->step = 0;
  if (q < 0)
    return true;
  if (!element_form_at(w->e->base.g, &from->all_lo, w->y, w->rule->rank, &lo, &absent) ||
      !element_form_at(w->e->base.g, &from->all_hi, w->y, w->rule->rank, &hi, &absent) || lo.slope != 0 ||
      hi.slope != 0)
    return false;
  lo.base = num_max(lo.base, d->hull.lo[q]);
  hi.base = num_min(hi.base, d->hull.hi[q]);
  t->span = hi.base > lo.base ? (uint64_t)(hi.base - lo.base) : 0;
  t->step = w->e->array[from->array].stride[q];
  index[q] = (element_line){ t->span ? lo.base : d->hull.lo[q], 0 };
  return true;
}

/* Which x drop what they read through this term.  False: cannot say. */
static bool find_drops(const row *w, row_term *t, const element_line *index, int rank)
{
  int found = 0;
  t->drop_lo = t->drop_hi = t->lo;
  for (int i = 0; i < w->move->drops; i++) {
    const pebble_drop *d = &w->move->drop[i];
    int64_t lo = t->lo, hi = t->hi;
    if (d->array != t->array)
      continue;
    if (t->span != 1)
      return false;
    for (int q = 0; q < rank && !d->whole && lo < hi; q++) {
      const cdag_box *hull = &w->rules[t->array].domain.hull; /* the box may reach far outside: stay in range */
      int64_t from = num_max(d->box.lo[q], hull->lo[q]), to = num_min(d->box.hi[q], hull->hi[q]);
      if (from < to)
        clip_between(index[q], from, to, &lo, &hi);
      else
        hi = lo;
    }
    if (lo >= hi)
      continue;
    if (++found > 1 && (lo != t->drop_lo || hi != t->drop_hi))
      return false;
    t->drop_lo = lo;
    t->drop_hi = hi;
  }
  return t->stride != 0 || t->drop_hi - t->drop_lo <= 1;
}

/* The lowest and highest address a term reads on the row. */
static void reach(const row_term *t, uint64_t *low, uint64_t *high)
{
  uint64_t a = term_at(t, t->lo), b = term_at(t, t->hi - 1), more = (t->span - 1) * (uint64_t)t->step;
  *low = a < b ? a : b;
  *high = (a < b ? b : a) + more;
}

/* Does the term read the row itself?  Then it must be a chain.  False: cannot say. */
static bool find_lag(const row *w, row_term *t)
{
  uint64_t low, high, a = at(w, w->lo), b = at(w, w->hi - 1);
  t->lag = 0;
  if (t->array != w->move->array)
    return true;
  reach(t, &low, &high);
  if (high < a || low > b)
    return true;
  if (t->span != 1 || t->stride != w->stride)
    return false;
  int64_t behind = (int64_t)(w->address - t->address);
  if (behind % w->stride != 0)
    return true; /* between the elements of the row */
  t->lag = behind / w->stride;
  return t->lag > 0;
}

static bool add_term(row *w, const element_term *from)
{
  element_line index[CDAG_RANK];
  row_term *t = &w->term[w->terms];
  const element_array *a = &w->e->array[from->array];
  *t = (row_term){ .array = from->array, .lo = w->lo, .hi = w->hi };
  for (int q = 0; q < from->rank; q++) {
    bool absent = false;
    if (!element_form_at(w->e->base.g, &from->index[q], w->y, w->rule->rank, &index[q], &absent))
      return absent; /* on the whole row */
  }
  if (!find_span(w, from, t, index) ||
      !clip_to_domain(w->e->base.g, &w->rules[from->array].domain, index, from->rank, &t->lo, &t->hi))
    return false;
  if (t->lo >= t->hi || t->span == 0)
    return true;
  t->address = (uint64_t)a->base;
  for (int q = 0; q < from->rank; q++) {
    t->address += (uint64_t)a->stride[q] * (uint64_t)index[q].base;
    t->stride += a->stride[q] * index[q].slope;
  }
  w->terms++;
  return find_drops(w, t, index, from->rank) && find_lag(w, t);
}

/* ---- what the terms do to each other ---- */

static bool drops_any(const row_term *t) { return t->drop_lo < t->drop_hi; }

/* No other term may read what this one drops. */
static bool alone(const row *w, int s)
{
  uint64_t low, high, from, to;
  reach(&w->term[s], &low, &high);
  for (int t = 0; t < w->terms; t++) {
    if (t == s || w->term[t].array != w->term[s].array)
      continue;
    reach(&w->term[t], &from, &to);
    if (from <= high && low <= to)
      return false;
  }
  return true;
}

/* A chain that is dropped must drop itself at every step of the row, and advance by one.  (It then reads from the
 * second element of the row on.) */
static bool chain_is_plain(const row_term *t)
{
  if (t->lag == 0 || !drops_any(t))
    return true;
  return t->lag == 1 && t->drop_lo == t->lo && t->drop_hi == t->hi;
}

/* Every element has a predecessor: none is an input. */
static bool covered(const row *w)
{
  int64_t x = w->lo, before;
  do {
    before = x;
    for (int t = 0; t < w->terms; t++)
      if (w->term[t].lo <= x && w->term[t].hi > x)
        x = w->term[t].hi;
  } while (x > before && x < w->hi);
  return x >= w->hi;
}

static bool orderly(const row *w)
{
  for (int t = 0; t < w->terms; t++)
    if (!chain_is_plain(&w->term[t]) || (drops_any(&w->term[t]) && !alone(w, t)))
      return false;
  return covered(w);
}

/* ---- rules ---- */

static bool term_is_red(const row *w, const row_term *t)
{
  const pebble_bits *red = &w->e->array[t->array].red;
  int64_t hi = t->lag > 0 ? num_min(t->hi, w->lo + t->lag) : t->hi; /* the rest of a chain is born on the way */
  if (hi <= t->lo)
    return true;
  uint64_t n = (uint64_t)(hi - t->lo), address = term_at(t, t->lo);
  if (t->span == 1)
    return line_is(red, address, t->stride, n, true);
  if (t->stride == 0)
    return line_is(red, address, t->step, t->span, true);
  for (uint64_t i = 0; i < t->span; i++)
    if (!line_is(red, address + i * (uint64_t)t->step, t->stride, n, true))
      return false;
  return true;
}

static bool legal_reads(const row *w)
{
  if (!row_is(w, &w->a->red, false) || (w->e->base.rules.one_shot && !row_is(w, &w->a->done, false)))
    return false;
  for (int t = 0; t < w->terms; t++)
    if (!term_is_red(w, &w->term[t]))
      return false;
  return true;
}

/* Elements from x on that drop equally many; how many they drop. */
static int64_t alike(const row *w, int64_t x, int64_t *drops)
{
  int64_t to = w->hi;
  *drops = 0;
  for (int i = 0; i < w->terms; i++) {
    const row_term *t = &w->term[i];
    *drops += t->drop_lo <= x && x < t->drop_hi;
    if (t->drop_lo > x)
      to = num_min(to, t->drop_lo);
    if (t->drop_hi > x)
      to = num_min(to, t->drop_hi);
  }
  return to - x;
}

/* Red pebbles along the row: each element adds one, then takes those it drops away; sliding, the first of these makes
   room for it. */
static void count_red(row *w)
{
  int64_t drops, n, net = 0, most = 0;
  bool sliding = w->e->base.rules.variant == PEBBLE_SLIDING;
  for (int64_t x = w->lo; x < w->hi; x += n) {
    n = alike(w, x, &drops);
    int64_t each = 1 - drops, peak = sliding && drops > 0 ? 0 : 1;
    most = num_max(most, net + peak + (each > 0 ? (n - 1) * each : 0));
    net += n * each;
  }
  w->net = net;
  w->most = w->e->base.red + (uint64_t)most;
}

/* ---- the position after the row ---- */

static void drop_term(row *w, const row_term *t)
{
  element_array *a = &w->e->array[t->array];
  if (!drops_any(t))
    return;
  if (t->lag == 0)
    line_iteration(&a->red, term_at(t, t->drop_lo), t->stride, (uint64_t)(t->drop_hi - t->drop_lo), false);
  else if (t->drop_lo == w->lo) /* of the chain, only what stood before the row was red */
    pebble_bits_unset(&a->red, term_at(t, w->lo));
}

static void place_row(row *w)
{
  bool chain_drops = false;
  for (int t = 0; t < w->terms; t++) {
    drop_term(w, &w->term[t]);
    chain_drops |= w->term[t].lag > 0 && drops_any(&w->term[t]);
  }
  if (chain_drops)
    pebble_bits_set(&w->a->red, at(w, w->hi - 1));
  else
    row_iteration(w, &w->a->red, true);
  if (w->e->base.rules.one_shot)
    row_iteration(w, &w->a->done, true);
  w->e->base.red += (uint64_t)w->net;
  element_peak(w->e, w->most);
  w->e->base.verdict.computes += length(w);
}

static bool compute_row(row *w)
{
  w->terms = 0;
  for (int t = 0; t < w->rule->terms; t++)
    if (!add_term(w, &w->rule->term[t]))
      return false;
  if (!orderly(w) || !legal_reads(w))
    return false;
  count_red(w);
  if (w->most > w->e->base.rules.m)
    return false;
  place_row(w);
  return true;
}

/* ---- rows of a box ---- */

static bool quick_row(row *w)
{
  bool done;
  switch (w->move->kind) {
  case PEBBLE_LOAD: done = load_row(w); break;
  case PEBBLE_STORE: done = store_row(w); break;
  case PEBBLE_DROP: done = drop_row(w); break;
  case PEBBLE_ERASE: done = erase_row(w); break;
  default: done = compute_row(w);
  }
  if (done)
    count_moves(w);
  return done;
}

/* Every element of the row, one at a time. */
static bool plain_row(row *w, const cdag_box *box)
{
  pebble_move move = *w->move;
  move.box = *box;
  for (int r = 0; r < w->along; r++) {
    move.box.lo[r] = w->y[r].base;
    move.box.hi[r] = w->y[r].base + 1;
  }
  return element_play_plain(w->e, &move);
}

/* The elements of the array on the row now set up in w->y. */
static bool play_row(row *w, const cdag_box *box)
{
  const cdag *g = w->e->base.g;
  w->lo = box->lo[w->along];
  w->hi = box->hi[w->along];
  if (!w->rule->domain.rectangular && !clip_to_domain(g, &w->rule->domain, w->y, w->rule->rank, &w->lo, &w->hi))
    return plain_row(w, box);
  if (w->lo >= w->hi)
    return true;
  w->address = (uint64_t)w->a->base;
  for (int r = 0; r < w->rule->rank; r++)
    if (r != w->along)
      w->address += (uint64_t)w->a->stride[r] * (uint64_t)w->y[r].base;
  return quick_row(w) || plain_row(w, box);
}

/* The part of the move's box inside the hull; false when it is empty. */
static bool clip_box(const element_rule *rule, const cdag_box *box, cdag_box *inside)
{
  for (int r = 0; r < rule->rank; r++) {
    inside->lo[r] = num_max(box->lo[r], rule->domain.hull.lo[r]);
    inside->hi[r] = num_min(box->hi[r], rule->domain.hull.hi[r]);
    if (inside->lo[r] >= inside->hi[r])
      return false;
  }
  return true;
}

/* The next row in order; false after the last. */
static bool next_row(row *w, const cdag_box *box)
{
  int r = w->along - 1;
  while (r >= 0 && ++w->y[r].base >= box->hi[r]) {
    w->y[r].base = box->lo[r];
    r--;
  }
  return r >= 0;
}

bool element_play_rows(element_game *e, const pebble_move *move)
{
  const element_rule *rule = &e->rules[move->array];
  row w; /* its terms, which are most of it, are filled where they are counted */
  cdag_box box;
  w.e = e;
  w.move = move;
  w.rules = e->rules;
  w.rule = rule;
  w.a = &e->array[move->array];
  if (!clip_box(rule, &move->box, &box))
    return true;
  w.along = rule->rank - 1;
  while (w.along > 0 && box.hi[w.along] - box.lo[w.along] == 1)
    w.along--;
  w.stride = w.a->stride[w.along];
  for (int r = 0; r < rule->rank; r++)
    w.y[r] = (element_line){ r == w.along ? 0 : box.lo[r], r == w.along };
  do
    if (!play_row(&w, &box))
      return false;
  while (next_row(&w, &box));
  return true;
}

bool element_can_row(const element_game *e, const pebble_move *move)
{
  const element_rule *rule = &e->rules[move->array];
  if (e->plain || e->base.g->graph)
    return false;
  if (move->kind == PEBBLE_COMPUTE)
    return rule->usable && rule->terms <= TERMS && !e->partial;
  if (!rule->domain.usable)
    return false;
  return move->kind == PEBBLE_DROP || e->array[move->array].inputs != SOME_INPUTS;
}
