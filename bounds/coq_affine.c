#include "bounds/coq_affine.h"
#include "base/big.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/scoped.h"
#include "bounds/check/affine/claim.h"
#include "bounds/coq_powers.h"
#include "bounds/coq_statement.h"
#include "bounds/coq_text.h"
#include <string.h>

typedef struct {
  int n, room;
  coq_forms *item;
} regions;

typedef struct {
  coq_text t;
  coq_ends ends;
  affine_facts f;
  affine_claim c;
  arena *memory;
  const claim_group *group;
  const claim_statement *s;
  int own[WORDS_MOST], owns;   /* of the components of needs */
  linear back[WORDS_MOST][CDAG_RANK];
  regions *starts;             /* of each array: elements that are no inputs and have no own predecessor */
  bool births;                 /* the words of steps may begin with such */
  regions steps;
  int forms[CLAIM_ITEMS];      /* of each need, in the loops */
  linear form[CLAIM_ITEMS][LABELS_MOST];
  coq_order order;
  int rows[CLAIM_ITEMS];       /* of claims with pairs of rows: needs 2 i and 2 i + 1 in the order of Coq's pairs */
  int order_at, order_of;      /* a form of the first row, larger than the second's, is this form of the centre */
  mpz_t first, length, others, most_first, most;
} claimed;

static const linear never = { .base = -1 };

/* ---- words ---- */

static int component(const claimed *k, int array) { return k->f.words.component[array]; }
static const access *access_of(const claimed *k, int a) { return k->t.form.access[a]; }
/* The access of a need; -1: the step's own word. */
static int want_of(const claimed *k, int i)
{
  const claim_way *way = &k->s->item[i].way[0];
  return way->kind == ITEM_OWN ? -1 : way->access;
}

static int want_array(const claimed *k, int i)
{
  return want_of(k, i) < 0 ? k->s->array : access_of(k, want_of(k, i))->to;
}

static bool same(const coq_box *b, const coq_forms *known, const linear *f, const linear *g)
{
  linear more = *f, fewer = *g;
  return linear_add(&more, g, -1) && linear_add(&fewer, f, -1) && coq_implies(b, known, &more) &&
         coq_implies(b, known, &fewer);
}

/* The forms are indices of an array of this box. */
static bool within(const coq_box *b, const coq_forms *known, const linear *f, const coq_box *of)
{
  for (int r = 0; r < of->n; r++) {
    linear last = linear_constant(of->size[r] - 1);
    if (!linear_add(&last, &f[r], -1) || !coq_implies(b, known, &f[r]) || !coq_implies(b, known, &last))
      return false;
  }
  return true;
}

static bool implies_moved(const coq_box *b, const coq_forms *known, const coq_forms *l, const linear *value, int n)
{
  for (int i = 0; i < l->n; i++) {
    linear f;
    if (!linear_substitute(&l->item[i], value, n, 0, &f) || !coq_implies(b, known, &f))
      return false;
  }
  return true;
}

/* Where the known forms hold access a does, reads one element, and that is there. */
static bool is_single(const claimed *k, int a, const coq_forms *known)
{
  const access *x = access_of(k, a);
  const coq_box *b = &k->t.box[x->from], *to = &k->t.box[x->to];
  bool there = false;
  if (k->t.loops[a].n != b->n || !coq_implies_all(b, known, &k->t.where[a]) || !within(b, known, x->index, to))
    return false;
  for (int i = 0; i < k->t.form.array[x->to].domain.n; i++)
    there = there || implies_moved(b, known, &k->t.piece[x->to][i], x->index, to->n);
  return there;
}

static int labels_read(const claimed *k, int a, linear *f)
{
  return words_label_of(&k->f.words, access_of(k, a)->to, access_of(k, a)->index, f);
}

static bool is_own_of(const claimed *k, int a)
{
  const access *x = access_of(k, a);
  linear f[LABELS_MOST];
  int n = labels_read(k, a, f);
  bool good = n >= 0 && is_single(k, a, &k->t.where[a]);
  for (int i = 0; i < n && good; i++)
    good = same(&k->t.box[x->from], &k->t.where[a], &f[i], &k->f.words.label[x->from][i]);
  return good;
}

