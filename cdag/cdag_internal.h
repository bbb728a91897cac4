/* cdag_internal.h -- what the files of this folder share about a CDAG with its parameters bound.

   A bound expression is a *form*: base + sum coef[r] x[r] + rest(x), where rest holds what is not affine (table
   look-ups, min, division ...).  A *nest* is a loop nest, the domain of an array or of a selection.

   Numbering a nest.  Let W(r) be the number of elements below a prefix x[0..r-1].  The position of x is the sum over r
   of the W(r+1) of the smaller values of index r.  So with S_r(y) the running sum of W(r+1) along index r,
   position = sum S_r(x[r]) - S_r(lo[r]) and W(r) = S_r(hi[r]) - S_r(lo[r]).  S_r is linear when W(r+1) does not
   depend on x[r], a polynomial when bounds are affine in one variable and never cross, and otherwise a table over the
   variables W(r+1) depends on: usually one variable, so a triangle costs one word a row and no enumeration.  Where that
   table would be large, S_r is a polynomial in these variables on each of some pieces (domain/summed.h). */
#ifndef REDBLUE_CDAG_INTERNAL_H
#define REDBLUE_CDAG_INTERNAL_H

#include "cdag/cdag.h"
#include "cdag/view.h"

/* Variable r of the nest stands in slot r: parameters are folded into constants. */
typedef struct {
  int64_t base, coef[CDAG_RANK];
  uint32_t affine_vars;        /* bit r: coef[r] != 0 */
  int var;                     /* no rest: >= 0: x[var] + base; -1: constant; -2: neither */
  expr *rest;                  /* NULL: affine */
  uint32_t rest_vars;          /* bit r: rest reads x[r] */
  int64_t *memo;               /* values of rest over the hull of rest_vars, or NULL; FORM_ABSENT where it has none */
  int64_t memo_lo[CDAG_RANK], memo_stride[CDAG_RANK], memo_size[CDAG_RANK];
  int64_t rest_least, rest_most; /* over the hull; least > most when it has no value anywhere */
  bool everywhere;             /* rest is known to have a value on every point */
  bool guard;                  /* rest is the condition of a term: 0 where it has a value */
  bool plain_guard;            /* and the condition is a conjunction of affine comparisons */
  bool lent;                   /* rest and memo are another form's */
} form;
#define FORM_ABSENT INT64_MIN
#define FORM_LIMIT ((int64_t)1 << 61) /* base + affine part, and rest, stay within this, so that sums cannot overflow */

enum { NEST_SUMS = CDAG_RANK + 2 };
/* base + sum coef[q] x[q] + last y >= 0, or == 0 */
typedef struct { int64_t base, coef[CDAG_RANK], last; bool equal; } nest_condition;
/* c times the product of x[q]^power[q] and y^last */
typedef struct { int64_t c; uint8_t power[CDAG_RANK], last; } nest_monomial;
typedef struct {
  int conditions, terms;
  nest_condition *condition;
  nest_monomial *term;
} nest_piece;
/* The sum, over the pieces whose conditions hold, of their terms, all over the denominator. */
typedef struct {
  int n;
  int64_t denominator;
  nest_piece *of;
} nest_pieces;

typedef enum { SUM_LINEAR, SUM_POLY, SUM_TABLE, SUM_PIECES } sum_kind;
typedef struct {
  sum_kind kind;
  int degree;                        /* POLY: S(y) = sum c[k] binomial(y - lo of the hull, k), k <= degree */
  int64_t c[NEST_SUMS];
  uint64_t *table;                   /* TABLE */
  int64_t stride[CDAG_RANK];         /* TABLE: position = sum stride[q] (x[q] - hull.lo[q]); stride of r itself is 1 */
  nest_pieces *pieces;               /* PIECES */
} nest_sum;

typedef struct {
  int rank;
  form lo[CDAG_RANK], hi[CDAG_RANK];
  uint32_t bound_vars[CDAG_RANK];    /* variables the bounds of r depend on */
  uint32_t later_vars[CDAG_RANK];    /* variables the bounds of the dimensions after r depend on */
  bool rectangular;
  cdag_box hull;
  uint64_t stride[CDAG_RANK];        /* rectangular: of the position */
  uint32_t weight_vars[CDAG_RANK + 1]; /* variables W(r) depends on */
  nest_sum sum[CDAG_RANK];
  uint64_t count;
  const expr_table *table;
} nest;

/* One index of a bound term: a value, or [lo, hi), or everything. */
typedef struct {
  cdag_index_kind kind;
  form lo, hi;
} bound_index;

typedef struct {
  int array;
  int rank;                    /* of that array */
  bound_index index[CDAG_RANK];
  bool single;                 /* every index AT: at most one element */
  uint64_t clashes[4];         /* bit t: may name what term t, an earlier one of the rule, names on the same element */
} bound_term;

typedef struct {
  nest dom;                    /* rank 0 when the selection has no variables */
  bound_term pick;
} bound_selection;

