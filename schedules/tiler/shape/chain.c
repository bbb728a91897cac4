#include "schedules/tiler/shape/chain.h"
#include "base/random.h"
#include <string.h>

enum { DRAWN = 128 };

typedef struct {
  const cdag *g;
  const tiler_statement *s;
  int found;                   /* of the element at hand: reads of its own array, and one of them */
  int64_t before[CDAG_RANK];
} looking;

static bool note_read(void *context, const cdag_element *e, int term)
{
  looking *l = context;
  for (int i = 0; i < l->s->selves; i++)
    if (e->array == l->s->array && l->s->self[i].term == term) {
      l->found++;
      memcpy(l->before, e->x, sizeof l->before);
      break;
    }
  return l->found <= 1;
}

/* An element, one with first and last indices more often than others; false: there is none with these. */
static bool draw(const looking *l, random_source *r, int64_t *x)
{
  memset(x, 0, CDAG_RANK * sizeof *x);
  for (int q = 0; q < l->s->rank; q++) {
    int64_t lo, hi;
    cdag_range(l->g, l->s->array, q, x, &lo, &hi);
    if (hi <= lo)
      return false;
    uint64_t way = random_below(r, 5);
    x[q] = way < 2 ? lo : way < 3 ? hi - 1 : lo + (int64_t)random_below(r, (uint64_t)(hi - lo));
  }
  return true;
}

static bool is_end(const looking *l, int q, const int64_t *x, bool last)
{
  int64_t lo, hi;
  cdag_range(l->g, l->s->array, q, x, &lo, &hi);
  return x[q] == (last ? hi - 1 : lo);
}

/* From what is read to x: the dimension that goes one step on, and those that begin again; false: it is otherwise. */
static bool step_between(const looking *l, const int64_t *x, int *m, uint32_t *again)
{
  *m = -1;
  *again = 0;
  for (int q = 0; q < l->s->rank; q++) {
    if (l->before[q] == x[q])
      continue;
    if (l->before[q] == x[q] - 1 && *m < 0)
      *m = q;
    else if (is_end(l, q, x, false) && is_end(l, q, l->before, true))
      *again |= 1u << q;
    else
      return false;
  }
  return *m >= 0;
}

/* The dimensions by how many lie inside them: when one goes on all of these begin again, and no other. */
static int in_order(int rank, uint32_t seen, const uint32_t *inside, int *chain)
{
  int steps = __builtin_popcount(seen);
  uint32_t done = 0;
  for (int depth = 0; depth < steps; depth++) {
    int found = -1;
    for (int q = 0; q < rank; q++)
      if ((seen >> q & 1) && !(done >> q & 1) && inside[q] == done)
        found = q;
    if (found < 0)
      return 0;
    chain[steps - 1 - depth] = found;
    done |= 1u << found;
  }
  return steps;
}

/* Elements that read nothing of their array stand at the first step of all loops. */
static bool begin_there(const looking *l, int64_t (*x)[CDAG_RANK], int n)
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < l->s->chains; c++)
      if (!is_end(l, l->s->chain[c], x[i], false))
        return false;
  return true;
}

void tiler_find_chains(const cdag *g, tiler_statement *s)
{
  looking l = { .g = g, .s = s };
  random_source r = { 0 };
  uint32_t seen = 0, inside[CDAG_RANK] = { 0 };
  int64_t begin[DRAWN][CDAG_RANK];
  int begins = 0;
  bool sum = s->selves > 0;
  for (int i = 0; i < DRAWN && sum; i++) {
    int64_t x[CDAG_RANK];
    int m;
    uint32_t again;
    if (!draw(&l, &r, x))
      continue;
    l.found = 0;
    sum = cdag_each_predecessor(g, s->array, x, note_read, &l) && (l.found == 0 || step_between(&l, x, &m, &again));
    if (sum && l.found) {
      seen |= 1u << m;
      inside[m] |= again;
    } else
      memcpy(begin[begins++], x, sizeof x);
  }
  s->chains = sum ? in_order(s->rank, seen, inside, s->chain) : 0;
  s->chains = begin_there(&l, begin, begins) ? s->chains : 0;
  s->reads_itself = s->selves > 0 && !s->chains;
}

/* ---- the word that a sum begins with ---- */

typedef struct {
  looking of;
  int array;
  const tiler_index *said;
  const int64_t *x;            /* the reader */
} looking_first;

static bool note_first(void *context, const cdag_element *e, int term)
{
  looking_first *l = context;
  bool same = e->array == l->array;
  (void)term;
  for (int q = 0; q < l->of.g->array[l->array].rank && same; q++) {
    int64_t v = l->said[q].lo.base;
    for (int r = 0; r < l->of.s->rank; r++)
      v += l->said[q].lo.coef[r] * l->x[r];
    same = e->x[q] == v;
  }
  l->of.found += same;
  return true;
}

bool tiler_begins_with(const cdag *g, const tiler_statement *s, int array, const tiler_index *said)
{
  int64_t x[CDAG_RANK];
  looking_first l = { .of = { .g = g, .s = s }, .array = array, .said = said, .x = x };
  random_source r = { 0 };
  int drawn = 0;
  for (int i = 0; i < DRAWN; i++) {
    if (!draw(&l.of, &r, x))
      continue;
    l.of.found = 0;
    bool first = begin_there(&l.of, &x, 1);
    drawn += first;
    if (!cdag_each_predecessor(g, s->array, x, note_first, &l) || (l.of.found > 0) != first)
      return false;
  }
  return drawn > 0;
}

