/* num.h -- 64-bit integer arithmetic that says when it overflows.  Each checked
   function returns false (and leaves *r alone) on overflow or division by zero. */
#ifndef REDBLUE_NUM_H
#define REDBLUE_NUM_H

#include <stdbool.h>
#include <stdint.h>

static inline bool num_add(int64_t a, int64_t b, int64_t *r)
{
  int64_t t;
  return !__builtin_add_overflow(a, b, &t) && (*r = t, true);
}
static inline bool num_sub(int64_t a, int64_t b, int64_t *r)
{
  int64_t t;
  return !__builtin_sub_overflow(a, b, &t) && (*r = t, true);
}
static inline bool num_mul(int64_t a, int64_t b, int64_t *r)
{
  int64_t t;
  return !__builtin_mul_overflow(a, b, &t) && (*r = t, true);
}

/* Quotient rounded towards minus infinity, and its remainder (sign of b); b != 0, and not INT64_MIN / -1. */
static inline int64_t num_floor_div(int64_t a, int64_t b)
{
  int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t num_floor_mod(int64_t a, int64_t b)
{
  int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline int64_t num_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t num_max(int64_t a, int64_t b) { return a > b ? a : b; }

/* For qsort and bsearch, of int64_t and of uint64_t. */
int num_by_value(const void *a, const void *b);
int num_by_size(const void *a, const void *b);

int64_t num_gcd(int64_t a, int64_t b);                   /* a, b >= 0; of 0 and b it is b */
__int128 num_gcd128(__int128 a, __int128 b);             /* of their sizes */
int64_t num_isqrt(int64_t a);                           /* floor of the root; a >= 0 */
bool num_pow(int64_t a, int64_t b, int64_t *r);         /* b >= 0 */
bool num_binomial(int64_t n, int64_t k, int64_t *r);    /* 0 when k < 0 or k > n >= 0 */

/* ---- counts: what a play moves, computes and costs ----
   Of 128 bits, so that no program that ends in a lifetime, played or inferred, comes near the end; and what comes there
   stays there: a sum or product that is no longer a count is NUM_TOO_MANY, and so is everything made of it.  It is
   larger than every count, so comparisons stay right; whoever answers with a count asks num_known first, and says that
   there are too many otherwise. */
__extension__ typedef unsigned __int128 num_count;
#define NUM_TOO_MANY (~(num_count)0)
static inline bool num_known(num_count c) { return c != NUM_TOO_MANY; }
static inline num_count num_plus(num_count a, num_count b) { num_count s = a + b; return s < a ? NUM_TOO_MANY : s; }
static inline num_count num_times(num_count a, num_count b)
{
  return b > 1 && a > NUM_TOO_MANY / b ? NUM_TOO_MANY : a * b;
}
/* The same in 64 bits, for pebbles: more of them than UINT64_MAX there never are. */
static inline uint64_t num_plus64(uint64_t a, uint64_t b) { uint64_t s = a + b; return s < a ? UINT64_MAX : s; }

enum { NUM_DIGITS = 40 };
typedef struct { char s[NUM_DIGITS]; } num_text;
num_text num_digits(num_count c);                       /* for printf: num_digits(c).s */
bool num_read_count(const char *s, const char **end, num_count *r); /* digits at s; false: none, or no count */

/* Parse "64", "64K", "2M", "1G" (1024-based suffixes); false if not such a number or too large. */
bool num_parse(const char *s, int64_t *r);

#endif
