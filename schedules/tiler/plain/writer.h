/* writer.h -- a plain schedule (plain.h) while it is printed; for the files of this folder. */
#ifndef REDBLUE_SCHEDULES_TILER_PLAIN_WRITER_H
#define REDBLUE_SCHEDULES_TILER_PLAIN_WRITER_H

#include "schedules/tiler/circles/circle.h"
#include "schedules/tiler/nests/words.h"
#include "schedules/tiler/plain/plain.h"
#include "schedules/tiler/plain/stay.h"

/* By array: how it is treated where it is computed and read. */
typedef struct {
  uint64_t served;             /* items (stay.h) that need no load, as they are on chip */
  uint64_t made;               /* of these, those that no load has brought */
  bool stays;                  /* computed, it is not dropped at once */
  const stay *pairs;           /* two elements at a time, in the places of those before them (stay.h) */
  bool unstored;               /* nor stored, but where the condition holds, if there is one */
  text store_if;
} treatment;

/* Conditions that all must hold, each a factor as it is printed. */
typedef struct {
  int n;
  size_t room;
  char **condition;
} plain_guard;

typedef struct {
  const tiler_shape *s;
  text *out;
  int depth;
  tiler_nest **alone;          /* by array: its boxes, with the loops' names for its variables */
  tiler_node *at;              /* by array: which of its variables have a loop */
  uint32_t *backward;          /* by array: which have one that runs backwards */
  text loops;                  /* " i j " : names in use */
  plain_guard *guard;          /* by array: what must hold beside the loops' ranges */
  const normal_form *form;     /* circles go by tiles for m words; NULL: they do not */
  const tiler_nests *nests;    /* or NULL */
  treatment *treat;            /* by array */
  stay_variables *variables;   /* by array: the loops that statements share */
  int shared;                  /* so many there are around */
  char shared_name[ORDER_STATEMENTS][CDAG_NAME];
  double left;                 /* words for what stays; 0: nothing does */
  const stay *part;            /* of that one the first words stay while a shared loop runs; or NULL */
  const char *part_loop, *part_past; /* its name, the end of its range */
  text part_wanted;            /* made by pairs: where others want an element of the slice before; what unstored says */
  int bare;                    /* so many shared loops, the outermost, keep nothing */
  double m;
  int which;                   /* not the best plan: this many are better */
  double apart;                /* reads are cut, and arrays go in parts, if they move less than so much of the whole */
  text params;                 /* their lengths */
  int tiled;                   /* how many do */
  bool parts;                  /* some of them in parts */
  bool streams;                /* of what comes for several members of a circle rows stay in part; in how many: */
  int streamed;
  bool joins;                  /* circles are joined with what is before and behind them; how many were: */
  int joined;
} writer;

/* ---- terms.c ---- */

/* Begins a line, as deep as this place is; a block is a line with a brace, and what is in it. */
void plain_line(writer *w);
void plain_open_block(writer *w, const char *head);
void plain_close_block(writer *w);
/* A name that is not in use, like the one that is wanted, until plain_forget_name. */
void plain_loop_name(writer *w, const char *wanted, char *out);
void plain_forget_name(writer *w, const char *name);
/* Variable r of the statement has the value of that loop, less a shift. */
void plain_bind_variable(writer *w, int array, int r, const char *name, int64_t shift);
/* A form, or an expression of the description, with the loops' names for the statement's variables. */
void plain_print_form(const writer *w, int array, const tiler_form *f, text *out);
void plain_print_expression(const writer *w, int array, const expr *e, text *out);
/* The term of the description that the access comes from. */
const cdag_term *plain_term_of(const writer *w, int array, const tiler_access *a);
/* An end of index q as the description has it, without the condition that it may hold. */
const expr *plain_index_expression(const writer *w, int array, const tiler_access *a, int q, bool hi);
/* The value of index q of an access, or the one or the other end of its range. */
void plain_print_index(const writer *w, int array, const tiler_access *a, int q, bool hi, text *out);
/* All elements that the access names. */
void plain_print_box(const writer *w, int array, const tiler_access *a, text *out);
/* (COND) of `TERM if COND`, or (COND == 0) where it does not hold. */
void plain_print_condition(const writer *w, int array, const tiler_access *a, bool holds, text *out);
/* When must term a be loaded although the terms before it are: a condition, empty for always; false: never. */
bool plain_when_new(const writer *w, int array, const tiler_access *const *t, int a, text *condition);

