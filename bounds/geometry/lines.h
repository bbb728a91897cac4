/* lines.h -- stencils: what X words allow, by disjoint straight and slanted lines (docs/theory.md, section 9). */
#ifndef REDBLUE_BOUNDS_LINES_H
#define REDBLUE_BOUNDS_LINES_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { LINES_BOTH, LINES_ONE, LINES_PLANE, LINES_INSIDE } lines_way;
const char *bound_lines_way(lines_way w);  /* "both", "one", "plane", "inside" */

/* What is an event: a load, and a segment's vertices are those it computes for the first time; or a load or a store,
   and they are those whose fixed compute is in it, the one that hands its value up the column; or a load or a store in
   the one-shot game. */
typedef enum { LINES_LOADS, LINES_MOVES, LINES_ONCE } lines_events;

/* Which vertices are counted: on a line those with `room` columns beside them, on both sides or the one that is read;
   in the plane all, or those inside, with `room` columns on all four sides; on the first `levels` levels. */
typedef struct {
  lines_way way;
  lines_events events;
  int64_t room, levels, columns;
} lines_count;
/* With fewer than `room` words, or fewer levels than that, no column can be too tall for its lines. */
static inline bool bound_lines_fit(const lines_count *c, int64_t words)
{
  return words < c->room || c->levels < c->room;
}
/* Does the theorem speak of so many words?  Inside the plane tall columns are few (bound_lines_tall) as long as the
 * words are at most room^2. */
static inline bool bound_lines_speaks(const lines_count *c, int64_t words)
{
  return bound_lines_fit(c, words) ||
         (c->way == LINES_INSIDE && c->events != LINES_ONCE && c->room >= 2 && words <= (__int128)c->room * c->room);
}

/* The most of them within reach of x words. */
void bound_lines_most(lines_way way, const mpz_t x, mpz_t most);
/* Besides, the most in columns of `room` vertices or more, less room - 1 in each: 0 where they fit. */
void bound_lines_tall(const lines_count *c, const mpz_t x, mpz_t most);
/* The most within reach of x words when they and the columns of these vertices are both together. */
void bound_lines_left(lines_way way, const mpz_t x, const mpz_t both, mpz_t most);
/* Nothing computed twice, on a line with neighbours on both sides or inside the plane: the most when the words they
   come from and those they leave behind are both together. */
void bound_lines_once(lines_way way, const mpz_t both, mpz_t most);

#endif
