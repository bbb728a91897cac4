/* internal.h -- what the files share that plan a circle (circle.h): its reads, axes, places, lengths and words. */
#ifndef REDBLUE_SCHEDULES_TILER_CIRCLES_INTERNAL_H
#define REDBLUE_SCHEDULES_TILER_CIRCLES_INTERNAL_H

#include "schedules/tiler/circles/circle.h"

static inline int circle_rank(const circle *c, int p) { return circle_form(c, p)->rank; }

/* ---- circle.c ---- */

/* The circle with its reads and its axes; joined: with statements before and behind it.  False: not all is told. */
bool circle_begin(circle *c, const normal_form *f, const int *array, int n, bool joined);

/* ---- reads.c ---- */

/* How many points; `otherwise` where that is not found out. */
double circle_points(const polyhedron *p, double otherwise);
/* Every element of the members has its domain and its predecessors told, and what is computed is one set. */
bool circle_list_reads(circle *c);
/* Points of read a and of read b, one after the other, that are of one element. */
polyhedron *circle_both_read(circle *c, const circle_read *a, const circle_read *b);
/* Where a statement reads what it left itself, elements that others name in another way go apart, so that it takes the
   place of the rest.  False: there are none. */
bool circle_split_reads(circle *c);

/* ---- axes.c ---- */

void circle_list_axes(circle *c);
/* Do all members have the same dimension on both? */
bool circle_same_axis(const circle *c, const circle_axis *a, const circle_axis *b);

/* ---- places.c ---- */

/* Of the members in one step; false: there is none. */
bool circle_find_order(circle *c);
/* What the step says of each read, whatever the tiles. */
void circle_find_steps(circle *c);
/* Where what is read lies, seen from its reader's tile; false: that is not told. */
bool circle_find_places(circle *c);
/* Which readers take the place of what they read? */
void circle_find_takers(circle *c);
/* Does it bring what its reader's elements take the place of, which take no other places? */
bool circle_begins(circle *c, const circle_read *r);

/* ---- length.c ---- */

double circle_extent(const circle *c, int p, int d);
/* How many values dimension d of member p takes in one step of one tile. */
double circle_values(const circle *c, int p, int d, bool all_steps);
/* The longest tiles that fit m words; false: none do. */
bool circle_fit_length(circle *c, double m);
/* Few large tiles are judged faster where first words leave in a move of their own, and a row is little beside them. */
bool circle_leave_first_words(circle *c);
/* What room is left is for rows of what streams.  False: all of them stay, or there are none. */
bool circle_fit_rows(circle *c, double m);
/* What is left of whole tiles makes a short one, whose elements have fewer others to share with: it comes first where
   there are fewer elements, as in a factorisation, where the last rows go through most steps. */
void circle_place_short_tile(circle *c);

/* ---- io.c ---- */

/* What members read that is of other tiles, and what is stored for those: all of what nobody takes the place of. */
double circle_io_of(circle *c);

#endif
