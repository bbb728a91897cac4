/* How many ends of chains a rule names, each by an element of its own. */
#include "bounds/check/reading/named.h"
#include <string.h>

/* The width of a window s x .. s x + width with width <= s, x a loop: different x name different elements; 0 of any
   other index. */
static uint64_t window_width(const naming *k, int r)
{
  const cdag_index *x = &k->index[r];
  form loop[CDAG_RANK], lo, width;
  for (int q = 0; q < k->loops; q++)
    loop[q] = form_loop(q);
  if (x->kind != CDAG_RANGE || !form_index(k->g, x, false, loop, k->loops, &lo) ||
      !form_index(k->g, x, true, loop, k->loops, &width) || !form_plus(&width, &lo, -1) || !form_is_number(&width))
    return 0;
  unsigned uses = form_uses(&lo);
  if (!uses || uses & (uses - 1))
    return 0;
  int64_t stride = lo.k[__builtin_ctz(uses)];
  return width.c > 0 && (stride >= width.c || -stride >= width.c) ? (uint64_t)width.c : 0;
}

/* What this piece names joins the spread; an index that is no single one may have any value. */
static void widen(const naming *k, const form *index, const form_domain *s)
{
  for (int r = 0; r < k->g->array[k->target].rank; r++)
    for (int q = 0; q <= r; q++) {
      form f = index[r];
      int64_t least = INT64_MIN, most = INT64_MAX;
      if (k->index[r].kind != CDAG_AT || k->index[q].kind != CDAG_AT || (q < r && !form_plus(&f, &index[q], -1)) ||
          !form_extremes(&f, s, &least, &most))
        least = INT64_MIN, most = INT64_MAX;
      k->spread->lo[r][q] = k->spread->lo[r][q] < least ? k->spread->lo[r][q] : least;
      k->spread->hi[r][q] = k->spread->hi[r][q] > most ? k->spread->hi[r][q] : most;
    }
}

bool naming_names_ends(const naming *k, const form *loop, const form_domain *s)
{
  form index[CDAG_RANK], behind[CDAG_RANK];
  for (int r = 0; r < k->g->array[k->target].rank; r++) {
    form lo, hi, want;
    int64_t least, most;
    if (!form_bounds(k->g, k->target, r, index, &lo, &hi))
      return false;
    if (k->index[r].kind == CDAG_ALL) {
      index[r] = behind[r] = lo;
      continue;
    }
    if (!form_index(k->g, &k->index[r], false, loop, k->loops, &index[r]))
      return false;
    behind[r] = index[r];
    behind[r].c += (int64_t)window_width(k, r) - (window_width(k, r) > 0);
    /* of a range its first, and a window's last: naming_everything() has looked at the others */
    if (k->index[r].kind == CDAG_RANGE || !(k->c->loops >> r & 1))
      continue;
    want = k->c->step[r] < 0 ? hi : lo;
    want.c -= k->c->step[r] < 0;
    if (!form_plus(&want, &index[r], -1) || !form_extremes(&want, s, &least, &most) || least != 0 || most != 0)
      return false;
  }
  if (k->spread)
    widen(k, index, s);
  return form_inside(k->g, k->target, index, s) && form_inside(k->g, k->target, behind, s);
}

/* The end of a slanted range that is narrowed: another number, if it is one. */
static bool narrow_end(form *end, int64_t before, int64_t now)
{
  bool number = form_is_number(end);
  if (now != before && number)
    *end = form_number(now);
  return now == before || number;
}

/* Loop r runs from a number to a loop more another one: where that loop is too small there are no points. */
static void narrow_outer(const form_domain *s, int r, int64_t *lo)
{
  unsigned uses = form_uses(&s->to[r]);
  int q = uses ? __builtin_ctz(uses) : 0;
  if (!(s->slanted >> r & 1) || uses != 1u << q || s->to[r].k[q] != 1 || !form_is_number(&s->from[r]))
    return;
  int64_t least = s->from[r].c + 1 - s->to[r].c;
  lo[q] = lo[q] > least ? lo[q] : least;
}

