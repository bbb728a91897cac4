/* schedules/symbolic/walk.c -- a schedule's program summed up as polynomials (docs/counting.md, "The formula").

   A loop is its first iteration, its middle iterations and its last one.  In each of the three the bounds of the loop
   variable are polynomials (the middle ones in the number of the iteration), and every box has a volume that is a
   polynomial too.  Whether a box reaches outside its array, and which way a condition goes, is decided with all values
   that the parameters and the loop variables can have: where the answer is not the same for all there is no formula.
   First + middle + last is the sum for two iterations and more; for one iteration it is compared with the loop's only
   iteration.  Middle iterations of several kinds are summed in pieces (schedules/symbolic/pieces.c), and even and odd
   ones apart where a snake in them tells them apart. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/symbolic/loop.h"
#include "schedules/sign/memo.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool formula_fail(formula *f, int line, const char *format, ...)
{
  va_list args;
  char why[160];
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  if (f->reason->n == 0) {
    if (line)
      text_printf(f->reason, "line %d: ", line);
    text_add(f->reason, why);
  }
  return false;
}

/* ---- statements ---- */

/* What an element of a move adds to the sum: words moved, or pebbles gained. */
static int worth(const formula *f, pebble_kind move)
{
  if (!f->net)
    return move == PEBBLE_LOAD || move == PEBBLE_STORE;
  return move == PEBBLE_LOAD || move == PEBBLE_COMPUTE ? 1 : move == PEBBLE_DROP ? -1 : 0;
}

static bool add_box(formula *f, const schedule_node *n, const schedule_box *b, poly *total)
{
  int times = worth(f, n->move);
  poly volume;
  if (times == 0)
    return true;
  bool ok = formula_box_volume(f, b, &volume);
  if (ok)
    *total = poly_add_times(&f->world, *total, volume, times, 1);
  if (ok && f->net && n->move == PEBBLE_COMPUTE && (ok = formula_dropped(f, n, b, &volume)))
    *total = poly_sub(&f->world, *total, volume);
  return ok;
}

static bool add_move(formula *f, const schedule_node *n, poly *total)
{
  for (int i = 0; i < n->boxes; i++)
    if (!add_box(f, n, &n->box[i], total))
      return false;
  return true;
}

static bool add_if(formula *f, const schedule_node *n, poly *total)
{
  int way = formula_condition(f, n);
  entered around = f->entered;
  f->entered = ENTERED_UNKNOWN; /* here and not in other iterations, perhaps */
  bool ok = way == 1 ? formula_add(f, n->child[0], total)
                     : way == 0 && (n->children < 2 || formula_add(f, n->child[1], total));
  f->entered = around;
  return ok;
}

/* Is p 0 where zero is? */
static bool vanishes(formula *f, poly p, poly zero)
{
  poly quotient;
  p = poly_impose(&f->world, p, zero);
  return p.n == 0 || poly_divide(&f->world, p, zero, &quotient);
}

/* Of the body of one loop in its iterations.  Where snakes in it tell even iterations from odd ones, that an even and
   an odd number come before: what odd ones in the middle are, and the last one after an odd number; and how much even
   ones are more.  There are T - ceil(T/2) - 1 even ones in the middle of T. */
typedef struct { poly first, middle, last, even_middle, even_last; } loop_parts;


/* The body in even iterations, less that in odd ones, which is `odd`. */
static bool even_less_odd(formula *f, const schedule_node *n, const loop_range *r, iteration_which which, poly odd,
                          poly *more)
{
  loop_range even = *r;
  poly sum = { 0 };
  even.even = true;
  bool ok = formula_body(f, n, &even, which, false, &sum);
  *more = poly_sub(&f->world, sum, odd);
  return ok;
}

