/* verb_bound.c -- every lower bound that applies, the best schedule known, the gap between them. */
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "bounds/certificate.h"
#include "bounds/coq.h"
#include "cli/bound_formula.h"
#include "cli/bound_memory.h"
#include "cli/bound_schedules.h"
#include "cli/digits.h"
#include "report/contradiction.h"
#include "report/table.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  cdag *g;
  pebble_rules rules;
  bound_question q;
  bound_list list;
  int best;                    /* index into list, or -1 */
  int subject;                 /* of the proof and the certificate: the best, or the theorem named */
  size_t *order;               /* as shown: what counts first, the larger first */
  cli_uppers uppers;
  bool grouped;                /* numbers are printed for people */
} answer;

static void answer_clear(answer *x)
{
  cli_uppers_clear(&x->uppers);
  bound_list_clear(&x->list);
  mem_free(x->order);
  cdag_free(x->g);
}

/* ---- finding ---- */

/* Of the time that reading leaves, when there is a limit, this part is for bounds; the rest, and what they do not need,
 * is for schedules. */
static const double bounds_share = 0.75;

static bool counts(const answer *x, size_t i)
{
  const bound *b = &x->list.item[i];
  return (b->trust == BOUND_PROVED || b->trust == BOUND_CERTIFIED) && bound_holds_in(b, &x->q);
}

/* Those that may be best come first; among equals the larger, then the order of the table. */
static bool before(const answer *x, size_t a, size_t b)
{
  if (counts(x, a) != counts(x, b))
    return counts(x, a);
  return mpz_cmp(x->list.item[a].value, x->list.item[b].value) > 0;
}

static void put_in_order(answer *x)
{
  x->order = MEM_NEW(size_t, x->list.n);
  for (size_t i = 0; i < x->list.n; i++) {
    size_t at = i;
    for (; at > 0 && before(x, i, x->order[at - 1]); at--)
      x->order[at] = x->order[at - 1];
    x->order[at] = i;
  }
}

static status choose_subject(const cli_args *a, answer *x, diag *d)
{
  const char *name = a->value[CLI_THEOREM];
  x->subject = x->best;
  if (!name)
    return OK;
  x->subject = -1;
  for (size_t i = 0; i < x->list.n; i++) /* several statements may have a bound of this name: the largest */
    if (strcmp(x->list.item[i].name, name) == 0 && (x->subject < 0 || before(x, i, (size_t)x->subject)))
      x->subject = (int)i;
  if (x->subject >= 0)
    return OK;
  return diag_set(d, BAD_USAGE, "usage", "no bound named %s was found here; without --theorem all are listed", name);
}

static void keep_time(answer *x)
{
  double left = cli_seconds_left();
  if (isfinite(left)) {
    x->q.seconds = bounds_share * left;
    x->q.until = clock_seconds() + x->q.seconds;
  }
  cli_keeps_time();
}

/* Bounds that need time for a graph as large as this one: nobody should take a large gap for the truth. */
static void say_what_is_left_out(const answer *x)
{
  enum { WITHOUT_TIME = 20000, WITH_TIME = 1 << 18 };
  if (x->q.seconds > 0 || !x->g->graph || x->g->vertices <= WITHOUT_TIME || x->g->vertices > WITH_TIME)
    return;
  fprintf(stderr,
          "redblue: left out for a graph of more than %d vertices: wavefront, dominators; --limit-time 60 tries them\n",
          WITHOUT_TIME);
}

