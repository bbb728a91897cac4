/* Liveness by counting.  If a live array names ends of chains only, a different one by each of k of its elements, and
   there are k chains, then every end is named, so every chain is live. */
#include "bounds/check/reading/live.h"
#include "base/mem.h"
#include "bounds/check/reading/boxes.h"
#include "bounds/check/reading/mark.h"
#include "bounds/check/reading/read.h"
#include <string.h>

/* What is marked here a theorem may ask for many times. */
enum { LIVE_VERTICES = PATIENCE(1 << 20), LIVE_EDGES = PATIENCE(1 << 24) };

/* ---- chains ---- */

bool checker_moves(const cdag *g, int array, const cdag_term *t, int64_t by[CDAG_RANK])
{
  form index[CDAG_RANK];
  if (!form_indices(g, array, t, index))
    return false;
  for (int r = 0; r < g->array[array].rank; r++) {
    form moved = form_loop(r);
    moved.c = by[r] = index[r].c;
    if (!form_same(&index[r], &moved))
      return false;
  }
  return true;
}

int64_t checker_moves_along(const cdag *g, int array, const cdag_term *t, int loop)
{
  int64_t by[CDAG_RANK];
  bool alone = t->array == array && checker_moves(g, array, t, by);
  for (int r = 0; alone && r < g->array[array].rank; r++)
    alone = r == loop || by[r] == 0;
  return alone ? by[loop] : 0;
}

static void read_self_term(const cdag *g, int array, const cdag_term *t, checker_chain *c)
{
  int64_t by[CDAG_RANK];
  int first = -1, second = -1, more = 0;
  c->self++;
  if (!checker_moves(g, array, t, by))
    return;
  for (int r = 0; r < g->array[array].rank; r++)
    if (by[r] != 0)
      first < 0 ? (first = r) : second < 0 ? (second = r) : more++;
  if (first < 0 || more || (by[first] != 1 && by[first] != -1))
    return;
  if (g->array[array].hull.hi[first] - g->array[array].hull.lo[first] <= 1) {
    c->self--; /* it is never inside */
    return;
  }
  if (second < 0) {
    c->loops |= 1u << first;
    c->step[first] = (int)by[first];
  } else if (by[first] == -1 && by[second] >= 0 && c->outer < 0) {
    c->outer = first;
    c->inner = second;
    c->shift = by[second];
    c->step[first] = -1;
  }
}

/* Is block after block entered where the one before ends? */
typedef struct {
  const cdag *g;
  int array, outer, inner;
  int64_t shift;
  bool good;
} carry;

static bool carry_piece(void *context, const form_domain *s)
{
  carry *k = context;
  int64_t x[CDAG_RANK], first, last, lo, hi;
  for (int r = 0; r < CDAG_RANK; r++)
    x[r] = s->lo[r];
  cdag_range(k->g, k->array, k->outer, x, &first, &last);
  if (x[k->outer] > first) {
    x[k->outer]--;
    cdag_range(k->g, k->array, k->inner, x, &lo, &hi);
    k->good = lo < hi && s->lo[k->inner] + k->shift == hi - 1;
  }
  return k->good;
}

static bool carries(const cdag *g, int array, const checker_chain *c)
{
  carry k = { g, array, c->outer, c->inner, c->shift, true };
  unsigned held = form_closed(g, array, form_held(g, array, false) | 1u << c->outer | 1u << c->inner);
  return form_each(g, array, held & ~(1u << c->inner), carry_piece, &k);
}

/* Of an array that is a box: do its terms to itself step through some loops in lexicographic order, each of them one
   back and the loops inside it to their ends?  Then the elements of a key are one path. */
