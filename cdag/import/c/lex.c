/* lex.c -- tokens, directives, macros. */
#include "cdag/import/c/lex.h"
#include "base/mem.h"
#include "base/text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1 << 16 };
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_'; }

/* ---- looking ahead in the text ---- */

/* Behind the comment or the quotes that begin at s; s where none do. */
static const char *behind_quiet(const char *s)
{
  if (s[0] == '/' && s[1] == '/')
    return s + strcspn(s, "\n");
  if (s[0] == '/' && s[1] == '*') {
    const char *end = strstr(s + 2, "*/");
    return end ? end + 2 : s + strlen(s);
  }
  if (*s != '"' && *s != '\'')
    return s;
  const char *p = s + 1;
  for (; *p && *p != *s && *p != '\n'; p++)
    p += *p == '\\' && p[1];
  return *p == *s ? p + 1 : p;
}

const char *c_lex_behind(const char *s)
{
  int depth = 0;
  while (*s) {
    const char *quiet = behind_quiet(s);
    if (quiet > s) {
      s = quiet;
      continue;
    }
    depth += strchr("([{", *s) ? 1 : strchr(")]}", *s) ? -1 : 0;
    s++;
    if (depth == 0)
      break;
  }
  return s;
}

const char *c_lex_find(const char *s, const char *end, const char *word)
{
  size_t n = strlen(word);
  while (s < end) {
    const char *quiet = behind_quiet(s);
    size_t name = begins_name(*s) ? strspn(s, letters) : 0;
    if (quiet > s)
      s = quiet;
    else if (name == n && strncmp(s, word, n) == 0)
      return s;
    else
      s += name ? name : 1;
  }
  return NULL;
}

const char *c_lex_ahead(const c_lexer *in)
{
  const char *s = in->at, *quiet;
  for (;; s = quiet) {
    s += strspn(s, " \t\r\n");
    quiet = *s == '/' ? behind_quiet(s) : s;
    if (quiet == s)
      return s;
  }
}

/* ---- going on ---- */

static void step(c_lexer *in)
{
  if (in->inside == 0) {
    if (*in->at == '\n')
      in->line++, in->column = 0;
    in->column++;
  }
  in->at++;
}

void c_lex_skip(c_lexer *in, const char *end)
{
  while (in->at < end)
    step(in);
}

static void skip_line(c_lexer *in)
{
  while (*in->at && *in->at != '\n') {
    if (*in->at == '\\' && in->at[1] == '\n')
      step(in);
    step(in);
  }
}

/* ---- directives ---- */

static c_macro *find_macro(const c_lexer *in, const char *name)
{
  for (int i = 0; i < in->macros; i++)
    if (strcmp(in->macro[i].name, name) == 0)
      return &in->macro[i];
  return NULL;
}

static void add_macro(c_lexer *in, const c_macro *m)
{
  c_macro *old = find_macro(in, m->name);
  if (!old) {
    in->macro = mem_grow(in->macro, (size_t)in->macros + 1, sizeof *in->macro);
    old = &in->macro[in->macros++];
  }
  *old = *m;
}

/* The names between the brackets at s into m; behind them, or NULL where they are no names. */
static const char *macro_names(c_macro *m, const char *s)
{
  for (s++; *s && *s != ')'; s += *s == ',') {
    s += strspn(s, " \t");
    int n = (int)strspn(s, letters);
    if (*s == ')')
      break;
    if (n == 0 || m->args == MACRO_ARGS)
      return NULL;
    snprintf(m->arg[m->args++], C_NAME, "%.*s", n, s);
    s += n;
    s += strspn(s, " \t");
    if (*s != ',' && *s != ')')
      return NULL;
  }
  return *s ? s + 1 : NULL;
}

/* The line's words with comments and broken lines taken out. */
static void plain_line(const char *s, text *out)
{
  while (*s && *s != '\n') {
    const char *quiet = *s == '/' ? behind_quiet(s) : s;
    if (*s == '\\' && s[1] == '\n')
      s += 2;
    else if (quiet > s)
      s = quiet;
    else
      text_char(out, *s++);
  }
}

/* #define N 100 makes a parameter; bodies that paste or quote words stay calls. */
static void define(c_lexer *in, const char *s)
{
  c_macro m = { .args = -1 };
  int n = (int)strspn(s, letters);
  snprintf(m.name, C_NAME, "%.*s", n, s);
  s += n;
  if (*s == '(') {
    m.args = 0;
    s = macro_names(&m, s);
  }
  char *end;
  long long value = s ? strtoll(s, &end, 10) : 0;
  if (n == 0 || !s || strchr(s, '#'))
    return;
  if (m.args < 0 && end > s && end[strspn(end, " \t\r")] == '\0') {
    c_nest_param(in->n, m.name, true, value)->defined = true;
    return;
  }
  text body = { 0 };
  text_add(&body, s);
  m.body = c_nest_keep_text(in->n, &body);
  add_macro(in, &m);
}

void c_lex_type(c_lexer *in, const char *s, const char *end)
{
  c_macro m = { .args = -1 };
  const char *last = end;
  while (last > s && isspace((unsigned char)last[-1]))
    end = --last;
  while (last > s && strchr(letters, last[-1]))
    last--;
  snprintf(m.name, C_NAME, "%.*s", (int)(end - last), last);
  text body = { 0 };
  if (strncmp(s + strspn(s, " \t"), "struct", 6) == 0 || last == end)
    return;
  text_printf(&body, "%.*s", (int)(last - s), s);
  m.body = c_nest_keep_text(in->n, &body);
  add_macro(in, &m);
}

