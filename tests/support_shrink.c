/* Delta debugging (Zeller and Hildebrandt 2002) on lines, then on tokens, with two moves of our own: a loop gives way
   to its body, and numbers fall. */
#include "tests/support_shrink.h"
#include "base/mem.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { text *t; shrink_still still; void *context; } shrinker;

/* Replace n bytes at `at`; keep that if it still fails. */
static bool without(shrinker *s, size_t at, size_t n, const char *with)
{
  text u = { 0 };
  text_add_n(&u, text_str(s->t), at);
  text_add(&u, with);
  text_add(&u, text_str(s->t) + at + n);
  bool good = s->still(s->context, text_str(&u));
  if (good) {
    text_clear(s->t);
    *s->t = u;
  } else
    text_clear(&u);
  return good;
}

/* ---- pieces: lines or tokens, by their ends ---- */

typedef size_t (*piece_end)(const char *s, size_t at);

static size_t line_end(const char *s, size_t at)
{
  size_t n = strcspn(s + at, "\n");
  return at + n + (s[at + n] == '\n');
}

static size_t token_end(const char *s, size_t at)
{
  size_t to = at;
  if (isalnum((unsigned char)s[to]) || s[to] == '_')
    while (isalnum((unsigned char)s[to]) || s[to] == '_')
      to++;
  else
    to++;
  while (s[to] == ' ')
    to++;
  return to;
}

/* Where the pieces begin, and the end of the last; to be freed. */
static size_t *cut(const char *s, piece_end end, size_t *n)
{
  size_t room = 0, *at = NULL, here = 0;
  for (*n = 0;; here = end(s, here)) {
    at = mem_room(at, *n, &room, sizeof *at);
    at[*n] = here;
    if (!s[here])
      return at;
    (*n)++;
  }
}

/* Leave out runs of `run` pieces; true when one went. */
static bool remove_runs(shrinker *s, piece_end end, size_t run)
{
  bool some = false;
  for (size_t i = 0;; ) {
    size_t n, *at = cut(text_str(s->t), end, &n);
    bool over = i >= n;
    size_t to = i + run < n ? i + run : n;
    bool gone = !over && without(s, at[i], at[to] - at[i], "");
    mem_free(at);
    if (over)
      return some;
    some |= gone;
    i += gone ? 0 : run;
  }
}

static bool remove_pieces(shrinker *s, piece_end end)
{
  bool some = false;
  size_t n;
  mem_free(cut(text_str(s->t), end, &n));
  for (size_t run = n / 2 + 1; run > 0; run /= 2)
    some |= remove_runs(s, end, run);
  return some;
}

/* ---- a loop gives way to its body ---- */

static const char *matching(const char *open)
{
  int depth = 0;
  for (const char *c = open; *c; c++) {
    depth += (*c == '{') - (*c == '}');
    if (depth == 0)
      return c;
  }
  return NULL;
}

/* The line that ends in the brace at `open`, up to its brace, and the closing brace go. */
static bool unwrap_at(shrinker *s, size_t open)
{
  const char *t = text_str(s->t), *close = matching(t + open);
  size_t line = open;
  text body = { 0 };
  if (!close)
    return false;
  while (line > 0 && t[line - 1] != '\n' && t[line - 1] != '{' && t[line - 1] != '}')
    line--;
  text_add_n(&body, t + open + 1, (size_t)(close - (t + open + 1)));
  bool gone = without(s, line, (size_t)(close + 1 - (t + line)), text_str(&body));
  text_clear(&body);
  return gone;
}

static bool unwrap(shrinker *s)
{
  bool some = false;
  for (size_t i = 0; i < s->t->n; i++)
    if (s->t->s[i] == '{')
      some |= unwrap_at(s, i);
  return some;
}

/* ---- numbers fall ---- */

static bool lower_at(shrinker *s, size_t at, size_t digits)
{
  uint64_t v = strtoull(s->t->s + at, NULL, 10);
  const uint64_t lower[] = { 0, 1, v / 2, v - 1 };
  char word[32];
  for (int i = 0; i < 4; i++) {
    snprintf(word, sizeof word, "%llu", (unsigned long long)lower[i]);
    if (lower[i] < v && without(s, at, digits, word))
      return true;
  }
  return false;
}

static bool lower_numbers(shrinker *s)
{
  bool some = false;
  for (size_t i = 0; i < s->t->n; i++) {
    size_t digits = strspn(s->t->s + i, "0123456789");
    if (digits && (i == 0 || (!isalnum((unsigned char)s->t->s[i - 1]) && s->t->s[i - 1] != '_')))
      some |= lower_at(s, i, digits);
    i += digits ? strspn(s->t->s + i, "0123456789") - 1 : 0;
  }
  return some;
}

void support_shrink(text *t, shrink_still still, void *context)
{
  shrinker s = { t, still, context };
  bool some = true;
  while (some) {
    some = remove_pieces(&s, line_end);
    some |= unwrap(&s);
    some |= remove_pieces(&s, token_end);
    some |= lower_numbers(&s);
  }
}
