/* schedules/poly/poly.c -- see schedules/poly/poly.h. */
#include "schedules/poly/poly.h"
#include "schedules/poly/power.h"
#include "base/mem.h"
#include "base/num.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- atoms ---- */

void poly_world_clear(poly_world *w)
{
  mem_free(w->atom);
  arena_clear(&w->memory);
  *w = (poly_world){ 0 };
}

static int new_atom(poly_world *w, atom_kind kind, int slot, const char *name)
{
  w->atom = mem_room(w->atom, (size_t)w->n, &w->room, sizeof *w->atom);
  poly_atom *a = &w->atom[w->n];
  *a = (poly_atom){ .kind = kind, .slot = slot };
  snprintf(a->name, sizeof a->name, "%s", name);
  if (w->n >= INT16_MAX)
    w->failed = true;
  return w->failed ? 0 : w->n++;
}

static int find_atom(poly_world *w, atom_kind kind, int slot, const char *name)
{
  for (int i = 0; i < w->n; i++)
    if (w->atom[i].kind == kind && w->atom[i].slot == slot)
      return i;
  return new_atom(w, kind, slot, name);
}

int poly_slot(poly_world *w, int slot, const char *name) { return find_atom(w, ATOM_SLOT, slot, name); }
int poly_iteration(poly_world *w, int loop, const char *name) { return find_atom(w, ATOM_ITERATION, loop, name); }

int poly_expression(poly_world *w, const expr *e)
{
  for (int i = 0; i < w->n; i++)
    if (w->atom[i].kind == ATOM_EXPR && expr_equal(w->atom[i].e, e))
      return i;
  int i = new_atom(w, ATOM_EXPR, -1, "");
  w->atom[i].e = e;
  return i;
}

/* ---- fractions ---- */


static bool lowest(__int128 num, __int128 den, int64_t *n, int64_t *d)
{
  __int128 a = num < 0 ? -num : num, b = den;
  while (b) {
    __int128 r = a % b;
    a = b;
    b = r;
  }
  if (a > 1) {
    num /= a;
    den /= a;
  }
  *n = (int64_t)num;
  *d = (int64_t)den;
  return *n == num && *d == den && *n != INT64_MIN;
}

/* ---- terms ---- */

static int compare(const poly_term *a, const poly_term *b)
{
  for (int i = 0; i < a->n && i < b->n; i++) {
    if (a->f[i].atom != b->f[i].atom)
      return a->f[i].atom < b->f[i].atom ? -1 : 1;
    if (a->f[i].power != b->f[i].power)
      return a->f[i].power > b->f[i].power ? -1 : 1;
  }
  return a->n == b->n ? 0 : a->n > b->n ? -1 : 1;
}

/* p, whose terms were made last: what it has no term for is given back. */
static poly trimmed(poly_world *w, poly p)
{
  arena_trim(&w->memory, p.term, p.room, p.n, sizeof *p.term);
  p.room = p.n;
  return p;
}

/* p, which nobody else has, with one more. */
static void add_term(poly_world *w, poly *p, const poly_term *t)
{
  uint32_t i = 0;
  while (i < p->n && compare(&p->term[i], t) < 0)
    i++;
  if (i < p->n && compare(&p->term[i], t) == 0) {
    poly_term *at = &p->term[i];
    if (!lowest((__int128)at->num * t->den + (__int128)t->num * at->den, (__int128)at->den * t->den, &at->num,
                &at->den))
      w->failed = true;
    if (at->num == 0)
      memmove(at, at + 1, (--p->n - i) * sizeof *at);
    return;
  }
  if (p->n == p->room) {
    p->room = p->room ? 2 * p->room : 2;
    p->term = arena_grow(&w->memory, p->term, p->n, p->room, sizeof *p->term);
  }
  memmove(&p->term[i + 1], &p->term[i], (p->n++ - i) * sizeof *t);
  p->term[i] = *t;
}

bool poly_term_times(const poly_term *a, const poly_term *b, poly_term *out)
{
  int i = 0, k = 0;
  *out = (poly_term){ 0 };
  if (!lowest((__int128)a->num * b->num, (__int128)a->den * b->den, &out->num, &out->den))
    return false;
  while (i < a->n || k < b->n) {
    if (out->n == POLY_FACTORS)
      return false;
    poly_factor *f = &out->f[out->n++];
    if (k == b->n || (i < a->n && a->f[i].atom < b->f[k].atom)) {
      *f = a->f[i++];
    } else if (i == a->n || b->f[k].atom < a->f[i].atom) {
      *f = b->f[k++];
    } else {
      *f = a->f[i++];
      f->power = (int16_t)(f->power + b->f[k++].power);
      out->n -= f->power == 0;
    }
  }
  return true;
}

