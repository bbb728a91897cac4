/* Which arrays matter wholly: every element is an output that is no input, or has a path to one.

   By closure over whole arrays.  An array is live when it is all outputs; or when its chain ends (the last element
   along each chain; every element when the array does not read itself) are outputs or are read by a live array: from
   any other element the chain leads to an end.  "Are read" is decided on affine forms in the indices of the element:
   the reader's loops that the element fixes are solved for, the others are put on an end of their range, each way in
   turn; then the reader must exist and name the element, whatever the element. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/recognise/shape_internal.h"
#include <string.h>

/* The elements that must be read, on one piece of the array's domain: loops along chains stand at their end. */
typedef struct {
  const cdag *g;
  int array, rank;
  affine_domain domain;
  affine wanted[CDAG_RANK];    /* the indices, as forms in the loops that remain */
  unsigned fixed;              /* loops at a chain's end or held: no loop of a reader is solved from them */
} target;

static bool target_of(const cdag *g, int array, const shape_chain *c, unsigned pinned, const int64_t *x, target *t)
{
  const cdag_array *a = &g->array[array];
  unsigned along = shape_chain_loops(c);
  *t = (target){ .g = g, .array = array, .rank = a->rank, .domain = { .rank = a->rank }, .fixed = along | pinned };
  for (int r = 0; r < a->rank; r++) {
    affine lo, hi;
    if (!affine_range(g, array, r, t->wanted, &lo, &hi))
      return false;
    if (pinned >> r & 1)
      lo = affine_const(x[r]);
    else if (along >> r & 1 && c->direction[r] < 0)
      lo = hi, lo.base -= 1;
    if (t->fixed >> r & 1)
      hi = lo, hi.base += 1;
    t->domain.lo[r] = lo;
    t->domain.hi[r] = hi;
    t->wanted[r] = t->fixed >> r & 1 ? lo : affine_slot(r);
  }
  return true;
}

/* Whoever may name elements: an array's rule or a selection. */
typedef struct {
  int array;                   /* -1: a selection */
  int rank;
  expr *const *lo, *const *hi;
  const cdag_index *index;
} reader;

/* The reader's loops as forms in the element's indices. */
typedef struct {
  const target *t;
  const reader *by;
  affine value[CDAG_RANK];
  unsigned known;
} solution;

/* An index that is a bare loop plus a constant says what that loop is. */
static void solve_loops(solution *s)
{
  affine form[CDAG_RANK], f;
  for (int q = 0; q < s->by->rank; q++)
    form[q] = affine_slot(q);
  for (int r = 0; r < s->t->rank; r++) {
    if (s->by->index[r].kind != CDAG_AT || !affine_of_index(s->t->g, &s->by->index[r], false, form, s->by->rank, &f))
      continue;
    for (int q = 0; q < s->by->rank; q++)
      if (affine_slots(&f) == 1u << q && f.coef[q] == 1 && !(s->known >> q & 1)) {
        s->value[q] = s->t->wanted[r];
        if (num_sub(s->value[q].base, f.base, &s->value[q].base))
          s->known |= 1u << q;
      }
  }
}

/* Is lo <= x < hi on the whole domain? */
static bool between(const affine_domain *d, const affine *lo, const affine *x, const affine *hi)
{
  affine above = *x, below = *hi;
  below.base -= 1;
  return affine_add(&above, lo, -1) && affine_nonnegative(d, &above) && affine_add(&below, x, -1) &&
         affine_nonnegative(d, &below);
}

static bool index_names(const solution *s, int r)
{
  const cdag_index *index = &s->by->index[r];
  const affine *wanted = &s->t->wanted[r];
  affine lo, hi;
  if (index->kind == CDAG_ALL)
    return true;
  if (!affine_of_index(s->t->g, index, false, s->value, s->by->rank, &lo))
    return false;
  if (index->kind == CDAG_AT)
    hi = lo, hi.base += 1;
  else if (!affine_of_index(s->t->g, index, true, s->value, s->by->rank, &hi))
    return false;
  return between(&s->t->domain, &lo, wanted, &hi);
}

