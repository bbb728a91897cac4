/* lines.c -- stencils with recomputation (docs/theory.md, section 9).

   Let D be a set of k words, and let no path lead from the inputs to V except through D, none of D in V.  Straight lines up the
   columns and lines that slant into a column from the side are disjoint, so D is met as often as there are such lines that end in V or
   beside it:
     on a line, slanted lines from both sides   |V| <= (k - 1)^2 / 4
     on a line, from one side                   |V| <= k (k - 1) / 2
     in the plane                               |V| <= k^(3/2) - k
     in the plane, away from its border         |V| <= k^(3/2) / 3 + 2 k
   The first two are reached by triangles. */
#include "bounds/lines.h"
#include "base/num.h"
#include "bounds/segment_record.h"
#include "bounds/shape_internal.h"
#include <inttypes.h>
#include <math.h>

/* ---- is it a stencil? ---- */

/* An array over time and one or two indices of space, all of it a box, in which a point reads its own place one step earlier and neighbours:
   on a line those to one side (or both), in the plane all four.  Its first level is inputs, or reads inputs of its own, one each. */
typedef struct {
  int array, time, spaces, space[2];
  bool below, above;           /* on a line: reads x - 1, reads x + 1 */
  int64_t levels, width[2];    /* levels that are computed from earlier ones */
} lines_shape;

/* A term to the own array, one step of time back: where in space?  -1 when it is none, else the index that moves (or the time) and by how
   much. */
static int unit_move(const cdag_array *a, int array, const cdag_term *t, int time, int64_t *by)
{
  int moved = time;
  if (t->array != array)
    return -1;
  for (int r = 0; r < a->rank; r++) {
    const cdag_index *x = &t->index[r];
    if (x->kind != CDAG_AT || x->var != r || (r == time && x->base != -1))
      return -1;
    if (r == time || x->base == 0)
      continue;
    if (moved != time || (x->base != 1 && x->base != -1))
      return -1;
    moved = r;
    *by = x->base;
  }
  return moved;
}

/* bits: 1 the index's place itself, 2 below, 4 above; place 0 is the time's. */
static void read_moves(const cdag_array *a, int array, int time, unsigned seen[CDAG_RANK])
{
  for (int r = 0; r < CDAG_RANK; r++)
    seen[r] = 0;
  for (int t = 0; t < a->terms; t++) {
    int64_t by = 0;
    int r = unit_move(a, array, &a->term[t], time, &by);
    if (r >= 0)
      seen[r] |= by == 0 ? 1 : by < 0 ? 2 : 4;
  }
}

/* An input of its own for every column, at every level: each index of space stands alone in one index. */
static bool has_own_input(const cdag *g, int array, int time)
{
  const cdag_array *a = &g->array[array];
  for (int t = 0; t < a->terms; t++) {
    const cdag_term *in = &a->term[t];
    unsigned told = 0;
    bool single = g->array[in->array].terms == 0;
    for (int r = 0; r < g->array[in->array].rank; r++) {
      single &= in->index[r].kind == CDAG_AT;
      told |= in->index[r].var >= 0 ? 1u << in->index[r].var : 0;
    }
    if (single && (told | 1u << time) == (1u << a->rank) - 1 && shape_always(g, array, in))
      return true;
  }
  return false;
}

static bool find_at(const cdag *g, int array, int time, lines_shape *s)
{
  const cdag_array *a = &g->array[array];
  unsigned seen[CDAG_RANK];
  read_moves(a, array, time, seen);
  *s = (lines_shape){ .array = array, .time = time, .levels = a->hull.hi[time] - a->hull.lo[time] - 1 };
  if (!(seen[time] & 1) || s->levels < 1 || (shape_source_loop(g, array) != time && !has_own_input(g, array, time)))
    return false;
  for (int r = 0; r < a->rank; r++) {
    if (r == time)
      continue;
    s->width[s->spaces] = a->hull.hi[r] - a->hull.lo[r];
    s->space[s->spaces++] = r;
    if (seen[r] == 0 || (a->rank == 3 && seen[r] != 6))
      return false;
    s->below = seen[r] & 2;
    s->above = seen[r] & 4;
  }
  return true;
}

