/* stride.c -- x becomes c x' + h: h is each number below c in turn where steps are put together, else an index of its
   own.  A rule is said in the new indices, and what a quotient of such a form is is known where the rest stays below
   the divisor. */
#include "cdag/stride.h"
#include "base/mem.h"
#include "base/num.h"
#include "cdag/cdag_internal.h"
#include "cdag/view.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOGETHER = 4 }; /* so many steps of a sum are one at most */

typedef struct {
  const cdag *g;
  int64_t (*by)[CDAG_RANK]; /* by array and index: it counts in steps of so many; 0: of one */
  bool (*apart)[CDAG_RANK]; /* and the rest is an index of its own */
  bool told;
  /* the rule under way: */
  int array;
  int64_t step[CDAG_RANK]; /* of steps that are one, this one */
  char rest[CDAG_RANK][CDAG_NAME];
} strider;

/* base + sum of coef[v] x'[v] + rest[v] h[v] */
typedef struct {
  int64_t base, coef[CDAG_RANK], rest[CDAG_RANK];
} stride_form;

static const cdag_array *array_of(const strider *s) { return &s->g->array[s->array]; }

/* ---- forms in the new indices ---- */

static bool form_of(const strider *s, const expr *e, stride_form *f)
{
  expr_env env = { s->g->param_value, s->g->table };
  int rank = array_of(s)->rank;
  *f = (stride_form){ 0 };
  if (!expr_affine(e, &env, s->g->params, rank, &f->base, f->coef))
    return false;
  for (int v = 0; v < rank; v++) {
    int64_t by = s->by[s->array][v], coef = f->coef[v];
    if (!by || !coef)
      continue;
    f->coef[v] = array_of(s)->hull.hi[v] > by ? coef * by : 0; /* else it is 0 */
    if (s->apart[s->array][v])
      f->rest[v] = coef;
    else
      f->base += coef * s->step[v];
  }
  return true;
}

static void add_part(expr **sum, int64_t coef, const char *name)
{
  if (!coef)
    return;
  expr *part = expr_slot(INT_MAX, name);
  if (llabs(coef) != 1)
    part = expr_binary(EXPR_MUL, expr_const(llabs(coef)), part);
  if (!*sum)
    *sum = coef > 0 ? part : expr_binary(EXPR_SUB, expr_const(0), part);
  else
    *sum = expr_binary(coef > 0 ? EXPR_ADD : EXPR_SUB, *sum, part);
}

static expr *form_said(const strider *s, const stride_form *f)
{
  expr *sum = NULL;
  for (int v = 0; v < array_of(s)->rank; v++) {
    add_part(&sum, f->coef[v], array_of(s)->var[v]);
    add_part(&sum, f->rest[v], s->rest[v]);
  }
  if (!sum)
    return expr_const(f->base);
  return f->base ? expr_binary(f->base > 0 ? EXPR_ADD : EXPR_SUB, sum, expr_const(llabs(f->base))) : sum;
}

/* What part of a coefficient no multiple of c is, and the range of that times what it stands with. */
static void split_off(int64_t *whole, int64_t c, int64_t least, int64_t most, int64_t *rest, int64_t *lo, int64_t *hi)
{
  *rest = *whole % c;
  *whole /= c;
  *lo += num_min(*rest * least, *rest * most);
  *hi += num_max(*rest * least, *rest * most);
}

/* f / c and f % c; false: the quotient is no form. */
static bool form_divided(const strider *s, const stride_form *f, int64_t c, stride_form *quotient, stride_form *rest)
{
  const cdag_array *a = array_of(s);
  int64_t whole = num_floor_div(f->base, c), lo, hi;
  *quotient = *f;
  *rest = (stride_form){ .base = f->base - c * whole };
  lo = hi = rest->base;
  for (int v = 0; v < a->rank; v++) {
    int64_t by = s->by[s->array][v], least = a->hull.lo[v], most = a->hull.hi[v] - 1;
    split_off(&quotient->coef[v], c, by ? least / by : least, by ? most / by : most, &rest->coef[v], &lo, &hi);
    split_off(&quotient->rest[v], c, 0, by - 1, &rest->rest[v], &lo, &hi);
  }
  int64_t more = num_floor_div(lo, c);
  quotient->base = whole + more;
  rest->base -= c * more;
  return num_floor_div(hi, c) == more;
}

