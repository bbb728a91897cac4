/* The tree of a computed operand: starting at the operand's element, the predecessors that are its own (whose indices
   tell the operand's setting apart) down to inputs.  If no vertex of the tree is red when a stretch of play begins or
   loaded in it, and the operand is used in it, the whole tree is computed in it, so every input word at its leaves is
   red then or loaded.

   A chain inside the tree is walked to its beginning: its loop becomes a free variable.  Indices are kept twice:
   `exact`, on the piece of the domain looked at, to decide what exists; `named`, on the hull, to decide which elements
   differ. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/recognise/shape_internal.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8 };

/* ---- ranges by piece ---- */

static int by_low(const void *a, const void *b)
{
  const int64_t *x = a, *y = b;
  return (x[0] > y[0]) - (x[0] < y[0]);
}

static void close_group(shape_spread *s)
{
  if (s->n > 1)
    qsort(s->range, s->n, sizeof *s->range, by_low);
  for (size_t i = 1; i < s->n; i++)
    s->bad = s->bad || s->range[i - 1][1] >= s->range[i][0];
  s->n = 0;
}

void shape_spread_add(shape_spread *s, const int64_t *x, int64_t lo, int64_t hi)
{
  bool same = true;
  for (int r = 0; r < CDAG_RANK; r++)
    same = same && (!(s->given >> r & 1) || s->group[r] == x[r]);
  if (!same)
    close_group(s);
  memcpy(s->group, x, sizeof s->group);
  s->range = mem_room(s->range, s->n, &s->room, sizeof *s->range);
  s->range[s->n][0] = lo;
  s->range[s->n++][1] = hi;
}

bool shape_spread_end(shape_spread *s)
{
  close_group(s);
  mem_free(s->range);
  s->range = NULL;
  return !s->bad;
}

bool shape_spread_ordered(unsigned pinned, unsigned given)
{
  unsigned others = pinned & ~given;
  return !given || !others || given < (others & -others);
}

bool shape_tells(const affine_domain *d, const affine *f, unsigned loops, unsigned pinned)
{
  unsigned silent = loops & ~pinned & ~affine_slots(f);
  for (int r = 0; r < d->rank; r++) {
    affine length = d->hi[r];
    int64_t most;
    if (silent >> r & 1 && (!affine_add(&length, &d->lo[r], -1) || !affine_max(d, &length, &most) || most > 1))
      return false;
  }
  return affine_injective(d, f, 1, affine_slots(f));
}

/* ---- the walk ---- */

typedef struct {
  affine exact[CDAG_RANK];
  shape_name named[CDAG_RANK];
} element;

typedef struct {
  const shape_piece *p;
  const bound_operand *o;
  affine_domain piece, hull;   /* with the free variables of chains */
  int free;                    /* next free slot */
  const expr *text[AFFINE_SLOTS]; /* how the length of a free variable is written */
  shape_leaf *leaf;
  element leaf_at[BOUND_LEAVES];
  int leaves;
  uint64_t tree, whole;        /* arrays visited, those of which a whole chain was */
  element *place;              /*   and where, by array; the others are not set */
  bool bad;                    /* the tree is not the operand's own, or too deep */
} walk;

static shape_name name_of(const walk *w, const expr *e, const element *from, int n)
{
  affine form[CDAG_RANK];
  shape_name f = { .tabled = false };
  for (int r = 0; r < n; r++)
    if (expr_uses(e, w->p->g->params + r, w->p->g->params + r + 1)) {
      f.loops |= from->named[r].loops;
      f.tabled = f.tabled || from->named[r].tabled;
    }
  for (int r = 0; r < n; r++)
    form[r] = from->named[r].tabled ? affine_const(0) : from->named[r].form;
  if (!f.tabled)
    f.tabled = !affine_of_expr(w->p->g, e, form, n, &f.form);
  if (!f.tabled)
    f.loops = affine_slots(&f.form);
  return f;
}

/* The untabled names, and the loops they use. */
static int plain_names(const element *e, int rank, affine *form, unsigned *loops)
{
  int n = 0;
  *loops = 0;
  for (int r = 0; r < rank; r++)
    if (!e->named[r].tabled) {
      form[n++] = e->named[r].form;
      *loops |= e->named[r].loops;
    }
  return n;
}

/* Do different settings of the operand have different elements here, whatever the free variables? */
static bool is_own(const walk *w, int array, const element *e)
{
  affine form[CDAG_RANK];
  unsigned loops;
  int n = plain_names(e, w->p->g->array[array].rank, form, &loops);
  return (w->o->loops & ~loops) == 0 && affine_injective(&w->hull, form, n, loops);
}

/* Values of the free variables that tell words of one setting apart. */
static int64_t width_of(const walk *w, unsigned slots)
{
  int64_t width = 1;
  for (int f = CDAG_RANK; f < w->free; f++)
    if (slots >> f & 1 && !num_mul(width, w->piece.hi[f].base - w->piece.lo[f].base, &width))
      return 0;
  return width;
}

