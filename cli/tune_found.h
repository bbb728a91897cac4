/* tune_found.h -- `redblue tune SPEC -M m` without a schedule: one is found. */
#ifndef REDBLUE_CLI_TUNE_FOUND_H
#define REDBLUE_CLI_TUNE_FOUND_H

#include "cli/common.h"

cli_exit cli_tune_found(const cli_args *a);

#endif
