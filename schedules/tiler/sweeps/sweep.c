#include "schedules/tiler/sweeps/sweep.h"
#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/sweeps/plan.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEEPEST = 6 };

double sweep_extent(const sweep *w, int r) { return (double)(w->most[r] - w->least[r]); }

int sweep_place(const sweep *w, int array)
{
  for (int k = 0; k < w->n; k++)
    if (w->stmt[k] == array)
      return k;
  return -1;
}

bool sweep_in_sum(const sweep *w, const tiler_statement *s, int r) { return w->sums && tiler_is_chain(s, r); }

/* ---- is it one? ---- */

/* An index as all steps of the reader's sum need it: a range. */
static tiler_index of_all_steps(const sweep *w, const tiler_statement *s, tiler_index i)
{
  if (i.kind == CDAG_ALL || !i.affine)
    return i;
  if (i.kind == CDAG_AT) {
    i.hi = i.lo;
    i.hi.base++;
  }
  for (int v = 0; v < s->rank; v++) {
    int64_t lo = i.lo.coef[v], hi = i.hi.coef[v];
    if (!sweep_in_sum(w, s, v))
      continue;
    i.lo.base += lo * (lo > 0 ? s->least[v] : s->most[v] - 1);
    i.hi.base += hi * (hi > 0 ? s->most[v] - 1 : s->least[v]);
    i.lo.coef[v] = i.hi.coef[v] = 0;
    i.kind = lo || hi ? CDAG_RANGE : i.kind;
  }
  return i;
}

/* Where the variable has one value, so that it is read at a value, too: the forms as that far from it. */
static void pin(const tiler_statement *reader, const tiler_access *a, int v, tiler_form *lo, tiler_form *hi)
{
  int64_t at = num_max(reader->least[v], a->from[v]), past = num_min(reader->most[v], a->to[v]);
  if (past - at != 1 || !tiler_form_constant(lo, reader->rank) || !tiler_form_constant(hi, reader->rank))
    return;
  lo->base -= at;
  hi->base -= at;
  lo->coef[v] = hi->coef[v] = 1;
}

/* That variable's own place, by some distances. */
static bool distances(const tiler_statement *reader, const tiler_access *a, const tiler_index *i, int v, int64_t *from,
                      int64_t *before)
{
  tiler_form lo = i->lo, hi = i->kind == CDAG_RANGE ? i->hi : i->lo;
  int rank = reader->rank;
  if (v > 0)
    pin(reader, a, v, &lo, &hi);
  *from = lo.base;
  *before = i->kind == CDAG_RANGE ? hi.base : lo.base + 1;
  lo.base = hi.base = 0;
  return i->kind != CDAG_ALL && i->affine && tiler_form_plain(&lo, rank) == v && tiler_form_plain(&hi, rank) == v;
}

/* Does the element of `to` come after what it reads there?  A row is computed in the order of the array's indices. */
static bool comes_after(const sweep *w, const sweep_read *r)
{
  if (r->d[0])
    return r->d[0] < 0;
  if (r->from != r->to || r->d[1])
    return r->from != r->to || r->d[1] < 0;
  for (int q = 0; q < CDAG_RANK; q++)
    for (int k = 2; k <= w->axes; k++)
      if (w->dim[r->to][k] == q && r->d[k])
        return r->d[k] < 0;
  return false;
}

/* A range is each of its elements; what is read under a condition is kept for all. */
static bool add_read(sweep *w, int to, const tiler_access *a)
{
  sweep_read r = { .from = sweep_place(w, a->array), .to = to };
  int64_t from[1 + AXES], before[1 + AXES];
  if (r.from < 0)
    return true;
  if (w->sums && w->own[r.from].chains > 0 && a->kind != TILER_END)
    return false;
  from[0] = 0;
  before[0] = 1;
  for (int q = w->flat; q <= w->axes; q++) {
    tiler_index i = *tiler_said_index(a, w->dim[r.from][q]);
    if (!distances(&w->own[to], a, &i, q, &from[q], &before[q]))
      return false;
  }
  from[0] -= w->level[r.from];
  before[0] -= w->level[r.from];
  memcpy(r.d, from, sizeof r.d);
  while (r.d[0] < before[0]) {
    if (w->reads == READS || !comes_after(w, &r))
      return false;
    w->read[w->reads++] = r;
    for (int q = w->axes; ++r.d[q] == before[q] && q > 0; q--)
      r.d[q] = from[q];
  }
  return true;
}

