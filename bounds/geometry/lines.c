/* lines.c -- stencils with recomputation (docs/theory.md, section 9).

   Let D be a set of k words, and let no path lead from the inputs to V except through D, none of D in V.  Straight
   lines up the columns and lines that slant into a column from the side are disjoint, so D is met as often as there are
   such lines that end in V or beside it: on a line, slanted lines from both sides   |V| <= (k - 1)^2 / 4 on a line,
   from one side                   |V| <= k (k - 1) / 2 in the plane                               |V| <= k^(3/2) - k in
   the plane, away from its border         |V| <= k^(3/2) / 3 + 2 k, and k^2 / (16 (r - 1)) if r < k <= r^2 columns are
   beside The first two are reached by triangles.  When stores are events as well, the columns of V are few: each is
   left through a word that is red in the end or stored (bound_lines_left); when nothing is computed twice, as many
   words as lines that leave V (bound_lines_once). */
#include "base/scoped.h"
#include "bounds/geometry/lines.h"
#include "base/num.h"
#include "bounds/segment/record.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/stencil.h"
#include "bounds/recognise/shape.h"
#include <inttypes.h>
#include <math.h>

/* ---- is it a stencil? ---- */

/* An array over time and one or two indices of space, all of it a box, in which a point reads its own place one step
   earlier and neighbours: on a line those to one side (or both), in the plane all four.  Its first level is inputs, or
   reads inputs of its own, one each. */
typedef struct {
  int array, time, spaces, space[2];
  bool below, above;           /* on a line: reads x - 1, reads x + 1 */
  bool stored;                 /* the last level is outputs */
  int64_t levels, width[2];    /* levels that are computed from earlier ones */
} lines_shape;

static bool find_at(const cdag *g, int array, int time, lines_shape *s)
{
  const cdag_array *a = &g->array[array];
  checker_stencil read;
  checker_stencil_read(g, array, time, &read);
  *s = (lines_shape){ .array = array, .time = time, .levels = a->hull.hi[time] - a->hull.lo[time] - 1 };
  if (!read.straight || !read.given || s->levels < 1)
    return false;
  for (int r = 0; r < a->rank; r++) {
    if (r == time)
      continue;
    s->width[s->spaces] = a->hull.hi[r] - a->hull.lo[r];
    s->space[s->spaces++] = r;
    s->below = read.aside[r][0];
    s->above = read.aside[r][1];
    if (!(s->below || s->above) || (a->rank == 3 && !(s->below && s->above)))
      return false;
  }
  s->stored = checker_last_stored(g, array, time);
  return true;
}

static bool find_shape(const cdag *g, int array, lines_shape *s)
{
  const cdag_array *a = &g->array[array];
  if (a->terms == 0 || a->count == 0 || (a->rank != 2 && a->rank != 3) || !form_whole_box(g, array))
    return false;
  for (int time = 0; time < a->rank; time++)
    if (find_at(g, array, time, s))
      return true;
  return false;
}

/* ---- what words allow ---- */

const char *bound_lines_way(lines_way w)
{
  static const char *const name[] = { "both", "one", "plane", "inside" };
  return name[w];
}

static void keep_less(mpz_t most, const mpz_t other)
{
  if (mpz_cmp(other, most) < 0)
    mpz_set(most, other);
}

/* The largest that quotient * v^2 <= factor * x^3 leaves. */
static void root_of_cube(const mpz_t x, unsigned long factor, unsigned long quotient, mpz_t v)
{
  mpz_pow_ui(v, x, 3);
  mpz_mul_ui(v, v, factor);
  mpz_fdiv_q_ui(v, v, quotient);
  mpz_sqrt(v, v);
}

/* Quotient of a square, (factor x + add)^2 + more. */
static void share_of_square(const mpz_t x, unsigned long factor, unsigned long add, unsigned long more,
                            unsigned long quotient, mpz_t v)
{
  mpz_mul_ui(v, x, factor);
  mpz_add_ui(v, v, add);
  mpz_mul(v, v, v);
  mpz_add_ui(v, v, more);
  mpz_fdiv_q_ui(v, v, quotient);
}

static void plane_most(const mpz_t x, mpz_t most)
{
  root_of_cube(x, 1, 1, most);
  mpz_sub(most, most, x);
}

static void inside_most(const mpz_t x, mpz_t most)
{
  SCOPED_MPZ all;
  mpz_init(all);
  plane_most(x, all);
  root_of_cube(x, 1, 9, most);
  mpz_addmul_ui(most, x, 2);
  keep_less(most, all);
}

