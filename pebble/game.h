/* game.h -- the red-blue pebble game: rules, moves, verdicts (docs/game.md).

   Hong & Kung's game: M red pebbles; inputs start blue, every output must end blue; a load or a store costs one.
   This room is the referee: small, plain, no GLPK, no igraph, nothing clever it does not explain.  An engine is
   handed box moves one by one and keeps position, counts and verdict. */
#ifndef REDBLUE_GAME_H
#define REDBLUE_GAME_H

#include "base/num.h"
#include "cdag/cdag.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum { PEBBLE_PLACING, PEBBLE_SLIDING, PEBBLE_PARTIAL } pebble_variant;

typedef struct {
  pebble_variant variant;
  bool one_shot;        /* each vertex computed at most once (implied by partial) */
  uint64_t m;           /* red pebbles */
} pebble_rules;

typedef enum { PEBBLE_LOAD, PEBBLE_STORE, PEBBLE_COMPUTE, PEBBLE_DROP, PEBBLE_ERASE } pebble_kind;

/* A box of one array, to be played element by element in lexicographic order: the elements of the array's domain
   inside the box (the rest falls away; an empty box is no move).  drop: after each computed element, the red
   pebbles of its predecessors in these arrays, or only those inside the box, are removed at once. */
typedef struct {
  int array;
  bool whole;           /* any predecessor in this array; otherwise only those inside box */
  cdag_box box;
} pebble_drop;

typedef struct {
  pebble_kind kind;
  int array;
  cdag_box box;
  int drops;
  const pebble_drop *drop;
} pebble_move;

/* Broken rules, in the words of docs/game.md. */
typedef enum {
  PEBBLE_LEGAL, PEBBLE_ALREADY_RED, PEBBLE_NOT_BLUE, PEBBLE_MEMORY, PEBBLE_NOT_RED, PEBBLE_ALREADY_BLUE,
  PEBBLE_INPUT, PEBBLE_RECOMPUTE, PEBBLE_PREDECESSOR, PEBBLE_OUTPUT, PEBBLE_VALUE
} pebble_rule;
const char *pebble_rule_name(pebble_rule r);      /* "already red", "not blue", "memory", ... ; NULL when legal */
const char *pebble_kind_name(pebble_kind k);      /* "load", ... */

typedef struct {
  bool legal;
  num_count loads, stores,
      computes; /* of the moves before the offending one; NUM_TOO_MANY where they are no count any more */
  num_count moves;                         /* elementary moves played */
  uint64_t peak;                           /* at most the number of vertices, which is below 2^63 */
  pebble_rule rule;
  cdag_element element;                    /* the offending element (rule OUTPUT: the first, by name then index) */
  bool has_missing;
  cdag_element missing; /* rule PREDECESSOR: the first predecessor not red, in the order of the rule */
  uint64_t needed;                         /* rule MEMORY: pebbles needed at that moment */
} pebble_verdict;
static inline num_count pebble_io(const pebble_verdict *v) { return num_plus(v->loads, v->stores); }

/* ---- engines: one interface ---- */

typedef struct pebble_game pebble_game;
typedef enum { PEBBLE_BY_ELEMENT, PEBBLE_BY_TILE } pebble_engine;

/* A game at its start.  g outlives it.  BAD_INPUT with a sentence when the engine cannot hold this CDAG
   (by element: too many vertices for memory; by tile: explicit graph). */
status pebble_new(pebble_game **game, const cdag *g, pebble_engine engine, const pebble_rules *rules, diag *d);
void pebble_free(pebble_game *game);
/* A hint before the first move: the schedule moves this array in boxes that are long in the later dimensions of `order`
   (a permutation of its dimensions).  Changes speed only. */
void pebble_lay_out(pebble_game *game, int array, const int *order);
/* Another: its boxes of this array that are loaded, stored or erased have one value of index `along`, and blue pebbles
   lie where x[across] + slope x[along] is about the same, slope being no more than PEBBLE_STEEPEST and not 0; `rows`:
   in rows of index `across`.  Changes speed only. */
enum { PEBBLE_STEEPEST = 8 };
static inline bool pebble_is_slope(int64_t slope) { return slope >= -PEBBLE_STEEPEST && slope <= PEBBLE_STEEPEST; }
void pebble_lay_blue(pebble_game *game, int array, int along, int across, int slope, bool rows);
/* Another: its boxes of this array have one value of index `along`, and red pebbles lie where x[across] + slope
   x[along] is about the same, as on the front of a skewed sweep.  Changes speed only. */
void pebble_lay_sheared(pebble_game *game, int array, int along, int across, int slope);
/* And another, after that one: with each step of `along` its red boxes begin `lower` and end `upper` farther on in
   index `side`.  Changes speed only. */
