/* print.h -- a circle's text (circle.h) while it is printed: boxes (box.c), pieces (piece.c), conditions (condition.c),
   what is brought (bring.c), the lines of a step (step.c) and the loops around (text.c). */
#ifndef REDBLUE_SCHEDULES_TILER_CIRCLES_PRINT_H
#define REDBLUE_SCHEDULES_TILER_CIRCLES_PRINT_H

#include "schedules/tiler/circles/circle.h"

enum { CIRCLE_OPS = 64, CIRCLE_PIECES = 32 };

/* the places in the step's order of its first and last reader */
typedef struct {
  int first, last;
  bool taken;
  const circle_read *read; /* the first that brings it */
  text box, loop, guard, when; /* loop: around moves of the box, which is of one value of an index then */
  text there, stays; /* it has stayed since the step before; it is wanted in the next one, too */
} circle_brought;
/* of what a member computes and nobody takes, or is put out as well */
typedef struct {
  int member;
  const polyhedron *p;
  bool stored;
  int64_t late; /* it is read so many steps later at most, or, CIRCLE_LATE, for who knows how long */
  bool taken;   /* so it is stored, and needs no drop */
} circle_piece;
typedef struct {
  circle *c;
  const circle_names *name;
  text *out;
  bool told; /* every box could be said */
  /* plain steps, at which no tile's own end lies: conditions that hold there are not printed */
  bool plain;
  bool past[CIRCLE_TILES];     /* they come behind a tile on this axis, as no steps come before it; else before it */
  int64_t until[CIRCLE_TILES]; /* these are up to lo(tile) + until */
  int64_t since[CIRCLE_TILES]; /* or from hi(tile) + since on */
  bool ends;                   /* of tiles, too, are printed */
  int walked;                  /* the reader's dimension that has one value, names.walk; -1: none */
  bool held, streamed;         /* boxes are of the rows that stay; some come by (stream.c): */
  const circle_read *row_read[CIRCLE_MEMBERS]; /* by member, what comes so; or NULL */
  int row[CIRCLE_MEMBERS];     /* and along which of its dimensions */
  int64_t back;                /* its step is so many before this one */
  int64_t lo, hi;              /* of the steps of a tile; and from where, to where seen from its own ends */
  int64_t by_lo[CIRCLE_TILES], by_hi[CIRCLE_TILES];
  circle_brought op[CIRCLE_OPS];
  int ops;
  circle_piece piece[CIRCLE_PIECES];
  int pieces;
} circle_printer;

/* The ends of a range: the greatest of some, the least of some. */
typedef struct {
  text lo, hi;
  int los, his;
  bool plain;
} circle_ends;

/* What an index and what is printed for it add up to, where it counts from its other end. */
typedef struct { bool turned; int64_t sum; } circle_turn;

/* ---- box.c ---- */

/* A name and a number that is added. */
void circle_print_number(text *out, const char *name, int64_t by);
/* One more end of a range: a name, if any, and a number. */
void circle_add_end(circle_ends *e, bool hi, const char *name, int64_t by);
/* The same of tile t: its low or its high (end) end, and a number. */
void circle_add_tile(const circle_printer *w, circle_ends *e, bool hi, int t, bool end, int64_t by);
void circle_add_tile_end(const circle_printer *w, circle_ends *e, bool hi, int t, int64_t by);
void circle_print_end(text *out, const circle_ends *e, bool hi, const char *shift);
void circle_clear_ends(circle_ends *e);
/* All tiles are cut from the same places on, so two ranges are equal or disjoint. */
int64_t circle_origin(const circle *c);
/* What variable v of member p takes in a tile, on the points of `where`, at one step (or, step false, at all of
   them). */
circle_ends circle_range_of(circle_printer *w, int p, int v, const polyhedron *where, bool step);
/* step + by <= lo(tile) is so in plain steps, if there are such. */
bool circle_is_early(circle_printer *w, int t, int64_t by);
/* step + by >= hi(tile) is. */
bool circle_is_late(circle_printer *w, int t, int64_t by);
/* False: it cannot be said. */
bool circle_print_index(circle_printer *w, int p, linear f, const polyhedron *where, bool step, circle_turn t,
                        text *out);
void circle_print_box(circle_printer *w, int array, const linear *index, int p, const polyhedron *where, bool step,
                      text *out);
/* What a read brings: a box, or, where that would hold more than is read, one for each value of an index. */
void circle_print_brought(circle_printer *w, const circle_read *r, text *loop, text *out);
/* The box of member p itself. */
void circle_print_own(circle_printer *w, int p, const polyhedron *where, bool step, text *out);

/* ---- piece.c ---- */

/* w->piece, of all members. */
void circle_list_pieces(circle_printer *w);

/* ---- condition.c ---- */

/* None of these points of member p is at a plain step: they end at a tile's own end. */
bool circle_is_past(circle_printer *w, int p, const polyhedron *on);
/* Is it of one step only, whatever the tile? */
bool circle_is_fixed(const circle_printer *w, const circle_piece *x);
/* Is none of it at plain steps?  What is of one step says so itself. */
bool circle_comes_later(circle_printer *w, const circle_piece *x);
/* " * " between factors. */
void circle_and_also(text *out);
/* Does member p compute anything at this step of this tile?  False: surely not. */
bool circle_print_guard(circle_printer *w, int p, text *out);
/* Is it of another tile?  A sum. */
void circle_print_outside(circle_printer *w, const circle_read *r, text *out);
/* The steps of these points, elements of member p, where they are not all of its steps; the first only with `lower`. */
void circle_print_some_steps(const circle_printer *w, int p, const polyhedron *on, bool lower, text *out);
/* Steps at which there is such a read, where the box does not say it. */
void circle_print_steps(const circle_printer *w, const circle_read *r, text *out);

/* Some element of this step reads it, where the box does not say it and words of the same input are there at another
   step. */
void circle_print_some_readers(circle_printer *w, const circle_read *r, text *out);

/* ---- step.c ---- */

/* `if WHEN { VERB WHAT }`, or the move alone. */
void circle_put_move(circle_printer *w, int depth, const char *when, const char *verb, const char *what);
void circle_put_piece(circle_printer *w, int depth, const circle_piece *x, const char *verb);
/* What nobody wants any more after this step. */
void circle_drop_piece(circle_printer *w, int depth, const circle_piece *x);
/* All lines of a step. */
void circle_put_step(circle_printer *w, int depth);

/* ---- stream.c ---- */

/* Which of the boxes that are brought stays in part, if the plan says so: w->row_read. */
void circle_find_stream(circle_printer *w);
/* The loop over the other rows, for member p, and what comes in it; then boxes are of that row, until w->walked is
   -1. */
void circle_print_stream(circle_printer *w, int p, text *head, text *box);

/* ---- bring.c ---- */

/* What the tile's reads bring in a step: w->op. */
void circle_list_ops(circle_printer *w);
void circle_clear_op(circle_brought *o);
/* Until w has its own names again it is at the step so many before this one, or behind it. */
void circle_go_back(circle_printer *w, int64_t steps, circle_names *name);
void circle_come_back(circle_printer *w, const circle_names *name);

#endif