static void line_most(bool both, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ y;
  mpz_init_set(y, x);
  if (mpz_sgn(x) > 0)
    mpz_sub_ui(y, y, 1);
  mpz_mul(most, both ? y : x, y);
  mpz_fdiv_q_2exp(most, most, both ? 2 : 1);
}

void bound_lines_most(lines_way way, const mpz_t x, mpz_t most)
{
  if (way == LINES_PLANE)
    plane_most(x, most);
  else if (way == LINES_INSIDE)
    inside_most(x, most);
  else
    line_most(way == LINES_BOTH, x, most);
}

void bound_lines_tall(const lines_count *c, const mpz_t x, mpz_t most)
{
  mpz_set_ui(most, 0);
  if (mpz_cmp_si(x, c->room) < 0 || c->levels < c->room)
    return;
  mpz_mul(most, x, x);
  mpz_fdiv_q_2exp(most, most, 4);
  mpz_fdiv_q_ui(most, most, (unsigned long)c->room - 1);
}

void bound_lines_left(lines_way way, const mpz_t x, const mpz_t both, mpz_t most)
{
  if (way == LINES_BOTH)
    share_of_square(both, 1, 1, 3, 12, most);
  else if (way == LINES_ONE)
    share_of_square(both, 2, 1, 0, 24, most);
  else
    root_of_cube(both, way == LINES_PLANE ? 4 : 1, way == LINES_PLANE ? 27 : 36, most);
  if (way == LINES_INSIDE)
    mpz_addmul_ui(most, x, 2);
}

void bound_lines_once(lines_way way, const mpz_t both, mpz_t most)
{
  if (way == LINES_BOTH) {
    share_of_square(both, 1, 5, 0, 24, most);
  } else {
    root_of_cube(both, 1, 126, most);
    mpz_add(most, most, both);
  }
}

static double guess_left(lines_way way, double x, double both)
{
  static const double share[] = { 1.0 / 12, 1.0 / 6, 0.3849, 1.0 / 6 };
  return share[way] * both * (way == LINES_BOTH || way == LINES_ONE ? both : sqrt(both)) +
         (way == LINES_INSIDE ? 2 * x : 0);
}

static double guess_once(lines_way way, double both)
{
  return both * (way == LINES_BOTH ? both / 24 : sqrt(both / 126) + 1);
}

static double guess_of(lines_way way, double x)
{
  switch (way) {
  case LINES_BOTH: return x * x / 4;
  case LINES_ONE: return x * x / 2;
  case LINES_PLANE: return x * sqrt(x);
  default: return fmin(x * sqrt(x), x * (sqrt(x) / 3 + 2));
  }
}

static double guess_tall(const lines_count *c, double x)
{
  return bound_lines_fit(c, (int64_t)x) ? 0 : x * x / 16 / ((double)c->room - 1);
}

/* ---- the problem for segments ---- */

typedef struct {
  lines_count count;
  int64_t m;
  mpz_t work;
} lines_problem;

static void words_most(const lines_count *c, const mpz_t x, const mpz_t both, mpz_t most)
{
  SCOPED_MPZ other;
  mpz_init(other);
  bound_lines_most(c->way, x, most);
  if (c->events != LINES_LOADS) {
    bound_lines_left(c->way, x, both, other);
    keep_less(most, other);
  }
  if (c->events == LINES_ONCE) {
    bound_lines_once(c->way, both, other);
    keep_less(most, other);
  } else {
    bound_lines_tall(c, x, other);
    mpz_add(most, most, other);
  }
}

/* A segment of x - M moves, or the first of x, has x words red or loaded and x + M of those and of words that are red
 * in its end or stored. */
static void lines_most(const void *context, const mpz_t x, mpz_t most)
{
  const lines_problem *p = context;
  SCOPED_MPZ both, most_of_words;
  mpz_init(most_of_words);
  mpz_init_set_si(both, p->m);
  mpz_add(both, both, x);
  mpz_set(most, p->work);
  if (mpz_fits_slong_p(both) && bound_lines_speaks(&p->count, mpz_get_si(p->count.events == LINES_ONCE ? both : x))) {
    words_most(&p->count, x, both, most_of_words);
    keep_less(most, most_of_words);
  }
}