/* ---- polynomials ---- */

static poly one_term(poly_world *w, const poly_term *t)
{
  poly p = { 0 };
  if (t->num)
    p = (poly){ arena_grow(&w->memory, t, 1, 1, sizeof *t), 1, 1 };
  return p;
}

poly poly_number(poly_world *w, int64_t value) { return one_term(w, &(poly_term){ .num = value, .den = 1 }); }

poly poly_variable(poly_world *w, int atom)
{
  return one_term(w, &(poly_term){ .num = 1, .den = 1, .n = 1, .f = { { (int16_t)atom, 1 } } });
}

poly poly_add_times(poly_world *w, poly p, poly q, int64_t num, int64_t den)
{
  if (q.n == 0)
    return p;
  poly sum = { arena_grow(&w->memory, p.term, p.n, p.n + q.n, sizeof *p.term), p.n, p.n + q.n };
  for (uint32_t i = 0; i < q.n; i++) {
    poly_term t = q.term[i];
    if (!lowest((__int128)t.num * num, (__int128)t.den * den, &t.num, &t.den))
      w->failed = true;
    else if (t.num)
      add_term(w, &sum, &t);
  }
  return trimmed(w, sum);
}

poly poly_add(poly_world *w, poly p, poly q) { return poly_add_times(w, p, q, 1, 1); }
poly poly_sub(poly_world *w, poly p, poly q) { return poly_add_times(w, p, q, -1, 1); }

poly poly_shift(poly_world *w, poly p, int64_t by)
{
  return poly_add(w, p, (poly){ &(poly_term){ .num = by, .den = 1 }, by != 0, 1 });
}

poly poly_scale(poly_world *w, poly p, int64_t num, int64_t den) { return poly_add_times(w, (poly){ 0 }, p, num, den); }

poly poly_with_term(poly_world *w, poly p, const poly_term *t)
{
  poly_term one = *t;
  return poly_add(w, p, (poly){ &one, 1, 1 });
}

poly poly_mul(poly_world *w, poly p, poly q)
{
  uint32_t room = p.n < 8 && q.n < 8 ? p.n * q.n : 8;
  poly product = { arena_grow(&w->memory, NULL, 0, room, sizeof *p.term), 0, room };
  for (uint32_t i = 0; i < p.n; i++)
    for (uint32_t k = 0; k < q.n; k++) {
      poly_term t;
      if (poly_term_times(&p.term[i], &q.term[k], &t))
        add_term(w, &product, &t);
      else
        w->failed = true;
    }
  return power_settle(w, trimmed(w, product));
}

bool poly_equal(poly p, poly q)
{
  if (p.n != q.n)
    return false;
  for (uint32_t i = 0; i < p.n; i++)
    if (compare(&p.term[i], &q.term[i]) || p.term[i].num != q.term[i].num || p.term[i].den != q.term[i].den)
      return false;
  return true;
}

bool poly_constant(poly p, int64_t *value)
{
  *value = p.n ? p.term[0].num : 0;
  return p.n == 0 || (p.n == 1 && p.term[0].n == 0 && p.term[0].den == 1);
}

bool poly_uses(const poly_world *w, poly p, int atom)
{
  const poly_atom *of = &w->atom[atom];
  for (uint32_t i = 0; i < p.n; i++)
    for (int k = 0; k < p.term[i].n; k++) {
      int a = p.term[i].f[k].atom;
      const poly_atom *x = &w->atom[a];
      bool inside = x->kind == ATOM_EXPR && of->kind == ATOM_SLOT && expr_uses(x->e, of->slot, of->slot + 1);
      if (a == atom || inside || poly_uses(w, x->p, atom) || poly_uses(w, x->q, atom))
        return true;
    }
  return false;
}

int poly_pair_atom(poly_world *w, atom_kind kind, int64_t base, poly p, poly q)
{
  int i = 0;
  while (i < w->n && !(w->atom[i].kind == kind && w->atom[i].base == base && poly_equal(w->atom[i].p, p) &&
                       poly_equal(w->atom[i].q, q)))
    i++;
  if (i == w->n) {
    i = new_atom(w, kind, -1, "");
    w->atom[i].base = base;
    w->atom[i].p = p;
    w->atom[i].q = q;
  }
  return i;
}

