/* digits.c -- 4,295,229,440 for people, 4295229440 for programs. */
#include "cli/digits.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORT = 4 }; /* so many digits are read at a glance */

bool cli_groups(const cli_args *a) { return !a->json && (a->value[CLI_GROUP] || isatty(STDOUT_FILENO)); }

static void add_number(text *out, bool grouped, const char *digits)
{
  size_t sign = *digits == '-', n = strlen(digits) - sign;
  text_add_n(out, digits, sign);
  text_add_groups(out, digits + sign, n, grouped && n > SHORT ? "," : "");
}

cli_number cli_digits(bool grouped, num_count c)
{
  cli_number number;
  SCOPED_TEXT t = { 0 };
  add_number(&t, grouped && num_known(c), num_digits(c).s);
  memcpy(number.s, text_str(&t), t.n + 1);
  return number;
}

cli_words cli_traffic(bool grouped, num_count io, num_count loads, num_count stores)
{
  cli_words w;
  snprintf(w.s, sizeof w.s, "%s = %s load%s + %s store%s", cli_digits(grouped, io).s, cli_digits(grouped, loads).s,
           loads == 1 ? "" : "s", cli_digits(grouped, stores).s, stores == 1 ? "" : "s");
  return w;
}

void cli_add_big(text *out, bool grouped, const mpz_t v)
{
  char *digits = mpz_get_str(NULL, 10, v);
  add_number(out, grouped, digits);
  free(digits);
}
