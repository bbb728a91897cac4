/* circle.c -- the plan: axes, tiles, step, order, who takes whose place, and the tiles' length. */
#include "schedules/tiler/circles/circle.h"
#include "base/mem.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

enum { FARTHEST = 8 };

static int rank_of(const circle *c, int p) { return c->f->array[c->member[p]].rank; }

bool circle_tiled(const circle *c, int p, int v)
{
  for (int t = 0; t < c->tiles; t++)
    if (c->tile[t].dim[p] == v)
      return true;
  return false;
}

bool circle_is_single(const polyhedron *where, const linear *f, int64_t *value)
{
  int64_t most;
  return polyhedron_span(where, f, value, &most) && *value == most;
}

bool circle_is_variable(const polyhedron *where, const linear *f, int v, linear *plain)
{
  linear rest = *f;
  int64_t value;
  if (v >= 0)
    rest.coef[v]--;
  if (!circle_is_single(where, &rest, &value))
    return false;
  *plain = v < 0 ? linear_constant(0) : linear_variable(v);
  plain->base = value;
  return true;
}

int circle_member(const circle *c, int array)
{
  for (int p = 0; p < c->n; p++)
    if (c->member[p] == array)
      return p;
  return -1;
}

/* ---- reads ---- */

static double points(const polyhedron *p, double otherwise)
{
  mpz_t n;
  mpz_init(n);
  double d = polyhedron_count(p, n) ? mpz_get_d(n) : otherwise;
  mpz_clear(n);
  return d;
}

static bool add_read(circle *c, const access *a)
{
  int reader = circle_member(c, a->from);
  if (reader < 0 || polyhedron_empty(a->where))
    return true;
  if (c->reads == CIRCLE_READS || !a->single || a->where->vars > rank_of(c, reader))
    return false;
  double times = points(a->where, (double)circle_array(c, reader)->count);
  c->read[c->reads++] = (circle_read){ .a = a, .reader = reader, .from = circle_member(c, a->to), .times = times };
  return true;
}

/* And those that are stored for others, whatever the tiles. */
static void count_elements(circle *c, int p)
{
  const array_form *f = circle_form(c, p);
  c->elements[p] = points(f->computed.item[0], (double)circle_array(c, p)->count);
  c->outputs[p] = circle_array(c, p)->declared_output ? c->elements[p] : 0;
  for (int i = 0; i < f->outputs.n; i++)
    c->outputs[p] += points(f->outputs.item[i], c->elements[p]);
  for (int i = 0; i < c->f->accesses; i++)
    if (c->f->access[i]->to == c->member[p] && circle_member(c, c->f->access[i]->from) < 0)
      c->outputs[p] += points(c->f->access[i]->where, c->elements[p]);
  c->outputs[p] = fmin(c->outputs[p], c->elements[p]);
}

/* Every element of the members has its domain and its predecessors told, and what is computed is one set. */
static bool list_reads(circle *c)
{
  bool good = true;
  for (int p = 0; p < c->n; p++) {
    const array_form *f = &c->f->array[c->member[p]];
    good = good && f->known && f->whole && f->computed.n == 1;
    if (good)
      count_elements(c, p);
  }
  for (int i = 0; i < c->f->accesses && good; i++)
    good = add_read(c, c->f->access[i]);
  return good;
}

/* ---- axes ---- */

/* The place of member p along the axis, without its shift. */
static linear along(const circle_axis *x, int p)
{
  return x->dim[p] == CIRCLE_STANDS ? linear_constant(0) : linear_variable(x->dim[p]);
}

linear circle_step_of(const circle *c, int p) { return along(&c->step, p); }

/* How far before its reader is what is read: index[from] - x[to], with both shifts. */
linear circle_ahead(const circle_read *r, const circle_axis *x)
{
  linear f = x->dim[r->from] == CIRCLE_STANDS ? linear_constant(0) : r->a->index[x->dim[r->from]];
  linear reader = along(x, r->reader);
  linear_add(&f, &reader, -1);
  f.base += x->shift[r->from] - x->shift[r->reader];
  return f;
}

int64_t circle_lateness(const circle *c, const circle_read *r, const polyhedron *where)
{
  linear f = circle_ahead(r, &c->step);
  int64_t least;
  return polyhedron_least(where, &f, &least) && -least < CIRCLE_LATE ? num_max(0, -least) : CIRCLE_LATE;
}

