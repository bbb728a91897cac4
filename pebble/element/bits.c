/* bits.c -- pages of bits; see bits.h.  A run is cut at the ends of pages, and inside a page at the ends of words. */
#include "pebble/element/bits.h"
#include "base/mem.h"
#include <string.h>

static const uint64_t zeros[PEBBLE_PAGE_WORDS];
#define F4 ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)
#define F32 F4, F4, F4, F4, F4, F4, F4, F4
static const uint64_t ones[PEBBLE_PAGE_WORDS] = { F32, F32, F32, F32, F32, F32, F32, F32,
                                                  F32, F32, F32, F32, F32, F32, F32, F32 };

void pebble_bits_init(pebble_bits *b, uint64_t size)
{
  *b = (pebble_bits){ .size = size, .pages = (size + PEBBLE_PAGE - 1) / PEBBLE_PAGE };
  b->page = MEM_NEW(pebble_page, b->pages);
  for (uint64_t i = 0; i < b->pages; i++)
    b->page[i].word = zeros;
}

static bool own(const pebble_page *p) { return p->word != zeros && p->word != ones; }

void pebble_bits_clear(pebble_bits *b)
{
  for (uint64_t i = 0; i < b->pages; i++)
    if (own(&b->page[i]))
      mem_free((uint64_t *)b->page[i].word);
  for (uint64_t i = 0; i < b->spares; i++)
    mem_free(b->spare[i]);
  mem_free(b->spare);
  mem_free(b->page);
  *b = (pebble_bits){ 0 };
}

/* The words of a page about to become mixed. */
static uint64_t *writable(pebble_bits *b, pebble_page *p)
{
  if (own(p))
    return (uint64_t *)p->word;
  uint64_t *w = b->spares ? b->spare[--b->spares] : MEM_NEW(uint64_t, PEBBLE_PAGE_WORDS);
  if (p->word == ones)
    memcpy(w, ones, sizeof ones);
  p->word = w;
  return w;
}

/* A page that became all zeros or all ones gives its memory back: a few are kept, clean. */
static void settle(pebble_bits *b, pebble_page *p)
{
  if (p->ones != 0 && p->ones != PEBBLE_PAGE)
    return;
  uint64_t *w = (uint64_t *)p->word;
  p->word = p->ones ? ones : zeros;
  if (b->spares >= 64) {
    mem_free(w);
    return;
  }
  if (p->ones)
    memset(w, 0, sizeof zeros);
  b->spare = mem_room(b->spare, b->spares, &b->spare_room, sizeof *b->spare);
  b->spare[b->spares++] = w;
}

void pebble_bits_set_slow(pebble_bits *b, uint64_t i)
{
  pebble_page *p = &b->page[i >> PEBBLE_PAGE_SHIFT];
  writable(b, p)[i % PEBBLE_PAGE / 64] |= UINT64_C(1) << i % 64;
  p->ones++;
  settle(b, p);
}

void pebble_bits_unset_slow(pebble_bits *b, uint64_t i)
{
  pebble_page *p = &b->page[i >> PEBBLE_PAGE_SHIFT];
  writable(b, p)[i % PEBBLE_PAGE / 64] &= ~(UINT64_C(1) << i % 64);
  p->ones--;
  settle(b, p);
}

/* ---- runs ---- */

/* n > 0 bits from bit `from` (below 64), as far as this word goes */
static uint64_t mask(unsigned from, uint64_t n) { return (n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << from; }

/* How many of n bits from i lie in i's page. */
static uint64_t in_page(uint64_t i, uint64_t n)
{
  uint64_t left = PEBBLE_PAGE - i % PEBBLE_PAGE;
  return n < left ? n : left;
}

/* Are the n bits from i of one page all equal to those of `same` (0 or all ones)? */
static bool page_run_is(const uint64_t *word, uint64_t i, uint64_t n, uint64_t same)
{
  const uint64_t *w = word + i % PEBBLE_PAGE / 64;
  unsigned from = i % 64;
  uint64_t first = mask(from, n);
  if ((*w ^ same) & first)
    return false;
  if (n <= 64 - from)
    return true;
  for (n -= 64 - from, w++; n >= 64; n -= 64, w++)
    if (*w != same)
      return false;
  return n == 0 || !((*w ^ same) & mask(0, n));
}

static bool run_is(const pebble_bits *b, uint64_t i, uint64_t n, uint64_t same)
{
  while (n > 0) {
    uint64_t here = in_page(i, n);
    if (!page_run_is(b->page[i >> PEBBLE_PAGE_SHIFT].word, i, here, same))
      return false;
    i += here;
    n -= here;
  }
  return true;
}

bool pebble_bits_all(const pebble_bits *b, uint64_t i, uint64_t n) { return run_is(b, i, n, ~UINT64_C(0)); }
bool pebble_bits_none(const pebble_bits *b, uint64_t i, uint64_t n) { return run_is(b, i, n, 0); }

/* Flip n bits from i of one page: each does change. */
static void flip_page_run(uint64_t *word, uint64_t i, uint64_t n)
{
  uint64_t *w = word + i % PEBBLE_PAGE / 64;
  unsigned from = i % 64;
  *w ^= mask(from, n);
  if (n <= 64 - from)
    return;
  for (n -= 64 - from, w++; n >= 64; n -= 64, w++)
    *w = ~*w;
  if (n > 0)
    *w ^= mask(0, n);
}

static void flip_run(pebble_bits *b, uint64_t i, uint64_t n, bool to)
{
  while (n > 0) {
    uint64_t here = in_page(i, n);
    pebble_page *p = &b->page[i >> PEBBLE_PAGE_SHIFT];
    if (here < PEBBLE_PAGE) {
      flip_page_run(writable(b, p), i, here);
      p->ones += to ? here : -here;
      settle(b, p);
    } else { /* the whole page: it was all alike */
      p->word = to ? ones : zeros;
      p->ones = to ? PEBBLE_PAGE : 0;
    }
    i += here;
    n -= here;
  }
}

void pebble_bits_set_run(pebble_bits *b, uint64_t i, uint64_t n) { flip_run(b, i, n, true); }
void pebble_bits_unset_run(pebble_bits *b, uint64_t i, uint64_t n) { flip_run(b, i, n, false); }