/* ---- statements in one order of variables ---- */

/* What lies in the hull and not in the domain is left out of every box. */
static bool has_hull(const tiler_statement *s)
{
  bool affine = true;
  for (int r = 0; r < s->rank; r++)
    affine = affine && s->lo[r].affine && s->hi[r].affine;
  return affine;
}

int64_t tiler_output_levels(const cdag *g, int array, int level, int64_t past)
{
  int64_t levels = 0, lo, hi;
  if (g->array[array].declared_output)
    return INT64_MAX;
  for (int i = 0; i < g->selections; i++)
    if (g->selection[i].array == array)
      levels = tiler_selected_range(g, &g->selection[i], level, &lo, &hi) ? num_max(levels, past - lo) : INT64_MAX;
  return levels;
}

/* Statements without what gives them the sweep's order; of the first one index `level` is the level, or, where there
   are none, the one that is walked. */
static bool list_statements(sweep *w, int level)
{
  int levels = w->flat ? 0 : 1; /* how many of the indices */
  bool summed = false;
  const cdag *g = w->s->g;
  for (int a = 0; a < g->arrays; a++) {
    const tiler_statement *s = &w->s->s[a];
    if (!s->computed)
      continue;
    int steps = w->sums ? s->chains : 0, free[CDAG_RANK], n = 0;
    summed = summed || steps;
    if (w->n == SWEPT || s->rank - steps < 1 + levels || s->rank - steps > AXES + levels || !has_hull(s) ||
        (s->bare && !s->started) || (steps && (s->reads_itself || s->all_output)))
      return false;
    if (w->n == 0)
      w->axes = s->rank - steps - levels;
    if (s->rank - steps != w->axes + levels || level >= w->axes + levels)
      return false;
    for (int r = 0; r < s->rank; r++)
      if (!sweep_in_sum(w, s, r))
        free[n++] = r;
    for (int r = 0; r < n; r++)
      w->dim[w->n][r + 1 - levels] = w->n ? -1 : free[r == 0 ? level : r - (r <= level)];
    if (w->flat)
      w->dim[w->n][0] = s->rank;
    w->stmt[w->n++] = a;
  }
  return w->n > 0 && summed == w->sums;
}

/* An access that reads x[v] + c at index q says that both are the same in the sweep's order: which one is known of the
   one array is known of the other then. */
static bool match_order(sweep *w, int to, const tiler_access *a)
{
  int from = sweep_place(w, a->array);
  const tiler_statement *reader = &w->s->s[w->stmt[to]];
  bool changed = false;
  for (int q = 0; from >= 0 && q < a->rank; q++) {
    tiler_index i = of_all_steps(w, reader, *tiler_said_index(a, q));
    tiler_form f = i.lo;
    f.base = 0;
    int v = i.kind == CDAG_ALL || !i.affine || sweep_in_sum(w, &w->s->s[a->array], q)
                ? -1
                : tiler_form_plain(&f, reader->rank);
    for (int r = w->flat; v >= 0 && r <= w->axes; r++) {
      int *d = &w->dim[to][r], *e = &w->dim[from][r];
      if (*d == v && *e < 0) {
        *e = q;
        changed = true;
      } else if (*e == q && *d < 0) {
        *d = v;
        changed = true;
      }
    }
  }
  return changed;
}

/* Where one axis is left and one index, the one is the other: a border may be read at its place alone. */
static bool match_last(sweep *w, int k)
{
  const tiler_statement *s = &w->s->s[w->stmt[k]];
  unsigned left = 0;
  int *last = NULL, n = 0;
  for (int r = 0; r < s->rank; r++)
    left |= sweep_in_sum(w, s, r) ? 0 : 1u << r;
  for (int r = w->flat; r <= w->axes; r++) {
    int *d = &w->dim[k][r];
    n += *d < 0;
    last = *d < 0 ? d : last;
    left &= *d < 0 ? left : ~(1u << *d);
  }
  if (n != 1 || __builtin_popcount(left) != 1)
    return false;
  *last = __builtin_ctz(left);
  return true;
}

