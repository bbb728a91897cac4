#include "base/scoped.h"
#include "bounds/check/affine/stencil.h"
#include "base/num.h"
#include "cdag/polyhedral/ends.h"
#include "bounds/checker.h"
#include <string.h>

/* ---- is it one? ---- */

/* A read through an element of another component: of the neighbour along the axis, before (side 0) or after. */
typedef struct {
  access way;
  int side, middle;
  linear at[CDAG_RANK];        /* the element between, in the variables of way.where */
} detour;
enum { DETOURS_MOST = 64 };

typedef struct {
  affine_facts *f;
  const stencil_claim *c;
  int detours, passed;         /* along the axis at hand; ways that are not taken before the first */
  detour *detour;              /* room for DETOURS_MOST */
  int component, field[STENCIL_AXES]; /* field: the array of the elements between the columns of each axis */
  bool *between;               /* arrays whose elements detours pass */
  int *axis;                   /* along which an array is passed, and one more; -1: its words tell columns */
  linear *level;               /* of each array */
  polyhedra *box;              /* of each array: its elements in the box */
} lattice;

static const linear *label(const lattice *l, int array, int axis)
{
  return &l->f->words.label[array][l->c->axis[axis]];
}

static void between(arena *a, polyhedron *p, int64_t lo, const linear *f, int64_t hi)
{
  linear low = linear_constant(lo), high = linear_constant(hi);
  polyhedron_require(a, p, &low, f);
  polyhedron_require(a, p, f, &high);
}

/* Has the box elements of the array?  Arrays of inputs alone are below it, whatever level they were given. */
static bool is_counted(const lattice *l, int x)
{
  return l->f->words.component[x] == l->component && l->f->form.array[x].computed.n &&
         (l->c->stride == 1 || x == l->c->array);
}

static void cut_boxes(lattice *l)
{
  const normal_form *f = &l->f->form;
  for (int x = 0; x < f->arrays; x++)
    for (int k = 0; is_counted(l, x) && k < f->array[x].domain.n; k++) {
      polyhedron *p = polyhedron_copy(&l->f->scratch, f->array[x].domain.item[k]);
      between(&l->f->scratch, p, l->c->bottom, &l->level[x], l->c->top);
      for (int a = 0; a < l->c->axes; a++)
        between(&l->f->scratch, p, l->c->lo[a], label(l, x, a), l->c->hi[a]);
      if (!polyhedron_empty(p))
        polyhedra_add(&l->f->scratch, &l->box[x], p);
    }
}

static void volume(const stencil_claim *c, int64_t levels, mpz_t n)
{
  mpz_set_si(n, levels);
  for (int a = 0; a < c->axes; a++)
    mpz_mul_si(n, n, c->hi[a] - c->lo[a] + 1);
}

/* As many elements as places. */
static bool is_full(lattice *l, text *reason)
{
  SCOPED_MPZ n, part, want;
  mpz_inits(n, part, want, NULL);
  bool good = true;
  for (int x = 0; x < l->f->form.arrays && good; x++)
    for (int k = 0; k < l->box[x].n && good; k++) {
      good = !l->box[x].item[k]->open && polyhedron_count(l->box[x].item[k], part);
      mpz_add(n, n, part);
    }
  volume(l->c, stencil_levels_above(l->c) + 1, want);
  good = good && mpz_cmp(n, want) == 0;
  return good || bound_refuse(reason, "the box of columns and levels has not an element in every place");
}

/* Two elements in one place? */
static bool no_two(lattice *l, int x, int y, const polyhedron *p, const polyhedron *q)
{
  SCOPED_ARENA memory = { 0 };
  int shift;
  linear moved;
  polyhedron *both = polyhedron_beside(&memory, p, q, &shift);
  for (int a = 0; a < l->c->axes; a++)
    if (linear_substitute(label(l, y, a), NULL, 0, shift, &moved))
      polyhedron_same(&memory, both, label(l, x, a), &moved);
  if (linear_substitute(&l->level[y], NULL, 0, shift, &moved))
    polyhedron_same(&memory, both, &l->level[x], &moved);
  bool apart = true;
  if (x != y)
    apart = polyhedron_empty(both);
  for (int r = 0; x == y && r < l->f->form.array[x].rank && apart; r++) {
    linear a = linear_variable(r), b = linear_variable(shift + r);
    for (int side = 0; side < 2 && apart; side++) {
      polyhedron *differ = polyhedron_copy(&memory, both);
      linear small = side ? b : a;
      small.base++;
      polyhedron_require(&memory, differ, &small, side ? &a : &b);
      apart = polyhedron_empty(differ);
    }
    polyhedron_same(&memory, both, &a, &b);
  }
  return apart;
}

static bool is_told(lattice *l, text *reason)
{
  for (int x = 0; x < l->f->form.arrays; x++)
    for (int y = 0; y <= x; y++)
      for (int p = 0; p < l->box[x].n; p++)
        for (int q = 0; q < l->box[y].n; q++)
          if (!no_two(l, x, y, l->box[x].item[p], l->box[y].item[q]))
            return bound_refuse(reason, "two elements may have one column and level");
  return true;
}

