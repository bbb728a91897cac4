/* formula.h -- bounds of an affine computation as formulas in its parameters and M (docs/theory-affine.md, section 8).

   A claim is found at one setting of the parameters.  What it counts, steps, births, inputs and outputs, is derived at
   many others; the polynomials through these numbers are tried at settings they were not made from.  Nothing is given
   when one of them differs. */
#ifndef REDBLUE_BOUNDS_AFFINE_FORMULA_H
#define REDBLUE_BOUNDS_AFFINE_FORMULA_H

#include "base/text.h"
#include "bounds/affine/fit.h"
#include "cdag/cdag.h"

/* The computation with these values of the parameters; NULL: there is none. */
typedef cdag *(*formula_open)(void *context, const int64_t *value);
typedef struct {
  int params;                  /* at most FIT_VARS */
  const char *const *name;
  const int64_t *base;         /* where claims are looked for */
  formula_open open;
  void *context;
} formula_question;

/* Q >= the sum over terms of (factor work^degree / (room M^(power - degree)))^(1 / degree), + rest - lost M. */
typedef struct {
  fit work, room;
  mpq_t factor;
  unsigned long degree, power;
} formula_term;
enum { FORMULA_TERMS = 6 };
typedef struct {
  bool one_shot;               /* only when nothing is computed twice */
  int terms;
  formula_term term[FORMULA_TERMS];
  fit rest;
  int64_t lost;
  int64_t from, to;            /* parameters it was tried with: from, and to the largest */
  int made, tried;             /* settings it was made from, and others it was tried at */
} bound_formula;

enum { FORMULAS_MOST = 3 };
/* What holds with recomputation, first, and more when nothing is computed twice: how many.  A formula without terms
   counts inputs and outputs alone. */
int bound_formulas(const formula_question *q, bound_formula *f);
void bound_formula_clear(bound_formula *f);
void bound_formula_print(const bound_formula *f, const char *const *name, text *out);
double bound_formula_value(const bound_formula *f, const int64_t *x, double m);

#endif