static bool find_orders(sweep *w)
{
  bool changed = true, good = true;
  while (changed) {
    changed = false;
    for (int k = 0; k < w->n; k++) {
      const tiler_statement *s = &w->s->s[w->stmt[k]];
      for (int i = 0; i < s->accesses; i++)
        changed |= match_order(w, k, &s->access[i]);
      for (int i = 0; i < s->selves; i++)
        changed |= match_order(w, k, &s->self[i]);
      changed |= match_last(w, k);
    }
  }
  for (int k = 0; k < w->n; k++) {
    const tiler_statement *s = &w->s->s[w->stmt[k]];
    unsigned used = 0, all = w->flat ? 1u << s->rank : 0;
    for (int r = 0; r <= w->axes; r++)
      used |= w->dim[k][r] < 0 ? 0 : 1u << w->dim[k][r];
    for (int r = 0; r < s->rank; r++)
      all |= sweep_in_sum(w, s, r) ? 0 : 1u << r;
    good = good && used == all;
  }
  return good;
}

/* f of statement k's text's variables as one of the sweep's: its level is w->level[k] more. */
static tiler_form form_in_order(const sweep *w, int k, const tiler_form *f)
{
  tiler_form g = { .base = f->base };
  for (int r = w->flat; r <= w->axes; r++)
    g.coef[r] = f->coef[w->dim[k][r]];
  g.base += w->level[k] * g.coef[0];
  return g;
}

static void order_access(const sweep *w, int k, tiler_access *a)
{
  const int *dim = w->dim[k];
  tiler_access old = *a;
  for (int q = 0; q < a->rank; q++)
    old.at[q] = of_all_steps(w, &w->s->s[w->stmt[k]], old.at[q]);
  old.unheld = of_all_steps(w, &w->s->s[w->stmt[k]], old.unheld);
  a->unheld.kind = old.unheld.kind;
  for (int q = 0; q < a->rank; q++) {
    a->at[q].kind = old.at[q].kind;
    a->at[q].lo = form_in_order(w, k, &old.at[q].lo);
    a->at[q].hi = form_in_order(w, k, &old.at[q].hi);
  }
  a->unheld.lo = form_in_order(w, k, &old.unheld.lo);
  a->unheld.hi = form_in_order(w, k, &old.unheld.hi);
  a->from[0] = 0;
  a->to[0] = 1;
  for (int r = w->flat; r <= w->axes; r++) {
    a->from[r] = old.from[dim[r]] - (r ? 0 : w->level[k]);
    a->to[r] = old.to[dim[r]] - (r ? 0 : w->level[k]);
  }
}

/* The statements' domains and accesses in the sweep's order; false: they have not the same levels. */
static bool order_variables(sweep *w)
{
  bool good = true;
  for (int k = 0; k < w->n; k++) {
    const tiler_statement *s = &w->s->s[w->stmt[k]];
    tiler_statement *own = &w->own[k];
    *own = *s;
    own->accesses = 0;
    own->access = NULL;
    size_t room = 0;
    own->self = MEM_NEW(tiler_access, (size_t)s->selves + 1);
    if (!w->flat)
      w->level[k] = s->least[w->dim[k][0]] - w->s->s[w->stmt[0]].least[w->dim[0][0]];
    own->rank = w->axes + 1;
    own->least[0] = 0;
    own->most[0] = 1;
    for (int r = w->flat; r <= w->axes; r++) {
      own->least[r] = s->least[w->dim[k][r]] - (r ? 0 : w->level[k]);
      own->most[r] = s->most[w->dim[k][r]] - (r ? 0 : w->level[k]);
    }
    for (int r = 0; r <= w->axes; r++) {
      w->least[r] = k ? num_min(w->least[r], own->least[r]) : own->least[r];
      w->most[r] = k ? num_max(w->most[r], own->most[r]) : own->most[r];
    }
    for (int i = 0; i < s->accesses; i++) {
      tiler_access a;
      for (int c = 0; tiler_alternative(w->s, s, &s->access[i], c, &a); c++) {
        order_access(w, k, &a);
        own->access = mem_room(own->access, (size_t)own->accesses, &room, sizeof a);
        own->access[own->accesses++] = a;
      }
    }
    own->selves = w->sums && s->chains ? 0 : s->selves;
    for (int i = 0; i < own->selves; i++) {
      own->self[i] = s->self[i];
      order_access(w, k, &own->self[i]);
    }
    good = good && own->most[0] == w->most[0] && own->least[0] == w->least[0];
  }
  return good;
}