static const expr *width_text(const walk *w, unsigned slots)
{
  unsigned used = slots >> CDAG_RANK;
  return used && !(used & (used - 1)) ? w->text[CDAG_RANK + __builtin_ctz(used)] : NULL;
}

static bool leaf_box(const walk *w, int array, const element *e, cdag_box *box)
{
  for (int r = 0; r < w->p->g->array[array].rank; r++) {
    if (!affine_min(&w->piece, &e->exact[r], &box->lo[r]) || !affine_max(&w->piece, &e->exact[r], &box->hi[r]))
      return false;
    box->hi[r]++;
  }
  return true;
}

static void add_leaf(walk *w, int array, const element *e)
{
  affine form[CDAG_RANK];
  unsigned slots, loops_mask = (1u << CDAG_RANK) - 1;
  int rank = w->p->g->array[array].rank, n = plain_names(e, rank, form, &slots), tabled = -1;
  shape_leaf l = { .leaf = { .array = array } };
  for (int r = 0; r < rank; r++)
    if (e->named[r].tabled && tabled >= 0)
      return;
    else if (e->named[r].tabled)
      tabled = r;
  if (w->leaves == BOUND_LEAVES || !affine_injective(&w->hull, form, n, slots) || !leaf_box(w, array, e, &l.leaf.box))
    return;
  l.leaf.loops = slots & loops_mask;
  l.leaf.width = width_of(w, slots);
  l.leaf.width_text = width_text(w, slots);
  if (tabled >= 0) {
    const affine *f = &e->exact[tabled];
    unsigned read = e->named[tabled].loops;
    l.tabled = true;
    l.lo = l.leaf.box.lo[tabled];
    l.hi = l.leaf.box.hi[tabled] - 1;
    l.leaf.given = w->p->pinned & w->p->keys & read;
    if (read & slots || read & ~loops_mask || !shape_spread_ordered(w->p->pinned, l.leaf.given) ||
        !shape_tells(&w->piece, f, read, w->p->pinned))
      return;
    l.leaf.loops |= read;
  }
  if (l.leaf.width == 0)
    return;
  w->leaf_at[w->leaves] = *e;
  w->leaf[w->leaves++] = l;
}

/* A range of an index, of constant length, becomes a free variable too. */
static bool free_variable(walk *w, const affine *lo, const affine *hi, const expr *length, affine *value)
{
  if (!affine_is_const(lo) || !affine_is_const(hi) || hi->base <= lo->base || w->free == AFFINE_SLOTS)
    return false;
  affine_domain_extend(&w->piece, w->free, lo, hi);
  affine_domain_extend(&w->hull, w->free, lo, hi);
  w->text[w->free] = lo->base == 0 ? length : NULL;
  *value = affine_slot(w->free++);
  return true;
}

static bool range_of(walk *w, int array, int r, const cdag_index *index, const element *from, int n,
                     element *to)
{
  affine lo, hi, value;
  const cdag *g = w->p->g;
  if (index->kind == CDAG_ALL) {
    if (!affine_range(g, array, r, to->exact, &lo, &hi))
      return false;
  } else if (!affine_of_expr(g, index->lo, from->exact, n, &lo) || !affine_of_expr(g, index->hi, from->exact, n, &hi))
    return false;
  if (!free_variable(w, &lo, &hi, index->kind == CDAG_ALL ? g->array[array].hi[r] : index->hi, &value))
    return false;
  to->exact[r] = value;
  to->named[r] = (shape_name){ .form = value, .loops = affine_slots(&value) };
  return true;
}

/* The elements a term of `array` names when read from `from`. */
static bool follow(walk *w, int array, const cdag_term *t, const element *from, element *to)
{
  const cdag *g = w->p->g;
  int n = g->array[array].rank;
  for (int r = 0; r < g->array[t->array].rank; r++) {
    if (t->index[r].kind != CDAG_AT) {
      if (!range_of(w, t->array, r, &t->index[r], from, n, to))
        return false;
      continue;
    }
    if (!affine_of_expr(g, t->index[r].lo, from->exact, n, &to->exact[r]))
      return false;
    to->named[r] = name_of(w, t->index[r].lo, from, n);
  }
  return shape_exists(g, t->array, to->exact, &w->piece);
}

/* When the array is a chain along one loop and the element's place in it is the same for all: all of the chain up to
 * it.  Is that the whole chain? */
static bool walk_chain(walk *w, int array, element *e)
{
  const cdag *g = w->p->g;
  shape_chain c;
  affine lo, hi, value;
  shape_chain_find(g, array, &c);
  if (c.terms != 1 || __builtin_popcount(c.links) != 1)
    return false;
  int r = __builtin_ctz(c.links);
  bool back = c.direction[r] < 0;
  affine end = e->exact[r];
  if (!shape_straight(g, array, &c) || !affine_range(g, array, r, e->exact, &lo, &hi))
    return false;
  affine first = lo, last = hi;
  if (back)
    hi = end, hi.base += 1;
  else
    lo = end;
  affine whole = hi;
  if (affine_of_expr(g, g->array[array].hi[r], e->exact, r, &whole) &&
      free_variable(w, &lo, &hi, affine_equal(&whole, &hi) ? g->array[array].hi[r] : NULL, &value)) {
    element all = *e;
    all.exact[r] = value;
    all.named[r] = (shape_name){ .form = value, .loops = affine_slots(&value) };
    if (is_own(w, array, &all)) {
      *e = all;
      return affine_equal(&lo, &first) && affine_equal(&hi, &last);
    }
  }
  return false;
}

