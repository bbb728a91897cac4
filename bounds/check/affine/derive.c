/* From a claim to the numbers of its bound. */
#include "base/scoped.h"
#include "bounds/check/affine/operands.h"
#include "bounds/check/affine/relay.h"
#include "bounds/check/affine/tails.h"
#include "bounds/check/affine/mirror.h"
#include "bounds/check/affine/together.h"
#include "bounds/check/affine/weigh.h"
#include "base/big.h"
#include "base/num.h"
#include "cdag/polyhedral/ends.h"
#include "bounds/checker.h"
#include <math.h>
#include <string.h>

static void init_law(power_law *l) { mpz_inits(l->taken, l->room, NULL); }
static void clear_law(power_law *l) { mpz_clears(l->taken, l->room, NULL); }

/* One more where windows became chains. */
int64_t affine_pebbles(const affine_facts *f, int64_t m)
{
  for (int i = 0; i < f->form.arrays; i++)
    if (f->form.array[i].chain > 0)
      return m + 1;
  return m;
}

bool affine_facts_init(affine_facts *f, const cdag *g, affine_reading reading)
{
  *f = (affine_facts){ .reading = reading };
  bool there = true;
  if (reading == READ_AS_IT_IS)
    normal_form_init_split(&f->form, g);
  else
    there = reading == READ_MERGED   ? normal_form_init_merged(&f->form, g)
            : reading == READ_TAPPED ? normal_form_init_tapped(&f->form, g)
            : reading == READ_ENDS   ? normal_form_init_contracted(&f->form, g)
                                     : normal_form_init_fused(&f->form, g);
  if (!there) {
    normal_form_clear(&f->form);
    return false;
  }
  normal_form_keep_live(&f->form);
  mpz_inits(f->outputs, f->inputs, NULL);
  for (int i = 0; i < CLAIM_GROUPS; i++) {
    mpz_inits(f->group[i].work, f->group[i].births, NULL);
    init_law(&f->group[i].law);
    for (int k = 0; k < CLAIM_STATEMENTS; k++)
      init_law(&f->group[i].part[k].law);
  }
  return true;
}

void affine_facts_clear(affine_facts *f)
{
  for (int i = 0; i < CLAIM_GROUPS; i++) {
    mpz_clears(f->group[i].work, f->group[i].births, NULL);
    clear_law(&f->group[i].law);
    for (int k = 0; k < CLAIM_STATEMENTS; k++)
      clear_law(&f->group[i].part[k].law);
  }
  mpz_clears(f->outputs, f->inputs, NULL);
  normal_form_clear(&f->form);
  arena_clear(&f->scratch);
  arena_clear(&f->memory);
}

/* ---- all statements of all groups ---- */

static bool at_hand(const derivation *d, int a, int group)
{
  int first = a;
  while (first > 0 && d->group[first - 1] == group)
    first--;
  return d->group[a] == group && (d->part < 0 || d->f->group[group].part_of[a - first] == d->part);
}

/* Items of different columns never share a word; where they do so at few steps, these do not count. */
static bool columns_differ(derivation *d, text *reason)
{
  for (int pass = 0; pass < 2; pass++)
    for (int a = 0; a < d->n; a++)
      for (int i = 0; i < d->t[a].s->items; i++)
        for (int b = 0; b <= a; b++)
          for (int k = 0; k < (b == a ? i : d->t[b].s->items); k++) {
            if (derivation_same_column(d, a, i, b, k) || items_apart(&d->t[a], i, &d->t[b], k))
              continue;
            if (pass > 0 || !items_part(d->f, &d->t[a], i, &d->t[b], k))
              return bound_refuse(reason, "words of two columns may be the same");
          }
  return true;
}

/* ---- what words allow ---- */

/* The powers of a statement, over den, cover its loops: those that items leave uncovered are paid by their extents.
   kappa: extents, and views of a word, to these powers, over den / by. */
static bool cover(const statement_facts *t, int64_t den, int64_t by, mpz_t kappa)
{
  coordinates c;
  int64_t covered[CLAIM_LOOPS];
  if (!coordinates_of(t, &c))
    return false;
  coordinates_covered(t, &c, covered);
  mpz_set_ui(kappa, 1);
  for (int p = 0; p < c.n; p++)
    if (covered[p] < den)
      big_times_power64(kappa, c.extent[p], (den - covered[p]) / by);
  for (int i = 0; i < t->s->items; i++) /* words are fewer than their views */
    if (t->s->item[i].views)
      big_times_power64(kappa, t->s->item[i].ways, t->s->item[i].power / by);
  return true;
}

