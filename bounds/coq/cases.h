/* bounds/coq/cases.h -- what the texts for Coq have in common that show something in cases: forms with unknowns that
   are told or tried, and a tree of cases in each of which all that is asked follows from what is known. */
#ifndef REDBLUE_BOUNDS_COQ_CASES_H
#define REDBLUE_BOUNDS_COQ_CASES_H

#include "bounds/coq/text.h"

/* Of the unknowns 0 .. n - 1 some are told by forms that are 0; the variables that are known stand behind them. */
typedef struct {
  int n, equations, limits;
  linear equation[POLYHEDRON_VARS + CDAG_RANK], limit[2 * POLYHEDRON_VARS];
  linear value[POLYHEDRON_VARS];
  bool told[POLYHEDRON_VARS];
} coq_unknowns;
bool coq_tell(coq_unknowns *u, int v, const linear *value);
bool coq_solve(coq_unknowns *u);
/* What is never negative: each is a limit. */
bool coq_add_limits(coq_unknowns *u, const coq_box *b, const coq_forms *where);

/* Unknowns that nothing tells are tried at each of their limits; what is found is handed over. */
typedef struct {
  int tries;
  void (*found)(void *to, const coq_unknowns *u);
  void *to;
} coq_trial;
void coq_try_limits(coq_trial *t, const coq_unknowns *u);

/* What a case asks, and how it is written when all of it follows. */
typedef struct {
  coq_forms asked;
  text leaf;
} coq_case;

typedef struct {
  arena *memory;
  const coq_box *box;
  int cases, tries;
  const coq_case *item;
  const char *split, *never;   /* constructors */
  /* Does something else do where none of the cases does?  Then it is written; NULL: no. */
  bool (*otherwise)(void *with, const coq_forms *known, text *out);
  void *with;
} coq_cases;
/* May all that is asked hold where the known forms do, which are not at odds themselves? */
bool coq_case_possible(const coq_cases *s, const coq_forms *known, const coq_forms *asked);
/* The tree for all points of the box where the known forms hold; false when none is found. */
bool coq_cases_put(coq_cases *s, const coq_forms *known, text *out);

#endif
