/* pebble/tile/internal.h -- the tile engine's own state, shared by the files of pebble/tile/. */
#ifndef REDBLUE_TILE_INTERNAL_H
#define REDBLUE_TILE_INTERNAL_H

#include "pebble/engine.h"
#include "pebble/extrapolate/log.h"
#include "pebble/tile/rule.h"
#include "pebble/tile/tiles.h"

/* What a compute of a box does to the number of red pebbles, and whether its elements may be judged together
   (tests 2 to 4 of docs/tile-engine.md).  Depends only on the box's extents and on where things lie relative to it:
   the key. */
typedef struct {
  int64_t *key;
  size_t n, room;
  bool sound;                  /* tests 2 and 3 hold and no pebble is dropped twice */
  int64_t net, peak;           /* pebbles gained at the end, most gained on the way */
} tile_shape;
enum { TILE_SHAPES = 4, TILE_PARTS = 48 }; /* more parts than that are only looked at element by element */

/* Where a term is read, or its pebbles dropped, while a box is computed. */
typedef struct {
  int term;
  bool drop;
  cdag_box part, image;
} tile_part;

/* Ends that nobody reads beyond are kept so far away: farther than any sum of two coordinates that tile_has_room, one
   of them PEBBLE_STEEPEST times. */
#define TILE_FAR ((int64_t)1 << 60)

/* A set whose boxes have x[across] + slope x[along] for x[across]; slope 0: boxes are what they are
 * (pebble/tile/sets.c).  Ends of `rows` at the end of the domain are far away. */
typedef struct { int along, across, slope; bool rows; } tile_shear;
/* Of a sheared set: the low and high ends of index `side` lie that much farther with each step of `along`, parallel
 * when both do as much (pebble/tile/lean.c). */
typedef struct { bool leans, parallel; int side, lower, upper; } tile_lean;

/* Boxes whose ends lean by themselves with index `row` (pebble/tile/tilt.c): `side` has those ends; rows are called
 * x[row] + slope x[along] and their elements x[side] + aside x[along], or what they are where along is -1. */
typedef struct { bool on; int along, row, side, slope, aside; } tile_tilt;
/* The rows of a tilted set that are being asked about: boxes beside them stand behind the first `near`.  Those are
   chosen anew when there are more than `most`. */
typedef struct { int64_t lo, hi; size_t near, most; } tile_window;

typedef struct {
  bool input;                  /* no rule: every element is an input */
  pebble_tiles red, blue, computed;
  tile_shear red_shear, blue_shear;
  tile_lean red_lean;          /* leans, too, where the set is tilted */
  tile_tilt tilt;              /* of red and blue sets */
  tile_window window[2];       /* of the blue one, of the red one */
  pebble_tiles source;         /* of an array with a rule: the elements that have no predecessor */
  tile_image *image;           /* by term, for the box at hand */
  bool *present;
  tile_shape shape[TILE_SHAPES];
  int next_shape;
  struct tile_repeat *repeat;  /* of a rigid rule: the last compute (pebble/tile/compute.c) */
} tile_array;

typedef struct {
  pebble_game base;
  tile_rules rules;
  tile_array *array;
  tile_shape scratch;          /* the key being built */
  tile_part *part;
  size_t parts, part_room;
  int down;                    /* the index in which the box that is computed goes down; -1: none */
  bool blind;                  /* count only: no position, every move is taken for legal (schedules/count/count.c) */
  bool tight;                  /* boxes hold existing elements only, but the blue ones of inputs */
  bool words;                  /* blind: only loads and stores are played, and levels mean nothing */
  bool below_zero;             /* blind: more pebbles were dropped than there can be */
  uint64_t played;             /* box moves */
  tile_log *log;               /* NULL unless an iteration is recorded */
} tile_game;

/* Try a box move that lies inside the array's domain.  TILE_BOX: played.  TILE_SPLIT: not one piece, or not legal;
   nothing has changed: play its halves. */
tile_answer tile_compute(tile_game *t, const pebble_move *move, const cdag_box *b);

/* Compute the one element of b, all of whose predecessors are red, whatever its terms look like; false: no room. */
bool tile_compute_element(tile_game *t, const pebble_move *move, const cdag_box *b);

