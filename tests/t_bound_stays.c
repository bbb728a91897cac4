/* What Theorem 17 says of the stays of one row, against the least that a search finds: gates in any order, each a step
   of one continued and one read word, whose stays are as long as they have to be, with pauses where that is less. */
#include "base/mem.h"
#include "bounds/check/gates/gates.h"
#include "tests/support.h"
#include <string.h>

enum { GATES = 30, WORDS = 11, CHANGES = 4000, SCALE = 1000 };

/* How a gate's partner was since the gate before of the same: red; not red all the time; in one pause with it. */
typedef enum { RED, AWAY, PAUSED } since;
typedef struct {
  int gates, words;
  struct { int x, y; bool late; since since; } at[GATES];
} row;

static const row none = { 0 };

static bool has_twice(const row *r)
{
  bool there[WORDS][WORDS] = { { false } };
  for (int t = 0; t < r->gates; t++) {
    if (there[r->at[t].x][r->at[t].y])
      return true;
    there[r->at[t].x][r->at[t].y] = true;
  }
  return false;
}

/* The stays of word y that belong to steps, and how often it is red at a gate.  Stretches first..last of pauses make
 * the x that wait there longer, if these have no other gate there: else -1. */
static int read_word(const row *r, int y, int first[], int last[], int64_t *red)
{
  int stays = 0, before = -1;
  bool used = false;
  for (int t = 0; t < r->gates; t++) {
    if (r->at[t].y != y)
      continue;
    bool away = before >= 0 && r->at[t].since == AWAY;
    if (before >= 0 && !away)
      *red += t - before - 1;
    if (!r->at[t].late) {
      stays += away && used;
      ++*red;
      used = true;
      before = t;
      continue;
    }
    stays += used;
    used = true;
    int end = t;
    for (int u = t + 1; u < r->gates; u++)
      if (r->at[u].y == y) {
        if (!r->at[u].late || r->at[u].since != PAUSED)
          break;
        end = u;
      }
    for (int u = t; u <= end; u++)
      if (r->at[u].y == y) {
        int x = r->at[u].x;
        for (int v = t; v <= end; v++)
          if (v != u && r->at[v].x == x)
            return -1;
        first[x] = first[x] < t ? first[x] : t;
        last[x] = last[x] > end ? last[x] : end;
      }
    before = t = end;
  }
  return stays + used;
}

/* Four times the scale, times the loads and the price of red words, less what the steps are worth; huge when there is
 * no such row. */
static int64_t left(const row *r, const gate_stays *p, int64_t continued)
{
  int first[WORDS], last[WORDS], reads = 0, stays = 0;
  int64_t red = 0;
  if (has_twice(r))
    return INT64_MAX / 2;
  for (int x = 0; x < WORDS; x++) {
    first[x] = GATES;
    last[x] = -1;
  }
  for (int t = 0; t < r->gates; t++) {
    int x = r->at[t].x;
    first[x] = first[x] < t ? first[x] : t;
    last[x] = t;
  }
  for (int y = 0; y < WORDS; y++) {
    int n = read_word(r, y, first, last, &red);
    if (n < 0)
      return INT64_MAX / 2;
    reads += n;
  }
  for (int x = 0; x < WORDS; x++) {
    stays += last[x] >= 0;
    red += last[x] >= 0 ? last[x] - first[x] + 1 : 0;
  }
  return 4 * p->scale * reads + continued * stays + 4 * p->word * red - 4 * p->step * r->gates;
}

static void change(support_random *s, row *r)
{
  int t = (int)support_between(s, 0, r->gates - 1), u = (int)support_between(s, 0, r->gates - 1);
  row old = *r;
  switch (support_between(s, 0, 5)) {
  case 0:
    r->at[t].x = (int)support_between(s, 0, r->words - 1);
    break;
  case 1:
    r->at[t].y = (int)support_between(s, 0, r->words - 1);
    break;
  case 2:
    r->at[t].late = !r->at[t].late;
    break;
  case 3:
    r->at[t].since = (since)support_between(s, RED, PAUSED);
    break;
  case 4:
    r->at[t] = old.at[u];
    r->at[u] = old.at[t];
    break;
  default: /* t moves to u */
    for (int k = t; k != u; k += t < u ? 1 : -1)
      r->at[k] = old.at[k + (t < u ? 1 : -1)];
    r->at[u] = old.at[t];
  }
}

