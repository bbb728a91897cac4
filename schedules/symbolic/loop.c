/* schedules/symbolic/loop.c -- see schedules/symbolic/loop.h. */
#include "schedules/symbolic/loop.h"
#include "base/num.h"

bool formula_range_of(formula *f, const schedule_loop *l, loop_range *r)
{
  expr zero = { .op = EXPR_CONST };
  const expr *lo = l->lo ? l->lo : &zero;
  schedule_index over = { .loop = l->over_loop };
  r->by = poly_number(&f->world, 1);
  r->by_span = (span){ 1, 1 };
  bool ok = l->over_loop >= 0 ? formula_interval(f, &over, &r->range)
                              : formula_bound(f, lo, &r->range.lo, &r->range.lo_span) &&
                                    formula_bound(f, l->hi, &r->range.hi, &r->range.hi_span);
  if (!ok || (l->by && !formula_bound(f, l->by, &r->by, &r->by_span)))
    return false;
  r->length = interval_extent(f, &r->range);
  int64_t one;
  if (poly_constant(r->length, &one) && one == 1) /* whatever `by` is */
    r->iterations = r->length;
  else if (!formula_quotient(f, r->length, r->by, &r->iterations))
    r->iterations = poly_ceil(&f->world, r->length, r->by);
  return true;
}

static span at_least(int64_t least, int64_t most) { return (span){ num_min(least, most), most }; }

/* Where the last of several blocks begins, when all numbers are at hand. */
static bool last_block(const loop_range *r, int64_t *at)
{
  int64_t lo = r->range.lo_span.least, hi = r->range.hi_span.most, by = r->by_span.least;
  if (lo != r->range.lo_span.most || hi != r->range.hi_span.least || by != r->by_span.most || by < 1 || hi - lo <= by)
    return false;
  *at = lo + (hi - lo - 1) / by * by;
  return true;
}

/* The values of the loop's variable in iterations of one kind, of which there are two at least when it is not the only
 * one. */
static void set_spans(span *s, const loop_range *r, iteration_which which)
{
  int64_t lo = r->range.lo_span.least, most = r->range.hi_span.most, by = r->by_span.least, last = 0;
  bool known = last_block(r, &last), several = known && last - by > lo;
  s[SCHEDULE_LO] = which == ITERATION_FIRST || which == ITERATION_ONLY ? r->range.lo_span : at_least(lo + by, most - 1);
  s[SCHEDULE_HI] = which >= ITERATION_LAST ? r->range.hi_span
                                           : at_least(which == ITERATION_MIDDLE ? lo + 2 * by : lo + by, most - 1);
  s[SCHEDULE_LEN] = (span){ 1, r->by_span.most };
  if (which < ITERATION_LAST)
    s[SCHEDULE_LEN].least = num_min(by, most - lo);
  if (which == ITERATION_ONLY && most - r->range.lo_span.most <= by) /* there is but one */
    s[SCHEDULE_LEN] = (span){ num_max(1, r->range.hi_span.least - r->range.lo_span.most), num_max(1, most - lo) };
  if (which == ITERATION_FIRST && known)
    s[SCHEDULE_HI] = (span){ lo + by, lo + by };
  if (which == ITERATION_MIDDLE && several)
    s[SCHEDULE_LO].most = last - by, s[SCHEDULE_HI].most = last;
  if (which == ITERATION_LAST && known) {
    s[SCHEDULE_LO] = (span){ last, last };
    s[SCHEDULE_LEN] = (span){ most - last, most - last };
  }
  if (which == ITERATION_MIDDLE && r->part && several) {
    s[SCHEDULE_LO] = (span){ lo + r->part->from_here * by, lo + (r->part->to_here - 1) * by };
    s[SCHEDULE_HI] = (span){ s[SCHEDULE_LO].least + by, s[SCHEDULE_LO].most + by };
  }
}

