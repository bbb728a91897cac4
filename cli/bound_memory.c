/* bound_memory.c -- least M for a given traffic: a bound above it forbids an M, and every smaller one; a play within it
   shows an M that is enough. */
#include "base/scoped.h"
#include "cli/bound_memory.h"
#include "cli/bound_schedules.h"
#include "base/num.h"
#include "cli/common.h"
#include "report/contradiction.h"
#include <stdio.h>

typedef struct {
  const cdag *g;
  const pebble_rules *rules;
  mpz_t traffic;
} asked;

/* Does the best bound forbid this traffic with m pebbles?  Then out->theorem is its name. */
static status forbids(const asked *x, uint64_t m, bool *yes, cli_least_memory *out, diag *d)
{
  pebble_rules rules = *x->rules;
  cli_bound b;
  rules.m = m;
  status st = cli_best_bound(x->g, &rules, 0, &b, yes, d);
  *yes = *yes && mpz_cmp(b.value, x->traffic) > 0;
  if (*yes)
    snprintf(out->theorem, sizeof out->theorem, "%s", b.name);
  cli_bound_clear(&b);
  return st;
}

/* The largest M forbidden lies in [lo, hi); lo is forbidden (or 0), hi is not. */
static status halve(const asked *x, uint64_t lo, uint64_t hi, cli_least_memory *out, diag *d)
{
  status st = OK;
  while (st == OK && hi - lo > 1) {
    uint64_t middle = lo + (hi - lo) / 2;
    bool yes;
    st = forbids(x, middle, &yes, out, d);
    *(yes ? &lo : &hi) = middle;
  }
  out->needed = lo + 1;
  return st;
}

static bool plays(const asked *x, uint64_t m, cli_least_memory *out)
{
  pebble_rules rules = *x->rules;
  cli_uppers u = { 0 };
  rules.m = m;
  cli_uppers_find(x->g, &rules, &u);
  const cli_upper *best = cli_uppers_best(&u);
  bool within = false;
  if (best) {
    SCOPED_MPZ io;
    mpz_init(io);
    report_set_count(io, best->io);
    within = mpz_cmp(io, x->traffic) <= 0;
  }
  if (within) {
    text_clear(&out->play);
    text_printf(&out->play, "%s, %s", best->name, num_digits(best->io).s);
    out->enough = m;
  }
  cli_uppers_clear(&u);
  return within;
}

/* Steps of 2, 4, 8, ... percent, until a play fits; then between the last two. */
static void climb(const asked *x, cli_least_memory *out)
{
  uint64_t most = x->g->vertices, lo = out->needed - 1, hi = out->needed;
  for (uint64_t step = out->needed / 50 + 1; !plays(x, hi, out); step *= 2) {
    if (hi >= most)
      return;
    lo = hi;
    hi = hi + step < most ? hi + step : most;
  }
  while (hi - lo > lo / 50 + 1) {
    uint64_t middle = lo + (hi - lo) / 2;
    *(plays(x, middle, out) ? &hi : &lo) = middle;
  }
}

static status search(const asked *x, cli_least_memory *out, diag *d)
{
  uint64_t lo = 0, hi = 1;
  bool yes = false;
  status st = forbids(x, x->g->vertices > 1 ? x->g->vertices : 1, &yes, out, d);
  if (st != OK || yes)
    return st; /* needed = 0: whatever M is */
  for (st = forbids(x, hi, &yes, out, d); st == OK && yes; st = forbids(x, hi, &yes, out, d)) {
    lo = hi;
    hi = hi <= UINT64_MAX / 2 ? 2 * hi : UINT64_MAX;
  }
  if (st == OK)
    st = halve(x, lo, hi, out, d);
  if (st == OK)
    climb(x, out);
  return st;
}

status cli_least_memory_find(const cdag *g, const pebble_rules *rules, const char *traffic, cli_least_memory *out,
                             diag *d)
{
  asked x = { .g = g, .rules = rules };
  int64_t words;
  *out = (cli_least_memory){ 0 };
  if (!num_parse(traffic, &words) || words < 0)
    return diag_set(d, BAD_USAGE, "usage", "--io needs a number of words below 2^63, such as 100000 or 4M, not '%s'",
                    traffic);
  mpz_init_set_si(x.traffic, words);
  status st = search(&x, out, d);
  mpz_clear(x.traffic);
  return st;
}

void cli_least_memory_clear(cli_least_memory *x) { text_clear(&x->play); }
