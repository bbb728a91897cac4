/* gating.h -- the parts of the checker of gates, for one another. */
#ifndef REDBLUE_BOUNDS_CHECK_GATING_H
#define REDBLUE_BOUNDS_CHECK_GATING_H

#include "bounds/check/gates/gates.h"

/* One family of a claim at work. */
typedef struct {
  gates_facts *g;
  affine_facts *f;
  const gates_claim *claim;
  const gate_family *of;
  gate_sets *sets;
  int family, rank; /* its number; of the gate's array */
  int first, last;  /* families that alternate with it */
  arena *memory;
  text *reason;
} gating;

/* The elements that a use names, and the forms that tell the word of each. */
typedef struct {
  int array, rank, component, labels;
  linear label[LABELS_MOST];
  polyhedra b;
} used;

/* The elements of a path, but for the last: forms in the loops of the last. */
typedef struct {
  int links, array[GATE_LINKS];
  linear at[GATE_LINKS][CDAG_RANK];
  polyhedra z;
  int lag;                     /* of its gate, whose time less the phase is `turn`, when this is above 1 */
  linear turn;
} path;

void gating_begin(gating *s, int family);
int gating_rank(const gating *s, int family);

/* ---- gate.c ---- */

bool gating_find_gate(gating *s);
/* Of l's points those in `set`. */
bool gating_keep_in(gating *s, polyhedra *l, const polyhedra *set, int n);
/* Take away the points of l over which there is one of `bad`, whose first n variables are l's. */
bool gating_drop_under(gating *s, polyhedra *l, const polyhedra *bad, int n);
gate_keys gating_keys(const gating *s, int from, const gate_keys *k, int to);
/* Elements of b, then `between` free variables, then gates of the family with these keys, so many times later. */
polyhedron *gating_with_gate(gating *s, const polyhedron *b, int rank, int between, int family, const polyhedron *gate,
                             const gate_keys *k, int later);
/* Pairs (b, gate) with these keys of all pieces. */
void gating_pairs(gating *s, const polyhedra *b, int rank, int family, const gate_keys *k, int later,
                  polyhedra *pairs);
/* The tuples (b, y, gate) in which y, an element of the array, is an ancestor of the gate: its indices are forms in the
 * variables before the gate's. */
void gating_below(gating *s, int family, int array, const linear *y, int before, polyhedra *tuples);
/* May an element with these keys be in its gate? */
bool gating_is_gate(const gating *s, int family, int array, const gate_keys *k);
/* b stays when a gate with its keys is an ancestor of it, or is it. */
bool gating_after(gating *s, int family, polyhedra *b, int array, const gate_keys *k);
/* b stays when it lies before the next gate of its class, and the gates of its class come in their order. */
bool gating_before_next(gating *s, polyhedra *b, int array, const gate_keys *k);

/* ---- uses.c ---- */

/* The live elements that use words, whenever they do. */
bool gating_users(gating *s, const gate_use *u, used *w);
/* Those that do so between a gate and the next. */
bool gating_between(gating *s, const gate_use *u, used *w);
bool gating_use(gating *s, const gate_use *u, used *w);
/* Words of two uses, the second of another family perhaps, at gates of different classes are different. */
bool gating_classes_apart(gating *s, const gate_use *u, const used *w, int family, const gate_use *v, const used *z);
/* Points of l as keys and these forms, exactly: one more set, or more of the one there. */
bool gating_add_set(gating *s, int component, const polyhedra *l, const gate_keys *k, const linear *form, int forms);
/* Points, keys first, whose key that is cut is in its range. */
void gates_require_cut(arena *a, const gate_sets *t, const gate_cut *cut, polyhedron *p, int first);

/* ---- paths.c ---- */

/* z stays where these accesses, one after the other, lead to elements that are computed, the last one to an input
   perhaps: t's. */
bool gating_trace(gating *s, int array, const int *link, int links, bool input, polyhedra *z, path *t);
/* z stays where no element of the path is an output, whose store is counted. */
bool gating_no_outputs(gating *s, const path *t, int rank, polyhedra *z);
bool gating_wait(gating *s, const gate_wait *w, path *t);
/* The ends of these paths as chains along the access that the family names: where those begin. */
bool gating_chain(gating *s, const path *t);
/* Elements of two paths, those of one place of one path left out, are different: they are told by the last element.
   Paths of one lag whose turns have different rests by it do not count together. */
bool gates_paths_apart(const normal_form *f, const path *t, const path *u, text *reason);

/* ---- rows.c ---- */

/* Paths stay where each of the family's words of rows is read before the gate and not before the path begins; a row is
   all ends with the same indices but that one. */
bool gating_row_words(gating *s, const gate_wait *w, int along, path *t);

/* ---- fork.c ---- */

/* The paths of both sides, side by side, for all elements of a gate that have them. */
bool gating_fork(gating *s, path of[2][FORK_PATHS]);

/* ---- gates.c ---- */

/* The keys of the gates at which anything counts. */
bool gating_keys_counted(gating *s);

/* ---- hourglass.c, cells.c: families whose steps are cut into segments; stays.c: one whose words are red ---- */

/* Which key is the class, and which label is it? */
bool gating_class(gating *s, const used *w, int *key, int *label);
/* What b reads lies on the word with b's other labels of the class that the time says, plus a constant. */
bool gating_partner(gating *s, const used *w, int label, linear *partner);
bool gating_hourglass(gating *s, const used *w);
bool gating_cells(gating *s);
bool gating_stays(gating *s);

#endif