static bool loop_bounds(const solution *s, int q, affine *lo, affine *hi)
{
  if (s->by->array >= 0)
    return affine_range(s->t->g, s->by->array, q, s->value, lo, hi);
  return affine_of_expr(s->t->g, s->by->lo[q], s->value, q, lo) &&
         affine_of_expr(s->t->g, s->by->hi[q], s->value, q, hi);
}

/* With every loop of the reader given: is it in the reader's domain, and does it name the element? */
static bool names_element(const solution *s)
{
  for (int q = 0; q < s->by->rank; q++) {
    affine lo, hi;
    if (!loop_bounds(s, q, &lo, &hi) || !between(&s->t->domain, &lo, &s->value[q], &hi))
      return false;
  }
  for (int r = 0; r < s->t->rank; r++)
    if (!index_names(s, r))
      return false;
  return true;
}

/* Loops that are not solved for: the first or the last of their range.  At most 2^CDAG_RANK ways. */
static bool choose_loops(solution *s, int q)
{
  while (q < s->by->rank && s->known >> q & 1)
    q++;
  if (q == s->by->rank)
    return names_element(s);
  for (int last = 0; last < 2; last++) {
    affine lo, hi;
    if (!loop_bounds(s, q, &lo, &hi))
      return false;
    hi.base -= 1;
    s->value[q] = last ? hi : lo;
    if (choose_loops(s, q + 1))
      return true;
  }
  return false;
}

static bool named_by(const target *t, const reader *by)
{
  solution s = { .t = t, .by = by };
  solve_loops(&s);
  return choose_loops(&s, 0);
}

static bool selected(const target *t)
{
  for (int i = 0; i < t->g->selections; i++) {
    const cdag_selection *s = &t->g->selection[i];
    reader by = { -1, s->vars, s->var_lo, s->var_hi, s->index };
    if (s->array == t->array && named_by(t, &by))
      return true;
  }
  return false;
}

static bool read_by_array(const target *t, int array)
{
  const cdag_array *y = &t->g->array[array];
  for (int i = 0; i < y->terms; i++) {
    reader by = { array, y->rank, y->lo, y->hi, y->term[i].index };
    if (y->term[i].array == t->array && named_by(t, &by))
      return true;
  }
  return false;
}

typedef struct {
  const cdag *g;
  const bound_live *l;
  int array;
  const shape_chain *c;
  unsigned pinned;
} question;

static bool piece_live(void *context, const int64_t *x)
{
  const question *q = context;
  target t;
  if (!target_of(q->g, q->array, q->c, q->pinned, x, &t))
    return false;
  if (selected(&t))
    return true;
  for (int y = 0; y < q->g->arrays; y++)
    if (y != q->array && q->l->whole[y] && q->g->array[y].count > 0 && read_by_array(&t, y))
      return true;
  return false;
}

static bool array_live(const cdag *g, const bound_live *l, int array)
{
  const cdag_array *a = &g->array[array];
  if (a->count == 0 || a->declared_output)
    return true;
  shape_chain c;
  shape_chain_find(g, array, &c);
  if (!shape_straight(g, array, &c))
    return false;
  question q = { g, l, array, &c, shape_pinned(g, array, false) & ~shape_chain_loops(&c) };
  return shape_each_setting(g, array, q.pinned, piece_live, &q);
}

bool bound_ends_are_outputs(const cdag *g, int array)
{
  bound_live nothing = { .whole = MEM_NEW(bool, g->arrays) };
  bool all = array_live(g, &nothing, array); /* with no reader live, only outputs are left */
  bound_live_clear(&nothing);
  return all;
}

/* Elements of the array that are inputs, one level of it; 0 when nothing is known. */
static uint64_t source_level(const cdag *g, int array, int *loop)
{
  const cdag_array *a = &g->array[array];
  *loop = shape_source_loop(g, array);
  return *loop < 0 ? 0 : a->count / (uint64_t)(a->hull.hi[*loop] - a->hull.lo[*loop]);
}

/* Elements of the selection that are no inputs, at least: `inputs` elements of the array are, at the first value of
 * `loop`. */
