/* Which arrays matter wholly: every element is an output that is no input, or has a path to one.

   By closure over whole arrays.  An array is live when it is all outputs; or when its chain ends (the last element
   along each chain; every element when the array does not read itself) are outputs or are read by a live array: from
   any other element the chain leads to an end.  "Are read" is decided on affine forms in the indices of the element:
   the reader's loops that the element fixes are solved for, the others are put on an end of their range, each way in
   turn; then the reader must exist and name the element, whatever the element. */
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"
#include "bounds/recognise/shape.h"
#include <string.h>

/* The elements that must be read, on one piece of the array's domain: loops along chains stand at their end. */
typedef struct {
  const cdag *g;
  int array, rank;
  form_domain domain;
  form wanted[CDAG_RANK];      /* the indices, as forms in the loops that remain */
} target;

/* held: these loops have the values x. */
static bool target_of(const cdag *g, int array, const checker_chain *c, unsigned held, const int64_t *x, target *t)
{
  t->g = g;
  t->array = array;
  t->rank = g->array[array].rank;
  form_hull(g, array, &t->domain);
  for (int r = 0; r < t->rank; r++) {
    bool along = c->loops >> r & 1, fixed = along || held >> r & 1;
    form lo, hi;
    if (!form_bounds(g, array, r, t->wanted, &lo, &hi))
      return false;
    if (held >> r & 1)
      lo = form_number(x[r]);
    else if (along && c->step[r] < 0)
      lo = hi, lo.c--;
    if (fixed)
      hi = lo, hi.c++;
    if (!form_range(&t->domain, r, &lo, &hi))
      return false;
    t->wanted[r] = fixed ? lo : form_loop(r);
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
  form value[CDAG_RANK];
  unsigned known;
} solution;

/* An index that is a bare loop plus a constant says what that loop is. */
static void solve_loops(solution *s)
{
  form loop[CDAG_RANK], f;
  for (int q = 0; q < s->by->rank; q++)
    loop[q] = form_loop(q);
  for (int r = 0; r < s->t->rank; r++) {
    if (s->by->index[r].kind != CDAG_AT || !form_index(s->t->g, &s->by->index[r], false, loop, s->by->rank, &f))
      continue;
    for (int q = 0; q < s->by->rank; q++)
      if (form_uses(&f) == 1u << q && f.k[q] == 1 && !(s->known >> q & 1)) {
        s->value[q] = s->t->wanted[r];
        if (num_sub(s->value[q].c, f.c, &s->value[q].c))
          s->known |= 1u << q;
      }
  }
}

static bool never_negative(const form *f, const form_domain *d)
{
  int64_t least, largest;
  return form_extremes(f, d, &least, &largest) && least >= 0;
}

/* Is lo <= x < hi on the whole domain? */
static bool between(const form_domain *d, const form *lo, const form *x, const form *hi)
{
  form above = *x, below = *hi;
  below.c--;
  return form_plus(&above, lo, -1) && never_negative(&above, d) && form_plus(&below, x, -1) &&
         never_negative(&below, d);
}

static bool index_names(const solution *s, int r)
{
  const cdag_index *index = &s->by->index[r];
  const form *wanted = &s->t->wanted[r];
  form lo, hi;
  if (index->kind == CDAG_ALL)
    return true;
  if (!form_index(s->t->g, index, false, s->value, s->by->rank, &lo))
    return false;
  if (index->kind == CDAG_AT)
    hi = lo, hi.c++;
  else if (!form_index(s->t->g, index, true, s->value, s->by->rank, &hi))
    return false;
  return between(&s->t->domain, &lo, wanted, &hi);
}

static bool loop_bounds(const solution *s, int q, form *lo, form *hi)
{
  if (s->by->array >= 0)
    return form_bounds(s->t->g, s->by->array, q, s->value, lo, hi);
  return form_read(s->t->g, s->by->lo[q], s->value, q, lo) &&
         form_read(s->t->g, s->by->hi[q], s->value, q, hi);
}

/* With every loop of the reader given: is it in the reader's domain, and does it name the element? */
static bool names_element(const solution *s)
{
  for (int q = 0; q < s->by->rank; q++) {
    form lo, hi;
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
    form lo, hi;
    if (!loop_bounds(s, q, &lo, &hi))
      return false;
    hi.c--;
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
  const checker_chain *c;
  unsigned held;
} question;

static bool piece_live(void *context, const int64_t *x)
{
  const question *q = context;
  target t;
  if (!target_of(q->g, q->array, q->c, q->held, x, &t))
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
  checker_chain c;
  checker_chain_read(g, array, &c);
  if (!c.straight)
    return false;
  question q = { g, l, array, &c, form_held(g, array, false) & ~c.loops };
  return form_each_setting(g, array, q.held, piece_live, &q);
}

void bound_live_find(const cdag *g, bound_live *l)
{
  *l = (bound_live){ .seen = bound_seen_new(g->arrays), .arrays = g->arrays };
  if (g->graph) {
    l->whole = MEM_NEW(bool, g->arrays);
    return;
  }
  l->whole = checker_live_counted(g); /* windows, which no loop solves, are counted */
  for (bool changed = true; changed;) {
    changed = false;
    for (int a = 0; a < g->arrays; a++)
      if (!l->whole[a] && array_live(g, l, a))
        l->whole[a] = changed = true;
  }
  l->inputs = checker_inputs(g, l->whole);
  l->outputs = checker_outputs(g);
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
