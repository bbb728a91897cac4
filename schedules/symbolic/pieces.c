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

void formula_want(formula *f, poly more, int64_t by, poly less)
{
  if (formula_at_hand(f))
    poly_list_add(&f->wanted, poly_shift(&f->world, poly_sub(&f->world, more, less), by));
}

/* The iteration at which e = c t + r changes its sign, counted from the first of the loop; `by` is what c is here. */
static poly iteration_of_change(formula *f, poly e, int iteration, poly c, int64_t by, const loop_piece *of)
{
  poly_world *w = &f->world;
  poly r = poly_substitute(w, e, iteration, (poly){ 0 });
  poly at = by > 0 ? poly_ceil(w, poly_scale(w, r, -1, 1), c)
                   : poly_ceil(w, poly_shift(w, r, 1), poly_scale(w, c, -1, 1));
  return poly_shift(w, poly_add(w, at, of->from), -1); /* the piece begins with its iteration 1 */
}

/* Does e change its sign inside the piece?  Then where. */
static bool changes(formula *f, poly e, int iteration, const loop_piece *of, poly *at, int64_t *here)
{
  poly c;
  int64_t by;
  if (!poly_uses(&f->world, e, iteration) || formula_reads_iterations(f, e, iteration) ||
      !formula_is_linear(f, e, iteration, &c) || !formula_value_here(f, c, &by) || by == 0)
    return false;
  *at = iteration_of_change(f, e, iteration, c, by, of);
  return !f->world.failed && formula_value_here(f, *at, here) && *here > of->from_here && *here < of->to_here;
}

/* Of all that is wanted, the first that cuts the piece. */
static bool find_cut(formula *f, int iteration, const loop_piece *of, poly *at, int64_t *here)
{
  bool found = false;
  for (size_t i = 0; i < f->wanted.n && !found; i++)
    found = changes(f, f->wanted.p[i], iteration, of, at, here);
  return found;
}

/* A sum over iterations, of which there may be none: that there are some is not known by what is known of each. */
static bool sum_piece(formula *f, int iteration, const loop_piece *p, poly body, poly *out)
{
  poly iterations = poly_sub(&f->world, p->to, p->from), sum;
  bool ok = formula_require(f, iterations) && poly_sum(&f->world, body, iteration, iterations, &sum);
  if (ok)
    *out = poly_add(&f->world, *out, sum);
  return ok;
}

/* False: it may be known what is wanted to cut it. */
static bool add_piece(formula *f, const schedule_node *n, const loop_range *r, bool backwards, const loop_piece *p,
                      poly *out)
{
  loop_range part = *r;
  poly body = { 0 };
  part.part = p;
  bool ok = formula_body(f, n, &part, ITERATION_MIDDLE, backwards, &body);
  formula_leave(f, n);
  return ok && sum_piece(f, formula_iteration_atom(f, n->loop), p, body, out);
}

/* p[0] becomes its iterations from `at` on, p[1] those before. */
static void cut_piece(loop_piece *p, poly at, int64_t here)
{
  p[1] = (loop_piece){ p[0].from, at, p[0].from_here, here };
  p[0].from = at;
  p[0].from_here = here;
}

/* Cut the last of the pieces that are left in two. */
static bool cut_last(formula *f, const schedule_node *n, loop_piece *p, int *left)
{
  poly at;
  int64_t here;
  bool cut =
      *left < PIECES && !f->world.failed && find_cut(f, formula_iteration_atom(f, n->loop), &p[*left - 1], &at, &here);
  if (cut) {
    cut_piece(&p[(*left)++ - 1], at, here);
    poly_list_clear(&f->wanted);
  }
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
  *p = (loop_piece){ poly_number(&f->world, 1), poly_shift(&f->world, r->iterations, -1), .from_here = 1 };
  return formula_value_here(f, p->to, &p->to_here) && p->to_here > 1;
}

bool formula_in_pieces(formula *f, const schedule_node *n, const loop_range *r, bool backwards, poly *out)
{
  loop_piece p[PIECES];
  return !formula_weaves(f, n, backwards) && whole_middle(f, r, &p[0]) && add_middle(f, n, r, backwards, p, out) &&
         formula_body(f, n, r, ITERATION_FIRST, backwards, out) &&
         formula_body(f, n, r, ITERATION_LAST, backwards, out);
}