static uint64_t computed_selection(const cdag *g, const cdag_selection *s, int loop, uint64_t inputs)
{
  uint64_t all = shape_selection_count(g, s);
  const cdag_index *x = &s->index[loop < 0 ? 0 : loop];
  int64_t first = loop < 0 ? 0 : g->array[s->array].hull.lo[loop];
  if (loop < 0 || (x->kind == CDAG_AT && x->var == -1 && x->base > first))
    return all;
  return all > inputs ? all - inputs : 0;
}

/* Outputs that are no inputs, at least. */
static uint64_t computed_outputs(const cdag *g, int array)
{
  const cdag_array *a = &g->array[array];
  uint64_t most = 0, inputs = 0;
  int loop = -1;
  if (a->terms == 0)
    return 0;
  if (a->declared_input && (inputs = source_level(g, array, &loop)) == 0)
    return 0;
  if (a->declared_output)
    return a->count - inputs;
  for (int i = 0; i < g->selections; i++) {
    uint64_t here = g->selection[i].array == array ? computed_selection(g, &g->selection[i], loop, inputs) : 0;
    most = here > most ? here : most; /* selections may overlap */
  }
  return most > 0 || a->declared_input || !cdag_array_outputs(g, array, &inputs) ? most : inputs;
}

/* ---- inputs that are not live as a whole ---- */

/* Elements of the input array that this term of a live array names, at least: with the loops it does not use at their
   first value, different settings of the others name different elements. */
static uint64_t named_by_term(const cdag *g, int by, const cdag_term *t)
{
  const cdag_array *y = &g->array[by];
  int rank = g->array[t->array].rank;
  affine form[CDAG_RANK], index[CDAG_RANK];
  affine_domain hull;
  cdag_box box = y->hull;
  unsigned loops = 0;
  for (int r = 0; r < y->rank; r++)
    form[r] = affine_slot(r);
  shape_hull_domain(g, by, &hull);
  if (!shape_index_forms(g, t, rank, form, y->rank, index))
    return 0;
  for (int r = 0; r < rank; r++)
    loops |= affine_slots(&index[r]);
  if (!affine_injective(&hull, index, rank, loops) || !shape_always(g, by, t))
    return 0;
  for (int r = 0; r < y->rank; r++)
    if (!(loops >> r & 1))
      box.hi[r] = box.lo[r] + 1;
  return cdag_box_count(g, by, &box);
}

static uint64_t named_inputs(const cdag *g, const bound_live *l, int array)
{
  uint64_t most = 0;
  for (int y = 0; y < g->arrays; y++)
    for (int t = 0; l->whole[y] && g->array[y].count > 0 && t < g->array[y].terms; t++)
      if (g->array[y].term[t].array == array) {
        uint64_t here = named_by_term(g, y, &g->array[y].term[t]);
        most = here > most ? here : most;
      }
  return most;
}

void bound_live_find(const cdag *g, bound_live *l)
{
  *l = (bound_live){ .whole = MEM_NEW(bool, g->arrays), .seen = bound_seen_new(g->arrays), .arrays = g->arrays };
  if (g->graph)
    return;
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < g->arrays; a++)
      if (!l->whole[a] && array_live(g, l, a))
        l->whole[a] = changed = true;
  }
  for (int a = 0, loop; a < g->arrays; a++) {
    if (g->array[a].terms == 0 && !g->array[a].declared_output)
      l->inputs += l->whole[a] ? g->array[a].count : named_inputs(g, l, a);
    if (g->array[a].declared_input && l->whole[a])
      l->inputs += source_level(g, a, &loop);
    l->outputs += computed_outputs(g, a);
  }
}

void bound_live_clear(bound_live *l)
{
  mem_free(l->whole);
  bound_seen_free(l->seen, l->arrays);
  *l = (bound_live){ 0 };
}

const bound_live *bound_live_of(const cdag *g, const bound_live *known, bound_live *own)
{
  *own = (bound_live){ 0 };
  if (!known)
    bound_live_find(g, own);
  return known ? known : own;
}