/* The counter's: a box that the slanted side of its array's domain cuts, or whose elements read along a diagonal, at
   one go (pebble/tile/slant.c).  TILE_SPLIT: not so; nothing has changed: play it as any other. */
tile_answer tile_count_whole(tile_game *t, const pebble_move *move, const cdag_box *b);
/* In a recorded iteration (pebble/tile/line.c): how far a box that was loaded, stored, dropped or erased extends; what
   computing a box whose parts are in t->part gains.  A box of one row may have another length in each iteration; false:
   this one, or not of these parts. */
void tile_log_extents(tile_game *t, const pebble_move *move, const cdag_box *b);
bool tile_line_gain(tile_game *t, int array, const cdag_box *b, int64_t *net, int64_t *peak);
/* In a recorded iteration of a play: a box of one row or one column that the side cuts, so that what is left of it may
   have another length in each iteration. */
tile_answer tile_play_cut(tile_game *t, const pebble_move *move, const cdag_box *b);
/* What they need: a move of a box that is no compute; a compute with this net and peak, its shape being sound; the
 * pebbles that a load or drop, or a compute, brings; what a move adds to the verdict; readings of t->part. */
tile_answer tile_move_part(tile_game *t, const pebble_move *move, const cdag_box *b, uint64_t volume);
tile_answer tile_compute_part(tile_game *t, const pebble_move *move, const cdag_box *b, int64_t net, int64_t peak);
void tile_count_blind(tile_game *t, pebble_kind kind, uint64_t volume);
void tile_count_compute(tile_game *t, int64_t net, int64_t peak);
void tile_count_move(tile_game *t, const pebble_move *move, const cdag_box *b, uint64_t volume);
void tile_collect_parts(tile_game *t, const pebble_move *move, int array, const cdag_box *b);

/* Tilted sets (pebble/tile/tilt.c): boxes of which the ends at row 0 stand at `side` and their slopes behind the rank,
   inside the domain, no row empty.  As the functions below, of red or blue pebbles; of a box with several values of
   `along` they do not know. */
bool tile_tilt_meets(const tile_game *t, int array, bool red, const cdag_box *b);
bool tile_tilt_covers(const tile_game *t, int array, bool red, const cdag_box *b);
/* Is each element of b red or in `part`?  No element of `part` is red. */
bool tile_tilt_covers_with(const tile_game *t, int array, const cdag_box *b, const cdag_box *part);
void tile_tilt_add(tile_game *t, int array, bool red, const cdag_box *b);
void tile_tilt_take(tile_game *t, int array, bool red, const cdag_box *b);
/* Its boxes in one order, which is recorded: so those of two iterations are compared. */
void tile_tilt_sort(tile_game *t, int array, bool red);
void tile_lay_tilted(pebble_game *game, int array, int row, int side, int along, int slope, int aside);
/* The ends in a row; elements; is d > 0, which is recorded; a number that may not change.  log may be NULL. */
int64_t tile_low_at(const cdag_box *b, int rank, int side, int64_t x);
int64_t tile_high_at(const cdag_box *b, int rank, int side, int64_t x);
uint64_t tile_tilt_volume(tile_log *log, int rank, int row, int side, const cdag_box *b);
bool tile_above(tile_log *log, int64_t d);
void tile_same(tile_log *log, int64_t value);
/* Rows at once (pebble/tile/tilt_rows.c): as pebble_play_rows. */
uint64_t tile_play_rows(pebble_game *game, const pebble_move *move, const pebble_rows *rows);
/* Computing rows at once that are boxes, from the last one down (pebble/tile/tile.c): all of them or, 0, none. */
uint64_t tile_play_down(pebble_game *game, const pebble_move *move, int row);
bool tile_has_memory(tile_game *t, int64_t peak); /* for so many more; the most there were is kept */
void tile_add_counts(tile_game *t, const pebble_move *move, uint64_t volume);
/* A box that does not lean. */
static inline void tile_plain_rows(const tile_game *t, int array, const cdag_box *b, cdag_box *out)
{
  int rank = t->rules.rule[array].rank;
  pebble_box_copy(out, b, rank);
  out->lo[rank] = out->hi[rank] = 0;
}

