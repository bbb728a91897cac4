#include "tests/support.h"
#include "base/mem.h"
#include <stdlib.h>

static uint64_t before;
static void remember(void) { before = mem_live(); }

/* A test that failed has mostly left blocks behind: with FIRST_FAILURE that ends the program, for runs that only ask
 * whether any test fails. */
static void compare(void)
{
  if (mem_live() != before && getenv("FIRST_FAILURE"))
    _Exit(EXIT_FAILURE);
  ck_assert_msg(mem_live() == before, "%ld blocks leaked", (long)(mem_live() - before));
}

TCase *support_case(Suite *s, const char *name)
{
  TCase *c = tcase_create(name);
  tcase_add_checked_fixture(c, remember, compare);
  tcase_set_timeout(c, 120);
  suite_add_tcase(s, c);
  return c;
}

int support_run(Suite *s)
{
  mem_serve_gmp();
  mem_keep_pages();
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#ifndef __has_feature /* clang's; gcc defines __SANITIZE_ADDRESS__ */
#define __has_feature(what) 0
#endif
bool support_sanitized(void)
{
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
  return true;
#else
  return getenv("SANITIZED") != NULL;
#endif
}

bool support_left_out(int i) { return support_sanitized() && i % 3 != 0; }

int support_rounds(int n)
{
  const char *rounds = getenv("ROUNDS");
  int times = rounds ? atoi(rounds) : 1;
  n *= times > 0 ? times : 1;
  return support_sanitized() ? (n + 7) / 8 : times > 1 ? n : (n + 1) / 2;
}

static int sampled_of(void) { return support_sanitized() ? 24 : 4; }

bool support_sampled(int k)
{
  support_random r = { (uint64_t)k };
  return support_next(&r) % (uint64_t)sampled_of() < (uint64_t)support_rounds(1);
}

int support_sample(int n)
{
  int asked = support_rounds(1), of = sampled_of();
  return n * (asked < of ? asked : of) / of;
}

uint64_t support_next(support_random *r)
{
  uint64_t z = r->s += 0x9e3779b97f4a7c15u; /* splitmix64 */
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* ---- decisions from bytes ---- */

static const uint8_t *tape, *tape_end;

void support_tape(const uint8_t *bytes, size_t n)
{
  tape = bytes;
  tape_end = bytes ? bytes + n : NULL;
}

static uint64_t from_tape(uint64_t range)
{
  uint64_t v = *tape++;
  for (; range > 256 && tape < tape_end; range >>= 8)
    v = v << 8 | *tape++;
  return v;
}

int64_t support_between(support_random *r, int64_t lo, int64_t hi)
{
  uint64_t range = (uint64_t)(hi - lo + 1), draw = tape < tape_end ? from_tape(range) : support_next(r);
  return lo + (int64_t)(draw % range);
}
