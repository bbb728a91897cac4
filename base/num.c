#include "base/num.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

int num_by_value(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

int num_by_size(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int64_t num_gcd(int64_t a, int64_t b)
{
  if (a == 1 || b == 1) /* mostly so: a division is slow */
    return 1;
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__int128 num_gcd128(__int128 a, __int128 b)
{
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t num_isqrt(int64_t a)
{
  int64_t lo = 0, hi = 3037000499; /* floor(sqrt(2^63 - 1)) */
  while (lo < hi) {
    int64_t mid = lo + (hi - lo + 1) / 2;
    if (mid * mid <= a)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

bool num_pow(int64_t a, int64_t b, int64_t *r)
{
  int64_t result = 1;
  if (b < 0)
    return false;
  if (a == 0 || a == 1 || a == -1) {
    *r = b == 0 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : a;
    return true;
  }
  for (; b > 0; b--)
    if (!num_mul(result, a, &result))
      return false;
  *r = result;
  return true;
}

bool num_binomial(int64_t n, int64_t k, int64_t *r)
{
  if (n < 0)
    return false;
  if (k < 0 || k > n) {
    *r = 0;
    return true;
  }
  k = num_min(k, n - k);
  int64_t value = 1;
  for (int64_t i = 1; i <= k; i++) { /* value stays binomial(n-k+i, i) */
    __int128 wide = (__int128)value * (n - k + i) / i;
    if (wide > INT64_MAX)
      return false;
    value = (int64_t)wide;
  }
  *r = value;
  return true;
}

/* ---- counts ---- */

num_text num_digits(num_count c)
{
  num_text t = { "too many" };
  if (!num_known(c))
    return t;
  size_t at = sizeof t.s - 1;
  t.s[at] = '\0';
  do
    t.s[--at] = (char)('0' + (int)(c % 10));
  while (c /= 10);
  memmove(t.s, t.s + at, sizeof t.s - at);
  return t;
}

bool num_read_count(const char *s, const char **end, num_count *r)
{
  num_count value = 0;
  *end = s;
  for (; isdigit((unsigned char)**end); ++*end)
    value = num_plus(num_times(value, 10), (num_count)(**end - '0'));
  *r = value;
  return *end > s && num_known(value);
}

static int64_t suffix_scale(char c)
{
  switch (toupper((unsigned char)c)) {
  case 'K': return (int64_t)1 << 10;
  case 'M': return (int64_t)1 << 20;
  case 'G': return (int64_t)1 << 30;
  default: return 0;
  }
}

bool num_parse(const char *s, int64_t *r)
{
  int64_t value = 0;
  size_t i = 0;
  bool negative = s[0] == '-';
  if (negative)
    i++;
  if (!isdigit((unsigned char)s[i]))
    return false;
  for (; isdigit((unsigned char)s[i]); i++)
    if (!num_mul(value, 10, &value) || !num_add(value, s[i] - '0', &value))
      return false;
  if (s[i] && suffix_scale(s[i])) {
    if (!num_mul(value, suffix_scale(s[i]), &value))
      return false;
    i++;
  }
  if (s[i])
    return false;
  *r = negative ? -value : value;
  return true;
}
