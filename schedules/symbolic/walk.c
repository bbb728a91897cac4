/* schedules/symbolic/walk.c -- a schedule's program summed up as polynomials (docs/counting.md, "The formula").

   A loop is its first iteration, its middle iterations and its last one.  In each of the three the bounds of the loop
   variable are polynomials (the middle ones in the number of the iteration), and every box has a volume that is a
   polynomial too.  Whether a box reaches outside its array, and which way a condition goes, is decided with all values
   that the parameters and the loop variables can have: where the answer is not the same for all there is no formula.
   First + middle + last is the sum for two iterations and more; for one iteration it is compared with the loop's only
   iteration.  Middle iterations of several kinds are summed in pieces (schedules/symbolic/pieces.c), and even and odd
   ones apart where a snake in them tells them apart.  Loops whose iterations tables tell apart are gone through in
   another way (schedules/symbolic/tables/iterations.h). */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/symbolic/loop.h"
#include "schedules/sign/memo.h"
#include "schedules/symbolic/tables/iterations.h"
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

bool formula_add_volume(formula *f, int line, const poly *volume, int times, poly *total)
{
  if (f->iterations && !formula_same_in_all(f, volume, line))
    return false;
  poly_add(&f->world, total, volume, times * (f->iterations ? formula_alike(f) : 1), 1);
  return true;
}

