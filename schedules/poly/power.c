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

/* to *= base^exponent to that power. */
static void multiply_atom(poly_world *w, poly *to, int64_t base, const poly *exponent, int64_t power)
{
  poly_term factor = { .num = 1, .den = 1, .n = 1 };
  factor.f[0].atom = (int16_t)poly_pair_atom(w, ATOM_POWER, base, exponent, &(poly){ 0 });
  factor.f[0].power = (int16_t)power;
  poly_multiply(w, to, &(poly){ .term = &factor, .n = 1 });
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
    multiply_atom(w, to, base, &(poly){ .term = &product, .n = 1 }, power);
  else
    poly_multiply(
        w, to, &(poly){ .term = &(poly_term){ .num = power < 0 ? 1 : value, .den = power < 0 ? value : 1 }, .n = 1 });
  return !w->failed;
}

/* Terms that are no integers, as in l (l - 1)/2, stay together. */
bool poly_set_power(poly_world *w, poly *to, int64_t base, const poly *exponent)
{
  poly product = { 0 }, e = { 0 }, fractions = { 0 };
  int64_t times;
  base = root_of(base, &times);
  poly_set(&product, 1);
  poly_add(w, &e, exponent, times, 1);
  bool ok = true;
  for (size_t i = 0; i < e.n && ok; i++)
    if (e.term[i].den == 1)
      ok = multiply_power(w, &product, base, &e.term[i]);
    else
      poly_add(w, &fractions, &(poly){ .term = &e.term[i], .n = 1 }, 1, 1);
  if (ok && fractions.n > 0)
    multiply_atom(w, &product, base, &fractions, 1);
  if (ok)
    poly_copy(to, &product);
  poly_clear(&product);
  poly_clear(&e);
  poly_clear(&fractions);
  return ok && !w->failed;
}

/* 1/(base^step - 1) */
static bool set_inverse(poly_world *w, poly *to, int64_t base, const poly *step)
{
  int64_t exponent, value;
  if (!poly_constant(step, &exponent)) {
    w->inverses = true;
    poly_set_atom(to, poly_pair_atom(w, ATOM_INVERSE, base, step, &(poly){ 0 }));
    return true;
  }
  poly one = { 0 };
  bool ok = exponent > 0 && num_pow(base, exponent, &value);
  poly_set(&one, 1);
  poly_set(to, 0);
  if (ok)
    poly_add(w, to, &one, 1, value - 1);
  poly_clear(&one);
  return ok;
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
  return a->kind == ATOM_POWER && poly_uses(w, &a->p, atom);
}

/* A power with the value in its exponent; false: the exponent is none then. */
static bool replace(poly_world *w, const poly_factor *f, int atom, const poly *value, poly *by)
{
  poly exponent = { 0 }, power = { 0 };
  poly_add(w, &exponent, &w->atom[f->atom].p, f->power, 1);
  poly_substitute(w, &exponent, atom, value);
  bool ok = poly_set_power(w, &power, w->atom[f->atom].base, &exponent);
  if (ok)
    poly_multiply(w, by, &power);
  poly_clear(&exponent);
  poly_clear(&power);
  return ok;
}

void power_substitute(poly_world *w, poly_term *t, int atom, const poly *value, poly *by)
{
  poly_set(by, 1);
  for (int k = t->n - 1; k >= 0; k--)
    if (holds(w, &t->f[k], atom) && replace(w, &t->f[k], atom, value, by))
      take_factor(t, k);
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
      poly_add(w, e, &a->p, t->f[k].power, 1);
      take_factor(t, k);
    }
  return same && *base;
}

/* e = slope times the atom? */
static bool slope_of(poly_world *w, const poly *e, int atom, poly *slope)
{
  poly x = { 0 };
  poly_copy(slope, e);
  poly_set_atom(&x, atom);
  bool ok = poly_divide(w, slope, &x) && slope->n > 0 && !poly_uses(w, slope, atom);
  poly_clear(&x);
  return ok;
}

static bool multiply_by_power(poly_world *w, poly *to, int64_t base, const poly *exponent)
{
  poly power = { 0 };
  bool ok = poly_set_power(w, &power, base, exponent);
  if (ok)
    poly_multiply(w, to, &power);
  poly_clear(&power);
  return ok;
}

/* q (q^m - 1)/(q - 1), or where q = 1/p, p a power that grows, (1 - p^-m)/(p - 1).  m: how many. */
static bool geometric(poly_world *w, poly *to, int64_t base, const poly *slope, const poly *m)
{
  poly all = { 0 }, one = { 0 }, step = { 0 }, inverse = { 0 };
  int64_t sign = slope->term[0].num < 0 ? -1 : 1;
  poly_copy(&all, slope);
  poly_multiply(w, &all, m);
  poly_add(w, &step, slope, sign, 1);
  poly_set(&one, 1);
  bool ok = poly_set_power(w, to, base, &all) && set_inverse(w, &inverse, base, &step);
  poly_add(w, to, &one, -1, 1);
  if (sign < 0)
    poly_add(w, to, to, -2, 1);
  ok = ok && (sign < 0 || multiply_by_power(w, to, base, &step));
  poly_multiply(w, to, &inverse);
  poly_clear(&all);
  poly_clear(&one);
  poly_clear(&step);
  poly_clear(&inverse);
  return ok;
}