/* first + middle + last at one iteration: first - middle (at iteration 0) + last.  Is that the only iteration? */
static bool right_for_one(formula *f, const schedule_node *n, const loop_range *r, bool backwards,
                          const loop_parts *part)
{
  poly_world *w = &f->world;
  poly only = { 0 }, middle, even, minus_one = poly_number(w, -1);
  int iteration = formula_iteration_atom(f, n->loop);
  if (!formula_body(f, n, r, ITERATION_ONLY, backwards, &only) ||
      !poly_sum(w, part->middle, iteration, minus_one, &middle) ||
      !poly_sum(w, part->even_middle, iteration, minus_one, &even))
    return false;
  poly sum = poly_add(w, poly_add(w, middle, even), poly_add(w, part->first, poly_add(w, part->last, part->even_last)));
  return vanishes(f, poly_sub(w, sum, only), poly_shift(w, r->iterations, -1));
}

static bool check_one(formula *f, const schedule_node *n, const loop_range *r, bool backwards, const loop_parts *part)
{
  formula_said so_far = formula_so_far(f);
  poly beyond = poly_shift(&f->world, r->iterations, -2);
  if (formula_not_negative(f, beyond) || right_for_one(f, n, r, backwards, part))
    return true;
  formula_unsay(f, so_far);
  return (formula_at_hand(f) && formula_require(f, beyond)) ||
         formula_fail(f, n->line, "loop %s is different when it has one iteration", f->s->loop[n->loop].name);
}

/* What even iterations have more than odd ones: the sum over iterations 2u in the middle, T - ceil(T/2) - 1 of them,
   and the last one where it is even: 2 ceil(T/2) - T is 1 where T is odd and 0 where it is even. */
static bool add_even(formula *f, int iteration, const loop_range *r, const loop_parts *part, poly *out)
{
  poly_world *w = &f->world;
  poly more;
  if (part->even_middle.n == 0 && part->even_last.n == 0)
    return true;
  poly half = poly_ceil(w, r->iterations, poly_number(w, 2));
  poly even = poly_shift(w, poly_sub(w, r->iterations, half), -1);
  poly is_odd = poly_sub(w, poly_scale(w, half, 2, 1), r->iterations);
  poly twice = poly_scale(w, poly_variable(w, iteration), 2, 1);
  if (!poly_sum(w, poly_substitute(w, part->even_middle, iteration, twice), iteration, even, &more))
    return false;
  *out = poly_add(w, *out, poly_add(w, more, poly_mul(w, is_odd, part->even_last)));
  return true;
}

/* out += first + sum over the middle iterations + last */
static bool add_parts(formula *f, const schedule_node *n, const loop_range *r, const loop_parts *part, poly *out)
{
  poly_world *w = &f->world;
  poly between;
  int iteration = formula_iteration_atom(f, n->loop);
  if (!poly_sum(w, part->middle, iteration, poly_shift(w, r->iterations, -2), &between) ||
      !add_even(f, iteration, r, part, &between))
    return formula_fail(f, n->line, "the iterations of loop %s do not add up to a closed form",
                        f->s->loop[n->loop].name);
  *out = poly_add(w, *out, poly_add(w, poly_add(w, part->first, between), part->last));
  return true;
}

static bool parts_poly(formula *f, const schedule_node *n, const loop_range *r, bool backwards, loop_parts *part,
                       poly *out)
{
  bool ok = formula_body(f, n, r, ITERATION_FIRST, backwards, &part->first) &&
            formula_body(f, n, r, ITERATION_MIDDLE, backwards, &part->middle) &&
            formula_body(f, n, r, ITERATION_LAST, backwards, &part->last);
  if (ok && formula_weaves(f, n, backwards))
    ok = even_less_odd(f, n, r, ITERATION_MIDDLE, part->middle, &part->even_middle) &&
         even_less_odd(f, n, r, ITERATION_LAST, part->last, &part->even_last);
  return ok && check_one(f, n, r, backwards, part) && add_parts(f, n, r, part, out);
}

void formula_leave(formula *f, const schedule_node *n)
{
  iteration_kind *k = &f->kind[n->loop];
  k->open = k->running = k->only = false;
}