typedef enum { TABLE_LIST, TABLE_RULE, TABLE_GENERATED } table_kind;
enum { TABLE_ARGUMENTS = 2 }; /* tables a generator may be given, before numbers */
typedef struct {
  table_kind kind;
  expr *size[CDAG_RANK];
  char var[CDAG_RANK][CDAG_NAME];
  char generator[CDAG_NAME], argument_table[TABLE_ARGUMENTS][CDAG_NAME];
  int values;                  /* LIST: values; RULE: 1; GENERATED: arguments */
  expr **value;
  int line, column;
} table_text;

typedef struct { int line, column; } place;

typedef struct { int owner; const cdag_term *term; const bound_term *bound; int t; } term_use;

typedef struct {
  bool known;                  /* false: too irregular and too large */
  bool sources_known;          /* sources is right even when the rest is not known */
  bool counted;                /* counting was tried, with or without an answer */
  bool found;                  /* the rest is what was found, by counting or by looking */
  uint64_t edges, sources, max_in_degree;
} array_degrees;

typedef struct { bool counted, known; uint64_t n; } array_outputs;

/* One of several rules for an array: the elements where its condition holds. */
typedef struct {
  expr *lo[CDAG_RANK], *hi[CDAG_RANK];
  expr *condition;             /* slots: parameters, then the variables of the array; NULL: all */
  bool input, output;
  int terms;                   /* it has */
  uint64_t count;              /* elements */
  int line, column;
} rule_piece;
typedef struct {
  int n;
  rule_piece *of;
  bool apart;                  /* no two have an element in common, by their ranges alone */
  bool exact;                  /* the array's bounds depend on the rule */
} pieces;

struct cdag_private {
  char file[256];              /* for diagnostics */
  bool imported;               /* the text was made, not written */
  place *param_place;
  table_text *table;
  int guard_table;             /* 1 + the table of one entry that conditions of terms read; 0: there is none */
  pieces *piece;               /* array: the rules it was put together from, or none */
  bool *given;                 /* parameter: given in the assignment */
  bool rest_given;             /* `*=V`: the value of parameters that have none */
  int64_t rest;
  char **table_file;           /* table: read from this file instead, or NULL */
  place (*var_place)[CDAG_RANK]; /* array */
  nest *dom;                   /* array */
  bound_term **term;           /* array, term */
  bound_selection *selection;
  int *users;                  /* array: how many terms read it */
  term_use **use;              /* array: those terms, by owner then term */
  array_degrees *degrees;      /* array: filled when asked for */
  array_outputs *outputs;      /* the same */
};

/* ---- parse.c: text to tree; no parameter has a value yet ---- */
status cdag_parse_text(cdag *g, const char *source, diag *d);
/* ---- sugar.c: conditions, sums and several rules for one array, in terms of the rest of the language ---- */
enum { CDAG_VARIABLE = 1 << 20 };  /* while parsing, variable r of a rule has slot CDAG_VARIABLE + r */
/* The table that conditions read, made if need be, before tables are filled. */
int cdag_guard_table(cdag *g);
void cdag_guard_term(cdag *g, cdag_term *t, const cdag_array *target, expr *condition);
void cdag_chain_sum(cdag *g, int array, int first_terms);
/* The results of a sum, its last steps, are the outputs. */
status cdag_output_of_sum(cdag *g, int array, diag *d);
status cdag_end_of_sum(const cdag *g, const cdag_array *target, cdag_index *x, int *rank, int line, int column,
                       diag *d);
/* Who reads a sum that may have no steps reads what it begins with, then. */
void cdag_pass_on_sums(cdag *g);
status cdag_join_pieces(cdag *g, diag *d);   /* parameters and tables have their values */
/* Of a text that was made from a computation that is right: its cycles and sources are not looked for. */
status cdag_parse_unchecked(cdag **out, const char *name, const char *source, const char *assign, diag *d);
status cdag_check_pieces(const cdag *g, diag *d);
status cdag_check_inputs(const cdag *g, diag *d); /* after cdag_check_sources */
/* Split "n=3,d=2" and give the parameters their values; table=@FILE names a file of values. */
status cdag_assign(cdag *g, const char *assign, diag *d);
/* ---- parts.c ---- */
/* Is index s of the term variable r of the rule, and nothing else but perhaps the term's condition? */
bool cdag_passes_on(const cdag *g, const cdag_term *t, int s, int r);
/* What a term reads at an index: one variable v of the reader, up or down, and a number.  Is it so, whatever condition
   the index may hold? */
