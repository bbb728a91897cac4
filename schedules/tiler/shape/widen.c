/* widen.c -- an index that is not affine becomes an affine range around it. */
#include "base/num.h"
#include "schedules/tiler/shape/internal.h"
#include <string.h>

enum { BELOW = 1, ABOVE = 2 };
static unsigned forms_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi);

static unsigned swapped(unsigned sides) { return (sides & BELOW ? ABOVE : 0) | (sides & ABOVE ? BELOW : 0); }

/* to += times what lies between lo and hi. */
static unsigned add_around(const tiler_form *lo, const tiler_form *hi, unsigned sides, int64_t times, tiler_form *to_lo,
                           tiler_form *to_hi)
{
  tiler_form_add(to_lo, times < 0 ? hi : lo, times);
  tiler_form_add(to_hi, times < 0 ? lo : hi, times);
  return times < 0 ? swapped(sides) : sides;
}

/* max(c, e) lies above e, and below e plus the most that c is above it; min is the other way round. */
static unsigned extreme_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi)
{
  int64_t number;
  bool most = e->op == EXPR_MAX;
  int first = tiler_is_number(g, e->arg[0], s->rank, &number) ? 1 : 0;
  unsigned sides = forms_around(g, s, e->arg[first], lo, hi);
  if (e->nargs != 2 || !tiler_is_number(g, e->arg[!first], s->rank, &number))
    return sides & (most ? BELOW : ABOVE);
  if (most && (sides & BELOW))
    hi->base += num_max(0, number - tiler_form_extreme(s, lo, false));
  if (!most && (sides & ABOVE))
    lo->base -= num_max(0, tiler_form_extreme(s, hi, true) - number);
  return sides == (BELOW | ABOVE) ? sides : sides & (most ? BELOW : ABOVE);
}

/* e / c and e % c by a number c: between numbers. */
static unsigned quotient_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi)
{
  tiler_form a, b;
  int64_t c;
  if (!tiler_is_number(g, e->arg[1], s->rank, &c) || c <= 0 || forms_around(g, s, e->arg[0], &a, &b) != (BELOW | ABOVE))
    return 0;
  int64_t least = tiler_form_extreme(s, &a, false), most = tiler_form_extreme(s, &b, true);
  bool whole = e->op == EXPR_MOD && num_floor_div(least, c) != num_floor_div(most, c);
  lo->base = e->op == EXPR_DIV ? num_floor_div(least, c) : whole ? 0 : least - c * num_floor_div(least, c);
  hi->base = e->op == EXPR_DIV ? num_floor_div(most, c) : whole ? c - 1 : most - c * num_floor_div(most, c);
  return BELOW | ABOVE;
}

/* Affine forms below and above e, and which of them there are: a table is between its least and its greatest entry. */
static unsigned forms_around(const cdag *g, const tiler_statement *s, const expr *e, tiler_form *lo, tiler_form *hi)
{
  expr_env env = { g->param_value, g->table };
  tiler_form a, b;
  int64_t number;
  unsigned sides = BELOW | ABOVE;
  *lo = *hi = (tiler_form){ 0 };
  if (expr_affine(e, &env, g->params, s->rank, &lo->base, lo->coef)) {
    *hi = *lo;
    return sides;
  }
  *lo = *hi = (tiler_form){ 0 };
  if (e->op == EXPR_TABLE && !g->table[e->slot].unstored) {
    int64_t entries = 1;
    for (int r = 0; r < g->table[e->slot].rank; r++)
      entries *= g->table[e->slot].extent[r];
    if (entries > 0)
      expr_table_span(&g->table[e->slot], entries, &lo->base, &hi->base);
    return entries > 0 ? sides : 0;
  }
  if (expr_is_extreme(e))
    return extreme_around(g, s, e, lo, hi);
  if (e->op == EXPR_DIV || e->op == EXPR_MOD)
    return quotient_around(g, s, e, lo, hi);
  if (e->op == EXPR_MUL) {
    int k = tiler_is_number(g, e->arg[0], s->rank, &number) ? 1 : 0;
    if (!tiler_is_number(g, e->arg[!k], s->rank, &number))
      return 0;
    sides = forms_around(g, s, e->arg[k], &a, &b);
    return add_around(&a, &b, sides, number, lo, hi);
  }
  if (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_NEG)
    return 0;
  for (int i = 0; i < e->nargs; i++) {
    unsigned one = forms_around(g, s, e->arg[i], &a, &b);
    bool minus = e->op == EXPR_NEG || (e->op == EXPR_SUB && i == 1);
    sides &= add_around(&a, &b, one, minus ? -1 : 1, lo, hi);
  }
  return sides;
}

void tiler_widen_index(const cdag *g, const cdag_index *i, const tiler_statement *s, bool guarded, tiler_index *out)
{
  tiler_form other;
  bool range = i->kind == CDAG_RANGE;
  *out = (tiler_index){ .kind = CDAG_RANGE, .affine = true };
  unsigned sides = forms_around(g, s, i->lo, &out->lo, &out->hi);
  if (range)
    sides = (sides & BELOW) | (forms_around(g, s, i->hi, &other, &out->hi) & ABOVE);
  if (sides != (BELOW | ABOVE))
    out->kind = CDAG_ALL;
  else if (!range) {
    out->hi.base++;
    out->value = guarded ? NULL : i->lo;
  }
}

/* a becomes the greatest (up) or the least of both: false where they differ by more than a number. */
static bool stretch(tiler_form *a, const tiler_form *b, int rank, bool up)
{
  tiler_form apart = *b;
  tiler_form_add(&apart, a, -1);
  if (!tiler_form_constant(&apart, rank))
    return false;
  if (up == (apart.base > 0))
    *a = *b;
  return true;
}

/* The range around two indices of one array's dimension. */
static bool around_both(const tiler_index *a, const tiler_index *b, int rank, tiler_index *out)
{
  tiler_form a_end = a->hi, b_end = b->hi;
  if (a->kind == CDAG_ALL || b->kind == CDAG_ALL)
    return a->kind == b->kind;
  if (a->kind == CDAG_AT)
    a_end = a->lo, a_end.base++;
  if (b->kind == CDAG_AT)
    b_end = b->lo, b_end.base++;
  *out = (tiler_index){ .kind = CDAG_RANGE, .affine = true, .lo = a->lo, .hi = a_end };
  if (!stretch(&out->lo, &b->lo, rank, false) || !stretch(&out->hi, &b_end, rank, true))
    return false;
  bool same = a->kind == CDAG_AT && b->kind == CDAG_AT && memcmp(&a->lo, &b->lo, sizeof a->lo) == 0;
  if (same || (a->value && b->value && expr_equal(a->value, b->value)))
    *out = *a;
  return true;
}

void tiler_join_widened(tiler_statement *s)
{
  for (int i = 0; i < s->accesses; i++)
    for (int k = 0; k < s->accesses; k++) {
      tiler_access *a = &s->access[i], *b = &s->access[k];
      tiler_index both[CDAG_RANK];
      bool good = i != k && a->array == b->array && (a->widened || b->widened);
      for (int q = 0; q < a->rank && good; q++) {
        both[q] = a->at[q];
        good = around_both(&a->at[q], &b->at[q], s->rank, &both[q]);
      }
      for (int q = 0; q < a->rank && good; q++)
        a->at[q] = b->at[q] = both[q];
      if (good)
        a->widened = b->widened = true;
    }
}
