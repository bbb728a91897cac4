/* c_nest.h -- a restricted loop nest in C, read (docs/import.md): static control, affine bounds, conditions and
   indices.

   What is affine is kept as text in isl's notation: a parameter n is p_n, a loop variable i is v_i. */
#ifndef REDBLUE_C_NEST_H
#define REDBLUE_C_NEST_H

#include "base/diag.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { C_RANK = 8, C_NAME = 64 };

typedef struct {
  char name[C_NAME];
  bool given;                  /* it has a value in the text */
  int64_t value;
} c_param;

typedef struct {
  char name[C_NAME];
  int rank;                    /* 0: a scalar */
  char *extent[C_RANK];        /* affine */
  bool outside;                /* its values are seen after the nest: a parameter of the function, or global */
  bool written, output;
  int line, column;
} c_array;

typedef struct {
  int array;
  char *index;                 /* affine, separated by commas; "" for a scalar */
} c_access;

typedef struct {
  int depth;
  char var[C_RANK][C_NAME];
  char *domain;                /* conditions joined by "and" */
  char *schedule;              /* "0,v_i,1,-v_j,0": loops and the places in their bodies */
  int places;                  /* entries of it */
  c_access write;
  int reads;
  c_access *read;
  bool copy;                   /* of one value, as it is */
  int line, column;
} c_statement;

/* e / 2 or e % 2 was read: e must not be negative. */
typedef struct {
  char *vars, *domain, *left;  /* of the loops around; where; e */
  int line, column;
} c_quotient;

typedef struct {
  char name[C_NAME];           /* of the function, or "" */
  int params, arrays, statements, quotients;
  c_quotient *quotient;
  c_param *param;
  c_array *array;
  c_statement *statement;
  void **block;                /* all memory of it */
  size_t blocks, room;
} c_nest;

/* Read the nest of `source`: what stands between #pragma scop and #pragma endscop, or else the body of the first
   function. BAD_INPUT with the place of what cannot be read. */
status c_nest_read(c_nest *n, const char *file, const char *source, diag *d);
void c_nest_clear(c_nest *n);

#endif
