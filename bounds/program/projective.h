/* projective.h -- one reduction statement with projective accesses: docs/theory-lp.md, section 7.

   A statement's steps are points of a box of loops.  An *item* is something a step needs: it is told apart by some of
   the loops, and each different one costs words of a *purse* (an array, say).  Steps H that items allow obey, for every
   choice of exponents s, z >= 0 with sum of s over the items that contain loop i, plus z_i, at least 1:   H <= prod_i
   extent_i^z_i  prod_t (number of t)^s_t. With X words in all and the weighted AM-GM inequality this is h(X).  The
   exponents are found by linear programs and a local search; whatever they are, h(X) is computed from them in integers.
   Pure functions; bounds/recognise/projective_shape.c reads a CDAG. */
#ifndef REDBLUE_BOUNDS_PROJECTIVE_H
#define REDBLUE_BOUNDS_PROJECTIVE_H

#include "base/diag.h"
#include "bounds/segment/segment.h"

enum { PROJ_LOOPS = 8, PROJ_ITEMS = 12, PROJ_PURSES = 20, PROJ_PARTS = 6, PROJ_WAYS = 8, PROJ_KNOWN = 4 };

/* An item of at most  factor * prod over parts (words of the purse / words)^(power / power_den)  different settings. */
typedef struct {
  int purse;
  int64_t words; /* each setting of the part's loops costs so many of its own */
  int64_t power;
  int array; /* whose words, for people and certificates; -1: not one array's */
  unsigned loops; /* a leaf's, for certificates; 0: not a leaf */
} proj_part;
typedef struct {
  unsigned loops;
  int parts; /* 1 with power 1: an array's words; more: made from them (a local operand) */
  proj_part part[PROJ_PARTS];
  int64_t power_den;
  int64_t factor; /* settings of the loops no part tells apart; 1 otherwise */
  int term;       /* the statement's term it stands for, -1: its chain */
  bool made;      /* a computed operand made anew from its leaves */
} proj_item;

/* One way to have everything a step needs. */
typedef struct {
  int loops;
  int64_t extent[PROJ_LOOPS];
  int items;
  proj_item item[PROJ_ITEMS];
} proj_way;

/* Exponents over a common denominator: item[t] / den and loop[i] / den. */
typedef struct {
  int64_t den;
  int64_t item[PROJ_ITEMS], loop[PROJ_LOOPS];
} proj_exponents;
/* Do they cover every loop? */
bool bound_proj_covers(const proj_way *w, const proj_exponents *e);
/* The steps that `words` words allow by these exponents, rounded down. */
void bound_proj_steps(const proj_way *w, const proj_exponents *e, const mpz_t words, mpz_t steps);
/* Good exponents for so many words.  SOLVER when GLPK fails. */
status bound_proj_solve(const proj_way *w, int64_t words, proj_exponents *e, diag *d);

/* Every step's needs are met in one of these ways; together (sum) or, where sound, by the best one alone. */
typedef struct {
  int ways;
  proj_way way[PROJ_WAYS];
  int plain;  /* the items before the choices between carrying and making */
  bool whole; /* each choice is one item either way */
  bool best_way_alone;
  bool settled;         /* best_way_alone rests on the exponents: no others may be added */
  int known[PROJ_WAYS]; /* exponents tried: h is the least */
  proj_exponents exponents[PROJ_WAYS][PROJ_KNOWN];
} proj_statement;
/* One way with one choice of exponents. */
typedef struct {
  const proj_way *way;
  const proj_exponents *exponents;
} proj_term;
/* Does the sum of the terms' steps, whatever share of the words each has, stay below the largest term with all the
   words?  Sufficient: with the words of shared purses fixed, each term grows at least in proportion to the words of its
   own purses.  Purses of different statements must be numbered together. */
bool bound_proj_largest_rules(const proj_term *term, int n);
/* The way that allows most steps with so many words (an estimate), and each way's best exponents, if term is not NULL.
 */
int bound_proj_widest(const proj_statement *s, double words, proj_term *term);
/* For segment_problem: h from the exponents known, exact and in doubles. */
void bound_proj_work(const void *statement, const mpz_t words, mpz_t steps);
double bound_proj_guess(const void *statement, double words);
/* Find exponents (forgetting any known) for segments of the best length.  Then `rate`, events for each step, is an
   estimate of what bound_proj_events will prove. */
status bound_proj_learn(proj_statement *s, int64_t m, const mpz_t steps, double *rate, diag *d);
/* After that: events >= c->events for `steps` steps in all. */
status bound_proj_events(proj_statement *s, const mpz_t steps, int64_t m, segment_cut *c, diag *d);
/* The loops of the best tile for so many words (estimates, for people). */
status bound_proj_tile_estimate(const proj_way *w, int64_t words, double *loop, diag *d);

#endif
