/* The shape of forward attention among the reduction statements: which operand is the value of a pair, which leaf of its tree is
   the row's and which the column's, which operand comes with the column. */
#include "base/num.h"
#include "bounds/shape_internal.h"

static bool words_meet(const cdag *g, int a, const cdag_box *x, int b, const cdag_box *y)
{
  return bound_boxes_meet(a, x, b, y, g->array[a].rank);
}

/* Each loop must be told by two of: the pair, the column operand, the chain.  Then H steps at p pairs with v words of the operand on
   z chains satisfy H^2 <= p v z (Loomis and Whitney; Finner 1992). */
static bool covered(const bound_statement *s, unsigned pair, unsigned operand)
{
  unsigned all = (1u << s->rank) - 1, keys = all & ~s->chain;
  return ((pair & operand) | (pair & keys) | (operand & keys)) == all;
}

/* An operand whose place comes from a table: its indices must speak of the pair or of the slice, never of both. */
static bool splits(const cdag *g, const bound_statement *s, const bound_operand *o, unsigned pair)
{
  const cdag_term *t = &g->array[s->array].term[o->term];
  if (!o->given)
    return true;
  for (int r = 0; r < g->array[o->array].rank; r++) {
    unsigned loops = 0;
    for (int q = 0; q < s->rank; q++)
      loops |= (unsigned)expr_uses(t->index[r].lo, g->params + q, g->params + q + 1) << q;
    if (loops & pair && loops & ~pair)
      return false;
  }
  return (o->given & pair & ~s->chain) == o->given;
}

/* The widths of the leaves that belong to the same setting as leaf i and share no word with any other kept one. */
static int64_t side_width(const cdag *g, const bound_operand *p, const bound_operand *v, int i, int other)
{
  int64_t width = 0;
  for (int k = i; k < p->leaves; k++) {
    const bound_leaf *l = &p->leaf[k];
    bool apart = l->loops == p->leaf[i].loops && l->given == p->leaf[i].given && k != other &&
                 !words_meet(g, l->array, &l->box, v->array, &v->box) &&
                 !words_meet(g, l->array, &l->box, p->leaf[other].array, &p->leaf[other].box);
    for (int m = i; m < k; m++)
      apart = apart && !words_meet(g, l->array, &l->box, p->leaf[m].array, &p->leaf[m].box);
    if (apart && !num_add(width, l->width, &width))
      return 0;
  }
  return width;
}

/* Leaf r as the row's, leaf c as the column's: every pair must be a row and a column. */
static bool sides(const cdag *g, const bound_statement *s, bound_attention *a, int r, int c)
{
  const bound_operand *p = &s->operand[a->p], *v = &s->operand[a->v];
  const bound_leaf *row = &p->leaf[r], *column = &p->leaf[c];
  if ((row->loops | column->loops) != p->loops || row->loops == p->loops || column->loops == p->loops || row->given ||
      (column->given & row->loops) != column->given ||
      words_meet(g, row->array, &row->box, column->array, &column->box))
    return false;
  a->rows = row->loops;
  a->columns = column->loops;
  a->dk_row = side_width(g, p, v, r, c);
  a->dk_column = side_width(g, p, v, c, r);
  return a->dk_row > 0 && a->dk_column > 0;
}

static bool try_operands(const cdag *g, bound_attention *a)
{
  const bound_statement *s = &a->z;
  const bound_operand *p = &s->operand[a->p], *v = &s->operand[a->v];
  if (p->input || !p->always || p->leaves < 2 || p->given || !v->input || !v->always ||
      !covered(s, p->loops, v->loops) || !splits(g, s, v, p->loops))
    return false;
  for (int r = 0; r < p->leaves; r++)
    for (int c = 0; c < p->leaves; c++)
      if (r != c && sides(g, s, a, r, c))
        return true;
  return false;
}

bool bound_attention_find(const cdag *g, const bound_live *l, int array, bound_attention *a)
{
  *a = (bound_attention){ .p = -1 };
  if (!bound_statement_find(g, l, array, &a->z))
    return false;
  for (a->p = 0; a->p < a->z.operands; a->p++)
    for (a->v = 0; a->v < a->z.operands; a->v++)
      if (a->p != a->v && try_operands(g, a)) {
        const bound_operand *p = &a->z.operand[a->p];
        a->slices = ((1u << a->z.rank) - 1) & ~p->loops;
        a->dv = 1;
        for (int q = 0; q < a->z.rank; q++)
          if (a->slices >> q & 1 && !num_mul(a->dv, a->z.extent[q], &a->dv))
            return false;
        a->pairs = p->words;
        return true;
      }
  return false;
}
