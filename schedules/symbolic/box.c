/* schedules/symbolic/box.c -- how many elements a box has, and how many pebbles a compute drops, as polynomials.

   Every index of a box is an interval, cut to the domain where one can tell; one slanted side may cut the box besides
   (schedules/symbolic/cut.c). */
#include "base/mem.h"
#include "base/num.h"
#include "schedules/symbolic/internal.h"
#include "schedules/sign/memo.h"

static bool shift_span(span *s, int64_t by)
{
  return num_add(s->least, by, &s->least) && num_add(s->most, by, &s->most);
}

static bool interval_shift(formula *f, interval *x, int64_t by)
{
  x->lo = poly_shift(&f->world, x->lo, by);
  x->hi = poly_shift(&f->world, x->hi, by);
  x->least = poly_shift(&f->world, x->least, by);
  return shift_span(&x->lo_span, by) && shift_span(&x->hi_span, by);
}

poly interval_extent(formula *f, const interval *x) { return poly_sub(&f->world, x->hi, x->lo); }

/* ---- intervals of indices ---- */

/* Is every term of e positive, but for a constant that the others exceed?  Parameters and iterations of loops are 1 at
 * least. */
static bool grown(formula *f, poly e)
{
  __int128 least = 0;
  for (uint32_t i = 0; i < e.n; i++) {
    const poly_term *t = &e.term[i];
    bool whole = true, plain = t->n == 0 || t->num > 0;
    for (int k = 0; k < t->n && plain; k++) {
      const poly_atom *a = &f->world.atom[t->f[k].atom];
      whole &= a->kind == ATOM_ITERATION || (a->kind == ATOM_SLOT && f->span[a->slot].least >= 1);
      plain = formula_atom_not_negative(f, t->f[k].atom);
    }
    if (!plain)
      return false;
    least += t->n == 0 || whole ? num_floor_div(t->num, t->den) : 0;
  }
  return least >= 0;
}

/* Does e exceed what is 1 at least by no less than -1? */
static bool exceeds(formula *f, poly e, poly one)
{
  return one.n > 0 && grown(f, poly_shift(&f->world, poly_sub(&f->world, e, one), 1));
}

static bool exceeds_block(formula *f, poly e)
{
  bool good = false;
  for (int l = 0; l < f->s->loops && !good; l++) {
    const iteration_kind *k = &f->kind[l];
    good = k->open && (exceeds(f, e, k->len) || exceeds(f, e, k->after) || exceeds(f, e, k->next));
  }
  return good;
}

static bool is_known(formula *f, poly e)
{
  bool known;
  if (grown(f, e))
    return true;
  if (f->world.failed) /* all is void until that is forgotten: nothing to remember */
    return false;
  bool *good = formula_memo_at(f, e, false, &known);
  if (!known)
    *good = exceeds_block(f, e) || formula_related(f, e);
  return *good || formula_powers(f, e) ||
         (formula_at_hand(f) && !f->s->g->graph &&
          formula_follows(f, e)); /* on graphs too much is asked, of powers mostly */
}

bool formula_not_negative(formula *f, poly e)
{
  arena_mark before = arena_now(&f->world.memory);
  int atoms = f->world.n;
  bool good = is_known(f, e);
  if (f->world.n == atoms) /* else they hold polynomials, perhaps */
    arena_back(&f->world.memory, before);
  return good;
}

bool formula_at_most(formula *f, poly a, const span *a_span, int64_t by, poly b, const span *b_span)
{
  poly e = poly_shift(&f->world, poly_sub(&f->world, b, a), -by);
  bool here = a_span && (__int128)b_span->least >= (__int128)a_span->most + by;
  return here ? formula_certain(f, e) : formula_not_negative(f, e);
}

static bool not_negative(formula *f, const interval *x)
{
  return formula_at_most(f, x->lo, &x->lo_span, 0, x->hi, &x->hi_span);
}

