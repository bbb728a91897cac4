/* stencil.h -- stencils of any dimension as claims, and what follows (docs/theory-affine.md, section 6).

   Words are columns, numbered by their labels; levels grow by 1 along them.  In a box of columns and levels every
   element reads its neighbours along each axis, both ways, one level down or on its own. */
#ifndef REDBLUE_BOUNDS_CHECK_STENCIL_H
#define REDBLUE_BOUNDS_CHECK_STENCIL_H

#include "bounds/check/affine/claim.h"

enum { STENCIL_AXES = 4, STENCIL_TALL_AXES = 2, STENCIL_FIELD_AXES = 3, STENCIL_CONSTANTS = 6, STENCIL_BESIDE = 3,
       STENCIL_REACH = 8 };
typedef struct {
  affine_reading reading;
  int own[WORDS_MOST], owns;
  int array;                   /* of the component */
  int stride;                  /* 1; 2: the box holds that array alone, its columns have another element in between */
  int axes;
  int axis[STENCIL_AXES];      /* which label */
  int64_t lo[STENCIL_AXES], hi[STENCIL_AXES]; /* columns, both included */
  int64_t bottom, top;         /* levels, every stride-th counts; the bottom is not counted */
  int drop[STENCIL_AXES][2];   /* levels that a read goes down, of the neighbour before and after; as counted */
  int64_t room; /* r > 0: columns count that have r columns on all sides, and their lines come from both */
  bool tall;                   /* columns may be higher than that: then what is above counts by the room on one side */
  bool sections;               /* Theorem 20: sets of columns of one height, in cubes of columns: */
  int64_t cube;                /* their side, which divides the box's */
  bool open;                   /* Theorem 21: as if there were no walls, less what these are worth */
  bool fields;                 /* Theorem 22: the elements between are columns too, an array for each axis */
  int constants, constant[STENCIL_CONSTANTS]; /* arrays of inputs: what is read of each tells the reader's column */
  bool corners;                /* the neighbours across corners are read as well, themselves */
  int64_t reach;               /* 1; more: neighbours so far off are read, themselves, along axes or in the whole box */
  int64_t length;              /* moves of a segment */
  bool once;                   /* nothing is computed twice */
} stencil_claim;

static inline int64_t stencil_levels_above(const stencil_claim *c) { return (c->top - c->bottom) / c->stride; }

bool stencil_value(affine_facts *f, const stencil_claim *c, int64_t m, mpz_t value, text *reason);
/* A claim about the words at hand (owns stay): the box of all computed elements of the array's component, less a
 * margin. */
bool stencil_guess(affine_facts *f, int array, int stride, int64_t margin, stencil_claim *c);
/* Is it a stencil?  All that does not depend on M and the length.  beside: moves of vertices that no line passes,
 * inputs that are loaded and outputs that are stored; beside[1] when nothing is computed twice; beside[2]: outputs of
 * the others, or more. */
bool stencil_holds(affine_facts *f, const stencil_claim *c, mpz_t beside[STENCIL_BESIDE], text *reason);
/* May elements read as far as the claim's reach, along every axis? */
bool stencil_reaches(affine_facts *f, const stencil_claim *c);
/* The arrays of inputs whose words tell the columns of the box's elements, for a claim that holds. */
void stencil_find_constants(affine_facts *f, stencil_claim *c);
/* How many slabs of levels count, and how many levels in each; 0: the box is too narrow for the length. */
int64_t stencil_slabs(const stencil_claim *c, int64_t m, int64_t *levels);
/* Is it Theorem 12 that says how much a segment computes? */
bool stencil_star(const stencil_claim *c, int64_t m);
bool stencil_drops_twice(const stencil_claim *c); /* both neighbours along every axis are a level down */
/* How many elements a segment computes whose readers it computes as well, by Theorem 20. */
void stencil_sections(const stencil_claim *c, int64_t m, mpz_t most);
/* Theorem 21: a segment with z words more at the walls, places beyond that its elements read and elements beside them,
 * computes at most least + more z / per elements of which nothing leads out. */
void stencil_at_walls(const stencil_claim *c, int64_t m, mpz_t least, mpz_t more, mpz_t per);
/* All such words and elements, of all segments; and the elements they are worth. */
void stencil_wall_words(const stencil_claim *c, mpz_t moved);
void stencil_wall_worth(const stencil_claim *c, int64_t m, mpz_t worth);
/* How many elements a segment computes at most that count; with open walls on average, and away from walls. */
void stencil_most(const stencil_claim *c, int64_t m, mpz_t most);
/* What the moves of the lines come to for one that holds; 0 when the box is too narrow for the length. */
void stencil_count(const stencil_claim *c, int64_t m, mpz_t value);
/* That and what is moved besides, for one that holds. */
void stencil_total(const stencil_claim *c, int64_t m, mpz_t beside[STENCIL_BESIDE], mpz_t value);
void stencil_claim_write(const stencil_claim *c, json *j);
bool stencil_claim_read(const json_value *v, stencil_claim *c, text *reason);

#endif
