/* cells.c -- rows and columns that meet in cells. */
#include "bounds/affine/gates/search.h"
#include "bounds/segment/segment.h"
#include <math.h>
#include <string.h>

static void cells_steps(const void *cells, const mpz_t x, mpz_t most) { cells_most(cells, x, most); }

static double cells_guess(const void *cells, double x)
{
  const gate_cells *p = cells;
  double size = (double)p->least, cap = (double)p->cap, f = x / size, shared = f * f;
  for (int round = 0; round < 3; round++)
    shared = fmin(shared, (x + shared) * (x + shared) / (4 * size * size));
  double most = 2 * cap * x + fmin(cap * f * x, (x + shared) * (x + shared) / 4), y = x + shared, square = size * size,
         d = 4 * (square - 4 * cap), below = fmax(y - cap, 0), above = y + cap;
  if (p->chained)
    most = fmin(most, above * above / 4 + cap * x);
  if (p->ordered && x < 2 * size - 1)
    return fmin(most, cap * x);
  if (p->ordered && d > 0)
    return fmin(most, cap * y + fmax(below * below * square / d, above * above * square / (d + 8 * square)));
  return most;
}

/* Cells of at least so many steps, each worth its cell's up to the cap, and the best cut. */
static void try_cap(gate_search *s, gates_claim *c, int64_t least, int64_t cap)
{
  gate_family *of = &c->family[0];
  text reason = { 0 };
  c->cells.least = least;
  c->cells.cap = cap;
  if (gates_derive(s->g, c, &reason) && mpz_sgn(s->g->set[0].steps) > 0) {
    segment_problem p = { .most = cells_steps, .guess = cells_guess, .context = &c->cells, .m = s->m };
    segment_cut best;
    mpz_t value;
    mpz_init(value);
    mpz_init_set(p.work, s->g->set[0].steps);
    segment_cut_init(&best);
    of->segments = 1;
    of->first = of->length = 0;
    if (segment_search(&p, &best)) {
      of->segments = best.n;
      of->first = best.first;
      of->length = best.length;
    }
    if (gates_value(s->g, c, s->m, value, &reason))
      gates_keep_best(s, c, value);
    segment_cut_clear(&best);
    mpz_clears(value, p.work, NULL);
  }
  text_clear(&reason);
}

/* The least cells that count and the cap, in parts of the longest cell. */
enum { LEASTS = 24 };
static const int cells_tried[][2] = {
  { 1, 6 },  { 1, 10 }, { 1, 14 }, { 1, 18 }, { 2, 4 },  { 2, 6 },   { 2, 8 },   { 2, 10 },  { 2, 12 },  { 2, 14 },
  { 2, 16 }, { 2, 20 }, { 4, 4 },  { 4, 6 },  { 4, 8 },  { 4, 10 },  { 4, 12 },  { 4, 14 },  { 4, 16 },  { 4, 20 },
  { 6, 6 },  { 6, 10 }, { 6, 14 }, { 6, 18 }, { 8, 8 },  { 8, 12 },  { 8, 16 },  { 8, 20 },  { 8, 22 },  { 10, 10 },
  { 10, 20 }, { 12, 12 }, { 14, 14 }, { 16, 16 },
};
enum { CELLS_TRIED = sizeof cells_tried / sizeof *cells_tried };

enum { ENDS = 9 };
typedef struct {
  int n;
  int64_t form[ENDS][3];
} cell_ends;

/* Forms that the third loop reaches and never passes: times row and times column 1, 0 or -1. */
static void find_ends(const polyhedra *both, const samples *at, int row, int column, bool low, cell_ends *to)
{
  int third = 3 - row - column;
  to->n = 0;
  for (int e = 0; e < ENDS; e++) {
    int64_t r = (e + 1) % 3 - 1, c = (e / 3 + 1) % 3 - 1, least, most;
    linear f = linear_variable(third);
    f.coef[row] = -r;
    f.coef[column] = -c;
    if (!polyhedra_span(both, &f, &least, &most))
      continue;
    int64_t base = low ? least : most;
    bool reached = at->n > 0;
    for (int i = 0; i < at->n && reached; i++) {
      int64_t x[CDAG_RANK];
      memcpy(x, at->at[i], sizeof x);
      x[third] = r * x[row] + c * x[column] + base;
      reached = false;
      for (int k = 0; k < both->n && !reached; k++)
        reached = both->item[k]->vars == 3 && gates_holds_at(both->item[k], x, 3);
    }
    if (reached)
      memcpy(to->form[to->n++], (int64_t[]){ r, c, base }, sizeof *to->form);
  }
}

static bool try_ends(gate_search *s, gates_claim *c, const polyhedra *both, const samples *at, int row, int column)
{
  cell_ends lo, hi;
  find_ends(both, at, row, column, true, &lo);
  find_ends(both, at, row, column, false, &hi);
  for (int e = 0; e < lo.n * hi.n; e++) {
    const int64_t *from = lo.form[e / hi.n], *to = hi.form[e % hi.n];
    linear length = linear_constant(to[2] - from[2] + 1);
    length.coef[row] = to[0] - from[0];
    length.coef[column] = to[1] - from[1];
    memcpy(c->cells.lo, from, sizeof c->cells.lo);
    memcpy(c->cells.hi, to, sizeof c->cells.hi);
    c->cells.least = c->cells.cap = 1;
    text reason = { 0 };
    int64_t least, most;
    bool good = gates_derive(s->g, c, &reason) && mpz_sgn(s->g->set[0].steps) > 0 &&
                polyhedra_span(both, &length, &least, &most);
    text_clear(&reason);
    for (int k = 0; k < CELLS_TRIED && good; k++)
      if (most * cells_tried[k][0] / LEASTS > 0)
        try_cap(s, c, most * cells_tried[k][0] / LEASTS, most * cells_tried[k][1] / LEASTS);
    if (good)
      return true;
  }
  return false;
}

