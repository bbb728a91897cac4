/* Words that are read with tails (docs/theory-affine.md, section 4.1), as AffineTails.v asks for them: words are cut
   into tails and what is before them; what is read ends a tail, which is made by a chain, or is all of its word. */
#include "base/num.h"
#include "bounds/coq/affine_internal.h"
#include <string.h>

enum { SIDES = 2, HEADS_MOST = 64, FAR = 1 << 30 };

/* Elements of an array that are read, of one kind, and by what access each reads the element before on its word. */
typedef struct {
  int array, kind, side, first;
  coq_forms where, long_;      /* long_: and the tail is not all of the word */
} head;

typedef struct {
  claimed *k;
  const stating *z;
  int body, part[SIDES], item[SIDES]; /* components: before tails; of the tails of a row and of a column, and needs */
  maker chain;
  int heads;
  head head[HEADS_MOST];
  linear all_tail[SIDES], side; /* of labels: the word is all tail; rows, not columns */
} tailing;

static coq_box *box_of(const tailing *t, int array) { return &t->k->t.box[array]; }
static word_kind *kind_of(const tailing *t, int array, int q) { return &t->k->kinds[array].item[q]; }
static int made_array(const tailing *t) { return t->z->s->array; }
static linear negative(const linear *f)
{
  linear less = linear_constant(-1);
  linear_add(&less, f, -1);
  return less;
}

/* f of labels, in the indices of elements of this kind. */
static bool of_labels(const linear *f, const word_kind *of, linear *moved)
{
  return linear_substitute(f, of->form, of->forms, 0, moved);
}

/* The largest number that f is proved not to be below; false when there is none. */
static bool least_of(const coq_box *b, const coq_forms *known, const linear *f, int64_t *least)
{
  int64_t low = -FAR, high = FAR;
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    linear above = *f;
    above.base -= middle;
    if (coq_implies(b, known, &above))
      low = middle;
    else
      high = middle - 1;
  }
  *least = low;
  return low > -FAR && low < FAR;
}

/* The least of f over all elements of tails on that side: where words begin there, or everywhere. */
static bool least_on(const tailing *t, int side, bool starts, const linear *f, int64_t *least)
{
  const claimed *k = t->k;
  bool some = false;
  for (int x = 0; x < k->t.form.arrays; x++)
    for (int q = 0; q < k->kinds[x].n; q++)
      for (int i = 0; i < (starts ? k->starts[x][q].n : 1) && kind_of(t, x, q)->of == t->part[side]; i++) {
        linear moved;
        int64_t here;
        if (!of_labels(f, kind_of(t, x, q), &moved) ||
            !least_of(box_of(t, x), starts ? &k->starts[x][q].item[i] : &kind_of(t, x, q)->where, &moved, &here))
          return false;
        *least = some ? num_min(*least, here) : here;
        some = true;
      }
  return some;
}

/* ---- what is read ---- */

static bool add_heads(tailing *t, int side, int a)
{
  claimed *k = t->k;
  const access *x = k->f.form.access[a];
  int n = box_of(t, x->to)->n;
  polyhedron *image = polyhedron_new(&k->f.scratch, n);
  bool exact;
  linear own[CDAG_RANK];
  linear_variables(own, n, 0);
  polyhedron_include(&k->f.scratch, image, x->where, NULL, 0);
  for (int r = 0; r < n; r++) {
    linear moved;
    if (!linear_substitute(&x->index[r], NULL, 0, n, &moved))
      return false;
    polyhedron_same(&k->f.scratch, image, &own[r], &moved);
  }
  image = polyhedron_project(&k->f.scratch, image, n, &exact);
  for (int q = 0; q < k->kinds[x->to].n; q++) {
    polyhedra parts = { 0 };
    if (kind_of(t, x->to, q)->of != t->part[side])
      continue;
    if (image->open || !coq_kind_parts(k, image, x->to, own, q, &parts))
      return false;
    for (int i = 0; i < parts.n; i++) {
      head h = { .array = x->to, .kind = q, .side = side };
      if (t->heads == HEADS_MOST || !coq_forms_beyond(k->memory, box_of(t, x->to),
                                                      polyhedron_tidy(&k->f.scratch, parts.item[i]), &h.where) ||
          !coq_of_kind(k, box_of(t, x->to), &h.where, x->to, own, q))
        return false;
      t->head[t->heads++] = h;
    }
  }
  return true;
}

/* Where the known forms hold what access a reads is one of the heads on that side. */
static bool reads_head(const tailing *t, const coq_forms *known, int a, int side)
{
  const access *x = access_of(t->k, a);
  for (int i = 0; i < t->heads; i++) {
    const head *h = &t->head[i];
    coq_forms there = coq_affine_moved(t->k, &h->where, x->index, box_of(t, x->to)->n);
    if (h->array == x->to && h->side == side && coq_implies_all(box_of(t, x->from), known, &there))
      return true;
  }
  return false;
}

