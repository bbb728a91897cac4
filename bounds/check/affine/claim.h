/* claim.h -- a bound on an affine computation as a claim, and what follows from it (docs/theory-affine.md).

   A claim chooses: predecessors of their own (words), groups of statements, for each statement the reads that are
   counted, in columns, and their powers.  Everything else is derived here, by proof: which steps there are and how
   many, which words differ, births, how much work X words allow.  Finder and checker call the same function, so what
   the one prints the other accepts. */
#ifndef REDBLUE_BOUNDS_CHECK_CLAIM_H
#define REDBLUE_BOUNDS_CHECK_CLAIM_H

#include "base/json.h"
#include "base/json_read.h"
#include "base/text.h"
#include "bounds/check/affine/words.h"

enum { CLAIM_ITEMS = 8, CLAIM_WAYS = 4, CLAIM_STATEMENTS = 6, CLAIM_GROUPS = 6, CLAIM_COLUMNS = 12 };
enum { CLAIM_LOOPS = 2 * CDAG_RANK };

/* What a claim is about: the computation; it with copies merged; it with elements that read windows as chains, which
   a play with one red pebble more can do; with elements that one other alone reads as parts of that besides; and with
   sums of few steps as their ends, where all that counts is paths with no element in common. */
typedef enum { READ_AS_IT_IS, READ_MERGED, READ_TAPPED, READ_FUSED, READ_ENDS, READINGS } affine_reading;

/* OWN: the word along which the step lies.  READ: a rooted word that is read (an input is one).  OPERAND: a computed
   vertex that is read; only when nothing is computed twice.  TAIL: a rooted word that is read, which steps may continue
   as well before its last elements. */
typedef enum { ITEM_OWN, ITEM_READ, ITEM_OPERAND, ITEM_TAIL, ITEM_MADE } item_kind;
typedef struct {
  item_kind kind;
  int access;                  /* -1 for OWN */
} claim_way;
/* A need: one way on all steps, or ways on disjoint parts of them (OWN stands alone). */
typedef struct {
  bool views; /* a word counts once for each way: it need not say the same of the step whichever way it is */
  int ways;
  claim_way way[CLAIM_WAYS];
  int column;                  /* words of different columns are different */
  int64_t power;               /* of the number of its words, over the group's den */
} claim_item;

typedef struct {
  int array, items;
  claim_item item[CLAIM_ITEMS];
  int64_t split[CDAG_RANK];    /* loop r is split[r] z' + z, 0 <= z < split[r]; 0: it is not split */
  int order[CLAIM_LOOPS]; /* of the loops, r, and the rests of split ones, CDAG_RANK + r: the pivot of a form is the
                             last in this order */
  int loops;                   /* how many are named there; others come first */
  int64_t place[CDAG_RANK][CDAG_RANK + 1]; /* of a step in the space of its group; the constant comes last */
} claim_statement;

typedef struct {
  int statements;
  claim_statement statement[CLAIM_STATEMENTS];
  int together;                /* d > 0: their steps are points of one space of d dimensions */
  int64_t den;                 /* of the powers; even */
  int pairs; /* q > 0: needs 2 i and 2 i + 1, i < q, of its one statement use rows in pairs, the last need is the
                centre (section 3); one pair in the centre's column may be triangles */
  int64_t tail;                /* own predecessors in a tail; 0: no need is of that kind */
  int64_t segments, first, length; /* the cut */
} claim_group;

typedef struct {
  affine_reading reading;
  int own[WORDS_MOST], owns;
  int groups;
  claim_group group[CLAIM_GROUPS];
} affine_claim;

/* Of s words of tails (of all x words, unless own_pool) at most many s^2 / (share slots^2) are made.  slots = 0: there
   are no tails. */
typedef struct {
  bool own_pool;
  int64_t slots, share, many;
  unsigned long power;         /* of the words of tails, of the group's power */
} tail_facts;

typedef struct {
  unsigned long degree, power;
  mpz_t taken, room;
} power_law;

/* Statements that share words, when there are needs that are made: y words of part q make made[q] y^2 / (4 slots^2) for
   this one; by itself it makes them of columns whose powers in the law add up to `power`. */
typedef struct {
  power_law law;
  int64_t made[CLAIM_STATEMENTS];
  uint32_t block;              /* these columns */
  unsigned long power;
} part_facts;

/* work^degree * taken <= room * x^power is what x words allow; with tails tails_most says it, with parts
   relay_most: each has a law of its own, and each is made of those before it in the order. */
typedef struct {
  mpz_t work, births;
  polyhedra steps[CLAIM_STATEMENTS]; /* that count, of each statement; until the next derivation */
  int64_t unit;                /* > 1: steps weigh different numbers of so small units, and work is in these; so is the
                                  law */
  int part_steps;              /* > 0: x words may be parts of so many steps each, that is when the law says less */
  bool part_words;             /* or besides: parts may be the vertices of words, too */
  power_law law;
  bool triangles;              /* whose sides are the three words of a step */
  bool mirrored;               /* two statements, and a centre that is read both ways round */
  tail_facts tail;
  int parts, order[CLAIM_STATEMENTS], part_of[CLAIM_STATEMENTS];
  part_facts part[CLAIM_STATEMENTS];
  double guess_c, guess_s;     /* work <= c x^s, in doubles */
} group_facts;

