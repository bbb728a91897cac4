/* How many elements a segment computes, and so how many moves a stencil costs (docs/theory-affine.md, section 6). */
#include "base/num.h"
#include "base/scoped.h"
#include "bounds/check/affine/stencil.h"

static int64_t narrowest(const stencil_claim *c)
{
  int64_t w = INT64_MAX;
  for (int a = 0; a < c->axes; a++)
    w = num_min(w, c->hi[a] - c->lo[a] + 1);
  return w;
}

static int64_t steps_down(const stencil_claim *c)
{
  int64_t mu = 1;
  for (int a = 0; a < c->axes; a++)
    mu = num_max(mu, c->drop[a][0] + c->drop[a][1]);
  return mu;
}

/* Columns within rho steps: of a corner, or of a place inside: sum of 2^q binomial(d, q) binomial(rho, q). */
static void ball_of(unsigned long d, unsigned long rho, bool inside, mpz_t ball)
{
  SCOPED_MPZ b, c;
  mpz_inits(b, c, NULL);
  if (!inside)
    mpz_bin_uiui(ball, rho + d, d);
  else
    mpz_set_ui(ball, 0);
  for (unsigned long q = 0; inside && q <= d; q++) {
    mpz_bin_uiui(b, d, q);
    mpz_bin_uiui(c, rho, q);
    mpz_mul(b, b, c);
    mpz_mul_2exp(b, b, q);
    mpz_add(ball, ball, b);
  }
}

/* Nothing computed twice: a column as long as there is room would have more columns around it than there are lines. */
static bool is_wide(const stencil_claim *c, const mpz_t lines)
{
  SCOPED_MPZ ball;
  mpz_init(ball);
  ball_of((unsigned long)c->axes, (unsigned long)((c->room ? c->room : narrowest(c) - 1) / steps_down(c)), c->room > 0,
          ball);
  return mpz_cmp(ball, lines) > 0;
}

/* floor of (num / den x^power)^(1/d) */
static void root_of(unsigned long num, unsigned long den, const mpz_t x, unsigned long power, unsigned long d,
                    mpz_t root)
{
  SCOPED_MPZ t;
  mpz_init(t);
  mpz_pow_ui(t, x, power);
  mpz_mul_ui(t, t, num);
  mpz_fdiv_q_ui(t, t, den);
  mpz_root(root, t, d);
}

static unsigned long power_of(unsigned long base, unsigned long n)
{
  unsigned long p = 1;
  while (n-- > 0)
    p *= base;
  return p;
}

/* Are both neighbours along every axis a level down? */
bool stencil_drops_twice(const stencil_claim *c)
{
  bool twice = true;
  for (int a = 0; a < c->axes; a++)
    twice = twice && c->drop[a][0] == 1 && c->drop[a][1] == 1;
  return twice;
}

/* Are both neighbours along every axis a level down, and do lines that go aside at every step have room beside what
   counts? */
static bool is_star(const stencil_claim *c, const mpz_t x)
{
  return c->once && c->stride == 1 && c->room > 0 && stencil_drops_twice(c) &&
         (stencil_levels_above(c) < c->room || mpz_cmp_si(x, c->room) < 0);
}

/* On a line (X + 5)^2 / 24; else, Z = X + 2 (X / 2)^((d-1)/d),
   d/(d+1) (Z / 4)^((d+1)/d) (1 - 2^-(d+1))^(-1/d) + (d + 1) X / 2. */
static void most_of_star(unsigned long d, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ z;
  mpz_init(z);
  if (d == 1) {
    mpz_add_ui(z, x, 5);
    mpz_mul(most, z, z);
    mpz_fdiv_q_ui(most, most, 24);
  } else {
    unsigned long two = power_of(2, d + 1);
    root_of(1, two / 4, x, d - 1, d, z);
    mpz_add_ui(z, z, 1);
    mpz_mul_2exp(z, z, 1);
    mpz_add(z, z, x);
    root_of(power_of(d, d), power_of(d + 1, d) * two * (two - 1), z, d + 1, d, most);
    mpz_mul_ui(z, x, d + 1);
    mpz_cdiv_q_2exp(z, z, 1);
    mpz_add(most, most, z);
    mpz_add_ui(most, most, 1);
  }
}