/* a / b, when every factor of b divides a and the coefficient is an integer. */
static bool divide(const poly_term *a, const poly_term *b, poly_term *out)
{
  if (a->den != 1 || b->den != 1 || a->num % b->num)
    return false;
  *out = (poly_term){ .num = a->num / b->num, .den = 1 };
  int k = 0;
  for (int i = 0; i < a->n; i++) {
    bool of_b = k < b->n && b->f[k].atom == a->f[i].atom;
    poly_factor f = { a->f[i].atom, (int16_t)(a->f[i].power - (of_b ? b->f[k++].power : 0)) };
    if (f.power < 0)
      return false;
    if (f.power > 0)
      out->f[out->n++] = f;
  }
  return k == b->n;
}

/* ceil((n - b t)/b) = ceil(n/b) - t, for q of one term: atoms are integers. */
poly poly_ceil(poly_world *w, poly p, poly q)
{
  int64_t c, b;
  poly whole = { 0 }, rest = { 0 };
  if (poly_constant(q, &b) && b == 1)
    return p;
  if (poly_constant(p, &c) && poly_constant(q, &b) && b > 0)
    return poly_number(w, -num_floor_div(-c, b));
  if (poly_equal(p, q)) /* both at least 1 where this is used: a range and its block */
    return poly_number(w, 1);
  for (uint32_t i = 0; i < p.n; i++) {
    poly_term t;
    bool divides = q.n == 1 && divide(&p.term[i], &q.term[0], &t);
    add_term(w, divides ? &whole : &rest, divides ? &t : &p.term[i]);
  }
  if (whole.n > 0)
    return rest.n > 0 ? poly_add(w, poly_ceil(w, rest, q), whole) : whole;
  return poly_variable(w, poly_pair_atom(w, ATOM_CEIL, 0, p, q));
}

poly poly_min(poly_world *w, poly p, poly q)
{
  int64_t a, b;
  if (poly_constant(p, &a) && poly_constant(q, &b))
    return poly_number(w, num_min(a, b));
  return poly_equal(p, q) ? p : poly_variable(w, poly_pair_atom(w, ATOM_MIN, 0, p, q));
}

/* The factors of t that are `atom` go out, unless it divides; how many there were. */
static int take_out(poly_term *t, int atom)
{
  int power = 0;
  for (int k = 0; k < t->n; k++)
    if (t->f[k].atom == atom && t->f[k].power > 0) {
      power = t->f[k].power;
      memmove(&t->f[k], &t->f[k + 1], (size_t)(--t->n - k) * sizeof *t->f);
    }
  return power;
}

poly poly_substitute(poly_world *w, poly p, int atom, poly value)
{
  poly out = { 0 };
  for (uint32_t i = 0; i < p.n; i++) {
    poly_term t = p.term[i];
    int power = take_out(&t, atom);
    poly product = power_substitute(w, &t, atom, value);
    product = poly_mul(w, (poly){ &t, 1, 1 }, product);
    for (; power > 0; power--)
      product = poly_mul(w, product, value);
    out = poly_add(w, out, product);
  }
  return out;
}

static bool has_factor(const poly_term *t, int atom)
{
  for (int k = 0; k < t->n; k++)
    if (t->f[k].atom == atom)
      return true;
  return false;
}

/* Is term i just an atom, or less it, which is no factor of another term?  (Inside ceil it may be: that is a number of
 * its own.) */
static bool is_solvable(poly p, uint32_t i)
{
  const poly_term *t = &p.term[i];
  bool good = t->n == 1 && t->f[0].power == 1 && t->den == 1 && (t->num == 1 || t->num == -1);
  for (uint32_t k = 0; good && k < p.n; k++)
    good = k == i || !has_factor(&p.term[k], t->f[0].atom);
  return good;
}

poly poly_impose(poly_world *w, poly p, poly zero)
{
  uint32_t i = 0;
  while (i < zero.n && !is_solvable(zero, i))
    i++;
  if (i == zero.n)
    return p;
  const poly_term *t = &zero.term[i];
  int atom = t->f[0].atom;
  return poly_substitute(w, p, atom, poly_sub(w, poly_variable(w, atom), poly_scale(w, zero, t->num, 1)));
}

