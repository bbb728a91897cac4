/* view.h -- a computation said in another way, as a text and opened as one.

   A view says what becomes of each array: the parts it has, their names, ranges and terms.  What it says nothing about
   is printed as it stands, so a view is no longer than what it changes. */
#ifndef REDBLUE_CDAG_VIEW_H
#define REDBLUE_CDAG_VIEW_H

#include "cdag/cdag.h"

/* Where an expression, or a range, stands. */
typedef struct {
  int array, index;            /* at that index of that array; array -1: in a condition */
  int reader, part;            /* in the rule of that part of that array (a head: of the array itself); or */
  bool head;
  const cdag_selection *selection; /* in a line `output ...` */
  const cdag_term *term;       /* which reads at that index, or NULL */
} cdag_spot;

typedef struct cdag_view cdag_view;
struct cdag_view {
  const char *params;          /* lines before all others, or NULL */
  const char *lead, *count; /* every array that is not shared has an index more, lead:count, before its own; NULL: no */
  const bool *shared;
  const int
      *dropped; /* array: its index that is left out, or -1, and terms that do not pass it on are, too; NULL: none */
  const bool *kept;            /* array: is it part of the text? NULL: all are */
  bool round;                  /* every array may have inputs, and the outputs are those of `tail` */
  int tail;
  bool rules_apart;            /* part k of an array is its rule k */
  bool fewer;                  /* elements may be left out */

  void *own;                   /* what the functions know; each may be NULL */
  int (*parts)(const cdag_view *v, int array);                     /* NULL: 1 */
  void (*name)(const cdag_view *v, int array, int part, text *out);
  /* Does that part read this part of the term's array, and does this part hold what is put out? */
  bool (*reads)(const cdag_view *v, int array, int part, const cdag_term *t, int of);
  bool (*puts_out)(const cdag_view *v, const cdag_selection *s, int part);
  /* A value, or (hi not NULL) a range: what it becomes; both are the view's. */
  void (*say)(const cdag_view *v, const cdag_spot *at, expr **lo, expr **hi);
  /* All of a part, and a term, in other words; false: none are needed. */
  bool (*rule)(const cdag_view *v, int array, int part, text *out);
  bool (*term)(const cdag_view *v, int array, const cdag_term *t, text *out);
};

void cdag_print_view(text *out, const cdag *g, const cdag_view *v); /* v may be NULL */
/* Some terms of a rule of that part, behind `first`; with a view that has words for terms, equal ones once. */
void cdag_print_terms(text *out, const cdag *g, int array, int part, const cdag_term *term, int terms,
                      const char *first, const cdag_view *v);
void cdag_print_index(text *out, const cdag_term *t, int index);
void cdag_print_condition(text *out, const cdag_term *t); /* ` if CONDITION`, where it has one */
/* Of a right g, opened without looking for cycles; of and part, if not NULL, say of each new array which part of
   which array it is.  NULL: it has other elements, or other arrays. */
cdag *cdag_view_open(const cdag *g, const cdag_view *v, int **of, int **part);
/* base, more and if need be a number, such that nothing in g is called so. */
void cdag_fresh_name(const cdag *g, const char *base, const char *more, char *out);

#endif
