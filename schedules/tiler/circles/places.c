/* places.c -- the order in one step, where what is read lies, and who takes whose place. */
#include "schedules/tiler/circles/internal.h"
#include <string.h>

/* Does a member read there what another computes in the same step, or may it? */
static bool same_step(const circle *c, const circle_read *r)
{
  linear f = circle_ahead(r, &c->step), back = linear_constant(-1);
  return !linear_add(&back, &f, -1) || !polyhedron_implies(r->a->where, &back, false);
}

bool circle_find_order(circle *c)
{
  bool after[CIRCLE_MEMBERS][CIRCLE_MEMBERS] = { { false } }, done[CIRCLE_MEMBERS] = { false };
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from >= 0 && c->read[i].from != c->read[i].reader && c->read[i].same_step)
      after[c->read[i].reader][c->read[i].from] = true;
  for (int k = 0; k < c->n; k++) {
    int pick = -1;
    for (int p = 0; p < c->n && pick < 0; p++) {
      bool ready = !done[p];
      for (int q = 0; q < c->n; q++)
        ready = ready && (done[q] || !after[p][q]);
      pick = ready ? p : -1;
    }
    if (pick < 0)
      return false;
    done[pick] = true;
    c->order[k] = pick;
  }
  return true;
}

static int rank_in_step(const circle *c, int p)
{
  int k = 0;
  while (c->order[k] != p)
    k++;
  return k;
}

static bool is_zero_on(const polyhedron *p, const linear *f) { return polyhedron_implies(p, f, true); }

static void find_place(const circle *c, circle_read *r, int t)
{
  linear v = r->a->index[c->tile[t].dim[r->from]], f = circle_ahead(r, &c->tile[t]);
  r->place[t] = CIRCLE_UNKNOWN;
  if (is_zero_on(r->a->where, &f)) {
    r->place[t] = CIRCLE_INSIDE;
    return;
  }
  v.base += c->tile[t].shift[r->from];
  linear at = v, other = v, step = circle_step_of(c, r->reader);
  linear_add(&at, &step, -1);
  if (linear_is_constant(&at)) {
    r->place[t] = CIRCLE_AT_STEP;
    r->by[t] = at.base - c->step.shift[r->reader];
    return;
  }
  if (c->tiles < 2)
    return;
  other.coef[c->tile[!t].dim[r->reader]]--;
  other.base -= c->tile[!t].shift[r->reader];
  if (is_zero_on(r->a->where, &other))
    r->place[t] = CIRCLE_OTHER_AXIS;
}

/* Is there such a read at one step only, as of a sum's first value? */
static bool is_once(const circle *c, const circle_read *r)
{
  linear k = circle_step_of(c, r->reader);
  int64_t at;
  return circle_is_single(r->a->where, &k, &at);
}

/* Does the step alone say what dimension v of the reader is? */
static bool is_told(const circle *c, const circle_read *r, int v)
{
  linear f = linear_variable(v), plain;
  return circle_is_variable(r->a->where, &f, c->step.dim[r->reader], &plain);
}

void circle_find_steps(circle *c)
{
  for (int i = 0; i < c->reads; i++) {
    circle_read *r = &c->read[i];
    r->once = is_once(c, r);
    r->told = 0;
    for (int v = 0; v < circle_rank(c, r->reader); v++)
      r->told |= (unsigned)is_told(c, r, v) << v;
    if (r->from >= 0) {
      linear f = circle_ahead(r, &c->step);
      r->same_step = same_step(c, r);
      r->only_same_step = is_zero_on(r->a->where, &f);
      r->late = circle_lateness(c, r, r->a->where);
    }
  }
}

bool circle_find_places(circle *c)
{
  for (int i = 0; i < c->reads; i++) {
    circle_read *r = &c->read[i];
    r->inside = r->from >= 0;
    for (int t = 0; t < c->tiles && r->from >= 0; t++) {
      find_place(c, r, t);
      r->inside = r->inside && r->place[t] == CIRCLE_INSIDE;
      if (r->place[t] == CIRCLE_UNKNOWN)
        return false;
    }
  }
  return true;
}

/* May they be of one element? */
static bool may_meet(circle *c, const circle_read *a, const circle_read *b)
{
  return a->a->to == b->a->to && !polyhedron_empty(circle_both_read(c, a, b));
}