/* How far ahead each read lies at most, by the axes of what is read and of the reader, which stand or are an index. */
typedef struct {
  struct { bool asked, bounded; int64_t most; } of[CIRCLE_READS][CDAG_RANK + 1][CDAG_RANK + 1];
} aheads;

/* Each two axes are asked once, without their shifts. */
static bool most_ahead(const circle *c, aheads *known, int read, const circle_axis *x, int64_t *most)
{
  const circle_read *r = &c->read[read];
  int from = x->dim[r->from] - CIRCLE_STANDS, reader = x->dim[r->reader] - CIRCLE_STANDS;
  if (!known->of[read][from][reader].asked) {
    circle_axis unshifted = *x;
    memset(unshifted.shift, 0, sizeof unshifted.shift);
    linear f = circle_ahead(r, &unshifted);
    known->of[read][from][reader].bounded =
        polyhedron_most(r->a->where, &f, &known->of[read][from][reader].most);
    known->of[read][from][reader].asked = true;
  }
  *most = known->of[read][from][reader].most + x->shift[r->from] - x->shift[r->reader];
  return known->of[read][from][reader].bounded;
}

/* The least shifts with which nothing read lies ahead; false: none do. */
static bool find_shifts(const circle *c, aheads *known, circle_axis *x)
{
  memset(x->shift, 0, sizeof x->shift);
  for (int round = 0; round <= c->n; round++) {
    bool moved = false;
    for (int i = 0; i < c->reads; i++) {
      const circle_read *r = &c->read[i];
      int64_t most;
      if (r->from < 0)
        continue;
      if (!most_ahead(c, known, i, x, &most) || (most > FARTHEST && x->dim[r->reader] != CIRCLE_STANDS))
        return false;
      if (most > 0) {
        x->shift[r->reader] += most;
        moved = true;
      }
    }
    if (!moved)
      return true;
  }
  return false;
}

/* A statement beside the circle has all of its elements at one step, if it likes. */
static bool may_stand(const circle *c, int p)
{
  bool may = c->joined;
  for (int i = 0; i < c->reads && may; i++)
    may = c->read[i].reader != p || c->read[i].from != p;
  return may;
}

static void list_axes(circle *c)
{
  enum { TRIES = 2000 };
  circle_axis x = { .dim = { 0 } };
  aheads *known = ARENA_NEW(&c->memory, aheads, 1);
  for (int tries = 0; tries < TRIES && c->axes < CIRCLE_AXES; tries++) {
    if (find_shifts(c, known, &x))
      c->axis[c->axes++] = x;
    int p = 0;
    while (p < c->n && (x.dim[p] == CIRCLE_STANDS || ++x.dim[p] == rank_of(c, p))) {
      bool standing = x.dim[p] != CIRCLE_STANDS && may_stand(c, p);
      x.dim[p] = standing ? CIRCLE_STANDS : 0;
      if (standing)
        break;
      p++;
    }
    if (p == c->n)
      return;
  }
}

/* ---- the order in one step ---- */

/* Does a member read there what another computes in the same step, or may it? */
static bool same_step(const circle *c, const circle_read *r)
{
  linear f = circle_ahead(r, &c->step), back = linear_constant(-1);
  return !linear_add(&back, &f, -1) || !polyhedron_implies(r->a->where, &back, false);
}

static bool find_order(circle *c)
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

/* ---- where what is read lies ---- */

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

/* What the step says of each read, whatever the tiles. */
static void find_steps(circle *c)
{
  for (int i = 0; i < c->reads; i++) {
    circle_read *r = &c->read[i];
    r->once = is_once(c, r);
    r->told = 0;
    for (int v = 0; v < rank_of(c, r->reader); v++)
      r->told |= (unsigned)is_told(c, r, v) << v;
    if (r->from >= 0) {
      linear f = circle_ahead(r, &c->step);
      r->same_step = same_step(c, r);
      r->only_same_step = is_zero_on(r->a->where, &f);
      r->late = circle_lateness(c, r, r->a->where);
    }
  }
}

static bool find_places(circle *c)
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

/* ---- who takes whose place ---- */