/* (x - r)^power / den, rounded up, 0 when x < r; x at most root + 1. */
static void add_beyond(const mpz_t root, int64_t r, unsigned long power, unsigned long den, mpz_t most)
{
  SCOPED_MPZ y;
  mpz_init(y);
  mpz_add_ui(y, root, 1);
  mpz_sub_ui(y, y, (unsigned long)r);
  if (mpz_sgn(y) > 0) {
    mpz_pow_ui(y, y, power);
    mpz_cdiv_q_ui(y, y, den);
    mpz_add(most, most, y);
  }
}

/* Columns higher than the room, nothing computed twice: on a line K^2 / 4 + (K / 2 - r)^2, in the plane
   (K^(3/2) + (sqrt K - r)^3) / 3. */
static void most_of_tall_once(unsigned long d, int64_t r, const mpz_t lines, mpz_t most)
{
  SCOPED_MPZ root;
  mpz_init(root);
  if (d == 1)
    mpz_fdiv_q_2exp(root, lines, 1);
  else
    mpz_sqrt(root, lines);
  root_of(1, d == 1 ? 4 : 9, lines, d + 1, d, most);
  mpz_add_ui(most, most, 1);
  add_beyond(root, r, d + 1, d == 1 ? 1 : 3, most);
}

/* With recomputation on a line: the larger of (X - r)^2 / 6 and X^2 / 12 + (X - 2r)^2 / 16. */
static void most_of_tall_line(int64_t r, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ other;
  mpz_init(other);
  mpz_pow_ui(most, x, 2);
  mpz_cdiv_q_ui(most, most, 12);
  add_beyond(x, 2 * r, 2, 16, most);
  add_beyond(x, r, 2, 6, other);
  if (mpz_cmp(other, most) > 0)
    mpz_set(most, other);
}

/* f of columns = y^2, y real, f = y X - r y^2 - 4/3 y^3, at most what its tangent at y0 = floor of the best y has at
   y0 + 1; and X^(3/2) / 6 + y^3 / 3, y^2 + r y = X / 2. */
static void most_of_tall_plane(int64_t r, const mpz_t x, mpz_t most)
{
  SCOPED_MPZ y, t, other;
  mpz_inits(y, t, other, NULL);
  mpz_set_si(y, r);
  mpz_mul_si(y, y, r);
  mpz_addmul_ui(y, x, 4);
  mpz_sqrt(y, y);
  mpz_sub_ui(y, y, (unsigned long)r);
  mpz_fdiv_q_2exp(y, y, 2); /* no more than the best */
  for (int slope = 0; slope < 2; slope++) { /* f, then its slope */
    mpz_pow_ui(t, y, 2);
    mpz_mul_si(t, t, slope ? -4 : -r);
    mpz_addmul(t, x, slope ? (mpz_set_ui(other, 1), other) : y);
    mpz_pow_ui(other, y, slope ? 1 : 3);
    mpz_mul_ui(other, other, slope ? 2 * (unsigned long)r : 4);
    if (!slope)
      mpz_fdiv_q_ui(other, other, 3);
    mpz_sub(t, t, other);
    mpz_add(most, most, t);
  }
  mpz_set_si(y, r);
  mpz_mul_si(y, y, r);
  mpz_addmul_ui(y, x, 2);
  mpz_sqrt(y, y); /* (y - r) / 2, and no more than half above */
  root_of(1, 36, x, 3, 2, other);
  mpz_add_ui(other, other, 1);
  add_beyond(y, r, 3, 24, other);
  if (mpz_cmp(other, most) > 0)
    mpz_set(most, other);
}

/* ---- sections ---- */

/* In cubes of k columns a side, sets of s columns have as many beside them as in a corner: for the neighbours along
   axes s <= binomial(k - 2 + d, d), for all of them, in the plane, 2 sqrt(s) <= k - s / k. */
static bool cubes_fit(const stencil_claim *c, int64_t s)
{
  int64_t k = c->cube;
  for (int a = 0; a < c->axes; a++)
    if (k < 2 || (c->hi[a] - c->lo[a] + 1) % k != 0)
      return false;
  if (c->corners && c->axes == 2) {
    __int128 rest = (__int128)k * k - s;
    return rest > 0 && rest * rest >= (__int128)4 * s * k * k;
  }
  SCOPED_MPZ ball;
  mpz_init(ball);
  mpz_bin_uiui(ball, (unsigned long)(k - 2 + c->axes), (unsigned long)c->axes);
  return mpz_cmp_si(ball, s) >= 0;
}

