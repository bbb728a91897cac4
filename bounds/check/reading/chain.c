/* How an array chains to itself: its links, how many chains, and whether each is one path. */
#include "bounds/check/reading/live.h"

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

bool checker_fixed_bound(const cdag *g, int array, int r, bool upper)
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
      firsts = firsts && checker_fixed_bound(g, array, r, false);
      lasts = lasts && checker_fixed_bound(g, array, r, true);
    }
  *n = cdag_box_count(g, array, firsts ? &first : &last);
  return firsts || (lasts && c->outer < 0);
}
