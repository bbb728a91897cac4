/* verb_tune.c -- the best parameters of a schedule. */
#include "base/json.h"
#include "base/mem.h"
#include "cli/common.h"
#include "cli/digits.h"
#include "cli/tune_found.h"
#include "report/table.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  cdag *g;
  schedule *s;
  pebble_rules rules;
  schedule_tuning t;
} tuning;

/* The schedule with its automatic parameters still open. */
static status read_all(const cli_args *a, tuning *x, diag *d)
{
  status st = cli_rules(a, &x->rules, d);
  if (st == OK)
    st = cdag_open(&x->g, a->argument[0], d);
  return st == OK ? cli_schedule_open(a, x->g, &x->rules, a->argument[1], &x->s, d) : st;
}

static void print_json(const cli_args *a, const tuning *x)
{
  json j = { 0 };
  json_open(&j, '{');
  if (x->t.none) {
    json_put_string(&j, "params", NULL);
    json_put_string(&j, "io", NULL);
    json_put_string(&j, "peak", NULL);
  } else {
    json_key(&j, "params");
    schedule_put_setting(x->s, &j);
    json_put_uint(&j, "io", x->t.io);
    json_put_uint(&j, "peak", x->t.peak);
  }
  json_put_uint(&j, "searched", x->t.searched);
  json_put_bool(&j, "exact", x->t.exact || x->t.none);
  json_put_string(&j, "record", text_str(&x->t.record));
  json_put_uint(&j, "memory", x->rules.m);
  json_put_string(&j, "rules", cli_variant_name(x->rules.variant));
  cli_json_asked(&j, a, &x->rules.m);
  cli_json_end(&j, "counted");
}

static void print_text(const tuning *x, bool grouped)
{
  for (int i = 0; i < x->s->params; i++)
    printf("parameter  %s = %" PRId64 "\n", x->s->param[i].name, x->s->param[i].value);
  printf("I/O        %s\npeak       %" PRIu64 " red pebbles of %" PRIu64 "\n", cli_digits(grouped, x->t.io).s,
         x->t.peak, x->rules.m);
  printf("%s     %s\n", x->t.exact ? "exact" : "found", text_str(&x->t.record));
}

/* A paper's text is left empty. */
static void print_none(const tuning *x, const cli_args *a)
{
  fprintf(a->value[CLI_LATEX] ? stderr : stdout,
          "impossible no setting of the parameters is legal with M = %" PRIu64
          "; redblue verify, with one of them, says why\n",
          x->rules.m);
}

static void add_code(text *out, const char *s)
{
  text_add(out, "\\texttt{");
  report_latex_text(out, s);
  text_add(out, "}");
}

static void add_setting(const tuning *x, text *out)
{
  for (int i = 0; i < x->s->params; i++) {
    text_add(out, i ? ", $\\mathit{" : " $\\mathit{");
    report_latex_text(out, x->s->param[i].name);
    text_printf(out, "} = %" PRId64 "$", x->s->param[i].value);
  }
}

/* The words that move; by a formula too, when there is one. */
static void add_words(const tuning *x, text *out)
{
  SCOPED_TEXT io = { 0 }, holds = { 0 }, reason = { 0 };
  text_add(out, "It moves ");
  if (schedule_formula(x->s, &io, &holds, &reason)) {
    report_latex_formula(out, text_str(&io));
    text_add(out, " words, here ");
  }
  text_printf(out, "%s%s, and has at most %" PRIu64 " on chip.\n", num_digits(x->t.io).s, io.n ? "" : " words",
              x->t.peak);
  if (holds.n) {
    text_add(out, "The formula holds while ");
    report_latex_text(out, text_str(&holds));
    text_add(out, ".\n");
  }
}

