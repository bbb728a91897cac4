/* Ends of chains and who names them: what named.c, selected.c and live.c share. */
#ifndef REDBLUE_BOUNDS_CHECKER_NAMED_H
#define REDBLUE_BOUNDS_CHECKER_NAMED_H

#include "bounds/check/reading/boxes.h"
#include "bounds/check/reading/live.h"

/* What is named has index r, less index q < r, from lo[r][q] to hi[r][q]; on the diagonal index r itself. */
typedef struct { int64_t lo[CDAG_RANK][CDAG_RANK], hi[CDAG_RANK][CDAG_RANK]; } spread;

/* How many different ends the reader's elements name by this term, at least, and where they are. */
uint64_t checker_named_by(const cdag *g, int target, const checker_chain *c, int reader, const cdag_term *t,
                          spread *where);
/* Different ends that the terms of live arrays name, at least: the most of any of them, and of others that name
   different ones; or, where that leaves something out, all of them together. */
uint64_t checker_named(const cdag *g, const bool *live, int target, const checker_chain *c);

/* ---- lists of outputs ---- */

/* The box a selection names, when each index is `*`, a range or a number, or the loop declared there, with a range from
 * number to number. */
bool checker_selection_box(const cdag *g, const cdag_selection *sel, cdag_box *box);
/* Does the list name ends of chains only, each once?  *count: how many. */
bool checker_selection_names(const cdag *g, const checker_chain *c, const cdag_selection *sel, uint64_t *count);
/* As many outputs as chains, by one selection of ends alone: every end is one. */
bool checker_selections_point_at(const cdag *g, int array, const checker_chain *c, uint64_t ends);

/* ---- how it is counted ---- */

/* A rule that names elements of the target. */
typedef struct {
  const cdag *g;
  int target, loops;           /* loops: of the reader */
  const checker_chain *c;
  const cdag_index *index;
  unsigned held;
  int64_t lo[CDAG_RANK], hi[CDAG_RANK];  /* readers looked at */
  spread *spread;
  const cdag_box *ends;        /* of a target that is a box */
  checker_boxes *boxes;
} naming;

/* On this piece: does the term exist everywhere, and at ends only? */
bool naming_names_ends(const naming *k, const form *loop, const form_domain *s);
/* The loops by which the reader tells ends apart; false when it may name one twice. */
bool naming_telling(const naming *k, const form_domain *hull, unsigned *places);
/* Elements that an index `*` or a range multiplies by; 0 when that is not sure.  (Different elements of the target, of
   which there are less than 2^63, unless the term turns out not to exist everywhere.) */
uint64_t naming_everything(const naming *k);

#endif
