/* Operands that are never stored are read in one stay, which costs more than a store (docs/theory-affine.md,
   Theorem 4c). */
#include "base/num.h"
#include "base/scoped.h"
#include "bounds/check/affine/operands.h"
#include "bounds/check/affine/stored.h"
#include "bounds/checker.h"

void stored_facts_init(stored_facts *s)
{
  mpz_inits(s->work, s->births, s->ends, s->outputs, s->inputs, NULL);
  for (int i = 0; i < STORED_STEPS; i++)
    mpz_init(s->many[i]);
  s->steps = 0;
}

void stored_facts_clear(stored_facts *s)
{
  mpz_clears(s->work, s->births, s->ends, s->outputs, s->inputs, NULL);
  for (int i = 0; i < STORED_STEPS; i++)
    mpz_clear(s->many[i]);
}

int64_t stored_reads(int64_t degree, int i) { return degree + (degree * (i + 1) + 3) / 4; }

/* ---- the statement ---- */

/* Its own word and two needs, each in a column of its own; steps of one of them tell the words of the others. */
static bool has_three_needs(derivation *d, text *reason)
{
  const claim_group *g = &d->c->group[0];
  const statement_facts *t = &d->t[0];
  int own = -1;
  if (d->c->groups != 1 || g->statements != 1 || t->s->items != 3)
    return bound_refuse(reason, "not one statement with three needs");
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < i; k++)
      if (t->s->item[i].column == t->s->item[k].column)
        return bound_refuse(reason, "two needs in one column");
    for (int w = 0; w < t->s->item[i].ways; w++) {
      item_kind kind = t->s->item[i].way[w].kind;
      if (kind > ITEM_OPERAND)
        return bound_refuse(reason, "a need is made again");
      own = kind == ITEM_OWN ? i : own;
    }
  }
  if (own < 0 || !derivation_tells(d, t, (own + 1) % 3, own, (own + 2) % 3) ||
      !derivation_tells(d, t, (own + 2) % 3, own, (own + 1) % 3))
    return bound_refuse(reason, "two words do not tell their steps");
  return true;
}

/* ---- elements after which a word goes no further ---- */

static bool take_away(affine_facts *f, polyhedra *all, const polyhedra *take, int rank)
{
  polyhedra rest = { 0 };
  bool good = polyhedra_minus(&f->scratch, all, take, rank, &rest);
  *all = rest;
  return good;
}

/* Elements of the array that another one, which is live, follows on its word: some of them. */
static void followed(affine_facts *f, int array, polyhedra *found)
{
  for (int o = 0; o < f->words.n; o++) {
    const access *a = f->form.access[f->words.own[o]];
    const array_form *from = &f->form.array[a->from];
    for (int k = 0; a->to == array && k < from->live.n; k++) {
      bool exact;
      if (from->live.item[k]->vars > from->rank) /* quotients */
        continue;
      polyhedron *p = access_image(&f->scratch, a, from->live.item[k], f->form.array[array].rank, &exact);
      if (exact)
        polyhedra_add(&f->scratch, found, p);
    }
  }
}

/* Elements of the arrays that have words of the statement's kind, but inputs, outputs, operands, and those that go on.
 */
static bool count_loose(derivation *d, const operand_list *l, mpz_t loose)
{
  affine_facts *f = d->f;
  int component = f->words.component[d->t[0].s->array];
  SCOPED_MPZ n;
  mpz_init(n);
  for (int x = 0; x < f->form.arrays; x++) {
    const array_form *array = &f->form.array[x];
    polyhedra all = { 0 }, away = { 0 };
    if (f->words.component[x] != component)
      continue;
    for (int k = 0; k < array->domain.n; k++)
      polyhedra_add(&f->scratch, &all, array->domain.item[k]);
    for (int k = 0; k < l->n; k++)
      for (int p = 0; l->of[k].array == x && p < l->of[k].image.n; p++)
        polyhedra_add(&f->scratch, &away, l->of[k].image.item[p]);
    followed(f, x, &away);
    if (!array->known || !take_away(f, &all, &array->inputs, array->rank) ||
        !take_away(f, &all, &array->outputs, array->rank) || !take_away(f, &all, &away, array->rank) ||
        !polyhedra_count(&all, n))
      return false;
    mpz_add(loose, loose, n);
  }
  return true;
}

