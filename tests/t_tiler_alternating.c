/* Levels made of sweeps there and back along two axes: the text is legal, each pass takes as many sweeps as go its way,
   and where lines do not fit blocks of them do. */
#include "schedules/tiler/sweeps/alternating.h"
#include "tests/support_found.h"
#include <stdio.h>
#include <string.h>

enum { STAGES = 5, EDGE = 2 };
typedef struct {
  int along, way, lo[2], hi[2]; /* along which axis, upwards (1) or downwards; from where to where it reads */
  bool turned, keeps;           /* indices the other way round; reads coefficients */
} sweep;

typedef struct {
  int levels, n[2], stages;
  bool guarded;                 /* how the first level reads the input */
  sweep stage[STAGES];
} alternation;

static alternation draw(support_random *r, int least, int most)
{
  alternation a = { .levels = (int)support_between(r, 2, 9), .stages = (int)support_between(r, 2, STAGES),
                    .guarded = support_between(r, 0, 1) };
  for (int q = 0; q < 2; q++)
    a.n[q] = (int)support_between(r, least, most);
  for (int k = 0; k < a.stages; k++) {
    sweep *s = &a.stage[k];
    s->along = (int)support_between(r, 0, 1);
    s->way = support_between(r, 0, 1) ? 1 : -1;
    s->turned = support_between(r, 0, 1);
    s->keeps = support_between(r, 0, 3) == 0;
    if (support_between(r, 0, 1))
      continue;
    int q = (int)support_between(r, 0, 1);
    s->lo[q] = (int)support_between(r, -EDGE, 0);
    s->hi[q] = (int)support_between(r, 0, EDGE);
  }
  return a;
}

/* The element of stage k, -1: the input, -2: coefficients, beside (x,y), in the order of its indices. */
static void put_element(text *t, const alternation *a, int k, const char *level, int x, int y)
{
  char at[2][16];
  snprintf(at[0], sizeof at[0], "x%+d", x);
  snprintf(at[1], sizeof at[1], "y%+d", y);
  bool turned = k >= 0 && a->stage[k].turned;
  if (k >= 0)
    text_printf(t, "S%d[%s,%s,%s]", k, level, at[turned], at[!turned]);
  else
    text_printf(t, k == -1 && !a->guarded ? "I[l,%s,%s]" : k == -1 ? "I[%s,%s]" : "C[%s,%s]", at[0], at[1]);
}

static void put_text(text *t, const alternation *a)
{
  text_printf(t, "param t = %d, a = %d, b = %d\ninput I[%s%d..a+%d, %d..b+%d]\ninput C[%d..a+%d, %d..b+%d]\n",
              a->levels, a->n[0] + EDGE, a->n[1] + EDGE, a->guarded ? "" : "1, ", 0, EDGE, 0, EDGE, EDGE, 0, EDGE, 0);
  for (int k = 0; k < a->stages; k++) {
    const sweep *s = &a->stage[k];
    int before = (k + a->stages - 1) % a->stages;
    text_printf(t, s->turned ? "S%d[l:t, y:%d..b, x:%d..a] = " : "S%d[l:t, x:%d..a, y:%d..b] = ", k, EDGE, EDGE);
    put_element(t, a, k, "l", s->along == 0 ? -s->way : 0, s->along == 1 ? -s->way : 0);
    for (int x = s->lo[0]; x <= s->hi[0]; x++)
      for (int y = s->lo[1]; y <= s->hi[1]; y++) {
        text_add(t, ", ");
        put_element(t, a, before, k ? "l" : "l-1", x, y);
        if (k == 0) {
          text_add(t, ", ");
          put_element(t, a, -1, "", x, y);
          text_add(t, a->guarded ? " if l == 0" : "");
        }
      }
    if (s->keeps) {
      text_add(t, ", ");
      put_element(t, a, -2, "", 0, 0);
    }
    text_char(t, '\n');
  }
  text_printf(t, "output S%d[t-1,*,*]\n", a->stages - 1);
}

static cdag *open_text(const text *source, int seed)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "alternation", text_str(source), "", &d) == OK, "seed %d: line %d: %s\n%s", seed, d.line,
                d.message, text_str(source));
  return g;
}

/* The fewest passes, none of which has sweeps both ways along the axis it walks along. */
static int passes_of(const alternation *a)
{
  int passes = 0, all = a->levels * a->stages;
  for (int at = 0; at < all; passes++) {
    int longest = 0;
    for (int axis = 0; axis < 2; axis++)
      for (int way = -1; way < 2; way += 2) {
        int n = 0;
        while (at + n < all && n < 2 * a->stages &&
               (a->stage[(at + n) % a->stages].along != axis || a->stage[(at + n) % a->stages].way == way))
          n++;
        longest = n > longest ? n : longest;
      }
    at += longest;
  }
  return passes;
}

static bool is_kept(const alternation *a)
{
  for (int k = 0; k < a->stages; k++)
    if (a->stage[k].keeps)
      return true;
  return false;
}

