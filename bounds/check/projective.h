/* bounds/check/projective.h -- what the checkers of one statement (bounds/check/projective.c) and of several
   (bounds/check/projective_sum.c) share: the ways a certificate says a step's needs are met in. */
#ifndef REDBLUE_BOUNDS_CHECKER_PROJECTIVE_H
#define REDBLUE_BOUNDS_CHECKER_PROJECTIVE_H

#include "bounds/checker.h"
#include "bounds/check/reading/read.h"

enum { NEEDS = 12, PARTS = 6, WAYS = 8, POOLS = NEEDS * PARTS * WAYS };

/* Words that may be shared with other needs: of an input array in a box, or of computed arrays. */
typedef struct {
  bool input;
  int array;
  cdag_box box;
  uint64_t arrays;
  int pool; /* after uniting */
} words;

typedef struct {
  words of;
  int64_t cost, power;
} part;

typedef struct {
  int term; /* -1: the chain */
  bool made, computed;
  unsigned loops, operand_loops;
  int64_t power_den;
  int parts;
  part part[PARTS];
} need;

typedef struct {
  int needs;
  need need[NEEDS];
  const json_value *exponents; /* an array of sets */
} way;

typedef struct {
  const cdag *g;
  const bound_statement *s;
  int ways;
  way way[WAYS];
  bool alone; /* the best way alone */
  int pools;  /* after uniting: their number, over all claims together */
} claim;
typedef struct {
  int64_t den, need[NEEDS], loop[CDAG_RANK];
} powers;

/* "ways", each need looked up in statement c->s; every set of exponents covers every loop; no way is missing. */
bool claim_read(const json_value *v, claim *c, text *reason);
/* Number the pools of words that the claims' needs may share. */
void claim_unite(claim *const *c, int n);
/* One set of exponents of a way; false when it is none or leaves a loop uncovered. */
bool claim_powers(const claim *c, const way *w, const json_value *v, powers *p);
/* The power of each pool (c->pools of them) over *den. */
void claim_pool_powers(const claim *c, const way *w, const powers *p, int64_t *pool, int64_t *den);
/* The most work that all the way's exponents, or these alone, allow with x words. */
void claim_most(const claim *c, const way *w, const powers *only, const mpz_t x, mpz_t most);

#endif
