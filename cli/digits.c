/* digits.c -- 4,295,229,440 for people, 4295229440 for programs. */
#include "cli/digits.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORT = 4 }; /* so many digits are read at a glance */

bool cli_groups(const cli_args *a) { return !a->json && (a->value[CLI_GROUP] || isatty(STDOUT_FILENO)); }

/* Puts digits, after a sign if there is one, at out, which has room. */
static void group(char *out, const char *digits)
{
  if (*digits == '-')
    *out++ = *digits++;
  for (size_t n = strlen(digits), left = n; left > 0; left--) {
    *out++ = *digits++;
    if (n > SHORT && left > 1 && left % 3 == 1)
      *out++ = ',';
  }
  *out = '\0';
}

cli_number cli_digits(bool grouped, num_count c)
{
  cli_number number;
  num_text plain = num_digits(c);
  if (grouped && num_known(c))
    group(number.s, plain.s);
  else
    memcpy(number.s, plain.s, sizeof plain.s);
  return number;
}

void cli_add_big(text *out, bool grouped, const mpz_t v)
{
  char *digits = mpz_get_str(NULL, 10, v), *all = MEM_NEW(char, 2 * strlen(digits) + 1);
  if (grouped)
    group(all, digits);
  text_add(out, grouped ? all : digits);
  mem_free(all);
  free(digits);
}
