/* words.c -- own predecessors, greedily. */
#include "bounds/affine/find/search.h"

/* A read of the same array a constant way off, of it otherwise, of another computed array, of an input. */
static int preference(const normal_form *f, const access *a)
{
  if (f->array[a->to].computed.n == 0)
    return 4;
  if (a->from != a->to)
    return f->array[a->from].rank == f->array[a->to].rank ? 2 : 3;
  for (int r = 0; r < f->array[a->from].rank; r++) {
    linear step = a->index[r], x = linear_variable(r);
    if (!linear_add(&step, &x, -1) || !linear_is_constant(&step))
      return 1;
  }
  return 0;
}

/* Is index k of what is read the reader's loop r: as it is; or, in another array, counted from the middle of either, up
   or down?  Which numbers an array's indices have is a matter of its text. */
static bool keeps_loop(const normal_form *f, const access *a, int r, int k)
{
  linear up = linear_variable(r), down = { 0 };
  if (linear_equal(&a->index[k], &up))
    return true;
  linear_add(&down, &up, -1);
  up.base = down.base = a->index[k].base;
  bool falls = linear_equal(&a->index[k], &down);
  int64_t lo, hi, to_lo, to_hi;
  linear to = linear_variable(k), from = linear_variable(r);
  return a->from != a->to && (falls || linear_equal(&a->index[k], &up)) &&
         polyhedra_span(&f->array[a->from].domain, &from, &lo, &hi) &&
         polyhedra_span(&f->array[a->to].domain, &to, &to_lo, &to_hi) &&
         2 * up.base == to_lo + to_hi + (falls ? lo + hi : -lo - hi);
}

static int loops_kept(const normal_form *f, const access *a)
{
  int kept = 0;
  for (int r = 0; r < f->array[a->from].rank; r++) {
    bool there = false;
    for (int k = 0; k < f->array[a->to].rank && !there; k++)
      there = keeps_loop(f, a, r, k);
    kept += there;
  }
  return kept;
}

/* Is it an own predecessor that fits with those there are? */
static bool fits(const normal_form *f, int read, int owns, const int *own)
{
  bool apart = words_apart(f, read, read);
  for (int k = 0; k < owns && apart; k++)
    apart = read != own[k] && words_apart(f, read, own[k]);
  return apart;
}

/* Does the array that it reads read, through others perhaps, the one that reads? */
static bool comes_back(const normal_form *f, const access *a)
{
  SCOPED_ARENA memory = { 0 };
  int *reached = ARENA_NEW(&memory, int, (size_t)f->arrays), n = 1;
  bool *seen = ARENA_NEW(&memory, bool, (size_t)f->arrays);
  reached[0] = a->to;
  seen[a->to] = true;
  for (int i = 0; i < n && !seen[a->from]; i++)
    for (int k = 0; k < f->accesses; k++) {
      int to = f->access[k]->to;
      if (f->access[k]->from != reached[i] || seen[to])
        continue;
      seen[to] = true;
      reached[n++] = to;
    }
  return seen[a->from];
}

int affine_choose_words(const normal_form *f, const word_order *order, int owns, int *own)
{
  SCOPED_ARENA memory = { 0 };
  int *kind = ARENA_NEW(&memory, int, (size_t)f->accesses), *loops = ARENA_NEW(&memory, int, (size_t)f->accesses);
  bool *back = ARENA_NEW(&memory, bool, (size_t)f->accesses);
  for (int i = 0; i < f->accesses; i++) {
    kind[i] = preference(f, f->access[i]);
    loops[i] = loops_kept(f, f->access[i]);
    back[i] = comes_back(f, f->access[i]);
  }
  for (int turn = 0; turn < WORD_LEVELS * (CDAG_RANK + 1); turn++)
    for (int n = 0; n < 2 * f->accesses && owns < WORDS_MOST; n++) {
      int k = n % f->accesses, i = order->late ? f->accesses - 1 - k : k,
          level = order->kept_first ? turn % WORD_LEVELS : turn / (CDAG_RANK + 1),
          kept = CDAG_RANK - (order->kept_first ? turn / WORD_LEVELS : turn % (CDAG_RANK + 1));
      if (!f->access[i]->single || kind[i] != order->level[level] || loops[i] != kept || back[i] != (n < f->accesses))
        continue;
      if (fits(f, i, owns, own))
        own[owns++] = i;
    }
  return owns;
}

/* Of the reads of the array a constant way off, is this in their middle? */
static bool in_the_middle(const normal_form *f, const access *a)
{
  int rank = f->array[a->from].rank;
  int64_t sum[CDAG_RANK] = { 0 }, n = 0;
  for (int i = 0; i < f->accesses; i++) {
    const access *b = f->access[i];
    if (b->from != a->from || !b->single || preference(f, b) != 0)
      continue;
    n++;
    for (int r = 0; r < rank; r++)
      sum[r] += b->index[r].base - a->index[r].base;
  }
  for (int r = 0; r < rank; r++)
    if (sum[r] != 0)
      return false;
  return n > 1;
}

/* How many steps along the loops is what is read a constant way off?  0 for what is in the middle. */
static int64_t steps_off(const normal_form *f, const access *a)
{
  int64_t steps = 0;
  for (int r = 0; r < f->array[a->from].rank && !in_the_middle(f, a); r++)
    steps += a->index[r].base < 0 ? -a->index[r].base : a->index[r].base;
  return steps;
}

/* The nearest but `nearer` of the reads of an array a constant way off, or, when there are fewer, the farthest; -1. */
static int nearest_read(const normal_form *f, int array, int nearer)
{
  int found = -1;
  for (; nearer >= 0; nearer--) {
    int next = -1;
    for (int i = 0; i < f->accesses; i++) {
      const access *a = f->access[i];
      if (a->from != array || !a->single || preference(f, a) != 0)
        continue;
      int64_t off = steps_off(f, a), last = found < 0 ? -1 : steps_off(f, f->access[found]);
      if ((off > last || (off == last && i > found)) && (next < 0 || off < steps_off(f, f->access[next])))
        next = i;
    }
    if (next < 0)
      break;
    found = next;
  }
  return found;
}

bool find_choose_near(search *s, int nearer)
{
  const normal_form *f = &s->f->form;
  int n = 0;
  for (int x = 0; x < f->arrays && n < WORDS_MOST; x++) {
    int i = nearest_read(f, x, nearer);
    if (i >= 0 && fits(f, i, n, s->own))
      s->own[n++] = i;
  }
  s->owns = n ? affine_choose_words(f, &find_orders[0], n, s->own) : 0;
  return n > 0;
}

void find_choose_words(search *s, const word_order *order)
{
  s->owns = affine_choose_words(&s->f->form, order, 0, s->own);
}