/* b: what a set of columns has beside it is d (2^e s^(d-1) / b)^(1/d) at least, e = d away from walls, 0 in cubes. */
static unsigned long besides(const stencil_claim *c)
{
  unsigned long b = 1;
  for (int i = 2; i <= c->axes && !c->corners; i++)
    b *= (unsigned long)i;
  return b;
}

/* A^d <= d^d X^(d+1) / (c^d (d+1)^d (2 (d+1) + constants)), c what a set of columns and those between have beside them:
   c^d = 4, 56, 9.3^3. */
static void most_of_fields(const stencil_claim *c, const mpz_t x, mpz_t most)
{
  static const unsigned long beside[STENCIL_FIELD_AXES + 1] = { 0, 4000, 56000, 804357 };
  unsigned long d = (unsigned long)c->axes;
  root_of(1000 * power_of(d, d), beside[d] * power_of(d + 1, d) * (2 * (d + 1) + (unsigned long)c->constants), x, d + 1,
          d, most);
}

/* A^d <= 2 b X^(d+1) / (2^e r^d (d+1)^d g (2 + constants)), g = 2^(d+2) - 2 where both neighbours along an axis are a
   level down, else 2^(d+1), and d + 2 for ends of sums; r: how far neighbours are read, 1 in cubes. */
static void most_of_words(const stencil_claim *c, bool walls, const mpz_t x, mpz_t most)
{
  unsigned long d = (unsigned long)c->axes, two = power_of(2, d + 1);
  if (c->fields && !walls) {
    most_of_fields(c, x, most);
    return;
  }
  unsigned long g = c->reading == READ_ENDS ? d + 2 : stencil_drops_twice(c) ? 2 * two - 2 : two;
  root_of(2 * besides(c),
          power_of(d + 1, d) * g *
              (walls ? 1 : power_of(2 * (unsigned long)c->reach, d)) * (unsigned long)(2 + c->constants),
          x, d + 1, d, most);
}

void stencil_sections(const stencil_claim *c, int64_t m, mpz_t most)
{
  SCOPED_MPZ x;
  mpz_init_set_si(x, 2 * m + c->length);
  most_of_words(c, !c->open, x, most);
}

/* In cubes: A, and what leads out besides.  A + X/2 elements or more need i words that lead in, i^(d+1) >= (d+1)^d
   (A + X/2)^d / b, and X - i lead out at most. */
static void most_in_cubes(const stencil_claim *c, const mpz_t x, mpz_t most)
{
  unsigned long d = (unsigned long)c->axes;
  SCOPED_MPZ out, half;
  mpz_inits(out, half, NULL);
  most_of_words(c, true, x, most);
  mpz_fdiv_q_2exp(half, x, 1);
  mpz_add(out, most, half);
  root_of(power_of(d + 1, d), besides(c), out, d, d + 1, out);
  mpz_sub(out, x, out);
  mpz_add(most, most, mpz_cmp(out, half) < 0 ? half : out);
}

/* Places beyond the walls that an element of a level reads, all together, and elements that read some. */
static void at_walls(const stencil_claim *c, mpz_t beyond, mpz_t beside)
{
  int64_t r = c->reach, wide = 2 * r + 1;
  SCOPED_MPZ all, within, inner;
  mpz_init_set_si(all, 1);
  mpz_init_set_si(within, 1);
  mpz_init_set_si(inner, 1);
  mpz_set_ui(beyond, 0);
  for (int a = 0; a < c->axes; a++) {
    int64_t w = c->hi[a] - c->lo[a] + 1;
    mpz_mul_si(beyond, beyond, w); /* along axes: 1 + 2 + ... + r for each end of a row */
    mpz_addmul_ui(beyond, all, (unsigned long)(r * (r + 1)));
    mpz_mul_si(all, all, w);
    mpz_mul_si(within, within, wide * w - r * (r + 1));
    mpz_mul_si(inner, inner, num_max(w - 2 * r, 0));
  }
  mpz_sub(beside, all, inner);
  if (c->corners) {
    mpz_mul_ui(beyond, all, power_of((unsigned long)wide, (unsigned long)c->axes));
    mpz_sub(beyond, beyond, within);
  }
}