typedef struct { int v; int64_t sign, base; } cdag_passed;
bool cdag_passes(const cdag *g, int array, const cdag_term *t, int q, cdag_passed *p);
/* The index left out, as a parameter of this value, by the name or names it has in the arrays (kept: of these). */
status cdag_print_value(text *out, const cdag *g, const int *dropped, const bool *kept, int64_t value, diag *d);
/* ---- table.c ---- */
status cdag_fill_tables(cdag *g, diag *d);
bool cdag_is_generator(const char *name);
/* ---- bind.c: parameters to values, expressions to forms ---- */
status cdag_bind(cdag *g, diag *d);
/* ---- count.c: in-degrees and outputs; source.c, acyclic.c: what a CDAG must satisfy ---- */
array_degrees cdag_array_degrees(const cdag *g, int array);
bool cdag_degrees_by_counting(const cdag *g, int array); /* are they known without looking at every element? */
status cdag_check_sources(const cdag *g, diag *d);
status cdag_check_outputs(const cdag *g, diag *d);
status cdag_check_acyclic(const cdag *g, diag *d);

/* ---- form.c ---- */
/* e has slots: params parameters, then variables, those of n, so far as it goes.  It is only asked for on points of n.
 */
status form_make(form *f, const expr *e, const cdag *g, const nest *n, diag *d);
void form_constant(form *f, int64_t value);
/* A copy of e with its parameters as numbers and variable r in slot r. */
expr *form_bound_expr(const expr *e, const cdag *g);
/* The same, to be cleared before or after f, but not used after it. */
form form_lent(const form *f);
void form_clear(form *f);
/* rest(x), or false when it has no value there */
bool form_rest(const form *f, const int64_t *x, const expr_table *table, int64_t *value);
static inline uint32_t form_vars(const form *f) { return f->affine_vars | f->rest_vars; }
static inline bool form_at(const form *f, const int64_t *x, int rank, const expr_table *table, int64_t *value)
{
  if (f->var >= -1) {
    *value = f->base + (f->var >= 0 ? x[f->var] : 0);
    return true;
  }
  int64_t sum = f->base, rest;
  for (int r = 0; r < rank; r++)
    sum += f->coef[r] * x[r];
  if (f->rest) {
    if (!form_rest(f, x, table, &rest))
      return false;
    sum += rest;
  }
  *value = sum;
  return true;
}
/* Least and greatest value over the box (an outer estimate when rest has several variables).  False when it has none.
 */
bool form_interval(const form *f, const cdag_box *box, int rank, const expr_table *table, int64_t *least,
                   int64_t *most);

/* ---- nest.c ---- */
/* Dimension n->rank, with these bounds, becomes one more; nest_finish then finds sums and count.  what: "array X". */
status nest_add(nest *n, const expr *lo, const expr *hi, const cdag *g, const char *what, diag *d);
status nest_finish(nest *n, const cdag *g, const char *what, int line, int column, diag *d);
void nest_clear(nest *n);
status nest_add_forms(nest *n, const form *lo, const form *hi,
                      const expr_table *table);  /* shares what the forms hold */
void nest_clear_sums(nest *n);                   /* all that a nest of shared forms owns */
static inline void nest_range(const nest *n, int r, const int64_t *x, int64_t *lo, int64_t *hi)
{
  if (n->rectangular) {
    *lo = n->hull.lo[r];
    *hi = n->hull.hi[r];
  } else if (!form_at(&n->lo[r], x, r, n->table, lo) || !form_at(&n->hi[r], x, r, n->table, hi))
    *lo = *hi = 0;
}
/* Has dimension r the same values whatever the others are, and they whatever it is? */
static inline bool nest_stands_alone(const nest *n, int r)
{
  return n->rectangular ||
         (!n->lo[r].rest && !n->hi[r].rest && (n->bound_vars[r] | (n->later_vars[r] >> r & 1)) == 0);
}
static inline bool nest_has(const nest *n, const int64_t *x)
{
  for (int r = 0; r < n->rank; r++) {
    int64_t lo, hi;
    nest_range(n, r, x, &lo, &hi);
    if (x[r] < lo || x[r] >= hi)
      return false;
  }
  return true;
}
uint64_t nest_weight(const nest *n, int r, const int64_t *x); /* W(r) at the prefix x[0..r-1] */
uint64_t nest_position(const nest *n, const int64_t *x);
void nest_at(const nest *n, uint64_t position, int64_t *x);
uint64_t nest_box_count(const nest *n, const cdag_box *b);
bool nest_each_run(const nest *n, const cdag_box *b, cdag_visit_run visit, void *context);

/* ---- element.c ---- */
/* The box of elements term t names for x, not yet cut to the domain of its array; false when it names none. */
bool bound_term_box(const cdag *g, const bound_term *t, const int64_t *x, int rank, cdag_box *box);
static inline const bound_term *cdag_bound_term(const cdag *g, int array, int t) { return &g->priv->term[array][t]; }

/* ---- invert.c ---- */
/* Every point of nest n whose term names the element y of its array, in lexicographic order.  visit returns false to
 * stop. */
typedef bool (*invert_visit)(void *context, const int64_t *v);
bool cdag_invert(const cdag *g, const nest *n, const bound_term *t, const int64_t *y, invert_visit visit,
                 void *context);

#endif
