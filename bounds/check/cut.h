/* bounds/check/cut.h -- the part of a segment certificate that every theorem shares, checked with integers. */
#ifndef REDBLUE_BOUNDS_CHECKER_CUT_H
#define REDBLUE_BOUNDS_CHECKER_CUT_H

#include "bounds/checker.h"

/* A cut as the certificate gives it: n segments, the first of `first` events, the others of `length`. */
typedef struct {
  mpz_t work, n, first, length, most_first, most, events, births, stores;
} checker_cut;
void checker_cut_init(checker_cut *c);
void checker_cut_clear(checker_cut *c);
/* Read it; false with a reason when a member is missing or negative. */
bool checker_cut_read(checker_cut *c, const json_value *parameters, text *reason);

/* Can x words do this much work?  None they always can. */
typedef bool (*checker_feasible)(const void *context, const mpz_t work, const mpz_t x);
/* Is it a cut that proves its events: the works are the most that first and M + length words can do, together less than
   all there is, and the events are counted right? */
bool checker_cut_holds(const checker_cut *c, int64_t m, checker_feasible can, const void *context, text *reason);
/* Read it, and see that it is one of all the work there is. */
bool checker_cut_weighs(checker_cut *c, const json_value *parameters, const mpz_t work, int64_t m,
                        checker_feasible can, const void *context, text *reason);
/* work <= sqrt(times) (x/3)^(3/2): what Loomis and Whitney leave to x words of three kinds, shared evenly. */
bool checker_within_cube(const mpz_t work, const mpz_t x, unsigned long times);
/* value = events - births + stores. */
void checker_cut_value(const checker_cut *c, mpz_t value);
/* Can x words of three kinds, of which one serves at most so many steps (ascending), do this many (docs/theory.md,
   section 3)? */
bool checker_three_suffice(const int64_t fiber[3], const mpz_t work, const mpz_t x);

/* An integer member that must be a natural number up to this. */
bool checker_at_most(const json_value *parameters, const char *key, uint64_t most, text *reason);
/* The same, and it is added to the sum. */
bool checker_add_at_most(const json_value *parameters, const char *key, uint64_t most, mpz_t sum, text *reason);
/* An integer member that must have this value. */
bool checker_equal(const json_value *parameters, const char *key, uint64_t expected, text *reason);

#endif