static status find(const cli_args *a, answer *x, diag *d)
{
  status st = cli_rules(a, &x->rules, d);
  if (st == OK)
    st = cdag_open(&x->g, a->argument[0], d);
  x->q = (bound_question){ .g = x->g, .m = x->rules.m, .one_shot = x->rules.one_shot, .variant = (int)x->rules.variant,
                           .want_proof = a->value[CLI_PROOF] != NULL };
  if (st == OK)
    keep_time(x);
  if (st == OK)
    st = bound_all(&x->q, &x->list, &x->best, d);
  if (st == OK)
    st = choose_subject(a, x, d);
  if (st == OK)
    say_what_is_left_out(x);
  if (st != OK)
    return st;
  put_in_order(x);
  if (a->value[CLI_LOWER] || cli_prints(a, CLI_COQ)) /* of Coq: it is a better judge than a schedule is */
    return OK;
  cli_uppers_find(x->g, &x->rules, &x->uppers);
  const cli_upper *upper = cli_uppers_best(&x->uppers);
  const bound *best = x->best >= 0 ? &x->list.item[x->best] : NULL;
  return upper && best ? report_not_below(upper->name, upper->io, best->value, best->name, d) : OK;
}

/* Best schedule over best bound; false when either is missing or the bound is 0. */
static bool gap_of(const answer *x, double *gap)
{
  const cli_upper *upper = cli_uppers_best(&x->uppers);
  double lower = x->best < 0 ? 0 : mpz_get_d(x->list.item[x->best].value);
  *gap = upper && lower > 0 ? (double)upper->io / lower : 0;
  return upper && lower > 0;
}

/* ---- the games a bound holds in ---- */

static void models_text(unsigned models, text *out)
{
  if (models == 0)
    text_add(out, "one family of schedules");
  else
    bound_games_text(models, out);
}

/* ---- JSON ---- */

static void json_machine_checked(json *j, const bound_coq_theorem *t)
{
  SCOPED_TEXT where = { 0 };
  if (t)
    text_printf(&where, "%s (%s)", t->theorem, t->file);
  json_put_string(j, "machine_checked", t ? text_str(&where) : NULL);
}

static void json_bound(json *j, const answer *x, const bound *b)
{
  SCOPED_TEXT models = { 0 };
  models_text(b->models, &models);
  json_open(j, '{');
  json_put_string(j, "name", b->name);
  json_put_big(j, "value", b->value);
  json_put_string(j, "trust", bound_trust_name(b->trust));
  json_put_string(j, "model", text_str(&models));
  json_put_bool(j, "holds", bound_holds_in(b, &x->q));
  json_put_string(j, "leading", b->leading.n ? text_str(&b->leading) : NULL);
  json_put_string(j, "source", b->source);
  json_put_bool(j, "certificate", bound_has_certificate(b));
  json_machine_checked(j, bound_machine_checked(&x->q, b));
  json_close(j, '}');
}

static void json_schedules(json *j, const answer *x)
{
  json_put_open(j, "schedules", '[');
  for (size_t i = 0; i < x->uppers.n; i++) {
    const cli_upper *u = &x->uppers.item[i];
    json_open(j, '{');
    json_put_string(j, "name", u->name);
    json_key(j, "io");
    if (u->fits)
      json_uint(j, u->io);
    else
      json_raw(j, "null");
    json_key(j, "params");
    json_raw(j, u->fits ? text_str(&u->params) : "null");
    json_put_string(j, "trust", "counted");
    json_put_bool(j, "played", u->fits && u->played);
    json_close(j, '}');
  }
  json_close(j, ']');
}

/* side: what kept the certificate from being written, or NULL. */
static void print_json(const cli_args *a, const answer *x, const diag *side)
{
  json j = { 0 };
  double gap;
  json_open(&j, '{');
  json_put_string(&j, "cdag", a->argument[0]);
  json_put_string(&j, "rules", cli_variant_name(x->rules.variant));
  json_put_bool(&j, "one_shot", x->rules.one_shot);
  json_put_open(&j, "bounds", '[');
  for (size_t i = 0; i < x->list.n; i++)
    json_bound(&j, x, &x->list.item[x->order[i]]);
  json_close(&j, ']');
  cli_json_best(&j, &x->list, x->best);
  json_schedules(&j, x);
  json_key(&j, "gap");
  if (gap_of(x, &gap))
    json_real(&j, gap);
  else
    json_raw(&j, "null");
  if (x->subject >= 0 && x->q.want_proof)
    json_put_string(&j, "proof", text_str(&x->list.item[x->subject].proof));
  if (side)
    json_put_error(&j, side);
  cli_json_asked(&j, a, &x->rules.m);
  cli_json_end(&j, NULL);
}

