/* circle.h -- statements that read one another in a circle (factorisations, solvers), by tiles of their results.

   An *axis* gives each statement one of its dimensions and a shift, x[dim] + shift, such that no read goes forward in
   it. Tiles are cut along one or two axes and run one after the other; in each, a third axis, the *step*, goes by
   single values.  A read never leads to a later tile, so every order of tiles that is ascending in all axes is legal,
   and so is every order of statements in one step that has what is read there before its reader.

   What a tile computes stays on chip: a chain in place, and a statement that is the last to read an element takes its
   place.  What others read is stored at the step that computes it.  What other tiles computed comes by, a box for each
   step. */
#ifndef REDBLUE_SCHEDULES_TILER_CIRCLES_CIRCLE_H
#define REDBLUE_SCHEDULES_TILER_CIRCLES_CIRCLE_H

#include "base/text.h"
#include "cdag/polyhedral/normal.h"
#include "schedules/tiler/shape/mirror.h"

enum { CIRCLE_MEMBERS = 32, CIRCLE_AXES = 24, CIRCLE_TILES = 2, CIRCLE_READS = 192 };
enum { CIRCLE_PLANS = 4, CIRCLE_LATE = 4 };

/* A member that has no dimension on the step's axis stands at one step, which its shift is. */
enum { CIRCLE_STANDS = -1 };
typedef struct {
  int dim[CIRCLE_MEMBERS];
  int64_t shift[CIRCLE_MEMBERS];
} circle_axis; /* by member */

/* Where does the element lie that is read, seen from its reader's tile along one axis? */
typedef enum { CIRCLE_INSIDE, CIRCLE_AT_STEP, CIRCLE_OTHER_AXIS, CIRCLE_UNKNOWN } circle_place;

typedef struct {
  const access *a;
  int reader, from; /* members; from -1: not of the circle */
  double times;     /* elements of the reader that read so */
  circle_place place[CIRCLE_TILES];
  int64_t by[CIRCLE_TILES];       /* AT_STEP: on the axis at the step's value plus this */
  bool inside;                    /* of the same tile always */
  bool same_step, only_same_step; /* may it be of the reader's own step; is it always? */
  int64_t late;                   /* how many steps before its reader's it may be, or CIRCLE_LATE */
  unsigned told;                  /* dimensions of the reader that the step says */
  bool once;                      /* at one step only */
  bool takes;                     /* its reader takes the place of what it reads */
  bool begins;                    /* and of nothing else: it brings the elements' own first words */
} circle_read;

typedef struct {
  const normal_form *f;
  const mirror_turns *turned; /* by array: what counts from its other end; NULL: nothing does */
  arena memory;
  bool joined; /* with statements before and behind it */
  int n, member[CIRCLE_MEMBERS]; /* arrays */
  double elements[CIRCLE_MEMBERS], outputs[CIRCLE_MEMBERS]; /* of them that are computed, or are for others */
  int reads;
  circle_read read[CIRCLE_READS];
  int axes;
  circle_axis axis[CIRCLE_AXES];
  int tiles; /* the plan: along so many axes; 0: all is one tile */
  circle_axis tile[CIRCLE_TILES], step;
  int seen;                  /* the axis whose steps the reads are described for, plus one */
  int order[CIRCLE_MEMBERS]; /* of the members in one step */
  int64_t length;            /* of a tile, along all axes */
  bool streams;              /* of what comes for several members the last rows stay between them, */
  int64_t hold;              /* from this one on, as there is room for no more; 0: all */
  int64_t early;             /* the first tile begins so much before the first element: it is the short one */
  double io;                 /* expected */
} circle;

/* The plan, or after it the `which`-th best, whose tiles are expected to fit m words; false when there is none.
   split: what members leave for themselves is cut where others read it, too; false when nothing is.  Borrows f. */
bool circle_init(circle *c, const normal_form *f, const int *array, int n, double m, bool split, int which);
/* The best plan for circles and statements that hand over to one another, as one. */
bool circle_join(circle *c, const normal_form *f, const int *array, int n, double m);
/* All of it as one tile, step by step, if m words hold it. */
bool circle_whole(circle *c, const normal_form *f, const int *array, int n, double m);
/* The best plan where of what comes for several members of a step rows stay in part (stream.c). */
bool circle_stream(circle *c, const normal_form *f, const int *array, int n, double m);
/* By array, into turned[]: indices of these that go along axes in descending order alone, those that may go so and
   have their ends there, and those of other arrays that go with them.  False: none. */
bool circle_descends(const normal_form *f, const int *array, int n, mirror_turns *turned);
void circle_clear(circle *c);

typedef struct {
  char tile[CIRCLE_TILES][CDAG_NAME], step[CDAG_NAME], length[CDAG_NAME], walk[CDAG_NAME], hold[CDAG_NAME];
} circle_names;
/* Its loops; false when a box cannot be said. */
bool circle_print(circle *c, const circle_names *names, text *out);

/* ---- shared with the text (print.h) ---- */
/* How many rows may what comes by be in, and where do they end?  1 row: all of it is there at once. */
double circle_rows_of(const circle *c, const circle_read *r, int64_t *end);
/* The place of member p along the axis, without its shift. */
linear circle_along(const circle_axis *x, int p);
/* The index of member p that is its step, without the shift. */
linear circle_step_of(const circle *c, int p);
/* How far before its reader, along x, what is read lies. */
linear circle_ahead(const circle_read *r, const circle_axis *x);
/* Does r bring an input's words at one step, and b (NULL: any) others of that input, for the same reader? */
bool circle_crosses(const circle *c, const circle_read *r, const circle_read *b);
/* How many steps after it is computed is that read, on these points?  CIRCLE_LATE: more than a few. */
int64_t circle_lateness(const circle *c, const circle_read *r, const polyhedron *where);
int circle_member(const circle *c, int array);    /* or -1 */
bool circle_tiled(const circle *c, int p, int v); /* is dimension v of member p cut into tiles? */
int64_t circle_end(const circle *c, const circle_axis *x, bool hi); /* of all members along an axis */
/* Has f one value on all points?  *value: that. */
bool circle_is_single(const polyhedron *where, const linear *f, int64_t *value);
/* Is f, there, variable v and a constant (v < 0: a constant)?  *plain: that. */
bool circle_is_variable(const polyhedron *where, const linear *f, int v, linear *plain);
/* Is it a circle of parts (split.h)?  What a part of an array has not, another has. */
static inline bool circle_in_parts(const circle *c) { return c->f->arrays > c->f->g->arrays; }
static inline const array_form *circle_form(const circle *c, int p) { return &c->f->array[c->member[p]]; }
static inline const polyhedron *circle_computed(const circle *c, int p) { return circle_form(c, p)->computed.item[0]; }
static inline const cdag_array *circle_array(const circle *c, int p) { return &c->f->g->array[c->member[p]]; }

#endif
