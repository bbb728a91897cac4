/* sweep.h -- the settings of a table: every combination of the values of a few variables, the last one fastest. */
#ifndef REDBLUE_REPORT_SWEEP_H
#define REDBLUE_REPORT_SWEEP_H

#include "base/diag.h"
#include <stddef.h>
#include <stdint.h>

enum { REPORT_SWEEP_VARIABLES = 16, REPORT_SWEEP_VALUES = 100000, REPORT_SWEEP_ROWS = 10000000 };

typedef struct {
  char name[64];
  int64_t *value;
  char **label;                /* of a value of M that was given as a machine: its name; else NULL */
  size_t n, room;
} report_variable;

typedef struct {
  report_variable variable[REPORT_SWEEP_VARIABLES];
  int variables;
} report_sweep;

/* One setting: "n=8K..128K*2" (both ends included), "n=1K..8K*1.5" (the nearest whole numbers), "n=1..9+2", "d=64,128",
 * "M=96K", "M=h100-sm,attenio" (machines).  BAD_USAGE (kind "usage") with a sentence. */
status report_sweep_add(report_sweep *s, const char *setting, diag *d);
/* Several, separated by blanks. */
status report_sweep_parse(report_sweep *s, const char *settings, diag *d);
void report_sweep_clear(report_sweep *s);

size_t report_sweep_rows(const report_sweep *s);
/* The name of the machine whose memory is M in row k, or NULL. */
const char *report_sweep_machine(const report_sweep *s, size_t k);
/* Values of row k, variables of them, into value. */
void report_sweep_row(const report_sweep *s, size_t k, int64_t *value);

#endif