/* ---- back from what is read to its reader ---- */

/* Loop r, when index y of what is read is it, or less it, and loops that are known. */
static bool back_by(const access *x, int y, int r, unsigned known, const linear *back, linear *to)
{
  linear rest = x->index[y];
  int64_t sign = rest.coef[r];
  *to = (linear){ 0 };
  to->coef[y] = sign;
  rest.coef[r] = 0;
  bool good = sign == 1 || sign == -1;
  for (int v = 0; v < POLYHEDRON_VARS && good; v++)
    if (rest.coef[v])
      good = v < CDAG_RANK && known >> v & 1 && linear_add(to, &back[v], -sign * rest.coef[v]);
  to->base -= sign * rest.base;
  return good;
}

static bool find_back(const claimed *k, int a, linear *back)
{
  const access *x = access_of(k, a);
  int rank = k->t.box[x->from].n;
  unsigned known = 0;
  for (int r = 0; r < rank; r++) {
    linear loop = linear_variable(r);
    int64_t lo, hi;
    if (polyhedron_span(x->where, &loop, &lo, &hi) && lo == hi) {
      back[r] = linear_constant(lo);
      known |= 1u << r;
    }
  }
  for (int round = 0; round < rank; round++)
    for (int r = 0; r < rank; r++)
      for (int y = 0; y < k->t.box[x->to].n && !(known >> r & 1); y++)
        known |= (unsigned)back_by(x, y, r, known, back, &back[r]) << r;
  for (int r = 0; r < rank; r++) {
    linear loop = linear_variable(r), moved;
    if (!(known >> r & 1) || !linear_substitute(&back[r], x->index, k->t.box[x->to].n, 0, &moved) ||
        !same(&k->t.box[x->from], &k->t.where[a], &moved, &loop))
      return false;
  }
  return true;
}

/* What holds of an element that own access i reads, but for what its box says. */
static bool add_conditions(const claimed *k, int i, coq_forms *l)
{
  int a = k->own[i], rank = k->t.box[access_of(k, a)->from].n;
  const coq_forms *where = &k->t.where[a];
  coq_forms all = { 0 }, none = { 0 };
  linear f;
  for (int r = 0; r < k->t.box[access_of(k, a)->to].n; r++) {
    linear y = linear_variable(r), less = y;
    if (!linear_substitute(&access_of(k, a)->index[r], k->back[i], rank, 0, &f) || !linear_add(&less, &f, -1) ||
        !linear_add(&f, &y, -1))
      return false;
    coq_forms_add(k->memory, &all, &f);
    coq_forms_add(k->memory, &all, &less);
  }
  for (int n = 0; n < where->n; n++) {
    if (!linear_substitute(&where->item[n], k->back[i], rank, 0, &f))
      return false;
    coq_forms_add(k->memory, &all, &f);
  }
  for (int r = 0; r < rank; r++) {
    f = linear_constant(k->t.box[access_of(k, a)->from].size[r] - 1);
    if (!linear_add(&f, &k->back[i][r], -1))
      return false;
    coq_forms_add(k->memory, &all, &k->back[i][r]);
    coq_forms_add(k->memory, &all, &f);
  }
  for (int n = 0; n < all.n; n++)
    if (!coq_implies(&k->t.box[access_of(k, a)->to], &none, &all.item[n]))
      coq_forms_add(k->memory, l, &all.item[n]);
  return true;
}

/* No element is the own predecessor of two by these accesses. */
static bool are_apart(const claimed *k, int i, int j)
{
  const access *x = access_of(k, k->own[i]), *y = access_of(k, k->own[j]);
  coq_forms both = { 0 };
  return x->to != y->to || (add_conditions(k, i, &both) && add_conditions(k, j, &both) &&
                            coq_implies(&k->t.box[x->to], &both, &never));
}

/* ---- where words begin ---- */

