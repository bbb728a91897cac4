/* bound.h -- what is proved: the record every lower bound is. */
#ifndef REDBLUE_BOUND_H
#define REDBLUE_BOUND_H

#include "base/diag.h"
#include "base/text.h"
#include "bounds/games.h"
#include "cdag/cdag.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

/* Only the first two may enter `best` and a ratio. */
typedef enum {
  BOUND_PROVED,
  BOUND_CERTIFIED,
  BOUND_NUMERIC,
  BOUND_PUBLISHED,
  BOUND_ASYMPTOTIC,
  BOUND_REFUTED
} bound_trust;
const char *bound_trust_name(bound_trust t);

typedef struct {
  const char *name;       /* static: the theorem, e.g. "attention-segment", "backward-14", "wavefront" */
  bound_trust trust;
  unsigned models;        /* the games it holds in (bounds/games.h) */
  mpz_t value;            /* Q >= value, an integer */
  text leading; /* formula in the parameters and M within 1 % of the value (bounds/leading.h), e.g. "4 n^2 d^2 / M"; may
                   be empty */
  text parameters; /* one line of JSON object: T, h values, weights ... what the certificate needs; may be empty */
  text proof;             /* the argument in words, plain text paragraphs with the numbers filled in; may be empty */
  text proof_latex;       /* the same for a paper; may be empty */
  const char *source;     /* static: theorem key or citation */
  struct bound_checked *checked; /* where bound_machine_checked keeps what it found out: lists, ties and files ask */
} bound;

typedef struct {
  const cdag *g;
  uint64_t m;
  bool one_shot;
  int variant;            /* pebble_variant's value: 0 placing, 1 sliding, 2 partial */
  double seconds;         /* time slow bounds may take together; 0: only fast ones */
  uint64_t work;          /* steps that a search may take when no time is given; 0: about a second's */
  double until;           /* of clock_seconds: no theorem but the first, compulsory moves, is begun later, and the list
                             is marked as stopped; 0: never */
  bool want_proof;
  const char *theorem;    /* not NULL: ask this theorem of the table alone */
  bool no_search; /* leave out bounds that search for plays: the caller did so, or has other use for the memory */
  const struct bound_live *live; /* what bound_all found out once for every theorem; NULL: each finds it out itself */
} bound_question;

typedef struct {
  bound *item;
  size_t n, room;
  bool stopped;
} bound_list;

void bound_init(bound *b, const char *name, bound_trust trust, unsigned models, const char *source);
void bound_clear(bound *b);
/* Does b hold in the game q asks about (its variant, and one-shot or not)?  A bound that allows recomputation also
   names BOUND_ONE_SHOT: fewer plays are legal there. */
bool bound_holds_in(const bound *b, const bound_question *q);
/* A fresh record at the end of the list. */
bound *bound_list_add(bound_list *l, const char *name, bound_trust trust, unsigned models, const char *source);
void bound_list_clear(bound_list *l);

/* A theorem.  Its file defines one, and the build collects them (Makefile); the number says where it stands in lists.
 */
typedef struct {
  const char *name, *summary, *source;
  /* Add every record of this theorem that applies; adding none is no error. */
  status (*apply)(const bound_question *q, bound_list *out, diag *d);
  bool slow;              /* only when q->seconds > 0 */
} bound_theorem;
#define BOUND_THEOREM(order, id)                                                                                       \
  extern const bound_theorem bound_theorem_##id;                                                                       \
  const bound_theorem bound_theorem_##id
extern const bound_theorem *const bound_theorems[]; /* ended by NULL */
const bound_theorem *bound_theorem_find(const char *name); /* or NULL */

/* Every bound that applies and says more than 0, in the order of the table; *best indexes the largest proved or
   certified one that holds in the asked game (-1: none).  Compulsory traffic always applies, so best is -1 only on
   failure. */
status bound_all(const bound_question *q, bound_list *out, int *best, diag *d);

#endif
