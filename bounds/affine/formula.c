#include "bounds/affine/formula.h"
#include "base/mem.h"
#include "base/random.h"
#include "bounds/affine/find.h"
#include <math.h>
#include <string.h>

/* Of each group its work, births and room; then inputs and outputs. */
enum { QUANTITIES = 3 * CLAIM_GROUPS + 2, M_THERE = 64, SMALL = 16, TRIED = 16 };

typedef struct {
  const formula_question *q;
  const affine_claim *claim;
  int n;                       /* quantities */
  group_facts *like;           /* of each group, at the base: what does not depend on the parameters */
} fitting;

/* ---- one setting ---- */

static void put_quantities(const fitting *x, const affine_facts *f, mpz_t *value)
{
  for (int g = 0; g < x->claim->groups; g++) {
    mpz_set(value[3 * g], f->group[g].work);
    mpz_set(value[3 * g + 1], f->group[g].births);
    mpz_set(value[3 * g + 2], f->group[g].law.room);
  }
  mpz_set(value[x->n - 2], f->inputs);
  mpz_set(value[x->n - 1], f->outputs);
}

static bool same_laws(const fitting *x, const affine_facts *f)
{
  bool same = true;
  for (int g = 0; g < x->claim->groups && same; g++) {
    const power_law *a = &x->like[g].law, *b = &f->group[g].law;
    same = a->degree == b->degree && a->power == b->power && mpz_cmp(a->taken, b->taken) == 0;
  }
  return same;
}

static bool quantities_at(const fitting *x, const int64_t *at, mpz_t *value)
{
  affine_facts f;
  text reason = { 0 };
  cdag *g = x->q->open(x->q->context, at);
  if (!g)
    return false;
  if (!affine_facts_init(&f, g, x->claim->reading)) {
    cdag_free(g);
    return false;
  }
  bool good = affine_derive(&f, x->claim, &reason) && same_laws(x, &f);
  if (good)
    put_quantities(x, &f, value);
  affine_facts_clear(&f);
  text_clear(&reason);
  cdag_free(g);
  return good;
}

/* ---- polynomials ---- */

/* The degree in each parameter, from values along a line; false when it is no polynomial there. */
static bool degrees(const fitting *x, int *degree)
{
  enum { LINE = FIT_DEGREE + 1 };
  mpz_t value[LINE][QUANTITIES];
  bool good = true;
  for (int i = 0; i < LINE; i++)
    for (int k = 0; k < QUANTITIES; k++)
      mpz_init(value[i][k]);
  for (int v = 0; v < x->q->params && good; v++) {
    int64_t at[FIT_VARS];
    memcpy(at, x->q->base, (size_t)x->q->params * sizeof *at);
    for (int i = 0; i < LINE && good; i++, at[v]++)
      good = quantities_at(x, at, value[i]);
    degree[v] = 0;
    for (int k = 0; k < x->n && good; k++)
      for (int d = 1; d < LINE; d++) { /* differences, one more each time */
        for (int i = LINE - 1; i >= d; i--)
          mpz_sub(value[i][k], value[i][k], value[i - 1][k]);
        for (int i = d; i < LINE; i++)
          if (mpz_sgn(value[i][k]) && d > degree[v])
            degree[v] = d;
      }
    good = good && degree[v] < FIT_DEGREE;
  }
  for (int i = 0; i < LINE; i++)
    for (int k = 0; k < QUANTITIES; k++)
      mpz_clear(value[i][k]);
  return good;
}

static bool fit_all(const fitting *x, const int *degree, int points, fit *to)
{
  mpz_t *value = MEM_NEW(mpz_t, (size_t)(points * x->n)), here[QUANTITIES];
  bool good = true;
  for (int k = 0; k < x->n; k++) {
    mpz_init(here[k]);
    for (int i = 0; i < points; i++)
      mpz_init(value[k * points + i]);
  }
  for (int i = 0; i < points && good; i++) {
    int64_t at[FIT_VARS];
    int rest = i;
    for (int v = x->q->params - 1; v >= 0; v--) {
      at[v] = x->q->base[v] + rest % (degree[v] + 1);
      rest /= degree[v] + 1;
    }
    good = quantities_at(x, at, here);
    for (int k = 0; k < x->n; k++)
      mpz_set(value[k * points + i], here[k]);
  }
  for (int k = 0; k < x->n; k++) {
    fit_make(&to[k], x->q->params, degree, x->q->base, value + k * points);
    mpz_clear(here[k]);
    for (int i = 0; i < points; i++)
      mpz_clear(value[k * points + i]);
  }
  mem_free(value);
  return good;
}

/* ---- other settings ---- */

static bool fits_at(const fitting *x, const fit *f, const int64_t *at)
{
  mpz_t here[QUANTITIES];
  for (int k = 0; k < x->n; k++)
    mpz_init(here[k]);
  bool good = quantities_at(x, at, here);
  for (int k = 0; k < x->n; k++) {
    good = good && fit_is(&f[k], at, here[k]);
    mpz_clear(here[k]);
  }
  return good;
}

