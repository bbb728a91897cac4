#include "base/mem.h"
#include "schedules/tiler/plain/writer.h"
#include <string.h>

void plain_require(plain_guard *g, const char *condition)
{
  g->condition = mem_room(g->condition, (size_t)g->n, &g->room, sizeof *g->condition);
  g->condition[g->n++] = mem_text(condition);
}

static bool has(const plain_guard *g, const char *condition)
{
  for (int i = 0; i < g->n; i++)
    if (strcmp(g->condition[i], condition) == 0)
      return true;
  return false;
}

void plain_require_others(plain_guard *g, const plain_guard *of, const plain_guard *but)
{
  for (int i = 0; i < of->n; i++)
    if (!has(but, of->condition[i]))
      plain_require(g, of->condition[i]);
}

bool plain_guards_alike(const plain_guard *a, const plain_guard *b)
{
  bool alike = a->n == b->n;
  for (int i = 0; i < a->n && alike; i++)
    alike = strcmp(a->condition[i], b->condition[i]) == 0;
  return alike;
}

void plain_print_guard(const plain_guard *g, text *out)
{
  for (int i = 0; i < g->n; i++)
    text_printf(out, "%s%s", i ? " * " : "", g->condition[i]);
}

void plain_guard_cut(plain_guard *g, int n)
{
  while (g->n > n)
    mem_free(g->condition[--g->n]);
}

void plain_guard_clear(plain_guard *g)
{
  plain_guard_cut(g, 0);
  mem_free(g->condition);
  *g = (plain_guard){ 0 };
}