/* Red, blue and computed sets (pebble/tile/sets.c).  tile_red_meets: may b, not empty, hold a red pebble?
   tile_red_covers: is it surely all red?  Where they say yes and no without knowing, ask for the halves of b; of one
   element they know.  tile_red_common: red pebbles in b, of which it is known. tile_blue_box: what b is in the list of
   blue boxes, *room perhaps; NULL: no box, ask for its halves.  To a set comes a box, inside the domain and disjoint
   from the set. */
bool tile_lean_meets(const tile_game *t, int array, const cdag_box *b); /* of a set whose ends lean */
bool tile_lean_covers(const tile_game *t, int array, const cdag_box *b);
void tile_lean_add(tile_game *t, int array, const cdag_box *b);
void tile_lean_take(tile_game *t, int array, const cdag_box *b);
const cdag_box *tile_red_box(const tile_game *t, int array, const cdag_box *b,
                             cdag_box *room); /* where the set is sheared: as tile_blue_box */
static inline bool tile_red_meets(const tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  const tile_array *a = &t->array[array];
  if (a->red_lean.leans)
    return tile_lean_meets(t, array, b);
  const cdag_box *red = a->red_shear.slope ? tile_red_box(t, array, b, &room) : b;
  return !red || pebble_tiles_meet(&a->red, red);
}
static inline bool tile_red_covers(const tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  const tile_array *a = &t->array[array];
  if (a->red_lean.leans)
    return tile_lean_covers(t, array, b);
  const cdag_box *red = a->red_shear.slope ? tile_red_box(t, array, b, &room) : b;
  return red && pebble_tiles_cover(&a->red, red);
}
uint64_t tile_red_common(const tile_game *t, int array, const cdag_box *b);
bool tile_is_red_at(const tile_game *t, int array, const int64_t *x);
const cdag_box *tile_blue_box(const tile_game *t, int array, const cdag_box *b, cdag_box *room);
static inline bool tile_blue_meets(const tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  const tile_array *a = &t->array[array];
  if (a->tilt.on) {
    tile_plain_rows(t, array, b, &room);
    return tile_tilt_meets(t, array, false, &room);
  }
  const cdag_box *blue = tile_blue_box(t, array, b, &room);
  return !blue || pebble_tiles_meet(&a->blue, blue);
}
static inline bool tile_blue_covers(const tile_game *t, int array, const cdag_box *b)
{
  cdag_box room;
  const tile_array *a = &t->array[array];
  if (a->tilt.on) {
    tile_plain_rows(t, array, b, &room);
    return tile_tilt_covers(t, array, false, &room);
  }
  const cdag_box *blue = tile_blue_box(t, array, b, &room);
  return blue && pebble_tiles_cover(&a->blue, blue);
}
bool tile_is_blue_at(const tile_game *t, int array, const int64_t *x);
bool tile_has_room(const cdag_box *hull, int r); /* for ends that are TILE_FAR */
void tile_add_blue(tile_game *t, int array, const cdag_box *b);
void tile_take_blue(tile_game *t, int array, const cdag_box *b);
void tile_add_red(tile_game *t, int array, const cdag_box *b);
void tile_take_red(tile_game *t, int array, const cdag_box *b);
void tile_add_computed(tile_game *t, int array, const cdag_box *b);
void tile_lay_blue(pebble_game *game, int array, int along, int across, int slope, bool rows);
void tile_lay_sheared(pebble_game *game, int array, int along, int across, int slope);
void tile_lay_leaning(pebble_game *game, int array, int side, int lower, int upper);
/* The number under which bounds of its blue, or red, boxes are compared. */
enum { TILE_GROUPS = 4 };      /* of an array, at most */
static inline int tile_blue_group(const tile_game *t, int array)
{
  return t->array[array].blue_shear.slope ? t->base.g->arrays + array : array;
}
static inline int tile_red_group(const tile_game *t, int array)
{
  return t->array[array].red_shear.slope ? 2 * t->base.g->arrays + array : array;
}
/* High ends that lean otherwise than low ones are compared among themselves. */
static inline int tile_high_group(const tile_game *t, int array)
{
  return t->array[array].red_lean.parallel ? tile_red_group(t, array) : 3 * t->base.g->arrays + array;
}

/* Are all outputs blue?  Fills the verdict (pebble/tile/end.c). */
bool tile_end(pebble_game *game);

/* The shape of the computation whose parts are in t->part (pebble/tile/shape.c). */
const tile_shape *tile_shape_of(tile_game *t, int array, const cdag_box *b);

#endif
