/* The literature's lower bounds, a row each.  Symbols: M words of fast memory; see docs/literature.md for what each
   source assumes.  SOAP's and IOLB's entries are the leading terms of their published tables. */
#include "bounds/bound.h"
#include "bounds/literature/literature.h"
#include <math.h>

#define RECOMPUTED (BOUND_RECOMPUTE | BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING)
#define ONCE (BOUND_ONE_SHOT | BOUND_PLACING | BOUND_SLIDING)
#define FAMILY 0 /* least over one family of dataflows: a bound in no game of ours */

static const char hk[] = "Hong and Kung, I/O complexity: the red-blue pebble game, STOC 1981";
static const char itt[] = "Irony, Toledo and Tiskin, JPDC 64, 2004";
static const char smith[] = "Smith, Lowery, Langou and van de Geijn, arXiv 1702.02017";
static const char cosma[] = "Kwasniewski et al., COSMA, SC 2019, Theorem 1";
static const char soap[] = "Kwasniewski et al., SOAP, arXiv 2105.07203, table of Polybench";
static const char iolb[] = "Olivry, Langou, Pouchet, Sadayappan and Rastello, IOLB, PLDI 2020";
static const char lean[] = "Constantinides, Lean formalisation of the red-blue pebble game";
static const char saha[] = "Saha and Ye, arXiv 2402.07443";
static const char attenio[] = "Lu et al., AttenIO, ASPLOS 2026";
static const char li[] = "Li et al., arXiv 2410.09397";
static const char expansion[] = "Ballard, Demmel, Holtz and Schwartz, Graph expansion, J. ACM 59, 2012";
static const char strassen[] = "Bilardi and De Stefani, arXiv 1605.02224";
static const char tbs[] = "Beaumont et al., arXiv 2202.10217";

/* ---- formulas ---- */

static double work(const literature_case *c) { return c->m * c->n * c->k; }

static double hk_matmul(const literature_case *c) { return work(c) / sqrt(c->memory); }
static double itt_matmul(const literature_case *c) { return work(c) / (2 * sqrt(2 * c->memory)) - c->memory; }
static double smith_matmul(const literature_case *c) { return 2 * work(c) / sqrt(c->memory) - 2 * c->memory; }
static double lean_matmul(const literature_case *c) { return work(c) / sqrt(2 * c->memory) - c->memory; }
static double cosma_matmul(const literature_case *c) { return 2 * work(c) / sqrt(c->memory) + c->m * c->n; }
static double gemm_leading(const literature_case *c) { return 2 * work(c) / sqrt(c->memory); }

static double tall_attenio(const literature_case *c)
{
  return c->n * c->n + c->n * c->k + c->n * c->n * c->k * (c->k + 1) / (c->memory - c->k);
}

static double saha_attention(const literature_case *c)
{
  return fmin(c->pairs * c->d * c->d / c->memory, c->pairs * c->d / sqrt(c->memory));
}
static double saha_constant(const literature_case *c)
{
  return c->pairs * c->d * c->d / (c->memory + 4 * c->d * c->d) - c->memory;
}
static double attenio_attention(const literature_case *c)
{
  return 2 * c->n * c->d + 4 * c->pairs * c->d * (c->d + 2) / (c->memory - c->d);
}
static double two_products(const literature_case *c) { return 2 * c->pairs * (c->d + c->dv) / sqrt(c->memory); }
static double li_sparse(const literature_case *c)
{
  double input = c->n * c->d; /* entries of an input, all nonzero here */
  return fmin(input * input / c->memory, input * sqrt(c->pairs / c->memory));
}

static double fast_matmul(const literature_case *c)
{
  return pow(c->n / sqrt(c->memory), log2(7)) * c->memory;
}

static double li_backward(const literature_case *c)
{
  double n = c->n, d = c->d;
  return fmin((n * n * d * d + n * d * d * d) / c->memory, (n * n * d + n * d * d) / sqrt(c->memory));
}

static double hk_fft(const literature_case *c)
{
  return c->n * (log2(c->n) + 1) / (2 * log2(4 * c->memory)) - c->memory;
}
static double lean_fft(const literature_case *c) { return c->n * log2(c->n) / (5 * log2(c->memory)); }

static double soap_syrk(const literature_case *c) { return c->k * c->n * c->n / sqrt(c->memory); }
static double iolb_syrk(const literature_case *c) { return soap_syrk(c) / 2; }
static double tbs_syrk(const literature_case *c) { return soap_syrk(c) / sqrt(2); }
static double soap_syr2k(const literature_case *c) { return 2 * soap_syrk(c); }
static double soap_cholesky(const literature_case *c) { return pow(c->n, 3) / (3 * sqrt(c->memory)); }
static double iolb_cholesky(const literature_case *c) { return pow(c->n, 3) / (6 * sqrt(c->memory)); }
static double tbs_cholesky(const literature_case *c) { return soap_cholesky(c) / sqrt(2); }

