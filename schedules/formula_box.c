/* formula_box.c -- how many elements a box has, and how many pebbles a compute drops, as polynomials. */
#include "base/num.h"
#include "schedules/formula_internal.h"

void interval_clear(interval *x)
{
  poly_clear(&x->lo);
  poly_clear(&x->hi);
}

static void interval_copy(interval *to, const interval *from)
{
  poly_copy(&to->lo, &from->lo);
  poly_copy(&to->hi, &from->hi);
  to->lo_span = from->lo_span;
  to->hi_span = from->hi_span;
}

static bool shift_span(span *s, int64_t by)
{
  return num_add(s->least, by, &s->least) && num_add(s->most, by, &s->most);
}

static bool interval_shift(formula *f, interval *x, int64_t by)
{
  poly p = { 0 };
  poly_set(&p, by);
  poly_add(&f->world, &x->lo, &p, 1, 1);
  poly_add(&f->world, &x->hi, &p, 1, 1);
  poly_clear(&p);
  return shift_span(&x->lo_span, by) && shift_span(&x->hi_span, by);
}

static void extent(formula *f, const interval *x, poly *out)
{
  poly_copy(out, &x->hi);
  poly_add(&f->world, out, &x->lo, -1, 1);
}

/* ---- intervals of indices ---- */

/* lo <= hi: the difference has no negative term, or the values lie apart. */
static bool not_negative(formula *f, const interval *x)
{
  poly e = { 0 };
  bool good = true;
  extent(f, x, &e);
  for (size_t i = 0; i < e.n; i++)
    good &= e.term[i].num > 0;
  poly_clear(&e);
  return good || x->hi_span.least >= x->lo_span.most;
}

bool formula_interval(formula *f, const schedule_index *x, interval *out)
{
  if (x->loop >= 0) {
    int slot = f->s->loop[x->loop].slot;
    poly_copy(&out->lo, &f->kind[x->loop].lo);
    poly_copy(&out->hi, &f->kind[x->loop].hi);
    out->lo_span = f->span[slot + SCHEDULE_LO];
    out->hi_span = f->span[slot + SCHEDULE_HI];
    return true;
  }
  if (!formula_bound(f, x->lo, &out->lo, &out->lo_span))
    return false;
  if (x->kind == CDAG_RANGE)
    return formula_bound(f, x->hi, &out->hi, &out->hi_span) && (not_negative(f, out) || formula_fail(f, x->hi->line, "a range may be empty in some turns only"));
  poly one = { 0 };
  poly_set(&one, 1);
  poly_copy(&out->hi, &out->lo);
  poly_add(&f->world, &out->hi, &one, 1, 1);
  poly_clear(&one);
  out->hi_span = out->lo_span;
  return shift_span(&out->hi_span, 1);
}

/* Bounds of a domain may read only the parameters: a triangular array is left to the count. */
static bool domain_interval(formula *f, int array, int r, int line, interval *out)
{
  const cdag *g = f->s->g;
  const cdag_array *a = &g->array[array];
  const expr *lo = a->lo[r], *hi = a->hi[r];
  if (expr_uses(lo, g->params, g->params + a->rank) || expr_uses(hi, g->params, g->params + a->rank))
    return formula_fail(f, line, "array %s is not rectangular", a->name);
  return formula_bound(f, lo, &out->lo, &out->lo_span) && formula_bound(f, hi, &out->hi, &out->hi_span);
}

typedef enum { INSIDE, CUT, EMPTY, UNCLEAR } clip; /* a cut may leave nothing: then the bounds are equal */

static clip clip_low(const interval *x, const interval *domain)
{
  if (x->lo_span.least >= domain->lo_span.most)
    return INSIDE;
  if (x->hi_span.most <= domain->lo_span.least)
    return EMPTY;
  return x->lo_span.most <= domain->lo_span.least && x->hi_span.least >= domain->lo_span.most ? CUT : UNCLEAR;
}

static clip clip_high(const interval *x, const interval *domain)
{
  if (x->hi_span.most <= domain->hi_span.least)
    return INSIDE;
  if (x->lo_span.least >= domain->hi_span.most)
    return EMPTY;
  return x->hi_span.least >= domain->hi_span.most && x->lo_span.most <= domain->hi_span.least ? CUT : UNCLEAR;
}

/* Cut x to the domain; *empty when nothing is left. */
static bool cut(formula *f, int array, int line, interval *x, const interval *domain, bool *empty)
{
  clip low = clip_low(x, domain), high = clip_high(x, domain);
  *empty = low == EMPTY || high == EMPTY;
  if (*empty)
    return true;
  if (low == UNCLEAR || high == UNCLEAR)
    return formula_fail(f, line, "a box of %s leaves the array in some turns of a loop only", f->s->g->array[array].name);
  if (low == CUT) {
    poly_copy(&x->lo, &domain->lo);
    x->lo_span = domain->lo_span;
  }
  if (high == CUT) {
    poly_copy(&x->hi, &domain->hi);
    x->hi_span = domain->hi_span;
  }
  return true;
}

