#include "bounds/proof.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Write s[0 .. n) as mathematics.  sqrt( ), ^( ) and _( ) take their argument in braces, floor( ) and ceil( ) in
 * brackets of their own: `closing` remembers what ends each parenthesis. */
static void mathematics(text *out, const char *s, size_t n)
{
  static const struct { const char *from, *to, *end; } words[] = {
    { "sqrt(", "\\sqrt{", "}" }, { "^(", "^{", "}" }, { "_(", "_{", "}" },
    { "floor(", "\\lfloor ", " \\rfloor" }, { "ceil(", "\\lceil ", " \\rceil" }, { "log2(", "\\log_2(", ")" },
    { "max(", "\\max(", ")" }, { "min(", "\\min(", ")" }, { "(", "(", ")" },
    { "<=", "\\le ", NULL }, { ">=", "\\ge ", NULL }, { "*", "\\cdot ", NULL }, { "{", "\\{", NULL },
  };
  const char *closing[64] = { NULL };
  int depth = 0;
  for (size_t i = 0; i < n;) {
    size_t w = 0, words_n = sizeof words / sizeof *words;
    while (w < words_n && strncmp(s + i, words[w].from, strlen(words[w].from)) != 0)
      w++;
    if (w < words_n) {
      if (words[w].end && depth < 63)
        closing[++depth] = words[w].end;
      text_add(out, words[w].to);
      i += strlen(words[w].from);
    } else if (s[i] == ')' && depth > 0) {
      text_add(out, closing[depth--]);
      i++;
    } else {
      text_char(out, s[i++]);
    }
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
