/* digits.h -- numbers for people: digits in groups of three on a terminal, or where --group asks for it; never
   in JSON, never in a pipe that did not ask. */
#ifndef REDBLUE_CLI_DIGITS_H
#define REDBLUE_CLI_DIGITS_H
#include "cli/cli.h"

typedef struct { char s[NUM_DIGITS + NUM_DIGITS / 3 + 1]; } cli_number;

bool cli_groups(const cli_args *a);
cli_number cli_digits(bool grouped, num_count c);    /* for printf: cli_digits(grouped, c).s */
/* "5 = 4 loads + 1 store", for printf like cli_digits. */
typedef struct { char s[3 * sizeof(cli_number) + 24]; } cli_words;
cli_words cli_traffic(bool grouped, num_count io, num_count loads, num_count stores);
void cli_add_big(text *out, bool grouped, const mpz_t v);
#endif