/* ---- expressions in the new indices ---- */

static bool is_number(const strider *s, const expr *e, int64_t *value)
{
  expr_env env = { s->g->param_value, s->g->table };
  return !expr_uses(e, s->g->params, INT_MAX) && expr_eval(e, &env, value, NULL) == EXPR_OK;
}

static bool divided(const strider *s, const expr *e, bool rest, stride_form *f)
{
  stride_form own, quotient, other;
  int64_t c;
  if (!is_number(s, e->arg[1], &c) || c < 2 || !form_of(s, e->arg[0], &own) ||
      !form_divided(s, &own, c, &quotient, &other))
    return false;
  *f = rest ? other : quotient;
  return true;
}

/* (9 q + h) / 3 is 3 q + h / 3, and (9 q + h) % 3 is h % 3; NULL: not so. */
static expr *divided_in_part(const strider *s, const expr *e)
{
  stride_form own, quotient, rest;
  int64_t c;
  if (!is_number(s, e->arg[1], &c) || c < 2 || !form_of(s, e->arg[0], &own))
    return NULL;
  form_divided(s, &own, c, &quotient, &rest);
  expr *below = expr_binary(e->op, form_said(s, &rest), expr_const(c));
  return e->op == EXPR_MOD ? below : expr_binary(EXPR_ADD, form_said(s, &quotient), below);
}

/* Where a - b is between numbers, and of what it is a multiple. */
static int64_t span_of(const strider *s, const stride_form *f, int64_t *least, int64_t *most)
{
  const cdag_array *a = array_of(s);
  int64_t common = 0;
  *least = *most = f->base;
  for (int v = 0; v < a->rank; v++) {
    int64_t by = s->by[s->array][v], unit = by ? by : 1, lo = a->hull.lo[v] / unit, hi = (a->hull.hi[v] - 1) / unit;
    *least += num_min(f->coef[v] * lo, f->coef[v] * hi) + num_min(0, f->rest[v] * (by - 1));
    *most += num_max(f->coef[v] * lo, f->coef[v] * hi) + num_max(0, f->rest[v] * (by - 1));
    common = num_gcd(num_gcd(common, llabs(f->coef[v])), llabs(f->rest[v]));
  }
  return common;
}

/* a == b, a < b and so on, of forms: is it always so, or never?  Else NULL, or in the smallest numbers. */
static expr *compared(const strider *s, const expr *e)
{
  stride_form f, other;
  int64_t least, most;
  if (!form_of(s, e->arg[0], &f) || !form_of(s, e->arg[1], &other))
    return NULL;
  f.base -= other.base;
  for (int v = 0; v < array_of(s)->rank; v++) {
    f.coef[v] -= other.coef[v];
    f.rest[v] -= other.rest[v];
  }
  int64_t common = span_of(s, &f, &least, &most);
  bool equal = e->op == EXPR_EQ || e->op == EXPR_NE;
  if (equal && (least > 0 || most < 0 || (common && f.base % common)))
    return expr_const(e->op == EXPR_NE);
  if (!equal && (e->op == EXPR_LT || e->op == EXPR_GE) && (most < 0 || least >= 0))
    return expr_const((most < 0) == (e->op == EXPR_LT));
  if (!equal && (e->op == EXPR_LE || e->op == EXPR_GT) && (most <= 0 || least > 0))
    return expr_const((most <= 0) == (e->op == EXPR_LE));
  if (!equal || common < 2)
    return NULL;
  for (int v = 0; v < array_of(s)->rank; v++) {
    f.coef[v] /= common;
    f.rest[v] /= common;
  }
  f.base /= common;
  return expr_binary(e->op, form_said(s, &f), expr_const(0));
}

/* A comparison of numbers is one, and what that decides is. */
static expr *decided(expr *e)
{
  expr_env env = { NULL, NULL };
  int64_t value;
  bool numbers = e->nargs > 0, truth = expr_is_truth(e);
  for (int i = 0; i < e->nargs; i++)
    numbers = numbers && e->arg[i]->op == EXPR_CONST;
  if (numbers && e->op != EXPR_TABLE && expr_eval(e, &env, &value, NULL) == EXPR_OK) {
    expr_free(e);
    return expr_const(value);
  }
  for (int i = 0; i < 2 && e->nargs == 2 && expr_is_extreme(e) && truth; i++) {
    const expr *one = e->arg[i];
    if (one->op == EXPR_CONST) { /* it is that number, or the other one alone says it */
      bool decides = (one->value != 0) == (e->op == EXPR_MAX);
      expr *own = expr_copy(decides ? one : e->arg[1 - i]);
      expr_free(e);
      return own;
    }
  }
  return e;
}