static bool naming_piece(void *context, const form_domain *s)
{
  naming *k = context;
  form loop[CDAG_RANK];
  form_domain part = *s;
  int64_t lo[CDAG_RANK];
  form_loops(s, k->held, loop);
  memcpy(lo, k->lo, sizeof lo);
  for (int r = k->loops; r-- > 0;)
    narrow_outer(s, r, lo);
  for (int r = 0; r < k->loops; r++) {
    part.lo[r] = part.lo[r] > lo[r] ? part.lo[r] : lo[r];
    part.hi[r] = part.hi[r] < k->hi[r] ? part.hi[r] : k->hi[r];
    if (part.lo[r] >= part.hi[r])
      return true;
    if (!narrow_end(&part.from[r], s->lo[r], part.lo[r]) || !narrow_end(&part.to[r], s->hi[r], part.hi[r]))
      part.slanted &= ~(1u << r); /* no point is lost */
  }
  return naming_names_ends(k, loop, &part);
}

/* Where an index is a bare loop plus a number, only readers that can name something there (along a chain: its end) are
   looked at.  False when there are none. */
static bool narrow(naming *k)
{
  const cdag_array *a = &k->g->array[k->target];
  form loop[CDAG_RANK], f;
  for (int r = 0; r < k->loops; r++)
    loop[r] = form_loop(r);
  for (int r = 0; r < a->rank; r++) {
    if (k->index[r].kind != CDAG_AT || !form_read(k->g, k->index[r].lo, loop, k->loops, &f))
      continue;
    int64_t lo = a->hull.lo[r], hi = a->hull.hi[r], shift = f.c;
    f.c = 0;
    if (k->c->loops >> r & 1 && checker_fixed_bound(k->g, k->target, r, k->c->step[r] < 0))
      k->c->step[r] < 0 ? (lo = hi - 1) : (hi = lo + 1);
    for (int q = 0; q < k->loops; q++)
      if (form_same(&f, &loop[q])) {
        k->lo[q] = k->lo[q] > lo - shift ? k->lo[q] : lo - shift;
        k->hi[q] = k->hi[q] < hi - shift ? k->hi[q] : hi - shift;
      }
  }
  for (int q = 0; q < k->loops; q++)
    if (k->lo[q] >= k->hi[q])
      return false;
  return true;
}

bool naming_telling(const naming *k, const form_domain *hull, unsigned *places)
{
  form loop[CDAG_RANK], f[CDAG_RANK];
  const cdag_array *a = &k->g->array[k->target];
  int n = 0;
  *places = 0;
  for (int r = 0; r < k->loops; r++)
    loop[r] = k->lo[r] + 1 == k->hi[r] ? form_number(k->lo[r]) : form_loop(r);
  for (int r = 0; r < k->g->array[k->target].rank; r++)
    if (!(k->c->loops >> r & 1) && (k->index[r].kind == CDAG_AT || window_width(k, r)) &&
        a->hull.hi[r] - a->hull.lo[r] > 1) {
      if (!form_index(k->g, &k->index[r], false, loop, k->loops, &f[n]))
        return false;
      unsigned uses = form_uses(&f[n]);
      n += (uses & ~*places) != 0; /* else it tells nothing new, as the second i of X[i,*,i] */
      *places |= uses;
    }
  return form_distinct(f, n, *places, hull);
}

static __int128 size(int64_t k)
{
  return k < 0 ? -(__int128)k : k;
}

/* Different values of the form while its loops run through the readers looked at, a box, at least.  Smallest steps
 * first: each is longer than what is reached, or fills it without gaps. */
static __int128 values_of(const naming *k, const form *f)
{
  __int128 reach = 0, count = 1;
  for (unsigned left = form_uses(f); left;) {
    int next = __builtin_ctz(left);
    for (int i = next + 1; i < k->loops; i++)
      if (left >> i & 1 && size(f->k[i]) < size(f->k[next]))
        next = i;
    __int128 step = size(f->k[next]), length = k->hi[next] - k->lo[next];
    bool full = count == reach + 1 && step <= reach + 1;
    if (!full && step <= reach)
      return count;
    reach += step * (length - 1);
    count = full ? reach + 1 : count * length;
    if (count > INT64_MAX)
      return 0;
    left &= ~(1u << next);
  }
  return count;
}

/* Different ends that the readers looked at name when they are a box, and no loop stands in two indices: x + y has the
 * values of a sum. */
