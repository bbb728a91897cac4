/* stored.h -- operands that are kept until all have read them, and stores of the others (docs/theory-affine.md,
   Theorem 4c). */
#ifndef REDBLUE_BOUNDS_CHECK_STORED_H
#define REDBLUE_BOUNDS_CHECK_STORED_H

#include "bounds/check/affine/claim.h"

enum { STORED_STEPS = 40, STORED_PRICE_MOST = 64, STORED_DEGREE_MOST = 1 << 24 };

/* Beside an affine claim of one statement with its own word and two needs more. */
typedef struct {
  int64_t ends, starts;        /* the price of an element of a word that is left, and of one that is come by */
  int64_t degree;              /* of a word that is read, in a segment: so many steps are best */
  int64_t length;              /* of a segment, in such prices */
} stored_claim;

typedef struct {
  mpz_t work, births, ends, outputs, inputs;
  int steps;                   /* many[i]: operands that are no outputs and that stored_reads(degree, i) steps read */
  mpz_t many[STORED_STEPS];
} stored_facts;

void stored_facts_init(stored_facts *s);
void stored_facts_clear(stored_facts *s);
/* How many reads step i asks for. */
int64_t stored_reads(int64_t degree, int i);
/* All that does not depend on prices, the length and M; of a reading without parts (READ_TAPPED or less). */
bool stored_derive(affine_facts *f, const affine_claim *c, int64_t degree, stored_facts *s, text *reason);
bool stored_value(const stored_facts *s, const stored_claim *c, int64_t m, mpz_t value, text *reason);

void stored_claim_write(const stored_claim *c, json *j);
bool stored_claim_read(const json_value *v, stored_claim *c, text *reason);

#endif