/* The value of a polynomial in parameters that have but one each. */
static bool fixed_poly(const formula *f, poly p, int64_t *value)
{
  expr_env env = { f->slot, f->s->g->table };
  for (uint32_t i = 0; i < p.n; i++)
    for (int k = 0; k < p.term[i].n; k++) {
      const poly_atom *a = &f->world.atom[p.term[i].f[k].atom];
      if (a->kind != ATOM_SLOT || f->span[a->slot].least != f->span[a->slot].most)
        return false;
    }
  return poly_value(&f->world, p, &env, value);
}

/* The end of all values of an index that a spread variable shifts: where it would be one further on. */
static bool spread_end(formula *f, const expr *e, interval *out)
{
  iteration_kind *k = &f->kind[f->spread->loop];
  span *slot = &f->span[f->s->loop[f->spread->loop].slot + SCHEDULE_LO], lo_span = *slot;
  poly lo = k->lo;
  k->lo = f->spread->hi;
  *slot = f->spread->hi_span;
  bool ok = formula_bound(f, e, &out->hi, &out->hi_span);
  int64_t value;
  if (ok &&
      fixed_poly(f, out->hi, &value)) /* what goes in and out again, as in w + len(T) - len(T), is in no interval */
    out->hi_span = (span){ value, value };
  k->lo = lo;
  *slot = lo_span;
  return ok;
}

static bool is_spread(const formula *f, const expr *e)
{
  int slot = f->spread ? f->s->loop[f->spread->loop].slot : 0;
  return f->spread && expr_uses(e, slot, slot + 1);
}

bool formula_interval(formula *f, const schedule_index *x, interval *out)
{
  if (x->loop >= 0) {
    const iteration_kind *k = &f->kind[x->loop];
    const span *s = &f->span[f->s->loop[x->loop].slot];
    *out = (interval){ k->lo, k->hi, k->least, s[SCHEDULE_LO], s[SCHEDULE_HI] };
    return true;
  }
  if (!formula_bound(f, x->lo, &out->lo, &out->lo_span))
    return false;
  out->least = out->lo;
  if (x->kind == CDAG_RANGE)
    return formula_bound(f, x->hi, &out->hi, &out->hi_span) &&
           (not_negative(f, out) || formula_fail(f, x->hi->line, "a range may be empty in some iterations only"));
  if (is_spread(f, x->lo))
    return spread_end(f, x->lo, out);
  out->hi = poly_shift(&f->world, out->lo, 1);
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
  if (expr_uses(e, 0, g->params)) /* a number here, and another with other parameters */
    return false;
  span *slot = MEM_NEW(span, (size_t)(g->params + r)), s;
  for (int i = 0; i < g->params; i++)
    slot[i] = f->span[i];
  for (int i = 0; i < r; i++)
    slot[g->params + i] = (span){ box[i].lo_span.least, box[i].hi_span.most - 1 };
  span_env env = { slot, g->table, false };
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
  out->least = out->lo;
  return ok;
}

/* All of index r: also where its end reads indices before it, and is the same for all of them. */
static bool straight_interval(formula *f, int array, int r, int line, interval *box)
{
  const cdag_array *a = &f->s->g->array[array];
  int64_t end;
  if (!reads_index(f, array, a->hi[r]) || reads_index(f, array, a->lo[r]) || !constant_bound(f, a->hi[r], box, r, &end))
    return domain_interval(f, array, r, line, &box[r]);
  box[r].hi = poly_number(&f->world, end);
  box[r].hi_span = (span){ end, end };
  bool ok = formula_bound(f, a->lo[r], &box[r].lo, &box[r].lo_span);
  box[r].least = box[r].lo;
  return ok;
}

/* Is it an earlier index of the array and a constant? */
static bool is_slanted(const formula *f, int array, const expr *e, int *var, int64_t *base)
{
  const cdag *g = f->s->g;
  const cdag_array *a = &g->array[array];
  expr_env env = { f->slot, g->table };
  int64_t coef[CDAG_RANK];
  *var = -1;
  if (expr_uses(e, 0, g->params) || !expr_affine(e, &env, g->params, a->rank, base, coef))
    return false;
  for (int r = 0; r < a->rank; r++)
    if (coef[r]) {
      if (*var >= 0 || coef[r] != 1)
        return false;
      *var = r;
    }
  return *var >= 0;
}

