/* The stencil bound, re-derived (docs/theory.md, section 9).  {"statement", "time", "way": "both", "one", "plane" or
   "inside", "counted": "loads" or "moves" (unless nothing is computed twice: lines-one-shot), "room", "levels"} and a
   cut.

   Work: vertices of the first `levels` levels after the inputs'; on a line those with `room` columns beside them on
   either side, or on the side that is read; in the plane all, or those inside, with `room` columns on all four sides.
   X words allow w of them when both    4 w <= (X - 1)^2 one     2 w <= X (X - 1) plane   (w + X)^2 <= X^3 inside
   likewise, and w <= 2 X or 9 (w - 2 X)^2 <= X^3 When all moves are events, each column is left through a word that is
   red in a segment's end or stored in it.  With Y = X + M they allow, besides: both    12 w <= (Y + 1)^2 + 3 one     24
   w <= (2 Y + 1)^2 plane   27 w^2 <= 4 Y^3 inside  w <= 2 X or 36 (w - 2 X)^2 <= Y^3 and when nothing is computed twice
   (lines-one-shot) they allow, again besides: both    24 w <= (Y + 5)^2 inside  w <= Y or 126 (w - Y)^2 <= Y^3 When
   there are at least `room` levels, only X < room is spoken of, without computing twice Y < room; but inside, unless
   nothing is computed twice, X <= room^2 allows X^2 / (16 (room - 1)) more from X = room >= 2 on. */
#include "base/scoped.h"
#include "base/mem.h"
#include "base/num.h"
#include "bounds/check/cut.h"
#include "bounds/checker.h"
#include "bounds/check/reading/live.h"
#include "bounds/check/reading/read.h"
#include "bounds/check/reading/stencil.h"
#include <string.h>

typedef enum { BOTH, ONE, PLANE, INSIDE } way;
typedef enum { LOADS, MOVES, ONCE } counting;
typedef struct {
  int array, time;
  way way;
  counting counted;
  int64_t m;
  int64_t room, levels;
} stencil;

/* times w <= (factor y + add)^2 + more */
static bool square_can(const mpz_t work, unsigned long times, const mpz_t y, long factor, long add, long more)
{
  mpz_t left, right, rest;
  mpz_inits(left, right, NULL);
  mpz_init_set_si(rest, more);
  mpz_mul_ui(left, work, times);
  mpz_set_si(right, add);
  mpz_addmul_ui(right, y, (unsigned long)factor);
  mpz_mul(right, right, right);
  mpz_add(right, right, rest);
  bool yes = mpz_cmp(left, right) <= 0;
  mpz_clears(left, right, rest, NULL);
  return yes;
}

/* by (w + times x)^2 <= factor y^3, or what is squared is below 0. */
static bool cube_can(const mpz_t work, const mpz_t x, long times, unsigned long by, unsigned long factor, const mpz_t y)
{
  SCOPED_MPZ left, right;
  mpz_inits(left, right, NULL);
  mpz_mul_si(left, x, times);
  mpz_add(left, left, work);
  if (mpz_sgn(left) == -1)
    mpz_set_ui(left, 0);
  mpz_mul(left, left, left);
  mpz_mul_ui(left, left, by);
  mpz_pow_ui(right, y, 3);
  mpz_mul_ui(right, right, factor);
  return mpz_cmp(left, right) <= 0;
}

/* 2 w <= X (X - 1) is 8 w <= (2 X - 1)^2 - 1. */
static bool reach_can(const stencil *s, const mpz_t work, const mpz_t x)
{
  if (s->way == BOTH)
    return square_can(work, 4, x, 1, -1, 0);
  if (s->way == ONE)
    return square_can(work, 8, x, 2, -1, -1);
  return cube_can(work, x, 1, 1, 1, x) && (s->way == PLANE || cube_can(work, x, -2, 9, 1, x));
}

static bool once_can(const stencil *s, const mpz_t work, const mpz_t y)
{
  return s->way == BOTH ? square_can(work, 24, y, 1, 5, 0) : cube_can(work, y, -1, 126, 1, y);
}

static bool left_can(const stencil *s, const mpz_t work, const mpz_t x, const mpz_t y)
{
  if (s->way == BOTH)
    return square_can(work, 12, y, 1, 1, 3);
  if (s->way == ONE)
    return square_can(work, 24, y, 2, 1, 0);
  return s->way == PLANE ? cube_can(work, x, 0, 27, 4, y) : cube_can(work, x, -2, 36, 1, y);
}

/* Takes from the work what columns too tall for their lines may have; false: who knows how much. */
static bool less_tall(const stencil *s, const mpz_t x, mpz_t work)
{
  mpz_t most;
  if (s->way != INSIDE || s->counted == ONCE || s->room < 2)
    return false;
  mpz_init_set_si(most, s->room);
  mpz_mul(most, most, most);
  bool known = mpz_cmp(x, most) <= 0;
  mpz_mul(most, x, x);
  mpz_fdiv_q_ui(most, most, 16);
  mpz_fdiv_q_ui(most, most, (unsigned long)s->room - 1);
  mpz_sub(work, work, most);
  mpz_clear(most);
  return known;
}

static bool can(const void *context, const mpz_t work, const mpz_t x)
{
  const stencil *s = context;
  SCOPED_MPZ y, w;
  mpz_init_set(w, work);
  mpz_init_set_si(y, s->m);
  mpz_add(y, y, x);
  bool fit = s->levels < s->room || mpz_cmp_si(s->counted == ONCE ? y : x, s->room) < 0;
  bool unknown = !fit && !less_tall(s, x, w);
  return unknown || (reach_can(s, w, x) && (s->counted == LOADS || left_can(s, w, x, y)) &&
                     (s->counted != ONCE || once_can(s, w, y)));
}

