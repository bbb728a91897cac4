/* verb_completion.c -- completion for bash, from the same tables as everything else. */
#include "cli/cli_internal.h"
#include "cdag/cdag.h"
#include "report/machine.h"
#include "schedules/schedule.h"
#include <stdio.h>
#include <string.h>

static void put_verbs(void)
{
  printf("  local verbs=\"");
  for (int i = 0; cli_verbs[i]; i++)
    printf("%s%s", i ? " " : "", cli_verbs[i]->name);
  printf("\"\n");
}

static void put_options_of(const cli_verb *v)
{
  const char *blank = "";
  printf("    %s) options=\"", v->name);
  for (int id = 0; id < CLI_OPTIONS; id++) {
    if (!cli_verb_takes(v, (cli_option_id)id))
      continue;
    if (cli_option_table[id].letter)
      printf("%s-%c", blank, cli_option_table[id].letter), blank = " ";
    printf("%s--%s", blank, cli_option_table[id].name), blank = " ";
  }
  printf("\" ;;\n");
}

/* After the computation, its own schedules; bash breaks SPEC at the colon. */
static void put_schedules(void)
{
  const schedule_listing *listing;
  const char *family = "";
  int n = schedule_library(&listing);
  printf("  local schedules=\n  [ \"$COMP_CWORD\" = 2 ] || case ${COMP_WORDS[2]%%%%:*} in");
  for (int i = 0; i < n; i++) {
    bool next = strcmp(family, listing[i].family) != 0;
    if (next)
      printf("%s\n    %s) schedules=\"", i ? "\" ;;" : "", family = listing[i].family);
    printf("%s%s", next ? "" : " ", listing[i].name);
  }
  printf("%s\n  esac\n", n ? "\" ;;" : "");
}

static void put_names(void)
{
  const cdag_family *family;
  int n = cdag_families(&family);
  printf("  local specs=\"");
  for (int i = 0; i < n; i++)
    printf("%s%s", i ? " " : "", family[i].name);
  printf("\"\n");
  put_schedules();
}

/* Options whose values have names, or are files. */
static void put_values(void)
{
  report_machine_listing *machine;
  int n = report_machines(&machine);
  printf("  case $before in\n    --rules) values=\"placing sliding partial\" ;;\n    --engine) values=\"element tile both\" ;;\n"
         "    --kind) values=\"memory length gap\" ;;\n    --format) case $verb in\n"
         "      cdag) values=\"edges dot graphml hyperdag cdag\" ;; table) values=\"text markdown csv json latex\" ;; plot) values=\"svg pdf png pgfplots\" ;;\n"
         "    esac ;;\n    --machine) values=\"");
  for (int i = 0; i < n; i++)
    printf("%s%s", i ? " " : "", machine[i].name);
  printf("\" ;;\n    -o|--output|--certificate|--moves|--resume) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n  esac\n"
         "  if [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\")); return; fi\n");
  report_machines_free(machine, n);
}

static cli_exit run(const cli_args *a)
{
  (void)a;
  printf("# bash completion for redblue; made by `redblue completion`\n_redblue()\n{\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD-1]} options= values=\n"
         "  # --option=value comes as three words\n"
         "  [ \"$word\" = = ] && word=\n  [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n");
  put_verbs();
  put_names();
  printf("  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\")); return; fi\n  case $verb in\n");
  for (int i = 0; cli_verbs[i]; i++)
    put_options_of(cli_verbs[i]);
  printf("  esac\n");
  put_values();
  printf("  case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -W \"$specs $schedules\" -- \"$word\")) ;;\n"
         "  esac\n}\ncomplete -o nosort -F _redblue redblue\n");
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_completion = {
  .name = "completion", .arguments = "", .least = 0, .most = 0,
  .summary = "print a completion script for bash",
  .description = "Source it, or put it where bash looks for completions; make install does.",
  .examples = "$ redblue completion > ~/.local/share/bash-completion/completions/redblue",
  .options = options, .run = run,
};
