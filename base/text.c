#include "base/text.h"
#include "base/mem.h"
#include "base/output.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static void reserve(text *t, size_t more)
{
  if (t->n + more < t->room)
    return;
  size_t room = t->room ? t->room : 64;
  while (room <= t->n + more)
    room *= 2;
  t->s = mem_grow(t->s, room, 1);
  t->room = room;
}

void text_add_n(text *t, const char *s, size_t n)
{
  reserve(t, n);
  memcpy(t->s + t->n, s, n);
  t->s[t->n += n] = '\0';
}

void text_add(text *t, const char *s) { text_add_n(t, s, strlen(s)); }
void text_char(text *t, char c) { text_add_n(t, &c, 1); }
const char *text_str(const text *t) { return t->s ? t->s : ""; }

void text_int(text *t, int64_t value)
{
  char digits[24], *at = digits + sizeof digits;
  uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
  do
    *--at = (char)('0' + left % 10);
  while (left /= 10);
  if (value < 0)
    *--at = '-';
  text_add_n(t, at, (size_t)(digits + sizeof digits - at));
}

void text_printf(text *t, const char *format, ...)
{
  va_list ap, again;
  va_start(ap, format);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, format, ap);
  va_end(ap);
  if (n > 0) {
    reserve(t, (size_t)n);
    vsnprintf(t->s + t->n, (size_t)n + 1, format, again);
    t->n += (size_t)n;
  }
  va_end(again);
}

void text_clear(text *t)
{
  mem_free(t->s);
  *t = (text){ 0 };
}

static status read_stream(text *t, FILE *in, const char *path, size_t limit, diag *d)
{
  char block[1 << 16];
  size_t got;
  while ((got = fread(block, 1, sizeof block, in)) > 0) {
    if (memchr(block, 0, got)) { /* whoever reads a text refuses the byte: what follows need not be held */
      text_add_n(t, block, got);
      return OK;
    }
    if (t->n + got > limit)
      return diag_set(d, BAD_INPUT, "file", "%s is larger than %zu bytes", path, limit);
    text_add_n(t, block, got);
  }
  if (ferror(in))
    return diag_set(d, IO_ERROR, "file", "cannot read %s: %s", path, strerror(errno));
  return OK;
}

status text_read(text *t, const char *path, size_t limit, diag *d)
{
  bool standard = strcmp(path, "-") == 0;
  errno = 0;
  FILE *in = standard ? stdin : fopen(path, "rb");
  if (!in)
    return diag_set(d, IO_ERROR, "file", "cannot open %s: %s", path, strerror(errno));
  status st = read_stream(t, in, path, limit ? limit : (size_t)1 << 30, d);
  if (!standard)
    fclose(in);
  return st;
}

status text_plain(const text *t, const char *path, diag *d)
{
  const char *zero = t->n ? memchr(t->s, '\0', t->n) : NULL;
  int line = 1;
  for (const char *c = t->s; zero && c < zero; c++)
    line += *c == '\n';
  return zero ? diag_at(d, BAD_INPUT, "syntax", path, line, 1, "this is not a text: it holds a zero byte") : OK;
}

status text_read_plain(text *t, const char *path, size_t limit, diag *d)
{
  status st = text_read(t, path, limit, d);
  return st == OK ? text_plain(t, path, d) : st;
}

void text_add_groups(text *t, const char *digits, size_t n, const char *separator)
{
  for (size_t i = 0; i < n; i++) {
    text_add(t, i && (n - i) % 3 == 0 ? separator : "");
    text_char(t, digits[i]);
  }
}

void text_add_xml(text *t, const char *s)
{
  for (; *s; s++)
    if (strchr("<>&\"'", *s))
      text_printf(t, "&#%d;", *s);
    else
      text_char(t, (unsigned char)*s < 0x20 ? ' ' : *s);
}

char *text_trim(char *s)
{
  while (isspace((unsigned char)*s))
    s++;
  for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]); n--)
    s[n - 1] = '\0';
  return s;
}

status text_write(const text *t, const char *path, diag *d)
{
  output o;
  status st = output_open(&o, path, d);
  if (st != OK)
    return st;
  fwrite(text_str(t), 1, t->n, o.to);
  return output_close(&o, d);
}
