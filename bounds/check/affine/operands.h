/* operands.h -- computed elements that steps read when nothing is computed twice, and the computes that are events
   (docs/theory-affine.md, section 4). */
#ifndef REDBLUE_BOUNDS_CHECK_AFFINE_OPERANDS_H
#define REDBLUE_BOUNDS_CHECK_AFFINE_OPERANDS_H

#include "bounds/check/affine/claim.h"

/* All statements of all groups. */
typedef struct {
  affine_facts *f;
  const affine_claim *c;
  int n, group[CLAIM_GROUPS * CLAIM_STATEMENTS];
  statement_facts t[CLAIM_GROUPS * CLAIM_STATEMENTS];
  int part;                    /* of a group with parts: the one at hand; -1: all of the group */
} derivation;
bool derivation_same_column(const derivation *d, int a, int i, int b, int k);

/* Each way of each need of a kind, one after another. */
typedef struct { int a, i, w; } need;
bool derivation_next_need(const derivation *d, item_kind kind, need *n);

/* The operands of all groups, and the elements at which they cut words: those that have one as predecessor of their
 * own. */
typedef struct {
  int n, cuts, cut_room;
  struct {
    int group, array, a, i, w; /* way w of item i of statement a */
    polyhedra image;
  } of[CLAIM_GROUPS * CLAIM_STATEMENTS * CLAIM_ITEMS * CLAIM_WAYS];
  struct cut { int array; polyhedron *where; } *cut;
} operand_list;
/* What forms of way w of item i are at its steps, as points: no fewer. */
bool operands_image(affine_facts *f, const statement_facts *t, int i, int w, const linear *form, int forms,
                    polyhedra *image);
/* Common form k of the item, as way w has it, of a word or element whose labels or indices are these. */
linear operands_form(const statement_facts *t, int i, int w, int k, const linear *basis);
bool operands_find(derivation *d, operand_list *l, text *reason);
/* Computes of first elements of words, and of operands, that are events of the group: into its births. */
bool operands_births(derivation *d, const operand_list *l, int group, text *reason);
/* Add the operands of the array and group that begin runs. */
bool operands_runs(derivation *d, const operand_list *l, int group, int array, mpz_t runs);

/* As affine_derive, with what it is derived from; in the scratch memory, until the next derivation. */
bool derivation_of(affine_facts *f, const affine_claim *c, derivation **d, operand_list **l, text *reason);
/* Two steps of one centre have a word by item a of the first and one by item b of the second: these tell both steps,
   whatever the centre. */
bool derivation_tells(derivation *d, const statement_facts *t, int centre, int a, int b);

#endif
