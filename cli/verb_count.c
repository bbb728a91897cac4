/* verb_count.c -- count a schedule's I/O without playing it, as numbers and as a formula. */
#include "base/json.h"
#include "base/latex.h"
#include "base/mem.h"
#include "cli/common.h"
#include "cli/digits.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  cdag *g;
  schedule *s;                 /* or a list of moves, counted as it is read */
  schedule_reader *list;
  const char *file;
  pebble_rules rules;
  schedule_counts c;
  bool played;                 /* it could not be counted, so it was played */
  schedule_verdict v;          /* then */
  bool has_formula;
  text formula, holds, reason;
} counting;

static void counting_clear(counting *x)
{
  schedule_counts_clear(&x->c);
  schedule_verdict_clear(&x->v);
  text_clear(&x->formula);
  text_clear(&x->holds);
  text_clear(&x->reason);
  schedule_free(x->s);
  schedule_reader_free(x->list);
  cdag_free(x->g);
}

static status read_all(const cli_args *a, counting *x, diag *d)
{
  status st = cli_rules(a, &x->rules, d);
  if (st == OK)
    st = cdag_open(&x->g, a->argument[0], d);
  if (st == OK)
    st = cli_schedule_or_list(a, x->g, &x->rules, a->argument[1], &x->s, &x->list, d);
  if (st == OK)
    x->file = x->s ? x->s->file : strcmp(a->argument[1], "-") == 0 ? "stdin" : a->argument[1];
  return st;
}

/* What cannot be counted is played; M does not matter to a count. */
static status play_instead(counting *x, diag *d)
{
  bool graph = x->g->graph != NULL || x->rules.variant == PEBBLE_PARTIAL;
  schedule_play_options o = { .rules = x->rules,
                              .engine = graph ? PEBBLE_BY_ELEMENT : PEBBLE_BY_TILE,
                              .fast_forward = true };
  o.rules.m = UINT64_MAX;
  x->played = true;
  schedule_verdict_clear(&x->v);
  status st = x->list ? schedule_play_list(x->list, x->g, &o, &x->v, d) : schedule_play(x->s, &o, &x->v, d);
  if (st != OK)
    return st;
  x->c.loads = x->v.verdict.loads;
  x->c.stores = x->v.verdict.stores;
  x->c.computes = x->v.verdict.computes;
  x->c.peak = x->v.verdict.peak;
  size_t bytes = (size_t)x->c.arrays * sizeof(num_count);
  memcpy(x->c.loads_by_array, x->v.loads_by_array, bytes);
  memcpy(x->c.stores_by_array, x->v.stores_by_array, bytes);
  return OK;
}

/* A list has no loops to sum over; a value that is missing in it was met: that is in the verdict. */
static status count_list(counting *x, diag *d)
{
  status st = schedule_count_list(x->list, x->g, &x->rules, &x->c, &x->v, d);
  text_add(&x->reason, "a list of moves has no loops to sum over");
  x->played = st == OK && !x->c.countable;
  return x->played && x->v.verdict.rule != PEBBLE_VALUE ? play_instead(x, d) : st;
}

static status count(const cli_args *a, counting *x, diag *d)
{
  if (x->list)
    return count_list(x, d);
  status st = schedule_count(x->s, &x->rules, &x->c, d);
  if (st == OK && !x->c.countable)
    st = play_instead(x, d);
  if (st == OK && (a->json || a->value[CLI_FORMULA] || a->value[CLI_LATEX]))
    x->has_formula = schedule_formula(x->s, &x->formula, &x->holds, &x->reason);
  if (x->has_formula && a->value[CLI_LATEX])
    latex_rewrite(&x->formula);
  return st;
}

