/* reader.h -- the reader of loop nests in C, for its own files: tokens are made nodes, nodes are made affine forms,
   conditions and accesses in isl's words, and of these are made the statements of the nest (nest.h). */
#ifndef REDBLUE_CDAG_IMPORT_C_READER_H
#define REDBLUE_CDAG_IMPORT_C_READER_H

#include "base/text.h"
#include "cdag/import/c/lex.h"
#include "cdag/import/c/nest.h"

enum { DEPTH = 200, ARGS = 16, LOOPS = C_RANK, LEVELS = 64 };

typedef enum { N_INTEGER, N_REAL, N_NAME, N_INDEX, N_CALL, N_UNARY, N_BINARY, N_CHOICE } node_kind;
typedef struct node {
  node_kind kind;
  char text[C_NAME]; /* name, or sign */
  int64_t value;
  int n;
  struct node *arg[ARGS];
  struct node *side;           /* of an element reached through a pointer that is swapped; or NULL */
  int line, column;
} node;

typedef struct {
  char name[C_NAME];
  char *value; /* of the variable, affine */
  char *top;   /* of one that counts down: where it begins, if no other loop says so; or NULL */
  int id;      /* loops are numbered as they are read */
  int64_t by;
  node *from, *length; /* where it begins; how many iterations it has, NULL: not said */
} loop;
/* An integer that one step in all changes: which iteration of its loops it is tells its value. */
typedef struct {
  int loops, conditions; /* around its beginning */
  int64_t by;            /* its step */
  int inside;            /* loops around the step: all those in `of`, which are known once the step is read */
  bool read;             /* the step has been read; else its loops are taken to be those of an access before it */
  bool ragged;           /* they have several lengths: an element is told by their iterations */
  loop of[LOOPS];
} counter;
typedef struct {
  char name[C_NAME];
  char *value; /* "": that of `of`, where rows are counted; NULL: a pointer or a counter */
  node *of;
  int loops;     /* around it */
  counter *count; /* it is one of these: of is where it begins */
} alias; /* an integer that stands for an affine form, or a pointer for a place of an array */

/* Two pointers that change places in each iteration of the loop at hand, the outermost. */
typedef struct {
  char name[2][C_NAME];
  node *place[2], *begins[2];  /* where they point, and at which side, before the loop */
  node *before, *all;          /* swaps before this iteration; in all, NULL: not said */
  int each, done;              /* in an iteration (0: none are read), and so far in this one */
} c_swap;

typedef struct {
  const char *file;
  c_lexer in;
  int depth;
  diag *d;
  status st;
  c_nest *n;
  const cdag *like;       /* or NULL: its parameters have values */
  const char *body, *end; /* of the function */
  const char *printed, *behind_printed; /* the parameters of print_array, or NULL */
  c_rows rows;            /* a[i*n + j] is read as a[i][j] */
  bool no_rows;           /* an index was none of such rows */
  bool global, whole;     /* declarations outside of functions; no scop is marked */
  int loops, loops_read;
  loop loop[LOOPS];
  int conditions;
  char *condition[LEVELS];
  int places;
  char *place[2 * LEVELS];
  int aliases;
  alias *alias;
  c_swap swap;
  int whens, guards; /* conditions inside of the expression at hand; on data, around the statement */
  char *when[LEVELS];
  node *guard[LEVELS];
  bool loop_body; /* the statement that comes is a loop's */
  char *skipped;  /* or NULL: where a `continue` was just read */
} reader;

/* ---- expression.c ---- */

/* The next token, but none after trouble. */
void c_next(reader *r);
/* Is the token at hand this word or sign?  c_accept passes over it then; c_expect refuses another. */
bool c_at(const reader *r, const char *s);
bool c_accept(reader *r, const char *s);
/* The token at hand, for a message. */
const char *c_found(const reader *r);
bool c_expect(reader *r, const char *s);
node *c_new_node(reader *r, node_kind kind, const token *t);
/* Those of a call or a list, up to `close`. */
void c_arguments(reader *r, node *e, const char *close);
bool c_is_integer_type(const reader *r);
bool c_is_type(const reader *r);
/* Two names beside one another: the first is a type. */
bool c_is_some_type(const reader *r);
/* Behind the bracket that closes the one at hand. */
void c_skip_brackets(reader *r);
node *c_unary(reader *r);
/* How tightly a sign of two operands binds. */
enum { L_OR, L_AND, L_EQUAL = 5, L_ORDER, L_SHIFT, L_SUM, L_PRODUCT, L_ALL };
int c_level(const char *sign);
node *c_expression(reader *r);

/* ---- affine.c ---- */

