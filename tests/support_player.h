/* support_player.h -- the reference player: the game by the book on a materialised graph, one byte a pebble, sharing no
   code with the engines.  Every rule is written once more, in the order of docs/game.md. */
#ifndef REDBLUE_TESTS_SUPPORT_PLAYER_H
#define REDBLUE_TESTS_SUPPORT_PLAYER_H
#include "schedules/schedule.h"

typedef struct {
  char kind;                   /* 'l' load, 's' store, 'c' compute, 'd' drop, 'e' erase */
  uint32_t vertex;
  uint32_t drops;              /* compute: vertices named after `dropping` (predecessors or not) */
  uint32_t *drop;
} player_move;

typedef struct {
  player_move *move;
  size_t n, room;
} player_list;
void player_list_add(player_list *l, char kind, uint32_t vertex, const uint32_t *drop, uint32_t drops);
void player_list_copy(player_list *to, const player_list *from);
void player_list_remove(player_list *l, size_t i);
void player_list_clear(player_list *l);

/* Every elementary move of a schedule, with the vertices of g's materialised graph; a value met on the way ends the
 * list. */
void player_list_of(player_list *l, const schedule *s, const cdag_graph *graph);

typedef struct {
  bool legal;
  const char *rule;
  size_t at;                   /* the offending move; n when the game ended */
  uint32_t vertex, missing;    /* UINT32_MAX: none */
  uint64_t loads, stores, computes, peak, needed;
} player_verdict;

enum { PLAYER_PLACING, PLAYER_SLIDING, PLAYER_PARTIAL };
/* order: by which outputs are looked at in the end, or NULL for ascending vertices.  pebbles: g->n bytes for the last
   position (1 red, 2 blue, 3 both), or NULL. */
player_verdict player_play(const cdag_graph *g, int variant, bool one_shot, uint64_t m, const player_list *l,
                           const uint32_t *order, char *pebbles);

/* A random list that is legal with m pebbles (m >= largest in-degree + 1), each vertex computed once; slides:
   `dropping` is used, and the list may need the sliding game. */
void player_random_legal(player_list *l, const cdag_graph *g, uint64_t m, bool slides, uint64_t seed);
/* A random walk: nearly every move legal in this game, few of them to any purpose. */
void player_random_walk(player_list *l, const cdag_graph *g, int variant, bool one_shot, uint64_t m, int moves,
                        uint64_t seed);
#endif
