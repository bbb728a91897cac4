#include "schedules/tiler/plain/stay.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

/* An index lies so far from the value of a loop. */
typedef struct { int loop; int64_t least, most; } near_loop;
typedef struct {
  int array, item;
  stay_at at[CDAG_RANK];
  near_loop near[CDAG_RANK];   /* of the loop that the array's own dimension has */
  int64_t wide[CDAG_RANK];     /* a range: so many values behind the first */
  double words;                /* in an element's ranges */
} reader;
typedef struct {
  const stay_question *q;
  int array, n, groups;
  reader r[STAY_READS];
  int group[STAY_READS];
} readers;

tiler_access stay_item(const tiler_shape *s, int array, int item)
{
  const tiler_statement *y = &s->s[array];
  tiler_access a = item < y->accesses ? y->access[item] : y->self[item - y->accesses];
  const cdag_term *t = &s->g->array[array].term[a.term];
  if (t->guarded)
    tiler_index_unguarded(s->g, y->rank, t, t->guarded - 1, &a.at[t->guarded - 1]);
  return a;
}

/* Variables that have no loop yet are at their least values: the index goes on from there (behind_first). */
static stay_at place_of(const stay_question *q, int array, const tiler_index *x)
{
  const tiler_statement *s = &q->s->s[array];
  stay_at at = { STAY_CONSTANT, x->lo.base };
  bool swings = false;
  if (x->kind == CDAG_ALL || !x->affine)
    return (stay_at){ STAY_NOWHERE, 0 };
  for (int v = 0; v < s->rank; v++) {
    stay_at own = q->variables[array].of[v];
    if (!x->lo.coef[v])
      continue;
    if (own.loop < 0 && x->lo.coef[v] > 0 && tiler_bound_constant(&s->lo[v], s->rank) &&
        tiler_bound_constant(&s->hi[v], s->rank)) {
      swings = true;
      at.off += x->lo.coef[v] * s->least[v];
      continue;
    }
    if (x->lo.coef[v] != 1 || own.loop < 0 || at.loop != STAY_CONSTANT)
      return (stay_at){ STAY_NOWHERE, 0 };
    at = (stay_at){ own.loop, at.off + own.off };
  }
  bool told = x->kind == CDAG_AT && !swings;
  return told || at.loop == q->loop ? at : (stay_at){ STAY_NOWHERE, 0 };
}

/* Values behind the first in one element's range, where its length is known. */
static int64_t range_behind(const stay_question *q, int array, const tiler_index *x)
{
  tiler_form f = x->hi;
  if (x->kind != CDAG_RANGE || !x->affine)
    return 0;
  tiler_form_add(&f, &x->lo, -1);
  return tiler_form_constant(&f, q->s->s[array].rank) && f.base > 1 ? f.base - 1 : 0;
}

/* And with variables that have no loop yet at their other values. */
static int64_t behind_first(const stay_question *q, int array, const tiler_index *x)
{
  const tiler_statement *s = &q->s->s[array];
  int64_t more = range_behind(q, array, x);
  for (int v = 0; v < s->rank && x->kind != CDAG_ALL && x->affine; v++)
    if (x->lo.coef[v] > 0 && q->variables[array].of[v].loop < 0)
      more += x->lo.coef[v] * (s->most[v] - 1 - s->least[v]);
  return more;
}

/* Is it never the same value, in one iteration of the loops further out? */
static bool places_apart(const stay_question *q, stay_at a, stay_at b)
{
  return a.loop == b.loop && a.loop >= 0 && a.loop != q->loop && a.off != b.off;
}

/* How far index r lies from the loop that dimension r of the array has, where that one is further out. */
static near_loop near_of(const readers *l, int array, int r, const tiler_index *x)
{
  const stay_question *q = l->q;
  const tiler_statement *y = &q->s->s[array];
  near_loop n = { .loop = q->s->s[l->array].computed ? q->variables[l->array].of[r].loop : STAY_NOWHERE };
  if (n.loop <= 0 || n.loop == q->loop || x->kind != CDAG_AT || !x->affine)
    return (near_loop){ .loop = STAY_NOWHERE };
  for (int v = 0; v < y->rank; v++) {
    stay_at own = q->variables[array].of[v];
    tiler_form f = x->lo, minus = { 0 };
    if (own.loop != n.loop)
      continue;
    f.coef[v]--;
    f.base += own.off;
    tiler_form_add(&minus, &f, -1);
    n.most = tiler_form_most(y, &f);
    n.least = -tiler_form_most(y, &minus);
    return n;
  }
  return (near_loop){ .loop = STAY_NOWHERE };
}