/* Index r of a box inside the array's domain. */
static bool inside_interval(formula *f, const schedule_box *b, int r, interval *x, bool *empty)
{
  interval domain = { 0 };
  bool ok = domain_interval(f, b->array, r, b->line, &domain);
  *empty = false;
  if (ok && b->index[r].kind == CDAG_ALL)
    interval_copy(x, &domain);
  else if (ok)
    ok = formula_interval(f, &b->index[r], x) && cut(f, b->array, b->line, x, &domain, empty);
  interval_clear(&domain);
  return ok;
}

bool formula_box_volume(formula *f, const schedule_box *b, poly *volume)
{
  bool ok = true, nothing = false;
  poly_set(volume, 1);
  for (int r = 0; r < b->indices && ok; r++) {
    interval x = { 0 };
    poly e = { 0 };
    bool empty;
    ok = inside_interval(f, b, r, &x, &empty);
    nothing |= ok && empty;
    if (ok && !empty) {
      extent(f, &x, &e);
      poly_multiply(&f->world, volume, &e);
    }
    interval_clear(&x);
    poly_clear(&e);
  }
  if (nothing)
    poly_set(volume, 0);
  return ok;
}

/* ---- what a compute drops ---- */

/* One variable with coefficient 1, or none: *var is -1. */
static bool simple_index(const cdag_index *x, int rank, int *var)
{
  *var = -1;
  for (int r = 0; r < rank; r++)
    if (x->coef[r]) {
      if (*var >= 0 || x->coef[r] != 1)
        return false;
      *var = r;
    }
  return x->affine;
}

/* Index q of a term: cut the box's intervals to where it lies in the predecessor's domain; what is free multiplies. */
static bool cut_by_index(formula *f, const cdag_array *a, const cdag_term *t, int q, int line, interval *box, poly *times, bool *empty)
{
  const cdag_index *x = &t->index[q];
  interval domain = { 0 }, at = { 0 };
  poly e = { 0 };
  int var;
  bool ok = domain_interval(f, t->array, q, line, &domain);
  *empty = false;
  if (ok && x->kind == CDAG_ALL) {
    extent(f, &domain, &e);
    poly_multiply(&f->world, times, &e);
  } else if (ok && (x->kind == CDAG_RANGE || !simple_index(x, a->rank, &var))) {
    ok = formula_fail(f, line, "a term of %s is not a shift", a->name);
  } else if (ok && var >= 0) {
    ok = interval_shift(f, &box[var], x->base) && cut(f, t->array, line, &box[var], &domain, empty) && interval_shift(f, &box[var], -x->base);
  } else if (ok) {
    poly_set(&at.lo, x->base);
    poly_set(&at.hi, x->base + 1);
    at.lo_span = (span){ x->base, x->base };
    at.hi_span = (span){ x->base + 1, x->base + 1 };
    ok = cut(f, t->array, line, &at, &domain, empty);
  }
  interval_clear(&domain);
  interval_clear(&at);
  poly_clear(&e);
  return ok;
}

/* Elements of the box on which term t is present, times what it names for each. */
static bool term_volume(formula *f, const schedule_box *b, const cdag_term *t, poly *volume)
{
  const cdag_array *a = &f->s->g->array[b->array];
  interval box[CDAG_RANK] = { 0 };
  bool ok = true, nothing = false, empty;
  poly_set(volume, 1);
  for (int r = 0; r < a->rank && ok; r++) {
    ok = inside_interval(f, b, r, &box[r], &empty);
    nothing |= ok && empty;
  }
  for (int q = 0; q < f->s->g->array[t->array].rank && ok && !nothing; q++) {
    ok = cut_by_index(f, a, t, q, b->line, box, volume, &empty);
    nothing |= ok && empty;
  }
  for (int r = 0; r < a->rank; r++) {
    poly e = { 0 };
    extent(f, &box[r], &e);
    poly_multiply(&f->world, volume, &e);
    poly_clear(&e);
    interval_clear(&box[r]);
  }
  if (nothing)
    poly_set(volume, 0);
  return ok;
}

static int names(const schedule_node *n, int array)
{
  int whole = 0;
  for (int i = 0; i < n->drops; i++)
    if (n->drop[i].array == array)
      whole = n->drop[i].whole && whole >= 0 ? 1 : -1; /* in part: left to the count */
  return whole;
}

bool formula_dropped(formula *f, const schedule_node *n, const schedule_box *b, poly *volume)
{
  const cdag_array *a = &f->s->g->array[b->array];
  bool ok = true;
  poly_set(volume, 0);
  for (int t = 0; t < a->terms && ok; t++) {
    int dropped = names(n, a->term[t].array);
    poly v = { 0 };
    if (dropped < 0)
      ok = formula_fail(f, b->line, "part of an array is dropped");
    else if (dropped && (ok = term_volume(f, b, &a->term[t], &v)))
      poly_add(&f->world, volume, &v, 1, 1);
    poly_clear(&v);
  }
  return ok;
}