static void directive(c_lexer *in)
{
  SCOPED_TEXT line = { 0 };
  plain_line(in->at, &line);
  const char *s = text_str(&line) + 1;
  s += strspn(s, " \t");
  if (strncmp(s, "define", 6) == 0 && isspace((unsigned char)s[6]))
    define(in, s + 6 + strspn(s + 6, " \t"));
  skip_line(in);
}

static bool is_pragma(const char *s)
{
  s += strspn(s + 1, " \t") + 1;
  return strncmp(s, "pragma", 6) == 0;
}

/* ---- macros written out ---- */

/* The argument that name is of m, or -1. */
static int argument_of(const c_macro *m, const char *name, int n)
{
  for (int i = 0; i < m->args; i++)
    if ((int)strlen(m->arg[i]) == n && strncmp(m->arg[i], name, (size_t)n) == 0)
      return i;
  return -1;
}

/* Cut "(a, f(b, c))" into its arguments; how many there are. */
static int cut(const char *s, const char **from, int *length)
{
  int n = 0;
  const char *begin = ++s;
  while (*s) {
    bool last = *s == ')';
    if (last || *s == ',') {
      if (n < MACRO_ARGS) {
        from[n] = begin;
        length[n] = (int)(s - begin);
      }
      n++;
      begin = s + 1;
      if (last)
        return n;
    }
    s = strchr("([{", *s) ? c_lex_behind(s) : s + 1;
  }
  return -1;
}

/* Go on in what m stands for with these arguments. */
static void write_out(c_lexer *in, const c_macro *m, const char *const *from, const int *length)
{
  text t = { 0 };
  for (const char *s = m->body; *s;) {
    int n = begins_name(*s) ? (int)strspn(s, letters) : 0, a = argument_of(m, s, n);
    if (a >= 0)
      text_printf(&t, "%.*s", length[a], from[a]);
    else
      text_printf(&t, "%.*s", n ? n : 1, s);
    s += n ? n : 1;
  }
  if (in->inside == MACRO_DEPTH || t.n > MOST_WORDS) {
    in->trouble = "macros stand for one another without end here";
    text_clear(&t);
    return;
  }
  in->after[in->inside++] = in->at;
  in->at = c_nest_keep_text(in->n, &t);
}

/* Is the name at hand a macro that can be written out?  Then that is what comes next. */
static bool expand(c_lexer *in)
{
  const char *from[MACRO_ARGS];
  int length[MACRO_ARGS];
  const c_macro *m = find_macro(in, in->now.text);
  if (!m)
    return false;
  if (m->args < 0) {
    write_out(in, m, from, length);
    return true;
  }
  const char *open = c_lex_ahead(in);
  if (*open != '(')
    return false;
  int n = cut(open, from, length);
  if (n != m->args)
    return false;
  c_lex_skip(in, c_lex_behind(open));
  write_out(in, m, from, length);
  return true;
}

/* ---- tokens ---- */

static void skip_blanks(c_lexer *in)
{
  for (;;) {
    const char *quiet = *in->at == '/' ? behind_quiet(in->at) : in->at;
    if (*in->at == '\0' && in->inside > 0)
      in->at = in->after[--in->inside];
    else if (isspace((unsigned char)*in->at))
      step(in);
    else if (quiet > in->at)
      c_lex_skip(in, quiet);
    else if (*in->at == '#' && !is_pragma(in->at))
      directive(in);
    else
      return;
  }
}

static void take_number(c_lexer *in)
{
  char *end, *real_end;
  in->now.value = strtoll(in->at, &end, 0);
  strtod(in->at, &real_end);
  in->now.kind = real_end > end ? T_REAL : T_INTEGER;
  end = real_end > end ? real_end : end;
  while (in->at < end || isalnum((unsigned char)*in->at))
    step(in);
}

static void take_sign(c_lexer *in)
{
  static const char *const signs[] = { "++", "--", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=",
                                       ">=", "&&", "||", "<<", ">>", "->", "&=", "|=", NULL };
  int n = 1;
  for (int i = 0; signs[i]; i++)
    if (strncmp(in->at, signs[i], 2) == 0)
      n = 2;
  in->now.kind = T_SIGN;
  snprintf(in->now.text, C_NAME, "%.*s", n, in->at);
  while (n-- > 0)
    step(in);
}

static void take_name(c_lexer *in)
{
  int n = (int)strspn(in->at, letters);
  in->now.kind = T_NAME;
  snprintf(in->now.text, C_NAME, "%.*s", n, in->at);
  while (n-- > 0)
    step(in);
}

void c_lex_next(c_lexer *in)
{
  do {
    skip_blanks(in);
    in->now = (token){ .kind = T_END, .line = in->line, .column = in->column, .rest = in->at };
    if (*in->at == '#') {
      in->now.kind = T_PRAGMA;
      skip_line(in);
    } else if (begins_name(*in->at))
      take_name(in);
    else if (isdigit((unsigned char)*in->at) || (*in->at == '.' && isdigit((unsigned char)in->at[1])))
      take_number(in);
    else if (*in->at)
      take_sign(in);
  } while (in->now.kind == T_NAME && expand(in) && !in->trouble);
  if (in->trouble)
    in->now.kind = T_END;
}

void c_lex_init(c_lexer *in, c_nest *n, const char *source)
{
  *in = (c_lexer){ .at = source, .line = 1, .column = 1, .n = n };
}

void c_lex_clear(c_lexer *in) { mem_free(in->macro); }
