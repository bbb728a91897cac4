#include "schedules/tiler/nests/triangle.h"
#include "base/mem.h"
#include "base/num.h"
#include <math.h>
#include <string.h>

/* (groups * cycle)^2 pieces, of as many results, are played one by one: so many take a second. */
enum { MOST_GROUPS = 24, MOST_PIECES = 160000 };

/* Differences of two of these numbers are all numbers modulo r (r - 1) + 1, each once: r numbers, the largest first. */
static const struct { int r; uint8_t at[14]; } planes[] = {
  { 3, { 3, 1 } },
  { 4, { 9, 3, 1 } },
  { 5, { 16, 14, 4, 1 } },
  { 6, { 18, 12, 8, 3, 1 } },
  { 8, { 52, 43, 36, 32, 13, 3, 1 } },
  { 9, { 63, 54, 36, 31, 15, 7, 3, 1 } },
  { 10, { 81, 77, 61, 56, 49, 27, 9, 3, 1 } },
  { 12, { 109, 104, 94, 88, 81, 38, 34, 20, 12, 3, 1 } },
  { 14, { 175, 154, 137, 119, 86, 82, 76, 42, 28, 23, 16, 3, 1 } },
};

/* ---- which nests ---- */

/* mirror: all pairs are there, (j,i) beside (i,j). */
typedef struct { const tiler_nest *n; int rows, before, step; bool mirror; } pairs;

static bool has_all_pairs(const tiler_nest *n, int rows, int before)
{
  uint32_t both = 1u << rows | 1u << before;
  for (int x = 0; x < n->n; x++)
    if ((n->has[x] & both) != both)
      return false;
  return n->cls[rows].lo == n->cls[before].lo && n->cls[rows].extent == n->cls[before].extent && !n->slanted[rows] &&
         !n->slanted[before];
}

/* Two classes that meet on a diagonal, and one more that is long. */
static bool find_pairs(const tiler_tree *t, pairs *w)
{
  const tiler_nest *n = t->n;
  *w = (pairs){ .n = n, .rows = -1, .step = -1 };
  for (int c = 0; c < n->classes; c++) {
    tiler_side side = t->diagonal[c].side;
    if (t->diagonal[c].outer < 0 || side == SIDE_NONE)
      continue;
    if (w->rows >= 0)
      return false;
    w->rows = side != SIDE_ABOVE ? t->diagonal[c].outer : c;
    w->before = side != SIDE_ABOVE ? c : t->diagonal[c].outer;
    w->mirror = side == SIDE_BOTH;
    if (w->mirror && !has_all_pairs(n, w->rows, w->before))
      return false;
  }
  for (int c = 0; c < n->classes && w->rows >= 0; c++)
    if (c != w->rows && c != w->before && n->cls[c].extent > 1) {
      if (w->step >= 0 || n->slanted[c] || n->cls[c].cut)
        return false;
      w->step = c;
    }
  return w->rows >= 0 && w->step >= 0 && !n->cls[w->rows].cut && !n->cls[w->before].cut;
}

static void add_loop(tiler_plan *p, int cls, bool block)
{
  p->loop[p->loops].cls = cls;
  p->loop[p->loops++].block = block;
}

/* The only kid of a node, a loop with nothing beside it; or -1. */
static int only_loop(const tiler_tree *t, int node)
{
  const tiler_node *k = &t->node[node];
  bool bare = k->kids == 1 && !k->kid[0].leaf && k->kid[0].before < 0 && k->kid[0].after < 0;
  return bare ? k->kid[0].what : -1;
}

/* Is all that a step reads there the step's alone, or of a row, both sides alike?  How many words a row has; or 0. */
static int row_words(const tiler_tree *t, const pairs *w, int step)
{
  int rows = 0, mirrored = 0;
  const tiler_node *k = &t->node[step];
  for (int i = 0; i < k->kids; i++) {
    if (!k->kid[i].leaf)
      return 0;
    for (int o = k->kid[i].before; o >= 0; o = t->op[o].next) {
      uint32_t rel = t->n->group[t->op[o].what].rel;
      if (t->op[o].kind != OP_LOAD || (rel >> w->rows & rel >> w->before & 1))
        return 0;
      rows += rel >> w->rows & 1;
      mirrored += t->diagonal[w->before].spared >> t->op[o].what & 1;
    }
    for (int o = k->kid[i].after; o >= 0; o = t->op[o].next)
      if (t->op[o].kind != OP_DROP)
        return 0;
  }
  return rows == mirrored ? rows : 0;
}

