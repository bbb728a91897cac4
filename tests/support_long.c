#include "tests/support_long.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ARRAYS = 5 };
typedef struct {
  support_random r;
  text *out;
  int arrays, inputs;          /* A0.. are inputs */
  bool output[ARRAYS];
  int columns[ARRAYS];         /* how the second index runs: see column_words */
  bool back[ARRAYS];           /* some rule reads earlier rows of it */
  bool own_back;               /* some rule reads earlier rows of its own array: rows go upwards */
  bool blocked;                /* the rows come in blocks */
  int loops;
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(&m->r, lo, hi); }
static bool chance(maker *m, int in) { return pick(m, 1, in) == 1; }

/* ---- the computation: A[i:n, j:...], U[2*n] to touch ---- */

static const char *const column_words[] = { "2", "3", "w[i]", "v[i]", "min(3, i/7+1)" };

static void put_table(maker *m, const char *name)
{
  static const char *const rule[] = { "min(3, 1 + J/9)", "max(1, 4 - J/11)", "2",           "1 + J%2",
                                      "1 + (J < 13)*2",  "min(3, n - J)",    "1 + (J/8)%3", "max(1, 3 - J/5)" };
  text_printf(m->out, "table %s[J:n] = %s\n", name, rule[pick(m, 0, COUNT(rule) - 1)]);
}

static void put_term(maker *m, int a, int to)
{
  static const char *const second[] = { "j", "j-1", "0", "*", "j", "j+1" };
  int back = chance(m, 3) ? (int)pick(m, 1, 2) : 0;
  const char *col = second[pick(m, 0, to == a ? 1 : COUNT(second) - 1)];
  if (to == a && back == 0)
    col = "j-1";
  m->back[to] |= back > 0;
  m->own_back |= back > 0 && to == a;
  text_printf(m->out, "A%d[i", to);
  if (back)
    text_printf(m->out, "-%d", back);
  text_printf(m->out, ",%s]", col);
}

static void put_rule(maker *m, int a)
{
  bool sources = chance(m, 12);
  int terms = (int)pick(m, sources, 2);
  m->output[a] = a == m->arrays - 1 || chance(m, 3);
  text_printf(m->out, "%s%sA%d[i:n, j:%s] = ", m->output[a] ? "output " : "", sources ? "input " : "", a,
              column_words[m->columns[a]]);
  if (!sources) /* one that is always there */
    text_printf(m->out, "A%d[i,%s]", (int)pick(m, 0, a - 1), chance(m, 2) ? "*" : "0");
  for (int t = 0; t < terms; t++) {
    text_add(m->out, t || !sources ? ", " : "");
    put_term(m, a, chance(m, 3) ? a : (int)pick(m, 0, a - 1));
  }
  text_add(m->out, "\n");
}

static void put_computation(maker *m, text *out)
{
  m->out = out;
  text_printf(out, "param n = %d\n", (int)pick(m, 18, 60));
  put_table(m, "w");
  put_table(m, "v");
  text_add(out, "input U[2*n]\n");
  for (int a = 0; a < m->arrays; a++)
    m->columns[a] = (int)pick(m, 0, COUNT(column_words) - 1);
  for (int a = 0; a < m->inputs; a++)
    text_printf(out, "input A%d[i:n, j:%s]\n", a, column_words[m->columns[a]]);
  for (int a = m->inputs; a < m->arrays; a++)
    put_rule(m, a);
}

/* ---- the program ---- */

static const char *row(const maker *m) { return m->blocked ? "lo(I)" : "I"; }

/* An index of U that depends on the iteration in some way. */
static void put_place(maker *m)
{
  static const char *const place[] = { "%s+2",  "2*%s", "n-1-%s",    "w[%s]+5",    "%s/3",   "n+v[%s]",
                                       "%s%%4", "7",    "min(%s,9)", "2*n-1-2*%s", "3*%s-5", "w[w[%s]]" };
  text_printf(m->out, place[pick(m, 0, COUNT(place) - 1)], row(m));
}

/* How far a loop inside runs. */
static void put_extent(maker *m)
{
  static const char *const extent[] = { "%s",      "w[%s]", "n-%s", "%s..n", "3",
                                        "v[%s]+2", "%s/2",  "2*%s", "%s+3",  "(%s>6)*4" };
  text_printf(m->out, extent[pick(m, 0, COUNT(extent) - 1)], row(m));
  static const char *const tail[] = { "", "", "", " by 2", " by 3", " reversed", " snake" };
  text_add(m->out, tail[pick(m, 0, COUNT(tail) - 1)]);
}