/* All parameters `small`; one of them; all but one. */
static bool fits_small(const fitting *x, const fit *f, int64_t small, int *tried)
{
  int n = x->q->params;
  for (int i = 0; i < (n > 2 ? 2 * n + 1 : n == 2 ? 3 : 1); i++) {
    int64_t at[FIT_VARS];
    for (int v = 0; v < n; v++)
      at[v] = i == 0 || (v == (i - 1) % n) == (i <= n) ? small : x->q->base[v];
    ++*tried;
    if (!fits_at(x, f, at))
      return false;
  }
  return true;
}

/* Settings that are drawn, and small ones; false when the formula is not seen to hold from SMALL on. */
static bool try_others(const fitting *x, const fit *f, bound_formula *out)
{
  random_source r = { 1 };
  for (int i = 0; i < TRIED; i++) {
    int64_t at[FIT_VARS];
    for (int v = 0; v < x->q->params; v++) {
      at[v] = SMALL + (int64_t)random_below(&r, 500);
      out->to = at[v] > out->to ? at[v] : out->to;
    }
    out->tried++;
    if (!fits_at(x, f, at))
      return false;
  }
  out->from = SMALL + 1;
  while (out->from > 1 && fits_small(x, f, out->from - 1, &out->tried))
    out->from--;
  return out->from <= SMALL;
}

/* ---- a formula ---- */

/* (power - degree)^(power - degree) degree^degree / power^power taken: of section 8's constant to the power degree. */
static void factor_of(const power_law *law, mpq_t factor)
{
  mpz_t p;
  mpz_init(p);
  mpz_ui_pow_ui(mpq_numref(factor), law->power - law->degree, law->power - law->degree);
  mpz_ui_pow_ui(p, law->degree, law->degree);
  mpz_mul(mpq_numref(factor), mpq_numref(factor), p);
  mpz_mul(mpq_numref(factor), mpq_numref(factor), law->taken);
  mpz_ui_pow_ui(mpq_denref(factor), law->power, law->power);
  mpq_canonicalize(factor);
  mpz_clear(p);
}

static bool has_formula(const group_facts *g)
{
  return g->tail.slots == 0 && g->parts == 0 && g->unit == 1 && g->law.power > g->law.degree &&
         g->law.degree % (g->law.power - g->law.degree) == 0;
}

static void term_clear(formula_term *t)
{
  fit_clear(&t->work);
  fit_clear(&t->room);
  mpq_clear(t->factor);
}

static bool same_but_work(const formula_term *a, const formula_term *b)
{
  return a->degree == b->degree && a->power == b->power && mpq_equal(a->factor, b->factor) &&
         fit_equal(&a->room, &b->room);
}

/* The terms take their fits over; the others become the rest. */
static void put_together(const fitting *x, fit *f, bound_formula *out)
{
  out->rest = f[x->n - 1];
  fit_add(&out->rest, &f[x->n - 2], 1);
  fit_clear(&f[x->n - 2]);
  for (int g = 0; g < x->claim->groups; g++) {
    const power_law *law = &x->like[g].law;
    formula_term *t = &out->term[out->terms];
    int like = 0;
    *t = (formula_term){ .work = f[3 * g], .room = f[3 * g + 2], .degree = law->degree, .power = law->power };
    mpq_init(t->factor);
    factor_of(law, t->factor);
    while (like < out->terms && !same_but_work(&out->term[like], t))
      like++;
    if (like < out->terms) {
      fit_add(&out->term[like].work, &t->work, 1);
      term_clear(t);
    } else
      out->terms++;
    fit_add(&out->rest, &f[3 * g + 1], -1);
    fit_clear(&f[3 * g + 1]);
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_add(out->rest.coef[0], out->rest.coef[0], one); /* one event more than the segments before the last */
    mpq_clear(one);
    out->lost += (int64_t)(law->degree / (law->power - law->degree));
  }
}

static bool make_formula(const formula_question *q, affine_facts *here, const affine_claim *claim, bool one_shot,
                         bound_formula *out)
{
  fitting x = { .q = q, .claim = claim, .n = 3 * claim->groups + 2 };
  int degree[FIT_VARS], points = 1;
  text reason = { 0 };
  fit fits[QUANTITIES] = { 0 };
  *out = (bound_formula){ .one_shot = one_shot };
  bool good = affine_derive(here, claim, &reason);
  x.like = here->group;
  for (int g = 0; g < claim->groups && good; g++)
    good = has_formula(&here->group[g]);
  good = good && degrees(&x, degree);
  for (int v = 0; v < q->params && good; v++) {
    points *= degree[v] + 1;
    good = points <= FIT_POINTS;
  }
  text_clear(&reason);
  if (!good)
    return false;
  out->made = points;
  good = fit_all(&x, degree, points, fits) && try_others(&x, fits, out);
  if (good)
    put_together(&x, fits, out);
  for (int k = 0; k < x.n && !good; k++)
    fit_clear(&fits[k]);
  return good;
}