static coq_forms with(const claimed *k, const coq_forms *known, const linear *f, bool holds)
{
  coq_forms more = { 0 };
  linear other = never;
  linear_add(&other, f, -1);
  coq_forms_add(k->memory, &more, holds ? f : &other);
  for (int i = 0; i < known->n; i++)
    coq_forms_add(k->memory, &more, &known->item[i]);
  return more;
}

static void keep(const claimed *k, regions *l, const coq_forms *r)
{
  l->item = arena_room(k->memory, l->item, l->n, &l->room, sizeof *l->item);
  l->item[l->n++] = *r;
}

/* No access of the array holds there. */
static bool are_inputs(const claimed *k, int array, const coq_forms *l)
{
  for (int i = 0; i < k->t.form.accesses; i++)
    if (access_of(k, i)->from == array) {
      coq_forms both = coq_forms_both(k->memory, l, &k->t.where[i]);
      if (!coq_implies(&k->t.loops[i], &both, &never))
        return false;
    }
  return true;
}

/* Where the known forms hold and none of the own accesses from number i on. */
static void add_starts(const claimed *k, int array, const coq_forms *known, int i, regions *l)
{
  while (i < k->owns && access_of(k, k->own[i])->from != array)
    i++;
  if (i == k->owns) {
    if (!are_inputs(k, array, known))
      keep(k, l, known);
    return;
  }
  coq_forms so_far = *known;
  const coq_forms *where = &k->t.where[k->own[i]];
  for (int n = 0; n < where->n; n++) {
    coq_forms part = with(k, &so_far, &where->item[n], false);
    if (!coq_implies(&k->t.box[array], &part, &never))
      add_starts(k, array, &part, i + 1, l);
    so_far = with(k, &so_far, &where->item[n], true);
  }
}

static bool all_rooted(const claimed *k, int of)
{
  for (int x = 0; x < k->t.form.arrays; x++)
    if (component(k, x) == of && k->starts[x].n > 0)
      return false;
  return true;
}

static bool read_words(claimed *k)
{
  for (int i = 0; i < k->c.owns; i++) {
    bool asked = false;
    for (int n = 0; n < k->s->items; n++)
      asked = asked || component(k, want_array(k, n)) == component(k, access_of(k, k->c.own[i])->to);
    if (asked)
      k->own[k->owns++] = k->c.own[i];
  }
  for (int i = 0; i < k->owns; i++)
    if (!is_own_of(k, k->own[i]))
      return false;
  k->starts = ARENA_NEW(k->memory, regions, (size_t)k->t.form.arrays);
  for (int x = 0; x < k->t.form.arrays; x++)
    for (int i = 0; i < k->t.form.array[x].domain.n; i++)
      add_starts(k, x, &k->t.piece[x][i], 0, &k->starts[x]);
  for (int n = 0; n < k->s->items; n++)
    k->births = k->births || (want_of(k, n) < 0 && !all_rooted(k, component(k, k->s->array)));
  for (int i = 0; i < k->owns && k->births; i++) {
    if (component(k, access_of(k, k->own[i])->to) != component(k, k->s->array))
      continue;
    if (!find_back(k, k->own[i], k->back[i]))
      return false;
  }
  for (int i = 0; i < k->owns && k->births; i++)
    for (int j = i + 1; j < k->owns; j++)
      if (component(k, access_of(k, k->own[i])->to) == component(k, k->s->array) && !are_apart(k, i, j))
        return false;
  return true;
}

/* ---- steps ---- */

static bool read_need(claimed *k, int i)
{
  int a = want_of(k, i), array = want_array(k, i);
  bool own = a < 0;
  if (k->s->item[i].ways != 1 || k->s->item[i].way[0].kind > ITEM_READ)
    return false;
  k->forms[i] = own ? k->f.words.labels[component(k, array)] : labels_read(k, a, k->form[i]);
  if (own)
    memcpy(k->form[i], k->f.words.label[array], sizeof k->form[i]);
  return k->forms[i] >= 0 && (own || all_rooted(k, component(k, array)));
}