typedef struct { int64_t by[STENCIL_AXES]; } offset; /* from column to column */

enum { OWN = -1, CORNER = -2 }; /* in place of an axis */

/* `by` columns on along the axis. */
static offset along(int axis, int64_t by)
{
  offset o = { { 0 } };
  if (axis >= 0)
    o.by[axis] = by;
  return o;
}

/* Does access a read what is in the column there, `drop` levels down? */
static bool leads(lattice *l, const access *a, offset there, int64_t drop)
{
  linear change;
  if (!a->single || l->f->words.component[a->to] != l->component)
    return false;
  for (int k = 0; k < l->c->axes; k++) {
    if (!linear_substitute(label(l, a->to, k), a->index, l->f->form.array[a->to].rank, 0, &change) ||
        !linear_add(&change, label(l, a->from, k), -1))
      return false;
    change.base -= there.by[k];
    if (!polyhedron_implies(a->where, &change, true))
      return false;
  }
  if (!linear_substitute(&l->level[a->to], a->index, l->f->form.array[a->to].rank, 0, &change) ||
      !linear_add(&change, &l->level[a->from], -1))
    return false;
  change.base += drop;
  return polyhedron_implies(a->where, &change, true);
}

/* a, and then b of what a reads. */
static bool compose(lattice *l, const access *a, const access *b, access *way)
{
  const normal_form *f = &l->f->form;
  int rank = f->array[a->to].rank;
  *way = *a;
  way->to = b->to;
  way->where = polyhedron_copy(&l->f->scratch, a->where);
  int shift = way->where->vars - rank;
  polyhedron_include(&l->f->scratch, way->where, b->where, a->index, rank);
  between(&l->f->scratch, way->where, l->c->bottom, &l->level[a->from], l->c->top);
  for (int k = 0; k < l->c->axes; k++)
    between(&l->f->scratch, way->where, l->c->lo[k], label(l, a->from, k), l->c->hi[k]);
  for (int r = 0; r < f->array[b->to].rank; r++)
    if (!linear_substitute(&b->index[r], a->index, rank, shift, &way->index[r]))
      return false;
  return !way->where->open && !polyhedron_empty(way->where);
}

/* Where two detours pass one element, can f of the one and g of the other differ? */
static bool differ(const polyhedron *both, const linear *f, const linear *g)
{
  for (int side = 0; side < 2; side++) {
    SCOPED_ARENA memory = { 0 };
    polyhedron *p = polyhedron_copy(&memory, both);
    linear small = side ? *g : *f;
    small.base++;
    polyhedron_require(&memory, p, &small, side ? f : g);
    bool empty = polyhedron_empty(p);
    if (!empty)
      return true;
  }
  return false;
}

/* On one side the element between tells the reader; on different sides it tells which two columns it is between, and
   for sections the level of both readers. */
static bool detours_apart(lattice *l, const detour *d, const detour *e, int axis)
{
  arena memory = { 0 };
  int shift, x = d->way.from, y = e->way.from;
  linear moved;
  polyhedron *both = polyhedron_beside(&memory, d->way.where, e->way.where, &shift);
  bool apart = true;
  for (int r = 0; r < l->f->form.array[d->middle].rank; r++) {
    apart = apart && linear_substitute(&e->at[r], NULL, 0, shift, &moved);
    polyhedron_same(&memory, both, &d->at[r], &moved);
  }
  if (polyhedron_empty(both) || !apart) {
    arena_clear(&memory);
    return apart;
  }
  if (d->side == e->side) {
    apart = x == y;
    for (int r = 0; r < l->f->form.array[x].rank && apart; r++) {
      linear a = linear_variable(r), b = linear_variable(shift + r);
      apart = !differ(both, &a, &b);
    }
  }
  if (l->c->sections && d->side != e->side && apart) {
    apart = linear_substitute(&l->level[y], NULL, 0, shift, &moved);
    apart = apart && !differ(both, &l->level[x], &moved);
  }
  for (int k = 0; k < l->c->axes && d->side != e->side && apart; k++) {
    linear a = *label(l, x, k), b;
    apart = linear_substitute(label(l, y, k), NULL, 0, shift, &b);
    a.base -= k == axis && !d->side;
    b.base -= k == axis && !e->side;
    apart = apart && !differ(both, &a, &b);
  }
  arena_clear(&memory);
  return apart;
}

/* The element between is of another component; or, where every other level counts, it is between two that count of the
   reader's column or of its neighbour's. */
static bool may_pass(lattice *l, const access *a, int axis, int64_t by)
{
  if (l->c->stride == 1)
    return l->f->words.component[a->to] != l->component;
  return a->to != l->c->array && (leads(l, a, along(OWN, 0), 1) || leads(l, a, along(axis, by), 1));
}

