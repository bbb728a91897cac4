/* schedules/poly/power.c -- powers of a number whose exponents are polynomials, as atoms of polynomials.

   2^(l - 3 s + 1) is 2 times 2^l times the power -3 of 2^s: an atom has one product of atoms for its exponent, so that
   what cancels in a sum of exponents cancels in the product of powers.  The sum of q^t over t = 1 .. m is q (q^m -
   1)/(q - 1); where q itself is a power of a parameter, 1/(q - 1) is an atom. */
#include "schedules/poly/power.h"
#include "base/num.h"
#include <inttypes.h>
#include <stdlib.h>

enum { EXPONENT = 1000, STEPS = 64, ROOT = 64 };

/* ---- making ---- */

/* base = root^times, so that powers of 2 and of 4 cancel. */
static int64_t root_of(int64_t base, int64_t *times)
{
  for (int64_t r = 2; r < ROOT && r <= base / r; r++) {
    int64_t n = 0, rest = base;
    for (; rest % r == 0; rest /= r)
      n++;
    if (n > 0) {
      *times = rest == 1 ? n : 1;
      return rest == 1 ? r : base;
    }
  }
  *times = 1;
  return base;
}

/* p base^exponent to that power. */
static poly times_atom(poly_world *w, poly p, int64_t base, poly exponent, int64_t power)
{
  poly_term factor = { .num = 1, .den = 1, .n = 1 };
  factor.f[0].atom = (int16_t)poly_pair_atom(w, ATOM_POWER, base, exponent, (poly){ 0 });
  factor.f[0].power = (int16_t)power;
  return poly_mul(w, p, (poly){ &factor, 1, 1 });
}

/* The same with a term of an exponent, whose coefficient is an integer. */
static bool multiply_power(poly_world *w, poly *to, int64_t base, const poly_term *exponent)
{
  poly_term product = *exponent;
  int64_t power = exponent->num, value;
  if (power > EXPONENT || power < -EXPONENT || (exponent->n == 0 && !num_pow(base, llabs(power), &value)))
    return false;
  product.num = 1;
  if (exponent->n > 0)
    *to = times_atom(w, *to, base, poly_with_term(w, (poly){ 0 }, &product), power);
  else
    *to = poly_scale(w, *to, power < 0 ? 1 : value, power < 0 ? value : 1);
  return !w->failed;
}

/* Terms that are no integers, as in l (l - 1)/2, stay together. */
bool poly_power(poly_world *w, int64_t base, poly exponent, poly *out)
{
  poly product = poly_number(w, 1), fractions = { 0 };
  int64_t times;
  base = root_of(base, &times);
  poly e = poly_scale(w, exponent, times, 1);
  for (uint32_t i = 0; i < e.n; i++)
    if (e.term[i].den != 1)
      fractions = poly_with_term(w, fractions, &e.term[i]);
    else if (!multiply_power(w, &product, base, &e.term[i]))
      return false;
  *out = fractions.n > 0 ? times_atom(w, product, base, fractions, 1) : product;
  return !w->failed;
}

/* 1/(base^step - 1) */
static bool inverse_of(poly_world *w, int64_t base, poly step, poly *out)
{
  int64_t exponent, value;
  if (!poly_constant(step, &exponent)) {
    w->inverses = true;
    *out = poly_variable(w, poly_pair_atom(w, ATOM_INVERSE, base, step, (poly){ 0 }));
    return true;
  }
  if (exponent <= 0 || !num_pow(base, exponent, &value))
    return false;
  *out = poly_scale(w, poly_number(w, 1), 1, value - 1);
  return true;
}

/* ---- putting a value for an atom ---- */

static void take_factor(poly_term *t, int k)
{
  t->n--;
  for (; k < t->n; k++)
    t->f[k] = t->f[k + 1];
}

static bool holds(const poly_world *w, const poly_factor *f, int atom)
{
  const poly_atom *a = &w->atom[f->atom];
  return a->kind == ATOM_POWER && poly_uses(w, a->p, atom);
}