static bool lexicographic(const cdag *g, int array, checker_chain *c)
{
  const cdag_array *a = &g->array[array];
  unsigned loops = 0, steps[CDAG_RANK] = { 0 };
  int64_t by[CDAG_RANK];
  if (!form_whole_box(g, array))
    return false;
  for (int t = 0; t < a->terms; t++) {
    if (a->term[t].array != array)
      continue;
    int back = 0;
    if (!checker_moves(g, array, &a->term[t], by))
      return false;
    while (back < a->rank && by[back] == 0)
      back++;
    if (back == a->rank || by[back] != -1 || loops >> back & 1)
      return false;
    loops |= 1u << back;
    for (int r = back + 1; r < a->rank; r++) {
      if (by[r] != 0 && by[r] != a->hull.hi[r] - a->hull.lo[r] - 1)
        return false;
      steps[back] |= by[r] != 0 ? 1u << r : 0;
    }
  }
  for (int r = 0; r < a->rank; r++)
    if (loops >> r & 1 && steps[r] != (loops & ~((2u << r) - 1)))
      return false;
  c->loops = loops;
  c->outer = c->inner = -1;
  for (int r = 0; r < a->rank; r++)
    c->step[r] = loops >> r & 1 ? -1 : 0;
  return true;
}

void checker_chain_read(const cdag *g, int array, checker_chain *c)
{
  const cdag_array *a = &g->array[array];
  *c = (checker_chain){ .outer = -1, .inner = -1, .straight = true };
  for (int t = 0; t < a->terms; t++)
    if (a->term[t].array == array)
      read_self_term(g, array, &a->term[t], c);
  if (c->self > 2 && lexicographic(g, array, c))
    return;
  if (c->outer >= 0 && (c->loops != 1u << c->inner || c->step[c->inner] != -1))
    c->outer = c->inner = -1;
  if (c->outer >= 0)
    c->loops |= 1u << c->outer;
  for (int r = 0; r < a->rank; r++)
    for (int q = 0; q < r; q++)
      if (c->loops >> q & 1 && !(q == c->outer && r == c->inner) && form_depends(g, array, r, q))
        c->straight = false;
  if (c->outer >= 0 && c->straight)
    c->straight = carries(g, array, c);
}

/* Is the bound the hull's, whatever the other loops? */
static bool fixed_bound(const cdag *g, int array, int r, bool upper)
{
  const cdag_array *a = &g->array[array];
  form loop[CDAG_RANK], f;
  for (int q = 0; q < r; q++)
    loop[q] = form_loop(q);
  if (form_whole_box(g, array))
    return true;
  return form_read(g, upper ? a->hi[r] : a->lo[r], loop, r, &f) && form_is_number(&f); /* then it is the hull's */
}

bool checker_chain_count(const cdag *g, int array, const checker_chain *c, uint64_t *n)
{
  const cdag_array *a = &g->array[array];
  cdag_box first = a->hull, last = a->hull;
  bool firsts = true, lasts = true;
  for (int r = 0; r < a->rank; r++)
    if (c->loops >> r & 1) {
      first.hi[r] = first.lo[r] + 1;
      last.lo[r] = last.hi[r] - 1;
      firsts = firsts && fixed_bound(g, array, r, false);
      lasts = lasts && fixed_bound(g, array, r, true);
    }
  *n = cdag_box_count(g, array, firsts ? &first : &last);
  return firsts || (lasts && c->outer < 0);
}

/* ---- who names the ends ---- */

/* A rule that names elements of the target. */
typedef struct {
  const cdag *g;
  int target, loops;           /* loops: of the reader */
  const checker_chain *c;
  const cdag_index *index;
  unsigned held;
  int64_t lo[CDAG_RANK], hi[CDAG_RANK];  /* readers looked at */
  struct spread { int64_t lo[CDAG_RANK][CDAG_RANK], hi[CDAG_RANK][CDAG_RANK]; } *spread;
  const cdag_box *ends;        /* of a target that is a box */
  checker_boxes *boxes;
} naming;

/* What is named has index r, less index q < r, from lo[r][q] to hi[r][q]; on the diagonal index r itself. */
typedef struct spread spread;

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