/* One iteration: so written, or as many as a loop around it that is in its only one. */
static bool iterations_once(const formula *f, const loop_range *r)
{
  int64_t c;
  for (int l = 0; l < f->s->loops; l++)
    if (f->kind[l].only && poly_equal(f->kind[l].iterations, r->iterations))
      return true;
  return poly_constant(r->iterations, &c) && c == 1;
}

/* One iteration here, or two? */
static bool has_few(const formula *f, const loop_range *r, int64_t *iterations)
{
  return formula_at_hand(f) && !f->world.failed && formula_value_here(f, r->iterations, iterations) &&
         *iterations >= 1 && *iterations <= 2;
}

/* So many, and nothing said of more. */
static bool few_iterations(formula *f, const schedule_node *n, const loop_range *r, int64_t iterations, bool backwards,
                           poly *out)
{
  formula_grant_equal(f, r->iterations, iterations);
  return formula_body(f, n, r, iterations == 1 ? ITERATION_ONLY : ITERATION_FIRST, backwards, out) &&
         (iterations == 1 || formula_body(f, n, r, ITERATION_LAST, backwards, out));
}

static bool all_iterations(formula *f, const schedule_node *n, const loop_range *r, bool backwards, poly *out)
{
  formula_said so_far = formula_so_far(f);
  loop_parts part = { 0 };
  int64_t iterations;
  if (iterations_once(f, r))
    return formula_body(f, n, r, ITERATION_ONLY, backwards, out);
  if (parts_poly(f, n, r, backwards, &part, out))
    return true;
  if (!has_few(f, r, &iterations))
    return false;
  formula_unsay(f, so_far);
  return few_iterations(f, n, r, iterations, backwards, out);
}

static bool iterations_poly(formula *f, const schedule_node *n, const loop_range *r, bool backwards, poly *out)
{
  bool ok = (r->in_pieces ? formula_in_pieces : all_iterations)(f, n, r, backwards, out);
  formula_leave(f, n);
  return ok;
}

/* To, and fro, is said to be the same where it is not known which. */
static bool snake_iterations(formula *f, const schedule_node *n, const loop_range *r, poly *out)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  poly back = { 0 };
  if (f->entered != ENTERED_UNKNOWN)
    return iterations_poly(f, n, r, l->reversed != (f->entered == ENTERED_ODD), out);
  bool ok = iterations_poly(f, n, r, l->reversed, out) && iterations_poly(f, n, r, !l->reversed, &back);
  return ok && (poly_equal(*out, back) ||
                formula_fail(f, n->line, "loop %s counts differently to and fro", l->name));
}

static bool add_iterations(formula *f, const schedule_node *n, const loop_range *r, poly *total)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  poly sum = { 0 };
  bool ok = l->snake ? snake_iterations(f, n, r, &sum) : iterations_poly(f, n, r, l->reversed, &sum);
  if (ok)
    *total = poly_add(&f->world, *total, sum);
  return ok;
}

/* Are there at least so many values, whatever they are? */
static bool is_long(formula *f, const loop_range *r, int64_t least)
{
  return formula_not_negative(f, poly_shift(&f->world, r->length, -least));
}

/* PERHAPS: in some iterations of the loops around it; UNSURE: not even that its range is never turned round. */
typedef enum { UNKNOWN = -1, NONE, RUNS, PERHAPS, UNSURE } course;

/* It has none here; is it said, or known, that this is always so? */
static bool grant_none(formula *f, const schedule_loop *l, const loop_range *r)
{
  int first_loop = f->s->slot_param + f->s->params;
  char what[CDAG_NAME + 32];
  if (formula_at_hand(f) || expr_uses(l->hi, first_loop, f->s->slots) ||
      (l->lo && expr_uses(l->lo, first_loop, f->s->slots)))
    return formula_is_most(f, r->range.hi, r->range.lo);
  snprintf(what, sizeof what, "loop %s has no iterations", l->name);
  formula_grant(f, what);
  return true;
}

