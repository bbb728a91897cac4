/* Words that may be made by rows and columns (docs/theory-affine.md, section 4.2), as AffineClaim.v and
   AffineCertificate.v ask for them. */
#include "bounds/coq/affine_internal.h"
#include "base/num.h"
#include "base/scoped.h"

enum { PARTS = 16 }; /* on each a square lies below its chord */

static int row_component(const claimed *k, const maker *m) { return component(k, access_of(k, m->row)->to); }
static int column_component(const claimed *k, const maker *m) { return component(k, access_of(k, m->column)->to); }
static int made_array(const claimed *k, const maker *m) { return access_of(k, m->before)->from; }

bool coq_moves_by(const claimed *k, const maker *m, const linear *f, int64_t *by)
{
  const access *x = access_of(k, m->before);
  linear moved;
  if (!linear_substitute(f, x->index, k->t.box[x->to].n, 0, &moved))
    return false;
  *by = moved.base - f->base;
  moved.base = f->base;
  return coq_same(&k->t.box[x->from], &k->t.where[m->before], &moved, f);
}

/* Is the form one of those of the words that an access reads? */
static bool is_form_of(const claimed *k, const maker *m, int a, const linear *f)
{
  linear all[LABELS_MOST];
  coq_forms none = { 0 };
  int n = coq_labels_read(k, a, all);
  bool is = false;
  for (int i = 0; i < n; i++)
    is = is || coq_same(&k->t.box[made_array(k, m)], &none, f, &all[i]);
  return is;
}

/* Words that begin with inputs, another for each element of the chain. */
static bool reads_move(const claimed *k, const maker *m, int a)
{
  linear f[LABELS_MOST];
  int n = coq_labels_read(k, a, f);
  bool good = n > 0, move = false;
  for (int i = 0; i < n && good; i++) {
    int64_t by;
    good = coq_moves_by(k, m, &f[i], &by);
    move = move || (good && by != 0);
  }
  for (int i = 0; i < k->t.where[a].n && good; i++) {
    int64_t by;
    good = coq_moves_by(k, m, &k->t.where[a].item[i], &by);
  }
  return good && move && coq_is_single(k, a, &k->t.where[a]) && coq_all_rooted(k, component(k, access_of(k, a)->to));
}

bool coq_is_maker(const claimed *k, const maker *m)
{
  int x = made_array(k, m);
  int64_t by;
  bool good = access_of(k, m->before)->to == x && coq_is_single(k, m->before, &k->t.where[m->before]) &&
              reads_move(k, m, m->row) && reads_move(k, m, m->column);
  for (int i = 0; i < k->t.where[m->before].n && good; i++)
    good = coq_moves_by(k, m, &k->t.where[m->before].item[i], &by);
  for (int i = 0; i < k->f.words.labels[component(k, x)] && good; i++) {
    const linear *f = &k->f.words.label[x][i];
    good = coq_moves_by(k, m, f, &by) && by == 0 && (is_form_of(k, m, m->row, f) || is_form_of(k, m, m->column, f));
  }
  return good;
}

/* Where access a is read, the forms hold so many elements before what is read, as they do there. */
static bool hold_before(const claimed *k, const maker *m, int a, const coq_forms *known, const coq_forms *l,
                        int64_t far)
{
  const access *x = access_of(k, a);
  for (int i = 0; i < l->n; i++) {
    int64_t by;
    linear f;
    if (!linear_substitute(&l->item[i], x->index, k->t.box[x->to].n, 0, &f) || !coq_moves_by(k, m, &l->item[i], &by) ||
        !coq_implies(&k->t.box[x->from], known, &f) || !num_mul(by, far, &by) || !num_add(f.base, by, &f.base) ||
        !coq_implies(&k->t.box[x->from], known, &f))
      return false;
  }
  return true;
}

bool coq_is_made_by(const claimed *k, const maker *m, int a, const coq_forms *r)
{
  return access_of(k, a)->to == made_array(k, m) &&
         hold_before(k, m, a, r, &k->t.where[m->before], num_max(k->tail - 2, 0)) &&
         hold_before(k, m, a, r, &k->t.where[m->row], k->tail - 1) &&
         hold_before(k, m, a, r, &k->t.where[m->column], k->tail - 1);
}

bool coq_may_be_made(const claimed *k, int of, int a, const coq_forms *r)
{
  bool made = coq_all_rooted(k, of);
  for (int i = 0; i < k->makers; i++)
    made = made || coq_is_made_by(k, &k->maker[i], a, r);
  return made;
}

/* The chain of an array, and a row and a column that its elements read. */
static bool add_maker(claimed *k, int array)
{
  for (int i = 0; i < k->makers; i++)
    if (made_array(k, &k->maker[i]) == array)
      return true;
  for (int b = 0; b < k->t.form.accesses; b++)
    for (int r = 0; r < k->t.form.accesses && access_of(k, b)->from == array; r++)
      for (int c = 0; c < r; c++) {
        maker m = { b, c, r };
        if (access_of(k, r)->from == array && access_of(k, c)->from == array && b != r && b != c &&
            coq_is_maker(k, &m)) {
          k->maker[k->makers++] = m;
          return true;
        }
      }
  return false;
}