void stencil_at_walls(const stencil_claim *c, int64_t m, mpz_t least, mpz_t more, mpz_t per)
{
  unsigned long d = (unsigned long)c->axes;
  stencil_claim cubes = *c;
  SCOPED_MPZ x, cap, t;
  mpz_inits(cap, t, NULL);
  mpz_init_set_si(x, 2 * m + c->length);
  cubes.corners = c->corners && d == 2;
  mpz_fdiv_q_2exp(t, x, 1);
  if (c->reading == READ_ENDS) /* lines alone say how much there can be at walls */
    root_of(1, 1, t, d + 1, d, cap);
  else
    most_of_words(&cubes, true, x, cap);
  most_of_words(c, false, x, least);
  mpz_add_ui(least, least, 1);
  mpz_pow_ui(per, cap, d); /* so many words more that A is as much as cubes allow */
  mpz_pow_ui(t, x, d + 1);
  mpz_mul(per, per, t);
  mpz_pow_ui(t, least, d);
  mpz_fdiv_q(per, per, t);
  mpz_root(per, per, d + 1);
  mpz_sub(per, per, x);
  if (mpz_sgn(per) <= 0)
    mpz_set_ui(per, 1);
  mpz_add(t, x, per);
  most_of_words(c, false, t, more);
  mpz_add_ui(more, more, 1);
  mpz_sub(more, mpz_cmp(cap, more) > 0 ? cap : more, least);
  if (mpz_sgn(more) < 0)
    mpz_set_ui(more, 0);
}

void stencil_wall_words(const stencil_claim *c, mpz_t moved)
{
  SCOPED_MPZ beside;
  mpz_init(beside);
  at_walls(c, moved, beside);
  mpz_add(moved, moved, beside);
  mpz_mul_si(moved, moved, stencil_levels_above(c));
}

void stencil_wall_worth(const stencil_claim *c, int64_t m, mpz_t worth)
{
  SCOPED_MPZ least, more, per, beyond, beside;
  mpz_inits(least, more, per, beyond, beside, NULL);
  stencil_at_walls(c, m, least, more, per);
  stencil_wall_words(c, worth);
  mpz_mul(worth, worth, more);
  mpz_cdiv_q(worth, worth, per);
  at_walls(c, beyond, beside);
  mpz_addmul_ui(worth, beside, (unsigned long)stencil_levels_above(c));
}

/* X = 2M + T words, K = floor(X / 2) lines.  Everywhere: once V^d <= K^(d+1), else V^d (d+1)^(d+1) <= d^d X^(d+1).
   Inside: once V <= d/(2(d+1)) K^((d+1)/d) + (d+1) K, else V <= d/(2(d+1)) (d+2)^(-1/d) X^((d+1)/d) + d (M + T); where
   columns may be higher than the room, more (most_of_tall). */
static void most_of(const stencil_claim *c, int64_t m, const mpz_t x, mpz_t most, bool *star)
{
  unsigned long d = (unsigned long)c->axes, dd = power_of(d, d);
  *star = false;
  if (c->sections) {
    SCOPED_MPZ more, per;
    mpz_inits(more, per, NULL);
    if (!c->open) {
      most_in_cubes(c, x, most);
      return;
    }
    stencil_at_walls(c, m, most, more, per);
    mpz_cdiv_q_2exp(more, x, c->reading != READ_ENDS);
    mpz_add(most, most, more);
    return;
  }
  SCOPED_MPZ lines;
  mpz_init(lines);
  mpz_fdiv_q_2exp(lines, x, 1);
  mpz_set_ui(most, 0);
  if (!c->room && c->once)
    root_of(1, 1, lines, d + 1, d, most);
  else if (!c->room)
    root_of(dd, power_of(d + 1, d + 1), x, d + 1, d, most);
  else {
    if (c->tall && c->once)
      most_of_tall_once(d, c->room, lines, most);
    else if (c->tall && d == 1)
      most_of_tall_line(c->room, x, most);
    else if (c->tall)
      most_of_tall_plane(c->room, x, most);
    else
      root_of(dd, power_of(2 * (d + 1), d) * (c->once ? 1 : d + 2), c->once ? lines : x, d + 1, d, most);
    mpz_add_ui(most, most, 1);
    if (!c->once)
      mpz_sub_ui(lines, x, (unsigned long)m);
    mpz_addmul_ui(most, lines, c->once ? d + 1 : d);
  }
  *star = is_star(c, x);
  if (*star) {
    most_of_star(d, x, lines);
    *star = mpz_cmp(lines, most) < 0;
    if (*star)
      mpz_set(most, lines);
  }
}