/* On this piece: does the term exist everywhere, and at ends only? */
static bool names_ends(const naming *k, const form *loop, const form_domain *s)
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
    if (k->index[r].kind == CDAG_RANGE ||
        !(k->c->loops >> r & 1)) /* of a range its first, and a window's last; everything() has looked at the others */
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
  return names_ends(k, loop, &part);
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
    if (k->c->loops >> r & 1 && fixed_bound(k->g, k->target, r, k->c->step[r] < 0))
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

/* The loops by which the reader tells ends apart; false when it may name one twice. */
static bool telling(const naming *k, const form_domain *hull, unsigned *places)
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
  bool alone = fixed_bound(g, array, r, false) && fixed_bound(g, array, r, true);
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

/* Elements that an index `*` or a range multiplies by; 0 when that is not sure.  (Different elements of the target, of
   which there are less than 2^63, unless the term turns out not to exist everywhere.) */
static uint64_t everything(const naming *k)
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

/* How many different ends the reader's elements name by this term, at least, and where they are. */
static uint64_t named_by(const cdag *g, int target, const checker_chain *c, int reader, const cdag_term *t,
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
  bool tells = telling(&k, &hull, &places);
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
  count *= everything(&k);
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

/* Different ends that the terms of live arrays name, at least: the most of any of them, and of others that name
   different ones; or, where that leaves something out, all of them together. */
static uint64_t named(const cdag *g, const bool *live, int target, const checker_chain *c)
{
  spread where[NAMERS];
  uint64_t count[NAMERS], most = 0;
  int n = 0;
  for (int y = 0; y < g->arrays; y++)
    for (int t = 0; y != target && live[y] && t < g->array[y].terms && n < NAMERS; t++)
      if (g->array[y].count > 0 && g->array[y].term[t].array == target)
        n += (count[n] = named_by(g, target, c, y, &g->array[y].term[t], &where[n])) > 0;
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

/* ---- selections ---- */

/* The box a selection names, when each index is `*`, a range or a number, or the loop declared there, with a range from
 * number to number. */
static bool selection_box(const cdag *g, const cdag_selection *sel, cdag_box *box)
{
  form loop[CDAG_RANK], lo, hi;
  unsigned used = 0;
  *box = g->array[sel->array].hull;
  for (int q = 0; q < sel->vars; q++)
    loop[q] = form_loop(q);
  for (int r = 0; r < g->array[sel->array].rank; r++) {
    const cdag_index *x = &sel->index[r];
    if (x->kind == CDAG_ALL)
      continue;
    if (!form_read(g, x->lo, loop, sel->vars, &lo))
      return false;
    unsigned uses = form_uses(&lo);
    int q = uses ? __builtin_ctz(uses) : -1;
    if (q < 0) {
      hi = lo, hi.c++;
      if (x->kind == CDAG_RANGE && (!form_read(g, x->hi, loop, sel->vars, &hi) || !form_is_number(&hi)))
        return false;
    } else if (uses & used || !form_read(g, sel->var_lo[q], loop, q, &lo) ||
               !form_read(g, sel->var_hi[q], loop, q, &hi) || !form_is_number(&lo) ||
               !form_is_number(&hi)) /* of an index that uses a loop not used before that loop is all there is */
      return false;
    used |= uses;
    box->lo[r] = lo.c;
    box->hi[r] = hi.c;
  }
  return used == (1u << sel->vars) - 1;
}

/* Narrow the box to one element of each chain whose end is in it, along loop r.  The chains have been counted: they
 * begin, or end, in one place. */
static bool end_in_box(const cdag *g, int array, const checker_chain *c, int r, cdag_box *box)
{
  const cdag_box *hull = &g->array[array].hull;
  int64_t end = c->step[r] < 0 ? hull->hi[r] - 1 : hull->lo[r];
  bool first = fixed_bound(g, array, r, false), last = fixed_bound(g, array, r, true);
  if (box->lo[r] <= hull->lo[r] &&
      box->hi[r] >= hull->hi[r]) /* whole chains: count their other ends if need be, one of which is fixed */
    end = first ? hull->lo[r] : hull->hi[r] - 1;
  else if (!(c->step[r] < 0 ? last : first) || box->lo[r] > end || box->hi[r] <= end)
    return false;
  box->lo[r] = end;
  box->hi[r] = end + 1;
  return true;
}

/* Ends named by a selection that is a box. */
static bool box_names_ends(const cdag *g, const checker_chain *c, const cdag_selection *sel, uint64_t *count)
{
  const cdag_array *a = &g->array[sel->array];
  cdag_box box;
  if (!selection_box(g, sel, &box))
    return false;
  for (int r = 0; r < a->rank; r++) {
    if (c->loops >> r & 1 && !end_in_box(g, sel->array, c, r, &box))
      return false;
  }
  *count = cdag_box_count(g, sel->array, &box);
  return true;
}

/* Any other selection: its loops with constant ranges, telling what it names apart. */
static bool loops_name_ends(const cdag *g, const checker_chain *c, const cdag_selection *sel, uint64_t *count)
{
  naming k = { .g = g, .target = sel->array, .loops = sel->vars, .c = c, .index = sel->index };
  form loop[CDAG_RANK], lo, hi;
  form_domain s = { .slanted = 0 };
  unsigned places;
  *count = everything(&k);
  for (int i = 0; i < FORM_PLACES; i++)
    s.lo[i] = 0, s.hi[i] = 1;
  for (int q = 0; q < sel->vars; q++) {
    loop[q] = form_loop(q);
    if (!form_read(g, sel->var_lo[q], loop, q, &lo) || !form_read(g, sel->var_hi[q], loop, q, &hi) ||
        !form_is_number(&lo) || !form_is_number(&hi) || lo.c >= hi.c)
      return false;
    s.lo[q] = k.lo[q] = lo.c;
    s.hi[q] = k.hi[q] = hi.c;
    *count *= (uint64_t)(hi.c - lo.c);
  }
  unsigned many = 0;
  for (int q = 0; q < sel->vars; q++)
    many |= (unsigned)(s.hi[q] - s.lo[q] > 1) << q;
  return telling(&k, &s, &places) && places == many && names_ends(&k, loop, &s);
}

static bool selection_names(const cdag *g, const checker_chain *c, const cdag_selection *sel, uint64_t *count)
{
  return box_names_ends(g, c, sel, count) || loops_name_ends(g, c, sel, count);
}

/* ---- selections whose indices come from tables: point by point ---- */

enum { POINTS = PATIENCE(1 << 17) };

typedef struct {
  const cdag *g;
  const cdag_selection *sel;
  const checker_chain *c;
  int64_t *slot;               /* parameters, then the selection's loops */
  int left;
} pointwise;

static bool value_at(const pointwise *p, const expr *e, int64_t *value)
{
  expr_env env = { p->slot, p->g->table };
  return expr_eval(e, &env, value, NULL) == EXPR_OK;
}

/* Are the elements named at this point ends of chains?  An index that takes everything is at its first value for the
   others' ranges, which do not ask for it. */
static bool at_ends(const pointwise *p)
{
  int64_t x[CDAG_RANK] = { 0 }, lo, hi;
  for (int r = 0; r < p->g->array[p->sel->array].rank; r++) {
    bool chain = p->c->loops >> r & 1;
    cdag_range(p->g, p->sel->array, r, x, &lo, &hi);
    x[r] = lo;
    if (p->sel->index[r].kind == CDAG_AT && !value_at(p, p->sel->index[r].lo, &x[r]))
      return false;
    if (chain && (p->sel->index[r].kind != CDAG_AT || x[r] != (p->c->step[r] < 0 ? hi - 1 : lo)))
      return false;
  }
  return true;
}

/* Depth: one level a loop. */
static bool each_point(pointwise *p, int q)
{
  int64_t lo, hi, *x = &p->slot[p->g->params + q];
  if (q == p->sel->vars)
    return p->left-- > 0 && at_ends(p);
  if (!value_at(p, p->sel->var_lo[q], &lo) || !value_at(p, p->sel->var_hi[q], &hi))
    return false;
  for (*x = lo; *x < hi; ++*x)
    if (!each_point(p, q + 1))
      return false;
  return true;
}

/* As many outputs as chains, by one selection of ends alone: every end is one. */
static bool ends_by_points(const cdag *g, int array, const checker_chain *c, uint64_t ends)
{
  pointwise p = { .g = g, .c = c, .left = POINTS };
  uint64_t outputs;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == array) {
      if (p.sel)
        return false;
      p.sel = &g->selection[i];
    }
  if (!p.sel || !cdag_array_outputs(g, array, &outputs) || outputs != ends)
    return false;
  for (int q = 0; q < g->array[array].rank; q++)
    for (int r = q + 1; r < g->array[array].rank; r++)
      if (p.sel->index[q].kind != CDAG_AT && form_depends(g, array, r, q))
        return false;
  p.slot = MEM_NEW(int64_t, g->params + CDAG_RANK);
  memcpy(p.slot, g->param_value, (size_t)g->params * sizeof *p.slot);
  bool good = each_point(&p, 0);
  mem_free(p.slot);
  return good;
}

/* ---- liveness ---- */

static bool ends_selected(const cdag *g, int array, const checker_chain *c, uint64_t ends)
{
  uint64_t named;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == array && selection_names(g, c, &g->selection[i], &named) && named == ends)
      return true;
  return ends_by_points(g, array, c, ends);
}

