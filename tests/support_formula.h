/* support_formula.h -- evaluate a printed formula: 2 n d + 1/2 a ceil(n/a)^2 - (n % b) c. */
#ifndef REDBLUE_TESTS_SUPPORT_FORMULA_H
#define REDBLUE_TESTS_SUPPORT_FORMULA_H
#include "schedules/schedule.h"
/* Its value with the names standing for the parameters of s and its computation; the test fails on anything unknown. */
double formula_text_value(const char *formula, const schedule *s);
#endif
