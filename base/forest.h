/* forest.h -- disjoint sets by union and find: up[v] is v at a root. */
#ifndef REDBLUE_FOREST_H
#define REDBLUE_FOREST_H

#include <stdint.h>

static inline uint32_t forest_root(uint32_t *up, uint32_t v)
{
  while (up[v] != v)
    v = up[v] = up[up[v]];
  return v;
}

static inline void forest_plant(uint32_t *up, uint32_t n)
{
  for (uint32_t v = 0; v < n; v++)
    up[v] = v;
}

/* The lesser root stays one. */
static inline void forest_unite(uint32_t *up, uint32_t a, uint32_t b)
{
  a = forest_root(up, a);
  b = forest_root(up, b);
  up[a > b ? a : b] = a > b ? b : a;
}

#endif