static bool list_reads(sweep *w)
{
  bool good = true;
  w->reads = 0;
  for (int k = 0; k < w->n; k++) {
    for (int i = 0; i < w->own[k].accesses; i++)
      good = good && add_read(w, k, &w->own[k].access[i]);
    for (int i = 0; i < w->own[k].selves; i++)
      good = good && add_read(w, k, &w->own[k].self[i]);
  }
  return good;
}

static void swap_statements(sweep *w, int a, int b)
{
  sweep old = *w;
  w->stmt[a] = old.stmt[b];
  w->stmt[b] = old.stmt[a];
  w->own[a] = old.own[b];
  w->own[b] = old.own[a];
  w->level[a] = old.level[b];
  w->level[b] = old.level[a];
  memcpy(w->dim[a], old.dim[b], sizeof old.dim[b]);
  memcpy(w->dim[b], old.dim[a], sizeof old.dim[a]);
  for (int i = 0; i < w->reads; i++) {
    sweep_read *r = &w->read[i];
    r->from = r->from == a ? b : r->from == b ? a : r->from;
    r->to = r->to == a ? b : r->to == b ? a : r->to;
  }
}

/* Each after what it reads at its own level, but for rows that were computed before its own. */
static bool order_statements(sweep *w)
{
  for (int n = 0; n < w->n; n++) {
    int pick = -1;
    for (int k = n; k < w->n && pick < 0; k++) {
      bool ready = true;
      for (int i = 0; i < w->reads; i++) {
        const sweep_read *r = &w->read[i];
        ready = ready && (r->to != k || r->from == k || r->from < n || r->d[0] != 0 || r->d[1] < 0);
      }
      pick = ready ? k : -1;
    }
    if (pick < 0)
      return false;
    for (int k = pick; k > n; k--)
      swap_statements(w, k, k - 1);
  }
  return true;
}

/* ---- slopes and lags ---- */

/* How far behind its reader does what is read stand on that axis, lags apart? */
static int64_t behind(const sweep *w, const sweep_read *r, int k)
{
  return -(r->d[k + 1] + w->slope[k] * r->d[0] + w->lean[k] * r->d[1]);
}

static int64_t distance(const sweep *w, const sweep_read *r, int k)
{
  return behind(w, r, k) + w->lag[r->to][k] - w->lag[r->from][k];
}

/* The least lags with which nothing read stands ahead; false: none do. */
static bool find_lags(sweep *w, int k)
{
  for (int i = 0; i < w->n; i++)
    w->lag[i][k] = 0;
  for (int round = 0; round <= w->n; round++) {
    bool moved = false;
    for (int i = 0; i < w->reads; i++) {
      int64_t d = distance(w, &w->read[i], k);
      if (d < 0) {
        w->lag[w->read[i].to][k] -= d;
        moved = true;
      }
    }
    if (!moved)
      return true;
  }
  return false;
}

static bool find_slopes(sweep *w)
{
  for (int k = 0; k < w->axes; k++) {
    bool found = false;
    for (int lean = 0; lean < (k ? 3 : 1) && !found; lean++)
      for (int slope = 0; slope <= STEEPEST && !found; slope++) {
        w->lean[k] = lean;
        w->slope[k] = slope;
        found = find_lags(w, k);
      }
    if (!found)
      return false;
  }
  return true;
}

/* Is read a made after read b, of the same element, both at the last place? */
static bool is_later(const sweep_read *a, const sweep_read *b)
{
  return a->d[0] != b->d[0] ? a->d[0] < b->d[0] : a->to > b->to;
}

/* All of them, or those that selections name. */
static void find_wanted(sweep *w, int k)
{
  const cdag *g = w->s->g;
  int64_t *wanted = w->wanted[k], lo, hi;
  bool all = g->array[w->stmt[k]].declared_output;
  wanted[0] = INT64_MAX;
  wanted[1] = INT64_MIN;
  for (int i = 0; i < g->selections && !all; i++)
    if (g->selection[i].array == w->stmt[k]) {
      all = !tiler_selected_range(g, &g->selection[i], w->dim[k][1], &lo, &hi);
      wanted[0] = all ? wanted[0] : num_min(wanted[0], lo);
      wanted[1] = all ? wanted[1] : num_max(wanted[1], hi);
    }
  const tiler_statement *s = &w->s->s[w->stmt[k]];
  int row = w->dim[k][1];
  if (all || (wanted[0] <= s->least[row] && wanted[1] >= s->most[row])) {
    wanted[0] = INT64_MIN;
    wanted[1] = INT64_MAX;
  }
}

