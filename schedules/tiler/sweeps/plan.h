/* plan.h -- a sweep (sweep.h) while it is planned and printed; for sweep.c, input.c and text.c.

   Statements are kept in one order of variables, whatever the text's is: the level of time, the axis that is walked,
   the others; levels of all arrays begin alike. */
#ifndef REDBLUE_SCHEDULES_TILER_SWEEPS_PLAN_H
#define REDBLUE_SCHEDULES_TILER_SWEEPS_PLAN_H

#include "schedules/tiler/nests/words.h"

enum { SWEPT = 8, AXES = 3, READS = 128, OUT_MOST = 4 };
typedef struct { int from, to; int64_t d[1 + AXES]; } sweep_read; /* from at (t, x...) + d, for an element of `to` */

/* How an input comes: whole, before everything; whole in a strip; its rows, as the strip is walked, for all levels or
   for each; or what one row of one statement reads, and only for that. */
typedef enum { KEPT, BY_STRIP, BY_ROW, BY_LEVEL, BY_STATEMENT } sweep_coming;
enum { NO_VARIABLE = -1, ALL_OF_IT = -2 };

/* A box of an input array whose words are all read alike: a border at every level, the inside at the first one. */
typedef struct {
  int array;
  cdag_box box;
  bool below[CDAG_RANK], above[CDAG_RANK]; /* the array has other words there: what is printed must not reach them */
  sweep_coming how;
  int var[CDAG_RANK], row;     /* the variable in each index; the index that has the row, or -1 */
  int64_t lo[CDAG_RANK], hi[CDAG_RANK]; /* what is read is there: from the place less slope and lean, all readers' lags
                                           in; a row: from the step less slope; a level: from it */
  int64_t first, past;         /* the levels at which it is read */
} sweep_input;

/* What is stored and loaded where tilted strips meet (tilt.c): an array, or an input in the place
   of the level before the first. */
enum { TILT_SOURCES = 16 };
#define SWEEP_NEVER INT64_MAX /* no first reader, no lag yet */
typedef struct {
  int array, place, input;     /* its statement, or -1; of w->input, or -1 */
  int64_t lag[2], most[2];     /* by form; a reader stands at most so much further on */
  int64_t first, last;         /* readers: so many levels later, times n, and the statement */
  int64_t out;                 /* so many of the last levels are outputs */
  bool in_place;               /* its last reader drops what it reads by `read`, `gap` before it on both forms */
  sweep_read read;
  int64_t gap[2];
} tilt_source;
typedef struct {
  bool upright;
  int64_t slope, lift, lag[2][SWEPT], a, b; /* lengths: halves of a block's */
  int sources;
  tilt_source source[TILT_SOURCES]; /* statements first */
} sweep_tilt;

/* Place of an element on axis k: x[k] + slope[k] (t - lo(T)) + lean[k] x[0] + lag. */
typedef struct {
  const tiler_shape *s;
  int axes, n, stmt[SWEPT];    /* arrays, in the order in which they are computed at one step and level */
  tiler_statement own[SWEPT];  /* the same in one order of variables */
  int dim[SWEPT][1 + AXES];    /* which index of the array is the level, which the walked axis, ... */
  bool flat;                   /* there are no levels: all arrays have one, which is none of their indices */
  bool resident;               /* a level fits: nothing leaves between levels, each takes the place of the one before */
  bool sums;                   /* and dimensions of sums are no axes: an element is made with all steps of its sum */
  int64_t level[SWEPT];        /* its first level, less that of the first array */
  sweep_read read[READS];
  int reads;
  int64_t slope[AXES], lean[AXES], lag[SWEPT][AXES];
  int64_t stay[SWEPT][AXES];   /* how many places further on it is read last */
  int64_t brought[SWEPT];      /* so many levels are read by the next block */
  int64_t out[SWEPT];          /* so many of the last levels of all have outputs */
  int64_t wanted[SWEPT][2];    /* from where to where along the walked axis, by index, their outputs are */
  int64_t near[SWEPT];         /* so many of a block's last levels are read by no later one of the block */
  bool all_out[SWEPT];         /* all levels have outputs, or many: each is stored as it is computed, and stays */
  int last[SWEPT];             /* the read after which a row is not needed any more; -1: nothing reads it */
  int64_t least[1 + AXES], most[1 + AXES];
  int64_t levels, width[AXES]; /* of a block; of a strip, by axis, from the second on */
  bool tilted;                 /* strips are blocks of two forms in the level and both axes */
  sweep_tilt tilt;
  bool hurried;                /* its play must not take long */
  bool lengthy;                /* nor be soon over: tilted strips that were not tried before */
  sweep_input *input;
  int inputs;
  size_t room;
} sweep;

/* The statement that computes the array, or -1. */
int sweep_place(const sweep *w, int array);
double sweep_extent(const sweep *w, int r);
/* Is index r of that statement's array a step of its sum, which no axis goes along? */
bool sweep_in_sum(const sweep *w, const tiler_statement *s, int r);

/* ---- inputs (input.c) ---- */

/* What a statement's access reads inside the box, as ranges, and for which of its variables; false: nothing. */
bool sweep_use(const tiler_statement *s, const tiler_access *a, const cdag_box *box, tiler_access *u);

/* Inputs, cut into boxes; false: what a statement reads of one is no box. */
bool sweep_cut_inputs(sweep *w);
void sweep_plan_inputs(sweep *w, double m); /* how they come, when slopes and lags are known */
/* What statement k reads of it: the hull of indices with the same coefficients, and the readers' variables then;
   rank -1: nothing.  False: of other coefficients too. */
bool sweep_hull(const sweep *w, int k, const sweep_input *in, tiler_access *hull);
/* On chip while a strip is walked.  What is read at the first level has the place of the `brought` words that other
   blocks read of the level before. */
double sweep_input_words(const sweep *w, double brought);

/* ---- tilted strips (tilt.c, tilt_text.c) ---- */

/* Forms, lengths, and how everything comes; false: no such strips. */
bool sweep_plan_tilt(sweep *w, double m);
void sweep_print_tilt(const sweep *w, text *out); /* the loops */
int64_t sweep_rows_at_once(int64_t b); /* of an upright strip of b rows: computed, and then as many dropped */
/* From where to where the elements of statement k in a strip at level t - level meet row x, or column x; that they do,
   as a condition. */
void sweep_border_ends(const sweep *w, int k, int64_t level, bool column, int64_t x, text *lo, text *hi);
void sweep_border_meets(const sweep *w, int k, int64_t level, bool column, int64_t x, text *out);
/* Borders that statement k reads come, or go, where the strip meets them (tilt_border.c). */
void sweep_print_borders(const sweep *w, int depth, bool load, int k, text *out);

/* ---- the text (text.c) ---- */

void sweep_print(const sweep *w, text *out);

#endif