static bool find_shape(const cdag *g, int array, lines_shape *s)
{
  const cdag_array *a = &g->array[array];
  if (a->terms == 0 || a->count == 0 || (a->rank != 2 && a->rank != 3) || !affine_is_box(g, array))
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

static void plane_most(const mpz_t x, mpz_t most)
{
  mpz_pow_ui(most, x, 3);
  mpz_sqrt(most, most);
  mpz_sub(most, most, x);
}

static void inside_most(const mpz_t x, mpz_t most)
{
  mpz_t all;
  mpz_init(all);
  plane_most(x, all);
  mpz_pow_ui(most, x, 3);
  mpz_fdiv_q_ui(most, most, 9);
  mpz_sqrt(most, most);
  mpz_addmul_ui(most, x, 2);
  if (mpz_cmp(all, most) < 0)
    mpz_swap(all, most);
  mpz_clear(all);
}

static void line_most(bool both, const mpz_t x, mpz_t most)
{
  mpz_t y;
  mpz_init_set(y, x);
  if (mpz_sgn(x) > 0)
    mpz_sub_ui(y, y, 1);
  mpz_mul(most, both ? y : x, y);
  mpz_fdiv_q_2exp(most, most, both ? 2 : 1);
  mpz_clear(y);
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

static double guess_of(lines_way way, double x)
{
  switch (way) {
  case LINES_BOTH: return x * x / 4;
  case LINES_ONE: return x * x / 2;
  case LINES_PLANE: return x * sqrt(x);
  default: return fmin(x * sqrt(x), x * (sqrt(x) / 3 + 2));
  }
}

/* ---- the problem for segments ---- */

typedef struct {
  lines_count count;
  mpz_t work;
} lines_problem;

static void lines_most(const void *context, const mpz_t x, mpz_t most)
{
  const lines_problem *p = context;
  if (mpz_fits_slong_p(x) && bound_lines_speaks(&p->count, mpz_get_si(x)))
    bound_lines_most(p->count.way, x, most);
  else
    mpz_set(most, p->work);
  if (mpz_cmp(most, p->work) > 0)
    mpz_set(most, p->work);
}

static double lines_guess(const void *context, double x)
{
  const lines_problem *p = context;
  double all = mpz_get_d(p->work), most = guess_of(p->count.way, x);
  return (x >= (double)p->count.room && p->count.levels >= p->count.room) || most > all ? all : most;
}

typedef struct {
  lines_count count;
  segment_cut cut;
} lines_found;

/* A better cut with this count? */
static void try_count(const bound_question *q, const lines_count *count, lines_found *best)
{
  lines_problem p = { .count = *count };
  int64_t work;
  if (count->columns < 1 || count->levels < 1 || !num_mul(count->columns, count->levels, &work))
    return;
  mpz_init_set_si(p.work, work);
  segment_problem problem = { lines_most, lines_guess, &p, { { 0 } }, (int64_t)q->m };
  segment_cut cut;
  segment_cut_init(&cut);
  mpz_init_set(problem.work, p.work);
  if (segment_search(&problem, &cut) && mpz_cmp(cut.events, best->cut.events) > 0) {
    segment_cut_clear(&best->cut);
    best->cut = cut;
    best->count = *count;
  } else {
    segment_cut_clear(&cut);
  }
  mpz_clear(problem.work);
  mpz_clear(p.work);
}

/* Room for a segment of this many words costs that many columns at each end; for all levels it costs those. */
static void try_line(const bound_question *q, const lines_shape *s, lines_way way, lines_found *best)
{
  int sides = way == LINES_BOTH ? 2 : 1;
  int64_t m = (int64_t)q->m;
  for (int quarter = 0; quarter <= 6; quarter++) {
    int64_t room = quarter ? m + m * quarter / 4 + 2 : s->levels + 1;
    if (room <= s->width[0])
      try_count(q, &(lines_count){ way, room, s->levels, s->width[0] - sides * room }, best);
  }
}

/* One of the two sides of a column holds half the row and the column itself. */
static void try_plane(const bound_question *q, const lines_shape *s, lines_found *best)
{
  int64_t room = num_min(s->width[0], s->width[1]) / 2 + 1, columns;
  if (!num_mul(s->width[0], s->width[1], &columns))
    return;
  try_count(q, &(lines_count){ LINES_PLANE, room, s->levels, columns }, best);
  try_count(q, &(lines_count){ LINES_PLANE, room, num_min(s->levels, room - 1), columns }, best);
}

/* Room on four sides: for all levels, for a segment of this many words, or for as many levels as it leaves. */
static void try_inside(const bound_question *q, const lines_shape *s, lines_found *best)
{
  int64_t side = num_min(s->width[0], s->width[1]), m = (int64_t)q->m, columns;
  for (int way = -4; way <= 12; way++) {
    int64_t room = way < 0 ? side / 4 * -way / 5 + 1 : way == 0 ? s->levels + 1 : m + m / 4 * way + 2;
    int64_t levels = way < 0 ? num_min(s->levels, room - 1) : s->levels;
    if (room <= (side - 1) / 2 && num_mul(s->width[0] - 2 * room, s->width[1] - 2 * room, &columns))
      try_count(q, &(lines_count){ LINES_INSIDE, room, levels, columns }, best);
  }
}

/* ---- the record ---- */

/* "w 1000 / M", "2 w h 300 / (3 sqrt(3) sqrt(M))". */
static void leading(const bound_question *q, const lines_shape *s, const lines_count *c, text *out)
{
  static const char *const by[] = { "M", "(2 M)", "(3 sqrt(3) sqrt(M))", "(sqrt(3) sqrt(M))" };
  text_add(out, s->spaces == 2 ? "2 " : "");
  for (int i = 0; i < s->spaces; i++) {
    bound_loop_text(q->g, s->array, s->space[i], s->width[i], out);
    text_char(out, ' ');
  }
  text_printf(out, "%" PRId64 " / %s", c->levels, by[c->way]);
}

static void write_parameters(const bound_question *q, const lines_shape *s, const lines_found *f, const segment_problem *p,
                             const segment_account *a, text *out)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "statement", q->g->array[s->array].name);
  json_put_int(&j, "time", s->time);
  json_put_string(&j, "way", bound_lines_way(f->count.way));
  json_put_int(&j, "room", f->count.room);
  json_put_int(&j, "levels", f->count.levels);
  segment_write(&j, p, &f->cut, a);
  json_close(&j, '}');
  text_add(out, text_str(&j.out));
  json_clear(&j);
}