/* ---- conditions ---- */

static bool long_sides(const literature_case *c) { return fmin(c->m, fmin(c->n, c->k)) >= sqrt(c->memory); }
static bool resident_rows(const literature_case *c) { return c->memory > 2 * c->k && c->k * c->k <= c->memory; }
static bool square_dense(const literature_case *c) { return c->m == c->n && c->pairs == c->n * c->m && c->d == c->dv; }
static bool dense_large(const literature_case *c)
{
  return square_dense(c) && c->memory >= 4 * c->d * c->d && c->memory < c->n * c->d;
}
static bool wide_heads(const literature_case *c)
{
  return c->pairs == c->n * c->m && fmin(c->d, c->dv) >= sqrt(c->memory);
}
static bool masked(const literature_case *c) { return c->pairs < c->n * c->m && c->d == c->dv; }
static bool same_width(const literature_case *c) { return square_dense(c); }
static bool long_sequence(const literature_case *c) { return square_dense(c) && c->n >= c->d; }
static bool larger_matrix(const literature_case *c) { return c->memory <= c->n * c->n; }
static bool three_words(const literature_case *c) { return c->memory >= 3; }

static const literature_row table[] = {
  { "hong-kung-matmul", LIT_MATMUL, BOUND_ASYMPTOTIC, RECOMPUTED, "m n k / sqrt(M)", hk, "order only: no constant",
    NULL, hk_matmul },
  { "irony-toledo-tiskin", LIT_MATMUL, BOUND_PUBLISHED, ONCE, "m n k / (2 sqrt(2) sqrt(M)) - M", itt,
    "each product a(i,l) b(l,j) formed once; one processor", NULL, itt_matmul },
  { "smith-et-al", LIT_MATMUL, BOUND_PUBLISHED, RECOMPUTED, "2 m n k / sqrt(M) - 2 M", smith,
    "fused multiply-adds; counts loads; printed for C := A B + C", NULL, smith_matmul },
  { "any-graph-matmul", LIT_MATMUL, BOUND_PUBLISHED, RECOMPUTED, "m n k / sqrt(2 M) - M", lean,
    "any evaluation order, machine-checked", NULL, lean_matmul },
  { "soap-gemm", LIT_MATMUL, BOUND_ASYMPTOTIC, ONCE, "2 m n k / sqrt(M)", soap,
    "leading term, all sides beyond sqrt(M)", long_sides, gemm_leading },
  { "iolb-gemm", LIT_MATMUL, BOUND_ASYMPTOTIC, ONCE, "2 m n k / sqrt(M)", iolb,
    "leading term, all sides beyond sqrt(M)", long_sides, gemm_leading },
  { "cosma-theorem-1", LIT_MATMUL, BOUND_REFUTED, ONCE, "2 m n k / sqrt(M) + m n", cosma,
    "false for C = A B with small k: 33 < 34.48 at (m,n,k,M) = (4,4,1,3), 207888 < 320000 at (400,400,4,64); births "
    "cost nothing",
    NULL, cosma_matmul },
  { "attenio-tall", LIT_TALL, BOUND_PUBLISHED, FAMILY, "n^2 + n k + n^2 k (k+1) / (M - k)", attenio,
    "Equation 12; least over dataflows that keep rows, k^2 <= M; not claimed for all pebblings", resident_rows,
    tall_attenio },
  { "saha-ye", LIT_ATTENTION, BOUND_ASYMPTOTIC, RECOMPUTED, "min(n^2 d^2 / M, n^2 d / sqrt(M))", saha,
    "order only: no constant", same_width, saha_attention },
  { "saha-ye-constant", LIT_ATTENTION, BOUND_PUBLISHED, RECOMPUTED, "n^2 d^2 / (M + 4 d^2) - M", saha,
    "a constant read out of their proof, not printed by them", same_width, saha_constant },
  { "attenio", LIT_ATTENTION, BOUND_PUBLISHED, FAMILY, "2 n d + 4 n^2 d (d+2) / (M - d)", attenio,
    "least over dataflows that keep query rows, 4 d^2 <= M < n d; not claimed for all pebblings", dense_large,
    attenio_attention },
  { "soap-2mm", LIT_ATTENTION, BOUND_ASYMPTOTIC, ONCE, "2 n m (d + dv) / sqrt(M)", soap,
    "two chained products, leading term, all sides beyond sqrt(M)", wide_heads, two_products },
  { "iolb-2mm", LIT_ATTENTION, BOUND_ASYMPTOTIC, ONCE, "2 n m (d + dv) / sqrt(M)", iolb,
    "two chained products, leading term, all sides beyond sqrt(M)", wide_heads, two_products },
  { "li-sparse", LIT_ATTENTION, BOUND_REFUTED, RECOMPUTED, "min(Z^2 / M, Z sqrt(E / M)), Z = n d, E scored pairs", li,
    "said of a mask it is false, in order too: with w blocks a row it grows as n^1.5, a play as n (at n = 65536 "
    "38600704 < 67108864); theirs is about sparse inputs",
    masked, li_sparse },
  { "li-backward", LIT_BACKWARD, BOUND_ASYMPTOTIC, RECOMPUTED, "min((n^2 d^2 + n d^3) / M, (n^2 d + n d^2) / sqrt(M))",
    li,
    "Theorem 1.1, order only; n >= d: its terms n d^3 and n d^2 are of a d x d weight matrix, which is not in this "
    "computation",
    long_sequence, li_backward },
  { "li-gradient", LIT_GRADIENT, BOUND_ASYMPTOTIC, RECOMPUTED, "min((n^2 d^2 + n d^3) / M, (n^2 d + n d^2) / sqrt(M))",
    li, "Theorem 1.1, order only; its gradient by the d x d matrix X is this computation", NULL, li_backward },
  { "hong-kung-fft", LIT_FFT, BOUND_PUBLISHED, RECOMPUTED, "n (log2 n + 1) / (2 log2(4 M)) - M", lean,
    "machine-checked constant", NULL, hk_fft },
  { "hong-kung-fft-order", LIT_FFT, BOUND_PUBLISHED, RECOMPUTED, "n log2 n / (5 log2 M)", lean,
    "machine-checked, M >= 3", three_words, lean_fft },
  { "ballard-strassen", LIT_STRASSEN, BOUND_ASYMPTOTIC, ONCE, "(n / sqrt(M))^log2(7) M", expansion,
    "order only, M at most n^2", larger_matrix, fast_matmul },
  { "bilardi-strassen", LIT_STRASSEN, BOUND_ASYMPTOTIC, RECOMPUTED, "(n / sqrt(M))^log2(7) M", strassen,
    "order only, M at most n^2", larger_matrix,
    fast_matmul },
  { "soap-syrk", LIT_SYRK, BOUND_REFUTED, ONCE, "k n^2 / sqrt(M)", soap,
    "sqrt(2) too high: triangular blocks (arXiv 2202.10217) move k n^2 / sqrt(2 M)", NULL, soap_syrk },
  { "iolb-syrk", LIT_SYRK, BOUND_ASYMPTOTIC, ONCE, "k n^2 / (2 sqrt(M))", iolb, "leading term", NULL, iolb_syrk },
  { "tbs-syrk", LIT_SYRK, BOUND_ASYMPTOTIC, ONCE, "k n^2 / sqrt(2 M)", tbs,
    "leading term, attained by their triangular blocks", NULL, tbs_syrk },
  { "soap-syr2k", LIT_SYR2K, BOUND_REFUTED, ONCE, "2 k n^2 / sqrt(M)", soap, "sqrt(2) too high: triangular blocks",
    NULL, soap_syr2k },
  { "soap-cholesky", LIT_CHOLESKY, BOUND_REFUTED, ONCE, "n^3 / (3 sqrt(M))", soap,
    "sqrt(2) too high: LBC (arXiv 2202.10217) moves n^3 / (3 sqrt(2 M))", NULL, soap_cholesky },
  { "iolb-cholesky", LIT_CHOLESKY, BOUND_ASYMPTOTIC, ONCE, "n^3 / (6 sqrt(M))", iolb, "leading term", NULL,
    iolb_cholesky },
  { "tbs-cholesky", LIT_CHOLESKY, BOUND_ASYMPTOTIC, ONCE, "n^3 / (3 sqrt(2 M))", tbs, "leading term, attained by LBC",
    NULL, tbs_cholesky },
};

int literature_rows(const literature_row **rows)
{
  *rows = table;
  return (int)(sizeof table / sizeof *table);
}

static void add_record(const literature_row *row, const literature_case *c, bound_list *out)
{
  double v = row->value(c);
  bound *b = bound_list_add(out, row->name, row->trust, row->models, row->source);
  mpz_set_d(b->value, v > 0 && isfinite(v) ? floor(v) : 0);
  text_add(&b->leading, row->formula);
  text_printf(&b->proof, "%s. %s.", row->source, row->conditions);
}

static status apply_literature(const bound_question *q, bound_list *out, diag *d)
{
  literature_case c[LIT_CASES];
  int n = literature_cases(q->g, q->live, q->m, c);
  (void)d;
  for (int i = 0; i < n; i++)
    for (size_t r = 0; r < sizeof table / sizeof *table; r++)
      if (table[r].kernel == c[i].kernel && (!table[r].holds || table[r].holds(&c[i])))
        add_record(&table[r], &c[i], out);
  return OK;
}

BOUND_THEOREM(150, literature) = {
  .name = "literature",
  .summary = "what others have published, asymptotic or refuted: never the best",
  .source = "docs/literature.md",
  .apply = apply_literature,
};