/* ---- text ---- */

/* The value for printf, until the next is asked for. */
static const char *value_of(const answer *x, const bound *b, text *room)
{
  text_clear(room);
  *room = (text){ 0 };
  cli_add_big(room, x->grouped, b->value);
  return text_str(room);
}

static void print_bounds(const answer *x)
{
  int wide = 1, name = 1;
  SCOPED_TEXT value = { 0 };
  for (size_t i = 0; i < x->list.n; i++) {
    int here = (int)strlen(value_of(x, &x->list.item[i], &value));
    wide = here > wide ? here : wide;
    name = (int)strlen(x->list.item[i].name) > name ? (int)strlen(x->list.item[i].name) : name;
  }
  for (size_t i = 0; i < x->list.n; i++) {
    const bound *b = &x->list.item[x->order[i]];
    SCOPED_TEXT models = { 0 };
    models_text(b->models, &models);
    printf("  %*s  %-*s  %-10s  %s%s%s%s\n", wide, value_of(x, b, &value), name, b->name, bound_trust_name(b->trust),
           text_str(&models), b->leading.n ? ";  " : "", text_str(&b->leading),
           bound_holds_in(b, &x->q) ? "" : "  (not in this game)");
    const bound_coq_theorem *t = bound_machine_checked(&x->q, b);
    if (t)
      printf("  %*s  machine-checked: %s (%s)\n", wide, "", t->theorem, t->file);
  }
}

static void print_schedules(const answer *x)
{
  int wide = 1;
  for (size_t i = 0; i < x->uppers.n; i++) {
    int here = (int)strlen(cli_digits(x->grouped, x->uppers.item[i].io).s);
    wide = here > wide ? here : wide;
  }
  for (size_t i = 0; i < x->uppers.n; i++) {
    const cli_upper *u = &x->uppers.item[i];
    if (u->fits)
      printf("  %*s  %s  %s%s\n", wide, cli_digits(x->grouped, u->io).s, u->name, text_str(&u->shown),
             u->played ? "" : "  (counted, and not played to its end)");
    else
      printf("  %*s  %s  does not fit, is not legal here, or was not counted in time\n", wide, "-", u->name);
  }
}

static void print_text(const answer *x, const char *spec)
{
  double gap;
  printf("%s, M = %" PRIu64 ", %s%s\nlower bounds\n", spec, x->rules.m, cli_variant_name(x->rules.variant),
         x->rules.one_shot ? ", one-shot" : "");
  print_bounds(x);
  if (x->uppers.n > 0) {
    puts("schedules");
    print_schedules(x);
  }
  SCOPED_TEXT value = { 0 };
  if (x->best >= 0)
    printf("best bound %s (%s, %s)\n", value_of(x, &x->list.item[x->best], &value), x->list.item[x->best].name,
           bound_trust_name(x->list.item[x->best].trust));
  if (gap_of(x, &gap))
    printf("gap %.4f (%s over %s)\n", gap, cli_uppers_best(&x->uppers)->name, x->list.item[x->best].name);
}

/* ---- the proof ---- */

static void print_escaped(const char *s)
{
  SCOPED_TEXT latex = { 0 };
  report_latex_text(&latex, s);
  fputs(text_str(&latex), stdout);
}