static bool apart(const readers *l, const reader *a, const reader *b)
{
  for (int r = 0; r < l->q->s->s[l->array].rank; r++) {
    const near_loop *m = &a->near[r], *n = &b->near[r];
    if (places_apart(l->q, a->at[r], b->at[r]) ||
        (m->loop > 0 && m->loop == n->loop && (m->most < n->least || n->most < m->least)))
      return true;
  }
  return false;
}

/* False: they are too many, or one may name elements of two groups. */
static bool add_reader(readers *l, int array, int item, const tiler_access *a)
{
  int to = -1;
  if (l->n == STAY_READS || item >= STAY_READS)
    return false;
  reader *r = &l->r[l->n];
  *r = (reader){ .array = array, .item = item, .words = 1 };
  for (int k = 0; k < a->rank; k++) {
    tiler_form f = a->at[k].hi;
    tiler_form_add(&f, &a->at[k].lo, -1);
    r->wide[k] = behind_first(l->q, array, &a->at[k]);
    r->words *= (double)(range_behind(l->q, array, &a->at[k]) + 1);
    r->at[k] = place_of(l->q, array, &a->at[k]);
    r->near[k] = near_of(l, array, k, &a->at[k]);
    if (a->at[k].kind == CDAG_RANGE && !tiler_form_constant(&f, l->q->s->s[array].rank))
      r->at[k].loop = STAY_NOWHERE;
  }
  for (int i = 0; i < l->n; i++)
    if (!apart(l, r, &l->r[i])) {
      if (to >= 0 && to != l->group[i])
        return false;
      to = l->group[i];
    }
  l->group[l->n++] = to >= 0 ? to : l->groups++;
  return true;
}

static bool gather(readers *l)
{
  const stay_question *q = l->q;
  for (int m = 0; m < q->node->members; m++) {
    int y = q->node->member[m].array;
    for (int i = 0; i < stay_items(&q->s->s[y]); i++) {
      tiler_access a = stay_item(q->s, y, i);
      if (a.array == l->array && !(i < STAY_READS && q->served[y] >> i & 1) && !add_reader(l, y, i, &a))
        return false;
    }
  }
  return l->n > 0;
}

static double extent(const tiler_statement *s, int v) { return fmax(1, (double)(s->most[v] - s->least[v])); }

static double extent_of(const tiler_shape *s, int array, int r)
{
  const cdag_box *hull = &s->g->array[array].hull;
  return fmax(1, (double)(hull->hi[r] - hull->lo[r]));
}

static const order_node *node_of(const readers *l) { return l->q->node; }

/* The member that computes the array, or -1. */
static int maker_of(const readers *l)
{
  for (int m = 0; m < node_of(l)->members; m++)
    if (node_of(l)->member[m].array == l->array)
      return m;
  return -1;
}

/* What all readers of the group agree on, index by index; the first that goes with the loop is its own dimension. */
static void put_together(const readers *l, int group, stay *s)
{
  bool any = false;
  s->dim = -1;
  for (int i = 0; i < l->n; i++) {
    if (l->group[i] != group)
      continue;
    for (int r = 0; r < l->q->s->s[l->array].rank; r++) {
      stay_at a = l->r[i].at[r], b = any ? s->at[r] : a;
      bool moves = a.loop == l->q->loop && b.loop == a.loop;
      s->at[r] = moves || (a.loop == b.loop && a.off == b.off) ? b : (stay_at){ STAY_NOWHERE, 0 };
    }
    any = true;
    s->read[s->reads].array = l->r[i].array;
    s->read[s->reads++].item = l->r[i].item;
  }
}