static bool steps_read_heads(const tailing *t)
{
  for (int p = 0; p < t->z->n; p++)
    for (int s = 0; s < SIDES; s++)
      if (!reads_head(t, &t->z->region[p].where, t->z->region[p].way[t->item[s]].access, s))
        return false;
  return true;
}

/* ---- the chain that a head ends ---- */

/* f is not negative on all of it. */
static bool along(const tailing *t, const head *h, const linear *f)
{
  int64_t by;
  linear y;
  const coq_box *b = box_of(t, h->array);
  return coq_moves_by(t->k, &t->chain, f, &by) &&
         linear_substitute(f, access_of(t->k, h->first)->index, box_of(t, made_array(t))->n, 0, &y) &&
         coq_implies(b, &h->long_, &y) && num_mul(by, t->k->tail - 1, &by) && num_add(y.base, by, &y.base) &&
         coq_implies(b, &h->long_, &y);
}

static bool all_along(const tailing *t, const head *h, const coq_forms *l)
{
  bool good = true;
  for (int i = 0; i < l->n && good; i++)
    good = along(t, h, &l->item[i]);
  return good;
}

static bool none_along(const tailing *t, const head *h, const coq_forms *l)
{
  for (int i = 0; i < l->n; i++) {
    linear less = negative(&l->item[i]);
    if (along(t, h, &less))
      return true;
  }
  return false;
}

static bool is_of_kind_along(const tailing *t, const head *h)
{
  int x = made_array(t);
  for (int q = 0; q < t->k->kinds[x].n; q++) {
    bool good = kind_of(t, x, q)->of == t->part[h->side] && all_along(t, h, &kind_of(t, x, q)->where);
    for (int e = 0; e < q && good; e++)
      good = none_along(t, h, &kind_of(t, x, e)->where);
    if (good)
      return true;
  }
  return false;
}

static bool reads_along(const tailing *t, const head *h, int a, int side)
{
  const access *x = access_of(t->k, a);
  for (int i = 0; i < t->heads; i++) {
    coq_forms there = coq_affine_moved(t->k, &t->head[i].where, x->index, box_of(t, x->to)->n);
    if (t->head[i].array == x->to && t->head[i].side == side && all_along(t, h, &there))
      return true;
  }
  return false;
}

static bool same_labels(const tailing *t, const head *h)
{
  const claimed *k = t->k;
  linear read[LABELS_MOST];
  int n = coq_labels_read(k, h->first, read);
  bool good = n == k->f.words.labels[component(k, h->array)];
  for (int i = 0; i < n && good; i++)
    good = coq_same(box_of(t, h->array), &h->long_, &read[i], &k->f.words.label[h->array][i]);
  return good;
}

static bool is_chained(const tailing *t, const head *h)
{
  return coq_is_single(t->k, h->first, &h->long_) && coq_is_made_by(t->k, &t->chain, h->first, &h->long_) &&
         same_labels(t, h) && is_of_kind_along(t, h) && reads_along(t, h, t->chain.row, 0) &&
         reads_along(t, h, t->chain.column, 1);
}

static bool find_first(tailing *t, head *h)
{
  const claimed *k = t->k;
  linear all;
  if (!of_labels(&t->all_tail[h->side], kind_of(t, h->array, h->kind), &all))
    return false;
  all = negative(&all);
  h->long_ = (coq_forms){ 0 };
  coq_forms_add(k->memory, &h->long_, &all);
  h->long_ = coq_forms_both(k->memory, &h->long_, &h->where);
  h->first = t->chain.before;
  if (coq_implies(box_of(t, h->array), &h->long_, &coq_never))
    return true;
  for (int i = 0; i < k->owns; i++) {
    h->first = k->own[i];
    if (access_of(k, h->first)->from == h->array && access_of(k, h->first)->to == made_array(t) && is_chained(t, h))
      return true;
  }
  return false;
}

static bool heads_chained(tailing *t, int side)
{
  bool good = true;
  for (int i = 0; i < t->heads && good; i++)
    good = t->head[i].side != side || find_first(t, &t->head[i]);
  return good;
}

/* Words whose label is small, or large, are all tail. */
static bool find_all_tail(tailing *t, int side)
{
  int labels = t->k->f.words.labels[t->body];
  linear one = { 0 };
  for (int r = 0; r < labels; r++)
    for (int sign = -1; sign <= 1; sign += 2) {
      int64_t least;
      linear f = { 0 };
      f.coef[r] = sign;
      if (!least_on(t, side, true, &f, &least))
        continue;
      t->all_tail[side] = linear_constant(least - 1);
      linear_add(&t->all_tail[side], &f, -1);
      if (heads_chained(t, side))
        return true;
    }
  t->all_tail[side] = one; /* of every word */
  int64_t least;
  return !least_on(t, side, true, &one, &least) && heads_chained(t, side);
}

