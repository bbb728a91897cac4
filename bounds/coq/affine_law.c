/* What words allow: columns, pairs of rows, and the cut of each ledger. */
#include "base/big.h"
#include "base/num.h"
#include "base/scoped.h"
#include "bounds/coq/affine_internal.h"
#include <string.h>

/* ---- columns ---- */

/* May the words be the same, as far as Coq sees?  They are of one component, and no label is one number in the one and
   another in the other. */
static bool may_meet(const stating *x, int i, const stating *y, int j)
{
  bool meet = x->of[i] == y->of[j];
  for (int r = 0; r < x->forms[i] && r < y->forms[j] && meet; r++)
    meet = !linear_is_constant(&x->form[i][r]) || !linear_is_constant(&y->form[j][r]) ||
           x->form[i][r].base == y->form[j][r].base;
  return meet;
}

/* column < 0: do words that may be the same always stand in one column?  Else: are those of this column apart? */
static bool columns_apart(const stating *x, const stating *y, int column)
{
  for (int i = 0; i < x->s->items; i++)
    for (int j = 0; j < y->s->items; j++) {
      int a = x->s->item[i].column, b = y->s->item[j].column;
      if ((column < 0 ? a != b : a == column && b == column) && may_meet(x, i, y, j))
        return false;
    }
  return true;
}

static bool column_tells(const ledger *l, int a, int b, int column, int other)
{
  return columns_apart(&l->of[a], &l->of[b], column) || columns_apart(&l->of[a], &l->of[b], other);
}

/* Columns that tell any two statements, alone or in twos, until their powers are the denominator. */
static void find_units(ledger *l)
{
  int64_t left[CLAIM_COLUMNS], den = l->den;
  memcpy(left, l->power, sizeof left);
  for (int alone = 1; alone >= 0 && l->group->statements > 1; alone--)
    for (int c = 0; c < CLAIM_COLUMNS; c++)
      for (int e = alone ? c : c + 1; e < (alone ? c + 1 : CLAIM_COLUMNS); e++) {
        int64_t least = num_min(den, num_min(left[c], left[e]));
        for (int a = 0; a < l->group->statements && least; a++)
          for (int b = 0; b < a && least; b++)
            least = column_tells(l, a, b, c, e) ? least : 0;
        if (least == 0)
          continue;
        l->unit[l->units++] = (unit){ c, e, least };
        den -= least;
        left[c] -= least;
        left[e] -= alone ? 0 : least;
      }
}

bool coq_read_columns(ledger *l)
{
  const claim_group *g = l->group;
  int64_t by = g->den;
  for (int s = 0; s < g->statements; s++)
    for (int i = 0; i < g->statement[s].items; i++)
      by = num_gcd(by, g->statement[s].item[i].power);
  l->den = g->den / by;
  for (int s = 0; s < g->statements; s++) {
    int64_t power[CLAIM_COLUMNS] = { 0 };
    for (int i = 0; i < g->statement[s].items; i++)
      power[g->statement[s].item[i].column] += g->statement[s].item[i].power / by;
    if (s == 0)
      memcpy(l->power, power, sizeof power);
    if (memcmp(l->power, power, sizeof power) != 0)
      return false;
  }
  for (int a = 0; a < g->statements; a++)
    for (int b = 0; b <= a; b++)
      if (!columns_apart(&l->of[a], &l->of[b], -1))
        return false;
  find_units(l);
  return true;
}

/* ---- what words allow ---- */

static bool need_tells(const stating *z, int n, int i)
{
  for (int f = 0; f < z->forms[n]; f++)
    if (coq_order_told(&z->order, z->form[n][f].coef, i))
      return true;
  return false;
}

/* Extents to the powers that are missing. */
static void missing_of(const ledger *l, const stating *z, mpz_t missing)
{
  mpz_set_ui(missing, 1);
  for (int i = 0; i < z->order.n; i++) {
    int64_t told = 0;
    for (int n = 0; n < z->s->items; n++)
      told += need_tells(z, n, i) ? z->s->item[n].power / divisor(l) : 0;
    big_times_power64(missing, coq_order_extent(&z->order, i), told < l->den ? l->den - told : 0);
  }
}