/* Points of read a and of read b, one after the other, that are of one element. */
static polyhedron *both_read(circle *c, const circle_read *a, const circle_read *b)
{
  int shift;
  polyhedron *both = polyhedron_beside(&c->memory, a->a->where, b->a->where, &shift);
  for (int q = 0; q < c->f->array[a->a->to].rank; q++) {
    linear f = linear_constant(b->a->index[q].base);
    for (int v = 0; v < b->a->where->vars; v++)
      f.coef[v + shift] = b->a->index[q].coef[v];
    polyhedron_same(&c->memory, both, &a->a->index[q], &f);
  }
  return both;
}

/* May they be of one element? */
static bool may_meet(circle *c, const circle_read *a, const circle_read *b)
{
  return a->a->to == b->a->to && !polyhedron_empty(both_read(c, a, b));
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

/* Each dimension of the reader that is no step stands alone in an index. */
static bool names_all(const circle *c, const circle_read *r)
{
  for (int v = 0; v < rank_of(c, r->reader); v++) {
    bool named = v == c->step.dim[r->reader];
    linear plain;
    for (int q = 0; q < c->f->array[r->a->to].rank && !named; q++)
      named = r->a->index[q].coef[v] == 1 ||
              (r->a->index[q].coef[v] && circle_is_variable(r->a->where, &r->a->index[q], v, &plain));
    if (!named)
      return false;
  }
  return true;
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

static void find_takers(circle *c)
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

/* ---- lengths ---- */

static double extent(const circle *c, int p, int d)
{
  const cdag_box *h = &circle_array(c, p)->hull;
  return (double)(h->hi[d] - h->lo[d]);
}

/* How many values dimension d of member p takes in one step of one tile. */
static double values(const circle *c, int p, int d, bool all_steps)
{
  if (c->step.dim[p] == d && !all_steps)
    return 1;
  return circle_tiled(c, p, d) ? fmin((double)c->length, extent(c, p, d)) : extent(c, p, d);
}

/* Words of a read's box in one step. */
static double box_words(const circle *c, const circle_read *r)
{
  double z = 1;
  for (int v = 0; v < rank_of(c, r->reader); v++)
    for (int q = 0; q < c->f->array[r->a->to].rank; q++)
      if (r->a->index[q].coef[v]) {
        z *= r->told >> v & 1 ? 1 : values(c, r->reader, v, false);
        break;
      }
  return z;
}

/* Does one step's part of member p take the place of the step's before? */
static bool is_in_place(const circle *c, int p)
{
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p && c->read[i].reader == p && c->read[i].takes && !c->read[i].same_step)
      return true;
  return false;
}

/* How many steps later is any of it read? */
static int64_t lateness(const circle *c, int p)
{
  int64_t late = 0;
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p)
      late = num_max(late, c->read[i].late);
  return late;
}

/* What is taken along a dimension of the reader's own box is there at its last value only. */
static bool passes_along(const circle *c, int p, int d)
{
  linear own = linear_variable(d);
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p && c->read[i].reader == p && c->read[i].takes && c->read[i].same_step &&
        !linear_equal(&c->read[i].a->index[d], &own))
      return true;
  return false;
}

/* Words that member p leaves on chip at the end of a tile. */
static double kept_words(const circle *c, int p)
{
  int64_t late = lateness(c, p);
  bool fresh = late && !is_in_place(c, p), all = fresh && late == CIRCLE_LATE, passing = false;
  double z = 1;
  for (int d = 0; d < rank_of(c, p); d++)
    if (passes_along(c, p, d))
      passing = true;
    else if (circle_tiled(c, p, d) || all || c->step.dim[p] != d)
      z *= values(c, p, d, true);
    else if (fresh)
      z *= fmin((double)late + 1, extent(c, p, d));
  return passing && !late ? 0 : z;
}

/* Does it bring what its reader's elements take the place of, which take no other places? */
static bool begins(circle *c, const circle_read *r)
{
  bool only = r->takes && r->from < 0;
  for (int i = 0; i < c->reads && only; i++)
    if (c->read[i].reader == r->reader && c->read[i].takes && &c->read[i] != r) {
      polyhedron *both = polyhedron_copy(&c->memory, r->a->where);
      polyhedron_meet(&c->memory, both, c->read[i].a->where, rank_of(c, r->reader));
      only = polyhedron_empty(both);
    }
  return only;
}