/* It has iterations here; is it said, or known, that it always has? */
static bool has_iterations(formula *f, const loop_range *r)
{
  return formula_is_most(f, poly_shift(&f->world, r->range.lo, 1), r->range.hi);
}

/* Has the loop iterations? */
static course runs(formula *f, const schedule_node *n, const loop_range *r)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  bool block = l->over_loop >= 0; /* never empty */
  bool here = r->range.hi_span.least > r->range.lo_span.most;
  bool some = block || (here && !formula_at_hand(f)) || is_long(f, r, 1);
  if (!some && (r->range.hi_span.most <= r->range.lo_span.least || r->length.n == 0) && grant_none(f, l, r))
    return NONE;
  if (r->by_span.least < 1)
    return formula_fail(f, n->line, "a block size below 1") ? NONE : UNKNOWN;
  return some ? RUNS : is_long(f, r, 0) ? PERHAPS : here && has_iterations(f, r) ? RUNS : UNSURE;
}

/* Does anything below add to the sum?  Depth: at most SCHEDULE_DEPTH. */
bool formula_matters(const formula *f, const schedule_node *n)
{
  bool any = n->kind == SCHEDULE_MOVE && worth(f, n->move);
  for (int i = 0; i < n->children && !any; i++)
    any = formula_matters(f, n->child[i]);
  return any;
}

/* The loop's variable as the first of its values, of which nothing else is said. */
static void set_lowest(formula *f, int loop, const loop_range *r)
{
  iteration_kind *k = &f->kind[loop];
  k->lo = k->least = r->range.lo;
  k->open = k->running = k->only = false;
  f->span[f->s->loop[loop].slot + SCHEDULE_LO] = r->range.lo_span;
}

static bool add_boxes(formula *f, const schedule_node *n, const loop_range *r, course c, poly *sum)
{
  formula_spread over = { n->loop, r->range.hi, r->length, r->range.hi_span };
  poly boxes = { 0 };
  set_lowest(f, n->loop, r);
  bool ok = (c == RUNS || (c == PERHAPS && formula_at_hand(f))) && !f->world.failed &&
            formula_add_spread(f, n, &over, &boxes);
  *sum = poly_add(&f->world, *sum, boxes);
  return ok;
}

typedef enum { BOX_BY_BOX, ITERATION_BY_ITERATION, IN_PIECES, WAYS } way;

static bool add_in(formula *f, const schedule_node *n, loop_range *r, course c, way w, poly *sum)
{
  *sum = (poly){ 0 };
  r->in_pieces = w == IN_PIECES;
  return w == BOX_BY_BOX ? add_boxes(f, n, r, c, sum) : add_iterations(f, n, r, sum);
}

/* In the first way that there is.  Why there is none is told of iterations. */
static bool add_in_some_way(formula *f, const schedule_node *n, loop_range *r, course c, poly *sum)
{
  formula_said so_far = formula_so_far(f);
  size_t wanted = f->wanted.n;
  bool ok = false;
  for (way w = BOX_BY_BOX; w < WAYS && !ok; w++) {
    formula_unsay(f, w == IN_PIECES ? (formula_said){ f->reason->n, so_far.holds, so_far.granted } : so_far);
    ok = add_in(f, n, r, c, w, sum);
  }
  if (ok)
    formula_forget(f->reason, so_far.reason);
  if (ok && f->wanted.n > wanted)
    f->wanted.n = wanted;
  return ok;
}

/* Has it iterations here, and always, or said to? */
static bool has_some(formula *f, const loop_range *r)
{
  return formula_at_hand(f) && r->range.hi_span.least > r->range.lo_span.most && has_iterations(f, r);
}

