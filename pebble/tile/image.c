/* The image of a box under a term: the part where its guard holds, and the box of what is read there. */
#include "pebble/tile/value.h"
#include <assert.h>
#include <string.h>

/* ---- conditions of terms ---- */

/* x >= 0, where one variable of x, with coefficient 1 or -1, has several values in b: those with which it holds. */
static void clip_to(const tile_rules *all, int array, const tile_form *x, int var, cdag_box *b)
{
  bool below = x->coef[var] < 0;
  int64_t rest = x->base;
  for (int r = 0; r < CDAG_RANK; r++)
    rest += r != var && x->coef[r] ? x->coef[r] * b->lo[r] : 0;
  int64_t end = below ? rest + 1 : -rest;
  if (all->log)
    tile_log_bound(all->log, array, var, below ? TILE_MOST : TILE_LEAST, end);
  bool some = below ? tile_clip_hi(b, var, end) : tile_clip_lo(b, var, end);
  assert(some); /* it holds somewhere */
  (void)some;
}

/* b becomes the part on which a term's condition holds (1).  0: there is none; -1: it is no box. */
static int narrow(const tile_rules *all, int array, const tile_choice *c, cdag_box *b)
{
  int rank = all->rule[array].rank;
  tile_form is;
  if (c->op == EXPR_MIN && !c->affine) {
    int first = narrow(all, array, c->part[0], b);
    return first == 1 ? narrow(all, array, c->part[1], b) : first;
  }
  if (tile_settle(all, c, b, rank, &is))
    return (int)is.base;
  tile_form x = c->part[0]->form;
  tile_add_form(&x, &c->part[1]->form, -1);
  unsigned read = 0;
  for (int r = 0; r < rank; r++)
    read |= (unsigned)(x.coef[r] != 0) << r;
  unsigned w = tile_wide(b, read);
  int var = __builtin_ctz(w);
  tile_note(all, w);
  if (c->op == EXPR_NE || (w & (w - 1)) || (x.coef[var] != 1 && x.coef[var] != -1))
    return -1;
  if (c->op == EXPR_LT || c->op == EXPR_GT)
    x.base += c->op == EXPR_LT ? 1 : -1;
  if (c->op != EXPR_LT && c->op != EXPR_LE)
    clip_to(all, array, &x, var, b);
  tile_form minus = { .base = 0 };
  tile_add_form(&minus, &x, -1);
  if (c->op != EXPR_GT && c->op != EXPR_GE)
    clip_to(all, array, &minus, var, b);
  return 1;
}

/* ---- images ---- */

/* Does v, which is not affine, go up with x[r] by as much? */
static bool bent_goes_with(const tile_rules *all, const tile_value *v, const cdag_box *b, int r)
{
  int64_t first, second;
  if (v->bent >> r & 1)
    return false;
  tile_put_variables(all, v, b);
  bool some = expr_eval(v->e, &all->env, &first, NULL) == EXPR_OK;
  all->slot[all->g->params + r]++;
  /* unreachable: what has no value is an entry of a table, and these stand still */
  some = some && expr_eval(v->e, &all->env, &second, NULL) == EXPR_OK;
  int64_t step = some ? second - first : 0;
  tile_note(all, step);
  return step == 1;
}

/* Is v, on b, a constant plus x[r]?  The other variables it reads are single. */
static bool goes_with(const tile_rules *all, const tile_value *v, const cdag_box *b, int r)
{
  return v->affine ? v->coef[r] == 1 : bent_goes_with(all, v, b, r);
}

typedef struct { int64_t least, most; } span;

static bool span_sum(span a, span b, bool minus, span *out)
{
  return minus ? num_sub(a.least, b.most, &out->least) && num_sub(a.most, b.least, &out->most)
               : num_add(a.least, b.least, &out->least) && num_add(a.most, b.most, &out->most);
}

static bool span_times(span a, int64_t c, span *out)
{
  return num_mul(c < 0 ? a.most : a.least, c, &out->least) && num_mul(c < 0 ? a.least : a.most, c, &out->most);
}

static span span_rest(span a, int64_t c)
{
  bool one = num_floor_div(a.least, c) == num_floor_div(a.most, c);
  return one ? (span){ num_floor_mod(a.least, c), num_floor_mod(a.most, c) } : (span){ 0, c - 1 };
}

/* Of sums, multiples, quotients and remainders by numbers: between what e lies on b.  No more than these, as schedules
   ask (schedules/sign/span.c): of a product of intervals the ends do not go on by whole periods as its value does.
   Depth: the expression's. */
