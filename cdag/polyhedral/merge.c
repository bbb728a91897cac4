/* Copies: an element that reads one other, and nothing else, counts as that other.  What a play of the one computation
   does is a play of the other: red or blue is who has such a copy (docs/theory-affine.md, section 1). */
#include "cdag/polyhedral/normal.h"
#include "base/num.h"
#include <string.h>

enum { MERGES_MOST = 32, ACCESSES_MOST = 512, PARTS_MOST = 4 };

/* Elements of copy->from that are in copy->where become what they read. */
typedef struct {
  normal_form *f;
  const access *copy;
  int rank;                    /* of the copy's array */
  int n, room;
  access **access;             /* those that stay, and new ones */
  bool lost;                   /* something was not seen exactly */
} merging;

/* A copy of what is v before it in its own array, as that may be one too: of the last one before that is none.  One
   side of where such copies are is met on the way back, each step being one nearer to it. */
static bool copies_along(const normal_form *f, const access *a, access *last)
{
  int rank = f->array[a->from].rank;
  int64_t v[CDAG_RANK];
  const constraint *side = NULL;
  if (a->where->vars != rank)
    return false;
  for (int r = 0; r < rank; r++) {
    linear d = linear_variable(r);
    if (!linear_add(&d, &a->index[r], -1) || !linear_is_constant(&d))
      return false;
    v[r] = d.base;
  }
  for (int i = 0; i < a->where->n; i++) {
    const constraint *c = &a->where->row[i];
    int64_t nearer = 0, by;
    for (int r = 0; r < rank; r++)
      if (!num_mul(c->form.coef[r], v[r], &by) || !num_add(nearer, by, &nearer))
        return false;
    if (nearer == 0 || (nearer < 0 && !c->equal))
      continue;
    if (side || nearer != 1 || c->equal)
      return false;
    side = c;
  }
  *last = *a;
  for (int r = 0; r < rank && side; r++) /* x - (side(x) + 1) v */
    if (!linear_add(&last->index[r], &side->form, -v[r]))
      return false;
  return side != NULL;
}

/* Those that lead to no output are left out anyhow. */
static bool some_live(const normal_form *f, const access *a)
{
  const array_form *from = &f->array[a->from];
  bool some = false;
  for (int i = 0; i < from->live.n && !some; i++) {
    SCOPED_ARENA memory = { 0 };
    polyhedron *both = polyhedron_copy(&memory, a->where);
    polyhedron_meet(&memory, both, from->live.item[i], from->rank);
    some = !polyhedron_empty(both);
  }
  return some;
}

/* Does no element of their array have both reads? */
static bool reads_apart(const normal_form *f, const access *a, const access *b)
{
  SCOPED_ARENA memory = { 0 };
  polyhedron *both = polyhedron_copy(&memory, a->where);
  polyhedron_meet(&memory, both, b->where, f->array[a->from].rank);
  return !both->open && polyhedron_empty(both);
}

static bool is_copy(const normal_form *f, const access *a)
{
  if (!a->single || !f->array[a->from].whole || a->where->open || !some_live(f, a))
    return false;
  for (int i = 0; i < f->accesses; i++) {
    const access *b = f->access[i];
    if (b != a && b->from == a->from && !reads_apart(f, a, b))
      return false;
  }
  return true;
}

static void keep(merging *m, const access *a, polyhedron *where)
{
  if (m->n == ACCESSES_MOST || where->open) {
    m->lost = true;
    return;
  }
  m->access = arena_room(&m->f->memory, m->access, m->n, &m->room, sizeof *m->access);
  access *b = ARENA_NEW(&m->f->memory, access, 1);
  *b = *a;
  b->where = where;
  m->access[m->n++] = b;
}

/* Where a reads a copy it reads what that is a copy of; elsewhere what it did. */
static void read_through(merging *m, const access *a)
{
  arena *memory = &m->f->memory;
  int vars = a->where->vars;
  polyhedron *hit = polyhedron_copy(memory, a->where);
  polyhedra rest = { 0 };
  access through = *a;
  polyhedron_include(memory, hit, m->copy->where, a->index, m->rank);
  m->lost = m->lost || hit->open;
  if (m->lost || polyhedron_empty(hit)) {
    keep(m, a, a->where);
    return;
  }
  through.to = m->copy->to;
  memset(through.index, 0, sizeof through.index);
  for (int k = 0; k < m->f->array[through.to].rank && !m->lost; k++)
    m->lost = !linear_substitute(&m->copy->index[k], a->index, m->rank, vars - m->rank, &through.index[k]);
  m->lost = m->lost || !polyhedron_minus(memory, a->where, hit, vars, &rest);
  if (m->lost)
    return;
  keep(m, &through, polyhedron_tidy(memory, polyhedron_sharpen(memory, hit)));
  for (int i = 0; i < rest.n; i++)
    keep(m, a, polyhedron_tidy(memory, rest.item[i]));
}

