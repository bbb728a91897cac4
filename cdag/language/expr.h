/* expr.h -- integer expressions, shared by the .cdag and the .sched language.

   64-bit integers; + - * / % (division floors, also below zero), comparisons
   == != < <= > >= give 0 or 1, && and || are min and max of truth values, unary minus, min max isqrt ceil(a,b) pow
   binomial, table look-ups t[e,...], and names.  A name is resolved while parsing, through the caller's scope, to a
   *slot* of an environment the caller owns: parameters, loop variables and so on are all slots.  An expression is
   immutable. */
#ifndef REDBLUE_EXPR_H
#define REDBLUE_EXPR_H

#include "base/diag.h"
#include "base/text.h"
#include "cdag/language/lex.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum {
  EXPR_CONST, EXPR_SLOT, EXPR_TABLE,
  EXPR_NEG, EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_MOD,
  EXPR_EQ, EXPR_NE, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE,
  EXPR_MIN, EXPR_MAX, EXPR_ISQRT, EXPR_CEIL, EXPR_POW, EXPR_BINOMIAL
} expr_op;

typedef struct expr {
  expr_op op;
  int64_t value;      /* EXPR_CONST */
  int slot;           /* EXPR_SLOT: index into the environment; EXPR_TABLE: index of the table */
  char *name;         /* EXPR_SLOT, EXPR_TABLE and calls such as lo(I): as written, for printing */
  int nargs;
  struct expr **arg;
  int line, column;
} expr;

/* A table of integers with a box of indices [0, extent) per dimension, row by row: in `wide` or, where all of them have
   16 bits and memory is to be saved, in `narrow`. */
typedef struct {
  char *name;
  int rank;
  int64_t extent[8];
  int64_t *wide;
  int16_t *narrow;
  bool unstored;             /* too large: it has no entries, and nothing that is evaluated may read it */
} expr_table;
static inline int64_t expr_entry(const expr_table *t, int64_t i) { return t->narrow ? t->narrow[i] : t->wide[i]; }
/* Least and greatest of its first n entries, n > 0. */
void expr_table_span(const expr_table *t, int64_t n, int64_t *least, int64_t *most);

typedef struct {
  const int64_t *slot;       /* values of the slots */
  const expr_table *table;   /* may be NULL when no table is used */
} expr_env;

typedef enum {
  EXPR_OK,
  EXPR_ABSENT,     /* a table was read outside its bounds */
  EXPR_BAD         /* division by zero, overflow, isqrt or pow of a negative ... */
} expr_result;

/* What a name means where it stands.  resolve returns a new node (EXPR_SLOT, EXPR_CONST ...) or NULL with d
   filled.  call_name is "lo", "hi", "len", "first", "last" when the name stands inside such a call (.sched), else NULL.
 */
typedef struct expr_scope {
  void *context;
  expr *(*resolve)(void *context, const char *name, const char *call_name, const lex_token *at, diag *d);
  int (*find_table)(void *context, const char *name); /* index or -1 */
  const expr_table *(*table_at)(void *context, int index);
} expr_scope;

/* Parse one expression from the lexer.  NULL with d filled on error (kind "syntax", "name" or "index"). */
expr *expr_parse(lexer *in, const expr_scope *scope, diag *d);
void expr_free(expr *e);
expr *expr_copy(const expr *e);
expr *expr_const(int64_t value);
expr *expr_slot(int slot, const char *name);
expr *expr_binary(expr_op op, expr *a, expr *b);   /* takes a and b */

/* Value of e; on EXPR_BAD, *why (if not NULL) is a static sentence. */
expr_result expr_eval(const expr *e, const expr_env *env, int64_t *value, const char **why);

/* As written, with the fewest parentheses; parsing it again gives the same tree. */
void expr_print(text *out, const expr *e);
/* As a factor of a formula for people, which latex_formula reads: floor(n/2), in brackets where it is a sum. */
void expr_print_formula(text *out, const expr *e);

static inline bool expr_is_extreme(const expr *e) { return e->op == EXPR_MIN || e->op == EXPR_MAX; }
static inline bool expr_is_comparison(const expr *e) { return e->op >= EXPR_EQ && e->op <= EXPR_GE; }
/* 0 or 1 whatever it reads: a comparison, or the least or greatest of two such: a && b, a || b. */
bool expr_is_truth(const expr *e);
bool expr_compares_numbers(const expr *e);     /* a comparison, and no part of it is one */
bool expr_uses(const expr *e, int slot_from, int slot_to);  /* is any slot in [from, to) read */
unsigned expr_slots(const expr *e, int from, int n);        /* which of the n slots from there on: bit i is from + i */
bool expr_is_slot(const expr *e, int slot);                 /* that slot alone */
static inline bool expr_is_table(const expr *e) { return e->op == EXPR_TABLE; }
bool expr_some(const expr *e, bool (*is)(const expr *part)); /* is e so, or any part of it */
static inline bool expr_uses_table(const expr *e) { return expr_some(e, expr_is_table); }
bool expr_equal(const expr *a, const expr *b);

/* If e is affine in the slots [from, from+n) once every other slot has its value in env, fill
   *constant and coefficient[0..n-1] and return true (division, tables, ... of the n slots are not affine). */
bool expr_affine(const expr *e, const expr_env *env, int from, int n, int64_t *constant, int64_t *coefficient);

#endif
