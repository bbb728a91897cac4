/* schedules/symbolic/tables/turns.h -- loops whose variables choose entries of tables, as those over the rows of a block mask do.  Private to the formula.

   Such a loop is *listed*: its turns are written down one by one, with numbers for bounds, and the body is summed up once for all turns that are
   alike: in which all that the sum reads of tables is the same.  Turns count as alike until something is met that tells them apart. */
#ifndef REDBLUE_SCHEDULES_FORMULA_TURNS_H
#define REDBLUE_SCHEDULES_FORMULA_TURNS_H

#include "schedules/symbolic/internal.h"

typedef struct { int64_t lo, hi; uint32_t of; bool first, last; } listed_turn; /* of: the turn of the listed loop around it */

/* What is asked of a turn: the value of an expression; of index r of a box the number of elements or the least one, inside the array; of its
   array's bound e the value. */
typedef enum { KEY_VALUE, KEY_EXTENT, KEY_LEAST, KEY_BOUND } key_kind;
typedef struct {
  key_kind kind;
  const expr *e;
  const schedule_box *box;
  int r;
  unsigned reads;              /* of a box: bit i: its index i stands in a bound */
} turn_key;

typedef struct { turn_key key; span values; } turn_answer;

/* Turns of one listed loop that are summed as one, or parted.  They are kept: a loop around them that is walked in turns of several kinds meets them
   again. */
typedef struct turn_class {
  struct turn_list *list;
  uint32_t *turn;              /* `turns` of the list */
  size_t turns;
  turn_answer *answer;
  size_t answers, answer_room;
  struct turn_class **part;
  size_t parts, part_room;
  struct turn_list **inner;    /* of listed loops in the body */
  size_t inners, inner_room;
} turn_class;

/* The turns of a listed loop in the turns of a class around it; the outermost is one turn of no loop. */
typedef struct turn_list {
  int loop;                    /* or -1 */
  turn_class *around;          /* NULL: none */
  listed_turn *turn;
  size_t n, room;
  uint32_t *order;             /* what the classes have parts of */
  turn_class *all;
} turn_list;

typedef struct turn_join turn_join; /* schedules/symbolic/tables/join.c */

typedef struct formula_turns {
  bool *listed;                /* by loop */
  turn_class *at;              /* whose turns are at hand */
  int64_t *slot, *index_slot;  /* values in one turn: for the schedule's expressions, for an array's bounds */
  const schedule_box *box;     /* whose indices are being looked at */
  const turn_class *apart;     /* not NULL: its turns were told apart, by this: */
  turn_key by;
  size_t written, walks;       /* turns, bodies summed up */
  turn_list **list;            /* all there are */
  size_t lists, list_room;
  turn_class **class;
  size_t classes, class_room;
  turn_join **join;
  size_t joins, join_room;
  expr **own;
  size_t owns, own_room;
} formula_turns;

/* ---- schedules/symbolic/tables/listed.c: which loops, and what is a number then ---- */

/* Does the program read tables, where one of them has two indices or more: a mask? */
bool formula_reads_mask(const formula *f);
void formula_list_loops(formula *f);                     /* from here on list those whose variables choose entries of tables */

/* ---- schedules/symbolic/tables/turns.c: their turns ---- */

void formula_turns_begin(formula_turns *t);              /* one turn of no loop */
void formula_turns_free(formula_turns *t);
enum { FORMULA_TURNS = 1 << 22 };                        /* so many are written down */
typedef struct { int64_t lo, hi, by; } turn_range;
bool formula_turn_range(formula *f, const schedule_loop *l, turn_range *r); /* in the turn whose values the slots have */
listed_turn formula_turn_at(const schedule_loop *l, const turn_range *r, int64_t lo, uint32_t of); /* the one that begins there */
bool formula_write_turn(formula *f, const schedule_loop *l, turn_list *to, const turn_range *r, int64_t lo, uint32_t of);
bool formula_add_listed(formula *f, const schedule_node *n, poly *total);
bool formula_are_apart(const formula *f);                /* the last failure: turns at hand are not alike */
int64_t formula_alike(const formula *f);                 /* turns at hand that are summed as one */

/* ---- schedules/symbolic/tables/join.c: of two loops, one in the other, those in which a condition holds ---- */

/* NULL: loop n and the one in it have no such condition. */
const turn_join *formula_join_of(formula *f, const schedule_node *n);
/* Write down the turns of loop n, one of the two, in which it holds. */
bool formula_join_turns(formula *f, const turn_join *j, const schedule_node *n, turn_list *to, uint32_t of);
void formula_join_free(turn_join *j);

/* ---- schedules/symbolic/tables/alike.c: what is read in the turns at hand ---- */

bool formula_is_listed(const formula *f, const expr *e); /* does it read numbers and variables of listed loops only? */
bool formula_key_value(formula *f, const turn_key *k, int64_t *value);  /* in the turn whose values the slots have */
void formula_put_values(formula_turns *t, const schedule_loop *l, const listed_turn *at);
void formula_put_turn(formula_turns *t, const schedule *s, const turn_list *l, size_t i); /* give the slots the values of a turn */
turn_key formula_box_key(const formula *f, key_kind kind, const schedule_box *b, int r, const expr *bound);
bool formula_over_turns(formula *f, const turn_key *k, int line, span *out);
bool formula_tell_apart(formula *f, const turn_key *k, int line);       /* always false */
/* A listed expression: its number, or something that stands for its values. */
bool formula_listed_poly(formula *f, const expr *e, poly *out);
/* The expression with numbers for the parts that are listed; NULL: they are not the same in all turns. */
const expr *formula_with_numbers(formula *f, const expr *e);
bool formula_listed_span(formula *f, const expr *e, span *out);         /* of any expression */
void formula_tell_condition(formula *f, const expr *e);  /* that it is not the same in all turns, if a listed part of it is not */
bool formula_same_in_all(formula *f, const poly *p, int line);          /* does it hold nothing that stands for several values? */
/* Does an index of a box, or a bound of its array, read numbers and listed variables only? */
bool formula_listed_index(const formula *f, const schedule_box *b, int r);
bool formula_listed_bound(const formula *f, const schedule_box *b, const expr *e);
bool formula_listed_range(formula *f, int loop, interval *out);         /* the block of a listed loop */
bool formula_listed_interval(formula *f, const schedule_box *b, int r, interval *out, bool *empty); /* such an index, inside the array */

#endif