/* A copy that is put out, one of l, makes what it is a copy of an output, when that is computed. */
static void move_outputs(merging *m, const polyhedra *l)
{
  normal_form *f = m->f;
  for (int i = 0; i < l->n; i++) {
    bool exact = false;
    polyhedron *p = access_image(&f->memory, m->copy, l->item[i], f->array[m->copy->to].rank, &exact);
    if (exact && !p->open && !polyhedron_empty(p))
      normal_form_put_output(f, m->copy->to, p);
  }
}

static bool merge(normal_form *f, const access *copy)
{
  access last;
  merging m = { .f = f, .copy = copy->from == copy->to ? &last : copy, .rank = f->array[copy->from].rank };
  array_form *form = &f->array[copy->from];
  polyhedra away = { 0 }, left[3] = { 0 };
  polyhedra *const sets[] = { &form->domain, &form->computed, &form->outputs };
  if (copy->from == copy->to && !copies_along(f, copy, &last))
    return false;
  for (int i = 0; i < f->accesses && !m.lost; i++)
    if (f->access[i] == copy)
      continue;
    else if (f->access[i]->to == copy->from)
      read_through(&m, f->access[i]);
    else
      keep(&m, f->access[i], f->access[i]->where);
  polyhedra_add(&f->memory, &away, copy->where);
  for (int k = 0; k < 3 && !m.lost; k++)
    m.lost = !polyhedra_minus(&f->memory, sets[k], &away, m.rank, &left[k]);
  if (m.lost)
    return false;
  polyhedra put_out = form->outputs;
  for (int k = 0; k < 3; k++)
    *sets[k] = left[k];
  move_outputs(&m, &put_out);
  f->access = m.access;
  f->accesses = m.n;
  f->room = m.room;
  return true;
}

/* Where an array's elements read one element before them in it, and nothing else, is told from where they read more. */
static void part_copies(normal_form *f)
{
  for (int i = 0, n = f->accesses; i < n; i++) {
    const access *a = f->access[i];
    polyhedra one = { 0 }, others = { 0 }, copies = { 0 }, rest = { 0 };
    if (a->from != a->to || !a->single || !f->array[a->from].whole || a->where->open)
      continue;
    for (int k = 0; k < n; k++)
      if (k != i && f->access[k]->from == a->from)
        polyhedra_add(&f->memory, &others, f->access[k]->where);
    polyhedra_add(&f->memory, &one, polyhedron_copy(&f->memory, a->where));
    int rank = f->array[a->from].rank;
    if (!polyhedra_minus(&f->memory, &one, &others, rank, &copies) || copies.n == 0 || copies.n > PARTS_MOST ||
        !polyhedra_minus(&f->memory, &one, &copies, rank, &rest) || rest.n == 0 || rest.n > PARTS_MOST)
      continue;
    polyhedra_join(&f->memory, &copies);
    polyhedra_join(&f->memory, &rest);
    access *first = ARENA_NEW(&f->memory, access, 1);
    *first = *a;
    first->where = polyhedron_tidy(&f->memory, rest.item[0]);
    f->access[i] = first;
    for (int k = 1; k < rest.n; k++)
      normal_form_add_access(f, a, polyhedron_tidy(&f->memory, rest.item[k]));
    for (int k = 0; k < copies.n; k++)
      normal_form_add_access(f, a, polyhedron_tidy(&f->memory, copies.item[k]));
  }
}

/* One array more, for some elements of array x. */
static int add_part(normal_form *f, int x)
{
  array_form *all = ARENA_NEW(&f->memory, array_form, (size_t)f->arrays + 1);
  memcpy(all, f->array, (size_t)f->arrays * sizeof *all);
  all[f->arrays] = (array_form){ .rank = all[x].rank, .text = all[x].text, .known = true, .whole = true };
  memcpy(all[f->arrays].more, all[x].more, sizeof all[x].more);
  f->array = all;
  return f->arrays++;
}