/* Do the words of the column tell statements a and b apart? */
static bool column_tells(const derivation *d, int a, int b, int column)
{
  for (int i = 0; i < d->t[a].s->items; i++)
    for (int k = 0; k < d->t[b].s->items; k++)
      if (d->t[a].s->item[i].column == column && d->t[b].s->item[k].column == column &&
          !items_apart(&d->t[a], i, &d->t[b], k))
        return false;
  return true;
}

/* The powers of columns that tell the statements, alone or in twos. */
static int64_t telling_powers(const derivation *d, int group, const int64_t *power)
{
  uint32_t tells[CLAIM_STATEMENTS * CLAIM_STATEMENTS];
  int64_t sum = 0, left[CLAIM_COLUMNS];
  int pairs = 0;
  memcpy(left, power, sizeof left);
  for (int a = 0; a < d->n; a++)
    for (int b = 0; b < a && at_hand(d, a, group); b++) {
      if (!at_hand(d, b, group))
        continue;
      tells[pairs] = 0;
      for (int c = 0; c < CLAIM_COLUMNS; c++)
        tells[pairs] |= (uint32_t)(power[c] && column_tells(d, a, b, c)) << c;
      pairs++;
    }
  for (int alone = 1; alone >= 0; alone--)
    for (int c = 0; c < CLAIM_COLUMNS; c++)
      for (int e = alone ? c : c + 1; e < (alone ? c + 1 : CLAIM_COLUMNS); e++) {
        int64_t least = num_min(left[c], left[e]);
        for (int k = 0; k < pairs; k++)
          least = tells[k] >> c & 1 || tells[k] >> e & 1 ? least : 0;
        sum += least;
        left[c] -= least;
        left[e] -= alone ? 0 : least;
      }
  return sum;
}

/* The powers of the columns, the same in each statement. */
static bool column_powers(derivation *d, int group, int64_t *power, text *reason)
{
  bool first = true;
  for (int a = 0; a < d->n; a++) {
    int64_t own[CLAIM_COLUMNS] = { 0 };
    if (!at_hand(d, a, group))
      continue;
    for (int i = 0; i < d->t[a].s->items; i++)
      own[d->t[a].s->item[i].column] += d->t[a].s->item[i].power;
    if (first)
      memcpy(power, own, sizeof own);
    first = false;
    if (memcmp(power, own, sizeof own) != 0)
      return bound_refuse(reason, "siblings have other powers");
  }
  return true;
}

/* What divides all powers and their denominator. */
static int64_t common_divisor(const derivation *d, int group)
{
  int64_t by = d->c->group[group].den;
  for (int a = 0; a < d->n; a++)
    for (int i = 0; i < d->t[a].s->items && at_hand(d, a, group); i++)
      by = num_gcd(by, d->t[a].s->item[i].power);
  return by;
}

static void set_guess(group_facts *g)
{
  long a, b;
  double x = mpz_get_d_2exp(&a, g->law.room), y = mpz_get_d_2exp(&b, g->law.taken);
  g->guess_s = (double)g->law.power / (double)g->law.degree;
  g->guess_c = exp((log(x) - log(y) + (double)(a - b) * log(2)) / (double)g->law.degree);
}

/* The greatest of the statements', or of all in one space. */
static bool cover_all(derivation *d, int group, int64_t by, mpz_t kappa, text *reason)
{
  const claim_group *c = &d->c->group[group];
  const statement_facts *t[CLAIM_STATEMENTS];
  statement_facts *u = ARENA_NEW(&d->f->scratch, statement_facts, 1);
  claim_statement *like = ARENA_NEW(&d->f->scratch, claim_statement, 1);
  int n = 0;
  for (int a = 0; a < d->n; a++)
    if (at_hand(d, a, group))
      t[n++] = &d->t[a];
  if (c->together) {
    for (int a = 0; a < n; a++)
      if (t[a]->rank != c->together)
        return bound_refuse(reason, "a statement has other dimensions than the space");
    return statements_together(d->f, t, n, like, u, reason) && cover(u, c->den, by, kappa);
  }
  mpz_t one;
  bool good = true;
  mpz_init(one);
  mpz_set_ui(kappa, 1);
  for (int a = 0; a < n && good; a++) {
    good = cover(t[a], c->den, by, one);
    if (mpz_cmp(one, kappa) > 0)
      mpz_set(kappa, one);
  }
  mpz_clear(one);
  return good;
}

