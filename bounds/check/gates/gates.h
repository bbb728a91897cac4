/* gates.h -- bounds by gates as claims, and what follows (docs/theory-affine.md, section 7).

   A gate is a set of elements of one array, one for each value of its keys: every key is an index of the array.  One
   key may be the time: then the gates of one class, the other keys, come one after another.  Families may alternate:
   then the gates of a class come family by family, and again one time later.  What lies after a gate and before the
   next uses words, each of which is kept or loaded again.  When nothing is computed twice, what waits at a gate is
   kept, or stored and loaded again. */
#ifndef REDBLUE_BOUNDS_CHECK_GATES_H
#define REDBLUE_BOUNDS_CHECK_GATES_H

#include "bounds/check/affine/claim.h"
#include "cdag/polyhedral/reach.h"

enum { GATE_FAMILIES = 8, GATE_USES = 8, GATE_WAITS = 3, GATE_LINKS = 6, GATE_LAG = 8, FORK_PATHS = 2, GATE_ROWS = 4 };
enum { STAYS_SCALE_MOST = 1000000000, STAYS_MOST = 512 };

/* What an index of the gate's array is. */
typedef enum { GATE_ANY, GATE_KEY, GATE_AT } gate_role;

/* The keys of an element: index r of the gate, a key, is the element's loop[r] plus offset[r]. */
typedef struct {
  int loop[CDAG_RANK];
  int64_t offset[CDAG_RANK];
} gate_keys;

/* Elements of an array that each use a word: the one they continue, or (access) a rooted one that they read; or (via)
   one that the element reads which they read, a product before it is added. */
typedef struct {
  int array, access;           /* access -1: their own */
  int via;                     /* 1 + the access of what is read; 0: they read the word themselves */
  gate_keys keys;
} gate_use;

/* Elements of an array, the own predecessor of each, the own predecessor of that, and so on: paths that cross the gate.
 */
typedef struct {
  int array, links, link[GATE_LINKS]; /* accesses, own predecessors */
  gate_keys keys;
} gate_wait;

/* Of the gate's own elements, which are computed after the first of them: paths of predecessors, any of them, that
   cross the gate.  They are those of one side or of the other, as the first element tells. */
typedef struct { int links, link[GATE_LINKS]; } fork_path;
typedef struct {
  int paths;                   /* of each side; 0: there is no fork */
  bool input[FORK_PATHS];      /* do both paths begin with inputs? */
  fork_path side[2][FORK_PATHS];
} gate_fork;

/* Gates at which something counts: those with lo <= key <= hi; key -1: all of them; lo > hi: none. */
typedef struct { int key; int64_t lo, hi; } gate_cut;

typedef struct {
  int array;
  gate_role role[CDAG_RANK];
  int64_t at[CDAG_RANK];
  int along[CDAG_RANK];        /* of a fixed index: 1 + the key that it goes along with, at[r] beside it; less than 0:
                                  with that key's negative; 0: with none */
  int time;                    /* index, or -1 */
  bool back;                   /* time runs downwards */
  int lag;                     /* what lies after a gate comes before the gates of its class so many times later:
                                  those whose times, less `phase`, have one rest by it count, for all families the
                                  same */
  int phase;                   /* of families that alternate, from each to the next, so many times later it stands */
  bool alternates;             /* with the family before, and those that one alternates with */
  int uses, waits;
  gate_use use[GATE_USES];
  gate_wait wait[GATE_WAITS];
  gate_fork fork;              /* stands alone */
  int chained;                 /* 1 + the access by which the ends of its one kind of paths, alone at its gates, read
                                  one another; 0: it is not looked at */
  int rows;                    /* words of rows of chains, each an input that one element beside each path reads: */
  gate_use row[GATE_ROWS];     /* its index q is the loop[q], of those of the path's end, plus offset[q]; loop[q] -1:
                                  none, it is offset[q] */
  int partner; /* access of its one use: what is read lies on the word of another class; -1: none (hourglass) */
  int64_t segments, first, length; /* the cut of an hourglass */
  gate_cut cut, twice;         /* gates that count; gates at which what waits counts once more */
} gate_family;

/* What a step is worth and what a red word costs at a gate, over `scale` (0: no such claim); whether moves of a value
   that is stored and loaded count both, which wants that nothing is computed twice; the own predecessor of b, and two
   reads of one element before the gate, of that and of the partner. */
typedef struct {
  int64_t step, word, scale;
  int stores, own, read[2];
} gate_stays;

/* Cells of at least so many steps, each of which is worth what its cell has, but `cap` at most, which is no less.  lo
   and hi of a cell: times row, times column, and a constant.  Chained: steps of a cell have an order.  Ordered: rows
   have one, too. */
typedef struct {
  int64_t lo[3], hi[3], least, cap;
  bool chained, ordered;
  bool once;                   /* words may begin with computed elements, whose computes are events besides loads:
                                  nothing is computed twice */
} gate_cells;

typedef struct {
  affine_reading reading;
  int own[WORDS_MOST], owns;
  int families;
  gate_family family[GATE_FAMILIES];
  gate_cells cells;            /* least > 0: one family, class the column and time the row, uses the column's word, then
                                  the row's; when they are ordered a second one, rows for columns */
  gate_stays stays;            /* scale > 0: one family with a partner */
} gates_claim;

