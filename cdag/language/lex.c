/* lex.c -- tokens (docs/cdag-language.md, section "Words").  A token points into the text: nothing is copied. */
#include "cdag/language/lex.h"
#include "base/mem.h"
#include "base/num.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* One byte forward; a column is a character, so the inner bytes of UTF-8 do not count. */
static void step(lexer *l)
{
  if (*l->at == '\n')
    l->line++, l->column = 1;
  else if ((*l->at & 0xc0) != 0x80)
    l->column++;
  l->at++;
}

static void skip_blanks(lexer *l, bool over_lines)
{
  for (;;) {
    if (*l->at == '#')
      while (*l->at && *l->at != '\n')
        step(l);
    else if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r' || (over_lines && *l->at == '\n'))
      step(l);
    else
      return;
  }
}

/* Does a line that ends after this token go on? */
static bool goes_on(const lex_token *t)
{
  return t->kind == LEX_SIGN && (t->sign == ',' || t->sign == '[' || t->sign == '(');
}

/* A decimal number with K, M or G (not k, m, g: 2k is more likely a forgotten *); glued to a letter or too large it is
   LEX_BAD. */
static void take_number(lexer *l)
{
  while (in_name(*l->at))
    step(l);
  l->now.length = (size_t)(l->at - l->now.start);
  char digits[32];
  bool fits = l->now.length < sizeof digits && !islower((unsigned char)l->at[-1]);
  if (fits)
    snprintf(digits, sizeof digits, "%.*s", (int)l->now.length, l->now.start);
  l->now.kind = fits && num_parse(digits, &l->now.number) ? LEX_NUMBER : LEX_BAD;
}

static void take_name(lexer *l)
{
  while (in_name(*l->at))
    step(l);
  l->now.kind = LEX_NAME;
}

static void take_sign(lexer *l)
{
  static const char *const twins[] = { "==", "!=", "<=", ">=", "..", "&&", "||", NULL };
  for (int i = 0; twins[i]; i++)
    if (l->at[0] == twins[i][0] && l->at[1] == twins[i][1]) {
      l->now.kind = LEX_SIGN;
      l->now.sign = LEX2(l->at[0], l->at[1]);
      step(l), step(l);
      return;
    }
  bool known = strchr("+-*/%()[]{},:=<>", *l->at) != NULL;
  l->now.kind = known ? LEX_SIGN : LEX_BAD;
  l->now.sign = (unsigned char)*l->at;
  do
    step(l);
  while ((*l->at & 0xc0) == 0x80);
}

void lex_next(lexer *l)
{
  skip_blanks(l, !l->lines_matter || goes_on(&l->now));
  l->now = (lex_token){ .kind = LEX_END, .start = l->at, .line = l->line, .column = l->column };
  if (*l->at == '\0')
    return;
  if (*l->at == '\n') {
    l->now.kind = LEX_LINE;
    step(l);
  } else if (begins_name(*l->at))
    take_name(l);
  else if (isdigit((unsigned char)*l->at))
    take_number(l);
  else
    take_sign(l);
  l->now.length = (size_t)(l->at - l->now.start);
}

void lex_init(lexer *l, const char *file, const char *text, bool lines_matter)
{
  *l = (lexer){ .file = file, .text = text, .at = text, .line = 1, .column = 1, .lines_matter = lines_matter };
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
    l->at += 3;
  lex_next(l);
}

bool lex_is(const lexer *l, int sign) { return l->now.kind == LEX_SIGN && l->now.sign == sign; }

bool lex_is_word(const lexer *l, const char *word)
{
  return l->now.kind == LEX_NAME && strlen(word) == l->now.length && memcmp(word, l->now.start, l->now.length) == 0;
}

bool lex_accept(lexer *l, int sign)
{
  if (!lex_is(l, sign))
    return false;
  lex_next(l);
  return true;
}

bool lex_accept_word(lexer *l, const char *word)
{
  if (!lex_is_word(l, word))
    return false;
  lex_next(l);
  return true;
}

/* What stands at the current token, for a message. */
static void describe(const lex_token *t, char *out, size_t size)
{
  int n = t->length > 40 ? 40 : (int)t->length;
  if (t->kind == LEX_END)
    snprintf(out, size, "the end of the text");
  else if (t->kind == LEX_LINE)
    snprintf(out, size, "the end of the line");
  else if (t->kind == LEX_BAD && isdigit((unsigned char)*t->start))
    snprintf(out, size, "'%.*s', which is no number below 2^63", n, t->start);
  else if (t->kind == LEX_BAD && !isprint((unsigned char)*t->start) && !((unsigned char)*t->start & 0x80))
    snprintf(out, size, "the byte %d", (unsigned char)*t->start);
  else
    snprintf(out, size, "'%.*s'", n, t->start);
}

status lex_error(const lexer *l, diag *d, const char *kind, const char *format, ...)
{
  char message[512];
  va_list ap;
  va_start(ap, format);
  vsnprintf(message, sizeof message, format, ap);
  va_end(ap);
  return diag_at(d, BAD_INPUT, kind, l->file, l->now.line, l->now.column, "%s", message);
}

status lex_unexpected(const lexer *l, const char *wanted, diag *d)
{
  char found[96];
  describe(&l->now, found, sizeof found);
  return lex_error(l, d, "syntax", "expected %s, found %s", wanted, found);
}

status lex_expect(lexer *l, int sign, diag *d)
{
  if (lex_accept(l, sign))
    return OK;
  char wanted[8];
  snprintf(wanted, sizeof wanted, sign >> 8 ? "'%c%c'" : "'%c'", sign & 255, sign >> 8);
  return lex_unexpected(l, wanted, d);
}

status lex_name(lexer *l, char **name, diag *d)
{
  *name = NULL;
  if (l->now.kind != LEX_NAME)
    return lex_unexpected(l, "a name", d);
  *name = mem_text_n(l->now.start, l->now.length);
  lex_next(l);
  return OK;
}

status lex_name_hyphen(lexer *l, char **name, diag *d)
{
  *name = NULL;
  if (l->now.kind != LEX_NAME)
    return lex_unexpected(l, "a name", d);
  const char *start = l->now.start;
  while (*l->at == '-' && begins_name(l->at[1]))
    do
      step(l);
    while (in_name(*l->at));
  *name = mem_text_n(start, (size_t)(l->at - start));
  lex_next(l);
  return OK;
}
