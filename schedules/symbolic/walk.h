/* schedules/symbolic/walk.h -- a schedule's program summed up as polynomials: I/O, or the pebbles it leaves behind.

   Shared by the formula and by the tuner's proof.  Private to the room. */
#ifndef REDBLUE_SCHEDULES_FORMULA_WALK_H
#define REDBLUE_SCHEDULES_FORMULA_WALK_H

#include "schedules/poly/poly.h"
#include "schedules/sign/span.h"
#include "schedules/schedule.h"

typedef struct { poly *p; size_t n, room; } poly_list;

/* A loop variable in one kind of iteration. */
typedef struct {
  poly lo, hi, len;
  poly least;                  /* no greater than lo, and simpler */
  poly after, next; /* of a block after which there are others: the range goes on by `after`, and the last begins `next`
                       - 1 further on, both 1 at least; else 0 */
  bool first, last;
  bool open;                   /* the loop is being walked: what the polynomials say of its block holds */
  poly iterations;
  bool running, late;          /* one of `iterations` iterations, of which there are two at least; three */
  bool middle, only;           /* neither the first of them nor the last; the only one */
} iteration_kind;

/* How often what stands in the iterations at hand was come to before, which a loop that runs as a `snake` goes by: not
   known; never; a number of times that is even; one that is odd. */
typedef enum { ENTERED_UNKNOWN, ENTERED_NEVER, ENTERED_EVEN, ENTERED_ODD } entered;

typedef struct {
  const schedule *s;
  poly_world world;
  int64_t *slot;               /* values of the fixed slots */
  span *span;                  /* of every slot, as far as it is known: decisions must be the same all over it */
  iteration_kind *kind;             /* by loop */
  entered entered;
  const expr **alias;          /* by fixed slot: what it stands for, or NULL: itself */
  bool *number;                /* by fixed slot: written as its value */
  bool net;                    /* sum up pebbles gained, not I/O */
  const struct formula_spread *spread; /* not NULL: one loop's variable stands for all its values */
  poly_list *assumed; /* not NULL: where a box may be cut or not, it is not, provided that these are not negative */
  text *reason;                /* why there is no formula */
  text *holds;                 /* what its decisions took for granted, or NULL */
  poly_list granted;           /* of that, what is not negative then; not in the text until all is summed up */
  size_t known;                /* of these, what goes without saying */
  poly_list wanted; /* signs that a decision asked for in vain, as they may change from iteration to iteration */
  struct formula_memo *memo;   /* of signs; NULL before the first */
} formula;

/* Everything named by itself, with its value as its span. */
void formula_init(formula *f, const schedule *s, text *reason);
void formula_clear(formula *f);
/* total += the sum over a statement, in the iterations of the loops around it that f->kind describes. */
bool formula_add(formula *f, const schedule_node *n, poly *total);
bool formula_fail(formula *f, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* For walks of one's own. */
bool formula_box_volume(formula *f, const schedule_box *b, poly *volume);
bool formula_dropped(formula *f, const schedule_node *n, const schedule_box *b,
                     poly *volume); /* by one box of a compute */
/* The condition of an IF: 1, 0, or -1 when it is not the same all over. */
int formula_condition(formula *f, const schedule_node *n);
/* Set the variable of loop n, until formula_leave, to its first iteration, cut to the range; to the last full one, of
   three at least; to the last one, of two at least.  1; 0 when the loop has no iterations; -1 when it is not clear, or
   not assumed, that it has. */
typedef enum { FORMULA_FIRST, FORMULA_LATE, FORMULA_LAST } formula_iteration;
int formula_set_iteration(formula *f, const schedule_node *n, formula_iteration which);
void formula_leave(formula *f, const schedule_node *n);
/* As formula_add, over the iterations of `for j in hi(I)` with j < lo(I); false for other loops. */
bool formula_add_before(formula *f, const schedule_node *n, poly *total);
void poly_list_add(poly_list *l, poly p);         /* unless it is there */
void poly_list_clear(poly_list *l);

#endif
