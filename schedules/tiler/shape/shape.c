#include "schedules/tiler/shape/shape.h"
#include "base/mem.h"
#include "schedules/tiler/shape/chain.h"
#include "schedules/tiler/shape/internal.h"
#include <string.h>

static bool never_there(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a)
{
  const tiler_statement *to = &sh->s[a->array];
  if (sh->g->array[a->array].count == 0)
    return true;
  for (int q = 0; q < a->rank; q++)
    if (a->at[q].kind == CDAG_AT && a->at[q].affine &&
        (tiler_form_extreme(s, &a->at[q].lo, false) >= to->most[q] ||
         tiler_form_extreme(s, &a->at[q].lo, true) < to->least[q]))
      return true;
  return false;
}

static bool read_rule(tiler_shape *sh, tiler_statement *s)
{
  const cdag_array *a = &sh->g->array[s->array];
  bool good = true;
  s->access = MEM_NEW(tiler_access, 2 * (size_t)a->terms + 1);
  s->self = MEM_NEW(tiler_access, (size_t)a->terms + 1);
  for (int t = 0; t < a->terms; t++) {
    tiler_access x, y;
    if (sh->widened && a->term[t].array != s->array && tiler_read_both_ways(sh, s, &a->term[t], t, &x, &y)) {
      s->access[s->accesses++] = x;
      s->access[s->accesses++] = y;
      continue;
    }
    good &= tiler_read_access(sh, s, &a->term[t], t, &x);
    if (a->term[t].never || never_there(sh, s, &x))
      continue;
    if (x.array == s->array)
      s->self[s->selves++] = x;
    else
      s->access[s->accesses++] = x;
  }
  tiler_join_widened(s);
  tiler_find_chains(sh->g, s);
  tiler_find_own_chain(sh, s);
  if (a->declared_input && s->accesses + s->selves == 0)
    s->computed = false;
  return good;
}

bool tiler_selected_range(const cdag *g, const cdag_selection *x, int q, int64_t *lo, int64_t *hi)
{
  const cdag_index *i = &x->index[q];
  *lo = 0;
  *hi = 1;
  if (i->kind != CDAG_AT || i->var < -1)
    return false;
  if (i->var >= 0 &&
      (!tiler_is_number(g, x->var_lo[i->var], x->vars, lo) || !tiler_is_number(g, x->var_hi[i->var], x->vars, hi)))
    return false;
  *lo += i->base;
  *hi += i->base;
  return true;
}

/* Is this selection the last step of each chain?  Where the end depends on other indices the referee will say. */
static bool selects_ends(const cdag *g, const tiler_statement *s, const cdag_selection *x)
{
  for (int c = 0; c < s->chains; c++) {
    int q = s->chain[c];
    int64_t lo, hi;
    if (x->index[q].kind != CDAG_AT || (tiler_bound_constant(&s->hi[q], s->rank) &&
                                        (!tiler_selected_range(g, x, q, &lo, &hi) || hi != lo + 1 || hi != s->most[q])))
      return false;
  }
  return true;
}

static void read_outputs(tiler_shape *sh, tiler_statement *s)
{
  s->output = cdag_has_output(sh->g, s->array);
  s->all_output = sh->g->array[s->array].declared_output && s->chains > 0;
  for (int i = 0; i < sh->g->selections; i++)
    if (sh->g->selection[i].array == s->array && s->chains > 0 && !selects_ends(sh->g, s, &sh->g->selection[i]))
      s->all_output = true;
}

/* Is a the step before of a sum that reads s, and at its own step this element? */
static bool goes_in_step(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a)
{
  const tiler_statement *sum = &sh->s[a->array];
  bool back = false;
  for (int i = 0; i < sum->accesses && sum->chains == 1 && !back; i++) {
    back = sum->access[i].array == s->array;
    for (int q = 0; q < a->rank && back; q++) {
      tiler_form own = { .base = -(sum->chain[0] == q) }, is;
      own.coef[q] = 1;
      back = a->at[q].kind == CDAG_AT && a->at[q].affine && tiler_compose(&a->at[q].lo, &sum->access[i], &is) &&
             memcmp(&own, &is, sizeof is) == 0;
    }
  }
  return back;
}

static void find_steps(tiler_shape *sh, tiler_statement *s)
{
  for (int i = 0; i < s->accesses; i++) {
    s->access[i].in_step = goes_in_step(sh, s, &s->access[i]);
    sh->stepped |= s->access[i].in_step;
  }
}