static bool is_region(const claimed *k, const coq_forms *r)
{
  int x = k->s->array;
  bool there = false;
  for (int i = 0; i < k->t.form.array[x].domain.n; i++)
    there = there || coq_implies_all(&k->t.box[x], r, &k->t.piece[x][i]);
  if (!there || !k->ends.region[x] || !coq_implies_all(&k->t.box[x], r, k->ends.region[x]))
    return false;
  for (int i = 0; i < k->s->items; i++)
    if (want_of(k, i) >= 0 && !is_single(k, want_of(k, i), r))
      return false;
  return true;
}

static bool read_steps(claimed *k)
{
  const polyhedra *steps = &k->f.group[0].steps[0];
  const coq_box *b = &k->t.box[k->s->array];
  for (int p = 0; p < steps->n; p++) {
    coq_forms r = { 0 };
    if (!coq_forms_beyond(k->memory, b, steps->item[p], &r) || !is_region(k, &r))
      return false;
    for (int i = 0; i < k->steps.n; i++) {
      coq_forms both = coq_forms_both(k->memory, &k->steps.item[i], &r);
      if (!coq_implies(b, &both, &never))
        return false;
    }
    keep(k, &k->steps, &r);
  }
  return k->steps.n > 0;
}

/* ---- what words allow ---- */

static void read_order(claimed *k)
{
  const coq_box *b = &k->t.box[k->s->array];
  k->order.loops = b->n;
  memcpy(k->order.size, b->size, (size_t)b->n * sizeof *b->size);
  memcpy(k->order.split, k->s->split, sizeof k->order.split);
  coq_order_claimed(&k->order, k->s->order, k->s->loops);
}

static bool need_tells(const claimed *k, int n, int i)
{
  for (int f = 0; f < k->forms[n]; f++)
    if (coq_order_told(&k->order, k->form[n][f].coef, i))
      return true;
  return false;
}

static int64_t divisor(const claimed *k)
{
  int64_t by = k->group->den;
  for (int n = 0; n < k->s->items; n++)
    by = num_gcd(by, k->s->item[n].power);
  return by;
}

/* X^items shares missing / items^items, and its root. */
static void most_of(const claimed *k, const mpz_t x, mpz_t most)
{
  int64_t items = 0, by = divisor(k), den = k->group->den / by;
  SCOPED_MPZ under;
  mpz_init_set_ui(under, 1);
  mpz_set_ui(most, 1);
  for (int n = 0; n < k->s->items; n++) {
    int64_t share = 0;
    bool first = true;
    for (int m = 0; m < k->s->items; m++)
      if (component(k, want_array(k, m)) == component(k, want_array(k, n))) {
        share += k->s->item[m].power / by;
        first = first && m >= n;
      }
    items += k->s->item[n].power / by;
    if (first && share > 0)
      big_times_power64(most, share, share);
  }
  for (int i = 0; i < k->order.n; i++) {
    int64_t told = 0;
    for (int n = 0; n < k->s->items; n++)
      told += need_tells(k, n, i) ? k->s->item[n].power / by : 0;
    big_times_power64(most, coq_order_extent(&k->order, i), told < den ? den - told : 0);
  }
  big_times_power(most, x, items);
  big_times_power64(under, items, items);
  mpz_fdiv_q(most, most, under);
  mpz_root(most, most, (unsigned long)den);
}

/* ---- pairs of rows ---- */

/* The same on all steps. */
static bool alike(const claimed *k, const linear *f, const linear *g)
{
  for (int i = 0; i < k->steps.n; i++)
    if (!same(&k->t.box[k->s->array], &k->steps.item[i], f, g))
      return false;
  return true;
}

static bool is_one_of(const claimed *k, const linear *f, int need)
{
  for (int i = 0; i < k->forms[need]; i++)
    if (alike(k, f, &k->form[need][i]))
      return true;
  return false;
}

