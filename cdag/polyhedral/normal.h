/* normal.h -- a computation as integer sets: domains and one relation, "x reads y", whatever its text looks like.

   Ranges and listed terms, borders that are constant or open, min and max and quotients in bounds, conditions and
   tables all become pieces: a polyhedron of settings of the loops and the index forms of what is read there.  What
   cannot be read so is left out and noted: the relation is then a part of the true one, which is the safe side for
   every question asked of it, but for "is x an input". */
#ifndef REDBLUE_CDAG_NORMAL_H
#define REDBLUE_CDAG_NORMAL_H

#include "cdag/cdag.h"
#include "cdag/polyhedral/polyhedron.h"

/* By the element itself; or by one that became a part of it (normal_form_fuse), for each setting of the further
   variables another, or one for all. */
typedef enum { BY_ITSELF, BY_PLACE, BY_PART } read_by;

/* On every point of `where`, whose first variables are the loops of `from`, element index[] of `to` exists and is read.
   Further variables are quotients, which the loops determine, and, when not `single`, indices that run. */
typedef struct {
  int from, to, term;
  bool single;                 /* one predecessor for each element */
  read_by through;
  int part;                    /* and by which read of a part: different ones read different parts */
  polyhedron *where;
  linear index[CDAG_RANK];
} access;

/* An index that was divided: it is a quotient by `by` (0: it is whole), or, `of` > 0, the rest by `by` of index of - 1
 * divided by `under`. */
typedef struct {
  int of;
  int64_t by, under;
} index_part;

/* The first rank variables of each polyhedron are the indices of an element; the rest are quotients. */
typedef struct {
  int rank, text;              /* the array of the text whose elements these are */
  bool known;                  /* the domain was read; else it has no pieces, and nobody reads the array */
  bool whole;                  /* all its terms were read */
  polyhedra domain;            /* disjoint pieces */
  polyhedra inputs;            /* elements proved to be inputs */
  polyhedra computed;          /* elements proved to have a predecessor, or no right to be without */
  polyhedra outputs;           /* elements proved to be outputs that are computed; pieces may overlap */
  bool outputs_missing;        /* some may be missing there */
  index_part part[CDAG_RANK];
  int more[CDAG_RANK];         /* > 0: the index is the text's and its index more - 1 together */
  polyhedra live; /* disjoint pieces: elements proved to lead to an output that is computed, or to be one */
  int piece_of;                /* > 0: its elements are those of array piece_of - 1, at these places, and it has none */
  linear place[CDAG_RANK];
  int chain;                   /* its last indices: the place in the chain that an element counts as */
} array_form;

typedef struct {
  const cdag *g;
  arena memory;
  int arrays, accesses, room;
  int parts;                   /* reads of parts there were, */
  int part_steps;              /* and of how many places of its element's chain a part may be one */
  bool by_parts;               /* words may go on through parts: there are no chains of windows */
  array_form *array;
  access **access;
} normal_form;

/* Of the text, whose elements those of array x are. */
static inline const cdag_array *normal_form_text(const normal_form *f, int x) { return &f->g->array[f->array[x].text]; }

/* Domains and accesses alone; all that the checks of a text need. */
void normal_form_relation(normal_form *f, const cdag *g);
/* And inputs and outputs. */
void normal_form_ends(normal_form *f, const cdag *g);
/* Read g, whose graph is not explicit.  Never fails; what is not understood is missing. */
void normal_form_init(normal_form *f, const cdag *g);
/* The same with arrays that are pieces of one as one; and with an index f whose readers ask for f / c and f % c as two,
 * so that loops that were made one count as those they were made of. */
void normal_form_init_split(normal_form *f, const cdag *g);
/* The same with copies, elements that read one other and nothing else, as what they are copies of: no play of g is
 * cheaper than the best of that; and with arrays in the parts that other texts would make of them.  False when there is
 * nothing of this: then it is only to be cleared. */
bool normal_form_init_merged(normal_form *f, const cdag *g);
/* The same with elements that read windows of one shape as chains, each of which reads one place of each window: a play
 * of g is one of that with one red pebble more.  False when there are none. */
bool normal_form_init_tapped(normal_form *f, const cdag *g);
/* Elements that one other alone reads as parts of that, then windows as chains. */
bool normal_form_init_fused(normal_form *f, const cdag *g);
/* With copies as what they are copies of, sums of a few steps, as many each, as their ends, and elements as what they
 * and their parts read.  False when there are none such sums or parts. */
bool normal_form_init_contracted(normal_form *f, const cdag *g);
/* Before it is known what is live. */
void normal_form_unflatten(normal_form *f);
/* Intervals told by length and beginning are told by both ends; before arrays are laid together. */
void normal_form_straighten(normal_form *f);
void normal_form_lay_together(normal_form *f);
bool normal_form_tap(normal_form *f);
bool normal_form_fuse(normal_form *f);
bool normal_form_merge(normal_form *f, bool along); /* along an array as well, where that is so from one side on */
/* Inputs of arrays that have computed elements, too, become arrays of their own.  False when there are none such. */
bool normal_form_part_inputs(normal_form *f);
/* Elements that read an array with its indices the other way round than others of their own array do become an array of
 * their own: *some.  False when that was not seen exactly; then f is only to be cleared. */
bool normal_form_part_turned(normal_form *f, bool *some);
/* What reads the ends of sums that read nothing else than it becomes their last step: elements get other names. */
bool normal_form_lay_ends(normal_form *f);
bool normal_form_contract(normal_form *f, int most); /* sums of so many steps at most */
/* The part of p that is computed is put out. */
void normal_form_put_output(normal_form *f, int array, const polyhedron *p);
/* Pieces of one and the same read become one where they can. */
void normal_form_join(normal_form *f);
/* One more, which is a on other points. */
void normal_form_add_access(normal_form *f, const access *a, polyhedron *where);
void normal_form_clear(normal_form *f);
/* Leave out what is not seen to lead to an output: a play need not make it, and a word without readers ends. */
void normal_form_keep_live(normal_form *f);
/* What access a reads, as a set: no more than that, when *exact all of it. */
polyhedron *access_image(arena *a, const access *x, const polyhedron *readers, int rank_to, bool *exact);

#endif
