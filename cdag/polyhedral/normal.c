#include "cdag/polyhedral/normal.h"
#include "base/num.h"
#include "cdag/polyhedral/read.h"
#include <string.h>

enum { LISTED_MOST = 64, READ_MOST = 256, STAR_MOST = 16, KEPT_MOST = 4 };
enum { SUM_STEPS = 125, FUSED_STEPS = 2 }; /* sums that count as their ends */

static affine_reader reader_of(normal_form *f)
{
  return (affine_reader){ f->g->params, f->g->param_value, f->g->table, &f->memory };
}

/* ---- domains ---- */

/* The pieces of `from` with e <= x (below) or x < e.  Above a max means above all it is of, below a min likewise: no
 * pieces. */
static bool cut_side(normal_form *f, const polyhedra *from, const linear *x, const expr *e, bool below, polyhedra *to)
{
  affine_reader r = reader_of(f);
  linear next = *x;
  next.base++;
  if (e->op == (below ? EXPR_MAX : EXPR_MIN)) {
    polyhedra now = *from;
    for (int i = 0; i < e->nargs; i++) {
      polyhedra cut = { 0 };
      if (!cut_side(f, &now, x, e->arg[i], below, &cut))
        return false;
      now = cut;
    }
    *to = now;
    return true;
  }
  for (int i = 0; i < from->n; i++) {
    choices bound = { 0 };
    affine_read(&r, e, from->item[i], &bound);
    if (bound.unread)
      return false;
    for (int k = 0; k < bound.n; k++) {
      polyhedron *p = polyhedron_copy(&f->memory, bound.item[k].where);
      polyhedron_require(&f->memory, p, below ? &bound.item[k].value : &next, below ? x : &bound.item[k].value);
      if (p->open)
        return false;
      if (!polyhedron_empty(p))
        polyhedra_add(&f->memory, to, p);
    }
  }
  return to->n <= READ_MOST;
}

/* The pieces of `from` with lo <= x_v < hi, for each. */
static bool cut_range(normal_form *f, const polyhedra *from, int v, const expr *lo, const expr *hi, polyhedra *to)
{
  linear x = linear_variable(v);
  polyhedra above = { 0 };
  return cut_side(f, from, &x, lo, true, &above) && cut_side(f, &above, &x, hi, false, to);
}

/* The loops of a nest; false when a bound is no affine form. */
static bool read_nest(normal_form *f, int rank, expr *const *lo, expr *const *hi, polyhedra *domain)
{
  polyhedra now = { 0 };
  polyhedra_add(&f->memory, &now, polyhedron_new(&f->memory, rank));
  for (int r = 0; r < rank; r++) {
    polyhedra next = { 0 };
    if (!cut_range(f, &now, r, lo[r], hi[r], &next))
      return false;
    now = next;
  }
  for (int i = 0; i < now.n; i++)
    polyhedra_add(&f->memory, domain, polyhedron_tidy(&f->memory, now.item[i]));
  polyhedra_join(&f->memory, domain);
  return true;
}

/* ---- terms ---- */

/* A term as it is read, index by index: each on parts of those before. */
typedef struct {
  normal_form *f;
  int from, to, term;
  const cdag_index *index;
  int rank;
  linear value[CDAG_RANK];
  bool single, whole;
  int found;
} reading;

void normal_form_add_access(normal_form *f, const access *a, polyhedron *where)
{
  f->access = arena_room(&f->memory, f->access, f->accesses, &f->room, sizeof *f->access);
  access *b = ARENA_NEW(&f->memory, access, 1);
  *b = *a;
  b->where = where;
  f->access[f->accesses++] = b;
}

static void keep_access(reading *r, const polyhedron *where)
{
  normal_form *f = r->f;
  const polyhedra *target = &f->array[r->to].domain;
  for (int i = 0; i < target->n; i++) {
    polyhedron *p = polyhedron_copy(&f->memory, where);
    polyhedron_include(&f->memory, p, target->item[i], r->value, r->rank);
    if (p->open || ++r->found > READ_MOST) {
      r->whole = false;
      continue;
    }
    if (polyhedron_empty(p) || polyhedron_empty(polyhedron_sharpen(&f->memory, p)))
      continue;
    access a = { .from = r->from, .to = r->to, .term = r->term, .single = r->single };
    memcpy(a.index, r->value, sizeof r->value);
    normal_form_add_access(f, &a, polyhedron_tidy(&f->memory, polyhedron_sharpen(&f->memory, p)));
  }
}