static double peak_of(const circle *c)
{
  double kept = 0, most = 0;
  for (int p = 0; p < c->n; p++) {
    double once = 1, often = 1;
    kept = fmax(kept, kept_words(c, p));
    for (int i = 0; i < c->reads; i++)
      if (c->read[i].reader == p && !c->read[i].inside && !(c->read[i].takes && c->read[i].once) &&
          !c->read[i].begins)
        *(c->read[i].once ? &once : &often) += box_words(c, &c->read[i]);
    most = fmax(most, fmax(once, often));
  }
  return kept + most;
}

/* What the reader's dimensions that name nothing of what is read come to, in one step of a tile or altogether. */
static double unnamed(const circle *c, const circle_read *r, bool tile)
{
  double z = 1;
  for (int v = 0; v < rank_of(c, r->reader); v++) {
    bool named = false;
    for (int q = 0; q < c->f->array[r->a->to].rank; q++)
      named |= r->a->index[q].coef[v] != 0;
    z *= named ? 1 : tile ? values(c, r->reader, v, false) : extent(c, r->reader, v);
  }
  return z;
}

/* Are there no elements of both readers at one step and one place of all tiles? */
static bool never_meet(circle *c, const circle_read *r, const circle_read *b)
{
  int shift;
  polyhedron *both = polyhedron_beside(&c->memory, r->a->where, b->a->where, &shift);
  for (int t = 0; t <= c->tiles; t++) {
    const circle_axis *x = t < c->tiles ? &c->tile[t] : &c->step;
    linear f = along(x, r->reader), g = linear_constant(x->shift[b->reader]);
    f.base += x->shift[r->reader];
    if (x->dim[b->reader] != CIRCLE_STANDS)
      g.coef[x->dim[b->reader] + shift] = 1;
    polyhedron_same(&c->memory, both, &f, &g);
  }
  return polyhedron_empty(both);
}

/* Does it name what another member reads too, at the same step of the same tile? */
static bool comes_with(circle *c, const circle_read *r, const circle_read *b)
{
  bool more = b->times > r->times || (b->times == r->times && b < r);
  if (!more || b->a->to != r->a->to || b->reader == r->reader || c->step.dim[b->reader] != c->step.dim[r->reader] ||
      c->step.shift[b->reader] != c->step.shift[r->reader])
    return false;
  for (int t = 0; t < c->tiles; t++)
    if (c->tile[t].dim[b->reader] != c->tile[t].dim[r->reader])
      return false;
  for (int q = 0; q < c->f->array[r->a->to].rank; q++)
    if (!linear_equal(&b->a->index[q], &r->a->index[q]))
      return false;
  return !never_meet(c, r, b);
}

static bool is_taken(const circle *c, int p)
{
  for (int i = 0; i < c->reads; i++)
    if (c->read[i].from == p && c->read[i].takes)
      return true;
  return false;
}

/* What members read that is of other tiles, and what is stored for those: all of what nobody takes the place of. */
static double io_of(circle *c)
{
  double sum = 0, stored[CIRCLE_MEMBERS] = { 0 };
  for (int i = 0; i < c->reads; i++) {
    const circle_read *r = &c->read[i];
    bool with = false;
    for (int k = 0; k < c->reads; k++)
      with = with || comes_with(c, r, &c->read[k]);
    if (!r->inside && !with)
      sum += r->times / unnamed(c, r, true);
    if (!r->inside && r->from >= 0)
      stored[r->from] = fmax(stored[r->from], r->times / unnamed(c, r, false));
  }
  for (int p = 0; p < c->n; p++)
    sum += stored[p] > 0 && !is_taken(c, p) ? c->elements[p] : fmax(stored[p], c->outputs[p]);
  return sum;
}

int64_t circle_end(const circle *c, const circle_axis *x, bool hi)
{
  int64_t end = hi ? INT64_MIN : INT64_MAX;
  for (int p = 0; p < c->n; p++) {
    const cdag_box *h = &circle_array(c, p)->hull;
    int64_t at = (hi ? h->hi[x->dim[p]] : h->lo[x->dim[p]]) + x->shift[p];
    end = hi ? num_max(end, at) : num_min(end, at);
  }
  return end;
}

/* Elements whose place along the axis is one of so many last ones, or first ones. */
static double elements_beside(circle *c, const circle_axis *x, bool last, int64_t many)
{
  double sum = 0;
  for (int p = 0; p < c->n; p++) {
    polyhedron *on = polyhedron_copy(&c->memory, circle_computed(c, p));
    linear f = linear_constant(0), place = along(x, p);
    place.base += x->shift[p];
    linear_add(&f, &place, last ? 1 : -1);
    f.base += last ? many - circle_end(c, x, true) : circle_end(c, x, false) + many - 1;
    polyhedron_add(&c->memory, on, &f, false);
    sum += points(on, 0);
  }
  return sum;
}

