/* checker.h -- the independent checker of certificates: integers only, no GLPK, no igraph, and nothing shared with the
   code that finds bounds (bounds/recognise, bounds/segment, bounds/program ...) beyond reading the CDAG.  A theorem's
   checker is a function in a file bounds/check/NAME.c and a BOUND_CHECKER there, which the build collects. */
#ifndef REDBLUE_BOUNDS_CHECKER_H
#define REDBLUE_BOUNDS_CHECKER_H

#include "base/json_read.h"
#include "base/text.h"
#include "bounds/games.h"
#include "cdag/cdag.h"
#include <gmp.h>

/* What a certificate claims, read but not believed. */
typedef struct {
  const char *theorem;
  const cdag *g;
  int64_t m;           /* at least 1 */
  const json_value *parameters;
  unsigned models;     /* the games it is claimed for */
} bound_claim;

typedef struct {
  const char *theorem;
  unsigned models;     /* all games in which the theorem holds: the checker's own word, not the prover's */
  /* Derive the bound from the CDAG, M and the parameters alone.  True: *value (initialised by the caller) is a true
     lower bound and every number among the parameters was used or compared.  False: reason says which step fails. */
  bool (*check)(const bound_claim *c, mpz_t value, text *reason);
} bound_checker;
#define BOUND_CHECKER(id)                                                                                              \
  extern const bound_checker bound_checker_##id;                                                                       \
  const bound_checker bound_checker_##id
extern const bound_checker *const bound_checkers[]; /* ended by NULL */
const bound_checker *bound_checker_find(const char *theorem); /* or NULL */

typedef struct {
  bool valid;
  text theorem;
  mpz_t value;         /* as claimed */
  text reason;         /* why not valid */
  /* What the claim is about: these of every certificate that can be read, the games (0: not named well) as it names
   * them. */
  int64_t m;
  unsigned models;
  text name, assign;   /* of the computation: its name is free text, and proves nothing; its parameters, "n=8,d=2" */
  uint64_t digest;     /* cdag_digest */
  bool counted;        /* its vertices, inputs and outputs, unless its rules are too irregular to be counted */
  cdag_counts counts;
} bound_check_result;

/* Check a certificate's text.  BAD_INPUT when it cannot be read as one at all; r is initialised in every case. */
status bound_check(const char *bytes, size_t n, const char *name, bound_check_result *r, diag *d);
void bound_check_clear(bound_check_result *r);

/* Write the reason, and be false.  NULL: nobody asks for it. */
#define bound_refuse(...) (bound_because(__VA_ARGS__), false)
void bound_because(text *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Is the value that was derived the one that is claimed?  If not, the reason names it. */
bool bound_value_agrees(const mpz_t value, const mpz_t claimed, text *reason);

#endif