static double lines_guess(const void *context, double x)
{
  const lines_problem *p = context;
  const lines_count *c = &p->count;
  double all = mpz_get_d(p->work), most = guess_of(c->way, x), both = x + (double)p->m;
  if (both >= 0x1p62 || !bound_lines_speaks(c, (int64_t)(c->events == LINES_ONCE ? both : x)))
    return all;
  if (c->events != LINES_LOADS)
    most = fmin(most, guess_left(c->way, x, both));
  if (c->events == LINES_ONCE)
    most = fmin(most, guess_once(c->way, both));
  else
    most += guess_tall(c, x);
  return fmin(most, all);
}

typedef struct {
  lines_count count;
  uint64_t stores;             /* of outputs, that are no events */
  segment_cut cut;
} lines_found;

static bool is_more(const lines_found *f, const lines_found *than)
{
  SCOPED_MPZ a, b;
  mpz_inits(a, b, NULL);
  mpz_add_ui(a, f->cut.events, f->stores);
  mpz_add_ui(b, than->cut.events, than->stores);
  return mpz_cmp(a, b) > 0;
}

typedef struct {
  const bound_question *q;
  const lines_shape *s;
  uint64_t outputs;
  lines_events events;
  lines_found best;            /* no segments: nothing was found */
} lines_search;

/* A better cut with this count? */
static void try_count(lines_search *l, lines_way way, int64_t room, int64_t levels, int64_t columns)
{
  lines_problem p = { .count = { way, l->events, room, levels, columns }, .m = (int64_t)l->q->m };
  lines_found f = { .count = p.count, .stores = l->events == LINES_LOADS ? l->outputs : 0 };
  int64_t work;
  if (columns < 1 || levels < 1 || !num_mul(columns, levels, &work))
    return;
  mpz_init_set_si(p.work, work);
  segment_problem problem = { lines_most, lines_guess, &p, { { 0 } }, p.m };
  segment_cut_init(&f.cut);
  mpz_init_set(problem.work, p.work);
  if (segment_search(&problem, &f.cut) && (l->best.cut.n == 0 || is_more(&f, &l->best))) {
    lines_found worse = l->best;
    l->best = f;
    f = worse;
  }
  segment_cut_clear(&f.cut);
  mpz_clear(problem.work);
  mpz_clear(p.work);
}

/* Room for a segment of this many words costs that many columns at each end; for all levels it costs those. */
static void try_line(lines_search *l, lines_way way)
{
  int64_t m = (int64_t)l->q->m, width = l->s->width[0];
  for (int quarter = 0; quarter <= 16; quarter++) {
    int64_t room = quarter ? m + m * quarter / 4 + 2 : l->s->levels + 1;
    if (room <= width)
      try_count(l, way, room, l->s->levels, width - (way == LINES_BOTH ? 2 : 1) * room);
  }
}

/* One of the two sides of a column holds half the row and the column itself. */
static void try_plane(lines_search *l)
{
  const int64_t *width = l->s->width;
  int64_t room = num_min(width[0], width[1]) / 2 + 1, columns;
  if (!num_mul(width[0], width[1], &columns))
    return;
  try_count(l, LINES_PLANE, room, l->s->levels, columns);
  try_count(l, LINES_PLANE, room, num_min(l->s->levels, room - 1), columns);
}

/* Room on four sides. */
static void try_room(lines_search *l, int64_t room, int64_t levels)
{
  const int64_t *width = l->s->width;
  int64_t columns;
  if (room <= (num_min(width[0], width[1]) - 1) / 2 && num_mul(width[0] - 2 * room, width[1] - 2 * room, &columns))
    try_count(l, LINES_INSIDE, room, levels, columns);
}

/* For all levels, for a segment of this many words, or for as many levels as it leaves; and room that columns may be
 * too tall for. */
static void try_inside(lines_search *l)
{
  int64_t levels = l->s->levels, side = num_min(l->s->width[0], l->s->width[1]), m = (int64_t)l->q->m;
  for (int way = -4; way <= 20; way++) {
    int64_t room = way < 0 ? side / 4 * -way / 5 + 1 : way == 0 ? levels + 1 : m + m / 4 * way + 2;
    try_room(l, room, way < 0 ? num_min(levels, room - 1) : levels);
  }
  for (int64_t room = num_isqrt(m) + 1; l->events != LINES_ONCE && room < side && room < m; room += room / 4 + 1)
    try_room(l, room, levels);
}

