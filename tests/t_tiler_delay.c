/* What a loop leaves for its next turn, computed in that turn: the same computation, and what is handed on comes and
   goes once a turn. */
#include "cdag/delay.h"
#include "tests/support_found.h"
#include <stdio.h>
#include <string.h>

/* Columns made orthogonal to one another, one after the other; or a vector that each turn changes by a sum over it. */
typedef struct {
  bool columns;
  int m, n, at[3];             /* V's indices in the text's order: 0 the turn, 1 the place, 2 the column */
  bool listed;                 /* the first value is A[...] if k == 0, not A[...,k] with one k */
  bool put_out;                /* the vector is a result, or each of its values */
  bool all_put_out;
} turns;

static turns draw(support_random *r, int lo, int hi)
{
  static const int order[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  turns t = { .columns = support_between(r, 0, 2) > 0,
              .m = (int)support_between(r, lo, hi),
              .n = (int)support_between(r, lo, hi),
              .listed = support_between(r, 0, 1),
              .put_out = support_between(r, 0, 1),
              .all_put_out = support_between(r, 0, 3) == 0 };
  memcpy(t.at, order[support_between(r, 0, 5)], sizeof t.at);
  return t;
}

/* V at that turn, place and column. */
static const char *v_at(const turns *t, const char *turn, const char *place, const char *column, char out[64])
{
  const char *of[3] = { turn, place, column };
  snprintf(out, 64, "V[%s,%s,%s]", of[t->at[0]], of[t->at[1]], of[t->at[2]]);
  return out;
}

static void put_columns(const turns *t, text *out)
{
  const char *of[3] = { "k:n-1", "i:m", "j:k+1..n" }, *last[3] = { "k:j", "i:m", "j:n" };
  bool turn_first = t->at[0] == 0 || (t->at[0] == 1 && t->at[1] == 0) || (t->at[2] == 2);
  const char *const *range = turn_first ? of : last;
  const char *first = t->listed ? " if k == 0" : "", *one = t->listed ? "" : ",k";
  char v[64];
  text_printf(out, "param m = %d, n = %d\ninput A[m,n%s]\n", t->m, t->n, t->listed ? "" : ",1");
  text_printf(out, "N[k:n, i:m] = N[k,i-1], %s, A[i,k%s]%s\n", v_at(t, "k-1", "i", "k", v), one, first);
  text_printf(out, "output Q[i:m, k:n] = %s, A[i,k%s]%s, N[k,m-1]\n", v_at(t, "k-1", "i", "k", v), one, first);
  text_printf(out, "R[k:n, j:k+1..n, i:m] = R[k,j,i-1], Q[i,k], %s, A[i,j%s]%s\n", v_at(t, "k-1", "i", "j", v), one,
              first);
  text_printf(out, "%sV[%s, %s, %s] = %s, A[i,j%s]%s, Q[i,k], R[k,j,m-1]\noutput R[*,*,m-1]\n",
              t->all_put_out ? "output " : "", range[t->at[0]], range[t->at[1]], range[t->at[2]],
              v_at(t, "k-1", "i", "j", v), one, first);
}

static void put_vector(const turns *t, text *out)
{
  const char *first = t->listed ? "X[i] if k == 0" : "X[i,k]";
  text_printf(out, "param m = %d, n = %d\ninput X[m%s], B[n,m]\n", t->m, t->n, t->listed ? "" : ",1");
  text_printf(out, "S[k:n, i:m] = S[k,i-1], V[k-1,i], %s\n", first);
  text_printf(out, "%sV[k:n, i:m] = V[k-1,i], %s, S[k,m-1], B[k,i]\n", t->all_put_out ? "output " : "", first);
  if (t->put_out && !t->all_put_out)
    text_add(out, "output V[n-1,*]\n");
  text_add(out, "output S[*,m-1]\n");
}

static cdag *parse(const turns *t, text *source)
{
  cdag *g;
  diag d = { 0 };
  (t->columns ? put_columns : put_vector)(t, source);
  ck_assert_msg(cdag_parse(&g, "turns", text_str(source), "", &d) == OK, "%s\n%s", d.message, text_str(source));
  return g;
}

/* ---- the same computation ---- */

static uint64_t id_delayed(const void *context, const cdag_element *e)
{
  const cdag_cut *c = context;
  uint64_t id = UINT64_MAX;
  for (int b = 0; b < c->g->arrays; b++) {
    int64_t x[CDAG_RANK] = { 0 };
    int n = 0, rank = c->given->array[e->array].rank;
    if (c->of[b] != e->array)
      continue;
    bool here = true;
    for (int q = 0; q < rank; q++)
      if (q != c->index[b])
        x[n++] = e->x[q];
      else if (c->above[b])
        here = e->x[q] == e->x[c->beside] + c->by;
      else
        x[n++] = e->x[q] + c->later;
    if (here && cdag_exists(c->g, b, x)) {
      ck_assert_msg(id == UINT64_MAX, "in two arrays");
      id = cdag_id(c->g, b, x);
    }
  }
  ck_assert(id != UINT64_MAX);
  return id;
}

START_TEST(delayed_reads_the_same)
{
  support_random r = { (uint64_t)_i + 1 };
  turns t = draw(&r, 3, 6);
  text source = { 0 };
  cdag *g = parse(&t, &source);
  cdag_cut c;
  ck_assert_msg(cdag_delay(g, 0, &c), "nothing is delayed:\n%s", text_str(&source));
  ck_assert_int_eq(c.g->arrays, g->arrays + t.columns);
  support_same_computation(c.given, c.g, id_delayed, &c, text_str(&source));
  cdag_cut_clear(&c);
  ck_assert(!cdag_delay(g, 1, &c));
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* Nothing waits for a sum over what was left; or a sum waits for one of its own turn. */
static const char *const none[] = {
  "param n = 5\ninput A[n,n,1]\nU[i:n, j:n, k:min(i,j)] = U[i,j,k-1], A[i,j,k], L[i,k], U[k,j,k-1], A[k,j,k]\n"
  "output L[i:n, j:i] = U[i,j,j-1], A[i,j,j], U[j,j,j-1], A[j,j,j]\noutput U[i:1..n, j:i..n, i-1]\n",
  "param n = 5\ninput A[n,n], B[n,n]\nC[i:n, j:n, k:n] = C[i,j,k-1], A[i,k], B[k,j]\noutput C[*,*,n-1]\n",
  "param n = 4, m = 5\ninput X[m]\nV[k:n, i:m] = V[k-1,i], X[i] if k == 0, S[k-1,m-1]\n"
  "S[k:n, i:m] = S[k,i-1], X[i]\noutput V[n-1,*]\n",
};

START_TEST(nothing_to_delay)
{
  cdag *g;
  cdag_cut c;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "none", none[_i], "", &d) == OK, "%s", d.message);
  ck_assert(!cdag_delay(g, 0, &c));
  cdag_free(g);
}
END_TEST

