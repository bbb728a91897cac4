/* formula_box.c -- how many elements a box has, and how many pebbles a compute drops, as polynomials. */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/formula_internal.h"

void interval_clear(interval *x)
{
  poly_clear(&x->lo);
  poly_clear(&x->hi);
  poly_clear(&x->least);
}

static void interval_copy(interval *to, const interval *from)
{
  poly_copy(&to->lo, &from->lo);
  poly_copy(&to->hi, &from->hi);
  poly_copy(&to->least, &from->least);
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
  poly_add(&f->world, &x->least, &p, 1, 1);
  poly_clear(&p);
  return shift_span(&x->lo_span, by) && shift_span(&x->hi_span, by);
}

static void extent(formula *f, const interval *x, poly *out)
{
  poly_copy(out, &x->hi);
  poly_add(&f->world, out, &x->lo, -1, 1);
}

/* ---- intervals of indices ---- */

/* Is it the length of a loop's block? */
static bool is_length(const formula *f, const poly *e)
{
  for (int l = 0; l < f->s->loops; l++)
    if (f->kind[l].len.n > 0 && poly_equal(e, &f->kind[l].len))
      return true;
  return false;
}

/* a <= b: the difference has no negative term, or is a length, or the values lie apart. */
static bool at_most(formula *f, const poly *a, const span *a_span, const poly *b, const span *b_span)
{
  poly e = { 0 };
  bool good = true;
  poly_copy(&e, b);
  poly_add(&f->world, &e, a, -1, 1);
  for (size_t i = 0; i < e.n; i++)
    good &= e.term[i].num > 0;
  good = good || is_length(f, &e);
  poly_clear(&e);
  return good || b_span->least >= a_span->most;
}

static bool not_negative(formula *f, const interval *x) { return at_most(f, &x->lo, &x->lo_span, &x->hi, &x->hi_span); }