/* a/b, if b's factors stand in a. */
static bool divided(const poly_term *a, const poly_term *b, poly_term *out)
{
  __int128 num = (__int128)a->num * b->den, den = (__int128)a->den * b->num;
  *out = *a;
  for (int k = 0; k < b->n; k++) {
    int i = 0;
    while (i < out->n && out->f[i].atom != b->f[k].atom)
      i++;
    if (i == out->n || out->f[i].power < b->f[k].power)
      return false;
    out->f[i].power = (int16_t)(out->f[i].power - b->f[k].power);
    if (out->f[i].power == 0)
      memmove(&out->f[i], &out->f[i + 1], (size_t)(--out->n - i) * sizeof *out->f);
  }
  return lowest(den < 0 ? -num : num, den < 0 ? -den : den, &out->num, &out->den);
}

/* As on paper: leading terms first.  The order of terms is one in which products keep their place, so that each step
 * leaves less. */
bool poly_divide(poly_world *w, poly p, poly q, poly *out)
{
  enum { STEPS = 64 };
  poly quotient = { 0 };
  bool exact = q.n > 0;
  for (int i = 0; exact && p.n > 0; i++) {
    poly_term t;
    exact = i < STEPS && !w->failed && divided(&p.term[0], &q.term[0], &t);
    if (!exact)
      break;
    add_term(w, &quotient, &t);
    p = poly_sub(w, p, poly_mul(w, (poly){ &t, 1, 1 }, q));
  }
  *out = quotient;
  return exact && !w->failed;
}

bool poly_is_atom(poly p, int *atom)
{
  bool one = p.n == 1 && p.term[0].num == 1 && p.term[0].den == 1 && p.term[0].n == 1 && p.term[0].f[0].power == 1;
  if (one)
    *atom = p.term[0].f[0].atom;
  return one;
}

/* ---- sums over the iterations of a loop ---- */

/* 1^k + ... + m^k for k = 0..3, as a polynomial in m: coefficients of m, m^2, m^3, m^4 over 12. */
static const int sums[4][4] = { { 12, 0, 0, 0 }, { 6, 6, 0, 0 }, { 2, 6, 4, 0 }, { 0, 3, 6, 3 } };

static poly power_sums(poly_world *w, poly rest, int k, poly last)
{
  poly sum = { 0 };
  for (int i = 0; i <= k; i++) {
    rest = poly_mul(w, rest, last);
    if (sums[k][i])
      sum = poly_add_times(w, sum, rest, sums[k][i], 12);
  }
  return sum;
}

bool poly_sum(poly_world *w, poly p, int atom, poly last, poly *out)
{
  poly sum = { 0 };
  for (uint32_t i = 0; i < p.n; i++) {
    poly_term rest = p.term[i];
    int power = take_out(&rest, atom);
    poly one = one_term(w, &rest), part;
    if (power > 3)
      return false;
    if (!poly_uses(w, one, atom))
      part = power_sums(w, one, power, last);
    else if (power > 0 || !power_sum(w, &rest, atom, last, &part))
      return false;
    sum = poly_add(w, sum, part);
  }
  *out = sum;
  return true;
}

/* ---- values ---- */

static bool atom_value(const poly_world *w, const poly_atom *a, const expr_env *env, int64_t *v)
{
  int64_t p, q;
  if (a->kind == ATOM_SLOT) {
    *v = env->slot[a->slot];
    return true;
  }
  if (a->kind == ATOM_EXPR)
    return expr_eval(a->e, env, v, NULL) == EXPR_OK;
  if (a->kind == ATOM_ITERATION && w->iteration)
    *v = w->iteration[a->slot];
  if (a->kind == ATOM_ITERATION)
    return w->iteration;
  if (!poly_value(w, a->p, env, &p) || !poly_value(w, a->q, env, &q))
    return false;
  if (a->kind == ATOM_MIN) {
    *v = num_min(p, q);
    return true;
  }
  if (q <= 0 || p == INT64_MIN)
    return false;
  *v = -num_floor_div(-p, q);
  return true;
}

/* num/den *= the atom's value to that power, which may be negative where that is a power itself. */
static bool factor_value(const poly_world *w, const poly_factor *f, const expr_env *env, int64_t *num, int64_t *den)
{
  const poly_atom *a = &w->atom[f->atom];
  int64_t x, by = 1;
  bool fraction = a->kind == ATOM_POWER || a->kind == ATOM_INVERSE,
       ok = fraction ? power_value(w, a, env, &x, &by) : atom_value(w, a, env, &x);
  for (int e = 0; e < abs(f->power) && ok; e++)
    ok = !fraction      ? num_mul(*num, x, num)
         : f->power > 0 ? lowest((__int128)*num * x, (__int128)*den * by, num, den)
                        : lowest((__int128)*num * by, (__int128)*den * x, num, den);
  return ok;
}

