/* Where the steps of siblings stand in one space: such that what they use of common words is the same function
   there. */
#include "bounds/affine/find.h"
#include "base/num.h"
#include <string.h>

/* Rows: the first statement's form in its loops, then a sibling's in its own loops and a constant. */
enum { WIDE = 2 * CDAG_RANK + 1, ROWS = CLAIM_ITEMS * CDAG_RANK };
typedef struct {
  int rank, rows, pivot[CDAG_RANK];
  __int128 row[CDAG_RANK][WIDE];
} system_of;

/* In lowest terms; false when the numbers grow. */
static bool lower(__int128 *row)
{
  __int128 g = 0;
  for (int k = 0; k < WIDE; k++)
    g = num_gcd128(g, row[k]);
  for (int k = 0; k < WIDE && g > 1; k++)
    row[k] /= g;
  for (int k = 0; k < WIDE; k++)
    if (row[k] > (1 << 30) || row[k] < -(1 << 30))
      return false;
  return true;
}

static bool clear_by(__int128 *row, const __int128 *by, int pivot)
{
  __int128 c = row[pivot], p = by[pivot];
  for (int k = 0; k < WIDE && c; k++)
    row[k] = row[k] * p - by[k] * c;
  return lower(row);
}

/* One more equation, unless it follows or contradicts; *clash: it contradicts. */
static bool add_row(system_of *e, __int128 *row, bool *clash)
{
  *clash = false;
  if (!lower(row))
    return false;
  for (int k = 0; k < e->rows; k++)
    if (!clear_by(row, e->row[k], e->pivot[k]))
      return false;
  int p = 0;
  while (p < e->rank && row[p] == 0)
    p++;
  for (int k = p; p == e->rank && k < WIDE; k++)
    *clash = *clash || row[k] != 0;
  if (p == e->rank)
    return true;
  for (int k = 0; k < e->rows; k++)
    if (!clear_by(e->row[k], row, p))
      return false;
  memcpy(e->row[e->rows], row, sizeof e->row[0]);
  e->pivot[e->rows++] = p;
  return true;
}

static bool may_share(const statement_facts *a, const statement_facts *b, int i)
{
  for (int v = 0; v < a->s->item[i].ways; v++)
    for (int w = 0; w < b->s->item[i].ways; w++)
      if (a->way[i][v].component == b->way[i][w].component)
        return true;
  return false;
}

/* Common words first; what only one of the two uses may be anywhere. */
static bool solve(const statement_facts *a, const statement_facts *b, system_of *e)
{
  *e = (system_of){ .rank = a->rank };
  for (int common = 1; common >= 0; common--)
    for (int i = 0; i < a->s->items; i++)
      for (int k = 0; k < a->forms[i] && may_share(a, b, i) == (common == 1); k++) {
        __int128 row[WIDE] = { 0 };
        bool clash;
        if (a->forms[i] != b->forms[i])
          return false;
        for (int r = 0; r < a->rank; r++) {
          row[r] = a->form[i][k].coef[r];
          row[CDAG_RANK + r] = b->form[i][k].coef[r];
        }
        row[2 * CDAG_RANK] = b->form[i][k].base - (__int128)a->form[i][k].base;
        if (!add_row(e, row, &clash) || (clash && common))
          return false;
      }
  return true;
}

/* The row of loop r: its place times *times; a loop that nothing tells stays where it is. */
static bool place_of_loop(const system_of *e, int r, int64_t *place, int64_t *times)
{
  memset(place, 0, (CDAG_RANK + 1) * sizeof *place);
  *times = place[r] = 1;
  for (int k = 0; k < e->rows; k++) {
    if (e->pivot[k] != r)
      continue;
    const __int128 *row = e->row[k], sign = row[r] < 0 ? -1 : 1;
    for (int q = 0; q < e->rank; q++)
      if (q != r && row[q])
        return false;
    for (int q = 0; q <= CDAG_RANK; q++)
      place[q] = (int64_t)(sign * row[CDAG_RANK + q]);
    *times = (int64_t)(sign * row[r]);
  }
  return *times <= 64;
}

bool affine_embed(affine_facts *f, claim_group *g)
{
  statement_facts *t = ARENA_NEW(&f->scratch, statement_facts, CLAIM_STATEMENTS);
  text reason = { 0 };
  int64_t scale[CDAG_RANK], times[CLAIM_STATEMENTS][CDAG_RANK];
  bool good = true;
  for (int s = 0; s < g->statements && good; s++) {
    good = statement_facts_of(f, &g->statement[s], &t[s], &reason) && t[s].rank == t[0].rank &&
           t[s].s->items == t[0].s->items;
    for (int i = 0; good && i < t[s].s->items; i++)
      good = t[s].s->item[i].column == t[0].s->item[i].column && t[s].s->item[i].power == t[0].s->item[i].power;
  }
  text_clear(&reason);
  for (int r = 0; r < CDAG_RANK; r++)
    scale[r] = 1;
  for (int s = 0; s < g->statements && good; s++) {
    system_of e;
    e = (system_of){ .rank = t[0].rank };
    good = s == 0 || solve(&t[0], &t[s], &e);
    for (int r = 0; r < t[0].rank && good; r++) {
      good = place_of_loop(&e, r, g->statement[s].place[r], &times[s][r]);
      scale[r] = good ? scale[r] / num_gcd(scale[r], times[s][r]) * times[s][r] : 1;
    }
  }
  for (int s = 0; s < g->statements && good; s++)
    for (int r = 0; r < t[0].rank && good; r++) {
      good = scale[r] <= 64;
      for (int k = 0; k <= CDAG_RANK; k++)
        g->statement[s].place[r][k] *= scale[r] / times[s][r];
    }
  g->together = good ? t[0].rank : 0;
  return good;
}
