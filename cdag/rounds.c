#include "cdag/rounds.h"
#include "cdag/cdag_internal.h"
#include "cdag/domain/points.h"
#include "base/mem.h"
#include "base/patience.h"
#include <string.h>

static const uint64_t BUDGET = PATIENCE((uint64_t)1 << 20);
enum { LAST = PATIENCE(1 << 16) };

/* ---- head and tail ---- */

/* Is index s of the term variable r of the rule less one, and all else of the tail? */
static bool reads_tail_before(const cdag *g, const cdag_term *t, int s, int *r)
{
  const cdag_index *x = &t->index[s];
  if (t->guarded || x->kind != CDAG_AT || x->var < 0 || x->base != -1)
    return false;
  for (int q = 0; q < g->array[t->array].rank; q++)
    if (q != s && t->index[q].kind != CDAG_ALL)
      return false;
  *r = x->var;
  return true;
}

static bool range_of(const cdag *g, int array, int r, int64_t *lo, int64_t *hi)
{
  const nest *n = &g->priv->dom[array];
  if (n->lo[r].var != -1 || n->hi[r].var != -1)
    return false;
  *lo = n->lo[r].base;
  *hi = n->hi[r].base;
  return true;
}

static bool same_range(const cdag *g, int array, int r, const cdag_rounds *k)
{
  int64_t lo, hi;
  return range_of(g, array, r, &lo, &hi) && lo == k->first && hi == k->end;
}

/* Other arrays made of the tail before, such as new keys, are of rounds too. */
static void follow_tail(const cdag *g, int a, cdag_rounds *k)
{
  for (int i = 0, r; i < g->array[a].terms && k->index[a] < 0; i++)
    if (g->array[a].term[i].array == k->tail && reads_tail_before(g, &g->array[a].term[i], k->index[k->tail], &r) &&
        same_range(g, a, r, k))
      k->index[a] = r;
}

/* The array that is read gets its index from its reader, or the other way round. */
static bool follow(const cdag *g, int a, const cdag_term *t, cdag_rounds *k)
{
  int b = t->array;
  bool found = false;
  for (int s = 0; k->index[a] >= 0 && k->index[b] < 0 && s < g->array[b].rank; s++)
    if (cdag_passes_on(g, t, s, k->index[a]) && same_range(g, b, s, k)) {
      k->index[b] = s;
      found = true;
    }
  for (int r = 0; k->index[b] >= 0 && k->index[a] < 0 && r < g->array[a].rank; r++)
    if (cdag_passes_on(g, t, k->index[b], r) && same_range(g, a, r, k)) {
      k->index[a] = r;
      found = true;
    }
  return found;
}

static bool reads(const cdag *g, const expr *e, int r) { return e && expr_uses(e, g->params + r, g->params + r + 1); }

/* Does the domain of the array, or a term that stays in the round, depend on which round it is? */
static bool depends(const cdag *g, int array, const cdag_rounds *k)
{
  const cdag_array *a = &g->array[array];
  int r = k->index[array];
  bool found = false;
  for (int q = 0; r >= 0 && q < a->rank; q++)
    found |= q != r && (reads(g, a->lo[q], r) || reads(g, a->hi[q], r));
  for (int t = 0; r >= 0 && t < a->terms; t++) {
    const cdag_term *term = &a->term[t];
    int at = k->index[term->array];
    if (at >= 0 && !cdag_passes_on(g, term, at, r))
      continue;
    found |= reads(g, cdag_term_condition(term), r);
    for (int q = 0; q < g->array[term->array].rank; q++)
      found |= q != at && (reads(g, term->index[q].lo, r) || reads(g, term->index[q].hi, r));
  }
  return found;
}

