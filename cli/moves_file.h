/* moves_file.h -- the moves a solver found, as a schedule file that verify accepts. */
#ifndef REDBLUE_CLI_MOVES_FILE_H
#define REDBLUE_CLI_MOVES_FILE_H

#include "cdag/cdag.h"
#include "pebble/game.h"

/* One move a line, elements named as in g, whose explicit graph the trace was found on.  path "-": standard output. */
status cli_write_moves(const cdag *g, const pebble_trace *t, const char *path, diag *d);

#endif