/* What is known once the sets are derived, whatever M is. */
enum { GATE_WAITING = -1, GATE_FROM_INPUTS = -2 };
typedef struct {
  polyhedra gate;              /* its elements */
  int sets;
  struct {
    int component;             /* of the words that are used; or paths that wait, or that begin with inputs */
    polyhedra of;              /* disjoint: the keys, then what tells a word or a path */
  } set[GATE_USES + GATE_WAITS];
  polyhedra user[GATE_USES + GATE_WAITS]; /* of each use, then of each kind of paths, or of a fork, the elements that
                                              count; until the next derivation */
  int lost, lost_waiting;      /* of these, at each gate: the paths of its first element */
  polyhedra chains;            /* disjoint: the first ends of chains */
  polyhedra gates;             /* disjoint: keys of gates at which anything counts; no fewer */
  int keys, index[CDAG_RANK];  /* which indices are keys */
  polyhedra words;             /* of stays: disjoint, the labels of words; no fewer */
  mpz_t births;                /* of cells: computed elements with which words begin */
  mpz_t steps;                 /* of an hourglass or of stays; what those of cells are worth */
  int64_t width;               /* words of a class, all of which each gate of the class has after it; 0: it is none */
  bool beside; /* no gate is a word or on a path that counts there, nor counts itself: of M red ones it is one */
} gate_sets;

typedef struct {
  affine_facts *f;
  reach reach;
  gate_sets set[GATE_FAMILIES];
} gates_facts;

void gates_facts_init(gates_facts *g, affine_facts *f);
/* The words of the claim, inputs and outputs (f) and all sets; false with the step that fails. */
bool gates_derive(gates_facts *g, const gates_claim *c, text *reason);
/* Over the gates of the cut, words and paths less M; or, over those of `twice`, paths less M. */
bool gates_part_value(const gates_facts *g, const gates_claim *c, int k, bool twice, int64_t m, mpz_t value);
/* Words that count at gates, at most M of them kept, each counted twice where it waits: over all gates of family k, of
   which one rest by its lag counts. */
bool gates_family_value(const gates_facts *g, const gates_claim *c, int k, int64_t m, mpz_t value);
/* The bound of a claim that was derived. */
bool gates_value(const gates_facts *g, const gates_claim *c, int64_t m, mpz_t value, text *reason);
/* Loads and stores of outputs by one claim, stores of what waits by the other, and its loads as well where all steps of
   the first come before all gates (*behind); both of the text as it is. */
bool gates_with_affine(affine_facts *f, const affine_claim *loads, const gates_claim *waits, int64_t m, mpz_t value,
                       bool *behind, text *reason);
/* The most steps of an hourglass of this width with x words: 2 x + width f (f - 1) / 2, f = floor(x / width). */
void hourglass_most(int64_t width, const mpz_t x, mpz_t most);
/* What steps in such cells are worth that x words allow: 2 cap x + min(cap f x, (x + s)^2 / 4), where f is
 * floor(x / least) and s, which begins as f^2, may be (x + s)^2 / (4 least^2) where that is less, three times.  With
 * y = x + s, or less: when they are chained (y + cap)^2 / 4 + cap x; when they are ordered cap x where x < 2 least - 1,
 * else with d = least^2 - 4 cap > 0 cap y and the larger of max(y - cap, 0)^2 least^2 / (4 d) and
 * (y + cap)^2 least^2 / (4 d + 8 least^2). */
void cells_most(const gate_cells *p, const mpz_t x, mpz_t most);
/* Do the numbers keep the inequalities of Theorem 17? */
bool gates_stays_hold(const gate_stays *p);
/* Four times `scale`, times what one load for a word that is continued and then read may be short of (kappa'). */
int64_t gates_stays_shared(const gate_stays *p);
/* Of a claim with stays that was derived. */
bool gates_stays_value(const gates_facts *g, const gates_claim *c, int64_t m, mpz_t value, text *reason);
void gates_facts_clear(gates_facts *g);
/* Families that alternate have the same keys, and their times go one way: the keys of one as the other's, class by
 * class, time for time. */
bool gates_same_keys(const gate_family *x, const gate_family *y);
gate_keys gates_keys_for(const gate_family *from, const gate_keys *k, const gate_family *to);
linear gates_fixed(const gate_family *k, int r); /* an index of the gate that is fixed, in the gate's own indices */
bool gates_waits(const gate_family *k); /* do paths wait at its gates? */
bool gates_by_way(const gates_claim *c); /* are words read by way of other elements? */
/* What `a` reads by way of what it reads, by access `by` of that, as if it read it itself.  False: it reads none so. */
bool gates_read_by_way(arena *memory, const normal_form *f, const access *a, const access *by, access *word);
bool gates_once(const gates_claim *c); /* does anything wait, or are stores counted: then nothing is computed twice */

/* How many times apart gates of two families, each of one kind of paths, are when their paths share an element: bit
   GATE_LAG + d for the first's time less the second's.  False when that is not found, or is GATE_LAG and more. */
typedef uint32_t turn_set;
bool gates_wait_meets(gates_facts *g, const gate_family *a, const gate_family *b, turn_set *set);

bool gates_in_range(const normal_form *f, const gates_claim *c); /* does the claim name what there is? */
void gates_claim_write(const gates_claim *c, json *j);
bool gates_claim_read(const json_value *v, gates_claim *c, text *reason);

#endif
