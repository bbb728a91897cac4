/* Bounds from below on the peak, and formulas of boxes that a slanted side cuts, against counting: random texts over
 * triangles, and the library. */
#include "base/mem.h"
#include "schedules/tune/floor.h"
#include "tests/support_library.h"
#include <stdio.h>
#include <string.h>

enum { MOST = 9 };               /* values of each parameter that are looked at */

typedef struct {
  schedule *s;
  int param[2];                /* those that vary */
  int64_t most;
  formula f;
  text reason;
  tune_floors floors;
  poly io;
  bool has_io;
} derived;

/* The I/O and the floors for all values of the two parameters; the others are as they are. */
static void derive(derived *d)
{
  const schedule *s = d->s;
  formula_init(&d->f, s, &d->reason);
  for (int i = 0; i < s->slot_param + s->params; i++)
    d->f.number[i] = true;
  for (int k = 0; k < 2; k++) {
    int slot = s->slot_param + d->param[k];
    d->f.number[slot] = false;
    d->f.span[slot] = (span){ 1, d->most };
  }
  d->has_io = formula_add(&d->f, s->body, &d->io) && !d->f.world.failed;
  d->f.world.failed = false;
  tune_floors_derive(&d->floors, &d->f);
}

static bool value_of(const derived *d, poly p, int64_t *v)
{
  expr_env env = { d->f.slot, d->s->g->table };
  return poly_value(&d->f.world, p, &env, v);
}

static bool holds(const derived *d, const tune_floor *floor)
{
  for (size_t i = 0; i < floor->where.n; i++) {
    int64_t v;
    if (!value_of(d, floor->where.p[i], &v) || v < 0)
      return false;
  }
  return true;
}

static void print(const derived *d, const tune_floor *floor, text *out)
{
  poly_print(&d->f.world, floor->p, out);
  for (size_t i = 0; i < floor->where.n; i++) {
    text_add(out, i ? ", " : " where not negative are ");
    poly_print(&d->f.world, floor->where.p[i], out);
  }
}

static long used, cut;           /* floors that held and were compared; those that were assumed to */

static void compare_floors(derived *d, const schedule_counts *c, const char *what)
{
  for (size_t i = 0; i < d->floors.n; i++) {
    const tune_floor *floor = &d->floors.floor[i];
    int64_t v;
    text t = { 0 };
    if (!value_of(d, floor->p, &v) || !holds(d, floor))
      continue;
    used++;
    cut += floor->where.n > 0;
    if (v > 0 && (uint64_t)v > c->peak)
      print(d, floor, &t);
    ck_assert_msg(v <= 0 || (uint64_t)v <= c->peak, "%ld = %s, but the peak is %ld at %ld, %ld in\n%s", (long)v,
                  text_str(&t), (long)c->peak, (long)d->f.slot[d->s->slot_param + d->param[0]],
                  (long)d->f.slot[d->s->slot_param + d->param[1]], what);
    text_clear(&t);
  }
}

static void compare_one(derived *d, const char *what)
{
  schedule_counts c = { 0 };
  pebble_rules rules = { .m = d->s->m };
  diag none;
  int64_t v;
  ck_assert_int_eq(schedule_count(d->s, &rules, &c, &none), OK);
  if (c.countable) {
    ck_assert_msg(!d->has_io || value_of(d, d->io, &v), "no value in\n%s", what);
    ck_assert_msg(!d->has_io || (uint64_t)v == c.loads + c.stores, "I/O %ld, counted %ld at %ld, %ld in\n%s", (long)v,
                  (long)(c.loads + c.stores), (long)d->f.slot[d->s->slot_param + d->param[0]],
                  (long)d->f.slot[d->s->slot_param + d->param[1]], what);
    compare_floors(d, &c, what);
  }
  schedule_counts_clear(&c);
}

static void compare(derived *d, const char *what)
{
  derive(d);
  for (int64_t x = 1; x <= d->most; x++)
    for (int64_t y = 1; y <= d->most; y++) {
      int64_t value[2] = { x, y };
      for (int k = 0; k < 2; k++) {
        d->s->param[d->param[k]].value = value[k];
        d->f.slot[d->s->slot_param + d->param[k]] = value[k];
      }
      compare_one(d, what);
      if (d->param[0] == d->param[1])
        break;
    }
  tune_floors_clear(&d->floors);
  text_clear(&d->reason);
  formula_clear(&d->f);
}

/* ---- random texts ---- */

static const char *const computation =
  "param n, d\ninput Q[n,d], K[n,d]\n"
  "S[i:n, j:i+1, k:d] = S[i,j,k-1], Q[i,k], K[j,k]\n"
  "P[i:n, j:i+1] = S[i,j,d-1]\n"
  "L[i:n, j:i+1] = L[i,j-1], P[i,j]\n"
  "W[i:n, j:i..n] = Q[i,0]\n"
  "output O[i:n] = L[i,i]\n";

