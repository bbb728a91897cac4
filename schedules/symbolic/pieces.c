/* schedules/symbolic/pieces.c -- a loop whose iterations in the middle are of several kinds, one after the other.

   Where a box leaves its array in some iterations only, or a condition goes both ways, an end of the box, or a side of
   the comparison, passes a bound as the iteration grows: some e, linear in the iteration t of one loop, is negative up
   to an iteration and not from there on, or the other way round.  With e = c t + r that is the iteration ceil(-r/c)
   where c > 0, and ceil((r + 1)/-c) where c < 0.  There the iterations are cut, and each piece is summed up for itself:
   iterations from .. to - 1 are those in the middle of a loop of to - from + 2 iterations that begins `from` - 1
   iterations later. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/symbolic/loop.h"

enum { PIECES = 8 };             /* at most so many are left at a time */

void formula_want(formula *f, const poly *more, int64_t by, const poly *less)
{
  poly e = { 0 }, shift = { 0 };
  if (!formula_at_hand(f))
    return;
  poly_copy(&e, more);
  poly_set(&shift, by);
  poly_add(&f->world, &e, less, -1, 1);
  poly_add(&f->world, &e, &shift, 1, 1);
  poly_list_add(&f->wanted, &e);
  poly_clear(&e);
  poly_clear(&shift);
}

/* The iteration at which e = c t + r changes its sign, counted from the first of the loop; `by` is what c is here. */
static void iteration_of_change(formula *f, const poly *e, int iteration, const poly *c, int64_t by,
                                const loop_piece *of, poly *at)
{
  poly r = { 0 }, zero = { 0 }, step = { 0 }, one = { 0 };
  poly_set(&one, 1);
  poly_copy(&r, e);
  poly_substitute(&f->world, &r, iteration, &zero);
  poly_add(&f->world, &step, c, by > 0 ? 1 : -1, 1);
  if (by > 0)
    poly_add(&f->world, &r, &r, -2, 1);
  else
    poly_add(&f->world, &r, &one, 1, 1);
  poly_set_ceil(&f->world, at, &r, &step);
  poly_add(&f->world, at, &of->from, 1, 1); /* the piece begins with its iteration 1 */
  poly_add(&f->world, at, &one, -1, 1);
  poly_clear(&r);
  poly_clear(&zero);
  poly_clear(&step);
  poly_clear(&one);
}

/* Does e change its sign inside the piece?  Then where. */
static bool changes(formula *f, const poly *e, int iteration, const loop_piece *of, poly *at, int64_t *here)
{
  poly c = { 0 };
  int64_t by;
  bool ok = poly_uses(&f->world, e, iteration) && !formula_reads_iterations(f, e, iteration) &&
            formula_is_linear(f, e, iteration, &c) && formula_value_here(f, &c, &by) && by != 0;
  if (ok) {
    iteration_of_change(f, e, iteration, &c, by, of, at);
    ok = !f->world.failed && formula_value_here(f, at, here) && *here > of->from_here && *here < of->to_here;
  }
  poly_clear(&c);
  return ok;
}

/* Of all that is wanted, the first that cuts the piece. */
static bool find_cut(formula *f, int iteration, const loop_piece *of, poly *at, int64_t *here)
{
  bool found = false;
  for (size_t i = 0; i < f->wanted.n && !found; i++)
    found = changes(f, &f->wanted.p[i], iteration, of, at, here);
  return found;
}

/* A sum over iterations, of which there may be none: that there are some is not known by what is known of each. */
static bool sum_piece(formula *f, int iteration, const loop_piece *p, const poly *body, poly *out)
{
  poly iterations = { 0 }, sum = { 0 };
  poly_copy(&iterations, &p->to);
  poly_add(&f->world, &iterations, &p->from, -1, 1);
  bool ok = formula_require(f, &iterations) && poly_sum(&f->world, &sum, body, iteration, &iterations);
  poly_add(&f->world, out, &sum, 1, 1);
  poly_clear(&iterations);
  poly_clear(&sum);
  return ok;
}

/* False: it may be known what is wanted to cut it. */
static bool add_piece(formula *f, const schedule_node *n, const loop_range *r, bool backwards, const loop_piece *p,
                      poly *out)
{
  loop_range part = *r; /* borrowed */
  poly body = { 0 };
  part.part = p;
  bool ok = formula_body(f, n, &part, ITERATION_MIDDLE, backwards, &body);
  formula_leave(f, n);
  ok = ok && sum_piece(f, formula_iteration_atom(f, n->loop), p, &body, out);
  poly_clear(&body);
  return ok;
}

/* p[0] becomes its iterations from `at` on, p[1] those before. */
static void cut_piece(loop_piece *p, const poly *at, int64_t here)
{
  poly_copy(&p[1].from, &p[0].from);
  poly_copy(&p[1].to, at);
  poly_copy(&p[0].from, at);
  p[1].from_here = p[0].from_here;
  p[1].to_here = p[0].from_here = here;
}

/* Cut the last of the pieces that are left in two. */
static bool cut_last(formula *f, const schedule_node *n, loop_piece *p, int *left)
{
  poly at = { 0 };
  int64_t here;
  bool cut =
      *left < PIECES && !f->world.failed && find_cut(f, formula_iteration_atom(f, n->loop), &p[*left - 1], &at, &here);
  if (cut) {
    cut_piece(&p[(*left)++ - 1], &at, here);
    poly_list_clear(&f->wanted);
  }
  poly_clear(&at);
  return cut;
}

static bool add_middle(formula *f, const schedule_node *n, const loop_range *r, bool backwards, loop_piece *p,
                       poly *out)
{
  int left = 1;
  formula_said so_far = formula_so_far(f);
  bool ok = cut_last(f, n, p, &left);
  while (left > 0 && ok) {
    formula_unsay(f, (formula_said){ so_far.reason, f->holds->n, f->granted.n });
    so_far = formula_so_far(f);
    if (add_piece(f, n, r, backwards, &p[left - 1], out))
      left--;
    else if ((ok = cut_last(f, n, p, &left)))
      formula_unsay(f, so_far);
  }
  return ok;
}

/* 1 .. T - 2, and there are some. */
static bool whole_middle(formula *f, const loop_range *r, loop_piece *p)
{
  poly one = { 0 };
  poly_set(&one, 1);
  poly_copy(&p->from, &one);
  poly_copy(&p->to, &r->iterations);
  poly_add(&f->world, &p->to, &one, -1, 1);
  p->from_here = 1;
  poly_clear(&one);
  return formula_value_here(f, &p->to, &p->to_here) && p->to_here > 1;
}

bool formula_in_pieces(formula *f, const schedule_node *n, const loop_range *r, bool backwards, poly *out)
{
  loop_piece p[PIECES] = { { .from_here = 0 } };
  bool ok = !formula_weaves(f, n, backwards) && whole_middle(f, r, &p[0]) && add_middle(f, n, r, backwards, p, out) &&
            formula_body(f, n, r, ITERATION_FIRST, backwards, out) &&
            formula_body(f, n, r, ITERATION_LAST, backwards, out);
  for (int i = 0; i < PIECES; i++) {
    poly_clear(&p[i].from);
    poly_clear(&p[i].to);
  }
  return ok;
}
