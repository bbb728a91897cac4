/* covering.h -- interaction programs and the covering LP (docs/theory-lp.md, sections 1 to 3).

   An interaction program does work at pairs (i, j).  A kind of work has slices; one slice at one pair is a step.  A
   step needs the value of its pair, which is made from words of row i and words of column j, and, for itself, an
   operand word of one side and an accumulator (a chain) of the other.  This file knows numbers only;
   bounds/recognise/shape_covering.c reads them off a CDAG. */
#ifndef REDBLUE_BOUNDS_COVERING_H
#define REDBLUE_BOUNDS_COVERING_H

#include "base/diag.h"
#include "base/text.h"
#include "bounds/segment/segment.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- local and carried pairs ---- */

/* Of X words, p are carried pair values; words Y = X - p * keep_num / keep_den are left (1/1 where a carried pair costs
   a word). Weighted work: at local pairs at most scale * R * C with R + C <= Y; at carried pairs at most `each` a pair
   and at most sides/2 * sqrt(p) * Y together. */
typedef struct {
  int64_t scale, each, sides;
  int64_t keep_num, keep_den;
  int64_t pairs; /* there are no more */
} bound_carry;
/* The largest integer at most max over 0 <= p <= min(X, pairs) of the two together; *p says where.  Exact. */
void bound_carry_most(const bound_carry *k, int64_t words, mpz_t most, int64_t *p);
/* The same value for one p: what the maximum is taken over. */
void bound_carry_at(const bound_carry *k, int64_t words, int64_t p, mpz_t value);
/* For segment_problem: the same from a bound_carry, exact and in doubles. */
void bound_carry_work(const void *carry, const mpz_t words, mpz_t most);
double bound_carry_guess(const void *carry, double words);

/* ---- the program ---- */

enum { COVER_KINDS = 6, COVER_ARRAYS = 14, COVER_PASSES = 64 };

typedef struct {
  char name[64];
  bool column;   /* words of a column; else of a row */
  int64_t width; /* words of one row or column */
} cover_array;

typedef struct {
  char name[64];
  int64_t width;      /* slices: steps at one pair, at most */
  uint64_t steps;     /* in all */
  int operand, chain; /* arrays: each slice its own word of either; operand -1: none */
  unsigned whole;     /* arrays of which the value of the pair needs the whole row or column */
  int value_term, operand_term; /* of the statement's rule: the pair's value, the operand */
} cover_kind;

typedef struct {
  int arrays, kinds;
  cover_array array[COVER_ARRAYS];
  cover_kind kind[COVER_KINDS];
  int64_t pairs;            /* at most so many */
  uint64_t births, outputs; /* chains that are born; words that must be stored */
} cover_program;

/* Words of the row and of the column of a local pair at which slice[w] slices of kind w are done: at least so many. */
void bound_cover_words(const cover_program *p, const int64_t *slice, int64_t *row, int64_t *column);

/* One pass: slice[w] slices of every kind w at each pair, costing (row words)(column words); `times` is the LP's
   estimate of how often the optimal plan makes it. */
typedef struct {
  int64_t slice[COVER_KINDS];
  int64_t cost;
  double times_estimate;
} cover_pass;

typedef struct {
  int64_t weight[COVER_KINDS], scale; /* u_w = weight[w] / scale, certified: see bound_cover_certify */
  int passes;
  cover_pass pass[COVER_PASSES]; /* the plan: passes with times_estimate > 0 */
} cover_answer;

/* Solve the covering LP by generating passes; the weights are certified.  level: no weight above the average of the
   best ones, which costs little in the leading term and helps where pairs are carried.  SOLVER when GLPK fails. */
status bound_cover_solve(const cover_program *p, bool level, cover_answer *out, diag *d);
/* Exactly: is sum_w weight[w] slice[w] <= scale * row * column for every slice with 0 <= slice[w] <= width[w]?  If not,
   a violating slice is left in `at`. */
bool bound_cover_certify(const cover_program *p, const int64_t *weight, int64_t scale, int64_t *at);
/* What carried pairs and totals become under certified weights.  False when a number is too large. */
bool bound_cover_carry(const cover_program *p, const cover_answer *a, bound_carry *k, mpz_t total);

#endif
