/* line_editor.h -- one line from a terminal: arrows, history, completion by Tab.  It writes to the terminal itself, not
   by stdout, whose control characters are shown instead of obeyed. */
#ifndef REDBLUE_CLI_LINE_EDITOR_H
#define REDBLUE_CLI_LINE_EDITOR_H
#include <stdbool.h>
#include <stddef.h>

typedef enum { LINE_READ, LINE_END, LINE_INTERRUPTED } line_end;

typedef struct {
  const char *prompt;
  const char *const *word;     /* what Tab completes, ended by NULL; borrowed */
  char **past;                 /* lines read before; owned */
  size_t lines, room;
} line_editor;

void line_editor_clear(line_editor *e);
/* The next line, without its end, into buffer of size bytes (more is not taken).  Standard input must be a terminal;
   its settings are as before when this returns.  LINE_END: end of input, or Ctrl-D on an empty line;
   LINE_INTERRUPTED: Ctrl-C. */
line_end line_editor_read(line_editor *e, char *buffer, size_t size);
#endif