/* The slices that the group's readers want, in dimension `dim`. */
static void window(const readers *l, int group, int dim, stay *s)
{
  bool any = false;
  s->dim = dim;
  for (int i = 0; i < l->n; i++)
    if (l->group[i] == group) {
      int64_t off = l->r[i].at[dim].off, end = off + l->r[i].wide[dim];
      s->first = any && s->first < off ? s->first : off;
      s->last = any && s->last > end ? s->last : end;
      any = true;
    }
}

/* Computed in the loop, at that offset of its own dimension: no reader may look ahead. */
static bool make_there(const readers *l, int member, stay *s)
{
  const tiler_statement *x = &l->q->s->s[l->array];
  int dim = node_of(l)->member[member].dim;
  int64_t own = l->q->variables[l->array].of[dim].off;
  if (x->bare || x->started || s->dim != dim || (node_of(l)->reversed ? s->first < own : s->last > own))
    return false;
  for (int r = 0; r < x->rank; r++) {
    stay_at mine = l->q->variables[l->array].of[r];
    if (r != dim && mine.loop > 0 && (s->at[r].loop != mine.loop || s->at[r].off != mine.off))
      return false;
  }
  s->first = s->first < own ? s->first : own;
  s->last = s->last > own ? s->last : own;
  s->made = true;
  return true;
}

/* Computed in the loop and read there at any of its values so far: all of it stays until the loop's end. */
static bool make_whole(const readers *l, int member, stay *s)
{
  const tiler_statement *x = &l->q->s->s[l->array];
  int dim = node_of(l)->member[member].dim;
  if (x->bare || x->started || s->dim >= 0 || s->at[dim].loop != STAY_NOWHERE)
    return false;
  for (int r = 0; r < x->rank; r++) {
    stay_at mine = l->q->variables[l->array].of[r];
    if (r != dim && mine.loop > 0 && (s->at[r].loop != mine.loop || s->at[r].off != mine.off))
      return false;
  }
  s->across = dim;
  return s->made = true;
}

/* ---- in place, by pairs ---- */

/* Where the array stands in the order of the loop's statements; -1: not there. */
static int leaf_rank(const order_node *n, int array, int *count)
{
  if (n->leaf)
    return n->array == array ? *count : ((*count)++, -1);
  for (int i = 0; i < n->kids; i++) {
    int at = leaf_rank(n->kid[i], array, count);
    if (at >= 0)
      return at;
  }
  return -1;
}

static bool stands_before(const readers *l, int a, int b)
{
  int first = 0, second = 0;
  return leaf_rank(node_of(l), a, &first) < leaf_rank(node_of(l), b, &second);
}

/* Is f the range of x[r] from its other end, lo + hi - 1 - x[r], but for so many values at that end? */
static bool is_mirror(const tiler_statement *x, int r, const tiler_form *f, int64_t *beyond)
{
  const tiler_bound *lo = &x->lo[r], *hi = &x->hi[r];
  if (f->coef[r] != -1)
    return false;
  tiler_form rest = lo->f[0];
  tiler_form_add(&rest, &hi->f[0], 1);
  tiler_form_add(&rest, f, -1);
  rest.coef[r]--;
  *beyond = rest.base - 1;
  return tiler_form_constant(&rest, x->rank) && *beyond >= 0;
}

/* Do all members walk the loop to its end? */
static bool end_alike(const readers *l)
{
  const order_node *n = node_of(l);
  const tiler_statement *a = &l->q->s->s[n->member[0].array];
  for (int m = 1; m < n->members; m++) {
    const tiler_statement *b = &l->q->s->s[n->member[m].array];
    if (a->most[n->member[0].dim] + n->member[0].shift != b->most[n->member[m].dim] + n->member[m].shift)
      return false;
  }
  return true;
}

/* X[k,i] that reads X[k-1,i] and X[k-1,c-i], and all that others read of X[k-1,*] they read before: two new elements at
   a time take the places of two old ones. */