bool formula_interval(formula *f, const schedule_index *x, interval *out)
{
  if (x->loop >= 0) {
    int slot = f->s->loop[x->loop].slot;
    poly_copy(&out->lo, &f->kind[x->loop].lo);
    poly_copy(&out->hi, &f->kind[x->loop].hi);
    poly_copy(&out->least, &f->kind[x->loop].least);
    out->lo_span = f->span[slot + SCHEDULE_LO];
    out->hi_span = f->span[slot + SCHEDULE_HI];
    return true;
  }
  if (!formula_bound(f, x->lo, &out->lo, &out->lo_span))
    return false;
  poly_copy(&out->least, &out->lo);
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

static bool reads_index(const formula *f, int array, const expr *e)
{
  const cdag *g = f->s->g;
  return expr_uses(e, g->params, g->params + g->array[array].rank);
}

/* A bound that reads earlier indices of the array, as lengths of blocks do: has it one value over all boxes at hand? */
static bool constant_bound(formula *f, const expr *e, const interval *box, int r, int64_t *value)
{
  const cdag *g = f->s->g;
  span *slot = MEM_NEW(span, (size_t)(g->params + r)), s;
  for (int i = 0; i < g->params; i++)
    slot[i] = f->span[i];
  for (int i = 0; i < r; i++)
    slot[g->params + i] = (span){ box[i].lo_span.least, box[i].hi_span.most - 1 };
  span_env env = { slot, g->table };
  bool same = span_of(e, &env, &s) && s.least == s.most;
  mem_free(slot);
  *value = s.least;
  if (same)
    formula_grant_tables(f, e);
  return same;
}

/* Bounds that read only the parameters. */
static bool domain_interval(formula *f, int array, int r, int line, interval *out)
{
  const cdag_array *a = &f->s->g->array[array];
  if (reads_index(f, array, a->lo[r]) || reads_index(f, array, a->hi[r]))
    return formula_fail(f, line, "array %s is not rectangular", a->name);
  bool ok = formula_bound(f, a->lo[r], &out->lo, &out->lo_span) && formula_bound(f, a->hi[r], &out->hi, &out->hi_span);
  poly_copy(&out->least, &out->lo);
  return ok;
}

/* All of index r: also where its end reads indices before it, and is the same for all of them. */
static bool whole_interval(formula *f, int array, int r, int line, interval *box)
{
  const cdag_array *a = &f->s->g->array[array];
  int64_t end;
  if (!reads_index(f, array, a->hi[r]) || reads_index(f, array, a->lo[r]) || !constant_bound(f, a->hi[r], box, r, &end))
    return domain_interval(f, array, r, line, &box[r]);
  poly_set(&box[r].hi, end);
  box[r].hi_span = (span){ end, end };
  bool ok = formula_bound(f, a->lo[r], &box[r].lo, &box[r].lo_span);
  poly_copy(&box[r].least, &box[r].lo);
  return ok;
}

/* A bound that is an earlier index of the array and a constant: over a box, its least (from) and greatest (to) value. */
static bool slanted_bound(formula *f, int array, const expr *e, const interval *box, interval *out)
{
  const cdag *g = f->s->g;
  const cdag_array *a = &g->array[array];
  expr_env env = { f->slot, g->table };
  int64_t base, coef[CDAG_RANK];
  int var = -1;
  if (expr_uses(e, 0, g->params) || !expr_affine(e, &env, g->params, a->rank, &base, coef))
    return false;
  for (int r = 0; r < a->rank; r++)
    if (coef[r]) {
      if (var >= 0 || coef[r] != 1)
        return false;
      var = r;
    }
  if (var < 0)
    return false;
  interval_copy(out, &box[var]);
  poly last = { 0 };
  poly_set(&last, -1);
  poly_add(&f->world, &out->hi, &last, 1, 1);
  poly_clear(&last);
  poly_copy(&out->lo, &out->least);
  return shift_span(&out->hi_span, -1) && interval_shift(f, out, base);
}

/* As slanted_bound, for a bound that is the same everywhere. */
static bool same_bound(formula *f, const expr *e, const interval *box, int r, interval *out)
{
  int64_t value;
  if (!constant_bound(f, e, box, r, &value))
    return false;
  poly_set(&out->lo, value);
  poly_set(&out->hi, value);
  out->lo_span = out->hi_span = (span){ value, value };
  return true;
}

/* Index r of a box of which the indices before are known: wholly on the right side of such a bound, or on the wrong one? */
static bool clip_slanted(formula *f, int array, int line, int r, bool lower, const interval *box, bool *empty)
{
  const cdag_array *a = &f->s->g->array[array];
  const interval *x = &box[r];
  interval bound = { 0 };
  const expr *e = lower ? a->lo[r] : a->hi[r];
  bool ok = slanted_bound(f, array, e, box, &bound) || same_bound(f, e, box, r, &bound), inside = false, outside = false;
  if (ok && lower) {
    inside = at_most(f, &bound.hi, &bound.hi_span, &x->lo, &x->lo_span);
    outside = at_most(f, &x->hi, &x->hi_span, &bound.lo, &bound.lo_span);
  } else if (ok) {
    inside = at_most(f, &x->hi, &x->hi_span, &bound.lo, &bound.lo_span);
    outside = at_most(f, &bound.hi, &bound.hi_span, &x->lo, &x->lo_span);
  }
  interval_clear(&bound);
  *empty |= outside;
  return inside || outside || formula_fail(f, line, "a box of %s meets the slanted side of the array", a->name);
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
    poly_copy(&x->least, &domain->lo);
    x->lo_span = domain->lo_span;
  }
  if (high == CUT) {
    poly_copy(&x->hi, &domain->hi);
    x->hi_span = domain->hi_span;
  }
  return true;
}