/* A form of labels that is larger for rows than for columns. */
static bool find_side(tailing *t)
{
  int labels = t->k->f.words.labels[t->body];
  for (int r = 0; r < labels; r++)
    for (int s = 0; s < labels; s++) {
      linear f = linear_variable(r), less = { 0 };
      int64_t rows, columns;
      if (r != s)
        f.coef[s]--;
      linear_add(&less, &f, -1);
      if (!least_on(t, 0, false, &f, &rows) || !least_on(t, 1, false, &less, &columns) || rows <= -columns)
        continue;
      t->side = f;
      t->side.base -= rows;
      return true;
    }
  return false;
}

/* ---- */

static bool find_chain(tailing *t)
{
  const claimed *k = t->k;
  const claim_item *row = &t->z->s->item[t->item[0]], *column = &t->z->s->item[t->item[1]];
  for (int i = 0; i < k->owns; i++)
    for (int r = 0; r < row->ways; r++)
      for (int c = 0; c < column->ways; c++) {
        t->chain = (maker){ k->own[i], row->way[r].access, column->way[c].access };
        if (access_of(k, t->chain.before)->from == made_array(t) && coq_is_maker(k, &t->chain) &&
            find_all_tail(t, 0) && find_all_tail(t, 1))
          return true;
      }
  return false;
}

/* The needs, and what cut words are called: as words are before they are cut. */
static bool find_sides(tailing *t)
{
  int n = 0;
  bool own = false;
  for (int i = 0; i < t->z->s->items; i++) {
    if (t->z->s->item[i].way[0].kind == ITEM_OWN) {
      own = !coq_in_a_tail(&t->k->l[0], t->z->s->item[i].column);
      t->body = t->z->of[i];
      continue;
    }
    if (n == SIDES)
      return false;
    t->item[n] = i;
    t->part[n++] = t->z->of[i];
  }
  return own && n == SIDES && t->part[0] != t->part[1] && t->body == component(t->k, made_array(t)) &&
         coq_all_rooted(t->k, t->body) && coq_whole_rooted(t->k, t->body);
}

static bool labels_stay(const tailing *t)
{
  const claimed *k = t->k;
  coq_forms none = { 0 };
  for (int x = 0; x < k->t.form.arrays; x++)
    for (int q = 0; q < k->kinds[x].n && component(k, x) == t->body; q++) {
      const word_kind *of = kind_of(t, x, q);
      if (of->forms != k->f.words.labels[t->body])
        return false;
      for (int f = 0; f < of->forms; f++)
        if (!coq_same(box_of(t, x), &none, &of->form[f], &k->f.words.label[x][f]))
          return false;
    }
  return true;
}

static void put_tails(const tailing *t, text *out)
{
  const claimed *k = t->k;
  int labels = k->f.words.labels[t->body];
  text_add(out, "AffineTails.Tailing\n  [::");
  for (int x = 0; x < k->t.form.arrays; x++) {
    int of = component(k, x);
    text_printf(out, "%s [:: ([::], (%d%%nat, ", x ? ";" : "", of);
    coq_put_linears(k->f.words.label[x], k->f.words.labels[of], box_of(t, x)->n, out);
    text_add(out, "))]");
  }
  text_printf(out, "]\n  %d%%nat %d%%nat %d%%nat\n  [::", t->body, t->part[0], t->part[1]);
  for (int i = 0; i < t->heads; i++) {
    const head *h = &t->head[i];
    text_printf(out, "%s AffineTails.Head %d%%nat ", i ? ";\n    " : "", h->array);
    coq_put_forms(&h->where, box_of(t, h->array)->n, out);
    text_printf(out, " %d%%nat %d%%nat", h->kind, h->first);
  }
  text_printf(out, "]\n  (AffineClaim.Maker %d%%nat %d%%nat %d%%nat) ", t->chain.before, t->chain.row, t->chain.column);
  for (int s = 0; s < SIDES; s++) {
    coq_put_form(&t->all_tail[s], labels, out);
    text_add(out, "%Z ");
  }
  coq_put_form(&t->side, labels, out);
  text_add(out, "%Z");
}

bool coq_read_tails(claimed *k, text *out)
{
  tailing *t = ARENA_NEW(k->memory, tailing, 1);
  t->k = k;
  t->z = &k->l[0].of[0];
  bool good = find_sides(t) && labels_stay(t);
  for (int s = 0; s < SIDES && good; s++)
    for (int w = 0; w < t->z->s->item[t->item[s]].ways && good; w++)
      good = add_heads(t, s, t->z->s->item[t->item[s]].way[w].access);
  good = good && steps_read_heads(t) && find_side(t) && find_chain(t);
  if (good && out)
    put_tails(t, out);
  return good;
}
