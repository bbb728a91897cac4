#include "bounds/games.h"
#include <string.h>

static const char *const names[BOUND_GAMES] = { "recompute", "one-shot", "placing", "sliding", "partial" };

const char *bound_game_name(int i) { return names[i]; }

unsigned bound_game_flag(const char *name)
{
  for (int i = 0; i < BOUND_GAMES; i++)
    if (strcmp(name, names[i]) == 0)
      return 1u << i;
  return 0;
}

const char *bound_games_unsaid(unsigned games)
{
  if (!(games & (BOUND_PLACING | BOUND_SLIDING | BOUND_PARTIAL)))
    return "how a vertex is computed: 'placing', 'sliding' or 'partial'";
  if (!(games & (BOUND_RECOMPUTE | BOUND_ONE_SHOT)))
    return "whether a vertex may be computed twice: 'recompute' or 'one-shot'";
  return games & BOUND_PARTIAL && !(games & BOUND_ONE_SHOT)
             ? "'one-shot', as the partial game computes each vertex once"
             : NULL;
}

void bound_games_text(unsigned games, text *out)
{
  size_t before = out->n;
  for (int i = 0; i < BOUND_GAMES; i++)
    if (games >> i & 1)
      text_printf(out, "%s%s", out->n > before ? ", " : "", names[i]);
}

void bound_games_sentence(unsigned games, text *out)
{
  int left = __builtin_popcount(games / BOUND_PLACING);
  for (int i = 2; i < BOUND_GAMES; i++)
    if (games >> i & 1)
      text_printf(out, "%s%s", names[i], --left > 1 ? ", " : left == 1 ? " or " : "");
  text_add(out, !(games & BOUND_RECOMPUTE) ? ", no vertex computed twice (one-shot)"
                : games & BOUND_ONE_SHOT   ? ", vertices computed once or again"
                                           : ", vertices may be computed again");
}
