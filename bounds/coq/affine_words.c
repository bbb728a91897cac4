/* Words of a claim: own predecessors backwards, and where words begin. */
#include "bounds/coq/affine_internal.h"
#include <string.h>

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
                            coq_implies(&k->t.box[x->to], &both, &coq_never));
}

/* ---- where words begin ---- */

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
      if (!coq_implies(&k->t.loops[i], &both, &coq_never))
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
    if (!coq_implies(&k->t.box[array], known, &coq_never) && !are_inputs(k, array, known))
      keep(k, l, known);
    return true;
  }
  coq_forms so_far = coq_forms_both(k->memory, &but->item[i], known);
  if (coq_implies(&k->t.box[array], &so_far, &coq_never))
    return add_rest(k, array, known, but, i + 1, l);
  so_far = *known;
  for (int n = 0; n < but->item[i].n; n++) {
    coq_forms part = coq_forms_with(k->memory, &so_far, &but->item[i].item[n], false);
    if (++k->asked > MOST_ASKED)
      return false;
    if (!coq_implies(&k->t.box[array], &part, &coq_never) && !add_rest(k, array, &part, but, i + 1, l))
      return false;
    so_far = coq_forms_with(k->memory, &so_far, &but->item[i].item[n], true);
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

bool coq_whole_rooted(claimed *k, int of)
{
  kinds *cut = k->kinds;
  regions starts = { 0 };
  bool good = true;
  k->kinds = ARENA_NEW(k->memory, kinds, (size_t)k->t.form.arrays);
  for (int x = 0; x < k->t.form.arrays; x++) {
    word_kind all = { .of = component(k, x), .forms = k->f.words.labels[component(k, x)] };
    memcpy(all.form, k->f.words.label[x], sizeof all.form);
    k->kinds[x].item = arena_room(k->memory, NULL, 0, &k->kinds[x].room, sizeof all);
    k->kinds[x].item[k->kinds[x].n++] = all;
  }
  for (int x = 0; x < k->t.form.arrays && good; x++)
    good = component(k, x) != of || (add_starts(k, x, 0, &starts) && starts.n == 0);
  k->kinds = cut;
  return good;
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

bool coq_read_own(claimed *k)
{
  for (int i = 0; i < k->c.owns; i++)
    if (is_asked_for(k, k->c.own[i]))
      k->own[k->owns++] = k->c.own[i];
  for (int i = 0; i < k->owns; i++)
    if (!coq_is_single(k, k->own[i], &k->t.where[k->own[i]]))
      return false;
  return true;
}

bool coq_is_counted(const claimed *k, int i)
{
  const kinds *l = &k->kinds[access_of(k, k->own[i])->to];
  bool counted = false;
  for (int q = 0; q < l->n; q++)
    counted = counted || k->counted[l->item[q].of];
  return counted;
}

bool coq_read_words(claimed *k)
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
    if (coq_is_counted(k, i) && !find_back(k, k->own[i], k->back[i]))
      return false;
  for (int i = 0; i < k->owns; i++)
    for (int j = i + 1; j < k->owns; j++)
      if (coq_is_counted(k, i) && !are_apart(k, i, j))
        return false;
  return true;
}
