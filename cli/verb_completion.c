/* verb_completion.c -- completion for bash, zsh and fish, from the same tables as everything else. */
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
  printf("  case $before in\n    --rules) values=\"placing sliding partial\" ;;\n    --engine) values=\"element tile "
         "both\" ;;\n"
         "    --kind) values=\"memory length gap bar\" ;;\n    --format) case $verb in\n"
         "      cdag) values=\"edges dot graphml hyperdag cdag\" ;; table) values=\"text markdown csv json latex\" ;; "
         "plot) values=\"svg pdf png pgfplots\" ;; moves) values=\"text compact\" ;;\n"
         "    esac ;;\n    --machine) values=\"");
  for (int i = 0; i < n; i++)
    printf("%s%s", i ? " " : "", machine[i].name);
  printf("\" ;;\n    -o|--output|--certificate|--moves|--resume) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n  "
         "esac\n"
         "  if [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\")); return; fi\n");
  report_machines_free(machine, n);
}

/* ---- zsh and fish: verbs, options with what they do, families, schedules, values ---- */

/* In single quotes: a quote within is '\\'' in both shells' grammar; brackets and colons would end a part of zsh's. */
static void put_quoted(const char *s, const char *masked)
{
  for (; *s; s++)
    if (*s == '\'')
      fputs("'\\''", stdout);
    else if (*s == '\n')
      putchar(' ');
    else
      printf(strchr(masked, *s) ? "\\%c" : "%c", *s);
}

static const char *values_of(cli_option_id id)
{
  return id == CLI_RULES ? "placing sliding partial"
         : id == CLI_ENGINE ? "element tile both"
         : id == CLI_KIND ? "memory length gap bar"
                          : NULL;
}

static bool takes_file(cli_option_id id) { return id == CLI_OUTPUT || id == CLI_MOVES || id == CLI_CERTIFICATE; }

static void put_zsh_option(cli_option_id id)
{
  const cli_option *o = &cli_option_table[id];
  const char *values = values_of(id);
  if (o->letter)
    printf("      '(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter, o->argument ? "+" : "", o->name,
           o->argument ? "=" : "");
  else
    printf("      '--%s%s[", o->name, o->argument ? "=" : "");
  put_quoted(o->help, "[]:\\");
  printf("]");
  if (o->argument)
    printf(":%s:%s", o->argument, takes_file(id) ? "_files" : values ? "(" : " ");
  printf("%s%s' \\\n", values ? values : "", values ? ")" : "");
}

static void put_families(const char *blank)
{
  const cdag_family *family;
  for (int i = 0, n = cdag_families(&family); i < n; i++)
    printf("%s%s", i ? blank : "", family[i].name);
}

static void put_zsh_schedules(void)
{
  const schedule_listing *listing;
  int n = schedule_library(&listing);
  printf("  local -A schedules=(");
  for (int i = 0; i < n; i++) {
    bool next = i == 0 || strcmp(listing[i].family, listing[i - 1].family) != 0;
    printf("%s%s%s", !next ? " " : i ? "' " : "", next ? listing[i].family : "", next ? " '" : "");
    fputs(listing[i].name, stdout);
  }
  printf("')\n");
}

static void print_zsh(void)
{
  printf("#compdef redblue\n# completion for zsh; made by `redblue completion zsh`\n_redblue_words() {\n");
  put_zsh_schedules();
  printf("  [[ $CURRENT == 2 ]] || compadd -- ${=schedules[${words[2]%%%%:*}]}\n  compadd -- ");
  put_families(" ");
  printf("\n  _files\n}\n_redblue() {\n  local -a verbs=(\n");
  for (int i = 0; cli_verbs[i]; i++) {
    printf("    '%s:", cli_verbs[i]->name);
    put_quoted(cli_verbs[i]->summary, "\\");
    printf("'\n");
  }
  printf("  )\n  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n  local verb=${words[2]}\n"
         "  shift words\n  (( CURRENT-- ))\n  case $verb in\n");
  for (int i = 0; cli_verbs[i]; i++) {
    printf("    %s) _arguments -s \\\n", cli_verbs[i]->name);
    for (int id = 0; id < CLI_OPTIONS; id++)
      if (cli_verb_takes(cli_verbs[i], (cli_option_id)id))
        put_zsh_option((cli_option_id)id);
    printf("      '*: :_redblue_words' ;;\n");
  }
  printf("  esac\n}\nif [ \"$funcstack[1]\" = _redblue ]; then _redblue \"$@\"; else compdef _redblue redblue; fi\n");
}