static void visit(tiler_shape *sh, int array, uint8_t *state)
{
  tiler_statement *s = &sh->s[array];
  if (!s->computed || state[array] == 2)
    return;
  if (state[array] == 1) {
    sh->cyclic = true;
    return;
  }
  state[array] = 1;
  for (int i = 0; i < s->accesses; i++)
    if (s->access[i].array != array && !s->access[i].in_step)
      visit(sh, s->access[i].array, state);
  state[array] = 2;
  if (sh->n < (int)(sizeof sh->order / sizeof *sh->order))
    sh->order[sh->n++] = array;
}

/* Is that access absent wherever dimension c is at its least? */
static bool absent_at_first(const tiler_shape *sh, const tiler_statement *s, const tiler_access *a, int c)
{
  if (a->from[c] > s->least[c])
    return true;
  for (int q = 0; q < a->rank; q++) {
    tiler_form f = a->at[q].lo;
    if (a->at[q].kind != CDAG_AT || !a->at[q].affine || f.coef[c] == 0)
      continue;
    int64_t v = f.base + f.coef[c] * s->least[c];
    f.coef[c] = 0;
    if (tiler_form_constant(&f, s->rank) && (v < sh->s[a->array].least[q] || v >= sh->s[a->array].most[q]))
      return true;
  }
  return false;
}

static bool bare_at_first(const tiler_shape *sh, const tiler_statement *s, int c)
{
  for (int i = 0; i < s->accesses; i++)
    if (!absent_at_first(sh, s, &s->access[i], c))
      return false;
  for (int i = 0; i < s->selves; i++)
    if (!absent_at_first(sh, s, &s->self[i], c))
      return false;
  return tiler_bound_constant(&s->lo[c], s->rank);
}

/* `input X[...] = ...`: elements without predecessors are inputs.  Where they are the first ones of a dimension, it
 * begins one later. */
static void leave_inputs_out(tiler_shape *sh, tiler_statement *s)
{
  if (!sh->g->array[s->array].declared_input || !s->computed)
    return;
  for (int c = 0; c < s->rank; c++)
    if (bare_at_first(sh, s, c)) {
      s->started = s->chains == 1 && s->chain[0] == c;
      s->bare = !s->started && s->chains > 0;
      s->lo[c].f[0].base++;
      s->least[c]++;
      return;
    }
  s->bare = true;
}

void tiler_shape_init(tiler_shape *sh, const cdag *g, bool widened)
{
  *sh = (tiler_shape){ .g = g, .widened = widened, .affine = !g->graph };
  sh->s = MEM_NEW(tiler_statement, (size_t)g->arrays + 1);
  if (g->graph)
    return;
  for (int a = 0; a < g->arrays; a++) {
    sh->s[a] = (tiler_statement){ .array = a, .rank = g->array[a].rank, .computed = g->array[a].terms > 0 };
    sh->s[a].affine = tiler_read_domain(g, &sh->s[a]);
  }
  for (int a = 0; a < g->arrays; a++) {
    sh->s[a].affine &= read_rule(sh, &sh->s[a]);
    sh->affine &= sh->s[a].affine;
  }
  for (int a = 0; a < g->arrays; a++)
    tiler_join_ends(sh, &sh->s[a]);
  for (int a = 0; a < g->arrays; a++)
    tiler_leave_outer_chains(sh, &sh->s[a]);
  for (int a = 0; a < g->arrays; a++)
    leave_inputs_out(sh, &sh->s[a]);
  for (int a = 0; a < g->arrays; a++)
    find_steps(sh, &sh->s[a]);
  uint8_t *state = MEM_NEW(uint8_t, (size_t)g->arrays + 1);
  for (int a = 0; a < g->arrays; a++) {
    tiler_begin_accesses(sh, &sh->s[a]);
    read_outputs(sh, &sh->s[a]);
    visit(sh, a, state);
  }
  mem_free(state);
}

void tiler_shape_clear(tiler_shape *sh)
{
  for (int a = 0; sh->s && a < sh->g->arrays; a++) {
    mem_free(sh->s[a].access);
    mem_free(sh->s[a].begun);
    mem_free(sh->s[a].self);
  }
  mem_free(sh->s);
  *sh = (tiler_shape){ 0 };
}