/* The word for an affine form, or the loop, of that name; NULL: there is none. */
const alias *c_find_alias(const reader *r, const char *name);
const loop *c_find_loop(const reader *r, const char *name);
/* Is e made of numbers alone?  Then it has a value. */
bool c_constant(const node *e);
int64_t c_constant_value(const node *e);
/* The value of e where it is made of numbers and of parameters that have values. */
bool c_fixed_value(reader *r, const node *e, int64_t *value);
/* `wrong` must hold nowhere in the loops and under the conditions at hand: that is checked when all is known. */
void c_add_claim(reader *r, const node *e, text *wrong, const char *message, bool rows);
bool c_same(const node *a, const node *b);
/* Adds e; false where it is not affine. */
bool c_affine(reader *r, const node *e, text *out);
bool c_comparison(reader *r, const node *a, const char *sign, const node *b, text *out);
bool c_is_integer_name(const reader *r, const char *name);
/* Is e made of numbers, loop variables and parameters alone? */
bool c_integral(const reader *r, const node *e);
/* A condition, in isl's words. */
bool c_condition(reader *r, const node *e, text *out);
bool c_push_condition(reader *r, char *c, int line, int column);
/* The condition e, or that it does not hold. */
char *c_condition_text(reader *r, const node *e, bool holds);
/* The parts, with `by` between them. */
char *c_joined(reader *r, char **part, int n, const char *by);

/* ---- rows.c ---- */

/* Does e name a loop's variable? */
bool c_has_loops(const reader *r, const node *e);
/* A product of loop variables and parameters is in it. */
bool c_is_flat(reader *r, const node *e, const c_array *x);
/* An index by rows, rows of rows, ..., outermost first; each but the first is claimed to stay within its row. */
bool c_flat_index(reader *r, const node *e, c_array *x, text *out, int *rank);

/* ---- assign.c ---- */

/* Its number, or -1; c_add_array adds it where it is new. */
int c_find_array(const c_nest *n, const char *name);
int c_add_array(reader *r, const char *name, int line, int column);
bool c_is_data(const reader *r, const node *e);
/* One entry of the schedules of the statements to come; the caller takes it off `places`. */
bool c_push_place(reader *r, const char *place);
/* left = right, or with another sign, as a statement of the nest. */
void c_assignment(reader *r, const node *left, const char *sign, const node *right);
/* All elements of array a become constants. */
void c_fill(reader *r, int a, const token *t);

/* ---- pointer.c ---- */

/* What the name points at, or NULL: it is no pointer. */
const alias *c_find_pointer(const reader *r, const char *name);
/* The element that e points at, its last index that which a pointer counts on; NULL: it is no such place. */
node *c_pointed_at(reader *r, const node *e);
/* Has a name in what p stands for got another meaning since? */
bool c_rebound(const reader *r, const alias *p);
/* p[i] as the element that it is; other nodes as they are. */
node *c_through_pointer(reader *r, node *e);
/* type *name = e; the name stands for a place, or for memory that is had there. */
void c_pointer_declared(reader *r, const token *name, const c_array *x);
/* free(p); and others that compute nothing, and memset.  False: it is another statement. */
bool c_passed_over(reader *r);

/* ---- swap.c ---- */

/* How often the pointer of that name changes places with another from here on. */
int c_swaps_of(const reader *r, const char *name);
/* A loop's body comes, where pointers may be swapped; the three statements that do; and behind the loop. */
void c_swaps_begin(reader *r);
bool c_swap_read(reader *r);
void c_swaps_end(reader *r);

/* ---- count.c ---- */

/* name = e; where the name then counts iterations, and names elements by that.  False: it does not. */
bool c_counter_begins(reader *r, const token *name);
/* idx++; and the like.  False: it is another statement. */
bool c_counter_steps(reader *r);
/* idx or idx++ in an expression, e, as what it is there; other nodes as they are. */
node *c_counted(reader *r, node *e);
/* The index of x by which a counter names one element in each iteration of loops of several lengths: the iterations, of
   an array that nothing else names. */
bool c_is_ragged(const node *index);
bool c_ragged_index(reader *r, const node *e, c_array *x, text *out);

/* ---- loop.c ---- */

/* a + b, a - b, a * b where b stands; sums with 0 and products by 1 are what is left. */
node *c_binary(reader *r, node *a, const char *sign, node *b);
void c_for_loop(reader *r);

/* ---- branch.c ---- */

void c_if_statement(reader *r);
/* After `if (e) continue;` in the block of a loop. */
void c_leave_out(reader *r, bool of_loop);

/* ---- statement.c ---- */

const char *c_text_at(const reader *r);
/* How often the name is assigned to in s..end; declarations do not count. */
int c_assignments(const char *s, const char *end, const char *name);
/* The name stands for an affine form: of, or value, where the name is of the loops that `of` is; without a value, for
   the place `of`. */
void c_add_alias(reader *r, const char *name, node *of, text *value);
void c_add_affine_alias(reader *r, const char *name, node *of);
/* `left = right`, `left += right` or `left++`; the `;` or `,` behind it is not read. */
void c_simple_assignment(reader *r);
/* Statement number k of the body at hand. */
void c_placed_statement(reader *r, int k);

/* ---- declare.c ---- */

/* A pointer is an index more. */
int c_pointers(reader *r);
void c_declarator(reader *r, bool integer);
/* Types, then names; an int without indices is a parameter. */
bool c_types(reader *r);
void c_declaration(reader *r);
void c_parameters(reader *r);

/* ---- nest.c ---- */

/* The nest frees the block in the end. */
void *c_keep(c_nest *n, void *block);
__attribute__((format(printf, 4, 5))) bool c_refuse(reader *r, int line, int column, const char *format, ...);
c_param *c_find_param(const c_nest *n, const char *name);

#endif
