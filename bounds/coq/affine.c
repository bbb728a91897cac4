#include "bounds/coq/affine.h"
#include "base/big.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/scoped.h"
#include "bounds/coq/affine_internal.h"
#include "bounds/coq/statement.h"
#include <string.h>

static const linear never = { .base = -1 };

/* ---- words ---- */

bool coq_next_need(const claimed *k, need_place *p)
{
  p->item++;
  for (; p->group < k->c.groups; p->group++, p->of = p->item = 0)
    for (; p->of < k->c.group[p->group].statements; p->of++, p->item = 0) {
      p->z = &k->l[p->group].of[p->of];
      if (p->item < p->z->s->items)
        return true;
    }
  return false;
}

bool coq_same(const coq_box *b, const coq_forms *known, const linear *f, const linear *g)
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
bool coq_is_single(const claimed *k, int a, const coq_forms *known)
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

int coq_labels_read(const claimed *k, int a, linear *f)
{
  return words_label_of(&k->f.words, access_of(k, a)->to, access_of(k, a)->index, f);
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
        !coq_same(&k->t.box[x->from], &k->t.where[a], &moved, &loop))
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

/* Where the known forms hold and none of the lists from number i on: false when there are too many regions to look at,
   and the claim is not proved this way. */
static bool add_rest(claimed *k, int array, const coq_forms *known, const regions *but, int i, regions *l)
{
  enum { MOST_ASKED = 2000 };
  if (i == but->n) {
    if (!coq_implies(&k->t.box[array], known, &never) && !are_inputs(k, array, known))
      keep(k, l, known);
    return true;
  }
  coq_forms so_far = coq_forms_both(k->memory, &but->item[i], known);
  if (coq_implies(&k->t.box[array], &so_far, &never))
    return add_rest(k, array, known, but, i + 1, l);
  so_far = *known;
  for (int n = 0; n < but->item[i].n; n++) {
    coq_forms part = with(k, &so_far, &but->item[i].item[n], false);
    if (++k->asked > MOST_ASKED)
      return false;
    if (!coq_implies(&k->t.box[array], &part, &never) && !add_rest(k, array, &part, but, i + 1, l))
      return false;
    so_far = with(k, &so_far, &but->item[i].item[n], true);
  }
  return true;
}

static void keep_before(const claimed *k, int array, int q, regions *l)
{
  for (int e = 0; e < q; e++)
    keep(k, l, &k->kinds[array].item[e].where);
}

/* Elements of kind q, and where the access holds: those whose predecessor is of another word, by its kind. */
static bool add_changes(claimed *k, int array, int q, int a, regions *l)
{
  const access *x = access_of(k, a);
  const word_kind *own = &k->kinds[array].item[q];
  int n = k->t.box[x->to].n;
  for (int e = 0; e < k->kinds[x->to].n; e++) {
    const word_kind *other = &k->kinds[x->to].item[e];
    coq_forms both = coq_affine_moved(k, &other->where, x->index, n), forms = { .n = other->forms,
                                                                              .item = (linear *)other->form };
    regions but = { 0 };
    both = coq_forms_both(k->memory, &both, &own->where);
    both = coq_forms_both(k->memory, &both, &k->t.where[a]);
    forms = coq_affine_moved(k, &forms, x->index, n);
    bool linked = own->of == other->of && own->forms == other->forms;
    for (int f = 0; f < forms.n && linked; f++)
      linked = coq_same(&k->t.box[array], &both, &forms.item[f], &own->form[f]);
    keep_before(k, array, q, &but);
    for (int i = 0; i < e; i++) {
      coq_forms before = coq_affine_moved(k, &k->kinds[x->to].item[i].where, x->index, n);
      keep(k, &but, &before);
    }
    if (!linked && !add_rest(k, array, &both, &but, 0, l))
      return false;
  }
  return true;
}

static bool add_starts(claimed *k, int array, int q, regions *l)
{
  regions but = { 0 };
  keep_before(k, array, q, &but);
  for (int o = 0; o < k->owns; o++)
    if (access_of(k, k->own[o])->from == array) {
      keep(k, &but, &k->t.where[k->own[o]]);
      if (!add_changes(k, array, q, k->own[o], l))
        return false;
    }
  for (int i = 0; i < k->t.form.array[array].domain.n; i++) {
    coq_forms here = coq_forms_both(k->memory, &k->kinds[array].item[q].where, &k->t.piece[array][i]);
    if (!add_rest(k, array, &here, &but, 0, l))
      return false;
  }
  return true;
}

