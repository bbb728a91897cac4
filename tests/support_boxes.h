/* support_boxes.h -- random box moves that are legal most of the time: a small simulation element by element, which
   shares no code with the engines, says which are. */
#ifndef REDBLUE_TESTS_SUPPORT_BOXES_H
#define REDBLUE_TESTS_SUPPORT_BOXES_H
#include "base/text.h"
#include "pebble/game.h"
#include "tests/support.h"

enum { BOXES_DROPS = 3 };
typedef struct {
  pebble_move move;
  pebble_drop drop[BOXES_DROPS];
} boxes_move;

typedef struct {
  boxes_move *at;
  size_t n, room;
  bool illegal;                /* the last one is, says the simulation */
} boxes_list;

/* Up to `most` moves under these rules; the last one may be illegal. */
void boxes_random(boxes_list *l, const cdag *g, const pebble_rules *rules, size_t most, uint64_t seed);
void boxes_clear(boxes_list *l);
/* move.drop points at the copy's own drops. */
const pebble_move *boxes_at(boxes_list *l, size_t i);
void boxes_text(text *out, const boxes_list *l, const cdag *g);   /* as a schedule */
void boxes_print(const boxes_list *l, const cdag *g);
#endif