/* Two statements of three columns, each to the power 1/2, with a centre that is read both ways round: 32/27 for their
   number. */
static bool group_mirrored(derivation *d, int group, const int64_t *power)
{
  int two[2], n = 0, telling = -1, columns = 0;
  bool good = true;
  for (int a = 0; a < d->n; a++)
    if (at_hand(d, a, group)) {
      if (n == 2)
        return false;
      two[n++] = a;
    }
  for (int c = 0; c < CLAIM_COLUMNS; c++) {
    columns += power[c] > 0;
    good = good && power[c] <= 1;
  }
  for (int c = 0; c < CLAIM_COLUMNS && n == 2 && good; c++)
    telling = power[c] && telling < 0 && column_tells(d, two[1], two[0], c) ? c : telling;
  return good && columns == 3 && telling >= 0 && mirrored(d->f, &d->t[two[0]], &d->t[two[1]], telling);
}

/* work^den <= kappa q^(den - private) prod (P_c / P)^(P_c) X^P; in one space without the power of q, and 32/27 in its
   place where the statements are mirrored.  Those of the
   columns of the block are summed up beside. */
static bool by_columns(derivation *d, int group, power_law *law, uint32_t block, unsigned long *of_block, text *reason)
{
  const claim_group *c = &d->c->group[group];
  int64_t power[CLAIM_COLUMNS] = { 0 }, sum = 0, told = 0, siblings = 0, by = common_divisor(d, group),
          den = c->den / by;
  if (!column_powers(d, group, power, reason))
    return false;
  for (int a = 0; a < d->n; a++)
    siblings += at_hand(d, a, group);
  *of_block = 0;
  mpz_set_ui(law->taken, 1);
  bool good = cover_all(d, group, by, law->room, reason);
  for (int k = 0; k < CLAIM_COLUMNS; k++) {
    power[k] /= by;
    sum += power[k];
    *of_block += block >> k & 1 ? (unsigned long)power[k] : 0;
    if (power[k])
      big_times_power64(law->room, power[k], power[k]);
  }
  if (siblings > 1 && !c->together)
    told = telling_powers(d, group, power);
  d->f->group[group].mirrored = den == 2 && told == 1 && d->part < 0 && block == 0 && group_mirrored(d, group, power);
  if (d->f->group[group].mirrored) {
    mpz_mul_ui(law->room, law->room, 32);
    mpz_mul_ui(law->taken, law->taken, 27);
  } else if (siblings > 1 && !c->together && told < den)
    big_times_power64(law->room, siblings, den - told);
  if (sum > 0)
    big_times_power64(law->taken, sum, sum);
  law->degree = (unsigned long)den;
  law->power = (unsigned long)sum;
  return (good && sum > 0) || bound_refuse(reason, "the loops are not told");
}

/* Each part has a law of its own; the sum of their work is to be convex in the words. */
static bool by_parts(derivation *d, int group, text *reason)
{
  group_facts *g = &d->f->group[group];
  bool good = true;
  for (int i = 0; i < g->parts && good; i++) {
    part_facts *p = &g->part[g->order[i]];
    d->part = g->order[i];
    good = by_columns(d, group, &p->law, p->block, &p->power, reason);
    if (good && p->law.power < p->law.degree)
      good = bound_refuse(reason, "words of a part do less and less");
  }
  d->part = -1;
  if (good) { /* a guess: all words where most work is */
    const power_law *first = &g->part[g->order[0]].law;
    mpz_set(g->law.room, first->room);
    mpz_set(g->law.taken, first->taken);
    g->law.degree = first->degree;
    g->law.power = first->power;
  }
  return good;
}

/* The columns of needs with tails. */
static uint32_t tail_block(const derivation *d, int group)
{
  uint32_t block = 0;
  for (need n = { 0, 0, -1 }; derivation_next_need(d, ITEM_TAIL, &n);)
    if (d->group[n.a] == group)
      block |= 1u << d->t[n.a].s->item[n.i].column;
  return block;
}

/* ---- rows in pairs: work <= (w / q) sqrt(t / 2) ---- */

