#include "bounds/proof.h"
#include "base/embed.h"
#include "base/latex.h"
#include <assert.h>
#include <ctype.h>
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

static void say(const proof *p, const char *s)
{
  to_plain(p->plain, s);
  to_latex(p->latex, s);
}

void proof_say(const proof *p, const char *format, ...)
{
  char *said;
  va_list ap;
  va_start(ap, format);
  gmp_vasprintf(&said, format, ap);
  va_end(ap);
  say(p, said);
  free(said);
}

/* ---- texts beside the theorems ---- */

/* What follows the section's name, and where that ends. */
static const char *find_section(const char *key, const char **end)
{
  const char *name = strrchr(key, '/') + 1;
  const embedded_file *f = embedded_files;
  SCOPED_TEXT path = { 0 }, head = { 0 };
  text_printf(&path, "bounds/%.*s.txt", (int)(name - 1 - key), key);
  text_printf(&head, "# %s\n\n", name);
  while (f->path && strcmp(f->path, text_str(&path)) != 0)
    f++;
  const char *at = f->path ? strstr(f->text, text_str(&head)) : NULL;
  assert(at);
  at += head.n;
  *end = strstr(at, "\n\n# ");
  *end = *end ? *end : f->text + f->size - 1;
  return at;
}

/* The value of the place at *at, behind "$": a line "name value" of `values`. */
static void put_value(text *out, const char **at, const char *values)
{
  const char *name = *at + (**at == '('), *end = name;
  while (isalnum((unsigned char)*end) || *end == '_')
    end++;
  size_t n = (size_t)(end - name);
  while (strncmp(values, name, n) != 0 || values[n] != ' ') {
    values = strchr(values, '\n');
    assert(values);
    values++;
  }
  values += n + 1;
  text_printf(out, "%.*s", (int)strcspn(values, "\n"), values);
  *at = end + (**at == '(');
}

/* Of a paragraph that was begun, go on with a sentence. */
static void go_on(const proof *p, text *t)
{
  bool apart = p->plain->n > 0 && !isspace((unsigned char)p->plain->s[p->plain->n - 1]);
  if (apart && t->n > 0 && !strchr(",;.: ", t->s[0]))
    say(p, " ");
  say(p, text_str(t));
  text_clear(t);
}

static void tell(const proof *p, const char *at, const char *end, const char *values)
{
  text t = { 0 };
  bool open = end - at > 4 && !strncmp(end - 4, "\n...", 4); /* the paragraph goes on */
  for (end -= open ? 4 : 0; at < end;) {
    if (*at == '$') {
      at++;
      put_value(&t, &at, values);
    } else if (at[0] == '\n' && at[1] == '\n') {
      go_on(p, &t);
      proof_paragraph(p);
      at += 2;
    } else {
      text_char(&t, *at == '\n' ? ' ' : *at);
      at++;
    }
  }
  go_on(p, &t);
  if (!open)
    proof_paragraph(p);
}

void proof_tell(const proof *p, const char *key, const char *values, ...)
{
  char *said;
  SCOPED_TEXT format = { 0 };
  const char *end, *at = find_section(key, &end);
  for (const char *v = values; *v; v++) {
    bool next = v[0] == ',' && v[1] == ' ';
    text_char(&format, next ? '\n' : *v);
    v += next;
  }
  va_list ap;
  va_start(ap, values);
  gmp_vasprintf(&said, text_str(&format), ap);
  va_end(ap);
  tell(p, at, end, said);
  free(said);
}

void proof_paragraph(const proof *p)
{
  text_add(p->plain, "\n\n");
  text_add(p->latex, "\n\n");
}
