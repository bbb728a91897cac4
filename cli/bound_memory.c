/* bound_memory.c -- least M for a given traffic: a bound above it forbids an M, a play within it shows an M that is
   enough. */
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
  uint64_t most = x->g->vertices, lo = out->needed.words - 1, hi = out->needed.words;
  for (uint64_t step = hi / 50 + 1; !plays(x, hi, out); step *= 2) {
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
  bound_question q = { .g = g, .one_shot = rules->one_shot, .variant = (int)rules->variant };
  status st = bound_memory_needed(&q, x.traffic, &out->needed, d);
  if (st == OK && out->needed.words > 0)
    climb(&x, out);
  mpz_clear(x.traffic);
  return st;
}

void cli_least_memory_clear(cli_least_memory *x) { text_clear(&x->play); }