/* ---- reads of a sum's end ---- */

typedef struct {
  looking to;
  bool good;                   /* what was read of it so far is one element, a last one */
} looking_back;

static bool note_end(void *context, const cdag_element *e, int term)
{
  looking_back *l = context;
  (void)term;
  if (e->array != l->to.s->array)
    return true;
  l->good = ++l->to.found == 1;
  for (int c = 0; c < l->to.s->chains && l->good; c++)
    l->good = is_end(&l->to, l->to.s->chain[c], e->x, true);
  return l->good;
}

/* Does each element of s read one of `to`, the last step of all its chains? */
static bool reads_one_end(const cdag *g, const tiler_statement *s, const tiler_statement *to)
{
  looking l = { .g = g, .s = s };
  looking_back back = { .to = { .g = g, .s = to }, .good = true };
  random_source r = { 0 };
  int drawn = 0;
  for (int i = 0; i < DRAWN && back.good; i++) {
    int64_t x[CDAG_RANK];
    if (!draw(&l, &r, x))
      continue;
    back.to.found = 0;
    drawn++;
    back.good = cdag_each_predecessor(g, s->array, x, note_end, &back) && back.to.found == 1;
  }
  return back.good && drawn > 0;
}

static bool reads_all_ends(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a)
{
  const tiler_statement *to = &sh->s[a->array];
  bool ends = to->chains > 0 && a->held < 0;
  for (int c = 0; c < to->chains && ends; c++)
    ends = tiler_reads_end(sh, s, a, to->chain[c]);
  return ends;
}

void tiler_join_ends(const tiler_shape *sh, tiler_statement *s)
{
  for (int i = 0; i < s->accesses; i++) {
    tiler_access a = s->access[i];
    int kept = 0, many = 0;
    for (int k = 0; k < s->accesses; k++)
      many += s->access[k].array == a.array;
    if (many < 2 || a.array == s->array || !reads_all_ends(sh, s, &a) || !reads_one_end(sh->g, s, &sh->s[a.array]))
      continue;
    for (int k = 0; k < s->accesses; k++)
      if (k == i || s->access[k].array != a.array)
        s->access[kept++] = s->access[k];
    s->accesses = kept;
    i = -1;
  }
}

/* ---- what accesses alone say ---- */

/* A self access x[m] - 1: the dimension m. */
static bool chain_step(const tiler_statement *s, const tiler_access *a, int *m)
{
  *m = -1;
  for (int q = 0; q < s->rank; q++) {
    tiler_form back = a->at[q].lo;
    back.base++;
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine)
      return false;
    if (tiler_form_plain(&a->at[q].lo, s->rank) == q)
      continue;
    if (tiler_form_plain(&back, s->rank) != q || *m >= 0)
      return false;
    *m = q;
  }
  return *m >= 0;
}

void tiler_find_own_chain(const tiler_shape *sh, tiler_statement *s)
{
  int m = -1, steps = 0, own = -1, c;
  for (int i = 0; i < s->selves; i++)
    if (chain_step(s, &s->self[i], &c)) {
      steps++;
      own = i;
      m = c;
    }
  bool good = s->reads_itself && steps == 1;
  for (int i = 0; i < s->selves && good; i++)
    good = i == own || tiler_reads_end(sh, s, &s->self[i], m);
  if (!good)
    return;
  tiler_access step = s->self[own];
  for (int i = 0; i < s->selves; i++)
    if (i != own)
      s->access[s->accesses++] = s->self[i];
  s->self[0] = step;
  s->selves = s->chains = 1;
  s->chain[0] = m;
}

/* Does another statement read this one at the ends of its inner chains, at every step of the outermost? */
static bool is_read_within(const tiler_shape *sh, const tiler_statement *s)
{
  bool within = false;
  for (int y = 0; y < sh->g->arrays; y++)
    for (int i = 0; i < sh->s[y].accesses && y != s->array; i++) {
      const tiler_access *a = &sh->s[y].access[i];
      if (a->array != s->array || tiler_reads_end(sh, &sh->s[y], a, s->chain[0]))
        continue;
      within = true;
      for (int c = 1; c < s->chains; c++)
        if (!tiler_reads_end(sh, &sh->s[y], a, s->chain[c]))
          return false;
    }
  return within;
}

void tiler_leave_outer_chains(const tiler_shape *sh, tiler_statement *s)
{
  while (s->chains > 1 && is_read_within(sh, s)) {
    int c = s->chain[0], kept = 0;
    for (int i = 0; i < s->selves; i++) {
      tiler_form back = tiler_said_index(&s->self[i], c)->lo;
      back.base++;
      if (tiler_form_plain(&back, s->rank) == c)
        s->access[s->accesses++] = s->self[i];
      else
        s->self[kept++] = s->self[i];
    }
    s->selves = kept;
    s->chains--;
    memmove(s->chain, s->chain + 1, (size_t)s->chains * sizeof *s->chain);
  }
}