static bool find_mirror(const readers *l, int group, stay *s)
{
  const tiler_statement *x = &l->q->s->s[l->array];
  bool mirrored = false, pairs = l->groups == 1;
  if (x->rank != 2 || x->chains || s->dim < 0 || s->last - s->first != 1 || node_of(l)->reversed)
    return false;
  s->across = !s->dim;
  const tiler_bound *lo = &x->lo[s->across], *hi = &x->hi[s->across];
  if (!lo->affine || !hi->affine || lo->n != 1 || hi->n != 1 || !end_alike(l) ||
      lo->f[0].coef[s->dim] > 0 || hi->f[0].coef[s->dim] < 0)
    return false; /* an old one whose place nobody takes would stay */
  for (int i = 0; i < l->n; i++) {
    if (l->group[i] != group)
      continue;
    const reader *r = &l->r[i];
    if (r->array != l->array) {
      tiler_access a = stay_item(l->q->s, r->array, r->item);
      if (r->at[s->dim].off < s->last && !stands_before(l, r->array, l->array))
        return false;
      pairs &= r->at[s->dim].off < s->last && a.at[s->across].kind == CDAG_AT && a.at[s->across].affine;
      continue;
    }
    tiler_access a = stay_item(l->q->s, r->array, r->item);
    const tiler_index *at = &a.at[s->across];
    if (at->kind != CDAG_AT || !at->affine)
      return false;
    bool mirror = is_mirror(x, s->across, &at->lo, &s->beyond);
    if (mirror ? mirrored && memcmp(&at->lo, &s->mirror, sizeof at->lo) != 0
               : tiler_form_plain(&at->lo, x->rank) != s->across)
      return false;
    s->mirror = mirror ? at->lo : s->mirror;
    mirrored |= mirror;
  }
  if (mirrored && s->beyond > hi->f[0].coef[s->dim])
    return false;
  s->by_pairs = mirrored && pairs && tiler_form_constant(&x->lo[s->across].f[0], x->rank);
  return mirrored;
}

/* Does a loop further out keep it from what the loop computes now? */
static bool made_before(const readers *l, const stay *s)
{
  for (int r = 0; r < l->q->s->s[l->array].rank; r++)
    if (places_apart(l->q, l->q->variables[l->array].of[r], s->at[r]))
      return true;
  return false;
}

/* The part of a variable's values at which the access names something: an index that goes with it may leave the
   array. */
static double part_there(const readers *l, const tiler_access *a, const tiler_statement *y, int v)
{
  double part = 1;
  for (int k = 0; k < a->rank; k++) {
    tiler_form f = a->at[k].lo;
    f.base = 0;
    if (a->at[k].kind == CDAG_AT && a->at[k].affine && tiler_form_plain(&f, y->rank) == v)
      part = fmin(part, extent_of(l->q->s, l->array, k) / extent(y, v));
  }
  return part;
}

/* Loads while the loop runs once; a read under a condition is expected in one iteration of those further out. */
static double loads_of(const readers *l, const reader *r)
{
  const tiler_statement *y = &l->q->s->s[r->array];
  tiler_access a = stay_item(l->q->s, r->array, r->item);
  bool sometimes = cdag_term_condition(&l->q->s->g->array[r->array].term[a.term]) != NULL;
  double loads = r->words;
  for (int v = 0; v < y->rank; v++) {
    int loop = l->q->variables[r->array].of[v].loop;
    loads *= part_there(l, &a, y, v);
    if (loop < 0 || loop == l->q->loop)
      loads *= extent(y, v);
    else if (sometimes)
      loads /= extent(y, v);
  }
  return loads;
}

/* So much longer is index r in each iteration than in the one before it. */
static int64_t growth(const readers *l, const stay *s, int r)
{
  const tiler_statement *x = &l->q->s->s[l->array];
  if (!s->made || s->dim < 0 || node_of(l)->reversed || x->lo[r].n != 1 || x->hi[r].n != 1 || !x->lo[r].affine ||
      !x->hi[r].affine)
    return 0;
  return num_max(0, x->hi[r].f[0].coef[s->dim] - x->lo[r].f[0].coef[s->dim]);
}

