#include "tests/support_damage.h"
#include "base/mem.h"
#include <string.h>

static void replace(text *t, size_t at, size_t gone, const char *with, size_t n)
{
  text out = { 0 };
  text_add_n(&out, text_str(t), at);
  text_add_n(&out, with, n);
  text_add(&out, text_str(t) + at + gone);
  text_clear(t);
  *t = out;
}

static size_t piece(support_random *r, const text *t, size_t *length)
{
  size_t at = (size_t)support_between(r, 0, (int64_t)t->n), left = t->n - at;
  *length = (size_t)support_between(r, 0, (int64_t)(left < 30 ? left : 30));
  return at;
}

static void injure(support_random *r, text *t, const char *const *words)
{
  size_t n, m, at = piece(r, t, &n);
  int count = 0;
  char byte = (char)support_between(r, 1, 255);
  char *copy;
  while (words[count])
    count++;
  const char *word = words[support_between(r, 0, count - 1)];
  switch (support_between(r, 0, 5)) {
  case 0: replace(t, at, n, "", 0); break;
  case 1: replace(t, at, n > 0, &byte, 1); break;
  case 2: replace(t, at, 0, word, strlen(word)); break;
  case 3: replace(t, at, n, word, strlen(word)); break;
  case 4: t->s ? replace(t, at, t->n - at, "", 0) : (void)0; break;
  default:
    copy = mem_text_n(text_str(t) + at, n);
    m = n;
    at = piece(r, t, &n);
    replace(t, at, 0, copy, m);
    mem_free(copy);
  }
}

void support_damage(support_random *r, text *t, const char *const *words, int times)
{
  while (times-- > 0)
    injure(r, t, words);
}