bool coq_all_rooted(const claimed *k, int of)
{
  for (int x = 0; x < k->t.form.arrays; x++)
    for (int q = 0; q < k->kinds[x].n; q++)
      if (k->kinds[x].item[q].of == of && k->starts[x][q].n > 0)
        return false;
  return true;
}

/* Is it a predecessor that words of needs go by?  Of operands those do that follow one another. */
static bool is_asked_for(const claimed *k, int a)
{
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);) {
    const claim_item *item = &p.z->s->item[p.item];
    for (int w = 0; w < item->ways; w++) {
      int of = component(k, item->way[w].kind == ITEM_OWN ? p.z->s->array : access_of(k, item->way[w].access)->to);
      if (of == component(k, access_of(k, a)->to) && (item->way[w].kind != ITEM_OPERAND || item->ways > 1))
        return true;
    }
  }
  return false;
}

static bool read_own(claimed *k)
{
  for (int i = 0; i < k->c.owns; i++)
    if (is_asked_for(k, k->c.own[i]))
      k->own[k->owns++] = k->c.own[i];
  for (int i = 0; i < k->owns; i++)
    if (!coq_is_single(k, k->own[i], &k->t.where[k->own[i]]))
      return false;
  return true;
}

/* Words of the array that is read may be counted. */
static bool is_counted(const claimed *k, int i)
{
  const kinds *l = &k->kinds[access_of(k, k->own[i])->to];
  bool counted = false;
  for (int q = 0; q < l->n; q++)
    counted = counted || k->counted[l->item[q].of];
  return counted;
}

static bool read_words(claimed *k)
{
  k->starts = ARENA_NEW(k->memory, regions *, (size_t)k->t.form.arrays);
  k->counted = ARENA_NEW(k->memory, bool, (size_t)k->components + 1);
  for (int x = 0; x < k->t.form.arrays; x++) {
    k->starts[x] = ARENA_NEW(k->memory, regions, (size_t)k->kinds[x].n);
    for (int q = 0; q < k->kinds[x].n; q++)
      if (!add_starts(k, x, q, &k->starts[x][q]))
        return false;
  }
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);)
    if ((k->once || want_of(p.z, p.item) < 0) && !coq_all_rooted(k, p.z->of[p.item]))
      k->counted[p.z->of[p.item]] = true;
  for (int i = 0; i < k->owns; i++)
    if (is_counted(k, i) && !find_back(k, k->own[i], k->back[i]))
      return false;
  for (int i = 0; i < k->owns; i++)
    for (int j = i + 1; j < k->owns; j++)
      if (is_counted(k, i) && !are_apart(k, i, j))
        return false;
  return true;
}

/* ---- steps ---- */

/* Words of one array are told by its labels; those of several ways by what is a function of all. */
static bool read_need(claimed *k, stating *z, int i)
{
  int a = want_of(z, i), of = z->of[i];
  bool own = a < 0, plain = of < k->t.form.arrays;
  z->forms[i] = !plain ? z->facts.forms[i] : own ? k->f.words.labels[of] : coq_labels_read(k, a, z->form[i]);
  if (own || !plain)
    memcpy(z->form[i], plain ? k->f.words.label[z->s->array] : z->facts.form[i],
           (size_t)z->forms[i] * sizeof z->form[i][0]);
  return z->forms[i] >= 0;
}

/* The forms of the need are those of words of the kind. */
static bool is_named(const claimed *k, const stating *z, const step_region *r, int i)
{
  int a = r->way[i].access, array = a < 0 ? z->s->array : access_of(k, a)->to;
  const word_kind *of = &k->kinds[array].item[r->way[i].kind];
  bool good = of->of == z->of[i] && of->forms == z->forms[i];
  for (int f = 0; f < of->forms && good; f++) {
    linear read = of->form[f];
    good = (a < 0 || linear_substitute(&of->form[f], access_of(k, a)->index, k->t.box[array].n, 0, &read)) &&
           coq_same(&k->t.box[z->s->array], &r->where, &z->form[i][f], &read);
  }
  return good;
}

static bool is_met(const claimed *k, const stating *z, const step_region *r, int i)
{
  const coq_box *b = &k->t.box[z->s->array];
  int a = r->way[i].access;
  bool counted = k->counted[z->of[i]], rooted = coq_all_rooted(k, z->of[i]);
  linear own[CDAG_RANK];
  linear_variables(own, b->n, 0);
  if (!is_named(k, z, r, i) || !coq_of_kind(k, b, &r->where, a < 0 ? z->s->array : access_of(k, a)->to,
                                             a < 0 ? own : access_of(k, a)->index, r->way[i].kind))
    return false;
  return a < 0 ? counted || rooted
               : coq_is_single(k, a, &r->where) && ((k->once && counted) || coq_may_be_made(k, z->of[i], a, &r->where));
}