/* What is left of whole tiles makes a short one, whose elements have fewer others to share with: it comes first where
   there are fewer elements, as in a factorisation, where the last rows go through most steps. */
static void place_short_tile(circle *c)
{
  int64_t lo = INT64_MAX, hi = circle_end(c, &c->tile[0], true);
  double fewer = 0;
  for (int t = 0; t < c->tiles; t++)
    lo = num_min(lo, circle_end(c, &c->tile[t], false));
  int64_t rest = (hi - lo) % c->length;
  c->early = 0;
  for (int t = 0; t < c->tiles && rest; t++) {
    if (circle_end(c, &c->tile[t], true) != hi)
      return;
    fewer += elements_beside(c, &c->tile[t], true, rest) - elements_beside(c, &c->tile[t], false, rest);
  }
  c->early = fewer > 0 ? c->length - rest : 0;
}

static bool fit_length(circle *c, double m)
{
  int64_t least = 0, most = 1;
  for (int p = 0; p < c->n; p++)
    for (int d = 0; d < rank_of(c, p); d++)
      most = num_max(most, (int64_t)extent(c, p, d));
  while (least < most) {
    c->length = most - (most - least) / 2;
    if (peak_of(c) <= m)
      least = c->length;
    else
      most = c->length - 1;
  }
  c->length = least;
  return least > 0;
}

/* Few large tiles are judged faster where first words leave in a move of their own, and a row is little beside them. */
static bool leave_first_words(circle *c)
{
  enum { MANY = 16, LARGE = 64 };
  bool few = false, any = false;
  for (int t = 0; t < c->tiles && c->length > LARGE; t++)
    for (int p = 0; p < c->n; p++)
      few = few || extent(c, p, c->tile[t].dim[p]) < (double)(MANY * c->length);
  for (int i = 0; i < c->reads && few; i++) {
    circle_read *r = &c->read[i];
    if (r->begins && !r->once) {
      r->takes = r->begins = false;
      any = true;
    }
  }
  return any;
}

/* ---- the plan ---- */

static bool plan_fits(circle *c, double m)
{
  if (!find_order(c) || !find_places(c))
    return false;
  find_takers(c);
  for (int i = 0; i < c->reads; i++)
    c->read[i].begins = begins(c, &c->read[i]);
  if (!fit_length(c, m) || (leave_first_words(c) && !fit_length(c, m)))
    return false;
  c->io = io_of(c);
  return true;
}

static bool same_axis(const circle *c, const circle_axis *a, const circle_axis *b)
{
  for (int p = 0; p < c->n; p++)
    if (a->dim[p] != b->dim[p])
      return false;
  return true;
}

typedef struct {
  int step, tile[CIRCLE_TILES];
  double io;
} plan; /* axes; the same one twice: tiles along it alone */

/* Does no bound of any member name that axis and another index? */
static bool is_free(const circle *c, const circle_axis *x)
{
  for (int p = 0; p < c->n; p++) {
    const polyhedron *on = circle_computed(c, p);
    for (int i = 0; i < on->n; i++)
      for (int v = 0; v < on->vars; v++)
        if (v != x->dim[p] && on->row[i].form.coef[v] && on->row[i].form.coef[x->dim[p]])
          return false;
  }
  return true;
}

/* Tiles along a free axis are alike, and soon judged where they follow one another. */
static void put_free_axis_last(circle *c)
{
  if (c->tiles < 2 || !is_free(c, &c->tile[0]) || is_free(c, &c->tile[1]))
    return;
  circle_axis x = c->tile[0];
  c->tile[0] = c->tile[1];
  c->tile[1] = x;
}

static bool any_stands(const circle *c, const circle_axis *x)
{
  bool any = false;
  for (int p = 0; p < c->n; p++)
    any = any || x->dim[p] == CIRCLE_STANDS;
  return any;
}

