/* forms.c -- affine forms, conditions and domains as text. */
#include "cdag/import/flow/flow.h"
#include "base/num.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 40 };

const char *flow_name_of(const flow *f, const part *p, int r) { return p->input ? f->index[r] : f->s[p->of].var[r]; }

void flow_name_indices(flow *f)
{
  static const char *const prefixes[] = { "x", "e", "d", "index_", "index_of_input_", NULL };
  bool used = true;
  for (int i = 0; prefixes[i] && used; i++) {
    used = false;
    for (int r = 0; r < C_RANK; r++) {
      snprintf(f->index[r], C_NAME, "%s%d", prefixes[i], r);
      used = used || flow_taken(f, f->index[r]);
      for (int a = 0; a < f->n->arrays; a++)
        used = used || strcmp(f->n->array[a].name, f->index[r]) == 0;
    }
  }
}

static long number(flow *f, isl_val *v)
{
  f->bad = f->bad || !isl_val_is_int(v);
  long value = f->bad ? 0 : isl_val_get_num_si(v);
  isl_val_free(v);
  return value;
}

static void put_scaled(text *t, long c, const char *what)
{
  if (c == 0)
    return;
  if (c == 1)
    text_printf(t, "%s%s", t->n ? "+" : "", what);
  else if (c == -1)
    text_printf(t, "-%s", what);
  else
    text_printf(t, "%s%ld*%s", c > 0 && t->n ? "+" : "", c, what);
}

static void put_division(flow *f, const part *p, isl_aff *aff, int q, long c, text *t)
{
  isl_aff *div = isl_aff_get_div(aff, q);
  isl_val *d = div ? isl_aff_get_denominator_val(div) : NULL;
  SCOPED_TEXT inner = { 0 }, whole = { 0 };
  if (!div) {
    f->bad = true;
    return;
  }
  isl_aff *numerator = isl_aff_scale_val(div, isl_val_copy(d));
  flow_put_aff(f, p, numerator, 1, &inner);
  text_printf(&whole, "((%s)/%ld)", text_str(&inner), number(f, d));
  put_scaled(t, c, whole.s);
  isl_aff_free(numerator);
}

const char *flow_said(const c_param *p, char *name)
{
  snprintf(name, C_NAME + 1, "%s%s", p->name, cdag_reserved(p->name) ? "_" : "");
  return name;
}

/* What of sign * aff is above zero by itself (sign 0: all of it), appended. */
static void put_terms(flow *f, const part *p, isl_aff *aff, int sign, bool split, text *t)
{
  int dims = isl_aff_dim(aff, OF_IN), params = isl_aff_dim(aff, OF_PARAM), divs = isl_aff_dim(aff, OF_DIV);
  for (int i = 0; i < params; i++) {
    long c = sign * number(f, isl_aff_get_coefficient_val(aff, OF_PARAM, i));
    char name[C_NAME + 1];
    put_scaled(t, split && c < 0 ? 0 : c, flow_said(&f->n->param[i], name));
  }
  for (int i = 0; i < dims; i++) {
    long c = sign * number(f, isl_aff_get_coefficient_val(aff, OF_IN, i));
    f->bad = f->bad || (c != 0 && i >= f->visible);
    put_scaled(t, split && c < 0 ? 0 : c, flow_name_of(f, p, i));
  }
  for (int i = 0; i < divs; i++) {
    long c = sign * number(f, isl_aff_get_coefficient_val(aff, OF_DIV, i));
    if (c != 0 && !(split && c < 0))
      put_division(f, p, aff, i, c, t);
  }
  long c = sign * number(f, isl_aff_get_constant_val(aff));
  if (c != 0 && !(split && c < 0))
    text_printf(t, "%s%ld", c > 0 && t->n ? "+" : "", c);
  if (t->n == 0)
    text_add(t, "0");
}

void flow_put_aff(flow *f, const part *p, isl_aff *aff, int sign, text *t) { put_terms(f, p, aff, sign, false, t); }

/* ---- conditions ---- */

typedef struct {
  flow *f;
  const part *p;
  text *t;
  int index;
  text *lo, *hi;
  int los, his;
} writing;

static isl_stat put_comparison(isl_constraint *c, void *user)
{
  writing *w = user;
  SCOPED_TEXT more = { 0 }, less = { 0 };
  isl_aff *aff = isl_constraint_get_aff(c);
  put_terms(w->f, w->p, aff, 1, true, &more);
  put_terms(w->f, w->p, aff, -1, true, &less);
  bool swap = true;
  for (int i = 0; i < isl_aff_dim(aff, OF_IN); i++)
    swap = swap && number(w->f, isl_aff_get_coefficient_val(aff, OF_IN, i)) <= 0;
  const char *sign = isl_constraint_is_equality(c) ? "==" : swap ? "<=" : ">=";
  text_printf(w->t, "%s%s %s %s", w->t->n ? " && " : "", text_str(swap ? &less : &more), sign,
              text_str(swap ? &more : &less));
  isl_aff_free(aff);
  isl_constraint_free(c);
  return isl_stat_ok;
}

void flow_put_conditions(flow *f, const part *p, isl_basic_set *b, text *out)
{
  writing w = { .f = f, .p = p, .t = out };
  isl_basic_set_foreach_constraint(b, put_comparison, &w);
}

/* ---- domains ---- */