/* ---- operands by how many read them ---- */

/* Elements that steps of the piece read by way w, `reads` of them at least, one after another along a loop. */
static void read_often(affine_facts *f, const statement_facts *t, const way_facts *way, const polyhedron *piece,
                       int64_t reads, polyhedra *found)
{
  polyhedron *p = polyhedron_copy(&f->scratch, piece);
  if (way->where)
    polyhedron_meet(&f->scratch, p, way->where, t->rank);
  for (int r = 0; r < t->rank; r++) {
    linear last[CDAG_RANK];
    bool fixed = p->vars == t->rank && !p->open, exact; /* quotients would leave gaps */
    for (int k = 0; k < way->indices; k++) /* loops alone tell an operand */
      fixed = fixed && way->index[k].coef[r] == 0;
    if (!fixed)
      continue;
    linear_variables(last, t->rank, 0);
    last[r].base = reads - 1;
    polyhedron *both = polyhedron_copy(&f->scratch, p), *q = polyhedron_new(&f->scratch, way->indices);
    polyhedron_include(&f->scratch, both, p, last, t->rank);
    polyhedron_include(&f->scratch, q, both, NULL, 0);
    for (int k = 0; k < way->indices; k++) {
      linear y = linear_variable(k), moved;
      if (!linear_substitute(&way->index[k], NULL, 0, way->indices, &moved))
        return;
      polyhedron_same(&f->scratch, q, &y, &moved);
    }
    q = polyhedron_project(&f->scratch, q, way->indices, &exact);
    if (exact)
      polyhedra_add(&f->scratch, found, q);
  }
}

/* Operands that are no outputs and that so many steps read by one need. */
static bool count_often(derivation *d, int64_t reads, mpz_t many)
{
  affine_facts *f = d->f;
  const statement_facts *t = &d->t[0];
  SCOPED_MPZ n;
  mpz_init(n);
  mpz_set_ui(many, 0);
  for (int x = 0; x < f->form.arrays; x++) {
    polyhedra found = { 0 }, pieces = { 0 };
    const array_form *array = &f->form.array[x];
    for (need o = { 0, 0, -1 }; derivation_next_need(d, ITEM_OPERAND, &o);)
      for (int p = 0; t->way[o.i][o.w].to == x && p < t->steps.n; p++)
        read_often(f, t, &t->way[o.i][o.w], t->steps.item[p], reads, &found);
    if (!take_away(f, &found, &array->inputs, array->rank) || !take_away(f, &found, &array->outputs, array->rank) ||
        !polyhedra_disjoint(&f->scratch, &found, array->rank, &pieces) || !polyhedra_count(&pieces, n))
      return false;
    mpz_add(many, many, n);
  }
  return true;
}

bool stored_derive(affine_facts *f, const affine_claim *c, int64_t degree, stored_facts *s, text *reason)
{
  derivation *d;
  operand_list *l;
  if (!derivation_of(f, c, &d, &l, reason) || !has_three_needs(d, reason))
    return false;
  if (f->group[0].unit > 1)
    return bound_refuse(reason, "steps weigh different numbers");
  mpz_set(s->work, f->group[0].work);
  mpz_set(s->births, f->group[0].births);
  mpz_set(s->outputs, f->outputs);
  mpz_set(s->inputs, f->inputs);
  mpz_set_ui(s->ends, 0);
  bool good = count_loose(d, l, s->ends);
  for (int x = 0; x < f->form.arrays && good; x++)
    good = operands_runs(d, l, 0, x, s->ends);
  if (!good)
    return bound_refuse(reason, "the ends of words are not counted");
  for (s->steps = 0; s->steps < STORED_STEPS; s->steps++)
    if (!count_often(d, stored_reads(degree, s->steps), s->many[s->steps]) || mpz_sgn(s->many[s->steps]) == 0)
      break;
  return true;
}

/* ---- the bound ---- */