static uint64_t named_by_sums(const naming *k, int reader)
{
  form loop[CDAG_RANK], f;
  unsigned used = 0;
  __int128 count = 1;
  for (int r = 0; r < k->loops; r++)
    loop[r] = k->lo[r] + 1 == k->hi[r] ? form_number(k->lo[r]) : form_loop(r);
  for (int r = 0; r < k->g->array[k->target].rank && count > 0; r++) {
    if (k->c->loops >> r & 1 || k->index[r].kind != CDAG_AT)
      continue;
    if (!form_index(k->g, &k->index[r], false, loop, k->loops, &f) || form_uses(&f) & used)
      return 0;
    used |= form_uses(&f);
    count *= values_of(k, &f);
    if (count > INT64_MAX)
      return 0;
  }
  return form_whole_box(k->g, reader) ? (uint64_t)count : 0;
}

/* Has loop r of the array the same values whatever the others are, and they whatever it is? */
static bool independent(const cdag *g, int array, int r)
{
  bool alone = checker_fixed_bound(g, array, r, false) && checker_fixed_bound(g, array, r, true);
  for (int q = r + 1; q < g->array[array].rank; q++)
    alone = alone && !form_depends(g, array, q, r);
  return alone;
}

/* Elements of a range from number to number inside the hull; 0 of any other. */
static uint64_t range_length(const naming *k, int r)
{
  const cdag_box *hull = &k->g->array[k->target].hull;
  form loop[CDAG_RANK], lo, hi;
  for (int q = 0; q < k->loops; q++)
    loop[q] = form_loop(q);
  bool good = form_index(k->g, &k->index[r], false, loop, k->loops, &lo) &&
              form_index(k->g, &k->index[r], true, loop, k->loops, &hi) && form_is_number(&lo) && form_is_number(&hi) &&
              hull->lo[r] <= lo.c && lo.c < hi.c && hi.c <= hull->hi[r];
  return good ? (uint64_t)(hi.c - lo.c) : 0;
}

uint64_t naming_everything(const naming *k)
{
  uint64_t n = 1;
  const cdag_box *hull = &k->g->array[k->target].hull;
  for (int r = 0; r < k->g->array[k->target].rank; r++) {
    if (k->index[r].kind == CDAG_AT)
      continue;
    if (!independent(k->g, k->target, r) || k->c->loops >> r & 1)
      return 0;
    uint64_t wide = window_width(k, r);
    n *= k->index[r].kind == CDAG_ALL ? (uint64_t)(hull->hi[r] - hull->lo[r]) : wide ? wide : range_length(k, r);
  }
  return n;
}

uint64_t checker_named_by(const cdag *g, int target, const checker_chain *c, int reader, const cdag_term *t,
                         spread *where)
{
  const cdag_array *y = &g->array[reader];
  naming k = { .g = g,
               .target = target,
               .loops = y->rank,
               .c = c,
               .index = t->index,
               .held = form_held(g, reader, true),
               .spread = where };
  form_domain hull;
  unsigned places;
  cdag_box box;
  for (int r = 0; r < CDAG_RANK; r++)
    for (int q = 0; q < CDAG_RANK; q++)
      where->lo[r][q] = INT64_MAX, where->hi[r][q] = INT64_MIN;
  form_hull(g, reader, &hull);
  memcpy(k.lo, y->hull.lo, sizeof k.lo);
  memcpy(k.hi, y->hull.hi, sizeof k.hi);
  if (!narrow(&k))
    return 0;
  bool tells = naming_telling(&k, &hull, &places);
  uint64_t count = tells ? 0 : named_by_sums(&k, reader);
  for (int last = 0; last < 2 && tells;
       last++) { /* the loops that tell nothing apart: all at their first value, or all at their last */
    for (int r = 0; r < y->rank; r++) {
      bool free = places >> r & 1;
      box.lo[r] = free || !last ? k.lo[r] : k.hi[r] - 1;
      box.hi[r] = free || last ? k.hi[r] : k.lo[r] + 1;
    }
    uint64_t here = cdag_box_count(g, reader, &box);
    count = here > count ? here : count;
  }
  count *= naming_everything(&k);
  return count > 0 && form_each(g, reader, k.held, naming_piece, &k) ? count : 0;
}

static bool apart(const spread *x, const spread *y, int rank)
{
  for (int r = 0; r < rank; r++)
    for (int q = 0; q <= r; q++)
      if (x->hi[r][q] < y->lo[r][q] || y->hi[r][q] < x->lo[r][q])
        return true;
  return false;
}

/* ---- what is named piece by piece: boxes, which may overlap ---- */

/* On this piece, a box: the ends that the term names, if it names a box.  An element that does not exist is not named,
   and the others are. */