/* Inputs that begin an array of computed elements become an array of their own, as many texts have them. */
static bool part_inputs(normal_form *f, int x)
{
  polyhedra inputs = f->array[x].inputs, left = { 0 };
  int y = -1;
  for (int i = 0; i < inputs.n; i++) {
    access of = { .from = x, .to = y < 0 ? y = add_part(f, x) : y, .single = true, .where = inputs.item[i] };
    linear_variables(of.index, f->array[x].rank, 0);
    bool away = merge(f, &of);
    polyhedra_add(&f->memory, away ? &f->array[y].inputs : &left, inputs.item[i]);
    if (away)
      polyhedra_add(&f->memory, &f->array[y].domain, inputs.item[i]);
  }
  f->array[x].inputs = left;
  return left.n < inputs.n;
}

bool normal_form_part_inputs(normal_form *f)
{
  bool some = false;
  for (int x = 0, n = f->arrays; x < n; x++)
    if (f->array[x].whole && f->array[x].inputs.n > 0 && f->array[x].computed.n > 0)
      some = part_inputs(f, x) || some;
  if (some)
    normal_form_join(f);
  return some;
}

/* Two reads of one array, the one's indices those of the other in another order, the one where the other is not. */
static bool turned_round(const normal_form *f, const access *a, const access *b)
{
  bool other = false;
  if (a->from != b->from || a->to != b->to || a->to == a->from || !a->single || !b->single)
    return false;
  for (int k = 0; k < f->array[a->to].rank; k++) {
    bool found = false;
    for (int q = 0; q < f->array[a->to].rank; q++)
      found = found || linear_equal(&b->index[k], &a->index[q]);
    if (!found)
      return false;
    other = other || !linear_equal(&b->index[k], &a->index[k]);
  }
  return other && reads_apart(f, a, b);
}

/* What elements of array x on `where` read array y reads.  False: not seen exactly. */
static bool move_reads(normal_form *f, int x, int y, const polyhedron *where)
{
  for (int i = 0, n = f->accesses; i < n; i++) {
    access *a = f->access[i];
    polyhedra rest = { 0 };
    if (a->from != x)
      continue;
    polyhedron *hit = polyhedron_copy(&f->memory, a->where);
    polyhedron_meet(&f->memory, hit, where, where->vars);
    if (hit->open || f->accesses + PARTS_MOST > ACCESSES_MOST)
      return false;
    if (polyhedron_empty(hit))
      continue;
    if (!polyhedron_minus(&f->memory, a->where, hit, a->where->vars, &rest) || rest.n > PARTS_MOST)
      return false;
    for (int k = 0; k < rest.n; k++)
      normal_form_add_access(f, a, polyhedron_tidy(&f->memory, rest.item[k]));
    access *there = ARENA_NEW(&f->memory, access, 1);
    *there = *a;
    there->from = y;
    there->where = polyhedron_tidy(&f->memory, hit);
    f->access[i] = there;
  }
  return true;
}

/* Elements of array x on `where` become an array of their own.  False: f is spoilt. */
static bool part_elements(normal_form *f, int x, polyhedron *where)
{
  int y = add_part(f, x);
  access of = { .from = x, .to = y, .single = true, .where = where };
  linear_variables(of.index, where->vars, 0);
  polyhedra_add(&f->memory, &f->array[y].domain, where);
  polyhedra_add(&f->memory, &f->array[y].computed, where);
  return move_reads(f, x, y, where) && merge(f, &of);
}

bool normal_form_part_turned(normal_form *f, bool *some)
{
  *some = false;
  for (int i = 0; i < f->accesses; i++)
    for (int k = 0; k < i; k++) {
      int x = f->access[i]->from;
      if (!f->array[x].whole || f->access[i]->where->vars != f->array[x].rank ||
          !turned_round(f, f->access[k], f->access[i]))
        continue;
      if (!part_elements(f, x, f->access[i]->where))
        return false;
      *some = true;
      i = k = 0; /* they are others now */
    }
  return true;
}

bool normal_form_merge(normal_form *f, bool along)
{
  int merged = 0;
  if (along)
    part_copies(f);
  for (int i = 0; i < f->accesses && merged < MERGES_MOST; i++)
    if ((along || f->access[i]->from != f->access[i]->to) && is_copy(f, f->access[i]) && merge(f, f->access[i])) {
      merged++;
      i = -1;
    }
  if (merged)
    normal_form_join(f);
  return merged > 0;
}
