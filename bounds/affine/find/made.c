/* made.c -- operands that other statements make, and chains that go on. */
#include "bounds/affine/find/search.h"

/* The best candidate of the array with its own word and two needs. */
static const claim_statement *maker_of(const search *s, int array)
{
  for (int i = 0; i < s->candidates; i++) {
    const claim_group *g = &s->pool[i].group;
    if (g->statement[0].array == array && g->statements == 1 && !g->tail && !g->pairs && g->statement[0].items >= 3 &&
        g->statement[0].item[0].way[0].kind == ITEM_OWN)
      return &g->statement[0];
  }
  return NULL;
}

/* Do they read words of one component? */
static bool share_words(const search *s, const claim_statement *x, const claim_statement *y)
{
  const normal_form *f = &s->f->form;
  for (int i = 0; i < x->items; i++)
    for (int k = 0; k < y->items; k++) {
      const claim_way *a = &x->item[i].way[0], *b = &y->item[k].way[0];
      if (a->kind == ITEM_READ && b->kind == ITEM_READ &&
          s->f->words.component[f->access[a->access]->to] == s->f->words.component[f->access[b->access]->to])
        return true;
    }
  return false;
}

/* What is read as an operand is made. */
static void operands_made(claim_statement *of)
{
  for (int i = 0; i < of->items; i++)
    for (int w = 0; w < of->item[i].ways; w++)
      if (of->item[i].way[w].kind == ITEM_OPERAND)
        of->item[i].way[w].kind = ITEM_MADE;
}

/* A need that is made, of a statement of the group; the statement that makes it. */
typedef struct {
  int statement, item; /* -1: none */
  const claim_statement *maker;
} made_need;

/* Put the statement in the group: its columns are new, or, turned round so often, those of one that shares words with
   it; or those of the one that it makes something for, which reads it in the column of its own words. */
static bool place(const search *s, claim_group *g, const claim_statement *more, int turned, const made_need *joined)
{
  int like = joined ? joined->statement : -1, next = 0, columns = find_columns_of(more), to[CLAIM_COLUMNS] = { 0 };
  int of[CLAIM_COLUMNS], n = 0;
  uint32_t seen = 0;
  if (g->statements == CLAIM_STATEMENTS || columns > 4)
    return false;
  for (int k = g->statements - 1; k >= 0; k--) {
    like = !joined && share_words(s, &g->statement[k], more) ? k : like;
    next = find_columns_of(&g->statement[k]) > next ? find_columns_of(&g->statement[k]) : next;
  }
  for (int i = 0; like >= 0 && i < g->statement[like].items; i++)
    if (!(seen >> g->statement[like].item[i].column & 1)) {
      of[n++] = g->statement[like].item[i].column;
      seen |= 1u << of[n - 1];
    }
  if ((like < 0 && (turned || next + columns > CLAIM_COLUMNS)) || (like >= 0 && n != columns))
    return false;
  for (int k = 0, left = turned; k < columns; k++) { /* the permutation of this number */
    int at = left % (columns - k);
    left /= columns - k;
    to[k] = like < 0 ? next + k : of[at];
    for (int q = at; q + 1 < n; q++)
      of[q] = of[q + 1];
    if (k + 1 == columns && left > 0)
      return false;
  }
  claim_statement *is = &g->statement[g->statements++];
  *is = *more;
  operands_made(is);
  find_rename_columns(is, to);
  return !joined || is->item[0].column == g->statement[joined->statement].item[joined->item].column;
}

/* The array of the chain that what is read ends: its own, or that of what the word goes on to. */
static int chain_of(const search *s, int array)
{
  const normal_form *f = &s->f->form;
  if (maker_of(s, array))
    return array;
  for (int i = 0; i < s->owns; i++)
    if (f->access[s->own[i]]->from == array && maker_of(s, f->access[s->own[i]]->to))
      return f->access[s->own[i]]->to;
  return -1;
}