static void find_stays(sweep *w)
{
  for (int k = 0; k < w->n; k++) {
    find_wanted(w, k);
    w->out[k] = !w->flat ? tiler_output_levels(w->s->g, w->stmt[k], w->dim[k][0], w->most[0] + w->level[k])
                         : w->own[k].output ? INT64_MAX : 0;
    w->all_out[k] = w->out[k] > OUT_MOST;
    w->last[k] = -1;
    int64_t near = INT64_MAX;
    for (int i = 0; i < w->reads; i++) {
      const sweep_read *r = &w->read[i];
      if (r->from != k)
        continue;
      for (int q = 0; q < w->axes; q++)
        w->stay[k][q] = num_max(w->stay[k][q], distance(w, r, q));
      w->brought[k] = num_max(w->brought[k], -r->d[0]);
      near = num_min(near, -r->d[0]);
    }
    w->near[k] = near == INT64_MAX ? 0 : near;
    for (int i = 0; i < w->reads; i++)
      if (w->read[i].from == k && distance(w, &w->read[i], 0) == w->stay[k][0] &&
          (w->last[k] < 0 || is_later(&w->read[i], &w->read[w->last[k]])))
        w->last[k] = i;
  }
}

/* ---- lengths ---- */

static double own_extent(const sweep *w, int k, int r) { return (double)(w->own[k].most[r] - w->own[k].least[r]); }

/* Words of one row of k in a strip: no more than there are. */
static double row_words(const sweep *w, int k)
{
  double z = 1;
  for (int q = 1; q < w->axes; q++)
    z *= fmin((double)(w->width[q] + w->stay[k][q]), own_extent(w, k, q + 1));
  return z;
}

/* A border across the walk stands at few levels at a time, where the rows behind it are not there yet. */
static double levels_of(const sweep *w, int k, int64_t levels)
{
  int64_t few = w->slope[0] ? w->stay[k][0] / w->slope[0] + 1 : levels;
  return (double)(own_extent(w, k, 1) > 1 ? levels : num_min(few, levels)) * (double)w->stay[k][0];
}

/* Rows stay at all levels but those that nothing in the block reads; one more is computed, and one not dropped yet. */
static double peak_of(const sweep *w)
{
  double sum = 0, brought = 0, most = 0;
  for (int k = 0; k < w->n; k++) {
    sum += levels_of(w, k, num_max(w->levels - w->near[k], 0)) * row_words(w, k);
    brought += levels_of(w, k, w->brought[k]) * row_words(w, k);
    most = fmax(most, row_words(w, k));
  }
  sum += brought + sweep_input_words(w, brought);
  return sum + 2 * most + w->sums;
}

/* Words of a row that are another strip's, for each of its own. */
static double shared_part(const sweep *w, int k)
{
  double part = 1;
  for (int q = 1; q < w->axes; q++) {
    bool whole = w->lean[q] == 0 && (double)w->width[q] >= sweep_extent(w, q + 1) + (double)(w->slope[q] * w->levels);
    part *= whole ? 1 : 1 + (double)w->stay[k][q] / (double)w->width[q];
  }
  return part - 1;
}

static double io_of(const sweep *w)
{
  double blocks = ceil(sweep_extent(w, 0) / (double)w->levels), cells = 1, sum = 0;
  for (int r = 1; r <= w->axes; r++)
    cells *= sweep_extent(w, r);
  for (int k = 0; k < w->n; k++) {
    double part = shared_part(w, k), levels = 2 * (double)w->brought[k];
    sum += cells * ((blocks - 1) * levels * (1 + part) + 2 * part * blocks * (double)(w->levels - w->near[k]));
  }
  return sum;
}

/* Does nothing that is read lie beside its reader on that axis, and is no word read at two places of it?  Then strips
   are one wide: what is left of one is never read. */
static bool is_apart(const sweep *w, int q)
{
  bool apart = w->flat;
  for (int k = 0; k < w->n; k++)
    apart = apart && w->stay[k][q] == 0;
  for (int i = 0; i < w->inputs; i++) {
    const sweep_input *in = &w->input[i];
    bool told = in->how == KEPT;
    for (int p = 0; p < w->s->g->array[in->array].rank; p++)
      told = told || (in->var[p] == q + 1 && in->hi[p] - in->lo[p] == 1);
    apart = apart && told;
  }
  return apart;
}