static bool array_live(const cdag *g, const bool *live, int array)
{
  const cdag_array *a = &g->array[array];
  checker_chain c;
  uint64_t ends;
  if (a->count == 0 || a->declared_output)
    return true;
  checker_chain_read(g, array, &c);
  if (!c.straight || !checker_chain_count(g, array, &c, &ends))
    return false;
  if (ends_selected(g, array, &c, ends))
    return true;
  return named(g, live, array, &c) == ends;
}

bool *checker_live_counted(const cdag *g)
{
  bool *live = MEM_NEW(bool, g->arrays);
  for (bool again = true; again;) {
    again = false;
    for (int a = 0; a < g->arrays; a++)
      if (!live[a] && g->array[a].terms > 0 && array_live(g, live, a))
        live[a] = again = true;
  }
  return live;
}

/* Arrays of computed elements all of which are seen. */
static void add_seen(const cdag *g, const uint8_t *seen, bool *live)
{
  for (int a = 0; a < g->arrays; a++) {
    bool all = g->array[a].terms > 0;
    for (uint64_t i = 0; all && i < g->array[a].count; i++)
      all = seen[g->array[a].first + i];
    live[a] = live[a] || all;
  }
}

/* Counting does not see all; what is small enough is marked, when something is left unseen. */
bool *checker_live(const cdag *g)
{
  bool *live = checker_live_counted(g), unseen = false;
  uint64_t outputs;
  for (int a = 0; a < g->arrays; a++)
    unseen = unseen || (!live[a] && g->array[a].terms > 0);
  if (!unseen || g->vertices > LIVE_VERTICES)
    return live;
  SCOPED_MEM uint8_t *seen = MEM_NEW(uint8_t, g->vertices);
  if (checker_mark(g, LIVE_VERTICES, LIVE_EDGES, seen, &outputs))
    add_seen(g, seen, live);
  return live;
}