/* A polyhedron that holds all steps: of the constraints of each piece those that hold on all. */
static polyhedron *hull_of_steps(derivation *d, const statement_facts *t)
{
  polyhedron *hull = polyhedron_new(&d->f->scratch, t->rank);
  for (int p = 0; p < t->steps.n; p++)
    for (int i = 0; i < t->steps.item[p]->n; i++) {
      const constraint *c = &t->steps.item[p]->row[i];
      bool all = true;
      for (int v = t->rank; v < POLYHEDRON_VARS; v++)
        all = all && c->form.coef[v] == 0;
      for (int q = 0; q < t->steps.n && all; q++)
        all = q == p || polyhedron_implies(t->steps.item[q], &c->form, c->equal);
      if (all)
        polyhedron_add(&d->f->scratch, hull, &c->form, c->equal);
    }
  return hull;
}

/* Copies of the steps of t, with equalities between what items are at them; some combination of pieces has a point? */
typedef struct { int a, i, b, k; } equality;
static bool copies_meet(derivation *d, const statement_facts *t, int copies, const equality *e, int equalities,
                        int less_a, int less_b, int loop)
{
  int choice[4] = { 0 };
  for (;;) {
    SCOPED_ARENA memory = { 0 };
    int at[4];
    polyhedron *p = polyhedron_new(&memory, 0);
    (void)d;
    for (int c = 0; c < copies; c++) {
      at[c] = p->vars;
      if (at[c] + t->steps.item[choice[c]]->vars > POLYHEDRON_VARS)
        return true; /* too many quotients to look at */
      polyhedron_include(&memory, p, t->steps.item[choice[c]], NULL, 0);
    }
    for (int q = 0; q < equalities; q++)
      for (int r = 0; r < t->forms[e[q].i]; r++) {
        linear f, g;
        if (linear_substitute(&t->form[e[q].i][r], NULL, 0, at[e[q].a], &f) &&
            linear_substitute(&t->form[e[q].k][r], NULL, 0, at[e[q].b], &g))
          polyhedron_same(&memory, p, &f, &g);
      }
    if (loop >= 0) {
      linear x = linear_variable(at[less_a] + loop), y = linear_variable(at[less_b] + loop);
      x.base = 1;
      polyhedron_require(&memory, p, &x, &y);
    }
    bool meet = !polyhedron_empty(p);
    if (meet)
      return true;
    int c = 0;
    while (c < copies && ++choice[c] == t->steps.n)
      choice[c++] = 0;
    if (c == copies)
      return false;
  }
}

/* Four copies of many pieces are too much to look at: then one piece that holds all steps. */
static statement_facts few_pieces(derivation *d, const statement_facts *all)
{
  statement_facts once = *all;
  if (all->steps.n > 2) {
    polyhedron *hull = hull_of_steps(d, all);
    once.steps = (polyhedra){ 0 };
    polyhedra_add(&d->f->scratch, &once.steps, hull);
  }
  return once;
}

bool derivation_tells(derivation *d, const statement_facts *all, int centre, int a, int b)
{
  statement_facts t = few_pieces(d, all);
  const equality told[] = { { 0, centre, 1, centre }, { 2, centre, 3, centre }, { 0, a, 2, a }, { 1, b, 3, b } };
  for (int r = 0; r < t.rank; r++)
    if (copies_meet(d, &t, 4, told, 4, 0, 2, r) || copies_meet(d, &t, 4, told, 4, 1, 3, r))
      return false;
  return true;
}

/* Steps S, S' of one chain give the words a(S) and b(S'): never the same, never in the other order, and they tell S and
 * S'. */
static bool pairs_hold(derivation *d, const statement_facts *all, int own, int a, int b)
{
  statement_facts t = few_pieces(d, all);
  equality same[] = { { 0, own, 1, own }, { 0, a, 1, b } };
  equality turned[] = { { 0, own, 1, own }, { 2, own, 3, own }, { 0, a, 3, b }, { 1, b, 2, a } };
  return !copies_meet(d, &t, 2, same, 2, 0, 0, -1) && !copies_meet(d, &t, 4, turned, 4, 0, 0, -1) &&
         derivation_tells(d, all, own, a, b);
}