/* Loads of inputs when there are no levels: a strip loads what it shares with the next one, or all of it, again. */
static double input_loads(const sweep *w)
{
  double sum = 0;
  for (int i = 0; i < w->inputs; i++) {
    const sweep_input *in = &w->input[i];
    double z = 1, strips[1 + AXES] = { 1, 1, 1, 1 };
    for (int q = 1; q < w->axes && in->how != KEPT; q++)
      strips[q + 1] = ceil(sweep_extent(w, q + 1) / (double)w->width[q]);
    for (int p = 0; p < w->s->g->array[in->array].rank; p++) {
      double more = (double)(in->hi[p] - in->lo[p] - 1);
      z *= (double)(in->box.hi[p] - in->box.lo[p]);
      if (in->var[p] >= 2 && in->how != KEPT) {
        z += z / sweep_extent(w, in->var[p]) * (strips[in->var[p]] - 1) * more;
        strips[in->var[p]] = 1;
      }
    }
    for (int q = 1; q < w->axes; q++)
      z *= strips[q + 1];
    sum += z;
  }
  return sum;
}

static bool fits(sweep *w, int64_t width, double m)
{
  for (int q = 1; q < w->axes; q++)
    w->width[q] = is_apart(w, q) ? 1 : width;
  return peak_of(w) <= m;
}

/* The widest strips that fit, all axes the same; then the last ones wider. */
static bool widen(sweep *w, double m)
{
  int64_t most = 1, least = 1;
  for (int q = 1; q < w->axes; q++)
    most = num_max(most, w->most[q + 1] - w->least[q + 1] + w->slope[q] * w->levels +
                             w->lean[q] * (w->most[1] - w->least[1]) + 8);
  for (int k = 0; k < w->n; k++)
    for (int q = 1; q < w->axes; q++)
      least = num_max(least, w->stay[k][q]);
  while (least < most) {
    int64_t mid = most - (most - least) / 2;
    if (fits(w, mid, m))
      least = mid;
    else
      most = mid - 1;
  }
  bool good = fits(w, least, m);
  for (int q = w->axes - 1; q > 1 && good && !is_apart(w, q); q--) {
    while (peak_of(w) <= m && w->width[q] < most)
      w->width[q]++;
    w->width[q]--;
  }
  return good;
}

/* Is the text judged soon?  One by one are judged the rows of the first and the last steps of a strip, at which not all
   levels are under way, and of strips that lean those where they enter and leave the domain; blocks of levels are found
   alike while what three of them do fits the referee's log. */
static bool soon_judged(const sweep *w)
{
  enum { ALIKE_ROWS = 150000, MOST_ROWS = 600000 };
  double rows = (double)(w->n * w->levels), blocks = ceil(sweep_extent(w, 0) / (double)w->levels), both = 90;
  bool leans = false;
  for (int q = 1; q < w->axes; q++) {
    double over = sweep_extent(w, q + 1) + (double)w->lean[q] * sweep_extent(w, 1) + (double)(w->slope[q] * w->levels);
    double strips = ceil(over / (double)w->width[q]);
    rows *= strips;
    both += strips > 1 ? 2 * (double)w->lean[q] * (double)(w->width[q] + 2 * w->slope[q] * w->levels) : 0;
    leans |= w->lean[q] > 0;
  }
  if (!leans && !w->hurried)
    return true;
  if (!leans)
    both += 2 * (double)(w->slope[0] * w->levels);
  rows *= fmin(both, sweep_extent(w, 1));
  return rows * (rows <= ALIKE_ROWS ? fmin(blocks, 4) : blocks) <= (w->hurried ? MOST_ROWS / 3 : MOST_ROWS);
}

static bool choose_lengths(sweep *w, double m)
{
  double best = INFINITY;
  int64_t all = w->most[0] - w->least[0], shortest = 1;
  sweep keep = *w;
  for (int k = 0; k < w->n; k++)
    shortest = num_max(shortest, num_max(w->brought[k], w->all_out[k] ? 1 : w->out[k]));
  for (int64_t a = all; a >= shortest; a--) {
    int64_t blocks = (all + a - 1) / a;
    a = num_max((all + blocks - 1) / blocks, shortest); /* the fewest levels for so many blocks */
    w->levels = a;
    if ((all % a && all % a < shortest) || !widen(w, m) || !soon_judged(w))
      continue;
    double io = io_of(w);
    if (io < best) {
      best = io;
      keep = *w;
    }
  }
  *w = keep;
  return isfinite(best);
}