/* Of an element both read, is b's reader done when a's begins? */
static bool comes_before(const circle *c, const circle_read *b, const circle_read *a)
{
  const circle_axis *s = &c->step;
  if (!b->inside)
    return false;
  /* steps of both readers, seen from the element: b's is at most, a's at least */
  linear ahead_a = circle_ahead(a, s), ahead_b = circle_ahead(b, s), fa = linear_constant(0), fb = fa;
  int64_t a_after, b_after;
  if (!linear_add(&fa, &ahead_a, -1) || !linear_add(&fb, &ahead_b, -1) ||
      !polyhedron_least(a->a->where, &fa, &a_after) || !polyhedron_most(b->a->where, &fb, &b_after))
    return false;
  return b_after < a_after || (b_after == a_after && rank_in_step(c, b->reader) < rank_in_step(c, a->reader));
}

/* Does an index say the reader's dimension v, alone or beside others? */
static bool names(const circle *c, const circle_read *r, int v)
{
  linear plain;
  for (int q = 0; q < c->f->array[r->a->to].rank; q++)
    if (r->a->index[q].coef[v] == 1 || ((r->a->index[q].coef[v] || v == c->step.dim[r->reader]) &&
                                        circle_is_variable(r->a->where, &r->a->index[q], v, &plain)))
      return true;
  return false;
}

static bool has_one_value(const circle_read *r, int v)
{
  linear f = linear_variable(v);
  int64_t value;
  return circle_is_single(r->a->where, &f, &value);
}

/* Each dimension of the reader stands alone in an index, or, of all there is, has one value; the step need not where
   what is read comes at each step, or at one. */
static bool names_all(const circle *c, const circle_read *r)
{
  for (int v = 0; v < circle_rank(c, r->reader); v++)
    if (!names(c, r, v) && !(c->tiles == 0 && has_one_value(r, v)) &&
        (v != c->step.dim[r->reader] || (r->from >= 0 && !r->once)))
      return false;
  return true;
}

bool circle_crosses(const circle *c, const circle_read *r, const circle_read *b)
{
  bool any = false;
  for (int i = 0; i < c->reads && !b && !any; i++)
    any = circle_crosses(c, r, &c->read[i]);
  return b ? r->from < 0 && r->once && !b->once && b->reader == r->reader && b->a->to == r->a->to : any;
}

/* Does its box, at a step of another read of the reader, hold what that one brings? */
static bool is_crossed(const circle *c, const circle_read *r)
{
  for (int k = 0; k < c->reads && r->from < 0 && !r->once; k++) {
    const circle_read *b = &c->read[k];
    if (b->once && b->from < 0 && b->reader == r->reader && b->a->to != r->a->to &&
        strcmp(c->f->g->array[b->a->to].name, c->f->g->array[r->a->to].name) == 0)
      return true;
  }
  return false;
}

void circle_find_takers(circle *c)
{
  for (int i = 0; i < c->reads; i++) {
    circle_read *r = &c->read[i];
    r->takes = (r->inside || r->from < 0) && names_all(c, r) && !is_crossed(c, r);
    for (int k = 0; k < c->reads && r->takes; k++) {
      const circle_read *b = &c->read[k];
      /* an input leaves when its last reader in the step is done */
      if (r->from < 0)
        r->takes = b == r || b->a->to != r->a->to || rank_in_step(c, b->reader) <= rank_in_step(c, r->reader) ||
                   !may_meet(c, r, b);
      else
        r->takes = b == r || b->a->to != r->a->to || comes_before(c, b, r) || !may_meet(c, r, b);
    }
    for (int k = 0; k < c->f->accesses && r->takes && r->from >= 0; k++) {
      circle_read other = { .a = c->f->access[k] };
      r->takes = circle_member(c, other.a->from) >= 0 || !may_meet(c, r, &other);
    }
  }
}

bool circle_begins(circle *c, const circle_read *r)
{
  bool only = r->takes && r->from < 0;
  for (int i = 0; i < c->reads && only; i++)
    if (c->read[i].reader == r->reader && c->read[i].takes && &c->read[i] != r) {
      polyhedron *both = polyhedron_copy(&c->memory, r->a->where);
      polyhedron_meet(&c->memory, both, c->read[i].a->where, circle_rank(c, r->reader));
      only = polyhedron_empty(both);
    }
  return only;
}
