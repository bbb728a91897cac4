/* The literature as data: which rows speak of which CDAG, their values, and that none of them is ever the best. */
#include "base/mem.h"
#include "bounds/literature/literature.h"
#include "bounds/bound.h"
#include "tests/support.h"
#include <string.h>

static cdag *open_cdag(const char *spec)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_open(&g, spec, &d) == OK, "%s: %s", spec, d.message);
  return g;
}

/* Worked out by hand from the printed formulas; -1: the row does not speak of it. */
static const struct { const char *spec; uint64_t m; const char *name; long value; bound_trust trust; } golden[] = {
  { "matmul:m=4,n=4,k=1", 3, "cosma-theorem-1", 34, BOUND_REFUTED },           /* 32/sqrt 3 + 16 = 34.475 */
  { "matmul:m=400,n=400,k=4", 64, "cosma-theorem-1", 320000, BOUND_REFUTED },  /* 1280000/8 + 160000 */
  { "matmul:m=64,n=64,k=64", 16, "smith-et-al", 131040, BOUND_PUBLISHED },     /* 2*64^3/4 - 32 */
  { "matmul:m=64,n=64,k=64", 16, "soap-gemm", 131072, BOUND_ASYMPTOTIC },
  { "matmul:m=64,n=64,k=2", 16, "soap-gemm", -1, BOUND_ASYMPTOTIC },           /* k below sqrt M */
  { "matmul:m=64,n=64,k=64", 8, "irony-toledo-tiskin", 32760, BOUND_PUBLISHED }, /* 64^3/8 - 8 */
  { "matmul:m=64,n=64,k=64", 8, "any-graph-matmul", 65528, BOUND_PUBLISHED },  /* 64^3/4 - 8 */
  { "matmul:m=64,n=64,k=64", 16, "attenio-tall", -1, BOUND_PUBLISHED },
  { "matmul:m=64,n=64,k=4", 16, "attenio-tall", 11178, BOUND_PUBLISHED },      /* 4096 + 256 + 64^2*20/12 = 11178.67 */
  { "attention:n=64,d=4", 16, "saha-ye", 4096, BOUND_ASYMPTOTIC },             /* n^2 d^2/M = n^2 d/sqrt M */
  { "attention:n=64,d=4", 64, "saha-ye-constant", 448, BOUND_PUBLISHED },      /* 65536/128 - 64 */
  { "attention:n=64,d=4", 64, "attenio", 7065, BOUND_PUBLISHED },              /* 512 + 4*4096*24/60 = 7065.6 */
  { "attention:n=64,d=4,dv=8", 64, "saha-ye", -1, BOUND_ASYMPTOTIC },
  { "attention:n=64,d=16", 64, "iolb-2mm", 32768, BOUND_ASYMPTOTIC },          /* 2*4096*32/8 */
  { "attention:n=64,d=4", 64, "iolb-2mm", -1, BOUND_ASYMPTOTIC },
  { "attention-causal:n=64,d=4", 64, "li-sparse", 1024, BOUND_REFUTED },    /* (64*4)^2/64 */
  { "attention-backward:n=64,d=4", 64, "li-backward", 1088, BOUND_ASYMPTOTIC }, /* (65536 + 4096)/64 */
  { "attention-gradient:n=64,d=4", 64, "li-gradient", 1088, BOUND_ASYMPTOTIC },
  { "attention-gradient:n=64,d=4", 4, "li-gradient", 8704, BOUND_ASYMPTOTIC }, /* (64^2*4 + 64*16)/2 */
  { "attention-gradient:n=64,d=16", 64, "iolb-2mm", -1, BOUND_ASYMPTOTIC },
  { "attention-backward:n=64,d=4", 64, "saha-ye", -1, BOUND_ASYMPTOTIC },
  { "fft:l=8", 16, "hong-kung-fft", 176, BOUND_PUBLISHED },                    /* 256*9/12 - 16 */
  { "fft:l=8", 16, "hong-kung-fft-order", 102, BOUND_PUBLISHED },              /* 2048/20 */
  { "strassen:l=5", 100, "ballard-strassen", 2618, BOUND_ASYMPTOTIC },         /* 3.2^2.80735 * 100 */
  { "strassen:l=5", 100, "bilardi-strassen", 2618, BOUND_ASYMPTOTIC },
  { "strassen:l=2", 17, "bilardi-strassen", -1, BOUND_ASYMPTOTIC },            /* 17 words hold a matrix */
  { "cholesky:n=30", 100, "soap-cholesky", 900, BOUND_REFUTED },
  { "cholesky:n=30", 100, "iolb-cholesky", 450, BOUND_ASYMPTOTIC },
};

