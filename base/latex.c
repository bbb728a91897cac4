#include "base/latex.h"
#include <ctype.h>
#include <string.h>

enum { DEEP = 32 }; /* brackets in brackets; what is deeper is copied sign by sign */

typedef struct {
  const char *s;
  size_t n, at;
  bool parameters, raised; /* raised: inside an exponent */
  int depth;
} reader;

static void formula(reader *r, text *out, bool comma);

/* A parameter nk is n_k, d2 is d_2; a longer word is upright. */
static void name(reader *r, text *out)
{
  const char *s = r->s + r->at;
  size_t k = 0;
  while (r->at + k < r->n && isalnum((unsigned char)s[k]))
    k++;
  if (k == 2 && r->parameters)
    text_printf(out, "{%c_%c}", s[0], s[1]);
  else if (k <= 2)
    text_add_n(out, s, k);
  else
    text_printf(out, "\\mathrm{%.*s}", (int)k, s);
  r->at += k;
}

/* What is written in a way of its own, and what ends it, if it opens a bracket. */
static const struct { const char *from, *to, *close; } words[] = {
  { "sqrt(", "\\sqrt{", "}" },      { "ceil(", "\\lceil ", "\\rceil " },
  { "floor(", "\\lfloor ", "\\rfloor " }, { "min(", "\\min(", ")" },
  { "max(", "\\max(", ")" },        { "log2(", "\\log_2(", ")" },
  { "^(", "^{", "}" },              { "_(", "_{", "}" },
  { "(", "(", ")" },                { "<=", "\\le ", NULL },
  { ">=", "\\ge ", NULL },          { "<<", "\\ll ", NULL },
  { ">>", "\\gg ", NULL },          { "==", "=", NULL },
  { "!=", "\\ne ", NULL },          { "{", "\\{", NULL },
  { "}", "\\}", NULL },             { "$", "\\$", NULL },
  { "%", "\\%", NULL },             { "#", "\\#", NULL },
  { "&", "\\&", NULL },             { "\\", "\\backslash ", NULL },
  { "~", "\\sim ", NULL },
};

static bool is_at(const reader *r, const char *word)
{
  size_t k = strlen(word);
  return k <= r->n - r->at && memcmp(r->s + r->at, word, k) == 0;
}

static int word_at(const reader *r)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_at(r, words[i].from))
      return (int)i;
  return -1;
}

/* ^2, ^n, _k; alone they are signs. */
static void raised(reader *r, text *out)
{
  const char *s = r->s + r->at;
  size_t n = r->n - r->at, k = 1;
  while (k < n && (isalnum((unsigned char)s[k]) || (s[k] == '.' && k + 1 < n && isdigit((unsigned char)s[k + 1]))))
    k++;
  if (k > 1)
    text_printf(out, "%c{%.*s}", *s, (int)k - 1, s + 1);
  else
    text_add(out, *s == '^' ? "\\wedge " : "\\_");
  r->at += k;
}

/* A bracket with what is in it.  Both ceil(a/b) and ceil(a, b) round a quotient up. */
static void bracket(reader *r, text *out, int w)
{
  SCOPED_TEXT first = { 0 };
  bool quotient = strcmp(words[w].from, "ceil(") == 0, around = r->raised;
  r->at += strlen(words[w].from);
  r->depth++;
  r->raised = around || words[w].from[0] == '^';
  formula(r, &first, quotient);
  text_add(out, words[w].to);
  if (quotient && r->at < r->n && r->s[r->at] == ',') {
    text_printf(out, "\\frac{%s}{", text_str(&first));
    r->at++;
    formula(r, out, false);
    text_char(out, '}');
  } else {
    text_add(out, text_str(&first));
  }
  text_add(out, words[w].close); /* what was left open, too: a brace must not swallow the rest of the page */
  r->at += r->at < r->n;
  r->depth--;
  r->raised = around;
}

/* 2*3 must not read as 23. */
static void times(reader *r, text *out)
{
  for (r->at++; is_at(r, " "); r->at++) {}
  text_add(out, r->at < r->n && isdigit((unsigned char)r->s[r->at]) ? "\\cdot " : "\\,");
}

static size_t digits_at(const reader *r, size_t at)
{
  size_t k = 0;
  while (at + k < r->n && isdigit((unsigned char)r->s[at + k]))
    k++;
  return k;
}

/* A number, or 1/2 as a fraction. */
static void number(reader *r, text *out)
{
  const char *s = r->s + r->at;
  size_t k = digits_at(r, r->at), end = r->at + k,
         below = end < r->n && r->s[end] == '/' && !r->raised ? digits_at(r, end + 1) : 0;
  end += 1 + below;
  if (below && !(end < r->n && (isalpha((unsigned char)r->s[end]) || strchr("^._", r->s[end])))) {
    text_printf(out, "\\frac{%.*s}{%.*s}", (int)k, s, (int)below, s + k + 1);
    r->at = end;
  } else {
    text_add_n(out, s, k);
    r->at += k;
  }
}

/* The next sign, name or bracket.  True: it is a bracket that stands for itself. */
static bool piece(reader *r, text *out)
{
  char c = r->s[r->at];
  int w = word_at(r);
  if (w >= 0 && (!words[w].close || r->depth < DEEP)) {
    if (words[w].close) {
      bracket(r, out, w);
      return words[w].from[0] == '(';
    }
    text_add(out, words[w].to);
    r->at += strlen(words[w].from);
  } else if (isalpha((unsigned char)c)) {
    name(r, out);
  } else if (isdigit((unsigned char)c)) {
    number(r, out);
  } else if (c == '^' || c == '_') {
    raised(r, out);
  } else if (c == '*') {
    times(r, out);
  } else {
    r->at++;
    text_char(out, iscntrl((unsigned char)c) ? ' ' : c);
  }
  return false;
}

/* (A) / B, with blanks: a fraction.  A stands at the end of out. */
static void fraction(reader *r, text *out, size_t begin)
{
  SCOPED_TEXT above = { 0 }, below = { 0 };
  text_add_n(&above, out->s + begin + 1, out->n - begin - 2);
  r->at += strlen(" / ");
  bool bare = r->at < r->n && piece(r, &below);
  if (!bare && r->at < r->n && r->s[r->at] == '^')
    piece(r, &below);
  out->n = begin;
  text_printf(out, "\\frac{%s}{", text_str(&above));
  text_add_n(out, text_str(&below) + bare, below.n - 2 * bare);
  text_char(out, '}');
}

/* Up to a bracket that is closed and was not opened, or a comma that ends it too. */
static void formula(reader *r, text *out, bool comma)
{
  while (r->at < r->n && r->s[r->at] != ')' && !(comma && r->s[r->at] == ',')) {
    size_t begin = out->n;
    if (piece(r, out) && is_at(r, " / "))
      fraction(r, out, begin);
  }
}

void latex_formula(text *out, const char *s, size_t n, bool parameters)
{
  reader r = { .s = s, .n = n, .parameters = parameters };
  for (formula(&r, out, false); r.at < n; formula(&r, out, false)) /* a bracket that nothing opened */
    text_char(out, s[r.at++]);
}

void latex_rewrite(text *t)
{
  SCOPED_TEXT plain = *t;
  *t = (text){ 0 };
  latex_formula(t, text_str(&plain), plain.n, true);
}
