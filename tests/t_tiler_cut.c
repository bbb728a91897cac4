/* Arrays cut in two along an axis: the parts are the same computation, and of rows that several passes read and that do
   not fit, a part stays. */
#include "cdag/cut.h"
#include "schedules/tiler/cut.h"
#include "schedules/tiler/nests/known.h"
#include "tests/support_found.h"
#include <stdio.h>
#include <string.h>

/* ---- the parts are the same computation ---- */

static const struct { const char *source, *sizes; int axes; } texts[] = {
  { "param m, n\ninput A[m,n], x[n]\nT[i:m, j:n] = T[i,j-1], A[i,j], x[j]\n"
    "Y[j:n, i:m] = Y[j,i-1], A[i,j], T[i,n-1]\noutput Y[*,m-1]\n", "m=5,n=6", 2 },
  { "param m, n\ninput X[m,n], b[m]\nG[i:m, j:1..n] = G[i,j-1], X[i,0] if j == 1, X[i,j], b[i] if j == 2\n"
    "S[i:m, j:n] = S[i,j-1], X[i,j], G[i,n-1]\noutput Y[i:m, j:n] = X[i,j], S[i,n-1], G[i,n-1]\n", "m=4,n=7", 2 },
  { "param n\ninput A[n], B[n]\nC[j:n] = A[j], B[j], A[j+1], B[j-2], A[0]\nD[j:n] = C[0..j], C[j], B[*]\n"
    "output D[2..n-1], C[n-1]\n", "n=9", 1 },
  { "param n\ninput A[n,n], x[n]\nY[t:3, i:n, j:n] = Y[t,i,j-1], A[i,j], x[j] if t == 0, Y[t-1,j,n-1]\n"
    "output Y[2,*,n-1]\n", "n=5", 1 }, /* i and j of A are one axis: no way to cut it; t is one */
  { "param n\ninput A[i:n, j:i+1], x[n]\nT[i:n, j:i+1] = T[i,j-1], A[i,j], x[j]\noutput T[i:n,i]\n", "n=6", 0 },
};

static uint64_t id_in_parts(const void *context, const cdag_element *e)
{
  const cdag_cut *c = context;
  uint64_t id = UINT64_MAX;
  for (int b = 0; b < c->g->arrays; b++)
    if (c->of[b] == e->array && cdag_exists(c->g, b, e->x)) {
      ck_assert_msg(id == UINT64_MAX, "in two parts");
      id = cdag_id(c->g, b, e->x);
    }
  ck_assert(id != UINT64_MAX);
  return id;
}

START_TEST(parts_read_the_same)
{
  const char *source = texts[_i].source;
  cdag_axis axis[8];
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "passes", source, texts[_i].sizes, &d) == OK, "%s", d.message);
  int n = cdag_axes(g, axis, 8);
  ck_assert_msg(n == texts[_i].axes, "%d axes in\n%s", n, source);
  for (int k = 0; k < n; k++)
    for (int64_t at = axis[k].lo; at <= axis[k].hi; at++) {
      cdag_cut c;
      bool inside = at > axis[k].lo + 1 && at < axis[k].hi, cut = cdag_cut_at(g, &axis[k], at, &c);
      ck_assert_msg(cut || !inside, "not cut at %d:\n%s", (int)at, source);
      ck_assert(!cut || (at > axis[k].lo && at < axis[k].hi));
      if (cut)
        support_same_computation(c.given, c.g, id_in_parts, &c, source);
      cdag_cut_clear(&c);
    }
  cdag_free(g);
}
END_TEST

/* ---- of rows that do not fit a part stays ---- */

typedef struct {
  int passes, m, n;            /* over rows of n words */
  bool vector, turned, sums;   /* the first pass reads a vector; A[j,i]; the last one sums over rows */
  bool first;                  /* sums begin with their first word under another condition */
} passes;

static passes draw(support_random *r)
{
  return (passes){ .passes = (int)support_between(r, 2, 3),
                   .m = (int)support_between(r, 30, 50),
                   .n = (int)support_between(r, 150, 230),
                   .vector = support_between(r, 0, 1),
                   .turned = support_between(r, 0, 1),
                   .sums = support_between(r, 0, 1),
                   .first = support_between(r, 0, 1) };
}

static void put_text(const passes *p, text *t)
{
  const char *a = p->turned ? "A[j,i]" : "A[i,j]", *shape = p->turned ? "n,m" : "m,n";
  text_printf(t, "param m = %d, n = %d\ninput A[%s], x[n], b[m]\n", p->m, p->n, shape);
  for (int k = 1; k < p->passes; k++) {
    text_printf(t, "T%d[i:m, j:n] = T%d[i,j-1], %s", k, k, a);
    text_add(t, p->first ? ", b[i] if j == 0" : "");
    text_add(t, k == 1 && p->vector ? ", x[j]" : "");
    text_printf(t, k > 1 ? ", T%d[i,n-1]\n" : "\n", k - 1);
  }
  if (p->sums)
    text_printf(t, "Y[j:n, i:m] = Y[j,i-1], %s, T%d[i,n-1]\noutput Y[*,m-1]\n", a, p->passes - 1);
  else
    text_printf(t, "output Y[i:m, j:n] = %s, T%d[i,n-1]\n", a, p->passes - 1);
}