/* On all steps f is larger than g. */
static bool is_larger(const claimed *k, const linear *f, const linear *g)
{
  linear more = *f;
  more.base--;
  bool good = linear_add(&more, g, -1);
  for (int i = 0; i < k->steps.n && good; i++)
    good = coq_implies(&k->t.box[k->s->array], &k->steps.item[i], &more);
  return good;
}

static bool find_order(claimed *k, int a, int b, int centre)
{
  for (int i = 0; i < k->forms[a] && i < k->forms[b]; i++)
    for (int m = 0; m < k->forms[centre]; m++)
      if (alike(k, &k->form[a][i], &k->form[centre][m]) && is_larger(k, &k->form[a][i], &k->form[b][i])) {
        k->order_at = i;
        k->order_of = m;
        return true;
      }
  return false;
}

/* Each loop is told by a row or the centre, and each form of the centre by one of the rows. */
static bool rows_tell(const claimed *k, int a, int b, int centre)
{
  for (int m = 0; m < k->forms[centre]; m++)
    if (!is_one_of(k, &k->form[centre][m], a) && !is_one_of(k, &k->form[centre][m], b))
      return false;
  for (int r = 0; r < k->t.box[k->s->array].n; r++) {
    linear loop = linear_variable(r);
    bool in_centre = k->t.box[k->s->array].size[r] <= 1 || is_one_of(k, &loop, centre);
    if (!in_centre && !(is_one_of(k, &loop, a) && is_one_of(k, &loop, b)))
      return false;
  }
  return true;
}

/* Rows c and d tell a and b, in the same places. */
static bool row_told(const claimed *k, int a, int b, int c, int d)
{
  bool told = k->forms[a] == k->forms[b];
  for (int i = 0; i < k->forms[a] && told; i++) {
    told = false;
    for (int j = 0; j < k->forms[c] && j < k->forms[d]; j++)
      told = told || (alike(k, &k->form[a][i], &k->form[c][j]) && alike(k, &k->form[b][i], &k->form[d][j]));
  }
  return told;
}

static void set_pair(claimed *k, int q, bool turned)
{
  k->rows[2 * q] = 2 * q + turned;
  k->rows[2 * q + 1] = 2 * q + !turned;
}

static bool components_differ(const claimed *k, int pairs)
{
  for (int q = 0; q <= pairs; q++)
    for (int r = 0; r < q; r++)
      if (component(k, want_array(k, 2 * q)) == component(k, want_array(k, 2 * r)))
        return false;
  for (int q = 0; q < pairs; q++)
    if (component(k, want_array(k, 2 * q)) != component(k, want_array(k, 2 * q + 1)))
      return false;
  return true;
}

static bool read_pairs(claimed *k)
{
  int pairs = k->group->pairs, centre = 2 * pairs, *row = k->rows;
  bool good = k->s->items == centre + 1 && components_differ(k, pairs);
  for (int turned = 0; turned < 2 && good; turned++) {
    set_pair(k, 0, turned);
    if (find_order(k, row[0], row[1], centre))
      break;
    good = turned == 0;
  }
  good = good && rows_tell(k, row[0], row[1], centre);
  for (int q = 1; q < pairs && good; q++) {
    set_pair(k, q, false);
    if (!row_told(k, row[0], row[1], row[2 * q], row[2 * q + 1]))
      set_pair(k, q, true);
    good = row_told(k, row[0], row[1], row[2 * q], row[2 * q + 1]);
  }
  return good;
}

/* 27 (q steps)^2 <= 2 X^3 */
static void most_of_pairs(const claimed *k, const mpz_t x, mpz_t most)
{
  unsigned long q = (unsigned long)k->group->pairs;
  mpz_pow_ui(most, x, 3);
  mpz_mul_ui(most, most, 2);
  mpz_fdiv_q_ui(most, most, 27 * q * q);
  mpz_sqrt(most, most);
}

static void most_steps(const claimed *k, const mpz_t x, mpz_t most)
{
  if (k->group->pairs > 0)
    most_of_pairs(k, x, most);
  else
    most_of(k, x, most);
}

/* ---- the cut ---- */

