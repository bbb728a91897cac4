#include "bounds/proof.h"
#include "base/latex.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void to_latex(text *out, const char *s)
{
  while (*s) {
    if (*s == '{') {
      const char *end = strchr(s, '}');
      size_t n = end ? (size_t)(end - s - 1) : strlen(s + 1);
      text_char(out, '$');
      latex_formula(out, s + 1, n, false);
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