/* Words on chip, and the loads that are saved while the loop runs once. */
static bool weigh(const readers *l, int group, stay *s)
{
  const tiler_shape *sh = l->q->s;
  const tiler_statement *x = &sh->s[l->array];
  double slice = 1, trips = 1;
  int sides = 0;
  for (int r = 0; r < x->rank; r++) {
    bool end = l->q->chained[l->array] && tiler_is_chain(x, r), all = r != s->dim && s->at[r].loop != STAY_CONSTANT &&
               (s->at[r].loop < 0 || s->at[r].loop == l->q->loop);
    if (end && all && !s->made)
      return false; /* the ends alone are stored */
    slice *= all && !end ? extent_of(sh, l->array, r) : 1;
    sides += all && !end;
    s->grows = all && !end ? growth(l, s, r) : s->grows;
  }
  for (int m = 0; m < node_of(l)->members; m++)
    trips = fmax(trips, extent(&sh->s[node_of(l)->member[m].array], node_of(l)->member[m].dim));
  for (int i = 0; i < l->n; i++)
    s->saved += l->group[i] == group ? loads_of(l, &l->r[i]) : 0;
  s->grows = sides > 1 ? 0 : s->mirrored ? s->grows : s->grows * (s->last - s->first + 1);
  s->words = s->dim < 0 ? slice : s->mirrored ? slice + 2 : slice * (double)(s->last - s->first + 1);
  s->saved -= s->made ? 0 : s->dim < 0 ? slice : fmin(trips, extent_of(sh, l->array, s->dim)) * slice;
  return s->saved > 0;
}

/* A loop further in that both arrays walk: their dimensions there. */
static bool walk_together(const order_node *n, int a, int b, int *da, int *db)
{
  for (int i = 0; i < n->kids; i++) {
    const order_node *loop = n->kid[i];
    *da = *db = -1;
    for (int m = 0; m < loop->members && !loop->leaf; m++) {
      *da = loop->member[m].array == a ? loop->member[m].dim : *da;
      *db = loop->member[m].array == b ? loop->member[m].dim : *db;
    }
    if ((*da >= 0 && *db >= 0) || walk_together(loop, a, b, da, db))
      return true;
  }
  return false;
}

/* Does reader r, another array, go along in a loop further in, a constant distance away? */
static bool goes_along(const readers *l, const reader *r)
{
  const stay_question *q = l->q;
  const tiler_statement *x = &q->s->s[l->array], *y = &q->s->s[r->array];
  tiler_access a = stay_item(q->s, r->array, r->item);
  int own, theirs;
  if (!walk_together(node_of(l), l->array, r->array, &own, &theirs))
    return false;
  for (int k = 0; k < x->rank; k++) {
    stay_at at = q->variables[l->array].of[k];
    tiler_form f = a.at[k].lo;
    f.base = 0;
    if (a.at[k].kind != CDAG_AT || !a.at[k].affine ||
        (at.loop >= 0 ? r->at[k].loop != at.loop || r->at[k].off != at.off
                      : k == own && tiler_form_plain(&f, y->rank) != theirs))
      return false;
  }
  return true;
}

/* Do the array, and what goes along with it in a loop further in, alone read it, a constant distance away along
   dimensions whose loops stand inside?  They keep less. */
static bool kept_inside(const readers *l, int group)
{
  const stay_question *q = l->q;
  const tiler_statement *x = &q->s->s[l->array];
  bool inside = false;
  for (int i = 0; i < l->n; i++) {
    if (l->group[i] != group)
      continue;
    if (l->r[i].array != l->array) {
      if (!goes_along(l, &l->r[i]))
        return false;
      inside = true;
      continue;
    }
    tiler_access a = stay_item(q->s, l->array, l->r[i].item);
    for (int r = 0; r < x->rank; r++) {
      tiler_form f = a.at[r].lo;
      int64_t by = f.base;
      f.base = 0;
      if (a.at[r].kind != CDAG_AT || !a.at[r].affine || tiler_form_plain(&f, x->rank) != r)
        return false;
      if (by && q->variables[l->array].of[r].loop >= 0)
        return false;
      inside |= by != 0;
    }
  }
  return inside;
}

/* Does each reader name one value of index r? */
static bool is_single(const readers *l, int r)
{
  for (int i = 0; i < l->n; i++) {
    tiler_access a = stay_item(l->q->s, l->r[i].array, l->r[i].item);
    if (a.at[r].kind != CDAG_AT || !a.at[r].affine)
      return false;
  }
  return true;
}

/* Is it an input that may stay in part?  By the index that has many values, one in each read, and of several the one
   with most: its lines are shortest. */