/* Such a bound over a box: its least (from) and greatest (to) value. */
static bool slanted_bound(formula *f, int var, int64_t base, const interval *box, interval *out)
{
  *out = box[var];
  out->hi = poly_shift(&f->world, out->hi, -1);
  return shift_span(&out->hi_span, -1) && interval_shift(f, out, base);
}

/* All of index r, from its least value in the box to its greatest where one of its ends is slanted. */
static bool whole_interval(formula *f, int array, int r, int line, interval *box)
{
  const cdag_array *a = &f->s->g->array[array];
  interval bound = { 0 };
  int var;
  int64_t base;
  bool lower = reads_index(f, array, a->lo[r]), upper = reads_index(f, array, a->hi[r]);
  if (lower == upper || !is_slanted(f, array, lower ? a->lo[r] : a->hi[r], &var, &base))
    return straight_interval(f, array, r, line, box);
  bool ok =
      slanted_bound(f, var, base, box, &bound) && (lower ? formula_bound(f, a->hi[r], &box[r].hi, &box[r].hi_span)
                                                         : formula_bound(f, a->lo[r], &box[r].lo, &box[r].lo_span));
  if (lower) {
    box[r].lo = bound.lo;
    box[r].lo_span = bound.lo_span;
  } else {
    box[r].hi = bound.hi;
    box[r].hi_span = bound.hi_span;
  }
  box[r].least = lower ? bound.least : box[r].lo;
  return ok;
}

/* As slanted_bound, for a bound that is the same everywhere. */
static bool same_bound(formula *f, const expr *e, const interval *box, int r, interval *out)
{
  int64_t value;
  if (!constant_bound(f, e, box, r, &value))
    return false;
  out->lo = out->hi = out->least = poly_number(&f->world, value);
  out->lo_span = out->hi_span = (span){ value, value };
  return true;
}

/* Is it at most the least value of the bound?  For the polynomials, or also as the values are here. */
static bool below_bound(formula *f, const interval *x, const interval *bound, bool here)
{
  const span *s = here ? &x->hi_span : NULL;
  return formula_at_most(f, x->hi, s, 0, bound->lo, &bound->lo_span) ||
         formula_at_most(f, x->hi, s, 0, bound->least, &bound->lo_span);
}

static bool above_bound(formula *f, const interval *x, const interval *bound, bool here)
{
  const span *s = here ? &bound->hi_span : NULL;
  return formula_at_most(f, bound->hi, s, 0, x->lo, &x->lo_span) ||
         formula_at_most(f, bound->hi, s, 0, x->least, &x->lo_span);
}

typedef struct {
  bool lower, slanted;         /* the bound is the low one; it is an index and a constant */
  int var;
  int64_t base;
  interval bound;              /* over the box */
} side;

