#include "cli/tune_found.h"
#include "cli/digits.h"
#include "base/json.h"
#include "base/num.h"
#include "schedules/tiler/find.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  cdag *g;
  pebble_rules rules;
  schedule_find_options options;
  schedule_found found;
  schedule *s;                 /* the text, read again */
  cli_bound bound;
  bool bounded;
} finding;

static status find(const cli_args *a, finding *x, diag *d)
{
  status st = cli_rules(a, &x->rules, d);
  if (st == OK)
    st = cli_seconds(a, CLI_LIMIT_TIME, SCHEDULE_FIND_SECONDS, &x->options.seconds, d);
  x->options.seconds *= a->value[CLI_LIMIT_TIME] ? 0.5 : 1; /* the bound, too, takes some of a limit */
  if (st == OK)
    st = cdag_open(&x->g, a->argument[0], d);
  if (st == OK)
    st = schedule_find(x->g, &x->rules, &x->options, &x->found, d);
  if (st == OK)
    st = schedule_parse(&x->s, x->g, x->rules.m, "found.sched", text_str(&x->found.source), "", d);
  return st == OK ? cli_best_bound(x->g, &x->rules, 0, &x->bound, &x->bounded, d) : st;
}

static num_count io(const finding *x) { return num_plus(x->found.loads, x->found.stores); }
static double gap(const finding *x)
{
  return x->bounded && mpz_sgn(x->bound.value) > 0 ? (double)io(x) / mpz_get_d(x->bound.value) : 0;
}

static const char *origin(const finding *x)
{
  static const char *const names[] = { "nothing", "library", "search", "plain" };
  return names[x->found.origin];
}

static void print_json(const cli_args *a, const finding *x, const text *formula)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "origin", origin(x));
  json_put_string(&j, "name", x->found.name[0] ? x->found.name : NULL);
  json_key(&j, "params");
  schedule_put_setting(x->s, &j);
  json_put_uint(&j, "io", io(x));
  json_put_uint(&j, "loads", x->found.loads);
  json_put_uint(&j, "stores", x->found.stores);
  json_put_uint(&j, "peak", x->found.peak);
  json_put_uint(&j, "searched", x->found.searched);
  json_put_bool(&j, "exact", false);
  json_put_bool(&j, "played", x->found.played);
  json_put_string(&j, "record", text_str(&x->found.record));
  json_put_string(&j, "formula", formula->n ? text_str(formula) : NULL);
  json_key(&j, "lower_bound");
  if (x->bounded) {
    json_open(&j, '{');
    json_put_big(&j, "value", x->bound.value);
    json_put_string(&j, "name", x->bound.name);
    json_put_string(&j, "trust", bound_trust_name(x->bound.trust));
    json_close(&j, '}');
  } else
    json_raw(&j, "null");
  json_key(&j, "gap");
  if (gap(x) > 0)
    json_real(&j, gap(x));
  else
    json_raw(&j, "null");
  json_put_string(&j, "schedule", text_str(&x->found.source));
  json_put_string(&j, "computation", a->argument[0]);
  json_put_uint(&j, "M", x->rules.m);
  json_put_uint(&j, "memory", x->rules.m);
  json_put_string(&j, "rules", cli_variant_name(x->rules.variant));
  cli_json_end(&j, "played");
}

/* The text, and before it in comments what there is to say of it. */
static void write_all(const finding *x, const char *spec, const text *formula, text *out)
{
  text_printf(out, "# %s, M = %" PRIu64 ": %s%s\n", spec, x->rules.m,
              x->found.origin == FOUND_LIBRARY ? "from the library, "
              : x->found.origin == FOUND_PLAIN ? "element by element"
                                               : "found by search",
              x->found.origin == FOUND_LIBRARY ? x->found.name : "");
  text_printf(out, "# I/O      %s%s%s\n", cli_traffic(false, io(x), x->found.loads, x->found.stores).s,
              formula->n ? "; as a formula: " : "", text_str(formula));
  text_printf(out, "# peak     %" PRIu64 " red pebbles of %" PRIu64 "\n", x->found.peak, x->rules.m);
  if (!x->found.played)
    text_add(out, "# counted  and legal as far as it was played; time was over before its end "
                  "(redblue verify plays all)\n");
  if (x->bounded) {
    SCOPED_TEXT value = { 0 };
    char *digits = mpz_get_str(NULL, 10, x->bound.value);
    text_add(&value, digits);
    free(digits);
    text_printf(out, "# bound    %s (%s)%s", text_str(&value), x->bound.name, gap(x) > 0 ? "" : "\n");
    if (gap(x) > 0)
      text_printf(out, ", gap %.4f\n", gap(x));
  }
  if (x->found.record.n)
    text_printf(out, "# searched %s\n", text_str(&x->found.record));
  text_add(out, text_str(&x->found.source));
}

cli_exit cli_tune_found(const cli_args *a)
{
  finding x = { 0 };
  diag d = { 0 };
  text formula = { 0 }, holds = { 0 }, reason = { 0 }, all = { 0 };
  status st = find(a, &x, &d);
  if (st == OK) {
    if (!schedule_formula(x.s, &formula, &holds, &reason) || holds.n)
      text_clear(&formula);
    write_all(&x, a->argument[0], &formula, &all);
    const char *to = a->value[CLI_OUTPUT];
    if (to || !a->json)
      st = text_write(&all, to, &d);
    if (st == OK && a->json && !cli_prints(a, CLI_OUTPUT))
      print_json(a, &x, &formula);
  }
  cli_exit code = st == OK ? EXIT_YES : cli_fail(a, st, &d);
  text_clear(&formula);
  text_clear(&holds);
  text_clear(&reason);
  text_clear(&all);
  cli_bound_clear(&x.bound);
  schedule_free(x.s);
  schedule_found_clear(&x.found);
  cdag_free(x.g);
  return code;
}
