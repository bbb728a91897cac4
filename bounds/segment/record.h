/* bounds/segment/record.h -- from a cut to a record of the list of bounds. */
#ifndef REDBLUE_BOUNDS_SEGMENT_RECORD_H
#define REDBLUE_BOUNDS_SEGMENT_RECORD_H

#include "base/json.h"
#include "bounds/bound.h"
#include "bounds/proof.h"
#include "bounds/segment/segment.h"
#include "bounds/recognise/shape.h"

/* What turns events into I/O: Q >= events - births + stores. */
typedef struct {
  uint64_t births;             /* births among the events: at most so many in any play */
  uint64_t stores;             /* stores that are no events: at least so many */
  /* Of trees of partial sums (docs/theory.md, section 2), the array at the root, else NULL.  Then every birth is paid
     by a store of its own, and `births` are the trees, whose outputs are among the stores. */
  const char *sum;
} segment_account;
segment_account segment_account_of(const cdag *g, const bound_live *l, const bound_statement *s);
/* Which computes of the statement's steps are counted; trees where the account says so. */
void segment_say_counted(const proof *say, const cdag *g, const bound_statement *s);

void segment_write_fibers(json *j, const int64_t f[3]);
/* Q, from the cut. */
void segment_value(const segment_cut *c, const segment_account *a, mpz_t value);
/* The cut and the account as members of an open JSON object. */
void segment_write(json *j, const segment_problem *p, const segment_cut *c, const segment_account *a);
/* The number of steps as the description writes it ("m n k"), or the count. */
void segment_work_text(const cdag *g, const bound_statement *s, text *out);
/* The paragraphs every segment bound shares: what a segment is, the cut, the sum.  unit: what work is counted in
 * ("steps"). */
void segment_proof(const proof *say, const bound_question *q, const segment_problem *p, const segment_cut *c,
                   const segment_account *a, const char *unit);
/* The same where every move is an event and nothing else is counted. */
void segment_proof_moves(const proof *say, const bound_question *q, const segment_problem *p, const segment_cut *c,
                         const char *unit);

#endif
