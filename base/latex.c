#include "base/latex.h"
#include <ctype.h>
#include <string.h>

/* A parameter nk is n_k, d2 is d_2; a longer word is upright. */
static size_t name(text *out, const char *s, size_t n, bool parameters)
{
  size_t k = 0;
  while (k < n && isalnum((unsigned char)s[k]))
    k++;
  if (k == 2 && parameters)
    text_printf(out, "{%c_%c}", s[0], s[1]);
  else if (k <= 2)
    text_add_n(out, s, k);
  else
    text_printf(out, "\\mathrm{%.*s}", (int)k, s);
  return k;
}

/* What is written in a way of its own, and what ends it, if it opens a bracket. */
static const struct { const char *from, *to, *close; } words[] = {
  { "sqrt(", "\\sqrt{", "}" },      { "ceil(", "\\lceil ", "\\rceil " },
  { "floor(", "\\lfloor ", "\\rfloor " }, { "min(", "\\min(", ")" },
  { "max(", "\\max(", ")" },        { "log2(", "\\log_2(", ")" },
  { "^(", "^{", "}" },              { "_(", "_{", "}" },
  { "(", "(", ")" },                { "<=", "\\le ", NULL },
  { ">=", "\\ge ", NULL },          { "<<", "\\ll ", NULL },
  { ">>", "\\gg ", NULL },          { "*", "\\,", NULL },
  { "{", "\\{", NULL },             { "}", "\\}", NULL },
  { "$", "\\$", NULL },             { "%", "\\%", NULL },
  { "#", "\\#", NULL },             { "&", "\\&", NULL },
  { "\\", "\\backslash ", NULL },   { "~", "\\sim ", NULL },
};

static int word_at(const char *s, size_t n)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].from) <= n && memcmp(s, words[i].from, strlen(words[i].from)) == 0)
      return (int)i;
  return -1;
}

/* ^2, ^n, _k; alone they are signs. */
static size_t raised(text *out, const char *s, size_t n)
{
  size_t k = 1;
  while (k < n && (isalnum((unsigned char)s[k]) || (s[k] == '.' && k + 1 < n && isdigit((unsigned char)s[k + 1]))))
    k++;
  if (k > 1)
    text_printf(out, "%c{%.*s}", *s, (int)k - 1, s + 1);
  else
    text_add(out, *s == '^' ? "\\wedge " : "\\_");
  return k;
}

void latex_formula(text *out, const char *s, size_t n, bool parameters)
{
  enum { DEEP = 32 };
  const char *closing[DEEP];
  int depth = 0;
  for (size_t i = 0, k; i < n; i += k) {
    int w = word_at(s + i, n - i);
    if (w >= 0 && (!words[w].close || depth < DEEP)) {
      text_add(out, words[w].to);
      k = strlen(words[w].from);
      if (words[w].close)
        closing[depth++] = words[w].close;
    } else if (isalpha((unsigned char)s[i])) {
      k = name(out, s + i, n - i, parameters);
    } else if (s[i] == '^' || s[i] == '_') {
      k = raised(out, s + i, n - i);
    } else {
      k = 1;
      if (s[i] == ')' && depth > 0)
        text_add(out, closing[--depth]);
      else
        text_char(out, iscntrl((unsigned char)s[i]) ? ' ' : s[i]);
    }
  }
  while (depth > 0) /* what was left open: a brace must not swallow the rest of the page */
    text_add(out, closing[--depth]);
}
