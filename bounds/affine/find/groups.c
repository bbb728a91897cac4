/* groups.c -- candidates that add up: ledgers, siblings, twins. */
#include "bounds/affine/find/search.h"
#include <string.h>

void find_consider(affine_best *best, const affine_claim *c, const mpz_t value)
{
  if (mpz_cmp(value, best->value) > 0) {
    mpz_set(best->value, value);
    best->claim = *c;
  }
}

void find_rename_columns(claim_statement *s, const int *to)
{
  for (int i = 0; i < s->items; i++)
    s->item[i].column = to[s->item[i].column];
}

int find_columns_of(const claim_statement *s)
{
  int n = 0;
  for (int i = 0; i < s->items; i++)
    n = s->item[i].column >= n ? s->item[i].column + 1 : n;
  return n;
}

static void column_sums(const claim_statement *s, int64_t *sum)
{
  memset(sum, 0, CLAIM_COLUMNS * sizeof *sum);
  for (int i = 0; i < s->items; i++)
    sum[s->item[i].column] += s->item[i].power;
}

/* The items of s in the order of the columns of `like`, when each has one of its own. */
static void order_items(claim_statement *s, const claim_statement *like)
{
  claim_statement old = *s;
  for (int i = 0; i < like->items && like->items == old.items; i++)
    for (int k = 0; k < old.items; k++)
      if (old.item[k].column == like->item[i].column)
        s->item[i] = old.item[k];
}

/* The claim with one more statement in group g; and with the steps of that group in one space. */
static void with_sibling(search *s, const affine_claim *now, int g, const claim_statement *sibling, affine_best *best)
{
  affine_claim c = *now;
  mpz_t value;
  claim_group *to = &c.group[g];
  to->statement[to->statements++] = *sibling;
  order_items(&to->statement[to->statements - 1], &to->statement[0]);
  mpz_init(value);
  for (int together = 0; together < 2; together++) {
    if (together ? !affine_embed(s->f, to) : to->together > 0)
      continue;
    if (find_worth(s, &c, value))
      find_consider(best, &c, value);
  }
  mpz_clear(value);
}

/* The candidate as one more sibling in group g, its columns in every order that fits. */
static void try_sibling(search *s, const affine_claim *now, int g, const claim_group *more, affine_best *best)
{
  const claim_group *to = &now->group[g];
  int64_t want[CLAIM_COLUMNS], sum[CLAIM_COLUMNS];
  int n = find_columns_of(&more->statement[0]), order[CLAIM_COLUMNS], at = 0;
  if (to->pairs || more->pairs || to->den != more->den || to->statements == CLAIM_STATEMENTS || n > 4 ||
      find_columns_of(&to->statement[0]) != n)
    return;
  column_sums(&to->statement[0], want);
  memset(order, -1, sizeof order);
  while (at >= 0) { /* all permutations */
    order[at]++;
    bool taken = false;
    for (int i = 0; i < at; i++)
      taken = taken || order[i] == order[at];
    if (order[at] >= n) {
      order[at--] = -1;
      continue;
    }
    if (taken || at + 1 < n) {
      at += !taken;
      continue;
    }
    claim_statement sibling = more->statement[0];
    find_rename_columns(&sibling, order);
    column_sums(&sibling, sum);
    if (memcmp(want, sum, sizeof want) != 0)
      continue;
    with_sibling(s, now, g, &sibling, best);
  }
}

/* The n-th read besides that is like the one of this way; -1. */
static int like_access(const normal_form *f, int of, int n)
{
  for (int i = 0; i < f->accesses; i++)
    if (i != of && f->access[i]->from == f->access[of]->from && f->access[i]->single &&
        find_same_slopes(f, f->access[i], f->access[of]) && n-- == 0)
      return i;
  return -1;
}

/* Once more the steps of the group's first statement, by other reads like those it has: a loop that was unrolled. */
static bool twin_of(const normal_form *f, const claim_group *g, int n, claim_group *twin)
{
  *twin = *g;
  twin->statements = 1;
  for (int i = 0; i < twin->statement[0].items; i++) {
    claim_item *item = &twin->statement[0].item[i];
    if (item->way[0].kind == ITEM_OWN)
      continue;
    item->way[0].access = item->ways > 1 ? -1 : like_access(f, item->way[0].access, n);
    if (item->way[0].access < 0)
      return false;
  }
  return g->statements < CLAIM_STATEMENTS && !g->pairs && !g->tail;
}

static void add_twins(search *s, affine_claim *now, affine_best *local)
{
  for (int g = 0; g < now->groups; g++)
    for (int n = 0; n < CLAIM_STATEMENTS - 1; n++) {
      claim_group twin;
      if (!twin_of(&s->f->form, &now->group[g], n, &twin))
        break;
      try_sibling(s, now, g, &twin, local);
      *now = local->claim;
    }
}

void find_combine(search *s, bool once, int first, affine_best *best)
{
  affine_claim now;
  mpz_t value;
  affine_best local;
  mpz_init(value);
  mpz_init(local.value);
  find_begin(s, &now);
  for (int n = 0; n < s->candidates; n++) {
    const candidate *k = &s->pool[n == 0 ? first : n <= first ? n - 1 : n];
    if (k->operands && !once)
      continue;
    bool there = false;
    for (int g = 0; g < now.groups; g++)
      for (int i = 0; i < now.group[g].statements; i++)
        there = there || now.group[g].statement[i].array == k->group.statement[0].array;
    if (there || (now.groups && (now.group[0].tail || k->group.tail)))
      continue;
    if (now.groups < CLAIM_GROUPS) {
      affine_claim c = now;
      c.group[c.groups++] = k->group;
      if (find_worth(s, &c, value))
        find_consider(&local, &c, value);
    }
    for (int g = 0; g < now.groups; g++)
      try_sibling(s, &now, g, &k->group, &local);
    if (mpz_sgn(local.value) > 0)
      now = local.claim;
    if (n == 0)
      add_twins(s, &now, &local);
  }
  if (mpz_sgn(local.value) > 0)
    find_consider(best, &local.claim, local.value);
  mpz_clears(value, local.value, NULL);
}
