/* The stencil bound: its lemma against sets of words chosen at random and then made better step by step, its triangles,
   descriptions that have the shape and that have not, certificates, and plays that it must not exceed. */
#include "bounds/geometry/lines.h"
#include "schedules/schedule.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdlib.h>
#include <string.h>

/* ---- what k words have within reach, by marking ---- */

enum { WIDE = 32, LEVELS = 8 };
typedef struct {
  lines_count count;
  int width, height, levels;   /* height 1: a line */
  int k, word[24];             /* vertices of levels 0 .. levels, numbered level by level */
} field;

static int place(const field *f, int level, int x, int y) { return (level * f->height + y) * f->width + x; }

static bool neighbour(const field *f, const bool *in, int level, int x, int y)
{
  return x < 0 || x >= f->width || y < 0 || y >= f->height || in[place(f, level, x, y)];
}

/* Every path from level 0 to the vertex meets the words. */
static bool reached(const field *f, const bool *in, int level, int x, int y)
{
  bool good = in[place(f, level - 1, x, y)] && neighbour(f, in, level - 1, x - 1, y);
  if (f->count.way != LINES_ONE)
    good = good && neighbour(f, in, level - 1, x + 1, y);
  if (f->count.way >= LINES_PLANE)
    good = good && neighbour(f, in, level - 1, x, y - 1) && neighbour(f, in, level - 1, x, y + 1);
  return good;
}

static bool is_counted(const field *f, int level, int x, int y)
{
  if (level > f->count.levels || f->count.way == LINES_PLANE)
    return level <= f->count.levels;
  if (f->count.way == LINES_INSIDE && (y < f->count.room || y >= f->height - f->count.room))
    return false;
  return x >= f->count.room && (f->count.way == LINES_ONE || x < f->width - f->count.room);
}

/* Counted vertices that are new; in each column also those that are words and can be computed once more. */
static int new_vertices(const field *f, int *column)
{
  bool in[WIDE * WIDE * (LEVELS + 1)] = { 0 };
  int found = 0;
  memset(column, 0, WIDE * WIDE * sizeof *column);
  for (int i = 0; i < f->k; i++)
    in[f->word[i]] = true;
  for (int level = 1; level <= f->levels; level++)
    for (int y = 0; y < f->height; y++)
      for (int x = 0; x < f->width; x++)
        if (reached(f, in, level, x, y)) {
          column[y * f->width + x] += is_counted(f, level, x, y);
          found += !in[place(f, level, x, y)] && is_counted(f, level, x, y);
          in[place(f, level, x, y)] = true;
        }
  return found;
}

static long allowed(const field *f)
{
  mpz_t x, most;
  mpz_init_set_si(x, f->k);
  mpz_init(most);
  bound_lines_most(f->count.way, x, most);
  long v = mpz_get_si(most);
  mpz_clears(x, most, NULL);
  return v;
}