/* Different rows by the first pair's words have different words of this pair; wherever a row stands. */
static bool rows_hold(derivation *d, const statement_facts *t, int a, int b, int more_a, int more_b)
{
  const int first[2] = { a, b }, more[2] = { more_a, more_b };
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++)
      for (int r = 0; r < t->forms[a]; r++)
        for (int side = 0; side < 2; side++) {
          /* more_x(S) = more_y(R) but first_x(S) and first_y(R) differ in form r */
          for (int p = 0; p < t->steps.n; p++)
            for (int q = 0; q < t->steps.n; q++) {
              SCOPED_ARENA memory = { 0 };
              int shift;
              linear f, g = t->form[first[x]][r];
              polyhedron *both = polyhedron_beside(&memory, t->steps.item[p], t->steps.item[q], &shift);
              bool good = linear_substitute(&t->form[first[y]][r], NULL, 0, shift, &f);
              for (int k = 0; k < t->forms[more[x]] && good; k++) {
                linear moved;
                good = linear_substitute(&t->form[more[y]][k], NULL, 0, shift, &moved);
                polyhedron_same(&memory, both, &t->form[more[x]][k], &moved);
              }
              *(side ? &f : &g) = side ? f : g;
              (side ? &f : &g)->base += 1;
              polyhedron_require(&memory, both, side ? &f : &g, side ? &g : &f);
              good = good && polyhedron_empty(both);
              if (!good)
                return false;
            }
        }
  (void)d;
  return true;
}

/* Are the forms of both the same functions of a word or a vertex?  A step's own word may be one that is read. */
static bool alike(const statement_facts *t, int a, int b)
{
  const claim_item *x = &t->s->item[a], *y = &t->s->item[b];
  bool same = x->ways == y->ways && t->forms[a] == t->forms[b];
  for (int w = 0; w < x->ways && same; w++) {
    const way_facts *u = &t->way[a][w], *v = &t->way[b][w];
    bool kin = x->way[w].kind <= ITEM_READ && y->way[w].kind <= ITEM_READ;
    same = (kin || x->way[w].kind == y->way[w].kind) && u->component == v->component && !u->reduced && !v->reduced;
    same = same && (x->way[w].kind != ITEM_OPERAND || u->to == v->to);
    for (int k = 0; k < t->forms[a] && same; k++)
      same = u->pick[k] == v->pick[k] && u->shift[k] == v->shift[k];
  }
  return same;
}

/* ---- triangles: work <= sqrt(2) / 3 w^(3/2) ---- */

/* Items x, y, z are words (u, v), (u, w), (v, w) in their forms p and q, u, v and w in one order; all others forms are
   the same in each. */
static bool triangle_at(const statement_facts *t, int x, int y, int z, int p, int q)
{
  for (int k = 0; k < t->forms[x]; k++)
    if (k != p && k != q && !(linear_equal(&t->form[x][k], &t->form[y][k]) &&
                              linear_equal(&t->form[x][k], &t->form[z][k])))
      return false;
  const linear *u = &t->form[x][p], *v = &t->form[z][p];
  linear w = t->form[y][q], shift = t->form[x][q];
  if (!linear_equal(u, &t->form[y][p]) || !linear_equal(&w, &t->form[z][q]) || !linear_add(&shift, v, -1) ||
      !linear_is_constant(&shift))
    return false;
  w.base -= shift.base;        /* numbers in form q are those in form p, shifted */
  return (always_less(t, v, u) && always_less(t, &w, v)) || (always_less(t, u, v) && always_less(t, v, &w));
}

