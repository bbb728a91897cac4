/* bounds/check/internal.h -- one function for each theorem the checker knows. */
#ifndef REDBLUE_BOUNDS_CHECKER_INTERNAL_H
#define REDBLUE_BOUNDS_CHECKER_INTERNAL_H

#include "bounds/checker.h"

bool checker_compulsory(const bound_claim *c, mpz_t value, text *reason);
bool checker_product(const bound_claim *c, mpz_t value, text *reason);
bool checker_attention(const bound_claim *c, mpz_t value, text *reason);
bool checker_two_products(const bound_claim *c, mpz_t value, text *reason);
bool checker_three_ways(const bound_claim *c, mpz_t value, text *reason);
bool checker_lines(const bound_claim *c, mpz_t value, text *reason);
bool checker_elimination(const bound_claim *c, mpz_t value, text *reason);
bool checker_pyramids(const bound_claim *c, mpz_t value, text *reason);
bool checker_crossings(const bound_claim *c, mpz_t value, text *reason);
bool checker_crossings_once(const bound_claim *c, mpz_t value, text *reason);
bool checker_covering(const bound_claim *c, mpz_t value, text *reason);
bool checker_backward_12(const bound_claim *c, mpz_t value, text *reason);
bool checker_projective(const bound_claim *c, mpz_t value, text *reason);
bool checker_projective_sum(const bound_claim *c, mpz_t value, text *reason);
bool checker_lowrank(const bound_claim *c, mpz_t value, text *reason);
bool checker_backward_14(const bound_claim *c, mpz_t value, text *reason);

#endif