static void read_index(reading *r, int k, const polyhedron *where);

/* lo + i, where that is below hi. */
static void list_index(reading *r, int k, const polyhedron *where, const linear *lo, const linear *hi, int64_t i)
{
  linear next = *lo;
  next.base += i + 1;
  r->value[k] = *lo;
  r->value[k].base += i;
  polyhedron *p = polyhedron_copy(&r->f->memory, where);
  polyhedron_require(&r->f->memory, p, &next, hi);
  read_index(r, k + 1, p);
}

/* How many values from lo to before hi, when they are few and nearly always as many, as in a window that borders cut;
   else -1. */
static int64_t few_values(const polyhedron *where, const linear *lo, const linear *hi, int listed)
{
  linear width = *hi;
  int64_t least, most;
  if (!linear_add(&width, lo, -1))
    return -1;
  if (linear_is_constant(&width))
    return width.base <= listed ? num_max(0, width.base) : -1;
  bool few = polyhedron_most(where, &width, &most) && most <= listed && polyhedron_least(where, &width, &least) &&
             2 * least >= most;
  return few ? most : -1;
}

/* An index that runs from lo to before hi: each value when they are few, else a variable. */
static void run_index(reading *r, int k, const polyhedron *where, const linear *lo, const linear *hi, int listed)
{
  int64_t few = few_values(where, lo, hi, listed);
  if (few >= 0) {
    for (int64_t i = 0; i < few; i++)
      list_index(r, k, where, lo, hi, i);
    return;
  }
  polyhedron *p = polyhedron_copy(&r->f->memory, where);
  int v = polyhedron_variable(p);
  if (v < 0) {
    r->whole = false;
    return;
  }
  linear x = linear_variable(v), next = x;
  next.base = 1;
  polyhedron_require(&r->f->memory, p, lo, &x);
  polyhedron_require(&r->f->memory, p, &next, hi);
  bool single = r->single;
  r->single = false;
  r->value[k] = x;
  read_index(r, k + 1, p);
  r->single = single;
}

/* `*`: from the least to the greatest index there is. */
static void all_index(reading *r, int k, const polyhedron *where)
{
  const cdag_array *a = &r->f->g->array[r->to];
  linear lo = linear_constant(a->hull.lo[k]), hi = linear_constant(a->hull.hi[k]);
  run_index(r, k, where, &lo, &hi, STAR_MOST);
}

static void read_index(reading *r, int k, const polyhedron *where)
{
  affine_reader reader = reader_of(r->f);
  if (k == r->rank) {
    keep_access(r, where);
    return;
  }
  const cdag_index *x = &r->index[k];
  if (x->kind == CDAG_ALL) {
    all_index(r, k, where);
    return;
  }
  choices lo = { 0 };
  affine_read(&reader, x->lo, where, &lo);
  r->whole = r->whole && !lo.unread;
  for (int i = 0; i < lo.n; i++) {
    if (x->kind == CDAG_AT) {
      r->value[k] = lo.item[i].value;
      read_index(r, k + 1, lo.item[i].where);
      continue;
    }
    choices hi = { 0 };
    affine_read(&reader, x->hi, lo.item[i].where, &hi);
    r->whole = r->whole && !hi.unread;
    for (int j = 0; j < hi.n; j++)
      run_index(r, k, hi.item[j].where, &lo.item[i].value, &hi.item[j].value, LISTED_MOST);
  }
}

static void read_terms(normal_form *f, int x)
{
  const cdag_array *a = &f->g->array[x];
  array_form *form = &f->array[x];
  form->whole = form->known;
  for (int t = 0; t < a->terms; t++) {
    const cdag_term *term = &a->term[t];
    reading r = { .f = f,
                  .from = x,
                  .to = term->array,
                  .term = t,
                  .index = term->index,
                  .rank = f->g->array[term->array].rank,
                  .single = true,
                  .whole = f->array[term->array].known };
    for (int i = 0; i < form->domain.n && r.whole; i++)
      read_index(&r, 0, form->domain.item[i]);
    form->whole = form->whole && r.whole;
  }
}