/* A column's elements and the one under them: no more than there are lines, or so many that the columns around it, all
   of which have elements when nothing is computed twice, are no more than there are. */
static int64_t highest(const stencil_claim *c, int64_t lines)
{
  int64_t levels = stencil_levels_above(c), most = lines < narrowest(c) ? num_min(levels + 1, lines) : levels + 1;
  int64_t lo = 0, hi = c->once ? narrowest(c) : 0;
  SCOPED_MPZ ball, corner;
  mpz_inits(ball, corner, NULL);
  while (lo < hi) { /* the least number of steps with more columns around than lines */
    int64_t mid = lo + (hi - lo) / 2;
    ball_of((unsigned long)c->axes, (unsigned long)num_min(mid, c->room), true, ball);
    ball_of((unsigned long)c->axes, (unsigned long)mid, false, corner);
    if (mpz_cmp_si(ball, lines) > 0 || mpz_cmp_si(corner, lines) > 0)
      hi = mid;
    else
      lo = mid + 1;
  }
  return c->once && lo < narrowest(c) ? num_min(most, steps_down(c) * lo + 1) : most;
}

/* Columns of this height with too few free columns among them, in a row of w: so many at least, each with as many lines
   in the other direction. */
static bool is_crowded(const stencil_claim *c, int64_t w, int64_t height, int64_t lines)
{
  int64_t columns = num_max(w - 3 * height + 6, num_min(height, w - height) - c->room + 2);
  return columns <= lines / height;
}

/* Up to this height, has no row so many columns higher than the room, for want of lines?  What they need is least at
   the ends of three stretches of heights. */
static bool has_gaps(const stencil_claim *c, int64_t height, int64_t lines)
{
  int64_t room = c->room;
  bool good = height <= narrowest(c);
  if (height <= room + 1)
    return good;
  for (int a = 0; a < c->axes && good; a++) {
    int64_t w = c->hi[a] - c->lo[a] + 1, meet = (w + room + 4) / 4;
    const int64_t ends[] = { room + 2, meet, meet + 1, w / 2, w / 2 + 1, height };
    good = c->axes > 1 || lines <= w - height + 1;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && c->axes > 1; i++)
      good = good && (ends[i] < room + 2 || ends[i] > height || !is_crowded(c, w, ends[i], lines));
  }
  return good;
}

/* Where columns may be higher than the room: all levels, or as many as leave gaps. */
static int64_t levels_of_tall(const stencil_claim *c, int64_t lines)
{
  int64_t levels = stencil_levels_above(c), lo = 0, hi = num_min(levels, narrowest(c) - 1);
  if (has_gaps(c, highest(c, lines), lines))
    return levels;
  while (lo < hi && !c->once) {
    int64_t mid = lo + (hi - lo + 1) / 2;
    if (has_gaps(c, mid + 1, lines))
      lo = mid;
    else
      hi = mid - 1;
  }
  return c->once ? 0 : lo;
}

/* The levels that count, 0 when there is no room for them. */
static int64_t levels_of(const stencil_claim *c, int64_t m, const mpz_t lines)
{
  int64_t levels = stencil_levels_above(c), room = c->room ? c->room : narrowest(c), x = 2 * m + c->length;
  if (c->sections)
    return c->once && cubes_fit(c, x / 2) && (c->reading != READ_ENDS || is_wide(c, lines)) ? levels : 0;
  if (c->room && 2 * c->room >= narrowest(c))
    return 0;
  if (c->tall)
    return levels_of_tall(c, c->once ? mpz_get_si(lines) : m + c->length);
  if (levels < room || (c->once ? is_wide(c, lines) : m + c->length < room))
    return levels;
  return c->once ? 0 : num_max(0, room - 1);
}