/* May lines along the axis that take this way meet those that take a way there is? */
static bool is_apart(lattice *l, const detour *d, int axis)
{
  bool apart = detours_apart(l, d, d, axis);
  for (int i = 0; i < l->detours && apart; i++)
    apart = l->detour[i].middle != d->middle || detours_apart(l, d, &l->detour[i], axis);
  return apart;
}

/* Reads of the neighbour through one element of another component: of the ways there are those that lines along the
   axis may take together, one after the other; the first few are passed over. */
static void find_detours(lattice *l, int x, int axis, int64_t by, int64_t drop, polyhedra *readers)
{
  const normal_form *f = &l->f->form;
  for (int i = 0; i < f->accesses; i++)
    for (int k = 0; k < f->accesses; k++) {
      const access *a = f->access[i], *b = f->access[k];
      detour *d = &l->detour[l->detours];
      if (a->from != x || a->to != b->from || !a->single || !b->single || !may_pass(l, a, axis, by) ||
          !is_counted(l, b->to) || l->detours == DETOURS_MOST)
        continue;
      if (!compose(l, a, b, &d->way) || !leads(l, &d->way, along(axis, by), drop * l->c->stride))
        continue;
      d->side = by > 0;
      d->middle = a->to;
      memcpy(d->at, a->index, sizeof d->at);
      if (l->passed > 0 || !is_apart(l, d, axis)) {
        l->passed -= l->passed > 0;
        continue;
      }
      polyhedra_add(&l->f->scratch, readers, d->way.where);
      l->between[a->to] = true;
      l->detours++;
    }
}

/* Where two own predecessors after one another lead to the array again, two levels down in one column. */
static void find_words(lattice *l, int x, polyhedra *readers)
{
  access way;
  for (int i = 0; i < l->c->owns; i++)
    for (int k = 0; k < l->c->owns; k++) {
      const access *a = l->f->form.access[l->c->own[i]], *b = l->f->form.access[l->c->own[k]];
      if (a->from == x && a->to == b->from && is_counted(l, b->to) && compose(l, a, b, &way) &&
          leads(l, &way, along(OWN, 0), 2))
        polyhedra_add(&l->f->scratch, readers, way.where);
    }
}

/* The elements of p, above the bottom, whose neighbour there lies in the box. */
static polyhedron *with_neighbour(lattice *l, int x, const polyhedron *p, offset there)
{
  polyhedron *q = polyhedron_copy(&l->f->scratch, p);
  linear above = l->level[x];
  above.base -= l->c->bottom + 1; /* the bottom is not counted, and need not be computed */
  polyhedron_add(&l->f->scratch, q, &above, false);
  for (int a = 0; a < l->c->axes; a++) {
    linear column = *label(l, x, a);
    column.base += there.by[a];
    if (there.by[a] != 0)
      between(&l->f->scratch, q, l->c->lo[a], &column, l->c->hi[a]);
  }
  return q;
}

/* Every element of the box whose neighbour there lies in the box reads it itself; or through another element, when it
   is one along an axis. */
static bool all_read(lattice *l, int axis, offset there, int64_t drop, text *reason)
{
  const normal_form *f = &l->f->form;
  for (int x = 0; x < f->arrays; x++) {
    polyhedra readers = { 0 };
    if (l->box[x].n == 0)
      continue;
    for (int i = 0; i < f->accesses; i++)
      if (f->access[i]->from == x && is_counted(l, f->access[i]->to) &&
          leads(l, f->access[i], there, drop * l->c->stride))
        polyhedra_add(&l->f->scratch, &readers, f->access[i]->where);
    if (axis == OWN && l->c->stride > 1)
      find_words(l, x, &readers);
    if (axis >= 0 && readers.n == 0)
      find_detours(l, x, axis, there.by[axis], drop, &readers);
    for (int k = 0; k < l->box[x].n; k++) {
      polyhedron *p = with_neighbour(l, x, l->box[x].item[k], there);
      if (!polyhedra_cover(&readers, p, f->array[x].rank))
        return bound_refuse(reason, "an element of the box does not read its neighbour along axis %d", axis);
    }
  }
  return true;
}

/* The neighbours along the axis are read, on both sides, by ways that lines may take together. */
static bool is_crossed(lattice *l, int axis, text *reason)
{
  enum { PASSED = 4 };
  bool good = false;
  for (int pass = 0; pass < PASSED && !good; pass++) {
    SCOPED_TEXT why = { 0 };
    l->detours = 0;
    l->passed = pass;
    good = all_read(l, axis, along(axis, -1), l->c->drop[axis][0], &why) &&
           all_read(l, axis, along(axis, 1), l->c->drop[axis][1], &why);
    if (!good && pass == 0)
      bound_because(reason, "%s", text_str(&why));
  }
  return good;
}

/* What is passed along the axis is passed along no other. */
static bool passed_along(lattice *l, int axis, text *reason)
{
  for (int i = 0; i < l->detours; i++) {
    int *of = &l->axis[l->detour[i].middle];
    if (*of != 0 && *of != axis + 1)
      return bound_refuse(reason, "elements are passed along two axes");
    *of = axis + 1;
  }
  return true;
}