static bool add_for(formula *f, const schedule_node *n, poly *total)
{
  if (!formula_matters(f, n))
    return true;
  loop_range r = { 0 };
  poly sum = { 0 };
  course c = formula_range_of(f, &f->s->loop[n->loop], &r) ? runs(f, n, &r) : UNKNOWN;
  bool ok = c != UNKNOWN && (c == NONE || add_in_some_way(f, n, &r, c, &sum));
  bool none = c == PERHAPS && poly_impose(&f->world, sum, r.iterations).n == 0; /* 0 when it has no iterations, too */
  if (ok && (c == UNSURE || (c == PERHAPS && !none && !has_some(f, &r))))
    ok = formula_fail(f, n->line, "loop %s has no iterations in some iterations of the loops around it",
                      f->s->loop[n->loop].name);
  *total = poly_add(&f->world, *total, sum);
  return ok;
}

/* Is a block no longer than the range?  A number for the length cuts no box on a slant: nothing is gained by assuming
 * it. */
static bool has_block(formula *f, const loop_range *r)
{
  int64_t number;
  return formula_not_negative(f, poly_sub(&f->world, r->length, r->by)) ||
         (!poly_constant(r->length, &number) && formula_assume(f, r->length, r->by));
}

/* lo, and at most `by` further: what the first iteration is whatever the number of iterations. */
static void set_first(formula *f, int loop, const loop_range *r)
{
  iteration_kind *k = &f->kind[loop];
  span *s = f->span + f->s->loop[loop].slot;
  int64_t shortest = r->range.hi_span.least - r->range.lo_span.most;
  bool over = r->by_span.most < shortest, only = r->by_span.least >= r->range.hi_span.most - r->range.lo_span.least;
  k->lo = k->least = r->range.lo;
  k->len = r->by_span.most <= shortest || has_block(f, r) ? r->by : poly_min(&f->world, r->by, r->length);
  k->hi = poly_add(&f->world, k->lo, k->len);
  formula_set_after(f, k, r, false);
  k->open = true;
  k->running = k->late = k->middle = k->only = false;
  formula_set_ends(f, loop, true, only);
  s[SCHEDULE_LAST] = (span){ only, !over };
  s[SCHEDULE_LO] = r->range.lo_span;
  s[SCHEDULE_HI] =
      (span){ num_min(r->range.lo_span.least + r->by_span.least, r->range.hi_span.least), r->range.hi_span.most };
  s[SCHEDULE_LEN] = (span){ num_min(r->by_span.least, shortest > 1 ? shortest : 1), r->by_span.most };
}

static bool assume_least(formula *f, poly p, int64_t least)
{
  return formula_assume(f, p, poly_number(&f->world, least));
}

/* The iteration before the last, whose block is whole; it is not the first. */
static bool set_late(formula *f, int loop, const loop_range *r)
{
  poly_world *w = &f->world;
  iteration_kind *k = &f->kind[loop];
  if (!assume_least(f, r->iterations, 3))
    return false;
  formula_set_kind(f, loop, r, ITERATION_MIDDLE);
  k->lo = k->least = poly_add(w, poly_mul(w, poly_shift(w, r->iterations, -2), r->by), r->range.lo);
  k->hi = poly_add(w, k->lo, r->by);
  formula_set_after(f, k, r, true);
  k->middle = false;
  k->late = true;
  formula_set_ends(f, loop, false, false);
  return true;
}

static bool set_last(formula *f, int loop, const loop_range *r)
{
  if (!assume_least(f, r->iterations, 2))
    return false;
  formula_set_kind(f, loop, r, ITERATION_LAST);
  formula_set_ends(f, loop, false, true);
  return true;
}

static bool set_iteration(formula *f, int loop, const loop_range *r, formula_iteration which)
{
  const schedule_loop *l = &f->s->loop[loop];
  if (l->reversed || (which != FORMULA_FIRST && l->snake))
    return false;
  if (which == FORMULA_FIRST)
    set_first(f, loop, r);
  return which == FORMULA_FIRST || (which == FORMULA_LATE ? set_late(f, loop, r) : set_last(f, loop, r));
}

