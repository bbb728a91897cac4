#include "base/visible.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 sequence that begins with this one; 1 where none does. */
static size_t length_of(unsigned char c) { return c < 0xc2 || c > 0xf4 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4; }

/* Does s[0 .. n) hold such a sequence?  Its code point, or that of a control where it is broken. */
static uint32_t decode(const char *s, size_t n)
{
  uint32_t code = (unsigned char)*s & (0xffu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    if (((unsigned char)s[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | ((unsigned char)s[i] & 0x3f);
  }
  return code;
}

/* C1 controls, marks and overrides of direction, line and paragraph separators. */
static int is_harmless(uint32_t code)
{
  return code >= 0xa0 && code != 0x200e && code != 0x200f && !(code >= 0x2028 && code <= 0x202e) &&
         !(code >= 0x2066 && code <= 0x2069);
}

size_t visible_next(const char *s, size_t n, int *harmless)
{
  unsigned char c = (unsigned char)*s;
  size_t length = length_of(c);
  *harmless = c == '\t' || (c >= 0x20 && c < 0x7f);
  if (length == 1)
    return 1;
  for (size_t i = 1; i < length && i < n; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80)
      return 1;
  if (n < length)
    return 0;
  *harmless = is_harmless(decode(s, length));
  return *harmless ? length : 1;
}

void visible_text(char *out, size_t room, const char *s)
{
  size_t used = 0, n = strlen(s);
  while (n) {
    int harmless;
    size_t length = visible_next(s, n, &harmless), step = length ? length : 1, needed = harmless && length ? length : 4;
    if (used + needed >= room)
      break;
    if (harmless && length)
      memcpy(out + used, s, length);
    else
      snprintf(out + used, room - used, "\\x%02x", (unsigned char)*s);
    used += needed;
    s += step;
    n -= step;
  }
  out[used] = '\0';
}