/* ---- once a turn ---- */

/* V comes and goes once a turn; what else is read of columns comes for as many columns as half of the memory has sums
   for, and results, first values and the diagonal a few times. */
static double enough(const turns *t, double m)
{
  double rows = t->m, columns = t->n, block = (m - 10) / 2;
  if (!t->columns)
    return rows * columns * 3 + 8 * rows + 8 * columns;
  double v = rows * columns * (columns - 1) / 2;
  return 2 * v + 2 * v / block + 9 * rows * columns;
}

START_TEST(comes_and_goes_once)
{
  support_random r = { (uint64_t)_i + 1 };
  turns t = draw(&r, 40, 60);
  int m = (int)support_between(&r, 20, 36);
  pebble_rules rules = { .m = (uint64_t)m, .one_shot = support_between(&r, 0, 1) };
  schedule_find_options options = { .no_library = true };
  schedule_found found;
  text source = { 0 };
  diag d = { 0 };
  cdag *g = parse(&t, &source);
  ck_assert_msg(schedule_find(g, &rules, &options, &found, &d) == OK, "seed %d: %s", _i, d.message);
  num_count io = num_plus(found.loads, found.stores);
  ck_assert_msg((double)io <= enough(&t, m), "seed %d, M = %d: %s words, not %.0f\n%s%s", _i, m, num_digits(io).s,
                enough(&t, m), text_str(&source), text_str(&found.source));
  support_check_found(g, &rules, &found, text_str(&source));
  schedule_found_clear(&found);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_delay");
  TCase *t = support_case(s, "delay");
  tcase_add_loop_test(t, delayed_reads_the_same, 0, support_rounds(40));
  tcase_add_loop_test(t, nothing_to_delay, 0, (int)COUNT(none));
  tcase_add_loop_test(t, comes_and_goes_once, 0, support_rounds(10));
  return support_run(s);
}