/* Does array y read the other in one term, and there single elements? */
static const cdag_term *only_term(const cdag *g, int y, int array)
{
  const cdag_term *only = NULL;
  for (int t = 0; t < g->array[y].terms; t++) {
    if (g->array[y].term[t].array != array)
      continue;
    if (only)
      return NULL;
    only = &g->array[y].term[t];
  }
  for (int r = 0; only && r < g->array[array].rank; r++)
    if (only->index[r].kind != CDAG_AT)
      return NULL;
  return only;
}

bool checker_ends_stored(const cdag *g, int array, uint64_t *taken)
{
  checker_chain c;
  spread where;
  uint64_t ends;
  checker_chain_read(g, array, &c);
  if (!c.straight || !checker_chain_count(g, array, &c, &ends) || ends == 0)
    return false;
  if (g->array[array].declared_output || ends_selected(g, array, &c, ends))
    return true;
  for (int y = 0; y < g->arrays && y < 64; y++) {
    const cdag_term *t = only_term(g, y, array);
    if (y == array || *taken >> y & 1 || !t || !g->array[y].declared_output || g->array[y].declared_input ||
        named_by(g, array, &c, y, t, &where) != ends)
      continue;
    *taken |= (uint64_t)1 << y;
    return true;
  }
  return false;
}

