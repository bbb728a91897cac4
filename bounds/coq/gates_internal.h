/* What gates.c and waits.c share: families of gates as Coq is told of them (proofs/certify/GatesCertificate.v). */
#ifndef REDBLUE_BOUNDS_COQ_GATES_INTERNAL_H
#define REDBLUE_BOUNDS_COQ_GATES_INTERNAL_H
#include "bounds/coq/gates.h"
#include "bounds/coq/walks.h"

/* Elements of a use where the forms hold. */
typedef struct {
  coq_forms where;
  text up, next, begun;
} coq_part;

typedef struct {
  const gate_use *use;
  int array, word, labels, parts; /* word: the array whose labels tell the words, after the reads of `access` */
  coq_part *part;
  linear key[CDAG_RANK + 1];      /* the class, then the time */
  linear label[LABELS_MOST];
  linear class[CDAG_RANK], back[CDAG_RANK];
} coq_use;

typedef struct {
  const gate_family *of;
  int least, last;             /* of the families that alternate with it */
  int64_t ahead, end;          /* its times are moved so far; of times that run downwards the last one, else 0 */
  int kinds, index[CDAG_RANK]; /* which indices of the gate tell the class */
  coq_box keys;                /* its extents, then that of the time */
  linear role[CDAG_RANK];      /* of each index in the keys */
  bool told[CDAG_RANK];        /* or it may be any */
  coq_forms held, where;
  text made;
  int uses, first_use, first_part; /* uses: of words, and what waits */
  linear first[CDAG_RANK];
  coq_use use[GATE_USES];
} coq_family;

typedef struct {
  coq_gates in;
  bool *told; /* told: of each array, may an input be one of its elements? */
  linear (*back)[CDAG_RANK];
  text *start;
  coq_family family[GATE_FAMILIES];
} gated;

/* ---- gates_family.c ---- */

/* Which families are told with it, and how far times are moved: then gates of one moment count one after the other. */
void coq_gate_ring(gated *k, int q, int least, int last);
/* Extents of the keys, the time last, and the gate's indices in them. */
void coq_gate_time_last(const gated *k, coq_family *y);
/* Keys of gates that count, in one piece. */
bool coq_gate_held(gated *k, coq_family *y, int q);
/* Conditions of the gate's elements but for what the keys say, and that each reads something. */
bool coq_gate_elements(gated *k, coq_family *y, int q);
/* The keys in the loops of a use. */
void coq_gate_keys(const coq_family *y, coq_use *u);
/* Elements of the use in this piece, and in the cut: they are there, live, and of gates that count. */
bool coq_gate_part(gated *k, coq_use *u, const coq_family *y, const polyhedron *b);
/* A walk from these elements to their gate. */
bool coq_gate_up(gated *k, const coq_family *y, const coq_use *u, coq_part *p);
/* From a gate of this family at the use's class and so many times later, beside an element of the use: what is known,
   and where a walk begins. */
bool coq_gate_from(gated *k, const coq_family *y, const coq_use *u, const coq_part *p, int64_t later, bool next,
                   coq_box *box, coq_walk *w);
/* What the elements of a family's uses are more than those that are red at its gates. */
bool coq_gate_sum(const gated *k, const coq_family *y, uint64_t m, mpz_t sum);
void coq_gate_put_use(const gated *k, const coq_family *y, const coq_use *u, text *out);
void coq_gate_put(const gated *k, const coq_family *y, text *out);
void coq_gate_clear(void *own);

#endif
