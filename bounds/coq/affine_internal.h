/* A claim as Coq is told of it: what affine.c, affine_kinds.c and affine_made.c share. */
#ifndef REDBLUE_BOUNDS_COQ_AFFINE_INTERNAL_H
#define REDBLUE_BOUNDS_COQ_AFFINE_INTERNAL_H
#include "bounds/check/affine/claim.h"
#include "bounds/coq/powers.h"
#include "bounds/coq/text.h"

typedef struct {
  int n, room;
  coq_forms *item;
} regions;

/* Elements of an array on words of one kind, where no kind before it is. */
typedef struct {
  coq_forms where;
  const polyhedron *at;        /* the same; NULL: everywhere */
  int of, forms;               /* the component of their words, and forms of an element that tell them */
  linear form[LABELS_MOST];
} word_kind;
typedef struct {
  int n, room;
  word_kind *item;
} kinds;

/* Steps, and how each need is met there: by what an access reads (-1: by the step's own word), and of which kind that
   is. */
typedef struct {
  coq_forms where;
  struct { int access, kind; } way[CLAIM_ITEMS];
} step_region;

/* One statement: where its steps are; of each need the component of its words and forms in the loops that tell them. */
typedef struct {
  const claim_statement *s;
  statement_facts facts;
  int n, room;
  step_region *region;
  int of[CLAIM_ITEMS], forms[CLAIM_ITEMS];
  linear form[CLAIM_ITEMS][LABELS_MOST];
  coq_order order;
} stating;

/* Columns of which, for any two statements, one tells them, with so much of their powers. */
typedef struct { int a, b; int64_t power; } unit;

/* One group: a ledger of its own, cut by itself. */
typedef struct {
  const claim_group *group;
  stating *of;                 /* its statements */
  int64_t den, power[CLAIM_COLUMNS]; /* without what divides all */
  int units;
  unit unit[2 * CLAIM_COLUMNS];
  int rows[CLAIM_ITEMS];       /* of claims with pairs of rows: needs 2 i and 2 i + 1 in the order of Coq's pairs */
  int order_at, order_of;      /* a form of the first row, larger than the second's, is this form of the centre */
  mpz_t first, length, others, most_first, most;
} ledger;

/* The access to the element before, and what each element of the chain reads besides. */
typedef struct { int before, row, column; } maker;

typedef struct {
  coq_text t;
  coq_ends ends;
  affine_facts f;
  affine_claim c;
  arena *memory;
  int own[WORDS_MOST], owns;   /* of the components of needs */
  linear back[WORDS_MOST][CDAG_RANK];
  int asked;                   /* questions asked of where words begin */
  bool once;                   /* nothing is computed twice: computed operands are words (section 4) */
  bool tails;                  /* words that are read have tails (section 4.1); `once` lets Coq cut them */
  int components;
  kinds *kinds;                /* of each array */
  regions **starts;            /* of each array and kind: elements that are no inputs and begin words */
  bool *counted;               /* of each component: the words of steps may begin with such, and are counted */
  int makers;                  /* of what is read and may be made (docs/theory-affine.md, section 4.2) */
  maker maker[CLAIM_ITEMS];
  int64_t tail;                /* so many elements of it at least */
  text cut;                    /* with tails: how words are cut */
  ledger l[CLAIM_GROUPS];
} claimed;

static inline int component(const claimed *k, int array) { return k->f.words.component[array]; }
static inline const access *access_of(const claimed *k, int a) { return k->t.form.access[a]; }
/* Each need of each statement, one after another; false behind the last. */
typedef struct {
  int group, of, item;
  stating *z;
} need_place;
bool coq_next_need(const claimed *k, need_place *p);

/* The first access of a need; -1: the step's own word. */
static inline int want_of(const stating *z, int i)
{
  const claim_way *way = &z->s->item[i].way[0];
  return way->kind == ITEM_OWN ? -1 : way->access;
}