/* ---- what the computation has ---- */

static bool moves_are_there(const cdag *g, const stencil *s, const checker_stencil *read)
{
  bool good = read->straight;
  for (int r = 0; r < g->array[s->array].rank; r++)
    if (r != s->time)
      good = good && read->aside[r][0] + read->aside[r][1] >= (s->way == ONE ? 1 : 2);
  return good;
}

/* ---- the certificate ---- */

static bool read_way(const char *name, way *w)
{
  static const char *const known[] = { [BOTH] = "both", [ONE] = "one", [PLANE] = "plane", [INSIDE] = "inside" };
  for (int i = BOTH; i <= INSIDE; i++)
    if (strcmp(name, known[i]) == 0) {
      *w = (way)i;
      return true;
    }
  return false;
}

static bool read_counted(const bound_claim *c, stencil *s)
{
  const char *said = json_get_string(c->parameters, "counted");
  s->counted = strcmp(c->theorem, "lines-one-shot") == 0 ? ONCE : said && strcmp(said, "moves") == 0 ? MOVES : LOADS;
  return s->counted != LOADS || (said && strcmp(said, "loads") == 0);
}

static bool in_plane(const stencil *s) { return s->way == PLANE || s->way == INSIDE; }

static bool read_claim(const bound_claim *c, stencil *s, text *reason)
{
  const char *name = json_get_string(c->parameters, "statement"), *kind = json_get_string(c->parameters, "way");
  int64_t time;
  s->array = name && !c->g->graph ? cdag_find_array(c->g, name) : -1;
  if (s->array < 0)
    return bound_refuse(reason, "the statement is no array of the computation");
  if (!kind || !read_way(kind, &s->way))
    return bound_refuse(reason, "'way' is none of both, one, plane and inside");
  s->m = c->m;
  if (!read_counted(c, s) || (s->counted == ONCE && s->way != BOTH && s->way != INSIDE))
    return bound_refuse(reason, "what is counted is neither loads nor moves, or, with nothing computed twice, not with "
                                "neighbours on all sides");
  if (!json_get_int(c->parameters, "time", &time) || time < 0 || time >= c->g->array[s->array].rank ||
      c->g->array[s->array].rank != (in_plane(s) ? 3 : 2))
    return bound_refuse(reason, "the array has not one index of time and those of space");
  s->time = (int)time;
  return (json_get_int(c->parameters, "room", &s->room) && s->room >= 1 &&
          json_get_int(c->parameters, "levels", &s->levels) && s->levels >= 1) ||
         bound_refuse(reason, "'room' and 'levels' must be positive");
}

static bool read_shape(const cdag *g, const stencil *s, text *reason)
{
  checker_stencil read;
  if (!form_whole_box(g, s->array))
    return bound_refuse(reason, "the array is no box");
  checker_stencil_read(g, s->array, s->time, &read);
  if (!moves_are_there(g, s, &read))
    return bound_refuse(reason, "points do not read the neighbours that the lines go through");
  bool *live = checker_live(g);
  bool whole = live[s->array];
  mem_free(live);
  if (!whole)
    return bound_refuse(reason, "not every point is seen to matter");
  if (s->counted != LOADS && !checker_last_stored(g, s->array, s->time))
    return bound_refuse(reason, "the last level is not seen to be outputs");
  return read.given ||
         bound_refuse(reason, "the first level is neither inputs nor reads inputs of its own");
}

/* Columns, or rows, that have `room` others on so many sides. */
static int64_t inner(const stencil *s, int64_t width)
{
  int sides = s->way == PLANE ? 0 : s->way == ONE ? 1 : 2;
  return num_max(0, width - sides * num_min(s->room, width));
}

/* Columns that are counted: room may leave none, and then there is no work. */
static bool columns_of(const cdag *g, const stencil *s, int64_t *columns, text *reason)
{
  const cdag_box *hull = &g->array[s->array].hull;
  int64_t least = INT64_MAX;
  *columns = 1;
  if (s->levels > hull->hi[s->time] - hull->lo[s->time] - 1)
    return bound_refuse(reason, "there are not so many levels");
  for (int r = 0; r < g->array[s->array].rank; r++) {
    int64_t width = hull->hi[r] - hull->lo[r];
    if (r == s->time)
      continue;
    *columns *= inner(s, width);
    least = num_min(least, width);
  }
  return s->way != PLANE || s->room <= least / 2 + 1 || bound_refuse(reason, "there is not so much room in the plane");
}

static bool account_holds(const bound_claim *c, const stencil *s, int64_t columns, const checker_cut *k, text *reason)
{
  uint64_t work = (uint64_t)(columns * s->levels); /* no more than the array has */
  return checker_equal(c->parameters, "work", work, reason) && checker_equal(c->parameters, "births", 0, reason) &&
         checker_at_most(c->parameters, "stores", s->counted == LOADS ? checker_outputs(c->g) : 0, reason) &&
         checker_cut_holds(k, c->m, can, s, reason);
}

static bool check_lines(const bound_claim *c, mpz_t value, text *reason)
{
  stencil s = { 0 };
  int64_t columns;
  checker_cut k;
  if (!read_claim(c, &s, reason) || !read_shape(c->g, &s, reason) || !columns_of(c->g, &s, &columns, reason))
    return false;
  checker_cut_init(&k);
  bool good = checker_cut_read(&k, c->parameters, reason) && account_holds(c, &s, columns, &k, reason);
  checker_cut_value(&k, value);
  checker_cut_clear(&k);
  return good;
}

BOUND_CHECKER(lines) = { "lines", BOUND_ANY, check_lines };
BOUND_CHECKER(lines_one_shot) = { "lines-one-shot", BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING, check_lines };