static bool has_lines(const readers *l, stay *s)
{
  double most = 1, all = 1;
  if (s->dim >= 0 || l->groups > 1 || l->q->s->s[l->array].computed)
    return false;
  for (int r = 0; r < l->q->s->s[l->array].rank; r++) {
    bool many = s->at[r].loop < 0 || s->at[r].loop == l->q->loop;
    double extent = many ? extent_of(l->q->s, l->array, r) : 1;
    all *= extent;
    if (many && extent > most && is_single(l, r)) {
      s->across = r;
      most = extent;
    }
  }
  s->line = all / most;
  return most > 1;
}

static bool propose(const readers *l, int group, int member, stay *s)
{
  if (member >= 0 && kept_inside(l, group))
    return false;
  int dim = member >= 0 ? node_of(l)->member[member].dim : -1, rank = l->q->s->s[l->array].rank;
  *s = (stay){ .array = l->array };
  put_together(l, group, s);
  if (dim < 0 || s->at[dim].loop != l->q->loop)
    for (dim = 0; dim < rank && s->at[dim].loop != l->q->loop; dim++)
      ;
  if (dim < rank)
    window(l, group, dim, s);
  if (member >= 0 && !make_there(l, member, s) && !made_before(l, s) && !make_whole(l, member, s))
    return false;
  s->mirrored = s->made && s->dim >= 0 && find_mirror(l, group, s);
  s->alone = has_lines(l, s);
  return (s->made || !l->q->inputs || !l->q->s->s[l->array].computed) && weigh(l, group, s);
}

/* Where several proposals are of one array, all are left out if one may name what another does. */
static int propose_array(const stay_question *q, int array, stay *out, int room)
{
  readers l = { .q = q, .array = array };
  int n = 0;
  if (!gather(&l))
    return 0;
  int member = maker_of(&l);
  for (int g = 0; g < l.groups && n < room; g++)
    n += propose(&l, g, member, &out[n]);
  return n;
}

enum { PAIR = 4 }; /* words of one that comes by, and of the new ones */

/* Of what does not fit, the first words stay in the room that the others leave, which shrinks as they grow. */
static bool find_part(const stay_question *q, double m, const stay *taken, int n, stay *all, int proposals)
{
  enum { LEAST = 16, SPARE = 16 }; /* a smaller share is not worth its conditions; with so little more all of it fits */
  const order_node *node = q->node;
  const tiler_statement *first = &q->s->s[node->member[0].array];
  double iterations = extent(first, node->member[0].dim);
  int64_t grows = 0;
  int best = -1;
  for (int i = 0; i < n; i++)
    grows += taken[i].grows;
  for (int i = 0; i < proposals; i++) {
    double room = m + (all[i].alone ? (double)grows * iterations / 2 : 0);
    bool some = !grows && all[i].line <= m && all[i].words > m + SPARE;
    bool lines = all[i].alone && (all[i].line <= 1 || some);
    if ((lines || all[i].by_pairs) && all[i].words > 0 && room * LEAST >= all[i].words &&
        (best < 0 || all[i].saved / all[i].words > all[best].saved / all[best].words))
      best = i;
  }
  if (best < 0 || m < PAIR + (double)grows)
    return false;
  all[0] = all[best];
  all[0].part = all[0].mirrored ? ((int64_t)m - PAIR) / 2 : (int64_t)(m / all[0].line);
  all[0].grows = all[0].mirrored ? all[0].grows : grows;
  return true;
}

int stay_find(const stay_question *q, double m, bool parts, stay *out)
{
  stay all[2 * STAY_MOST];
  int n = 0, taken = 0;
  for (int a = 0; a < q->s->g->arrays; a++)
    n += propose_array(q, a, all + n, 2 * STAY_MOST - n);
  while (taken < STAY_MOST) {
    int best = -1;
    for (int i = 0; i < n; i++)
      if (all[i].words > 0 && all[i].words <= m &&
          (best < 0 || all[i].saved / all[i].words > all[best].saved / all[best].words))
        best = i;
    if (best < 0)
      break;
    m -= all[best].words;
    out[taken++] = all[best];
    all[best].words = 0;
  }
  if (parts && taken < STAY_MOST && find_part(q, m, out, taken, all, n))
    out[taken++] = all[0];
  return taken;
}
