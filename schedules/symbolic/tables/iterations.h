/* schedules/symbolic/tables/iterations.h -- loops whose variables choose entries of tables, as those over the rows of a
   block mask do.  Private to the formula.

   Such a loop is *listed*: its iterations are written down one by one, with numbers for bounds, and the body is summed
   up once for all iterations that are alike: in which all that the sum reads of tables is the same.  Iterations count
   as alike until something is met that tells them apart. */
#ifndef REDBLUE_SCHEDULES_FORMULA_ITERATIONS_H
#define REDBLUE_SCHEDULES_FORMULA_ITERATIONS_H

#include "schedules/symbolic/internal.h"

typedef struct {
  int64_t lo, hi;
  uint32_t of;
  bool first, last;
} listed_iteration; /* of: the iteration of the listed loop around it */

/* What is asked of an iteration: the value of an expression; of index r of a box the number of elements or the least
   one, inside the array; of its array's bound e the value. */
typedef enum { KEY_VALUE, KEY_EXTENT, KEY_LEAST, KEY_BOUND } key_kind;
typedef struct {
  key_kind kind;
  const expr *e;
  const schedule_box *box;
  int r;
  unsigned reads;              /* of a box: bit i: its index i stands in a bound */
} iteration_key;

typedef struct { iteration_key key; span values; } iteration_answer;

/* Iterations of one listed loop that are summed as one, or parted.  They are kept: a loop around them that is walked in
   iterations of several kinds meets them again. */
typedef struct iteration_class {
  struct iteration_list *list;
  uint32_t *iteration;              /* `iterations` of the list */
  size_t iterations;
  iteration_answer *answer;
  size_t answers, answer_room;
  struct iteration_class **part;
  size_t parts, part_room;
  struct iteration_list **inner;    /* of listed loops in the body */
  size_t inners, inner_room;
} iteration_class;

/* The iterations of a listed loop in the iterations of a class around it; the outermost is one iteration of no loop. */
typedef struct iteration_list {
  int loop;                    /* or -1 */
  iteration_class *around;          /* NULL: none */
  listed_iteration *iteration;
  size_t n, room;
  uint32_t *order;             /* what the classes have parts of */
  iteration_class *all;
} iteration_list;

typedef struct iteration_join iteration_join; /* schedules/symbolic/tables/join.c */

typedef struct formula_iterations {
  bool *listed;                /* by loop */
  iteration_class *at;              /* whose iterations are at hand */
  int64_t *slot, *index_slot;  /* values in one iteration: for the schedule's expressions, for an array's bounds */
  const schedule_box *box;     /* whose indices are being looked at */
  const iteration_class *apart;     /* not NULL: its iterations were told apart, by this: */
  iteration_key by;
  size_t written, walks;       /* iterations, bodies summed up */
  iteration_list **list;            /* all there are */
  size_t lists, list_room;
  iteration_class **class;
  size_t classes, class_room;
  iteration_join **join;
  size_t joins, join_room;
  expr **own;
  size_t owns, own_room;
} formula_iterations;

/* ---- schedules/symbolic/tables/listed.c: which loops, and what is a number then ---- */

/* Does the program read tables, where one of them has two indices or more: a mask? */
bool formula_reads_mask(const formula *f);
void formula_list_loops(formula *f); /* from here on list those whose variables choose entries of tables */

/* ---- schedules/symbolic/tables/iterations.c: their iterations ---- */

void formula_iterations_begin(formula_iterations *t);              /* one iteration of no loop */
void formula_iterations_free(formula_iterations *t);
enum { FORMULA_ITERATIONS = 1 << 22 };                        /* so many are written down */
typedef struct { int64_t lo, hi, by; } iteration_range;
bool formula_iteration_range(formula *f, const schedule_loop *l,
                             iteration_range *r); /* in the iteration whose values the slots have */
listed_iteration formula_iteration_at(const schedule_loop *l, const iteration_range *r, int64_t lo,
                                      uint32_t of); /* the one that begins there */
bool formula_write_iteration(formula *f, const schedule_loop *l, iteration_list *to, const iteration_range *r,
                             int64_t lo, uint32_t of);
bool formula_add_listed(formula *f, const schedule_node *n, poly *total);
bool formula_are_apart(const formula *f);                /* the last failure: iterations at hand are not alike */
int64_t formula_alike(const formula *f);                 /* iterations at hand that are summed as one */

/* ---- schedules/symbolic/tables/join.c: of two loops, one in the other, those in which a condition holds ---- */

/* NULL: loop n and the one in it have no such condition. */
const iteration_join *formula_join_of(formula *f, const schedule_node *n);
/* Write down the iterations of loop n, one of the two, in which it holds. */
bool formula_join_iterations(formula *f, const iteration_join *j, const schedule_node *n, iteration_list *to,
                             uint32_t of);
void formula_join_free(iteration_join *j);

/* ---- schedules/symbolic/tables/alike.c: what is read in the iterations at hand ---- */

bool formula_is_listed(const formula *f, const expr *e); /* does it read numbers and variables of listed loops only? */
bool formula_key_value(formula *f, const iteration_key *k,
                       int64_t *value); /* in the iteration whose values the slots have */
void formula_put_values(formula_iterations *t, const schedule_loop *l, const listed_iteration *at);
void formula_put_iteration(formula_iterations *t, const schedule *s, const iteration_list *l,
                           size_t i); /* give the slots the values of an iteration */
iteration_key formula_box_key(const formula *f, key_kind kind, const schedule_box *b, int r, const expr *bound);
bool formula_over_iterations(formula *f, const iteration_key *k, int line, span *out);
bool formula_tell_apart(formula *f, const iteration_key *k, int line);       /* always false */
/* A listed expression: its number, or something that stands for its values. */
bool formula_listed_poly(formula *f, const expr *e, poly *out);
/* The expression with numbers for the parts that are listed; NULL: they are not the same in all iterations. */
const expr *formula_with_numbers(formula *f, const expr *e);
bool formula_listed_span(formula *f, const expr *e, span *out);         /* of any expression */
void formula_tell_condition(
    formula *f, const expr *e); /* that it is not the same in all iterations, if a listed part of it is not */
bool formula_same_in_all(formula *f, poly p, int line); /* does it hold nothing that stands for several values? */
/* Does an index of a box, or a bound of its array, read numbers and listed variables only? */
bool formula_listed_index(const formula *f, const schedule_box *b, int r);
bool formula_listed_bound(const formula *f, const schedule_box *b, const expr *e);
bool formula_listed_range(formula *f, int loop, interval *out);         /* the block of a listed loop */
bool formula_listed_interval(formula *f, const schedule_box *b, int r, interval *out,
                             bool *empty); /* such an index, inside the array */

#endif
