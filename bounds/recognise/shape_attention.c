/* The shape of forward attention among the reduction statements: which operand is the value of a pair, which leaf of
   its tree is the row's and which the column's, which operand comes with the column. */
#include "base/num.h"
#include "bounds/recognise/shape_internal.h"

static bool words_meet(const cdag *g, int a, const cdag_box *x, int b, const cdag_box *y)
{
  return bound_boxes_meet(a, x, b, y, g->array[a].rank);
}

/* Each loop must be told by two of: the pair, the column operand, the chain.  Then H steps at p pairs with v words of
   the operand on z chains satisfy H^2 <= p v z (Loomis and Whitney; Finner 1992). */
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
    unsigned loops = expr_slots(t->index[r].lo, g->params, s->rank);
    if (loops & pair && loops & ~pair)
      return false;
  }
  return (o->given & pair & ~s->chain) == o->given;
}

/* The widths of the leaves that belong to the same setting as leaf i and share no word with leaves of other settings,
   with one another, or with what chains start from. */
static int64_t side_width(const cdag *g, const bound_operand *p, const bound_operand *v, int seed, int i)
{
  int64_t width = 0;
  for (int k = i; k < p->leaves; k++) {
    const bound_leaf *l = &p->leaf[k];
    bool apart = l->loops == p->leaf[i].loops && l->given == p->leaf[i].given && l->array != seed &&
                 !words_meet(g, l->array, &l->box, v->array, &v->box);
    for (int m = 0; m < p->leaves; m++)
      if (m < k || p->leaf[m].loops != l->loops)
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
  int seed = s->seed < 0 ? -1 : g->array[s->array].term[s->seed].array;
  a->dk_row = side_width(g, p, v, seed, r);
  a->dk_column = side_width(g, p, v, seed, c);
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

/* ---- the scores ---- */

static bool has_leaf(const bound_operand *p, const bound_operand *o, int64_t width)
{
  for (int i = 0; i < p->leaves; i++)
    if (p->leaf[i].array == o->array && p->leaf[i].width == width)
      return true;
  return false;
}

/* Steps of a score at some pairs with words of x and of y: y's words may be the same where loops differ that x and the
 * chain both tell, no others. */
static bool score_operands(const cdag *g, const bound_statement *s, const bound_operand *pair, int column)
{
  unsigned keys = ((1u << s->rank) - 1) & ~s->chain;
  for (int a = 0; a < s->operands; a++)
    for (int b = a + 1; b < s->operands; b++) {
      const bound_operand *x = &s->operand[a], *y = &s->operand[b];
      if (x->input && y->input && x->always && y->always && !x->given && x->array != y->array && x->array != column &&
          y->array != column && ((x->loops & y->loops) | (x->loops & keys) | (y->loops & keys)) == (keys | s->chain) &&
          splits(g, s, y, keys) &&
          shape_tells_within(g, s->array, &g->array[s->array].term[y->term], x->loops & keys) &&
          has_leaf(pair, x, s->extent[__builtin_ctz(s->chain)]) &&
          has_leaf(pair, y, s->extent[__builtin_ctz(s->chain)]))
        return true;
    }
  return false;
}

bool bound_scores_find(const cdag *g, const bound_live *l, const bound_attention *a, bound_statement *s)
{
  const bound_operand *p = &a->z.operand[a->p];
  for (int k = 0; k < g->arrays && k < 64; k++)
    if (p->tree & ~p->partial & (uint64_t)1 << k && bound_statement_find(g, l, k, s) &&
        __builtin_popcount(s->chain) == 1) {
      int64_t length = s->extent[__builtin_ctz(s->chain)];
      if (length == a->dk_row && length == a->dk_column && s->chains == a->pairs && s->seed < 0 &&
          s->steps == s->chains * (uint64_t)length && score_operands(g, s, p, a->z.operand[a->v].array))
        return true;
    }
  return false;
}