static void put_arrays(json *j, const counting *x)
{
  json_put_open(j, "arrays", '[');
  for (int i = 0; i < x->g->arrays; i++) {
    json_open(j, '{');
    json_put_string(j, "name", x->g->array[i].name);
    json_put_uint(j, "loads", x->c.loads_by_array[i]);
    json_put_uint(j, "stores", x->c.stores_by_array[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static bool fits(const counting *x) { return x->c.peak <= x->rules.m; }

static void print_json(const cli_args *a, const counting *x)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_uint(&j, "loads", x->c.loads);
  json_put_uint(&j, "stores", x->c.stores);
  json_put_uint(&j, "io", schedule_counts_io(&x->c));
  json_put_uint(&j, "peak", x->c.peak);
  json_put_uint(&j, "computes", x->c.computes);
  json_key(&j, "params");
  schedule_put_setting(x->s, &j);
  json_put_string(&j, "formula", x->has_formula ? text_str(&x->formula) : NULL);
  if (x->has_formula)
    json_put_string(&j, "formula_holds", x->holds.n ? text_str(&x->holds) : NULL);
  else
    json_put_string(&j, "formula_reason", text_str(&x->reason));
  json_put_string(&j, "method", x->played ? "played" : "counted");
  if (x->played)
    json_put_string(&j, "method_reason", x->c.reason);
  put_arrays(&j, x);
  json_put_uint(&j, "memory", x->rules.m);
  json_put_bool(&j, "fits", fits(x));
  json_put_string(&j, "rules", cli_variant_name(x->rules.variant));
  cli_json_asked(&j, a, &x->rules.m);
  cli_json_end(&j, "counted");
}

static void print_arrays(const counting *x, bool grouped)
{
  for (int i = 0; i < x->g->arrays; i++)
    if (x->c.loads_by_array[i] || x->c.stores_by_array[i])
      printf("  %-8s %12s loads %12s stores\n", x->g->array[i].name,
             cli_digits(grouped, x->c.loads_by_array[i]).s, cli_digits(grouped, x->c.stores_by_array[i]).s);
}

static void print_text(const counting *x, bool grouped)
{
  for (int i = 0; x->s && i < x->s->params; i++)
    printf("parameter  %s = %" PRId64 "\n", x->s->param[i].name, x->s->param[i].value);
  printf("I/O        %s\n", cli_traffic(grouped, schedule_counts_io(&x->c), x->c.loads, x->c.stores).s);
  print_arrays(x, grouped);
  printf("peak       %" PRIu64 " red pebbles%s\ncomputes   %s\n", x->c.peak, fits(x) ? "" : ", more than M",
         cli_digits(grouped, x->c.computes).s);
  if (x->played)
    printf("played     %s\n", x->c.reason);
}

static cli_exit answer(const cli_args *a, const counting *x)
{
  bool only = a->value[CLI_FORMULA] || a->value[CLI_LATEX];
  if (a->json)
    print_json(a, x);
  else if (!only)
    print_text(x, cli_groups(a));
  else if (x->has_formula) {
    puts(text_str(&x->formula));
    if (x->holds.n)
      fprintf(stderr, "redblue: it holds while %s\n", text_str(&x->holds));
  } else
    fprintf(stderr, "redblue: no formula: %s\n", text_str(&x->reason));
  return only && !x->has_formula ? EXIT_NO : EXIT_YES;
}

/* A play that breaks off has no count to show. */
static cli_exit broke_off(const cli_args *a, const counting *x)
{
  diag d;
  diag_at(&d, BAD_INPUT, "value", x->file, x->v.line, x->v.column,
          "%s, and playing it ends early: rule '%s'; see redblue verify", x->c.reason,
          pebble_rule_name(x->v.verdict.rule));
  cli_fail(a, BAD_INPUT, &d);
  return EXIT_NO;
}

static cli_exit run(const cli_args *a)
{
  counting x = { 0 };
  diag d = { 0 };
  status st = read_all(a, &x, &d);
  if (st == OK)
    st = count(a, &x, &d);
  cli_exit code = st != OK ? cli_fail(a, st, &d) : x.played && !x.v.verdict.legal ? broke_off(a, &x) : answer(a, &x);
  counting_clear(&x);
  return code;
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_PARAM, CLI_FORMULA,
                                         CLI_LATEX, CLI_GROUP, CLI_OPTIONS };

const cli_verb cli_verb_count = {
  .name = "count",
  .arguments = "SPEC SCHED",
  .least = 2,
  .most = 2,
  .summary = "count a schedule's I/O without playing it; --formula",
  .description = "Gives loads, stores, computes and the most red pebbles of a schedule, exactly and in about a "
                 "millisecond whatever n. Whether\n"
                 "the schedule is legal is not asked: that is redblue verify. What cannot be counted is played.\n\n"
                 "--formula prints the I/O as a formula in the parameters, --latex for a paper. Where the counts "
                 "depend on more than the\n"
                 "lengths of the loops there is none, and exit code 1 says so.",
  .examples =
      "$ redblue count attention:n=8,d=2 attenio -M 40\n$ redblue count attention:n=8,d=2 attenio -M 40 --formula",
  .options = options,
  .run = run,
};