static bool named_box(const naming *k, const form *loop, const form_domain *s, cdag_box *box)
{
  unsigned used = 0;
  *box = *k->ends;
  for (int r = 0; r < k->g->array[k->target].rank; r++) {
    const cdag_index *x = &k->index[r];
    form first, end;
    int64_t least, most;
    if (x->kind == CDAG_ALL)
      continue;
    if (!form_index(k->g, x, false, loop, k->loops, &first) || form_uses(&first) & used ||
        !form_extremes(&first, s, &least, &most) || values_of(k, &first) <= (__int128)most - least)
      return false; /* the last: between its ends it leaves values out */
    used |= form_uses(&first);
    if (x->kind == CDAG_RANGE && (!form_index(k->g, x, true, loop, k->loops, &end) || !form_is_number(&first) ||
                                  !form_is_number(&end) || end.c <= first.c))
      return false;
    most = x->kind == CDAG_RANGE ? end.c - 1 : most;
    box->lo[r] = box->lo[r] > least ? box->lo[r] : least;
    box->hi[r] = box->hi[r] <= most ? box->hi[r] : most + 1;
  }
  return true;
}

static bool naming_box(void *context, const form_domain *s)
{
  naming *k = context;
  form loop[CDAG_RANK];
  cdag_box box;
  form_loops(s, k->held, loop);
  memcpy(k->lo, s->lo, sizeof k->lo);
  memcpy(k->hi, s->hi, sizeof k->hi);
  return s->slanted || !named_box(k, loop, s, &box) || checker_boxes_add(k->boxes, &box);
}

/* Different ends that the terms of live arrays name together, at least.  Of each reader so many loops are held that the
   others run through a box. */
static uint64_t named_together(const cdag *g, const bool *live, int target, const checker_chain *c)
{
  cdag_box ends = g->array[target].hull;
  checker_boxes boxes = { .rank = g->array[target].rank };
  for (int r = 0; r < boxes.rank; r++)
    if (c->loops >> r & 1)
      c->step[r] < 0 ? (ends.lo[r] = ends.hi[r] - 1) : (ends.hi[r] = ends.lo[r] + 1);
  for (int y = 0; y < g->arrays; y++) {
    const cdag_array *a = &g->array[y];
    for (int t = 0; y != target && live[y] && t < a->terms; t++) {
      if (a->count == 0 || a->term[t].array != target)
        continue;
      naming k = { .g = g, .target = target, .loops = a->rank, .c = c, .index = a->term[t].index };
      k.held = form_held(g, y, true);
      k.ends = &ends;
      k.boxes = &boxes;
      for (int r = 0; r < a->rank; r++)
        for (int q = 0; q < r; q++)
          k.held |= (unsigned)form_depends(g, y, r, q) << q;
      form_each(g, y, k.held, naming_box, &k);
    }
  }
  uint64_t count = checker_boxes_count(&boxes);
  checker_boxes_clear(&boxes);
  return count;
}

/* Ends in all, of a target that is a box. */
static uint64_t ends_of_box(const cdag *g, int target, const checker_chain *c)
{
  uint64_t n = 0;
  return form_whole_box(g, target) && checker_chain_count(g, target, c, &n) ? n : 0;
}

enum { NAMERS = 16 };

uint64_t checker_named(const cdag *g, const bool *live, int target, const checker_chain *c)
{
  spread where[NAMERS];
  uint64_t count[NAMERS], most = 0;
  int n = 0;
  for (int y = 0; y < g->arrays; y++)
    for (int t = 0; y != target && live[y] && t < g->array[y].terms && n < NAMERS; t++)
      if (g->array[y].count > 0 && g->array[y].term[t].array == target)
        n += (count[n] = checker_named_by(g, target, c, y, &g->array[y].term[t], &where[n])) > 0;
  for (int first = 0; first < n; first++) {
    uint64_t sum = 0;
    unsigned taken = 0;
    for (int i = 0; i < n; i++) {
      int at = (first + i) % n;
      bool other = true;
      for (int k = 0; k < n && other; k++)
        other = !(taken >> k & 1) || apart(&where[at], &where[k], g->array[target].rank);
      taken |= (unsigned)other << at;
      sum += other ? count[at] : 0;
    }
    most = sum > most ? sum : most;
  }
  uint64_t together = most < ends_of_box(g, target, c) ? named_together(g, live, target, c) : 0;
  return together > most ? together : most;
}
