/* bounds/check/reading/read.h -- the one reader of a computation's statements: which arrays are reductions, and what
   their steps read.  The checker believes it, so the prover asks it too; tests hold it against the graph, vertex by
   vertex.  (Which vertices matter is argued twice: live.c here counts, bounds/recognise/live.c solves.) */
#ifndef REDBLUE_BOUNDS_CHECKER_READ_H
#define REDBLUE_BOUNDS_CHECKER_READ_H

#include "bounds/check/reading/statement.h"

/* live[a]: every element of array a is an output that is no input, or leads to one (one-sided).  To be freed. */
bool *checker_live(const cdag *g);
bool *checker_live_counted(const cdag *g); /* the same by counting alone, whatever the size; misses more */
uint64_t checker_inputs(const cdag *g, const bool *live);  /* inputs that live elements name, at least */
uint64_t checker_inputs_of(const cdag *g, const bool *live, int array); /* the same, of one array without a rule */
uint64_t checker_outputs(const cdag *g);   /* outputs that are no inputs, at least */
/* The array as a reduction statement; false when it is none, or not live. */
bool checker_statement_find(const cdag *g, const bool *live, int array, bound_statement *s);

/* The same statement with trees for chains: those that chains of `sum` add up (checker_sums_of_chains); false when they
 * are none. */
bool checker_statement_gather(const cdag *g, const bool *live, int sum, bound_statement *s);

/* The same of a rule under other names (cdag/relist.h), whose chain is told by that term: `listed` is what was read of
   it under its own. */
bool checker_statement_relisted(const cdag *g, int chain_term, const bound_statement *listed, bound_statement *s);

/* The same, except that operands tell settings apart which agree in the loops `within`: o->given is among these. */
bool checker_statement_within(const cdag *g, const bool *live, int array, unsigned within, bound_statement *s);

/* May the boxes of the two arrays hold a common element? */
bool checker_boxes_meet(const cdag *g, int a, const cdag_box *x, int b, const cdag_box *y);

#endif