/* LaTeX with long numbers in groups of three digits. */
static void print_grouped(const char *latex)
{
  SCOPED_TEXT out = { 0 };
  for (const char *before = " "; *latex; before = latex - 1) {
    size_t n = isalnum((unsigned char)*before) || strchr("._", *before) ? 0 : strspn(latex, "0123456789");
    if (n > 4)
      text_add_groups(&out, latex, n, "\\,");
    else
      text_add_n(&out, latex, n ? n : 1);
    latex += n ? n : 1;
  }
  fputs(text_str(&out), stdout);
}

/* A SPEC may be longer than a line: it may end behind its signs. */
static void print_code(const char *s)
{
  printf("\\texttt{");
  for (size_t n; *s; s += n) {
    n = strcspn(s, "/:,");
    n += s[n] != 0;
    char *part = mem_text_n(s, n);
    print_escaped(part);
    mem_free(part);
    if (s[n])
      printf("\\allowbreak{}");
  }
  printf("}");
}

/* amsthm puts its box behind the last line, not below it. */
static void print_latex_proof(const answer *x, const bound *b, const char *spec, const char *models)
{
  char *value = mem_new(mpz_sizeinbase(b->value, 10) + 2, 1), *proof = mem_text(text_str(&b->proof_latex));
  mpz_get_str(value, 10, b->value);
  printf("%% needs \\usepackage{amsmath,amsthm} and \\newtheorem{theorem}{Theorem}\n\\begin{theorem}[");
  print_escaped(b->name);
  printf("]\nEvery play of ");
  print_code(spec);
  SCOPED_TEXT claim = { 0 };
  text_printf(&claim, " with $M = %lu$ red pebbles (%s) moves at least $%s$ words.", (unsigned long)x->rules.m, models,
              value);
  print_grouped(text_str(&claim));
  printf("\n\\end{theorem}\n\\begin{proof}\n");
  print_grouped(text_trim(proof));
  printf("\n\\end{proof}\n");
  mem_free(proof);
  mem_free(value);
}

static void print_proof(const answer *x, const char *spec, bool latex)
{
  const bound *b = &x->list.item[x->subject];
  SCOPED_TEXT models = { 0 };
  models_text(b->models, &models);
  if (latex) {
    print_latex_proof(x, b, spec, text_str(&models));
  } else {
    gmp_printf("Claim (%s). Every play of %s with M = %lu red pebbles (%s) moves at least %Zd words.\n\nProof.\n\n%s",
               b->name, spec, (unsigned long)x->rules.m, text_str(&models), b->value, text_str(&b->proof));
    printf("Source: %s.\n", b->source);
    const bound_coq_theorem *t = bound_machine_checked(&x->q, b);
    if (t)
      printf("Machine-checked: %s (%s); --coq FILE writes this number as a theorem.\n", t->theorem, t->file);
  }
}

/* ---- the certificate, the theorem in Coq ---- */

static status put(const answer *x, const bound *b,
                  status (*write)(const bound_question *q, const bound *b, text *out, diag *d), const char *path,
                  diag *d)
{
  SCOPED_TEXT t = { 0 };
  status st = write(&x->q, b, &t, d);
  if (st == OK)
    st = text_write(&t, path, d);
  return st;
}

static bool can_certify(const answer *x, const bound *b) { (void)x; return bound_has_certificate(b); }
static bool can_coq(const answer *x, const bound *b) { return bound_machine_checked(&x->q, b) != NULL; }

/* Of the bound named, or of the largest that counts and can be written so. */
static status write_one(const cli_args *a, const answer *x, const char *what,
                        bool (*can)(const answer *x, const bound *b),
                        status (*write)(const bound_question *q, const bound *b, text *out, diag *d), const char *path,
                        diag *d)
{
  if (a->value[CLI_THEOREM]) {
    const bound *b = &x->list.item[x->subject];
    return can(x, b) ? put(x, b, write, path, d) : diag_set(d, GAVE_UP, "limit", "%s has no %s", b->name, what);
  }
  for (size_t i = 0; i < x->list.n; i++) {
    const bound *b = &x->list.item[x->order[i]];
    if (!counts(x, x->order[i]) || !can(x, b))
      continue;
    status st = put(x, b, write, path, d);
    if (st == GAVE_UP)
      continue; /* not followed by the checker: the next one */
    if (st == OK && (int)x->order[i] != x->best)
      gmp_fprintf(stderr, "redblue: the best bound has no %s; this one is of %s, %Zd\n", what, b->name, b->value);
    return st;
  }
  return diag_set(d, GAVE_UP, "limit", "none of the bounds here has a %s", what);
}