/* Where access x is, its indices are those of y; of the forms of both, those of y hold on either. */
static bool reads_as(const normal_form *f, const access *x, const access *y)
{
  for (int r = 0; r < f->array[x->to].rank; r++) {
    linear d = x->index[r];
    if (linear_equal(&d, &y->index[r]))
      continue;
    for (int v = f->array[x->from].rank; v < POLYHEDRON_VARS; v++)
      if (d.coef[v] || y->index[r].coef[v])
        return false; /* quotients are not the same variables */
    if (!linear_add(&d, &y->index[r], -1) || !polyhedron_implies(x->where, &d, true))
      return false;
  }
  return true;
}

/* Forms that are right for both accesses; NULL: none is seen.  On a plane, as a border is, a form may look different.
 */
static const linear *same_index(const normal_form *f, const access *a, const access *b)
{
  if (a->from != b->from || a->to != b->to || a->through != b->through || !a->single || !b->single)
    return NULL;
  if (memcmp(a->index, b->index, sizeof a->index) == 0)
    return a->index;
  return polyhedron_is_flat(b->where) && reads_as(f, b, a) ? a->index
       : polyhedron_is_flat(a->where) && reads_as(f, a, b) ? b->index : NULL;
}

/* Of whatever terms they come. */
void normal_form_join(normal_form *f)
{
  for (int i = 0; i < f->accesses; i++)
    for (int k = 0; k < i; k++) {
      access *a = f->access[k], *b = f->access[i];
      const linear *index = same_index(f, a, b);
      polyhedron *both = index ? polyhedron_join(&f->memory, a->where, b->where) : NULL;
      if (!both)
        continue;
      a->where = both;
      memmove(a->index, index, sizeof a->index);
      memmove(&f->access[i], &f->access[i + 1], (size_t)(--f->accesses - i) * sizeof *f->access);
      i = k > 0 ? k - 1 : 0;
      break;
    }
}

/* ---- inputs and outputs ---- */

/* Elements of an array declared as input that surely read nothing, and those that surely read something. */
static void find_inputs(normal_form *f, int x)
{
  array_form *form = &f->array[x];
  polyhedra readers = { 0 }, rest = { 0 };
  bool all = form->whole;
  if (!f->g->array[x].declared_input) {
    form->computed = form->domain;
    return;
  }
  for (int i = 0; i < f->accesses; i++)
    if (f->access[i]->from == x) {
      bool exact;
      polyhedron *p = polyhedron_project(&f->memory, f->access[i]->where, form->rank, &exact);
      all = all && !p->open;
      polyhedra_add(&f->memory, &readers, p);
      if (exact)
        polyhedra_add(&f->memory, &form->computed, p);
    }
  if (all && polyhedra_minus(&f->memory, &form->domain, &readers, form->rank, &rest))
    form->inputs = rest;
}

void normal_form_put_output(normal_form *f, int x, const polyhedron *p)
{
  array_form *form = &f->array[x];
  for (int i = 0; i < form->computed.n; i++) {
    polyhedron *part = polyhedron_copy(&f->memory, p);
    polyhedron_meet(&f->memory, part, form->computed.item[i], form->rank);
    if (!part->open && !polyhedron_empty(part))
      polyhedra_add(&f->memory, &form->outputs, polyhedron_tidy(&f->memory, part));
  }
}

/* A selection as it is read, index by index. */
typedef struct {
  normal_form *f;
  const cdag_selection *s;
  linear lo[CDAG_RANK], hi[CDAG_RANK]; /* in its loops, of the indices read so far */
} selecting;

/* Each index from lo to hi: variables of the loops are solved for. */
static void put_selected(const selecting *q, const polyhedron *where)
{
  normal_form *f = q->f;
  const array_form *form = &f->array[q->s->array];
  int rank = form->rank;
  polyhedron *p = polyhedron_new(&f->memory, rank);
  bool exact;
  polyhedron_include(&f->memory, p, where, NULL, 0); /* the element's indices, then the loops */
  for (int k = 0; k < rank; k++) {
    linear x = linear_variable(k), lo, hi;
    if (q->s->index[k].kind == CDAG_ALL)
      continue;
    if (!linear_substitute(&q->lo[k], NULL, 0, rank, &lo) || !linear_substitute(&q->hi[k], NULL, 0, rank, &hi))
      p->open = true;
    polyhedron_require(&f->memory, p, &lo, &x);
    polyhedron_require(&f->memory, p, &x, &hi);
  }
  polyhedron *set = polyhedron_project(&f->memory, p, rank, &exact);
  exact = exact && !p->open;
  f->array[q->s->array].outputs_missing |= !exact;
  for (int k = 0; exact && k < form->domain.n; k++) {
    polyhedron *part = polyhedron_copy(&f->memory, form->domain.item[k]);
    polyhedron_meet(&f->memory, part, set, rank);
    if (!part->open && !polyhedron_empty(part))
      normal_form_put_output(f, q->s->array, part);
  }
}