/* Shares times missing times statements^(den - told), over S^S; S, the sum of the powers. */
static int64_t law_of(const ledger *l, mpz_t room, mpz_t under)
{
  int64_t sum = 0, told = 0;
  SCOPED_MPZ missing;
  mpz_init(missing);
  mpz_set_ui(room, 0);
  mpz_set_ui(under, 1);
  for (int s = 0; s < l->group->statements; s++) {
    missing_of(l, &l->of[s], missing);
    if (mpz_cmp(missing, room) > 0)
      mpz_set(room, missing);
  }
  for (int c = 0; c < CLAIM_COLUMNS; c++) {
    sum += l->power[c];
    if (l->power[c])
      big_times_power64(room, l->power[c], l->power[c]);
  }
  for (int u = 0; u < l->units; u++)
    told += l->unit[u].power;
  big_times_power64(room, l->group->statements, l->den - told);
  if (sum)
    big_times_power64(under, sum, sum);
  return sum;
}

/* The work is a root of what the law says of whole words, when one of a column costs cost[column]. */
void coq_law_root(const ledger *l, const mpz_t whole, const mpz_t *cost, mpz_t most)
{
  SCOPED_MPZ under;
  mpz_init(under);
  int64_t sum = law_of(l, most, under);
  big_times_power(most, whole, sum);
  for (int c = 0; c < CLAIM_COLUMNS && cost; c++)
    big_times_power(under, cost[c], l->power[c]);
  mpz_fdiv_q(most, most, under);
  mpz_root(most, most, (unsigned long)l->den);
}

/* ---- pairs of rows ---- */

/* The same on all steps. */
static bool alike(const claimed *k, const stating *z, const linear *f, const linear *g)
{
  for (int i = 0; i < z->n; i++)
    if (!coq_same(&k->t.box[z->s->array], &z->region[i].where, f, g))
      return false;
  return true;
}

static bool is_one_of(const claimed *k, const stating *z, const linear *f, int need)
{
  for (int i = 0; i < z->forms[need]; i++)
    if (alike(k, z, f, &z->form[need][i]))
      return true;
  return false;
}

/* On all steps f is larger than g. */
static bool is_larger(const claimed *k, const stating *z, const linear *f, const linear *g)
{
  linear more = *f;
  more.base--;
  bool good = linear_add(&more, g, -1);
  for (int i = 0; i < z->n && good; i++)
    good = coq_implies(&k->t.box[z->s->array], &z->region[i].where, &more);
  return good;
}

static bool find_order(const claimed *k, ledger *l, int a, int b, int centre)
{
  const stating *z = &l->of[0];
  for (int i = 0; i < z->forms[a] && i < z->forms[b]; i++)
    for (int m = 0; m < z->forms[centre]; m++)
      if (alike(k, z, &z->form[a][i], &z->form[centre][m]) && is_larger(k, z, &z->form[a][i], &z->form[b][i])) {
        l->order_at = i;
        l->order_of = m;
        return true;
      }
  return false;
}

/* Each loop is told by a row or the centre, and each form of the centre by one of the rows. */
static bool rows_tell(const claimed *k, const stating *z, int a, int b, int centre)
{
  for (int m = 0; m < z->forms[centre]; m++)
    if (!is_one_of(k, z, &z->form[centre][m], a) && !is_one_of(k, z, &z->form[centre][m], b))
      return false;
  for (int r = 0; r < k->t.box[z->s->array].n; r++) {
    linear loop = linear_variable(r);
    bool in_centre = k->t.box[z->s->array].size[r] <= 1 || is_one_of(k, z, &loop, centre);
    if (!in_centre && !(is_one_of(k, z, &loop, a) && is_one_of(k, z, &loop, b)))
      return false;
  }
  return true;
}

/* Rows c and d tell a and b, in the same places. */
static bool row_told(const claimed *k, const stating *z, int a, int b, int c, int d)
{
  bool told = z->forms[a] == z->forms[b];
  for (int i = 0; i < z->forms[a] && told; i++) {
    told = false;
    for (int j = 0; j < z->forms[c] && j < z->forms[d]; j++)
      told = told || (alike(k, z, &z->form[a][i], &z->form[c][j]) && alike(k, z, &z->form[b][i], &z->form[d][j]));
  }
  return told;
}

static void set_pair(ledger *l, int q, bool turned)
{
  l->rows[2 * q] = 2 * q + turned;
  l->rows[2 * q + 1] = 2 * q + !turned;
}

static bool components_differ(const stating *z, int pairs)
{
  for (int q = 0; q <= pairs; q++)
    for (int r = 0; r < q; r++)
      if (z->of[2 * q] == z->of[2 * r])
        return false;
  for (int q = 0; q < pairs; q++)
    if (z->of[2 * q] != z->of[2 * q + 1])
      return false;
  return true;
}