static bool count_regions(const claimed *k, int array, const regions *l, mpz_t sum)
{
  for (int i = 0; i < l->n; i++)
    if (!coq_points(k->memory, &k->t.box[array], &l->item[i], sum))
      return false;
  return true;
}

/* The segments do not do all steps, and have as many events as the value says. */
static bool is_cut(claimed *k, const bound_question *q, const bound *b)
{
  SCOPED_MPZ x, steps;
  bool good = true;
  mpz_inits(x, steps, NULL);
  mpz_set_ui(k->first, (unsigned long)k->group->first);
  mpz_set_ui(k->length, (unsigned long)k->group->length);
  mpz_set_ui(k->others, (unsigned long)k->group->segments - 1);
  most_steps(k, k->first, k->most_first);
  mpz_add_ui(x, k->length, q->m);
  if (mpz_sgn(k->others) > 0)
    most_steps(k, x, k->most);
  good = count_regions(k, k->s->array, &k->steps, steps);
  mpz_sub(steps, steps, k->most_first);
  mpz_submul(steps, k->others, k->most);
  mpz_neg(x, b->value);
  mpz_add(x, x, k->first);
  mpz_addmul(x, k->others, k->length);
  mpz_add_ui(x, x, 1);
  mpz_add(x, x, k->ends.outputs);
  good = good && mpz_sgn(steps) > 0;
  mpz_set_ui(steps, 0);
  for (int a = 0; a < k->t.form.arrays && k->births && good; a++)
    good = component(k, a) != component(k, k->s->array) || count_regions(k, a, &k->starts[a], steps);
  return good && mpz_cmp(steps, x) <= 0;
}

/* ---- reading ---- */

/* The claim is about what Coq is told of: nothing was laid together or divided. */
static bool same_text(const normal_form *a, const normal_form *b)
{
  bool good = a->arrays == b->arrays && a->accesses == b->accesses;
  for (int x = 0; x < a->arrays && good; x++)
    good = a->array[x].rank == b->array[x].rank && !b->array[x].piece_of;
  for (int i = 0; i < a->accesses && good; i++) {
    const access *x = a->access[i], *y = b->access[i];
    good = x->from == y->from && x->to == y->to && x->where->vars == y->where->vars;
    for (int r = 0; r < a->array[x->to].rank && good; r++)
      good = linear_equal(&x->index[r], &y->index[r]);
  }
  return good;
}

static bool is_simple(const affine_claim *c)
{
  const claim_group *g = &c->group[0];
  return c->reading == READ_AS_IT_IS && c->groups == 1 && g->statements == 1 && !g->together && !g->tail &&
         g->segments > 0 && g->first >= 0 && g->length >= 0;
}

static bool read_claim(claimed *k, const bound_question *q, const bound *b)
{
  text reason = { 0 };
  bool good = affine_derive(&k->f, &k->c, &reason) && same_text(&k->t.form, &k->f.form);
  text_clear(&reason);
  for (int i = 0; i < k->s->items && good; i++)
    good = k->s->item[i].ways == 1 && k->s->item[i].way[0].kind <= ITEM_READ;
  if (!good || !read_words(k))
    return false;
  for (int i = 0; i < k->s->items && good; i++)
    good = read_need(k, i);
  coq_ends_init(&k->ends, &k->t);
  good = good && read_steps(k);
  if (good)
    read_order(k);
  return good && (k->group->pairs == 0 || read_pairs(k)) && is_cut(k, q, b);
}

/* ---- writing ---- */

static void put_list_of_forms(const linear *f, int n, int vars, text *out)
{
  coq_forms l = { .n = n, .item = (linear *)f };
  coq_put_forms(&l, vars, out);
}