static void select_index(selecting *q, int k, const polyhedron *where)
{
  affine_reader r = reader_of(q->f);
  if (k == q->f->array[q->s->array].rank) {
    put_selected(q, where);
    return;
  }
  const cdag_index *x = &q->s->index[k];
  if (x->kind == CDAG_ALL) {
    select_index(q, k + 1, where);
    return;
  }
  choices lo = { 0 };
  affine_read(&r, x->lo, where, &lo);
  q->f->array[q->s->array].outputs_missing |= lo.unread;
  for (int i = 0; i < lo.n; i++) {
    q->lo[k] = q->hi[k] = lo.item[i].value;
    if (x->kind == CDAG_AT) {
      select_index(q, k + 1, lo.item[i].where);
      continue;
    }
    choices hi = { 0 };
    affine_read(&r, x->hi, lo.item[i].where, &hi);
    q->f->array[q->s->array].outputs_missing |= hi.unread;
    for (int j = 0; j < hi.n; j++) {
      q->hi[k] = hi.item[j].value;
      q->hi[k].base--;
      select_index(q, k + 1, hi.item[j].where);
    }
  }
}

/* The elements a selection names. */
static void read_selection(normal_form *f, const cdag_selection *s)
{
  polyhedra nest = { 0 };
  selecting q = { .f = f, .s = s };
  if (read_nest(f, s->vars, s->var_lo, s->var_hi, &nest))
    for (int i = 0; i < nest.n; i++)
      select_index(&q, 0, nest.item[i]);
  else
    f->array[s->array].outputs_missing = true;
}

/* ---- live ---- */

polyhedron *access_image(arena *a, const access *x, const polyhedron *readers, int rank_to, bool *exact)
{
  polyhedron *p = polyhedron_new(a, rank_to);
  linear moved;
  polyhedron_include(a, p, x->where, NULL, 0);
  if (readers) {
    linear same[CDAG_RANK];
    int rank_from = 0;
    for (; rank_from < CDAG_RANK; rank_from++)
      same[rank_from] = linear_variable(rank_to + rank_from);
    rank_from = readers->vars < CDAG_RANK ? readers->vars : CDAG_RANK;
    polyhedron_include(a, p, readers, same, rank_from);
  }
  for (int k = 0; k < rank_to; k++) {
    linear y = linear_variable(k);
    if (linear_substitute(&x->index[k], NULL, 0, rank_to, &moved))
      polyhedron_same(a, p, &y, &moved);
    else
      p->open = true;
  }
  return polyhedron_project(a, p, rank_to, exact);
}

/* By what b's indices lie beyond a's, of the same reader: numbers. */
static bool beside(const normal_form *f, const access *a, const access *b, int64_t by[CDAG_RANK])
{
  int rank = f->array[a->from].rank;
  bool good = a->from == b->from && a->to == b->to && a->single && b->single && a->where->vars == rank &&
              b->where->vars == rank;
  for (int r = 0; r < f->array[a->to].rank && good; r++) {
    linear more = b->index[r];
    good = linear_add(&more, &a->index[r], -1) && linear_is_constant(&more);
    by[r] = more.base;
  }
  return good;
}

enum { WINDOW_MOST = 256 };

/* The accesses beside a that fill a box of which a is the least corner, as one whose indices run: of 2 i and 2 i + 1 it
 * is known that they are all there is, of each alone only that it is even or odd.  False when there is no such box. */
