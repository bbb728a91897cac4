/* Rules that walk a mask's lists from the other side, under the names of this side: the same steps, reading the same;
   and the bounds that are read off them. */
#include "base/mem.h"
#include "bounds/bound.h"
#include "cdag/relist.h"
#include "tests/support.h"
#include "tests/support_bound.h"
#include <stdio.h>
#include <string.h>

static cdag *opened(const char *spec)
{
  cdag *g;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  return g;
}

/* What a step reads, but for the chain: the element of the first other term, and a sum over all. */
typedef struct {
  const cdag *g;
  int array, chain;    /* chain: the array that stands for it, in the new description */
  cdag_element first;
  uint64_t sum, n;
  int64_t key[CDAG_RANK];
} read;

static bool add_read(void *context, const cdag_element *e, int term)
{
  read *k = context;
  uint64_t id = (uint64_t)e->array;
  (void)term;
  if (e->array == k->array)
    return true;
  if (e->array == k->chain) {
    memcpy(k->key, e->x, sizeof k->key);
    return true;
  }
  for (int r = 0; r < k->g->array[e->array].rank; r++)
    id = id * 1000003 + (uint64_t)e->x[r] + 1;
  if (k->n++ == 0)
    k->first = *e;
  k->sum += id * id;
  return true;
}

/* Every step of dK (dV) has the new name that its value's element says, reads there what it read, and the chain says
   the old indices J, j and k. */
static void same_steps(const cdag *g, const cdag_relisted *r, const char *name, const char *spec)
{
  int y = cdag_find_array(g, name);
  char chain[CDAG_NAME];
  snprintf(chain, sizeof chain, "%s_chain", name);
  ck_assert_msg(r->g && r->chain[y] >= 0, "%s: %s has no new names", spec, name);
  ck_assert_uint_eq(r->g->array[y].count, g->array[y].count);
  for (uint64_t i = 0; i < g->array[y].count; i++) {
    cdag_element e;
    read before = { .g = g, .array = y, .chain = -1 },
         after = { .g = r->g, .array = y, .chain = cdag_find_array(r->g, chain) };
    cdag_at(g, g->array[y].first + i, &e);
    cdag_each_predecessor(g, y, e.x, add_read, &before);
    int64_t x[CDAG_RANK] = { before.first.x[0], before.first.x[1], before.first.x[2], before.first.x[3], e.x[2] };
    ck_assert_msg(cdag_exists(r->g, y, x), "%s: step %lu of %s is gone", spec, (unsigned long)i, name);
    cdag_each_predecessor(r->g, y, x, add_read, &after);
    ck_assert_msg(after.sum == before.sum && after.n == before.n && memcmp(after.key, e.x, 3 * sizeof *e.x) == 0,
                  "%s: step %lu of %s reads something else", spec, (unsigned long)i, name);
  }
}

START_TEST(random_masks)
{
  support_random r = { (uint64_t)_i };
  char spec[160];
  cdag_relisted names;
  int64_t b = support_between(&r, 1, 4), n = support_between(&r, b, 6 * b);
  snprintf(spec, sizeof spec, "attention-sparse-backward:n=%ld,d=%ld,b=%ld,w=%ld,p=%ld,seed=%d", (long)n,
           (long)support_between(&r, 1, 3), (long)b, (long)support_between(&r, 0, 2), (long)support_between(&r, 0, 60),
           _i);
  cdag *g = opened(spec);
  cdag_relist(g, &names);
  same_steps(g, &names, "dK", spec);
  same_steps(g, &names, "dV", spec);
  cdag_relisted_clear(&names);
  cdag_free(g);
}
END_TEST

/* ---- what has no new names ---- */

