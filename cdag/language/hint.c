/* cdag/language/hint.c -- what those who come from mathematics or from C write, and how a .cdag says it. */
#include "cdag/language/hint.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *skip_blanks(const char *s)
{
  while (*s == ' ' || *s == '\t')
    s++;
  return s;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A sign that is none here; the text begins at `text`. */
static const char *of_sign(const char *text, const char *at)
{
  const char *end = at;
  while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  char c = *at, before = end > text ? end[-1] : '\n';
  if (c == '/' && (at[1] == '/' || at[1] == '*'))
    return "a comment begins with #";
  if (strchr("*+-/", c) && c && (is_word(before) || before == ']'))
    return "terms are separated by commas: a text says what is read, not what is made of it";
  if (c == '[' && before == ']')
    return "indices share one pair of brackets, A[i,j]";
  if (c == '(' && is_word(before))
    return "a sum is written sum j:n { TERM, ... }; of any other function, list what it reads";
  if (c == ';')
    return "a line ends a statement, with no sign";
  if (c == '=' && is_word(before))
    return "a parameter is written param n = 8";
  return NULL;
}

/* A name that nothing has, and after it an attempt at a range. */
static const char *of_name(const char *at)
{
  while (is_word(*at))
    at++;
  const char *s = skip_blanks(at);
  bool range = (*s == '=' && s[1] != '=') || (s[0] == 'i' && s[1] == 'n' && !is_word(s[2]));
  return range ? "an index and its range are written i:n or i:1..n" : NULL;
}

void cdag_hint(const lexer *l, diag *d)
{
  if (!d || d->line != l->now.line || d->column > l->now.column)
    return;
  const char *at = l->now.start - (l->now.column - d->column), *hint = NULL;
  if (strcmp(d->kind, "syntax") == 0)
    hint = of_sign(l->text, at);
  else if (strcmp(d->kind, "name") == 0)
    hint = of_name(at);
  size_t n = strlen(d->message);
  if (hint)
    snprintf(d->message + n, sizeof d->message - n, "; %s", hint);
}