/* Is each sample before an element one step on along the loop? */
static bool steps_on(gate_search *s, int array, const samples *at, int loop, int step)
{
  int there = 0;
  for (int i = 0; i < at->n; i++) {
    int64_t next[CDAG_RANK];
    memcpy(next, at->at[i], sizeof next);
    next[loop] += step;
    if (!gates_in_domain(s, array, next))
      continue;
    if (!reach_has(&s->g->reach, array, next, array, at->at[i]))
      return false;
    there++;
  }
  return there > 0;
}

/* Are most samples ancestors of all elements of the next gate, which have their column and any third index?  Where they
 * are not, no ends of cells are any good. */
static bool before_next(gate_search *s, int array, const samples *at, int time, int third, int step)
{
  int good = 0;
  for (int i = 0; i < at->n; i++) {
    bool all = true;
    for (int k = 0; k < at->n && all; k++) {
      int64_t next[CDAG_RANK];
      memcpy(next, at->at[i], sizeof next);
      next[time] += step;
      next[third] = at->at[k][third];
      all = !gates_in_domain(s, array, next) || reach_has(&s->g->reach, array, next, array, at->at[i]);
    }
    good += all;
  }
  return 2 * good > at->n;
}

static bool told_by(const linear *label, int loop)
{
  linear is = linear_variable(loop);
  is.base = label->base;
  return linear_equal(label, &is);
}

/* Columns, in the order of their rows, by the word that one access reads, rows by that of another; gates are the
 * elements of a cell themselves. */
static void try_cells(gate_search *s, int array, int by_column, int by_row)
{
  const normal_form *f = &s->g->f->form;
  const access *a[2] = { f->access[by_column], f->access[by_row] };
  linear label[2][LABELS_MOST];
  polyhedra both = { 0 };
  for (int i = 0; i < f->array[array].live.n; i++) {
    polyhedron *p = polyhedron_copy(&s->g->f->memory, f->array[array].live.item[i]);
    for (int k = 0; k < 2; k++)
      polyhedron_meet(&s->g->f->memory, p, a[k]->where, 3);
    if (!p->open && !polyhedron_is_flat(p) && !polyhedron_empty(p)) /* flat ones have cells of one element */
      polyhedra_add(&s->g->f->memory, &both, p);
  }
  for (int k = 0; k < 2; k++)
    if (words_label_of(&s->g->f->words, a[k]->to, a[k]->index, label[k]) != 2)
      return;
  samples at;
  gates_sample(s, &both, 3, &at);
  for (int way = 0; way < 6 * 2 && at.n > 0; way++) {
    int row = way % 3, column = (row + 1 + way / 3 % 2) % 3;
    bool back = way / 6, told = false;
    gates_claim c = s->words;
    gate_family *of = &c.family[0];
    c.cells.once = s->g->f->words.unrooted[s->g->f->words.component[a[0]->to]];
    for (int p = 0; p < 2; p++)
      told = told || (told_by(&label[0][p], column) && told_by(&label[1][1 - p], row));
    if (!told || !steps_on(s, array, &at, row, back ? -1 : 1) ||
        !before_next(s, array, &at, row, 3 - row - column, back ? -1 : 1))
      continue;
    c.families = 1;
    *of = (gate_family){
      .array = array, .time = row, .back = back, .lag = 1, .uses = 2, .partner = -1, .cut = { -1, 0, 0 }
    };
    of->role[row] = of->role[column] = GATE_KEY;
    for (int k = 0; k < 2; k++) {
      of->use[k] = (gate_use){ .array = array, .access = k ? by_row : by_column };
      for (int r = 0; r < 3; r++)
        of->use[k].keys.loop[r] = r;
    }
    c.families = 2;              /* rows in an order of their own, as columns */
    c.cells.chained = c.cells.ordered = true;
    c.family[1] = *of;
    c.family[1].time = column;
    c.family[1].use[0] = of->use[1];
    c.family[1].use[1] = of->use[0];
    bool found = false;
    for (int on = 1; on >= -1 && !found; on -= 2) {
      c.family[1].back = on < 0;
      found = steps_on(s, array, &at, column, on) && try_ends(s, &c, &both, &at, row, column);
    }
    c.families = 1;
    c.cells.ordered = false;
    for (int chained = 1; chained >= 0 && !found; chained--) {
      c.cells.chained = chained;
      found = try_ends(s, &c, &both, &at, row, column);
    }
  }
}

/* Words that keep the row and the column, along sums or each with an input of its own; or along sums alone, where what
   a few of them begin with would make their labels those of others. */
static const word_order cell_orders[] = {
  { true, { 0, 2, 3, 4, 1 }, false },
  { false, { 0, 2, 4, 3, 1 }, false },
  { true, { 0, -1, -1, -1, -1 }, false },
};

void gates_find_cells(gate_search *s)
{
  const normal_form *f = &s->g->f->form;
  const words *w = &s->g->f->words;
  for (size_t k = 0; k < sizeof cell_orders / sizeof *cell_orders; k++)
    for (int n = 0, all = f->accesses, good = gates_choose_words(s, &cell_orders[k]); good && n < all * all; n++) {
      int column = n / all, row = n % all;
      const access *a = f->access[column], *b = f->access[row];
      if (row != column && a->from == b->from && f->array[a->from].rank == 3 && a->single && b->single &&
          w->component[a->to] == w->component[b->to] && !words_is_own(w, row) &&
          !words_is_own(w, column))
        try_cells(s, a->from, column, row);
    }
}