static bool triangles_hold(derivation *d, const statement_facts *t)
{
  static const int order[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  const equality told[] = { { 0, 0, 1, 0 }, { 0, 1, 1, 1 }, { 0, 2, 1, 2 } };
  bool found = false;
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    for (int p = 0; p < t->forms[0]; p++)
      for (int q = 0; q < t->forms[0] && !found; q++)
        found = p != q && triangle_at(t, order[k][0], order[k][1], order[k][2], p, q);
  for (int r = 0; r < t->rank && found; r++)
    found = !copies_meet(d, t, 2, told, 3, 0, 1, r);
  return found;
}

/* ---- */

static void set_law(group_facts *g, unsigned long room, long taken)
{
  g->law.degree = 2;
  g->law.power = 3;
  g->tail.power = 2;
  mpz_set_ui(g->law.room, room);
  mpz_set_si(g->law.taken, taken);
}

static bool by_pairs(derivation *d, int group, text *reason)
{
  const claim_group *c = &d->c->group[group];
  group_facts *g = &d->f->group[group];
  const statement_facts *t = NULL;
  for (int a = 0; a < d->n; a++)
    if (d->group[a] == group)
      t = &d->t[a];
  int centre = 2 * c->pairs;
  if (c->statements != 1 || t->s->items != centre + 1)
    return bound_refuse(reason, "pairs need one statement with one more need");
  if (t->s->item[centre].way[0].kind != ITEM_OWN && c->tail)
    return bound_refuse(reason, "pairs with tails need their own word last");
  for (int i = 0; i < centre; i++)
    if (!alike(t, i, i ^ 1) || t->s->item[i].column != t->s->item[0].column)
      return bound_refuse(reason, "a pair is not of one kind");
  g->triangles = t->s->item[0].column == t->s->item[centre].column;
  if (g->triangles) {
    set_law(g, 2, 9);
    return (c->pairs == 1 && !c->tail && alike(t, 0, centre) && triangles_hold(d, t)) ||
           bound_refuse(reason, "words of one column are no triangles");
  }
  if (!pairs_hold(d, t, centre, 0, 1))
    return bound_refuse(reason, "pairs of rows are not told apart");
  for (int q = 1; q < c->pairs; q++) {
    for (int i = 2 * q; i < 2 * q + 2; i++)
      for (int k = 0; k < 2 * q; k++)
        if (!items_apart(t, i, t, k))
          return bound_refuse(reason, "two pairs share words");
    if (!rows_hold(d, t, 0, 1, 2 * q, 2 * q + 1))
      return bound_refuse(reason, "rows do not have words of their own in every array");
  }
  /* work <= (w/q) (t/2)^(1/2), w + t <= X: work^2 2 q^2 27 <= 4 X^3 */
  set_law(g, 4, 54L * c->pairs * c->pairs);
  return true;
}

/* ---- inputs and outputs that are left ---- */

static bool in_a_ledger(const derivation *d, int x)
{
  for (int a = 0; a < d->n; a++)
    for (int i = 0; i < d->t[a].s->items; i++)
      for (int w = 0; w < d->t[a].s->item[i].ways; w++)
        if (d->t[a].s->item[i].way[w].kind != ITEM_OPERAND && d->t[a].way[i][w].component == d->f->words.component[x])
          return true;
  return false;
}

static void count_ends(derivation *d)
{
  affine_facts *f = d->f;
  const polyhedra none = { 0 };
  SCOPED_MPZ inputs, outputs;
  mpz_inits(inputs, outputs, NULL);
  mpz_set_ui(f->outputs, 0);
  mpz_set_ui(f->inputs, 0);
  for (int x = 0; x < f->form.arrays; x++) {
    array_ends(&f->form.array[x], &f->scratch, &none, inputs, outputs);
    mpz_add(f->outputs, f->outputs, outputs);
    if (!in_a_ledger(d, x))
      mpz_add(f->inputs, f->inputs, inputs);
  }
}

/* ---- */

static bool each_statement(derivation *d, text *reason)
{
  for (int g = 0; g < d->c->groups; g++)
    for (int s = 0; s < d->c->group[g].statements; s++) {
      d->group[d->n] = g;
      if (!statement_facts_of(d->f, &d->c->group[g].statement[s], &d->t[d->n], reason))
        return false;
      d->n++;
    }
  return true;
}

/* Where the two words of a pair are one, there is no step: a row with itself. */
static bool rows_part(derivation *d, text *reason)
{
  for (int a = 0; a < d->n; a++) {
    const claim_group *c = &d->c->group[d->group[a]];
    statement_facts *t = &d->t[a];
    polyhedra away = { 0 }, rest = { 0 };
    for (int p = 0; c->pairs > 0 && p < t->steps.n; p++) {
      polyhedron *same = polyhedron_copy(&d->f->scratch, t->steps.item[p]);
      for (int r = 0; r < t->forms[0] && t->forms[0] == t->forms[1]; r++)
        polyhedron_same(&d->f->scratch, same, &t->form[0][r], &t->form[1][r]);
      if (!polyhedron_empty(same))
        polyhedra_add(&d->f->scratch, &away, same);
    }
    if (away.n == 0)
      continue;
    if (!polyhedra_minus(&d->f->scratch, &t->steps, &away, t->rank, &rest) || rest.n == 0)
      return bound_refuse(reason, "no pairs are left");
    t->steps = rest;
  }
  return true;
}

bool affine_words(affine_facts *f, const affine_claim *c, text *reason)
{
  bool same =
      f->words.f && f->words.n == c->owns && memcmp(f->words.own, c->own, (size_t)c->owns * sizeof *c->own) == 0;
  for (int i = 0; i < c->owns; i++)
    if (c->own[i] >= f->form.accesses)
      return bound_refuse(reason, "there is no access %d", c->own[i]);
  if (same || words_init(&f->words, &f->form, &f->memory, c->own, c->owns))
    return true;
  f->words.f = NULL;
  return bound_refuse(reason, "the words are not shown to be disjoint paths");
}

static bool in_range(const affine_facts *f, const affine_claim *c, text *reason)
{
  for (int g = 0; g < c->groups; g++)
    for (int s = 0; s < c->group[g].statements; s++) {
      const claim_statement *of = &c->group[g].statement[s];
      bool good = of->array < f->form.arrays;
      bool views = false;
      for (int i = 0; i < of->items && good; i++) {
        views = views || of->item[i].views;
        for (int w = 0; w < of->item[i].ways && good; w++)
          good = of->item[i].way[w].access < f->form.accesses;
      }
      if (!good)
        return bound_refuse(reason, "a statement names what there is not");
      /* rows may hold words of any ledger */
      if (c->group[g].tail && c->groups != 1)
        return bound_refuse(reason, "tails stand in a group of their own");
      if (c->group[g].together && (c->group[g].tail || c->group[g].pairs))
        return bound_refuse(reason, "tails or pairs in one space");
      if (views && (c->group[g].together || c->group[g].tail || c->group[g].pairs))
        return bound_refuse(reason, "views stand in a group without tails, pairs and space");
    }
  return true;
}

static bool some_need(const derivation *d, item_kind kind, int group)
{
  need n = { 0, 0, -1 };
  while (derivation_next_need(d, kind, &n))
    if (d->group[n.a] == group)
      return true;
  return false;
}

/* What is read with tails, or made by other statements, if something is. */
static bool group_tails(derivation *d, int group, text *reason)
{
  const claim_group *c = &d->c->group[group];
  group_facts *g = &d->f->group[group];
  bool tail = some_need(d, ITEM_TAIL, group), made = some_need(d, ITEM_MADE, group);
  statement_facts *t[CLAIM_STATEMENTS];
  int n = 0;
  g->tail = (tail_facts){ 0 };
  g->parts = 0;
  if ((tail || made) != (c->tail > 0))
    return bound_refuse(reason, "a tail without a need, or a need without");
  for (int a = 0; a < d->n; a++)
    if (d->group[a] == group)
      t[n++] = &d->t[a];
  if (tail && (made || n != 1))
    return bound_refuse(reason, "tails stand in a group of one statement");
  return tail ? tails_hold(d->f, t[0], c, g, reason) : !made || relay_holds(d->f, t, n, c, g, reason);
}

/* Does some word go on through a part?  Then a part may be that word's vertex as well. */
static bool words_by_parts(const affine_facts *f, const affine_claim *c)
{
  bool some = false;
  for (int i = 0; i < c->owns; i++)
    some = some || f->form.access[c->own[i]]->through != BY_ITSELF;
  return some;
}

/* Of steps that have others as parts each part that is in memory spares few: then all counted steps of an array stand
   in one statement, and what is allowed is a power. */
static bool parts_counted_once(const affine_facts *f, const affine_claim *c, text *reason)
{
  if (c->groups > 1 && words_by_parts(f, c))
    return bound_refuse(reason, "several groups where words go on through parts");
  for (int g = 0; g < c->groups && f->reading == READ_FUSED; g++)
    for (int s = 0; s < c->group[g].statements; s++) {
      if (c->group[g].tail)
        return bound_refuse(reason, "tails where elements are parts of others");
      for (int h = 0; h <= g; h++)
        for (int t = 0; t < (h < g ? c->group[h].statements : s); t++)
          if (c->group[h].statement[t].array == c->group[g].statement[s].array)
            return bound_refuse(reason, "an array counts twice, and has parts");
    }
  return true;
}

/* Parts that spare steps, and words for the others: all of the one or of the other is most where work grows no slower
   than words. */
static bool parts_spare(const group_facts *g, text *reason)
{
  return g->part_steps == 0 || g->part_words || g->law.power >= g->law.degree ||
         bound_refuse(reason, "words of elements with parts do less and less");
}

static bool count_work(derivation *d, int group, text *reason)
{
  group_facts *g = &d->f->group[group];
  bool good = true;
  SCOPED_MPZ part;
  mpz_init(part);
  mpz_set_ui(g->work, 0);
  for (int a = 0, k = 0; a < d->n && good; a++)
    if (d->group[a] == group) {
      g->steps[k++] = d->t[a].steps;
      good = steps_count(&d->t[a], part) || bound_refuse(reason, "the steps are not counted");
      mpz_add(g->work, g->work, part);
    }
  return good;
}

/* Steps of one statement may weigh more than one: then work and law are in smaller units. */
static void weigh(derivation *d, int group)
{
  group_facts *g = &d->f->group[group];
  const claim_group *c = &d->c->group[group];
  bool plain = c->statements == 1 && !c->together && !c->pairs && !c->tail && g->part_steps == 0;
  for (int a = 0; a < d->n && plain; a++)
    if (d->group[a] == group && steps_weigh(&d->f->scratch, &d->t[a], c->den, g->work)) {
      g->unit = WEIGHT_UNIT;
      big_times_power64(g->law.room, g->unit, (int64_t)g->law.degree);
    }
}

bool derivation_of(affine_facts *f, const affine_claim *c, derivation **whole, operand_list **operands, text *reason)
{
  if (!affine_words(f, c, reason) || !in_range(f, c, reason) || !parts_counted_once(f, c, reason))
    return false;
  arena_clear(&f->scratch);
  derivation *d = *whole = ARENA_NEW(&f->scratch, derivation, 1);
  operand_list *l = *operands = ARENA_NEW(&f->scratch, operand_list, 1);
  d->f = f;
  d->c = c;
  d->part = -1;
  f->operands = false;
  bool good = each_statement(d, reason) && rows_part(d, reason) &&
              columns_differ(d, reason) && operands_find(d, l, reason);
  for (int g = 0; g < c->groups && good; g++) {
    mpz_set_ui(f->group[g].births, 0);
    f->group[g].part_steps = f->form.part_steps;
    f->group[g].part_words = words_by_parts(f, c);
    f->group[g].unit = 1;
    f->group[g].triangles = f->group[g].mirrored = false;
    good = group_tails(d, g, reason);
    good = good && count_work(d, g, reason) && operands_births(d, l, g, reason) &&
           (c->group[g].pairs       ? by_pairs(d, g, reason)
            : f->group[g].parts ? by_parts(d, g, reason)
                                : by_columns(d, g, &f->group[g].law, tail_block(d, g), &f->group[g].tail.power,
                                             reason));
    good = good && parts_spare(&f->group[g], reason) && (!f->group[g].mirrored || count_work(d, g, reason));
    if (good) {
      weigh(d, g);
      set_guess(&f->group[g]);
    }
  }
  if (good)
    count_ends(d);
  return good;
}

bool affine_derive(affine_facts *f, const affine_claim *c, text *reason)
{
  derivation *d;
  operand_list *l;
  return derivation_of(f, c, &d, &l, reason);
}

void group_most(const group_facts *g, const mpz_t x, mpz_t work)
{
  mpz_t t;
  if (g->parts) {
    relay_most(g, x, work);
    return;
  }
  if (g->tail.slots) {
    tails_most(g, x, work);
    return;
  }
  mpz_init(t);
  law_most(&g->law, x, work);
  mpz_mul_ui(t, x, (unsigned long)g->part_steps);
  if (g->part_words)
    mpz_add(work, work, t);
  else if (mpz_cmp(work, t) < 0)
    mpz_set(work, t);
  mpz_clear(t);
}

/* first + (n - 1) length events do less than all the work: there is one more. */
static bool group_events(const group_facts *g, const claim_group *c, int64_t m, mpz_t events)
{
  mpz_t x, part, sum;
  bool good = c->segments >= 1 && c->first >= 0 && c->length >= 0 && (c->segments == 1 || c->length > 0);
  mpz_inits(x, part, sum, NULL);
  mpz_set_si(x, c->first);
  group_most(g, x, sum);
  if (c->segments > 1) {
    mpz_set_si(x, c->length);
    mpz_add_ui(x, x, (unsigned long)m);
    group_most(g, x, part);
    mpz_mul_si(part, part, c->segments - 1);
    mpz_add(sum, sum, part);
  }
  good = good && mpz_cmp(sum, g->work) < 0;
  mpz_set_si(events, c->length);
  mpz_mul_si(events, events, c->segments - 1);
  mpz_set_si(x, c->first);
  mpz_add(events, events, x);
  mpz_add_ui(events, events, 1);
  mpz_clears(x, part, sum, NULL);
  return good;
}

bool affine_value(const affine_facts *f, const affine_claim *c, int64_t m, mpz_t value, text *reason)
{
  mpz_t events;
  bool good = true;
  mpz_init(events);
  mpz_add(value, f->inputs, f->outputs);
  for (int g = 0; g < c->groups && good; g++) {
    good = group_events(&f->group[g], &c->group[g], m, events) ||
           bound_refuse(reason, "the segments of group %d can do all its work", g);
    mpz_sub(events, events, f->group[g].births);
    if (mpz_sgn(events) > 0)
      mpz_add(value, value, events);
  }
  mpz_clear(events);
  return good;
}