static void counted(const stencil_claim *c, int64_t levels, mpz_t work)
{
  mpz_set_si(work, levels);
  for (int a = 0; a < c->axes; a++)
    mpz_mul_si(work, work, c->hi[a] - c->lo[a] + 1 - 2 * c->room);
}

/* Slabs of as many levels as count, so far apart that an element above the bottom of one has all columns of the one
   below it among its ancestors, up to its top: all that the one costs is over before the other begins. */
static int64_t slabs_of(const stencil_claim *c, int64_t levels)
{
  int64_t across = 0;
  for (int a = 0; a < c->axes; a++)
    across += c->hi[a] - c->lo[a] - 2 * c->room;
  return c->once ? 1 : 1 + (stencil_levels_above(c) - levels) / (levels + num_max(across - 1, 0));
}

/* Work in segments of T events: T (ceil(W / h) - 1) + 1 events in each slab.  Where levels follow, the last element of
   a column is an event as well. */
static void in_slabs(const stencil_claim *c, int64_t m, int64_t levels, const mpz_t most, const mpz_t less,
                     mpz_t value)
{
  mpz_t columns;
  int64_t slabs = slabs_of(c, levels);
  mpz_init(columns);
  counted(c, levels, value);
  if (c->open) {
    stencil_wall_worth(c, m, columns);
    mpz_sub(value, value, columns);
    mpz_sub(value, value, less);
  }
  mpz_cdiv_q(value, value, most);
  mpz_sub_ui(value, value, 1);
  mpz_mul_si(value, value, c->length);
  mpz_add_ui(value, value, 1);
  counted(c, 1, columns);
  if (mpz_cmp(value, columns) > 0) {
    mpz_sub(value, value, columns);
    mpz_mul_si(value, value, slabs);
    mpz_add(value, value, columns);
  }
  mpz_clear(columns);
}

int64_t stencil_slabs(const stencil_claim *c, int64_t m, int64_t *levels)
{
  SCOPED_MPZ lines;
  mpz_init_set_si(lines, (2 * m + c->length) / 2);
  *levels = levels_of(c, m, lines);
  return *levels > 0 ? slabs_of(c, *levels) : 0;
}

static bool most_by(const stencil_claim *c, int64_t m, mpz_t most)
{
  SCOPED_MPZ x;
  bool star;
  mpz_init_set_si(x, 2 * m + c->length);
  most_of(c, m, x, most, &star);
  return star;
}

bool stencil_star(const stencil_claim *c, int64_t m)
{
  SCOPED_MPZ most;
  mpz_init(most);
  return most_by(c, m, most);
}

void stencil_most(const stencil_claim *c, int64_t m, mpz_t most) { most_by(c, m, most); }

/* What the moves of the lines come to, for so many elements less. */
static void count_less(const stencil_claim *c, int64_t m, const mpz_t less, mpz_t value)
{
  mpz_t x, lines, most;
  mpz_init_set_si(x, m);
  mpz_inits(lines, most, NULL);
  mpz_mul_2exp(x, x, 1);
  mpz_add_ui(x, x, (unsigned long)c->length);
  mpz_fdiv_q_2exp(lines, x, 1);
  int64_t levels = levels_of(c, m, lines);
  mpz_set_ui(value, 0);
  if (levels > 0) {
    bool star;
    most_of(c, m, x, most, &star);
    if (mpz_sgn(most) > 0)
      in_slabs(c, m, levels, most, less, value);
  }
  mpz_clears(x, lines, most, NULL);
}

void stencil_count(const stencil_claim *c, int64_t m, mpz_t value)
{
  SCOPED_MPZ none;
  mpz_init(none);
  count_less(c, m, none, value);
}

void stencil_total(const stencil_claim *c, int64_t m, mpz_t beside[STENCIL_BESIDE], mpz_t value)
{
  SCOPED_MPZ half;
  mpz_init(half);
  mpz_cdiv_q_2exp(half, beside[2], 1); /* with open walls half of the outputs lead out besides */
  count_less(c, m, half, value);
  if (mpz_sgn(value) > 0)
    mpz_add(value, value, beside[c->once]);
}