static tiler_candidate step_by_step(const pairs *w)
{
  tiler_candidate c = { .nest = w->n, .lengths = 2, .cls = { w->rows, w->before } };
  add_loop(&c.plan, w->rows, true);
  add_loop(&c.plan, w->before, true);
  add_loop(&c.plan, w->step, false);
  return c;
}

/* Loops over rows, rows before them and steps, one in the other, and nothing between the first two; a step is a box. */
static bool pair_tree(tiler_tree *t, const pairs *w, tiler_candidate *c, int *words)
{
  *c = step_by_step(w);
  memset(c->plan.single, UINT8_MAX, sizeof c->plan.single);
  if (!tiler_tree_build(t, w->n, &c->plan) || t->diagonal[w->before].outer != w->rows ||
      t->diagonal[w->before].side != (w->mirror ? SIDE_BOTH : SIDE_BELOW) || t->diagonal[w->before].trimmed)
    return false;
  int rows = only_loop(t, 0), before = rows < 0 ? -1 : only_loop(t, rows), step = -1;
  for (int i = 0; before >= 0 && i < t->node[before].kids; i++)
    if (!t->node[before].kid[i].leaf) {
      if (step >= 0)
        return false;
      step = t->node[before].kid[i].what;
    }
  *words = step >= 0 ? row_words(t, w, step) : 0;
  return *words > 0;
}

static bool goes_by_rows(const tiler_tree *t, const pairs *w)
{
  return t->n == w->n && t->plan->loop[0].cls == w->rows && t->plan->loop[0].block && only_loop(t, 0) >= 0 &&
         t->diagonal[w->before].outer == w->rows && !(w->mirror && t->diagonal[w->before].trimmed);
}

/* The best tree that has the rows outside; where there is none, steps word by word. */
static bool square_tree(tiler_tree *t, const tiler_solved *s, const pairs *w, double m, tiler_candidate *c)
{
  for (int k = 0; k < s->n; k++)
    if (s->best[k].nest == w->n && s->best[k].plan.loops && tiler_tree_build(t, w->n, &s->best[k].plan) &&
        goes_by_rows(t, w)) {
      *c = s->best[k];
      return !w->mirror || tiler_candidate_fit(c, m);
    }
  *c = step_by_step(w);
  return tiler_tree_build(t, w->n, &c->plan) && goes_by_rows(t, w) && tiler_candidate_fit(c, m);
}

/* ---- how long ---- */

/* Do two bundles of different groups meet in one block?  Where no number below that of groups divides the cycle. */
static bool meets_once(int64_t cycle, int64_t groups)
{
  for (int64_t q = 2; q < groups; q++)
    if (cycle % q == 0)
      return false;
  return cycle >= groups;
}

/* results: of a pair. */
static int64_t longest_cycle(int64_t rows, int64_t groups, int64_t bundle, int64_t results)
{
  int64_t c = num_min(rows / (groups * bundle), (int64_t)sqrt((double)MOST_PIECES / (double)results) / groups);
  while (c > 1 && !meets_once(c, groups))
    c--;
  return meets_once(c, groups) ? c : 0;
}

static double length_of(const tiler_candidate *c, int cls)
{
  for (int k = 0; k < c->lengths; k++)
    if (c->cls[k] == cls)
      return (double)c->b.b[k];
  return 1;
}

/* Words a step for the pairs of rows first..end with those from `start` before them, in blocks of a and of b. */
static double squares_read(int64_t start, int64_t first, int64_t end, int64_t a, int64_t b)
{
  double sum = 0;
  for (int64_t lo = first; lo < end; lo += a) {
    int64_t rows = num_min(a, end - lo), before = lo - start;
    sum += (double)(rows * -num_floor_div(-before, b) + before + rows * -num_floor_div(-rows, b));
  }
  return sum;
}

