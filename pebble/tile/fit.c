/* The part of a box that lies inside a domain. */
#include "pebble/tile/value.h"
#include <assert.h>

/* ---- domains ---- */

/* Index r of b is the single x; bound v is affine with one wide variable: cut that variable to where x obeys
   `x >= v` (lower) or `x < v`. */
static tile_answer clip_other(const tile_rules *all, int array, cdag_box *b, int x, const tile_value *v,
                              unsigned var_bit, bool lower)
{
  int p = __builtin_ctz(var_bit);
  cdag_box point = *b;
  int64_t rest, limit, c = v->coef[p];
  point.lo[p] = 0;
  rest = tile_affine_at(v, &point);
  /* lower: c*p <= x - rest;  else c*p >= x - rest + 1 */
  limit = b->lo[x] - rest + !lower;
  bool below = lower == (c > 0);
  int64_t end = below ? num_floor_div(limit, c) + 1 : -num_floor_div(-limit, c);
  if (all->log) {
    tile_log_bound(all->log, array, p, below ? TILE_MOST : TILE_LEAST, end);
    all->log->irregular += c != 1 && c != -1; /* the quotient is no affine function */
  }
  bool some = below ? tile_clip_hi(b, p, end) : tile_clip_lo(b, p, end);
  assert(some); /* the least and the greatest value are met somewhere */
  (void)some;
  return TILE_BOX;
}

/* ---- tables that do not fall ---- */

/* The longest run of entries around x, none of which is less than the one before. */
static void rise_of(tile_table *known, const expr_table *t, int64_t x)
{
  if (known->rise_from <= x && x < known->rise_to)
    return;
  for (known->rise_from = x;
       known->rise_from > 0 && expr_entry(t, known->rise_from - 1) <= expr_entry(t, known->rise_from);)
    known->rise_from--;
  for (known->rise_to = x + 1;
       known->rise_to < t->extent[0] && expr_entry(t, known->rise_to - 1) <= expr_entry(t, known->rise_to);)
    known->rise_to++;
}

/* Later iterations, too, must read the table where it does not fall, and its first and last entry inside one patch
 * each. */
static void log_rise(const tile_rules *all, int table, int64_t lo, int64_t hi)
{
  int64_t last = hi - 1;
  const tile_table *known = &all->table[table];
  if (!all->log)
    return;
  tile_log_equal(all->log, known->rise_from);
  tile_log_sign(all->log, lo - known->rise_from + 1);
  tile_log_sign(all->log, known->rise_to - last);
  tile_note_table(all, table, &lo);
  tile_note_table(all, table, &last);
}

/* Least and greatest value over b of v, a table of one index read at a variable, when it does not fall there. */
static bool rising_span(const tile_rules *all, const tile_value *v, const cdag_box *b, int64_t *least, int64_t *most)
{
  const expr *e = v->e;
  if (e->op != EXPR_TABLE || e->nargs != 1 || e->arg[0]->op != EXPR_SLOT)
    return false;
  int r = __builtin_ctz(v->vars);
  const expr_table *t = &all->g->table[e->slot];
  if (b->lo[r] < 0 || b->hi[r] > t->extent[0])
    return false;
  rise_of(&all->table[e->slot], t, b->lo[r]);
  if (b->hi[r] > all->table[e->slot].rise_to)
    return false;
  *least = expr_entry(t, b->lo[r]);
  *most = expr_entry(t, b->hi[r] - 1);
  log_rise(all, e->slot, b->lo[r], b->hi[r]);
  return true;
}

/* One bound of index r against box b. */
static tile_answer fit_bound(const tile_rules *all, int array, cdag_box *b, int r, const tile_value *v, bool lower)
{
  int64_t least, most;
  unsigned w = tile_wide(b, v->vars);
  tile_note(all, w);
  if (!w) {
    if (!tile_value_at(all, v, b, &least))
      return TILE_EMPTY;
    if (all->log)
      tile_log_bound(all->log, array, r, lower ? TILE_LEAST : TILE_MOST, least);
    return (lower ? tile_clip_lo(b, r, least) : tile_clip_hi(b, r, least)) ? TILE_BOX : TILE_EMPTY;
  }
  if (v->affine)
    tile_value_span(v, b, &least, &most);
  else if (!rising_span(all, v, b, &least, &most))
    return TILE_SPLIT;
  if (all->log) {
    tile_log_bound(all->log, array, r, TILE_OTHER, least);
    tile_log_bound(all->log, array, r, TILE_OTHER, most);
    tile_log_equal(all->log, b->hi[r] - b->lo[r] == 1);
  }
  if (lower ? b->lo[r] >= most : b->hi[r] <= least)
    return TILE_BOX;
  if (lower ? b->hi[r] <= least : b->lo[r] >= most)
    return TILE_EMPTY;
  if (v->affine && b->hi[r] - b->lo[r] == 1 && !(w & (w - 1)))
    return clip_other(all, array, b, r, v, w, lower);
  return TILE_SPLIT;
}

/* What one bound says after another: that there are no elements ends it, and a bound that is not the same all over the
 * box does unless the others are asked, too. */
static bool ends(const tile_rules *all, tile_answer answer, bool ask_all, tile_answer *together)
{
  tile_note(all, answer);
  if (answer != TILE_BOX)
    *together = answer;
  return answer == TILE_EMPTY || (answer == TILE_SPLIT && !ask_all);
}

static tile_answer fit(const tile_rules *all, int array, cdag_box *b, bool ask_all)
{
  const tile_rule *rule = &all->rule[array];
  tile_answer together = TILE_BOX;
  if (!pebble_box_clip(b, &rule->hull, rule->rank))
    return TILE_EMPTY;
  for (unsigned m = ~(rule->hull_lo & rule->hull_hi) & ((1u << rule->rank) - 1); m; m &= m - 1) {
    int r = __builtin_ctz(m);
    tile_answer answer = rule->hull_lo >> r & 1 ? TILE_BOX : fit_bound(all, array, b, r, &rule->lo[r], true);
    if (answer == TILE_BOX && !(rule->hull_hi >> r & 1))
      answer = fit_bound(all, array, b, r, &rule->hi[r], false);
    if (ends(all, answer, ask_all, &together))
      return answer;
  }
  for (int i = 0; i < rule->sides; i++) {
    const tile_bound *side = &rule->side[i];
    tile_answer answer = fit_bound(all, array, b, side->at, &side->v, side->lower);
    if (ends(all, answer, ask_all, &together))
      return answer;
  }
  return together;
}

tile_answer tile_fit(const tile_rules *all, int array, cdag_box *b) { return fit(all, array, b, false); }

bool tile_is_void(const tile_rules *all, int array, cdag_box *b) { return fit(all, array, b, true) == TILE_EMPTY; }