/* What is known of the blocks after one that is not the last. */
void formula_set_after(formula *f, iteration_kind *k, const loop_range *r, bool others)
{
  poly_world *w = &f->world;
  k->after = k->next = (poly){ 0 };
  if (!others)
    return;
  k->after = poly_sub(w, r->range.hi, k->hi);
  poly last = poly_add(w, poly_mul(w, poly_shift(w, r->iterations, -1), r->by), r->range.lo);
  k->next = poly_shift(w, poly_sub(w, last, k->hi), 1);
}

/* How many iterations come before. */
static poly before(formula *f, int loop, const loop_range *r, iteration_which which)
{
  poly_world *w = &f->world;
  poly t = poly_variable(w, formula_iteration_atom(f, loop));
  if (which == ITERATION_LAST)
    return poly_shift(w, r->iterations, -1);
  if (which != ITERATION_MIDDLE)
    return (poly){ 0 };
  return r->part ? poly_shift(w, poly_add(w, t, r->part->from), -1) : t;
}

void formula_set_kind(formula *f, int loop, const loop_range *r, iteration_which which)
{
  poly_world *w = &f->world;
  const schedule_loop *l = &f->s->loop[loop];
  iteration_kind *k = &f->kind[loop];
  bool ends = which >= ITERATION_LAST;
  const loop_piece *part = which == ITERATION_MIDDLE ? r->part : NULL;
  k->lo = poly_add(w, r->range.lo, poly_mul(w, before(f, loop, r, which), r->by));
  k->least = which == ITERATION_LAST ? r->range.lo : k->lo;
  k->hi = ends ? r->range.hi : poly_add(w, k->lo, r->by);
  k->len = poly_sub(w, k->hi, k->lo);
  formula_set_after(f, k, r, !ends);
  k->open = true;
  k->iterations = part ? poly_shift(w, poly_sub(w, part->to, part->from), 2) : r->iterations;
  k->running = which != ITERATION_ONLY;
  k->only = which == ITERATION_ONLY;
  k->middle = which == ITERATION_MIDDLE;
  k->late = false;
  set_spans(f->span + l->slot, r, which);
}

void formula_set_ends(formula *f, int loop, bool first, bool last)
{
  span *s = f->span + f->s->loop[loop].slot;
  f->kind[loop].first = first;
  f->kind[loop].last = last;
  s[SCHEDULE_FIRST] = (span){ first, first };
  s[SCHEDULE_LAST] = (span){ last, last };
}

/* Depth: at most SCHEDULE_DEPTH. */
static bool has_snake(const formula *f, const schedule_node *body)
{
  bool has = false;
  for (int i = 0; i < body->children && !has; i++) {
    const schedule_node *n = body->child[i];
    has = n->kind == SCHEDULE_BLOCK ? has_snake(f, n)
                                    : n->kind == SCHEDULE_FOR && f->s->loop[n->loop].snake && formula_matters(f, n);
  }
  return has;
}

bool formula_weaves(const formula *f, const schedule_node *n, bool backwards)
{
  return f->entered == ENTERED_NEVER && !backwards && has_snake(f, n->child[0]);
}

/* What stands in the body is come to once in each iteration. */
static entered entered_in(const formula *f, const loop_range *r, iteration_which which, bool backwards)
{
  if (f->entered != ENTERED_NEVER || backwards)
    return ENTERED_UNKNOWN;
  if (which == ITERATION_FIRST || which == ITERATION_ONLY)
    return ENTERED_NEVER;
  return r->even ? ENTERED_EVEN : ENTERED_ODD;
}

bool formula_body(formula *f, const schedule_node *n, const loop_range *r, iteration_which which, bool backwards,
                  poly *out)
{
  entered around = f->entered;
  formula_set_kind(f, n->loop, r, which);
  formula_set_ends(f, n->loop, which == ITERATION_ONLY || which == (backwards ? ITERATION_LAST : ITERATION_FIRST),
                   !r->open && (which == ITERATION_ONLY || which == (backwards ? ITERATION_FIRST : ITERATION_LAST)));
  f->entered = entered_in(f, r, which, backwards);
  bool ok = formula_add(f, n->child[0], out);
  f->entered = around;
  f->kind[n->loop].running = f->kind[n->loop].only = false;
  return ok;
}
