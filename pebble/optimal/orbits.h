/* pebble/optimal/orbits.h -- keys up to the symmetries of the graph.

   A key is three sets: two of vertices and a third of vertices or edges.  Included with WORDS defined. */
#include "base/mem.h"
#include "pebble/optimal/bits.h"
#include "pebble/optimal/internal.h"
#include <string.h>

enum { MOST_SYMMETRIES = 64 };

typedef struct {
  uint32_t n;                     /* vertices */
  int count;
  bits_permutation *vertex, *edge;/* edge: NULL when the third set is one of vertices */
} orbits;

/* The edge that the images of e's ends span. */
static inline uint16_t orbits_edge(const cdag_graph *g, const bits_permutation *p, uint32_t v, uint64_t e)
{
  uint64_t f = g->pred_at[p->to[v]];
  while (g->pred[f] != p->to[g->pred[e]])
    f++;
  return (uint16_t)f;
}

static inline bits_permutation orbits_edges(const cdag_graph *g, const bits_permutation *p)
{
  uint16_t *to = MEM_NEW(uint16_t, g->m);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t e = g->pred_at[v]; e < g->pred_at[v + 1]; e++)
      to[e] = orbits_edge(g, p, v, e);
  bits_permutation q = bits_permutation_of(to, (uint32_t)g->m);
  mem_free(to);
  return q;
}

static inline void orbits_init(orbits *o, const cdag_graph *g, bool third_of_edges)
{
  uint16_t *perm;
  *o = (orbits){ .n = g->n, .count = optimal_symmetries(g, MOST_SYMMETRIES, &perm) };
  o->vertex = MEM_NEW(bits_permutation, (size_t)o->count);
  o->edge = third_of_edges ? MEM_NEW(bits_permutation, (size_t)o->count) : NULL;
  for (int i = 0; i < o->count; i++) {
    o->vertex[i] = bits_permutation_of(perm + (size_t)i * g->n, g->n);
    if (o->edge)
      o->edge[i] = orbits_edges(g, &o->vertex[i]);
  }
  mem_free(perm);
}

static inline void orbits_clear(orbits *o)
{
  mem_free(o->vertex);
  mem_free(o->edge);
}

/* Replace key by its image if that is smaller. */
static inline bool orbits_lower(const bits_permutation *const by[3], bits key[3])
{
  for (int i = 0; i < 3; i++) {
    int order = bits_compare(bits_image(by[i], key[i]), key[i]);
    if (order > 0)
      return false;
    if (order == 0)
      continue;
    for (int j = i; j < 3; j++)
      key[j] = bits_image(by[j], key[j]);
    return true;
  }
  return false;
}

/* Go downhill until no symmetry makes the key smaller. */
static inline void orbits_canonical(const orbits *o, uint64_t *key, uint16_t *name)
{
  bits k[3];
  memcpy(k, key, sizeof k);
  for (int i = 0, since = 0; since < o->count; i = (i + 1) % o->count, since++) {
    const bits_permutation *v = &o->vertex[i], *const by[3] = { v, v, o->edge ? &o->edge[i] : v };
    if (!orbits_lower(by, k))
      continue;
    since = -1;
    for (uint32_t u = 0; name && u < o->n; u++)
      name[u] = v->to[name[u]];
  }
  memcpy(key, k, sizeof k);
}

static inline void orbits_explain(const orbits *o, pebble_optimal_list *list)
{
  list->turns = (uint32_t)o->count;
  list->turn = MEM_NEW(uint16_t, (size_t)o->count * o->n);
  for (int i = 0; i < o->count; i++)
    memcpy(list->turn + (size_t)i * o->n, o->vertex[i].to, o->n * sizeof *list->turn);
}