static bool is_region(const claimed *k, const stating *z, const step_region *r)
{
  int x = z->s->array;
  bool there = false, reads = false;
  for (int i = 0; i < k->t.form.array[x].domain.n; i++)
    there = there || coq_implies_all(&k->t.box[x], &r->where, &k->t.piece[x][i]);
  if (!there || !k->ends.region[x] || !coq_implies_all(&k->t.box[x], &r->where, k->ends.region[x]))
    return false;
  for (int i = 0; i < z->s->items; i++) {
    reads = reads || r->way[i].access >= 0;
    if (!is_met(k, z, r, i))
      return false;
  }
  return reads;
}

static bool read_steps(claimed *k, stating *z)
{
  const coq_box *b = &k->t.box[z->s->array];
  if (!coq_split_steps(k, z))
    return false;
  for (int p = 0; p < z->n; p++) {
    if (!is_region(k, z, &z->region[p]))
      return false;
    for (int i = 0; i < p; i++) {
      coq_forms both = coq_forms_both(k->memory, &z->region[i].where, &z->region[p].where);
      if (!coq_implies(b, &both, &never))
        return false;
    }
  }
  return true;
}

static void read_order(const claimed *k, stating *z)
{
  const coq_box *b = &k->t.box[z->s->array];
  z->order.loops = b->n;
  memcpy(z->order.size, b->size, (size_t)b->n * sizeof *b->size);
  memcpy(z->order.split, z->s->split, sizeof z->order.split);
  coq_order_claimed(&z->order, z->s->order, z->s->loops);
}

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

static bool read_columns(ledger *l)
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

static int64_t divisor(const ledger *l) { return l->group->den / l->den; }

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

static bool read_pairs(const claimed *k, ledger *l)
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
  if (k->makers > 0)
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
static bool is_as_much(claimed *k, const bound_question *q, const bound *b)
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
  good = good && count_births(k, births);
  mpz_sub(sum, sum, births);
  return good && mpz_cmp(b->value, sum) <= 0;
}

/* Words of different groups are of different components. */
static bool ledgers_apart(const claimed *k)
{
  for (need_place p = { .item = -1 }; coq_next_need(k, &p);)
    for (need_place o = { .item = -1 }; coq_next_need(k, &o);)
      if (p.group != o.group && p.z->of[p.item] == o.z->of[o.item])
        return false;
  return true;
}

/* ---- reading ---- */

/* The claim is about what Coq is told of: nothing was laid together or divided. */
bool coq_same_text(const normal_form *a, const normal_form *b)
{
  bool good = a->arrays == b->arrays && a->accesses == b->accesses;
  for (int x = 0; x < a->arrays && good; x++)
    good = a->array[x].rank == b->array[x].rank && !b->array[x].piece_of;
  for (int i = 0; i < a->accesses && good; i++) {
    const access *x = a->access[i], *y = b->access[i];
    good = x->from == y->from && x->to == y->to && x->where->vars == y->where->vars;
    linear index[CDAG_RANK];
    coq_access_index(y, good ? a->array[x->to].rank : 0, index);
    for (int r = 0; good && r < a->array[x->to].rank; r++)
      good = linear_equal(&x->index[r], &index[r]);
  }
  return good;
}

static bool is_asked(item_kind kind) { return kind != ITEM_TAIL; }

static bool is_simple(const affine_claim *c)
{
  bool good = c->reading == READ_AS_IT_IS && c->groups > 0;
  for (int i = 0; i < c->groups && good; i++) {
    const claim_group *g = &c->group[i];
    good = g->statements > 0 && !g->together && !(g->tail && g->pairs) && g->segments > 0 && g->first >= 0 &&
           g->length >= 0;
  }
  for (int i = 0; i < c->groups; i++)
    for (int s = 0; s < c->group[i].statements; s++)
      for (int n = 0; n < c->group[i].statement[s].items; n++)
        for (int w = 0; w < c->group[i].statement[s].item[n].ways; w++)
          good = good && is_asked(c->group[i].statement[s].item[n].way[w].kind);
  return good;
}

static void begin_group(claimed *k, int g)
{
  ledger *l = &k->l[g];
  l->group = &k->c.group[g];
  l->of = ARENA_NEW(k->memory, stating, (size_t)l->group->statements);
  for (int s = 0; s < l->group->statements; s++)
    l->of[s].s = &l->group->statement[s];
}

