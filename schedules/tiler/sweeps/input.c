#include "base/mem.h"
#include "base/num.h"
#include "schedules/tiler/sweeps/plan.h"
#include <math.h>
#include <string.h>

/* ---- what a statement reads of a box ---- */

static bool is_single(const tiler_access *u, int v) { return u->to[v] == u->from[v] + 1; }

/* The only variable of both ends of an index, with coefficient 1; NO_VARIABLE: constants; ALL_OF_IT: no such form. */
static int variable_of(const tiler_index *i, int rank)
{
  tiler_form lo = i->lo, hi = i->kind == CDAG_RANGE ? i->hi : i->lo;
  lo.base = hi.base = 0;
  if (i->kind == CDAG_ALL || !i->affine || memcmp(lo.coef, hi.coef, sizeof lo.coef) != 0)
    return ALL_OF_IT;
  if (tiler_form_constant(&lo, rank))
    return NO_VARIABLE;
  int v = tiler_form_plain(&lo, rank);
  return v < 0 ? ALL_OF_IT : v;
}

/* An index as a range. */
static tiler_index as_range(const tiler_index *i)
{
  tiler_index r = *i;
  if (i->kind == CDAG_AT) {
    r.kind = CDAG_RANGE;
    r.hi = r.lo;
    r.hi.base++;
  }
  return r;
}

/* Index q is constant and a variable has one value only: `W[0] if i == 1` is W[i-1]. */
static void follow_variable(tiler_access *u, int q, int rank)
{
  unsigned used = 0;
  for (int p = 0; p < u->rank; p++) {
    int v = variable_of(&u->at[p], rank);
    used |= v >= 0 ? 1u << v : 0;
  }
  for (int v = 1; v < rank; v++)
    if (is_single(u, v) && !(used >> v & 1)) {
      u->at[q].lo.coef[v] = u->at[q].hi.coef[v] = 1;
      u->at[q].lo.base -= u->from[v];
      u->at[q].hi.base -= u->from[v];
      return;
    }
}

/* A variable that has one value only is a number where an index is no such form: `W[2*i] if i == 1` is W[2]. */
static void fold_values(tiler_access *u, int q, int rank)
{
  for (int v = 0; v < rank && u->at[q].affine && variable_of(&u->at[q], rank) == ALL_OF_IT; v++)
    if (is_single(u, v)) {
      tiler_form *const end[] = { &u->at[q].lo, &u->at[q].hi };
      for (int e = 0; e < 2; e++) {
        end[e]->base += end[e]->coef[v] * u->from[v];
        end[e]->coef[v] = 0;
      }
    }
}

bool sweep_use(const tiler_statement *s, const tiler_access *a, const cdag_box *box, tiler_access *u)
{
  *u = *a;
  if (u->held >= 0)
    u->at[u->held] = u->unheld;
  bool some = true;
  for (int r = 0; r < s->rank; r++) {
    u->from[r] = num_max(u->from[r], s->least[r]);
    u->to[r] = num_min(u->to[r], s->most[r]);
  }
  for (int q = 0; q < u->rank; q++) {
    fold_values(u, q, s->rank);
    int v = variable_of(&u->at[q], s->rank);
    u->at[q] = as_range(&u->at[q]);
    int64_t lo = u->at[q].lo.base, hi = u->at[q].hi.base;
    if (v == NO_VARIABLE)
      some = some && lo < box->hi[q] && hi > box->lo[q];
    if (v >= 0) {
      u->from[v] = num_max(u->from[v], box->lo[q] - hi + 1);
      u->to[v] = num_min(u->to[v], box->hi[q] - lo);
    }
  }
  for (int r = 0; r < s->rank; r++)
    some = some && u->from[r] < u->to[r];
  for (int q = 0; q < u->rank && some; q++)
    if (variable_of(&u->at[q], s->rank) == NO_VARIABLE)
      follow_variable(u, q, s->rank);
  return some;
}

