/* machine.h -- a machine in a few numbers (docs/time-model.md): how much memory it has on chip, and, where its maker
   says so, how fast it computes and moves.  Presets are embedded texts, report/machines/NAME.machine, each with its
   source. */
#ifndef REDBLUE_REPORT_MACHINE_H
#define REDBLUE_REPORT_MACHINE_H

#include "base/diag.h"
#include <stdbool.h>
#include <stdint.h>

/* A part of the fast memory that holds these arrays alone. */
enum { REPORT_BUFFERS = 8 };
typedef struct {
  char name[32], arrays[128];  /* the arrays' names, a space before and behind each */
  double words;
} report_buffer;

typedef struct {
  char name[256];
  double word;                 /* bytes */
  double memory;               /* words of fast memory */
  /* rates: 0 when the text says nothing; bandwidth in bytes a second to and from slow memory, clock in Hz, the others a
   * cycle */
  double multiply_adds, special, clock, bandwidth;
  double rows, columns;        /* of the array of multiply-add units, when it is one */
  int buffers;
  report_buffer buffer[REPORT_BUFFERS]; /* together smaller than the memory */
} report_machine;

/* A preset's name or a file: lines NAME NUMBER, # begins a comment; word and memory must be there, the others come once
   or not at all; `array ROWS COLUMNS` says that the multiply-add units form an array, and multiply_adds is then their
   product; `buffer NAME WORDS ARRAY...` that these arrays have so many words of the memory for themselves.  BAD_USAGE
   with the nearest name when there is neither such a preset nor such a file. */
status report_machine_open(report_machine *m, const char *name, diag *d);

/* The buffer that holds the array; `buffers`: what they leave of the memory. */
int report_machine_part(const report_machine *m, const char *array);

typedef struct {
  char *name;
  const char *text;
  char summary[200], source[400]; /* the first comment line; what follows "source:" */
} report_machine_listing;
/* The presets, in order of name. */
int report_machines(report_machine_listing **list);
void report_machines_free(report_machine_listing *list, int n);

#endif