static void put_fish_option(const cli_verb *v, cli_option_id id)
{
  const cli_option *o = &cli_option_table[id];
  const char *values = values_of(id);
  printf("complete -c redblue -n '__fish_seen_subcommand_from %s' -l %s", v->name, o->name);
  if (o->letter)
    printf(" -s %c", o->letter);
  if (o->argument)
    printf(takes_file(id) ? " -r" : " -x");
  if (values)
    printf(" -a '%s'", values);
  printf(" -d '");
  put_quoted(o->help, "");
  printf("'\n");
}

static void print_fish(void)
{
  const schedule_listing *listing;
  printf("# completion for fish; made by `redblue completion fish`\n");
  for (int i = 0; cli_verbs[i]; i++) {
    printf("complete -c redblue -n __fish_use_subcommand -f -a %s -d '", cli_verbs[i]->name);
    put_quoted(cli_verbs[i]->summary, "");
    printf("'\n");
    for (int id = 0; id < CLI_OPTIONS; id++)
      if (cli_verb_takes(cli_verbs[i], (cli_option_id)id))
        put_fish_option(cli_verbs[i], (cli_option_id)id);
  }
  printf("complete -c redblue -n 'test (count (commandline -opc)) -eq 2' -a '");
  put_families(" ");
  printf("'\n");
  for (int i = 0, n = schedule_library(&listing); i < n; i++)
    printf("complete -c redblue -n 'string match -qr \"^%s(:|\\$)\" -- (commandline -opc)[3]' -a %s\n",
           listing[i].family, listing[i].name);
}

static void print_bash(void)
{
  printf("# bash completion for redblue; made by `redblue completion`\n_redblue()\n{\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD-1]} options= "
         "values=\n"
         "  # --option=value comes as three words\n"
         "  [ \"$word\" = = ] && word=\n  [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n");
  put_verbs();
  put_names();
  printf("  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\")); return; fi\n  case "
         "$verb in\n");
  for (int i = 0; cli_verbs[i]; i++)
    put_options_of(cli_verbs[i]);
  printf("  esac\n");
  put_values();
  printf("  case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -W \"$specs $schedules\" -- \"$word\")) ;;\n"
         "  esac\n}\ncomplete -o nosort -F _redblue redblue\n");
}

static cli_exit run(const cli_args *a)
{
  diag d = { 0 };
  const char *shell = a->n ? a->argument[0] : "bash";
  if (strcmp(shell, "bash") == 0)
    print_bash();
  else if (strcmp(shell, "zsh") == 0)
    print_zsh();
  else if (strcmp(shell, "fish") == 0)
    print_fish();
  else
    return cli_fail(a, diag_set(&d, BAD_USAGE, "usage", "completion for bash, zsh or fish, not for %s", shell), &d);
  return EXIT_YES;
}

static const cli_option_id options[] = { CLI_OPTIONS };
const cli_verb cli_verb_completion = {
  .name = "completion", .arguments = "[SHELL]", .least = 0, .most = 1,
  .summary = "print a completion script for bash, zsh or fish",
  .description = "Source it, or put it where the shell looks for completions; make install does.\n"
                 "SHELL is bash (default), zsh or fish.",
  .examples = "$ redblue completion > ~/.local/share/bash-completion/completions/redblue\n"
              "$ redblue completion zsh > ~/.zfunc/_redblue\n"
              "$ redblue completion fish > ~/.config/fish/completions/redblue.fish",
  .options = options, .run = run,
};
