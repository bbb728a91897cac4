/* engine.h -- what pebble/game.c needs from an engine, and what every engine keeps.

   An engine's own state begins with a pebble_game, so a pointer to one is a pointer to the other.  Private to the
   room: users see pebble/game.h. */
#ifndef REDBLUE_ENGINE_H
#define REDBLUE_ENGINE_H

#include "pebble/game.h"

typedef struct {
  bool (*play)(pebble_game *game, const pebble_move *move);  /* as pebble_play; never called after an illegal move */
  bool (*end)(pebble_game *game);
  bool (*is_red)(const pebble_game *game, int array, const int64_t *x);   /* x exists */
  bool (*is_blue)(const pebble_game *game, int array, const int64_t *x);
  void (*free)(pebble_game *game);                           /* everything, the game itself included */
  /* may be NULL */
  void (*lay_out)(pebble_game *game, int array, const int *order); /* as pebble_lay_out */
  void (*lay_blue)(pebble_game *game, int array, int along, int across, int slope, bool rows);
  void (*lay_sheared)(pebble_game *game, int array, int along, int across, int slope);
  void (*lay_leaning)(pebble_game *game, int array, int side, int lower, int upper);
  void (*lay_tilted)(pebble_game *game, int array, int row, int side, int along, int slope, int aside);
  uint64_t (*play_rows)(pebble_game *game, const pebble_move *move, const pebble_rows *rows);
  bool (*resume)(pebble_game *game,
                 const pebble_move *move); /* as pebble_resume; the verdict is legal again, M unlimited */
  size_t (*play_steps)(pebble_game *game, const pebble_step *step, size_t n); /* explicit graphs only */
} pebble_engine_calls;

struct pebble_game {
  const pebble_engine_calls *calls;
  const cdag *g;
  pebble_rules rules;
  pebble_verdict verdict;      /* legal until something is not */
  uint64_t red;                /* red pebbles now */
  num_count *loads, *stores;   /* by array */
};

/* The part every engine shares: legal so far, counts of zero, one-shot when partial. */
void pebble_game_init(pebble_game *game, const pebble_engine_calls *calls, const cdag *g, const pebble_rules *rules);
void pebble_game_clear(pebble_game *game);

/* The engines, as pebble_new calls them. */
status pebble_element_new(pebble_game **game, const cdag *g, const pebble_rules *rules,
                          diag *d); /* pebble/element/element.c */
status pebble_tile_new(pebble_game **game, const cdag *g, const pebble_rules *rules, diag *d); /* pebble/tile/tile.c */

#endif
