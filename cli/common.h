/* common.h -- what several verbs read from the command line: the game, the computation and the schedule. */
#ifndef REDBLUE_CLI_COMMON_H
#define REDBLUE_CLI_COMMON_H

#include "bounds/bound.h"
#include "cdag/cdag.h"
#include "cli/cli.h"
#include "report/plot.h"
#include "pebble/game.h"
#include "schedules/schedule.h"

/* Is "-" the file of this option?  Then what it asks for is printed in the place of the answer. */
bool cli_prints(const cli_args *a, cli_option_id file);
/* "best": the best bound of a list, or null when best < 0. */
void cli_json_best(json *j, const bound_list *list, int best);
/* --rules and --one-shot (rules->m is left alone); then with -M or --memory as well. */
status cli_variant(const cli_args *a, pebble_rules *rules, diag *d);
status cli_rules(const cli_args *a, pebble_rules *rules, diag *d);
const char *cli_variant_name(pebble_variant v);

/* Open a schedule; parameters that are `auto` or without a value stay so. */
status cli_schedule_open(const cli_args *a, const cdag *g, const pebble_rules *rules, const char *sched, schedule **s,
                         diag *d);
/* Open a schedule; tune the parameters that are `auto`; complain of those without a value (BAD_USAGE, "parameter"). */
status cli_schedule(const cli_args *a, const cdag *g, const pebble_rules *rules, const char *sched, schedule **s,
                    diag *d);
/* The same, but a file (or "-") that is a list of moves is not read: *list is then set, ready to be played, and *s is
 * NULL. */
status cli_schedule_or_list(const cli_args *a, const cdag *g, const pebble_rules *rules, const char *sched,
                            schedule **s, schedule_reader **list, diag *d);

/* The best proved or certified bound for this game: its value, name and trust; false when there is none. */
typedef struct {
  mpz_t value;
  char name[64];
  bound_trust trust;
} cli_bound;
status cli_best_bound(const cdag *g, const pebble_rules *rules, double seconds, cli_bound *b, bool *found,
                      diag *d); /* inits b */
void cli_bound_clear(cli_bound *b);

/* Of a picture: its form, by --format or the ending of --output (SVG on standard output); and --width in points, 0 when
 * not given. */
status cli_picture(const cli_args *a, report_picture *how, diag *d);
status cli_width(const cli_args *a, double *width, diag *d);

#endif
