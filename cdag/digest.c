/* digest.c -- a number by which two readers see that they speak of the same computation. */
#include "cdag/cdag.h"
#include <inttypes.h>

static const uint64_t START = 0xcbf29ce484222325u, PRIME = 0x100000001b3u; /* FNV-1a */

static uint64_t mix_number(uint64_t h, uint64_t v)
{
  for (int byte = 0; byte < 8; byte++, v >>= 8)
    h = (h ^ (v & 255)) * PRIME;
  return h;
}

static uint64_t of_graph(const cdag_graph *g)
{
  uint64_t h = mix_number(START, g->n);
  for (uint32_t v = 0; v < g->n; v++) {
    h = mix_number(h, (uint64_t)(g->pred_at[v + 1] - g->pred_at[v]) << 1 | g->output[v]);
    for (uint32_t i = g->pred_at[v]; i < g->pred_at[v + 1]; i++)
      h = mix_number(h, g->pred[i]);
  }
  return h;
}

uint64_t cdag_digest(const cdag *g)
{
  SCOPED_TEXT t = { 0 };
  uint64_t h = START;
  if (g->graph)
    return of_graph(g->graph);
  cdag_print(&t, g);
  for (int i = 0; i < g->params; i++)
    text_printf(&t, "%s=%" PRId64 "\n", g->param[i].name, g->param[i].value);
  for (size_t i = 0; i < t.n; i++)
    h = (h ^ (unsigned char)t.s[i]) * PRIME;
  return h;
}