poly power_substitute(poly_world *w, poly_term *t, int atom, poly value)
{
  poly by = poly_number(w, 1);
  for (int k = t->n - 1; k >= 0; k--)
    if (holds(w, &t->f[k], atom)) {
      const poly_atom *a = &w->atom[t->f[k].atom];
      int64_t base = a->base;
      poly power, exponent = poly_substitute(w, poly_scale(w, a->p, t->f[k].power, 1), atom, value);
      if (poly_power(w, base, exponent, &power)) { /* else the exponent is none then */
        by = poly_mul(w, by, power);
        take_factor(t, k);
      }
    }
  return by;
}

/* ---- geometric sums ---- */

/* Powers out of t that hold the atom: base^e is their product. */
static bool take_powers(poly_world *w, poly_term *t, int atom, int64_t *base, poly *e)
{
  bool same = true;
  *base = 0;
  for (int k = t->n - 1; k >= 0; k--)
    if (holds(w, &t->f[k], atom)) {
      const poly_atom *a = &w->atom[t->f[k].atom];
      same &= *base == 0 || *base == a->base;
      *base = a->base;
      *e = poly_add_times(w, *e, a->p, t->f[k].power, 1);
      take_factor(t, k);
    }
  return same && *base;
}

/* e = slope times the atom? */
static bool slope_of(poly_world *w, poly e, int atom, poly *slope)
{
  return poly_divide(w, e, poly_variable(w, atom), slope) && slope->n > 0 && !poly_uses(w, *slope, atom);
}

/* q (q^m - 1)/(q - 1), or where q = 1/p, p a power that grows, (1 - p^-m)/(p - 1).  m: how many. */
static bool geometric(poly_world *w, int64_t base, poly slope, poly m, poly *out)
{
  int64_t sign = slope.term[0].num < 0 ? -1 : 1;
  poly step = poly_scale(w, slope, sign, 1), all, first, inverse;
  if (!poly_power(w, base, poly_mul(w, slope, m), &all) || !inverse_of(w, base, step, &inverse))
    return false;
  all = poly_scale(w, poly_shift(w, all, -1), sign, 1);
  if (sign > 0 && !poly_power(w, base, step, &first))
    return false;
  *out = poly_mul(w, sign > 0 ? poly_mul(w, all, first) : all, inverse);
  return true;
}

bool power_sum(poly_world *w, const poly_term *t, int atom, poly last, poly *out)
{
  poly_term rest = *t;
  poly e = { 0 }, slope, sum;
  int64_t base;
  if (!take_powers(w, &rest, atom, &base, &e) || poly_uses(w, (poly){ &rest, 1, 1 }, atom) ||
      !slope_of(w, e, atom, &slope) || !geometric(w, base, slope, last, &sum))
    return false;
  *out = poly_mul(w, sum, (poly){ &rest, 1, 1 });
  return !w->failed;
}

/* ---- what is divided by b^p - 1 ---- */

static int power_of(const poly_term *t, int atom)
{
  for (int k = 0; k < t->n; k++)
    if (t->f[k].atom == atom)
      return t->f[k].power;
  return 0;
}

/* The factor 1/(q - 1) of t, or -1. */
static int inverse_in(const poly_world *w, const poly_term *t)
{
  for (int k = 0; k < t->n; k++)
    if (w->atom[t->f[k].atom].kind == ATOM_INVERSE && t->f[k].power == 1)
      return k;
  return -1;
}

/* q, or 1/q where it is to be a divisor; and a power in it that grows. */
static bool set_base(poly_world *w, const poly_atom *a, int sign, poly_term *q)
{
  poly power;
  bool ok = poly_power(w, a->base, poly_scale(w, a->p, sign, 1), &power);
  if (ok)
    *q = power.term[0];
  return ok;
}

static const poly_factor *growing(const poly_term *q)
{
  int k = 0;
  while (k < q->n && q->f[k].power < 0)
    k++;
  return &q->f[k];
}

/* x/(q - 1) is x/q + (x/q)/(q - 1), where x has the factor q; and q x/(q - 1) - x, where it has a part of 1/q.  False:
 * neither. */