/* What is asked of a division into bundles. */
typedef struct {
  const pairs *w;
  double m, io, steps;         /* io: without what rows bring; steps: with the words of a row at each */
  int64_t rows, a, b;          /* blocks of squares */
  int words;
} asked;

static void take_blocks(tiler_triangle *o, double now, tiler_design design, int64_t groups, int64_t bundle,
                        int64_t cycle)
{
  if (now >= o->io)
    return;
  o->io = now;
  o->design = design;
  o->groups = groups;
  o->bundle = bundle;
  o->cycle = cycle;
}

/* Rows of blocks that hold `blocks` rows in all; pairs inside groups of so many rows, and with rows from `in` on, go by
   squares. */
static double reads_of(const asked *q, double blocks, int64_t groups, int64_t own, int64_t in)
{
  double least = -1;
  for (int side = 0; side < 2; side++) {
    int64_t a = side ? q->b : q->a, b = side ? q->a : q->b;
    double now = (double)groups * squares_read(0, 0, own, a, b) + squares_read(0, in, q->rows, a, b);
    least = least < 0 || now < least ? now : least;
  }
  return q->io + q->steps * (blocks + least);
}

static void try_groups(tiler_triangle *o, const asked *q)
{
  int64_t results = 1 + q->w->mirror, n = q->rows; /* of a pair */
  for (int64_t r = 3; r < MOST_GROUPS; r++)
    for (int64_t t = 1; t * r < n; t++) {
      int64_t c = longest_cycle(n, r, t, results);
      if ((double)(results * t * t * (r * (r - 1) / 2) + q->words * t * r + 1) > q->m)
        break;
      if (c > 0)
        take_blocks(o, reads_of(q, (double)(c * c * r * t), r, t * c, r * t * c), DESIGN_GROUPS, r, t, c);
    }
}

static int64_t pairs_on_chip(int64_t r, int64_t t) { return t * t * (r * (r - 1) / 2) + t * (t + 1) / 2; }

/* Do all blocks fit when bundle k has the rows rows k / v .. rows (k + 1) / v? */
static bool even_bundles_fit(const asked *q, int k)
{
  int64_t r = planes[k].r, v = r * (r - 1) + 1;
  for (int64_t y = 0; y < v; y++) {
    int64_t sum = 0, results = 0;
    for (int64_t u = 0; u < r; u++) {
      int64_t at = (planes[k].at[u] + y) % v, rows = q->rows * (at + 1) / v - q->rows * at / v;
      results += u ? rows * sum : rows * (rows + 1) / 2;
      sum += rows;
    }
    if ((double)(results + q->words * sum + 1) > q->m)
      return false;
  }
  return true;
}

static void try_planes(tiler_triangle *o, const asked *q)
{
  for (int k = 0; k < (int)(sizeof planes / sizeof *planes); k++) {
    int64_t r = planes[k].r, v = r * (r - 1) + 1;
    for (int64_t t = 1; (double)(pairs_on_chip(r, t) + q->words * t * r + 1) <= q->m && v * t <= q->rows; t++)
      take_blocks(o, reads_of(q, (double)(v * t * r), 0, 0, v * t), DESIGN_PLANE, r, t, v);
    if (even_bundles_fit(q, k))
      take_blocks(o, q->io + q->steps * (double)(r * q->rows), DESIGN_EVEN, r, -num_floor_div(-q->rows, v), v);
  }
}

/* The numbers of the plane as digits of one number; where that would be too large the first ones, and the rest in
   another. */
static void put_digits(tiler_triangle *o)
{
  for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
    for (int i = planes[k].r - 1; i >= 0 && planes[k].r == o->groups; i--) {
      int64_t *to = &o->digits[o->groups > 10 && i >= TILER_DIGITS];
      *to = *to * o->cycle + planes[k].at[i];
    }
}

/* rows, words: of the operand, and of a row at one step.  Only what is read row by row counts: the rest is as much by
 * squares.  apart: what a pair reads of a row where (i,j) and (j,i) are made apart. */
