#include "tests/support_random_cdag.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 8 };

typedef struct {
  int rank;
  int direction[CDAG_RANK];   /* of chains along each dimension: -1 or 1 */
  int later;                  /* >= 0: may read array `later`, of the same first dimension, one step back */
} shape;

typedef struct {
  support_random *r;
  const random_cdag_options *o;
  text *out;
  int arrays, inputs;
  shape shape[ARRAYS];
  bool loose;                 /* every rule may have sources */
} maker;

static int64_t pick(maker *m, int64_t lo, int64_t hi) { return support_between(m->r, lo, hi); }
static bool chance(maker *m, int percent) { return pick(m, 1, 100) <= percent; }

static const char *const size_names[] = { "n", "p", "q" };

/* A bound for dimension r: rectangular, or leaning on an earlier variable. */
static void put_range(maker *m, int r)
{
  const char *size = size_names[pick(m, 0, 2)];
  int kind = m->o->plain || r == 0 ? (int)pick(m, 0, 3) : (int)pick(m, 0, 10);
  long long v = r ? (long long)pick(m, 0, r - 1) : 0;
  switch (kind) {
  case 0: case 1: text_add(m->out, size); break;
  case 2: text_printf(m->out, "%lld", (long long)pick(m, 1, 3)); break;
  case 3: text_printf(m->out, "1..%s", size); break;
  case 4: text_printf(m->out, "v%lld+1", v); break;
  case 5: text_printf(m->out, "v%lld..%s", v, size); break;
  case 6: text_printf(m->out, "w[v%lld]", v); break;
  case 7: text_printf(m->out, "%s-v%lld", size, v); break;
  case 8: text_printf(m->out, "min(v%lld,2)..max(v%lld,1)+1", v, v); break;
  case 9: text_printf(m->out, "v%lld-1..v%lld+2", v, v); break;
  default: text_printf(m->out, "v%lld/2..%s-v%lld/2", v, size, v);
  }
}

static void put_declaration(maker *m, int a, bool variables)
{
  shape *s = &m->shape[a];
  text_printf(m->out, "A%d[", a);
  for (int r = 0; r < s->rank; r++) {
    text_add(m->out, r ? ", " : "");
    if (variables)
      text_printf(m->out, "v%d:", r);
    put_range(m, variables ? r : 0);
    s->direction[r] = chance(m, 80) ? -1 : 1;
  }
  text_char(m->out, ']');
}

/* Any index over the variables of a rule of this rank. */
static void put_index(maker *m, int rank)
{
  int kind = (int)pick(m, 0, m->o->plain ? 6 : 14);
  long long v = pick(m, 0, rank - 1), u = pick(m, 0, rank - 1), c = pick(m, -2, 2);
  switch (kind) {
  case 0: case 1: case 2: case 3: text_printf(m->out, "v%lld", v); break;
  case 4: text_printf(m->out, "v%lld+%lld", v, c); break;
  case 5: text_printf(m->out, "%lld", (long long)pick(m, 0, 2)); break;
  case 6: text_add(m->out, "n-1"); break;
  case 7: text_add(m->out, "*"); break;
  case 8: text_printf(m->out, "v%lld..v%lld+2", v, v); break;
  case 9: text_printf(m->out, "%lld..2", c); break;
  case 10: text_printf(m->out, "2*v%lld+v%lld", v, u); break;
  case 11: text_printf(m->out, "n-1-v%lld", v); break;
  case 12: text_printf(m->out, "t[v%lld,%lld]+v%lld", v, (long long)pick(m, 0, 1), u); break;
  case 13: text_printf(m->out, "w[v%lld]-1", v); break;
  default: text_printf(m->out, "v%lld/2", v);
  }
}

/* A term on an array that comes before: anything goes. */
static void put_free_term(maker *m, int target, int rank)
{
  text_printf(m->out, "A%d[", target);
  for (int s = 0; s < m->shape[target].rank; s++) {
    text_add(m->out, s ? "," : "");
    put_index(m, rank);
  }
  text_char(m->out, ']');
}

