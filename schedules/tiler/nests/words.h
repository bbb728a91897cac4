/* words.h -- sums of names as text: "hi(I) - 1", "n - 1", "i + 2*j"; and the ranges and boxes of a nest in them.

   Numbers are known (the parameters have values) but are printed as the description calls them: 8191 as n - 1 where the
   bound is n. */
#ifndef REDBLUE_SCHEDULES_TILER_NESTS_WORDS_H
#define REDBLUE_SCHEDULES_TILER_NESTS_WORDS_H

#include "schedules/tiler/nests/tree.h"

enum { TILER_ATOMS = 10, TILER_ATOM = 112 };
typedef struct {
  int64_t base, least, most;   /* constant part; what the whole may be */
  int n;
  struct { int64_t coef; char name[TILER_ATOM]; } atom[TILER_ATOMS];
} tiler_words;

void tiler_words_print(text *out, const tiler_words *w);
void tiler_words_add(tiler_words *to, const tiler_words *w, int64_t times);
void tiler_words_add_name(tiler_words *to, const char *name, int64_t times);

/* The line "schedule NAME for FAMILY", as far as the computation's name is a word of the language. */
/* Does the computation, or the language, give that name a meaning? */
bool tiler_name_taken(const cdag *g, const char *name);
/* That name, or that with a number behind it where the computation has it. */
void tiler_fresh_name(const cdag *g, const char *name, char *out);
void tiler_print_title(const cdag *g, const char *name, text *out);

/* The range of class c for the statements of `who`, in the loops around node: "n", "lo(I)..n". */
void tiler_range(const tiler_nest *n, int c, uint32_t who, const tiler_node *at, text *out);
void tiler_range_ends(const tiler_nest *n, int c, uint32_t who, const tiler_node *at, text *lo, text *hi);
/* A value of one of the statement's forms, where all its classes are single. */
void tiler_value(const tiler_nest *n, int x, const tiler_form *f, const tiler_node *at, tiler_words *out);
/* An expression of the description, the variables of a statement's rule under the names of its loops. */
void tiler_print_expression(const tiler_nest *n, int x, const expr *e, text *out);
/* A box of what a statement reads there. */
void tiler_box(const tiler_nest *n, const tiler_group *g, const tiler_node *at, text *out);
/* The same in two boxes, one after the other: at index q before the value of that class, and behind it. */
void tiler_box_without(const tiler_nest *n, const tiler_group *g, const tiler_node *at, int q, int cls, text *out);
/* The same, of that class no more than the reader has beside the others. */
void tiler_box_cut(const tiler_nest *n, const tiler_group *g, const tiler_node *at, int cls, text *out);
/* A box of the statement itself: as computed; at its chains' ends; one step before the block of its chain, at its last
 * step. */
typedef enum { TILER_COMPUTED, TILER_ENDS, TILER_BEFORE, TILER_AFTER, TILER_FIRST } tiler_part;
void tiler_own_box(const tiler_nest *n, int x, const tiler_node *at, tiler_part part, text *out);
/* Of all its elements those at the step before the one that its chain is at. */
void tiler_step_before(const tiler_nest *n, int x, const tiler_node *at, text *out);
/* Does the end, or the start, of its chain depend on an index that is not single there?  Then the class; else -1. */
int tiler_end_needs(const tiler_nest *n, int x, const tiler_node *at);
int tiler_start_needs(const tiler_nest *n, int x, const tiler_node *at);

#endif
