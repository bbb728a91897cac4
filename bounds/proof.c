#include "bounds/proof.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Write s[0 .. n) as mathematics.  sqrt( ), ^( ) and _( ) take their argument in braces: `closing` remembers which
 * parentheses. */
static void mathematics(text *out, const char *s, size_t n)
{
  static const struct { const char *from, *to; bool opens; } words[] = {
    { "sqrt(", "\\sqrt{", true }, { "^(", "^{", true }, { "_(", "_{", true },
    { "<=", "\\le ", false }, { ">=", "\\ge ", false }, { "*", "\\cdot ", false },
    { "max(", "\\max(", false }, { "min(", "\\min(", false }, { "{", "\\{", false },
  };
  bool closing[64] = { false };
  int depth = 0;
  for (size_t i = 0; i < n;) {
    size_t w = 0, words_n = sizeof words / sizeof *words;
    while (w < words_n && strncmp(s + i, words[w].from, strlen(words[w].from)) != 0)
      w++;
    const char *from = w < words_n ? words[w].from : "";
    bool opening = w < words_n ? from[strlen(from) - 1] == '(' : s[i] == '(';
    if (opening && depth < 63)
      closing[++depth] = w < words_n && words[w].opens;
    if (w < words_n) {
      text_add(out, words[w].to);
      i += strlen(from);
      continue;
    }
    bool brace = s[i] == ')' && depth > 0 && closing[depth--];
    text_char(out, brace ? '}' : s[i]);
    i++;
  }
}

static void to_latex(text *out, const char *s)
{
  while (*s) {
    if (*s == '{') {
      const char *end = strchr(s, '}');
      size_t n = end ? (size_t)(end - s - 1) : strlen(s + 1);
      text_char(out, '$');
      mathematics(out, s + 1, n);
      text_char(out, '$');
      s += end ? n + 2 : n + 1;
    } else {
      if (strchr("%&_#$", *s))
        text_char(out, '\\');
      text_char(out, *s++);
    }
  }
}

static void to_plain(text *out, const char *s)
{
  for (; *s; s++)
    if (*s != '{' && *s != '}')
      text_char(out, *s);
}

void proof_say(const proof *p, const char *format, ...)
{
  char *said;
  va_list ap;
  va_start(ap, format);
  gmp_vasprintf(&said, format, ap);
  va_end(ap);
  to_plain(p->plain, said);
  to_latex(p->latex, said);
  free(said);
}

void proof_paragraph(const proof *p)
{
  text_add(p->plain, "\n\n");
  text_add(p->latex, "\n\n");
}