static bool take(const cdag *g, int head, const cdag_term *t, int s, int r, cdag_rounds *k)
{
  for (int a = 0; a < g->arrays; a++) {
    k->index[a] = a == head ? r : -1;
    if (g->priv->piece[a].n > 0)
      return false;
  }
  k->head = head;
  k->tail = t->array;
  k->index[t->array] = s;
  if (head == t->array || !range_of(g, head, r, &k->first, &k->end) || k->end - k->first < 2 ||
      !same_range(g, t->array, s, k))
    return false;
  for (int a = 0; a < g->arrays; a++)
    follow_tail(g, a, k);
  for (bool more = true; more;) {
    more = false;
    for (int a = 0; a < g->arrays; a++)
      for (int i = 0; i < g->array[a].terms; i++)
        more |= follow(g, a, &g->array[a].term[i], k);
  }
  k->alike = true;
  for (int a = 0; a < g->arrays; a++) {
    k->alike &= !depends(g, a, k);
    if (k->index[a] >= 0 && g->array[a].rank < 2)
      return false;
  }
  if (!k->alike && k->end - k->first > CDAG_ROUNDS)
    k->first = k->end - CDAG_ROUNDS;
  return true;
}

bool cdag_rounds_find(const cdag *g, cdag_rounds *k)
{
  *k = (cdag_rounds){ .index = MEM_NEW(int, (size_t)g->arrays) };
  for (int a = 0; a < g->arrays; a++)
    for (int i = 0; i < g->array[a].terms; i++) {
      const cdag_term *t = &g->array[a].term[i];
      for (int s = 0, r; s < g->array[t->array].rank; s++)
        if (reads_tail_before(g, t, s, &r) && take(g, a, t, s, r, k))
          return true;
    }
  return false;
}

void cdag_rounds_clear(cdag_rounds *k)
{
  mem_free(k->index);
  *k = (cdag_rounds){ 0 };
}

/* ---- one round ---- */

status cdag_round_open(cdag **out, const cdag *g, const cdag_rounds *k, int64_t t, diag *d)
{
  SCOPED_TEXT source = { 0 };
  cdag_view view = { .dropped = k->index, .round = true, .tail = k->tail };
  status st = OK;
  *out = NULL;
  if (!k->alike)
    st = cdag_print_value(&source, g, k->index, NULL, t, d);
  cdag_print_view(&source, g, &view);
  if (st == OK)
    st = cdag_parse(out, "round", text_str(&source), "", d);
  return st;
}

/* Is the term present on every element of the array? */
static bool everywhere(const cdag *g, int array, int t)
{
  SCOPED_MEM points *p = MEM_NEW(points, 1);
  uint64_t budget = BUDGET, count;
  points_init(p, g, &g->priv->dom[array]);
  return points_require(p, &g->priv->term[array][t]) && points_count(p, &budget, &count) &&
         count == g->priv->dom[array].count;
}

/* Arrays all of whose elements have an ancestor in the head, or are in it. */
static void find_behind(const cdag *round, int head, bool *behind)
{
  behind[head] = round->array[head].count > 0;
  for (bool more = true; more;) {
    more = false;
    for (int a = 0; a < round->arrays; a++)
      for (int t = 0; t < round->array[a].terms && !behind[a]; t++)
        if (behind[round->array[a].term[t].array] && everywhere(round, a, t))
          behind[a] = more = true;
  }
}

void cdag_round_fresh(const cdag *g, const cdag_rounds *k, const cdag *round, bool *fresh)
{
  SCOPED_MEM bool *behind = MEM_NEW(bool, (size_t)g->arrays);
  find_behind(round, k->head, behind);
  for (int x = 0; x < g->arrays; x++)
    fresh[x] = g->array[x].terms == 0 && k->index[x] < 0;
  for (int a = 0; a < g->arrays; a++)
    for (int t = 0; t < g->array[a].terms; t++)
      if (k->index[a] < 0 || !behind[a])
        fresh[g->array[a].term[t].array] = false;
}

typedef struct { const cdag *g; int array; uint64_t left; } outside;

static bool all_outputs(void *context, const int64_t *x, int64_t hi)
{
  outside *o = context;
  int64_t y[CDAG_RANK];
  int last = o->g->array[o->array].rank - 1;
  memcpy(y, x, sizeof y);
  for (; y[last] < hi; y[last]++)
    if (o->left-- == 0 || !cdag_is_output(o->g, o->array, y))
      return false;
  return true;
}

bool cdag_rounds_put_out(const cdag *g, const cdag_rounds *k)
{
  if (g->array[k->tail].declared_output)
    return true;
  cdag_box box = g->array[k->tail].hull;
  outside o = { g, k->tail, LAST };
  box.lo[k->index[k->tail]] = k->end - 1;
  return cdag_each_run(g, k->tail, &box, all_outputs, &o);
}