static bool span_of(const tile_rules *all, const expr *e, const cdag_box *b, span *out)
{
  int r = e->slot - all->g->params;
  span a, c;
  if (e->op == EXPR_CONST || (e->op == EXPR_SLOT && r < 0)) {
    out->least = out->most = e->op == EXPR_CONST ? e->value : all->slot[e->slot];
    return true;
  }
  if (e->op == EXPR_SLOT) {
    *out = (span){ b->lo[r], b->hi[r] - 1 };
    return true;
  }
  if (e->op < EXPR_NEG || e->op > EXPR_MOD || !span_of(all, e->arg[0], b, &a))
    return false;
  if (e->op == EXPR_NEG)
    return span_times(a, -1, out);
  if (!span_of(all, e->arg[1], b, &c))
    return false;
  if (e->op == EXPR_ADD || e->op == EXPR_SUB)
    return span_sum(a, c, e->op == EXPR_SUB, out);
  if (e->op == EXPR_MUL)
    return c.least == c.most ? span_times(a, c.least, out) : a.least == a.most && span_times(c, a.least, out);
  if (c.least != c.most || c.least < 1)
    return false;
  *out = e->op == EXPR_MOD ? span_rest(a, c.least)
                           : (span){ num_floor_div(a.least, c.least), num_floor_div(a.most, c.least) };
  return true;
}

/* So it is for a box as large that lies whole periods of v further on: there all of this goes on as v does. */
static bool span_bent(const tile_rules *all, const tile_value *v, const cdag_box *b, span *out)
{
  for (unsigned m = all->log ? v->vars : 0; m; m &= m - 1) {
    int r = __builtin_ctz(m);
    if (!v->period[r])
      return false;
    tile_note_held(all, v, r, b->lo[r]);
    tile_note(all, b->hi[r] - b->lo[r]);
  }
  return span_of(all, v->e, b, out);
}

/* Numbers that v does not leave on b: its least and its greatest value; of min or max of two affine forms the outcome
   for their least and for their greatest.  Else see above. */
static bool span_around(const tile_rules *all, const tile_value *v, const cdag_box *b, int rank, int64_t *least,
                        int64_t *most)
{
  if (v->affine) {
    tile_value_span(v, b, least, most);
    return true;
  }
  const tile_choice *c = v->choice;
  if (c->op != EXPR_MIN && c->op != EXPR_MAX) {
    span all_of_it;
    bool told = span_bent(all, v, b, &all_of_it);
    *least = told ? all_of_it.least : 0;
    *most = told ? all_of_it.most : 0;
    return told;
  }
  int64_t lo[2], hi[2];
  for (int i = 0; i < 2; i++)
    if (!c->part[i] || !c->part[i]->affine || !tile_form_span(&c->part[i]->form, b, rank, &lo[i], &hi[i]))
      return false;
  if (all->log) { /* which of both it is */
    tile_log_sign(all->log, lo[1] - lo[0]);
    tile_log_sign(all->log, hi[1] - hi[0]);
  }
  bool max = c->op == EXPR_MAX;
  *least = max ? num_max(lo[0], lo[1]) : num_min(lo[0], lo[1]);
  *most = max ? num_max(hi[0], hi[1]) : num_min(hi[0], hi[1]);
  return true;
}

/* Index q, on all of b together: from its least value to its greatest. */
static bool spread(const tile_rules *all, const tile_value *lo, const tile_value *hi, const cdag_box *b, int rank,
                   tile_index *x)
{
  int64_t other;
  if (!span_around(all, lo, b, rank, &x->base, &other) || !span_around(all, hi, b, rank, &other, &x->end))
    return false;
  x->end += hi == lo;
  x->kind = TILE_FREE;
  return true;
}

/* The indices of a term on box b: variables that are single become constants.  around: what is no box gets a box around
   it. */
static tile_answer resolve(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, bool around,
                           tile_index *index)
{
  unsigned used = 0;
  int rank = all->rule[array].rank;
  for (int q = 0; q < t->rank; q++) {
    tile_index *x = &index[q];
    *x = (tile_index){ TILE_FIXED, -1, 0, 0 };
    if (t->kind[q] == CDAG_ALL) {
      *x = t->index[q];
      continue;
    }
    tile_value own[2];
    bool range = t->kind[q] == CDAG_RANGE;
    const tile_value *v = tile_on_box(all, &t->lo[q], b, rank, &own[0]),
                     *end = range ? tile_on_box(all, &t->hi[q], b, rank, &own[1]) : v;
    unsigned w = tile_wide(b, v->vars | end->vars);
    tile_note(all, w);
    if (w && (range || (w & (w - 1)) || (used & w) || !goes_with(all, v, b, __builtin_ctz(w)))) {
      if (!around || !spread(all, v, end, b, rank, x))
        return TILE_SPLIT;
      continue;
    }
    cdag_box point = *b;
    if (w)
      point.lo[__builtin_ctz(w)] = 0;
    if (!tile_value_at(all, v, &point, &x->base))
      return TILE_EMPTY; /* a table read outside its bounds */
    x->end = x->base + 1;
    if (range) {
      x->kind = TILE_FREE;
      if (!tile_value_at(all, end, &point, &x->end)) /* a range may be empty: what is recorded of it says so, too */
        return TILE_EMPTY;
    } else if (w) {
      x->kind = TILE_SHIFT;
      x->var = __builtin_ctz(w);
      used |= w;
    }
  }
  return TILE_BOX;
}