/* The record, in which "I/O = FORMULA for every setting" stands once for each part that was searched. */
static void add_record(text *out, const char *record)
{
  static const char begins[] = "I/O = ", ends[] = " for every setting";
  for (const char *at, *end; (at = strstr(record, begins)) && (end = strstr(at, ends)); record = end) {
    SCOPED_TEXT before = { 0 }, formula = { 0 };
    text_printf(&before, "%.*s", (int)(at + strlen(begins) - record), record);
    text_printf(&formula, "%.*s", (int)(end - at - (ptrdiff_t)strlen(begins)), at + strlen(begins));
    report_latex_text(out, text_str(&before));
    report_latex_formula(out, text_str(&formula));
  }
  report_latex_text(out, record);
}

/* A paragraph for a paper: the setting, what it moves, and what was searched. */
static void print_latex(const tuning *x, const cli_args *a)
{
  SCOPED_TEXT out = { 0 };
  text_add(&out, "\\paragraph{The best parameters} of ");
  add_code(&out, a->argument[1]);
  text_add(&out, " on ");
  add_code(&out, a->argument[0]);
  text_printf(&out, " with $M = %" PRIu64 "$:", x->rules.m);
  add_setting(x, &out);
  text_add(&out, ".\n");
  add_words(x, &out);
  text_printf(&out, "What was searched (%s): ", x->t.exact ? "no setting is better" : "a better one is not excluded");
  add_record(&out, text_str(&x->t.record));
  text_add(&out, ".");
  puts(text_str(&out));
}

static cli_exit run(const cli_args *a)
{
  if (a->n == 1)
    return cli_tune_found(a);
  tuning x = { 0 };
  diag d = { 0 };
  status st = read_all(a, &x, &d);
  if (st == OK)
    st = schedule_tune(x.s, &x.rules, &x.t, &d);
  cli_exit code = x.t.none ? EXIT_NO : EXIT_YES;
  if (st != OK && !x.t.none)
    code = cli_fail(a, st, &d);
  else if (a->json)
    print_json(a, &x);
  else if (x.t.none)
    print_none(&x, a);
  else if (a->value[CLI_LATEX])
    print_latex(&x, a);
  else
    print_text(&x, cli_groups(a));
  schedule_tuning_clear(&x.t);
  schedule_free(x.s);
  cdag_free(x.g);
  return code;
}

static const cli_option_id options[] = { CLI_M,     CLI_MEMORY, CLI_WORD,       CLI_RULES, CLI_ONE_SHOT, CLI_PARAM,
                                         CLI_LATEX, CLI_OUTPUT, CLI_LIMIT_TIME, CLI_SEED,  CLI_GROUP,    CLI_OPTIONS };

const cli_verb cli_verb_tune = {
  .name = "tune",
  .arguments = "SPEC [SCHED]",
  .least = 1,
  .most = 2,
  .summary = "find a good schedule, or the best parameters of one",
  .description = "Chooses the parameters given as auto (or, when none is, every parameter not given) so that the "
                 "schedule fits M words and\n"
                 "moves the fewest. The answer is a setting that was played and is legal. `exact` says that no other "
                 "setting is better;\n"
                 "the record says what was looked at and why the rest cannot win; --latex prints both as a paragraph "
                 "for a paper.\n\n"
                 "Without SCHED a schedule is found: the library's for a computation of this shape, or what a search "
                 "over nests of tiled loops\n"
                 "finds for any computation with affine rules. It is printed as a text that verify accepts, its I/O, "
                 "its formula and its gap to\n"
                 "the best bound in comments; -o writes it to a file. --limit-time stops the search there, if not "
                 "after thirty seconds of the processor:\n"
                 "what was not played to its end by then says so.\n\n"
                 "Exit code 1: no setting is legal with so few words; 4: none among those looked at.",
  .examples = "$ redblue tune attention:n=8,d=2 attenio -M 40\n$ redblue tune attention:n=64,d=4 -M 100 -o "
              "best.sched\n$ redblue tune attention:n=64,d=4 flash2 -M 100 -p r=auto --json",
  .options = options,
  .run = run,
};