static void touch(maker *m)
{
  text_add(m->out, "  load U[");
  size_t from = m->out->n;
  put_place(m);
  char place[64];
  snprintf(place, sizeof place, "%s", text_str(m->out) + from);
  text_printf(m->out, "] %sdrop U[%s]\n", chance(m, 4) ? "erase U[" : "", place);
  if (strstr(text_str(m->out) + from, "erase")) { /* erased, stored again, dropped */
    m->out->n = from;
    text_printf(m->out, "%s] erase U[%s] store U[%s] drop U[%s]\n", place, place, place, place);
  }
}

static void touch_loop(maker *m)
{
  int id = m->loops++;
  text_printf(m->out, "  for x%d in ", id);
  put_extent(m);
  if (strstr(text_str(m->out) + m->out->n - 5, " by"))
    text_printf(m->out, " { load U[x%d] drop U[x%d] }\n", id, id);
  else if (chance(m, 2))
    text_printf(m->out, " { load U[x%d+%d] drop U[x%d+%d] }\n", id, (int)(m->r.s % 5), id, (int)(m->r.s % 5));
  else {
    text_printf(m->out, " {\n  load U[x%d]\n", id);
    text_printf(m->out, "  if x%d %% 3 == 0 { load U[n+x%d] drop U[n+x%d] }\n  drop U[x%d] }\n", id, id, id, id);
  }
}

static void condition(maker *m)
{
  static const char *const when[] = { "%s < 11",  "%s %% 2", "%s*2 > n", "w[%s] == 2",
                                      "first(I)", "last(I)", "%s == 12", "n - %s < 9 || 0" };
  int at = (int)pick(m, 0, COUNT(when) - 2);
  text_add(m->out, "  if ");
  text_printf(m->out, when[at], row(m));
  text_add(m->out, " {\n");
  touch(m);
  text_add(m->out, chance(m, 2) ? "  } else {\n" : "  }\n");
  if (m->out->s[m->out->n - 2] == '{') {
    touch(m);
    text_add(m->out, "  }\n");
  }
}

static void extras(maker *m)
{
  while (chance(m, 3)) {
    int kind = (int)pick(m, 0, 3);
    if (kind == 0)
      touch_loop(m);
    else if (kind == 1)
      condition(m);
    else
      touch(m);
  }
}

/* The rows of this iteration: the whole box, or columns one by one. */
static void one_array(maker *m, int a)
{
  const char *word = a < m->inputs ? "load" : "compute";
  if (chance(m, 4) && !m->blocked)
    text_printf(m->out, "  for y%d in 4 { %s A%d[I,y%d] }\n", m->loops, word, a, m->loops), m->loops++;
  else
    text_printf(m->out, "  %s A%d[I,*]\n", word, a);
  if (!m->back[a] && chance(m, 12))
    text_printf(m->out, "  drop A%d[I,*]\n", a); /* too soon, perhaps */
}

static void put_drop(maker *m, int a, int lag)
{
  if (m->blocked)
    text_printf(m->out, "  drop A%d[lo(I)-%d..hi(I)-%d,*]\n", a, lag, lag);
  else
    text_printf(m->out, "  drop A%d[I-%d,*]\n", a, lag);
}

static void put_program(maker *m, text *out)
{
  m->out = out;
  bool backwards = !m->own_back && chance(m, 4);
  for (int a = 0; a < m->arrays; a++)
    backwards &= !m->back[a];
  if (chance(m, 3))
    text_printf(out, "load U[%d]\n", (int)pick(m, 0, 40));
  text_add(out, "for I in n");
  if (m->blocked)
    text_printf(out, " by %d", (int)pick(m, 1, 4));
  text_printf(out, "%s {\n", backwards ? " reversed" : "");
  for (int a = 0; a < m->arrays; a++) {
    one_array(m, a);
    extras(m);
  }
  for (int a = 0; a < m->arrays; a++)
    if (m->output[a] && !chance(m, 20))
      text_printf(out, "  store A%d[I,*]\n", a);
  for (int a = 0; a < m->arrays; a++)
    if (!chance(m, 8))
      put_drop(m, a, m->back[a] ? 2 : 0);
  extras(m);
  text_add(out, "}\n");
}

void support_long(text *computation, text *program, uint64_t seed)
{
  maker m = { .r = { seed } };
  m.inputs = (int)pick(&m, 1, 2);
  m.arrays = m.inputs + (int)pick(&m, 1, ARRAYS - 2);
  m.blocked = chance(&m, 3);
  put_computation(&m, computation);
  put_program(&m, program);
}