static const char *const inner_text[] = {
  "for J in hi(I) by b { load Q[J,*] compute P[I,J] dropping S store P[I,J] drop P[I,J], Q[J,*] }",
  "for J in hi(I) by a { compute S[I,J,0] store S[I,J,0] compute S[I,J,1] dropping S drop S[I,J,1] }",
  "for j in hi(I) { load K[j,*] compute S[I,j,*] dropping S drop K[j,*] compute P[I,j] dropping S }",
  "for j in hi(I) { load P[I,j] compute L[I,j] dropping L }",
  "for j in lo(I) { load P[I,j] compute L[I,j] dropping L drop P[I,j] }",
  "for j in I { load P[I,j] compute L[I,j] dropping L drop P[I,j] if first(j) { load Q[j,0] } }",
  "for i in I { for X in hi(I) by b { load S[i,X,0] compute P[i,X] store P[i,X] drop P[i,X], S[i,X,0] } }",
  "for i in I { for X in hi(I) by a { load S[i,X,0] compute P[i,X] store P[i,X] drop P[i,X], S[i,X,0] } }",
  "for J in lo(I)..n by a { load W[I,J] drop W[I,J] }",
  "for j in lo(I)..n { load W[I,j] if last(j) { drop W[I,j] } }",
  "load W[I,I] load P[I,I] store P[I,I] drop P[I,I], W[I,I]",
  "load L[I,lo(I)] load L[I,hi(I)-1] drop L[I,lo(I)]",
  "for J in I by b { load P[I,J] load K[J,*] drop P[I,J], K[J,*] }",
  "for J in hi(I)..n by b { load P[J,I] load Q[J,0] drop P[J,I] }",
  "load P[I,lo(I)..hi(I)+2] drop P[I,lo(I)..hi(I)+2]",
  "load P[lo(I)..hi(I)+2,I] drop P[lo(I)..hi(I)+2,I]",
  "load P[I,0..lo(I)+2] drop P[I,0..lo(I)+2]",
  "load P[I,hi(I)-1..n] drop P[I,hi(I)-1..n]",
};

START_TEST(texts)
{
  support_random r = { (uint64_t)_i };
  derived d = { 0 };
  cdag *g = NULL;
  diag why = { 0 };
  text program = { 0 };
  char assign[32];
  d.most = support_between(&r, 3, MOST);
  snprintf(assign, sizeof assign, "n=%d,d=%d", (int)d.most, (int)support_between(&r, 2, 3));
  ck_assert_msg(cdag_parse(&g, "floor.cdag", computation, assign, &why) == OK, "%s", why.message);
  text_printf(&program, "param a = 1\nparam b = 1\n%sfor I in n by a {\n load Q[I,*]\n",
              support_between(&r, 0, 1) ? "load Q[0,*], K[0,0]\n" : "");
  for (int64_t k = support_between(&r, 1, 3); k > 0; k--)
    text_printf(&program, " %s\n", inner_text[support_between(&r, 0, COUNT(inner_text) - 1)]);
  text_add(&program, " drop Q[I,*]\n}\n");
  ck_assert_msg(schedule_parse(&d.s, g, 1 << 20, "floor.sched", text_str(&program), "a=1,b=1", &why) == OK, "%s in\n%s",
                why.message, text_str(&program));
  d.param[1] = 1;
  compare(&d, text_str(&program));
  schedule_free(d.s);
  text_clear(&program);
  cdag_free(g);
}
END_TEST

/* ---- the library ---- */

START_TEST(library)
{
  support_random r = { (uint64_t)_i };
  const schedule_listing *l = library_at(_i);
  derived d = { 0 };
  diag why = { 0 };
  cdag *g = library_cdag(l->family, &r);
  if (g && schedule_parse(&d.s, g, 50, l->path, l->text, "", &why) == OK && d.s->params > 0) {
    d.most = support_between(&r, 2, 8);
    d.param[0] = (int)support_between(&r, 0, d.s->params - 1);
    d.param[1] = (int)support_between(&r, 0, d.s->params - 1);
    for (int i = 0; i < d.s->params; i++) {
      d.s->param[i].given = d.s->param[i].known = true;
      d.s->param[i].value = d.s->param[i].value < 1 ? 1 : d.s->param[i].value;
    }
    compare(&d, l->path);
  }
  schedule_free(d.s);
  cdag_free(g);
}
END_TEST

/* Worth something only if floors are found, with and without assumptions. */
START_TEST(are_found)
{
  static const char *const name[] = { "flat", "flash2", "resident-squares", "standard" };
  derived d = { .most = 20 };
  diag why = { 0 };
  cdag *g = NULL;
  long before = cut;
  ck_assert_int_eq(cdag_open(&g, "attention-causal:n=20,d=3", &why), OK);
  ck_assert_int_eq(schedule_open(&d.s, g, 50, name[_i], &why), OK);
  for (int i = 0; i < d.s->params; i++) {
    d.s->param[i].given = d.s->param[i].known = true;
    d.s->param[i].value = 1;
  }
  d.param[1] = d.s->params - 1;
  compare(&d, name[_i]);
  ck_assert(used > 0 && cut > before);
  schedule_free(d.s);
  cdag_free(g);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("tune_floor");
  TCase *c = support_case(s, "floors");
  tcase_add_loop_test(c, texts, 0, support_rounds(250));
  tcase_add_loop_test(c, library, 0, support_rounds(120));
  tcase_add_loop_test(c, are_found, 0, 4);
  return support_run(s);
}