static bool add_box(formula *f, const schedule_node *n, const schedule_box *b, poly *total)
{
  int times = worth(f, n->move);
  poly volume = { 0 };
  if (times == 0)
    return true;
  bool ok = formula_box_volume(f, b, &volume);
  ok = ok && formula_add_volume(f, b->line, &volume, times, total);
  if (ok && f->net && n->move == PEBBLE_COMPUTE && (ok = formula_dropped(f, n, b, &volume)))
    poly_add(&f->world, total, &volume, -1, 1);
  poly_clear(&volume);
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

static void less_two(formula *f, const loop_range *r, poly *out)
{
  poly two = { 0 };
  poly_copy(out, &r->iterations);
  poly_set(&two, 2);
  poly_add(&f->world, out, &two, -1, 1);
  poly_clear(&two);
}

/* Is p 0 where zero is? */
static bool vanishes(formula *f, poly *p, const poly *zero)
{
  poly_impose(&f->world, p, zero);
  return p->n == 0 || poly_divide(&f->world, p, zero);
}

/* Of the body of one loop in its iterations.  Where snakes in it tell even iterations from odd ones, that an even and
   an odd number come before: what odd ones in the middle are, and the last one after an odd number; and how much even
   ones are more.  There are T - ceil(T/2) - 1 even ones in the middle of T. */
typedef struct { poly first, middle, last, even_middle, even_last; } loop_parts;

static void parts_clear(loop_parts *p)
{
  poly_clear(&p->first);
  poly_clear(&p->middle);
  poly_clear(&p->last);
  poly_clear(&p->even_middle);
  poly_clear(&p->even_last);
}

/* more = the body in even iterations, less that in odd ones, which is `odd`. */
static bool even_less_odd(formula *f, const schedule_node *n, const loop_range *r, iteration_which which,
                          const poly *odd, poly *more)
{
  loop_range even = *r; /* borrowed */
  even.even = true;
  bool ok = formula_body(f, n, &even, which, false, more);
  poly_add(&f->world, more, odd, -1, 1);
  return ok;
}

/* first + middle + last at one iteration: first - middle (at iteration 0) + last.  Is that the only iteration? */
static bool right_for_one(formula *f, const schedule_node *n, const loop_range *r, bool backwards,
                          const loop_parts *part)
{
  poly only = { 0 }, sum = { 0 }, even = { 0 }, minus_one = { 0 }, more = { 0 };
  int iteration = formula_iteration_atom(f, n->loop);
  bool ok = formula_body(f, n, r, ITERATION_ONLY, backwards, &only);
  poly_set(&minus_one, -1);
  ok = ok && poly_sum(&f->world, &sum, &part->middle, iteration, &minus_one) &&
       poly_sum(&f->world, &even, &part->even_middle, iteration, &minus_one);
  poly_add(&f->world, &sum, &even, 1, 1);
  poly_add(&f->world, &sum, &part->first, 1, 1);
  poly_add(&f->world, &sum, &part->last, 1, 1);
  poly_add(&f->world, &sum, &part->even_last, 1, 1);
  poly_add(&f->world, &sum, &only, -1, 1);
  poly_copy(&more, &r->iterations);
  poly_add(&f->world, &more, &minus_one, 1, 1);
  ok = ok && vanishes(f, &sum, &more);
  poly_clear(&only);
  poly_clear(&sum);
  poly_clear(&even);
  poly_clear(&minus_one);
  poly_clear(&more);
  return ok;
}

/* beyond: how many iterations there are beyond two. */
static bool good_for_one(formula *f, const schedule_node *n, const loop_range *r, bool backwards,
                         const loop_parts *part, const poly *beyond)
{
  formula_said so_far = formula_so_far(f);
  if (formula_not_negative(f, beyond) || right_for_one(f, n, r, backwards, part))
    return true;
  if (f->iterations && formula_are_apart(f))
    return false;
  formula_unsay(f, so_far);
  if (formula_at_hand(f) && formula_require(f, beyond))
    return true;
  if (!f->iterations)
    return formula_fail(f, n->line, "loop %s is different when it has one iteration", f->s->loop[n->loop].name);
  text t = { 0 };
  poly_print(&f->world, &r->iterations, false, &t);
  text_add(&t, " >= 2");
  formula_grant(f, t.s);
  text_clear(&t);
  return true;
}

static bool check_one(formula *f, const schedule_node *n, const loop_range *r, bool backwards, const loop_parts *part)
{
  poly beyond = { 0 };
  less_two(f, r, &beyond);
  bool good = good_for_one(f, n, r, backwards, part, &beyond);
  poly_clear(&beyond);
  return good;
}

/* Has it never three iterations, whatever values its parameters have? */
static bool lacks_middle(const formula *f, const loop_range *r)
{
  return f->iterations && (__int128)r->range.hi_span.most - r->range.lo_span.least <= 2 * (__int128)r->by_span.least;
}

/* first - middle + last is the sum for one iteration, and that is all there is to be said of a middle iteration that
 * does not exist. */
static bool no_middle(formula *f, const schedule_node *n, const loop_range *r, bool backwards, loop_parts *part)
{
  poly only = { 0 }, more = { 0 };
  bool ok = formula_body(f, n, r, ITERATION_ONLY, backwards, &only);
  poly_set(&more, -1);
  poly_add(&f->world, &more, &r->iterations, 1, 1);
  poly_copy(&part->middle, &part->first);
  poly_add(&f->world, &part->middle, &part->last, 1, 1);
  poly_add(&f->world, &part->middle, &only, -1, 1);
  poly_impose(&f->world, &part->middle, &more);
  poly_clear(&only);
  poly_clear(&more);
  return ok;
}

/* even: T - ceil(T/2) - 1; is_odd: 2 ceil(T/2) - T, which is 1 where T is odd and 0 where it is even. */
static void count_even(formula *f, const poly *iterations, poly *even, poly *is_odd)
{
  poly one = { 0 }, two = { 0 }, half = { 0 };
  poly_set(&one, 1);
  poly_set(&two, 2);
  poly_set_ceil(&f->world, &half, iterations, &two);
  poly_copy(even, iterations);
  poly_add(&f->world, even, &half, -1, 1);
  poly_add(&f->world, even, &one, -1, 1);
  poly_add(&f->world, is_odd, &half, 2, 1);
  poly_add(&f->world, is_odd, iterations, -1, 1);
  poly_clear(&one);
  poly_clear(&two);
  poly_clear(&half);
}

/* What even iterations have more than odd ones: the sum over iterations 2u in the middle, and of the last one where it
 * is even. */
static bool add_even(formula *f, int iteration, const loop_range *r, const loop_parts *part, poly *out)
{
  poly even = { 0 }, is_odd = { 0 }, more = { 0 }, twice = { 0 };
  if (part->even_middle.n == 0 && part->even_last.n == 0)
    return true;
  count_even(f, &r->iterations, &even, &is_odd);
  poly_set_atom(&twice, iteration);
  poly_add(&f->world, &twice, &twice, 1, 1);
  poly_copy(&more, &part->even_middle);
  poly_substitute(&f->world, &more, iteration, &twice);
  bool ok = poly_sum(&f->world, &more, &more, iteration, &even);
  poly_multiply(&f->world, &is_odd, &part->even_last);
  poly_add(&f->world, out, &more, 1, 1);
  poly_add(&f->world, out, &is_odd, 1, 1);
  poly_clear(&even);
  poly_clear(&is_odd);
  poly_clear(&more);
  poly_clear(&twice);
  return ok;
}

/* out += first + sum over the middle iterations + last */
static bool add_parts(formula *f, const schedule_node *n, const loop_range *r, const loop_parts *part, poly *out)
{
  poly between = { 0 }, sum = { 0 };
  int iteration = formula_iteration_atom(f, n->loop);
  less_two(f, r, &between);
  bool ok = poly_sum(&f->world, &sum, &part->middle, iteration, &between) && add_even(f, iteration, r, part, &sum);
  if (ok) {
    poly_add(&f->world, out, &part->first, 1, 1);
    poly_add(&f->world, out, &sum, 1, 1);
    poly_add(&f->world, out, &part->last, 1, 1);
  }
  poly_clear(&between);
  poly_clear(&sum);
  return ok ||
         formula_fail(f, n->line, "the iterations of loop %s do not add up to a closed form", f->s->loop[n->loop].name);
}

static bool parts_poly(formula *f, const schedule_node *n, const loop_range *r, bool backwards, loop_parts *part,
                       poly *out)
{
  bool lacking = lacks_middle(f, r);
  bool ok = formula_body(f, n, r, ITERATION_FIRST, backwards, &part->first) &&
            (lacking || formula_body(f, n, r, ITERATION_MIDDLE, backwards, &part->middle)) &&
            formula_body(f, n, r, ITERATION_LAST, backwards, &part->last);
  if (ok && formula_weaves(f, n, backwards))
    ok = even_less_odd(f, n, r, ITERATION_MIDDLE, &part->middle, &part->even_middle) &&
         even_less_odd(f, n, r, ITERATION_LAST, &part->last, &part->even_last);
  return ok && (lacking ? no_middle(f, n, r, backwards, part) : check_one(f, n, r, backwards, part)) &&
         add_parts(f, n, r, part, out);
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
    if (f->kind[l].only && poly_equal(&f->kind[l].iterations, &r->iterations))
      return true;
  return poly_constant(&r->iterations, &c) && c == 1;
}

/* One iteration here, or two? */
static bool has_few(const formula *f, const loop_range *r, int64_t *iterations)
{
  return formula_at_hand(f) && !f->world.failed && formula_value_here(f, &r->iterations, iterations) &&
         *iterations >= 1 && *iterations <= 2;
}

/* So many, and nothing said of more. */
static bool few_iterations(formula *f, const schedule_node *n, const loop_range *r, int64_t iterations, bool backwards,
                           poly *out)
{
  poly last = { 0 };
  formula_grant_equal(f, &r->iterations, iterations);
  bool ok = formula_body(f, n, r, iterations == 1 ? ITERATION_ONLY : ITERATION_FIRST, backwards, out) &&
            (iterations == 1 || formula_body(f, n, r, ITERATION_LAST, backwards, &last));
  poly_add(&f->world, out, &last, 1, 1);
  poly_clear(&last);
  return ok;
}

static bool all_iterations(formula *f, const schedule_node *n, const loop_range *r, bool backwards, loop_parts *part,
                           poly *out)
{
  formula_said so_far = formula_so_far(f);
  int64_t iterations;
  if (iterations_once(f, r))
    return formula_body(f, n, r, ITERATION_ONLY, backwards, out);
  if (parts_poly(f, n, r, backwards, part, out))
    return true;
  if (!has_few(f, r, &iterations))
    return false;
  formula_unsay(f, so_far);
  return few_iterations(f, n, r, iterations, backwards, out);
}

static bool iterations_poly(formula *f, const schedule_node *n, const loop_range *r, bool backwards, poly *out)
{
  loop_parts part = { 0 };
  bool ok = r->in_pieces ? formula_in_pieces(f, n, r, backwards, out) : all_iterations(f, n, r, backwards, &part, out);
  parts_clear(&part);
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
  if (ok && !poly_equal(out, &back))
    ok = formula_fail(f, n->line, "loop %s counts differently to and fro", l->name);
  poly_clear(&back);
  return ok;
}

static bool add_iterations(formula *f, const schedule_node *n, const loop_range *r, poly *total)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  poly sum = { 0 };
  bool ok = l->snake ? snake_iterations(f, n, r, &sum) : iterations_poly(f, n, r, l->reversed, &sum);
  if (ok)
    poly_add(&f->world, total, &sum, 1, 1);
  poly_clear(&sum);
  return ok;
}

