/* Products of products: a word of an operand's tail is red or loaded, or the tail is computed in the segment, by a row
   and a column of what its chain reads. */
#include "bounds/check/affine/relay.h"
#include "bounds/check/affine/chain.h"
#include "bounds/checker.h"
#include <string.h>

typedef struct {
  affine_facts *f;
  statement_facts *const *t;
  int n, consumer;
  int64_t run;                 /* elements of a tail */
} relay;

static bool made(const statement_facts *t, int i) { return t->s->item[i].way[0].kind == ITEM_MADE; }

/* One statement has needs that are made; all others of its needs, and all of the others', are words. */
static bool find_consumer(relay *r)
{
  r->consumer = -1;
  for (int s = 0; s < r->n; s++)
    for (int i = 0; i < r->t[s]->s->items; i++) {
      const claim_item *item = &r->t[s]->s->item[i];
      bool one = made(r->t[s], i);
      if (one && (item->ways > 1 || (r->consumer >= 0 && r->consumer != s)))
        return false;
      r->consumer = one ? s : r->consumer;
      for (int w = 0; w < item->ways && !one; w++)
        if (item->way[w].kind != ITEM_OWN && item->way[w].kind != ITEM_READ)
          return false;
    }
  return r->consumer >= 0;
}

/* The statement whose array makes item i of the consumer; each makes one. */
static int producer_of(const relay *r, int i)
{
  int to = r->t[r->consumer]->way[i][0].to, found = -1;
  for (int k = 0; k < i; k++)
    if (made(r->t[r->consumer], k) && r->t[r->consumer]->way[k][0].to == to)
      return -1;
  for (int s = 0; s < r->n; s++)
    if (s != r->consumer && r->t[s]->s->array == to)
      found = found < 0 ? s : r->n;
  return found < r->n ? found : -1;
}

/* Words of different statements are of different components, but what the consumer reads is of those that make it. */
static bool components_differ(const relay *r)
{
  for (int s = 0; s < r->n; s++)
    for (int q = 0; q < s; q++)
      for (int i = 0; i < r->t[s]->s->items; i++)
        for (int k = 0; k < r->t[q]->s->items; k++)
          for (int v = 0; v < r->t[s]->s->item[i].ways; v++)
            for (int w = 0; w < r->t[q]->s->item[k].ways; w++) {
              bool relayed = made(r->t[s], i) || made(r->t[q], k);
              bool own = r->t[s]->s->item[i].way[0].kind == ITEM_OWN || r->t[q]->s->item[k].way[0].kind == ITEM_OWN;
              if (r->t[s]->way[i][v].component == r->t[q]->way[k][w].component && !(relayed && own))
                return false;
            }
  const statement_facts *c = r->t[r->consumer];
  for (int i = 0; i < c->s->items; i++)
    for (int k = 0; k < c->s->items; k++)
      for (int w = 0; w < c->s->item[k].ways; w++)
        if (made(c, i) && i != k && c->way[i][0].component == c->way[k][w].component)
          return false;
  return true;
}

/* Steps of the producer in tails of what item i reads, or after them on their words, do not count. */
static bool clear_steps(const relay *r, int i, statement_facts *p, const chain *c)
{
  arena *a = &r->f->scratch;
  const statement_facts *t = r->t[r->consumer];
  polyhedra away = { 0 };
  for (int k = 0; k < t->steps.n; k++) {
    polyhedron *y = polyhedron_new(a, p->rank + 1);
    linear m = linear_variable(p->rank), last = linear_constant(r->run - 1);
    bool exact;
    polyhedron_require(a, y, &m, &last);
    polyhedron_include(a, y, t->steps.item[k], NULL, 0);
    for (int v = 0; v < p->rank; v++) {
      linear x = linear_variable(v), moved;
      if (!linear_substitute(&t->way[i][0].index[v], NULL, 0, p->rank + 1, &moved))
        return false;
      moved.coef[p->rank] = c->step[v];
      polyhedron_same(a, y, &x, &moved);
    }
    y = polyhedron_project(a, y, p->rank, &exact);
    if (y->open)
      return false;
    polyhedra_add(a, &away, y);
  }
  return steps_part(r->f, p, &away);
}