/* What an operand with so many reads in one stay costs at least, in the measure of H^2. */
static void stay_costs(const stored_claim *c, const mpz_t crossing, int64_t reads, mpz_t least)
{
  SCOPED_MPZ cost, part;
  mpz_inits(cost, part, NULL);
  for (int64_t k = 1; k == 1 || (k - 1) * c->degree < reads; k++) {
    int64_t more = num_max(0, reads - k * c->degree);
    mpz_set_si(part, more);
    mpz_mul_si(part, part, more);
    mpz_fdiv_q_ui(part, part, (unsigned long)k);
    mpz_mul_si(part, part, 4 * c->starts * (c->starts + c->ends));
    mpz_mul_si(cost, crossing, k - 1);
    mpz_add(cost, cost, part);
    if (k == 1 || mpz_cmp(cost, least) < 0)
      mpz_set(least, cost);
  }
}

/* Add what the operands make good: each the price of its store, or less when few read it; times `square`. */
static void add_kept(const stored_facts *s, const stored_claim *c, const mpz_t crossing, const mpz_t square, mpz_t sum)
{
  SCOPED_MPZ worth, before, full;
  mpz_inits(worth, before, full, NULL);
  mpz_mul_si(full, square, c->starts);
  for (int i = 0; i < s->steps && mpz_cmp(before, full) < 0; i++) {
    stay_costs(c, crossing, stored_reads(c->degree, i), worth);
    mpz_mul_si(worth, worth, c->length);
    if (mpz_cmp(worth, full) > 0)
      mpz_set(worth, full);
    mpz_sub(before, worth, before);
    if (mpz_sgn(before) > 0)
      mpz_addmul(sum, before, s->many[i]);
    mpz_set(before, worth);
  }
}

bool stored_value(const stored_facts *s, const stored_claim *c, int64_t m, mpz_t value, text *reason)
{
  int64_t both = c->ends + c->starts;
  SCOPED_MPZ most, square, work, crossing, other;
  mpz_inits(most, square, work, crossing, other, NULL);
  mpz_set_si(most, c->degree);
  mpz_mul_si(most, most, c->degree);
  mpz_set_si(other, m);
  mpz_add(most, most, other);
  mpz_mul_si(most, most, both);
  mpz_set_si(other, c->length + both - 1);
  mpz_add(most, most, other); /* H */
  mpz_mul(square, most, most);
  mpz_mul_si(work, s->work, 16 * c->degree);
  mpz_mul_si(work, work, c->starts * both);
  if (mpz_cmp(work, square) <= 0)
    return bound_refuse(reason, "one segment can do all the work");
  mpz_mul_2exp(crossing, most, 1);
  mpz_set_si(other, m);
  mpz_mul_si(other, other, c->ends);
  mpz_sub(crossing, crossing, other);
  mpz_mul_si(crossing, crossing, c->ends);
  /* all in the measure of H^2: the segments; then what is known besides of starts, ends, outputs, inputs */
  mpz_mul_si(value, work, c->length);
  add_kept(s, c, crossing, square, value);
  mpz_set_si(other, m);
  mpz_mul_si(other, other, c->starts);
  mpz_sub_ui(other, other, (unsigned long)c->length);
  mpz_submul_ui(other, s->births, (unsigned long)c->starts);
  mpz_submul_ui(other, s->ends, (unsigned long)c->ends);
  mpz_addmul_ui(other, s->outputs, (unsigned long)(c->starts - c->ends));
  mpz_addmul_ui(other, s->inputs, (unsigned long)c->starts);
  mpz_addmul(value, other, square);
  mpz_mul_si(square, square, c->starts);
  mpz_cdiv_q(value, value, square);
  return true;
}

/* ---- as JSON ---- */

void stored_claim_write(const stored_claim *c, json *j)
{
  json_put_int(j, "ends", c->ends);
  json_put_int(j, "starts", c->starts);
  json_put_int(j, "degree", c->degree);
  json_put_int(j, "length", c->length);
}

bool stored_claim_read(const json_value *v, stored_claim *c, text *reason)
{
  return (json_get_int64_in(v, "starts", 1, STORED_PRICE_MOST, &c->starts) &&
          json_get_int64_in(v, "ends", 0, c->starts, &c->ends) &&
          json_get_int64_in(v, "degree", 1, STORED_DEGREE_MOST, &c->degree) &&
          json_get_int64_in(v, "length", 1, INT64_MAX / 4, &c->length)) ||
         bound_refuse(reason, "prices, degree or length are not what they may be");
}
