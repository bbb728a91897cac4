/* statement.c -- a statement alone: its columns, and the candidates that are kept. */
#include "bounds/affine/find/search.h"
#include <math.h>

/* The least value that is kept of such candidates; 0 while there is room. */
static int worst_kept(const search *s, int array, bool operands, double *value)
{
  int same = 0, worst = -1;
  for (int i = 0; i < s->candidates; i++)
    if (s->pool[i].group.statement[0].array == array && s->pool[i].operands == operands) {
      same++;
      if (worst < 0 || s->pool[i].value < s->pool[worst].value)
        worst = i;
    }
  *value = same < KEPT ? 0 : s->pool[worst].value;
  return same < KEPT ? -1 : worst;
}

static bool keep_one(search *s, const claim_group *g, bool operands)
{
  affine_claim c;
  mpz_t value;
  double least;
  int at = worst_kept(s, g->statement[0].array, operands, &least);
  find_begin(s, &c);
  c.groups = 1;
  c.group[0] = *g;
  mpz_init(value);
  bool good = find_worth(s, &c, value);
  if (good && mpz_cmp_d(value, least) > 0 && (at >= 0 || s->candidates < POOL))
    s->pool[at >= 0 ? at : s->candidates++] = (candidate){ c.group[0], mpz_get_d(value), operands };
  mpz_clear(value);
  return good;
}

bool find_has_kind(const claim_group *g, item_kind kind)
{
  for (int i = 0; i < g->statement[0].items; i++)
    for (int w = 0; w < g->statement[0].item[i].ways; w++)
      if (g->statement[0].item[i].way[w].kind == kind)
        return true;
  return false;
}

int64_t find_tail(const search *s, int i)
{
  static const double of_root[TAILS] = { 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 12, 20 }; /* of sqrt(M) */
  return 2 + (int64_t)(of_root[i] * sqrt((double)s->m));
}

void find_keep(search *s, const claim_group *g, bool operands)
{
  claim_group with = *g;
  bool tails = find_has_kind(g, ITEM_TAIL), good = true;
  for (int i = OWN_TAILS; i < (tails ? OWN_TAILS_END : OWN_TAILS + 1) && good; i++) {
    with.tail = tails ? find_tail(s, i) : 0;
    good = keep_one(s, &with, operands) || i > OWN_TAILS;
  }
}

/* Columns: an item joins that of an earlier one with which it may share words, but where few steps are in the way. */
static void choose_columns(search *s, statement_facts *t, claim_statement *of)
{
  for (int i = 0; i < of->items; i++)
    of->item[i].column = i;
  for (int i = 0; i < of->items; i++)
    for (int k = 0; k < i; k++) {
      int from = of->item[i].column, to = of->item[k].column;
      if (from == to || items_apart(t, i, t, k) || items_part(s->f, t, i, t, k))
        continue;
      for (int q = 0; q < of->items; q++)
        if (of->item[q].column == from)
          of->item[q].column = to;
    }
}

void find_try_statement(search *s, claim_group *g)
{
  text reason = { 0 };
  statement_facts t;
  mpz_t work;
  claim_statement *of = &g->statement[0];
  arena_clear(&s->f->scratch);
  mpz_init(work);
  if (statement_facts_of(s->f, of, &t, &reason)) {
    choose_columns(s, &t, of);
    if (steps_count(&t, work)) {
      double value = find_choose_powers(s, &t, of, mpz_get_d(work)), least;
      worst_kept(s, of->array, find_has_kind(g, ITEM_OPERAND), &least);
      if (value + s->ends > least)
        find_keep(s, g, find_has_kind(g, ITEM_OPERAND));
    }
  }
  mpz_clear(work);
  text_clear(&reason);
}

void find_try_pairs(search *s, const claim_group *like)
{
  claim_group g = *like;
  claim_statement *of = &g.statement[0];
  claim_item own = of->item[0];
  for (int i = 0; i + 1 < of->items; i++) {
    of->item[i] = of->item[i + 1];
    of->item[i].column = 0;
  }
  own.column = 1;
  of->item[of->items - 1] = own;
  g.pairs = (of->items - 1) / 2;
  g.den = 2;
  find_keep(s, &g, find_has_kind(&g, ITEM_OPERAND));
}