/* The least that is left, by changes that are kept when they are not much worse, ever less so. */
static int64_t search(support_random *s, const gate_stays *p)
{
  row r = none;
  r.gates = (int)support_between(s, 3, GATES);
  r.words = (int)support_between(s, 1, WORDS);
  while (r.words * r.words < r.gates + 2)
    r.words++;
  for (int t = 0; t < r.gates; t++) {
    r.at[t].x = t % r.words;
    r.at[t].y = t / r.words;
  }
  int64_t continued = 0;
  for (int64_t w = 0; w < 200; w++) {
    int64_t stay = 2 * p->step * w - p->word * (w * w + 2 * w);
    continued = stay > continued ? stay : continued;
  }
  int64_t now = left(&r, p, continued), least = now;
  for (int n = 0; n < CHANGES; n++) {
    row next = r;
    change(s, &next);
    int64_t then = left(&next, p, continued);
    if (then - now <= support_between(s, 0, 4 * p->scale) * (CHANGES - n) / CHANGES) {
      r = next;
      now = then;
    }
    least = now < least ? now : least;
  }
  return least;
}

/* The most that a step may be worth, as the checker sees it. */
static int64_t dearest(gate_stays *p)
{
  int64_t lo = 0, hi = 4 * p->scale;
  while (lo < hi) {
    p->step = (lo + hi + 1) / 2;
    if (gates_stays_hold(p))
      lo = p->step;
    else
      hi = p->step - 1;
  }
  return p->step = lo;
}

static const int64_t prices[] = { 2000, 1300, 800, 500, 330, 240, 150, 110, 60, 30 };

/* Steps are never worth more than the stays and the words that are red; half as much more, and they are. */
START_TEST(worth)
{
  enum { ROWS = 12 };
  support_random s = { (uint64_t)_i + 1 };
  gate_stays p = { .word = prices[_i % COUNT(prices)], .scale = SCALE, .stores = 1 };
  ck_assert_int_gt(dearest(&p), 0);
  for (int n = 0; n < ROWS; n++) {
    int64_t least = search(&s, &p);
    ck_assert_msg(least >= 0, "seed %d, word %ld, step %ld: %ld", _i, (long)p.word, (long)p.step, (long)least);
  }
}
END_TEST

START_TEST(no_more)
{
  bool less = false;
  for (int k = 0; k < COUNT(prices) && !less; k++) {
    support_random s = { (uint64_t)k + 1 };
    gate_stays p = { .word = prices[k], .scale = SCALE, .stores = 1 };
    p.step = 3 * dearest(&p) / 2;
    for (int n = 0; n < 4 && !less; n++)
      less = search(&s, &p) < 0;
  }
  ck_assert(less);
}
END_TEST

/* The numbers that are refused, one more than what holds among them. */
START_TEST(refused)
{
  for (int stores = 0; stores < 2; stores++)
    for (int k = 0; k < COUNT(prices); k++) {
      gate_stays p = { .word = prices[k], .scale = SCALE, .stores = stores }, q;
      ck_assert_int_gt(dearest(&p), 0);
      ck_assert(gates_stays_hold(&p));
      q = p;
      q.step++;
      ck_assert(!gates_stays_hold(&q));
      q = p;
      q.scale -= q.scale / 10;
      ck_assert(!gates_stays_hold(&q));
      q = p;
      q.word -= q.word / 10;
      ck_assert(!gates_stays_hold(&q) || p.step == (1 + stores) * SCALE);
      q = p;
      q.stores = 2;
      ck_assert(!gates_stays_hold(&q));
      q = p;
      q.word = 0;
      ck_assert(!gates_stays_hold(&q));
    }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("stays");
  TCase *t = support_case(s, "stays");
  tcase_add_loop_test(t, worth, 0, support_rounds(20));
  tcase_add_test(t, no_more);
  tcase_add_test(t, refused);
  return support_run(s);
}
