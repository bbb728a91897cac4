/* segment.h -- the segment lemma (docs/theory.md, section 2): from the most work a stretch of play can do, to a bound
   on events.

   Lemma.  Let h(X) be the most work that X available words allow, W the work there is.  If h(first) + (n - 1) h(M +
   length) < W then a play has at least first + (n - 1) length + 1 events.  Any first, length >= 1 and n >= 1 will do;
   segment_search looks for the best. */
#ifndef REDBLUE_BOUNDS_SEGMENT_H
#define REDBLUE_BOUNDS_SEGMENT_H

#include "base/text.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

/* h is monotone.  `most` is exact: an integer no smaller than the most work, never below the truth; work in units of
   one step (or of what the theorem calls a unit).  `guess` is the same in doubles, to search with. */
typedef struct {
  void (*most)(const void *context, const mpz_t x, mpz_t work);
  double (*guess)(const void *context, double x);
  const void *context;
  mpz_t work;                  /* W */
  int64_t m;
} segment_problem;

/* The cut found; all sizes are in events, the works exact. */
typedef struct {
  int64_t n, first, length;
  mpz_t most_first, most;      /* h(first), h(M + length) */
  mpz_t events;                /* first + (n - 1) length + 1: no play has fewer */
} segment_cut;
void segment_cut_init(segment_cut *c);
void segment_cut_clear(segment_cut *c);

/* False when no cut proves anything (W = 0). */
bool segment_search(const segment_problem *p, segment_cut *best);
/* When `most` allows less than it did when the cut was found: the works again, for the same cut. */
void segment_refresh(const segment_problem *p, segment_cut *c);

/* The guess of the best number of words of a segment, M + length. */
double segment_best_words(const segment_problem *p);

/* ---- what is most in a stretch: exact, rounded up to the next integer below which no work is lost ---- */

/* H steps whose words are of three kinds, a word of kind i serving at most fiber[i] steps, H^2 at most the product of
   the numbers of words: H is at most the integer this gives for x words in all (docs/theory.md, section 3).  The fibers
   ascend. */
void segment_three(const int64_t fiber[3], const mpz_t x, mpz_t most);
double segment_three_guess(const int64_t fiber[3], double x);
/* The same when two of the kinds may be the same words. */
void segment_twice(const mpz_t x, mpz_t most);
double segment_twice_guess(double x);
/* The same when a word serves in either place, in one of two orders: a matrix times its transpose, below the diagonal.
 */
void segment_symmetric(const mpz_t x, mpz_t most);
double segment_symmetric_guess(double x);
/* Steps at pairs whose values are carried or made from dk words of the row and of the column (docs/theory.md, section
 * 4). */
typedef struct {
  int64_t fiber[3];            /* steps served by a pair, a column word, a chain; ascending */
  int64_t dk, dv;
  uint64_t pairs;              /* there are at most so many */
} segment_pairs;
void segment_pairs_most(const void *pairs, const mpz_t x, mpz_t most);
double segment_pairs_guess(const void *pairs, double x);
double segment_made_guess(const segment_pairs *a, double x);   /* the pairs that are made alone */

/* Two products of width d, the pairs' scores and the accumulators, half a step of weight each (docs/theory.md, section
   5): the most half steps in x words. */
void segment_two_most(const void *width /* const int64_t * */, const mpz_t x, mpz_t most);
double segment_two_guess(const void *width, double x);

/* Three ways of counting a step, for M about d^2 (docs/theory.md, section 6).  A step of the accumulators weighs wd *
   dk units, of which the share w = wn / wd lies on the dk computations of the score it uses: wn * dv units a score
   vertex, at most. */
typedef struct {
  int64_t dk, dv, m, wn, wd;
} segment_ways;
enum { SEGMENT_WAYS_MAX = 1 << 28 };   /* x and M at most; dk, dv at most 2^14, wd at most 64 */
/* Is the work of every stretch of x words at most limit?  Decided in integers, cell by cell; false also when more than
   `cells` cells would be needed. */
bool segment_ways_within(const segment_ways *w, int64_t x, unsigned __int128 limit, int64_t cells);
double segment_ways_guess(const segment_ways *w, double x);

#endif
