/* verb_degree.c -- which degree do monomial features need, and how many are they?

   Alman and Song (arXiv 2302.13214): exp(t) is replaced by a polynomial of degree g on |t| <= B, t a score, and the
   polynomial of q . k is an inner product of binomial(d+g, g) monomials.  Taylor's polynomial: the tail beyond degree
   g is at most B^(g+1)/(g+1)! / (1 - B/(g+2)) when B < g + 2, and exp(t) >= exp(-B); so the relative error is at most

     e(g) = exp(B) B^(g+1)/(g+1)! / (1 - B/(g+2)).

   Printed is the least g with e(g) <= EPS: enough, and perhaps more than the best polynomial needs, whose degree is of
   the order max(B, log(1/EPS) / log(log(1/EPS)/B)) (Aggarwal and Alman, arXiv 2205.06249; recalled, check before
   citing). */
#include "base/json.h"
#include "base/num.h"
#include "cli/cli.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEGREES = 1 << 20 };

/* The logarithm of e(g), rounded up by more than the arithmetic errs; infinite where the tail is not geometric. */
static double log_error(double b, int64_t g)
{
  double n = (double)g;
  return b < n + 2 ? b + (n + 1) * log(b) - lgamma(n + 2) - log1p(-b / (n + 2)) + 1e-9 * (1 + fabs(n) + b) : INFINITY;
}

static int64_t least_degree(double b, double eps)
{
  int64_t g = 0;
  while (g < DEGREES && log_error(b, g) > log(eps))
    g++;
  return g;
}

/* A number above 0, all of the word. */
static bool positive(const char *s, double *x)
{
  char *end;
  *x = strtod(s, &end);
  return end != s && !*end && isfinite(*x) && *x > 0;
}

static void put_json(const cli_args *a, int64_t g, double error, bool fits, int64_t features)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "bound", a->argument[0]);
  json_put_string(&j, "error", a->argument[1]);
  json_put_string(&j, "d", a->argument[2]);
  json_put_uint(&j, "degree", (uint64_t)g);
  json_put_real(&j, "reached", error);
  json_key(&j, "features");
  if (fits)
    json_uint(&j, (uint64_t)features);
  else
    json_raw(&j, "null");
  cli_json_end(&j, "numeric");
}

static void put_text(int64_t g, double error, bool fits, int64_t features, const char *d)
{
  printf("degree     %" PRId64 ", relative error at most %.3g\n", g, error);
  if (fits)
    printf("features   %" PRId64 ": attention-lowrank:n=...,d=%s,g=%" PRId64 "\n", features, d, g);
  else
    puts("features   2^63 or more");
}

/* Scores up to 10000, an error below 1, a width. */
static bool read_question(const cli_args *a, double *b, double *eps, int64_t *d)
{
  return positive(a->argument[0], b) && *b <= 1e4 && positive(a->argument[1], eps) && *eps < 1 &&
         num_parse(a->argument[2], d) && *d >= 1;
}

static cli_exit run(const cli_args *a)
{
  double b, eps;
  int64_t d, features = 0;
  diag bad = { 0 };
  if (!read_question(a, &b, &eps, &d)) {
    status st = diag_set(&bad, BAD_USAGE, "usage",
                         "degree needs a bound on scores up to 10000, an error below 1, a width: 1 0.001 64");
    return cli_fail(a, st, &bad);
  }
  int64_t g = least_degree(b, eps);
  bool fits = d < INT64_MAX - g && num_binomial(d + g, g, &features);
  if (a->json)
    put_json(a, g, exp(log_error(b, g)), fits, features);
  else
    put_text(g, exp(log_error(b, g)), fits, features, a->argument[2]);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_degree = {
  .name = "degree", .arguments = "BOUND ERROR WIDTH", .least = 3, .most = 3,
  .summary = "degree and number of monomial features for approximate attention",
  .description = "BOUND: on the scores q . k (scaled) in absolute value; ERROR: relative, of each exponential; WIDTH: "
                 "d. The degree is that of Taylor's polynomial, which is enough; the best polynomial's is of the order "
                 "max(B, log(1/e) / log(log(1/e)/B)) (Aggarwal and Alman, arXiv 2205.06249: recalled, check before "
                 "citing). The features are those of Alman and Song, arXiv 2302.13214.",
  .examples = "$ redblue degree 1 0.001 8\n$ redblue bound attention-lowrank:n=64K,d=8,g=2 -M 1K",
  .options = options, .run = run,
};