/* What is made for so many words, played by both engines with all there are. */
static pebble_verdict play(const cdag *g, double m, int seed, const char *source)
{
  pebble_rules rules = { .m = 1 << 20, .one_shot = true };
  pebble_verdict v = { .legal = false }, other;
  tiler_shape s;
  text made = { 0 }, why = { 0 };
  tiler_shape_init(&s, g, false);
  if (tiler_alternating(&s, m, &made)) {
    ck_assert_msg(support_plays(g, &rules, text_str(&made), PEBBLE_BY_ELEMENT, &v, &why), "seed %d, M = %.0f: %s\n%s%s",
                  seed, m, text_str(&why), source, text_str(&made));
    ck_assert(support_plays(g, &rules, text_str(&made), PEBBLE_BY_TILE, &other, &why));
    ck_assert(v.loads == other.loads && v.stores == other.stores && v.peak == other.peak);
    ck_assert_msg((double)v.peak <= 1.1 * m, "seed %d, M = %.0f: peak %d\n%s%s", seed, m, (int)v.peak, source,
                  text_str(&made));
  }
  text_clear(&made);
  text_clear(&why);
  tiler_shape_clear(&s);
  return v;
}

START_TEST(passes)
{
  enum { ALL = 100000 };
  support_random r = { (uint64_t)_i };
  alternation a = draw(&r, 3, 12);
  text source = { 0 };
  put_text(&source, &a);
  cdag *g = open_text(&source, _i);
  pebble_verdict v = play(g, ALL, _i, text_str(&source));
  int64_t cells = (int64_t)a.n[0] * a.n[1], outputs = cells * passes_of(&a);
  ck_assert_msg(v.legal && (int64_t)v.stores == outputs, "seed %d: %d stores, not %d\n%s", _i, (int)v.stores,
                (int)outputs, text_str(&source));
  if (!is_kept(&a)) {
    cdag_counts count;
    diag d = { 0 };
    ck_assert_int_eq(cdag_count(g, &count, &d), OK);
    ck_assert_msg((int64_t)v.loads <= outputs - cells + (int64_t)(a.n[0] + 2 * EDGE) * (a.n[1] + 2 * EDGE),
                  "seed %d: %d loads\n%s", _i, (int)v.loads, text_str(&source));
  }
  for (int k = 0; k < 4; k++) {
    pebble_verdict less = play(g, (double)support_between(&r, 10, 120), _i, text_str(&source));
    ck_assert(!less.legal || less.stores >= v.stores);
  }
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* ADI: three of four sweeps with four lines, two of four with two of them or less; found by the search. */
#define ADI                                                                                                            \
  "param t = 12, n = 40\ninput U[i:1..n-1, j:1..n-1, z:1]\nq[s:t, i:1..n-1, j:1..n-1] = q[s,i,j-1], u[s-1,j,i-1], "  \
  "u[s-1,j,i], u[s-1,j,i+1], U[j,i-1,s], U[j,i,s], U[j,i+1,s]\nv[s:t, j:1..n-1, i:1..n-1] = v[s,j+1,i], q[s,i,j]\n"  \
  "r[s:t, i:1..n-1, j:1..n-1] = r[s,i,j-1], v[s,i-1,j], v[s,i,j], v[s,i+1,j]\nu[s:t, i:1..n-1, j:1..n-1] = "         \
  "u[s,i,j+1], r[s,i,j]\noutput u[t-1,*,*]\n"
enum { N = 38, PLANE = N * N };
static const struct { uint64_t m; num_count io; } known[] = {
  { 4 * N + 20, 16 * 2 * PLANE },
  /* 25 passes in blocks, at whose ends a line goes out and comes in: of 19, then of 8 */
  { 2 * N, 25 * 2 * PLANE + 24 * 2 * N },
  { N, 25 * 2 * PLANE + 24 * 4 * 2 * N },
};

START_TEST(found)
{
  diag d = { 0 };
  cdag *g;
  pebble_rules rules = { .m = known[_i].m, .one_shot = true };
  schedule_find_options options = { .no_library = true };
  schedule_found f;
  ck_assert_int_eq(cdag_parse(&g, "adi", ADI, "", &d), OK);
  ck_assert_int_eq(schedule_find(g, &rules, &options, &f, &d), OK);
  support_check_found(g, &rules, &f, ADI);
  num_count io = num_plus(f.loads, f.stores);
  ck_assert_msg(io <= known[_i].io && (double)io >= .95 * (double)known[_i].io, "M = %d: %s words, not %s\n%s",
                (int)known[_i].m, num_digits(io).s, num_digits(known[_i].io).s, text_str(&f.source));
  schedule_found_clear(&f);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("alternating");
  TCase *t = support_case(s, "alternating");
  tcase_add_loop_test(t, passes, 0, support_rounds(200));
  tcase_add_loop_test(t, found, 0, (int)(sizeof known / sizeof *known));
  return support_run(s);
}
