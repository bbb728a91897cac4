/* bits.h -- a very long row of bits, in pages.

   A page of zeros and a page of ones have no memory of their own: a row of 10^12 bits costs what its mixed pages
   cost, plus 16 bytes for each 32,768 bits.  Each page knows how many ones it holds, so that it goes as soon as it is
   all alike; therefore the operations that change bits demand that every one of them does change.  Private to the room.
 */
#ifndef REDBLUE_PEBBLE_BITS_H
#define REDBLUE_PEBBLE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { PEBBLE_PAGE_SHIFT = 15, PEBBLE_PAGE = 1 << PEBBLE_PAGE_SHIFT, PEBBLE_PAGE_WORDS = PEBBLE_PAGE / 64 };

typedef struct {
  const uint64_t *word;        /* never NULL: a shared page of zeros or of ones, or its own */
  uint64_t ones;
} pebble_page;

typedef struct {
  uint64_t size;
  uint64_t pages;
  pebble_page *page;
  uint64_t **spare;            /* clean pages kept for the next mixed page */
  uint64_t spares, spare_room;
} pebble_bits;

void pebble_bits_init(pebble_bits *b, uint64_t size); /* all zero */
void pebble_bits_clear(pebble_bits *b);

static inline bool pebble_bits_get(const pebble_bits *b, uint64_t i)
{
  return b->page[i >> PEBBLE_PAGE_SHIFT].word[i % PEBBLE_PAGE / 64] >> i % 64 & 1;
}

/* One bit.  A page that was mixed and stays so is done on the spot. */
void pebble_bits_set_slow(pebble_bits *b, uint64_t i);
void pebble_bits_unset_slow(pebble_bits *b, uint64_t i);

static inline void pebble_bits_set(pebble_bits *b, uint64_t i) /* it was 0 */
{
  pebble_page *p = &b->page[i >> PEBBLE_PAGE_SHIFT];
  assert(!pebble_bits_get(b, i));
  if (p->ones == 0 || p->ones + 1 >= PEBBLE_PAGE) {
    pebble_bits_set_slow(b, i);
    return;
  }
  ((uint64_t *)p->word)[i % PEBBLE_PAGE / 64] |= UINT64_C(1) << i % 64;
  p->ones++;
}

static inline void pebble_bits_unset(pebble_bits *b, uint64_t i) /* it was 1 */
{
  pebble_page *p = &b->page[i >> PEBBLE_PAGE_SHIFT];
  assert(pebble_bits_get(b, i));
  if (p->ones <= 1 || p->ones == PEBBLE_PAGE) {
    pebble_bits_unset_slow(b, i);
    return;
  }
  ((uint64_t *)p->word)[i % PEBBLE_PAGE / 64] &= ~(UINT64_C(1) << i % 64);
  p->ones--;
}

/* Runs of n bits from i. */
bool pebble_bits_all(const pebble_bits *b, uint64_t i, uint64_t n);
bool pebble_bits_none(const pebble_bits *b, uint64_t i, uint64_t n);
void pebble_bits_set_run(pebble_bits *b, uint64_t i, uint64_t n);   /* they were 0 */
void pebble_bits_unset_run(pebble_bits *b, uint64_t i, uint64_t n); /* they were 1 */

#endif