static int descending(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

/* The fullest columns, however many, have no more than what is left to so few. */
static void few_columns_hold_less(const field *f, int *column, int seed)
{
  mpz_t x, both, most;
  mpz_inits(x, both, most, NULL);
  mpz_set_si(x, f->k);
  int columns = f->width * f->height;
  qsort(column, (size_t)columns, sizeof *column, descending);
  for (int c = 0, sum = 0; c < columns && column[c] > 0; c++) {
    sum += column[c];
    mpz_set_si(both, f->k + c + 1);
    bound_lines_left(f->count.way, x, both, most);
    ck_assert_msg(mpz_cmp_si(most, sum) >= 0, "seed %d: %d words of way %s reach %d in %d columns, at most %ld", seed,
                  f->k, bound_lines_way(f->count.way), sum, c + 1, mpz_get_si(most));
  }
  mpz_clears(x, both, most, NULL);
}

/* As many words as the room allows, or more than it and few levels. */
static void make_field(field *f, support_random *r, lines_way way)
{
  bool few_levels = support_between(r, 0, 1);
  *f = (field){ .count = { .way = way }, .height = 1 };
  f->k = (int)support_between(r, 1, way >= LINES_PLANE ? 9 : 7);
  f->levels = (int)support_between(r, 1, LEVELS);
  f->count.room = few_levels ? f->levels + 1 : f->k + 1;
  f->count.levels = f->levels;
  f->width = way == LINES_PLANE ? 2 * (int)f->count.room - (int)support_between(r, 1, 2)
                                : (way == LINES_ONE ? 1 : 2) * (int)f->count.room + (int)support_between(r, 1, 14);
  f->width = f->width < WIDE ? f->width : WIDE;
  if (way >= LINES_PLANE)
    f->height = f->width;
  ck_assert(bound_lines_speaks(&f->count, f->k));
}

/* Words in a small window, so that they work together. */
static int some_word(const field *f, support_random *r)
{
  int x = f->width / 2 + (int)support_between(r, -4, 4), y = f->height / 2 + (int)support_between(r, -2, 2);
  x = x < 0 ? 0 : x >= f->width ? f->width - 1 : x;
  y = y < 0 ? 0 : y >= f->height ? f->height - 1 : y;
  return place(f, (int)support_between(r, 0, f->levels < 3 ? f->levels : 3), x, y);
}

START_TEST(no_words_reach_more)
{
  support_random r = { (uint64_t)_i };
  field f;
  make_field(&f, &r, (lines_way)(_i % 4));
  for (int i = 0; i < f.k; i++)
    f.word[i] = some_word(&f, &r);
  int column[WIDE * WIDE], best = new_vertices(&f, column);
  for (int step = 0; step < 400; step++) {
    int i = (int)support_between(&r, 0, f.k - 1), old = f.word[i];
    f.word[i] = some_word(&f, &r);
    int now = new_vertices(&f, column);
    ck_assert_msg(now <= allowed(&f), "seed %d: %d words of way %s reach %d, at most %ld", _i, f.k,
                  bound_lines_way(f.count.way), now, allowed(&f));
    if (now < best) {
      f.word[i] = old;
      continue;
    }
    best = now;
    few_columns_hold_less(&f, column, _i);
  }
}
END_TEST

/* A row of k words has a triangle above it: exactly as many as the lemma allows, so it cannot be improved. */
START_TEST(triangles_are_the_most)
{
  for (int way = LINES_BOTH; way <= LINES_ONE; way++) {
    field f = {
      .count = { .way = (lines_way)way, .room = _i + 1, .levels = LEVELS }, .height = 1, .levels = LEVELS, .k = _i
    };
    f.width = 3 * (_i + 1) < WIDE ? 3 * (_i + 1) : WIDE;
    f.count.room = (f.width - _i) / 2;
    for (int i = 0; i < _i; i++)
      f.word[i] = place(&f, 0, (int)f.count.room - (way == LINES_ONE ? 1 : 0) + i, 0);
    int column[WIDE * WIDE];
    ck_assert_int_eq(new_vertices(&f, column), allowed(&f) - (way == LINES_BOTH && _i > 2 * LEVELS));
  }
}
END_TEST

/* ---- heights in the plane ---- */

enum { SQUARE = 60 };
typedef struct {
  int side, n[SQUARE][SQUARE];
} heights; /* vertices in each column, the one under the lowest among them */

/* The most lines that enter a plane: its fullest column alone, or two and what is between them. */
static int lines_into(const heights *h, int at, bool along_x)
{
  int most = 0;
  for (int i = 0; i < h->side; i++) {
    int first = along_x ? h->n[i][at] : h->n[at][i], between = 0;
    most = first > most ? first : most;
    for (int j = i + 1; j < h->side && first; j++) {
      int second = along_x ? h->n[j][at] : h->n[at][j];
      if (second && first + second + between > most)
        most = first + second + between;
      between += second > 0;
    }
  }
  return most;
}

/* How many words they need at least (three: paths enter a point from its own column and two beside it), and how many
 * may be new then. */
static long allowed_heights(const heights *h)
{
  int lines[2] = { 3, 0 };
  for (int at = 0; at < h->side; at++)
    for (int d = 0; d < 2; d++)
      lines[d] += lines_into(h, at, d);
  return allowed(&(field){ .count = { .way = LINES_INSIDE }, .k = lines[0] > lines[1] ? lines[0] : lines[1] });
}

static long new_of(const heights *h)
{
  long sum = 0;
  for (int i = 0; i < h->side; i++)
    for (int j = 0; j < h->side; j++)
      sum += h->n[i][j] > 0 ? h->n[i][j] - 1 : 0;
  return sum;
}

START_TEST(no_heights_are_more)
{
  support_random r = { (uint64_t)_i };
  heights h = { .side = (int)support_between(&r, 1, 12) };
  for (int step = 0; step < 200; step++) {
    int i = (int)support_between(&r, 0, h.side - 1), j = (int)support_between(&r, 0, h.side - 1), old = h.n[i][j];
    long before = allowed_heights(&h) - new_of(&h);
    h.n[i][j] = (int)support_between(&r, 0, 3 * h.side);
    long after = allowed_heights(&h) - new_of(&h);
    ck_assert_msg(after >= 0, "seed %d: %ld allowed, %ld new", _i, allowed_heights(&h), new_of(&h));
    if (after > before)
      h.n[i][j] = old;
  }
}
END_TEST

/* A roof over a square, its planes all with as many lines: within a third of what is allowed. */
START_TEST(roofs_are_nearly_the_most)
{
  heights h = { .side = SQUARE };
  for (int i = 0; i < SQUARE; i++)
    for (int j = 0; j < SQUARE; j++) {
      int x = abs(2 * i + 1 - SQUARE) / 2, y = abs(2 * j + 1 - SQUARE) / 2;
      h.n[i][j] = SQUARE + 1 - (x > y ? x : y);
    }
  ck_assert_int_le(new_of(&h), allowed_heights(&h));
  ck_assert_int_gt(3 * new_of(&h), 2 * allowed_heights(&h) * 9 / 10);
}
END_TEST

/* ---- descriptions ---- */

#define LINE "input A[s:t+1, i:w] = "
#define THREE "A[s-1,i-1], A[s-1,i], A[s-1,i+1]"
#define OWN "input A[s:t+1, i:w] = " THREE ", "
#define PLANE "input A[s:t+1, i:w, j:w] = "
#define FIVE "A[s-1,i-1,j], A[s-1,i,j-1], A[s-1,i,j], A[s-1,i,j+1], A[s-1,i+1,j]"
#define ENDS "\noutput A[t,*]\n"
#define L "w=500,t=200", 16
#define P "w=80,t=60", 16
/* way: as the bound is found.  hold: of the claims made of the descriptions marked b, o, p and m, those that hold of
 * it. */
static const struct { const char *text, *assign; uint64_t m; const char *way, *hold;
} shape[] = {
  { LINE THREE ENDS, L, "both", "bo" },                  /* b */
  { LINE "A[s-1,i-1], A[s-1,i]" ENDS, L, "one", "o" },   /* o */
  { PLANE FIVE "\noutput A[t,*,*]\n", P, "plane", "p" }, /* p */
  { "input A[i:w, s:t+1, j:w] = A[i-1,s-1,j], A[i,s-1,j-1], A[i,s-1,j], A[i,s-1,j+1], A[i+1,s-1,j]\noutput A[*,t,*]\n",
    P, "plane", "m" }, /* m */
  { LINE "A[s-1,i+1], A[s-1,i]" ENDS, L, "one", "o" },
  { LINE "A[s-1,i-2], A[s-1,i-1], A[s-1,i], A[s-1,i+1], A[s-1,i+2]" ENDS, L, "both", "bo" },
  { LINE THREE ", A[s-2,i]" ENDS, L, "both", "bo" },
  { "input X[w]\nA[s:t+1, i:w] = " THREE ", X[i]" ENDS, L, "both", "bo" },
  { "input X[w,t+1]\nA[i:w, s:t+1] = A[i-1,s-1], A[i,s-1], A[i+1,s-1], X[i,s]\noutput A[*,t]\n", L, "both", "" },
  { LINE THREE "\noutput B[i:w] = A[t,i]\n", L, "both", "" }, /* not itself stored: it may be left in no word */
  { "input A[s:40, i:w, j:t] = " FIVE "\noutput A[39,*,*]\n", P, "plane", "" },
  { "input A[s:40, i:t, j:w] = " FIVE "\noutput A[39,*,*]\n", P, "plane", "" },
  { PLANE FIVE "\noutput A[t,*,*]\n", "w=400,t=30", 300, "inside", "" },
  { PLANE FIVE "\noutput A[t,*,*]\n", "w=400,t=400", 300, "inside", "" }, /* less room than words, or levels */
  { LINE THREE ENDS, "w=500,t=5", 16, "both", "" },
  { PLANE FIVE "\noutput A[t,*,*]\n", "w=80,t=9", 16, "plane", "" },
  /* neighbours further off, at other times, or of one place only, are no neighbours */
  { LINE "A[s-1,i-1], A[s-1,i+1]" ENDS, L, NULL, "" },
  { LINE "A[s-1,i], A[s-1,i+2]" ENDS, L, NULL, "" },
  { LINE "A[s-1,i], A[s-1,i-2]" ENDS, L, NULL, "" },
  { LINE "A[s-1,i], A[s-2,i-1], A[s-2,i+1]" ENDS, L, NULL, "" },
  { LINE "A[s-1,i], A[s-1,0]" ENDS, L, NULL, "" },
  { LINE "A[s-1,i-1], A[s-1,0]" ENDS, L, NULL, "" },
  { "input X[t+1,w]\ninput A[s:t+1, i:w] = A[s-1,i], X[s-1,i-1], X[s-1,i+1]" ENDS, L, NULL, "" },
  { "input A[s:t+1, i:w] = A[s-1,i-1], A[s-1,i]\ninput B[s:t+1, i:w] = B[s-1,i]\noutput A[t,*], B[t,*]\n", L, "one",
    "o" },
  /* in the plane each of the four, and a diagonal is none of them */
  { PLANE "A[s-1,i,j-1], A[s-1,i,j], A[s-1,i,j+1], A[s-1,i+1,j], A[s-1,i-1,j-1]\noutput A[t,*,*]\n", P, NULL, "" },
  { PLANE "A[s-1,i-1,j], A[s-1,i,j], A[s-1,i,j+1], A[s-1,i+1,j], A[s-1,i-1,j-1]\noutput A[t,*,*]\n", P, NULL, "" },
  { PLANE "A[s-1,i-1,j], A[s-1,i,j-1], A[s-1,i,j], A[s-1,i,j+1], A[s-1,i+1,j-1]\noutput A[t,*,*]\n", P, NULL, "" },
  { PLANE "A[s-1,i-1,j], A[s-1,i,j-1], A[s-1,i,j], A[s-1,i+1,j], A[s-1,i+1,j+1]\noutput A[t,*,*]\n", P, NULL, "" },
  { PLANE "A[s-1,i-1,j], A[s-1,i,j-1], A[s-1,i,j+1], A[s-1,i+1,j]\noutput A[t,*,*]\n", P, NULL, "" },
  { "input A[i:w, s:t+1, j:w] = A[i-1,s-1,j], A[i-1,s-1,j-1], A[i,s-1,j], A[i,s-1,j+1], A[i+1,s-1,j]\noutput "
    "A[*,t,*]\n",
    P, NULL, "" },
  /* not every point matters; there is no time; no box */
  { LINE THREE "\noutput A[t,0..w-1]\n", L, NULL, "" },
  { LINE THREE ", A[s,i-1]" ENDS, L, NULL, "" },
  { "input A[s:t+1, i:s..w] = " THREE ENDS, L, NULL, "" },
  { "input X[w]\noutput A[s:t+1, i:t-s..w] = " THREE ", X[i]\n", L, NULL, "" },
  { LINE THREE "\noutput A[t,0..w-1]\ninput Y[1]\noutput Z[i:1] = Y[i]\n", L, NULL, "" },
  { "input A[t+1,w]" ENDS, L, NULL, "" },
  /* the first level is made from one word, one word per level, no word for the last column; another computed array;
     words from which two columns may begin; from any of several words */
  { "input X[1]\nA[s:t+1, i:w] = " THREE ", X[0]" ENDS, L, NULL, "" },
  { "input X[t+1]\nA[s:t+1, i:w] = " THREE ", X[s]" ENDS, L, NULL, "" },
  { "input X[w]\n" OWN "X[i+1]" ENDS, L, NULL, "" },
  { "input X[w]\nB[i:w] = X[i]\nA[s:t+1, i:w] = " THREE ", B[i]" ENDS, L, NULL, "" },
  { "input X[2*w]\nA[s:t+1, i:w] = " THREE ", X[i+s]" ENDS, L, NULL, "" },
  { "input X[w]\nA[s:t+1, i:w] = " THREE ", X[i..w]" ENDS, L, NULL, "" },
  { "input X[w]\nA[s:t+1, i:w] = " THREE ", X[max(i,1)]" ENDS, L, NULL, "" },
  /* an input at the first level alone; of every second place; of the shorter of the ways */
  { "input X[1,w]\nA[s:t+1, i:w] = " THREE ", X[s,i]" ENDS, L, "both", "bo" },
  { "input X[2*w]\nA[s:t+1, i:w] = " THREE ", X[2*i]" ENDS, L, "both", "bo" },
};

static cdag *open_shape(size_t i)
{
  text source = { 0 };
  text_printf(&source, "param w t\n%s", shape[i].text);
  cdag *g = bound_text_open(text_str(&source), shape[i].assign);
  text_clear(&source);
  return g;
}

START_TEST(shapes)
{
  static const char *const number[] = { "\"room\": ", "\"levels\": ",     "\"work\": ", "\"stores\": ",
                                        "\"time\": ", "\"most_first\": ", "\"most\": " };
  diag d = { 0 };
  bound_list list = { 0 };
  int best;
  cdag *g = open_shape((size_t)_i);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = shape[_i].m, .want_proof = true, .theorem = "lines" };
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  const bound *b = bound_named(&list, "lines");
  ck_assert_msg(!b == !shape[_i].way, "%s: %s", shape[_i].text, b ? "a bound" : "no bound");
  if (b) {
    char way[32];
    snprintf(way, sizeof way, "\"way\": \"%s\"", shape[_i].way);
    ck_assert_msg(strstr(text_str(&b->parameters), way), "%s: %s", shape[_i].text, text_str(&b->parameters));
    bound_certificate_stands(&q, b, shape[_i].text, number, COUNT(number));
  }
  const bound *once = bound_named(&list, "lines-one-shot");
  ck_assert_msg(!once == (!b || strcmp(shape[_i].way, "one") == 0 || strstr(shape[_i].text, "output B")),
                "%s: %s in the one-shot game", shape[_i].text, once ? "a bound" : "no bound");
  if (once) {
    ck_assert_int_eq(once->models, BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING);
    bound_certificate_stands(&q, once, shape[_i].text, number, COUNT(number));
  }
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

/* Claims about the right numbers of the wrong computation. */
START_TEST(other_computations_are_refused)
{
  cdag *g = open_shape((size_t)_i);
  text claim = bound_claim_of("lines", g, 16);
  for (size_t i = 0; i < COUNT(shape); i++) {
    cdag *other = open_shape(i);
    bool holds = strchr(shape[i].hold, "bopm"[_i]);
    ck_assert_msg(bound_claim_holds("lines", other, 16, text_str(&claim)) == holds, "%s, where '%s' hold, and %s",
                  shape[i].text, shape[i].hold, text_str(&claim));
    cdag_free(other);
  }
  text_clear(&claim);
  cdag_free(g);
}
END_TEST

/* Claims that are none, each wrong in one more member than the one before is. */
#define BOTH "{\"statement\": \"A\", \"way\": \"both\", \"counted\": \"loads\", \"time\": "
#define ONE_CUT(room, levels, work, births, stores, first, most, events)                                               \
  ", \"room\": " room ", \"levels\": " levels ", \"work\": " work ", \"births\": " births ", \"stores\": " stores      \
  ", \"segments\": 1, \"first\": " first ", \"length\": 0, \"most_first\": " most ", \"most\": 0, \"events\": " events \
  "}"
#define NINE(room, levels, work, births, stores) BOTH "0" ONE_CUT(room, levels, work, births, stores, "9", "16", "10")
START_TEST(wrong_claims)
{
  static const char time[] = "index of time", positive[] = "must be positive", all[] = "could do all the work";
  static const struct { const char *claim, *why; } wrong[] = {
    { "{}", "no array" },
    { "{\"statement\": \"B\"}", "no array" },
    { "{\"statement\": \"A\"}", "none of both" },
    { "{\"statement\": \"A\", \"way\": \"across\"}", "none of both" },
    { "{\"statement\": \"A\", \"way\": \"both\", \"counted\": \"stores\"}", "neither loads nor moves" },
    { "{\"statement\": \"A\", \"way\": \"both\"}", "neither loads nor moves" },
    { "{\"statement\": \"A\", \"way\": \"both\", \"counted\": \"loads\"}", time },
    { "{\"statement\": \"A\", \"way\": \"one\", \"counted\": \"moves\"}", time },
    { BOTH "-1}", time },
    { BOTH "2}", time },
    { "{\"statement\": \"A\", \"way\": \"plane\", \"counted\": \"loads\", \"time\": 0}", time },
    { BOTH "0}", positive },
    { BOTH "0, \"levels\": 9}", positive },
    { BOTH "0, \"room\": 9}", positive },
    { BOTH "0, \"room\": 0, \"levels\": 9}", positive },
    { BOTH "0, \"room\": 9, \"levels\": 0}", positive },
    { BOTH "1, \"room\": 9, \"levels\": 9}", "do not read the neighbours" },
    { BOTH "0, \"room\": 9, \"levels\": 201}", "so many levels" },
    { BOTH "0, \"room\": 9, \"levels\": 200}", "'work'" },
    { NINE("250", "200", "0", "0", "500"), all },
    { NINE("251", "200", "0", "0", "500"), all },
    { NINE("9223372036854775807", "200", "0", "0", "500"), all },
    { NINE("10", "200", "96000", "1", "500"), "'births'" },
    { NINE("10", "200", "96001", "0", "500"), "'work'" },
    { NINE("10", "200", "96000", "0", "501"), "'stores'" },
    /* nine words are more than the room of nine columns speaks of, when there are as many levels */
    { NINE("9", "200", "96400", "0", "500"), "more is possible" },
    { NINE("9", "9", "4338", "0", "500"), "more is possible" },
  };
  cdag *g = open_shape(0);
  for (size_t i = 0; i < COUNT(wrong); i++)
    bound_claim_refused("lines", g, 16, wrong[i].claim, wrong[i].why);
  /* with one column more, or fewer levels than columns, it speaks of them; and where there is no room, of none */
  ck_assert(bound_claim_holds("lines", g, 16, NINE("10", "200", "96000", "0", "500")));
  ck_assert(bound_claim_holds("lines", g, 16, NINE("9", "8", "3856", "0", "500")));
  ck_assert(bound_claim_holds("lines", g, 16, BOTH "0" ONE_CUT("1", "1", "498", "0", "500", "0", "0", "1")));
  cdag_free(g);
  diag d = { 0 };
  ck_assert_int_eq(cdag_open(&g, "fft:l=2", &d), OK);
  bound_claim_refused("lines", g, 16, "{\"statement\": \"v\"}", "no array");
  cdag_free(g);
}
END_TEST

/* When loads are counted a column's end need not be stored itself; all else is asked for. */
START_TEST(other_computations_of_loads)
{
  for (size_t i = 0; i < COUNT(shape); i++) {
    cdag *g = open_shape(i);
    bool holds = strchr(shape[i].hold, 'b') || strstr(shape[i].text, "output B[i:w]");
    ck_assert_msg(bound_claim_holds("lines", g, 16, NINE("10", "200", "96000", "0", "500")) == holds, "%s",
                  shape[i].text);
    cdag_free(g);
  }
}
END_TEST

/* Stores are moves themselves, and a column is left through its output; nothing computed twice, neighbours are on both
 * sides. */
START_TEST(wrong_claims_of_moves)
{
#define MOVES(way, stores, first, most, events)                                                                        \
  "{\"statement\": \"A\", \"way\": \"" way                                                                             \
  "\", \"counted\": \"moves\", \"time\": 0" ONE_CUT("201", "200", "19600", "0", stores, first, most, events)
  cdag *g = open_shape(0), *plane = open_shape(2), *other = open_shape(9);
#define MOVES_IN(way, room, levels, work, most)                                                                        \
  "{\"statement\": \"A\", \"way\": \"" way                                                                             \
  "\", \"counted\": \"moves\", \"time\": 0" ONE_CUT(room, levels, work, "0", "0", "59", most, "60")
#define MOVES_IN_PLANE(most) MOVES_IN("plane", "41", "40", "256000", most)
#define MOVES_INSIDE_ONCE(most) MOVES_IN("inside", "20", "19", "30400", most)
  ck_assert(bound_claim_holds("lines", plane, 16, MOVES_IN_PLANE("250"))); /* 27 * 250^2 = 4 * 75^3 */
  bound_claim_refused("lines", plane, 16, MOVES_IN_PLANE("251"), "too much");
#define MOVES_INSIDE(most)                                                                                             \
  "{\"statement\": \"A\", \"way\": \"inside\", \"counted\": \"moves\", \"time\": 0" ONE_CUT("30", "29", "11600", "0",  \
                                                                                            "0", "59", most, "60")
  ck_assert(
      bound_claim_holds("lines", plane, 16, MOVES_INSIDE("226"))); /* 36 * 108^2 < 75^3 < 36 * 109^2, and 2 * 59 more */
  bound_claim_refused("lines", plane, 16, MOVES_INSIDE("227"), "too much");
  ck_assert(bound_claim_holds("lines", g, 16, MOVES("both", "0", "9", "16", "10")));
  ck_assert(bound_claim_holds("lines", g, 16, MOVES("both", "0", "31", "192", "32"))); /* 48^2 + 3 = 12 * 192 + 3 */
  bound_claim_refused("lines", g, 16, MOVES("both", "0", "31", "193", "32"), "too much");
  bound_claim_refused("lines", g, 16, MOVES("both", "1", "31", "192", "32"), "'stores'");
  bound_claim_refused("lines", other, 16, MOVES("both", "0", "31", "192", "32"), "last level");
  ck_assert(
      bound_claim_holds("lines-one-shot", g, 16, MOVES("both", "0", "31", "112", "32"))); /* 52^2 = 24 * 112 + 16 */
  bound_claim_refused("lines-one-shot", g, 16, MOVES("both", "0", "31", "113", "32"), "too much");
  bound_claim_refused("lines-one-shot", g, 16, MOVES("both", "0", "31", "111", "32"), "more is possible");
  bound_claim_refused("lines-one-shot", g, 16, MOVES("both", "1", "31", "112", "32"), "'stores'");
  bound_claim_refused("lines-one-shot", other, 16, MOVES("both", "0", "31", "112", "32"), "last level");
  bound_claim_refused("lines-one-shot", g, 16, MOVES("one", "0", "31", "112", "32"),
                      "not with neighbours on all sides");
  bound_claim_refused("lines-one-shot", plane, 16, MOVES_IN_PLANE("250"), "not with neighbours on all sides");
  ck_assert(bound_claim_holds("lines-one-shot", plane, 16,
                              MOVES_INSIDE_ONCE("132"))); /* 126 (132 - 75)^2 <= 75^3 < 126 (133 - 75)^2 */
  bound_claim_refused("lines-one-shot", plane, 16, MOVES_INSIDE_ONCE("131"), "more is possible");
  bound_claim_refused("lines-one-shot", plane, 16, MOVES_INSIDE_ONCE("133"), "too much");
  cdag_free(g);
  cdag_free(plane);
  cdag_free(other);
}
END_TEST

/* From as many words as there is room on, columns may be too tall for their lines, and up to its square it is known how
 * much more they have. */
START_TEST(tall_columns)
{
#define TALL(counted, room, work, stores, first, most, events)                                                         \
  "{\"statement\": \"A\", \"way\": \"inside\", \"counted\": \"" counted                                                \
  "\", \"time\": 0" ONE_CUT(room, "60", work, "0", stores, first, most, events)
#define TALL_LOADS(first, most, events) TALL("loads", "6", "277440", "6400", first, most, events) /* 68 x 68 x 60 */
#define TALL_MOVES(first, most, events) TALL("moves", "6", "277440", "0", first, most, events)
  cdag *plane = open_shape(2);
  ck_assert(bound_claim_holds("lines", plane, 16, TALL_LOADS("36", "160", "37"))); /* 36^(3/2)/3 + 2 36, and 36^2/80 */
  bound_claim_refused("lines", plane, 16, TALL_LOADS("36", "159", "37"), "more is possible");
  bound_claim_refused("lines", plane, 16, TALL_LOADS("37", "500", "38"), "more is possible");
  ck_assert(bound_claim_holds("lines", plane, 16, TALL_LOADS("6", "8", "7"))); /* 6^(3/2) - 6 is 8.7, and 36/80 */
  ck_assert(
      bound_claim_holds("lines", plane, 16, TALL_LOADS("12", "30", "13"))); /* 12^(3/2) - 12 is 29.6, and 144/80 */
  bound_claim_refused("lines", plane, 16, TALL_LOADS("12", "29", "13"), "more is possible");
  ck_assert(bound_claim_holds("lines", plane, 16, TALL_MOVES("36", "150", "37"))); /* 52^(3/2)/6 + 2 36, and 36^2/80 */
  bound_claim_refused("lines", plane, 16, TALL_MOVES("36", "149", "37"), "more is possible");
  bound_claim_refused("lines", plane, 16, TALL("loads", "1", "365040", "6400", "1", "9", "2"), "more is possible");
  bound_claim_refused("lines-one-shot", plane, 16, TALL_MOVES("36", "500", "37"), "more is possible");
  cdag_free(plane);
}
END_TEST

/* Half the shorter side is the room in the plane. */
START_TEST(room_in_the_plane)
{
  static const char *const of[] = { "input A[s:40, i:80, j:60]", "input A[s:40, i:60, j:80]" };
  for (size_t i = 0; i < COUNT(of); i++) {
    text source = { 0 };
    text_printf(&source, "%s = " FIVE "\noutput A[39,*,*]\n", of[i]);
    cdag *g = bound_text_open(text_str(&source), "");
#define ROOM(room)                                                                                                     \
  "{\"statement\": \"A\", \"way\": \"plane\", \"counted\": \"loads\", \"time\": 0" ONE_CUT(room, "39", "187200", "0",  \
                                                                                           "4800", "4", "4", "5")
    ck_assert(bound_claim_holds("lines", g, 16, ROOM("31")));
    bound_claim_refused("lines", g, 16, ROOM("32"), "so much room in the plane");
#define INSIDE(room, work)                                                                                             \
  "{\"statement\": \"A\", \"way\": \"inside\", \"counted\": \"loads\", \"time\": 0" ONE_CUT(room, "39", work, "0",     \
                                                                                            "4800", "4", "4", "5")
    ck_assert(bound_claim_holds("lines", g, 16, INSIDE("20", "31200"))); /* 40 x 20 x 39 */
    bound_claim_refused("lines", g, 16, INSIDE("20", "187200"), "work");
    bound_claim_refused("lines", g, 16, INSIDE("30", "0"), "");
    text_clear(&source);
    cdag_free(g);
  }
}
END_TEST

/* ---- below every play ---- */

START_TEST(no_more_than_a_play)
{
  support_random r = { (uint64_t)_i };
  cdag *g = NULL;
  schedule *s = NULL;
  diag d = { 0 };
  schedule_tuning t = { 0 };
  bound_list list = { 0 };
  int best;
  char spec[80];
  bool plane = _i % 2;
  if (plane)
    snprintf(spec, sizeof spec, "stencil2d:w=%d,t=%d,h=%d", (int)support_between(&r, 5, _i % 4 == 1 ? 40 : 200),
             (int)support_between(&r, 1, 40), (int)support_between(&r, 5, 40));
  else
    snprintf(spec, sizeof spec, "stencil:w=%d,t=%d", (int)support_between(&r, 20, 400),
             (int)support_between(&r, 1, 300));
  bound_question q = { .work = SEARCH_WORK, .g = NULL,
                       .m = (uint64_t)support_between(&r, plane ? 16 : 4, plane ? 200 : 30) };
  pebble_rules rules = { .m = q.m };
  ck_assert_int_eq(cdag_open(&g, spec, &d), OK);
  q.g = g;
  ck_assert_int_eq(schedule_open(&s, g, q.m, plane ? "strips" : "skewed", &d), OK);
  ck_assert_int_eq(schedule_tune(s, &rules, &t, &d), OK);
  ck_assert_int_eq(bound_all(&q, &list, &best, &d), OK);
  for (size_t i = 0; i < list.n; i++)
    ck_assert_msg(list.item[i].trust > BOUND_CERTIFIED || mpz_cmp_ui(list.item[i].value, t.io) <= 0,
                  "%s, M = %d: %s exceeds the play's %ld", spec, (int)q.m, list.item[i].name, (long)t.io);
  schedule_tuning_clear(&t);
  schedule_free(s);
  bound_list_clear(&list);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("bound_lines");
  TCase *claims = support_case(s, "claims"), *lemma = support_case(s, "lemma"), *plays = support_case(s, "plays");
  tcase_add_test(claims, wrong_claims);
  tcase_add_test(claims, other_computations_of_loads);
  tcase_add_test(claims, wrong_claims_of_moves);
  tcase_add_test(claims, tall_columns);
  tcase_add_test(claims, room_in_the_plane);
  tcase_add_loop_test(claims, other_computations_are_refused, 0, 4);
  tcase_add_loop_test(claims, shapes, 0, COUNT(shape));
  tcase_add_loop_test(lemma, no_heights_are_more, 0, support_rounds(20));
  tcase_add_test(lemma, roofs_are_nearly_the_most);
  tcase_add_loop_test(lemma, no_words_reach_more, 0, support_rounds(600));
  tcase_add_loop_test(lemma, triangles_are_the_most, 1, 9);
  tcase_add_loop_test(plays, no_more_than_a_play, 0, support_rounds(24));
  return support_run(s);
}