/* Both follow from what is known: f == g. */
bool coq_same(const coq_box *b, const coq_forms *known, const linear *f, const linear *g);
/* Where the known forms hold access a does, reads one element, and that is there. */
bool coq_is_single(const claimed *k, int a, const coq_forms *known);
/* The labels of what access a reads, in the reader's loops: how many; -1. */
int coq_labels_read(const claimed *k, int a, linear *f);
/* Where the known forms hold, elements of the array with these indices are of kind q. */
bool coq_of_kind(const claimed *k, const coq_box *b, const coq_forms *known, int array, const linear *index, int q);
coq_forms coq_affine_moved(const claimed *k, const coq_forms *l, const linear *index, int n);

/* ---- kinds of words (coq_affine_kinds.c) ---- */

/* Of each need the component and the forms of its words; of each array its kinds. */
bool coq_read_kinds(claimed *k);
/* The steps of a statement, cut where a need is met another way, or by words of another kind. */
bool coq_split_steps(claimed *k, stating *z);

/* Where, in p, the element with these indices is of kind q. */
bool coq_kind_parts(claimed *k, const polyhedron *p, int array, const linear *index, int q, polyhedra *parts);
/* Every word of the component begins with an input. */
bool coq_all_rooted(const claimed *k, int of);
/* The root of what the law says of whole words, when one of a column costs cost[column]; cost: NULL, each one. */
void coq_law_root(const ledger *l, const mpz_t whole, const mpz_t *cost, mpz_t most);

/* ---- affine_words.c ---- */

/* The claim's own predecessors, and the way back from each. */
bool coq_read_own(claimed *k);
/* Where words begin that are counted, and that no element is the own predecessor of two. */
bool coq_read_words(claimed *k);

/* Before they are cut words of the component all begin with inputs. */
bool coq_whole_rooted(claimed *k, int of);
/* Words of the array that own predecessor i is read of may be counted. */
bool coq_is_counted(const claimed *k, int i);

/* ---- affine_law.c ---- */

/* What the claim's powers are divided by. */
static inline int64_t divisor(const ledger *l) { return l->group->den / l->den; }
bool coq_read_columns(ledger *l);
bool coq_read_pairs(const claimed *k, ledger *l);
/* Words of different ledgers are different. */
bool coq_ledgers_apart(const claimed *k);
/* Coq finds as much as b says. */
bool coq_affine_as_much(claimed *k, const bound_question *q, const bound *b);

/* ---- affine_put.c ---- */

void coq_put_affine(const claimed *k, text *out);
void coq_put_cuts(const claimed *k, text *out);

/* ---- words that are made (coq_affine_made.c) ---- */

/* Who makes what the claim says is made; false when Coq would not see it. */
bool coq_read_makers(claimed *k);
/* What access a reads where the known forms hold, of the component, is of a word that begins with an input, or a
   maker's. */
bool coq_may_be_made(const claimed *k, int of, int a, const coq_forms *known);
/* The access of the chain, and words of a row and a column that its elements read: they tell it, and move along it. */
bool coq_is_maker(const claimed *k, const maker *m);
/* From an element of the chain to the one before f grows by so much, on all of it. */
bool coq_moves_by(const claimed *k, const maker *m, const linear *f, int64_t *by);
/* Where the known forms hold what access a reads is of the chain, and so are those before it, the tail. */
bool coq_is_made_by(const claimed *k, const maker *m, int a, const coq_forms *known);
/* Rows and columns of makers are words of the ledger, and words of their columns stand in no others. */
bool coq_is_block(const claimed *k, const ledger *l);
/* A word of this column is read with its tail. */
bool coq_in_a_tail(const ledger *l, int column);
/* The most steps X words allow; false when all words may be made. */
bool coq_most_made(const claimed *k, const ledger *l, const mpz_t x, mpz_t most);

/* ---- tails.c ---- */

/* Heads of tails, and who makes them, as AffineTails.v asks; out: what it is told, or NULL. */
bool coq_read_tails(claimed *k, text *out);
#endif