/* An array met twice must be met at the same place: P[i,j] and P[j,i] would share vertices between settings.  Places
   are told by the loops; elements along a chain at one setting are one place. */
static bool same_place(const walk *w, int array, const element *e)
{
  if (!(w->tree >> array & 1))
    return true;
  for (int r = 0; r < w->p->g->array[array].rank; r++) {
    const shape_name *a = &w->place[array].named[r], *b = &e->named[r];
    unsigned loops = (1u << CDAG_RANK) - 1;
    if (a->tabled || b->tabled || ((a->loops ^ b->loops) & loops))
      return false;
    if (a->loops & loops && !affine_equal(&a->form, &b->form))
      return false;
  }
  return true;
}

static void visit(walk *w, int array, element e, int depth)
{
  const cdag_array *b = &w->p->g->array[array];
  if (b->terms == 0) {
    add_leaf(w, array, &e);
    return;
  }
  if (b->declared_input || !is_own(w, array, &e))
    return;
  if (array == w->p->statement || depth == DEPTH || array >= 64) {
    w->bad = true;
    return;
  }
  if (!same_place(w, array, &e))
    return;
  w->tree |= (uint64_t)1 << array;
  w->place[array] = e;
  if (walk_chain(w, array, &e))
    w->whole |= (uint64_t)1 << array;
  for (int t = 0; t < b->terms; t++) {
    element next;
    if (b->term[t].array != array && follow(w, array, &b->term[t], &e, &next))
      visit(w, b->term[t].array, next, depth + 1);
  }
}

/* ---- all pieces ---- */

static shape_spot spot_of(const walk *w, const element *e)
{
  shape_spot s;
  memcpy(s.named, e->named, sizeof s.named);
  for (int f = 0; f < AFFINE_SLOTS; f++) {
    bool free = f >= CDAG_RANK && f < w->free;
    s.lo[f] = free ? w->piece.lo[f].base : 0;
    s.hi[f] = free ? w->piece.hi[f].base : 0;
  }
  return s;
}

/* X[i] on one piece and X[i-3] on another are the same words for different i. */
static bool told_alike(const shape_spot *a, const shape_spot *b, int rank)
{
  for (int r = 0; r < rank; r++) {
    const shape_name *x = &a->named[r], *y = &b->named[r];
    if (x->tabled != y->tabled)
      return false;
    if (x->tabled || !((x->loops | y->loops) & ((1u << CDAG_RANK) - 1)))
      continue;
    if (!affine_equal(&x->form, &y->form))
      return false;
    for (int f = CDAG_RANK; f < AFFINE_SLOTS; f++)
      if (x->loops >> f & 1 && (a->lo[f] != b->lo[f] || a->hi[f] != b->hi[f]))
        return false;
  }
  return true;
}

static bool as_before(const walk *w, shape_spots *known)
{
  bool alike = true;
  for (int a = 0; a < w->p->g->arrays && a < 64; a++) {
    if (!(w->tree >> a & 1))
      continue;
    shape_spot here = spot_of(w, &w->place[a]);
    if (known->met >> a & 1)
      alike = alike && told_alike(&here, &known->tree[a], w->p->g->array[a].rank);
    else
      known->tree[a] = here;
  }
  known->met |= w->tree;
  for (int i = 0; i < w->leaves; i++) {
    shape_spot here = spot_of(w, &w->leaf_at[i]);
    if (i < known->leaves)
      alike = alike && told_alike(&here, &known->leaf[i], w->p->g->array[w->leaf[i].leaf.array].rank);
    else
      known->leaf[known->leaves++] = here;
  }
  return alike;
}

int shape_tree(const shape_piece *p, bound_operand *o, shape_leaf *leaf, shape_spots *known)
{
  element place[64]; /* too much to clear for every piece */
  walk w = { .p = p, .o = o, .piece = p->d, .free = CDAG_RANK, .leaf = leaf, .place = place };
  const cdag_term *t = &p->g->array[p->statement].term[o->term];
  element start, from;
  if (o->given)
    return 0;
  shape_hull_domain(p->g, p->statement, &w.hull);
  for (int r = 0; r < CDAG_RANK; r++) {
    from.exact[r] = p->form[r];
    from.named[r] = (shape_name){ .form = affine_slot(r), .loops = 1u << r };
  }
  if (follow(&w, p->statement, t, &from, &start))
    visit(&w, o->array, start, 0);
  o->tree |= w.tree;
  o->partial |= w.tree & ~w.whole;
  return as_before(&w, known) && !w.bad ? w.leaves : 0;
}
