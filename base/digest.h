/* digest.h -- FNV-1a, 64 bits: tells texts apart that were mixed up or damaged by accident; no protection against
 * forgery. */
#ifndef REDBLUE_DIGEST_H
#define REDBLUE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_BEGIN 0xcbf29ce484222325u

static inline uint64_t digest_bytes(uint64_t h, const void *bytes, size_t n)
{
  const unsigned char *s = bytes;
  for (size_t i = 0; i < n; i++)
    h = (h ^ s[i]) * 0x100000001b3u;
  return h;
}

/* A text and its end, so that texts cannot run together. */
static inline uint64_t digest_text(uint64_t h, const char *s)
{
  do
    h = (h ^ (unsigned char)*s) * 0x100000001b3u;
  while (*s++);
  return h;
}

#endif