static expr *said(const strider *s, const expr *e)
{
  stride_form f;
  bool quotient = e->op == EXPR_DIV || e->op == EXPR_MOD;
  if (!quotient && !expr_uses(e, s->g->params, s->g->params + CDAG_RANK))
    return expr_copy(e);
  if (form_of(s, e, &f) || (quotient && divided(s, e, e->op == EXPR_MOD, &f)))
    return form_said(s, &f);
  expr *own = expr_is_comparison(e) ? compared(s, e) : quotient ? divided_in_part(s, e) : NULL;
  if (own)
    return own;
  own = expr_copy(e);
  for (int i = 0; i < e->nargs; i++) {
    expr_free(own->arg[i]);
    own->arg[i] = said(s, e->arg[i]);
  }
  bool truths = expr_is_extreme(e) && expr_is_truth(e);
  return truths || expr_is_comparison(e) ? decided(own) : own;
}

static void print_said(const strider *s, const expr *e, text *out)
{
  expr *own = said(s, e);
  expr_print(out, own);
  expr_free(own);
}

static void print_divided(const strider *s, const expr *e, expr_op op, int64_t c, text *out)
{
  expr *own = expr_binary(op, expr_copy(e), expr_const(c));
  print_said(s, own, out);
  expr_free(own);
}

/* ---- which indices ---- */

static bool reads_back(const strider *s, int array, int r)
{
  const cdag_array *a = &s->g->array[array];
  for (int t = 0; t < a->terms; t++)
    for (int q = 0; q < a->rank && a->term[t].array == array; q++) {
      cdag_passed p;
      if (q == r && cdag_passes(s->g, array, &a->term[t], q, &p) && p.v == r && p.base == -1)
        return true;
    }
  return false;
}

/* From 0 on, all the same whatever other indices are; and for c whole steps. */
static bool is_free(const strider *s, int array, int r, int64_t c)
{
  const cdag_array *a = &s->g->array[array];
  int64_t lo, hi;
  return is_number(s, a->lo[r], &lo) && is_number(s, a->hi[r], &hi) && lo == 0 && hi > 0 && hi % c == 0 &&
         s->g->priv->piece[array].n == 0 && a->var[r][0];
}

/* Of two numbers one divides the other: the index counts in steps of the greater, and what the other says is said of
   the rest. */
static void count_by(strider *s, int array, int v, int64_t c)
{
  bool back = reads_back(s, array, v);
  int64_t *by = &s->by[array][v], most = num_max(*by, c);
  if ((back && s->g->array[array].declared_output) || !is_free(s, array, v, c))
    return;
  s->told = s->told && (!*by || (most % *by == 0 && most % c == 0));
  *by = most;
  s->apart[array][v] = !back || most > TOGETHER;
}

/* Quotients and remainders in e, of one variable and a number. */
static void note_quotients(strider *s, int array, const expr *e)
{
  expr_env env = { s->g->param_value, s->g->table };
  int64_t c, base, coef[CDAG_RANK];
  int v = -1, n = 0, rank = s->g->array[array].rank;
  for (int i = 0; i < e->nargs; i++)
    note_quotients(s, array, e->arg[i]);
  if ((e->op != EXPR_DIV && e->op != EXPR_MOD) || !is_number(s, e->arg[1], &c) || c < 2 ||
      !expr_affine(e->arg[0], &env, s->g->params, rank, &base, coef))
    return;
  for (int r = 0; r < rank; r++)
    if (coef[r]) {
      v = r;
      n++;
    }
  if (n == 1 && coef[v] == 1 && base % c == 0)
    count_by(s, array, v, c);
}

