/* digest.c -- a number by which two readers see that they speak of the same computation. */
#include "base/digest.h"
#include "cdag/cdag.h"
#include <inttypes.h>

/* Byte by byte, the lowest first, on any machine. */
static uint64_t mix_number(uint64_t h, uint64_t v)
{
  unsigned char byte[8];
  for (int k = 0; k < 8; k++, v >>= 8)
    byte[k] = v & 255;
  return digest_bytes(h, byte, sizeof byte);
}

static uint64_t of_graph(const cdag_graph *g)
{
  uint64_t h = mix_number(DIGEST_BEGIN, g->n);
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
  if (g->graph)
    return of_graph(g->graph);
  cdag_print(&t, g);
  for (int i = 0; i < g->params; i++)
    text_printf(&t, "%s=%" PRId64 "\n", g->param[i].name, g->param[i].value);
  return digest_bytes(DIGEST_BEGIN, text_str(&t), t.n);
}