int tile_guard_on(const tile_rules *all, int array, const tile_term *t, const cdag_box *b)
{
  cdag_box held;
  int rank = all->rule[array].rank, holds = 1;
  if (!t->guard)
    return 1;
  pebble_box_copy(&held, b, rank);
  holds = narrow(all, array, t->holds, &held);
  holds = holds == 1 && !pebble_box_equal(&held, b, rank) ? -1 : holds;
  tile_note(all, holds);
  return holds;
}

/* A plain term: the image clipped index by index, the part with it. */
static tile_answer plain_image(const tile_rules *all, const tile_term *t, const cdag_box *b, tile_image *out)
{
  const cdag_box *hull = &all->rule[t->array].hull;
  out->index = t->index;
  for (int i = 0; i < t->idle; i++) {
    out->part.lo[t->idle_var[i]] = b->lo[t->idle_var[i]];
    out->part.hi[t->idle_var[i]] = b->hi[t->idle_var[i]];
  }
  for (int q = 0; q < t->rank; q++) {
    const tile_index *x = &t->index[q];
    if (x->kind == TILE_SHIFT) {
      int64_t lo = num_max(b->lo[x->var] + x->base, hull->lo[q]), hi = num_min(b->hi[x->var] + x->base, hull->hi[q]);
      out->image.lo[q] = lo;
      out->image.hi[q] = hi;
      out->part.lo[x->var] = lo - x->base;
      out->part.hi[x->var] = hi - x->base;
    } else {
      out->image.lo[q] = num_max(x->base, hull->lo[q]);
      out->image.hi[q] = num_min(x->end, hull->hi[q]);
    }
    if (out->image.lo[q] >= out->image.hi[q])
      return TILE_EMPTY;
  }
  return TILE_BOX;
}

/* The indices on box b, and where they lead before any clipping. */
static tile_answer raw_image(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, bool around,
                             tile_image *out)
{
  out->index = t->steady ? t->index : out->resolved;
  if (!t->steady) {
    tile_answer answer = resolve(all, array, t, b, around, out->resolved);
    if (answer != TILE_BOX)
      return answer;
  }
  for (int q = 0; q < t->rank; q++) {
    const tile_index *x = &out->index[q];
    bool shift = x->kind == TILE_SHIFT;
    out->image.lo[q] = x->base + (shift ? b->lo[x->var] : 0);
    out->image.hi[q] = shift ? b->hi[x->var] + x->base : x->end;
  }
  return TILE_BOX;
}

static tile_answer bent_image(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, bool around,
                              tile_image *out)
{
  cdag_box held;
  if (t->guard) {
    pebble_box_copy(&held, b, all->rule[array].rank);
    int holds = narrow(all, array, t->holds, &held);
    tile_note(all, holds);
    if (holds != 1)
      return holds < 0 ? TILE_SPLIT : TILE_EMPTY;
    b = &held;
  }
  tile_answer answer = raw_image(all, array, t, b, around, out);
  if (answer == TILE_BOX && all->log)
    tile_log_box(all->log, t->array, t->rank, &out->image);
  if (answer == TILE_BOX)
    answer = tile_fit(all, t->array, &out->image);
  if (answer != TILE_BOX)
    return answer;
  pebble_box_copy(&out->part, b, all->rule[array].rank);
  for (int q = 0; q < t->rank; q++) {
    const tile_index *x = &out->index[q];
    if (x->kind == TILE_SHIFT) {
      out->part.lo[x->var] = out->image.lo[q] - x->base;
      out->part.hi[x->var] = out->image.hi[q] - x->base;
    }
  }
  return TILE_BOX;
}

tile_answer tile_image_of(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, tile_image *out)
{
  out->around = false;
  if (t->plain && !all->log)
    return plain_image(all, t, b, out);
  tile_answer answer = bent_image(all, array, t, b, false, out);
  tile_note(all, answer);
  return answer;
}

tile_answer tile_image_around(const tile_rules *all, int array, const tile_term *t, const cdag_box *b, tile_image *out)
{
  out->around = true;
  tile_answer answer = bent_image(all, array, t, b, true, out);
  tile_note(all, answer);
  return answer;
}
