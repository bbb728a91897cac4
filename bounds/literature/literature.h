/* literature.h -- lower bounds as the literature prints them, as data (docs/literature.md).

   None of them enters `best`: what is published is not re-proved here, what is asymptotic has no constant or no
   lower-order terms, and what is refuted is kept because people still quote it; tests play the schedules that beat it.
 */
#ifndef REDBLUE_BOUNDS_LITERATURE_H
#define REDBLUE_BOUNDS_LITERATURE_H

#include "bounds/bound.h"

typedef enum {
  LIT_MATMUL,
  LIT_TALL,
  LIT_ATTENTION,
  LIT_BACKWARD,
  LIT_GRADIENT,
  LIT_FFT,
  LIT_SYRK,
  LIT_SYR2K,
  LIT_CHOLESKY,
  LIT_STRASSEN,
  LIT_KERNELS
} literature_kernel;

/* The sizes a formula speaks of, as it writes them. */
typedef struct {
  literature_kernel kernel;
  double m, n, k;      /* C (m x n) = A (m x k) B (k x n); syrk: n rows, k columns; fft: n lanes; else n rows */
  double d, dv, pairs; /* attention: n queries and m keys of width d and dv; scored pairs */
  double memory;
} literature_case;

typedef struct {
  const char *name;
  literature_kernel kernel;
  bound_trust trust;                         /* published, asymptotic or refuted */
  unsigned models;                           /* games it is claimed for */
  const char *formula;                       /* in the symbols of the case, M the fast memory */
  const char *source;                        /* citation */
  const char *conditions;                    /* what it assumes, or why it is refuted */
  bool (*holds)(const literature_case *c);   /* are its conditions met; NULL: always */
  double (*value)(const literature_case *c); /* may be negative */
} literature_row;
int literature_rows(const literature_row **rows);

/* Which kernel is this, and what are its sizes?  Read off statements; by family name for fft, cholesky, strassen and
 * the gradient of attention by X.  Several may apply. */
enum { LIT_CASES = 4 };
int literature_cases(const cdag *g, const struct bound_live *known, uint64_t memory, literature_case *out);

#endif