/* A term on the array itself (or its partner): earlier dimensions the same, one step along one, the others free. */
static void put_chain_term(maker *m, int a, int target, int along)
{
  int rank = m->shape[target].rank;
  text_printf(m->out, "A%d[", target);
  for (int s = 0; s < rank; s++) {
    text_add(m->out, s ? "," : "");
    if (s < along)
      text_printf(m->out, "v%d", s);
    else if (s == along)
      text_printf(m->out, "v%d%s%lld", s, m->shape[a].direction[s] < 0 ? "-" : "+", (long long)pick(m, 1, 2));
    else if (chance(m, 60) && s < m->shape[a].rank)
      text_printf(m->out, "v%d", s);
    else
      put_index(m, m->shape[a].rank);
  }
  text_char(m->out, ']');
}

/* ` if ...` over the variables of a rule of this rank. */
static void put_condition(maker *m, int rank)
{
  static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=" };
  long long v = pick(m, 0, rank - 1), u = pick(m, 0, rank - 1), c = pick(m, 0, 2);
  const char *sign = signs[pick(m, 0, 5)];
  switch (pick(m, 0, 7)) {
  case 0: case 1: text_printf(m->out, " if v%lld %s %lld", v, sign, c); break;
  case 2: text_printf(m->out, " if v%lld %s v%lld", v, sign, u); break;
  case 3: text_printf(m->out, " if v%lld + v%lld %s n - %lld", v, u, sign, c); break;
  case 4: text_printf(m->out, " if v%lld %s %lld && v%lld >= 1", v, sign, c, u); break;
  case 5: text_printf(m->out, " if v%lld %s %lld || v%lld == 0", v, sign, c, u); break;
  case 6: text_printf(m->out, " if v%lld %% 2", v); break;
  default: text_printf(m->out, " if w[v%lld] %s %lld", v, sign, c);
  }
}

static void put_terms(maker *m, int a)
{
  int rank = m->shape[a].rank, terms = (int)pick(m, 1, 4);
  text_add(m->out, " = ");
  for (int t = 0; t < terms; t++) {
    text_add(m->out, t ? ", " : "");
    if (m->shape[a].later >= 0 && t == 0)
      put_chain_term(m, a, m->shape[a].later, 0);
    else if (chance(m, 40))
      put_chain_term(m, a, a, (int)pick(m, 0, rank - 1));
    else
      put_free_term(m, (int)pick(m, 0, a - 1), rank);
    if (m->o->conditions && chance(m, 35))
      put_condition(m, rank);
  }
  text_char(m->out, '\n');
}

static void put_rule(maker *m, int a)
{
  bool output = a == m->arrays - 1 || chance(m, 25);
  text_add(m->out, output ? "output " : "");
  text_add(m->out, m->loose || chance(m, 30) ? "input " : "");
  put_declaration(m, a, true);
  put_terms(m, a);
}

/* `output A3[*,i:n,i]` */
static void put_selection(maker *m)
{
  int a = (int)pick(m, m->inputs, m->arrays - 1), variable = -1;
  text_printf(m->out, "output A%d[", a);
  for (int s = 0; s < m->shape[a].rank; s++) {
    text_add(m->out, s ? "," : "");
    int kind = (int)pick(m, 0, 5);
    if (kind == 0 && variable < 0)
      text_add(m->out, "i:n"), variable = s;
    else if (kind == 1 && variable >= 0)
      text_add(m->out, "i");
    else if (kind == 2)
      text_add(m->out, "1");
    else if (kind == 3)
      text_add(m->out, "0..2");
    else
      text_add(m->out, "*");
  }
  text_add(m->out, "]\n");
}