/* Items a and b of the producer are words that every chain of `run` elements up to what item i reads reads itself. */
static bool rows_make(const relay *r, int i, statement_facts *p, int a, int b, chain *c)
{
  const statement_facts *t = r->t[r->consumer];
  if (p->s->item[a].way[0].kind != ITEM_READ || p->s->item[b].way[0].kind != ITEM_READ ||
      p->s->item[a].column == p->s->item[b].column || !chain_find(r->f, p->s->array, c) ||
      !chain_told(r->f, p, a, b, c))
    return false;
  chain_reads(r->f, p, a, c);
  chain_reads(r->f, p, b, c);
  for (int k = 0; k < t->steps.n; k++)
    if (!chain_runs(r->f, p->s->array, t->steps.item[k], t->way[i][0].index, r->run, c))
      return false;
  return true;
}

static bool apart(const statement_facts *p, int a, int b)
{
  for (int v = 0; v < p->s->item[a].ways; v++)
    for (int w = 0; w < p->s->item[b].ways; w++)
      if (p->way[a][v].component == p->way[b][w].component)
        return false;
  return true;
}

static bool item_made(const relay *r, int i, group_facts *g)
{
  int s = producer_of(r, i);
  for (int a = 0; s >= 0 && a < r->t[s]->s->items; a++)
    for (int b = 0; b < a; b++) {
      chain c = { 0 };
      if (!rows_make(r, i, r->t[s], a, b, &c))
        continue;
      g->part[s].share = apart(r->t[s], a, b) ? 4 : 1;
      return clear_steps(r, i, r->t[s], &c);
    }
  return false;
}

bool relay_holds(affine_facts *f, statement_facts *const *t, int n, const claim_group *c, group_facts *g,
                 text *reason)
{
  relay r = { .f = f, .t = t, .n = n, .run = c->tail };
  int all = 0;
  if (!find_consumer(&r) || !components_differ(&r))
    return bound_refuse(reason, "the statements of a relay share words");
  for (int s = 0; s < n; s++)
    g->part[s].share = 0;
  for (int i = 0; i < t[r.consumer]->s->items; i++)
    if (made(t[r.consumer], i)) {
      all++;
      if (!item_made(&r, i, g))
        return bound_refuse(reason, "what is read is not made by rows and columns");
    }
  if (all != n - 1)
    return bound_refuse(reason, "a statement of a relay makes nothing");
  g->parts = n;
  g->consumer = r.consumer;
  g->tail.slots = c->tail;
  return true;
}

/* The whole number part of what x / by words allow. */
static void part_most(const power_law *p, const mpz_t x, const mpz_t by, mpz_t work)
{
  mpz_t t;
  mpz_init(t);
  mpz_pow_ui(t, by, p->power);
  mpz_mul(t, t, p->taken);
  mpz_pow_ui(work, x, p->power);
  mpz_mul(work, work, p->room);
  mpz_fdiv_q(work, work, t);
  mpz_root(work, work, p->degree);
  mpz_clear(t);
}

/* All words in one part: the sum is convex in how they are shared out.  A producer's x words make x^2 / (share run^2)
   for the consumer. */
void relay_most(const group_facts *g, const mpz_t x, mpz_t work)
{
  mpz_t one, by, square, sum;
  const power_law *consumer = &g->part[g->consumer].law;
  mpz_inits(by, square, sum, NULL);
  mpz_init_set_ui(one, 1);
  part_most(consumer, x, one, work);
  for (int s = 0; s < g->parts; s++) {
    if (s == g->consumer)
      continue;
    mpz_set_si(by, g->tail.slots);
    mpz_mul(by, by, by);
    mpz_mul_si(by, by, g->part[s].share);
    mpz_mul(square, x, x);
    part_most(consumer, square, by, sum);
    part_most(&g->part[s].law, x, one, square);
    mpz_add(sum, sum, square);
    mpz_add_ui(sum, sum, 1);   /* both were rounded down */
    if (mpz_cmp(sum, work) > 0)
      mpz_set(work, sum);
  }
  mpz_clears(one, by, square, sum, NULL);
}