/* ---- fields between the columns ---- */

/* The elements between that lie in p, said of the readers. */
static void include_between(lattice *l, const detour *d, const polyhedron *p, polyhedra *readers)
{
  polyhedron *q = polyhedron_copy(&l->f->scratch, d->way.where);
  polyhedron_include(&l->f->scratch, q, p, d->at, l->f->form.array[d->middle].rank);
  polyhedra_add(&l->f->scratch, readers, q);
}

/* Readers of two elements between: `on` columns on along the axis, `down` levels down, does the one lead to where the
   other does?  The first by `index`, forms of the element between, if any. */
static bool meet(lattice *l, const detour *d, const detour *e, offset on, int64_t down, const linear *index)
{
  SCOPED_ARENA memory = { 0 };
  int shift, x = d->way.from, rank = l->f->form.array[d->middle].rank;
  linear moved;
  polyhedron *both = polyhedron_beside(&memory, d->way.where, e->way.where, &shift);
  for (int k = 0; k <= l->c->axes; k++) {
    linear here = k < l->c->axes ? *label(l, x, k) : l->level[x];
    if (!linear_substitute(&here, NULL, 0, shift, &moved))
      return false;
    here.base += k < l->c->axes ? on.by[k] : -down;
    polyhedron_same(&memory, both, &here, &moved);
  }
  for (int r = 0; r < rank; r++) {
    linear here = d->at[r], there;
    if ((index && !linear_substitute(&index[r], d->at, rank, 0, &here)) ||
        !linear_substitute(&e->at[r], NULL, 0, shift, &there) || differ(both, &here, &there))
      return false;
  }
  return true;
}

/* All elements of the box above level `above` with a neighbour there are in the list. */
static bool all_with(lattice *l, int x, const polyhedra *readers, int axis, int64_t by, int64_t level)
{
  for (int k = 0; k < l->box[x].n; k++) {
    polyhedron *p = with_neighbour(l, x, l->box[x].item[k], along(axis, by));
    linear from = linear_constant(level);
    polyhedron_require(&l->f->scratch, p, &from, &l->level[x]);
    if (!polyhedra_cover(readers, p, l->f->form.array[x].rank))
      return false;
  }
  return true;
}

/* Elements between two columns are read from both sides, and follow each other on words of their own: those of one
   level lie on one level there. */
static bool is_column(lattice *l, int x, int axis, int y)
{
  affine_facts *f = l->f;
  int64_t low = l->c->bottom + 1, top = l->c->top;
  polyhedra side[2] = { { 0 } }, below = { 0 }, out = { 0 };
  linear apart;
  for (int i = 0; i < l->detours; i++) {
    const detour *d = &l->detour[i];
    linear rise;
    if (d->middle != y || d->way.from != x ||
        !linear_substitute(&l->level[y], d->at, f->form.array[y].rank, 0, &rise) ||
        !linear_add(&rise, &l->level[x], -1))
      return false;
    if (i == 0)
      apart = rise;
    rise.base -= apart.base;
    if (!linear_is_constant(&apart) || !polyhedron_implies(d->way.where, &rise, true))
      return false;
    polyhedra_add(&f->scratch, &side[d->side], d->way.where);
    for (int k = 0; d->side && k < f->form.array[y].outputs.n; k++)
      include_between(l, d, f->form.array[y].outputs.item[k], &out);
    for (int k = 0; d->side && k < f->words.n; k++) {
      const access *own = f->form.access[f->words.own[k]];
      if (own->from != y || own->to != y || !own->single)
        continue;
      include_between(l, d, own->where, &below);
      for (int e = 0; e < l->detours; e++)
        if (l->detour[e].side && !meet(l, d, &l->detour[e], along(OWN, 0), 1, own->index))
          return false;
    }
    for (int e = 0; e < l->detours; e++)
      if (d->side && !l->detour[e].side && !meet(l, d, &l->detour[e], along(axis, 1), 0, NULL))
        return false;
  }
  return all_with(l, x, &side[0], axis, -1, low) && all_with(l, x, &side[1], axis, 1, low) &&
         all_with(l, x, &below, axis, 1, low) && all_with(l, x, &out, axis, 1, top);
}

/* Along the axis at hand, neighbours are read through the elements of one array alone, whose component is of no other
   axis. */
static bool is_field(lattice *l, int axis, text *reason)
{
  int y = l->detours ? l->detour[0].middle : -1, component = y >= 0 ? l->f->words.component[y] : -1;
  int counted = l->detours ? l->detour[0].way.from : -1;
  bool good = y >= 0 && component != l->component && !l->f->words.unrooted[component] &&
              words_levels(&l->f->words, component, l->level);
  for (int x = 0; x < l->f->form.arrays && good; x++)
    good = l->box[x].n == 0 || x == counted;
  for (int a = 0; a < axis && good; a++)
    good = l->f->words.component[l->field[a]] != component;
  l->field[axis] = y;
  return (good && is_column(l, counted, axis, y)) ||
         bound_refuse(reason, "the elements between columns are not columns of their own along axis %d", axis);
}

