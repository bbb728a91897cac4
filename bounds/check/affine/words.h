/* words.h -- words: disjoint paths that cover a computation (docs/theory-affine.md, section 2).

   A choice of reads, each vertex at most one predecessor of its own and no predecessor for two vertices, cuts the
   vertices into paths, the words.  Integer labels that do not change along a word tell words apart.  Everything said
   here is proved on the polyhedra. */
#ifndef REDBLUE_BOUNDS_CHECK_WORDS_H
#define REDBLUE_BOUNDS_CHECK_WORDS_H

#include "cdag/polyhedral/normal.h"

enum { WORDS_MOST = 64, LABELS_MOST = CDAG_RANK };

typedef struct {
  const normal_form *f;
  arena *memory;
  int n, own[WORDS_MOST];      /* accesses: the predecessor of its own */
  int *component;              /* of each array: arrays whose words may run into each other have the same */
  int labels[CDAG_RANK * 16];  /* of a component: how many */
  linear (*label)[LABELS_MOST]; /* of each array: forms in its indices, the same number for all of a component */
  polyhedra *start; /* of each array: computed elements without predecessor of their own, at least all of them */
  bool *unrooted;              /* of a component: some word may start with a computed element */
} words;

/* Do accesses a and b never give two elements the same predecessor, nor one element two? */
bool words_apart(const normal_form *f, int a, int b);
/* False when the accesses are no such choice, or that is not proved. */
bool words_init(words *w, const normal_form *f, arena *memory, const int *own, int n);
/* The access by which elements of the array at these points have predecessors of their own, or -1. */
bool words_is_own(const words *w, int access);
/* The label of what an access reads, as forms on its `where`. */
int words_label_of(const words *w, int array, const linear *index, linear *label);

/* For each array of the component a form that is larger by 1 at an element than at its own predecessor; false when
 * there is none. */
bool words_levels(const words *w, int component, linear *level);

#endif