static bool take_plan(circle *c, const plan *p, double m)
{
  if (c->seen != p->step + 1) {
    c->seen = p->step + 1;
    c->step = c->axis[p->step];
    find_steps(c);
  }
  c->tiles = p->tile[0] == p->tile[1] ? 1 : 2;
  for (int t = 0; t < CIRCLE_TILES; t++)
    c->tile[t] = c->axis[p->tile[t]];
  for (int t = 0; t < c->tiles; t++)
    if (same_axis(c, &c->tile[t], &c->step) || any_stands(c, &c->tile[t]))
      return false;
  put_free_axis_last(c);
  return plan_fits(c, m);
}

/* The best ones, ascending by what they are expected to move. */
static int list_plans(circle *c, double m, plan *best)
{
  int n = 0;
  for (int s = 0; s < c->axes; s++)
    for (int i = 0; i < c->axes; i++)
      for (int k = i; k < c->axes; k++) {
        plan p = { s, { i, k }, 0 };
        if (!take_plan(c, &p, m))
          continue;
        p.io = c->io;
        int at = n < CIRCLE_PLANS ? n++ : CIRCLE_PLANS;
        for (; at > 0 && best[at - 1].io > p.io; at--)
          if (at < CIRCLE_PLANS)
            best[at] = best[at - 1];
        if (at < CIRCLE_PLANS)
          best[at] = p;
      }
  return n;
}

/* ---- reads in two ---- */

/* Points of read a whose element b reads, too. */
static polyhedron *meeting(circle *c, const circle_read *a, const circle_read *b, bool *exact)
{
  return polyhedron_project(&c->memory, both_read(c, a, b), a->a->where->vars, exact);
}

static bool same_index(const circle *c, const circle_read *a, const circle_read *b)
{
  for (int q = 0; q < c->f->array[a->a->to].rank; q++)
    if (!linear_equal(&a->a->index[q], &b->a->index[q]))
      return false;
  return a->reader == b->reader;
}

static void restrict_read(circle *c, circle_read *r, const access *a, polyhedron *where)
{
  access *own = ARENA_NEW(&c->memory, access, 1);
  *own = *a;
  own->where = where;
  r->a = own;
  r->times = points(where, r->times);
}

/* Where a statement reads what it left itself, elements that others name in another way go apart, so that it takes the
   place of the rest.  False: there are none. */
static bool split_reads(circle *c)
{
  bool any = false;
  for (int i = 0, n = c->reads; i < n; i++)
    for (int k = 0; k < n && c->reads < CIRCLE_READS; k++) {
      circle_read *r = &c->read[i], *b = &c->read[k];
      bool exact;
      if (r->from != r->reader || b->a->to != r->a->to || same_index(c, r, b))
        continue;
      polyhedron *met = meeting(c, r, b, &exact);
      polyhedra own = { 0 }, take = { 0 }, rest = { 0 };
      polyhedra_add(&c->memory, &own, r->a->where);
      polyhedra_add(&c->memory, &take, met);
      if (!exact || polyhedron_empty(met) ||
          !polyhedra_minus(&c->memory, &own, &take, r->a->where->vars, &rest) || rest.n != 1)
        continue;
      c->read[c->reads] = *r;
      restrict_read(c, &c->read[c->reads++], r->a, polyhedron_tidy(&c->memory, met));
      restrict_read(c, r, r->a, polyhedron_tidy(&c->memory, rest.item[0]));
      any = true;
    }
  return any;
}

static bool begin(circle *c, const normal_form *f, const int *array, int n, bool joined)
{
  *c = (circle){ .f = f, .n = n, .joined = joined };
  if (n > CIRCLE_MEMBERS)
    return false;
  memcpy(c->member, array, (size_t)n * sizeof *array);
  if (!list_reads(c))
    return false;
  list_axes(c);
  return true;
}

static bool has_axis(const circle *c, const circle_axis *x)
{
  for (int i = 0; i < c->axes; i++)
    if (same_axis(c, &c->axis[i], x))
      return true;
  return false;
}

/* Is no index of this axis on one of c that the other circle lacks?  NULL: on any. */
static bool is_clear_of(const circle *c, const circle *other, const circle_axis *x)
{
  for (int i = 0; i < c->axes; i++)
    for (int p = 0; p < c->n; p++)
      if (c->axis[i].dim[p] == x->dim[p] && !(other && has_axis(other, &c->axis[i])))
        return false;
  return true;
}

/* Does a condition name an index of this axis and one that is turned? */
static bool leans(const polyhedron *on, int v, uint32_t turned)
{
  for (int i = 0; i < on->n; i++)
    for (int u = 0; u < CDAG_RANK; u++)
      if (u != v && turned >> u & 1 && on->row[i].form.coef[u] && on->row[i].form.coef[v])
        return true;
  return false;
}