void pebble_lay_leaning(pebble_game *game, int array, int side, int lower, int upper);
/* And another: its boxes are rows of index `row` whose ends in index `side` lean, each row with a move of its own; with
   each step of index `along` (-1: none) they lie `slope` lower in `row` and `aside` lower in `side`.  Changes speed
   only. */
void pebble_lay_tilted(pebble_game *game, int array, int row, int side, int along, int slope, int aside);
/* The iterations of a loop over single values whose body is one move.  The boxes of its rows, lo to hi of index `row`
   in move->box, upwards or down, are that box but for row, and for `side` from the greatest of low[] to the least of
   high[] there; `side` -1: but for row.  drop_row[i]: the index of drop i that is the row and
   move->drop[i].box.lo of it more; -1: none. */
enum { PEBBLE_LINES = 6, PEBBLE_ROW_DROPS = 4 };
typedef struct { int64_t base, slope; } pebble_line; /* base + slope x in row x */
typedef struct {
  int row, side;
  bool down;
  int lows, highs, drop_row[PEBBLE_ROW_DROPS];
  pebble_line low[PEBBLE_LINES], high[PEBBLE_LINES];
} pebble_rows;
/* Play rows at once: so many, from the first one on, were legal and have been played.  The others are to be played one
   by one, which need not mean that they are not. */
uint64_t pebble_play_rows(pebble_game *game, const pebble_move *move, const pebble_rows *rows);
/* Play one box move.  False when it is illegal: the verdict then holds the legal prefix and the reason, and the
   game accepts no further move. */
bool pebble_play(pebble_game *game, const pebble_move *move);
/* After `move` broke rule MEMORY: lift the limit for good and play the rest of that move, the offending element
   included. The verdict starts to hold again what is played, as if M had been unlimited from the start: the caller
   keeps a copy of the one that failed.  False when that is illegal too; *able is false when this engine cannot resume.
 */
bool pebble_resume(pebble_game *game, const pebble_move *move, bool *able);
/* End of the schedule: are all outputs blue?  Fills rule OUTPUT otherwise. */
bool pebble_end(pebble_game *game);
const pebble_verdict *pebble_verdict_of(const pebble_game *game);
/* Loads and stores per array (arrays of g->arrays entries, owned by the game). */
const num_count *pebble_loads_by_array(const pebble_game *game);
const num_count *pebble_stores_by_array(const pebble_game *game);
bool pebble_is_red(const pebble_game *game, int array, const int64_t *x);
bool pebble_is_blue(const pebble_game *game, int array, const int64_t *x);

/* ---- plain traces on explicit graphs: what the solvers hand to the referee ---- */

/* slide: COMPUTE only: a predecessor whose red pebble goes away as the vertex is computed, or PEBBLE_NO_SLIDE.  It is
   `compute v[5] dropping v[3]`: under sliding the pebble moves, so the step needs no pebble of its own; under placing
   and partial the vertex gets its own pebble first.  Naming a vertex that is no predecessor drops nothing. */
#define PEBBLE_NO_SLIDE UINT32_MAX
/* In pebble_play_steps only: `compute v[5] dropping v`, all predecessors.  No vertex has this number. */
#define PEBBLE_SLIDE_ALL (UINT32_MAX - 1)
typedef struct {
  pebble_kind kind;
  uint32_t vertex;
  uint32_t slide;
} pebble_step;

typedef struct {
  pebble_step *step;
  size_t n, room;
} pebble_trace;
void pebble_trace_add(pebble_trace *t, pebble_kind kind, uint32_t vertex);
void pebble_trace_slide(pebble_trace *t, uint32_t vertex,
                        uint32_t from); /* COMPUTE vertex, sliding the pebble of from */
void pebble_trace_clear(pebble_trace *t);

/* Play up to n steps on an explicit graph, much faster than as boxes; returns how many were played before one was
   illegal (n: none was).  Only for a game that pebble_takes_steps. */
bool pebble_takes_steps(const pebble_game *game);
size_t pebble_play_steps(pebble_game *game, const pebble_step *step, size_t n);

/* Play t on g: the plain loop every reported number of a solver rests on.  element.x[0] is the vertex. */
pebble_verdict pebble_judge(const cdag_graph *g, const pebble_rules *rules, const pebble_trace *t);
/* --rules partial: a vertex is complete when all its edges are aggregated; inputs are.  COMPUTE(v) aggregates into v
   the edges not yet aggregated from complete red predecessors, all of them.  v's first aggregation takes a pebble;
   later ones need v red (its value so far is there), and make a blue copy of v stale: it is removed.  Broken rules of
   COMPUTE in order: `input`; `already red` (complete and red); `recompute` (complete, or begun, and not red: its edges
   are used up); `predecessor` (nothing to aggregate; missing: the first open predecessor); `memory`.  Outputs must end
   blue and complete. */

#endif