/* Cut index r of a box, of which the indices before are known, to the array's domain. */
static bool cut_index(formula *f, int array, int line, int r, interval *box, bool *empty)
{
  const cdag_array *a = &f->s->g->array[array];
  const expr *lo = a->lo[r], *hi = a->hi[r];
  bool slanted_lo = reads_index(f, array, lo), slanted_hi = reads_index(f, array, hi);
  interval domain = { 0 }, *x = &box[r];
  if (slanted_lo) { /* cuts nothing off */
    poly_copy(&domain.lo, &x->lo);
    domain.lo_span = (span){ x->lo_span.least, x->lo_span.least };
  }
  if (slanted_hi) {
    poly_copy(&domain.hi, &x->hi);
    domain.hi_span = (span){ x->hi_span.most, x->hi_span.most };
  }
  *empty = false;
  bool ok = (slanted_lo || formula_bound(f, lo, &domain.lo, &domain.lo_span)) && (slanted_hi || formula_bound(f, hi, &domain.hi, &domain.hi_span)) &&
            cut(f, array, line, x, &domain, empty);
  if (ok && slanted_lo && !*empty)
    ok = clip_slanted(f, array, line, r, true, box, empty);
  if (ok && slanted_hi && !*empty)
    ok = clip_slanted(f, array, line, r, false, box, empty);
  interval_clear(&domain);
  return ok;
}

/* Index r of a box inside the array's domain. */
static bool inside_interval(formula *f, const schedule_box *b, int r, interval *box, bool *empty)
{
  *empty = false;
  if (b->index[r].kind == CDAG_ALL)
    return whole_interval(f, b->array, r, b->line, box);
  return formula_interval(f, &b->index[r], &box[r]) && cut_index(f, b->array, b->line, r, box, empty);
}

bool formula_box_volume(formula *f, const schedule_box *b, poly *volume)
{
  bool ok = true, nothing = false, empty;
  interval box[CDAG_RANK] = { 0 };
  poly e = { 0 };
  poly_set(volume, 1);
  for (int r = 0; r < b->indices && ok && !nothing; r++) {
    ok = inside_interval(f, b, r, box, &empty);
    nothing |= ok && empty;
    extent(f, &box[r], &e);
    poly_multiply(&f->world, volume, &e);
  }
  for (int r = 0; r < b->indices; r++)
    interval_clear(&box[r]);
  poly_clear(&e);
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

/* Index q of a term, where its array's bound is slanted: nothing may be cut off there. */
static bool slanted_image(formula *f, const cdag_array *a, const cdag_term *t, int q, int line, interval *box, bool *empty)
{
  interval image[CDAG_RANK] = { 0 };
  int var = -1;
  bool ok = true;
  for (int k = 0; k <= q && ok; k++) {
    const cdag_index *x = &t->index[k];
    ok = x->kind != CDAG_ALL && x->kind != CDAG_RANGE && simple_index(x, a->rank, &var) && var >= 0;
    if (ok) {
      interval_copy(&image[k], &box[var]);
      ok = interval_shift(f, &image[k], x->base);
    }
  }
  ok = ok ? cut_index(f, t->array, line, q, image, empty) : formula_fail(f, line, "a term of %s is not a shift", a->name);
  if (ok && !*empty) { /* what the other side cut off */
    ok = interval_shift(f, &image[q], -t->index[q].base);
    interval_copy(&box[var], &image[q]);
  }
  for (int k = 0; k <= q; k++)
    interval_clear(&image[k]);
  return ok;
}

/* Index q of a term: cut the box's intervals to where it lies in the predecessor's domain; what is free multiplies. */
static bool cut_by_index(formula *f, const cdag_array *a, const cdag_term *t, int q, int line, interval *box, poly *times, bool *empty)
{
  const cdag_index *x = &t->index[q];
  interval domain = { 0 }, at = { 0 };
  poly e = { 0 };
  int var;
  const cdag_array *to = &f->s->g->array[t->array];
  *empty = false;
  if (reads_index(f, t->array, to->lo[q]) || reads_index(f, t->array, to->hi[q]))
    return slanted_image(f, a, t, q, line, box, empty);
  bool ok = domain_interval(f, t->array, q, line, &domain);
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
  for (int r = 0; r < a->rank && ok && !nothing; r++) {
    ok = inside_interval(f, b, r, box, &empty);
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
