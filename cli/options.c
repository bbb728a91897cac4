#include "cli/cli.h"

const cli_option cli_option_table[CLI_OPTIONS] = {
#define OPTION(id, name, letter, argument, help) { name, letter, argument, help },
#include "cli/options.def"
#undef OPTION
};
