/* bounds/program/projective_bound.h -- what the two projective records share: the bound of one statement and of
 * several. */
#ifndef REDBLUE_BOUNDS_PROJECTIVE_BOUND_H
#define REDBLUE_BOUNDS_PROJECTIVE_BOUND_H

#include "bounds/recognise/projective_shape.h"
#include "bounds/segment/record.h"

enum { PROJECTIVE_STATEMENTS = 16 };
typedef struct {
  const bound_question *q;
  uint64_t stores;
  int n;
  bound_statement s[PROJECTIVE_STATEMENTS];
} projective_statements;
uint64_t projective_births(const bound_statement *s);

/* Members of an open JSON object. */
void projective_write_statement(json *j, const cdag *g, const bound_statement *s, const proj_statement *p);
/* A paragraph: what a step needs.  Sentences: what one way allows; `which` begins them. */
void projective_say_needs(const proof *say, const cdag *g, const proj_statement *p);
void projective_say_way(const proof *say, const cdag *g, const proj_term *term, const char *which, int64_t words);

/* The bound of several statements together, when there is one (bounds/program/projective_sum.c). */
status projective_add_sum(const projective_statements *f, bound_list *out, diag *d);

#endif