static void choose(tiler_triangle *o, const pairs *w, double m, double io, double apart, int words, bool planes_too)
{
  int64_t first = w->n->cls[w->before].lo, end = w->n->cls[w->rows].lo + w->n->cls[w->rows].extent;
  double n = (double)(end - first), steps = (double)w->n->cls[w->step].extent * words;
  double a_pair = steps * (1 / length_of(&o->squares, w->rows) + 1 / length_of(&o->squares, w->before));
  if (w->mirror)
    io += a_pair * n * n / 2 - apart * steps * n * n;
  o->io = io;
  asked q = { .w = w, .m = m, .io = io - a_pair * n * n / 2, .steps = steps, .rows = end - first, .words = words,
              .a = (int64_t)length_of(&o->squares, w->rows), .b = (int64_t)length_of(&o->squares, w->before) };
  try_groups(o, &q);
  if (planes_too && !w->mirror)
    try_planes(o, &q);
  if (o->design != DESIGN_GROUPS)
    put_digits(o);
}

static double rest_reads(const tiler_triangle *o, const pairs *w, int64_t a, int64_t b)
{
  int64_t first = w->n->cls[w->before].lo, end = w->n->cls[w->rows].lo + w->n->cls[w->rows].extent,
          own = o->bundle * o->cycle, in = o->design == DESIGN_GROUPS ? o->groups * own : own;
  return (o->design == DESIGN_GROUPS ? (double)o->groups * squares_read(0, 0, own, a, b) : 0) +
         squares_read(first, first + in, end, a, b);
}

/* Where blocks of rows and of rows before them change places, the pairs that are left over may come dearer. */
static void turn_squares(tiler_triangle *o, const pairs *w, tiler_tree *t, double m)
{
  tiler_candidate *c = &o->squares;
  int r = -1, q = -1;
  for (int k = 0; k < c->lengths; k++) {
    r = c->cls[k] == w->rows ? k : r;
    q = c->cls[k] == w->before ? k : q;
  }
  if (r < 0 || q < 0 || rest_reads(o, w, c->b.b[q], c->b.b[r]) >= rest_reads(o, w, c->b.b[r], c->b.b[q]))
    return;
  tiler_cost *cost = MEM_NEW(tiler_cost, 1);
  double b[TILER_CLASSES];
  for (int k = 0; k < c->lengths; k++)
    b[c->cls[k]] = (double)c->b.b[k == r ? q : k == q ? r : k];
  if (tiler_tree_build(t, w->n, &c->plan) && tiler_cost_of(cost, t) && tiler_cost_peak(cost, b) <= m) {
    int64_t rows = c->b.b[r];
    c->b.b[r] = c->b.b[q];
    c->b.b[q] = rows;
  }
  mem_free(cost);
}

bool tiler_triangle_of(const tiler_solved *s, double m, bool planes_too, tiler_triangle *out)
{
  tiler_tree *t = MEM_NEW(tiler_tree, 1);
  pairs w;
  int words = 0;
  *out = (tiler_triangle){ 0 };
  bool good = s->n > 0 && tiler_tree_build(t, s->best[0].nest, &s->best[0].plan) && find_pairs(t, &w);
  bool blocks = good && pair_tree(t, &w, &out->pair, &words);
  double of_squares = good && w.mirror ? m / 2 : m; /* both results of a pair stay */
  if (good && (blocks || w.mirror) && square_tree(t, s, &w, of_squares, &out->squares)) {
    const tiler_candidate *best = &s->best[0];
    out->rows = w.rows;
    out->before = w.before;
    out->mirror = w.mirror;
    out->io = best->b.io / 2; /* what rows have for two results at most */
    if (blocks)
      choose(out, &w, m, best->b.io, 1 / length_of(best, w.rows) + 1 / length_of(best, w.before), words,
             planes_too);
    out->rest = out->design == DESIGN_GROUPS || (out->design == DESIGN_PLANE && rest_reads(out, &w, 1, 1) > 0);
    if (out->groups)
      turn_squares(out, &w, t, of_squares);
  }
  mem_free(t);
  return out->groups > 0 || out->mirror;
}