/* Rows and columns of makers are all of different components. */
static bool makers_apart(const claimed *k)
{
  int of[2 * CLAIM_ITEMS];
  for (int i = 0; i < k->makers; i++) {
    of[2 * i] = row_component(k, &k->maker[i]);
    of[2 * i + 1] = column_component(k, &k->maker[i]);
  }
  for (int i = 0; i < 2 * k->makers; i++)
    for (int j = 0; j < i; j++)
      if (of[i] == of[j])
        return false;
  return true;
}

bool coq_read_makers(claimed *k)
{
  k->tail = k->c.group[0].tail;
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);)
    if (p.z->s->item[p.item].way[0].kind == ITEM_MADE &&
        (k->makers == CLAIM_ITEMS || k->c.groups > 1 || k->components > k->t.form.arrays ||
         !add_maker(k, access_of(k, want_of(p.z, p.item))->to)))
      return false;
  return k->makers == 0 ? k->tail == 0 : k->tail > 0 && k->tail < INT32_MAX && makers_apart(k);
}

/* ---- what words allow ---- */

bool coq_in_a_tail(const ledger *l, int column)
{
  bool is = false;
  for (int s = 0; s < l->group->statements; s++)
    for (int i = 0; i < l->of[s].s->items; i++)
      is = is || (l->of[s].s->item[i].way[0].kind == ITEM_TAIL && l->of[s].s->item[i].column == column);
  return is;
}

/* A row or a column of a maker stands in the column, or a word with its tail. */
static bool in_block(const claimed *k, const ledger *l, int column)
{
  bool is = coq_in_a_tail(l, column);
  for (int s = 0; s < l->group->statements; s++)
    for (int i = 0; i < l->of[s].s->items; i++)
      for (int m = 0; m < k->makers && l->of[s].s->item[i].column == column; m++) {
        int of = l->of[s].of[i];
        is = is || of == row_component(k, &k->maker[m]) || of == column_component(k, &k->maker[m]);
      }
  return is;
}

static bool component_in_block(const claimed *k, const ledger *l, int of)
{
  bool is = false;
  for (int s = 0; s < l->group->statements; s++)
    for (int i = 0; i < l->of[s].s->items; i++)
      is = is || (l->of[s].of[i] == of && in_block(k, l, l->of[s].s->item[i].column));
  return is;
}

bool coq_is_block(const claimed *k, const ledger *l)
{
  bool good = true;
  for (int m = 0; m < k->makers; m++)
    good = good && component_in_block(k, l, row_component(k, &k->maker[m])) &&
           component_in_block(k, l, column_component(k, &k->maker[m]));
  for (int s = 0; s < l->group->statements && k->makers > 0; s++)
    for (int i = 0; i < l->of[s].s->items && good; i++)
      good = in_block(k, l, l->of[s].s->item[i].column) ||
             !component_in_block(k, l, l->of[s].of[i]);
  return good;
}

/* u words of rows and columns make u^2 / (4 tail^2); on low .. high the square lies below its chord. */
static bool part_most(const claimed *k, const ledger *l, const mpz_t x, unsigned long part, mpz_t most)
{
  mpz_t cost[CLAIM_COLUMNS];
  SCOPED_MPZ low, high, per, less, whole;
  mpz_inits(low, high, per, less, whole, NULL);
  mpz_mul_ui(low, x, part);
  mpz_fdiv_q_ui(low, low, PARTS);
  mpz_mul_ui(high, x, part + 1);
  mpz_cdiv_q_ui(high, high, PARTS);
  mpz_set_si(per, k->tail);
  mpz_mul_si(per, per, 4 * k->tail);
  mpz_sub(less, per, low);
  mpz_sub(less, less, high);
  if (mpz_sgn(less) <= 0)
    return false;
  mpz_mul(whole, per, x);
  mpz_submul(whole, low, high);
  for (int c = 0; c < CLAIM_COLUMNS; c++)
    mpz_init_set(cost[c], in_block(k, l, c) ? less : per);
  coq_law_root(l, whole, cost, most);
  for (int c = 0; c < CLAIM_COLUMNS; c++)
    mpz_clear(cost[c]);
  return true;
}

bool coq_most_made(const claimed *k, const ledger *l, const mpz_t x, mpz_t most)
{
  bool good = true;
  SCOPED_MPZ some;
  mpz_init(some);
  mpz_set_ui(most, 0);
  for (unsigned long part = 0; part < PARTS && good; part++) {
    good = part_most(k, l, x, part, some);
    if (mpz_cmp(some, most) > 0)
      mpz_set(most, some);
  }
  return good;
}