static void say_reach(const proof *say)
{
  proof_say(say, "Call a segment's new vertices those it computes for the first time, {V}, and let {D} be the words red when it begins or loaded in "
                 "it, without {V}. Walk back from a new vertex along any path: what was computed before the segment and is needed is red or "
                 "loaded, or computed again, and then its predecessors are needed; inputs are not computed. So every path from the inputs to {V}, or to "
                 "a predecessor of {V}, meets {D}, and disjoint such paths are at most {k = |D|}.");
  proof_paragraph(say);
}

static void say_line(const proof *say, const lines_count *c)
{
  proof_say(say, "Let {P} be {V} with the vertex under the lowest of each column, and the neighbours' predecessor%s. "
                 "A column with {n} vertices of {P} receives {n} disjoint lines: the m-th lowest from the input {m - 1} columns aside, straight up, then slanting "
                 "in; other columns of {P} receive a straight line each. ",
            c->way == LINES_BOTH ? "s on both sides" : " on the side that is read");
  if (c->way == LINES_BOTH)
    proof_say(say, "For columns {i < j} of the {a} in {P}, from the left into {i} and from the right into {j}: {n_i + n_j + (j - i - 1) <= k}. Added up over pairs "
                   "from outside in, less the {a} vertices that are not in {V}: {|V| <= (k - 1)^2 / 4}.");
  else
    proof_say(say, "For column {i} of the {a} in {P}: {n_i + (a - i) <= k}. Added up, less the {a} vertices that are not in {V}: {|V| <= k (k - 1) / 2}.");
  proof_say(say, " Counted are the {%ld} columns with {%ld} others beside them%s.", (long)c->columns, (long)c->room,
            c->way == LINES_BOTH ? " on either side" : "");
  proof_paragraph(say);
}