bool coq_read_pairs(const claimed *k, ledger *l)
{
  const stating *z = &l->of[0];
  int pairs = l->group->pairs, centre = 2 * pairs, *row = l->rows;
  bool good = l->group->statements == 1 && z->s->items == centre + 1 && components_differ(z, pairs);
  for (int turned = 0; turned < 2 && good; turned++) {
    set_pair(l, 0, turned);
    if (find_order(k, l, row[0], row[1], centre))
      break;
    good = turned == 0;
  }
  good = good && rows_tell(k, z, row[0], row[1], centre);
  for (int q = 1; q < pairs && good; q++) {
    set_pair(l, q, false);
    if (!row_told(k, z, row[0], row[1], row[2 * q], row[2 * q + 1]))
      set_pair(l, q, true);
    good = row_told(k, z, row[0], row[1], row[2 * q], row[2 * q + 1]);
  }
  return good;
}

/* 27 (q steps)^2 <= 2 X^3 */
static void most_of_pairs(const ledger *l, const mpz_t x, mpz_t most)
{
  unsigned long q = (unsigned long)l->group->pairs;
  mpz_pow_ui(most, x, 3);
  mpz_mul_ui(most, most, 2);
  mpz_fdiv_q_ui(most, most, 27 * q * q);
  mpz_sqrt(most, most);
}

static bool most_steps(const claimed *k, const ledger *l, const mpz_t x, mpz_t most)
{
  if (k->makers > 0 || k->tails)
    return coq_most_made(k, l, x, most);
  if (l->group->pairs > 0)
    most_of_pairs(l, x, most);
  else
    coq_law_root(l, x, NULL, most);
  return true;
}

/* ---- the cut ---- */

static bool count_steps(const claimed *k, const stating *z, mpz_t sum)
{
  for (int i = 0; i < z->n; i++)
    if (!coq_points(k->memory, &k->t.box[z->s->array], &z->region[i].where, sum))
      return false;
  return true;
}

static bool count_births(const claimed *k, mpz_t sum)
{
  for (int x = 0; x < k->t.form.arrays; x++)
    for (int q = 0; q < k->kinds[x].n; q++)
      for (int i = 0; k->counted[k->kinds[x].item[q].of] && i < k->starts[x][q].n; i++)
        if (!coq_points(k->memory, &k->t.box[x], &k->starts[x][q].item[i], sum))
          return false;
  return true;
}

/* The segments do not do all steps of the group; its events are added. */
static bool is_cut(const claimed *k, const bound_question *q, ledger *l, mpz_t events)
{
  SCOPED_MPZ x, steps;
  bool good = true;
  mpz_inits(x, steps, NULL);
  mpz_set_ui(l->first, (unsigned long)l->group->first);
  mpz_set_ui(l->length, (unsigned long)l->group->length);
  mpz_set_ui(l->others, (unsigned long)l->group->segments - 1);
  good = most_steps(k, l, l->first, l->most_first);
  mpz_add_ui(x, l->length, q->m);
  if (mpz_sgn(l->others) > 0)
    good = good && most_steps(k, l, x, l->most);
  for (int s = 0; s < l->group->statements && good; s++)
    good = count_steps(k, &l->of[s], steps);
  mpz_sub(steps, steps, l->most_first);
  mpz_submul(steps, l->others, l->most);
  mpz_add(events, events, l->first);
  mpz_addmul(events, l->others, l->length);
  mpz_add_ui(events, events, 1);
  return good && mpz_sgn(steps) > 0;
}

static bool in_a_ledger(const claimed *k, int array)
{
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);)
    for (int q = 0; q < k->kinds[array].n; q++)
      if (p.z->of[p.item] == k->kinds[array].item[q].of)
        return true;
  return false;
}

/* Events of all groups, inputs of no ledger, outputs, less births: as much as the value says. */
bool coq_affine_as_much(claimed *k, const bound_question *q, const bound *b)
{
  SCOPED_MPZ sum, births;
  bool good = true;
  mpz_inits(sum, births, NULL);
  for (int g = 0; g < k->c.groups && good; g++)
    good = is_cut(k, q, &k->l[g], sum);
  mpz_add(sum, sum, k->ends.outputs);
  for (int x = 0; x < k->t.form.arrays && good; x++)
    if (!in_a_ledger(k, x))
      mpz_add(sum, sum, k->ends.inputs_of[x]);
  good = good && (k->tails || count_births(k, births)); /* all words begin with inputs before they are cut */
  mpz_sub(sum, sum, births);
  return good && mpz_cmp(b->value, sum) <= 0;
}

/* Words of different groups are of different components. */
bool coq_ledgers_apart(const claimed *k)
{
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);)
    for (need_place o = { .item = -1 }; coq_next_need(k, &o);)
      if (p.group != o.group && p.z->of[p.item] == o.z->of[o.item])
        return false;
  return true;
}