/* Index q of both: a range around them; all of a thin box; false: neither. */
static bool join_index(tiler_index *to, const tiler_index *i, int64_t size)
{
  enum { THIN = 4 };
  bool same = to->kind == i->kind && i->affine && memcmp(to->lo.coef, i->lo.coef, sizeof i->lo.coef) == 0 &&
              memcmp(to->hi.coef, i->hi.coef, sizeof i->hi.coef) == 0;
  to->lo.base = num_min(to->lo.base, i->lo.base);
  to->hi.base = num_max(to->hi.base, i->hi.base);
  if (!same && size <= THIN)
    to->kind = CDAG_ALL;
  return same || size <= THIN;
}

bool sweep_hull(const sweep *w, int k, const sweep_input *in, tiler_access *hull)
{
  const tiler_statement *s = &w->own[k];
  bool good = true;
  hull->rank = -1;
  for (int i = 0; i < s->accesses; i++) {
    tiler_access u;
    if (s->access[i].array != in->array || !sweep_use(s, &s->access[i], &in->box, &u))
      continue;
    if (hull->rank < 0) {
      *hull = u;
      for (int q = 0; q < u.rank; q++)
        good = good && u.at[q].affine;
      continue;
    }
    for (int q = 0; q < u.rank; q++)
      good = join_index(&hull->at[q], &u.at[q], in->box.hi[q] - in->box.lo[q]) && good;
    for (int r = 0; r < s->rank; r++) {
      hull->from[r] = num_min(hull->from[r], u.from[r]);
      hull->to[r] = num_max(hull->to[r], u.to[r]);
    }
  }
  return good;
}

/* ---- boxes that are read alike ---- */

enum { KINDS = 32, CELLS = 64, ENDS = 2 + 2 * KINDS };
/* What reads of one kind have of the array: those with conditions on the same ends of the same axes. */
typedef struct {
  int end[1 + AXES];           /* of which end a condition is: 0: no condition, 1 low, 2 high, 3 elsewhere */
  int var[CDAG_RANK];
  cdag_box image;
} kind_of_read;

/* Which words a reads, and where; false: as its statement goes through the whole of its domain. */
static bool read_kind(const sweep *w, int k, const tiler_access *a, kind_of_read *out)
{
  const tiler_statement *s = &w->own[k];
  const cdag_box *all = &w->s->g->array[a->array].hull;
  tiler_access u;
  bool apart = false;
  if (!sweep_use(s, a, all, &u))
    return false;
  for (int r = 1; r < s->rank; r++) {
    bool low = a->from[r] <= s->least[r], high = a->to[r] >= s->most[r];
    out->end[r] = low && high ? 0 : low ? 1 : high ? 2 : 3;
    apart = apart || out->end[r];
  }
  for (int q = 0; q < u.rank; q++) {
    int v = out->var[q] = variable_of(&u.at[q], s->rank);
    apart = apart || v == NO_VARIABLE;
    out->image.lo[q] = v == ALL_OF_IT ? all->lo[q] : u.at[q].lo.base + (v >= 0 ? u.from[v] : 0);
    out->image.hi[q] = v == ALL_OF_IT ? all->hi[q] : u.at[q].hi.base + (v >= 0 ? u.to[v] - 1 : 0);
  }
  return apart;
}

static int list_kinds(const sweep *w, int array, kind_of_read *kind)
{
  int n = 0, rank = w->s->g->array[array].rank;
  for (int k = 0; k < w->n; k++)
    for (int i = 0; i < w->own[k].accesses; i++) {
      kind_of_read one = { .end = { 0 } };
      if (w->own[k].access[i].array != array || !read_kind(w, k, &w->own[k].access[i], &one))
        continue;
      int same = 0;
      while (same < n && (memcmp(kind[same].end, one.end, sizeof one.end) != 0 ||
                          memcmp(kind[same].var, one.var, sizeof one.var) != 0))
        same++;
      if (same == KINDS)
        return 0;
      if (same == n)
        kind[n++] = one;
      for (int q = 0; q < rank; q++) {
        kind[same].image.lo[q] = num_min(kind[same].image.lo[q], one.image.lo[q]);
        kind[same].image.hi[q] = num_max(kind[same].image.hi[q], one.image.hi[q]);
      }
    }
  return n;
}

static void add_end(int64_t *end, int *n, int64_t value)
{
  int at = *n;
  while (at > 0 && end[at - 1] > value)
    at--;
  if (at > 0 && end[at - 1] == value)
    return;
  memmove(&end[at + 1], &end[at], (size_t)(*n - at) * sizeof *end);
  end[at] = value;
  ++*n;
}

