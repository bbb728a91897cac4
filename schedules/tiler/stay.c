#include "schedules/tiler/stay.h"
#include "base/mem.h"
#include "base/num.h"
#include <string.h>

enum { LAG_MOST = 3 };

static int member(const order_node *loop, int array)
{
  for (int k = 0; k < loop->members; k++)
    if (loop->member[k].array == array)
      return k;
  return -1;
}

static bool is_chain(const tiler_statement *s, int r)
{
  for (int c = 0; c < s->chains; c++)
    if (s->chain[c] == r)
      return true;
  return false;
}

/* How many iterations before its reader's the slice that this access reads was made; -1: that differs, or none was. */
static int lag_of(const tiler_shape *s, const order_node *loop, const tiler_access *a, int reader)
{
  int of = member(loop, a->array), by = member(loop, reader);
  if (of < 0 || by < 0)
    return -1;
  int q = loop->member[of].dim;
  tiler_index at = a->at[q];
  const cdag_term *t = &s->g->array[reader].term[a->term];
  if (t->guarded == q + 1 && !tiler_index_unguarded(s->g, s->s[reader].rank, t, q, &at))
    return -1;
  if (at.kind != CDAG_AT || !at.affine)
    return -1;
  int64_t lag = loop->member[by].shift - loop->member[of].shift - at.lo.base;
  at.lo.base = 0;
  return tiler_form_plain(&at.lo, s->s[reader].rank) == loop->member[by].dim && lag >= 0 && lag <= LAG_MOST ? (int)lag
                                                                                                         : -1;
}

/* Reads of the array: how many; *lag: the longest; false: one is not a slice's of this loop. */
static bool slices_read(const tiler_shape *s, const order_node *loop, int array, double *reads, int *lag)
{
  *reads = 0;
  *lag = 0;
  for (int k = 0; k < s->n; k++) {
    const tiler_statement *y = &s->s[s->order[k]];
    for (int i = 0; i < y->accesses + y->selves; i++) {
      const tiler_access *a = i < y->accesses ? &y->access[i] : &y->self[i - y->accesses];
      if (a->array != array)
        continue;
      int own = lag_of(s, loop, a, y->array);
      if (own < 0)
        return false;
      *lag = own > *lag ? own : *lag;
      *reads += (double)s->g->array[y->array].count;
    }
  }
  return true;
}

static double whole_reads(const tiler_shape *s, const order_node *loop, int array)
{
  double reads = 0;
  for (int k = 0; k < loop->members; k++) {
    const tiler_statement *y = &s->s[loop->member[k].array];
    for (int i = 0; i < y->accesses; i++)
      reads += y->access[i].array == array ? (double)s->g->array[y->array].count : 0;
  }
  return reads;
}

/* All its outputs in the last slice, or none? */
static bool outputs_last(const tiler_shape *s, int array, int dim)
{
  for (int i = 0; i < s->g->selections; i++) {
    const cdag_selection *x = &s->g->selection[i];
    if (x->array == array && (x->index[dim].kind != CDAG_AT || x->index[dim].var != -1 ||
                              x->index[dim].base != s->s[array].most[dim] - 1))
      return false;
  }
  return !s->g->array[array].declared_output;
}

/* What may stay of the array, its words and how often it is read. */
static tiler_stay choice(const tiler_shape *s, const order_node *loop, int array, double *words, double *reads)
{
  const tiler_statement *x = &s->s[array];
  tiler_stay y = { .kind = STAY_NOT };
  int k = member(loop, array);
  *words = 1;
  for (int r = 0; r < x->rank; r++)
    if (k < 0 || (r != loop->member[k].dim && !is_chain(x, r)))
      *words *= (double)num_max(x->most[r] - x->least[r], 1);
  if (k < 0) {
    *reads = whole_reads(s, loop, array);
    y.kind = x->computed && (x->chains || x->started || x->bare) ? STAY_NOT : STAY_WHOLE;
    return y;
  }
  y.dim = loop->member[k].dim;
  y.shift = loop->member[k].shift;
  y.stored = !outputs_last(s, array, y.dim);
  if (!x->started && !x->bare && !s->g->array[array].declared_input && slices_read(s, loop, array, reads, &y.lag))
    y.kind = STAY_SLICES;
  y.lag = x->output && y.lag == 0 ? 1 : y.lag; /* the last slice outlives the loop */
  *words *= y.lag + 1;
  return y;
}

double tiler_stays(const tiler_shape *s, const order_node *loop, double m, tiler_stay *stay)
{
  int arrays = s->g->arrays;
  double used = 0;
  bool *done = MEM_NEW(bool, (size_t)arrays + 1);
  memset(stay, 0, (size_t)arrays * sizeof *stay);
  for (int round = 0; round < arrays && !loop->reversed; round++) {
    double best = 1, best_words = 0;
    int pick = -1;
    tiler_stay picked = { 0 };
    for (int a = 0; a < arrays; a++) {
      double words, reads = 0;
      tiler_stay y = done[a] ? (tiler_stay){ 0 } : choice(s, loop, a, &words, &reads);
      if (y.kind == STAY_NOT || used + words > m || reads / words <= best)
        continue;
      best = reads / words;
      best_words = words;
      pick = a;
      picked = y;
    }
    if (pick < 0)
      break;
    done[pick] = true;
    stay[pick] = picked;
    used += best_words;
  }
  mem_free(done);
  return used;
}
