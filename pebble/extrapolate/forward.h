/* pebble/extrapolate/forward.h -- fast-forward: iterations of a loop that need not be played because one like them was.

   The argument is in docs/tile-engine.md, "Fast-forward".  In short: everything the engine decides in an iteration it
   decides by comparing bounds of boxes.  When the bounds of two iterations differ by fixed steps, and the position
   after the second is the position before it moved by fixed steps, then later iterations decide alike for as long as no
   two bounds change places; those iterations are legal, cost the same, and leave a position we can write down.

   Whoever runs the loops (schedules/extrapolate/forward.c) marks the beginning of iterations and vouches that the
   statements of the iteration compute their boxes as affine functions of the iteration.  Works on a game by tiles,
   blind ones included. */
#ifndef REDBLUE_TILE_FORWARD_H
#define REDBLUE_TILE_FORWARD_H

#include "pebble/game.h"
#include "pebble/tile/tiles.h"

typedef struct pebble_forward pebble_forward;
pebble_forward *pebble_forward_new(pebble_game *by_tile);
void pebble_forward_free(pebble_forward *f);

/* Recording nests; the log is emptied when nobody records. */
void pebble_forward_record(pebble_forward *f);
void pebble_forward_rest(pebble_forward *f);
bool pebble_forward_recording(const pebble_forward *f);
/* The log has no room for what is being recorded: nothing will come of it. */
bool pebble_forward_full(const pebble_forward *f);
/* For the runner's thrift: box moves played so far, and what recording and jumping have cost, in entries of the log. */
uint64_t pebble_forward_played(const pebble_forward *f);
uint64_t pebble_forward_spent(const pebble_forward *f);
/* What the runner itself decides: a number that must stay, a number whose sign must stay, something else. */
void pebble_forward_equal(pebble_forward *f, int64_t value);
void pebble_forward_sign(pebble_forward *f, int64_t value);
/* The length of a loop inside, in blocks of `by`: whole blocks may come or go by a fixed number, what is left over must
 * stay. */
void pebble_forward_range(pebble_forward *f, int64_t length, int64_t by);
/* A table of the CDAG that is read at these indices. */
void pebble_forward_table(pebble_forward *f, int table, const int64_t *at);
/* After how many rows, or entries, its patches come again: iterations so far apart may be alike where iterations in a
 * row are not. */
int64_t pebble_forward_period(pebble_forward *f, int table);
void pebble_forward_irregular(pebble_forward *f);

/* The pebbles of one kind on one array are a set; sets are numbered PEBBLE_SETS * array + kind. */
enum { PEBBLE_RED_SET, PEBBLE_BLUE_SET, PEBBLE_COMPUTED_SET, PEBBLE_SETS };

/* The position of some sets, boxes in a fixed order. */
typedef struct {
  size_t n, room;
  cdag_box *box;
  size_t *ends;                /* by set */
} pebble_place;

/* A moment between two iterations.  Zeroed before its first use; keeps its memory. */
typedef struct {
  size_t orders, signs, equals, reaches, volumes, products;
  uint64_t irregular;
  uint64_t red;
  num_count loads, stores, computes, moves;
  num_count *loads_by, *stores_by;
  pebble_place place;
  bool whole;                  /* the place was taken (it was not too long a list) */
} pebble_mark;
/* Are some sets tilted?  Then all marks must have their place. */
bool pebble_forward_tilted(const pebble_forward *f);
/* Take the mark; place only if with_place.  sets: those an iteration can read or change, n of them, in increasing
 * order. */
void pebble_forward_mark(pebble_forward *f, const int *sets, int n, bool with_place, pebble_mark *m);
void pebble_mark_clear(pebble_mark *m);

/* The peak of the moves since the last call, and start again from the pebbles now red. */
uint64_t pebble_forward_peak(pebble_forward *f);
void pebble_forward_restore_peak(pebble_forward *f, uint64_t peak);

/* Iterations m[0]..m[1], m[1]..m[2], ... have been played and recorded (all marks but the first with place), with
   `peak` the most red pebbles in the last of them.  How many iterations, at most `most`, follow like it?  Their effect
   is added to the game.  3 to PEBBLE_MARKS marks; any two iterations in a row but the last have been asked about. *few:
   none, but with the next iteration recorded, too, there may be: what such iterations move is a polynomial of a higher
   degree.  sets, n: as for the marks. */
enum { PEBBLE_MARKS = 5 };
uint64_t pebble_forward_jump(pebble_forward *f, const int *sets, int n, const pebble_mark *m, int marks, uint64_t peak,
                             uint64_t most, bool *few);

/* Iterations that are as the one before under other names (schedules/extrapolate/alike.h): what they name of an array
   with a rule is a slice, elements whose first index has one value.  The counts as they stand, into m. */
void pebble_forward_counts(pebble_forward *f, pebble_mark *m);
/* Is no pebble red, every input blue, and no pebble at all on slices [from, to) of these arrays?  A game that only
 * counts has no slices, and of loads and stores alone no red pebbles. */
bool pebble_forward_bare(pebble_forward *f, const bool *array, int64_t from, int64_t to);
/* What has come since m was taken, in slice `value`, comes in the slices after it, too: so many times more.  They are
 * bare. */
void pebble_forward_copy(pebble_forward *f, const bool *array, const pebble_mark *m, int64_t value,
                         uint64_t iterations);

/* A game that only counts: every move is taken for legal, whatever the position (schedules/count/count.c).  The verdict
   holds loads, stores, computes, peak. */
status pebble_blind_new(pebble_game **game, const cdag *g, const pebble_rules *rules, diag *d);
void pebble_blind_restart(pebble_game *game);     /* all counts back to zero */
void pebble_blind_words(
    pebble_game *game); /* until then: loads and stores alone are played, and the number of pebbles means nothing */
bool pebble_blind_sane(
    const pebble_game *game); /* false: more pebbles were dropped than there were, or there were 2^64 - 1 or more */

#endif