static bool settle_term(poly_world *w, const poly_term *t, poly *to)
{
  int k = inverse_in(w, t);
  poly_term q, with = { 0 }, rest;
  if (k < 0 || !set_base(w, &w->atom[t->f[k].atom], 1, &q))
    return false;
  const poly_factor *lead = growing(&q);
  int has = power_of(t, lead->atom);
  bool over = has >= lead->power;
  if (!over && has >= 0)
    return false;
  if ((over && !set_base(w, &w->atom[t->f[k].atom], -1, &q)) || !poly_term_times(t, &q, &with)) {
    w->failed = true;
    return false;
  }
  rest = over ? with : *t;
  take_factor(&rest, inverse_in(w, &rest));
  rest.num = over ? rest.num : -rest.num;
  *to = poly_with_term(w, poly_with_term(w, *to, &with), &rest);
  return true;
}

poly power_settle(poly_world *w, poly p)
{
  bool changed = w->inverses;
  for (int steps = 0; changed && !w->failed; steps++) {
    poly out = { 0 };
    changed = false;
    for (uint32_t i = 0; i < p.n; i++)
      if (settle_term(w, &p.term[i], &out))
        changed = true;
      else
        out = poly_with_term(w, out, &p.term[i]);
    p = out;
    w->failed |= changed && steps + 1 == STEPS;
  }
  return p;
}

/* ---- values ---- */

bool power_value(const poly_world *w, const poly_atom *a, const expr_env *env, int64_t *num, int64_t *den)
{
  int64_t exponent, value;
  *num = *den = 1;
  if (!poly_value(w, a->p, env, &exponent) || exponent > EXPONENT || exponent < -EXPONENT ||
      !num_pow(a->base, llabs(exponent), &value))
    return false;
  if (a->kind == ATOM_INVERSE)
    *den = value - 1;
  else
    *(exponent < 0 ? den : num) = value;
  return a->kind == ATOM_POWER || exponent > 0;
}

/* ---- printing ---- */

/* How often the base divides x, if nothing else does; 0: something does. */
static int64_t log_of(int64_t x, int64_t base)
{
  int64_t times = 0;
  for (; x > 1 && x % base == 0; x /= base)
    times++;
  return x == 1 ? times : 0;
}

/* num/den = base^k times the rest: k is found where it takes all of one of them and the other is 1. */
static int64_t take_coefficient(int64_t base, int64_t *num, int64_t *den)
{
  int64_t k = *den == 1 ? log_of(*num, base) : *num == 1 ? -log_of(*den, base) : 0;
  if (k)
    *num = *den = 1;
  return k;
}

static void print_exponent(const poly_world *w, poly e, text *out)
{
  int atom;
  bool bare = poly_is_atom(e, &atom) && w->atom[atom].kind != ATOM_POWER;
  text_add(out, bare ? "^" : "^(");
  poly_print(w, e, out);
  text_add(out, bare ? "" : ")");
}

/* The product of all powers of t with this base. */
static void print_base(const poly_world *w, const poly_term *t, int64_t base, int64_t *num, int64_t *den,
                       text *out)
{
  poly_world none = { 0 };
  poly e = { 0 };
  for (int k = 0; k < t->n; k++)
    if (w->atom[t->f[k].atom].kind == ATOM_POWER && w->atom[t->f[k].atom].base == base)
      e = poly_add_times(&none, e, w->atom[t->f[k].atom].p, t->f[k].power, 1);
  e = poly_shift(&none, e, take_coefficient(base, num, den));
  text_printf(out, "%s%" PRId64, out->n ? " * " : "", base);
  print_exponent(w, e, out);
  poly_world_clear(&none);
}

void power_print(const poly_world *w, const poly_term *t, int64_t *num, int64_t *den, text *out)
{
  for (int k = 0; k < t->n; k++) {
    const poly_atom *a = &w->atom[t->f[k].atom];
    bool first = a->kind == ATOM_POWER;
    for (int i = 0; i < k && first; i++)
      first = w->atom[t->f[i].atom].kind != ATOM_POWER || w->atom[t->f[i].atom].base != a->base;
    if (first)
      print_base(w, t, a->base, num, den, out);
  }
}

void power_print_inverses(const poly_world *w, const poly_term *t, text *out)
{
  for (int k = 0; k < t->n; k++) {
    const poly_atom *a = &w->atom[t->f[k].atom];
    for (int i = 0; a->kind == ATOM_INVERSE && i < t->f[k].power; i++) {
      text_printf(out, "%s%" PRId64, "/(", a->base);
      print_exponent(w, a->p, out);
      text_add(out, " - 1)");
    }
  }
}