/* Index r of the array is a loop of the reader of its own, shifted, or it runs along the chain: which of the array's
 * loops are told by loops along the reader's chain? */
static bool loops_along(const cdag *g, int array, const checker_chain *c, int reader, const checker_chain *by,
                        const cdag_term *t, unsigned *along)
{
  form loops[CDAG_RANK], index;
  unsigned used = 0;
  *along = 0;
  for (int r = 0; r < CDAG_RANK; r++)
    loops[r] = form_loop(r);
  for (int r = 0; r < g->array[array].rank; r++) {
    if (c->loops >> r & 1)
      continue;
    if (!form_read(g, t->index[r].lo, loops, g->array[reader].rank, &index) || form_uses(&index) == 0)
      return false;
    unsigned loop = form_uses(&index);
    form own = form_loop(__builtin_ctz(loop));
    own.c = index.c;
    if (loop & used || !form_same(&own, &index))
      return false;
    used |= loop;
    *along |= loop & by->loops ? 1u << r : 0;
  }
  return true;
}

bool checker_sums_of_chains(const cdag *g, int array, int sum, unsigned *along, uint64_t *trees)
{
  checker_chain own, by;
  spread where;
  uint64_t ends, outputs = 0, taken = 0;
  const cdag_term *t = sum == array || sum >= 64 ? NULL : only_term(g, sum, array);
  if (!t || g->array[sum].declared_input || cdag_has_output(g, array))
    return false;
  checker_chain_read(g, array, &own);
  checker_chain_read(g, sum, &by);
  if (!by.straight || by.self != (by.outer >= 0 ? 2 : 1) || __builtin_popcount(by.loops) != by.self ||
      !checker_chain_count(g, array, &own, &ends) || ends != g->array[sum].count ||
      named_by(g, array, &own, sum, t, &where) != ends || !loops_along(g, array, &own, sum, &by, t, along) ||
      !checker_chain_count(g, sum, &by, trees) || !checker_ends_stored(g, sum, &taken))
    return false;
  return taken ? !cdag_has_output(g, sum) : cdag_array_outputs(g, sum, &outputs) && outputs == *trees;
}

static bool holds_level(const cdag_box *box, const cdag_box *hull, int rank, int loop)
{
  for (int r = 0; r < rank; r++)
    if (box->lo[r] > (r == loop ? hull->hi[r] - 1 : hull->lo[r]) || box->hi[r] < hull->hi[r])
      return false;
  return true;
}

bool checker_last_stored(const cdag *g, int array, int loop)
{
  cdag_box box;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == array && selection_box(g, &g->selection[i], &box) &&
        holds_level(&box, &g->array[array].hull, g->array[array].rank, loop))
      return true;
  return g->array[array].declared_output;
}