int bound_formulas(const formula_question *q, bound_formula *f)
{
  affine_facts facts[READINGS];
  affine_best best[2] = { 0 };
  affine_claim none = { 0 };
  cdag *g = q->params > 0 && q->params <= FIT_VARS ? q->open(q->context, q->base) : NULL;
  int n = 0;
  if (!g || g->graph) {
    cdag_free(g);
    return 0;
  }
  unsigned there = bound_readings(g, READ_TAPPED, facts);
  for (int k = 0; k < 2; k++)
    mpz_init(best[k].value);
  for (int r = 0; r < READINGS; r++)
    if (there >> r & 1)
      affine_find(&facts[r], M_THERE, AFFINE_PLAIN, best);
  bool more = mpz_cmp(best[1].value, best[0].value) > 0;
  n += make_formula(q, &facts[0], &none, false, &f[n]);
  if (best[0].claim.groups)
    n += make_formula(q, &facts[best[0].claim.reading], &best[0].claim, false, &f[n]);
  if (more)
    n += make_formula(q, &facts[best[1].claim.reading], &best[1].claim, true, &f[n]);
  for (int k = 0; k < 2; k++)
    mpz_clear(best[k].value);
  bound_readings_clear(facts, there);
  cdag_free(g);
  return n;
}

void bound_formula_clear(bound_formula *f)
{
  for (int i = 0; i < f->terms; i++)
    term_clear(&f->term[i]);
  fit_clear(&f->rest);
}

/* ---- saying it ---- */

double bound_formula_value(const bound_formula *f, const int64_t *x, double m)
{
  double sum = fit_value(&f->rest, x) - (double)f->lost * m;
  for (int i = 0; i < f->terms; i++) {
    const formula_term *t = &f->term[i];
    double d = (double)t->degree, e = (double)(t->power - t->degree) / d;
    sum += pow(mpq_get_d(t->factor) / fit_value(&t->room, x), 1 / d) * fit_value(&t->work, x) / pow(m, e);
  }
  return sum;
}

/* The root of q when it is a rational number. */
static bool root_of(const mpq_t q, unsigned long degree, mpq_t root)
{
  return mpz_root(mpq_numref(root), mpq_numref(q), degree) && mpz_root(mpq_denref(root), mpq_denref(q), degree);
}

static void put_root(const mpq_t q, unsigned long degree, text *out)
{
  char *s = mpq_get_str(NULL, 10, q);
  void (*release)(void *, size_t);
  mp_get_memory_functions(NULL, NULL, &release);
  if (degree == 2)
    text_printf(out, "sqrt(%s) ", s);
  else
    text_printf(out, "(%s)^(1/%lu) ", s, degree);
  release(s, strlen(s) + 1);
}

static void put_power_of_m(const formula_term *t, text *out)
{
  unsigned long over = t->power - t->degree, by = t->degree; /* by is a multiple of over */
  if (by == over)
    text_add(out, "M");
  else if (by == 2 * over)
    text_add(out, "sqrt(M)");
  else
    text_printf(out, "M^(1/%lu)", by / over);
}

/* factor^(1/degree) work / (room^(1/degree) M^...): whole numbers go into the factor. */
static void put_term(const formula_term *t, const char *const *name, text *out)
{
  mpq_t factor, root, one;
  mpz_t room;
  mpq_inits(factor, root, one, NULL);
  mpz_init(room);
  mpq_set(factor, t->factor);
  mpq_set_ui(one, 1, 1);
  bool plain = fit_constant(&t->room, room);
  if (plain) {
    mpq_set_z(root, room);
    mpq_div(factor, factor, root);
  }
  bool rational = root_of(factor, t->degree, root);
  if (!rational)
    put_root(factor, t->degree, out);
  text_add(out, "(");
  fit_print(&t->work, rational ? root : one, name, false, out);
  text_add(out, plain ? ") / " : ") / (");
  if (!plain) {
    text_add(out, t->degree == 2 ? "sqrt(" : "(");
    fit_print(&t->room, one, name, false, out);
    if (t->degree == 2)
      text_add(out, ") ");
    else
      text_printf(out, ")^(1/%lu) ", t->degree);
  }
  put_power_of_m(t, out);
  text_add(out, plain ? "" : ")");
  mpq_clears(factor, root, one, NULL);
  mpz_clear(room);
}

void bound_formula_print(const bound_formula *f, const char *const *name, text *out)
{
  mpq_t one;
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  for (int i = 0; i < f->terms; i++) {
    text_add(out, i ? " + " : "");
    put_term(&f->term[i], name, out);
  }
  if (f->lost)
    text_printf(out, f->lost == 1 ? " - M" : " - %lld M", (long long)f->lost);
  fit_print(&f->rest, one, name, f->terms > 0, out);
  mpq_clear(one);
}