static void say_plane(const proof *say, const lines_count *c)
{
  proof_say(say, "Let {P} be {V} with the vertex under the lowest of each of its {c <= k} columns. A column with {n} vertices of {P} receives {n} disjoint lines inside "
                 "its plane in either direction: the m-th lowest from the input {m - 1} columns aside, straight up, then slanting in; half the row is "
                 "{%ld} columns. Planes are disjoint: if {g_y} is the most of a column in plane {y}, they add up to at most {k}, and so do the {e_x} of the other "
                 "direction. So {|V| + c <= sum sqrt(g_y e_x) <= sqrt(c) k}, and {|V| <= k^(3/2) - k}.",
            (long)c->room);
  proof_paragraph(say);
}

static void say_inside(const proof *say, const lines_count *c)
{
  proof_say(say, "Let {P} be {V} with the vertex under the lowest of each of its {c <= k} columns; column {(x, y)} has {n} vertices of {P}. Inside the plane {y}, a column with "
                 "{n} of them receives {n} disjoint lines from either side: the m-th lowest from the input {m - 1} columns aside, straight up, then slanting in. So for two "
                 "columns of a plane {n + n' + (columns of P between)} disjoint lines enter; let {L_y} be the most in plane {y}, {L_x} in the planes of the other direction. "
                 "Planes are disjoint: {sum L_y <= k}, {sum L_x <= k}. Lower the fullest column of each plane {y} to the second fullest, then likewise in the planes "
                 "{x}: that takes at most {2 k} vertices. A plane that now has columns of {h} vertices or more has at most {L_y - 2 h + 2} of them, and {L_y >= 2 h}. With "
                 "{F(z) = sum max(0, L_y - z)} and {F'(z)} of the others there are {s_h <= sqrt(F F')} and {s_h <= f f'} such columns, {f = -dF/dz}, for {2 h - 4 <= z < 2 h - 2}. "
                 "With {g = (F F')^(1/4)}, {f f' <= 4 g^2 (dg/dz)^2}, so {s_h <= min(g^2, 4 g^2 (dg/dz)^2) <= 2 g^2 |dg/dz|}; added up from {h = 2}: {g(0)^3 / 3 <= k^(3/2) / 3}. "
                 "So {|V| <= k^(3/2) / 3 + 2 k}; and {|V| <= k^(3/2) - k} as well, by the fullest columns alone. Counted are the {%ld} columns with {%ld} others on all four sides.",
            (long)c->columns, (long)c->room);
  proof_paragraph(say);
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

static void add_record(const bound_question *q, const bound_live *l, const lines_shape *s, const lines_found *f, bound_list *out)
{
  segment_account account = { 0, l->outputs };
  segment_problem problem = { .m = (int64_t)q->m };
  bound *b = bound_list_add(out, "lines", BOUND_PROVED, BOUND_ANY, "docs/theory.md, section 9");
  mpz_init_set_si(problem.work, f->count.columns * f->count.levels);
  segment_value(&f->cut, &account, b->value);
  leading(q, s, &f->count, &b->leading);
  write_parameters(q, s, f, &problem, &account, &b->parameters);
  if (q->want_proof) {
    proof say = { &b->proof, &b->proof_latex };
    say_reach(&say);
    say_words(&say, &f->count);
    segment_proof(&say, q, &problem, &f->cut, &account, "new vertices");
  }
  mpz_clear(problem.work);
}

static void apply_array(const bound_question *q, const bound_live *l, int array, bound_list *out)
{
  lines_shape s;
  lines_found best = { 0 };
  if (!l->whole[array] || !find_shape(q->g, array, &s))
    return;
  segment_cut_init(&best.cut);
  if (s.spaces == 2) {
    try_plane(q, &s, &best);
    try_inside(q, &s, &best);
  } else {
    try_line(q, &s, LINES_ONE, &best);
  }
  if (s.spaces == 1 && s.below && s.above)
    try_line(q, &s, LINES_BOTH, &best);
  if (mpz_sgn(best.cut.events) > 0)
    add_record(q, l, &s, &best, out);
  segment_cut_clear(&best.cut);
}

status bound_apply_lines(const bound_question *q, bound_list *out, diag *d)
{
  bound_live l;
  (void)d;
  if (q->g->graph || q->m > INT64_MAX / 8)
    return OK;
  bound_live_find(q->g, &l);
  for (int a = 0; a < q->g->arrays; a++)
    apply_array(q, &l, a, out);
  bound_live_clear(&l);
  return OK;
}