/* All of the memory, but a few words, holds rows' ends, with the vector's and the sums' words beside them; a row's end
   is loaded once, the rest in each pass.  Ends of sums and vectors go out and in. */
static double enough(const passes *p, int m)
{
  int end = (m - 8) / (1 + p->vector + p->sums);
  double rows = (double)p->m * (p->passes * p->n - (p->passes - 1) * end), out = p->sums ? p->n : (double)p->m * p->n;
  return rows + out + 6.0 * p->m + 2.0 * p->n;
}

START_TEST(part_of_a_row_stays)
{
  support_random r = { (uint64_t)_i + 1 };
  passes p = draw(&r);
  int m = (int)support_between(&r, 50, 120);
  pebble_rules rules = { .m = (uint64_t)m, .one_shot = support_between(&r, 0, 1) };
  schedule_find_options options = { .no_library = true };
  schedule_found found;
  text source = { 0 };
  cdag *g;
  diag d = { 0 };
  put_text(&p, &source);
  ck_assert_msg(cdag_parse(&g, "passes", text_str(&source), "", &d) == OK, "%s\n%s", d.message, text_str(&source));
  ck_assert_msg(schedule_find(g, &rules, &options, &found, &d) == OK, "seed %d: %s", _i, d.message);
  num_count io = num_plus(found.loads, found.stores);
  ck_assert_msg((double)io <= enough(&p, m), "seed %d, M = %d: %s words, not %.0f\n%s%s", _i, m, num_digits(io).s,
                enough(&p, m), text_str(&source), text_str(&found.source));
  support_check_found(g, &rules, &found, text_str(&source));
  schedule_found_clear(&found);
  text_clear(&source);
  cdag_free(g);
}
END_TEST

/* ---- cuts and searches that cannot help are not made ---- */

/* Words that several statements read at once need no part that stays; behind the end of a sum along the row they come
   by again. */
static const struct { const char *source; int axes; } once[] = {
  { "param n = 400, d = 8\ninput Q[n,d], K[n,d], V[n,d]\n"
    "S[i:n, j:n] = sum k:d { Q[i,k], K[j,k] }\n"
    "P[i:n, j:n] = S[i,j]\nL[i:n] = sum j:n { P[i,j] }\n"
    "Z[i:n, l:d] = sum j:n { P[i,j], V[j,l] }\noutput O[i:n, l:d] = Z[i,l], L[i]\n", 0 },
  { "param n = 400\ninput A[n,n], x[n], y[n]\noutput T[i:n] = sum j:n { A[i,j], x[j] }\n"
    "output U[j:n] = sum i:n { A[i,j], y[i] }\n", 0 },
  { "param n = 400\ninput A[n,n]\nT[i:n] = sum j:n { A[i,j] }\noutput P[i:n, j:n] = A[i,j], T[i]\n", 1 },
};

START_TEST(cut_where_it_helps)
{
  cdag_axis axis[TILER_AXES];
  tiler_shape s;
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "once", once[_i].source, "", &d) == OK, "%s", d.message);
  tiler_shape_init(&s, g, false);
  int n = tiler_cut_axes(&s, 1e5, axis);
  ck_assert_msg(n == once[_i].axes, "%d axes:\n%s", n, once[_i].source);
  tiler_shape_clear(&s);
  cdag_free(g);
}
END_TEST

START_TEST(equal_shapes_are_searched_once)
{
  tiler_known known = { 0 };
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "once", once[_i].source, "", &d) == OK, "%s", d.message);
  const tiler_search *found[3];
  tiler_shape s[3];
  for (int k = 0; k < 3; k++) {
    tiler_shape_init(&s[k], g, false);
    found[k] = tiler_known_search(&known, &(tiler_search){ .s = &s[k], .m = k < 2 ? 100 : 200 });
    ck_assert(found[k]->best > 0 && (found[k]->trees == 0) == (k == 1));
  }
  ck_assert_double_eq(found[0]->division[0].io, found[1]->division[0].io);
  ck_assert_double_ge(found[0]->division[0].io, found[2]->division[0].io);
  ck_assert_int_eq(found[0]->division[0].nests, found[1]->division[0].nests);
  tiler_known_clear(&known);
  for (int k = 0; k < 3; k++)
    tiler_shape_clear(&s[k]);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tiler_cut");
  TCase *t = support_case(s, "cut");
  tcase_add_loop_test(t, parts_read_the_same, 0, (int)COUNT(texts));
  tcase_add_loop_test(t, part_of_a_row_stays, 0, support_rounds(12));
  tcase_add_loop_test(t, cut_where_it_helps, 0, (int)COUNT(once));
  tcase_add_loop_test(t, equal_shapes_are_searched_once, 0, (int)COUNT(once));
  return support_run(s);
}