bool power_sum(poly_world *w, poly *to, const poly_term *t, int atom, const poly *last)
{
  poly_term rest = *t;
  poly e = { 0 }, slope = { 0 }, sum = { 0 }, factor = { .term = &rest, .n = 1 };
  int64_t base;
  bool ok = take_powers(w, &rest, atom, &base, &e) && !poly_uses(w, &factor, atom) && slope_of(w, &e, atom, &slope) &&
            geometric(w, &sum, base, &slope, last);
  if (ok) {
    poly_multiply(w, &sum, &factor);
    poly_add(w, to, &sum, 1, 1);
  }
  poly_clear(&e);
  poly_clear(&slope);
  poly_clear(&sum);
  return ok && !w->failed;
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

static void add_one(poly_world *w, poly *to, const poly_term *t, int sign)
{
  poly_add(w, to, &(poly){ .term = (poly_term *)t, .n = 1 }, sign, 1);
}

/* q, or 1/q where it is to be a divisor; and a power in it that grows. */
static bool set_base(poly_world *w, const poly_atom *a, int sign, poly_term *q)
{
  poly exponent = { 0 }, power = { 0 };
  int64_t base = a->base;
  poly_add(w, &exponent, &a->p, sign, 1);
  bool ok = poly_set_power(w, &power, base, &exponent);
  if (ok)
    *q = power.term[0];
  poly_clear(&exponent);
  poly_clear(&power);
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
  if ((over && !set_base(w, &w->atom[t->f[k].atom], -1, &q)) || !poly_times(t, &q, &with)) {
    w->failed = true;
    return false;
  }
  rest = over ? with : *t;
  take_factor(&rest, inverse_in(w, &rest));
  add_one(w, to, &with, 1);
  add_one(w, to, &rest, over ? 1 : -1);
  return true;
}

static bool settle_once(poly_world *w, poly *p)
{
  poly out = { 0 };
  bool changed = false;
  for (size_t i = 0; i < p->n; i++)
    if (settle_term(w, &p->term[i], &out))
      changed = true;
    else
      add_one(w, &out, &p->term[i], 1);
  poly_clear(p);
  *p = out;
  return changed;
}

void power_settle(poly_world *w, poly *p)
{
  int steps = 0;
  while (w->inverses && !w->failed && settle_once(w, p))
    if (++steps == STEPS)
      w->failed = true;
}

/* ---- values ---- */

bool power_value(const poly_world *w, const poly_atom *a, const expr_env *env, int64_t *num, int64_t *den)
{
  int64_t exponent, value;
  *num = *den = 1;
  if (!poly_value(w, &a->p, env, &exponent) || exponent > EXPONENT || exponent < -EXPONENT ||
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

static void print_exponent(const poly_world *w, const poly *e, bool latex, text *out)
{
  int atom;
  bool bare = poly_is_atom(e, &atom) && w->atom[atom].kind != ATOM_POWER;
  text_add(out, latex ? "^{" : bare ? "^" : "^(");
  poly_print(w, e, latex, out);
  text_add(out, latex ? "}" : bare ? "" : ")");
}

/* The product of all powers of t with this base. */
static void print_base(const poly_world *w, const poly_term *t, int64_t base, int64_t *num, int64_t *den, bool latex,
                       text *out)
{
  poly_world none = { 0 };
  poly e = { 0 }, constant = { 0 };
  for (int k = 0; k < t->n; k++)
    if (w->atom[t->f[k].atom].kind == ATOM_POWER && w->atom[t->f[k].atom].base == base)
      poly_add(&none, &e, &w->atom[t->f[k].atom].p, t->f[k].power, 1);
  poly_set(&constant, take_coefficient(base, num, den));
  poly_add(&none, &e, &constant, 1, 1);
  text_printf(out, "%s%" PRId64, out->n ? latex ? " \\cdot " : " * " : "", base);
  print_exponent(w, &e, latex, out);
  poly_clear(&e);
  poly_clear(&constant);
}

void power_print(const poly_world *w, const poly_term *t, int64_t *num, int64_t *den, bool latex, text *out)
{
  for (int k = 0; k < t->n; k++) {
    const poly_atom *a = &w->atom[t->f[k].atom];
    bool first = a->kind == ATOM_POWER;
    for (int i = 0; i < k && first; i++)
      first = w->atom[t->f[i].atom].kind != ATOM_POWER || w->atom[t->f[i].atom].base != a->base;
    if (first)
      print_base(w, t, a->base, num, den, latex, out);
  }
}

void power_print_inverses(const poly_world *w, const poly_term *t, bool latex, text *out)
{
  for (int k = 0; k < t->n; k++) {
    const poly_atom *a = &w->atom[t->f[k].atom];
    for (int i = 0; a->kind == ATOM_INVERSE && i < t->f[k].power; i++) {
      text_printf(out, "%s%" PRId64, latex ? "/\\left(" : "/(", a->base);
      print_exponent(w, &a->p, latex, out);
      text_add(out, latex ? " - 1\\right)" : " - 1)");
    }
  }
}