static status write_files(const cli_args *a, const answer *x, diag *d)
{
  const char *certificate = a->value[CLI_CERTIFICATE], *coq = a->value[CLI_COQ];
  status st = certificate ? write_one(a, x, "certificate", can_certify, bound_certify, certificate, d) : OK;
  return st == OK && coq ? write_one(a, x, "theorem in Coq", can_coq, bound_coq, coq, d) : st;
}

/* One line: the best bound, the best schedule, the gap. */
static void print_brief(const answer *x, const char *spec)
{
  const cli_upper *upper = cli_uppers_best(&x->uppers);
  double gap;
  SCOPED_TEXT value = { 0 };
  printf("%s, M = %" PRIu64 ": ", spec, x->rules.m);
  if (x->best >= 0)
    printf("at least %s (%s, %s)", value_of(x, &x->list.item[x->best], &value), x->list.item[x->best].name,
           bound_trust_name(x->list.item[x->best].trust));
  else
    printf("no bound");
  if (upper)
    printf(", %s moves %s%s", upper->name, cli_digits(x->grouped, upper->io).s, upper->played ? "" : " (counted)");
  if (gap_of(x, &gap))
    printf(", gap %.4f", gap);
  puts("");
}

static void print_answer(const cli_args *a, const answer *x, const diag *side)
{
  if (a->json)
    print_json(a, x, side);
  else if (a->value[CLI_BRIEF])
    print_brief(x, a->argument[0]);
  else if (a->value[CLI_PROOF] && x->subject >= 0)
    print_proof(x, a->argument[0], a->value[CLI_LATEX] != NULL);
  else
    print_text(x, a->argument[0]);
}

/* ---- the inverse question ---- */

static void print_least(const cli_args *a, const cli_least_memory *x)
{
  printf("%s, traffic at most %s\n", a->argument[0], a->value[CLI_IO]);
  if (x->needed.words == 0)
    printf("no M is enough: every play moves more (%s)\n", x->needed.theorem);
  else if (x->needed.words == 1)
    puts("M at least 1: no bound forbids less");
  else
    printf("M at least %" PRIu64 " (%s forbids less)\n", x->needed.words, x->needed.theorem);
  if (x->enough)
    printf("M enough   %" PRIu64 " (%s)\n", x->enough, text_str(&x->play));
  else if (x->needed.words)
    puts("no play within it is known");
}

static void print_least_json(const cli_args *a, const cli_least_memory *x)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_string(&j, "traffic", a->value[CLI_IO]);
  json_put_bool(&j, "possible", x->needed.words > 0);
  json_key(&j, "needed");
  json_uint(&j, x->needed.words);
  json_put_string(&j, "theorem", x->needed.theorem);
  json_key(&j, "enough");
  if (x->enough)
    json_uint(&j, x->enough);
  else
    json_raw(&j, "null");
  json_put_string(&j, "play", x->enough ? text_str(&x->play) : NULL);
  cli_json_asked(&j, a, NULL);
  cli_json_end(&j, NULL);
}