#define HEAD "table col[2,2] = 0, 1, 1, 2\ninput X[2,2], Y[3]\nP[I:2,q:2] = X[I,q], Y[col[I,q]]\n"
static const struct { const char *source; bool named; } texts[] = {
  { HEAD "table a[3,2] = 0, 0, 0, 1, 1, 1\ntable b[3,2] = 0, 0, 1, 0, 1, 1\ntable c[3] = 1, 2, 1\n"
         "Z[J:3,u:c[J]] = Z[J,u-1], P[a[J,u],b[J,u]]\noutput Z[J:3,c[J]-1]\n", true },
  { HEAD "table a[3,2] = 0, 0, 0, 1, 1, 1\ntable b[3,2] = 0, 0, 0, 0, 1, 1\ntable c[3] = 1, 2, 1\n" /* one step twice */
         "Z[J:3,u:c[J]] = Z[J,u-1], P[a[J,u],b[J,u]]\noutput Z[J:3,c[J]-1]\n", false },
  { HEAD "table a[3,2] = 0, 0, 0, 1, 1, 1\ntable b[3,2] = 0, 0, 1, 1, 0, 1\ntable c[3] = 1, 2, 1\n" /* not the lists */
         "Z[J:3,u:c[J]] = Z[J,u-1], P[a[J,u],b[J,u]]\noutput Z[J:3,c[J]-1]\n", false },
  { HEAD "table a[3,2] = 0, 0, 0, 1, 1, 1\ntable b[3,2] = 0, 0, 1, 0, 1, 1\ntable c[3] = 1, 1, 1\n" /* one is missing */
         "Z[J:3,u:c[J]] = Z[J,u-1], P[a[J,u],b[J,u]]\noutput Z[J:3,c[J]-1]\n", false },
};

START_TEST(names_or_none)
{
  cdag *g = bound_text_open(texts[_i].source, "");
  cdag_relisted names;
  cdag_relist(g, &names);
  ck_assert_msg((names.g != NULL) == texts[_i].named, "text %d", _i);
  cdag_relisted_clear(&names);
  cdag_free(g);
}
END_TEST

/* ---- bounds ---- */

static void value_of(const char *spec, uint64_t m, const char *theorem, mpz_t value, bool certified)
{
  cdag *g = opened(spec);
  bound_question q = { .g = g, .m = m, .theorem = strcmp(theorem, "covering") ? "backward" : theorem };
  bound_list l = { 0 };
  diag d = { 0 };
  int best;
  ck_assert_msg(bound_all(&q, &l, &best, &d) == OK, "%s: %s", spec, d.message);
  const bound *b = bound_named(&l, theorem);
  ck_assert_msg(b, "%s, M = %lu: no %s", spec, (unsigned long)m, theorem);
  mpz_set(value, b->value);
  if (certified)
    bound_certificate_stands(&q, b, spec, NULL, 0);
  bound_list_clear(&l);
  cdag_free(g);
}

/* A mask that keeps everything is none: the two bounds to the unit. */
static const struct { const char *theorem; uint64_t m; } dense[] = { { "covering", 300 }, { "backward-14", 900 } };

START_TEST(full_mask)
{
  mpz_t all, masked;
  mpz_inits(all, masked, NULL);
  value_of("attention-backward:n=96,d=4", dense[_i].m, dense[_i].theorem, all, false);
  value_of("attention-sparse-backward:n=96,d=4,b=16,w=6", dense[_i].m, dense[_i].theorem, masked, true);
  ck_assert_msg(mpz_cmp(all, masked) == 0, "%s: %ld of the full mask, %ld without", dense[_i].theorem,
                mpz_get_si(masked), mpz_get_si(all));
  mpz_clears(all, masked, NULL);
}
END_TEST

/* And the certificates of masks with rows of many lengths stand. */
START_TEST(masks_certified)
{
  mpz_t value;
  char spec[96];
  mpz_init(value);
  snprintf(spec, sizeof spec, "attention-sparse-backward:n=%d,d=4,b=8,w=1,p=30,seed=%d", 120 + _i, _i);
  value_of(spec, 60, "covering", value, true);
  mpz_clear(value);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("relist");
  TCase *c = support_case(s, "relist");
  tcase_add_loop_test(c, random_masks, 1, 1 + support_rounds(20));
  tcase_add_loop_test(c, names_or_none, 0, COUNT(texts));
  tcase_add_loop_test(c, full_mask, 0, COUNT(dense));
  tcase_add_loop_test(c, masks_certified, 0, support_rounds(2));
  return support_run(s);
}
