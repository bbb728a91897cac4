/* bound_formula.h -- `bound --formula`: bounds in the parameters and M. */
#ifndef REDBLUE_CLI_BOUND_FORMULA_H
#define REDBLUE_CLI_BOUND_FORMULA_H

#include "cli/cli.h"

cli_exit cli_bound_formula(const cli_args *a);

#endif