static cli_exit run_inverse(const cli_args *a)
{
  pebble_rules rules = { 0 };
  cli_least_memory x = { 0 };
  cdag *g = NULL;
  diag d = { 0 };
  status st = cli_variant(a, &rules, &d);
  if (st == OK && a->value[CLI_M])
    st = diag_set(&d, BAD_USAGE, "usage", "--io asks for M, so -M is not given");
  if (st == OK)
    st = cdag_open(&g, a->argument[0], &d);
  if (st == OK)
    st = cli_least_memory_find(g, &rules, a->value[CLI_IO], &x, &d);
  if (st == OK)
    (a->json ? print_least_json : print_least)(a, &x);
  cli_exit code = st != OK ? cli_fail(a, st, &d) : x.needed.words ? EXIT_YES : EXIT_NO;
  cli_least_memory_clear(&x);
  cdag_free(g);
  return code;
}

static cli_exit run_bounds(const cli_args *a)
{
  answer x = { .best = -1, .grouped = cli_groups(a) };
  diag d = { 0 };
  status st = find(a, &x, &d);
  if (st == OK)
    st = write_files(a, &x, &d);
  bool side = st == IO_ERROR && x.order; /* all is found, but the file cannot be written */
  cli_exit code = EXIT_YES;
  if (st != OK && !side)
    code = cli_fail(a, st, &d);
  else if (side || !(cli_prints(a, CLI_CERTIFICATE) || cli_prints(a, CLI_COQ)))
    print_answer(a, &x, side ? &d : NULL);
  if (st == OK && (x.list.stopped || x.uppers.stopped)) {
    fprintf(stderr,
            "redblue: stopped at the limit of time: these are the bounds and the schedules that were known by then\n");
    code = EXIT_GAVE_UP;
  }
  if (side)
    code = cli_side_failed(&d);
  answer_clear(&x);
  return code;
}

static cli_exit run(const cli_args *a)
{
  return a->value[CLI_FORMULA] ? cli_bound_formula(a) : a->value[CLI_IO] ? run_inverse(a) : run_bounds(a);
}

static const cli_option_id options[] = { CLI_M, CLI_MEMORY, CLI_WORD, CLI_RULES, CLI_ONE_SHOT, CLI_IO, CLI_PROOF,
                                         CLI_LATEX, CLI_FORMULA,
                                         CLI_LOWER, CLI_BRIEF, CLI_CERTIFICATE, CLI_COQ,
                                         CLI_THEOREM, CLI_LIMIT_TIME, CLI_GROUP, CLI_OPTIONS };
const cli_verb cli_verb_bound = {
  .name = "bound",
  .arguments = "SPEC",
  .least = 1,
  .most = 1,
  .summary = "every lower bound that applies, the best schedule known, and the gap",
  .description = "Each bound is shown with how far it can be trusted and the games it holds in; only what is proved or "
                 "certified counts as best. "
                 "Beside them stand the library's schedules for the computation, at their best parameters, or else "
                 "what a short search finds; and the gap. --lower looks for none.\n\n"
                 "--proof prints the argument for the best bound in words, with these numbers (--latex: for a paper). "
                 "--certificate writes "
                 "what redblue check needs to derive it again, --coq the same numbers as a theorem for Coq "
                 "(make proofs; docs/proofs.md). --formula leaves parameters and M as letters. "
                 "--theorem NAME selects another bound for --proof and --certificate. "
                 "--limit-time allows bounds that "
                 "take longer, and gives the schedules what they leave (two seconds for each otherwise); what is known "
                 "when time is over is shown, with exit "
                 "code 4.\n\n--io WORDS asks the other way round: the least M that the bounds allow a play of so much "
                 "traffic, and an M with which one is known (to 2 %). "
                 "--machine NAME instead of -M: the least traffic of a machine.",
  .examples = "$ redblue bound attention:n=131072,d=128 -M 256K\n"
              "$ redblue bound attention:n=8192,d=64 --io 8M\n"
              "$ redblue bound matmul:m=512,n=512,k=512 -M 3K --proof\n"
              "$ redblue bound attention:n=4096,d=64 -M 16K --certificate attention.json\n",
  .options = options,
  .run = run,
};
