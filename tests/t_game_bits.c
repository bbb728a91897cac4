/* t_game_bits.c -- rows of bits in pages, against one byte a bit. */
#include "base/mem.h"
#include "pebble/element/bits.h"
#include "tests/support.h"
#include <string.h>

enum { SIZE = 3 * PEBBLE_PAGE + 100 };

static bool plain_is(const char *bytes, uint64_t i, uint64_t n, char value)
{
  for (; n > 0; n--, i++)
    if (bytes[i] != value)
      return false;
  return true;
}

/* How far from i all bits are alike. */
static uint64_t alike(const char *bytes, uint64_t i)
{
  uint64_t n = 1;
  while (i + n < SIZE && bytes[i + n] == bytes[i])
    n++;
  return n;
}

static void compare(const pebble_bits *b, const char *bytes)
{
  uint64_t ones = 0, counted = 0;
  for (uint64_t i = 0; i < SIZE; i++) {
    ck_assert_int_eq(pebble_bits_get(b, i), bytes[i]);
    ones += (uint64_t)bytes[i];
  }
  for (uint64_t p = 0; p < b->pages; p++)
    counted += b->page[p].ones;
  ck_assert_uint_eq(counted, ones);
}

/* Somewhere, with a liking for the ends of words and pages. */
static uint64_t somewhere(support_random *r)
{
  int64_t at = support_between(r, 0, SIZE - 1);
  int64_t unit = support_between(r, 0, 2) ? PEBBLE_PAGE : 64;
  if (support_between(r, 0, 1))
    at = at / unit * unit + support_between(r, -2, 2);
  return at < 0 ? 0 : at >= SIZE ? SIZE - 1 : (uint64_t)at;
}

static void iteration(pebble_bits *b, char *bytes, uint64_t i, uint64_t n)
{
  char value = !bytes[i];
  if (n == 1 && value)
    pebble_bits_set(b, i);
  else if (n == 1)
    pebble_bits_unset(b, i);
  else if (value)
    pebble_bits_set_run(b, i, n);
  else
    pebble_bits_unset_run(b, i, n);
  memset(bytes + i, value, n);
}

START_TEST(runs)
{
  support_random r = { (uint64_t)_i };
  pebble_bits b;
  char *bytes = MEM_NEW(char, SIZE);
  pebble_bits_init(&b, SIZE);
  for (int k = 0; k < 300; k++) {
    uint64_t i = somewhere(&r), n = alike(bytes, i), end = somewhere(&r);
    if (support_between(&r, 0, 3) == 0)
      n = 1;
    else if (end > i && end - i < n)
      n = end - i;
    iteration(&b, bytes, i, n);
    i = somewhere(&r);
    end = somewhere(&r);
    if (end > i) {
      ck_assert_int_eq(pebble_bits_all(&b, i, end - i), plain_is(bytes, i, end - i, 1));
      ck_assert_int_eq(pebble_bits_none(&b, i, end - i), plain_is(bytes, i, end - i, 0));
    }
    n = alike(bytes, i);
    ck_assert(bytes[i] ? pebble_bits_all(&b, i, n) : pebble_bits_none(&b, i, n));
    if (i + n < SIZE)
      ck_assert(!pebble_bits_all(&b, i, n + 1) && !pebble_bits_none(&b, i, n + 1));
  }
  compare(&b, bytes);
  pebble_bits_clear(&b);
  mem_free(bytes);
}
END_TEST

/* A page that is all alike has no memory of its own. */
START_TEST(pages)
{
  pebble_bits b;
  uint64_t before = mem_live();
  pebble_bits_init(&b, SIZE);
  pebble_bits_set_run(&b, 0, 2 * PEBBLE_PAGE);
  ck_assert_uint_eq(mem_live(), before + 1);
  pebble_bits_unset(&b, 5);
  ck_assert(b.page[0].word != b.page[1].word && b.page[2].word != b.page[1].word);
  pebble_bits_set(&b, 5);
  ck_assert(b.page[0].word == b.page[1].word && b.page[2].word == b.page[3].word);
  pebble_bits_clear(&b);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bits");
  TCase *c = support_case(s, "bits");
  tcase_add_loop_test(c, runs, 0, support_rounds(40));
  tcase_add_test(c, pages);
  return support_run(s);
}