/* The last index of a sum says which of a few terms is added. */
static void note_choice(strider *s, int array)
{
  const cdag_array *a = &s->g->array[array];
  int v = a->rank - 1;
  int64_t c = v < 1 ? 0 : a->hull.hi[v];
  bool chosen = false;
  for (int t = 0; t < a->terms; t++) {
    const expr *e = cdag_term_condition(&a->term[t]);
    const expr *value = e && e->op == EXPR_EQ && expr_is_slot(e->arg[0], s->g->params + v) ? e->arg[1] : NULL;
    chosen = chosen ||
             (a->term[t].array != array && value && value->op == EXPR_CONST && value->value > 0 && value->value < c);
  }
  if (chosen && c >= 2 && c <= TOGETHER && reads_back(s, array, v))
    count_by(s, array, v, c);
}

static void find_strides(strider *s)
{
  for (int a = 0; a < s->g->arrays; a++) {
    for (int t = 0; t < s->g->array[a].terms; t++) {
      const cdag_term *term = &s->g->array[a].term[t];
      for (int q = 0; q < s->g->array[term->array].rank; q++) {
        cdag_index x = cdag_plain_index(s->g, a, term, q);
        if (x.kind == CDAG_AT)
          note_quotients(s, a, x.lo);
      }
      if (cdag_term_condition(term))
        note_quotients(s, a, cdag_term_condition(term));
    }
    note_choice(s, a);
  }
}

/* Indices that are passed on from or to one that is two are two. */
static void spread(strider *s)
{
  for (bool more = true; more;) {
    more = false;
    for (int a = 0; a < s->g->arrays; a++)
      for (int t = 0; t < s->g->array[a].terms; t++) {
        const cdag_term *term = &s->g->array[a].term[t];
        for (int q = 0; q < s->g->array[term->array].rank; q++) {
          cdag_passed p;
          int b = term->array;
          if (!cdag_passes(s->g, a, term, q, &p) || p.base || p.sign < 0)
            continue;
          int64_t from = s->apart[a][p.v] ? s->by[a][p.v] : 0, to = s->apart[b][q] ? s->by[b][q] : 0;
          if (from && !s->by[b][q]) {
            count_by(s, b, q, from);
            more = more || s->by[b][q];
          } else if (to && !s->by[a][p.v]) {
            count_by(s, a, p.v, to);
            more = more || s->by[a][p.v];
          }
        }
      }
  }
}

static bool counts_by(const strider *s, int array)
{
  bool any = false;
  for (int r = 0; r < s->g->array[array].rank; r++)
    any = any || s->by[array][r];
  return any;
}

static bool is_said_anew(const strider *s, int array)
{
  bool any = counts_by(s, array);
  for (int t = 0; t < s->g->array[array].terms; t++)
    any = any || counts_by(s, s->g->array[array].term[t].array);
  return any;
}

/* ---- the text ---- */

static void print_head(strider *s, text *out)
{
  const cdag_array *a = array_of(s);
  text_printf(out, "%s%s%s", a->declared_output ? "output " : "", a->declared_input ? "input " : "", a->name);
  for (int r = 0; r < a->rank; r++) {
    int64_t by = s->by[s->array][r];
    text_printf(out, "%s%s%s", r ? ", " : "[", a->var[r], a->var[r][0] ? ":" : "");
    if (by)
      text_printf(out, "0..%" PRId64, a->hull.hi[r] / by);
    else {
      print_said(s, a->lo[r], out);
      text_add(out, "..");
      print_said(s, a->hi[r], out);
    }
    if (s->apart[s->array][r])
      text_printf(out, ", %s:0..%" PRId64, s->rest[r], by);
    for (int k = r + 1; by && !s->apart[s->array][r] && k < a->rank; k++)
      s->told = s->told && !expr_uses(a->lo[k], s->g->params + r, s->g->params + r + 1) &&
                !expr_uses(a->hi[k], s->g->params + r, s->g->params + r + 1);
  }
  text_char(out, ']');
}