/* The box, if something is read of it. */
static bool add_input(sweep *w, int array, const cdag_box *box)
{
  const cdag_box *all = &w->s->g->array[array].hull;
  sweep_input in = { .array = array, .box = *box };
  bool read = false, good = true;
  for (int k = 0; k < w->n; k++) {
    tiler_access hull;
    good = sweep_hull(w, k, &in, &hull) && good;
    read = read || hull.rank >= 0;
  }
  for (int q = 0; q < w->s->g->array[array].rank; q++) {
    in.below[q] = box->lo[q] > all->lo[q];
    in.above[q] = box->hi[q] < all->hi[q];
  }
  if (!read)
    return true;
  w->input = mem_room(w->input, (size_t)w->inputs, &w->room, sizeof *w->input);
  w->input[w->inputs++] = in;
  return good;
}

/* The array is cut along all its indices where the words of a kind begin or end. */
static bool cut_array(sweep *w, int array)
{
  kind_of_read kind[KINDS];
  int64_t end[CDAG_RANK][ENDS];
  int ends[CDAG_RANK] = { 0 }, at[CDAG_RANK] = { 0 }, rank = w->s->g->array[array].rank;
  int kinds = list_kinds(w, array, kind);
  const cdag_box *all = &w->s->g->array[array].hull;
  double cells = 1;
  for (int q = 0; q < rank; q++) {
    add_end(end[q], &ends[q], all->lo[q]);
    add_end(end[q], &ends[q], all->hi[q]);
    for (int k = 0; k < kinds; k++) {
      add_end(end[q], &ends[q], num_min(num_max(kind[k].image.lo[q], all->lo[q]), all->hi[q]));
      add_end(end[q], &ends[q], num_min(num_max(kind[k].image.hi[q], all->lo[q]), all->hi[q]));
    }
    cells *= ends[q] - 1;
  }
  if (cells > CELLS)
    return add_input(w, array, all);
  bool good = true;
  for (int q = 0; q >= 0;) {
    cdag_box box = { { 0 }, { 0 } };
    for (int r = 0; r < rank; r++) {
      box.lo[r] = end[r][at[r]];
      box.hi[r] = end[r][at[r] + 1];
    }
    good = good && add_input(w, array, &box);
    for (q = rank - 1; q >= 0 && ++at[q] >= ends[q] - 1; q--)
      at[q] = 0;
  }
  return good;
}

bool sweep_cut_inputs(sweep *w)
{
  bool good = true;
  for (int a = 0; a < w->s->g->arrays && good; a++)
    good = sweep_place(w, a) >= 0 || w->s->g->array[a].count == 0 || cut_array(w, a);
  return good;
}

/* ---- how they come ---- */

/* How far apart an input's first and last word are that are read along index q by one step and level. */
static int64_t spread(const sweep_input *in, int q) { return in->hi[q] - in->lo[q]; }

static int64_t size_of(const sweep_input *in, int q) { return in->box.hi[q] - in->box.lo[q]; }

/* What statement k reads joins what others do; false: in another way. */
static bool join_hull(const sweep *w, int k, const tiler_access *hull, bool first, sweep_input *in)
{
  int row = -1, rank = w->own[k].rank;
  unsigned used = 0;
  for (int q = 0; q < hull->rank; q++)
    row = variable_of(&hull->at[q], rank) == 1 ? q : row;
  for (int q = 0; q < hull->rank; q++) {
    bool whole = hull->at[q].kind == CDAG_ALL;
    int v = variable_of(&hull->at[q], rank);
    int64_t lo = hull->at[q].lo.base, hi = hull->at[q].hi.base;
    if ((v == ALL_OF_IT && !whole) || (v >= 0 && (used >> v & 1)) || (!first && v != in->var[q]))
      return false;
    used |= v >= 0 ? 1u << v : 0;
    if (v >= 1)
      lo -= w->lag[k][v - 1], hi -= w->lag[k][v - 1];
    if (v >= 2 && w->lean[v - 1] && row < 0)
      return false;
    if (v >= 2 && row >= 0) {
      lo += w->lean[v - 1] * hull->at[row].lo.base;
      hi += w->lean[v - 1] * (hull->at[row].hi.base - 1);
    }
    in->var[q] = v;
    in->lo[q] = first ? lo : num_min(in->lo[q], lo);
    in->hi[q] = first ? hi : num_max(in->hi[q], hi);
  }
  in->row = row;
  in->first = first ? hull->from[0] : num_min(in->first, hull->from[0]);
  in->past = first ? hull->to[0] : num_max(in->past, hull->to[0]);
  return true;
}

