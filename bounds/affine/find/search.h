/* search.h -- the search for claims about affine computations (bounds/affine/find.h), for the files of this folder. */
#ifndef REDBLUE_BOUNDS_AFFINE_FIND_SEARCH_H
#define REDBLUE_BOUNDS_AFFINE_FIND_SEARCH_H

#include "bounds/affine/find.h"

enum { KEPT = 3, READS_MOST = 7, DERIVED_MOST = 1500, POOL = 96 };

typedef struct {
  claim_group group;
  double value;
  bool operands;
} candidate;

typedef struct {
  affine_facts *f;
  int64_t m;
  affine_what what;
  int own[WORDS_MOST], owns;
  int derived;                 /* how many claims were derived */
  double ends;                 /* inputs and outputs: what no claim adds more than that besides its events */
  candidate pool[POOL];
  int candidates;
} search;

/* ---- find.c ---- */

/* Which kinds come first; what is not named is no predecessor. */
enum { FIND_ORDERS = 4, NEAR = 5, FIND_STAYS = 2 };
extern const word_order find_orders[FIND_ORDERS];
/* Sets of own predecessors that were tried. */
typedef struct {
  int n, owns[FIND_ORDERS + NEAR + FIND_STAYS], own[FIND_ORDERS + NEAR + FIND_STAYS][WORDS_MOST];
} tried_words;
/* Is the choice at hand a new one? */
bool find_is_new(tried_words *t, const search *s);

/* ---- words.c ---- */

/* For each array first what is in the middle, then what is near: columns of a stencil whose rows are shifted,
   or whose elements read many others of their own array.  False when there is none. */
bool find_choose_near(search *s, int nearer);
/* Own predecessors in that order, instead of those chosen. */
void find_choose_words(search *s, const word_order *order);

/* ---- worth.c ---- */

/* Derived with the best cuts; false when it is refused, or enough were derived. */
bool find_worth(search *s, affine_claim *c, mpz_t value);
/* A claim of the words chosen, and of no group. */
void find_begin(const search *s, affine_claim *c);

/* ---- powers.c ---- */

/* Powers are multiples of 1 / DEN. */
enum { DEN = 12 };
/* The best powers of a statement whose steps and columns are known: the estimate, 0 when there is none. */
double find_choose_powers(const search *s, statement_facts *t, claim_statement *of, double work);

/* ---- statement.c ---- */

/* Lengths of tails; where to begin, and which are for chains of the steps' own array. */
enum { TAILS = 14, TAIL_MIDDLE = 4, OWN_TAILS = 2, OWN_TAILS_END = 11 };
/* The i-th length for M. */
int64_t find_tail(const search *s, int i);
/* Has one of its statements such an item? */
bool find_has_kind(const claim_group *g, item_kind kind);
/* What the group alone gives decides whether it is kept. */
void find_keep(search *s, const claim_group *g, bool operands);
/* The items are set: columns and powers. */
void find_try_statement(search *s, claim_group *g);
/* Rows in pairs: the reads in twos. */
void find_try_pairs(search *s, const claim_group *like);

/* ---- reads.c ---- */

/* Do they read one array with the same coefficients? */
bool find_same_slopes(const normal_form *f, const access *a, const access *b);
/* Candidates for the elements of the array. */
void find_try_sets(search *s, int array);

/* ---- groups.c ---- */

/* Kept when it is better. */
void find_consider(affine_best *best, const affine_claim *c, const mpz_t value);
/* The statement with its columns renamed: column k becomes to[k]. */
void find_rename_columns(claim_statement *s, const int *to);
int find_columns_of(const claim_statement *s);
/* From the best candidate on, each as a ledger of its own or as a sibling, when that is better. */
void find_combine(search *s, bool once, int first, affine_best *best);

/* ---- made.c ---- */

/* Statements whose operands others make, with those. */
void find_relays(search *s, affine_best *best);

#endif