/* never: it is known that nothing is there. */
static void print_index(strider *s, const cdag_term *t, int q, bool *never, text *out)
{
  cdag_index x = cdag_plain_index(s->g, s->array, t, q);
  int64_t by = s->by[t->array][q];
  bool apart = s->apart[t->array][q];
  text_add(out, q ? "," : "[");
  if (x.kind == CDAG_ALL)
    text_add(out, apart ? "*,*" : "*");
  else if (by && x.kind == CDAG_AT) {
    text quotient = { 0 };
    print_divided(s, x.lo, EXPR_DIV, by, &quotient);
    *never = *never || text_str(&quotient)[0] == '-'; /* before the first */
    text_add(out, text_str(&quotient));
    text_clear(&quotient);
    text_add(out, apart ? "," : "");
    if (apart)
      print_divided(s, x.lo, EXPR_MOD, by, out);
  } else {
    s->told = s->told && !by;
    print_said(s, x.lo, out);
    text_add(out, x.kind == CDAG_RANGE ? ".." : "");
    if (x.kind == CDAG_RANGE)
      print_said(s, x.hi, out);
  }
}

/* The element itself, as a term that reads it would name it. */
static void print_own(const strider *s, text *out)
{
  const cdag_array *a = array_of(s);
  text_add(out, a->name);
  for (int r = 0; r < a->rank; r++) {
    bool single = s->by[s->array][r] == a->hull.hi[r];
    text_printf(out, "%s%s", r ? "," : "[", single ? "0" : a->var[r]);
    if (s->apart[s->array][r])
      text_printf(out, ",%s", s->rest[r]);
  }
  text_char(out, ']');
}

/* Its own step before, of a sum whose steps are two indices: the rest one less, or, before its first, the last one of
   the step before.  False: it is no such term. */
static bool print_steps_back(strider *s, const cdag_term *t, text *out)
{
  const cdag_array *a = array_of(s);
  int back = -1;
  cdag_passed p;
  for (int q = 0; q < a->rank && t->array == s->array; q++)
    if (s->apart[s->array][q] && cdag_passes(s->g, s->array, t, q, &p) && p.v == q && p.base == -1)
      back = q;
  for (int wraps = 0; wraps < 2 && back >= 0; wraps++) {
    text_add(out, wraps ? ", " : "");
    text_add(out, a->name);
    for (int q = 0; q < a->rank; q++) {
      bool never = false;
      if (q != back)
        print_index(s, t, q, &never, out);
      else if (wraps)
        text_printf(out, "%s%s-1,%" PRId64 "+%s", q ? "," : "[", a->var[q], s->by[s->array][q] - 1, s->rest[q]);
      else
        text_printf(out, "%s%s,%s-1", q ? "," : "[", a->var[q], s->rest[q]);
    }
    text_char(out, ']');
  }
  return back >= 0;
}

static void print_term(strider *s, const cdag_term *t, text *before, text *out)
{
  SCOPED_TEXT steps = { 0 };
  if (!cdag_term_condition(t) && print_steps_back(s, t, &steps)) {
    text_printf(out, "%s%s", before->n ? ", " : " = ", text_str(&steps));
    text_add(before, "\n");
    return;
  }

  SCOPED_TEXT one = { 0 };
  SCOPED_TEXT own = { 0 };
  const expr *asked = cdag_term_condition(t);
  expr *e = asked ? said(s, asked) : NULL;
  bool never = e && e->op == EXPR_CONST && e->value == 0, always = !e || e->op == EXPR_CONST;
  text_add(&one, s->g->array[t->array].name);
  for (int q = 0; q < s->g->array[t->array].rank; q++)
    print_index(s, t, q, &never, &one);
  text_char(&one, ']');
  print_own(s, &own);
  if (strcmp(text_str(&one), text_str(&own)) == 0)
    never = true;
  if (!always) {
    text_add(&one, " if ");
    expr_print(&one, e);
  }
  text_clear(&own);
  text_printf(&own, "\n%s\n", text_str(&one));
  if (!never && !strstr(text_str(before), text_str(&own))) {
    text_printf(out, "%s%s", before->n ? ", " : " = ", text_str(&one));
    text_add(before, text_str(&own));
  }
  if (e)
    expr_free(e);
}

/* Of every step that is put together with others, from index r on. */
static void print_steps(strider *s, const cdag_term *t, int r, text *before, text *out)
{
  const cdag_array *a = array_of(s);
  while (r < a->rank && (!s->by[s->array][r] || s->apart[s->array][r]))
    r++;
  if (r == a->rank) {
    print_term(s, t, before, out);
    return;
  }
  for (s->step[r] = 0; s->step[r] < s->by[s->array][r]; s->step[r]++)
    print_steps(s, t, r + 1, before, out);
}

