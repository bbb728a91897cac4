#include "bounds/leading.h"
#include "bounds/recognise/shape.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 9999 }; /* what is longer is a size, not a coefficient */
static const double NEAR = 0.01;

typedef struct {
  const bound_question *q;
  const char *at;
  bool bad, hidden;            /* hidden: a long number was met */
} formula;

void bound_leading_term(double coefficient, const char *work, double power_of_m, text *out)
{
  const double EQUAL = 1e-3;
  if (fabs(coefficient - 1) > EQUAL / 10)
    text_printf(out, "%.4g ", coefficient);
  text_add(out, work);
  if (fabs(power_of_m - 0.5) < EQUAL)
    text_add(out, " / sqrt(M)");
  else if (fabs(power_of_m - 1) < EQUAL)
    text_add(out, " / M");
  else
    text_printf(out, " / M^%.4g", power_of_m);
}

static double sum(formula *f);

static void skip_blanks(formula *f)
{
  while (*f->at == ' ')
    f->at++;
}

static bool take(formula *f, char c)
{
  skip_blanks(f);
  if (*f->at != c)
    return false;
  f->at++;
  return true;
}

static double in_brackets(formula *f)
{
  double v = take(f, '(') ? sum(f) : NAN;
  f->bad |= !take(f, ')');
  return v;
}

static double named(const bound_question *q, const char *name, size_t n)
{
  if (n == 1 && *name == 'M')
    return (double)q->m;
  for (int i = 0; i < q->g->params; i++)
    if (strlen(q->g->param[i].name) == n && strncmp(q->g->param[i].name, name, n) == 0)
      return (double)q->g->param_value[i];
  bool inputs = n == strlen("inputs") && strncmp(name, "inputs", n) == 0;
  bool outputs = n == strlen("outputs") && strncmp(name, "outputs", n) == 0;
  cdag_counts all;
  diag ignored = { 0 };
  if ((!inputs && !outputs) || cdag_count(q->g, &all, &ignored) != OK)
    return NAN;
  return (double)(inputs ? all.inputs : all.outputs);
}

static double factor(formula *f);

static double word(formula *f)
{
  static const struct {
    const char *name;
    double (*apply)(double);
  } known[] = { { "sqrt", sqrt }, { "ceil", ceil }, { "log2", log2 } };
  const char *name = f->at;
  while (isalnum((unsigned char)*f->at) || *f->at == '_')
    f->at++;
  size_t n = (size_t)(f->at - name);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].name) == n && strncmp(known[i].name, name, n) == 0)
      return known[i].apply(*f->at == '(' ? in_brackets(f) : factor(f));
  double v = named(f->q, name, n);
  f->bad |= isnan(v);
  return v;
}

static double primary(formula *f)
{
  skip_blanks(f);
  if (*f->at == '(')
    return in_brackets(f);
  if (isalpha((unsigned char)*f->at))
    return word(f);
  char *end;
  double v = isdigit((unsigned char)*f->at) ? strtod(f->at, &end) : (end = NULL, NAN);
  f->bad |= !end;
  f->hidden |= v > LONGEST_NUMBER;
  f->at = end ? end : f->at;
  return v;
}

static double factor(formula *f)
{
  double v = primary(f);
  return !f->bad && take(f, '^') ? pow(v, primary(f)) : v;
}

static bool more_factors(formula *f)
{
  skip_blanks(f);
  return *f->at == '(' || *f->at == '/' || isalnum((unsigned char)*f->at);
}

static double product(formula *f)
{
  double v = factor(f);
  while (!f->bad && more_factors(f))
    v = take(f, '/') ? v / factor(f) : v * factor(f);
  return v;
}

static double sum(formula *f)
{
  double v = take(f, '-') ? -product(f) : product(f);
  for (bool minus; !f->bad && ((minus = take(f, '-')) || take(f, '+'));)
    v += minus ? -product(f) : product(f);
  return v;
}

static bool read_formula(formula *f, double *value)
{
  *value = sum(f);
  skip_blanks(f);
  return !f->bad && *f->at == 0 && isfinite(*value);
}

bool bound_leading_value(const bound_question *q, const char *formula_text, double *value)
{
  return read_formula(&(formula){ .q = q, .at = formula_text }, value);
}

void bound_leading_keep_near(bound *b, double value)
{
  double exact = mpz_get_d(b->value);
  if (!(fabs(value - exact) <= NEAR * exact))
    text_clear(&b->leading);
}

void bound_leading_keep(const bound_question *q, bound *b)
{
  formula f = { .q = q, .at = text_str(&b->leading) };
  double value;
  if (b->leading.n == 0 || q->g->graph || (b->trust != BOUND_PROVED && b->trust != BOUND_CERTIFIED))
    return;
  bound_leading_keep_near(b, read_formula(&f, &value) && !f.hidden ? value : NAN);
}