static void put_head(maker *m)
{
  long long n = pick(m, 2, 4), p = pick(m, 1, 3), q = pick(m, 1, 4);
  text_printf(m->out, "param n = %lld, p = %lld\nparam q = %lld\n", n, p, q);
  text_add(m->out, "table w[J:n] = min(2, q + n - 2*J)\ntable t[n,2] = ");
  for (int i = 0; i < 2 * n; i++)
    text_printf(m->out, "%s%lld", i ? ", " : "", (long long)pick(m, -1, 3));
  text_char(m->out, '\n');
}

static void put_text(maker *m)
{
  m->inputs = (int)pick(m, 1, 2);
  m->arrays = m->inputs + (int)pick(m, 1, 4);
  put_head(m);
  for (int a = 0; a < m->arrays; a++)
    m->shape[a] = (shape){ .rank = (int)pick(m, 1, 3), .later = -1 };
  /* two rules that name each other: the first looks one step back in the second, which looks at the first beside it */
  int a = m->inputs;
  bool pair = m->arrays - a >= 2 && chance(m, 25);
  for (int i = 0; i < m->inputs; i++) {
    text_add(m->out, "input ");
    put_declaration(m, i, chance(m, 50));
    text_char(m->out, '\n');
  }
  if (pair) {
    m->shape[a + 1].rank = m->shape[a].rank;
    m->shape[a].later = a + 1;
  }
  for (int i = a; i < m->arrays; i++) {
    if (pair && i == a + 1) { /* it may read the first at the same first index only */
      text_add(m->out, "input ");
      put_declaration(m, i, true);
      text_printf(m->out, " = A%d[v0", a);
      for (int s = 1; s < m->shape[a].rank; s++) {
        text_char(m->out, ',');
        put_index(m, m->shape[i].rank);
      }
      text_add(m->out, "]\n");
    } else
      put_rule(m, i);
  }
  if (pair && m->arrays == a + 2)
    text_printf(m->out, "output A%d[%s]\n", a, m->shape[a].rank == 1 ? "*" : m->shape[a].rank == 2 ? "*,*" : "*,*,*");
  if (chance(m, 50))
    put_selection(m);
}

cdag *support_random_cdag(support_random *r, const random_cdag_options *o, text *out)
{
  static const random_cdag_options usual = { 0 };
  text source = { 0 };
  cdag *g = NULL;
  maker m = { .r = r, .o = o ? o : &usual, .out = &source };
  uint64_t most = m.o->most ? m.o->most : 120;
  for (int tries = 0; !g; tries++) {
    source.n = 0;
    m.loose = tries % 2;
    put_text(&m);
    diag d = { 0 };
    status st = cdag_parse(&g, "random.cdag", source.s, "", &d);
    /* the only faults of these texts: a rule without sources, or nothing to put out; no assertion of Check, which needs
     * a test around it */
    if (st != OK && strcmp(d.kind, "cdag") != 0) {
      fprintf(stderr, "%s\n%d:%d: %s\n", source.s, d.line, d.column, d.message);
      abort();
    }
    if (g && (g->vertices > most || g->vertices < m.o->least)) {
      cdag_free(g);
      g = NULL;
    }
  }
  if (out) {
    text_clear(out);
    *out = source;
  } else
    text_clear(&source);
  return g;
}

void support_change_word(support_random *r, const char *const *piece, int n, text *t)
{
  for (int times = 0; times < 100; times++) {
    size_t at = (size_t)support_between(r, 0, (int64_t)t->n - 1), length = 0;
    while (at > 0 && isalnum((unsigned char)t->s[at - 1]))
      at--;
    while (isalnum((unsigned char)t->s[at + length]))
      length++;
    if (length == 0 || length > 2)
      continue;
    text made = { 0 };
    text_printf(&made, "%.*s%s%s", (int)at, t->s, piece[support_between(r, 0, n - 1)], t->s + at + length);
    text_clear(t);
    *t = made;
    return;
  }
}
