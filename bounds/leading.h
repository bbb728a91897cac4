/* leading.h -- a bound's formula is kept only where it is the formula of this number. */
#ifndef REDBLUE_BOUNDS_LEADING_H
#define REDBLUE_BOUNDS_LEADING_H
#include "base/text.h"
#include "bounds/bound.h"

/* "2 m n k / sqrt(M)", of 2, "m n k" and 1/2. */
void bound_leading_term(double coefficient, const char *work, double power_of_m, text *out);

/* Value of a formula in the computation's parameters and M, such as "4 n^2 d / sqrt(M) + n": juxtaposed factors are
   multiplied, a quotient divides by one factor; sqrt, ceil and log2 are known, and the words inputs and outputs.  False
   when it has another name or is no such formula. */
bool bound_leading_value(const bound_question *q, const char *formula, double *value);
/* Leave the formula away where it is more than 1 % off the value (the regime it speaks of is another), has names that
   are no parameters, or numbers in which sizes of this computation hide.  Explicit graphs have no parameters: what is
   said of them stays. */
void bound_leading_keep(const bound_question *q, bound *b);
/* The same of a formula that has this value: for theorems on explicit graphs that know their parameters. */
void bound_leading_keep_near(bound *b, double value);

#endif