static const bound *find(const bound_list *l, const char *name)
{
  for (size_t i = 0; i < l->n; i++)
    if (!strcmp(l->item[i].name, name))
      return &l->item[i];
  return NULL;
}

START_TEST(golden_values)
{
  cdag *g = open_cdag(golden[_i].spec);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = golden[_i].m };
  bound_list l = { 0 };
  diag d;
  ck_assert_int_eq(bound_theorem_find("literature")->apply(&q, &l, &d), OK);
  const bound *b = find(&l, golden[_i].name);
  if (golden[_i].value < 0)
    ck_assert_ptr_null(b);
  else {
    ck_assert_ptr_nonnull(b);
    ck_assert_int_eq(b->trust, golden[_i].trust);
    ck_assert_int_eq(mpz_get_si(b->value), golden[_i].value);
  }
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

static const char syrk[] =
    "param n k\ninput A[n,k]\nC[i:n, j:i, l:k] = C[i,j,l-1], A[i,l], A[j,l]\noutput C[*,*,k-1]\n";
static const char syr2k[] = "param n k\ninput A[n,k], B[n,k]\n"
                            "C[i:n, j:i, l:k] = C[i,j,l-1], A[i,l], B[j,l], B[i,l], A[j,l]\noutput C[*,*,k-1]\n";
static const char lu_like[] =
    "param n k\ninput A[n,k], B[n,k]\nC[i:n, j:i, l:k] = C[i,j,l-1], A[i,l], B[j,l]\noutput C[*,*,k-1]\n";
static const struct { const char *text, *row; bool there; } symmetric[] = {
  { syrk, "soap-syrk", true }, { syrk, "cosma-theorem-1", false }, { syr2k, "soap-syr2k", true },
  { syr2k, "soap-syrk", false }, { lu_like, "soap-syrk", false },
};
START_TEST(symmetric_updates)
{
  cdag *g = NULL;
  diag d = { 0 };
  ck_assert_msg(cdag_parse(&g, "mine", symmetric[_i].text, "n=20,k=30", &d) == OK, "%s", d.message);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 25 };
  bound_list l = { 0 };
  ck_assert_int_eq(bound_theorem_find("literature")->apply(&q, &l, &d), OK);
  const bound *b = find(&l, symmetric[_i].row);
  ck_assert_int_eq(b != NULL, symmetric[_i].there);
  if (b)
    ck_assert_int_eq(mpz_get_si(b->value), strcmp(symmetric[_i].row, "soap-syr2k") ? 2400 : 4800); /* k n^2 / sqrt M */
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

static const char *const specs[] = { "matmul:m=4,n=4,k=1", "matmul:m=30,n=30,k=4", "attention:n=16,d=4", "fft:l=5",
                                     "attention-backward:n=8,d=2", "strassen:l=3" };
START_TEST(never_the_best)
{
  cdag *g = open_cdag(specs[_i]);
  bound_question q = { .work = SEARCH_WORK, .g = g, .m = 40, .one_shot = true };
  bound_list l = { 0 };
  diag d;
  int best;
  ck_assert_int_eq(bound_all(&q, &l, &best, &d), OK);
  ck_assert_int_ge(best, 0);
  const literature_row *row;
  for (int r = literature_rows(&row); r-- > 0;)
    ck_assert_str_ne(row[r].name, l.item[best].name);
  bound_list_clear(&l);
  cdag_free(g);
}
END_TEST

START_TEST(rows_are_complete)
{
  const literature_row *row;
  int n = literature_rows(&row);
  for (int r = 0; r < n; r++) {
    ck_assert(row[r].trust == BOUND_PUBLISHED || row[r].trust == BOUND_ASYMPTOTIC || row[r].trust == BOUND_REFUTED);
    ck_assert(*row[r].formula && *row[r].source && *row[r].conditions && row[r].value &&
              !(row[r].models & BOUND_PARTIAL));
    for (int k = 0; k < r; k++)
      ck_assert_str_ne(row[k].name, row[r].name);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("literature");
  TCase *c = support_case(s, "literature");
  tcase_add_loop_test(c, golden_values, 0, COUNT(golden));
  tcase_add_loop_test(c, symmetric_updates, 0, COUNT(symmetric));
  tcase_add_loop_test(c, never_the_best, 0, COUNT(specs));
  tcase_add_test(c, rows_are_complete);
  return support_run(s);
}