/* What is moved of fields counts, and is not moved besides. */
static void count_fields(lattice *l)
{
  for (int a = 0; a < l->c->axes && l->c->fields; a++)
    for (int x = 0; x < l->f->form.arrays; x++)
      if (l->f->words.component[x] == l->f->words.component[l->field[a]])
        l->axis[x] = -1;
}

/* The neighbours across corners are read, if the claim says so, and those further off, up to its reach: a level down
   where those along the axes are; of two that lie opposite one at least is a level down. */
static bool others_read(lattice *l, text *reason)
{
  int places = 1, down = 2, reach = (int)l->c->reach, wide = 2 * reach + 1;
  for (int a = 0; a < l->c->axes; a++) {
    places *= wide;
    down = num_min(down, l->c->drop[a][0] + l->c->drop[a][1]);
  }
  for (int x = 0; x < l->f->form.arrays && (reach > 1 || l->c->reading == READ_ENDS); x++)
    if (l->axis[x] > 0)
      return bound_refuse(reason, "what is read from afar, or by a sum, is read itself");
  for (int n = 0; n < places / 2; n++) { /* place n and its opposite */
    SCOPED_TEXT why = { 0 };
    offset there[2];
    int steps = 0, drops = 0;
    bool far = false;
    for (int a = 0, rest = n; a < l->c->axes; a++, rest /= wide) {
      int by = rest % wide - reach;
      there[0].by[a] = by;
      there[1].by[a] = -by;
      steps += by != 0;
      far = far || by > 1 || by < -1;
    }
    if (steps > 1 ? !l->c->corners : !far)
      continue;
    for (int side = 0; side < 2; side++) {
      bool one = all_read(l, CORNER, there[side], 1, &why);
      drops += one;
      if (!one && (down > 1 || !all_read(l, CORNER, there[side], 0, &why)))
        return bound_refuse(reason, "an element of the box does not read its neighbour %s",
                            steps > 1 ? "across a corner" : "further off");
    }
    if (drops == 0)
      return bound_refuse(reason, "neighbours that lie opposite are of one level");
  }
  return true;
}

/* The top is put out. */
static bool is_put_out(lattice *l, text *reason)
{
  for (int x = 0; x < l->f->form.arrays; x++)
    for (int k = 0; k < l->box[x].n; k++) {
      polyhedron *p = polyhedron_copy(&l->f->scratch, l->box[x].item[k]);
      linear top = linear_constant(l->c->top);
      polyhedron_same(&l->f->scratch, p, &l->level[x], &top);
      if (!polyhedra_cover(&l->f->form.array[x].outputs, p, l->f->form.array[x].rank))
        return bound_refuse(reason, "the last level is not put out");
    }
  return true;
}

static bool is_sound(const affine_facts *f, const stencil_claim *c)
{
  bool of_sums = c->sections && c->reading == READ_ENDS;
  if (c->reading != f->reading || (of_sums && (!c->open || c->constants > 0 || c->fields)))
    return false;
  bool of_sections = c->cube > 0 || c->open || c->corners || c->constants > 0 || c->reach > 1;
  if (c->reach < 1 || c->reach > STENCIL_REACH || (c->reach > 1 && (!c->open || c->fields)))
    return false;
  if (c->fields && (!c->open || c->corners || c->axes > STENCIL_FIELD_AXES || !stencil_drops_twice(c)))
    return false;
  if (c->sections ? c->tall || c->stride > 1 || c->room > 0 || c->cube < 1 || (c->corners && c->axes > 2 && !c->open)
                  : of_sections)
    return false;
  bool good = c->axes >= 1 && c->axes <= STENCIL_AXES && c->array < f->form.arrays && c->bottom < c->top &&
              (c->stride == 1 || c->stride == 2) && (c->top - c->bottom) % c->stride == 0 &&
              (!c->tall || (c->axes <= STENCIL_TALL_AXES && c->room > 0));
  for (int a = 0; a < c->axes && good; a++) {
    good = c->lo[a] <= c->hi[a] && (c->reach == 1 || c->hi[a] - c->lo[a] >= 2 * c->reach) &&
           c->drop[a][0] + c->drop[a][1] >= 1 &&
           c->axis[a] < f->words.labels[f->words.component[c->array]];
    for (int b = 0; b < a; b++)
      good = good && c->axis[a] != c->axis[b];
  }
  return good;
}

/* The elements of the array in the columns of the box, on whatever level. */
static polyhedra columns_of(const lattice *l, int x)
{
  const normal_form *f = &l->f->form;
  polyhedra columns = { 0 };
  for (int k = 0; l->f->words.component[x] == l->component && k < f->array[x].domain.n; k++) {
    polyhedron *p = polyhedron_copy(&l->f->scratch, f->array[x].domain.item[k]);
    for (int a = 0; a < l->c->axes; a++)
      between(&l->f->scratch, p, l->c->lo[a], label(l, x, a), l->c->hi[a]);
    polyhedra_add(&l->f->scratch, &columns, p);
  }
  return columns;
}