static bool leans_on_turned(const circle *c, const circle_axis *x, const mirror_turns *turned)
{
  for (int p = 0; p < c->n; p++)
    if (leans(circle_computed(c, p), x->dim[p], turned[c->member[p]].turned))
      return true;
  for (int i = 0; i < c->reads; i++)
    if (leans(c->read[i].a->where, x->dim[c->read[i].reader], turned[c->read[i].a->from].turned))
      return true;
  return false;
}

/* All indices on one axis add up to the same with their images, so that those that are read at their own value still
   are.  Has anything been moved? */
static bool add_up_alike(const circle *c, const circle_axis *x, mirror_turns *turned)
{
  int64_t most = INT64_MIN;
  bool moved = false;
  for (int p = 0; p < c->n; p++) {
    mirror_turns *t = &turned[c->member[p]];
    if (!(t->turned >> x->dim[p] & 1)) {
      moved = true;
      t->turned |= 1u << x->dim[p];
      t->sum[x->dim[p]] = tiler_mirror_sum(c->f->g, c->member[p], x->dim[p]);
    }
    most = num_max(most, t->sum[x->dim[p]]);
  }
  for (int p = 0; p < c->n; p++) {
    int64_t *sum = &turned[c->member[p]].sum[x->dim[p]];
    moved = moved || *sum != most;
    *sum = most;
  }
  return moved;
}

/* What these name of other arrays goes the way they do. */
static void turn_others(const circle *c, mirror_turns *turned)
{
  for (int i = 0; i < c->reads; i++) {
    const access *a = c->read[i].a;
    for (int q = 0; q < c->f->array[a->to].rank && c->read[i].from < 0; q++)
      for (int v = 0; v < c->f->array[a->from].rank; v++)
        if (turned[a->from].turned >> v & 1 && a->index[q].coef[v] > 0) {
          turned[a->to].turned |= 1u << q;
          turned[a->to].sum[q] = tiler_mirror_sum(c->f->g, a->to, q);
        }
  }
}

/* The circle with all its indices turned. */
static bool begin_turned(circle *c, tiler_mirror *m, const normal_form *f, const int *array, int n)
{
  mirror_turns *all = MEM_NEW(mirror_turns, (size_t)f->arrays + 1);
  for (int k = 0; k < n; k++)
    for (int q = 0; q < f->array[array[k]].rank; q++) {
      all[array[k]].turned |= 1u << q;
      all[array[k]].sum[q] = tiler_mirror_sum(f->g, array[k], q);
    }
  tiler_mirror_init(m, f, all);
  mem_free(all);
  return begin(c, &m->form, array, n, false);
}

bool circle_descends(const normal_form *f, const int *array, int n, mirror_turns *turned)
{
  circle up, down;
  tiler_mirror m;
  bool good = begin(&up, f, array, n, false), any = false;
  good = begin_turned(&down, &m, f, array, n) && good;
  for (bool moved = good; moved;) {
    moved = false;
    for (int i = 0; i < down.axes; i++) {
      const circle_axis *x = &down.axis[i];
      if (is_clear_of(&up, NULL, x) || (is_clear_of(&up, &down, x) && leans_on_turned(&up, x, turned))) {
        any = true;
        moved = add_up_alike(&up, x, turned) || moved;
      }
    }
  }
  if (any)
    turn_others(&up, turned);
  circle_clear(&up);
  circle_clear(&down);
  tiler_mirror_clear(&m);
  return any;
}

bool circle_init(circle *c, const normal_form *f, const int *array, int n, double m, bool split, int which)
{
  plan best[CIRCLE_PLANS];
  if (!begin(c, f, array, n, false) || (split && !split_reads(c)))
    return false;
  if (which >= list_plans(c, m, best) || !take_plan(c, &best[which], m))
    return false;
  place_short_tile(c);
  return true;
}

bool circle_join(circle *c, const normal_form *f, const int *array, int n, double m)
{
  plan best[CIRCLE_PLANS];
  if (!begin(c, f, array, n, true) || list_plans(c, m, best) == 0 || !take_plan(c, &best[0], m))
    return false;
  place_short_tile(c);
  return true;
}

void circle_clear(circle *c) { arena_clear(&c->memory); }