/* The steps of an array at which needs are met, found before: a function of the text, not of the words. */
typedef struct {
  int array, needs;
  struct {
    unsigned operand;          /* which ways are of that kind */
    int ways, access[CLAIM_WAYS];
  } need[CLAIM_ITEMS];
} steps_key;
typedef struct {
  steps_key key;
  bool known, good;            /* good: else they have too many quotients */
  polyhedra steps;
} known_steps;

typedef struct {
  arena memory, scratch;       /* of the words; of one derivation */
  affine_reading reading;
  normal_form form;
  int steps, steps_room;
  known_steps *known_steps;
  words words;
  group_facts group[CLAIM_GROUPS];
  mpz_t outputs;               /* computed ones */
  mpz_t inputs;                /* that matter and are in no group's ledger: one load each */
  bool operands;               /* holds only when nothing is computed twice */
} affine_facts;

/* False, and nothing to clear, when there are no copies, or no windows. */
bool affine_facts_init(affine_facts *f, const cdag *g, affine_reading reading);
/* The red pebbles that count, of m. */
int64_t affine_pebbles(const affine_facts *f, int64_t m);
void affine_facts_clear(affine_facts *f);
/* Derive; false with the step that fails.  Cuts are not looked at. */
bool affine_derive(affine_facts *f, const affine_claim *c, text *reason);
/* The most work x words allow: floor of the root. */
void group_most(const group_facts *g, const mpz_t x, mpz_t work);

/* The bound, with each group's cut; a group whose events are no more than its births adds nothing. */
bool affine_value(const affine_facts *f, const affine_claim *c, int64_t m, mpz_t value, text *reason);

/* How it is read, and the words: what every claim on an affine computation begins with. */
void affine_put_words(affine_reading reading, const int *own, int owns, json *j);
bool affine_get_words(const json_value *v, affine_reading *reading, int *own, int *owns);
void affine_claim_write(const affine_claim *c, json *j);
bool affine_claim_read(const json_value *v, affine_claim *c, text *reason);

/* ---- the parts of a derivation, for who looks for claims ---- */

/* The words of the claim; those there already are kept. */
bool affine_words(affine_facts *f, const affine_claim *c, text *reason);

/* What an item is one way: an element of `to`, on a word of `component`. */
typedef struct {
  int to, component;
  const polyhedron *where;     /* of the access; NULL for OWN */
  int forms, indices;
  linear *form, *index;        /* its label (OWN, READ) or element (OPERAND), and its element (not OWN), in the loops */
  int rests;                   /* of READ: labels with quotients in them tell a form but for multiples of a number */
  linear rest[LABELS_MOST];
  int64_t modulus[LABELS_MOST];
  bool reduced;                /* not all labels are told by the loops */
  int pick[CDAG_RANK];         /* which of them each of the item's common forms is, up to a constant; -1: a constant */
  int64_t shift[CDAG_RANK];
} way_facts;

/* A statement with what its items are on its steps. */
typedef struct {
  const claim_statement *s;
  int rank;
  polyhedra steps;             /* disjoint; the first variables are the loops */
  linear *form[CLAIM_ITEMS];   /* functions of an item's word or vertex, whichever way it is: forms in the loops */
  int forms[CLAIM_ITEMS];
  way_facts *way[CLAIM_ITEMS];
} statement_facts;
bool statement_facts_of(affine_facts *f, const claim_statement *s, statement_facts *t, text *reason);
/* Items i of a and k of b never have the same word or vertex. */
bool items_apart(const statement_facts *a, int i, const statement_facts *b, int k);
/* Take the steps away at which item i of a has what some item k of b has: only when they lie on planes. */
bool items_part(affine_facts *f, statement_facts *a, int i, const statement_facts *b, int k);
/* Take these steps away; the plane on which these lie.  False when none is left. */
bool steps_part(affine_facts *f, statement_facts *t, const polyhedra *away);
bool steps_part_thin(affine_facts *f, statement_facts *t, const polyhedron *both);
bool steps_count(const statement_facts *t, mpz_t work);

/* The loops of a statement as coordinates: which each item determines, and how many values there are. */
typedef struct {
  int n;
  int name[CLAIM_LOOPS];       /* r, or CDAG_RANK + r for the rest of a split loop */
  int64_t extent[CLAIM_LOOPS];
  linear row[CLAIM_ITEMS][CLAIM_LOOPS]; /* an item's forms in the coordinates */
  int64_t modulus[CLAIM_ITEMS][CLAIM_LOOPS]; /* > 0: it is only known but for multiples of that */
  int rows[CLAIM_ITEMS];
} coordinates;
bool coordinates_of(const statement_facts *t, coordinates *c);
/* The powers of items that have each coordinate as pivot, in the order of the claim. */
void coordinates_covered(const statement_facts *t, const coordinates *c, int64_t covered[CLAIM_LOOPS]);
/* The rank of rows of n integers, `stride` apart, which are changed; *columns: those of the pivots, as bits.  -1 when
   an entry grows beyond 2^62; the columns are then those so far. */
int integer_rank(__int128 *m, int stride, int rows, int n, uint32_t *columns);
/* Which coordinates item i has as pivots, in this order (a permutation of 0 .. n-1: place of each coordinate). */
uint32_t coordinates_pivots(const coordinates *c, int item, const int *place);

#endif