static bool window_of(normal_form *f, const access *a, access *window)
{
  int64_t by[CDAG_RANK], width[CDAG_RANK], wide = 1;
  uint64_t seen[WINDOW_MOST / 64] = { 0 };
  int rank = f->array[a->to].rank, there = 0;
  for (int r = 0; r < rank; r++)
    width[r] = 1;
  for (int i = 0; i < f->accesses; i++)
    if (beside(f, a, f->access[i], by))
      for (int r = 0; r < rank; r++) {
        if (by[r] < 0 || by[r] >= WINDOW_MOST)
          return false;
        width[r] = width[r] > by[r] + 1 ? width[r] : by[r] + 1;
      }
  for (int r = 0; r < rank; r++)
    if ((wide *= width[r]) > WINDOW_MOST)
      return false;
  *window = *a;
  window->single = wide == 1;
  window->where = polyhedron_copy(&f->memory, a->where);
  for (int i = 0; i < f->accesses && wide > 1; i++) {
    int64_t at = 0;
    if (!beside(f, a, f->access[i], by))
      continue;
    for (int r = 0; r < rank; r++)
      at = at * width[r] + by[r];
    there += !(seen[at / 64] >> at % 64 & 1);
    seen[at / 64] |= (uint64_t)1 << at % 64;
    polyhedron_meet(&f->memory, window->where, f->access[i]->where, f->array[a->from].rank);
  }
  for (int r = 0; r < rank && there == wide; r++)
    if (width[r] > 1) {
      int v = polyhedron_variable(window->where);
      linear runs = linear_variable(v < 0 ? 0 : v), zero = { 0 }, last = linear_constant(width[r] - 1);
      polyhedron_require(&f->memory, window->where, &zero, &runs);
      polyhedron_require(&f->memory, window->where, &runs, &last);
      if (v < 0 || !linear_add(&window->index[r], &runs, 1))
        return false;
    }
  return there == wide && wide > 1;
}

/* What the live elements read by the access, if that is known exactly. */
static bool add_image(normal_form *f, const access *a, polyhedra *l)
{
  bool all = true;
  for (int k = 0; k < f->array[a->from].live.n; k++) {
    polyhedron *both = polyhedron_copy(&f->memory, a->where), *image;
    bool exact = false;
    access part = *a;
    polyhedron_meet(&f->memory, both, f->array[a->from].live.item[k], f->array[a->from].rank);
    part.where = both;
    if (both->open || polyhedron_empty(both))
      continue;
    image = access_image(&f->memory, &part, NULL, f->array[a->to].rank, &exact);
    if (exact)
      polyhedra_add(&f->memory, l, image);
    all = all && exact;
  }
  return all;
}

/* What the live elements read, and the outputs: as far as it is known exactly. */
static void wanted(normal_form *f, int x, polyhedra *l)
{
  const array_form *form = &f->array[x];
  for (int i = 0; i < form->outputs.n; i++)
    polyhedra_add(&f->memory, l, form->outputs.item[i]);
  for (int i = 0; i < f->accesses; i++) {
    access window;
    if (f->access[i]->to == x && !add_image(f, f->access[i], l) && window_of(f, f->access[i], &window))
      add_image(f, &window, l);
  }
}

enum { ROUNDS_MOST = 10, LIVE_MOST = 64 };

/* Of the elements that may be live those that nobody live reads and that are no outputs are not.  As there are no
   cycles, what stays when nothing changes any more is live.  *changed. */
static bool prune(normal_form *f, int x, bool *changed)
{
  array_form *form = &f->array[x];
  polyhedra l = { 0 }, next = { 0 }, gone = { 0 };
  wanted(f, x, &l);
  for (int i = 0; i < form->live.n; i++) {
    polyhedra one = { 0 }, rest = { 0 }, kept = { 0 };
    if (polyhedra_cover(&l, form->live.item[i], form->rank)) {
      polyhedra_add(&f->memory, &next, form->live.item[i]);
      continue;
    }
    polyhedra_add(&f->memory, &one, form->live.item[i]);
    if (!polyhedra_minus(&f->memory, &one, &l, form->rank, &rest) ||
        !polyhedra_minus(&f->memory, &one, &rest, form->rank, &kept))
      return false;
    for (int k = 0; k < kept.n; k++)
      polyhedra_add(&f->memory, &next, polyhedron_tidy(&f->memory, kept.item[k]));
    polyhedra_add(&f->memory, &gone, form->live.item[i]);
    *changed = true;
  }
  form->live = next;
  return next.n <= LIVE_MOST;
}

static bool prune_all(normal_form *f)
{
  for (int x = 0; x < f->arrays; x++)
    f->array[x].live = f->array[x].domain;
  for (int round = 0; round < ROUNDS_MOST; round++) {
    bool changed = false;
    for (int x = f->arrays - 1; x >= 0; x--)
      if (!prune(f, x, &changed))
        return false;
    if (!changed)
      return true;
  }
  return false;
}

/* index = x - v on all of `where`, without quotients: the elements x - m v, m >= 1, that a chain of such reads reaches
 * from l. */
