/* powers.c -- the powers of a statement's needs, by estimate. */
#include "bounds/affine/find/search.h"
#include <math.h>
#include <string.h>

/* The logarithm of Q, about, for work that is at most c x^p in x words; all of them as logarithms but p. */
static double estimate(double work, double c, double p, double m)
{
  if (p <= 1 + 1e-9 || work <= c + p * (m + log(p / (p - 1)))) /* one segment does it all */
    return (work - c) / p;
  return (p - 1) * log(p - 1) - p * log(p) - c + work - (p - 1) * m;
}

static const int64_t powers[] = { 0, 3, 4, 6, 8, 9, 12 };
enum { POWERS = sizeof powers / sizeof *powers };

typedef struct {
  const coordinates *c;
  claim_statement *s;
  uint32_t pivots[CLAIM_ITEMS];
  double work, m, best, extent[CLAIM_LOOPS], missing, least_missing; /* logarithms */
  int64_t power[CLAIM_ITEMS];                /* at hand */
} powers_search;

static double value_of(powers_search *p)
{
  double log_c = 0, sum = 0;
  double column[CLAIM_COLUMNS] = { 0 };
  for (int i = 0; i < p->s->items; i++) {
    column[p->s->item[i].column] += (double)p->power[i] / DEN;
    sum += (double)p->power[i] / DEN;
  }
  if (sum <= 0)
    return -INFINITY;
  for (int q = 0; q < p->c->n; q++) {
    int64_t covered = 0;
    for (int i = 0; i < p->s->items; i++)
      covered += p->pivots[i] >> q & 1 ? p->power[i] : 0;
    if (covered < DEN)
      log_c += (double)(DEN - covered) / DEN * p->extent[q];
  }
  p->missing = log_c;
  for (int k = 0; k < CLAIM_COLUMNS; k++)
    if (column[k] > 0)
      log_c += column[k] * log(column[k] / sum);
  return estimate(p->work, log_c, sum, p->m);
}

static bool try_powers(powers_search *p, int i)
{
  bool better = false;
  if (i == p->s->items) {
    double value = value_of(p);
    /* of equal ones that for which fewer extents stand */
    if (value <= p->best + 1e-9 && (value <= p->best - 1e-9 || p->missing >= p->least_missing - 1e-9))
      return false;
    p->best = value;
    p->least_missing = p->missing;
    for (int k = 0; k < p->s->items; k++)
      p->s->item[k].power = p->power[k];
    return true;
  }
  for (int k = 0; k < POWERS; k++) {
    p->power[i] = powers[k];
    better = try_powers(p, i + 1) || better;
  }
  return better;
}

/* Coordinates that stand together in some form: their order matters. */
static int coupled(const coordinates *c, int items, int *which)
{
  int n = 0;
  for (int p = 0; p < c->n; p++) {
    bool with = false;
    for (int i = 0; i < items; i++)
      for (int k = 0; k < c->rows[i]; k++)
        for (int q = 0; q < c->n; q++)
          with = with || (q != p && c->row[i][k].coef[p] && c->row[i][k].coef[q]);
    if (with)
      which[n++] = p;
  }
  return n;
}

enum { COUPLED_MOST = 5, PATTERNS = 128 };
typedef struct {
  powers_search p;
  int which[CLAIM_LOOPS], n;
  int order[CLAIM_LOOPS]; /* chosen so far */
  int patterns;
  uint32_t seen[PATTERNS][CLAIM_ITEMS];
} order_search;

static void try_order(order_search *o)
{
  int place[CLAIM_LOOPS], at = 0;
  const coordinates *c = o->p.c;
  uint32_t pivots[CLAIM_ITEMS] = { 0 };
  bool last[CLAIM_LOOPS] = { 0 };
  for (int k = 0; k < o->n; k++)
    last[o->order[k]] = true;
  for (int p = 0; p < c->n; p++)
    if (!last[p])
      place[p] = at++;
  for (int k = 0; k < o->n; k++)
    place[o->order[k]] = at++;
  for (int i = 0; i < o->p.s->items; i++)
    pivots[i] = coordinates_pivots(c, i, place);
  for (int k = 0; k < o->patterns; k++)
    if (memcmp(o->seen[k], pivots, sizeof pivots) == 0)
      return;
  if (o->patterns == PATTERNS)
    return;
  memcpy(o->seen[o->patterns++], pivots, sizeof pivots);
  memcpy(o->p.pivots, pivots, sizeof pivots);
  if (try_powers(&o->p, 0)) {
    o->p.s->loops = o->n;
    for (int k = 0; k < o->n; k++)
      o->p.s->order[k] = c->name[o->order[k]];
  }
}

static void try_orders(order_search *o, int k, uint32_t used)
{
  if (k == o->n) {
    try_order(o);
    return;
  }
  for (int i = 0; i < o->n; i++)
    if (!(used >> i & 1)) {
      o->order[k] = o->which[i];
      try_orders(o, k + 1, used | 1u << i);
    }
}

/* A loop that stands with coefficient 1 beside one with coefficient c is split by c, when it has more than c values. */
static void choose_splits(const coordinates *c, claim_statement *s)
{
  for (int i = 0; i < s->items; i++)
    for (int k = 0; k < c->rows[i]; k++)
      for (int p = 0; p < c->n; p++)
        for (int q = 0; q < c->n; q++) {
          int64_t one = c->row[i][k].coef[p], by = c->row[i][k].coef[q];
          by = by < 0 ? -by : by;
          if (p != q && c->modulus[i][k] == 0 && (one == 1 || one == -1) && by > 1 && by < c->extent[p] &&
              by < (1 << 20) && c->name[p] < CDAG_RANK)
            s->split[c->name[p]] = by;
        }
}

double find_choose_powers(const search *s, statement_facts *t, claim_statement *of, double work)
{
  coordinates c;
  if (!coordinates_of(t, &c))
    return 0;
  choose_splits(&c, of);
  if (!coordinates_of(t, &c))
    return 0;
  order_search *o = ARENA_NEW(&s->f->scratch, order_search, 1);
  o->p = (powers_search){ .c = &c, .s = of, .work = log(work), .m = log((double)s->m), .best = -INFINITY };
  for (int q = 0; q < c.n; q++)
    o->p.extent[q] = log((double)c.extent[q]);
  o->n = coupled(&c, of->items, o->which);
  if (o->n > COUPLED_MOST)
    o->n = COUPLED_MOST;
  try_orders(o, 0, 0);
  return exp(o->p.best);
}