/* ---- arrays that are inputs on one level ---- */

/* Does the term read the array itself at smaller values of the loop, whatever its other indices are? */
static bool reads_back(const cdag *g, int array, const cdag_term *t, int loop)
{
  form at[CDAG_RANK], step;
  for (int r = 0; r < CDAG_RANK; r++)
    at[r] = form_loop(r);
  return t->array == array && t->index[loop].kind == CDAG_AT &&
         form_read(g, t->index[loop].lo, at, g->array[array].rank, &step) && form_plus(&step, &at[loop], -1) &&
         form_is_number(&step) && step.c < 0;
}

bool checker_sources_at(const cdag *g, int array, int loop)
{
  const cdag_array *a = &g->array[array];
  bool straight = false;
  if (!form_whole_box(g, array))
    return false;
  for (int t = 0; t < a->terms; t++) {
    if (!reads_back(g, array, &a->term[t], loop))
      return false;
    straight = straight || checker_moves_along(g, array, &a->term[t], loop) == -1;
  }
  return straight;
}

/* Elements of such an array that are inputs, or 0; *loop: at its first value. */
static uint64_t source_level(const cdag *g, int array, int *loop)
{
  const cdag_box *hull = &g->array[array].hull;
  for (*loop = 0; *loop < g->array[array].rank && g->array[array].count > 0; ++*loop)
    if (checker_sources_at(g, array, *loop))
      return g->array[array].count / (uint64_t)(hull->hi[*loop] - hull->lo[*loop]);
  *loop = -1;
  return 0;
}

/* ---- outputs ---- */

static uint64_t selected(const cdag *g, const cdag_selection *sel)
{
  checker_chain none = { .outer = -1, .inner = -1 };
  uint64_t count;
  return selection_names(g, &none, sel, &count) ? count : 0;
}

/* Elements of the selection that are no inputs, at least. */
static uint64_t selected_computed(const cdag *g, const cdag_selection *sel, int loop, uint64_t inputs)
{
  form at, place[CDAG_RANK];
  uint64_t all = selected(g, sel);
  for (int q = 0; q < sel->vars; q++)
    place[q] = form_loop(q);
  if (loop < 0 || (sel->index[loop].kind == CDAG_AT && form_read(g, sel->index[loop].lo, place, sel->vars, &at) &&
                   form_is_number(&at) && at.c > g->array[sel->array].hull.lo[loop]))
    return all;
  return all > inputs ? all - inputs : 0;
}

uint64_t checker_inputs_of(const cdag *g, const bool *live, int a)
{
  checker_chain none = { .outer = -1, .inner = -1 };
  return named(g, live, a, &none);
}

uint64_t checker_inputs(const cdag *g, const bool *live)
{
  uint64_t all = 0;
  for (int a = 0, loop; a < g->arrays; a++) {
    if (live[a] && g->array[a].declared_input)
      all += source_level(g, a, &loop);
    if (g->array[a].terms == 0 && !g->array[a].declared_output)
      all += checker_inputs_of(g, live, a);
  }
  return all;
}

uint64_t checker_outputs(const cdag *g)
{
  uint64_t all = 0;
  for (int a = 0; a < g->arrays; a++) {
    uint64_t most = 0, inputs = 0;
    int loop = -1;
    if (g->array[a].terms == 0 || (g->array[a].declared_input && (inputs = source_level(g, a, &loop)) == 0))
      continue;
    for (int i = 0; i < g->selections; i++) {
      uint64_t here = g->selection[i].array == a ? selected_computed(g, &g->selection[i], loop, inputs) : 0;
      most = here > most ? here : most;
    }
    if (most == 0 && !g->array[a].declared_input && !g->array[a].declared_output)
      most = cdag_array_outputs(g, a, &inputs) ? inputs : 0;
    all += g->array[a].declared_output ? g->array[a].count - inputs : most;
  }
  return all;
}
