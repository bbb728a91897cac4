/* optimum.h -- the optimum of a computation small enough to have it at once: what lesson and play compare with. */
#ifndef REDBLUE_CLI_OPTIMUM_H
#define REDBLUE_CLI_OPTIMUM_H

#include "pebble/game.h"

/* *known: proved within a second, for at most 40 vertices. */
status cli_optimum(const cdag *g, const pebble_rules *rules, bool *known, uint64_t *io, diag *d);

#endif