static void try_ways(lines_search *l, lines_events events)
{
  l->events = events;
  if (l->s->spaces == 2) {
    if (events != LINES_ONCE)
      try_plane(l);
    try_inside(l);
    return;
  }
  if (events != LINES_ONCE)
    try_line(l, LINES_ONE);
  if (l->s->below && l->s->above)
    try_line(l, LINES_BOTH);
}

/* ---- the record ---- */

/* "w 1000 / M", "2 w h 300 / (3 sqrt(3) sqrt(M))". */
static void leading(const bound_question *q, const lines_shape *s, const lines_count *c, text *out)
{
  static const char *const times[3][4] = { { "", "", "2 ", "2 " },
                                           { "3 ", "3 ", "", "4 " },
                                           { "3 ", "", "", "2 sqrt(7) " } };
  static const char *const by[3][4] = { { "M", "(2 M)", "(3 sqrt(3) sqrt(M))", "(sqrt(3) sqrt(M))" },
                                        { "(2 M)", "(4 M)", "(sqrt(2) sqrt(M))", "(sqrt(6) sqrt(M))" },
                                        { "M", "", "", "(sqrt(3) sqrt(M))" } };
  text_add(out, times[c->events][c->way]);
  for (int i = 0; i < s->spaces; i++) {
    bound_loop_text(q->g, s->array, s->space[i], s->width[i], out);
    text_char(out, ' ');
  }
  text_printf(out, "%" PRId64 " / %s", c->levels, by[c->events][c->way]);
}

static void write_parameters(const lines_search *l, const segment_problem *p, const segment_account *a, text *out)
{
  const lines_count *c = &l->best.count;
  SCOPED_JSON j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "statement", l->q->g->array[l->s->array].name);
  json_put_int(&j, "time", l->s->time);
  json_put_string(&j, "way", bound_lines_way(c->way));
  if (c->events != LINES_ONCE)
    json_put_string(&j, "counted", c->events == LINES_LOADS ? "loads" : "moves");
  json_put_int(&j, "room", c->room);
  json_put_int(&j, "levels", c->levels);
  segment_write(&j, p, &l->best.cut, a);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
}

static void say_reach(const proof *say)
{
  proof_tell(say, "geometry/lines/reach", "");
}

static void say_line(const proof *say, const lines_count *c)
{
  proof_tell(say, "geometry/lines/line", "predecessors %s",
             c->way == LINES_BOTH ? "s on both sides" : " on the side that is read");
  if (c->way == LINES_BOTH)
    proof_tell(say, "geometry/lines/both-sides", "");
  else
    proof_tell(say, "geometry/lines/one-side", "");
  proof_say(say, " Counted are the {%ld} columns with {%ld} others beside them%s.", (long)c->columns, (long)c->room,
            c->way == LINES_BOTH ? " on either side" : "");
  proof_paragraph(say);
}

static void say_plane(const proof *say, const lines_count *c)
{
  proof_tell(say, "geometry/lines/plane", "room %ld", (long)c->room);
}

static void say_inside(const proof *say, const lines_count *c)
{
  proof_tell(say, "geometry/lines/inside", "columns %ld, room %ld", (long)c->columns, (long)c->room);
}

/* Some segment has as many words as there is room on. */
static bool some_are_tall(const lines_search *l)
{
  const segment_cut *k = &l->best.cut;
  return !bound_lines_fit(&l->best.count, num_max(k->first, k->n > 1 ? (int64_t)l->q->m + k->length : 0));
}

static void say_tall(const proof *say, const lines_count *c)
{
  proof_tell(say, "geometry/lines/tall", "room %ld", (long)c->room);
}

static void say_words(const proof *say, const lines_count *c)
{
  if (c->way == LINES_PLANE)
    say_plane(say, c);
  else if (c->way == LINES_INSIDE)
    say_inside(say, c);
  else
    say_line(say, c);
}

static void say_passing(const proof *say)
{
  proof_tell(say, "geometry/lines/passing", "");
}

/* What few columns leave. */
static void say_left(const proof *say, lines_way way)
{
  static const char *const of[] = {
    "The sum over the pairs is at most {(a/2) (k - 1 - a/2) + 1/4}, {a = c + 2}, and {k <= X + 2 - a}: so {|V| <= ((X "
    "+ 1)^2 + 3) / 12} as well.",
    "The sum is {a (2 k - a - 1) / 2}, {a = c + 1}, and {k <= X + 1 - a}: so {|V| <= (2 X + 1)^2 / 24} as well.",
    "With {k <= X - c}, {sqrt(c) (X - c)} is most for {c = X/3}: so {27 |V|^2 <= 4 X^3} as well.",
    "At most {c} columns have {h} vertices or more: {s_h <= 2 g |dg/dz| min(g, sqrt(c))}, in all {sqrt(c) (k/2 - c/6)} "
    "if {c <= k}, most for {c = X/4}: {|V| <= X^(3/2) / 6 + 2 k} as well.",
  };
  proof_say(say, of[way]);
  proof_paragraph(say);
}