/* Inputs outside the columns are on no line; outputs outside are not what columns end with, and on no line but where
   detours pass. */
static bool count_beside(const lattice *l, mpz_t beside[STENCIL_BESIDE])
{
  SCOPED_MPZ inputs, outputs;
  bool counted = true;
  mpz_inits(inputs, outputs, NULL);
  for (int k = 0; k < STENCIL_BESIDE; k++)
    mpz_set_ui(beside[k], 0);
  for (int x = 0; x < l->f->form.arrays; x++) {
    polyhedra columns = columns_of(l, x);
    bool on_lines = l->f->words.component[x] == l->component || l->between[x] || l->axis[x] < 0;
    if (on_lines && l->f->form.array[x].outputs.n > 0) {
      polyhedra pieces = { 0 };
      counted = counted && polyhedra_disjoint(&l->f->scratch, &l->f->form.array[x].outputs, l->f->form.array[x].rank,
                                              &pieces) && polyhedra_count(&pieces, outputs);
      mpz_add(beside[2], beside[2], outputs);
    }
    if (l->axis[x] < 0)
      continue;
    array_ends(&l->f->form.array[x], &l->f->scratch, &columns, inputs, outputs);
    for (int k = 0; k < 2; k++) {
      mpz_add(beside[k], beside[k], inputs);
      if (!k || !l->between[x])
        mpz_add(beside[k], beside[k], outputs);
    }
  }
  return counted;
}

/* ---- inputs that tell columns ---- */

/* The access where its reader lies in the box, above the bottom. */
static polyhedron *reads_in_box(lattice *l, const access *a)
{
  polyhedron *p = polyhedron_copy(&l->f->scratch, a->where);
  between(&l->f->scratch, p, l->c->bottom + 1, &l->level[a->from], l->c->top);
  for (int k = 0; k < l->c->axes; k++)
    between(&l->f->scratch, p, l->c->lo[k], label(l, a->from, k), l->c->hi[k]);
  return p;
}

/* Does every element of x in the box, above the bottom, read by this access? */
static bool always_read(lattice *l, int x, const access *a)
{
  polyhedra readers = { 0 };
  if (a->from != x || !a->single)
    return false;
  polyhedra_add(&l->f->scratch, &readers, a->where);
  for (int k = 0; k < l->box[x].n; k++)
    if (!polyhedra_cover(&readers, with_neighbour(l, x, l->box[x].item[k], along(OWN, 0)), l->f->form.array[x].rank))
      return false;
  return true;
}

/* The n-th access by which all of x in the box read y. */
static const access *nth_read(lattice *l, int x, int y, int n)
{
  for (int i = 0; i < l->f->form.accesses; i++)
    if (l->f->form.access[i]->to == y && always_read(l, x, l->f->form.access[i]) && n-- == 0)
      return l->f->form.access[i];
  return NULL;
}

/* Two readers of one word are of one column. */
static bool tells_column(lattice *l, const access *a, const access *b)
{
  SCOPED_ARENA memory = { 0 };
  int shift;
  linear moved;
  polyhedron *both = polyhedron_beside(&memory, reads_in_box(l, a), reads_in_box(l, b), &shift);
  for (int r = 0; r < l->f->form.array[a->to].rank; r++) {
    if (!linear_substitute(&b->index[r], NULL, 0, shift, &moved))
      return false;
    polyhedron_same(&memory, both, &a->index[r], &moved);
  }
  for (int k = 0; k < l->c->axes; k++)
    if (!linear_substitute(label(l, b->from, k), NULL, 0, shift, &moved) || differ(both, label(l, a->from, k), &moved))
      return false;
  return true;
}

static bool is_constant(lattice *l, int y)
{
  enum { TRIED = 4 };
  const normal_form *f = &l->f->form;
  if (y < 0 || y >= f->arrays || f->array[y].computed.n > 0 || l->f->words.component[y] == l->component)
    return false;
  for (int n = 0; n < TRIED; n++) {
    bool good = true;
    for (int x = 0; x < f->arrays && good; x++)
      for (int z = 0; z <= x && good && l->box[x].n > 0; z++) {
        const access *a = nth_read(l, x, y, n), *b = l->box[z].n > 0 ? nth_read(l, z, y, n) : NULL;
        good = a && (l->box[z].n == 0 || (b && tells_column(l, a, b)));
      }
    if (good)
      return true;
  }
  return false;
}

static lattice *lattice_new(affine_facts *f, const stencil_claim *c)
{
  lattice *l = ARENA_NEW(&f->scratch, lattice, 1);
  l->f = f;
  l->c = c;
  l->component = f->words.component[c->array];
  l->detour = arena_grow(&f->scratch, NULL, 0, DETOURS_MOST, sizeof *l->detour);
  l->level = ARENA_NEW(&f->scratch, linear, (size_t)f->form.arrays);
  l->box = ARENA_NEW(&f->scratch, polyhedra, (size_t)f->form.arrays);
  l->between = ARENA_NEW(&f->scratch, bool, (size_t)f->form.arrays);
  l->axis = ARENA_NEW(&f->scratch, int, (size_t)f->form.arrays);
  return l;
}

