/* lex.h -- the words of a text in C: comments passed over, macros of the text written out.

   `#define N 100` is a parameter of the nest; what other definitions stand for is read in their place. Other directives
   are passed over, so of the branches of an #ifdef all are read, and of several definitions the last one holds. */
#ifndef REDBLUE_C_LEX_H
#define REDBLUE_C_LEX_H

#include "cdag/import/c/nest.h"

typedef enum { T_END, T_NAME, T_INTEGER, T_REAL, T_SIGN, T_PRAGMA } token_kind;
typedef struct { token_kind kind; char text[C_NAME]; int64_t value; int line, column; const char *rest; } token;

enum { MACRO_ARGS = 8, MACRO_DEPTH = 32 };
typedef struct {
  char name[C_NAME];
  int args;                    /* -1: it has no brackets */
  char arg[MACRO_ARGS][C_NAME];
  char *body;
} c_macro;

typedef struct {
  const char *at;
  int line, column;            /* of the text itself, not of what macros stand for */
  token now;
  int macros, inside;          /* inside: macros that are being written out */
  c_macro *macro;
  const char *after[MACRO_DEPTH];
  const char *trouble;         /* or NULL: the text ends here, and why */
  c_nest *n;
} c_lexer;

void c_lex_init(c_lexer *in, c_nest *n, const char *source);
void c_lex_clear(c_lexer *in);
void c_lex_next(c_lexer *in);
/* What comes after the present token, blanks and comments left out. */
const char *c_lex_ahead(const c_lexer *in);
/* Go on behind `end`, which lies further on in the same text. */
void c_lex_skip(c_lexer *in, const char *end);
/* s..end is "int index": the last word stands for those before it. */
void c_lex_type(c_lexer *in, const char *s, const char *end);
/* Behind the bracket that closes the one at s; the end of the text where there is none. */
const char *c_lex_behind(const char *s);
/* Where `word` stands by itself in s..end, or NULL; comments and quoted words are passed over. */
const char *c_lex_find(const char *s, const char *end, const char *word);

#endif