static bool closure(normal_form *f, const access *a, const polyhedron *l, polyhedron **reached)
{
  int rank = f->array[a->from].rank;
  linear last[CDAG_RANK];
  if (a->from != a->to || a->where->vars != rank || l->vars != rank || !a->single)
    return false;
  polyhedron *p = polyhedron_new(&f->memory, rank + 1 + rank); /* y, m, x */
  for (int r = 0; r < rank; r++) {
    linear x = linear_variable(r), v = a->index[r], y = linear_variable(r), from = linear_variable(rank + 1 + r);
    if (!linear_add(&v, &x, -1) || !linear_is_constant(&v))
      return false;
    last[r] = y;
    last[r].base = -v.base;      /* who reads y */
    from.coef[rank] = v.base;    /* x + m (index - x) = y */
    polyhedron_same(&f->memory, p, &from, &y);
  }
  linear one = linear_constant(1), m = linear_variable(rank), from[CDAG_RANK];
  for (int r = 0; r < rank; r++)
    from[r] = linear_variable(rank + 1 + r);
  polyhedron_require(&f->memory, p, &one, &m);
  polyhedron_include(&f->memory, p, l, from, rank);
  polyhedron_include(&f->memory, p, a->where, from, rank);
  polyhedron_include(&f->memory, p, a->where, last, rank);
  bool exact;
  *reached = polyhedron_project(&f->memory, p, rank, &exact);
  return exact && !p->open && !polyhedron_empty(*reached);
}

/* Add the part of p that is not there yet. */
static bool grow_live(normal_form *f, int x, polyhedron *p, bool *changed)
{
  polyhedra one = { 0 }, rest = { 0 };
  polyhedra_add(&f->memory, &one, p);
  if (!polyhedra_minus(&f->memory, &one, &f->array[x].live, f->array[x].rank, &rest))
    return false;
  for (int i = 0; i < rest.n; i++)
    polyhedra_add(&f->memory, &f->array[x].live, polyhedron_tidy(&f->memory, rest.item[i]));
  *changed = *changed || rest.n > 0;
  return f->array[x].live.n <= LIVE_MOST;
}

/* Backwards from the outputs; what is there when the work is too much is live all the same. */
static void reach_back(normal_form *f)
{
  for (int x = 0; x < f->arrays; x++)
    f->array[x].live = (polyhedra){ 0 };
  for (int round = 0; round < ROUNDS_MOST; round++) {
    bool changed = false;
    for (int x = f->arrays - 1; x >= 0; x--) {
      polyhedra l = { 0 };
      wanted(f, x, &l);
      for (int i = 0; i < l.n; i++)
        if (!grow_live(f, x, l.item[i], &changed))
          return;
      for (int i = 0; i < f->accesses; i++)
        for (int k = 0; f->access[i]->from == x && k < f->array[x].live.n; k++) {
          polyhedron *more;
          if (closure(f, f->access[i], f->array[x].live.item[k], &more) && !grow_live(f, x, more, &changed))
            return;
        }
    }
    if (!changed)
      return;
  }
}

/* ---- */

void normal_form_relation(normal_form *f, const cdag *g)
{
  *f = (normal_form){ .g = g, .arrays = g->arrays };
  f->array = ARENA_NEW(&f->memory, array_form, (size_t)g->arrays);
  for (int x = 0; x < g->arrays; x++) {
    f->array[x].rank = g->array[x].rank;
    f->array[x].text = x;
    f->array[x].known = read_nest(f, g->array[x].rank, g->array[x].lo, g->array[x].hi, &f->array[x].domain);
  }
  for (int x = 0; x < g->arrays; x++)
    read_terms(f, x);
  normal_form_join(f);
}

void normal_form_ends(normal_form *f, const cdag *g)
{
  normal_form_relation(f, g);
  for (int x = 0; x < g->arrays; x++) {
    find_inputs(f, x);
    for (int i = 0; g->array[x].declared_output && i < f->array[x].domain.n; i++)
      normal_form_put_output(f, x, f->array[x].domain.item[i]);
  }
  for (int s = 0; s < g->selections; s++)
    read_selection(f, &g->selection[s]);
}

static void find_live(normal_form *f)
{
  if (!prune_all(f))
    reach_back(f);
  for (int x = 0; x < f->arrays; x++)
    polyhedra_join(&f->memory, &f->array[x].live);
}