static bool print_rule(const cdag_view *v, int array, int part, text *out)
{
  strider *s = v->own;
  SCOPED_TEXT before = { 0 };
  (void)part;
  if (!is_said_anew(s, array))
    return false;
  s->array = array;
  s->told = s->told && s->g->priv->piece[array].n == 0;
  for (int r = 0; r < array_of(s)->rank; r++)
    if (s->apart[array][r])
      cdag_fresh_name(s->g, array_of(s)->var[r], "_rest", s->rest[r]);
  print_head(s, out);
  for (int t = 0; t < array_of(s)->terms; t++)
    print_steps(s, &array_of(s)->term[t], 0, &before, out);
  text_char(out, '\n');
  return true;
}

static bool puts_out(const cdag_view *v, const cdag_selection *x, int part)
{
  (void)part;
  return !counts_by(v->own, x->array);
}

/* A line `output ...` of an array whose indices count in steps. */
static void print_selection(strider *s, const cdag_selection *x, text *out)
{
  text_printf(out, "output %s", s->g->array[x->array].name);
  s->told = s->told && x->vars == 0;
  for (int q = 0; q < s->g->array[x->array].rank; q++) {
    int64_t by = s->by[x->array][q], value = 0;
    bool apart = s->apart[x->array][q], at = x->index[q].kind == CDAG_AT;
    text_add(out, q ? "," : "[");
    if (x->index[q].kind == CDAG_ALL)
      text_add(out, apart ? "*,*" : "*");
    else if (by && at && is_number(s, x->index[q].lo, &value)) {
      text_printf(out, "%" PRId64, num_floor_div(value, by));
      if (apart)
        text_printf(out, ",%" PRId64, value - by * num_floor_div(value, by));
    } else {
      s->told = s->told && !by;
      expr_print(out, x->index[q].lo);
      text_add(out, at ? "" : "..");
      if (!at)
        expr_print(out, x->index[q].hi);
    }
  }
  text_add(out, "]\n");
}

/* ---- the computation ---- */

static void note_arrays(const strider *s, cdag_respelled *out)
{
  size_t n = (size_t)out->g->arrays;
  out->strides = true;
  out->of = MEM_NEW(int, n);
  out->part = MEM_NEW(uint32_t, n);
  out->index = mem_new(n, sizeof *out->index);
  for (size_t a = 0; a < n; a++) {
    out->of[a] = (int)a;
    for (int r = 0, q = 0; r < s->g->array[a].rank; r++, q++) {
      out->index[a][q].times = s->by[a][r];
      out->index[a][q].apart = s->apart[a][r];
      q += s->apart[a][r];
    }
  }
}

static bool ranks_fit(const strider *s)
{
  bool fit = true;
  for (int a = 0; a < s->g->arrays; a++) {
    int rank = s->g->array[a].rank;
    for (int r = 0; r < s->g->array[a].rank; r++)
      rank += s->apart[a][r];
    fit = fit && rank <= CDAG_RANK;
  }
  return fit;
}

static void open_strides(strider *s, cdag_respelled *out)
{
  cdag_view view = { .own = s, .rule = print_rule, .puts_out = puts_out };
  SCOPED_TEXT source = { 0 };
  diag d = { 0 };
  cdag_print_view(&source, s->g, &view);
  for (int i = 0; i < s->g->selections; i++)
    if (!s->g->selection[i].of_rule && counts_by(s, s->g->selection[i].array))
      print_selection(s, &s->g->selection[i], &source);
  if (s->told && cdag_parse_unchecked(&out->g, s->g->name, text_str(&source), "", &d) == OK)
    note_arrays(s, out);
}

bool cdag_stride(const cdag *g, cdag_respelled *out)
{
  *out = (cdag_respelled){ .given = g };
  if (g->graph || g->copies)
    return false;
  strider s = { .g = g, .told = true };
  bool any = false;
  s.by = mem_new((size_t)g->arrays + 1, sizeof *s.by);
  s.apart = mem_new((size_t)g->arrays + 1, sizeof *s.apart);
  find_strides(&s);
  spread(&s);
  for (int a = 0; a < g->arrays; a++)
    any = any || counts_by(&s, a);
  if (any && s.told && ranks_fit(&s))
    open_strides(&s, out);
  mem_free(s.by);
  mem_free(s.apart);
  return out->g != NULL;
}
