/* pebble/optimal/bits.h -- sets of up to 64 * WORDS vertices.  Included with WORDS defined, in one file for each width.
 */
#ifndef REDBLUE_OPTIMAL_BITS_H
#define REDBLUE_OPTIMAL_BITS_H
#include <stdbool.h>
#include <stdint.h>

#ifndef WORDS
#error "define WORDS before including pebble/optimal/bits.h"
#endif

typedef struct {
  uint64_t w[WORDS];
} bits;

#define EACH_WORD(i) for (int i = 0; i < WORDS; i++)

static inline bits bits_or(bits a, bits b) { EACH_WORD(i) a.w[i] |= b.w[i]; return a; }
static inline bits bits_and(bits a, bits b) { EACH_WORD(i) a.w[i] &= b.w[i]; return a; }
static inline bits bits_less(bits a, bits b) { EACH_WORD(i) a.w[i] &= ~b.w[i]; return a; }
static inline bits bits_one(int v) { bits a = { { 0 } }; a.w[v / 64] = 1ull << v % 64; return a; }
static inline bits bits_with(bits a, int v) { a.w[v / 64] |= 1ull << v % 64; return a; }
static inline bits bits_without(bits a, int v) { a.w[v / 64] &= ~(1ull << v % 64); return a; }
static inline bool bits_has(bits a, int v) { return a.w[v / 64] >> v % 64 & 1; }
static inline bool bits_empty(bits a) { uint64_t all = 0; EACH_WORD(i) all |= a.w[i]; return !all; }
static inline bool bits_within(bits a, bits b) { return bits_empty(bits_less(a, b)); }
static inline bool bits_meet(bits a, bits b) { return !bits_empty(bits_and(a, b)); }

/* Without a machine instruction to rely on, faster than the compiler's call. */
static inline int bits_count_word(uint64_t x)
{
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)(x * 0x0101010101010101u >> 56);
}
static inline int bits_count(bits a) { int n = 0; EACH_WORD(i) n += bits_count_word(a.w[i]); return n; }

/* Take the smallest element out of *a; false when there is none: for (bits t = a; bits_take(&t, &v);) */
static inline bool bits_take(bits *a, int *v)
{
  EACH_WORD(i)
  if (a->w[i]) {
    *v = 64 * i + __builtin_ctzll(a->w[i]);
    a->w[i] &= a->w[i] - 1;
    return true;
  }
  return false;
}

/* A permutation of the elements: to[v], and those it moves. */
typedef struct {
  uint16_t to[64 * WORDS];
  bits moved;
} bits_permutation;

static inline bits_permutation bits_permutation_of(const uint16_t *to, uint32_t n)
{
  bits_permutation p = { .moved = { { 0 } } };
  for (uint32_t v = 0; v < n; v++) {
    p.to[v] = to[v];
    if (to[v] != v)
      p.moved = bits_with(p.moved, (int)v);
  }
  return p;
}

static inline bits bits_image(const bits_permutation *p, bits a)
{
  bits image = bits_less(a, p->moved);
  int v;
  for (bits t = bits_and(a, p->moved); bits_take(&t, &v);)
    image = bits_with(image, p->to[v]);
  return image;
}

static inline int bits_compare(bits a, bits b)
{
  EACH_WORD(i)
  if (a.w[i] != b.w[i])
    return a.w[i] < b.w[i] ? -1 : 1;
  return 0;
}

#endif