static bool read_group(claimed *k, int g)
{
  ledger *l = &k->l[g];
  for (int s = 0; s < l->group->statements; s++) {
    stating *z = &l->of[s];
    for (int i = 0; i < z->s->items; i++)
      if (!read_need(k, z, i))
        return false;
    if (!read_steps(k, z))
      return false;
    read_order(k, z);
  }
  return l->group->pairs > 0 ? read_pairs(k, l) : read_columns(l) && coq_is_block(k, l);
}

static bool read_claim(claimed *k, const bound_question *q, const bound *b)
{
  text reason = { 0 };
  bool good = affine_derive(&k->f, &k->c, &reason) && coq_same_text(&k->t.form, &k->f.form);
  text_clear(&reason);
  for (int g = 0; g < k->c.groups; g++)
    begin_group(k, g);
  if (!good || !read_own(k) || !coq_read_kinds(k) || !read_words(k) || !ledgers_apart(k) || !coq_read_makers(k))
    return false;
  coq_ends_init(&k->ends, &k->t);
  for (int g = 0; g < k->c.groups && good; g++)
    good = read_group(k, g);
  return good && is_as_much(k, q, b);
}

/* ---- writing ---- */

static void put_list_of_forms(const linear *f, int n, int vars, text *out)
{
  coq_forms l = { .n = n, .item = (linear *)f };
  coq_put_forms(&l, vars, out);
}

static void put_owned(const claimed *k, text *out)
{
  bool some = false;
  text_add(out, "  [::");
  for (int i = 0; i < k->owns; i++) {
    const access *x = access_of(k, k->own[i]);
    text_printf(out, "%s(%d%%nat, ", i ? "; " : " ", k->own[i]);
    put_list_of_forms(k->back[i], is_counted(k, i) ? k->t.box[x->from].n : 0, k->t.box[x->to].n, out);
    text_char(out, ')');
  }
  text_add(out, "]\n  [::");
  for (int x = 0; x < k->t.form.arrays; x++) {
    text_add(out, x ? ";\n    [::" : " [::");
    for (int q = 0; q < k->kinds[x].n; q++) {
      const word_kind *of = &k->kinds[x].item[q];
      text_add(out, q ? "; (" : " (");
      coq_put_forms(&of->where, k->t.box[x].n, out);
      text_printf(out, ", (%d%%nat, ", of->of);
      put_list_of_forms(of->form, of->forms, k->t.box[x].n, out);
      text_add(out, "))");
    }
    text_char(out, ']');
  }
  text_add(out, "]\n  [::");
  for (int c = 0; c < k->components; c++)
    if (k->counted[c]) {
      text_printf(out, "%s%d%%nat", some ? "; " : " ", c);
      some = true;
    }
  text_char(out, ']');
}

static void put_makers(const claimed *k, text *out)
{
  text_add(out, "\n  [::");
  for (int i = 0; i < k->makers; i++)
    text_printf(out, "%sAffineClaim.Maker %d%%nat %d%%nat %d%%nat", i ? "; " : " ", k->maker[i].before, k->maker[i].row,
                k->maker[i].column);
  text_printf(out, "] %ld", (long)k->tail);
}

static void put_powers(const ledger *l, const stating *z, text *out)
{
  int64_t power[CLAIM_ITEMS], column[CLAIM_ITEMS];
  for (int i = 0; i < z->s->items; i++) {
    power[i] = z->s->item[i].power / divisor(l);
    column[i] = z->s->item[i].column;
  }
  coq_put_numbers(column, z->s->items, out);
  text_add(out, "%nat\n      (AffineForms.Exponents ");
  coq_order_put(&z->order, out);
  text_printf(out, " %ld ", (long)l->den);
  coq_put_numbers(power, z->s->items, out);
  text_char(out, ')');
}

static void put_region(const claimed *k, const stating *z, const step_region *r, text *out)
{
  text_char(out, '(');
  coq_put_forms(&r->where, k->t.box[z->s->array].n, out);
  text_add(out, ", [::");
  for (int i = 0; i < z->s->items; i++) {
    text_add(out, i ? "; (" : " (");
    if (r->way[i].access < 0)
      text_add(out, "None");
    else
      text_printf(out, "Some %d%%nat", r->way[i].access);
    text_printf(out, ", %d%%nat)", r->way[i].kind);
  }
  text_add(out, "])");
}

