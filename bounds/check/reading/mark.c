/* Marking backwards from the outputs, predecessor by predecessor. */
#include "bounds/check/reading/mark.h"
#include "base/mem.h"

typedef struct {
  const cdag *g;
  uint8_t *seen;
  uint64_t *stack;
  size_t n, room;
  uint64_t edges, most;
} marking;

static void push(marking *k, uint64_t id)
{
  if (k->seen[id])
    return;
  k->seen[id] = 1;
  k->stack = mem_room(k->stack, k->n, &k->room, sizeof *k->stack);
  k->stack[k->n++] = id;
}

static bool push_element(void *context, const cdag_element *e, int term)
{
  marking *k = context;
  (void)term;
  if (++k->edges > k->most)
    return false;
  push(k, cdag_id(k->g, e->array, e->x));
  return true;
}

bool checker_mark(const cdag *g, uint64_t vertices, uint64_t edges, uint8_t *seen, uint64_t *outputs)
{
  marking k = { .g = g, .seen = seen, .most = edges };
  cdag_element e;
  *outputs = 0;
  if (g->vertices > vertices)
    return false;
  for (uint64_t id = 0; id < g->vertices; id++) {
    cdag_at(g, id, &e);
    if (!cdag_is_output(g, e.array, e.x) || cdag_is_input(g, e.array, e.x))
      continue;
    ++*outputs;
    push(&k, id);
  }
  while (k.n > 0 && k.edges <= k.most) {
    cdag_at(g, k.stack[--k.n], &e);
    cdag_each_predecessor(g, e.array, e.x, push_element, &k);
  }
  mem_free(k.stack);
  return k.edges <= k.most;
}
