/* The three-way count: work in a stretch of x words, p of them carried pairs, a of Q and K, b of V and the
   accumulators.

   Pairs that are not carried have their rows and columns among the a words: E <= (a / 2 dk)^2 of them.  With
     Z1 = min(a b / (4 dk), a^2 dv / (4 dk^2))                    steps at such pairs,
     Z2 = min(sqrt(a^2 + 4 dk^2 p) b / (4 dk), Z1 + p dv)          steps in all,
     S  = min(sqrt(u) a / 2, u dk),  u = p + M                     score vertices at pairs carried in or out,
   the work is at most wn dk Z1 + (wd - wn) dk Z2 + wn dv S units.  (The pairs carried out are at most M and the stores
   of the stretch; a store is an event that brings no word, so x = p + a + b words and u together are the most when no
   event is a store.) Everything grows in a, b and p: a cell of values of (a, b) is bounded at its upper corner with p
   from its lower one. */
#include "base/mem.h"
#include "bounds/segment/segment.h"
#include <math.h>

typedef unsigned __int128 wide;

static wide root(wide n)
{
  wide r = (wide)sqrtl((long double)n);
  while (r > 0 && (r > UINT64_MAX || r * r > n))
    r--;
  while ((r + 1) * (r + 1) <= n)
    r++;
  return r;
}

static wide least(wide a, wide b) { return a < b ? a : b; }

static wide work(const segment_ways *w, int64_t a, int64_t b, int64_t p)
{
  wide A = (wide)a, B = (wide)b, P = (wide)p, dk = (wide)w->dk, dv = (wide)w->dv, u = P + (wide)w->m;
  wide z1 = least(A * B / (4 * dk), A * A * dv / (4 * dk * dk));
  wide z2 = least(root((A * A + 4 * dk * dk * P) * B * B) / (4 * dk), z1 + P * dv);
  wide s = least(root(u * A * A) / 2, u * dk);
  return (wide)w->wn * dk * z1 + (wide)(w->wd - w->wn) * dk * z2 + (wide)w->wn * dv * s;
}

typedef struct { int64_t a0, a1, b0, b1; } cell;

static wide cell_most(const segment_ways *w, int64_t x, const cell *c)
{
  return work(w, c->a1, c->b1, x - c->a0 - c->b0);
}

bool segment_ways_within(const segment_ways *w, int64_t x, unsigned __int128 limit, int64_t cells)
{
  cell *stack = NULL;
  size_t n = 0, room = 0;
  bool within = true;
  stack = mem_room(stack, n, &room, sizeof *stack);
  stack[n++] = (cell){ 0, x, 0, x };
  while (n > 0 && within) {
    cell c = stack[--n], half = c;
    if (c.a0 + c.b0 > x || cell_most(w, x, &c) <= limit)
      continue;
    within = (c.a0 < c.a1 || c.b0 < c.b1) && cells-- > 0;
    if (c.a1 - c.a0 >= c.b1 - c.b0)
      half.a0 = c.a0 + (c.a1 - c.a0) / 2 + 1, c.a1 = half.a0 - 1;
    else
      half.b0 = c.b0 + (c.b1 - c.b0) / 2 + 1, c.b1 = half.b0 - 1;
    for (int i = 0; i < 2; i++) {
      stack = mem_room(stack, n, &room, sizeof *stack);
      stack[n++] = i ? half : c;
    }
  }
  mem_free(stack);
  return within;
}

/* ---- the guess ---- */

static double work_guess(const segment_ways *w, double x, double a, double b)
{
  double dk = (double)w->dk, dv = (double)w->dv, p = x - a - b, u = p + (double)w->m,
         share = (double)w->wn / (double)w->wd;
  double z1 = fmin(a * b / (4 * dk), a * a * dv / (4 * dk * dk));
  double z2 = fmin(sqrt(a * a + 4 * dk * dk * p) * b / (4 * dk), z1 + p * dv);
  double s = fmin(sqrt(u) * a / 2, u * dk);
  return (double)w->wd * dk * (share * z1 + (1 - share) * z2 + share * dv / dk * s);
}

/* A coarse grid, then ever smaller steps around its best point. */
double segment_ways_guess(const segment_ways *w, double x)
{
  enum { GRID = 24, TIMES = 20 };
  double best = 0, a = 0, b = 0, step = x / GRID;
  for (int i = 0; i <= GRID; i++)
    for (int k = 0; i + k <= GRID; k++) {
      double here = work_guess(w, x, i * step, k * step);
      if (here > best)
        best = here, a = i * step, b = k * step;
    }
  for (int t = 0; t < TIMES; t++) {
    double a0 = a, b0 = b;
    step /= 2;
    for (int i = -1; i <= 1; i++)
      for (int k = -1; k <= 1; k++) {
        double ai = a0 + i * step, bk = b0 + k * step;
        double here = ai < 0 || bk < 0 || ai + bk > x ? 0 : work_guess(w, x, ai, bk);
        if (here > best)
          best = here, a = ai, b = bk;
      }
  }
  return best;
}