static lattice *lattice_of(affine_facts *f, const stencil_claim *c)
{
  arena_clear(&f->scratch);
  return lattice_new(f, c);
}

/* Constants that tell columns are loaded for what is counted, not besides. */
static bool constants_hold(lattice *l, text *reason)
{
  for (int k = 0; k < l->c->constants; k++) {
    int y = l->c->constant[k];
    if (!is_constant(l, y) || l->axis[y] != 0)
      return bound_refuse(reason, "what is read of an array of inputs does not tell the column");
    l->axis[y] = -1;
  }
  return true;
}

bool stencil_reaches(affine_facts *f, const stencil_claim *c)
{
  lattice *l = lattice_of(f, c);
  bool all = words_levels(&f->words, l->component, l->level);
  for (int a = 0; a < c->axes && all; a++) {
    bool any = false;
    for (int i = 0; i < f->form.accesses && !any; i++)
      any = is_counted(l, f->form.access[i]->from) && leads(l, f->form.access[i], along(a, c->reach), 1);
    all = any;
  }
  return all;
}

void stencil_find_constants(affine_facts *f, stencil_claim *c)
{
  lattice *l = lattice_of(f, c);
  c->constants = 0;
  if (!words_levels(&f->words, l->component, l->level))
    return;
  cut_boxes(l);
  for (int y = 0; y < f->form.arrays && c->constants < STENCIL_CONSTANTS; y++)
    if (is_constant(l, y))
      c->constant[c->constants++] = y;
}

bool stencil_holds(affine_facts *f, const stencil_claim *c, mpz_t beside[STENCIL_BESIDE], text *reason)
{
  affine_claim like = { .owns = c->owns };
  memcpy(like.own, c->own, sizeof c->own);
  if (!affine_words(f, &like, reason))
    return false;
  if (!is_sound(f, c))
    return bound_refuse(reason, "the claim names what there is not");
  lattice *l = lattice_of(f, c);
  if (f->words.unrooted[l->component])
    return bound_refuse(reason, "a column may begin with a computed element");
  if (!words_levels(&f->words, l->component, l->level))
    return bound_refuse(reason, "the elements of a column have no levels");
  cut_boxes(l);
  bool good = is_full(l, reason) && is_told(l, reason) && all_read(l, OWN, along(OWN, 0), 1, reason) &&
              is_put_out(l, reason);
  for (int a = 0; a < c->axes && good; a++)
    good = is_crossed(l, a, reason) && (!c->sections || passed_along(l, a, reason)) &&
           (!c->fields || is_field(l, a, reason));
  if (good)
    count_fields(l);
  good = good && (!c->sections || others_read(l, reason)) && constants_hold(l, reason);
  if (good && !count_beside(l, beside) && c->open)
    return bound_refuse(reason, "the outputs of the columns are not counted");
  return good;
}

/* ---- a guess ---- */

static bool range_of(const lattice *l, const linear *form, int64_t *lo, int64_t *hi)
{
  const affine_facts *f = l->f;
  bool any = false;
  for (int x = 0; x < f->form.arrays; x++) {
    int64_t a, b;
    if (!is_counted(l, x))
      continue;
    if (!polyhedra_span(&f->form.array[x].domain, &form[x], &a, &b))
      return false;
    *lo = any ? num_min(*lo, a) : a;
    *hi = any ? num_max(*hi, b) : b;
    any = true;
  }
  return any;
}

/* One level down when somebody reads the neighbour there, itself or through another. */
static void guess_drops(lattice *l, stencil_claim *c)
{
  for (int a = 0; a < c->axes; a++)
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < l->f->form.accesses; i++) {
        const access *x = l->f->form.access[i];
        if (is_counted(l, x->from) && is_counted(l, x->to) && leads(l, x, along(a, side ? 1 : -1), c->stride))
          c->drop[a][side] = 1;
      }
      polyhedra readers = { 0 };
      for (int x = 0; x < l->f->form.arrays && !c->drop[a][side]; x++)
        if (is_counted(l, x))
          find_detours(l, x, a, side ? 1 : -1, 1, &readers);
      c->drop[a][side] = c->drop[a][side] || readers.n > 0;
      l->detours = 0;
    }
}

/* The labels that number columns, and their box; a label with one value on all that is computed only tells inputs
 * apart. */
static bool guess_axes(const lattice *l, int64_t margin, stencil_claim *c)
{
  affine_facts *f = l->f;
  int component = l->component;
  linear *form = ARENA_NEW(&f->scratch, linear, (size_t)f->form.arrays);
  c->axes = 0;
  for (int label = 0; label < f->words.labels[component]; label++) {
    int64_t lo, hi;
    for (int x = 0; x < f->form.arrays; x++)
      form[x] = f->words.label[x][label];
    if (!range_of(l, form, &lo, &hi))
      return false;
    if (lo == hi)
      continue;
    if (c->axes == STENCIL_AXES)
      return false;
    c->lo[c->axes] = lo + margin;
    c->hi[c->axes] = hi - margin;
    c->axis[c->axes++] = label;
  }
  return c->axes > 0;
}

