/* flow.h -- who wrote what is read: exact array dataflow by isl, and the text of the computation that follows; for the
   files of this folder.

   Every access is asked for its last writer (isl's union_flow).  A copy is the value it copies; what depends on
   constants alone is a constant; neither is a vertex.  So a statement is an array over its loops, each access a term in
   pieces. Only this folder includes isl. */
#ifndef REDBLUE_CDAG_IMPORT_FLOW_FLOW_H
#define REDBLUE_CDAG_IMPORT_FLOW_FLOW_H

#include "base/text.h"
#include "cdag/cdag.h"
#include "cdag/import/c/nest.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/space.h>
#include <isl/set.h>
#include <isl/map.h>
#include <isl/union_set.h>
#include <isl/union_map.h>
#include <isl/flow.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/val.h>
#include <isl/local_space.h>
#include "late_isl.h"

#define OF_PARAM isl_dim_param
#define OF_SET isl_dim_set
#define OF_IN isl_dim_in
#define OF_OUT isl_dim_out
#define OF_DIV isl_dim_div

typedef enum { VALUE, COPY, CONSTANT } statement_kind;

typedef struct {
  statement_kind kind;
  isl_set *domain;
  isl_union_map **read;        /* of each access: instance -> the instance that wrote it, or the element as given */
  isl_union_map **direct;      /* the same, copies not passed over; or NULL: there are none */
  int depth;
  char var[C_RANK][C_NAME];
  isl_map *without;            /* the loops written -> those that are left; NULL: all are */
} flow_statement;

/* An array of the text: a convex part of a statement's instances, or the elements of an array that are read as given.
 */
typedef struct {
  bool input;
  int of;
  isl_basic_set *domain;
  char name[C_NAME + 16];
} part;

typedef struct {
  const c_nest *n;
  const cdag *like;            /* or NULL: its parameters have values */
  isl_ctx *ctx;
  text head;                   /* "[p_n] -> { " */
  flow_statement *s;
  isl_union_map *writes, *schedule;
  isl_union_set *output;
  isl_set *context;
  part *part;
  char index[C_RANK][C_NAME];  /* names for the indices of inputs */
  int parts;
  size_t room;
  int places;
  int visible;                 /* a bound may read the indices before it: the first so many */
  bool fixed;                  /* for the parameters' values alone */
  bool no_rows;                /* an index leaves its row */
  bool bad;                    /* something cannot be said in the language */
  text *out;
} flow;

/* ---- statements.c ---- */

/* "[p_n] -> { ", the format with a and b in its places, " }". */
isl_set *flow_set_of(flow *f, const char *format, const char *a, const char *b);
/* Its instances and their place in time; then, when all are read, who wrote what they read. */
void flow_read_statement(flow *f, int k);
/* instance -> element, whatever the instance or (`when`) where the access is made */
isl_map *flow_access_map(flow *f, int k, int i, bool when);
void flow_read_accesses(flow *f, int k);
/* What a read of all elements after the nest would find. */
isl_union_set *flow_last_values(flow *f, int a);

/* ---- values.c ---- */

/* The statement or array that a map leads to. */
int flow_target_of(isl_map *m, bool *input);
/* Reads of copies become reads of what was copied. */
void flow_forward_values(flow *f);
/* Instances that read nothing but constants are constants: out with them, and with what reads only them.  False: there
 * is no end to it. */
bool flow_drop_constants(flow *f);

/* ---- parts.c ---- */

/* Is an array, a parameter or an index called so? */
bool flow_taken(const flow *f, const char *name);
/* A part for each convex piece of the instances that are vertices. */
void flow_make_statement_parts(flow *f);
/* Pieces of `whole` need not be disjoint: of b's conditions those are kept that keep what is known of it inside. */
isl_basic_set *flow_relaxed(isl_basic_set *b, isl_set *whole, isl_set *known);
/* The elements of each array that are read as given. */
void flow_make_input_parts(flow *f);

/* ---- forms.c ---- */

/* The name of index r of the part. */
const char *flow_name_of(const flow *f, const part *p, int r);
/* x0, x1, ... unless data or parameters are called so. */
void flow_name_indices(flow *f);
/* A parameter of a reserved name gets a line behind it, which cdag_assign knows of. */
const char *flow_said(const c_param *p, char *name);
/* sign times the form. */
void flow_put_aff(flow *f, const part *p, isl_aff *aff, int sign, text *t);
/* Those of b, joined by &&. */
void flow_put_conditions(flow *f, const part *p, isl_basic_set *b, text *out);
/* LO..HI of index r of the domain; the indices before it may be in it. */
void flow_put_range(flow *f, const part *p, isl_set *whole, int r, int rank, text *out);
/* [i:0..n, j:0..i] */
void flow_put_domain(flow *f, const part *p, isl_basic_set *domain, text *out);

/* ---- terms.c ---- */

/* " = " and all that an element of the part reads. */
void flow_put_terms_of(flow *f, const part *p, text *out);

/* ---- write.c ---- */

/* Parameters, inputs, statements, outputs. */
void flow_put_all(flow *f);

/* ---- flow.c ---- */

/* b is kept. */
isl_set *flow_as_set(isl_basic_set *b);

#endif