/* Are there at least so many values, whatever they are? */
static bool is_long(formula *f, const loop_range *r, int64_t least)
{
  poly more = { 0 }, by = { 0 };
  poly_set(&by, least);
  poly_copy(&more, &r->length);
  poly_add(&f->world, &more, &by, -1, 1);
  bool good = formula_not_negative(f, &more);
  poly_clear(&more);
  poly_clear(&by);
  return good;
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
    return formula_is_most(f, &r->range.hi, &r->range.lo);
  snprintf(what, sizeof what, "loop %s has no iterations", l->name);
  formula_grant(f, what);
  return true;
}

/* It has iterations here; is it said, or known, that it always has? */
static bool has_iterations(formula *f, const loop_range *r)
{
  poly next = { 0 }, one = { 0 };
  poly_set(&one, 1);
  poly_copy(&next, &r->range.lo);
  poly_add(&f->world, &next, &one, 1, 1);
  bool has = formula_is_most(f, &next, &r->range.hi);
  poly_clear(&next);
  poly_clear(&one);
  return has;
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

/* The sum is right when the loop has iterations; is it also 0 when it has none? */
static bool none_for_none(formula *f, const loop_range *r, const poly *sum)
{
  poly p = { 0 };
  poly_copy(&p, sum);
  poly_impose(&f->world, &p, &r->iterations);
  bool good = p.n == 0;
  poly_clear(&p);
  return good;
}

/* The loop's variable as the first of its values, of which nothing else is said. */
static void set_lowest(formula *f, int loop, const loop_range *r)
{
  iteration_kind *k = &f->kind[loop];
  poly_copy(&k->lo, &r->range.lo);
  poly_copy(&k->least, &r->range.lo);
  k->open = k->running = k->only = false;
  f->span[f->s->loop[loop].slot + SCHEDULE_LO] = r->range.lo_span;
}

static bool add_boxes(formula *f, const schedule_node *n, const loop_range *r, course c, poly *sum)
{
  formula_spread over = { n->loop, &r->range.hi, &r->length, r->range.hi_span };
  poly boxes = { 0 };
  set_lowest(f, n->loop, r);
  bool ok = (c == RUNS || (c == PERHAPS && formula_at_hand(f))) && !f->world.failed &&
            formula_add_spread(f, n, &over, &boxes);
  poly_add(&f->world, sum, &boxes, 1, 1);
  poly_clear(&boxes);
  return ok;
}

typedef enum { BOX_BY_BOX, ITERATION_BY_ITERATION, IN_PIECES, WAYS } way;

static bool add_in(formula *f, const schedule_node *n, loop_range *r, course c, way w, poly *sum)
{
  poly_set(sum, 0);
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
  while (ok && f->wanted.n > wanted)
    poly_clear(&f->wanted.p[--f->wanted.n]);
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
  if (f->iterations && f->iterations->listed[n->loop])
    return formula_add_listed(f, n, total);
  loop_range r = { 0 };
  poly sum = { 0 };
  course c = formula_range_of(f, &f->s->loop[n->loop], &r) ? runs(f, n, &r) : UNKNOWN;
  bool ok = c != UNKNOWN && (c == NONE || add_in_some_way(f, n, &r, c, &sum));
  if (ok && (c == UNSURE || (c == PERHAPS && !none_for_none(f, &r, &sum) && !has_some(f, &r))))
    ok = formula_fail(f, n->line, "loop %s has no iterations in some iterations of the loops around it",
                      f->s->loop[n->loop].name);
  poly_add(&f->world, total, &sum, 1, 1);
  formula_range_clear(&r);
  poly_clear(&sum);
  return ok;
}

/* Is a block no longer than the range?  A number for the length cuts no box on a slant: nothing is gained by assuming
 * it. */
static bool has_block(formula *f, const loop_range *r)
{
  poly beyond = { 0 };
  int64_t number;
  poly_copy(&beyond, &r->length);
  poly_add(&f->world, &beyond, &r->by, -1, 1);
  bool has = formula_not_negative(f, &beyond) ||
             (!poly_constant(&r->length, &number) && formula_assume(f, &r->length, &r->by));
  poly_clear(&beyond);
  return has;
}

/* lo, and at most `by` further: what the first iteration is whatever the number of iterations. */
static void set_first(formula *f, int loop, const loop_range *r)
{
  iteration_kind *k = &f->kind[loop];
  span *s = f->span + f->s->loop[loop].slot;
  int64_t shortest = r->range.hi_span.least - r->range.lo_span.most;
  bool over = r->by_span.most < shortest, only = r->by_span.least >= r->range.hi_span.most - r->range.lo_span.least;
  poly_copy(&k->lo, &r->range.lo);
  poly_copy(&k->least, &k->lo);
  if (r->by_span.most <= shortest || has_block(f, r))
    poly_copy(&k->len, &r->by);
  else
    poly_set_min(&f->world, &k->len, &r->by, &r->length);
  poly_copy(&k->hi, &k->lo);
  poly_add(&f->world, &k->hi, &k->len, 1, 1);
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

static bool assume_least(formula *f, const poly *p, int64_t least)
{
  poly few = { 0 };
  poly_set(&few, least);
  bool ok = formula_assume(f, p, &few);
  poly_clear(&few);
  return ok;
}

/* The iteration before the last, whose block is whole; it is not the first. */
static bool set_late(formula *f, int loop, const loop_range *r)
{
  iteration_kind *k = &f->kind[loop];
  poly two = { 0 };
  if (!assume_least(f, &r->iterations, 3))
    return false;
  formula_set_kind(f, loop, r, ITERATION_MIDDLE);
  poly_set(&two, 2);
  poly_copy(&k->lo, &r->iterations);
  poly_add(&f->world, &k->lo, &two, -1, 1);
  poly_multiply(&f->world, &k->lo, &r->by);
  poly_add(&f->world, &k->lo, &r->range.lo, 1, 1);
  poly_copy(&k->least, &k->lo);
  poly_copy(&k->hi, &k->lo);
  poly_add(&f->world, &k->hi, &r->by, 1, 1);
  formula_set_after(f, k, r, true);
  k->middle = false;
  k->late = true;
  poly_clear(&two);
  formula_set_ends(f, loop, false, false);
  return true;
}

static bool set_last(formula *f, int loop, const loop_range *r)
{
  if (!assume_least(f, &r->iterations, 2))
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
  if ((c == PERHAPS || c == UNSURE) && !assume_least(f, &r.length, 1))
    c = UNKNOWN;
  if (c > NONE && !set_iteration(f, n->loop, &r, which))
    c = UNKNOWN;
  formula_range_clear(&r);
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
    poly_copy(&r.range.hi, &f->kind[around].lo);
    poly_copy(&r.length, &r.range.hi);
    poly_copy(&r.iterations, &r.range.hi);
    ok = r.range.hi_span.least > 0 && add_iterations(f, n, &r, total);
  }
  formula_range_clear(&r);
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

void poly_list_add(poly_list *l, const poly *p)
{
  for (size_t i = 0; i < l->n; i++)
    if (poly_equal(&l->p[i], p))
      return;
  l->p = mem_room(l->p, l->n, &l->room, sizeof *l->p);
  l->p[l->n] = (poly){ 0 };
  poly_copy(&l->p[l->n++], p);
}

void poly_list_clear(poly_list *l)
{
  for (size_t i = 0; i < l->n; i++)
    poly_clear(&l->p[i]);
  mem_free(l->p);
  *l = (poly_list){ 0 };
}

bool formula_assume(formula *f, const poly *big, const poly *small)
{
  poly more = { 0 };
  int64_t value;
  if (!f->assumed)
    return false;
  poly_copy(&more, big);
  poly_add(&f->world, &more, small, -1, 1);
  bool number = poly_constant(&more, &value), ok = number ? value >= 0 : !formula_reads_iterations(f, &more, -1);
  if (ok && !number)
    poly_list_add(f->assumed, &more);
  poly_clear(&more);
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
  for (int i = 0; i < f->s->loops; i++) {
    poly_clear(&f->kind[i].lo);
    poly_clear(&f->kind[i].hi);
    poly_clear(&f->kind[i].len);
    poly_clear(&f->kind[i].least);
    poly_clear(&f->kind[i].after);
    poly_clear(&f->kind[i].next);
    poly_clear(&f->kind[i].iterations);
  }
  mem_free(f->slot);
  mem_free(f->span);
  mem_free(f->kind);
  mem_free(f->alias);
  mem_free(f->number);
  formula_memo_free(f->memo);
  formula_iterations_free(f->iterations);
  poly_list_clear(&f->granted);
  poly_list_clear(&f->wanted);
  poly_world_clear(&f->world);
}
