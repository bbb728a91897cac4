/* pebble/element/rule.h -- a rule in numbers: what the run-by-run path of the element engine knows of an array's terms
   and domain. Private to the room. */
#ifndef REDBLUE_PEBBLE_ELEMENT_RULE_H
#define REDBLUE_PEBBLE_ELEMENT_RULE_H

#include "pebble/element/element.h"

/* An integer that depends on the run's variable x only: base + slope * x. */
typedef struct { int64_t base, slope; } element_line;

/* The same of all the variables of a rule (or of a domain): base + sum coef[r] x[r], or an expression. */
typedef struct {
  bool affine;
  int var;                     /* affine: base + x[var]; -1: base; -2: neither */
  int64_t base, coef[CDAG_RANK];
  const expr *e;
  uint32_t uses;               /* bit r: reads variable r */
} element_form;

typedef struct {
  bool usable;
  bool affine;                 /* usable, and its ends are affine */
  bool rectangular;
  cdag_box hull;
  element_form lo[CDAG_RANK], hi[CDAG_RANK]; /* not rectangular */
} element_domain;

typedef struct {
  int array, rank;
  element_form index[CDAG_RANK];
  int all;                     /* the dimension under '*' or a range, or -1 */
  element_form all_lo, all_hi; /* a range: its ends; '*': affine constants, the hull's */
} element_term;

struct element_rule {
  bool usable;                 /* every term can be looked at run by run */
  bool points;                 /* and is one element, whose indices and domain are affine */
  int rank, terms;
  element_term *term;
  element_domain domain;
};

/* By array of g; numbers too large for plain arithmetic make a rule unusable, never wrong. */
element_rule *element_rules_new(const cdag *g);
void element_rules_free(element_rule *rule, int arrays);

/* f where the variables are the lines y; false when it is not affine and reads one whose slope is not 0, when it has no
   value (*absent: a table was read outside its bounds), or when it is too large. */
bool element_form_general(const cdag *g, const element_form *f, const element_line *y, int rank, element_line *out,
                          bool *absent);
static inline bool element_form_at(const cdag *g, const element_form *f, const element_line *y, int rank,
                                   element_line *out, bool *absent)
{
  if (f->var == -2)
    return element_form_general(g, f, y, rank, out, absent);
  out->base = f->base + (f->var >= 0 ? y[f->var].base : 0);
  out->slope = f->var >= 0 ? y[f->var].slope : 0;
  return true;
}

/* Narrow [*lo, *hi) to the x with l >= 0. */
void element_clip_slope(element_line l, int64_t *lo, int64_t *hi);
static inline void element_clip(element_line l, int64_t *lo, int64_t *hi)
{
  if (l.slope != 0)
    element_clip_slope(l, lo, hi);
  else if (l.base < 0)
    *hi = *lo;
}

#endif