/* Index r is on the right side of it, on the wrong side, or cut.  False: that cannot be told. */
static bool meet_side(formula *f, const side *s, int r, bool here, region *box, bool *empty)
{
  const interval *x = &box->at[r];
  if (s->lower ? above_bound(f, x, &s->bound, here) : below_bound(f, x, &s->bound, here))
    return true;
  if (s->lower ? below_bound(f, x, &s->bound, here) : above_bound(f, x, &s->bound, here)) {
    *empty = true;
    return true;
  }
  return s->slanted && (here || region_can_be_cut(f, box, s->var, r, s->base, !s->lower)) &&
         region_cut(box, s->var, r, s->base, !s->lower);
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

/* a <= b, for all parameters, or as the values are here. */
static bool is_most(formula *f, poly a, const span *a_span, poly b, const span *b_span, bool here)
{
  return formula_at_most(f, a, here ? a_span : NULL, 0, b, b_span);
}

/* The same where the values at hand do not say all: what is so for all parameters goes first. */
static clip sure_low(formula *f, const interval *x, const interval *domain)
{
  poly end = domain->lo;
  const span *at = &domain->lo_span;
  for (int here = 0; here < 2; here++) {
    if (is_most(f, end, at, x->lo, &x->lo_span, here) || (!here && is_most(f, end, at, x->least, &x->lo_span, here)))
      return INSIDE;
    if (is_most(f, x->hi, &x->hi_span, end, at, here))
      return EMPTY;
    if (is_most(f, x->lo, &x->lo_span, end, at, here) && is_most(f, end, at, x->hi, &x->hi_span, here))
      return CUT;
  }
  return UNCLEAR;
}

static clip sure_high(formula *f, const interval *x, const interval *domain)
{
  poly end = domain->hi;
  const span *at = &domain->hi_span;
  for (int here = 0; here < 2; here++) {
    if (is_most(f, x->hi, &x->hi_span, end, at, here))
      return INSIDE;
    if (is_most(f, end, at, x->lo, &x->lo_span, here) || (!here && is_most(f, end, at, x->least, &x->lo_span, here)))
      return EMPTY;
    if (is_most(f, end, at, x->hi, &x->hi_span, here) && is_most(f, x->lo, &x->lo_span, end, at, here))
      return CUT;
  }
  return UNCLEAR;
}

/* Its ends pass that of the domain in some iteration. */
static void want_ends(formula *f, const interval *x, poly end)
{
  formula_want(f, x->lo, 0, end);
  formula_want(f, x->hi, 0, end);
}

/* Cut x to the domain; *empty when nothing is left. */
static bool cut(formula *f, int array, int line, interval *x, const interval *domain, bool *empty)
{
  bool sure = formula_at_hand(f);
  clip low = sure ? sure_low(f, x, domain) : clip_low(x, domain),
       high = sure ? sure_high(f, x, domain) : clip_high(x, domain);
  *empty = low == EMPTY || high == EMPTY;
  if (*empty)
    return true;
  if (low == UNCLEAR)
    want_ends(f, x, domain->lo);
  if (high == UNCLEAR)
    want_ends(f, x, domain->hi);
  if (low == UNCLEAR || high == UNCLEAR)
    return formula_fail(f, line, "a box of %s leaves the array in some iterations of a loop only",
                        f->s->g->array[array].name);
  if (low == CUT) {
    x->lo = x->least = domain->lo;
    x->lo_span = domain->lo_span;
  }
  if (high == CUT) {
    x->hi = domain->hi;
    x->hi_span = domain->hi_span;
  }
  return true;
}

/* The same where the bound is straight: what is beyond it is cut off. */
static bool cut_straight(formula *f, int array, int line, const side *s, interval *x, bool *empty)
{
  interval domain = *x; /* cuts nothing off */
  domain.lo_span.most = x->lo_span.least;
  domain.hi_span.least = x->hi_span.most;
  *(s->lower ? &domain.lo : &domain.hi) = s->bound.lo;
  if (s->lower)
    domain.lo_span = s->bound.lo_span;
  else
    domain.hi_span = s->bound.lo_span;
  return cut(f, array, line, x, &domain, empty);
}

/* Index r of a box of which the indices before are known, where one of its bounds reads them. */
static bool clip_slanted(formula *f, int array, int line, int r, bool lower, region *box, bool *empty)
{
  const cdag_array *a = &f->s->g->array[array];
  const expr *e = lower ? a->lo[r] : a->hi[r];
  side s = { .lower = lower };
  s.slanted = is_slanted(f, array, e, &s.var, &s.base);
  bool ok = s.slanted ? slanted_bound(f, s.var, s.base, box->at, &s.bound) : same_bound(f, e, box->at, r, &s.bound);
  ok = ok && (meet_side(f, &s, r, false, box, empty) || meet_side(f, &s, r, true, box, empty) ||
              (!s.slanted && cut_straight(f, array, line, &s, &box->at[r], empty)));
  return ok || formula_fail(f, line, "a box of %s meets the slanted side of the array", a->name);
}

/* Cut index r of a box, of which the indices before are known, to the array's domain. */
static bool cut_index(formula *f, int array, int line, int r, region *box, bool *empty)
{
  const cdag_array *a = &f->s->g->array[array];
  const expr *lo = a->lo[r], *hi = a->hi[r];
  bool slanted_lo = reads_index(f, array, lo), slanted_hi = reads_index(f, array, hi);
  interval domain = { 0 }, *x = &box->at[r];
  if (slanted_lo) { /* cuts nothing off */
    domain.lo = x->lo;
    domain.lo_span = (span){ x->lo_span.least, x->lo_span.least };
  }
  if (slanted_hi) {
    domain.hi = x->hi;
    domain.hi_span = (span){ x->hi_span.most, x->hi_span.most };
  }
  *empty = false;
  bool ok = (slanted_lo || formula_bound(f, lo, &domain.lo, &domain.lo_span)) &&
            (slanted_hi || formula_bound(f, hi, &domain.hi, &domain.hi_span)) && cut(f, array, line, x, &domain, empty);
  if (ok && slanted_lo && !*empty)
    ok = clip_slanted(f, array, line, r, true, box, empty);
  if (ok && slanted_hi && !*empty)
    ok = clip_slanted(f, array, line, r, false, box, empty);
  return ok;
}

/* Index r of a box inside the array's domain. */
static bool inside_interval(formula *f, const schedule_box *b, int r, region *box, bool *empty)
{
  const cdag_array *a = &f->s->g->array[b->array];
  bool all = b->index[r].kind == CDAG_ALL, ok = true;
  *empty = false;
  if (!all)
    return formula_interval(f, &b->index[r], &box->at[r]) && cut_index(f, b->array, b->line, r, box, empty);
  if (!whole_interval(f, b->array, r, b->line, box->at))
    return false;
  if (reads_index(f, b->array, a->lo[r]))
    ok = clip_slanted(f, b->array, b->line, r, true, box, empty);
  if (ok && reads_index(f, b->array, a->hi[r]))
    ok = clip_slanted(f, b->array, b->line, r, false, box, empty);
  return ok;
}

static bool inside_region(formula *f, const schedule_box *b, region *box, bool *nothing)
{
  bool ok = true, empty;
  *nothing = false;
  for (int r = 0; r < b->indices && ok && !*nothing; r++) {
    ok = inside_interval(f, b, r, box, &empty);
    *nothing = ok && empty;
  }
  return ok;
}

/* Assume that the side cuts nothing off: one element of `along` bounds all of `across`. */
static bool assume_whole(formula *f, region *box)
{
  const interval *along = &box->at[box->along], *across = &box->at[box->across];
  poly_world *w = &f->world;
  box->cut = !(box->upper ? formula_assume(f, poly_shift(w, along->lo, box->by), across->hi)
                          : formula_assume(f, across->lo, poly_shift(w, along->hi, box->by - 1)));
  return !box->cut;
}

static bool volume_of(formula *f, const schedule_box *b, region *box, bool nothing, poly *volume)
{
  *volume = (poly){ 0 };
  return nothing || region_volume(f, box, b->indices, volume) ||
         (assume_whole(f, box) && region_volume(f, box, b->indices, volume)) ||
         formula_fail(f, b->line, "a box of %s meets the slanted side of the array", f->s->g->array[b->array].name);
}

bool formula_box_volume(formula *f, const schedule_box *b, poly *volume)
{
  bool nothing;
  region box = { 0 };
  if (f->s->g->graph)
    return formula_vertices(f, b, volume);
  return inside_region(f, b, &box, &nothing) && volume_of(f, b, &box, nothing, volume);
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

/* Index k of a term: the variable it shifts, or -1: all of its array. */
static bool image_index(formula *f, const cdag_array *a, const cdag_term *t, int k, int line, const region *box,
                        interval *image, int *var)
{
  const cdag_index *x = &t->index[k];
  *var = -1;
  if (x->kind == CDAG_ALL)
    return domain_interval(f, t->array, k, line, image);
  if (x->kind == CDAG_RANGE || !simple_index(x, a->rank, var) || *var < 0)
    return formula_fail(f, line, "a term of %s is not a shift", a->name);
  *image = box->at[*var];
  return interval_shift(f, image, x->base);
}

/* A side that cuts the image cuts the box; two indices that shift one variable lie on one side of it or the other. */
static bool cut_back(region *box, const region *image, const cdag_term *t, const int *var, bool *empty)
{
  int p = image->along, q = image->across;
  int64_t by = image->by + t->index[p].base - t->index[q].base;
  if (var[p] < 0)
    return false;
  if (var[p] != var[q])
    return region_cut(box, var[p], var[q], by, image->upper);
  *empty = image->upper ? by <= 0 : by > 0;
  return true;
}

/* Index q of a term, where its array's bound is slanted. */
static bool slanted_image(formula *f, const cdag_array *a, const cdag_term *t, int q, int line, region *box,
                          bool *empty)
{
  region image = { 0 };
  int var[CDAG_RANK];
  bool ok = true;
  for (int k = 0; k <= q && ok; k++)
    ok = image_index(f, a, t, k, line, box, &image.at[k], &var[k]);
  ok = ok && (var[q] >= 0 || formula_fail(f, line, "a term of %s is not a shift", a->name)) &&
       cut_index(f, t->array, line, q, &image, empty);
  if (ok && !*empty) { /* what the other side cut off */
    ok = interval_shift(f, &image.at[q], -t->index[q].base);
    box->at[var[q]] = image.at[q];
  }
  if (ok && !*empty && image.cut && !cut_back(box, &image, t, var, empty))
    ok = formula_fail(f, line, "two slanted sides meet a box of %s", a->name);
  return ok;
}

/* Index q of a term: cut the box's intervals to where it lies in the predecessor's domain; what is free multiplies. */
static bool cut_by_index(formula *f, const cdag_array *a, const cdag_term *t, int q, int line, region *box, poly *times,
                         bool *empty)
{
  const cdag_index *x = &t->index[q];
  interval domain = { 0 }, at = { 0 };
  int var;
  const cdag_array *to = &f->s->g->array[t->array];
  *empty = false;
  if (reads_index(f, t->array, to->lo[q]) || reads_index(f, t->array, to->hi[q]))
    return slanted_image(f, a, t, q, line, box, empty);
  bool ok = domain_interval(f, t->array, q, line, &domain);
  if (ok && x->kind == CDAG_ALL) {
    *times = poly_mul(&f->world, *times, interval_extent(f, &domain));
  } else if (ok && (x->kind == CDAG_RANGE || !simple_index(x, a->rank, &var))) {
    ok = formula_fail(f, line, "a term of %s is not a shift", a->name);
  } else if (ok && var >= 0) {
    ok = interval_shift(f, &box->at[var], x->base) && cut(f, t->array, line, &box->at[var], &domain, empty) &&
         interval_shift(f, &box->at[var], -x->base);
  } else if (ok) {
    at.lo = poly_number(&f->world, x->base);
    at.hi = poly_number(&f->world, x->base + 1);
    at.lo_span = (span){ x->base, x->base };
    at.hi_span = (span){ x->base + 1, x->base + 1 };
    ok = cut(f, t->array, line, &at, &domain, empty);
  }
  return ok;
}

/* Elements of the box on which term t is present, times what it names for each. */
static bool term_volume(formula *f, const schedule_box *b, const cdag_term *t, poly *volume)
{
  const cdag_array *a = &f->s->g->array[b->array];
  region box = { 0 };
  poly times = poly_number(&f->world, 1);
  bool nothing, empty;
  bool ok = inside_region(f, b, &box, &nothing);
  for (int q = 0; q < f->s->g->array[t->array].rank && ok && !nothing; q++) {
    ok = cut_by_index(f, a, t, q, b->line, &box, &times, &empty);
    nothing = ok && empty;
  }
  ok = ok && volume_of(f, b, &box, nothing, volume);
  if (ok)
    *volume = poly_mul(&f->world, *volume, times);
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
  *volume = (poly){ 0 };
  for (int t = 0; t < a->terms && ok; t++) {
    int dropped = names(n, a->term[t].array);
    poly v = { 0 };
    if (dropped < 0)
      ok = formula_fail(f, b->line, "part of an array is dropped");
    else if (dropped && (ok = term_volume(f, b, &a->term[t], &v)))
      *volume = poly_add(&f->world, *volume, v);
  }
  return ok;
}