static int index_with(const sweep_input *in, int rank, int v)
{
  for (int q = 0; q < rank; q++)
    if (in->var[q] == v)
      return q;
  return -1;
}

/* Its rows are read at few steps. */
static bool has_few_rows(const sweep_input *in)
{
  return in->row >= 0 && size_of(in, in->row) < num_max(2, spread(in, in->row));
}

/* Many of its rows are not read at all. */
static bool has_idle_rows(const sweep *w, const sweep_input *in)
{
  double read = in->row >= 0 ? sweep_extent(w, 1) + (double)spread(in, in->row) : 0;
  return in->row >= 0 && (double)size_of(in, in->row) > 16 + 1.1 * read;
}

static sweep_coming way_of(const sweep *w, const sweep_input *in, double m)
{
  int rank = w->s->g->array[in->array].rank, level = index_with(in, rank, 0);
  double volume = 1;
  for (int q = 0; q < rank; q++)
    volume *= (double)size_of(in, q);
  if (volume <= m / 64)
    return KEPT;
  if (has_few_rows(in) || has_idle_rows(w, in) || (level >= 0 && in->row >= 0 && spread(in, level) > 1))
    return BY_STATEMENT;
  if (in->row < 0)
    return BY_STRIP;
  return level >= 0 || in->past == in->first + 1 ? BY_LEVEL : BY_ROW;
}

void sweep_plan_inputs(sweep *w, double m)
{
  for (int i = 0; i < w->inputs; i++) {
    sweep_input *in = &w->input[i];
    bool good = true, first = true;
    for (int k = 0; k < w->n; k++) {
      tiler_access hull;
      sweep_hull(w, k, in, &hull);
      if (hull.rank < 0)
        continue;
      good = good && join_hull(w, k, &hull, first, in);
      first = false;
    }
    in->how = good ? way_of(w, in, m) : BY_STATEMENT;
  }
}

/* Is it read at the first levels of all only, where it stands for the levels before? */
static bool is_first_level(const sweep *w, const sweep_input *in)
{
  int64_t brought = 0;
  for (int k = 0; k < w->n; k++)
    brought = num_max(brought, w->brought[k]);
  return in->past - w->least[0] <= brought;
}

/* Words of an input on chip while a strip is walked; 0 when it is there at the ends of an axis only.  At the first
   level the oldest row goes before the next level comes, as a level's before it does. */
static double words_of(const sweep *w, const sweep_input *in)
{
  double z = 1, later = (double)(in->how == BY_LEVEL ? 0 : w->levels - 1);
  for (int q = 0; q < w->s->g->array[in->array].rank; q++) {
    int v = in->var[q];
    double all = (double)size_of(in, q), need = all;
    if (v == 0)
      need = (double)(w->levels + spread(in, q) - 1);
    else if (v == 1)
      need = (double)w->slope[0] * later + (double)(spread(in, q) - is_first_level(w, in));
    else if (v >= 2)
      need = (double)(w->width[v - 1] + spread(in, q) - 1) + (double)w->slope[v - 1] * later;
    bool whole = v >= 2 && w->lean[v - 1] == 0 && (double)w->width[v - 1] >= sweep_extent(w, v);
    if (v >= 1 && all < need / 2 && in->how != KEPT && !whole)
      return 0;
    z *= in->how == KEPT ? all : fmin(need, all);
  }
  return z;
}

double sweep_input_words(const sweep *w, double brought)
{
  double sum = 0, first = 0;
  for (int i = 0; i < w->inputs; i++)
    if (w->input[i].how != BY_STATEMENT)
      *(is_first_level(w, &w->input[i]) ? &first : &sum) += words_of(w, &w->input[i]);
  return sum + fmax(first - brought, 0);
}
