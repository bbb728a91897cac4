/* random.h -- splitmix64 (Steele, Lea, Flood 2014): same seed, same numbers on every machine. */
#ifndef REDBLUE_RANDOM_H
#define REDBLUE_RANDOM_H
#include <stdint.h>

typedef struct {
  uint64_t state; /* the seed, at first */
} random_source;

static inline uint64_t random_next(random_source *r)
{
  uint64_t z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Uniform below n > 0, up to a bias of n / 2^64 (multiply and shift, no division). */
static inline uint64_t random_below(random_source *r, uint64_t n)
{
  return (uint64_t)((unsigned __int128)random_next(r) * n >> 64);
}
#endif