int formula_set_iteration(formula *f, const schedule_node *n, formula_iteration which)
{
  loop_range r = { 0 };
  course c = formula_range_of(f, &f->s->loop[n->loop], &r) ? runs(f, n, &r) : UNKNOWN;
  if ((c == PERHAPS || c == UNSURE) && !assume_least(f, r.length, 1))
    c = UNKNOWN;
  if (c > NONE && !set_iteration(f, n->loop, &r, which))
    c = UNKNOWN;
  return c > NONE ? 1 : c;
}

bool formula_add_before(formula *f, const schedule_node *n, poly *total)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  loop_range r = { .open = true };
  int around = l->parent;
  while (around >= 0 && !(l->hi && l->hi->op == EXPR_SLOT && l->hi->slot == f->s->loop[around].slot + SCHEDULE_HI))
    around = f->s->loop[around].parent;
  bool ok = around >= 0 && !l->lo && !l->blocked && !l->reversed && !l->snake && formula_range_of(f, l, &r);
  if (ok) {
    r.range.hi_span = f->span[f->s->loop[around].slot + SCHEDULE_LO];
    r.range.hi = r.length = r.iterations = f->kind[around].lo;
    ok = r.range.hi_span.least > 0 && add_iterations(f, n, &r, total);
  }
  return ok;
}

/* Depth: at most SCHEDULE_DEPTH. */
bool formula_add(formula *f, const schedule_node *n, poly *total)
{
  bool ok = !f->world.failed || formula_fail(f, n->line, "the formula grows too large");
  switch (n->kind) {
  case SCHEDULE_MOVE: return ok && add_move(f, n, total);
  case SCHEDULE_IF: return ok && add_if(f, n, total);
  case SCHEDULE_FOR: return ok && add_for(f, n, total);
  case SCHEDULE_BLOCK: break;
  }
  for (int i = 0; i < n->children && ok; i++)
    ok = formula_add(f, n->child[i], total);
  return ok;
}


/* ---- assumptions ---- */

void poly_list_add(poly_list *l, poly p)
{
  for (size_t i = 0; i < l->n; i++)
    if (poly_equal(l->p[i], p))
      return;
  l->p = mem_room(l->p, l->n, &l->room, sizeof *l->p);
  l->p[l->n++] = p;
}

void poly_list_clear(poly_list *l)
{
  mem_free(l->p);
  *l = (poly_list){ 0 };
}

bool formula_assume(formula *f, poly big, poly small)
{
  int64_t value;
  if (!f->assumed)
    return false;
  poly more = poly_sub(&f->world, big, small);
  if (poly_constant(more, &value))
    return value >= 0;
  bool ok = !formula_reads_iterations(f, more, -1);
  if (ok)
    poly_list_add(f->assumed, more);
  return ok;
}

/* ---- beginning and end ---- */

void formula_init(formula *f, const schedule *s, text *reason)
{
  const cdag *g = s->g;
  *f = (formula){ .s = s, .reason = reason };
  f->slot = MEM_NEW(int64_t, (size_t)s->slots);
  f->span = MEM_NEW(span, (size_t)s->slots);
  f->kind = MEM_NEW(iteration_kind, (size_t)s->loops);
  f->alias = MEM_NEW(const expr *, (size_t)s->slots);
  f->number = MEM_NEW(bool, (size_t)s->slots);
  schedule_fixed_slots(s, f->slot);
  for (int i = 0; i < s->slot_param + s->params; i++)
    f->span[i] = (span){ f->slot[i], f->slot[i] };
  for (int i = 0; i < g->params; i++)
    poly_slot(&f->world, i, g->param[i].name); /* in this order in the text */
  for (int i = 0; i < s->params; i++)
    poly_slot(&f->world, s->slot_param + i, s->param[i].name);
}

void formula_clear(formula *f)
{
  mem_free(f->slot);
  mem_free(f->span);
  mem_free(f->kind);
  mem_free(f->alias);
  mem_free(f->number);
  formula_memo_free(f->memo);
  poly_list_clear(&f->granted);
  poly_list_clear(&f->wanted);
  poly_world_clear(&f->world);
}
