/* formula_turns.h -- loops whose variables choose entries of tables, as those over the rows of a block mask do.  Private to the formula.

   Such a loop is *listed*: its turns are written down one by one, with numbers for bounds, and the body is summed up once for all turns that are
   alike: in which all that the sum reads of tables is the same.  Turns count as alike until something is met that tells them apart. */
#ifndef REDBLUE_SCHEDULES_FORMULA_TURNS_H
#define REDBLUE_SCHEDULES_FORMULA_TURNS_H

#include "schedules/formula_internal.h"

typedef struct { int64_t lo, hi; uint32_t of; bool first, last; } listed_turn; /* of: the turn of the listed loop around it */

/* What is asked of a turn: the value of an expression; of index r of a box the number of elements or the least one, inside the array; of its
   array's bound e of index r the value. */
typedef enum { KEY_VALUE, KEY_EXTENT, KEY_LEAST, KEY_BOUND } key_kind;
typedef struct {
  key_kind kind;
  const expr *e;
  const schedule_box *box;
  int r;
} turn_key;

typedef struct { turn_key key; span values; } turn_answer;

/* A listed loop that runs; level 0 is one turn of none. */
typedef struct {
  int loop;
  listed_turn *turn;
  size_t n, room;
  uint32_t *order;             /* of turns; order[from .. from + alike) are at hand */
  size_t from, alike;
  turn_answer *answer;         /* over those at hand */
  size_t answers, answer_room;
} turn_level;

typedef struct formula_turns {
  bool *listed;                /* by loop */
  turn_level *level;
  int depth;
  int64_t *slot, *index_slot;  /* values in one turn: for the schedule's expressions, for an array's bounds */
  const schedule_box *box;     /* whose indices are being looked at */
  turn_key apart;              /* what told turns apart, at depth apart_at; 0: nothing */
  int apart_at;
  size_t walks;                /* bodies summed up so far */
  expr **own;
  size_t owns, own_room;
} formula_turns;

/* ---- formula_listed.c: which loops, and what is a number then ---- */

/* Does the program read tables, where one of them has two indices or more: a mask? */
bool formula_reads_mask(const formula *f);
void formula_list_loops(formula *f);                     /* from here on list those whose variables choose entries of tables */
void formula_turns_free(formula_turns *t, int loops);

/* ---- formula_turns.c: their turns ---- */

bool formula_add_listed(formula *f, const schedule_node *n, poly *total);
bool formula_are_apart(const formula *f);                /* the last failure: turns at hand are not alike */
int64_t formula_alike(const formula *f);                 /* turns at hand that are summed as one */

/* ---- formula_alike.c: what is read in the turns at hand ---- */

bool formula_is_listed(const formula *f, const expr *e); /* does it read numbers and variables of listed loops only? */
bool formula_key_value(formula *f, const turn_key *k, int64_t *value);  /* in the turn whose values the slots have */
void formula_put_turn(formula_turns *t, const schedule *s, size_t i);   /* give the slots the values of a turn of the innermost level */
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
bool formula_listed_interval(formula *f, const schedule_box *b, int r, interval *out, bool *empty); /* such an index, inside the array */

#endif
