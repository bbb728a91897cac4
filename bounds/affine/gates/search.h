/* search.h -- the search for gates (docs/theory-affine.md, section 7), for the files of this folder: candidates are
   tried on a few sample elements, and what passes is derived as the checker does. */
#ifndef REDBLUE_BOUNDS_AFFINE_GATES_SEARCH_H
#define REDBLUE_BOUNDS_AFFINE_GATES_SEARCH_H

#include "bounds/affine/find.h"
#include "bounds/check/gates/gates.h"

enum { GATE_RANK = 4, SAMPLES = 12, TRIES = 400, DERIVED_MOST = 160, FAMILIES_KEPT = 8 };

typedef struct {
  int n;
  int64_t at[SAMPLES][CDAG_RANK];
} samples;

typedef struct {
  gates_claim claim;
  mpz_t value;
} gates_best;

typedef struct {
  int n;
  struct { gate_family family; double gain; } item[FAMILIES_KEPT];
} kept_families;

typedef struct {
  gates_facts *g;
  int64_t m;
  int derived, stays;          /* claims tried for one choice of words; of stays, at all */
  gates_claim words;           /* own predecessors, no family */
  struct box { bool read; int64_t lo[CDAG_RANK], hi[CDAG_RANK]; } *box; /* of each array: its domain's */
  samples *element;            /* of each array, once a gate may be any of it */
  gates_best *best;            /* [0] with recomputation, [1] without */
  kept_families waits, alone;  /* the best ones in which something waits, and those that words come after */
  struct { int n; gate_family item[FAMILIES_KEPT]; uint64_t has[FAMILIES_KEPT]; } used; /* words of which components */
} gate_search;

/* ---- sample.c ---- */

/* Is x in it?  gates_in_domain: is it an element of the array? */
bool gates_holds_at(const polyhedron *p, const int64_t *x, int n);
/* A few elements of the pieces: by chance in their boxes, the first ones with the same seed each time. */
void gates_sample(gate_search *s, const polyhedra *l, int rank, samples *to);
const samples *gates_elements(gate_search *s, int array); /* of its live ones, drawn once */
bool gates_in_domain(const gate_search *s, int array, const int64_t *x);
/* lo > hi: an index without bounds. */
const struct box *gates_box_of(const gate_search *s, int array);
/* The gate with the keys of x, so many times later. */
void gates_gate_at(const gate_search *s, const gate_family *k, const gate_keys *keys, const int64_t *x, int later,
                   int64_t *gate);
/* May an index of the gate have any value? */
bool gates_any_index(const gate_search *s, const gate_family *k);
/* What the access reads at x, an element of its reader. */
bool gates_read_at(const gate_search *s, const access *a, const int64_t *x, int64_t *y);
/* x becomes the element that these accesses lead to, one after the other; false: there is none. */
bool gates_follow(const gate_search *s, const int *link, int links, int64_t *x);
/* The array and indices of the input that the word of x begins with; -1 when it is far. */
int gates_root_of(const gate_search *s, int array, int64_t *x);

/* ---- worth.c ---- */

/* Where words are shared out among families, the cut of a family says what later ones have: then it stays. */
bool gates_worth(gate_search *s, gates_claim *c, mpz_t value);
/* Kept when it is better than what there is in its game, and said so. */
bool gates_keep_best(gate_search *s, const gates_claim *c, const mpz_t value);
/* What the claim is worth, kept when it is the best. */
bool gates_consider(gate_search *s, gates_claim *c, mpz_t value);

/* ---- candidate.c ---- */

typedef struct {
  gate_use use;
  samples b;
  int root[SAMPLES];           /* of each sample: the array of the input that its word begins with, or -1 */
  int64_t root_at[SAMPLES][CDAG_RANK];
  int component;
  double words;                /* at most so many, whatever the gate */
  uint32_t told;               /* loops that its words tell, each by itself */
} use_candidate;

typedef struct {
  gate_wait wait;
  samples z;
  double paths;
} wait_candidate;

enum { CANDIDATES = 64 };
typedef struct {
  int uses, waits;
  use_candidate use[CANDIDATES];
  wait_candidate wait[CANDIDATES];
} candidates;

/* Those of all arrays. */
void gates_find_candidates(gate_search *s, candidates *c);

/* ---- trials ---- */

typedef struct {
  gate_search *s;
  const candidates *c;
  gates_claim claim;
  int at;                      /* the family that is tried: it has the gate */
  uint64_t has;                /* components whose words it uses */
  mpz_t value;                 /* what a use must bring more than */
  gate_family spare;           /* with a use that brings nothing by itself */
  int likely;                  /* uses that may count together, one of each component */
  struct { gate_use use; int component; double words; } of[GATE_USES];
} gate_trial;

/* All ways to take loops of the element for the keys, from index r on; `done` says whether one was kept. */
typedef struct {
  gate_trial *t;
  int rank;                    /* of the element */
  uint32_t told;               /* loops for a class; the time's is any */
  const use_candidate *use;
  const wait_candidate *wait;
  gate_keys keys;
} key_search;

/* ---- stays.c ---- */

/* The use at hand with a partner, whose words each gate needs too: then few words allow few pairs of classes. */
void gates_try_hourglass(key_search *k);

/* ---- trial.c ---- */

/* Words of each component that are used after the gate. */
void gates_try_uses(gate_trial *t);
/* Words that are used may be those that wait: then each costs two moves. */
void gates_wait_instead(gate_search *s, const candidates *c);
/* Every gate of every array, at so many steps of the time. */
void gates_each_array(gate_search *s, const candidates *c, int lag);
/* The families with the largest gains are kept for others to join, of one gate one. */
void gates_keep_family(const gate_search *s, kept_families *l, const gate_family *f, const mpz_t value);
/* Families whose words each bring something alone, counted together: their loads are of different words. */
void gates_join_alone(gate_search *s);
/* More families in which something waits. */
void gates_join_families(gate_search *s);

/* ---- forks.c ---- */

/* Gates whose elements wait for the first of them. */
void gates_find_forks(gate_search *s);

/* ---- turns.c ---- */

/* Gates whose paths share elements with those of other times. */
void gates_find_turns(gate_search *s, const candidates *c);

/* ---- alternating.c ---- */

/* Two gates, each with words after it when it is alone, then what joins the best pair. */
void gates_find_alternating(gate_search *s, const candidates *c);

/* ---- cells.c ---- */

/* Rows and columns of every array that reads two. */
void gates_find_cells(gate_search *s);

/* ---- gates.c ---- */

/* Own predecessors in that order; false: they are no words. */
bool gates_choose_words(gate_search *s, const word_order *order);

#endif
