/* lex.h -- tokens of the .cdag and .sched languages.

   Names are [A-Za-z_][A-Za-z0-9_-]* where a '-' belongs to the name only when followed by a
   letter and the caller asked for it (lex_name_hyphen: family names); integers are decimal, with an
   optional K, M or G (1024-based) suffix; '#' starts a comment; line ends are tokens, which the .sched
   parser and a line ending in a comma or an open bracket skip. */
#ifndef REDBLUE_LEX_H
#define REDBLUE_LEX_H

#include "base/diag.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { LEX_END, LEX_LINE, LEX_NAME, LEX_NUMBER, LEX_SIGN, LEX_BAD } lex_kind;
/* LEX_SIGN: one of  + - * / % ( ) [ ] { } , : = == != < <= > >= ..  && ||  ; sign holds its characters, e.g. '<' or
 * LEX2('<','='). */
#define LEX2(a, b) ((a) | (b) << 8)

typedef struct {
  lex_kind kind;
  const char *start;  /* points into the text */
  size_t length;
  int sign;
  int64_t number;
  int line, column;
} lex_token;

typedef struct {
  const char *file;   /* for diagnostics; borrowed */
  const char *text;   /* borrowed, '\0'-terminated */
  const char *at;
  int line, column;
  bool lines_matter;  /* false: LEX_LINE is never returned */
  lex_token now;      /* the current token */
} lexer;

void lex_init(lexer *l, const char *file, const char *text, bool lines_matter); /* now = the first token */
void lex_next(lexer *l);
bool lex_is(const lexer *l, int sign);
bool lex_is_word(const lexer *l, const char *word);
bool lex_accept(lexer *l, int sign);                 /* skip it if it is the current one */
bool lex_accept_word(lexer *l, const char *word);
/* Expect a sign or a name, or fill d with "expected X, found Y" and return BAD_INPUT. */
status lex_expect(lexer *l, int sign, diag *d);
status lex_name(lexer *l, char **name, diag *d);     /* a new copy */
status lex_name_hyphen(lexer *l, char **name, diag *d);
status lex_unexpected(const lexer *l, const char *wanted,
                      diag *d); /* "expected WANTED, found ..." at the current token */
status lex_error(const lexer *l, diag *d, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));           /* at the current token */

#endif
