/* find.c -- the search: predecessors of their own; for every statement a few sets of reads and powers, the best by
   estimate; groups of these that add up. */
#include "bounds/affine/find/search.h"
#include <string.h>

/* Which kinds come first; what is not named is no predecessor.  Words of inputs may be worth more when nothing grows
   out of them.  Of one kind those come first that keep more loops; or that comes before the kind. */
const word_order find_orders[FIND_ORDERS] = {
  { false, { 0, 1, 2, 3, 4 }, false },
  { false, { 0, 4, 1, 2, 3 }, false },
  { false, { 0, 1, 2, 3, -1 }, false },
  { true, { 0, 2, 3, 4, 1 }, false },
};

/* No word goes on in another array; nor, in the second, at another sum of its own. */
static const word_order stay[FIND_STAYS] = {
  { false, { 0, 1, -1, -1, 4 }, false },
  { false, { 0, -1, -1, -1, 4 }, false },
};

static void sort_pool(search *s)
{
  for (int i = 1; i < s->candidates; i++)
    for (int k = i; k > 0 && s->pool[k].value > s->pool[k - 1].value; k--) {
      candidate t = s->pool[k];
      s->pool[k] = s->pool[k - 1];
      s->pool[k - 1] = t;
    }
}

bool find_is_new(tried_words *t, const search *s)
{
  for (int k = 0; k < t->n; k++) {
    int same = 0;
    for (int i = 0; i < s->owns; i++)
      for (int j = 0; j < t->owns[k]; j++)
        same += s->own[i] == t->own[k][j];
    if (same == s->owns && same == t->owns[k])
      return false;
  }
  t->owns[t->n] = s->owns;
  memcpy(t->own[t->n++], s->own, sizeof s->own);
  return true;
}

static void find_with(search *s, affine_best best[2])
{
  text reason = { 0 };
  affine_claim none;
  mpz_t value;
  find_begin(s, &none);
  s->candidates = 0;
  mpz_init(value);
  if (find_worth(s, &none, value))
    for (int k = 0; k < 2; k++)
      find_consider(&best[k], &none, value);
  s->ends = mpz_get_d(value);
  if (affine_words(s->f, &none, &reason))
    for (int x = 0; x < s->f->form.arrays; x++)
      if (s->f->form.array[x].computed.n)
        find_try_sets(s, x);
  sort_pool(s);
  for (int once = 0; once < 2; once++)
    for (int first = 0, tried = 0; first < s->candidates && tried < KEPT; first++)
      if (once || !s->pool[first].operands) {
        find_combine(s, once, first, &best[once]);
        tried++;
      }
  if (s->what == AFFINE_ALL)
    find_relays(s, &best[0]);
  mpz_clear(value);
  text_clear(&reason);
}

/* Arrays whose elements, or those before them on their words, some need names. */
static void find_asked(const affine_facts *f, const affine_claim *c, bool *asked)
{
  for (int g = 0; g < c->groups; g++)
    for (int s = 0; s < c->group[g].statements; s++) {
      const claim_statement *t = &c->group[g].statement[s];
      asked[t->array] = true;
      for (int i = 0; i < t->items; i++)
        for (int w = 0; w < t->item[i].ways; w++)
          if (t->item[i].way[w].kind != ITEM_OWN)
            asked[f->form.access[t->item[i].way[w].access]->to] = true;
    }
  for (int round = 0; round < c->owns; round++)
    for (int i = 0; i < c->owns; i++)
      if (asked[f->form.access[c->own[i]]->from])
        asked[f->form.access[c->own[i]]->to] = true;
}

/* Words that go on in arrays which no need asks for begin there in vain: without these there are fewer births. */
static void drop_unasked(search *s, affine_best *best)
{
  affine_claim less = best->claim;
  bool *asked = ARENA_NEW(&s->f->memory, bool, (size_t)s->f->form.arrays);
  text reason = { 0 };
  mpz_t value;
  if (less.groups == 0 || less.reading != s->f->reading)
    return;
  find_asked(s->f, &less, asked);
  less.owns = 0;
  for (int i = 0; i < best->claim.owns; i++)
    if (asked[s->f->form.access[best->claim.own[i]]->from])
      less.own[less.owns++] = best->claim.own[i];
  mpz_init(value);
  if (less.owns < best->claim.owns && affine_derive(s->f, &less, &reason) &&
      affine_value(s->f, &less, s->m, value, &reason))
    find_consider(best, &less, value);
  mpz_clear(value);
  text_clear(&reason);
}

static bool goes_on(const search *s, int array)
{
  bool on = false;
  for (int i = 0; i < s->owns; i++)
    on = on || (s->f->form.access[s->own[i]]->from == array && s->f->form.access[s->own[i]]->to == array);
  return on;
}

/* Is a word chosen that goes from one array's sum to another's?  Apart, what both read tells the two statements. */
static bool sum_after_sum(const search *s)
{
  bool some = false;
  for (int i = 0; i < s->owns; i++) {
    const access *a = s->f->form.access[s->own[i]];
    some = some || (a->from != a->to && s->f->form.array[a->from].rank == s->f->form.array[a->to].rank &&
                    goes_on(s, a->from) && goes_on(s, a->to));
  }
  return some;
}

void affine_find(affine_facts *f, int64_t m, affine_what what, affine_best best[2])
{
  bool apart = false;
  search *s = ARENA_NEW(&f->memory, search, 1);
  tried_words *t = ARENA_NEW(&f->memory, tried_words, 1);
  s->f = f;
  s->m = affine_pebbles(f, m);
  s->what = what;
  for (size_t k = 0; k < FIND_ORDERS; k++) {
    s->derived = 0;
    find_choose_words(s, &find_orders[k]);
    if (find_is_new(t, s))
      find_with(s, best);
    apart = apart || sum_after_sum(s);
  }
  for (int k = 0; k < FIND_STAYS && (best[1].claim.groups == 0 || (apart && k == 0)); k++) {
    s->derived = 0;
    find_choose_words(s, &stay[k]);
    if (find_is_new(t, s))
      find_with(s, best);
  }
  for (int k = 0; k < 2; k++)
    drop_unasked(s, &best[k]);
}

unsigned bound_readings(const cdag *g, affine_reading end, affine_facts f[READINGS])
{
  unsigned there = 0;
  for (affine_reading r = 0; r < end; r++)
    there |= (unsigned)affine_facts_init(&f[r], g, r) << r;
  return there;
}

void bound_readings_clear(affine_facts f[READINGS], unsigned there)
{
  for (affine_reading r = 0; r < READINGS; r++)
    if (there >> r & 1)
      affine_facts_clear(&f[r]);
}