/* The access on what is live alone: a piece for each of that. */
static void cut_access(normal_form *f, const access *a)
{
  const array_form *from = &f->array[a->from];
  for (int k = 0; k < from->live.n; k++) {
    polyhedron *p = polyhedron_copy(&f->memory, a->where);
    polyhedron_meet(&f->memory, p, from->live.item[k], from->rank);
    if (!polyhedron_empty(p))
      normal_form_add_access(f, a, polyhedron_tidy(&f->memory, p));
  }
}

void normal_form_keep_live(normal_form *f)
{
  bool some = false;
  access **all = f->access;
  int n = f->accesses;
  bool *cut = ARENA_NEW(&f->memory, bool, (size_t)f->arrays);
  for (int x = 0; x < f->arrays; x++) {
    array_form *form = &f->array[x];
    polyhedra dead = { 0 }, computed = { 0 }, inputs = { 0 };
    int most = form->inputs.n > 0 ? 1 : KEPT_MOST; /* what begins with inputs stays in one piece */
    cut[x] = form->computed.n > 0 && form->live.n > 0 && form->live.n <= most &&
             polyhedra_minus(&f->memory, &form->domain, &form->live, form->rank, &dead) && dead.n > 0;
    if (cut[x] && form->inputs.n > 0)
      cut[x] = polyhedra_minus(&f->memory, &form->computed, &dead, form->rank, &computed) &&
               polyhedra_minus(&f->memory, &form->inputs, &dead, form->rank, &inputs);
    some = some || cut[x];
    if (!cut[x])
      continue;
    form->computed = form->inputs.n > 0 ? computed : form->live;
    form->inputs = inputs;
    form->domain = form->live;
  }
  if (!some)
    return;
  f->access = NULL;
  f->accesses = f->room = 0;
  for (int i = 0; i < n; i++)
    if (cut[all[i]->from])
      cut_access(f, all[i]);
    else
      normal_form_add_access(f, all[i], all[i]->where);
  normal_form_join(f);
}

void normal_form_init(normal_form *f, const cdag *g)
{
  normal_form_ends(f, g);
  find_live(f);
}

void normal_form_init_split(normal_form *f, const cdag *g)
{
  normal_form_ends(f, g);
  normal_form_straighten(f);
  normal_form_lay_together(f);
  normal_form_unflatten(f);
  find_live(f);
}

bool normal_form_init_merged(normal_form *f, const cdag *g)
{
  normal_form_ends(f, g);
  find_live(f);
  bool merged = normal_form_merge(f, true);
  normal_form_straighten(f);
  bool ends = normal_form_lay_ends(f), apart = normal_form_part_inputs(f), turned;
  if (!normal_form_part_turned(f, &turned) || (!merged && !ends && !apart && !turned))
    return false;
  normal_form_lay_together(f);
  normal_form_unflatten(f);
  find_live(f);
  return true;
}

bool normal_form_init_contracted(normal_form *f, const cdag *g)
{
  normal_form_ends(f, g);
  find_live(f);
  normal_form_merge(f, false); /* steps at a border are copies of those before: they are steps of sums here */
  bool sums = normal_form_contract(f, SUM_STEPS), parts = normal_form_fuse(f);
  if (!sums && !parts)
    return false;
  for (int i = 0; i < f->accesses; i++) /* a word may go on through a part, as lines do */
    f->access[i]->through = BY_ITSELF;
  normal_form_lay_together(f);
  normal_form_unflatten(f);
  find_live(f);
  return true;
}

static bool init_tapped(normal_form *f, const cdag *g, bool fused)
{
  normal_form_ends(f, g);
  bool parts = fused && normal_form_fuse(f), windows = (parts || !fused) && normal_form_tap(f);
  bool sums = fused && !windows && normal_form_contract(f, FUSED_STEPS);
  if (!parts && !windows && !sums)
    return false;
  f->by_parts = fused && !windows;
  if (f->by_parts)
    f->part_steps = 1;
  normal_form_lay_together(f);
  normal_form_unflatten(f);
  find_live(f);
  return true;
}

bool normal_form_init_tapped(normal_form *f, const cdag *g) { return init_tapped(f, g, false); }
bool normal_form_init_fused(normal_form *f, const cdag *g) { return init_tapped(f, g, true); }

void normal_form_clear(normal_form *f)
{
  arena_clear(&f->memory);
  *f = (normal_form){ 0 };
}
