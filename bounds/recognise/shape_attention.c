/* The shape of forward attention among the reduction statements: which operand is the value of a pair, which comes with
   the column.  Whether they are is for the reader to say (bounds/check/reading/shape.h). */
#include "base/num.h"
#include "bounds/recognise/shape.h"

/* Steps a pair takes part in, at most; false when they are too many for a number. */
static bool slices_of(const bound_statement *s, const bound_operand *pair, int64_t *n)
{
  *n = 1;
  for (int r = 0; r < s->rank; r++)
    if (!(pair->loops >> r & 1) && !num_mul(*n, s->extent[r], n))
      return false;
  return true;
}

bool bound_attention_of(const cdag *g, const bound_statement *s, bound_attention *a)
{
  *a = (bound_attention){ .z = *s };
  for (a->p = 0; a->p < a->z.operands; a->p++)
    for (a->v = 0; a->v < a->z.operands; a->v++) {
      const bound_operand *p = &a->z.operand[a->p];
      if (a->p == a->v || !checker_pair_sides(g, &a->z, p, &a->z.operand[a->v], &a->sides, NULL) ||
          a->sides.words[0] == 0)
        continue;
      a->pairs = p->words;
      return slices_of(&a->z, p, &a->dv);
    }
  return false;
}

bool bound_attention_find(const cdag *g, const bound_live *l, int array, bound_attention *a)
{
  bound_statement s;
  return bound_statement_find(g, l, array, &s) && bound_attention_of(g, &s, a);
}

bool bound_scores_find(const cdag *g, const bound_live *l, const bound_attention *a, bound_statement *s)
{
  const bound_operand *p = &a->z.operand[a->p], *v = &a->z.operand[a->v];
  for (int k = 0; k < g->arrays && k < 64 && a->sides.words[0] == a->sides.words[1]; k++)
    if (p->tree >> k & 1 && bound_statement_find(g, l, k, s) &&
        checker_are_scores(g, l->whole, s, p, v, a->pairs, a->sides.words[0]))
      return true;
  return false;
}
