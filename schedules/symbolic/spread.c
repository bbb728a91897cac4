/* schedules/symbolic/spread.c -- loads and stores of single values j of a loop, summed as one box (docs/counting.md,
   "The formula").

   The iterations of `for j in lo..hi { load A[j + e] }` move what a load of A[lo + e..hi + e] does, each element once:
   so it does not matter in which iterations the box leaves the array, as it does where iterations are summed.  What
   does not read j is moved in every iteration. */
#include "schedules/symbolic/internal.h"

/* e = j + what does not read j? */
static bool is_shift(const expr *e, int j)
{
  if (e->op == EXPR_SLOT)
    return e->slot == j;
  if (e->op == EXPR_SUB)
    return is_shift(e->arg[0], j) && !expr_uses(e->arg[1], j, j + 1);
  if (e->op != EXPR_ADD)
    return false;
  bool first = expr_uses(e->arg[0], j, j + 1), second = expr_uses(e->arg[1], j, j + 1);
  return first != second && is_shift(e->arg[second], j);
}

/* How many indices read the loop's variable, once as its value and a shift; -1: otherwise. */
static int shifted(const schedule_box *b, int j)
{
  int with = 0;
  for (int i = 0; i < b->indices; i++) {
    const schedule_index *x = &b->index[i];
    bool lo = x->lo && expr_uses(x->lo, j, j + SCHEDULE_LOOP_SLOTS),
         hi = x->hi && expr_uses(x->hi, j, j + SCHEDULE_LOOP_SLOTS);
    if (hi || (lo && (x->kind != CDAG_AT || expr_uses(x->lo, j + SCHEDULE_HI, j + SCHEDULE_LOOP_SLOTS) ||
                      !is_shift(x->lo, j))))
      return -1;
    with += lo;
  }
  return with <= 1 ? with : -1;
}

static bool good_body(const formula *f, const schedule_node *body, int j)
{
  for (int i = 0; i < body->children; i++) {
    const schedule_node *n = body->child[i];
    if (n->kind != SCHEDULE_MOVE && formula_matters(f, n))
      return false;
    for (int k = 0; k < n->boxes && formula_matters(f, n); k++)
      if (shifted(&n->box[k], j) < 0)
        return false;
  }
  return true;
}

static bool add_box(formula *f, const schedule_box *b, int j, const formula_spread *over, poly *total)
{
  poly volume;
  bool one = shifted(b, j) == 1;
  f->spread = one ? over : NULL;
  bool ok = formula_box_volume(f, b, &volume);
  f->spread = NULL;
  if (ok)
    *total = poly_add(&f->world, *total, one ? volume : poly_mul(&f->world, volume, over->length));
  return ok;
}

bool formula_add_spread(formula *f, const schedule_node *n, const formula_spread *over, poly *total)
{
  const schedule_loop *l = &f->s->loop[n->loop];
  const schedule_node *body = n->child[0];
  bool ok = !f->net && !f->spread && !f->s->g->graph && !l->blocked && good_body(f, body, l->slot);
  for (int i = 0; i < body->children && ok; i++)
    for (int k = 0; k < body->child[i]->boxes && ok && formula_matters(f, body->child[i]); k++)
      ok = add_box(f, &body->child[i]->box[k], l->slot, over, total);
  return ok;
}
