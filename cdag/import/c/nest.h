/* nest.h -- a restricted loop nest in C, read (docs/import.md): static control, affine bounds, conditions and
   indices.

   What is affine is kept as text in isl's notation: a parameter n is p_n, a loop variable i is v_i. */
#ifndef REDBLUE_C_NEST_H
#define REDBLUE_C_NEST_H

#include "base/diag.h"
#include "base/text.h"
#include "cdag/cdag.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { C_RANK = 8, C_NAME = 64 };

/* What a[i*n + j] is, in the order in which they are tried: a[i][j], where the length of rows is said by names, also
   within integers that stand for `i*n`; or not there; or for the value of n alone; or it is as it stands. */
typedef enum { C_ROWS_NONE, C_ROWS_OF_NUMBERS, C_ROWS_OF_NAMES, C_ROWS_IN_WORDS } c_rows;

typedef struct {
  char name[C_NAME];
  bool given;                  /* it has a value in the text */
  bool defined, used;          /* by #define; a bound, an index or a condition names it */
  bool fixed;                  /* the nest was read for this value alone */
  int64_t value;
} c_param;

typedef struct {
  char name[C_NAME];
  int rank;                    /* 0: a scalar */
  char *extent[C_RANK];        /* affine; NULL: not said */
  int strides;                 /* lengths of rows, the innermost first, where they lie one after the other */
  struct node *stride[C_RANK];
  int twin, side;              /* 1 + the array of which it is a side (swap.c), and which; 0: it is none */
  bool integer;                /* a scalar of integers */
  bool hidden;                 /* its block has ended: the name may be another's */
  bool outside;                /* its values are seen after the nest: a parameter of the function, or global */
  bool written, output, returned;
  int line, column;
} c_array;

typedef struct {
  int array, rank;
  char *index;                 /* affine, separated by commas; "" for a scalar */
  char *side;                  /* of a twin, where its own is not meant; or NULL */
  bool all;                    /* all elements are written at once */
  char *when;                  /* a condition; "": always */
} c_access;

typedef struct {
  int depth;
  char var[C_RANK][C_NAME];
  char *top[C_RANK];           /* of a loop that counts down: where it begins, affine in the parameters; or NULL */
  char *domain;                /* conditions joined by "and" */
  char *schedule;              /* "0,v_i,1,-v_j,0": loops and the places in their bodies */
  int places;                  /* entries of it */
  c_access write;
  int reads;
  c_access *read;
  bool copy;                   /* of one value, as it is */
  int line, column;
} c_statement;

/* What must hold nowhere, or the nest was read wrong: "(e) < 0" where e / 2 was read. */
typedef struct {
  char *vars, *domain, *wrong; /* of the loops around; where; a condition */
  const char *message;
  bool rows;                   /* that an index stays in its row */
  int line, column;
} c_claim;

typedef struct {
  char name[C_NAME];           /* of the function, or "" */
  int params, arrays, statements, claims;
  c_claim *claim;
  c_param *param;
  c_array *array;
  c_statement *statement;
  void **block;                /* all memory of it */
  size_t blocks, room;
} c_nest;

/* Read the nest of `source`: what stands between #pragma scop and #pragma endscop, or else the body of the first
   function with a loop.  With `like`, parameters have the values that they have there, and products by them are read;
   with `rows`, a[i*n + j] is a[i][j]; they become less where an index is not such and may be read without them.
   BAD_INPUT with the place of what cannot be read. */
status c_nest_read(c_nest *n, const char *file, const char *source, const cdag *like, c_rows *rows, diag *d);
void c_nest_clear(c_nest *n);

/* For its readers: a parameter, made if there is none of the name; a text that the nest owns. */
c_param *c_nest_param(c_nest *n, const char *name, bool given, int64_t value);
char *c_nest_keep_text(c_nest *n, text *t);

#endif
