/* verb_completion.c -- completion for bash, from the same tables as everything else. */
#include "cli/cli_internal.h"
#include "cdag/cdag.h"
#include "schedules/schedule.h"

static void put_verbs(void)
{
  printf("  local verbs=\"");
  for (int i = 0; cli_verbs[i]; i++)
    printf("%s%s", i ? " " : "", cli_verbs[i]->name);
  printf("\"\n");
}

static void put_options_of(const cli_verb *v)
{
  const char *word[CLI_OPTIONS];
  int n = 0;
  for (int id = 0; id < CLI_OPTIONS; id++)
    if (cli_verb_takes(v, (cli_option_id)id))
      word[n++] = cli_option_table[id].name;
  printf("    %s) options=\"--", v->name);
  for (int i = 0; i < n; i++)
    printf("%s%s", i ? " --" : "", word[i]);
  printf("\" ;;\n");
}

static void put_names(void)
{
  const cdag_family *family;
  int n = cdag_families(&family);
  printf("  local specs=\"");
  for (int i = 0; i < n; i++)
    printf("%s%s", i ? " " : "", family[i].name);
  printf("\"\n  local schedules=\"");
  const schedule_listing *listing;
  n = schedule_library(&listing);
  for (int i = 0; i < n; i++)
    printf("%s%s", i ? " " : "", listing[i].name);
  printf("\"\n");
}

static cli_exit run(const cli_args *a)
{
  (void)a;
  printf("# bash completion for redblue; made by `redblue completion`\n_redblue()\n{\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} options=\n");
  put_verbs();
  put_names();
  printf("  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\")); return; fi\n  case $verb in\n");
  for (int i = 0; cli_verbs[i]; i++)
    put_options_of(cli_verbs[i]);
  printf("  esac\n  case $word in\n"
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
