/* turn.c -- indices that go along axes in descending order alone, and are counted from their other end. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/circles/internal.h"

static bool has_axis(const circle *c, const circle_axis *x)
{
  for (int i = 0; i < c->axes; i++)
    if (circle_same_axis(c, &c->axis[i], x))
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

/* Index q of an array goes downwards, and the reader's dimension v that it names as well: has either been turned? */
static bool turn_both(const circle *c, const access *a, int q, int v, mirror_turns *turned)
{
  bool array = turned[a->to].turned >> q & 1, reader = turned[a->from].turned >> v & 1;
  if (!reader && array) {
    turned[a->from].turned |= 1u << v;
    turned[a->from].sum[v] = tiler_mirror_sum(c->f->g, a->from, v);
  } else if (reader && !array) {
    turned[a->to].turned |= 1u << q;
    turned[a->to].sum[q] = tiler_mirror_sum(c->f->g, a->to, q);
  }
  return array != reader;
}

/* What these name of other arrays goes the way they do, and so does what else names that: no box could be said of
   `U[i,k]` where i goes down, as in `U[i,i]`, and k does not. */
static void turn_others(const circle *c, mirror_turns *turned)
{
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < c->reads; i++) {
      const access *a = c->read[i].a;
      for (int q = 0; q < c->f->array[a->to].rank && c->read[i].from < 0; q++)
        for (int v = 0; v < c->f->array[a->from].rank; v++)
          moved = (a->index[q].coef[v] > 0 && turn_both(c, a, q, v, turned)) || moved;
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
  return circle_begin(c, &m->form, array, n, false);
}

bool circle_descends(const normal_form *f, const int *array, int n, mirror_turns *turned)
{
  circle up, down;
  tiler_mirror m;
  bool good = circle_begin(&up, f, array, n, false), any = false;
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