/* The first need that is made by a statement that is not there; false when one is made by none. */
static bool missing(const search *s, const claim_group *g, made_need *n)
{
  *n = (made_need){ -1, -1, NULL };
  for (int k = 0; k < g->statements; k++)
    for (int i = 0; i < g->statement[k].items; i++)
      for (int w = 0; w < g->statement[k].item[i].ways; w++) {
        const claim_way *way = &g->statement[k].item[i].way[w];
        int by = way->kind == ITEM_MADE ? chain_of(s, s->f->form.access[way->access]->to) : -1;
        bool there = way->kind != ITEM_MADE;
        if (!there && by < 0)
          return false;
        for (int q = 0; q < g->statements; q++)
          there = there || g->statement[q].array == by;
        if (!there && !n->maker)
          *n = (made_need){ k, i, maker_of(s, by) };
      }
  return true;
}

enum { TURNS = 24 };

static bool try_tail(search *s, affine_claim *c, int i, affine_best *best, mpz_t value)
{
  c->group[0].tail = find_tail(s, i);
  bool good = find_worth(s, c, value);
  if (good)
    find_consider(best, c, value);
  return good;
}

/* From a middle length longer and longer, and shorter and shorter, while that is better. */
static void best_tail(search *s, affine_claim *c, affine_best *best)
{
  mpz_t value, last, middle;
  mpz_inits(value, last, middle, NULL);
  int from = try_tail(s, c, TAIL_MIDDLE, best, middle) ? TAIL_MIDDLE : 0;
  bool good = from > 0 || try_tail(s, c, 0, best, middle);
  for (int step = 1; step >= -1 && good; step -= 2) {
    mpz_set(last, middle);
    for (int i = from + step; i >= 0 && i < TAILS; i += step) {
      if (!try_tail(s, c, i, best, value) || mpz_cmp(value, last) < 0)
        break;
      mpz_set(last, value);
    }
  }
  mpz_clears(value, last, middle, NULL);
}

/* The claim with all that makes what it reads, in columns of their own, or in those of who reads it. */
static void complete(search *s, affine_claim *c, affine_best *best)
{
  made_need more;
  if (!missing(s, &c->group[0], &more))
    return;
  if (!more.maker)
    best_tail(s, c, best);
  for (int joined = 0; joined < 2 && more.maker; joined++)
    for (int turned = 0; turned < TURNS; turned++) {
      affine_claim with = *c;
      if (place(s, &with.group[0], more.maker, turned, joined ? &more : NULL))
        complete(s, &with, best);
    }
}

/* One more statement, when that is better. */
static void extend(search *s, affine_best *local)
{
  for (int n = 0; n < s->candidates; n++) {
    const claim_group *k = &s->pool[n].group;
    bool there = k->pairs || k->tail || k->statements > 1;
    for (int q = 0; q < local->claim.group[0].statements; q++)
      there = there || local->claim.group[0].statement[q].array == k->statement[0].array;
    const affine_claim now = local->claim;
    for (int turned = 0; turned < TURNS && !there; turned++) {
      affine_claim with = now;
      if (place(s, &with.group[0], &k->statement[0], turned, NULL))
        complete(s, &with, local);
    }
  }
}

void find_relays(search *s, affine_best *best)
{
  for (int n = 0; n < s->candidates; n++) {
    affine_best local = { 0 };
    if (s->pool[n].group.pairs || !s->pool[n].operands || s->pool[n].group.statements > 1)
      continue;
    mpz_init(local.value);
    find_begin(s, &local.claim);
    local.claim.groups = 1;
    local.claim.group[0] = s->pool[n].group;
    operands_made(&local.claim.group[0].statement[0]);
    affine_claim first = local.claim;
    complete(s, &first, &local);
    if (mpz_sgn(local.value) > 0) {
      extend(s, &local);
      find_consider(best, &local.claim, local.value);
    }
    mpz_clear(local.value);
  }
}