static void put_sibling(const claimed *k, const ledger *l, const stating *z, text *out)
{
  text_printf(out, "AffineCertificate.Sibling %d%%nat [::", z->s->array);
  for (int i = 0; i < z->n; i++) {
    text_add(out, i ? ";\n      " : " ");
    put_region(k, z, &z->region[i], out);
  }
  text_add(out, "]\n      [::");
  for (int i = 0; i < z->s->items; i++) {
    text_printf(out, "%s(%d%%nat, ", i ? "; " : " ", z->of[i]);
    put_list_of_forms(z->form[i], z->forms[i], k->t.box[z->s->array].n, out);
    text_char(out, ')');
  }
  text_add(out, "] ");
  if (l->group->pairs > 0)
    text_add(out, "[::] (AffineForms.Exponents [::] [::] 0 [::])");
  else
    put_powers(l, z, out);
}

static void put_pairs(const ledger *l, text *out)
{
  text_add(out, "[::] [::] (Some (AffineClaim.Pairing [::");
  for (int q = 0; q < l->group->pairs; q++)
    text_printf(out, "%s (%d%%nat, %d%%nat)", q ? ";" : "", l->rows[2 * q], l->rows[2 * q + 1]);
  text_printf(out, "] %d%%nat %d%%nat %d%%nat))", 2 * l->group->pairs, l->order_at, l->order_of);
}

static void put_columns(const ledger *l, text *out)
{
  int n = CLAIM_COLUMNS;
  while (n > 0 && !l->power[n - 1])
    n--;
  coq_put_numbers(l->power, n, out);
  text_add(out, " [::");
  for (int u = 0; u < l->units; u++) {
    int64_t columns[] = { l->unit[u].a, l->unit[u].b };
    text_add(out, u ? "; (" : " (");
    coq_put_numbers(columns, columns[0] == columns[1] ? 1 : 2, out);
    text_printf(out, "%%nat, %ld)", (long)l->unit[u].power);
  }
  text_add(out, "] None");
}

static void put_claim(const claimed *k, text *out)
{
  text_printf(out, "AffineCertificate.GroupsClaim %s\n", k->once ? "true" : "false");
  put_owned(k, out);
  put_makers(k, out);
  text_add(out, "\n  [::");
  for (int g = 0; g < k->c.groups; g++) {
    const ledger *l = &k->l[g];
    text_add(out, g ? ";\n    AffineCertificate.Group [:: " : " AffineCertificate.Group [:: ");
    for (int s = 0; s < l->group->statements; s++) {
      text_add(out, s ? ";\n    " : "");
      put_sibling(k, l, &l->of[s], out);
    }
    text_add(out, "] ");
    if (l->group->pairs > 0)
      put_pairs(l, out);
    else
      put_columns(l, out);
  }
  text_char(out, ']');
}

static void put_cuts(const claimed *k, text *out)
{
  text_add(out, "[::");
  for (int g = 0; g < k->c.groups; g++) {
    const ledger *l = &k->l[g];
    const mpz_t *all[] = { &l->first, &l->length, &l->others, &l->most_first, &l->most };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
      text_add(out, g || i ? " ; " : " ");
      coq_put_big(out, *all[i]);
    }
  }
  text_add(out, " ]");
}

static void init_cuts(claimed *k)
{
  for (int g = 0; g < CLAIM_GROUPS; g++)
    mpz_inits(k->l[g].first, k->l[g].length, k->l[g].others, k->l[g].most_first, k->l[g].most, NULL);
}

static void clear_cuts(claimed *k)
{
  for (int g = 0; g < CLAIM_GROUPS; g++)
    mpz_clears(k->l[g].first, k->l[g].length, k->l[g].others, k->l[g].most_first, k->l[g].most, NULL);
}

bool coq_affine_proves(const bound_question *q, const bound *b, const json_value *v, text *computation, text *ends,
                       text *claim, text *cuts)
{
  claimed *k = MEM_NEW(claimed, 1);
  text reason = { 0 };
  bool read = affine_claim_read(v, &k->c, &reason) && is_simple(&k->c), proves = false;
  text_clear(&reason);
  init_cuts(k);
  if (read && coq_text_read(&k->t, q->g) && affine_facts_init(&k->f, q->g, READ_AS_IT_IS)) {
    k->memory = &k->t.form.memory;
    coq_from_zero(&k->f.form);
    proves = read_claim(k, q, b);
    if (proves && computation) {
      coq_text_put(&k->t, computation);
      text_add(ends, text_str(&k->ends.written));
      put_claim(k, claim);
      put_cuts(k, cuts);
    }
    if (k->ends.region)
      coq_ends_clear(&k->ends);
    affine_facts_clear(&k->f);
  }
  if (read)
    coq_text_clear(&k->t);
  clear_cuts(k);
  mem_free(k);
  return proves;
}
