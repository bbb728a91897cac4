/* verb_check.c -- re-verify a certificate with integers alone. */
#include "base/json.h"
#include "bounds/checker.h"
#include "cli/cli.h"
#include <inttypes.h>
#include <stdio.h>

enum { LARGEST = 1 << 30 };

static void json_about(json *j, const bound_check_result *r)
{
  char digits[17];
  SCOPED_TEXT game = { 0 };
  snprintf(digits, sizeof digits, "%016" PRIx64, r->digest);
  json_put_int(j, "M", r->m);
  json_put_open(j, "models", '[');
  for (int i = 0; i < BOUND_GAMES; i++)
    if (r->models >> i & 1)
      json_string(j, bound_game_name(i));
  json_close(j, ']');
  bound_games_sentence(r->models, &game);
  json_put_string(j, "game", r->models ? text_str(&game) : NULL);
  json_put_open(j, "cdag", '{');
  json_put_string(j, "name", text_str(&r->name));
  json_put_string(j, "assign", text_str(&r->assign));
  json_put_string(j, "digest", digits);
  if (r->counted) {
    json_put_uint(j, "vertices", r->counts.vertices);
    json_put_uint(j, "edges", r->counts.edges);
    json_put_uint(j, "inputs", r->counts.inputs);
    json_put_uint(j, "outputs", r->counts.outputs);
  }
  json_close(j, '}');
}

static void print_json(const bound_check_result *r)
{
  json j = { 0 };
  json_open(&j, '{');
  SCOPED_TEXT computation = { 0 };
  text_printf(&computation, "%s%s%s", text_str(&r->name), r->assign.n ? ":" : "", text_str(&r->assign));
  json_put_bool(&j, "valid", r->valid);
  json_put_string(&j, "theorem", text_str(&r->theorem));
  json_put_big(&j, "value", r->value);
  json_put_string(&j, "reason", r->reason.n ? text_str(&r->reason) : NULL);
  json_about(&j, r);
  json_put_string(&j, "computation", text_str(&computation));
  json_put_string(&j, "schedule", NULL);
  cli_json_end(&j, r->valid ? "certified" : NULL);
}

/* Of whom the claim speaks, so that nobody takes it for another. */
static void print_about(const bound_check_result *r)
{
  SCOPED_TEXT game = { 0 };
  bound_games_sentence(r->models, &game);
  printf("  game         %s\n  memory       M = %" PRId64 " words\n", r->models ? text_str(&game) : "not named", r->m);
  printf("  computation  \"%s%s%s\", digest %016" PRIx64 "\n", text_str(&r->name), r->assign.n ? ":" : "",
         text_str(&r->assign), r->digest);
  if (r->counted)
    printf("               %" PRIu64 " vertices, %" PRIu64 " edges, %" PRIu64 " inputs, %" PRIu64 " outputs\n",
           r->counts.vertices, r->counts.edges, r->counts.inputs, r->counts.outputs);
}

static void print_text(const bound_check_result *r)
{
  gmp_printf("%s: Q >= %Zd by %s", r->valid ? "valid" : "not valid", r->value, text_str(&r->theorem));
  printf("%s%s\n", r->reason.n ? "; " : "", text_str(&r->reason));
  print_about(r);
}

static cli_exit run(const cli_args *a)
{
  text t = { 0 };
  bound_check_result r = { 0 };
  diag d = { 0 };
  status st = text_read(&t, a->argument[0], LARGEST, &d);
  if (st == OK) {
    st = bound_check(text_str(&t), t.n, a->argument[0], &r, &d);
    bool valid = r.valid;
    if (st == OK)
      a->json ? print_json(&r) : print_text(&r);
    bound_check_clear(&r);
    text_clear(&t);
    return st == OK ? valid ? EXIT_YES : EXIT_NO : cli_fail(a, st, &d);
  }
  text_clear(&t);
  return cli_fail(a, st, &d);
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_check = {
  .name = "check",
  .arguments = "FILE",
  .least = 1,
  .most = 1,
  .summary = "re-verify the certificate of a bound with integers alone",
  .description =
      "FILE is what bound --certificate wrote ('-' is standard input). The checker shares nothing with the code that "
      "finds bounds beyond "
      "reading the computation: it derives the value again from the certificate's numbers, and says for which "
      "computation, memory and games. redblue cdag SPEC prints the digest of "
      "a computation, to compare; the name in a certificate is free text. Exit 0 when it is valid, 1 when it is "
      "not, 3 when it cannot be read.",
  .examples = "$ redblue bound matmul:m=64,n=64,k=64 -M 256 --certificate matmul.json\n$ redblue check matmul.json\n",
  .options = options,
  .run = run,
};
