/* latex.h -- formulas as LaTeX: the one reader of those that are written for people. */
#ifndef REDBLUE_LATEX_H
#define REDBLUE_LATEX_H

#include "base/text.h"
#include <stdbool.h>

/* s[0 .. n), without the dollars: 2 n d / sqrt(M) <= nk becomes 2 n d / \sqrt{M} \le nk, and with parameters, where a
   name may have two signs, \le {n_k}.  (A) / B, with blanks, and 1/2 are fractions.  Whatever s is, braces match
   and nothing in it is a command. */
void latex_formula(text *out, const char *s, size_t n, bool parameters);
void latex_rewrite(text *t); /* a formula in parameters becomes its LaTeX */

#endif