bool poly_value(const poly_world *w, poly p, const expr_env *env, int64_t *value)
{
  __int128 whole = 0;
  int64_t num = 0, den = 1; /* the fractions among the terms */
  for (uint32_t i = 0; i < p.n; i++) {
    int64_t v = p.term[i].num, by = p.term[i].den;
    for (int k = 0; k < p.term[i].n; k++)
      if (!factor_value(w, &p.term[i].f[k], env, &v, &by))
        return false;
    if (by == 1)
      whole += v;
    else if (!lowest((__int128)num * by + (__int128)v * den, (__int128)den * by, &num, &den))
      return false;
  }
  whole += num;
  *value = (int64_t)whole;
  return den == 1 && whole == *value;
}

/* ---- printing ---- */

/* A number, or an atom: what is divided by it can be written with a slash. */
static bool is_single(poly p)
{
  return p.n == 1 && (p.term[0].n == 0 || (p.term[0].n == 1 && p.term[0].num == 1 && p.term[0].den == 1));
}

static void print_call(const poly_world *w, const poly_atom *a, text *out)
{
  bool ceiling = a->kind == ATOM_CEIL;
  bool plain = ceiling && a->p.n == 1 && a->p.term[0].n <= 1 && is_single(a->q);
  text_add(out, ceiling ? "ceil(" : "min(");
  poly_print(w, a->p, out);
  text_add(out, plain ? "/" : ", ");
  poly_print(w, a->q, out);
  text_add(out, ")");
}

static void print_atom(const poly_world *w, const poly_atom *a, text *out)
{
  if (a->kind == ATOM_SLOT || a->kind == ATOM_ITERATION)
    text_add(out, a->name);
  else if (a->kind == ATOM_EXPR)
    expr_print_formula(out, a->e);
  else
    print_call(w, a, out);
}

/* What a term is a product of, besides its coefficient, of which powers take what they can. */
static void print_factors(const poly_world *w, const poly_term *t, int64_t *num, int64_t *den, text *out)
{
  power_print(w, t, num, den, out);
  for (int i = 0; i < t->n; i++) {
    const poly_atom *a = &w->atom[t->f[i].atom];
    if (a->kind == ATOM_POWER || a->kind == ATOM_INVERSE)
      continue;
    if (out->n > 0)
      text_char(out, ' ');
    print_atom(w, a, out);
    if (t->f[i].power > 1)
      text_printf(out, "^%d", t->f[i].power);
  }
}

static void print_term(const poly_world *w, const poly_term *t, bool first, text *out)
{
  int64_t num = t->num < 0 ? -t->num : t->num, den = t->den;
  SCOPED_TEXT factors = { 0 };
  print_factors(w, t, &num, &den, &factors);
  bool bare = factors.n > 0 && num == 1 && den == 1, digit = factors.n > 0 && isdigit((unsigned char)factors.s[0]);
  text_add(out, first ? t->num < 0 ? "-" : "" : t->num < 0 ? " - " : " + ");
  if (!bare && den == 1)
    text_printf(out, "%" PRId64, num);
  else if (!bare)
    text_printf(out, "%" PRId64 "/%" PRId64, num, den);
  if (!bare && factors.n > 0)
    text_add(out, digit ? " * " : " ");
  text_add(out, text_str(&factors));
  power_print_inverses(w, t, out);
}

/* Terms without ceil first, in the order the symbols were met. */
static bool has_ceil(const poly_world *w, const poly_term *t)
{
  for (int i = 0; i < t->n; i++)
    if (w->atom[t->f[i].atom].kind == ATOM_CEIL)
      return true;
  return false;
}

void poly_print(const poly_world *w, poly p, text *out)
{
  bool first = true;
  for (int round = 0; round < 4; round++) /* positive without ceil, positive with, negative */
    for (uint32_t i = 0; i < p.n; i++)
      if (round == 2 * (p.term[i].num < 0) + has_ceil(w, &p.term[i])) {
        print_term(w, &p.term[i], first, out);
        first = false;
      }
  if (first)
    text_char(out, '0');
}