static void say_columns(const proof *say)
{
  proof_tell(say, "geometry/lines/columns", "");
}

static void say_once_line(const proof *say, const lines_count *c)
{
  say_columns(say);
  proof_tell(say, "geometry/lines/once-line", "columns %ld, room %ld", (long)c->columns, (long)c->room);
}

static void say_once_inside(const proof *say, const lines_count *c)
{
  proof_say(say, "Take one plane {y}. ");
  say_columns(say);
  proof_tell(say, "geometry/lines/once-inside", "columns %ld, room %ld", (long)c->columns, (long)c->room);
}

static void say_once(const proof *say, const lines_count *c)
{
  proof_tell(say, "geometry/lines/once", "");
  (c->way == LINES_BOTH ? say_once_line : say_once_inside)(say, c);
  proof_paragraph(say);
}

static void say_proof(const lines_search *l, const segment_problem *problem, const segment_account *account, bound *b)
{
  const lines_count *c = &l->best.count;
  proof say = { &b->proof, &b->proof_latex };
  if (c->events == LINES_ONCE) {
    say_once(&say, c);
  } else {
    c->events == LINES_MOVES ? say_passing(&say) : say_reach(&say);
    say_words(&say, c);
  }
  if (c->events == LINES_MOVES)
    say_left(&say, c->way);
  if (c->events != LINES_ONCE && some_are_tall(l))
    say_tall(&say, c);
  if (c->events == LINES_LOADS)
    segment_proof(&say, l->q, problem, &l->best.cut, account, "new vertices");
  else
    segment_proof_moves(&say, l->q, problem, &l->best.cut, "vertices");
}

static void add_record(const lines_search *l, const char *name, unsigned models, bound_list *out)
{
  segment_account account = { .births = 0, .stores = l->best.stores };
  segment_problem problem = { .m = (int64_t)l->q->m };
  bound *b = bound_list_add(out, name, BOUND_PROVED, models, "docs/theory.md, section 9");
  mpz_init_set_si(problem.work, l->best.count.columns * l->best.count.levels);
  segment_value(&l->best.cut, &account, b->value);
  leading(l->q, l->s, &l->best.count, &b->leading);
  write_parameters(l, &problem, &account, &b->parameters);
  if (l->q->want_proof)
    say_proof(l, &problem, &account, b);
  mpz_clear(problem.work);
}

/* The best of these events, as one record. */
static void apply_events(const bound_question *q, const lines_shape *s, uint64_t outputs, bool once, bound_list *out)
{
  lines_search l = { .q = q, .s = s, .outputs = outputs };
  segment_cut_init(&l.best.cut);
  if (once) {
    try_ways(&l, LINES_ONCE);
  } else {
    try_ways(&l, LINES_LOADS);
    if (s->stored)
      try_ways(&l, LINES_MOVES);
  }
  if (l.best.cut.n > 0)
    add_record(&l, once ? "lines-one-shot" : "lines", once ? BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING : BOUND_ANY,
               out);
  segment_cut_clear(&l.best.cut);
}

static void apply_array(const bound_question *q, const bound_live *l, int array, bound_list *out)
{
  lines_shape s;
  if (!l->whole[array] || !find_shape(q->g, array, &s))
    return;
  apply_events(q, &s, l->outputs, false, out);
  if (s.stored && (s.spaces == 2 || (s.below && s.above)))
    apply_events(q, &s, l->outputs, true, out);
}

static status apply_lines(const bound_question *q, bound_list *out, diag *d)
{
  bound_live own;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 8)
    return OK;
  const bound_live *l = bound_live_of(q->g, q->live, &own);
  for (int a = 0; a < q->g->arrays; a++)
    apply_array(q, l, a, out);
  bound_live_clear(&own);
  return OK;
}

BOUND_THEOREM(100, lines) = {
  .name = "lines",
  .summary = "stencils: disjoint straight and slanted lines into what a segment computes",
  .source = "docs/theory.md, section 9",
  .apply = apply_lines,
};