bool stencil_guess(affine_facts *f, int array, int stride, int64_t margin, stencil_claim *c)
{
  int component = f->words.component[array];
  c->array = array;
  c->stride = stride;
  c->reach = 1;
  lattice *l = lattice_new(f, c);
  if (f->words.unrooted[component] || !words_levels(&f->words, component, l->level) ||
      !range_of(l, l->level, &c->bottom, &c->top) || !guess_axes(l, margin, c))
    return false;
  guess_drops(l, c);
  return is_sound(f, c);
}

bool stencil_value(affine_facts *f, const stencil_claim *c, int64_t m, mpz_t value, text *reason)
{
  if (c->length < 1)
    return bound_refuse(reason, "a segment has no moves");
  mpz_t beside[STENCIL_BESIDE];
  mpz_inits(beside[0], beside[1], beside[2], NULL);
  bool good = stencil_holds(f, c, beside, reason);
  if (good) {
    stencil_total(c, m, beside, value);
    good = mpz_sgn(value) > 0 || bound_refuse(reason, "the box is too narrow for segments of this length");
  }
  mpz_clears(beside[0], beside[1], beside[2], NULL);
  return good;
}

/* ---- as JSON ---- */

void stencil_claim_write(const stencil_claim *c, json *j)
{
  affine_put_words(c->reading, c->own, c->owns, j);
  json_put_int(j, "array", c->array);
  json_put_ints(j, "axes", c->axis, c->axes);
  json_put_int64s(j, "from", c->lo, c->axes);
  json_put_int64s(j, "to", c->hi, c->axes);
  json_put_ints(j, "drop", &c->drop[0][0], 2 * c->axes);
  json_put_int(j, "bottom", c->bottom);
  json_put_int(j, "top", c->top);
  json_put_int(j, "room", c->room);
  if (c->stride > 1)
    json_put_int(j, "stride", c->stride);
  if (c->tall)
    json_put_bool(j, "tall", true);
  if (c->sections)
    json_put_bool(j, "sections", true);
  if (c->cube > 0)
    json_put_int(j, "cube", c->cube);
  if (c->open)
    json_put_bool(j, "open", true);
  if (c->fields)
    json_put_bool(j, "fields", true);
  if (c->corners)
    json_put_bool(j, "corners", true);
  if (c->reach > 1)
    json_put_int(j, "reach", c->reach);
  if (c->constants > 0)
    json_put_ints(j, "constants", c->constant, c->constants);
  json_put_int(j, "length", c->length);
}

static bool is_true(const json_value *v, const char *name)
{
  const json_value *is = json_get(v, name);
  return is && is->type == JSON_TRUE;
}

bool stencil_claim_read(const json_value *v, stencil_claim *c, text *reason)
{
  enum { FAR = 1 << 30, MANY = 1 << 20 };
  memset(c, 0, sizeof *c);
  bool good = affine_get_words(v, &c->reading, c->own, &c->owns);
  c->tall = is_true(v, "tall");
  c->sections = is_true(v, "sections");
  c->corners = is_true(v, "corners");
  c->open = is_true(v, "open");
  c->fields = is_true(v, "fields");
  c->stride = 1;
  c->reach = 1;
  good = good && (!json_get(v, "reach") || json_get_int64_in(v, "reach", 1, STENCIL_REACH, &c->reach)) &&
         (!json_get(v, "stride") || json_get_int_in(v, "stride", 1, 2, &c->stride)) &&
         (!json_get(v, "cube") || json_get_int64_in(v, "cube", 2, FAR, &c->cube));
  if (json_get(v, "constants"))
    c->constants = json_get_ints(v, "constants", STENCIL_CONSTANTS, 0, MANY - 1, c->constant);
  good = good && c->constants >= 0;
  c->axes = json_get_ints(v, "axes", STENCIL_AXES, 0, LABELS_MOST - 1, c->axis);
  good = good && c->axes >= 1 && json_get_int_in(v, "array", 0, MANY - 1, &c->array) &&
         json_get_int64s(v, "from", STENCIL_AXES, -FAR, FAR, c->lo) == c->axes &&
         json_get_int64s(v, "to", STENCIL_AXES, -FAR, FAR, c->hi) == c->axes &&
         json_get_ints(v, "drop", 2 * STENCIL_AXES, 0, 1, &c->drop[0][0]) == 2 * c->axes &&
         json_get_int(v, "bottom", &c->bottom) && json_get_int(v, "top", &c->top) &&
         json_get_int(v, "length", &c->length) && json_get_int64_in(v, "room", 0, FAR - 1, &c->room) &&
         c->bottom > -FAR && c->top < FAR;
  return good || bound_refuse(reason, "the claim is not written as one");
}