/* One constraint on index w->index: a bound from below or above; one that does not read it: a condition. */
static isl_stat put_bound(isl_constraint *c, void *user)
{
  writing *w = user;
  long k = number(w->f, isl_constraint_get_coefficient_val(c, OF_SET, w->index));
  bool equal = isl_constraint_is_equality(c);
  if (k == 0)
    return put_comparison(c, user);
  isl_aff *aff = isl_constraint_get_aff(c);
  aff = isl_aff_set_coefficient_si(aff, OF_IN, w->index, 0);
  if (k < 0 && equal) { /* as one of a positive coefficient */
    aff = isl_aff_neg(aff);
    k = -k;
  }
  SCOPED_TEXT rest = { 0 };
  flow_put_aff(w->f, w->p, aff, k > 0 ? -1 : 1, &rest); /* k x >= -aff, or -k x <= aff */
  long by = k > 0 ? k : -k;
  if (k > 0 || equal) {
    text_add(w->lo, w->los++ ? "," : "");
    text_printf(w->lo, by == 1 ? "%s" : "ceil(%s,%ld)", text_str(&rest), by);
  }
  if (k < 0 || equal) {
    text_add(w->hi, w->his++ ? "," : "");
    text_printf(w->hi, by == 1 ? "%s+1" : "(%s)/%ld+1", text_str(&rest), by);
  }
  isl_aff_free(aff);
  isl_constraint_free(c);
  return isl_stat_ok;
}

/* "n-1+1" is said as "n". */
static void tidy(text *t)
{
  static const struct {
    const char *end, *short_end;
  } ends[] = { { "-1+1", "" }, { "-2+1", "-1" }, { "-3+1", "-2" }, { "0+1", "1" } };
  for (int i = 0; i < 4; i++) {
    size_t n = strlen(ends[i].end);
    bool alone = i < 3 || t->n == n;
    if (t->n >= n && alone && strcmp(t->s + t->n - n, ends[i].end) == 0) {
      t->n -= n;
      t->s[t->n] = '\0';
      text_add(t, t->n || *ends[i].short_end ? ends[i].short_end : "0");
      return;
    }
  }
}

static void put_limits(text *out, const char *word, text *list, int n)
{
  text_printf(out, n > 1 ? "%s(%s)" : "%.0s%s", word, text_str(list));
}

/* Is there nothing of it for some parameters? */
static bool may_be_empty(const flow *f, isl_set *whole)
{
  isl_set *some = isl_set_params(isl_set_copy(whole));
  bool empty = isl_set_is_subset(f->context, some) == 0;
  isl_set_free(some);
  return empty;
}

void flow_put_range(flow *f, const part *p, isl_set *whole, int r, int rank, text *out)
{
  isl_set *below = isl_set_eliminate(isl_set_copy(whole), OF_SET, (unsigned)r + 1, (unsigned)(rank - r - 1));
  isl_set *before = r > 0 ? isl_set_eliminate(isl_set_copy(whole), OF_SET, (unsigned)r, (unsigned)(rank - r))
                          : isl_set_universe(isl_set_get_space(whole)); /* conditions on parameters alone are kept */
  before = isl_set_intersect_params(before, isl_set_copy(f->context));
  isl_set *here = isl_set_coalesce(isl_set_gist(below, before));
  SCOPED_TEXT when = { 0 }, lo = { 0 }, hi = { 0 };
  writing w = { .f = f, .p = p, .t = &when, .index = r, .lo = &lo, .hi = &hi };
  isl_basic_set *b = isl_set_n_basic_set(here) == 1 ? isl_set_simple_hull(here) : (isl_set_free(here), NULL);
  f->visible = r;
  if (b)
    isl_basic_set_foreach_constraint(b, put_bound, &w);
  f->visible = C_RANK;
  f->bad = f->bad || !b || !w.los || !w.his;
  if (w.his == 1)
    tidy(&hi);
  put_limits(out, "max", &lo, w.los);
  text_add(out, "..");
  if (r == 0 && !when.n && w.los == 1 && may_be_empty(f, whole)) { /* no range ends before it begins */
    text_printf(out, "max(%s,", text_str(&lo));
    put_limits(out, "min", &hi, w.his);
    text_char(out, ')');
  } else if (when.n) { /* nothing where it does not hold */
    SCOPED_TEXT low = { 0 };
    put_limits(&low, "max", &lo, w.los);
    text_printf(out, "min(%s,%s+%lld*(%s))", text_str(&hi), text_str(&low), 1LL << FAR, when.s);
  } else
    put_limits(out, "min", &hi, w.his);
  isl_basic_set_free(b);
}

/* What is outside of all loops has one index, 0, where its condition holds. */
static void put_once(flow *f, const part *p, isl_set *whole, text *out)
{
  SCOPED_TEXT when = { 0 };
  isl_basic_set *b = isl_set_simple_hull(isl_set_gist_params(isl_set_copy(whole), isl_set_copy(f->context)));
  flow_put_conditions(f, p, b, &when);
  text_printf(out, when.n ? "z:0..(%s)" : "z:1%s", text_str(&when));
  isl_basic_set_free(b);
}

void flow_put_domain(flow *f, const part *p, isl_basic_set *domain, text *out)
{
  int rank = isl_basic_set_dim(domain, OF_SET);
  isl_set *whole = flow_as_set(domain);
  text_char(out, '[');
  for (int r = 0; r < rank; r++) {
    text_printf(out, "%s%s:", r ? ", " : "", flow_name_of(f, p, r));
    flow_put_range(f, p, whole, r, rank, out);
  }
  if (rank == 0)
    put_once(f, p, whole, out);
  text_char(out, ']');
  isl_set_free(whole);
}