static void put_owned(const claimed *k, text *out)
{
  text_add(out, "  [::");
  for (int i = 0; i < k->owns; i++) {
    const access *x = access_of(k, k->own[i]);
    bool back = k->births && component(k, x->to) == component(k, k->s->array);
    text_printf(out, "%s(%d%%nat, ", i ? "; " : " ", k->own[i]);
    put_list_of_forms(k->back[i], back ? k->t.box[x->from].n : 0, k->t.box[x->to].n, out);
    text_char(out, ')');
  }
  text_add(out, "]\n  [::");
  for (int x = 0; x < k->t.form.arrays; x++) {
    text_printf(out, "%s(%d%%nat, ", x ? "; " : " ", component(k, x));
    put_list_of_forms(k->f.words.label[x], k->f.words.labels[component(k, x)], k->t.box[x].n, out);
    text_char(out, ')');
  }
  text_add(out, "]\n  ");
  if (k->births)
    text_printf(out, "[:: %d%%nat]", component(k, k->s->array));
  else
    text_add(out, "[::]");
}

static void put_powers(const claimed *k, text *out)
{
  int64_t power[CLAIM_ITEMS], by = divisor(k);
  for (int i = 0; i < k->s->items; i++)
    power[i] = k->s->item[i].power / by;
  text_add(out, "[:: AffineForms.Exponents ");
  coq_order_put(&k->order, out);
  text_printf(out, " %ld ", (long)(k->group->den / by));
  coq_put_numbers(power, k->s->items, out);
  text_add(out, "] [::]");
}

static void put_pairs(const claimed *k, text *out)
{
  text_add(out, "[::] [:: AffineCertificate.Pairing [::");
  for (int q = 0; q < k->group->pairs; q++)
    text_printf(out, "%s (%d%%nat, %d%%nat)", q ? ";" : "", k->rows[2 * q], k->rows[2 * q + 1]);
  text_printf(out, "] %d%%nat %d%%nat %d%%nat]", 2 * k->group->pairs, k->order_at, k->order_of);
}

static void put_claim(const claimed *k, text *out)
{
  text_add(out, "AffineCertificate.Claim\n");
  put_owned(k, out);
  text_printf(out, " %d%%nat [::", k->s->array);
  for (int i = 0; i < k->steps.n; i++) {
    text_add(out, i ? "; " : " ");
    coq_put_forms(&k->steps.item[i], k->t.box[k->s->array].n, out);
  }
  text_add(out, "]\n  [::");
  for (int i = 0; i < k->s->items; i++) {
    text_add(out, i ? "; " : " ");
    if (want_of(k, i) < 0)
      text_add(out, "None");
    else
      text_printf(out, "Some %d%%nat", want_of(k, i));
  }
  text_add(out, "]\n  ");
  if (k->group->pairs > 0)
    put_pairs(k, out);
  else
    put_powers(k, out);
}

static void put_cut(const claimed *k, text *out)
{
  const mpz_t *all[] = { &k->first, &k->length, &k->others, &k->most_first, &k->most };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    text_add(out, i ? " " : "");
    coq_put_big(out, *all[i]);
  }
}

bool coq_affine_proves(const bound_question *q, const bound *b, const json_value *v, text *computation, text *ends,
                       text *claim, text *cut)
{
  claimed *k = MEM_NEW(claimed, 1);
  text reason = { 0 };
  bool read = affine_claim_read(v, &k->c, &reason) && is_simple(&k->c), proves = false;
  text_clear(&reason);
  k->group = &k->c.group[0];
  k->s = &k->group->statement[0];
  mpz_inits(k->first, k->length, k->others, k->most_first, k->most, NULL);
  if (read && coq_text_read(&k->t, q->g) && affine_facts_init(&k->f, q->g, READ_AS_IT_IS)) {
    k->memory = &k->t.form.memory;
    proves = read_claim(k, q, b);
    if (proves && computation) {
      coq_text_put(&k->t, computation);
      text_add(ends, text_str(&k->ends.written));
      put_claim(k, claim);
      put_cut(k, cut);
    }
    if (k->ends.region)
      coq_ends_clear(&k->ends);
    affine_facts_clear(&k->f);
  }
  if (read)
    coq_text_clear(&k->t);
  mpz_clears(k->first, k->length, k->others, k->most_first, k->most, NULL);
  mem_free(k);
  return proves;
}