/* Level by level, the whole of it: what the next level reads stays. */
static bool fits_whole(sweep *w, double m)
{
  double sum = 0;
  w->levels = 1;
  for (int q = 1; q < w->axes; q++)
    w->width[q] = w->most[q + 1] - w->least[q + 1] + w->slope[q] + w->lean[q] * (w->most[1] - w->least[1]) + 8;
  for (int k = 0; k < w->n; k++) {
    if (w->brought[k] > 1 || (w->brought[k] && w->read[w->last[k]].d[0] == 0))
      return false; /* a row must not go while its own level still is to be read by the next */
    sum += row_words(w, k) * ((w->brought[k] ? sweep_extent(w, 1) : 0) + (double)w->stay[k][0] + 1);
  }
  return sum + sweep_input_words(w, 0) <= m;
}

static void forget_statements(sweep *w)
{
  for (int k = 0; k < w->n; k++) {
    mem_free(w->own[k].access);
    mem_free(w->own[k].self);
  }
  mem_free(w->input);
}

/* Lags may have put what a statement reads at its own level into its own step: then it was computed before it. */
static bool keeps_order(const sweep *w)
{
  for (int i = 0; i < w->reads; i++) {
    const sweep_read *r = &w->read[i];
    if (r->d[0] == 0 && r->from > r->to && distance(w, r, 0) == 0)
      return false;
  }
  return true;
}

/* Index `level` of the first array is time. */
static bool find_sweep(sweep *w, int level, double m)
{
  if (!list_statements(w, level) || !find_orders(w) || !order_variables(w) || !list_reads(w) || !order_statements(w) ||
      !sweep_cut_inputs(w))
    return false;
  if (w->tilted)
    return sweep_plan_tilt(w, m);
  if (!find_slopes(w) || !keeps_order(w))
    return false;
  find_stays(w);
  sweep_plan_inputs(w, m);
  return w->resident ? fits_whole(w, m) : choose_lengths(w, m);
}

/* Do arrays look at their neighbours, so that strips serve?  Where they lean, levels by blocks are better. */
static bool has_windows(const sweep *w)
{
  int neighbours = 0;
  for (int i = 0; i < w->reads; i++) {
    const sweep_read *r = &w->read[i];
    bool away = false;
    for (int q = 1; q <= w->axes; q++)
      away = away || r->d[q];
    neighbours += !away ? 0 : r->from == r->to ? 1 : 2;
  }
  for (int i = 0; i < w->inputs; i++) {
    const sweep_input *in = &w->input[i];
    for (int q = 0; q < w->s->s[in->array].rank; q++)
      neighbours += in->var[q] > 0 && in->hi[q] - in->lo[q] > 1 ? 2 : 0;
  }
  for (int q = 0; q < w->axes; q++)
    if (w->lean[q])
      return false;
  return neighbours > 1;
}

bool tiler_pipeline(const tiler_shape *s, double m, text *out)
{
  sweep *w = MEM_NEW(sweep, 1), *best = MEM_NEW(sweep, 1);
  for (int way = 0; way < 2 * AXES && !s->g->graph; way++) {
    *w = (sweep){ .s = s, .flat = true, .sums = way / AXES };
    bool good = find_sweep(w, way % AXES, m) && has_windows(w) &&
                (!best->n || io_of(w) + input_loads(w) < io_of(best) + input_loads(best));
    sweep *worse = good ? best : w;
    forget_statements(worse);
    if (good) {
      best = w;
      w = worse;
    }
  }
  bool good = best->n > 0;
  if (good)
    sweep_print(best, out);
  forget_statements(best);
  mem_free(w);
  mem_free(best);
  return good;
}

bool tiler_sweep(const tiler_shape *s, double m, sweep_way how, text *out)
{
  sweep *w = MEM_NEW(sweep, 1);
  bool good = false;
  for (int way = 0; way < 2 * (AXES + 1) && !good && !s->g->graph; way++) {
    *w = (sweep){ .s = s,
                  .sums = way > AXES,
                  .hurried = how == SWEEP_HURRIED,
                  .resident = how == SWEEP_RESIDENT,
                  .tilted = how == SWEEP_TILTED || how == SWEEP_LENGTHY,
                  .lengthy = how == SWEEP_LENGTHY };
    good = find_sweep(w, way % (AXES + 1), m);
    if (good)
      sweep_print(w, out);
    forget_statements(w);
  }
  mem_free(w);
  return good;
}
