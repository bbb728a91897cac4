/* verb_check.c -- re-verify a certificate with integers alone. */
#include "base/json.h"
#include "bounds/checker.h"
#include "cli/cli.h"
#include <stdio.h>

enum { LARGEST = 1 << 30 };

static void print_json(const bound_check_result *r)
{
  json j = { 0 };
  json_open(&j, '{');
  json_put_bool(&j, "valid", r->valid);
  json_put_string(&j, "theorem", text_str(&r->theorem));
  json_put_big(&j, "value", r->value);
  json_put_string(&j, "reason", r->reason.n ? text_str(&r->reason) : NULL);
  cli_json_end(&j, r->valid ? "certified" : NULL);
}

static void print_text(const bound_check_result *r)
{
  gmp_printf("%s: Q >= %Zd by %s", r->valid ? "valid" : "not valid", r->value, text_str(&r->theorem));
  printf("%s%s\n", r->reason.n ? "; " : "", text_str(&r->reason));
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
  .description = "FILE is what bound --certificate wrote ('-' is standard input). The checker shares nothing with the code that finds bounds beyond "
                 "reading the computation: it derives the value again from the certificate's numbers. Exit 0 when it is valid, 1 when it is "
                 "not, 3 when it cannot be read.",
  .examples = "$ redblue bound matmul:m=64,n=64,k=64 -M 256 --certificate matmul.json\n$ redblue check matmul.json\n",
  .options = options,
  .run = run,
};
