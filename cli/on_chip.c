#include "cli/on_chip.h"

enum { VERTICES = 1 << 20, MOVES = 1 << 24 };

static bool play(void *context, const pebble_move *move, const schedule_node *at, int box, const int64_t *slot)
{
  (void)at, (void)box, (void)slot;
  return pebble_play(context, move);
}

static uint64_t red_of(const pebble_game *game, const cdag *g, int array)
{
  uint64_t n = 0;
  for (uint64_t id = g->array[array].first; id < g->array[array].first + g->array[array].count; id++) {
    cdag_element e;
    cdag_at(g, id, &e);
    n += pebble_is_red(game, e.array, e.x);
  }
  return n;
}

bool cli_on_chip(const schedule *s, const pebble_rules *rules, num_count moves, text *out)
{
  pebble_game *game = NULL;
  diag d = { 0 };
  if (s->g->vertices > VERTICES || moves > MOVES || pebble_new(&game, s->g, PEBBLE_BY_ELEMENT, rules, &d) != OK)
    return false;
  schedule_each_move(s, play, game, &d);
  for (int a = 0; a < s->g->arrays; a++) {
    uint64_t n = red_of(game, s->g, a);
    if (n)
      text_printf(out, "%s%llu of %s", out->n ? ", " : "", (unsigned long long)n, s->g->array[a].name);
  }
  pebble_free(game);
  return out->n > 0;
}