/* What must hold for the access to name a word of w->part that is not on chip. */
void plain_beyond_part(const writer *w, int array, const tiler_access *a, text *condition);
/* Of what is made by pairs, the first that does not stay. */
int64_t plain_part_begin(const writer *w, const stay *s);

/* ---- guard.c ---- */

void plain_require(plain_guard *g, const char *condition);
/* What one guard has of conditions that another has not. */
void plain_require_others(plain_guard *g, const plain_guard *of, const plain_guard *but);
bool plain_guards_alike(const plain_guard *a, const plain_guard *b);
void plain_print_guard(const plain_guard *g, text *out);
void plain_guard_cut(plain_guard *g, int n); /* to its first n conditions */
void plain_guard_clear(plain_guard *g);

/* ---- element.c ---- */

/* A move of the element that is computed, or of a part of it (words.h). */
void plain_print_own(writer *w, int array, const char *verb, tiler_part part, const char *more);
/* What must hold for the statement to compute here, as an `if` around what follows; how many blocks it opened. */
int plain_open_guard(writer *w, int array);
void plain_print_stored(writer *w, int array, tiler_part part);
/* Is what the item reads on chip anyway? */
bool plain_is_served(const writer *w, int array, int item);
/* kept: along its chains the element before it is on chip, and takes the place. */
void plain_print_element(writer *w, int array, bool kept);

/* ---- statement.c ---- */

/* The ends of a variable's range, as the description has them where they are not affine. */
void plain_own_range(const writer *w, int array, int r, text *lo, text *hi);
/* Is what the access reads computed in an earlier iteration of the loops around, always (-1), or in the same (0)?
   1: it is not known.  No read goes ahead in a loop, so one in which it goes back is enough. */
int plain_iteration_of(const writer *w, int array, const tiler_access *a);
/* Do all readers want the last steps of its chains only, and has no loop been laid over the chains? */
bool plain_keeps_chain(const writer *w, int array);
/* The same, and loops that statements share walk the chain, inside all other loops: one element stays all the while. */
bool plain_carries_chain(const writer *w, int array);
/* " + 2", " - 2", or nothing for 0. */
void plain_shift_by(int64_t by, text *out);
/* An end of a range is a base and a number: "h + 2" is "h" and 2, "2" is "" and 2.  The base's length. */
int plain_split_end(const char *end, int64_t *number);
/* A base and a number, as an end of a range. */
void plain_add_sum(const char *base, int length, int64_t number, text *out);
/* So much later: 2 for 0 and 2, h for h + 2 and -2. */
void plain_add_end(const char *end, int64_t by, text *out);
/* A statement's loops that are still to come, and around each what it reads again and again. */
void plain_print_statement(writer *w, int array);

/* ---- shared.c ---- */

/* A loop that several statements share, and what is in it; false: it cannot be said. */
bool plain_print_shared(writer *w, const order_node *n);

/* ---- circles.c ---- */

/* By tiles, or levels; false when no plan fits: then nothing was written. */
bool plain_print_circle(writer *w, const order_node *n);
/* Circles and statements that hand over to one another, as one circle: from this kid on, as long as less is expected
   to be moved with the next one than without.  How many kids were printed; 0: none. */
int plain_print_joined(writer *w, const order_node *n, int first);
/* Loops that keep nothing in order but their one statement's chain, which the statement's own loops walk. */
bool plain_is_own_chain(const writer *w, const order_node *n);
/* A statement that reads itself is a circle too. */
bool plain_print_sum(writer *w, int array);

/* ---- plain.c ---- */

/* What is below the node, in order. */
bool plain_print_tree(writer *w, const order_node *n);

#endif
