/* bounds/coq/text.h -- any affine computation as Coq is told of it (proofs/cdags/Affine.v): extents, pieces, accesses,
   outputs, all of them forms; and what follows from forms on a box, by the rules that Coq has. */
#ifndef REDBLUE_BOUNDS_COQ_TEXT_H
#define REDBLUE_BOUNDS_COQ_TEXT_H

#include "base/json_read.h"
#include "bounds/bound.h"
#include "cdag/polyhedral/normal.h"

typedef struct {
  int n;
  int64_t size[POLYHEDRON_VARS];
} coq_box;

/* None of them is negative. */
typedef struct {
  int n, room;
  linear *item;
} coq_forms;
/* A form that is negative everywhere: what implies that it is not is at odds with itself. */
static const linear coq_never = { .base = -1 };

typedef struct {
  normal_form form;
  coq_box *box;      /* of each array */
  coq_forms **piece; /* of each array's domain */
  coq_box *loops;    /* of each access: of the reader, and of what runs there */
  coq_forms *where;
  int outputs, room;
  int *output_of; /* the array of each set of outputs */
  coq_forms *output;
} coq_text;

/* False when the computation is no such text.  To be cleared, whatever is answered. */
bool coq_text_read(coq_text *t, const cdag *g);
void coq_text_clear(coq_text *t);
/* Is what was read into b what a is: nothing was laid together or divided? */
bool coq_same_text(const normal_form *a, const normal_form *b);
void coq_text_put(const coq_text *t, text *out);

/* Indices that go below zero are counted from the least there is: the same computation, with other names. */
void coq_from_zero(normal_form *f);
/* The n indices of what is read, with as few variables as they need where it is read. */
void coq_access_index(const access *a, int n, linear *index);
bool coq_implies(const coq_box *b, const coq_forms *known, const linear *f);
/* The known forms, which are not at odds themselves, exclude that f holds. */
bool coq_excludes(const coq_box *b, const coq_forms *known, const linear *f);
bool coq_implies_all(const coq_box *b, const coq_forms *known, const coq_forms *all);
void coq_forms_add(arena *a, coq_forms *l, const linear *f);
coq_forms coq_forms_both(arena *a, const coq_forms *x, const coq_forms *y);
/* The known forms with one more, in front as Coq has it: f, or that f is negative. */
coq_forms coq_forms_with(arena *a, const coq_forms *known, const linear *f, bool holds);
/* Those of p's that the box does not say; false when p has other variables, or does not say all. */
bool coq_forms_beyond(arena *a, const coq_box *b, const polyhedron *p, coq_forms *l);
void coq_put_form(const linear *f, int vars, text *out);
void coq_put_forms(const coq_forms *l, int vars, text *out);
void coq_put_linears(const linear *f, int n, int vars, text *out); /* the same of so many in a row */

/* bounds/coq/compulsory.c: of each array a region all of which leads to outputs, or NULL; how many inputs of regions
   and how many computed outputs there are; and Coq's record of them. */
typedef struct {
  coq_forms **region;
  int arrays;
  mpz_t inputs, outputs, *inputs_of; /* inputs_of: of each array */
  text written;
} coq_ends;
void coq_ends_init(coq_ends *e, coq_text *t);
void coq_ends_clear(coq_ends *e);
/* Add how many points there are; false when Coq would count too long: it goes through the values of all but the last
   that forms ask for. */
bool coq_points(arena *a, const coq_box *b, const coq_forms *known, mpz_t sum);

/* What Coq is told of a claim: the computation, its ends, the claim, and how work is cut.  Who proves a claim b with
   parameters v writes it into texts[COQ_TEXTS], or nothing when that is NULL. */
enum { COQ_TEXT, COQ_ENDS, COQ_CLAIM, COQ_CUTS, COQ_TEXTS };
typedef bool coq_prover(const bound_question *q, const bound *b, const json_value *v, text *told);

/* Does Coq's check (proofs/certify/CompulsoryCertificate.v) find as much as b, a bound on q's computation? */
coq_prover coq_compulsory_proves;

#endif
